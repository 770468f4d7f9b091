//! The CMakeLists.txt of the output: the build plan once more, for people whose projects CMake builds.

use std::path::Path;

use askama::Template;

use super::Error;
use super::build::{BuildOptions, CPU_FLAGS, NO_MANAGED, REDIRECTED};
use super::family::Family;
use super::headers::IncludeFolder;
use super::makefile::{CudaLibrary, cuda_libraries, is_linked_statically, packages};
use super::paths::absolute;
use super::plan::{Language, Plan, Unit};
use super::quote::{cmake, cmake_option, cmake_word};
use super::settings;
use super::toolchain::Target;
use super::{libraries, own_cuda};
use crate::translate::{MemoryMode, Numbers, VariantMacro};

/// The module for projects that translate when they are configured: `cuf2cu cmake-module`.
pub const MODULE: &str = include_str!("../../../templates/Cuf2cu.cmake");

/// The toolchain file for projects that compile a file at a time: `cuf2cu cmake-toolchain`.
pub const TOOLCHAIN: &str = include_str!("../../../templates/Cuf2cuToolchain.cmake");

/// The line of both files that looks for cuf2cu.
const SEARCH: &str = "find_program(CUF2CU cuf2cu REQUIRED)\n";

/// One of these files as `command` prints it. If the search path has another cuf2cu or none, the file names the command; -DCUF2CU=... counts more.
pub fn printed(file: &str, command: &Path) -> String {
    let found = which::which("cuf2cu").ok();
    let found = found.and_then(|p| p.canonicalize().ok());
    let own = command
        .canonicalize()
        .ok()
        .filter(|c| found.as_ref() != Some(c));
    let (Some(own), Some(at)) = (own, file.rfind(SEARCH)) else {
        return file.to_owned();
    };
    let line = file[..at].rfind('\n').map_or(0, |n| n + 1);
    let indent = &file[line..at];
    let place = cmake(&own.to_string_lossy());
    format!(
        "{}{indent}set(CUF2CU {place} CACHE FILEPATH \"The cuf2cu that has written this file\")\n{}",
        &file[..line],
        &file[line..]
    )
}

struct Program {
    target: String,
    name: String,
    /// The file with the main program; None: the user's own C, C++ and CUDA.
    source: Option<String>,
}

struct Choice<'a> {
    name: &'a str,
    given: bool,
    definition: String,
}

#[derive(Template)]
#[template(path = "CMakeLists.txt", escape = "none")]
struct Lists<'a> {
    title: &'a str,
    /// As the Makefile has it.
    refused: String,
    project: String,
    target: &'static str,
    cuda: bool,
    cpu: bool,
    optimise: &'a str,
    arch: String,
    library: &'a str,
    library_target: String,
    programs: Vec<Program>,
    native_main: bool,
    relocatable: bool,
    openmp: bool,
    mpi: bool,
    check_flags: Vec<String>,
    runtime_checks: Vec<String>,
    checks: bool,
    cpu_flags: &'a [&'a str],
    march: Option<String>,
    fortran_flags: Vec<&'a str>,
    dialect_flags: Vec<&'a str>,
    redirected: &'a [&'a str],
    predefinitions: Vec<String>,
    /// `fortran_flags` as LLVM flang has them.
    flang_flags: Vec<&'static str>,
    /// What tells device code of flang's layouts.
    layout: &'static str,
    /// What stops a build with LLVM flang in the memory mode "managed".
    no_managed: &'static str,
    macros: Vec<String>,
    /// The same for a command that runs at once.
    plain_macros: Vec<String>,
    plain_fflags: Vec<String>,
    /// As the Makefile has it.
    choices: Vec<Choice<'a>>,
    /// What Fortran includes, with SHA-256.
    checksums: &'a [(String, String)],
    /// The macros of which they hold several numbers.
    numbers: &'a [Numbers],
    script: &'static str,
    fflags: Vec<String>,
    /// Of gfortran, for the link.
    link_options: Vec<String>,
    nvccflags: Vec<String>,
    folders: Vec<String>,
    library_folders: Vec<String>,
    libraries: Vec<String>,
    cuda_libraries: Vec<CudaLibrary<'a>>,
    packages: Vec<&'a str>,
    cuda_runtime: Vec<String>,
    cpu_runtime: Vec<String>,
    fortran_runtime: Vec<String>,
    fortran: Vec<String>,
    device: Vec<String>,
    own_cuda: Vec<String>,
    /// Their texts for the cpu target, and where these look for headers first.
    emulated: Vec<String>,
    emulation: Vec<String>,
    /// As the Makefile has it.
    cuda_headers: bool,
    host: Vec<String>,
}

/// The text of the CMakeLists.txt for a plan; as [`super::makefile::makefile`].
///
/// # Errors
/// [`Error::Usage`] if the text cannot be written.
pub fn lists(
    plan: &Plan,
    title: &str,
    options: &BuildOptions,
    targets: &[Target],
) -> Result<String, Error> {
    let path = |u: &Unit| cmake(&u.source.to_string_lossy());
    let own = |languages: &[Language]| -> Vec<String> {
        let units = plan.units.iter().filter(|u| !u.runtime);
        let chosen = units.filter(|u| languages.contains(&u.language));
        chosen
            .filter(|u| u.main_program.is_none())
            .map(path)
            .collect()
    };
    let runtime = |target| -> Vec<String> {
        let units = plan.units_for(target).map(|(_, u)| u);
        let chosen = units.filter(|u| u.runtime && u.language != Language::Fortran);
        chosen.map(path).collect()
    };
    let programs = plan.programs();
    let names: Vec<&str> = programs.iter().map(|(_, n)| n.as_str()).collect();
    let fortran_runtime = plan.units.iter();
    let fortran_runtime = fortran_runtime.filter(|u| u.runtime && u.language == Language::Fortran);
    let words = |options: &[String]| options.iter().map(|o| cmake_word(o)).collect();
    let own_libraries = options
        .libraries
        .iter()
        .filter(|l| !libraries::is_in_runtime(l, plan) && !is_linked_statically(l, options));
    let template = Lists {
        title,
        refused: match plan.refused.is_empty() {
            true => String::new(),
            false => cmake(&format!(
                "{} could not be translated; fix the reported errors and run cuf2cu again before building",
                plan.refused_names()
            )),
        },
        project: target_name(&plan.library),
        target: targets.first().map_or("cuda", |t| t.name()),
        cuda: targets.contains(&Target::Cuda),
        cpu: targets.contains(&Target::Cpu),
        optimise: &options.optimise,
        arch: cmake(options.arch.as_deref().unwrap_or("native")),
        library: &plan.library,
        library_target: match names.contains(&plan.library.as_str()) {
            true => format!("{}_library", target_name(&plan.library)),
            false => target_name(&plan.library),
        },
        programs: (programs.iter())
            .map(|(main, name)| Program {
                target: target_name(name),
                name: cmake(name),
                source: main.map(|index| path(&plan.units[index])),
            })
            .collect(),
        native_main: plan.native_main && programs.iter().any(|(main, _)| main.is_none()),
        relocatable: plan.relocatable(),
        openmp: options.openmp,
        mpi: options.mpi,
        check_flags: options.checks.device_flags(),
        runtime_checks: options.checks.runtime_flags(),
        checks: options.checks.wanted(),
        cpu_flags: CPU_FLAGS,
        march: options.march.as_deref().map(cmake),
        fortran_flags: plan.fortran_flags(),
        dialect_flags: plan.dialect_flags(),
        flang_flags: Family::Flang.options(&plan.fortran_flags()),
        layout: Family::Flang.device_macro().unwrap_or_default(),
        no_managed: NO_MANAGED,
        redirected: match plan.dialect.memory {
            MemoryMode::Managed => &REDIRECTED,
            MemoryMode::Separate | MemoryMode::Unified => &[],
        },
        predefinitions: words(&plan.predefinitions),
        macros: words(&options.macros),
        plain_macros: options.macros.iter().map(|o| cmake(o)).collect(),
        plain_fflags: (options.fflags_everywhere().iter())
            .map(|o| cmake(o))
            .collect(),
        choices: choices(plan),
        checksums: &plan.checksums,
        numbers: &plan.numbers,
        script: match plan.settings.matter {
            true => settings::SCRIPT,
            false => "",
        },
        fflags: words(&options.fflags_everywhere()),
        link_options: options
            .fflags_everywhere()
            .iter()
            .map(|o| cmake_option(o))
            .collect(),
        nvccflags: words(&options.nvccflags),
        folders: (plan.include.iter())
            .map(|folder| match folder {
                IncludeFolder::Within(place) if place.as_os_str().is_empty() => ".".to_owned(),
                IncludeFolder::Within(place) | IncludeFolder::Outside(place) => directory(place),
            })
            .collect(),
        library_folders: library_folders(options),
        libraries: own_libraries.map(|l| cmake(l)).collect(),
        cuda_libraries: cuda_libraries(plan, options),
        packages: packages(plan),
        cuda_runtime: runtime(Target::Cuda),
        cpu_runtime: runtime(Target::Cpu),
        fortran_runtime: fortran_runtime.map(path).collect(),
        fortran: own(&[Language::Fortran]),
        device: own(&[Language::Device]),
        own_cuda: own(&[Language::Cuda]),
        emulated: emulated(plan),
        emulation: emulation(plan),
        cuda_headers: plan.cuda_headers || plan.own_cuda(),
        host: own(&[Language::C, Language::Cxx]),
    };
    let text = template.render();
    text.map(|t| t + "\n")
        .map_err(|e| Error::Usage(format!("cannot write the CMakeLists.txt: {e}")))
}

fn library_folders(options: &BuildOptions) -> Vec<String> {
    let folders = options.library_folders.iter();
    folders.map(|f| directory(&absolute(f))).collect()
}

/// The user's CUDA C++ as the cpu target has it.
fn emulated(plan: &Plan) -> Vec<String> {
    let own = (plan.units.iter()).filter(|u| u.language == Language::Cuda);
    own.map(|u| cmake(&own_cuda::place(&u.source).to_string_lossy()))
        .collect()
}

/// The folders of its headers.
fn emulation(plan: &Plan) -> Vec<String> {
    let folders = own_cuda::include_folders(&plan.include);
    folders.iter().map(|folder| directory(folder)).collect()
}

fn choices(plan: &Plan) -> Vec<Choice<'_>> {
    let all = plan.choices.iter().chain(&plan.neutral);
    let choice = |c: &'_ VariantMacro| match c.value.as_str() {
        "1" => format!("-D{}", c.name),
        value => format!("-D{}={value}", c.name),
    };
    all.map(|c| Choice {
        name: &c.name,
        given: c.given,
        definition: cmake_word(&choice(c)),
    })
    .collect()
}

/// A folder in a list of folders, where generator expressions are read.
fn directory(path: &Path) -> String {
    cmake_word(&path.to_string_lossy())
}

/// The names of targets that CMake has itself, between blanks.
const OWN_TARGETS: &str = " all help clean install test package edit_cache rebuild_cache ";

/// A name that a target of CMake can have: not one of its own.
fn target_name(name: &str) -> String {
    let usual = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    match OWN_TARGETS.contains(&format!(" {name} ")) {
        true => format!("{name}_"),
        false => name.replace(|c: char| !usual(c), "_"),
    }
}
