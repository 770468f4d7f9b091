//! What `cpp -traditional-cpp`, which gfortran runs, makes of a line: a second reading of the macros, to be compared with the one of
//! [`macros`](super::macros), which follows nvfortran.
//!
//! It takes the words after digits (`1e5`) and in comments for macros, too, knows neither `##` nor `#`, and fails where a macro stands
//! in its own expansion. What is not certain here counts as another reading.

use super::macros::{EMPTY_COMMENT, Macros, Place, is_comment, predefined, word_end};

/// Expansions on one line beyond which it counts as another reading.
const MAX_COUNT: usize = 1000;

/// A line, be it left out, that changes the meaning of lines around it, or a directive that is none for that preprocessor.
pub(super) fn is_doubtful_line(text: &str) -> bool {
    let body = text.trim_start();
    if let Some(directive) = body.strip_prefix('#') {
        let word = directive.trim_start();
        let word = &word[..word_end(word)];
        return body.len() != text.len()
            || word.bytes().any(|b| b.is_ascii_uppercase())
            || word == "define" && is_variadic(directive)
            || is_open_comment(directive);
    }
    text.trim_end().ends_with('\\')
}

/// That preprocessor, which knows no comments of Fortran, takes other comments of C out of a line than those without which it is
/// `stripped`; the line begins in one if `before`, and ends in one if `after`.
pub(super) fn strips_otherwise(text: &str, before: bool, stripped: &str, after: bool) -> bool {
    if !before && !text.contains("/*") {
        return false;
    }
    let mut out = String::with_capacity(text.len());
    let (mut quote, mut inside) = (None, before);
    let mut rest = text;
    let directive = text.trim_start().strip_prefix('#').map(str::trim_start);
    let parts = directive.is_some_and(|d| !before && !d.starts_with("define"));
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        if inside {
            if rest.starts_with("*/") {
                (inside, length) = (false, 2);
                if parts {
                    out.push(' ');
                }
            }
        } else if quote.is_none() && rest.starts_with("/*") {
            (inside, length) = (true, 2);
        } else {
            match quote {
                Some(q) => quote = Some(q).filter(|q| *q != c),
                None => quote = Some(c).filter(|c| *c == '\'' || *c == '"'),
            }
            out.push(c);
        }
        rest = &rest[length..];
    }
    inside != after || code(&out) != code(stripped)
}

/// `#define F(...)`
fn is_variadic(directive: &str) -> bool {
    let head = directive
        .split_once('(')
        .map(|(_, rest)| rest.split(')').next().unwrap_or(rest));
    head.is_some_and(|parameters| parameters.contains("..."))
}

/// The last comment of C does not end on the line.
fn is_open_comment(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        match rest[at + 2..].find("*/") {
            Some(end) => rest = &rest[at + end + 4..],
            None => return true,
        }
    }
    false
}

/// That preprocessor reads a line of code at `place` as `expanded`, comments aside.
pub(super) fn agrees(macros: &Macros, place: &Place<'_>, written: &str, expanded: &str) -> bool {
    let mut reading = Reading {
        macros,
        place,
        count: 0,
    };
    match reading.expanded(written, &mut Vec::new()) {
        Some(text) if text == expanded => true,
        Some(text) => code(&text) == code(expanded),
        None => false,
    }
}

/// A line without its comment, and without the blanks outside of texts.
fn code(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut quote = None;
    for (i, c) in line.char_indices() {
        match quote {
            Some(q) => {
                out.push(c);
                quote = Some(q).filter(|q| *q != c);
            }
            None if c == '!' && is_comment(&line[i..]) => break,
            None if c == ' ' || c == '\t' => {
                // One blank may part two words.
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            None => {
                if c == '\'' || c == '"' {
                    quote = Some(c);
                }
                out.push(c);
            }
        }
    }
    without_idle_blanks(out.trim())
}

/// Blanks between other than words make no difference.
fn without_idle_blanks(text: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if let Some(q) = quote {
            quote = Some(q).filter(|q| *q != c);
        } else if c == '\'' || c == '"' {
            quote = Some(c);
        } else if c == ' '
            && !(out.ends_with(word) && chars.peek().is_some_and(|n| word(*n) || *n == '.'))
        {
            continue;
        }
        out.push(c);
    }
    out
}

struct Reading<'a> {
    macros: &'a Macros,
    place: &'a Place<'a>,
    count: usize,
}

impl Reading<'_> {
    /// None: not certain.
    fn expanded(&mut self, text: &str, active: &mut Vec<String>) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        let mut quote: Option<char> = None;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c == EMPTY_COMMENT {
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let begins = c.is_ascii_alphabetic() || c == '_';
            if !begins || quote.is_some() {
                match quote {
                    Some(q) => quote = Some(q).filter(|q| *q != c),
                    None if c == '\'' || c == '"' => quote = Some(c),
                    None => {}
                }
                out.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let (word, after) = rest.split_at(word_end(rest));
            rest = after;
            if word == "__LINE__" || word == "__FILE__" && keeps_name(self.place.file) {
                let value = self.macros.expand(word, self.place, &mut Vec::new());
                out.push_str(&value.ok()?);
                continue;
            }
            if predefined(word) || word == "_OPENMP" {
                return None;
            }
            let Some((parameters, body)) = self.macros.definition(word) else {
                out.push_str(word);
                continue;
            };
            let called = after.trim_start().starts_with('(');
            if parameters.is_some() && !called && !after.trim().is_empty() {
                out.push_str(word);
                continue;
            }
            self.count += 1;
            let plain = |text: &str| !text.contains(['#', '\'', '"', '\\', '!']);
            if self.count > MAX_COUNT || !plain(body) || active.iter().any(|a| a == word) {
                return None;
            }
            let body = match parameters {
                None => body.to_owned(),
                Some(parameters) => {
                    let (arguments, used) = arguments(after)?;
                    rest = &after[used..];
                    if arguments.len() != parameters.len() || !arguments.iter().all(|a| plain(a)) {
                        return None;
                    }
                    substituted(body, parameters, &arguments)
                }
            };
            // What stands on its two sides becomes one word.
            let body = body.replace(EMPTY_COMMENT, "");
            active.push(word.to_owned());
            let expansion = self.expanded(&body, active);
            active.pop();
            out.push_str(&expansion?);
        }
        Some(out)
    }
}

/// The file has the same name in the output: `.CUF` becomes `.F90`.
fn keeps_name(file: &str) -> bool {
    let extension = file.rsplit('.').next();
    matches!(extension, Some("F90" | "F" | "h" | "fh" | "inc"))
}

/// The arguments in the parentheses that a text begins with, and the length of these.
fn arguments(after: &str) -> Option<(Vec<&str>, usize)> {
    let mut depth = 0usize;
    let mut out = Vec::new();
    let mut start = 0;
    for (i, c) in after.char_indices() {
        match c {
            '(' => {
                depth += 1;
                if depth == 1 {
                    start = i + 1;
                }
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    out.push(&after[start..i]);
                    return Some((out, i + 1));
                }
            }
            ',' if depth == 1 => {
                out.push(&after[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    None
}

fn substituted(body: &str, parameters: &[String], arguments: &[&str]) -> String {
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        if !(c.is_ascii_alphabetic() || c == '_') {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(word_end(rest));
        rest = after;
        let given = parameters.iter().position(|p| p == word);
        out.push_str(given.and_then(|k| arguments.get(k)).unwrap_or(&word));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::macros::{Macros, Place};
    use super::{agrees, is_doubtful_line, strips_otherwise};

    fn check(definition: &str, written: &str, expanded: &str) -> bool {
        let mut m = Macros::default();
        m.define_from(definition).expect("definition");
        let place = Place {
            file: "a.CUF",
            line: 7,
        };
        agrees(&m, &place, written, expanded)
    }

    #[test]
    fn plain_macros_are_read_alike() {
        assert!(check("RP 8", "real(RP) :: x", "real(8) :: x"));
        assert!(check("RP 8", "'RP' ! RP", "'RP' ! RP"));
        assert!(check("ADD(a,b) (a + b)", "x = ADD(1, n)", "x = (1 +  n)"));
        assert!(check("N 3", "x = __LINE__", "x = 7"));
    }

    #[test]
    fn what_is_read_otherwise() {
        assert!(!check("e5 9", "x = 1e5", "x = 1e5"));
        assert!(!check("P(x) x##_p", "P(q)", "q_p"));
        assert!(!check("ADD(a,b) a", "y = 1 ! ADD(", "y = 1 ! ADD("));
        assert!(!check("r r", "r = 1", "r = 1"));
        assert!(!check("S(x) \"x\"", "S(a)", "\"a\""));
        assert!(!check("N 3", "x = __DATE__", "x = 7"));
        assert!(!check("N 3", "x = __FILE__", "x = \"a.CUF\""));
    }

    #[test]
    fn lines_that_reach_beyond_themselves() {
        assert!(is_doubtful_line("  #endif"));
        assert!(is_doubtful_line("#ENDIF"));
        assert!(is_doubtful_line("x = 1 \\"));
        assert!(is_doubtful_line("#define F(a, ...) a"));
        assert!(!is_doubtful_line("#define F(a) g(a, '...')"));
        assert!(!is_doubtful_line("#endif /* X */"));
        assert!(strips_otherwise("! /* begins", false, "! /* begins", false));
        let quoted = "! it's /* begins";
        assert!(!strips_otherwise(quoted, false, quoted, false));
        let both = "! a /* b */ c";
        assert!(!strips_otherwise(both, false, both, false));
        assert!(!strips_otherwise("x = 1 /* y", false, "x = 1 ", true));
        assert!(!strips_otherwise("y */ + 2", true, " + 2", false));
    }
}
