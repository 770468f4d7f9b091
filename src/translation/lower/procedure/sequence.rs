//! Function references with side effects that must be evaluated before the rest of their statement.
//!
//! C++ may take operands and arguments in any order; nvfortran and gfortran take them from left to right. That each
//! reference in a statement over arrays is evaluated once is the matter of [`LoweringContext::val`].

use crate::ast::BinaryOp;
use crate::ir::function::Changes;
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Arrays;
use crate::sema::expression::typed::*;
use crate::sema::model::{ScopeKind, SymbolId, Type, VarAttrs, Variable};

impl LoweringContext<'_, '_> {
    /// If the expressions of a statement, given in order, have several references with side effects, all but the last are
    /// evaluated into temporaries.
    pub fn sequence<'e>(&mut self, exprs: impl IntoIterator<Item = &'e TExpr>) {
        if !self.substitutions.is_empty() {
            return;
        }
        let mut found = Vec::new();
        for e in exprs {
            self.references(e, &mut found);
        }
        found.pop();
        for e in found {
            if e.rank > 0 {
                self.materialise(e);
            } else if is_plain(&e.ty) && self.held_scalar(e).is_none() {
                let value = self.value(e);
                self.hold(e, value);
            }
        }
    }

    /// Collects the references with side effects in the order of evaluation: arguments before the function. Array constructors
    /// whose iterations have some, and functions of arrays, are evaluated as a whole.
    fn references<'e>(&self, e: &'e TExpr, out: &mut Vec<&'e TExpr>) {
        match &e.kind {
            // By each iteration; the limits before the first one.
            TExprKind::ImpliedDo { from, to, step, .. } => {
                for limit in [from, to].into_iter().chain(step) {
                    self.references(limit, out);
                }
                return;
            }
            // The right operand is not always evaluated.
            TExprKind::Binary {
                op: BinaryOp::And | BinaryOp::Or,
                lhs,
                ..
            } => return self.references(lhs, out),
            _ => {}
        }
        e.for_each_child(&mut |c| self.references(c, out));
        let effect = match &e.kind {
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                let elemental = e.rank > 0 && self.is_elemental(*procedure);
                !elemental && self.has_effect(*procedure)
            }
            TExprKind::Runtime { name, .. } => {
                e.rank == 0
                    && crate::lower::program::effects::changes(name)
                        .is_some_and(|c| c != Changes::None)
            }
            TExprKind::ArrayConstructor { .. } => self.iterates_with_effect(e),
            _ => false,
        };
        if effect {
            out.push(e);
        }
    }

    fn is_elemental(&self, procedure: SymbolId) -> bool {
        let p = self.model().procedure(procedure);
        p.is_some_and(|p| p.elemental)
    }

    /// An implied DO of the constructor has items with side effects.
    pub fn iterates_with_effect(&self, e: &TExpr) -> bool {
        matches!(e.kind, TExprKind::ArrayConstructor { .. })
            && e.any(&mut |x| match &x.kind {
                TExprKind::ImpliedDo { items, .. } => {
                    items.iter().any(|i| self.calls_with_effect(i))
                }
                _ => false,
            })
    }

    /// A reference with side effects is in the expression.
    pub fn calls_with_effect(&self, e: &TExpr) -> bool {
        e.any(&mut |x| match &x.kind {
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                self.has_effect(*procedure)
            }
            TExprKind::Runtime { name, .. } => {
                crate::lower::program::effects::changes(name).is_some_and(|c| c != Changes::None)
            }
            _ => false,
        })
    }

    /// A function that may change an argument, data of a module, or what a pointer points to.
    pub fn has_effect(&self, procedure: SymbolId) -> bool {
        self.changes_where(procedure, &|v, outside| {
            let given = v.dummy.is_some() && !v.attrs.has(VarAttrs::VALUE);
            outside || given || v.attrs.has(VarAttrs::POINTER)
        })
    }

    /// A procedure that may change more than its arguments: data of a module, or what a pointer points to.
    pub fn has_effect_beyond_arguments(&self, procedure: SymbolId) -> bool {
        self.changes_where(procedure, &|v, outside| {
            outside || v.attrs.has(VarAttrs::POINTER)
        })
    }

    /// It changes a variable (of a module or not) of which `wanted` holds.
    fn changes_where(&self, procedure: SymbolId, wanted: &dyn Fn(&Variable, bool) -> bool) -> bool {
        let model = self.model();
        let Some(p) = model.procedure(procedure) else {
            return true;
        };
        if p.pure {
            return false;
        }
        let Some(facts) = p.body.and_then(|b| self.sh.analysis.facts.get(&b)) else {
            return true;
        };
        facts.modified.iter().any(|s| {
            let outside = matches!(
                model[model[*s].scope].kind,
                ScopeKind::Module | ScopeKind::Submodule
            );
            model.variable(*s).is_some_and(|v| wanted(v, outside))
        })
    }
}

fn is_plain(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_)
    )
}
