//! Builds every conformance program and sample for a GPU into build/gpu-suite/, with run-all that runs them there.
//!
//! With --sources only the Fortran is compiled here; build-all on the GPU machine compiles the device code with its nvcc
//! and links. That is much faster where that machine has many cores.
//! The variable ARCH names the architecture (sm_90); arguments, or GPU_SUITE, select programs by a part of the name.

mod suite;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use cuf2cu::driver::plan::Language;
use cuf2cu::driver::{BuildOptions, Project, Target, Toolchain, build, libraries, output};
use cuf2cu::translate::MemoryMode;
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
    let sources = std::env::args().any(|a| a == "--sources");
    let target = if sources { Target::Cpu } else { Target::Cuda };
    let toolchain = Toolchain::find(target, false).map_err(|e| e.to_string())?;
    let mpi = Toolchain::find(target, true).ok();
    let mut all = suite::programs();
    all.extend(suite::samples());
    let mut programs = suite::select(all, "GPU_SUITE");
    programs.retain(|p| p.expect == Expect::Pass);
    let options = if sources {
        suite::cpu_options()
    } else {
        BuildOptions {
            arch: Some(std::env::var("ARCH").unwrap_or_else(|_| "sm_90".to_owned())),
            jobs: 1,
            carried_libraries: true,
            cache: suite::build_folder().join("cache"),
            ..BuildOptions::new(target)
        }
    };
    build::build_runtime(
        &toolchain,
        &BuildOptions {
            jobs: suite::cores(),
            ..options.clone()
        },
        Default::default(),
    )
    .map_err(|e| e.to_string())?;

    let folder = suite::build_folder().join("gpu-suite");
    let bin = folder.join("bin");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&bin).map_err(|e| format!("{}: {e}", bin.display()))?;
    suite::carry_libraries(&toolchain, &folder.join("lib"), sources)?;
    if sources {
        output::write(&folder.join("runtime"), &output::whole_runtime(), true)
            .map_err(|e| e.to_string())?;
    }
    let results = suite::for_all(&programs, suite::cores(), |p| {
        let toolchain = if p.needs("mpi") {
            mpi.as_ref().unwrap_or(&toolchain)
        } else {
            &toolchain
        };
        if sources {
            let place = folder.join("programs").join(p.name.replace('/', "__"));
            carry_sources(p, &place, toolchain, &options)
        } else {
            build_one(p, &bin, toolchain, &options)
        }
    });
    let mut table = String::new();
    for (program, (outcome, _)) in programs.iter().zip(&results) {
        let state = match outcome {
            Outcome::Passed => "built",
            Outcome::Failed {
                step: "translate", ..
            } => "refused",
            Outcome::Skipped(_) => "skipped",
            Outcome::Failed { .. } => "broken",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "{} {state} {}",
            program.name,
            program.needs.join(",")
        );
    }
    let script = |name: &str| suite::root().join(format!("scripts/gpu-suite-{name}"));
    let written = fs::write(folder.join("programs.txt"), table)
        .and_then(|()| fs::copy(script("run-all"), folder.join("run-all")))
        .and_then(|_| match sources {
            true => fs::copy(script("build-all"), folder.join("build-all")),
            false => Ok(0),
        });
    written.map_err(|e| format!("{}: {e}", folder.display()))?;
    let summary = suite::report::summarise(&programs, &results, &Default::default(), false);
    print!("{}", summary.text);
    println!(
        "{} programs prepared in {}; run there: (./build-all;) ./run-all",
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

/// Puts objects of the Fortran and the text of everything else into `place`.
fn carry_sources(
    program: &Program,
    place: &Path,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Outcome {
    if program.needs("mpi") {
        return Outcome::Skipped("needs the MPI compilers on the GPU machine".to_owned());
    }
    let folder = program.folder("conformance");
    let out = folder.join("out");
    let package = match program.generate(&out) {
        Ok(package) => package,
        Err(outcome) => return outcome,
    };
    let project = Project {
        plan: &package.plan,
        source: &out,
        build: &folder.join("obj"),
    };
    let options = match program.options(options) {
        Ok(options) => BuildOptions {
            // The device code is compiled there without checks.
            checks: Default::default(),
            ..options
        },
        Err(outcome) => return outcome,
    };
    let objects = match build::compile_fortran(project, toolchain, &options) {
        Ok(objects) => objects,
        Err(error) => return Outcome::failed("build", error.to_string()),
    };
    let copy = || -> std::io::Result<()> {
        fs::create_dir_all(place)?;
        for (index, object) in objects.iter().enumerate() {
            fs::copy(object, place.join(format!("host{index}.o")))?;
        }
        let mut libraries = libraries::of_toolkit(&package.plan.libraries);
        libraries.extend(options.libraries.iter().map(String::as_str));
        if !libraries.is_empty() {
            fs::write(place.join("libraries"), libraries.join("\n") + "\n")?;
        }
        // What the runtime adds to a library, for either target: of modules that are used, of C functions that the program binds to.
        let glue = package.plan.units.iter().filter(|u| {
            let folder = Path::new("cuf/host/libraries");
            u.runtime && u.language != Language::Fortran && u.source.starts_with(folder)
        });
        for (i, unit) in glue.enumerate() {
            let name = unit.source.strip_prefix("cuf").unwrap_or(&unit.source);
            let text = format!("#include \"{}\"\n", name.display());
            fs::write(place.join(format!("library{i}.cu")), text)?;
        }
        let mode = match package.plan.dialect.memory {
            MemoryMode::Separate => None,
            MemoryMode::Managed => Some("host/managed.cpp"),
            MemoryMode::Unified => Some("host/unified.cpp"),
        };
        if let Some(file) = mode {
            fs::write(
                place.join("memory_mode.cu"),
                format!("#include \"{file}\"\n"),
            )?;
        }
        for (path, contents) in &package.files {
            let is_fortran = path.extension().is_some_and(|e| e == "f90");
            let target = place.join(path);
            fs::create_dir_all(target.parent().unwrap_or(place))?;
            if !is_fortran {
                fs::write(target, contents)?;
            }
        }
        Ok(())
    };
    match copy() {
        Ok(()) => Outcome::Passed,
        Err(error) => Outcome::failed("build", error.to_string()),
    }
}
