//! Lines on their way through the steps, each with the file and line that it came from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde::{Serialize, Serializer};

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
    /// `_OPENACC` is defined.
    pub openacc: bool,
    /// Only `.cuf` and `.CUF` files are CUDA Fortran. In others `_CUDA` is not defined, and `!@cuf` and `!$cuf` lines are comments, as with
    /// nvfortran without `-cuda`.
    pub cuda_by_extension: bool,
    /// `-Mbackslash`: no escape sequences in texts.
    pub plain_backslashes: bool,
}

impl Options {
    /// Whether the file is read as CUDA Fortran.
    pub(super) fn is_cuda(&self, path: &Path) -> bool {
        !self.cuda_by_extension || has_cuda_extension(path)
    }
}

/// The extension of CUDA Fortran, `.cuf` or `.CUF`.
pub fn has_cuda_extension(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("cuf"))
}

/// What options (`-DN=3`, `-UN`) make of macros, in their order: name and value, None undefines.
pub fn macros_of(options: &[String]) -> Vec<(String, Option<String>)> {
    let one = |m: &String| {
        if let Some(name) = m.strip_prefix("-U") {
            return Some((name.to_owned(), None));
        }
        let definition = m.strip_prefix("-D")?;
        let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
        Some((name.to_owned(), Some(value.to_owned())))
    };
    options.iter().filter_map(one).collect()
}

/// As [`Files`], within one file's reading.
pub(super) type Finder<'a> = &'a dyn Fn(&Path) -> Option<Vec<u8>>;

/// Gives the bytes of an include file, None if there is none.
pub type Files<'a> = &'a (dyn Fn(&Path) -> Option<Vec<u8>> + Sync);

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
    pub(super) fn new(line: &Line, code: &'static str, message: impl Into<String>) -> Self {
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

/// A branch of a conditional that the preprocessor did not take.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    #[serde(serialize_with = "lossy")]
    pub file: PathBuf,
    /// Of the directive, from 1.
    pub line: u32,
    /// `#if X == 2`
    pub directive: String,
    /// First and last line left out; `last` is less than `first` if there is none.
    pub first: u32,
    pub last: u32,
    /// Its lines hold CUDA Fortran, by what they look like.
    pub cuda_fortran: bool,
    /// Its lines are in the output, as they are.
    #[serde(skip)]
    pub kept: bool,
}

/// A path need not be Unicode, JSON is.
fn lossy<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

/// How the bytes of a file became text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Encoding {
    /// Bytes of the byte order mark.
    pub mark: u32,
    /// Bytes of a unit: 1, or 2 and 4 of the wide encodings.
    pub unit: u8,
    /// Each character was a byte.
    pub latin1: bool,
    /// The file is only named by line markers: nothing is known of its bytes.
    pub elsewhere: bool,
}

impl Encoding {
    /// Bytes on disk of decoded text.
    pub(super) fn size(self, text: &str) -> u32 {
        let size = match self.unit {
            4 => 4 * text.chars().count(),
            2 => 2 * text.chars().map(char::len_utf16).sum::<usize>(),
            _ if self.latin1 => text.chars().count(),
            _ => text.len(),
        };
        size as u32
    }
}

/// A file of the user's, decoded.
#[derive(Debug)]
pub(super) struct UserFile {
    pub(super) path: PathBuf,
    pub(super) text: Arc<str>,
    /// Start offsets of its lines.
    pub(super) starts: Arc<[u32]>,
    pub(super) encoding: Encoding,
    /// The same on disk, once somebody asked.
    pub(super) disk_starts: OnceLock<Vec<u32>>,
}

/// Where a stretch of an expanded line came from: offset in the expansion, offset in the line as written, and whether the
/// stretch is copied (else all of it came from that one place).
pub(super) type Stretch = (u32, u32, bool);

/// File and line (from 1) that a line of the text came from.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) file: Arc<UserFile>,
    pub(super) line: u32,
    /// Where the parts of an expanded line came from; None if nothing was expanded.
    pub(super) stretches: Option<Arc<[Stretch]>>,
}

/// The origins of the lines of a text: lines that stand one after the other in one file are kept as one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    /// Index of the first line of each run, and its origin.
    pub(super) runs: Vec<(u32, Origin)>,
    pub(super) lines: u32,
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
    pub(super) fn of(&self, line: usize) -> Option<(&Origin, u32)> {
        let line = (line as u32).min(self.lines.saturating_sub(1));
        let run = self.runs.partition_point(|(first, _)| *first <= line);
        let (first, origin) = self.runs.get(run.checked_sub(1)?)?;
        Some((origin, origin.line + (line - first)))
    }

    /// The runs: number of lines, origin of the first.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u32, &Origin)> {
        let ends = self.runs.iter().skip(1).map(|r| r.0).chain([self.lines]);
        self.runs
            .iter()
            .zip(ends)
            .map(|((first, o), end)| (end - first, o))
    }
}

/// A line on its way through the steps, without its end.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) origin: Origin,
}

pub(super) fn line_starts(text: &str) -> Vec<u32> {
    let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
    std::iter::once(0)
        .chain(ends.map(|(i, _)| i as u32 + 1))
        .collect()
}

impl UserFile {
    /// Decodes without the byte order mark. In a text without line feeds carriage returns end the lines.
    pub(super) fn new(path: PathBuf, bytes: &[u8], latin1: bool) -> Arc<Self> {
        Self::decoded(path, bytes, latin1, 1)
    }

    /// The same of a file that was decoded from units of so many bytes.
    pub(super) fn decoded(path: PathBuf, bytes: &[u8], latin1: bool, unit: u8) -> Arc<Self> {
        let own = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let encoding = Encoding {
            mark: match unit {
                1 => (bytes.len() - own.len()) as u32,
                unit => u32::from(unit),
            },
            unit,
            latin1: latin1 || std::str::from_utf8(own).is_err(),
            elsewhere: false,
        };
        let bytes = own;
        let text: Arc<str> = match std::str::from_utf8(bytes) {
            Ok(s) if !latin1 => Arc::from(s),
            _ => bytes.iter().map(|b| *b as char).collect::<String>().into(),
        };
        let text = match text.contains('\r') && !text.contains('\n') {
            true => text.replace('\r', "\n").into(),
            false => text,
        };
        let starts = line_starts(&text).into();
        Arc::new(UserFile {
            path,
            text,
            starts,
            encoding,
            disk_starts: OnceLock::new(),
        })
    }

    /// A file that is only named, by line markers, with those of its lines that are known, by their numbers.
    pub(super) fn elsewhere(path: PathBuf, lines: &BTreeMap<u32, &str>) -> Arc<Self> {
        // Numbers beyond all reason have no text.
        let last = lines.len() * 8 + 100_000;
        let mut text = String::new();
        let mut starts = vec![0];
        for (number, line) in lines {
            let number = *number as usize;
            if number == 0 || number > last {
                continue;
            }
            while starts.len() < number {
                text.push('\n');
                starts.push(text.len() as u32);
            }
            text.push_str(line);
        }
        Arc::new(UserFile {
            path,
            text: text.into(),
            starts: starts.into(),
            encoding: Encoding {
                elsewhere: true,
                ..Encoding::default()
            },
            disk_starts: OnceLock::new(),
        })
    }

    /// Lines without their ends.
    pub(super) fn lines(self: &Arc<Self>) -> Vec<Line> {
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
    pub(super) fn line(&self, line: u32) -> &str {
        let start = (line as usize)
            .checked_sub(1)
            .and_then(|l| self.starts.get(l));
        start
            .and_then(|s| self.text.get(*s as usize..))
            .and_then(|t| t.lines().next())
            .unwrap_or_default()
    }
}

impl Origin {
    /// The column (from 0) in the user's file of a column of the line.
    pub(super) fn column(&self, column: u32) -> u32 {
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
