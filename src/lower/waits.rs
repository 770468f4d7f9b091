//! Statements in which threads wait for each other: they keep their place in the source, for messages of the cpu target.

use crate::ir::{Expr, ExprKind, Namespaces, Stmt};

/// Gives the statements, and those inside, that wait and have no place yet the place `at`.
pub fn mark(body: &mut [Stmt], at: u32) {
    for s in body {
        let mut found = false;
        s.own_exprs(&mut |e| found |= waits(e));
        if found && s.at.is_none() {
            s.at = Some(at);
        }
        for block in s.blocks_mut() {
            mark(block, at);
        }
    }
}

fn waits(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| match &x.kind {
        ExprKind::Call { callee, .. } => {
            let name = callee.name.as_str();
            found |= match callee.space {
                Namespaces::Local => {
                    name.starts_with("__sync") || name.starts_with("nvcuda::wmma::")
                }
                Namespaces::Cuf => {
                    name.starts_with("shfl")
                        || name.ends_with("_sync")
                        || matches!(name, "ballot" | "allthreads" | "anythread")
                }
                Namespaces::Unit(_) => false,
            };
        }
        ExprKind::Method { name, .. } => found |= name == "sync",
        _ => {}
    });
    found
}
