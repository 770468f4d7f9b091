//! What is declared but not used goes, what is only written is marked, unused labels go.

use std::collections::BTreeSet;

use crate::ir::{Expr, ExprKind, Init, Proc, Qualifier, SectionSub, Step, Stmt, StmtKind, Type};

#[derive(Default)]
struct Uses {
    read: BTreeSet<String>,
    written: BTreeSet<String>,
    targets: BTreeSet<String>,
}

impl Uses {
    fn expr(&mut self, e: &Expr) {
        e.walk(&mut |x| {
            if let Some(name) = x.local() {
                self.read.insert(name.to_owned());
            }
        });
    }

    fn stmts(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| s.walk(&mut |s| self.stmt(s)));
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                match lhs.local() {
                    Some(name) => {
                        self.written.insert(name.to_owned());
                    }
                    None => self.expr(lhs),
                }
                return self.expr(rhs);
            }
            StmtKind::For(f) => {
                self.read.insert(f.var.clone());
                if let Step::Counted { count, .. } = &f.step {
                    self.read.insert(count.clone());
                }
            }
            StmtKind::Goto(l) => {
                self.targets.insert(l.clone());
            }
            _ => {}
        }
        s.own_exprs(&mut |e| self.expr(e));
    }
}

/// Tidies a function.
pub fn tidy(procedure: &mut Proc) {
    let body = &mut procedure.body;
    body.iter_mut().for_each(assign_lists);
    return_value(body);
    let mut uses = Uses::default();
    uses.stmts(body);
    drop_unread_results(body, &uses);
    // Removing one declaration may leave another without use (a bound of an unused array).
    for _ in 0..3 {
        let mut uses = Uses::default();
        uses.stmts(body);
        clean(body, &uses);
    }
}

/// `{ const T t1 = {...}; v = t1; }` is `v = {...};`.
fn assign_lists(s: &mut Stmt) {
    if let StmtKind::Block(body) = &mut s.kind
        && let [first, set] = &mut body[..]
        && let (StmtKind::Declare(d), StmtKind::Assign { lhs, rhs }) = (&first.kind, &mut set.kind)
        && let [name] = &d.names[..]
        && let Init::Value(value) = &name.init
        && matches!(value.kind, ExprKind::List(_))
        && rhs.local() == Some(&name.name)
        && d.ty.plain() == lhs.ty.plain()
        && set.notes.is_empty()
    {
        *rhs = value.clone();
        s.kind = set.kind.clone();
    }
    for b in s.blocks_mut() {
        b.iter_mut().for_each(assign_lists);
    }
}

/// `f = e; return f;` is `return e;`, and nothing need be said at the end of a procedure without a result.
fn return_value(body: &mut Vec<Stmt>) {
    if let [.., set, last] = &mut body[..]
        && let (StmtKind::Assign { lhs, rhs }, StmtKind::Return(Some(value))) =
            (&set.kind, &last.kind)
        && lhs == value
        && lhs.local().is_some()
        && rhs.ty.initialises(&value.ty)
        && last.notes.is_empty()
    {
        set.kind = StmtKind::Return(Some(rhs.clone()));
        body.pop();
    }
    if let Some(last) = body.last()
        && matches!(last.kind, StmtKind::Return(None))
        && last.notes.above.is_empty()
        && last.notes.trailing.is_none()
    {
        body.pop();
    }
}

/// A variable that takes the results of calls and is never read (`old = atomicadd(...)`) is Fortran's way to call.
fn drop_unread_results(body: &mut [Stmt], uses: &Uses) {
    // Only own variables: a dummy or what a reference leads to is read elsewhere.
    let mut own = BTreeSet::new();
    for s in body.iter() {
        s.walk(&mut |s| {
            if let StmtKind::Declare(d) = &s.kind
                && d.qualifier == Qualifier::None
                && !matches!(d.ty, Type::Ref(_))
            {
                own.extend(d.names.iter().map(|n| n.name.clone()));
            }
        });
    }
    let mut kept = BTreeSet::new();
    let is_call = |e: &Expr| matches!(e.kind, ExprKind::Call { .. }) && !pure(e);
    for s in body.iter() {
        s.walk(&mut |s| {
            if let StmtKind::Assign { lhs, rhs } = &s.kind
                && let Some(name) = lhs.local()
                && (!own.contains(name) || uses.read.contains(name) || !is_call(rhs.unconverted()))
            {
                kept.insert(name.to_owned());
            }
        });
    }
    drop_results(body, &kept);
}

fn drop_results(body: &mut [Stmt], kept: &BTreeSet<String>) {
    for s in body {
        if let StmtKind::Assign { lhs, rhs } = &s.kind
            && lhs.local().is_some_and(|n| !kept.contains(n))
        {
            s.kind = StmtKind::Expr(rhs.unconverted().clone());
        }
        for b in s.blocks_mut() {
            drop_results(b, kept);
        }
    }
}

fn clean(body: &mut Vec<Stmt>, uses: &Uses) {
    for s in body.iter_mut() {
        match &mut s.kind {
            StmtKind::Declare(d) => {
                let removable = |init: &Init| match init {
                    Init::None | Init::Default => true,
                    Init::Value(e) => pure(e),
                    Init::Args(a) => a.iter().all(pure),
                };
                let keep = |n: &str| uses.read.contains(n) || uses.written.contains(n);
                if !matches!(d.qualifier, Qualifier::Shared | Qualifier::SharedTile) {
                    d.names.retain(|n| keep(&n.name) || !removable(&n.init));
                }
                d.maybe_unused = d.names.iter().any(|n| !uses.read.contains(&n.name))
                    && !matches!(d.ty, Type::Array { .. } | Type::Ref(_));
                if d.names.is_empty() {
                    s.kind = StmtKind::Empty;
                }
            }
            StmtKind::ForEach(f) => {
                f.maybe_unused = f.vars.iter().all(|v| !uses.read.contains(v));
            }
            StmtKind::Label(l) if !uses.targets.contains(l) => s.kind = StmtKind::Empty,
            _ => {}
        }
        s.blocks_mut().into_iter().for_each(|b| clean(b, uses));
    }
    body.retain(|s| !matches!(s.kind, StmtKind::Empty) || !s.notes.above.is_empty());
}

/// No call that could have an effect.
fn pure(e: &Expr) -> bool {
    let mut effect = false;
    e.walk(&mut |x| match &x.kind {
        ExprKind::Call { callee, .. } => {
            effect |= !callee.facts().is_some_and(|f| f.is_pure());
        }
        ExprKind::Section { subs, .. } => {
            effect |= subs
                .iter()
                .any(|s| matches!(s, SectionSub::Index(e) if !pure(e)))
        }
        _ => {}
    });
    !effect
}
