//! The statements of a text as one line each, without comments; what is in quotes is masked.

use crate::ast::Span;

/// A statement without its continuation marks, in lower case; characters in quotes are `_`.
pub(in crate::translation::syntax) struct Statement {
    pub text: String,
    /// The statement as it is written, of the same length.
    pub written: String,
    /// Where each byte is in the file.
    at: Vec<u32>,
    /// A `!` where no comment can begin: inside of parentheses, not after a continuation mark.
    pub exclamation: Option<usize>,
    /// `&&`, which does not continue a line.
    pub ampersands: Option<usize>,
    /// A single `&` within a line, which does not continue it either.
    pub ampersand: Option<usize>,
    /// A directive follows the continuation mark at its end.
    pub is_cut: bool,
    /// A quotation mark without a second one.
    pub quote: Option<usize>,
}

impl Statement {
    pub fn start(&self) -> u32 {
        self.at.first().copied().unwrap_or(0)
    }

    /// One past the last character.
    pub fn end(&self) -> u32 {
        self.at.last().map_or(0, |e| e + 1)
    }

    /// The place of a range of the text.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let start = self.at.get(from).copied().unwrap_or(self.end());
        let last = to.checked_sub(1).filter(|l| *l >= from);
        let end = last.and_then(|l| self.at.get(l)).map_or(start, |e| e + 1);
        Span { start, end }
    }
}

#[derive(Default)]
struct Reader {
    done: Vec<Statement>,
    text: Vec<u8>,
    written: Vec<u8>,
    at: Vec<u32>,
    quote: Option<u8>,
    depth: i32,
    exclamation: Option<usize>,
    ampersands: Option<usize>,
    ampersand: Option<usize>,
    quote_at: usize,
    is_cut: bool,
}

impl Reader {
    fn push(&mut self, b: u8, at: usize) {
        let masked = match self.quote {
            Some(q) if b != q => b'_',
            _ => b.to_ascii_lowercase(),
        };
        // Other characters than ASCII are in quotes, or wrong.
        self.text
            .push(if masked.is_ascii() { masked } else { b'_' });
        self.written.push(if b.is_ascii() { b } else { b'_' });
        self.at.push(at as u32);
    }

    fn finish(&mut self) {
        while self.text.last().is_some_and(u8::is_ascii_whitespace) {
            self.text.pop();
            self.written.pop();
            self.at.pop();
        }
        let text = String::from_utf8(std::mem::take(&mut self.text)).unwrap_or_default();
        let written = String::from_utf8(std::mem::take(&mut self.written)).unwrap_or_default();
        let at = std::mem::take(&mut self.at);
        if !text.is_empty() {
            self.done.push(Statement {
                text,
                written,
                at,
                exclamation: self.exclamation,
                ampersands: self.ampersands,
                ampersand: self.ampersand,
                is_cut: self.is_cut,
                quote: self.quote.map(|_| self.quote_at),
            });
        }
        self.quote = None;
        self.depth = 0;
        self.exclamation = None;
        self.ampersands = None;
        self.ampersand = None;
    }
}

/// Nothing but a comment follows a `&`.
fn continues(rest: &[u8]) -> bool {
    let next = rest.iter().find(|b| !b.is_ascii_whitespace());
    next.is_none_or(|b| *b == b'!')
}

/// The statements of a text in order; directives of CUDA Fortran are some, with their sign.
pub(in crate::translation::syntax) fn statements(text: &str) -> Vec<Statement> {
    let mut r = Reader::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let code = line.trim_end();
        let blank = code.len() - code.trim_start().len();
        let first = &code[blank..];
        let directive = first
            .get(..5)
            .is_some_and(|s| s.eq_ignore_ascii_case("!$cuf"));
        if first.is_empty() || first.starts_with('#') || first.starts_with('!') && !directive {
            continue;
        }
        let bytes = code.as_bytes();
        let mut i = blank;
        if r.text.is_empty() || directive {
            r.is_cut = true;
            r.finish();
            r.is_cut = false;
        } else if bytes[i] == b'&' {
            i += 1;
        }
        if directive {
            r.push(b'!', start + i);
            i += 1;
        }
        let mut goes_on = false;
        while i < bytes.len() {
            let b = bytes[i];
            if let Some(q) = r.quote {
                let last = bytes[i + 1..].iter().all(u8::is_ascii_whitespace);
                if b == b'&' && last {
                    goes_on = true;
                    break;
                }
                r.push(b, start + i);
                if b == q {
                    r.quote = None;
                }
                i += 1;
                continue;
            }
            match b {
                b'\'' | b'"' => {
                    r.quote_at = r.text.len();
                    r.push(b, start + i);
                    r.quote = Some(b);
                }
                b'!' if r.depth > 0 && r.exclamation.is_none() => {
                    r.exclamation = Some(r.text.len());
                    r.push(b, start + i);
                }
                b'!' => break,
                b'&' if bytes.get(i + 1) == Some(&b'&') => {
                    r.ampersands.get_or_insert(r.text.len());
                    r.push(b, start + i);
                    r.push(b, start + i + 1);
                    i += 1;
                }
                b'&' if !continues(&bytes[i + 1..]) => {
                    r.ampersand.get_or_insert(r.text.len());
                    r.push(b, start + i);
                }
                b'&' => {
                    goes_on = true;
                    break;
                }
                b';' => r.finish(),
                _ => {
                    match b {
                        b'(' => r.depth += 1,
                        b')' => r.depth -= 1,
                        _ => {}
                    }
                    if !r.text.is_empty() || !b.is_ascii_whitespace() {
                        r.push(b, start + i);
                    }
                }
            }
            i += 1;
        }
        if !goes_on {
            r.finish();
        }
    }
    r.finish();
    r.done
}

pub(super) fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// Where a word stands by itself.
pub(super) fn word_at(text: &str, word: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(i) = text.get(at..)?.find(word).map(|i| i + at) {
        let before = i == 0 || !is_name(bytes[i - 1]);
        let after = bytes.get(i + word.len()).is_none_or(|b| !is_name(*b));
        if before && after {
            return Some(i);
        }
        at = i + 1;
    }
    None
}

/// The word that a statement begins with.
pub(in crate::translation::syntax) fn first_word(text: &str) -> &str {
    let end = text.bytes().position(|b| !is_name(b)).unwrap_or(text.len());
    &text[..end]
}

/// The offset of the parenthesis that closes the one at `open`.
pub(in crate::translation::syntax) fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (i, b) in text.bytes().enumerate().skip(open) {
        match b {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}
