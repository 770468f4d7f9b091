//! The commands: translate, run, build, check, explain.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::arguments::{
    BuildArguments, CheckArguments, CompilerArguments, ModulesArguments, PlaceArguments,
    RunArguments, SourceArguments, Stage, SummaryFormat, TranslateArguments,
};
use super::output;
use super::place::Place;
use super::progress;
use crate::diag::message::Kind;
use crate::diag::render::Format;
use crate::driver::inputs::{self, Inputs};
use crate::driver::process::{children, slots};
use crate::driver::separate::install;
use crate::driver::{
    self, Error, Package, Project, Toolchain, alike, cache, depfile, headers, report, summary,
    terminal,
};
use crate::translate::{Goal, TranslateOptions, Translation};

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
    let translation = translate_inputs(
        &mut inputs,
        &arguments.source,
        Goal::Translate,
        arguments.source_map,
    )?;
    let failed = terminal::show(&translation.diagnostics, arguments.source.max_errors);
    if !translation.files.is_empty() {
        let options = arguments
            .build
            .build_options(&arguments.source, driver::Target::Cuda)?;
        let targets = arguments.build.targets();
        inputs.include = headers::bring(&mut inputs.natives, &arguments.source.include)?;
        let mut package = driver::package(&translation, &inputs)?;
        package.plan.library = output::library_name(arguments.name.as_deref(), sources, out)?;
        package.complete(&translation, &title(sources), &options, targets)?;
        if let Some(file) = &arguments.depfile {
            depfile::check(file, (out, &package), &inputs, &translation)?;
        }
        arguments.write.write(&package, out)?;
        if let Some(file) = arguments
            .depfile
            .as_ref()
            .filter(|_| arguments.write.writes())
        {
            let target = arguments.depfile_target.as_deref();
            depfile::write(file, target, out, &inputs, &translation)?;
        }
    }
    terminal::note(format_args!("{}\n", report::summary(&translation)));
    if failed {
        return Err(Error::Diagnostics);
    }
    if !arguments.write.writes() {
        return Ok(ExitCode::SUCCESS);
    }
    let program = out.display().to_string();
    let quoted = if program.contains(|c: char| c.is_whitespace() || "'\"$&;()<>|*?`\\".contains(c))
    {
        format!("'{}'", program.replace('\'', "'\\''"))
    } else {
        program.clone()
    };
    let without = match arguments.build.targets() {
        [_] => "",
        _ => " (TARGET=cpu without a GPU)",
    };
    terminal::note(format_args!(
        "written to {program}; make -C {quoted} builds it{without}\n"
    ));
    Ok(ExitCode::SUCCESS)
}

fn no_folder() -> Error {
    Error::Usage("give the sources and the output folder: cuf2cu SRC... OUT".to_owned())
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
        ..arguments.source.translate_options()
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
    let mut built = translate_and_build(
        &arguments.sources,
        &arguments.place,
        &arguments.source,
        &arguments.build,
    )?;
    let program = choose(&built.programs, arguments.bin.as_deref())?;
    let program = fs::canonicalize(program).map_err(|e| Error::file("run", program, &e))?;
    let mut command = if arguments.build.mpi && std::env::var_os("OMPI_COMM_WORLD_SIZE").is_none() {
        let launcher = which::which("mpirun").map_err(|_| {
            Error::Toolchain("mpirun was not found: apt install openmpi-bin".to_owned())
        })?;
        let mut command = std::process::Command::new(launcher);
        command.arg(&program);
        command
    } else {
        std::process::Command::new(&program)
    };
    terminal::finish(0);
    command.args(&arguments.arguments);
    let status = children::program(&mut command, || built.place.leave())
        .map_err(|e| Error::file("run", &program, &e))?;
    if status.code().is_none() {
        let text = format!("the program ended by {}", children::describe(status));
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
            "there is no program {name}: there are {names}{}",
            alike::question(name, known.iter().map(String::as_str))
        ),
        None => format!("there are several programs ({names}): choose one with --bin NAME"),
    }))
}

/// `cuf2cu build SRC... -o APP`.
pub fn build(arguments: &BuildArguments) -> Result<ExitCode, Error> {
    let built = translate_and_build(
        &arguments.sources,
        &arguments.place,
        &arguments.source,
        &arguments.build,
    )?;
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
    let mut inputs = inputs::collect(&arguments.sources, Some(&arguments.source.selection()))?;
    let translation = translate_inputs(&mut inputs, &arguments.source, Goal::Check, false)?;
    let whole = driver::check_package(&translation, &inputs);
    let wrong = whole.as_ref().err();
    match arguments.format {
        SummaryFormat::Human => {
            terminal::show(&translation.diagnostics, arguments.source.max_errors);
            terminal::outcome(format_args!("{}", summary::text(&translation, wrong)));
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
        terminal::tell(format_args!("{} are in use and were left\n", done.in_use));
    }
    Ok(ExitCode::SUCCESS)
}

/// The programs built, and where they lie.
struct Built {
    programs: Vec<PathBuf>,
    place: Place,
}

fn translate_and_build(
    sources: &[PathBuf],
    place: &PlaceArguments,
    source: &SourceArguments,
    compilers: &CompilerArguments,
) -> Result<Built, Error> {
    if let Some(out) = &place.out {
        inputs::check_output(sources, out)?;
    }
    let mut inputs = inputs::collect(sources, Some(&source.selection()))?;
    let translation = translate_inputs(&mut inputs, source, Goal::Translate, false)?;
    if terminal::show(&translation.diagnostics, source.max_errors) {
        terminal::note(format_args!("{}\n", report::summary(&translation)));
        return Err(Error::Diagnostics);
    }
    let target = compilers.target();
    let options = compilers.build_options(source, target)?;
    let toolchain = Toolchain::find(target, options.mpi)?;
    inputs.include = headers::bring(&mut inputs.natives, &source.include)?;
    let mut package: Package = driver::package(&translation, &inputs)?;
    let named = place.out.is_some();
    let force = place.force || !named;
    let translate = source.translate_options();
    let mut place = Place::of(place, sources, &translate, &options, &toolchain)?;
    if named {
        package.complete(&translation, &title(sources), &options, compilers.targets())?;
    }
    output::write(&package, &place.out, force)?;
    place.written()?;
    let project = Project {
        plan: &package.plan,
        source: &place.out,
        build: &place.build,
    };
    let bar = progress::bar("building");
    let programs = driver::build::build(project, &toolchain, &options, &bar)?;
    Ok(Built { programs, place })
}

/// Translates the Fortran of `inputs`, which it takes.
fn translate_inputs(
    inputs: &mut Inputs,
    source: &SourceArguments,
    goal: Goal,
    source_map: bool,
) -> Result<Translation, Error> {
    let options = TranslateOptions {
        goal,
        leave_memory: goal == Goal::Check,
        source_map,
        ..source.translate_options()
    };
    translate_inputs_with(inputs, source, options)
}

/// As [`translate_inputs`], with options that are made of those of `source`.
pub fn translate_inputs_with(
    inputs: &mut Inputs,
    source: &SourceArguments,
    options: TranslateOptions,
) -> Result<Translation, Error> {
    let bar = progress::of_translation(inputs.fortran.len());
    let (threads, _slots) = slots::threads(source.parallel());
    let options = TranslateOptions {
        threads,
        step: bar.map(|_| progress::step as fn()),
        ..options
    };
    let translation = driver::translate_guarded(std::mem::take(&mut inputs.fortran), &options);
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
