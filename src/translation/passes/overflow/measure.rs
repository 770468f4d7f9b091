//! Sizes of expressions.

use super::arithmetic::integer;
use super::rewrite::Walker;
use super::size::Size;
use crate::ir::function::Range;
use crate::ir::*;

/// Steps of a counter: so small that it would have to count for a long time to overflow.
const STEP: i128 = 1024;

impl Walker<'_> {
    /// The size of a counter, which is advanced by `counter = counter + step`.
    pub(super) fn stepped(&mut self, lhs: &Expr, rhs: &Expr) -> Option<Size> {
        let inner = match &rhs.kind {
            ExprKind::Convert(i) if integer(&i.ty).is_some() => i,
            _ => rhs,
        };
        let ExprKind::Binary { op, lhs: a, rhs: b } = &inner.kind else {
            return None;
        };
        let step = match op {
            BinaryOp::Add if **b == *lhs => a,
            BinaryOp::Add | BinaryOp::Sub if **a == *lhs => b,
            _ => return None,
        };
        let size = self.size(step);
        let n = self.place(lhs)?;
        let position = matches!(size, Size::Range(..) | Size::Position(_))
            && (self.graph.is_position(n) || inner.ty == Type::Uint);
        (size.within(STEP) || position).then_some(Size::Position(1))
    }

    /// What is known of the expression's value.
    pub(super) fn size(&mut self, e: &Expr) -> Size {
        let Some((bytes, _)) = integer(&e.ty) else {
            return Size::Data;
        };
        let size = self.size_of(e, bytes);
        match size {
            // Whatever it is, the short kinds end here.
            Size::Data | Size::Any | Size::Product | Size::Position(_) if bytes < 4 => {
                Size::full(bytes)
            }
            s => s,
        }
    }

    fn size_of(&mut self, e: &Expr, bytes: u8) -> Size {
        match &e.kind {
            ExprKind::Int(v) => Size::Range(*v, *v),
            ExprKind::Name(i) => {
                let n = self.named(i);
                self.graph.size(n)
            }
            // A count of elements or turns, which stays within that of the array.
            ExprKind::Increment(inner) => self.size(inner),
            ExprKind::Builtin(Builtin::ThreadIdx, _) => Size::Range(0, 1023),
            ExprKind::Builtin(Builtin::BlockDim, _) => Size::Range(1, 1024),
            ExprKind::Builtin(_, Axis::X) => Size::Position(1),
            ExprKind::Builtin(..) => Size::Range(0, 65535),
            ExprKind::WarpSize => Size::Range(32, 32),
            ExprKind::Unary {
                op: UnaryOp::Neg,
                operand,
            } => self.size(operand).negated(bytes.max(4)),
            ExprKind::Binary { op, lhs, rhs } => self.size_of_binary(*op, lhs, rhs, &e.ty, bytes),
            ExprKind::Convert(inner) => match integer(&inner.ty) {
                Some((from, _)) => self.size(inner).converted(from, bytes),
                None if inner.ty.is_logical() => Size::Range(0, 1),
                None => Size::Data,
            },
            ExprKind::Conditional {
                then, otherwise, ..
            } => {
                let then = self.size(then);
                then.join(self.size(otherwise))
            }
            ExprKind::Field { base, .. } => group_member(&base.ty),
            ExprKind::Method { name, .. } => self.size_of_result(name.facts().range, &[]),
            ExprKind::Call { callee, args, .. } => {
                let range = callee.facts().map_or(Range::Any, |f| f.range);
                self.size_of_result(range, args)
            }
            _ => Size::Data,
        }
    }

    /// What the table says of the result of a function.
    fn size_of_result(&mut self, range: Range, args: &[Expr]) -> Size {
        match (range, args) {
            (Range::Between(lo, hi), _) => Size::Range(lo, hi),
            (Range::Position, _) => Size::Position(1),
            (Range::Remainder, [a, p]) => {
                let a = self.size(a);
                match a.remainder(self.size(p)) {
                    // modulo has the sign of p
                    Size::Range(lo, hi) => Size::Range(lo.min(-hi), hi.max(-lo)),
                    s => s,
                }
            }
            (Range::OneOf, args) => {
                let join = |s: Size, a: &Expr| s.join(self.size(a));
                args.iter().fold(Size::None, join)
            }
            (Range::Any | Range::Remainder, _) => Size::Data,
        }
    }

    fn size_of_binary(
        &mut self,
        op: BinaryOp,
        lhs: &Expr,
        rhs: &Expr,
        ty: &Type,
        bytes: u8,
    ) -> Size {
        let (a, b) = (self.size(lhs), self.size(rhs));
        // The operations of the short kinds are done in int.
        let bytes = bytes.max(4);
        match op {
            BinaryOp::Add => a.plus(b, bytes),
            BinaryOp::Sub => a.minus(b, bytes),
            // blockIdx.x * blockDim.x, gridDim.x * blockIdx.y: the number of a thread or block
            BinaryOp::Mul
                if *ty == Type::Uint
                    && (a.within(STEP)
                        || b.within(STEP)
                        || coordinates(lhs) && coordinates(rhs)) =>
            {
                match a.times(b, bytes) {
                    Size::Product | Size::Range(..) => Size::Position(1),
                    s => s,
                }
            }
            BinaryOp::Mul => a.times(b, bytes),
            BinaryOp::Div => a.over(b, bytes),
            BinaryOp::Rem => a.remainder(b),
            BinaryOp::BitAnd => match (a, b) {
                (_, Size::Range(lo, hi)) | (Size::Range(lo, hi), _) if lo >= 0 => {
                    Size::Range(0, hi)
                }
                _ => Size::Data,
            },
            _ => Size::Data,
        }
    }
}

/// Built-in variables alone.
fn coordinates(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Builtin(..) => true,
        ExprKind::Binary { lhs, rhs, .. } => coordinates(lhs) && coordinates(rhs),
        _ => false,
    }
}

/// What the members of cooperative groups, `rank` and `size`, count: threads, or the blocks of a cluster.
fn group_member(group: &Type) -> Size {
    match group.plain() {
        Type::Class(Class::Group(g)) => match g {
            Group::Threads | Group::Coalesced | Group::Cluster => Size::Range(1, 1024),
            Group::Grid => Size::Position(1),
        },
        _ => Size::Data,
    }
}
