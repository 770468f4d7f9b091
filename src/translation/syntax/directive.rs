//! CUF directives.

use super::builder::Builder;
use super::tree::Node;
use crate::ast::*;

/// The directive of device code whose statement comes next.
#[derive(Default)]
pub(super) struct Waiting {
    directive: Option<(Directive, Span)>,
    /// The first assignment of `atomic capture`.
    first: Option<Stmt>,
    /// `end atomic` may stand here.
    may_end: bool,
}

impl Builder<'_> {
    /// Notes a directive of device code, or the end of one.
    pub(super) fn wait(&mut self, node: Node<'_>, waiting: &mut Waiting) {
        let span = Self::statement_span(node);
        if node.kind() == "cuf_end_atomic" {
            if !std::mem::take(&mut waiting.may_end) {
                self.error(span, "`end atomic` does not follow an atomic assignment");
            }
            return;
        }
        self.nothing_waits(waiting);
        waiting.directive = self.device_directive(node).map(|d| (d, span));
    }

    /// The statement with the directive before it; both of a capture once its second one is read.
    pub(super) fn directed(&mut self, mut stmt: Stmt, waiting: &mut Waiting) -> Vec<Stmt> {
        waiting.may_end = false;
        let Some((directive, span)) = waiting.directive.take() else {
            return vec![stmt];
        };
        let assignment = matches!(stmt.kind, StmtKind::Assign { .. });
        let fits = match &directive {
            Directive::Loop { .. } => matches!(stmt.kind, StmtKind::Do(_)),
            Directive::Atomic(_) => assignment,
        };
        if !fits {
            waiting.directive = Some((directive, span));
            self.nothing_waits(waiting);
            return vec![stmt];
        }
        if !matches!(directive, Directive::Atomic(Atomic::Captured)) {
            waiting.may_end = assignment;
            stmt.directive = Some(Box::new(directive));
            return vec![stmt];
        }
        let Some(mut first) = waiting.first.take() else {
            waiting.first = Some(stmt);
            waiting.directive = Some((directive, span));
            return Vec::new();
        };
        waiting.may_end = true;
        let both = Atomic::Capture(Box::new(stmt.clone()));
        first.directive = Some(Box::new(Directive::Atomic(both)));
        stmt.directive = Some(Box::new(directive));
        vec![first, stmt]
    }

    /// Reports a directive without its statement.
    pub(super) fn nothing_waits(&mut self, waiting: &mut Waiting) {
        waiting.first = None;
        let Some((directive, span)) = waiting.directive.take() else {
            return;
        };
        self.error(
            span,
            match directive {
                Directive::Loop { .. } => "a `do` loop does not follow this directive",
                Directive::Atomic(Atomic::Captured | Atomic::Capture(_)) => {
                    "two assignments do not follow `atomic capture`"
                }
                Directive::Atomic(_) => "an assignment does not follow this directive",
            },
        );
    }

    pub(super) fn cuf_kernel(&mut self, node: Node<'_>) -> StmtKind {
        let depth = node.child_by_field_name("depth").map(|d| self.expr(d));
        let launch = node
            .child_by_field_name("launch")
            .map(|l| self.cuf_launch(l));
        StmtKind::CufKernel(Box::new(self.clauses(node, depth, launch)))
    }

    fn clauses(
        &mut self,
        node: Node<'_>,
        depth: Option<Expr>,
        launch: Option<CufLaunch>,
    ) -> CufKernel {
        let clauses: Vec<Node<'_>> = node.children_by_field_name("clause").collect();
        let mut reductions = Vec::new();
        let mut mapping = Mapping::default();
        let mut local = Vec::new();
        for c in clauses {
            if let Some(word) = c.child_by_field_name("word") {
                let word = self.name(word).text;
                self.mapping_clause(c, &word, &mut mapping, &mut local);
                continue;
            }
            let Some(op) = c.child_by_field_name("operator") else {
                continue;
            };
            let variables: Vec<Node<'_>> = c
                .children_by_field_name("variable")
                .filter(|n| n.is_named())
                .collect();
            reductions.push(ReduceClause {
                op: self.name(op),
                variables: variables.into_iter().map(|v| self.expr(v)).collect(),
                span: Self::span(c),
            });
        }
        CufKernel {
            directive: Self::statement_span(node),
            depth,
            launch,
            reductions,
            local,
            mapping,
            body: None,
            typed_indices: None,
            concurrent: false,
            apart: false,
        }
    }

    /// A directive of device code, which governs what follows it.
    pub(super) fn device_directive(&mut self, node: Node<'_>) -> Option<Directive> {
        match node.kind() {
            "cuf_loop_directive" => {
                let word = node.child_by_field_name("level")?;
                let level = match self.lower(word).as_str() {
                    "vector" => LoopLevel::Vector,
                    "worker" => LoopLevel::Worker,
                    _ => LoopLevel::Seq,
                };
                let depth = node.child_by_field_name("depth").map(|d| self.expr(d));
                Some(Directive::Loop {
                    level,
                    clauses: self.clauses(node, depth, None),
                })
            }
            "cuf_atomic_directive" => {
                let text = self.lower(node);
                let word = text.split_ascii_whitespace().nth(2).unwrap_or("update");
                Some(Directive::Atomic(match word {
                    "update" => Atomic::Update,
                    "read" => Atomic::Read,
                    "write" => Atomic::Write,
                    // The statements are known when they have been read.
                    "capture" => Atomic::Captured,
                    _ => {
                        self.unknown_directive(Self::span(node));
                        return None;
                    }
                }))
            }
            _ => None,
        }
    }

    /// A clause of a directive that OpenACC was translated into. Private variables are local to an iteration like those of DO CONCURRENT.
    fn mapping_clause(
        &mut self,
        clause: Node<'_>,
        word: &str,
        mapping: &mut Mapping,
        local: &mut Vec<(Name, bool)>,
    ) {
        let variables = clause.children_by_field_name("variable");
        let names: Vec<Name> = variables
            .filter(|n| n.kind() == "identifier")
            .map(|n| self.name(n))
            .collect();
        match word {
            "present" => {
                mapping.present = true;
                mapping.on_device.extend(names);
            }
            "private" | "firstprivate" => {
                let starts = word == "firstprivate";
                local.extend(names.into_iter().map(|n| (n, starts)));
            }
            _ => mapping.gang = true,
        }
    }

    fn cuf_launch(&mut self, node: Node<'_>) -> CufLaunch {
        let mut l = CufLaunch {
            grid: Vec::new(),
            block: Vec::new(),
            grid_is_tuple: false,
            block_is_tuple: false,
            bytes: None,
            stream: None,
            unknown: Vec::new(),
            surplus: None,
            span: Self::span(node),
        };
        let mut position = 0;
        for c in Self::children(node) {
            if c.kind() == "keyword_argument" {
                let word = c.child_by_field_name("name").map(|n| self.name(n));
                let value = self.arg(c).value;
                match word {
                    Some(w) if matches!(w.text.as_str(), "stream" | "streamid") => {
                        l.stream = Some(value);
                    }
                    Some(w) if matches!(w.text.as_str(), "bytes" | "smem") => l.bytes = Some(value),
                    w => l.unknown.extend(w),
                }
                continue;
            }
            let is_tuple = c.kind() == "cuf_dims";
            let values: Vec<Expr> = if is_tuple {
                Self::children(c)
                    .into_iter()
                    .map(|d| self.expr(d))
                    .collect()
            } else {
                vec![self.inner(c)]
            };
            match position {
                0 => {
                    (l.grid, l.grid_is_tuple) =
                        (values, is_tuple || c.kind() == "parenthesized_expression")
                }
                1 => {
                    (l.block, l.block_is_tuple) =
                        (values, is_tuple || c.kind() == "parenthesized_expression")
                }
                2 => l.bytes = values.into_iter().next(),
                3 => l.stream = values.into_iter().next(),
                _ => l.surplus = Some(Self::span(c)),
            }
            position += 1;
        }
        l
    }
}
