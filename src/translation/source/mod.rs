//! From bytes to the text that is parsed, with a way back to the user's file.
//!
//! A file goes through line-wise steps, and every line remembers the file and line it came from: decoding, preprocessing
//! ([`cpp`]), INCLUDE lines, fixed form to free form ([`fixed`]). Two texts of the same length come out:
//! [`SourceText::text`] is what the parser reads, [`SourceText::host`] what the host pass edits. They differ only where the
//! parser needs help (directive continuations, split tokens); a span is valid in both.

mod avoid_macros;
pub mod condition;
mod cpp;
mod decode;
mod directives;
mod disk;
mod escapes;
mod expression;
mod feature_macro;
mod fixed;
mod fixed_form_blanks;
mod host_includes;
mod include;
mod legacy;
mod line;
mod macro_use;
mod macros;
mod normalize;
mod original;
mod preprocessed;
mod preprocessing_record;
mod restore;
mod rewritten;
mod span;
pub mod statements;
mod text;
mod traditional;
mod verbatim;

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::Arc;

pub use condition::MacroUse;
pub use cpp::{CUDA as CUDA_MACRO, is_predefined, predefined_value, predefinitions};
pub use decode::characters;
pub use disk::DiskRange;
pub use feature_macro::{Guard, cuda_macro};
pub use host_includes::{CopiedInclude, CopiedIncludes, included_once};
pub use include::lexical;
pub use line::{Files, Options, Problem, Skipped, has_cuda_extension, macros_of};
use line::{Finder, UserFile, line_starts};
use original::Own;
pub use preprocessed::{lines_left, preprocessed};
use preprocessing_record::{Item, ItemKind, Trace};
pub use restore::{ByteRange, Layout, Restored};
pub use rewritten::Rewrite;
pub use span::Span;
pub use text::{Position, SourceText, encode};
pub use verbatim::Unchanged;

/// Blanks take the place of these ASCII bytes.
fn changed(text: String, changes: &[(usize, u8)]) -> String {
    let mut bytes = text.into_bytes();
    for (at, new) in changes {
        if let Some(b) = bytes.get_mut(*at) {
            *b = *new;
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

/// Whether the file is in fixed form, by the options or its extension.
fn is_fixed_form(path: &Path, options: &Options) -> bool {
    options.fixed.unwrap_or_else(|| {
        let extension = path.extension().and_then(|e| e.to_str());
        matches!(
            extension.unwrap_or_default().to_ascii_lowercase().as_str(),
            "f" | "for" | "ftn" | "fpp"
        )
    })
}

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
    let unit = decoded.as_ref().map_or(1, |_| decode::unit(bytes));
    let bytes = decoded.as_ref().map_or(bytes, String::as_bytes);
    let escaped = |bytes: &[u8]| {
        let fixed = is_fixed_form(path, options);
        let texts = !options.plain_backslashes;
        texts.then(|| escapes::rewritten(bytes, fixed, fixed::columns_of(options)))?
    };
    let with_escapes = escaped(bytes);
    let bytes = with_escapes.as_deref().unwrap_or(bytes);
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return Err(SourceError::Binary(at));
    }
    if bytes.len() > MAX_TEXT {
        return Err(SourceError::TooLarge);
    }
    // One file that is no UTF-8, be it an include file, makes all of them Latin-1: their bytes meet in one output.
    let other_encoding = Cell::new(false);
    let included = RefCell::new(Vec::new());
    let watched = |p: &Path| {
        let bytes = files(p)?;
        included.borrow_mut().push(p.to_path_buf());
        other_encoding.set(other_encoding.get() || std::str::from_utf8(&bytes).is_err());
        Some(escaped(&bytes).unwrap_or(bytes))
    };
    let latin1 = std::str::from_utf8(bytes).is_err();
    let file = |latin1| UserFile::decoded(path.to_owned(), bytes, latin1, unit);
    let mut source = read(&file(latin1), bytes, options, &watched, latin1)?;
    if other_encoding.get() && !latin1 {
        source = read(&file(true), bytes, options, &watched, true)?;
    }
    // Other bytes than those of the file came from elsewhere.
    let mut included = included.into_inner();
    included.sort();
    included.dedup();
    match (&mut source.own, decoded) {
        (Some(own), None) => own.includes = included,
        (own, _) => *own = None,
    }
    Ok(source)
}

fn read(
    file: &Arc<UserFile>,
    bytes: &[u8],
    options: &Options,
    files: Finder<'_>,
    latin1: bool,
) -> Result<SourceText, SourceError> {
    let path = file.path.as_path();
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
    let is_fixed = is_fixed_form(path, options);

    let is_cuda = options.is_cuda(path);
    let mut skipped = Vec::new();
    let mut problems = Vec::new();
    let mut lines = file.lines();
    let moved = decode::follow_markers(&mut lines);
    let crlf = decoded.contains("\r\n");
    let mut items = Vec::new();
    if preprocess {
        let mut p = cpp::Preprocessor::new(options, is_cuda, files, latin1);
        lines = p.run(lines);
        skipped = p.skipped;
        problems = p.problems;
        items = p.items;
    }
    let (expanded, parents) = include::expand(lines, options, files, latin1, &mut problems);
    lines = expanded;
    // Fixed form becomes free form, in which its directives would stand in the way.
    let has_trace = preprocess && !is_fixed && !moved;
    let conditions = macro_use::uses(&items);
    let trace = has_trace.then(|| trace_of(items, &parents));
    if is_fixed {
        fixed::conditional_lines(&mut lines, is_cuda, options.openmp);
        if options.respace {
            fixed_form_blanks::respace(&mut lines, fixed::columns_of(options));
        }
        lines = fixed::to_free(lines, options);
    } else {
        if is_cuda {
            normalize::conditional_code(&mut lines);
        }
        if options.openmp {
            normalize::conditional_compilation(&mut lines);
        }
        if options.respace {
            fixed_form_blanks::unglue(&mut lines);
        }
    }
    let size: usize = lines.iter().map(|l| l.text.len() + 2).sum();
    if size > MAX_TEXT {
        return Err(SourceError::TooLarge);
    }
    let own = Own::of(file, bytes, options, preprocess, is_fixed, &lines);
    let end = if crlf { "\r\n" } else { "\n" };
    let mut joined = String::with_capacity(size);
    for (i, l) in lines.iter().enumerate() {
        joined.push_str(&l.text);
        if i + 1 < lines.len() || decoded.ends_with('\n') {
            joined.push_str(end);
        }
    }
    let (text, host) = normalize::free_form(&joined, is_cuda);
    let (rewritten, old) = legacy::rewrite(&text, is_fixed);
    let text = rewritten.unwrap_or(text);
    let host = match old.changed.is_empty() {
        true => host,
        false => changed(host, &old.changed),
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
        columns: is_fixed.then(|| fixed::columns_of(options)),
        openmp: options.openmp,
        is_cuda,
        structures: old.structures,
        structure_types: old.types,
        trace,
        preprocessed: preprocess,
        conditions,
        own: own.filter(|_| !moved && old.changed.is_empty()),
        lines: starts,
        origins: lines.into_iter().map(|l| l.origin).collect(),
    })
}

/// The way back from the lines that are parsed; `parents`: which of the preprocessor's lines each comes from.
fn trace_of(items: Vec<Item>, parents: &[u32]) -> Arc<Trace> {
    let code: Vec<u32> = (items.iter().enumerate())
        .filter(|(_, item)| item.kind == ItemKind::Code)
        .map(|(i, _)| i as u32)
        .collect();
    let item = |parent: &u32| code.get(*parent as usize).copied().unwrap_or(u32::MAX);
    let lines = parents.iter().map(item).collect();
    Arc::new(Trace { items, lines })
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
