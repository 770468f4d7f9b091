//! The Makefile of the output: the build plan for people who have no cuf2cu.

use std::path::Path;

use askama::Template;

use super::Error;
use super::build::{BuildOptions, CPU_FLAGS, REDIRECTED};
use super::libraries;
use super::plan::{Language, Plan, Unit};
use super::toolchain::Target;
use crate::translate::MemoryMode;

struct Program {
    name: String,
    /// The object with the main program.
    object: Option<String>,
}

struct CudaLibrary<'a> {
    name: &'a str,
    /// What is linked instead of it; empty: nothing.
    archives: String,
}

struct Rule {
    source: String,
    object: String,
    after: Vec<String>,
    /// It is the program's own.
    own: bool,
}

#[derive(Template)]
#[template(path = "Makefile.mk", escape = "none")]
struct Makefile<'a> {
    title: &'a str,
    /// The target that is built if none is named.
    target: &'static str,
    cuda: bool,
    cpu: bool,
    optimise: &'a str,
    libraries: Vec<String>,
    /// Of the toolkit.
    cuda_libraries: Vec<CudaLibrary<'a>>,
    /// Some of them are linked statically.
    archives: bool,
    /// Of `libraries` what the cpu target has an emulation of.
    toolkit_libraries: Vec<String>,
    /// Of pkg-config, for the cpu target.
    packages: Vec<&'a str>,
    macros: &'a [String],
    /// For Fortran only.
    predefinitions: &'a [String],
    fortran: Vec<Rule>,
    fortran_flags: &'a [&'a str],
    /// Options for the program's own Fortran only.
    dialect_flags: &'a [&'a str],
    /// Functions that the program's Fortran objects call instead of others.
    redirected: &'a [&'a str],
    cpu_flags: &'a [&'a str],
    cc: &'a str,
    openmp: bool,
    relocatable: bool,
    own_cuda: bool,
    cuda_runtime: Vec<String>,
    cpu_runtime: Vec<String>,
    headers: Vec<String>,
    objects: Vec<String>,
    device_objects: Vec<String>,
    programs: Vec<Program>,
    device: Vec<Rule>,
    /// The user's own CUDA C++.
    own_rules: Vec<Rule>,
    cxx: Vec<Rule>,
    c: Vec<Rule>,
    compiler: &'a str,
}

/// The text of the Makefile for a plan; `title` names what was translated, `targets` what it can be built for.
///
/// # Errors
/// [`Error::Usage`] if a path cannot be written in a Makefile (spaces, `$`, `#`, `:`).
pub fn makefile(
    plan: &Plan,
    title: &str,
    options: &BuildOptions,
    targets: &[Target],
) -> Result<String, Error> {
    for path in plan.units.iter().map(|u| &u.source).chain(&plan.headers) {
        if path
            .to_string_lossy()
            .contains([' ', '\t', '$', '#', ':', '%', '\\', '\n'])
        {
            return Err(Error::Usage(format!(
                "{} cannot be named in a Makefile: rename it",
                path.display()
            )));
        }
    }
    let slashes = |path: &Path| path.to_string_lossy().into_owned();
    let rules = |language: &[Language]| -> Vec<Rule> {
        let units = plan.units.iter().filter(|u| language.contains(&u.language));
        let rule = |unit: &Unit| Rule {
            source: slashes(&unit.source),
            object: slashes(&unit.object),
            own: !unit.runtime,
            after: unit
                .after
                .iter()
                .map(|&i| slashes(&plan.units[i].object))
                .collect(),
        };
        units.map(rule).collect()
    };
    let runtime = |target| {
        plan.units_for(target)
            .filter(|(_, u)| u.runtime)
            .map(|(_, u)| slashes(&u.object))
            .collect()
    };
    let own = plan.units.iter().filter(|u| !u.runtime);
    let device = own
        .clone()
        .filter(|u| matches!(u.language, Language::Device | Language::Cuda));
    let cuda_libraries = cuda_libraries(plan, options);
    let object_of = |index: usize| slashes(&plan.units[index].object);
    let template = Makefile {
        title,
        target: targets.first().map_or("cuda", |t| t.name()),
        cuda: targets.contains(&Target::Cuda),
        cpu: targets.contains(&Target::Cpu),
        optimise: &options.optimise,
        libraries: own_libraries(plan, options),
        archives: cuda_libraries.iter().any(|l| !l.archives.is_empty()),
        cuda_libraries,
        toolkit_libraries: (options.libraries.iter())
            .filter(|l| libraries::is_of_toolkit(l))
            .map(|l| format!("-l{l}"))
            .collect(),
        packages: (libraries::packages(&plan.emulated).iter())
            .map(|(_, package)| *package)
            .collect(),
        macros: &options.macros,
        predefinitions: &plan.predefinitions,
        fortran: rules(&[Language::Fortran]),
        fortran_flags: &plan.fortran_flags(),
        dialect_flags: &plan.dialect_flags(),
        redirected: match plan.dialect.memory {
            MemoryMode::Managed => &REDIRECTED,
            MemoryMode::Separate | MemoryMode::Unified => &[],
        },
        cpu_flags: CPU_FLAGS,
        cc: if options.mpi { "mpicc" } else { "gcc" },
        compiler: if options.mpi { "mpifort" } else { "gfortran" },
        openmp: options.openmp,
        relocatable: plan.relocatable(),
        own_cuda: plan.own_cuda(),
        cuda_runtime: runtime(Target::Cuda),
        cpu_runtime: runtime(Target::Cpu),
        headers: plan.headers.iter().map(|h| slashes(h)).collect(),
        objects: own
            .filter(|u| u.main_program.is_none())
            .map(|u| slashes(&u.object))
            .collect(),
        device_objects: device.map(|u| slashes(&u.object)).collect(),
        programs: plan
            .programs()
            .into_iter()
            .map(|(main, name)| Program {
                name,
                object: main.map(object_of),
            })
            .collect(),
        device: rules(&[Language::Device]),
        own_rules: rules(&[Language::Cuda]),
        cxx: rules(&[Language::Cxx]),
        c: rules(&[Language::C]),
    };
    template
        .render()
        .map_err(|e| Error::Usage(format!("cannot write the Makefile: {e}")))
}

/// The libraries of the toolkit that the program's modules need, and those that options name where archives take their place.
fn cuda_libraries<'a>(plan: &'a Plan, options: &'a BuildOptions) -> Vec<CudaLibrary<'a>> {
    let mut names = libraries::of_toolkit(&plan.libraries);
    for name in options.libraries.iter().map(String::as_str) {
        if is_linked_statically(name, options) && !names.contains(&name) {
            names.push(name);
        }
    }
    let archives = |name: &str| match options.static_libraries {
        true => libraries::archives_of(name).join(" "),
        false => String::new(),
    };
    (names.into_iter())
        .map(|name| CudaLibrary {
            name,
            archives: archives(name),
        })
        .collect()
}

fn is_linked_statically(name: &str, options: &BuildOptions) -> bool {
    options.static_libraries && !libraries::archives_of(name).is_empty()
}

fn own_libraries(plan: &Plan, options: &BuildOptions) -> Vec<String> {
    let folders = options
        .library_folders
        .iter()
        .map(|f| format!("-L{}", f.display()));
    let named = options.libraries.iter();
    let named =
        named.filter(|l| !libraries::is_in_runtime(l, plan) && !is_linked_statically(l, options));
    folders.chain(named.map(|l| format!("-l{l}"))).collect()
}
