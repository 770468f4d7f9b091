//! The runtime files (runtime-headers/), embedded in the binary and copied beside the output.

use super::toolchain::Target;

/// One embedded runtime file.
#[derive(Clone, Copy, Debug)]
pub struct RuntimeFile {
    /// Path below the runtime folder, with `/` as separator.
    pub name: &'static str,
    /// The whole text.
    pub text: &'static str,
    /// Modules that a Fortran file defines, in lower case.
    pub provides: &'static [&'static str],
    /// Modules of other files that a Fortran file uses, in lower case.
    pub uses: &'static [&'static str],
}

/// All runtime files, by name.
pub static FILES: &[RuntimeFile] = include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));

/// The folder of the output that holds the runtime files.
pub const FOLDER: &str = "cuf";

impl RuntimeFile {
    /// Whether this file is compiled by itself for `target` (headers are not; files of the emulation only for the cpu).
    pub fn is_unit(&self, target: Target) -> bool {
        if self.name.ends_with(".f90") {
            return true;
        }
        let base = self.name.rsplit('/').next().unwrap_or(self.name);
        let source = self.name.ends_with(".cpp") || self.name.ends_with(".cu");
        source && (target == Target::Cpu || !base.starts_with("cpu_")) && (target == Target::Cuda || !base.starts_with("cuda_"))
    }

    /// Whether this is a Fortran file.
    pub fn is_fortran(&self) -> bool {
        self.name.ends_with(".f90")
    }
}

/// The runtime's Fortran files that a project using `modules` needs, in an order that compiles.
///
/// `cuf_runtime` is always among them, for the shims use it.
pub fn fortran_units(modules: &[String]) -> Vec<&'static RuntimeFile> {
    let mut order = Vec::new();
    add_provider("cuf_runtime", &mut order, 0);
    for module in modules {
        add_provider(module, &mut order, 0);
    }
    order
}

fn add_provider(module: &str, order: &mut Vec<&'static RuntimeFile>, depth: usize) {
    let Some(file) = FILES.iter().find(|f| f.provides.contains(&module)) else { return };
    // The depth bound only guards against a cycle among our own files.
    if depth > FILES.len() || order.iter().any(|f| f.name == file.name) {
        return;
    }
    for used in file.uses {
        add_provider(used, order, depth + 1);
    }
    if !order.iter().any(|f| f.name == file.name) {
        order.push(file);
    }
}
