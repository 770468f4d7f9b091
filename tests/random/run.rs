//! Random tests: batches of generated programs, translated, built and run on the cpu target, and what differs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use cuf2cu::driver::{self, BuildOptions, Package, Project, Toolchain, build};
use cuf2cu::translate::TranslateOptions;

use crate::suite;

#[path = "batches.rs"]
mod batches;

pub use batches::Failure;
use batches::{Message, output};

/// A random test: its programs, and how a batch of them is written.
pub trait Test {
    type Program: Clone + Send + Sync;
    /// Its folder below build/.
    const NAME: &'static str;
    /// Begins the names of its environment variables.
    const VARIABLES: &'static str;
    /// A batch runs those of its programs whose seeds are arguments.
    const SELECTS: bool;
    /// Begin the lines of the output that executions may differ in: what the compiler evaluates and the C library rounds differently.
    const INEXACT: &'static [&'static str];
    /// A Fortran file that all batches link.
    const SUPPORT: &'static str;
    /// The scripts of a GPU machine are those of this test.
    const GPU_SCRIPTS: &'static str = Self::NAME;
    /// The options of the translation, which begin as those of all random tests.
    fn options(options: TranslateOptions) -> TranslateOptions {
        options
    }
    fn seed(program: &Self::Program) -> u64;
    fn sources(programs: &[Self::Program]) -> Sources;
    /// The program that a line of a C++ compiler's message names.
    fn named(line: &str, programs: &[Self::Program]) -> Option<usize>;
}

/// One source file of a batch.
pub struct Source {
    pub name: &'static str,
    pub text: String,
    /// Lines before the first program and after each.
    pub ends: Vec<u32>,
}

impl Source {
    /// The program that a line belongs to.
    pub fn program_at(&self, line: u32) -> Option<usize> {
        let after = self.ends.iter().position(|end| line <= *end)?;
        after.checked_sub(1)
    }
}

/// The texts of a batch.
pub struct Sources {
    /// CUDA Fortran: the device side and the main program.
    pub device: Vec<Source>,
    /// Standard Fortran: the reference.
    pub plain: Source,
}

/// The number in an environment variable of the test.
pub fn number<T: Test>(variable: &str, default: usize) -> Result<usize, String> {
    batches::variable(&format!("{}_{variable}", T::VARIABLES), default)
}

/// Options of the reference: nothing that could change a result.
const PLAIN_FLAGS: [&str; 6] = [
    "-O0",
    "-fno-fast-math",
    "-ffp-contract=off",
    "-fwrapv",
    "-ffree-line-length-none",
    "-w",
];

/// One row of the table of results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    pub programs: u64,
    pub compared: u64,
    pub mismatches: u64,
    pub excused: u64,
    pub worst: f64,
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
pub struct Runner<T> {
    toolchain: Toolchain,
    options: BuildOptions,
    /// Holds the compiled support module.
    support: PathBuf,
    test: PhantomData<T>,
}

impl<T: Test> Runner<T> {
    /// Finds the compilers and compiles what is common.
    pub fn new() -> Result<Runner<T>, String> {
        let optimise = std::env::var(format!("{}_OPTIMISE", T::VARIABLES));
        let optimise = optimise.unwrap_or_else(|_| "1".to_owned());
        let (toolchain, options) = batches::compilers(&optimise)?;
        let support = suite::build_folder().join(T::NAME).join("support");
        fs::create_dir_all(&support).map_err(|e| format!("{}: {e}", support.display()))?;
        fs::write(support.join("support.f90"), T::SUPPORT).map_err(|e| e.to_string())?;
        let runner = Runner {
            toolchain,
            options,
            support,
            test: PhantomData,
        };
        runner.gfortran(&runner.support, "support.f90", "support.o")?;
        Ok(runner)
    }

    fn gfortran(&self, folder: &Path, source: &str, object: &str) -> Result<(), String> {
        let mut command = self.toolchain.fortran.command();
        command
            .current_dir(folder)
            .args(PLAIN_FLAGS)
            .arg("-I")
            .arg(&self.support);
        output(command.args(["-c", source, "-o", object]))
    }

    /// Runs the programs in `folder`. Programs that the translator refuses are left out and listed; those that a compiler rejects
    /// are found by its messages, and where that or the run fails the batch is divided until the program is found.
    pub fn run(&self, programs: &[T::Program], folder: &Path) -> Results {
        let mut results = Results::default();
        let mut kept = programs.to_vec();
        while !kept.is_empty() {
            let sources = T::sources(&kept);
            let (step, bad) = match translate::<T>(&sources) {
                Err(messages) => ("refused", refused(&sources, messages, kept.len())),
                Ok(package) => match self.build_and_run(&package, &sources, &kept, folder) {
                    Ok(text) => {
                        results.run += kept.len();
                        results.add(parse(&text));
                        break;
                    }
                    Err((step, detail)) if kept.len() == 1 => (step, BTreeMap::from([(0, detail)])),
                    Err(("reference", detail)) => ("reference", invalid(&sources, &detail)),
                    Err((step, detail)) => (step, rejected::<T>(&detail, &kept)),
                },
            };
            if bad.is_empty() {
                let (a, b) = kept.split_at(kept.len() / 2);
                results.add(self.run(a, folder));
                results.add(self.run(b, folder));
                break;
            }
            for (index, detail) in bad.into_iter().rev() {
                let seed = T::seed(&kept.remove(index));
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
        programs: &[T::Program],
        folder: &Path,
    ) -> Result<String, (&'static str, String)> {
        let out = folder.join("out");
        let _ = fs::remove_dir_all(folder);
        let io = |e: std::io::Error| ("write", e.to_string());
        fs::create_dir_all(folder).map_err(io)?;
        for source in &sources.device {
            fs::write(folder.join(source.name), &source.text).map_err(io)?;
        }
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
        let done =
            |run: &suite::RunResult| run.end == suite::End::Exit(0) && run.output.contains("DONE");
        if done(&run) {
            // Threads by themselves, and loops without rings, compute the same, bit for bit.
            for execution in ["fibers", "loops"] {
                let mut command = Command::new(program);
                command.env("CUF_CPU_EXECUTION", execution);
                let other =
                    suite::run(&mut command, folder, Duration::from_secs(120)).map_err(io)?;
                let exact = |output: &str| -> Vec<String> {
                    let inexact = |l: &&str| !T::INEXACT.iter().any(|begin| l.starts_with(begin));
                    output.lines().filter(inexact).map(str::to_owned).collect()
                };
                if exact(&other.output) != exact(&run.output) {
                    let text = format!(
                        "CUF_CPU_EXECUTION={execution}: {:?}\n{}",
                        other.end, other.output
                    );
                    return Err(("run", text));
                }
            }
            return Ok(run.output);
        }
        if !T::SELECTS {
            return Err(("run", format!("{:?}\n{}", run.end, run.output)));
        }
        let mut text = String::new();
        for seed in programs.iter().map(T::seed) {
            let mut command = Command::new(program);
            command.arg(seed.to_string());
            let run = suite::run(&mut command, folder, Duration::from_secs(30)).map_err(io)?;
            if done(&run) {
                text.push_str(&run.output);
            } else {
                let last = run.output.lines().rfind(|l| !l.trim().is_empty());
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "MISMATCH {seed} {:?}: {}",
                    run.end,
                    last.unwrap_or_default()
                );
            }
        }
        Ok(text)
    }

    /// Compiles the plain procedures and the support module to `libplain.a`.
    pub fn reference(&self, sources: &Sources, folder: &Path) -> Result<(), String> {
        fs::write(folder.join("plain.f90"), &sources.plain.text).map_err(|e| e.to_string())?;
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
        programs: Vec<T::Program>,
        folder: &Path,
        place: &Path,
    ) -> Result<usize, String> {
        let mut kept = translatable::<T>(programs);
        let sources = loop {
            let sources = T::sources(&kept);
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
        let package = translate::<T>(&sources).map_err(|m| format!("{m:?}"))?;
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
        let seeds: Vec<String> = kept.iter().map(|p| T::seed(p).to_string()).collect();
        fs::write(place.join("seeds"), seeds.join("\n")).map_err(text)?;
        for (path, contents) in &package.files {
            if path.extension().is_none_or(|e| e != "f90") {
                let target = place.join(path);
                fs::create_dir_all(target.parent().unwrap_or(place)).map_err(text)?;
                fs::write(target, contents).map_err(text)?;
            }
        }
        Ok(kept.len())
    }

    pub fn toolchain(&self) -> &Toolchain {
        &self.toolchain
    }
}

/// Translates a batch in memory; the errors with their lines.
fn translate<T: Test>(sources: &Sources) -> Result<Package, Vec<Message>> {
    let files = sources.device.iter();
    let files = files.map(|s| (s.name, s.text.as_str()));
    batches::translate_with(files, &T::options(batches::options()))
}

/// The programs that messages of gfortran about the plain source are about.
fn invalid(sources: &Sources, text: &str) -> BTreeMap<usize, String> {
    batches::rejected(text, |line| sources.plain.program_at(line))
}

/// The program that a message of the translator is about. One about no program in particular spoils the first.
fn program_of(sources: &Sources, message: &Message, count: usize) -> usize {
    let named = |s: &&Source| message.0.file_name().is_some_and(|n| n == s.name);
    let source = sources.device.iter().find(named);
    let program = source.and_then(|s| s.program_at(message.1));
    program.filter(|p| *p < count).unwrap_or(0)
}

/// The programs that messages of the translator are about.
fn refused(sources: &Sources, messages: Vec<Message>, count: usize) -> BTreeMap<usize, String> {
    let mut bad = BTreeMap::new();
    for message in messages {
        let program = program_of(sources, &message, count);
        bad.entry(program).or_insert(message.2);
    }
    bad
}

/// The programs that messages of g++ are about, each with its first error.
fn rejected<T: Test>(text: &str, programs: &[T::Program]) -> BTreeMap<usize, String> {
    let mut bad = BTreeMap::new();
    let mut program = None;
    for line in text.lines() {
        if line.contains("In function")
            || line.contains("In instantiation")
            || line.contains("required from here")
        {
            program = T::named(line, programs);
        } else if let (Some(program), Some(at)) = (program, line.find("error:")) {
            bad.entry(program).or_insert_with(|| line[at..].to_owned());
        }
    }
    bad
}

/// Programs that translate; the others with the reason.
fn translatable<T: Test>(programs: Vec<T::Program>) -> Vec<T::Program> {
    let mut kept = programs;
    while !kept.is_empty() {
        let sources = T::sources(&kept);
        let Err(messages) = translate::<T>(&sources) else {
            break;
        };
        let each = messages.iter();
        let mut bad: Vec<usize> = each.map(|m| program_of(&sources, m, kept.len())).collect();
        bad.sort_unstable();
        bad.dedup();
        for index in bad.into_iter().rev() {
            kept.remove(index);
        }
    }
    kept
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

/// Batches of a test: how many programs, from which seed, how many together, how many batches at a time.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub count: usize,
    pub first: usize,
    pub size: usize,
    pub jobs: usize,
}

impl Extent {
    /// As the environment says: `PROGRAMS`, `SEED`, `BATCH`, `JOBS`.
    pub fn new<T: Test>(count: usize, size: usize) -> Result<Extent, String> {
        Ok(Extent {
            count: number::<T>("PROGRAMS", count)?,
            first: number::<T>("SEED", 1)?,
            size: number::<T>("BATCH", size)?.max(1),
            jobs: number::<T>("JOBS", suite::cores())?,
        })
    }

    pub fn batches(&self) -> usize {
        self.count.div_ceil(self.size)
    }

    /// The programs of a batch.
    pub fn programs<P>(&self, batch: usize, generate: impl Fn(u64) -> P) -> Vec<P> {
        let last = self.count.min((batch + 1) * self.size);
        (batch * self.size..last)
            .map(|n| generate((self.first + n) as u64))
            .collect()
    }
}

/// Runs all batches.
pub fn run_all<T: Test>(
    runner: &Runner<T>,
    extent: Extent,
    generate: impl Fn(u64) -> T::Program + Sync,
    progress: impl Fn(usize, &Results) + Sync,
) -> Results
where
    Runner<T>: Sync,
{
    let folder = suite::build_folder().join(T::NAME);
    let work = |batch: usize| {
        let place = folder.join(format!("{}/batch{batch}", extent.first));
        let results = runner.run(&extent.programs(batch, &generate), &place);
        if results.failures.is_empty() {
            let _ = fs::remove_dir_all(&place);
        }
        results
    };
    let mut results =
        batches::parallel(extent.batches(), extent.jobs, work, Results::add, progress);
    results.failures.sort_by_key(|f| f.seed);
    results
}

/// Writes build/gpu-NAME/: Fortran objects and device sources per batch, with the scripts that build and run them there.
/// False if a batch is missing.
pub fn carry_all<T: Test>(
    runner: &Runner<T>,
    extent: Extent,
    generate: impl Fn(u64) -> T::Program + Sync,
) -> Result<bool, String>
where
    Runner<T>: Sync,
{
    let name = format!("gpu-{}", T::NAME);
    let folder = suite::build_folder().join(&name);
    let _ = fs::remove_dir_all(&folder);
    suite::carry_libraries(runner.toolchain(), &folder.join("lib"), true)?;
    let runtime = driver::output::whole_runtime();
    driver::output::write(&folder.join("runtime"), &runtime, true).map_err(|e| e.to_string())?;
    for script in ["build-all", "run-all"] {
        let from = suite::root().join(format!("scripts/gpu-{}-{script}", T::GPU_SCRIPTS));
        fs::copy(&from, folder.join(script)).map_err(|e| format!("{}: {e}", from.display()))?;
    }
    let work = |batch: usize| {
        let programs = extent.programs(batch, &generate);
        let seed = programs.first().map_or(0, T::seed);
        let mut results = Results::default();
        let work = folder.with_extension("work").join(batch.to_string());
        let _ = fs::remove_dir_all(&work);
        match runner.carry(programs, &work, &folder.join(format!("batches/{batch}"))) {
            Ok(count) => results.run = count,
            Err(detail) => results.failures.push(Failure {
                seed,
                step: "build",
                detail,
            }),
        }
        results
    };
    let results = batches::parallel(extent.batches(), extent.jobs, work, Results::add, |_, _| {});
    for failure in &results.failures {
        eprintln!(
            "not prepared: the batch of seed {}: {}",
            failure.seed, failure.detail
        );
    }
    println!(
        "{} programs in {} batches prepared in {}",
        results.run,
        extent.batches(),
        folder.display()
    );
    Ok(results.failures.is_empty())
}

/// The failures, and the refusals by message.
pub fn report<T: Test>(results: &Results) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for failure in results.failures.iter().take(60) {
        // Of a compiler's messages the error is what counts.
        let lines = || failure.detail.lines();
        let error = lines().find(|l| l.contains(" error: "));
        let detail: Vec<String> = error
            .into_iter()
            .chain(lines())
            .take(3)
            .map(|l| l.chars().take(300).collect())
            .collect();
        let _ = writeln!(
            text,
            "FAILED {} ({}_SEED={}): {}",
            failure.step,
            T::VARIABLES,
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
    text
}

/// The last line, and the status of the test.
pub fn conclude(results: &Results, start: Instant) -> ExitCode {
    let failed = results.failures.len();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed ({:.0} s)",
        results.run.saturating_sub(failed),
        start.elapsed().as_secs_f64()
    );
    ExitCode::from(u8::from(failed > 0))
}
