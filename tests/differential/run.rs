//! Translates, builds and runs batches on the cpu target, and collects what differs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cuf2cu::diag::Severity;
use cuf2cu::driver::inputs::Inputs;
use cuf2cu::driver::{self, BuildOptions, Package, Project, Target, Toolchain, build};
use cuf2cu::translate::{SourceInput, TranslateOptions};

use crate::batch::{self, Sources};
use crate::generator::program::Program;
use crate::suite;

/// Options of the reference: nothing that could change a result.
const PLAIN_FLAGS: [&str; 6] = [
    "-O0",
    "-fno-fast-math",
    "-ffp-contract=off",
    "-fwrapv",
    "-ffree-line-length-none",
    "-w",
];
const SUPPORT: &str = include_str!("support.f90");

/// One row of the table of results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    pub programs: u64,
    pub compared: u64,
    pub mismatches: u64,
    pub excused: u64,
    pub worst: f64,
}

/// Why a program failed.
#[derive(Clone, Debug)]
pub struct Failure {
    pub seed: u64,
    /// `mismatch`, `build`, `run`, or `refused`.
    pub step: &'static str,
    pub detail: String,
}

/// What happened with a number of programs.
#[derive(Clone, Debug, Default)]
pub struct Results {
    pub run: usize,
    pub failures: Vec<Failure>,
    pub refused: Vec<Failure>,
    /// Programs that gfortran rejects: faults of the generator.
    pub invalid: Vec<Failure>,
    pub table: BTreeMap<String, Row>,
}

impl Results {
    pub fn add(&mut self, other: Results) {
        self.run += other.run;
        self.failures.extend(other.failures);
        self.refused.extend(other.refused);
        self.invalid.extend(other.invalid);
        for (name, row) in other.table {
            let sum = self.table.entry(name).or_default();
            sum.programs += row.programs;
            sum.compared += row.compared;
            sum.mismatches += row.mismatches;
            sum.excused += row.excused;
            sum.worst = sum.worst.max(row.worst);
        }
    }
}

/// What all batches share.
pub struct Runner {
    toolchain: Toolchain,
    options: BuildOptions,
    /// Holds the compiled support module.
    support: PathBuf,
}

impl Runner {
    /// Finds the compilers and compiles what is common.
    pub fn new() -> Result<Runner, String> {
        let toolchain = Toolchain::find(Target::Cpu, false).map_err(|e| e.to_string())?;
        let optimise = std::env::var("DIFF_OPTIMISE").unwrap_or_else(|_| "1".to_owned());
        let options = BuildOptions {
            optimise,
            fflags: vec!["-O0".to_owned()],
            ..suite::cpu_options()
        };
        build::build_runtime(
            &toolchain,
            &BuildOptions {
                jobs: suite::cores(),
                ..options.clone()
            },
        )
        .map_err(|e| e.to_string())?;
        let support = suite::build_folder().join("differential/support");
        fs::create_dir_all(&support).map_err(|e| format!("{}: {e}", support.display()))?;
        fs::write(support.join("support.f90"), SUPPORT).map_err(|e| e.to_string())?;
        let runner = Runner {
            toolchain,
            options,
            support,
        };
        runner.gfortran(&runner.support, "support.f90", "support.o")?;
        Ok(runner)
    }

    fn gfortran(&self, folder: &Path, source: &str, object: &str) -> Result<(), String> {
        let mut command = Command::new(&self.toolchain.fortran);
        command
            .current_dir(folder)
            .args(PLAIN_FLAGS)
            .arg("-I")
            .arg(&self.support);
        output(command.args(["-c", source, "-o", object]))
    }

    /// Runs the programs in `folder`. Programs that the translator refuses are left out and listed; those that a compiler rejects
    /// are found by its messages, and where that or the run fails the batch is divided until the program is found.
    pub fn run(&self, programs: &[Program], folder: &Path) -> Results {
        let mut results = Results::default();
        let mut kept = programs.to_vec();
        while !kept.is_empty() {
            let sources = batch::sources(&kept);
            let (step, bad) = match translate(&sources) {
                Err(messages) => ("refused", refused(&sources, messages, kept.len())),
                Ok(package) => match self.build_and_run(&package, &sources, folder) {
                    Ok(text) => {
                        results.run += kept.len();
                        results.add(parse(&text));
                        break;
                    }
                    Err((step, detail)) if kept.len() == 1 => (step, BTreeMap::from([(0, detail)])),
                    Err(("reference", detail)) => ("reference", invalid(&sources, &detail)),
                    Err((step, detail)) => (step, rejected(&detail, kept.len())),
                },
            };
            if bad.is_empty() {
                let (a, b) = kept.split_at(kept.len() / 2);
                results.add(self.run(a, folder));
                results.add(self.run(b, folder));
                break;
            }
            for (index, detail) in bad.into_iter().rev() {
                let seed = kept.remove(index).seed;
                let failure = Failure { seed, step, detail };
                if step == "refused" {
                    results.refused.push(failure);
                } else if step == "reference" {
                    results.invalid.push(failure);
                } else {
                    results.run += 1;
                    results.failures.push(failure);
                }
            }
        }
        results
    }

    fn build_and_run(
        &self,
        package: &Package,
        sources: &Sources,
        folder: &Path,
    ) -> Result<String, (&'static str, String)> {
        let out = folder.join("out");
        let _ = fs::remove_dir_all(folder);
        let io = |e: std::io::Error| ("write", e.to_string());
        fs::create_dir_all(folder).map_err(io)?;
        fs::write(folder.join("batch.cuf"), &sources.device).map_err(io)?;
        package
            .write(&out, true)
            .map_err(|e| ("write", e.to_string()))?;
        self.reference(sources, folder)
            .map_err(|e| ("reference", e))?;
        let options = BuildOptions {
            libraries: vec!["plain".to_owned()],
            library_folders: vec![folder.to_owned()],
            ..self.options.clone()
        };
        let project = Project {
            plan: &package.plan,
            source: &out,
            build: &folder.join("obj"),
        };
        let bar = indicatif::ProgressBar::hidden();
        let built = build::build(project, &self.toolchain, &options, &bar)
            .map_err(|e| ("build", e.to_string()))?;
        let program = built.first().ok_or(("build", "no program".to_owned()))?;
        let run =
            suite::run(&mut Command::new(program), folder, Duration::from_secs(120)).map_err(io)?;
        if run.end != suite::End::Exit(0) || !run.output.contains("DONE") {
            return Err(("run", format!("{:?}\n{}", run.end, run.output)));
        }
        Ok(run.output)
    }

    /// Compiles the plain procedures and the support module to `libplain.a`.
    pub fn reference(&self, sources: &Sources, folder: &Path) -> Result<(), String> {
        fs::write(folder.join("plain.f90"), &sources.plain).map_err(|e| e.to_string())?;
        self.gfortran(folder, "plain.f90", "plain.o")?;
        let support = self.support.join("support.o");
        output(
            Command::new("ar")
                .current_dir(folder)
                .args(["rcs", "libplain.a", "plain.o"])
                .arg(support),
        )
    }

    /// Fortran objects of a batch for a GPU machine, and its device sources. Programs that the translator or gfortran refuses are
    /// left out. The number of those in it.
    pub fn carry(
        &self,
        programs: Vec<Program>,
        folder: &Path,
        place: &Path,
    ) -> Result<usize, String> {
        let mut kept = translatable(programs);
        let sources = loop {
            let sources = batch::sources(&kept);
            fs::create_dir_all(folder).map_err(|e| e.to_string())?;
            let Err(detail) = self.reference(&sources, folder) else {
                break sources;
            };
            let bad = invalid(&sources, &detail);
            if bad.is_empty() {
                return Err(detail);
            }
            for index in bad.into_keys().rev() {
                kept.remove(index);
            }
        };
        let package = translate(&sources).map_err(|m| format!("{m:?}"))?;
        let out = folder.join("out");
        let text = |e: std::io::Error| e.to_string();
        fs::create_dir_all(place).map_err(text)?;
        package.write(&out, true).map_err(|e| e.to_string())?;
        let project = Project {
            plan: &package.plan,
            source: &out,
            build: &folder.join("obj"),
        };
        let objects = build::compile_fortran(project, &self.toolchain, &self.options)
            .map_err(|e| e.to_string())?;
        for (index, object) in objects.iter().enumerate() {
            fs::copy(object, place.join(format!("host{index}.o"))).map_err(text)?;
        }
        fs::copy(folder.join("libplain.a"), place.join("libplain.a")).map_err(text)?;
        for (path, contents) in &package.files {
            if path.extension().is_none_or(|e| e != "f90") {
                fs::write(place.join(path), contents).map_err(text)?;
            }
        }
        Ok(kept.len())
    }

    pub fn toolchain(&self) -> &Toolchain {
        &self.toolchain
    }
}

/// Translates a batch in memory; the errors with their lines.
fn translate(sources: &Sources) -> Result<Package, Vec<(u32, String)>> {
    let mut inputs = Inputs {
        fortran: vec![SourceInput {
            path: PathBuf::from("batch.cuf"),
            relative: PathBuf::from("batch.cuf"),
            bytes: sources.device.clone().into_bytes(),
        }],
        natives: Vec::new(),
    };
    let translation = driver::translate_guarded(
        std::mem::take(&mut inputs.fortran),
        &TranslateOptions::default(),
    )
    .map_err(|e| vec![(0, e.to_string())])?;
    if translation.has_errors() {
        let errors = translation
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error);
        return Err(errors
            .map(|d| (d.line, format!("{}: {}", d.code, d.message)))
            .collect());
    }
    driver::package(&translation, &inputs).map_err(|e| vec![(0, e.to_string())])
}

/// The programs that messages of the translator are about.
fn refused(
    sources: &Sources,
    messages: Vec<(u32, String)>,
    count: usize,
) -> BTreeMap<usize, String> {
    let mut bad = BTreeMap::new();
    for (line, message) in messages {
        // A message about no program in particular spoils the batch.
        let program = sources.program_at(line).filter(|p| *p < count);
        bad.entry(program.unwrap_or(0)).or_insert(message);
    }
    bad
}

/// The programs that messages of gfortran about the plain source are about.
fn invalid(sources: &Sources, text: &str) -> BTreeMap<usize, String> {
    let mut bad = BTreeMap::new();
    let mut program = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("plain.f90:") {
            let number = rest.split(':').next().and_then(|n| n.parse().ok());
            program = number.and_then(|n| sources.plain_program_at(n));
        } else if let (Some(program), true) = (program, line.starts_with("Error:")) {
            bad.entry(program).or_insert_with(|| line.to_owned());
        }
    }
    bad
}

/// The programs that messages of g++ are about, each with its first error.
fn rejected(text: &str, count: usize) -> BTreeMap<usize, String> {
    let mut bad = BTreeMap::new();
    let mut program = None;
    for line in text.lines() {
        if line.contains("In function")
            || line.contains("In instantiation")
            || line.contains("required from here")
        {
            let digits = |stem: &str| {
                let at = line.find(&format!("diff_device::{stem}"))?
                    + "diff_device::".len()
                    + stem.len();
                let digits: String = line[at..]
                    .chars()
                    .take_while(char::is_ascii_digit)
                    .collect();
                digits.parse::<usize>().ok()?.checked_sub(1)
            };
            program = digits("body")
                .or_else(|| digits("h"))
                .filter(|p| *p < count);
        } else if let (Some(program), Some(at)) = (program, line.find("error:")) {
            bad.entry(program).or_insert_with(|| line[at..].to_owned());
        }
    }
    bad
}

/// Programs that translate; the others with the reason.
fn translatable(programs: Vec<Program>) -> Vec<Program> {
    let mut kept = programs;
    loop {
        let sources = batch::sources(&kept);
        let Err(messages) = translate(&sources) else {
            return kept;
        };
        let mut bad: Vec<usize> = messages
            .iter()
            .map(|(line, _)| sources.program_at(*line).unwrap_or(0))
            .collect();
        bad.sort_unstable();
        bad.dedup();
        for index in bad.into_iter().rev() {
            kept.remove(index);
        }
        if kept.is_empty() {
            return kept;
        }
    }
}

/// Runs a command that must succeed.
fn output(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().find(|l| l.contains("Error:"));
    Err(format!("{}\n{text}", first.unwrap_or_default()))
}

/// Reads what a batch printed.
pub fn parse(text: &str) -> Results {
    let mut results = Results::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"MISMATCH") => {
                let seed = words.get(1).and_then(|w| w.parse().ok()).unwrap_or(0);
                match results.failures.last_mut() {
                    Some(last) if last.seed == seed => {
                        last.detail = format!("{}\n{line}", last.detail)
                    }
                    _ => results.failures.push(Failure {
                        seed,
                        step: "mismatch",
                        detail: line.to_owned(),
                    }),
                }
            }
            Some(&"TABLE") if words.len() == 7 => {
                let number = |i: usize| words[i].parse::<u64>().unwrap_or(0);
                let row = Row {
                    programs: number(2),
                    compared: number(3),
                    mismatches: number(4),
                    excused: number(5),
                    worst: words[6].parse().unwrap_or(f64::MAX),
                };
                results.table.insert(words[1].to_owned(), row);
            }
            _ => {}
        }
    }
    results
}

/// Runs `count` batches on `threads` threads.
pub fn parallel(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> Results + Sync,
    progress: impl Fn(usize, &Results) + Sync,
) -> Results {
    let next = AtomicUsize::new(0);
    let sum = Mutex::new((0, Results::default()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            // The parser recurses with the nesting of the source.
            let worker = std::thread::Builder::new().stack_size(64 << 20);
            let spawned = worker.spawn_scoped(scope, || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let results = work(index);
                    let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
                    sum.0 += 1;
                    sum.1.add(results);
                    progress(sum.0, &sum.1);
                }
            });
            assert!(spawned.is_ok(), "cannot start a thread");
        }
    });
    sum.into_inner().unwrap_or_else(PoisonError::into_inner).1
}
