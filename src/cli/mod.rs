//! The command line.

mod arguments;
mod commands;
mod doctor;
mod fc;
mod foreign;
mod place;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use crate::driver::{BuildOptions, Error, Target, process, terminal};
use crate::translate::TranslateOptions;
use arguments::{Arguments, Command};

/// The options of translation and build that the flags of a `build` command give.
///
/// # Errors
/// What is wrong with the flags.
pub fn options_of(
    flags: &[String],
    target: Target,
) -> Result<(TranslateOptions, BuildOptions), String> {
    let words = ["cuf2cu", "build", "SRC"].map(OsString::from);
    let words = words.into_iter().chain(flags.iter().map(OsString::from));
    let words = foreign::translate(words)?;
    let parsed = Arguments::try_parse_from(words).map_err(|e| e.to_string())?;
    let Some(Command::Build(build)) = parsed.command else {
        return Err("the flags are no options of a build".to_owned());
    };
    let options = build.build.build_options(&build.source, target);
    Ok((
        build.source.translate_options(),
        options.map_err(|e| e.to_string())?,
    ))
}

/// Runs the command line `arguments` (the first is the program's name).
///
/// The exit status is 0 for success, 1 if diagnostics were reported, 2 for a wrong request, 3 if a tool is missing or failed.
/// `run` gives the program's own status once the program has started, 128 + n if it ended by signal n.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // First of all, while no file is open but those given to this process.
    process::slots::ask();
    process::interrupt::watch();
    let status = command(arguments);
    match terminal::finish() {
        Ok(()) => status,
        Err(error) => {
            terminal::tell(format_args!("cuf2cu: {error}\n"));
            match status == ExitCode::SUCCESS {
                true => ExitCode::from(error.exit_status()),
                false => status,
            }
        }
    }
}

fn command(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut arguments = arguments.into_iter().peekable();
    let program = arguments.next();
    // Makefiles name their compiler: a link of that name to cuf2cu takes its place.
    if program.as_deref().is_some_and(fc::is_name) {
        return status(fc::run(arguments.collect()), "cuf2cu fc");
    }
    // Its options are those of compilers.
    if arguments.next_if(|a| a == "fc").is_some() {
        return status(fc::run(arguments.collect()), "cuf2cu fc");
    }
    let arguments = match foreign::translate(program.into_iter().chain(arguments)) {
        Ok(arguments) => arguments,
        Err(refused) => {
            terminal::tell(format_args!("cuf2cu: {refused}\n"));
            return ExitCode::from(Error::Usage(refused).exit_status());
        }
    };
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap prints help and version to standard output with status 0, errors to standard error with status 2.
            match error.use_stderr() {
                true => drop(error.print()),
                false => terminal::note(error.print()),
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match arguments.command {
        Some(Command::Run(run)) => commands::run(&run),
        Some(Command::Build(build)) => commands::build(&build),
        Some(Command::Check(check)) => commands::check(&check),
        Some(Command::Modules(modules)) => commands::modules(&modules),
        Some(Command::Clean) => commands::clean(),
        Some(Command::Doctor) => doctor::doctor(),
        // Only behind options.
        Some(Command::Fc(fc)) => fc::run(fc.words),
        Some(Command::Explain { code }) => commands::explain(&code),
        None => commands::translate(&arguments.translate),
    };
    status(result, "cuf2cu")
}

fn status(result: Result<ExitCode, Error>, program: &str) -> ExitCode {
    match result {
        Ok(status) => status,
        Err(error) => {
            // Diagnostics have been shown, with their count.
            if !matches!(error, Error::Diagnostics) {
                terminal::tell(format_args!("{program}: {error}\n"));
            }
            ExitCode::from(error.exit_status())
        }
    }
}
