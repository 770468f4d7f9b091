//! Whether two expressions are one object.

use super::{Expr, ExprKind};

impl Expr {
    /// Both are the same object, and no call decides which one that is.
    pub fn is_same_place(&self, other: &Expr) -> bool {
        let all = |a: &[Expr], b: &[Expr]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same_place(b))
        };
        match (&self.kind, &other.kind) {
            (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
            (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
            (ExprKind::Builtin(a, x), ExprKind::Builtin(b, y)) => a == b && x == y,
            (ExprKind::WarpSize, ExprKind::WarpSize) => true,
            (ExprKind::Element { base, subs }, ExprKind::Element { base: b, subs: s }) => {
                base.is_same_place(b) && all(subs, s)
            }
            (ExprKind::Field { base, name }, ExprKind::Field { base: b, name: n }) => {
                name == n && base.is_same_place(b)
            }
            (ExprKind::Unary { op, operand }, ExprKind::Unary { op: o, operand: b }) => {
                op == o && operand.is_same_place(b)
            }
            (
                ExprKind::Binary { op, lhs, rhs },
                ExprKind::Binary {
                    op: o,
                    lhs: l,
                    rhs: r,
                },
            ) => op == o && lhs.is_same_place(l) && rhs.is_same_place(r),
            (ExprKind::Convert(a), ExprKind::Convert(b)) => {
                self.ty == other.ty && a.is_same_place(b)
            }
            _ => false,
        }
    }
}
