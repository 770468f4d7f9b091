//! Executable statements.

use super::builder::{Builder, exact};
use super::directive::Waiting;
use super::tree::Node;
use crate::ast::*;

/// A DO CONCURRENT that a CUF directive maps, as nested DO loops, and their number: its iterations may be done in any
/// order. The first index, of neighbouring elements as a rule, is the innermost. A mask becomes an IF construct around the body, and
/// what else its header says becomes part of the directive.
fn nested_loops(stmt: Stmt, k: &mut CufKernel) -> (Stmt, usize) {
    let StmtKind::Do(d) = &stmt.kind else {
        return (stmt, 1);
    };
    let DoControl::Concurrent(h) = &d.control else {
        return (stmt, 1);
    };
    let header = h.clone();
    k.concurrent = true;
    k.local.extend(header.local);
    k.reductions.extend(header.reductions);
    if let Some(ty) = header.type_spec {
        let names = header.indices.iter().map(|i| i.0.clone());
        k.typed_indices = Some((ty, names.collect()));
    }
    let count = header.indices.len();
    let mut body = d.body.clone();
    if let Some(cond) = header.mask {
        let span = Span {
            start: d.header.end,
            end: d.end.start.max(d.header.end),
        };
        let at = Span {
            start: span.start,
            end: span.start,
        };
        let branch = IfBranch {
            cond,
            header: at,
            body: std::mem::take(&mut body),
        };
        let end = Span {
            start: span.end,
            end: span.end,
        };
        body.push(Stmt {
            kind: StmtKind::If {
                branches: vec![branch],
                else_block: None,
                end,
            },
            span,
            label: None,
            name: None,
            directive: None,
        });
    }
    for (k, (var, from, to, step)) in header.indices.into_iter().enumerate() {
        let outermost = k + 1 == count;
        let span = Span {
            start: if outermost {
                stmt.span.start
            } else {
                var.span.start
            },
            end: stmt.span.end,
        };
        let control = DoControl::Counted {
            var,
            from,
            to,
            step,
        };
        let construct = Do {
            control,
            header: d.header,
            body: std::mem::take(&mut body),
            end: d.end,
            label: None,
        };
        body.push(Stmt {
            kind: StmtKind::Do(Box::new(construct)),
            span,
            label: None,
            name: stmt.name.clone().filter(|_| outermost),
            directive: None,
        });
    }
    match body.pop() {
        Some(loops) => (loops, count),
        None => (stmt, 1),
    }
}

/// A DO CONCURRENT inside of mapped DO loops that the directive maps, too: of `depth` loops, these are `found`.
fn nested_below(stmt: &mut Stmt, found: usize, depth: usize, k: &mut CufKernel) {
    let StmtKind::Do(d) = &mut stmt.kind else {
        return;
    };
    let inner = d
        .body
        .iter()
        .rposition(|s| matches!(s.kind, StmtKind::Do(_)));
    let Some(at) = inner.filter(|_| found < depth) else {
        return;
    };
    let (mut loops, count) = nested_loops(d.body.remove(at), k);
    nested_below(&mut loops, found + count, depth, k);
    d.body.insert(at, loops);
}

/// The CUF directive without a loop that stands before the next statement, or before assignments that do.
fn waiting_directive(block: &Block) -> Option<usize> {
    let at = block
        .iter()
        .rposition(|s| !matches!(s.kind, StmtKind::Assign { .. }))?;
    let waits = |s: &Stmt| matches!(&s.kind, StmtKind::CufKernel(k) if k.body.is_none());
    block.get(at).is_some_and(waits).then_some(at)
}

/// Makes `stmt` the loop of the directive at `at`, which then stands behind the assignments between them.
fn give_loop(block: &mut Block, at: usize, stmt: Stmt) {
    let apart = at + 1 < block.len();
    let mut directive = block.remove(at);
    if let StmtKind::CufKernel(k) = &mut directive.kind {
        if apart {
            directive.span.start = stmt.span.start;
        }
        directive.span.end = stmt.span.end;
        let (mut loops, count) = nested_loops(stmt, k);
        let depth = k.depth.as_ref().and_then(|d| match &d.kind {
            ExprKind::Integer { digits, .. } => digits.parse().ok(),
            _ => None,
        });
        if count == 1
            && let Some(depth) = depth
        {
            nested_below(&mut loops, 1, depth, k);
        }
        if count > 1 && k.depth.is_none() {
            k.depth = Some(Expr {
                kind: ExprKind::Integer {
                    digits: count.to_string(),
                    kind: None,
                },
                span: k.directive,
            });
        }
        k.apart = apart;
        k.body = Some(Box::new(loops));
    }
    block.push(directive);
}

impl Builder<'_> {
    /// A list of statements; labels are separate nodes before their statement, a CUF directive takes the DO after it.
    pub(super) fn block(&mut self, nodes: &[Node<'_>]) -> Block {
        let mut out: Block = Vec::new();
        let mut label = None;
        let mut dangling = None;
        let mut waiting = Waiting::default();
        for c in nodes {
            if c.kind() == "statement_label" {
                dangling = Some(*c);
                label = self.text(*c).trim().parse().ok().map(|value| Label {
                    value,
                    span: Self::span(*c),
                });
                continue;
            }
            if c.is_error() || c.kind() == ";" {
                continue;
            }
            dangling = None;
            if matches!(
                c.kind(),
                "cuf_loop_directive" | "cuf_atomic_directive" | "cuf_end_atomic"
            ) {
                self.wait(*c, &mut waiting);
                continue;
            }
            let mut stmt = self.stmt(*c);
            stmt.label = label.take();
            for stmt in self.directed(stmt, &mut waiting) {
                match waiting_directive(&out) {
                    Some(at) if matches!(stmt.kind, StmtKind::Do(_)) => {
                        give_loop(&mut out, at, stmt);
                    }
                    _ => out.push(stmt),
                }
            }
        }
        self.nothing_waits(&mut waiting);
        // A label before the END of the construct: a jump to it ends the block.
        out.extend(dangling.map(|l| self.label_target(l)));
        exact(out)
    }

    /// Splits the nodes between the opening and the closing statement into specification and execution part.
    pub(super) fn parts(&mut self, nodes: &[Node<'_>]) -> (Vec<Decl>, Vec<Stmt>) {
        let mut spec = Vec::new();
        let mut executable = Vec::new();
        for (i, c) in nodes.iter().enumerate() {
            let may_stand_later = matches!(
                c.kind(),
                "data_statement" | "format_statement" | "namelist_statement" | "include_statement"
            );
            if c.kind() == "statement_label" {
                let belongs_to_format = nodes
                    .get(i + 1)
                    .is_some_and(|n| n.kind() == "format_statement");
                if !(belongs_to_format && executable.is_empty()) {
                    executable.push(*c);
                }
            } else if may_stand_later && !executable.is_empty() {
                executable.push(*c);
            } else if let Some(d) = self.decl(*c) {
                spec.push(d);
            } else {
                executable.push(*c);
            }
        }
        (exact(spec), self.block(&executable))
    }

    pub(super) fn stmt(&mut self, node: Node<'_>) -> Stmt {
        let kind = self
            .nested(node, |b| b.stmt_kind(node))
            .unwrap_or(StmtKind::Other);
        let name = Self::first(node, "block_label_start_expression").and_then(|l| {
            let first = l.children().next()?;
            Some(Box::new(self.name(first)))
        });
        let mut span = Self::statement_span(node);
        if name.is_some() {
            let start = node
                .children()
                .find(|c| c.kind() != "block_label_start_expression" && !c.is_extra());
            span.start = start.map_or(span.start, |s| s.start_byte() as u32);
        }
        Stmt {
            kind,
            span,
            label: None,
            name,
            directive: None,
        }
    }

    fn stmt_kind(&mut self, node: Node<'_>) -> StmtKind {
        let children = Self::children(node);
        match node.kind() {
            "assignment_statement" => match (
                node.child_by_field_name("left"),
                node.child_by_field_name("right"),
            ) {
                (Some(l), Some(r)) => {
                    let lhs = self.expr(l);
                    StmtKind::Assign {
                        lhs,
                        rhs: self.expr(r),
                    }
                }
                _ => StmtKind::Other,
            },
            "pointer_association_statement" => match children.as_slice() {
                [l, r, ..] => {
                    let lhs = self.expr(*l);
                    StmtKind::PointerAssign {
                        lhs,
                        rhs: self.expr(*r),
                    }
                }
                _ => StmtKind::Other,
            },
            "subroutine_call" => self.call(node),
            "keyword_statement" => self.keyword(node),
            "if_statement" => self.if_statement(node),
            "arithmetic_if_statement" => {
                let labels: Vec<u32> = children
                    .iter()
                    .filter(|c| c.kind() == "statement_label_reference")
                    .filter_map(|c| self.text(*c).trim().parse().ok())
                    .collect();
                match (children.first(), labels.as_slice()) {
                    (Some(e), [a, b, c]) => StmtKind::ArithmeticIf {
                        expr: self.inner(*e),
                        labels: [*a, *b, *c],
                    },
                    _ => StmtKind::Other,
                }
            }
            "where_statement" => self.where_statement(node),
            "forall_statement" => self.forall(node),
            "select_case_statement" => self.select(node, SelectKind::Case),
            "select_type_statement" => self.select(node, SelectKind::Type),
            "select_rank_statement" => self.select(node, SelectKind::Rank),
            "do_loop" => self.do_loop(node),
            "block_construct" => self.block_construct(node),
            "associate_statement" => self.associate(node),
            "coarray_critical_statement" | "coarray_team_statement" => {
                let (header, body, end) = self.construct_body(node, &[]);
                StmtKind::OtherBlock { header, body, end }
            }
            "stop_statement" => self.stop(node),
            "cuf_kernel_do_directive" => self.cuf_kernel(node),
            "cuf_unknown_directive" => {
                self.unknown_directive(Self::span(node));
                StmtKind::Other
            }
            "format_statement" => StmtKind::Format,
            "entry_statement" => match node.child_by_field_name("name") {
                Some(n) => StmtKind::Entry(self.name(n)),
                None => StmtKind::Other,
            },
            "assign_statement" => self.assign_label(node),
            "print_statement"
            | "write_statement"
            | "read_statement"
            | "open_statement"
            | "close_statement"
            | "inquire_statement"
            | "file_position_statement"
            | "allocate_statement"
            | "deallocate_statement"
            | "nullify_statement" => self.io_statement(node),
            _ => match self.decl(node) {
                Some(d) => StmtKind::Decl(Box::new(d)),
                None => StmtKind::Other,
            },
        }
    }

    fn call(&mut self, node: Node<'_>) -> StmtKind {
        let Some(callee) = node.child_by_field_name("subroutine") else {
            return StmtKind::Other;
        };
        let mut callee = self.expr(callee);
        let mut args = Vec::new();
        let mut args_span = None;
        let mut launch = None;
        for c in Self::children(node) {
            match c.kind() {
                "argument_list" => {
                    args = self.args(c);
                    args_span = Some(Self::span(c));
                }
                "cuda_kernel_argument_list" => {
                    launch = Some(Launch {
                        args: self.args(c),
                        span: Self::span(c),
                    })
                }
                _ => {}
            }
        }
        if args_span.is_none()
            && launch.is_none()
            && let ExprKind::Ref { base, args: inner } = callee.kind
        {
            args_span = Some(Span {
                start: base.span.end,
                end: callee.span.end,
            });
            args = inner;
            callee = *base;
        }
        StmtKind::Call(Box::new(Call {
            callee,
            launch,
            args,
            args_span,
        }))
    }

    fn keyword(&mut self, node: Node<'_>) -> StmtKind {
        let word = Self::tokens(node)
            .first()
            .map(|t| self.lower(*t))
            .unwrap_or_default();
        let children = Self::children(node);
        let name = children
            .iter()
            .find(|c| c.kind() == "identifier")
            .map(|c| self.name(*c));
        match word.as_str() {
            "continue" => StmtKind::Continue,
            "cycle" => StmtKind::Cycle(name),
            "exit" => StmtKind::Exit(name),
            "return" => StmtKind::Return(children.first().map(|c| self.expr(*c))),
            _ => {
                let labels: Vec<u32> = children
                    .iter()
                    .filter(|c| c.kind() == "statement_label_reference")
                    .filter_map(|c| self.text(*c).trim().parse().ok())
                    .collect();
                let index = children
                    .iter()
                    .find(|c| c.kind() != "statement_label_reference");
                match (index, labels.as_slice()) {
                    (None, [one]) => StmtKind::Goto(*one),
                    (Some(e), _)
                        if children
                            .first()
                            .is_some_and(|c| c.kind() == "statement_label_reference") =>
                    {
                        StmtKind::ComputedGoto {
                            labels,
                            index: self.expr(*e),
                        }
                    }
                    _ => match name {
                        Some(var) => StmtKind::AssignedGoto { var, labels },
                        None => StmtKind::Other,
                    },
                }
            }
        }
    }

    fn assign_label(&mut self, node: Node<'_>) -> StmtKind {
        let label =
            Self::first(node, "number_literal").and_then(|l| self.text(l).trim().parse().ok());
        match (label, Self::first(node, "identifier")) {
            (Some(label), Some(var)) => StmtKind::AssignLabel {
                label,
                var: self.name(var),
            },
            _ => StmtKind::Other,
        }
    }

    pub(super) fn label_target(&mut self, node: Node<'_>) -> Stmt {
        let span = Self::span(node);
        let label = self
            .text(node)
            .trim()
            .parse()
            .ok()
            .map(|value| Label { value, span });
        Stmt {
            kind: StmtKind::Continue,
            span,
            label,
            name: None,
            directive: None,
        }
    }

    fn stop(&mut self, node: Node<'_>) -> StmtKind {
        let error = Self::has_token(node, "error");
        let mut code = None;
        let mut quiet = None;
        let mut after_quiet = false;
        for t in Self::tokens(node) {
            match t.kind() {
                "quiet" => after_quiet = true,
                _ if t.is_named() && after_quiet => quiet = Some(self.expr(t)),
                _ if t.is_named() => code = Some(self.expr(t)),
                _ => {}
            }
        }
        StmtKind::Stop {
            error,
            code: code.map(Box::new),
            quiet: quiet.map(Box::new),
        }
    }
}
