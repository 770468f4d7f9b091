//! Names of program units in generated code: made of their full paths, so that different units have different ones.

use std::collections::BTreeMap;

use super::FileName;
use crate::ir::names;
use crate::sema::model::*;

/// What a program unit is called.
pub struct UnitName {
    /// In symbols: `abi::global_name`.
    pub symbol: String,
    /// C++ namespace.
    pub namespace: String,
}

/// The names of all units of the program, and of those it uses.
pub fn units(model: &Model, files: &[FileName<'_>]) -> BTreeMap<ScopeId, UnitName> {
    let mut all = BTreeMap::new();
    let (mut symbols, mut spaces) = (BTreeMap::new(), BTreeMap::new());
    let (programs, others): (Vec<ScopeId>, Vec<ScopeId>) = (0..model.scopes.len() as u32)
        .map(ScopeId)
        .filter(|s| model.unit_of(*s) == *s)
        .partition(|s| model[*s].kind == ScopeKind::Program);
    // Other files, translated alone, know modules and procedures by these names; programs stand back.
    for unit in others.into_iter().chain(programs) {
        let scope = &model[unit];
        let mut symbol = model.unit_symbol(unit);
        if scope.name.is_empty() {
            let stem = files
                .get(scope.file.0 as usize)
                .map_or("program", |n| n.stem);
            symbol = stem.to_ascii_lowercase();
        }
        let namespace = match scope.kind {
            ScopeKind::Submodule => submodule(model, unit),
            _ if scope.name.is_empty() => names::safe_namespace(&symbol),
            _ => names::safe_namespace(&scope.name),
        };
        let symbol = distinct(&mut symbols, &symbol, |n| format!("{symbol}__{n}_"));
        let stem = namespace.trim_end_matches('_');
        let namespace = distinct(&mut spaces, &namespace, |n| format!("{stem}_{n}_"));
        let name = UnitName { symbol, namespace };
        all.insert(unit, name);
    }
    all
}

/// `name`, or the first of the others that is not taken. `taken` holds with each name the number to try next, so that many units of
/// one name take no more time than their count.
fn distinct(
    taken: &mut BTreeMap<String, usize>,
    name: &str,
    other: impl Fn(usize) -> String,
) -> String {
    let mut found = name.to_owned();
    let mut number = taken.get(name).copied().unwrap_or(2);
    while taken.contains_key(&found) {
        found = other(number);
        number += 1;
    }
    taken.insert(name.to_owned(), number);
    taken.entry(found.clone()).or_insert(2);
    found
}

/// `module::submodule_`: a member of the module may have the name of a submodule, but no underscore at its end.
fn submodule(model: &Model, unit: ScopeId) -> String {
    let mut module = unit;
    while let Some(p) = model[module].parent {
        module = p;
    }
    let name = names::safe(&model[unit].name);
    let outer = names::safe_namespace(&model[module].name);
    format!("{outer}::{}_", name.trim_end_matches('_'))
}
