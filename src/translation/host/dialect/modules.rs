//! Modules whose name something else has: an entity of their own, which nvfortran takes, but in standard Fortran the names of modules are global and their
//! entities may not have them (F2018 19.3.1); or an entity of a scope that does not use the module, where the host code written may have to
//! use it. Such a module gets another name wherever it is named.

use std::collections::BTreeSet;

use crate::ast::Span;
use crate::host::context::names::ReservedNames;
use crate::sema::model::*;
use crate::source::statements::{Reader, is_word, statements};

/// Whether the name of a module (folded), of the program or of a library, is something else, too.
pub fn has_namesake(model: &Model, name: &str, module: ScopeId, around: ReservedNames<'_>) -> bool {
    let is_other = |s: &SymbolId| !matches!(model[*s].kind, SymbolKind::Module(_));
    let has = |s: &ScopeId| {
        let scope = &model[*s];
        around.holds(scope.file) && scope.names.get(name).is_some_and(is_other)
    };
    model[module].kind == ScopeKind::Module && model.scopes_with(name).iter().any(has)
}

/// The text with the modules of these names under others.
pub(in crate::translation::host) fn renamed(text: String, modules: &BTreeSet<&str>) -> String {
    if modules.is_empty() {
        return text;
    }
    let mut found: Vec<Span> = Vec::new();
    statements(text.as_bytes(), &mut |view| {
        let mut r = Reader { view, at: 0 };
        if !r.peek().is_some_and(is_word) {
            return;
        }
        let first = r.word();
        let mut take = |r: &mut Reader<'_>| {
            let Some(start) = r.peek().filter(|b| is_word(*b)).map(|_| r.at) else {
                return;
            };
            let word = r.word();
            if modules.contains(word.as_str()) {
                let bytes = &view[start..start + word.len()];
                if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
                    found.push(Span {
                        start: first.1 as u32,
                        end: last.1 as u32 + 1,
                    });
                }
            }
        };
        match first.as_str() {
            "module" | "endmodule" => take(&mut r),
            "use" => {
                // `use, intrinsic :: name` is none of the program's; `use :: name` is.
                while r.peek() == Some(b':') {
                    r.at += 1;
                }
                take(&mut r);
            }
            "end" if r.peek().is_some_and(is_word) && r.word() == "module" => take(&mut r),
            // `submodule (ancestor:parent) name`
            "submodule" if r.peek() == Some(b'(') => {
                r.at += 1;
                take(&mut r);
            }
            _ => {}
        }
    });
    let mut out = text;
    for s in found.into_iter().rev() {
        let range = s.start as usize..s.end as usize;
        let name = out[range.clone()].to_owned();
        out.replace_range(range, &crate::abi::module_name(&name));
    }
    out
}
