//! `cuf2cu report`: what a migration would take.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use crate::cli::arguments::{ReportArguments, ReportFormat};
use crate::cli::commands::examined;
use crate::driver::inputs::{self, Inputs};
use crate::driver::paths::resolve;
use crate::driver::{self, Error, terminal};
use crate::migration_report::{self, MigrationReport};

/// `cuf2cu report SRC...`: what is refused is part of the report, and no failure of the command.
pub fn report(arguments: &ReportArguments) -> Result<ExitCode, Error> {
    if arguments.schema {
        terminal::print(format_args!("{}", migration_report::schema()));
        return Ok(ExitCode::SUCCESS);
    }
    let mut inputs = inputs::collect(&arguments.sources, Some(&arguments.source.selection()))?;
    if let Some(output) = &arguments.output {
        is_no_source(output, &inputs)?;
    }
    let translation = examined(&mut inputs, &arguments.source)?;
    let whole = driver::check_package(&translation, &inputs);
    let effort = MigrationReport::new(&translation, whole.as_ref().err(), asked(arguments));
    let text = match arguments.format.unwrap_or_else(|| by_name(arguments)) {
        ReportFormat::Html => migration_report::page(&effort),
        ReportFormat::Json => effort.json(),
        ReportFormat::Text => migration_report::text(&effort),
    };
    let Some(output) = &arguments.output else {
        terminal::print(format_args!("{text}"));
        return Ok(ExitCode::SUCCESS);
    };
    fs::write(output, text).map_err(|e| Error::file("write", output, &e))?;
    terminal::note(format_args!("written to {}\n", output.display()));
    Ok(ExitCode::SUCCESS)
}

/// Refuses to write over what is read.
fn is_no_source(output: &Path, inputs: &Inputs) -> Result<(), Error> {
    let place = resolve(output);
    let fortran = inputs.fortran.iter().map(|s| &s.path);
    let mut all = fortran.chain(inputs.natives.iter().map(|(path, _)| path));
    match all.any(|path| resolve(path) == place) {
        true => Err(Error::Usage(format!(
            "{} is one of the sources",
            output.display()
        ))),
        false => Ok(()),
    }
}

fn by_name(arguments: &ReportArguments) -> ReportFormat {
    let name = arguments.output.as_deref();
    match name.and_then(Path::extension).and_then(OsStr::to_str) {
        Some("html" | "htm") => ReportFormat::Html,
        Some("json") => ReportFormat::Json,
        _ => ReportFormat::Text,
    }
}

/// The sources, and the options that decide what is read of them.
fn asked(arguments: &ReportArguments) -> Vec<String> {
    let s = &arguments.source;
    let sources = arguments
        .sources
        .iter()
        .map(|p| p.to_string_lossy().into_owned());
    let defined = s.define.iter().map(|d| format!("-D{d}"));
    let undefined = s.undefine.iter().map(|u| format!("-U{u}"));
    let cpp = s.cpp.then(|| "--cpp".to_owned());
    sources.chain(defined).chain(undefined).chain(cpp).collect()
}
