//! Intrinsic functions that compute numbers from numbers, or choose one of their arguments.

use crate::intrinsics::{Choice, Numeric};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::value::array::is_character;
use crate::lower::value::convert::{convert, to_bool};
use crate::lower::value::text::character_object;
use crate::sema::expression::dependence;
use crate::sema::expression::typed::*;
use crate::sema::model;

impl LoweringContext<'_, '_> {
    /// Numbers computed from numbers.
    pub(super) fn numeric(
        &mut self,
        i: Numeric,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        use Numeric::*;
        Some(match i {
            Acos | Acosh | Asin | Asinh | Atanh | BesselJ0 | BesselJ1 | BesselY0 | BesselY1
            | Conjg | Cos | Cosh | Erf | Erfc | ErfcScaled | Exp | Fraction | Gamma | Log
            | Log10 | LogGamma | Rrspacing | Sin | Sinh | Spacing | Sqrt | Tan | Tanh => {
                let x = self.arg_as(args, 0, ty, ix);
                Expr::call(i, vec![x], ty.clone())
            }
            Atan | Atan2 => {
                let mut v = vec![self.arg_as(args, 0, ty, ix)];
                let two = args.get(1).is_some_and(Option::is_some);
                if two {
                    v.push(self.arg_as(args, 1, ty, ix));
                }
                let function = if two && i == Atan { Atan2 } else { i };
                Expr::call(function, v, ty.clone())
            }
            Abs => {
                let x = self.arg(args, 0, ix);
                Expr::call(i, vec![x], ty.clone())
            }
            Hypot | Dim | Sign | Modulo => {
                let v = vec![self.arg_as(args, 0, ty, ix), self.arg_as(args, 1, ty, ix)];
                Expr::call(i, v, ty.clone())
            }
            Mod => {
                if let (Some(Some(a)), Some(Some(p))) = (args.first(), args.get(1))
                    && *ty == ir::Type::Int(4)
                    && p.as_integer().is_some_and(|m| m > 0)
                {
                    return Some(self.with_constant(ir::BinaryOp::Rem, a, p, ix));
                }
                let v = vec![self.arg_as(args, 0, ty, ix), self.arg_as(args, 1, ty, ix)];
                Expr::call(i, v, ty.clone())
            }
            Dprod => {
                let d = ir::Type::Real(8);
                let v = [self.arg_as(args, 0, &d, ix), self.arg_as(args, 1, &d, ix)];
                let [a, b] = v;
                Expr::binary(ir::BinaryOp::Mul, a, b, d)
            }
            BesselJn | BesselYn => {
                let n = self.arg_as(args, 0, &ir::Type::Int(4), ix);
                let x = self.arg_as(args, 1, ty, ix);
                Expr::call(i, vec![n, x], ty.clone())
            }
            Scale | SetExponent => {
                let x = self.arg_as(args, 0, ty, ix);
                let by = self.arg(args, 1, ix);
                Expr::call(i, vec![x, by], ty.clone())
            }
            Nearest => {
                let x = self.arg_as(args, 0, ty, ix);
                let s = self.arg(args, 1, ix);
                Expr::call(i, vec![x, s], ty.clone())
            }
            Exponent => {
                let x = self.arg(args, 0, ix);
                Expr::call(i, vec![x], ty.clone())
            }
            Isnan => {
                let x = self.arg(args, 0, ix);
                let x = if x.is_simple() {
                    x
                } else {
                    self.temporary_at(x, ix)?
                };
                Expr::binary(ir::BinaryOp::Ne, x.clone(), x, ir::Type::Bool)
            }
            // Extensions that the guide does not name for device code (3.6.3).
            Acosd | Asind | Atan2d | Atand | Cosd | Cotan | Cotand | Sind | Tand => return None,
        })
    }

    /// A temporary is only possible outside of a loop nest.
    fn temporary_at(&mut self, x: Expr, ix: &[LoopIndex]) -> Option<Expr> {
        if ix.is_empty() {
            Some(self.temporary(x))
        } else {
            Some(x)
        }
    }

    /// One of the arguments.
    pub(super) fn choice(
        &mut self,
        e: &TExpr,
        i: Choice,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        Some(match i {
            Choice::Max | Choice::Min if args.iter().flatten().any(|a| is_character(&a.ty)) => {
                let function = match i {
                    Choice::Max => Function::MaxText,
                    _ => Function::MinText,
                };
                let v = (0..args.len()).filter(|n| args[*n].is_some());
                let v = v.map(|n| self.arg(args, n, ix)).collect();
                match &e.ty {
                    model::Type::Character(model::CharacterLength::Constant(n)) if *n > 0 => {
                        let length = vec![TemplateArg::Int(*n)];
                        Expr::call_of(function, length, v, ir::Type::Character(*n))
                    }
                    _ => Expr::call(function, v, ir::Type::Text),
                }
            }
            Choice::Max | Choice::Min => {
                // max1 and the like compare in real and convert the result.
                let wide = args.iter().flatten().map(|a| a.ty.clone()).fold(
                    None,
                    |t: Option<model::Type>, a| match (t, a) {
                        (Some(model::Type::Real(x)), model::Type::Real(y)) => {
                            Some(model::Type::Real(x.max(y)))
                        }
                        (Some(t @ model::Type::Real(_)), _) => Some(t),
                        (_, a) => Some(a),
                    },
                )?;
                let compare = match (&wide, ty) {
                    (model::Type::Real(k), ir::Type::Int(_)) => ir::Type::Real(*k),
                    _ => ty.clone(),
                };
                let v = (0..args.len())
                    .filter(|n| args[*n].is_some())
                    .map(|n| self.arg_as(args, n, &compare, ix))
                    .collect();
                convert(Expr::call(i, v, compare), ty)
            }
            Choice::Merge => {
                let ty = self.storage_type(&e.ty)?;
                let ty = if ty.is_logical() { ir::Type::Bool } else { ty };
                let t = character_object(self.arg_as(args, 0, &ty, ix));
                let f = character_object(self.arg_as(args, 1, &ty, ix));
                let mask = self.arg(args, 2, ix);
                // Both values are evaluated: one may be a shuffle or a function that changes something. Where that is the
                // same, a conditional expression reads best.
                let called = args.iter().take(2).flatten().any(dependence::calls);
                if called && !is_character(&e.ty) {
                    let of = vec![TemplateArg::Type(ty.clone())];
                    return Some(Expr::call_of(i, of, vec![t, f, to_bool(mask)], ty));
                }
                Expr::new(
                    ExprKind::Conditional {
                        cond: Box::new(to_bool(mask)),
                        then: Box::new(t),
                        otherwise: Box::new(f),
                    },
                    ty,
                )
            }
        })
    }
}
