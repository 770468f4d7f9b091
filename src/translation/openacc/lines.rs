//! The lines of directives: where they stand, and their characters without sentinels, continuation marks, and comments.

use crate::ast::Span;

/// The text of a directive as one line.
#[derive(Debug)]
pub(super) struct Logical {
    /// Its bytes; a line end is a blank.
    pub bytes: Vec<u8>,
    /// Where each stands in the source, and where the text ends.
    pub places: Vec<u32>,
    /// From the `!` to the end of the last line.
    pub span: Span,
    /// The continuation mark of each line but the last.
    pub marks: Vec<u32>,
    /// What is wrong with its lines.
    pub problem: Option<LineProblem>,
}

/// Something wrong with the lines of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineProblem {
    /// The last line ends with `&`.
    Unfinished,
    /// A continuation line follows no line that ends with `&`.
    NotContinued,
}

impl Logical {
    /// Where a byte of the text stands.
    pub fn place(&self, at: usize) -> u32 {
        let last = self.places.last().copied().unwrap_or(self.span.end);
        self.places.get(at).copied().unwrap_or(last)
    }

    /// The place of a range of the text that does not begin or end with blanks.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let start = self.place(from);
        let end = match to.checked_sub(1).filter(|last| *last >= from) {
            Some(last) => self.place(last) + 1,
            None => start,
        };
        Span { start, end }
    }

    /// A part of the text.
    pub fn text(&self, from: usize, to: usize) -> String {
        let bytes = self.bytes.get(from..to).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// What a line has after the sentinel, if it is a line of a directive: the offset in the line.
fn body(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches([' ', '\t', '\u{a0}', '\x0c']).len();
    let sentinel = line.get(indent..indent + 5)?;
    if !sentinel.eq_ignore_ascii_case("!$acc") {
        return None;
    }
    let after = line.as_bytes().get(indent + 5);
    let ends = after.is_none_or(|b| matches!(b, b' ' | b'\t' | b'&' | b'!' | b'\r' | b'\n'));
    ends.then_some(indent + 5)
}

/// A text of a statement or a directive without its line ends, sentinels, continuation marks, and comments.
pub(super) fn joined(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let from = match out.is_empty() {
            true => 0,
            false => body(line).unwrap_or_default(),
        };
        let (end, _) = code_end(line, from);
        let code = line.get(from..end).unwrap_or_default().trim();
        // A word goes on behind a mark.
        let rest = code.strip_prefix('&').unwrap_or(code);
        if rest.len() == code.len() && !out.is_empty() && !code.is_empty() {
            out.push(' ');
        }
        out.push_str(rest);
    }
    out
}

/// The directives of a text, in order.
pub(super) fn directives(text: &str) -> Vec<Logical> {
    let mut out: Vec<Logical> = Vec::new();
    // The last directive goes on in the next line of one.
    let mut is_open = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some(from) = body(line) else {
            let rest = line.trim_start();
            if !rest.is_empty() && !rest.starts_with('!') {
                is_open = false;
            }
            continue;
        };
        let indent = from - 5;
        let mut from = from;
        let rest = line[from..].trim_start_matches([' ', '\t']);
        // At the end of the line it says that another one follows.
        let after = rest.strip_prefix('&').map(str::trim_start);
        let has_mark = after.is_some_and(|r| !r.is_empty() && !r.starts_with('!') || is_open);
        if has_mark {
            from = line.len() - rest.len() + 1;
        }
        let last = out.last_mut().filter(|_| is_open);
        let directive = match last {
            Some(d) => d,
            None => {
                let end = (at + indent) as u32;
                out.push(Logical {
                    bytes: Vec::new(),
                    places: Vec::new(),
                    span: Span { start: end, end },
                    marks: Vec::new(),
                    problem: has_mark.then_some(LineProblem::NotContinued),
                });
                match out.last_mut() {
                    Some(d) => d,
                    None => continue,
                }
            }
        };
        is_open = directive.line(line, at, from);
    }
    for d in &mut out {
        // Every line but the last ends with a mark.
        if d.problem.is_none() && d.marks.len() > d.lines_after_first() {
            d.problem = Some(LineProblem::Unfinished);
        }
        let end = d.span.end;
        d.places.push(end);
    }
    out
}

impl Logical {
    /// Adds the code of a line; whether it goes on in another one.
    fn line(&mut self, line: &str, at: usize, from: usize) -> bool {
        let content = line.trim_end_matches(['\n', '\r']);
        let (end, mark) = code_end(content, from);
        for (i, b) in content.bytes().enumerate().take(end).skip(from.min(end)) {
            self.bytes.push(match b {
                b'\t' | b'\x0c' => b' ',
                b => b,
            });
            self.places.push((at + i) as u32);
        }
        // The words of two lines are two.
        self.bytes.push(b'\n');
        self.places.push((at + end) as u32);
        self.span.end = (at + content.len()) as u32;
        self.marks.extend(mark.map(|m| (at + m) as u32));
        mark.is_some()
    }

    fn lines_after_first(&self) -> usize {
        let lines = self.bytes.iter().filter(|b| **b == b'\n').count();
        lines.saturating_sub(1)
    }

    /// Line ends become blanks.
    pub fn close(&mut self) {
        for b in &mut self.bytes {
            if *b == b'\n' {
                *b = b' ';
            }
        }
    }
}

/// Where the code of a line ends, and its continuation mark.
fn code_end(line: &str, from: usize) -> (usize, Option<usize>) {
    let mut quote = None;
    let mut end = line.len();
    for (i, b) in line.bytes().enumerate().skip(from) {
        match quote {
            Some(q) if q == b => quote = None,
            Some(_) => {}
            None if matches!(b, b'\'' | b'"') => quote = Some(b),
            None if b == b'!' => {
                end = i;
                break;
            }
            None => {}
        }
    }
    let code = line[from.min(end)..end].trim_end();
    let stop = from.min(end) + code.len();
    match code.ends_with('&') {
        true => (stop - 1, Some(stop - 1)),
        false => (stop, None),
    }
}
