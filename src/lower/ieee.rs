//! Functions of the intrinsic module IEEE_ARITHMETIC (F2018 17.11) in device code.

use super::context::Cx;
use super::convert::convert;
use super::expr::Ix;
use crate::ir::{self, *};
use crate::sema::typed::*;

/// Actual arguments with their keywords.
type Args<'t> = &'t [(Option<String>, TExpr)];

impl Cx<'_, '_> {
    /// A reference of a function of the module; None for those that device code lacks.
    pub fn ieee_function(&mut self, name: &str, args: Args<'_>, ix: &[Ix]) -> Option<Expr> {
        let x = self.val(&args.first()?.1, ix);
        let ty = x.ty.plain().clone();
        if !matches!(ty, ir::Type::Real(4 | 8)) {
            return None;
        }
        let inquiry = |function: &str, x: Expr| Expr::cuf(function, vec![x], ir::Type::Bool);
        Some(match name {
            "ieee_is_nan" => inquiry("is_nan", x),
            "ieee_is_finite" => inquiry("is_finite", x),
            "ieee_is_normal" => inquiry("is_normal", x),
            "ieee_is_negative" => inquiry("is_negative", x),
            "ieee_signbit" => inquiry("sign_bit", x),
            "ieee_unordered" => {
                let y = self.val(&args.get(1)?.1, ix);
                let (a, b) = (inquiry("is_nan", x), inquiry("is_nan", y));
                Expr::binary(ir::BinaryOp::Or, a, b, ir::Type::Bool)
            }
            "ieee_copy_sign" => {
                let y = convert(self.val(&args.get(1)?.1, ix), &ty);
                Expr::cuf("sign", vec![x, y], ty)
            }
            "ieee_next_up" | "ieee_next_down" => {
                let up = if name == "ieee_next_up" { 1 } else { -1 };
                let to = convert(Expr::int(up), &ty);
                Expr::cuf("nearest", vec![x, to], ty)
            }
            "ieee_value" => {
                let function = match self.ieee_class(&args.get(1)?.1)?.as_str() {
                    "ieee_quiet_nan" | "ieee_signaling_nan" => "nan_like",
                    "ieee_positive_inf" => "infinity_like",
                    "ieee_negative_inf" => "negative_infinity_like",
                    _ => return None,
                };
                Expr::cuf(function, vec![x], ty)
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
