//! What is inside of functions and classes, and what only in namespaces.

use super::Code;
use super::tokens::Kind;

/// Per token whether it is in a function or a class, and not only in namespaces. Macros count as being in functions.
pub(super) fn inside_functions(code: &Code<'_>) -> Vec<bool> {
    let mut open: Vec<bool> = Vec::new();
    let mut scopes = Vec::with_capacity(code.tokens.len());
    for (k, token) in code.tokens.iter().enumerate() {
        scopes.push(token.directive != 0 || open.contains(&true));
        if token.directive != 0 || token.alternative {
            continue;
        }
        match token.kind {
            Kind::Symbol(b'{') => open.push(!opens_namespace(code, k)),
            Kind::Symbol(b'}') => {
                open.pop();
            }
            _ => {}
        }
    }
    scopes
}

/// Whether the brace is that of a namespace or of `extern "C"`.
fn opens_namespace(code: &Code<'_>, brace: usize) -> bool {
    let before = |n: usize| brace.checked_sub(n).map_or("", |k| code.text(k));
    if before(2) == "extern" && before(1).starts_with('"') {
        return true;
    }
    let mut words = (0..brace)
        .rev()
        .take_while(|&k| code.is_name(k) || code.is_symbol(k, b':'));
    words.any(|k| code.text(k) == "namespace")
}
