//! Random OpenACC programs, translated, beside the same programs compiled by the Fortran compiler, for which the directives are comments;
//! every value must be the same.
//!
//! Variables: `OPENACC_PROGRAMS` how many programs (100), `OPENACC_SEED` the seed of the first (each next program has the next seed),
//! `OPENACC_BATCH` programs per source file, `OPENACC_JOBS` batches at a time, `OPENACC_OPTIMISE` the level of the device code,
//! `OPENACC_REDUCE` failing programs to make smaller (2).
//! Arguments: `--show` prints the programs and stops, `--gpu` packs them for a GPU machine (scripts/gpu-openacc).

mod batch;
mod generator;
#[path = "../random/numbers.rs"]
mod numbers;
#[path = "../random/run.rs"]
mod random;
#[path = "../suite/mod.rs"]
mod suite;

use std::process::ExitCode;
use std::time::Instant;

use batch::OpenAcc;
use generator::ir::Case;
use random::{Extent, Failure, Runner, Test};

/// Failing programs that are made smaller.
const REDUCED: usize = 2;
/// Programs tried in one build while looking for a smaller one that still fails.
const TOGETHER: usize = 16;

fn main() -> ExitCode {
    match openacc() {
        Ok(status) => status,
        Err(text) => {
            eprintln!("openacc: {text}");
            ExitCode::FAILURE
        }
    }
}

fn openacc() -> Result<ExitCode, String> {
    let extent = Extent::new::<OpenAcc>(100, 25)?;
    if std::env::args().any(|a| a == "--show") {
        for n in 0..extent.count {
            show(&generator::generate((extent.first + n) as u64));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let runner = Runner::<OpenAcc>::new()?;
    if std::env::args().any(|a| a == "--gpu") {
        let complete = random::carry_all(&runner, extent, generator::generate)?;
        return Ok(ExitCode::from(u8::from(!complete)));
    }
    let results = random::run_all(&runner, extent, generator::generate, |_, _| {});
    print!("{}", random::report::<OpenAcc>(&results));
    let wanted = random::number::<OpenAcc>("REDUCE", REDUCED)?;
    for failure in results.failures.iter().take(wanted) {
        let small = reduce(&runner, failure);
        println!("seed {} made smaller:", failure.seed);
        show(&small);
    }
    Ok(random::conclude(&results, start))
}

/// The smallest program found that fails in the same step.
fn reduce(runner: &Runner<OpenAcc>, failure: &Failure) -> Case {
    let folder = suite::build_folder().join("openacc/reduce");
    let mut best = generator::generate(failure.seed);
    // Every round removes something, so that this ends. The number tells the candidates apart in the results.
    'rounds: for _ in 0..60 {
        let mut candidates = generator::smaller(&best);
        for (index, candidate) in candidates.iter_mut().enumerate() {
            candidate.number = index as u64;
        }
        for group in candidates.chunks(TOGETHER) {
            let results = runner.run(group, &folder);
            let failures = results.failures.iter();
            let same = failures.filter(|f| f.step == failure.step);
            if let Some(found) = same.map(|f| f.seed).min()
                && let Some(found) = candidates.get(found as usize)
            {
                best = found.clone();
                continue 'rounds;
            }
        }
        break;
    }
    best.number = failure.seed;
    best
}

/// Prints the program.
fn show(case: &Case) {
    let sources = OpenAcc::sources(std::slice::from_ref(case));
    for source in &sources.device {
        println!("! seed {}, {}\n{}", case.seed, source.name, source.text);
    }
}
