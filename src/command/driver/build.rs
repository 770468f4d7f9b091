//! Builds a translated project: the plan's units as compiler commands, then the link.

mod library;
mod link;
pub mod separate;

use std::ffi::OsString;
use std::fs;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::family::Family;
use super::jobs::{Invocation, Job, run_all};
use super::libraries;
pub use super::options::{BuildOptions, CPU_FLAGS, Checks, DEFAULT_ARCH, FORTRAN_FLAGS, NATIVE};
use super::paths::absolute;
use super::plan::{Language, Plan, Unit};
use super::runtime::{FILES, RuntimeFile};
use super::toolchain::{Cuda, Target, Toolchain, version_line};
use super::{Error, cache, dependencies, jobs, locations, own_cuda, terminal};
use crate::diag::message::Kind;
use crate::translate::{Dialect, MemoryMode};
pub use library::{Library, build_library};
use link::Parts;

/// The functions that Fortran objects call for memory, and those of the runtime that they call in the memory mode "managed".
pub const REDIRECTED: [&str; 4] = [
    "malloc=cuf_rt_host_malloc",
    "calloc=cuf_rt_host_calloc",
    "realloc=cuf_rt_host_realloc",
    "free=cuf_rt_host_free",
];

/// Where a build with LLVM flang stops.
pub const NO_MANAGED: &str = "--mem=managed is not supported with LLVM flang; use gfortran";

/// The option of gfortran and g++ for [`BuildOptions::plain_messages`].
const PLAIN: &str = "-fdiagnostics-plain-output";

/// A project to build: a plan whose files lie in `source`; objects and programs go to `build`.
#[derive(Clone, Copy, Debug)]
pub struct Project<'a> {
    pub plan: &'a Plan,
    pub source: &'a Path,
    pub build: &'a Path,
}

/// Builds every program of a project, and shows what the compilers warn of.
///
/// Returns the paths of the executables, in the order of the plan.
///
/// # Errors
/// [`Error::Toolchain`] if a compiler fails, [`Error::Usage`] if there is no main program.
pub fn build(
    project: Project<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
    bar: &ProgressBar,
) -> Result<Vec<PathBuf>, Error> {
    let (programs, warnings) = build_and_hear(project, toolchain, options, bar)?;
    show(&warnings);
    Ok(programs)
}

/// [`build`], which gives the warnings of the compilers that ran, with the user's places, beside the executables.
///
/// # Errors
/// Those of [`build`].
pub fn build_and_hear(
    project: Project<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
    bar: &ProgressBar,
) -> Result<(Vec<PathBuf>, String), Error> {
    let programs = project.plan.programs();
    if programs.is_empty() {
        return Err(Error::Usage("no main program found".to_owned()));
    }
    let (builder, mut jobs, object_of) = compilation(project, toolchain, options)?;
    let mut products = Vec::new();
    for (main, name) in &programs {
        let mut linked = Vec::new();
        for (index, unit) in project.plan.units_for(options.target) {
            if unit.main_program.is_none() || Some(index) == *main {
                linked.extend(object_of[index].map(|job| (job, unit)));
            }
        }
        products.push(builder.link(name, &linked, &mut jobs));
    }
    let warnings = run_jobs(&jobs, project, options, bar)?;
    Ok((products, warnings))
}

/// Shows warnings of compilers.
fn show(warnings: &str) {
    if !warnings.is_empty() {
        terminal::warn("cuf2cu", Kind::Tool, warnings);
    }
}

/// The jobs of a build.
type Jobs = Vec<Job>;

/// The builder of a project whose runtime is compiled, the jobs that compile the project, and per unit of the plan the job of the object to link;
/// units of the other target have none.
fn compilation<'a>(
    project: Project<'a>,
    toolchain: &'a Toolchain,
    options: &'a BuildOptions,
) -> Result<(Builder<'a>, Jobs, Vec<Option<usize>>), Error> {
    build_runtime_of(project.plan, toolchain, options)?;
    let mut builder = Builder::new(project, toolchain, options)?;
    builder.libraries = match &toolchain.cuda {
        Some(cuda) => libraries::cuda_flags(project.plan, options, cuda)?,
        None => libraries::cpu_flags(&project.plan.emulated)?,
    };
    let (mut jobs, job_of) = builder.compilations(|_| true);
    let object_of = builder.redirected(&job_of, &mut jobs);
    Ok((builder, jobs, object_of))
}

/// Runs the jobs of a build, with the user's places in what compilers say; returns what they warned of.
fn run_jobs(
    jobs: &[Job],
    project: Project<'_>,
    options: &BuildOptions,
    bar: &ProgressBar,
) -> Result<String, Error> {
    bar.set_length(jobs.len() as u64);
    let outcome = run_all(jobs, options.jobs, options.verbose, &|job| {
        bar.set_message(
            job.product
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        );
        bar.inc(1);
    });
    bar.finish_and_clear();
    Ok(locations::of_users(
        &of_users(outcome, project)?.warnings,
        project,
    ))
}

/// A failure's messages with the user's places.
fn of_users<T>(result: Result<T, Error>, project: Project<'_>) -> Result<T, Error> {
    result.map_err(|error| match error {
        Error::Toolchain(text) => Error::Toolchain(locations::of_users(&text, project)),
        other => other,
    })
}

/// Compiles the whole runtime for programs in `dialect` into the cache, so that later builds find it there. Builds at the same time (`make -j`) wait for
/// each other here, and find it done.
///
/// # Errors
/// [`Error::Toolchain`] if a compiler fails.
pub fn build_runtime(
    toolchain: &Toolchain,
    options: &BuildOptions,
    dialect: Dialect,
) -> Result<(), Error> {
    let plan = Plan {
        dialect,
        ..Plan::default()
    };
    build_runtime_of(&plan, toolchain, options)
}

/// The same with what a program of this plan needs besides. What is done here is found up to date by the jobs of the program.
fn build_runtime_of(
    plan: &Plan,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<(), Error> {
    if options.dry_run {
        return Ok(());
    }
    let plan = Plan::for_runtime(plan.dialect, &plan.emulated);
    let project = Project {
        plan: &plan,
        source: Path::new("."),
        build: Path::new("."),
    };
    let builder = Builder::new(project, toolchain, options)?;
    // With nobody else at work on it: two gfortrans that write one module file at the same time fail, or leave none.
    let _alone = builder.lock_runtime()?;
    let (jobs, _) = builder.compilations(|_| true);
    if options.announces && jobs.iter().any(|job| !job.product.exists()) {
        terminal::note(format_args!(
            "cuf2cu: note: compiling the runtime, once for these compilers and options\n"
        ));
    }
    run_all(&jobs, options.jobs, options.verbose, &|_| {}).map(|_| ())
}

/// Makes the module files of the runtime, which compiling needs; its objects are needed by a link only. Of the options none matters to them.
///
/// # Errors
/// [`Error::Toolchain`] if the compiler fails.
pub fn build_runtime_modules(
    toolchain: &Toolchain,
    options: &BuildOptions,
    dialect: Dialect,
) -> Result<(), Error> {
    if options.dry_run {
        return Ok(());
    }
    let plan = Plan::for_runtime(dialect, &[]);
    let project = Project {
        plan: &plan,
        source: Path::new("."),
        build: Path::new("."),
    };
    let builder = Builder::new(project, toolchain, options)?;
    let complete = builder.runtime.join("mod/complete");
    if complete.exists() {
        return Ok(());
    }
    let _alone = builder.lock_runtime()?;
    if complete.exists() {
        return Ok(());
    }
    for unit in plan
        .units
        .iter()
        .filter(|u| u.language == Language::Fortran)
    {
        let mut command = builder.fortran_command(unit);
        let source = absolute(&builder.runtime.join(&unit.source));
        command.arg("-fsyntax-only").arg(source);
        jobs::run(&command)?;
    }
    fs::write(&complete, "").map_err(|e| Error::file("write", &complete, &e))
}

/// Compiles the generated device sources to objects, and nothing else: a check that the compiler accepts them. Returns its warnings.
///
/// # Errors
/// [`Error::Toolchain`] with what the compiler printed.
pub fn compile_device_sources(
    project: Project<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<String, Error> {
    let builder = Builder::new(project, toolchain, options)?;
    let units = project
        .plan
        .units
        .iter()
        .filter(|u| !u.runtime && matches!(u.language, Language::Device | Language::Cuda));
    let jobs: Vec<Job> = units
        .map(|unit| builder.compile(unit, Vec::new()))
        .collect();
    run_all(&jobs, options.jobs, options.verbose, &|_| {}).map(|done| done.warnings)
}

/// Compiles the Fortran of a project, the runtime's too, and links nothing. The objects are the same for both targets.
///
/// # Errors
/// [`Error::Toolchain`] with what the compiler printed.
pub fn compile_fortran(
    project: Project<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<Vec<PathBuf>, Error> {
    build_runtime_of(project.plan, toolchain, options)?;
    let builder = Builder::new(project, toolchain, options)?;
    let (mut jobs, job_of) = builder.compilations(|unit| unit.language == Language::Fortran);
    let objects = builder.redirected(&job_of, &mut jobs);
    run_all(&jobs, options.jobs, options.verbose, &|_| {})?;
    let product = |job: usize| jobs[job].product.clone();
    Ok(objects.into_iter().flatten().map(product).collect())
}

struct Builder<'a> {
    project: Project<'a>,
    toolchain: &'a Toolchain,
    options: &'a BuildOptions,
    arch: String,
    relocatable: bool,
    /// Runtime sources, objects and modules for these compilers and flags.
    runtime: PathBuf,
    in_use: Option<cache::InUse>,
    /// Of modules that others have compiled.
    modules: u64,
    /// What the linker is told for the libraries of CUDA.
    libraries: Vec<OsString>,
}

impl<'a> Builder<'a> {
    fn new(
        project: Project<'a>,
        toolchain: &'a Toolchain,
        options: &'a BuildOptions,
    ) -> Result<Builder<'a>, Error> {
        // flang's allocations do not go through the functions of `REDIRECTED`: programs ended with a signal.
        if project.plan.dialect.memory == MemoryMode::Managed && toolchain.family == Family::Flang {
            return Err(Error::Toolchain(NO_MANAGED.to_owned()));
        }
        let arch = match (&options.arch, options.target) {
            (Some(arch), _) if arch != "native" => arch.clone(),
            (_, Target::Cuda) if super::toolchain::gpu_present() => "native".to_owned(),
            _ => DEFAULT_ARCH.to_owned(),
        };
        let relocatable = project.plan.relocatable();
        let mut builder = Builder {
            project,
            toolchain,
            options,
            arch,
            relocatable,
            runtime: PathBuf::new(),
            in_use: None,
            modules: dependencies::modules(&options.include_folders),
            libraries: Vec::new(),
        };
        builder.runtime = builder.runtime_folder();
        cache::make(&options.cache, &builder.runtime)?;
        builder.in_use = Some(cache::used(&builder.runtime));
        builder.unpack_runtime()?;
        // A plan of the runtime alone makes nothing of a project's.
        let own = project.plan.units.iter().any(|u| !u.runtime);
        let own = own.then(|| project.build.join("mod"));
        for folder in own.into_iter().chain([builder.runtime.join("mod")]) {
            fs::create_dir_all(&folder).map_err(|e| Error::file("create", &folder, &e))?;
        }
        Ok(builder)
    }

    fn runtime_folder(&self) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        for file in FILES.iter() {
            (&file.name, &file.text).hash(&mut hasher);
        }
        for compiler in [&self.toolchain.fortran, &self.toolchain.cxx] {
            (compiler, compiler.version_line()).hash(&mut hasher);
        }
        if let Some(cuda) = &self.toolchain.cuda {
            (&cuda.nvcc, version_line(&cuda.nvcc)).hash(&mut hasher);
        }
        let options = self.options;
        (
            env!("CARGO_PKG_VERSION"),
            (options.target == Target::Cuda).then_some(&self.arch),
            options.checks,
            options.position_independent,
        )
            .hash(&mut hasher);
        options.cache.join(format!(
            "runtime-{}-{:016x}",
            options.target.name(),
            hasher.finish()
        ))
    }

    /// Writes the runtime sources into the cache, each file completely or not at all.
    fn unpack_runtime(&self) -> Result<(), Error> {
        for file in FILES.iter() {
            let path = self.runtime_source(file);
            if path.exists() {
                continue;
            }
            let folder = path.parent().unwrap_or(&self.runtime);
            fs::create_dir_all(folder).map_err(|e| Error::file("create", folder, &e))?;
            let scratch = Job::scratch(&path);
            fs::write(&scratch, file.text.as_bytes())
                .and_then(|()| fs::rename(&scratch, &path))
                .map_err(|e| Error::file("write", &path, &e))?;
        }
        Ok(())
    }

    fn runtime_source(&self, file: &RuntimeFile) -> PathBuf {
        self.runtime.join(super::runtime::FOLDER).join(&file.name)
    }

    /// Adds the job of the precompiled runtime header, if it is wanted.
    fn precompiled_header(&self, jobs: &mut Vec<Job>) -> Option<usize> {
        if !self.options.precompiled_header || self.options.target == Target::Cuda {
            return None;
        }
        let source = self.runtime.join(super::runtime::FOLDER).join("cuf.cuh");
        // A compiler that does not want the precompiled one, as on another machine with this cache, reads the header.
        let beside = self.precompiled();
        if !beside.exists() {
            let _ = beside.parent().map(fs::create_dir_all);
            let _ = fs::write(&beside, "#include \"../cuf/cuf.cuh\"\n");
        }
        let product = beside.with_extension("cuh.gch");
        let mut command = self.cpu_compiler(false);
        // It is a header, of which g++ says that its `#pragma once` stands in the main file.
        command
            .args(["-w", "-x", "c++-header"])
            .arg(&source)
            .arg("-o")
            .arg(&product);
        jobs.push(Job {
            product,
            command,
            inputs: vec![source],
            also: 0,
            lists: None,
            after: Vec::new(),
        });
        Some(jobs.len() - 1)
    }

    /// The option for [`BuildOptions::position_independent`].
    fn position_flag(&self) -> Option<&'static str> {
        self.options.position_independent.then_some("-fPIC")
    }

    /// The precompiled header is good for the options that it was made with.
    fn precompiled(&self) -> PathBuf {
        let mut hasher = blake3::Hasher::new();
        for argument in &self.cpu_compiler(false).arguments {
            hasher.update(argument.as_encoded_bytes()).update(&[0]);
        }
        let digest = hasher.finalize().to_hex();
        self.runtime
            .join(format!("pch-{}", &digest[..16]))
            .join("cuf.cuh")
    }

    /// `-O`: the runtime is the same for programs of all levels.
    fn level(&self, runtime: bool) -> String {
        let level = if runtime { "2" } else { &self.options.optimise };
        format!("-O{level}")
    }

    fn cpu_compiler(&self, runtime: bool) -> Invocation {
        let mut command = Invocation::of(&self.toolchain.cxx);
        command
            .args(CPU_FLAGS)
            .args(self.toolchain.family.device_macro())
            .arg(self.level(runtime))
            .args(self.position_flag());
        if !runtime {
            // Device code is as it was translated a moment ago, so what is said beside it holds.
            command.arg("-DCUF_CPU_LOOPS");
        }
        if let Some(march) = self.options.march.as_deref().filter(|_| !runtime) {
            command.arg(format!("-march={march}"));
            if march == NATIVE {
                // What another machine with this cache made is not good here.
                command.arg(format!("-DCUF_PROCESSOR={}", super::processor::processor()));
            }
        }
        if self.options.openmp && !runtime {
            command.arg("-fopenmp");
        }
        let checks = self.options.checks;
        command.args(match runtime {
            true => checks.runtime_flags(),
            false => checks.device_flags(),
        });
        command
            .arg("-I")
            .arg(self.runtime.join(super::runtime::FOLDER));
        command
    }

    fn nvcc(&self, cuda: &Cuda, runtime: bool) -> Invocation {
        let (compiler, words) = self.toolchain.cxx.compiler();
        let mut command = Invocation::new(&cuda.nvcc);
        command
            .args(["-std=c++20", "-ccbin"])
            .arg(compiler)
            .args(self.toolchain.family.device_macro())
            .arg(format!("-arch={}", self.arch));
        for word in words {
            command.arg("-Xcompiler").arg(word);
        }
        if self.options.position_independent {
            command.args(["-Xcompiler", "-fPIC"]);
        }
        if self.options.openmp && !runtime {
            command.args(["-Xcompiler", "-fopenmp"]);
        }
        command
    }

    /// The command for one unit.
    fn compile(&self, unit: &Unit, after: Vec<usize>) -> Job {
        let (source, product) = if unit.runtime {
            (
                self.runtime.join(&unit.source),
                self.runtime.join("obj").join(&unit.object),
            )
        } else {
            (
                self.project.source.join(match self.emulates(unit) {
                    true => own_cuda::place(&unit.source),
                    false => unit.source.clone(),
                }),
                self.project.build.join(&unit.object),
            )
        };
        let (mut command, source, product) = match unit.language {
            Language::Fortran => (
                self.fortran_command(unit),
                absolute(&source),
                absolute(&product),
            ),
            Language::Device | Language::Cuda => (self.device_command(unit), source, product),
            Language::Cxx | Language::C => (self.host_command(unit), source, product),
        };
        let own_fortran = unit.language == Language::Fortran && !unit.runtime;
        let marked = self.options.checks.wanted() && locations::has_markers(&source);
        let source = match own_fortran && !marked && !self.options.dry_run {
            true => locations::with_lines(&source, &unit.source, self.project).unwrap_or(source),
            false => source,
        };
        let lists = (unit.language != Language::Fortran && !unit.runtime).then(|| {
            let mut rules = product.clone().into_os_string();
            rules.push(".d");
            command.args(["-MMD", "-MF"]).arg(&rules);
            (rules.into(), self.runtime.clone())
        });
        command.arg("-c").arg(&source).arg("-o").arg(&product);
        let mut inputs = vec![source];
        if own_fortran {
            let folders = self.include_folders(unit);
            inputs.extend(dependencies::included(&inputs[0], &folders));
        }
        Job {
            product,
            command,
            inputs,
            also: if own_fortran { self.modules } else { 0 },
            lists,
            after,
        }
    }

    /// gfortran prefers the module files of the folder it runs in (which may be another compiler's) to all others: it runs
    /// in the folder of the module files, and all paths are absolute.
    fn fortran_command(&self, unit: &Unit) -> Invocation {
        let mut command = Invocation::of(&self.toolchain.fortran);
        if command.program.components().count() > 1 {
            command.program = absolute(&command.program);
        }
        command
            .args(match unit.runtime {
                // The runtime is compiled alike for all programs, which share it.
                true => FORTRAN_FLAGS.to_vec(),
                false => self.project.plan.fortran_flags(),
            })
            .arg(self.level(unit.runtime))
            .args(self.position_flag());
        if self.options.openmp && !unit.runtime {
            command.arg("-fopenmp");
        }
        let modules = if unit.runtime {
            self.runtime.join("mod")
        } else {
            self.project.build.join("mod")
        };
        let modules = absolute(&modules);
        command.arg("-J").arg(&modules);
        command.folder = Some(modules);
        if unit.runtime {
            // gfortran suspects every pointer dummy of a bind(C) procedure.
            command.arg("-Wno-c-binding-type");
        } else {
            command.args(self.project.plan.dialect_flags());
            command.args(&self.project.plan.predefinitions);
            command.args(&self.options.macros);
            command.arg("-I").arg(absolute(&self.runtime.join("mod")));
            self.add_project_folders(unit, &mut command);
            if self.options.plain_messages {
                command.arg(PLAIN);
            }
            command.args(
                self.options
                    .checks
                    .fortran_flags(self.options.target, self.toolchain.family),
            );
            if self.options.warnings {
                command.arg("-Wall");
            }
            command.args(self.options.fflags_everywhere());
        }
        self.toolchain.family.translate(&mut command.arguments);
        command
    }

    /// Adds the jobs that give the program's Fortran objects another malloc, where the memory mode has one; per unit of the plan the job
    /// of the object to link.
    fn redirected(&self, job_of: &[Option<usize>], jobs: &mut Vec<Job>) -> Vec<Option<usize>> {
        let mut object_of = job_of.to_vec();
        if self.project.plan.dialect.memory != MemoryMode::Managed {
            return object_of;
        }
        for (unit, job) in self.project.plan.units.iter().zip(&mut object_of) {
            let Some(at) = job.filter(|_| unit.takes_host_memory()) else {
                continue;
            };
            let source = jobs[at].product.clone();
            let mut product = source.clone().into_os_string();
            product.push(".managed.o");
            let product = PathBuf::from(product);
            let mut command = Invocation::new(&self.toolchain.objcopy);
            command
                .args(REDIRECTED.map(|names| format!("--redefine-sym={names}")))
                .arg(&source)
                .arg(&product);
            *job = Some(jobs.len());
            jobs.push(Job {
                product,
                command,
                inputs: Vec::new(),
                also: 0,
                lists: None,
                after: vec![at],
            });
        }
        object_of
    }

    fn device_command(&self, unit: &Unit) -> Invocation {
        let mut command = match &self.toolchain.cuda {
            Some(cuda) => {
                let mut command = self.nvcc(cuda, unit.runtime);
                command
                    .arg(self.level(unit.runtime))
                    .args(["-x", "cu", "-I"])
                    .arg(self.runtime.join(super::runtime::FOLDER));
                if self.relocatable && !unit.runtime {
                    command.arg("-rdc=true");
                }
                command
            }
            None => {
                let mut command = self.cpu_compiler(unit.runtime);
                let own = unit.language == Language::Cuda;
                if self.options.precompiled_header && !unit.runtime && !own {
                    command.arg("-include").arg(self.precompiled());
                }
                command.args(["-x", "c++"]);
                if own {
                    self.add_emulation(&mut command);
                }
                command
            }
        };
        if !unit.runtime {
            for choice in &self.project.plan.choices {
                let name = choice.in_device_code().name;
                command.arg(format!("-D{name}={}", u8::from(choice.given)));
            }
            for numbers in &self.project.plan.numbers {
                let name = numbers.choice(&numbers.value).in_device_code().name;
                command.arg(format!("-D{name}={}", numbers.value));
            }
            self.add_project_folders(unit, &mut command);
            if self.options.plain_messages && self.options.target == Target::Cpu {
                command.arg(PLAIN);
            }
            match self.options.target {
                _ if !self.options.warnings => {}
                Target::Cpu => {
                    command.args(["-Wall", "-Wextra"]);
                }
                Target::Cuda => {
                    command.args(["-Xcompiler", "-Wall,-Wextra"]);
                }
            }
            if self.options.target == Target::Cuda {
                command.args(&self.options.nvccflags);
            }
        }
        command
    }

    fn host_command(&self, unit: &Unit) -> Invocation {
        let mut command = Invocation::of(if unit.language == Language::C {
            &self.toolchain.cc
        } else {
            &self.toolchain.cxx
        });
        command
            .arg(format!("-O{}", self.options.optimise))
            .args(self.position_flag())
            .args(self.options.checks.line_flags());
        if self.options.openmp {
            command.arg("-fopenmp");
        }
        if let Some(include) = self
            .toolchain
            .cuda
            .as_ref()
            .and_then(|c| c.nvcc.parent()?.parent().map(|root| root.join("include")))
        {
            command.arg("-I").arg(include);
        }
        self.add_project_folders(unit, &mut command);
        if self.options.target == Target::Cpu && unit.language == Language::Cxx {
            command.arg("-I").arg(self.emulated_headers());
        }
        command
    }

    /// Whether the unit is compiled from its text for the cpu target.
    fn emulates(&self, unit: &Unit) -> bool {
        unit.language == Language::Cuda && self.options.target == Target::Cpu
    }

    /// CUDA's headers for the cpu target.
    fn emulated_headers(&self) -> PathBuf {
        self.runtime
            .join(super::runtime::FOLDER)
            .join(own_cuda::HEADERS)
    }

    /// Where translated CUDA C++ looks for headers before all other folders.
    fn add_emulation(&self, command: &mut Invocation) {
        command.arg("-I").arg(self.emulated_headers());
        for folder in own_cuda::include_folders(&self.project.plan.include) {
            command.arg("-I").arg(self.project.source.join(folder));
        }
    }

    fn add_project_folders(&self, unit: &Unit, command: &mut Invocation) {
        // The user's macros are not for generated C++, which has names of its own.
        if unit.language != Language::Device {
            command.args(&self.options.macros);
        }
        for folder in self.include_folders(unit) {
            let folder = match command.folder {
                Some(_) => absolute(&folder),
                None => folder,
            };
            command.arg("-I").arg(folder);
        }
    }

    /// Where included files of a unit are looked up.
    fn include_folders(&self, unit: &Unit) -> Vec<PathBuf> {
        let mut folders = vec![self.project.source.to_path_buf()];
        if let Some(folder) = unit.source.parent().filter(|f| !f.as_os_str().is_empty()) {
            folders.push(self.project.source.join(folder));
        }
        folders.extend(self.options.include_folders.iter().cloned());
        folders
    }

    /// The jobs that compile the units of the plan for this target that are `wanted`, and per unit of the plan its job.
    fn compilations(&self, wanted: impl Fn(&Unit) -> bool) -> (Jobs, Vec<Option<usize>>) {
        let plan = self.project.plan;
        let units = || {
            plan.units_for(self.options.target)
                .filter(|(_, u)| wanted(u))
        };
        let mut jobs = Vec::new();
        let header = match units().any(|(_, u)| u.language == Language::Device && !u.runtime) {
            true => self.precompiled_header(&mut jobs),
            false => None,
        };
        let mut job_of = vec![None; plan.units.len()];
        for (index, unit) in units() {
            let mut after: Vec<usize> = unit.after.iter().filter_map(|&i| job_of[i]).collect();
            // The runtime does without the header, which is made anew for other options.
            if unit.language == Language::Device && !unit.runtime {
                after.extend(header);
            }
            job_of[index] = Some(jobs.len());
            jobs.push(self.compile(unit, after));
        }
        (jobs, job_of)
    }

    /// The runtime in the cache is this process's to build until the result is dropped.
    fn lock_runtime(&self) -> Result<File, Error> {
        super::output::lock(&self.runtime.join("lock"))
    }
}
