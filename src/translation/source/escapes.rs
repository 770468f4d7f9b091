//! Escape sequences as nvfortran reads them: a backslash before a quote does not end a text, and before a character without a meaning of its
//! own it means that character. gfortran's -fbackslash has other rules, so texts are written such that both read the same (decision 1030).

/// What a backslash in a text gives another meaning, to both compilers.
const KNOWN: &[u8] = b"abfnrtv0\\";

/// The file with such texts rewritten; None: there are none. Every line keeps its length, but for texts that go on in the next line.
pub(super) fn rewritten(bytes: &[u8], fixed: bool, columns: usize) -> Option<Vec<u8>> {
    if !bytes.contains(&b'\\') {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut scan = Scan {
        quote: None,
        owed: 0,
        fixed,
        columns,
    };
    let mut lines = bytes.split_inclusive(|b| *b == b'\n').peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        scan.line(line, next, &mut out);
    }
    (out != bytes).then_some(out)
}

struct Scan {
    /// Of the text that goes on.
    quote: Option<u8>,
    /// Backslashes that were left out of it: so many blanks come after its end.
    owed: usize,
    fixed: bool,
    /// The last column of fixed-form lines, 0: there is none.
    columns: usize,
}

impl Scan {
    fn line(&mut self, line: &[u8], next: &[u8], out: &mut Vec<u8>) {
        let end = line.len()
            - line
                .iter()
                .rev()
                .take_while(|b| b"\r\n".contains(b))
                .count();
        let code = match self.fixed && self.columns > 0 {
            true => end.min(self.columns),
            false => end,
        };
        let Some(start) = self.start(&line[..code]) else {
            out.extend_from_slice(line);
            return;
        };
        let goes_on = match self.fixed {
            true => is_continuation(next),
            false => line[..code].trim_ascii_end().ends_with(b"&"),
        };
        out.extend_from_slice(&line[..start]);
        let mut at = start;
        while at < code {
            let c = line[at];
            let following = line[..code].get(at + 1).copied();
            let Some(quote) = self.quote else {
                match c {
                    b'!' => break,
                    b'\'' | b'"' => self.quote = Some(c),
                    _ => {}
                }
                out.push(c);
                at += 1;
                continue;
            };
            match (c, following) {
                (b'\\', Some(n)) if KNOWN.contains(&n) => {
                    out.extend([c, n]);
                    at += 2;
                }
                (b'\\', Some(n)) if n == quote => {
                    // At the end of a text that would have no other end it is an ordinary character.
                    match goes_on || line[at + 2..code].contains(&quote) {
                        true => out.extend([quote, quote]),
                        false => {
                            out.extend([c, n]);
                            self.close(out);
                        }
                    }
                    at += 2;
                }
                // `\)` is an edit descriptor, and a text in fixed form may have its blanks up to the last column.
                (b'\\', Some(n)) if n != b')' && self.may_shrink(&line[at + 1..code], quote) => {
                    out.push(n);
                    self.owed += 1;
                    at += 2;
                }
                _ if c == quote && following == Some(quote) => {
                    out.extend([quote, quote]);
                    at += 2;
                }
                _ => {
                    out.push(c);
                    at += 1;
                    if c == quote {
                        self.close(out);
                    }
                }
            }
        }
        out.extend_from_slice(&line[at..]);
        if !goes_on {
            self.quote = None;
            self.owed = 0;
        }
    }

    /// Whether the backslash before `rest` of a line can be left out: the text ends there or goes on elsewhere.
    fn may_shrink(&self, rest: &[u8], quote: u8) -> bool {
        rest[1..].contains(&quote) || !self.fixed && rest.trim_ascii() != b"&"
    }

    fn close(&mut self, out: &mut Vec<u8>) {
        self.quote = None;
        out.extend(std::iter::repeat_n(b' ', std::mem::take(&mut self.owed)));
    }

    /// Where the code of a line begins; None: it has none.
    fn start(&self, line: &[u8]) -> Option<usize> {
        if self.fixed {
            let first = *line.first()?;
            let code = first.is_ascii_whitespace() || first.is_ascii_digit();
            return match code {
                true => Some(line.len().min(6)),
                false => conditional(line),
            };
        }
        let first = line.iter().position(|b| !b.is_ascii_whitespace())?;
        match line[first] {
            b'#' if self.quote.is_none() => None,
            b'!' if self.quote.is_none() => conditional(&line[first..]).map(|c| first + c),
            _ => Some(first),
        }
    }
}

/// Where the code of a line for some compilers begins: `!@cuf x = 1`, `!$ x = 1`.
fn conditional(line: &[u8]) -> Option<usize> {
    let word = |w: &str| {
        let begins = line.get(..w.len())?.eq_ignore_ascii_case(w.as_bytes());
        begins.then_some(w.len())
    };
    word("!@cuf").or_else(|| word("!$ "))
}

fn is_continuation(line: &[u8]) -> bool {
    let blank = line.len() > 5 && line[..5].iter().all(|b| *b == b' ');
    blank && !matches!(line[5], b' ' | b'0' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(text: &str) -> String {
        let out = rewritten(text.as_bytes(), false, 0);
        out.map_or_else(|| text.to_owned(), |o| String::from_utf8(o).unwrap())
    }

    #[test]
    fn texts_mean_to_gfortran_what_they_mean_to_nvfortran() {
        assert_eq!(free(r"s = 'it\'s' ! don\'t"), r"s = 'it''s' ! don\'t");
        assert_eq!(free(r#"s = "a\"b\'c\x41\n""#), r#"s = "a""b'cx41\n"  "#);
        assert_eq!(
            free(r"s = '\\'; t = '\q'//'\\\''"),
            r"s = '\\'; t = 'q' //'\\'''"
        );
        // Without another end.
        assert_eq!(free(r"s = 'C:\'"), r"s = 'C:\'");
        assert_eq!(free("s = 'a\\&\n  &b'"), "s = 'a\\&\n  &b'");
        assert_eq!(free("s = 'a\\qc&\n  &b'//x"), "s = 'aqc&\n  &b' //x");
        assert_eq!(
            free("#define X '\\q'\n!@cuf s = '\\q'\n"),
            "#define X '\\q'\n!@cuf s = 'q' \n"
        );
        assert_eq!(free(r"print '(a,\)', x"), r"print '(a,\)', x");
    }

    #[test]
    fn fixed_form() {
        let text = "c don\\'t 'x\\q'\n      s = 'a\\q'\n      t = 'a\\qb\n     &c\\'d'\n";
        let expected = "c don\\'t 'x\\q'\n      s = 'aq' \n      t = 'a\\qb\n     &c''d'\n";
        let out = rewritten(text.as_bytes(), true, 72).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
