//! Types, bounds and layouts of variables, and the names of the parameters behind them.

use super::LoweringContext;
use crate::ast::{self, Span};
use crate::ir::{self, *};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl LoweringContext<'_, '_> {
    /// Arguments of the constructor of `cuf::array` after the pointer: declared bounds of an explicit-shape or assumed-size array.
    pub fn bounds_args(&mut self, s: SymbolId) -> Vec<Expr> {
        let scope = self.model()[s].scope;
        let dims = self.model().dims(s).to_vec();
        let mut out = Vec::new();
        for (i, d) in dims.iter().enumerate() {
            out.push(match d {
                // No element's place depends on the last extent; one that has no value yet counts as assumed.
                Dim::Explicit { lower: None, upper }
                    if i + 1 == dims.len() && self.without_value(scope, upper) =>
                {
                    runtime_struct(Class::Assumed, Vec::new())
                }
                Dim::Explicit { lower: None, upper } => self.bound(scope, upper),
                Dim::Explicit {
                    lower: Some(l),
                    upper,
                } => {
                    let (lo, hi) = (self.bound(scope, l), self.bound(scope, upper));
                    if lo.as_int() == Some(1) {
                        hi
                    } else {
                        runtime_struct(Class::Range, vec![lo, hi])
                    }
                }
                Dim::AssumedSize { lower } => {
                    let args: Vec<_> = lower.iter().map(|l| self.bound(scope, l)).collect();
                    let one = args.first().is_none_or(|a| a.as_int() == Some(1));
                    runtime_struct(Class::Assumed, if one { Vec::new() } else { args })
                }
                Dim::Colon { .. } | Dim::AssumedRank => Expr::int(1),
            });
        }
        out
    }

    /// Bounds written as expressions, where they cannot change after the declaration.
    pub fn declared_bounds(&mut self, s: SymbolId) -> Vec<(Option<Expr>, Option<Expr>)> {
        let scope = self.model()[s].scope;
        let dims = self.model().dims(s).to_vec();
        let folded = self.model().bounds(scope, &dims);
        let mut out = Vec::new();
        for (d, b) in dims.iter().zip(folded) {
            let one = |cx: &mut Self, e: &ast::Expr, v: Option<i64>| {
                let t = cx.model().expr(scope, e);
                match v {
                    Some(v) if !plain_constant(&t) => Some(Expr::int(v)),
                    _ if cx.stable(&t) => Some(cx.of_scope(scope, |cx| cx.value(&t))),
                    _ => None,
                }
            };
            let low = |cx: &mut Self, e: &Option<Box<ast::Expr>>| match e {
                None => Some(Expr::int(1)),
                Some(e) => one(cx, e, b.lower),
            };
            out.push(match d {
                Dim::Explicit { lower, upper } => (low(self, lower), one(self, upper, b.upper)),
                Dim::Colon { lower } | Dim::AssumedSize { lower } => (low(self, lower), None),
                Dim::AssumedRank => (None, None),
            });
        }
        // The bounds of an allocatable or pointer are those of its target.
        if self
            .model()
            .variable(s)
            .is_some_and(|v| v.attrs.is_dynamic())
        {
            out.iter_mut().for_each(|b| *b = (None, None));
        }
        out
    }

    pub fn lower_bounds_now(&mut self, s: SymbolId) -> Vec<Expr> {
        let scope = self.model()[s].scope;
        let dims = self.model().dims(s).to_vec();
        dims.iter()
            .map(|d| match d {
                Dim::Colon { lower: Some(l) } => self.bound(scope, l),
                _ => Expr::int(1),
            })
            .collect()
    }

    /// Constant bounds of all dimensions.
    pub fn fixed_dims(&mut self, scope: ScopeId, dims: &[Dim]) -> Option<Vec<FixedDim>> {
        let folded = self.model().bounds(scope, dims);
        let mut out = Vec::new();
        for (d, b) in dims.iter().zip(folded) {
            let Dim::Explicit { lower, upper } = d else {
                return None;
            };
            let (lo, hi) = (b.lower?, b.upper?);
            let lower = match lower {
                Some(e) if lo != 1 => Some(self.constant_expr(scope, e, lo)),
                _ => None,
            };
            let upper = self.constant_expr(scope, upper, hi);
            out.push(FixedDim {
                lower,
                upper,
                lo,
                hi,
            });
        }
        Some(out)
    }

    /// A constant integer expression with the names of constants kept where it is made of them and literals.
    pub fn constant_expr(&mut self, scope: ScopeId, e: &ast::Expr, value: i64) -> Expr {
        let t = self.model().expr(scope, e);
        if plain_constant(&t) {
            let (pre, lowered) = self.with_hoisted(|cx| cx.of_scope(scope, |cx| cx.value(&t)));
            if pre.is_empty() {
                return lowered;
            }
        }
        Expr::int_of(
            i128::from(value),
            if i32::try_from(value).is_ok() { 4 } else { 8 },
        )
    }

    /// Type of a local variable or result: arrays need constant bounds, or own their elements.
    pub fn variable_type(&mut self, s: SymbolId, v: &Variable, span: Span) -> ir::Type {
        let Some(elem) = self.storage_type(&v.ty) else {
            let name = self.model().type_name(&v.ty);
            self.refuse(
                span,
                "CUF0403",
                format!(
                    "{} has {name}, which device code does not support",
                    self.model()[s].name
                ),
            );
            return ir::Type::Int(4);
        };
        if v.dims.is_empty() {
            // By-reference use needs the type in memory.
            return match elem {
                ir::Type::Logical(_) if !self.facts.by_reference.contains(&s) => ir::Type::Bool,
                t => t,
            };
        }
        let scope = self.model()[s].scope;
        match self.fixed_dims(scope, &v.dims) {
            Some(dims) => ir::Type::Fixed {
                elem: Box::new(elem),
                dims,
            },
            None => ir::Type::LocalArray {
                elem: Box::new(elem),
                rank: v.dims.len(),
            },
        }
    }

    pub fn bound(&mut self, scope: ScopeId, e: &ast::Expr) -> Expr {
        let t = self.model().expr(scope, e);
        let v = self.of_scope(scope, |cx| cx.value(&t));
        crate::lower::value::convert::subscript(v)
    }

    /// The bound is a local variable of the procedure, which has no value when the procedure is entered.
    pub fn without_value(&self, scope: ScopeId, e: &ast::Expr) -> bool {
        let t = self.model().expr(scope, e);
        let TExprKind::Variable(v) = t.kind else {
            return false;
        };
        let is_dummy = self.model()[scope]
            .symbol
            .and_then(|s| self.model().procedure(s))
            .is_some_and(|p| p.dummies.contains(&Some(v)));
        self.model()[v].scope == scope
            && !is_dummy
            && matches!(self.model()[v].kind, SymbolKind::Variable(_))
    }

    pub fn fresh_hidden(&mut self, s: SymbolId) -> String {
        let name = self.local_name(s);
        // Its own name is reserved already if the body mentions it; a callee's variable may collide with a local.
        match self.facts.mentioned.contains(&s) {
            true => name,
            false => self.fresh(&name),
        }
    }
}

/// Name of the raw parameter behind a dummy.
pub fn parameter_name(name: &str) -> String {
    if name.ends_with('_') {
        format!("{name}ptr")
    } else {
        format!("{name}_")
    }
}

/// Name of the bounds (and strides) that a kernel takes beside the pointer of an array.
pub fn layout_name(name: &str, ty: &ir::Type) -> String {
    match ty {
        ir::Type::View { .. } => format!("{name}_layout"),
        _ => format!("{name}_shape"),
    }
}

/// Literals, named constants and + - * of them, all default integers.
pub fn plain_constant(t: &TExpr) -> bool {
    t.ty == model::Type::Integer(4)
        && match &t.kind {
            TExprKind::Constant { .. } => true,
            TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => plain_constant(operand),
            TExprKind::Binary {
                op: ast::BinaryOp::Add | ast::BinaryOp::Sub | ast::BinaryOp::Mul,
                lhs,
                rhs,
            } => plain_constant(lhs) && plain_constant(rhs),
            _ => false,
        }
}

/// Bytes of a type in memory.
pub fn size_of(ty: &ir::Type) -> Expr {
    let n = match ty.plain() {
        ir::Type::Int(k) | ir::Type::Real(k) | ir::Type::Logical(k) => i64::from(*k),
        ir::Type::Complex(k) => 2 * i64::from(*k),
        ir::Type::Bool => 1,
        ir::Type::Character(n) => *n,
        _ => {
            return Expr::call_of(
                Function::SizeOf,
                vec![TemplateArg::Type(ty.clone())],
                Vec::new(),
                ir::Type::Int(8),
            );
        }
    };
    Expr::int(n)
}

/// `class{args}`
pub fn runtime_struct(class: Class, args: Vec<Expr>) -> Expr {
    Expr::new(ExprKind::Construct(args), ir::Type::Class(class))
}
