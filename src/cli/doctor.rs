//! `cuf2cu doctor`: the tools found, and what is missing.

use std::path::Path;
use std::process::ExitCode;

use crate::driver::toolchain::{self, Target, Toolchain, version_line};
use crate::driver::{Error, cache, libraries, terminal};
use crate::libraries::Library;

/// Prints one line a tool. The status is 3 if not even the cpu target can be built.
pub fn doctor() -> Result<ExitCode, Error> {
    let cpu = Toolchain::find(Target::Cpu, false);
    match &cpu {
        Ok(tools) => {
            line("gfortran", &found(&tools.fortran));
            line("g++", &found(&tools.cxx));
            line("C", &found(&tools.cc));
        }
        Err(error) => line("missing", &error.to_string()),
    }
    match toolchain::find_cuda() {
        Some(cuda) => {
            line("nvcc", &found(&cuda.nvcc));
            line("CUDA libraries", &cuda.library_folder.display().to_string());
            let all: Vec<&Library> = crate::libraries::all().collect();
            for name in libraries::of_toolkit(&all) {
                let text = match libraries::find(&cuda, name) {
                    Some(path) => path.display().to_string(),
                    None => "not found (needed only by programs that use it)".to_owned(),
                };
                line(name, &text);
            }
        }
        None => line(
            "nvcc",
            "not found: install the CUDA toolkit, or set CUDA_HOME or CUF2CU_CUDA_ROOT (needed for --target cuda)",
        ),
    }
    line(
        "GPU",
        &toolchain::gpu_name().unwrap_or_else(|| "none: programs run on the cpu target".to_owned()),
    );
    let all: Vec<&Library> = crate::libraries::all().collect();
    for (library, package) in libraries::packages(&all) {
        let text = match libraries::package_flags(package) {
            Some(flags) => flags.trim().to_owned(),
            None => format!(
                "not found: apt install {} (needed only by programs that use {} on the cpu target)",
                libraries::debian(package),
                library.title
            ),
        };
        line(package, &text);
    }
    match which::which("mpifort") {
        Ok(path) => line("MPI", &found(&path)),
        Err(_) => line("MPI", "mpifort not found (needed only for --mpi)"),
    }
    line("cache", &cache::place().display().to_string());
    match cpu {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(_) => Err(Error::Toolchain("programs cannot be built here".to_owned())),
    }
}

fn line(name: &str, text: &str) {
    terminal::print(format_args!("{name:<15} {text}\n"));
}

fn found(path: &Path) -> String {
    format!("{} ({})", path.display(), version_line(path))
}
