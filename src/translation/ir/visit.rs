//! Walks over statements: the blocks in a statement, and the expressions of its own.

use super::{Expr, Init, Step, Stmt, StmtKind, Type};

impl Stmt {
    /// Blocks directly inside this statement, in order.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::If {
                branches,
                otherwise,
            } => branches
                .iter()
                .map(|(_, b)| &b[..])
                .chain(otherwise.as_deref())
                .collect(),
            StmtKind::For(f) => vec![&f.body],
            StmtKind::ForEach(f) => vec![&f.body],
            StmtKind::While { body, .. } | StmtKind::Block(body) => vec![body],
            StmtKind::Switch { cases, default, .. } => cases
                .iter()
                .map(|(_, b, _)| &b[..])
                .chain(default.iter().map(|(b, _)| &b[..]))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// As [`Stmt::blocks`], to change them.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match &mut self.kind {
            StmtKind::If {
                branches,
                otherwise,
            } => branches
                .iter_mut()
                .map(|(_, b)| b)
                .chain(otherwise)
                .collect(),
            StmtKind::For(f) => vec![&mut f.body],
            StmtKind::ForEach(f) => vec![&mut f.body],
            StmtKind::While { body, .. } | StmtKind::Block(body) => vec![body],
            StmtKind::Switch { cases, default, .. } => cases
                .iter_mut()
                .map(|(_, b, _)| b)
                .chain(default.iter_mut().map(|(b, _)| b))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Calls `f` on this statement and all inside it, in order.
    pub fn walk(&self, f: &mut dyn FnMut(&Stmt)) {
        f(self);
        for b in self.blocks() {
            b.iter().for_each(|s| s.walk(f));
        }
    }

    /// Calls `f` on the outermost expressions of this statement itself, not of those inside it.
    pub fn own_exprs<'s>(&'s self, f: &mut dyn FnMut(&'s Expr)) {
        match &self.kind {
            StmtKind::Declare(d) => {
                d.ty.bounds(f);
                for n in &d.names {
                    match &n.init {
                        Init::Value(e) => f(e),
                        Init::Args(a) => a.iter().for_each(&mut *f),
                        Init::None | Init::Default => {}
                    }
                }
            }
            StmtKind::Assign { lhs, rhs } => {
                f(lhs);
                f(rhs);
            }
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => f(e),
            StmtKind::If { branches, .. } => branches.iter().for_each(|(c, _)| f(c)),
            StmtKind::For(l) => {
                l.from.iter().for_each(&mut *f);
                f(&l.cond);
                match &l.step {
                    Step::Expr(e) | Step::Counted { by: e, .. } => f(e),
                    Step::By(_) => {}
                }
            }
            StmtKind::ForEach(l) => f(&l.range),
            StmtKind::While { cond, .. } => cond.iter().for_each(f),
            StmtKind::Switch {
                selector, cases, ..
            } => {
                f(selector);
                cases
                    .iter()
                    .for_each(|(v, _, _)| v.iter().for_each(&mut *f));
            }
            StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(None)
            | StmtKind::Empty => {}
        }
    }
}

impl Type {
    /// Calls `f` on the expressions in the type: the bounds of arrays of static size.
    fn bounds<'t>(&'t self, f: &mut dyn FnMut(&'t Expr)) {
        match self {
            Type::Fixed { elem, dims } => {
                elem.bounds(f);
                for d in dims {
                    d.lower.iter().for_each(&mut *f);
                    f(&d.upper);
                }
            }
            Type::Const(t) | Type::Ref(t) => t.bounds(f),
            Type::Pointer { to, .. } => to.bounds(f),
            _ => {}
        }
    }
}
