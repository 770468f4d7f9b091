//! MAXLOC, MINLOC and FINDLOC.

use super::reduction::extreme;
use crate::intrinsics::{Dummy, Intrinsic, Location};
use crate::ir::{self, *};
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::array::is_character;
use crate::lower::value::convert::{convert, to_bool};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, Constant};

impl LoweringContext<'_, '_> {
    /// FINDLOC(ARRAY, VALUE [, DIM] [, MASK] [, KIND] [, BACK])
    fn findloc(&mut self, e: &TExpr, a: &TExpr, args: Args<'_>) -> Option<Entity> {
        let value = args.get(1)?.as_ref()?;
        let (dim, mask) = self.dim_and_mask(Location::Findloc, args);
        let back = self.back(Location::Findloc, args);
        let int = self.value_type(&e.ty)?;
        let zero = convert(Expr::int(0), &int);
        let wanted = self.value(value);
        let wanted = if wanted.is_simple() || is_character(&value.ty) {
            wanted
        } else {
            self.temporary(wanted)
        };
        let found = |cx: &mut Self, places: &[(Expr, Expr)], ix: &[LoopIndex]| {
            let v = cx.val(a, ix);
            let mut cond = match &a.ty {
                model::Type::Logical(_) => Expr::binary(
                    ir::BinaryOp::Eq,
                    to_bool(v),
                    to_bool(wanted.clone()),
                    ir::Type::Bool,
                ),
                _ => {
                    let ty = cx.common(&a.ty, &value.ty);
                    let (x, y) = match ty {
                        Some(t) => (convert(v, &t), convert(wanted.clone(), &t)),
                        None => (v, wanted.clone()),
                    };
                    Expr::binary(ir::BinaryOp::Eq, x, y, ir::Type::Bool)
                }
            };
            if !matches!(back, Back::Yes)
                && let Some((first, _)) = places.first()
            {
                let mut none = Expr::binary(
                    ir::BinaryOp::Eq,
                    first.clone(),
                    zero.clone(),
                    ir::Type::Bool,
                );
                if let Back::If(last) = &back {
                    none = Expr::binary(ir::BinaryOp::Or, last.clone(), none, ir::Type::Bool);
                }
                cond = Expr::binary(ir::BinaryOp::And, none, cond, ir::Type::Bool);
            }
            if let Some(m) = mask {
                let c = cx.val(m, ix);
                cond = Expr::binary(ir::BinaryOp::And, to_bool(c), cond, ir::Type::Bool);
            }
            let set = places
                .iter()
                .map(|(p, i)| ir::Stmt::assign(p.clone(), convert(i.clone(), p.ty.plain())))
                .collect();
            vec![ir::Stmt::when(cond, set)]
        };
        self.positions(e, a, dim, found)
    }

    /// The result of FINDLOC, MAXLOC or MINLOC of the type of `e`: positions in `a`, or along its dimension `dim`, 0 where there is none.
    /// `found` gives what is done at one element: it may set the variables (first of its pairs) to the indices (second).
    fn positions(
        &mut self,
        e: &TExpr,
        a: &TExpr,
        dim: Option<&TExpr>,
        mut found: impl FnMut(&mut Self, &[(Expr, Expr)], &[LoopIndex]) -> Vec<ir::Stmt>,
    ) -> Option<Entity> {
        let int = self.value_type(&e.ty)?;
        let zero = convert(Expr::int(0), &int);
        let extents = self.extents(a);
        if let Some(d) = dim
            && a.rank > 1
        {
            let d = usize::try_from(d.as_integer()?).ok()?.checked_sub(1)?;
            let mut outer = extents;
            if d >= outer.len() {
                return None;
            }
            let along = outer.remove(d);
            let t = self.declare_array(int.clone(), &outer, Init::None);
            let place = t.clone();
            let ranges: Vec<_> = outer.into_iter().map(|n| (Expr::int(1), n)).collect();
            let loops = self.nest(&ranges, |cx, ix| {
                let target = cx.element_of(&place, ix);
                let mut body = vec![ir::Stmt::assign(target.clone(), zero.clone())];
                body.extend(cx.nest(&[(Expr::int(1), along)], |cx, inner| {
                    let mut all = ix.to_vec();
                    all.insert(d, inner[0].clone());
                    found(cx, &[(target, inner[0].var.clone())], &all)
                }));
                body
            });
            loops.into_iter().for_each(|s| self.before(s));
            return Some(t);
        }
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let (result, places) = if e.rank == 0 {
            let t = self.scalar_variable(&int, zero.clone());
            let ent = Entity {
                expr: t.clone(),
                bounds: Vec::new(),
                optional: None,
            };
            (ent, vec![t])
        } else {
            let zeros = vec![zero.clone(); a.rank.max(1) as usize];
            let list = Expr::new(ExprKind::List(zeros), ir::Type::Auto);
            let init = Init::Value(Expr::new(ExprKind::List(vec![list]), ir::Type::Auto));
            let t = self.declare_array(int.clone(), &[Expr::int(i64::from(a.rank))], init);
            let places = (1..=i64::from(a.rank))
                .map(|d| t.expr.clone().at(vec![Expr::int(d)]))
                .collect();
            (t, places)
        };
        let loops = self.nest(&ranges, |cx, ix| {
            let at: Vec<_> = places
                .iter()
                .zip(ix)
                .map(|(p, i)| (p.clone(), i.var.clone()))
                .collect();
            found(cx, &at, ix)
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(result)
    }

    /// BACK of FINDLOC, MAXLOC and MINLOC.
    fn back(&mut self, i: Location, args: Args<'_>) -> Back {
        let t = Intrinsic::from(i).argument(Dummy::Back, args);
        match t {
            Some(b) if b.value.is_none() => {
                let v = to_bool(self.value(b));
                Back::If(if v.is_simple() { v } else { self.temporary(v) })
            }
            _ if is_true(t) => Back::Yes,
            _ => Back::No,
        }
    }

    /// MAXLOC, MINLOC, FINDLOC
    pub(super) fn location(
        &mut self,
        e: &TExpr,
        i: Location,
        a: &TExpr,
        args: Args<'_>,
    ) -> Option<Entity> {
        let largest = match i {
            Location::Maxloc => true,
            Location::Minloc => false,
            Location::Findloc => return self.findloc(e, a, args),
        };
        let (dim, mask) = self.dim_and_mask(i, args);
        let back = self.back(i, args);
        let ty = self.value_type(&a.ty)?;
        let none = match ty {
            ir::Type::Int(_) | ir::Type::Real(_) => convert(Expr::int(0), &ty),
            ir::Type::Character(_) => extreme(&ty, largest),
            _ => return None,
        };
        let best = self.scalar_variable(&ty, none);
        let sought = Extremum {
            a,
            mask,
            largest,
            back,
            best,
        };
        self.positions(e, a, dim, |cx, at, ix| cx.locate(&sought, at, ix))
    }

    /// `if (not found yet or better) { best = element; position = here; }`
    fn locate(
        &mut self,
        sought: &Extremum<'_>,
        at: &[(Expr, Expr)],
        ix: &[LoopIndex],
    ) -> Vec<ir::Stmt> {
        let (back, best) = (&sought.back, &sought.best);
        let ty = best.ty.plain();
        let v = self.val(sought.a, ix);
        let v = convert(v, ty);
        let op = match (sought.largest, back) {
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
        let cond = match sought.mask {
            Some(m) => {
                let c = self.val(m, ix);
                Expr::binary(ir::BinaryOp::And, to_bool(c), cond, ir::Type::Bool)
            }
            None => cond,
        };
        vec![ir::Stmt::when(cond, set)]
    }
}

/// What MAXLOC and MINLOC look for.
struct Extremum<'t> {
    a: &'t TExpr,
    mask: Option<&'t TExpr>,
    largest: bool,
    back: Back,
    /// The variable for the best value until now.
    best: Expr,
}

/// Whether the last of several places is meant.
enum Back {
    Yes,
    No,
    If(Expr),
}

/// Folded logical argument.
fn is_true(a: Option<&TExpr>) -> bool {
    matches!(
        a.and_then(|a| a.value.as_ref()),
        Some(Constant::Logical(true, _))
    )
}
