//! Actual arguments of intrinsic references as values, and which references are computed by statements before their own.

use super::super::context::LoweringContext;
use crate::intrinsics::{Dummy, Inquiry, Intrinsic, Shape};
use crate::ir::{self, *};
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::value::convert::{conversion, convert, non_negative};
use crate::sema::expression::typed::*;
use crate::sema::model;

impl LoweringContext<'_, '_> {
    pub fn arg(&mut self, args: Args<'_>, i: usize, ix: &[LoopIndex]) -> Expr {
        match args.get(i) {
            Some(Some(a)) => {
                let v = self.val(a, ix);
                if v.ty == ir::Type::Uint {
                    conversion(v, &ir::Type::Int(4))
                } else {
                    v
                }
            }
            _ => Expr::int(0),
        }
    }

    pub fn arg_as(&mut self, args: Args<'_>, i: usize, ty: &ir::Type, ix: &[LoopIndex]) -> Expr {
        match args.get(i) {
            Some(Some(a)) if a.ty == model::Type::Boz => self.boz(a, ty),
            _ => {
                let v = self.arg(args, i, ix);
                convert(v, ty)
            }
        }
    }

    /// An int and a constant that is not negative: unsigned where built-in variables make the int so and it is not negative.
    pub fn with_constant(&mut self, op: BinaryOp, a: &TExpr, b: &TExpr, ix: &[LoopIndex]) -> Expr {
        let v = self.val(a, ix);
        if v.ty == ir::Type::Uint
            && non_negative(&v)
            && let Some(constant) = b.as_integer()
        {
            let constant = Expr::new(ExprKind::Int(constant), ir::Type::Uint);
            return Expr::binary(op, v, constant, ir::Type::Uint);
        }
        let int = ir::Type::Int(4);
        let b = match b.ty {
            model::Type::Boz => self.boz(b, &int),
            _ => self.value_as(b, &int),
        };
        Expr::binary(op, convert(v, &int), b, int)
    }

    /// DIM and MASK, if it is no reduction of a MASK: a logical in the place of DIM is the mask.
    pub fn dim_and_mask<'t>(
        &self,
        i: impl Into<Intrinsic>,
        args: Args<'t>,
    ) -> (Option<&'t TExpr>, Option<&'t TExpr>) {
        let i = i.into();
        let dim = i.argument(Dummy::Dim, args);
        let masked = i.position(Dummy::Mask).is_some_and(|n| n > 0);
        match dim {
            _ if !masked => (dim, None),
            Some(m) if matches!(m.ty, model::Type::Logical(_)) => (None, Some(m)),
            _ => (dim, i.argument(Dummy::Mask, args)),
        }
    }

    pub fn scalar_variable(&mut self, ty: &ir::Type, init: Expr) -> Expr {
        let name = self.numbered("t");
        self.before(ir::Stmt::declare(ty.clone(), &name, Init::Value(init)));
        Expr::name(&name, ty.clone())
    }
}

/// The value of the intrinsic reference is computed by statements before the one it stands in.
pub fn is_hoisted(e: &TExpr) -> bool {
    let TExprKind::Intrinsic { intrinsic, args } = &e.kind else {
        return false;
    };
    match intrinsic {
        Intrinsic::Reduction(_)
        | Intrinsic::Location(_)
        | Intrinsic::Product(_)
        | Intrinsic::Shift(_)
        | Intrinsic::Shape(Shape::Pack | Shape::Reshape | Shape::Unpack)
        | Intrinsic::Inquiry(Inquiry::Shape) => true,
        Intrinsic::Shape(Shape::Transfer) => {
            e.rank > 0 || matches!(args.first(), Some(Some(a)) if a.rank > 0)
        }
        Intrinsic::Shape(Shape::Spread | Shape::Transpose)
        | Intrinsic::Numeric(_)
        | Intrinsic::Choice(_)
        | Intrinsic::Conversion(_)
        | Intrinsic::Bits(_)
        | Intrinsic::Text(_)
        | Intrinsic::Inquiry(_)
        | Intrinsic::Kinds(_)
        | Intrinsic::Subroutine(_)
        | Intrinsic::System(_) => false,
    }
}
