//! How the loops of a construct are distributed: over threads, or over blocks whose threads share the loops inside (OpenACC 2.9).
//!
//! Nested `loop` directives whose loops are tight and have bounds of their own are one space of iterations. Where they are not, the outer
//! loops are distributed over blocks, and the innermost loops with directives over the threads of a block.

use std::collections::BTreeSet;

use super::rewriter::Rewriter;
use crate::ast::{DoControl, Span, Stmt, StmtKind};
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::{SymbolId, Type};
use crate::source::Rewrite;
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::{Clause, Directive, Kind};
use crate::translation::openacc::independence::independent;
use crate::translation::openacc::regions::{Body, Region};

/// The loops that a directive distributes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// How many, tightly nested.
    pub depth: usize,
    /// Over blocks.
    pub gang: bool,
}

impl<'a> Rewriter<'a> {
    /// The shape of the nest of loop `s`, whose directives, the innermost first, are `directives`, with the regions inside it.
    pub(super) fn shape(
        &self,
        s: &'a Stmt,
        directives: &[&Directive],
        children: &[Region<'a>],
    ) -> Shape {
        let own = self.own_depth(s, directives);
        let (mut depth, inner) = self.tight(s, own, children);
        let rest = inner.unwrap_or(children);
        if rest.is_empty() {
            depth = self.proved(s, depth, directives);
        }
        let has_shared = self.shares(rest) || self.calls_shared(s);
        let takes_threads = |k: ClauseKind| directives.iter().any(|d| d.has(k));
        let all = takes_threads(ClauseKind::Vector) || takes_threads(ClauseKind::Worker);
        Shape {
            depth,
            gang: has_shared && !all && !self.array_reductions_inside(children),
        }
    }

    /// What `collapse(n)`, `tile(a, b)` or the indices of DO CONCURRENT say.
    pub(super) fn own_depth(&self, s: &Stmt, directives: &[&Directive]) -> usize {
        if let StmtKind::Do(d) = &s.kind
            && let DoControl::Concurrent(h) = &d.control
        {
            return h.indices.len();
        }
        let collapse = |d: &&Directive| {
            let e = d.clause(ClauseKind::Collapse)?.value()?;
            let n = self.model.const_int(self.scope(e.span.start)?, e)?;
            usize::try_from(n).ok()
        };
        let tile = |d: &&Directive| d.clause(ClauseKind::Tile).map(|c| c.items.len());
        let found = directives.iter().find_map(collapse);
        found
            .or_else(|| directives.iter().find_map(tile))
            .unwrap_or(1)
    }

    /// How many loops from `s` on are one space of iterations, of which `depth` are so by its directive, and the regions inside the
    /// innermost of them.
    fn tight<'r>(
        &self,
        s: &'a Stmt,
        depth: usize,
        children: &'r [Region<'a>],
    ) -> (usize, Option<&'r [Region<'a>]>) {
        let mut outer = BTreeSet::new();
        let Some(mut innermost) = self.descend(s, depth, &mut outer) else {
            return (depth, None);
        };
        let mut depth = depth;
        let mut inside = children;
        while let StmtKind::Do(d) = &innermost.kind {
            let ([only], [region]) = (d.body.as_slice(), inside) else {
                break;
            };
            let merges = |c: &Directive| {
                c.kind == Kind::Loop
                    && self.may_share(c, region.body)
                    && !c.has(ClauseKind::Reduction)
            };
            if !matches!(region.body, Body::Loop(l) if l.span == only.span)
                || !merges(region.directive)
            {
                break;
            }
            let more = self.own_depth(only, &[region.directive]);
            let before = outer.clone();
            let Some(next) = self.descend(only, more, &mut outer) else {
                break;
            };
            if self.depends(only, more, &before) {
                break;
            }
            depth += more;
            innermost = next;
            inside = &region.children;
        }
        (depth, Some(inside))
    }

    /// The same with loops inside that have no directive, but are known to be independent.
    fn proved(&self, s: &'a Stmt, depth: usize, directives: &[&Directive]) -> usize {
        let mut outer = BTreeSet::new();
        let mut depth = depth;
        let Some(mut innermost) = self.descend(s, depth, &mut outer) else {
            return depth;
        };
        let mut reduced: BTreeSet<SymbolId> = directives
            .iter()
            .flat_map(|d| &d.clauses)
            .filter(|c| c.kind == ClauseKind::Reduction)
            .flat_map(Clause::exprs)
            .filter_map(|e| self.typed(e)?.root())
            .collect();
        let found = self.shared.get(&s.span.start);
        reduced.extend(found.iter().flat_map(|l| &l.reductions).map(|r| r.0));
        loop {
            let StmtKind::Do(d) = &innermost.kind else {
                return depth;
            };
            let [only] = d.body.as_slice() else {
                return depth;
            };
            let before = outer.clone();
            let Some(next) = self.descend(only, 1, &mut outer) else {
                return depth;
            };
            let is_counted = matches!(&next.kind, StmtKind::Do(d) if matches!(d.control, DoControl::Counted { .. }));
            if !is_counted || self.depends(only, 1, &before) {
                return depth;
            }
            let Some(scope) = self.scope(only.span.start) else {
                return depth;
            };
            match independent(self.model, self.file, scope, only, &BTreeSet::new()) {
                Ok(found)
                    if found.conditional.is_empty()
                        && found.reductions.iter().all(|r| reduced.contains(&r.0)) => {}
                _ => return depth,
            }
            depth += 1;
            innermost = next;
        }
    }

    /// The innermost of `depth` nested loops; their variables are added.
    fn descend(
        &self,
        s: &'a Stmt,
        depth: usize,
        variables: &mut BTreeSet<SymbolId>,
    ) -> Option<&'a Stmt> {
        let mut at = s;
        for k in 0..depth {
            let StmtKind::Do(d) = &at.kind else {
                return None;
            };
            let DoControl::Counted { var, .. } = &d.control else {
                return (depth == 1 || matches!(d.control, DoControl::Concurrent(_))).then_some(at);
            };
            variables.extend(self.model.lookup(self.scope(at.span.start)?, &var.text));
            if k + 1 < depth {
                at = d.body.iter().find(|s| matches!(s.kind, StmtKind::Do(_)))?;
            }
        }
        Some(at)
    }

    /// The bounds of the loops depend on variables of loops around them, or on what is not known to stay.
    fn depends(&self, s: &Stmt, depth: usize, outer: &BTreeSet<SymbolId>) -> bool {
        let mut at = s;
        for k in 0..depth {
            let StmtKind::Do(d) = &at.kind else {
                return true;
            };
            if !matches!(d.control, DoControl::Counted { .. }) {
                return true;
            }
            let varies = at.expressions().into_iter().any(|e| {
                self.typed(e).is_none_or(|t| {
                    t.any(&mut |x| {
                        match &x.kind {
                            TExprKind::Variable(s) => outer.contains(s),
                            // Elements may be on the device only.
                            TExprKind::Index { .. } | TExprKind::Call { .. } => true,
                            _ => false,
                        }
                    })
                })
            });
            if varies {
                return true;
            }
            if k + 1 < depth {
                match d.body.iter().find(|s| matches!(s.kind, StmtKind::Do(_))) {
                    Some(inner) => at = inner,
                    None => return true,
                }
            }
        }
        false
    }

    /// Bounds that are on the device are asked for there: the host has the value that it had when the data region began.
    pub(super) fn device_bounds(
        &mut self,
        s: &'a Stmt,
        depth: usize,
        on_device: &[String],
        queue: Option<&str>,
    ) {
        let mut at = s;
        let mut found: Vec<(Span, u8)> = Vec::new();
        for _ in 0..depth {
            let StmtKind::Do(d) = &at.kind else { break };
            for e in at.expressions() {
                if let Some(t) = self.typed(e) {
                    self.device_integers(&t, on_device, &mut found);
                }
            }
            match d.body.iter().find(|s| matches!(s.kind, StmtKind::Do(_))) {
                Some(inner) => at = inner,
                None => break,
            }
        }
        let queue = queue.map_or(String::new(), |q| format!(", async={q}"));
        for (span, kind) in found {
            self.uses_runtime = true;
            let text = format!("cuf_acc_integer({}{queue})", self.slice(span));
            let text = match kind {
                8 => text,
                k => format!("int({text}, {k})"),
            };
            self.out.push(Rewrite::new(span, text));
        }
    }

    fn device_integers(&self, t: &TExpr, on_device: &[String], out: &mut Vec<(Span, u8)>) {
        if !t.is_designator() {
            t.for_each_child(&mut |c| self.device_integers(c, on_device, out));
            return;
        }
        let (Type::Integer(kind), 0) = (&t.ty, t.rank) else {
            return;
        };
        let named = match t.kind {
            TExprKind::Variable(s) => {
                let name = &self.model[s].spelling;
                self.program.declared.contains_key(&s)
                    || on_device.iter().any(|n| n.eq_ignore_ascii_case(name))
            }
            _ => true,
        };
        let is_variable = t.root().is_some_and(|r| self.model.variable(r).is_some());
        if named && is_variable && !self.is_on_device(t) {
            out.push((t.span, *kind));
        }
    }

    /// The statement calls a procedure that all threads of a block execute together.
    pub(super) fn calls_shared(&self, s: &Stmt) -> bool {
        let called = super::program::called(self.model, self.file, std::slice::from_ref(s));
        let shared = |c: &SymbolId| self.program.routines.get(c).is_some_and(|r| r.is_shared);
        called.iter().any(shared)
    }

    /// Whether the iterations of the loops that `collapse` joins with `s` are independent, too.
    pub(super) fn all_independent(
        &self,
        s: &'a Stmt,
        depth: usize,
        own: &BTreeSet<SymbolId>,
    ) -> bool {
        let mut at = s;
        for _ in 1..depth {
            let StmtKind::Do(d) = &at.kind else {
                return false;
            };
            let Some(inner) = d.body.iter().find(|s| matches!(s.kind, StmtKind::Do(_))) else {
                return false;
            };
            let scope = self.scope(inner.span.start);
            let proved =
                scope.is_some_and(|c| independent(self.model, self.file, c, inner, own).is_ok());
            if !proved {
                return false;
            }
            at = inner;
        }
        true
    }

    /// Whether the threads may share a loop with this directive: in `kernels`, and with `auto`, if its iterations are known to be independent.
    pub(super) fn may_share(&self, d: &Directive, body: Body<'a>) -> bool {
        let is_auto = d.has(ClauseKind::Auto) || self.in_kernels && !d.has(ClauseKind::Independent);
        if d.has(ClauseKind::Seq) || !is_auto {
            return !d.has(ClauseKind::Seq);
        }
        let Body::Loop(s) = body else { return false };
        let mut own = BTreeSet::new();
        let mut reduced = BTreeSet::new();
        for c in &d.clauses {
            let roots = c.exprs().filter_map(|e| self.typed(e)?.root());
            match c.kind {
                ClauseKind::Private => own.extend(roots),
                ClauseKind::Reduction => reduced.extend(roots),
                _ => {}
            }
        }
        own.extend(&reduced);
        let Some(scope) = self.scope(s.span.start) else {
            return false;
        };
        let found = independent(self.model, self.file, scope, s, &own);
        let depth = self.own_depth(s, &[d]);
        found.is_ok_and(|f| {
            f.conditional.is_empty() && f.reductions.iter().all(|r| reduced.contains(&r.0))
        }) && self.all_independent(s, depth, &own)
    }

    /// There are loops inside that threads of a block share.
    pub(super) fn shares(&self, regions: &[Region<'a>]) -> bool {
        regions.iter().any(|r| {
            let d = r.directive;
            let own = d.kind == Kind::Loop && self.may_share(d, r.body);
            own || self.shares(&r.children)
        })
    }
}
