//! Expressions: scalars, and the elements of array expressions at a position of a loop nest.

use super::array::is_character;
use super::context::{Cx, Entity};
use super::convert::{conversion, convert, non_negative, real_literal, subscript, to_bool, wrap};
use super::dependence::calls;
use crate::ast::{self, Span};
use crate::ir::{self, *};
use crate::sema::boz_as;
use crate::sema::model::{self, *};
use crate::sema::typed::*;

/// Position in one dimension of an array expression: the zero-based offset is `var - base`.
#[derive(Clone, Debug)]
pub struct Ix {
    pub var: Expr,
    pub base: Expr,
}

impl Ix {
    /// The subscript for an array with this lower bound.
    pub fn subscript(&self, lower: Expr) -> Expr {
        self.var.clone().minus(self.base.clone()).plus(lower)
    }

    /// `lower + offset*step`
    pub fn strided(&self, lower: Expr, step: Expr) -> Expr {
        match step.as_int() {
            Some(1) => self.subscript(lower),
            Some(-1) => lower.plus(self.base.clone()).minus(self.var.clone()),
            _ => lower.plus(self.var.clone().minus(self.base.clone()).times(step)),
        }
    }
}

/// Why a call through CLASS cannot be resolved.
pub const DISPATCHES: &str = "which procedure is called depends on the dynamic type, which data of device code does not carry: call the procedure of the type by its name";

impl Cx<'_, '_> {
    /// Value of a scalar expression.
    pub fn value(&mut self, e: &TExpr) -> Expr {
        self.val(e, &[])
    }

    /// Value converted to a type.
    pub fn value_as(&mut self, e: &TExpr, ty: &ir::Type) -> Expr {
        let v = if e.ty == model::Type::Boz {
            self.boz(e, ty)
        } else {
            self.value(e)
        };
        convert(v, ty)
    }

    /// A BOZ constant takes the kind of its context: a bit pattern for a real.
    pub fn boz(&mut self, e: &TExpr, ty: &ir::Type) -> Expr {
        let Some(bits) = e.as_integer() else {
            return self.value(e);
        };
        match ty.plain() {
            ir::Type::Int(k) => Expr::int_of(wrap(bits, *k), *k),
            ir::Type::Real(k @ (4 | 8)) => match boz_as(bits, &model::Type::Real(*k)) {
                Some(Constant::Real(v, k)) => real_literal(v, k),
                _ => self.value(e),
            },
            _ => Expr::int_of(wrap(bits, 4), 4),
        }
    }

    /// A plain int value: a subscript, a bound, a count.
    pub fn index_value(&mut self, e: &TExpr) -> Expr {
        if let Some(v) = self.frozen.get(&(e.span.start, e.span.end)) {
            return v.clone();
        }
        let v = self.value(e);
        subscript(v)
    }

    /// A subscript of a section or of what a section is part of, which loops over its elements need several times.
    pub fn section_index(&mut self, e: &TExpr) -> Expr {
        let volatile = |x: &TExpr| x.is_designator() && self.is_volatile(x);
        if !(calls(e) || e.any(&mut |x| volatile(x)))
            || self.frozen.contains_key(&(e.span.start, e.span.end))
        {
            return self.index_value(e);
        }
        if let Some(v) = self.held_scalar(e) {
            return v;
        }
        let v = self.index_value(e);
        self.hold(e, v)
    }

    /// Chooses the object of which an array designator is elements or a part: it is the same for all positions, whatever its
    /// subscripts call or the statement changes (F2018 9.5.3.3.1, 10.2.1.3).
    pub fn settle(&mut self, e: &TExpr) {
        match &e.kind {
            TExprKind::Index { base, subs } => {
                self.settle(base);
                for s in subs {
                    if let Subscript::Element(x) = s {
                        self.section_index(x);
                    }
                }
            }
            TExprKind::Component { base, .. } => {
                if self.captured_component(e).is_none() {
                    self.settle(base);
                }
            }
            TExprKind::ComplexPart { base, .. } => self.settle(base),
            TExprKind::Substring { base, lo, hi } => {
                self.settle(base);
                for x in [lo, hi].into_iter().flatten() {
                    self.section_index(x);
                }
            }
            _ => {}
        }
    }

    /// The value of a scalar that was evaluated earlier in the statement.
    pub fn held_scalar(&self, e: &TExpr) -> Option<Expr> {
        let (_, _, held) = self.held.iter().find(|(_, at, _)| *at == e.span)?;
        (held.expr.ty.rank() == 0).then(|| held.expr.clone())
    }

    /// Evaluates a scalar now, for all its uses in the statement.
    pub fn hold(&mut self, e: &TExpr, value: Expr) -> Expr {
        let expr = self.temporary(value);
        let held = Entity {
            expr: expr.clone(),
            bounds: Vec::new(),
            optional: None,
        };
        self.held.push((self.pre.len(), e.span, held));
        expr
    }

    /// A condition.
    pub fn condition(&mut self, e: &TExpr) -> Expr {
        self.sequence([e]);
        let v = self.value(e);
        to_bool(v)
    }

    /// A scalar designator as something to assign to or take the address of.
    pub fn place(&mut self, e: &TExpr) -> Expr {
        self.place_at(e, &[])
    }

    /// The same of an element at a position, and of what a longer designator goes on from.
    pub fn place_at(&mut self, e: &TExpr, ix: &[Ix]) -> Expr {
        self.val(e, ix).into_place()
    }

    /// Element of `e` at a position; `e` may be scalar, which every position sees alike.
    pub fn val(&mut self, e: &TExpr, ix: &[Ix]) -> Expr {
        if let Some(v) = self.operand_of_operation(e, ix) {
            return v;
        }
        if e.rank <= 0
            && let Some(v) = self.held_scalar(e)
        {
            return v;
        }
        let v = self.unqualified(e, ix);
        let element = e.rank <= 0 || !ix.is_empty();
        let text = matches!(v.ty.plain(), ir::Type::Character(_) | ir::Type::Text);
        if element && !text && !v.is_volatile() && self.is_volatile(e) {
            return v.volatile();
        }
        v
    }

    /// The same, as if nothing were VOLATILE.
    fn unqualified(&mut self, e: &TExpr, ix: &[Ix]) -> Expr {
        if e.rank <= 0 && !ix.is_empty() && calls(e) && !is_character(&e.ty) {
            // What all positions share is computed once: the function may have side effects.
            let v = self.val(e, &[]);
            return self.temporary(v);
        }
        if e.rank > 0 {
            self.settle(e);
        }
        let ix = if e.rank <= 0 { &[][..] } else { ix };
        match &e.kind {
            TExprKind::Constant { symbol } => self.constant_at(e, *symbol, ix),
            TExprKind::Variable(s) => {
                let ent = self.entity(*s, e.span);
                if ix.is_empty() {
                    return ent.expr;
                }
                let lowers = self.lower_bounds(&ent);
                let subs = ix.iter().zip(lowers).map(|(i, l)| i.subscript(l)).collect();
                ent.expr.at(subs)
            }
            TExprKind::Index { base, subs } => self.index_at(base, subs, ix),
            TExprKind::Component {
                base,
                of,
                index,
                name,
            } => self.component_at(e, base, *of, *index, name, ix),
            TExprKind::ComplexPart { base, imaginary } => {
                let k = match e.ty {
                    model::Type::Real(k) => k,
                    _ => 4,
                };
                self.place_at(base, ix)
                    .field(if *imaginary { "im" } else { "re" }, ir::Type::Real(k))
            }
            TExprKind::Paren(inner) => self.val(inner, ix),
            _ if e.value.is_some() && folded_is_literal(e) => self.constant_at(e, None, ix),
            TExprKind::Unary { op, operand } => self.unary(e, *op, operand, ix),
            TExprKind::Binary { op, lhs, rhs } => self.binary(e, *op, lhs, rhs, ix),
            TExprKind::Call {
                procedure, args, ..
            } => self.function(e, *procedure, args, ix),
            TExprKind::BoundCall {
                procedure,
                args,
                dynamic,
                ..
            } => {
                if *dynamic && self.overridden(*procedure, args) {
                    return self.refuse_expr(e.span, "CUF0408", DISPATCHES);
                }
                self.function(e, *procedure, args, ix)
            }
            TExprKind::StatementFunctionCall { function, args } => {
                self.statement_function(*function, args, ix)
            }
            TExprKind::Intrinsic { intrinsic, args } => self.intrinsic(e, *intrinsic, args, ix),
            TExprKind::Runtime { name, args, .. } => self.runtime_function(e, name, args, ix),
            TExprKind::Structure { of, args } => self.structure(*of, args, e.span),
            TExprKind::ArrayConstructor { .. } => {
                let t = self.materialise(e);
                self.element_of(&t, ix)
            }
            TExprKind::Builtin { var, component } => self.builtin(*var, *component),
            TExprKind::Substring { base, lo, hi } => {
                self.substring(base, lo.as_deref(), hi.as_deref(), ix)
            }
            TExprKind::Null => Expr::new(ExprKind::Null, ir::Type::Auto),
            TExprKind::ProcedureName(_) => self.refuse_expr(
                e.span,
                "CUF0384",
                "this procedure takes no procedure as an argument in device code",
            ),
            TExprKind::ImpliedDo { .. } | TExprKind::Star | TExprKind::Unknown => self.refuse_expr(
                e.span,
                "CUF0409",
                "this expression cannot be translated in device code",
            ),
        }
    }

    pub fn constant_at(&mut self, e: &TExpr, symbol: Option<SymbolId>, ix: &[Ix]) -> Expr {
        if let Some(s) = symbol
            && self.is_named_constant(s)
        {
            let ent = self.entity(s, e.span);
            return if ix.is_empty() {
                ent.expr
            } else {
                self.element_of(&ent, ix)
            };
        }
        match &e.value {
            Some(Constant::Array(..)) => {
                let t = self.materialise(e);
                self.element_of(&t, ix)
            }
            Some(c) => {
                let c = c.clone();
                self.literal(&c, &e.ty, e.span)
            }
            None => self.refuse_expr(e.span, "CUF0409", "this constant cannot be evaluated"),
        }
    }

    pub fn is_named_constant(&self, s: SymbolId) -> bool {
        matches!(self.model()[s].kind, SymbolKind::Parameter(_))
    }

    /// A folded scalar as a literal.
    pub fn literal(&mut self, c: &Constant, ty: &model::Type, span: Span) -> Expr {
        match c {
            Constant::Integer(v, k) => Expr::int_of(wrap(*v, (*k).clamp(1, 8)), (*k).clamp(1, 8)),
            Constant::Real(v, k) => real_literal(*v, *k),
            Constant::Complex(re, im, k) => {
                let part = |v: f64| match real_literal(v, *k).kind {
                    ExprKind::Real(v) => v,
                    _ => v,
                };
                Expr::new(
                    ExprKind::Complex(part(*re), part(*im)),
                    ir::Type::Complex(*k),
                )
            }
            Constant::Logical(b, _) => Expr::bool(*b),
            Constant::Character(s) => {
                let n = s.chars().count() as i64;
                Expr::new(ExprKind::Str(s.clone()), ir::Type::Character(n))
            }
            Constant::Structure(t, parts) => {
                let fields: Vec<_> = self
                    .model()
                    .components_of(*t)
                    .into_iter()
                    .cloned()
                    .collect();
                let mut values = Vec::new();
                for (p, f) in parts.iter().zip(&fields) {
                    let v = self.literal(p, &f.ty, span);
                    // A scalar is the value of all elements; braces would set the first alone.
                    let dims = match p {
                        Constant::Array(..) => None,
                        _ if f.dims.is_empty() => None,
                        _ => self.fixed_dims(self.field_scope(*t, f), &f.dims),
                    };
                    values.push(match (self.storage_type(&f.ty), dims) {
                        (Some(ty), Some(dims)) => {
                            filled(convert(v, &ty), dims.iter().map(FixedDim::extent).product())
                        }
                        (Some(ty), None) if f.dims.is_empty() => convert(v, &ty),
                        _ => v,
                    });
                }
                self.structure_of(*t, &mut values.into_iter())
            }
            Constant::Array(items, _) => {
                let Some(elem) = self.storage_type(ty) else {
                    return self.refuse_expr(
                        span,
                        "CUF0403",
                        "device code has no arrays of this type (guide 3.6.1)",
                    );
                };
                let items = items
                    .iter()
                    .map(|i| {
                        let v = self.literal(i, ty, span);
                        convert(v, &elem)
                    })
                    .collect();
                Expr::new(
                    ExprKind::List(vec![Expr::new(ExprKind::List(items), ir::Type::Auto)]),
                    ir::Type::Auto,
                )
            }
        }
    }

    pub fn builtin(&mut self, var: BuiltinVar, component: Option<u8>) -> Expr {
        let (b, one_based) = match var {
            BuiltinVar::ThreadIdx => (ir::Builtin::ThreadIdx, true),
            BuiltinVar::BlockIdx => (ir::Builtin::BlockIdx, true),
            BuiltinVar::BlockDim => (ir::Builtin::BlockDim, false),
            BuiltinVar::GridDim => (ir::Builtin::GridDim, false),
            BuiltinVar::WarpSize => return Expr::new(ExprKind::WarpSize, ir::Type::Int(4)),
        };
        let axis = match component {
            Some(0) => Axis::X,
            Some(1) => Axis::Y,
            Some(2) => Axis::Z,
            _ => {
                let ty = ir::Type::Class(Class::Dim3);
                let parts = (0..3).map(|c| self.builtin(var, Some(c))).collect();
                return Expr::new(ExprKind::Construct(parts), ty);
            }
        };
        let raw = Expr::new(ExprKind::Builtin(b, axis), ir::Type::Uint);
        if one_based {
            raw.plus(Expr::int(1))
        } else {
            raw
        }
    }

    pub fn unary(&mut self, e: &TExpr, op: ast::UnaryOp, operand: &TExpr, ix: &[Ix]) -> Expr {
        let v = self.val(operand, ix);
        match op {
            ast::UnaryOp::Plus => v,
            ast::UnaryOp::Not => to_bool(v).not(),
            ast::UnaryOp::Minus => {
                let v = if v.ty == ir::Type::Uint {
                    conversion(v, &ir::Type::Int(4))
                } else {
                    v
                };
                let out = Expr::unary(ir::UnaryOp::Neg, v);
                narrow(out, &e.ty)
            }
        }
    }

    pub fn binary(
        &mut self,
        e: &TExpr,
        op: ast::BinaryOp,
        lhs: &TExpr,
        rhs: &TExpr,
        ix: &[Ix],
    ) -> Expr {
        use ast::BinaryOp as B;
        match op {
            B::And | B::Or => {
                let op = if op == B::And {
                    ir::BinaryOp::And
                } else {
                    ir::BinaryOp::Or
                };
                let l = self.val(lhs, ix);
                let r = self.val(rhs, ix);
                Expr::binary(op, to_bool(l), to_bool(r), ir::Type::Bool)
            }
            B::Eqv | B::Neqv => {
                let op = if op == B::Eqv {
                    ir::BinaryOp::Eq
                } else {
                    ir::BinaryOp::Ne
                };
                let l = self.val(lhs, ix);
                let r = self.val(rhs, ix);
                Expr::binary(op, to_bool(l), to_bool(r), ir::Type::Bool)
            }
            B::Concat => self.concat(lhs, rhs, ix),
            B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge => self.relation(op, lhs, rhs, ix),
            B::Pow => self.power(e, lhs, rhs, ix),
            B::Add | B::Sub | B::Mul | B::Div => self.arithmetic(e, op, lhs, rhs, ix),
        }
    }

    /// Common type of two operands by the rules of Fortran.
    pub fn common(&mut self, a: &model::Type, b: &model::Type) -> Option<ir::Type> {
        use model::Type::*;
        Some(match (a, b) {
            (Boz, t) | (t, Boz) => return self.value_type(t),
            (Integer(x), Integer(y)) => ir::Type::Int(*x.max(y)),
            (Real(k), Integer(_)) | (Integer(_), Real(k)) => ir::Type::Real(*k),
            (Real(x), Real(y)) => ir::Type::Real(*x.max(y)),
            (Complex(k), Integer(_)) | (Integer(_), Complex(k)) => ir::Type::Complex(*k),
            (Complex(x), Complex(y) | Real(y)) | (Real(y), Complex(x)) => {
                ir::Type::Complex(*x.max(y))
            }
            _ => return None,
        })
    }

    pub fn operand(&mut self, e: &TExpr, ty: &ir::Type, ix: &[Ix]) -> Expr {
        if e.ty == model::Type::Boz {
            self.boz(e, ty)
        } else {
            self.val(e, ix)
        }
    }

    pub fn arithmetic(
        &mut self,
        e: &TExpr,
        op: ast::BinaryOp,
        lhs: &TExpr,
        rhs: &TExpr,
        ix: &[Ix],
    ) -> Expr {
        let Some(ty) = self.common(&lhs.ty, &rhs.ty) else {
            return self.refuse_expr(
                e.span,
                "CUF0413",
                "this operation has no meaning for operands of these types in device code",
            );
        };
        let l = self.operand(lhs, &ty, ix);
        let r = self.operand(rhs, &ty, ix);
        let irop = match op {
            ast::BinaryOp::Add => ir::BinaryOp::Add,
            ast::BinaryOp::Sub => ir::BinaryOp::Sub,
            ast::BinaryOp::Mul => ir::BinaryOp::Mul,
            _ => ir::BinaryOp::Div,
        };
        if ty == ir::Type::Int(4) && (l.ty == ir::Type::Uint || r.ty == ir::Type::Uint) {
            return match irop {
                ir::BinaryOp::Add => l.plus(r),
                ir::BinaryOp::Sub => l.minus(r),
                ir::BinaryOp::Mul => l.times(r),
                _ if non_negative(&l)
                    && (non_negative(&r) || r.as_int().is_some_and(|v| v > 0)) =>
                {
                    Expr::binary(ir::BinaryOp::Div, l, r, ir::Type::Uint)
                }
                _ => Expr::binary(ir::BinaryOp::Div, convert(l, &ty), convert(r, &ty), ty),
            };
        }
        if let ir::Type::Complex(k) = ty {
            // The runtime has the mixed operators with real and integer operands.
            let part = |v: Expr| match v.ty.plain().clone() {
                ir::Type::Complex(_) => convert(v, &ir::Type::Complex(k)),
                ir::Type::Real(_) => convert(v, &ir::Type::Real(k)),
                ir::Type::Uint | ir::Type::Int(_) => convert(v, &ir::Type::Real(k)),
                _ => v,
            };
            return Expr::binary(irop, part(l), part(r), ty);
        }
        let out = Expr::binary(irop, convert(l, &ty), convert(r, &ty), ty);
        narrow(out, &e.ty)
    }

    pub fn relation(&mut self, op: ast::BinaryOp, lhs: &TExpr, rhs: &TExpr, ix: &[Ix]) -> Expr {
        use ast::BinaryOp as B;
        let irop = match op {
            B::Eq => ir::BinaryOp::Eq,
            B::Ne => ir::BinaryOp::Ne,
            B::Lt => ir::BinaryOp::Lt,
            B::Le => ir::BinaryOp::Le,
            B::Gt => ir::BinaryOp::Gt,
            _ => ir::BinaryOp::Ge,
        };
        if let (model::Type::Character(_), model::Type::Character(_)) = (&lhs.ty, &rhs.ty) {
            return self.character_relation(irop, lhs, rhs, ix);
        }
        if let (model::Type::Logical(_), model::Type::Logical(_)) = (&lhs.ty, &rhs.ty) {
            let (l, r) = (self.val(lhs, ix), self.val(rhs, ix));
            return Expr::binary(irop, to_bool(l), to_bool(r), ir::Type::Bool);
        }
        let ordered = |ty: &ir::Type| {
            matches!(irop, ir::BinaryOp::Eq | ir::BinaryOp::Ne)
                || !matches!(ty, ir::Type::Complex(_))
        };
        let Some(ty) = self.common(&lhs.ty, &rhs.ty).filter(ordered) else {
            return self.refuse_expr(
                lhs.span,
                "CUF0413",
                "this comparison has no meaning for operands of these types in device code",
            );
        };
        let l = self.operand(lhs, &ty, ix);
        let r = self.operand(rhs, &ty, ix);
        // threadIdx.x + 1 == 1
        if ty == ir::Type::Int(4)
            && l.ty == ir::Type::Uint
            && let Some(c) = r.as_int()
            && let ExprKind::Binary {
                op: ir::BinaryOp::Add,
                lhs: b,
                rhs: one,
            } = &l.kind
            && matches!(b.kind, ExprKind::Builtin(..))
            && one.as_int().is_some_and(|o| o <= c)
        {
            let k = c - one.as_int().unwrap_or(0);
            return Expr::binary(
                irop,
                (**b).clone(),
                Expr::new(ExprKind::Int(k), ir::Type::Uint),
                ir::Type::Bool,
            );
        }
        if l.ty == ir::Type::Uint
            && r.as_int().is_some_and(|v| v >= 0)
            && non_negative(&l)
            && ty == ir::Type::Int(4)
        {
            let r = Expr {
                ty: ir::Type::Uint,
                ..r
            };
            return Expr::binary(irop, l, r, ir::Type::Bool);
        }
        // threadIdx.x + 1 == blockDim.x
        if ty == ir::Type::Int(4)
            && l.ty == ir::Type::Uint
            && r.ty == ir::Type::Uint
            && non_negative(&l)
            && non_negative(&r)
        {
            return Expr::binary(irop, l, r, ir::Type::Bool);
        }
        Expr::binary(irop, convert(l, &ty), convert(r, &ty), ir::Type::Bool)
    }

    pub fn power(&mut self, e: &TExpr, lhs: &TExpr, rhs: &TExpr, ix: &[Ix]) -> Expr {
        let Some(ty) = self.value_type(&e.ty) else {
            return self.refuse_expr(
                e.span,
                "CUF0413",
                "this power has no meaning for operands of these types in device code",
            );
        };
        let base = self.val(lhs, ix);
        if matches!(rhs.ty, model::Type::Integer(_)) {
            let base = convert(base, &ty);
            let exponent = self.val(rhs, ix);
            let small = matches!(
                ty,
                ir::Type::Int(4 | 8) | ir::Type::Real(4 | 8) | ir::Type::Complex(4 | 8)
            );
            if exponent.as_int() == Some(2) && base.is_simple() && small {
                return Expr::binary(ir::BinaryOp::Mul, base.clone(), base, ty);
            }
            let exponent = match exponent.ty {
                ir::Type::Uint => convert(exponent, &ir::Type::Int(4)),
                _ => exponent,
            };
            return Expr::call(Function::Pow, vec![base, exponent], ty);
        }
        let exponent = self.val(rhs, ix);
        let target = |v: Expr| match (&ty, v.ty.plain().clone()) {
            (ir::Type::Complex(k), ir::Type::Real(_)) => convert(v, &ir::Type::Real(*k)),
            _ => convert(v, &ty),
        };
        Expr::call(
            Function::Pow,
            vec![target(base), target(exponent)],
            ty.clone(),
        )
    }

    pub fn statement_function(&mut self, function: SymbolId, args: &[TExpr], ix: &[Ix]) -> Expr {
        let SymbolKind::StatementFunction(f) = &self.model()[function].kind else {
            return Expr::int(0);
        };
        let scope = self.model()[function].scope;
        let mut frame = std::collections::BTreeMap::new();
        for (d, a) in f.dummies.iter().zip(args) {
            let dummy_type = self.model().type_of(*d);
            let v = self.val(a, ix);
            let v = match self.value_type(&dummy_type) {
                Some(t) => convert(v, &t),
                None => v,
            };
            let v = if v.is_simple() { v } else { self.temporary(v) };
            frame.insert(*d, v);
        }
        let body = self.model().expr(scope, &f.expr);
        self.substitutions.push(frame);
        let v = self.val(&body, ix);
        self.substitutions.pop();
        // Another reference has other arguments.
        let inside = |at: &Span| body.span.start <= at.start && at.end <= body.span.end;
        self.held.retain(|(_, at, _)| !inside(at));
        match self.value_type(&f.ty) {
            Some(t) => convert(v, &t),
            None => v,
        }
    }
}

/// The initialiser of an array that has the same value everywhere.
pub fn filled(v: Expr, n: i64) -> Expr {
    let items = vec![v; usize::try_from(n).unwrap_or(0)];
    Expr::new(
        ExprKind::List(vec![Expr::new(ExprKind::List(items), ir::Type::Auto)]),
        ir::Type::Auto,
    )
}

/// The operations that C++ does in int are brought back to the short kinds of Fortran.
pub fn narrow(e: Expr, ty: &model::Type) -> Expr {
    match ty {
        model::Type::Integer(k @ (1 | 2)) if e.as_int().is_none() => {
            let wide = Expr {
                ty: ir::Type::Int(4),
                ..e
            };
            conversion(wide, &ir::Type::Int(*k))
        }
        _ => e,
    }
}

/// A folded expression that is written as its value: literals, inquiries, conversions; arithmetic keeps its form.
fn folded_is_literal(e: &TExpr) -> bool {
    match &e.kind {
        TExprKind::Unary { operand, .. } => {
            operand.value.is_none() || matches!(operand.kind, TExprKind::Constant { symbol: None })
        }
        TExprKind::Binary { op, .. } => {
            // Wide or character results are safest as values.
            matches!(op, ast::BinaryOp::Concat | ast::BinaryOp::Pow)
                || matches!(e.ty, model::Type::Integer(1 | 2 | 8))
        }
        TExprKind::Structure { .. } => false,
        TExprKind::ArrayConstructor { .. } => false,
        _ => true,
    }
}
