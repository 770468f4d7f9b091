//! What parts of a printed text come from, for the source map: pairs of marks in the text itself, which go wherever the text goes and are
//! taken out at the end.
//!
//! Marks are characters of the last two planes, which are for private use. A text with marks is printed beside the one that is written,
//! never instead of it. Characters of the user's from there get a substitute of the same length in it.

use std::borrow::Cow;
use std::cell::RefCell;

use crate::ir::Origin;

/// The end of what the last open mark begins.
const CLOSE: char = '\u{f0000}';
/// An open mark is two characters, of 15 bits of a number each, counted from here.
const HIGH: u32 = 0x10_0000;
const LOW: u32 = 0x10_8000;
const BITS: u32 = 15;
const SUBSTITUTE: char = '\u{e0000}';

/// What a mark stands at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holder {
    /// An item, statement or name, which has its place by itself.
    Own,
    /// The last statement of a construct, at its last byte.
    End,
    /// An expression: a part of the statement around it, or it has no place here.
    #[default]
    Part,
}

/// The marks of a text, by number.
#[derive(Debug, Default)]
pub struct Tags {
    all: RefCell<Vec<(Origin, Holder)>>,
}

/// Bytes of a text that have one origin.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub start: usize,
    pub end: usize,
    /// Its rule, and its place, be they those of what it is in.
    pub origin: Origin,
    /// The place stands for the whole statement that it is in.
    pub whole: bool,
}

/// What holds inside of a mark.
#[derive(Clone, Copy, Default)]
struct State {
    origin: Origin,
    /// The statement or item around.
    around: Origin,
    whole: bool,
}

pub fn is_mark(c: char) -> bool {
    c >= CLOSE
}

/// A text of the user's without characters that are marks.
pub fn soft(text: &str) -> Cow<'_, str> {
    match text.contains(is_mark) {
        true => text.replace(is_mark, &SUBSTITUTE.to_string()).into(),
        false => text.into(),
    }
}

/// The text without marks at its beginning.
pub fn bare(text: &str) -> &str {
    text.trim_start_matches(is_mark)
}

impl Tags {
    /// The mark that opens.
    pub fn open(&self, origin: Origin, holder: Holder) -> String {
        let mut all = self.all.borrow_mut();
        let n = all.len() as u32;
        all.push((origin, holder));
        let digit = |base: u32, n: u32| char::from_u32(base + (n & ((1 << BITS) - 1)));
        let digits = [digit(HIGH, n >> BITS), digit(LOW, n)];
        digits.into_iter().flatten().collect()
    }

    /// The mark that closes.
    pub fn close(&self) -> char {
        CLOSE
    }

    /// The text between marks.
    pub fn around(&self, text: &str, origin: Origin, holder: Holder) -> String {
        match origin.is_none() {
            true => text.to_owned(),
            false => format!("{}{text}{CLOSE}", self.open(origin, holder)),
        }
    }

    /// The text without its marks, and what its parts come from: all that is not white space, no run over the end of a line.
    pub fn take(&self, text: &str) -> (String, Vec<Run>) {
        let all = self.all.borrow();
        let mut out = String::with_capacity(text.len());
        let mut runs: Vec<Run> = Vec::new();
        let mut stack = vec![State::default()];
        let mut high = 0;
        let mut start = 0;
        let mut finish = |out: &str, start: &mut usize, stack: &[State]| {
            let State { origin, whole, .. } = stack.last().copied().unwrap_or_default();
            runs.extend(pieces(out, *start).map(|(start, end)| Run {
                start,
                end,
                origin,
                whole,
            }));
            *start = out.len();
        };
        for c in text.chars() {
            match u32::from(c) {
                n if n >= LOW => {
                    finish(&out, &mut start, &stack);
                    let number = (high << BITS) + (n - LOW);
                    let (own, holder) = all.get(number as usize).copied().unwrap_or_default();
                    let outer = stack.last().copied().unwrap_or_default();
                    stack.push(inner(outer, own, holder));
                }
                n if n >= HIGH => high = n - HIGH,
                _ if c == CLOSE => {
                    finish(&out, &mut start, &stack);
                    if stack.len() > 1 {
                        stack.pop();
                    }
                }
                _ => out.push(c),
            }
        }
        finish(&out, &mut start, &stack);
        (out, runs)
    }
}

/// What holds inside of a mark.
fn inner(outer: State, own: Origin, holder: Holder) -> State {
    let inside = outer.around.start <= own.start && own.end <= outer.around.end;
    let mut state = outer;
    state.origin.rule = own.rule.or(outer.origin.rule);
    if own.has_place() && (holder != Holder::Part || inside) {
        (state.origin.start, state.origin.end) = (own.start, own.end);
        state.whole = holder == Holder::End;
    }
    if own.has_place() && holder == Holder::Own {
        state.around = own;
    }
    state
}

/// The parts of the lines of `text` from `start` that are not white space at their ends.
fn pieces(text: &str, start: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let rest = text.get(start..).unwrap_or_default();
    let mut at = start;
    rest.split_inclusive('\n').filter_map(move |line| {
        let begin = at + (line.len() - line.trim_start().len());
        let end = at + line.trim_end().len();
        at += line.len();
        (begin < end).then_some((begin, end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Rule;

    #[test]
    fn runs_have_the_innermost_origin() {
        let tags = Tags::default();
        let at = |start, end| Origin::new(start, end, Rule::Operator);
        let x = tags.around("x", at(14, 15), Holder::Part);
        let far = tags.around("y", at(90, 91), Holder::Part);
        let text = format!(
            "a\n{}b = {x}\n  + {far};\n{}",
            tags.open(Origin::new(10, 20, Rule::Assignment), Holder::Own),
            tags.close()
        );
        let (plain, runs) = tags.take(&text);
        assert_eq!(plain, "a\nb = x\n  + y;\n");
        let found: Vec<_> = runs
            .iter()
            .map(|r| (&plain[r.start..r.end], r.origin.start, r.origin.rule))
            .collect();
        assert_eq!(
            found,
            [
                ("a", 0, None),
                ("b =", 10, Some(Rule::Assignment)),
                ("x", 14, Some(Rule::Operator)),
                ("+", 10, Some(Rule::Assignment)),
                ("y", 10, Some(Rule::Operator)),
                (";", 10, Some(Rule::Assignment)),
            ]
        );
    }
}
