//! Transformational intrinsics whose DIM is known at run time only: one branch for each dimension.

use crate::intrinsics::{Dummy, Intrinsic};
use crate::ir::{self, *};
use crate::lower::context::rules::Intrinsics;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, Constant};

/// DIM, if it is given and no constant, and its position among the arguments.
pub fn variable_dim(i: Intrinsic, args: Args<'_>) -> Option<(usize, &TExpr)> {
    let at = match i {
        Intrinsic::Reduction(_) | Intrinsic::Location(_) | Intrinsic::Shift(_) => {
            i.position(Dummy::Dim)?
        }
        _ => return None,
    };
    let d = args.get(at)?.as_ref()?;
    let is_dim = matches!(d.ty, model::Type::Integer(_)) && d.as_integer().is_none();
    is_dim.then_some((at, d))
}

/// `dim op position ? then : otherwise`
fn choose(dim: &Expr, op: ir::BinaryOp, position: usize, then: &Expr, otherwise: &Expr) -> Expr {
    if then == otherwise {
        return then.clone();
    }
    let at = Expr::int(i64::try_from(position).unwrap_or(i64::MAX));
    Expr::new(
        ExprKind::Conditional {
            cond: Box::new(Expr::binary(op, dim.clone(), at, ir::Type::Bool)),
            then: Box::new(then.clone()),
            otherwise: Box::new(otherwise.clone()),
        },
        then.ty.clone(),
    )
}

/// The positions without the one in the dimension `dim`.
pub fn without(dim: &Expr, ix: &[LoopIndex]) -> Vec<LoopIndex> {
    ix.windows(2)
        .enumerate()
        .map(|(i, pair)| {
            let [a, b] = [&pair[0], &pair[1]].map(|x| x.var.clone().minus(x.base.clone()));
            LoopIndex {
                var: choose(dim, ir::BinaryOp::Gt, i + 1, &a, &b),
                base: Expr::int(0),
            }
        })
        .collect()
}

/// The extents with one more, `copies`, in the dimension `dim`.
pub fn with(dim: &Expr, n: &[Expr], copies: &Expr) -> Vec<Expr> {
    (0..=n.len())
        .map(|i| {
            // Before, at and after the new dimension.
            let after = i.checked_sub(1).and_then(|i| n.get(i)).unwrap_or(copies);
            let here = choose(dim, ir::BinaryOp::Eq, i + 1, copies, after);
            match n.get(i) {
                Some(before) => choose(dim, ir::BinaryOp::Gt, i + 1, before, &here),
                None => here,
            }
        })
        .collect()
}

impl LoweringContext<'_, '_> {
    /// DIM of a SPREAD is no constant.
    pub fn variable_spread(&self, args: Args<'_>) -> bool {
        let dim = args.get(1).and_then(Option::as_ref);
        dim.is_some_and(|d| d.as_integer().is_none())
    }

    /// The extents of an array without the dimension that `dim` names.
    pub fn extents_without(&mut self, n: &[Expr], dim: &TExpr) -> Vec<Expr> {
        let d = self.section_index(dim);
        n.windows(2)
            .enumerate()
            .map(|(i, pair)| choose(&d, ir::BinaryOp::Gt, i + 1, &pair[0], &pair[1]))
            .collect()
    }

    /// The value of such an intrinsic.
    pub fn by_each_dim(
        &mut self,
        e: &TExpr,
        i: Intrinsic,
        args: Args<'_>,
        (at, dim): (usize, &TExpr),
    ) -> Option<Entity> {
        let rank = args.first()?.as_ref()?.rank;
        let with = |k: i8| {
            let mut args = args.to_vec();
            if let Some(Some(d)) = args.get_mut(at) {
                d.kind = TExprKind::Constant { symbol: None };
                d.value = Some(Constant::Integer(k.into(), 4));
            }
            args
        };
        if rank == 1 {
            return self.transformational(e, i, &with(1));
        }
        let d = self.index_value(dim);
        let d = if d.is_simple() { d } else { self.temporary(d) };
        let elem = self.storage_type(&e.ty)?;
        let extents = self.intrinsic_extents(e, i, args);
        let t = self.declare_array(elem, &extents, Init::None);
        let mut branches = Vec::new();
        for k in 1..=rank {
            let (mut body, found) = self.with_hoisted(|cx| cx.transformational(e, i, &with(k)));
            let found = found?;
            let ranges: Vec<_> = self
                .entity_extents(&found)
                .into_iter()
                .map(|n| (Expr::int(1), n))
                .collect();
            let place = t.clone();
            body.extend(self.nest(&ranges, |cx, ix: &[LoopIndex]| {
                let value = cx.element_of(&found, ix);
                vec![ir::Stmt::assign(cx.element_of(&place, ix), value)]
            }));
            let here = Expr::binary(
                ir::BinaryOp::Eq,
                d.clone(),
                Expr::int(k.into()),
                ir::Type::Bool,
            );
            branches.push((here, body));
        }
        let otherwise = branches.pop().map(|(_, body)| body);
        self.before(
            StmtKind::If {
                branches,
                otherwise,
            }
            .into(),
        );
        Some(t)
    }
}
