//! The Makefile of the output: the build plan for people who have no cuf2cu.

use std::path::{Path, PathBuf};

use askama::Template;

use super::Error;
use super::build::{BuildOptions, CPU_FLAGS, NO_MANAGED, REDIRECTED};
use super::family::Family;
use super::headers::IncludeFolder;
use super::libraries;
use super::paths::absolute;
use super::plan::{Language, Plan, Unit};
use super::quote;
use super::settings;
use super::toolchain::Target;
use super::{output, own_cuda};
use crate::translate::{MemoryMode, Numbers, VariantMacro};

struct Program {
    name: String,
    /// The object with the main program.
    object: Option<String>,
}

/// A library of the toolkit to link.
pub struct CudaLibrary<'a> {
    pub name: &'a str,
    /// What is linked instead of it; empty: nothing.
    pub archives: String,
}

struct Rule {
    source: String,
    /// Its text for the cpu target, if it is CUDA C++.
    emulated: String,
    object: String,
    /// Objects and modules that are made before.
    after: Vec<String>,
    /// It is the program's own.
    own: bool,
    included: Vec<String>,
}

#[derive(Template)]
#[template(path = "Makefile.mk", escape = "none")]
struct Makefile<'a> {
    title: &'a str,
    /// Sources without a translation, as a message names them; empty: there are none.
    refused: String,
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
    macros: Vec<String>,
    /// The macros of which the files hold both choices.
    choices: &'a [VariantMacro],
    /// Those of which they hold several numbers.
    numbers: &'a [Numbers],
    /// What Fortran includes, with SHA-256.
    checksums: &'a [(String, String)],
    /// Device code asks for any of them.
    chooses: bool,
    /// The script that compares macros; empty: they do not matter.
    script: &'static str,
    /// `-I`.
    folders: Vec<String>,
    /// `--fflags` and `--nvccflags`.
    fflags: Vec<String>,
    nvccflags: Vec<String>,
    check_flags: Vec<String>,
    runtime_checks: Vec<String>,
    checks: bool,
    arch: String,
    library: &'a str,
    /// Modules of the program that others use, with the objects that come with them.
    modules: Vec<(String, String)>,
    /// For Fortran only.
    predefinitions: &'a [String],
    /// `fortran_flags` as LLVM flang has them.
    flang_flags: Vec<&'static str>,
    /// What tells device code of flang's layouts.
    layout: &'static str,
    /// What stops a build with LLVM flang in the memory mode "managed".
    no_managed: &'static str,
    fortran: Vec<Rule>,
    fortran_flags: &'a [&'a str],
    /// Options for the program's own Fortran only.
    dialect_flags: &'a [&'a str],
    /// Functions that the program's Fortran objects call instead of others.
    redirected: &'a [&'a str],
    cpu_flags: &'a [&'a str],
    march: Option<String>,
    cc: &'a str,
    openmp: bool,
    relocatable: bool,
    own_cuda: bool,
    /// Options by which translated CUDA C++ finds its headers.
    emulation: Vec<String>,
    /// The user's C++ includes CUDA's headers.
    cuda_headers: bool,
    cuda_runtime: Vec<String>,
    cpu_runtime: Vec<String>,
    objects: Vec<String>,
    device_objects: Vec<String>,
    programs: Vec<Program>,
    device: Vec<Rule>,
    /// The user's own CUDA C++.
    own_rules: Vec<Rule>,
    cxx: Vec<Rule>,
    c: Vec<Rule>,
    compiler: &'a str,
    /// See [`Makefile::options`].
    as_called: String,
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
    for path in (plan.units.iter().map(|u| &u.source)).chain(&plan.included) {
        if path
            .to_str()
            .is_none_or(|p| p.contains([' ', '\t', '$', '#', ':', '%', '\\', '\n']))
        {
            return Err(Error::Usage(format!(
                "file name {} cannot be written in a Makefile\nhelp: rename the file",
                path.display()
            )));
        }
    }
    let slashes = |path: &Path| path.to_string_lossy().into_owned();
    let rules = |language: &[Language]| -> Vec<Rule> {
        let units = plan.units.iter().filter(|u| language.contains(&u.language));
        let rule = |unit: &Unit| Rule {
            source: slashes(&unit.source),
            emulated: slashes(&own_cuda::place(&unit.source)),
            object: slashes(&unit.object),
            own: !unit.runtime,
            included: unit.included.iter().map(|p| slashes(p)).collect(),
            after: prerequisites(plan, unit),
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
    let mut template = Makefile {
        title,
        refused: quote::make_message(&plan.refused_names()),
        target: targets.first().map_or("cuda", |t| t.name()),
        cuda: targets.contains(&Target::Cuda),
        cpu: targets.contains(&Target::Cpu),
        optimise: &options.optimise,
        libraries: own_libraries(plan, options),
        archives: cuda_libraries.iter().any(|l| !l.archives.is_empty()),
        cuda_libraries,
        toolkit_libraries: toolkit_libraries(options),
        packages: packages(plan),
        macros: words(&options.macros),
        choices: &plan.choices,
        numbers: &plan.numbers,
        checksums: &plan.checksums,
        chooses: !plan.choices.is_empty() || plan.numbers.iter().any(|n| n.in_device_code),
        script: match plan.settings.matter {
            true => settings::SCRIPT,
            false => "",
        },
        folders: folders(plan),
        fflags: words(&options.fflags_everywhere()),
        nvccflags: words(&options.nvccflags),
        check_flags: options.checks.device_flags(),
        runtime_checks: options.checks.runtime_flags(),
        checks: options.checks.wanted(),
        arch: quote::make(options.arch.as_deref().unwrap_or("native")),
        library: &plan.library,
        modules: modules(plan),
        predefinitions: &plan.predefinitions,
        fortran: rules(&[Language::Fortran]),
        fortran_flags: &plan.fortran_flags(),
        dialect_flags: &plan.dialect_flags(),
        flang_flags: Family::Flang.options(&plan.fortran_flags()),
        layout: Family::Flang.device_macro().unwrap_or_default(),
        no_managed: NO_MANAGED,
        redirected: match plan.dialect.memory {
            MemoryMode::Managed => &REDIRECTED,
            MemoryMode::Separate | MemoryMode::Unified => &[],
        },
        cpu_flags: CPU_FLAGS,
        march: options.march.as_deref().map(quote::make),
        cc: if options.mpi { "mpicc" } else { "gcc" },
        compiler: if options.mpi { "mpifort" } else { "gfortran" },
        openmp: options.openmp,
        relocatable: plan.relocatable(),
        own_cuda: plan.own_cuda(),
        emulation: emulation(plan),
        cuda_headers: plan.cuda_headers || plan.own_cuda(),
        cuda_runtime: runtime(Target::Cuda),
        cpu_runtime: runtime(Target::Cpu),
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
        as_called: String::new(),
    };
    template.as_called = template.options();
    let text = template.render();
    text.map(|t| t + "\n")
        .map_err(|e| Error::Usage(format!("cannot write the Makefile: {e}")))
}

impl Makefile<'_> {
    /// A number of all that decides on objects beside files.
    fn options(&self) -> String {
        let words = [
            &self.macros,
            &self.folders,
            &self.fflags,
            &self.nvccflags,
            &self.libraries,
        ];
        let flags = [
            self.fortran_flags,
            self.dialect_flags,
            self.redirected,
            self.cpu_flags,
        ];
        let rest = (self.optimise, (&self.arch, &self.march), self.compiler);
        let switches = (self.openmp, self.relocatable);
        let checks = (self.checks, &self.check_flags, &self.runtime_checks);
        let all = (words, flags, self.predefinitions, rest, switches, checks);
        output::hash(format!("{all:?}").as_bytes())[..16].to_owned()
    }
}

fn words(options: &[String]) -> Vec<String> {
    options.iter().map(|o| quote::make(o)).collect()
}

/// `-I` for the folders of headers and compiled modules.
fn folders(plan: &Plan) -> Vec<String> {
    let word = |folder: &IncludeFolder| match folder {
        IncludeFolder::Within(place) if place.as_os_str().is_empty() => "-I.".to_owned(),
        IncludeFolder::Within(place) | IncludeFolder::Outside(place) => {
            quote::make(&format!("-I{}", place.display()))
        }
    };
    plan.include.iter().map(word).collect()
}

/// The options for libraries of the toolkit, which the cpu target leaves out.
fn toolkit_libraries(options: &BuildOptions) -> Vec<String> {
    let named = options.libraries.iter();
    let named = named.filter(|l| libraries::is_of_toolkit(l));
    named.map(|l| quote::make(&format!("-l{l}"))).collect()
}

/// `-I` for the folders of translated headers.
fn emulation(plan: &Plan) -> Vec<String> {
    let folders = own_cuda::include_folders(&plan.include);
    let option = |folder: &PathBuf| quote::make(&format!("-I{}", folder.display()));
    folders.iter().map(option).collect()
}

/// The packages of the libraries that the cpu target emulates, for pkg-config.
pub fn packages(plan: &Plan) -> Vec<&str> {
    let all = libraries::packages(&plan.emulated);
    all.iter().map(|(_, package)| *package).collect()
}

/// What a Fortran file waits for. A module that is compiled again and stays the same makes nobody new; what a submodule needs of its
/// ancestors is not in the module files alone.
fn prerequisites(plan: &Plan, unit: &Unit) -> Vec<String> {
    let submodule = unit.provides.iter().any(|m| m.contains(':'));
    let mut all = Vec::new();
    for earlier in unit.after.iter().map(|&i| &plan.units[i]) {
        let used = earlier.provides.iter().filter(|m| unit.uses.contains(m));
        let files: Vec<String> = used.map(|m| format!("mod/{m}.mod")).collect();
        if submodule || files.is_empty() || files.iter().any(|f| f.contains(':')) {
            all.push(earlier.object.to_string_lossy().into_owned());
        } else {
            all.extend(files);
        }
    }
    all
}

/// The modules of the program, with the objects of their files.
fn modules(plan: &Plan) -> Vec<(String, String)> {
    let own = plan.units.iter().filter(|u| !u.runtime);
    let all = own.flat_map(|u| u.provides.iter().map(move |m| (m, u)));
    all.filter(|(m, _)| !m.contains(':'))
        .map(|(m, u)| (m.clone(), u.object.to_string_lossy().into_owned()))
        .collect()
}

/// The libraries of the toolkit that the program's modules need, and those that options name where archives take their place.
pub fn cuda_libraries<'a>(plan: &'a Plan, options: &'a BuildOptions) -> Vec<CudaLibrary<'a>> {
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

/// Whether an archive of the toolkit takes the place of `-lNAME`.
pub fn is_linked_statically(name: &str, options: &BuildOptions) -> bool {
    options.static_libraries && !libraries::archives_of(name).is_empty()
}

fn own_libraries(plan: &Plan, options: &BuildOptions) -> Vec<String> {
    let folders = options
        .library_folders
        .iter()
        .map(|f| format!("-L{}", absolute(f).display()));
    let named = options.libraries.iter();
    let named =
        named.filter(|l| !libraries::is_in_runtime(l, plan) && !is_linked_statically(l, options));
    let all = folders.chain(named.map(|l| format!("-l{l}")));
    all.map(|word| quote::make(&word)).collect()
}
