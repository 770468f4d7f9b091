//! Intrinsic functions that convert, round and take numbers apart.

use crate::intrinsics::Conversion;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::value::convert::{convert, real_literal};
use crate::sema::model;

impl LoweringContext<'_, '_> {
    /// Conversions, parts of numbers, rounding.
    pub(super) fn conversion_of(
        &mut self,
        i: Conversion,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        use Conversion::*;
        Some(match i {
            Int | Real | Logical | Realpart => self.arg_as(args, 0, ty, ix),
            Cmplx => {
                let ir::Type::Complex(k) = *ty else {
                    return None;
                };
                let part = ir::Type::Real(k);
                match (args.first()?.as_ref(), args.get(1).and_then(Option::as_ref)) {
                    (Some(a), None) if matches!(a.ty, model::Type::Complex(_)) => {
                        let v = self.val(a, ix);
                        convert(v, ty)
                    }
                    (_, y) => {
                        let re = self.arg_as(args, 0, &part, ix);
                        let im = if y.is_some() {
                            self.arg_as(args, 1, &part, ix)
                        } else {
                            real_literal(0.0, k)
                        };
                        Expr::new(ExprKind::Object(vec![re, im]), ty.clone())
                    }
                }
            }
            Aimag => {
                let z = self.arg(args, 0, ix);
                z.field("im", ty.clone())
            }
            Nint | Floor | Ceiling => {
                let x = self.arg(args, 0, ix);
                let targs = if *ty == ir::Type::Int(4) {
                    Vec::new()
                } else {
                    vec![TemplateArg::Type(ty.clone())]
                };
                Expr::call_of(i, targs, vec![x], ty.clone())
            }
            Aint | Anint => {
                let x = self.arg(args, 0, ix);
                let from = x.ty.plain().clone();
                convert(Expr::call(i, vec![x], from), ty)
            }
            OutOfRange => {
                let mold = args.get(1)?.as_ref()?;
                let to = vec![TemplateArg::Type(self.storage_type(&mold.ty)?)];
                let mut values = vec![self.arg(args, 0, ix)];
                if args.get(2).is_some_and(Option::is_some) {
                    values.push(self.arg_as(args, 2, &ir::Type::Bool, ix));
                }
                convert(Expr::call_of(i, to, values, ir::Type::Bool), ty)
            }
            Complex | Long | Short => return None,
        })
    }
}
