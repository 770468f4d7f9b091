//! What the steps that build the model share: the model so far, and what waits.

use std::collections::HashMap;

use crate::ast::{self, Attr, AttrKind, Name, ProgramUnit, Span, Word};
use crate::sema::model::*;
use crate::sema::{Environment, Finding, Input};

/// A module or submodule by file and position among the file's units.
pub(in crate::translation::sema) type UnitAt = (u32, usize);

pub(in crate::translation::sema) struct Builder<'a> {
    pub m: Model,
    pub inputs: &'a [Input<'a>],
    pub findings: Vec<Finding>,
    /// All definitions of each module, and of each submodule as `ancestor:name`.
    pub definitions: Names<Vec<UnitAt>>,
    /// Scopes of units declared so far.
    pub unit_scopes: HashMap<UnitAt, ScopeId>,
    /// Generics that a module exports.
    pub generics: HashMap<ScopeId, Vec<(Word, SymbolId)>>,
    /// PUBLIC and PRIVATE statements and attributes by scope: true for public.
    pub access: HashMap<ScopeId, Names<bool>>,
    /// Units whose bodies wait for the second pass.
    pub bodies: Vec<(ScopeId, &'a ProgramUnit)>,
    /// Things that wait for all names of a unit.
    pub fixups: HashMap<ScopeId, Vec<Fixup<'a>>>,
    pub file: FileId,
    pub outside: Environment<'a>,
    /// The unit about to be declared is a submodule whose parent is not in the program.
    pub orphan: bool,
    pub default_implicit: Implicit,
}

/// A reference to a procedure that may be declared later in the unit.
pub(in crate::translation::sema) enum Fixup<'a> {
    /// Names of a generic's specific procedures.
    Specifics(SymbolId, &'a [ast::Name]),
    /// Interface of a procedure declaration.
    Interface(SymbolId, &'a ast::Name),
    /// Bindings of a derived type.
    Bindings(TypeId, &'a ast::DerivedTypeDef),
}

impl<'a> Builder<'a> {
    /// The definition of a module that a file sees: its own, else the one with the nearest path.
    pub fn definition_for(&self, file: FileId, key: &str) -> Option<UnitAt> {
        let all = self.definitions.get(key)?;
        if let [one] = all.as_slice() {
            return Some(*one);
        }
        let here = self.inputs.get(file.0 as usize)?.path;
        let near = |at: &UnitAt| {
            if at.0 == file.0 {
                return usize::MAX;
            }
            let there = self.inputs[at.0 as usize].path;
            here.split('/')
                .zip(there.split('/'))
                .take_while(|(a, b)| a == b)
                .count()
        };
        // The first of the nearest.
        let best = all.iter().map(near).max()?;
        all.iter().find(|a| near(a) == best).copied()
    }

    /// Scope of a module of the program as a file sees it, if it has been declared.
    pub fn module_scope(&self, file: FileId, name: &str) -> Option<ScopeId> {
        let at = self.definition_for(file, name)?;
        self.unit_scopes.get(&at).copied()
    }

    pub fn is_defined(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }

    pub fn defined_modules(&self) -> impl Iterator<Item = &str> {
        self.definitions
            .keys()
            .map(Word::as_str)
            .filter(|k| !k.contains(':'))
    }

    pub fn finding(&mut self, code: &'static str, message: String, span: Span) {
        let finding = Finding::new(code, self.file, span, message);
        self.findings.push(finding);
    }

    /// The text of a span in the current file; empty where the span is not in it.
    pub fn text(&self, span: Span) -> &'a str {
        self.inputs
            .get(self.file.0 as usize)
            .and_then(|i| i.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    pub fn new_scope(
        &mut self,
        kind: ScopeKind,
        name: &str,
        parent: Option<ScopeId>,
        span: Span,
    ) -> ScopeId {
        let id = ScopeId(self.m.scopes.len() as u32);
        let inherits = !matches!(kind, ScopeKind::InterfaceBody);
        let (implicit, context, open_ended) = match parent {
            Some(p) => (
                if inherits {
                    self.m[p].implicit.clone()
                } else {
                    self.default_implicit.clone()
                },
                self.m[p].context,
                self.m[p].open_ended,
            ),
            None => (self.default_implicit.clone(), CodeContext::Host, false),
        };
        self.m.scopes.push(Scope {
            kind,
            name: name.to_owned(),
            parent,
            file: self.file,
            symbol: None,
            names: Names::default(),
            used: Names::default(),
            opened: Vec::new(),
            exports: Names::default(),
            reexported: Vec::new(),
            brings: Vec::new(),
            overloads: Names::default(),
            unreached: None,
            data: Vec::new(),
            uses: Vec::new(),
            implicit,
            default_private: false,
            children: Vec::new(),
            span,
            context,
            open_ended,
        });
        if let Some(p) = parent
            && self.m[p].file == self.file
        {
            self.scope_mut(p).children.push(id);
        }
        id
    }

    pub fn scope_mut(&mut self, s: ScopeId) -> &mut Scope {
        &mut self.m.scopes[s.0 as usize]
    }

    pub fn symbol_mut(&mut self, s: SymbolId) -> &mut Symbol {
        &mut self.m.symbols[s.0 as usize]
    }

    pub fn new_symbol(
        &mut self,
        scope: ScopeId,
        name: &Word,
        span: Span,
        kind: SymbolKind,
    ) -> SymbolId {
        let id = SymbolId(self.m.symbols.len() as u32);
        let text = self.text(span);
        let spelling = if text != name.as_str() && text.eq_ignore_ascii_case(name) {
            Word::from(text)
        } else {
            name.clone()
        };
        self.m.symbols.push(Symbol {
            name: name.clone(),
            spelling,
            scope,
            span,
            private: false,
            kind,
        });
        id
    }

    /// A new symbol that the scope's names lead to.
    pub fn declare(&mut self, scope: ScopeId, name: &ast::Name, kind: SymbolKind) -> SymbolId {
        let id = self.new_symbol(scope, &name.text, name.span, kind);
        self.scope_mut(scope).names.insert(name.text.clone(), id);
        id
    }

    pub fn duplicate(&mut self, name: &Name, first: Span) {
        let text = self.text(name.span).to_owned();
        self.finding(
            "CUF0202",
            format!("`{text}` is declared twice in this scope"),
            name.span,
        );
        let file = self.file;
        if let Some(f) = self.findings.last_mut() {
            f.notes
                .push((file, first, "the first declaration is".to_owned()));
        }
    }

    /// A specific procedure by name, also where a generic has the same name.
    pub fn specific(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let found = self.m.lookup(scope, name)?;
        match &self.m[found].kind {
            SymbolKind::Generic(g) => {
                let own = self.m.lookup(scope, &specific_key(name));
                own.or_else(|| {
                    g.specifics
                        .iter()
                        .copied()
                        .find(|s| self.m[*s].name == name)
                })
            }
            _ => Some(found),
        }
    }

    /// The specific procedures that a name in the list of a generic stands for: several, if it is a library's.
    pub fn specifics(&self, scope: ScopeId, name: &str) -> Vec<SymbolId> {
        // In the library's own module the name is that of a procedure of it.
        let found = self.m.lookup(scope, name);
        let found = found.filter(|s| self.m[*s].scope != scope);
        let several = found.and_then(|s| self.m.library_specifics(s));
        several.map_or_else(
            || self.specific(scope, name).into_iter().collect(),
            <[SymbolId]>::to_vec,
        )
    }

    /// A symbol declared in this scope itself.
    pub fn local(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let s = &self.m[scope];
        if s.used.contains_key(name) {
            return None;
        }
        s.names.get(name).copied()
    }

    /// PUBLIC or PRIVATE among the attributes of an entity.
    pub fn attribute_access(&mut self, scope: ScopeId, s: SymbolId, attrs: &[Attr], name: &Name) {
        for a in attrs {
            let public = match a.kind {
                AttrKind::Public => true,
                AttrKind::Private => false,
                _ => continue,
            };
            self.symbol_mut(s).private = !public;
            self.access
                .entry(scope)
                .or_default()
                .insert(name.text.clone(), public);
        }
    }
}

/// Key in `Scope::names` of a specific procedure that has the name of a generic.
pub(in crate::translation::sema) fn specific_key(name: &str) -> String {
    format!("specific({name})")
}

/// A variable without attributes.
pub(in crate::translation::sema) fn variable(ty: Type) -> Variable {
    Variable {
        ty,
        dims: Vec::new(),
        space: Space::Host,
        attrs: VarAttrs::default(),
        intent: None,
        dummy: None,
        is_result: false,
        declared: false,
        init: None,
        decl: Span::default(),
        option: None,
    }
}
