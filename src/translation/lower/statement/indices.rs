//! Limits of counting loops, and the index values of FORALL and DO CONCURRENT.
//!
//! Limits, strides and masks have the values of before the loop (F2018 7.8, 10.2.4.2.2, 10.2.4.2.3, 11.1.7.4.2). What nothing in the
//! loop changes is written where it is needed; limits are held else, and where a mask would read what the statements change, the
//! active combinations of index values are listed first.

use crate::ast::{self, LoopHeader, Span, Stmt, StmtKind as Ast};
use crate::intrinsics::{Choice, Intrinsic};
use crate::ir::{self, *};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::array::trips;
use crate::lower::value::convert::{not_negative, subscript};
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::{ScopeId, ScopeKind, SymbolId};

/// Index loops around a statement.
#[derive(Clone)]
pub(in crate::translation::lower) enum Level<'h> {
    /// The loops of a header, its mask inside.
    Header {
        header: &'h LoopHeader,
        mask: Option<&'h ast::Expr>,
        /// Scope of the indices.
        scope: ScopeId,
        /// The whole construct.
        span: Span,
    },
    /// One loop over the active combinations of all headers: how many there are, and the values of each index.
    Listed {
        count: Expr,
        indices: Vec<(SymbolId, Entity)>,
    },
}

impl LoweringContext<'_, '_> {
    /// Limit or stride of a loop over the statements or items `within`. Without it all that is not constant may change.
    pub fn limit(&mut self, e: &TExpr, within: Option<Span>) -> Expr {
        if let Some(v) = self.held_scalar(e) {
            return v;
        }
        let v = subscript(self.index_value(e));
        let stays = v.as_int().is_some()
            || self.evaluate(&v).is_some()
            || self.stable(e)
            || within.is_some_and(|span| self.loop_invariant(e, &v, span));
        if stays { v } else { self.hold(e, v) }
    }

    /// The limits of each index of a header, and its stride.
    fn header_limits(
        &mut self,
        header: &LoopHeader,
        span: Span,
    ) -> Option<Vec<(SymbolId, Expr, Expr, Expr)>> {
        let scope = self.scope;
        let mut limits = Vec::new();
        for (n, from, to, step) in &header.indices {
            let Some(s) = self.model().lookup(scope, &n.text) else {
                self.refuse(
                    n.span,
                    "CUF0409",
                    format!("index `{}` is not declared", n.text),
                );
                return None;
            };
            let mut limit = |e| {
                let t = self.model().expr(scope, e);
                self.limit(&t, Some(span))
            };
            let (lo, hi) = (limit(from), limit(to));
            let step = step.as_ref().map_or(Expr::int(1), limit);
            limits.push((s, lo, hi, step));
        }
        Some(limits)
    }

    /// Nested loops over the indices of FORALL or DO CONCURRENT, with the mask inside.
    fn index_loops(
        &mut self,
        header: &LoopHeader,
        mask: Option<&ast::Expr>,
        span: Span,
        f: &mut dyn FnMut(&mut Self) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let scope = self.scope;
        let Some(limits) = self.header_limits(header, span) else {
            return Vec::new();
        };
        // The index hides a variable of its name, which only the limits can mean.
        let mut names = Vec::new();
        let mut made = Vec::new();
        for (s, ..) in &limits {
            let mut name = self.local_name(*s);
            let mut all = limits.iter().flat_map(|(_, lo, hi, by)| [lo, hi, by]);
            if all.any(|limit| limit.mentions(&name)) {
                name = self.fresh(&format!("{name}_"));
                made.push(name.to_ascii_lowercase());
            }
            names.push(name);
        }
        let mut saved = Vec::new();
        for ((s, ..), name) in limits.iter().zip(&names) {
            let (_, ent) = self.index_variable(*s, name);
            saved.push((*s, self.vars.insert(*s, ent)));
        }
        let (pre, stmts) = self.with_hoisted(|cx| f(cx));
        let mut body = pre;
        body.extend(stmts);
        if let Some(m) = mask {
            let t = self.model().expr(scope, m);
            let (mut pre, c) = self.with_hoisted(|cx| cx.condition(&t));
            pre.push(ir::Stmt::when(c, body));
            body = pre;
        }
        self.restore(saved);
        for ((s, lo, hi, step), name) in limits.into_iter().zip(names).rev() {
            let (index, _) = self.index_variable(s, &name);
            body = self.counted(&index, lo, hi, step, body);
        }
        for name in made {
            self.names.free(&name);
        }
        body
    }

    fn restore(&mut self, saved: Vec<(SymbolId, Option<Entity>)>) {
        for (s, old) in saved {
            match old {
                Some(o) => self.vars.insert(s, o),
                None => self.vars.remove(&s),
            };
        }
    }

    /// Loops over all levels.
    pub(in crate::translation::lower) fn level_loops(
        &mut self,
        levels: &[Level<'_>],
        f: &mut dyn FnMut(&mut Self) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        match levels.split_first() {
            None => f(self),
            Some((
                Level::Header {
                    header,
                    mask,
                    scope,
                    span,
                },
                rest,
            )) => {
                let outer = std::mem::replace(&mut self.scope, *scope);
                let out = self.index_loops(header, *mask, *span, &mut |cx| cx.level_loops(rest, f));
                self.scope = outer;
                out
            }
            Some((Level::Listed { count, indices }, rest)) => {
                let at = self.numbered("k");
                let place = Expr::name(&at, ir::Type::Int(4));
                let mut saved = Vec::new();
                let mut values = Vec::new();
                for (s, list) in indices {
                    let (index, ent) = self.index_variable(*s, &self.local_name(*s));
                    saved.push((*s, self.vars.insert(*s, ent)));
                    values.push((index, list.expr.clone().at(vec![place.clone()])));
                }
                let (mut body, stmts) = self.with_hoisted(|cx| cx.level_loops(rest, f));
                body.extend(stmts);
                self.restore(saved);
                for (index, value) in values.into_iter().rev() {
                    let name = index.local().unwrap_or_default();
                    if body.iter().any(|s| mentions(s, name)) {
                        body.insert(0, ir::Stmt::constant(index.ty.clone(), name, value));
                    }
                }
                self.names.free(&at);
                let one = Expr::int(1);
                vec![ir::Stmt::count(
                    ir::Type::Int(4),
                    &at,
                    one,
                    count.clone(),
                    body,
                )]
            }
        }
    }

    /// The levels of a construct inside others, after its limits and masks are determined. The scope is that of its indices. The
    /// statements are carried out one after the other for all index values, or (`by_index`) together for one value after the other.
    pub(in crate::translation::lower) fn levels<'h>(
        &mut self,
        around: &[Level<'h>],
        header: &'h LoopHeader,
        body: &[Stmt],
        by_index: bool,
        span: Span,
    ) -> Vec<Level<'h>> {
        let mut levels = around.to_vec();
        levels.push(Level::Header {
            header,
            mask: header.mask.as_ref(),
            scope: self.scope,
            span,
        });
        if around.is_empty() && !body.is_empty() {
            self.header_limits(header, span);
        }
        if self.must_list(around, header, body, by_index, span) {
            levels = vec![self.list(&levels)];
        }
        levels
    }

    /// The header, evaluated while the statements are carried out, would read what they change.
    fn must_list(
        &self,
        around: &[Level<'_>],
        header: &LoopHeader,
        body: &[Stmt],
        by_index: bool,
        span: Span,
    ) -> bool {
        let Some(first) = body.first() else {
            return false;
        };
        let within = Span {
            start: first.span.start,
            ..span
        };
        let typed = |e| self.model().expr(self.scope, e);
        let mut limits = header
            .indices
            .iter()
            .flat_map(|(_, from, to, step)| [Some(from), Some(to), step.as_ref()])
            .flatten();
        // Those of the outermost header are held.
        if !around.is_empty() && limits.any(|e| self.reads_changed(&typed(e), within)) {
            return true;
        }
        let Some(mask) = header.mask.as_ref().map(typed) else {
            return false;
        };
        let together = by_index || body.len() == 1 && around.is_empty();
        self.calls_with_effect(&mask)
            || self.reads_changed(&mask, within)
                && !(together && self.reads_own(&mask, header, body, within))
    }

    /// A statement within `span` may change what the expression reads.
    fn reads_changed(&self, e: &TExpr, span: Span) -> bool {
        e.any(&mut |x| match &x.kind {
            TExprKind::Variable(s) => self.changed(*s, span),
            TExprKind::StatementFunctionCall { .. } => true,
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                let mut all = self.facts.modified.iter();
                all.any(|m| self.facts.changed_in(*m, span) && self.procedure_reads(*procedure, *m))
            }
            _ => false,
        })
    }

    fn changed(&self, s: SymbolId, span: Span) -> bool {
        // Procedures that are called may change data of modules.
        self.facts.modified.iter().any(|m| {
            self.may_alias(*m, s) && (self.is_of_module(*m) || self.facts.changed_in(*m, span))
        })
    }

    fn is_of_module(&self, s: SymbolId) -> bool {
        let scope = &self.model()[self.model()[s].scope];
        matches!(scope.kind, ScopeKind::Module | ScopeKind::Submodule)
    }

    /// A procedure, or one that it calls, mentions data of a module that is or may be that of `root`.
    pub fn procedure_reads(&self, procedure: SymbolId, root: SymbolId) -> bool {
        let reads = |s: &SymbolId| self.is_of_module(*s) && self.may_alias(*s, root);
        let model = self.model();
        let analysis = self.sh.analysis;
        analysis.reaches(model, procedure, |f| f.mentioned.iter().any(reads))
    }

    /// Of what the statements change, the mask reads the element only that its own combination of index values changes.
    fn reads_own(&self, mask: &TExpr, header: &LoopHeader, body: &[Stmt], span: Span) -> bool {
        if !mask.is_designator() {
            let mut own = true;
            mask.for_each_child(&mut |x| own &= self.reads_own(x, header, body, span));
            return own
                && !matches!(
                    mask.kind,
                    TExprKind::Call { .. }
                        | TExprKind::BoundCall { .. }
                        | TExprKind::StatementFunctionCall { .. }
                );
        }
        if !self.reads_changed(mask, span) {
            return true;
        }
        let (Some(root), Some(subs)) = (mask.root(), element_subscripts(mask)) else {
            return false;
        };
        let each = header.indices.iter().all(|(n, ..)| {
            let index = self.model().lookup(self.scope, &n.text);
            subs.iter()
                .any(|e| matches!(e.kind, TExprKind::Variable(s) if Some(s) == index))
        });
        if !each
            || subs.iter().any(|e| self.reads_changed(e, span))
            || self.is_of_module(root) && !self.facts.calls.is_empty()
        {
            return false;
        }
        let mut stores = Vec::new();
        self.stores_to(mask, body, &mut stores);
        let mut changed = self.facts.changes.iter();
        changed.all(|(s, places)| {
            let mut places = places
                .iter()
                .filter(|at| (span.start..span.end).contains(at));
            !self.may_alias(*s, root) || places.all(|at| stores.contains(at))
        })
    }

    /// Starts of the assignments to exactly this designator.
    fn stores_to(&self, designator: &TExpr, body: &[Stmt], out: &mut Vec<u32>) {
        for s in body {
            match &s.kind {
                Ast::Assign { lhs, .. } if same(&self.typed(lhs), designator) => {
                    out.push(s.span.start);
                }
                Ast::If { .. } | Ast::LogicalIf { .. } => {
                    let inner = s.blocks();
                    inner
                        .into_iter()
                        .for_each(|b| self.stores_to(designator, b, out));
                }
                _ => {}
            }
        }
    }

    /// Puts the active combinations into arrays, before the statement. The mask of the innermost header is asked once for each
    /// combination.
    fn list<'h>(&mut self, levels: &[Level<'h>]) -> Level<'h> {
        let most = self.combinations(levels);
        let room = std::slice::from_ref(&most);
        let mut indices = Vec::new();
        for level in levels {
            match level {
                Level::Header { header, scope, .. } => {
                    for (n, ..) in &header.indices {
                        let Some(s) = self.model().lookup(*scope, &n.text) else {
                            continue;
                        };
                        let (index, _) = self.index_variable(s, "");
                        let list = self.declare_array(index.ty, room, Init::None);
                        indices.push((s, list));
                    }
                }
                Level::Listed { indices: some, .. } => {
                    for (s, list) in some {
                        let elem = list.expr.ty.element().clone();
                        let list = self.declare_array(elem, room, Init::None);
                        indices.push((*s, list));
                    }
                }
            }
        }
        let count = self.counter();
        let next = || ir::Stmt::expr(Expr::name(&count, ir::Type::Int(4)).incremented());
        let count = Expr::name(&count, ir::Type::Int(4));
        let filling = self.level_loops(levels, &mut |cx| {
            let mut body = vec![next()];
            for (s, list) in &indices {
                let place = list.expr.clone().at(vec![count.clone()]);
                let value = cx.vars.get(s).map(|e| e.expr.unconverted().clone());
                body.extend(value.map(|v| ir::Stmt::assign(place, v)));
            }
            body
        });
        filling.into_iter().for_each(|s| self.before(s));
        Level::Listed { count, indices }
    }

    /// How many combinations there are, whatever the mask of the innermost header is.
    fn combinations(&mut self, levels: &[Level<'_>]) -> Expr {
        if let [Level::Header { header, span, .. }] = levels {
            let limits = self.header_limits(header, *span).unwrap_or_default();
            let each = limits
                .into_iter()
                .map(|(_, lo, hi, step)| not_negative(trips(lo, hi, step)));
            return each.fold(Expr::int(1), Expr::times);
        }
        let mut unmasked = levels.to_vec();
        if let Some(Level::Header { mask, .. }) = unmasked.last_mut() {
            *mask = None;
        }
        let count = self.counter();
        let next = Expr::name(&count, ir::Type::Int(4)).incremented();
        let counting = self.level_loops(&unmasked, &mut |_| vec![ir::Stmt::expr(next.clone())]);
        counting.into_iter().for_each(|s| self.before(s));
        Expr::name(&count, ir::Type::Int(4))
    }

    /// An int variable that counts from 0, declared before the statement.
    pub(in crate::translation::lower) fn counter(&mut self) -> String {
        let counter = self.numbered("n");
        self.before(ir::Stmt::declare(
            ir::Type::Int(4),
            &counter,
            Init::Value(Expr::int(0)),
        ));
        counter
    }

    /// A bound whose variables the loop does not change, and that is no work to evaluate in each iteration.
    pub fn loop_invariant(&self, t: &TExpr, hi: &Expr, span: Span) -> bool {
        let mut simple = true;
        hi.walk(&mut |e| match &e.kind {
            ExprKind::Name(_)
            | ExprKind::Int(_)
            | ExprKind::Binary { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Convert(_)
            | ExprKind::Builtin(..) => {}
            ExprKind::Method {
                name: Method::Size
                    | Method::Ubound
                    | Method::Upper
                    | Method::Lbound
                    | Method::Lower,
                ..
            }
            | ExprKind::Call {
                callee: Callee::Intrinsic(Intrinsic::Choice(Choice::Min | Choice::Max)),
                ..
            } => {}
            _ => simple = false,
        });
        if !simple {
            return false;
        }
        !t.any(&mut |e| match &e.kind {
            TExprKind::Variable(s) => !self.keeps(*s, span),
            // The names in its definition are not here.
            TExprKind::StatementFunctionCall { .. } => true,
            _ => false,
        })
    }

    /// No statement within `span` changes the value of a scalar, or the bounds of an array.
    pub fn keeps(&self, s: SymbolId, span: Span) -> bool {
        let model = self.model();
        let Some(v) = model.variable(s) else {
            // What an associate name stands for may change under another name.
            return false;
        };
        // Assignments change the elements of an array, not its bounds.
        if !v.dims.is_empty() {
            return !self.facts.associated.contains(&s);
        }
        if !self.has_one_name(s) || !self.is_settled(s) {
            return false;
        }
        // Those of a module may be changed by any procedure that is called.
        let own = !matches!(
            model[model[s].scope].kind,
            ScopeKind::Module | ScopeKind::Submodule
        );
        !self.facts.modified.contains(&s) || own && !self.facts.changed_in(s, span)
    }
}

/// The subscripts of an element of a variable, of which the designator may be a component.
fn element_subscripts(designator: &TExpr) -> Option<Vec<&TExpr>> {
    match &designator.kind {
        TExprKind::Component { base, .. } => element_subscripts(base),
        TExprKind::Index { base, subs } if matches!(base.kind, TExprKind::Variable(_)) => subs
            .iter()
            .map(|s| match s {
                Subscript::Element(e) => Some(e),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// The statement or one inside it mentions the local variable.
fn mentions(s: &ir::Stmt, name: &str) -> bool {
    let mut found = false;
    s.walk(&mut |s| s.own_exprs(&mut |e| found |= e.mentions(name)));
    found
}
