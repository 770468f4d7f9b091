//! Runs every program of tests/conformance/ and samples/ on the cpu target, end to end.
//!
//! Arguments, or the variable CONFORMANCE, select programs by a part of the name. `--accept` rewrites
//! tests/expected-failures.txt from the result. `CONFORMANCE_OPTIMISE=2` builds as users do, at that level (1 without it) and with
//! the compiler's own linker. `CONFORMANCE_FLAGS=--mem=managed` translates every program with these flags besides its own, and
//! `CONFORMANCE_EXPECTED=FILE` is another list of expected failures, and of what is not run. The whole report is in build/conformance-report.txt.
//! With `CUF2CU_FC=flang-22` that is the compiler of the host code, tests/expected-failures-flang.txt the list, build/conformance-flang the folder.
//! `CONFORMANCE_PROGRAMS=FOLDER` has other programs, in folders as tests/conformance/ has them.
//! `CONFORMANCE_FORTRAN=1` translates the programs and compiles their Fortran, and runs none.

mod suite;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cuf2cu::driver::family::Family;
use cuf2cu::driver::libraries::package_flags;
use cuf2cu::driver::{BuildOptions, Project, Target, Toolchain, build};
use cuf2cu::libraries;
use suite::warnings::{self, Warnings};
use suite::{Expect, Outcome, Program};

/// The usual way to run kernels, by one thread of the operating system.
const ONE_THREAD: &str = "loops";

/// Longer than any program takes, on a loaded machine.
const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let mut all = suite::programs();
    all.extend(suite::samples());
    let count = all.len();
    let programs = warnings::part(suite::select(all, "CONFORMANCE"));
    let accept = std::env::args().any(|a| a == "--accept");
    let toolchain = match Toolchain::find(Target::Cpu, false) {
        Ok(toolchain) => toolchain,
        Err(error) => {
            eprintln!("conformance: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut options = suite::cpu_options();
    match std::env::var("CONFORMANCE_OPTIMISE") {
        Ok(level) => options.optimise = level,
        Err(_) => suite::link_quickly(&mut options),
    }
    let prebuilt = build::build_runtime(
        &toolchain,
        &BuildOptions {
            jobs: suite::cores(),
            ..options.clone()
        },
        Default::default(),
    );
    if let Err(error) = prebuilt {
        eprintln!("conformance: the runtime does not build: {error}");
        return ExitCode::FAILURE;
    }
    let mpi = Toolchain::find(Target::Cpu, true)
        .ok()
        .filter(|_| which::which("mpirun").is_ok());
    let list = std::env::var("CONFORMANCE_EXPECTED");
    let (usual, _) = of_compiler(&toolchain);
    let list = suite::root().join(list.as_deref().unwrap_or(usual));
    let mut expected = suite::report::expected_failures(&list);
    if fortran_alone() {
        expected.clear();
    }
    let expected = expected;
    let told = Mutex::new(Warnings::new());
    let results = suite::for_all(&programs, suite::cores(), |p| match expected.get(&p.name) {
        Some(why) if why.starts_with("not run") => Outcome::Skipped(why.clone()),
        _ => check(p, &toolchain, mpi.as_ref(), &options, &told),
    });
    let told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
    for program in programs.iter().filter(|p| told.contains_key(&p.name)) {
        // What is compiled already gives no warnings the next time.
        let folder = program.folder(of_compiler(&toolchain).1);
        let _ = fs::remove_dir_all(folder.join("obj"));
    }
    let mut done: BTreeSet<String> = told.keys().cloned().collect();
    let passed = programs.iter().zip(&results);
    let passed = passed.filter(|(_, (outcome, _))| *outcome == Outcome::Passed);
    done.extend(passed.map(|(p, _)| p.name.clone()));
    done.retain(|name| toolchain.family == Family::Gnu && warnings::wanted(name));
    let warned = warnings::faults(
        &suite::root().join("tests/warnings.txt"),
        "cpu",
        &done,
        &told,
    );

    let few = programs.len() <= 10;
    let summary = suite::report::summarise(&programs, &results, &expected, few);
    print!("{}", summary.text);
    if programs.len() == count {
        let whole = suite::report::summarise(&programs, &results, &expected, true);
        let report = format!("{}-report.txt", of_compiler(&toolchain).1);
        let report = suite::build_folder().join(report);
        if let Err(error) = fs::write(&report, whole.text) {
            eprintln!("conformance: {}: {error}", report.display());
        }
    }
    if accept
        && let Err(error) = suite::report::write_expected(&list, &programs, &results, &expected)
    {
        eprintln!("conformance: {}: {error}", list.display());
    }
    let unknown = expected
        .keys()
        .filter(|name| programs.len() == count && !programs.iter().any(|p| p.name == **name));
    let unknown: Vec<&String> = unknown.collect();
    for text in &warned {
        println!("{text}");
    }
    for name in &unknown {
        println!("FAILED   {name} is in the list of expected failures but does not exist");
    }
    let failed = summary.failed + unknown.len() + warned.len();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed (cpu target)",
        summary.passed
    );
    ExitCode::from(u8::from(failed > 0 && !accept))
}

/// The list of expected failures with the compiler of the host code, and the suite's folder.
fn of_compiler(toolchain: &Toolchain) -> (&'static str, &'static str) {
    match toolchain.family {
        Family::Gnu => ("tests/expected-failures.txt", "conformance"),
        Family::Flang => ("tests/expected-failures-flang.txt", "conformance-flang"),
    }
}

fn fortran_alone() -> bool {
    std::env::var_os("CONFORMANCE_FORTRAN").is_some()
}

/// Translates a program and compiles its Fortran, to where the whole build looks for it.
fn compile_fortran(
    program: &Program,
    folder: &Path,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<(), Outcome> {
    let out = folder.join("out");
    let package = program.generate(&out)?;
    let project = Project {
        plan: &package.plan,
        source: &out,
        build: &folder.join("obj"),
    };
    build::compile_fortran(project, toolchain, &program.options(options)?)
        .map(|_| ())
        .map_err(|e| Outcome::failed("build", e.to_string()))
}

/// Warnings are compared as gfortran writes them.
fn warnings_wanted(program: &Program, toolchain: &Toolchain) -> bool {
    toolchain.family == Family::Gnu && warnings::wanted(&program.name)
}

/// What a program needs that the cpu target has not. The emulation has the features of compute capability 9.0.
fn missing(program: &Program, mpi: bool) -> Option<String> {
    let devices = ["gpu", "multi-gpu"];
    if let Some(need) = program.needs.iter().find(|n| devices.contains(&n.as_str())) {
        return Some(format!("needs {need}"));
    }
    let used = libraries::all().filter(|l| {
        program
            .needs
            .iter()
            .any(|n| l.module.starts_with(n.as_str()))
    });
    let packages = used.flat_map(|l| &l.cpu);
    if let Some(p) = packages.into_iter().find(|p| package_flags(p).is_none()) {
        return Some(format!("needs {p}, which is not installed"));
    }
    if program.needs("mpi") && !mpi {
        return Some("needs mpi, and mpifort or mpirun is not installed".to_owned());
    }
    None
}

fn check(
    program: &Program,
    toolchain: &Toolchain,
    mpi: Option<&Toolchain>,
    options: &BuildOptions,
    told: &Mutex<Warnings>,
) -> Outcome {
    if let Expect::Diagnostic { line, words } = &program.expect {
        return program.check_diagnostic(*line, words);
    }
    if let Some(reason) = missing(program, mpi.is_some()) {
        return Outcome::Skipped(reason);
    }
    let folder = program.folder(of_compiler(toolchain).1);
    let toolchain = if program.needs("mpi") {
        mpi.unwrap_or(toolchain)
    } else {
        toolchain
    };
    let options = BuildOptions {
        warnings: warnings_wanted(program, toolchain),
        ..options.clone()
    };
    if fortran_alone() {
        return match compile_fortran(program, &folder, toolchain, &options) {
            Ok(()) => Outcome::Passed,
            Err(outcome) => outcome,
        };
    }
    let (executable, output) = match program.build_and_hear(&folder, toolchain, &options) {
        Ok(built) => built,
        Err(outcome) => return outcome,
    };
    let ours = warnings::ours(&output);
    if options.warnings && !ours.is_empty() {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert(program.name.clone(), ours);
    }
    let command = || {
        if program.needs("mpi") {
            let mut command = Command::new("mpirun");
            command
                .args(["--allow-run-as-root", "--oversubscribe", "-np", "2"])
                .arg(&executable);
            command
        } else {
            Command::new(&executable)
        }
    };
    // Host code that touches device memory fails here as it does with a GPU.
    let run = |arguments: &[&str], execution: &str| {
        let mut command = command();
        command
            .env("CUF2CU_GUARD", "1")
            .env("CUF_CPU_EXECUTION", execution)
            .args(arguments);
        if execution == ONE_THREAD {
            command.env("CUF_CPU_THREADS", "1");
        }
        suite::run(&mut command, &folder, LIMIT)
    };
    if let Expect::Stops(faults) = &program.expect {
        let runs: Result<Vec<_>, _> = faults.iter().map(|f| run(&[&f.name], "")).collect();
        return match runs {
            Ok(runs) => suite::faults::judge(faults, &runs),
            Err(error) => Outcome::failed("run", error.to_string()),
        };
    }
    let judged = |execution: &str| match run(&[], execution) {
        Ok(run) => program.judge(&run),
        Err(error) => Outcome::failed("run", format!("{execution}: {error}")),
    };
    let outcome = judged("");
    // The other ways to run kernels: all programs as users build them, else every eighth.
    let number = program.name.bytes().map(usize::from).sum::<usize>();
    let all = std::env::var_os("CONFORMANCE_OPTIMISE").is_some();
    let others = match all || number.is_multiple_of(8) {
        true => &["fibers", "loops"][..],
        false => &[],
    };
    // Blocks that wait for each other, also where one processor has them all.
    let alone = program.needs("cc70").then_some(&ONE_THREAD);
    let outcome = (others.iter().chain(alone)).fold(outcome, |outcome, other| match outcome {
        Outcome::Passed => judged(other),
        failed => failed,
    });
    // All of them would take two gigabytes, and each is linked from its objects in no time.
    if outcome == Outcome::Passed {
        let _ = fs::remove_file(&executable);
    }
    outcome
}
