//! Macros: random projects with macros of the preprocessor, translated under one setting and built under others, must print what
//! gfortran prints for the same text and setting without the CUDA, or the build must stop with a message of cuf2cu.
//!
//! Variables: `MACRO_SETTINGS` how many settings (40: with the usual ones about two minutes of a processor), `MACRO_SETTINGS_SEED` the seed of the first project (each next project has
//! the next seed), `MACRO_SETTINGS_JOBS` projects at a time, `MACRO_SETTINGS_REDUCE` failing settings to make smaller,
//! `MACRO_SETTINGS_CUF2CU` another translator. Arguments: `--show` prints the project of the seed and stops; `--usual` runs the list
//! of usual settings alone; `--invalid` tells of settings that are refused or have no reference, too.
//!
//! One project again: `MACRO_SETTINGS_SEED=n MACRO_SETTINGS=1 MACRO_SETTINGS_REDUCE=1 cargo test --test macro_settings`.

#[path = "../random/batches.rs"]
mod batches;
mod expressions;
mod generate;
mod launcher;
mod macros;
mod project;
#[path = "../random/numbers.rs"]
mod random;
mod reduce;
mod run;
mod settings;
#[path = "../suite/mod.rs"]
mod suite;
mod usual;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use batches::{parallel, variable};
use project::Side;
use random::Random;
use run::{Build, Case, Finding, Runner, Verdict};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some((launcher::ARGUMENT, rest)) =
        words.split_first().map(|(w, rest)| (w.as_str(), rest))
    {
        return launcher::compile(rest).unwrap_or_else(|e| {
            eprintln!("macro_settings: {e}");
            ExitCode::FAILURE
        });
    }
    match macro_settings(&words) {
        Ok(status) => status,
        Err(text) => {
            eprintln!("macro_settings: {text}");
            ExitCode::FAILURE
        }
    }
}

/// Settings of a project.
const EACH: usize = 5;

/// The project of a seed with its settings.
fn case(seed: u64) -> Case {
    let (project, macros) = generate::generate(seed);
    let mut r = Random::new(seed ^ 0x5e77_1465);
    let r = &mut r;
    let used: Vec<macros::Macro> = macros
        .into_iter()
        .filter(|m| project.names(&m.name))
        .collect();
    let first = settings::choose(r, &used);
    let translation = settings::spell(r, &first, r.clone().chance(85), false);
    let mut builds = Vec::new();
    if r.chance(60) {
        builds.push(Build::Plain);
    } else {
        builds.push(Build::Macros(translation.clone()));
    }
    while builds.len() < EACH {
        let other = settings::change(r, &first, &used);
        let plain = r.chance(60);
        let text = settings::spell(r, &other, plain, true);
        builds.push(match r.below(24) {
            0 => Build::Flags(text),
            1 => Build::CMake(r.below(16) as u64),
            2 => {
                let sources = project.sources(Side::Cuda);
                let one = |_: &String| {
                    let other = settings::change(r, &first, &used);
                    settings::spell(r, &other, true, false)
                };
                Build::Files(sources.iter().map(one).collect())
            }
            _ => Build::Macros(text),
        });
    }
    Case {
        seed,
        project,
        translation,
        builds,
    }
}

fn macro_settings(words: &[String]) -> Result<ExitCode, String> {
    let count = variable("MACRO_SETTINGS", 40)?.div_ceil(EACH);
    let first = variable("MACRO_SETTINGS_SEED", 1)?;
    let jobs = variable("MACRO_SETTINGS_JOBS", suite::cores())?;
    let given = |word: &str| words.iter().any(|a| a == word);
    let folder = suite::build_folder().join("macro_settings");
    if given("--show") {
        return show(first as u64, &folder);
    }
    let start = Instant::now();
    let runner = Runner::new()?;
    let usual = usual::run(&runner, &folder.join("usual"), jobs);
    let count = if given("--usual") { 0 } else { count };
    let work = |index: usize| {
        let case = case((first + index) as u64);
        let place = folder.join(format!("seed{}", case.seed));
        let findings = runner.run(&case, &place);
        if findings
            .as_ref()
            .is_ok_and(|all| !all.iter().any(|f| f.verdict.is_failure()))
        {
            let _ = fs::remove_dir_all(&place);
        }
        vec![findings]
    };
    let progress = |done: usize, sum: &Vec<Result<Vec<Finding>, String>>| {
        if count > 50 && done.is_multiple_of(10) {
            println!(
                "{done} of {count} projects after {:.0} s:",
                start.elapsed().as_secs_f64()
            );
            let all: Vec<Finding> = sum.iter().flatten().flatten().cloned().collect();
            report(&all, false);
        }
    };
    let results = parallel(
        count,
        jobs,
        work,
        |sum: &mut Vec<_>, more| sum.extend(more),
        progress,
    );
    let mut findings = Vec::new();
    for result in results {
        findings.extend(result?);
    }
    findings.sort_by_key(|f| f.seed);
    report(&findings, given("--invalid"));
    let failures: Vec<&Finding> = findings.iter().filter(|f| f.verdict.is_failure()).collect();
    for failure in failures.iter().take(variable("MACRO_SETTINGS_REDUCE", 0)?) {
        println!(
            "{}",
            reduce::reduce(
                &runner,
                &case(failure.seed),
                failure,
                &folder.join("reduce")
            )
        );
    }
    let failed = failures.len() + usual.len();
    for text in &usual {
        println!("FAILED {text}");
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed ({:.0} s)",
        findings.len() + usual::settings() - failed,
        start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// Writes a project and prints its settings.
fn show(seed: u64, folder: &Path) -> Result<ExitCode, String> {
    let case = case(seed);
    let place = folder.join(format!("show{seed}"));
    case.project
        .write(&place, Side::Cuda)
        .map_err(|e| e.to_string())?;
    for file in &case.project.files {
        let path = place.join(&file.name);
        let text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
        println!("==> {} <==\n{text}", path.display());
    }
    println!("translated with: {}", case.translation);
    for build in &case.builds {
        println!("{}", build.shown());
    }
    Ok(ExitCode::SUCCESS)
}

/// The failures with the first lines of what was said, and the table.
fn report(findings: &[Finding], invalid: bool) {
    let mut table: BTreeMap<Verdict, usize> = BTreeMap::new();
    for f in findings {
        *table.entry(f.verdict).or_default() += 1;
        let told = matches!(f.verdict, Verdict::Invalid | Verdict::Refused) && invalid;
        if f.verdict.is_failure() || told {
            println!(
                "{} {}: MACRO_SETTINGS_SEED={} translated with {:?}, then {}",
                if told { "note" } else { "FAILED" },
                f.verdict.words(),
                f.seed,
                f.translation,
                f.build.shown()
            );
            let lines = f.detail.lines().filter(|l| !l.trim().is_empty());
            let error = |l: &&str| {
                ["error", "Error", "***", "want", "got "]
                    .iter()
                    .any(|w| l.contains(w))
            };
            for line in lines.filter(error).take(6) {
                println!("    {}", line.chars().take(200).collect::<String>());
            }
        }
    }
    println!("{} settings tried", findings.len());
    for (verdict, number) in table {
        println!("{number:6} {}", verdict.words());
    }
}
