//! What the suites over tests/conformance/ share: the programs, their headers, one run, the table.

#![allow(dead_code, reason = "each suite uses a part of this")]

pub mod faults;
pub mod report;
pub mod warnings;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cuf2cu::driver::inputs::{self, Inputs};
use cuf2cu::driver::{self, BuildOptions, Error, Package, Project, Target, Toolchain};
use cuf2cu::translate::{TranslateOptions, Translation};

pub use faults::Fault;

/// What must happen with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// It prints `PASS name` and exits with 0.
    Pass,
    /// Translation reports an error on this line whose message contains all the words (in lower case).
    Diagnostic { line: u32, words: Vec<String> },
    /// On the cpu target it ends with an error whose message contains all the words (in lower case).
    Stop { words: Vec<String> },
    /// On the cpu target it ends so for each of these arguments.
    Stops(Vec<Fault>),
}

/// One program of the suite.
#[derive(Clone, Debug)]
pub struct Program {
    /// `area/name`.
    pub name: String,
    /// The file or folder to translate.
    pub source: PathBuf,
    /// The file with the header.
    pub main: PathBuf,
    pub needs: Vec<String>,
    /// Options of a compiler or of cuf2cu that the program is written for.
    pub flags: Vec<String>,
    pub expect: Expect,
}

/// What happened with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// The step (`translate`, `build`, `run`, `diagnostic`) and what it said.
    Failed {
        step: &'static str,
        detail: String,
    },
    Skipped(String),
}

impl Outcome {
    pub fn failed(step: &'static str, detail: impl Into<String>) -> Outcome {
        Outcome::Failed {
            step,
            detail: detail.into(),
        }
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Everything that the suites generate.
pub fn build_folder() -> PathBuf {
    root().join("build")
}

/// The folder of programs that take the place of tests/conformance/ and samples/.
fn other_programs() -> Option<PathBuf> {
    std::env::var_os("CONFORMANCE_PROGRAMS").map(PathBuf::from)
}

/// All conformance programs, by name.
pub fn programs() -> Vec<Program> {
    let folder = other_programs().unwrap_or_else(|| root().join("tests/conformance"));
    let mut found = Vec::new();
    for area in sorted_entries(&folder).into_iter().filter(|p| p.is_dir()) {
        for entry in sorted_entries(&area) {
            let main = match entry.is_dir() {
                true => {
                    let mains =
                        ["main.f", "main.F", "main.F90", "main.CUF"].map(|name| entry.join(name));
                    let other = mains.into_iter().find(|m| m.is_file());
                    other.unwrap_or_else(|| entry.join("main.cuf"))
                }
                false => entry.clone(),
            };
            found.push(program(&area, entry, main));
        }
    }
    assert!(
        !found.is_empty(),
        "no conformance programs in {}",
        folder.display()
    );
    let mut names = std::collections::BTreeSet::new();
    let twice = found.iter().find(|p| !names.insert(p.name.as_str()));
    assert!(twice.is_none(), "two programs {:?}", twice.map(|p| &p.name));
    found
}

/// The programs of samples/ and of the tutorial: they must run and exit with 0; those of the tutorial print what its pages say.
pub fn samples() -> Vec<Program> {
    if other_programs().is_some() {
        return Vec::new();
    }
    let mut all = programs_below("samples", "samples");
    all.extend(programs_below("samples/tutorial", TUTORIAL));
    all
}

/// The area of the tutorial's programs.
const TUTORIAL: &str = "tutorial";

fn programs_below(folder: &str, area: &str) -> Vec<Program> {
    let all = sorted_entries(&root().join(folder));
    let programs = all.into_iter().filter(|p| {
        p.is_dir() && !p.ends_with(TUTORIAL) || p.extension().is_some_and(|e| e == "cuf")
    });
    let sample = |source: PathBuf| {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        Program {
            name: format!("{area}/{name}"),
            main: source.clone(),
            needs: vec![
                if name.ends_with("_libraries") {
                    "cublas"
                } else {
                    "none"
                }
                .to_owned(),
            ],
            source,
            flags: flags_for_all(),
            expect: Expect::Pass,
        }
    };
    programs.map(sample).collect()
}

/// `CONFORMANCE_FLAGS`.
fn flags_for_all() -> Vec<String> {
    let flags = std::env::var("CONFORMANCE_FLAGS").unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

/// What a page of the tutorial says that its program prints: the last of its blocks of text.
fn told_by_tutorial(name: &str) -> String {
    let page = root().join("docs/tutorial").join(format!("{name}.md"));
    let text = fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
    let block = text.rsplit_once("```text\n").map_or("", |(_, after)| after);
    block.split("```").next().unwrap_or_default().to_owned()
}

fn sorted_entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    paths
}

fn program(area: &Path, source: PathBuf, main: PathBuf) -> Program {
    let text = fs::read(&main).unwrap_or_else(|e| panic!("{}: {e}", main.display()));
    let text = String::from_utf8_lossy(&text).into_owned();
    let given = |name: &str| {
        let prefix = format!("! {name}:");
        let mut head = text.lines().take(20);
        head.find_map(|l| l.strip_prefix(&prefix).map(|v| v.trim().to_owned()))
    };
    let field = |name: &str| {
        given(name).unwrap_or_else(|| panic!("{}: no `{name}` in the header", main.display()))
    };
    let flags = given("flags").unwrap_or_default();
    let stem = source
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let name = format!(
        "{}/{stem}",
        area.file_name().unwrap_or_default().to_string_lossy()
    );
    assert_eq!(
        field("conformance"),
        name,
        "{}: the header names another program",
        main.display()
    );
    let needs = field("needs")
        .split(',')
        .map(|n| n.trim().to_owned())
        .collect();
    let expect = match field("expect").as_str() {
        "stops" => Expect::Stops(faults::faults(&text, &main)),
        other => faults::expectation(other, &main),
    };
    Program {
        name,
        source,
        main,
        needs,
        flags: flags_for_all()
            .into_iter()
            .chain(flags.split_whitespace().map(str::to_owned))
            .collect(),
        expect,
    }
}

impl Program {
    /// The last part of the name.
    pub fn short_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// A program of samples/: it has no header and prints no PASS.
    pub fn is_sample(&self) -> bool {
        self.name.starts_with("samples/") || self.name.starts_with("tutorial/")
    }

    /// Whether the program needs `what`.
    pub fn needs(&self, what: &str) -> bool {
        self.needs.iter().any(|n| n == what)
    }

    /// Its place below a build folder.
    pub fn folder(&self, below: &str) -> PathBuf {
        build_folder().join(below).join(&self.name)
    }

    /// The options that the header's flags give.
    fn given(&self, target: Target) -> Result<(TranslateOptions, BuildOptions), Outcome> {
        cuf2cu::cli::options_of(&self.flags, target).map_err(|e| Outcome::failed("translate", e))
    }

    /// Translates the program.
    pub fn translate(&self) -> Result<(Inputs, Translation), Outcome> {
        self.translate_as(false)
    }

    /// Translates the program; `expand_macros`: without the preprocessor's lines.
    pub fn translate_as(&self, expand_macros: bool) -> Result<(Inputs, Translation), Outcome> {
        self.translate_with(&|options| TranslateOptions {
            expand_macros,
            ..options
        })
    }

    /// Translates the program with other options than its own.
    pub fn translate_with(
        &self,
        other: &dyn Fn(TranslateOptions) -> TranslateOptions,
    ) -> Result<(Inputs, Translation), Outcome> {
        let fail = |e: Error| Outcome::failed("translate", e.to_string());
        let mut inputs = inputs::collect(std::slice::from_ref(&self.source), None).map_err(fail)?;
        let (options, _) = self.given(Target::Cpu)?;
        let options = TranslateOptions {
            openmp: self.needs("openmp"),
            ..options
        };
        let options = other(options);
        let translation = driver::translate_guarded(std::mem::take(&mut inputs.fortran), &options)
            .map_err(fail)?;
        Ok((inputs, translation))
    }

    /// Translates the program and writes the files to `out`; an error diagnostic is a failure.
    pub fn generate(&self, out: &Path) -> Result<Package, Outcome> {
        let (inputs, translation) = self.translate()?;
        if translation.has_errors() {
            return Err(Outcome::failed("translate", shown(&translation)));
        }
        let mut package = driver::package(&translation, &inputs)
            .map_err(|e| Outcome::failed("translate", e.to_string()))?;
        package.emulate();
        package
            .write(out, true)
            .map_err(|e| Outcome::failed("translate", e.to_string()))?;
        Ok(package)
    }

    /// `options` with what the program needs.
    pub fn options(&self, options: &BuildOptions) -> Result<BuildOptions, Outcome> {
        let (_, given) = self.given(options.target)?;
        Ok(BuildOptions {
            openmp: self.needs("openmp"),
            mpi: self.needs("mpi"),
            macros: given.macros,
            include_folders: given.include_folders,
            fflags: [&options.fflags[..], &given.fflags].concat(),
            libraries: given.libraries,
            nvccflags: given.nvccflags,
            checks: given.checks,
            ..options.clone()
        })
    }

    /// Generates and builds the program in `folder`; returns the executable.
    pub fn build(
        &self,
        folder: &Path,
        toolchain: &Toolchain,
        options: &BuildOptions,
    ) -> Result<PathBuf, Outcome> {
        self.build_and_hear(folder, toolchain, options)
            .map(|(executable, _)| executable)
    }

    /// The same with what the compilers warned of.
    pub fn build_and_hear(
        &self,
        folder: &Path,
        toolchain: &Toolchain,
        options: &BuildOptions,
    ) -> Result<(PathBuf, String), Outcome> {
        let out = folder.join("out");
        let package = self.generate(&out)?;
        let options = self.options(options)?;
        let project = Project {
            plan: &package.plan,
            source: &out,
            build: &folder.join("obj"),
        };
        let bar = indicatif::ProgressBar::hidden();
        let built = driver::build::build_and_hear(project, toolchain, &options, &bar);
        let (programs, warnings) = built.map_err(|e| Outcome::failed("build", e.to_string()))?;
        match &programs[..] {
            [one] => Ok((one.clone(), warnings)),
            _ => Err(Outcome::failed(
                "build",
                format!("{} executables instead of one", programs.len()),
            )),
        }
    }

    /// Checks the diagnostics of a program that must not translate.
    pub fn check_diagnostic(&self, line: u32, words: &[String]) -> Outcome {
        let translation = match self.translate() {
            Ok((_, translation)) => translation,
            Err(outcome) => return outcome,
        };
        let said = |message: &str| {
            let message = message.to_lowercase();
            words.iter().all(|w| message.contains(w))
        };
        if !translation.has_errors() {
            return Outcome::failed("diagnostic", "translated without an error");
        }
        let stem = self
            .main
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if self.source.is_file()
            && translation
                .files
                .iter()
                .any(|f| f.path.file_stem().unwrap_or_default().to_string_lossy() == stem)
        {
            return Outcome::failed("diagnostic", "output was written in spite of the error");
        }
        let hit = |d: &cuf2cu::diag::Diagnostic| {
            d.severity == cuf2cu::diag::Severity::Error
                && d.line == line
                && d.file.file_name() == self.main.file_name()
                && said(&d.whole_text())
        };
        if translation.diagnostics.iter().any(hit) {
            return Outcome::Passed;
        }
        Outcome::failed(
            "diagnostic",
            format!(
                "expected line {line}: {}\n{}",
                words.join(", "),
                shown(&translation)
            ),
        )
    }

    /// Judges the output of a run.
    pub fn judge(&self, run: &RunResult) -> Outcome {
        if let Expect::Stop { words } = &self.expect {
            let output = run.output.to_lowercase();
            return match run.end {
                End::Exit(1) if words.iter().all(|w| output.contains(w)) => Outcome::Passed,
                _ => Outcome::failed("run", format!("{:?}\n{}", run.end, run.output)),
            };
        }
        let passed = format!("PASS {}", self.short_name());
        let says_so = self.is_sample() || run.output.lines().any(|l| l.trim() == passed);
        if let Some(("tutorial", name)) = self.name.split_once('/') {
            let told = told_by_tutorial(name);
            let lines = |text: &str| -> Vec<String> {
                text.lines().map(|l| l.trim_end().to_owned()).collect()
            };
            if run.end == End::Exit(0) && lines(&told) != lines(&run.output) {
                let text = format!("its page says\n{told}and it prints\n{}", run.output);
                return Outcome::failed("run", text);
            }
        }
        match &run.end {
            End::Exit(0) if says_so => Outcome::Passed,
            End::Exit(0) => {
                Outcome::failed("run", format!("did not print `{passed}`\n{}", run.output))
            }
            End::Exit(status) => {
                Outcome::failed("run", format!("exit status {status}\n{}", run.output))
            }
            End::Signal(text) => Outcome::failed("run", format!("{text}\n{}", run.output)),
        }
    }
}

/// The diagnostics of a translation, one a line.
fn shown(translation: &Translation) -> String {
    use cuf2cu::diag::render::{Format, render};
    translation
        .diagnostics
        .iter()
        .map(|d| render(d, Format::Short, false))
        .collect()
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    Signal(String),
}

/// A process that ended, with what it printed.
#[derive(Clone, Debug)]
pub struct RunResult {
    pub end: End,
    pub output: String,
}

/// Runs a command in `folder` with a time limit. Standard output and error go to one file there.
pub fn run(command: &mut Command, folder: &Path, limit: Duration) -> std::io::Result<RunResult> {
    let log = folder.join("run.log");
    let file = File::create(&log)?;
    let mut child = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let end = loop {
        if let Some(status) = child.try_wait()? {
            break match status.code() {
                Some(code) => End::Exit(code),
                None => End::Signal(driver::process::children::describe(status)),
            };
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break End::Signal(format!("no end after {} s", limit.as_secs()));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    let text = fs::read(&log)?;
    let text = String::from_utf8_lossy(&text[..text.len().min(1 << 16)]).into_owned();
    Ok(RunResult { end, output: text })
}

/// Runs `work` for every program, on all cores; results in the order of the programs.
pub fn for_all(
    programs: &[Program],
    threads: usize,
    work: impl Fn(&Program) -> Outcome + Sync,
) -> Vec<(Outcome, Duration)> {
    for_each(programs, threads, |program| {
        let start = Instant::now();
        (work(program), start.elapsed())
    })
}

/// Runs `work` for every item on `threads` threads; results in the order of the items.
pub fn for_each<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    // A fault of the translator is one failed program; its text is in the outcome.
    std::panic::set_hook(Box::new(|_| {}));
    let next = AtomicUsize::new(0);
    let results = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            // The parser recurses with the nesting of the source.
            let worker = std::thread::Builder::new().stack_size(64 << 20);
            let spawned = worker.spawn_scoped(scope, || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else {
                        return;
                    };
                    let result = work(item);
                    results
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .insert(index, result);
                }
            });
            assert!(spawned.is_ok(), "cannot start a thread");
        }
    });
    let _ = std::panic::take_hook();
    results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .into_values()
        .collect()
}

/// The options of the cpu suite; the GPU suite uses the same objects of the host code.
pub fn cpu_options() -> BuildOptions {
    BuildOptions {
        optimise: "1".to_owned(),
        jobs: 1,
        precompiled_header: true,
        plain_messages: true,
        cache: build_folder().join("cache"),
        ..BuildOptions::new(Target::Cpu)
    }
}

/// Links programs of the cpu target with the gold linker where there is one: a quarter of the time of GNU ld, a tenth of a second
/// for each program. What tests/runtime.rs builds with make is linked as users do it.
pub fn link_quickly(options: &mut BuildOptions) {
    if which::which("ld.gold").is_ok() {
        options.fflags.push("-fuse-ld=gold".to_owned());
    }
}

/// Cores of this machine.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Which programs to run: those named by the arguments or by a variable, all if neither names any.
///
/// A word selects the programs whose name contains it; options (of cargo's own harness) are ignored.
pub fn select(all: Vec<Program>, variable: &str) -> Vec<Program> {
    let from_variable = std::env::var(variable).unwrap_or_default();
    let mut words: Vec<String> = from_variable
        .split([' ', ','])
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect();
    words.extend(std::env::args().skip(1).filter(|a| !a.starts_with('-')));
    if words.is_empty() {
        return all;
    }
    let exact = |w: &str| all.iter().any(|p| p.name == w);
    let chosen = |p: &Program| {
        words.iter().any(|w| {
            if exact(w) {
                p.name == *w
            } else {
                p.name.contains(w.as_str())
            }
        })
    };
    all.iter().filter(|p| chosen(p)).cloned().collect()
}

/// Copies the shared libraries that the programs need and the GPU machine may lack; where the programs are linked there
/// (`link_there`), its own C++ libraries are the right ones.
pub fn carry_libraries(
    toolchain: &Toolchain,
    folder: &Path,
    link_there: bool,
) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let fortran = ["libgfortran.so.5", "libquadmath.so.0"];
    let others = ["libstdc++.so.6", "libgcc_s.so.1", "libgomp.so.1"];
    // Where it is linked, programs that call the host's BLAS are, too.
    let blas = ["libopenblas.so.0"];
    let others = if link_there { &blas[..] } else { &others[..] };
    let names = fortran.iter().chain(others);
    let from_compiler = names.filter_map(|name| {
        let argument = format!("-print-file-name={name}");
        toolchain
            .fortran
            .output_of(&[&argument])
            .map(|text| PathBuf::from(text.trim()))
    });
    let runtime = toolchain.cuda.as_ref().and_then(|c| c.shared_runtime());
    for library in from_compiler.chain(runtime).filter(|p| p.is_absolute()) {
        let target = folder.join(library.file_name().unwrap_or_default());
        fs::copy(&library, &target).map_err(|e| format!("{}: {e}", library.display()))?;
    }
    Ok(())
}
