//! WHERE, alone and nested: masks and assignments element by element where that is the same, else with masks in temporaries.

use super::assign::OverlapRule;
use crate::ast::{Span, StmtKind as Ast, WhereBranch};
use crate::ir::{self, *};
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::LoopIndex;
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::{convert, subscript, to_bool};
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::SymbolId;

/// A branch of WHERE: its mask (none for a plain ELSEWHERE) and what it contains.
struct Branch {
    mask: Option<TExpr>,
    items: Vec<Item>,
}

enum Item {
    Assign(TExpr, TExpr),
    /// By the subroutine of a defined assignment.
    Defined(SymbolId, TExpr, TExpr),
    Where(Vec<Branch>),
}

/// Calls `f` on all masks and on all assignments, inner ones included.
fn each<'b>(
    branches: &'b [Branch],
    f: &mut dyn FnMut(Option<&'b TExpr>, Option<(&'b TExpr, &'b TExpr)>),
) {
    for b in branches {
        f(b.mask.as_ref(), None);
        for i in &b.items {
            match i {
                Item::Assign(l, r) | Item::Defined(_, l, r) => f(None, Some((l, r))),
                Item::Where(inner) => each(inner, f),
            }
        }
    }
}

impl LoweringContext<'_, '_> {
    /// A WHERE statement or construct.
    pub fn where_stmt(&mut self, branches: &[WhereBranch], span: Span) -> Vec<ir::Stmt> {
        let Some(branches) = self.where_branches(branches) else {
            return Vec::new();
        };
        let Some(first) = branches.first().and_then(|b| b.mask.clone()) else {
            self.refuse(span, "CUF0417", "`where` has no mask");
            return Vec::new();
        };
        let mut all = Vec::new();
        each(&branches, &mut |m, a| {
            all.extend(m);
            if let Some((l, r)) = a {
                all.extend([r, l]);
            }
        });
        if self.where_fuses(&branches) {
            self.sequence(all);
            let mut shape = None;
            each(&branches, &mut |_, a| {
                if let (None, Some((l, _))) = (&shape, a) {
                    shape = Some(l.clone());
                }
            });
            let ranges = self.ranges(&shape.unwrap_or(first));
            return self.nest(&ranges, |cx, ix| cx.where_chain(&branches, ix));
        }
        self.where_with_masks(&branches, None)
    }

    fn where_branches(&mut self, branches: &[WhereBranch]) -> Option<Vec<Branch>> {
        let mut out = Vec::new();
        for b in branches {
            let mut items = Vec::new();
            for s in &b.body {
                items.push(match &s.kind {
                    Ast::Assign { lhs, rhs } => {
                        let (l, r) = (self.typed(lhs), self.typed(rhs));
                        match self.model().defined_assignment(self.scope, &l, &r) {
                            Some(p) => Item::Defined(p, l, r),
                            None => Item::Assign(l, r),
                        }
                    }
                    Ast::Where { branches, .. } => Item::Where(self.where_branches(branches)?),
                    _ => {
                        self.refuse(
                            s.span,
                            "CUF0417",
                            "WHERE contains assignments and WHERE only",
                        );
                        return None;
                    }
                });
            }
            out.push(Branch {
                mask: b.mask.as_ref().map(|m| self.typed(m)),
                items,
            });
        }
        Some(out)
    }

    /// The branches for one element. What comes before a mask other than the first is for elements that the masks before left over.
    fn where_chain(&mut self, branches: &[Branch], ix: &[LoopIndex]) -> Vec<ir::Stmt> {
        let Some((first, rest)) = branches.split_first() else {
            return Vec::new();
        };
        let Some(m) = &first.mask else {
            return self.where_items(&first.items, ix);
        };
        self.under_mask(ix, |cx| {
            let c = to_bool(cx.val(m, ix));
            let mut branches = vec![(c, cx.where_items(&first.items, ix))];
            let masked = rest.first().is_some_and(|b| b.mask.is_some());
            let mut left = cx.where_chain(rest, ix);
            let otherwise = match left.as_mut_slice() {
                [] => None,
                [
                    ir::Stmt {
                        kind:
                            StmtKind::If {
                                branches: b,
                                otherwise,
                            },
                        ..
                    },
                ] if masked => {
                    branches.append(b);
                    otherwise.take()
                }
                _ => Some(left),
            };
            vec![
                StmtKind::If {
                    branches,
                    otherwise,
                }
                .into(),
            ]
        })
    }

    fn where_items(&mut self, items: &[Item], ix: &[LoopIndex]) -> Vec<ir::Stmt> {
        self.under_mask(ix, |cx| {
            let mut stmts = Vec::new();
            for i in items {
                stmts.extend(cx.under_mask(ix, |cx| match i {
                    Item::Assign(l, r) => {
                        let elem = cx.storage_type(&l.ty).unwrap_or(ir::Type::Unknown);
                        let v = cx.val(r, ix);
                        let place = cx.val(l, ix);
                        vec![ir::Stmt::assign(place, convert(v, &elem))]
                    }
                    Item::Defined(p, l, r) => cx.defined_at(*p, l, r, ix),
                    Item::Where(inner) => cx.where_chain(inner, ix),
                }));
            }
            stmts
        })
    }

    /// Every read of an assigned array is of the element just being assigned.
    fn where_fuses(&self, branches: &[Branch]) -> bool {
        let mut reads: Vec<&TExpr> = Vec::new();
        let mut assigned: Vec<&TExpr> = Vec::new();
        each(branches, &mut |m, a| {
            reads.extend(m);
            if let Some((l, r)) = a {
                assigned.push(l);
                reads.push(r);
            }
        });
        let several = assigned.len() > 1;
        assigned.iter().all(|l| {
            let Some(root) = l.root() else { return false };
            let clean = reads
                .iter()
                .all(|e| !self.reads_other_elements(root, l, e, OverlapRule::Same));
            let hoisted = several && reads.iter().any(|e| self.transforms(e, l));
            // Element by element, assignments to one array go to the same element of it.
            let together = assigned.iter().all(|m| {
                m.is_designator() && (!self.may_share(l, m) || same(l, m) || self.are_apart(l, m))
            });
            clean && together && !hoisted && !self.lhs_subscripts_conflict(l)
        })
    }

    /// `outer`: the mask under which a nested WHERE stands.
    fn where_with_masks(&mut self, branches: &[Branch], outer: Option<&Entity>) -> Vec<ir::Stmt> {
        let Some(first) = branches.first().and_then(|b| b.mask.as_ref()) else {
            return Vec::new();
        };
        // The shape of the mask stays what it is, whatever the assignments do to what it is written with.
        let mut extents = self.extents(first);
        for n in &mut extents {
            if crate::lower::value::elements::reads_memory(n) {
                *n = self.temporary(subscript(n.clone()));
            }
        }
        let ranges: Vec<_> = extents.iter().map(|n| (Expr::int(1), n.clone())).collect();
        let pending = self.declare_array(ir::Type::Bool, &extents, Init::None);
        let active = self.declare_array(ir::Type::Bool, &extents, Init::None);
        let mut out = Vec::new();
        let init = self.nest(&ranges, |cx, ix| {
            let start = match outer {
                Some(o) => cx.element_of(o, ix),
                None => Expr::bool(true),
            };
            vec![ir::Stmt::assign(cx.element_of(&pending, ix), start)]
        });
        out.extend(init);
        for b in branches {
            let (pre, stmts) = self.with_hoisted(|cx| {
                cx.sequence(&b.mask);
                cx.nest(&ranges, |cx, ix| {
                    let p = cx.element_of(&pending, ix);
                    let a = cx.element_of(&active, ix);
                    let Some(m) = &b.mask else {
                        return vec![ir::Stmt::assign(a, p)];
                    };
                    let c = cx.val(m, ix);
                    let c = to_bool(c);
                    let now =
                        Expr::binary(ir::BinaryOp::And, to_bool(p.clone()), c, ir::Type::Bool);
                    let rest = Expr::binary(
                        ir::BinaryOp::And,
                        to_bool(p.clone()),
                        to_bool(a.clone()).not(),
                        ir::Type::Bool,
                    );
                    vec![ir::Stmt::assign(a, now), ir::Stmt::assign(p, rest)]
                })
            });
            out.extend(pre);
            out.extend(stmts);
            for i in &b.items {
                let (pre, stmts) = self.with_hoisted(|cx| match i {
                    Item::Assign(l, r) => {
                        cx.sequence([r, l]);
                        cx.freeze(l);
                        cx.masked_assign(l, r, &active, &extents)
                    }
                    Item::Defined(p, l, r) => {
                        cx.sequence([r, l]);
                        cx.freeze(l);
                        cx.masked_defined(*p, l, r, &active, &extents)
                    }
                    Item::Where(inner) => cx.where_with_masks(inner, Some(&active)),
                });
                out.extend(pre);
                out.extend(stmts);
            }
        }
        out
    }

    /// A defined assignment to one element.
    fn defined_at(&mut self, p: SymbolId, l: &TExpr, r: &TExpr, ix: &[LoopIndex]) -> Vec<ir::Stmt> {
        let right = self.right_side(l, r);
        let args = [Some(l.clone()), Some(right)];
        let call = self.invoke(p, &args, ix, ir::Type::Void, l.span);
        vec![ir::Stmt::expr(call)]
    }

    fn masked_defined(
        &mut self,
        p: SymbolId,
        l: &TExpr,
        r: &TExpr,
        active: &Entity,
        extents: &[Expr],
    ) -> Vec<ir::Stmt> {
        let ranges: Vec<_> = extents.iter().map(|n| (Expr::int(1), n.clone())).collect();
        if self.conflicts(l, r) {
            if r.rank > 0 {
                let elem = self.storage_type(&r.ty).unwrap_or(ir::Type::Unknown);
                let values = self.masked_values(r, &elem, active, extents);
                self.hoisted.hold(r.span, values);
            } else {
                self.evaluate_operand(&self.right_side(l, r));
            }
        }
        self.nest(&ranges, |cx, ix| {
            cx.where_active(active, ix, |cx| cx.defined_at(p, l, r, ix))
        })
    }

    /// Statements for an element of which the mask is true.
    fn where_active(
        &mut self,
        active: &Entity,
        ix: &[LoopIndex],
        statements: impl FnOnce(&mut Self) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let c = to_bool(self.element_of(active, ix));
        vec![ir::Stmt::when(c, self.under_mask(ix, statements))]
    }

    /// Statements for an element under a mask, with what comes before them for this element: nothing of the elements that the mask
    /// leaves out is read. What does not depend on the element stays before the loops: a reference to a function that is not
    /// elemental is evaluated once and without a mask (F2018 10.2.3.2).
    fn under_mask(
        &mut self,
        ix: &[LoopIndex],
        statements: impl FnOnce(&mut Self) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let start = self.hoisted.count();
        let body = statements(self);
        let variables = ix.iter().filter_map(|i| i.var.local().map(str::to_string));
        let mut all = self.take_dependent(start, variables.collect());
        all.extend(body);
        all
    }

    /// The elements of an expression where the mask is true, in a temporary that is made before.
    fn masked_values(
        &mut self,
        e: &TExpr,
        elem: &ir::Type,
        active: &Entity,
        extents: &[Expr],
    ) -> Entity {
        let ranges: Vec<_> = extents.iter().map(|n| (Expr::int(1), n.clone())).collect();
        let t = self.declare_array(elem.clone(), extents, Init::None);
        let (pre, loops) = self.with_hoisted(|cx| {
            cx.nest(&ranges, |cx, ix| {
                cx.where_active(active, ix, |cx| {
                    let v = cx.val(e, ix);
                    let place = cx.element_of(&t, ix);
                    vec![ir::Stmt::assign(place, convert(v, elem))]
                })
            })
        });
        pre.into_iter().chain(loops).for_each(|s| self.before(s));
        t
    }

    fn masked_assign(
        &mut self,
        l: &TExpr,
        r: &TExpr,
        active: &Entity,
        extents: &[Expr],
    ) -> Vec<ir::Stmt> {
        let elem = self.storage_type(&l.ty).unwrap_or(ir::Type::Unknown);
        let ranges: Vec<_> = extents.iter().map(|n| (Expr::int(1), n.clone())).collect();
        let held = self
            .conflicts(l, r)
            .then(|| self.masked_values(r, &elem, active, extents));
        self.nest(&ranges, |cx, ix| {
            cx.where_active(active, ix, |cx| {
                let v = match &held {
                    Some(t) => cx.element_of(t, ix),
                    None => cx.val(r, ix),
                };
                let place = cx.val(l, ix);
                vec![ir::Stmt::assign(place, convert(v, &elem))]
            })
        })
    }
}
