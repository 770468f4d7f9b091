//! Scalar values for a purpose: of a type, as a subscript, as a place to assign to.

use super::convert::{convert, real_literal, subscript, to_bool, wrap};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::LoopIndex;
use crate::sema::boz_as;
use crate::sema::expression::dependence::calls;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl LoweringContext<'_, '_> {
    /// Value of a scalar expression.
    pub fn value(&mut self, e: &TExpr) -> Expr {
        self.val(e, &[])
    }

    /// Value converted to a type.
    pub fn value_as(&mut self, e: &TExpr, ty: &ir::Type) -> Expr {
        let v = if e.ty == model::Type::Boz {
            self.boz(e, ty)
        } else {
            self.value(e)
        };
        convert(v, ty)
    }

    /// A BOZ constant takes the kind of its context: a bit pattern for a real.
    pub fn boz(&mut self, e: &TExpr, ty: &ir::Type) -> Expr {
        let Some(bits) = e.as_integer() else {
            return self.value(e);
        };
        match ty.plain() {
            ir::Type::Int(k) => Expr::int_of(wrap(bits, *k), *k),
            ir::Type::Real(k @ (4 | 8)) => match boz_as(bits, &model::Type::Real(*k)) {
                Some(Constant::Real(v, k)) => real_literal(v, k),
                _ => self.value(e),
            },
            _ => Expr::int_of(wrap(bits, 4), 4),
        }
    }

    /// A plain int value: a subscript, a bound, a count.
    pub fn index_value(&mut self, e: &TExpr) -> Expr {
        if let Some(v) = self.frozen.scalars.get(&(e.span.start, e.span.end)) {
            return v.clone();
        }
        let v = self.value(e);
        subscript(v)
    }

    /// A subscript of a section or of what a section is part of, which loops over its elements need several times.
    pub fn section_index(&mut self, e: &TExpr) -> Expr {
        let volatile = |x: &TExpr| x.is_designator() && self.is_volatile(x);
        if !(calls(e) || e.any(&mut |x| volatile(x)))
            || self
                .frozen
                .scalars
                .contains_key(&(e.span.start, e.span.end))
        {
            return self.index_value(e);
        }
        if let Some(v) = self.held_scalar(e) {
            return v;
        }
        let v = self.index_value(e);
        self.hold(e, v)
    }

    /// A scalar designator as something to assign to or take the address of.
    pub fn place(&mut self, e: &TExpr) -> Expr {
        self.place_at(e, &[])
    }

    /// The same of an element at a position, and of what a longer designator goes on from.
    pub fn place_at(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Expr {
        self.val(e, ix).into_place()
    }

    /// A condition.
    pub fn condition(&mut self, e: &TExpr) -> Expr {
        self.sequence([e]);
        let v = self.value(e);
        to_bool(v)
    }
}
