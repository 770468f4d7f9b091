//! The statements of free-form text, without comments and continuation marks.

use super::span::Span;

/// The code of one statement: every byte with its offset, without comments, continuation marks and line ends.
pub type View = [(u8, usize)];

/// The statements and CUF directives of free-form text, from their first to their last byte of code, in order.
pub fn spans(text: &str) -> Vec<Span> {
    let mut out = directives(text);
    statements(text.as_bytes(), &mut |view| {
        let last = view.iter().rfind(|(b, _)| !b.is_ascii_whitespace());
        if let (Some((_, first)), Some((_, last))) = (view.first(), last) {
            out.push(Span {
                start: *first as u32,
                end: *last as u32 + 1,
            });
        }
    });
    out.sort_by_key(|s| (s.start, s.end));
    out
}

/// The CUF directives of free-form text, each with the lines that it continues on.
fn directives(text: &str) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let mut continues = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let own = line.trim_start_matches([' ', '\t']);
        let start = at + (line.len() - own.len());
        at += line.len();
        let sentinel = own.get(..5).unwrap_or_default();
        if !sentinel.eq_ignore_ascii_case("!$cuf") {
            // Comments and blank lines may stand between its lines.
            continues &= own.trim_end().is_empty() || own.starts_with('!');
            continue;
        }
        let code = own[5..].split('!').next().unwrap_or_default().trim_end();
        let body = code.strip_suffix('&').unwrap_or(code).trim_end();
        let end = (start + 5 + body.len()) as u32;
        match out.last_mut() {
            Some(last) if continues => last.end = end,
            _ => out.push(Span {
                start: start as u32,
                end,
            }),
        }
        continues = code.ends_with('&');
    }
    out
}

/// The bytes that end, continue or quote something, and the letter of Hollerith constants.
static MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut rest: &[u8] = b"&'\"!\n\r;hH";
    while let [mark, more @ ..] = rest {
        marks[*mark as usize] = true;
        rest = more;
    }
    marks
};

/// Calls `f` on the statements of free-form text.
pub fn statements(text: &[u8], f: &mut dyn FnMut(&View)) {
    let mut view: Vec<(u8, usize)> = Vec::new();
    let mut quote: Option<u8> = None;
    let mut i = 0;
    // The next byte that is code begins a continuation line.
    let mut continues = false;
    while let Some(&b) = text.get(i) {
        if !continues {
            // Most bytes mean nothing here.
            let plain = text[i..].iter().take_while(|b| !MARKS[**b as usize]);
            let part = &text[i..i + plain.count()];
            let blanks = match view.is_empty() {
                true => part.iter().take_while(|b| b.is_ascii_whitespace()).count(),
                false => 0,
            };
            view.extend(part.iter().copied().zip(i..).skip(blanks));
            i += part.len();
            if !part.is_empty() {
                continue;
            }
        }
        if continues && (b == b' ' || b == b'\t' || b == b'\n' || b == b'\r') {
            i += 1;
            continue;
        }
        if continues && b == b'!' {
            i += line_length(&text[i..]);
            continue;
        }
        if continues {
            continues = false;
            if b == b'&' {
                i += 1;
                continue;
            }
        }
        if quote.is_none() && b.eq_ignore_ascii_case(&b'h') {
            let length = hollerith(&view, &text[i + 1..]);
            let constant = text.iter().enumerate().skip(i).take(length);
            view.extend(constant.map(|(at, b)| (*b, at)));
            i += length;
            if length > 0 {
                continue;
            }
        }
        let end = match (quote, b) {
            (_, b'&')
                if text[i + 1..]
                    .iter()
                    .take_while(|c| **c != b'\n')
                    .all(u8::is_ascii_whitespace)
                    || quote.is_none() && rest_is_comment(&text[i + 1..]) =>
            {
                i += line_length(&text[i..]);
                continues = true;
                continue;
            }
            (Some(_), b'\n') => {
                quote = None;
                true
            }
            (Some(q), _) => {
                if b == q {
                    quote = None;
                }
                false
            }
            (None, b'\'' | b'"') => {
                quote = Some(b);
                false
            }
            (None, b'!') => {
                i += line_length(&text[i..]);
                continue;
            }
            (None, b'\n' | b';') => true,
            _ => false,
        };
        if end {
            if !view.is_empty() {
                f(&view);
            }
            view.clear();
        } else if b != b'\r' && (!view.is_empty() || !b.is_ascii_whitespace()) {
            view.push((b, i));
        }
        i += 1;
    }
    if !view.is_empty() {
        f(&view);
    }
}

/// Length of a Hollerith constant from its letter on, if the code before the letter ends with its count; else 0.
fn hollerith(code: &View, after: &[u8]) -> usize {
    let count = hollerith_count(code);
    let fits = after.len() >= count && !after[..count].contains(&b'\n');
    if fits && count > 0 { count + 1 } else { 0 }
}

/// The count of characters with which the code before the letter of a Hollerith constant ends; 0 if it does not.
pub(super) fn hollerith_count(code: &View) -> usize {
    let digits = code.iter().rev().take_while(|b| b.0.is_ascii_digit());
    let digits: Vec<u8> = digits.map(|b| b.0 - b'0').collect();
    if digits.is_empty() || digits.len() > 4 {
        return 0;
    }
    let before = &code[..code.len() - digits.len()];
    let starts = before
        .last()
        .is_none_or(|b| !is_word(b.0) && b.0 != b'*' && (b.0 != b'.' || ends_operator(before)));
    let count = digits.iter().rev().fold(0, |n, d| n * 10 + usize::from(*d));
    if starts { count } else { 0 }
}

/// The code ends with an operator such as `.eq.`, not with a real constant.
pub fn ends_operator(code: &View) -> bool {
    let Some((dot, before)) = code.split_last() else {
        return false;
    };
    let letters = before
        .iter()
        .rev()
        .take_while(|b| b.0.is_ascii_alphabetic())
        .count();
    let opened = before.len().checked_sub(letters + 1).map(|i| before[i].0);
    dot.0 == b'.' && letters > 1 && opened == Some(b'.')
}

/// Bytes up to the line end.
fn line_length(text: &[u8]) -> usize {
    text.iter().position(|b| *b == b'\n').unwrap_or(text.len())
}

fn rest_is_comment(text: &[u8]) -> bool {
    text.iter()
        .find(|b| **b != b' ' && **b != b'\t')
        .is_some_and(|b| *b == b'!')
}

/// A letter, digit or underscore.
pub fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// A statement's words and places.
pub struct Reader<'v> {
    pub view: &'v View,
    pub at: usize,
}

impl<'v> Reader<'v> {
    /// Goes over blanks.
    pub fn blanks(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// The byte here.
    pub fn peek(&self) -> Option<u8> {
        self.view.get(self.at).map(|b| b.0)
    }

    /// The word here, folded, and the blanks after it.
    pub fn word(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(is_word) {
            self.at += 1;
        }
        let word = self.view[start..self.at]
            .iter()
            .map(|b| b.0.to_ascii_lowercase() as char)
            .collect();
        self.blanks();
        word
    }

    /// Goes over a character constant.
    pub fn string(&mut self, quote: u8) {
        self.at += 1;
        while self.peek().is_some_and(|b| b != quote) {
            self.at += 1;
        }
        self.at += 1;
    }

    /// Goes over a group in parentheses and the blanks after it; None if it is not closed.
    pub fn group(&mut self) -> Option<()> {
        let mut depth = 0usize;
        let mut quote = None;
        loop {
            let b = self.peek()?;
            self.at += 1;
            match (quote, b) {
                (Some(q), _) if q == b => quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(b),
                (None, b'(') => depth += 1,
                (None, b')') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.blanks();
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::statements;

    fn texts(source: &str) -> Vec<String> {
        let mut all = Vec::new();
        statements(source.as_bytes(), &mut |view| {
            all.push(view.iter().map(|(b, _)| *b as char).collect());
        });
        all
    }

    #[test]
    fn comments_strings_and_continuations() {
        assert_eq!(
            texts("a = 'x;!' ! b; c\n  if (a) &\n ! d\n & b = 1;;c\n"),
            ["a = 'x;!' ", "if (a)  b = 1", "c"]
        );
        assert_eq!(
            texts("a = 'it&\n  &''s' // \"'\"; b\n"),
            ["a = 'it''s' // \"'\"", "b"]
        );
    }

    #[test]
    fn hollerith_constants() {
        assert_eq!(texts("data i /4hA!'b/; j=1\n"), ["data i /4hA!'b/", "j=1"]);
        assert_eq!(texts("x4h = 1 ! 'b\nh = 2\n"), ["x4h = 1 ", "h = 2"]);
        assert_eq!(texts("call f(1H;, 3Ha&b)\n"), ["call f(1H;, 3Ha&b)"]);
    }
}
