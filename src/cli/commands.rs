//! The commands: translate, run, build, check, explain.

use std::fs;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{
    BuildArguments, CheckArguments, CompilerArguments, ModulesArguments, PlaceArguments,
    RunArguments, SourceArguments, Stage, SummaryFormat, TranslateArguments,
};
use crate::diag::render::{Format, render};
use crate::diag::{Diagnostic, Severity, codes};
use crate::driver::inputs::{self, Inputs};
use crate::driver::separate::install;
use crate::driver::{self, Error, Package, Project, Toolchain, report, summary, terminal};
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
    let mut inputs = inputs::collect(sources, None)?;
    let translation = translate_inputs(&mut inputs, &arguments.source, Goal::Translate)?;
    let failed = show(&translation.diagnostics, arguments.source.format());
    if !translation.files.is_empty() {
        let options = arguments
            .build
            .build_options(&arguments.source, driver::Target::Cuda)?;
        let targets = arguments.build.targets();
        let mut package = driver::package(&translation, &inputs)?;
        package.complete(&translation, &title(sources), &options, targets)?;
        package.write(out, arguments.force)?;
    }
    terminal::tell(format_args!("{}\n", report::summary(&translation)));
    if failed {
        return Err(Error::Diagnostics);
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
    terminal::tell(format_args!(
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
    driver::libraries::modules(&names)?.write(&arguments.output, arguments.force)?;
    terminal::tell(format_args!(
        "written to {0}; make -C {0} builds build/cuda/libcuf.a (TARGET=cpu without a GPU) and its modules\n",
        arguments.output.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// `cuf2cu --emit ir SRC...`: prints the device IR.
fn emit_ir(arguments: &TranslateArguments) -> Result<ExitCode, Error> {
    let mut inputs = inputs::collect(&arguments.paths, None)?;
    let options = TranslateOptions {
        show_ir: true,
        ..arguments.source.translate_options()
    };
    let translation = driver::translate_guarded(std::mem::take(&mut inputs.fortran), &options)?;
    let failed = show(&translation.diagnostics, arguments.source.format());
    // Whoever reads it may stop at any line.
    let _ = std::io::stdout().write_all(translation.ir.concat().as_bytes());
    match failed {
        true => Err(Error::Diagnostics),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// `cuf2cu run SRC... -- ARGS`: the status is the program's.
pub fn run(arguments: &RunArguments) -> Result<ExitCode, Error> {
    let built = translate_and_build(
        &arguments.sources,
        &arguments.place,
        &arguments.source,
        &arguments.build,
    )?;
    let [program] = &built.programs[..] else {
        let names: Vec<String> = built
            .programs
            .iter()
            .filter_map(|p| Some(p.file_name()?.to_string_lossy().into_owned()))
            .collect();
        return Err(Error::Usage(format!(
            "there are several programs ({}): run one of them",
            names.join(", ")
        )));
    };
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
    let status = command
        .args(&arguments.arguments)
        .status()
        .map_err(|e| Error::file("run", &program, &e))?;
    match status.code() {
        Some(code) => Ok(ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1))),
        None => Err(Error::Toolchain(format!(
            "the program ended by {}",
            driver::jobs::describe(status)
        ))),
    }
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
    } else if arguments.place.out.is_none() && arguments.place.build_dir.is_none() {
        for program in &built.programs {
            install(program, Path::new(program.file_name().unwrap_or_default()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `cuf2cu check SRC...`.
pub fn check(arguments: &CheckArguments) -> Result<ExitCode, Error> {
    let mut inputs = inputs::collect(&arguments.sources, None)?;
    let translation = translate_inputs(&mut inputs, &arguments.source, Goal::Check)?;
    match arguments.format {
        SummaryFormat::Human => {
            show(&translation.diagnostics, arguments.source.format());
            terminal::print(format_args!("{}", summary::text(&translation)));
        }
        SummaryFormat::Json => terminal::print(format_args!("{}\n", summary::json(&translation))),
    }
    if translation.has_errors() {
        Err(Error::Diagnostics)
    } else {
        Ok(ExitCode::SUCCESS)
    }
}

/// `cuf2cu explain CODE`.
pub fn explain(code: &str) -> Result<ExitCode, Error> {
    let wanted = code.to_ascii_uppercase();
    match codes::explain(&wanted) {
        Some(text) => {
            terminal::print(format_args!("{text}"));
            Ok(ExitCode::SUCCESS)
        }
        None => Err(Error::Usage(format!("there is no diagnostic {wanted}"))),
    }
}

/// The programs built, and the temporary folder that holds them while this lives.
struct Built {
    programs: Vec<PathBuf>,
    _temporary: Option<tempfile::TempDir>,
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
    let mut inputs = inputs::collect(sources, None)?;
    let translation = translate_inputs(&mut inputs, source, Goal::Translate)?;
    if show(&translation.diagnostics, source.format()) {
        terminal::tell(format_args!("{}\n", report::summary(&translation)));
        return Err(Error::Diagnostics);
    }
    let target = compilers.target();
    let options = compilers.build_options(source, target)?;
    let toolchain = Toolchain::find(target, options.mpi)?;
    let mut package: Package = driver::package(&translation, &inputs)?;
    let temporary = match place.out {
        Some(_) => None,
        None => Some(
            tempfile::tempdir()
                .map_err(|e| Error::Usage(format!("cannot create a temporary folder: {e}")))?,
        ),
    };
    let out = match (&place.out, &temporary) {
        (Some(out), _) => {
            package.complete(&translation, &title(sources), &options, compilers.targets())?;
            out.clone()
        }
        (None, Some(folder)) => folder.path().join("out"),
        (None, None) => PathBuf::from("out"),
    };
    package.write(&out, place.force)?;
    let build_folder = place
        .build_dir
        .clone()
        .unwrap_or_else(|| out.join("build").join(target.name()));
    let project = Project {
        plan: &package.plan,
        source: &out,
        build: &build_folder,
    };
    let bar = progress("building");
    let programs = driver::build::build(project, &toolchain, &options, &bar)?;
    Ok(Built {
        programs,
        _temporary: temporary,
    })
}

/// Translates with a progress bar.
/// Translates the Fortran of `inputs`, which it takes.
fn translate_inputs(
    inputs: &mut Inputs,
    source: &SourceArguments,
    goal: Goal,
) -> Result<Translation, Error> {
    let bar = if inputs.fortran.len() > 1 {
        progress("translating")
    } else {
        ProgressBar::hidden()
    };
    bar.set_length(inputs.fortran.len() as u64);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    let options = TranslateOptions {
        goal,
        leave_memory: goal == Goal::Check,
        ..source.translate_options()
    };
    let translation = driver::translate_guarded(std::mem::take(&mut inputs.fortran), &options);
    bar.finish_and_clear();
    translation
}

/// Shows the diagnostics; whether there are errors.
pub fn show(diagnostics: &[Diagnostic], format: Format) -> bool {
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut errors = 0;
    for diagnostic in diagnostics {
        errors += usize::from(diagnostic.severity == Severity::Error);
        terminal::tell(format_args!("{}", render(diagnostic, format, colour)));
        if format == Format::Human {
            terminal::tell(format_args!("\n"));
        }
    }
    if errors > 0 && format == Format::Human {
        let plural = if errors == 1 { "" } else { "s" };
        terminal::tell(format_args!(
            "{errors} error{plural}; `cuf2cu explain CODE` says more\n"
        ));
    }
    errors > 0
}

/// A progress bar on a terminal, nothing elsewhere.
fn progress(what: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar.with_prefix(what)
}

/// What was translated, for the head of the Makefile.
fn title(sources: &[PathBuf]) -> String {
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
