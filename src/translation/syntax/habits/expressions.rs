//! Operators and literals of other languages in expressions.

use super::Found;
use super::lines::{Statement, closing, first_word, is_name, word_at};
use crate::syntax::keywords::begins_statement;

/// A variable, an element, or a component: nothing but names, parentheses, and `%`.
pub(super) fn is_variable(text: &str) -> bool {
    let mut rest = text.trim();
    loop {
        let word = first_word(rest);
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        rest = rest[word.len()..].trim_start();
        if rest.starts_with('(') {
            match closing(rest, 0) {
                Some(close) => rest = rest[close + 1..].trim_start(),
                None => return false,
            }
        }
        match rest.strip_prefix('%') {
            Some(component) => rest = component.trim_start(),
            None => return rest.is_empty(),
        }
    }
}

/// The statement may have a list with `<<<...>>>` in it.
fn is_launch(s: &Statement) -> bool {
    s.text.contains("<<<")
        || matches!(first_word(&s.text), "cout" | "cin" | "cerr")
        || s.text.contains(">>>")
        || s.text.starts_with('!')
        || first_word(&s.text) == "call"
}

/// Operators that Fortran writes with another sign or as a function.
pub(super) fn operators(s: &Statement) -> Option<Found> {
    let other = |at: usize, operator: &str, fortran: &str| {
        let message =
            format!("`{operator}` is not an operator in Fortran\nhelp: write `{fortran}`");
        Found::new(at, at + operator.len(), message)
    };
    if let Some(at) = s.ampersand {
        let before = s.text[..at].trim_end();
        let next = s.written[at + 1..].trim_start();
        if before.ends_with(['(', ',', '=']) {
            let word = first_word(next);
            let message = format!("`&` does not take an address in Fortran\nhelp: write `{word}`");
            return Some(Found::new(at, at + 1, message).replaced("", !word.is_empty()));
        }
        return Some(other(at, "&", "iand(a, b)"));
    }
    if let Some(at) = s.text.find('^') {
        return Some(other(at, "^", "**").replaced("**", true));
    }
    if let Some(at) = s
        .text
        .find('|')
        .filter(|at| !s.text[*at..].starts_with("||"))
    {
        return Some(other(at, "|", "ior(a, b)"));
    }
    for (operator, fortran) in [("<>", "/="), ("=<", "<="), ("<-", "=")] {
        if let Some(at) = s.text.find(operator)
            && (operator != "<-" || is_variable(&s.text[..at]))
        {
            return Some(other(at, operator, fortran).replaced(fortran, true));
        }
    }
    if !is_launch(s) {
        for (operator, fortran) in [(">>", "shiftr(a, n)"), ("<<", "shiftl(a, n)")] {
            if let Some(at) = s.text.find(operator) {
                return Some(other(at, operator, fortran));
            }
        }
    }
    None
}

/// `not a`, `a and b`, `if (a => b)`, `a == 1`
pub(super) fn words(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    let condition = matches!(word, "if" | "else" | "elseif" | "do" | "while");
    let text = &s.text;
    if condition || s.text.contains('=') {
        for (name, fortran) in [("not", ".not."), ("and", ".and."), ("or", ".or.")] {
            let mut from = 0;
            while let Some(at) = word_at(text, name, from) {
                from = at + name.len();
                let before = text[..at].trim_end();
                let after = text[from..].trim_start();
                let operand = after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '(');
                let is_operator = match name {
                    "not" => before.ends_with(['(', '=', '.']) && text[from..].starts_with(' '),
                    _ => before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == ')'),
                };
                if operand && is_operator && !text[..at].ends_with('.') {
                    let message =
                        format!("`{name}` is not an operator in Fortran\nhelp: write `{fortran}`");
                    return Some(Found::new(at, from, message).replaced(fortran, true));
                }
            }
        }
    }
    if condition && let Some(at) = text.find("=>") {
        let message = "`=>` does not compare\nhelp: write `>=`";
        return Some(Found::new(at, at + 2, message).replaced(">=", true));
    }
    let at = text.find("==")?;
    (is_variable(&text[..at]) && !begins_statement(word)).then(|| {
        let message = "`==` compares and does not assign\nhelp: write `=`";
        Found::new(at, at + 2, message).replaced("=", true)
    })
}

/// A character literal that is not closed.
pub(super) fn quote(s: &Statement) -> Option<Found> {
    let at = s.quote?;
    // An apostrophe in a comment or text of another language.
    if at > 0 && is_name(s.text.as_bytes()[at - 1]) {
        return None;
    }
    let mark = &s.written[at..=at];
    let message =
        format!("character literal is not closed in this line\nhelp: write the second `{mark}`");
    Some(Found::new(at, s.text.len(), message))
}
