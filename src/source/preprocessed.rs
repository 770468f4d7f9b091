//! Host code as gfortran's preprocessor reads it.

use std::collections::BTreeSet;
use std::path::Path;

use super::cpp::Preprocessor;
use super::line::{Files, Options};
use super::restore::user_file;

/// The lines that are left of a text; None if something is wrong with it, or gfortran's preprocessor may read a line in another way.
pub fn preprocessed(
    path: &Path,
    text: &str,
    options: &Options,
    files: Files<'_>,
) -> Option<Vec<String>> {
    let file = user_file(path, text.to_owned());
    let mut p = Preprocessor::new(options, options.is_cuda(path), files, false);
    p.doubts = Some(BTreeSet::new());
    let lines = p.run(file.lines());
    let is_clear = p.problems.is_empty() && p.doubts.is_none_or(|d| d.is_empty());
    is_clear.then(|| lines.into_iter().map(|l| l.text).collect())
}

/// The same with lines that gfortran's preprocessor may read in another way: it does so in two texts alike.
pub fn lines_left(
    path: &Path,
    text: &str,
    options: &Options,
    files: Files<'_>,
) -> Option<Vec<String>> {
    let file = user_file(path, text.to_owned());
    let mut p = Preprocessor::new(options, options.is_cuda(path), files, false);
    let lines = p.run(file.lines());
    let is_clear = p.problems.is_empty();
    is_clear.then(|| lines.into_iter().map(|l| l.text).collect())
}
