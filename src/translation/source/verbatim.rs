//! Files in which nothing changed: they are the user's, byte for byte, where gfortran reads them as they were read.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::cpp::Preprocessor;
use super::line::{Files, Options};
use super::text::SourceText;

/// A user's file as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchanged {
    pub text: String,
    pub fixed: bool,
    pub preprocessed: bool,
    /// What it includes: in its folder or below.
    pub includes: Vec<PathBuf>,
}

impl SourceText {
    /// The user's file, if `edited` is its text without a change and gfortran reads the file as that. `options` and `files` are those
    /// that it was read with.
    pub fn unchanged(
        &self,
        edited: &str,
        options: &Options,
        files: Files<'_>,
    ) -> Option<Unchanged> {
        let own = self.own.as_ref().filter(|_| edited == self.host())?;
        let is_marked = self.skipped.iter().any(|s| s.cuda_fortran);
        if !self.problems.is_empty() || is_marked || !self.beside(&own.includes, files) {
            return None;
        }
        if own.preprocess {
            let mut p = Preprocessor::new(options, self.is_cuda, files, self.latin1);
            p.doubts = Some(BTreeSet::new());
            p.run(own.file.lines());
            if !p.problems.is_empty() || p.doubts.is_some_and(|d| !d.is_empty()) {
                return None;
            }
        }
        let mark = if own.mark { "\u{feff}" } else { "" };
        Some(Unchanged {
            text: format!("{mark}{}", own.file.text),
            fixed: self.fixed,
            preprocessed: own.preprocess,
            includes: own.includes.clone(),
        })
    }

    /// All compilers find these included files: they are in the folder of the including one, or below it and include nothing.
    fn beside(&self, includes: &[PathBuf], files: Files<'_>) -> bool {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let includes_nothing = |path: &Path| {
            let text = files(path).map(|b| b.to_ascii_lowercase());
            text.is_some_and(|t| !t.windows(7).any(|w| w == b"include"))
        };
        includes.iter().all(|path| {
            let Ok(below) = path.strip_prefix(folder) else {
                return false;
            };
            let plain = |c| matches!(c, Component::Normal(_));
            below.components().all(plain)
                && (below.components().count() == 1 || includes_nothing(path))
        })
    }
}
