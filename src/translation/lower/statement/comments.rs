//! Comments and blank lines of the source that travel with statements and items.

use crate::ast::{Comment, Span};
use crate::ir::Notes;
use crate::sema::Input;

/// Text of a comment without its `!`.
fn text(input: &Input<'_>, c: &Comment) -> String {
    let raw = input
        .text
        .get(c.span.start as usize..c.span.end as usize)
        .unwrap_or_default();
    let mut t = raw.trim_end();
    t = t.strip_prefix(['!', 'c', 'C', '*']).unwrap_or(t);
    t.to_owned()
}

/// The source between two byte offsets has an empty line.
fn has_blank_line(text: &str) -> bool {
    let mut lines = text.split('\n').map(str::trim);
    lines.next();
    let rest: Vec<_> = lines.collect();
    rest.len() > 1 && rest[..rest.len() - 1].iter().any(|l| l.is_empty())
}

/// Notes of something at `span` when the last thing before it ended at `after`.
pub fn notes(input: &Input<'_>, after: u32, span: Span) -> Notes {
    let mut n = above(input, after, span.start);
    n.trailing = trailing(input, span.end);
    n
}

/// Own-line comments between two offsets, and whether a blank line comes first.
pub fn above(input: &Input<'_>, after: u32, start: u32) -> Notes {
    let mut n = Notes::default();
    let slice = |a: u32, b: u32| input.text.get(a as usize..b as usize).unwrap_or_default();
    let mut at = after;
    for c in between(input, after, start) {
        if !c.own_line || is_directive(input, c) {
            continue;
        }
        let blank = has_blank_line(slice(at, c.span.start));
        if n.above.is_empty() {
            n.blank_before = blank;
        } else if blank {
            n.above.push(None);
        }
        n.above.push(Some(text(input, c)));
        at = c.span.end;
    }
    let blank = has_blank_line(slice(at, start));
    if n.above.is_empty() {
        n.blank_before = blank;
    }
    n
}

/// The comment at the end of the line on which `end` stands, if nothing but it follows.
pub fn trailing(input: &Input<'_>, end: u32) -> Option<String> {
    let line_end = input
        .text
        .get(end as usize..)?
        .find('\n')
        .map_or(input.text.len(), |i| end as usize + i);
    let c = between(input, end, line_end as u32 + 1).find(|c| !c.own_line)?;
    let gap = input.text.get(end as usize..c.span.start as usize)?;
    (gap.trim().is_empty() && !is_directive(input, c)).then(|| text(input, c))
}

/// Where the code before the own-line comments above `start` ends.
pub fn code_before(input: &Input<'_>, start: u32) -> u32 {
    let text = |a: u32, b: u32| input.text.get(a as usize..b as usize).unwrap_or_default();
    let comments = &input.ast.comments;
    let before = comments.partition_point(|c| c.span.start < start);
    let mut at = start;
    for c in comments[..before].iter().rev() {
        if !c.own_line || !text(c.span.end, at).trim().is_empty() {
            break;
        }
        at = c.span.start;
    }
    let code = text(0, at).trim_end();
    // A comment at the end of the line of that code belongs to the line.
    let end = code.len() as u32;
    comments[..before]
        .iter()
        .rev()
        .find(|c| !c.own_line && c.span.end >= end && c.span.start < end)
        .map_or(end, |c| c.span.end)
}

/// Comments within a statement, between its lines or at their ends.
pub fn inside(input: &Input<'_>, start: u32, end: u32) -> Vec<String> {
    between(input, start, end)
        .filter(|c| !is_directive(input, c))
        .map(|c| text(input, c))
        .collect()
}

/// Own-line comments just above an item, back to the last line that is neither comment nor blank: its documentation.
pub fn doc(input: &Input<'_>, start: u32) -> Notes {
    // A comment that is set off by a blank line belongs to what is above it.
    let last = input.ast.comments.partition_point(|c| c.span.start < start);
    block(input, last, start)
}

/// The same for a procedure: blank lines may set off the comments if others part them from what is above.
pub fn of_procedure(input: &Input<'_>, start: u32) -> Notes {
    let near = doc(input, start);
    if !near.above.is_empty() {
        return near;
    }
    let comments = &input.ast.comments;
    let last = comments.partition_point(|c| c.span.start < start);
    let slice = |a: u32, b: u32| input.text.get(a as usize..b as usize).unwrap_or_default();
    let Some(c) = last.checked_sub(1).and_then(|l| comments.get(l)) else {
        return near;
    };
    if !slice(c.span.end, start).trim().is_empty() {
        return near;
    }
    let first = last - lines_of_block(input, last, c.span.end);
    let above = comments.get(first).map_or("", |c| slice(0, c.span.start));
    let line = above.rsplit('\n').nth(1).unwrap_or_default().trim();
    let set_off = line.is_empty() || line.eq_ignore_ascii_case("contains");
    match set_off {
        true => block(input, last, c.span.end),
        false => near,
    }
}

/// How many of the comments before the one with number `last` stand in lines without a gap above `at`.
fn lines_of_block(input: &Input<'_>, last: usize, mut at: u32) -> usize {
    let comments = input.ast.comments[..last].iter().rev();
    let in_block = |c: &&Comment| {
        // The last one may end at `at`.
        let gap = input.text.get(c.span.end as usize..at as usize);
        let gap = gap.unwrap_or_default();
        at = c.span.start;
        c.own_line && gap.trim().is_empty() && !is_directive(input, c) && !has_blank_line(gap)
    };
    comments.take_while(in_block).count()
}

/// The comments before the one with number `last` that stand in lines without a gap above `at`.
fn block(input: &Input<'_>, last: usize, at: u32) -> Notes {
    let mut n = Notes {
        blank_before: false,
        ..Notes::default()
    };
    for c in &input.ast.comments[last - lines_of_block(input, last, at)..last] {
        n.above.push(Some(text(input, c)));
    }
    // Empty comments only set the text off.
    let empty = |c: &Option<String>| c.as_ref().is_none_or(|c| c.trim().is_empty());
    let end = n.above.iter().rposition(|c| !empty(c)).map_or(0, |i| i + 1);
    n.above.truncate(end);
    let first = n.above.iter().position(|c| !empty(c)).unwrap_or(0);
    n.above.drain(..first);
    n
}

/// Comments above a program unit; above the first of a file, all that the file begins with.
pub fn of_unit(input: &Input<'_>, at: u32) -> Notes {
    let first = input.ast.units.first().is_some_and(|u| u.span.start == at);
    let mut notes = if first {
        let mut all = above(input, 0, at);
        let end = all.above.is_empty().then_some(at);
        let end = end.unwrap_or_else(|| last_before(input, at));
        if has_blank_line(
            input
                .text
                .get(end as usize..at as usize)
                .unwrap_or_default(),
        ) {
            all.above.push(None);
        }
        all
    } else {
        doc(input, at)
    };
    notes.blank_before = false;
    notes
}

/// Where the last comment in a line of its own before `at` ends.
fn last_before(input: &Input<'_>, at: u32) -> u32 {
    let own = between(input, 0, at).filter(|c| c.own_line && !is_directive(input, c));
    own.last().map_or(at, |c| c.span.end)
}

/// Notes of the declaration of the name at `place`: the comments above its line, if it is the first name there, and the
/// one at the end of the line.
pub fn declaration(input: &Input<'_>, place: u32) -> Notes {
    let text = input.text;
    let at = place as usize;
    let start = text
        .get(..at)
        .and_then(|t| t.rfind('\n'))
        .map_or(0, |i| i + 1);
    let head = text.get(start..at).unwrap_or_default();
    let is_first = head.trim_end().ends_with("::") || !head.contains("::") && !head.contains(',');
    let mut n = if is_first {
        let blanks = head.len() - head.trim_start().len();
        doc(input, (start + blanks) as u32)
    } else {
        Notes::default()
    };
    let end = text
        .get(at..)
        .and_then(|t| t.find('\n'))
        .map_or(text.len(), |i| at + i);
    n.trailing = between(input, place, end as u32)
        .find(|c| !c.own_line && !is_directive(input, c))
        .map(|c| self::text(input, c));
    n
}

fn between<'i>(input: &Input<'i>, from: u32, to: u32) -> impl Iterator<Item = &'i Comment> {
    let comments = &input.ast.comments;
    let first = comments.partition_point(|c| c.span.start < from);
    comments[first..]
        .iter()
        .take_while(move |c| c.span.start < to)
}

/// `!$omp`, `!dir$`, `!pgi$`: for the host compiler only.
fn is_directive(input: &Input<'_>, c: &Comment) -> bool {
    let raw = input
        .text
        .get(c.span.start as usize..c.span.end as usize)
        .unwrap_or_default();
    let t = raw
        .get(1..)
        .unwrap_or_default()
        .trim_start()
        .to_ascii_lowercase();
    ["$", "dir$", "dec$", "pgi$", "gcc$", "@cuf", "conformance:"]
        .iter()
        .any(|p| t.starts_with(p))
}
