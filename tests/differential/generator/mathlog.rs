//! Mathematical functions and other inexact operations, whose results go to the logs and are never read again.

use super::expr::{Expr, Ty, call, level};
use super::program::{Stmt, Tolerance};
use super::{Generator, LOG, LOGS, Style};

/// A function of one real: name, how its argument is made legal, tolerance on a GPU in ulps where CUDA documents more than the usual
/// four (its own error and the reference's); negative numbers are absolute, as binary exponents of the unit.
const FUNCTIONS: [(&str, Domain, i32); 23] = [
    ("sin", Domain::Within(30.0), 4),
    ("cos", Domain::Within(30.0), 4),
    ("tan", Domain::Within(30.0), 5),
    ("asin", Domain::Within(1.0), 4),
    ("acos", Domain::Within(1.0), 4),
    ("atan", Domain::Within(1000.0), 4),
    ("sinh", Domain::Within(20.0), 4),
    ("cosh", Domain::Within(20.0), 4),
    ("tanh", Domain::Within(20.0), 4),
    ("asinh", Domain::Within(1000.0), 4),
    ("acosh", Domain::AtLeastOne, 5),
    ("atanh", Domain::Within(1.0), 4),
    ("exp", Domain::Within(20.0), 4),
    ("log", Domain::Positive(1000.0), 4),
    ("log10", Domain::Positive(1000.0), 4),
    ("erf", Domain::Within(5.0), 4),
    ("erfc", Domain::Within(5.0), 7),
    ("gamma", Domain::Positive(10.0), 12),
    ("log_gamma", Domain::Positive(10.0), -4),
    ("bessel_j0", Domain::Within(20.0), -6),
    ("bessel_j1", Domain::Within(20.0), -6),
    ("bessel_y0", Domain::Positive(20.0), -8),
    ("bessel_y1", Domain::Positive(20.0), -8),
];

#[derive(Clone, Copy)]
enum Domain {
    /// Magnitude below.
    Within(f64),
    /// From 1/8 to 1/8 more than this.
    Positive(f64),
    /// From 1 to 101.
    AtLeastOne,
}

impl Generator {
    /// A statement that logs an inexact result; nothing if the logs are full.
    pub fn log_statement(&mut self, depth: u32) -> Option<Stmt> {
        let log = self.random.pick(&[0, 0, 1, 1, 2, 3]);
        if self.logged[log] >= LOG {
            return None;
        }
        self.logged[log] += 1;
        let at = self.logged[log];
        let (name, ty) = LOGS[log];
        let (e, ulps) = match ty {
            Ty::Real(kind) => self.inexact_real(kind, depth),
            Ty::Complex(kind) => self.inexact_complex(kind, depth),
            _ => return None,
        };
        if ulps != 4 {
            self.tolerances.push(Tolerance { log, at, ulps });
        }
        let instance = if self.style == Style::Loop { "@t" } else { "" };
        Some(Stmt::line(format!("{name}({at}{instance}) = {}", e.text)))
    }

    fn inexact_real(&mut self, kind: u8, depth: u32) -> (Expr, i32) {
        let ty = Ty::Real(kind);
        let one = |text: String, ulps: i32| (Expr::primary(text, ty), ulps);
        match self.random.below(16) {
            0..=10 => {
                let (name, domain, ulps) = self.random.pick(&FUNCTIONS);
                let x = self.argument(kind, domain, depth);
                (call(name, &[&x], ty), ulps)
            }
            11 => {
                let y = self.argument(kind, Domain::Within(100.0), depth);
                let x = self.argument(kind, Domain::Positive(100.0), depth);
                let name = self.random.pick(&["atan2", "hypot"]);
                (call(name, &[&y, &x], ty), 4)
            }
            12 => {
                let x = self.argument(kind, Domain::Positive(20.0), depth);
                let y = self.argument(kind, Domain::Within(5.0), depth);
                let text = format!("{}**{}", x.at(level::PRIMARY), y.at(level::PRIMARY));
                // pow of CUDA is within 4, but powf is within 8.
                one(text, if kind == 4 { 9 } else { 4 })
            }
            13 => {
                let x = self.argument(kind, Domain::Positive(8.0), depth);
                let n_kind = self.random.pick(&[4, 8]);
                let n = self.scalar(Ty::Integer(n_kind), depth.min(1));
                let n = format!(
                    "({} - 6)",
                    call(
                        "iand",
                        &[
                            &n,
                            &Expr::primary(super::variable::literal_of(15, n_kind), n.ty)
                        ],
                        n.ty
                    )
                    .text
                );
                // The order of the factors is the compiler's.
                one(format!("{}**{n}", x.at(level::PRIMARY)), 8)
            }
            14 => {
                let x = self.argument(kind, Domain::Positive(20.0), depth);
                let n = self.random.between(0, 4);
                let name = self.random.pick(&["bessel_jn", "bessel_yn"]);
                // y of order 4 near 1/8 is about 1e6.
                one(format!("{name}({n}, {})", x.text), -28)
            }
            _ => {
                if self.style == Style::Loop || self.random.chance(50) {
                    let z = self.scalar(Ty::Complex(kind), depth);
                    let z = self.clamped_complex(z, 1.0e6);
                    return (call("abs", &[&z], ty), 4);
                }
                let n = self.random.between(2, 6);
                let a = self.shaped(vec![n], |g| g.array(ty, depth.min(1)));
                (call("norm2", &[&a], ty), 6)
            }
        }
    }

    fn inexact_complex(&mut self, kind: u8, depth: u32) -> (Expr, i32) {
        let ty = Ty::Complex(kind);
        let limit = |x: f64| {
            if kind == 4 {
                format!("{x:.1}")
            } else {
                format!("{x:.1}d0")
            }
        };
        let z = self.scalar(ty, depth);
        let z = if z.text.len() > 150 {
            Expr::primary(format!("({}, {})", limit(0.5), limit(1.25)), ty).within(2.0)
        } else {
            z
        };
        // gfortran rounds powers of constants once.
        let z = self.varying(z.clone()).unwrap_or(z);
        let z = self.clamped_complex(z, 1.0e6);
        let tame = |z: &Expr, x: f64| {
            Expr::primary(
                format!(
                    "cmplx(mod(real({0}, {kind}), {1}) + {2}, mod(aimag({0}), {1}) + {3}, {kind})",
                    z.text,
                    limit(x),
                    limit(0.125),
                    limit(0.375)
                ),
                ty,
            )
        };
        match self.random.below(10) {
            0..=1 => (call("exp", &[&tame(&z, 10.0)], ty), 4),
            2..=3 => (call("log", &[&tame(&z, 100.0)], ty), 4),
            4..=5 => (call("sqrt", &[&tame(&z, 1000.0)], ty), 4),
            6 => (call("sin", &[&tame(&z, 8.0)], ty), 4),
            7 => (call("cos", &[&tame(&z, 8.0)], ty), 4),
            8 => {
                let n = self.random.between(-4, 6);
                let z = tame(&z, 8.0);
                (
                    Expr::primary(
                        format!("{}**{}", z.text, super::integer::parenthesised(n)),
                        ty,
                    ),
                    // Multiplied in the library's order, without contraction.
                    4,
                )
            }
            _ => {
                let w = self.argument(kind, Domain::Within(3.0), depth.min(1));
                let z = tame(&z, 8.0);
                // The reference is the inexact one: glibc takes exp(w*log(z)) with a rounded logarithm and product. With |w| < 3 and
                // |log(z)| < 4 that is up to ten epsilons, twenty ulps of a modulus just above a power of two.
                (
                    Expr::primary(format!("{}**{}", z.text, w.at(level::PRIMARY)), ty),
                    24,
                )
            }
        }
    }

    fn argument(&mut self, kind: u8, domain: Domain, depth: u32) -> Expr {
        let ty = Ty::Real(kind);
        let e = self.scalar(ty, depth);
        let number = |x: f64| {
            if kind == 4 {
                format!("{x:?}")
            } else {
                format!("{x:?}_8")
            }
        };
        match domain {
            Domain::Within(bound) if e.bound < bound => e,
            Domain::Within(bound) => {
                Expr::primary(format!("mod({}, {})", e.text, number(bound)), ty)
            }
            Domain::Positive(bound) => {
                self.sums = true;
                Expr::primary(
                    format!(
                        "(abs(mod({}, {})) + {})",
                        e.text,
                        number(bound),
                        number(0.125)
                    ),
                    ty,
                )
            }
            Domain::AtLeastOne => {
                self.sums = true;
                Expr::primary(
                    format!(
                        "(abs(mod({}, {})) + {})",
                        e.text,
                        number(100.0),
                        number(1.0)
                    ),
                    ty,
                )
            }
        }
    }
}
