//! Where the variables of a loop nest stand, so that questions about one need not look at all statements.

use std::collections::{BTreeMap, HashMap};

use super::context::Cx;
use crate::ast::{self, Stmt, StmtKind as Ast};
use crate::sema::model::{Model, ScopeId, SymbolId};

/// Where each variable stands in the statements of a loop nest: offsets, in order.
pub struct Places(pub BTreeMap<SymbolId, Vec<u32>>);

impl Cx<'_, '_> {
    /// The places of all variables in the statements.
    pub fn places(&self, body: &[Stmt]) -> Places {
        let mut found = Finder {
            model: self.model(),
            scope: self.scope,
            known: HashMap::new(),
            places: BTreeMap::new(),
        };
        found.block(body);
        found.places.values_mut().for_each(|p| p.sort_unstable());
        Places(found.places)
    }
}

/// Collects [`Places`].
struct Finder<'a> {
    model: &'a Model,
    scope: ScopeId,
    /// What the names met so far mean.
    known: HashMap<&'a str, Option<SymbolId>>,
    places: BTreeMap<SymbolId, Vec<u32>>,
}

impl<'a> Finder<'a> {
    fn name(&mut self, name: &'a ast::Name) {
        let (model, scope) = (self.model, self.scope);
        let lookup = || model.lookup(scope, &name.text);
        if let Some(s) = *self.known.entry(&name.text).or_insert_with(lookup) {
            self.places.entry(s).or_default().push(name.span.start);
        }
    }

    fn expr(&mut self, e: &'a ast::Expr) {
        match &e.kind {
            ast::ExprKind::Name(n) => self.name(n),
            ast::ExprKind::ImpliedDo(d) => self.name(&d.var),
            _ => {}
        }
        e.for_each_child(&mut |c| self.expr(c));
    }

    fn block(&mut self, body: &'a [Stmt]) {
        for s in body {
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &'a Stmt) {
        if let Ast::Do(d) = &s.kind
            && let ast::DoControl::Counted { var, .. } = &d.control
        {
            self.name(var);
        }
        own_exprs(s).into_iter().for_each(|e| self.expr(e));
        s.blocks().into_iter().for_each(|b| self.block(b));
    }
}

/// The expressions of a statement, without those of statements inside it.
fn own_exprs(s: &Stmt) -> Vec<&ast::Expr> {
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
