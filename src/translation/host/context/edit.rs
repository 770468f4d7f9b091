//! Edits on the text of a host file: insertions and replacements by byte range, applied in one pass.

use std::collections::BTreeSet;

use crate::ast::Span;
use crate::map::Rule;

/// Where the pieces of the text written come from.
#[derive(Debug, Default)]
pub struct Origins {
    pub(in crate::translation::host) pieces: Vec<Piece>,
}

impl Origins {
    /// The place in the user's text that an offset of the text written belongs to.
    pub(in crate::translation::host) fn of(&self, offset: u32) -> u32 {
        let after = self.pieces.partition_point(|p| p.to <= offset);
        match after.checked_sub(1).and_then(|i| self.pieces.get(i)) {
            Some(p) if p.kind == PieceKind::Copy => p.from + (offset - p.to),
            Some(p) => p.from,
            None => offset,
        }
    }
}

/// Edits in the order they were made. Insertions at the same place come out in that order, so a wrapper opens before and
/// closes after what it wraps if its two insertions are made around the inner ones.
#[derive(Debug, Default)]
pub struct EditList {
    edits: Vec<Edit>,
}

/// Which insertion comes first at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// In the order of making.
    Made,
    /// Before other insertions at its place, whenever it was made.
    First,
    /// The same; it belongs to the program unit, not to the statement that stands there.
    Unit,
}

/// A piece of the text written.
#[derive(Clone, Copy, Debug)]
pub(in crate::translation::host) struct Piece {
    /// Where it begins in the text written.
    pub(in crate::translation::host) to: u32,
    /// Its place in the user's text.
    pub(in crate::translation::host) from: u32,
    /// The end of its place: of a copy the next piece says it.
    pub(in crate::translation::host) end: u32,
    pub(in crate::translation::host) rule: Rule,
    pub(in crate::translation::host) kind: PieceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translation::host) enum PieceKind {
    /// Of the user's text.
    Copy,
    Edit,
    /// An insertion that belongs to the program unit.
    Unit,
}

#[derive(Debug)]
struct Edit {
    /// What makes it.
    rule: Rule,
    span: Span,
    text: String,
    order: Order,
    /// What a preprocessed file has in the place of `text`: whole lines.
    kept: Option<String>,
}

impl Edit {
    /// Nothing but comments stays.
    fn deletes(&self) -> bool {
        let mut lines = self.text.lines().map(str::trim_start);
        lines.all(|l| l.is_empty() || l.starts_with('!'))
    }
}

/// Longest line that gfortran takes in free form by default (F2018 6.3.2.1).
const MAX_LINE: usize = 132;

impl EditList {
    pub fn insert(&mut self, rule: Rule, at: u32, text: impl Into<String>) {
        self.replace(rule, Span { start: at, end: at }, text);
    }

    /// Inserts before what others insert there.
    pub fn insert_first(&mut self, rule: Rule, at: u32, text: impl Into<String>) {
        self.edits.push(Edit {
            rule,
            span: Span { start: at, end: at },
            text: text.into(),
            order: Order::First,
            kept: None,
        });
    }

    /// The same, for what belongs to the program unit.
    pub fn insert_for_unit(&mut self, rule: Rule, at: u32, text: impl Into<String>) {
        self.edits.push(Edit {
            rule,
            span: Span { start: at, end: at },
            text: text.into(),
            order: Order::Unit,
            kept: None,
        });
    }

    /// Inserts before all that was inserted there, also by [`Self::insert_first`], for the program unit. Not while a [`Self::mark`] is held.
    pub fn insert_foremost(&mut self, rule: Rule, at: u32, text: impl Into<String>) {
        let edit = Edit {
            rule,
            span: Span { start: at, end: at },
            text: text.into(),
            order: Order::Unit,
            kept: None,
        };
        self.edits.insert(0, edit);
    }

    pub fn replace(&mut self, rule: Rule, span: Span, text: impl Into<String>) {
        self.edits.push(Edit {
            rule,
            span,
            text: text.into(),
            order: Order::Made,
            kept: None,
        });
    }

    /// Replaces whole statements by `text`, in a preprocessed file by the lines `kept`.
    pub fn replace_or_keep(&mut self, rule: Rule, span: Span, text: String, kept: Option<String>) {
        self.edits.push(Edit {
            rule,
            span,
            text,
            order: Order::Made,
            kept,
        });
    }

    /// What was written in a part of the text.
    pub fn texts(&self, part: Span) -> impl Iterator<Item = &str> {
        let inside = move |e: &&Edit| part.start <= e.span.start && e.span.end <= part.end;
        let inside = self.edits.iter().filter(inside);
        inside.flat_map(|e| {
            [Some(e.text.as_str()), e.kept.as_deref()]
                .into_iter()
                .flatten()
        })
    }

    /// Something is kept under a macro.
    pub fn has_kept(&self) -> bool {
        self.edits.iter().any(|e| e.kept.is_some())
    }

    /// Where the next edit would come in the order of making.
    pub fn mark(&self) -> usize {
        self.edits.len()
    }

    /// An insertion that counts as made at `mark`.
    pub fn insert_at(&mut self, rule: Rule, mark: usize, at: u32, text: String) {
        let span = Span { start: at, end: at };
        self.edits.insert(
            mark.min(self.edits.len()),
            Edit {
                rule,
                span,
                text,
                order: Order::Made,
                kept: None,
            },
        );
    }

    /// Passes the text of each edit through a function.
    pub fn resolve(&mut self, text: impl Fn(&str) -> String) {
        for e in &mut self.edits {
            e.text = text(&e.text);
            e.kept = e.kept.as_deref().map(&text);
        }
    }

    pub fn delete(&mut self, rule: Rule, span: Span) {
        self.replace(rule, span, "");
    }

    /// A replacement that another one would cut or undo: one that begins inside of another and ends behind it, or was made in the place of
    /// another, or inside of it, after that, whose text cannot have it. No rule may make such an edit, unless what it is inside of is deleted.
    pub fn conflict(&self) -> Option<Span> {
        let replacements = self.edits.iter().enumerate();
        let mut order: Vec<(usize, &Edit)> = replacements
            .filter(|(_, e)| e.span.end > e.span.start)
            .collect();
        order.sort_by_key(|(made, e)| (e.span.start, std::cmp::Reverse(e.span.end), *made));
        let mut outer: Option<(usize, &Edit)> = None;
        for (made, e) in order {
            match outer {
                Some((first, o)) if e.span.start < o.span.end => {
                    let same = e.span == o.span && e.text == o.text;
                    let goes = o.deletes() && (e.span != o.span || e.deletes());
                    let lost = made > first && !same && !goes;
                    if e.span.end > o.span.end || lost {
                        return Some(e.span);
                    }
                }
                _ => outer = Some((made, e)),
            }
        }
        None
    }

    /// The places that change.
    pub fn places(&self) -> Vec<Span> {
        self.edits.iter().map(|e| e.span).collect()
    }

    /// The text of `range` with all edits inside it. An edit inside the range of an earlier-starting replacement is
    /// superseded by it.
    pub fn apply(&self, text: &str, range: Span) -> String {
        self.applied(text, range, false, &mut Vec::new())
    }

    /// The whole text with all edits, and where its pieces come from; with what is kept under a macro if `keep`.
    pub fn apply_mapped(&self, text: &str, keep: bool) -> (String, Origins) {
        let mut origins = Origins::default();
        let whole = Span {
            start: 0,
            end: u32::try_from(text.len()).unwrap_or(u32::MAX),
        };
        let out = self.applied(text, whole, keep, &mut origins.pieces);
        (out, origins)
    }

    /// `keep`: with what is kept under a macro. `pieces` gets those of the result.
    fn applied(&self, text: &str, range: Span, keep: bool, pieces: &mut Vec<Piece>) -> String {
        let mut order: Vec<&Edit> = self
            .edits
            .iter()
            .filter(|e| e.span.start >= range.start && e.span.end <= range.end)
            .collect();
        // Stable: same start keeps the order of making, and insertions stand before a replacement of what follows.
        order.sort_by_key(|e| {
            let made = e.order == Order::Made;
            (e.span.start, made, e.span.end > e.span.start)
        });
        let mut out = String::with_capacity(text.len());
        let mut at = range.start;
        let mut copy = |out: &mut String, start: u32, end: u32, next: Option<&Edit>| {
            pieces.push(Piece {
                to: out.len() as u32,
                from: start,
                end,
                rule: Rule::Copied,
                kind: PieceKind::Copy,
            });
            out.push_str(text.get(start as usize..end as usize).unwrap_or_default());
            pieces.extend(next.map(|e| Piece {
                to: out.len() as u32,
                from: e.span.start,
                end: e.span.end,
                rule: e.rule,
                kind: match e.order {
                    Order::Unit => PieceKind::Unit,
                    Order::First | Order::Made => PieceKind::Edit,
                },
            }));
        };
        for e in order {
            if e.span.start < at {
                continue;
            }
            copy(&mut out, at, e.span.start, Some(e));
            match e.kept.as_ref().filter(|_| keep) {
                Some(lines) => {
                    // Lines for the preprocessor begin in the first column.
                    out.truncate(out.trim_end_matches([' ', '\t']).len());
                    if !out.is_empty() && !out.ends_with('\n') {
                        out.push('\n');
                    }
                    out.push_str(lines);
                }
                None => out.push_str(&e.text),
            }
            at = e.span.end;
        }
        copy(&mut out, at, range.end, None);
        out
    }

    /// The whole text with all edits; lines that the edits made too long are continued.
    #[cfg(test)]
    pub fn apply_all(&self, text: &str) -> String {
        wrap_long_lines(&self.apply_mapped(text, false).0, text)
    }
}

/// Breaks lines longer than [`MAX_LINE`], unless the original text had the same line.
pub fn wrap_long_lines(text: &str, original: &str) -> String {
    if text.lines().all(|l| l.len() <= MAX_LINE) {
        return text.to_owned();
    }
    let known = LongLines::of(original);
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        match known.wrapped(body) {
            Some(wrapped) => {
                out.push_str(&wrapped);
                out.push_str(&line[body.len()..]);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// The lines of the user's that are too long.
pub(in crate::translation::host) struct LongLines<'t>(BTreeSet<&'t str>);

impl<'t> LongLines<'t> {
    pub(in crate::translation::host) fn of(original: &'t str) -> Self {
        Self(original.lines().filter(|l| l.len() > MAX_LINE).collect())
    }

    /// A line broken, if it is too long and none of the user's.
    pub(in crate::translation::host) fn wrapped(&self, line: &str) -> Option<String> {
        (line.len() > MAX_LINE && !self.0.contains(line)).then(|| wrap_line(line))
    }
}

/// Continues one line of free-form Fortran at blanks or after commas outside of strings. A comment keeps its place at the end.
pub fn wrap_line(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let pad = " ".repeat(indent + 4);
    let mut out = String::new();
    let mut rest = line.to_owned();
    while rest.len() > MAX_LINE {
        let Some(cut) = break_point(&rest, MAX_LINE - 2) else {
            break;
        };
        out.push_str(rest[..cut].trim_end());
        let after = rest[cut..].trim_start();
        if after.starts_with('!') {
            // A comment continues no statement. One that would be a directive on a line of its own stays where it is.
            if is_sentinel(after) {
                return out + " " + after;
            }
            return format!("{out}\n{}{after}", " ".repeat(indent));
        }
        out.push_str(" &\n");
        rest = format!("{pad}{}", rest[cut..].trim_start());
    }
    out.push_str(&rest);
    out
}

/// Whether the comment is a directive at the beginning of a line: `!$omp`, `!dir$ ignore_tkr`.
fn is_sentinel(comment: &str) -> bool {
    let word = comment.split_whitespace().next().unwrap_or_default();
    word.contains('$')
}

/// Where a line may be broken so that at most `limit` bytes stand before: before a blank or after a comma, outside of strings
/// and before any comment; where the text is least nested, in the last two thirds if possible.
fn break_point(line: &str, limit: usize) -> Option<usize> {
    let first = line.len() - line.trim_start().len();
    let mut quote: Option<char> = None;
    let mut depth = 0;
    let mut best = None::<((bool, i32, bool), usize)>;
    for (i, c) in line.char_indices() {
        if i > limit {
            break;
        }
        let at = match quote {
            Some(q) => {
                if c == q {
                    quote = None;
                }
                continue;
            }
            None => match c {
                '\'' | '"' => {
                    quote = Some(c);
                    continue;
                }
                '!' => break,
                '(' | '[' => {
                    depth += 1;
                    continue;
                }
                ')' | ']' => {
                    depth -= 1;
                    continue;
                }
                ',' if i < limit => i + 1,
                ' ' if i > first => i,
                _ => continue,
            },
        };
        let rank = (at < limit / 3, depth, c == ' ');
        if at > first + 8 && best.is_none_or(|(r, _)| rank <= r) {
            best = Some((rank, at));
        }
    }
    best.map(|(_, at)| at)
}

/// Joins continued lines of a piece of a statement into one, so that it can stand in a generated statement. Lines that are
/// statements of their own stay apart.
pub(in crate::translation::host) fn join_lines(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut continued = false;
    for line in text.lines() {
        let t = strip_comment(line).trim();
        if t.is_empty() {
            continue;
        }
        let (t, goes_on) = match t.strip_suffix('&') {
            Some(rest) => (rest.trim_end(), true),
            None => (t, false),
        };
        let t = match t.strip_prefix('&') {
            Some(rest) if continued => rest.trim_start(),
            _ => t,
        };
        if !(out.is_empty() || continued && t.is_empty()) {
            out.push(if continued { ' ' } else { '\n' });
        }
        out.push_str(t);
        continued = goes_on;
    }
    out
}

/// The line without a trailing comment (quotes are respected within the line).
fn strip_comment(line: &str) -> &str {
    let mut quote = None;
    for (i, c) in line.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '!' => return &line[..i],
            None => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    #[test]
    fn a_comment_behind_a_long_line_continues_nothing() {
        let call = format!("  call a({})", "argument, ".repeat(11) + "b1234567");
        assert_eq!(
            wrap_line(&format!("{call} ! end of the loop")),
            format!("{call}\n  ! end of the loop")
        );
        let directive = format!("{call} !$acc end loop");
        assert_eq!(wrap_line(&directive), directive);
    }

    #[test]
    fn wrappers_nest() {
        let text = "x = a";
        let mut e = EditList::default();
        e.insert(Rule::Copied, 4, "outer(");
        e.insert(Rule::Copied, 4, "inner(");
        e.insert(Rule::Copied, 5, ")");
        e.insert(Rule::Copied, 5, "]");
        assert_eq!(e.apply_all(text), "x = outer(inner(a)]");
    }

    #[test]
    fn edits_that_undo_each_other_are_found() {
        let conflict = |edits: &[(u32, u32, &str)]| {
            let mut e = EditList::default();
            for (start, end, text) in edits {
                e.replace(Rule::Copied, span(*start, *end), *text);
            }
            e.conflict()
        };
        assert_eq!(conflict(&[(0, 3, "z"), (3, 5, "y"), (4, 4, "x")]), None);
        assert_eq!(conflict(&[(0, 3, "z"), (2, 5, "y")]), Some(span(2, 5)));
        assert_eq!(conflict(&[(0, 3, "z"), (0, 3, "y")]), Some(span(0, 3)));
        assert_eq!(conflict(&[(0, 3, "z"), (1, 2, "y")]), Some(span(1, 2)));
        assert_eq!(conflict(&[(1, 2, "y"), (0, 3, "z")]), None);
        assert_eq!(conflict(&[(0, 3, "! z"), (1, 2, "y")]), None);
    }

    #[test]
    fn replaced_range_hides_inner_edits() {
        let text = "abc def";
        let mut e = EditList::default();
        e.insert(Rule::Copied, 1, "X");
        e.replace(Rule::Copied, span(0, 3), "z");
        assert_eq!(e.apply_all(text), "z def");
    }

    #[test]
    fn long_lines_break_outside_strings() {
        let line = format!("  call f('{}', {})", "x y ".repeat(20), "abc, ".repeat(20));
        let wrapped = wrap_line(&line);
        assert!(wrapped.lines().all(|l| l.len() <= MAX_LINE), "{wrapped}");
        assert!(wrapped.contains(&"x y ".repeat(20)));
    }
}
