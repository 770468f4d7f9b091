//! Which operation of a reduction (guide 2.11.3) a clause, an operator or an intrinsic function means.

use crate::ast::BinaryOp as B;
use crate::intrinsics::{self, Bits, Choice, Intrinsic};
use crate::ir::ReductionOp;

/// Operation of a REDUCE clause.
pub fn of_clause(op: &str) -> Option<ReductionOp> {
    Some(match op {
        "+" => ReductionOp::Add,
        "*" => ReductionOp::Mul,
        ".and." => ReductionOp::And,
        ".or." => ReductionOp::Or,
        ".eqv." => ReductionOp::Eqv,
        ".neqv." => ReductionOp::Neqv,
        name => {
            let (intrinsic, _) = intrinsics::find(name)?;
            return of_intrinsic(intrinsic).filter(|_| intrinsic.name() == name);
        }
    })
}

/// The operation of a reduction by an operator of the language.
pub fn of_operator(op: B) -> Option<ReductionOp> {
    Some(match op {
        B::Add => ReductionOp::Add,
        B::Mul => ReductionOp::Mul,
        B::And => ReductionOp::And,
        B::Or => ReductionOp::Or,
        B::Eqv => ReductionOp::Eqv,
        B::Neqv => ReductionOp::Neqv,
        _ => return None,
    })
}

/// The operation of a reduction by an intrinsic function.
pub fn of_intrinsic(i: Intrinsic) -> Option<ReductionOp> {
    Some(match i {
        Intrinsic::Choice(Choice::Max) => ReductionOp::Max,
        Intrinsic::Choice(Choice::Min) => ReductionOp::Min,
        Intrinsic::Bits(Bits::Iand) => ReductionOp::BitAnd,
        Intrinsic::Bits(Bits::Ior) => ReductionOp::BitOr,
        Intrinsic::Bits(Bits::Ieor) => ReductionOp::BitXor,
        _ => return None,
    })
}
