//! Shapes of array expressions, loop nests over them, and temporaries that hold their values.

use super::convert::{convert, subscript};
use super::place::inquiry;
use crate::ir::{self, *};
use crate::lower::context::rules::{
    Arrays, Constructors, Designators, Expressions, Intrinsics, Loads, Pointers, References,
};
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl LoweringContext<'_, '_> {
    /// Extents of an array expression, as default integers.
    pub fn extents(&mut self, e: &TExpr) -> Vec<Expr> {
        if e.rank == 0 {
            return Vec::new();
        }
        self.settle(e);
        match &e.kind {
            TExprKind::Variable(_) => {
                let ent = self.array_place(e, &[]);
                self.entity_extents(&ent)
            }
            TExprKind::Constant { symbol: Some(_) } => {
                let ent = self.array_place(e, &[]);
                self.entity_extents(&ent)
            }
            TExprKind::Component { base, .. } => {
                if base.rank > 0 {
                    return self.extents(base);
                }
                let ent = self.array_place(e, &[]);
                self.entity_extents(&ent)
            }
            TExprKind::Index { base, subs } => {
                if super::place::base_is_ranged(base) {
                    return self.extents(base);
                }
                let whole = self.array_place(base, &[]);
                let mut out = Vec::new();
                for (d, s) in subs.iter().enumerate() {
                    match s {
                        Subscript::Element(_) => {}
                        Subscript::Vector(v) => out.extend(self.extents(v)),
                        Subscript::Range { .. } => {
                            let (lo, hi, step) = self.triplet(&whole, d, s);
                            out.push(trips(lo, hi, step));
                        }
                    }
                }
                out
            }
            TExprKind::Paren(x)
            | TExprKind::ComplexPart { base: x, .. }
            | TExprKind::Unary { operand: x, .. } => self.extents(x),
            TExprKind::Substring { base, .. } => self.extents(base),
            TExprKind::Binary { lhs, rhs, .. } => {
                let l = if lhs.rank > 0 { lhs } else { rhs };
                self.extents(l)
            }
            TExprKind::ArrayConstructor { items } => vec![self.item_count(items)],
            TExprKind::Call {
                procedure, args, ..
            }
            | TExprKind::BoundCall {
                procedure, args, ..
            } => {
                let p = self.model().procedure(*procedure);
                if p.is_some_and(|p| p.elemental) {
                    return self.first_extents(args);
                }
                let Some(r) = p.and_then(|p| p.result) else {
                    return vec![Expr::int(1)];
                };
                let folded = self.model().dims_of(r);
                let mut out = Vec::new();
                for b in folded {
                    match (b.lower, b.upper) {
                        (Some(lo), Some(hi)) => {
                            out.push(Expr::int(hi.saturating_sub(lo).saturating_add(1).max(0)))
                        }
                        _ => {
                            let t = self.materialise(e);
                            return self.entity_extents(&t);
                        }
                    }
                }
                out
            }
            TExprKind::StatementFunctionCall { args, .. } => match args.iter().find(|a| a.rank > 0)
            {
                Some(a) => self.extents(a),
                None => Vec::new(),
            },
            TExprKind::Intrinsic { intrinsic, args } => self.intrinsic_extents(e, *intrinsic, args),
            TExprKind::Runtime { args, .. } => match args.iter().find(|(_, a)| a.rank > 0) {
                Some((_, a)) => self.extents(a),
                None => Vec::new(),
            },
            _ => match &e.value {
                Some(Constant::Array(_, extents)) => {
                    extents.iter().map(|n| Expr::int(*n)).collect()
                }
                _ => {
                    self.refuse(
                        e.span,
                        "CUF0415",
                        "shape of this expression cannot be determined",
                    );
                    vec![Expr::int(1); e.rank.max(0) as usize]
                }
            },
        }
    }

    /// Extents of the first array among the arguments.
    pub fn first_extents(&mut self, args: &[Option<TExpr>]) -> Vec<Expr> {
        match args.iter().flatten().find(|a| a.rank > 0) {
            Some(a) => self.extents(a),
            None => Vec::new(),
        }
    }

    /// Extents of a whole array.
    pub fn entity_extents(&self, ent: &Entity) -> Vec<Expr> {
        if let ir::Type::Fixed { dims, .. } = ent.expr.ty.plain() {
            return dims
                .iter()
                .map(|d| match (&d.lower, &d.upper.kind) {
                    (None, ExprKind::Name(_)) => d.upper.clone(),
                    _ => Expr::int(d.extent()),
                })
                .collect();
        }
        (0..ent.expr.ty.rank())
            .map(|d| match ent.bounds.get(d) {
                Some((Some(lo), Some(hi))) => hi.clone().minus(lo.clone()).plus(Expr::int(1)),
                _ => inquiry(&ent.expr, Method::Size, d),
            })
            .collect()
    }

    /// Lower bound, upper bound and stride of a subscript triplet.
    pub fn triplet(&mut self, whole: &Entity, d: usize, s: &Subscript) -> (Expr, Expr, Expr) {
        let Subscript::Range { lo, hi, step } = s else {
            return (Expr::int(1), Expr::int(1), Expr::int(1));
        };
        let step = match step {
            Some(s) => self.section_index(s),
            None => Expr::int(1),
        };
        let down = step.as_int().is_some_and(|v| v < 0);
        let bound = |cx: &Self, upper: bool| {
            let all = if upper {
                cx.upper_bounds(whole)
            } else {
                cx.lower_bounds(whole)
            };
            all.get(d).cloned().unwrap_or(Expr::int(1))
        };
        let lo = match lo {
            Some(e) => self.section_index(e),
            None => bound(self, down),
        };
        let hi = match hi {
            Some(e) => self.section_index(e),
            None => bound(self, !down),
        };
        (lo, hi, step)
    }

    /// The range each loop runs over: subscripts of the array itself where its triplets have stride 1, else 1 to the extent.
    pub fn ranges(&mut self, e: &TExpr) -> Vec<(Expr, Expr)> {
        self.settle(e);
        match &e.kind {
            TExprKind::Variable(_) => {
                let ent = self.array_place(e, &[]);
                return self
                    .lower_bounds(&ent)
                    .into_iter()
                    .zip(self.upper_bounds(&ent))
                    .collect();
            }
            TExprKind::Component { base, .. } if base.rank <= 0 => {
                let ent = self.array_place(e, &[]);
                return self
                    .lower_bounds(&ent)
                    .into_iter()
                    .zip(self.upper_bounds(&ent))
                    .collect();
            }
            TExprKind::Index { base, subs } if !super::place::base_is_ranged(base) => {
                let whole = self.array_place(base, &[]);
                let mut out = Vec::new();
                for (d, s) in subs.iter().enumerate() {
                    match s {
                        Subscript::Element(_) => {}
                        Subscript::Vector(v) => {
                            let n = self.extents(v);
                            out.extend(n.into_iter().map(|n| (Expr::int(1), n)));
                        }
                        Subscript::Range { .. } => {
                            let (lo, hi, step) = self.triplet(&whole, d, s);
                            out.push(if step.as_int() == Some(1) {
                                (lo, hi)
                            } else {
                                (Expr::int(1), trips(lo, hi, step))
                            });
                        }
                    }
                }
                return out;
            }
            _ => {}
        }
        self.extents(e)
            .into_iter()
            .map(|n| (Expr::int(1), n))
            .collect()
    }

    /// A temporary array, declared before the statement being lowered; bounds start at 1.
    pub fn declare_array(&mut self, elem: ir::Type, extents: &[Expr], init: Init) -> Entity {
        let name = self.numbered("t");
        let elem = elem.plain().clone();
        let elem = if elem == ir::Type::Bool {
            ir::Type::Logical(1)
        } else {
            elem
        };
        let constant: Option<Vec<i64>> = extents
            .iter()
            .map(|e| self.evaluate(e).and_then(|v| i64::try_from(v).ok()))
            .collect();
        let bounds = extents
            .iter()
            .map(|n| (Some(Expr::int(1)), Some(n.clone())))
            .collect();
        let (ty, init) = match constant {
            Some(ns) => {
                let dims = ns
                    .iter()
                    .map(|n| FixedDim {
                        lower: None,
                        upper: Expr::int(*n),
                        lo: 1,
                        hi: *n,
                    })
                    .collect();
                (
                    ir::Type::Fixed {
                        elem: Box::new(elem),
                        dims,
                    },
                    init,
                )
            }
            None => (
                ir::Type::LocalArray {
                    elem: Box::new(elem),
                    rank: extents.len(),
                },
                Init::Args(
                    std::iter::once(self.place_text())
                        .chain(extents.iter().cloned())
                        .collect(),
                ),
            ),
        };
        self.before(ir::Stmt::declare(ty.clone(), &name, init));
        Entity {
            expr: Expr::name(&name, ty),
            bounds,
            optional: None,
        }
    }

    /// Value of an integer expression of literals and named constants.
    pub fn evaluate(&self, e: &Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Int(v) => Some(*v),
            ExprKind::Name(i) => self
                .sh
                .constants
                .borrow()
                .get(&self.constant_key(i))
                .copied(),
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.evaluate(lhs)?, self.evaluate(rhs)?);
                match op {
                    ir::BinaryOp::Add => a.checked_add(b),
                    ir::BinaryOp::Sub => a.checked_sub(b),
                    ir::BinaryOp::Mul => a.checked_mul(b),
                    ir::BinaryOp::Div => a.checked_div(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn new_temporary(&mut self, e: &TExpr) -> Entity {
        if matches!(
            e.kind,
            TExprKind::Binary { .. } | TExprKind::Unary { .. } | TExprKind::Intrinsic { .. }
        ) && let Some(small) = self.small(e)
        {
            let v = self.small_value(e, &small);
            let bounds = small.bounds();
            return Entity {
                expr: self.temporary(v),
                bounds,
                optional: None,
            };
        }
        match &e.kind {
            TExprKind::Paren(inner) => return self.materialise(inner),
            TExprKind::ArrayConstructor { items } => {
                if let Some(Constant::Array(..)) = &e.value {
                    return self.constant_array(e);
                }
                return self.constructor(e, items);
            }
            TExprKind::Call {
                procedure, args, ..
            }
            | TExprKind::BoundCall {
                procedure, args, ..
            } if !self
                .model()
                .procedure(*procedure)
                .is_some_and(|p| p.elemental) =>
            {
                return self.array_function(e, *procedure, args);
            }
            TExprKind::Intrinsic { intrinsic, args } => {
                if let Some(Constant::Array(..)) = &e.value {
                    return self.constant_array(e);
                }
                if let Some(ent) = self.transformational(e, *intrinsic, args) {
                    return ent;
                }
            }
            _ => {
                if matches!(e.value, Some(Constant::Array(..))) {
                    return self.constant_array(e);
                }
                if let Some(v) = self.vector_load(e) {
                    let upper = v.ty.rank();
                    return Entity {
                        expr: self.temporary(v),
                        bounds: vec![(Some(Expr::int(1)), None); upper],
                        optional: None,
                    };
                }
            }
        }
        if crate::lower::context::query::has_varying_length(&e.ty) {
            self.refuse(
                e.span,
                "CUF0421",
                "character array of non-constant length is not supported in device code",
            );
        }
        let elem = self.storage_type(&e.ty).unwrap_or(ir::Type::Unknown);
        let extents = self.extents(e);
        let t = self.declare_array(elem.clone(), &extents, Init::None);
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let place = t.clone();
        let loops = self.nest(&ranges, |cx, ix| {
            let v = cx.val(e, ix);
            let lhs = cx.element_of(&place, ix);
            vec![ir::Stmt::assign(lhs, convert(v, &elem))]
        });
        loops.into_iter().for_each(|s| self.before(s));
        t
    }

    /// The C++ variable of an index of FORALL, DO CONCURRENT or an implied DO, and the index as its kind has it.
    pub fn index_variable(&self, s: SymbolId, name: &str) -> (Expr, Entity) {
        let kind = match self.model().variable(s).map(|v| &v.ty) {
            Some(model::Type::Integer(k)) => *k,
            _ => 4,
        };
        let var = Expr::name(name, ir::Type::Int(kind.max(4)));
        let expr = convert(var.clone(), &ir::Type::Int(kind));
        let entity = Entity {
            expr,
            bounds: Vec::new(),
            optional: None,
        };
        (var, entity)
    }

    /// A loop with a variable of its own from `lo` to `hi` by `step`, none of which the body changes ([`LoweringContext::limit`]).
    pub fn counted(
        &mut self,
        var: &Expr,
        lo: Expr,
        hi: Expr,
        step: Expr,
        body: Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let name = var.local().unwrap_or_default().to_owned();
        let ty = var.ty.clone();
        let var = var.clone();
        let (cond, step) = match step.as_int() {
            Some(s) => {
                let op = if s < 0 {
                    ir::BinaryOp::Ge
                } else {
                    ir::BinaryOp::Le
                };
                (
                    Expr::binary(op, var, hi, ir::Type::Bool),
                    Step::By(i64::try_from(s).unwrap_or(1)),
                )
            }
            None => {
                let s = step;
                let up = Expr::binary(ir::BinaryOp::Le, var.clone(), hi.clone(), ir::Type::Bool);
                let down = Expr::binary(ir::BinaryOp::Ge, var, hi, ir::Type::Bool);
                let positive =
                    Expr::binary(ir::BinaryOp::Gt, s.clone(), Expr::int(0), ir::Type::Bool);
                let cond = Expr::new(
                    ExprKind::Conditional {
                        cond: Box::new(positive),
                        then: Box::new(up),
                        otherwise: Box::new(down),
                    },
                    ir::Type::Bool,
                );
                (cond, Step::Expr(s))
            }
        };
        vec![
            StmtKind::For(Box::new(For {
                var: name,
                declare: Some(ty),
                from: Some(lo),
                cond,
                step,
                body,
            }))
            .into(),
        ]
    }

    /// An array designator as a view with bounds from 1, for assumed-shape dummies, pointers and associate names.
    pub fn section(&mut self, e: &TExpr) -> Expr {
        self.settle(e);
        let elem = self.storage_type(&e.ty).unwrap_or(ir::Type::Unknown);
        let ty = ir::Type::View {
            elem: Box::new(elem),
            rank: e.rank.max(0) as usize,
        };
        match &e.kind {
            TExprKind::Paren(_) => {
                let whole = self.materialise(e);
                self.with_lower_one(whole)
            }
            TExprKind::Index { base, subs } if !super::place::base_is_ranged(base) => {
                if subs.iter().any(|s| matches!(s, Subscript::Vector(_))) {
                    return self.materialise(e).expr;
                }
                let whole = self.array_place(base, &[]);
                if self.spans_all(&whole, subs) {
                    return self.with_lower_one(whole);
                }
                let subs = subs
                    .iter()
                    .enumerate()
                    .map(|(d, s)| match s {
                        Subscript::Element(x) => SectionSub::Index(self.section_index(x)),
                        _ if self.spans(&whole, d, s) => SectionSub::All,
                        _ => {
                            let (lo, hi, step) = self.triplet(&whole, d, s);
                            let step = (step.as_int() != Some(1)).then_some(step);
                            SectionSub::Slice {
                                lo: Box::new(subscript(lo)),
                                hi: Box::new(subscript(hi)),
                                step: step.map(|s| Box::new(subscript(s))),
                            }
                        }
                    })
                    .collect();
                Expr::new(
                    ExprKind::Section {
                        base: Box::new(whole.expr),
                        subs,
                    },
                    ty,
                )
            }
            TExprKind::Variable(_)
            | TExprKind::Component { .. }
            | TExprKind::Constant { symbol: Some(_) } => {
                if let TExprKind::Component { base, .. } = &e.kind
                    && base.rank > 0
                {
                    return self.component_section(e);
                }
                let whole = self.array_place(e, &[]);
                self.with_lower_one(whole)
            }
            TExprKind::Substring { .. } => self.refuse_expr(
                e.span,
                "CUF0416",
                "substrings of array elements cannot be passed as an array\nhelp: assign them to an array first",
            ),
            _ if e.is_designator() => self.component_section(e),
            _ => {
                let whole = self.materialise(e);
                self.with_lower_one(whole)
            }
        }
    }

    /// The subscript takes in a whole dimension: `:`, or the bounds that the declaration has.
    fn spans(&mut self, whole: &Entity, d: usize, s: &Subscript) -> bool {
        let Subscript::Range { lo, hi, step: None } = s else {
            return false;
        };
        let (first, last) = whole.bounds.get(d).cloned().unwrap_or_default();
        let mut same = |given: &Option<TExpr>, declared: Option<Expr>| match given {
            None => true,
            Some(e)
                if e.as_integer().is_some()
                    || matches!(e.kind, TExprKind::Variable(_) | TExprKind::Constant { .. }) =>
            {
                declared.is_some_and(|b| b == self.section_index(e))
            }
            Some(_) => false,
        };
        same(lo, first) && same(hi, last)
    }

    /// A whole array with the lower bounds of a section, 1.
    fn with_lower_one(&self, whole: Entity) -> Expr {
        let lowers = self.lower_bounds(&whole);
        if lowers.iter().all(|l| l.as_int() == Some(1)) {
            return whole.expr;
        }
        let elem = whole.expr.ty.element().clone();
        let (elem, rank) = (Box::new(elem), lowers.len());
        let section = ExprKind::Section {
            base: Box::new(whole.expr),
            subs: vec![SectionSub::All; rank],
        };
        Expr::new(section, ir::Type::View { elem, rank })
    }

    fn component_section(&mut self, e: &TExpr) -> Expr {
        match self.component_view(e) {
            Some(v) => v,
            None => self.refuse_expr(
                e.span,
                "CUF0416",
                "components of this array section are not a whole number of elements apart\nhelp: assign them to an array first",
            ),
        }
    }

    /// The designator surely denotes contiguous memory: a whole array, or leading whole dimensions and one range.
    pub fn is_contiguous(&mut self, e: &TExpr) -> bool {
        if e.rank > 0 {
            self.settle(e);
        }
        match &e.kind {
            TExprKind::Variable(_) | TExprKind::Component { .. } => {
                if e.rank <= 0 {
                    return true;
                }
                if let TExprKind::Component { base, .. } = &e.kind
                    && base.rank > 0
                {
                    return false;
                }
                let whole = self.array_place(e, &[]);
                !matches!(
                    whole.expr.ty.plain(),
                    ir::Type::View { .. } | ir::Type::Descriptor { .. }
                )
            }
            TExprKind::Index { base, subs } => {
                if super::place::base_is_ranged(base) || !self.is_contiguous(base) {
                    return false;
                }
                let whole = self.array_place(base, &[]);
                let mut open = true;
                for (d, s) in subs.iter().enumerate() {
                    match s {
                        _ if open && self.spans(&whole, d, s) => {}
                        Subscript::Range { step: None, .. } if open => open = false,
                        Subscript::Element(_) => open = false,
                        _ => return false,
                    }
                }
                true
            }
            _ => false,
        }
    }
}

/// Number of elements of `lo:hi:step`; may be negative for an empty triplet.
pub fn trips(lo: Expr, hi: Expr, step: Expr) -> Expr {
    match step.as_int() {
        Some(1) => hi.minus(lo).plus(Expr::int(1)),
        Some(s) => {
            let span = hi.minus(lo).plus(step.clone());
            match span.as_int() {
                Some(v) if s != 0 => Expr::int(i64::try_from(v / s).unwrap_or(0)),
                _ => {
                    let ty = span.ty.clone();
                    Expr::binary(ir::BinaryOp::Div, span, step, ty)
                }
            }
        }
        None => {
            let span = hi.minus(lo).plus(step.clone());
            let ty = span.ty.clone();
            Expr::binary(ir::BinaryOp::Div, span, step, ty)
        }
    }
}

/// Element type of a model type in memory, for messages and temporaries.
pub fn is_character(t: &model::Type) -> bool {
    matches!(t, model::Type::Character(_))
}

impl Arrays for LoweringContext<'_, '_> {
    fn spans_all(&mut self, whole: &Entity, subs: &[Subscript]) -> bool {
        let mut dimensions = subs.iter().enumerate();
        dimensions.all(|(d, s)| self.spans(whole, d, s))
    }

    fn materialise(&mut self, e: &TExpr) -> Entity {
        let costs = matches!(
            e.kind,
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } | TExprKind::Intrinsic { .. }
        ) || self.iterates_with_effect(e);
        if !costs || !self.substitutions.is_empty() {
            return self.new_temporary(e);
        }
        if let Some(ent) = self.hoisted.holding(e.span) {
            return ent.clone();
        }
        let ent = self.new_temporary(e);
        self.hoisted.hold(e.span, ent.clone());
        ent
    }
}
