//! Executable statements.

pub(in crate::translation::lower) mod assign;
pub(in crate::translation::lower) mod atomic;
pub(in crate::translation::lower) mod branch;
pub(in crate::translation::lower) mod comments;
pub(in crate::translation::lower) mod control;
pub(in crate::translation::lower) mod forall;
pub(in crate::translation::lower) mod indices;
pub(in crate::translation::lower) mod masked;
pub(in crate::translation::lower) mod output;
pub(in crate::translation::lower) mod pointer;

use crate::ast::{self, Span, Stmt, StmtKind as Ast};
use crate::ir::{self, *};
use crate::lower::context::origins::origin;
use crate::lower::context::rules::{Designators, Statements};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::to_bool;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::sides::Side;
use crate::sema::model::suggestions::untranslatable;
use crate::sema::model::*;

/// Gives the statements, and those inside, that have no place in the source yet the place `origin`.
fn place(body: &mut [ir::Stmt], origin: Origin) {
    for s in body {
        s.at.get_or_insert(origin.start);
        s.origin = s.origin.or(origin);
        s.blocks_mut().into_iter().for_each(|b| place(b, origin));
    }
}

impl LoweringContext<'_, '_> {
    /// The comment on the line of an ELSE or ELSE IF stands first in its block.
    fn header_remark(&self, body: &mut Vec<ir::Stmt>, header: u32) {
        let Some(remark) = comments::trailing(&self.input, header) else {
            return;
        };
        match body.first_mut() {
            Some(first) => first.notes.above.insert(0, Some(remark)),
            None => body.push(ir::Stmt {
                kind: StmtKind::Empty,
                at: None,
                origin: Origin::default(),
                notes: Notes {
                    above: vec![Some(remark)],
                    ..Notes::default()
                },
            }),
        }
    }

    fn labelled(&mut self, s: &Stmt) -> Vec<ir::Stmt> {
        let mut out = Vec::new();
        if let Some(l) = s.label
            && self.label_used(l.value)
        {
            out.push(StmtKind::Label(format!("label_{}", l.value)).into());
        }
        let (pre, stmts) = self.with_hoisted(|cx| cx.stmt(s));
        out.extend(self.scoped(pre, stmts));
        out
    }

    fn label_used(&self, _label: u32) -> bool {
        self.facts.has_goto
    }

    /// One statement; temporaries go to the innermost collection.
    pub fn stmt(&mut self, s: &Stmt) -> Vec<ir::Stmt> {
        if self.model().is_unreached(self.scope, s.span, Side::Device) {
            return Vec::new();
        }
        let outer = std::mem::replace(&mut self.at, s.span.start);
        let step = self.step(s);
        let stmts = self.within(s.span, |cx| match &step {
            Some(step) => cx.stmt_together(s, step, |cx| cx.stmt_of_kind(s)),
            None => cx.stmt_of_kind(s),
        });
        self.at = outer;
        stmts
    }

    fn stmt_of_kind(&mut self, s: &Stmt) -> Vec<ir::Stmt> {
        if let Some(ast::Directive::Atomic(atomic)) = s.directive.as_deref() {
            return self.atomic_assignment(s, atomic);
        }
        if let Some((_, clauses)) = crate::lower::block::shared_loop(s) {
            return self.shared_loop(s, clauses);
        }
        match &s.kind {
            Ast::Assign { lhs, rhs } => self.assignment(s, lhs, rhs),
            Ast::PointerAssign { lhs, rhs } => self.pointer_assign(lhs, rhs),
            Ast::Call(c) => self.call_stmt(c, s.span),
            Ast::If {
                branches,
                else_block,
                end,
            } => self.if_construct(s, branches, else_block.as_ref(), *end),
            Ast::LogicalIf { cond, stmt } => {
                match self.model().truth_on(self.scope, cond, Side::Device) {
                    Some(true) => self.stmt(stmt),
                    Some(false) => Vec::new(),
                    None => vec![self.logical_if(cond, stmt)],
                }
            }
            Ast::ArithmeticIf { expr, labels } => self.arithmetic_if(expr, *labels),
            Ast::Do(d) => self.do_construct(s, d),
            Ast::Select(sel) => self.select(s, sel),
            Ast::Where { branches, .. } => self.where_stmt(branches, s.span),
            Ast::Forall { header, body, .. } => self.forall(header, body, s.span),
            Ast::Associate {
                items,
                body,
                header,
                end,
            } => self.associate(s, items, body, *header, *end),
            Ast::Block {
                body,
                header,
                end,
                spec,
            } => self.block(s, (spec, body), *header, *end),
            Ast::Cycle(name) => self.cycle(name.as_ref(), s.span),
            Ast::Exit(name) => self.exit(name.as_ref(), s.span),
            Ast::Goto(label) => vec![self.goto(*label)],
            Ast::ComputedGoto { labels, index } => self.computed_goto(labels, index),
            Ast::Continue | Ast::Format => Vec::new(),
            Ast::Return(None) => vec![self.return_stmt(s.span)],
            Ast::Return(Some(_)) => {
                self.refuse(
                    s.span,
                    "CUF0307",
                    "device procedure cannot have an alternate return\nhelp: write `return`, and assign the result of a function to its name",
                );
                Vec::new()
            }
            Ast::Stop { .. } => vec![self.stop(s.span)],
            Ast::Print { format, items } => {
                self.listed_print(format, s.span);
                self.print(items)
            }
            Ast::Write { control, items } => {
                self.listed_write(control, s.span);
                self.print(items)
            }
            Ast::Decl(_) | Ast::Other => Vec::new(),
            Ast::Nullify(objects) => self.nullify(objects),
            Ast::Allocate(a) => self.allocate(a, s.span),
            Ast::Deallocate { objects, options } => self.deallocate(objects, options),
            Ast::Read { .. } | Ast::Io { .. } => {
                self.refuse(
                    s.span,
                    "CUF0330",
                    "this input/output statement is not allowed in device code",
                );
                Vec::new()
            }
            Ast::AssignLabel { label, var } => self.assign_label(*label, var),
            Ast::AssignedGoto { var, labels } => self.assigned_goto(var, labels),
            Ast::Entry(_) | Ast::OtherBlock { .. } => {
                self.refuse(
                    s.span,
                    "CUF0442",
                    "this statement is not allowed in device code (guide 3.6.11)",
                );
                Vec::new()
            }
            Ast::CufKernel(_) => {
                self.refuse(
                    s.span,
                    "CUF0333",
                    "a CUF loop is not allowed in device code",
                );
                Vec::new()
            }
        }
    }

    fn logical_if(&mut self, cond: &ast::Expr, stmt: &Stmt) -> ir::Stmt {
        let t = self.typed(cond);
        let c = self.condition(&t);
        let (mut body, stmts) = self.with_hoisted(|cx| cx.stmt(stmt));
        body.extend(stmts);
        ir::Stmt::when(c, body)
    }

    fn stop(&mut self, span: Span) -> ir::Stmt {
        if self.capture.is_some() {
            self.refuse(
                span,
                "CUF0377",
                format!("`stop` is not allowed in a {}", self.loop_noun()),
            );
        }
        ir::Stmt::expr(Expr::call(Function::Stop, Vec::new(), ir::Type::Void))
    }

    /// PRINT of device code is list-directed.
    fn listed_print(&mut self, format: &ast::Expr, span: Span) {
        if !matches!(format.kind, ast::ExprKind::Star { .. }) {
            self.refuse(
                span,
                "CUF0331",
                "output in device code must be list-directed\nhelp: write `print *, ...`",
            );
        }
    }

    /// WRITE of device code is PRINT.
    fn listed_write(&mut self, control: &[ast::Arg], span: Span) {
        let star = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Star { .. });
        let unit_ok = control.first().is_some_and(|u| {
            u.keyword.as_ref().is_none_or(|k| k.text == "unit")
                && (star(&u.value) || self.model().const_int(self.scope, &u.value) == Some(6))
        });
        let format_ok = control.get(1).is_some_and(|f| star(&f.value));
        if !unit_ok || !format_ok || control.len() > 2 {
            self.refuse(
                span,
                "CUF0331",
                "output in device code must be list-directed to unit `*`\nhelp: write `write(*, *) ...`",
            );
        }
    }

    pub fn typed(&self, e: &ast::Expr) -> TExpr {
        self.model().expr(self.scope, e)
    }

    fn assignment(&mut self, s: &Stmt, lhs: &ast::Expr, rhs: &ast::Expr) -> Vec<ir::Stmt> {
        // A statement function is expanded where it is used.
        if let ast::ExprKind::Ref { base, .. } = &lhs.kind
            && let Some(n) = base.as_name()
            && let Some(f) = self.model().lookup(self.scope, &n.text)
            && matches!(self.model()[f].kind, SymbolKind::StatementFunction(_))
        {
            return Vec::new();
        }
        let l = self.typed(lhs);
        let r = self.typed(rhs);
        if let Some(out) = self
            .cray_assign(&l, &r)
            .or_else(|| self.fill_submatrix(&l, &r))
        {
            return out;
        }
        if !l.is_designator() {
            if let Some(out) = self.assign_to_target(&l, &r) {
                return out;
            }
            self.refuse(
                s.span,
                "CUF0409",
                match self
                    .input
                    .text
                    .get(l.span.start as usize..l.span.end as usize)
                {
                    Some(text) if text.ends_with(']') => untranslatable(text),
                    _ => "left-hand side of this assignment is not a variable".to_owned(),
                },
            );
            return Vec::new();
        }
        if let Some(p) = self.model().defined_assignment(self.scope, &l, &r) {
            let r = self.right_side(&l, &r);
            return self.call_user(p, &[Some(l), Some(r)], s.span);
        }
        let r = r.assigned_to(&l.ty);
        self.sequence([&r, &l]);
        self.assign(&l, &r)
    }

    fn call_stmt(&mut self, c: &ast::Call, span: Span) -> Vec<ir::Stmt> {
        if let Some(launch) = &c.launch {
            return self.child_launch(c, launch, span);
        }
        match self.model().call(self.scope, c) {
            ResolvedCall::User {
                procedure, args, ..
            } => self.call_user(procedure, &args, span),
            ResolvedCall::Bound {
                procedure: Some(p),
                args,
                dynamic,
            } if !dynamic || !self.overridden(p, &args) => self.call_user(p, &args, span),
            ResolvedCall::Bound { .. } => {
                self.refuse(span, "CUF0408", crate::lower::value::expr::DISPATCHES);
                Vec::new()
            }
            ResolvedCall::Runtime { name, args, .. } => {
                self.sequence(args.iter().map(|(_, a)| a));
                self.runtime_call(&name, &args, span)
            }
            ResolvedCall::Intrinsic { intrinsic, args } => {
                self.intrinsic_call(intrinsic, &args, span)
            }
            ResolvedCall::Unknown { name, args } => self.runtime_call(&name, &args, span),
        }
    }

    fn return_stmt(&mut self, span: Span) -> ir::Stmt {
        if self.capture.is_some() {
            self.refuse(
                span,
                "CUF0377",
                format!("`return` cannot leave a {}", self.loop_noun()),
            );
        } else if self.is_in_shared_loop(0) {
            self.refuse(
                span,
                "CUF0543",
                "`return` leaves a loop whose iterations the threads of a block share",
            );
        }
        let value = self.result_value();
        StmtKind::Return(value).into()
    }

    fn associate(
        &mut self,
        s: &Stmt,
        items: &[(ast::Name, ast::Expr)],
        body: &[Stmt],
        header: Span,
        end: Span,
    ) -> Vec<ir::Stmt> {
        let inner = crate::lower::program::effects::inner_scope(self.model(), self.scope, s.span);
        let mut out = Vec::new();
        for (name, e) in items {
            let Some(symbol) = self.model()[inner].names.get(name.text.as_str()).copied() else {
                self.refuse(
                    name.span,
                    "CUF0409",
                    format!("associate name `{}` is not declared", name.text),
                );
                continue;
            };
            if !self.facts.mentioned.contains(&symbol) {
                continue;
            }
            let t = self.typed(e);
            let ident = self.local_name(symbol);
            if t.rank > 0 {
                // A whole array keeps its bounds (F2018 11.1.3.3), anything else begins at 1.
                let (pre, selected) = self.with_hoisted(|cx| cx.selected(&t));
                out.extend(pre);
                let (v, bounds) = (selected.expr, selected.bounds);
                let ty = v.ty.clone();
                let object = matches!(v.kind, ExprKind::Name(_)) || t.is_designator();
                let held = if object && !matches!(ty.plain(), ir::Type::View { .. }) {
                    ir::Type::Ref(Box::new(ir::Type::Auto))
                } else {
                    ir::Type::Auto
                };
                out.push(ir::Stmt::declare(held, &ident, Init::Value(v)));
                self.vars.insert(
                    symbol,
                    Entity {
                        expr: Expr::name(&ident, ty),
                        bounds,
                        optional: None,
                    },
                );
                continue;
            }
            let (pre, v) = self.with_hoisted(|cx| match t.is_designator() {
                true => cx.place(&t),
                false => cx.value(&t),
            });
            out.extend(pre);
            let ty = v.ty.plain().clone();
            let designator = t.is_designator() && !matches!(t.kind, TExprKind::Substring { .. });
            let v = if ty == ir::Type::Uint {
                crate::lower::value::convert::conversion(v, &ir::Type::Int(4))
            } else {
                v
            };
            let ty = v.ty.plain().clone();
            let held = if designator {
                ir::Type::Ref(Box::new(ir::Type::Auto))
            } else if t.is_designator() {
                ir::Type::Auto
            } else {
                ty.clone().constant()
            };
            out.push(ir::Stmt::declare(held, &ident, Init::Value(v)));
            self.vars.insert(
                symbol,
                Entity {
                    expr: Expr::name(&ident, ty),
                    bounds: Vec::new(),
                    optional: None,
                },
            );
        }
        self.frame_block(s, |cx| {
            let outer = std::mem::replace(&mut cx.scope, inner);
            out.extend(cx.body(body, header.end, end.start));
            cx.scope = outer;
            vec![StmtKind::Block(out).into()]
        })
    }

    /// The array that an associate name stands for.
    fn selected(&mut self, t: &TExpr) -> Entity {
        let whole = matches!(t.kind, TExprKind::Variable(_))
            || matches!(&t.kind, TExprKind::Component { base, .. } if base.rank <= 0);
        if whole {
            return self.array_place(t, &[]);
        }
        Entity {
            expr: self.section(t),
            bounds: vec![(Some(Expr::int(1)), None); t.rank.max(0) as usize],
            optional: None,
        }
    }

    fn block(
        &mut self,
        s: &Stmt,
        (spec, body): (&[ast::Decl], &[Stmt]),
        header: Span,
        end: Span,
    ) -> Vec<ir::Stmt> {
        let start = spec.last().map_or(header.end, |d| d.span.end);
        let inner = crate::lower::program::effects::inner_scope(self.model(), self.scope, s.span);
        self.frame_block(s, |cx| {
            let outer = std::mem::replace(&mut cx.scope, inner);
            cx.note_cray_pointers(spec);
            cx.prepare_loops(inner, body);
            let mut out = cx.locals(inner);
            out.extend(cx.body(body, start, end.start));
            cx.scope = outer;
            vec![StmtKind::Block(out).into()]
        })
    }

    fn if_construct(
        &mut self,
        s: &Stmt,
        branches: &[ast::IfBranch],
        else_block: Option<&ast::ElseBlock>,
        end: Span,
    ) -> Vec<ir::Stmt> {
        let taken = (self.model()).branches_on_device(self.scope, branches, else_block);
        let Some((branches, else_block)) = taken else {
            return self.frame_block(s, |cx| cx.if_chain(branches, else_block, end));
        };
        match else_block {
            Some(e) if branches.is_empty() => {
                self.frame_block(s, |cx| cx.body(&e.body, e.header.end, end.start))
            }
            None if branches.is_empty() => Vec::new(),
            other => self.frame_block(s, |cx| cx.if_chain(&branches, other.as_ref(), end)),
        }
    }

    fn if_chain(
        &mut self,
        branches: &[ast::IfBranch],
        else_block: Option<&ast::ElseBlock>,
        end: Span,
    ) -> Vec<ir::Stmt> {
        let mut out = Vec::new();
        let mut otherwise = None;
        for (i, b) in branches.iter().enumerate() {
            let t = self.typed(&b.cond);
            let (pre, c) = self.with_hoisted(|cx| cx.condition(&t));
            if !pre.is_empty() {
                if i == 0 {
                    pre.into_iter().for_each(|s| self.before(s));
                } else {
                    // Temporaries of a later condition are computed only if it is reached.
                    let (inner, mut rest) =
                        self.with_hoisted(|cx| cx.if_chain(&branches[i..], else_block, end));
                    let mut nested = inner;
                    nested.append(&mut rest);
                    otherwise = Some(nested);
                    return vec![
                        StmtKind::If {
                            branches: out,
                            otherwise,
                        }
                        .into(),
                    ];
                }
            }
            let next = branches
                .get(i + 1)
                .map(|n| n.header.start)
                .or(else_block.map(|e| e.header.start))
                .unwrap_or(end.start);
            let mut body = self.body(&b.body, b.header.end, next);
            if i > 0 {
                self.header_remark(&mut body, b.header.end);
            }
            out.push((to_bool(c), body));
        }
        if let Some(e) = else_block {
            let mut body = self.body(&e.body, e.header.end, end.start);
            self.header_remark(&mut body, e.header.end);
            otherwise = Some(body);
        }
        vec![
            StmtKind::If {
                branches: out,
                otherwise,
            }
            .into(),
        ]
    }
}

/// Where the first line of a statement ends: for constructs, their opening statement.
fn header_end(s: &Stmt) -> u32 {
    match &s.kind {
        Ast::If { branches, .. } => branches.first().map_or(s.span.end, |b| b.header.end),
        Ast::Do(d) => d.header.end,
        Ast::Select(sel) => sel.header.end,
        Ast::Associate { header, .. }
        | Ast::Block { header, .. }
        | Ast::OtherBlock { header, .. } => header.end,
        Ast::Where {
            branches,
            end: Some(_),
        } => branches.first().map_or(s.span.end, |b| b.header.end),
        Ast::Forall {
            header,
            end: Some(_),
            ..
        } => header.span.end,
        _ => s.span.end,
    }
}

fn is_construct(s: &Stmt) -> bool {
    header_end(s) != s.span.end
}

fn compound(k: &StmtKind) -> bool {
    matches!(
        k,
        StmtKind::If { .. }
            | StmtKind::For(_)
            | StmtKind::ForEach(_)
            | StmtKind::While { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Block(_)
    )
}

fn merge(to: &mut Notes, from: Notes) {
    let mut above = from.above;
    above.append(&mut to.above);
    to.above = above;
    to.blank_before |= from.blank_before;
    if to.trailing.is_none() {
        to.trailing = from.trailing;
    }
}

impl Statements for LoweringContext<'_, '_> {
    fn body(&mut self, body: &[Stmt], start: u32, end: u32) -> Vec<ir::Stmt> {
        let mut out = Vec::new();
        let mut at = start;
        for s in body {
            let first = s
                .label
                .map_or(s.span.start, |l| l.span.start.min(s.span.start));
            let mut n = comments::above(&self.input, at, first);
            n.blank_before =
                n.blank_before && (!out.is_empty() || self.frames.is_empty() && start == at);
            let close = header_end(s);
            n.trailing = comments::trailing(&self.input, close);
            let mut within = comments::inside(&self.input, first, close);
            if matches!(s.kind, Ast::Where { .. } | Ast::Forall { .. }) && is_construct(s) {
                n.trailing = None;
                within = comments::inside(&self.input, first, s.span.end);
            }
            n.above.extend(within.into_iter().map(Some));
            let mut lowered = self.labelled(s);
            place(&mut lowered, origin(s.span, self.rule_of_statement(s)));
            if lowered.is_empty() {
                if !n.above.is_empty() {
                    n.trailing = None;
                    out.push(ir::Stmt {
                        kind: StmtKind::Empty,
                        notes: n,
                        at: None,
                        origin: Origin::default(),
                    });
                }
            } else {
                // The trailing comment belongs to the last generated statement of a simple statement.
                let trailing = n.trailing.take();
                if let Some(f) = lowered.first_mut() {
                    merge(&mut f.notes, n);
                }
                let construct = is_construct(s);
                let at_end = if construct {
                    lowered.iter_mut().find(|s| compound(&s.kind))
                } else {
                    lowered.last_mut()
                };
                if let Some(l) = at_end {
                    if l.notes.trailing.is_none() {
                        l.notes.trailing = trailing;
                    }
                    if construct {
                        l.notes.closing = comments::trailing(&self.input, s.span.end);
                    }
                }
                out.extend(lowered);
            }
            at = s.span.end;
        }
        let mut rest = comments::above(&self.input, at, end);
        if !rest.above.is_empty() {
            rest.blank_before = rest.blank_before && !out.is_empty();
            out.push(ir::Stmt {
                kind: StmtKind::Empty,
                notes: rest,
                at: None,
                origin: Origin::default(),
            });
        }
        self.joined_steps(out)
    }

    fn scoped(&mut self, pre: Vec<ir::Stmt>, stmts: Vec<ir::Stmt>) -> Vec<ir::Stmt> {
        let mut declares = false;
        for p in &pre {
            if let StmtKind::Declare(d) = &p.kind {
                declares = true;
                for n in &d.names {
                    self.names.free(&n.name.to_ascii_lowercase());
                }
            }
        }
        let mut all = pre;
        all.extend(stmts);
        match declares {
            true => vec![StmtKind::Block(all).into()],
            false => all,
        }
    }
}
