//! Device code that differs in the kind of its reals only: it is written once, with a name for the type.

use std::borrow::Cow;

use super::merge::directives;
use super::tree::lines;
use crate::translate::BothChoices;

/// The types that the macro chooses among: with it, and without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kinds {
    /// What the type is called.
    pub name: String,
    /// The macro chooses `float`.
    pub with_is_float: bool,
}

const FLOAT: &str = "float";
const DOUBLE: &str = "double";

/// The words, numbers, texts and signs of lines; comments and directives are one each.
pub(super) fn tokens<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    lines.iter().flat_map(|l| tokens_of(l)).collect()
}

fn tokens_of(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = line.trim();
    if rest.starts_with('#') {
        return vec![rest];
    }
    while !rest.is_empty() {
        let end = length(rest);
        out.push(rest[..end].trim_end());
        rest = rest[end..].trim_start();
    }
    out
}

/// The length of the first token.
fn length(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = text.chars().next().unwrap_or(' ');
    if text.starts_with("//") {
        return text.len();
    }
    if first == '"' || first == '\'' {
        let mut escaped = false;
        for (at, c) in text.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == first => return at + 1,
                _ => {}
            }
        }
        return text.len();
    }
    if is_number(text) {
        let mut before = ' ';
        for (at, c) in text.char_indices() {
            let sign = (c == '+' || c == '-') && matches!(before, 'e' | 'E');
            if !(is_part(c) || c == '.' || c == '\'' || sign) {
                return at;
            }
            before = c;
        }
        return text.len();
    }
    match text.find(|c| !is_part(c)) {
        Some(0) => first.len_utf8(),
        Some(end) => end,
        None => text.len(),
    }
}

fn is_number(token: &str) -> bool {
    let digits = token.strip_prefix('.').unwrap_or(token);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// A real without a suffix that is, made a single precision number, what it is with the suffix for it.
fn is_exact(number: &str) -> bool {
    let is_real = is_number(number) && number.contains(['.', 'e']) && !number.starts_with("0x");
    let value: Option<(f32, f64)> = (number.parse().ok()).zip(number.parse().ok());
    is_real && value.is_some_and(|(single, double)| (double as f32).to_bits() == single.to_bits())
}

impl Kinds {
    /// The kinds that both texts of a program differ by, if they do, with a name that is not in them.
    pub fn of<'t>(pairs: impl Iterator<Item = [&'t str; 2]> + Clone) -> Option<Kinds> {
        // Whether the macro makes what differs a float is told by most.
        let mut floats = 0i32;
        for [a, b] in pairs.clone() {
            let count = |text: &str, word| {
                let all = tokens(&lines(text)).into_iter();
                all.filter(|t| *t == word).count() as i32
            };
            floats += count(a, FLOAT) - count(b, FLOAT);
        }
        let texts = pairs.flatten();
        let mut names =
            std::iter::once("real_t".to_owned()).chain((2..).map(|n| format!("real{n}_t")));
        let is_free = |name: &String| !texts.clone().any(|t| t.contains(name.as_str()));
        let name = names.find(is_free)?;
        (floats != 0).then_some(Kinds {
            name,
            with_is_float: floats > 0,
        })
    }

    fn word(&self, side: usize) -> &'static str {
        match self.with_is_float == (side == 0) {
            true => FLOAT,
            false => DOUBLE,
        }
    }

    /// What lines are but for the kinds.
    pub fn key(lines: &[&str]) -> String {
        let token = |t: &str| match t {
            FLOAT | DOUBLE => "\u{3}".to_owned(),
            _ if is_number(t) && t.contains(['.', 'e']) => t.trim_end_matches('f').to_owned(),
            _ => t.to_owned(),
        };
        tokens(lines)
            .into_iter()
            .map(|t| token(t) + "\u{4}")
            .collect()
    }

    /// Lines of both sides in one, if they differ by the kinds only.
    pub fn united<'t>(&self, a: &[&'t str], b: &[&'t str]) -> Option<Vec<Cow<'t, str>>> {
        let (single, double) = match self.with_is_float {
            true => (tokens(a), b),
            false => (tokens(b), a),
        };
        let all: Vec<&str> = tokens(double);
        if single.len() != all.len() {
            return None;
        }
        let mut at = 0;
        let mut out = Vec::new();
        for line in double {
            let mut text = String::new();
            let mut rest = *line;
            for token in tokens_of(line) {
                let before = rest.find(token)?;
                text.push_str(&rest[..before]);
                rest = &rest[before + token.len()..];
                match (single[at], token) {
                    (s, d) if s == d => text.push_str(d),
                    (FLOAT, DOUBLE) => {
                        // This would be read as a number.
                        let is_call = all.get(at + 1) == Some(&"(");
                        if is_call && all.get(at + 2).is_some_and(|t| is_number(t)) {
                            return None;
                        }
                        text.push_str(&self.name);
                    }
                    (s, d) if s.strip_suffix('f') == Some(d) && is_exact(d) => {
                        text.push_str(&format!("{}({d})", self.name));
                    }
                    _ => return None,
                }
                at += 1;
            }
            text.push_str(rest);
            out.push(match text == *line {
                true => Cow::Borrowed(*line),
                false => Cow::Owned(text),
            });
        }
        Some(out)
    }

    /// The tokens of a text in which the name stands, as a side has them; with the places of their first ones.
    pub fn expanded<'t>(&self, tokens: &[&'t str], side: usize) -> Vec<(usize, Cow<'t, str>)> {
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if *token != self.name {
                out.push((at, Cow::Borrowed(*token)));
                at += 1;
                continue;
            }
            match tokens.get(at + 1..at + 4) {
                Some(["(", number, ")"]) if is_number(number) => {
                    out.push((
                        at,
                        match self.word(side) {
                            FLOAT if is_exact(number) => Cow::Owned(format!("{number}f")),
                            _ => Cow::Borrowed(*number),
                        },
                    ));
                    at += 4;
                }
                _ => {
                    out.push((at, Cow::Borrowed(self.word(side))));
                    at += 1;
                }
            }
        }
        out
    }

    /// The lines that define the name.
    pub fn definition(&self, choice: &BothChoices) -> String {
        let ([word, _], name) = (directives(choice), &self.name);
        let [with, without] = [self.word(0), self.word(1)];
        format!(
            "// The type of the reals that {} chooses.\n{word}\nusing {name} = {with};\n#else\nusing {name} = {without};\n#endif\n",
            choice.name
        )
    }
}

/// A text with lines behind its includes, and the line that they begin at.
pub(super) fn with_definition(text: &str, definition: &str) -> (String, usize) {
    let mut out: Vec<&str> = lines(text);
    let (mut at, mut depth, mut pending) = (0, 0, false);
    for (i, line) in out.iter().enumerate() {
        if !(line.trim().is_empty() || line.starts_with("//") || line.starts_with('#')) {
            break;
        }
        depth += i32::from(line.starts_with("#if")) - i32::from(line.starts_with("#endif"));
        pending |= line.starts_with("#include");
        if pending && depth == 0 {
            (at, pending) = (i + 1, false);
        }
    }
    let mut added = vec![""];
    added.extend(definition.lines());
    out.splice(at..at, added);
    (out.join("\n") + "\n", at)
}
