//! Executable statements of host code.

pub(in crate::translation::host) mod alloc;
pub(in crate::translation::host) mod assign;
pub(in crate::translation::host) mod branch;
pub(in crate::translation::host) mod concurrent;

use crate::ast::*;
use crate::host::context::names::{ALLOCATED, CUF, H2D, STAR};
use crate::host::context::rules::{Statements, Values};
use crate::host::context::{Exit, Held, HostRewriter, Within, labels_in};
use crate::host::statement::branch::{Branch, alternate_returns, io_branches};
use crate::intrinsics::{Intrinsic, Subroutine, System};
use crate::map::Rule;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::TExprKind;
use crate::sema::model::dialect::MemoryMode;
use crate::sema::model::sides::Side;
use crate::sema::model::*;

impl Statements for HostRewriter<'_> {
    fn stmt_kind(&mut self, s: &Stmt) {
        self.statement = s.span;
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                if self.is_statement_function(s) {
                    self.without_holding(|p| p.values_of([rhs]));
                } else {
                    self.holding(s.span, |p| p.assignment(lhs, rhs, s.span));
                }
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                self.holding(s.span, |p| p.designators([lhs, rhs]));
                let target = self.expr(rhs);
                self.refers_by_interface(&target);
                self.reach_target(lhs, rhs, s.span);
            }
            StmtKind::Call(call) => {
                let branches = alternate_returns(&call.args);
                self.stays(&branches, s.span);
                self.holding_branches(s.span, &branches, |p| p.call(call, s));
            }
            StmtKind::If {
                branches,
                else_block,
                end,
            } => self.if_construct(branches, else_block.as_ref(), *end, s),
            StmtKind::LogicalIf { cond, stmt } => self.logical_if(cond, stmt, s),
            StmtKind::ArithmeticIf { expr, labels } => {
                self.stays_at(labels, s.span);
                self.selector(expr, s.span);
            }
            StmtKind::Do(d) => self.do_construct(d, s),
            StmtKind::Select(sel) => self.select(sel, s),
            StmtKind::Where { branches, .. } => self.where_construct(branches, s),
            StmtKind::Forall { header, body, .. } => {
                self.loop_header(header);
                self.block_within(Within::Pure, body);
            }
            StmtKind::Associate {
                items,
                body,
                header,
                ..
            } => self.associate(items, body, *header, s),
            StmtKind::Block {
                spec,
                body,
                header,
                end,
            } => self.block_construct(spec, body, *header, *end),
            StmtKind::OtherBlock { body, .. } => self.block(body),
            StmtKind::ComputedGoto { index, labels } => {
                self.stays_at(labels, s.span);
                self.selector(index, s.span);
            }
            StmtKind::Return(which) => {
                if let Some(e) = which {
                    self.selector(e, s.span);
                }
                self.leave(s.span, |_| false);
            }
            StmtKind::Stop { code, quiet, .. } => {
                let codes = code.as_deref().into_iter().chain(quiet.as_deref());
                self.holding(s.span, |p| p.values_of(codes));
            }
            StmtKind::Allocate(a) => self.holding(s.span, |p| p.allocate(a, s.span)),
            StmtKind::Deallocate { objects, options } => {
                self.holding(s.span, |p| p.deallocate(objects, options, s.span));
            }
            StmtKind::Nullify(objects) => self.holding(s.span, |p| p.designators(objects)),
            StmtKind::Print { format, items } => {
                self.blank_after_keyword(s.span);
                self.holding(s.span, |p| {
                    p.faulty_format(format);
                    p.output_items(items);
                });
            }
            StmtKind::Write { control, items } => {
                self.input_output(control, s, |p| {
                    p.control_format(control, false);
                    p.output_items(items);
                });
            }
            StmtKind::Read { control, items } => {
                // What stands behind the first item may depend on it.
                let (first, others) = items.split_at(items.len().min(1));
                self.blank_after_keyword(s.span);
                self.input_output(control, s, |p| {
                    p.control_format(control, true);
                    p.designators(first);
                    p.without_holding(|p| p.designators(others));
                });
            }
            StmtKind::Io { word, control } => {
                if word == "open" {
                    self.file_names(control);
                }
                self.input_output(control, s, |_| ());
            }
            StmtKind::CufKernel(k) => self.holding(s.span, |p| p.cuf_loop(k, s.span)),
            StmtKind::Cycle(name) | StmtKind::Exit(name) => {
                let name = name.as_ref().map(|n| n.text.as_str());
                self.leave(s.span, |e| match name {
                    Some(n) => e.name.as_deref() == Some(n),
                    None => e.is_loop,
                });
            }
            StmtKind::Goto(label) => {
                self.leave_frames(self.left_by(*label), s.span);
            }
            StmtKind::AssignedGoto { labels, .. } => self.stays_at(labels, s.span),
            StmtKind::Format => self.format_statement(s.span),
            StmtKind::AssignLabel { .. }
            | StmtKind::Continue
            | StmtKind::Entry(_)
            | StmtKind::Decl(_)
            | StmtKind::Other => {}
        }
    }
}

impl HostRewriter<'_> {
    pub(in crate::translation::host) fn block(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            if self.is_of_device(s) {
                continue;
            }
            let is_loop = matches!(s.kind, StmtKind::Do(_));
            if !is_loop && s.name.is_none() {
                self.stmt_kind(s);
                continue;
            }
            self.exits.push(Exit {
                is_loop,
                name: s.name.as_ref().map(|n| n.text.to_string()),
                ..Exit::default()
            });
            self.stmt_kind(s);
            self.exits.pop();
        }
    }

    /// What a procedure for both sides does on the device alone is not in its host version.
    fn is_of_device(&mut self, s: &Stmt) -> bool {
        let of_device = (self.model).is_unreached(self.scope, s.span, Side::Host);
        if of_device {
            self.edits
                .replace(Rule::DeviceCodeGone, s.named_span(), "continue");
        }
        of_device
    }

    /// After `p => t`: whether devices reach the target of a unified pointer is known when the program runs (guide 3.2.3).
    fn reach_target(&mut self, pointer: &Expr, target: &Expr, statement: Span) {
        let typed = |e| self.model.designator(self.scope, e);
        let (p, t) = (typed(pointer), typed(target));
        if self.model.dialect.memory == MemoryMode::Unified
            || self.within != Within::Ordinary
            || self.model.space(&p) != Some(Space::Unified)
            || !matches!(self.model.space(&t), Some(Space::Host | Space::Pinned))
            || matches!(t.kind, TExprKind::Null)
        {
            return;
        }
        // Its bounds (`p(0:) => t`) are not part of the pointer.
        let name = self.slice(match &p.kind {
            TExprKind::Index { base, .. } => base.span,
            _ => pointer.span,
        });
        let variable = match &t.kind {
            TExprKind::Index { base, .. } => &base.kind,
            whole => whole,
        };
        let is_there = match variable {
            TExprKind::Variable(s) => {
                (self.model.variable(*s)).is_some_and(|v| !v.attrs.has(VarAttrs::POINTER))
            }
            _ => false,
        };
        let call = format!("call cuf_reach({name})");
        let call = match is_there {
            true => call,
            false => format!("if (associated({name})) {call}"),
        };
        self.unit.runtime = true;
        let indent = self.indent_at(statement.start);
        self.edits
            .insert(Rule::Attributes, statement.end, format!("\n{indent}{call}"));
    }

    fn block_within(&mut self, within: Within, stmts: &[Stmt]) {
        let outer = std::mem::replace(&mut self.within, within);
        self.block(stmts);
        self.within = outer;
    }

    /// Designators, of whose device data nothing is copied, and values.
    fn designators<'e>(&mut self, items: impl IntoIterator<Item = &'e Expr>) {
        for e in items {
            let t = self.model.designator(self.scope, e);
            self.subscripts(&t);
        }
    }

    fn values_of<'e>(&mut self, items: impl IntoIterator<Item = &'e Expr>) {
        for e in items {
            let t = self.expr(e);
            self.value(&t);
        }
    }

    fn do_construct(&mut self, d: &Do, s: &Stmt) {
        // Statements cannot stand behind the last one of a labelled loop.
        if d.label.is_none() && matches!(d.control, DoControl::Counted { .. }) {
            let head = |p: &mut Self| {
                p.loop_bounds(d);
                p.device_counter(d);
            };
            return self.holding_around(s, head, |p| p.block(&d.body));
        }
        let ends = self.needs_end_do(d);
        if ends {
            self.drop_loop_label(d);
        }
        match &d.control {
            DoControl::Counted { .. } => self.loop_bounds(d),
            DoControl::While(c) => self.loop_condition(c, d, d.label.filter(|_| !ends)),
            DoControl::Concurrent(h) => {
                self.locality(d, h, s);
                self.loop_header(h);
            }
            DoControl::Forever => {}
        }
        if let DoControl::Concurrent(_) = d.control {
            self.block_within(Within::Pure, &d.body);
        } else {
            self.block(&d.body);
        }
        if ends {
            let indent = self.indent_at(s.span.start);
            self.edits
                .insert(Rule::ControlFlow, s.span.end, format!("\n{indent}end do"));
        }
    }

    fn where_construct(&mut self, branches: &[WhereBranch], s: &Stmt) {
        let (first, others) = match branches.split_first() {
            Some((first, others)) => (Some(first), others),
            None => (None, &[][..]),
        };
        self.holding(s.named_span(), |p| {
            p.values_of(first.and_then(|b| b.mask.as_ref()));
            p.masked(|p| {
                first
                    .into_iter()
                    .for_each(|b| p.block_within(Within::Where, &b.body));
                for b in others {
                    p.values_of(&b.mask);
                    p.block_within(Within::Where, &b.body);
                }
            });
        });
    }

    fn associate(&mut self, items: &[(Name, Expr)], body: &[Stmt], header: Span, s: &Stmt) {
        let selectors = |p: &mut Self| {
            for (_, e) in items {
                let t = p.expr(e);
                if t.is_designator() {
                    p.subscripts(&t);
                } else {
                    p.value(&t);
                }
            }
        };
        let body = |p: &mut Self| p.in_scope_at(header.end, |p| p.block(body));
        self.holding_around(s, selectors, body);
    }

    fn loop_bounds(&mut self, d: &Do) {
        if let DoControl::Counted { from, to, step, .. } = &d.control {
            self.values_of([from, to]);
            self.values_of(step);
        }
    }

    /// A DO variable in device memory: a host variable counts, and each iteration, and what stands behind the loop, finds its value there.
    fn device_counter(&mut self, d: &Do) {
        let DoControl::Counted { var, .. } = &d.control else {
            return;
        };
        let symbol = self.model.lookup(self.scope, &var.text);
        let Some(v) = symbol.and_then(|s| self.model.variable(s)).cloned() else {
            return;
        };
        if !Model::is_device_space(v.space) {
            return;
        }
        let device = self.slice(var.span).to_owned();
        let name = self.held_name(&var.text);
        let copy = self.copy_text(H2D, &device, &v.ty, (&name, None));
        let declaration = format!("{} :: {name}", self.local_type(&v.ty));
        self.hold_variable(Held {
            declaration,
            set: Vec::new(),
            release: vec![copy.clone()],
            end: None,
            at: None,
            name: name.clone(),
        });
        self.edits.replace(Rule::HostTemporary, var.span, name);
        let indent = self.indent_at(d.header.start);
        self.edits.insert(
            Rule::HostTemporary,
            d.header.end,
            format!("\n{indent}  {copy}"),
        );
    }

    fn loop_header(&mut self, h: &LoopHeader) {
        for (_, from, to, step) in &h.indices {
            self.values_of([from, to]);
            self.values_of(step);
        }
        // Evaluated for each index: only pure functions there.
        let outer = std::mem::replace(&mut self.within, Within::Pure);
        self.values_of(&h.mask);
        self.within = outer;
    }

    fn select(&mut self, sel: &Select, s: &Stmt) {
        let cases = |p: &mut Self| {
            for (k, c) in sel.cases.iter().enumerate() {
                if p.dropped_guard(sel, k) {
                    continue;
                }
                if let (SelectKind::Case, CaseGuard::Values(values)) = (sel.kind, &c.guard) {
                    let ty = p.expr(&sel.selector).ty;
                    values.iter().for_each(|v| p.case_value(v, &ty));
                }
                p.in_scope_at(c.header.end, |p| p.block(&c.body));
            }
        };
        if sel.kind == SelectKind::Case {
            self.selector(&sel.selector, s.named_span());
            cases(self);
        } else {
            self.holding_around(s, |p| p.designators([&sel.selector]), cases);
        }
    }

    /// A value or range of CASE, which takes the type of the selector.
    fn case_value(&mut self, value: &Expr, ty: &Type) {
        match &value.kind {
            ExprKind::Slice { .. } => value.for_each_child(&mut |c| self.case_value(c, ty)),
            _ => {
                let t = self.expr(value);
                self.value_as(&t, ty);
            }
        }
    }

    fn if_construct(
        &mut self,
        branches: &[IfBranch],
        else_block: Option<&ElseBlock>,
        end: Span,
        s: &Stmt,
    ) {
        // Behind an ELSE IF that became a construct of its own, ELSE belongs to that, which has no name.
        let mut nested = false;
        let name = |p: &mut Self, header: Span| {
            let text = p.slice(header);
            if let Some(name) = &s.name
                && text.to_ascii_lowercase().ends_with(name.text.as_str())
            {
                let start = header.end - name.text.len() as u32;
                p.edits.delete(Rule::Dialect, Span { start, ..header });
            }
        };
        for (i, b) in branches.iter().enumerate() {
            if i == 0 {
                self.condition(&b.cond, s.named_span());
            } else if self.else_condition(&b.cond, b.header, end) {
                nested = true;
            } else if nested {
                name(self, b.header);
            }
            self.block(&b.body);
        }
        if let Some(e) = else_block {
            if nested {
                name(self, e.header);
            }
            self.block(&e.body);
        }
    }

    /// A statement that transfers data or deals with files: what it names in parentheses, and its items.
    fn input_output(&mut self, control: &[Arg], s: &Stmt, items: impl FnOnce(&mut Self)) {
        let branches = io_branches(control);
        self.stays(&branches, s.span);
        self.holding_branches(s.span, &branches, |p| {
            let values = control.iter().map(|c| &c.value);
            let values = values.filter(|e| !matches!(e.kind, ExprKind::Star { .. }));
            p.values_of(values);
            items(p);
        });
    }

    /// Runs `f` in the scope of the construct body that begins at `offset`.
    fn in_scope_at(&mut self, offset: u32, f: impl FnOnce(&mut Self)) {
        let inner = self.model.scope_at(self.file, offset).unwrap_or(self.scope);
        let saved = std::mem::replace(&mut self.scope, inner);
        f(self);
        self.scope = saved;
    }

    /// BLOCK: its device variables live as long as the block.
    fn block_construct(&mut self, spec: &[Decl], body: &[Stmt], header: Span, end: Span) {
        let inner = self
            .model
            .scope_at(self.file, header.end)
            .unwrap_or(self.scope);
        let saved = std::mem::replace(&mut self.scope, inner);
        let entry = self.declarations(spec, inner, false);
        let enter = entry.statements();
        let mut labels = Vec::new();
        labels_in(body, &mut labels);
        self.exits.push(Exit {
            statements: entry.exit,
            freed: entry.freed,
            labels,
            ..Exit::default()
        });
        self.block(body);
        self.insert_entry(
            Rule::ScopeExit,
            body.first().map(Stmt::start),
            end.start,
            &enter,
        );
        if let Some(exit) = self.exits.pop() {
            self.insert_before_line(Rule::ScopeExit, end.start, &exit.statements, 2);
        }
        self.scope = saved;
    }

    /// `if (c) stmt`: becomes an IF construct when the statement turned into several, or into an IF statement, which cannot
    /// stand in another.
    fn logical_if(&mut self, cond: &Expr, inner: &Stmt, s: &Stmt) {
        self.condition(cond, s.span);
        if self.is_of_device(inner) {
            return;
        }
        let text = self.with_edits(inner.span, |p| p.stmt_kind(inner));
        let one = !text.contains(['\n', ';']) && !text.starts_with("if (");
        if text == self.slice(inner.span) || one {
            // One statement: make its edits in place.
            self.stmt_kind(inner);
            return;
        }
        let close = self.slice(Span {
            start: cond.span.end,
            end: inner.span.start,
        });
        let Some(paren) = close.find(')') else { return };
        let at = cond.span.end + paren as u32 + 1;
        let indent = self.indent_at(s.span.start);
        let body: String = text
            .split('\n')
            .map(|l| format!("{indent}  {}\n", l.trim_start()))
            .collect();
        self.edits.replace(
            Rule::ControlFlow,
            Span {
                start: at,
                end: s.span.end,
            },
            format!(" then\n{body}{indent}end if"),
        );
    }

    /// A statement that leaves BLOCKs frees their local device data: RETURN that of the procedure, too, EXIT and CYCLE that of
    /// the frames inside the first one for which `last` holds.
    fn leave(&mut self, span: Span, last: impl Fn(&Exit) -> bool) {
        let mut left = 0;
        for e in self.exits.iter().rev() {
            left += 1;
            if e.procedure || last(e) {
                break;
            }
        }
        self.leave_frames(left, span);
    }

    /// Puts what the `count` innermost frames free in front of a statement that leaves them.
    fn leave_frames(&mut self, count: usize, span: Span) {
        let model = self.model;
        let frames = || self.exits.iter().rev().take(count);
        let hidden = |s: &&SymbolId| model.lookup(self.scope, &model[**s].name) != Some(**s);
        let hidden = frames().flat_map(|e| &e.freed).find(hidden).copied();
        let lines: Vec<String> = frames().flat_map(|e| &e.statements).cloned().collect();
        if let Some(s) = hidden {
            let name = &model[s].spelling;
            self.finding("CUF0423", span, format!("branch leaves the scope of `{name}`, whose device data it cannot free\nnote: another variable or associate name hides `{name}`\nhelp: rename one of the two"));
            return;
        }
        if !lines.is_empty() {
            self.unit.runtime = true;
            let indent = self.indent_at(span.start);
            let text = match lines.len() {
                1 => lines.join("; ") + "; ",
                _ => lines.join(&format!("\n{indent}")) + &format!("\n{indent}"),
            };
            self.edits.insert(Rule::ScopeExit, span.start, text);
        }
    }

    /// The innermost frames that a branch to a label leaves.
    fn left_by(&self, label: u32) -> usize {
        let frames = self.exits.iter().rev();
        let left = frames.take_while(|e| !e.procedure && !e.labels.contains(&label));
        left.count()
    }

    /// Reports a statement that may go to one of these labels or to the next statement, if that leaves a BLOCK that has data to
    /// free.
    fn stays(&mut self, branches: &[Branch], span: Span) {
        let labels: Vec<u32> = branches.iter().map(|b| b.label).collect();
        self.stays_at(&labels, span);
    }

    fn stays_at(&mut self, labels: &[u32], span: Span) {
        let leaves = |label: &u32| {
            let mut left = self.exits.iter().rev().take(self.left_by(*label));
            left.any(|e| !e.statements.is_empty())
        };
        if labels.iter().any(leaves) {
            self.leaves_owners(span);
        }
    }

    fn call(&mut self, call: &Call, s: &Stmt) {
        if self.operation_of_call(s.span) {
            return;
        }
        match self.model.call(self.scope, call) {
            ResolvedCall::User {
                procedure,
                target,
                args,
                generic,
            } => {
                self.unit.refers.insert(procedure);
                self.name_specific(generic, procedure, call.callee.span, &args);
                self.follow(Some(procedure), &args);
                let dummies = self.dummies(procedure);
                if call.launch.is_some()
                    && matches!(
                        target,
                        ProcedureTarget::Global | ProcedureTarget::GridGlobal
                    )
                {
                    self.launch(call);
                } else if call.launch.is_some() {
                    // The checks let it pass only where it never runs.
                    self.edits.replace(Rule::Launch, s.span, "continue");
                    return;
                }
                self.call_actuals(&args, &dummies);
            }
            ResolvedCall::Bound {
                procedure,
                args,
                dynamic,
            } => {
                self.follow(procedure.filter(|_| !dynamic), &args);
                if let (Some(p), ExprKind::Component { base, name }) =
                    (procedure, &call.callee.kind)
                    && let Type::Derived(of) | Type::Class(of) = self.expr(base).ty
                {
                    self.name_binding(of, p, name.span);
                }
                self.unit.refers.extend(procedure);
                let dummies = procedure.map(|p| self.dummies(p)).unwrap_or_default();
                if call.launch.is_some() {
                    self.launch(call);
                }
                self.call_actuals(&args, &dummies);
            }
            ResolvedCall::Runtime { module, name, args } => {
                if self.device_function(&module, &name, call.callee.span) {
                    return args.iter().for_each(|(_, a)| self.value(a));
                }
                if name == "c_f_pointer" {
                    self.scalar_shape(&args);
                }
                self.runtime_actuals(&name, &args);
            }
            ResolvedCall::Intrinsic {
                intrinsic: Intrinsic::Subroutine(Subroutine::MoveAlloc),
                args,
            } => self.move_alloc(&args, s.span),
            ResolvedCall::Intrinsic {
                intrinsic: Intrinsic::System(System::RandomSeed),
                args,
            } => self.seed(&args),
            ResolvedCall::Intrinsic { args, .. } => {
                args.iter().flatten().for_each(|a| self.value(a))
            }
            ResolvedCall::Unknown { args, .. } => {
                if call.launch.is_some() {
                    self.edits.replace(Rule::Launch, s.span, "continue");
                    return;
                }
                let actuals: Vec<_> = args.iter().map(|(_, a)| Some(a.clone())).collect();
                self.follow(None, &actuals);
                args.iter().for_each(|(_, a)| self.runtime_actual(a, false));
            }
        }
    }

    /// `<<<grid, block, bytes, stream>>>(args)` becomes `(cuf_launch(grid, block, bytes, stream), args)`. Where the author breaks the
    /// line before or after the chevrons it stays broken.
    fn launch(&mut self, call: &Call) {
        let Some(launch) = &call.launch else { return };
        self.unit.runtime = true;
        let name_end = call.callee.span.end;
        let first = launch.span.start;
        let open = format!("{CUF}launch(");
        if self.breaks(name_end, first) {
            self.edits.insert(Rule::Launch, name_end, "(");
            self.replace_launch(first, first + 3, &open);
        } else {
            self.replace_launch(name_end, first + 3, &format!("({open}"));
        }
        for a in &launch.args {
            if let ExprKind::Star { .. } = a.value.kind {
                self.edits.replace(Rule::Launch, a.value.span, STAR);
            } else {
                let t = self.expr(&a.value);
                self.value(&t);
            }
        }
        let last = launch.span.end;
        match call.args_span {
            Some(args) if call.args.is_empty() => {
                self.replace_launch(last - 3, args.start + 1, ")");
            }
            Some(args) if self.breaks(last, args.start) && !self.ends_line(args.start + 1) => {
                let gap = self.slice(Span {
                    start: last,
                    end: args.start,
                });
                let blank = if gap.starts_with('&') { " " } else { "" };
                self.replace_launch(last - 3, last, &format!("),{blank}"));
                let rest = self.slice(Span {
                    start: args.start + 1,
                    end: args.end,
                });
                let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                self.replace_launch(args.start, args.start + 1 + blanks as u32, "");
            }
            Some(args) => {
                let end = args.start + 1;
                let is_apart = self
                    .slice(Span {
                        start: end,
                        end: args.end,
                    })
                    .starts_with(char::is_whitespace);
                self.replace_launch(last - 3, end, if is_apart { ")," } else { "), " });
            }
            None => self.replace_launch(last - 3, last, "))"),
        }
    }

    fn replace_launch(&mut self, start: u32, end: u32, text: &str) {
        self.edits.replace(Rule::Launch, Span { start, end }, text);
    }

    /// Nothing of the statement is on the line from this place on.
    fn ends_line(&self, start: u32) -> bool {
        let end = self.line_end(start);
        let rest = self.slice(Span { start, end }).trim_start();
        rest.is_empty() || rest.starts_with(['&', '!'])
    }

    /// The statement goes on on another line between these places, and lines of the preprocessor are not among its own.
    fn breaks(&self, start: u32, end: u32) -> bool {
        self.slice(Span { start, end }).contains('\n') && !(self.interrupted)(start, end)
    }

    /// `call move_alloc(from, to)` of data that became pointers.
    fn move_alloc(&mut self, args: &[Option<crate::sema::expression::typed::TExpr>], span: Span) {
        let [Some(from), Some(to), ..] = args else {
            return;
        };
        if self.owners.may_own(&to.ty) {
            let text = self.repeated_text(to);
            let indent = self.indent_at(span.start);
            let finish = self.finish(&text, &to.ty, to.rank, Some(ALLOCATED));
            let text: String = finish.iter().map(|l| format!("{l}\n{indent}")).collect();
            self.unit.runtime = true;
            self.edits.insert(Rule::Owner, span.start, text);
        }
        if !self.became_pointer(from) || !self.became_pointer(to) {
            self.subscripts(from);
            self.repeated(|p| p.subscripts(to));
            return;
        }
        self.unit.runtime = true;
        let (f, t) = (self.repeated_text(from), self.repeated_text(to));
        let release = self.release_text(&t, &to.ty);
        self.edits.replace(
            Rule::Allocation,
            span,
            format!("{release}; {t} => {f}; nullify({f})"),
        );
    }
}
