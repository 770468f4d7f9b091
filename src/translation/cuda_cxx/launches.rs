//! Launches: `callee<<<configuration>>>(arguments)`.

use std::ops::Range;

use super::kernels::Kernels;
use super::refusals::refuse;
use super::tokens::Kind;
use super::{Code, Edit};

/// The bytes of a launch.
pub(super) struct Launch {
    pub(super) callee: Range<usize>,
    /// Between `<<<` and `>>>`.
    pub(super) configuration: Range<usize>,
    /// With their parentheses.
    pub(super) arguments: Range<usize>,
    /// The kernel has no body in this file.
    pub(super) elsewhere: bool,
}

/// Names before parentheses or operands that are not called.
const KEYWORDS: [&str; 12] = [
    "return",
    "else",
    "do",
    "if",
    "while",
    "for",
    "switch",
    "case",
    "co_return",
    "co_yield",
    "throw",
    "constexpr",
];

/// The launches of a text by their beginnings; those that cannot be read are refused.
pub(super) fn find(code: &Code<'_>, kernels: &Kernels, edits: &mut Vec<Edit>) -> Vec<Launch> {
    let mut found = Vec::new();
    for at in 0..code.tokens.len() {
        let begins = code.is_joined(at, b"<<<")
            && !(at > 0 && (code.text(at - 1) == "operator" || code.is_joined(at - 1, b"<<")));
        if !begins {
            continue;
        }
        match launch(code, at, kernels) {
            Some(launch) => found.push(launch),
            None => edits.push(refuse(
                code,
                at,
                "a launch whose kernel, `>>>` or arguments come from a macro cannot be read: write `kernel<<<...>>>(...)` in one place",
            )),
        }
    }
    found.sort_by_key(|l| l.callee.start);
    found
}

/// The launch whose `<<<` is at `open`.
fn launch(code: &Code<'_>, open: usize, kernels: &Kernels) -> Option<Launch> {
    let start = callee_start(code, open)?;
    let (close, arguments) = configuration_end(code, open + 2)?;
    let end = code.close_of(arguments)?;
    let place = |at: usize| code.tokens[at].start;
    let after = |at: usize| code.tokens[at].end;
    // `a::b::k`
    let plain = (start..open).all(|k| code.is_name(k) || code.is_symbol(k, b':'));
    Some(Launch {
        callee: place(start)..after(open - 1),
        configuration: after(open + 2)..place(close),
        arguments: place(arguments)..after(end),
        elsewhere: plain && kernels.is_elsewhere(code.text(open - 1)),
    })
}

/// The `>>>` of the configuration that begins behind `at`, and the parenthesis behind it.
fn configuration_end(code: &Code<'_>, at: usize) -> Option<(usize, usize)> {
    let mut depth = 0_usize;
    for k in code.following(at) {
        match code.tokens[k].kind {
            Kind::Symbol(b'(' | b'[' | b'{') => depth += 1,
            Kind::Symbol(b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            Kind::Symbol(b';') if depth == 0 => return None,
            // The last three of `>>>>` are the chevrons.
            Kind::Symbol(b'>')
                if depth == 0
                    && code.is_joined(k, b">>>")
                    && code.is_symbol(k + 3, b'(')
                    && code.together(k, k + 3) =>
            {
                return Some((k, k + 3));
            }
            _ => {}
        }
    }
    None
}

/// The first token of the expression before `end`.
fn callee_start(code: &Code<'_>, end: usize) -> Option<usize> {
    let mut at = end;
    loop {
        at = primary_start(code, at, end)?;
        // What it is qualified with.
        let before = |n: usize| at.checked_sub(n).filter(|k| code.together(*k, end));
        if before(1).is_some_and(|k| code.text(k) == "template") {
            at -= 1;
        }
        let before = |n: usize| at.checked_sub(n).filter(|k| code.together(*k, end));
        if before(2).is_some_and(|k| code.is_joined(k, b"::")) {
            let of = before(3).filter(|&k| {
                code.is_symbol(k, b'>') || code.is_name(k) && !KEYWORDS.contains(&code.text(k))
            });
            at -= 2;
            if of.is_none() {
                return Some(at);
            }
        } else if before(2).is_some_and(|k| code.is_joined(k, b"->")) {
            at -= 2;
        } else if before(1).is_some_and(|k| code.is_symbol(k, b'.')) {
            at -= 1;
        } else {
            return Some(at);
        }
    }
}

/// The first token of the name, with template arguments, subscripts and calls behind it, or of the parentheses before `end`.
fn primary_start(code: &Code<'_>, end: usize, of: usize) -> Option<usize> {
    let mut at = end;
    loop {
        let last = at.checked_sub(1).filter(|k| code.together(*k, of))?;
        match code.tokens[last].kind {
            Kind::Name if !KEYWORDS.contains(&code.text(last)) => return Some(last),
            Kind::Symbol(b'>') => at = angle_open(code, last)?,
            Kind::Symbol(b']') => at = code.open_of(last)?,
            Kind::Symbol(b')') => {
                at = code.open_of(last)?;
                let called = at.checked_sub(1).filter(|k| code.together(*k, of));
                let called =
                    called.is_some_and(|k| code.is_name(k) && !KEYWORDS.contains(&code.text(k)));
                if !called {
                    return Some(at);
                }
            }
            _ => return None,
        }
    }
}

/// The `<` of the template arguments that end at `close`.
fn angle_open(code: &Code<'_>, close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = close;
    loop {
        match code.tokens[at].kind {
            Kind::Symbol(b'>') if !(at > 0 && code.is_joined(at - 1, b"->")) => depth += 1,
            Kind::Symbol(b'<') => depth -= 1,
            Kind::Symbol(b')' | b']' | b'}') => at = code.open_of(at)?,
            Kind::Symbol(b';' | b'{' | b'(' | b'[') => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at = at.checked_sub(1).filter(|k| code.together(*k, close))?;
    }
}
