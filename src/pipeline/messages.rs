//! Messages: what the passes found, with its place in the user's file.

use super::{Message, Parsed};
use crate::ast;
use crate::ir::validate::Violation;
use crate::sema::Finding;
use crate::sema::model::FileId;
use crate::source::{self, Position, SourceError, SourceText};

/// Longest line that is shown with a message, bytes.
const MAX_SHOWN_LINE: usize = 4_000;

/// What findings are sorted by; two that agree in it are the same.
pub fn place_of(f: &Finding) -> (FileId, u32, &'static str, u32, &str) {
    (f.file, f.span.start, f.code, f.span.end, &f.message)
}

pub fn unreadable(file: usize, e: &SourceError) -> Message {
    let (code, text) = match e {
        SourceError::Empty => (
            "CUF0003",
            "the file is empty: there is nothing to translate".to_owned(),
        ),
        SourceError::TooLarge => (
            "CUF0007",
            "the file expands to more than 1 GiB of text".to_owned(),
        ),
        SourceError::Binary(at) => (
            "CUF0002",
            format!("this is no text file: there is a zero byte at offset {at}"),
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
        file,
        at: None,
        end_column: 0,
        end: None,
        source_line: String::new(),
        help: None,
    }
}

pub fn problem(x: &source::Problem, file: usize) -> Message {
    Message {
        code: x.code,
        warning: false,
        text: x.message.clone(),
        file,
        at: Some(Position {
            file: x.file.clone(),
            line: x.line,
            column: 1,
        }),
        end_column: 1,
        end: None,
        source_line: x.source_line.clone(),
        help: None,
    }
}

pub fn at(
    source: &SourceText,
    file: usize,
    code: &'static str,
    span: ast::Span,
    text: String,
) -> Message {
    let at = source.position(span.start);
    let line = source.line_text(span.start);
    // Nobody reads a line this long, and each message would have a copy.
    let shown = if line.len() <= MAX_SHOWN_LINE {
        line
    } else {
        ""
    };
    let width = span.end.saturating_sub(span.start).max(1);
    let end_column = (at.column + width)
        .min(line.len() as u32 + 1)
        .max(at.column);
    let end = end_below(source, &at, span);
    Message {
        code,
        warning: false,
        text,
        file,
        at: Some(at),
        end_column,
        end,
        source_line: shown.to_owned(),
        help: None,
    }
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
        None => Message {
            code: f.code,
            warning: false,
            text: f.message.clone(),
            file: 0,
            at: None,
            end_column: 0,
            end: None,
            source_line: String::new(),
            help: None,
        },
    };
    for (other, span, note) in &f.notes {
        let Some(p) = good.get(other.0 as usize) else {
            continue;
        };
        let at = p.source.position(span.start);
        m.text += &format!("; {note} in line {}", at.line);
        if m.at.as_ref().is_some_and(|here| here.file != at.file) {
            m.text += &format!(" of {}", at.file.display());
        }
    }
    m.warning = f.warning;
    let places = f.notes.iter().filter_map(|(file, span, what)| {
        let at = good.get(file.0 as usize)?.source.position(span.start);
        Some(format!("{}:{}: {what}", at.file.display(), at.line))
    });
    let lines: Vec<String> = places.chain(f.help.clone()).collect();
    m.help = (!lines.is_empty()).then(|| lines.join("\n"));
    m
}

/// A rule of the device IR that the device code of a file breaks.
pub fn violation(v: &Violation, source: &SourceText, file: usize) -> Message {
    let text = format!(
        "the device code made of this breaks a rule of the intermediate form ({}): this is an error of cuf2cu, please report it",
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
