//! `cuf2cu run --compare` and `cuf2cu compare`: what programs get back from their devices, held against each other.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::cli::arguments::{CompareArguments, RunArguments, TargetArgument};
use crate::cli::commands::build_for;
use crate::compare::run::{Program, RunResult, side_by_side};
use crate::compare::{ComparedRun, Outcome, Record, compare as compare_records, is_record};
use crate::diag::message::Kind;
use crate::driver::process::children;
use crate::driver::{Error, Target, terminal};

/// Runs with threads in another order, where nothing is said.
const SEEDS: u16 = 3;

/// The status where something differs, and the program itself has none.
const DIFFERENT: u8 = 1;

/// `cuf2cu run --compare SRC... -- ARGS`.
pub fn run(arguments: &RunArguments) -> Result<ExitCode, Error> {
    let environment = arguments.profile.environment()?;
    let several = &arguments.several;
    let cuda = match arguments.build.target {
        TargetArgument::Cpu => false,
        TargetArgument::Cuda => true,
        TargetArgument::Auto => arguments.build.target() == Target::Cuda,
    };
    let seeds = several.seeds.unwrap_or(if cuda { 0 } else { SEEDS });
    let mut programs = Vec::new();
    let mut places = Vec::new();
    let targets = [Target::Cuda, Target::Cpu];
    for target in targets.into_iter().filter(|t| cuda || *t == Target::Cpu) {
        let mut built = build_for(arguments, target)?;
        let path = built.chosen(arguments)?;
        // The folder that the user names may be that of both.
        if arguments.place.out.is_some() || arguments.place.build_dir.is_some() {
            built.place.leave();
        }
        places.push(built.place);
        if target == Target::Cuda {
            programs.push(program("cuda", path, None));
            continue;
        }
        programs.push(program("cpu", path.clone(), Some(0)));
        let seeded = |seed: u16| program(&format!("cpu, seed {seed}"), path.clone(), Some(seed));
        programs.extend((1..=seeds).map(seeded));
    }
    if let Some(first) = programs.first_mut() {
        first.environment.extend(environment);
    }
    terminal::finish(0);
    let ran = side_by_side(
        &programs,
        &arguments.arguments,
        several.tolerance.ulps,
        || {
            for place in &mut places {
                place.leave();
            }
        },
    )?;
    Ok(told(&programs, ran))
}

fn program(name: &str, path: PathBuf, seed: Option<u16>) -> Program {
    let seed = seed.map(|s| ("CUF_SHUFFLE", s.to_string()));
    Program {
        name: name.to_owned(),
        path,
        environment: seed.into_iter().collect(),
    }
}

/// `cuf2cu compare A B... -- ARGS`: records, or programs, which are run.
pub fn compare(arguments: &CompareArguments) -> Result<ExitCode, Error> {
    let mut records = Vec::new();
    for path in &arguments.what {
        records.push(
            beginning(path)
                .map(|b| is_record(&b))
                .map_err(|e| Error::named(path, &e))?,
        );
    }
    let names = names(&arguments.what);
    if records.iter().all(|r| *r) {
        let mut parties = Vec::new();
        for (path, name) in arguments.what.iter().zip(&names) {
            let file = File::open(path).map_err(|e| Error::named(path, &e))?;
            parties.push(ComparedRun {
                name: name.clone(),
                record: Record::new(file),
            });
        }
        let outcome = compare_records(&mut parties, arguments.tolerance.ulps, |_| {});
        let outcome = outcome.map_err(|e| Error::file("compare", &arguments.what[0], &e))?;
        return Ok(match tell(&names, &outcome) {
            true => ExitCode::SUCCESS,
            false => ExitCode::from(DIFFERENT),
        });
    }
    if records.iter().any(|r| *r) {
        return Err(Error::Usage(
            "a run record can be compared only with other records\nhelp: run the program with CUF_RECORD=FILE to create one".to_owned(),
        ));
    }
    let mut programs = Vec::new();
    for (path, name) in arguments.what.iter().zip(names) {
        let path = std::fs::canonicalize(path).map_err(|e| Error::named(path, &e))?;
        programs.push(Program {
            name,
            path,
            environment: Vec::new(),
        });
    }
    let words: &[OsString] = &arguments.arguments;
    let ran = side_by_side(&programs, words, arguments.tolerance.ulps, || {})?;
    Ok(told(&programs, ran))
}

/// What the parties are called: by the names of their files, or, where two have the same one, by their paths.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let short = |p: &Path| {
        p.file_name()
            .unwrap_or(p.as_os_str())
            .to_string_lossy()
            .into_owned()
    };
    let all: Vec<String> = paths.iter().map(|p| short(p)).collect();
    let alike = |name: &String| all.iter().filter(|n| *n == name).count() > 1;
    let name = |(name, path): (&String, &PathBuf)| match alike(name) {
        true => path.display().to_string(),
        false => name.clone(),
    };
    all.iter().zip(paths).map(name).collect()
}

fn beginning(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Says what was found; the status is the program's own, or 1 where something differs.
fn told(programs: &[Program], ran: RunResult) -> ExitCode {
    let names: Vec<String> = programs.iter().map(|p| p.name.clone()).collect();
    let same = tell(&names, &ran.outcome);
    match children::as_code(ran.status) {
        0 if !same => ExitCode::from(DIFFERENT),
        code => ExitCode::from(code),
    }
}

/// True if nothing differs.
fn tell(names: &[String], outcome: &Outcome) -> bool {
    for difference in &outcome.differences {
        terminal::warn("cuf2cu", Kind::Tool, &format!("cuf2cu: {difference}"));
    }
    let same = outcome.differences.is_empty();
    if same {
        let (transfers, elements) = (outcome.transfers, outcome.elements);
        terminal::note(format_args!(
            "{}: {transfers} transfers of {elements} elements agree\n",
            names.join("; ")
        ));
    }
    same
}
