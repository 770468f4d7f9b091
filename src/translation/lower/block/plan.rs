//! Which thread executes which statement of a block, and where the threads have to meet.
//!
//! Followed is which memory threads have read or written since they met last. Before a statement that would read what another thread has
//! written, or write what another one may still read, they meet.

use std::collections::BTreeSet;

use super::branches;
use super::effects::{Memory, Touched};
use super::{has_shared_loop, shared_loop};
use crate::ast::{self, Atomic, Directive, DoControl, Span, Stmt, StmtKind as Ast};
use crate::lower::context::LoweringContext;
use crate::lower::context::together::{Plan, Step, Way};
use crate::lower::cufloop::operation::of_clause;
use crate::lower::program::effects::inner_scope;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::sides::Side;
use crate::sema::model::*;

/// What has happened since the threads met last.
#[derive(Clone, Default, PartialEq, Eq)]
struct State {
    /// All threads, or some, have read it.
    read: BTreeSet<SymbolId>,
    /// The first thread has read it.
    first_read: BTreeSet<SymbolId>,
    /// The first thread has written it.
    first: BTreeSet<SymbolId>,
    /// Any thread has written it.
    written: BTreeSet<SymbolId>,
    /// Variables of a thread that were assigned in a shared loop: each thread would have another value.
    stale: BTreeSet<SymbolId>,
}

impl State {
    fn add(&mut self, other: &State) {
        self.read.extend(&other.read);
        self.first_read.extend(&other.first_read);
        self.first.extend(&other.first);
        self.written.extend(&other.written);
        self.stale.extend(&other.stale);
    }

    fn met(&mut self) {
        self.read.clear();
        self.first_read.clear();
        self.first.clear();
        self.written.clear();
    }

    fn is_pending(&self) -> bool {
        let sets = [&self.read, &self.first_read, &self.first, &self.written];
        sets.iter().any(|s| !s.is_empty())
    }
}

pub(super) struct Planner<'c> {
    memory: Memory<'c>,
    pub plan: Plan,
    /// Arrays of the block that have to be in shared memory.
    pub shared: BTreeSet<SymbolId>,
    scope: ScopeId,
    /// All states inside of the loops around.
    seen: Vec<State>,
    is_loop: bool,
}

impl<'c> Planner<'c> {
    pub fn new<'s>(cx: &'c LoweringContext<'_, 's>, own: BTreeSet<SymbolId>) -> Self
    where
        's: 'c,
    {
        Planner {
            scope: cx.scope,
            is_loop: cx.capture.is_some(),
            memory: Memory {
                cx,
                own,
                shared: BTreeSet::new(),
            },
            plan: Plan::default(),
            shared: BTreeSet::new(),
            seen: Vec::new(),
        }
    }

    fn cx(&self) -> &'c LoweringContext<'c, 'c> {
        self.memory.cx
    }

    pub fn run(&mut self, body: &[Stmt]) {
        self.find_shared(self.scope, body);
        self.memory.shared.clone_from(&self.shared);
        if self.cx().facts.has_goto
            && let Some(at) = branches::first_of_block(body)
        {
            self.refuse(at, "CUF0543", "a jump to a label is not allowed where the threads of a block execute statements together\nhelp: write `if`, `cycle`, or `exit`");
            return;
        }
        // Iterations of blocks depend on each other only through memory of the block.
        let again = self.is_loop && (!self.shared.is_empty() || self.has_block_arrays());
        let mut state = State::default();
        loop {
            self.seen.push(State::default());
            let mut end = self.block(self.scope, body, state.clone());
            if let Some(seen) = self.seen.pop() {
                end.add(&seen);
            }
            end.stale.clear();
            self.plan.last_barrier |= end.is_pending() && !self.is_loop && !self.cx().is_kernel();
            end.add(&state);
            if !again || end == state {
                return;
            }
            state = end;
        }
    }

    /// Arrays in the `private` clause of a loop over blocks.
    fn has_block_arrays(&self) -> bool {
        let block = self.cx().vars.iter();
        block
            .filter(|(s, _)| !self.cx().model().dims(**s).is_empty())
            .any(|(s, _)| self.memory.reached(*s))
    }

    fn refuse(&mut self, at: Span, code: &'static str, message: impl Into<String>) {
        let found = (at, code, message.into());
        if !self.plan.refused.contains(&found) {
            self.plan.refused.push(found);
        }
    }

    /// Arrays of a thread that the threads of a block write to in shared loops, or in procedures that they execute together.
    fn find_shared(&mut self, scope: ScopeId, body: &[Stmt]) {
        for s in body {
            if let Some((d, clauses)) = shared_loop(s) {
                let t = self.memory.of_statements(scope, std::slice::from_ref(s));
                let model = self.cx().model();
                for v in t.own_writes {
                    let named = |n: &(ast::Name, bool)| model.lookup(scope, &n.0.text) == Some(v);
                    let array = !model.dims(v).is_empty();
                    let home = &model[model[v].scope];
                    let inside = home.kind != ScopeKind::Procedure
                        && d.header.end <= model[v].span.start
                        && model[v].span.end <= s.span.end;
                    if array && !inside && !clauses.local.iter().any(named) {
                        self.shared.insert(v);
                    }
                }
                continue;
            }
            if let Ast::Call(c) = &s.kind
                && let ResolvedCall::User {
                    procedure, args, ..
                } = self.cx().model().call(scope, c)
            {
                self.passed_on(procedure, &args);
            }
            for e in s.expressions() {
                let t = self.cx().model().expr(scope, e);
                let mut calls = Vec::new();
                t.walk(&mut |x| {
                    if let TExprKind::Call {
                        procedure, args, ..
                    } = &x.kind
                    {
                        calls.push((*procedure, args.clone()));
                    }
                });
                for (procedure, args) in calls {
                    self.passed_on(procedure, &args);
                }
            }
            let inner = inner_scope(self.cx().model(), scope, s.span);
            for b in s.blocks() {
                self.find_shared(inner, b);
            }
        }
    }

    fn passed_on(&mut self, procedure: SymbolId, args: &[Option<TExpr>]) {
        let (cx, model) = (self.cx(), self.cx().model());
        let analysis = cx.sh.analysis;
        let Some(body) = analysis.body_of(model, procedure) else {
            return;
        };
        if !analysis.facts.get(&body).is_some_and(|f| f.of_block) {
            return;
        }
        for (i, a) in args.iter().enumerate() {
            let Some(root) = a.as_ref().and_then(TExpr::root) else {
                continue;
            };
            if self.memory.reached(root) || !analysis.dummy_modified(model, body, i) {
                continue;
            }
            let simple = matches!(
                model.type_of(root),
                Type::Integer(_) | Type::Real(_) | Type::Logical(_) | Type::Complex(_)
            );
            if !model.dims(root).is_empty() {
                self.shared.insert(root);
            } else if !simple {
                let name = &model[root].spelling;
                let message = format!(
                    "structure `{name}` of each thread cannot be changed by a procedure that the threads of a block execute together\nhelp: pass its components"
                );
                let at = a.as_ref().map_or_else(Span::default, |a| a.span);
                self.refuse(at, "CUF0543", message);
            }
        }
    }

    fn block(&mut self, scope: ScopeId, body: &[Stmt], mut state: State) -> State {
        for s in body {
            state = self.stmt(scope, s, state);
            self.seen.iter_mut().for_each(|seen| seen.add(&state));
        }
        state
    }

    fn step(&mut self, s: &Stmt) -> &mut Step {
        self.plan
            .steps
            .entry((s.span.start, s.span.end))
            .or_default()
    }

    fn meet(&mut self, s: &Stmt, state: &mut State) {
        self.step(s).barrier = true;
        state.met();
    }

    /// All threads evaluate the expressions of the statement's head.
    fn head(&mut self, scope: ScopeId, s: &Stmt, all: &[&ast::Expr], state: &mut State) -> Touched {
        let t = self.memory.of_expressions(scope, all);
        if t.differs || t.asks_thread || !t.writes.is_empty() || !t.own_writes.is_empty() {
            self.refuse(
                s.span,
                "CUF0543",
                "the threads of a block would evaluate this differently, but execute the statement together\nhelp: assign the value to a variable first",
            );
        }
        self.read(scope, s, all, state);
        let meets = t.calls_block && state.is_pending()
            || self.memory.meet(&t.reads, &state.first)
            || self.memory.meet(&t.reads, &state.written);
        if meets {
            self.meet(s, state);
        }
        if t.calls_block {
            state.met();
        } else {
            state.read.extend(&t.reads);
        }
        t
    }

    /// Reports variables whose values differ between threads.
    fn read(&mut self, scope: ScopeId, s: &Stmt, all: &[&ast::Expr], state: &State) {
        let model = self.cx().model();
        let mut found = None;
        for e in all {
            model.expr(scope, e).walk(&mut |x| {
                if let TExprKind::Variable(v) = x.kind
                    && state.stale.contains(&v)
                {
                    found = Some((v, x.span));
                }
            });
        }
        if let Some((v, at)) = found {
            let name = &model[v].spelling;
            let message = format!(
                "`{name}` is undefined here: it was assigned in a loop whose iterations the threads of a block share\nhelp: name it in a reduction clause of that loop, or assign it again"
            );
            let at = if at == Span::default() { s.span } else { at };
            self.refuse(at, "CUF0543", message);
        }
    }

    fn stmt(&mut self, scope: ScopeId, s: &Stmt, mut state: State) -> State {
        if shared_loop(s).is_some() {
            return self.shared_loop(scope, s, state);
        }
        if let Some(Directive::Atomic(atomic)) = s.directive.as_deref() {
            return self.atomic(scope, s, atomic, state);
        }
        let model = self.cx().model();
        if model.is_unreached(scope, s.span, Side::Device) {
            return state;
        }
        let inner = inner_scope(model, scope, s.span);
        match &s.kind {
            Ast::If {
                branches,
                else_block,
                ..
            } => {
                let conds: Vec<_> = branches.iter().map(|b| &b.cond).collect();
                self.head(scope, s, &conds, &mut state);
                let mut end = state.clone();
                for b in branches {
                    end.add(&self.block(scope, &b.body, state.clone()));
                }
                if let Some(e) = else_block {
                    end.add(&self.block(scope, &e.body, state));
                }
                end
            }
            Ast::LogicalIf { cond, stmt } => {
                self.head(scope, s, &[cond], &mut state);
                let mut end = state.clone();
                end.add(&self.block(scope, std::slice::from_ref(stmt), state));
                end
            }
            Ast::Select(sel) => {
                self.head(scope, s, &[&sel.selector], &mut state);
                let mut end = state.clone();
                for c in &sel.cases {
                    end.add(&self.block(inner, &c.body, state.clone()));
                }
                end
            }
            Ast::Block { body, .. } => self.block(inner, body, state),
            Ast::Associate { items, body, .. } => {
                let selectors: Vec<_> = items.iter().map(|(_, e)| e).collect();
                self.head(scope, s, &selectors, &mut state);
                self.block(inner, body, state)
            }
            Ast::Do(d) => self.repeated(scope, inner, s, d, state),
            Ast::Return(_) => {
                if state.is_pending() && !self.cx().is_kernel() {
                    self.meet(s, &mut state);
                }
                state
            }
            Ast::Print { .. } | Ast::Write { .. } => {
                self.read(scope, s, &s.expressions(), &state);
                let t = self.memory.of_statements(scope, std::slice::from_ref(s));
                self.by_first(s, &t, state)
            }
            // To the end of a loop around.
            Ast::Goto(_)
            | Ast::Cycle(_)
            | Ast::Exit(_)
            | Ast::Continue
            | Ast::Stop { .. }
            | Ast::Decl(_)
            | Ast::Format
            | Ast::Other => state,
            Ast::PointerAssign { lhs, rhs } if self.is_own_pointer(scope, lhs) => {
                self.read(scope, s, &[lhs, rhs], &state);
                state
            }
            _ => self.simple(scope, s, state),
        }
    }

    /// Done once for the block; a second assignment of a capture belongs to the first.
    fn atomic(&mut self, scope: ScopeId, s: &Stmt, atomic: &Atomic, mut state: State) -> State {
        let both = match atomic {
            Atomic::Captured => return state,
            Atomic::Capture(second) => vec![s.clone(), (**second).clone()],
            _ => vec![s.clone()],
        };
        let t = self.memory.of_statements(scope, &both);
        let all: Vec<_> = both.iter().flat_map(Stmt::expressions).collect();
        // What gets a value here is not read.
        for v in &t.own_writes {
            state.stale.remove(v);
        }
        self.read(scope, s, &all, &state);
        if t.asks_thread || t.calls_block {
            self.refuse(s.span, "CUF0543", "the threads of a block execute this statement together, but its value differs between them");
        }
        self.by_first(s, &t, state)
    }

    fn is_own_pointer(&self, scope: ScopeId, lhs: &ast::Expr) -> bool {
        let model = self.cx().model();
        let t = model.designator(scope, lhs);
        let own = |v: &Variable| v.dummy.is_none() && v.space == Space::Thread;
        match t.kind {
            TExprKind::Variable(v) => model.variable(v).is_some_and(own),
            _ => false,
        }
    }

    /// A DO construct that all threads go through together.
    fn repeated(
        &mut self,
        scope: ScopeId,
        inner: ScopeId,
        s: &Stmt,
        d: &ast::Do,
        mut state: State,
    ) -> State {
        let all = s.expressions();
        let t = match d.control {
            DoControl::Concurrent(_) => self.head(inner, s, &all, &mut state),
            _ => self.head(scope, s, &all, &mut state),
        };
        if let DoControl::Counted { var, .. } = &d.control
            && let Some(v) = self.cx().model().lookup(scope, &var.text)
        {
            if self.memory.reached(v) {
                self.refuse(var.span, "CUF0543", "the variable of this loop is not a variable of the thread\nhelp: use a local variable");
            }
            state.stale.remove(&v);
        }
        loop {
            self.seen.push(State::default());
            let mut end = self.block(inner, &d.body, state.clone());
            if let Some(seen) = self.seen.pop() {
                end.add(&seen);
            }
            end.add(&state);
            let changed = end.first.union(&end.written).copied().collect();
            // The condition is evaluated again, and no barrier stands before it.
            let again = !matches!(d.control, DoControl::Counted { .. } | DoControl::Forever);
            if again && (self.memory.meet(&t.reads, &changed) || t.calls_block) {
                self.refuse(s.span, "CUF0543", "the condition of this loop reads memory that the threads of the block change in the loop\nhelp: assign the condition to a local variable at the end of the loop");
            }
            if end == state {
                return end;
            }
            state = end;
        }
    }

    /// A statement without statements inside, or one that a single thread executes as a whole.
    fn simple(&mut self, scope: ScopeId, s: &Stmt, mut state: State) -> State {
        let mut t = self.memory.of_statements(scope, std::slice::from_ref(s));
        let all = crate::lower::cufloop::scan::own_exprs(s);
        match &s.kind {
            Ast::Assign { lhs, rhs } => {
                let (l, model) = (self.cx().typed_in(scope, lhs), self.cx().model());
                let whole = match l.kind {
                    TExprKind::Variable(v) => Some(v),
                    _ => None,
                };
                match whole {
                    Some(_) => self.read(scope, s, &[rhs], &state),
                    None => self.read(scope, s, &[lhs, rhs], &state),
                }
                if let Some(v) = whole {
                    state.stale.remove(&v);
                    // Only written.
                    let read = self.memory.of_expressions(scope, &[rhs]);
                    if !read.reads.contains(&v) && model.dims(v).is_empty() {
                        t.reads.remove(&v);
                    }
                }
            }
            _ => self.read(scope, s, &all, &state),
        }
        if t.asks_thread || t.waits {
            let what = match t.waits {
                true => {
                    "threads cannot wait for each other here: the threads of a block execute this statement together"
                }
                false => {
                    "the number of a thread cannot be used here: the threads of a block execute this statement together"
                }
            };
            self.refuse(s.span, "CUF0543", what);
            return state;
        }
        if t.calls_block {
            let own = t.writes.iter().all(|w| !self.assigns(scope, s, *w));
            if !own {
                self.refuse(s.span, "CUF0543", "the result of a procedure that the threads of a block execute together must be assigned to a local variable\nhelp: assign it to a local scalar, and that to the variable");
            }
            if state.is_pending() {
                self.meet(s, &mut state);
            }
            state.met();
            return state;
        }
        if let Some(dummy) = self.passed_scalar(scope, s) {
            if t.writes.iter().any(|w| *w != dummy) || t.differs {
                self.refuse(s.span, "CUF0543", "this statement changes a dummy argument and other memory, but the threads of a block execute it together\nhelp: write two statements");
            }
            self.read_by_all(s, &t, &mut state);
            self.step(s).way = Way::Store;
            state.met();
            state.written.insert(dummy);
            return state;
        }
        if self.changes_passed_scalar(&t) {
            self.refuse(s.span, "CUF0543", "a scalar dummy argument can be changed only by an assignment where the threads of a block execute statements together\nhelp: use a local variable, and assign it to the dummy argument");
        }
        if t.writes.is_empty() && !t.differs {
            self.read_by_all(s, &t, &mut state);
            return state;
        }
        self.by_first(s, &t, state)
    }

    fn read_by_all(&mut self, s: &Stmt, t: &Touched, state: &mut State) {
        if self.memory.meet(&t.reads, &state.first) || self.memory.meet(&t.reads, &state.written) {
            self.meet(s, state);
        }
        state.read.extend(&t.reads);
    }

    /// The statement assigns to the variable.
    fn assigns(&self, scope: ScopeId, s: &Stmt, v: SymbolId) -> bool {
        match &s.kind {
            Ast::Assign { lhs, .. } => self.cx().typed_in(scope, lhs).root() == Some(v),
            _ => false,
        }
    }

    /// The scalar dummy argument that an assignment gives a value.
    fn passed_scalar(&self, scope: ScopeId, s: &Stmt) -> Option<SymbolId> {
        let Ast::Assign { lhs, .. } = &s.kind else {
            return None;
        };
        match self.cx().typed_in(scope, lhs).kind {
            TExprKind::Variable(v) if self.is_passed_scalar(v) && s.directive.is_none() => Some(v),
            _ => None,
        }
    }

    fn is_passed_scalar(&self, v: SymbolId) -> bool {
        let passed =
            |v: &Variable| v.dummy.is_some() && v.dims.is_empty() && !v.attrs.has(VarAttrs::VALUE);
        !self.is_loop && self.cx().model().variable(v).is_some_and(passed)
    }

    fn changes_passed_scalar(&self, t: &Touched) -> bool {
        let own = |v: &SymbolId| {
            let device = self.cx().model().variable(*v);
            self.is_passed_scalar(*v) && device.is_some_and(|v| v.space == Space::Thread)
        };
        t.writes.iter().any(own)
    }

    /// The first thread executes it.
    fn by_first(&mut self, s: &Stmt, t: &Touched, mut state: State) -> State {
        let meets = self.memory.meet(&t.writes, &state.read)
            || self.memory.meet(&t.writes, &state.written)
            || self.memory.meet(&t.reads, &state.written);
        if meets {
            self.meet(s, &mut state);
        }
        let model = self.cx().model();
        let mut broadcast: Vec<SymbolId> = t.own_writes.iter().copied().collect();
        let scalar = |v: &SymbolId| {
            let simple = matches!(
                model.type_of(*v),
                Type::Integer(_) | Type::Real(_) | Type::Logical(_) | Type::Complex(_)
            );
            simple && model.dims(*v).is_empty()
        };
        if !broadcast.iter().all(scalar) {
            self.refuse(s.span, "CUF0543", "this statement changes memory and an array or structure of each thread, but the threads of a block execute it together\nhelp: write two statements");
        }
        broadcast.retain(scalar);
        for v in &broadcast {
            state.stale.remove(v);
        }
        let met = !broadcast.is_empty();
        let step = self.step(s);
        step.way = Way::First;
        step.broadcast = broadcast;
        if met {
            state.met();
        } else {
            state.first_read.extend(&t.reads);
            state.first.extend(&t.writes);
        }
        state
    }

    /// A loop whose iterations the threads share.
    fn shared_loop(&mut self, scope: ScopeId, s: &Stmt, mut state: State) -> State {
        let Some((d, clauses)) = shared_loop(s) else {
            return state;
        };
        if has_shared_loop(&d.body) {
            self.refuse(s.span, "CUF0542", "a loop whose iterations the threads of a block share cannot contain another one\nhelp: write `loop seq` for the inner loop, or `loop vector(2)` for both");
            return state;
        }
        self.head(scope, s, &s.expressions(), &mut state);
        let t = self.memory.of_statements(scope, std::slice::from_ref(s));
        if t.calls_block || t.waits {
            self.refuse(s.span, "CUF0542", "in a loop whose iterations the threads of a block share, threads cannot wait for each other\nnote: a procedure with such a loop is called by all threads of a block together");
        }
        let cx = self.cx();
        let model = cx.model();
        // Results of reductions are the same for all threads; what else an iteration assigns is its own.
        let body = std::slice::from_ref(s);
        let scan = cx.scan_at(scope);
        let mut scalars = Vec::new();
        scan.changed_scalars(
            body,
            &t.own_writes.union(&t.writes).copied().collect(),
            &mut scalars,
        );
        let places = scan.places(&d.body);
        let mut results = BTreeSet::new();
        for c in &clauses.reductions {
            if of_clause(&c.op.text).is_some() {
                let roots = c.variables.iter().map(|v| model.expr(scope, v).root());
                results.extend(roots.flatten());
            }
        }
        let mut own = BTreeSet::new();
        for scalar in &scalars {
            let Some(root) = scalar.root() else { continue };
            if results.contains(&root) {
                continue;
            }
            match scan.accumulation(scalar, &places, &d.body) {
                Ok(_) => {
                    results.insert(root);
                }
                Err(_) if !self.memory.reached(root) => {
                    own.insert(root);
                }
                Err(_) => {}
            }
        }
        // A value that differs between the threads goes into the loop.
        let mut read = Vec::new();
        for v in &state.stale {
            let changed = t.own_writes.contains(v) && !results.contains(v);
            if !changed
                && cx
                    .sh
                    .analysis
                    .of_loop(model, scope, body)
                    .mentioned
                    .contains(v)
            {
                read.push(*v);
            }
        }
        for v in read {
            let name = &model[v].spelling;
            let message = format!(
                "`{name}` is undefined here: it was assigned in a loop whose iterations the threads of a block share\nhelp: name it in a reduction clause of that loop, or assign it again"
            );
            self.refuse(s.span, "CUF0543", message);
        }
        self.plan
            .stale
            .entry((s.span.start, s.span.end))
            .or_default()
            .extend(&state.stale);
        let meets = self.memory.meet(&t.reads, &state.first)
            || self.memory.meet(&t.reads, &state.written)
            || self.memory.meet(&t.writes, &state.first)
            || self.memory.meet(&t.writes, &state.written)
            || self.memory.meet(&t.writes, &state.read)
            || self.memory.meet(&t.writes, &state.first_read);
        if meets {
            self.meet(s, &mut state);
        }
        state.read.extend(&t.reads);
        state.written.extend(&t.writes);
        if !results.is_empty() {
            // The threads meet for the results, which all of them store.
            state.met();
            let stored = results.iter().filter(|r| self.memory.reached(**r));
            state.written.extend(stored);
        }
        for r in &results {
            state.stale.remove(r);
        }
        state.stale.extend(own);
        state
    }
}
