//! What a statement that a block executes together reads and writes, by variables.

use std::collections::BTreeSet;

use crate::ast::{self, Stmt};
use crate::lower::context::LoweringContext;
use crate::lower::library::device_names::device_procedure;
use crate::lower::program::sharing::is_private;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::sides::ON_DEVICE;
use crate::sema::model::*;

/// Variables that a statement or expression touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    /// Memory that all threads of the block reach.
    pub reads: BTreeSet<SymbolId>,
    pub writes: BTreeSet<SymbolId>,
    /// Variables that each thread has for itself.
    pub own_writes: BTreeSet<SymbolId>,
    /// Each thread would get another value: atomic functions, clocks, random numbers.
    pub differs: bool,
    /// It asks for the number of the thread.
    pub asks_thread: bool,
    /// Threads wait for each other in it.
    pub waits: bool,
    /// A procedure is called that the threads of a block execute together.
    pub calls_block: bool,
}

/// Tells variables of a thread from those that all reach.
pub(super) struct Memory<'c> {
    pub cx: &'c LoweringContext<'c, 'c>,
    /// Variables of the loop that each thread has for itself.
    pub own: BTreeSet<SymbolId>,
    /// Arrays of the block in shared memory.
    pub shared: BTreeSet<SymbolId>,
}

impl Memory<'_> {
    /// All threads of the block reach the data of the variable.
    pub fn reached(&self, s: SymbolId) -> bool {
        let model = self.cx.model();
        match &model[s].kind {
            SymbolKind::Variable(v) => {
                if self.shared.contains(&s) {
                    return true;
                }
                if v.attrs.has(VarAttrs::POINTER) {
                    return true;
                }
                if self.own.contains(&s) {
                    return false;
                }
                let scan = self.cx.scan();
                if self.cx.capture.is_some() && scan.is_inner(s) {
                    return v.space == Space::Shared;
                }
                // Components are on the device by themselves.
                let present = self.cx.capture.as_ref().is_some_and(|c| c.present);
                if present && v.space == Space::Host && matches!(v.ty, Type::Derived(_)) {
                    return true;
                }
                let t = crate::lower::cufloop::reduce::variable(s, v.ty.clone(), model[s].span);
                !is_private(model, s) || self.cx.is_present(&t) || self.cx.in_device_memory(&t)
            }
            SymbolKind::Associate { expr, outer, .. } => {
                let t = model.expr(*outer, expr);
                t.is_designator() && t.root().is_some_and(|r| self.reached(r))
            }
            _ => false,
        }
    }

    /// What the name stands for.
    pub fn resolved(&self, s: SymbolId) -> SymbolId {
        let model = self.cx.model();
        match &model[s].kind {
            SymbolKind::Associate { expr, outer, .. } => {
                let t = model.expr(*outer, expr);
                match t.root().filter(|_| t.is_designator()) {
                    Some(r) => self.resolved(r),
                    None => s,
                }
            }
            _ => s,
        }
    }

    /// A statement with all that it contains.
    pub fn of_statements(&self, scope: ScopeId, body: &[Stmt]) -> Touched {
        let model = self.cx.model();
        let facts = self.cx.sh.analysis.of_loop(model, scope, body);
        let mut t = Touched::default();
        for s in facts.mentioned.iter().chain(&facts.module) {
            if self.reached(*s) {
                t.reads.insert(self.resolved(*s));
            }
        }
        for s in &facts.modified {
            let own = self.resolved(*s);
            match self.reached(*s) {
                true => t.writes.insert(own),
                false => t.own_writes.insert(own),
            };
        }
        t.calls_block = facts.of_block && !super::has_shared_loop(body);
        for s in body {
            self.cx.scan_at(scope).each_expr(s, &mut |at, e| {
                self.expression(&at.typed(e), &mut t);
            });
            self.calls(scope, s, &mut t);
        }
        t
    }

    fn calls(&self, scope: ScopeId, s: &Stmt, t: &mut Touched) {
        let scan = self.cx.scan_at(scope);
        if let ast::StmtKind::Call(c) = &s.kind
            && let ResolvedCall::Runtime { name, .. } | ResolvedCall::Unknown { name, .. } =
                self.cx.model().call(scope, c)
        {
            self.runtime(&name, t);
        }
        let inner = scan.inside(s).scope;
        for b in s.blocks() {
            b.iter().for_each(|s| self.calls(inner, s, t));
        }
    }

    fn runtime(&self, name: &str, t: &mut Touched) {
        if name == ON_DEVICE {
            return;
        }
        match device_procedure(name) {
            Some(f) => {
                let facts = f.facts();
                t.waits |= facts.waits;
                t.differs |= !facts.is_pure() || facts.sync != crate::ir::function::Sync::Never;
            }
            // Bounds and the like of host procedures do not get here.
            None => t.differs = true,
        }
    }

    fn expression(&self, e: &TExpr, t: &mut Touched) {
        e.walk(&mut |x| match &x.kind {
            TExprKind::Builtin {
                var: BuiltinVar::ThreadIdx,
                ..
            } => t.asks_thread = true,
            TExprKind::Runtime { name, .. } => self.runtime(name, t),
            _ => {}
        });
    }

    /// Expressions that all threads evaluate: bounds, conditions.
    pub fn of_expressions(&self, scope: ScopeId, all: &[&ast::Expr]) -> Touched {
        let model = self.cx.model();
        let mut t = Touched::default();
        for e in all {
            let typed = model.expr(scope, e);
            typed.walk(&mut |x| match &x.kind {
                TExprKind::Variable(s) if self.reached(*s) => {
                    t.reads.insert(self.resolved(*s));
                }
                TExprKind::Call {
                    procedure, args, ..
                }
                | TExprKind::BoundCall {
                    procedure, args, ..
                } => self.function(*procedure, args, &mut t),
                _ => {}
            });
            self.expression(&typed, &mut t);
        }
        t
    }

    fn function(&self, procedure: SymbolId, args: &[Option<TExpr>], t: &mut Touched) {
        let model = self.cx.model();
        let analysis = self.cx.sh.analysis;
        let Some(body) = analysis.body_of(model, procedure) else {
            t.differs |= !model.is_acc_on_device(procedure);
            return;
        };
        if let Some(f) = analysis.facts.get(&body) {
            t.calls_block |= f.of_block;
            t.reads
                .extend(f.module.iter().filter(|s| self.reached(**s)));
            let changed = f.modified.iter().filter(|s| model[**s].scope != body);
            t.writes.extend(changed.filter(|s| self.reached(**s)));
        }
        for (i, a) in args.iter().enumerate() {
            if let Some(root) = a.as_ref().and_then(TExpr::root)
                && analysis.dummy_modified(model, body, i)
            {
                match self.reached(root) {
                    true => t.writes.insert(self.resolved(root)),
                    false => t.own_writes.insert(self.resolved(root)),
                };
            }
        }
    }

    /// Some variable of one set may be one of the other.
    pub fn meet(&self, a: &BTreeSet<SymbolId>, b: &BTreeSet<SymbolId>) -> bool {
        a.iter()
            .any(|x| b.iter().any(|y| x == y || self.cx.may_alias(*x, *y)))
    }
}
