//! Transfers of unusual host objects: random programs that assign polymorphic arrays and components, parameterised types, characters,
//! all kinds of the host, sections, pointers and associate names to device data and back must print what gfortran prints for the same
//! source without the attribute.
//!
//! Variables: `TRANSFERS_PROGRAMS` how many programs (100), `TRANSFERS_SEED` the seed of the first (each next program has the next
//! seed), `TRANSFERS_BATCH` programs per source file, `TRANSFERS_JOBS` batches at a time, `TRANSFERS_REDUCE` failing programs to make
//! smaller. `CUF2CU_FC=flang-22`: that compiles both sides, without scenes that it lacks. Arguments: `--show` prints the programs and stops, `--plain` as plain Fortran.

#[path = "../random/batches.rs"]
mod batches;
mod places;
mod program;
#[path = "../random/numbers.rs"]
mod random;
mod run;
mod scenes;
#[path = "../suite/mod.rs"]
mod suite;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use batches::{Failure, parallel, variable};
use program::{Program, Side, generate};
use run::{Results, Runner};

fn main() -> ExitCode {
    match transfers() {
        Ok(status) => status,
        Err(text) => {
            eprintln!("transfers: {text}");
            ExitCode::FAILURE
        }
    }
}

fn transfers() -> Result<ExitCode, String> {
    let count = variable("TRANSFERS_PROGRAMS", 100)?;
    let first = variable("TRANSFERS_SEED", 1)?;
    let size = variable("TRANSFERS_BATCH", 25)?.max(1);
    let jobs = variable("TRANSFERS_JOBS", suite::cores())?;
    let given = |word: &str| std::env::args().any(|a| a == word);
    if given("--show") {
        let side = match given("--plain") {
            true => Side::Plain,
            false => Side::Device,
        };
        let programs: Vec<Program> = (first..first + count).map(|s| generate(s as u64)).collect();
        println!("{}", run::source(&programs, side).0);
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let runner = Runner::new()?;
    let folder = suite::build_folder().join(format!("transfers/{first}"));
    let work = |batch: usize| {
        let last = count.min((batch + 1) * size);
        let numbers = batch * size..last;
        let programs: Vec<Program> = numbers
            .map(|n| runner.program((first + n) as u64))
            .collect();
        let place = folder.join(format!("batch{batch}"));
        let results = runner.run(&programs, &place);
        if results.failures.is_empty() {
            let _ = fs::remove_dir_all(&place);
        }
        results
    };
    let progress = |done: usize, sum: &Results| {
        if count > 500 {
            let seconds = start.elapsed().as_secs_f64();
            let failed = sum.failures.len();
            println!(
                "{} of {count} programs after {seconds:.0} s, {failed} failed",
                done * size
            );
        }
    };
    let mut results = parallel(count.div_ceil(size), jobs, work, Results::add, progress);
    results.failures.sort_by_key(|f| f.seed);
    report(&results);
    let all = results.failures.iter().chain(&results.refused);
    for failure in all.take(variable("TRANSFERS_REDUCE", 0)?) {
        let small = reduce(&runner, failure, &folder.join("reduce"));
        println!(
            "seed {} ({}) made smaller:\n{}",
            failure.seed,
            failure.step,
            small.print(Side::Device)
        );
    }
    let failed = results.failures.len();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed ({:.0} s)",
        results.run - failed,
        start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// The program without the scenes and statements that the failure does not need.
fn reduce(runner: &Runner, failure: &Failure, folder: &Path) -> Program {
    let mut best = runner.program(failure.seed);
    let fails = |p: &Program| {
        let results = runner.run(std::slice::from_ref(p), folder);
        let all = results.failures.iter().chain(&results.refused);
        all.into_iter().any(|f| f.step == failure.step)
    };
    for n in (0..best.scenes.len()).rev() {
        let mut smaller = best.clone();
        smaller.scenes.remove(n);
        if fails(&smaller) {
            best = smaller;
        }
    }
    for scene in 0..best.scenes.len() {
        for n in (0..best.scenes[scene].statements.len()).rev() {
            let mut smaller = best.clone();
            smaller.scenes[scene].statements.remove(n);
            if fails(&smaller) {
                best = smaller;
            }
        }
    }
    best
}

/// The failures, one of each kind with its detail.
fn report(results: &Results) {
    let lists = [
        ("FAILED", &results.failures),
        ("refused", &results.refused),
        ("broken", &results.broken),
    ];
    for (word, list) in lists {
        let mut kinds: BTreeMap<(&str, &str), Vec<&Failure>> = BTreeMap::new();
        for f in list {
            let line = f.detail.lines().next().unwrap_or_default();
            let kind = if f.step == "output" { "" } else { line };
            kinds.entry((f.step, kind)).or_default().push(f);
        }
        for ((step, kind), failures) in kinds {
            let seeds: Vec<String> = failures.iter().map(|f| f.seed.to_string()).collect();
            println!(
                "{word} {step}: {} x {kind} (TRANSFERS_SEED={})",
                seeds.len(),
                seeds.join(", ")
            );
            for line in failures[0].detail.lines().take(8) {
                println!("    {}", line.chars().take(200).collect::<String>());
            }
        }
    }
    println!(
        "{} programs run, {} lines of output compared, {} refused by the translator, {} that the Fortran compiler breaks off at",
        results.run,
        results.lines,
        results.refused.len(),
        results.broken.len()
    );
}
