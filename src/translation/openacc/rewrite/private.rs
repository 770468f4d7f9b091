//! What gangs and iterations have for themselves: clauses `private` and `firstprivate` (OpenACC 2.5.11, 2.5.12, 2.9.10).
//!
//! A private array is declared in a BLOCK in the body of the loop. Bounds that are not constant are asked for by the host, before the
//! construct; for `firstprivate`, the host copies the array there, and each copy gets its value from that.

use std::collections::BTreeSet;

use super::compute::Environment;
use super::rewriter::Rewriter;
use crate::ast::{DoControl, Expr, Name, Stmt, StmtKind};
use crate::sema::model::{Dim, SymbolId, VarAttrs};
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::{Clause, Directive};
use crate::translation::openacc::regions::{Body, Region, counts, loops_around};

/// The private variables of a directive.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    pub private: Vec<String>,
    pub firstprivate: Vec<String>,
    arrays: Vec<PrivateArray>,
}

#[derive(Clone, Debug)]
pub(super) struct PrivateArray {
    declaration: String,
    /// The assignment of its first value.
    first: Option<String>,
}

impl Own {
    /// The lines at the start of a BLOCK with the arrays.
    pub(super) fn lines(&self) -> Vec<String> {
        let declared = self.arrays.iter().map(|a| a.declaration.clone());
        let first = self.arrays.iter().filter_map(|a| a.first.clone());
        declared.chain(first).collect()
    }
}

/// Host variables with the bounds and first values of private arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct HostCopies {
    declarations: Vec<String>,
    before: Vec<String>,
    after: Vec<String>,
}

impl HostCopies {
    /// A variable that gets its value before the construct.
    pub(super) fn set<const N: usize>(&mut self, declaration: String, before: [String; N]) {
        self.declarations.push(declaration);
        self.before.extend(before);
    }

    /// Puts them around the lines before a construct and behind it.
    pub(super) fn around(self, enter: &mut Vec<String>, exit: &mut Vec<String>) {
        if self.declarations.is_empty() {
            return;
        }
        let declarations = self.declarations.iter().map(|l| format!("  {l}"));
        let mut lines = vec!["block".to_owned()];
        lines.extend(declarations);
        lines.extend(self.before.iter().map(|l| format!("  {l}")));
        lines.append(enter);
        *enter = lines;
        exit.extend(self.after);
        exit.push("end block".to_owned());
    }
}

impl<'a> Rewriter<'a> {
    /// The variables of the construct that each gang has for itself, and those of reductions; what its loops have for themselves is noted.
    pub(super) fn clause_variables(
        &mut self,
        r: &Region<'a>,
        env: &mut Environment,
    ) -> (BTreeSet<SymbolId>, BTreeSet<SymbolId>) {
        let mut reduced = BTreeSet::new();
        self.private_in.clear();
        self.clauses_of_loops(r, r, &mut BTreeSet::new(), &mut reduced);
        let own = self.private_symbols(r.directive);
        self.prepare_arrays(r, &mut env.host);
        self.prepare_reductions(r, &mut env.host);
        env.own = self.own(r.directive);
        (own, reduced)
    }

    fn clauses_of_loops(
        &mut self,
        r: &Region<'a>,
        construct: &Region<'a>,
        around: &mut BTreeSet<SymbolId>,
        reduced: &mut BTreeSet<SymbolId>,
    ) {
        let own = self.private_symbols(r.directive);
        if let Body::Loop(s) = r.body
            && r.directive.span != construct.directive.span
        {
            self.private_in
                .entry(s.span.start)
                .or_default()
                .extend(&own);
        }
        let reductions = r.directive.clauses.iter();
        let reductions = reductions.filter(|c| c.kind == ClauseKind::Reduction);
        let roots = reductions
            .flat_map(Clause::exprs)
            .filter_map(|e| self.typed(e)?.root());
        // A reduction variable of an inner loop may be private to an outer one.
        reduced.extend(roots.filter(|s| !around.contains(s)));
        let mut inner: BTreeSet<SymbolId> = around.clone();
        inner.extend(own);
        for c in &r.children {
            self.clauses_of_loops(c, construct, &mut inner.clone(), reduced);
        }
    }

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
    fn prepare_arrays(&mut self, r: &Region<'a>, host: &mut HostCopies) {
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
                    () if v.attrs.has(VarAttrs::ALLOCATABLE) => Some("allocated"),
                    () if v.attrs.has(VarAttrs::POINTER) => Some("associated"),
                    () if v.attrs.has(VarAttrs::OPTIONAL) => Some("present"),
                    () => None,
                };
                let guard = there.map_or(String::new(), |f| format!("if ({f}({spelling})) "));
                let mut bounds = Vec::new();
                for k in 1..=v.dims.len() {
                    let low = self.name(&format!("{spelling}_low"));
                    let high = self.name(&format!("{spelling}_high"));
                    let of = [(&low, "lbound"), (&high, "ubound")];
                    let lines =
                        of.map(|(bound, f)| format!("{guard}{bound} = {f}({spelling}, {k}, 8)"));
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
