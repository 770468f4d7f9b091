//! The libraries of CUDA that a program uses: what is linked on either target.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::options::BuildOptions;
use super::plan::Plan;
use super::runtime::{FOLDER, includes, reduced, words};
use super::toolchain::{Cuda, output_of};
use super::{Error, Package, Target};
use crate::libraries::{self, Library};
use crate::suggest;
use crate::translate::{
    FileKind, OutputFile, SourceInput, TranslateOptions, Translation, translate,
};

/// The Debian package of a pkg-config package.
const DEBIAN: [(&str, &str); 3] = [
    ("openblas", "libopenblas-dev"),
    ("fftw3", "libfftw3-dev"),
    ("fftw3f", "libfftw3-dev"),
];

/// The module of a library that a file of the output is.
fn module_of(file: &OutputFile) -> Option<&str> {
    match &file.kind {
        FileKind::HostFortran { provides, .. } if file.path.starts_with(FOLDER) => {
            provides.first().map(String::as_str)
        }
        _ => None,
    }
}

/// The text of a library's module, which takes the type of half precision from the runtime and hands nothing else of it on: gfortran 12
/// warns of intrinsics that come renamed through a module. Arrays of other ranks are passed to assumed-size ones as they are:
/// the directives that allow it are not for the compiler, and LLVM flang takes specific procedures for alike that have them.
fn narrowed(text: &str) -> String {
    let lines = text.lines().map(|l| match l.trim() {
        "use cuf_runtime" => format!("{l}, only: cuf_half\n"),
        directive if directive.starts_with("!dir$ ignore_tkr (r)") => String::new(),
        _ => format!("{l}\n"),
    });
    lines.collect()
}

/// The folder with the whole modules of libraries: for plain Fortran code, which is built with gfortran alone.
///
/// # Errors
/// [`Error::Usage`] names a module that there is not.
pub fn modules(names: &[String]) -> Result<Package, Error> {
    let unknown = names.iter().find(|n| libraries::find(n).is_none());
    if let Some(name) = unknown {
        let known: Vec<&str> = libraries::all().map(|l| l.module.as_str()).collect();
        return Err(Error::Usage(format!(
            "no module named {name}; available: {}{}",
            known.join(", "),
            suggest::question(name, known.iter().copied())
        )));
    }
    let used: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let sources = libraries::sources(&used, None).into_iter();
    let inputs = sources.map(|(module, text)| {
        let path = Path::new(FOLDER).join(format!("{module}.cuf"));
        SourceInput {
            relative: path.clone(),
            path,
            bytes: text.into_bytes(),
        }
    });
    let mut translation = translate(inputs.collect(), &TranslateOptions::default());
    for file in &mut translation.files {
        let text = String::from_utf8_lossy(&file.contents).into_owned();
        file.contents = narrowed(&reduced(&text, &words(&text))).into_bytes();
    }
    let mut package = super::package(&translation, &Inputs::default())?;
    let targets = [Target::Cuda, Target::Cpu];
    package.complete(
        &translation,
        &names.join(", "),
        &BuildOptions::new(Target::Cuda),
        &targets,
    )?;
    Ok(package)
}

/// The libraries whose modules are among the files.
pub fn used(files: &[OutputFile]) -> Vec<&'static Library> {
    files
        .iter()
        .filter_map(|f| libraries::find(module_of(f)?))
        .collect()
}

/// Adds those that the runtime's headers call which device code includes.
pub fn add_callees(libraries: &mut Vec<&'static Library>, files: &[OutputFile]) {
    let device = files
        .iter()
        .filter(|f| matches!(f.kind, FileKind::DeviceSource | FileKind::DeviceHeader));
    let headers: BTreeSet<String> = device
        .flat_map(|f| includes(&String::from_utf8_lossy(&f.contents)))
        .map(|i| i.path)
        .collect();
    // The tables are read for this alone in most programs.
    if headers.is_empty() {
        return;
    }
    let called = |l: &&Library| l.runtime.iter().any(|name| headers.contains(name));
    for library in libraries::all().filter(called) {
        if !libraries.iter().any(|l| l.module == library.module) {
            libraries.push(library);
        }
    }
}

/// The libraries that the cpu target emulates for a program: those whose modules it uses, and those whose C functions interfaces of its own
/// bind to. For the latter the program's build names the library of the toolkit itself.
pub fn emulated(files: &[OutputFile]) -> Vec<&'static Library> {
    let mut all = used(files);
    let mut labels = BTreeSet::new();
    for file in files.iter().filter(|f| module_of(f).is_none()) {
        if matches!(file.kind, FileKind::HostFortran { .. } | FileKind::Included) {
            labels.extend(binding_labels(&String::from_utf8_lossy(&file.contents)));
        }
    }
    if labels.is_empty() {
        return all;
    }
    for library in libraries::all() {
        let symbols = library.procedures.iter();
        let symbols = symbols.filter(|p| p.is_offered() && !p.fortran);
        let symbols = symbols.map(|p| &p.symbol).chain(&library.functions);
        let bound = symbols.into_iter().any(|s| labels.contains(s));
        let there = all.iter().any(|l| l.module == library.module);
        if bound && !there {
            all.push(library);
        }
    }
    all
}

/// The names in `bind(C, name='...')`, which may stand on a line of their own.
fn binding_labels(text: &str) -> Vec<String> {
    let label = |line: &str| {
        let at = line.to_ascii_lowercase().find("name")?;
        let value = line.get(at + 4..)?.trim_start().strip_prefix('=')?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (name, _) = value.get(1..)?.split_once(quote)?;
        Some(name.to_owned())
    };
    text.lines().filter_map(label).collect()
}

/// Leaves of the libraries' modules what the host code written calls.
pub fn reduce(translation: &mut Translation) {
    let text = |f: &OutputFile| String::from_utf8_lossy(&f.contents).into_owned();
    let mut mentioned = BTreeSet::new();
    let files = translation.files.iter().filter(|f| module_of(f).is_none());
    files.for_each(|f| mentioned.extend(words(&text(f))));
    // A module comes after those that it uses.
    for file in translation.files.iter_mut().rev() {
        if module_of(file).is_some() {
            let reduced = narrowed(&reduced(&text(file), &mentioned));
            mentioned.extend(words(&reduced));
            file.contents = reduced.into_bytes();
        }
    }
}

/// What the linker of the cpu target is told for these libraries.
///
/// # Errors
/// [`Error::Toolchain`] names the package that is missing.
pub fn cpu_flags(libraries: &[&Library]) -> Result<Vec<OsString>, Error> {
    let mut flags: Vec<OsString> = Vec::new();
    for (library, package) in packages(libraries) {
        let Some(found) = package_flags(package) else {
            return Err(Error::Toolchain(format!(
                "{package} was not found, which {} needs on the cpu target: apt install {}",
                library.title,
                debian(package)
            )));
        };
        flags.extend(found.split_ascii_whitespace().map(OsString::from));
    }
    Ok(flags)
}

/// The Debian package that has a pkg-config package.
pub fn debian(package: &str) -> String {
    let known = DEBIAN.iter().find(|(name, _)| *name == package);
    known.map_or_else(|| format!("lib{package}-dev"), |(_, d)| (*d).to_owned())
}

/// The pkg-config packages of the libraries, each once.
pub fn packages<'a>(libraries: &[&'a Library]) -> Vec<(&'a Library, &'a str)> {
    let mut all: Vec<(&Library, &str)> = Vec::new();
    for library in libraries {
        for package in &library.cpu {
            if !all.iter().any(|(_, p)| p == package) {
                all.push((library, package));
            }
        }
    }
    all
}

/// What pkg-config says of a package; without pkg-config the library of that name, if the compiler would find it.
pub fn package_flags(package: &str) -> Option<String> {
    match which::which("pkg-config") {
        Ok(tool) => output_of(&tool, &["--libs", package]),
        Err(_) => {
            let name = format!("lib{package}.so");
            let compiler = which::which("gcc").ok()?;
            let path = output_of(&compiler, &[&format!("-print-file-name={name}")])?;
            Path::new(path.trim())
                .is_absolute()
                .then(|| format!("-l{package}"))
        }
    }
}

/// The libraries of the toolkit, each once, in the order of the linker.
pub fn of_toolkit<'a>(libraries: &[&'a Library]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for name in libraries.iter().rev().flat_map(|l| &l.cuda) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// Libraries of NVIDIA without a table, which the cpu target does not have. `.` ends a family of names.
const OTHERS: [&str; 20] = [
    "cuda",
    "cublasLt",
    "cublasMp",
    "cudnn",
    "cufftMp",
    "cufftw",
    "culibos",
    "cupti",
    "cusolverMg",
    "cusolverMp",
    "cutensor",
    "cutensorMg",
    "npp.",
    "nvJitLink",
    "nvblas",
    "nvidia-ml",
    "nvptxcompiler",
    "nvrtc",
    "nvshmem.",
    "nvtx3interop",
];

/// What every program is linked with in any case, and the runtime of nvfortran, which has no place in a program of gfortran.
const OWN: [&str; 15] = [
    "cudart",
    "cudadevrt",
    "cudafor.",
    "cudanvhpc",
    "acc.",
    "nvc",
    "nvcpumath.",
    "nvf",
    "nvhpc.",
    "nvomp",
    "nvtx",
    "nvtx3",
    "pgf90.",
    "pgftnrtl",
    "rsmf",
];

/// Whether one of the names, of which some end with the point of a family, is that of the library or of its archive.
fn is_among(name: &str, all: &[&str]) -> bool {
    let plain = name.strip_suffix("_static").unwrap_or(name);
    all.iter().any(|o| match o.strip_suffix('.') {
        Some(family) => plain.starts_with(family),
        None => plain == *o,
    })
}

/// Whether `-lNAME` is a library of NVIDIA: the cpu target has its emulation instead, or nothing.
pub fn is_of_toolkit(name: &str) -> bool {
    let plain = name.strip_suffix("_static").unwrap_or(name);
    is_among(name, &OTHERS)
        || libraries::all().any(|l| {
            let mut names = l.cuda.iter().chain(&l.instead_of);
            names.any(|c| c == plain) || l.archives.iter().any(|a| a == name)
        })
}

/// Whether `-lNAME` asks for what programs are linked with in any case.
pub fn is_own(name: &str) -> bool {
    is_among(name, &OWN)
}

/// Whether the runtime has the functions of `-lNAME` for this program, on both targets.
pub fn is_in_runtime(name: &str, plan: &Plan) -> bool {
    let mut with_files = plan.emulated.iter();
    with_files.any(|l| l.instead_of.iter().any(|c| c == name))
}

/// Whether files of the runtime can take the place of the library.
fn is_replaced(name: &str) -> bool {
    let mut names = libraries::all().flat_map(|l| &l.instead_of);
    names.any(|n| n == name)
}

/// What the linker of the cuda target is told of the libraries of a plan and of those that options name: the files themselves, for the packages of PyPI have no links without a version.
///
/// # Errors
/// [`Error::Toolchain`] names the library that the toolkit has not.
pub fn cuda_flags(
    plan: &Plan,
    options: &BuildOptions,
    cuda: &Cuda,
) -> Result<Vec<OsString>, Error> {
    let mut flags = Vec::new();
    let mut archives: Vec<PathBuf> = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut names = of_toolkit(&plan.libraries);
    let needed = names.len();
    let named = options.libraries.iter().map(String::as_str);
    for name in named.filter(|n| is_of_toolkit(n) && !is_in_runtime(n, plan)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for (index, name) in names.into_iter().enumerate() {
        let offered = archives_of(name).iter();
        let mut offered = offered.map(|a| find_file(cuda, a, &|f| f == format!("lib{a}.a")));
        if options.static_libraries
            && let Some(Some(main)) = offered.next()
        {
            archives.extend([main].into_iter().chain(offered.flatten()));
            continue;
        }
        let Some(path) = find(cuda, name) else {
            // In a folder of the user's, perhaps. CUDA 13 has no libnvToolsExt, whose functions are in its headers.
            let of_user = |f: &PathBuf| f.join(format!("lib{name}.so")).exists();
            let of_user = options.library_folders.iter().any(of_user);
            if index >= needed || of_user {
                if is_replaced(name) && !of_user {
                    continue;
                }
                flags.push(OsString::from(format!("-l{name}")));
                continue;
            }
            return Err(Error::Toolchain(format!(
                "lib{name} was not found in {}: install the libraries of the CUDA toolkit (pip install nvidia-{name})",
                cuda.library_folder.display()
            )));
        };
        if let Some(folder) = path.parent()
            && !folders.iter().any(|f| f == folder)
        {
            folders.push(folder.to_path_buf());
        }
        flags.push(path.into_os_string());
    }
    if !archives.is_empty() {
        // They refer to each other.
        flags.push("-Wl,--start-group".into());
        flags.extend(archives.into_iter().map(PathBuf::into_os_string));
        flags.push("-Wl,--end-group".into());
    }
    for folder in folders {
        let mut rpath = OsString::from("-Wl,-rpath,");
        rpath.push(folder);
        flags.push(rpath);
    }
    Ok(flags)
}

/// The archives that stand for a library of the toolkit, the main one first.
pub fn archives_of(name: &str) -> &'static [String] {
    let mut of_name = libraries::all().filter(|l| l.cuda.iter().any(|c| c == name));
    of_name.next().map_or(&[], |l| &l.archives)
}

/// The file of a library of the toolkit, or of a package beside it.
pub fn find(cuda: &Cuda, name: &str) -> Option<PathBuf> {
    let exact = format!("lib{name}.so");
    let versioned = format!("{exact}.");
    find_file(cuda, name, &|file| {
        file == exact || file.starts_with(&versioned)
    })
}

/// The first file of the toolkit's libraries, or of the package of that name beside it, whose name fits.
fn find_file(cuda: &Cuda, name: &str, fits: &dyn Fn(&str) -> bool) -> Option<PathBuf> {
    let own = &cuda.library_folder;
    // Packages of PyPI: nvidia/cu13/lib beside nvidia/nccl/lib.
    let beside = own
        .parent()
        .and_then(Path::parent)
        .map(|p| p.join(name).join("lib"));
    for folder in [Some(own.clone()), beside].into_iter().flatten() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        let mut found: Vec<PathBuf> = entries
            .flatten()
            .map(|e| e.path())
            .filter(|p| fits(&p.file_name().unwrap_or_default().to_string_lossy()))
            .collect();
        found.sort();
        if let Some(first) = found.into_iter().next() {
            return Some(first);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::binding_labels;

    #[test]
    fn labels_of_interfaces() {
        let text = "subroutine a(n) bind(C, name='cufftDestroy')\n  function b() bind(c, &\n    NAME = \"curandGenerate\")\ncall rename(name)\n";
        assert_eq!(binding_labels(text), ["cufftDestroy", "curandGenerate"]);
    }
}
