//! Compiles the device code of every conformance program that translates, with nvcc and without a GPU.
//!
//! Most of nvcc's time for a small program goes into the headers of CUDA, which the phases for host and device read once each.
//! So files are compiled in batches: one source that includes the generated files as they are, at global scope. Files share a
//! batch only if no name at global scope is in two of them and all need the same headers of the runtime; the files of a batch
//! that does not compile are compiled one by one, for the message and for the verdict. With `NVCC_ALONE=1` (`make test-all`)
//! every file is compiled alone.
//!
//! Arguments, or the variable NVCC, select programs by a part of the name. Programs that do not translate are
//! the business of the conformance suite and are skipped here.

mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cuf2cu::driver::plan::{Language, Plan, Unit};
use cuf2cu::driver::{BuildOptions, Package, Project, Target, Toolchain, build, toolchain};
use suite::warnings::{self, Warnings};
use suite::{Expect, Outcome, Program};

/// Files of a batch. More of them save little: what is left is their own code.
const BATCH: usize = 24;

fn main() -> ExitCode {
    if toolchain::find_cuda().is_none() {
        println!("skipped: nvcc was not found (make test installs it)");
        println!("test result: ok. 0 passed; 0 failed (nvcc)");
        return ExitCode::SUCCESS;
    }
    let toolchain = match Toolchain::find(Target::Cuda, false) {
        Ok(toolchain) => toolchain,
        Err(error) => {
            eprintln!("nvcc: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut all = suite::programs();
    all.extend(suite::samples());
    let mut programs = warnings::part(suite::select(all, "NVCC"));
    programs.retain(|p| p.expect == Expect::Pass);
    let mut options = BuildOptions::new(Target::Cuda);
    options.jobs = 1;
    // The least work that still runs every phase of the compiler.
    options.optimise = "0".to_owned();
    options.arch = Some("sm_90".to_owned());
    options.nvccflags = ["-Xcicc", "-O1", "-Xptxas", "-O0"]
        .map(str::to_owned)
        .to_vec();
    options.cache = suite::build_folder().join("cache");
    options.warnings = warnings::wanted_of_nvcc();
    let compilation = Compilation {
        told: Mutex::default(),
        toolchain,
        options,
        batches: std::env::var_os("NVCC_ALONE").is_none(),
    };
    let results = compilation.run(&programs);
    let expected =
        suite::report::expected_failures(&suite::root().join("tests/expected-failures-nvcc.txt"));
    let summary = suite::report::summarise(&programs, &results, &expected, programs.len() <= 10);
    print!("{}", summary.text);
    let told = compilation.told.into_inner();
    let told = told.unwrap_or_else(PoisonError::into_inner);
    let passed = programs.iter().zip(&results);
    let passed = passed.filter(|(_, (outcome, _))| *outcome == Outcome::Passed);
    let passed = passed.filter(|_| warnings::wanted_of_nvcc());
    let done = passed.map(|(p, _)| p.name.clone()).collect();
    let warned = warnings::faults(
        &suite::root().join("tests/warnings.txt"),
        "nvcc",
        &done,
        &told,
    );
    for text in &warned {
        println!("{text}");
    }
    let failed = summary.failed + warned.len();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {word}. {} passed; {failed} failed (nvcc)",
        summary.passed
    );
    ExitCode::from(u8::from(failed > 0))
}

struct Compilation {
    toolchain: Toolchain,
    options: BuildOptions,
    /// Files of several programs are compiled together.
    batches: bool,
    /// What nvcc warned of.
    told: Mutex<Warnings>,
}

/// Files that are compiled in one run.
struct Batch {
    /// Relocatable device code.
    relocatable: bool,
    /// Headers of the runtime that each of them includes.
    headers: BTreeSet<String>,
    /// Names at global scope.
    names: BTreeSet<String>,
    files: Vec<PathBuf>,
    /// The programs that they are of.
    programs: BTreeSet<String>,
}

impl Compilation {
    fn run(&self, programs: &[Program]) -> Vec<(Outcome, Duration)> {
        let packages = Mutex::new(BTreeMap::new());
        let mut results = suite::for_all(programs, suite::cores(), |program| {
            match program.generate(&output(program)) {
                Ok(package) => {
                    let mut all = packages.lock().unwrap_or_else(PoisonError::into_inner);
                    all.insert(program.name.clone(), package);
                    Outcome::Passed
                }
                Err(_) => Outcome::Skipped(
                    "does not translate yet (see the conformance suite)".to_owned(),
                ),
            }
        });
        let packages = packages
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let (batches, mut alone) = self.divided(programs, &packages);
        let numbered: Vec<(usize, &Batch)> = batches.iter().enumerate().collect();
        let said = suite::for_each(&numbered, suite::cores(), |(n, batch)| {
            self.compile_batch(*n, batch)
        });
        for (batch, result) in batches.iter().zip(said) {
            if let Err(text) = result {
                let first = text.lines().find(|l| l.contains("error"));
                println!(
                    "a batch of {} files does not compile, they are compiled alone: {}",
                    batch.files.len(),
                    first.unwrap_or(&text)
                );
                alone.extend(batch.programs.iter().cloned());
            }
        }
        let alone: Vec<(usize, &Package)> = programs
            .iter()
            .enumerate()
            .filter(|(_, p)| alone.contains(&p.name))
            .filter_map(|(index, p)| Some((index, packages.get(&p.name)?)))
            .collect();
        let outcomes = suite::for_each(&alone, suite::cores(), |(index, package)| {
            self.compile(&programs[*index], package)
        });
        for ((index, _), outcome) in alone.iter().zip(outcomes) {
            results[*index].0 = outcome;
        }
        results
    }

    /// The batches, and the programs of which each file is compiled alone.
    fn divided(
        &self,
        programs: &[Program],
        packages: &BTreeMap<String, Package>,
    ) -> (Vec<Batch>, BTreeSet<String>) {
        let mut batches: Vec<Batch> = Vec::new();
        let mut alone = BTreeSet::new();
        for program in programs {
            let Some(package) = packages.get(&program.name) else {
                continue;
            };
            let plan = &package.plan;
            // What newcomers build is compiled as they do it.
            let shared = self.batches && !program.name.starts_with("samples/");
            let files = match shared {
                true => texts(plan, &output(program)),
                false => None,
            };
            let Some(files) = files else {
                alone.insert(program.name.clone());
                continue;
            };
            for file in files {
                let fits = |batch: &&mut Batch| {
                    batch.files.len() < BATCH
                        && batch.relocatable == plan.relocatable()
                        && batch.headers == file.headers
                        && batch.names.is_disjoint(&file.names)
                };
                match batches.iter_mut().find(fits) {
                    Some(batch) => {
                        batch.names.extend(file.names);
                        batch.files.push(file.path);
                        batch.programs.insert(program.name.clone());
                    }
                    None => batches.push(Batch {
                        relocatable: plan.relocatable(),
                        headers: file.headers,
                        names: file.names,
                        files: vec![file.path],
                        programs: BTreeSet::from([program.name.clone()]),
                    }),
                }
            }
        }
        (batches, alone)
    }

    fn compile_batch(&self, number: usize, batch: &Batch) -> Result<(), String> {
        let folder = suite::build_folder().join("nvcc/batches");
        let name = format!("batch_{number}.cu");
        let mut text = String::new();
        for file in &batch.files {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "#include \"{}\"", file.display());
        }
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(folder.join(&name), text))
            .map_err(|e| format!("{}: {e}", folder.display()))?;
        let unit = Unit {
            object: PathBuf::from(format!("{name}.o")),
            source: PathBuf::from(name),
            language: Language::Device,
            runtime: false,
            after: Vec::new(),
            main_program: None,
            provides: Vec::new(),
            included: Vec::new(),
            uses: Vec::new(),
        };
        let folders: BTreeSet<&Path> = batch.files.iter().filter_map(|f| f.parent()).collect();
        let plan = Plan {
            units: vec![unit],
            device_declarations: batch.relocatable,
            // Whatever a file of the batch includes.
            headers: folders.into_iter().flat_map(entries).collect(),
            ..Plan::default()
        };
        let project = Project {
            plan: &plan,
            source: &folder,
            build: &folder.join("obj"),
        };
        build::compile_device_sources(project, &self.toolchain, &self.options)
            .map(|output| self.hear(&output, "a batch", &project))
            .map_err(|e| e.to_string())
    }

    /// Keeps the warnings of a compilation, by the programs of the files that they name.
    fn hear(&self, output: &str, program: &str, project: &Project<'_>) {
        let ours = warnings::ours(output);
        if ours.is_empty() || !self.options.warnings {
            return;
        }
        // What is compiled already gives no warnings the next time.
        let _ = fs::remove_dir_all(project.build);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        for line in ours {
            let of = warnings::program_of(&line, &suite::build_folder().join("nvcc"));
            let of = of.unwrap_or_else(|| program.to_owned());
            told.entry(of).or_default().insert(line);
        }
    }

    fn compile(&self, program: &Program, package: &Package) -> Outcome {
        let project = Project {
            plan: &package.plan,
            source: &output(program),
            build: &program.folder("nvcc").join("obj"),
        };
        match build::compile_device_sources(project, &self.toolchain, &self.options) {
            Ok(output) => {
                self.hear(&output, &program.name, &project);
                Outcome::Passed
            }
            Err(error) => Outcome::failed("build", error.to_string()),
        }
    }
}

/// Where the generated files of a program lie.
fn output(program: &Program) -> PathBuf {
    program.folder("nvcc").join("out")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "cu" || e == "cuh"))
        .collect();
    paths.sort();
    paths
}

/// What of a generated file decides which others it may be compiled with.
struct FileFacts {
    path: PathBuf,
    headers: BTreeSet<String>,
    names: BTreeSet<String>,
}

/// The generated C++ of a program; None if it has to be compiled alone: there is C++ of the user's own, files lie in several
/// folders, or a line tells the preprocessor more than which files to include.
fn texts(plan: &Plan, out: &Path) -> Option<Vec<FileFacts>> {
    let own = |u: &&Unit| !u.runtime && !matches!(u.language, Language::Fortran);
    let mut headers = BTreeMap::new();
    for header in &plan.headers {
        headers.insert(
            header.to_str()?.to_owned(),
            fs::read_to_string(out.join(header)).ok()?,
        );
    }
    let mut files = Vec::new();
    for unit in plan.units.iter().filter(own) {
        if unit.language != Language::Device || unit.source.components().count() != 1 {
            return None;
        }
        let path = out.join(&unit.source);
        let text = fs::read_to_string(&path).ok()?;
        let mut facts = FileFacts {
            path,
            headers: BTreeSet::new(),
            names: BTreeSet::new(),
        };
        facts.read(&text, &headers)?;
        files.push(facts);
    }
    Some(files)
}

impl FileFacts {
    /// Reads a file and those of its program that it includes.
    fn read(&mut self, text: &str, own: &BTreeMap<String, String>) -> Option<()> {
        let mut waiting = vec![text];
        let mut seen = BTreeSet::new();
        while let Some(text) = waiting.pop() {
            let mut foreign = false;
            let mut lines = text.lines();
            while let Some(line) = lines.next() {
                if line == "#if defined(CUF_CPU_LOOPS)" {
                    // For the cpu target.
                    lines.find(|l| *l == "#endif");
                } else if let Some(included) = line.strip_prefix("#include ") {
                    let name = included.trim_matches('"');
                    match own.get(name) {
                        Some(text) if seen.insert(name) => waiting.push(text),
                        Some(_) => {}
                        None => {
                            self.headers.insert(included.to_owned());
                        }
                    }
                } else if line.trim_start().starts_with('#') && line != "#pragma once" {
                    return None;
                } else if let Some(rest) = line.strip_prefix("namespace ") {
                    self.names.extend(rest.split(' ').next().map(str::to_owned));
                } else if line == "extern \"C\" {" {
                    foreign = true;
                } else if line == "}  // extern \"C\"" {
                    foreign = false;
                } else if foreign && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    let before = line.split('(').next().unwrap_or_default();
                    let word = before.rsplit([' ', '*', '&']).next();
                    self.names.extend(word.map(str::to_owned));
                }
            }
        }
        Some(())
    }
}
