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
        let mut look = |e: &Expr| e.walk(&mut |e| found |= is_from_one(e));
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

/// `... + 1` of CUDA's number.
fn is_from_one(e: &Expr) -> bool {
    let ExprKind::Binary {
        op: BinaryOp::Add,
        lhs,
        rhs,
    } = &e.kind
    else {
        return false;
    };
    let mut number = false;
    lhs.walk(&mut |e| {
        number |= matches!(
            e.kind,
            ExprKind::Builtin(Builtin::ThreadIdx | Builtin::BlockIdx, _)
        );
    });
    number && rhs.as_int() == Some(1)
}
