//! Kernels: a definition's body becomes a closure over the parameters.

use std::collections::BTreeSet;

use super::refusals::refuse;
use super::tokens::Kind;
use super::{Code, Edit};

const GLOBAL: &str = "__global__";

/// The kernels of a file.
#[derive(Default)]
pub(super) struct Kernels {
    /// With a body.
    defined: BTreeSet<String>,
    /// Functions, not templates, without defaults of arguments.
    declared: BTreeSet<String>,
}

impl Kernels {
    /// Whether the kernel of this name is declared and not defined here.
    pub(super) fn is_elsewhere(&self, name: &str) -> bool {
        self.declared.contains(name) && !self.defined.contains(name)
    }
}

/// The macros that stand for `__global__` and what comes behind it, without the parameters and the body.
pub(super) fn macros(code: &Code<'_>) -> BTreeSet<String> {
    let global = (0..code.tokens.len()).filter(|&k| code.text(k) == GLOBAL);
    let opened = global.filter(|&k| function(code, k).is_none());
    opened
        .filter_map(|k| macro_of(code, k))
        .map(str::to_owned)
        .collect()
}

/// The macro in whose definition the token is.
fn macro_of<'a>(code: &Code<'a>, at: usize) -> Option<&'a str> {
    let directive = code.tokens[at].directive;
    let first = code
        .tokens
        .iter()
        .position(|t| t.directive == directive && directive != 0)?;
    (code.text(first + 1) == "define").then(|| code.text(first + 2))
}

/// What `__global__` declares.
struct Function {
    /// The parentheses of the parameters.
    open: usize,
    close: usize,
    /// The brace of the body.
    body: Option<usize>,
}

/// Rewrites the kernels of a text.
pub(super) fn rewrite(
    code: &Code<'_>,
    macros: &BTreeSet<String>,
    edits: &mut Vec<Edit>,
) -> Kernels {
    let mut kernels = Kernels::default();
    for at in (0..code.tokens.len()).filter(|&k| code.is_name(k)) {
        let word = code.text(at);
        let definition = macro_of(code, at) == Some(word);
        if definition || word != GLOBAL && !macros.contains(word) {
            continue;
        }
        if word == GLOBAL {
            let token = code.tokens[at];
            edits.push(Edit::replacement(code, token.start, token.end, ""));
        }
        let Some(function) = function(code, at) else {
            if macro_of(code, at).is_none_or(|m| !macros.contains(m)) {
                edits.push(refuse(
                    code,
                    at,
                    "a kernel whose parameters and body cannot be found: write them behind `__global__`",
                ));
            }
            continue;
        };
        let body = function.body.map(|open| (open, code.close_of(open)));
        match body {
            Some((open, Some(close))) => {
                let place = code.tokens[open].end;
                let opening = " ::cuf::own::kernel_body([=]() mutable -> void {";
                edits.push(Edit::insertion(place, opening));
                edits.push(Edit::insertion(code.tokens[close].start, "}); "));
                kernels.defined.extend(name(code, &function));
            }
            Some((open, None)) => edits.push(refuse(
                code,
                open,
                "the end of this kernel cannot be found: the branches of `#if` have different braces",
            )),
            None if is_template(code, at) || has_defaults(code, &function) => {}
            None => kernels.declared.extend(name(code, &function)),
        }
    }
    kernels
}

/// The name before the parameters, if it is one and not a template's with arguments.
fn name(code: &Code<'_>, function: &Function) -> Option<String> {
    let before = function.open.checked_sub(1)?;
    code.is_name(before).then(|| code.text(before).to_owned())
}

/// The function that the `__global__` at `at` belongs to.
fn function(code: &Code<'_>, at: usize) -> Option<Function> {
    let mut parameters: Option<(usize, usize)> = None;
    let mut behind = 0;
    for k in code.following(at) {
        if k < behind {
            continue;
        }
        match (code.tokens[k].kind, parameters) {
            (Kind::Symbol(b'('), _) => {
                let close = code.close_of(k)?;
                // `noexcept(...)` is behind them.
                let specifier = ["noexcept", "requires", "decltype"].contains(&code.text(k - 1));
                if !specifier {
                    parameters = Some((k, close));
                }
                behind = close + 1;
            }
            (Kind::Symbol(b'{' | b';'), Some((open, close))) => {
                let body = code.is_symbol(k, b'{').then_some(k);
                return Some(Function { open, close, body });
            }
            (Kind::Symbol(b'{' | b'}' | b';' | b'='), _) => return None,
            _ => {}
        }
    }
    None
}

/// Whether `template` begins the declaration.
fn is_template(code: &Code<'_>, at: usize) -> bool {
    let ends = |k: &usize| {
        code.together(*k, at) && !matches!(code.tokens[*k].kind, Kind::Symbol(b';' | b'{' | b'}'))
    };
    let mut before = (0..at).rev().take_while(ends);
    before.any(|k| code.text(k) == "template")
}

fn has_defaults(code: &Code<'_>, function: &Function) -> bool {
    (function.open..function.close).any(|k| code.is_symbol(k, b'='))
}
