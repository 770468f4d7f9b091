//! The report of a translation: the account of statements, the messages, the files.

use askama::Template;

use super::summary::branch_lines;
use crate::diag::render::{Format, render};
use crate::translate::{FileAccount, Setting, Translation};

#[derive(Template)]
#[template(path = "report/report.txt", escape = "none")]
struct ReportFile {
    version: &'static str,
    lines: Vec<String>,
    messages: Vec<String>,
    files: Vec<String>,
    branches: Vec<String>,
    choices: Vec<String>,
    settings: Vec<String>,
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
        choices: choices(translation),
        settings: settings(translation),
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

/// The macros that conditionals ask for, and what a build may do with them.
fn settings(translation: &Translation) -> Vec<String> {
    let row = |s: &Setting| {
        let place = match &s.place {
            Some((file, line)) => format!("  {}, line {line}", file.display()),
            None => String::new(),
        };
        format!("{:20} {:16} {:12}{place}", s.name, s.values(), s.may())
    };
    let all = translation.settings.all.iter();
    let rows = all.map(row).map(|r| r.trim_end().to_owned());
    rows.collect()
}

/// What became of the choices of macros that were not asked for, a sentence for each macro, or for all with one reason.
pub fn choices(translation: &Translation) -> Vec<String> {
    let both = translation.choices.both.iter().map(|choice| {
        let name = &choice.name;
        match choice.given {
            true => format!("{name}: both variants were translated; `make` builds with {name} defined; to build without it, omit -D{name} from `make MACROS=...`"),
            false => format!("{name}: both variants were translated; `make` builds without {name}; to build with it, run `make MACROS=-D{name}`"),
        }
    });
    let mut one: Vec<(Vec<&str>, &str)> = Vec::new();
    for (name, why) in &translation.choices.one {
        match one.iter_mut().find(|(_, w)| w == why) {
            Some((names, _)) => names.push(name),
            None => one.push((vec![name], why)),
        }
    }
    let one = one.into_iter().map(|(names, why)| {
        format!(
            "{}: only the selected variant was translated: {why}",
            names.join(", ")
        )
    });
    both.chain(one).collect()
}
