//! From bytes to the text that is parsed, with a way back to the user's file.
//!
//! A file goes through line-wise steps, and every line remembers the file and line it came from: decoding, preprocessing
//! ([`cpp`]), INCLUDE lines, fixed form to free form ([`fixed`]). Two texts of the same length come out:
//! [`SourceText::text`] is what the parser reads, [`SourceText::host`] what the host pass edits. They differ only where the
//! parser needs help (directive continuations, split tokens); a span is valid in both.

mod cpp;
mod expression;
mod fixed;
mod include;
mod normalize;
mod span;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use span::Span;

/// How source files are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D` and `-U` in order: name and value, None undefines.
    pub macros: Vec<(String, Option<String>)>,
    /// `-I`
    pub include_folders: Vec<PathBuf>,
    /// None: by the extension (capital: preprocess).
    pub preprocess: Option<bool>,
    /// None: by the extension (`.f .for .ftn` in any case: fixed form).
    pub fixed: Option<bool>,
    /// Fixed-form lines extend to column 132 instead of 72.
    pub extended_lines: bool,
    /// Fixed-form `d` lines are code.
    pub debug_lines: bool,
    /// `_OPENMP` is defined and `!$ ` lines are code.
    pub openmp: bool,
}

/// Gives the bytes of an include file, None if there is none.
pub type Files<'a> = &'a (dyn Fn(&Path) -> Option<Vec<u8>> + Sync);

/// A source file ready for parsing.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// As the user named it.
    pub path: PathBuf,
    /// What is parsed.
    pub text: String,
    /// What host edits apply to: same length, comments and continuations as the user wrote them.
    pub host: String,
    /// Conditionals that the preprocessor resolved and files it included, for the report.
    pub resolved: Vec<String>,
    /// Problems of the preprocessor that do not stop the translation of other files.
    pub problems: Vec<Problem>,
    /// The file was changed before parsing (preprocessed or converted from fixed form).
    pub rewritten: bool,
    /// Start offsets of the lines of `text`.
    lines: Vec<u32>,
    /// Where each line came from.
    origins: Vec<Origin>,
}

/// Something wrong on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub file: PathBuf,
    pub line: u32,
    pub code: &'static str,
    pub message: String,
}

/// File and line (from 1) that a line of the text came from.
#[derive(Clone, Debug)]
struct Origin {
    file: Arc<Path>,
    line: u32,
}

/// A line on its way through the steps, without its end.
#[derive(Clone, Debug)]
struct Line {
    text: String,
    origin: Origin,
}

/// A place in a user's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
}

/// Why a file is no source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceError {
    Empty,
    /// Offset of the first byte that no text file has.
    Binary(usize),
    /// More text than a 32-bit offset can address, after expansion.
    TooLarge,
}

/// Most text that one file may become, bytes.
const MAX_TEXT: usize = 1 << 30;

/// Reads a file: decodes, preprocesses, converts, normalises.
///
/// # Errors
/// A file without any text, one with NUL bytes, or one that expands beyond 1 GiB.
pub fn load(
    path: &Path,
    bytes: &[u8],
    options: &Options,
    files: Files<'_>,
) -> Result<SourceText, SourceError> {
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return Err(SourceError::Binary(at));
    }
    let decoded = decode(bytes);
    if decoded.trim().is_empty() {
        return Err(SourceError::Empty);
    }
    let extension = path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default();
    let preprocess = options
        .preprocess
        .unwrap_or_else(|| extension.starts_with(|c: char| c.is_ascii_uppercase()));
    let is_fixed = options
        .fixed
        .unwrap_or_else(|| matches!(extension.to_ascii_lowercase().as_str(), "f" | "for" | "ftn"));

    let mut resolved = Vec::new();
    let mut problems = Vec::new();
    let mut lines = split(&decoded, &Arc::from(path));
    let crlf = decoded.contains("\r\n");
    if preprocess {
        let mut p = cpp::Preprocessor::new(options, files);
        lines = p.run(lines);
        resolved = p.resolved;
        problems = p.problems;
    }
    let before = lines.len();
    lines = include::expand(lines, options, files, &mut problems);
    let included = lines.len() != before;
    if is_fixed {
        lines = fixed::to_free(lines, options);
    }
    let size: usize = lines.iter().map(|l| l.text.len() + 2).sum();
    if size > MAX_TEXT {
        return Err(SourceError::TooLarge);
    }
    let end = if crlf { "\r\n" } else { "\n" };
    let mut joined = String::with_capacity(size);
    for (i, l) in lines.iter().enumerate() {
        joined.push_str(&l.text);
        if i + 1 < lines.len() || decoded.ends_with('\n') {
            joined.push_str(end);
        }
    }
    let (text, host) = normalize::free_form(&joined);
    let starts = std::iter::once(0)
        .chain(
            text.bytes()
                .enumerate()
                .filter(|(_, b)| *b == b'\n')
                .map(|(i, _)| i as u32 + 1),
        )
        .collect();
    Ok(SourceText {
        path: path.to_owned(),
        text,
        host,
        resolved,
        problems,
        rewritten: preprocess || is_fixed || included,
        lines: starts,
        origins: lines.into_iter().map(|l| l.origin).collect(),
    })
}

/// Reads a free-form file without preprocessing or include files.
///
/// # Errors
/// As [`load`].
pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<SourceText, SourceError> {
    let options = Options {
        preprocess: Some(false),
        fixed: Some(false),
        ..Options::default()
    };
    load(path, bytes, &options, &|_| None)
}

/// UTF-8, else Latin-1; without byte order mark; no-break spaces as blanks of the same width.
fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(s) => s.to_owned(),
        Err(_) => bytes.iter().map(|b| *b as char).collect(),
    };
    if text.contains('\u{a0}') {
        text.replace('\u{a0}', " ")
    } else {
        text
    }
}

/// Lines without their ends.
fn split(text: &str, file: &Arc<Path>) -> Vec<Line> {
    text.lines()
        .enumerate()
        .map(|(i, l)| Line {
            text: l.to_owned(),
            origin: Origin {
                file: Arc::clone(file),
                line: i as u32 + 1,
            },
        })
        .collect()
}

impl SourceText {
    fn line_index(&self, offset: u32) -> usize {
        self.lines.partition_point(|l| *l <= offset).max(1) - 1
    }

    /// The user's file, line and column of an offset. In an expanded line the column is that of the expansion.
    pub fn position(&self, offset: u32) -> Position {
        let i = self.line_index(offset);
        let (file, line) = match self.origins.get(i).or(self.origins.last()) {
            Some(o) => (o.file.to_path_buf(), o.line),
            None => (self.path.clone(), i as u32 + 1),
        };
        Position {
            file,
            line,
            column: offset - self.lines[i] + 1,
        }
    }

    /// The text of the line that an offset stands on, without its end.
    pub fn line_text(&self, offset: u32) -> &str {
        let start = self.lines[self.line_index(offset)] as usize;
        self.host
            .get(start..)
            .and_then(|t| t.lines().next())
            .unwrap_or_default()
    }
}
