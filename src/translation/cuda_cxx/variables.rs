//! Device variables: the runtime knows those of files by name, for `cudaMemcpyToSymbol` of Fortran, and gives them their initial
//! values at a reset.

use std::fmt::Write as _;

use super::tokens::Kind;
use super::{ALIGNMENTS, Code, Edit, scopes};

const SPECIFIERS: [&str; 3] = ["__device__", "__constant__", "__managed__"];

/// Registers the variables behind their declarations.
pub(super) fn rewrite(code: &Code<'_>, edits: &mut Vec<Edit>) {
    let inside = scopes::inside_functions(code);
    let mut behind = 0;
    for (at, inside) in inside.iter().copied().enumerate() {
        if at < behind || inside || !SPECIFIERS.contains(&code.text(at)) {
            continue;
        }
        let start = code.statement_start(at);
        let Some((end, names)) = variables(code, start, at) else {
            continue;
        };
        behind = end;
        let managed = (start..end).any(|k| code.text(k) == "__managed__");
        let mut text = String::new();
        for name in names {
            let _ = write!(text, " CUF_OWN_VARIABLE({name}, {managed});");
        }
        edits.push(Edit::insertion(code.tokens[end].end, text));
    }
}

/// The names that the declaration from `start` on, with a specifier at `at`, defines, and its semicolon. None for functions.
fn variables<'a>(code: &Code<'a>, start: usize, at: usize) -> Option<(usize, Vec<&'a str>)> {
    let apart = [
        "extern", "template", "using", "typedef", "struct", "class", "union", "enum",
    ];
    let mut names = Vec::new();
    // The last name, and whether it is that of a declarator already.
    let mut name = None;
    let mut named = false;
    let mut behind = start;
    let mut angles = 0_usize;
    for k in std::iter::once(start).chain(code.following(start)) {
        if k < behind {
            continue;
        }
        let word = code.text(k);
        match code.tokens[k].kind {
            Kind::Name if apart.contains(&word) => return None,
            Kind::Name if ALIGNMENTS.contains(&word) => {
                behind = code.close_of(k + 1)? + 1;
            }
            Kind::Name if !named => name = Some(word),
            Kind::Symbol(b'<') if !named => angles += 1,
            Kind::Symbol(b'>') if !named => angles = angles.checked_sub(1)?,
            Kind::Symbol(b'(') if !named && angles == 0 => return None,
            Kind::Symbol(b'{') if !named && k <= at => return None,
            Kind::Symbol(b'(' | b'{' | b'[') => {
                named |= angles == 0;
                behind = code.close_of(k)? + 1;
            }
            Kind::Symbol(b'=') => named = true,
            Kind::Symbol(b',') if angles == 0 => {
                names.extend(name);
                named = false;
                name = None;
            }
            Kind::Symbol(b';') => {
                names.extend(name);
                return Some((k, names));
            }
            Kind::Symbol(b':' | b'}') if !named => return None,
            _ => {}
        }
    }
    None
}
