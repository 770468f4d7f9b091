//! real(2) on the host, which gfortran does not have: the type cuf_half of the runtime (docs/decisions.md, 44).

use super::Pass;
use crate::ast::{Expr, Span, TypeSpec};
use crate::sema::intrinsics::is_inquiry;
use crate::sema::model::{ScopeId, Type};
use crate::sema::typed::*;

/// The host's type for real(2).
const HALF: &str = "type(cuf_half)";

fn is_half(e: &TExpr) -> bool {
    e.ty == Type::Real(2)
}

impl Pass<'_> {
    /// The text of a type specifier where it has to change.
    pub(super) fn half_spec(&mut self, spec: &TypeSpec, scope: ScopeId) -> Option<&'static str> {
        if self.model.type_of_spec(scope, spec) != Type::Real(2) {
            return None;
        }
        self.unit.runtime = true;
        Some(HALF)
    }

    /// Rewrites the type specifier of a declaration that otherwise stays.
    pub(super) fn rewrite_half_spec(&mut self, spec: &TypeSpec, scope: ScopeId) {
        if let Some(text) = self.half_spec(spec, scope) {
            self.edits.replace(spec.span, text);
        }
    }

    /// Constants and intrinsic functions of real(2); true if the expression has been dealt with.
    pub(super) fn half_value(&mut self, e: &TExpr) -> bool {
        match &e.kind {
            TExprKind::Constant { symbol: None } if is_half(e) => {
                let text = self.slice(e.span);
                let Some((number, _)) = text.split_once('_') else {
                    return false;
                };
                self.unit.runtime = true;
                self.edits.replace(e.span, format!("cuf_half({number})"));
                true
            }
            TExprKind::Intrinsic { name, args } => self.half_intrinsic(e, name, args),
            _ => false,
        }
    }

    fn half_intrinsic(&mut self, e: &TExpr, name: &str, args: &[Option<TExpr>]) -> bool {
        let halves = args.iter().flatten().any(is_half);
        if is_inquiry(name) || !(halves || is_half(e)) {
            return false;
        }
        self.unit.runtime = true;
        if let ("real", true, Some(Some(x))) = (name, is_half(e), args.first()) {
            // `real(x, kind=2)`: the conversion function; of a half it is the half.
            let open = Span {
                start: e.span.start,
                end: x.span.start,
            };
            let close = Span {
                start: x.span.end,
                end: e.span.end,
            };
            self.edits
                .replace(open, if is_half(x) { "(" } else { "cuf_half(" });
            self.value(x);
            self.edits.replace(close, ")");
            return true;
        }
        if is_half(e) {
            self.edits.insert(e.span.start, "cuf_half(");
        }
        for a in args.iter().flatten() {
            self.single(a);
        }
        if is_half(e) {
            self.edits.insert(e.span.end, ")");
        }
        true
    }

    /// An output list: halves are written as single precision.
    pub(super) fn output_items(&mut self, items: &[Expr]) {
        for e in items {
            let t = self.expr(e);
            self.single(&t);
        }
    }

    /// A value, in single precision if it is a half.
    fn single(&mut self, e: &TExpr) {
        if !is_half(e) {
            return self.value(e);
        }
        self.unit.runtime = true;
        self.edits.insert(e.span.start, "cuf_real(");
        self.value(e);
        self.edits.insert(e.span.end, ")");
    }
}
