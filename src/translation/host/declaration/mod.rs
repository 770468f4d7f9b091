//! Declarations of host code: CUDA attributes go, device data becomes pointers.

pub(in crate::translation::host) mod accessor;
pub(in crate::translation::host) mod drop_device_names;
pub(in crate::translation::host) mod generic;
mod inquiry;
mod lists;
pub(in crate::translation::host) mod module_data;
pub(in crate::translation::host) mod specifics;

use crate::ast::*;
use crate::host::context::HostRewriter;
use crate::host::context::memory::allocation_space;
use crate::host::context::names::{ASSOCIATED, H2D, NULL, PRESENT};
use crate::host::context::rules::Values;
use crate::host::declaration::drop_device_names::declared_access;
use crate::host::declaration::specifics::{passes_address, takes_any};
use crate::map::Rule;
use crate::sema::model::*;

/// Statements that a scope's local device data needs at its beginning and on every exit.
#[derive(Default)]
pub(in crate::translation::host) struct Entry {
    /// Pointers that begin disassociated.
    pub nullify: Vec<String>,
    pub enter: Vec<String>,
    pub exit: Vec<String>,
    /// The variables that the statements on exit name.
    pub freed: Vec<SymbolId>,
}

/// How an entity is written in standard Fortran.
#[derive(PartialEq, Eq, Clone, Debug)]
struct Form {
    /// Attributes after the type, without commas.
    attrs: Vec<String>,
    /// In the place of the dimensions.
    shape: Option<String>,
    null: bool,
    drop_init: bool,
}

impl Entry {
    /// The statements for the beginning of the scope.
    pub fn statements(&self) -> Vec<String> {
        let mut all = Vec::new();
        if !self.nullify.is_empty() {
            all.push(format!("nullify({})", self.nullify.join(", ")));
        }
        all.extend(self.enter.iter().cloned());
        all
    }
}

impl HostRewriter<'_> {
    /// Specification part of a program unit or procedure.
    pub(in crate::translation::host) fn specification(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) -> Entry {
        let saved = matches!(
            unit.kind,
            UnitKind::Program | UnitKind::Module | UnitKind::Submodule { .. }
        );
        let mut entry = self.declarations(&unit.spec, scope, saved);
        self.interface_lives(unit, scope, &mut entry);
        if unit.kind == UnitKind::Module {
            self.implied_variables(unit, scope);
        }
        if unit.kind == UnitKind::Program {
            self.program_name(unit, scope);
            entry.exit.clear();
            entry.freed.clear();
            if self.checked {
                self.save_all(&unit.spec);
            }
        }
        entry
    }

    /// Variables of a main program live until the end (Fortran 2018, 8.5.16), but gfortran has some of them on the stack, where the search for
    /// what still holds memory does not find them.
    fn save_all(&mut self, spec: &[Decl]) {
        let saves = |d: &Decl| {
            let attrs = match &d.kind {
                DeclKind::Attributes { attrs, .. } => attrs,
                DeclKind::Type(t) => &t.attrs,
                _ => return false,
            };
            attrs.iter().any(|a| matches!(a.kind, AttrKind::Save))
        };
        let first = spec.iter().find(|d| {
            matches!(
                d.kind,
                DeclKind::Type(_) | DeclKind::Attributes { .. } | DeclKind::DerivedType(_)
            )
        });
        if let Some(first) = first.filter(|_| !spec.iter().any(saves)) {
            self.insert_before_line(Rule::Attributes, first.span.start, &["save".to_owned()], 0);
        }
    }

    /// All declarations of a scope. `saved`: its variables live as long as the program.
    pub(in crate::translation::host) fn declarations(
        &mut self,
        spec: &[Decl],
        scope: ScopeId,
        saved: bool,
    ) -> Entry {
        let outside = std::mem::replace(&mut self.accessed, declared_access(spec));
        for d in spec {
            self.declared_shapes(d, scope);
            match &d.kind {
                DeclKind::Type(t) => self.type_declaration(t, scope, saved),
                DeclKind::Attributes { attrs, entities } => {
                    self.attribute_statement(attrs, entities, d.span, scope, saved)
                }
                DeclKind::DerivedType(t) => self.derived_type(t, scope),
                DeclKind::Interface(i) => self.interface(i, scope),
                DeclKind::Use(u) => self.use_statement(u, d.span),
                DeclKind::Format => self.format_statement(d.span),
                DeclKind::Parameter(list) => {
                    for (name, value) in list {
                        let symbol = self.model[scope].names.get(name.text.as_str());
                        if let Some(SymbolKind::Parameter(p)) = symbol.map(|s| &self.model[*s].kind)
                        {
                            self.initial_constant(value, &p.ty, scope);
                        }
                    }
                }
                DeclKind::Import { names, none } => {
                    match self.import(names, *none, d.span, scope) {
                        Some(text) if text.is_empty() => {
                            self.delete_statement(Rule::Attributes, d.span)
                        }
                        Some(text) => self.edits.replace(Rule::Use, d.span, text),
                        None => {}
                    }
                }
                _ => {}
            }
        }
        self.declare_targets(spec, scope);
        self.accessed = outside;
        let mut entry = Entry::default();
        self.device_lives(scope, saved, &mut entry);
        self.owner_lives(scope, saved, &mut entry);
        entry
    }

    /// What the device data declared in a scope needs at its beginning and on every exit.
    fn device_lives(&mut self, scope: ScopeId, saved: bool, entry: &mut Entry) {
        let model = self.model;
        let mut done: Vec<SymbolId> = Vec::new();
        for s in model[scope].names.values().copied() {
            if model[s].scope == scope
                && !done.contains(&s)
                && let Some(v) = model.variable(s)
            {
                done.push(s);
                self.device_life(s, v, saved, entry);
            }
        }
    }

    fn interface(&mut self, i: &Interface, scope: ScopeId) {
        for body in &i.bodies {
            if let Some(c) = self.child_scope(scope, body) {
                match self.procedure_target(c) {
                    ProcedureTarget::Global | ProcedureTarget::GridGlobal => {
                        self.kernel_interface(body, c)
                    }
                    ProcedureTarget::Device => self.delete_statement(Rule::Attributes, body.span),
                    _ => {
                        for span in &body.prefix.cuda_spans {
                            self.edits.delete(Rule::Attributes, *span);
                        }
                        let saved = std::mem::replace(&mut self.scope, c);
                        self.ignored_types(body, c);
                        self.second_type(body, c);
                        self.declarations(&body.spec, c, true);
                        if body.bind.is_some() && !i.is_abstract {
                            self.texts_of_c(body, c);
                        }
                        self.scope = saved;
                    }
                }
            }
        }
        let ambiguous = i
            .generic
            .as_ref()
            .and_then(|g| self.model.lookup(scope, &g.text))
            .map(|g| self.ambiguous_specifics(g))
            .unwrap_or_default();
        self.leave_generic(i, scope, &ambiguous);
        let gone: Vec<bool> = i
            .procedures
            .iter()
            .map(|p| {
                self.model
                    .lookup(scope, &p.text)
                    .is_some_and(|s| self.specific_leaves(s, &ambiguous))
            })
            .collect();
        if !gone.is_empty() && gone.iter().all(|g| *g) && i.bodies.is_empty() {
            self.delete_statement(
                Rule::Attributes,
                Span {
                    start: i.header.start,
                    end: i.end.end,
                },
            );
            return;
        }
        self.specific_lists(i, scope, &gone, &ambiguous);
    }

    /// Bodies of specifics that had to leave their generic stand in interface blocks of their own.
    fn leave_generic(&mut self, i: &Interface, scope: ScopeId, ambiguous: &[SymbolId]) {
        let leaves = |b: &ProgramUnit| {
            let s = self.model.lookup(scope, &b.name.text);
            s.is_some_and(|s| ambiguous.contains(&s))
        };
        let mut items: Vec<(Span, bool)> = i.bodies.iter().map(|b| (b.span, leaves(b))).collect();
        if items.iter().all(|(_, leaves)| !leaves) {
            return;
        }
        items.extend(i.lists.iter().map(|l| (*l, false)));
        items.sort_by_key(|(span, _)| span.start);
        let indent = self.indent_at(i.header.start);
        let generic = self.slice(i.header).to_owned();
        let head = |leaves: bool| if leaves { "interface" } else { &generic };
        let mut before: Option<bool> = None;
        for (span, leaves) in &items {
            match before {
                None if *leaves => self.edits.replace(Rule::Interface, i.header, "interface"),
                Some(other) if other != *leaves => {
                    let text = format!("{indent}end interface\n{indent}{}\n", head(*leaves));
                    self.edits
                        .insert(Rule::Interface, self.line_start(span.start), text);
                }
                _ => {}
            }
            before = Some(*leaves);
        }
        if before == Some(true) {
            self.edits.replace(Rule::Interface, i.end, "end interface");
        }
    }

    fn derived_type(&mut self, t: &DerivedTypeDef, scope: ScopeId) {
        for c in &t.components {
            let Component::Data(d) = c else { continue };
            let dynamic = |a: &Attr| matches!(a.kind, AttrKind::Allocatable | AttrKind::Pointer);
            if !d.attrs.iter().any(dynamic) {
                self.drop_cuda_attrs(&d.attrs, d.spec.span.end);
            }
            let forms: Vec<Option<Form>> = d
                .entities
                .iter()
                .map(|e| {
                    let attrs = collect_attrs(&d.attrs);
                    let space = space_of_attrs(&attrs);
                    allocation_space(space).filter(|_| d.attrs.iter().any(dynamic))?;
                    let rank = entity_rank(e, &d.attrs);
                    Some(component_form(
                        &attrs,
                        rank,
                        e.init.is_some(),
                        (d, t.sequence),
                        self,
                    ))
                })
                .collect();
            if forms.iter().any(Option::is_some) {
                self.rewrite(d, &forms, scope);
            } else {
                self.rewrite_half_spec(&d.spec, scope);
                let ty = self.model.type_of_spec(scope, &d.spec);
                for e in &d.entities {
                    self.initial_value(e, &ty, scope);
                }
            }
        }
        self.bindings(t);
        if let Some(id) = self.defined_type(&t.name.text) {
            // The components of a divided type stand before what is bound to it.
            self.divide(t, id);
            self.owner_definition(t, id);
        }
    }

    fn type_declaration(&mut self, t: &TypeDecl, scope: ScopeId, saved: bool) {
        self.owner_intent(&t.entities, &t.attrs, scope);
        self.stray_value(t, scope);
        let mut forms = Vec::new();
        for e in &t.entities {
            forms.push(self.entity_form(e, &t.attrs, scope, saved));
        }
        if forms.iter().all(Option::is_none) {
            self.rewrite_half_spec(&t.spec, scope);
            let ty = self.model.type_of_spec(scope, &t.spec);
            for e in &t.entities {
                self.initial_value(e, &ty, scope);
            }
            // Named constants and the like may still carry a CUDA attribute.
            self.drop_cuda_attrs(&t.attrs, t.spec.span.end);
            return;
        }
        self.rewrite(t, &forms, scope);
    }

    /// Initial values that standard Fortran does not take: of real(2), BOZ constants, and logical values compared by `==`.
    fn initial_value(&mut self, e: &Entity, ty: &Type, scope: ScopeId) {
        if let Some(Init::Value(x)) = e.init.as_deref() {
            match self.half_init(x, ty, scope) {
                Some(text) => self.edits.replace(Rule::Half, x.span, text),
                None => self.initial_constant(x, ty, scope),
            }
        }
    }

    fn initial_constant(&mut self, x: &Expr, ty: &Type, scope: ScopeId) {
        let text = self.slice(x.span);
        if text.contains(['\'', '"']) || matches!(ty, Type::Logical(_)) {
            let value = self.model.expr(scope, x);
            self.value_as(&value, ty);
        } else if text.contains('[') || text.contains("(/") {
            let value = self.model.expr(scope, x);
            self.constructor_types(&value);
        }
    }

    fn drop_cuda_attrs(&mut self, attrs: &[Attr], after_type: u32) {
        let mut last = after_type;
        for a in attrs {
            if matches!(a.kind, AttrKind::Cuda(_)) {
                self.edits.delete(
                    Rule::Attributes,
                    Span {
                        start: last,
                        end: a.span.end,
                    },
                );
            }
            last = a.span.end;
        }
    }

    /// The standard form of one entity, None if it stays as it is.
    fn entity_form(
        &mut self,
        e: &Entity,
        attrs: &[Attr],
        scope: ScopeId,
        saved: bool,
    ) -> Option<Form> {
        let symbol = *self.model[scope].names.get(e.name.text.as_str())?;
        let v = self.model.variable(symbol)?;
        let rank = v.dims.len();
        let mut out: Vec<String> = Vec::new();
        if allocation_space(v.space).is_none() {
            if !passes_address(v) {
                return None;
            }
            let stays = |a: &&Attr| !matches!(a.kind, AttrKind::Contiguous | AttrKind::Cuda(_));
            let kept = attrs.iter().filter(stays);
            return Some(Form {
                attrs: kept.map(|a| self.edited(a.span)).collect(),
                shape: Some(address_shape(rank)),
                null: false,
                drop_init: false,
            });
        }
        let is_dummy = v.dummy.is_some();
        let pointer = v.attrs.has(VarAttrs::POINTER);
        let allocatable = v.attrs.has(VarAttrs::ALLOCATABLE);
        // A Cray pointee has no memory of its own.
        let pointee = v.attrs.has(VarAttrs::CRAY_POINTEE);
        let static_ = !pointer && !allocatable && !is_dummy && !pointee;
        let became_pointer = allocatable || static_;
        let save = v.attrs.has(VarAttrs::SAVE) || (!is_dummy && e.init.is_some() && !saved);
        for a in attrs {
            match &a.kind {
                // What C knows by the label is not the pointer.
                AttrKind::Cuda(_) | AttrKind::Bind(_) => {}
                AttrKind::Allocatable => {}
                AttrKind::Value if !is_dummy => {}
                AttrKind::Target if became_pointer => {}
                AttrKind::Contiguous if became_pointer || passes_address(v) => {}
                AttrKind::Dimension(d) if static_ => {
                    out.push(format!("dimension{}", colons(d.dims.len())))
                }
                AttrKind::Intent(Intent::Out) if allocatable || takes_any(v) => {
                    out.push("intent(inout)".to_owned())
                }
                _ => out.push(self.edited(a.span)),
            }
        }
        if became_pointer {
            out.push("pointer".to_owned());
            if rank > 0 {
                out.push("contiguous".to_owned());
            }
        } else if is_dummy
            && !pointer
            && !v.attrs.has(VarAttrs::TARGET)
            && !v.attrs.has(VarAttrs::VALUE)
            && !self.is_called_unseen(symbol)
        {
            out.push("target".to_owned());
        }
        let function_result = v.is_result;
        let has_inline_dims = e.dims.is_some();
        let has_dimension = attrs
            .iter()
            .any(|a| matches!(a.kind, AttrKind::Dimension(_)));
        Some(Form {
            attrs: out,
            // A shape that another statement gives goes with that statement.
            shape: if passes_address(v) {
                Some(address_shape(rank))
            } else {
                ((static_ && has_inline_dims)
                    || (became_pointer && rank > 0 && !has_inline_dims && !has_dimension))
                    .then(|| colons(rank))
            },
            null: became_pointer
                && !is_dummy
                && !function_result
                && (saved || save)
                && !matches!(e.init.as_deref(), Some(Init::Pointer(_))),
            drop_init: static_ && e.init.is_some(),
        })
    }

    /// Allocation on entry, release on exit of a variable that became a pointer.
    pub(in crate::translation::host) fn device_life(
        &mut self,
        symbol: SymbolId,
        v: &Variable,
        saved: bool,
        entry: &mut Entry,
    ) {
        let Some(space) = allocation_space(v.space) else {
            return;
        };
        let name = self.model[symbol].spelling.to_string();
        let allocatable = v.attrs.has(VarAttrs::ALLOCATABLE);
        if v.dummy.is_some() {
            if allocatable && v.intent == Some(Intent::Out) {
                let release = self.release_text(&name, &v.ty);
                entry.enter.push(if v.attrs.has(VarAttrs::OPTIONAL) {
                    format!("if ({PRESENT}({name})) then; {release}; end if")
                } else {
                    release
                });
            }
            return;
        }
        let kind = self.model[self.model[symbol].scope].kind;
        let bound = matches!(kind, ScopeKind::Module | ScopeKind::Submodule);
        if bound || v.attrs.has(VarAttrs::POINTER) || v.attrs.has(VarAttrs::CRAY_POINTEE) {
            return;
        }
        let save = v.attrs.has(VarAttrs::SAVE) || (v.init.is_some() && !saved);
        if !saved && !save {
            // An allocation must find the pointer in a defined state.
            entry.nullify.push(name.clone());
        }
        if !allocatable {
            let dims: Vec<DimSpec> = v.dims.iter().filter_map(explicit).collect();
            let bounds = self.bounds_text(&dims, Some(self.model[symbol].scope));
            let mut text = self.allocate_text(&name, &v.ty, &bounds, space, "");
            if let Some(Init::Value(init)) = v.init.as_deref() {
                let value = self.expr(init);
                let written = self.with_edits(init.span, |p| p.value_as(&value, &v.ty));
                let written = self.converted_initial(&value, written, &v.ty);
                let set = if space.is_empty() {
                    self.copy_text(H2D, &name, &v.ty, (&written, Some(value.rank)))
                } else {
                    format!("{name} = {written}")
                };
                text = format!("{text}; {set}");
            } else {
                text.push_str(&self.default_text(&name, &v.ty, &bounds, space));
            }
            if save && !saved {
                entry.enter.push(format!(
                    "if (.not. {ASSOCIATED}({name})) then; {text}; end if"
                ));
            } else {
                entry.enter.push(text);
            }
        }
        // A result is freed by the statement that refers to the function.
        if !saved && !save && !v.is_result {
            if !Model::is_device_space(v.space) {
                let rank = v.dims.len() as i8;
                let finish = self.finish(&name, &v.ty, rank, Some(ASSOCIATED));
                entry.exit.extend(finish);
            }
            entry.exit.push(self.release_text(&name, &v.ty));
            entry.freed.push(symbol);
        }
    }

    /// Rewrites a declaration: in place where all entities take the same attributes, else one declaration per entity.
    fn rewrite(&mut self, t: &TypeDecl, forms: &[Option<Form>], scope: ScopeId) {
        let same = forms.iter().all(|f| f.is_some())
            && forms.windows(2).all(|w| match (&w[0], &w[1]) {
                (Some(a), Some(b)) => a.attrs == b.attrs,
                _ => false,
            });
        let Some(first) = t.entities.first() else {
            return;
        };
        if same && let Some(Some(form)) = forms.first() {
            let head = Span {
                start: t.spec.span.end,
                end: t.colons.map_or(first.span.start, |c| c.end),
            };
            let attrs: String = form.attrs.iter().map(|a| format!(", {a}")).collect();
            let blank = if t.colons.is_some() { "" } else { " " };
            self.rewrite_half_spec(&t.spec, scope);
            self.edits
                .replace(Rule::Attributes, head, format!("{attrs} ::{blank}"));
            for (e, f) in t.entities.iter().zip(forms) {
                if let Some(f) = f {
                    let text = self.entity_text(e, f);
                    if text != self.slice(e.span) {
                        self.edits.replace(Rule::Attributes, e.span, text);
                    }
                }
            }
            return;
        }
        let type_text = match self.half_spec(&t.spec, scope) {
            Some(text) => text.to_owned(),
            None => self.edited(t.spec.span),
        };
        let ty = self.model.type_of_spec(scope, &t.spec);
        let mut lines = Vec::new();
        let mut kept = Vec::new();
        for (e, f) in t.entities.iter().zip(forms) {
            match f {
                None => kept.push(self.with_edits(e.span, |p| p.initial_value(e, &ty, scope))),
                Some(f) => {
                    let attrs: String = f.attrs.iter().map(|a| format!(", {a}")).collect();
                    lines.push(format!("{type_text}{attrs} :: {}", self.entity_text(e, f)));
                }
            }
        }
        if !kept.is_empty() {
            let attrs: String = t
                .attrs
                .iter()
                .filter(|a| !matches!(a.kind, AttrKind::Cuda(_)))
                .map(|a| format!(", {}", self.edited(a.span)))
                .collect();
            lines.insert(0, format!("{type_text}{attrs} :: {}", kept.join(", ")));
        }
        let separator = format!("\n{}", self.indent_at(t.span.start));
        self.edits
            .replace(Rule::Attributes, t.span, lines.join(&separator));
    }

    fn entity_text(&mut self, e: &Entity, f: &Form) -> String {
        let mut s = self.slice(e.name.span).to_owned();
        match (&f.shape, &e.dims) {
            (Some(shape), _) => s.push_str(shape),
            (None, Some(d)) => s.push_str(&self.edited(d.span)),
            (None, None) => {}
        }
        match e.init.as_deref() {
            Some(Init::Value(x)) if !f.drop_init => {
                s.push_str(&format!(" = {}", self.edited(x.span)))
            }
            Some(Init::Pointer(x)) => s.push_str(&format!(" => {}", self.edited(x.span))),
            Some(Init::Data(_, span)) => s.push_str(&format!(" {}", self.edited(*span))),
            _ => {}
        }
        if f.null {
            self.unit.runtime |= self.taken.hides_intrinsics();
            s.push_str(&format!(" => {NULL}()"));
        }
        s
    }

    /// `attributes(device) :: a`, `allocatable :: hp`, `target :: x`, `dimension x(3)`: entities that became pointers leave.
    fn attribute_statement(
        &mut self,
        attrs: &[Attr],
        entities: &[Entity],
        span: Span,
        scope: ScopeId,
        saved: bool,
    ) {
        if attrs
            .iter()
            .any(|a| matches!(a.kind, AttrKind::Intent(Intent::Out)))
        {
            self.intent_statement(attrs, entities, span, scope);
            return;
        }
        let value = |a: &Attr| matches!(a.kind, AttrKind::Value);
        if attrs.iter().all(value) && self.is_stray_value(entities, scope) {
            return self.delete_statement(Rule::Dialect, span);
        }
        // ATTRIBUTES(VALUE), which the guide has beside the memory attributes, is the VALUE statement.
        let text = self.slice(span);
        if let [
            Attr {
                kind: AttrKind::Value,
                ..
            },
        ] = attrs
            && let Some(close) = text.find(')').filter(|_| text.contains('('))
        {
            let end = span.start + close as u32 + 1;
            self.edits
                .replace(Rule::Attributes, Span { end, ..span }, "value");
            return;
        }
        let cuda = attrs.iter().any(|a| matches!(a.kind, AttrKind::Cuda(_)));
        if matches!(
            attrs.first().map(|a| &a.kind),
            Some(AttrKind::Public | AttrKind::Private)
        ) {
            self.access_statement(entities, span, scope);
            return;
        }
        let drops = cuda
            || attrs.iter().any(|a| {
                matches!(
                    a.kind,
                    AttrKind::Allocatable
                        | AttrKind::Target
                        | AttrKind::Dimension(_)
                        | AttrKind::Contiguous
                        | AttrKind::Bind(_)
                )
            });
        if !drops {
            return;
        }
        let mut stays = Vec::new();
        let mut new = Vec::new();
        for e in entities {
            let variable = self.model[scope]
                .names
                .get(e.name.text.as_str())
                .and_then(|s| self.model.variable(*s));
            let device = variable.filter(|v| allocation_space(v.space).is_some());
            match device {
                Some(v) if !v.declared && cuda => {
                    let name = self.model.type_name(&v.ty);
                    if let Some(f) = self.entity_form(e, attrs, scope, saved) {
                        let a: String = f.attrs.iter().map(|a| format!(", {a}")).collect();
                        new.push(format!("{name}{a} :: {}", self.entity_text(e, &f)));
                    }
                }
                Some(v) if !cuda && keeps_statements(v) => stays.push(self.edited(e.span)),
                Some(_) => {}
                None if cuda => {}
                None => stays.push(self.edited(e.span)),
            }
        }
        if stays.len() == entities.len() {
            return;
        }
        if !stays.is_empty() {
            let word = self
                .slice(Span {
                    start: span.start,
                    end: entities[0].span.start,
                })
                .to_owned();
            new.insert(0, format!("{word}{}", stays.join(", ")));
        }
        if new.is_empty() {
            self.delete_statement(Rule::Attributes, span);
        } else {
            let separator = format!("\n{}", self.indent_at(span.start));
            self.edits
                .replace(Rule::Attributes, span, new.join(&separator));
        }
    }
}

/// Bounds of explicit shape.
fn explicit(d: &Dim) -> Option<DimSpec> {
    match d {
        Dim::Explicit { lower, upper } => Some(DimSpec::Explicit {
            lower: lower.clone(),
            upper: upper.clone(),
        }),
        _ => None,
    }
}

/// What it is declared to be it stays: its DIMENSION, TARGET and CONTIGUOUS statements hold.
fn keeps_statements(v: &Variable) -> bool {
    v.attrs.has(VarAttrs::POINTER) || v.dummy.is_some() && !v.attrs.has(VarAttrs::ALLOCATABLE)
}

/// Assumed size of this rank: the procedure gets the address of the data, and rank and generics stay.
fn address_shape(rank: usize) -> String {
    let mut extents = vec!["1"; rank];
    if let Some(last) = extents.last_mut() {
        *last = "*";
    }
    format!("({})", extents.join(", "))
}

fn colons(rank: usize) -> String {
    if rank == 0 {
        return String::new();
    }
    format!("({})", vec![":"; rank].join(","))
}

fn collect_attrs(attrs: &[Attr]) -> Vec<&AttrKind> {
    attrs.iter().map(|a| &a.kind).collect()
}

/// Space that the CUDA attributes of a component give it.
fn space_of_attrs(attrs: &[&AttrKind]) -> Space {
    attrs
        .iter()
        .find_map(|a| match a {
            AttrKind::Cuda(CudaAttr::Device) => Some(Space::Device),
            AttrKind::Cuda(CudaAttr::Managed) => Some(Space::Managed),
            AttrKind::Cuda(CudaAttr::Unified) => Some(Space::Unified),
            AttrKind::Cuda(CudaAttr::Pinned) => Some(Space::Pinned),
            AttrKind::Cuda(CudaAttr::Texture) => Some(Space::Texture),
            _ => None,
        })
        .unwrap_or(Space::Host)
}

fn entity_rank(e: &Entity, attrs: &[Attr]) -> usize {
    e.dims
        .as_ref()
        .map(|d| d.dims.len())
        .or_else(|| {
            attrs.iter().find_map(|a| match &a.kind {
                AttrKind::Dimension(d) => Some(d.dims.len()),
                _ => None,
            })
        })
        .unwrap_or(0)
}

/// A component with a CUDA attribute: allocatable becomes pointer, pointer stays.
fn component_form(
    kinds: &[&AttrKind],
    rank: usize,
    has_init: bool,
    (d, sequence): (&TypeDecl, bool),
    pass: &HostRewriter<'_>,
) -> Form {
    let pointer = kinds.iter().any(|k| matches!(k, AttrKind::Pointer));
    let mut attrs: Vec<String> = d
        .attrs
        .iter()
        .filter(|a| !matches!(a.kind, AttrKind::Cuda(_) | AttrKind::Allocatable))
        .map(|a| pass.edited(a.span))
        .collect();
    if !pointer {
        attrs.push("pointer".to_owned());
        if rank > 0 {
            attrs.push("contiguous".to_owned());
        }
    }
    Form {
        attrs,
        shape: None,
        // A sequence type may be in COMMON, without default initialisation (F2018 C875).
        null: !(has_init || pointer && sequence),
        drop_init: false,
    }
}
