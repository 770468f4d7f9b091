//! Where a long text can be taken apart, so that its pieces are parsed one by one, or at the same time.
//!
//! Text is split between program units, and between the procedures of a module. What is found here is a guess from the
//! first words of statements: who parses the pieces must see each of them to be free of errors, and else parse the
//! text as a whole. Each piece is then a list of complete units, and so is what they make together.

use std::ops::Range;

use crate::source::statements::{View, statements};

/// A part of a text that can be parsed on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Complete program units.
    Units(Range<usize>),
    /// A module without its procedures: to the end of the CONTAINS statement, and from the END statement.
    Module {
        head: Range<usize>,
        tail: Range<usize>,
    },
    /// Procedures of the module before.
    Procedures(Range<usize>),
}

/// Splits a text into pieces of about `size` bytes that cover all of it; None if there is only one, or where the text is
/// not what was expected.
pub(super) fn split(text: &str, size: usize) -> Option<Vec<Piece>> {
    let mut s = Splitter {
        text: text.as_bytes(),
        size,
        open: Vec::new(),
        start: 0,
        first: None,
        head: None,
        procedures: Vec::new(),
        pieces: Vec::new(),
        lost: false,
        words: String::new(),
    };
    statements(text.as_bytes(), &mut |view| s.statement(view));
    if s.lost || !s.open.is_empty() {
        return None;
    }
    s.units(text.len());
    (s.pieces.len() > 1).then_some(s.pieces)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opened {
    /// Also a submodule.
    Module,
    Interface,
    /// A derived type in the specification part of a module.
    Type,
    /// Program, procedure, block data.
    Other,
}

struct Splitter<'t> {
    text: &'t [u8],
    size: usize,
    open: Vec<Opened>,
    /// Start of the piece of units that is being collected.
    start: usize,
    /// Start of the line of the last unit, where it begins its line.
    first: Option<usize>,
    /// Of the module that is open: to the end of its CONTAINS statement.
    head: Option<Range<usize>>,
    /// Of that module; the last one is being collected.
    procedures: Vec<Range<usize>>,
    pieces: Vec<Piece>,
    /// The text is not understood.
    lost: bool,
    /// Of the statement, folded.
    words: String,
}

impl Splitter<'_> {
    fn statement(&mut self, view: &View) {
        let (Some(first), Some(last)) = (view.first(), view.last()) else {
            return;
        };
        if self.lost || !self.may_matter(first.0) {
            return;
        }
        self.words.clear();
        self.words
            .extend(view.iter().map(|(b, _)| b.to_ascii_lowercase() as char));
        let words = std::mem::take(&mut self.words);
        self.step(words.trim_end(), first.1, last.1);
        self.words = words;
    }

    /// A statement that begins with the letter may open or close something; all do where only such ones are expected.
    fn may_matter(&self, letter: u8) -> bool {
        let between = matches!(self.open.as_slice(), [] | [Opened::Module]);
        between || b"abcdefilmnprst".contains(&letter.to_ascii_lowercase())
    }

    fn step(&mut self, s: &str, start: usize, end: usize) {
        match self.open.last() {
            Some(Opened::Type) => {
                let rest = s.strip_prefix("end").map(str::trim_start);
                if rest.is_some_and(|r| word(r).0 == "type") {
                    self.open.pop();
                }
                return;
            }
            // The names of a generic's procedures.
            Some(Opened::Interface) if is_procedure_list(s) => return,
            _ => {}
        }
        if closes(s) {
            match self.open.pop() {
                Some(Opened::Module) => self.module_ends(start),
                Some(_) if self.open == [Opened::Module] && self.head.is_some() => {
                    let end = self.line_end(end);
                    if let Some(last) = self.procedures.last_mut() {
                        last.end = end;
                    }
                }
                Some(_) => {}
                None => self.lost = true,
            }
            return;
        }
        let between_procedures = self.open == [Opened::Module] && self.head.is_some();
        match opens(s) {
            Some(Opened::Type) if self.open != [Opened::Module] => {}
            Some(what) => {
                let alone = self.begins_line(start);
                if self.open.is_empty() {
                    let line = self.line_start(start);
                    if alone {
                        self.unit_begins(line);
                    }
                    self.first = alone.then_some(line);
                } else if between_procedures {
                    // The grammar has MODULE PROCEDURE only in a module.
                    if what != Opened::Other || is_procedure_list(s) {
                        self.lost = true;
                    }
                    self.procedure_begins(start, alone);
                }
                self.open.push(what);
            }
            None if self.open.is_empty() || between_procedures => self.lost = true,
            None if self.open == [Opened::Module] && s == "contains" => {
                // A statement may follow on the line.
                match self.first.filter(|_| self.ends_line(end)) {
                    Some(first) => self.head = Some(first..self.line_end(end)),
                    None => self.lost = true,
                }
            }
            None => {}
        }
    }

    /// A unit begins on its own line: if there is enough before it, that is a piece.
    fn unit_begins(&mut self, line: usize) {
        if line - self.start >= self.size {
            self.units(line);
        }
    }

    fn units(&mut self, end: usize) {
        if end > self.start {
            self.pieces.push(Piece::Units(self.start..end));
        }
        self.start = end;
    }

    fn procedure_begins(&mut self, start: usize, alone: bool) {
        let line = self.line_start(start);
        match self.procedures.last_mut() {
            // What stands between two procedures goes with the first one.
            Some(last) if alone && last.len() >= self.size => {
                last.end = line;
                self.procedures.push(line..line);
            }
            Some(_) => {}
            None if alone => self.procedures.push(line..line),
            None => self.lost = true,
        }
    }

    /// The END statement of the module that is open begins at `start`.
    fn module_ends(&mut self, start: usize) {
        let procedures = std::mem::take(&mut self.procedures);
        let (Some(head), [first, .., last]) = (self.head.take(), procedures.as_slice()) else {
            return;
        };
        let line = self.line_start(start);
        if !self.open.is_empty() || !self.begins_line(start) {
            self.lost = true;
            return;
        }
        // What stands before the first procedure belongs to the head, and after the last one to that.
        let head = head.start..first.start;
        let end = self.line_end(start);
        if !self.ends_line_of_end(start) || last.end > line {
            self.lost = true;
            return;
        }
        self.units(head.start);
        self.pieces.push(Piece::Module {
            head,
            tail: line..end,
        });
        let mut all = procedures;
        if let Some(last) = all.last_mut() {
            last.end = line;
        }
        self.pieces.extend(all.into_iter().map(Piece::Procedures));
        self.start = end;
    }

    fn line_start(&self, at: usize) -> usize {
        let before = &self.text[..at];
        before
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |i| i + 1)
    }

    /// After the line end of the line that `at` stands on.
    fn line_end(&self, at: usize) -> usize {
        let after = self.text[at..].iter().position(|b| *b == b'\n');
        after.map_or(self.text.len(), |i| at + i + 1)
    }

    /// Only blanks stand before it on its line.
    fn begins_line(&self, at: usize) -> bool {
        let before = &self.text[self.line_start(at)..at];
        before.iter().all(u8::is_ascii_whitespace)
    }

    /// Only blanks or a comment stand after it on its line.
    fn ends_line(&self, last: usize) -> bool {
        let rest = &self.text[last + 1..self.line_end(last)];
        let next = rest.iter().find(|b| !b.is_ascii_whitespace());
        matches!(next, None | Some(b'!'))
    }

    /// The line of the END statement at `start` holds nothing but words.
    fn ends_line_of_end(&self, start: usize) -> bool {
        let line = &self.text[start..self.line_end(start)];
        let code = line.split(|b| *b == b'!').next().unwrap_or_default();
        !code.iter().any(|b| matches!(b, b';' | b'&'))
    }
}

/// `procedure a, b` or `module procedure a, b`
fn is_procedure_list(s: &str) -> bool {
    let (first, rest) = word(s);
    first == "procedure" || first == "module" && word(rest.trim_start()).0 == "procedure"
}

/// The statement ends a unit, an interface block or (in a module) a derived type.
fn closes(s: &str) -> bool {
    const UNITS: &[&str] = &[
        "subroutine",
        "function",
        "module",
        "submodule",
        "program",
        "procedure",
        "interface",
    ];
    let Some(rest) = s.strip_prefix("end") else {
        return false;
    };
    let rest = rest.trim_start();
    if rest.is_empty() {
        return true;
    }
    let (word, after) = word(rest);
    if word == "interface" {
        return !after.starts_with(['=', '%']);
    }
    let name = after.trim_start();
    let is_end = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match word {
        "block" => {
            name == "data"
                || name
                    .strip_prefix("data")
                    .is_some_and(|n| n.starts_with(' '))
        }
        "blockdata" => is_end,
        _ => is_end && UNITS.contains(&word),
    }
}

/// What the statement opens. A name is looked for after the word, so that no assignment is taken for one.
fn opens(s: &str) -> Option<Opened> {
    let (first, rest) = word(s);
    let after = rest.trim_start();
    match first {
        "module" | "submodule" => {
            let (second, more) = word(after);
            if first == "submodule" {
                return after.starts_with('(').then_some(Opened::Module);
            }
            if !second.is_empty() && more.trim().is_empty() {
                return Some(Opened::Module);
            }
            if second == "procedure" {
                let name = more.trim_start();
                return (!word(name).0.is_empty() && word(name).1.trim().is_empty())
                    .then_some(Opened::Other);
            }
        }
        "program" => {
            let (name, more) = word(after);
            return (!name.is_empty() && more.trim().is_empty()).then_some(Opened::Other);
        }
        "block" if word(after).0 == "data" => return Some(Opened::Other),
        "blockdata" => return Some(Opened::Other),
        "interface" => {
            return (after.is_empty() || !after.starts_with(['=', '(', '%']))
                .then_some(Opened::Interface);
        }
        "abstract" if after == "interface" => return Some(Opened::Interface),
        "type" if !after.starts_with(['(', '=', '%', '*']) => return Some(Opened::Type),
        _ => {}
    }
    procedure(s).then_some(Opened::Other)
}

/// The statement begins a procedure: prefix words, the word, a name.
fn procedure(mut s: &str) -> bool {
    const PREFIX: &[&str] = &[
        "attributes",
        "byte",
        "character",
        "class",
        "cluster_dims",
        "complex",
        "double",
        "doublecomplex",
        "doubleprecision",
        "elemental",
        "impure",
        "integer",
        "launch_bounds",
        "logical",
        "module",
        "non_recursive",
        "precision",
        "pure",
        "real",
        "recursive",
        "type",
    ];
    loop {
        let (first, rest) = word(s);
        let rest = rest.trim_start();
        if matches!(first, "subroutine" | "function") {
            let (name, after) = word(rest);
            let after = after.trim_start();
            return !name.is_empty()
                && (after.starts_with('(')
                    || first == "subroutine" && !after.starts_with(['=', '%']));
        }
        if !PREFIX.contains(&first) {
            return false;
        }
        s = rest;
        if let Some(length) = s.strip_prefix('*') {
            s = length
                .trim_start()
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .trim_start();
        }
        if s.starts_with('(') {
            let Some(group) = group(s) else {
                return false;
            };
            s = s[group..].trim_start();
        }
    }
}

/// Length of the group in parentheses that `s` begins with.
fn group(s: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in s.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

/// The word that `s` begins with, and the rest.
fn word(s: &str) -> (&str, &str) {
    let end = s
        .bytes()
        .position(|b| !(b.is_ascii_alphanumeric() || b == b'_'))
        .unwrap_or(s.len());
    s.split_at(end)
}
