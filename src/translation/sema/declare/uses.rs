//! USE association: modules of the program, of the runtime, and unknown ones; what a module exports.

use super::builder::{Builder, variable};
use crate::ast::{self, Span, Word};
use crate::sema::library::runtime_api;
use crate::sema::library::runtime_modules;
use crate::sema::library::runtime_modules::External;
use crate::sema::model::*;
use crate::suggest;

impl<'a> Builder<'a> {
    pub fn use_statement(&mut self, scope: ScopeId, u: &'a ast::Use) {
        let name = u.module.text.as_str();
        self.scope_mut(scope).uses.push(name.to_owned());
        let own = if u.intrinsic {
            None
        } else {
            self.module_scope(self.file, name)
        };
        let module = match own {
            Some(m) => m,
            None => match runtime_modules::find(name) {
                Some(e) if !self.is_defined(name) || u.intrinsic => self.external_module(e),
                _ => {
                    self.unknown_module(scope, u);
                    return;
                }
            },
        };
        if self.m[module].kind == ScopeKind::External
            && runtime_modules::find(name).is_some_and(|e| !e.is_provided())
        {
            self.module_from_elsewhere(u);
        }
        let file = self.file.0 as usize;
        if self.m[module].kind == ScopeKind::External || self.m[module].file != self.file {
            self.m.files[file]
                .modules_used
                .entry(name.into())
                .or_insert(module);
        }
        if self.m[module].open_ended && !u.only {
            self.scope_mut(scope).open_ended = true;
        }
        let mut hidden = Vec::new();
        for item in &u.items {
            let original = item.original.as_ref().unwrap_or(&item.local);
            let found = self.exported(module, &original.text);
            match found.or_else(|| self.m.overload(module, &original.text)) {
                Some(s) => self.bring_in(scope, &item.local, s),
                None if self.m[module].open_ended || self.m[module].kind == ScopeKind::External => {
                    let runtime = self.m[module].kind == ScopeKind::External;
                    let defined = original.text.contains('(');
                    // An operation of the runtime is one of the translator's, besides those that the program defines.
                    let kind = match runtime && defined {
                        true => SymbolKind::Generic(Generic::default()),
                        false => SymbolKind::Unknown,
                    };
                    let s = self.new_symbol(module, &original.text, Span::default(), kind);
                    self.bring_in(scope, &item.local, s);
                }
                None => {
                    let text = self.text(original.span).to_owned();
                    let message = if self.m[module].names.contains_key(original.text.as_str()) {
                        format!("`{text}` is private in module `{name}`")
                    } else {
                        let public = self.m[module].exports.keys().map(|k| k.as_str());
                        let question = suggest::question(&text, public);
                        format!("module `{name}` has no `{text}`{question}")
                    };
                    self.finding("CUF0206", message, original.span);
                    let s = self.new_symbol(
                        module,
                        &original.text,
                        Span::default(),
                        SymbolKind::Unknown,
                    );
                    self.bring_in(scope, &item.local, s);
                }
            }
            if item.original.is_some() {
                hidden.push(original.text.clone());
            }
        }
        if !u.only {
            let opened = Opened { module, hidden };
            let known = &self.m[scope].opened;
            if !known.iter().any(|o| o.module == module) {
                self.merge_generics(scope, module);
            } else if known.contains(&opened) {
                return;
            }
            self.scope_mut(scope).opened.push(opened);
        }
    }

    /// Puts a module's entity under a local name; generics of one name become one.
    fn bring_in(&mut self, scope: ScopeId, local: &ast::Name, s: SymbolId) {
        let s = match self.m.lookup_used(scope, &local.text) {
            // References that fit none of a generic's specifics are those of the intrinsic.
            Some(other) if self.m.is_overload(s) && self.is_generic(other) => other,
            Some(other) if other != s => self.merged(scope, &local.text, other, s).unwrap_or(s),
            _ => s,
        };
        let scope = self.scope_mut(scope);
        scope.names.insert(local.text.clone(), s);
        scope.used.insert(local.text.clone(), s);
    }

    fn is_generic(&self, s: SymbolId) -> bool {
        matches!(self.m[s].kind, SymbolKind::Generic(_))
    }

    fn merged(&mut self, scope: ScopeId, name: &str, a: SymbolId, b: SymbolId) -> Option<SymbolId> {
        let part = |m: &Model, s: SymbolId| match &m[s].kind {
            SymbolKind::Generic(g) => Some(g.clone()),
            SymbolKind::DerivedType(t) => Some(Generic {
                specifics: Vec::new(),
                of_type: Some(*t),
            }),
            _ => None,
        };
        let mut all = part(&self.m, a)?;
        let more = part(&self.m, b)?;
        for s in more.specifics {
            if !all.specifics.contains(&s) {
                all.specifics.push(s);
            }
        }
        all.of_type = all.of_type.or(more.of_type);
        let span = self.m[b].span;
        let merged = self.new_symbol(
            scope,
            &name.into(),
            Span::default(),
            SymbolKind::Generic(all),
        );
        self.symbol_mut(merged).span = span;
        self.m.link_generics(merged, a);
        self.m.link_generics(merged, b);
        Some(merged)
    }

    /// Generics of a module that is about to be opened and that other modules used here have too.
    fn merge_generics(&mut self, scope: ScopeId, module: ScopeId) {
        let Some(generics) = self.generics.get(&module).cloned() else {
            return;
        };
        for (name, s) in generics {
            if let Some(other) = self.m.lookup_used(scope, &name)
                && other != s
                && let Some(merged) = self.merged(scope, &name, other, s)
            {
                let scope = self.scope_mut(scope);
                scope.names.insert(name.clone(), merged);
                scope.used.insert(name, merged);
            }
        }
    }

    /// A module that is neither in the program nor the runtime's. A misspelling is an error; else its names are unknown.
    fn unknown_module(&mut self, scope: ScopeId, u: &ast::Use) {
        let name = &u.module.text;
        self.scope_mut(scope).open_ended = true;
        for item in &u.items {
            let original = item.original.as_ref().unwrap_or(&item.local);
            let s = self.new_symbol(scope, &original.text, Span::default(), SymbolKind::Unknown);
            let own = self.scope_mut(scope);
            own.names.insert(item.local.text.clone(), s);
            own.used.insert(item.local.text.clone(), s);
        }
        if self.is_defined(name) {
            // Part of a cycle, which is reported where the modules are ordered.
            return;
        }
        let near = runtime_modules::nearest(name)
            .map(str::to_owned)
            .or_else(|| {
                self.defined_modules()
                    .find(|m| {
                        m.len() > 6
                            && name.len() > 6
                            && strsim::osa_distance(m, name) == 1
                            && !name.ends_with(|c: char| c.is_ascii_digit())
                    })
                    .map(str::to_owned)
            });
        if let Some(near) = near {
            let text = self.text(u.module.span).to_owned();
            self.finding(
                "CUF0204",
                format!("module `{text}` is not in the program"),
                u.module.span,
            );
            if let Some(f) = self.findings.last_mut() {
                f.help = Some(format!("did you mean `{near}`?"));
                f.proposal = Some(ast::Proposal {
                    span: u.module.span,
                    text: near,
                    is_safe: false,
                });
            }
        } else if !u.intrinsic && !runtime_modules::is_host_library(name) {
            self.module_from_elsewhere(u);
        }
    }

    /// A module that gfortran may find compiled: a warning, once for each.
    fn module_from_elsewhere(&mut self, u: &ast::Use) {
        let name = u.module.text.as_str();
        if self.outside.modules.is_some_and(|o| o.contains(name)) {
            return;
        }
        let why = runtime_modules::not_in_the_toolkit(name);
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        let message = format!("module `{name}` is not among the sources{why}");
        if self.findings.iter().any(|f| f.message == message) {
            return;
        }
        self.finding("CUF0204", message, u.module.span);
        if self.outside.modules.is_some() {
            if let Some(f) = self.findings.last_mut() {
                let help = format!(
                    "add its source file, or name the directory of `{name}.mod` with `-I`, or pass `--extern-modules {name}` if your own build provides it"
                );
                f.help = Some(help);
            }
            return;
        }
        if let Some(f) = self.findings.last_mut() {
            f.warning = true;
            f.help = Some(
                "gfortran must find its module file; cuf2cu treats what it declares as host data and host procedures"
                    .to_owned(),
            );
        }
    }

    /// A public entity of a module; names that a library module claims by their prefix are made on demand.
    pub fn exported(&mut self, module: ScopeId, name: &str) -> Option<SymbolId> {
        self.m
            .export(module, name)
            .or_else(|| self.claimed(module, name))
    }

    /// A symbol for a name that a library module has by its prefix or family; the kind is settled where it is used.
    pub fn claimed(&mut self, module: ScopeId, name: &str) -> Option<SymbolId> {
        if self.m[module].kind != ScopeKind::External {
            return None;
        }
        let own = self.m[module].name.clone();
        let external = runtime_modules::find(&own)?;
        let family = own == "cudadevice" && runtime_modules::cudadevice(name).is_some();
        if family || external.prefixes.iter().any(|p| name.starts_with(p)) {
            let kind = if family {
                runtime_procedure(true)
            } else {
                SymbolKind::Unknown
            };
            let name = Word::from(name);
            let s = self.new_symbol(module, &name, Span::default(), kind);
            let scope = self.scope_mut(module);
            scope.names.insert(name.clone(), s);
            scope.exports.insert(name, s);
            return Some(s);
        }
        for include in external.includes {
            if let Some(e) = runtime_modules::find(include) {
                let inner = self.external_module(e);
                if let Some(s) = self.claimed(inner, name) {
                    return Some(s);
                }
            }
        }
        None
    }

    /// The scope of a runtime or compiler module, made when first used.
    pub fn external_module(&mut self, e: &'static External) -> ScopeId {
        if let Some(&s) = self.m.modules.get(e.name)
            && self.m[s].kind == ScopeKind::External
        {
            return s;
        }
        let scope = self.new_scope(ScopeKind::External, e.name, None, Span::default());
        let symbol = self.new_symbol(
            scope,
            &e.name.into(),
            Span::default(),
            SymbolKind::Module(scope),
        );
        self.scope_mut(scope).symbol = Some(symbol);
        self.m.modules.entry(e.name.into()).or_insert(scope);
        for intrinsic in runtime_modules::overloaded(e.name) {
            let kind = Box::new(Procedure::unknown(ProcedureKind::Intrinsic));
            let name = Word::from(intrinsic.name());
            let kind = SymbolKind::Procedure(kind);
            let s = self.new_symbol(scope, &name, Span::default(), kind);
            self.scope_mut(scope).overloads.insert(name, s);
        }
        let mut names = self.external_types(e, scope);
        for (name, value) in e.constants {
            let kind = SymbolKind::Parameter(Box::new(self.external_constant(name, *value)));
            names.push(((*name).to_owned(), kind));
        }
        for (name, _) in e.functions {
            names.push(((*name).to_owned(), runtime_procedure(true)));
        }
        for name in e.subroutines {
            names.push(((*name).to_owned(), runtime_procedure(false)));
        }
        if e.name == "cudafor" {
            for p in runtime_api::PROCEDURES {
                names.push((p.name.to_owned(), runtime_procedure(true)));
            }
        }
        if e.name == "cudadevice" {
            for (name, code) in runtime_modules::cudadevice_names() {
                names.push((name.to_owned(), runtime_procedure(!code.is_empty())));
            }
        }
        for (name, kind) in names {
            let name = Word::from(name);
            let s = self.new_symbol(scope, &name, Span::default(), kind);
            let scope = self.scope_mut(scope);
            scope.names.insert(name.clone(), s);
            scope.exports.insert(name, s);
        }
        for include in e.includes {
            let Some(inner) = runtime_modules::find(include) else {
                continue;
            };
            let inner = self.external_module(inner);
            // A name that programs have of their own comes by its own module alone.
            let more: Vec<(Word, SymbolId)> = self.m[inner]
                .exports
                .iter()
                .filter(|(n, _)| n.as_str() != "on_device")
                .map(|(n, s)| (n.clone(), *s))
                .collect();
            let scope = self.scope_mut(scope);
            for (n, s) in more {
                scope.exports.entry(n).or_insert(s);
            }
        }
        scope
    }

    /// The types of a module, with their names.
    fn external_types(
        &mut self,
        e: &'static External,
        scope: ScopeId,
    ) -> Vec<(String, SymbolKind)> {
        let mut names: Vec<(String, SymbolKind)> = Vec::new();
        for t in e.types {
            // Several modules have dim3: it is one type.
            if let Some(id) = self.m.external_types.get(t.name) {
                names.push((t.name.to_owned(), SymbolKind::DerivedType(*id)));
                continue;
            }
            let id = TypeId(self.m.types.len() as u32);
            self.m.types.push(DerivedType {
                name: t.name.to_owned(),
                scope,
                parent: None,
                components: Vec::new(),
                bindings: Default::default(),
                parent_name: String::new(),
                parameters: false,
                sequence: false,
                structure: false,
                finals: Vec::new(),
                is_abstract: false,
                bind_c: true,
                external: true,
            });
            self.m.external_types.insert(t.name.into(), id);
            names.push((t.name.to_owned(), SymbolKind::DerivedType(id)));
        }
        // Components after all types: they may be of types declared later in the table, or of iso_c_binding.
        for t in e.types {
            let fields: Vec<Field> = t
                .components
                .split_ascii_whitespace()
                .filter_map(|c| c.split_once(':'))
                .map(|(name, code)| self.external_field(name, code))
                .collect();
            if let Some(id) = self.m.external_types.get(t.name).copied()
                && self.m[id].scope == scope
            {
                self.m.types[id.0 as usize].components = fields;
            }
        }
        names
    }

    /// A named constant of a module, whose type its name tells.
    fn external_constant(&self, name: &str, value: Option<i64>) -> Parameter {
        let character = matches!(
            name,
            "c_null_char"
                | "c_alert"
                | "c_backspace"
                | "c_form_feed"
                | "c_new_line"
                | "c_carriage_return"
                | "c_horizontal_tab"
                | "c_vertical_tab"
        );
        let ty = if character {
            Type::Character(CharacterLength::Constant(1))
        } else if let Some(t) = name.strip_prefix("c_null_") {
            self.m.type_of_code(&format!("t:c_{t}"))
        } else if name == "cudastreamlegacy" || name == "cudastreamperthread" {
            Type::Integer(8)
        } else {
            Type::Integer(4)
        };
        let value = match (&ty, value) {
            (Type::Integer(k), Some(v)) => Some(Constant::Integer(v.into(), *k)),
            (Type::Character(_), Some(v)) => u8::try_from(v)
                .ok()
                .map(|code| Constant::Character(char::from(code).into())),
            _ => None,
        };
        let array = name.ends_with("_kinds");
        let dims = match array {
            true => vec![Dim::Colon { lower: None }],
            false => Vec::new(),
        };
        Parameter {
            ty,
            dims,
            init: None,
            value,
        }
    }

    fn external_field(&mut self, name: &str, code: &str) -> Field {
        let (code, extent) = match code.split_once('[') {
            Some((c, n)) => (c, n.trim_end_matches(']').parse::<u32>().ok()),
            None => (code, None),
        };
        if code == "t:c_ptr"
            && let Some(iso) = runtime_modules::find("iso_c_binding")
        {
            self.external_module(iso);
        }
        let ty = self.m.type_of_code(code);
        let dims = extent
            .map(|n| Dim::Explicit {
                lower: None,
                upper: ast::Expr {
                    kind: ast::ExprKind::Integer {
                        digits: n.to_string(),
                        kind: None,
                    },
                    span: Span::default(),
                },
            })
            .into_iter()
            .collect();
        Field {
            name: name.to_owned(),
            spelling: name.to_owned(),
            ty,
            dims,
            space: Space::Host,
            attrs: VarAttrs::default(),
            init: None,
            span: Span::default(),
            is_procedure: false,
        }
    }

    /// Public names of a module, once all its names are known.
    pub fn export(&mut self, module: ScopeId) {
        let access = self.access.remove(&module).unwrap_or_default();
        let default = !self.m[module].default_private;
        let public = |name: &str| access.get(name).copied().unwrap_or(default);
        let mut exports = Names::default();
        let mut reexported: Vec<Opened> = Vec::new();
        let own = &self.m[module];
        // PUBLIC and PRIVATE of a module's name mean all that it gives (F2018 8.6.1).
        let whole = |m: ScopeId| access.get(self.m[m].name.as_str()).copied();
        for o in &own.opened {
            if whole(o.module).unwrap_or(default) {
                let other = &self.m[o.module];
                let runtime = match other.kind {
                    ScopeKind::External => std::slice::from_ref(o),
                    _ => &other.reexported,
                };
                for r in runtime {
                    let private = access.iter().filter(|(_, public)| !**public);
                    let more = o.hidden.iter().chain(private.map(|(n, _)| n));
                    let mut r = r.clone();
                    r.hidden.extend(more.cloned());
                    r.hidden.sort();
                    r.hidden.dedup();
                    if !reexported.contains(&r) {
                        reexported.push(r);
                    }
                }
                if other.kind == ScopeKind::External {
                    continue;
                }
                for (n, s) in &self.m[o.module].exports {
                    if access.get(n) != Some(&false) && !o.hidden.contains(n) {
                        exports.entry(n.clone()).or_insert(*s);
                    }
                }
            }
        }
        if !default {
            let named = access.iter().filter(|(_, public)| **public);
            for (n, _) in named {
                let meant = self.m.lookup(module, n);
                if let Some(s) = meant.or_else(|| self.m.overload_in(module, n)) {
                    exports.insert(n.clone(), s);
                }
            }
        }
        let mut private = Vec::new();
        for (n, s) in &own.names {
            let base = n
                .strip_prefix("specific(")
                .and_then(|n| n.strip_suffix(')'))
                .unwrap_or(n);
            let given = own.used.contains_key(n).then(|| self.m[*s].scope);
            let listed = || given.filter(|_| !access.contains_key(base)).and_then(whole);
            if listed().unwrap_or_else(|| public(base)) {
                exports.insert(n.clone(), *s);
            } else if !own.used.contains_key(n) {
                private.push(*s);
            }
        }
        for s in private {
            self.symbol_mut(s).private = true;
        }
        let brings = self.brought(module, default, &exports);
        let generics: Vec<(Word, SymbolId)> = exports
            .iter()
            .filter(|(_, s)| matches!(self.m[**s].kind, SymbolKind::Generic(_)))
            .map(|(n, s)| (n.clone(), *s))
            .collect();
        self.generics.insert(module, generics);
        let scope = self.scope_mut(module);
        scope.exports = exports;
        scope.reexported = reexported;
        scope.brings = brings;
    }

    /// The runtime modules of which names come along with a module.
    fn brought(&self, module: ScopeId, default: bool, exports: &Names<SymbolId>) -> Vec<ScopeId> {
        let own = &self.m[module];
        let external = |s: &ScopeId| self.m[*s].kind == ScopeKind::External;
        let homes = exports.values().map(|s| self.m[*s].scope);
        let used = own
            .uses
            .iter()
            .filter_map(|u| self.m.modules.get(u.as_str()));
        let through = own.opened.iter().flat_map(|o| &self.m[o.module].brings);
        let all = used
            .chain(through)
            .filter(|_| default)
            .copied()
            .chain(homes);
        let mut all: Vec<ScopeId> = all.filter(external).collect();
        all.sort_by_key(|s| s.0);
        all.dedup();
        all
    }
}

/// A procedure of a runtime module; its result is looked up by name where it is referenced.
pub(in crate::translation::sema) fn runtime_procedure(is_function: bool) -> SymbolKind {
    SymbolKind::Procedure(Box::new(Procedure {
        is_function,
        external_module: true,
        ..Procedure::unknown(ProcedureKind::External)
    }))
}

/// A named constant of a library whose value is not known here.
pub(in crate::translation::sema) fn runtime_constant() -> SymbolKind {
    SymbolKind::Parameter(Box::new(Parameter {
        ty: Type::Integer(4),
        dims: Vec::new(),
        init: None,
        value: None,
    }))
}

/// A scalar variable of implicit type.
pub(in crate::translation::sema) fn implicit_variable(ty: Type, space: Space) -> SymbolKind {
    let mut v = variable(ty);
    v.space = space;
    SymbolKind::Variable(v)
}
