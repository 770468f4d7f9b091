//! Intrinsic functions of characters.

use crate::intrinsics::{Intrinsic, Text};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::value::convert::{convert, to_bool};
use crate::lower::value::text::character_object;
use crate::sema::expression::typed::*;

impl LoweringContext<'_, '_> {
    /// Intrinsic functions of characters.
    pub(super) fn characters(
        &mut self,
        i: Text,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        let int = ir::Type::Int(4);
        let logical = |cx: &mut Self, i: usize| match args.get(i) {
            Some(Some(_)) => {
                let v = cx.arg(args, i, ix);
                Some(to_bool(v))
            }
            _ => None,
        };
        use Text::*;
        Some(match i {
            Char | Achar => {
                let code = self.arg_as(args, 0, &int, ix);
                Expr::call(i, vec![code], ir::Type::Character(1))
            }
            Ichar | Iachar | LenTrim | Lnblnk => {
                let c = self.arg(args, 0, ix);
                let function = if i == Lnblnk { LenTrim } else { i };
                convert(Expr::call(function, vec![c], int), ty)
            }
            Index | Scan | Verify => {
                let mut v = vec![self.arg(args, 0, ix), self.arg(args, 1, ix)];
                v.extend(logical(self, 2));
                convert(Expr::call(i, v, int), ty)
            }
            Adjustl | Adjustr => {
                let c = character_object(self.arg(args, 0, ix));
                let ty = c.ty.plain().clone();
                Expr::call(i, vec![c], ty)
            }
            Trim => {
                let c = self.arg(args, 0, ix);
                Expr::call(i, vec![c], ir::Type::Text)
            }
            Repeat => {
                let c = self.arg(args, 0, ix);
                let n = self.arg_as(args, 1, &int, ix);
                match (&c.ty, n.as_int().and_then(|n| i64::try_from(n).ok())) {
                    (ir::Type::Character(length), Some(copies)) if *length > 0 && copies > 0 => {
                        let ty = ir::Type::Character(length.saturating_mul(copies));
                        let copies = vec![TemplateArg::Int(copies)];
                        Expr::call_of(i, copies, vec![character_object(c)], ty)
                    }
                    _ => Expr::call(i, vec![c, n], ir::Type::Text),
                }
            }
            Lge | Lgt | Lle | Llt => {
                let op = match i {
                    Lge => ir::BinaryOp::Ge,
                    Lgt => ir::BinaryOp::Gt,
                    Lle => ir::BinaryOp::Le,
                    _ => ir::BinaryOp::Lt,
                };
                let (a, b) = (args.first()?.as_ref()?, args.get(1)?.as_ref()?);
                self.character_relation(op, a, b, ix)
            }
            NewLine => return None,
        })
    }

    /// LEN(TRIM(x)): the one value of varying length whose length needs no object.
    pub(super) fn trimmed_length(&mut self, e: &TExpr) -> Option<Expr> {
        match &e.kind {
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Text(Text::Trim),
                args,
            } => {
                let x = self.value(args.first()?.as_ref()?);
                Some(Expr::call(Text::LenTrim, vec![x], ir::Type::Int(4)))
            }
            _ => None,
        }
    }
}
