//! Typing of `base(args)`: elements, sections, substrings, function references, structure constructors.

use std::borrow::Cow;

use super::generic::{Actual, reorder};
use super::typed::*;
use super::typer::{Typer, constant, join_rank, node, rank_of, unknown};
use crate::ast::{Arg, BinaryOp, Expr, ExprKind, Name, Span};
use crate::intrinsics::{self, Conversion, Dummy, Intrinsic, Kinds, Shape};
use crate::sema::library::runtime_modules;
use crate::sema::model::*;

impl Typer<'_> {
    pub(in crate::translation::sema) fn actuals(&mut self, args: &[Arg]) -> Vec<Actual> {
        args.iter()
            .map(|a| Actual {
                keyword: a.keyword.as_ref().map(|k| k.text.to_string()),
                value: self.expr(&a.value),
            })
            .collect()
    }

    /// An expression where a value is wanted: the name of a function without its parentheses is a reference there, as
    /// nvfortran has it and older code writes it (`istat = cudaDeviceSynchronize`).
    pub fn value(&mut self, e: &Expr) -> TExpr {
        let t = self.expr(e);
        let TExprKind::ProcedureName(s) = t.kind else {
            return t;
        };
        match self.m.procedure(s) {
            Some(p) if p.is_function && self.takes_nothing(p) => self.reference(e, &[], e.span),
            _ => t,
        }
    }

    /// The name of a function as an actual argument where the dummy is data: a reference, too.
    pub(in crate::translation::sema) fn reference_of_name(&mut self, t: TExpr) -> TExpr {
        let TExprKind::ProcedureName(s) = t.kind else {
            return t;
        };
        match self.m.procedure(s) {
            Some(p) if p.is_function && p.external_module => {
                self.runtime_reference(s, Vec::new(), t.span)
            }
            Some(p) if p.is_function && self.takes_nothing(p) => {
                self.user_call(s, None, Vec::new(), t.span)
            }
            _ => t,
        }
    }

    /// It can be called without arguments.
    fn takes_nothing(&self, p: &Procedure) -> bool {
        let optional = |d: &Option<SymbolId>| {
            let v = d.and_then(|d| self.m.variable(d));
            v.is_some_and(|v| v.attrs.has(VarAttrs::OPTIONAL))
        };
        p.dummies.iter().all(optional)
    }

    pub(in crate::translation::sema) fn reference(
        &mut self,
        base: &Expr,
        args: &[Arg],
        span: Span,
    ) -> TExpr {
        match &base.kind {
            ExprKind::Name(n) => self.named_reference(n, base.span, args, span),
            ExprKind::Component { base: object, name } => {
                let object_t = self.expr(object);
                if let Some(t) = self.bound_reference(&object_t, name, args, span) {
                    return t;
                }
                let designator = self.component(object_t, name, base.span);
                self.subscripted(designator, args, span)
            }
            _ => {
                let base = self.expr(base);
                self.subscripted(base, args, span)
            }
        }
    }

    fn named_reference(&mut self, n: &Name, at: Span, args: &[Arg], span: Span) -> TExpr {
        let Some(s) = self.m.lookup(self.scope, &n.text) else {
            if self.in_device_code() && runtime_modules::cudadevice(&n.text).is_some() {
                let actuals = self.actuals(args);
                return self.runtime_call("cudadevice", &n.text, actuals, span);
            }
            return match intrinsics::find(&n.text) {
                Some(_) => self.intrinsic_reference(&n.text, args, span),
                None => unknown(span),
            };
        };
        match &self.m[s].kind {
            SymbolKind::Variable(v) => {
                // The result variable of a recursive function without RESULT: a reference with arguments is a call.
                if v.is_result && v.dims.is_empty() && !is_substring(args, &v.ty) {
                    let owner = self.m[self.m[s].scope].symbol;
                    if let Some(f) = owner
                        && self.m[f].name == n.text
                    {
                        let actuals = self.actuals(args);
                        return self.user_call(f, None, actuals, span);
                    }
                }
                let base = self.symbol(s, at);
                self.subscripted(base, args, span)
            }
            SymbolKind::Parameter(p) => {
                let mut base = node(TExprKind::Variable(s), p.ty.clone(), rank_of(&p.dims), at);
                if p.dims.is_empty() {
                    base.value = p.value.clone();
                }
                self.subscripted(base, args, span)
            }
            SymbolKind::Associate { .. } => {
                let base = self.symbol(s, at);
                self.subscripted(base, args, span)
            }
            SymbolKind::Procedure(p) => {
                if p.kind == ProcedureKind::Intrinsic && !p.external_module {
                    return self.intrinsic_reference(&self.m[s].name, args, span);
                }
                let actuals = self.actuals(args);
                if p.external_module {
                    return self.runtime_reference(s, actuals, span);
                }
                self.user_call(s, None, actuals, span)
            }
            SymbolKind::Generic(g) => self.generic_reference(s, g, &n.text, args, span),
            SymbolKind::DerivedType(t) => {
                let actuals = self.actuals(args);
                self.structure(*t, actuals, span)
            }
            SymbolKind::StatementFunction(f) => {
                let args: Vec<TExpr> = args.iter().map(|a| self.value(&a.value)).collect();
                let rank = args.iter().fold(0, |r, a| join_rank(r, a.rank));
                let kind = TExprKind::StatementFunctionCall { function: s, args };
                node(kind, f.ty.clone(), rank, span)
            }
            _ => unknown(span),
        }
    }

    fn generic_reference(
        &mut self,
        s: SymbolId,
        g: &Generic,
        name: &str,
        args: &[Arg],
        span: Span,
    ) -> TExpr {
        let actuals = self.actuals(args);
        if let Ok(f) = self
            .m
            .resolve_generic(&g.specifics, &actuals, self.in_device_code())
            && !self.is_hidden_by_intrinsic(f, name)
        {
            return self.user_call(f, Some(s), actuals, span);
        }
        if let Some(t) = g.of_type {
            return self.structure(t, actuals, span);
        }
        if intrinsics::find(name).is_some() {
            return self.intrinsic_reference(name, args, span);
        }
        unknown(span)
    }

    /// In device code, which cannot call a specific of the host, a generic that extends an intrinsic is that intrinsic.
    fn is_hidden_by_intrinsic(&self, specific: SymbolId, name: &str) -> bool {
        self.in_device_code()
            && intrinsics::find(name).is_some()
            && (self.m.procedure(specific)).is_some_and(|p| p.target == ProcedureTarget::Host)
    }

    /// Element, section or substring of a designator.
    pub(in crate::translation::sema) fn subscripted(
        &mut self,
        base: TExpr,
        args: &[Arg],
        span: Span,
    ) -> TExpr {
        if matches!(base.kind, TExprKind::Unknown) {
            // The arguments are typed for nothing else; a wrong one is reported by the walk over all names.
            return unknown(span);
        }
        if base.rank == 0 {
            return match (&base.ty, args) {
                (Type::Character(_), [one]) => self.substring(base, &one.value, span),
                _ => unknown(span),
            };
        }
        // What has its subscripts already, `c(:)(1:2)`, or is a component of several structures, `a(:)%c(1:2)`.
        let subscripted = match &base.kind {
            TExprKind::Index { .. } => true,
            TExprKind::Component { base: of, .. } => of.rank == base.rank,
            _ => false,
        };
        if subscripted
            && let (Type::Character(_), [one]) = (&base.ty, args)
            && matches!(one.value.kind, ExprKind::Slice { .. })
        {
            return self.substring(base, &one.value, span);
        }
        let mut subs = Vec::with_capacity(args.len());
        // An array of structures: `a(:)%x(2)` has the rank of the structures.
        let mut rank = match &base.kind {
            TExprKind::Component { base, .. } => base.rank.max(0),
            _ => 0,
        };
        for a in args {
            match &a.value.kind {
                ExprKind::Slice { lo, hi, step } => {
                    rank += 1;
                    let mut part = |e: &Option<Box<Expr>>| e.as_ref().map(|e| self.value(e));
                    subs.push(Subscript::Range {
                        lo: part(lo),
                        hi: part(hi),
                        step: part(step),
                    });
                }
                _ => {
                    let t = self.value(&a.value);
                    if t.rank > 0 {
                        rank += 1;
                        subs.push(Subscript::Vector(t));
                    } else {
                        subs.push(Subscript::Element(t));
                    }
                }
            }
        }
        let ty = base.ty.clone();
        let kind = TExprKind::Index {
            base: Box::new(base),
            subs,
        };
        let mut t = node(kind, ty, rank, span);
        if rank == 0 || self.of_constant {
            t.value = self.constant_of(&t).map(Cow::into_owned);
        }
        t
    }

    fn substring(&mut self, base: TExpr, range: &Expr, span: Span) -> TExpr {
        let ExprKind::Slice { lo, hi, .. } = &range.kind else {
            return unknown(span);
        };
        let lo = lo.as_ref().map(|e| Box::new(self.value(e)));
        let hi = hi.as_ref().map(|e| Box::new(self.value(e)));
        let from = lo.as_ref().map_or(Some(1), |e| e.as_integer());
        let to = match &hi {
            Some(e) => e.as_integer(),
            None => match base.ty {
                Type::Character(CharacterLength::Constant(n)) => Some(n.into()),
                _ => None,
            },
        };
        let length = match (from, to) {
            (Some(a), Some(b)) => {
                CharacterLength::Constant(i64::try_from((b - a + 1).max(0)).unwrap_or(0))
            }
            _ => CharacterLength::Other,
        };
        let value = match (&base.value, from, to) {
            (Some(Constant::Character(s)), Some(a), Some(b)) if a >= 1 => {
                let (skip, take) = (a as usize - 1, (b - a + 1).max(0) as usize);
                Some(Constant::Character(
                    s.chars().skip(skip).take(take).collect(),
                ))
            }
            _ => None,
        };
        let rank = base.rank;
        let kind = TExprKind::Substring {
            base: Box::new(base),
            lo,
            hi,
        };
        let mut t = node(kind, Type::Character(length), rank, span);
        t.value = value;
        t
    }

    /// Reference of a function with a symbol.
    pub(in crate::translation::sema) fn user_call(
        &mut self,
        f: SymbolId,
        generic: Option<SymbolId>,
        actuals: Vec<Actual>,
        span: Span,
    ) -> TExpr {
        let Some(p) = self.m.procedure(f) else {
            return unknown(span);
        };
        if p.external_module {
            let module = self.m[self.m[f].scope].name.clone();
            let name = self.m[f].name.clone();
            return self.runtime_call(&module, &name, actuals, span);
        }
        let (ty, rank) = self.m.result_type(f);
        let rank = match p.elemental {
            true => actuals.iter().fold(rank, |r, a| join_rank(r, a.value.rank)),
            false => rank,
        };
        let kind = TExprKind::Call {
            procedure: f,
            target: p.target,
            args: self.m.in_dummy_order(p, actuals),
            generic,
        };
        node(kind, ty, rank, span)
    }

    /// `object%name(args)` where the name is a type-bound procedure; None if it is not.
    fn bound_reference(
        &mut self,
        object: &TExpr,
        name: &Name,
        args: &[Arg],
        span: Span,
    ) -> Option<TExpr> {
        let actuals = self.actuals_if_bound(object, name, args)?;
        let (specific, dynamic, actuals) =
            self.m
                .bind(object, &name.text, actuals, self.in_device_code())?;
        let of = match object.ty {
            Type::Derived(t) | Type::Class(t) => Some((t, name.span)),
            _ => None,
        };
        Some(self.bound_call(of, specific, dynamic, actuals, span))
    }

    pub(in crate::translation::sema) fn actuals_if_bound(
        &mut self,
        object: &TExpr,
        name: &Name,
        args: &[Arg],
    ) -> Option<Vec<Actual>> {
        let (Type::Derived(t) | Type::Class(t)) = object.ty else {
            return None;
        };
        self.m.binding(t, &name.text)?;
        Some(self.actuals(args))
    }

    pub(in crate::translation::sema) fn bound_call(
        &mut self,
        binding: Option<(TypeId, Span)>,
        procedure: SymbolId,
        dynamic: bool,
        actuals: Vec<Actual>,
        span: Span,
    ) -> TExpr {
        let (ty, mut rank) = self.m.result_type(procedure);
        let args = match self.m.procedure(procedure) {
            Some(p) => {
                if p.elemental {
                    rank = actuals.iter().fold(0, |r, a| join_rank(r, a.value.rank));
                }
                self.m.in_dummy_order(p, actuals)
            }
            None => actuals.into_iter().map(|a| Some(a.value)).collect(),
        };
        let kind = TExprKind::BoundCall {
            binding,
            procedure,
            args,
            dynamic,
        };
        node(kind, ty, rank, span)
    }

    /// A value for a parent component (by keyword, or first and of an ancestor's type) as values of its components.
    fn with_parent_parts(&self, of: TypeId, mut actuals: Vec<Actual>) -> Vec<Actual> {
        let ancestor = |a: &Actual, at: usize| {
            let mut child = of;
            for _ in 0..64 {
                let p = self.m[child].parent?;
                let fits = match &a.keyword {
                    Some(k) => *k == self.m[child].parent_name,
                    None => at == 0 && a.value.ty == Type::Derived(p),
                };
                if fits {
                    return Some(p);
                }
                child = p;
            }
            None
        };
        let found = actuals
            .iter()
            .enumerate()
            .find_map(|(i, a)| Some((i, ancestor(a, i)?)));
        let Some((i, parent)) = found else {
            return actuals;
        };
        // A first component that is of the parent's type itself, not the parent.
        let first = self.m.components_of(of).first().map(|f| f.ty.clone());
        if actuals[i].keyword.is_none() && first == Some(Type::Derived(parent)) {
            return actuals;
        }
        let value = actuals.remove(i).value;
        let fields = self.m.components_of(parent);
        for (k, f) in fields.iter().enumerate() {
            let own = match &value.kind {
                TExprKind::Structure { args, .. } => args.get(k).cloned().flatten(),
                _ => None,
            };
            let part = own.unwrap_or_else(|| {
                let kind = TExprKind::Component {
                    base: Box::new(value.clone()),
                    of: parent,
                    index: k,
                    name: f.name.clone(),
                };
                node(kind, f.ty.clone(), rank_of(&f.dims), value.span)
            });
            actuals.insert(
                i + k,
                Actual {
                    keyword: Some(f.name.clone()),
                    value: part,
                },
            );
        }
        actuals
    }

    fn structure(&mut self, of: TypeId, actuals: Vec<Actual>, span: Span) -> TExpr {
        let actuals = self.with_parent_parts(of, actuals);
        let fields = self.m.components_of(of);
        let mut at = vec![None; fields.len()];
        let mut next = 0;
        for (i, a) in actuals.iter().enumerate() {
            let position = match &a.keyword {
                Some(k) => fields.iter().position(|f| f.name == *k),
                None => Some(next),
            };
            if let Some(slot) = position.and_then(|p| at.get_mut(p)) {
                *slot = Some(i);
            }
            next = position.map_or(next, |p| p + 1);
        }
        let rank = 0;
        let mut args = reorder(actuals, &at);
        for (a, f) in args.iter_mut().zip(&fields) {
            let Some(data) = a.take_if(|_| !f.is_procedure) else {
                continue;
            };
            *a = Some(self.reference_of_name(data));
        }
        let values: Option<Vec<Constant>> = (args.iter().enumerate())
            .map(|(i, a)| self.component_value(of, i, a.as_ref(), 0))
            .collect();
        let kind = TExprKind::Structure { of, args };
        let mut t = node(kind, Type::Derived(of), rank, span);
        t.value = values.map(|v| Constant::Structure(of, v));
        t
    }

    /// Function of a runtime module.
    /// Reference of the function `s` of a runtime module. Other such functions among the arguments are references, too: procedures
    /// that these functions take are the program's.
    fn runtime_reference(&mut self, s: SymbolId, mut actuals: Vec<Actual>, span: Span) -> TExpr {
        for a in &mut actuals {
            if let TExprKind::ProcedureName(p) = a.value.kind
                && self
                    .m
                    .procedure(p)
                    .is_some_and(|p| p.external_module && p.is_function)
            {
                a.value = self.runtime_reference(p, Vec::new(), a.value.span);
            }
        }
        let module = self.m[self.m[s].scope].name.clone();
        let name = self.m[s].name.clone();
        self.runtime_call(&module, &name, actuals, span)
    }

    pub(in crate::translation::sema) fn runtime_call(
        &mut self,
        module: &str,
        name: &str,
        actuals: Vec<Actual>,
        span: Span,
    ) -> TExpr {
        let code = self.m.runtime_result(module, name);
        let mut actuals = crate::sema::library::device_arguments::in_order(name, actuals);
        if let (Some(n), Some(first)) = (vector_of(name), actuals.first_mut()) {
            // An atomic for each element, as the hardware does it: one of all elements there is not.
            let Some(elements) = self.elements_from(&first.value, n) else {
                return unknown(span);
            };
            first.value = elements;
            return self.runtime_call(module, "atomicadd", actuals, span);
        }
        let arg = |n: usize| {
            actuals
                .get(n)
                .map_or((Type::Unknown, 0), |a| (a.value.ty.clone(), a.value.rank))
        };
        let (ty, rank) = match code {
            "a0" => arg(0),
            "a1" => arg(1),
            code => match code.strip_prefix("e:") {
                Some(code) => (self.m.type_of_code(code), arg(0).1),
                None => (self.m.type_of_code(code), 0),
            },
        };
        let args = actuals.into_iter().map(|a| (a.keyword, a.value)).collect();
        let kind = TExprKind::Runtime {
            module: module.to_owned(),
            name: name.to_owned(),
            args,
        };
        node(kind, ty, rank, span)
    }

    /// The section of `n` elements side by side that begins at an element, a section or an array.
    fn elements_from(&self, place: &TExpr, n: i64) -> Option<TExpr> {
        let whole = [Subscript::Range {
            lo: None,
            hi: None,
            step: None,
        }];
        let (base, subs) = match &place.kind {
            TExprKind::Index { base, subs } => (&**base, &subs[..]),
            _ => (place, &whole[..]),
        };
        let declared = || {
            let lower = match &base.kind {
                TExprKind::Variable(s) => self.m.dims_of(*s).first()?.lower?,
                _ => return None,
            };
            Some(integer(lower, place.span))
        };
        let (first, others) = subs.split_first()?;
        let start = match first {
            Subscript::Element(e) => e.clone(),
            Subscript::Range { lo, step: None, .. } => match lo {
                Some(lo) => lo.clone(),
                None => declared()?,
            },
            _ => return None,
        };
        let element = |s: &Subscript| matches!(s, Subscript::Element(_));
        if base.rank as usize != subs.len() || !others.iter().all(element) {
            return None;
        }
        let end = match start.as_integer() {
            Some(v) => integer(i64::try_from(v).ok()?.checked_add(n - 1)?, place.span),
            None => {
                let (ty, span) = (start.ty.clone(), start.span);
                let sum = TExprKind::Binary {
                    op: BinaryOp::Add,
                    lhs: Box::new(start.clone()),
                    rhs: Box::new(integer(n - 1, span)),
                };
                node(sum, ty, 0, span)
            }
        };
        let range = Subscript::Range {
            lo: Some(start),
            hi: Some(end),
            step: None,
        };
        let subs = std::iter::once(range).chain(others.iter().cloned());
        let kind = TExprKind::Index {
            base: Box::new(base.clone()),
            subs: subs.collect(),
        };
        Some(node(kind, place.ty.clone(), 1, place.span))
    }

    pub(in crate::translation::sema) fn intrinsic_reference(
        &mut self,
        name: &str,
        args: &[Arg],
        span: Span,
    ) -> TExpr {
        let Some((intrinsic, convert)) = intrinsics::find(name) else {
            return unknown(span);
        };
        if intrinsic == Intrinsic::Kinds(Kinds::Null) {
            return node(TExprKind::Null, Type::Unknown, 0, span);
        }
        let actuals = self.actuals(args);
        let mut args = intrinsic_arguments(intrinsic, actuals);
        for (i, a) in args.iter_mut().enumerate() {
            if let Some(name) = a.take_if(|_| !intrinsic.asks_about(i)) {
                *a = Some(self.reference_of_name(name));
            }
        }
        let t = self.intrinsic_call(intrinsic, args, span);
        match convert {
            None => t,
            Some(c) => self.convert_result(t, c, span),
        }
    }

    /// The conversion that a specific name implies, written with the generic functions.
    fn convert_result(&mut self, t: TExpr, c: intrinsics::Convert, span: Span) -> TExpr {
        let real = self.m.dialect.real;
        let kind = match c {
            intrinsics::Convert::Kind(k) => Some(k),
            intrinsics::Convert::DefaultReal => Some(real),
            intrinsics::Convert::ToReal | intrinsics::Convert::ToInteger => None,
        };
        let (conversion, to) = match (c, kind) {
            (_, Some(k)) => {
                let TExprKind::Intrinsic {
                    intrinsic,
                    mut args,
                } = t.kind
                else {
                    return t;
                };
                if let Some(slot) = intrinsic.position(Dummy::Kind) {
                    args.resize(slot.max(args.len()), None);
                    args.truncate(slot);
                    args.push(Some(constant(Constant::Integer(k.into(), 4), span)));
                }
                return self.intrinsic_call(intrinsic, args, span);
            }
            (intrinsics::Convert::ToReal, None) => (Conversion::Real, real),
            (_, None) => (Conversion::Int, 4),
        };
        let kind = Some(constant(Constant::Integer(to.into(), 4), span));
        self.intrinsic_call(conversion.into(), vec![Some(t), kind], span)
    }
}

/// `c(2:5)` of a scalar character.
fn is_substring(args: &[Arg], ty: &Type) -> bool {
    matches!(ty, Type::Character(_))
        && matches!(args, [a] if matches!(a.value.kind, ExprKind::Slice { .. }))
}

/// Actuals of an intrinsic in dummy order; further ones of a variadic intrinsic follow.
pub(in crate::translation::sema) fn intrinsic_arguments(
    intrinsic: Intrinsic,
    actuals: Vec<Actual>,
) -> Vec<Option<TExpr>> {
    let names: Vec<&str> = intrinsic.dummies().map(|d| d.0).collect();
    let mut out: Vec<Option<TExpr>> = vec![None; names.len()];
    for (i, a) in actuals.into_iter().enumerate() {
        let at = match &a.keyword {
            // `unpack(array=v, ...)` of cutensorex (guide 3.9.4.4).
            Some(k) if k == "array" && intrinsic == Shape::Unpack.into() => 0,
            Some(k) => names.iter().position(|n| n == k).unwrap_or(out.len()),
            // `maxval(a, mask)`: a logical second argument is the mask, DIM is left out.
            None if i == 1
                && intrinsic.position(Dummy::Dim) == Some(1)
                && intrinsic.position(Dummy::Mask) == Some(2)
                && matches!(a.value.ty, Type::Logical(_)) =>
            {
                2
            }
            // `pack(array, mask, count)` of cutensorex (guide 3.9.4.2); VECTOR is an array.
            None if i == 2 && intrinsic == Shape::Pack.into() && a.value.rank == 0 => 3,
            None => i,
        };
        if at >= out.len() {
            out.resize(at + 1, None);
        }
        out[at] = Some(a.value);
    }
    out
}

impl Model {
    /// Actuals in dummy order. Where they do not fit in number and keywords, they stay in the order they were written, and
    /// are not as many as the dummies: an absent one is added.
    pub(in crate::translation::sema) fn in_dummy_order(
        &self,
        procedure: &Procedure,
        actuals: Vec<Actual>,
    ) -> Vec<Option<TExpr>> {
        match self.positions(procedure, &actuals) {
            Some(at) => {
                let mut args = reorder(actuals, &at);
                for (a, dummy) in args.iter_mut().zip(&procedure.dummies) {
                    let dummy = dummy.and_then(|d| self.variable(d));
                    if let Some(name) = a.take_if(|_| dummy.is_some_and(is_surely_data)) {
                        *a = Some(Typer::new(self, ScopeId(0)).reference_of_name(name));
                    }
                }
                args
            }
            None => {
                let mut written: Vec<Option<TExpr>> =
                    actuals.into_iter().map(|a| Some(a.value)).collect();
                if procedure.body.is_some() {
                    written.resize(written.len().max(procedure.dummies.len() + 1), None);
                }
                written
            }
        }
    }
}

/// The dummy is no procedure whose EXTERNAL attribute is left to its references.
fn is_surely_data(dummy: &Variable) -> bool {
    dummy.intent.is_some() || dummy.attrs.has(VarAttrs::VALUE) || !dummy.dims.is_empty()
}

/// How many elements an atomic function of vectors takes.
fn vector_of(name: &str) -> Option<i64> {
    match name {
        "atomicadd_r4x2" | "atomicaddvector_r4x2" => Some(2),
        "atomicadd_r4x4" => Some(4),
        _ => None,
    }
}

fn integer(value: i64, span: Span) -> TExpr {
    TExpr {
        value: Some(Constant::Integer(value.into(), 4)),
        ..node(
            TExprKind::Constant { symbol: None },
            Type::Integer(4),
            0,
            span,
        )
    }
}
