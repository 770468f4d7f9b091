//! Real expressions whose value IEEE arithmetic determines.

use super::Generator;
use super::expr::{Expr, Ty, call, level};
use super::integer::magnitude;
use super::variable::literal_of;

/// No intermediate result is larger.
fn largest(kind: u8) -> f64 {
    if kind == 4 { 1.0e15 } else { 1.0e60 }
}

impl Generator {
    /// A real of this kind.
    pub fn real(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Real(kind);
        if depth == 0 || self.random.chance(15) {
            return self.real_leaf(kind);
        }
        let d = depth - 1;
        let e = match self.random.below(40) {
            0..=4 => {
                self.sums = true;
                let (a, b) = self.real_pair(kind, d);
                let op = self.random.pick(&["+", "-"]);
                a.binary(op, &b, level::SUM, ty).within(a.bound + b.bound)
            }
            5..=9 => {
                self.products = true;
                let (a, b) = self.real_pair(kind, d);
                a.binary("*", &b, level::PRODUCT, ty)
                    .within(a.bound * b.bound)
            }
            10..=12 => {
                let a = self.real(kind, d);
                let b = self.real_denominator(kind, d);
                a.binary("/", &b, level::PRODUCT, ty).within(a.bound * 4.0)
            }
            13 => self.real(kind, d).negated(),
            14 => self.real_function("abs", kind, d),
            15..=16 => {
                let a = self.real(kind, d);
                let a = call("abs", &[&a], ty).within(a.bound);
                call("sqrt", &[&a], ty).within(a.bound.max(1.0))
            }
            17 => {
                let (a, b) = (self.real(kind, d), self.real(kind, d));
                call("sign", &[&a, &b], ty).within(a.bound)
            }
            18 => {
                self.sums = true;
                let (a, b) = (self.real(kind, d), self.real(kind, d));
                call("dim", &[&a, &b], ty).within(a.bound + b.bound)
            }
            19..=20 => {
                let a = self.real(kind, d);
                let b = self.real_denominator(kind, d);
                let name = self.random.pick(&["mod", "modulo"]);
                self.sums = true;
                let bound = b.bound;
                call(name, &[&a, &b], ty).within(bound)
            }
            21..=22 => {
                let a = self.real(kind, d);
                let name = self.random.pick(&["aint", "anint"]);
                call(name, &[&a], ty).within(a.bound + 1.0)
            }
            23..=24 => {
                let name = self.random.pick(&["min", "max"]);
                let count = self.random.between(2, 4);
                let list: Vec<Expr> = (0..count).map(|_| self.real(kind, d)).collect();
                let bound = list.iter().fold(0.0, |b: f64, e| b.max(e.bound));
                let e = call(name, &list.iter().collect::<Vec<_>>(), ty);
                // Which zero is the larger one is not defined.
                Expr::primary(
                    format!("({} + {})", e.text, if kind == 4 { "0.0" } else { "0d0" }),
                    ty,
                )
                .within(bound)
            }
            25 => {
                let (a, b) = (self.real(kind, d), self.real(kind, d));
                let mask = self.logical(4, d);
                if self.constant(&mask) {
                    return a;
                }
                call("merge", &[&a, &b, &mask], ty).within(a.bound.max(b.bound))
            }
            26..=27 => {
                let from = self.integer_kind();
                let a = self.integer(from, d);
                Expr::primary(format!("real({}, {kind})", a.text), ty).within(magnitude(from))
            }
            28 => {
                let a = self.real(12 - kind, d);
                let a = self.clamped(a, largest(4));
                let bound = a.bound;
                if kind == 8 && self.random.chance(30) {
                    return call("dble", &[&a], ty).within(bound);
                }
                Expr::primary(format!("real({}, {kind})", a.text), ty).within(bound)
            }
            29 => {
                let a = self.complex(kind, d);
                let (name, suffix) = self.random.pick(&[("real", true), ("aimag", false)]);
                let kind_argument = if suffix {
                    format!(", {kind}")
                } else {
                    String::new()
                };
                Expr::primary(format!("{name}({}{kind_argument})", a.text), ty).within(a.bound)
            }
            30 => {
                self.products = true;
                let a = self.real(kind, d);
                let Some(a) = self.varying(a) else {
                    return self.real_leaf(kind);
                };
                let n = self.random.pick(&[2, 2, 3]);
                let bound = a.bound.powi(n);
                Expr {
                    text: format!("{}**{n}", a.at(level::PRIMARY)),
                    ty,
                    bound,
                    level: level::POWER,
                }
            }
            31 => self.real_model(kind, d),
            32..=36 if self.shape.is_empty() => self.real_reduction(kind, d),
            37 => match self.function_reference(ty, d) {
                Some(e) => e,
                None => self.real_leaf(kind),
            },
            _ => {
                self.sums = true;
                let (a, b) = self.real_pair(kind, d);
                a.binary("+", &b, level::SUM, ty).within(a.bound + b.bound)
            }
        };
        let e = self.clamped(e, largest(kind));
        if self.random.chance(5) {
            return Expr::primary(format!("({})", e.text), ty).within(e.bound);
        }
        e
    }

    fn real_leaf(&mut self, kind: u8) -> Expr {
        let ty = Ty::Real(kind);
        if self.random.chance(75)
            && let Some(e) = self.reference(ty)
        {
            return e;
        }
        self.literal(ty)
    }

    /// One operand of the kind; the other may be an integer or of a smaller kind.
    fn real_pair(&mut self, kind: u8, depth: u32) -> (Expr, Expr) {
        let a = self.real(kind, depth);
        let b = match self.random.below(10) {
            0..=1 => {
                let from = self.integer_kind();
                self.integer(from, depth).within(magnitude(from))
            }
            2..=3 if kind == 8 => self.real(4, depth),
            _ => self.real(kind, depth),
        };
        if self.random.chance(50) {
            (a, b)
        } else {
            (b, a)
        }
    }

    /// A real of magnitude at least 1/4.
    pub fn real_denominator(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Real(kind);
        let suffix = if kind == 4 { "" } else { "_8" };
        match self.random.below(4) {
            0 => {
                let (text, bound) =
                    self.random
                        .pick(&[("3.0", 3.0), ("0.7", 0.7), ("16.0", 16.0), ("1.1", 1.1)]);
                Expr::primary(format!("{text}{suffix}"), ty).within(bound)
            }
            1 => Expr::primary(format!("(-2.5{suffix})"), ty).within(2.5),
            n => {
                self.sums = true;
                let a = self.real(kind, depth);
                let sign = if n == 2 { "" } else { "-" };
                Expr::primary(
                    format!(
                        "({sign}abs({}) {} 0.5{suffix})",
                        a.text,
                        if n == 2 { "+" } else { "-" }
                    ),
                    ty,
                )
                .within(a.bound + 0.5)
            }
        }
    }

    fn real_function(&mut self, name: &str, kind: u8, depth: u32) -> Expr {
        let a = self.real(kind, depth);
        call(name, &[&a], Ty::Real(kind)).within(a.bound)
    }

    /// Functions of the model of reals.
    fn real_model(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Real(kind);
        let a = self.real(kind, depth);
        let Some(a) = self.varying(a) else {
            return self.real_leaf(kind);
        };
        match self.random.below(7) {
            0 => call("fraction", &[&a], ty).within(1.0),
            1 => {
                let n = self.random.between(-3, 3);
                Expr::primary(format!("scale({}, {n})", a.text), ty).within(a.bound * 8.0)
            }
            2 => {
                let n = self.random.between(-3, 3);
                Expr::primary(format!("set_exponent({}, {n})", a.text), ty).within(8.0)
            }
            3 => {
                let by = self.random.pick(&["1.0", "-1.0"]);
                Expr::primary(format!("nearest({}, {by})", a.text), ty).within(a.bound * 1.1 + 1.0)
            }
            4 => call("spacing", &[&a], ty).within(a.bound + 1.0),
            5 => {
                let e = call("exponent", &[&a], Ty::Integer(4));
                Expr::primary(format!("real({}, {kind})", e.text), ty).within(2000.0)
            }
            _ => {
                // Not elemental.
                let bits = self.scalar(Ty::Integer(kind), 0);
                // A pattern of few bits: denormal or zero, never infinite.
                Expr::primary(
                    format!(
                        "transfer(iand({}, {}), {})",
                        bits.text,
                        literal_of(65535, kind),
                        if kind == 4 { "0.0" } else { "0d0" }
                    ),
                    ty,
                )
                .within(1.0)
            }
        }
    }

    pub fn real_literal(&mut self, kind: u8) -> Expr {
        let text = self.random.pick(&[
            "0.0",
            "1.0",
            "0.5",
            "2.0",
            "0.1",
            "3.1",
            "1.5",
            "0.25",
            "7.0",
            "100.0",
            "1.0e-3",
            "12.75",
            "0.333333343",
            "1e2",
            ".75",
            "6.",
            "2.718281828459045",
        ]);
        let value: f64 = text.parse().unwrap_or(1.0);
        let text = match kind {
            4 if self.random.chance(10) => format!("{text}_4"),
            4 => text.to_owned(),
            _ if text.contains('e') => text.replace('e', "d"),
            _ if self.random.chance(50) => format!("{text}d0"),
            _ => format!("{text}_8"),
        };
        if self.random.chance(20) {
            return Expr::primary(format!("(-{text})"), Ty::Real(kind)).within(value);
        }
        Expr::primary(text, Ty::Real(kind)).within(value)
    }

    /// The expression itself if its bound allows, else its remainder; exact in either case.
    pub fn clamped(&mut self, e: Expr, bound: f64) -> Expr {
        if e.bound <= bound {
            return e;
        }
        let limit = if bound >= 4000.0 { 997.0 } else { 100.0 };
        match e.ty {
            Ty::Real(kind) => {
                let p = format!("{limit:.1}{}", if kind == 4 { "" } else { "_8" });
                Expr::primary(format!("mod({}, {p})", e.text), e.ty).within(limit)
            }
            Ty::Integer(kind) => {
                Expr::primary(format!("iand({}, {})", e.text, literal_of(127, kind)), e.ty)
                    .within(127.0)
            }
            _ => e,
        }
    }
}
