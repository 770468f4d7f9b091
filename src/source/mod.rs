//! From bytes to the text that is parsed, with a way back to the user's file.
//!
//! Two texts of the same length are kept: [`SourceText::text`] is what the parser reads, [`SourceText::host`] what the host
//! pass edits. They differ only where the parser needs help (directive continuations); a span is valid in both.

mod normalize;
mod span;

use std::path::{Path, PathBuf};

pub use span::Span;

/// A source file ready for parsing.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// As the user named it.
    pub path: PathBuf,
    /// What is parsed.
    pub text: String,
    /// What host edits apply to: same length, comments and continuations as the user wrote them.
    pub host: String,
    /// Start offsets of the lines of `text`.
    lines: Vec<u32>,
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
}

/// Decodes and normalises a free-form file.
///
/// # Errors
/// A file without any text, or one with NUL bytes.
pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<SourceText, SourceError> {
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return Err(SourceError::Binary(at));
    }
    let decoded = decode(bytes);
    if decoded.trim().is_empty() {
        return Err(SourceError::Empty);
    }
    let (text, host) = normalize::free_form(&decoded);
    let lines = std::iter::once(0)
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
        lines,
    })
}

/// UTF-8, else Latin-1; without byte order mark.
fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(s) => s.to_owned(),
        Err(_) => bytes.iter().map(|b| *b as char).collect(),
    }
}

impl SourceText {
    /// The user's file, line and column of an offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.lines.partition_point(|l| *l <= offset).max(1);
        Position {
            file: self.path.clone(),
            line: line as u32,
            column: offset - self.lines[line - 1] + 1,
        }
    }

    /// The text of the line that an offset stands on, without its end.
    pub fn line_text(&self, offset: u32) -> &str {
        let line = self.lines.partition_point(|l| *l <= offset).max(1);
        let start = self.lines[line - 1] as usize;
        self.host
            .get(start..)
            .and_then(|t| t.lines().next())
            .unwrap_or_default()
    }
}
