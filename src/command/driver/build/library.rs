//! Sources without a main program: a library of their objects, as the Makefile makes it.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use indicatif::ProgressBar;

use super::{
    BuildOptions, Error, Invocation, Job, Project, Toolchain, absolute, compilation, run_jobs, show,
};
use crate::driver::quote;

/// What was made of sources without a main program.
#[derive(Clone, Debug)]
pub struct Library {
    /// `lib<name>.a` in the folder of the build: the program's objects and those of the runtime that they need.
    pub archive: PathBuf,
    /// The module files of the program and of the runtime.
    pub modules: Vec<PathBuf>,
    /// Where those of the program lie.
    pub module_folder: PathBuf,
    /// What a program that uses it is linked with besides, for a shell.
    pub linked_with: String,
}

/// Compiles a project and makes a library of its objects, named as the plan says.
///
/// # Errors
/// [`Error::Toolchain`] if a compiler fails.
pub fn build_library(
    project: Project<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
    bar: &ProgressBar,
) -> Result<Library, Error> {
    let (builder, mut jobs, object_of) = compilation(project, toolchain, options)?;
    let units = project.plan.units_for(options.target);
    let objects: Vec<_> = units
        .filter_map(|(index, unit)| Some((object_of[index]?, unit)))
        .collect();
    let name = format!("lib{}.a", project.plan.library);
    let archive = project.build.join(name);
    let mut parts = builder.parts(&objects, &jobs);
    builder.link_device(&archive, &mut parts, &mut jobs);
    let mut command = Invocation::new(&toolchain.archiver());
    // Without times and owners: the same objects give the same bytes.
    command.arg("rcsD").arg(&archive).args(&parts.inputs);
    jobs.push(Job {
        product: archive.clone(),
        command,
        inputs: Vec::new(),
        also: 0,
        lists: None,
        after: parts.after,
    });
    show(&run_jobs(&jobs, project, options, bar)?);
    let mut modules = Vec::new();
    for folder in [&builder.runtime, project.build] {
        let folder = absolute(&folder.join("mod"));
        let found = fs::read_dir(&folder).map_err(|e| Error::file("read", &folder, &e))?;
        let files = found.flatten().map(|entry| entry.path());
        modules.extend(files.filter(|f| f.extension().is_some_and(|e| e == "mod" || e == "smod")));
    }
    modules.sort();
    let mut rest = Invocation::of(&toolchain.fortran);
    rest.args(builder.own_libraries(absolute));
    builder.add_libraries(&mut rest);
    let words = rest.arguments.iter().skip(toolchain.fortran.words.len());
    let quoted = words.map(|w: &OsString| quote::shell(&w.to_string_lossy()));
    Ok(Library {
        archive,
        modules,
        module_folder: project.build.join("mod"),
        linked_with: quoted.collect::<Vec<_>>().join(" "),
    })
}
