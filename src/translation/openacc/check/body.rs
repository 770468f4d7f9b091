//! The statements of compute constructs.

use std::collections::BTreeSet;

use super::super::regions::Region;
use super::checker::{Checker, name_of};
use crate::ast::{Call, DoControl, Expr, ExprKind, Name, Span, Stmt, StmtKind};
use crate::sema::Finding;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::{BuiltinVar, TExprKind};
use crate::sema::model::{ProcedureKind, ProcedureTarget, ScopeKind, SymbolId, SymbolKind};

/// Code of variables without a clause where `default(none)` requires one.
const UNLISTED: &str = "CUF0518";
/// Code of statements that device code does not have.
const STATEMENT: &str = "CUF0520";
/// Code of CUDA Fortran's own means in compute constructs.
const CUDA: &str = "CUF0529";

/// What is known of the variables of a construct.
struct Names {
    /// Every variable must be in a clause.
    listed_only: bool,
    /// In clauses, DO variables, reported already.
    known: BTreeSet<SymbolId>,
}

impl<'a> Checker<'a> {
    pub(super) fn compute_body(&mut self, r: &'a Region<'a>) {
        let saved = self.scope;
        let listed_only = self.default_is_none();
        let mut names = Names {
            listed_only,
            known: BTreeSet::new(),
        };
        if listed_only {
            self.collect_listed(r, &mut names);
        }
        for s in r.body.statements() {
            self.statement(r, s, &mut names);
        }
        self.scope = saved;
    }

    /// The variables in clauses of the construct, of regions around it and of loops inside it, and the DO variables.
    fn collect_listed(&self, r: &Region<'_>, names: &mut Names) {
        let mut all: Vec<&Expr> = Vec::new();
        for around in &self.chain {
            all.extend(around.directive.clauses.iter().flat_map(|c| c.exprs()));
        }
        r.for_each(&mut |inner| {
            all.extend(inner.directive.clauses.iter().flat_map(|c| c.exprs()));
        });
        let listed = all.into_iter().filter_map(|e| self.root_symbol(e));
        names.known.extend(listed);
        for s in r.body.statements() {
            self.collect_indices(s, names);
        }
    }

    fn collect_indices(&self, s: &Stmt, names: &mut Names) {
        if let StmtKind::Do(d) = &s.kind
            && let DoControl::Counted { var, .. } = &d.control
        {
            let scope = self.model.scope_at(self.file, s.span.start);
            let symbol = self.model.lookup(scope.unwrap_or(self.scope), &var.text);
            names.known.extend(symbol);
        }
        for b in s.blocks() {
            b.iter().for_each(|s| self.collect_indices(s, names));
        }
    }

    fn statement(&mut self, r: &'a Region<'a>, s: &'a Stmt, names: &mut Names) {
        if let Some(scope) = self.model.scope_at(self.file, s.span.start) {
            self.scope = scope;
        }
        let refused = match &s.kind {
            StmtKind::Allocate(_) => Some("allocate"),
            StmtKind::Deallocate { .. } => Some("deallocate"),
            StmtKind::Read { .. } => Some("read"),
            StmtKind::Io { word, .. } => Some(word.as_str()),
            _ => None,
        };
        if let Some(word) = refused {
            let construct = name_of(r.directive);
            let message = format!(
                "statement `{word}` is not allowed in a `{construct}` construct\nnote: the construct runs on the \
                 device, where only list-directed output is available, and memory is not allocated\nhelp: move the \
                 statement out of the construct"
            );
            self.report(STATEMENT, s.span, message);
        }
        for e in s.expressions() {
            self.expression(r, e, names);
        }
        match &s.kind {
            StmtKind::Call(c) => {
                self.call(r, s.span, c);
                for a in &c.args {
                    self.expression(r, &a.value, names);
                }
            }
            StmtKind::CufKernel(k) => {
                let message = format!(
                    "CUF directive inside a `{}` construct\nnote: the construct is device code already\nhelp: remove \
                     the directive",
                    name_of(r.directive)
                );
                self.report(CUDA, k.directive, message);
            }
            _ => {}
        }
        for b in s.blocks() {
            for s in b {
                self.statement(r, s, names);
            }
        }
    }

    fn call(&mut self, r: &Region<'_>, span: Span, c: &Call) {
        let construct = name_of(r.directive);
        if let Some(l) = &c.launch {
            let message = format!(
                "kernel launch inside a `{construct}` construct\nhelp: launch the kernel outside of the construct, or \
                 call a device procedure"
            );
            self.report(CUDA, l.span, message);
            return;
        }
        if let ResolvedCall::User {
            procedure, target, ..
        } = self.model.call(self.scope, c)
        {
            self.callee(construct, span, procedure, target);
        }
    }

    /// Device code can call what has source code at hand, or a directive that promises a device version.
    fn callee(
        &mut self,
        construct: &str,
        span: Span,
        procedure: SymbolId,
        target: ProcedureTarget,
    ) {
        if !matches!(target, ProcedureTarget::Host) || self.known.routines.contains_key(&procedure)
        {
            return;
        }
        let Some(p) = self.model.procedure(procedure) else {
            return;
        };
        let name = self.model[procedure].spelling.clone();
        let defined = self.model.definition(procedure).or_else(|| {
            let named = self
                .model
                .externals
                .get(self.model[procedure].name.as_str());
            named.copied()
        });
        let known = self.model.is_acc_on_device(procedure)
            || defined.is_some_and(|d| {
                self.known.routines.contains_key(&d)
                    || self.model.procedure(d).is_some_and(|p| p.body.is_some())
            });
        let missing = match p.kind {
            ProcedureKind::External => !known,
            ProcedureKind::Dummy | ProcedureKind::Pointer => true,
            _ => false,
        };
        if missing {
            let message = format!(
                "procedure `{name}` cannot be called in a `{construct}` construct\nnote: its source is not among the \
                 files, and no `routine` directive says that it has a device version\nhelp: add its source to the \
                 program, or declare it with `!$acc routine({name})`"
            );
            self.report(STATEMENT, span, message);
        }
    }

    fn expression(&mut self, r: &Region<'_>, e: &Expr, names: &mut Names) {
        match &e.kind {
            ExprKind::Name(n) => self.name(r, n, names),
            ExprKind::Ref { base, .. } => {
                if let Some(n) = base.as_name() {
                    let symbol = self.model.lookup(self.scope, &n.text);
                    let is_call = symbol.is_some_and(|s| self.model.procedure(s).is_some());
                    if is_call
                        && let TExprKind::Call {
                            procedure, target, ..
                        } = self.typed(e).kind
                    {
                        self.callee(name_of(r.directive), e.span, procedure, target);
                    }
                }
            }
            _ => {}
        }
        e.for_each_child(&mut |c| self.expression(r, c, names));
    }

    fn name(&mut self, r: &Region<'_>, n: &Name, names: &mut Names) {
        let symbol = self.model.lookup(self.scope, &n.text);
        let builtin = BuiltinVar::named(&n.text);
        if builtin.is_some_and(|b| b != BuiltinVar::WarpSize)
            && symbol.is_none_or(|s| match &self.model[s].kind {
                SymbolKind::Variable(v) => !v.declared,
                // It was found to be declared nowhere.
                SymbolKind::Unknown => true,
                _ => self.model[self.model[s].scope].kind == ScopeKind::External,
            })
        {
            let message = format!(
                "`{}` inside a `{}` construct\nnote: how the construct is divided among threads is not the program's \
                 choice\nhelp: write a kernel with `attributes(global)`, or use the loop index",
                self.slice(n.span),
                name_of(r.directive)
            );
            self.report(CUDA, n.span, message);
            return;
        }
        if !names.listed_only {
            return;
        }
        let Some(symbol) = symbol.and_then(|s| self.model.stands_for(s).last()) else {
            return;
        };
        let SymbolKind::Variable(_) = &self.model[symbol].kind else {
            return;
        };
        let declared_inside = {
            let scope = &self.model[self.model[symbol].scope];
            scope.file == self.file && scope.span.start > r.directive.span.start
        };
        if declared_inside
            || self.is_on_device(symbol)
            || self.known.declared.contains(&symbol)
            || !names.known.insert(symbol)
        {
            return;
        }
        let construct = name_of(r.directive);
        let message = format!(
            "variable `{}` is in no clause of the `{construct}` construct\nnote: `default(none)` requires a clause for \
             each variable (OpenACC 2.5.14)\nhelp: add `{0}` to a clause such as `copyin` or `firstprivate`",
            self.slice(n.span)
        );
        let mut finding = Finding::new(UNLISTED, self.file, n.span, message);
        finding
            .notes
            .push((self.file, r.directive.span, "the construct is".to_owned()));
        self.findings.push(finding);
    }
}
