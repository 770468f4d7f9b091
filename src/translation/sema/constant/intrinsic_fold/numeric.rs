//! Numbers computed from numbers, and MAX, MIN and MERGE.

use super::{Arguments, array};
use crate::ast::BinaryOp;
use crate::intrinsics::{Choice, Numeric};
use crate::sema::constant::fold;
use crate::sema::constant::fold::{map, map2};
use crate::sema::constant::precise::{self, MultiPrecision, many, rounded};
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a numeric function.
pub(in crate::translation::sema) fn fold(
    i: Numeric,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    let first = args.first().copied().flatten()?;
    match args.get(1).copied().flatten() {
        None => fold::convert(&map(first, &|c| of_one(i, c))?, ty),
        Some(b) => fold::convert(&map2(first, b, &|a, b| of_two(i, a, b))?, ty),
    }
}

/// The value of MAX, MIN or MERGE.
pub(in crate::translation::sema) fn choice(
    i: Choice,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    let best = match i {
        Choice::Max => extremum(BinaryOp::Ge, args)?,
        Choice::Min => extremum(BinaryOp::Le, args)?,
        Choice::Merge => {
            let arg = |n: usize| args.get(n).copied().flatten();
            array::merge(arg(0)?, arg(1)?, arg(2)?)?
        }
    };
    fold::convert(&best, ty)
}

/// The argument that stands in the relation to all others; a text has the length of the longest.
fn extremum(op: BinaryOp, args: Arguments<'_>) -> Option<Constant> {
    let mut all = args.iter().copied().flatten();
    let mut best = all.next()?.clone();
    for c in all {
        best = map2(&best, c, &|a, b| {
            let chosen = match fold::binary(op, a, b)? {
                C::Logical(true, _) => a,
                C::Logical(false, _) => b,
                _ => return None,
            };
            match (chosen, a, b) {
                (C::Character(s), C::Character(a), C::Character(b)) => {
                    let width = a.chars().count().max(b.chars().count());
                    Some(C::Character(format!("{s:width$}")))
                }
                _ => Some(chosen.clone()),
            }
        })?;
    }
    Some(best)
}

fn number(c: &Constant) -> Option<f64> {
    match c {
        C::Integer(v, _) => Some(*v as f64),
        C::Real(v, _) => Some(*v),
        _ => None,
    }
}

/// A function of one number.
fn of_one(i: Numeric, c: &Constant) -> Option<Constant> {
    use Numeric::*;
    match (i, c) {
        (Abs, C::Integer(v, k)) => fold::integer(v.checked_abs()?, *k),
        (Abs, C::Real(v, k)) => Some(C::Real(v.abs(), *k)),
        (Abs, C::Complex(r, i, k)) => {
            fold::real(rounded(&MultiPrecision::new()?.hypot(*r, *i), *k)?, *k)
        }
        (Conjg, C::Complex(r, i, k)) => Some(C::Complex(*r, -i, *k)),
        (_, C::Complex(re, im, k)) => fold::pair(complex_function(i, *re, *im)?, *k),
        (Exponent | Fraction | Spacing | Rrspacing, C::Real(v, k)) => part_of(i, *v, *k),
        (Isnan, C::Real(v, _)) => Some(C::Logical(v.is_nan(), 4)),
        (_, C::Real(v, k)) => fold::real(real_function(i, *v, *k)?, *k),
        _ => None,
    }
}

/// A mathematical function of a real number.
fn real_function(i: Numeric, v: f64, kind: u8) -> Option<f64> {
    use Numeric::*;
    if !v.is_finite() {
        return None;
    }
    if v == 0.0
        && matches!(
            i,
            Sqrt | Sin | Tan | Asin | Atan | Sinh | Tanh | Asinh | Atanh | Erf
        )
    {
        return Some(v);
    }
    if matches!(i, Exp | Sinh | Cosh) && v.abs() > 800.0 {
        return None;
    }
    let mut m = MultiPrecision::new()?;
    let x = many(v);
    let r = match i {
        Sqrt if v >= 0.0 => m.sqrt(&x),
        Exp => m.exp(&x),
        Log if v > 0.0 => m.ln(&x),
        Log10 if v > 0.0 => m.log10(&x),
        Sin => m.sin(&x),
        Cos => m.cos(&x),
        Tan => m.tan(&x),
        Asin if v.abs() <= 1.0 => m.asin(&x),
        Acos if v.abs() <= 1.0 => m.acos(&x),
        Atan => m.atan(&x),
        Sinh => m.sinh(&x),
        Cosh => m.cosh(&x),
        Tanh if v.abs() > 100.0 => many(1f64.copysign(v)),
        Tanh => m.tanh(&x),
        Asinh => m.asinh(&x),
        Acosh if v >= 1.0 => m.acosh(&x),
        Atanh if v.abs() < 1.0 => m.atanh(&x),
        Erf => m.erf(v),
        Erfc => precise::erfc(v, false)?,
        ErfcScaled => precise::erfc(v, true)?,
        Gamma => precise::gamma(v)?,
        LogGamma => precise::log_gamma(v)?,
        BesselJ0 => precise::bessel_j(0, v)?,
        BesselJ1 => precise::bessel_j(1, v)?,
        BesselY0 => precise::bessel_y(0, v)?,
        BesselY1 => precise::bessel_y(1, v)?,
        // Of degrees: compilers differ in the last digit.
        _ => return None,
    };
    rounded(&r, kind)
}

/// Digits, least and largest exponent of a real kind.
fn model(kind: u8) -> Option<(i32, i32, i32)> {
    match kind {
        4 => Some((24, -125, 128)),
        8 => Some((53, -1021, 1024)),
        _ => None,
    }
}

/// The exponent of a number that is not 0: it is a fraction in [0.5, 1) times that power of 2.
fn exponent(v: f64) -> i32 {
    let bits = |v: f64| ((v.to_bits() >> 52) & 0x7ff) as i32;
    match bits(v) {
        0 => bits(v * 2f64.powi(100)) - 1122,
        e => e - 1022,
    }
}

/// A number times a power of 2, in a kind.
fn scaled(v: f64, by: i128, kind: u8) -> Option<f64> {
    if v == 0.0 {
        return Some(v);
    }
    let by = i32::try_from(by).ok().filter(|n| n.abs() < 5000)?;
    let mut x = many(v);
    let at = x.exponent()?;
    x.set_exponent(at + by);
    rounded(&x, kind)
}

/// Parts of the representation of a real number.
fn part_of(i: Numeric, v: f64, kind: u8) -> Option<Constant> {
    let (digits, least, _) = model(kind)?;
    if !v.is_finite() {
        return None;
    }
    let real = |v: Option<f64>| fold::real(v?, kind);
    match i {
        Numeric::Exponent if v == 0.0 => Some(C::Integer(0, 4)),
        Numeric::Exponent => Some(C::Integer(exponent(v).into(), 4)),
        Numeric::Fraction if v == 0.0 => Some(C::Real(v, kind)),
        Numeric::Fraction => real(scaled(v, -i128::from(exponent(v)), kind)),
        Numeric::Spacing => {
            let e = match v == 0.0 {
                true => least - 1,
                false => (exponent(v) - digits).max(least - 1),
            };
            real(scaled(1.0, e.into(), kind))
        }
        Numeric::Rrspacing if v == 0.0 => Some(C::Real(0.0, kind)),
        Numeric::Rrspacing => real(scaled(v.abs(), (digits - exponent(v)).into(), kind)),
        _ => None,
    }
}

/// The neighbour of a number of the kind in a direction.
fn nearest(v: f64, up: bool, kind: u8) -> Option<f64> {
    match kind {
        #[allow(clippy::cast_possible_truncation)]
        4 => {
            let v = v as f32;
            Some(f64::from(if up { v.next_up() } else { v.next_down() }))
        }
        8 => Some(if up { v.next_up() } else { v.next_down() }),
        _ => None,
    }
}

/// A function of a complex number.
fn complex_function(i: Numeric, re: f64, im: f64) -> Option<precise::Pair> {
    use Numeric::*;
    let far = re.abs() > 800.0 || im.abs() > 800.0;
    if !re.is_finite() || !im.is_finite() || far && !matches!(i, Sqrt | Log) {
        return None;
    }
    let real = |v: f64| (many(v), many(0.0));
    match i {
        Sqrt => precise::complex_sqrt(re, im),
        Exp => precise::complex_exp(re, im),
        Log if im == 0.0 && re == 1.0 => Some(real(0.0)),
        Log if re != 0.0 || im != 0.0 => precise::complex_log(re, im),
        Sin => Some(precise::complex_sin_cos(re, im)?.0),
        Cos => Some(precise::complex_sin_cos(re, im)?.1),
        Tan => precise::complex_tan(re, im),
        // Those of i z, turned back.
        Sinh => {
            let ((a, b), _) = precise::complex_sin_cos(-im, re)?;
            Some((b, a.neg()))
        }
        Cosh => Some(precise::complex_sin_cos(-im, re)?.1),
        Tanh => {
            let (a, b) = precise::complex_tan(-im, re)?;
            Some((b, a.neg()))
        }
        _ => None,
    }
}

/// A function of two numbers.
fn of_two(i: Numeric, a: &Constant, b: &Constant) -> Option<Constant> {
    use Numeric::*;
    match (a, b) {
        (C::Integer(n, _), C::Real(x, k)) if matches!(i, BesselJn | BesselYn) => {
            let n = i64::try_from(*n).ok()?;
            let r = match i {
                BesselJn => precise::bessel_j(n, *x)?,
                _ => precise::bessel_y(n, *x)?,
            };
            fold::real(rounded(&r, *k)?, *k)
        }
        (C::Integer(x, k), C::Integer(y, l)) => {
            let kind = *k.max(l);
            match i {
                Mod => fold::integer(x.checked_rem(*y)?, kind),
                Modulo => {
                    let r = x.checked_rem(*y)?;
                    let fix = r != 0 && (r < 0) != (*y < 0);
                    fold::integer(if fix { r + y } else { r }, kind)
                }
                Sign => {
                    let size = x.checked_abs()?;
                    fold::integer(if *y < 0 { -size } else { size }, *k)
                }
                Dim => fold::integer(x.checked_sub(*y)?.max(0), kind),
                _ => None,
            }
        }
        (C::Real(x, k), C::Integer(n, _)) if i == Scale => fold::real(scaled(*x, *n, *k)?, *k),
        (C::Real(x, k), C::Integer(n, _)) if i == SetExponent => {
            // gfortran loses the sign, and the exponent of numbers below 1, that run time keeps: such a constant has no value.
            let fraction = x.abs() / 2f64.powi(exponent(*x));
            let agreed = *x >= 1.0 && fraction < 0.9999;
            match *x == 0.0 {
                true => Some(C::Real(*x, *k)),
                false if !agreed => None,
                false => fold::real(scaled(*x, n - i128::from(exponent(*x)), *k)?, *k),
            }
        }
        (C::Real(x, k), C::Real(s, _)) if i == Nearest && *s != 0.0 => {
            fold::real(nearest(*x, *s > 0.0, *k)?, *k)
        }
        (C::Real(x, _), C::Real(y, _)) if i == Dprod => fold::real(x * y, 8),
        (C::Real(_, k) | C::Integer(_, k), C::Real(_, l) | C::Integer(_, l)) => {
            let kind = *k.max(l);
            let (x, y) = (number(a)?, number(b)?);
            let r = match i {
                Mod if y != 0.0 => x % y,
                Modulo if y != 0.0 => {
                    // A zero has the sign of the second argument, as at run time.
                    match x % y {
                        0.0 => 0f64.copysign(y),
                        r if (r < 0.0) != (y < 0.0) => r + y,
                        r => r,
                    }
                }
                Sign => x.abs().copysign(y),
                Dim if !(x - y).is_nan() => (x - y).max(0.0),
                Atan2 | Atan if y == 0.0 && x == 0.0 => return None,
                Atan2 | Atan if x == 0.0 && y > 0.0 => x,
                Atan2 | Atan => rounded(&MultiPrecision::new()?.atan2(x, y), kind)?,
                Hypot => rounded(&MultiPrecision::new()?.hypot(x, y), kind)?,
                _ => return None,
            };
            fold::real(r, kind)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_functions() {
        let i = |v| C::Integer(v, 4);
        let (a, p) = (i(-7), i(3));
        let modulo = fold(Numeric::Modulo, &[Some(&a), Some(&p)], &Type::Integer(4));
        assert_eq!(modulo, Some(i(2)));
    }

    #[test]
    fn zero_of_modulo_has_the_sign_of_the_second_argument() {
        let r = |v| C::Real(v, 4);
        let sign = |a, p| match fold(Numeric::Modulo, &[Some(&r(a)), Some(&r(p))], &Type::Real(4)) {
            Some(C::Real(zero, 4)) => 1f64.copysign(zero),
            _ => 0.0,
        };
        assert_eq!((sign(100.0, -2.5), sign(-100.0, 2.5)), (-1.0, 1.0));
    }
}
