//! Where programs may rely on wrapping, although Fortran forbids overflow: arithmetic with bits and what goes from or to it.
//!
//! The marks are: shifts and operations on bits, large constants, what is multiplied again and again (`x = a*x + b`), remainders of
//! products, clocks and the bits of reals, and tests for overflow (`k + 5 < k`, `k*c < 0`). All else counts, bounds and subscripts
//! above all, is plain arithmetic.

use super::arithmetic::{integer, is_ring, ring};
use super::graph::Use;
use super::size::Size;
use crate::intrinsics::{Bits, Intrinsic, Numeric, Shape};
use crate::ir::function::Range;
use crate::ir::*;

/// Constants from here on are no extents or strides that someone wrote.
const LARGE: i128 = 1 << 15;

/// The value of a named constant, or what is known of it, is such a constant.
pub fn is_large(value: &Expr, size: Size) -> bool {
    match (&value.kind, size) {
        (ExprKind::Bits(_), _) => true,
        (ExprKind::Convert(inner), _) if matches!(inner.kind, ExprKind::Bits(_)) => true,
        (_, Size::Range(lo, hi)) => lo == hi && lo.abs() >= LARGE,
        _ => false,
    }
}

/// How the operands of a relation, quotient or remainder are used.
pub fn operands_used(op: BinaryOp, lhs: &Expr, rhs: &Expr) -> Use {
    use BinaryOp::*;
    let test = match op {
        Shl | Shr => true,
        Rem => multiplies(lhs),
        Lt | Le | Gt | Ge => {
            let of_sign =
                |sum: &Expr, other: &Expr| adds(sum) && other.as_int().is_some_and(|v| v <= 0);
            of_sign(lhs, rhs) || of_sign(rhs, lhs) || of_itself(lhs, rhs) || of_itself(rhs, lhs)
        }
        _ => false,
    };
    if test { Use::Bits } else { Use::Exact }
}

/// How an operand of an operation on bits is used beside another one. The low bits of a sum of counts tell even from odd numbers.
pub fn bits_used(op: BinaryOp, e: &Expr, other: &Expr) -> Use {
    let small = other.as_int().is_some_and(|v| (0..LARGE).contains(&v));
    let counts = !ring(e) || op == BinaryOp::BitAnd && !multiplies(e);
    if small && counts {
        Use::Exact
    } else {
        Use::Bits
    }
}

/// How the arguments of a procedure that is not the user's are used.
pub fn arguments_used(callee: &Callee, args: &[Expr]) -> Use {
    let hashes = match callee {
        Callee::Intrinsic(Intrinsic::Bits(b)) => !counts(*b),
        Callee::Intrinsic(Intrinsic::Numeric(Numeric::Abs)) => args.iter().any(multiplies),
        _ => {
            callee.facts().is_some_and(|f| f.range == Range::Remainder)
                && args.first().is_some_and(multiplies)
        }
    };
    if hashes { Use::Bits } else { Use::Exact }
}

/// Counts bits or tests one.
fn counts(b: Bits) -> bool {
    use Bits::*;
    matches!(b, Leadz | Popcnt | Poppar | Trailz | Btest)
}

/// The result has bits that are no count of anything.
fn made_of_bits(callee: &Callee) -> bool {
    match callee {
        Callee::Intrinsic(Intrinsic::Bits(b)) => !counts(*b),
        Callee::Function(f) => matches!(
            f,
            Function::Clock | Function::Clock64 | Function::GlobalTimer | Function::Curand
        ),
        Callee::Intrinsic(Intrinsic::Shape(Shape::Transfer)) => true,
        _ => false,
    }
}

/// What a sum or product is made of.
#[derive(Default)]
pub struct Leaves<'e> {
    /// The places, and whether they are factors.
    pub places: Vec<(&'e Expr, bool)>,
    /// Something in it is bits.
    pub evident: bool,
}

/// What the sum or product is made of.
pub fn leaves(e: &Expr) -> Leaves<'_> {
    let mut out = Leaves::default();
    out.collect(e, false);
    out
}

impl<'e> Leaves<'e> {
    fn collect(&mut self, e: &'e Expr, factor: bool) {
        match &e.kind {
            ExprKind::Int(v) => self.evident |= v.abs() >= LARGE,
            ExprKind::Bits(_) => self.evident = true,
            ExprKind::Binary { op, lhs, rhs } => {
                use BinaryOp::*;
                self.evident |= matches!(op, BitOr | BitXor | Shl | Shr);
                if is_ring(*op) || matches!(op, BitAnd | BitOr | BitXor | Shl | Shr) {
                    let factor = factor || *op == Mul;
                    self.collect(lhs, factor);
                    self.collect(rhs, factor);
                }
            }
            ExprKind::Unary { operand, .. } => self.collect(operand, factor),
            ExprKind::Convert(inner) if integer(&inner.ty).is_some() => self.collect(inner, factor),
            ExprKind::Conditional {
                then, otherwise, ..
            } => {
                self.collect(then, factor);
                self.collect(otherwise, factor);
            }
            ExprKind::Call { callee, .. } => self.evident |= made_of_bits(callee),
            ExprKind::Name(_) | ExprKind::Element { .. } | ExprKind::Field { .. } => {
                self.places.push((e, factor));
            }
            _ => {}
        }
    }
}

/// A sum or product.
fn adds(e: &Expr) -> bool {
    has(e, &|op| matches!(op, BinaryOp::Add | BinaryOp::Mul))
}

fn multiplies(e: &Expr) -> bool {
    has(e, &|op| op == BinaryOp::Mul)
}

/// Such an operation, on the way down through sums and products.
fn has(e: &Expr, wanted: &dyn Fn(BinaryOp) -> bool) -> bool {
    match &e.kind {
        ExprKind::Binary { op, lhs, rhs } if is_ring(*op) => {
            wanted(*op) || has(lhs, wanted) || has(rhs, wanted)
        }
        ExprKind::Unary { operand, .. } => has(operand, wanted),
        ExprKind::Convert(inner) => has(inner, wanted),
        _ => false,
    }
}

/// A sum is compared with one of its own terms.
fn of_itself(sum: &Expr, other: &Expr) -> bool {
    if !ring(sum) {
        return false;
    }
    let (mine, others) = (leaves(sum), leaves(other));
    mine.places
        .iter()
        .any(|(a, _)| others.places.iter().any(|(b, _)| a == b))
}
