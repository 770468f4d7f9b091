//! What cuf2cu accepts, the compilers accept: random declarations and statements, translated without an error, must compile with
//! gfortran and g++, and with nvcc. Nothing is run. Random statements that are no Fortran, or that cuf2cu refuses, are taken away first.
//!
//! Variables: `NET_PROGRAMS` how many programs (10), `NET_SEED` the seed of the first (each next program has the next seed),
//! `NET_BATCH` programs that are compiled together, `NET_JOBS` batches at a time, `NET_NVCC` each how many batches nvcc compiles
//! one (0: none), `NET_MODE` which of the options in `MODES` for all instead of those of each batch, `NET_REDUCE` failing programs
//! to make smaller, `NET_TRANSLATE` to translate only and leave the files below build/net. Argument: `--show` prints the programs
//! and stops.
//!
//! One program again: `NET_SEED=n NET_PROGRAMS=1 NET_REDUCE=1 cargo test --test net`.

#[path = "../random/batches.rs"]
mod batches;
mod device;
mod layout;
mod model;
mod program;
#[path = "../random/numbers.rs"]
mod random;
mod run;
mod special;
mod statements;
#[path = "../suite/mod.rs"]
mod suite;
#[path = "../random/tree.rs"]
mod tree;

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use batches::{Failure, parallel, variable};
use program::{MODES, Program, generate};
use run::{Results, Runner};

/// Programs of a batch.
const SIZE: usize = 25;

fn main() -> ExitCode {
    match net() {
        Ok(status) => status,
        Err(text) => {
            eprintln!("net: {text}");
            ExitCode::FAILURE
        }
    }
}

fn net() -> Result<ExitCode, String> {
    let count = variable("NET_PROGRAMS", 10)?;
    let first = variable("NET_SEED", 1)?;
    let size = variable("NET_BATCH", SIZE)?.max(1);
    let jobs = variable("NET_JOBS", suite::cores())?;
    let nvcc = variable("NET_NVCC", 0)?;
    if std::env::args().any(|a| a == "--show") {
        let programs: Vec<Program> = (first..first + count).map(program).collect();
        show(&programs);
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let runner = Runner::new(nvcc > 0)?;
    let folder = suite::build_folder().join(format!("net/{first}"));
    let work = |batch: usize| {
        let last = count.min((batch + 1) * size);
        let programs: Vec<Program> = (batch * size..last).map(|n| program(first + n)).collect();
        let place = folder.join(format!("batch{batch}"));
        let results = runner.run(&programs, &place, nvcc > 0 && batch.is_multiple_of(nvcc));
        if results.failures.is_empty() && std::env::var_os("NET_TRANSLATE").is_none() {
            let _ = fs::remove_dir_all(&place);
        }
        results
    };
    let progress = |done: usize, sum: &Results| {
        if count > 200 {
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{} of {count} programs after {seconds:.0} s, {} failed",
                done * size,
                sum.failures.len()
            );
        }
    };
    let mut results = parallel(count.div_ceil(size), jobs, work, Results::add, progress);
    results.failures.sort_by_key(|f| f.seed);
    report(&results);
    for failure in results.failures.iter().take(variable("NET_REDUCE", 0)?) {
        let small = runner.reduce(
            &program(failure.seed as usize),
            failure,
            &folder.join("reduce"),
        );
        println!("seed {} ({}) made smaller:", failure.seed, failure.step);
        show(&[small]);
    }
    let failed = results.failures.len();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed ({:.0} s)",
        results.run,
        start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// The program of a seed, in the mode of its batch of usual size or that of `NET_MODE`.
fn program(seed: usize) -> Program {
    let usual = seed.saturating_sub(1) / SIZE % MODES.len();
    let mode = variable("NET_MODE", usual).unwrap_or(usual) % MODES.len();
    Program {
        mode,
        ..generate(seed as u64)
    }
}

fn show(programs: &[Program]) {
    for (name, lines) in run::sources(programs) {
        println!("! {name}");
        for line in lines {
            println!("{}", line.text);
        }
    }
}

/// The failures, one of each kind with its detail, and what was refused.
fn report(results: &Results) {
    let lists = [
        ("FAILED", &results.failures),
        ("refused", &results.refused),
        ("broken", &results.broken),
    ];
    for (word, list) in lists {
        let mut kinds: BTreeMap<(&str, String), Vec<&Failure>> = BTreeMap::new();
        for f in list {
            kinds
                .entry((f.step, run::kind(&f.detail)))
                .or_default()
                .push(f);
        }
        for ((step, kind), failures) in kinds {
            let seeds: Vec<String> = failures.iter().map(|f| f.seed.to_string()).collect();
            println!(
                "{word} {step}: {} x {kind} (NET_SEED={})",
                seeds.len(),
                seeds.join(", ")
            );
            let lines = if word == "FAILED" { 12 } else { 3 };
            for line in failures[0].detail.lines().take(lines) {
                println!("    {}", line.chars().take(200).collect::<String>());
            }
        }
    }
    let codes: Vec<String> = results
        .dropped
        .iter()
        .map(|(code, n)| format!("{code} {n}"))
        .collect();
    println!(
        "{} programs compiled ({} of them by nvcc, too), {} lines; {} as generated, {} without statements that are refused: {}; {} statements that are no Fortran; {} programs refused, {} that gfortran breaks off at",
        results.run,
        results.nvcc,
        results.lines,
        results.untouched,
        results.run.saturating_sub(results.untouched),
        codes.join(", "),
        results.no_fortran,
        results.refused.len(),
        results.broken.len()
    );
}
