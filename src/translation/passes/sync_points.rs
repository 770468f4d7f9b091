//! Statements in which threads wait for each other, or may by reading volatile data, keep their place in the source, for messages of
//! the cpu target; others do not need theirs.

use crate::ir::{Expr, ExprKind, Function, Proc, Stmt};

/// Takes their places from the statements of a function in which no thread waits.
pub fn keep_places(procedure: &mut Proc) {
    statements(&mut procedure.body);
}

fn statements(body: &mut [Stmt]) {
    for s in body {
        let mut found = false;
        s.own_exprs(&mut |e| found |= waits(e));
        if !found {
            s.at = None;
        }
        s.blocks_mut().into_iter().for_each(|b| statements(b));
    }
}

fn waits(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| match &x.kind {
        ExprKind::Call { callee, .. } => {
            found |= callee.is(Function::VolatileLoad) || callee.facts().is_some_and(|f| f.waits);
        }
        ExprKind::Method { name, .. } => found |= name.facts().waits,
        _ => {}
    });
    found
}
