//! Separate compilation: one source to one object, and objects to a program or a shared library.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{
    BuildOptions, Builder, Error, Invocation, Job, Kind, Language, Parts, Plan, Project, Target,
    Toolchain, build_runtime_modules, build_runtime_of, libraries, of_users, places, run_all,
    terminal,
};

/// Compiles the units of a project that are not the runtime's and makes one object of them. Device code is relocatable.
///
/// # Errors
/// [`Error::Toolchain`] if a compiler fails, or for CUDA C++ of the user's own without nvcc.
pub fn object(
    project: Project<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
    object: &Path,
) -> Result<(), Error> {
    build_runtime_modules(toolchain, options, project.plan.dialect)?;
    let mut builder = Builder::new(project, toolchain, options)?;
    builder.relocatable = true;
    let mut jobs = Vec::new();
    let mut job_of = vec![None; project.plan.units.len()];
    for (index, unit) in project.plan.units.iter().enumerate() {
        if unit.runtime {
            continue;
        }
        if unit.language == Language::Cuda && options.target == Target::Cpu {
            return Err(Error::Toolchain(format!(
                "{}: CUDA C++ of your own needs nvcc; the cpu target cannot build it",
                unit.source.display()
            )));
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
    run(&jobs, options, project)
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

/// Links `inputs` (objects, archives and options of the linker in the user's order) with the runtime. Of `device`, the device code is
/// linked first. The units of `plan` are the runtime's.
///
/// # Errors
/// [`Error::Toolchain`] if a compiler fails or a library is missing.
pub fn link(
    plan: &Plan,
    toolchain: &Toolchain,
    options: &BuildOptions,
    inputs: Vec<OsString>,
    device: Vec<PathBuf>,
    product: &Path,
) -> Result<(), Error> {
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
        inputs,
        device,
        ..Parts::default()
    };
    let (mut jobs, job_of) = builder.compilations(|_| true);
    for job in job_of.into_iter().flatten() {
        parts.inputs.push(jobs[job].product.clone().into());
        parts.after.push(job);
    }
    builder.link_parts(product, parts, &mut jobs);
    run(&jobs, options, project)
}

fn run(jobs: &[Job], options: &BuildOptions, project: Project<'_>) -> Result<(), Error> {
    if options.dry_run {
        for job in jobs {
            terminal::tell(format_args!("{}\n", job.command.shown()));
        }
        return Ok(());
    }
    let outcome = run_all(jobs, options.jobs, options.verbose, &|_| {});
    let warnings = places::of_users(&of_users(outcome, project)?.warnings, project);
    if !warnings.is_empty() {
        terminal::warn("cuf2cu fc", Kind::Tool, &warnings);
    }
    Ok(())
}
