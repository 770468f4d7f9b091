//! Intrinsic functions about an object, not its value.

use crate::intrinsics::{Inquiry, Intrinsic};
use crate::ir::{self, *};
use crate::lower::context::layout::size_of;
use crate::lower::context::rules::Designators;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::{conversion, convert, not_negative};
use crate::lower::value::place;
use crate::sema::expression::typed::*;

impl LoweringContext<'_, '_> {
    /// Functions about an object, not its value.
    pub(super) fn inquiry(
        &mut self,
        e: &TExpr,
        i: Inquiry,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        let first = args.first().and_then(Option::as_ref);
        use Inquiry::*;
        Some(match i {
            Size | Lbound | Ubound => {
                let a = first?;
                let dim = args.get(1).and_then(Option::as_ref);
                let Some(dim) = dim else {
                    if i != Size {
                        return None;
                    }
                    let n = self.sizes(a).into_iter().fold(Expr::int(1), Expr::times);
                    if n.is_simple() {
                        return Some(convert(n, ty));
                    }
                    if a.is_designator() && a.rank > 0 && matches!(a.kind, TExprKind::Variable(_)) {
                        let whole = self.array_place(a, &[]);
                        return Some(convert(
                            whole
                                .expr
                                .method(Method::Size, Vec::new(), ir::Type::Int(8)),
                            ty,
                        ));
                    }
                    return Some(convert(n, ty));
                };
                let whole = matches!(a.kind, TExprKind::Variable(_) | TExprKind::Component { .. })
                    && !place::base_is_ranged(a);
                let v = match dim.as_integer().and_then(|d| usize::try_from(d - 1).ok()) {
                    Some(d) if i == Size => self.extent_or_size(a, d),
                    Some(d) if whole => {
                        bound_of(&self.array_place(a, &[]).expr, inquiry_method(i)?, d)
                    }
                    Some(_) if i == Lbound => Expr::int(1),
                    Some(d) => self.extent_or_size(a, d),
                    None => {
                        let d = self.index_value(dim);
                        // A section begins at 1, whatever the bounds of its array.
                        let array = if whole {
                            self.array_place(a, &[]).expr
                        } else {
                            self.section(a)
                        };
                        let method = array.method(inquiry_method(i)?, vec![d], ir::Type::Int(8));
                        conversion(method, &ir::Type::Int(4))
                    }
                };
                convert(v, ty)
            }
            Present => {
                let root = first?.root()?;
                let ent = self.entity(root, e.span);
                match ent.optional {
                    Some(p) => {
                        let null = Expr::new(ExprKind::Null, ir::Type::Auto);
                        let data = match ent.expr.ty.plain() {
                            ir::Type::View { .. } if ent.expr.is_simple() => {
                                ent.expr.method(Method::Data, Vec::new(), ir::Type::Auto)
                            }
                            ir::Type::Text => ent.expr.field("text", ir::Type::Auto),
                            _ => Expr::name(&p, ir::Type::Auto),
                        };
                        Expr::binary(ir::BinaryOp::Ne, data, null, ir::Type::Bool)
                    }
                    None => Expr::bool(true),
                }
            }
            Associated | Allocated => {
                self.association(first?, args.get(1).and_then(Option::as_ref))
            }
            IsContiguous => {
                let s = self.section(first?);
                s.method(Method::Contiguous, Vec::new(), ir::Type::Bool)
            }
            Len => {
                let c = first?;
                let n = match self.trimmed_length(c) {
                    Some(n) => n,
                    None => self.text_length(c, ix),
                };
                convert(n, ty)
            }
            StorageSize | Sizeof => {
                let a = first?;
                let elem = self.storage_type(&a.ty)?;
                let bytes = size_of(&elem);
                let n = if i == StorageSize {
                    bytes.times(Expr::int(8))
                } else {
                    self.sizes(a).into_iter().fold(bytes, Expr::times)
                };
                convert(n, ty)
            }
            ExtendsTypeOf | Loc | Rank | SameTypeAs | Shape => return None,
        })
    }

    /// Extents that are values of the program: 0 where the bounds are further apart (F2018 8.5.8.2, 9.5.3.3.1).
    fn sizes(&mut self, a: &TExpr) -> Vec<Expr> {
        let extents = self.extents(a);
        let clamped = |n: Expr| match self.evaluate(&n) {
            Some(v) if v >= 0 => n,
            _ => not_negative(n),
        };
        extents.into_iter().map(clamped).collect()
    }

    fn extent_or_size(&mut self, a: &TExpr, d: usize) -> Expr {
        if let TExprKind::Variable(_) = a.kind {
            let whole = self.array_place(a, &[]);
            if !matches!(whole.expr.ty.plain(), ir::Type::Fixed { .. }) {
                return place::inquiry(&whole.expr, Method::Size, d);
            }
        }
        self.sizes(a).into_iter().nth(d).unwrap_or(Expr::int(1))
    }

    /// SHAPE, LBOUND or UBOUND of all dimensions: an array.
    pub(super) fn inquiry_of_all(
        &mut self,
        e: &TExpr,
        i: Inquiry,
        a: &TExpr,
        args: Args<'_>,
    ) -> Option<Entity> {
        let values = match i {
            Inquiry::Shape => self.sizes(a),
            Inquiry::Lbound | Inquiry::Ubound if args.get(1).is_none_or(Option::is_none) => {
                let whole = matches!(a.kind, TExprKind::Variable(_) | TExprKind::Component { .. })
                    && !place::base_is_ranged(a);
                let which = inquiry_method(i)?;
                if whole {
                    let whole = self.array_place(a, &[]).expr;
                    (0..whole.ty.rank())
                        .map(|d| bound_of(&whole, which, d))
                        .collect()
                } else if which == Method::Lbound {
                    vec![Expr::int(1); usize::try_from(a.rank).ok()?]
                } else {
                    self.sizes(a)
                }
            }
            _ => return None,
        };
        let elem = self.storage_type(&e.ty)?;
        let values = values.into_iter().map(|v| convert(v, &elem)).collect();
        let list = Expr::new(ExprKind::List(values), ir::Type::Auto);
        let init = Init::Value(Expr::new(ExprKind::List(vec![list]), ir::Type::Auto));
        Some(self.declare_array(elem, &[Expr::int(i64::from(a.rank))], init))
    }
}

/// The type of answers that need no type of the program.
pub(super) fn inquiry_type(i: Intrinsic) -> Option<ir::Type> {
    use Inquiry::*;
    let yes_or_no = matches!(
        i,
        Intrinsic::Inquiry(Present | Associated | Allocated | IsContiguous)
    );
    yes_or_no.then_some(ir::Type::Bool)
}

/// The method of arrays for SIZE, LBOUND or UBOUND.
fn inquiry_method(i: Inquiry) -> Option<Method> {
    Some(match i {
        Inquiry::Size => Method::Size,
        Inquiry::Lbound => Method::Lbound,
        Inquiry::Ubound => Method::Ubound,
        _ => return None,
    })
}

/// LBOUND or UBOUND of a dimension of a whole array. Bounds of an empty one are 1 and 0, which the object knows.
fn bound_of(whole: &Expr, which: Method, d: usize) -> Expr {
    let known = match whole.ty.plain() {
        ir::Type::Fixed { dims, .. } => dims
            .get(d)
            .filter(|x| x.extent() > 0)
            .map(|x| if which == Method::Lbound { x.lo } else { x.hi }),
        _ => None,
    };
    match known {
        Some(v) => Expr::int(v),
        None => place::inquiry(whole, which, d),
    }
}
