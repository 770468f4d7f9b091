//! Expressions: scalars, and the elements of array expressions at a position of a loop nest.

use super::array::is_character;
use super::convert::{conversion, convert, non_negative, to_bool};
use crate::ast::{self, Span};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::{Arrays, Designators, Expressions, Intrinsics};
use crate::lower::context::state::LoopIndex;
use crate::sema::expression::dependence::calls;
use crate::sema::expression::typed::*;
use crate::sema::model::suggestions::untranslatable;
use crate::sema::model::{self, *};

/// Why a call through CLASS cannot be resolved.
pub const DISPATCHES: &str = "call of a type-bound procedure is dispatched at run time, which is not supported in device code\nhelp: call the procedure of the type by name";

impl LoweringContext<'_, '_> {
    /// The value of `e`, whatever it comes from.
    fn qualified(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Expr {
        if let Some(v) = self.operand_of_operation(e, ix) {
            return v;
        }
        if e.rank <= 0
            && let Some(v) = self.held_scalar(e)
        {
            return v;
        }
        if e.rank > 0
            && !ix.is_empty()
            && let Some(t) = self.hoisted.holding(e.span)
        {
            let t = t.clone();
            return self.element_of(&t, ix);
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
    fn unqualified(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Expr {
        if e.ty == model::Type::Unknown
            && let Some(span) = unknown_part(e)
        {
            return self.unknown_value(span);
        }
        if e.rank <= 0 && !ix.is_empty() && calls(e) && !is_character(&e.ty) {
            // What all positions share is computed once for all loops of the statement: the function may have side effects.
            let v = self.val(e, &[]);
            return self.hold(e, v);
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
            TExprKind::Binary { op, lhs, rhs } => {
                let mut v = self.binary(e, *op, lhs, rhs, ix);
                let between = lhs.span.end as usize..rhs.span.start as usize;
                let between = self.input.text.get(between).unwrap_or_default();
                v.line.broken = between.contains('\n');
                v
            }
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
            TExprKind::Builtin { var, component } => {
                let origin = self.origin_of(e);
                self.builtin(*var, *component, origin)
            }
            TExprKind::Substring { base, lo, hi } => {
                self.substring(base, lo.as_deref(), hi.as_deref(), ix)
            }
            TExprKind::Null => Expr::new(ExprKind::Null, ir::Type::Auto),
            TExprKind::ProcedureName(_) => self.refuse_expr(
                e.span,
                "CUF0384",
                "procedure argument is not supported here in device code",
            ),
            TExprKind::ImpliedDo { .. } | TExprKind::Star | TExprKind::Unknown => {
                self.unknown_value(e.span)
            }
        }
    }

    fn unknown_value(&mut self, span: Span) -> Expr {
        let text = self.input.text.get(span.start as usize..span.end as usize);
        let first = text.and_then(|t| t.bytes().next());
        let literal = first.is_some_and(|b| b.is_ascii_digit() || b == b'.');
        let message = match (literal && text.is_some_and(|t| t.contains('_')), text) {
            (true, _) => "kind of this literal is not known".to_owned(),
            (false, Some(text)) => untranslatable(text),
            _ => "this expression cannot be translated in device code".to_owned(),
        };
        self.refuse_expr(span, "CUF0409", message)
    }

    pub fn constant_at(&mut self, e: &TExpr, symbol: Option<SymbolId>, ix: &[LoopIndex]) -> Expr {
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

    fn builtin(&mut self, var: BuiltinVar, component: Option<u8>, origin: Origin) -> Expr {
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
                let parts = (0..3).map(|c| self.builtin(var, Some(c), origin)).collect();
                return Expr::new(ExprKind::Construct(parts), ty);
            }
        };
        let mut raw = Expr::new(ExprKind::Builtin(b, axis), ir::Type::Uint);
        // What stands around may take the 1 away.
        raw.origin = origin;
        if one_based {
            raw.plus(Expr::int(1))
        } else {
            raw
        }
    }

    pub fn unary(
        &mut self,
        e: &TExpr,
        op: ast::UnaryOp,
        operand: &TExpr,
        ix: &[LoopIndex],
    ) -> Expr {
        if let Some(function) = e.as_function_of_bits() {
            return self.val(&function, ix);
        }
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
        ix: &[LoopIndex],
    ) -> Expr {
        use ast::BinaryOp as B;
        if let Some(function) = e.as_function_of_bits() {
            return self.val(&function, ix);
        }
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

    pub fn operand(&mut self, e: &TExpr, ty: &ir::Type, ix: &[LoopIndex]) -> Expr {
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
        ix: &[LoopIndex],
    ) -> Expr {
        let Some(ty) = self.common(&lhs.ty, &rhs.ty) else {
            return self.refuse_expr(
                e.span,
                "CUF0413",
                "operator is not defined for operands of these types in device code",
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

    pub fn relation(
        &mut self,
        op: ast::BinaryOp,
        lhs: &TExpr,
        rhs: &TExpr,
        ix: &[LoopIndex],
    ) -> Expr {
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
                "comparison is not defined for operands of these types in device code",
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

    pub fn power(&mut self, e: &TExpr, lhs: &TExpr, rhs: &TExpr, ix: &[LoopIndex]) -> Expr {
        let Some(ty) = self.value_type(&e.ty) else {
            return self.refuse_expr(
                e.span,
                "CUF0413",
                "power is not defined for operands of these types in device code",
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

    pub fn statement_function(
        &mut self,
        function: SymbolId,
        args: &[TExpr],
        ix: &[LoopIndex],
    ) -> Expr {
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
        self.hoisted.keep_only(|at, _| !inside(&at));
        match self.value_type(&f.ty) {
            Some(t) => convert(v, &t),
            None => v,
        }
    }
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

/// What makes the type of an expression unknown, if it is a part of it.
fn unknown_part(e: &TExpr) -> Option<Span> {
    if matches!(e.kind, TExprKind::Unknown) {
        return Some(e.span);
    }
    let mut found = None;
    e.for_each_child(&mut |c| {
        if found.is_none() && c.ty == model::Type::Unknown {
            found = unknown_part(c);
        }
    });
    found
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

impl Expressions for LoweringContext<'_, '_> {
    fn val(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Expr {
        let before = self.hoisted.count();
        let mut v = self.qualified(e, ix);
        // Who asks again for a scalar that took statements of its own gets what these have computed.
        if e.rank <= 0
            && self.hoisted.count() > before
            && v.local().is_some()
            && self.substitutions.is_empty()
        {
            self.hoisted.hold_value(e.span, &v);
        }
        v.origin = v.origin.or(self.origin_of(e));
        v
    }

    fn settle(&mut self, e: &TExpr) {
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
}
