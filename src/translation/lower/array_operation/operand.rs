//! Operands of an operation on whole arrays: designators of device arrays, seen through functions that move elements, and scalars,
//! which the host evaluates.

use crate::abi::{ArgPassing, ParamSource, View};
use crate::ast;
use crate::intrinsics::{Intrinsic, Shape};
use crate::ir::{self, Expr, ExprKind};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::{Field, LoopIndex};
use crate::lower::cufloop::capture::{by_address, designator_name};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl LoweringContext<'_, '_> {
    /// The value of an expression that is an operand of the operation being lowered, or is moved by one of its functions. None: the
    /// expression is computed in device code from its own operands.
    pub fn operand_of_operation(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Option<Expr> {
        let operands = self.operands.as_ref()?;
        if let Some((span, value)) = &operands.product
            && *span == e.span
        {
            return Some(value.clone());
        }
        if e.rank == 0 {
            if let Some(c) = &e.value {
                let c = c.clone();
                return Some(self.literal(&c, &e.ty, e.span));
            }
            return Some(self.scalar_operand(e));
        }
        if e.is_designator() {
            return Some(self.array_operand(e, ix));
        }
        let TExprKind::Intrinsic {
            intrinsic: Intrinsic::Shape(shape),
            args,
        } = &e.kind
        else {
            return None;
        };
        let find = |i: usize| {
            let a: Option<&TExpr> = args.get(i).and_then(Option::as_ref);
            a.and_then(|a| operands.syntax_of(a.span))
        };
        let view = match shape {
            Shape::Transpose => View::Transpose,
            Shape::Spread => View::Spread {
                dim: find(1)?,
                copies: find(2)?,
            },
            Shape::Reshape => View::Reshape {
                shape: find(1)?,
                order: find(3),
            },
            _ => return None,
        };
        let moved = args.first()?.as_ref()?;
        self.operands.as_mut()?.views.push(view);
        // All operands inside have the rank of the whole once they are moved.
        let value = self.val(moved, ix);
        self.operands.as_mut()?.views.pop();
        Some(value)
    }

    /// A whole dummy argument that may be absent.
    pub fn is_optional(&self, e: &TExpr) -> bool {
        let variable = match e.kind {
            TExprKind::Variable(s) => self.model().variable(s),
            _ => None,
        };
        variable.is_some_and(|v| v.attrs.has(VarAttrs::OPTIONAL))
    }

    fn array_operand(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Expr {
        let (Some(elem), Some(o)) = (self.storage_type(&e.ty), self.operands.as_ref()) else {
            return self.refuse_expr(e.span, "CUF0403", "no array of device code");
        };
        let Some(array) = o.syntax_of(e.span) else {
            return self.refuse_expr(e.span, "CUF0454", "no operand of the statement");
        };
        let through: Vec<View> = o.views.iter().rev().cloned().collect();
        let key = match through.is_empty() {
            true => self.source_text(e.span),
            // Each is an operand of its own.
            false => format!("{}@{}", self.source_text(e.span), e.span.start),
        };
        let ty = ir::Type::View {
            elem: Box::new(elem.constant()),
            rank: ix.len(),
        };
        let launcher = ir::Type::Pointer {
            to: Box::new(ir::Type::Class(ir::Class::Descriptor).constant()),
            restrict: false,
        };
        let field = Field {
            key,
            name: designator_name(e, self),
            ty: ty.clone(),
            launcher,
            passing: ArgPassing::Descriptor,
            source: ParamSource::Operand { array, through },
        };
        let subs = ix.iter().map(|i| i.var.clone()).collect();
        let field = self.field_of_operation(field, true);
        field.at(subs)
    }

    /// A scalar: one in device memory is read there, all else is a value that the host computes.
    fn scalar_operand(&mut self, e: &TExpr) -> Expr {
        let refused = "no scalar of device code";
        let (Some(elem), Some(o)) = (self.storage_type(&e.ty), self.operands.as_ref()) else {
            return self.refuse_expr(e.span, "CUF0403", refused);
        };
        let Some(syntax) = o.syntax_of(e.span) else {
            return self.refuse_expr(e.span, "CUF0454", refused);
        };
        let source = ParamSource::Captured(syntax);
        let key = self.source_text(e.span);
        let designator = e.is_designator();
        let name = match designator {
            true => designator_name(e, self),
            false => "x".to_owned(),
        };
        if designator && self.in_device_memory(e) {
            let ty = ir::Type::Pointer {
                to: Box::new(elem.clone().constant()),
                restrict: false,
            };
            let field = Field {
                key,
                name,
                launcher: ty.clone(),
                ty,
                passing: ArgPassing::Address,
                source,
            };
            return self.field_of_operation(field, false).deref(elem);
        }
        let ty = match &elem {
            ir::Type::Logical(_) => ir::Type::Bool,
            t => t.clone(),
        };
        let (launcher, passing) = match by_address(&ty) {
            _ if designator && self.is_optional(e) => {
                (super::optional_pointer(&elem), ArgPassing::OptionalValue)
            }
            true => {
                let to = Box::new(ty.clone().constant());
                let pointer = ir::Type::Pointer {
                    to,
                    restrict: false,
                };
                (pointer, ArgPassing::HostValue)
            }
            false => (ty.clone(), ArgPassing::Value(e.ty.clone())),
        };
        let field = Field {
            key,
            name,
            ty,
            launcher,
            passing,
            source,
        };
        self.field_of_operation(field, false)
    }

    /// The operation's field for an operand; equal operands share one.
    fn field_of_operation(&mut self, mut field: Field, array: bool) -> Expr {
        let known = self
            .operands
            .as_ref()
            .and_then(|o| {
                o.fields
                    .iter()
                    .find(|f| f.key == field.key && f.ty == field.ty)
            })
            .map(|f| (f.name.clone(), f.ty.clone()));
        let (name, ty) = match known {
            Some(known) => known,
            None => {
                field.name = self.fresh(&field.name);
                (field.name.clone(), field.ty.clone())
            }
        };
        let Some(o) = self.operands.as_mut() else {
            return Expr::int(0);
        };
        if !o.fields.iter().any(|f| f.name == name) {
            o.fields.push(field);
        }
        if array && !o.arrays.contains(&name) {
            o.arrays.push(name.clone());
        }
        Expr::name(&o.object, o.ty.clone()).field(&name, ty)
    }

    /// The expression can be computed on the device: its arrays are there, its functions are among those of device code, and what the
    /// host computes is scalar. `found` tells of the memory of its arrays.
    pub fn is_computable(&self, e: &TExpr, found: &mut Memory) -> bool {
        let inner = self.operands.as_ref().and_then(|o| o.product.as_ref());
        if inner.is_some_and(|(span, _)| *span == e.span) {
            return true;
        }
        // It is known at the position of the whole alone.
        let moves = matches!(
            &e.kind,
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Shape(_),
                ..
            }
        );
        if moves && inner.is_some_and(|(span, _)| e.any(&mut |x| x.span == *span)) {
            return false;
        }
        let mut all = |list: &[Option<TExpr>]| {
            let mut of = list.iter().flatten();
            of.all(|a| self.is_computable(a, found))
        };
        if e.rank == 0 {
            return is_number(&e.ty) && !matches!(e.ty, model::Type::Real(2));
        }
        if e.is_designator() {
            return self.is_operand(e, found);
        }
        match &e.kind {
            TExprKind::Paren(x) | TExprKind::Unary { operand: x, .. } => {
                self.is_computable(x, found)
            }
            TExprKind::Binary { op, lhs, rhs } => {
                *op != ast::BinaryOp::Concat
                    && self.is_computable(lhs, found)
                    && self.is_computable(rhs, found)
            }
            TExprKind::Intrinsic { intrinsic, args } => match intrinsic {
                Intrinsic::Numeric(_) | Intrinsic::Choice(_) | Intrinsic::Bits(_) => all(args),
                // KIND is a constant.
                Intrinsic::Conversion(_) => all(args),
                Intrinsic::Shape(Shape::Transpose | Shape::Spread) => {
                    found.moves = true;
                    matches!(args.first(), Some(Some(a)) if self.is_computable(a, found))
                }
                Intrinsic::Shape(Shape::Reshape) => {
                    found.moves = true;
                    args.get(2).is_none_or(Option::is_none)
                        && matches!(args.first(), Some(Some(a)) if self.lies_dense(a) && self.is_computable(a, found))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The elements of all arrays in an expression lie side by side: they can have another shape.
    fn lies_dense(&self, e: &TExpr) -> bool {
        if e.rank == 0 {
            return true;
        }
        if e.is_designator() {
            return match &e.kind {
                TExprKind::Index { base, subs } => {
                    let mut open = true;
                    let leading = subs.iter().all(|s| match s {
                        Subscript::Range { lo, hi, step } => {
                            let was = open;
                            open = open && lo.is_none() && hi.is_none();
                            was && step.is_none()
                        }
                        Subscript::Element(_) => {
                            open = false;
                            true
                        }
                        Subscript::Vector(_) => false,
                    });
                    leading && self.is_dense(base)
                }
                _ => self.is_dense(e),
            };
        }
        if let TExprKind::Intrinsic {
            intrinsic: Intrinsic::Shape(_),
            ..
        } = e.kind
        {
            return false;
        }
        let mut all = true;
        e.for_each_child(&mut |c| all = all && self.lies_dense(c));
        all
    }

    /// A designator of an array whose elements lie at constant distances in memory that the device reaches.
    pub fn is_operand(&self, e: &TExpr, found: &mut Memory) -> bool {
        let space = self.model().space(e);
        match space {
            Some(Space::Device | Space::Constant) => found.device = true,
            Some(Space::Managed | Space::Unified) => found.managed = true,
            _ => return false,
        }
        e.rank > 0 && e.rank <= 7 && is_number(&e.ty) && is_strided(e)
    }
}

/// Where the arrays of an expression lie, and whether a function moves their elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    pub device: bool,
    pub managed: bool,
    pub moves: bool,
}

/// Types of operands.
pub fn is_number(ty: &model::Type) -> bool {
    matches!(
        ty,
        model::Type::Integer(1 | 2 | 4 | 8)
            | model::Type::Real(2 | 4 | 8)
            | model::Type::Complex(4 | 8)
            | model::Type::Logical(1 | 2 | 4 | 8)
    )
}

/// No vector subscripts, no parts of array elements.
fn is_strided(e: &TExpr) -> bool {
    match &e.kind {
        TExprKind::Variable(_) => true,
        TExprKind::Index { base, subs } => {
            !subs.iter().any(|s| matches!(s, Subscript::Vector(_))) && is_strided(base)
        }
        TExprKind::Component { base, .. } => base.rank == 0 && is_strided(base),
        _ => false,
    }
}

/// A literal of the type of positions.
pub fn position(name: &str) -> LoopIndex {
    LoopIndex {
        var: Expr::name(name, ir::Type::Int(8)),
        base: Expr::new(ExprKind::Int(1), ir::Type::Int(8)),
    }
}
