//! Intrinsic procedures in device code, each family in its file: the values of elemental functions and inquiries are expressions, those
//! of transformational functions are computed by statements before the one that they stand in.

pub mod arguments;
mod bits;
mod conversion;
mod dimension;
mod inquiry;
mod location;
mod numeric;
mod product;
mod reduction;
mod shape;
mod shift;
mod text;

pub use self::arguments::is_hoisted;
use self::dimension::variable_dim;
use self::inquiry::inquiry_type;
use super::context::{Entity, LoweringContext};
use super::value::convert::convert;
use crate::ast::Span;
use crate::intrinsics::{Dummy, Inquiry, Intrinsic, Product, Shape, Subroutine};
use crate::ir::{self, *};
use crate::lower::context::rules::{Expressions, Intrinsics};
use crate::lower::context::state::Args;
use crate::lower::context::state::LoopIndex;
use crate::sema::expression::typed::*;

impl LoweringContext<'_, '_> {
    /// An intrinsic subroutine.
    pub fn intrinsic_call(&mut self, i: Intrinsic, args: Args<'_>, span: Span) -> Vec<ir::Stmt> {
        let int = ir::Type::Int(4);
        let Intrinsic::Subroutine(subroutine) = i else {
            self.refuse(
                span,
                "CUF0420",
                format!("intrinsic subroutine `{i}` is not available in device code (guide 3.6.3)"),
            );
            return Vec::new();
        };
        match subroutine {
            Subroutine::Mvbits => {
                let (Some(Some(from)), Some(Some(to))) = (args.first(), args.get(3)) else {
                    return Vec::new();
                };
                let ty = self.storage_type(&to.ty).unwrap_or(ir::Type::Unknown);
                self.sequence(args.iter().flatten());
                let operands: Vec<&TExpr> = args.iter().flatten().collect();
                self.freeze_all(&[to], &operands);
                if to.rank > 0 {
                    for a in [
                        Some(from),
                        args[1].as_ref(),
                        args[2].as_ref(),
                        args[4].as_ref(),
                    ] {
                        if let Some(a) = a.filter(|a| self.conflicts(to, a)) {
                            self.evaluate_operand(a);
                        }
                    }
                }
                self.elementwise(args, |cx, ix| {
                    let from = cx.val(from, ix);
                    let v = vec![
                        convert(from, &ty),
                        cx.arg_as(args, 1, &int, ix),
                        cx.arg_as(args, 2, &int, ix),
                        cx.place_at(to, ix),
                        cx.arg_as(args, 4, &int, ix),
                    ];
                    let call = Expr::call(subroutine, v, ir::Type::Void);
                    vec![ir::Stmt::expr(call)]
                })
            }
            Subroutine::MoveAlloc => self.move_alloc(args, span),
            Subroutine::Exit | Subroutine::Abort => vec![ir::Stmt::expr(Expr::call(
                Function::Stop,
                Vec::new(),
                ir::Type::Void,
            ))],
        }
    }
}

impl Intrinsics for LoweringContext<'_, '_> {
    fn intrinsic_extents(&mut self, e: &TExpr, i: Intrinsic, args: Args<'_>) -> Vec<Expr> {
        let first = args.first().and_then(Option::as_ref);
        if let (Some((_, dim)), Some(a)) = (variable_dim(i, args), first)
            && !matches!(i, Intrinsic::Shift(_))
        {
            let n = self.extents(a);
            return self.extents_without(&n, dim);
        }
        let found = match (i, first) {
            (Intrinsic::Shape(i), _) => self.shape_extents(e, i, args),
            (Intrinsic::Product(Product::Matmul), Some(a)) => {
                args.get(1).and_then(Option::as_ref).map(|b| {
                    let (m, n) = (self.extents(a), self.extents(b));
                    match (m.len(), n.len()) {
                        (2, 2) => vec![m[0].clone(), n[1].clone()],
                        (2, 1) => vec![m[0].clone()],
                        _ => vec![n[n.len() - 1].clone()],
                    }
                })
            }
            (Intrinsic::Inquiry(Inquiry::Shape | Inquiry::Lbound | Inquiry::Ubound), Some(a)) => {
                Some(vec![Expr::int(i64::from(a.rank))])
            }
            (Intrinsic::Location(_), Some(a)) if i.argument(Dummy::Dim, args).is_none() => {
                Some(vec![Expr::int(i64::from(a.rank))])
            }
            (Intrinsic::Location(_) | Intrinsic::Reduction(_), Some(a)) => {
                let dim = i.argument(Dummy::Dim, args).and_then(TExpr::as_integer);
                let dim = dim.and_then(|d| usize::try_from(d).ok()?.checked_sub(1));
                dim.and_then(|dim| {
                    let mut n = self.extents(a);
                    (dim < n.len()).then(|| {
                        n.remove(dim);
                        n
                    })
                })
            }
            (Intrinsic::Shift(_), Some(a)) => Some(self.extents(a)),
            _ => Some(self.first_extents(args)),
        };
        found.unwrap_or_else(|| {
            self.refuse(
                e.span,
                "CUF0415",
                format!("shape of this `{i}` cannot be determined"),
            );
            vec![Expr::int(1); e.rank.max(0) as usize]
        })
    }

    fn transformational(&mut self, e: &TExpr, i: Intrinsic, args: Args<'_>) -> Option<Entity> {
        let first = args.first().and_then(Option::as_ref)?;
        if let Some(stream) = i.argument(Dummy::Stream, args) {
            self.refuse(
                stream.span,
                "CUF0420",
                format!(
                    "`stream=` is not valid for `{i}` in device code\nnote: it runs in the calling thread there (guide 3.9.1)"
                ),
            );
        }
        if let Some(dim) = variable_dim(i, args) {
            return self.by_each_dim(e, i, args, dim);
        }
        match i {
            Intrinsic::Reduction(i) => self.reduction(e, i, first, args),
            Intrinsic::Location(i) => self.location(e, i, first, args),
            Intrinsic::Product(i) => self.product(e, i, first, args.get(1)?.as_ref()?),
            Intrinsic::Shift(i) => self.shift(e, i, first, args),
            Intrinsic::Shape(i) => self.reshaped(e, i, first, args),
            Intrinsic::Inquiry(i) => self.inquiry_of_all(e, i, first, args),
            Intrinsic::Numeric(_)
            | Intrinsic::Choice(_)
            | Intrinsic::Conversion(_)
            | Intrinsic::Bits(_)
            | Intrinsic::Text(_)
            | Intrinsic::Kinds(_)
            | Intrinsic::Subroutine(_)
            | Intrinsic::System(_) => None,
        }
    }

    fn intrinsic(&mut self, e: &TExpr, i: Intrinsic, args: Args<'_>, ix: &[LoopIndex]) -> Expr {
        if let Intrinsic::Shape(shape) = i
            && let Some(v) = self.lazy_array(shape, args, ix)
        {
            return v;
        }
        if ix.is_empty()
            && let Some(v) = self.small_reduction(e, i, args)
        {
            // Before the loops over elements, which may change what it is made of.
            return match self.hoisted.loops {
                0 => v,
                _ => self.temporary(v),
            };
        }
        let all_bounds =
            e.rank > 0 && matches!(i, Intrinsic::Inquiry(Inquiry::Lbound | Inquiry::Ubound));
        if is_hoisted(e) || all_bounds {
            return match self.transformational(e, i, args) {
                Some(ent) if e.rank > 0 => self.element_of(&ent, ix),
                Some(ent) => ent.expr,
                None => self.refuse_expr(
                    e.span,
                    "CUF0420",
                    format!(
                        "intrinsic `{i}` is not supported for these arguments in device code (guide 3.6.3)"
                    ),
                ),
            };
        }
        let Some(ty) = self.value_type(&e.ty).or_else(|| inquiry_type(i)) else {
            return self.refuse_expr(
                e.span,
                "CUF0420",
                format!(
                    "intrinsic `{i}` is not available for this type in device code (guide 3.6.3)"
                ),
            );
        };
        if let Some(v) = self.host_inquiry(e, i, args) {
            return v;
        }
        let value = match i {
            Intrinsic::Numeric(i) => self.numeric(i, args, &ty, ix),
            Intrinsic::Choice(i) => self.choice(e, i, args, &ty, ix),
            Intrinsic::Conversion(i) => self.conversion_of(i, args, &ty, ix),
            Intrinsic::Bits(i) => self.bits(e, i, args, &ty, ix),
            Intrinsic::Text(i) => self.characters(i, args, &ty, ix),
            Intrinsic::Inquiry(i) => self.inquiry(e, i, args, &ty, ix),
            Intrinsic::Shape(Shape::Transfer) => self.transfer_scalar(args, &ty, ix),
            // Computed before, constants, or of the host.
            Intrinsic::Reduction(_)
            | Intrinsic::Location(_)
            | Intrinsic::Product(_)
            | Intrinsic::Shift(_)
            | Intrinsic::Shape(_)
            | Intrinsic::Kinds(_)
            | Intrinsic::Subroutine(_)
            | Intrinsic::System(_) => None,
        };
        value.unwrap_or_else(|| {
            self.refuse_expr(
                e.span,
                "CUF0420",
                format!("intrinsic `{i}` is not available in device code (guide 3.6.3)"),
            )
        })
    }
}
