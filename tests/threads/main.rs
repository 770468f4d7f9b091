//! Random kernels whose threads communicate, computed by the translated device code and by a sequential version of the same
//! algorithm in standard Fortran; every value must be the same.
//!
//! Variables: `THREADS_PROGRAMS` how many programs (100), `THREADS_SEED` the seed of the first (each next program has the next seed),
//! `THREADS_BATCH` programs per source file, `THREADS_JOBS` batches at a time, `THREADS_OPTIMISE` the level of the device code,
//! `THREADS_REDUCE` failing programs to make smaller (2).
//! Arguments: `--show` prints the programs and stops, `--gpu` packs them for a GPU machine (scripts/gpu-threads), `--spoil` leaves
//! out a barrier of each program, to see that the test can fail.

mod batch;
mod generator;
#[path = "../random/run.rs"]
mod random;
mod reduce;
#[path = "../suite/mod.rs"]
mod suite;

use std::process::ExitCode;
use std::time::Instant;

use batch::Threads;
use random::{Extent, Runner, Test};

/// Failing programs that are made smaller.
const REDUCED: usize = 2;

fn main() -> ExitCode {
    match threads() {
        Ok(status) => status,
        Err(text) => {
            eprintln!("threads: {text}");
            ExitCode::FAILURE
        }
    }
}

fn threads() -> Result<ExitCode, String> {
    let extent = Extent::new::<Threads>(100, 50)?;
    if std::env::args().any(|a| a == "--show") {
        for n in 0..extent.count {
            show(&generator::generate((extent.first + n) as u64));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let runner = Runner::<Threads>::new()?;
    if std::env::args().any(|a| a == "--gpu") {
        let complete = random::carry_all(&runner, extent, generator::generate)?;
        return Ok(ExitCode::from(u8::from(!complete)));
    }
    let spoil = std::env::args().any(|a| a == "--spoil");
    let generate = |seed| {
        let case = generator::generate(seed);
        let spoilt = spoil.then(|| generator::without_barrier(&case)).flatten();
        spoilt.unwrap_or(case)
    };
    let results = random::run_all(&runner, extent, generate, |_, _| {});
    print!("{}", random::report::<Threads>(&results));
    let folder = suite::build_folder().join("threads/reduce");
    let reduced = match spoil {
        true => 0,
        false => random::number::<Threads>("REDUCE", REDUCED)?,
    };
    for failure in results.failures.iter().take(reduced) {
        let case = generator::generate(failure.seed);
        let small = reduce::reduce(&runner, &case, failure, &folder);
        println!("seed {} made smaller:", failure.seed);
        show(&small);
    }
    Ok(random::conclude(&results, start))
}

/// Prints the program with its sequential version.
fn show(case: &generator::ir::Case) {
    let sources = Threads::sources(std::slice::from_ref(case));
    for source in sources.device.iter().chain([&sources.plain]) {
        println!("! seed {}, {}\n{}", case.seed, source.name, source.text);
    }
}
