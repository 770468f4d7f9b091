//! Tokens of CUDA C++, as far as the translation for the cpu target needs them: comments are left out, literals are opaque, and each
//! token knows the directive and the conditional branch that it belongs to.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or a keyword.
    Name,
    /// A number, a string or a character.
    Literal,
    /// One character of punctuation.
    Symbol(u8),
}

/// A token of a text.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
    /// The directive that contains the token, counted from 1; 0 outside directives.
    pub directive: usize,
    /// Whether the token is in the `#else` or `#elif` branch of a conditional, nested or not.
    pub alternative: bool,
}

/// The kind of the quotes that a prefix before them may have.
const PREFIXES: [&str; 9] = ["L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"];

/// The tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut scan = Scan {
        text: text.as_bytes(),
        at: 0,
        tokens: Vec::new(),
        directive: 0,
        directives: 0,
        first_of_line: true,
        branches: Vec::new(),
    };
    while scan.at < scan.text.len() {
        scan.step(text);
    }
    scan.note_branch();
    scan.tokens
}

struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    directive: usize,
    directives: usize,
    first_of_line: bool,
    /// Per open conditional: whether an alternative branch has begun.
    branches: Vec<bool>,
}

impl Scan<'_> {
    fn step(&mut self, text: &str) {
        let c = self.text[self.at];
        let next = self.text.get(self.at + 1).copied().unwrap_or(0);
        match c {
            b'\n' => {
                if self.directive != 0 {
                    self.note_branch();
                }
                self.directive = 0;
                self.first_of_line = true;
                self.at += 1;
            }
            b'\\' if next == b'\n' => self.at += 2,
            b'\\' if self.text[self.at..].starts_with(b"\\\r\n") => self.at += 3,
            _ if c.is_ascii_whitespace() => self.at += 1,
            b'/' if next == b'/' => self.at = self.end_of_line(),
            b'/' if next == b'*' => {
                let rest = &text[self.at + 2..];
                self.at = rest.find("*/").map_or(text.len(), |k| self.at + 2 + k + 2);
            }
            b'#' if self.first_of_line => {
                self.directives += 1;
                self.directive = self.directives;
                self.push(Kind::Symbol(c), self.at + 1);
            }
            b'"' | b'\'' => {
                let end = self.end_of_quoted(self.at, c);
                self.push(Kind::Literal, end);
            }
            b'0'..=b'9' => self.number(),
            b'.' if next.is_ascii_digit() => self.number(),
            _ if is_word(c) => self.word(text),
            _ => self.push(Kind::Symbol(c), self.at + 1),
        }
    }

    fn push(&mut self, kind: Kind, end: usize) {
        self.first_of_line = false;
        self.tokens.push(Token {
            kind,
            start: self.at,
            end,
            directive: self.directive,
            alternative: self.branches.contains(&true),
        });
        self.at = end;
    }

    /// Where the line ends that contains the current byte, spliced lines included.
    fn end_of_line(&self) -> usize {
        let mut at = self.at;
        while let Some(&c) = self.text.get(at) {
            if c == b'\n' {
                let before = self.text[..at].strip_suffix(b"\r");
                let before = before.unwrap_or(&self.text[..at]);
                if !before.ends_with(b"\\") {
                    break;
                }
            }
            at += 1;
        }
        at
    }

    /// The end of a string or character. One without its end ends with the line.
    fn end_of_quoted(&self, open: usize, quote: u8) -> usize {
        let mut at = open + 1;
        while let Some(&c) = self.text.get(at) {
            match c {
                b'\\' => at += 1,
                b'\n' => return at,
                _ if c == quote => return at + 1,
                _ => {}
            }
            at += 1;
        }
        self.text.len()
    }

    fn number(&mut self) {
        let mut at = self.at + 1;
        while let Some(&c) = self.text.get(at) {
            let sign = matches!(c, b'+' | b'-') && matches!(self.text[at - 1] | 32, b'e' | b'p');
            let separator =
                c == b'\'' && self.text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
            // The exponent of a hexadecimal number is not `e`.
            let hexadecimal = self.text[self.at..at].starts_with(b"0x")
                || self.text[self.at..at].starts_with(b"0X");
            let sign = sign && !(hexadecimal && self.text[at - 1] | 32 == b'e');
            if !(is_word(c) || c == b'.' || separator || sign) {
                break;
            }
            at += 1;
        }
        self.push(Kind::Literal, at);
    }

    fn word(&mut self, text: &str) {
        let mut end = self.at;
        while self.text.get(end).is_some_and(|c| is_word(*c)) {
            end += 1;
        }
        let word = &text[self.at..end];
        let quote = self.text.get(end).copied();
        if let Some(quote @ (b'"' | b'\'')) = quote
            && PREFIXES.contains(&word)
        {
            let raw = word.ends_with('R') && quote == b'"';
            let end = match raw {
                true => end_of_raw(text, end),
                false => self.end_of_quoted(end, quote),
            };
            self.push(Kind::Literal, end);
            return;
        }
        self.push(Kind::Name, end);
    }

    /// Opens or closes a conditional at the end of its directive.
    fn note_branch(&mut self) {
        let of = |t: &&Token| t.directive == self.directive && self.directive != 0;
        let words = self.tokens.iter().rev().take_while(of);
        let Some(name) = words.filter(|t| t.kind == Kind::Name).last() else {
            return;
        };
        match &self.text[name.start..name.end] {
            b"if" | b"ifdef" | b"ifndef" => self.branches.push(false),
            b"else" | b"elif" | b"elifdef" | b"elifndef" => {
                if let Some(last) = self.branches.last_mut() {
                    *last = true;
                }
            }
            b"endif" => {
                self.branches.pop();
            }
            _ => {}
        }
    }
}

/// The end of the raw string whose quote is at `quote`.
fn end_of_raw(text: &str, quote: usize) -> usize {
    let rest = &text[quote + 1..];
    let Some(open) = rest.find('(') else {
        return text.len();
    };
    let close = format!("){}\"", &rest[..open]);
    rest.find(&close)
        .map_or(text.len(), |k| quote + 1 + k + close.len())
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80
}
