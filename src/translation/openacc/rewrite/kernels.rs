//! `kernels`: which of its loops are shared among threads (OpenACC 2.5.2). A loop is shared if its directive says that its iterations are
//! independent, or if they are known to be; all else is executed in order, by one thread, with a warning that says why.

use std::collections::BTreeSet;

use super::rewriter::{Rewriter, SharedLoop};
use crate::ast::places::Mentions;
use crate::ast::{DoControl, Span, Stmt, StmtKind};
use crate::sema::Finding;
use crate::sema::model::SymbolId;
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::{Clause, Directive, Kind};
use crate::translation::openacc::independence::independent;
use crate::translation::openacc::regions::{Body, Region};

impl<'a> Rewriter<'a> {
    /// Decides which loops of the construct are shared.
    pub(super) fn plan_kernels(&mut self, r: &Region<'a>) {
        for s in r.body.statements() {
            if !matches!(s.kind, StmtKind::Do(_)) {
                continue;
            }
            let of = |c: &&Region<'a>| matches!(c.body, Body::Loop(l) if l.span == s.span);
            let region = match r.body {
                Body::Loop(_) => Some(r),
                _ => r.children.iter().find(of),
            };
            let directives: Vec<&Directive> = match region {
                Some(c) => vec![c.directive],
                None => Vec::new(),
            };
            if let Some(found) = self.shared_loop_of_kernels(s, &directives, r) {
                self.shared.insert(s.span.start, found);
            }
        }
    }

    fn shared_loop_of_kernels(
        &mut self,
        s: &'a Stmt,
        directives: &[&Directive],
        construct: &Region<'a>,
    ) -> Option<SharedLoop> {
        if directives.iter().any(|d| d.has(ClauseKind::Seq)) {
            return None;
        }
        let scope = self.scope(s.span.start)?;
        // Levels of parallelism are hints: without `independent` the loop is `auto` (OpenACC 2.9.7).
        let asserts = directives.iter().any(|d| d.has(ClauseKind::Independent))
            || matches!(&s.kind, StmtKind::Do(d) if matches!(d.control, DoControl::Concurrent(_)));
        let mut own = BTreeSet::new();
        construct.for_each(&mut |c| {
            let d = c.directive;
            let lists = d.clauses.iter().filter(|c| {
                matches!(c.kind, ClauseKind::Private | ClauseKind::Reduction)
                    && (d.kind != Kind::Loop || directives.iter().any(|o| o.span == d.span))
            });
            for e in lists.flat_map(Clause::exprs) {
                own.extend(self.typed(e).and_then(|t| t.root()));
            }
        });
        let found = match independent(self.model, self.file, scope, s, &own) {
            Ok(found) => found,
            Err(_) if asserts => return Some(SharedLoop::default()),
            Err(why) => {
                self.runs_sequentially(s, why.span, &why.text);
                return None;
            }
        };
        let unit = self.unit?;
        let collapsed = self.own_depth(s, directives);
        if !asserts && !self.all_independent(s, collapsed, &own) {
            self.runs_sequentially(
                s,
                s.span,
                "not all loops of `collapse` are known to be independent",
            );
            return None;
        }
        let shared = self.updated_atomically(construct);
        let mut private = Vec::new();
        let conditional = found.conditional.iter().map(|v| (*v, true));
        let all = found.private.iter().map(|v| (*v, false)).chain(conditional);
        for (v, is_conditional) in all.filter(|(v, _)| !shared.contains(v)) {
            let is_live = self.is_listed(v, &[]) || !self.is_dead_behind(v, s, unit);
            if own.contains(&v) || !is_live {
                private.push(v);
            } else if !(asserts && (is_conditional || self.is_listed(v, &[]))) {
                let name = self.model[v].spelling.to_string();
                let text =
                    format!("`{name}` keeps the value of the last iteration, which is used later");
                self.runs_sequentially(s, s.span, &text);
                return None;
            }
        }
        Some(SharedLoop {
            private,
            reductions: found.reductions,
        })
    }

    fn runs_sequentially(&mut self, s: &Stmt, at: Span, why: &str) {
        let header = match &s.kind {
            StmtKind::Do(d) => d.header,
            _ => s.span,
        };
        let line = self.source.position(at.start).line;
        let message = format!(
            "loop in `kernels` runs sequentially in one thread\nnote: line {line}: {why}\nhelp: write `!$acc loop independent` before the loop if its iterations do not depend on each other"
        );
        self.findings.push(Finding {
            warning: true,
            ..Finding::new("CUF0530", self.file, header, message)
        });
    }

    fn mentions(&self, v: SymbolId, s: &Stmt) -> bool {
        let all = Mentions::of_statements(std::slice::from_ref(s));
        all.names.iter().any(|n| {
            n.text == self.model[v].name && {
                let scope = self.scope(n.span.start);
                scope.and_then(|s| self.model.lookup(s, &n.text)) == Some(v)
            }
        })
    }

    /// The variables of `reduction` clauses in a region.
    pub(super) fn reduced_in(&self, r: &Region<'a>) -> BTreeSet<SymbolId> {
        let mut all = BTreeSet::new();
        r.for_each(&mut |c| {
            let clauses = c.directive.clauses.iter();
            let reductions = clauses.filter(|c| c.kind == ClauseKind::Reduction);
            let roots = reductions
                .flat_map(Clause::exprs)
                .filter_map(|e| self.typed(e)?.root());
            all.extend(roots);
        });
        all
    }

    /// A statement of `kernels` outside of the loops with reductions of the variable mentions it.
    pub(super) fn is_used_beside(&self, v: SymbolId, r: &Region<'a>) -> bool {
        let reduces = |c: &&Region<'a>| self.reduced_in(c).contains(&v);
        let loops: Vec<_> = r
            .children
            .iter()
            .filter(reduces)
            .map(Region::span)
            .collect();
        r.body.statements().iter().any(|s| {
            let overlaps = |l: &Span| l.start < s.span.end && s.span.start < l.end;
            self.mentions(v, s) && !loops.iter().any(overlaps)
        })
    }

    /// The scalar is private in each loop of `kernels` that mentions it, and nothing else does.
    pub(super) fn is_private_everywhere(&self, v: SymbolId, r: &Region<'a>) -> bool {
        r.body.statements().iter().all(|s| {
            let shared = self.shared.get(&s.span.start);
            !self.mentions(v, s) || shared.is_some_and(|l| l.private.contains(&v))
        })
    }
}
