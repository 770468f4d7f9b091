//! Indenting line writer.

use super::tags::{is_mark, soft};

/// Columns after which a line is broken, where it can be.
const WIDTH: usize = 110;

/// In a line: the source has its end here. No text of a user's holds it.
pub const BREAK: &str = "\u{1}";

/// What lines of a text come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Number of the first line: from 0 where it is written, from 1 in a [`Text`](super::Text).
    pub line: usize,
    /// Over how many lines that was broken.
    pub lines: usize,
    /// The offset in the source; None: what follows comes from no statement of it.
    pub at: Option<u32>,
}

/// Collects lines with four spaces of indentation per level.
#[derive(Default)]
pub struct Writer {
    text: String,
    level: usize,
    marks: Vec<Mark>,
    /// Lines of the text.
    count: usize,
    /// The text has marks of its origins ([`tags`](super::tags)), which take no room.
    tagged: bool,
}

impl Writer {
    pub fn new(tagged: bool) -> Writer {
        Writer {
            tagged,
            ..Writer::default()
        }
    }

    /// A mark between lines.
    pub fn tag(&mut self, mark: &str) {
        self.text.push_str(mark);
    }

    pub fn indent(&mut self) {
        self.level += 1;
    }

    pub fn dedent(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// One line, broken at commas and operators if it is too long.
    pub fn line(&mut self, text: &str) {
        match self.tagged {
            true => {
                let (plain, marks) = without_marks(text);
                self.broken(&plain, &marks);
            }
            false => self.broken(text, &[]),
        }
    }

    /// A line without marks, and these with their places.
    fn broken(&mut self, text: &str, marks: &[(usize, char)]) {
        let margin = self.level * 4;
        let whole = text.replace(BREAK, "");
        let mut first = true;
        let begin = self.count;
        let mut marks = marks.iter().peekable();
        // What fits is one line, however the source has it.
        let fits = margin + whole.len() <= WIDTH;
        let parts = if fits { &*whole } else { text };
        // Where a part begins in the whole.
        let mut base = 0;
        for part in parts.split(BREAK) {
            let mut rest = part;
            while !rest.is_empty() {
                let pad = if first { margin } else { margin + 8 };
                let cut = break_point(rest, WIDTH.saturating_sub(pad));
                let (now, later) = rest.split_at(cut);
                self.text.push_str(&" ".repeat(pad));
                let now = now.trim_end();
                let from = base + (part.len() - rest.len());
                let mut written = 0;
                while let Some((at, mark)) = marks.next_if(|m| m.0 <= from + now.len()) {
                    let here = at.saturating_sub(from);
                    self.text.push_str(&now[written..here]);
                    self.text.push(*mark);
                    written = here;
                }
                self.text.push_str(&now[written..]);
                self.end();
                rest = later.trim_start();
                first = false;
            }
            base += part.len();
        }
        if text.is_empty() {
            self.end();
        }
        let marks = self.marks.iter_mut().rev();
        for m in marks.take_while(|m| m.line == begin) {
            m.lines = self.count - begin;
        }
    }

    /// A comment line, never broken.
    pub fn comment(&mut self, text: &str) {
        self.text.push_str(&" ".repeat(self.level * 4));
        match self.tagged {
            true => self.text.push_str(&soft(text)),
            false => self.text.push_str(text),
        }
        self.end();
    }

    /// A label, half a level out.
    pub fn outdented(&mut self, text: &str) {
        let pad = (self.level * 4).saturating_sub(2);
        self.text.push_str(&" ".repeat(pad));
        self.text.push_str(text);
        self.end();
    }

    /// A blank line, never two, never first.
    pub fn blank(&mut self) {
        let seen = |c: &char| !self.tagged || !is_mark(*c);
        let mut last = self.text.chars().rev().filter(seen);
        let (last, before) = (last.next(), last.next());
        if last.is_some() && !(last == Some('\n') && matches!(before, Some('\n' | '{'))) {
            self.end();
        }
    }

    /// Appends to the end of the last line.
    pub fn append(&mut self, text: &str) {
        if self.text.ends_with('\n') {
            self.text.pop();
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// The next line comes from this offset in the source.
    pub fn mark(&mut self, at: u32) {
        self.push_mark(Some(at));
    }

    /// The statements that were marked end here.
    pub fn end_marked(&mut self) {
        if self.marks.last().is_some_and(|m| m.at.is_some()) {
            self.push_mark(None);
        }
    }

    fn push_mark(&mut self, at: Option<u32>) {
        self.marks.push(Mark {
            line: self.count,
            lines: 1,
            at,
        });
    }

    /// The lines that are marked.
    pub fn take_marks(&mut self) -> Vec<Mark> {
        std::mem::take(&mut self.marks)
    }

    fn end(&mut self) {
        self.text.push('\n');
        self.count += 1;
    }

    pub fn finish(self) -> String {
        self.text
    }
}

/// A text without its marks, and these with their places in it when the source's ends of lines are taken out.
fn without_marks(text: &str) -> (String, Vec<(usize, char)>) {
    let mut plain = String::with_capacity(text.len());
    let mut marks = Vec::new();
    let mut breaks = 0;
    for c in text.chars() {
        match is_mark(c) {
            true => marks.push((plain.len() - breaks, c)),
            false => {
                breaks += usize::from(BREAK.starts_with(c));
                plain.push(c);
            }
        }
    }
    (plain, marks)
}

/// Where to cut so that at most `width` bytes stand before: after a comma or before an operator outside of string
/// literals and comments, as little nested as possible, then at the operator that binds least. The whole length if it fits
/// or cannot be cut.
fn break_point(text: &str, width: usize) -> usize {
    if text.len() <= width {
        return text.len();
    }
    let bytes = text.as_bytes();
    // How tightly what is cut hangs together: nesting in template arguments, other nesting, binding strength.
    let (mut template, mut depth, mut quoted, mut best) = (0i32, 0i32, false, None::<(_, usize)>);
    let mut target = None;
    let mut i = 0;
    while i < bytes.len().min(width) {
        let b = bytes[i];
        if quoted {
            match b {
                b'\\' => i += 1,
                b'"' => quoted = false,
                _ => {}
            }
        } else {
            match b {
                b'"' => quoted = true,
                // An opening angle bracket of template arguments follows a name directly.
                b'<' if i > 0 && bytes[i - 1].is_ascii_alphanumeric() => template += 1,
                b'>' if bytes.get(i + 1).is_some_and(|c| b",>& ({".contains(c))
                    && i > 0
                    && bytes[i - 1] != b' '
                    && bytes[i - 1] != b'-' =>
                {
                    template -= 1;
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b'/' if bytes.get(i + 1) == Some(&b'/') => break,
                // What is assigned to stays whole, if the value can be divided.
                b' ' if (template, depth) == (0, 0) && text[i + 1..].starts_with("= ") => {
                    target = target.or(best.take());
                }
                b' ' if i >= 12 => {
                    let strength = match bytes[i - 1] {
                        b',' | b';' => Some(0),
                        _ => strength(&text[i + 1..]),
                    };
                    if let Some(strength) = strength {
                        let rank = (template, depth, strength);
                        if best.is_none_or(|(r, _)| rank <= r) {
                            best = Some((rank, i + 1));
                        }
                    }
                }
                _ => {}
            }
        }
        i += 1;
    }
    best.or(target).map_or(text.len(), |(_, at)| at)
}

/// How strongly the operator at the start of the text binds, if there is one.
fn strength(text: &str) -> Option<u8> {
    let operators: [&[&str]; 5] = [
        &["? ", ": "],
        &["|| "],
        &["&& "],
        &["+ ", "- "],
        &["* ", "/ "],
    ];
    let at = operators
        .iter()
        .position(|all| all.iter().any(|o| text.starts_with(o)))?;
    u8::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_at_operators() {
        let mut w = Writer::default();
        w.line(&format!("x = {};", ["alpha * beta"; 12].join(" + ")));
        let text = w.finish();
        assert!(text.lines().all(|l| l.len() <= WIDTH + 8), "{text}");
        assert!(
            text.lines()
                .nth(1)
                .is_some_and(|l| l.starts_with("        + ")),
            "{text}"
        );
        let mut w = Writer::default();
        w.line(&format!(
            "value(index, i + 1) = f(g({}));",
            ["number"; 20].join(", ")
        ));
        assert!(w.finish().starts_with("value(index, i + 1) = f(g(number, "));
    }
}
