//! Pointers and allocatables of device code: declaration, pointer assignment, ALLOCATE, DEALLOCATE, NULLIFY, inquiries.
//!
//! A pointer array is a `cuf::view`, a scalar pointer a `T*`; an allocatable owns its data (`cuf::local_array`,
//! `cuf::local_scalar`) and frees it at the end of its scope. Module allocatables and pointers are associated on the host:
//! device code uses them, but cannot change what they are associated with.

use crate::ast::{self, Span};
use crate::intrinsics::Inquiry;
use crate::ir::{self, *};
use crate::lower::context::layout::runtime_struct;
use crate::lower::context::rules::{Arrays, Assignments, Designators, Pointers};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// What a statement does with its objects.
#[derive(Clone, Copy)]
enum Verb {
    Allocate,
    Deallocate,
}

impl Verb {
    /// The operation that stops the program where it fails.
    fn or_stop(self) -> (Function, Method) {
        match self {
            Verb::Allocate => (Function::Allocate, Method::Allocate),
            Verb::Deallocate => (Function::Deallocate, Method::Deallocate),
        }
    }

    /// The operation that gives a status.
    fn tried(self) -> (Function, Method) {
        match self {
            Verb::Allocate => (Function::TryAllocate, Method::TryAllocate),
            Verb::Deallocate => (Function::TryDeallocate, Method::TryDeallocate),
        }
    }
}

/// Something that ALLOCATE and DEALLOCATE work on.
struct Object {
    /// The C++ object.
    place: Expr,
    /// A pointer; else an allocatable, whose operations are methods.
    pointer: bool,
    /// The variable as an expression of the source.
    whole: TExpr,
}

impl Object {
    /// `x.verb(where, args)` or `cuf::verb(where, x, args)`
    fn operation(
        &self,
        (function, method): (Function, Method),
        place: Option<Expr>,
        args: Vec<Expr>,
        ty: ir::Type,
    ) -> Expr {
        let object = self.place.clone();
        if self.pointer {
            let first = place.into_iter().chain([object]);
            Expr::call(function, first.chain(args).collect(), ty)
        } else {
            object.method(method, place.into_iter().chain(args).collect(), ty)
        }
    }
}

impl LoweringContext<'_, '_> {
    /// C++ type of a pointer or allocatable with elements of a type.
    pub fn movable_type(elem: ir::Type, v: &Variable) -> ir::Type {
        let rank = v.dims.len();
        match (v.attrs.has(VarAttrs::POINTER), rank) {
            (true, 0) => ir::Type::Pointer {
                to: Box::new(elem),
                restrict: false,
            },
            (true, _) => ir::Type::View {
                elem: Box::new(elem),
                rank,
            },
            (false, _) => ir::Type::LocalArray {
                elem: Box::new(elem),
                rank,
            },
        }
    }

    /// How the data of a pointer or allocatable is written.
    pub fn movable_entity(object: Expr) -> Entity {
        let ty = object.ty.clone();
        let expr = match &ty {
            ir::Type::Pointer { to, .. } => object.deref(to.plain().clone()),
            ir::Type::LocalArray { elem, rank: 0 } => {
                let pointer = ir::Type::Pointer {
                    to: elem.clone(),
                    restrict: false,
                };
                object
                    .method(Method::Data, Vec::new(), pointer)
                    .deref(elem.plain().clone())
            }
            _ => object,
        };
        let bounds = vec![(None, None); ty.rank()];
        Entity {
            expr,
            bounds,
            optional: None,
        }
    }

    /// Declaration of a local pointer or allocatable; pointers begin disassociated.
    pub fn local_pointer(&mut self, s: SymbolId, v: &Variable, name: &str) -> Option<ir::Stmt> {
        let elem = self.storage_type(&v.ty)?;
        let ty = Self::movable_type(elem, v);
        self.vars
            .insert(s, Self::movable_entity(Expr::name(name, ty.clone())));
        let null = || Expr::new(ExprKind::Null, ir::Type::Auto);
        let init = match ty {
            ir::Type::Pointer { .. } => Init::Value(null()),
            ir::Type::View { .. } => Init::Args(vec![null()]),
            _ => Init::None,
        };
        Some(ir::Stmt::declare(ty, name, init))
    }

    /// What RETURN gives back.
    pub fn result_value(&self) -> Option<Expr> {
        let r = self.result?;
        let e = self.vars.get(&r)?.expr.clone();
        let scalar_pointer = self
            .model()
            .variable(r)
            .is_some_and(|v| v.attrs.has(VarAttrs::POINTER) && v.dims.is_empty());
        Some(if scalar_pointer { e.address() } else { e })
    }

    /// A local allocatable (or an allocatable dummy) as the object that owns the data.
    pub fn owner(&self, t: &TExpr) -> Option<Expr> {
        let TExprKind::Variable(s) = t.kind else {
            return None;
        };
        if !self.model().variable(s)?.attrs.has(VarAttrs::ALLOCATABLE) {
            return None;
        }
        let e = &self.vars.get(&s)?.expr;
        match (&e.kind, &e.ty) {
            (_, ir::Type::LocalArray { .. }) => Some(e.clone()),
            (ExprKind::Deref(p), _) => match &p.kind {
                ExprKind::Method { base, .. } if matches!(base.ty, ir::Type::LocalArray { .. }) => {
                    Some((**base).clone())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A pointer variable or component as something to assign to.
    fn pointer_place(&mut self, t: &TExpr) -> Option<Expr> {
        let span = t.span;
        let fixed = match &t.kind {
            TExprKind::Variable(s) => {
                let kernel_dummy = self.is_kernel()
                    && self.model().variable(*s).is_some_and(|v| v.dummy.is_some());
                kernel_dummy || self.hidden(*s) || !self.vars.contains_key(s)
            }
            TExprKind::Component { .. } => false,
            _ => true,
        };
        if fixed {
            self.refuse(
                span,
                "CUF0383",
                "device code cannot change the association of a module pointer or kernel argument\nhelp: associate it in host code",
            );
            return None;
        }
        Some(if t.rank > 0 {
            self.array_place(t, &[]).expr
        } else {
            self.place(t).address()
        })
    }

    /// `p => target`
    pub fn pointer_assign(&mut self, lhs: &ast::Expr, rhs: &ast::Expr) -> Vec<ir::Stmt> {
        let l = self.model().designator(self.scope, lhs);
        let r = self.model().designator(self.scope, rhs);
        let (pointer, bounds) = match &l.kind {
            TExprKind::Index { base, subs } => ((**base).clone(), subs.clone()),
            _ => (l, Vec::new()),
        };
        let Some(place) = self.pointer_place(&pointer) else {
            return Vec::new();
        };
        if matches!(r.kind, TExprKind::Null) {
            return vec![ir::Stmt::assign(
                place,
                Expr::new(ExprKind::Null, ir::Type::Auto),
            )];
        }
        if r.rank <= 0 {
            let target = self.place(&r).address();
            return vec![ir::Stmt::assign(place, target)];
        }
        let target = self.target(&r);
        if bounds.is_empty() {
            return vec![ir::Stmt::assign(place, target)];
        }
        let remaps = bounds
            .iter()
            .any(|b| matches!(b, Subscript::Range { hi: Some(_), .. }));
        let mut args = Vec::new();
        for b in &bounds {
            let Subscript::Range { lo, hi, .. } = b else {
                continue;
            };
            let lo = lo
                .as_ref()
                .map_or_else(|| Expr::int(1), |e| self.index_value(e));
            match hi {
                Some(hi) => {
                    let hi = self.index_value(hi);
                    args.push(runtime_struct(Class::Range, vec![lo, hi]));
                }
                None => args.push(lo),
            }
        }
        let value = if remaps {
            args.insert(0, target);
            Expr::call(Function::Remapped, args, place.ty.clone())
        } else {
            Expr::call(Function::View, vec![target], place.ty.clone()).method(
                Method::Rebased,
                args,
                place.ty.clone(),
            )
        };
        vec![ir::Stmt::assign(place, value)]
    }

    /// `f(x) = value`: assignment to what a pointer function gives (F2018 R902).
    pub fn assign_to_target(&mut self, lhs: &TExpr, rhs: &TExpr) -> Option<Vec<ir::Stmt>> {
        let TExprKind::Call { procedure, .. } = lhs.kind else {
            return None;
        };
        let result = self.model().procedure(procedure)?.result?;
        if !self.model().variable(result)?.attrs.has(VarAttrs::POINTER) {
            return None;
        }
        let elem = self.storage_type(&lhs.ty)?;
        if lhs.rank <= 0 {
            let value = self.value_as(rhs, &elem);
            let place = self.value(lhs);
            return Some(vec![ir::Stmt::assign(place, value)]);
        }
        let array = (rhs.rank > 0).then(|| self.materialise(rhs));
        let scalar = match array {
            Some(_) => Expr::int(0),
            None => {
                let v = self.value_as(rhs, &elem);
                self.temporary(v)
            }
        };
        let target = self.materialise(lhs);
        let extents = self.entity_extents(&target);
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        Some(self.nest(&ranges, |cx, ix| {
            let v = match &array {
                Some(t) => cx.element_of(t, ix),
                None => scalar,
            };
            let place = cx.element_of(&target, ix);
            vec![ir::Stmt::assign(place, convert(v, &elem))]
        }))
    }

    /// The elements that a pointer is to be associated with: a whole array keeps its bounds, a section begins at 1.
    fn target(&mut self, r: &TExpr) -> Expr {
        match &r.kind {
            TExprKind::Variable(_) => self.array_place(r, &[]).expr,
            TExprKind::Component { base, .. } if base.rank <= 0 => self.array_place(r, &[]).expr,
            _ if r.is_designator() => self.section(r),
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } => self.materialise(r).expr,
            _ => self.refuse_expr(
                r.span,
                "CUF0409",
                "pointer assignment requires a target or a function that returns a pointer",
            ),
        }
    }

    /// The components of a section of structures where they need not be a whole number of elements apart: a copy that is written
    /// back at the end of the statement.
    pub fn gathered(&mut self, e: &TExpr) -> Option<Expr> {
        let component = match &e.kind {
            TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => {
                base.rank > 0
            }
            TExprKind::Index { base, .. } => crate::lower::value::place::base_is_ranged(base),
            _ => false,
        };
        let elem = self.storage_type(&e.ty)?;
        if !component || is_aligned(&elem) {
            return None;
        }
        let (structures, part) = self.structures_and_part(e)?;
        Some(Expr::call(
            Function::Gathered,
            vec![self.place_text(), structures, part],
            ir::Type::Auto,
        ))
    }

    /// For `a(:)%x(2)` the view `a(:)`, and `x(2)` of its first element.
    fn structures_and_part(&mut self, e: &TExpr) -> Option<(Expr, Expr)> {
        let base = ranged_base(e);
        if base.span == e.span && matches!(base.kind, TExprKind::Variable(_)) {
            return None;
        }
        let rank = base.rank.max(0) as usize;
        let section = self.section(base);
        let inner = section.ty.element().clone();
        let structures = if section.is_simple() && matches!(section.ty, ir::Type::View { .. }) {
            section
        } else {
            let view = ir::Type::View {
                elem: Box::new(inner.clone()),
                rank,
            };
            let name = self.numbered("t");
            let value = Expr::call(Function::View, vec![section], view.clone());
            self.before(ir::Stmt::declare(ir::Type::Auto, &name, Init::Value(value)));
            Expr::name(&name, view)
        };
        let first = structures
            .clone()
            .method(
                Method::Data,
                Vec::new(),
                ir::Type::Pointer {
                    to: Box::new(inner.clone()),
                    restrict: false,
                },
            )
            .deref(inner);
        let part = self.path_on(e, base.span, first)?;
        Some((structures, part))
    }

    /// The part of one structure that a component of a section of structures names.
    fn path_on(&mut self, e: &TExpr, base_span: Span, element: Expr) -> Option<Expr> {
        if e.span == base_span {
            return Some(element);
        }
        Some(match &e.kind {
            TExprKind::Component {
                base,
                of,
                index,
                name,
            } => {
                let whole = self.path_on(base, base_span, element)?;
                self.field_entity(whole, *of, *index, name, e).expr
            }
            TExprKind::Index { base, subs } => {
                let whole = self.path_on(base, base_span, element)?;
                let mut at = Vec::new();
                for s in subs {
                    let Subscript::Element(x) = s else {
                        return None;
                    };
                    at.push(self.index_value(x));
                }
                whole.at(at)
            }
            TExprKind::ComplexPart { base, imaginary } => {
                let whole = self.path_on(base, base_span, element)?;
                let ty = self.storage_type(&e.ty)?;
                whole.field(if *imaginary { "im" } else { "re" }, ty)
            }
            _ => return None,
        })
    }

    pub fn nullify(&mut self, objects: &[ast::Expr]) -> Vec<ir::Stmt> {
        let mut out = Vec::new();
        for o in objects {
            let t = self.typed(o);
            if let Some(place) = self.pointer_place(&t) {
                let null = Expr::new(ExprKind::Null, ir::Type::Auto);
                out.push(ir::Stmt::assign(place, null));
            }
        }
        out
    }

    /// ASSOCIATED and ALLOCATED.
    pub fn association(&mut self, a: &TExpr, target: Option<&TExpr>) -> Expr {
        let null = Expr::new(ExprKind::Null, ir::Type::Auto);
        match target {
            None => {
                let data = if a.rank > 0 {
                    self.array_place(a, &[])
                        .expr
                        .method(Method::Data, Vec::new(), ir::Type::Auto)
                } else {
                    self.place(a).address()
                };
                Expr::binary(ir::BinaryOp::Ne, data, null, ir::Type::Bool)
            }
            Some(t) => {
                let args = if a.rank > 0 {
                    vec![self.array_place(a, &[]).expr, self.target(t)]
                } else {
                    vec![self.place(a).address(), self.place(t).address()]
                };
                Expr::call(Inquiry::Associated, args, ir::Type::Bool)
            }
        }
    }

    fn object(&mut self, e: &ast::Expr) -> Option<Object> {
        let whole = self.typed(e);
        if let Some(place) = self.owner(&whole) {
            return Some(Object {
                place,
                pointer: false,
                whole,
            });
        }
        let own = match &whole.kind {
            TExprKind::Variable(s) => self.vars.contains_key(s),
            // What the host made, the host has to free.
            _ => self.is_made_here(&whole),
        };
        let pointer = own && self.model().has_attribute(&whole, VarAttrs::POINTER);
        if !pointer || whole.root().is_some_and(|s| self.hidden(s)) {
            self.refuse(
                e.span,
                "CUF0383",
                "only local allocatables and pointers can be allocated or deallocated in device code\nhelp: allocate module data and components in host code",
            );
            return None;
        }
        let place = self.pointer_place(&whole)?;
        Some(Object {
            place,
            pointer: true,
            whole,
        })
    }

    /// STAT= and ERRMSG= of a statement: the place of the status, and what follows a failure.
    fn status(&mut self, options: &[ast::Arg], what: &str) -> (Option<Expr>, Vec<ir::Stmt>) {
        let find = |word: &str| {
            options
                .iter()
                .find(|o| o.keyword.as_ref().is_some_and(|k| k.text == word))
        };
        for o in options {
            let word = o.keyword.as_ref().map_or("", |k| k.text.as_str());
            if !matches!(word, "stat" | "errmsg" | "source" | "mold") {
                self.refuse(
                    o.span,
                    "CUF0383",
                    format!("`{word}=` is valid only in host code"),
                );
            }
        }
        let stat = find("stat").map(|o| {
            let t = self.typed(&o.value);
            self.place(&t)
        });
        let mut after = Vec::new();
        if let (Some(code), Some(message)) = (&stat, find("errmsg")) {
            let t = self.typed(&message.value);
            let place = self.place(&t);
            let text = Expr::new(
                ExprKind::Str(format!("{what} failed")),
                ir::Type::Character(what.len() as i64 + 7),
            );
            let failed = Expr::binary(
                ir::BinaryOp::Ne,
                code.clone(),
                convert(Expr::int(0), code.ty.plain()),
                ir::Type::Bool,
            );
            after.push(ir::Stmt::when(failed, vec![ir::Stmt::assign(place, text)]));
        }
        (stat, after)
    }

    /// One operation of the statement: stops where it fails, or goes on only if what was before it did not fail.
    fn operate(
        &mut self,
        o: &Object,
        verb: Verb,
        args: Vec<Expr>,
        stat: Option<&Expr>,
        also: Vec<ir::Stmt>,
        out: &mut Vec<ir::Stmt>,
    ) {
        let Some(code) = stat else {
            let place = Some(self.place_text());
            out.push(ir::Stmt::expr(o.operation(
                verb.or_stop(),
                place,
                args,
                ir::Type::Void,
            )));
            out.extend(also);
            return;
        };
        let succeeded = || {
            Expr::binary(
                ir::BinaryOp::Eq,
                code.clone(),
                convert(Expr::int(0), code.ty.plain()),
                ir::Type::Bool,
            )
        };
        let call = o.operation(verb.tried(), None, args, ir::Type::Int(4));
        let mut step = vec![ir::Stmt::assign(
            code.clone(),
            convert(call, code.ty.plain()),
        )];
        if !also.is_empty() {
            step.push(ir::Stmt::when(succeeded(), also));
        }
        if out.is_empty() {
            out.extend(step);
        } else {
            out.push(ir::Stmt::when(succeeded(), step));
        }
    }

    /// ALLOCATE of local allocatables and pointers.
    pub fn allocate(&mut self, a: &ast::Allocate, span: Span) -> Vec<ir::Stmt> {
        let (stat, after) = self.status(&a.options, "allocate");
        let source = a.options.iter().find(|o| {
            o.keyword
                .as_ref()
                .is_some_and(|k| matches!(k.text.as_str(), "source" | "mold"))
        });
        let copies = source.is_some_and(|s| s.keyword.as_ref().is_some_and(|k| k.text == "source"));
        let source = source.map(|s| self.typed(&s.value));
        let mut out = Vec::new();
        for o in &a.objects {
            let Some(object) = self.object(&o.object) else {
                continue;
            };
            let mut args = Vec::new();
            for d in o.bounds.iter().flat_map(|b| &b.dims) {
                let ast::DimSpec::Explicit { lower, upper } = d else {
                    continue;
                };
                let hi = self.typed(upper);
                let hi = self.index_value(&hi);
                match lower {
                    None => args.push(hi),
                    Some(l) => {
                        let lo = self.typed(l);
                        let lo = self.index_value(&lo);
                        args.push(runtime_struct(Class::Range, vec![lo, hi]));
                    }
                }
            }
            if o.bounds.is_none()
                && let Some(s) = &source
                && s.rank > 0
            {
                args = self.bounds_of_value(s);
            }
            let mut also = Vec::new();
            if copies && let Some(s) = &source {
                let (pre, stmts) = self.with_hoisted(|cx| cx.assign_defined(&object.whole, s));
                also.extend(pre);
                also.extend(stmts);
            }
            self.operate(&object, Verb::Allocate, args, stat.as_ref(), also, &mut out);
        }
        out.extend(after);
        if out.is_empty() && !self.failed {
            self.refuse(span, "CUF0383", "`allocate` has no object");
        }
        out
    }

    /// Arguments for an allocation in the shape of a value: the bounds of a whole array, else extents.
    pub fn bounds_of_value(&mut self, e: &TExpr) -> Vec<Expr> {
        let whole = matches!(e.kind, TExprKind::Variable(_))
            || matches!(&e.kind, TExprKind::Component { base, .. } if base.rank <= 0);
        if !whole {
            return self.extents(e);
        }
        let ent = self.array_place(e, &[]);
        let (lo, hi) = (self.lower_bounds(&ent), self.upper_bounds(&ent));
        lo.into_iter()
            .zip(hi)
            .map(|(lo, hi)| {
                if lo.as_int() == Some(1) {
                    hi
                } else {
                    runtime_struct(Class::Range, vec![lo, hi])
                }
            })
            .collect()
    }

    pub fn deallocate(&mut self, objects: &[ast::Expr], options: &[ast::Arg]) -> Vec<ir::Stmt> {
        let (stat, after) = self.status(options, "deallocate");
        let mut out = Vec::new();
        for o in objects {
            if let Some(object) = self.object(o) {
                self.operate(
                    &object,
                    Verb::Deallocate,
                    Vec::new(),
                    stat.as_ref(),
                    Vec::new(),
                    &mut out,
                );
            }
        }
        out.extend(after);
        out
    }

    /// `call move_alloc(from, to)`
    pub fn move_alloc(&mut self, args: &[Option<TExpr>], span: Span) -> Vec<ir::Stmt> {
        let owners: Vec<_> = args.iter().flatten().map_while(|a| self.owner(a)).collect();
        let [from, to] = &owners[..] else {
            self.refuse(
                span,
                "CUF0383",
                "arguments of `move_alloc` in device code must be local allocatables",
            );
            return Vec::new();
        };
        vec![ir::Stmt::expr(to.clone().method(
            Method::Take,
            vec![from.clone()],
            ir::Type::Void,
        ))]
    }
}

/// The size of such a component divides that of its structure.
fn is_aligned(elem: &ir::Type) -> bool {
    matches!(
        elem,
        ir::Type::Int(_) | ir::Type::Real(_) | ir::Type::Logical(_) | ir::Type::Character(1)
    )
}

/// The part of a designator that has its rank: `a(:)` of `a(:)%x(2)`.
fn ranged_base(e: &TExpr) -> &TExpr {
    match &e.kind {
        TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. }
            if base.rank > 0 =>
        {
            ranged_base(base)
        }
        TExprKind::Index { base, .. } if crate::lower::value::place::base_is_ranged(base) => {
            ranged_base(base)
        }
        _ => e,
    }
}

impl Pointers for LoweringContext<'_, '_> {
    /// The components of a section of structures, `a(:)%x`, as a view. Elements must be a multiple of their size apart.
    fn component_view(&mut self, e: &TExpr) -> Option<Expr> {
        let elem = self.storage_type(&e.ty)?;
        if !is_aligned(&elem) {
            return None;
        }
        let (structures, part) = self.structures_and_part(e)?;
        let ty = ir::Type::View {
            elem: Box::new(elem),
            rank: structures.ty.rank(),
        };
        Some(Expr::call(Function::Parts, vec![structures, part], ty))
    }
}
