//! Where the variables of a loop nest stand, so that questions about one need not look at all statements.

use std::collections::{BTreeMap, HashMap};

use super::scan::{Scan, own_exprs};
use crate::ast::{self, Stmt, StmtKind as Ast};
use crate::sema::model::{Model, ScopeId, SymbolId, SymbolKind};

/// Where each variable stands in the statements of a loop nest: offsets, in order.
pub struct Places(pub BTreeMap<SymbolId, Vec<u32>>);

impl Scan<'_> {
    /// The places of all variables in the statements. A name that stands for others (an associate name, a statement function) is
    /// a place of theirs too.
    pub fn places(&self, body: &[Stmt]) -> Places {
        let mut found = Finder {
            model: self.model,
            known: HashMap::new(),
            places: BTreeMap::new(),
        };
        found.block(*self, body);
        found.places.values_mut().for_each(|p| p.sort_unstable());
        Places(found.places)
    }
}

/// Collects [`Places`].
struct Finder<'a> {
    model: &'a Model,
    /// What the names met so far mean in each scope.
    known: HashMap<(ScopeId, &'a str), Vec<SymbolId>>,
    places: BTreeMap<SymbolId, Vec<u32>>,
}

impl<'a> Finder<'a> {
    fn name(&mut self, at: Scan<'_>, name: &'a ast::Name) {
        let key = (at.scope, name.text.as_str());
        if !self.known.contains_key(&key) {
            let mut all = Vec::new();
            if let Some(s) = self.model.lookup(at.scope, &name.text) {
                behind(self.model, s, &mut all);
            }
            self.known.insert(key, all);
        }
        for s in self.known.get(&key).into_iter().flatten() {
            self.places.entry(*s).or_default().push(name.span.start);
        }
    }

    fn expr(&mut self, at: Scan<'_>, e: &'a ast::Expr) {
        match &e.kind {
            ast::ExprKind::Name(n) => self.name(at, n),
            ast::ExprKind::ImpliedDo(d) => self.name(at, &d.var),
            _ => {}
        }
        e.for_each_child(&mut |c| self.expr(at, c));
    }

    fn block(&mut self, at: Scan<'_>, body: &'a [Stmt]) {
        for s in body {
            self.stmt(at, s);
        }
    }

    fn stmt(&mut self, at: Scan<'_>, s: &'a Stmt) {
        let inner = at.inside(s);
        if let Ast::Do(d) = &s.kind
            && let ast::DoControl::Counted { var, .. } = &d.control
        {
            self.name(at, var);
        }
        let header = match s.kind {
            Ast::Do(_) => inner,
            _ => at,
        };
        own_exprs(s).into_iter().for_each(|e| self.expr(header, e));
        if let Ast::Block { body, spec, .. } = &s.kind {
            // The bounds of what it declares count as places at its beginning.
            let start = spec.first().map_or(s.span.start, |d| d.span.start);
            for e in inner.declared() {
                let mut roots = Vec::new();
                variables(self.model, inner.scope, e, &mut roots);
                for r in roots {
                    self.places.entry(r).or_default().push(start);
                }
            }
            return self.block(inner, body);
        }
        s.blocks().into_iter().for_each(|b| self.block(inner, b));
    }
}

/// A symbol and what it stands for.
fn behind(model: &Model, s: SymbolId, out: &mut Vec<SymbolId>) {
    if out.contains(&s) {
        return;
    }
    out.push(s);
    match &model[s].kind {
        SymbolKind::Associate { expr, outer, .. } => variables(model, *outer, expr, out),
        SymbolKind::StatementFunction(f) => variables(model, model[s].scope, &f.expr, out),
        _ => {}
    }
}

/// The variables in an expression, with those that they stand for.
fn variables(model: &Model, scope: ScopeId, e: &ast::Expr, out: &mut Vec<SymbolId>) {
    if let ast::ExprKind::Name(n) = &e.kind
        && let Some(s) = model.lookup(scope, &n.text)
    {
        behind(model, s, out);
    }
    e.for_each_child(&mut |c| variables(model, scope, c, out));
}
