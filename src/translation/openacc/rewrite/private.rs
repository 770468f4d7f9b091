//! What gangs and iterations have for themselves: clauses `private` and `firstprivate` (OpenACC 2.5.11, 2.5.12, 2.9.10).
//!
//! A private array is declared in a BLOCK in the body of the loop. Bounds that are not constant are asked for by the host, before the
//! construct; for `firstprivate`, the host copies the array there, and each copy gets its value from that.

use std::collections::BTreeSet;

use super::environment::{Environment, HostCopies, Own, PrivateArray};
use super::rewriter::Rewriter;
use crate::ast::{DoControl, Expr, Name, Stmt, StmtKind};
use crate::sema::model::{Dim, SymbolId, VarAttrs};
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::{Clause, Directive};
use crate::translation::openacc::regions::{Region, counts, loops_around};

impl<'a> Rewriter<'a> {
    pub(super) fn private_symbols(&self, d: &Directive) -> BTreeSet<SymbolId> {
        self.private_clauses(d)
            .into_iter()
            .filter_map(|(_, n)| self.model.lookup(self.scope(n.span.start)?, &n.text))
            .collect()
    }

    /// The names in such clauses. The variables of loops of the construct around the directive keep their values.
    fn private_clauses<'d>(&self, d: &'d Directive) -> Vec<(&'d Clause, &'d Name)> {
        let own = |c: &&Clause| matches!(c.kind, ClauseKind::Private | ClauseKind::Firstprivate);
        let names = |c: &'d Clause| c.exprs().filter_map(move |e| Some((c, e.as_name()?)));
        let body = self.unit.map_or(&[][..], |u| &u.body);
        let mut around = loops_around(body, d.span.start);
        around.retain(|s| s.span.start > self.construct_at);
        let is_outer = |n: &Name| around.iter().any(|s| counts(s, &n.text));
        let all = d.clauses.iter().filter(own).flat_map(names);
        all.filter(|(_, n)| !is_outer(n)).collect()
    }

    /// How the arrays are declared that the directives of a construct make private.
    pub(super) fn prepare_arrays(&mut self, r: &Region<'a>, host: &mut HostCopies) {
        self.private_arrays.clear();
        let mut found = Vec::new();
        r.for_each(&mut |c| {
            for (clause, n) in self.private_clauses(c.directive) {
                let s = self.scope(n.span.start);
                let s = s.and_then(|s| self.model.lookup(s, &n.text));
                found.extend(s.map(|s| (s, clause.kind, n.clone())));
            }
        });
        for (s, kind, name) in found {
            if self.model.dims(s).is_empty() {
                continue;
            }
            let known = self.private_arrays.get(&s);
            let is_first = kind == ClauseKind::Firstprivate;
            if known.is_some_and(|k| k.first.is_some() || !is_first) {
                continue;
            }
            match self.private_array(s, &name, is_first, host) {
                Some(a) => {
                    self.private_arrays.insert(s, a);
                }
                None => {
                    let text = &name.text;
                    self.report(name.span, "CUF0531", format!("array `{text}` cannot be private\nnote: private arrays have known bounds, and a numeric, logical, or derived type, or a constant length\nhelp: use an array with one dimension more, and the loop variable as its subscript"));
                }
            }
        }
    }

    /// The bounds of an array where its construct stands; the host asks for those that are not constant. None: they are not known.
    pub(super) fn bounds_text(
        &mut self,
        s: SymbolId,
        name: &Name,
        host: &mut HostCopies,
    ) -> Option<String> {
        let v = self.model.variable(s)?.clone();
        let scope = self.scope(name.span.start)?;
        let spelling = name.text.to_string();
        let open = |d: &Dim| matches!(d, Dim::AssumedSize { .. } | Dim::AssumedRank);
        if v.dims.iter().any(open) {
            return None;
        }
        let constant = |e: &Expr| self.model.const_int(scope, e).map(|n| n.to_string());
        let declared = |d: &Dim| match d {
            Dim::Explicit { lower, upper } => Some(match lower {
                Some(l) => format!("{}:{}", constant(l)?, constant(upper)?),
                None => constant(upper)?,
            }),
            _ => None,
        };
        let bounds: Option<Vec<String>> = v.dims.iter().map(declared).collect();
        let bounds = match bounds {
            Some(b) => b,
            None => {
                let there = match () {
                    () if v.attrs.has(VarAttrs::ALLOCATABLE) => format!("allocated({spelling})"),
                    () if v.attrs.has(VarAttrs::POINTER) => format!("associated({spelling})"),
                    () if v.attrs.has(VarAttrs::OPTIONAL) => format!("present({spelling})"),
                    () => String::new(),
                };
                let guard = match there.is_empty() {
                    true => String::new(),
                    false => format!("if ({there}) "),
                };
                let mut bounds = Vec::new();
                for k in 1..=v.dims.len() {
                    let low = self.name(&format!("{spelling}_low"));
                    let high = self.name(&format!("{spelling}_high"));
                    let lines = [
                        format!("{guard}{low} = lbound({spelling}, {k}, 8)"),
                        format!("{guard}{high} = ubound({spelling}, {k}, 8)"),
                    ];
                    host.set(
                        format!("integer(8) :: {low}, {high}"),
                        [format!("{low} = 1"), format!("{high} = 0")],
                    );
                    host.before.extend(lines);
                    bounds.push(format!("{low}:{high}"));
                }
                bounds
            }
        };
        Some(bounds.join(", "))
    }

    /// None: the bounds or the type cannot be declared.
    fn private_array(
        &mut self,
        s: SymbolId,
        name: &Name,
        is_first: bool,
        host: &mut HostCopies,
    ) -> Option<PrivateArray> {
        let v = self.model.variable(s)?.clone();
        let ty = self.type_text(&v.ty)?;
        let spelling = name.text.to_string();
        let bounds = self.bounds_text(s, name, host)?;
        let first = is_first.then(|| {
            let from = self.name(&format!("{spelling}_first"));
            let colons = vec![":"; v.dims.len()].join(", ");
            let place = self.place(name.span.start, &spelling);
            host.declarations
                .push(format!("{ty}, allocatable :: {from}({colons})"));
            host.before.extend([
                format!("allocate({from}({bounds}))"),
                format!("{from} = {spelling}"),
                format!("call cuf_acc_copyin({from}, {place})"),
            ]);
            host.after
                .push(format!("call cuf_acc_end_copyin({from}, {place})"));
            self.uses_runtime = true;
            format!("{spelling} = {from}")
        });
        Some(PrivateArray {
            declaration: format!("{ty} :: {spelling}({bounds})"),
            first,
        })
    }

    /// The private variables of a directive.
    pub(super) fn own(&self, d: &Directive) -> Own {
        let mut own = Own::default();
        let mut seen = BTreeSet::new();
        for (clause, n) in self.private_clauses(d) {
            let s = self.scope(n.span.start);
            let s = s.and_then(|s| self.model.lookup(s, &n.text));
            let Some(s) = s.filter(|s| seen.insert(*s)) else {
                continue;
            };
            let is_first = clause.kind == ClauseKind::Firstprivate;
            match self.private_arrays.get(&s) {
                Some(a) => own.arrays.push(PrivateArray {
                    first: a.first.clone().filter(|_| is_first),
                    ..a.clone()
                }),
                None if is_first => own.firstprivate.push(n.text.to_string()),
                None => own.private.push(n.text.to_string()),
            }
        }
        own.private.sort();
        own.firstprivate.sort();
        own
    }

    /// The environment of a loop with a directive of its own in the construct.
    pub(super) fn with_own(&self, env: &Environment, d: &Directive) -> Environment {
        let own = self.own(d);
        let mut env = env.clone();
        let names = |a: &PrivateArray| a.declaration.clone();
        let known: BTreeSet<String> = own.arrays.iter().map(names).collect();
        env.own.arrays.retain(|a| !known.contains(&a.declaration));
        env.own.arrays.extend(own.arrays);
        let is_own = |n: &String| own.private.iter().any(|p| p.eq_ignore_ascii_case(n));
        env.own.firstprivate.retain(|n| !is_own(n));
        env.own.private.retain(|n| !is_own(n));
        env.own.private.extend(own.private);
        env
    }

    /// The declarations in the body of a loop for its private arrays and, with `scalars`, for the others, too.
    pub(super) fn declarations(&self, d: &Directive, s: &Stmt, scalars: bool) -> Vec<String> {
        let own = self.own(d);
        let mut lines = Vec::new();
        for n in own.private.iter().filter(|_| scalars) {
            let found = self.scope(s.span.start);
            let found = found.and_then(|scope| self.model.lookup(scope, n));
            let is_control = matches!(&s.kind, StmtKind::Do(d)
                if matches!(&d.control, DoControl::Counted { var, .. } if var.text.eq_ignore_ascii_case(n)));
            let ty = found.and_then(|v| self.type_text(&self.model.type_of(v)));
            if let Some(ty) = ty.filter(|_| !is_control) {
                lines.push(format!("{ty} :: {n}"));
            }
        }
        lines.extend(own.lines());
        lines
    }

    /// A BLOCK around the body of the innermost of `depth` loops, with these lines at its start.
    pub(super) fn private_block(&mut self, s: &Stmt, depth: usize, start: &[String]) {
        let mut at = s;
        for _ in 1..depth {
            let StmtKind::Do(d) = &at.kind else { return };
            match d.body.iter().find(|s| matches!(s.kind, StmtKind::Do(_))) {
                Some(inner) => at = inner,
                None => return,
            }
        }
        let StmtKind::Do(d) = &at.kind else { return };
        if start.is_empty() {
            return;
        }
        let indent = self.indent(at.start()).to_owned();
        let mut lines = vec!["  block".to_owned()];
        lines.extend(start.iter().map(|l| format!("    {l}")));
        self.insert_after(d.header.end, &indent, &lines);
        // The statement with the label of a labelled loop is its last.
        let last = match d.label {
            Some(_) => d.body.len().checked_sub(2).and_then(|n| d.body.get(n)),
            None => d.body.last(),
        };
        let end = last.map_or(d.header.end, |s| s.span.end);
        self.insert_after(end, &indent, &["  end block".to_owned()]);
    }
}
