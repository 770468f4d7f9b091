//! The build plan: which object comes from which file, with which arguments, after which others.
//!
//! The Makefile of the output and the built-in build are two renderings of the same plan.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use sha2::{Digest as _, Sha256};

use super::Error;
use super::dependencies;
use super::device_lines::DeviceLines;
use super::headers::IncludeFolder;
use super::libraries;
use super::options::FORTRAN_FLAGS;
use super::paths::lexical;
use super::runtime::{self, FILES, RuntimeFile};
use super::toolchain::Target;
use crate::libraries::Library;
use crate::source::predefinitions;
use crate::translate::{Dialect, FileKind, Numbers, OutputFile, Settings, VariantMacro};

/// The line of a header whose device code calls the runtime API.
const DEVICE_RUNTIME: &[u8] = b"#include \"device/runtime_api.hpp\"";

/// What compiles a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Fortran,
    /// Generated device code: nvcc, or g++ with the emulation.
    Device,
    /// The user's own CUDA C++: nvcc, or its translation (`cuda_cxx`) by g++ with the emulation.
    Cuda,
    Cxx,
    C,
}

impl Language {
    /// The language of one of the user's C, C++ and CUDA sources, by its extension.
    pub fn of_native(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "C" | "c++" => Some(Language::Cxx),
            "cu" => Some(Language::Cuda),
            _ => None,
        }
    }
}

/// One file to compile.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Below the output folder.
    pub source: PathBuf,
    /// Below the build folder.
    pub object: PathBuf,
    pub language: Language,
    /// Whether the file belongs to the runtime, whose objects are shared between builds.
    pub runtime: bool,
    /// Indices of the units whose modules this one uses.
    pub after: Vec<usize>,
    /// The name of the main program in it.
    pub main_program: Option<String>,
    /// Modules that it defines, in lower case; a submodule is `ancestor:name`.
    pub provides: Vec<String>,
    /// Modules of other units that it uses.
    pub uses: Vec<String>,
    /// Files of the output that it includes, directly or not.
    pub included: Vec<PathBuf>,
}

impl Unit {
    /// The program's own Fortran: what it allocates is the program's data.
    pub fn takes_host_memory(&self) -> bool {
        self.language == Language::Fortran && !self.runtime
    }

    /// It belongs to the runtime and stands for a library of CUDA's.
    pub fn is_of_library(&self) -> bool {
        runtime_file(self).is_some_and(|file| file.library().is_some())
    }
}

/// The whole build.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// In an order that compiles one after the other.
    pub units: Vec<Unit>,
    /// Whether a header declares device or constant variables (as `extern`) or kernels (that device code launches), or device code calls
    /// the runtime API: all need relocatable device code.
    pub device_declarations: bool,
    /// Headers of the project, below the output folder: a change of one rebuilds all C++.
    pub headers: Vec<PathBuf>,
    /// What the program's Fortran includes, likewise.
    pub included: Vec<PathBuf>,
    /// SHA-256 of those that define macros, but for names that a shell would read in another way.
    pub checksums: Vec<(String, String)>,
    /// The user's C, C++ or CUDA C++ includes headers of CUDA's.
    pub cuda_headers: bool,
    /// Host code has STRUCTUREs.
    pub structures: bool,
    /// The macros of which its files hold both choices.
    pub choices: Vec<VariantMacro>,
    /// Those of which they hold several numbers.
    pub numbers: Vec<Numbers>,
    /// Those by which no file differs.
    pub neutral: Vec<VariantMacro>,
    pub settings: Settings,
    /// The user's C, C++ or CUDA has the main function.
    pub native_main: bool,
    /// Where the headers of the user's C, C++ and CUDA are looked up, and module files that others have compiled.
    pub include: Vec<IncludeFolder>,
    /// What the library of all objects but main programs is called.
    pub library: String,
    /// Options for the preprocessor of the program's own Fortran, before those of the user: see [`predefinitions`].
    pub predefinitions: Vec<String>,
    pub dialect: Dialect,
    /// Files of host code, below the output folder, and the user's files that they were made of.
    pub sources: Vec<(PathBuf, PathBuf)>,
    /// Where lines of device code came from, for messages about it.
    pub device_lines: Option<Arc<DeviceLines>>,
    /// Sources that are not translated: without them, objects of earlier would be taken for theirs.
    pub refused: Vec<PathBuf>,
    /// The libraries whose modules the program uses.
    pub libraries: Vec<&'static Library>,
    /// The libraries that the cpu target emulates for it.
    pub emulated: Vec<&'static Library>,
}

impl Plan {
    /// The sources that are not translated, for a message.
    pub fn refused_names(&self) -> String {
        const SHOWN: usize = 5;
        let names = self.refused.iter().map(|p| p.to_string_lossy());
        let mut shown: Vec<_> = names.take(SHOWN).collect();
        if self.refused.len() > SHOWN {
            shown.push("...".into());
        }
        shown.join(", ")
    }

    /// Options for all Fortran files.
    pub fn fortran_flags(&self) -> Vec<&'static str> {
        let structures = self.structures.then_some("-fdec-structure");
        FORTRAN_FLAGS.iter().copied().chain(structures).collect()
    }

    /// Options for the program's own Fortran: the dialect, which the runtime is not written in.
    pub fn dialect_flags(&self) -> Vec<&'static str> {
        let mut flags = Vec::new();
        if self.dialect.real == 8 {
            flags.extend(["-fdefault-real-8", "-fdefault-double-8"]);
        }
        if !self.dialect.escapes {
            flags.push("-fno-backslash");
        }
        if self.dialect.openacc {
            flags.push("-D_OPENACC=201711");
        }
        flags
    }

    /// Orders the files of a translation from `dialect`, the user's own C, C++ and CUDA sources, and those of `runtime` that they need.
    ///
    /// # Errors
    /// [`Error::Usage`] if a module is defined twice or modules use each other in a circle.
    pub fn new(
        files: &[OutputFile],
        natives: &[PathBuf],
        runtime: &[RuntimeFile],
        dialect: Dialect,
    ) -> Result<Plan, Error> {
        let mut providers: IndexMap<&str, usize> = IndexMap::new();
        for (index, file) in files.iter().enumerate() {
            for module in file.kind.provides() {
                if let Some(first) = providers.insert(module, index) {
                    return Err(Error::Usage(format!(
                        "module {module} is defined in {} and in {}\nhelp: translate the programs they belong to separately",
                        files[first].path.display(),
                        file.path.display()
                    )));
                }
            }
        }
        let mut plan = Plan {
            dialect,
            library: "cuf".to_owned(),
            ..Plan::default()
        };
        plan.libraries = libraries::used(files);
        plan.emulated = libraries::emulated(files);
        let mut used: Vec<String> = files.iter().flat_map(|f| f.kind.uses()).cloned().collect();
        if plan.libraries.len() == files.len() {
            used.push("cudafor".to_owned());
        }
        plan.add_runtime(runtime, &used);
        libraries::add_callees(&mut plan.libraries, files);
        let mut order = Order {
            files,
            providers: &providers,
            placed: vec![Mark::New; files.len()],
            sequence: Vec::new(),
        };
        for index in 0..files.len() {
            order.visit(index)?;
        }
        let sequence = order.sequence;
        let preprocessed = files.iter().filter(|f| {
            let fortran = matches!(f.kind, FileKind::HostFortran { .. });
            let extension = f.path.extension().and_then(|e| e.to_str());
            fortran && matches!(extension, Some("F90" | "F")) || f.kind == FileKind::Included
        });
        plan.predefinitions = predefinitions(preprocessed.map(|f| &*f.contents));
        for index in sequence {
            plan.add_file(&files[index]);
        }
        // A unit waits for the units of the modules that its file uses; the runtime comes first.
        let by_source: IndexMap<PathBuf, usize> = plan
            .units
            .iter()
            .enumerate()
            .map(|(i, u)| (u.source.clone(), i))
            .collect();
        for file in files {
            let Some(&unit) = by_source.get(&file.path) else {
                continue;
            };
            let mut after = Vec::new();
            for module in file.kind.uses() {
                let provider = match providers.get(module.as_str()) {
                    Some(&p) => by_source.get(&files[p].path),
                    None => runtime
                        .iter()
                        .find(|f| f.provides.contains(module))
                        .and_then(|f| by_source.get(&runtime_path(f))),
                };
                after.extend(provider.copied().filter(|&p| p != unit));
            }
            after.sort_unstable();
            after.dedup();
            plan.units[unit].after = after;
            plan.units[unit].included = included_by(file, files);
            plan.units[unit].provides = file.kind.provides().to_vec();
            plan.units[unit].uses = file.kind.uses().to_vec();
        }
        for native in natives {
            match Language::of_native(native) {
                Some(language) => plan.units.push(unit(native.clone(), language, false)),
                None => plan.headers.push(native.clone()),
            }
        }
        Ok(plan)
    }

    /// The whole runtime of programs in `dialect`, with what stands for these libraries on the cpu target, and nothing else.
    pub fn for_runtime(dialect: Dialect, emulated: &[&'static Library]) -> Plan {
        let mut plan = Plan {
            dialect,
            emulated: emulated.to_vec(),
            ..Plan::default()
        };
        let all: Vec<String> = FILES.iter().flat_map(|f| f.provides.clone()).collect();
        plan.add_runtime(&FILES, &all);
        plan
    }

    /// The runtime for the link of a program in `dialect` whose objects use these libraries.
    pub fn for_link(dialect: Dialect, modules: &[String]) -> Plan {
        let named = modules.iter().map(String::as_str).collect();
        // A module may be another one under other names, whose functions are called then.
        let used = crate::libraries::needed(&named);
        Plan {
            libraries: used.clone(),
            ..Plan::for_runtime(dialect, &used)
        }
    }

    /// Adds the units of these runtime files: all C++, and the Fortran that defines the modules used.
    fn add_runtime(&mut self, files: &[RuntimeFile], used: &[String]) {
        for file in runtime::fortran_units(files, used) {
            let mut new = unit(runtime_path(&file), Language::Fortran, true);
            for (index, earlier) in self.units.iter().enumerate() {
                let provides = files
                    .iter()
                    .find(|f| runtime_path(f) == earlier.source)
                    .map_or(&[][..], |f| &f.provides);
                if file.uses.iter().any(|m| provides.contains(m)) {
                    new.after.push(index);
                }
            }
            self.units.push(new);
        }
        let memory = self.dialect.memory;
        let sources = files
            .iter()
            .filter(|f| f.is_unit(Target::Cpu, memory) || f.is_unit(Target::Cuda, memory));
        let needed: Vec<&RuntimeFile> = sources
            .filter(|f| !f.is_fortran())
            .filter(|f| f.is_of(self.emulated.iter().map(|l| &l.module)))
            .collect();
        for file in needed {
            self.units
                .push(unit(runtime_path(file), Language::Device, true));
        }
    }

    fn add_file(&mut self, file: &OutputFile) {
        let new = match &file.kind {
            FileKind::HostFortran { main_program, .. } => {
                (self.sources).push((file.path.clone(), file.source.clone()));
                let mut new = unit(file.path.clone(), Language::Fortran, false);
                new.main_program.clone_from(main_program);
                new
            }
            FileKind::Shims { .. } => unit(file.path.clone(), Language::Fortran, false),
            FileKind::DeviceSource => unit(file.path.clone(), Language::Device, false),
            FileKind::Included => {
                self.included.push(file.path.clone());
                let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./+".contains(c);
                let name = file.path.to_string_lossy().into_owned();
                let is_read = name.chars().all(is_plain) && !name.starts_with('-');
                if is_read && defines_macros(&file.contents) {
                    let digest = Sha256::digest(&file.contents);
                    let hex = digest.iter().map(|byte| format!("{byte:02x}"));
                    self.checksums.push((name, hex.collect()));
                }
                return;
            }
            FileKind::SourceLines => {
                self.headers.push(file.path.clone());
                return;
            }
            FileKind::DeviceHeader => {
                // The printer writes each declaration on a line of its own.
                self.device_declarations |= file.contents.split(|b| *b == b'\n').any(|l| {
                    l.starts_with(b"extern __")
                        || l.starts_with(b"__global__ ")
                        || l == DEVICE_RUNTIME
                });
                self.headers.push(file.path.clone());
                return;
            }
        };
        self.units.push(new);
    }

    /// The units that are compiled for `target`.
    pub fn units_for(&self, target: Target) -> impl Iterator<Item = (usize, &Unit)> {
        self.units.iter().enumerate().filter(move |(_, u)| {
            let unit = |f: &RuntimeFile| f.is_unit(target, self.dialect.memory);
            !u.runtime || runtime_file(u).is_some_and(unit)
        })
    }

    /// The main programs: unit and name of the executable (the file's stem, or the program's name where stems collide, or the
    /// path where these do, too; with `.x` where the objects have a folder of that name).
    ///
    /// Without a main program in Fortran, and with a main function in the user's own C or C++, all objects make one executable; without
    /// either they are a library.
    pub fn programs(&self) -> Vec<(Option<usize>, String)> {
        let mains: Vec<(usize, String)> = self
            .units
            .iter()
            .enumerate()
            .filter(|(_, u)| u.main_program.is_some())
            .map(|(i, u)| {
                (
                    i,
                    u.source
                        .file_stem()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into_owned(),
                )
            })
            .collect();
        if mains.is_empty() {
            return if self.native_main {
                vec![(None, "app".to_owned())]
            } else {
                Vec::new()
            };
        }
        let mut names: Vec<(Option<usize>, String)> = Vec::new();
        for (index, stem) in &mains {
            let clash = mains.iter().filter(|(_, s)| s == stem).count() > 1;
            let program = self.units[*index].main_program.clone().unwrap_or_default();
            names.push((Some(*index), if clash { program } else { stem.clone() }));
        }
        let first: Vec<String> = names.iter().map(|(_, n)| n.clone()).collect();
        for ((index, name), _) in names.iter_mut().zip(&mains) {
            if first.iter().filter(|n| *n == name).count() > 1
                && let Some(unit) = index.and_then(|i| self.units.get(i))
            {
                let path = unit.source.with_extension("");
                *name = path.to_string_lossy().replace('/', "_");
            }
            let folder = |u: &Unit| u.object.starts_with(&*name) && u.object != Path::new(&*name);
            if name == "mod" || self.units.iter().any(folder) {
                name.push_str(".x");
            }
        }
        names
    }

    /// Whether CUDA C++ of the user's own is among the sources.
    pub fn own_cuda(&self) -> bool {
        self.units.iter().any(|u| u.language == Language::Cuda)
    }

    /// Whether relocatable device code is needed: several device sources, or device variables declared in a header.
    pub fn relocatable(&self) -> bool {
        let device =
            |u: &&Unit| !u.runtime && matches!(u.language, Language::Device | Language::Cuda);
        self.device_declarations || self.units.iter().filter(device).count() > 1
    }
}

/// The runtime file of a runtime unit.
fn runtime_file(unit: &Unit) -> Option<&'static RuntimeFile> {
    FILES.iter().find(|f| runtime_path(f) == unit.source)
}

fn runtime_path(file: &RuntimeFile) -> PathBuf {
    Path::new(runtime::FOLDER).join(&file.name)
}

fn unit(source: PathBuf, language: Language, runtime: bool) -> Unit {
    let mut object = source.clone().into_os_string();
    object.push(".o");
    Unit {
        source,
        object: object.into(),
        language,
        runtime,
        after: Vec::new(),
        main_program: None,
        provides: Vec::new(),
        uses: Vec::new(),
        included: Vec::new(),
    }
}

/// The text has a line `#define` or `#undef`.
fn defines_macros(text: &[u8]) -> bool {
    text.split(|b| *b == b'\n').any(|line| {
        let rest = line.trim_ascii_start().strip_prefix(b"#");
        let word = rest.map_or(&b""[..], <[u8]>::trim_ascii_start);
        word.starts_with(b"define") || word.starts_with(b"undef")
    })
}

/// The files of the output that `file` includes, and those that they include: the preprocessor looks beside the including file, gfortran
/// beside the source.
fn included_by(file: &OutputFile, files: &[OutputFile]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut open = vec![file];
    while let Some(including) = open.pop() {
        let text = String::from_utf8_lossy(&including.contents);
        for name in dependencies::names(&text) {
            let folders = [file, including].map(|f| f.path.parent().unwrap_or(Path::new("")));
            let places = folders.map(|folder| lexical(&folder.join(name)));
            let is_it = |f: &&OutputFile| f.kind == FileKind::Included && places.contains(&f.path);
            for next in files.iter().filter(is_it) {
                if !found.contains(&next.path) {
                    found.push(next.path.clone());
                    open.push(next);
                }
            }
        }
    }
    found.sort();
    found
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Depth-first order of the files by their modules.
struct Order<'a> {
    files: &'a [OutputFile],
    providers: &'a IndexMap<&'a str, usize>,
    placed: Vec<Mark>,
    sequence: Vec<usize>,
}

impl Order<'_> {
    fn visit(&mut self, start: usize) -> Result<(), Error> {
        // An explicit stack: module chains of generated code bases can be deep.
        let mut stack = vec![(start, 0)];
        while let Some((index, next)) = stack.pop() {
            if next == 0 && self.placed[index] == Mark::Done {
                continue;
            }
            self.placed[index] = Mark::Open;
            match self.files[index].kind.uses().get(next) {
                None => {
                    self.placed[index] = Mark::Done;
                    self.sequence.push(index);
                }
                Some(module) => {
                    stack.push((index, next + 1));
                    let Some(&provider) = self.providers.get(module.as_str()) else {
                        continue;
                    };
                    match self.placed[provider] {
                        Mark::New => stack.push((provider, 0)),
                        Mark::Open if provider != index => {
                            return Err(Error::Usage(format!(
                                "{} and {} use each other's modules",
                                self.files[index].path.display(),
                                self.files[provider].path.display()
                            )));
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }
}
