//! How external procedures take their arguments, as definitions and interface bodies have it: what separately compiled files must
//! agree upon.

use std::collections::{BTreeMap, BTreeSet};

use crate::sema::model::*;

/// Positions of the dummies of external procedures that are arrays of explicit shape or assumed size, by the procedure's name.
pub type Sequences = BTreeMap<String, BTreeSet<usize>>;

/// The external procedures of a file: name, and a letter for each dummy (see [`externals`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Externals {
    /// Those with their body in the file.
    pub defined: BTreeMap<String, String>,
    /// Those that interface bodies describe.
    pub described: BTreeMap<String, String>,
    /// Of those defined, the arrays passed by address.
    pub sequences: Sequences,
    /// Those that interface bodies describe as a definition outside the program has it (CUF0216), with the arrays passed by address.
    pub adapted: Sequences,
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
            ScopeKind::InterfaceBody => {
                let adapted = positions(model, p, |v| v.attrs.has(VarAttrs::BY_ADDRESS));
                if !adapted.is_empty() && !model.externals.contains_key(name.as_str()) {
                    found.adapted.insert(name.clone(), adapted);
                }
                found.described.insert(name, forms(model, p));
            }
            ScopeKind::Procedure => {
                let sequences = positions(model, p, is_sequence);
                found.sequences.insert(name.clone(), sequences);
                found.defined.insert(name, forms(model, p));
            }
            _ => {}
        };
    }
    found
}

/// The external procedures that a file defines and calls without an explicit interface, by name.
pub fn called_unseen(model: &Model, file: FileId) -> BTreeSet<String> {
    let in_file = |scope: ScopeId| model[scope].file == file;
    let is_here = |s: &SymbolId| {
        let body = model.procedure(*s).and_then(|p| p.body);
        body.is_some_and(in_file)
    };
    if !model.externals.values().any(is_here) {
        return BTreeSet::new();
    }
    let symbols = model.symbols.iter().enumerate();
    let called = symbols.filter(|(i, symbol)| {
        in_file(symbol.scope)
            && (model.definition(SymbolId(*i as u32))).is_some_and(|d| is_here(&d))
    });
    called.map(|(_, symbol)| symbol.name.to_string()).collect()
}

/// A dummy whose address is passed, and no bounds.
pub fn is_sequence(v: &Variable) -> bool {
    matches!(
        v.dims.last(),
        Some(Dim::Explicit { .. } | Dim::AssumedSize { .. })
    )
}

/// Where the dummies stand that are chosen.
pub fn positions(
    model: &Model,
    p: &Procedure,
    which: impl Fn(&Variable) -> bool,
) -> BTreeSet<usize> {
    let dummies = p.dummies.iter().enumerate();
    let chosen = dummies.filter(|(_, d)| d.and_then(|d| model.variable(d)).is_some_and(&which));
    chosen.map(|(k, _)| k).collect()
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
