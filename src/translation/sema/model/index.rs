//! Where the scopes, symbols and types of a program are found without a walk over all of them. A walk for each file or each call takes
//! time that grows with the square of the program.

use std::collections::{BTreeMap, BTreeSet};

use crate::sema::model::*;

/// Made once, when a question is first asked: the model does not change after analysis.
#[derive(Debug, Default)]
pub struct Index {
    files: Vec<InFile>,
    /// Scopes by the local names in them.
    bearers: Names<Vec<ScopeId>>,
    /// Procedures and interface bodies by binding label.
    labels: BTreeMap<String, Vec<SymbolId>>,
    types: BTreeMap<String, Vec<TypeId>>,
    extensions: BTreeMap<TypeId, Vec<TypeId>>,
    /// Modules of the runtime and of libraries.
    foreign: Vec<(Word, ScopeId)>,
}

#[derive(Debug, Default)]
struct InFile {
    scopes: Vec<ScopeId>,
    symbols: Vec<SymbolId>,
    types: Vec<TypeId>,
}

impl Index {
    fn of(model: &Model) -> Index {
        let mut index = Index::default();
        index.files.resize_with(model.files.len(), InFile::default);
        for (k, scope) in model.scopes.iter().enumerate() {
            let id = ScopeId(k as u32);
            if let Some(file) = index.files.get_mut(scope.file.0 as usize) {
                file.scopes.push(id);
            }
            for name in scope.names.keys() {
                index.bearers.entry(name.clone()).or_default().push(id);
            }
        }
        for (k, symbol) in model.symbols.iter().enumerate() {
            let id = SymbolId(k as u32);
            let file = model[symbol.scope].file;
            if let Some(file) = index.files.get_mut(file.0 as usize) {
                file.symbols.push(id);
            }
            if let SymbolKind::Procedure(p) = &symbol.kind
                && let Some(label) = &p.bind_name
            {
                index.labels.entry(label.clone()).or_default().push(id);
            }
        }
        for (k, ty) in model.types.iter().enumerate() {
            let id = TypeId(k as u32);
            let file = model[ty.scope].file;
            if let Some(file) = index.files.get_mut(file.0 as usize) {
                file.types.push(id);
            }
            index.types.entry(ty.name.to_string()).or_default().push(id);
            if let Some(parent) = ty.parent {
                index.extensions.entry(parent).or_default().push(id);
            }
        }
        let modules = model.modules.iter();
        let foreign = modules
            .filter(|(_, s)| model[**s].kind != ScopeKind::External && model.is_foreign(**s));
        index.foreign = foreign.map(|(name, s)| (name.clone(), *s)).collect();
        index
    }
}

impl Model {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self))
    }

    fn in_file(&self, file: FileId) -> Option<&InFile> {
        self.index().files.get(file.0 as usize)
    }

    /// The scopes of a file, in the order of their ids.
    pub fn scopes_of(&self, file: FileId) -> &[ScopeId] {
        self.in_file(file).map_or(&[], |f| &f.scopes)
    }

    /// The symbols declared in the scopes of a file, in the order of their ids.
    pub fn symbols_of(&self, file: FileId) -> &[SymbolId] {
        self.in_file(file).map_or(&[], |f| &f.symbols)
    }

    /// The derived types defined in a file, in the order of their ids.
    pub fn types_of(&self, file: FileId) -> &[TypeId] {
        self.in_file(file).map_or(&[], |f| &f.types)
    }

    /// The scopes of all files that have a local name (folded).
    pub fn scopes_with(&self, name: &str) -> &[ScopeId] {
        self.index().bearers.get(name).map_or(&[], |s| s)
    }

    /// The procedures with a binding label, interface bodies included.
    pub fn labelled(&self, label: &str) -> &[SymbolId] {
        self.index().labels.get(label).map_or(&[], |s| s)
    }

    /// The derived types of all files with a name (folded).
    pub fn types_named(&self, name: &str) -> &[TypeId] {
        self.index().types.get(name).map_or(&[], |t| t)
    }

    /// The types that extend a type, directly or not, without the type itself.
    pub fn descendants(&self, t: TypeId) -> Vec<TypeId> {
        let extensions = |t| self.index().extensions.get(&t).into_iter().flatten();
        let mut all: Vec<TypeId> = extensions(t).copied().collect();
        let mut seen: BTreeSet<TypeId> = all.iter().copied().collect();
        let mut k = 0;
        while let Some(next) = all.get(k) {
            let further = extensions(*next).copied().filter(|x| seen.insert(*x));
            let further: Vec<TypeId> = further.collect();
            all.extend(further);
            k += 1;
        }
        all
    }

    /// The modules of the runtime and of libraries that the program uses, by name.
    pub fn foreign_modules(&self) -> impl Iterator<Item = (&str, ScopeId)> {
        self.index().foreign.iter().map(|(name, s)| (&**name, *s))
    }
}
