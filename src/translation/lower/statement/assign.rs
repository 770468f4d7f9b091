//! Assignment: scalars, whole arrays and sections, WHERE, FORALL.

use crate::intrinsics::{Intrinsic, Shape};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::parts::SavedSubscripts;
use crate::lower::context::rules::{Arrays, Assignments, Designators, Expressions, Loads};
use crate::lower::context::state::LoopIndex;
use crate::lower::value::convert::convert;
use crate::sema::expression::dependence::{aligned, same};
use crate::sema::expression::typed::*;
use crate::sema::model::SymbolId;

/// Which elements an expression may read of the array that is assigned to, because they are read before they are stored.
#[derive(Clone, Copy)]
pub enum OverlapRule {
    Never,
    /// Those of a designator that is written as the one assigned to.
    Same,
    /// Those at the same position of a section that differs in single subscripts only.
    Aligned,
}

impl LoweringContext<'_, '_> {
    /// `lhs = rhs` for any ranks; an allocatable takes the shape of the right side.
    pub fn assign(&mut self, lhs: &TExpr, rhs: &TExpr) -> Vec<ir::Stmt> {
        if let Some(owner) = self.owner(lhs) {
            if lhs.rank <= 0 {
                let elem = owner.ty.element().clone();
                let v = self.value_as(rhs, &elem);
                return vec![ir::Stmt::assign(owner, v)];
            }
            if rhs.rank > 0 {
                return self.assign_allocatable(owner, lhs, rhs);
            }
        }
        self.assign_defined(lhs, rhs)
    }

    /// A whole allocatable: made to the shape of the value first (F2018 10.2.1.3).
    fn assign_allocatable(&mut self, owner: Expr, lhs: &TExpr, rhs: &TExpr) -> Vec<ir::Stmt> {
        let reads = rhs.any(&mut |x| {
            matches!(x.kind, TExprKind::Call { .. } | TExprKind::BoundCall { .. })
                || self.may_share(lhs, x)
        });
        let held = reads.then(|| self.materialise(rhs));
        let bounds = match &held {
            Some(t) => self.entity_extents(t),
            None => self.bounds_of_value(rhs),
        };
        let mut args = vec![self.place_text()];
        args.extend(bounds);
        self.before(ir::Stmt::expr(owner.clone().method(
            Method::ReshapeTo,
            args,
            ir::Type::Void,
        )));
        let elem = owner.ty.element().clone();
        let ranges = self.ranges(lhs);
        self.nest(&ranges, |cx, ix| {
            let v = match &held {
                Some(t) => cx.element_of(t, ix),
                None => cx.val(rhs, ix),
            };
            let l = cx.val(lhs, ix);
            vec![ir::Stmt::assign(l, convert(v, &elem))]
        })
    }

    fn assign_scalar(&mut self, lhs: &TExpr, rhs: &TExpr) -> Vec<ir::Stmt> {
        let l = self.value(lhs);
        let ty = l.ty.plain().clone();
        let r = if crate::lower::value::array::is_character(&lhs.ty) {
            // Pads or truncates by itself.
            let v = self.value(rhs);
            match (&v.ty, &ty) {
                (ir::Type::Text, _) | (_, ir::Type::Text) => v,
                _ => convert(v, &ty),
            }
        } else if ty == ir::Type::Int(4) && rhs.ty != crate::sema::model::Type::Boz {
            // Unsigned built-ins wrap to the same int.
            let v = self.value(rhs);
            if v.ty == ir::Type::Uint {
                v
            } else {
                convert(v, &ty)
            }
        } else {
            self.value_as(rhs, &ty)
        };
        vec![ir::Stmt::assign(l, r)]
    }

    fn assign_fill(&mut self, lhs: &TExpr, rhs: &TExpr) -> Vec<ir::Stmt> {
        let Some(elem) = self.storage_type(&lhs.ty) else {
            self.refuse(
                lhs.span,
                "CUF0403",
                "arrays of this type are not supported in device code (guide 3.6.1)",
            );
            return Vec::new();
        };
        let v = self.value_as(rhs, &elem);
        // Its argument is a value.
        if let Some(target) = self.small_target(lhs) {
            return vec![ir::Stmt::expr(target.method(
                Method::Fill,
                vec![v],
                ir::Type::Void,
            ))];
        }
        let v = if v.is_simple()
            || matches!(v.kind, ExprKind::Complex(..) | ExprKind::Str(_)) && !reads(&v)
        {
            v
        } else {
            self.temporary(v)
        };
        let ranges = self.ranges(lhs);
        self.nest(&ranges, |cx, ix| {
            let l = cx.val(lhs, ix);
            vec![ir::Stmt::assign(l, v.clone())]
        })
    }

    /// A small array that is assigned to as a whole.
    fn small_target(&mut self, lhs: &TExpr) -> Option<Expr> {
        self.small(lhs)?;
        self.small_place(lhs)
    }

    /// Whole arrays of the same static type, and function results: one C++ assignment.
    fn assign_whole(&mut self, lhs: &TExpr, rhs: &TExpr) -> Option<Vec<ir::Stmt>> {
        if !matches!(lhs.kind, TExprKind::Variable(_))
            || self.is_volatile(lhs)
            || self.is_volatile(rhs)
            // Parts of one storage, perhaps.
            || lhs.root() != rhs.root() && self.may_share(lhs, rhs)
        {
            return None;
        }
        let whole = self.array_place(lhs, &[]);
        if !matches!(whole.expr.ty.plain(), ir::Type::Fixed { .. }) {
            return None;
        }
        match &rhs.kind {
            TExprKind::Variable(_) => {
                let r = self.array_place(rhs, &[]);
                let fits = r.expr.ty.initialises(&whole.expr.ty);
                fits.then(|| vec![ir::Stmt::assign(whole.expr, r.expr)])
            }
            _ => None,
        }
    }

    /// A value of small arrays.
    fn assign_small(&mut self, lhs: &TExpr, rhs: &TExpr) -> Option<Vec<ir::Stmt>> {
        let (target, small) = (self.small_target(lhs)?, self.small(rhs)?);
        let to = self.small(lhs)?;
        if !to.fits(&small) {
            return None;
        }
        let v = self.small_value(rhs, &small);
        Some(vec![ir::Stmt::assign(target, v)])
    }

    /// A load of 128 bits into a whole array of that shape.
    fn assign_vector(&mut self, lhs: &TExpr, rhs: &TExpr) -> Option<Vec<ir::Stmt>> {
        if !matches!(lhs.kind, TExprKind::Variable(_)) || lhs.ty != rhs.ty || self.is_volatile(lhs)
        {
            return None;
        }
        let whole = self.array_place(lhs, &[]);
        let ir::Type::Fixed { dims, .. } = whole.expr.ty.plain().clone() else {
            return None;
        };
        let v = self.vector_load(rhs)?;
        match &v.ty {
            ir::Type::Fixed { dims: d, .. } if same_dims(&dims, d) => {
                Some(vec![ir::Stmt::assign(whole.expr, v)])
            }
            _ => None,
        }
    }

    /// The array that a function gives, to a whole array of the same static type.
    fn assign_result(&mut self, lhs: &TExpr, rhs: &TExpr) -> Option<Vec<ir::Stmt>> {
        let held = match &rhs.kind {
            TExprKind::Intrinsic { .. } => crate::lower::intrinsic::is_hoisted(rhs),
            TExprKind::Call { procedure, .. } => !self
                .model()
                .procedure(*procedure)
                .is_some_and(|p| p.elemental),
            _ => matches!(rhs.value, Some(crate::sema::model::Constant::Array(..))),
        };
        if !held
            || lhs.ty != rhs.ty
            || !matches!(lhs.kind, TExprKind::Variable(_))
            || self.is_volatile(lhs)
        {
            return None;
        }
        let whole = self.array_place(lhs, &[]);
        let ir::Type::Fixed { elem, .. } = whole.expr.ty.plain().clone() else {
            return None;
        };
        let t = self.materialise(rhs);
        if t.expr.ty.initialises(&whole.expr.ty) {
            return Some(vec![ir::Stmt::assign(whole.expr, t.expr)]);
        }
        let ranges = self.ranges(lhs);
        Some(self.nest(&ranges, |cx, ix| {
            let v = cx.element_of(&t, ix);
            let l = cx.val(lhs, ix);
            vec![ir::Stmt::assign(l, convert(v, &elem))]
        }))
    }

    /// A constructor of a few scalars: one assignment each.
    fn assign_items(&mut self, lhs: &TExpr, rhs: &TExpr, items: &[TExpr]) -> Option<Vec<ir::Stmt>> {
        let scalar = |i: &TExpr| i.rank <= 0 && !matches!(i.kind, TExprKind::ImpliedDo { .. });
        if items.len() > 8 || !items.iter().all(scalar) || self.conflicts(lhs, rhs) {
            return None;
        }
        let elem = self.storage_type(&lhs.ty)?;
        let ranges = self.ranges(lhs);
        let [(lo, _)] = &ranges[..] else { return None };
        lo.as_int()?;
        let mut out = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let at = LoopIndex {
                var: lo.clone().plus(Expr::int(i as i64)),
                base: lo.clone(),
            };
            let l = self.val(lhs, std::slice::from_ref(&at));
            let r = self.value_as(item, &elem);
            out.push(ir::Stmt::assign(l, r));
        }
        Some(out)
    }

    /// Storing elements of `lhs` one after the other could change elements of `rhs` that are still to be read, also where their
    /// subscripts change with the elements (FORALL).
    pub fn conflicts(&self, lhs: &TExpr, rhs: &TExpr) -> bool {
        self.disturbs(lhs, rhs, OverlapRule::Same)
    }

    fn disturbs(&self, lhs: &TExpr, rhs: &TExpr, meeting: OverlapRule) -> bool {
        let Some(root) = lhs.root() else { return true };
        self.reads_other_elements(root, lhs, rhs, meeting) || self.lhs_subscripts_conflict(lhs)
    }

    /// Takes the values of scalar subscripts in `part` of the designator `lhs` now, if storing to it could change them.
    pub fn freeze(&mut self, lhs: &TExpr) {
        self.frozen = SavedSubscripts::default();
        self.freeze_subscripts(lhs, lhs);
    }

    /// The same for the subscripts of several designators, of which the first ones are changed together.
    pub fn freeze_all(&mut self, changed: &[&TExpr], designators: &[&TExpr]) {
        self.frozen = SavedSubscripts::default();
        for c in changed {
            for d in designators {
                self.freeze_subscripts(c, d);
            }
        }
    }

    fn freeze_subscripts(&mut self, lhs: &TExpr, part: &TExpr) {
        let Some(root) = lhs.root() else { return };
        match &part.kind {
            TExprKind::Index { base, subs } => {
                self.freeze_subscripts(lhs, base);
                for s in subs {
                    if let Subscript::Vector(v) = s
                        && self.reads_other_elements(root, lhs, v, OverlapRule::Never)
                        && !self
                            .frozen
                            .vectors
                            .contains_key(&(v.span.start, v.span.end))
                    {
                        let values = self.materialise(v);
                        let place = (v.span.start, v.span.end);
                        self.frozen.vectors.insert(place, values);
                    }
                }
                let scalars: Vec<&TExpr> = subs
                    .iter()
                    .flat_map(|s| match s {
                        Subscript::Element(e) => vec![e],
                        Subscript::Range { lo, hi, step } => {
                            [lo, hi, step].into_iter().flatten().collect()
                        }
                        Subscript::Vector(_) => Vec::new(),
                    })
                    .collect();
                for e in scalars {
                    if self.reads_other_elements(root, lhs, e, OverlapRule::Never)
                        && !self
                            .frozen
                            .scalars
                            .contains_key(&(e.span.start, e.span.end))
                    {
                        let v = self.index_value(e);
                        let v = self.temporary(v);
                        self.frozen.scalars.insert((e.span.start, e.span.end), v);
                    }
                }
            }
            TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => {
                self.freeze_subscripts(lhs, base);
            }
            _ => {}
        }
    }

    /// Subscripts of the designator, or of what it is a part of, read what it denotes.
    pub fn lhs_subscripts_conflict(&self, lhs: &TExpr) -> bool {
        let mut at = Some(lhs);
        while let Some(part) = at {
            let reads = |e: &TExpr| e.any(&mut |x| self.may_share(x, lhs));
            if let TExprKind::Index { subs, .. } = &part.kind
                && subs.iter().any(|s| match s {
                    Subscript::Element(e) | Subscript::Vector(e) => reads(e),
                    Subscript::Range { lo, hi, step } => {
                        [lo, hi, step].into_iter().flatten().any(reads)
                    }
                })
            {
                return true;
            }
            at = part.base();
        }
        false
    }

    /// `e` reads elements of the array at `root` other than the one at the same position as `lhs`.
    pub fn reads_other_elements(
        &self,
        root: SymbolId,
        lhs: &TExpr,
        e: &TExpr,
        meeting: OverlapRule,
    ) -> bool {
        if let Some(r) = e.root() {
            let mut found = false;
            if self.may_share(e, lhs) {
                let meets = match meeting {
                    OverlapRule::Never => false,
                    OverlapRule::Same => same(lhs, e),
                    OverlapRule::Aligned => same(lhs, e) || aligned(lhs, e),
                };
                let fine = r == root && (meets || self.are_apart(lhs, e));
                found = !fine;
            }
            return found || self.subscripts_read(root, lhs, e);
        }
        match &e.kind {
            TExprKind::Paren(x)
            | TExprKind::Unary { operand: x, .. }
            | TExprKind::ComplexPart { base: x, .. } => {
                self.reads_other_elements(root, lhs, x, meeting)
            }
            TExprKind::Binary { lhs: a, rhs: b, .. } => {
                self.reads_other_elements(root, lhs, a, meeting)
                    || self.reads_other_elements(root, lhs, b, meeting)
            }
            TExprKind::Intrinsic { intrinsic, args } => {
                // Reductions are computed before the loop starts.
                if crate::lower::intrinsic::is_hoisted(e) {
                    return false;
                }
                let meeting = match intrinsic {
                    Intrinsic::Shape(Shape::Transpose | Shape::Spread) => OverlapRule::Never,
                    _ => meeting,
                };
                args.iter()
                    .flatten()
                    .any(|a| self.reads_other_elements(root, lhs, a, meeting))
            }
            TExprKind::Call {
                args, procedure, ..
            }
            | TExprKind::BoundCall {
                args, procedure, ..
            } => {
                let elemental = self
                    .model()
                    .procedure(*procedure)
                    .is_some_and(|p| p.elemental);
                if e.rank > 0 && !elemental {
                    return false;
                }
                if self.procedure_reads(*procedure, root) {
                    return true;
                }
                args.iter().flatten().any(|a| {
                    self.leads_to(a, lhs) || self.reads_other_elements(root, lhs, a, meeting)
                })
            }
            // Its definition may read the array, too.
            TExprKind::StatementFunctionCall { .. } => true,
            TExprKind::Runtime { args, .. } => args
                .iter()
                .any(|(_, a)| self.reads_other_elements(root, lhs, a, meeting)),
            TExprKind::ArrayConstructor { .. } if e.rank > 0 => {
                e.any(&mut |x| self.may_share(x, lhs))
            }
            TExprKind::Structure { args, .. } => args
                .iter()
                .flatten()
                .any(|a| self.reads_other_elements(root, lhs, a, meeting)),
            _ => false,
        }
    }

    fn subscripts_read(&self, root: SymbolId, lhs: &TExpr, e: &TExpr) -> bool {
        match &e.kind {
            TExprKind::Index { base, subs } => {
                self.subscripts_read(root, lhs, base)
                    || subs.iter().any(|s| match s {
                        Subscript::Element(x) | Subscript::Vector(x) => {
                            self.reads_other_elements(root, lhs, x, OverlapRule::Never)
                        }
                        Subscript::Range { lo, hi, step } => [lo, hi, step]
                            .into_iter()
                            .flatten()
                            .any(|x| self.reads_other_elements(root, lhs, x, OverlapRule::Never)),
                    })
            }
            TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => {
                self.subscripts_read(root, lhs, base)
            }
            TExprKind::Substring { base, lo, hi } => {
                self.subscripts_read(root, lhs, base)
                    || [lo, hi]
                        .into_iter()
                        .flatten()
                        .any(|x| self.reads_other_elements(root, lhs, x, OverlapRule::Never))
            }
            _ => false,
        }
    }

    /// Some part of `e` takes values from many elements of what `lhs` denotes at once: a reduction, say.
    pub fn transforms(&self, e: &TExpr, lhs: &TExpr) -> bool {
        e.any(&mut |x| {
            let transform = match &x.kind {
                TExprKind::Intrinsic { .. } => crate::lower::intrinsic::is_hoisted(x),
                TExprKind::Call { .. } | TExprKind::BoundCall { .. } => x.rank > 0,
                _ => false,
            };
            transform && x.any(&mut |y| self.may_share(y, lhs))
        })
    }
}

/// Same constant bounds, so the C++ types are one.
fn same_dims(a: &[FixedDim], b: &[FixedDim]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a.lo == b.lo && a.hi == b.hi && a.lower.is_some() == b.lower.is_some())
}

fn reads(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| found |= matches!(x.kind, ExprKind::Element { .. } | ExprKind::Call { .. }));
    found
}

impl Assignments for LoweringContext<'_, '_> {
    fn assign_defined(&mut self, lhs: &TExpr, rhs: &TExpr) -> Vec<ir::Stmt> {
        if lhs.rank <= 0 {
            return self.assign_scalar(lhs, rhs);
        }
        self.freeze(lhs);
        if rhs.rank <= 0 {
            return self.assign_fill(lhs, rhs);
        }
        if let Some(s) = self.assign_whole(lhs, rhs) {
            return s;
        }
        if let Some(s) = self.assign_small(lhs, rhs) {
            return s;
        }
        if let Some(s) = self.assign_vector(lhs, rhs) {
            return s;
        }
        if let Some(s) = self.assign_result(lhs, rhs) {
            return s;
        }
        if let TExprKind::ArrayConstructor { items } = &rhs.kind
            && let Some(s) = self.assign_items(lhs, rhs, items)
        {
            return s;
        }
        let Some(elem) = self.storage_type(&lhs.ty) else {
            self.refuse(
                lhs.span,
                "CUF0403",
                "arrays of this type are not supported in device code (guide 3.6.1)",
            );
            return Vec::new();
        };
        if self.disturbs(lhs, rhs, OverlapRule::Aligned) {
            let t = self.materialise(rhs);
            let ranges = self.ranges(lhs);
            return self.nest(&ranges, |cx, ix| {
                let v = cx.element_of(&t, ix);
                let l = cx.val(lhs, ix);
                vec![ir::Stmt::assign(l, convert(v, &elem))]
            });
        }
        let ranges = self.ranges(lhs);
        self.nest(&ranges, |cx, ix| {
            let v = cx.val(rhs, ix);
            let l = cx.val(lhs, ix);
            vec![ir::Stmt::assign(l, convert(v, &elem))]
        })
    }
}
