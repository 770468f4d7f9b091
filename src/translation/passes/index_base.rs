//! The first place of a kernel where the number of a thread or block is counted from 1, as Fortran does, says so: CUDA C++ counts
//! from 0, and a reader meets the `+ 1` without having written it.

use crate::ir::{BinaryOp, Builtin, Expr, ExprKind, Proc, ProcKind, Stmt, StmtKind};

const REMARK: &str = " from 1";

/// Puts the remark behind the first statement of a kernel with such a number that has no remark of the user's.
pub fn remark(procedure: &mut Proc) {
    if matches!(procedure.kind, ProcKind::Kernel { .. }) {
        first(&mut procedure.body);
    }
}

/// Whether it was put.
fn first(body: &mut [Stmt]) -> bool {
    body.iter_mut().any(|s| {
        let mut found = false;
        let mut look = |e: &Expr| found |= counts_from_one(e);
        match &s.kind {
            // The remark stands behind the first line.
            StmtKind::If { branches, .. } => branches.iter().take(1).for_each(|(c, _)| look(c)),
            _ => s.own_exprs(&mut look),
        }
        if found && s.notes.trailing.is_none() {
            s.notes.trailing = Some(REMARK.to_owned());
            return true;
        }
        s.blocks_mut().into_iter().any(|b| first(b))
    })
}

/// A value in it is such a number: not one of which something else is computed.
fn counts_from_one(e: &Expr) -> bool {
    if is_from_one(e) {
        return true;
    }
    let mut found = false;
    let computes = is_ring(e) || matches!(e.kind, ExprKind::Unary { .. });
    e.operands(&mut |x| {
        found |= match computes {
            true => subscripts_count(x),
            false => counts_from_one(x),
        }
    });
    found
}

/// The same of the subscripts in a sum or product.
fn subscripts_count(e: &Expr) -> bool {
    let mut found = false;
    match &e.kind {
        ExprKind::Element { subs, .. } => found = subs.iter().any(counts_from_one),
        _ => e.operands(&mut |x| found |= subscripts_count(x)),
    }
    found
}

fn is_ring(e: &Expr) -> bool {
    use BinaryOp::{Add, Mul, Sub};
    matches!(
        e.kind,
        ExprKind::Binary {
            op: Add | Sub | Mul,
            ..
        }
    )
}

/// `... + 1` of CUDA's number: 1 for the first thread.
fn is_from_one(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary {
            op: BinaryOp::Add,
            lhs,
            rhs,
        } => rhs.as_int() == Some(1) && is_from_zero(lhs),
        _ => false,
    }
}

/// A sum of numbers of threads and blocks and products with them.
fn is_from_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Builtin(b, _) => matches!(b, Builtin::ThreadIdx | Builtin::BlockIdx),
        ExprKind::Binary { op, lhs, rhs } => match op {
            BinaryOp::Add => is_from_zero(lhs) && is_from_zero(rhs),
            BinaryOp::Mul => is_from_zero(lhs) || is_from_zero(rhs),
            _ => false,
        },
        ExprKind::Convert(inner) => is_from_zero(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Axis, Type};

    #[test]
    fn what_is_computed_of_a_number_is_none() {
        let bin = |op, a, b| Expr::binary(op, a, b, Type::Uint);
        let index = || Expr::new(ExprKind::Builtin(Builtin::ThreadIdx, Axis::X), Type::Uint);
        let number = || bin(BinaryOp::Add, index(), Expr::int(1));
        let name = |n: &str| Expr::name(n, Type::Int(4));
        let element = |e| {
            let (base, subs) = (Box::new(name("a")), vec![e]);
            Expr::new(ExprKind::Element { base, subs }, Type::Int(4))
        };
        assert!(counts_from_one(&number()));
        assert!(counts_from_one(&bin(BinaryOp::Lt, number(), name("n"))));
        assert!(counts_from_one(&bin(
            BinaryOp::Mul,
            element(number()),
            name("n")
        )));
        assert!(!counts_from_one(&bin(
            BinaryOp::Mul,
            Expr::int(2),
            number()
        )));
        let beyond = bin(BinaryOp::Add, index(), name("first"));
        assert!(!counts_from_one(&bin(BinaryOp::Add, beyond, Expr::int(1))));
    }
}
