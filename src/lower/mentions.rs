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
        match &s.kind {
            Ast::LogicalIf { cond, stmt } => {
                self.expr(cond);
                self.stmt(stmt);
            }
            Ast::If {
                branches,
                else_block,
                ..
            } => {
                for b in branches {
                    self.expr(&b.cond);
                    self.block(&b.body);
                }
                if let Some(e) = else_block {
                    self.block(&e.body);
                }
            }
            Ast::Do(d) => {
                match &d.control {
                    ast::DoControl::Counted {
                        var,
                        from,
                        to,
                        step,
                    } => {
                        self.name(var);
                        self.expr(from);
                        self.expr(to);
                        step.iter().for_each(|e| self.expr(e));
                    }
                    ast::DoControl::While(e) => self.expr(e),
                    _ => {}
                }
                self.block(&d.body);
            }
            Ast::Select(sel) => {
                self.expr(&sel.selector);
                sel.cases.iter().for_each(|c| self.block(&c.body));
            }
            Ast::Associate { items, body, .. } => {
                items.iter().for_each(|(_, e)| self.expr(e));
                self.block(body);
            }
            Ast::Block { body, .. } | Ast::OtherBlock { body, .. } => self.block(body),
            _ => each_expr(s, &mut |e| self.expr(e)),
        }
    }
}

/// Calls `f` on the expressions of a simple statement.
pub fn each_expr<'s>(s: &'s Stmt, f: &mut dyn FnMut(&'s ast::Expr)) {
    match &s.kind {
        Ast::Assign { lhs, rhs } | Ast::PointerAssign { lhs, rhs } => {
            f(lhs);
            f(rhs);
        }
        Ast::Call(c) => c.args.iter().for_each(|a| f(&a.value)),
        Ast::Print { items, .. } | Ast::Write { items, .. } => items.iter().for_each(f),
        Ast::ComputedGoto { index, .. } => f(index),
        Ast::ArithmeticIf { expr, .. } => f(expr),
        Ast::Where { branches, .. } => {
            for b in branches {
                b.mask.iter().for_each(&mut *f);
                b.body.iter().for_each(|s| each_expr(s, f));
            }
        }
        Ast::Forall { body, header, .. } => {
            for (_, a, b, c) in &header.indices {
                f(a);
                f(b);
                c.iter().for_each(&mut *f);
            }
            body.iter().for_each(|s| each_expr(s, f));
        }
        _ => {}
    }
}
