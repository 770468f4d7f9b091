//! Differential test: random programs computed by the translated device code and by gfortran must agree.
//!
//! Integers, logicals and characters agree bit by bit, results of + - * / and sqrt within 2 ulp, mathematical functions within 4 ulp.
//! Variables: `DIFF_PROGRAMS` how many programs (400), `DIFF_SEED` the seed of the first (each next program has the next seed),
//! `DIFF_BATCH` programs per source file, `DIFF_JOBS` batches at a time, `DIFF_OPTIMISE` the level of the device code, `DIFF_REDUCE` failing programs to make smaller (3).
//! Arguments: `--show` prints the programs and stops, `--gpu` packs them for a GPU machine (scripts/gpu-differential).
//!
//! One program again: `DIFF_SEED=n DIFF_PROGRAMS=1 cargo test --test differential`. Many, with progress and the table:
//! `DIFF_PROGRAMS=50000 DIFF_SEED=1000000 cargo test --release --test differential`.

mod batch;
mod generator;
#[path = "../random/run.rs"]
mod random;
mod reduce;
#[path = "../suite/mod.rs"]
mod suite;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use batch::Differential;
use generator::program::Side;
use random::{Extent, Results, Runner};

/// Failing programs that are made smaller.
const REDUCED: usize = 3;

fn main() -> ExitCode {
    match differential() {
        Ok(status) => status,
        Err(text) => {
            eprintln!("differential: {text}");
            ExitCode::FAILURE
        }
    }
}

fn differential() -> Result<ExitCode, String> {
    let extent = Extent::new::<Differential>(400, 200)?;
    if std::env::args().any(|a| a == "--show") {
        for n in 0..extent.count {
            let program = generator::generate((extent.first + n) as u64);
            println!(
                "! seed {}\n{}\n",
                program.seed,
                program
                    .tidied()
                    .print(Side::Device, 1, batch::INSTANCES)
                    .join("\n")
            );
        }
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let runner = Runner::<Differential>::new()?;
    if std::env::args().any(|a| a == "--gpu") {
        let complete = random::carry_all(&runner, extent, generator::generate)?;
        return Ok(ExitCode::from(u8::from(!complete)));
    }
    let progress = |done: usize, sum: &Results| {
        if extent.count > 5000 && done.is_multiple_of(8) {
            println!(
                "{} of {} programs after {:.0} s\n{}",
                done * extent.size,
                extent.count,
                start.elapsed().as_secs_f64(),
                report(sum)
            );
        }
    };
    let results = random::run_all(&runner, extent, generator::generate, progress);
    println!("{}", report(&results));
    let folder = suite::build_folder().join("differential/reduce");
    let reduced = random::number::<Differential>("REDUCE", REDUCED)?;
    for failure in results.failures.iter().take(reduced) {
        let program = generator::generate(failure.seed);
        let small = reduce::reduce(&runner, &program, failure, &folder);
        println!(
            "seed {} made smaller:\n{}\n",
            failure.seed,
            small.print(Side::Device, 1, batch::INSTANCES).join("\n")
        );
    }
    Ok(random::conclude(&results, start))
}

/// The failures, the refusals by message, and the table of results.
fn report(results: &Results) -> String {
    let mut text = random::report::<Differential>(results);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "kind  programs       values  mismatches  excused  max ulp"
    );
    for (name, row) in &results.table {
        let _ = writeln!(
            text,
            "{name:<4} {:>9} {:>12} {:>11} {:>8} {:>8.2}",
            row.programs, row.compared, row.mismatches, row.excused, row.worst
        );
    }
    text
}
