//! Life of data: random host programs with components and variables in device, managed and pinned memory must print what gfortran
//! prints for the same source without the attributes, and leave no memory behind.
//!
//! Variables: `OWNERS_PROGRAMS` how many programs (100), `OWNERS_SEED` the seed of the first (each next program has the next
//! seed), `OWNERS_BATCH` programs per source file, `OWNERS_JOBS` batches at a time, `OWNERS_REDUCE` failing programs to make
//! smaller. Arguments: `--show` prints the programs and stops, `--plain` as plain Fortran; `--sound` runs each reference with the
//! sanitisers of gfortran instead of comparing; `--address` compiles the translated programs with its check of addresses.
//!
//! One program again: `OWNERS_SEED=n OWNERS_PROGRAMS=1 OWNERS_REDUCE=1 cargo test --test owners`.

#[path = "../random/batches.rs"]
mod batches;
mod data;
mod finals;
mod places;
mod program;
#[path = "../random/numbers.rs"]
mod random;
mod reduce;
mod run;
mod statements;
#[path = "../suite/mod.rs"]
mod suite;
mod temporaries;
#[path = "../random/tree.rs"]
mod tree;
mod types;

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use batches::{Failure, parallel, variable};
use program::Program;
use run::{Results, Runner};
use tree::Side;

fn main() -> ExitCode {
    match owners() {
        Ok(status) => status,
        Err(text) => {
            eprintln!("owners: {text}");
            ExitCode::FAILURE
        }
    }
}

fn owners() -> Result<ExitCode, String> {
    let count = variable("OWNERS_PROGRAMS", 100)?;
    let first = variable("OWNERS_SEED", 1)?;
    let size = variable("OWNERS_BATCH", 50)?.max(1);
    let jobs = variable("OWNERS_JOBS", suite::cores())?;
    let given = |word: &str| std::env::args().any(|a| a == word);
    if given("--show") {
        let side = if given("--plain") {
            Side::Plain
        } else {
            Side::Device
        };
        let programs: Vec<Program> = (first..first + count)
            .map(|s| program::generate(s as u64))
            .collect();
        println!("{}", run::source(&programs, side).0);
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let runner = Runner::new(given("--address"))?;
    let folder = suite::build_folder().join(format!("owners/{first}"));
    let sound = given("--sound");
    let work = |batch: usize| {
        let last = count.min((batch + 1) * size);
        let programs: Vec<Program> = (batch * size..last)
            .map(|n| program::generate((first + n) as u64))
            .collect();
        let place = folder.join(format!("batch{batch}"));
        let results = if sound {
            runner.sound(&programs, &place)
        } else {
            runner.run(&programs, &place)
        };
        if results.failures.is_empty() {
            let _ = fs::remove_dir_all(&place);
        }
        results
    };
    let batches = count.div_ceil(size);
    let progress = |done: usize, sum: &Results| {
        if count > 2000 && done.is_multiple_of(20) {
            println!(
                "{} of {count} programs after {:.0} s, {} failed",
                done * size,
                start.elapsed().as_secs_f64(),
                sum.failures.len()
            );
        }
    };
    let mut results = parallel(batches, jobs, work, Results::add, progress);
    results.failures.sort_by_key(|f| f.seed);
    report(&results);
    let all = results
        .failures
        .iter()
        .chain(&results.invalid)
        .chain(&results.refused);
    for failure in all.take(variable("OWNERS_REDUCE", 0)?) {
        let whole = program::generate(failure.seed);
        let small = reduce::reduce(&runner, &whole, failure, &folder.join("reduce"));
        println!(
            "seed {} ({}) made smaller:\n{}",
            failure.seed,
            failure.step,
            small.print(Side::Device)
        );
    }
    let failed = results.failures.len() + results.invalid.len();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed ({:.0} s)",
        results.run - results.failures.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// The failures, one of each kind with its detail.
fn report(results: &Results) {
    let lists = [
        ("FAILED", &results.failures),
        ("invalid", &results.invalid),
        ("refused", &results.refused),
    ];
    for (word, list) in lists {
        let mut kinds: BTreeMap<(&str, String), Vec<&Failure>> = BTreeMap::new();
        for f in list {
            let kind = if f.step == "output" {
                String::new()
            } else {
                reduce::kind(&f.detail)
            };
            kinds.entry((f.step, kind)).or_default().push(f);
        }
        for ((step, kind), failures) in kinds {
            let seeds: Vec<String> = failures.iter().map(|f| f.seed.to_string()).collect();
            println!(
                "{word} {step}: {} x {kind} (OWNERS_SEED={})",
                seeds.len(),
                seeds.join(", ")
            );
            for line in failures[0].detail.lines().take(8) {
                println!("    {}", line.chars().take(200).collect::<String>());
            }
        }
    }
    println!(
        "{} programs run, {} lines of output compared, {} refused by the translator, {} without a reference, {} whose reference prints memory without a value, {} whose reference keeps memory, {} that gfortran breaks off at",
        results.run,
        results.lines,
        results.refused.len(),
        results.invalid.len(),
        results.unset,
        results.unclean,
        results.broken
    );
}
