//! FORALL, alone and nested, with assignments and WHERE inside.

use super::assign::OverlapRule;
use super::indices::Level;
use crate::ast::{LoopHeader, Span, Stmt, StmtKind as Ast, WhereBranch};
use crate::intrinsics::Choice;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::{Assignments, Expressions, Statements};
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;

impl LoweringContext<'_, '_> {
    /// FORALL: each assignment completes for all indices before the next begins (F2018 10.2.4.2.4).
    pub fn forall(&mut self, header: &LoopHeader, body: &[Stmt], span: Span) -> Vec<ir::Stmt> {
        self.forall_in(&[], header, body, span)
    }

    fn forall_in<'h>(
        &mut self,
        around: &[Level<'h>],
        header: &'h LoopHeader,
        body: &'h [Stmt],
        span: Span,
    ) -> Vec<ir::Stmt> {
        let inner = crate::lower::program::effects::inner_scope(self.model(), self.scope, span);
        let outer = std::mem::replace(&mut self.scope, inner);
        let levels = self.levels(around, header, body, false, span);
        let mut out = Vec::new();
        for s in body {
            if let [_] = body {
                out = self.forall_stmt(&levels, s);
                break;
            }
            // What comes before a statement comes after the statement before it.
            let (pre, stmts) = self.with_hoisted(|cx| cx.forall_stmt(&levels, s));
            out.extend(self.scoped(pre, stmts));
        }
        self.scope = outer;
        out
    }

    fn forall_stmt(&mut self, levels: &[Level<'_>], s: &Stmt) -> Vec<ir::Stmt> {
        match &s.kind {
            Ast::Assign { lhs, rhs } => {
                let (l, r) = (self.typed(lhs), self.typed(rhs));
                match self.model().defined_assignment(self.scope, &l, &r) {
                    Some(p) => self.forall_defined(levels, p, &l, &r, s.span),
                    None => self.forall_assign(levels, &l, &r),
                }
            }
            Ast::Forall { header, body, .. } => self.forall_in(levels, header, body, s.span),
            Ast::Where { branches, .. } => self.forall_where(levels, branches, s.span),
            Ast::PointerAssign { lhs, rhs } => {
                let (l, r) = (self.typed(lhs), self.typed(rhs));
                let conflict = l
                    .root()
                    .is_none_or(|root| self.reads_other_elements(root, &l, &r, OverlapRule::Same));
                if conflict {
                    self.refuse(
                        s.span,
                        "CUF0417",
                        "pointer assignment in `forall` reads what it modifies\nhelp: write `do` loops",
                    );
                }
                self.level_loops(levels, &mut |cx| cx.pointer_assign(lhs, rhs))
            }
            _ => {
                self.refuse(
                    s.span,
                    "CUF0417",
                    "FORALL contains assignments, WHERE and FORALL only",
                );
                Vec::new()
            }
        }
    }

    fn forall_assign(&mut self, levels: &[Level<'_>], l: &TExpr, r: &TExpr) -> Vec<ir::Stmt> {
        if self.lhs_subscripts_conflict(l) {
            self.refuse(
                l.span,
                "CUF0417",
                "subscripts of this `forall` assignment read the variable that it modifies\nhelp: compute them before the `forall`",
            );
            return Vec::new();
        }
        let conflict = l.root().is_none_or(|root| {
            self.reads_other_elements(root, l, r, OverlapRule::Same) || self.transforms(r, l)
        });
        if !conflict {
            return self.level_loops(levels, &mut |cx| cx.assign_defined(l, r));
        }
        self.forall_in_two(levels, l, r)
    }

    /// All right sides into a temporary, then all assignments.
    fn forall_in_two(&mut self, levels: &[Level<'_>], l: &TExpr, r: &TExpr) -> Vec<ir::Stmt> {
        let elem = self.storage_type(&l.ty).unwrap_or(ir::Type::Unknown);
        let counter = self.counter();
        let count = Expr::name(&counter, ir::Type::Int(4));
        let next = || Expr::name(&counter, ir::Type::Int(4)).incremented();
        // How many values there are depends on masks and bounds: count them.
        let counting = self.level_loops(levels, &mut |cx| {
            let n = if l.rank > 0 {
                cx.extents(l).into_iter().fold(Expr::int(1), |p, n| {
                    p.times(Expr::call(
                        Choice::Max,
                        vec![n, Expr::int(0)],
                        ir::Type::Int(4),
                    ))
                })
            } else {
                Expr::int(1)
            };
            let sum = Expr::binary(ir::BinaryOp::Add, count.clone(), n, ir::Type::Int(4));
            vec![ir::Stmt::assign(count.clone(), sum)]
        });
        counting.into_iter().for_each(|s| self.before(s));
        let t = self.declare_array(elem.clone(), std::slice::from_ref(&count), Init::None);
        let reset = || ir::Stmt::assign(count.clone(), Expr::int(0));
        let mut out = vec![reset()];
        out.extend(self.level_loops(levels, &mut |cx| {
            if l.rank <= 0 {
                let v = cx.value_as(r, &elem);
                return vec![ir::Stmt::assign(t.expr.clone().at(vec![next()]), v)];
            }
            let ranges = cx.ranges(l);
            cx.nest(&ranges, |cx, ix| {
                let v = cx.val(r, ix);
                vec![ir::Stmt::assign(
                    t.expr.clone().at(vec![next()]),
                    convert(v, &elem),
                )]
            })
        }));
        out.push(reset());
        out.extend(self.level_loops(levels, &mut |cx| {
            if l.rank <= 0 {
                let place = cx.value(l);
                return vec![ir::Stmt::assign(place, t.expr.clone().at(vec![next()]))];
            }
            let ranges = cx.ranges(l);
            cx.nest(&ranges, |cx, ix| {
                let place = cx.val(l, ix);
                vec![ir::Stmt::assign(place, t.expr.clone().at(vec![next()]))]
            })
        }));
        out
    }

    fn forall_defined(
        &mut self,
        levels: &[Level<'_>],
        procedure: crate::sema::model::SymbolId,
        l: &TExpr,
        r: &TExpr,
        span: Span,
    ) -> Vec<ir::Stmt> {
        let conflict = l
            .root()
            .is_none_or(|root| self.reads_other_elements(root, l, r, OverlapRule::Same));
        if conflict {
            self.refuse(
                span,
                "CUF0417",
                "defined assignment in `forall` reads what it modifies\nhelp: write `do` loops",
            );
            return Vec::new();
        }
        let args = [Some(l.clone()), Some(self.right_side(l, r))];
        self.level_loops(levels, &mut |cx| cx.call_user(procedure, &args, span))
    }

    /// WHERE for every index; the iterations must be independent.
    fn forall_where(
        &mut self,
        levels: &[Level<'_>],
        branches: &[WhereBranch],
        span: Span,
    ) -> Vec<ir::Stmt> {
        let scope = self.scope;
        let mut read = Vec::new();
        let mut assigned = Vec::new();
        where_parts(branches, &mut |lhs, value| {
            read.push(self.model().expr(scope, value));
            if let Some(l) = lhs {
                assigned.push(self.model().expr(scope, l));
            }
        });
        let independent = assigned.iter().all(|l| {
            l.root().is_some_and(|root| {
                read.iter().all(|e| {
                    !self.reads_other_elements(root, l, e, OverlapRule::Same)
                        && !self.transforms(e, l)
                })
            })
        });
        if !independent {
            self.refuse(
                span,
                "CUF0417",
                "`where` in `forall` reads elements that other indices modify\nhelp: write `do` loops",
            );
            return Vec::new();
        }
        self.level_loops(levels, &mut |cx| {
            let (mut pre, stmts) = cx.with_hoisted(|cx| cx.where_stmt(branches, span));
            pre.extend(stmts);
            pre
        })
    }
}

/// Masks, and left and right sides, of a WHERE and those inside it.
fn where_parts<'b>(
    branches: &'b [WhereBranch],
    f: &mut dyn FnMut(Option<&'b crate::ast::Expr>, &'b crate::ast::Expr),
) {
    for b in branches {
        if let Some(m) = &b.mask {
            f(None, m);
        }
        for s in &b.body {
            match &s.kind {
                Ast::Assign { lhs, rhs } => f(Some(lhs), rhs),
                Ast::Where { branches, .. } => where_parts(branches, f),
                _ => {}
            }
        }
    }
}
