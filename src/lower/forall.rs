//! FORALL, alone and nested, with assignments and WHERE inside.

use super::context::Cx;
use super::convert::{convert, to_bool};
use crate::ast::{LoopHeader, Span, Stmt, StmtKind as Ast, WhereBranch};
use crate::ir::{self, *};
use crate::sema::model::ScopeId;
use crate::sema::typed::*;

/// The headers around a statement, outermost first, each with the scope of its indices.
type Headers<'a> = Vec<(&'a LoopHeader, ScopeId)>;

impl Cx<'_, '_> {
    /// FORALL: each assignment completes for all indices before the next begins (F2018 10.2.4.2.4).
    pub fn forall(&mut self, header: &LoopHeader, body: &[Stmt], span: Span) -> Vec<ir::Stmt> {
        self.forall_in(&Vec::new(), header, body, span)
    }

    fn forall_in<'h>(
        &mut self,
        around: &Headers<'h>,
        header: &'h LoopHeader,
        body: &'h [Stmt],
        span: Span,
    ) -> Vec<ir::Stmt> {
        let inner = super::facts::inner_scope(self.model(), self.scope, span);
        let outer = std::mem::replace(&mut self.scope, inner);
        let mut headers = around.clone();
        headers.push((header, inner));
        let mut out = Vec::new();
        for s in body {
            match &s.kind {
                Ast::Assign { lhs, rhs } => {
                    let l = self.model().expr(inner, lhs);
                    let r = self.model().expr(inner, rhs);
                    if let Some(p) = self.model().defined_assignment(inner, &l, &r) {
                        out.extend(self.forall_defined(&headers, p, &l, &r, s.span));
                        continue;
                    }
                    out.extend(self.forall_assign(&headers, &l, &r));
                }
                Ast::Forall { header, body, .. } => {
                    let (pre, stmts) =
                        self.collect(|cx| cx.forall_in(&headers, header, body, s.span));
                    out.extend(pre);
                    out.extend(stmts);
                }
                Ast::Where { branches, .. } => {
                    out.extend(self.forall_where(&headers, branches, s.span))
                }
                Ast::PointerAssign { lhs, rhs } => {
                    out.extend(self.header_loops(&headers, &mut |cx| cx.pointer_assign(lhs, rhs)));
                }
                _ => self.refuse(
                    s.span,
                    "CUF0417",
                    "FORALL contains assignments, WHERE and FORALL only",
                ),
            }
        }
        self.scope = outer;
        out
    }

    /// Loops over all headers, with their masks.
    fn header_loops(
        &mut self,
        headers: &[(&LoopHeader, ScopeId)],
        f: &mut dyn FnMut(&mut Self) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let Some(((header, scope), rest)) = headers.split_first() else {
            return f(self);
        };
        let outer = std::mem::replace(&mut self.scope, *scope);
        let out = self.index_loops(header, &mut |cx| cx.header_loops(rest, f));
        self.scope = outer;
        out
    }

    /// Bounds and masks of the headers read the variable.
    fn headers_read(&self, headers: &Headers<'_>, l: &TExpr) -> bool {
        let Some(root) = l.root() else { return true };
        headers.iter().any(|(h, scope)| {
            let bounds = h
                .indices
                .iter()
                .flat_map(|(_, from, to, step)| [Some(from), Some(to), step.as_ref()]);
            bounds.chain([h.mask.as_ref()]).flatten().any(|e| {
                let t = self.model().expr(*scope, e);
                t.any(&mut |x| x.root().is_some_and(|r| self.may_alias(r, root)))
            })
        })
    }

    fn forall_assign(&mut self, headers: &Headers<'_>, l: &TExpr, r: &TExpr) -> Vec<ir::Stmt> {
        let reads = self.headers_read(headers, l);
        if l.root()
            .is_some_and(|root| self.lhs_subscripts_conflict(l, root))
        {
            self.refuse(
                l.span,
                "CUF0417",
                "the subscripts of this FORALL assignment read the variable that it changes: compute them before",
            );
            return Vec::new();
        }
        let conflict = reads
            || l.root().is_none_or(|root| {
                self.reads_other_elements(root, l, r, true) || self.transforms(r, root)
            });
        if !conflict {
            return self.header_loops(headers, &mut |cx| cx.assign_defined(l, r));
        }
        if reads {
            return self.forall_by_values(headers, l, r);
        }
        self.forall_in_two(headers, l, r)
    }

    /// All right sides into a temporary, then all assignments.
    fn forall_in_two(&mut self, headers: &Headers<'_>, l: &TExpr, r: &TExpr) -> Vec<ir::Stmt> {
        let elem = self.storage_type(&l.ty).unwrap_or(ir::Type::Int(4));
        let counter = self.counter();
        let count = Expr::name(&counter, ir::Type::Int(4));
        let next = || Expr::name(&format!("++{counter}"), ir::Type::Int(4));
        // How many values there are depends on masks and bounds: count them.
        let counting = self.header_loops(headers, &mut |cx| {
            let n = if l.rank > 0 {
                cx.extents(l).into_iter().fold(Expr::int(1), |p, n| {
                    p.times(Expr::cuf("max", vec![n, Expr::int(0)], ir::Type::Int(4)))
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
        out.extend(self.header_loops(headers, &mut |cx| {
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
        out.extend(self.header_loops(headers, &mut |cx| {
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

    /// The headers read what the assignment changes: which indices take part is stored too.
    fn forall_by_values(&mut self, headers: &Headers<'_>, l: &TExpr, r: &TExpr) -> Vec<ir::Stmt> {
        let [(header, scope)] = headers[..] else {
            self.refuse(
                l.span,
                "CUF0417",
                "the bounds or masks of a nested FORALL read the variable that it assigns to: compute them before",
            );
            return Vec::new();
        };
        let Some(mask) = &header.mask else {
            // Bounds are computed once, before the first assignment.
            return self.forall_in_two(headers, l, r);
        };
        let m = self.model().expr(scope, mask);
        let outer = std::mem::replace(&mut self.scope, scope);
        let unmasked = LoopHeader {
            mask: None,
            ..header.clone()
        };
        let counter = self.counter();
        let count = Expr::name(&counter, ir::Type::Int(4));
        let next = || Expr::name(&format!("++{counter}"), ir::Type::Int(4));
        let total = self.index_loops(&unmasked, &mut |_| {
            vec![ir::Stmt::expr(Expr::name(
                &format!("++{counter}"),
                ir::Type::Int(4),
            ))]
        });
        total.into_iter().for_each(|s| self.before(s));
        let taken = self.declare_array(ir::Type::Bool, std::slice::from_ref(&count), Init::None);
        let fill = self.index_loops(&unmasked, &mut |cx| {
            let c = cx.condition(&m);
            let place = taken.expr.clone().at(vec![next()]);
            vec![ir::Stmt::assign(
                place.clone(),
                convert(c, place.ty.plain()),
            )]
        });
        let reset = || ir::Stmt::assign(count.clone(), Expr::int(0));
        self.before(reset());
        fill.into_iter().for_each(|s| self.before(s));
        let elem = self.storage_type(&l.ty).unwrap_or(ir::Type::Int(4));
        if l.rank > 0 {
            self.refuse(
                l.span,
                "CUF0417",
                "the mask of this FORALL reads the variable whose sections it assigns to: compute it before",
            );
        }
        let values = self.declare_array(elem.clone(), std::slice::from_ref(&count), Init::None);
        let active = |n: Expr| to_bool(taken.expr.clone().at(vec![n]));
        let mut out = vec![reset()];
        out.extend(self.index_loops(&unmasked, &mut |cx| {
            let (mut body, v) = cx.collect(|cx| cx.value_as(r, &elem));
            body.push(ir::Stmt::assign(
                values.expr.clone().at(vec![count.clone()]),
                v,
            ));
            vec![ir::Stmt::when(active(next()), body)]
        }));
        out.push(reset());
        out.extend(self.index_loops(&unmasked, &mut |cx| {
            let place = cx.value(l);
            vec![ir::Stmt::when(
                active(next()),
                vec![ir::Stmt::assign(
                    place,
                    values.expr.clone().at(vec![count.clone()]),
                )],
            )]
        }));
        self.scope = outer;
        out
    }

    fn forall_defined(
        &mut self,
        headers: &Headers<'_>,
        procedure: crate::sema::model::SymbolId,
        l: &TExpr,
        r: &TExpr,
        span: Span,
    ) -> Vec<ir::Stmt> {
        let conflict = self.headers_read(headers, l)
            || l.root()
                .is_none_or(|root| self.reads_other_elements(root, l, r, true));
        if conflict {
            self.refuse(
                span,
                "CUF0417",
                "a defined assignment in FORALL that reads what it changes is not translated: write loops",
            );
            return Vec::new();
        }
        let args = [Some(l.clone()), Some(r.clone())];
        self.header_loops(headers, &mut |cx| cx.call_user(procedure, &args, span))
    }

    /// WHERE for every index; the iterations must be independent.
    fn forall_where(
        &mut self,
        headers: &Headers<'_>,
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
                !self.headers_read(headers, l)
                    && read.iter().all(|e| {
                        !self.reads_other_elements(root, l, e, true) && !self.transforms(e, root)
                    })
            })
        });
        if !independent {
            self.refuse(
                span,
                "CUF0417",
                "this WHERE in FORALL reads elements that other indices change: write loops",
            );
            return Vec::new();
        }
        self.header_loops(headers, &mut |cx| {
            let (mut pre, stmts) = cx.collect(|cx| cx.where_stmt(branches, span));
            pre.extend(stmts);
            pre
        })
    }

    /// An int variable that counts from 0, declared before the statement.
    fn counter(&mut self) -> String {
        let counter = self.numbered("n");
        self.before(ir::Stmt::declare(
            ir::Type::Int(4),
            &counter,
            Init::Value(Expr::int(0)),
        ));
        counter
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
