//! Builds every conformance program and sample for a GPU into build/gpu-suite/, with run-all that runs them there.
//!
//! The variable ARCH names the architecture (sm_90); arguments, or GPU_SUITE, select programs by a part of the name.

mod suite;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cuf2cu::driver::{BuildOptions, Target, Toolchain, build, toolchain};
use suite::{Expect, Outcome, Program};

fn main() -> ExitCode {
    match run() {
        Ok(status) => status,
        Err(text) => {
            eprintln!("gpu-suite: {text}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let toolchain = Toolchain::find(Target::Cuda, false).map_err(|e| e.to_string())?;
    let mpi = Toolchain::find(Target::Cuda, true).ok();
    let mut all = suite::programs();
    all.extend(suite::samples());
    let mut programs = suite::select(all, "GPU_SUITE");
    programs.retain(|p| p.expect == Expect::Pass);
    let mut options = BuildOptions::new(Target::Cuda);
    options.arch = Some(std::env::var("ARCH").unwrap_or_else(|_| "sm_90".to_owned()));
    options.jobs = 1;
    options.carried_libraries = true;
    options.cache = suite::build_folder().join("cache");
    build::build_runtime(
        &toolchain,
        &BuildOptions {
            jobs: suite::cores(),
            ..options.clone()
        },
    )
    .map_err(|e| e.to_string())?;

    let folder = suite::build_folder().join("gpu-suite");
    let bin = folder.join("bin");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&bin).map_err(|e| format!("{}: {e}", bin.display()))?;
    carry_libraries(&toolchain, &folder.join("lib"))?;
    let results = suite::for_all(&programs, suite::cores(), |p| {
        let toolchain = if p.needs("mpi") {
            mpi.as_ref().unwrap_or(&toolchain)
        } else {
            &toolchain
        };
        build_one(p, &bin, toolchain, &options)
    });
    let mut table = String::new();
    for (program, (outcome, _)) in programs.iter().zip(&results) {
        let state = match outcome {
            Outcome::Passed => "built",
            Outcome::Failed {
                step: "translate", ..
            } => "refused",
            _ => "broken",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "{} {state} {}",
            program.name,
            program.needs.join(",")
        );
    }
    let driver = suite::root().join("scripts/gpu-suite-run-all");
    let written = fs::write(folder.join("programs.txt"), table)
        .and_then(|()| fs::copy(&driver, folder.join("run-all")));
    written.map_err(|e| format!("{}: {e}", folder.display()))?;
    let summary = suite::summarise(&programs, &results, &Default::default(), false);
    print!("{}", summary.text);
    println!(
        "{} programs built into {}; run ./run-all there",
        summary.passed,
        folder.display()
    );
    Ok(ExitCode::SUCCESS)
}

fn build_one(
    program: &Program,
    bin: &Path,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Outcome {
    let executable = match program.build(&program.folder("gpu"), toolchain, options) {
        Ok(executable) => executable,
        Err(outcome) => return outcome,
    };
    match fs::copy(&executable, bin.join(program.name.replace('/', "__"))) {
        Ok(_) => Outcome::Passed,
        Err(error) => Outcome::failed("build", error.to_string()),
    }
}

/// Copies the shared libraries that the programs need and a machine without compilers may lack.
fn carry_libraries(toolchain: &Toolchain, folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = [
        "libgfortran.so.5",
        "libquadmath.so.0",
        "libstdc++.so.6",
        "libgcc_s.so.1",
        "libgomp.so.1",
    ];
    let from_compiler = names.iter().filter_map(|name| {
        let argument = format!("-print-file-name={name}");
        toolchain::output_of(&toolchain.fortran, &[&argument])
            .map(|text| PathBuf::from(text.trim()))
    });
    let runtime = toolchain.cuda.as_ref().and_then(|c| c.shared_runtime());
    for library in from_compiler.chain(runtime).filter(|p| p.is_absolute()) {
        let target = folder.join(library.file_name().unwrap_or_default());
        fs::copy(&library, &target).map_err(|e| format!("{}: {e}", library.display()))?;
    }
    Ok(())
}
