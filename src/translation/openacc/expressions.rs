//! The expressions of directives: one parse for all of a file.
//!
//! The parser is given a text of the length of the file in which everything is blank but the arguments of directives, as the items of PRINT
//! statements: their places are those of the file.

use std::collections::HashMap;

use super::lines::Logical;
use crate::ast::{Expr, File, ProgramUnit, Span, StmtKind};
use crate::syntax;

/// What takes the place of a sentinel and a blank after it, and of one byte of the directive's name.
const STATEMENT: &[u8] = b"print*,";

/// How many directives are parsed alone if there are errors.
const MOST: usize = 32;

/// The arguments of directives, to be parsed.
pub(super) struct Overlay {
    text: Vec<u8>,
    /// With the places of their arguments.
    directives: Vec<(Span, Vec<u32>)>,
}

impl Overlay {
    /// Of a file with this text.
    pub fn new(text: &str) -> Overlay {
        let blank = |b: u8| if b == b'\n' { b } else { b' ' };
        Overlay {
            text: text.bytes().map(blank).collect(),
            directives: Vec::new(),
        }
    }

    /// Adds the arguments of a directive: ranges of its text, each of which another byte follows.
    pub fn add(&mut self, directive: &Logical, items: &[(usize, usize)]) {
        let Some((_, end)) = items.last() else { return };
        let places = items.iter().map(|(from, _)| directive.place(*from));
        self.directives.push((directive.span, places.collect()));
        // A sentinel and one more character stand before the first word.
        let first = directive.bytes.iter().position(|b| *b != b' ');
        let word = directive.place(first.unwrap_or_default()) as usize;
        let start = word.saturating_sub(STATEMENT.len() - 1);
        if let Some(place) = self.text.get_mut(start..start + STATEMENT.len()) {
            place.copy_from_slice(STATEMENT);
        }
        for (n, (from, to)) in items.iter().enumerate() {
            for i in *from..*to {
                self.set(directive.place(i), directive.bytes.get(i).copied());
            }
            if n + 1 < items.len() {
                self.set(directive.place(*to), Some(b','));
            }
        }
        // Lines that hold a part of the statement, and of which one comes after, are continued.
        let last = directive.place(end.saturating_sub(1));
        let mut line = start;
        let inner = |m: &&u32| **m < last && **m as usize >= start;
        for mark in directive.marks.iter().filter(inner) {
            let at = *mark as usize;
            let part = self.text.get(line..at).unwrap_or_default();
            let is_blank = part.iter().all(|b| *b == b' ');
            if !is_blank {
                self.set(*mark, Some(b'&'));
            }
            let rest = self.text.get(at..).unwrap_or_default();
            line = rest
                .iter()
                .position(|b| *b == b'\n')
                .map_or(at, |n| at + n + 1);
        }
    }

    fn set(&mut self, place: u32, byte: Option<u8>) {
        let old = self.text.get_mut(place as usize);
        if let (Some(b), Some(byte)) = (old.filter(|b| **b != b'\n'), byte) {
            *b = byte;
        }
    }

    /// The expressions, by where they begin. What is wrong in one directive may leave others without theirs: then those are parsed one by one.
    pub fn parsed(self) -> HashMap<u32, Expr> {
        let mut found = HashMap::new();
        if self.directives.is_empty() {
            return found;
        }
        let errors = parse(&self.text, &mut found);
        if !errors {
            return found;
        }
        let lacking = |(_, items): &&(Span, Vec<u32>)| items.iter().any(|i| !found.contains_key(i));
        let lacking: Vec<Span> = (self.directives.iter().filter(lacking))
            .map(|(span, _)| *span)
            .collect();
        for span in lacking.iter().take(MOST) {
            let (start, end) = (span.start as usize, span.end as usize);
            let blank = |b: &u8| if *b == b'\n' { b'\n' } else { b' ' };
            let before = self.text.get(..start).unwrap_or_default();
            let mut text: Vec<u8> = before.iter().map(blank).collect();
            text.extend(self.text.get(start..end).unwrap_or_default());
            parse(&text, &mut found);
        }
        found
    }
}

/// Parses a text of PRINT statements; whether there are errors.
fn parse(text: &[u8], found: &mut HashMap<u32, Expr>) -> bool {
    let text = format!("{}\nend\n", String::from_utf8_lossy(text));
    let (file, errors) = syntax::parse(&text);
    collect(file, found);
    !errors.is_empty()
}

fn collect(file: File, found: &mut HashMap<u32, Expr>) {
    let statements = file.units.into_iter().flat_map(|u: ProgramUnit| u.body);
    for s in statements {
        if let StmtKind::Print { items, .. } = s.kind {
            found.extend(items.into_iter().map(|e| (e.span.start, e)));
        }
    }
}
