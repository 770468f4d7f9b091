//! Host code as gfortran's preprocessor reads it.

use std::collections::BTreeSet;
use std::path::Path;

use super::cpp::Preprocessor;
use super::line::{Files, Options};
use super::restore::user_file;

/// The lines that are left of a text; `None` if the text has an error, or if gfortran's preprocessor may read a line differently.
pub fn preprocessed(
    path: &Path,
    text: &str,
    options: &Options,
    files: Files<'_>,
) -> Option<Vec<String>> {
    read(path, text, options, files, Some(BTreeSet::new()))
}

/// The same, but accepts lines that gfortran's preprocessor may read differently: it reads them alike in two texts.
pub fn lines_left(
    path: &Path,
    text: &str,
    options: &Options,
    files: Files<'_>,
) -> Option<Vec<String>> {
    read(path, text, options, files, None)
}

/// `doubts`: collects the lines that gfortran's preprocessor may read differently.
fn read(
    path: &Path,
    text: &str,
    options: &Options,
    files: Files<'_>,
    doubts: Option<BTreeSet<u32>>,
) -> Option<Vec<String>> {
    let file = user_file(path, text.to_owned());
    let mut p = Preprocessor::new(options, options.is_cuda(path), files, false);
    p.doubts = doubts;
    let lines = p.run(file.lines());
    let is_clear = p.problems.is_empty() && p.doubts.is_none_or(|d| d.is_empty());
    is_clear.then(|| lines.into_iter().map(|l| l.text).collect())
}
