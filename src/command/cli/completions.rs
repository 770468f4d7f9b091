//! What is made from the definition of the command line: completions for shells, manual pages, suggestions.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::arguments::Arguments;
use crate::driver::{Error, terminal};
use crate::suggest::nearest;

/// `cuf2cu completions SHELL`: the script, on standard output.
pub fn completions(shell: Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "cuf2cu", &mut script);
    terminal::print(format_args!("{}", String::from_utf8_lossy(&script)));
    ExitCode::SUCCESS
}

/// `cuf2cu man DIR`: a page for cuf2cu and one for each command.
pub fn man(folder: &Path) -> Result<ExitCode, Error> {
    fs::create_dir_all(folder).map_err(|e| Error::file("create", folder, &e))?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command.clone(), folder)
        .map_err(|e| Error::file("write to", folder, &e))?;
    command.build();
    for c in command.get_subcommands_mut() {
        let path = folder.join(format!("cuf2cu-{}.1", c.get_name()));
        let usage = c.render_usage().to_string();
        let written = fs::read_to_string(&path).map(|page| with_synopsis(&page, &usage));
        let written = written.and_then(|page| fs::write(&path, page));
        written.map_err(|e| Error::file("write to", &path, &e))?;
    }
    terminal::note(format_args!(
        "written to {}; man -l {} shows the first\n",
        folder.display(),
        folder.join("cuf2cu.1").display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// A manual page with the usage as its synopsis: clap_mangen lists the options without the names of their values.
fn with_synopsis(page: &str, usage: &str) -> String {
    const HEAD: &str = ".SH SYNOPSIS\n";
    let usage = usage.strip_prefix("Usage: ").unwrap_or(usage);
    let usage = usage.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((before, rest)) = page.split_once(HEAD) else {
        return page.to_owned();
    };
    let end = rest.find("\n.SH").unwrap_or(rest.len());
    format!(
        "{before}{HEAD}{}{}",
        usage.replace('-', "\\-"),
        &rest[end..]
    )
}

/// The error for a command, mistyped or not, in the place of a source.
pub fn misplaced(word: &OsStr) -> Option<Error> {
    let command = Arguments::command();
    let known = command.get_subcommands().any(|c| c.get_name() == word);
    if known && Path::new(word).symlink_metadata().is_err() {
        let name = word.to_string_lossy();
        return Some(Error::Usage(format!(
            "no such file or directory: `{name}`\nhelp: put options after the command: `cuf2cu {name} ...`"
        )));
    }
    mistyped(word)
}

/// The error for a word in the place of a command that is no path and looks like a command mistyped.
pub fn mistyped(word: &OsStr) -> Option<Error> {
    let path = Path::new(word);
    let word = word.to_str()?;
    let plain = word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
    if !plain || word.is_empty() || word.starts_with('-') || path.symlink_metadata().is_ok() {
        return None;
    }
    let command = Arguments::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let names: Vec<&str> = names.chain(["help"]).collect();
    if names.contains(&word) {
        return None;
    }
    let same = names.iter().find(|n| n.eq_ignore_ascii_case(word));
    let meant = same.copied().or_else(|| nearest(word, names));
    meant.map(|best| {
        Error::Usage(format!(
            "no such command, file, or directory: `{word}`\nhelp: did you mean `cuf2cu {best}`?"
        ))
    })
}
