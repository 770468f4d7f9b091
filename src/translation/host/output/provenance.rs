//! Which bytes of the host code written come from which of the user's, and by which rule.

use crate::ast::Span;
use crate::host::context::edit::{Piece, PieceKind};
use crate::map::Rule;

/// Bytes on one line of the text written.
#[derive(Clone, Copy, Debug)]
pub struct EditSegment {
    pub start: u32,
    pub end: u32,
    /// Of a copy the same bytes of the user's text; of an edit its place, empty for an insertion.
    pub from: Span,
    pub copied: bool,
    /// An insertion that belongs to the program unit, not to the statement that stands there.
    pub of_unit: bool,
    pub rule: Rule,
}

/// The stretches of `written`: what became of `whole`, which is made of `pieces`, after long lines were broken and words replaced. Between them
/// is white space.
pub(in crate::translation::host) fn trail(
    whole: &str,
    pieces: &[Piece],
    written: &str,
) -> Vec<EditSegment> {
    let places = aligned(whole.as_bytes(), written.as_bytes());
    let bytes = written.as_bytes();
    let mut out: Vec<EditSegment> = Vec::new();
    let mut piece = 0;
    for (i, place) in places.iter().enumerate() {
        if bytes[i].is_ascii_whitespace() {
            continue;
        }
        let at = i as u32;
        let next = match place {
            // What continues a line.
            None => EditSegment {
                start: at,
                end: at + 1,
                from: Span::default(),
                copied: false,
                of_unit: false,
                rule: Rule::Continuation,
            },
            Some(place) => {
                while pieces.get(piece + 1).is_some_and(|p| p.to <= *place) {
                    piece += 1;
                }
                let Some(p) = pieces.get(piece) else { continue };
                let copied = p.kind == PieceKind::Copy;
                let own = p.from + place.saturating_sub(p.to);
                EditSegment {
                    start: at,
                    end: at + 1,
                    from: match copied {
                        true => Span {
                            start: own,
                            end: own + 1,
                        },
                        false => Span {
                            start: p.from,
                            end: p.end,
                        },
                    },
                    copied,
                    of_unit: p.kind == PieceKind::Unit,
                    rule: p.rule,
                }
            }
        };
        match out.last_mut() {
            Some(last) if goes_on(last, &next, bytes) => {
                last.end = next.end;
                if last.copied {
                    last.from.end = next.from.end;
                }
            }
            _ => out.push(next),
        }
    }
    out
}

/// The byte belongs to the stretch before it.
fn goes_on(last: &EditSegment, next: &EditSegment, bytes: &[u8]) -> bool {
    let between = &bytes[last.end as usize..next.start as usize];
    if last.rule != next.rule || last.copied != next.copied || between.contains(&b'\n') {
        return false;
    }
    match last.copied {
        true => next.from.start - last.from.start == next.start - last.start,
        false => last.from == next.from && last.of_unit == next.of_unit,
    }
}

/// For each byte of `written` its place in `whole`; None for what was put in where a line was broken.
fn aligned(whole: &[u8], written: &[u8]) -> Vec<Option<u32>> {
    let mut out = Vec::with_capacity(written.len());
    let mut j = 0;
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut i = 0;
    while i < written.len() {
        let b = written[i];
        if whole.get(j) == Some(&b) {
            out.push(Some(j as u32));
            i += 1;
            j += 1;
        } else if b.is_ascii_whitespace() || b == b'&' {
            out.push(None);
            i += 1;
        } else if whole.get(j).is_some_and(u8::is_ascii_whitespace) {
            j += 1;
        } else {
            // A word was replaced by another, the beginning of which may be the same.
            let mismatch = i;
            let common = |out: &[Option<u32>], i: usize, j: usize| {
                let same = out.last() == Some(&Some((j as u32).wrapping_sub(1)));
                same && word(whole[j - 1]) && word(written[i - 1])
            };
            while common(&out, i, j) {
                out.pop();
                i -= 1;
                j -= 1;
            }
            let place = j.min(whole.len().saturating_sub(1)) as u32;
            while i < written.len() && word(written[i]) {
                out.push(Some(place));
                i += 1;
            }
            while j < whole.len() && word(whole[j]) {
                j += 1;
            }
            // No word, but something else.
            if i <= mismatch && written.get(i) != whole.get(j) {
                out.push(Some(place));
                i += 1;
                j += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn lines_that_were_broken_and_words_that_were_replaced() {
        fn at<'w>(whole: &'w str, written: &str, part: &str) -> Option<&'w str> {
            let places = aligned(whole.as_bytes(), written.as_bytes());
            places[written.find(part)?].map(|p| &whole[p as usize..])
        }
        let broken = "call f(a, &\n    bcd)";
        assert_eq!(at("call f(a, bcd)", broken, "bcd"), Some("bcd)"));
        assert_eq!(at("call f(a, bcd)", broken, "&"), None);
        assert_eq!(
            at("use mo, x\nend", "use m_1, x\nend", "m_1"),
            Some("mo, x\nend")
        );
        assert_eq!(at("use mo, x\nend", "use m_1, x\nend", "x"), Some("x\nend"));
    }
}
