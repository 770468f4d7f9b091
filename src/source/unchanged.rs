//! Files in which nothing changed: they are the user's, byte for byte, where gfortran reads them as they were read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cpp::Preprocessor;
use super::line::{Files, Line, Options, UserFile};
use super::text::SourceText;

/// The last column of fixed form that gfortran reads without an option.
const COLUMNS: usize = 72;

/// A user's file that gfortran can read by itself.
#[derive(Clone, Debug)]
pub(super) struct Own {
    file: Arc<UserFile>,
    /// It begins with the byte order mark of UTF-8.
    mark: bool,
    preprocess: bool,
    /// The files that it includes, themselves or by others.
    pub includes: Vec<PathBuf>,
}

/// A user's file as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchanged {
    pub text: String,
    pub fixed: bool,
    pub preprocessed: bool,
    /// What it includes: in its folder or below.
    pub includes: Vec<PathBuf>,
}

impl Own {
    /// `file`, which was read from `bytes`, became `lines`. None: by something that gfortran does not do.
    pub fn of(
        file: &Arc<UserFile>,
        bytes: &[u8],
        options: &Options,
        preprocess: bool,
        fixed: bool,
        lines: &[Line],
    ) -> Option<Own> {
        let mark = bytes.starts_with(b"\xef\xbb\xbf");
        let rest = if mark { &bytes[3..] } else { bytes };
        // Carriage returns alone are no line ends there, and `!@cuf` is a comment; no-break spaces are no blanks.
        let lone_returns = rest.contains(&b'\r') && !rest.contains(&b'\n');
        let sentinel = |l: &str| {
            let body = l.trim_start();
            let word = body.get(1..5);
            body.starts_with(['!', 'c', 'C', '*']) && word.is_some_and(|w| w.eq_ignore_ascii_case("@cuf"))
        };
        let form = match fixed {
            // What lies beyond the last column after macros have been expanded does not count there.
            true => {
                options.columns.is_none()
                    && !options.debug_lines
                    && !lines.iter().any(|l| {
                        l.origin.stretches.is_some() && l.text.chars().count() > COLUMNS
                    })
            }
            false => !options.respace,
        };
        let is_plain = form
            && !lone_returns
            && !file.text.contains('\u{a0}')
            && !file.text.lines().any(sentinel);
        is_plain.then(|| Own {
            file: Arc::clone(file),
            mark,
            preprocess,
            includes: Vec::new(),
        })
    }
}

impl SourceText {
    /// The user's file, if `edited` is its text without a change and gfortran reads the file as that. `options` and `files` are those
    /// that it was read with.
    pub fn unchanged(&self, edited: &str, options: &Options, files: Files<'_>) -> Option<Unchanged> {
        let own = self.own.as_ref().filter(|_| edited == self.host())?;
        let is_marked = self.skipped.iter().any(|s| s.cuda_fortran);
        if !self.problems.is_empty() || is_marked || !self.beside(&own.includes, files) {
            return None;
        }
        if own.preprocess {
            let mut p = Preprocessor::new(options, files, self.latin1);
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
            let plain = |c| matches!(c, std::path::Component::Normal(_));
            below.components().all(plain)
                && (below.components().count() == 1 || includes_nothing(path))
        })
    }
}
