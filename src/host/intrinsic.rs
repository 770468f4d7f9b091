//! Intrinsic procedures in generated Fortran. Generated text has a mark before their names; when the file is finished, a
//! name that the program has for something else becomes the runtime's name for the intrinsic (`cuf_lbound`), and the
//! others are what they are. So no place that writes text has to know what is visible where the text ends up.

use crate::sema::model::Model;
use std::collections::BTreeSet;

/// No character of a Fortran program.
const MARK: char = '\u{1}';

macro_rules! intrinsics {
    ($($name:ident = $text:literal),* $(,)?) => {
        $(pub(super) const $name: &str = concat!('\u{1}', $text);)*
        /// All that generated text may use.
        const ALL: &[&str] = &[$($text),*];
    };
}

intrinsics! {
    ALLOCATED = "allocated",
    ANY = "any",
    ASSOCIATED = "associated",
    INT = "int",
    LBOUND = "lbound",
    LOGICAL = "logical",
    MAX = "max",
    MOVE_ALLOC = "move_alloc",
    NULL = "null",
    PRESENT = "present",
    REAL = "real",
    SHAPE = "shape",
    SIZE = "size",
    STORAGE_SIZE = "storage_size",
    UBOUND = "ubound",
}

/// The intrinsics whose names the program has in some scope, program units included.
pub(super) fn hidden(model: &Model) -> BTreeSet<&'static str> {
    let has = |name: &str| {
        let mut scopes = model.scopes.iter();
        scopes.any(|s| s.name == name || s.names.contains_key(name))
            || model.externals.contains_key(name)
    };
    ALL.iter().copied().filter(|n| has(n)).collect()
}

/// The name that `cuf_runtime` has for an intrinsic.
fn runtime_name(name: &str) -> String {
    match name {
        "null" => "cuf_no_target".to_owned(), // `cuf_null` is a null address
        "real" => "cuf_as_real".to_owned(),   // `cuf_real` is a conversion of real(2)
        _ => format!("cuf_{name}"),
    }
}

/// Generated text without marks.
pub(super) fn resolve(text: &str, hidden: &BTreeSet<&str>) -> String {
    let mut parts = text.split(MARK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, rest) = part.split_at(end.unwrap_or(part.len()));
        match hidden.contains(name) {
            true => out.push_str(&runtime_name(name)),
            false => out.push_str(name),
        }
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_program_are_avoided() {
        let hidden = BTreeSet::from(["lbound"]);
        let text = format!("{SIZE}(a) + {LBOUND}(a, 1) - {UBOUND}(a, 1)");
        assert_eq!(
            resolve(&text, &hidden),
            "size(a) + cuf_lbound(a, 1) - ubound(a, 1)"
        );
    }

    #[test]
    fn the_runtime_has_all() {
        let runtime = include_str!("../../templates/cuf_runtime.f90");
        for name in ALL {
            assert!(
                runtime.contains(&format!("{} => {name}", runtime_name(name))),
                "{name}"
            );
        }
    }
}
