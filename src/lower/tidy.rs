//! Last look at a lowered function: what is declared but not used goes, what is only written is marked, unused labels go.

use std::collections::BTreeSet;

use crate::ir::{
    Expr, ExprKind, Init, Namespaces, Qualifier, SectionSub, Step, Stmt, StmtKind, Type,
};

#[derive(Default)]
struct Uses {
    read: BTreeSet<String>,
    written: BTreeSet<String>,
    targets: BTreeSet<String>,
}

impl Uses {
    fn expr(&mut self, e: &Expr) {
        e.walk(&mut |x| {
            if let ExprKind::Name(i) = &x.kind
                && i.space == Namespaces::Local
            {
                self.read.insert(i.name.trim_start_matches("++").to_owned());
            }
        });
    }

    fn stmts(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    fn ty(&mut self, t: &Type) {
        match t {
            Type::Fixed { elem, dims } => {
                self.ty(elem);
                for d in dims {
                    d.lower.iter().for_each(|e| self.expr(e));
                    self.expr(&d.upper);
                }
            }
            Type::Const(t) | Type::Ref(t) | Type::Volatile(t) => self.ty(t),
            Type::Pointer { to, .. } => self.ty(to),
            _ => {}
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Declare(d) => {
                self.ty(&d.ty);
                for n in &d.names {
                    match &n.init {
                        Init::Value(e) => self.expr(e),
                        Init::Args(a) => a.iter().for_each(|e| self.expr(e)),
                        Init::None | Init::Default => {}
                    }
                }
            }
            StmtKind::Assign { lhs, rhs } => {
                match &lhs.kind {
                    ExprKind::Name(i) if i.space == Namespaces::Local => {
                        self.written.insert(i.name.clone());
                    }
                    _ => self.expr(lhs),
                }
                self.expr(rhs);
            }
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (c, b) in branches {
                    self.expr(c);
                    self.stmts(b);
                }
                otherwise.iter().for_each(|b| self.stmts(b));
            }
            StmtKind::For(f) => {
                self.read.insert(f.var.clone());
                f.from.iter().for_each(|e| self.expr(e));
                self.expr(&f.cond);
                match &f.step {
                    Step::Expr(e) => self.expr(e),
                    Step::Counted { count, by } => {
                        self.read.insert(count.clone());
                        self.expr(by);
                    }
                    Step::By(_) | Step::Next => {}
                }
                self.stmts(&f.body);
            }
            StmtKind::While { cond, body } => {
                cond.iter().for_each(|e| self.expr(e));
                self.stmts(body);
            }
            StmtKind::Switch {
                selector,
                cases,
                default,
            } => {
                self.expr(selector);
                for (v, b, _) in cases {
                    v.iter().for_each(|e| self.expr(e));
                    self.stmts(b);
                }
                default.iter().for_each(|(b, _)| self.stmts(b));
            }
            StmtKind::Block(b) => self.stmts(b),
            StmtKind::Goto(l) => {
                self.targets.insert(l.clone());
            }
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Label(_)
            | StmtKind::Return(None)
            | StmtKind::Empty => {}
        }
    }
}

/// Tidies the body of a function.
pub fn tidy(body: &mut Vec<Stmt>) {
    // Removing one declaration may leave another without use (a bound of an unused array).
    for _ in 0..3 {
        let mut uses = Uses::default();
        uses.stmts(body);
        clean(body, &uses);
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
                if d.qualifier != Qualifier::Shared {
                    d.names.retain(|n| keep(&n.name) || !removable(&n.init));
                }
                d.maybe_unused = d.names.iter().any(|n| !uses.read.contains(&n.name))
                    && !matches!(d.ty, Type::Array { .. } | Type::Ref(_));
                if d.names.is_empty() {
                    s.kind = StmtKind::Empty;
                }
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                branches.iter_mut().for_each(|(_, b)| clean(b, uses));
                otherwise.iter_mut().for_each(|b| clean(b, uses));
            }
            StmtKind::For(f) => clean(&mut f.body, uses),
            StmtKind::While { body, .. } | StmtKind::Block(body) => clean(body, uses),
            StmtKind::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, b, _)| clean(b, uses));
                default.iter_mut().for_each(|(b, _)| clean(b, uses));
            }
            StmtKind::Label(l) if !uses.targets.contains(l) => s.kind = StmtKind::Empty,
            _ => {}
        }
    }
    body.retain(|s| !matches!(s.kind, StmtKind::Empty) || !s.notes.above.is_empty());
}

/// No call that could have an effect.
fn pure(e: &Expr) -> bool {
    let mut effect = false;
    e.walk(&mut |x| match &x.kind {
        ExprKind::Call { callee, .. } => {
            effect |= callee.space != Namespaces::Cuf || callee.name.starts_with("atomic")
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
