//! What a translation has read, as a rule for make (`--depfile`).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::inputs::Inputs;
use super::output::Origin;
use super::paths::resolve;
use super::quote::{make_path, make_target};
use super::{Error, output};
use crate::translate::Translation;

/// Every file that a translation read, by name.
pub type Read<'a> = BTreeSet<&'a Path>;

/// What `translation` read; of the files of `inputs` the Fortran is gone.
pub fn of_translation<'a>(inputs: &'a Inputs, translation: &'a Translation) -> Read<'a> {
    let sources = translation.report.files.iter().map(|f| f.path.as_path());
    let natives = inputs.natives.iter().map(|(path, _)| path.as_path());
    let includes = translation.includes.iter();
    let includes = includes.filter(|(_, found)| found.is_some());
    let includes = includes.map(|(path, _)| path.as_path());
    sources.chain(natives).chain(includes).collect()
}

/// What an earlier translation of the same `inputs` read.
pub fn of_earlier<'a>(inputs: &'a Inputs, origin: &'a Origin) -> Read<'a> {
    let sources = inputs.fortran.iter().map(|f| f.path.as_path());
    let natives = inputs.natives.iter().map(|(path, _)| path.as_path());
    sources
        .chain(natives)
        .chain(origin.includes_read())
        .collect()
}

/// Refuses a place for the rule that is a file read, or one of the output.
///
/// # Errors
/// [`Error::Usage`] that names it.
pub fn check(
    file: &Path,
    out: &Path,
    is_written: impl Fn(&Path) -> bool,
    read: &Read<'_>,
) -> Result<(), Error> {
    let place = resolve(file);
    let wrong = |what: &str| {
        let text = format!("--depfile {}: that is a file {what}", file.display());
        Err(Error::Usage(text))
    };
    if read.iter().any(|path| resolve(path) == place) {
        return wrong("which was read");
    }
    let below = place.strip_prefix(resolve(out)).ok();
    let written = |below: &Path| below == Path::new(output::MANIFEST) || is_written(below);
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
pub fn write(file: &Path, target: Option<&str>, out: &Path, read: &Read<'_>) -> Result<(), Error> {
    let read: Vec<_> = read.iter().map(|path| path.to_string_lossy()).collect();
    let target = match target {
        Some(name) => name.to_owned(),
        None => {
            let manifest = out.join(output::MANIFEST);
            // Files that were touched and are the same change nothing here; make asks for the time.
            let touched = fs::File::open(&manifest);
            let _ = touched.and_then(|file| file.set_modified(SystemTime::now()));
            manifest.to_string_lossy().into_owned()
        }
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
