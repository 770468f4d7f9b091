//! Array constructors: how many elements they give, and their values in a temporary.

use super::array::trips;
use super::convert::{convert, not_negative};
use crate::ast::Span;
use crate::ir::{self, *};
use crate::lower::context::query::dummy_entity;
use crate::lower::context::rules::{Constructors, Expressions};
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::dependence::calls;
use crate::sema::expression::typed::*;
use crate::sema::model::{Constant, SymbolId};

impl LoweringContext<'_, '_> {
    /// Limits and stride of an implied DO: the same values for the number of elements and for the loop over them.
    pub fn implied_limits(
        &mut self,
        items: &[TExpr],
        from: &TExpr,
        to: &TExpr,
        step: Option<&TExpr>,
    ) -> (Expr, Expr, Expr) {
        let last = items.last().map_or(to.span.end, |i| i.span.end);
        let within = (!items.iter().any(calls)).then_some(Span {
            start: self.at,
            end: last.max(to.span.end),
        });
        let lo = self.limit(from, within);
        let hi = self.limit(to, within);
        let step = step.map_or(Expr::int(1), |s| self.limit(s, within));
        (lo, hi, step)
    }

    /// The number of elements that an item gives takes a call with side effects.
    fn counts_with_effect(&self, item: &TExpr) -> bool {
        match &item.kind {
            TExprKind::ImpliedDo {
                items,
                from,
                to,
                step,
                ..
            } => {
                let mut limits = [from, to].into_iter().chain(step);
                limits.any(|e| self.calls_with_effect(e))
                    || items.iter().any(|i| self.counts_with_effect(i))
            }
            _ => item.rank > 0 && self.calls_with_effect(item),
        }
    }

    /// Number of elements that an implied DO gives: counted by a loop where it differs from one iteration to the next.
    fn implied_count(
        &mut self,
        items: &[TExpr],
        var: SymbolId,
        from: &TExpr,
        to: &TExpr,
        step: Option<&TExpr>,
    ) -> Expr {
        if items.iter().any(|i| self.counts_with_effect(i)) {
            self.refuse(
                from.span,
                "CUF0415",
                "the number of elements of this implied `do` depends on a function with side effects\nhelp: write a `do` loop",
            );
        }
        let (lo, hi, step) = self.implied_limits(items, from, to, step);
        let name = self.fresh(&self.model()[var].spelling.clone());
        let (index, entity) = self.index_variable(var, &name);
        let old = self.vars.insert(var, entity);
        let (mut body, per) = self.with_hoisted(|cx| cx.item_count(items));
        self.names.free(&name.to_ascii_lowercase());
        match old {
            Some(o) => self.vars.insert(var, o),
            None => self.vars.remove(&var),
        };
        if body.is_empty() && !per.mentions(&name) {
            return not_negative(trips(lo, hi, step)).times(per);
        }
        let count = self.numbered("n");
        let total = Expr::name(&count, ir::Type::Int(4));
        let zero = Init::Value(Expr::int(0));
        self.before(ir::Stmt::declare(ir::Type::Int(4), &count, zero));
        let more = convert(per, &ir::Type::Int(4));
        body.push(ir::Stmt::assign(total.clone(), total.clone().plus(more)));
        let loops = self.counted(&index, lo, hi, step, body);
        loops.into_iter().for_each(|s| self.before(s));
        total
    }

    /// `t(++n) = item`
    fn constructor_item(
        &mut self,
        t: &Expr,
        counter: &str,
        item: &TExpr,
        elem: &ir::Type,
    ) -> Vec<ir::Stmt> {
        let store = |v: Expr| {
            let next = Expr::name(counter, ir::Type::Int(4)).incremented();
            ir::Stmt::assign(t.clone().at(vec![next]), convert(v, elem))
        };

        match &item.kind {
            TExprKind::ImpliedDo {
                items,
                var,
                from,
                to,
                step,
            } => {
                // In the bounds the name means the variable outside.
                let (lo, hi, step) = self.implied_limits(items, from, to, step.as_deref());
                let name = self.fresh(&self.model()[*var].spelling.clone());
                let (index, entity) = self.index_variable(*var, &name);
                let old = self.vars.insert(*var, entity);
                let mut body = Vec::new();
                for i in items {
                    let (pre, stmts) =
                        self.with_hoisted(|cx| cx.constructor_item(t, counter, i, elem));
                    body.extend(pre);
                    body.extend(stmts);
                }
                self.names.free(&name.to_ascii_lowercase());
                match old {
                    Some(o) => self.vars.insert(*var, o),
                    None => self.vars.remove(var),
                };
                self.counted(&index, lo, hi, step, body)
            }
            _ if item.rank > 0 => {
                let ranges = self.ranges(item);
                self.nest(&ranges, |cx, ix| {
                    let v = cx.val(item, ix);
                    vec![store(v)]
                })
            }
            _ => {
                let v = self.value(item);
                vec![store(v)]
            }
        }
    }
}

impl Constructors for LoweringContext<'_, '_> {
    fn item_count(&mut self, items: &[TExpr]) -> Expr {
        let mut n = Expr::int(0);
        for i in items {
            let c = match &i.kind {
                TExprKind::ImpliedDo {
                    items,
                    var,
                    from,
                    to,
                    step,
                } => self.implied_count(items, *var, from, to, step.as_deref()),
                _ if i.rank > 0 => {
                    let extents = self.extents(i).into_iter().map(not_negative);
                    extents.fold(Expr::int(1), Expr::times)
                }
                _ => Expr::int(1),
            };
            n = n.plus(c);
        }
        n
    }

    fn constant_array(&mut self, e: &TExpr) -> Entity {
        let Some(Constant::Array(_, extents)) = &e.value else {
            return dummy_entity();
        };
        let extents: Vec<_> = extents.iter().map(|n| Expr::int(*n)).collect();
        let elem = self.storage_type(&e.ty).unwrap_or(ir::Type::Unknown);
        let value = e.value.clone().unwrap_or(Constant::Logical(false, 4));
        let list = self.literal(&value, &e.ty, e.span);
        let list = match list.kind {
            ExprKind::List(mut outer) => outer.pop().map_or(Vec::new(), |inner| vec![inner]),
            _ => Vec::new(),
        };
        let init = Init::Value(Expr::new(ExprKind::List(list), ir::Type::Auto));
        let t = self.declare_array(elem, &extents, init);
        if let Some(ir::Stmt {
            kind: StmtKind::Declare(d),
            ..
        }) = self.hoisted.statements().and_then(|p| p.last_mut())
        {
            d.qualifier = Qualifier::Const;
        }
        t
    }

    fn constructor(&mut self, e: &TExpr, items: &[TExpr]) -> Entity {
        let elem = self.storage_type(&e.ty).unwrap_or(ir::Type::Unknown);
        let n = self.item_count(items);
        let scalars = items
            .iter()
            .all(|i| i.rank <= 0 && !matches!(i.kind, TExprKind::ImpliedDo { .. }));
        if scalars && n.as_int().is_some() {
            let values = items.iter().map(|i| self.value_as(i, &elem)).collect();
            let list = Expr::new(ExprKind::List(values), ir::Type::Auto);
            let init = Init::Value(Expr::new(ExprKind::List(vec![list]), ir::Type::Auto));
            return self.declare_array(elem, &[n], init);
        }
        let t = self.declare_array(elem.clone(), &[n], Init::None);
        let counter = self.numbered("n");
        self.before(ir::Stmt::declare(
            ir::Type::Int(4),
            &counter,
            Init::Value(Expr::int(0)),
        ));
        let place = t.expr.clone();
        for i in items {
            let stmts = self.constructor_item(&place, &counter, i, &elem);
            stmts.into_iter().for_each(|s| self.before(s));
        }
        t
    }
}
