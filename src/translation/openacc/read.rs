//! Reads the directives of a file.

use std::collections::HashMap;

use super::clause::{Argument, CLAUSES, ClauseKind, Row};
use super::directive::{Clause, Directive, Item, Kind, NAMES, Value};
use super::expressions::Overlay;
use super::lines::{LineProblem, Logical, directives};
use crate::ast::{Expr, ExprKind, Name, Span};
use crate::sema::Finding;
use crate::sema::model::FileId;
use crate::source::SourceText;
use crate::suggest;

/// Code of directives that cannot be read.
const SYNTAX: &str = "CUF0510";
/// Code of unknown directives and clauses.
const UNKNOWN: &str = "CUF0511";

/// Reads the directives of a file, in order. What is wrong with one is a finding; a directive that is not known is left out.
pub fn read(source: &SourceText, file: FileId) -> (Vec<Directive>, Vec<Finding>) {
    let (directives, findings) = read_text(&source.text, file);
    let (mut kept, mut findings) = (directives, findings);
    if source.fixed {
        kept.retain(|d| {
            let line = source.line_text(d.span.start);
            let is_sentinel = !line.starts_with([' ', '\t']);
            if !is_sentinel {
                let message = "directive does not begin in column 1 and is ignored\nnote: in fixed form, \
                    the sentinel `!$acc`, `c$acc`, or `*$acc` must be in columns 1 to 5 (OpenACC 2.1)";
                let mut f = Finding::new(SYNTAX, file, d.span, message);
                f.warning = true;
                findings.push(f);
            }
            is_sentinel
        });
    }
    (kept, findings)
}

/// The same of a text in free form.
pub(super) fn read_text(text: &str, file: FileId) -> (Vec<Directive>, Vec<Finding>) {
    let mut reader = Reader {
        file,
        findings: Vec::new(),
    };
    let mut overlay: Option<Overlay> = None;
    let mut raw = Vec::new();
    for mut line in directives(text) {
        line.close();
        let Some(r) = reader.directive(&line) else {
            continue;
        };
        let mut items: Vec<(usize, usize)> = Vec::new();
        let clauses = r.clauses.iter().flat_map(|c| &c.items);
        for i in r.arguments.iter().chain(clauses) {
            items.extend(i.expression());
        }
        if !items.is_empty() {
            let overlay = overlay.get_or_insert_with(|| Overlay::new(text));
            overlay.add(&line, &items);
        }
        raw.push((line, r));
    }
    let expressions = overlay.map(Overlay::parsed).unwrap_or_default();
    let mut finish = Finish {
        reader: &mut reader,
        expressions,
        is_broken: false,
    };
    let directives = raw
        .into_iter()
        .map(|(l, r)| finish.directive(&l, r))
        .collect();
    reader.findings.sort_by_key(|f| f.span.start);
    (directives, reader.findings)
}

/// A directive whose expressions are not parsed yet. Places are offsets in its line.
struct RawDirective {
    kind: Kind,
    words: (usize, usize),
    clauses: Vec<RawClause>,
    arguments: Vec<RawItem>,
    is_incomplete: bool,
}

struct RawClause {
    kind: ClauseKind,
    word: (usize, usize),
    modifier: Option<(usize, usize)>,
    items: Vec<RawItem>,
    has_list: bool,
    end: usize,
}

struct RawItem {
    modifier: Option<(usize, usize)>,
    at: (usize, usize),
    kind: RawValue,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RawValue {
    Expr,
    Star,
    Common,
}

impl RawItem {
    fn expression(&self) -> Option<(usize, usize)> {
        (self.kind == RawValue::Expr).then_some(self.at)
    }
}

struct Reader {
    file: FileId,
    findings: Vec<Finding>,
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_word) {
        at += 1;
    }
    at
}

/// Without the blanks at both ends.
fn trimmed(bytes: &[u8], mut from: usize, mut to: usize) -> (usize, usize) {
    while from < to && bytes[from] == b' ' {
        from += 1;
    }
    while to > from && bytes[to - 1] == b' ' {
        to -= 1;
    }
    (from, to)
}

/// The parenthesis that closes the one at `open`, and the commas and colons between that no other parentheses hold.
fn parentheses(bytes: &[u8], open: usize) -> (Option<usize>, Vec<usize>) {
    let mut depth = 0;
    let mut quote = None;
    let mut marks = Vec::new();
    for (i, b) in bytes.iter().copied().enumerate().skip(open) {
        match (quote, b) {
            (Some(q), _) if q == b => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => {
                depth -= 1;
                if depth == 0 {
                    return (Some(i), marks);
                }
            }
            (None, b',' | b':') if depth == 1 => marks.push(i),
            _ => {}
        }
    }
    (None, marks)
}

/// Names of clauses and directives are compared without their blanks.
fn joined(name: &str) -> String {
    name.chars().filter(|c| *c != ' ').collect()
}

impl Reader {
    fn report(&mut self, code: &'static str, span: Span, message: String) {
        self.findings
            .push(Finding::new(code, self.file, span, message));
    }

    fn directive(&mut self, line: &Logical) -> Option<RawDirective> {
        match line.problem {
            Some(LineProblem::Unfinished) => {
                let message = "directive ends with `&` but is not continued\nhelp: remove the `&`, or begin \
                    the next line with `!$acc`";
                let at = line.marks.last().copied().unwrap_or(line.span.start);
                let span = Span {
                    start: at,
                    end: at + 1,
                };
                self.report(SYNTAX, span, message.to_owned());
            }
            Some(LineProblem::NotContinued) => {
                let message = "continuation line does not follow a directive that ends with `&`\nhelp: end \
                    the line before with `&`";
                self.report(SYNTAX, line.span, message.to_owned());
                return None;
            }
            None => {}
        }
        let bytes = &line.bytes;
        let (kind, words) = self.name(line)?;
        let before = self.findings.len();
        let mut at = words.1;
        let mut arguments = Vec::new();
        if matches!(kind, Kind::Wait | Kind::Routine | Kind::Cache) {
            let open = skip_blanks(bytes, at);
            if bytes.get(open) == Some(&b'(') {
                let (items, end) = self.list(line, open)?;
                arguments = items;
                at = end;
            }
        }
        let mut clauses = Vec::new();
        loop {
            at = skip_blanks(bytes, at);
            if bytes.get(at) == Some(&b',') {
                at += 1;
                continue;
            }
            if at >= bytes.len() {
                break;
            }
            let end = word_end(bytes, at);
            if end == at {
                let rest = trimmed(bytes, at, bytes.len());
                let message = format!(
                    "`{}` is not a clause\nnote: clauses are words, most with a list in parentheses",
                    line.text(rest.0, rest.1)
                );
                self.report(SYNTAX, line.span(rest.0, rest.1), message);
                break;
            }
            let Some(next) = self.clause(line, kind, (at, end), &mut clauses) else {
                break;
            };
            at = next;
        }
        // There the device type is an argument.
        if !matches!(kind, Kind::Init | Kind::Shutdown | Kind::Set) {
            clauses = for_nvidia(line, clauses);
        }
        Some(RawDirective {
            kind,
            words,
            clauses,
            arguments,
            is_incomplete: self.findings.len() > before,
        })
    }

    /// The name of a directive: the longest that its first words make.
    fn name(&mut self, line: &Logical) -> Option<(Kind, (usize, usize))> {
        let bytes = &line.bytes;
        let start = skip_blanks(bytes, 0);
        let mut ends = Vec::new();
        let mut at = start;
        while ends.len() < 3 {
            let end = word_end(bytes, at);
            if end == at {
                break;
            }
            ends.push(end);
            at = skip_blanks(bytes, end);
        }
        let word = |end: usize| joined(&line.text(start, end)).to_ascii_lowercase();
        for end in ends.iter().rev() {
            let found = NAMES.iter().find(|(n, _)| joined(n) == word(*end));
            if let Some((_, kind)) = found {
                return Some((*kind, (start, *end)));
            }
        }
        let Some(first) = ends.first().copied() else {
            let message = "sentinel `!$acc` without a directive\nhelp: remove the line, or write a directive \
                after the sentinel";
            self.report(SYNTAX, line.span, message.to_owned());
            return None;
        };
        // What was probably meant: two words, or the first.
        let names: Vec<String> = NAMES.iter().map(|(n, _)| joined(n)).collect();
        let meant = ends.iter().rev().find_map(|end| {
            let near = suggest::nearest(&word(*end), names.iter().map(String::as_str))?;
            let (name, kind) = NAMES.iter().find(|(n, _)| joined(n) == near)?;
            Some((*name, *kind, *end))
        });
        let end = meant.map_or(first, |(_, _, end)| end);
        let written = line.text(start, end);
        let help = match meant {
            Some((name, ..)) => format!("help: did you mean `{name}`?"),
            None => "note: the directives are `parallel`, `kernels`, `serial`, `loop`, `data`, `enter data`, \
                `exit data`, `host_data`, `update`, `wait`, `atomic`, `routine`, `declare`, `cache`, `init`, \
                `shutdown`, and `set`"
                .to_owned(),
        };
        let message = format!("`{written}` is not an OpenACC directive\n{help}");
        self.report(UNKNOWN, line.span(start, end), message);
        meant.map(|(_, kind, end)| (kind, (start, end)))
    }

    /// Reads a clause; where the next one begins, if that can be told.
    fn clause(
        &mut self,
        line: &Logical,
        directive: Kind,
        (start, end): (usize, usize),
        out: &mut Vec<RawClause>,
    ) -> Option<usize> {
        let bytes = &line.bytes;
        let word = line.text(start, end).to_ascii_lowercase();
        let open = skip_blanks(bytes, end);
        let has_list = bytes.get(open) == Some(&b'(');
        let found: Option<&Row> = CLAUSES.iter().find(|r| r.name == word);
        let Some(row) = found else {
            let names = CLAUSES.iter().map(|r| r.name);
            let help = suggest::question(&word, names);
            let message = format!(
                "`{}` is not a clause of OpenACC{help}",
                line.text(start, end)
            );
            self.report(UNKNOWN, line.span(start, end), message);
            return match has_list {
                true => parentheses(bytes, open).0.map(|close| close + 1),
                false => Some(end),
            };
        };
        let mut kind = row.kind;
        // The same word has another meaning.
        if directive == Kind::Update && kind == ClauseKind::SelfClause {
            kind = ClauseKind::Host;
        }
        let mut clause = RawClause {
            kind,
            word: (start, end),
            modifier: None,
            items: Vec::new(),
            has_list,
            end,
        };
        if has_list {
            let from = match kind {
                ClauseKind::Reduction => self.operator(line, open, &mut clause)?,
                _ => open,
            };
            let (items, after) = self.items(line, open, from)?;
            clause.items = items;
            clause.end = after;
            if !matches!(kind, ClauseKind::Reduction)
                && (kind.argument() == Argument::Variables || kind == ClauseKind::Collapse)
            {
                let first = clause.items.first_mut();
                clause.modifier = first.and_then(|i| i.modifier.take());
            }
        }
        let after = clause.end;
        out.push(clause);
        Some(after)
    }

    /// The operator of a `reduction` clause: where the list begins after it.
    fn operator(&mut self, line: &Logical, open: usize, clause: &mut RawClause) -> Option<usize> {
        let (close, marks) = parentheses(&line.bytes, open);
        let colon = marks.into_iter().find(|m| line.bytes[*m] == b':');
        let Some(colon) = colon else {
            let end = close.map_or(line.bytes.len(), |c| c + 1);
            let message = "`reduction` clause without an operator\nhelp: write the operator before the \
                variables: `reduction(+: s)`";
            self.report(SYNTAX, line.span(clause.word.0, end), message.to_owned());
            return Some(open);
        };
        clause.modifier = Some(trimmed(&line.bytes, open + 1, colon));
        Some(colon)
    }

    /// The list of a directive.
    fn list(&mut self, line: &Logical, open: usize) -> Option<(Vec<RawItem>, usize)> {
        self.items(line, open, open)
    }

    /// The items of a list that opens at `open`, after `from`; and where it ends. Empty lists have none.
    fn items(&mut self, line: &Logical, open: usize, from: usize) -> Option<(Vec<RawItem>, usize)> {
        let bytes = &line.bytes;
        let (close, marks) = parentheses(bytes, open);
        let Some(close) = close else {
            let message = "parenthesis is not closed\nhelp: add `)`".to_owned();
            self.report(SYNTAX, line.span(open, open + 1), message);
            return None;
        };
        let mut items = Vec::new();
        let mut modifier = None;
        let mut start = from + 1;
        let marks = marks.into_iter().filter(|m| *m > from);
        let all: Vec<usize> = marks.chain([close]).collect();
        let is_empty = all.len() == 1 && trimmed(bytes, start, close).0 >= close;
        if is_empty {
            return Some((items, close + 1));
        }
        for mark in all {
            let at = trimmed(bytes, start, mark);
            let is_colon = bytes[mark] == b':';
            let is_name =
                at.0 < at.1 && word_end(bytes, at.0) == at.1 && !bytes[at.0].is_ascii_digit();
            start = mark + 1;
            if is_colon && is_name && modifier.is_none() {
                modifier = Some(at);
                continue;
            }
            if at.0 >= at.1 {
                let message = "list has an empty item".to_owned();
                self.report(SYNTAX, line.span(mark, mark + 1), message);
                modifier = None;
                continue;
            }
            let text = &bytes[at.0..at.1];
            let common = text.len() > 2 && text[0] == b'/' && text.ends_with(b"/");
            items.push(RawItem {
                modifier: modifier.take(),
                at,
                kind: match text {
                    b"*" => RawValue::Star,
                    _ if common => RawValue::Common,
                    _ => RawValue::Expr,
                },
            });
        }
        Some((items, close + 1))
    }
}

/// Clauses of which one for a device type replaces the one for all (OpenACC 2.4).
fn is_device_specific(kind: ClauseKind) -> bool {
    use ClauseKind::*;
    matches!(
        kind,
        Async
            | Wait
            | NumGangs
            | NumWorkers
            | VectorLength
            | Gang
            | Worker
            | Vector
            | Seq
            | Independent
            | Auto
            | Collapse
            | Tile
            | Bind
    )
}

/// The clauses that hold for NVIDIA GPUs: those before any `device_type`, and those after one that names them or all types.
fn for_nvidia(line: &Logical, clauses: Vec<RawClause>) -> Vec<RawClause> {
    // How exactly the device is named: 0 not at all, 1 by `*`, 2 by its name; None: another is.
    let mut rank = Some(0);
    let mut ranked: Vec<(u8, RawClause)> = Vec::new();
    for c in clauses {
        if c.kind != ClauseKind::DeviceType {
            ranked.extend(rank.map(|r| (r, c)));
            continue;
        }
        let named = c.items.iter().map(|i| {
            let word = line.text(i.at.0, i.at.1).to_ascii_lowercase();
            match word.as_str() {
                "nvidia" | "acc_device_nvidia" => Some(2),
                "*" => Some(1),
                _ => None,
            }
        });
        rank = named.max().flatten();
    }
    let best = |kind: ClauseKind, all: &[(u8, RawClause)]| {
        let of_kind = all.iter().filter(|(_, c)| c.kind == kind);
        of_kind.map(|(r, _)| *r).max().unwrap_or_default()
    };
    let keeps: Vec<bool> = ranked
        .iter()
        .map(|(r, c)| !is_device_specific(c.kind) || *r == best(c.kind, &ranked))
        .collect();
    let kept = ranked.into_iter().zip(keeps).filter(|(_, k)| *k);
    kept.map(|((_, c), _)| c).collect()
}

/// Puts expressions into directives.
struct Finish<'a> {
    reader: &'a mut Reader,
    expressions: HashMap<u32, Expr>,
    /// An expression of the directive could not be read.
    is_broken: bool,
}

impl Finish<'_> {
    fn directive(&mut self, line: &Logical, raw: RawDirective) -> Directive {
        self.is_broken = false;
        let arguments = raw.arguments.iter();
        let arguments = arguments.map(|i| self.item(line, i)).collect();
        let is_private = |k| matches!(k, ClauseKind::Private | ClauseKind::Firstprivate);
        let clauses = raw.clauses.into_iter();
        let clauses = clauses
            .map(|c| Clause {
                kind: c.kind,
                word: name(line, c.word),
                modifier: c.modifier.map(|m| name(line, m)),
                items: c
                    .items
                    .iter()
                    .map(|i| match self.item(line, i) {
                        item if is_private(c.kind) => item.of_whole_array(),
                        item => item,
                    })
                    .collect(),
                has_list: c.has_list,
                span: line.span(c.word.0, c.end),
            })
            .collect();
        Directive {
            kind: raw.kind,
            words: line.span(raw.words.0, raw.words.1),
            clauses,
            arguments,
            span: line.span,
            is_incomplete: raw.is_incomplete,
        }
    }

    fn item(&mut self, line: &Logical, raw: &RawItem) -> Item {
        let (from, to) = raw.at;
        let span = line.span(from, to);
        let value = match raw.kind {
            RawValue::Star => Value::Star,
            RawValue::Common => Value::Common(name(line, trimmed(&line.bytes, from + 1, to - 1))),
            RawValue::Expr => {
                let found = self.expressions.remove(&span.start);
                let found = found.filter(|e| e.span.end == span.end);
                if found.is_none() && !self.is_broken {
                    self.is_broken = true;
                    let message = format!("`{}` is not an expression", line.text(from, to));
                    self.reader.report(SYNTAX, span, message);
                }
                Value::Expr(found.unwrap_or(Expr {
                    kind: ExprKind::Other,
                    span,
                }))
            }
        };
        Item {
            modifier: raw.modifier.map(|m| name(line, m)),
            value,
            section: None,
            span,
        }
    }
}

fn name(line: &Logical, (from, to): (usize, usize)) -> Name {
    Name {
        text: line.text(from, to).to_ascii_lowercase().into(),
        span: line.span(from, to),
    }
}
