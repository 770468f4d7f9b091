//! `cuf2cu explain`: what codes mean.

use std::process::ExitCode;

use super::arguments::ExplainArguments;
use crate::diag::codes::{self, Code, Level};
use crate::diag::message;
use crate::driver::{Error, terminal};

/// `cuf2cu explain CODE...`, `--list`, `--schema`. What there is of several codes is explained, whatever is wrong with the others.
pub fn explain(arguments: &ExplainArguments) -> Result<ExitCode, Error> {
    if arguments.schema {
        terminal::print(format_args!("{}", message::schema()));
        return Ok(ExitCode::SUCCESS);
    }
    let mut wrong = Vec::new();
    let mut texts = Vec::new();
    if arguments.list {
        texts.push(codes::all().map(line).collect());
    }
    for name in &arguments.codes {
        match codes::named(name) {
            Ok(code) => texts.extend(codes::explain(code.code)),
            Err(text) => wrong.push(text),
        }
    }
    terminal::print(format_args!("{}", texts.join("\n")));
    match wrong.is_empty() {
        true => Ok(ExitCode::SUCCESS),
        false => Err(Error::Usage(wrong.join("\n"))),
    }
}

fn line(code: &'static Code) -> String {
    let level = match code.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Either => "either",
    };
    format!("{}  {level:<8} {}\n", code.code, code.title)
}
