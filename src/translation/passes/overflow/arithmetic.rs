//! What is arithmetic of integers.

use crate::ir::{BinaryOp, Expr, ExprKind, Type, UnaryOp};

/// Bytes of an integer, and whether C++ computes it signed.
pub fn integer(ty: &Type) -> Option<(u8, bool)> {
    match ty.plain() {
        Type::Int(k) => Some((*k, true)),
        Type::Uint => Some((4, false)),
        Type::Ulong => Some((8, false)),
        _ => None,
    }
}

pub fn is_ring(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
}

/// A sum, difference, product or negation of integers: its low bits depend on the low bits of the operands only.
pub fn ring(e: &Expr) -> bool {
    integer(&e.ty).is_some()
        && match &e.kind {
            ExprKind::Binary { op, .. } => is_ring(*op),
            ExprKind::Unary { op, .. } => *op == UnaryOp::Neg,
            _ => false,
        }
}
