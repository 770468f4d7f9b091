//! References of functions whose result is scalar, or the place of an element: SUM, ALL, MAXLOC, DOT_PRODUCT and others.

use super::operand::Memory;
use super::{Call, Lowered, Operation};
use crate::abi::ReturnKind;
use crate::ast;
use crate::intrinsics::{Dummy, Intrinsic, Location, Product, Reduction};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::sema::expression::typed::*;
use crate::sema::model;

/// How values become one, and the types of the values and of the result.
pub(super) struct Combined {
    pub fold: ArrayArg,
    pub value: ir::Type,
    pub result: ir::Type,
}

/// What a reduction or location is made of.
pub(super) struct Parts<'t> {
    pub array: &'t TExpr,
    pub dim: Option<&'t TExpr>,
    pub mask: Option<&'t TExpr>,
    pub stream: Option<&'t TExpr>,
    pub back: Option<&'t TExpr>,
}

/// The arguments of a reduction or location: a logical in the place of DIM is the mask.
pub(super) fn parts<'t>(i: Intrinsic, args: &'t [Option<TExpr>]) -> Option<Parts<'t>> {
    let dim = i.argument(Dummy::Dim, args);
    let logical = dim.is_some_and(|d| matches!(d.ty, model::Type::Logical(_)));
    let of_mask = i.position(Dummy::Mask) == Some(0);
    Some(Parts {
        array: args.first()?.as_ref()?,
        dim: dim.filter(|_| !logical),
        mask: match logical {
            true => dim,
            false => i.argument(Dummy::Mask, args).filter(|_| !of_mask),
        },
        stream: i.argument(Dummy::Stream, args),
        back: i.argument(Dummy::Back, args),
    })
}

/// The stem of generated names.
pub(super) fn stem(i: Intrinsic) -> &'static str {
    i.name()
}

impl LoweringContext<'_, '_> {
    /// How a reduction combines the elements of an array; None where the device does not do it.
    pub(super) fn combination(
        &mut self,
        i: Reduction,
        array: &TExpr,
        result: &model::Type,
    ) -> Option<Combined> {
        use model::Type as T;
        let of = |fold, ty: &ir::Type| ArrayArg::Fold(fold, ty.clone());
        let fold = match i {
            Reduction::Sum => Fold::Sum,
            Reduction::Product => Fold::Product,
            Reduction::Maxval => Fold::Maxval,
            Reduction::Minval => Fold::Minval,
            Reduction::Any => Fold::Any,
            Reduction::All => Fold::All,
            Reduction::Count => Fold::Count,
            _ => return None,
        };
        let fits = matches!(
            (fold, &array.ty),
            (Fold::Any | Fold::All | Fold::Count, T::Logical(_))
                | (
                    Fold::Sum | Fold::Product,
                    T::Integer(_) | T::Real(4 | 8) | T::Complex(_)
                )
                | (Fold::Maxval | Fold::Minval, T::Integer(_) | T::Real(4 | 8))
        );
        let (value, result) = match fold {
            Fold::Any | Fold::All => (ir::Type::Bool, ir::Type::Bool),
            Fold::Count => (ir::Type::Bool, self.storage_type(result)?),
            _ => {
                let ty = self.storage_type(&array.ty)?;
                (ty.clone(), ty)
            }
        };
        fits.then(|| Combined {
            fold: of(fold, &result),
            value,
            result,
        })
    }

    pub(super) fn place_combination(&mut self, i: Location, array: &TExpr) -> Option<Combined> {
        use model::Type as T;
        let fold = match i {
            Location::Maxloc => Fold::Maxloc,
            Location::Minloc => Fold::Minloc,
            Location::Findloc => return None,
        };
        if !matches!(array.ty, T::Integer(_) | T::Real(4 | 8)) {
            return None;
        }
        let value = self.storage_type(&array.ty)?;
        Some(Combined {
            fold: ArrayArg::Fold(fold, value.clone()),
            value,
            result: ir::Type::Int(8),
        })
    }

    /// A mask of the shape of the array, or a scalar one.
    pub(super) fn is_mask(&self, mask: Option<&TExpr>, rank: i8) -> bool {
        let mut found = Memory::default();
        mask.is_none_or(|m| (m.rank == 0 || m.rank == rank) && self.is_computable(m, &mut found))
    }
}

/// A designator among the operands that is not seen through another function: its shape is that of the whole.
fn of_whole_shape(e: &TExpr) -> Option<&TExpr> {
    match &e.kind {
        _ if e.rank == 0 => None,
        _ if e.is_designator() => Some(e),
        TExprKind::Paren(x) | TExprKind::Unary { operand: x, .. } => of_whole_shape(x),
        TExprKind::Binary { lhs, rhs, .. } => of_whole_shape(lhs).or_else(|| of_whole_shape(rhs)),
        TExprKind::Intrinsic {
            intrinsic: Intrinsic::Shape(_),
            ..
        } => None,
        TExprKind::Intrinsic { args, .. } => args.iter().flatten().find_map(of_whole_shape),
        _ => None,
    }
}

impl Operation<'_, '_> {
    /// Value and mask of a reduction.
    pub(super) fn reduction_parts(&mut self, p: &Parts<'_>, value: &ir::Type) -> Option<()> {
        let rank = self.rank;
        self.part("value", "arrays", p.array, value, rank, None)?;
        if let Some(m) = p.mask {
            self.mask(m, rank)?;
        }
        Some(())
    }

    /// The launcher of a reference, if the device can do it.
    pub(super) fn reference(
        mut self,
        e: &TExpr,
        i: Intrinsic,
        args: &[Option<TExpr>],
    ) -> Option<Lowered> {
        if let Intrinsic::Product(Product::DotProduct) = i {
            return self.dot_product(e, args);
        }
        let p = parts(i, args)?;
        let stream = match p.stream {
            Some(s) => Some(self.cx.operands.as_ref()?.syntax_of(s.span)?),
            None => None,
        };
        if !self.cx.is_mask(p.mask, p.array.rank) {
            return None;
        }
        match i {
            Intrinsic::Reduction(r) if e.rank == 0 => {
                let c = self.cx.combination(r, p.array, &e.ty)?;
                self.reduction_parts(&p, &c.value)?;
                self.finish(Call {
                    function: ArrayFunction::Reduce,
                    targs: vec![c.fold],
                    result: c.result,
                    gives: ReturnKind::Value(e.ty.clone()),
                    stream,
                    span: e.span,
                })
            }
            Intrinsic::Location(l) if p.dim.is_none() || e.rank == 0 => {
                let c = self.cx.place_combination(l, p.array)?;
                let gives = match (p.dim, &e.ty) {
                    (Some(_), _) => ReturnKind::Value(model::Type::Integer(8)),
                    (None, model::Type::Integer(kind)) => {
                        let of = of_whole_shape(p.array)?;
                        let of = self.cx.operands.as_ref()?.syntax_of(of.span)?;
                        ReturnKind::Subscripts { kind: *kind, of }
                    }
                    _ => return None,
                };
                self.reduction_parts(&p, &c.value)?;
                self.flag("back", p.back)?;
                self.finish(Call {
                    function: ArrayFunction::Locate,
                    targs: vec![c.fold],
                    result: c.result,
                    gives,
                    stream,
                    span: e.span,
                })
            }
            _ => None,
        }
    }

    /// MASK of a reduction; an optional dummy may be absent.
    pub(super) fn mask(&mut self, mask: &TExpr, rank: usize) -> Option<()> {
        let optional = self.cx.is_optional(mask) && mask.rank > 0;
        let group = match optional {
            true => "optional_arrays",
            false => "arrays",
        };
        self.cx.operands.as_mut()?.may_be_absent = optional;
        self.part("mask", group, mask, &ir::Type::Bool, rank, None)
    }

    /// The sum of the products, or of logical vectors whether both are true somewhere.
    fn dot_product(mut self, e: &TExpr, args: &[Option<TExpr>]) -> Option<Lowered> {
        let [Some(a), Some(b), rest @ ..] = args else {
            return None;
        };
        if rest.iter().any(Option::is_some) {
            return None;
        }
        let (fold, ty) = self.product_of(a, b, e)?;
        self.finish(Call {
            function: ArrayFunction::Reduce,
            targs: vec![ArrayArg::Fold(fold, ty.clone())],
            result: ty,
            gives: ReturnKind::Value(e.ty.clone()),
            stream: None,
            span: e.span,
        })
    }

    /// The value part `a*b` of a scalar product, with the conjugate of a complex `a`; how such values are combined.
    pub(super) fn product_of(
        &mut self,
        a: &TExpr,
        b: &TExpr,
        e: &TExpr,
    ) -> Option<(Fold, ir::Type)> {
        let mut found = Memory::default();
        let computable =
            self.cx.is_computable(a, &mut found) && self.cx.is_computable(b, &mut found);
        if !computable || a.rank != b.rank || a.rank < 1 || matches!(e.ty, model::Type::Real(2)) {
            return None;
        }
        let logical = matches!(e.ty, model::Type::Logical(_));
        let conjugate = match &a.ty {
            model::Type::Complex(_) => TExpr {
                kind: TExprKind::Intrinsic {
                    intrinsic: crate::intrinsics::Numeric::Conjg.into(),
                    args: vec![Some(a.clone())],
                },
                ..a.clone()
            },
            _ => a.clone(),
        };
        let product = TExpr {
            kind: TExprKind::Binary {
                op: match logical {
                    true => ast::BinaryOp::And,
                    false => ast::BinaryOp::Mul,
                },
                lhs: Box::new(conjugate),
                rhs: Box::new(b.clone()),
            },
            ty: e.ty.clone(),
            rank: a.rank,
            value: None,
            span: e.span,
        };
        let (fold, ty) = match logical {
            true => (Fold::Any, ir::Type::Bool),
            false => (Fold::Sum, self.cx.storage_type(&e.ty)?),
        };
        let rank = self.rank;
        self.part("value", "arrays", &product, &ty, rank, None)?;
        Some((fold, ty))
    }
}
