//! Jumps to labels in statements that the threads of a block execute together: none, but to the end of a loop around, and in the
//! iterations of a thread.

use super::shared_loop;
use crate::ast::{Span, Stmt, StmtKind as Ast};

/// The first jump that the threads of a block cannot make together.
pub(super) fn first_of_block(body: &[Stmt]) -> Option<Span> {
    jump(body, &mut Vec::from_iter(end_label(body)))
}

/// The label of the CONTINUE that ends a loop.
fn end_label(body: &[Stmt]) -> Option<u32> {
    let last = body.last().filter(|s| matches!(s.kind, Ast::Continue));
    Some(last?.label.as_ref()?.value)
}

fn jump(body: &[Stmt], ends: &mut Vec<u32>) -> Option<Span> {
    body.iter().find_map(|s| {
        if shared_loop(s).is_some() {
            let mut inside = Vec::new();
            labels(std::slice::from_ref(s), &mut inside);
            return leaving(std::slice::from_ref(s), &inside);
        }
        match &s.kind {
            Ast::Goto(l) if ends.contains(l) => None,
            Ast::Do(d) => {
                let depth = ends.len();
                ends.extend(end_label(&d.body));
                let found = jump(&d.body, ends);
                ends.truncate(depth);
                found
            }
            _ => targets(s)
                .map(|_| s.span)
                .or_else(|| s.blocks().into_iter().find_map(|b| jump(b, ends))),
        }
    })
}

/// The first jump to another label than these.
fn leaving(body: &[Stmt], inside: &[u32]) -> Option<Span> {
    body.iter().find_map(|s| {
        let leaves = targets(s).is_some_and(|all| !all.iter().all(|l| inside.contains(l)));
        match leaves {
            true => Some(s.span),
            false => s.blocks().into_iter().find_map(|b| leaving(b, inside)),
        }
    })
}

fn labels(body: &[Stmt], out: &mut Vec<u32>) {
    for s in body {
        out.extend(s.label.as_ref().map(|l| l.value));
        s.blocks().into_iter().for_each(|b| labels(b, out));
    }
}

/// Where a statement may jump to; nothing of an assigned GO TO is known.
fn targets(s: &Stmt) -> Option<Vec<u32>> {
    match &s.kind {
        Ast::Goto(l) => Some(vec![*l]),
        Ast::ComputedGoto { labels, .. } => Some(labels.clone()),
        Ast::ArithmeticIf { labels, .. } => Some(labels.to_vec()),
        Ast::AssignedGoto { .. } => Some(vec![0]),
        _ => None,
    }
}
