//! The text that is parsed, with the way back to places in the user's files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::condition::MacroUse;
use super::line::{Origin, Origins, Problem, Skipped};
use super::original::Own;
use super::preprocessing_record::{ItemKind, Trace};

/// A source file ready for parsing.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// As the user named it.
    pub path: PathBuf,
    /// What is parsed.
    pub text: Arc<str>,
    /// See [`SourceText::host`]; None: the same as `text`.
    pub(super) host: Option<Box<str>>,
    /// Branches that the preprocessor left out, for the report.
    pub skipped: Vec<Skipped>,
    /// Problems of the preprocessor that do not stop the translation of other files.
    pub problems: Vec<Problem>,
    /// The bytes are Latin-1, or a mixture: output that holds text of this file must go through [`encode`].
    pub latin1: bool,
    /// It is in fixed form.
    pub fixed: bool,
    /// The last column that counts in fixed form.
    pub(super) columns: Option<usize>,
    /// Lines with the sentinel of OpenMP are code.
    pub(super) openmp: bool,
    /// See [`Options::cuda_by_extension`](super::Options::cuda_by_extension).
    pub(super) is_cuda: bool,
    /// There are STRUCTUREs, for which gfortran needs an option.
    pub structures: bool,
    /// Where those begin that the parser sees as derived types.
    pub structure_types: Vec<u32>,
    /// What the preprocessor read, if it did and its lines can be had back.
    pub(super) trace: Option<Arc<Trace>>,
    /// It was preprocessed.
    pub preprocessed: bool,
    /// See [`SourceText::asked`].
    pub(super) conditions: BTreeMap<String, MacroUse>,
    /// The user's file, if steps that gfortran takes, too, have led from it to `text`.
    pub(super) own: Option<Own>,
    /// Start offsets of the lines of `text`.
    pub(super) lines: Arc<[u32]>,
    /// Where each line came from.
    pub(super) origins: Origins,
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

/// The bytes of text that was read from Latin-1 files: a character each. Others, which generated text might hold, are UTF-8.
pub fn encode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(c) {
            Ok(byte) => out.push(byte),
            Err(_) => out.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    out
}

impl SourceText {
    /// What host edits apply to: as long as `text`, comments and continuations as the user wrote them.
    pub fn host(&self) -> &str {
        self.host.as_deref().unwrap_or(&self.text)
    }

    pub(super) fn line_index(&self, offset: u32) -> usize {
        self.lines.partition_point(|l| *l <= offset).max(1) - 1
    }

    /// The user's file, line and column of an offset. What a macro expanded to stands where the macro was written.
    pub fn position(&self, offset: u32) -> Position {
        let i = self.line_index(offset);
        let column = offset - self.lines[i];
        match self.origins.of(i) {
            Some((o, line)) => Position {
                file: o.file.path.clone(),
                line,
                column: o.column(column) + 1,
            },
            None => Position {
                file: self.path.clone(),
                line: i as u32 + 1,
                column: column + 1,
            },
        }
    }

    /// The user's file and line that a line (from 0) is.
    pub(super) fn line_position(&self, line: u32) -> Option<Position> {
        let start = self.lines.get(line as usize)?;
        Some(self.position(*start))
    }

    /// The lines as the user wrote them, those too that the preprocessor left out, if it read the file.
    pub fn own_lines(&self) -> impl Iterator<Item = &str> {
        let items = self.trace.iter().flat_map(|t| &t.items);
        items.flat_map(|i| i.text())
    }

    /// The text came from the preprocessor, and its lines can be had back.
    pub fn is_preprocessed(&self) -> bool {
        self.trace.is_some()
    }

    /// The line that an offset stands on is in a conditional of the preprocessor.
    pub fn is_conditional(&self, offset: u32) -> bool {
        let Some(trace) = self.trace.as_deref() else {
            return false;
        };
        let Some(item) = trace.lines.get(self.line_index(offset)) else {
            return false;
        };
        let before = trace.items.iter().take(*item as usize);
        let depth = before.map(|i| match i.kind {
            ItemKind::Open(_) => 1,
            ItemKind::Close(_) => -1,
            _ => 0,
        });
        depth.sum::<i32>() > 0
    }

    /// Lines of the preprocessor, or left out by it, stand between two offsets.
    pub fn is_interrupted(&self, start: u32, end: u32) -> bool {
        let Some(trace) = self.trace.as_deref() else {
            return false;
        };
        let item = |offset| {
            trace
                .lines
                .get(self.line_index(offset))
                .map(|i| *i as usize)
        };
        let (Some(first), Some(last)) = (item(start), item(end)) else {
            return false;
        };
        let mut items = trace.items.iter().take(last).skip(first);
        items.any(|i| i.kind != ItemKind::Code)
    }

    /// Macros were expanded in the line that an offset stands on.
    pub fn has_macros(&self, offset: u32) -> bool {
        let origin = self.origins.of(self.line_index(offset));
        origin.is_some_and(|(o, _)| o.stretches.is_some())
    }

    /// Where files are included, and which: the place is the line before the first of the file's that is read.
    pub fn includes(&self) -> Vec<(Position, PathBuf)> {
        let mut out: Vec<(Position, PathBuf)> = Vec::new();
        // The files that are being read, and the line that is next in each.
        let mut open = vec![(self.path.clone(), 1)];
        for (lines, o) in self.origins.runs() {
            let path = &o.file.path;
            match open.iter().rposition(|(p, _)| p == path) {
                Some(n) => open.truncate(n + 1),
                None => {
                    if let Some((file, line)) = open.last() {
                        let at = Position {
                            file: file.clone(),
                            line: *line,
                            column: 1,
                        };
                        out.push((at, path.clone()));
                    }
                    open.push((path.clone(), 1));
                }
            }
            if let Some(last) = open.last_mut() {
                last.1 = o.line + lines;
            }
        }
        out
    }

    /// For each line of the text its line in the user's file; lines of include files have numbers beyond all of that file's.
    pub fn line_numbers(&self) -> Vec<u32> {
        let own = |o: &Origin| o.file.path == self.path;
        let runs: Vec<(u32, Option<u32>)> = self
            .origins
            .runs()
            .map(|(n, o)| (n, own(o).then_some(o.line)))
            .collect();
        let last = runs.iter().filter_map(|(n, line)| Some((*line)? + n - 1));
        let last = last.max().unwrap_or(0);
        let mut numbers = Vec::with_capacity(self.origins.lines as usize);
        for (n, line) in runs {
            let first = line.unwrap_or(last + numbers.len() as u32 + 1);
            numbers.extend(first..first + n);
        }
        numbers
    }

    /// The user's line that an offset stands on, as it was written, without its end.
    pub fn line_text(&self, offset: u32) -> &str {
        let i = self.line_index(offset);
        match self.origins.of(i) {
            Some((o, line)) if i < self.origins.lines as usize => o.file.line(line),
            _ => "",
        }
    }
}
