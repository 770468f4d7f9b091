//! DOT_PRODUCT and MATMUL.

use super::reduction::zero;
use crate::intrinsics::{Intrinsic, Numeric, Product, Shape};
use crate::ir::{self, *};
use crate::lower::context::rules::{Arrays, Expressions};
use crate::lower::context::state::LoopIndex;
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::{convert, to_bool};
use crate::sema::expression::typed::*;
use crate::sema::model;

impl LoweringContext<'_, '_> {
    pub(super) fn product(
        &mut self,
        e: &TExpr,
        i: Product,
        a: &TExpr,
        b: &TExpr,
    ) -> Option<Entity> {
        match i {
            Product::DotProduct => self.dot_product(e, a, b),
            Product::Matmul => self.matmul(e, a, b),
        }
    }

    fn dot_product(&mut self, e: &TExpr, a: &TExpr, b: &TExpr) -> Option<Entity> {
        let ty = self.value_type(&e.ty)?;
        let logical = ty.is_logical();
        let t = self.scalar_variable(
            &ty,
            if logical {
                Expr::bool(false)
            } else {
                zero(&ty)
            },
        );
        let n = self.extents(a).into_iter().next()?;
        let place = t.clone();
        let conj = matches!(a.ty, model::Type::Complex(_));
        let ty2 = ty.clone();
        let loops = self.nest(&[(Expr::int(1), n)], |cx, ix| {
            let x = cx.val(a, ix);
            let y = cx.val(b, ix);
            let (x, y) = (convert(x, &ty2), convert(y, &ty2));
            let x = if conj {
                Expr::call(Numeric::Conjg, vec![x], ty2.clone())
            } else {
                x
            };
            vec![ir::Stmt::assign(
                place.clone(),
                product_sum(place.clone(), x, y, &ty2),
            )]
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(Entity {
            expr: t,
            bounds: Vec::new(),
            optional: None,
        })
    }

    fn matmul(&mut self, e: &TExpr, a: &TExpr, b: &TExpr) -> Option<Entity> {
        let ty = self.value_type(&e.ty)?;
        // The operands are read many times: compute expressions once.
        let (a_rank, b_rank) = (a.rank, b.rank);
        let (na, nb) = (self.extents(a), self.extents(b));
        let inner = na.get((a_rank - 1).max(0) as usize)?.clone();
        let outer = match (a_rank, b_rank) {
            (2, 2) => vec![na[0].clone(), nb[1].clone()],
            (2, 1) => vec![na[0].clone()],
            (1, 2) => vec![nb[1].clone()],
            _ => return None,
        };
        let left = self.operand_array(a);
        let right = self.operand_array(b);
        let elem = self.storage_type(&e.ty)?;
        let t = self.declare_array(elem, &outer, Init::None);
        let place = t.clone();
        let ranges: Vec<_> = outer.into_iter().map(|n| (Expr::int(1), n)).collect();
        let loops = self.nest(&ranges, |cx, ix| {
            let target = cx.element_of(&place, ix);
            let start = if ty.is_logical() {
                Expr::bool(false)
            } else {
                zero(&ty)
            };
            let mut body = vec![ir::Stmt::assign(
                target.clone(),
                convert(start, target.ty.plain()),
            )];
            body.extend(cx.nest(&[(Expr::int(1), inner.clone())], |cx, k| {
                let k = k[0].clone();
                let (ia, ib) = match (a_rank, b_rank) {
                    (2, 2) => (vec![ix[0].clone(), k.clone()], vec![k, ix[1].clone()]),
                    (2, 1) => (vec![ix[0].clone(), k.clone()], vec![k]),
                    _ => (vec![k.clone()], vec![k, ix[0].clone()]),
                };
                let x = cx.operand_element(&left, a, &ia);
                let y = cx.operand_element(&right, b, &ib);
                let old = if ty.is_logical() {
                    to_bool(target.clone())
                } else {
                    target.clone()
                };
                let v = product_sum(old, convert(x, &ty), convert(y, &ty), &ty);
                vec![ir::Stmt::assign(
                    target.clone(),
                    convert(v, target.ty.plain()),
                )]
            }));
            body
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(t)
    }

    /// Designators are read in place, other operands from a temporary.
    fn operand_array(&mut self, a: &TExpr) -> Option<Entity> {
        let in_place = a.is_designator()
            || matches!(
                a.kind,
                TExprKind::Intrinsic {
                    intrinsic: Intrinsic::Shape(Shape::Transpose),
                    ..
                }
            );
        if in_place {
            None
        } else {
            Some(self.materialise(a))
        }
    }

    fn operand_element(&mut self, held: &Option<Entity>, a: &TExpr, ix: &[LoopIndex]) -> Expr {
        match held {
            Some(t) => self.element_of(t, ix),
            None => self.val(a, ix),
        }
    }
}

/// `old + x*y`, or `old || x && y`.
fn product_sum(old: Expr, x: Expr, y: Expr, ty: &ir::Type) -> Expr {
    let (mul, add) = if ty.is_logical() {
        (ir::BinaryOp::And, ir::BinaryOp::Or)
    } else {
        (ir::BinaryOp::Mul, ir::BinaryOp::Add)
    };
    let p = Expr::binary(mul, x, y, ty.clone());
    Expr::binary(add, old, p, ty.clone())
}
