//! The statements of a file, read from its bytes without the help of what is tested: which bytes are code, and where one statement ends and the
//! next begins. Knows free and fixed form, sentinels and the preprocessor's lines, and nothing of what statements mean.

/// How a file is read.
#[derive(Clone, Copy, Default)]
pub struct Form {
    pub fixed: bool,
    pub preprocessed: bool,
    pub openmp: bool,
}

/// A statement or CUF directive. Of one that is cut by conditionals of the preprocessor there are several with one start: what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub start: usize,
    pub end: usize,
    /// The branch of the preprocessor's conditionals that it begins in.
    pub branch: usize,
}

/// A branch of a conditional of the preprocessor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Branch {
    /// The branch around the conditional.
    pub parent: usize,
    /// The conditional: what its branches have in common.
    pub chain: usize,
    /// It is behind #else.
    pub otherwise: bool,
}

/// What is in a file. Branch 0 is what stands outside of all conditionals.
pub struct Read {
    pub statements: Vec<Written>,
    pub branches: Vec<Branch>,
}

/// Reads a file whose characters of interest are single bytes.
pub fn read(bytes: &[u8], form: Form) -> Read {
    let mut r = Reader {
        form,
        current: Vec::new(),
        directive: None,
        directive_goes_on: false,
        quote: None,
        depth: 0,
        empty: Vec::new(),
        comment: false,
        continued: false,
        open: vec![0],
        cut: Vec::new(),
        elsewhere: false,
        chains: 0,
        out: Read {
            statements: Vec::new(),
            branches: vec![Branch::default()],
        },
    };
    let mut at = if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let mut in_preprocessor = Preprocessor::default();
    let mut included = false;
    for line in bytes[at..].split_inclusive(|b| *b == b'\n') {
        let text = line.trim_ascii_end();
        let begins = !in_preprocessor.goes_on && !in_preprocessor.in_comment;
        if in_preprocessor.takes(text, form.preprocessed) {
            if begins {
                r.conditional(text);
                included |= form.preprocessed
                    && is_include(
                        text.trim_ascii_start()
                            .get(1..)
                            .unwrap_or_default()
                            .trim_ascii_start(),
                    );
            }
        } else if r.elsewhere {
            break;
        } else if form.fixed {
            r.fixed_line(text, at);
        } else {
            // A statement may go on behind #include, or end in that file: what begins with a word is another one.
            let word = text.trim_ascii_start().first();
            if included && word.is_some_and(|b| b.is_ascii_alphabetic() || *b == b'!') {
                r.end_statement();
                r.continued = false;
            }
            included &= word.is_none();
            r.free_line(text, at);
        }
        at += line.len();
    }
    r.end_statement();
    r.end_directive();
    let is_nothing = |s: &Written| {
        let text = &bytes[s.start..s.end];
        let word = text.split(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        let word = word.into_iter().next().unwrap_or_default();
        let rest = &text[word.len()..];
        // With its arguments.
        let alone = rest.is_empty() || rest.starts_with(b"(") && rest.ends_with(b")");
        alone && r.empty.iter().any(|e| e == word)
    };
    // The rest of one that begins in the file that includes this.
    let is_rest = |s: &Written| bytes[s.start] == b',';
    r.out.statements.retain(|s| !is_nothing(s) && !is_rest(s));
    r.out.statements.sort_by_key(|s| (s.start, s.end));
    r.out.statements.dedup();
    r.out
}

/// Lines of the preprocessor, with those that they continue on.
#[derive(Default)]
struct Preprocessor {
    goes_on: bool,
    in_comment: bool,
}

impl Preprocessor {
    fn takes(&mut self, line: &[u8], preprocessed: bool) -> bool {
        let own = self.goes_on || self.in_comment || line.starts_with(b"#");
        if !own {
            return false;
        }
        let text = String::from_utf8_lossy(line);
        let mut rest = if preprocessed { &*text } else { "" };
        while !rest.is_empty() {
            let mark = if self.in_comment { "*/" } else { "/*" };
            let Some((_, after)) = rest.split_once(mark) else {
                break;
            };
            self.in_comment = !self.in_comment;
            rest = after;
        }
        self.goes_on = preprocessed && line.ends_with(b"\\");
        true
    }
}

/// A statement that a conditional begins within.
struct Cut {
    /// As it was before the conditional.
    before: Vec<Written>,
    continued: bool,
    /// As the branches that ended have left it.
    after: Vec<Written>,
    otherwise: bool,
}

struct Reader {
    form: Form,
    /// The statement being read: of each branch that its conditionals have the one that it is there.
    current: Vec<Written>,
    directive: Option<Written>,
    /// Its last line ends with an ampersand.
    directive_goes_on: bool,
    quote: Option<u8>,
    /// Parentheses that are open: the arguments of a macro may go on in the next line.
    depth: usize,
    /// Macros that stand for nothing, or for a comment: code that only the preprocessor knows to be none.
    empty: Vec<Vec<u8>>,
    /// In a comment of C behind code.
    comment: bool,
    /// Of free form: the last line with code ends with an ampersand.
    continued: bool,
    /// The branches around this line, from the outside.
    open: Vec<usize>,
    /// What the conditionals that are open cut in two.
    cut: Vec<Cut>,
    /// #line says that these are lines of another file.
    elsewhere: bool,
    chains: usize,
    out: Read,
}

impl Reader {
    fn branch(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    fn conditional(&mut self, line: &[u8]) {
        let Some(rest) = line.strip_prefix(b"#").filter(|_| self.form.preprocessed) else {
            return;
        };
        let rest = String::from_utf8_lossy(rest.trim_ascii_start()).into_owned();
        let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next();
        let word = word.unwrap_or_default();
        // Macros that stand for nothing, or for a comment.
        let name = rest.strip_prefix("define").map(str::trim);
        let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let nothing = name.filter(|n| {
            let (_, body) = n.split_at(n.find(|c| !part_of_name(c)).unwrap_or(n.len()));
            let body = match body.split_once(')') {
                Some((_, after)) if body.starts_with('(') => after,
                _ => body,
            };
            body.is_empty() || body.trim_start().starts_with('!')
        });
        let name = nothing.and_then(|n| n.split(|c| !part_of_name(c)).next());
        self.empty.extend(name.map(|n| n.as_bytes().to_vec()));
        self.elsewhere |= word == "line" && rest.contains('"');
        self.cut_statement(word);
        let (chain, begins) = match word {
            "if" | "ifdef" | "ifndef" => {
                self.chains += 1;
                (self.chains, true)
            }
            "elif" | "else" | "endif" => {
                let last = if self.open.len() > 1 {
                    self.open.pop()
                } else {
                    None
                };
                (
                    last.map_or(0, |b| self.out.branches[b].chain),
                    word != "endif",
                )
            }
            _ => return,
        };
        if begins {
            self.out.branches.push(Branch {
                parent: self.branch(),
                chain,
                otherwise: word == "else",
            });
            self.open.push(self.out.branches.len() - 1);
        }
    }

    /// A statement goes on in all branches of a conditional that it is cut by, and behind it as each has left it.
    fn cut_statement(&mut self, word: &str) {
        match word {
            "if" | "ifdef" | "ifndef" => self.cut.push(Cut {
                before: self.current.clone(),
                continued: self.continued,
                after: Vec::new(),
                otherwise: false,
            }),
            "elif" | "else" => {
                if let Some(cut) = self.cut.last_mut() {
                    cut.after.append(&mut self.current);
                    cut.otherwise |= word == "else";
                    self.current = cut.before.clone();
                    self.continued = cut.continued;
                }
            }
            "endif" => {
                if let Some(cut) = self.cut.pop() {
                    self.current.extend(cut.after);
                    if !cut.otherwise {
                        self.current.extend(cut.before);
                        // Left out, what ends the statement is not there.
                        self.continued |= cut.continued;
                    }
                    self.current.sort_by_key(|s| (s.start, s.end));
                    self.current.dedup();
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, at: usize) {
        if self.current.is_empty() {
            let branch = self.branch();
            self.current.push(Written {
                start: at,
                end: at,
                branch,
            });
        }
        for s in &mut self.current {
            s.end = at + 1;
        }
    }

    fn end_statement(&mut self) {
        self.out.statements.append(&mut self.current);
        self.depth = 0;
    }

    fn end_directive(&mut self) {
        self.out.statements.extend(self.directive.take());
        self.directive_goes_on = false;
    }

    /// A line of a directive after its sentinel, which begins at `at`; with `continues` it belongs to the one before.
    fn directive_line(&mut self, text: &[u8], sentinel: usize, at: usize, continues: bool) {
        if !continues && !self.directive_goes_on {
            self.end_directive();
        }
        let code = text.iter().position(|b| *b == b'!').unwrap_or(text.len());
        let code = text[..code].trim_ascii_end();
        self.directive_goes_on = code.ends_with(b"&");
        let code = code.strip_suffix(b"&").unwrap_or(code).trim_ascii_end();
        let branch = self.branch();
        let d = self.directive.get_or_insert(Written {
            start: sentinel,
            end: sentinel,
            branch,
        });
        if !code.is_empty() {
            d.end = at + code.len();
        }
    }

    fn free_line(&mut self, text: &[u8], at: usize) {
        let inside = if self.comment {
            self.over_comment(text, 0)
        } else {
            None
        };
        let text_from = inside.unwrap_or(0);
        let blanks = text[text_from..]
            .iter()
            .take_while(|b| b.is_ascii_whitespace());
        let mut i = text_from + blanks.count();
        let begins = text[i..].to_ascii_lowercase();
        if begins.starts_with(b"!$cuf") {
            let rest = &text[i + 5..];
            let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
            let marked = rest.get(blanks) == Some(&b'&');
            let skip = blanks + usize::from(marked);
            return self.directive_line(&rest[skip..], at + i, at + i + 5 + skip, marked);
        }
        if begins.starts_with(b"!@cuf") {
            i += 5;
        } else if self.form.openmp && begins.starts_with(b"!$ ") {
            i += 2;
        } else if begins.is_empty() || begins[0] == b'!' || is_include(&begins) && !self.continued {
            return;
        }
        self.end_directive();
        i += text[i..]
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .count();
        if self.continued {
            i += usize::from(text.get(i) == Some(&b'&'));
        } else if self.depth == 0 || !self.form.preprocessed {
            self.quote = None;
            self.end_statement();
        }
        self.continued = false;
        while let Some(&b) = text.get(i) {
            if let Some(next) = self.over_comment(text, i) {
                i = next;
                continue;
            }
            let after = text[i + 1..].trim_ascii_start();
            let last = after.is_empty() || self.quote.is_none() && after[0] == b'!';
            if b == b'&' && last {
                self.continued = true;
                return;
            }
            if self.character(b, at + i) {
                return;
            }
            i += 1 + self.hollerith(text, i, at);
        }
    }

    fn fixed_line(&mut self, text: &[u8], at: usize) {
        let first = text.first().copied().unwrap_or(b' ').to_ascii_lowercase();
        let begins = text.to_ascii_lowercase();
        if matches!(first, b'c' | b'*' | b'!') && begins[1..].starts_with(b"$cuf") {
            let continues = text.get(5).is_some_and(|b| !matches!(b, b' ' | b'0'));
            return self.directive_line(text.get(6..).unwrap_or_default(), at, at + 6, continues);
        }
        let conditional = matches!(first, b'c' | b'*' | b'!')
            && (begins[1..].starts_with(b"@cuf")
                || self.form.openmp && begins[1..].starts_with(b"$ "));
        let skipped = match conditional {
            true if begins[1..].starts_with(b"@cuf") => 5,
            true => 2,
            false => 0,
        };
        let code = text[skipped..].trim_ascii_start();
        let comment = !conditional && matches!(first, b'c' | b'*' | b'd') || code.is_empty();
        let blanks = text.len() - code.len();
        if comment || code[0] == b'!' && blanks != 5 || is_include(&code.to_ascii_lowercase()) {
            return;
        }
        self.end_directive();
        // Columns: a tab goes to the statement, or to the mark of a continuation that is a digit.
        let tab = text.iter().take(6).position(|b| *b == b'\t');
        let (label, mark, body) = match tab {
            Some(t) => match text.get(t + 1) {
                Some(b'1'..=b'9') => (t, true, t + 2),
                _ => (t, false, t + 1),
            },
            None => {
                let mark = text.get(5).is_some_and(|b| !matches!(b, b' ' | b'0'));
                (5, mark, 6)
            }
        };
        if !mark {
            self.quote = None;
            self.end_statement();
            for (i, b) in text.iter().enumerate().take(label).skip(skipped) {
                if !b.is_ascii_whitespace() {
                    self.add(at + i);
                }
            }
        }
        let end = if tab.is_some() {
            text.len()
        } else {
            text.len().min(72)
        };
        let mut i = body;
        while i < end {
            if self.character(text[i], at + i) {
                return;
            }
            i += 1 + self.hollerith(&text[..end], i, at);
        }
    }

    /// Where a comment of C that is at `i` ends; it may go on in the next lines.
    fn over_comment(&mut self, text: &[u8], i: usize) -> Option<usize> {
        let begins = self.quote.is_none() && text[i..].starts_with(b"/*");
        if !self.form.preprocessed || !(begins || self.comment) {
            return None;
        }
        let from = if self.comment { i } else { i + 2 };
        let end = text[from..].windows(2).position(|w| w == b"*/");
        self.comment = end.is_none();
        Some(end.map_or(text.len(), |n| from + n + 2))
    }

    /// A character of code; true if a comment begins with it.
    fn character(&mut self, b: u8, at: usize) -> bool {
        match self.quote {
            Some(q) if b == q => self.quote = None,
            Some(_) => {}
            None => match b {
                b'!' => return true,
                b';' => {
                    self.end_statement();
                    return false;
                }
                b'\'' | b'"' => self.quote = Some(b),
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            },
        }
        if !b.is_ascii_whitespace() {
            self.add(at);
        }
        false
    }

    /// How many characters behind the `h` at `i` are a Hollerith constant's, which is code.
    fn hollerith(&mut self, text: &[u8], i: usize, at: usize) -> usize {
        if self.quote.is_some() || !text[i].eq_ignore_ascii_case(&b'h') {
            return 0;
        }
        let digits = text[..i].iter().rev().take_while(|b| b.is_ascii_digit());
        let from = i - digits.count();
        let before = from.checked_sub(1).map(|b| text[b]);
        let inside = before.is_some_and(|b| b.is_ascii_alphanumeric() || b"_*.".contains(&b));
        let count = String::from_utf8_lossy(&text[from..i]).parse().unwrap_or(0);
        if inside || i + count >= text.len() {
            return 0;
        }
        for n in i + 1..=i + count {
            self.add(at + n);
        }
        count
    }
}

/// An INCLUDE line, which is no statement.
fn is_include(lower: &[u8]) -> bool {
    let rest = lower.strip_prefix(b"include").map(<[u8]>::trim_ascii_start);
    rest.is_some_and(|r| r.starts_with(b"'") || r.starts_with(b"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, form: Form) -> Vec<(&str, usize)> {
        let found = read(text.as_bytes(), form).statements.into_iter();
        found.map(|s| (&text[s.start..s.end], s.branch)).collect()
    }

    #[test]
    fn free_form() {
        let text = "10 a: do; x = 'b!;' // &\n ! c\n\n & y ! z\n!$cuf kernel do &\n!$cuf& <<<*, *>>>\n!@cuf use cudafor\n include 'x'\n!$omp x\nend";
        let found = of(text, Form::default());
        let wanted = [
            "10 a: do",
            "x = 'b!;' // &\n ! c\n\n & y",
            "!$cuf kernel do &\n!$cuf& <<<*, *>>>",
            "use cudafor",
            "end",
        ];
        assert_eq!(found, wanted.map(|w| (w, 0)));
    }

    #[test]
    fn fixed_form_and_branches() {
        let form = Form {
            fixed: true,
            preprocessed: true,
            ..Form::default()
        };
        let text = "c x\n   10 a = 5h! ;'x\n     1 + b ! c\n#if 1 /* a\n#endif */\n      c\n#else\nd\n      e;f\n#endif\n\tg\n\t1h\n";
        let wanted = [
            ("10 a = 5h! ;'x\n     1 + b", 0),
            ("c", 1),
            ("e", 2),
            ("f", 2),
            ("g\n\t1h", 0),
        ];
        assert_eq!(of(text, form), wanted);
    }
}
