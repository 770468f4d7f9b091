//! Specification parts: declarations, attribute statements, parameters, interfaces, common blocks.

pub(in crate::translation::sema) mod agreement;
pub(in crate::translation::sema) mod attributes;
pub(in crate::translation::sema) mod binding;
pub(in crate::translation::sema) mod body;
pub(in crate::translation::sema) mod build;
pub(in crate::translation::sema) mod builder;
pub(in crate::translation::sema) mod type_spec;
pub(in crate::translation::sema) mod types;
pub(in crate::translation::sema) mod unit;
pub(in crate::translation::sema) mod uses;

use std::sync::Arc;

use crate::ast::{
    self, Attr, AttrKind, CharLen, Decl, DeclKind, Entity, Expr, ExprKind, Init, Name, TypeSpec,
    TypeSpecKind, Word,
};
use crate::sema::constant::fold;
use crate::sema::declare::attributes::{apply, defers_length, dimension, dims};
use crate::sema::declare::builder::{Builder, Fixup, specific_key, variable};
use crate::sema::declare::unit::Place;
use crate::sema::library::runtime_modules;
use crate::sema::model::*;

impl<'a> Builder<'a> {
    pub fn specification(&mut self, scope: ScopeId, spec: &'a [Decl]) {
        // Types first: a component may point to a type that is defined later.
        for d in spec {
            if let DeclKind::DerivedType(t) = &d.kind {
                self.announce_type(scope, t);
            }
        }
        for d in spec {
            self.declaration(scope, d);
        }
    }

    pub fn declaration(&mut self, scope: ScopeId, d: &'a Decl) {
        match &d.kind {
            DeclKind::Use(u) => self.use_statement(scope, u),
            DeclKind::ImplicitNone => {
                self.scope_mut(scope).implicit = Implicit(Arc::new([const { None }; 26]))
            }
            DeclKind::Implicit(rules) => {
                for (spec, ranges) in rules {
                    let ty = self.type_of_spec(scope, spec);
                    for (from, to) in ranges {
                        for c in *from..=*to {
                            if let Some(i) = letter(c) {
                                let rules = &mut self.scope_mut(scope).implicit.0;
                                Arc::make_mut(rules)[i] = Some(ty.clone());
                            }
                        }
                    }
                }
            }
            DeclKind::Type(t) => self.type_declaration(scope, t),
            DeclKind::Attributes { attrs, entities } => {
                self.attribute_statement(scope, attrs, entities);
            }
            DeclKind::Parameter(list) => {
                for (name, value) in list {
                    self.parameter_statement(scope, name, value);
                }
            }
            DeclKind::DerivedType(t) => self.define_type(scope, t),
            DeclKind::Interface(i) => self.interface(scope, i),
            DeclKind::Procedure {
                interface,
                attrs,
                entities,
            } => {
                for e in entities {
                    self.procedure_declaration(scope, interface.as_ref(), attrs, &e.name);
                }
            }
            DeclKind::Enum(list) => self.enumerators(scope, list),
            DeclKind::Common(blocks) => {
                for (name, entities) in blocks {
                    let members = entities.iter().map(|e| e.name.text.clone());
                    let block = (scope, name.text.clone(), members.collect());
                    self.m.commons.push(block);
                    let key = format!("/{}/", name.text);
                    let block =
                        self.new_symbol(scope, &name.text, name.span, SymbolKind::CommonBlock);
                    self.scope_mut(scope)
                        .names
                        .entry(key.into())
                        .or_insert(block);
                    for e in entities {
                        self.with_variable(scope, &e.name, |v| {
                            v.attrs.set(VarAttrs::IN_COMMON);
                            if let Some(a) = &e.dims {
                                v.dims = dims(a);
                            }
                        });
                    }
                }
            }
            DeclKind::Equivalence(sets) => {
                for e in sets.iter().flatten() {
                    if let Some(n) = e.base_name() {
                        self.with_variable(scope, n, |v| v.attrs.set(VarAttrs::IN_EQUIVALENCE));
                    }
                }
            }
            DeclKind::Namelist(groups) => {
                for (name, _) in groups {
                    self.declare(scope, name, SymbolKind::Namelist);
                }
            }
            DeclKind::CrayPointer(pairs) => {
                for (pointer, pointee) in pairs {
                    self.with_variable(scope, pointer, |v| {
                        v.ty = Type::Integer(8);
                        v.declared = true;
                    });
                    self.with_variable(scope, &pointee.name, |v| {
                        v.attrs.set(VarAttrs::CRAY_POINTEE);
                        if let Some(a) = &pointee.dims {
                            v.dims = dims(a);
                        }
                    });
                }
            }
            DeclKind::Other => {
                // What an include file that was not found or an unprocessed directive declares is not known.
                let text = self.text(d.span).trim_start();
                let word = text.get(..7).unwrap_or("");
                if word.eq_ignore_ascii_case("include") || text.starts_with('#') {
                    self.scope_mut(scope).open_ended = true;
                }
            }
            DeclKind::Data(sets) => {
                for set in sets {
                    self.data(scope, set.clone());
                }
            }
            DeclKind::Import { .. } | DeclKind::Format => {}
        }
    }

    /// The variable of a name declared in this scope, made if need be; nothing happens if the name is something else.
    fn with_variable(&mut self, scope: ScopeId, name: &Name, f: impl FnOnce(&mut Variable)) {
        let s = match self.m[scope].names.get(name.text.as_str()) {
            Some(&s) if !self.m[scope].used.contains_key(name.text.as_str()) => s,
            _ => {
                let v = SymbolKind::Variable(variable(Type::Unknown));
                self.declare(scope, name, v)
            }
        };
        if let SymbolKind::Variable(v) = &mut self.symbol_mut(s).kind {
            f(v);
        }
    }

    /// Values that DATA gives to variables of device code.
    fn data(&mut self, scope: ScopeId, set: ast::DataSet) {
        if self.m[scope].context == CodeContext::Host {
            return;
        }
        for n in set.names() {
            self.with_variable(scope, n, |v| v.attrs.set(VarAttrs::IN_DATA));
        }
        self.scope_mut(scope).data.push(set);
    }

    fn type_declaration(&mut self, scope: ScopeId, d: &'a ast::TypeDecl) {
        let ty = self.type_of_spec(scope, &d.spec);
        let has = |k: fn(&AttrKind) -> bool| d.attrs.iter().any(|a| k(&a.kind));
        for e in &d.entities {
            let ty = match &e.len {
                Some(len) => Type::Character(self.character_length(scope, Some(len))),
                None => ty.clone(),
            };
            if has(|k| matches!(k, AttrKind::Parameter)) {
                let value = match e.init.as_deref() {
                    Some(Init::Value(v)) => Some(v),
                    _ => None,
                };
                let spec = e.dims.as_ref().or(dimension(&d.attrs));
                if let Some(first) = self.already_declared(scope, &e.name) {
                    self.duplicate(&e.name, first);
                }
                let dims = spec.map_or(Vec::new(), dims);
                // The value may ask for the type and shape: x(2, 2) = reshape([1, 2, 3, 4], shape(x)).
                let p = self.parameter(scope, ty.clone(), dims.clone(), None);
                let s = self.declare(scope, &e.name, SymbolKind::Parameter(Box::new(p)));
                let p = self.parameter(scope, ty, dims, value);
                self.symbol_mut(s).kind = SymbolKind::Parameter(Box::new(p));
                self.attribute_access(scope, s, &d.attrs, &e.name);
                continue;
            }
            if has(|k| matches!(k, AttrKind::External | AttrKind::Intrinsic)) {
                let intrinsic = has(|k| matches!(k, AttrKind::Intrinsic));
                self.external(scope, &e.name, Some(ty), intrinsic);
                continue;
            }
            let existing = self.local(scope, &e.name.text);
            if let Some(s) = existing {
                // PARAMETER before the declaration of its implicit type.
                if matches!(&self.m[s].kind, SymbolKind::Parameter(p) if p.ty == ty) {
                    continue;
                }
                if let Some(first) = self.already_declared(scope, &e.name) {
                    self.duplicate(&e.name, first);
                    continue;
                }
                // `external f` before `real f`: the type of its result.
                if let SymbolKind::Procedure(p) = &self.m[s].kind
                    && p.body.is_none()
                {
                    let kind = p.kind == ProcedureKind::Intrinsic;
                    self.external(scope, &e.name, Some(ty), kind);
                    continue;
                }
                if !matches!(self.m[s].kind, SymbolKind::Variable(_)) {
                    continue;
                }
                self.symbol_mut(s).span = e.name.span;
                let text = Word::from(self.text(e.name.span));
                if text.eq_ignore_ascii_case(&e.name.text) {
                    self.symbol_mut(s).spelling = text;
                }
            }
            self.with_variable(scope, &e.name, |v| {
                v.ty = ty;
                v.declared = true;
                v.decl = d.span;
                if defers_length(e, &d.spec) {
                    v.attrs.set(VarAttrs::DEFERRED_LENGTH);
                }
                if let Some(a) = e.dims.as_ref().or(dimension(&d.attrs)) {
                    v.dims = dims(a);
                }
                v.init = e.init.clone();
                for a in &d.attrs {
                    apply(v, &a.kind);
                }
            });
            if let Some(Init::Data(values, _)) = e.init.as_deref() {
                let object = Expr {
                    kind: ExprKind::Name(e.name.clone()),
                    span: e.name.span,
                };
                let set = ast::DataSet {
                    objects: vec![object],
                    values: values.clone(),
                };
                self.data(scope, set);
            }
            if let Some(s) = self.local(scope, &e.name.text) {
                self.attribute_access(scope, s, &d.attrs, &e.name);
            }
        }
    }

    /// The place of a declaration of the name's type in this scope.
    fn already_declared(&self, scope: ScopeId, name: &Name) -> Option<ast::Span> {
        let s = self.local(scope, &name.text)?;
        match &self.m[s].kind {
            SymbolKind::Variable(v) if v.declared && v.decl != ast::Span::default() => {
                Some(self.m[s].span)
            }
            SymbolKind::Parameter(_) if self.m[s].span != ast::Span::default() => {
                Some(self.m[s].span)
            }
            _ => None,
        }
    }

    /// Reports CUDA attributes of names that nothing in the specification part declares and that have no implicit type.
    fn untyped(
        &mut self,
        scope: ScopeId,
        attrs: &'a [Attr],
        entities: &'a [Entity],
        spec: &'a [Decl],
    ) {
        if !attrs.iter().any(|a| matches!(a.kind, AttrKind::Cuda(_))) {
            return;
        }
        let typed = |name: &str| {
            spec.iter().any(|d| matches!(&d.kind, DeclKind::Type(t) if t.entities.iter().any(|e| e.name.text == name)))
        };
        for e in entities {
            let local = self.local(scope, &e.name.text);
            let variable = local.and_then(|s| self.m.variable(s));
            if variable.is_some_and(|v| v.ty == Type::Unknown) && !typed(&e.name.text) {
                let message = format!("`{}` is not declared", self.text(e.name.span));
                self.finding("CUF0201", message, e.name.span);
            }
        }
    }

    fn attribute_statement(&mut self, scope: ScopeId, attrs: &'a [Attr], entities: &'a [Entity]) {
        if entities.is_empty() {
            if attrs.iter().any(|a| matches!(a.kind, AttrKind::Private)) {
                self.scope_mut(scope).default_private = true;
            }
            if attrs.iter().any(|a| matches!(a.kind, AttrKind::Save)) {
                self.access
                    .entry(scope)
                    .or_default()
                    .insert(SAVE_ALL.into(), true);
            }
            return;
        }
        for e in entities {
            for a in attrs {
                match &a.kind {
                    AttrKind::Public | AttrKind::Private => {
                        let public = matches!(a.kind, AttrKind::Public);
                        self.access
                            .entry(scope)
                            .or_default()
                            .insert(e.name.text.clone(), public);
                    }
                    AttrKind::External => self.external(scope, &e.name, None, false),
                    AttrKind::Intrinsic => self.external(scope, &e.name, None, true),
                    // `bind(c) :: /block/`, `save /block/`
                    _ if e.name.text.starts_with('/') => {}
                    AttrKind::Parameter => {}
                    kind => {
                        // An attribute may come after the interface of a procedure pointer or dummy.
                        if let Some(s) = self.local(scope, &e.name.text)
                            && let SymbolKind::Procedure(p) = &mut self.symbol_mut(s).kind
                        {
                            if matches!(kind, AttrKind::Pointer) {
                                p.kind = ProcedureKind::Pointer;
                            }
                            continue;
                        }
                        self.with_variable(scope, &e.name, |v| {
                            apply(v, kind);
                            if let AttrKind::Dimension(a) = kind {
                                v.dims = dims(a);
                            }
                            if let Some(a) = &e.dims {
                                v.dims = dims(a);
                            }
                        });
                    }
                }
            }
        }
    }

    /// EXTERNAL or INTRINSIC, in a statement or a declaration (with the type of the result).
    fn external(&mut self, scope: ScopeId, name: &Name, ty: Option<Type>, intrinsic: bool) {
        let existing = self.local(scope, &name.text);
        let mut kind = match intrinsic {
            true => ProcedureKind::Intrinsic,
            false => ProcedureKind::External,
        };
        let mut ty = ty;
        if let Some(s) = existing {
            match &self.m[s].kind {
                SymbolKind::Variable(v) => {
                    if v.dummy.is_some() {
                        kind = ProcedureKind::Dummy;
                    }
                    if v.declared && ty.is_none() {
                        ty = Some(v.ty.clone());
                    }
                }
                SymbolKind::Procedure(p) if p.body.is_none() => kind = p.kind,
                _ => return,
            }
        }
        let s = match existing {
            Some(s) => s,
            None => self.declare(scope, name, SymbolKind::Unknown),
        };
        self.make_procedure(s, kind, ty);
    }

    /// Turns a symbol into a procedure without explicit interface; with a type it is a function.
    pub fn make_procedure(&mut self, s: SymbolId, kind: ProcedureKind, ty: Option<Type>) {
        let result = ty.map(|ty| {
            let mut v = variable(ty);
            v.is_result = true;
            v.declared = true;
            let (scope, name) = (self.m[s].scope, self.m[s].name.clone());
            self.new_symbol(scope, &name, ast::Span::default(), SymbolKind::Variable(v))
        });
        self.symbol_mut(s).kind = SymbolKind::Procedure(Box::new(Procedure {
            result,
            is_function: result.is_some(),
            ..Procedure::unknown(kind)
        }));
    }

    fn procedure_declaration(
        &mut self,
        scope: ScopeId,
        interface: Option<&'a Name>,
        attrs: &[Attr],
        name: &Name,
    ) {
        let dummy = self
            .local(scope, &name.text)
            .is_some_and(|s| self.m.variable(s).is_some_and(|v| v.dummy.is_some()));
        let kind = if dummy {
            ProcedureKind::Dummy
        } else if attrs.iter().any(|a| matches!(a.kind, AttrKind::Pointer)) {
            ProcedureKind::Pointer
        } else {
            ProcedureKind::External
        };
        let s = match self.local(scope, &name.text) {
            Some(s) => s,
            None => self.declare(scope, name, SymbolKind::Unknown),
        };
        self.make_procedure(s, kind, None);
        self.attribute_access(scope, s, attrs, name);
        if let Some(i) = interface {
            self.fixups
                .entry(scope)
                .or_default()
                .push(Fixup::Interface(s, i));
        }
    }

    fn parameter_statement(&mut self, scope: ScopeId, name: &Name, value: &'a Expr) {
        let (mut ty, mut dims) = (Type::Unknown, Vec::new());
        if let Some(s) = self.local(scope, &name.text)
            && let SymbolKind::Variable(v) = &self.m[s].kind
        {
            if v.declared {
                ty = v.ty.clone();
            }
            dims = v.dims.clone();
        }
        if ty == Type::Unknown {
            ty = self.implicit_type(scope, &name.text);
        }
        let p = self.parameter(scope, ty, dims, Some(value));
        match self.local(scope, &name.text) {
            Some(s) => self.symbol_mut(s).kind = SymbolKind::Parameter(Box::new(p)),
            None => {
                self.declare(scope, name, SymbolKind::Parameter(Box::new(p)));
            }
        }
    }

    /// The implicit type of a name, Unknown under IMPLICIT NONE.
    pub fn implicit_type(&self, scope: ScopeId, name: &str) -> Type {
        name.chars()
            .next()
            .and_then(letter)
            .and_then(|i| self.m[scope].implicit.0[i].clone())
            .unwrap_or(Type::Unknown)
    }

    /// A named constant: its value converted to its type and shape.
    fn parameter(
        &mut self,
        scope: ScopeId,
        ty: Type,
        dims: Vec<Dim>,
        init: Option<&'a Expr>,
    ) -> Parameter {
        let mut ty = ty;
        let mut value = None;
        if let Some(e) = init {
            self.touch(scope, e);
            (ty, value) = self.m.value_of(scope, ty, &dims, e);
        }
        Parameter {
            ty,
            dims,
            init: init.cloned(),
            value,
        }
    }

    fn enumerators(&mut self, scope: ScopeId, list: &'a [(Name, Option<Expr>)]) {
        let mut next = 0i128;
        for (name, init) in list {
            if let Some(v) = init
                .as_ref()
                .and_then(|e| self.m.expr(scope, e).as_integer())
            {
                next = v;
            }
            let p = Parameter {
                ty: Type::Integer(4),
                dims: Vec::new(),
                init: init.clone(),
                value: fold::integer(next, 4),
            };
            self.declare(scope, name, SymbolKind::Parameter(Box::new(p)));
            next += 1;
        }
    }

    fn interface(&mut self, scope: ScopeId, i: &'a ast::Interface) {
        let mut bodies = Vec::new();
        for b in &i.bodies {
            let body = self.declare_unit(b, Some(scope), Place::InterfaceBody);
            bodies.extend(self.m[body].symbol);
        }
        let Some(generic) = &i.generic else {
            return;
        };
        let g = self.generic(scope, generic);
        if let SymbolKind::Generic(list) = &mut self.symbol_mut(g).kind {
            list.specifics.extend(bodies);
        }
        self.fixups
            .entry(scope)
            .or_default()
            .push(Fixup::Specifics(g, &i.procedures));
    }

    /// The generic of a name in this scope, an extension of the one obtained by USE if there is one.
    pub fn generic(&mut self, scope: ScopeId, name: &Name) -> SymbolId {
        if let Some(s) = self.local(scope, &name.text) {
            match &self.m[s].kind {
                SymbolKind::Generic(_) => return s,
                SymbolKind::DerivedType(t) => {
                    let of_type = Some(*t);
                    self.symbol_mut(s).kind = SymbolKind::Generic(Generic {
                        specifics: Vec::new(),
                        of_type,
                    });
                    return s;
                }
                // A specific procedure of the same name, declared by an interface body.
                SymbolKind::Procedure(_) => {
                    self.scope_mut(scope)
                        .names
                        .insert(specific_key(&name.text).into(), s);
                }
                _ => {}
            }
        }
        let mut generic = Generic::default();
        let extended = self.m.lookup_used(scope, &name.text);
        if let Some(s) = extended {
            match &self.m[s].kind {
                SymbolKind::Generic(g) => generic = g.clone(),
                SymbolKind::DerivedType(t) => generic.of_type = Some(*t),
                _ => {}
            }
        }
        self.scope_mut(scope).used.shift_remove(name.text.as_str());
        let declared = self.declare(scope, name, SymbolKind::Generic(generic));
        if let Some(s) = extended {
            self.m.link_generics(declared, s);
        }
        declared
    }

    /// Type of a type specifier; an unknown derived type is reported.
    pub fn type_of_spec(&mut self, scope: ScopeId, spec: &TypeSpec) -> Type {
        let (name, class) = match &spec.kind {
            TypeSpecKind::Derived { name, .. } => (name, false),
            TypeSpecKind::Class {
                name: Some(name), ..
            } => (name, true),
            _ => return self.m.type_of_spec(scope, spec),
        };
        if name.text == "dim3" {
            self.predefined_type(scope, name);
        }
        let ty = self.m.type_of_spec(scope, spec);
        if matches!(ty, Type::Opaque(_))
            && !self.m[scope].open_ended
            && self.m.lookup(scope, &name.text).is_none()
            && !self.m.may_be_library(scope, &name.text)
        {
            let text = self.text(name.span).to_owned();
            let word = if class { "class" } else { "type" };
            self.finding(
                "CUF0203",
                format!(
                    "derived type `{text}` of {word}({text}) is not defined here{}",
                    handle_help(&name.text)
                ),
                name.span,
            );
        }
        ty
    }

    /// Device code knows the type of the predefined variables without cudafor.
    fn predefined_type(&mut self, scope: ScopeId, name: &Name) {
        if self.m[scope].context != CodeContext::Device
            || self.m.lookup(scope, &name.text).is_some()
        {
            return;
        }
        let module = runtime_modules::find("cudafor").map(|e| self.external_module(e));
        let found = module.and_then(|m| self.m[m].exports.get(&name.text).copied());
        if let Some(s) = found {
            self.scope_mut(scope).names.insert(name.text.clone(), s);
        }
    }

    fn character_length(&self, scope: ScopeId, len: Option<&CharLen>) -> CharacterLength {
        self.m.character_length(scope, len)
    }

    /// Implicit types of what has no declaration, memory spaces, SAVE for all.
    pub fn finish_variables(&mut self, scope: ScopeId) {
        let save = self
            .access
            .get(&scope)
            .is_some_and(|a| a.contains_key(SAVE_ALL));
        let ids: Vec<SymbolId> = self.m[scope].names.values().copied().collect();
        for s in ids {
            if self.m[s].scope != scope {
                continue;
            }
            if self.is_another_name(scope, s) {
                continue;
            }
            let ty = self.implicit_type(scope, &self.m[s].name);
            let space = self.default_space(scope, s);
            let in_unit = !matches!(
                self.m[scope].kind,
                ScopeKind::Block | ScopeKind::InterfaceBody
            );
            if let SymbolKind::Variable(v) = &mut self.symbol_mut(s).kind {
                if !v.declared && v.ty == Type::Unknown {
                    v.ty = ty;
                }
                if v.space == Space::Host {
                    v.space = space;
                }
                if save && in_unit && v.dummy.is_none() {
                    v.attrs.set(VarAttrs::SAVE);
                }
            }
        }
    }

    /// VOLATILE and ASYNCHRONOUS may be given to a variable of a module or of the host (F2018 8.5.4, 8.5.20): no other variable is
    /// declared, and the attributes, which cost no more than loads, are the variable's in all scopes.
    fn is_another_name(&mut self, scope: ScopeId, s: SymbolId) -> bool {
        let Some(v) = self.m.variable(s) else {
            return false;
        };
        let given = v.attrs;
        let both = VarAttrs(VarAttrs::VOLATILE.0 | VarAttrs::ASYNCHRONOUS.0);
        let only = given != VarAttrs::default() && both.has(given);
        if !only || v.declared || v.ty != Type::Unknown || v.dummy.is_some() || v.is_result {
            return false;
        }
        let name = self.m[s].name.clone();
        let outer = self.m[scope].parent;
        let around = || outer.and_then(|p| self.m.lookup(p, &name));
        let found = self.m.lookup_used(scope, &name).or_else(around);
        let Some(found) = found.filter(|f| self.m.variable(*f).is_some()) else {
            return false;
        };
        if let SymbolKind::Variable(v) = &mut self.symbol_mut(found).kind {
            v.attrs.set(given);
        }
        self.scope_mut(scope)
            .names
            .insert(name.as_str().into(), found);
        true
    }

    /// The space of a variable without CUDA attribute (guide 3.2).
    pub fn default_space(&self, scope: ScopeId, s: SymbolId) -> Space {
        let Some(v) = self.m.variable(s) else {
            return Space::Host;
        };
        if self.m[scope].context == CodeContext::Host {
            return Space::Host;
        }
        let kernel = self.m[scope]
            .symbol
            .and_then(|p| self.m.procedure(p))
            .is_some_and(|p| {
                matches!(
                    p.target,
                    ProcedureTarget::Global | ProcedureTarget::GridGlobal
                )
            });
        if kernel && v.dummy.is_some() && !v.attrs.has(VarAttrs::VALUE) {
            return Space::Device;
        }
        Space::Thread
    }
}

/// Key among the access statements for `save` without a list.
const SAVE_ALL: &str = "(save)";

fn letter(c: char) -> Option<usize> {
    let c = c.to_ascii_lowercase();
    c.is_ascii_lowercase().then(|| c as usize - 'a' as usize)
}

/// What handles are in CUDA Fortran that C declares with types of their own; empty for other names.
fn handle_help(name: &str) -> &'static str {
    match name {
        "cudastream_t" | "cudastream" => {
            "\nhelp: write `integer(kind=cuda_stream_kind)`, with `use cudafor`"
        }
        "cudaevent_t" => "\nhelp: write `type(cudaEvent)`, with `use cudafor`",
        "cudadeviceprop_t" => "\nhelp: write `type(cudaDeviceProp)`, with `use cudafor`",
        _ => "",
    }
}
