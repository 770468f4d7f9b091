//! Functions of the intrinsic module IEEE_ARITHMETIC (F2018 17.11) in device code.

use crate::intrinsics::Numeric;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::LoopIndex;
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;

/// Actual arguments with their keywords.
type Args<'t> = &'t [(Option<String>, TExpr)];

impl LoweringContext<'_, '_> {
    /// A reference of a function of the module; None for those that device code lacks.
    pub fn ieee_function(&mut self, name: &str, args: Args<'_>, ix: &[LoopIndex]) -> Option<Expr> {
        let x = self.val(&args.first()?.1, ix);
        let ty = x.ty.plain().clone();
        if !matches!(ty, ir::Type::Real(4 | 8)) {
            return None;
        }
        let inquiry = |function: Function, x: Expr| Expr::call(function, vec![x], ir::Type::Bool);
        Some(match name {
            "ieee_is_nan" => inquiry(Function::IsNan, x),
            "ieee_is_finite" => inquiry(Function::IsFinite, x),
            "ieee_is_normal" => inquiry(Function::IsNormal, x),
            "ieee_is_negative" => inquiry(Function::IsNegative, x),
            "ieee_signbit" => inquiry(Function::SignBit, x),
            "ieee_unordered" => {
                let y = self.val(&args.get(1)?.1, ix);
                let (a, b) = (inquiry(Function::IsNan, x), inquiry(Function::IsNan, y));
                Expr::binary(ir::BinaryOp::Or, a, b, ir::Type::Bool)
            }
            "ieee_copy_sign" => {
                let y = convert(self.val(&args.get(1)?.1, ix), &ty);
                Expr::call(Numeric::Sign, vec![x, y], ty)
            }
            "ieee_next_up" | "ieee_next_down" => {
                let up = if name == "ieee_next_up" { 1 } else { -1 };
                let to = convert(Expr::int(up), &ty);
                Expr::call(Numeric::Nearest, vec![x, to], ty)
            }
            "ieee_value" => {
                let function = match self.ieee_class(&args.get(1)?.1)?.as_str() {
                    "ieee_quiet_nan" | "ieee_signaling_nan" => Function::NanLike,
                    "ieee_positive_inf" => Function::InfinityLike,
                    "ieee_negative_inf" => Function::NegativeInfinityLike,
                    _ => return None,
                };
                Expr::call(function, vec![x], ty)
            }
            _ => return None,
        })
    }

    /// The constant of the module that an argument names.
    fn ieee_class(&self, class: &TExpr) -> Option<String> {
        let written = self.source_text(class.span);
        let text = written.trim().to_ascii_lowercase();
        text.starts_with("ieee_").then_some(text)
    }
}
