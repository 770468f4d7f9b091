//! The libraries that come with CUDA (guide 3.9.5): one table each (`runtime-headers/libraries/*.toml`), from which their Fortran modules, the options of
//! the linker and docs/libraries.md are made.
//!
//! A module is CUDA Fortran text that joins the program as if the user had written it: generic resolution by memory, the checks of actual arguments
//! and the host code are those of any interface block with `bind(C)`.

pub mod builtins;
mod forms;
mod module;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;

pub use forms::identifiers as words;
pub use module::{legacy_name, plain_name, source};
pub use table::{Argument, Choice, Intent, Kind, Memory, Shape};

/// A library, as its table says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Folded name of the Fortran module.
    pub module: String,
    /// The name that people know.
    pub title: String,
    /// C header of the toolkit.
    #[serde(default)]
    pub header: String,
    /// Libraries of the toolkit, in the order of the linker.
    #[serde(default)]
    pub cuda: Vec<String>,
    /// Archives that stand for these libraries, the main one first; without it the library is linked as a shared one.
    #[serde(default)]
    pub archives: Vec<String>,
    /// Functions of a library that is a header, which the runtime has by these names for programs that bind to them.
    #[serde(default)]
    pub functions: Vec<String>,
    /// Libraries of older toolkits in whose place these functions are.
    #[serde(default)]
    pub instead_of: Vec<String>,
    /// Files of the runtime that call it on the cuda target.
    #[serde(default)]
    pub runtime: Vec<String>,
    /// Packages (pkg-config) that the emulation of the cpu target needs.
    #[serde(default)]
    pub cpu: Vec<String>,
    /// Modules whose names come along.
    #[serde(default)]
    pub uses: Vec<String>,
    /// Constants of module cudafor that come along.
    #[serde(default)]
    pub from_cudafor: Vec<String>,
    /// The module of which this one has the names without `_v2`.
    #[serde(default)]
    pub renames: Option<String>,
    /// The function without which the addresses that it keeps are needed for the time of the call only.
    #[serde(default)]
    pub keeps_after: Option<String>,
    /// Functions that get and set where scalars are read: `either` arguments.
    #[serde(default)]
    pub pointer_mode: Vec<String>,
    #[serde(default)]
    pub constants: BTreeMap<String, i64>,
    #[serde(default, rename = "type")]
    pub types: Vec<TypeEntry>,
    #[serde(default, rename = "procedure")]
    entries: Vec<table::Entry>,
    /// The entries, one for each name.
    #[serde(skip)]
    pub procedures: Vec<Procedure>,
    #[serde(skip)]
    fragment: Fragment,
}

/// A derived type: a handle, which is an address, or a structure of C's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeEntry {
    pub name: String,
    /// `name:kind` or `name:kind[n]`, blank-separated; none: a handle.
    #[serde(default)]
    pub components: String,
}

/// Hand-written Fortran.
#[derive(Debug, Default)]
struct Fragment {
    /// USE statements.
    uses: String,
    /// The names that they bring, which the module does not pass on.
    private: Vec<String>,
    declarations: String,
    /// What stands after CONTAINS.
    procedures: String,
}

impl Fragment {
    fn new(text: &str) -> Fragment {
        let (declarations, procedures) = text.split_once("\ncontains\n").unwrap_or((text, ""));
        let (uses, declarations): (Vec<&str>, Vec<&str>) =
            declarations.lines().partition(|l| l.starts_with("  use "));
        let names = uses.iter().filter_map(|l| l.split_once("only:"));
        Fragment {
            private: (names.flat_map(|(_, list)| list.split(',')))
                .map(|n| n.split("=>").next().unwrap_or(n).trim().to_owned())
                .collect(),
            uses: uses.iter().map(|l| format!("{l}\n")).collect(),
            declarations: declarations.join("\n").trim_end().to_owned(),
            procedures: procedures.to_owned(),
        }
    }
}

/// One procedure of a library.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// As NVIDIA spells it.
    pub name: String,
    /// Number of the entry of the table: procedures that differ by their types only have the same.
    pub entry: usize,
    /// The arguments as the table has them.
    pub written: Vec<String>,
    /// The C symbol.
    pub symbol: String,
    pub family: String,
    pub arguments: Vec<Argument>,
    /// The kind of the value; None: a subroutine.
    pub result: Option<Kind>,
    pub legacy: Option<Legacy>,
    /// Arguments of the legacy form that are others of its own: `c` is `b` where a matrix is overwritten.
    pub same: BTreeMap<String, String>,
    /// First and last major version of CUDA.
    pub since: Option<u32>,
    pub until: Option<u32>,
    /// What took its place.
    pub instead: Option<String>,
    /// Why it is not offered.
    pub refused: Option<String>,
    /// It stands in the hand-written part.
    pub fortran: bool,
}

/// The form without a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Legacy {
    Subroutine,
    /// The last argument is the result.
    Function,
}

/// Tables and hand-written parts by file name.
static EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library_files.rs"));

/// The libraries by module, which their files are called after. Each table is read when it is asked for: most programs use none. One that
/// cannot be read is left out: the tests read all of them.
static LIBRARIES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let table = |(module, text)| Table {
        module,
        text,
        library: OnceLock::new(),
    };
    tables().map(table).collect()
});

/// A table that may have been read.
struct Table {
    module: &'static str,
    text: &'static str,
    library: OnceLock<Option<Library>>,
}

impl Table {
    fn library(&self) -> Option<&Library> {
        let library = self
            .library
            .get_or_init(|| read(self.module, self.text).ok());
        library.as_ref()
    }
}

/// The modules of all tables with their texts.
fn tables() -> impl Iterator<Item = (&'static str, &'static str)> {
    let files = EMBEDDED.iter();
    files.filter_map(|(name, text)| Some((name.strip_suffix(".toml")?, *text)))
}

fn read(module: &str, text: &str) -> Result<Library, String> {
    let mut library: Library = toml::from_str(text).map_err(|e| e.to_string())?;
    for (i, entry) in std::mem::take(&mut library.entries).iter().enumerate() {
        library.procedures.extend(entry.procedures(i)?);
    }
    let fragment = format!("{module}.f90");
    if let Some((_, text)) = EMBEDDED.iter().find(|(name, _)| *name == fragment) {
        library.fragment = Fragment::new(text);
    }
    Ok(library)
}

/// The library of a module, by its folded name.
pub fn find(module: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|t| t.module == module)?.library()
}

/// All libraries, by module.
pub fn all() -> impl Iterator<Item = &'static Library> {
    LIBRARIES.iter().filter_map(Table::library)
}

/// The modules of libraries that a program uses (folded names), as text, each after those that it needs: with what `words` (in lower case)
/// mention, or all of it.
pub fn sources(
    used: &BTreeSet<&str>,
    words: Option<&BTreeSet<String>>,
) -> Vec<(&'static str, String)> {
    let order = needed(used);
    let mut words = words.cloned();
    let mut out = Vec::new();
    for library in order.iter().rev() {
        if let Some(words) = &mut words {
            let more = module::renamed_words(library, words);
            words.extend(more);
        }
        let text = source(library, words.as_ref());
        if let Some(words) = &mut words {
            words.extend(forms::identifiers(&text).map(str::to_ascii_lowercase));
        }
        out.push((library.module.as_str(), text));
    }
    out.reverse();
    out
}

/// The library modules among `used` (folded), with those that they use; each after what it needs.
pub fn needed(used: &BTreeSet<&str>) -> Vec<&'static Library> {
    fn add(module: &str, order: &mut Vec<&'static Library>, depth: usize) {
        let Some(library) = find(module) else { return };
        // The bound guards against tables that use each other.
        if depth > 8 || order.iter().any(|l| l.module == library.module) {
            return;
        }
        for other in library.uses.iter().chain(&library.renames) {
            add(other, order, depth + 1);
        }
        order.push(library);
    }
    let mut order = Vec::new();
    used.iter().for_each(|m| add(m, &mut order, 0));
    order
}

/// What became of a procedure that is not offered: it was removed from CUDA, or cannot be had.
pub fn missing(module: &str, name: &str) -> Option<String> {
    let mut of_name = find(module)?
        .procedures
        .iter()
        .filter(|p| p.name.eq_ignore_ascii_case(name));
    let p = of_name.next()?;
    if let Some(why) = &p.refused {
        return Some(format!("{} is not offered: {why}", p.name));
    }
    let last = p.until?;
    let instead = p
        .instead
        .as_ref()
        .map_or(String::new(), |i| format!(": {i} takes its place"));
    Some(format!("{} was removed after CUDA {last}{instead}", p.name))
}

/// A library by the beginning of its functions' names.
#[derive(Debug)]
pub struct Named {
    pub beginning: &'static str,
    /// What people call it.
    pub title: &'static str,
    modules: &'static [&'static str],
    /// What `-cudalib=` calls it.
    pub option: &'static str,
}

const fn named(
    beginning: &'static str,
    title: &'static str,
    modules: &'static [&'static str],
    option: &'static str,
) -> Named {
    Named {
        beginning,
        title,
        modules,
        option,
    }
}

const NAMED: [Named; 10] = [
    named("cublas", "cuBLAS", &["cublas", "cublasxt"], "cublas"),
    named("cufft", "cuFFT", &["cufft", "cufftxt"], "cufft"),
    named("curand", "cuRAND", &["curand"], "curand"),
    named("cusparse", "cuSPARSE", &["cusparse"], "cusparse"),
    named("cusolverdn", "cuSOLVER", &["cusolverdn"], "cusolver"),
    named("cusolver", "cuSOLVER", &[], "cusolver"),
    named("cutensor", "cuTENSOR", &[], "cutensor"),
    named("nccl", "NCCL", &["nccl"], "nccl"),
    named("nvshmem", "NVSHMEM", &[], "nvshmem"),
    named("nvtx", "NVTX", &["nvtx"], "nvtx"),
];

/// The library that `name` is a function of, by its beginning.
pub fn named_by(name: &str) -> Option<&'static Named> {
    let folded = name.to_ascii_lowercase();
    NAMED.iter().find(|n| {
        let rest = folded.strip_prefix(n.beginning);
        rest.is_some_and(|r| r.starts_with(|c: char| c.is_ascii_lowercase()))
    })
}

/// What is said of a procedure that is not known and has a library's name: what is wrong, and what helps.
pub fn unknown(name: &str) -> Option<(String, String)> {
    let named = named_by(name)?;
    let has = |module: &&&str| {
        let offered = find(module).into_iter().flat_map(|l| &l.procedures);
        let same = |p: &str| p.eq_ignore_ascii_case(name);
        offered
            .filter(|p| p.is_offered())
            .any(|p| same(&p.name) || p.name.strip_suffix("_v2").is_some_and(same))
    };
    if let Some(module) = named.modules.iter().find(has) {
        return Some((
            format!("`{name}` is a procedure of module `{module}`, which is not used here"),
            format!("add `use {module}`"),
        ));
    }
    let Some(module) = named.modules.first() else {
        return Some((
            format!(
                "`{name}` is a function of {}, of which no module is offered",
                named.title
            ),
            "write an interface body with `bind(C)` for it".to_owned(),
        ));
    };
    Some((
        format!("module `{module}` has no procedure `{name}`"),
        "docs/libraries.md lists its procedures; for another function of the library write an interface body with `bind(C)`"
            .to_owned(),
    ))
}

impl Procedure {
    /// Programs can call it.
    pub fn is_offered(&self) -> bool {
        self.until.is_none() && self.refused.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_can_be_read() {
        for (module, text) in tables() {
            match read(module, text) {
                Ok(library) => assert_eq!(library.module, module, "the name of the file"),
                Err(e) => panic!("{module}: {e}"),
            }
        }
    }

    #[test]
    fn modules_that_are_used_exist() {
        for l in all() {
            for other in l.uses.iter().chain(&l.renames) {
                assert!(find(other).is_some(), "{} uses {other}", l.module);
            }
        }
    }
}
