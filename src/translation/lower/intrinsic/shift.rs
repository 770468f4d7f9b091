//! CSHIFT and EOSHIFT.

use super::reduction::zero;
use crate::intrinsics::{Dummy, Intrinsic, Numeric, Shift};
use crate::ir::{self, *};
use crate::lower::context::rules::{Arrays, Expressions};
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::array::is_character;
use crate::lower::value::convert::{convert, subscript, to_bool};
use crate::lower::value::text::character_object;
use crate::sema::expression::typed::*;

impl LoweringContext<'_, '_> {
    /// An argument of CSHIFT or EOSHIFT that is one for all sections or one for each, computed before the loops.
    fn each_or_all<'t>(&mut self, t: &'t TExpr) -> Each<'t> {
        if t.rank <= 0 {
            let v = self.value(t);
            let v = match v.is_simple() || is_character(&t.ty) {
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

    fn one_of(&mut self, each: &Each<'_>, section: &[LoopIndex]) -> Expr {
        match each {
            Each::Same(v) => v.clone(),
            Each::Designator(t) => self.val(t, section),
            Each::Array(t) => self.element_of(t, section),
        }
    }

    /// CSHIFT(ARRAY, SHIFT [, DIM]), EOSHIFT(ARRAY, SHIFT [, BOUNDARY] [, DIM])
    pub(super) fn shift(
        &mut self,
        e: &TExpr,
        i: Shift,
        a: &TExpr,
        args: Args<'_>,
    ) -> Option<Entity> {
        let circular = match i {
            Shift::Cshift => true,
            Shift::Eoshift => false,
        };
        let shift = args.get(1)?.as_ref()?;
        let dim = Intrinsic::from(i).argument(Dummy::Dim, args);
        let d = match dim {
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
                    Numeric::Modulo,
                    vec![offset.clone(), n.clone()],
                    ir::Type::Int(4),
                )
            } else {
                offset.clone()
            };
            from[d] = LoopIndex {
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

/// What [`LoweringContext::each_or_all`] gives.
enum Each<'t> {
    Same(Expr),
    Designator(&'t TExpr),
    Array(Entity),
}
