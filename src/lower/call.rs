//! References of the user's procedures: how actual arguments meet dummies, array-valued functions, hidden arguments.

use super::analysis::is_hidden;
use super::context::{Cx, Entity};
use super::convert::{conversion, convert};
use super::expr::Ix;
use crate::ast::{Intent, Span};
use crate::ir::{self, *};
use crate::sema::model::*;
use crate::sema::typed::*;

impl Cx<'_, '_> {
    /// Value of a function reference at a position (elemental or scalar), or of the element of its array result.
    pub fn function(
        &mut self,
        e: &TExpr,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        ix: &[Ix],
    ) -> Expr {
        let elemental = self
            .model()
            .procedure(procedure)
            .is_some_and(|p| p.elemental);
        if !ix.is_empty() && !elemental {
            let t = self.materialise(e);
            return self.element_of(&t, ix);
        }
        let ty = self.value_type(&e.ty).unwrap_or(ir::Type::Unknown);
        let pointer = self
            .model()
            .procedure(procedure)
            .and_then(|p| p.result)
            .and_then(|r| self.model().variable(r))
            .is_some_and(|v| v.attrs.has(VarAttrs::POINTER));
        if pointer {
            let elem = self.storage_type(&e.ty).unwrap_or(ir::Type::Unknown);
            let result = ir::Type::Pointer {
                to: Box::new(elem.clone()),
                restrict: false,
            };
            return self.invoke(procedure, args, ix, result, e.span).deref(elem);
        }
        self.invoke(procedure, args, ix, ty, e.span)
    }

    /// The result of an array-valued function in a variable.
    pub fn array_function(
        &mut self,
        e: &TExpr,
        procedure: SymbolId,
        args: &[Option<TExpr>],
    ) -> Entity {
        let elem = self.storage_type(&e.ty).unwrap_or(ir::Type::Unknown);
        let result = self.model().procedure(procedure).and_then(|p| p.result);
        let folded = result.map(|r| self.model().dims_of(r)).unwrap_or_default();
        let mut dims = Vec::new();
        let mut bounds = Vec::new();
        for b in &folded {
            let (Some(lo), Some(hi)) = (b.lower, b.upper) else {
                continue;
            };
            dims.push(FixedDim {
                lower: (lo != 1).then(|| Expr::int(lo)),
                upper: Expr::int(hi),
                lo,
                hi,
            });
            bounds.push((Some(Expr::int(lo)), Some(Expr::int(hi))));
        }
        let ty = if dims.len() == folded.len() && !dims.is_empty() {
            ir::Type::Fixed {
                elem: Box::new(elem),
                dims,
            }
        } else {
            let attributes = result.and_then(|r| self.model().variable(r));
            let has = |a| attributes.is_some_and(|v| v.attrs.has(a));
            let pointer = has(VarAttrs::POINTER);
            let own = !pointer && !has(VarAttrs::ALLOCATABLE);
            bounds = folded
                .iter()
                .map(|b| (b.lower.filter(|_| own).map(Expr::int), None))
                .collect();
            let (elem, rank) = (Box::new(elem), folded.len());
            if pointer {
                ir::Type::View { elem, rank }
            } else {
                ir::Type::LocalArray { elem, rank }
            }
        };
        let value = self.invoke(procedure, args, &[], ty.clone(), e.span);
        let name = self.numbered("t");
        self.before(
            StmtKind::Declare(Declare {
                ty: ir::Type::Auto,
                qualifier: Qualifier::Const,
                names: vec![Declarator {
                    name: name.clone(),
                    init: Init::Value(value),
                }],
                maybe_unused: false,
            })
            .into(),
        );
        Entity {
            expr: Expr::name(&name, ty),
            bounds,
            optional: None,
        }
    }

    /// The C++ call of a device procedure.
    pub fn invoke(
        &mut self,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        ix: &[Ix],
        ty: ir::Type,
        span: Span,
    ) -> Expr {
        let model = self.model();
        let name = model[procedure].spelling.clone();
        if super::procedures::is_dummy_procedure(model, procedure) {
            return self.invoke_dummy(procedure, args, ix, ty);
        }
        if self.sh.analysis.body_of(model, procedure).is_none()
            && let Some(e) = self.foreign(procedure, args, ix, &ty)
        {
            return e;
        }
        let Some(body) = self.sh.analysis.body_of(model, procedure) else {
            return self.refuse_expr(
                span,
                "CUF0430",
                format!("{name} has no body in the program and cannot be called from device code"),
            );
        };
        let Some(source) = self.sh.analysis.procs.get(&body).copied() else {
            return Expr::int(0);
        };
        let symbol = source.symbol.unwrap_or(procedure);
        let Some(p) = model.procedure(symbol) else {
            return Expr::int(0);
        };
        if !matches!(
            p.target,
            ProcedureTarget::Device | ProcedureTarget::HostDevice
        ) {
            return self.refuse_expr(
                span,
                "CUF0431",
                format!("{name} is not a device procedure and cannot be called from device code"),
            );
        }
        self.sh.needs.borrow_mut().insert((self.file, source.file));
        if self.is_below(source.scope) {
            self.sh.below.borrow_mut().insert((self.file, body));
        }
        let dummies = p.dummies.clone();
        let mut out = Vec::new();
        for (i, d) in dummies.iter().enumerate() {
            let Some(d) = d else {
                return self.refuse_expr(span, "CUF0307", "device code has no alternate returns");
            };
            let actual = args.get(i).and_then(Option::as_ref);
            if super::procedures::is_dummy_procedure(model, *d) {
                out.push(self.procedure_actual(actual, span));
                continue;
            }
            let Some(v) = model.variable(*d).cloned() else {
                return self.refuse_expr(
                    span,
                    "CUF0409",
                    format!("the arguments of {name} are not known"),
                );
            };
            if let Some(a) = actual
                // What changes behind a pointer component of an INTENT(IN) dummy is another's.
                && v.intent != Some(Intent::In)
                && self.sh.analysis.dummy_modified(model, body, i)
            {
                self.changed_actual(*d, a);
            }
            let v = match actual {
                None => Expr::new(ExprKind::Null, ir::Type::Auto),
                Some(a) if v.dims.is_empty() => self.scalar_actual(*d, &v, a, ix),
                Some(a) => self.array_actual(*d, &v, a),
            };
            out.push(v);
        }
        out.extend(self.hidden_actuals(body, span));
        let callee = Ident {
            space: Namespaces::Unit(self.sh.namespace_of(source.scope)),
            name: crate::ir::names::safe(&model[symbol].spelling),
        };
        Expr::call(Callee::Procedure(callee), out, ty)
    }

    /// An actual argument that the procedure changes.
    fn changed_actual(&mut self, dummy: SymbolId, a: &TExpr) {
        let model = self.model();
        let dummy = &model[dummy].spelling;
        if let Some((code, why)) = model.unchangeable(a) {
            let name = a.root().map_or("", |r| &model[r].spelling);
            let message = format!("'{name}' {why}, and the procedure changes its dummy '{dummy}'");
            self.refuse(a.span, code, message);
        } else if matches!(a.kind, TExprKind::Constant { .. }) {
            let message =
                format!("the procedure changes its dummy '{dummy}', but a constant is passed");
            self.sh.warn(self.file, a.span, "CUF0393", message);
        }
    }

    /// The procedure stands in a submodule in another file, of a module in this file.
    fn is_below(&self, scope: ScopeId) -> bool {
        let model = self.model();
        let mut at = Some(scope);
        let mut submodule = false;
        while let Some(s) = at {
            if model[s].file == self.file {
                return submodule;
            }
            submodule |= model[s].kind == ScopeKind::Submodule;
            at = model[s].parent;
        }
        false
    }

    /// The hidden arguments of a procedure: module data that is not a symbol of the device code.
    pub fn hidden_actuals(&mut self, body: ScopeId, span: Span) -> Vec<Expr> {
        let hidden: Vec<_> = self
            .sh
            .analysis
            .facts
            .get(&body)
            .map(|f| f.hidden.iter().copied().collect())
            .unwrap_or_default();
        let mut out = Vec::new();
        for h in hidden {
            let ent = if self.capture.is_some() && !self.vars.contains_key(&h) {
                self.capture_variable(h, span)
            } else {
                self.entity(h, span)
            };
            let scalar = self.model().dims(h).is_empty();
            out.push(if scalar { ent.expr.address() } else { ent.expr });
        }
        out
    }

    /// A device procedure of C or CUDA C++ with an interface that has BIND(C).
    fn foreign(
        &mut self,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        ix: &[Ix],
        ty: &ir::Type,
    ) -> Option<Expr> {
        let model = self.model();
        let p = model.procedure(procedure)?;
        let name = p.bind_name.clone()?;
        if !matches!(
            p.target,
            ProcedureTarget::Device | ProcedureTarget::HostDevice
        ) {
            return None;
        }
        let mut params = Vec::new();
        let mut out = Vec::new();
        for (i, d) in p.dummies.clone().into_iter().enumerate() {
            let d = d?;
            let v = model.variable(d)?.clone();
            let elem = self.storage_type(&v.ty)?;
            let a = args.get(i)?.as_ref()?;
            let pointer = ir::Type::Pointer {
                to: Box::new(elem.clone()),
                restrict: false,
            };
            let (param, value) = if v.attrs.has(VarAttrs::VALUE) && v.dims.is_empty() {
                let t = if elem.is_logical() {
                    ir::Type::Bool
                } else {
                    elem.clone()
                };
                let value = self.val(a, ix);
                (t.clone(), convert(value, &t))
            } else if v.dims.iter().any(|x| matches!(x, Dim::Colon { .. })) {
                return None;
            } else if v.dims.is_empty() {
                let place = if a.is_designator() {
                    self.place(a)
                } else {
                    self.temporary_place(a, &elem)
                };
                (pointer, place.address())
            } else {
                (pointer, self.array_actual(d, &v, a))
            };
            params.push(Param {
                name: crate::ir::names::safe(&model[d].name),
                ty: param,
            });
            out.push(value);
        }
        let proc = ir::Proc {
            remarks: Vec::new(),
            name: name.clone(),
            kind: ProcKind::Device,
            result: ty.clone(),
            params,
            body: Vec::new(),
        };
        self.sh
            .externals
            .borrow_mut()
            .insert((self.file, name.clone()), proc);
        Some(Expr::call(Callee::External(name), out, ty.clone()))
    }

    fn temporary_place(&mut self, a: &TExpr, elem: &ir::Type) -> Expr {
        let value = self.value_as(a, elem);
        let name = self.numbered("t");
        self.before(ir::Stmt::declare(elem.clone(), &name, Init::Value(value)));
        Expr::name(&name, elem.clone())
    }

    pub fn scalar_actual(&mut self, d: SymbolId, v: &Variable, a: &TExpr, ix: &[Ix]) -> Expr {
        if super::text::has_varying_length(&v.ty) {
            return self.text_actual(d, v, a, ix);
        }
        let Some(elem) = self.storage_type(&v.ty) else {
            return self.refuse_expr(
                a.span,
                "CUF0403",
                "device code has no data of this type (guide 3.6.1)",
            );
        };
        if v.attrs.is_dynamic() {
            return self.movable_actual(d, v, a);
        }
        let optional = v.attrs.has(VarAttrs::OPTIONAL);
        if optional && let Some(p) = self.is_optional_dummy(a) {
            let place = self.place(a);
            if place.ty == ir::Type::Text {
                return self.refuse_expr(
                    a.span,
                    "CUF0421",
                    "an optional text without constant length is not passed on to a dummy of constant length",
                );
            }
            let data = place.address();
            return match &data.kind {
                ExprKind::Name(i) if i.name == p => Expr::name(&p, ir::Type::Auto),
                _ => self.when_present(a, data),
            };
        }
        if self.dummy_by_value(d) && !optional {
            let ty = match &elem {
                ir::Type::Logical(_) => ir::Type::Bool,
                t => t.clone(),
            };
            let value = if a.ty == crate::sema::model::Type::Boz {
                self.boz(a, &ty)
            } else {
                self.val(a, ix)
            };
            let value = if super::array::is_character(&a.ty) {
                super::text::character_object(value)
            } else {
                value
            };
            return convert(value, &ty);
        }
        let by_const = self.dummy_is_const(d);
        if let (
            crate::sema::model::Type::Derived(to) | crate::sema::model::Type::Class(to),
            crate::sema::model::Type::Derived(from) | crate::sema::model::Type::Class(from),
        ) = (&v.ty, &a.ty)
            && to != from
            && self.model().extends(*from, *to)
        {
            let whole = self.place_at(a, ix);
            let part = self.as_ancestor(whole, *from, *to);
            return if optional { part.address() } else { part };
        }
        let copied = v.attrs.has(VarAttrs::VALUE);
        let place = if copied {
            None
        } else if a.is_designator() && (a.rank <= 0 || !ix.is_empty()) {
            let p = self.place_at(a, if a.rank <= 0 { &[] } else { ix });
            let part = is_part_of_text(a, &p, &elem);
            if part && (optional || !by_const || self.is_shared_actual(d, a)) {
                Some(characters(p, &elem))
            } else {
                // A value in a register or of another representation needs a place of its own.
                (!part && p.ty.plain() == &elem).then_some(p)
            }
        } else {
            None
        };
        let place = match place {
            Some(p) => p,
            None => {
                let value = if a.ty == crate::sema::model::Type::Boz {
                    self.boz(a, &elem)
                } else {
                    self.val(a, ix)
                };
                let value = convert(value, &elem);
                // An expression has the value it has now, though C++ would pass the variable itself.
                let copied = !a.is_designator() && value.is_place();
                if by_const && !optional && !copied {
                    return value;
                }
                let name = self.numbered("t");
                self.before(ir::Stmt::declare(elem.clone(), &name, Init::Value(value)));
                Expr::name(&name, elem)
            }
        };
        if optional { place.address() } else { place }
    }

    pub fn array_actual(&mut self, d: SymbolId, v: &Variable, a: &TExpr) -> Expr {
        if v.attrs.is_dynamic() {
            return self.movable_actual(d, v, a);
        }
        let view = v.dims.iter().any(|x| matches!(x, Dim::Colon { .. }));
        if a.rank <= 0
            && a.is_designator()
            && let Some(elem @ ir::Type::Character(_)) = self.storage_type(&v.ty)
        {
            // Sequence association: the array begins at this character.
            let place = self.place(a);
            if is_part_of_text(a, &place, &elem) {
                return characters(place, &elem).address();
            }
        }
        if matches!(a.kind, TExprKind::Substring { .. }) && self.dummy_is_const(d) {
            let copy = self.materialise(a).expr;
            return if view {
                copy
            } else {
                copy.method(Method::Data, Vec::new(), ir::Type::Auto)
            };
        }
        let ancestors = self.ancestors_of(v, a);
        let a = ancestors.as_ref().unwrap_or(a);
        if let Some(copy) = self.gathered(a) {
            if self.is_shared_actual(d, a) {
                self.refuse(a.span, "CUF0436", self.no_copy(d));
            }
            let part = if view { Method::Whole } else { Method::Data };
            return copy.method(part, Vec::new(), ir::Type::Auto);
        }
        if view {
            let data = self.section(a);
            return if v.attrs.has(VarAttrs::OPTIONAL) {
                self.when_present(a, data)
            } else {
                data
            };
        }
        if v.attrs.has(VarAttrs::OPTIONAL) && self.is_optional_dummy(a).is_some() {
            let plain = matches!(&a.kind, TExprKind::Variable(s) if self.vars.get(s)
                .is_some_and(|e| matches!(e.expr.ty.plain(), ir::Type::Array { .. })));
            if plain {
                let p = self.is_optional_dummy(a).unwrap_or_default();
                return Expr::name(&p, ir::Type::Auto);
            }
        }
        let elem = self.storage_type(&v.ty).unwrap_or(ir::Type::Unknown);
        let pointer = ir::Type::Pointer {
            to: Box::new(elem),
            restrict: false,
        };
        if a.rank <= 0 && a.is_designator() {
            return self.element_actual(a, pointer);
        }
        // The elements that a vector subscript names have no place of their own.
        let vector = matches!(&a.kind, TExprKind::Index { subs, .. } if subs.iter().any(|s| matches!(s, Subscript::Vector(_))));
        if vector || !a.is_designator() {
            let t = self.materialise(a);

            return self.constness(
                t.expr.method(Method::Data, Vec::new(), pointer.clone()),
                d,
                &pointer,
            );
        }
        if v.attrs.has(VarAttrs::OPTIONAL) && matches!(a.kind, TExprKind::Variable(_)) {
            let whole = self.section(a);
            let whole = self.when_present(a, whole);
            if !matches!(whole.kind, ExprKind::Name(_)) {
                let packing = self.packing(d, a);
                return Expr::call(packing, vec![self.place_text(), whole], ir::Type::Auto).method(
                    Method::Data,
                    Vec::new(),
                    pointer,
                );
            }
        }
        if self.is_contiguous(a) {
            return match &a.kind {
                TExprKind::Index { base, subs } => {
                    let whole = self.array_place(base, &[]);
                    let first = subs
                        .iter()
                        .enumerate()
                        .map(|(k, s)| match s {
                            Subscript::Element(x) => self.index_value(x),
                            _ => self.triplet(&whole, k, s).0,
                        })
                        .collect();
                    whole.expr.at(first).address()
                }
                _ => self
                    .array_place(a, &[])
                    .expr
                    .method(Method::Data, Vec::new(), pointer),
            };
        }
        // The runtime copies in and out if the elements do not lie side by side.
        let s = self.section(a);
        let packing = self.packing(d, a);
        Expr::call(packing, vec![self.place_text(), s], ir::Type::Auto).method(
            Method::Data,
            Vec::new(),
            pointer,
        )
    }

    /// Sequence association: the array begins at this element. Of an assumed-shape array or pointer, which standard Fortran does
    /// not allow (F2018 15.5.2.4) and nvfortran does, the elements have to lie side by side: the runtime stops where they do not.
    fn element_actual(&mut self, a: &TExpr, pointer: ir::Type) -> Expr {
        let first = self.place(a).address();
        let TExprKind::Index { base, .. } = &a.kind else {
            return first;
        };
        let allocatable = match &base.kind {
            TExprKind::Variable(s) => self
                .model()
                .variable(*s)
                .is_some_and(|v| v.attrs.has(VarAttrs::ALLOCATABLE)),
            TExprKind::Component { of, index, .. } => {
                let components = self.model().components_of(*of);
                let field = components.get(*index);
                field.is_some_and(|f| f.attrs.has(VarAttrs::ALLOCATABLE))
            }
            _ => false,
        };
        if allocatable || self.is_contiguous(base) {
            return first;
        }
        let whole = self.array_place(base, &[]).expr;
        Expr::call(
            Function::Sequence,
            vec![self.place_text(), whole, first],
            pointer,
        )
    }

    /// The class of the runtime that gives the elements of an actual side by side: no copy where other threads change them.
    fn packing(&mut self, d: SymbolId, a: &TExpr) -> Function {
        if !self.is_shared_actual(d, a) {
            return Function::Packed;
        }
        if is_surely_strided(a) {
            self.refuse(a.span, "CUF0436", self.no_copy(d));
        }
        Function::InPlace
    }

    fn no_copy(&self, d: SymbolId) -> String {
        let dummy = &self.model()[d].spelling;
        format!(
            "the elements of this section do not lie side by side, and a copy of them for the dummy {dummy} would not see what other threads write while the procedure synchronises: give {dummy} assumed shape"
        )
    }

    /// The parts of an array of an extended type that a CLASS dummy of an ancestor takes, as a designator `a%ancestor`.
    fn ancestors_of(&self, v: &Variable, a: &TExpr) -> Option<TExpr> {
        use crate::sema::model::Type;
        let (Type::Class(to), Type::Derived(from) | Type::Class(from)) = (&v.ty, &a.ty) else {
            return None;
        };
        let model = self.model();
        let mut at = *from;
        while let Some(parent) = model[at].parent {
            if parent == *to {
                let kind = TExprKind::Component {
                    base: Box::new(a.clone()),
                    of: *from,
                    index: PARENT_COMPONENT,
                    name: model[at].parent_name.clone(),
                };
                // No other designator has this span: it takes in one character more.
                let span = Span {
                    end: a.span.end + 1,
                    ..a.span
                };
                return Some(TExpr {
                    kind,
                    ty: Type::Derived(parent),
                    span,
                    ..a.clone()
                });
            }
            at = parent;
        }
        None
    }

    /// The data of a constant temporary is const, which fits a dummy that is only read.
    fn constness(&self, e: Expr, d: SymbolId, pointer: &ir::Type) -> Expr {
        if self.dummy_is_const(d) {
            e
        } else {
            convert_pointer(e, pointer)
        }
    }

    /// A call statement of a device procedure.
    pub fn call_user(
        &mut self,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        span: Span,
    ) -> Vec<ir::Stmt> {
        let elemental = self
            .model()
            .procedure(procedure)
            .is_some_and(|p| p.elemental);
        let shape = args.iter().flatten().find(|a| a.rank > 0).cloned();
        if elemental && let Some(shape) = shape {
            self.sequence(args.iter().flatten());
            let ranges = self.ranges(&shape);
            return self.nest(&ranges, |cx, ix| {
                let (pre, call) =
                    cx.with_hoisted(|cx| cx.invoke(procedure, args, ix, ir::Type::Void, span));
                let mut body = pre;
                body.push(ir::Stmt::expr(call));
                body
            });
        }
        self.sequence(args.iter().flatten());
        let call = self.invoke(procedure, args, &[], ir::Type::Void, span);
        vec![ir::Stmt::expr(call)]
    }

    /// The symbol travels as a hidden argument.
    pub fn hidden(&self, s: SymbolId) -> bool {
        is_hidden(self.model(), s)
    }
}

/// A section with a step that is no multiple of the array's elements side by side.
fn is_surely_strided(a: &TExpr) -> bool {
    let TExprKind::Index { subs, .. } = &a.kind else {
        return false;
    };
    subs.iter().any(|s| match s {
        Subscript::Range { step, .. } => {
            let step = step.as_ref().and_then(TExpr::as_integer);
            step.is_some_and(|s| s != 1)
        }
        _ => false,
    })
}

/// The actual is a substring, or text of another length than the dummy.
fn is_part_of_text(a: &TExpr, place: &Expr, elem: &ir::Type) -> bool {
    let text = matches!(place.ty.plain(), ir::Type::Character(_) | ir::Type::Text);
    text && matches!(elem, ir::Type::Character(_))
        && (matches!(a.kind, TExprKind::Substring { .. }) || place.ty.plain() != elem)
}

/// The characters from the first of `place` on as an object of the dummy's length.
fn characters(place: Expr, elem: &ir::Type) -> Expr {
    let n = match elem {
        ir::Type::Character(n) => *n,
        _ => 1,
    };
    Expr::call_of(
        Function::Characters,
        vec![TemplateArg::Int(n)],
        vec![place],
        elem.clone(),
    )
}

fn convert_pointer(e: Expr, pointer: &ir::Type) -> Expr {
    match &e.ty {
        ir::Type::Pointer { .. } => e,
        _ => conversion(e, pointer),
    }
}
