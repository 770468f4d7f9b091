//! Constructs and procedures that are not closed.

use super::Found;
use super::lines::Statement;

/// What a statement opens or closes.
enum Part {
    Opens(&'static str),
    /// The word after END, empty if there is none.
    Closes(String),
    Other,
}

/// The first construct or procedure without its END statement: its statement, and what to say of it.
pub(super) fn unclosed(all: &[Statement]) -> Option<(usize, Found)> {
    let mut open: Vec<(usize, &'static str)> = Vec::new();
    for (i, s) in all.iter().enumerate() {
        match part(&s.text, &open) {
            Part::Opens(what) => open.push((i, what)),
            Part::Closes(what) => {
                let Some((at, inner)) = open.pop() else {
                    let end = s.written.trim();
                    let message = format!("`{end}` closes nothing\nhelp: remove it");
                    return Some((i, Found::new(0, s.text.len(), message).of_construct()));
                };
                if what.is_empty() || what == inner {
                    continue;
                }
                // The construct around it is closed: this one is not, unless there are as many END statements as there should be.
                let outer = open.iter().any(|(_, outer)| *outer == what);
                return Some(match outer && !is_balanced(all) {
                    true => (at, not_closed(&all[at], inner, Some(s))),
                    false => {
                        let end = s.written.trim();
                        let message = format!(
                            "`{end}` does not close the `{inner}` that is open here\nhelp: write `end {inner}`"
                        );
                        (i, Found::new(0, s.text.len(), message).of_construct())
                    }
                });
            }
            Part::Other => {
                // A unit begins inside of another one.
                if matches!(first(&s.text), "program" | "module")
                    && let Some((at, inner)) = open.last()
                    && begins_unit(&s.text)
                {
                    return Some((*at, not_closed(&all[*at], inner, Some(s))));
                }
            }
        }
    }
    let (at, inner) = open.pop()?;
    Some((at, not_closed(&all[at], inner, None)))
}

/// There are as many END statements as constructs and procedures.
fn is_balanced(all: &[Statement]) -> bool {
    let mut interface: Vec<(usize, &'static str)> = Vec::new();
    let (mut opened, mut closed) = (0, 0);
    for (i, s) in all.iter().enumerate() {
        match part(&s.text, &interface) {
            Part::Opens(what) => {
                opened += 1;
                if what == "interface" {
                    interface.push((i, what));
                }
            }
            Part::Closes(what) => {
                closed += 1;
                if what == "interface" {
                    interface.pop();
                }
            }
            Part::Other => {}
        }
    }
    opened == closed
}

fn not_closed(s: &Statement, what: &str, before: Option<&Statement>) -> Found {
    let place = match before {
        Some(b) => {
            let shown: String = b.written.trim().chars().take(40).collect();
            format!(" before `{shown}`")
        }
        None => " at the end".to_owned(),
    };
    let message = format!("`{what}` has no `end {what}`\nhelp: write `end {what}`{place}");
    Found::new(0, s.text.len(), message).of_construct()
}

fn first(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// `program p`, `module m`; not `module procedure` or `module subroutine`.
fn begins_unit(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (word, name) = (words.next(), words.next());
    match (word, name) {
        (Some("program"), Some(name)) => !name.starts_with('=') && !name.starts_with('('),
        (Some("module"), Some(name)) => {
            !matches!(name, "procedure" | "subroutine" | "function" | "=")
                && ![
                    "pure",
                    "elemental",
                    "recursive",
                    "impure",
                    "real",
                    "integer",
                    "logical",
                    "attributes",
                    "type",
                ]
                .iter()
                .any(|w| name.starts_with(w))
                && words.next().is_none()
        }
        _ => false,
    }
}

fn part(text: &str, open: &[(usize, &'static str)]) -> Part {
    // A construct name.
    let text = match text.split_once(':') {
        Some((name, rest)) if !rest.starts_with(':') && first(name) == name.trim() => {
            rest.trim_start()
        }
        _ => text,
    };
    let word = first(text);
    let rest = text[word.len()..].trim_start();
    if let Some(end) = word.strip_prefix("end") {
        let assigned = rest.starts_with('=') || rest.starts_with('(') || rest.starts_with('%');
        let closes = |w: &str| WORDS.contains(&w).then(|| w.to_owned());
        if end.is_empty() && !assigned {
            return match closes(first(rest)) {
                Some(what) => Part::Closes(what),
                None if rest.is_empty() => Part::Closes(String::new()),
                None => Part::Other,
            };
        }
        if let Some(what) = closes(end).filter(|_| !assigned) {
            return Part::Closes(what);
        }
        return Part::Other;
    }
    if rest.starts_with('=') && !rest.starts_with("==") {
        return Part::Other;
    }
    let interface = open.last().is_some_and(|(_, w)| *w == "interface");
    match word {
        "if" if text.ends_with("then") || missing_then(text) => Part::Opens("if"),
        // A label closes some loops; they are not followed.
        "do" if !rest.starts_with(|c: char| c.is_ascii_digit()) => Part::Opens("do"),
        "select" => Part::Opens("select"),
        "where" if is_whole(rest) => Part::Opens("where"),
        "forall" if is_whole(rest) => Part::Opens("forall"),
        "associate" if rest.starts_with('(') => Part::Opens("associate"),
        "block" if rest.is_empty() => Part::Opens("block"),
        "interface" => Part::Opens("interface"),
        "abstract" if rest.starts_with("interface") => Part::Opens("interface"),
        "type" if !rest.starts_with('(') && !rest.is_empty() => Part::Opens("type"),
        "program" if begins_unit(text) && open.is_empty() => Part::Opens("program"),
        "module" if begins_unit(text) && open.is_empty() => Part::Opens("module"),
        "submodule" => Part::Opens("submodule"),
        "module" if rest.starts_with("procedure") && !interface && !rest.contains("::") => {
            Part::Opens("procedure")
        }
        _ => match procedure(text) {
            Some(what) => Part::Opens(what),
            None => Part::Other,
        },
    }
}

/// What END may be followed by.
pub(super) const WORDS: [&str; 15] = [
    "if",
    "do",
    "select",
    "where",
    "forall",
    "associate",
    "block",
    "interface",
    "type",
    "program",
    "module",
    "submodule",
    "procedure",
    "subroutine",
    "function",
];

/// `(...)` and nothing after it.
fn is_whole(rest: &str) -> bool {
    let mut depth = 0;
    for (i, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return i + 1 == rest.len();
                }
            }
            _ => {}
        }
    }
    false
}

fn missing_then(text: &str) -> bool {
    is_whole(text[2..].trim_start())
}

/// A SUBROUTINE or FUNCTION statement: the word with nothing but prefixes before it and a name after it.
pub(in crate::translation::syntax) fn procedure(text: &str) -> Option<&'static str> {
    for what in ["subroutine", "function"] {
        let Some(at) = text.find(what) else { continue };
        let bytes = text.as_bytes();
        let starts = at == 0 || matches!(bytes[at - 1], b' ' | b')');
        let named = text[at + what.len()..].strip_prefix(' ');
        let name = named.map(str::trim_start).unwrap_or_default();
        let before = &text[..at];
        let prefixes = !before.contains(['=', ':', '\'', '"', '%', '<']) && first(text) != "call";
        let kinds = before.contains('=') && before.contains("kind");
        if starts
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (prefixes || kinds)
            && first(before) != "end"
        {
            return Some(what);
        }
    }
    None
}
