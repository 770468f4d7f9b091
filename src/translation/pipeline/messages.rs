//! Messages: what the passes found, with its place in the user's file.

use super::parsed::Parsed;
use super::{Change, Message};
use crate::ast::{self, Proposal};
use crate::ir::validate::Violation;
use crate::sema::Finding;
use crate::sema::model::FileId;
use crate::source::{self, Position, SourceError, SourceText};
use crate::syntax::SyntaxError;

/// Longest line that is shown with a message, bytes.
const MAX_SHOWN_LINE: usize = 4_000;

/// What findings are sorted by; two that agree in it are the same.
pub fn place_of(f: &Finding) -> (FileId, u32, &'static str, u32, &str) {
    (f.file, f.span.start, f.code, f.span.end, &f.message)
}

pub fn unreadable(file: usize, e: &SourceError) -> Message {
    let (code, text) = match e {
        SourceError::Empty => ("CUF0003", "source file is empty".to_owned()),
        SourceError::TooLarge => (
            "CUF0007",
            "source file expands to more than 1 GiB of text".to_owned(),
        ),
        SourceError::Binary(at) => (
            "CUF0002",
            format!("not a text file: NUL byte at offset {at}"),
        ),
    };
    of_file(code, text, file)
}

/// An error of a file as a whole.
fn of_file(code: &'static str, text: String, file: usize) -> Message {
    Message {
        code,
        warning: false,
        text,
        notes: Vec::new(),
        help: None,
        change: None,
        openacc: false,
        file,
        at: None,
        end_column: 0,
        end: None,
        source_line: String::new(),
    }
}

pub fn problem(x: &source::Problem, file: usize) -> Message {
    Message {
        at: Some(Position {
            file: x.file.clone(),
            line: x.line,
            column: 1,
        }),
        end_column: 1,
        source_line: x.source_line.clone(),
        ..of_file(x.code, x.message.clone(), file)
    }
}

/// A syntax error.
pub fn syntax(source: &SourceText, file: usize, e: &SyntaxError) -> Message {
    let mut m = at(source, file, "CUF0101", e.span, e.message.clone());
    m.change = e.proposal.as_ref().and_then(|p| change(source, p));
    m
}

pub fn at(
    source: &SourceText,
    file: usize,
    code: &'static str,
    span: ast::Span,
    text: String,
) -> Message {
    let mut at = source.position(span.start);
    let line = source.line_text(span.start);
    let mut width = span.end.saturating_sub(span.start).max(1);
    // What was put in place of a directive of OpenACC stands at the start of its line: the directive is meant.
    let directive = line.trim();
    if at.column == 1
        && directive
            .get(1..5)
            .is_some_and(|s| s.eq_ignore_ascii_case("$acc"))
    {
        let indent = (line.len() - line.trim_start().len()) as u32;
        at.column = indent + 1;
        width = directive.len() as u32;
    }
    // Nobody reads a line this long, and each message would have a copy.
    let shown = if line.len() <= MAX_SHOWN_LINE {
        line
    } else {
        ""
    };
    let end_column = (at.column + width)
        .min(line.len() as u32 + 1)
        .max(at.column);
    let end = end_below(source, &at, span);
    Message {
        at: Some(at),
        end_column,
        end,
        source_line: shown.to_owned(),
        ..of_file(code, text, file)
    }
}

/// A proposed change, where it is; None unless the user's line has the text that is parsed (no macro, nothing put in).
fn change(source: &SourceText, p: &Proposal) -> Option<Change> {
    let parsed = source
        .text
        .get(p.span.start as usize..p.span.end as usize)?;
    let at = source.position(p.span.start);
    let line = source.line_text(p.span.start);
    let start = at.column.checked_sub(1)? as usize;
    let original = line.get(start..start + parsed.len())?;
    let column = line.get(..start)?.chars().count() as u32 + 1;
    let end = column + original.chars().count() as u32;
    (original == parsed && !parsed.contains('\n')).then(|| Change {
        columns: (column, end),
        original: original.to_owned(),
        text: p.text.clone(),
        is_safe: p.is_safe,
        at,
    })
}

/// Line and column behind a span that ends on a later line of the file than it begins.
fn end_below(source: &SourceText, at: &Position, span: ast::Span) -> Option<(u32, u32)> {
    let last = span.end.checked_sub(1).filter(|l| *l > span.start)?;
    let end = source.position(last);
    if end.file != at.file || end.line <= at.line {
        return None;
    }
    let line = source.line_text(last);
    let before = line.get(..end.column.saturating_sub(1) as usize)?;
    Some((end.line, before.chars().count() as u32 + 2))
}

pub fn finding(f: &Finding, good: &[Parsed], index: &[usize]) -> Message {
    let k = f.file.0 as usize;
    let mut m = match good.get(k) {
        Some(p) => at(&p.source, index[k], f.code, f.span, f.message.clone()),
        None => of_file(f.code, f.message.clone(), 0),
    };
    m.warning = f.warning;
    let place = |(file, span, what): &(FileId, ast::Span, String)| {
        let at = good.get(file.0 as usize)?.source.position(span.start);
        let here = m.at.as_ref().is_some_and(|here| here.file == at.file);
        Some(match here {
            true => format!("{what} in line {}", at.line),
            false => format!("{what} in line {} of {}", at.line, at.file.display()),
        })
    };
    let places: Vec<String> = f.notes.iter().filter_map(place).collect();
    m.notes = places;
    m.help.clone_from(&f.help);
    let proposal = good.get(k).zip(f.proposal.as_ref());
    m.change = proposal.and_then(|(p, x)| change(&p.source, x));
    m
}

/// A rule of the device IR that the device code of a file breaks.
pub fn violation(v: &Violation, source: &SourceText, file: usize) -> Message {
    let text = format!(
        "internal error: invalid device IR generated for this code ({})\nnote: this is a bug in cuf2cu; please report it",
        v.what
    );
    match v.at {
        Some(start) => {
            let span = ast::Span {
                start,
                end: start + 1,
            };
            at(source, file, "CUF0902", span, text)
        }
        None => of_file("CUF0902", text, file),
    }
}
