//! `cuf2cu fc`: takes the place of nvfortran in a build that calls a compiler for each file and a linker at the end.
//!
//! The options are nvfortran's and gfortran's; docs/flags.md says of each what is done. What changes the meaning of a program is
//! followed or refused by name, an option that nobody knows is a warning.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::commands::show;
use super::{foreign, options_of};
use crate::diag::render::Format;
use crate::driver::plan::Language;
use crate::driver::separate::{self, Link, Source};
use crate::driver::{BuildOptions, Error, Target, Toolchain, inputs, terminal, toolchain};
use crate::translate::TranslateOptions;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stop {
    /// A program or a shared library.
    #[default]
    Linked,
    /// `-c`
    Objects,
    /// `-E`
    Preprocessed,
    /// `-V`, `--version`
    Version,
}

/// A word that the linker gets in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Input {
    Source(PathBuf),
    /// An object, an archive or a library.
    File(PathBuf),
    Word(OsString),
}

/// A command line, read.
#[derive(Debug, Default)]
struct Request {
    stop: Stop,
    output: Option<PathBuf>,
    modules: Option<PathBuf>,
    inputs: Vec<Input>,
    /// For the translation and the compilers.
    flags: Vec<String>,
    target: Option<String>,
    help: bool,
    /// Options that nobody knows.
    unknown: Vec<String>,
}

/// Options whose argument is the next word, for the linker.
const LINKER_WITH_ARGUMENT: [&str; 6] = ["-Xlinker", "-T", "-u", "-z", "-soname", "-h"];
/// Options for the linker alone.
const LINKER: [&str; 9] = [
    "-shared",
    "-rdynamic",
    "-pthread",
    "-static-libgfortran",
    "-static-libgcc",
    "-static-libstdc++",
    "-s",
    "-pie",
    "-no-pie",
];
/// What is so here anyway, and what only concerns messages and files of a compiler; the second list has an argument.
const NOTHING: [&str; 15] = [
    "-fPIC",
    "-fpic",
    "-KPIC",
    "-Mpic",
    "-fPIE",
    "-fpie",
    "-c++libs",
    "-Mnomain",
    "-pgf90libs",
    "-pgc++libs",
    "-MD",
    "-MMD",
    "-MP",
    "-pipe",
    "-Mcudalib",
];
const NOTHING_WITH_ARGUMENT: [&str; 4] = ["-MF", "-MT", "-MQ", "-tp"];

/// Reads the words of a command line.
fn read(words: Vec<OsString>) -> Result<Request, Error> {
    let mut r = Request::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let Some(w) = word.to_str().map(str::to_owned) else {
            r.inputs.push(input(PathBuf::from(word)));
            continue;
        };
        let mut next = |what: &str| {
            words
                .next()
                .ok_or_else(|| Error::Usage(format!("{w} needs {what}")))
        };
        match &*w {
            "-c" => r.stop = Stop::Objects,
            "-E" | "-F" => r.stop = Stop::Preprocessed,
            "-V" | "--version" | "-dumpversion" => r.stop = Stop::Version,
            "--help" | "-help" => r.help = true,
            "-o" => r.output = Some(next("the output file")?.into()),
            "-module" | "-J" => r.modules = Some(next("a folder")?.into()),
            "-I" | "-D" | "-U" | "-L" | "-l" => {
                let argument = next("an argument")?;
                let argument = argument.to_string_lossy();
                switch(&mut r, &format!("{w}{argument}"));
            }
            "-isystem" | "-idirafter" => {
                let folder = next("a folder")?;
                r.flags.push(format!("-I{}", folder.to_string_lossy()));
            }
            "-rpath" => {
                let mut rpath = OsString::from("-Wl,-rpath,");
                rpath.push(next("a folder")?);
                r.inputs.push(Input::Word(rpath));
            }
            "-S" => {
                return Err(Error::Usage(
                    "-S: an object is made of host and device code; cuf2cu SRC... OUT shows both"
                        .to_owned(),
                ));
            }
            "-dryrun" | "-###" => r.flags.push("--verbose".to_owned()),
            "-v" | "-#" => r.flags.push("--verbose".to_owned()),
            "-w" => r.flags.push("--fflags=-w".to_owned()),
            "-static-nvidia" => r.flags.push("--static-libs".to_owned()),
            _ if LINKER_WITH_ARGUMENT.contains(&&*w) => {
                let argument = next("an argument")?;
                r.inputs.push(Input::Word(w.clone().into()));
                r.inputs.push(Input::Word(argument));
            }
            _ if NOTHING_WITH_ARGUMENT.contains(&&*w) => {
                next("an argument")?;
            }
            _ => match w.strip_prefix('@') {
                Some(file) => {
                    let more = response(Path::new(file))?;
                    // What stands in a file may name another one, but no file names itself for ever.
                    let nested = more.iter().any(|m| m.to_string_lossy().starts_with('@'));
                    if nested {
                        return Err(Error::Usage(format!(
                            "{file}: a response file may not name another one"
                        )));
                    }
                    let rest: Vec<OsString> = more.into_iter().chain(words).collect();
                    words = rest.into_iter();
                }
                None if w.starts_with('-') && w.len() > 1 => switch(&mut r, &w),
                None => r.inputs.push(input(PathBuf::from(&w))),
            },
        }
    }
    Ok(r)
}

/// The words of a response file.
fn response(path: &Path) -> Result<Vec<OsString>, Error> {
    let text = fs::read_to_string(path).map_err(|e| Error::file("read", path, &e))?;
    let words = shlex::split(&text)
        .ok_or_else(|| Error::Usage(format!("{}: a quote is not closed", path.display())))?;
    Ok(words.into_iter().map(OsString::from).collect())
}

/// An option that is one word.
fn switch(r: &mut Request, w: &str) {
    if let Some(folder) = w.strip_prefix("-J").or(w.strip_prefix("-module=")) {
        r.modules = Some(folder.into());
    } else if let Some(file) = w
        .strip_prefix("-o")
        .filter(|f| !f.is_empty() && !w.contains('='))
    {
        r.output = Some(file.into());
    } else if let Some(target) = w.strip_prefix("--target=") {
        r.target = Some(target.to_owned());
    } else if LINKER.contains(&w)
        || w.starts_with("-Wl,")
        || w.starts_with("-B")
        || w.starts_with("-L")
    {
        r.inputs.push(Input::Word(w.into()));
    } else if let Some(library) = w.strip_prefix("-l") {
        match crate::driver::libraries::is_of_toolkit(library) {
            true => r.flags.push(w.to_owned()),
            false => r.inputs.push(Input::Word(w.into())),
        }
    } else if NOTHING.contains(&w) {
    } else if w.starts_with("-W") || w.starts_with("-pedantic") {
        r.flags.push(format!("--fflags={w}"));
    } else if foreign::is_known(w) || w.starts_with("--") || OWN.iter().any(|o| w.starts_with(o)) {
        r.flags.push(w.to_owned());
    } else {
        r.unknown.push(w.to_owned());
    }
}

/// Options of one letter that `cuf2cu build` has, too.
const OWN: [&str; 4] = ["-D", "-U", "-I", "-O"];

fn input(path: PathBuf) -> Input {
    let native = Language::of_native(&path).is_some();
    match native || inputs::is_fortran(&path) {
        true => Input::Source(path),
        false => Input::File(path),
    }
}

/// `cuf2cu fc WORD...`.
///
/// # Errors
/// See [`Error`].
pub fn run(words: Vec<OsString>) -> Result<ExitCode, Error> {
    let request = read(words)?;
    if request.help {
        terminal::print(format_args!("{HELP}"));
        return Ok(ExitCode::SUCCESS);
    }
    if request.stop == Stop::Version {
        terminal::print(format_args!(
            "cuf2cu fc {} (CUDA Fortran by way of gfortran and nvcc)\n",
            env!("CARGO_PKG_VERSION")
        ));
        return Ok(ExitCode::SUCCESS);
    }
    for word in &request.unknown {
        terminal::tell(format_args!(
            "cuf2cu fc: warning: the option {word} is not known and has no effect\n"
        ));
    }
    let target = target(request.target.as_deref())?;
    let (translate, mut options) = options_of(&request.flags, target).map_err(Error::Usage)?;
    options.position_independent = true;
    if std::env::var("MAKEFLAGS").is_ok_and(|f| f.contains("jobserver")) {
        // One of many: make counts a compiler as one process.
        options.jobs = 1;
    }
    let compilers = Toolchain::find(target, options.mpi)?;
    let job = Job {
        request: &request,
        translate: &translate,
        compilers: &compilers,
        options: &options,
    };
    match request.stop {
        Stop::Preprocessed => job.preprocess(),
        Stop::Objects => job.objects(),
        _ => job.linked(),
    }
}

/// The target: the option, else CUF2CU_TARGET, else cuda where there is nvcc and a GPU.
fn target(option: Option<&str>) -> Result<Target, Error> {
    let variable = std::env::var("CUF2CU_TARGET")
        .ok()
        .filter(|v| !v.is_empty());
    match option.or(variable.as_deref()) {
        Some("cpu") => Ok(Target::Cpu),
        Some("cuda") => Ok(Target::Cuda),
        None | Some("auto") => Ok(
            match toolchain::gpu_present() && toolchain::find_cuda().is_some() {
                true => Target::Cuda,
                false => Target::Cpu,
            },
        ),
        Some(other) => Err(Error::Usage(format!(
            "there is no target {other}: cpu, cuda or auto"
        ))),
    }
}

struct Job<'a> {
    request: &'a Request,
    translate: &'a TranslateOptions,
    compilers: &'a Toolchain,
    options: &'a BuildOptions,
}

impl Job<'_> {
    fn sources(&self) -> Vec<&Path> {
        let inputs = self.request.inputs.iter();
        inputs
            .filter_map(|i| match i {
                Input::Source(path) => Some(path.as_path()),
                _ => None,
            })
            .collect()
    }

    /// `-E`: by gfortran, with the macros.
    fn preprocess(&self) -> Result<ExitCode, Error> {
        let mut command = std::process::Command::new(&self.compilers.fortran);
        command
            .args(["-E", "-cpp", "-D_CUDA"])
            .args(&self.options.macros);
        for folder in &self.options.include_folders {
            command.arg("-I").arg(folder);
        }
        command.args(self.sources());
        if let Some(output) = &self.request.output {
            command.arg("-o").arg(output);
        }
        let status = command
            .status()
            .map_err(|e| Error::file("run", &self.compilers.fortran, &e))?;
        match status.success() {
            true => Ok(ExitCode::SUCCESS),
            false => Err(Error::Toolchain("gfortran -E failed".to_owned())),
        }
    }

    /// `-c`.
    fn objects(&self) -> Result<ExitCode, Error> {
        let sources = self.sources();
        if sources.is_empty() {
            return Err(Error::Usage("-c: there is no source".to_owned()));
        }
        if sources.len() > 1 && self.request.output.is_some() {
            return Err(Error::Usage("-o with -c takes one source".to_owned()));
        }
        for source in sources {
            let named = self.request.output.clone();
            let beside = source.file_name().map(|n| Path::new(n).with_extension("o"));
            self.compile(source, &named.or(beside).unwrap_or_default())?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn compile(&self, path: &Path, object: &Path) -> Result<(), Error> {
        let modules = self.request.modules.clone().unwrap_or_else(|| ".".into());
        let source = Source {
            path,
            object,
            modules: &modules,
        };
        if Language::of_native(path).is_some() {
            return separate::compile_native(&source, self.compilers, self.options);
        }
        let translated = separate::translated(&source, self.translate)?;
        show(&translated.translation.diagnostics, Format::Human);
        separate::compile(&source, &translated, self.compilers, self.options)
    }

    fn linked(&self) -> Result<ExitCode, Error> {
        if !self
            .request
            .inputs
            .iter()
            .any(|i| !matches!(i, Input::Word(_)))
        {
            return Err(Error::Usage(
                "there is nothing to compile or link".to_owned(),
            ));
        }
        let temporary = tempfile::tempdir()
            .map_err(|e| Error::Usage(format!("cannot create a temporary folder: {e}")))?;
        let output = self.request.output.clone();
        let mut link = Link {
            output: output.unwrap_or_else(|| "a.out".into()),
            ..Link::default()
        };
        for (n, input) in self.request.inputs.iter().enumerate() {
            match input {
                Input::Source(path) => {
                    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                    let object = temporary.path().join(format!("{n}-{stem}.o"));
                    self.compile(path, &object)?;
                    link.inputs.push(object.clone().into());
                    link.files.push(object);
                }
                Input::File(path) => {
                    link.inputs.push(path.clone().into());
                    link.files.push(path.clone());
                }
                Input::Word(word) => link.inputs.push(word.clone()),
            }
        }
        separate::link(link, self.translate.dialect, self.compilers, self.options)?;
        Ok(ExitCode::SUCCESS)
    }
}

const HELP: &str = "\
Compiles and links CUDA Fortran as nvfortran does, by way of gfortran and nvcc: FC=\"cuf2cu fc\"

Usage: cuf2cu fc [OPTIONS] FILE...

A source (.cuf, .f90, .F90, .f, ..., .c, .cpp, .cu) becomes an object, and .mod and .cuf2cu files for its modules: the latter
tell cuf2cu what other files need to know of them. Objects, archives and libraries are linked in the order given.

  -c                 compile, do not link                 -o FILE            the output
  -module DIR, -J    where module files go                -I DIR             look there for module and include files
  -D, -U, -cpp, -Mpreprocess, -Mfixed, -Mfree, -Mextend   how sources are read
  -gpu=..., -Mcuda=..., -cudalib=..., -mp, -r8, -O...     see docs/flags.md
  -shared, -l, -L, -Wl,..., -rpath DIR                    for the linker
  -E                 preprocess                           -V                 the version
  --target=TARGET    cpu or cuda; else the variable CUF2CU_TARGET, else cuda where there is a GPU
  @FILE              more options, from a file

docs/flags.md says of each option whether it is followed, ignored or refused. One that nobody knows is a warning.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Request {
        read(line.split(' ').map(OsString::from).collect()).unwrap()
    }

    #[test]
    fn command_lines_of_makefiles() {
        let r = of("-c -cuda -gpu=cc80,rdc -fast -module mods -I../inc -DN=4 sub/a.cuf -o a.o");
        assert_eq!(r.stop, Stop::Objects);
        assert_eq!(r.output.as_deref(), Some(Path::new("a.o")));
        assert_eq!(r.modules.as_deref(), Some(Path::new("mods")));
        assert_eq!(
            r.flags,
            ["-cuda", "-gpu=cc80,rdc", "-fast", "-I../inc", "-DN=4"]
        );
        assert_eq!(r.inputs, [Input::Source("sub/a.cuf".into())]);
        let r = of("-Mcuda a.o -L/x libb.a -lfoo -cudalib=cublas -lcufft -Wl,-rpath,/x -o app");
        assert_eq!(r.stop, Stop::Linked);
        let word = |w: &str| Input::Word(w.into());
        assert_eq!(
            r.inputs,
            [
                Input::File("a.o".into()),
                word("-L/x"),
                Input::File("libb.a".into()),
                word("-lfoo"),
                word("-Wl,-rpath,/x"),
            ]
        );
        assert_eq!(r.flags, ["-Mcuda", "-cudalib=cublas", "-lcufft"]);
        let r = of("-c -whatever -Mnothing a.cuf");
        assert_eq!(r.unknown, ["-whatever", "-Mnothing"]);
    }
}
