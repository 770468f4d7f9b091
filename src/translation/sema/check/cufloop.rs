//! Rules of CUF loops (guide 2.11; decisions 15 to 20).

use std::collections::{BTreeMap, BTreeSet};

use super::checker::*;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::model::loop_nest::MappedLoop;

impl Checker<'_> {
    pub(super) fn cuf_kernel(&mut self, k: &CufKernel) {
        match &k.body {
            Some(body) if k.typed_indices.is_some() => {
                let inside = body.span.start + 1;
                self.in_scope_at(inside, |c| c.cuf_loop(k));
            }
            _ => self.cuf_loop(k),
        }
    }

    /// Directives and clauses that only OpenACC is translated into.
    pub(super) fn openacc_directives(&mut self, body: &[Stmt]) {
        for s in body {
            let of_openacc = match &s.kind {
                StmtKind::CufKernel(k) => {
                    let m = &k.mapping;
                    m.gang || m.present || !m.on_device.is_empty()
                }
                _ => s.directive.is_some(),
            };
            if of_openacc {
                self.report(
                    "CUF0542",
                    s.span,
                    "the directive before this statement requires `--acc`\nhelp: pass `--acc`, or write the OpenACC directive",
                );
                continue;
            }
            if let StmtKind::CufKernel(k) = &s.kind {
                self.openacc_directives(k.body.as_deref().map_or(&[][..], std::slice::from_ref));
            }
            s.blocks()
                .into_iter()
                .for_each(|b| self.openacc_directives(b));
        }
    }

    fn note_private(&mut self, clauses: &CufKernel) {
        let names = clauses.local.iter();
        let found = names.filter_map(|n| self.model.lookup(self.scope, &n.0.text));
        self.private.extend(found);
    }

    /// The same of loops inside whose iterations the threads of a block share.
    fn private_inside(&mut self, body: &[Stmt]) {
        for s in body {
            if let Some(Directive::Loop { clauses, .. }) = s.directive.as_deref() {
                self.note_private(clauses);
            }
            s.blocks().into_iter().for_each(|b| self.private_inside(b));
        }
    }

    fn cuf_loop(&mut self, k: &CufKernel) {
        let scope = self.scope;
        let depth = match &k.depth {
            None => 1,
            Some(d) => match self.model.const_int(scope, d) {
                Some(n) if n >= 1 => n as usize,
                _ => {
                    self.report(
                        "CUF0370",
                        d.span,
                        "number of loops must be a positive integer constant",
                    );
                    return;
                }
            },
        };
        if let Some(l) = &k.launch {
            self.loop_configuration(l);
        }
        let Some(body) = &k.body else {
            self.report("CUF0371", k.directive, "no `do` loop follows the directive\nhelp: write the directive in the line before a counted `do` loop");
            return;
        };
        if !matches!(&body.kind, StmtKind::Do(d) if matches!(d.control, DoControl::Counted { .. }))
        {
            self.report(
                "CUF0371",
                k.directive,
                "loop after the directive must be a counted `do` loop\nhelp: write `do i = 1, n`",
            );
            return;
        }
        let loops = match self.model.loop_nest(self.file, scope, k, depth) {
            Ok(loops) => loops,
            Err(e) => {
                let message = format!(
                    "directive requires {depth} tightly nested `do` loops\nnote: {}\nhelp: write `do(n)` with the number of loops that follow each other directly",
                    e.reason
                );
                self.report("CUF0372", k.directive, message);
                return;
            }
        };
        if k.apart {
            let message = "statements between the `!$cuf kernel do` directive and its loop\nnote: they run on the host, once, before the loop starts\nhelp: move the directive to the line before its loop";
            self.report("CUF0371", k.directive, message).warning = true;
        }
        self.invariant_bounds(&loops);
        let Some(innermost) = loops.last() else {
            return;
        };
        self.loop_start = k.directive.start;
        self.origin = k.mapping.origin();
        self.private.clear();
        self.note_private(k);
        self.private_inside(std::slice::from_ref(body));
        let innermost = innermost.construct;
        let names = loops.iter().map(|l| l.stmt.name.clone());
        let mapped: Vec<Word> = names.flatten().map(|n| n.text).collect();
        let labels = labels_in(&innermost.body);
        let indices = loops.iter().filter_map(|l| match &l.construct.control {
            DoControl::Counted { var, .. } => self.model.lookup(self.scope, &var.text),
            _ => None,
        });
        let indices: BTreeSet<SymbolId> = indices.collect();
        let mut walker = Body {
            mapped,
            labels,
            inner_loops: 0,
            depends: indices.iter().map(|i| (*i, BTreeSet::from([*i]))).collect(),
            indices,
        };
        self.counting.clear();
        for l in &loops {
            self.counts(l.construct);
            self.cuf_body(l.before_next, &mut walker);
        }
        self.cuf_body(&innermost.body, &mut walker);
        self.counting.clear();
    }

    /// The values between the chevrons (guide 2.11.1).
    fn loop_configuration(&mut self, l: &CufLaunch) {
        for k in &l.unknown {
            let message = format!("execution configuration has no argument `{}=`", k.text);
            self.report("CUF0345", k.span, message);
        }
        if let Some(s) = l.surplus {
            self.report(
                "CUF0345",
                s,
                "too many values in the execution configuration\nhelp: write `<<<grid, block, bytes, stream>>>`",
            );
        }
        if l.block.is_empty() && l.unknown.is_empty() {
            self.report(
                "CUF0345",
                l.span,
                "execution configuration has no block size\nhelp: write `<<<grid, block>>>`",
            );
        }
        for (what, values, tuple) in [
            ("grid", &l.grid, l.grid_is_tuple),
            ("block", &l.block, l.block_is_tuple),
        ] {
            for e in values {
                let t = self.expr(e);
                let fits = match t.ty {
                    Type::Integer(_) | Type::Unknown => true,
                    Type::Derived(_) | Type::Opaque(_) => !tuple,
                    _ => matches!(t.kind, TExprKind::Star),
                };
                if !fits || t.rank > 0 {
                    let given = self.model.type_name(&t.ty);
                    let array = if t.rank > 0 { "an array of " } else { "" };
                    self.report(
                        "CUF0346",
                        e.span,
                        format!("{what} must be an integer or `type(dim3)`, not {array}{given}"),
                    );
                }
            }
        }
        for e in l.bytes.iter().chain(&l.stream) {
            let t = self.expr(e);
            if !matches!(t.ty, Type::Integer(_) | Type::Unknown) || t.rank > 0 {
                self.report(
                    "CUF0346",
                    e.span,
                    "value in the execution configuration must be a scalar integer",
                );
            }
        }
    }

    fn invariant_bounds(&mut self, loops: &[MappedLoop<'_>]) {
        let mut outer: Vec<SymbolId> = Vec::new();
        for l in loops {
            let DoControl::Counted {
                var,
                from,
                to,
                step,
            } = &l.construct.control
            else {
                continue;
            };
            let index = self.model.lookup(self.scope, &var.text);
            let index_name = self.slice(var.span).to_owned();
            if index
                .is_some_and(|s| !matches!(self.model.type_of(s), Type::Integer(_) | Type::Unknown))
            {
                self.report(
                    "CUF0444",
                    var.span,
                    format!("loop variable `{index_name}` of a mapped loop must be an integer"),
                );
            }
            for e in [Some(from), Some(to), step.as_ref()].into_iter().flatten() {
                self.bound_memory(e);
                let mut hit = None;
                let t = self.expr(e);
                t.walk(&mut |x| {
                    let changes = |s| self.model.stands_for(s).any(|s| outer.contains(&s));
                    if matches!(x.kind, TExprKind::Variable(s) if changes(s)) {
                        hit.get_or_insert(x.span);
                    }
                });
                if let Some(at) = hit {
                    let name = self.slice(at).to_owned();
                    self.report("CUF0373", at, format!("bounds of this mapped loop depend on an outer one: `{name}` changes with it\nnote: the bounds of a mapped loop must not change while the loops around it run"));
                }
            }
            outer.extend(index);
            self.assigned(l.before_next, &mut outer);
        }
    }

    /// The variables that the statements between mapped loops assign.
    fn assigned(&self, stmts: &[Stmt], out: &mut Vec<SymbolId>) {
        for s in stmts {
            if let StmtKind::Assign { lhs, .. } = &s.kind {
                let root = self.model.expr(self.scope, lhs).root();
                out.extend(root.into_iter().flat_map(|s| self.model.stands_for(s)));
            }
            s.blocks().into_iter().for_each(|b| self.assigned(b, out));
        }
    }

    /// Elements of device arrays are no bounds (guide 2.11.2): the host would have to wait for them.
    fn bound_memory(&mut self, e: &ast::Expr) {
        let t = self.expr(e);
        let element = |x: &TExpr| matches!(x.kind, TExprKind::Index { .. });
        if let Some((at, name)) = self.device_value(&t, &element) {
            self.report_help(
                "CUF0391",
                at,
                format!("bound of a mapped loop is an element of device array `{name}`\nnote: the host evaluates the bounds, and it cannot read device data"),
                "copy it to a host variable first",
            );
        }
    }

    fn cuf_body(&mut self, stmts: &[Stmt], w: &mut Body) {
        for s in stmts {
            self.cuf_stmt(s, w);
        }
    }

    fn cuf_stmt(&mut self, s: &Stmt, w: &mut Body) {
        self.integer_logic(s);
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                self.do_variable(lhs);
                let (l, r) = (self.expr(lhs), self.expr(rhs));
                self.device_target(&l);
                if l.rank == 0
                    || self.origin == LoopOrigin::Construct
                    || self.selects_own_elements(&l, w)
                {
                    if l.rank != 0 && self.origin == LoopOrigin::CufLoop {
                        self.section_statement(s.span, &l, &r);
                    }
                    w.depend(&l, &r);
                    self.standard_assignment(&l, &r);
                    self.cuf_expr(&l);
                    self.cuf_expr(&r);
                } else {
                    self.array_syntax(s.span);
                }
                return;
            }
            StmtKind::Where { .. } | StmtKind::Forall { .. }
                if self.origin == LoopOrigin::CufLoop =>
            {
                self.array_syntax(s.span);
                return;
            }
            StmtKind::Exit(_) | StmtKind::Goto(_) | StmtKind::Return(_) | StmtKind::Stop { .. } => {
                self.leaving(s, w)
            }
            // Output is what a kernel has of it (guide 3.6.7); lowering knows the forms.
            StmtKind::Read { .. } | StmtKind::Io { .. } => {
                self.report(
                    "CUF0378",
                    s.span,
                    format!(
                        "file input and output are not allowed in a {}",
                        self.origin.noun()
                    ),
                );
                return;
            }
            StmtKind::Allocate(_) | StmtKind::Deallocate { .. } => {
                self.report(
                    "CUF0378",
                    s.span,
                    format!(
                        "`allocate` and `deallocate` are not allowed in a {}",
                        self.origin.noun()
                    ),
                );
                return;
            }
            StmtKind::Call(call) => match self.model.call(self.scope, call) {
                ResolvedCall::User {
                    procedure,
                    target,
                    args,
                    ..
                } => {
                    self.cuf_callee(procedure, target, call.callee.span);
                    self.arguments(procedure, &args, call.callee.span);
                    args.iter().flatten().for_each(|a| self.cuf_expr(a));
                }
                ResolvedCall::Intrinsic { intrinsic, args } => {
                    self.fits_dummies(intrinsic, &args, call.callee.span);
                }
                _ => {}
            },
            _ => {}
        }
        for e in s.expressions() {
            let t = self.expr(e);
            self.standard_value(s, &t);
            self.cuf_expr(&t);
        }
        match &s.kind {
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                for b in branches {
                    self.cuf_body(&b.body, w);
                }
                if let Some(e) = else_block {
                    self.cuf_body(&e.body, w);
                }
            }
            StmtKind::LogicalIf { stmt, .. } => self.cuf_stmt(stmt, w),
            StmtKind::Do(d) => {
                w.inner_loops += 1;
                let counted = self.counts(d);
                self.cuf_body(&d.body, w);
                if counted {
                    self.counting.pop();
                }
                w.inner_loops -= 1;
            }
            StmtKind::Select(sel) => sel.cases.iter().for_each(|c| self.cuf_body(&c.body, w)),
            StmtKind::Block { body, header, .. } | StmtKind::Associate { body, header, .. } => {
                self.in_scope_at(header.end, |k| k.cuf_body(body, w));
            }
            _ => {}
        }
    }

    /// Statements that would leave the loop.
    fn leaving(&mut self, s: &Stmt, w: &Body) {
        let origin = self.origin.noun();
        match &s.kind {
            StmtKind::Exit(name) => {
                let leaves = match name {
                    None => w.inner_loops == 0,
                    Some(n) => w.mapped.contains(&n.text),
                };
                if leaves {
                    self.report("CUF0375", s.span, format!("`exit` cannot leave a {origin}"));
                }
            }
            StmtKind::Goto(label) if !w.labels.contains(label) => {
                self.report(
                    "CUF0376",
                    s.span,
                    format!("`go to` cannot leave a {origin}"),
                );
            }
            StmtKind::Return(_) => {
                self.report(
                    "CUF0377",
                    s.span,
                    format!("`return` cannot leave a {origin}"),
                );
            }
            StmtKind::Stop { .. } => {
                let message = format!("`stop` is not allowed in a {origin}");
                self.report("CUF0377", s.span, message);
            }
            _ => {}
        }
    }

    fn array_syntax(&mut self, span: Span) {
        let message =
            "array syntax is not allowed in a CUF loop\nhelp: write an explicit `do` loop";
        self.report("CUF0374", span, message);
    }

    /// Array syntax that becomes a sequential loop of the iteration, which the guide does not allow.
    fn section_statement(&mut self, span: Span, l: &TExpr, r: &TExpr) {
        let moves = r.rank == 0 || r.is_designator();
        let name = self.root_name(l);
        if moves {
            return;
        }
        let found = self.report(
            "CUF0482",
            span,
            format!("array assignment to `{name}` in a CUF loop runs as a sequential loop in each thread\nnote: array syntax is not allowed in a CUF loop (guide 2.11.2)"),
        );
        found.warning = true;
        found.help = Some("write a loop over the elements".to_owned());
    }

    /// The assignment only changes elements of its own iteration (docs/decisions.md, 290): a section whose subscripts depend on
    /// all mapped indices, or an array that every iteration has for itself.
    fn selects_own_elements(&self, l: &TExpr, w: &Body) -> bool {
        let vector = |t: &TExpr| {
            t.any(&mut |x| {
                matches!(&x.kind, TExprKind::Index { subs, .. }
                    if subs.iter().any(|s| matches!(s, Subscript::Vector(_))))
            })
        };
        if vector(l) {
            return false;
        }
        let own = l.root().is_some_and(|s| {
            let scope = &self.model[self.model[s].scope];
            scope.kind == ScopeKind::Block && scope.span.start > self.loop_start
        });
        own || w.selecting(l) == w.indices
    }

    fn cuf_callee(&mut self, procedure: SymbolId, target: ProcedureTarget, span: Span) {
        let known = self
            .model
            .procedure(procedure)
            .is_some_and(|p| p.body.is_some() && !p.external_module);
        if target == ProcedureTarget::Host && known && !self.model.is_acc_on_device(procedure) {
            let name = self.model[procedure].spelling.clone();
            self.report_help(
                "CUF0379",
                span,
                format!(
                    "host procedure `{name}` is called in a {}",
                    self.origin.noun()
                ),
                match self.origin {
                    LoopOrigin::CufLoop => {
                        "declare it `attributes(device)` or `attributes(host, device)`"
                    }
                    LoopOrigin::Construct => "write `!$acc routine seq` among its declarations",
                },
            );
        }
    }

    fn cuf_expr(&mut self, t: &TExpr) {
        self.mixed_constructors(t, true);
        self.mixed_arguments(t);
        let mut found: Vec<(&'static str, Span, String)> = Vec::new();
        let mut calls = Vec::new();
        let mut skip: Vec<Span> = Vec::new();
        // What the variables are the roots of: `fs%v`.
        let mut wholes: Vec<(Span, String)> = Vec::new();
        t.walk(&mut |e| match &e.kind {
            TExprKind::Intrinsic { intrinsic, args } if intrinsic.is_inquiry() => {
                let asked = |(i, _): &(usize, _)| intrinsic.asks_about(*i);
                let asked = args.iter().enumerate().filter(asked);
                skip.extend(asked.filter_map(|(_, a)| Some(a.as_ref()?.span)));
            }
            _ if e.base().is_some() => {
                let parts = std::iter::successors(Some(e), |x| x.base());
                let Some(root) = parts.last().filter(|r| r.root().is_some()) else {
                    return;
                };
                if !wholes.iter().any(|(span, _)| *span == root.span) {
                    wholes.push((root.span, self.root_name(e)));
                }
                // The data of such a component is in device memory, whatever holds the structure.
                if matches!(e.kind, TExprKind::Component { .. }) && self.is_device(e) {
                    skip.push(root.span);
                }
            }
            TExprKind::Variable(s) => {
                let Some(v) = self.model.variable(*s) else {
                    return;
                };
                // Of a BLOCK in the loop: every iteration has its own.
                let scope = &self.model[self.model[*s].scope];
                if scope.kind == ScopeKind::Block && scope.span.start > self.loop_start {
                    return;
                }
                let longer = !matches!(v.ty, Type::Character(CharacterLength::Constant(1)));
                if matches!(v.ty, Type::Character(_))
                    && longer
                    && matches!(v.space, Space::Host | Space::Thread)
                {
                    found.push((
                        "CUF0380",
                        e.span,
                        format!(
                            "character variable `{}` cannot be used in a {}",
                            self.model[*s].spelling,
                            self.origin.noun()
                        ),
                    ));
                } else if !v.dims.is_empty()
                    && matches!(v.space, Space::Host | Space::Pinned)
                    && self.origin == LoopOrigin::CufLoop
                    && !self.model.reaches(e)
                    && !self.private.contains(s)
                    && !skip.contains(&e.span)
                {
                    let whole = wholes.iter().find(|(span, _)| *span == e.span);
                    let name = whole.map_or_else(|| self.root_name(e), |(_, name)| name.clone());
                    found.push((
                        "CUF0381",
                        e.span,
                        format!("host array `{name}` cannot be used in a CUF loop\nhelp: declare it with the `device` or `managed` attribute, or copy it to a device array"),
                    ));
                }
            }
            TExprKind::Call {
                procedure, target, ..
            } => calls.push((*procedure, *target, e.span)),
            TExprKind::ImpliedDo { .. } => found.push((
                "CUF0374",
                e.span,
                format!("implied `do` is not allowed in a {}", self.origin.noun()),
            )),
            _ => {}
        });
        for (code, span, message) in found {
            self.report(code, span, message);
        }
        for (p, target, span) in calls {
            self.cuf_callee(p, target, span);
        }
        t.walk(&mut |e| self.standard_node(e));
    }
}

struct Body {
    /// Construct names of the mapped loops.
    mapped: Vec<Word>,
    /// Labels that may be jumped to.
    labels: Vec<u32>,
    inner_loops: usize,
    /// Variables of the mapped loops.
    indices: BTreeSet<SymbolId>,
    /// Those on which the value of a variable depends, as far as the text says up to here.
    depends: BTreeMap<SymbolId, BTreeSet<SymbolId>>,
}

impl Body {
    /// The mapped indices on which the value of an expression depends.
    fn dependence(&self, t: &TExpr) -> BTreeSet<SymbolId> {
        let mut out = BTreeSet::new();
        t.walk(&mut |x| {
            if let TExprKind::Variable(s) = &x.kind {
                out.extend(self.depends.get(s).into_iter().flatten());
            }
        });
        out
    }

    /// The mapped indices by which a designator's subscripts select its elements.
    fn selecting(&self, t: &TExpr) -> BTreeSet<SymbolId> {
        let mut out = t.base().map(|b| self.selecting(b)).unwrap_or_default();
        if let TExprKind::Index { subs, .. } = &t.kind {
            for s in subs {
                if let Subscript::Element(x) = s {
                    out.extend(self.dependence(x));
                }
            }
        }
        out
    }

    /// Notes what the value of a scalar variable depends on after an assignment.
    fn depend(&mut self, l: &TExpr, r: &TExpr) {
        if let TExprKind::Variable(s) = l.kind
            && l.rank == 0
        {
            let of_value = self.dependence(r);
            self.depends.insert(s, of_value);
        }
    }
}

pub(super) fn labels_in(stmts: &[Stmt]) -> Vec<u32> {
    let mut out = Vec::new();
    for s in stmts {
        out.extend(s.label.map(|l| l.value));
        match &s.kind {
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                branches.iter().for_each(|b| out.extend(labels_in(&b.body)));
                if let Some(e) = else_block {
                    out.extend(labels_in(&e.body));
                }
            }
            StmtKind::Do(d) => out.extend(labels_in(&d.body)),
            StmtKind::Block { body, .. } | StmtKind::Associate { body, .. } => {
                out.extend(labels_in(body))
            }
            StmtKind::Select(sel) => sel
                .cases
                .iter()
                .for_each(|c| out.extend(labels_in(&c.body))),
            _ => {}
        }
    }
    out
}
