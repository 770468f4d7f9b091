//! What generated code calls the program units, and what the names of code generated for the statements of a procedure begin with.

use std::collections::BTreeMap;

use crate::ir::names;
use crate::lower::FileName;
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
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    for s in &programs {
        *named.entry(model[*s].name.as_str()).or_default() += 1;
    }
    // Other files, translated alone, know modules and procedures by these names; programs stand back.
    for unit in others.into_iter().chain(programs) {
        let scope = &model[unit];
        let mut symbol = model.unit_symbol(unit);
        // A program without a name, or one of several with the same, is called as its file.
        let by_file = scope.name.is_empty()
            || scope.kind == ScopeKind::Program && named.get(scope.name.as_str()) > Some(&1);
        if by_file {
            let stem = files
                .get(scope.file.0 as usize)
                .map_or("program", |n| n.stem);
            symbol = stem.to_ascii_lowercase();
        }
        let namespace = match scope.kind {
            ScopeKind::Submodule => submodule(model, unit),
            _ if by_file => names::safe_namespace(&symbol),
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

/// What the names of code generated for the statements of a procedure begin with, for all procedures and main programs: the
/// procedure's name, for an internal procedure whose name others of the unit have too with its host's name before it.
pub fn procedures(model: &Model) -> BTreeMap<ScopeId, String> {
    let hosts = |s: &ScopeId| matches!(model[*s].kind, ScopeKind::Procedure | ScopeKind::Program);
    let all: Vec<ScopeId> = (0..model.scopes.len() as u32)
        .map(ScopeId)
        .filter(hosts)
        .collect();
    let mut namesakes: BTreeMap<(ScopeId, &str), usize> = BTreeMap::new();
    for s in &all {
        let key = (model.unit_of(*s), model[*s].name.as_str());
        *namesakes.entry(key).or_default() += 1;
    }
    let name = |s: ScopeId| match model[s].symbol {
        Some(symbol) if !model[symbol].spelling.is_empty() => model[symbol].spelling.to_string(),
        _ if model[s].name.is_empty() => "main".to_owned(),
        _ => model[s].name.clone(),
    };
    let mut taken: BTreeMap<ScopeId, BTreeMap<String, usize>> = BTreeMap::new();
    let mut stems = BTreeMap::new();
    // Those of a module have names of their own, which the internal ones must not take.
    let (internal, others): (Vec<ScopeId>, Vec<ScopeId>) = all.iter().partition(|s| {
        let parent = model[**s].parent;
        parent.is_some_and(|p| hosts(&p))
    });
    for s in others.into_iter().chain(internal) {
        let unit = model.unit_of(s);
        let alone = namesakes.get(&(unit, model[s].name.as_str())) == Some(&1);
        let mut stem = name(s);
        if let Some(host) = model[s].parent.filter(|p| hosts(p) && !alone) {
            stem = format!("{}_{stem}", name(host));
        }
        let taken = taken.entry(unit).or_default();
        let folded = stem.to_ascii_lowercase();
        let found = distinct(taken, &folded, |n| format!("{folded}{n}"));
        stems.insert(s, if found == folded { stem } else { found });
    }
    stems
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
