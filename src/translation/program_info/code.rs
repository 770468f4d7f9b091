//! What device code does, as its IR says.

use super::{Code, Counted};
use crate::ir::function::{Facts, Home, Sync};
use crate::ir::{Callee, Expr, ExprKind, Stmt};

/// Counts the barriers, atomic operations and other waits of statements.
pub fn read(body: &[Stmt], out: &mut Code) {
    for s in body {
        s.walk(&mut |s| s.own_exprs(&mut |e| e.walk(&mut |e| call(e, out))));
    }
    for list in [&mut out.barriers, &mut out.atomics, &mut out.waits] {
        list.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

fn call(e: &Expr, out: &mut Code) {
    let (facts, name): (Facts, &str) = match &e.kind {
        ExprKind::Call {
            callee: Callee::Function(f),
            ..
        } => {
            let (home, name) = f.spelling();
            // The runtime's own for a reduction is no operation of the user's.
            if home == Home::Cuf && name == "combine" {
                return;
            }
            (f.facts(), name)
        }
        ExprKind::Method { name, .. } => (name.facts(), name.spelling()),
        _ => return,
    };
    let block = name.starts_with("__syncthreads");
    let list = match () {
        () if facts.is_atomic() => &mut out.atomics,
        () if block => &mut out.barriers,
        () if facts.waits && facts.sync >= Sync::Threads => &mut out.waits,
        () => return,
    };
    let name = name.trim_end_matches('_').to_owned();
    match list.iter_mut().find(|c| c.name == name) {
        Some(c) => c.times += 1,
        None => list.push(Counted { name, times: 1 }),
    }
}
