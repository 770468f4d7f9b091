//! `cuf2cu doctor`: the tools found, and what is missing.

use std::path::Path;
use std::process::ExitCode;

use crate::driver::family::Family;
use crate::driver::toolchain::{self, version_line};
use crate::driver::{Error, cache, libraries, terminal};
use crate::libraries::Library;

/// Prints one line a tool. The status is 3 if not even the cpu target can be built.
pub fn doctor() -> Result<ExitCode, Error> {
    // All of them are looked for, whatever is missing.
    let fortran = toolchain::fortran_compiler(false);
    let family = fortran.as_ref().map_or(Family::Gnu, |(_, family)| *family);
    let compilers = [
        (family.name(), fortran.map(|(tool, _)| tool)),
        ("g++", toolchain::cxx_compiler()),
        ("C", toolchain::c_compiler(false)),
    ];
    for (name, found) in &compilers {
        let text = match found {
            Ok(tool) => format!("{tool} ({})", tool.version_line()),
            Err(error) => in_one_line(error),
        };
        line(name, &text);
    }
    match toolchain::find_cuda() {
        Some(cuda) => {
            line("nvcc", &found(&cuda.nvcc));
            line("CUDA libraries", &cuda.library_folder.display().to_string());
            let all: Vec<&Library> = crate::libraries::all().collect();
            for name in libraries::of_toolkit(&all) {
                let text = match libraries::find(&cuda, name) {
                    Some(path) => path.display().to_string(),
                    None => "not found (required only by programs that use it)".to_owned(),
                };
                line(name, &text);
            }
        }
        None => line(
            "nvcc",
            "not found; install the CUDA toolkit, or set CUDA_HOME or CUF2CU_CUDA_ROOT (required for `--target cuda`)",
        ),
    }
    let gpus = toolchain::gpus();
    for gpu in &gpus {
        let arch = gpu.arch.as_deref().unwrap_or("architecture not known");
        line("GPU", &format!("{}, {arch}", gpu.name));
    }
    if gpus.is_empty() {
        line("GPU", "not available: programs run on the cpu target");
    }
    let all: Vec<&Library> = crate::libraries::all().collect();
    for (library, package) in libraries::packages(&all) {
        let text = match libraries::package_flags(package) {
            Some(flags) => flags.trim().to_owned(),
            None => format!(
                "not found; apt install {} (required only by programs that use {} on the cpu target)",
                libraries::debian(package),
                library.title
            ),
        };
        line(package, &text);
    }
    match toolchain::fortran_compiler(true) {
        Ok((tool, _)) => line("MPI", &format!("{tool} ({})", tool.version_line())),
        Err(error) => line(
            "MPI",
            &format!("{} (required only for `--mpi`)", in_one_line(&error)),
        ),
    }
    line("cache", &cache::place().display().to_string());
    match compilers.iter().all(|(_, found)| found.is_ok()) {
        true => Ok(ExitCode::SUCCESS),
        false => Err(Error::Toolchain("programs cannot be built here".to_owned())),
    }
}

fn line(name: &str, text: &str) {
    terminal::print(format_args!("{name:<15} {text}\n"));
}

fn found(path: &Path) -> String {
    format!("{} ({})", path.display(), version_line(path))
}

/// An error with its help, for a row of the table.
fn in_one_line(error: &Error) -> String {
    error.to_string().replace("\nhelp: ", "; ")
}
