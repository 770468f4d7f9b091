//! The shim module of a file: bind(C) interfaces of its launchers.

use std::collections::BTreeSet;

use askama::Template;

use super::edit::wrap_line;
use super::names;
use crate::abi::*;
use crate::sema::model::*;

/// Name of the module with the interfaces of a file's launchers.
pub fn module_name(stem: &str, doubtful: &BTreeSet<String>) -> String {
    let name = crate::abi::fitted(&format!("cuf_{}_shims", folded(stem)), false);
    names::free(doubtful, &name)
}

/// The base name of a file as a part of Fortran's names.
pub fn folded(stem: &str) -> String {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let lower = stem.to_lowercase();
    lower
        .chars()
        .map(|c| if part(c) { c } else { '_' })
        .collect()
}

/// One interface body, as the template prints it.
struct Body {
    is_function: bool,
    name: String,
    arguments: String,
    /// Names used of `cuf_runtime`.
    imports: String,
    /// Of neighbours of one type together, indented.
    declarations: Vec<String>,
}

#[derive(Template)]
#[template(path = "shims.f90")]
struct Shims {
    module: String,
    source: String,
    bodies: Vec<Body>,
}

/// The text of `<stem>_shims.f90`; None if the file has no launchers.
pub fn text(module: &str, source_name: &str, launchers: &FileLaunchers) -> Option<String> {
    if launchers.launchers.is_empty() {
        return None;
    }
    let shims = Shims {
        module: module.to_owned(),
        source: source_name.to_owned(),
        bodies: launchers.launchers.iter().map(body).collect(),
    };
    shims.render().ok()
}

fn body(l: &LauncherSignature) -> Body {
    let address = matches!(l.of, LauncherOf::Address(_));
    let result = l.operation.as_ref().and_then(|o| result_type(&o.gives));
    let is_function = address || result.is_some();
    let mut names = Vec::new();
    let mut imports = Vec::new();
    let mut declarations: Vec<(String, Vec<String>)> = Vec::new();
    if let Some(ty) = result {
        declarations.push((ty, vec![l.symbol.clone()]));
    }
    if address {
        imports.push("cuf_ptr");
        declarations.push(("type(cuf_ptr)".to_owned(), vec![l.symbol.clone()]));
    } else {
        names.push("cuf_at".to_owned());
        imports.push("cuf_launch");
        declarations.push((
            "type(cuf_launch), intent(in)".to_owned(),
            vec!["cuf_at".to_owned()],
        ));
    }
    for p in &l.params {
        // Beside names of the runtime.
        let name = match p.name.strip_prefix("cuf_") {
            Some(rest) => fitted(&format!("cuf__{rest}"), false),
            None => p.name.clone(),
        };
        names.push(name.clone());
        let declaration = match &p.passing {
            Passing::Address => {
                imports.push("cuf_ptr");
                "type(cuf_ptr), value".to_owned()
            }
            Passing::Descriptor => {
                imports.push("cuf_array_t");
                "type(cuf_array_t), intent(in)".to_owned()
            }
            Passing::Range => {
                imports.push("cuf_range_t");
                "type(cuf_range_t), intent(in)".to_owned()
            }
            Passing::Value(t) => format!("{}, value", value_type(t)),
            Passing::HostValue => "type(*), intent(in)".to_owned(),
            Passing::OptionalValue => "type(*), intent(in), optional".to_owned(),
            Passing::Reference { optional: true } => "type(*), optional".to_owned(),
            Passing::Reference { optional: false } => "type(*)".to_owned(),
        };
        match declarations.last_mut() {
            Some((last, names)) if *last == declaration => names.push(name.clone()),
            _ => declarations.push((declaration, vec![name.clone()])),
        }
    }
    imports.sort_unstable();
    imports.dedup();
    Body {
        is_function,
        name: l.symbol.clone(),
        arguments: wrap_arguments(&names),
        imports: imports.join(", "),
        declarations: declarations
            .into_iter()
            .map(|(d, names)| wrap_line(&format!("      {d} :: {}", names.join(", "))))
            .collect(),
    }
}

/// What a launcher's function gives.
fn result_type(gives: &Gives) -> Option<String> {
    match gives {
        Gives::Nothing => None,
        Gives::Done => Some("logical(1)".to_owned()),
        Gives::Value(t) => Some(value_type(t)),
        Gives::Subscripts { .. } => Some("integer(8)".to_owned()),
    }
}

/// A long argument list, continued.
fn wrap_arguments(names: &[String]) -> String {
    let mut out = String::new();
    let mut width = 60;
    for (i, n) in names.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
            width += 2;
        }
        if width + n.len() > 110 {
            out.push_str("&\n        ");
            width = 8;
        }
        out.push_str(n);
        width += n.len();
    }
    out
}

/// The interoperable type of a value parameter.
pub(super) fn value_type(t: &Type) -> String {
    match t {
        Type::Integer(k) => format!("integer({k})"),
        Type::Real(k) => format!("real({k})"),
        Type::Complex(k) => format!("complex({k})"),
        Type::Character(_) => "character(1)".to_owned(),
        _ => "logical(1)".to_owned(),
    }
}
