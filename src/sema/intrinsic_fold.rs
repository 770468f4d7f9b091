//! Values of intrinsic functions of constants.

use super::array_fold;
use super::fold::{self, map, map2};
use super::model::{Constant, Type};
use crate::ast::BinaryOp;
use Constant as C;

/// HUGE, TINY, ... of a type (Fortran 2018 13.4 and 16.9): values in the type, or integers.
pub fn model_of(name: &str, ty: &Type) -> Option<Constant> {
    let int = |v: i128| Some(C::Integer(v, 4));
    match ty {
        Type::Integer(k @ (1 | 2 | 4 | 8)) => {
            let bits = u32::from(*k) * 8;
            let huge = (1i128 << (bits - 1)) - 1;
            match name {
                "huge" => Some(C::Integer(huge, *k)),
                "digits" => int((bits - 1).into()),
                "radix" => int(2),
                "range" => int((huge as f64).log10().floor() as i128),
                _ => None,
            }
        }
        Type::Real(k) | Type::Complex(k) => {
            let (digits, max, min, precision, range) = match k {
                2 => (11, 16, -13, 3, 4),
                4 => (24, 128, -125, 6, 37),
                8 => (53, 1024, -1021, 15, 307),
                _ => return None,
            };
            let unit = |e: i32| 2f64.powi(e);
            match name {
                // 2**max itself is out of range for kind 8.
                "huge" => fold::real((1.0 - unit(-digits)) * unit(max - 1) * 2.0, *k),
                "tiny" => fold::real(unit(min - 1), *k),
                "epsilon" => fold::real(unit(1 - digits), *k),
                "digits" => int(digits.into()),
                "maxexponent" => int(max.into()),
                "minexponent" => int(min.into()),
                "precision" => int(precision),
                "range" => int(range),
                "radix" => int(2),
                _ => None,
            }
        }
        _ => None,
    }
}

fn number(c: &Constant) -> Option<f64> {
    match c {
        C::Integer(v, _) => Some(*v as f64),
        C::Real(v, _) => Some(*v),
        _ => None,
    }
}

/// An elemental function of constants; `args` in dummy order, without array arguments of different shapes.
pub fn elemental(name: &str, args: &[Option<&Constant>], ty: &Type) -> Option<Constant> {
    let first = args.first().copied().flatten()?;
    let second = args.get(1).copied().flatten();
    let result = match (name, second) {
        ("index" | "scan" | "verify", Some(other)) => {
            let back = match args.get(2).copied().flatten() {
                None => false,
                Some(C::Logical(back, _)) => *back,
                Some(_) => return None,
            };
            map2(first, other, &|a, b| match (a, b) {
                (C::Character(x), C::Character(y)) => {
                    Some(C::Integer(text_position(name, x, y, back) as i128, 4))
                }
                _ => None,
            })?
        }
        ("max" | "min", _) => {
            let mut all = args.iter().copied().flatten();
            let mut best = all.next()?.clone();
            for c in all {
                best = map2(&best, c, &|a, b| {
                    let op = if name == "max" {
                        BinaryOp::Ge
                    } else {
                        BinaryOp::Le
                    };
                    match fold::binary(op, a, b)? {
                        C::Logical(true, _) => Some(a.clone()),
                        C::Logical(false, _) => Some(b.clone()),
                        _ => None,
                    }
                })?;
            }
            best
        }
        ("merge", Some(other)) => array_fold::merge(first, other, args.get(2).copied().flatten()?)?,
        ("ibits", Some(pos)) => {
            let C::Integer(len, _) = args.get(2).copied().flatten()? else {
                return None;
            };
            map2(first, pos, &|i, p| match (i, p) {
                (C::Integer(i, k), C::Integer(p, _))
                    if (0..128).contains(p) && (0..64).contains(len) =>
                {
                    Some(C::Integer((i >> p) & ((1 << len) - 1), *k))
                }
                _ => None,
            })?
        }
        (
            "int" | "real" | "logical" | "nint" | "floor" | "ceiling" | "aint" | "anint" | "achar"
            | "char" | "iachar" | "ichar" | "len_trim" | "cmplx",
            _,
        )
        | (_, None) => {
            if name == "cmplx" {
                return complex(first, second, ty);
            }
            return map(first, &|c| one(name, c, ty));
        }
        (_, Some(b)) => map2(first, b, &|a, b| two(name, a, b))?,
    };
    fold::convert(&result, ty)
}

/// INDEX, SCAN and VERIFY: a position from 1, 0 for none.
fn text_position(name: &str, text: &str, other: &str, back: bool) -> usize {
    let count = |at: Option<usize>| at.map_or(0, |i| text[..i].chars().count() + 1);
    let wanted = |c: char| other.contains(c) == (name == "scan");
    match (name, back) {
        ("index", false) => count(text.find(other)),
        ("index", true) => count(text.rfind(other)),
        (_, false) => count(text.find(wanted)),
        (_, true) => count(text.rfind(wanted)),
    }
}

fn complex(re: &Constant, im: Option<&Constant>, ty: &Type) -> Option<Constant> {
    match (re, im, ty) {
        (C::Complex(..), None, _) => fold::convert(re, ty),
        (re, None, _) => fold::convert(re, ty),
        (re, Some(im), Type::Complex(k)) => {
            let part = |c: &Constant| match fold::convert(c, &Type::Real(*k))? {
                C::Real(v, _) => Some(v),
                _ => None,
            };
            Some(C::Complex(part(re)?, part(im)?, *k))
        }
        _ => None,
    }
}

/// A function of one scalar; `ty` is the type of the result.
fn one(name: &str, c: &Constant, ty: &Type) -> Option<Constant> {
    match (name, c) {
        ("int" | "real" | "logical", _) => fold::convert(c, ty),
        ("abs", C::Integer(v, k)) => fold::integer(v.checked_abs()?, *k),
        ("abs", C::Real(v, k)) => Some(C::Real(v.abs(), *k)),
        ("abs", C::Complex(r, i, k)) => fold::real(r.hypot(*i), *k),
        ("aimag", C::Complex(_, i, k)) => Some(C::Real(*i, *k)),
        ("conjg", C::Complex(r, i, k)) => Some(C::Complex(*r, -i, *k)),
        ("not", C::Integer(v, k)) => Some(C::Integer(!v, *k)),
        ("popcnt", C::Integer(v, k)) => {
            let bits = (*v as u128) & mask(*k);
            Some(C::Integer(bits.count_ones().into(), 4))
        }
        ("leadz", C::Integer(v, k)) => {
            let bits = (*v as u128) & mask(*k);
            let unused = 128 - u32::from(*k) * 8;
            Some(C::Integer((bits.leading_zeros() - unused).into(), 4))
        }
        ("trailz", C::Integer(v, k)) => {
            let bits = (*v as u128) & mask(*k);
            Some(C::Integer(
                bits.trailing_zeros().min(u32::from(*k) * 8).into(),
                4,
            ))
        }
        ("nint" | "floor" | "ceiling", C::Real(v, _)) => {
            let r = match name {
                "nint" => v.round(),
                "floor" => v.floor(),
                _ => v.ceil(),
            };
            fold::convert(&C::Real(r, 8), ty)
        }
        ("aint", C::Real(v, _)) => fold::convert(&C::Real(v.trunc(), 8), ty),
        ("anint", C::Real(v, _)) => fold::convert(&C::Real(v.round(), 8), ty),
        ("achar" | "char", C::Integer(v, _)) => {
            let byte = u8::try_from(*v).ok().filter(u8::is_ascii)?;
            Some(C::Character(char::from(byte).to_string()))
        }
        ("iachar" | "ichar", C::Character(s)) => {
            let c = s.chars().next().filter(char::is_ascii)?;
            fold::convert(&C::Integer(u32::from(c).into(), 4), ty)
        }
        ("len_trim", C::Character(s)) => fold::convert(
            &C::Integer(s.trim_end_matches(' ').chars().count() as i128, 8),
            ty,
        ),
        ("adjustl", C::Character(s)) => {
            let text = s.trim_start_matches(' ');
            let blanks = s.len() - text.len();
            Some(C::Character(format!("{text}{}", " ".repeat(blanks))))
        }
        (_, C::Complex(re, im, k)) => {
            let (re, im) = complex_function(name, *re, *im)?;
            fold::complex(re, im, *k)
        }
        (_, C::Real(v, k)) => {
            let v = *v;
            let r = match name {
                "sqrt" if v >= 0.0 => v.sqrt(),
                "exp" => v.exp(),
                "log" if v > 0.0 => v.ln(),
                "log10" if v > 0.0 => v.log10(),
                "sin" => v.sin(),
                "cos" => v.cos(),
                "tan" => v.tan(),
                "asin" if v.abs() <= 1.0 => v.asin(),
                "acos" if v.abs() <= 1.0 => v.acos(),
                "atan" => v.atan(),
                "sinh" => v.sinh(),
                "cosh" => v.cosh(),
                "tanh" => v.tanh(),
                "asinh" => v.asinh(),
                "acosh" if v >= 1.0 => v.acosh(),
                "atanh" if v.abs() < 1.0 => v.atanh(),
                _ => return None,
            };
            fold::real(r, *k)
        }
        _ => None,
    }
}

/// A function of a complex number.
fn complex_function(name: &str, re: f64, im: f64) -> Option<(f64, f64)> {
    Some(match name {
        "sqrt" if re == 0.0 && im == 0.0 => (0.0, im),
        "sqrt" => {
            let t = ((re.abs() + re.hypot(im)) * 0.5).sqrt();
            let s = im.abs() / (2.0 * t);
            match re >= 0.0 {
                true => (t, s.copysign(im)),
                false => (s, t.copysign(im)),
            }
        }
        "exp" => (re.exp() * im.cos(), re.exp() * im.sin()),
        "log" if re != 0.0 || im != 0.0 => {
            let (a, b) = (re.abs().max(im.abs()), re.abs().min(im.abs()));
            // No cancellation near the unit circle.
            let modulus = match a > 0.5 && a < 2.0 {
                true => 0.5 * ((a - 1.0) * (a + 1.0) + b * b).ln_1p(),
                false => a.hypot(b).ln(),
            };
            (modulus, im.atan2(re))
        }
        "sin" => (re.sin() * im.cosh(), re.cos() * im.sinh()),
        "cos" => (re.cos() * im.cosh(), -(re.sin() * im.sinh())),
        _ => return None,
    })
}

fn mask(kind: u8) -> u128 {
    match u32::from(kind) * 8 {
        128.. => u128::MAX,
        bits => (1 << bits) - 1,
    }
}

/// A function of two scalars.
fn two(name: &str, a: &Constant, b: &Constant) -> Option<Constant> {
    match (a, b) {
        (C::Integer(x, k), C::Integer(y, l)) => {
            let bits = i128::from(*k) * 8;
            let unsigned = (*x as u128) & mask(*k);
            let kind = *k.max(l);
            match name {
                "mod" => fold::integer(x.checked_rem(*y)?, kind),
                "modulo" => {
                    let r = x.checked_rem(*y)?;
                    let fix = r != 0 && (r < 0) != (*y < 0);
                    fold::integer(if fix { r + y } else { r }, kind)
                }
                "sign" => {
                    let size = x.checked_abs()?;
                    fold::integer(if *y < 0 { -size } else { size }, *k)
                }
                "dim" => fold::integer(x.checked_sub(*y)?.max(0), kind),
                "iand" | "and" => Some(C::Integer(x & y, kind)),
                "ior" | "or" => Some(C::Integer(x | y, kind)),
                "ieor" | "xor" => Some(C::Integer(x ^ y, kind)),
                "ibset" if (0..bits).contains(y) => Some(fold::wrapped(x | (1 << y), *k)),
                "ibclr" if (0..bits).contains(y) => Some(fold::wrapped(x & !(1 << y), *k)),
                "btest" if (0..bits).contains(y) => Some(C::Logical((x >> y) & 1 == 1, 4)),
                "ishft" | "shiftl" | "shiftr" | "lshift" | "rshift" => {
                    let left = match name {
                        "shiftr" | "rshift" => -*y,
                        _ => *y,
                    };
                    let shifted = match left {
                        n if n.abs() >= bits => 0,
                        n if n >= 0 => unsigned << n,
                        n => unsigned >> -n,
                    };
                    Some(fold::wrapped(shifted as i128, *k))
                }
                "shifta" if (0..bits).contains(y) => Some(C::Integer(x >> y, *k)),
                _ => None,
            }
        }
        (C::Real(x, k), C::Integer(n, _)) if name == "scale" => {
            fold::real(x * 2f64.powi(i32::try_from(*n).ok()?), *k)
        }
        (C::Real(_, k) | C::Integer(_, k), C::Real(_, l) | C::Integer(_, l)) => {
            let kind = *k.max(l);
            let (x, y) = (number(a)?, number(b)?);
            let r = match name {
                "mod" if y != 0.0 => x % y,
                "modulo" if y != 0.0 => {
                    // A zero has the sign of the second argument, as at run time.
                    match x % y {
                        0.0 => 0f64.copysign(y),
                        r if (r < 0.0) != (y < 0.0) => r + y,
                        r => r,
                    }
                }
                "sign" => x.abs().copysign(y),
                "dim" => (x - y).max(0.0),
                "atan2" | "atan" => x.atan2(y),
                "hypot" => x.hypot(y),
                _ => return None,
            };
            fold::real(r, kind)
        }
        _ => None,
    }
}

/// A transformational function of constants.
pub fn transformational(name: &str, args: &[Option<&Constant>], ty: &Type) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let int = |n: usize| match arg(n) {
        Some(C::Integer(v, _)) => Some(*v),
        _ => None,
    };
    let kind = |k: i128| Some(C::Integer(k, 4));
    match name {
        "selected_int_kind" => kind(match int(0)? {
            ..=2 => 1,
            3..=4 => 2,
            5..=9 => 4,
            10..=18 => 8,
            _ => -1,
        }),
        "selected_real_kind" => {
            let (p, r) = (int(0).unwrap_or(0), int(1).unwrap_or(0));
            kind(match (p, r) {
                (..=6, ..=37) => 4,
                (..=15, ..=307) => 8,
                _ => return None,
            })
        }
        "selected_logical_kind" => kind(match int(0)? {
            ..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            33..=64 => 8,
            _ => -1,
        }),
        "selected_char_kind" => kind(match arg(0)? {
            C::Character(s) => match s.trim().to_ascii_lowercase().as_str() {
                "default" | "ascii" => 1,
                "iso_10646" => 4,
                _ => -1,
            },
            _ => return None,
        }),
        "repeat" => match (arg(0)?, int(1)?) {
            (C::Character(s), n) if (0..=65536).contains(&n) && s.len() as i128 * n <= 65536 => {
                Some(C::Character(s.repeat(n as usize)))
            }
            _ => None,
        },
        "trim" => match arg(0)? {
            C::Character(s) => Some(C::Character(s.trim_end_matches(' ').to_owned())),
            _ => None,
        },
        _ => array_fold::transformational(name, args, ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_numbers() {
        assert_eq!(
            model_of("huge", &Type::Integer(4)),
            Some(C::Integer(2147483647, 4))
        );
        assert_eq!(model_of("huge", &Type::Real(8)), Some(C::Real(f64::MAX, 8)));
        assert_eq!(
            model_of("tiny", &Type::Real(4)),
            Some(C::Real(f64::from(f32::MIN_POSITIVE), 4))
        );
        assert_eq!(
            model_of("epsilon", &Type::Real(8)),
            Some(C::Real(f64::EPSILON, 8))
        );
    }

    #[test]
    fn integer_functions() {
        let i = |v| C::Integer(v, 4);
        let modulo = elemental("modulo", &[Some(&i(-7)), Some(&i(3))], &Type::Integer(4));
        assert_eq!(modulo, Some(i(2)));
        let shifted = elemental("ishft", &[Some(&i(-1)), Some(&i(-28))], &Type::Integer(4));
        assert_eq!(shifted, Some(i(15)));
    }

    #[test]
    fn zero_of_modulo_has_the_sign_of_the_second_argument() {
        let r = |v| C::Real(v, 4);
        let sign = |a, p| match elemental("modulo", &[Some(&r(a)), Some(&r(p))], &Type::Real(4)) {
            Some(C::Real(zero, 4)) => 1f64.copysign(zero),
            _ => 0.0,
        };
        assert_eq!((sign(100.0, -2.5), sign(-100.0, 2.5)), (-1.0, 1.0));
    }
}
