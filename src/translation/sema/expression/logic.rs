//! Integers as logical values and logical values as integers, which nvfortran takes (decisions 1012 to 1014): a logical value is an
//! integer of which the lowest bit counts, `.true.` has all bits, and logical operations of integers alone are those of their bits.

use crate::ast::{BinaryOp, UnaryOp};
use crate::intrinsics::{Bits, Choice, Intrinsic, Numeric};
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::{Constant, Type};

impl TExpr {
    /// An integer that is 0, 1 or -1: true to all compilers if it is not zero.
    pub fn is_flag(&self) -> bool {
        if let Some(v) = self.as_integer() {
            return v.abs() <= 1;
        }
        match &self.kind {
            TExprKind::Paren(x) => x.is_flag(),
            TExprKind::Unary { operand, .. } => operand.is_flag() && self.bits().is_none(),
            TExprKind::Binary { lhs, rhs, op } => {
                let keeps = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Neqv);
                (keeps || *op == BinaryOp::Mul) && lhs.is_flag() && rhs.is_flag()
            }
            TExprKind::Intrinsic { intrinsic, args } => {
                let is = |i: usize, n: i128| {
                    let arg = args.get(i).and_then(Option::as_ref);
                    arg.and_then(TExpr::as_integer) == Some(n)
                };
                let all = |n: usize| args.iter().take(n).flatten().all(TExpr::is_flag);
                match intrinsic {
                    Intrinsic::Numeric(Numeric::Mod | Numeric::Modulo) => is(1, 2) || is(1, -2),
                    Intrinsic::Bits(Bits::Iand | Bits::And) => is(0, 1) || is(1, 1) || all(2),
                    Intrinsic::Bits(Bits::Ior | Bits::Or | Bits::Ieor | Bits::Xor) => all(2),
                    Intrinsic::Bits(Bits::Ibits) => is(2, 1),
                    Intrinsic::Bits(Bits::Poppar) => true,
                    Intrinsic::Choice(Choice::Merge) => all(2),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The function of bits that a logical operation of integers alone is, with whether its result is inverted.
    pub fn bits(&self) -> Option<(Bits, bool)> {
        if !matches!(self.ty, Type::Integer(_)) {
            return None;
        }
        match &self.kind {
            TExprKind::Binary { op, .. } => Some(match op {
                BinaryOp::And => (Bits::Iand, false),
                BinaryOp::Or => (Bits::Ior, false),
                BinaryOp::Neqv => (Bits::Ieor, false),
                BinaryOp::Eqv => (Bits::Ieor, true),
                _ => return None,
            }),
            TExprKind::Unary {
                op: UnaryOp::Not, ..
            } => Some((Bits::Not, false)),
            _ => None,
        }
    }

    /// A logical operation of integers alone as the reference of a function of bits.
    pub fn as_function_of_bits(&self) -> Option<TExpr> {
        let (function, inverted) = self.bits()?;
        let args = match &self.kind {
            TExprKind::Binary { lhs, rhs, .. } => vec![(**lhs).clone(), (**rhs).clone()],
            TExprKind::Unary { operand, .. } => vec![(**operand).clone()],
            _ => return None,
        };
        let call = |function: Bits, args: Vec<TExpr>| TExpr {
            kind: TExprKind::Intrinsic {
                intrinsic: function.into(),
                args: args.into_iter().map(Some).collect(),
            },
            value: None,
            ..self.clone()
        };
        let result = call(function, args);
        Some(match inverted {
            true => call(Bits::Not, vec![result]),
            false => result,
        })
    }

    /// The value as it is assigned to a variable of a type: between integer and logical types nvfortran converts.
    pub fn assigned_to(self, ty: &Type) -> TExpr {
        if matches!(self.kind, TExprKind::Runtime { .. }) {
            return self;
        }
        let constant = |n: i128, kind: u8| TExpr {
            kind: TExprKind::Constant { symbol: None },
            ty: Type::Integer(kind),
            rank: 0,
            value: Some(Constant::Integer(n, kind)),
            span: self.span,
        };
        let (intrinsic, args): (Intrinsic, Vec<TExpr>) = match (&self.ty, ty) {
            (Type::Logical(_), Type::Integer(k)) => {
                let args = vec![constant(-1, *k), constant(0, *k), self.clone()];
                (Choice::Merge.into(), args)
            }
            (Type::Integer(_), Type::Logical(_)) => {
                (Bits::Btest.into(), vec![self.clone(), constant(0, 4)])
            }
            _ => return self,
        };
        TExpr {
            kind: TExprKind::Intrinsic {
                intrinsic,
                args: args.into_iter().map(Some).collect(),
            },
            ty: ty.clone(),
            rank: self.rank,
            value: None,
            span: self.span,
        }
    }
}
