//! Declarations and procedure statements as other languages write them.

use super::Found;
use super::lines::{Statement, closing, first_word, word_at};
use crate::suggest::nearest;
use crate::syntax::decl::is_attribute;

/// Types of C and what Fortran has instead.
const C_TYPES: [(&str, &str); 12] = [
    ("unsigned long long", "integer(8)"),
    ("unsigned int", "integer"),
    ("unsigned", "integer"),
    ("long long", "integer(8)"),
    ("long", "integer(8)"),
    ("size_t", "integer(8)"),
    ("bool", "logical"),
    ("char", "character"),
    ("double", "real(8)"),
    ("float", "real"),
    ("int", "integer"),
    ("void", "subroutine"),
];

const TYPES: [&str; 8] = [
    "integer",
    "real",
    "logical",
    "complex",
    "character",
    "type",
    "class",
    "double precision",
];

/// `float x`, `const int n = 3`, `intger :: i`
pub(super) fn types(s: &Statement) -> Option<Found> {
    if let Some(rest) = s.text.strip_prefix("const ") {
        let rest = rest.trim_start();
        let (c, fortran) = C_TYPES.iter().find(|(c, _)| rest.starts_with(c))?;
        let value = rest[c.len()..].trim_start();
        let value = &s.written[s.text.len() - value.len()..];
        let help = format!("{fortran}, parameter :: {value}");
        let message = format!("`const` is not Fortran\nhelp: write `{help}`");
        let mut found = Found::new(0, 5, message);
        found.change = Some((0, s.text.len(), help, *c != "void"));
        return Some(found);
    }
    let declares =
        |rest: &str| rest.starts_with(|c: char| c.is_whitespace() || c == ',' || c == ':');
    let c_type = C_TYPES.iter().find(|(c, _)| {
        let rest = s.text.strip_prefix(c);
        rest.is_some_and(|rest| {
            declares(rest)
                && !["precision", "complex"]
                    .iter()
                    .any(|w| rest.trim_start().starts_with(w))
        })
    });
    if let Some((c, fortran)) = c_type {
        let message = format!("`{c}` is not a type in Fortran\nhelp: write `{fortran}`");
        return Some(Found::new(0, c.len(), message).replaced(*fortran, *c != "void"));
    }
    let word = first_word(&s.text);
    let rest = &s.text[word.len()..];
    if !s.text.contains("::") || !declares(rest) && !rest.starts_with('(') {
        return None;
    }
    let meant = nearest(word, TYPES)?;
    let shown = &s.written[..word.len()];
    let message = format!("`{shown}` is not a type\nhelp: did you mean `{meant}`?");
    Some(Found::new(0, word.len(), message).replaced(meant, false))
}

/// The end of a type with its parameters that the text begins with.
fn type_spec(text: &str) -> Option<usize> {
    let spec = TYPES.iter().find(|t| {
        let rest = text.strip_prefix(**t);
        rest.is_some_and(|r| r.is_empty() || r.starts_with([' ', ',', ':', '(']))
    })?;
    let rest = &text[spec.len()..];
    let open = text.len() - rest.trim_start().len();
    match text[open..].starts_with('(') {
        true => closing(text, open).map(|c| c + 1),
        false => Some(spec.len()),
    }
}

/// `real, device x`, `real, device : x`, `device real :: x`
pub(super) fn attributes(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    if is_attribute(word) {
        let rest = s.text[word.len()..].trim_start_matches([' ', ',']);
        let from = s.text.len() - rest.len();
        let end = from + type_spec(rest)?;
        let help = format!("{}, {}", &s.written[from..end], &s.written[..word.len()]);
        let message =
            format!("type of a declaration must precede its attributes\nhelp: write `{help} ::`");
        let mut found = Found::new(0, word.len(), message);
        found.change = Some((0, end, help, s.text.contains("::")));
        return Some(found);
    }
    let mut at = type_spec(&s.text)?;
    if s.text.contains("::") || s.text.contains("function") {
        return None;
    }
    let mut front = s.written[..at].to_owned();
    let mut attributes = 0;
    loop {
        let rest = s.text[at..].trim_start();
        let from = s.text.len() - rest.len();
        // The comma after the type may have been taken for a superfluous one.
        let word = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        let name = first_word(word);
        if is_attribute(name) {
            attributes += 1;
            let start = s.text.len() - word.len();
            at = start + name.len();
            if s.text[at..].starts_with('(') {
                at = closing(&s.text, at)? + 1;
            }
            front = format!("{front}, {}", &s.written[start..at]);
        } else if rest.starts_with(':') {
            let message = "`:` does not separate the names from the type\nhelp: write `::`";
            return Some(Found::new(from, from + 1, message).replaced("::", true));
        } else if attributes > 0 && rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let names = &s.written[from..];
            let message =
                format!("`::` is missing after the attributes\nhelp: write `{front} :: {names}`");
            let mut found = Found::new(from, from + first_word(rest).len(), message);
            found.change = Some((from, from, ":: ".to_owned(), true));
            return Some(found);
        } else {
            return None;
        }
    }
}

/// `global subroutine k`, `subroutine attributes(global) k`
pub(super) fn prefix(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    let rest = s.text[word.len()..].trim_start();
    let at = s.text.len() - rest.len();
    let procedure = |t: &str| matches!(first_word(t), "subroutine" | "function");
    if procedure(&s.text) && rest.starts_with("attributes") {
        let open = at + rest.find('(')?;
        let close = closing(&s.text, open)? + 1;
        let name = s.written[close..].trim_start();
        let shown = &s.written[at..close];
        let help = format!("{shown} {} {name}", &s.written[..word.len()]);
        let message = format!("`{shown}` must precede `{word}`\nhelp: write `{help}`");
        let mut found = Found::new(at, close, message);
        found.change = Some((0, s.text.len(), help, true));
        found.spoils_rest = true;
        return Some(found);
    }
    const ATTRIBUTES: [(&str, &str); 5] = [
        ("global", "global"),
        ("kernel", "global"),
        ("device", "device"),
        ("host", "host"),
        ("grid_global", "grid_global"),
    ];
    let (_, attribute) = ATTRIBUTES.iter().find(|(w, _)| *w == word)?;
    let types = type_spec(rest).map_or(rest, |end| rest[end..].trim_start());
    if word_at(types, "subroutine", 0) != Some(0) && word_at(types, "function", 0) != Some(0) {
        return None;
    }
    let message =
        format!("`{word}` is not a prefix of a procedure\nhelp: write `attributes({attribute})`");
    let by = format!("attributes({attribute})");
    let mut found = Found::new(0, word.len(), message).replaced(by, true);
    found.spoils_rest = true;
    Some(found)
}
