//! Accumulators of CUF loops that no reduction covers: `me(k) = me(k) + a(i, k)` in device memory, where `k` is no index of the
//! loops that are mapped. All iterations change one element at the same time, and most of the changes are lost.
//!
//! What is warned of is a race for certain: subscripts that an index may enter in any way (`idx(i)`, private scalars, loops whose
//! bounds depend on it) and statements that only some iterations reach say nothing.

use std::collections::BTreeSet;

use crate::ast::{self, DoControl, LoopOrigin, Span, Stmt, StmtKind as Ast};
use crate::lower::context::LoweringContext;
use crate::lower::program::effects::inner_scope;
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::{ScopeId, SymbolId, SymbolKind};

/// The mapped indices on which a value depends; None where that is not known.
type Dependence = Option<BTreeSet<SymbolId>>;

/// The loops around a statement, and what decides whether it is reached.
#[derive(Clone, Default)]
struct EnclosingLoops {
    /// DO variables inside the body with what their values depend on.
    variables: Vec<(SymbolId, Dependence)>,
    /// Conditions of the statement.
    conditions: Vec<TExpr>,
    /// Not every iteration gets here.
    chosen: bool,
}

struct Races<'c> {
    cx: &'c LoweringContext<'c, 'c>,
    mapped: &'c [SymbolId],
    reductions: &'c [&'c TExpr],
    body: &'c [Stmt],
    found: Vec<(Span, String)>,
}

impl LoweringContext<'_, '_> {
    /// Warns of accumulators that all iterations of some of the loops over `mapped` share.
    pub fn warn_of_races(&self, mapped: &[SymbolId], reductions: &[&TExpr], body: &[Stmt]) {
        if jumps(body) {
            return;
        }
        let mut races = Races {
            cx: self,
            mapped,
            reductions,
            body,
            found: Vec::new(),
        };
        races.block(self.scope, body, &EnclosingLoops::default());
        for (span, message) in races.found {
            self.sh.warn(self.file, span, "CUF0457", message);
        }
    }
}

/// Some statement leaves out others.
fn jumps(body: &[Stmt]) -> bool {
    body.iter().any(|s| {
        let jump = match &s.kind {
            Ast::LogicalIf { stmt, .. } => jumps(std::slice::from_ref(stmt)),
            Ast::Cycle(_) | Ast::Exit(_) | Ast::Goto(_) | Ast::Return(_) => true,
            Ast::ComputedGoto { .. } | Ast::AssignedGoto { .. } | Ast::ArithmeticIf { .. } => true,
            _ => false,
        };
        jump || s.blocks().into_iter().any(jumps)
    })
}

impl Races<'_> {
    fn block(&mut self, scope: ScopeId, body: &[Stmt], around: &EnclosingLoops) {
        for s in body {
            self.stmt(scope, s, around);
        }
    }

    fn stmt(&mut self, scope: ScopeId, s: &Stmt, around: &EnclosingLoops) {
        let model = self.cx.model();
        if matches!(s.directive.as_deref(), Some(ast::Directive::Atomic(_))) {
            return;
        }
        match &s.kind {
            Ast::Assign { lhs, rhs } => {
                let (l, r) = (model.expr(scope, lhs), model.expr(scope, rhs));
                if model.defined_assignment(scope, &l, &r).is_none() {
                    self.assignment(&l, &r, around);
                }
            }
            Ast::LogicalIf { cond, stmt } => {
                let inner = self.under(scope, [cond], around);
                self.stmt(scope, stmt, &inner);
            }
            Ast::If {
                branches,
                else_block,
                ..
            } => {
                let inner = self.under(scope, branches.iter().map(|b| &b.cond), around);
                for b in branches {
                    self.block(scope, &b.body, &inner);
                }
                if let Some(e) = else_block {
                    self.block(scope, &e.body, &inner);
                }
            }
            Ast::Select(sel) => {
                let inner = self.under(scope, [&sel.selector], around);
                for c in &sel.cases {
                    self.block(inner_scope(model, scope, s.span), &c.body, &inner);
                }
            }
            Ast::Do(d) => {
                let DoControl::Counted {
                    var,
                    from,
                    to,
                    step,
                } = &d.control
                else {
                    return;
                };
                let bounds = [from, to].into_iter().chain(step);
                let depends = self.all_of(bounds.map(|e| model.expr(scope, e)), around);
                let Some(variable) = model.lookup(scope, &var.text) else {
                    return;
                };
                let mut inner = around.clone();
                inner.variables.push((variable, depends));
                self.block(scope, &d.body, &inner);
            }
            Ast::Block { body, .. } | Ast::Associate { body, .. } => {
                self.block(inner_scope(model, scope, s.span), body, around);
            }
            _ => {}
        }
    }

    /// What stands under conditions.
    fn under<'e>(
        &self,
        scope: ScopeId,
        conditions: impl IntoIterator<Item = &'e ast::Expr>,
        around: &EnclosingLoops,
    ) -> EnclosingLoops {
        let mut inner = around.clone();
        for c in conditions {
            let t = self.cx.model().expr(scope, c);
            inner.chosen |= self.chooses(&t, around);
            inner.conditions.push(t);
        }
        inner
    }

    /// The condition asks for the index itself, not only for data of an iteration.
    fn chooses(&self, t: &TExpr, around: &EnclosingLoops) -> bool {
        match &t.kind {
            TExprKind::Index { .. } => false,
            TExprKind::Variable(s) => {
                let of = self.of_variable(*s, around);
                of.is_none_or(|d| !d.is_empty())
            }
            TExprKind::Call { .. }
            | TExprKind::BoundCall { .. }
            | TExprKind::Runtime { .. }
            | TExprKind::Builtin { .. } => true,
            _ => {
                let mut found = false;
                t.for_each_child(&mut |c| found |= self.chooses(c, around));
                found
            }
        }
    }

    fn assignment(&mut self, lhs: &TExpr, rhs: &TExpr, around: &EnclosingLoops) {
        let Some(root) = lhs.root() else { return };
        let model = self.cx.model();
        let element = matches!(lhs.kind, TExprKind::Index { .. });
        let apart = around.chosen
            || !matches!(model[root].kind, SymbolKind::Variable(_))
            || self.cx.scan().is_inner(root)
            || !(self.cx.in_device_memory(lhs) || element && self.cx.reaches(lhs))
            || self.reductions.iter().any(|r| same(r, lhs));
        let reads = |e: &TExpr| e.any(&mut |x| same(x, lhs));
        if apart {
            return;
        }
        let updates = reads(rhs) || around.conditions.iter().any(reads);
        let keeps_own = self.gives_own_value(rhs) && self.is_read(lhs);
        if !updates && !keeps_own {
            return;
        }
        let Some(depends) = self.subscripts(lhs, around) else {
            return;
        };
        let shared = |m: &&SymbolId| !depends.contains(*m);
        let Some(index) = self.mapped.iter().find(shared) else {
            return;
        };
        let (name, index) = (&model[root].spelling, &model[*index].spelling);
        let is_construct = self.cx.loop_origin() == LoopOrigin::Construct;
        let message = match updates {
            true if is_construct => format!(
                "data race: all iterations over `{index}` modify the same element of `{name}`\nhelp: write `!$acc atomic` before the statement, or use a scalar in `reduction`"
            ),
            false if is_construct => format!(
                "data race: all iterations over `{index}` modify the same data of `{name}`\nnote: an iteration may read what another one assigned\nhelp: add `private({name})` to the directive, or use an array with the loop index as a subscript"
            ),
            true => format!(
                "data race: all iterations over `{index}` modify the same element of `{name}`\nhelp: use an atomic function, a scalar reduction, or map the loop that selects the element"
            ),
            false => format!(
                "data race: all iterations over `{index}` modify the same data of `{name}`\nnote: an iteration may read what another one assigned\nhelp: use a scalar without the `device` attribute, of which each thread has a copy, or an array with the loop index as a subscript"
            ),
        };
        self.found.push((lhs.span, message));
    }

    /// A value that each iteration has for itself.
    fn gives_own_value(&self, rhs: &TExpr) -> bool {
        rhs.any(&mut |x| matches!(x.kind, TExprKind::Variable(s) if self.mapped.contains(&s)))
    }

    /// The loop reads the place that it assigns.
    fn is_read(&self, place: &TExpr) -> bool {
        let mut found = false;
        for s in self.body {
            self.cx.scan().each_expr(s, &mut |at, e| {
                let of_place = |x: &TExpr| x.span != place.span && same(x, place);
                found = found || at.typed(e).any(&mut |x| of_place(x));
            });
        }
        found
    }

    /// On what the place of a designator depends.
    fn subscripts(&self, lhs: &TExpr, around: &EnclosingLoops) -> Dependence {
        let mut found = BTreeSet::new();
        let mut at = Some(lhs);
        while let Some(x) = at {
            match &x.kind {
                TExprKind::Index { subs, .. } => {
                    for s in subs {
                        let of = |e: &TExpr| self.value(e, around);
                        match s {
                            Subscript::Element(e) | Subscript::Vector(e) => found.extend(of(e)?),
                            Subscript::Range { lo, hi, step } => {
                                for e in [lo, hi, step].into_iter().flatten() {
                                    found.extend(of(e)?);
                                }
                            }
                        }
                    }
                }
                TExprKind::Variable(_) | TExprKind::Component { .. } => {}
                _ => return None,
            }
            at = x.base();
        }
        Some(found)
    }

    fn all_of(&self, values: impl Iterator<Item = TExpr>, around: &EnclosingLoops) -> Dependence {
        let mut found = BTreeSet::new();
        for v in values {
            found.extend(self.value(&v, around)?);
        }
        Some(found)
    }

    fn value(&self, t: &TExpr, around: &EnclosingLoops) -> Dependence {
        match &t.kind {
            TExprKind::Variable(s) => self.of_variable(*s, around),
            TExprKind::Call { .. }
            | TExprKind::BoundCall { .. }
            | TExprKind::Runtime { .. }
            | TExprKind::StatementFunctionCall { .. }
            | TExprKind::Builtin { .. } => None,
            _ => {
                let mut found = Some(BTreeSet::new());
                t.for_each_child(&mut |c| {
                    found = match (found.take(), self.value(c, around)) {
                        (Some(mut a), Some(b)) => {
                            a.extend(b);
                            Some(a)
                        }
                        _ => None,
                    };
                });
                found
            }
        }
    }

    fn of_variable(&self, s: SymbolId, around: &EnclosingLoops) -> Dependence {
        if self.mapped.contains(&s) {
            return Some(BTreeSet::from([s]));
        }
        if let Some((_, of)) = around.variables.iter().rev().find(|(v, _)| *v == s) {
            return of.clone();
        }
        let settled = matches!(
            self.cx.model()[s].kind,
            SymbolKind::Variable(_) | SymbolKind::Parameter(_)
        ) && !self.cx.facts.modified.contains(&s);
        settled.then(BTreeSet::new)
    }
}
