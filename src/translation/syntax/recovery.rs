//! Recovery: a syntax error costs its statement, or else the body of its procedure. The text is parsed again without them, so that
//! the rest of the file is checked.
//!
//! Each repair keeps the length of the text, and so the place of everything else in it.

use std::ops::Range;

use super::builder::{About, SyntaxError};
use super::decl::is_attribute;
use super::habits::lines::{Statement, closing, first_word, statements};
use super::habits::structure::procedure;
use super::keywords::begins_statement;
use crate::ast::{File, Lost, Span};

/// Errors of a file that are repaired, at most.
const MOST: usize = 30;

/// Bytes that may be parsed again for one file.
const BUDGET: usize = 1 << 20;

/// A text without the cause of an error.
struct Repair {
    text: String,
    lost: Lost,
    /// The procedure of the error: errors in it are compared.
    around: Option<Range<usize>>,
    at: Range<usize>,
}

/// Takes the causes of the errors out of a text, from the first error on; `parse` parses a text once.
pub(super) fn recovered(
    text: &str,
    parsed: (File, Vec<SyntaxError>),
    parse: impl Fn(&str) -> (File, Vec<SyntaxError>),
) -> (File, Vec<SyntaxError>) {
    let (mut file, mut errors) = parsed;
    let mut found: Vec<SyntaxError> = Vec::new();
    let mut work = text.to_owned();
    let mut left = (BUDGET / text.len().max(1)).min(MOST * 3);
    while found.len() < MOST
        && let Some(first) = errors.first()
    {
        let mut better = None;
        for repair in repairs(&work, first) {
            if left == 0 {
                break;
            }
            left -= 1;
            let (other, remaining) = parse(&repair.text);
            if is_better(&errors, &remaining, &repair) {
                better = Some((repair, other, remaining));
                break;
            }
        }
        let Some((repair, other, remaining)) = better else {
            break;
        };
        let mut first = first.clone();
        first.lost = repair.lost;
        found.push(first);
        (work, file, errors) = (repair.text, other, remaining);
    }
    found.extend(errors);
    found.sort_by_key(|e| e.span.start);
    (file, found)
}

/// No error is left where the repair was, and the structure of its procedure is not worse.
fn is_better(before: &[SyntaxError], after: &[SyntaxError], repair: &Repair) -> bool {
    let inside = |e: &SyntaxError, r: &Range<usize>| r.contains(&(e.span.start as usize));
    let near = |e: &&SyntaxError| repair.around.as_ref().is_none_or(|r| inside(e, r));
    let structure = |list: &[SyntaxError]| {
        let of_structure = list
            .iter()
            .filter(near)
            .filter(|e| e.about != About::Statement);
        of_structure.count()
    };
    !after.iter().any(|e| inside(e, &repair.at)) && structure(after) <= structure(before)
}

/// What may repair the text, the smallest change first.
fn repairs(text: &str, error: &SyntaxError) -> Vec<Repair> {
    let all = statements(text);
    let at = error.span.start;
    let Some(i) = all.partition_point(|s| s.start() <= at).checked_sub(1) else {
        return Vec::new();
    };
    let s = &all[i];
    let around = procedure_of(&all, i);
    let range = around.as_ref().map(|r| range(&all[r.start], &all[r.end]));
    let scope = range.as_ref().map(span);
    let of_statement = |new: String, names: Vec<String>| {
        let at = range_of(s);
        // A repair may begin in the blanks before the statement.
        let line = text[..at.start as usize].rfind('\n').map_or(0, |i| i + 1);
        let indent = text[line..at.start as usize].trim_end().len();
        let start = (line + indent) as u32;
        Repair {
            text: new,
            lost: Lost {
                at,
                span: Some(Span { start, ..at }),
                scope,
                names,
            },
            around: range.clone(),
            at: at.start as usize..at.end as usize,
        }
    };
    let mut out = Vec::new();
    if let Some(proposal) = &error.proposal
        && let Some(new) = replaced(text, s, proposal.span, &proposal.text)
    {
        out.push(of_statement(new, Vec::new()));
    }
    let names = || match declares(&s.text) {
        true => identifiers(&s.text),
        false => Vec::new(),
    };
    let stands_in = match kind(&s.text) {
        Kind::Plain => Some(String::new()),
        Kind::Opens(text) => Some(text.to_owned()),
        Kind::Structure => None,
    };
    if let Some(by) = stands_in
        && let Some(new) = with(text, span_range(range_of(s)), &by)
    {
        out.push(of_statement(new, names()));
    }
    // A procedure without what precedes the word in its header.
    if let Some(what) = procedure(&s.text)
        && let Some(from) = s.text.find(what)
        && from > 0
    {
        let before = span_range(s.span(0, from));
        if let Some(new) = with(text, before, "") {
            let mut repair = of_statement(new, identifiers(&s.text[from..]));
            repair.lost.names.truncate(1);
            repair.lost.span = scope;
            repair.lost.scope = None;
            out.push(repair);
        }
    }
    if let Some(r) = around
        && r.end > r.start + 1
        && i > r.start
        && i < r.end
    {
        let body = all[r.start].end() as usize..all[r.end].start() as usize;
        let whole = range.clone().unwrap_or_default();
        let header = identifiers(&all[r.start].text);
        if let Some(new) = with(text, body.clone(), "") {
            out.push(Repair {
                text: new,
                lost: Lost {
                    at: range_of(s),
                    span: Some(span(&whole)),
                    scope: None,
                    names: header.into_iter().take(1).collect(),
                },
                around: range.clone(),
                at: body,
            });
        }
    }
    out
}

fn range(first: &Statement, last: &Statement) -> Range<usize> {
    first.start() as usize..last.end() as usize
}

fn range_of(s: &Statement) -> Span {
    Span {
        start: s.start(),
        end: s.end(),
    }
}

fn span_range(s: Span) -> Range<usize> {
    s.start as usize..s.end as usize
}

fn span(r: &Range<usize>) -> Span {
    Span {
        start: r.start as u32,
        end: r.end as u32,
    }
}

enum Kind {
    /// It can be left out.
    Plain,
    /// It opens a construct, or is a branch of one: what does that, too.
    Opens(&'static str),
    /// It begins or ends something that is not known without it.
    Structure,
}

fn kind(text: &str) -> Kind {
    let word = first_word(text);
    let rest = text[word.len()..].trim_start();
    let opens_block = text.ends_with("then") || text.ends_with(')');
    match word {
        "if" if text.ends_with("then") || is_condition(rest) => Kind::Opens("if(1)then"),
        "else" | "elseif" | "elif" | "elsif" if opens_block => Kind::Opens("else"),
        "do" | "while" => Kind::Opens("do"),
        "else" | "case" | "select" | "switch" | "contains" | "module" | "submodule" | "program"
        | "interface" | "abstract" | "associate" | "block" | "blockdata" | "enum" | "critical" => {
            Kind::Structure
        }
        "for" => Kind::Structure,
        _ if text.ends_with('{') || text.starts_with('}') => Kind::Structure,
        "where" | "forall" if opens_block && !text.contains('=') => Kind::Structure,
        "type" if !rest.starts_with('(') => Kind::Structure,
        _ if word.starts_with("end") || procedure(text).is_some() => Kind::Structure,
        _ => Kind::Plain,
    }
}

/// Parentheses and nothing after them.
fn is_condition(text: &str) -> bool {
    text.starts_with('(') && closing(text, 0) == Some(text.len() - 1)
}

/// The statement may declare names, or change what names mean.
fn declares(text: &str) -> bool {
    let word = first_word(text);
    let bytes = text.as_bytes();
    let assigns = bytes.iter().enumerate().any(|(i, b)| {
        *b == b'=' && bytes.get(i + 1) != Some(&b'=') && !(i > 0 && b"=<>/".contains(&bytes[i - 1]))
    });
    let executes =
        word == "call" || assigns && !text.contains("::") && !text.contains(", parameter");
    let keyword = begins_statement(word) && !is_declaration(word);
    !executes && !keyword && !text.starts_with('!')
}

fn is_declaration(word: &str) -> bool {
    is_attribute(word)
        || matches!(
            word,
            "integer"
                | "real"
                | "complex"
                | "logical"
                | "character"
                | "double"
                | "type"
                | "class"
                | "use"
                | "implicit"
                | "import"
                | "data"
                | "common"
                | "equivalence"
                | "namelist"
                | "procedure"
                | "generic"
                | "attributes"
        )
}

/// The names of a text, without words of the language; the name of a procedure is the first one of its header.
fn identifiers(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_own = |w: &&str| {
        w.starts_with(|c: char| c.is_ascii_alphabetic())
            && !is_declaration(w)
            && !matches!(
                *w,
                "subroutine"
                    | "function"
                    | "global"
                    | "device"
                    | "host"
                    | "pure"
                    | "elemental"
                    | "recursive"
                    | "module"
                    | "precision"
                    | "launch_bounds"
                    | "kind"
                    | "len"
                    | "impure"
                    | "grid_global"
                    | "only"
                    | "none"
            )
    };
    words.filter(is_own).map(str::to_owned).collect()
}

/// The header and the END statement of the innermost procedure or main program around a statement.
fn procedure_of(all: &[Statement], at: usize) -> Option<Range<usize>> {
    let opens = |s: &Statement| procedure(&s.text).is_some() || first_word(&s.text) == "program";
    let mut depth = 0;
    let mut start = None;
    for i in (0..=at).rev() {
        if ends_procedure(&all[i].text) && i != at {
            depth += 1;
        } else if opens(&all[i]) {
            if depth == 0 {
                start = Some(i);
                break;
            }
            depth -= 1;
        }
    }
    let start = start?;
    let mut depth = 0;
    for (i, s) in all.iter().enumerate().skip(start + 1) {
        if opens(s) {
            depth += 1;
        } else if ends_procedure(&s.text) {
            if depth == 0 {
                return (i >= at).then_some(start..i);
            }
            depth -= 1;
        }
    }
    None
}

fn ends_procedure(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("end") else {
        return false;
    };
    let rest = rest.trim_start();
    rest.is_empty()
        || matches!(
            first_word(rest),
            "subroutine" | "function" | "program" | "procedure"
        ) && !rest.contains(['=', '(', '%'])
}

/// The text with other bytes in a range, which stays as long; None if they are too many.
fn with(text: &str, range: Range<usize>, by: &str) -> Option<String> {
    let line = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
    let indent = &text[line..range.start];
    let room = match indent.trim().is_empty() {
        true => indent.len(),
        false => 0,
    };
    let old = text.get(range.clone())?;
    let first = old.find('\n').unwrap_or(old.len());
    let missing = by.len().saturating_sub(first);
    if missing > room {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for b in &mut bytes[range.clone()] {
        if !matches!(*b, b'\n' | b'\r') {
            *b = b' ';
        }
    }
    let start = range.start - missing;
    bytes[start..start + by.len()].copy_from_slice(by.as_bytes());
    String::from_utf8(bytes).ok()
}

/// The text with a proposed change of a statement of one line.
fn replaced(text: &str, s: &Statement, at: Span, by: &str) -> Option<String> {
    let old = text.get(span_range(range_of(s)))?;
    if old.contains('\n') || at.start < s.start() || at.end > s.end() {
        return None;
    }
    let (from, to) = (
        (at.start - s.start()) as usize,
        (at.end - s.start()) as usize,
    );
    let new = format!("{}{by}{}", old.get(..from)?, old.get(to..)?);
    with(text, span_range(range_of(s)), &new)
}
