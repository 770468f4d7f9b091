//! Separate compilation: one source to one object, and objects to a program or a shared library.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{
    BuildOptions, Builder, Error, Invocation, Job, Kind, Parts, Plan, Project, Toolchain, Unit,
    build_runtime_modules, build_runtime_of, libraries, locations, of_users, run_all, terminal,
};
use crate::driver::family::Family;
use crate::driver::paths;

pub use super::link::linked_device;

/// Compiles the units of a project that are not the runtime's and makes one object of them. Device code is relocatable. Returns the files in
/// which C and C++ compilers have listed what they read, as rules for make.
///
/// # Errors
/// [`Error::Toolchain`] if a compiler fails.
pub fn object(
    project: Project<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
    object: &Path,
) -> Result<Vec<PathBuf>, Error> {
    build_runtime_modules(toolchain, options, project.plan.dialect)?;
    let mut builder = Builder::new(project, toolchain, options)?;
    builder.relocatable = true;
    let mut jobs = Vec::new();
    let mut job_of = vec![None; project.plan.units.len()];
    for (index, unit) in project.plan.units.iter().enumerate() {
        if unit.runtime {
            continue;
        }
        let after = unit.after.iter().filter_map(|&i| job_of[i]).collect();
        job_of[index] = Some(jobs.len());
        jobs.push(builder.compile(unit, after));
    }
    let objects = builder.redirected(&job_of, &mut jobs);
    let after: Vec<usize> = objects.into_iter().flatten().collect();
    let mut command = Invocation::of(&toolchain.cc);
    command.args(["-r", "-nostdlib"]);
    command.args(after.iter().map(|&job| &jobs[job].product));
    command.arg("-o").arg(object);
    jobs.push(Job {
        product: object.to_path_buf(),
        command,
        inputs: Vec::new(),
        also: 0,
        lists: None,
        after,
    });
    run(&jobs, options, project)?;
    let lists = jobs.into_iter().filter_map(|job| job.lists);
    Ok(lists.map(|(rules, _)| rules).collect())
}

/// Compiles the Fortran of a project into objects and module files in its build folder, for others to use.
///
/// # Errors
/// [`Error::Toolchain`] if a compiler fails.
pub fn modules(
    project: Project<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<Vec<PathBuf>, Error> {
    build_runtime_modules(toolchain, options, project.plan.dialect)?;
    let builder = Builder::new(project, toolchain, options)?;
    let mut jobs = Vec::new();
    let mut job_of = vec![None; project.plan.units.len()];
    for (index, unit) in project.plan.units.iter().enumerate() {
        if unit.runtime {
            continue;
        }
        let after = unit.after.iter().filter_map(|&i| job_of[i]).collect();
        job_of[index] = Some(jobs.len());
        jobs.push(builder.compile(unit, after));
    }
    run(&jobs, options, project)?;
    Ok(jobs.into_iter().map(|j| j.product).collect())
}

/// What is linked.
#[derive(Debug, Default)]
pub struct Linked {
    /// Objects, archives and options of the linker, in the user's order.
    pub inputs: Vec<OsString>,
    /// Files whose device code is linked first.
    pub device: Vec<PathBuf>,
}

/// Links with the runtime. The units of `plan` are the runtime's.
///
/// # Errors
/// [`Error::Toolchain`] if a compiler fails or a library is missing.
pub fn link(
    plan: &Plan,
    toolchain: &Toolchain,
    options: &BuildOptions,
    linked: Linked,
    product: &Path,
) -> Result<(), Error> {
    let (builder, parts, mut jobs) = with_runtime(plan, toolchain, options, linked)?;
    builder.link_parts(product, parts, &mut jobs);
    if let Some(job) = jobs.last_mut().filter(|_| options.verbose) {
        // CMake reads off the linker's command what programs that another compiler links need.
        job.command.arg("-v");
    }
    run(&jobs, options, builder.project)
}

/// The words with which another compiler links; device code is linked into the object [`linked_device`].
///
/// # Errors
/// Those of [`link`].
pub fn link_words(
    plan: &Plan,
    toolchain: &Toolchain,
    options: &BuildOptions,
    linked: Linked,
    product: &Path,
) -> Result<Vec<OsString>, Error> {
    let (builder, mut parts, mut jobs) = with_runtime(plan, toolchain, options, linked)?;
    builder.link_device(product, &mut parts, &mut jobs);
    run(&jobs, options, builder.project)?;
    let mut command = Invocation::of(&toolchain.fortran);
    let own = command.arguments.len();
    command.args(&parts.inputs);
    if toolchain.family != Family::Gnu {
        return Err(Error::Toolchain(format!(
            "a link by g++ requires the libraries of gfortran, but {} is another compiler\nhelp: link with `cuf2cu fc`",
            toolchain.fortran
        )));
    }
    // The library of Fortran, which g++ finds where its gfortran has it.
    let library = toolchain
        .fortran
        .output_of(&["-print-file-name=libgfortran.so"]);
    let library = library.map(|file| PathBuf::from(file.trim()));
    let folder = library.as_deref().and_then(Path::parent);
    if let Some(folder) = folder.filter(|f| f.is_absolute()) {
        command.arg("-L").arg(paths::lexical(folder));
    }
    command.args(["-lgfortran", "-lm"]);
    if options.openmp {
        command.arg("-fopenmp");
    }
    builder.add_libraries(&mut command);
    Ok(command.arguments.split_off(own))
}

/// What is linked, with the runtime as an archive, and the jobs that make it.
fn with_runtime<'a>(
    plan: &'a Plan,
    toolchain: &'a Toolchain,
    options: &'a BuildOptions,
    linked: Linked,
) -> Result<(Builder<'a>, Parts, Vec<Job>), Error> {
    build_runtime_of(plan, toolchain, options)?;
    let project = Project {
        plan,
        source: Path::new("."),
        build: Path::new("."),
    };
    let mut builder = Builder::new(project, toolchain, options)?;
    builder.relocatable = true;
    builder.libraries = match &toolchain.cuda {
        Some(cuda) => libraries::cuda_flags(plan, options, cuda)?,
        None => libraries::cpu_flags(&plan.emulated)?,
    };
    let mut parts = Parts {
        inputs: linked.inputs,
        device: linked.device,
        ..Parts::default()
    };
    let (mut jobs, job_of) = builder.compilations(|_| true);
    let compiled = || plan.units.iter().zip(&job_of);
    let compiled = || compiled().filter_map(|(unit, job)| Some((unit, (*job)?)));
    // What stands for libraries differs from program to program.
    for (_, job) in compiled().filter(|(unit, _)| unit.is_of_library()) {
        parts.inputs.push(jobs[job].product.clone().into());
        parts.after.push(job);
    }
    let own = compiled().filter(|(unit, _)| !unit.is_of_library());
    let own: Vec<(&Unit, usize)> = own.collect();
    let archive = builder.runtime_archive(&own, &mut jobs);
    parts.inputs.push(jobs[archive].product.clone().into());
    parts.after.push(archive);
    Ok((builder, parts, jobs))
}

fn run(jobs: &[Job], options: &BuildOptions, project: Project<'_>) -> Result<(), Error> {
    if options.dry_run {
        for job in jobs {
            terminal::tell(format_args!("{}\n", job.command.shown()));
        }
        return Ok(());
    }
    let outcome = run_all(jobs, options.jobs, options.verbose, &|_| {});
    let warnings = locations::of_users(&of_users(outcome, project)?.warnings, project);
    if !warnings.is_empty() {
        terminal::warn("cuf2cu fc", Kind::Tool, &warnings);
    }
    Ok(())
}
