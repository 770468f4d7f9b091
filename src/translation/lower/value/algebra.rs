//! Expressions of small arrays of constant shape, which C++ has as values: `oc = r.origin - s.center`, `cuf::dot_product(a, b)`.
//!
//! The runtime's operators and functions do to the elements, in the same order, what loops would; a value is complete before it is stored, so
//! nothing has to be known of what it shares with its target.

use super::convert::convert;
use crate::ast;
use crate::intrinsics::{Intrinsic, Product, Reduction, Shape};
use crate::ir::{self, *};
use crate::lower::context::rules::{Arrays, Designators, Expressions, References};
use crate::lower::context::state::Args;
use crate::lower::context::{KnownBounds, LoweringContext};
use crate::sema::expression::dependence::calls;
use crate::sema::expression::typed::*;
use crate::sema::model;

/// Larger arrays are not for registers.
const MOST_ELEMENTS: i64 = 16;

/// Elements and dimensions of a small array.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallArray {
    elem: ir::Type,
    pub dims: Vec<FixedDim>,
}

impl SmallArray {
    /// None: it is no small array.
    pub fn of(ty: &ir::Type) -> Option<SmallArray> {
        let ir::Type::Fixed { elem, dims } = ty.plain() else {
            return None;
        };
        let count: i64 = dims.iter().map(FixedDim::extent).product();
        let elem = elem.plain().clone();
        let real = matches!(elem, ir::Type::Real(4 | 8));
        (real && (1..=MOST_ELEMENTS).contains(&count)).then(|| SmallArray {
            elem,
            dims: dims.clone(),
        })
    }

    fn from_one(elem: ir::Type, extents: &[i64]) -> SmallArray {
        let dims = extents.iter().map(|n| FixedDim {
            lower: None,
            upper: Expr::int(*n),
            lo: 1,
            hi: *n,
        });
        SmallArray {
            elem,
            dims: dims.collect(),
        }
    }

    fn extents(&self) -> Vec<i64> {
        self.dims.iter().map(FixedDim::extent).collect()
    }

    pub fn bounds(&self) -> KnownBounds {
        let bounds = self.dims.iter();
        let bounds = bounds.map(|d| (Some(Expr::int(d.lo)), Some(Expr::int(d.hi))));
        bounds.collect()
    }

    fn ty(&self) -> ir::Type {
        ir::Type::Fixed {
            elem: Box::new(self.elem.clone()),
            dims: self.dims.clone(),
        }
    }

    /// A value of the one is one of the other, perhaps under other bounds.
    pub fn fits(&self, other: &SmallArray) -> bool {
        self.elem == other.elem && self.extents() == other.extents()
    }
}

impl LoweringContext<'_, '_> {
    /// The shape of an array expression that [`LoweringContext::small_value`] can give; None if it has operands other than small arrays.
    pub fn small(&mut self, e: &TExpr) -> Option<SmallArray> {
        let list = matches!(e.kind, TExprKind::ArrayConstructor { .. });
        let folded = e.value.is_some() && !e.is_designator() && !list;
        // What stands in FORALL, and operations on device arrays of the host, are for one element.
        let element = !self.substitutions.is_empty() || self.operands.is_some();
        if e.rank <= 0 || folded || element || self.is_volatile(e) {
            return None;
        }
        let found = match &e.kind {
            TExprKind::Paren(inner) => self.small(inner),
            TExprKind::Unary {
                op: ast::UnaryOp::Minus,
                operand,
            } => self.small(operand),
            TExprKind::Binary { op, lhs, rhs } => {
                operator(*op)?;
                match (lhs.rank > 0, rhs.rank > 0) {
                    (true, true) => {
                        let (a, b) = (self.small(lhs)?, self.small(rhs)?);
                        a.fits(&b).then_some(a)
                    }
                    (true, false) => self.small(lhs),
                    (false, _) => self.small(rhs),
                }
            }
            TExprKind::Call { procedure, .. } => {
                let elemental = self.model().procedure(*procedure)?.elemental;
                (!elemental).then(|| self.result_of(e, *procedure))?
            }
            TExprKind::Intrinsic { intrinsic, args } => self.small_intrinsic(*intrinsic, args),
            TExprKind::ArrayConstructor { items } => {
                // What calls change and wait for has its order.
                let scalar = |i: &TExpr| {
                    i.rank <= 0 && !matches!(i.kind, TExprKind::ImpliedDo { .. }) && !calls(i)
                };
                let elem = self.storage_type(&e.ty)?;
                let list = SmallArray::from_one(elem, &[items.len() as i64]);
                items
                    .iter()
                    .all(scalar)
                    .then(|| SmallArray::of(&list.ty()))?
            }
            _ => self.small_designator(e),
        }?;
        // An operation on two kinds converts elements.
        let elem = self.value_type(&e.ty)?;
        (elem == found.elem).then_some(found)
    }

    /// A whole array, or component of a scalar.
    fn small_designator(&mut self, e: &TExpr) -> Option<SmallArray> {
        SmallArray::of(&self.small_place(e)?.ty)
    }

    /// The array that a designator means as a whole: `a`, `x%a`, or `a(:)` and `a(1:3)` where that is all of it.
    pub fn small_place(&mut self, e: &TExpr) -> Option<Expr> {
        match &e.kind {
            TExprKind::Index { base, subs } => {
                let place = self.small_place(base)?;
                SmallArray::of(&place.ty)?;
                let entity = self.array_place(base, &[]);
                self.spans_all(&entity, subs).then_some(place)
            }
            TExprKind::Component { base, .. }
                if base.rank > 0 || self.submatrix_of(base).is_some() =>
            {
                None
            }
            TExprKind::Variable(_)
            | TExprKind::Constant { symbol: Some(_) }
            | TExprKind::Component { .. } => (!calls(e)).then(|| self.array_place(e, &[]).expr),
            _ => None,
        }
    }

    fn result_of(&mut self, e: &TExpr, procedure: model::SymbolId) -> Option<SmallArray> {
        let (ty, _) = self.array_result(e, procedure);
        SmallArray::of(&ty)
    }

    fn small_intrinsic(&mut self, i: Intrinsic, args: Args<'_>) -> Option<SmallArray> {
        let mut shapes = Vec::new();
        for a in args.iter().flatten() {
            shapes.push(self.small(a)?);
        }
        match (i, &shapes[..]) {
            (Intrinsic::Shape(Shape::Transpose), [a]) => match a.extents()[..] {
                [m, n] => Some(SmallArray::from_one(a.elem.clone(), &[n, m])),
                _ => None,
            },
            (Intrinsic::Product(Product::Matmul), [a, b]) if a.elem == b.elem => {
                let (m, n) = (a.extents(), b.extents());
                let extents = match (&m[..], &n[..]) {
                    ([m, k], [l, n]) if k == l => vec![*m, *n],
                    ([m, k], [l]) if k == l => vec![*m],
                    ([k], [l, n]) if k == l => vec![*n],
                    _ => return None,
                };
                let count: i64 = extents.iter().product();
                (count <= MOST_ELEMENTS).then(|| SmallArray::from_one(a.elem.clone(), &extents))
            }
            _ => None,
        }
    }

    /// The value of an array expression that is [`LoweringContext::small`].
    pub fn small_value(&mut self, e: &TExpr, small: &SmallArray) -> Expr {
        let ty = small.ty();
        match &e.kind {
            TExprKind::Paren(inner) => self.small_value(inner, small),
            TExprKind::Unary { operand, .. } => {
                let v = self.small_value(operand, small);
                Expr::new(
                    ExprKind::Unary {
                        op: ir::UnaryOp::Neg,
                        operand: Box::new(v),
                    },
                    ty,
                )
            }
            TExprKind::Binary { op, lhs, rhs } => {
                let [l, r] = [lhs, rhs].map(|x| self.small_operand(x, small));
                let op = operator(*op).unwrap_or(BinaryOp::Add);
                Expr::binary(op, l, r, ty)
            }
            TExprKind::Call { .. }
                if self.hoisted.holding(e.span).is_none() && !self.calls_with_effect(e) =>
            {
                self.array_call(e, ty)
            }
            TExprKind::Intrinsic { intrinsic, args } => {
                let args = args.iter().flatten().collect::<Vec<_>>();
                let args = args.into_iter().map(|a| self.small_argument(a));
                Expr::call(*intrinsic, args.collect(), ty)
            }
            TExprKind::Call { .. } => self.materialise(e).expr,
            TExprKind::ArrayConstructor { items } => {
                let values = items.iter().map(|i| self.value_as(i, &small.elem));
                let list = Expr::new(ExprKind::List(values.collect()), ir::Type::Auto);
                Expr::new(ExprKind::Construct(vec![list]), ty)
            }
            _ => match self.small_place(e) {
                Some(place) => place,
                None => self.materialise(e).expr,
            },
        }
    }

    fn small_argument(&mut self, a: &TExpr) -> Expr {
        match self.small(a) {
            Some(small) => self.small_value(a, &small),
            None => self.materialise(a).expr,
        }
    }

    fn small_operand(&mut self, x: &TExpr, small: &SmallArray) -> Expr {
        if x.rank > 0 {
            return self.small_argument(x);
        }
        let v = self.val(x, &[]);
        convert(v, &small.elem)
    }

    /// The scalar that an intrinsic function makes of small arrays.
    pub fn small_reduction(&mut self, e: &TExpr, i: Intrinsic, args: Args<'_>) -> Option<Expr> {
        let known = matches!(
            i,
            Intrinsic::Product(Product::DotProduct)
                | Intrinsic::Reduction(
                    Reduction::Sum
                        | Reduction::Product
                        | Reduction::Maxval
                        | Reduction::Minval
                        | Reduction::Norm2
                )
        );
        if !known || e.rank > 0 {
            return None;
        }
        let ty = self.value_type(&e.ty)?;
        let mut shapes = Vec::new();
        for a in args.iter().flatten() {
            let small = self.small(a)?;
            if small.elem != ty {
                return None;
            }
            shapes.push(small);
        }
        if let [a, b] = &shapes[..]
            && !a.fits(b)
        {
            return None;
        }
        let args = args.iter().flatten().zip(&shapes);
        let args = args.map(|(a, small)| self.small_value(a, small));
        let args = args.collect();
        Some(Expr::call(i, args, ty))
    }
}

fn operator(op: ast::BinaryOp) -> Option<BinaryOp> {
    match op {
        ast::BinaryOp::Add => Some(BinaryOp::Add),
        ast::BinaryOp::Sub => Some(BinaryOp::Sub),
        ast::BinaryOp::Mul => Some(BinaryOp::Mul),
        ast::BinaryOp::Div => Some(BinaryOp::Div),
        _ => None,
    }
}
