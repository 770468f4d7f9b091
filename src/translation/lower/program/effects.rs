//! What the statements of one procedure or loop do: the names they mention, the dummies they change, the procedures they call.

use std::collections::{BTreeMap, BTreeSet};

use super::sharing::{of_runtime, of_volatile};
use crate::ast::{self, *};
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::sides::Side;
use crate::sema::model::*;

use crate::ir::function::Sync;
use crate::ir::function::{Changes, Home};
use crate::lower::library::device_names::{bulk, device_procedure};

/// The facts of one body; `spec` are the declarations of a whole procedure.
pub(in crate::translation::lower) fn body_facts(
    model: &Model,
    scope: ScopeId,
    body: &[Stmt],
    spec: Option<&[Decl]>,
) -> Facts {
    let mut w = Walker {
        model,
        facts: Facts::default(),
        at: 0,
        loops: 0,
        storing: None,
        implied: Vec::new(),
    };
    w.block(scope, body);
    w.facts.changes.values_mut().for_each(|c| c.sort_unstable());
    // Bounds of dummies and locals mention other variables.
    if spec.is_some() {
        w.declared(scope);
        for s in model[scope].names.values().copied() {
            if model[s].scope != scope {
                continue;
            }
            // What is INTENT(OUT) is freed on entry, or gets the default values of its type.
            if let Some(v) = model.variable(s)
                && v.intent == Some(ast::Intent::Out)
            {
                if v.attrs.has(VarAttrs::ALLOCATABLE) {
                    w.facts.associated.insert(s);
                    w.facts.modified.insert(s);
                } else if matches!(v.ty, Type::Derived(_) | Type::Class(_)) {
                    w.facts.modified.insert(s);
                }
            }
        }
    }
    let hidden: Vec<_> = w
        .facts
        .mentioned
        .iter()
        .copied()
        .filter(|s| is_hidden(model, *s))
        .collect();
    w.facts.hidden.extend(hidden);
    let of_module = |s: &&SymbolId| {
        let known = model.variable(**s).is_some();
        known
            && matches!(
                model[model[**s].scope].kind,
                ScopeKind::Module | ScopeKind::Submodule
            )
    };
    w.facts.module = w
        .facts
        .mentioned
        .iter()
        .filter(of_module)
        .copied()
        .collect();
    w.facts
}

struct Walker<'m> {
    model: &'m Model,
    facts: Facts,
    /// Start of the statement.
    at: u32,
    /// How many loops are around it.
    loops: usize,
    /// What is changed now is changed behind this place at the earliest.
    storing: Option<u32>,
    /// Indices of the implied DO loops around an expression.
    implied: Vec<SymbolId>,
}

impl Walker<'_> {
    fn block(&mut self, scope: ScopeId, body: &[Stmt]) {
        let model = self.model;
        let reached = |s: &&Stmt| !model.is_unreached(scope, s.span, Side::Device);
        for s in body.iter().filter(reached) {
            self.stmt(scope, s);
        }
    }

    /// Bounds of what a scope declares mention other variables and constants.
    fn declared(&mut self, scope: ScopeId) {
        let model = self.model;
        for s in model[scope].names.values().copied() {
            if model[s].scope != scope {
                continue;
            }
            for d in model.dims(s) {
                match d {
                    Dim::Explicit { lower, upper } => lower
                        .as_deref()
                        .into_iter()
                        .chain([upper])
                        .for_each(|e| self.expr(scope, e)),
                    Dim::Colon { lower } | Dim::AssumedSize { lower } => {
                        lower.iter().for_each(|e| self.expr(scope, e))
                    }
                    Dim::AssumedRank => {}
                }
            }
        }
    }

    fn expr(&mut self, scope: ScopeId, e: &ast::Expr) {
        let t = self.model.expr(scope, e);
        self.typed(&t);
    }

    fn modify(&mut self, scope: ScopeId, e: &ast::Expr) {
        let t = self.model.designator(scope, e);
        self.typed(&t);
        self.root_modified(&t);
    }

    fn root_modified(&mut self, t: &TExpr) {
        for s in self.roots(t) {
            self.changes(s);
            self.facts.modified.insert(s);
        }
    }

    /// The statement may change the variable.
    fn changes(&mut self, s: SymbolId) {
        let all = self.facts.changes.entry(s).or_default();
        if all.last() != Some(&self.at) {
            all.push(self.at);
        }
        let behind = self.storing.unwrap_or(0);
        let first = self.facts.stored_behind.entry(s).or_insert(behind);
        *first = behind.min(*first);
    }

    /// An assignment to one element, outside of loops, stores behind all that it reads.
    fn store(&mut self, scope: ScopeId, lhs: &ast::Expr, statement: Span) {
        let t = self.model.designator(scope, lhs);
        self.typed(&t);
        self.storing = (t.rank <= 0 && self.loops == 0).then_some(statement.end);
        self.root_modified(&t);
        self.storing = None;
    }

    /// The root of a designator, and what it stands for if it is an associate name.
    fn roots(&self, t: &TExpr) -> Vec<SymbolId> {
        let mut out = Vec::new();
        let mut at = t.root();
        while let Some(s) = at {
            if out.contains(&s) {
                break;
            }
            out.push(s);
            at = match &self.model[s].kind {
                SymbolKind::Associate { expr, outer, .. } => self.model.expr(*outer, expr).root(),
                _ => None,
            };
        }
        out
    }

    /// The call that a defined assignment is.
    fn defined(
        &self,
        scope: ScopeId,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
    ) -> Option<(SymbolId, Vec<Option<TExpr>>)> {
        let (l, r) = (self.model.expr(scope, lhs), self.model.expr(scope, rhs));
        let p = self.model.defined_assignment(scope, &l, &r)?;
        Some((p, vec![Some(l), Some(r)]))
    }

    /// The statement changes what the object is associated with.
    fn associate(&mut self, scope: ScopeId, e: &ast::Expr) {
        let t = self.model.expr(scope, e);
        match &t.kind {
            TExprKind::Variable(s) => {
                self.facts.associated.insert(*s);
            }
            TExprKind::Index { base, .. } => {
                if let TExprKind::Variable(s) = base.kind {
                    self.facts.associated.insert(s);
                }
            }
            _ => {}
        }
    }

    /// Assignment to a whole allocatable may allocate it anew (F2018 10.2.1.3).
    fn reallocates(&mut self, scope: ScopeId, lhs: &ast::Expr, rhs: &ast::Expr) {
        let l = self.model.expr(scope, lhs);
        if let TExprKind::Variable(s) = l.kind
            && self
                .model
                .variable(s)
                .is_some_and(|v| v.attrs.has(VarAttrs::ALLOCATABLE))
            && (l.rank == 0 || self.model.expr(scope, rhs).rank > 0)
        {
            self.facts.associated.insert(s);
        }
    }

    fn name(&mut self, scope: ScopeId, n: &Name, modified: bool) -> Option<SymbolId> {
        let s = self.model.lookup(scope, &n.text)?;
        self.facts.mentioned.insert(s);
        if modified {
            self.changes(s);
            self.facts.modified.insert(s);
        }
        Some(s)
    }

    fn actual(&mut self, a: &TExpr, callee: Option<(ScopeId, usize)>, by_value: bool) {
        if by_value {
            return;
        }
        for root in self.roots(a) {
            self.facts.by_reference.insert(root);
            self.changes(root);
            match callee {
                Some((c, i)) => self.facts.edges.push((root, c, i)),
                None => {
                    self.facts.modified.insert(root);
                }
            }
        }
    }

    fn user_call(&mut self, procedure: SymbolId, args: &[Option<TExpr>]) {
        let p = self.model.procedure(procedure);
        let body = p.and_then(|p| p.body);
        if super::effects::is_dummy_procedure(self.model, procedure) {
            self.facts.calls_dummy = true;
        } else if let Some(b) = body {
            self.facts.calls.insert(b);
        } else {
            self.facts.externals.insert(procedure);
        }
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a else { continue };
            self.typed(a);
            if let TExprKind::ProcedureName(f) = a.kind
                && !super::effects::is_dummy_procedure(self.model, f)
            {
                self.facts.passed.insert(f);
                let body = self.model.procedure(f).and_then(|p| p.body);
                self.facts.calls.extend(body);
            }
            let dummy = p
                .and_then(|p| p.dummies.get(i))
                .copied()
                .flatten()
                .and_then(|d| self.model.variable(d));
            let by_value = dummy.is_some_and(|v| v.attrs.has(VarAttrs::VALUE));
            self.actual(a, body.map(|b| (b, i)), by_value);
        }
    }

    fn typed(&mut self, t: &TExpr) {
        match &t.kind {
            TExprKind::Constant { symbol: Some(s) } => {
                self.facts.mentioned.insert(*s);
            }
            // The index of an implied DO is a variable of its own.
            TExprKind::Variable(s) if self.implied.contains(s) => {}
            TExprKind::ImpliedDo {
                items,
                var,
                from,
                to,
                step,
            } => {
                let limits = [from, to].into_iter().chain(step);
                limits.for_each(|e| self.typed(e));
                self.implied.push(*var);
                items.iter().for_each(|e| self.typed(e));
                self.implied.pop();
            }
            TExprKind::Variable(s) => {
                let pointer = |v: &Variable| {
                    v.attrs.has(VarAttrs::POINTER) || v.attrs.has(VarAttrs::CRAY_POINTEE)
                };
                self.facts.pointers |= self.model.variable(*s).is_some_and(pointer);
                self.facts.mentioned.insert(*s);
                self.facts.mentions.entry(*s).or_default().push(t.span);
                match &self.model[*s].kind {
                    SymbolKind::Associate { expr, outer, .. } => {
                        self.facts.associates = true;
                        self.expr(*outer, expr);
                    }
                    SymbolKind::Variable(v) if v.attrs.has(VarAttrs::VOLATILE) => {
                        let sync = of_volatile(self.model, *s);
                        self.facts.volatile |= sync != Sync::Never;
                        self.sync(sync);
                    }
                    _ => {}
                }
            }
            TExprKind::Call {
                procedure, args, ..
            }
            | TExprKind::BoundCall {
                procedure, args, ..
            } => {
                self.user_call(*procedure, args);
            }
            TExprKind::StatementFunctionCall { args, function } => {
                args.iter().for_each(|a| self.typed(a));
                if let SymbolKind::StatementFunction(f) = &self.model[*function].kind {
                    let (scope, expr) = (self.model[*function].scope, f.expr.clone());
                    self.expr(scope, &expr);
                }
            }
            TExprKind::Intrinsic { args, .. } => {
                args.iter().flatten().for_each(|a| self.typed(a));
            }
            TExprKind::Runtime { args, name, .. } => {
                let values = args.iter().map(|(_, a)| a);
                self.sync(of_runtime(self.model, name, values));
                args.iter().for_each(|(_, a)| self.typed(a));
                match changes(name) {
                    Some(Changes::First) => self.first_modified(args.iter().map(|(_, a)| a)),
                    // The second result of these comes through the last argument.
                    Some(Changes::Last) => {
                        if let Some((_, a)) = args.last() {
                            self.root_modified(a);
                            // CUDA's functions take its address.
                            if takes_address(name) {
                                self.actual(a, None, false);
                            }
                        }
                    }
                    _ => {}
                }
            }
            TExprKind::Component { base, .. } => {
                let field = self.model.component(t);
                self.facts.pointers |= field.is_some_and(|f| f.attrs.has(VarAttrs::POINTER));
                self.typed(base);
            }
            _ => t.for_each_child(&mut |e| self.typed(e)),
        }
    }

    /// Threads can learn this of each other here.
    fn sync(&mut self, of: Sync) {
        self.facts.sync = self.facts.sync.max(of);
    }

    fn first_modified<'t>(&mut self, args: impl IntoIterator<Item = &'t TExpr>) {
        if let Some(a) = args.into_iter().next() {
            self.root_modified(a);
            self.actual(a, None, false);
        }
    }

    fn call(&mut self, scope: ScopeId, c: &Call) {
        for a in c.launch.iter().flat_map(|l| &l.args) {
            self.expr(scope, &a.value);
            // The kernel runs beside this one.
            self.sync(Sync::Memory);
        }
        match self.model.call(scope, c) {
            ResolvedCall::User {
                procedure, args, ..
            } => self.user_call(procedure, &args),
            ResolvedCall::Bound {
                procedure: Some(p),
                args,
                ..
            } => self.user_call(p, &args),
            ref resolved @ (ResolvedCall::Bound { ref args, .. }
            | ResolvedCall::Intrinsic { ref args, .. }) => {
                if matches!(resolved, ResolvedCall::Bound { .. }) {
                    self.sync(Sync::Memory);
                }
                if let Some(Some(TExpr {
                    kind: TExprKind::Variable(s),
                    ..
                })) = args.first()
                    && self
                        .model
                        .variable(*s)
                        .is_some_and(|v| v.attrs.has(VarAttrs::ALLOCATABLE))
                {
                    // MOVE_ALLOC
                    let both = args.iter().flatten().filter_map(TExpr::root);
                    self.facts.associated.extend(both);
                }
                for a in args.iter().flatten() {
                    self.typed(a);
                    self.actual(a, None, false);
                }
            }
            ref resolved @ (ResolvedCall::Runtime { ref args, .. }
            | ResolvedCall::Unknown { ref args, .. }) => {
                if let ResolvedCall::Runtime { name, .. } = resolved {
                    self.facts.bulk |= bulk(name).is_some();
                }
                self.sync(match resolved {
                    ResolvedCall::Runtime { name, .. } => {
                        let values = args.iter().map(|(_, a)| a);
                        of_runtime(self.model, name, values)
                    }
                    _ => Sync::Memory,
                });
                for (_, a) in args {
                    self.typed(a);
                    self.actual(a, None, false);
                }
            }
        }
    }

    /// The scope inside a construct that declares names.
    fn inner(&self, scope: ScopeId, span: Span) -> ScopeId {
        inner_scope(self.model, scope, span)
    }

    fn loop_var(&mut self, scope: ScopeId, n: &Name, span: Span) {
        if let Some(s) = self.name(scope, n, true) {
            self.facts.loops.entry(s).or_default().push(span);
        }
    }

    /// What threads learn of each other where a directive says how they share the statement.
    fn directive(&mut self, s: &Stmt) {
        match s.directive.as_deref() {
            Some(Directive::Atomic(_)) => self.sync(Sync::Memory),
            Some(Directive::Loop { level, .. }) if *level != LoopLevel::Seq => {
                self.facts.shares_loops = true;
                self.facts.of_block = true;
                self.sync(Sync::Threads);
            }
            _ => return,
        }
        self.facts.device_only = true;
    }

    fn stmt(&mut self, scope: ScopeId, s: &Stmt) {
        self.at = s.span.start;
        self.directive(s);
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => match self.defined(scope, lhs, rhs) {
                Some((p, args)) => self.user_call(p, &args),
                None => {
                    self.store(scope, lhs, s.span);
                    self.expr(scope, rhs);
                    self.reallocates(scope, lhs, rhs);
                }
            },
            StmtKind::PointerAssign { lhs, rhs } => {
                self.associate(scope, lhs);
                self.modify(scope, lhs);
                self.modify(scope, rhs);
            }
            StmtKind::Call(c) => self.call(scope, c),
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                for b in branches {
                    self.expr(scope, &b.cond);
                    self.block(scope, &b.body);
                }
                if let Some(e) = else_block {
                    self.block(scope, &e.body);
                }
            }
            StmtKind::LogicalIf { cond, stmt } => {
                self.expr(scope, cond);
                self.block(scope, std::slice::from_ref(stmt));
            }
            StmtKind::ArithmeticIf { expr, .. } => {
                self.facts.has_goto = true;
                self.expr(scope, expr);
            }
            StmtKind::Goto(_) => self.facts.has_goto = true,
            StmtKind::AssignLabel { label, var } => {
                self.facts.assigned_labels.insert(*label);
                self.name(scope, var, true);
            }
            StmtKind::AssignedGoto { var, .. } => {
                self.facts.has_goto = true;
                self.name(scope, var, false);
            }
            StmtKind::ComputedGoto { index, .. } => {
                self.facts.has_goto = true;
                self.expr(scope, index);
            }
            StmtKind::Do(d) => {
                self.loops += 1;
                self.do_construct(scope, d, s.span);
                self.loops -= 1;
            }
            StmtKind::Forall { header, body, .. } => {
                self.loops += 1;
                self.header(scope, header, body, s.span);
                self.loops -= 1;
            }
            StmtKind::Select(sel) => {
                self.expr(scope, &sel.selector);
                let inner = self.inner(scope, s.span);
                for c in &sel.cases {
                    if let CaseGuard::Values(v) = &c.guard {
                        v.iter().for_each(|e| self.expr(scope, e));
                    }
                    self.block(inner, &c.body);
                }
            }
            StmtKind::Where { branches, .. } => {
                for b in branches {
                    b.mask.iter().for_each(|e| self.expr(scope, e));
                    self.block(scope, &b.body);
                }
            }
            StmtKind::Associate { items, body, .. } => {
                items.iter().for_each(|(_, e)| self.expr(scope, e));
                let inner = self.inner(scope, s.span);
                self.block(inner, body);
            }
            StmtKind::Block { body, .. } => {
                let inner = self.inner(scope, s.span);
                if inner != scope {
                    self.declared(inner);
                }
                self.block(inner, body);
            }
            StmtKind::OtherBlock { body, .. } => self.block(scope, body),
            StmtKind::Print { items, .. } => items.iter().for_each(|e| self.expr(scope, e)),
            StmtKind::Write { control, items } => {
                control.iter().for_each(|a| self.expr(scope, &a.value));
                items.iter().for_each(|e| self.expr(scope, e));
            }
            StmtKind::Read { items, .. } => items.iter().for_each(|e| self.modify(scope, e)),
            StmtKind::Allocate(a) => self.allocate(scope, a),
            StmtKind::Deallocate { objects, options } => {
                for e in objects {
                    self.associate(scope, e);
                    self.modify(scope, e);
                }
                options.iter().for_each(|o| self.modify(scope, &o.value));
            }
            StmtKind::Nullify(objects) => {
                for e in objects {
                    self.associate(scope, e);
                    self.modify(scope, e);
                }
            }
            StmtKind::Stop { code: Some(c), .. } => self.expr(scope, c),
            StmtKind::CufKernel(k) => {
                if let Some(b) = &k.body {
                    self.stmt(scope, b);
                }
            }
            _ => {}
        }
    }

    fn do_construct(&mut self, scope: ScopeId, d: &ast::Do, span: Span) {
        match &d.control {
            DoControl::Counted {
                var,
                from,
                to,
                step,
            } => {
                self.loop_var(scope, var, span);
                self.expr(scope, from);
                self.expr(scope, to);
                step.iter().for_each(|e| self.expr(scope, e));
                self.block(scope, &d.body);
            }
            DoControl::While(c) => {
                self.expr(scope, c);
                self.block(scope, &d.body);
            }
            DoControl::Concurrent(h) => self.header(scope, h, &d.body, span),
            DoControl::Forever => self.block(scope, &d.body),
        }
    }

    fn allocate(&mut self, scope: ScopeId, a: &ast::Allocate) {
        for o in &a.objects {
            self.associate(scope, &o.object);
            self.modify(scope, &o.object);
            for d in o.bounds.iter().flat_map(|b| &b.dims) {
                if let DimSpec::Explicit { lower, upper } = d {
                    lower
                        .as_deref()
                        .into_iter()
                        .chain([upper])
                        .for_each(|e| self.expr(scope, e));
                }
            }
        }
        for o in &a.options {
            match o.keyword.as_ref().map(|k| k.text.as_str()) {
                Some("source" | "mold") => self.expr(scope, &o.value),
                _ => self.modify(scope, &o.value),
            }
        }
    }

    fn header(&mut self, scope: ScopeId, h: &LoopHeader, body: &[Stmt], span: Span) {
        let inner = self.inner(scope, span);
        for (n, _) in &h.local {
            self.name(scope, n, false);
        }
        for (n, from, to, step) in &h.indices {
            self.loop_var(inner, n, span);
            self.expr(inner, from);
            self.expr(inner, to);
            step.iter().for_each(|e| self.expr(inner, e));
        }
        h.mask.iter().for_each(|e| self.expr(inner, e));
        self.block(inner, body);
    }
}

/// The scope that a construct opens inside `scope`, or `scope` itself if it opens none.
pub fn inner_scope(model: &Model, scope: ScopeId, construct: Span) -> ScopeId {
    let within = |c: &ScopeId| {
        let s = &model[*c];
        matches!(s.kind, ScopeKind::Block | ScopeKind::Associate) && s.span.end == construct.end
    };
    let children = &model[scope].children;
    let first = children.partition_point(|c| model[*c].span.start < construct.start);
    let rest = children.get(first..).unwrap_or_default().iter().copied();
    rest.take_while(|c| model[*c].span.start <= construct.end)
        .find(within)
        .unwrap_or(scope)
}

/// Which arguments a procedure of the device modules changes.
pub fn changes(name: &str) -> Option<Changes> {
    device_procedure(name).map(|f| f.facts().changes)
}

/// The procedure is a function of CUDA, which gets addresses, not references.
fn takes_address(name: &str) -> bool {
    device_procedure(name).is_some_and(|f| f.spelling().0 == Home::Cuda)
}

/// A dummy argument that is a procedure.
pub fn is_dummy_procedure(model: &Model, s: SymbolId) -> bool {
    match &model[s].kind {
        SymbolKind::Procedure(p) => p.kind == ProcedureKind::Dummy,
        SymbolKind::Variable(v) => v.dummy.is_some() && v.attrs.has(VarAttrs::EXTERNAL),
        _ => false,
    }
}

/// A module variable that device code reaches through a hidden argument: its address and shape are known on the host only.
pub fn is_hidden(model: &Model, symbol: SymbolId) -> bool {
    let s = &model[symbol];
    let Some(v) = model.variable(symbol) else {
        return false;
    };
    matches!(
        model[s.scope].kind,
        ScopeKind::Module | ScopeKind::Submodule
    ) && (v.attrs.is_dynamic() || model.is_reached_module_data(symbol))
}

/// Facts about one device procedure or CUF loop body.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Variables that the body may change, its callees included.
    pub modified: BTreeSet<SymbolId>,
    /// Pointers and allocatables whose association or allocation the body may change, its callees included.
    pub associated: BTreeSet<SymbolId>,
    /// Starts of the statements that change a variable or pass it to a procedure that may, in order.
    pub(in crate::translation::lower) changes: BTreeMap<SymbolId, Vec<u32>>,
    /// Variables passed as actual arguments to dummies that are not by value.
    pub by_reference: BTreeSet<SymbolId>,
    /// Variables that occur at all.
    pub mentioned: BTreeSet<SymbolId>,
    /// Device procedures called.
    pub calls: BTreeSet<ScopeId>,
    /// Procedures called of which the statement shows no body.
    pub(in crate::translation::lower) externals: BTreeSet<SymbolId>,
    /// A dummy procedure is called.
    pub(in crate::translation::lower) calls_dummy: bool,
    /// Procedures passed as arguments.
    pub(in crate::translation::lower) passed: BTreeSet<SymbolId>,
    /// What the threads that run the body can learn of each other, its callees included.
    pub sync: Sync,
    /// Volatile data that other threads reach is accessed, by its callees included.
    pub volatile: bool,
    /// The procedure itself has shared data copied in bulk, which the copy engine wants aligned.
    pub bulk: bool,
    /// Data is reached through pointers, by its callees included.
    pub pointers: bool,
    /// Module variables needed as hidden arguments, callees' included.
    pub hidden: BTreeSet<SymbolId>,
    /// Module variables that occur, callees' included.
    pub(in crate::translation::lower) module: BTreeSet<SymbolId>,
    /// Root of an actual argument, callee and position: the actual changes if the dummy does.
    pub(in crate::translation::lower) edges: Vec<(SymbolId, ScopeId, usize)>,
    /// Where each variable is mentioned, and the loops that each variable controls.
    pub mentions: BTreeMap<SymbolId, Vec<Span>>,
    pub loops: BTreeMap<SymbolId, Vec<Span>>,
    pub has_goto: bool,
    /// It has loops whose iterations the threads of a block share.
    pub shares_loops: bool,
    /// The same of it or a procedure that it calls, and of directives that only device code obeys.
    pub of_block: bool,
    pub device_only: bool,
    /// Associate names are mentioned.
    associates: bool,
    /// A place behind which alone each variable is changed, 0 where nothing is known of it.
    stored_behind: BTreeMap<SymbolId, u32>,
    /// Labels that ASSIGN gives to variables.
    pub assigned_labels: BTreeSet<u32>,
}

/// What a body's callees add to its facts.
#[derive(Default)]
pub struct Inherited {
    pub modified: Vec<SymbolId>,
    pub associated: Vec<SymbolId>,
    pub hidden: Vec<SymbolId>,
    pub(in crate::translation::lower) module: Vec<SymbolId>,
    pub sync: Option<Sync>,
    pub of_block: bool,
    pub device_only: bool,
    pub volatile: bool,
    pub pointers: bool,
}

impl Facts {
    /// A statement within `span` may change the value of the variable, which has no other name there.
    pub fn changed_in(&self, s: SymbolId, span: Span) -> bool {
        let changes = self.changes.get(&s).map_or(&[][..], Vec::as_slice);
        let first = changes.partition_point(|at| *at < span.start);
        self.modified.contains(&s) && changes.get(first).is_some_and(|at| *at < span.end)
    }

    /// Of two variables the body only reads one, and to store to the other is the last that it does: whether both are one makes no
    /// difference to a thread, not even where the compiler reads later than the source. (A value that is used behind the store could be read there.)
    pub(in crate::translation::lower) fn reads_before_it_stores(
        &self,
        a: SymbolId,
        b: SymbolId,
    ) -> bool {
        let before = |read: SymbolId, stored: SymbolId| {
            let behind = self.stored_behind.get(&stored);
            let mut mentions = self.mentions.values().flatten();
            !self.modified.contains(&read)
                && behind.is_some_and(|at| mentions.all(|m| m.end <= *at))
        };
        !self.has_goto && !self.associates && (before(a, b) || before(b, a))
    }
}

impl Inherited {
    pub(in crate::translation::lower) fn is_nothing(&self) -> bool {
        self.modified.is_empty()
            && self.associated.is_empty()
            && self.hidden.is_empty()
            && self.module.is_empty()
            && self.sync.is_none()
            && !self.of_block
            && !self.device_only
            && !self.volatile
            && !self.pointers
    }

    pub(in crate::translation::lower) fn add_to(self, f: &mut Facts) {
        f.modified.extend(self.modified);
        f.associated.extend(self.associated);
        f.hidden.extend(self.hidden);
        f.module.extend(self.module);
        f.sync = self.sync.unwrap_or(f.sync);
        f.of_block |= self.of_block;
        f.device_only |= self.device_only;
        f.volatile |= self.volatile;
        f.pointers |= self.pointers;
    }
}
