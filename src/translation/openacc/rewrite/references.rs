//! The data that a compute construct refers to.

use std::collections::{BTreeMap, BTreeSet};

use super::rewriter::Rewriter;
use crate::ast::{self, DoControl, Expr, Span, Stmt, StmtKind};
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::{Subscript, TExpr, TExprKind};
use crate::sema::model::{ScopeId, SymbolId, SymbolKind, Type};
use crate::translation::openacc::directive::{AtomicKind, Kind};
use crate::translation::openacc::lines::joined;
use crate::translation::openacc::regions::Region;

/// A variable, or a component that no subscript selects, and what is done with it.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub root: SymbolId,
    /// Component names behind it.
    pub path: Vec<String>,
    /// An array, also if only elements of it are mentioned.
    pub is_array: bool,
    /// A structure as a whole.
    pub is_structure: bool,
    pub is_written: bool,
    /// The first mention.
    pub span: Span,
    /// As it is written, without subscripts.
    pub text: String,
}

/// The data that statements refer to, in the order of their first mention, and the variables of their loops.
#[derive(Debug, Default)]
pub(super) struct References {
    pub all: Vec<Reference>,
    pub loop_variables: Vec<SymbolId>,
    /// Variables that loops around have for themselves.
    private: Vec<SymbolId>,
    places: BTreeMap<(SymbolId, Vec<String>), usize>,
}

impl Rewriter<'_> {
    pub(super) fn references(&self, statements: &[Stmt]) -> References {
        let mut out = References::default();
        for s in statements {
            self.statement(s, &mut out);
        }
        out
    }

    /// Variables of atomic operations, which all iterations share.
    pub(super) fn updated_atomically(&self, r: &Region<'_>) -> BTreeSet<SymbolId> {
        let mut out = BTreeSet::new();
        r.for_each(&mut |c| {
            let Kind::Atomic(kind) = c.directive.kind else {
                return;
            };
            let mut read = BTreeSet::new();
            let mut assigned = BTreeSet::new();
            for s in c.body.statements() {
                if let StmtKind::Assign { lhs, rhs } = &s.kind {
                    assigned.extend(self.typed(lhs).and_then(|t| t.root()));
                    let value = self.typed(rhs).filter(|t| t.is_designator());
                    read.extend(value.and_then(|t| t.root()));
                }
            }
            match kind {
                AtomicKind::Read => out.extend(read),
                AtomicKind::Capture => out.extend(read.intersection(&assigned)),
                _ => out.extend(assigned),
            }
        });
        out
    }

    fn statement(&self, s: &Stmt, out: &mut References) {
        let Some(scope) = self.scope(s.span.start) else {
            return;
        };
        let inner = s.blocks().first().and_then(|b| b.first());
        let inner = inner
            .and_then(|s| self.scope(s.span.start))
            .unwrap_or(scope);
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                self.expression(scope, rhs, false, out);
                self.expression(scope, lhs, true, out);
            }
            StmtKind::Call(call) => self.call(scope, call, out),
            StmtKind::Do(d) => {
                match &d.control {
                    DoControl::Counted { var, .. } => {
                        out.loop_variables
                            .extend(self.model.lookup(scope, &var.text));
                    }
                    DoControl::Concurrent(h) => {
                        for (name, ..) in &h.indices {
                            out.loop_variables
                                .extend(self.model.lookup(inner, &name.text));
                        }
                    }
                    _ => {}
                }
                for e in s.expressions() {
                    self.expression(inner, e, false, out);
                }
            }
            StmtKind::Forall { header, .. } => {
                for (name, ..) in &header.indices {
                    out.loop_variables
                        .extend(self.model.lookup(inner, &name.text));
                }
                for e in s.expressions() {
                    self.expression(inner, e, false, out);
                }
            }
            _ => {
                for e in s.expressions() {
                    self.expression(scope, e, false, out);
                }
            }
        }
        if let StmtKind::Select(sel) = &s.kind {
            for c in &sel.cases {
                if let ast::CaseGuard::Values(all) = &c.guard {
                    all.iter()
                        .for_each(|e| self.expression(scope, e, false, out));
                }
            }
        }
        let around = out.private.len();
        if let Some(own) = self.private_in.get(&s.span.start) {
            out.private.extend(own);
        }
        for b in s.blocks() {
            b.iter().for_each(|s| self.statement(s, out));
        }
        out.private.truncate(around);
    }

    fn call(&self, scope: ScopeId, call: &ast::Call, out: &mut References) {
        let args = match self.model.call(scope, call) {
            ResolvedCall::User {
                procedure, args, ..
            } => {
                let dummies = self.model.procedure(procedure).map(|p| p.dummies.clone());
                let dummies = dummies.unwrap_or_default();
                for (i, a) in args.iter().enumerate() {
                    let dummy = dummies.get(i).copied().flatten();
                    let v = dummy.and_then(|d| self.model.variable(d));
                    let keeps = v.is_some_and(|v| {
                        v.attrs.has(crate::sema::model::VarAttrs::VALUE)
                            || v.intent == Some(ast::Intent::In)
                    });
                    if let Some(a) = a {
                        self.value(a, !keeps, out);
                    }
                }
                return;
            }
            ResolvedCall::Bound { args, .. } | ResolvedCall::Intrinsic { args, .. } => args,
            ResolvedCall::Runtime { args, .. } => args.into_iter().map(|a| Some(a.1)).collect(),
            ResolvedCall::Unknown { .. } => {
                for a in &call.args {
                    self.expression(scope, &a.value, true, out);
                }
                return;
            }
        };
        for a in args.iter().flatten() {
            self.value(a, true, out);
        }
    }

    fn expression(&self, scope: ScopeId, e: &Expr, is_written: bool, out: &mut References) {
        let t = self.model.expr(scope, e);
        self.value(&t, is_written, out);
    }

    /// What an expression refers to; `is_written`: a designator that gets a value.
    fn value(&self, t: &TExpr, is_written: bool, out: &mut References) {
        if t.is_designator() {
            self.designator(t, is_written, out);
            return;
        }
        match &t.kind {
            TExprKind::Paren(x) => self.value(x, false, out),
            // Functions may change what they get, if they are not pure; that is rare enough to be treated like a reference.
            _ => t.for_each_child(&mut |c| self.value(c, false, out)),
        }
    }

    fn designator(&self, t: &TExpr, is_written: bool, out: &mut References) {
        let mut chain = vec![t];
        while let Some(base) = chain.last().and_then(|x| x.base()) {
            chain.push(base);
        }
        chain.reverse();
        for x in &chain {
            if let TExprKind::Index { subs, .. } = &x.kind {
                for s in subs {
                    let parts = match s {
                        Subscript::Element(e) | Subscript::Vector(e) => vec![e],
                        Subscript::Range { lo, hi, step } => {
                            [lo, hi, step].into_iter().flatten().collect()
                        }
                    };
                    parts.into_iter().for_each(|e| self.value(e, false, out));
                }
            }
            if let TExprKind::Substring { lo, hi, .. } = &x.kind {
                for e in [lo, hi].into_iter().flatten() {
                    self.value(e, false, out);
                }
            }
        }
        let Some(root) = t.root() else { return };
        if out.private.contains(&root) {
            return;
        }
        if !matches!(
            self.model[root].kind,
            SymbolKind::Variable(_) | SymbolKind::Associate { .. }
        ) {
            return;
        }
        let mut path = Vec::new();
        let mut whole = chain[0];
        for x in chain.iter().skip(1) {
            let TExprKind::Component { name, .. } = &x.kind else {
                break;
            };
            if whole.rank != 0 {
                break;
            }
            path.push(name.clone());
            whole = x;
        }
        let key = (root, path.clone());
        let is_structure = whole.rank == 0 && matches!(whole.ty, Type::Derived(_) | Type::Class(_));
        if let Some(found) = out.places.get(&key).and_then(|n| out.all.get_mut(*n)) {
            found.is_written |= is_written;
            return;
        }
        out.places.insert(key, out.all.len());
        out.all.push(Reference {
            root,
            path,
            is_array: whole.rank != 0,
            is_structure,
            is_written,
            span: whole.span,
            text: joined(self.slice(whole.span)),
        });
    }
}
