//! Conditions of the preprocessor where only some macros are known.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::macros::word_end;

/// What `#if`, `#ifdef`, `#ifndef` and `#elif` ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `#else`, `#if 0`
    Constant(bool),
    /// `#ifdef A`, `defined(A)`
    Defined(String),
    /// `#if A`
    True(String),
    /// `#if A == 4`, with the digits
    Equals(String, String),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// Something else about these macros.
    Other(BTreeSet<String>),
}

/// How a macro is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MacroUse {
    /// So many conditions are about it.
    pub chooses: usize,
    /// So many of them leave out CUDA Fortran.
    pub cuda: usize,
    /// `#ifdef`, `defined`
    pub defined: bool,
    /// `#if M`
    pub truth: bool,
    /// Its value is compared, or it is one of compilers'.
    pub other: bool,
    /// The whole numbers that it is compared with by `==` and `!=`.
    pub compared: BTreeSet<String>,
    /// The numbers that it is compared with in other ways: `#if M > 2`.
    pub bounds: BTreeSet<String>,
    /// The program gives it a value, or takes it away.
    pub given: bool,
    /// Where the first condition is: the file and the line.
    pub place: Option<(PathBuf, u32)>,
}

impl MacroUse {
    /// What either says.
    pub fn or(self, other: &MacroUse) -> MacroUse {
        MacroUse {
            chooses: self.chooses + other.chooses,
            cuda: self.cuda + other.cuda,
            defined: self.defined | other.defined,
            truth: self.truth | other.truth,
            other: self.other | other.other,
            compared: &self.compared | &other.compared,
            bounds: &self.bounds | &other.bounds,
            given: self.given | other.given,
            place: self.place.or_else(|| other.place.clone()),
        }
    }
}

/// A conditional's directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    Open(Condition),
    /// `#elif`, `#else`
    Middle(Condition),
    Close,
}

impl Directive {
    /// The directive in a line, whose continuation lines have been joined; None: it is another one, or none.
    pub fn of(line: &str) -> Option<Directive> {
        let text = line.trim_start().strip_prefix('#')?.trim_start();
        let text = &without_comments(text);
        let (word, rest) = text.split_at(word_end(text));
        let rest = rest.trim();
        let name = || {
            let end = word_end(rest);
            match end > 0 {
                true => Condition::Defined(rest[..end].to_owned()),
                false => Condition::Other(BTreeSet::new()),
            }
        };
        Some(match word.to_ascii_lowercase().as_str() {
            "ifdef" => Directive::Open(name()),
            "ifndef" => Directive::Open(Condition::Not(Box::new(name()))),
            "if" => Directive::Open(Condition::of(rest)),
            "elif" => Directive::Middle(Condition::of(rest)),
            "else" => Directive::Middle(Condition::Constant(true)),
            "endif" => Directive::Close,
            _ => return None,
        })
    }
}

/// A directive's text without comments of C.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        out.push(' ');
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

impl Condition {
    fn of(text: &str) -> Condition {
        let mut rest = text;
        match any(&mut rest) {
            Some(condition) if rest.trim().is_empty() => condition,
            _ => Condition::Other(names(text)),
        }
    }

    /// Its value, if what is `known` decides it.
    pub fn value(&self, known: &dyn Fn(&Condition) -> Option<bool>) -> Option<bool> {
        let several = |all: &[Condition], decisive: bool| {
            let mut undecided = false;
            for c in all {
                match c.value(known) {
                    Some(v) if v == decisive => return Some(decisive),
                    Some(_) => {}
                    None => undecided = true,
                }
            }
            (!undecided).then_some(!decisive)
        };
        match self {
            Condition::Constant(v) => Some(*v),
            Condition::Defined(_) | Condition::True(_) | Condition::Equals(..) => known(self),
            Condition::Not(c) => c.value(known).map(|v| !v),
            Condition::All(all) => several(all, false),
            Condition::Any(all) => several(all, true),
            Condition::Other(_) => None,
        }
    }

    /// Its parts that ask for a macro.
    pub fn parts(&self) -> Vec<&Condition> {
        match self {
            Condition::Constant(_) => Vec::new(),
            Condition::Defined(_)
            | Condition::True(_)
            | Condition::Equals(..)
            | Condition::Other(_) => vec![self],
            Condition::Not(c) => c.parts(),
            Condition::All(all) | Condition::Any(all) => {
                all.iter().flat_map(Condition::parts).collect()
            }
        }
    }
}

/// The names in an expression with the numbers that `<` and `>` compare them with.
pub(super) fn bounds(text: &str) -> Vec<(&str, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let last =
        |text: &'_ str| text.trim_end().len() - text.trim_end().trim_end_matches(is_word).len();
    let mut out = Vec::new();
    for (at, _) in text.match_indices(['<', '>']) {
        let before = text[..at].trim_end();
        let after = text[at + 1..].trim_start_matches('=').trim_start();
        let left = &before[before.len() - last(before)..];
        let right = &after[..after.find(|c| !is_word(c)).unwrap_or(after.len())];
        let is_number = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit());
        match (word_end(left) > 0, word_end(right) > 0) {
            (true, _) if !is_number(left) && is_number(right) => out.push((left, right)),
            (_, true) if is_number(left) && !is_number(right) => out.push((right, left)),
            _ => {}
        }
    }
    out
}

/// All names in an expression.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_name = |w: &&str| word_end(w) > 0 && !w.starts_with(|c: char| c.is_ascii_digit());
    let names = words.filter(|w| is_name(w) && *w != "defined");
    names.map(str::to_owned).collect()
}

fn any(rest: &mut &str) -> Option<Condition> {
    several(rest, "||", all, Condition::Any)
}

fn all(rest: &mut &str) -> Option<Condition> {
    several(rest, "&&", one, Condition::All)
}

fn several(
    rest: &mut &str,
    operator: &str,
    part: fn(&mut &str) -> Option<Condition>,
    of: fn(Vec<Condition>) -> Condition,
) -> Option<Condition> {
    let first = part(rest)?;
    let mut parts = vec![first];
    while let Some(after) = rest.trim_start().strip_prefix(operator) {
        *rest = after;
        parts.push(part(rest)?);
    }
    match parts.len() {
        1 => parts.pop(),
        _ => Some(of(parts)),
    }
}

/// Expressions that are longer are not read: each character may nest.
const MAX_LENGTH: usize = 1000;

fn one(rest: &mut &str) -> Option<Condition> {
    *rest = rest.trim_start();
    if rest.len() > MAX_LENGTH {
        return None;
    }
    if let Some(after) = rest.strip_prefix('!').filter(|a| !a.starts_with('=')) {
        *rest = after;
        return Some(Condition::Not(Box::new(one(rest)?)));
    }
    if let Some(after) = rest.strip_prefix('(') {
        *rest = after;
        let inner = any(rest)?;
        *rest = rest.trim_start().strip_prefix(')')?;
        return Some(inner);
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        let value: u64 = rest[..digits].parse().ok()?;
        *rest = &rest[digits..];
        return Some(Condition::Constant(value != 0));
    }
    let word = take_word(rest)?;
    if word != "defined" {
        return match compared(rest) {
            Some((value, true)) => Some(Condition::Equals(word, value)),
            Some((value, false)) => Some(Condition::Not(Box::new(Condition::Equals(word, value)))),
            None => Some(Condition::True(word)),
        };
    }
    *rest = rest.trim_start();
    let inner = rest.strip_prefix('(');
    *rest = inner.unwrap_or(rest).trim_start();
    let name = take_word(rest)?;
    if inner.is_some() {
        *rest = rest.trim_start().strip_prefix(')')?;
    }
    Some(Condition::Defined(name))
}

/// `== 4` or `!= 4` with nothing of an expression behind it: the digits, and whether the value has to be that.
fn compared(rest: &mut &str) -> Option<(String, bool)> {
    let text = rest.trim_start();
    let is_equal = text.starts_with("==");
    let number = text.strip_prefix("==").or(text.strip_prefix("!="))?;
    let number = number.trim_start();
    let digits = number.len()
        - number
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .len();
    let (value, after) = number.split_at(digits);
    let next = after.trim_start();
    let ends = ["", ")", "&&", "||"].iter().any(|e| match *e {
        "" => next.is_empty(),
        e => next.starts_with(e),
    });
    // Octal numbers have other digits.
    let is_plain = value == "0" || digits > 0 && !value.starts_with('0');
    (ends && is_plain).then(|| {
        *rest = after;
        (value.to_owned(), is_equal)
    })
}

fn take_word(rest: &mut &str) -> Option<String> {
    let end = word_end(rest);
    let (word, after) = rest.split_at(end);
    *rest = after;
    (end > 0).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(line: &str, a: bool) -> Option<bool> {
        let Some(Directive::Open(condition)) = Directive::of(line) else {
            panic!("{line} opens nothing");
        };
        condition.value(&|c| match c {
            Condition::Defined(n) | Condition::True(n) if n == "A" => Some(a),
            _ => None,
        })
    }

    #[test]
    fn what_is_known_decides() {
        for (line, with, without) in [
            ("#ifdef A", Some(true), Some(false)),
            (" # ifndef A /* a */", Some(false), Some(true)),
            ("#if A", Some(true), Some(false)),
            ("#if !defined(A) /* x", Some(false), Some(true)),
            ("#if defined A && defined ( B )", None, Some(false)),
            ("#if defined(A) || B", Some(true), None),
            ("#if (A) && !(B || 1)", Some(false), Some(false)),
            ("#if A == 2", None, None),
            ("#if A + 0", None, None),
            ("#if A == 2 && B", None, None),
            ("#if A == 2 + 1 || 1", None, None),
            ("#if 0", Some(false), Some(false)),
        ] {
            assert_eq!(
                (value(line, true), value(line, false)),
                (with, without),
                "{line}"
            );
        }
    }
}
