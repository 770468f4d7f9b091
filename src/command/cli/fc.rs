//! `cuf2cu fc`: takes the place of nvfortran in a build that calls a compiler for each file and a linker at the end.
//!
//! The options are nvfortran's and gfortran's; docs/flags.md says of each what is done. What changes the meaning of a program is
//! followed or refused by name, an option that nobody knows is a warning.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::arguments::MOST_ERRORS;
use super::{compat_flags, options_of};
use crate::diag::message::Kind;
use crate::driver::plan::Language;
use crate::driver::process::{Temporary, children};
use crate::driver::separate::depends::{Rules, Wanted as Depends};
use crate::driver::separate::{self, Link, Source};
use crate::driver::{
    BuildOptions, Error, Target, Toolchain, inputs, libraries, read_source, terminal, toolchain,
};
use crate::translate::{FileAccount, TranslateOptions};

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stop {
    /// A program or a shared library.
    #[default]
    Linked,
    /// `-c`
    Objects,
    /// `--print-link-flags`
    LinkFlags,
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
    /// `-MMD` and its like.
    depends: Depends,
    /// Of options that have no effect although they were to have one.
    notes: Vec<String>,
    /// `-Minfo`
    info: bool,
    /// `-dryrun`
    dry_run: bool,
    /// `-cuda`: every source is CUDA Fortran, not only `.cuf` files.
    cuda: bool,
}

/// The compilers whose place `cuf2cu fc` takes under their names.
const NAMES: [&str; 10] = [
    "nvfortran",
    "pgfortran",
    "pgf77",
    "pgf90",
    "pgf95",
    "nvc",
    "nvc++",
    "pgcc",
    "pgc++",
    "cuf2cu-fc",
];

/// Whether a program called so is to be `cuf2cu fc`.
pub fn is_name(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default();
    NAMES.iter().any(|n| name == *n)
}

/// Options whose argument is the next word, for the linker.
const LINKER_WITH_ARGUMENT: [&str; 6] = ["-Xlinker", "-T", "-u", "-z", "-soname", "-h"];
/// Options for the linker alone.
const LINKER: [&str; 10] = [
    "-shared",
    "-static",
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
const NOTHING: [&str; 12] = [
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
    "-pipe",
    "-Mcudalib",
];
const NOTHING_WITH_ARGUMENT: [&str; 1] = ["-tp"];

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
                .ok_or_else(|| Error::Usage(format!("{w} requires {what}")))
        };
        let mut text = |what: &str| next(what).map(|a| a.to_string_lossy().into_owned());
        if r.depends.option(&w, &mut text)? {
            continue;
        }
        match &*w {
            "-c" => r.stop = Stop::Objects,
            "--print-link-flags" => r.stop = Stop::LinkFlags,
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
            "-fsyntax-only" | "-M" | "-MM" => {
                return Err(Error::Usage(format!(
                    "{w} produces no object file and is not supported\nhelp: use `cuf2cu check SRC...` to check sources"
                )));
            }
            "--" => r
                .inputs
                .extend(words.by_ref().map(PathBuf::from).map(input)),
            "-x" => r
                .unknown
                .push(format!("{w} {}", next("a language")?.to_string_lossy())),
            "-dryrun" | "-###" => r.dry_run = true,
            // They have been read: see `voice`.
            "-q" | "--quiet" => {}
            "--error-format" | "--color" => drop(next("a word")?),
            "-v" | "-#" => r.flags.push("--verbose".to_owned()),
            "-O" => r.flags.push("-O2".to_owned()),
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
                            "{file}: a response file cannot name another response file"
                        )));
                    }
                    let rest: Vec<OsString> = more.into_iter().chain(words).collect();
                    words = rest.into_iter();
                }
                None if super::has_argument(w.trim_start_matches("--")) == Some(true)
                    && w.starts_with("--") =>
                {
                    let argument = next("an argument")?;
                    switch(&mut r, &format!("{w}={}", argument.to_string_lossy()));
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
    let text = String::from_utf8(read_source::named(path)?)
        .map_err(|_| Error::Usage(format!("{} is not text", path.display())))?;
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
        // Intel's -openmp is no output `penmp`.
        .filter(|f| !f.is_empty() && !w.contains('=') && w != "-openmp")
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
        // Libraries of the toolkit may lie there.
        r.flags.extend(w.starts_with("-L").then(|| w.to_owned()));
    } else if let Some(library) = w.strip_prefix("-l") {
        match libraries::is_of_toolkit(library) || libraries::is_own(library) {
            true => r.flags.push(w.to_owned()),
            false => r.inputs.push(Input::Word(w.into())),
        }
    } else if w == "-Minfo" || w.starts_with("-Minfo=") {
        r.info = true;
    } else if ["-cuda", "-Mcuda"].contains(&w.split('=').next().unwrap_or_default()) {
        r.cuda = true;
        r.flags.push(w.to_owned());
    } else if w == "-acc" || w.starts_with("-acc=") {
        // What the suboptions choose, a GPU or the threads of the host, is the target's to say.
        r.flags.push("-acc".to_owned());
    } else if let Some(list) = w.strip_prefix("-ta=") {
        r.flags.push("-acc".to_owned());
        let device = ["tesla", "nvidia"]
            .iter()
            .find_map(|d| list.strip_prefix(d));
        let more = device.map(|m| m.trim_start_matches([':', ',']));
        r.flags
            .extend(more.filter(|m| !m.is_empty()).map(|m| format!("-gpu={m}")));
    } else if w == "-stdpar" || w.starts_with("-stdpar=") {
        r.notes
            .push(format!("{w}: DO CONCURRENT runs on the host, one thread"));
    } else if w == "-mp=gpu" || w.starts_with("-mp=gpu,") {
        r.notes
            .push(format!("{w}: TARGET regions run on the host, as with -mp"));
        r.flags.push("-mp".to_owned());
    } else if w.starts_with("-std=f") {
        let why =
            "generated host code uses gfortran extensions and would not compile with this standard";
        r.notes.push(format!("{w} has no effect: {why}"));
    } else if NOTHING.contains(&w) {
    } else if w.starts_with("-Wp,") {
        r.flags.push(w.to_owned());
    } else if w.starts_with("-W") || w.starts_with("-pedantic") {
        r.flags.push(format!("--fflags={w}"));
    } else if is_own(w) || compat_flags::is_known(w) {
        r.flags.push(w.to_owned());
    } else {
        r.unknown.push(w.to_owned());
    }
}

/// Whether it is an option that `cuf2cu build` has, too.
fn is_own(w: &str) -> bool {
    if let Some(long) = w.strip_prefix("--") {
        let name = long.split('=').next().unwrap_or_default();
        return super::has_argument(name).is_some();
    }
    let level = w.strip_prefix("-O");
    level.is_some_and(|l| matches!(l, "0" | "1" | "2" | "3" | "s" | "fast"))
        || ["-D", "-U", "-I"].iter().any(|o| w.starts_with(o))
}

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
        terminal::print(format_args!("{HELP}{}", flags()));
        return Ok(ExitCode::SUCCESS);
    }
    if request.stop == Stop::Version {
        terminal::print(format_args!(
            "cuf2cu fc: takes the command line of nvfortran {STANDS_FOR}-0\nNVIDIA Compilers and Tools, by way of gfortran and nvcc\n",
        ));
        return Ok(ExitCode::SUCCESS);
    }
    for word in &request.unknown {
        let text = format!("unknown option {word} has no effect");
        terminal::warn("cuf2cu fc", Kind::Usage, &text);
    }
    for note in &request.notes {
        terminal::note(format_args!("cuf2cu fc: note: {note}\n"));
    }
    let target = target(request.target.as_deref())?;
    let (mut translate, mut options) = options_of(&request.flags, target).map_err(Error::Usage)?;
    translate.cuda_by_extension = !request.cuda;
    options.position_independent = true;
    options.dry_run = request.dry_run;
    let compilers = Toolchain::find(target, options.mpi)?;
    options
        .fflags
        .extend(compilers.family.alone().map(str::to_owned));
    // A makefile names the GPUs of its day.
    let named = options.arch.as_deref().zip(compilers.cuda.as_ref());
    if let Some((arch, new)) = named.and_then(|(a, cuda)| Some((a.to_owned(), cuda.replaced(a)?))) {
        terminal::tell(format_args!(
            "cuf2cu fc: note: the CUDA toolkit no longer supports {arch}; using {new}, the oldest it supports\n"
        ));
        options.arch = Some(new);
    }
    let job = Job {
        request: &request,
        translate: &translate,
        compilers: &compilers,
        options: &options,
    };
    match request.stop {
        Stop::Preprocessed => job.preprocess(),
        Stop::Objects => job.objects(),
        Stop::LinkFlags => job.link_flags(),
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
            "unknown target `{other}`; expected cpu, cuda, or auto"
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
        let mut command = self.compilers.fortran.command();
        // gfortran takes a .cuf for an object.
        let fixed = self.translate.fixed.unwrap_or_else(|| {
            let form = |s: &&Path| !inputs::is_free_form(s);
            self.sources().first().is_some_and(form)
        });
        command
            .args(["-E", "-cpp", "-x"])
            .args(match fixed {
                true => ["f77-cpp-input", "-ffixed-form"],
                false => ["f95-cpp-input", "-ffree-form"],
            })
            .args(separate::predefined(&self.sources(), self.translate)?)
            .args(&self.options.macros);
        for folder in &self.options.include_folders {
            command.arg("-I").arg(folder);
        }
        command.args(self.sources());
        if let Some(output) = &self.request.output {
            command.arg("-o").arg(output);
        }
        let status = children::status(&mut command)
            .map_err(|e| Error::file("run", &self.compilers.fortran.program, &e))?;
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
        self.check_rules(&sources)?;
        for source in sources {
            let named = self.request.output.clone();
            let beside = source.file_name().map(|n| Path::new(n).with_extension("o"));
            let object = named.or(beside).unwrap_or_default();
            let rules = self.request.depends.of_object(source, &object);
            self.compile(source, &object, rules)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The rules of one source alone go into a file that is named.
    fn check_rules(&self, sources: &[&Path]) -> Result<(), Error> {
        match sources.len() > 1 && self.request.depends.file.is_some() {
            true => Err(Error::Usage("-MF takes one source".to_owned())),
            false => Ok(()),
        }
    }

    fn compile(&self, path: &Path, object: &Path, rules: Option<Rules>) -> Result<(), Error> {
        let modules = self.request.modules.clone().unwrap_or_else(|| ".".into());
        let source = Source {
            path,
            object,
            modules: &modules,
            rules,
        };
        if Language::of_native(path).is_some() {
            return separate::compile_native(&source, self.compilers, self.options);
        }
        let translated = separate::translated(&source, self.translate)?;
        terminal::show(&translated.translation.diagnostics, MOST_ERRORS);
        for file in &translated.translation.report.files {
            self.report(file)?;
        }
        separate::compile(&source, &translated, self.compilers, self.options)
    }

    /// What `-Minfo` tells of a file.
    fn report(&self, file: &FileAccount) -> Result<(), Error> {
        let survey = &file.survey;
        // With `-acc`, procedures for the device may be those of `routine`.
        let procedures = match self.request.flags.iter().any(|f| f == "-acc") {
            true => 0,
            false => survey.device_procedures.found,
        };
        let device = survey.kernels.found + procedures + survey.launches;
        if device > 0 && !self.request.cuda && !inputs::has_cuda_extension(&file.path) {
            let text = format!(
                "{} contains CUDA Fortran, but `-cuda` is missing: `_CUDA` is not defined, and lines with `!@cuf` or `!$cuf` are comments",
                file.path.display()
            );
            terminal::warn("cuf2cu fc", Kind::Usage, &text);
        }
        if self.request.info {
            for unit in file.made.chunk_by(|a, b| a.unit == b.unit) {
                terminal::tell(format_args!("{}:\n", unit[0].unit));
                for made in unit {
                    terminal::tell(format_args!("{:>7}, {}\n", made.line, made.what));
                }
            }
        }
        Ok(())
    }

    fn linked(&self) -> Result<ExitCode, Error> {
        if !self
            .request
            .inputs
            .iter()
            .any(|i| !matches!(i, Input::Word(_)))
        {
            return Err(Error::Usage("no files to compile or link".to_owned()));
        }
        self.check_rules(&self.sources())?;
        let temporary = Temporary::new()?;
        let output = self.request.output.clone();
        let mut link = Link {
            output: output.unwrap_or_else(|| "a.out".into()),
            ..Link::default()
        };
        for (n, input) in self.request.inputs.iter().enumerate() {
            match input {
                Input::Source(path) => {
                    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                    let object = temporary.place().join(format!("{n}-{stem}.o"));
                    let rules = self.request.depends.of_program(path, &link.output);
                    self.compile(path, &object, rules)?;
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

    /// `--print-link-flags`: what another linker needs for these objects.
    fn link_flags(&self) -> Result<ExitCode, Error> {
        if let Some(source) = self.sources().first() {
            return Err(Error::Usage(format!(
                "--print-link-flags is about objects: {} is a source",
                source.display()
            )));
        }
        let mut link = Link {
            output: self.request.output.clone().unwrap_or_default(),
            ..Link::default()
        };
        for input in &self.request.inputs {
            match input {
                Input::Source(path) | Input::File(path) => link.files.push(path.clone()),
                Input::Word(word) => link.inputs.push(word.clone()),
            }
        }
        let dialect = self.translate.dialect;
        let words = separate::link_flags(link, dialect, self.compilers, self.options)?;
        terminal::print(format_args!("{words}\n"));
        Ok(ExitCode::SUCCESS)
    }
}

/// The release whose options these are, that with CUDA 13.0: makefiles ask `-V` for the one number with a point in it and choose libraries by it, so
/// that cuf2cu's own stands elsewhere (`cuf2cu --version`). Meson knows the command line of a compiler by `NVIDIA Compilers and Tools`.
const STANDS_FOR: &str = "25.9";

const HELP: &str = "\
Compiles and links CUDA Fortran as nvfortran does, by way of gfortran and nvcc: FC=\"cuf2cu fc\"

Usage: cuf2cu fc [OPTIONS] FILE...

A source (.cuf, .f90, .F90, .f, ..., .c, .cpp, .cu) becomes an object, and .mod and .cuf2cu files for its modules: the latter
tell cuf2cu what other files need to know of them. Objects, archives and libraries are linked in the order given.
The target is that of --target=cpu or cuda, else of the variable CUF2CU_TARGET, else cuda where there is a GPU.
";

/// The document of the flags, whose tables are part of the help.
const FLAGS: &str = include_str!("../../../docs/flags.md");
/// Behind the last table that is shown.
const FLAGS_END: &str = "## Memory modes";
/// Columns of the help.
const WIDTH: usize = 110;

/// The tables of [`FLAGS`]: under its heading each flag, and what is done with it.
fn flags() -> String {
    let mut out = String::new();
    let shown = FLAGS.split(FLAGS_END).next().unwrap_or_default();
    for line in shown.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            out += &format!("\n{}:\n", title.replace('`', ""));
        }
        let cells = line.strip_prefix("| ").and_then(|l| l.strip_suffix('|'));
        let Some(cells) = cells.filter(|c| !c.starts_with("---") && !c.starts_with("flag ")) else {
            continue;
        };
        let mut cells = cells.split(" | ").map(|c| c.trim().replace('`', ""));
        for part in wrapped(&cells.next().unwrap_or_default(), WIDTH - 2) {
            out += &format!("  {part}\n");
        }
        let rest: Vec<String> = cells.filter(|c| !c.is_empty()).collect();
        for part in wrapped(&rest.join(": "), WIDTH - 8) {
            out += &format!("        {part}\n");
        }
    }
    out
}

/// The text in lines of at most `width` columns, broken at blanks.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

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
        assert_eq!(r.flags, ["-Mcuda", "-L/x", "-cudalib=cublas", "-lcufft"]);
        let r = of("-c -whatever -Mnothing a.cuf");
        assert_eq!(r.unknown, ["-whatever", "-Mnothing"]);
    }

    #[test]
    fn options_of_others_are_named_and_take_no_files_along() {
        let r = of("-c -O7 -openmp -x f95 --bogus --bogus=1 -march=native -std=f2018 a.cuf");
        assert_eq!(
            r.unknown,
            ["-O7", "-openmp", "-x f95", "--bogus", "--bogus=1"]
        );
        assert_eq!(r.inputs, [Input::Source("a.cuf".into())]);
        assert_eq!((r.output, r.notes.len()), (None, 1));
        let r = of("-O3 --arch sm_80 --check-bounds --fmad=off -c -- -a.cuf -o");
        assert_eq!(
            r.flags,
            ["-O3", "--arch=sm_80", "--check-bounds", "--fmad=off"]
        );
        assert_eq!(
            r.inputs,
            [Input::Source("-a.cuf".into()), Input::File("-o".into())]
        );
        for word in ["-fsyntax-only", "-M", "-S"] {
            assert!(read(vec![word.into()]).is_err_and(|e| e.to_string().contains(word)));
        }
    }

    /// As they stand in the makefiles of BabelStream, euler2d_cudaFortran, Eigensolver_gpu, STREAmS and AFiD_GPU_opensource.
    #[test]
    fn command_lines_of_public_makefiles() {
        for line in [
            "-O3 -Minform=warn -tp=native -DVERSION_STRING=5.0 -DUSE_CUDA -gpu=ccnative -cuda -acc=gpu -c CUDAStream.F90",
            "-O3 -cuda -gpu=ccnative -gpu=ptxinfo -Minfo=all -Mpreprocess -gpu=rdc -acc -c main_gpu.cuf",
            "-O3 -cuda -gpu=ccnative -gpu=rdc -acc m_nvtx.o main_gpu.o -o euler2d_gpu -L/cuda/lib64 -lnvToolsExt",
            "-O4 -fast -Minform=warn -Minfo -c m_HydroUtils.f90",
            "-c -O3 -mp -pgf90libs -Mcuda=cc70,cuda10.1,ptxinfo,maxregcount:64 -Mlarge_arrays zhetd2_gpu.F90 -o zhetd2_gpu.o",
            "-c -O3 -mp -pgf90libs -Mcuda=cc60,cuda10.1,ptxinfo,nordc,maxregcount:255 -Mlarge_arrays dsymv_gpu.F90 -o dsymv_gpu.o",
            "-o test_zhegvdx test_zhegvdx.F90 toolbox.o wallclock.o -Mcudalib=cublas,cusolver -L/cuda/lib64 -lnvToolsExt \
             ../lib_eigsolve/lib_eigsolve.a -L/mkl/lib/intel64 -lmkl_intel_lp64 -lmkl_core -lmkl_intel_thread -pgf90libs -lpthread -lm -ldl \
             -O3 -mp -pgf90libs -Mcuda=cc70,cuda10.1 -Mlarge_arrays -I../lib_eigsolve -I/mkl/include",
            "-I /mpich/include -O3 -Mcuda=ccall,cuda11.0 -DUSE_CUDA -DCUDA_ASYNC -c alloc.F90 -o alloc.o",
            "-O2 -Mbounds -Ktrap=fp -g -c alloc.F90 -o alloc.o",
            "-c -O3 -DUSE_CUDA -DPASS_ARRAYS -Mcuda=cc70,cuda9.1,ptxinfo,madconst -Kieee -Mlarge_arrays -Mallocatable=95 -DUSE_GPU \
             -I /hdf5/include param.F90 -o Obj_gpu/param.o -module=Obj_gpu",
            "-O3 -DUSE_CUDA Obj_gpu/param.o -Mcudalib=cufft -L/cuda/lib64 -lnvToolsExt -L/hdf5/lib -lhdf5_fortran -lhdf5 -lrt -lz -ldl \
             -lm /essl/lib64/libfftw3_essl.a -L/essl/lib64 -lessl -o afid_gpu",
        ] {
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            let r = of(&line);
            assert!(r.unknown.is_empty(), "{line}: {:?}", r.unknown);
            let options = options_of(&r.flags, Target::Cuda);
            assert!(options.is_ok(), "{line}: {:?}", options.err());
        }
    }

    #[test]
    fn the_document_has_every_flag() {
        let listed = |flag: &str| {
            let quoted = FLAGS.split('`').skip(1).step_by(2);
            let flag = flag.trim_end_matches('=');
            let same = |q: &str| q.trim_end_matches("...").trim_end_matches('=') == flag;
            quoted.flat_map(|q| q.split(' ')).any(same)
        };
        let all = (LINKER.iter().chain(&NOTHING))
            .chain(&NOTHING_WITH_ARGUMENT)
            .chain(&LINKER_WITH_ARGUMENT);
        let missing: Vec<&str> = (all.copied().chain(compat_flags::names()))
            .filter(|flag| !listed(flag))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
