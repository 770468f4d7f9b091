//! What compilers and linkers have not found, and the option that brings it.

use crate::libraries;

/// What helps against what compilers and linkers have not found, by their messages: libraries of CUDA that are not linked, modules that
/// options bring. Empty if it is nothing of that.
pub fn remedies(messages: &str) -> String {
    let mut out = String::new();
    let missing = messages.split("undefined reference to `").skip(1);
    let missing: Vec<&str> = missing.filter_map(|m| m.split('\'').next()).collect();
    let mut told: Vec<&str> = Vec::new();
    for name in &missing {
        let Some(library) = libraries::named_by(name).filter(|l| !told.contains(&l.title)) else {
            continue;
        };
        told.push(library.title);
        out += &format!(
            "`{name}` is a function of {}, which is not linked\nhelp: add `-cudalib={}` (the cpu target has the functions of docs/libraries.md)\n",
            library.title, library.option
        );
    }
    let openmp = |name: &&str| name.starts_with("omp_") || name.starts_with("GOMP_");
    if missing.iter().any(openmp) {
        out += "OpenMP's procedures are linked with `--openmp` (`-mp`)\n";
    }
    let module = |name: &str| {
        let opened = messages.split("Cannot open module file").skip(1);
        opened
            .filter_map(|m| m.split(".mod").next())
            .any(|m| m.trim_start_matches([' ', '\'', '\u{2018}']) == name)
    };
    let included = messages.split("Cannot open included file").skip(1);
    let mut included = included.map(|m| m.trim_start_matches([' ', '\'', '\u{2018}']));
    let header = included.any(|m| m.starts_with("mpif.h"));
    if header || ["mpi", "mpi_f08"].into_iter().any(module) {
        out += "help: MPI (module `mpi`, `mpif.h`) requires `--mpi`, which uses the compilers mpifort and mpicxx; with `cuf2cu fc` set OMPI_FC=\"cuf2cu fc\" and use mpifort\n";
    }
    if module("omp_lib") {
        out += "help: module `omp_lib` requires `--openmp` (`-mp`)\n";
    }
    out
}
