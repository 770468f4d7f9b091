//! Numbers computed from numbers, and MAX, MIN and MERGE.

use super::{Arguments, array};
use crate::ast::BinaryOp;
use crate::intrinsics::{Choice, Numeric};
use crate::sema::constant::fold;
use crate::sema::constant::fold::{map, map2};
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a numeric function.
pub(in crate::sema) fn fold(i: Numeric, args: Arguments<'_>, ty: &Type) -> Option<Constant> {
    let first = args.first().copied().flatten()?;
    match args.get(1).copied().flatten() {
        None => map(first, &|c| of_one(i, c)),
        Some(b) => fold::convert(&map2(first, b, &|a, b| of_two(i, a, b))?, ty),
    }
}

/// The value of MAX, MIN or MERGE.
pub(in crate::sema) fn choice(i: Choice, args: Arguments<'_>, ty: &Type) -> Option<Constant> {
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

/// The argument that stands in the relation to all others.
fn extremum(op: BinaryOp, args: Arguments<'_>) -> Option<Constant> {
    let mut all = args.iter().copied().flatten();
    let mut best = all.next()?.clone();
    for c in all {
        best = map2(&best, c, &|a, b| match fold::binary(op, a, b)? {
            C::Logical(true, _) => Some(a.clone()),
            C::Logical(false, _) => Some(b.clone()),
            _ => None,
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
        (Abs, C::Complex(r, i, k)) => fold::real(r.hypot(*i), *k),
        (Conjg, C::Complex(r, i, k)) => Some(C::Complex(*r, -i, *k)),
        (_, C::Complex(re, im, k)) => {
            let (re, im) = complex_function(i, *re, *im)?;
            fold::complex(re, im, *k)
        }
        (_, C::Real(v, k)) => {
            let v = *v;
            let r = match i {
                Sqrt if v >= 0.0 => v.sqrt(),
                Exp => v.exp(),
                Log if v > 0.0 => v.ln(),
                Log10 if v > 0.0 => v.log10(),
                Sin => v.sin(),
                Cos => v.cos(),
                Tan => v.tan(),
                Asin if v.abs() <= 1.0 => v.asin(),
                Acos if v.abs() <= 1.0 => v.acos(),
                Atan => v.atan(),
                Sinh => v.sinh(),
                Cosh => v.cosh(),
                Tanh => v.tanh(),
                Asinh => v.asinh(),
                Acosh if v >= 1.0 => v.acosh(),
                Atanh if v.abs() < 1.0 => v.atanh(),
                _ => return None,
            };
            fold::real(r, *k)
        }
        _ => None,
    }
}

/// A function of a complex number.
fn complex_function(i: Numeric, re: f64, im: f64) -> Option<(f64, f64)> {
    use Numeric::*;
    Some(match i {
        Sqrt if re == 0.0 && im == 0.0 => (0.0, im),
        Sqrt => {
            let t = ((re.abs() + re.hypot(im)) * 0.5).sqrt();
            let s = im.abs() / (2.0 * t);
            match re >= 0.0 {
                true => (t, s.copysign(im)),
                false => (s, t.copysign(im)),
            }
        }
        Exp => (re.exp() * im.cos(), re.exp() * im.sin()),
        Log if re != 0.0 || im != 0.0 => {
            let (a, b) = (re.abs().max(im.abs()), re.abs().min(im.abs()));
            // No cancellation near the unit circle.
            let modulus = match a > 0.5 && a < 2.0 {
                true => 0.5 * ((a - 1.0) * (a + 1.0) + b * b).ln_1p(),
                false => a.hypot(b).ln(),
            };
            (modulus, im.atan2(re))
        }
        Sin => (re.sin() * im.cosh(), re.cos() * im.sinh()),
        Cos => (re.cos() * im.cosh(), -(re.sin() * im.sinh())),
        _ => return None,
    })
}

/// A function of two numbers.
fn of_two(i: Numeric, a: &Constant, b: &Constant) -> Option<Constant> {
    use Numeric::*;
    match (a, b) {
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
        (C::Real(x, k), C::Integer(n, _)) if i == Scale => {
            fold::real(x * 2f64.powi(i32::try_from(*n).ok()?), *k)
        }
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
                Atan2 | Atan => x.atan2(y),
                Hypot => x.hypot(y),
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
