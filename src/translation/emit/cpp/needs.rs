//! What the device code of a unit needs of a device before it runs: `CUF_NEEDS`.

use crate::ir::*;

/// A line for each need.
pub fn lines(unit: &Unit) -> Vec<String> {
    let mut needs = Vec::new();
    if procedures(unit).any(uses_heap) {
        needs.push("CUF_NEEDS(heap);".to_owned());
    }
    if unit.launchers.iter().any(|l| l.recursive) {
        needs.push("CUF_NEEDS(recursion);".to_owned());
    }
    needs
}

fn procedures(unit: &Unit) -> impl Iterator<Item = &Proc> {
    let items = unit
        .namespaces
        .iter()
        .flat_map(|n| n.header.iter().chain(&n.source));
    items.filter_map(|i| match &i.kind {
        ItemKind::Proc(p) => Some(p),
        _ => None,
    })
}

fn uses_heap(p: &Proc) -> bool {
    let mut found = false;
    let mut expression = |e: &Expr| match &e.kind {
        ExprKind::Call { callee, .. } => {
            found |= callee.facts().is_some_and(|f| f.heap);
        }
        _ => found |= matches!(e.ty.plain(), Type::LocalArray { .. } | Type::Text),
    };
    for s in &p.body {
        s.walk(&mut |s| {
            if let StmtKind::Declare(d) = &s.kind
                && matches!(d.ty.plain(), Type::LocalArray { .. } | Type::Text)
            {
                expression(&Expr::new(ExprKind::Null, d.ty.clone()));
            }
            s.own_exprs(&mut |e| e.walk(&mut expression));
        });
    }
    found
}
