//! From bytes to the text that is parsed, with a way back to the user's file.
//!
//! A file goes through line-wise steps, and every line remembers the file and line it came from: decoding, preprocessing
//! ([`cpp`]), INCLUDE lines, fixed form to free form ([`fixed`]). Two texts of the same length come out:
//! [`SourceText::text`] is what the parser reads, [`SourceText::host`] what the host pass edits. They differ only where the
//! parser needs help (directive continuations, split tokens); a span is valid in both.

mod cpp;
mod decode;
mod expression;
mod fixed;
mod include;
mod legacy;
mod macros;
mod normalize;
mod relex;
mod span;
pub mod statements;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

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
    /// The last column of fixed-form lines, 0: there is none; None: 72.
    pub columns: Option<usize>,
    /// Fixed-form `d` lines are code.
    pub debug_lines: bool,
    /// Blanks of fixed form do not separate words, and some are missing in free form ([`relex`]).
    pub respace: bool,
    /// `_OPENMP` is defined and `!$ ` lines are code.
    pub openmp: bool,
}

/// As [`Files`], within one file's reading.
type Finder<'a> = &'a dyn Fn(&Path) -> Option<Vec<u8>>;

/// Gives the bytes of an include file, None if there is none.
pub type Files<'a> = &'a (dyn Fn(&Path) -> Option<Vec<u8>> + Sync);

/// A source file ready for parsing.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// As the user named it.
    pub path: PathBuf,
    /// What is parsed.
    pub text: Arc<str>,
    /// See [`SourceText::host`]; None: the same as `text`.
    host: Option<Box<str>>,
    /// Branches that the preprocessor left out, for the report.
    pub skipped: Vec<Skipped>,
    /// Problems of the preprocessor that do not stop the translation of other files.
    pub problems: Vec<Problem>,
    /// The bytes are Latin-1, or a mixture: output that holds text of this file must go through [`encode`].
    pub latin1: bool,
    /// It is in fixed form.
    pub fixed: bool,
    /// There are STRUCTUREs, for which gfortran needs an option.
    pub structures: bool,
    /// Where those begin that the parser sees as derived types.
    pub structure_types: Vec<u32>,
    /// The file was changed before parsing (preprocessed or converted from fixed form).
    pub rewritten: bool,
    /// Start offsets of the lines of `text`.
    lines: Arc<[u32]>,
    /// Where each line came from.
    origins: Origins,
}

/// Something wrong on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub file: PathBuf,
    pub line: u32,
    pub code: &'static str,
    pub message: String,
    /// The text of the line.
    pub source_line: String,
}

impl Problem {
    fn new(line: &Line, code: &'static str, message: impl Into<String>) -> Self {
        let Origin { file, line, .. } = &line.origin;
        Problem {
            file: file.path.clone(),
            line: *line,
            code,
            message: message.into(),
            source_line: file.line(*line).to_owned(),
        }
    }
}

/// A branch of a conditional that the preprocessor did not take: its lines are in no output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    pub file: PathBuf,
    /// Of the directive, from 1.
    pub line: u32,
    /// `#if X == 2`
    pub directive: String,
    /// First and last line left out; `last` is less than `first` if there is none.
    pub first: u32,
    pub last: u32,
}

/// A file of the user's, decoded.
#[derive(Debug)]
struct UserFile {
    path: PathBuf,
    text: Arc<str>,
    /// Start offsets of its lines.
    starts: Arc<[u32]>,
}

/// File and line (from 1) that a line of the text came from.
#[derive(Clone, Debug)]
struct Origin {
    file: Arc<UserFile>,
    line: u32,
    /// Where the parts of an expanded line came from; None if nothing was expanded.
    stretches: Option<Arc<[macros::Stretch]>>,
}

/// The origins of the lines of a text: lines that stand one after the other in one file are kept as one run.
#[derive(Clone, Debug, Default)]
struct Origins {
    /// Index of the first line of each run, and its origin.
    runs: Vec<(u32, Origin)>,
    lines: u32,
}

impl FromIterator<Origin> for Origins {
    fn from_iter<T: IntoIterator<Item = Origin>>(all: T) -> Self {
        let mut out = Origins::default();
        for o in all {
            let i = out.lines;
            out.lines += 1;
            let follows = out.runs.last().is_some_and(|(first, run)| {
                o.stretches.is_none()
                    && run.stretches.is_none()
                    && Arc::ptr_eq(&run.file, &o.file)
                    && run.line + (i - first) == o.line
            });
            if !follows {
                out.runs.push((i, o));
            }
        }
        out.runs.shrink_to_fit();
        out
    }
}

impl Origins {
    /// The origin of a line that has some text, and the line's number in the file; of the last one for lines beyond it.
    fn of(&self, line: usize) -> Option<(&Origin, u32)> {
        let line = (line as u32).min(self.lines.saturating_sub(1));
        let run = self.runs.partition_point(|(first, _)| *first <= line);
        let (first, origin) = self.runs.get(run.checked_sub(1)?)?;
        Some((origin, origin.line + (line - first)))
    }

    /// The runs: number of lines, origin of the first.
    fn runs(&self) -> impl Iterator<Item = (u32, &Origin)> {
        let ends = self.runs.iter().skip(1).map(|r| r.0).chain([self.lines]);
        self.runs
            .iter()
            .zip(ends)
            .map(|((first, o), end)| (end - first, o))
    }
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

/// Blanks take the place of these ASCII bytes.
fn without(text: String, offsets: &[usize]) -> String {
    let mut bytes = text.into_bytes();
    for at in offsets {
        if let Some(b) = bytes.get_mut(*at) {
            *b = b' ';
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
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
    let decoded = decode::wide(bytes);
    let bytes = decoded.as_ref().map_or(bytes, String::as_bytes);
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return Err(SourceError::Binary(at));
    }
    if bytes.len() > MAX_TEXT {
        return Err(SourceError::TooLarge);
    }
    // One file that is no UTF-8, be it an include file, makes all of them Latin-1: their bytes meet in one output.
    let other_encoding = Cell::new(false);
    let watched = |p: &Path| {
        let bytes = files(p)?;
        other_encoding.set(other_encoding.get() || std::str::from_utf8(&bytes).is_err());
        Some(bytes)
    };
    let latin1 = std::str::from_utf8(bytes).is_err();
    let source = read(path, bytes, options, &watched, latin1)?;
    if other_encoding.get() && !latin1 {
        return read(path, bytes, options, &watched, true);
    }
    Ok(source)
}

fn read(
    path: &Path,
    bytes: &[u8],
    options: &Options,
    files: Finder<'_>,
    latin1: bool,
) -> Result<SourceText, SourceError> {
    let file = UserFile::new(path.to_owned(), bytes, latin1);
    let decoded = &file.text;
    if decoded.trim().is_empty() {
        return Err(SourceError::Empty);
    }
    let extension = path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default();
    let preprocess = options.preprocess.unwrap_or_else(|| {
        extension.starts_with(|c: char| c.is_ascii_uppercase())
            || extension == "fpp"
            || decoded.lines().any(is_directive)
    });
    let is_fixed = options.fixed.unwrap_or_else(|| {
        matches!(
            extension.to_ascii_lowercase().as_str(),
            "f" | "for" | "ftn" | "fpp"
        )
    });

    let mut skipped = Vec::new();
    let mut problems = Vec::new();
    let mut lines = file.lines();
    decode::follow_markers(&mut lines);
    let crlf = decoded.contains("\r\n");
    if preprocess {
        let mut p = cpp::Preprocessor::new(options, files, latin1);
        lines = p.run(lines);
        skipped = p.skipped;
        problems = p.problems;
    }
    let before = lines.len();
    lines = include::expand(lines, options, files, latin1, &mut problems);
    let included = lines.len() != before;
    if !is_fixed {
        normalize::conditional_code(&mut lines);
        if options.openmp {
            normalize::conditional_compilation(&mut lines);
        }
    }
    if is_fixed {
        if options.respace {
            relex::respace(&mut lines, fixed::columns_of(options));
        }
        lines = fixed::to_free(lines, options);
    } else if options.respace {
        relex::unglue(&mut lines);
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
    let (rewritten, old) = legacy::rewrite(&text);
    let text = rewritten.unwrap_or(text);
    let host = match old.commas.is_empty() {
        true => host,
        false => without(host, &old.commas),
    };
    // Most files are parsed as they are: one text will do.
    let host = (host != text).then(|| host.into_boxed_str());
    let text = match text == **decoded {
        true => Arc::clone(decoded),
        false => Arc::from(text),
    };
    // Lines as the user has them: a joined token reaches into the next one.
    let starts = line_starts(&joined);
    let starts = match starts == *file.starts {
        true => Arc::clone(&file.starts),
        false => starts.into(),
    };
    Ok(SourceText {
        path: path.to_owned(),
        text,
        host,
        skipped,
        problems,
        latin1,
        fixed: is_fixed,
        structures: old.structures,
        structure_types: old.types,
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

/// The line is a preprocessor directive, which no Fortran statement looks like.
fn is_directive(line: &str) -> bool {
    let Some(word) = line.strip_prefix('#').map(str::trim_start) else {
        return false;
    };
    ["if", "define", "include", "undef"]
        .iter()
        .any(|w| word.starts_with(w))
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

fn line_starts(text: &str) -> Vec<u32> {
    let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
    std::iter::once(0)
        .chain(ends.map(|(i, _)| i as u32 + 1))
        .collect()
}

impl UserFile {
    /// Decodes without the byte order mark.
    fn new(path: PathBuf, bytes: &[u8], latin1: bool) -> Arc<Self> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text: Arc<str> = match std::str::from_utf8(bytes) {
            Ok(s) if !latin1 => Arc::from(s),
            _ => bytes.iter().map(|b| *b as char).collect::<String>().into(),
        };
        let starts = line_starts(&text).into();
        Arc::new(UserFile { path, text, starts })
    }

    /// A file that is only named, by a line marker.
    fn elsewhere(path: PathBuf) -> Arc<Self> {
        Arc::new(UserFile {
            path,
            text: "".into(),
            starts: Arc::from([0]),
        })
    }

    /// Lines without their ends.
    fn lines(self: &Arc<Self>) -> Vec<Line> {
        self.text
            .lines()
            .enumerate()
            .map(|(i, l)| Line {
                text: l.to_owned(),
                origin: Origin {
                    file: Arc::clone(self),
                    line: i as u32 + 1,
                    stretches: None,
                },
            })
            .collect()
    }

    /// A line (from 1) without its end.
    fn line(&self, line: u32) -> &str {
        let start = self.starts.get(line as usize - 1);
        start
            .and_then(|s| self.text.get(*s as usize..))
            .and_then(|t| t.lines().next())
            .unwrap_or_default()
    }
}

impl Origin {
    /// The column (from 0) in the user's file of a column of the line.
    fn column(&self, column: u32) -> u32 {
        let Some(stretches) = &self.stretches else {
            return column;
        };
        let i = stretches.partition_point(|s| s.0 <= column).max(1) - 1;
        match stretches.get(i) {
            Some((start, source, true)) => source + (column - start),
            Some((_, source, false)) => *source,
            None => column,
        }
    }
}

impl SourceText {
    /// What host edits apply to: as long as `text`, comments and continuations as the user wrote them.
    pub fn host(&self) -> &str {
        self.host.as_deref().unwrap_or(&self.text)
    }

    /// Number of statements, directives aside.
    pub fn statements(&self) -> usize {
        statements::count(&self.text)
    }

    fn line_index(&self, offset: u32) -> usize {
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
