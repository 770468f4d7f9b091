//! Executable statements of host code.

use super::intrinsic::ALLOCATED;
use super::{Exit, Pass, Within};
use crate::ast::*;
use crate::sema::call::ResolvedCall;
use crate::sema::model::*;

impl Pass<'_> {
    pub(super) fn block(&mut self, stmts: &[Stmt]) {
        for s in stmts {
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

    fn block_within(&mut self, within: Within, stmts: &[Stmt]) {
        let outer = std::mem::replace(&mut self.within, within);
        self.block(stmts);
        self.within = outer;
    }

    fn values<'e>(&mut self, items: impl IntoIterator<Item = &'e Expr>) {
        for e in items {
            let t = self.expr(e);
            self.value(&t);
        }
    }

    fn stmt_kind(&mut self, s: &Stmt) {
        self.statement = s.span;
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                if !self.is_statement_function(s) {
                    self.holding(s.span, |p| p.assignment(lhs, rhs, s.span));
                }
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                for e in [lhs, rhs] {
                    let t = self.expr(e);
                    self.subscripts(&t);
                }
            }
            StmtKind::Call(call) => self.holding(s.span, |p| p.call(call, s)),
            StmtKind::If {
                branches,
                else_block,
                end,
            } => {
                for (i, b) in branches.iter().enumerate() {
                    if i == 0 {
                        self.condition(&b.cond, s.named_span());
                    } else if s.name.is_none() {
                        self.else_condition(&b.cond, b.header, *end);
                    } else {
                        self.values([&b.cond]);
                    }
                    self.block(&b.body);
                }
                if let Some(e) = else_block {
                    self.block(&e.body);
                }
            }
            StmtKind::LogicalIf { cond, stmt } => self.logical_if(cond, stmt, s),
            StmtKind::ArithmeticIf { expr, labels } => {
                self.stays(labels, s.span);
                self.values([expr]);
            }
            StmtKind::Do(d) if d.label.is_none() && self.bounds_call(d) => {
                self.holding(s.span, |p| {
                    p.loop_bounds(d);
                    p.without_holding(|p| p.block(&d.body));
                });
            }
            StmtKind::Do(d) => {
                match &d.control {
                    DoControl::Counted { .. } => self.loop_bounds(d),
                    DoControl::While(c) if d.label.is_none() => self.loop_condition(c, d.header),
                    DoControl::While(c) => self.values([c]),
                    DoControl::Concurrent(h) => self.loop_header(h),
                    DoControl::Forever => {}
                }
                if let DoControl::Concurrent(_) = d.control {
                    self.block_within(Within::Pure, &d.body);
                } else {
                    self.block(&d.body);
                }
            }
            StmtKind::Select(sel) => self.select(sel, s.named_span()),
            StmtKind::Where { branches, .. } => {
                for b in branches {
                    self.values(&b.mask);
                    self.block_within(Within::Where, &b.body);
                }
            }
            StmtKind::Forall { header, body, .. } => {
                self.loop_header(header);
                self.block_within(Within::Pure, body);
            }
            StmtKind::Associate {
                items,
                body,
                header,
                ..
            } => {
                self.holding(s.named_span(), |p| {
                    for (_, e) in items {
                        let t = p.expr(e);
                        if t.is_designator() {
                            p.subscripts(&t);
                        } else {
                            p.value(&t);
                        }
                    }
                    p.without_holding(|p| p.in_scope_at(header.end, |p| p.block(body)));
                });
            }
            StmtKind::Block {
                spec,
                body,
                header,
                end,
            } => self.block_construct(spec, body, *header, *end),
            StmtKind::OtherBlock { body, .. } => self.block(body),
            StmtKind::ComputedGoto { index, labels } => {
                self.stays(labels, s.span);
                self.values([index]);
            }
            StmtKind::Return(_) => self.leave(s.span, |_| false),
            StmtKind::Stop { code, quiet, .. } => {
                self.values(code.as_deref().into_iter().chain(quiet.as_deref()))
            }
            StmtKind::Allocate(a) => self.holding(s.span, |p| p.allocate(a, s.span)),
            StmtKind::Deallocate { objects, options } => {
                self.holding(s.span, |p| p.deallocate(objects, options, s.span));
            }
            StmtKind::Nullify(objects) => {
                for o in objects {
                    let t = self.expr(o);
                    self.subscripts(&t);
                }
            }
            StmtKind::Print { items, .. } => {
                self.holding(s.span, |p| p.output_items(items));
            }
            StmtKind::Write { control, items } => {
                self.stays(&branches(control), s.span);
                self.values(
                    control
                        .iter()
                        .map(|c| &c.value)
                        .filter(|e| !matches!(e.kind, ExprKind::Star { .. })),
                );
                self.holding(s.span, |p| p.output_items(items));
            }
            StmtKind::Read { control, items } => {
                self.stays(&branches(control), s.span);
                for e in control.iter().map(|c| &c.value).chain(items) {
                    if !matches!(e.kind, ExprKind::Star { .. }) {
                        let t = self.expr(e);
                        self.subscripts(&t);
                    }
                }
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
                let lines = self.left_by(*label);
                self.insert_exits(lines, s.span);
            }
            StmtKind::AssignedGoto { labels, .. } => self.stays(labels, s.span),
            StmtKind::AssignLabel { .. }
            | StmtKind::Continue
            | StmtKind::Entry(_)
            | StmtKind::Format
            | StmtKind::Decl(_)
            | StmtKind::Io { .. }
            | StmtKind::Other => {}
        }
    }

    fn loop_bounds(&mut self, d: &Do) {
        if let DoControl::Counted { from, to, step, .. } = &d.control {
            self.values([from, to]);
            self.values(step);
        }
    }

    /// The bounds of a counted loop refer to functions in subscripts of designators that are evaluated more than once.
    fn bounds_call(&self, d: &Do) -> bool {
        let DoControl::Counted { from, to, step, .. } = &d.control else {
            return false;
        };
        let mut bounds = [from, to].into_iter().chain(step);
        bounds.any(|e| self.calls_again(&self.expr(e)))
    }

    fn loop_header(&mut self, h: &LoopHeader) {
        for (_, from, to, step) in &h.indices {
            self.values([from, to]);
            self.values(step);
        }
        self.values(&h.mask);
    }

    fn select(&mut self, sel: &Select, span: Span) {
        let t = self.expr(&sel.selector);
        if sel.kind == SelectKind::Case {
            self.condition(&sel.selector, span);
        } else {
            self.subscripts(&t);
        }
        for c in &sel.cases {
            self.in_scope_at(c.header.end, |p| p.block(&c.body));
        }
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
            labels,
            ..Exit::default()
        });
        self.block(body);
        self.insert_entry(body.first().map(Stmt::start), end.start, &enter);
        if let Some(exit) = self.exits.pop() {
            self.insert_before_line(end.start, &exit.statements, 2);
        }
        self.scope = saved;
    }

    /// `if (c) stmt`: becomes an IF construct when the statement turned into several.
    fn logical_if(&mut self, cond: &Expr, inner: &Stmt, s: &Stmt) {
        self.condition(cond, s.span);
        let text = self.with_edits(inner.span, |p| p.stmt_kind(inner));
        if text == self.slice(inner.span) || !text.contains(['\n', ';']) {
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
        let mut lines = Vec::new();
        for e in self.exits.iter().rev() {
            lines.extend(e.statements.iter().cloned());
            if e.procedure || last(e) {
                break;
            }
        }
        self.insert_exits(lines, span);
    }

    fn insert_exits(&mut self, lines: Vec<String>, span: Span) {
        if !lines.is_empty() {
            self.unit.runtime = true;
            let indent = self.indent_at(span.start);
            let text = match lines.len() {
                1 => lines.join("; ") + "; ",
                _ => lines.join(&format!("\n{indent}")) + &format!("\n{indent}"),
            };
            self.edits.insert(span.start, text);
        }
    }

    /// What the BLOCKs have to free that a branch to a label leaves.
    fn left_by(&self, label: u32) -> Vec<String> {
        let frames = self.exits.iter().rev();
        let left = frames.take_while(|e| !e.procedure && !e.labels.contains(&label));
        left.flat_map(|e| e.statements.iter().cloned()).collect()
    }

    /// Reports a statement that may go to one of these labels or to the next statement, if that leaves a BLOCK that has data to
    /// free.
    fn stays(&mut self, labels: &[u32], span: Span) {
        let leaves = |label: &u32| !self.left_by(*label).is_empty();
        if labels.iter().any(leaves) {
            self.leaves_owners(span);
        }
    }

    fn call(&mut self, call: &Call, s: &Stmt) {
        let labels = call.args.iter().filter_map(|a| match a.value.kind {
            ExprKind::Star { label } => label,
            _ => None,
        });
        self.stays(&labels.collect::<Vec<_>>(), s.span);
        match self.model.call(self.scope, call) {
            ResolvedCall::User {
                procedure,
                target,
                args,
                generic,
            } => {
                self.name_specific(generic, procedure, call.callee.span);
                let dummies = self.dummies(procedure);
                if call.launch.is_some()
                    && matches!(
                        target,
                        ProcedureTarget::Global | ProcedureTarget::GridGlobal
                    )
                {
                    self.launch(call);
                }
                self.call_actuals(&args, &dummies);
            }
            ResolvedCall::Bound {
                procedure, args, ..
            } => {
                let dummies = procedure.map(|p| self.dummies(p)).unwrap_or_default();
                if call.launch.is_some() {
                    self.launch(call);
                }
                self.call_actuals(&args, &dummies);
            }
            ResolvedCall::Runtime { name, args, .. } => {
                let any_type = !name.starts_with("c_");
                args.iter()
                    .for_each(|(_, a)| self.runtime_actual(a, any_type))
            }
            ResolvedCall::Intrinsic { name, args } if name == "move_alloc" => {
                self.move_alloc(&args, s.span)
            }
            ResolvedCall::Intrinsic { args, .. } => {
                args.iter().flatten().for_each(|a| self.value(a))
            }
            ResolvedCall::Unknown { args, .. } => {
                if call.launch.is_some() {
                    self.launch(call);
                }
                args.iter().for_each(|(_, a)| self.runtime_actual(a, false));
            }
        }
    }

    /// `<<<grid, block, bytes, stream>>>(args)` becomes `(cuf_launch(grid, block, bytes, stream), args)`.
    fn launch(&mut self, call: &Call) {
        let Some(launch) = &call.launch else { return };
        self.unit.runtime = true;
        let open = Span {
            start: call.callee.span.end,
            end: launch.span.start + 3,
        };
        self.edits.replace(open, "(cuf_launch(");
        for a in &launch.args {
            if let ExprKind::Star { .. } = a.value.kind {
                self.edits.replace(a.value.span, "cuf_star");
            } else {
                let t = self.expr(&a.value);
                self.value(&t);
            }
        }
        let close = launch.span.end - 3;
        match call.args_span {
            Some(args) => {
                let separator = if call.args.is_empty() { ")" } else { "), " };
                self.edits.replace(
                    Span {
                        start: close,
                        end: args.start + 1,
                    },
                    separator,
                );
            }
            None => self.edits.replace(
                Span {
                    start: close,
                    end: launch.span.end,
                },
                "))",
            ),
        }
    }

    /// `call move_alloc(from, to)` of data that became pointers.
    fn move_alloc(&mut self, args: &[Option<crate::sema::typed::TExpr>], span: Span) {
        let [Some(from), Some(to), ..] = args else {
            return;
        };
        if self.may_own(&to.ty) {
            let text = self.repeated_text(to);
            let indent = self.indent_at(span.start);
            let finish = self.finish(&text, &to.ty, to.rank, Some(ALLOCATED));
            let text: String = finish.iter().map(|l| format!("{l}\n{indent}")).collect();
            self.unit.runtime = true;
            self.edits.insert(span.start, text);
        }
        if !self.became_pointer(from) || !self.became_pointer(to) {
            self.subscripts(from);
            self.repeated(|p| p.subscripts(to));
            return;
        }
        self.unit.runtime = true;
        let (f, t) = (self.repeated_text(from), self.repeated_text(to));
        let release = self.release_text(&t, &to.ty);
        self.edits
            .replace(span, format!("{release}; {t} => {f}; nullify({f})"));
    }
}

/// The labels of statements, those inside constructs included.
fn labels_in(stmts: &[Stmt], labels: &mut Vec<u32>) {
    for s in stmts {
        labels.extend(s.label.map(|l| l.value));
        for b in s.blocks() {
            labels_in(b, labels);
        }
    }
}

/// The labels that ERR=, END= and EOR= name.
fn branches(control: &[Arg]) -> Vec<u32> {
    let label = |a: &Arg| match (&a.keyword, &a.value.kind) {
        (Some(k), ExprKind::Integer { digits, .. })
            if matches!(k.text.as_str(), "err" | "end" | "eor") =>
        {
            digits.parse().ok()
        }
        _ => None,
    };
    control.iter().filter_map(label).collect()
}
