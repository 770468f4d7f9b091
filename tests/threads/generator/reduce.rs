//! Smaller programs: each without one of its nodes.

use super::ir::*;

/// The programs with one node less, or with its body instead of it; barriers are put anew.
pub fn smaller(case: &Case) -> Vec<Case> {
    let mut found = Vec::new();
    for step in 0..case.steps.len() {
        let mut less = case.clone();
        less.steps.remove(step);
        found.push(less);
    }
    let lists = case.kernels.len() + case.procedures.len();
    for list in 0..lists {
        let count = size(body(&mut case.clone(), list));
        for at in 0..count {
            for unwrap in [false, true] {
                let mut less = case.clone();
                let mut at = at;
                if cut(body(&mut less, list), &mut at, unwrap) {
                    found.push(super::placed(&less));
                }
            }
        }
    }
    // A barrier that had to be there comes back.
    found.retain(|less| whole(less) < whole(case));
    found
}

/// Nodes of the program.
fn whole(case: &Case) -> usize {
    let kernels = case.kernels.iter().map(|k| size(&k.body));
    let procedures = case.procedures.iter().map(|p| size(&p.body));
    case.steps.len() + kernels.chain(procedures).sum::<usize>()
}

fn body(case: &mut Case, list: usize) -> &mut Vec<Node> {
    let kernels = case.kernels.len();
    if list < kernels {
        &mut case.kernels[list].body
    } else {
        &mut case.procedures[list - kernels].body
    }
}

/// Nodes in the list.
fn size(nodes: &[Node]) -> usize {
    let inside = |n: &Node| match n {
        Node::Loop { body, .. } | Node::Associate { body, .. } => size(body),
        Node::If {
            then, otherwise, ..
        } => size(then) + size(otherwise),
        _ => 0,
    };
    nodes.iter().map(|n| 1 + inside(n)).sum()
}

/// Takes out the node with this number, or puts what it holds in its place.
fn cut(nodes: &mut Vec<Node>, at: &mut usize, unwrap: bool) -> bool {
    let mut k = 0;
    while k < nodes.len() {
        if *at == 0 {
            let held = match &nodes[k] {
                Node::If { then, .. } if unwrap => then.clone(),
                _ if unwrap => return false,
                Node::Sync { placed: true, .. } => return false,
                _ => Vec::new(),
            };
            nodes.splice(k..=k, held);
            return true;
        }
        *at -= 1;
        let inner = match &mut nodes[k] {
            Node::Loop { body, .. } | Node::Associate { body, .. } => cut(body, at, unwrap),
            Node::If {
                then, otherwise, ..
            } => cut(then, at, unwrap) || cut(otherwise, at, unwrap),
            _ => false,
        };
        if inner {
            return true;
        }
        k += 1;
    }
    false
}

/// The program without one of its barriers, the first that stands in a kernel's body; `None` if there is none.
pub fn without_barrier(case: &Case) -> Option<Case> {
    let mut less = case.clone();
    for kernel in &mut less.kernels {
        let barrier = |n: &Node| matches!(n, Node::Sync { placed: true, .. });
        if let Some(at) = kernel.body.iter().position(barrier) {
            kernel.body.remove(at);
            return Some(less);
        }
    }
    None
}
