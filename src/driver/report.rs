//! The report of a translation: the account of statements, the messages, the files.

use askama::Template;

use super::summary::branch_lines;
use crate::diag::render::{Format, render};
use crate::translate::{Choices, FileAccount, Translation};

#[derive(Template)]
#[template(path = "report/report.txt", escape = "none")]
struct ReportFile {
    version: &'static str,
    lines: Vec<String>,
    messages: Vec<String>,
    files: Vec<String>,
    branches: Vec<String>,
    /// See [`choices`]; empty: there is nothing to say.
    choices: String,
}

/// The text of the report file.
pub fn report(translation: &Translation) -> String {
    let mut accounts: Vec<FileAccount> = translation.report.files.clone();
    accounts.push(FileAccount {
        path: "total".into(),
        ..translation.report.total()
    });
    let line = |a: &FileAccount| {
        format!(
            "{:>10} {:>10} {:>10}  {}",
            a.kept,
            a.translated,
            a.refused,
            a.path.display()
        )
    };
    let file = ReportFile {
        version: env!("CARGO_PKG_VERSION"),
        lines: accounts.iter().map(line).collect(),
        messages: translation
            .diagnostics
            .iter()
            .map(|d| render(d, Format::Short, false).trim_end().to_owned())
            .collect(),
        files: translation
            .files
            .iter()
            .map(|f| f.path.display().to_string())
            .collect(),
        branches: branch_lines(&translation.report.skipped),
        choices: choices(translation).unwrap_or_default(),
    };
    // Only strings are formatted: rendering cannot fail.
    file.render().unwrap_or_default()
}

/// The account in one line, for the terminal.
pub fn summary(translation: &Translation) -> String {
    let total = translation.report.total();
    let sum = total.kept + total.translated + total.refused;
    format!(
        "{sum} statements: {} kept, {} translated, {} refused",
        total.kept, total.translated, total.refused
    )
}

/// What became of the choice of a macro that was not asked for, in a sentence.
pub fn choices(translation: &Translation) -> Option<String> {
    Some(match translation.choice.as_ref()? {
        Choices::Both(choice) => {
            let name = &choice.name;
            let (with, without) = (format!("make MACROS=-D{name}"), "make MACROS=");
            let default = if choice.given { "with" } else { "without" };
            format!(
                "both choices of {name} are translated: {with} builds with it, {without} without it (the default is {default} it)"
            )
        }
        Choices::One(why) => {
            format!("CUDA Fortran of the other choice is not translated: {why}")
        }
    })
}
