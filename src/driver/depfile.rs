//! What a translation has read, as a rule for make (`--depfile`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::paths::resolve;
use super::quote::{make_path, make_target};
use super::{Error, Package, output};
use crate::translate::Translation;

/// Every source and include file that was read, by name.
fn read<'a>(inputs: &'a Inputs, translation: &'a Translation) -> BTreeSet<&'a Path> {
    let sources = translation.report.files.iter().map(|f| f.path.as_path());
    let natives = inputs.natives.iter().map(|(path, _)| path.as_path());
    let includes = translation.includes.iter().map(PathBuf::as_path);
    sources.chain(natives).chain(includes).collect()
}

/// Refuses a place for the rule that is a file read, or one of the output.
///
/// # Errors
/// [`Error::Usage`] that names it.
pub fn check(
    file: &Path,
    (out, package): (&Path, &Package),
    inputs: &Inputs,
    translation: &Translation,
) -> Result<(), Error> {
    let place = resolve(file);
    let wrong = |what: &str| {
        let text = format!("--depfile {}: that is a file {what}", file.display());
        Err(Error::Usage(text))
    };
    let mut read = read(inputs, translation).into_iter();
    if read.any(|path| resolve(path) == place) {
        return wrong("which was read");
    }
    let below = place.strip_prefix(resolve(out)).ok();
    let written = |below: &Path| {
        below == Path::new(output::MANIFEST) || package.files.iter().any(|(path, _)| path == below)
    };
    match below.is_some_and(written) {
        true => wrong("of the output"),
        false => Ok(()),
    }
}

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
    let read: Vec<_> = read(inputs, translation)
        .into_iter()
        .map(Path::to_string_lossy)
        .collect();
    let target = match target {
        Some(name) => name.to_owned(),
        None => out.join(output::MANIFEST).to_string_lossy().into_owned(),
    };
    let mut text = format!("{}:", make_target(&target));
    for path in &read {
        text.push_str(&format!(" \\\n  {}", make_path(path)));
    }
    text.push('\n');
    for path in &read {
        text.push_str(&format!("\n{}:\n", make_target(path)));
    }
    fs::write(file, text).map_err(|e| Error::file("write", file, &e))
}
