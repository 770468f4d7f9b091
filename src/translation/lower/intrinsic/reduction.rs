//! Reductions of arrays: SUM, MAXVAL, ANY and their like.

use crate::intrinsics::{Choice, Numeric, Reduction};
use crate::ir::{self, *};
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::{convert, real_literal, to_bool};
use crate::lower::value::expr::narrow;
use crate::sema::expression::typed::*;

impl LoweringContext<'_, '_> {
    /// The value of a reduction, or the array of those along a dimension.
    pub(super) fn reduction(
        &mut self,
        e: &TExpr,
        i: Reduction,
        a: &TExpr,
        args: Args<'_>,
    ) -> Option<Entity> {
        let (dim, mask) = self.dim_and_mask(i, args);
        let ty = self.value_type(&e.ty)?;
        if ty == ir::Type::Text {
            return None;
        }
        let start = identity(i, &ty);
        let ranges = self.ranges(a);
        let extents = self.extents(a);
        let nonempty = mask.is_none() && extents.iter().all(|n| n.as_int().is_some_and(|v| v > 0));
        // Accumulation of integers starts with what the extremum of nothing is; that of reals with an infinity.
        let limit = extreme_of(i, &ty);
        let extremum = limit.as_ref().is_some_and(|l| start != *l);
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
                    let mut s = cx.accumulate(i, a, mask, &target, &ty, &all);
                    if let (Some(f), Some(StmtKind::If { branches, .. })) =
                        (&seen, s.first_mut().map(|s| &mut s.kind))
                    {
                        branches[0]
                            .1
                            .push(ir::Stmt::assign(f.clone(), Expr::bool(true)));
                    }
                    s
                }));
                if let (Some(f), Some(limit)) = (seen, &limit) {
                    let limit = limit.clone();
                    body.push(ir::Stmt::when(
                        f.not(),
                        vec![ir::Stmt::assign(target.clone(), limit)],
                    ));
                } else if let Some(limit) = limit.as_ref().filter(|_| extremum && !nonempty) {
                    body.push(empty_extremum(&target, &along, limit));
                }
                if i == Reduction::Norm2 {
                    body.push(ir::Stmt::assign(
                        target.clone(),
                        Expr::call(Numeric::Sqrt, vec![target.clone()], ty.clone()),
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
            let mut s = cx.accumulate(i, a, mask, &place, &ty, ix);
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
        if let (Some(f), Some(limit)) = (found, limit) {
            self.before(ir::Stmt::when(
                f.not(),
                vec![ir::Stmt::assign(target.clone(), limit)],
            ));
        }
        let value = if i == Reduction::Norm2 {
            Expr::call(Numeric::Sqrt, vec![target], ty)
        } else {
            target
        };
        Some(Entity {
            expr: value,
            bounds: Vec::new(),
            optional: None,
        })
    }

    /// One step of a reduction over the element at a position.
    fn accumulate(
        &mut self,
        i: Reduction,
        a: &TExpr,
        mask: Option<&TExpr>,
        target: &Expr,
        ty: &ir::Type,
        ix: &[LoopIndex],
    ) -> Vec<ir::Stmt> {
        let v = self.val(a, ix);
        let old = if ty.is_logical() {
            to_bool(target.clone())
        } else {
            target.clone()
        };
        let combine = |op: ir::BinaryOp, v: Expr| Expr::binary(op, old.clone(), v, ty.clone());
        let assign = |v: Expr| ir::Stmt::assign(target.clone(), convert(v, target.ty.plain()));
        use Reduction::*;
        let step = match i {
            Sum => assign(narrow(combine(ir::BinaryOp::Add, convert(v, ty)), &a.ty)),
            Product => assign(narrow(combine(ir::BinaryOp::Mul, convert(v, ty)), &a.ty)),
            Maxval | Minval if matches!(ty, ir::Type::Character(_)) => {
                let op = match i {
                    Maxval => ir::BinaryOp::Gt,
                    _ => ir::BinaryOp::Lt,
                };
                let better = Expr::binary(op, v.clone(), old, ir::Type::Bool);
                ir::Stmt::when(better, vec![assign(v)])
            }
            Maxval => assign(Expr::call(
                Choice::Max,
                vec![old, convert(v, ty)],
                ty.clone(),
            )),
            Minval => assign(Expr::call(
                Choice::Min,
                vec![old, convert(v, ty)],
                ty.clone(),
            )),
            Iall => assign(combine(ir::BinaryOp::BitAnd, convert(v, ty))),
            Iany => assign(combine(ir::BinaryOp::BitOr, convert(v, ty))),
            Iparity => assign(combine(ir::BinaryOp::BitXor, convert(v, ty))),
            Norm2 => {
                let x = self.temporary_in(v, ty);
                let (decl, x) = x;
                let sq = Expr::binary(ir::BinaryOp::Mul, x.clone(), x, ty.clone());
                return vec![decl, assign(combine(ir::BinaryOp::Add, sq))];
            }
            Count => {
                let one = assign(combine(ir::BinaryOp::Add, convert(Expr::int(1), ty)));
                ir::Stmt::when(to_bool(v), vec![one])
            }
            Any => ir::Stmt::when(to_bool(v), vec![assign(Expr::bool(true))]),
            All => ir::Stmt::when(to_bool(v).not(), vec![assign(Expr::bool(false))]),
            Parity => assign(combine(ir::BinaryOp::Ne, to_bool(v))),
        };
        match mask {
            Some(m) => {
                let c = self.val(m, ix);
                vec![ir::Stmt::when(to_bool(c), vec![step])]
            }
            None => vec![step],
        }
    }

    fn temporary_in(&mut self, v: Expr, ty: &ir::Type) -> (ir::Stmt, Expr) {
        let name = self.numbered("x");
        self.names.free(&name);
        (
            ir::Stmt::declare(ty.clone().constant(), &name, Init::Value(convert(v, ty))),
            Expr::name(&name, ty.clone()),
        )
    }
}

/// Zero, or blanks.
pub(super) fn zero(ty: &ir::Type) -> Expr {
    match ty {
        ir::Type::Complex(_) => Expr::new(ExprKind::Complex(0.0, 0.0), ty.clone()),
        ir::Type::Character(_) => Expr::new(ExprKind::Str(" ".into()), ty.clone()),
        t => convert(Expr::int(0), t),
    }
}

/// What a reduction of nothing gives; of a real extremum, what every number replaces.
fn identity(i: Reduction, ty: &ir::Type) -> Expr {
    use Reduction::*;
    match (i, ty) {
        (Product, ir::Type::Complex(_)) => Expr::new(ExprKind::Complex(1.0, 0.0), ty.clone()),
        (Product, t) => convert(Expr::int(1), t),
        (Any | Parity, _) => Expr::bool(false),
        (All, _) => Expr::bool(true),
        (Iall, _) => Expr::new(ExprKind::Int(-1), ty.clone()),
        (Maxval, ir::Type::Real(_)) => Expr::new(ExprKind::Real(f64::NEG_INFINITY), ty.clone()),
        (Minval, ir::Type::Real(_)) => Expr::new(ExprKind::Real(f64::INFINITY), ty.clone()),
        (Maxval, t) => extreme(t, true),
        (Minval, t) => extreme(t, false),
        (Sum | Count | Iany | Iparity | Norm2, _) => zero(ty),
    }
}

/// What MAXVAL and MINVAL give of an array without elements.
fn extreme_of(i: Reduction, ty: &ir::Type) -> Option<Expr> {
    match i {
        Reduction::Maxval => Some(extreme(ty, true)),
        Reduction::Minval => Some(extreme(ty, false)),
        _ => None,
    }
}

/// An extremum over nothing is the most extreme finite value.
fn empty_extremum(target: &Expr, along: &Expr, limit: &Expr) -> ir::Stmt {
    let empty = Expr::binary(
        ir::BinaryOp::Le,
        along.clone(),
        Expr::int(0),
        ir::Type::Bool,
    );
    ir::Stmt::when(empty, vec![ir::Stmt::assign(target.clone(), limit.clone())])
}

/// The largest finite value of a type, negated for `negative`.
pub(super) fn extreme(ty: &ir::Type, negative: bool) -> Expr {
    match ty {
        ir::Type::Real(k) => {
            let v = match k {
                8 => f64::MAX,
                2 => 65504.0,
                _ => f64::from(f32::MAX),
            };
            real_literal(if negative { -v } else { v }, *k)
        }
        ir::Type::Int(k) => {
            let max = (1i128 << (u32::from(*k) * 8 - 1)) - 1;
            Expr::int_of(if negative { -max - 1 } else { max }, *k)
        }
        ir::Type::Character(n) => {
            let function = match negative {
                true => Function::LowestText,
                false => Function::HighestText,
            };
            Expr::call_of(function, vec![TemplateArg::Int(*n)], Vec::new(), ty.clone())
        }
        t => Expr::new(ExprKind::Int(0), t.clone()),
    }
}
