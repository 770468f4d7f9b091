//! real(2) on the host, which gfortran does not have: the type cuf_half of the runtime (docs/decisions.md, 44).

use crate::ast::{CaseGuard, Expr, Select, Span, TypeSpec};
use crate::host::context::HostRewriter;
use crate::host::context::names::CUF;
use crate::host::context::rules::Values;
use crate::intrinsics::{Conversion, Intrinsic};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::{Constant, ScopeId, Type};

/// The host's type for real(2).
const HALF: &str = "type(\u{1}cuf_half)";

fn is_half(e: &TExpr) -> bool {
    e.ty == Type::Real(2)
}

fn constant(value: &Constant) -> Option<String> {
    let number = |v: f64| {
        #[allow(clippy::cast_possible_wrap)]
        let bits = half_bits(v) as i16;
        // gfortran has no literal of -32768.
        match bits {
            i16::MIN => format!("{CUF}half(bits=-32767_2 - 1_2)"),
            _ => format!("{CUF}half(bits={bits}_2)"),
        }
    };
    Some(match value {
        Constant::Real(v, _) => number(*v),
        #[allow(clippy::cast_precision_loss)]
        Constant::Integer(v, _) => number(*v as f64),
        Constant::Array(items, extents) if extents.len() == 1 => {
            let items: Option<Vec<String>> = items.iter().map(constant).collect();
            format!("[{}]", items?.join(", "))
        }
        _ => return None,
    })
}

/// Bits of the half nearest to a value, ties to even.
fn half_bits(v: f64) -> u16 {
    let sign = if v.is_sign_negative() { 0x8000 } else { 0 };
    let a = v.abs();
    if a.is_nan() {
        return sign | 0x7e00;
    }
    // Subnormal numbers are multiples of 2^-24; others have 11 bits.
    let exponent = if a < 2f64.powi(-14) {
        -14
    } else {
        a.log2().floor() as i32
    };
    if exponent > 15 {
        return sign | 0x7c00;
    }
    let unit = 2f64.powi(exponent - 10);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let steps = (a / unit).round_ties_even() as u16;
    // The leading bit of a normal number counts one up in the exponent field.
    #[allow(clippy::cast_sign_loss)]
    let field = ((exponent + 14) as u16) << 10;
    let bits = field + steps;
    sign | bits.min(0x7c00)
}

impl HostRewriter<'_> {
    /// Leaves out a block of SELECT TYPE for real(2), which nothing polymorphic has in host code (the checks see to that).
    pub(in crate::translation::host) fn dropped_guard(
        &mut self,
        select: &Select,
        k: usize,
    ) -> bool {
        let Some(case) = select.cases.get(k) else {
            return false;
        };
        let CaseGuard::TypeIs(spec) = &case.guard else {
            return false;
        };
        if self.model.type_of_spec(self.scope, spec) != Type::Real(2) {
            return false;
        }
        let next = select.cases.get(k + 1).map_or(select.end, |c| c.header);
        let span = Span {
            start: self.line_start(case.header.start),
            end: self.line_start(next.start),
        };
        self.edits.delete(Rule::Dialect, span);
        true
    }

    /// The unit has data of real(2): assignment between this and other numbers is a procedure. It is in a module of its own because gfortran
    /// would call it for CLASS(*), too.
    pub(in crate::translation::host) fn uses_halves(&mut self) {
        self.unit.runtime = true;
        self.unit
            .extra_uses
            .insert("use cuf_half_assignment".to_owned());
    }

    /// The host's type for real(2), in generated declarations.
    pub(in crate::translation::host) fn half_type(&mut self) -> String {
        self.uses_halves();
        HALF.to_owned()
    }

    /// The text of a type specifier where it has to change.
    pub(in crate::translation::host) fn half_spec(
        &mut self,
        spec: &TypeSpec,
        scope: ScopeId,
    ) -> Option<&'static str> {
        if self.model.type_of_spec(scope, spec) != Type::Real(2) {
            return None;
        }
        self.uses_halves();
        Some(HALF)
    }

    /// Rewrites the type specifier of a declaration that otherwise stays.
    pub(in crate::translation::host) fn rewrite_half_spec(
        &mut self,
        spec: &TypeSpec,
        scope: ScopeId,
    ) {
        if let Some(text) = self.half_spec(spec, scope) {
            self.edits.replace(Rule::Half, spec.span, text);
        }
    }

    /// An initial value of real(2) as a constant expression of the type cuf_half: by its bits.
    pub(in crate::translation::host) fn half_init(
        &self,
        value: &Expr,
        ty: &Type,
        scope: ScopeId,
    ) -> Option<String> {
        if *ty != Type::Real(2) {
            return None;
        }
        constant(&self.model.expr(scope, value).value?)
    }

    /// Constants and intrinsic functions of real(2); true if the expression has been dealt with.
    pub(in crate::translation::host) fn half_value(&mut self, e: &TExpr) -> bool {
        match &e.kind {
            TExprKind::Constant { symbol: None } if is_half(e) => {
                let text = self.slice(e.span);
                let Some((number, _)) = text.split_once('_') else {
                    return false;
                };
                self.uses_halves();
                self.edits
                    .replace(Rule::Half, e.span, format!("{CUF}half({number})"));
                true
            }
            TExprKind::Intrinsic { intrinsic, args } => self.half_intrinsic(e, *intrinsic, args),
            _ => false,
        }
    }

    fn half_intrinsic(&mut self, e: &TExpr, intrinsic: Intrinsic, args: &[Option<TExpr>]) -> bool {
        let halves = args.iter().flatten().any(is_half);
        if intrinsic.is_inquiry() || !(halves || is_half(e)) {
            return false;
        }
        self.uses_halves();
        if intrinsic == Intrinsic::Conversion(Conversion::Real)
            && let (true, Some(Some(x))) = (is_half(e), args.first())
        {
            // `real(x, kind=2)`: the conversion function; of a half it is the half.
            let open = Span {
                start: e.span.start,
                end: x.span.start,
            };
            let close = Span {
                start: x.span.end,
                end: e.span.end,
            };
            let function = match is_half(x) {
                true => String::new(),
                false => format!("{CUF}half"),
            };
            self.edits.replace(Rule::Half, open, function + "(");
            self.value(x);
            self.edits.replace(Rule::Half, close, ")");
            return true;
        }
        if is_half(e) {
            self.edits
                .insert(Rule::Half, e.span.start, format!("{CUF}half("));
        }
        for a in args.iter().flatten() {
            self.single(a);
        }
        if is_half(e) {
            self.edits.insert(Rule::Half, e.span.end, ")");
        }
        true
    }

    /// An output list: halves are written as single precision.
    pub(in crate::translation::host) fn output_items(&mut self, items: &[Expr]) {
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
        self.uses_halves();
        self.edits
            .insert(Rule::Half, e.span.start, format!("{CUF}real("));
        self.value(e);
        self.edits.insert(Rule::Half, e.span.end, ")");
    }
}

#[cfg(test)]
mod tests {
    use super::half_bits;

    #[test]
    fn bits_of_halves() {
        let cases = [
            (0.0, 0),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.5, 0xc100),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (1.0 / 3.0, 0x3555),
            (2049.0, 0x6800),
            (6.103_515_625e-5, 0x0400),
            (5.960_464_477_539_063e-8, 1),
            (2.0e-8, 0),
        ];
        for (v, bits) in cases {
            assert_eq!(half_bits(v), bits, "{v}");
        }
    }
}
