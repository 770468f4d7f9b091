//! Directives of the preprocessor, as they are written.

use super::macros::word_end;
use super::preprocessing_record::{Item, ItemKind};

/// The macro that a line gives or takes a value, be it in a branch that was left out, and the value.
pub(super) fn given(item: &Item) -> Option<(&str, &str)> {
    if !matches!(item.kind, ItemKind::Definition | ItemKind::Skipped(_)) {
        return None;
    }
    let line = item.text().next()?;
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let (word, rest) = rest.split_at(word_end(rest));
    if !["define", "undef"].contains(&word.to_ascii_lowercase().as_str()) {
        return None;
    }
    let rest = rest.trim_start();
    let (name, body) = rest.split_at(word_end(rest));
    (!name.is_empty()).then(|| (name, body.trim()))
}

/// The names in the condition of a directive.
pub(super) fn asked(item: &Item) -> Vec<&str> {
    let mut names = Vec::new();
    for line in item.text() {
        let line = line.split("/*").next().unwrap_or_default();
        let mut rest = line.trim_start().trim_start_matches('#').trim_start();
        while let Some(c) = rest.chars().next() {
            let end = match c.is_ascii_digit() {
                true => rest
                    .find(|c: char| !c.is_ascii_alphanumeric())
                    .unwrap_or(rest.len()),
                false => word_end(rest),
            };
            if end > 0 && !c.is_ascii_digit() {
                names.push(&rest[..end]);
            }
            rest = &rest[end.max(c.len_utf8())..];
        }
    }
    names.retain(|n| {
        !["if", "ifdef", "ifndef", "elif", "else", "defined"]
            .contains(&n.to_ascii_lowercase().as_str())
    });
    names
}

/// A directive as gfortran's preprocessor knows it: in the first column, in lower case.
pub(super) fn directive(line: &str) -> String {
    let body = line.trim_start();
    let rest = body.strip_prefix('#').unwrap_or(body);
    let blanks = rest.len() - rest.trim_start().len();
    let word = &rest[blanks..];
    let word = &word[..word_end(word)];
    let after = &rest[blanks + word.len()..];
    format!("#{}{}{after}", &rest[..blanks], word.to_ascii_lowercase())
}
