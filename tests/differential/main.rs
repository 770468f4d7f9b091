//! Differential test: random programs computed by the translated device code and by gfortran must agree.
//!
//! Integers, logicals and characters agree bit by bit, results of + - * / and sqrt within 2 ulp, mathematical functions within 4 ulp.
//! Variables: `DIFF_PROGRAMS` how many programs (2,000), `DIFF_SEED` the seed of the first (each next program has the next seed),
//! `DIFF_BATCH` programs per source file, `DIFF_JOBS` batches at a time, `DIFF_OPTIMISE` the level of the device code, `DIFF_REDUCE` failing programs to make smaller (3).
//! Arguments: `--show` prints the programs and stops, `--gpu` packs them for a GPU machine (scripts/gpu-differential).
//!
//! One program again: `DIFF_SEED=n DIFF_PROGRAMS=1 cargo test --test differential`. Many, with progress and the table:
//! `DIFF_PROGRAMS=50000 DIFF_SEED=1000000 cargo test --release --test differential`.

mod batch;
mod generator;
mod reduce;
mod run;
#[path = "../suite/mod.rs"]
mod suite;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use generator::program::{Program, Side};
use run::{Results, Runner};

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

fn number(variable: &str, default: usize) -> Result<usize, String> {
    match std::env::var(variable) {
        Ok(text) => text
            .replace('_', "")
            .parse()
            .map_err(|_| format!("{variable}={text} is no number")),
        Err(_) => Ok(default),
    }
}

fn differential() -> Result<ExitCode, String> {
    let count = number("DIFF_PROGRAMS", 2000)?;
    let first = number("DIFF_SEED", 1)?;
    let size = number("DIFF_BATCH", 250)?.max(1);
    let jobs = number("DIFF_JOBS", suite::cores())?;
    let programs = |batch: usize| -> Vec<Program> {
        let last = count.min((batch + 1) * size);
        (batch * size..last)
            .map(|n| generator::generate((first + n) as u64))
            .collect()
    };
    let batches = count.div_ceil(size);
    if std::env::args().any(|a| a == "--show") {
        for program in (0..batches).flat_map(programs) {
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
    let runner = Runner::new()?;
    let folder = suite::build_folder().join("differential");
    if std::env::args().any(|a| a == "--gpu") {
        return carry(&runner, batches, jobs, &programs);
    }
    let progress = |done: usize, sum: &Results| {
        if count > 5000 && done.is_multiple_of(8) {
            println!(
                "{} of {count} programs after {:.0} s\n{}",
                done * size,
                start.elapsed().as_secs_f64(),
                report(sum)
            );
        }
    };
    let work = |batch: usize| {
        let place = folder.join(format!("{first}/batch{batch}"));
        let results = runner.run(&programs(batch), &place);
        if results.failures.is_empty() {
            let _ = fs::remove_dir_all(&place);
        }
        results
    };
    let mut results = run::parallel(batches, jobs, work, progress);
    results.failures.sort_by_key(|f| f.seed);
    println!("{}", report(&results));
    for failure in results
        .failures
        .iter()
        .take(number("DIFF_REDUCE", REDUCED)?)
    {
        let program = generator::generate(failure.seed);
        let small = reduce::reduce(
            &runner,
            &program,
            failure,
            &folder.join(format!("{first}/reduce")),
        );
        println!(
            "seed {} made smaller:\n{}\n",
            failure.seed,
            small.print(Side::Device, 1, batch::INSTANCES).join("\n")
        );
    }
    let failed = results.failures.len();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed ({:.0} s)",
        results.run.saturating_sub(failed),
        start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// The failures, the refusals by message, and the table of results.
fn report(results: &Results) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for failure in results.failures.iter().take(60) {
        let detail: Vec<String> = failure
            .detail
            .lines()
            .take(3)
            .map(|l| l.chars().take(300).collect())
            .collect();
        let _ = writeln!(
            text,
            "FAILED {} (DIFF_SEED={}): {}",
            failure.step,
            failure.seed,
            detail.join("\n  ")
        );
    }
    for (word, list) in [("refused", &results.refused), ("invalid", &results.invalid)] {
        let mut kinds: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
        for failure in list {
            let first = failure.detail.lines().next().unwrap_or_default();
            let entry = kinds.entry(first).or_insert((0, failure.seed));
            entry.0 += 1;
        }
        for (detail, (count, seed)) in kinds {
            let _ = writeln!(text, "{word}: {count} x {detail} (seed {seed})");
        }
    }
    let _ = writeln!(
        text,
        "{} programs run, {} refused by the translator, {} by gfortran",
        results.run,
        results.refused.len(),
        results.invalid.len()
    );
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

/// Writes build/gpu-differential/: Fortran objects and device sources per batch, with the scripts that build and run them there.
fn carry(
    runner: &Runner,
    batches: usize,
    jobs: usize,
    programs: &(impl Fn(usize) -> Vec<Program> + Sync),
) -> Result<ExitCode, String> {
    let folder = suite::build_folder().join("gpu-differential");
    let _ = fs::remove_dir_all(&folder);
    suite::carry_libraries(runner.toolchain(), &folder.join("lib"), true)?;
    let runtime = cuf2cu::driver::output::runtime_files();
    cuf2cu::driver::output::write(&folder.join("runtime"), &runtime, true)
        .map_err(|e| e.to_string())?;
    for name in ["build-all", "run-all"] {
        let script = suite::root().join(format!("scripts/gpu-differential-{name}"));
        fs::copy(&script, folder.join(name)).map_err(|e| format!("{}: {e}", script.display()))?;
    }
    let work = |batch: usize| {
        let programs = programs(batch);
        let seed = programs.first().map_or(0, |p| p.seed);
        let mut results = Results::default();
        let work = folder.with_extension("work").join(batch.to_string());
        let _ = fs::remove_dir_all(&work);
        match runner.carry(programs, &work, &folder.join(format!("batches/{batch}"))) {
            Ok(count) => results.run = count,
            Err(detail) => results.failures.push(run::Failure {
                seed,
                step: "build",
                detail,
            }),
        }
        results
    };
    let results = run::parallel(batches, jobs, work, |_, _| {});
    for failure in &results.failures {
        eprintln!(
            "not prepared: the batch of seed {}: {}",
            failure.seed, failure.detail
        );
    }
    println!(
        "{} programs in {batches} batches prepared in {}",
        results.run,
        folder.display()
    );
    Ok(ExitCode::from(u8::from(!results.failures.is_empty())))
}
