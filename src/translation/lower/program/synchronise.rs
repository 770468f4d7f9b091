//! "Can reach synchronisation": whether a thread can learn, while a body runs, what other threads have written meanwhile.
//!
//! Fortran is sequential: a procedure may keep what it has read until it changes it itself. With threads that holds only up to
//! the next point where they meet. Whatever keeps a value (`__restrict__`, arguments by value, bounds that are written where
//! they are used, packed sections) asks here.

use super::sharing::{is_private, is_private_data, is_volatile_data};
pub use crate::ir::function::Sync;
use crate::ir::{self, Callee, Class, Expr, ExprKind, Function, Init, Method, StmtKind};
use crate::lower::context::LoweringContext;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Counts the turns of a loop whose body has volatile accesses, for the cpu target, on which lanes of a warp that are in earlier
/// turns go first. False if it has none.
pub(in crate::translation::lower) fn count_turns(
    loops: &mut Vec<ir::Stmt>,
    numbered: &mut dyn FnMut(&str) -> String,
) -> bool {
    let Some(body) = loops.iter_mut().find_map(loop_body) else {
        return false;
    };
    if !body.iter().any(has_volatile) {
        return false;
    }
    let ty = ir::Type::Class(Class::LoopTurns);
    let name = numbered("turns");
    let turns = Expr::name(&name, ty.clone());
    let next = turns.method(Method::Next, Vec::new(), ir::Type::Void);
    body.insert(0, ir::Stmt::expr(next));
    loops.insert(0, ir::Stmt::declare(ty, &name, Init::Default));
    true
}

/// The body of a loop, behind its condition where that has volatile accesses itself.
fn loop_body(s: &mut ir::Stmt) -> Option<&mut Vec<ir::Stmt>> {
    match &mut s.kind {
        StmtKind::For(f) => Some(&mut f.body),
        StmtKind::ForEach(f) => Some(&mut f.body),
        StmtKind::While { cond, body } => {
            let volatile = cond.as_ref().is_some_and(accesses_volatile);
            if volatile
                && body.iter().any(has_volatile)
                && let Some(c) = cond.take()
            {
                body.insert(0, ir::Stmt::when(c.not(), vec![StmtKind::Break.into()]));
            }
            Some(body)
        }
        StmtKind::Block(inner) => inner.iter_mut().find_map(loop_body),
        _ => None,
    }
}

fn has_volatile(s: &ir::Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |s| s.own_exprs(&mut |e| found |= accesses_volatile(e)));
    found
}

/// A volatile access, or the call of a procedure, which may have some.
fn accesses_volatile(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| {
        if let ExprKind::Call { callee, .. } = &x.kind {
            found |= match callee {
                Callee::Function(f) => {
                    matches!(f, Function::VolatileLoad | Function::VolatileStore)
                }
                Callee::Procedure(_) | Callee::Dummy(_) | Callee::External(_) => true,
                Callee::Intrinsic(_) | Callee::Math(_) | Callee::Identity(_) => false,
            };
        }
    });
    found
}

impl LoweringContext<'_, '_> {
    /// Each access of the designator is to take place. The loop's own copy of host data is not what the host may change.
    pub fn is_volatile(&self, t: &TExpr) -> bool {
        let model = self.model();
        let copy = self.capture.is_some() && t.root().is_some_and(|r| is_private(model, r));
        !copy && is_volatile_data(model, t)
    }

    /// A kernel or CUF loop: all its threads have the same arguments. Those of a device procedure may be data that another
    /// thread changes under another name.
    fn has_common_arguments(&self) -> bool {
        self.capture.is_some() || self.is_kernel()
    }

    /// What the body has read of the variable stays right until the body changes it.
    pub fn is_settled(&self, s: SymbolId) -> bool {
        match self.facts.sync {
            Sync::Never => true,
            _ if is_private(self.model(), s) => true,
            Sync::Threads => self.has_common_arguments() && !self.changes(s),
            Sync::Memory => false,
        }
    }

    /// `__restrict__` for the data of a dummy, hidden argument or captured array: no other name reaches it while it changes
    /// (F2018 15.5.2.13), and no other thread changes what the body has read.
    pub fn may_restrict(&self, s: SymbolId) -> bool {
        self.has_one_name(s) && self.is_settled(s) && !self.is_given_twice(s)
    }

    /// The body changes the variable by its name alone, if at all.
    pub fn has_one_name(&self, s: SymbolId) -> bool {
        let model = self.model();
        let named = model.variable(s);
        let named = named.is_some_and(|v| !v.may_have_other_names());
        // Data without TARGET that a pointer was given by its address.
        let pointed_at = model.has_address_pointers && self.facts.pointers && !is_private(model, s);
        named && !pointed_at
    }

    /// Data with two names of which one is written may not be kept, though the standard forbids such calls: what a thread has written,
    /// it reads. Where threads meet, the other threads have it under the other name. (A kernel that stores what it has read, `c(i) = a(i) + b(i)`, is
    /// the same in place.)
    fn is_given_twice(&self, s: SymbolId) -> bool {
        let (model, launches) = (self.model(), &self.sh.analysis.launches);
        if self.hidden(s) {
            return launches.is_actual(model, s, self.unit_scope);
        }
        let meet = self.facts.sync != Sync::Never;
        let changed = |other| meet || self.changes(s) || self.changes(other);
        let shows =
            |other| changed(other) && (meet || !self.facts.reads_before_it_stores(s, other));
        launches.module_names(s, &self.facts.module).any(changed)
            || launches.other_names(s).any(shows)
    }

    /// The body or a procedure that it calls changes the variable.
    pub fn changes(&self, s: SymbolId) -> bool {
        let all = &self.sh.analysis.facts;
        // A callee has it as a hidden argument of its own.
        let in_callee = |c: &_| all.get(c).is_some_and(|f| f.modified.contains(&s));
        self.facts.modified.contains(&s) || self.facts.calls.iter().any(in_callee)
    }

    /// Other threads may change what this actual stands for while the procedure of the dummy runs: it has to be the data itself,
    /// not a copy.
    pub fn is_shared_actual(&self, dummy: SymbolId, a: &TExpr) -> bool {
        let model = self.model();
        a.is_designator()
            && !is_private_data(model, a)
            && self.sh.analysis.synchronises(model, model[dummy].scope)
    }

    /// The value of an expression cannot change while the procedure runs: constants, dummies that nobody changes.
    pub fn stable(&self, t: &TExpr) -> bool {
        match &t.kind {
            _ if t.value.is_some() => true,
            TExprKind::Variable(s) => {
                self.model().variable(*s).is_some_and(|v| {
                    v.dims.is_empty()
                        && (v.dummy.is_some() || self.capture.is_some())
                        && !v.attrs.has(VarAttrs::OPTIONAL)
                }) && !self.facts.modified.contains(s)
                    && self.has_one_name(*s)
                    && self.is_settled(*s)
            }
            TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => self.stable(operand),
            TExprKind::Binary { lhs, rhs, .. } => self.stable(lhs) && self.stable(rhs),
            _ => false,
        }
    }
}
