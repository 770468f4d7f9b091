//! Transformational intrinsics: reductions into scalars before the statement, results of other shapes into temporaries.

use super::context::{Cx, Entity};
use super::convert::{convert, subscript, to_bool};
use super::dimension::{self, variable_dim};
use super::expr::Ix;
use super::intrinsic::{bound_of, extreme, is_true};
use super::text::character_object;
use crate::ir::{self, *};
use crate::sema::intrinsics::stream_argument;
use crate::sema::model;
use crate::sema::typed::*;

pub type Args<'t> = &'t [Option<TExpr>];

/// The value of the intrinsic reference is computed by statements before the one it stands in.
pub fn is_hoisted(e: &TExpr) -> bool {
    match &e.kind {
        TExprKind::Intrinsic { name, args } if name == "transfer" => {
            e.rank > 0
                || args
                    .first()
                    .is_some_and(|a| a.as_ref().is_some_and(|a| a.rank > 0))
        }
        TExprKind::Intrinsic { name, .. } => is_transformation(name),
        _ => false,
    }
}

fn is_transformation(name: &str) -> bool {
    matches!(
        name,
        "sum"
            | "product"
            | "maxval"
            | "minval"
            | "maxloc"
            | "minloc"
            | "count"
            | "any"
            | "all"
            | "parity"
            | "iall"
            | "iany"
            | "iparity"
            | "norm2"
            | "dot_product"
            | "matmul"
            | "reshape"
            | "cshift"
            | "eoshift"
            | "pack"
            | "unpack"
            | "shape"
            | "findloc"
    )
}

impl Cx<'_, '_> {
    /// Elements of functions that only move elements around.
    pub fn lazy_array(&mut self, name: &str, args: Args<'_>, ix: &[Ix]) -> Option<Expr> {
        let first = args.first().and_then(Option::as_ref)?;
        match (name, ix) {
            ("transpose", [i, j]) => Some(self.val(first, &[j.clone(), i.clone()])),
            ("spread", _) if self.variable_spread(args) && !ix.is_empty() => {
                let d = self.section_index(args.get(1)?.as_ref()?);
                let rest = dimension::without(&d, ix);
                Some(self.val(first, &rest))
            }
            ("spread", _) if !ix.is_empty() => {
                let dim = usize::try_from(args.get(1)?.as_ref()?.as_integer()?).ok()?;
                let mut rest = ix.to_vec();
                if dim == 0 || dim > rest.len() {
                    return None;
                }
                rest.remove(dim - 1);
                Some(self.val(first, &rest))
            }
            _ => None,
        }
    }

    /// Extents of an array-valued intrinsic.
    pub fn intrinsic_extents(&mut self, e: &TExpr, name: &str, args: Args<'_>) -> Vec<Expr> {
        let first = args.first().and_then(Option::as_ref);
        if let (Some((_, dim)), Some(a)) = (variable_dim(name, args), first)
            && !matches!(name, "cshift" | "eoshift")
        {
            let n = self.extents(a);
            return self.extents_without(&n, dim);
        }
        let by_dim = |cx: &mut Self, a: &TExpr, at: usize| -> Option<Vec<Expr>> {
            let dim = usize::try_from(args.get(at)?.as_ref()?.as_integer()?).ok()?;
            let mut n = cx.extents(a);
            if dim == 0 || dim > n.len() {
                return None;
            }
            n.remove(dim - 1);
            Some(n)
        };
        let found = match (name, first) {
            ("transfer", Some(a)) => self.transfer_extent(e, a, args).map(|n| vec![n]),
            ("transpose", Some(a)) => {
                let mut n = self.extents(a);
                n.reverse();
                Some(n)
            }
            ("spread", Some(a)) => {
                let mut n = self.extents(a);
                match (
                    args.get(1).and_then(|d| d.as_ref()?.as_integer()),
                    args.get(2).and_then(Option::as_ref),
                ) {
                    (None, Some(copies)) => {
                        let d = args.get(1).and_then(Option::as_ref);
                        let d = d.map(|d| self.section_index(d));
                        let c = self.section_index(copies);
                        d.map(|d| dimension::with(&d, &n, &c))
                    }
                    (Some(d), Some(copies)) => {
                        let at = usize::try_from(d - 1).unwrap_or(0).min(n.len());
                        let c = self.index_value(copies);
                        n.insert(at, c);
                        Some(n)
                    }
                    _ => None,
                }
            }
            ("reshape", _) => match args.get(1).and_then(Option::as_ref) {
                Some(shape) => self.shape_values(shape),
                None => None,
            },
            ("matmul", Some(a)) => args.get(1).and_then(Option::as_ref).map(|b| {
                let (m, n) = (self.extents(a), self.extents(b));
                match (m.len(), n.len()) {
                    (2, 2) => vec![m[0].clone(), n[1].clone()],
                    (2, 1) => vec![m[0].clone()],
                    _ => vec![n[n.len() - 1].clone()],
                }
            }),
            ("shape", Some(a)) => Some(vec![Expr::int(i64::from(a.rank))]),
            ("lbound" | "ubound", Some(a)) => Some(vec![Expr::int(i64::from(a.rank))]),
            ("maxloc" | "minloc" | "findloc", Some(a)) => {
                let at = if name == "findloc" { 2 } else { 1 };
                match args.get(at).and_then(Option::as_ref) {
                    Some(_) => by_dim(self, a, at),
                    None => Some(vec![Expr::int(i64::from(a.rank))]),
                }
            }
            (
                "sum" | "product" | "maxval" | "minval" | "count" | "any" | "all" | "parity"
                | "iall" | "iany" | "iparity" | "norm2",
                Some(a),
            ) => by_dim(self, a, 1),
            ("cshift" | "eoshift", Some(a)) => Some(self.extents(a)),
            ("unpack", _) => args
                .get(1)
                .and_then(Option::as_ref)
                .map(|m| self.extents(m)),
            // Only where PACK itself gives the value; a loop over the elements would ask for the shape again.
            ("pack", Some(_)) if self.can_pack(e, args) => {
                let t = self.materialise(e);
                Some(self.entity_extents(&t))
            }
            ("pack", _) => None,
            _ => Some(self.first_extents(args)),
        };
        found.unwrap_or_else(|| {
            self.refuse(
                e.span,
                "CUF0415",
                format!("the shape of this {name} cannot be determined"),
            );
            vec![Expr::int(1); e.rank.max(0) as usize]
        })
    }

    /// The value of a transformational intrinsic: a scalar or an array temporary.
    pub fn transformational(&mut self, e: &TExpr, name: &str, args: Args<'_>) -> Option<Entity> {
        let first = args.first().and_then(Option::as_ref)?;
        if let Some(stream) = stream_argument(name, args) {
            self.refuse(
                stream.span,
                "CUF0420",
                format!("{name} in device code runs in the calling thread: it has no stream (guide 3.9.1)"),
            );
        }
        if let Some(dim) = variable_dim(name, args) {
            return self.by_each_dim(e, name, args, dim);
        }
        match name {
            "sum" | "product" | "maxval" | "minval" | "count" | "any" | "all" | "parity"
            | "iall" | "iany" | "iparity" | "norm2" => self.reduction(e, name, first, args),
            "maxloc" | "minloc" => self.location(e, name == "maxloc", first, args),
            "dot_product" => {
                let b = args.get(1)?.as_ref()?;
                self.dot_product(e, first, b)
            }
            "matmul" => {
                let b = args.get(1)?.as_ref()?;
                self.matmul(e, first, b)
            }
            "reshape" => self.reshape(e, first, args),
            "transfer" => self.transfer_array(e, first, args),
            "shape" => {
                let n = self.extents(first);
                let elem = self.storage_type(&e.ty)?;
                let values = n.into_iter().map(|v| convert(v, &elem)).collect();
                let list = Expr::new(ExprKind::List(values), ir::Type::Auto);
                let init = Init::Value(Expr::new(ExprKind::List(vec![list]), ir::Type::Auto));
                Some(self.declare_array(elem, &[Expr::int(i64::from(first.rank))], init))
            }
            "lbound" | "ubound" if args.get(1).is_none_or(Option::is_none) => {
                let whole_array = matches!(
                    first.kind,
                    TExprKind::Variable(_) | TExprKind::Component { .. }
                ) && !super::place::base_is_ranged(first);
                let which = super::intrinsic::inquiry_method(name)?;
                let bounds: Vec<_> = if whole_array {
                    let whole = self.array_place(first, &[]).expr;
                    (0..whole.ty.rank())
                        .map(|d| bound_of(&whole, which, d))
                        .collect()
                } else if which == Method::Lbound {
                    vec![Expr::int(1); usize::try_from(first.rank).ok()?]
                } else {
                    self.extents(first)
                };
                let elem = self.storage_type(&e.ty)?;
                let values = bounds.into_iter().map(|v| convert(v, &elem)).collect();
                let list = Expr::new(ExprKind::List(values), ir::Type::Auto);
                let init = Init::Value(Expr::new(ExprKind::List(vec![list]), ir::Type::Auto));
                Some(self.declare_array(elem, &[Expr::int(i64::from(first.rank))], init))
            }
            "cshift" | "eoshift" => self.shift(e, name == "cshift", first, args),
            "findloc" => self.findloc(e, first, args),
            "pack" => self.pack(e, first, args),
            "unpack" => self.unpack(e, first, args),
            _ => None,
        }
    }

    pub fn scalar_variable(&mut self, ty: &ir::Type, init: Expr) -> Expr {
        let name = self.numbered("t");
        self.before(ir::Stmt::declare(ty.clone(), &name, Init::Value(init)));
        Expr::name(&name, ty.clone())
    }

    /// Splits `[dim] [mask]` arguments: a logical in the place of DIM is the mask.
    pub fn dim_and_mask<'t>(&self, args: Args<'t>) -> (Option<&'t TExpr>, Option<&'t TExpr>) {
        let second = args.get(1).and_then(Option::as_ref);
        let third = args.get(2).and_then(Option::as_ref);
        match second {
            Some(m) if matches!(m.ty, model::Type::Logical(_)) => (None, Some(m)),
            _ => (second, third),
        }
    }

    pub fn reduction(
        &mut self,
        e: &TExpr,
        name: &str,
        a: &TExpr,
        args: Args<'_>,
    ) -> Option<Entity> {
        let (dim, mask) = if matches!(name, "any" | "all" | "count" | "parity" | "norm2") {
            (args.get(1).and_then(Option::as_ref), None)
        } else {
            self.dim_and_mask(args)
        };
        let ty = self.value_type(&e.ty)?;
        if ty == ir::Type::Text {
            return None;
        }
        let start = identity(name, &ty);
        let ranges = self.ranges(a);
        let extents = self.extents(a);
        let nonempty = mask.is_none() && extents.iter().all(|n| n.as_int().is_some_and(|v| v > 0));
        // Accumulation of integers starts with what the extremum of nothing is; that of reals with an infinity.
        let extremum =
            matches!(name, "maxval" | "minval") && start != extreme(&ty, name == "maxval");
        if e.rank > 0 {
            let d = usize::try_from(dim?.as_integer()?).ok()?.checked_sub(1)?;
            let mut outer = extents.clone();
            if d >= outer.len() {
                return None;
            }
            let along = outer.remove(d);
            let elem = self.storage_type(&e.ty)?;
            let t = self.declare_array(elem, &outer, Init::None);
            let place = t.clone();
            let outer_ranges: Vec<_> = outer.into_iter().map(|n| (Expr::int(1), n)).collect();
            let loops = self.nest(&outer_ranges, |cx, ix| {
                let target = cx.element_of(&place, ix);
                let mut body = vec![ir::Stmt::assign(
                    target.clone(),
                    convert(start.clone(), target.ty.plain()),
                )];
                // With a mask, whether there was an element is only known afterwards.
                let seen = (extremum && mask.is_some()).then(|| {
                    let name = cx.numbered("seen");
                    body.push(ir::Stmt::declare(
                        ir::Type::Bool,
                        &name,
                        Init::Value(Expr::bool(false)),
                    ));
                    Expr::name(&name, ir::Type::Bool)
                });
                body.extend(cx.nest(&[(Expr::int(1), along.clone())], |cx, inner| {
                    let mut all = ix.to_vec();
                    all.insert(d, inner[0].clone());
                    let mut s = cx.accumulate(name, a, mask, &target, &ty, &all);
                    if let (Some(f), Some(StmtKind::If { branches, .. })) =
                        (&seen, s.first_mut().map(|s| &mut s.kind))
                    {
                        branches[0]
                            .1
                            .push(ir::Stmt::assign(f.clone(), Expr::bool(true)));
                    }
                    s
                }));
                if let Some(f) = seen {
                    let limit = extreme(&ty, name == "maxval");
                    body.push(ir::Stmt::when(
                        f.not(),
                        vec![ir::Stmt::assign(target.clone(), limit)],
                    ));
                } else if extremum && !nonempty {
                    body.push(cx.empty_extremum(name, &target, &along, &ty));
                }
                if name == "norm2" {
                    body.push(ir::Stmt::assign(
                        target.clone(),
                        Expr::call(Function::Sqrt, vec![target.clone()], ty.clone()),
                    ));
                }
                body
            });
            loops.into_iter().for_each(|s| self.before(s));
            return Some(t);
        }
        let target = self.scalar_variable(&ty, start);
        let found = (extremum && !nonempty)
            .then(|| self.scalar_variable(&ir::Type::Bool, Expr::bool(false)));
        let place = target.clone();
        let seen = found.clone();
        let loops = self.nest(&ranges, |cx, ix| {
            let mut s = cx.accumulate(name, a, mask, &place, &ty, ix);
            if let Some(f) = seen {
                let set = ir::Stmt::assign(f, Expr::bool(true));
                match (s.first_mut().map(|s| &mut s.kind), mask) {
                    (Some(StmtKind::If { branches, .. }), Some(_)) => branches[0].1.push(set),
                    _ => s.push(set),
                }
            }
            s
        });
        loops.into_iter().for_each(|s| self.before(s));
        if let Some(f) = found {
            let limit = extreme(&ty, name == "maxval");
            self.before(ir::Stmt::when(
                f.not(),
                vec![ir::Stmt::assign(target.clone(), limit)],
            ));
        }
        let value = if name == "norm2" {
            Expr::call(Function::Sqrt, vec![target], ty)
        } else {
            target
        };
        Some(Entity {
            expr: value,
            bounds: Vec::new(),
            optional: None,
        })
    }

    /// An extremum over nothing is the most extreme finite value.
    pub fn empty_extremum(
        &mut self,
        name: &str,
        target: &Expr,
        along: &Expr,
        ty: &ir::Type,
    ) -> ir::Stmt {
        let empty = Expr::binary(
            ir::BinaryOp::Le,
            along.clone(),
            Expr::int(0),
            ir::Type::Bool,
        );
        ir::Stmt::when(
            empty,
            vec![ir::Stmt::assign(
                target.clone(),
                extreme(ty, name == "maxval"),
            )],
        )
    }

    /// One step of a reduction over the element at a position.
    pub fn accumulate(
        &mut self,
        name: &str,
        a: &TExpr,
        mask: Option<&TExpr>,
        target: &Expr,
        ty: &ir::Type,
        ix: &[Ix],
    ) -> Vec<ir::Stmt> {
        let v = self.val(a, ix);
        let old = if ty.is_logical() {
            to_bool(target.clone())
        } else {
            target.clone()
        };
        let combine = |op: ir::BinaryOp, v: Expr| Expr::binary(op, old.clone(), v, ty.clone());
        let assign = |v: Expr| ir::Stmt::assign(target.clone(), convert(v, target.ty.plain()));
        let step = match name {
            "sum" => assign(super::expr::narrow(
                combine(ir::BinaryOp::Add, convert(v, ty)),
                &a.ty,
            )),
            "product" => assign(super::expr::narrow(
                combine(ir::BinaryOp::Mul, convert(v, ty)),
                &a.ty,
            )),
            "maxval" | "minval" if matches!(ty, ir::Type::Character(_)) => {
                let op = match name {
                    "maxval" => ir::BinaryOp::Gt,
                    _ => ir::BinaryOp::Lt,
                };
                let better = Expr::binary(op, v.clone(), old, ir::Type::Bool);
                ir::Stmt::when(better, vec![assign(v)])
            }
            "maxval" => assign(Expr::call(
                Function::Max,
                vec![old, convert(v, ty)],
                ty.clone(),
            )),
            "minval" => assign(Expr::call(
                Function::Min,
                vec![old, convert(v, ty)],
                ty.clone(),
            )),
            "iall" => assign(combine(ir::BinaryOp::BitAnd, convert(v, ty))),
            "iany" => assign(combine(ir::BinaryOp::BitOr, convert(v, ty))),
            "iparity" => assign(combine(ir::BinaryOp::BitXor, convert(v, ty))),
            "norm2" => {
                let x = self.temporary_in(v, ty);
                let (decl, x) = x;
                let sq = Expr::binary(ir::BinaryOp::Mul, x.clone(), x, ty.clone());
                return vec![decl, assign(combine(ir::BinaryOp::Add, sq))];
            }
            "count" => {
                let one = assign(combine(ir::BinaryOp::Add, convert(Expr::int(1), ty)));
                ir::Stmt::when(to_bool(v), vec![one])
            }
            "any" => ir::Stmt::when(to_bool(v), vec![assign(Expr::bool(true))]),
            "all" => ir::Stmt::when(to_bool(v).not(), vec![assign(Expr::bool(false))]),
            _ => assign(combine(ir::BinaryOp::Ne, to_bool(v))),
        };
        match mask {
            Some(m) => {
                let c = self.val(m, ix);
                vec![ir::Stmt::when(to_bool(c), vec![step])]
            }
            None => vec![step],
        }
    }

    pub fn temporary_in(&mut self, v: Expr, ty: &ir::Type) -> (ir::Stmt, Expr) {
        let name = self.numbered("x");
        self.taken.remove(&name);
        (
            ir::Stmt::declare(ty.clone().constant(), &name, Init::Value(convert(v, ty))),
            Expr::name(&name, ty.clone()),
        )
    }

    /// BACK of FINDLOC, MAXLOC and MINLOC.
    pub fn back(&mut self, t: Option<&TExpr>) -> Back {
        match t {
            Some(b) if b.value.is_none() => {
                let v = to_bool(self.value(b));
                Back::If(if v.is_simple() { v } else { self.temporary(v) })
            }
            _ if is_true(t) => Back::Yes,
            _ => Back::No,
        }
    }

    pub fn location(
        &mut self,
        e: &TExpr,
        largest: bool,
        a: &TExpr,
        args: Args<'_>,
    ) -> Option<Entity> {
        let (dim, mask) = self.dim_and_mask(args);
        let back = self.back(args.get(4).and_then(Option::as_ref));
        let ty = self.value_type(&a.ty)?;
        let none = match ty {
            ir::Type::Int(_) | ir::Type::Real(_) => convert(Expr::int(0), &ty),
            ir::Type::Character(_) => extreme(&ty, largest),
            _ => return None,
        };
        let best = self.scalar_variable(&ty, none);
        self.positions(e, a, dim, |cx, at, ix| {
            cx.locate(a, mask, largest, &back, &best, at, ix)
        })
    }

    /// `if (not found yet or better) { best = element; position = here; }`
    #[allow(clippy::too_many_arguments)]
    pub fn locate(
        &mut self,
        a: &TExpr,
        mask: Option<&TExpr>,
        largest: bool,
        back: &Back,
        best: &Expr,
        at: &[(Expr, Expr)],
        ix: &[Ix],
    ) -> Vec<ir::Stmt> {
        let ty = best.ty.plain();
        let v = self.val(a, ix);
        let v = convert(v, ty);
        let op = match (largest, back) {
            (true, Back::No | Back::If(_)) => ir::BinaryOp::Gt,
            (true, Back::Yes) => ir::BinaryOp::Ge,
            (false, Back::No | Back::If(_)) => ir::BinaryOp::Lt,
            (false, Back::Yes) => ir::BinaryOp::Le,
        };
        let mut better = Expr::binary(op, v.clone(), best.clone(), ir::Type::Bool);
        if let Back::If(last) = back {
            let equal = Expr::binary(ir::BinaryOp::Eq, v.clone(), best.clone(), ir::Type::Bool);
            let again = Expr::binary(ir::BinaryOp::And, last.clone(), equal, ir::Type::Bool);
            better = Expr::binary(ir::BinaryOp::Or, better, again, ir::Type::Bool);
        }
        let none = match at.first() {
            Some((p, _)) => Expr::binary(ir::BinaryOp::Eq, p.clone(), Expr::int(0), ir::Type::Bool),
            None => Expr::bool(true),
        };
        let or = |a, b| Expr::binary(ir::BinaryOp::Or, a, b, ir::Type::Bool);
        let mut cond = or(none, better);
        if let ir::Type::Real(_) = ty {
            // A NaN is left for the first number, as gfortran does (the standard leaves NaN open).
            let own = |op, x: &Expr| Expr::binary(op, x.clone(), x.clone(), ir::Type::Bool);
            let (nan, number) = (own(ir::BinaryOp::Ne, best), own(ir::BinaryOp::Eq, &v));
            cond = or(
                cond,
                Expr::binary(ir::BinaryOp::And, nan, number, ir::Type::Bool),
            );
        }
        let mut set = vec![ir::Stmt::assign(best.clone(), v)];
        for (p, i) in at {
            set.push(ir::Stmt::assign(
                p.clone(),
                convert(i.clone(), p.ty.plain()),
            ));
        }
        let cond = match mask {
            Some(m) => {
                let c = self.val(m, ix);
                Expr::binary(ir::BinaryOp::And, to_bool(c), cond, ir::Type::Bool)
            }
            None => cond,
        };
        vec![ir::Stmt::when(cond, set)]
    }

    /// An argument of CSHIFT or EOSHIFT that is one for all sections or one for each, computed before the loops.
    fn each_or_all<'t>(&mut self, t: &'t TExpr) -> Each<'t> {
        if t.rank <= 0 {
            let v = self.value(t);
            let v = match v.is_simple() || super::array::is_character(&t.ty) {
                true => v,
                false => self.temporary(v),
            };
            return Each::Same(v);
        }
        match t.kind {
            TExprKind::Variable(_) | TExprKind::Index { .. } => Each::Designator(t),
            _ => Each::Array(self.materialise(t)),
        }
    }

    fn one_of(&mut self, each: &Each<'_>, section: &[Ix]) -> Expr {
        match each {
            Each::Same(v) => v.clone(),
            Each::Designator(t) => self.val(t, section),
            Each::Array(t) => self.element_of(t, section),
        }
    }

    /// CSHIFT(ARRAY, SHIFT [, DIM]), EOSHIFT(ARRAY, SHIFT [, BOUNDARY] [, DIM])
    pub fn shift(
        &mut self,
        e: &TExpr,
        circular: bool,
        a: &TExpr,
        args: Args<'_>,
    ) -> Option<Entity> {
        let shift = args.get(1)?.as_ref()?;
        let dim_at = if circular { 2 } else { 3 };
        let d = match args.get(dim_at).and_then(Option::as_ref) {
            Some(x) => usize::try_from(x.as_integer()?).ok()?.checked_sub(1)?,
            None => 0,
        };
        let extents = self.extents(a);
        let n = extents.get(d)?.clone();
        let elem = self.storage_type(&e.ty)?;
        let shift = self.each_or_all(shift);
        let boundary = args.get(2).and_then(Option::as_ref);
        let boundary = boundary.filter(|_| !circular).map(|b| self.each_or_all(b));
        let t = self.declare_array(elem.clone(), &extents, Init::None);
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let place = t.clone();
        let loops = self.nest(&ranges, |cx, ix| {
            let mut section = ix.to_vec();
            section.remove(d);
            let s = subscript(cx.one_of(&shift, &section));
            let offset = ix[d].var.clone().minus(Expr::int(1)).plus(s);
            let mut from = ix.to_vec();
            let at = if circular {
                Expr::call(
                    Function::Modulo,
                    vec![offset.clone(), n.clone()],
                    ir::Type::Int(4),
                )
            } else {
                offset.clone()
            };
            from[d] = Ix {
                var: at,
                base: Expr::int(0),
            };
            let v = cx.val(a, &from);
            let v = convert(v, &elem);
            let v = if circular {
                v
            } else {
                let low = Expr::binary(
                    ir::BinaryOp::Ge,
                    offset.clone(),
                    Expr::int(0),
                    ir::Type::Bool,
                );
                let high = Expr::binary(ir::BinaryOp::Lt, offset, n.clone(), ir::Type::Bool);
                let inside = Expr::binary(ir::BinaryOp::And, low, high, ir::Type::Bool);
                let fill = match &boundary {
                    Some(b) => convert(cx.one_of(b, &section), &elem),
                    None => zero(&elem),
                };
                // Both values of a conditional expression have one type in C++.
                let (v, fill, ty) = match &elem {
                    ir::Type::Logical(_) => (to_bool(v), to_bool(fill), ir::Type::Bool),
                    ir::Type::Character(_) => {
                        (character_object(v), character_object(fill), elem.clone())
                    }
                    _ => (v, fill, elem.clone()),
                };
                Expr::new(
                    ExprKind::Conditional {
                        cond: Box::new(inside),
                        then: Box::new(v),
                        otherwise: Box::new(fill),
                    },
                    ty,
                )
            };
            let target = cx.element_of(&place, ix);
            vec![ir::Stmt::assign(target, v)]
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(t)
    }
}

/// Whether the last of several places is meant.
pub enum Back {
    Yes,
    No,
    If(Expr),
}

/// What [`Cx::each_or_all`] gives.
enum Each<'t> {
    Same(Expr),
    Designator(&'t TExpr),
    Array(Entity),
}

pub fn zero(ty: &ir::Type) -> Expr {
    match ty {
        ir::Type::Complex(_) => Expr::new(ExprKind::Complex(0.0, 0.0), ty.clone()),
        ir::Type::Character(_) => Expr::new(ExprKind::Str(" ".into()), ty.clone()),
        t => convert(Expr::int(0), t),
    }
}

fn identity(name: &str, ty: &ir::Type) -> Expr {
    match name {
        "product" => match ty {
            ir::Type::Complex(_) => Expr::new(ExprKind::Complex(1.0, 0.0), ty.clone()),
            t => convert(Expr::int(1), t),
        },
        "any" | "parity" => Expr::bool(false),
        "all" => Expr::bool(true),
        "iall" => Expr::new(ExprKind::Int(-1), ty.clone()),
        "maxval" | "minval" => match ty {
            ir::Type::Real(k) => {
                let v = if name == "maxval" {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                };
                Expr::new(ExprKind::Real(v), ir::Type::Real(*k))
            }
            t => extreme(t, name == "maxval"),
        },
        _ => zero(ty),
    }
}
