//! Which lines of the host code written are lines of the user's, and where the places between those have gone.

use crate::host::context::edit::{LongLines, Piece, PieceKind};
use crate::source::{ByteRange, Layout};

/// The layout of a text written: `whole` is `text` with its edits, made of `pieces`; `written` what became of it after long lines were
/// broken and words replaced. None: the lines of that cannot be told apart.
pub(in crate::translation::host) fn layout(
    text: &str,
    whole: &str,
    pieces: &[Piece],
    written: &str,
) -> Option<Layout> {
    let starts = starts(text);
    let whole_starts = self::starts(whole);
    let lines: Vec<&str> = text.lines().collect();
    let edited: Vec<&str> = whole.lines().collect();
    let known = LongLines::of(text);
    let mut copies = Vec::new();
    let mut stands_for = Vec::new();
    let mut remarked = None;
    // For each line of `whole` its first one in `written`.
    let mut first = Vec::with_capacity(edited.len() + 1);
    let mut out = written.lines();
    for (i, line) in edited.iter().enumerate() {
        first.push(copies.len() as u32);
        let wrapped = known.wrapped(line).map_or(1, |w| w.lines().count());
        let line_written = out.next()?;
        let begin = *whole_starts.get(i)?;
        let in_place = copied(begin, pieces).and_then(|from| starts.binary_search(&from).ok());
        let own = first_own(begin, line, pieces);
        let own = own.map(|from| starts.partition_point(|s| *s <= from) - 1);
        let own = own
            .or(in_place)
            .or(remarked.filter(|_| is_inside_edit(begin, pieces)));
        // What stands for a statement may begin with a remark.
        remarked = own.filter(|_| line.trim_start().starts_with('!'));
        stands_for.push(own.map(|k| k as u32));
        let copy = in_place.filter(|k| lines.get(*k) == Some(line) && line_written == *line);
        copies.push(copy.map(|k| k as u32));
        for _ in 1..wrapped {
            out.next()?;
            copies.push(None);
            stands_for.push(None);
        }
    }
    first.push(copies.len() as u32);
    if out.next().is_some() {
        return None;
    }
    let ends = starts.iter().take(lines.len()).copied();
    let ends = ends.chain([text.len() as u32]);
    let places = ends.map(|offset| place(offset, pieces, &whole_starts, whole, &first));
    Some(Layout {
        places: places.collect(),
        copies,
        stands_for,
    })
}

fn starts(text: &str) -> Vec<u32> {
    let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
    let starts = ends.map(|(i, _)| i as u32 + 1);
    std::iter::once(0).chain(starts).collect()
}

/// The offset in the user's text that an offset of the text written is a copy of.
fn copied(offset: u32, pieces: &[Piece]) -> Option<u32> {
    let after = pieces.partition_point(|p| p.to <= offset);
    let p = pieces.get(after.checked_sub(1)?)?;
    (p.kind == PieceKind::Copy).then(|| p.from + (offset - p.to))
}

/// The edit that a place of the text written is in began before it.
fn is_inside_edit(offset: u32, pieces: &[Piece]) -> bool {
    let after = pieces.partition_point(|p| p.to <= offset);
    let p = after.checked_sub(1).and_then(|i| pieces.get(i));
    p.is_some_and(|p| p.kind == PieceKind::Edit && p.to < offset)
}

/// The offset in the user's text of the first code that a line of the text written, from `begin` on, has of it.
fn first_own(begin: u32, line: &str, pieces: &[Piece]) -> Option<u32> {
    let end = begin + line.len() as u32;
    let first = pieces.partition_point(|p| p.to <= begin).saturating_sub(1);
    for (i, p) in pieces.iter().enumerate().skip(first) {
        if p.to >= end {
            break;
        }
        if p.kind != PieceKind::Copy {
            continue;
        }
        let stop = pieces.get(i + 1).map_or(end, |next| next.to.min(end));
        let (from, to) = (p.to.max(begin), stop);
        let part = line.get((from - begin) as usize..to.max(from) as usize - begin as usize);
        let code = part.and_then(|t| t.find(|c: char| !c.is_whitespace()));
        if let Some(code) = code {
            return Some(p.from + (from - p.to) + code as u32);
        }
    }
    None
}

/// The place of a line's start, given as offset in the user's text.
fn place(offset: u32, pieces: &[Piece], starts: &[u32], whole: &str, first: &[u32]) -> ByteRange {
    let end = whole.len() as u32;
    let to_end = |i: usize| pieces.get(i + 1).map_or(end, |p| p.to);
    // The line in the text written that begins at an offset of it.
    let line = |at: u32| match starts.binary_search(&at) {
        Ok(i) => first.get(i).copied(),
        Err(_) if at == end => first.last().copied(),
        Err(_) => None,
    };
    // The pieces stand in the order of their places in the user's text.
    let first_piece = pieces.partition_point(|p| p.from < offset);
    let first_piece = first_piece.saturating_sub(1);
    let mut outer = None;
    let mut inner = None;
    for (i, p) in pieces.iter().enumerate().skip(first_piece) {
        if p.from > offset {
            break;
        }
        match p.kind {
            PieceKind::Copy if offset - p.from <= to_end(i) - p.to && outer.is_none() => {
                outer = line(p.to + (offset - p.from));
            }
            PieceKind::Unit if p.from == offset => inner = line(to_end(i)).or(inner),
            _ => {}
        }
    }
    match outer {
        Some(outer) => ByteRange {
            outer,
            inner: inner.unwrap_or(outer).max(outer),
            inside: false,
        },
        None => ByteRange {
            inside: true,
            ..ByteRange::default()
        },
    }
}
