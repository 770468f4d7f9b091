//! Whether a scalar of the host has a value in every iteration of a CUF loop before it is read: then it is private to the
//! iteration.

use super::mentions::Places;
use super::reduce::{Landing, Target, calls};
use super::scan::Scan;
use crate::ast::{self, BinaryOp as B, Stmt, StmtKind as Ast};
use crate::lower::value::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::Type;

impl Scan<'_> {
    /// Written before it is read, be it component by component.
    pub(in crate::lower) fn has_value_first(
        &self,
        scalar: &TExpr,
        places: &Places,
        body: &[Stmt],
    ) -> bool {
        if self.written_first(&Target::new(scalar, places), body) {
            return true;
        }
        let Type::Derived(of) = scalar.ty else {
            return false;
        };
        let components = self.model.components_of(of);
        !components.is_empty()
            && components.iter().enumerate().all(|(index, c)| {
                let component = TExpr {
                    kind: TExprKind::Component {
                        base: Box::new(scalar.clone()),
                        of,
                        index,
                        name: c.name.to_string(),
                    },
                    ty: c.ty.clone(),
                    rank: 0,
                    value: None,
                    span: scalar.span,
                };
                c.dims.is_empty()
                    && !c.attrs.is_dynamic()
                    && self.has_value_first(&component, places, body)
            })
    }

    /// On every path the scalar gets a value before it is read.
    fn written_first(&self, target: &Target<'_>, body: &[Stmt]) -> bool {
        loop {
            let known = target.landings.borrow().len();
            let fine = self.flow(target, body, false).is_some();
            // A jump backwards lands where the statements have been followed already.
            if !fine || target.landings.borrow().len() == known {
                return fine;
            }
        }
    }

    /// State after the statements (true: has a value); None if it may be read without one.
    fn flow(&self, target: &Target<'_>, body: &[Stmt], set: bool) -> Option<bool> {
        self.flow_under(target, body, set, Vec::new())
    }

    /// The same; `under`: conditions under which the scalar has a value, because an earlier IF construct gave it one.
    fn flow_under(
        &self,
        target: &Target<'_>,
        body: &[Stmt],
        mut set: bool,
        mut under: Vec<TExpr>,
    ) -> Option<bool> {
        for s in body {
            let label = s.label.as_ref().map(|l| Landing::Label(l.value));
            if label.is_some_and(|l| target.landings.borrow().contains(&l)) {
                set = false;
                under.clear();
            }
            let behind = s.name.as_ref().map(|n| Landing::Behind(n.text.to_string()));
            let Ast::If {
                branches,
                else_block,
                ..
            } = &s.kind
            else {
                set = self.flow_stmt(target, s, set)?;
                set &= !behind.is_some_and(|b| target.landings.borrow().contains(&b));
                self.drop_changed(s, &mut under);
                continue;
            };
            let cond = || branches.first().map(|b| self.typed(&b.cond));
            let known =
                !under.is_empty() && cond().is_some_and(|c| under.iter().any(|u| same(u, &c)));
            let (after, after_first) =
                self.flow_if(target, branches, else_block.as_ref(), set, set || known)?;
            let left = behind.is_some_and(|b| target.landings.borrow().contains(&b));
            set = after && !left;
            if after_first && !set && !left {
                under.extend(cond().filter(steady));
            }
            self.drop_changed(s, &mut under);
        }
        Some(set)
    }

    /// Conditions under which an iteration of `do i = lo, hi` finds the value that the one before it gave to the scalar: `i > lo`,
    /// where each iteration with `i < hi`, so each but the last, assigns it.
    fn carried(&self, target: &Target<'_>, d: &ast::Do) -> Vec<TExpr> {
        let ast::DoControl::Counted {
            var,
            from,
            to,
            step: None,
        } = &d.control
        else {
            return Vec::new();
        };
        let Some(v) = self.model.lookup(self.scope, &var.text) else {
            return Vec::new();
        };
        let (from, to) = (self.typed(from), self.typed(to));
        let compares = |c: &TExpr, wanted: B, bound: &TExpr| {
            matches!(&c.unparenthesised().kind, TExprKind::Binary { op, lhs, rhs }
                if *op == wanted && same(rhs, bound)
                    && matches!(lhs.unparenthesised().kind, TExprKind::Variable(x) if x == v))
        };
        let assigns = |b: &ast::IfBranch| {
            b.body.iter().any(
                |s| matches!(&s.kind, Ast::Assign { lhs, .. } if self.is(&self.typed(lhs), target.scalar)),
            )
        };
        let first_branches = || {
            d.body.iter().filter_map(|s| match &s.kind {
                Ast::If { branches, .. } if target.stands_in(s.span) => branches.first(),
                _ => None,
            })
        };
        if !first_branches().any(|b| assigns(b) && compares(&self.typed(&b.cond), B::Lt, &to)) {
            return Vec::new();
        }
        let mut changed = Vec::new();
        self.assigned(&d.body, &mut changed);
        let fixed = |e: &TExpr| steady(e) && !changed.iter().any(|c| e.any(&mut |x| same(x, c)));
        // CALL, CYCLE and the like make it unclear what an iteration does.
        if d.body.iter().any(calls) || !fixed(&from) || !fixed(&to) {
            return Vec::new();
        }
        first_branches()
            .map(|b| self.typed(&b.cond))
            .filter(|c| compares(c, B::Gt, &from))
            .collect()
    }

    /// Forgets the conditions that the statement may change.
    fn drop_changed(&self, s: &Stmt, under: &mut Vec<TExpr>) {
        if under.is_empty() {
            return;
        }
        if calls(s) {
            under.clear();
            return;
        }
        let mut changed = Vec::new();
        self.assigned(std::slice::from_ref(s), &mut changed);
        under.retain(|u| !changed.iter().any(|c| u.any(&mut |x| same(x, c))));
    }

    /// The state after an IF construct, and that after its first branch, which begins with `first`.
    fn flow_if(
        &self,
        target: &Target<'_>,
        branches: &[ast::IfBranch],
        else_block: Option<&ast::ElseBlock>,
        set: bool,
        first: bool,
    ) -> Option<(bool, bool)> {
        let mut all = else_block.is_some();
        let mut after_first = false;
        for (i, b) in branches.iter().enumerate() {
            self.reads(target, &b.cond, set)?;
            let after = self.flow(target, &b.body, if i == 0 { first } else { set })?;
            after_first |= i == 0 && after;
            all &= after || leaves(&b.body);
        }
        if let Some(e) = else_block {
            let after = self.flow(target, &e.body, set)?;
            all &= after || leaves(&e.body);
        }
        Some((set || all, after_first))
    }

    fn reads(&self, target: &Target<'_>, e: &ast::Expr, set: bool) -> Option<()> {
        (set || !target.stands_in(e.span) || !self.mentions_target(target, &self.typed(e)))
            .then_some(())
    }

    fn flow_stmt(&self, target: &Target<'_>, s: &Stmt, set: bool) -> Option<bool> {
        if !set {
            note_jumps(target, s);
        }
        // An IF construct may end every path on which there is no value.
        if !matches!(s.kind, Ast::If { .. }) && !target.stands_in(s.span) {
            return Some(set);
        }
        match &s.kind {
            Ast::Assign { lhs, rhs } => {
                self.reads(target, rhs, set)?;
                let l = self.typed(lhs);
                if self.holds(&l, target.scalar) {
                    return Some(true);
                }
                self.reads(target, lhs, set)?;
                Some(set)
            }
            Ast::LogicalIf { cond, stmt } => {
                self.reads(target, cond, set)?;
                self.flow_stmt(target, stmt, set)?;
                Some(set)
            }
            Ast::If {
                branches,
                else_block,
                ..
            } => self
                .flow_if(target, branches, else_block.as_ref(), set, set)
                .map(|(after, _)| after),
            Ast::Do(d) => {
                let mut inside = set;
                let mut surely = false;
                match &d.control {
                    ast::DoControl::Counted {
                        var,
                        from,
                        to,
                        step,
                    } => {
                        self.reads(target, from, set)?;
                        self.reads(target, to, set)?;
                        step.iter().try_for_each(|e| self.reads(target, e, set))?;
                        if matches!(target.scalar.kind, TExprKind::Variable(v) if self.model.lookup(self.scope, &var.text) == Some(v))
                        {
                            inside = true;
                            surely = true;
                        }
                    }
                    ast::DoControl::While(c) => self.reads(target, c, set)?,
                    ast::DoControl::Concurrent(_) | ast::DoControl::Forever => {
                        let inner = self.inside(s);
                        s.expressions()
                            .into_iter()
                            .try_for_each(|e| inner.reads(target, e, set))?;
                    }
                }
                let carried = self.carried(target, d);
                self.inside(s)
                    .flow_under(target, &d.body, inside, carried)?;
                Some(set || surely)
            }
            Ast::Select(sel) => {
                self.reads(target, &sel.selector, set)?;
                let mut all = sel
                    .cases
                    .iter()
                    .any(|c| matches!(c.guard, ast::CaseGuard::Default));
                let inner = self.inside(s);
                for c in &sel.cases {
                    all &= inner.flow(target, &c.body, set)?;
                }
                Some(set || all)
            }
            Ast::Block { body, .. } | Ast::Associate { body, .. } => {
                let mut head = self.head(target, s).into_iter();
                head.try_for_each(|(at, e)| at.reads(target, e, set))?;
                self.inside(s).flow(target, body, set)
            }
            Ast::Call(c) => {
                // A call may give the value through an INTENT(OUT) dummy: the last argument to mention it decides.
                let passed = c
                    .args
                    .iter()
                    .any(|a| self.is(&self.typed(&a.value), target.scalar));
                Some(set || passed)
            }
            _ => {
                let mut fine = Some(());
                self.each_expr(s, &mut |at, e| {
                    if fine.is_some() {
                        fine = at.reads(target, e, set);
                    }
                });
                fine.map(|()| set)
            }
        }
    }
}

/// Notes where the jumps of a statement land, or of one that does not mention the scalar those of all in it.
fn note_jumps(target: &Target<'_>, s: &Stmt) {
    let mut landings = target.landings.borrow_mut();
    match &s.kind {
        Ast::Goto(l) => {
            landings.insert(Landing::Label(*l));
        }
        Ast::ComputedGoto { labels, .. } | Ast::AssignedGoto { labels, .. } => {
            landings.extend(labels.iter().map(|l| Landing::Label(*l)));
        }
        Ast::ArithmeticIf { labels, .. } => {
            landings.extend(labels.iter().map(|l| Landing::Label(*l)));
        }
        Ast::Exit(Some(name)) => {
            landings.insert(Landing::Behind(name.text.to_string()));
        }
        _ if target.stands_in(s.span) => {}
        _ => {
            drop(landings);
            s.blocks()
                .iter()
                .for_each(|b| b.iter().for_each(|s| note_jumps(target, s)));
        }
    }
}

/// A condition on scalar variables and constants alone: it has the same value until one of them is assigned.
fn steady(cond: &TExpr) -> bool {
    !cond.any(&mut |e| {
        e.value.is_none()
            && !matches!(
                e.kind,
                TExprKind::Variable(_)
                    | TExprKind::Unary { .. }
                    | TExprKind::Binary { .. }
                    | TExprKind::Paren(_)
            )
    })
}

/// The statements end by leaving the iteration.
fn leaves(body: &[Stmt]) -> bool {
    matches!(
        body.last().map(|s| &s.kind),
        Some(Ast::Cycle(_) | Ast::Exit(_) | Ast::Goto(_) | Ast::Return(_))
    )
}
