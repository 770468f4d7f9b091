//! Intrinsic functions of bits.

use crate::intrinsics::Bits;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::value::convert::convert;
use crate::lower::value::expr::narrow;
use crate::sema::expression::typed::*;
use crate::sema::model;

impl LoweringContext<'_, '_> {
    /// Functions of bits.
    pub(super) fn bits(
        &mut self,
        e: &TExpr,
        i: Bits,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        let int = ir::Type::Int(4);
        use Bits::*;
        Some(match i {
            Iand | Ior | Ieor | And | Or | Xor => {
                let op = match i {
                    Iand | And => ir::BinaryOp::BitAnd,
                    Ior | Or => ir::BinaryOp::BitOr,
                    _ => ir::BinaryOp::BitXor,
                };
                let ty = match ty {
                    ir::Type::Bool => return None,
                    t => t.clone(),
                };
                // threadIdx.x & 31
                if op == ir::BinaryOp::BitAnd
                    && ty == int
                    && let [Some(a), Some(b)] = args
                    && b.as_integer().is_some_and(|v| v >= 0)
                    && a.ty != model::Type::Boz
                {
                    return Some(self.with_constant(op, a, b, ix));
                }
                let a = self.arg_as(args, 0, &ty, ix);
                let b = self.arg_as(args, 1, &ty, ix);
                narrow(Expr::binary(op, a, b, ty), &e.ty)
            }
            Not => {
                let a = self.arg_as(args, 0, ty, ix);
                let ones = Expr::new(ExprKind::Int(-1), ty.clone());
                narrow(
                    Expr::binary(ir::BinaryOp::BitXor, a, ones, ty.clone()),
                    &e.ty,
                )
            }
            Ishft | Shiftl | Shiftr | Shifta | Lshift | Rshift | Ibset | Ibclr => {
                let function = match i {
                    Lshift => Shiftl,
                    Rshift => Shifta,
                    i => i,
                };
                let a = self.arg_as(args, 0, ty, ix);
                let s = self.arg_as(args, 1, &int, ix);
                Expr::call(function, vec![a, s], ty.clone())
            }
            Btest => {
                let a = self.arg(args, 0, ix);
                let s = self.arg_as(args, 1, &int, ix);
                Expr::call(i, vec![a, s], ir::Type::Bool)
            }
            Ishftc => {
                let mut v = vec![self.arg_as(args, 0, ty, ix), self.arg_as(args, 1, &int, ix)];
                if args.get(2).is_some_and(Option::is_some) {
                    v.push(self.arg_as(args, 2, &int, ix));
                }
                Expr::call(i, v, ty.clone())
            }
            Ibits => {
                let v = vec![
                    self.arg_as(args, 0, ty, ix),
                    self.arg_as(args, 1, &int, ix),
                    self.arg_as(args, 2, &int, ix),
                ];
                Expr::call(i, v, ty.clone())
            }
            Dshiftl | Dshiftr => {
                let v = vec![
                    self.arg_as(args, 0, ty, ix),
                    self.arg_as(args, 1, ty, ix),
                    self.arg_as(args, 2, &int, ix),
                ];
                Expr::call(i, v, ty.clone())
            }
            MergeBits => {
                let v = (0..3).map(|n| self.arg_as(args, n, ty, ix)).collect();
                Expr::call(i, v, ty.clone())
            }
            Bge | Bgt | Ble | Blt => {
                let k = args.iter().flatten().filter_map(|a| match a.ty {
                    model::Type::Integer(k) => Some(k),
                    _ => None,
                });
                let wide = ir::Type::Int(k.max().unwrap_or(4));
                let v = (0..2).map(|n| self.arg_as(args, n, &wide, ix)).collect();
                let same_kind = args.iter().flatten().all(|a| {
                    self.storage_type(&a.ty).as_ref() == Some(&wide) || a.ty == model::Type::Boz
                });
                if !same_kind {
                    return None;
                }
                Expr::call(i, v, ir::Type::Bool)
            }
            Popcnt | Leadz | Trailz | Poppar => {
                let a = self.arg(args, 0, ix);
                convert(Expr::call(i, vec![a], int), ty)
            }
            Maskl | Maskr => {
                let a = self.arg_as(args, 0, &int, ix);
                let targs = if *ty == int {
                    Vec::new()
                } else {
                    vec![TemplateArg::Type(ty.clone())]
                };
                Expr::call_of(i, targs, vec![a], ty.clone())
            }
        })
    }
}
