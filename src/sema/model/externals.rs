//! How external procedures take their arguments, as definitions and interface bodies have it: what separately compiled files must
//! agree upon.

use std::collections::BTreeMap;

use crate::sema::model::*;

/// The external procedures of a file: name, and a letter for each dummy (see [`forms`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Externals {
    /// Those with their body in the file.
    pub defined: BTreeMap<String, String>,
    /// Those that interface bodies describe.
    pub described: BTreeMap<String, String>,
}

/// The external procedures that a file defines or describes, but those with a binding label.
///
/// The letters: `a` an address, `d` a descriptor (assumed shape or rank, ALLOCATABLE, POINTER), `v` a value, `p` a procedure, `*` an
/// alternate return.
pub fn externals(model: &Model, file: FileId) -> Externals {
    let mut found = Externals::default();
    for scope in model.scopes.iter().filter(|s| s.file == file) {
        let Some(symbol) = scope.symbol else { continue };
        let Some(p) = model.procedure(symbol) else {
            continue;
        };
        if p.kind != ProcedureKind::External || p.bind_name.is_some() {
            continue;
        }
        let name = model[symbol].name.to_string();
        match scope.kind {
            ScopeKind::InterfaceBody => found.described.insert(name, forms(model, p)),
            ScopeKind::Procedure => found.defined.insert(name, forms(model, p)),
            _ => None,
        };
    }
    found
}

fn forms(model: &Model, p: &Procedure) -> String {
    let form = |dummy: &Option<SymbolId>| match dummy {
        None => '*',
        Some(d) => model.variable(*d).map_or('p', form_of),
    };
    p.dummies.iter().map(form).collect()
}

fn form_of(v: &Variable) -> char {
    let moves = [VarAttrs::ALLOCATABLE, VarAttrs::POINTER];
    let open = |d: &Dim| matches!(d, Dim::Colon { .. } | Dim::AssumedRank);
    if v.attrs.has(VarAttrs::VALUE) {
        'v'
    } else if moves.iter().any(|m| v.attrs.has(*m)) || v.dims.iter().any(open) {
        'd'
    } else {
        'a'
    }
}
