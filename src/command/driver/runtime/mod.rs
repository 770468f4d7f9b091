//! The runtime files (runtime-headers/), embedded in the binary; those that a program needs are copied beside the output.

mod cpp;
mod fortran;
pub mod modules;
mod select;

use std::borrow::Cow;
use std::sync::LazyLock;

use super::toolchain::Target;
use crate::translate::MemoryMode;
pub use cpp::includes;
pub use fortran::{reduced, words};
use modules::fortran_modules;
pub use select::{Uses, select};

/// What only programs of a memory mode have.
const OF_MODES: [(&str, MemoryMode); 2] = [
    ("host/managed.cpp", MemoryMode::Managed),
    ("host/unified.cpp", MemoryMode::Unified),
];

/// One runtime file.
#[derive(Clone, Debug)]
pub struct RuntimeFile {
    /// Path below the runtime folder, with `/` as separator.
    pub name: String,
    /// The whole text.
    pub text: Cow<'static, str>,
    /// Modules that a Fortran file defines, in lower case.
    pub provides: Vec<String>,
    /// Modules of other files that a Fortran file uses, in lower case.
    pub uses: Vec<String>,
}

/// The C++ files, name and text.
static EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));

/// All runtime files: the C++ as it is embedded, the Fortran from its templates.
pub static FILES: LazyLock<Vec<RuntimeFile>> = LazyLock::new(|| {
    let embedded = EMBEDDED
        .iter()
        .map(|&(name, text)| (name, Cow::Borrowed(text)));
    // The templates are formatted in tests: an error here would be one of memory.
    let generated = fortran_modules()
        .into_iter()
        .flatten()
        .map(|(name, text)| (name, Cow::Owned(text)));
    embedded
        .chain(generated)
        .map(|(name, text)| RuntimeFile::new(name, text))
        .collect()
});

/// The folder of the output that holds the runtime files.
pub const FOLDER: &str = "cuf";

impl RuntimeFile {
    fn new(name: &str, text: Cow<'static, str>) -> RuntimeFile {
        let (mut provides, mut uses) = (Vec::new(), Vec::new());
        if is_fortran(name) {
            for line in text.lines() {
                modules_of(&line.trim().to_ascii_lowercase(), &mut provides, &mut uses);
            }
        }
        uses.retain(|u| !provides.contains(u));
        RuntimeFile {
            name: name.to_owned(),
            text,
            provides,
            uses,
        }
    }

    /// Whether this file is compiled by itself for `target` and a memory mode (headers are not; files of the emulation only for the cpu).
    pub fn is_unit(&self, target: Target, memory: MemoryMode) -> bool {
        if self.is_fortran() {
            return true;
        }
        if let Some((_, mode)) = OF_MODES.iter().find(|(name, _)| *name == self.name) {
            return *mode == memory;
        }
        self.name.ends_with(".cpp") && (target == Target::Cpu || !self.name.starts_with("cpu/"))
    }

    /// The beginning of the names of the libraries that the file belongs to: `cpu/libraries/cublas_level1.cpp` is cublas's and cublasxt's.
    pub fn library(&self) -> Option<&str> {
        let (_, file) = self.name.split_once("libraries/")?;
        file.split(['_', '.']).next()
    }

    /// The file is none of a library, or of one of these modules.
    pub fn is_of(&self, modules: impl IntoIterator<Item = impl AsRef<str>>) -> bool {
        let of = |library: &str| {
            let mut modules = modules.into_iter();
            modules.any(|m| m.as_ref().starts_with(library))
        };
        self.library().is_none_or(of)
    }

    /// Whether this is a Fortran file.
    pub fn is_fortran(&self) -> bool {
        is_fortran(&self.name)
    }
}

fn is_fortran(name: &str) -> bool {
    name.ends_with(".f90") || name.ends_with(".F90")
}

/// Those of `files` that are Fortran and that a project using `modules` needs, in an order that compiles.
///
/// `cuf_runtime` is always among them, for the shims use it.
pub fn fortran_units(files: &[RuntimeFile], modules: &[String]) -> Vec<RuntimeFile> {
    let mut order = Vec::new();
    add_provider(files, "cuf_runtime", &mut order, 0);
    for module in modules {
        add_provider(files, module, &mut order, 0);
    }
    order.into_iter().cloned().collect()
}

fn add_provider<'a>(
    files: &'a [RuntimeFile],
    module: &str,
    order: &mut Vec<&'a RuntimeFile>,
    depth: usize,
) {
    let Some(file) = files
        .iter()
        .find(|f| f.provides.iter().any(|m| m == module))
    else {
        return;
    };
    // The depth bound only guards against a cycle among our own files.
    if depth > files.len() || order.iter().any(|f| f.name == file.name) {
        return;
    }
    for used in &file.uses {
        add_provider(files, used, order, depth + 1);
    }
    if !order.iter().any(|f| f.name == file.name) {
        order.push(file);
    }
}

/// Reads the modules off a line. These are our own files, one statement a line: its first words are enough.
fn modules_of(line: &str, provides: &mut Vec<String>, uses: &mut Vec<String>) {
    let name = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let mut words = line.split(name).filter(|w| !w.is_empty());
    match (words.next(), words.next()) {
        (Some("module"), Some(m)) if m != "procedure" => provides.push(m.to_owned()),
        (Some("use"), Some(m)) if m != "intrinsic" && !uses.iter().any(|u| u == m) => {
            uses.push(m.to_owned())
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_in_an_order_that_compiles() {
        let order = fortran_units(&FILES, &["cudafor".to_owned()]);
        let names: Vec<&str> = order.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["host/cuf_runtime.F90", "host/cudafor.f90"]);
        assert!(
            FILES
                .iter()
                .any(|f| f.name == "host/runtime.cpp"
                    && f.is_unit(Target::Cuda, MemoryMode::Separate))
        );
    }
}
