//! Device code that differs in the kinds of its numbers only: it is written once, with names for the types.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::merge::directives;
use super::tree::lines;
use crate::translate::VariantMacro;

/// The types that the macro chooses among.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kinds(Vec<Kind>);

/// A type that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kind {
    name: String,
    /// The type with the macro, and without it.
    types: [&'static str; 2],
}

const FLOAT: &str = "float";
const DOUBLE: &str = "double";

/// Types of which one may stand for another, and how their name begins.
const CLASSES: [(&str, &[&str]); 2] = [
    ("real", &[FLOAT, DOUBLE]),
    ("int", &["int8_t", "int16_t", "int", "int64_t"]),
];

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

impl Kind {
    /// The tokens of both sides are the types.
    fn is_for(&self, a: &str, b: &str) -> bool {
        self.types == [a, b]
    }

    fn is_real(&self) -> bool {
        self.types.contains(&DOUBLE)
    }
}

impl Kinds {
    /// The kinds that both texts of a program differ by, if they do, with names that are not in them.
    pub fn of<'t>(pairs: impl Iterator<Item = [&'t str; 2]> + Clone) -> Option<Kinds> {
        // How much more often a type is in the first texts than in the second ones.
        let mut more: BTreeMap<&str, i64> = BTreeMap::new();
        for pair in pairs.clone().filter(|[a, b]| a != b) {
            for (text, one) in pair.into_iter().zip([1, -1]) {
                for token in tokens(&lines(text)) {
                    *more.entry(token).or_default() += one;
                }
            }
        }
        let more_of = |t: &&&'static str| more.get(**t).copied().unwrap_or(0);
        let texts = pairs.flatten();
        let kind = |(name, types): &(&str, &'static [&'static str])| {
            let with = types.iter().max_by_key(more_of)?;
            let without = types.iter().min_by_key(more_of)?;
            if more_of(&with) <= 0 || more_of(&without) >= 0 {
                return None;
            }
            let numbers = std::iter::once(String::new()).chain((2..).map(|n: u32| n.to_string()));
            let mut names = numbers.map(|n| format!("{name}{n}_t"));
            let is_free = |name: &String| !texts.clone().any(|t| t.contains(name.as_str()));
            let name = names.find(is_free)?;
            Some(Kind {
                name,
                types: [with, without],
            })
        };
        let kinds: Vec<Kind> = CLASSES.iter().filter_map(kind).collect();
        (!kinds.is_empty()).then_some(Kinds(kinds))
    }

    /// What lines are but for the kinds.
    pub fn key(lines: &[&str]) -> String {
        let token = |t: &str| match CLASSES.iter().find(|(_, types)| types.contains(&t)) {
            Some((name, _)) => format!("\u{3}{name}"),
            None if is_number(t) && t.contains(['.', 'e']) => t.trim_end_matches('f').to_owned(),
            None => t.to_owned(),
        };
        tokens(lines)
            .into_iter()
            .map(|t| token(t) + "\u{4}")
            .collect()
    }

    /// Lines of both sides in one, if they differ by the kinds only: the breaks are those of the longer ones.
    pub fn united<'t>(&self, a: &[&'t str], b: &[&'t str]) -> Option<Vec<Cow<'t, str>>> {
        let all = [tokens(a), tokens(b)];
        if all[0].len() != all[1].len() {
            return None;
        }
        let size = |lines: &[&str]| lines.iter().map(|l| l.trim().len()).sum::<usize>();
        let side = usize::from(size(b) >= size(a));
        let mut at = 0;
        let mut out = Vec::new();
        for line in [a, b][side] {
            let mut text = String::new();
            let mut rest = *line;
            for token in tokens_of(line) {
                let before = rest.find(token)?;
                text.push_str(&rest[..before]);
                rest = &rest[before + token.len()..];
                text.push_str(&self.token([&all[0], &all[1]], at)?);
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

    /// A token of both sides in one.
    fn token(&self, all: [&[&str]; 2], at: usize) -> Option<String> {
        let (a, b) = (*all[0].get(at)?, *all[1].get(at)?);
        if a == b {
            return Some(a.to_owned());
        }
        if let Some(kind) = self.0.iter().find(|k| k.is_for(a, b)) {
            // This would be read as a number.
            let next = all[0].get(at + 1..at + 3);
            let is_number = next.is_some_and(|n| n[0] == "(" && is_number(n[1]));
            return (!kind.is_real() || !is_number).then(|| kind.name.clone());
        }
        let real = self.0.iter().find(|k| k.is_real())?;
        let (single, double) = match real.types {
            [FLOAT, _] => (a, b),
            _ => (b, a),
        };
        let is_same = single.strip_suffix('f') == Some(double) && is_exact(double);
        is_same.then(|| format!("{}({double})", real.name))
    }

    /// The tokens of a text in which the names stand, as a side has them; with the places of their first ones.
    pub fn expanded<'t>(&self, tokens: &[&'t str], side: usize) -> Vec<(usize, Cow<'t, str>)> {
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let first = at;
            let kind = self.0.iter().find(|k| k.name == *token);
            let meant = match (kind, tokens.get(at + 1..at + 4)) {
                (None, _) => Cow::Borrowed(*token),
                (Some(kind), Some(["(", number, ")"])) if kind.is_real() && is_number(number) => {
                    at += 3;
                    match kind.types[side] {
                        FLOAT if is_exact(number) => Cow::Owned(format!("{number}f")),
                        _ => Cow::Borrowed(*number),
                    }
                }
                (Some(kind), _) => Cow::Borrowed(kind.types[side]),
            };
            out.push((first, meant));
            at += 1;
        }
        out
    }

    /// The lines that define the names.
    pub fn definition(&self, choice: &VariantMacro) -> String {
        let [word, _] = directives(&choice.in_device_code());
        let of = |side: usize| -> String {
            let kinds = self.0.iter();
            kinds
                .map(|k| format!("using {} = {};\n", k.name, k.types[side]))
                .collect()
        };
        let types = if self.0.len() == 1 {
            "The type"
        } else {
            "The types"
        };
        let name = &choice.name;
        format!(
            "// {types} that {name} chooses.\n{word}\n{}#else\n{}#endif\n",
            of(0),
            of(1)
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
