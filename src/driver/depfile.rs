//! What a translation has read, as a rule for make (`--depfile`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::quote::make_path;
use super::{Error, output};
use crate::translate::Translation;

/// Writes the rule: `target` (the manifest of `out` if None) depends on every source and include file that was read. Each of them has a rule
/// of its own without a command, so that one that is removed stops nothing.
///
/// # Errors
/// [`Error::File`] if the file cannot be written.
pub fn write(
    file: &Path,
    target: Option<&str>,
    out: &Path,
    inputs: &Inputs,
    translation: &Translation,
) -> Result<(), Error> {
    let sources = translation.report.files.iter().map(|f| &f.path);
    let natives = inputs.natives.iter().map(|(path, _)| path);
    let read: BTreeSet<&PathBuf> = sources
        .chain(natives)
        .chain(&translation.includes)
        .collect();
    let read: Vec<String> = read
        .iter()
        .map(|p| make_path(&p.to_string_lossy()))
        .collect();
    let target = match target {
        Some(name) => name.to_owned(),
        None => out.join(output::MANIFEST).to_string_lossy().into_owned(),
    };
    let mut text = format!("{}:", make_path(&target));
    for path in &read {
        text.push_str(&format!(" \\\n  {path}"));
    }
    text.push('\n');
    for path in &read {
        text.push_str(&format!("\n{path}:\n"));
    }
    fs::write(file, text).map_err(|e| Error::file("write", file, &e))
}
