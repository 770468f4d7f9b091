//! The user's file behind a text, where gfortran can read it by itself.

use std::path::PathBuf;
use std::sync::Arc;

use super::line::{Line, Options, UserFile};

/// The last column of fixed form that gfortran reads without an option.
const COLUMNS: usize = 72;

/// A user's file that gfortran can read by itself.
#[derive(Clone, Debug)]
pub(super) struct Own {
    pub file: Arc<UserFile>,
    /// It begins with the byte order mark of UTF-8.
    pub mark: bool,
    pub preprocess: bool,
    /// The files that it includes, themselves or by others.
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
            body.starts_with(['!', 'c', 'C', '*'])
                && word.is_some_and(|w| w.eq_ignore_ascii_case("@cuf"))
        };
        let form = match fixed {
            // What lies beyond the last column after macros have been expanded does not count there.
            true => {
                options.columns.is_none()
                    && !options.debug_lines
                    && !lines
                        .iter()
                        .any(|l| l.origin.stretches.is_some() && l.text.chars().count() > COLUMNS)
            }
            false => !options.respace,
        };
        let directives = options.is_cuda(&file.path) && file.text.lines().any(sentinel);
        let blanks = file.text.contains('\u{a0}');
        let is_plain = form && !lone_returns && !blanks && !directives;
        is_plain.then(|| Own {
            file: Arc::clone(file),
            mark,
            preprocess,
            includes: Vec::new(),
        })
    }
}
