//! Dynamic shared memory: `extern __shared__ T name[];`.

use super::refusals::refuse;
use super::{ALIGNMENTS, Code, Edit, scopes};

/// Words of the declaration that are not of the type.
const SPECIFIERS: [&str; 4] = ["extern", "__shared__", "__device__", "static"];

/// Rewrites the declarations of a text.
pub(super) fn rewrite(code: &Code<'_>, edits: &mut Vec<Edit>) {
    let scopes = scopes::inside_functions(code);
    for (at, inside) in scopes.iter().copied().enumerate() {
        if code.text(at) != "__shared__" {
            continue;
        }
        let start = code.statement_start(at);
        let end = code.following(at).find(|&k| code.is_symbol(k, b';'));
        // A macro need not end with a semicolon.
        let end = end.or_else(|| code.following(at).last().map(|k| k + 1));
        let Some(end) = end else { continue };
        if !(start..end).any(|k| code.text(k) == "extern") {
            continue;
        }
        match declaration(code, start, end, inside) {
            Some(text) => {
                let (first, last) = (code.tokens[start].start, code.tokens[end - 1].end);
                edits.push(Edit::replacement(code, first, last, text));
            }
            None => edits.push(refuse(
                code,
                start,
                "`extern __shared__` declares one array without an extent: `extern __shared__ float s[];`",
            )),
        }
    }
}

/// The declaration of a pointer in the place of these tokens.
fn declaration(code: &Code<'_>, start: usize, end: usize, inside: bool) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    let mut at = start;
    while !code.is_symbol(at, b'[') {
        if at >= end {
            return None;
        }
        if ALIGNMENTS.contains(&code.text(at)) {
            at = code.close_of(at + 1)? + 1;
            continue;
        }
        if !SPECIFIERS.contains(&code.text(at)) {
            words.push(code.text(at));
        }
        at += 1;
    }
    let name = words.pop()?;
    let extents = (at + 2..end).map(|k| code.text(k)).collect::<String>();
    let plain = code.is_symbol(at + 1, b']') && !extents.contains([',', '=']);
    if !plain || words.is_empty() || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let element = format!("{}{extents}", words.join(" "));
    Some(match inside {
        true => format!("auto* const {name} = ::cuf::dynamic_shared<{element}>()"),
        false => format!("static const ::cuf::own::dynamic_array<{element}> {name}{{}}"),
    })
}
