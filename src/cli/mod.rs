//! The command line.

mod arguments;
mod commands;
mod doctor;
mod foreign;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use crate::driver::Error;
use arguments::{Arguments, Command};

/// Runs the command line `arguments` (the first is the program's name).
///
/// The exit status is 0 for success, 1 if diagnostics were reported, 2 for a wrong request, 3 if a tool is missing or failed.
/// `run` gives the program's own status once the program has started.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(foreign::translate(arguments)) {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap prints help and version to standard output with status 0, errors to standard error with status 2.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match arguments.command {
        Some(Command::Run(run)) => commands::run(&run),
        Some(Command::Build(build)) => commands::build(&build),
        Some(Command::Check(check)) => commands::check(&check),
        Some(Command::Doctor) => doctor::doctor(),
        Some(Command::Explain { code }) => commands::explain(&code),
        None => commands::translate(&arguments.translate),
    };
    match result {
        Ok(status) => status,
        Err(error) => {
            // Diagnostics have been shown, with their count.
            if !matches!(error, Error::Diagnostics) {
                eprintln!("cuf2cu: {error}");
            }
            ExitCode::from(error.exit_status())
        }
    }
}
