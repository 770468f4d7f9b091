//! Length-preserving changes to free-form text, so that every byte offset stays; and `!@cuf` lines before that.

use std::sync::Arc;

use super::line::{Line, Stretch};

/// Bytes between the parts of a split token beyond which it stays split.
const MAX_GAP: usize = 1 << 16;

/// The text for the parser and the text for host edits.
///
/// - Continuation lines of a directive (`!$cuf&`) lose their sentinel in the parser's text, so that the directive is one
///   continued statement there.
/// - A token that continues on the next line (`ab&`, `&cd`) is put together on the first, in both texts, since an edit of
///   the token needs its whole span.
/// - In a file that `is_cuda` says is not CUDA Fortran, directives become other comments in the parser's text.
/// - No-break spaces outside of strings and comments become blanks in both texts.
pub(super) fn free_form(source: &str, is_cuda: bool) -> (String, String) {
    let mut n = Normalizer {
        text: String::with_capacity(source.len()),
        host: String::with_capacity(source.len()),
        is_cuda,
        directive_continues: false,
        quote: None,
        split_at: None,
        boz: None,
        continued: false,
    };
    for line in source.split_inclusive('\n') {
        n.line(line);
    }
    (n.text, n.host)
}

/// `!@cuf` lines are code in CUDA Fortran (guide 2.13). The code takes the sentinel's place, at the indentation of the line
/// before if the sentinel has none.
pub(super) fn conditional_code(lines: &mut [Line]) {
    let mut indent = 0;
    for l in lines {
        let own = l.text.len() - l.text.trim_start_matches([' ', '\t']).len();
        let rest = &l.text[own..];
        let sentinel = rest.get(..5).unwrap_or_default();
        if !sentinel.eq_ignore_ascii_case("!@cuf") {
            if !rest.trim().is_empty() && !rest.starts_with(['!', '&', '#']) {
                indent = own;
            }
            continue;
        }
        let code = rest[5..].trim_start_matches([' ', '\t']);
        let at = l.text.len() - code.len();
        let to = if own > 0 { own } else { indent };
        let text = format!("{}{code}", " ".repeat(to));
        let old = l.origin.stretches.take();
        l.origin.stretches = Some(moved(old.as_deref(), at as u32, to as u32));
        l.text = text;
    }
}

/// The stretches of a line whose code went from one column to another.
fn moved(stretches: Option<&[Stretch]>, at: u32, to: u32) -> Arc<[Stretch]> {
    let all = stretches.unwrap_or(&[(0, 0, true)]);
    let before = all.partition_point(|s| s.0 <= at).max(1) - 1;
    let mut out = vec![(0, 0, true)];
    for (start, source, copied) in all.iter().skip(before) {
        let inside = at.saturating_sub(*start);
        let source = if *copied { source + inside } else { *source };
        out.push((start + inside - at + to, source, *copied));
    }
    out.into()
}

/// With OpenMP, lines that begin with `!$` and a blank are code (OpenMP 5.2, 5.1.1): blanks take the sentinel's place.
pub(super) fn conditional_compilation(lines: &mut [Line]) {
    for l in lines {
        let own = l.text.len() - l.text.trim_start_matches([' ', '\t']).len();
        let rest = &l.text[own..];
        if rest.starts_with("!$ ") || rest.starts_with("!$\t") || rest.starts_with("!$&") {
            l.text.replace_range(own..own + 2, "  ");
        }
    }
}

/// Blanks that compilers take and the grammar does not know.
const NO_BREAK: char = '\u{a0}';
const FORM_FEED: char = '\x0c';

/// With plain blanks, as many as the others have bytes.
fn plain_blanks(text: &str) -> String {
    text.replace(NO_BREAK, "  ").replace(FORM_FEED, " ")
}

struct Normalizer {
    /// Directives have a meaning.
    is_cuda: bool,
    text: String,
    host: String,
    directive_continues: bool,
    /// The string that goes on from the line before.
    quote: Option<char>,
    /// Offset of the `&` that directly follows a word's character at the end of the line before.
    split_at: Option<usize>,
    /// The token that ends there is the beginning of a BOZ constant (`z'12&`), up to this quote.
    boz: Option<char>,
    /// The line before continues.
    continued: bool,
}

impl Normalizer {
    fn both(&mut self, part: &str) {
        self.text.push_str(part);
        self.host.push_str(part);
    }

    fn line(&mut self, line: &str) {
        let indent = line.len()
            - line
                .trim_start_matches([' ', '\t', NO_BREAK, FORM_FEED])
                .len();
        let rest = &line[indent..];
        if !rest.starts_with('!') {
            self.code(line, indent);
            if !rest.trim().is_empty() {
                self.directive_continues = false;
            }
            return;
        }
        if self.quote.is_some() && self.continued {
            // Within a string that goes on below it; the grammar takes blank lines there.
            let blanked = line
                .bytes()
                .map(|b| if matches!(b, b'\n' | b'\r') { b } else { b' ' } as char);
            self.text.extend(blanked);
            self.host.push_str(line);
            return;
        }
        let sentinel = rest.get(..5).unwrap_or_default();
        let is_directive = sentinel.eq_ignore_ascii_case("!$cuf");
        if is_directive && !self.is_cuda {
            self.directive_continues = false;
            self.host.push_str(line);
            self.text.push_str(&line.replacen("!$", "!.", 1));
        } else if is_directive {
            self.host.push_str(line);
            let body = rest[5..].trim_start_matches([' ', '\t']);
            if self.directive_continues {
                let ampersand = usize::from(body.starts_with('&'));
                let blank = line.len() - body.len() + ampersand;
                self.text.push_str(&" ".repeat(blank));
                self.text.push_str(&line[blank..]);
            } else {
                self.text.push_str(line);
            }
            let code = body.split('!').next().unwrap_or_default();
            self.directive_continues = code.trim_end().ends_with('&');
        } else {
            self.directive_continues = false;
            self.both(line);
        }
    }

    /// A line of code, or a blank one.
    fn code(&mut self, line: &str, indent: usize) {
        if line.trim().is_empty() {
            self.both(&plain_blanks(line));
            return;
        }
        let rest = &line[indent.min(line.len())..];
        let split_at = self.split_at.take();
        let leading = usize::from(rest.starts_with('&'));
        let boz = self.boz.take().filter(|_| leading == 1);
        let in_string = self.quote.is_some() && self.continued && boz.is_none();
        let mut body_start = if in_string && leading == 0 {
            0
        } else {
            indent + leading
        };
        let mut joined_end = None;
        if let Some(at) = split_at.filter(|at| leading == 1 && self.host.len() - at < MAX_GAP) {
            let word = token_rest(&self.host[..at], &line[body_start..], boz);
            if word > 0 {
                let part = &line[body_start..body_start + word];
                self.text.insert_str(at, part);
                self.host.insert_str(at, part);
                self.both(&" ".repeat(body_start));
                body_start += word;
                joined_end = Some(at + word);
            }
        }
        if joined_end.is_none() {
            self.both(&plain_blanks(&line[..body_start]));
        }
        let body = &line[body_start..];
        let scan = scan(body, self.quote.filter(|_| in_string));
        let base = self.host.len();
        match (joined_end, scan.ampersand) {
            // The whole line went to the token and the statement goes on: no line may hold a mark alone.
            (Some(at), Some(mark)) if body[..mark].trim().is_empty() => {
                self.both(&body[..mark]);
                self.both(" ");
                self.both(&body[mark + 1..]);
                self.split_at = Some(at).filter(|_| mark == 0);
                self.boz = boz;
            }
            // The statement ends with the token.
            (Some(at), None) if body[..scan.end].trim().is_empty() => {
                self.both(body);
                self.text.replace_range(at..=at, " ");
                self.host.replace_range(at..=at, " ");
            }
            (_, ampersand) => {
                let code = body[..scan.end].to_owned();
                match scan.blanks {
                    true => self.both(&replace_outside_strings(
                        &code,
                        self.quote.filter(|_| in_string),
                    )),
                    false => self.both(&code),
                }
                self.both(&body[scan.end..]);
                let boz = ampersand.and_then(|a| open_boz(&body[..a]));
                let splits = |a: usize| {
                    let before = a.checked_sub(1).map_or(b' ', |i| body.as_bytes()[i]);
                    let sign = matches!(before, b'+' | b'-') && open_number(&body[..a]).is_some();
                    is_word(before) || before == b'.' || is_operator(before) || sign
                };
                self.split_at = ampersand
                    .filter(|a| boz.is_some() || scan.quote.is_none() && splits(*a))
                    .map(|a| base + a);
                self.boz = boz;
            }
        }
        self.continued = scan.ampersand.is_some();
        self.quote = scan.quote.filter(|_| self.continued);
    }
}

/// How many bytes of the next line belong to the token that `before` ends with.
fn token_rest(before: &str, after: &str, boz: Option<char>) -> usize {
    let mut ends = before.bytes().rev();
    let (last, other) = (ends.next().unwrap_or(b' '), ends.next().unwrap_or(b' '));
    if is_operator(last) {
        let operator = after.bytes().take_while(|b| is_operator(*b));
        return operator.take(2).count();
    }
    if let Some(number) = open_number(before) {
        let (line, _) = after.split_once('&').unwrap_or((after, ""));
        let text = format!("{number}{line}");
        let whole = numeric_constant(&text);
        let length = if whole.open { text.len() } else { whole.length };
        if length > number.len() {
            return length - number.len();
        }
    }
    let word = word_length(after);
    let closed = after[word..].starts_with('.');
    if last == b'.' && !other.is_ascii_digit() {
        let opens = closed && word > 0 && in_operator(before);
        return if opens { word + 1 } else { 0 };
    }
    // The closing quote of a BOZ constant, the closing dot of an operator.
    let closes = boz.is_some_and(|q| after[word..].starts_with(q)) || closed && in_operator(before);
    word + usize::from(closes)
}

/// The numeric constant that a line of code ends within or with, which may be incomplete: `1.`, `2d`, `3.5e-`.
fn open_number(before: &str) -> Option<&str> {
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let bytes = line.as_bytes();
    let mut quote = None;
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i];
        let point = b == b'.' && bytes.get(i + 1).is_some_and(u8::is_ascii_digit);
        match quote {
            Some(q) if q == b => quote = None,
            Some(_) => {}
            None if matches!(b, b'\'' | b'"') => quote = Some(b),
            None if b.is_ascii_digit() || point => {
                let number = numeric_constant(&line[i..]);
                if number.open {
                    return Some(&line[i..]);
                }
                i += number.length.max(1);
                continue;
            }
            None if is_word(b) => {
                i += word_length(&line[i..]);
                continue;
            }
            None => {}
        }
        i += 1;
    }
    None
}

/// The constant that a text begins with, which begins with a digit or with a point before one.
struct Number {
    length: usize,
    /// The text ends where it can go on.
    open: bool,
}

fn numeric_constant(text: &str) -> Number {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let mut at = digits(0);
    if bytes.get(at) == Some(&b'.') {
        // The point of an operator belongs to that: `1.eq.2`.
        let letters = bytes[at + 1..].iter();
        let letters = letters.take_while(|b| b.is_ascii_alphabetic()).count();
        if letters == 0 || bytes.get(at + 1 + letters) != Some(&b'.') {
            at = digits(at + 1);
        }
    }
    if let Some(b'e' | b'E' | b'd' | b'D' | b'q' | b'Q') = bytes.get(at) {
        let sign = matches!(bytes.get(at + 1), Some(b'+' | b'-'));
        let exponent = at + 1 + usize::from(sign);
        let end = digits(exponent);
        if exponent == bytes.len() {
            let open = true;
            return Number { length: at, open };
        }
        if end > exponent {
            at = end;
        }
    }
    if bytes.get(at) == Some(&b'_') {
        at += word_length(&text[at..]);
    }
    Number {
        length: at,
        open: at == bytes.len(),
    }
}

/// Part of `<=`, `>>>`, `=>`, `**`, `//`, `::` and their like.
fn is_operator(b: u8) -> bool {
    b"<>=/*:".contains(&b)
}

/// The line of code that this ends within ends with the beginning of an operator such as `.eq.`: a dot that closes one
/// (`a.or.b`) begins none.
fn in_operator(before: &str) -> bool {
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let code: Vec<(usize, char)> = line.char_indices().collect();
    let mut quote = None;
    let mut i = 0;
    while let Some((_, c)) = code.get(i).copied() {
        i += 1;
        match quote {
            Some(q) if q == c => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '.' => {
                let letters = code[i..]
                    .iter()
                    .take_while(|(_, c)| c.is_ascii_alphabetic())
                    .count();
                match code.get(i + letters) {
                    None => return true,
                    Some((_, '.')) if letters > 0 => i += letters + 1,
                    _ => {}
                }
            }
            None => {}
        }
    }
    false
}

/// The quote of a BOZ constant that the code ends within: `z'12`.
fn open_boz(code: &str) -> Option<char> {
    let digits = code.bytes().rev().take_while(u8::is_ascii_hexdigit).count();
    let before = &code[..code.len() - digits];
    let quote = before
        .chars()
        .next_back()
        .filter(|c| matches!(c, '\'' | '"'))?;
    let mut letters = before[..before.len() - 1].bytes().rev();
    let letter = letters.next()?.to_ascii_lowercase();
    let starts = letters.next().is_none_or(|b| !is_word(b));
    (starts && matches!(letter, b'b' | b'o' | b'x' | b'z')).then_some(quote)
}

/// What a piece of code ends with.
struct Scan {
    /// Length of the code, without its comment.
    end: usize,
    /// Offset of the continuation mark.
    ampersand: Option<usize>,
    /// The string that is open at the end.
    quote: Option<char>,
    /// There are blanks that the grammar does not know.
    blanks: bool,
}

fn scan(code: &str, mut quote: Option<char>) -> Scan {
    let mut end = code.len();
    for (i, c) in code.char_indices() {
        match quote {
            Some(q) if q == c => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '!' => {
                end = i;
                break;
            }
            None => {}
        }
    }
    let trimmed = code[..end].trim_end();
    Scan {
        end,
        ampersand: trimmed.ends_with('&').then(|| trimmed.len() - 1),
        quote,
        blanks: code[..end].contains([NO_BREAK, FORM_FEED]),
    }
}

fn replace_outside_strings(code: &str, mut quote: Option<char>) -> String {
    let mut out = String::with_capacity(code.len());
    for c in code.chars() {
        match quote {
            Some(q) if q == c => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == NO_BREAK => {
                out.push_str("  ");
                continue;
            }
            None if c == FORM_FEED => {
                out.push(' ');
                continue;
            }
            None => {}
        }
        out.push(c);
    }
    out
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Length of the word that text begins with.
fn word_length(text: &str) -> usize {
    text.bytes().position(|b| !is_word(b)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::free_form;

    #[test]
    fn directive_continuation_keeps_offsets() {
        let source = "  !$cuf kernel do(2) &\n  !$cuf& <<<*, *>>>\n";
        let (text, host) = free_form(source, true);
        assert_eq!(host, source);
        assert_eq!(text, "  !$cuf kernel do(2) &\n         <<<*, *>>>\n");
    }

    fn check(source: &str, expected: &str) {
        let (text, host) = free_form(source, true);
        assert_eq!(text, expected);
        assert_eq!(host, expected);
        assert_eq!(text.len(), source.len());
    }

    #[test]
    fn split_tokens_are_joined() {
        check("call foo&\n  &bar(x)\n", "call foobar&\n   (x)\n");
        check("call a&\n! c\n&b(x)\n", "call ab&\n! c\n (x)\n");
        check("call a&\n&b&\n  &c(x)\n", "call abc&\n  \n   (x)\n");
        check(
            "call fo&\n  &o(a, b&\n&ar)\n",
            "call foo&\n   (a, bar&\n )\n",
        );
        check("x = ab &\n&cd\n", "x = ab &\n&cd\n");
        check("x = ab&\n cd\n", "x = ab&\n cd\n");
        check("x = a <&\n &= b\n", "x = a <=&\n   b\n");
        check(
            "call k<&\n&<<1, 2>&\n&>>()\n",
            "call k<<<&\n 1, 2>>>&\n ()\n",
        );
        check("x = a.&\n&and.b\n", "x = a.and.&\n b\n");
        check("x = a.an&\n&d.b\n", "x = a.and.&\n b\n");
        check("x = 1.&\n&0d&\n&+1\n", "x = 1.0d+1 \n  \n \n");
        check("x = 1d&\n&-12*y\n", "x = 1d-12&\n *y\n");
        check("x = a1 + 1.5e-&\n&12_8)\n", "x = a1 + 1.5e-12_8&\n )\n");
        check("x = 1&\n&.5\n", "x = 1.5 \n \n");
        check("x = 1&\n&0.5\n", "x = 10.5 \n \n");
        check("x = 1.e&\n&q.2\n", "x = 1.eq.&\n 2\n");
        check("x = 1&\n&.eq.2\n", "x = 1&\n&.eq.2\n");
        check("x = e1&\n&-2\n", "x = e1&\n&-2\n");
        check("x = 2 -&\n&1\n", "x = 2 -&\n&1\n");
        // The dot before `d` closes an operator.
        check("x = a.or.d&\n&.and.b\n", "x = a.or.d&\n&.and.b\n");
    }

    #[test]
    fn form_feeds_are_blanks() {
        check("\x0cx\x0c= 'a\x0cb'\x0c\n", " x = 'a\x0cb' \n");
    }

    #[test]
    fn strings_are_left_alone() {
        check("s = 'ab&\n  &cd'\n", "s = 'ab&\n  &cd'\n");
        check("s = 'it&\n&''s ! a&\n&b'\n", "s = 'it&\n&''s ! a&\n&b'\n");
        check(
            "s = 'a\u{a0}b'\u{a0}! \u{a0}\n",
            "s = 'a\u{a0}b'  ! \u{a0}\n",
        );
        check("s = 'a &\n b', c&\n&d\n", "s = 'a &\n b', cd \n \n");
        check("x = a&\n&b ! c\ny = 1\n", "x = ab \n  ! c\ny = 1\n");
        check("x = a&\n&b &\n+ 1\n", "x = ab&\n   \n+ 1\n");
        check("if (a .l&\n &t. b) x = 1\n", "if (a .lt.&\n   b) x = 1\n");
        let (text, host) = free_form("s = 'a&\n ! it's\n &b'\n", true);
        assert_eq!(text, "s = 'a&\n       \n &b'\n");
        assert_eq!(host, "s = 'a&\n ! it's\n &b'\n");
        check(
            "x = real(z'00&\n  &ff', 8)\n",
            "x = real(z'00ff'&\n   , 8)\n",
        );
        check("s = 'z&\n  &ff'\n", "s = 'z&\n  &ff'\n");
    }
}
