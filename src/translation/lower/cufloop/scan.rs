//! Questions about the statements of a CUF loop, each asked in the scope in which the statement stands. Variables are compared
//! by what they are, not by name: an associate name is the variable of its selector.

use std::borrow::Cow;

use crate::ast::{self, Stmt, StmtKind as Ast};
use crate::intrinsics::{Inquiry, Intrinsic};
use crate::lower::context::LoweringContext;
use crate::lower::program::analysis::Analysis;
use crate::lower::program::effects::inner_scope;
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Reads statements as seen from one scope.
#[derive(Clone, Copy)]
pub struct Scan<'m> {
    pub model: &'m Model,
    pub analysis: &'m Analysis<'m>,
    /// Scope of the statements.
    pub scope: ScopeId,
    /// Scope around the loop.
    pub around: ScopeId,
}

impl LoweringContext<'_, '_> {
    /// Reads statements of the loop from the scope around it.
    pub fn scan(&self) -> Scan<'_> {
        Scan {
            model: self.sh.model,
            analysis: self.sh.analysis,
            scope: self.scope,
            around: self.unit_scope,
        }
    }
}

impl LoweringContext<'_, '_> {
    /// Reads statements that stand in a scope, around which nothing is looked for.
    pub fn scan_at(&self, scope: ScopeId) -> Scan<'_> {
        Scan {
            scope,
            around: scope,
            ..self.scan()
        }
    }

    pub fn typed_in(&self, scope: ScopeId, e: &ast::Expr) -> TExpr {
        self.model().expr(scope, e)
    }
}

impl<'m> Scan<'m> {
    pub fn typed(&self, e: &ast::Expr) -> TExpr {
        self.model.expr(self.scope, e)
    }

    /// The same in the scope that a construct opens, if it opens one.
    pub fn inside(&self, construct: &Stmt) -> Self {
        Scan {
            scope: inner_scope(self.model, self.scope, construct.span),
            ..*self
        }
    }

    /// The expressions in the declarations of a BLOCK, whose scope this is.
    pub fn declared(&self) -> Vec<&'m ast::Expr> {
        let own = |s: &&SymbolId| self.model[**s].scope == self.scope;
        let all = self.model[self.scope].names.values().filter(own);
        all.flat_map(|s| self.model.dims(*s))
            .flat_map(|d| match d {
                Dim::Explicit { lower, upper } => [lower.as_deref(), Some(upper)],
                Dim::Colon { lower } | Dim::AssumedSize { lower } => [lower.as_deref(), None],
                Dim::AssumedRank => [None, None],
            })
            .flatten()
            .collect()
    }

    /// Calls `f` on the expressions of a statement and of those inside it, with the scope of each.
    pub fn each_expr<'s>(&self, s: &'s Stmt, f: &mut dyn FnMut(Self, &'s ast::Expr)) {
        own_exprs(s).into_iter().for_each(|e| f(*self, e));
        let inner = self.inside(s);
        for b in s.blocks() {
            b.iter().for_each(|s| inner.each_expr(s, f));
        }
    }

    /// Declared by a construct of the loop.
    pub fn is_inner(&self, s: SymbolId) -> bool {
        let home = self.model[s].scope;
        let mut scopes = std::iter::successors(Some(home), |s| self.model[*s].parent);
        home != self.around && scopes.any(|s| s == self.around)
    }

    /// The designator that an associate name stands for. One of a construct around the loop stands for the variable or component
    /// that the host can name beside the loop; else it is a variable of its own.
    pub fn selector(&self, s: SymbolId) -> Option<TExpr> {
        let SymbolKind::Associate { expr, outer, .. } = &self.model[s].kind else {
            return None;
        };
        let at = Scan {
            scope: *outer,
            ..*self
        };
        let t = at.typed(expr);
        let root = t.root()?;
        if !self.is_inner(s) {
            let name = &self.model[root].name;
            let nameable = whole_scalar(&t) && t.rank == 0 && self.steady(&t);
            if !nameable || self.model.lookup(self.around, name) != Some(root) {
                return None;
            }
        }
        Some(at.resolved(&t).into_owned())
    }

    /// Neither a pointer nor allocatable on the way: the designator is always the same place.
    fn steady(&self, t: &TExpr) -> bool {
        let declared = |x: &TExpr| self.model.declared(x);
        !t.any(&mut |x| declared(x).is_some_and(|d| d.attrs.is_dynamic()))
    }

    /// A designator with the associate name at its root replaced by what that stands for.
    pub fn resolved<'t>(&self, t: &'t TExpr) -> Cow<'t, TExpr> {
        if let TExprKind::Variable(s) = t.kind {
            return match self.selector(s) {
                Some(selector) => Cow::Owned(selector),
                None => Cow::Borrowed(t),
            };
        }
        let Some(Cow::Owned(new)) = t.base().map(|b| self.resolved(b)) else {
            return Cow::Borrowed(t);
        };
        let mut t = t.clone();
        if let TExprKind::Index { base, .. }
        | TExprKind::Substring { base, .. }
        | TExprKind::Component { base, .. }
        | TExprKind::ComplexPart { base, .. } = &mut t.kind
        {
            **base = new;
        }
        Cow::Owned(t)
    }

    /// `t` is the place `place`, which has no associate name.
    pub fn is(&self, t: &TExpr, place: &TExpr) -> bool {
        match t.is_designator() {
            true => same(&self.resolved(t), place),
            false => same(t, place),
        }
    }

    /// The value of the expression may depend on the place, the place may be changed by it.
    pub fn mentions(&self, place: &TExpr, e: &TExpr) -> bool {
        if e.is_designator() {
            let d = self.resolved(e);
            return holds(&d, place) || holds(place, &d) || self.subscripts_mention(place, &d);
        }
        match &e.kind {
            TExprKind::StatementFunctionCall { function, .. } => {
                if let SymbolKind::StatementFunction(f) = &self.model[*function].kind {
                    let at = Scan {
                        scope: self.model[*function].scope,
                        ..*self
                    };
                    if at.mentions(place, &at.typed(&f.expr)) {
                        return true;
                    }
                }
            }
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. }
                if self.reads_global(*procedure, place) =>
            {
                return true;
            }
            _ => {}
        }
        let mut found = false;
        e.for_each_child(&mut |c| found = found || self.mentions(place, c));
        found
    }

    fn subscripts_mention(&self, place: &TExpr, designator: &TExpr) -> bool {
        let mut at = Some(designator);
        while let Some(d) = at {
            let base = d.base();
            let mut found = false;
            d.for_each_child(&mut |c| {
                let is_base = base.is_some_and(|b| std::ptr::eq(b, c));
                found = found || !is_base && self.mentions(place, c);
            });
            if found {
                return true;
            }
            at = base;
        }
        false
    }

    /// The procedure, or one that it calls, uses the module variable that the place is in.
    pub fn reads_global(&self, procedure: SymbolId, place: &TExpr) -> bool {
        let Some(root) = place.root() else {
            return false;
        };
        let home = &self.model[self.model[root].scope];
        if !matches!(home.kind, ScopeKind::Module | ScopeKind::Submodule) {
            return false;
        }
        let mut waiting: Vec<ScopeId> =
            Vec::from_iter(self.analysis.body_of(self.model, procedure));
        let mut seen = waiting.clone();
        while let Some(body) = waiting.pop() {
            let Some(f) = self.analysis.facts.get(&body) else {
                continue;
            };
            if f.mentioned.contains(&root) {
                return true;
            }
            let new: Vec<ScopeId> = f
                .calls
                .iter()
                .filter(|c| !seen.contains(c))
                .copied()
                .collect();
            seen.extend(&new);
            waiting.extend(new);
        }
        false
    }

    /// The optional dummies that need not be present for the statements: they ask, or pass them on.
    pub fn asked_for(&self, body: &[Stmt]) -> Vec<SymbolId> {
        let optional = |s: &SymbolId| {
            let variable = self.model.variable(*s);
            variable.is_some_and(|v| v.attrs.has(VarAttrs::OPTIONAL))
        };
        let mut found = Vec::new();
        let mut actual = |x: &TExpr| match x.kind {
            TExprKind::Variable(s) if optional(&s) => found.push(s),
            _ => {}
        };
        for s in body {
            self.each_expr(s, &mut |at, e| {
                let t = at.typed(e);
                actual(&t);
                t.walk(&mut |x| match &x.kind {
                    TExprKind::Intrinsic {
                        intrinsic: Intrinsic::Inquiry(Inquiry::Present),
                        args,
                    } => {
                        args.iter().flatten().for_each(&mut actual);
                    }
                    TExprKind::Call { args, .. } | TExprKind::BoundCall { args, .. } => {
                        args.iter().flatten().for_each(&mut actual);
                    }
                    _ => {}
                });
            });
        }
        found
    }

    /// What the functions in the expression may change: places among their arguments.
    pub fn arguments<'t>(&self, e: &'t TExpr, f: &mut dyn FnMut(Self, &TExpr)) {
        match &e.kind {
            TExprKind::Call { args, .. } | TExprKind::BoundCall { args, .. } => {
                args.iter().flatten().for_each(|a| f(*self, a));
            }
            TExprKind::Runtime { args, .. } => args.iter().for_each(|(_, a)| f(*self, a)),
            TExprKind::StatementFunctionCall { function, .. } => {
                if let SymbolKind::StatementFunction(s) = &self.model[*function].kind {
                    let at = Scan {
                        scope: self.model[*function].scope,
                        ..*self
                    };
                    at.arguments(&at.typed(&s.expr), f);
                }
            }
            _ => {}
        }
        e.for_each_child(&mut |c| self.arguments(c, f));
    }
}

/// `outer` is the place, or a structure that holds it.
pub(super) fn holds(outer: &TExpr, place: &TExpr) -> bool {
    std::iter::successors(Some(place), |p| p.base()).any(|p| same(outer, p))
}

/// The expressions of a statement, without those of statements inside it.
pub fn own_exprs(s: &Stmt) -> Vec<&ast::Expr> {
    match &s.kind {
        Ast::Call(c) => c.args.iter().map(|a| &a.value).collect(),
        _ => s.expressions(),
    }
}

/// Calls `f` on the expressions of a statement and of those inside it.
pub fn each_expr<'s>(s: &'s Stmt, f: &mut dyn FnMut(&'s ast::Expr)) {
    own_exprs(s).into_iter().for_each(&mut *f);
    for b in s.blocks() {
        b.iter().for_each(|s| each_expr(s, f));
    }
}

/// A variable or a component of one, no element.
pub fn whole_scalar(t: &TExpr) -> bool {
    match &t.kind {
        TExprKind::Variable(_) => true,
        TExprKind::Component { base, .. } => whole_scalar(base),
        _ => false,
    }
}
