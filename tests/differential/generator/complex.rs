//! Complex expressions.

use super::Generator;
use super::expr::{Expr, Ty, call, level};

impl Generator {
    /// A complex of this kind.
    pub fn complex(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Complex(kind);
        if depth == 0 || self.random.chance(20) {
            return self.complex_leaf(kind);
        }
        let d = depth - 1;
        let e = match self.random.below(24) {
            0..=5 => {
                self.sums = true;
                let (a, b) = self.complex_pair(kind, d);
                let op = self.random.pick(&["+", "-"]);
                a.binary(op, &b, level::SUM, ty).within(a.bound + b.bound)
            }
            6..=9 => {
                self.sums = true;
                self.products = true;
                let (a, b) = self.complex_pair(kind, d);
                let Some(a) = self.varying(a) else {
                    return self.complex_leaf(kind);
                };
                a.binary("*", &b, level::PRODUCT, ty)
                    .within(2.0 * a.bound * b.bound)
            }
            10..=11 => {
                self.sums = true;
                self.products = true;
                let a = self.complex(kind, d);
                let Some(a) = self.varying(a) else {
                    return self.complex_leaf(kind);
                };
                let re = self.real_denominator(kind, d);
                let im = self.real(kind, d);
                a.binary(
                    "/",
                    &Expr::primary(format!("cmplx({}, {}, {kind})", re.text, im.text), ty),
                    level::PRODUCT,
                    ty,
                )
                .within(a.bound * 8.0)
            }
            12 => {
                let a = self.complex(kind, d);
                let Some(a) = self.varying(a) else {
                    return self.complex_leaf(kind);
                };
                let b = self.real_denominator(kind, d);
                a.binary("/", &b, level::PRODUCT, ty).within(a.bound * 4.0)
            }
            13 => self.complex(kind, d).negated(),
            14..=15 => {
                let a = self.complex(kind, d);
                call("conjg", &[&a], ty).within(a.bound)
            }
            16..=17 => {
                let (a, b) = (self.real(kind, d), self.real(kind, d));
                Expr::primary(format!("cmplx({}, {}, {kind})", a.text, b.text), ty)
                    .within(a.bound.max(b.bound))
            }
            18 => {
                let a = self.real(kind, d);
                Expr::primary(format!("cmplx({}, kind={kind})", a.text), ty).within(a.bound)
            }
            19 => {
                let a = self.complex(12 - kind, d);
                Expr::primary(format!("cmplx({}, kind={kind})", a.text), ty).within(a.bound)
            }
            20 => {
                let (a, b) = (self.complex(kind, d), self.complex(kind, d));
                let mask = self.logical(4, d);
                if self.constant(&mask) {
                    return a;
                }
                call("merge", &[&a, &b, &mask], ty).within(a.bound.max(b.bound))
            }
            21..=22 if self.shape.is_empty() => self.complex_reduction(kind, d),
            23 => match self.function_reference(ty, d) {
                Some(e) => e,
                None => self.complex_leaf(kind),
            },
            _ => self.complex_leaf(kind),
        };
        self.clamped_complex(e, if kind == 4 { 1.0e12 } else { 1.0e40 })
    }

    fn complex_leaf(&mut self, kind: u8) -> Expr {
        let ty = Ty::Complex(kind);
        if self.random.chance(80)
            && let Some(e) = self.reference(ty)
        {
            return e;
        }
        self.literal(ty)
    }

    fn complex_pair(&mut self, kind: u8, depth: u32) -> (Expr, Expr) {
        let a = self.complex(kind, depth);
        let b = match self.random.below(10) {
            0..=1 => self.real(kind, depth),
            2 => self.integer(4, depth).within(2.2e9),
            3 if kind == 8 => self.complex(4, depth),
            _ => self.complex(kind, depth),
        };
        if self.random.chance(50) {
            (a, b)
        } else {
            (b, a)
        }
    }

    /// The value, or for large bounds the parts' remainders.
    pub fn clamped_complex(&mut self, e: Expr, bound: f64) -> Expr {
        let Ty::Complex(kind) = e.ty else { return e };
        if e.bound <= bound {
            return e;
        }
        let limit = if kind == 4 { "99.0" } else { "99.0_8" };
        let text = format!(
            "cmplx(mod(real({0}, {kind}), {limit}), mod(aimag({0}), {limit}), {kind})",
            e.text
        );
        // The text doubles; what is longer becomes a variable.
        if text.len() > 600 {
            return self.complex_leaf(kind);
        }
        Expr::primary(text, e.ty).within(99.0)
    }
}
