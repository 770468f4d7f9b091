//! By which names the statement being walked sees types, procedures and data; USE statements bring those that it does not see.

use std::collections::BTreeSet;

use crate::ast::{Attr, AttrKind, DerivedTypeDef, Span, Word};
use crate::host::context::HostRewriter;
use crate::host::context::names;
use crate::map::Rule;
use crate::sema::model::*;

impl HostRewriter<'_> {
    pub(in crate::translation::host) fn encloses(&self, outer: ScopeId, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            if s == outer {
                return true;
            }
            at = self.model[s].parent;
        }
        false
    }

    /// A USE without ONLY in a scope or around it makes all names of the module known.
    pub(in crate::translation::host) fn opens(&self, module: ScopeId, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            if self.model[s].opened.iter().any(|o| o.module == module) {
                return true;
            }
            at = self.model[s].parent;
        }
        false
    }

    /// The local name under which a scope sees a symbol.
    pub(in crate::translation::host) fn visible_name(
        &self,
        scope: ScopeId,
        symbol: SymbolId,
    ) -> Option<String> {
        let declared = &self.model[symbol].name;
        if self.model.lookup(scope, declared) == Some(symbol) {
            return Some(self.model[symbol].spelling.to_string());
        }
        self.renamed(scope, |s| s == symbol)
    }

    /// The name by which a scope sees the symbol that is meant: one of its own, or one of a module that it uses as a whole and that
    /// has the symbol under another name.
    fn renamed(&self, scope: ScopeId, is_it: impl Fn(SymbolId) -> bool) -> Option<String> {
        let seen = |n: &str| self.model.lookup(scope, n).is_some_and(&is_it);
        // Keys of the model's own have parentheses.
        let seen = |n: &str| !n.contains('(') && seen(n);
        let known = |(n, s): (&Word, &SymbolId)| (is_it(*s) && seen(n)).then(|| n.to_string());
        self.model.around(scope).find_map(|s| {
            let own = || s.names.iter().find_map(known);
            let opened = || {
                let again = |o: &Opened| &self.model[o.module].reexported;
                let modules = s.opened.iter().flat_map(|o| again(o).iter().chain([o]));
                let mut exports = modules.flat_map(|o| &self.model[o.module].exports);
                exports.find_map(known)
            };
            own().or_else(opened)
        })
    }

    /// The name by which the statement being walked sees a type.
    pub(in crate::translation::host) fn visible_type(&self, t: TypeId) -> Option<String> {
        let is_it = |s: SymbolId| match &self.model[s].kind {
            SymbolKind::DerivedType(x) => *x == t,
            SymbolKind::Generic(g) => g.of_type == Some(t),
            _ => false,
        };
        let declared = &self.model[t].name;
        if self.model.lookup(self.scope, declared).is_some_and(is_it) {
            return Some(declared.clone());
        }
        self.renamed(self.scope, is_it)
    }

    /// The type has a name wherever its module is used, and using the module here makes no circle.
    pub(in crate::translation::host) fn nameable(&self, t: TypeId) -> bool {
        if self.visible_type(t).is_some() {
            return true;
        }
        let home = self.owners.home(t);
        let exported = self.model[home]
            .exports
            .contains_key(self.model[t].name.as_str());
        self.model[home].kind == ScopeKind::Module && exported && self.uses_module(home)
    }

    /// The unit being walked uses the module, at any depth.
    pub(in crate::translation::host) fn uses_module(&self, module: ScopeId) -> bool {
        let mut outermost = self.scope;
        while let Some(p) = self.model[outermost].parent {
            outermost = p;
        }
        let mut seen = BTreeSet::new();
        let mut todo = vec![outermost, self.scope];
        while let Some(s) = todo.pop() {
            if !seen.insert(s) {
                continue;
            }
            if s == module {
                return true;
            }
            todo.extend(self.model[s].parent);
            for u in &self.model[s].uses {
                todo.extend(self.model.module_of(self.file, u));
            }
        }
        false
    }

    /// The name by which the statement being walked sees a type; a USE statement brings it if it must.
    pub(in crate::translation::host) fn type_here(&mut self, t: TypeId) -> String {
        if let Some(name) = self.visible_type(t) {
            return name;
        }
        let home = self.owners.home(t);
        let name = &self.model[t].name;
        if !self.model[home].exports.contains_key(name.as_str()) && !self.exposes(t) {
            self.unnamed(t);
        }
        // With its module: another one may have a type of that name.
        let local = names::global("cuf_type", &self.model.unit_symbol(home), name);
        let module = &self.model[home].name;
        self.unit
            .extra_uses
            .insert(format!("use {module}, only: {local} => {name}"));
        local
    }

    /// A private type of a module is public in the host code, so that this unit can name it: nothing else in the program may have the name.
    fn exposes(&mut self, t: TypeId) -> bool {
        let model = self.model;
        let home = self.owners.home(t);
        let name = &model[t].name;
        let mut others = (model.scopes_with(name).iter()).filter(|scope| {
            let is_own = |s: &SymbolId| model[*s].scope == **scope;
            model[**scope].names.get(name.as_str()).is_some_and(is_own)
                && !self.encloses(home, **scope)
        });
        let module = model[home].kind == ScopeKind::Module && !model.is_foreign(home);
        let can = module && self.asked_exposed.is_some() && others.next().is_none();
        if can {
            self.exposed.insert(t);
        }
        can
    }

    /// The type is private, and named in other units of the host code.
    pub(in crate::translation::host) fn is_exposed(&self, t: TypeId) -> bool {
        self.asked_exposed.is_some_and(|all| all.contains(&t))
    }

    /// Makes a private type public where it is defined.
    pub(in crate::translation::host) fn expose(&mut self, def: &DerivedTypeDef) {
        let private = |a: &&Attr| matches!(a.kind, AttrKind::Private);
        if let Some(a) = def.attrs.iter().find(private) {
            return self.edits.replace(Rule::Use, a.span, "public");
        }
        let start = def.header.start + "type".len() as u32;
        let gap = Span {
            start,
            end: def.name.span.start,
        };
        match self.slice(gap).contains("::") {
            true => self.edits.insert(Rule::Use, start, ", public"),
            false => self.edits.replace(Rule::Use, gap, ", public :: "),
        }
    }

    fn unnamed(&mut self, t: TypeId) {
        let home = self.owners.home(t);
        let (name, module) = (&self.model[t].name, &self.model[home].name);
        let message = format!(
            "type `{name}` is private in module `{module}`, but the host code of this statement has to name it"
        );
        let at = self.statement;
        self.finding("CUF0466", at, message);
        if let Some(f) = self.findings.last_mut() {
            f.help = Some(format!("make the type public: `public :: {name}`"));
        }
    }

    /// A class or type in a declaration.
    pub(in crate::translation::host) fn owner_type_text(&mut self, ty: &Type) -> String {
        match *ty {
            Type::Derived(t) => format!("type({})", self.type_here(t)),
            Type::Class(t) => format!("class({})", self.type_here(t)),
            _ => self.model.type_name(ty),
        }
    }

    /// An assignment or ALLOCATE whose value may be of a type that cannot be named or reached.
    pub(in crate::translation::host) fn unreachable_owner(&mut self, at: Span) {
        self.finding(
            "CUF0418",
            at,
            "the value may be of a type with allocatable device components that is not accessible here\nhelp: `use` its module, or copy the components",
        );
    }

    /// The name of a generated procedure of a type, made accessible in the unit being walked.
    pub(in crate::translation::host) fn helper(&mut self, verb: &str, t: TypeId) -> String {
        let home = self.owners.home(t);
        let name = self.owners.helper_name(verb, t);
        self.helpers.called.insert(name.clone());
        if !self.encloses(home, self.scope) && !self.opens(home, self.scope) {
            let module = &self.model[home].name;
            self.unit
                .extra_uses
                .insert(format!("use {module}, only: {name}"));
        }
        name
    }

    /// The actual argument for a module variable that a launching procedure does not see: USE statement and expression.
    pub(in crate::translation::host) fn unseen_data(&self, s: SymbolId) -> (String, String, bool) {
        let info = &self.model[s];
        let module = &self.model[info.scope].name;
        if info.private {
            let name = self.accessor_name(s);
            (
                format!("use {module}, only: {name}"),
                format!("{name}()"),
                true,
            )
        } else {
            // With its module: another one may have data of that name.
            let unit = self.model.unit_symbol(info.scope);
            let name = names::global("cuf_of", &unit, &info.name);
            let spec = format!("use {module}, only: {name} => {}", info.name);
            (spec, name, false)
        }
    }

    pub(in crate::translation::host) fn accessor_name(&self, s: SymbolId) -> String {
        let info = &self.model[s];
        let unit = self.model.unit_symbol(info.scope);
        names::global("cuf_data", &unit, &info.name)
    }
}
