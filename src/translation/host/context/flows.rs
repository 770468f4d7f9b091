//! Where the data of host variables goes, in a file and in the program: see `host/dialect/reached.rs`.

use std::collections::BTreeSet;

use crate::sema::model::*;

/// Where the data of host variables goes in one file.
#[derive(Debug, Default)]
pub struct Flows {
    /// Variables whose data device code gets.
    pub given: BTreeSet<SymbolId>,
    /// Host dummies that get data of managed or unified memory.
    pub shared: BTreeSet<SymbolId>,
    /// Variables, with dummies that get their data.
    pub passed: BTreeSet<(SymbolId, SymbolId)>,
    /// Procedures whose interface has to agree with another one: they are actual arguments, bound to types, or have an interface body.
    pub tied: BTreeSet<SymbolId>,
    /// Scopes of procedures with calls, which may wait for the device.
    pub calling: BTreeSet<ScopeId>,
    /// Variables that are targets because C_LOC gets them.
    pub located: BTreeSet<SymbolId>,
}

/// The host variables of a program that device code reaches.
#[derive(Debug, Default)]
pub struct Reached {
    /// Device code gets their data, directly or through procedures that they are passed to.
    pub(in crate::translation::host) given: BTreeSet<SymbolId>,
    /// Dummies that get such data, and whose procedures may wait for the device.
    seen: BTreeSet<SymbolId>,
    /// See [`Flows::tied`].
    pub(in crate::translation::host) tied: BTreeSet<SymbolId>,
    /// See [`Flows::located`].
    pub(in crate::translation::host) located: BTreeSet<SymbolId>,
}

impl Reached {
    /// Follows the data of variables through all calls of the program.
    pub fn of<'f>(model: &Model, files: impl Iterator<Item = &'f Flows>) -> Reached {
        let mut found = Reached::default();
        let mut passed: Vec<(SymbolId, SymbolId)> = Vec::new();
        let mut calling: BTreeSet<ScopeId> = BTreeSet::new();
        for f in files {
            found.given.extend(&f.given);
            found.seen.extend(&f.shared);
            found.tied.extend(&f.tied);
            found.located.extend(&f.located);
            calling.extend(&f.calling);
            passed.extend(&f.passed);
        }
        found.seen.retain(|d| calling.contains(&model[*d].scope));
        loop {
            let before = found.given.len() + found.seen.len();
            for (v, d) in &passed {
                if found.given.contains(d) {
                    found.given.insert(*v);
                }
                let reached = found.given.contains(v) || found.seen.contains(v);
                if reached && calling.contains(&model[*d].scope) {
                    found.seen.insert(*d);
                }
            }
            if found.given.len() + found.seen.len() == before {
                break;
            }
        }
        if !found.reaches_nothing() {
            let bindings = model.types.iter().flat_map(|t| t.bindings.values());
            found.tied.extend(bindings.filter_map(|b| match b {
                TypeBinding::Specific { procedure, .. } => *procedure,
                TypeBinding::Generic(_) => None,
            }));
        }
        found
    }

    /// There is no such variable.
    pub fn reaches_nothing(&self) -> bool {
        self.reached_variables().next().is_none()
    }

    fn reached_variables(&self) -> impl Iterator<Item = &SymbolId> {
        self.given.iter().chain(&self.seen).chain(&self.located)
    }

    /// Device code reaches the variable.
    pub(in crate::translation::host) fn reaches_variable(&self, variable: SymbolId) -> bool {
        self.given.contains(&variable) || self.seen.contains(&variable)
    }

    /// The host code of a file depends on what else there is in the program.
    pub fn concerns(&self, model: &Model, file: FileId, flows: &Flows) -> bool {
        self.reached_variables()
            .any(|s| model[model[*s].scope].file == file)
            || flows.passed.iter().any(|(_, d)| self.given.contains(d))
    }
}
