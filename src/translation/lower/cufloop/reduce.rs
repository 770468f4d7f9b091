//! Reductions of CUF loops (guide 2.11.3): which scalars of the host a loop accumulates into, and with which operation.

use std::collections::BTreeSet;

use super::mentions::Places;
use super::operation::{of_intrinsic, of_operator};
use super::scan::Scan;
use super::scan::{own_exprs, whole_scalar};
use crate::ast::{self, BinaryOp as B, Span, Stmt, StmtKind as Ast, UnaryOp};
use crate::intrinsics::{Bits, Choice, Conversion, Intrinsic};
use crate::ir::ReductionOp;
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::{Model, SymbolId, Type};

/// A scalar whose role is asked for, and where its variable stands: what is elsewhere need not be looked at.
pub(in crate::translation::lower) struct Target<'t> {
    pub scalar: &'t TExpr,
    places: &'t [u32],
}

impl<'t> Target<'t> {
    pub fn new(scalar: &'t TExpr, places: &'t Places) -> Self {
        let places = scalar.root().and_then(|r| places.0.get(&r));
        Target {
            scalar,
            places: places.map_or(&[], Vec::as_slice),
        }
    }

    pub fn stands_in(&self, span: Span) -> bool {
        let first = self.places.partition_point(|p| *p < span.start);
        self.places.get(first).is_some_and(|p| *p < span.end)
    }
}

impl Scan<'_> {
    /// The operation with which the body accumulates into a scalar (variable or component), or where the scalar stands in another
    /// way; `places` are those of the body.
    pub fn accumulation(
        &self,
        scalar: &TExpr,
        places: &Places,
        body: &[Stmt],
    ) -> Result<ReductionOp, Span> {
        let mut ops = Vec::new();
        self.updates(&Target::new(scalar, places), body, &mut ops)?;
        match ops.split_first() {
            Some((first, rest)) if rest.iter().all(|o| o == first) => Ok(*first),
            _ => Err(scalar.span),
        }
    }

    /// The body updates the variable of a REDUCE clause with another operation than the clause names.
    pub fn contradicts(
        &self,
        scalar: &TExpr,
        places: &Places,
        body: &[Stmt],
        op: ReductionOp,
    ) -> bool {
        let target = &Target::new(scalar, places);
        let mut ops = Vec::new();
        // Where the variable occurs in a way that is no update, the clause stands.
        let _ = self.updates(target, body, &mut ops);
        ops.iter().any(|o| *o != op)
    }

    /// Where an assignment gives something else a value of the variable of a REDUCE clause.
    pub fn used_beside(&self, scalar: &TExpr, places: &Places, body: &[Stmt]) -> Option<Span> {
        self.beside(&Target::new(scalar, places), body)
    }

    fn beside(&self, target: &Target<'_>, body: &[Stmt]) -> Option<Span> {
        body.iter()
            .filter(|s| target.stands_in(s.span))
            .find_map(|s| {
                if let Ast::Assign { lhs, rhs } = &s.kind {
                    let (l, r) = (self.typed(lhs), self.typed(rhs));
                    let uses = self.mentions_target(target, &l) || self.mentions_target(target, &r);
                    return (uses && !self.is(&l, target.scalar)).then_some(s.span);
                }
                let inner = self.inside(s);
                s.blocks().into_iter().find_map(|b| inner.beside(target, b))
            })
    }

    /// Where an assignment gives the variable of a REDUCE clause a value that is not an update: the result would depend on the number of threads.
    /// `found = .true.` of a logical sum and the like do not.
    pub fn assigned_anew(
        &self,
        scalar: &TExpr,
        places: &Places,
        body: &[Stmt],
        op: ReductionOp,
    ) -> Option<Span> {
        use ReductionOp::{Add, BitXor, Eqv, Mul, Neqv};
        let repeats = !matches!(op, Add | Mul | Eqv | Neqv | BitXor);
        (!repeats).then(|| self.anew(&Target::new(scalar, places), body))?
    }

    fn anew(&self, target: &Target<'_>, body: &[Stmt]) -> Option<Span> {
        let inside = body.iter().filter(|s| target.stands_in(s.span));
        inside.into_iter().find_map(|s| {
            if let Ast::Assign { lhs, rhs } = &s.kind {
                let (l, r) = (self.typed(lhs), self.typed(rhs));
                let anew = self.is(&l, target.scalar) && !self.mentions_target(target, &r);
                return anew.then_some(s.span);
            }
            let inner = self.inside(s);
            s.blocks().into_iter().find_map(|b| inner.anew(target, b))
        })
    }

    fn mentions_target(&self, target: &Target<'_>, e: &TExpr) -> bool {
        self.mentions(target.scalar, e)
    }

    /// The selector of an associate name is the scalar, a part of it or what holds it: the name is looked at where it stands.
    fn renames(&self, target: &Target<'_>, selector: &ast::Expr) -> bool {
        let t = self.typed(selector);
        t.is_designator() && {
            let d = self.resolved(&t);
            d.root() == target.scalar.root() && whole_scalar(&d)
        }
    }

    /// What a BLOCK or ASSOCIATE evaluates at its beginning, with the scope it stands in: bounds of what a BLOCK declares, selectors
    /// that are not the scalar under another name.
    pub(in crate::translation::lower) fn head<'s>(
        &'s self,
        target: &Target<'_>,
        s: &'s Stmt,
    ) -> Vec<(Self, &'s ast::Expr)> {
        match &s.kind {
            Ast::Block { .. } => {
                let inner = self.inside(s);
                inner.declared().into_iter().map(|e| (inner, e)).collect()
            }
            Ast::Associate { items, .. } => {
                let selectors = items.iter().map(|(_, e)| e);
                let values = selectors.filter(|e| !self.renames(target, e));
                values.map(|e| (*self, e)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Collects the operations of all updates; Err where the scalar occurs in another way.
    fn updates(
        &self,
        target: &Target<'_>,
        body: &[Stmt],
        ops: &mut Vec<ReductionOp>,
    ) -> Result<(), Span> {
        body.iter().try_for_each(|s| self.update(target, s, ops))
    }

    fn clean(&self, target: &Target<'_>, e: &ast::Expr) -> Result<(), Span> {
        if target.stands_in(e.span) && self.mentions_target(target, &self.typed(e)) {
            Err(e.span)
        } else {
            Ok(())
        }
    }

    fn update(
        &self,
        target: &Target<'_>,
        s: &Stmt,
        ops: &mut Vec<ReductionOp>,
    ) -> Result<(), Span> {
        if !target.stands_in(s.span) {
            return Ok(());
        }
        match &s.kind {
            Ast::Assign { lhs, rhs } => {
                let l = self.typed(lhs);
                let r = self.typed(rhs);
                if self.is(&l, target.scalar) {
                    ops.push(self.update_operation(target, &r).ok_or(s.span)?);
                    return Ok(());
                }
                if self.mentions_target(target, &l) || self.mentions_target(target, &r) {
                    Err(s.span)
                } else {
                    Ok(())
                }
            }
            Ast::LogicalIf { cond, stmt } => {
                if let Some(op) =
                    self.conditional_extremum(target, cond, std::slice::from_ref(stmt))
                {
                    ops.push(op);
                    return Ok(());
                }
                self.clean(target, cond)?;
                self.update(target, stmt, ops)
            }
            Ast::If {
                branches,
                else_block,
                ..
            } => {
                let mut otherwise = else_block.iter().flat_map(|e| &e.body);
                let nothing_else = otherwise.all(|s| matches!(s.kind, Ast::Continue));
                for (n, b) in branches.iter().enumerate() {
                    // What is done otherwise would depend on the largest or least value so far.
                    if nothing_else
                        && n + 1 == branches.len()
                        && let Some(op) = self.conditional_extremum(target, &b.cond, &b.body)
                    {
                        ops.push(op);
                        continue;
                    }
                    self.clean(target, &b.cond)?;
                    self.updates(target, &b.body, ops)?;
                }
                else_block
                    .as_ref()
                    .map_or(Ok(()), |e| self.updates(target, &e.body, ops))
            }
            Ast::Do(d) => {
                match &d.control {
                    ast::DoControl::Counted { from, to, step, .. } => {
                        self.clean(target, from)?;
                        self.clean(target, to)?;
                        step.iter().try_for_each(|e| self.clean(target, e))?;
                    }
                    ast::DoControl::While(c) => self.clean(target, c)?,
                    ast::DoControl::Concurrent(_) | ast::DoControl::Forever => {
                        let inner = self.inside(s);
                        s.expressions()
                            .into_iter()
                            .try_for_each(|e| inner.clean(target, e))?;
                    }
                }
                self.inside(s).updates(target, &d.body, ops)
            }
            Ast::Select(sel) => {
                self.clean(target, &sel.selector)?;
                let inner = self.inside(s);
                sel.cases
                    .iter()
                    .try_for_each(|c| inner.updates(target, &c.body, ops))
            }
            Ast::Block { body, .. } | Ast::Associate { body, .. } => {
                let mut head = self.head(target, s).into_iter();
                head.try_for_each(|(at, e)| at.clean(target, e))?;
                self.inside(s).updates(target, body, ops)
            }
            _ => {
                let mut found = Ok(());
                self.each_expr(s, &mut |at, e| {
                    if found.is_ok() {
                        found = at.clean(target, e);
                    }
                });
                found
            }
        }
    }

    /// `rhs` of `s = rhs` as an update of `s`.
    fn update_operation(&self, target: &Target<'_>, rhs: &TExpr) -> Option<ReductionOp> {
        let rhs = self.unconverted(target, rhs);
        // An integer that real numbers are added to, or multiplied with, loses the fraction in each iteration.
        let exact = match target.scalar.ty {
            Type::Integer(_) => !matches!(rhs.ty, Type::Real(_) | Type::Complex(_)),
            _ => true,
        };
        match &rhs.kind {
            TExprKind::Binary { .. } if !exact => None,
            TExprKind::Binary {
                op: B::Add | B::Sub,
                ..
            } => self.once_in_sum(target, rhs).then_some(ReductionOp::Add),
            TExprKind::Binary { op: B::Mul, .. } => self
                .once_in_chain(target, rhs, B::Mul)
                .then_some(ReductionOp::Mul),
            TExprKind::Binary {
                op: op @ (B::And | B::Or | B::Eqv | B::Neqv),
                ..
            } => {
                self.once_in_chain(target, rhs, *op).then_some(())?;
                of_operator(*op)
            }
            // A bit is set, or cleared.
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Bits(bits @ (Bits::Ibset | Bits::Ibclr)),
                args,
            } => {
                let [Some(value), Some(position)] = &args[..] else {
                    return None;
                };
                let ours = self.is(value.unparenthesised(), target.scalar);
                (ours && !self.mentions_target(target, position)).then_some(match bits {
                    Bits::Ibset => ReductionOp::BitOr,
                    _ => ReductionOp::BitAnd,
                })
            }
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Choice(Choice::Merge),
                args,
            } => {
                let [Some(new), Some(old), Some(mask)] = &args[..] else {
                    return None;
                };
                // The scalar stays where the mask is false, or where it is true.
                match self.is(old.unparenthesised(), target.scalar) {
                    true => self.extremum(target, mask, new, true),
                    false if self.is(new.unparenthesised(), target.scalar) => {
                        self.extremum(target, mask, old, false)
                    }
                    false => None,
                }
            }
            TExprKind::Intrinsic { intrinsic, args } => {
                let op = of_intrinsic(*intrinsic)?;
                let mut direct = 0;
                for a in args.iter().flatten() {
                    let a = self.unconverted(target, a);
                    if self.is(a, target.scalar) {
                        direct += 1;
                    } else if self.update_operation(target, a) == Some(op) {
                        // max(a, max(s, b))
                        direct += 1;
                    } else if self.mentions_target(target, a) {
                        return None;
                    }
                }
                (direct == 1).then_some(op)
            }
            _ => None,
        }
    }

    /// The expression without conversions of the scalar's type to one of its kind or a wider one, which keep its values.
    fn unconverted<'e>(&self, target: &Target<'_>, e: &'e TExpr) -> &'e TExpr {
        let kept = |from: &Type, to: &Type| match (from, to) {
            (Type::Real(a), Type::Real(b)) | (Type::Integer(a), Type::Integer(b)) => b >= a,
            _ => false,
        };
        let mut e = e.unparenthesised();
        while let TExprKind::Intrinsic {
            intrinsic: Intrinsic::Conversion(Conversion::Real | Conversion::Int),
            args,
        } = &e.kind
            && let Some(Some(inner)) = args.first()
            && kept(&target.scalar.ty, &e.ty)
            && kept(&target.scalar.ty, &inner.ty)
        {
            e = inner.unparenthesised();
        }
        e
    }

    /// The scalar is one of the terms, added; it occurs nowhere else.
    fn once_in_sum(&self, target: &Target<'_>, e: &TExpr) -> bool {
        let e = self.unconverted(target, e);
        match &e.kind {
            _ if self.is(e, target.scalar) => true,
            TExprKind::Binary {
                op: B::Add,
                lhs,
                rhs,
            } => {
                (self.once_in_sum(target, lhs) && !self.mentions_target(target, rhs))
                    || (self.once_in_sum(target, rhs) && !self.mentions_target(target, lhs))
            }
            TExprKind::Binary {
                op: B::Sub,
                lhs,
                rhs,
            } => self.once_in_sum(target, lhs) && !self.mentions_target(target, rhs),
            _ => false,
        }
    }

    fn once_in_chain(&self, target: &Target<'_>, e: &TExpr, op: B) -> bool {
        let e = self.unconverted(target, e);
        match &e.kind {
            _ if self.is(e, target.scalar) => true,
            TExprKind::Binary { op: o, lhs, rhs } if *o == op => {
                (self.once_in_chain(target, lhs, op) && !self.mentions_target(target, rhs))
                    || (self.once_in_chain(target, rhs, op) && !self.mentions_target(target, lhs))
            }
            _ => false,
        }
    }

    /// `if (e > s) s = e`
    fn conditional_extremum(
        &self,
        target: &Target<'_>,
        cond: &ast::Expr,
        body: &[Stmt],
    ) -> Option<ReductionOp> {
        let [only] = body else { return None };
        let Ast::Assign { lhs, rhs } = &only.kind else {
            return None;
        };
        let l = self.typed(lhs);
        if !self.is(&l, target.scalar) {
            return None;
        }
        self.extremum(target, &self.typed(cond), &self.typed(rhs), true)
    }

    /// The scalar gets the value `e` where `cond` is `wanted`: the larger or smaller one of both stays.
    fn extremum(
        &self,
        target: &Target<'_>,
        cond: &TExpr,
        e: &TExpr,
        wanted: bool,
    ) -> Option<ReductionOp> {
        let c = cond.unparenthesised();
        let e = e.unparenthesised();
        if self.mentions_target(target, e) {
            return None;
        }
        let (op, lhs, rhs) = match &c.kind {
            TExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => return self.extremum(target, operand, e, !wanted),
            // Other conditions decide which iterations take part.
            TExprKind::Binary { op, lhs, rhs }
                if matches!((op, wanted), (B::And, true) | (B::Or, false)) =>
            {
                let (part, other) = match self.mentions_target(target, lhs) {
                    true => (lhs, rhs),
                    false => (rhs, lhs),
                };
                let apart = !self.mentions_target(target, other);
                return apart.then(|| self.extremum(target, part, e, wanted))?;
            }
            TExprKind::Binary { op, lhs, rhs } => (op, lhs, rhs),
            _ => return None,
        };
        let greater = match op {
            B::Gt | B::Ge => wanted,
            B::Lt | B::Le => !wanted,
            _ => return None,
        };
        let (a, b) = (lhs.unparenthesised(), rhs.unparenthesised());
        if same_value(a, e) && self.is(b, target.scalar) {
            return Some(if greater {
                ReductionOp::Max
            } else {
                ReductionOp::Min
            });
        }
        if self.is(a, target.scalar) && same_value(b, e) {
            return Some(if greater {
                ReductionOp::Min
            } else {
                ReductionOp::Max
            });
        }
        None
    }

    /// All scalar variables and components that the statements change, in order of the first change. Those are of the loop's host,
    /// where associate names stand for them.
    pub fn changed_scalars(
        &self,
        body: &[Stmt],
        modified: &BTreeSet<SymbolId>,
        out: &mut Vec<TExpr>,
    ) {
        let add = |at: Scan<'_>, t: &TExpr, out: &mut Vec<TExpr>| {
            let t = at.resolved(t).into_owned();
            // A part of a complex number changes the number.
            let t = match t.kind {
                TExprKind::ComplexPart { base, .. } => *base,
                _ => t,
            };
            let t = match whole_scalar(&t) {
                true if t.rank > 0 => return,
                true => t,
                // An array in a structure is changed as a whole; an array variable is none of the scalars.
                false => match array_component(&t) {
                    // What device memory holds is no part of the structure: `g%f(1)%v(i)` with a device component v.
                    Some(array) if at.in_other_memory(&t, array) => return,
                    Some(array) => array.clone(),
                    None => return,
                },
            };
            if !out.iter().any(|x| same(x, &t)) {
                out.push(t);
            }
        };
        // A procedure may change its arguments.
        let argument = |at: Scan<'_>, t: &TExpr, out: &mut Vec<TExpr>| {
            let root = at.resolved(t).root();
            if root.is_some_and(|r| modified.contains(&r)) {
                add(at, t, out);
            }
        };
        for s in body {
            let inner = self.inside(s);
            for e in own_exprs(s) {
                let at = match s.kind {
                    Ast::Do(_) => inner,
                    _ => *self,
                };
                at.arguments(&at.typed(e), &mut |at, a| argument(at, a, out));
            }
            match &s.kind {
                // What all threads share.
                Ast::Assign { lhs, .. } if self.is_atomic_store(s, lhs) => {}
                Ast::Assign { lhs, .. } => add(*self, &self.typed(lhs), out),
                Ast::Do(d) => {
                    if let ast::DoControl::Counted { var, .. } = &d.control
                        && let Some(v) = self.model.lookup(self.scope, &var.text)
                    {
                        let t = variable(v, self.model.type_of(v), var.span);
                        add(*self, &t, out);
                    }
                }
                Ast::Call(c) => {
                    for a in &c.args {
                        argument(*self, &self.typed(&a.value), out);
                    }
                }
                _ => {}
            }
            for b in s.blocks() {
                inner.changed_scalars(b, modified, out);
            }
        }
    }
}

impl Scan<'_> {
    /// The assignment changes a variable atomically, rather than giving one the value of such a variable.
    fn is_atomic_store(&self, s: &Stmt, lhs: &ast::Expr) -> bool {
        let Some(ast::Directive::Atomic(atomic)) = s.directive.as_deref() else {
            return false;
        };
        match atomic {
            ast::Atomic::Update | ast::Atomic::Write => true,
            ast::Atomic::Read => false,
            // What a private scalar cannot be, `is_atomic_target` finds.
            ast::Atomic::Capture(_) | ast::Atomic::Captured => {
                let t = self.typed(lhs);
                self.model.space(&t).is_some_and(Model::is_device_space)
            }
        }
    }

    /// An element of an array in device memory, unlike the array of structures by which it is found.
    fn in_other_memory(&self, t: &TExpr, array: &TExpr) -> bool {
        let device = |x: &TExpr| self.model.space(x).is_some_and(Model::is_device_space);
        let element_of_device =
            |x: &TExpr| matches!(&x.kind, TExprKind::Index { base, .. } if device(base));
        !device(array) && std::iter::successors(Some(t), |x| x.base()).any(element_of_device)
    }
}

/// A variable as a typed expression.
pub fn variable(s: SymbolId, ty: crate::sema::model::Type, span: Span) -> TExpr {
    TExpr {
        kind: TExprKind::Variable(s),
        ty,
        rank: 0,
        value: None,
        span,
    }
}

/// The array component of a scalar structure that the designator is a part of.
fn array_component(t: &TExpr) -> Option<&TExpr> {
    let mut within = std::iter::successors(Some(t), |x| x.base());
    let array = within.find(|x| whole_scalar(x))?;
    matches!(array.kind, TExprKind::Component { .. }).then_some(array)
}

/// Like `same`, for values: function references with the same arguments too.
pub(super) fn same_value(a: &TExpr, b: &TExpr) -> bool {
    let (a, b) = (a.unparenthesised(), b.unparenthesised());
    let args = |x: &[Option<TExpr>], y: &[Option<TExpr>]| {
        x.len() == y.len()
            && x.iter().zip(y).all(|(x, y)| match (x, y) {
                (None, None) => true,
                (Some(x), Some(y)) => same_value(x, y),
                _ => false,
            })
    };
    match (&a.kind, &b.kind) {
        (
            TExprKind::Intrinsic {
                intrinsic: n,
                args: x,
            },
            TExprKind::Intrinsic {
                intrinsic: m,
                args: y,
            },
        ) => n == m && args(x, y),
        (
            TExprKind::Call {
                procedure: p,
                args: x,
                ..
            },
            TExprKind::Call {
                procedure: q,
                args: y,
                ..
            },
        ) => p == q && args(x, y),
        (
            TExprKind::Binary {
                op: o,
                lhs: a1,
                rhs: a2,
            },
            TExprKind::Binary {
                op: p,
                lhs: b1,
                rhs: b2,
            },
        ) => o == p && same_value(a1, b1) && same_value(a2, b2),
        (TExprKind::Unary { op: o, operand: x }, TExprKind::Unary { op: p, operand: y }) => {
            o == p && same_value(x, y)
        }
        _ => same(a, b),
    }
}
