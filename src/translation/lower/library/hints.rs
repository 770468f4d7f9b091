//! Loads and stores with cache hints (guide 3.6.6): of scalars, and of four or two elements as one access of 128 bits.

use super::device_names::{load, store};
use crate::ir::{self, *};
use crate::lower::context::rules::{Arrays, Designators, Expressions, Loads};
use crate::lower::context::state::LoopIndex;
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;

impl LoweringContext<'_, '_> {
    /// One element loaded; None for other functions.
    pub fn hinted_load(
        &mut self,
        word: &str,
        args: &[(Option<String>, TExpr)],
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        let (function, _) = load(word)?;
        let (_, a) = args.first()?;
        if a.rank > 0 && ix.is_empty() {
            return None;
        }
        self.need_header("device/cache_hints.hpp");
        let p = self.place_at(a, ix);
        let result = p.ty.plain().clone();
        Some(Expr::call(function, vec![p], result))
    }

    /// `call __stwb(place, value)` and its like; None for other subroutines.
    pub fn hinted_store(
        &mut self,
        word: &str,
        args: &[(Option<String>, TExpr)],
    ) -> Option<Vec<ir::Stmt>> {
        let (element, vector) = store(word)?;
        let [(_, place), (_, value)] = args else {
            return None;
        };
        self.need_header("device/cache_hints.hpp");
        let elem = self.storage_type(&place.ty)?;
        let store = |to: Expr, v: Expr, function: Function| {
            ir::Stmt::expr(Expr::call(function, vec![to, v], ir::Type::Void))
        };
        if place.rank <= 0 {
            let to = self.place(place);
            let v = self.value_as(value, &elem);
            return Some(vec![store(to, v, element)]);
        }
        if let Some((first, _, _)) = self.vector(place)
            && value.rank == 1
            && value.ty == place.ty
        {
            let held: Entity = match value.kind {
                TExprKind::Variable(_) => self.array_place(value, &[]),
                _ => self.materialise(value),
            };
            if matches!(held.expr.ty.plain(), ir::Type::Fixed { .. }) {
                return Some(vec![store(first, held.expr, vector)]);
            }
        }
        let ranges = self.ranges(place);
        Some(self.nest(&ranges, |cx, ix| {
            let v = cx.val(value, ix);
            let to = cx.place_at(place, ix);
            vec![store(to, convert(v, &elem), element)]
        }))
    }

    /// 128 bits side by side: the address of the first element, the elements' type and number.
    fn vector(&mut self, a: &TExpr) -> Option<(Expr, ir::Type, i64)> {
        if a.rank != 1 || !a.is_designator() || !self.is_contiguous(a) {
            return None;
        }
        let elem = self.storage_type(&a.ty)?;
        let n = match elem {
            ir::Type::Int(4) | ir::Type::Real(4) => 4,
            ir::Type::Int(8) | ir::Type::Real(8) => 2,
            _ => return None,
        };
        let extents = self.extents(a);
        if extents.first().and_then(Expr::as_int) != Some(i128::from(n)) {
            return None;
        }
        let start = LoopIndex {
            var: Expr::int(1),
            base: Expr::int(1),
        };
        let start = match &a.kind {
            // Whole arrays count from their own bounds.
            TExprKind::Index { .. } => start,
            _ => {
                let whole = self.array_place(a, &[]);
                let low = self.lower_bounds(&whole).first()?.clone();
                LoopIndex {
                    var: low.clone(),
                    base: low,
                }
            }
        };
        let first = self.val(a, std::slice::from_ref(&start)).address();
        Some((first, elem, n))
    }
}

impl Loads for LoweringContext<'_, '_> {
    /// A load of 128 bits as a value of static shape; None if it is none.
    fn vector_load(&mut self, e: &TExpr) -> Option<Expr> {
        let TExprKind::Runtime { name, args, .. } = &e.kind else {
            return None;
        };
        let word = name.trim_start_matches('_');
        let (_, function) = load(word)?;
        let (_, a) = args.first()?;
        let (first, elem, n) = self.vector(a)?;
        self.need_header("device/cache_hints.hpp");
        let ty = ir::Type::Fixed {
            elem: Box::new(elem),
            dims: vec![FixedDim {
                lower: None,
                upper: Expr::int(n),
                lo: 1,
                hi: n,
            }],
        };
        Some(Expr::call(function, vec![first], ty))
    }
}
