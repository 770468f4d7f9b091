//! Names in generated Fortran. Generated text has a mark before the names that generated code brings with it and before those of
//! intrinsic procedures; when the file is finished, one that the program has for something else gives way to the program's:
//! an intrinsic is called by the runtime's name for it (`cuf_lbound`), a generated name gets another beginning (`cuf__x`). So no
//! place that writes text has to know what is visible where the text ends up.

use crate::intrinsics::{
    Bits, Choice, Conversion, Inquiry, Intrinsic, Kinds, Reduction, Subroutine,
};
use crate::sema::model::{FileId, Model};
use std::collections::BTreeSet;

/// No character of a Fortran program.
const MARK: char = '\u{1}';

/// How generated names begin.
pub(in crate::translation::host) const CUF: &str = "\u{1}cuf_";

/// The same without mark.
const BEGINNING: &str = "cuf_";

/// What [`BEGINNING`] becomes where the program has the name. No generated name begins like that otherwise, for no name of the
/// program begins with an underscore.
const OTHER_BEGINNING: &str = "cuf__";

macro_rules! generated {
    ($($name:ident = $text:literal),* $(,)?) => {
        $(pub(in crate::translation::host) const $name: &str = concat!('\u{1}', "cuf_", $text);)*
    };
}

// Of the runtime, of bindings and of local variables: those that are wanted as texts of their own.
generated! {
    ARRAY_T = "array_t",
    CONDITION = "condition",
    COPY = "copy",
    COPY_DONE = "copy_done",
    COPY_OUT = "copy_out",
    D2D = "d2d",
    D2H = "d2h",
    FINISH = "finish",
    FINISH_EACH = "finish_each",
    FROM = "from",
    H2D = "h2d",
    MANAGED = "managed",
    NEW = "new",
    OBJECT = "object",
    PINNED = "pinned",
    PTR = "ptr",
    RELEASE = "release",
    STAR = "star",
    TO = "to",
    VALUE = "value",
    X = "x",
}

/// Local names of generated code among the program's statements that are not made of names of the program.
const LOCALS: [&str; 14] = [
    "condition",
    "default",
    "ends",
    "fresh",
    "from",
    "ieee_value",
    "infinity",
    "last",
    "object",
    "old",
    "other",
    "reduction",
    "to",
    "value",
];

/// A local name made of one of the program: not the runtime's, nor one of [`LOCALS`].
pub(in crate::translation::host) fn derived(stem: &str) -> String {
    let folded = stem.to_ascii_lowercase();
    let own = |e: &str| e[BEGINNING.len()..] == folded;
    let taken = LOCALS.contains(&folded.as_str())
        || exports().any(own)
        || ALL.iter().any(|i| own(&runtime_name(i)));
    let end = if taken { "_" } else { "" };
    let name = format!("{CUF}{stem}{end}");
    match name.len() - MARK.len_utf8() > 60 {
        true => format!(
            "{MARK}{}",
            crate::abi::fitted(&format!("{BEGINNING}{stem}"), true)
        ),
        false => name,
    }
}

/// A name of generated code for something in a program unit, with its mark.
pub(in crate::translation::host) fn global(prefix: &str, unit: &str, name: &str) -> String {
    format!("{MARK}{}", crate::abi::global_name(prefix, unit, name))
}

/// A name that exists already, with its mark.
pub(in crate::translation::host) fn marked(name: &str) -> String {
    format!("{MARK}{name}")
}

/// Appends text of generated code's own with marks before its names: those with the beginning `cuf_`, and references of intrinsic
/// procedures.
pub(in crate::translation::host) fn mark(text: &str, out: &mut String) {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(start) = rest.find(part) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !part(c)).unwrap_or(from.len()));
        out.push_str(before);
        if word.starts_with(BEGINNING) || after.starts_with('(') && ALL.contains(&word) {
            out.push(MARK);
        }
        out.push_str(word);
        rest = after;
    }
    out.push_str(rest);
}

macro_rules! intrinsics {
    ($($name:ident = $text:literal $family:ident::$procedure:ident),* $(,)?) => {
        $(pub(in crate::translation::host) const $name: &str = concat!('\u{1}', $text);)*
        /// All that generated text may use.
        const ALL: &[&str] = &[$($text),*];

        /// The procedure that such a word means.
        fn meant(word: &str) -> Option<Intrinsic> {
            match word {
                $($text => Some($family::$procedure.into()),)*
                _ => None,
            }
        }
    };
}

intrinsics! {
    ALLOCATED = "allocated" Inquiry::Allocated,
    ANY = "any" Reduction::Any,
    ASSOCIATED = "associated" Inquiry::Associated,
    BTEST = "btest" Bits::Btest,
    IAND = "iand" Bits::Iand,
    IEOR = "ieor" Bits::Ieor,
    INT = "int" Conversion::Int,
    IOR = "ior" Bits::Ior,
    IS_CONTIGUOUS = "is_contiguous" Inquiry::IsContiguous,
    LBOUND = "lbound" Inquiry::Lbound,
    LEN = "len" Inquiry::Len,
    LOGICAL = "logical" Conversion::Logical,
    MAX = "max" Choice::Max,
    MERGE = "merge" Choice::Merge,
    MOVE_ALLOC = "move_alloc" Subroutine::MoveAlloc,
    NOT = "not" Bits::Not,
    NULL = "null" Kinds::Null,
    PRESENT = "present" Inquiry::Present,
    REAL = "real" Conversion::Real,
    SHAPE = "shape" Inquiry::Shape,
    SIZE = "size" Inquiry::Size,
    STORAGE_SIZE = "storage_size" Inquiry::StorageSize,
    UBOUND = "ubound" Inquiry::Ubound,
}

/// The words of a program that begin like generated names: names of the program, and harmlessly some of its comments and texts.
pub fn doubtful<'t>(texts: impl Iterator<Item = &'t str>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let part = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    for text in texts {
        let bytes = text.as_bytes();
        for (i, w) in bytes.windows(BEGINNING.len()).enumerate() {
            let begins = w.eq_ignore_ascii_case(BEGINNING.as_bytes())
                && !i.checked_sub(1).is_some_and(|b| part(&bytes[b]));
            if begins {
                let word = bytes[i..].iter().take_while(|c| part(c));
                all.insert(word.map(|c| char::from(c.to_ascii_lowercase())).collect());
            }
        }
    }
    all
}

/// The part of the program whose names generated text keeps clear of.
#[derive(Clone, Copy, Debug)]
pub struct ReservedNames<'a> {
    /// See [`doubtful`].
    pub doubtful: &'a BTreeSet<String>,
    /// None: all.
    pub files: Option<&'a BTreeSet<FileId>>,
}

impl ReservedNames<'_> {
    /// Whether a file belongs to it.
    pub fn holds(&self, file: FileId) -> bool {
        self.files.is_none_or(|f| f.contains(&file))
    }
}

/// A generated name with a beginning that makes it none of the program's.
pub(in crate::translation::host) fn free(doubtful: &BTreeSet<String>, name: &str) -> String {
    let mut out = name.to_owned();
    let mut beginning = OTHER_BEGINNING.to_owned();
    if let Some(rest) = name.strip_prefix(BEGINNING) {
        while doubtful.contains(&out.to_ascii_lowercase()) {
            out = format!("{beginning}{rest}");
            beginning.push('_');
        }
    }
    out
}

/// The names of a program that generated text has to do without.
pub(in crate::translation::host) struct Taken<'a> {
    /// See [`doubtful`].
    doubtful: &'a BTreeSet<String>,
    /// The intrinsics whose names the program has in some scope, program units included.
    intrinsics: BTreeSet<&'static str>,
}

impl<'a> Taken<'a> {
    pub(in crate::translation::host) fn of(model: &Model, around: ReservedNames<'a>) -> Self {
        let has = |name: &str| {
            let units = model.units_by_name.get(name).into_iter().flatten();
            let mut bearers = model.scopes_with(name).iter().chain(units);
            bearers.any(|s| around.holds(model[*s].file))
                || around.files.is_none() && model.externals.contains_key(name)
        };
        Taken {
            doubtful: around.doubtful,
            intrinsics: ALL.iter().copied().filter(|n| has(n)).collect(),
        }
    }

    /// Generated text calls intrinsics by the names of the runtime.
    pub(in crate::translation::host) fn hides_intrinsics(&self) -> bool {
        !self.intrinsics.is_empty()
    }

    /// What a marked name is called.
    fn name(&self, name: &str) -> String {
        match self.intrinsics.contains(name) {
            true => free(self.doubtful, &runtime_name(name)),
            false => free(self.doubtful, name),
        }
    }

    /// Generated text without marks.
    pub(in crate::translation::host) fn resolve(&self, text: &str) -> String {
        let mut parts = text.split(MARK);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let (name, rest) = part.split_at(end.unwrap_or(part.len()));
            out.push_str(&self.name(name));
            out.push_str(rest);
        }
        out
    }

    /// A USE statement for a module of generated code with these names, which go by others where the program has them.
    fn used<'n>(&self, module: &str, names: impl Iterator<Item = &'n str>) -> String {
        let mut text = format!("use {module}");
        for n in names.filter(|n| self.doubtful.contains(*n)) {
            text.push_str(&format!(", {} => {n}", self.name(n)));
        }
        text
    }

    /// The statements that make the runtime known, with all intrinsics that may be needed.
    pub(in crate::translation::host) fn use_runtime(&self) -> Vec<String> {
        self.use_runtime_and(&|_| true)
    }

    /// The same for generated texts.
    pub(in crate::translation::host) fn use_runtime_for<'t>(
        &self,
        texts: impl Iterator<Item = &'t str>,
    ) -> Vec<String> {
        let names = marked_names(texts);
        self.use_runtime_and(&|i| names.contains(i))
    }

    /// Intrinsics under other names stand in a module of their own, which no more is used of than is needed: gfortran -Wall warns of each.
    fn use_runtime_and(&self, needed: &dyn Fn(&str) -> bool) -> Vec<String> {
        let mut uses = vec![self.used("cuf_runtime", exports())];
        let items = self.intrinsics.iter().filter(|i| needed(i));
        let items = items.map(|i| format!("{} => {}", self.name(i), i));
        let items: Vec<String> = items.collect();
        if !items.is_empty() {
            uses.push(format!("use cuf_intrinsics, only: {}", items.join(", ")));
        }
        uses
    }

    /// The names that a unit with these texts has of generated code: those that [`Self::use_runtime_for`] makes known, and `more`.
    pub(in crate::translation::host) fn brought<'t>(
        &self,
        texts: impl Iterator<Item = &'t str>,
        more: impl Iterator<Item = &'t str>,
    ) -> Vec<String> {
        let named = marked_names(texts);
        let intrinsics = self.intrinsics.iter().filter(|i| named.contains(*i));
        let own = exports().chain(intrinsics.copied()).map(|n| self.name(n));
        own.chain(more.map(|n| self.name(n))).collect()
    }

    pub(in crate::translation::host) fn use_shims<'n>(
        &self,
        module: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> String {
        self.used(module, names)
    }
}

/// The names with a mark in generated texts.
fn marked_names<'t>(texts: impl Iterator<Item = &'t str>) -> BTreeSet<&'t str> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = texts.flat_map(|t| t.split(MARK).skip(1));
    let names = names.map(|n| &n[..n.find(|c| !part(c)).unwrap_or(n.len())]);
    names.collect()
}

/// The names of the runtime's module that programs use.
fn exports() -> impl Iterator<Item = &'static str> {
    EXPORTS.split_whitespace()
}

const EXPORTS: &str = "cuf_address cuf_allocate cuf_array cuf_array_t cuf_assign cuf_associate cuf_await cuf_bits cuf_close_device cuf_conforms cuf_copy_done \
    cuf_copy_in cuf_copy_out cuf_d2d cuf_d2h cuf_dealloc cuf_deallocate cuf_describe cuf_described cuf_device cuf_dim3 cuf_extent cuf_fits cuf_free cuf_h2d cuf_half cuf_host \
    cuf_in_place cuf_is_bound cuf_launch cuf_length cuf_letter cuf_loc cuf_loop cuf_malloc cuf_managed cuf_may_allocate cuf_null cuf_open_device cuf_parts_4 cuf_parts_8 cuf_pinned \
    cuf_ptr cuf_range cuf_range_t cuf_reach cuf_real cuf_release cuf_repeat cuf_reshaped cuf_shared cuf_shared_object cuf_spread cuf_star cuf_stream cuf_subscripts cuf_transposed";

/// The name that `cuf_runtime` has for an intrinsic.
fn runtime_name(name: &str) -> String {
    match meant(name) {
        // `cuf_null` is a null address.
        Some(Intrinsic::Kinds(Kinds::Null)) => "cuf_no_target".to_owned(),
        // `cuf_real` is a conversion of real(2).
        Some(Intrinsic::Conversion(Conversion::Real)) => "cuf_as_real".to_owned(),
        _ => format!("{BEGINNING}{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNTIME: &str = include_str!("../../../../templates/cuf_runtime.f90");

    #[test]
    fn names_of_the_program_are_avoided() {
        let doubtful = doubtful(["integer :: Cuf_X, cuf__x, mycuf_y"].into_iter());
        let taken = Taken {
            doubtful: &doubtful,
            intrinsics: BTreeSet::from(["lbound"]),
        };
        let text = format!("{SIZE}(a) + {LBOUND}(a, 1) - {UBOUND}(a, 1)");
        assert_eq!(
            taken.resolve(&text),
            "size(a) + cuf_lbound(a, 1) - ubound(a, 1)"
        );
        let text = format!("{X} + {CUF}y");
        assert_eq!(taken.resolve(&text), "cuf___x + cuf_y");
    }

    #[test]
    fn the_runtime_has_all() {
        for name in ALL {
            assert_eq!(meant(name).map(Intrinsic::name), Some(*name));
            let listed = RUNTIME.lines().skip_while(|l| !l.contains("intrinsic ::"));
            let listed: String = listed.take(2).collect();
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            assert!(listed.split(|c| !part(c)).any(|w| w == *name), "{name}");
        }
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let code = RUNTIME.lines().filter(|l| !l.trim_start().starts_with('!'));
        let words: BTreeSet<&str> = code.flat_map(|l| l.split(|c| !part(c))).collect();
        assert!(exports().all(|e| words.contains(e)));
        for w in words.iter().filter(|w| w.starts_with("cuf_")) {
            let other = w.starts_with("cuf_rt_") || w.starts_with("cuf__") || w.ends_with('_');
            let unused = [
                "cuf_runtime",
                "cuf_intrinsics",
                "cuf_half_assignment",
                "cuf_minus_h",
            ]
            .contains(w);
            assert!(other || unused || exports().any(|e| e == *w), "{w}");
        }
    }

    #[test]
    fn names_made_of_others_are_not_the_runtimes() {
        assert_eq!(derived("host"), format!("{CUF}host_"));
        assert_eq!(derived("value"), format!("{CUF}value_"));
        assert_eq!(derived("series"), format!("{CUF}series"));
    }
}
