//! Names that host code does not have: device procedures and what only modules of device code offer. They leave the lists of USE,
//! IMPORT, access statements, interfaces and bindings.

use crate::ast::*;
use crate::host::context::HostRewriter;
use crate::host::context::names::CUF;
use crate::host::openmp::directive::identifiers;
use crate::map::Rule;
use crate::sema::model::*;
use std::collections::BTreeSet;

/// Names with PUBLIC (true) or PRIVATE among the attributes of their declarations.
pub(in crate::translation::host) fn declared_access(spec: &[Decl]) -> BTreeSet<(Word, bool)> {
    let mut found = BTreeSet::new();
    for d in spec {
        let (attrs, names): (_, Vec<&Name>) = match &d.kind {
            DeclKind::Type(t) => (&t.attrs, t.entities.iter().map(|e| &e.name).collect()),
            DeclKind::DerivedType(t) => (&t.attrs, vec![&t.name]),
            _ => continue,
        };
        for a in attrs {
            let public = matches!(a.kind, AttrKind::Public);
            if public || matches!(a.kind, AttrKind::Private) {
                found.extend(names.iter().map(|n| (n.text.clone(), public)));
            }
        }
    }
    found
}

/// Modules that only device code has.
pub(in crate::translation::host) fn is_device_module(name: &str) -> bool {
    matches!(name, "cooperative_groups" | "wmma" | "cudadevice" | "libm")
}

/// Modules whose procedures are operations on whole arrays: none of their names is left in the host code written.
fn is_translated_module(name: &str) -> bool {
    matches!(name, "cutensorex" | "sort")
}

impl HostRewriter<'_> {
    /// Host code does not have the name: it means nothing but device code, or a generic that has lost all its specifics.
    fn leaves(&self, symbol: SymbolId) -> bool {
        // A type that shares its name with a generic is host code as well.
        let of_type = match &self.model[symbol].kind {
            SymbolKind::Generic(g) => g.of_type.is_some(),
            _ => false,
        };
        !of_type
            && (self.is_device_only(symbol)
                || self.dissolved(symbol)
                || self.is_operation_name(symbol))
    }

    /// A name of a module that is translated, or of an intrinsic procedure that the runtime overloads.
    fn is_operation_name(&self, symbol: SymbolId) -> bool {
        let home = &self.model[self.model[symbol].scope];
        let translated = home.kind == ScopeKind::External && is_translated_module(&home.name);
        translated || self.model.is_overload(symbol)
    }

    /// A device procedure, a generic of such, or a name of a module that only device code has.
    pub(in crate::translation::host) fn is_device_only(&self, s: SymbolId) -> bool {
        let symbol = &self.model[s];
        let home = &self.model[symbol.scope];
        if home.kind == ScopeKind::External {
            // States of generators are data of the host, too.
            let state = matches!(symbol.kind, SymbolKind::DerivedType(_));
            return is_device_module(&home.name)
                || home.name == "curand_device" && !state
                || self.model.predefined(s).is_some();
        }
        match &symbol.kind {
            SymbolKind::Procedure(p) => p.target == ProcedureTarget::Device,
            SymbolKind::Generic(g) => {
                !g.specifics.is_empty() && g.specifics.iter().all(|s| self.is_device_only(*s))
            }
            _ => false,
        }
    }

    /// USE of modules that only device code has is dropped, as are names that host code does not have.
    pub(in crate::translation::host) fn use_statement(&mut self, u: &Use, span: Span) {
        let is_runtime = |m: &ScopeId| self.model[*m].kind == ScopeKind::External;
        let module = self.model.module_of(self.file, u.module.text.as_str());
        if is_translated_module(&u.module.text) && module.as_ref().is_some_and(is_runtime) {
            self.delete_statement(Rule::Use, span);
            return;
        }
        if is_device_module(&u.module.text) {
            self.delete_statement(Rule::Use, span);
            return;
        }
        let Some(module) = self.model.modules.get(u.module.text.as_str()) else {
            return;
        };
        let mut along_by_name = Vec::new();
        let items: Vec<(Span, bool)> = (u.items.iter())
            .map(|item| {
                let original = item.original.as_ref().unwrap_or(&item.local);
                let meant = self.model.export(*module, &original.text);
                let meant = meant.or_else(|| self.model.overload(*module, &original.text));
                let brought = self.model[self.scope].used.get(item.local.text.as_str());
                let meant = meant.or_else(|| brought.copied());
                let span = Span {
                    start: item.local.span.start,
                    end: original.span.end.max(item.local.span.end),
                };
                let along = |s| self.model.comes_along(*module, &original.text, s);
                if meant.is_some_and(along) {
                    along_by_name.push(match &item.original {
                        Some(o) => format!("{} => {}", item.local.text, o.text),
                        None => item.local.text.to_string(),
                    });
                }
                (span, meant.is_some_and(|s| self.leaves(s) || along(s)))
            })
            .collect();
        let own = self.model[self.scope].span;
        let mut along = self.coming_along(self.scope, *module, own);
        along.extend(along_by_name);
        self.hide_names(u, *module);
        let renames = !u.only && !items.is_empty();
        if renames && items.iter().all(|(_, gone)| *gone) {
            // With the comma before them.
            let start = u.module.span.end;
            let end = items.last().map_or(start, |(span, _)| span.end);
            self.edits.delete(Rule::Use, Span { start, end });
        } else {
            self.drop_items(&items);
        }
        if !along.is_empty() {
            let only = along.join(", ");
            let line = format!("use, intrinsic :: iso_c_binding, only: {only}");
            if items.iter().all(|(_, gone)| *gone) && u.only {
                self.edits.replace(Rule::Use, span, line);
            } else {
                let indent = self.indent_at(span.start);
                self.edits
                    .insert(Rule::Use, span.end, format!("\n{indent}{line}"));
            }
        }
    }

    /// The names of `iso_c_binding` that the scope of a USE statement mentions and has by it alone (decision 1010): the generated
    /// `cudafor` does not hand them on.
    fn coming_along(&self, using: ScopeId, module: ScopeId, text: Span) -> Vec<String> {
        let scope = &self.model[using];
        let along = |o: &&Opened, name: &str| {
            let found = self.model.export(o.module, name).filter(|_| !o.hides(name));
            found.is_some_and(|s| self.model.comes_along(o.module, name, s))
        };
        let text = self.slice(text);
        let words = identifiers(text, 0, text.len())
            .filter_map(|w| text.get(w.start as usize..w.end as usize));
        let mut names: Vec<String> = words.map(str::to_ascii_lowercase).collect();
        names.sort();
        names.dedup();
        names.retain(|name| {
            let whole = self.model.opened_export(scope, name);
            if scope.used.contains_key(name.as_str()) || whole.is_some_and(|(_, along)| !along) {
                return false;
            }
            let first = scope.opened.iter().find(|o| along(o, name));
            let meant = self.model.lookup(using, name);
            first.is_some_and(|o| o.module == module)
                && meant.is_some_and(|s| self.model.export(module, name) == Some(s))
        });
        names
    }

    /// The same of a submodule, whose ancestors use the modules.
    pub(in crate::translation::host) fn coming_along_to_submodule(&mut self, scope: ScopeId) {
        let own = self.model[scope].span;
        let mut around = self.model[scope].parent;
        while let Some(ancestor) = around {
            for o in &self.model[ancestor].opened {
                for name in self.coming_along(ancestor, o.module, own) {
                    let line = format!("use, intrinsic :: iso_c_binding, only: {name}");
                    self.unit.extra_uses.insert(line);
                }
            }
            around = self.model[ancestor].parent;
        }
    }

    /// A module's entity of a name that means something else here, which standard Fortran does not allow (F2018 14.2.2, 19.3.1) and
    /// nvfortran does, gets another name: where a rename takes the name (`use m, a => b` of a module with an `a`), an interface body of
    /// the external procedure that the statement stands in, and constants of CUDA where the program has its own.
    fn hide_names(&mut self, u: &Use, module: ScopeId) {
        if u.only {
            return;
        }
        let unit = &self.model[self.scope];
        let external = unit.kind == ScopeKind::Procedure
            && unit.parent.is_none_or(|p| self.model[p].parent.is_none());
        let own = unit.symbol.filter(|_| external);
        let own = own.map(|s| self.model[s].name.to_string());
        let renamed = |name: &str| {
            let original = |i: &UseItem| i.original.as_ref().is_some_and(|o| o.text == name);
            u.items.iter().any(original)
        };
        let locals = u.items.iter().filter(|i| i.original.is_some());
        let mut hidden: Vec<String> = locals
            .map(|i| i.local.text.to_string())
            .chain(own)
            .collect();
        let there = |n: &str| {
            self.model
                .export(module, n)
                .is_some_and(|s| !self.leaves(s))
        };
        // Constants of the program's own by the names of CUDA's types of data.
        let own = |n: &&Word| {
            let meant = self.model.lookup(self.scope, n);
            meant.is_some() && meant != self.model.export(module, n)
        };
        let names = self.model.data_type_names(module);
        hidden.extend(names.filter(own).map(|n| n.to_string()));
        hidden.retain(|n| !n.contains('(') && there(n) && !renamed(n));
        hidden.sort();
        hidden.dedup();
        for name in hidden {
            let text = format!(", {CUF}hidden_{name} => {name}");
            self.edits.insert(Rule::Use, u.module.span.end, text);
        }
    }

    /// `private :: a, b`, `public :: c`
    /// The name of a module, which gfortran does not take, stands for what the module gives.
    pub(in crate::translation::host) fn access_statement(
        &mut self,
        entities: &[Entity],
        span: Span,
        scope: ScopeId,
    ) {
        let text = self.slice(span);
        let word = text.find(|c: char| !c.is_ascii_alphabetic());
        let word = word.map_or(text, |end| &text[..end]);
        let public = word.eq_ignore_ascii_case("public");
        let gone = |e: &Entity| {
            let name = &e.name.text;
            let meant = self.model.lookup(scope, name);
            let meant = meant.or_else(|| self.model.overload_in(scope, name));
            let module = meant.is_none() && self.model[scope].uses.iter().any(|u| u == &**name);
            let exposed = |s: SymbolId| match &self.model[s].kind {
                SymbolKind::DerivedType(t) => self.is_exposed(*t),
                SymbolKind::Generic(g) => g.of_type.is_some_and(|t| self.is_exposed(t)),
                _ => false,
            };
            let gone = |s| self.leaves(s) || !public && exposed(s);
            (e.span, module || meant.is_some_and(gone))
        };
        let mut items: Vec<(Span, bool)> = entities.iter().map(gone).collect();
        for (e, _) in entities.iter().zip(&items).filter(|(_, (_, gone))| *gone) {
            let given = self.given_by(&e.name.text, scope, public);
            if !given.is_empty() {
                let indent = self.indent_at(span.start);
                let line = format!("{indent}{word} :: {}\n", given.join(", "));
                self.edits
                    .insert(Rule::Use, self.line_start(span.start), line);
            }
        }
        // nvfortran takes the same access twice; gfortran 12 hides an entity under all its names if one of them is private.
        let out = &self.model[scope].exports;
        let shown = |n: &str| {
            let meant = self.model.lookup(scope, n);
            !public && meant.is_some_and(|s| out.iter().any(|(other, o)| *o == s && other != n))
        };
        for (e, item) in entities.iter().zip(&mut items) {
            let name = &e.name.text;
            item.1 |= shown(name) || !self.accessed.insert((name.clone(), public));
        }
        self.thin_out(span, &items);
    }

    /// What a module of the program that is used as a whole gives to host code; names of operators are left to the default.
    fn given_by(&self, module: &str, scope: ScopeId, public: bool) -> Vec<String> {
        let opened = self.model[scope].opened.iter();
        let of = |o: &&Opened| self.model[o.module].name == module;
        let Some(o) = opened.filter(of).find(|o| {
            let kind = self.model[o.module].kind;
            kind == ScopeKind::Module
        }) else {
            return Vec::new();
        };
        let out = &self.model[scope].exports;
        let plain = |n: &str| !n.contains('(') && !o.hides(n) && out.contains_key(n) == public;
        let exports = self.model[o.module].exports.iter();
        exports
            .filter(|(n, s)| plain(n) && !self.leaves(**s))
            .map(|(n, _)| n.to_string())
            .collect()
    }

    /// What becomes of an IMPORT statement, None if it stays: without names that host code does not have, and without what gives no
    /// more than there is without it: IMPORT with ONLY, NONE or ALL, and IMPORT outside of interface bodies.
    pub(in crate::translation::host) fn import(
        &self,
        names: &[Name],
        none: bool,
        span: Span,
        scope: ScopeId,
    ) -> Option<String> {
        let interface = self.model[scope].kind == ScopeKind::InterfaceBody;
        let listed = self.slice(span).get(6..).unwrap_or_default();
        let around = self.model[scope].parent.unwrap_or(scope);
        let stays = |n: &&Name| {
            let meant = self.model.lookup(around, &n.text);
            !meant.is_some_and(|s| self.leaves(s))
        };
        let stay: Vec<&str> = names
            .iter()
            .filter(stays)
            .map(|n| self.slice(n.span))
            .collect();
        let other_form = listed.trim_start().starts_with(',');
        if interface && !other_form && stay.len() == names.len() {
            return None;
        }
        Some(match stay.is_empty() {
            _ if !interface || none => String::new(),
            true if names.is_empty() => "import".to_owned(),
            true => String::new(),
            false => format!("import :: {}", stay.join(", ")),
        })
    }

    /// Drops the items of a statement's list that are marked; the statement if none is left.
    pub(in crate::translation::host) fn thin_out(
        &mut self,
        statement: Span,
        items: &[(Span, bool)],
    ) {
        if !items.is_empty() && items.iter().all(|(_, gone)| *gone) {
            self.delete_statement(Rule::Use, statement);
        } else {
            self.drop_items(items);
        }
    }

    fn drop_items(&mut self, items: &[(Span, bool)]) {
        for (k, (span, gone)) in items.iter().enumerate() {
            if *gone {
                let first = items[..k].iter().all(|(_, gone)| *gone);
                self.remove_from_list(*span, first);
            }
        }
    }

    /// Removes a list item and one comma beside it.
    pub(in crate::translation::host) fn remove_from_list(&mut self, item: Span, first: bool) {
        let comma = if first {
            self.comma_after(item.end)
        } else {
            self.comma_before(item.start)
        };
        let mut gone = item;
        match comma {
            Some(c) if first => {
                let after = self.text.get(c as usize + 1..).unwrap_or_default();
                let blanks = after.len() - after.trim_start_matches(' ').len();
                gone.end = c + 1 + blanks as u32;
            }
            Some(c) => gone.start = c,
            None => {}
        }
        self.edits.delete(Rule::Use, gone);
    }

    /// The comma that follows, over continued lines and comments.
    fn comma_after(&self, at: u32) -> Option<u32> {
        let text = self.text.as_bytes();
        let mut i = at as usize;
        loop {
            match *text.get(i)? {
                b',' => return Some(i as u32),
                b'!' => i += text[i..].iter().position(|b| *b == b'\n')?,
                b'&' => i += 1,
                b if b.is_ascii_whitespace() => i += 1,
                _ => return None,
            }
        }
    }

    /// The comma that precedes, over continued lines and comments. There are no strings in lists of names.
    fn comma_before(&self, at: u32) -> Option<u32> {
        let mut end = at;
        loop {
            let start = self.line_start(end);
            let line = self.slice(Span { start, end });
            let code = line.split('!').next().unwrap_or_default();
            let code = code.trim_end().trim_end_matches('&').trim_end();
            if !code.trim_start_matches([' ', '\t', '&']).is_empty() {
                return code.ends_with(',').then(|| start + code.len() as u32 - 1);
            }
            end = start.checked_sub(1)?;
        }
    }
}
