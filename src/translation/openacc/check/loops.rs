//! The loops that a directive governs, and their levels of parallelism.

use super::super::clause::ClauseKind;
use super::super::directive::{Directive, Kind};
use super::super::regions::{Body, Region};
use super::checker::{Checker, listed, name_of};
use crate::ast::{DoControl, Expr, Stmt, StmtKind};

/// Code of nests that are too shallow or not tight.
const NEST: &str = "CUF0515";
/// Code of clauses that contradict each other.
const LEVELS: &str = "CUF0516";

/// The levels of parallelism, from the outside in.
const ORDER: [ClauseKind; 3] = [ClauseKind::Gang, ClauseKind::Worker, ClauseKind::Vector];

impl Checker<'_> {
    pub(super) fn associated_loops(&mut self, r: &Region<'_>) {
        let d = r.directive;
        self.contradictions(d);
        self.order(d);
        if let Body::Loop(s) = r.body {
            self.nest(d, s);
        }
    }

    /// The number of loops that the directive is about, and the clause that says so.
    fn depth(&mut self, d: &Directive) -> Option<(usize, ClauseKind, bool)> {
        if let Some(c) = d.clause(ClauseKind::Collapse) {
            let e = c.value()?;
            let Some(n) = self.model.const_int(self.scope, e) else {
                let message = format!(
                    "argument of `collapse` must be a positive integer constant, but `{}` is not constant",
                    self.slice(e.span)
                );
                self.report(NEST, e.span, message);
                return None;
            };
            let n = usize::try_from(n).ok().filter(|n| *n > 0)?;
            return Some((n, ClauseKind::Collapse, c.modifier.is_some()));
        }
        let tile = d.clause(ClauseKind::Tile)?;
        Some((tile.items.len(), ClauseKind::Tile, false))
    }

    fn nest(&mut self, d: &Directive, s: &Stmt) {
        let StmtKind::Do(first) = &s.kind else { return };
        if matches!(first.control, DoControl::While(_) | DoControl::Forever) {
            let message = format!(
                "directive `{}` applies to a loop without a count\nnote: `do while` and `do` without a loop variable \
                 cannot be divided among threads (OpenACC 2.9)\nhelp: write a loop with a loop variable, or remove \
                 the directive",
                name_of(d)
            );
            self.report(NEST, first.header, message);
            return;
        }
        let Some((wanted, clause, force)) = self.depth(d) else {
            return;
        };
        let name = clause.name();
        let mut at = s;
        let mut found = 0;
        let mut indices: Vec<&str> = Vec::new();
        let mut dependent: Option<(&Expr, &str)> = None;
        let mut between: Option<&Stmt> = None;
        while let StmtKind::Do(l) = &at.kind {
            match &l.control {
                DoControl::Counted {
                    var,
                    from,
                    to,
                    step,
                } => {
                    for e in [Some(from), Some(to), step.as_ref()].into_iter().flatten() {
                        let used = indices.iter().find(|i| mentions(e, i));
                        dependent = dependent.or(used.map(|i| (e, *i)));
                    }
                    indices.push(&var.text);
                    found += 1;
                }
                DoControl::Concurrent(h) => {
                    indices.extend(h.indices.iter().map(|i| i.0.text.as_str()));
                    found += h.indices.len();
                }
                DoControl::While(_) | DoControl::Forever => break,
            }
            if found >= wanted {
                break;
            }
            let statements: Vec<&Stmt> = (l.body.iter())
                .filter(|s| !matches!(s.kind, StmtKind::Continue))
                .collect();
            let inner = statements
                .iter()
                .find(|s| matches!(s.kind, StmtKind::Do(_)));
            let Some(inner) = inner else { break };
            let other = statements.iter().find(|s| s.span != inner.span);
            between = between.or(other.copied());
            at = inner;
        }
        if found < wanted {
            let help = match (clause, found) {
                (ClauseKind::Collapse, n) if n > 1 => format!("write `collapse({n})`"),
                (ClauseKind::Collapse, _) => "remove `collapse`".to_owned(),
                _ => "give `tile` one size for each loop".to_owned(),
            };
            let message = format!(
                "`{name}` requires {wanted} nested loops, but the nest has {found}\nnote: the loops must follow each \
                 other directly (OpenACC 2.9.1)\nhelp: {help}"
            );
            let span = d.clause(clause).map_or(d.span, |c| c.span);
            self.report(NEST, span, message);
            return;
        }
        if let Some(s) = between.filter(|_| !force) {
            let message = format!(
                "`{name}` requires tightly nested loops, but a statement is between them\nnote: OpenACC 2.9.1\nhelp: \
                 move the statement into the innermost loop, or remove `{name}`"
            );
            self.report(NEST, s.span, message);
        }
        if let Some((e, index)) = dependent {
            let message = format!(
                "bound `{}` of a loop in `{name}` depends on index `{index}` of an outer one\nnote: the loops of \
                 `{name}` must have a rectangular range (OpenACC 2.9.1)\nhelp: remove `{name}`",
                self.slice(e.span)
            );
            self.report(NEST, e.span, message);
        }
    }

    fn contradictions(&mut self, d: &Directive) {
        use ClauseKind::*;
        let given = |kinds: &[ClauseKind]| -> Vec<ClauseKind> {
            kinds.iter().copied().filter(|k| d.has(*k)).collect()
        };
        let how = given(&[Seq, Independent, Auto]);
        let pair = match &how[..] {
            [a, b, ..] => Some((*a, *b)),
            _ => {
                let levels = given(&ORDER);
                match (d.has(Seq), levels.first()) {
                    (true, Some(level)) => Some((*level, Seq)),
                    _ => None,
                }
            }
        };
        if let Some((a, b)) = pair {
            let span = d.clause(b).map_or(d.span, |c| c.span);
            let message = format!(
                "clauses `{}` and `{}` contradict each other\nhelp: remove one of them",
                a.name(),
                b.name()
            );
            self.report(LEVELS, span, message);
        }
        if d.has(Collapse) && d.has(Tile) {
            let span = d.clause(Tile).map_or(d.span, |c| c.span);
            let message =
                "clauses `collapse` and `tile` contradict each other\nhelp: remove one of them";
            self.report(LEVELS, span, message);
        }
    }

    /// Gang loops contain worker loops, and these vector loops.
    fn order(&mut self, d: &Directive) {
        let rank = |d: &Directive| -> Vec<usize> {
            let all = ORDER.iter().enumerate();
            all.filter(|(_, k)| d.has(**k)).map(|(n, _)| n).collect()
        };
        let Some(own) = rank(d).first().copied() else {
            return;
        };
        let span = d.clause(ORDER[own]).map_or(d.span, |c| c.span);
        // Loops around in the same compute construct.
        let mut around = None;
        for r in self.chain.iter().rev() {
            if r.directive.kind.is_loop() {
                around = around.or(rank(r.directive).last().copied());
            }
            if r.directive.kind.is_compute() || around.is_some() {
                break;
            }
        }
        if let Some(outer) = around
            && d.kind == Kind::Loop
            && outer >= own
            && !(outer == own && has_dimension(d))
        {
            let message = format!(
                "`{}` loop is inside a `{}` loop\nnote: `gang` loops contain `worker` loops, which contain `vector` \
                 loops; a nest has one of each (OpenACC 2.9)\nhelp: use an inner level, or `seq`",
                ORDER[own].name(),
                ORDER[outer].name()
            );
            self.report(LEVELS, span, message);
            return;
        }
        if self.construct().is_some() || d.kind != Kind::Loop {
            return;
        }
        // An orphaned loop has the levels that the callers of its procedure leave to it.
        let symbol = self.model[self.model.unit_scope(self.scope)].symbol;
        let Some(level) = symbol.and_then(|s| self.known.routines.get(&s)) else {
            return;
        };
        let first = level.map_or(ORDER.len(), |l| {
            ORDER.iter().position(|k| *k == l).unwrap_or(0)
        });
        if own < first {
            let allowed: Vec<&str> = ORDER.iter().skip(first).map(|k| k.name()).collect();
            let level = level.map_or("seq", ClauseKind::name);
            let rule = match allowed.is_empty() {
                true => "it is called by one thread".to_owned(),
                false => format!("its loops can be {}", listed(&allowed)),
            };
            let message = format!(
                "`{}` loop in a `routine {level}` procedure\nnote: {rule} (OpenACC 2.15.1)\nhelp: declare the \
                 procedure with `!$acc routine {}`",
                ORDER[own].name(),
                ORDER[own].name()
            );
            self.report(LEVELS, span, message);
        }
    }
}

/// `gang(dim: n)`: gang loops of different dimensions may be nested.
fn has_dimension(d: &Directive) -> bool {
    let gang = d.clause(ClauseKind::Gang);
    let mut items = gang.iter().flat_map(|c| &c.items);
    items.any(|i| i.modifier.as_ref().is_some_and(|m| m.text == "dim"))
}

/// A name occurs in an expression.
fn mentions(e: &Expr, name: &str) -> bool {
    let mut found = e.as_name().is_some_and(|n| n.text == name);
    e.for_each_child(&mut |c| found = found || mentions(c, name));
    found
}
