//! Compiles the device code of every conformance program that translates, with nvcc and without a GPU.
//!
//! Arguments, or the variable NVCC, select programs by a part of the name. Programs that do not translate are
//! the business of the conformance suite and are skipped here.

mod suite;

use std::process::ExitCode;

use cuf2cu::driver::{BuildOptions, Project, Target, Toolchain, build, toolchain};
use suite::{Expect, Outcome, Program};

fn main() -> ExitCode {
    if toolchain::find_cuda().is_none() {
        println!("skipped: nvcc was not found (make test installs it)");
        println!("test result: ok. 0 passed; 0 failed (nvcc)");
        return ExitCode::SUCCESS;
    }
    let toolchain = match Toolchain::find(Target::Cuda, false) {
        Ok(toolchain) => toolchain,
        Err(error) => {
            eprintln!("nvcc: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut all = suite::programs();
    all.extend(suite::samples());
    let mut programs = suite::select(all, "NVCC");
    programs.retain(|p| p.expect == Expect::Pass);
    let mut options = BuildOptions::new(Target::Cuda);
    options.jobs = 1;
    // The least work that still runs every phase of the compiler.
    options.optimise = "0".to_owned();
    options.arch = Some("sm_90".to_owned());
    options.nvccflags = ["-Xcicc", "-O1", "-Xptxas", "-O0"]
        .map(str::to_owned)
        .to_vec();
    options.cache = suite::build_folder().join("cache");
    let results = suite::for_all(&programs, suite::cores(), |p| {
        check(p, &toolchain, &options)
    });
    let expected =
        suite::expected_failures(&suite::root().join("tests/expected-failures-nvcc.txt"));
    let summary = suite::summarise(&programs, &results, &expected, programs.len() <= 10);
    print!("{}", summary.text);
    let word = if summary.failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {} failed (nvcc)",
        summary.passed, summary.failed
    );
    ExitCode::from(u8::from(summary.failed > 0))
}

fn check(program: &Program, toolchain: &Toolchain, options: &BuildOptions) -> Outcome {
    let folder = program.folder("nvcc");
    let out = folder.join("out");
    let package = match program.generate(&out) {
        Ok(package) => package,
        Err(_) => {
            return Outcome::Skipped(
                "does not translate yet (see the conformance suite)".to_owned(),
            );
        }
    };
    let project = Project {
        plan: &package.plan,
        source: &out,
        build: &folder.join("obj"),
    };
    match build::compile_device_sources(project, toolchain, options) {
        Ok(()) => Outcome::Passed,
        Err(error) => Outcome::failed("build", error.to_string()),
    }
}
