//! The commands: translate, run, build, check, explain.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use super::arguments::{
    BuildArguments, CheckArguments, ModulesArguments, PlaceArguments, RunArguments,
    SourceArguments, Stage, SummaryFormat, TranslateArguments,
};
use super::build_dir::BuildDir;
use super::output;
use super::progress;
use crate::diag::Diagnostic;
use crate::diag::message::Kind;
use crate::diag::render::Format;
use crate::driver::build::{Checks, Library, NATIVE, build_library};
use crate::driver::fix::{self, Applied};
use crate::driver::inputs::{self, Inputs};
use crate::driver::output::Manifest;
use crate::driver::paths::{absolute, resolve};
use crate::driver::process::{children, job_slots, parent_death};
use crate::driver::separate::install;
use crate::driver::up_to_date::Fingerprint;
use crate::driver::{
    self, BuildOptions, DeviceLines, Error, Package, Project, Target, Toolchain, cache, depfile,
    headers, pool, report, summary, terminal,
};
use crate::suggest;
use crate::translate::{Action, SourceInput, TranslateOptions, Translation};

/// `cuf2cu SRC... OUT`: writes the files of every source without errors.
pub fn translate(arguments: &TranslateArguments) -> Result<ExitCode, Error> {
    if let Some(Stage::Ir) = arguments.emit {
        return emit_ir(arguments);
    }
    let [sources @ .., out] = &arguments.paths[..] else {
        return Err(no_folder());
    };
    if sources.is_empty() {
        return Err(no_folder());
    }
    inputs::check_output(sources, out)?;
    let mut inputs = inputs::collect(sources, Some(&arguments.source.selection()))?;
    let options = BuildOptions {
        watched: arguments.profile.any(),
        ..(arguments.build).build_options(&arguments.source, Target::Cuda)?
    };
    let library = output::library_name(arguments.name.as_deref(), sources, out)?;
    let linked: Vec<PathBuf> = options
        .library_folders
        .iter()
        .map(|f| absolute(f))
        .collect();
    let request = request(arguments, sources, (&library, &linked));
    let basis = Fingerprint::new(&request, &inputs.fortran);
    if arguments.write.writes() && is_made(arguments, out, &basis, &mut inputs)? {
        return Ok(ExitCode::SUCCESS);
    }
    let checks = arguments.build.checks();
    let map = arguments.source_map;
    let translate = TranslateOptions {
        source_map: map,
        ..arguments.source.translate_options(checks)
    };
    let translation = translate_inputs_with(&mut inputs, &arguments.source, translate)?;
    let failed = terminal::show(&translation.diagnostics, arguments.source.max_errors);
    // A program without a translation is built no more, as it was before.
    let known = failed && matches!(Manifest::read(&resolve(out)), Ok(Some(_)));
    if known || !translation.files.is_empty() {
        let targets = arguments.build.targets();
        inputs.include = headers::bring(&mut inputs.natives, &arguments.source.include)?;
        let mut package = driver::package(&translation, &inputs)?;
        package.plan.library = library;
        if !failed {
            package.origin = basis.origin(&inputs, &package.files, &translation);
        }
        package.complete(&translation, &title(sources), &options, targets)?;
        let read = depfile::of_translation(&inputs, &translation);
        if let Some(file) = &arguments.depfile {
            let written = |below: &Path| package.files.iter().any(|(path, _)| path == below);
            depfile::check(file, out, written, &read)?;
        }
        arguments.write.write(&package, out)?;
        if let Some(file) = arguments
            .depfile
            .as_ref()
            .filter(|_| arguments.write.writes())
        {
            depfile::write(file, arguments.depfile_target.as_deref(), out, &read)?;
        }
    }
    terminal::note(format_args!("{}\n", report::summary(&translation)));
    for line in report::choices(&translation) {
        terminal::note(format_args!("{line}\n"));
    }
    if failed {
        return Err(Error::Diagnostics);
    }
    if arguments.write.writes() {
        tell_written("written to", out, arguments.build.targets(), "");
    }
    Ok(ExitCode::SUCCESS)
}

/// All that the output depends on beside cuf2cu and what is read; not how many threads make it, nor where: of the output only the folders of
/// libraries and of headers that do not come along are named from the root.
fn request(
    arguments: &TranslateArguments,
    sources: &[PathBuf],
    library: (&str, &[PathBuf]),
) -> String {
    // Named one by one, so that a new one is not forgotten.
    let TranslateArguments {
        profile,
        source_map,
        source,
        build,
        paths: _,
        emit: _,
        write: _,
        depfile: _,
        depfile_target: _,
        name: _,
    } = arguments;
    let outside = source.translate_options(Checks::default()).outside;
    let source = SourceArguments {
        jobs: None,
        ..source.clone()
    };
    let watched = (profile.any(), source_map);
    format!("{sources:?} {source:?} {build:?} {library:?} {outside:?} {watched:?}")
}

/// Whether the last run has written what this one would, and says so.
fn is_made(
    arguments: &TranslateArguments,
    out: &Path,
    basis: &Fingerprint,
    inputs: &mut Inputs,
) -> Result<bool, Error> {
    let Ok(Some(manifest)) = Manifest::read(&resolve(out)) else {
        return Ok(false);
    };
    let Some(origin) = &manifest.origin else {
        return Ok(false);
    };
    // Whoever reads messages by a program reads them of every run.
    let silent = origin.warnings == 0 || terminal::format() == Format::Human;
    if !silent
        || !basis.has_made(origin, inputs, &arguments.source.include)
        || !manifest.describes(&resolve(out))
    {
        return Ok(false);
    }
    if let Some(file) = &arguments.depfile {
        let read = depfile::of_earlier(inputs, origin);
        depfile::check(file, out, |below| manifest.names_path(below), &read)?;
        depfile::write(file, arguments.depfile_target.as_deref(), out, &read)?;
    }
    let warnings = match origin.warnings {
        0 => String::new(),
        1 => "; 1 warning unchanged (run `cuf2cu check` to see it)".to_owned(),
        n => format!("; {n} warnings as before (cuf2cu check shows them)"),
    };
    tell_written("up to date:", out, arguments.build.targets(), &warnings);
    Ok(true)
}

/// Says where the output is and how it is built.
fn tell_written(what: &str, out: &Path, targets: &[driver::Target], more: &str) {
    let program = out.display().to_string();
    let quoted = if program.contains(|c: char| c.is_whitespace() || "'\"$&;()<>|*?`\\".contains(c))
    {
        format!("'{}'", program.replace('\'', "'\\''"))
    } else {
        program.clone()
    };
    let without = match targets {
        [_] => "",
        _ => " (TARGET=cpu without a GPU)",
    };
    terminal::note(format_args!(
        "{what} {program}; make -C {quoted} builds it{without}{more}\n"
    ));
}

fn no_folder() -> Error {
    Error::Usage("missing output directory; usage: cuf2cu SRC... OUT".to_owned())
}

/// `cuf2cu modules NAME... -o DIR`: whole modules of CUDA's libraries, for code that cuf2cu does not translate.
pub fn modules(arguments: &ModulesArguments) -> Result<ExitCode, Error> {
    let names: Vec<String> = arguments
        .names
        .iter()
        .map(|n| n.to_ascii_lowercase())
        .collect();
    let package = driver::libraries::modules(&names)?;
    arguments.write.write(&package, &arguments.output)?;
    if !arguments.write.writes() {
        return Ok(ExitCode::SUCCESS);
    }
    terminal::note(format_args!(
        "written to {0}; make -C {0} builds build/cuda/libcuf.a (TARGET=cpu without a GPU) and its modules\n",
        arguments.output.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// `cuf2cu --emit ir SRC...`: prints the device IR.
fn emit_ir(arguments: &TranslateArguments) -> Result<ExitCode, Error> {
    let mut inputs = inputs::collect(&arguments.paths, Some(&arguments.source.selection()))?;
    let options = TranslateOptions {
        show_ir: true,
        ..arguments.source.translate_options(Checks::default())
    };
    let translation = driver::translate_guarded(std::mem::take(&mut inputs.fortran), &options)?;
    let failed = terminal::show(&translation.diagnostics, arguments.source.max_errors);
    terminal::print_bytes(translation.ir.concat().as_bytes());
    match failed {
        true => Err(Error::Diagnostics),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// `cuf2cu run SRC... -- ARGS`: the status is the program's.
pub fn run(arguments: &RunArguments) -> Result<ExitCode, Error> {
    let mut environment = arguments.profile.environment()?;
    let seed = arguments.several.shuffle;
    environment.extend(seed.map(|s| ("CUF_SHUFFLE", s.to_string())));
    let mut built = build_for(arguments, arguments.build.target())?;
    if seed.is_some() && built.target == Target::Cuda {
        return Err(Error::Usage(
            "`--shuffle` requires `--target cpu`".to_owned(),
        ));
    }
    let program = built.chosen(arguments)?;
    let mut command = if arguments.build.mpi && std::env::var_os("OMPI_COMM_WORLD_SIZE").is_none() {
        let launcher = which::which("mpirun").map_err(|_| {
            Error::Toolchain("mpirun not found\nhelp: apt install openmpi-bin".to_owned())
        })?;
        let mut command = parent_death::command(&launcher);
        command.arg(&program);
        command
    } else {
        parent_death::command(&program)
    };
    terminal::finish(0);
    command.args(&arguments.arguments);
    command.envs(environment);
    let status = children::program(&mut command, || built.place.leave())
        .map_err(|e| Error::file("run", &program, &e))?;
    if status.code().is_none() {
        let text = format!("program terminated by {}", children::describe(status));
        terminal::warn("cuf2cu", Kind::Tool, &format!("cuf2cu: {text}"));
    }
    Ok(ExitCode::from(children::as_code(status)))
}

/// The program of that name, or the only one.
fn choose<'a>(programs: &'a [PathBuf], name: Option<&str>) -> Result<&'a PathBuf, Error> {
    let name_of = |p: &PathBuf| Some(p.file_name()?.to_string_lossy().into_owned());
    let mut wanted = (programs.iter()).filter(|p| name.is_none() || name_of(p).as_deref() == name);
    if let (Some(program), None) = (wanted.next(), wanted.next()) {
        return Ok(program);
    }
    let known: Vec<String> = programs.iter().filter_map(name_of).collect();
    let names = known.join(", ");
    Err(Error::Usage(match name {
        Some(name) => format!(
            "no program named {name}; available: {names}{}",
            suggest::question(name, known.iter().map(String::as_str))
        ),
        None => format!(
            "the sources contain several programs ({names})\nhelp: choose one with `--bin NAME`"
        ),
    }))
}

/// `cuf2cu build SRC... -o APP`.
pub fn build(arguments: &BuildArguments) -> Result<ExitCode, Error> {
    // A program that cannot be told so in a form has none.
    arguments.profile.environment()?;
    let mut options = arguments
        .build
        .build_options(&arguments.source, arguments.build.target())?;
    options.watched = arguments.profile.any();
    let always = [
        (arguments.profile.profile.is_some(), "cuf_profile_always"),
        (arguments.profile.nvtx, "cuf_nvtx_always"),
    ];
    options.always = always
        .iter()
        .filter(|(wanted, _)| *wanted)
        .map(|(_, symbol)| *symbol)
        .collect();
    let built = translate_and_build(
        &arguments.sources,
        &arguments.place,
        &arguments.source,
        (arguments.build.targets(), options),
        true,
    )?;
    if let Some(library) = &built.library {
        return install_library(library, arguments.output.as_deref(), built.place.hidden);
    }
    if let Some(output) = &arguments.output {
        if let [program] = &built.programs[..] {
            install(program, output)?;
        } else {
            fs::create_dir_all(output).map_err(|e| Error::file("create", output, &e))?;
            for program in &built.programs {
                install(
                    program,
                    &output.join(program.file_name().unwrap_or_default()),
                )?;
            }
        }
    } else if built.place.hidden {
        for program in &built.programs {
            install(program, Path::new(program.file_name().unwrap_or_default()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `cuf2cu check SRC...`.
pub fn check(arguments: &CheckArguments) -> Result<ExitCode, Error> {
    let (inputs, translation) = match arguments.fix {
        true => fixed(arguments)?,
        false => checked(arguments)?,
    };
    let whole = driver::check_package(&translation, &inputs);
    let wrong = whole.as_ref().err();
    match arguments.format {
        SummaryFormat::Human => {
            terminal::show(&translation.diagnostics, arguments.source.max_errors);
            tell_of_fixes(&translation, arguments.fix);
            terminal::outcome(format_args!(
                "{}",
                summary::text(&translation, wrong, arguments.verbose)
            ));
            for line in report::choices(&translation) {
                terminal::note(format_args!("{line}\n"));
            }
        }
        SummaryFormat::Json => {
            // The object has the messages; in another form they are shown where that is asked for.
            if terminal::format() != Format::Human {
                terminal::show(&translation.diagnostics, arguments.source.max_errors);
            }
            terminal::print(format_args!("{}\n", summary::json(&translation, wrong)));
        }
    }
    // In the order of a translation: what is wrong with the whole comes after what is wrong with its files.
    whole?;
    match translation.has_errors() {
        true => Err(Error::Diagnostics),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// The sources and what is to be said of them.
fn checked(arguments: &CheckArguments) -> Result<(Inputs, Translation), Error> {
    let mut inputs = inputs::collect(&arguments.sources, Some(&arguments.source.selection()))?;
    let translation = examined(&mut inputs, &arguments.source)?;
    Ok((inputs, translation))
}

/// How often sources are checked again after changes, each of which may show what it hid.
const ROUNDS: usize = 8;

/// The same after the safe fixes have been made.
fn fixed(arguments: &CheckArguments) -> Result<(Inputs, Translation), Error> {
    let mut applied = Applied::default();
    for _ in 0..ROUNDS {
        let named = inputs::collect(&arguments.sources, Some(&arguments.source.selection()))?;
        let files = named.fortran.iter().map(|s| s.path.clone()).collect();
        let (inputs, translation) = checked(arguments)?;
        let made = fix::apply(&translation.diagnostics, &files)?;
        let done = made.count() == 0;
        applied.add(made);
        if done {
            for (file, count) in &applied.files {
                let changes = if *count == 1 { "change" } else { "changes" };
                terminal::note(format_args!("{}: {count} {changes} made\n", file.display()));
            }
            return Ok((inputs, translation));
        }
    }
    checked(arguments)
}

/// Says how many errors `--fix` would mend.
fn tell_of_fixes(translation: &Translation, fixing: bool) {
    let safe = |d: &&Diagnostic| d.fixes.iter().any(|f| f.safe);
    let count = translation.diagnostics.iter().filter(safe).count();
    if count > 0 && !fixing {
        let (errors, are) = if count == 1 {
            ("message", "has")
        } else {
            ("messages", "have")
        };
        terminal::note(format_args!(
            "{count} {errors} {are} a safe fix; `cuf2cu check --fix` applies it\n"
        ));
    }
}

/// `cuf2cu clean`: empties the cache.
pub fn clean() -> Result<ExitCode, Error> {
    let place = cache::place();
    let done = cache::clean(&place);
    terminal::print(format_args!(
        "{} folders removed from {}, {} MiB\n",
        done.folders,
        place.display(),
        done.bytes >> 20
    ));
    if done.in_use > 0 {
        terminal::tell(format_args!("{} in use, not removed\n", done.in_use));
    }
    Ok(ExitCode::SUCCESS)
}

/// The programs built, and where they lie.
pub struct Built {
    programs: Vec<PathBuf>,
    /// Of sources without a main program.
    library: Option<Library>,
    pub target: Target,
    pub place: BuildDir,
}

impl Built {
    /// The program to run.
    pub fn chosen(&self, arguments: &RunArguments) -> Result<PathBuf, Error> {
        let program = choose(&self.programs, arguments.bin.as_deref())?;
        fs::canonicalize(program).map_err(|e| Error::file("run", program, &e))
    }
}

/// Builds what is to be run, for one target.
pub fn build_for(arguments: &RunArguments, target: Target) -> Result<Built, Error> {
    let mut options = arguments.build.build_options(&arguments.source, target)?;
    // For this machine, and at once.
    options.march.get_or_insert_with(|| NATIVE.to_owned());
    options.precompiled_header = true;
    let (place, targets) = (&arguments.place, arguments.build.targets());
    translate_and_build(
        &arguments.sources,
        place,
        &arguments.source,
        (targets, options),
        false,
    )
}

/// Gives a library and its module files their places and says where they are. `output` is a file or folder; `hidden`: nobody looks for it where it was built.
fn install_library(
    library: &Library,
    output: Option<&Path>,
    hidden: bool,
) -> Result<ExitCode, Error> {
    let name = Path::new(library.archive.file_name().unwrap_or_default());
    let place = match output {
        Some(folder) if folder.is_dir() => folder.join(name),
        Some(file) => file.to_path_buf(),
        None if hidden => name.to_path_buf(),
        None => library.archive.clone(),
    };
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let beside = place != library.archive;
    let modules = if beside {
        &folder
    } else {
        &library.module_folder
    };
    if beside {
        install(&library.archive, &place)?;
    }
    for file in &library.modules {
        let there = modules.join(file.file_name().unwrap_or_default());
        if resolve(&there) != resolve(file) {
            install(file, &there)?;
        }
    }
    terminal::note(format_args!(
        "no main program: built the library {}; its modules are in {}; link programs that use it with {}\n",
        place.display(),
        modules.display(),
        library.linked_with
    ));
    Ok(ExitCode::SUCCESS)
}

/// `how`: the targets for which a folder that the user names is written, and the options of the build. Sources without a main program are an
/// error unless `may_be_library`.
fn translate_and_build(
    sources: &[PathBuf],
    place: &PlaceArguments,
    source: &SourceArguments,
    how: (&[Target], BuildOptions),
    may_be_library: bool,
) -> Result<Built, Error> {
    let (targets, options) = how;
    if let Some(out) = &place.out {
        inputs::check_output(sources, out)?;
    }
    let mut inputs = inputs::collect(sources, Some(&source.selection()))?;
    let checks = options.checks;
    let fortran = inputs.fortran.clone();
    // One choice of each macro is built; a folder that the user keeps is as `cuf2cu SRC... OUT` writes it.
    let how = match place.out {
        Some(_) => driver::translate_both,
        None => driver::translate_guarded,
    };
    let translate = source.translate_options(checks);
    let translation = translate_inputs_by(how, &mut inputs, source, translate.clone())?;
    if terminal::show(&translation.diagnostics, source.max_errors) {
        terminal::note(format_args!("{}\n", report::summary(&translation)));
        return Err(Error::Diagnostics);
    }
    let target = options.target;
    let toolchain = Toolchain::find(target, options.mpi)?;
    inputs.include = headers::bring(&mut inputs.natives, &source.include)?;
    let mut package: Package = driver::package(&translation, &inputs)?;
    let is_library = package.plan.programs().is_empty();
    if is_library {
        if !may_be_library {
            return Err(Error::Usage("no main program to run".to_owned()));
        }
        if options.watched {
            return Err(Error::Usage(
                "--profile and --nvtx are for programs: there is no main program".to_owned(),
            ));
        }
        let beside = place.out.as_deref().unwrap_or(Path::new("."));
        package.plan.library = output::library_name(None, sources, beside)?;
    }
    let named = place.out.is_some();
    let force = place.force || !named;
    let lines = DeviceLines::new(how, fortran, &translate);
    package.plan.device_lines = Some(Arc::new(lines));
    let mut place = BuildDir::of(place, sources, &translate, &options, &toolchain)?;
    if named {
        package.complete(&translation, &title(sources), &options, targets)?;
    } else if target == Target::Cpu {
        package.emulate();
    }
    output::write(&package, &place.out, force)?;
    place.written()?;
    let project = Project {
        plan: &package.plan,
        source: &place.out,
        build: &place.build,
    };
    let bar = progress::bar("building");
    let (programs, library) = if is_library {
        let library = build_library(project, &toolchain, &options, &bar)?;
        (Vec::new(), Some(library))
    } else {
        let programs = driver::build::build(project, &toolchain, &options, &bar)?;
        (programs, None)
    };
    Ok(Built {
        programs,
        library,
        target,
        place,
    })
}

/// What a command needs that tells of a program and shows no file: without both choices of a macro nothing is generated.
pub fn examined(inputs: &mut Inputs, source: &SourceArguments) -> Result<Translation, Error> {
    let options = TranslateOptions {
        goal: Action::Check,
        leave_memory: true,
        ..source.translate_options(Checks::default())
    };
    translate_inputs_with(inputs, source, options)
}

/// Translates the Fortran of `inputs`, which it takes, as `cuf2cu SRC... OUT` does: what commands show is what it writes. `options` are
/// made of those of `source`.
pub fn translate_inputs_with(
    inputs: &mut Inputs,
    source: &SourceArguments,
    options: TranslateOptions,
) -> Result<Translation, Error> {
    translate_inputs_by(driver::translate_both, inputs, source, options)
}

/// As [`translate_inputs_with`], by this function.
fn translate_inputs_by(
    translate: fn(Vec<SourceInput>, &TranslateOptions) -> Result<Translation, Error>,
    inputs: &mut Inputs,
    source: &SourceArguments,
    options: TranslateOptions,
) -> Result<Translation, Error> {
    let bar = progress::of_translation(inputs.fortran.len());
    let (threads, _slots) = job_slots::threads(source.parallel());
    let options = TranslateOptions {
        step: bar.map(|_| progress::step as fn()),
        ..options
    };
    let sources = std::mem::take(&mut inputs.fortran);
    let translation = pool::with_threads(threads, || translate(sources, &options));
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    translation
}

/// What was translated, for the head of the Makefile.
pub fn title(sources: &[PathBuf]) -> String {
    let names: Vec<String> = sources
        .iter()
        .map(|s| {
            s.file_name()
                .unwrap_or(s.as_os_str())
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.join(", ")
}
