//! Arithmetic on folded constants: values, kinds and rounding as the language has them.
//!
//! Every function gives None where the value cannot be folded faithfully (overflow, division by zero, other types): the
//! expression is then left to run time.

use super::precise;
use crate::ast::{BinaryOp, UnaryOp};
use crate::sema::model::dialect::Dialect;
use crate::sema::model::{CharacterLength, Constant, Type};

/// Largest number of elements of a folded array; larger ones are left to run time.
pub const MAX_ELEMENTS: usize = 1 << 16;

/// Rounds a value to the real kind.
pub fn round(v: f64, kind: u8) -> f64 {
    match kind {
        2 => half(v),
        4 => v as f32 as f64,
        _ => v,
    }
}

/// Rounds to IEEE binary16, ties to even.
fn half(v: f64) -> f64 {
    if v == 0.0 || !v.is_finite() {
        return v;
    }
    let exponent = v.abs().log2().floor().max(-14.0);
    let unit = (exponent - 10.0).exp2();
    let scaled = (v / unit).round_ties_even() * unit;
    if scaled.abs() >= 65520.0 {
        return f64::INFINITY.copysign(v);
    }
    scaled
}

/// Value range check of an integer kind.
pub fn integer(v: i128, kind: u8) -> Option<Constant> {
    let limit = match kind {
        1 | 2 | 4 | 8 => 1i128 << (u32::from(kind) * 8 - 1),
        // The kind of a BOZ literal without type.
        16 => return Some(Constant::Integer(v, kind)),
        _ => return None,
    };
    (v >= -limit && v < limit).then_some(Constant::Integer(v, kind))
}

/// The low bytes of a bit pattern as a signed integer of the kind.
pub fn wrapped(v: i128, kind: u8) -> Constant {
    let bits = (u32::from(kind) * 8).clamp(8, 128);
    let shift = 128 - bits;
    Constant::Integer((v << shift) >> shift, kind)
}

/// The result of arithmetic; None if it is not finite.
pub fn real(v: f64, kind: u8) -> Option<Constant> {
    let r = round(v, kind);
    r.is_finite().then_some(Constant::Real(r, kind))
}

/// A complex number of many digits in a kind.
pub(in crate::translation::sema) fn pair((re, im): precise::Pair, kind: u8) -> Option<Constant> {
    let (re, im) = (precise::rounded(&re, kind)?, precise::rounded(&im, kind)?);
    Some(Constant::Complex(re, im, kind))
}

pub fn complex(re: f64, im: f64, kind: u8) -> Option<Constant> {
    let (re, im) = (round(re, kind), round(im, kind));
    (re.is_finite() && im.is_finite()).then_some(Constant::Complex(re, im, kind))
}

/// A value in another kind: infinities and NaNs stay what they are, NaNs that the kind can hold with their bits.
fn moved(v: f64, kind: u8) -> Option<f64> {
    match kind {
        _ if v.is_infinite() => Some(v),
        4 if v.is_nan() => (narrowed(v).map(widened)?.to_bits() == v.to_bits()).then_some(v),
        8 if v.is_nan() => Some(v),
        _ => Some(round(v, kind)).filter(|r| r.is_finite()),
    }
}

/// The number in double precision that a single precision bit pattern has; of a NaN with all its bits.
pub fn widened(bits: u32) -> f64 {
    let v = f32::from_bits(bits);
    if !v.is_nan() {
        return f64::from(v);
    }
    let (sign, payload) = (u64::from(bits >> 31), u64::from(bits & 0x7f_ffff));
    f64::from_bits((sign << 63) | (0x7ff << 52) | (payload << 29))
}

/// The single precision bit pattern of a NaN; None if none has its bits.
pub fn narrowed(nan: f64) -> Option<u32> {
    let bits = nan.to_bits();
    let payload = (bits >> 29) as u32 & 0x7f_ffff;
    let pattern = (((bits >> 63) as u32) << 31) | (0xff << 23) | payload;
    (payload != 0 && bits & 0x1fff_ffff == 0).then_some(pattern)
}

/// Type of a constant; of its elements for an array.
pub fn type_of(c: &Constant) -> Type {
    match c {
        Constant::Integer(_, k) => Type::Integer(*k),
        Constant::Real(_, k) => Type::Real(*k),
        Constant::Complex(_, _, k) => Type::Complex(*k),
        Constant::Logical(_, k) => Type::Logical(*k),
        Constant::Character(s) => {
            Type::Character(CharacterLength::Constant(s.chars().count() as i64))
        }
        Constant::Array(v, _) => v.first().map_or(Type::Unknown, type_of),
        Constant::Structure(t, _) => Type::Derived(*t),
    }
}

/// The value converted to a type as intrinsic assignment does it.
pub fn convert(c: &Constant, ty: &Type) -> Option<Constant> {
    if let Constant::Array(items, shape) = c {
        let items: Option<Vec<_>> = items.iter().map(|i| convert(i, ty)).collect();
        return Some(Constant::Array(items?, shape.clone()));
    }
    match (c, ty) {
        (Constant::Integer(v, _), Type::Integer(k)) => integer(*v, *k),
        (Constant::Integer(v, _), Type::Real(k)) => integer_to_real(*v, *k),
        (Constant::Integer(..), Type::Complex(k)) => match convert(c, &Type::Real(*k))? {
            Constant::Real(re, _) => complex(re, 0.0, *k),
            _ => None,
        },
        (Constant::Real(v, _) | Constant::Complex(v, _, _), Type::Integer(k)) => {
            (v.abs() < 1e30).then(|| integer(v.trunc() as i128, *k))?
        }
        (Constant::Real(v, _) | Constant::Complex(v, _, _), Type::Real(k)) => {
            Some(Constant::Real(moved(*v, *k)?, *k))
        }
        (Constant::Real(v, _), Type::Complex(k)) => {
            Some(Constant::Complex(moved(*v, *k)?, 0.0, *k))
        }
        (Constant::Complex(re, im, _), Type::Complex(k)) => {
            Some(Constant::Complex(moved(*re, *k)?, moved(*im, *k)?, *k))
        }
        (Constant::Logical(v, _), Type::Logical(k)) => Some(Constant::Logical(*v, *k)),
        (Constant::Character(s), Type::Character(CharacterLength::Constant(n))) => {
            let n = usize::try_from(*n).ok().filter(|n| *n <= MAX_ELEMENTS)?;
            let mut out: String = s.chars().take(n).collect();
            let have = out.chars().count();
            out.extend(std::iter::repeat_n(' ', n - have));
            Some(Constant::Character(out))
        }
        (Constant::Character(_), Type::Character(CharacterLength::Other)) => Some(c.clone()),
        (Constant::Structure(t, _), Type::Derived(u)) if t == u => Some(c.clone()),
        _ => None,
    }
}

/// Characters of a text from a place to another, or to its end.
pub(in crate::translation::sema) fn substring(
    c: &Constant,
    from: i64,
    to: Option<i64>,
) -> Option<Constant> {
    let Constant::Character(s) = c else {
        return None;
    };
    let length = s.chars().count() as i64;
    let to = to.unwrap_or(length);
    if to < from {
        return Some(Constant::Character(String::new()));
    }
    let (skip, take) = (from - 1, to - from + 1);
    if skip < 0 || to > length {
        return None;
    }
    let part = s.chars().skip(skip as usize).take(take as usize);
    Some(Constant::Character(part.collect()))
}

fn integer_to_real(v: i128, kind: u8) -> Option<Constant> {
    match kind {
        4 => Some(Constant::Real(f64::from(v as f32), 4)),
        _ => real(v as f64, kind),
    }
}

/// Applies `f` to every element, or to the scalar.
pub fn map(c: &Constant, f: &dyn Fn(&Constant) -> Option<Constant>) -> Option<Constant> {
    match c {
        Constant::Array(items, shape) => {
            let items: Option<Vec<_>> = items.iter().map(f).collect();
            Some(Constant::Array(items?, shape.clone()))
        }
        _ => f(c),
    }
}

/// Applies `f` elementwise; a scalar is broadcast.
pub fn map2(
    a: &Constant,
    b: &Constant,
    f: &dyn Fn(&Constant, &Constant) -> Option<Constant>,
) -> Option<Constant> {
    match (a, b) {
        (Constant::Array(x, sx), Constant::Array(y, sy)) if sx == sy => {
            let items: Option<Vec<_>> = x.iter().zip(y).map(|(x, y)| f(x, y)).collect();
            Some(Constant::Array(items?, sx.clone()))
        }
        (Constant::Array(..), Constant::Array(..)) => None,
        (Constant::Array(..), _) => map(a, &|x| f(x, b)),
        (_, Constant::Array(..)) => map(b, &|y| f(a, y)),
        _ => f(a, b),
    }
}

/// Applies `f` elementwise to three; scalars are broadcast.
pub fn map3(
    all: [&Constant; 3],
    f: &dyn Fn(&Constant, &Constant, &Constant) -> Option<Constant>,
) -> Option<Constant> {
    let shape = all.iter().find_map(|c| match c {
        Constant::Array(items, shape) => Some((items.len(), shape)),
        _ => None,
    });
    let [a, b, c] = all;
    let Some((n, shape)) = shape else {
        return f(a, b, c);
    };
    fn element(c: &Constant, i: usize) -> Option<&Constant> {
        match c {
            Constant::Array(items, _) => items.get(i),
            one => Some(one),
        }
    }
    let items: Option<Vec<Constant>> = (0..n)
        .map(|i| f(element(a, i)?, element(b, i)?, element(c, i)?))
        .collect();
    Some(Constant::Array(items?, shape.clone()))
}

pub fn unary(op: UnaryOp, c: &Constant) -> Option<Constant> {
    map(c, &|c| match (op, c) {
        (UnaryOp::Plus, _) => Some(c.clone()),
        (UnaryOp::Minus, Constant::Integer(v, k)) => integer(v.checked_neg()?, *k),
        (UnaryOp::Minus, Constant::Real(v, k)) => Some(Constant::Real(-v, *k)),
        (UnaryOp::Minus, Constant::Complex(r, i, k)) => Some(Constant::Complex(-r, -i, *k)),
        (UnaryOp::Not, Constant::Logical(v, k)) => Some(Constant::Logical(!v, *k)),
        _ => None,
    })
}

pub fn binary(op: BinaryOp, a: &Constant, b: &Constant) -> Option<Constant> {
    map2(a, b, &|a, b| scalar_binary(op, a, b))
}

fn scalar_binary(op: BinaryOp, a: &Constant, b: &Constant) -> Option<Constant> {
    use BinaryOp as Op;
    use Constant as C;
    if matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge) {
        return compare(op, a, b).map(|v| C::Logical(v, 4));
    }
    match (a, b) {
        (C::Integer(x, k), C::Integer(y, l)) => {
            let kind = *k.max(l);
            let v = match op {
                Op::Add => x.checked_add(*y)?,
                Op::Sub => x.checked_sub(*y)?,
                Op::Mul => x.checked_mul(*y)?,
                Op::Div => x.checked_div(*y)?,
                Op::Pow => integer_power(*x, *y)?,
                _ => return None,
            };
            integer(v, kind)
        }
        (C::Logical(x, k), C::Logical(y, l)) => {
            let v = match op {
                Op::And => *x && *y,
                Op::Or => *x || *y,
                Op::Eqv => x == y,
                Op::Neqv => x != y,
                _ => return None,
            };
            Some(C::Logical(v, *k.max(l)))
        }
        (C::Character(x), C::Character(y)) if op == Op::Concat => {
            (x.len() + y.len() <= MAX_ELEMENTS).then(|| C::Character(format!("{x}{y}")))
        }
        (C::Complex(..), _) | (_, C::Complex(..)) => {
            let kind = real_kind(a)?.max(real_kind(b)?);
            complex_binary(op, parts(a, kind)?, b, parts(b, kind)?, kind)
        }
        (C::Real(x, k), C::Integer(n, _)) if op == Op::Pow => {
            let n = i32::try_from(*n).ok()?;
            beyond(raised(*x, n.into(), *k)?, *k)
        }
        (C::Real(..) | C::Integer(..), C::Real(..) | C::Integer(..)) => {
            let kind = real_kind(a)?.max(real_kind(b)?);
            let (x, y) = (parts(a, kind)?.0, parts(b, kind)?.0);
            let v = match op {
                // The exact sum, difference, product or quotient of two floats, rounded to double and then to float, is
                // the correctly rounded float result (53 >= 2 * 24 + 2).
                Op::Add => x + y,
                Op::Sub => x - y,
                Op::Mul => x * y,
                Op::Div if y != 0.0 => x / y,
                Op::Pow => raised(x, y, kind)?,
                _ => return None,
            };
            beyond(v, kind)
        }
        _ => None,
    }
}

/// The result of real arithmetic, which is infinite beyond the largest number (decision 1017). Numbers of more than 8 bytes may hold it.
fn beyond(v: f64, kind: u8) -> Option<Constant> {
    match kind {
        2 | 4 | 8 => Some(round(v, kind))
            .filter(|v| !v.is_nan())
            .map(|v| Constant::Real(v, kind)),
        _ => real(v, kind),
    }
}

/// A power in a kind.
fn raised(x: f64, y: f64, kind: u8) -> Option<f64> {
    let exact = precise::power(x, y)?;
    precise::rounded(&exact, kind).or_else(|| {
        let near = round(x.powf(y), kind);
        near.is_infinite().then_some(near)
    })
}

/// Kind an operand gives a real result; 0 for integers, which leave it to the other operand.
fn real_kind(c: &Constant) -> Option<u8> {
    match c {
        Constant::Real(_, k) | Constant::Complex(_, _, k) => Some(*k),
        Constant::Integer(..) => Some(0),
        _ => None,
    }
}

/// Real and imaginary part in the given real kind.
fn parts(c: &Constant, kind: u8) -> Option<(f64, f64)> {
    match c {
        Constant::Integer(v, _) => match integer_to_real(*v, kind)? {
            Constant::Real(v, _) => Some((v, 0.0)),
            _ => None,
        },
        Constant::Real(v, _) => Some((*v, 0.0)),
        Constant::Complex(r, i, _) => Some((*r, *i)),
        _ => None,
    }
}

fn complex_binary(
    op: BinaryOp,
    a: (f64, f64),
    b: &Constant,
    y: (f64, f64),
    kind: u8,
) -> Option<Constant> {
    match op {
        BinaryOp::Add => complex(a.0 + y.0, a.1 + y.1, kind),
        BinaryOp::Sub => complex(a.0 - y.0, a.1 - y.1, kind),
        BinaryOp::Mul => pair(precise::complex_product(a, y), kind),
        BinaryOp::Div if y != (0.0, 0.0) => pair(precise::complex_quotient(a, y)?, kind),
        BinaryOp::Pow => match b {
            Constant::Integer(n, _) => {
                let n = i64::try_from(*n).ok().filter(|n| n.abs() <= 1 << 16)?;
                if n < 0 && a == (0.0, 0.0) {
                    return None;
                }
                pair(precise::complex_power(a, n)?, kind)
            }
            _ => None,
        },
        _ => None,
    }
}

fn integer_power(x: i128, n: i128) -> Option<i128> {
    if n >= 0 {
        return x.checked_pow(u32::try_from(n).ok()?);
    }
    match x {
        0 => None,
        1 => Some(1),
        -1 => Some(if n % 2 == 0 { 1 } else { -1 }),
        _ => Some(0),
    }
}

/// Orders characters with the shorter one padded with blanks.
pub fn compare_characters(a: &str, b: &str) -> std::cmp::Ordering {
    let n = a.chars().count().max(b.chars().count());
    let pad = |s: &str| -> Vec<char> { s.chars().chain(std::iter::repeat(' ')).take(n).collect() };
    pad(a).cmp(&pad(b))
}

fn compare(op: BinaryOp, a: &Constant, b: &Constant) -> Option<bool> {
    use std::cmp::Ordering;
    let order = match (a, b) {
        (Constant::Integer(x, _), Constant::Integer(y, _)) => x.cmp(y),
        (Constant::Character(x), Constant::Character(y)) => compare_characters(x, y),
        (Constant::Complex(..), _) | (_, Constant::Complex(..)) => {
            let kind = real_kind(a)?.max(real_kind(b)?);
            let equal = parts(a, kind)? == parts(b, kind)?;
            return match op {
                BinaryOp::Eq => Some(equal),
                BinaryOp::Ne => Some(!equal),
                _ => None,
            };
        }
        _ => {
            let kind = real_kind(a)?.max(real_kind(b)?);
            parts(a, kind)?.0.partial_cmp(&parts(b, kind)?.0)?
        }
    };
    Some(match op {
        BinaryOp::Eq => order == Ordering::Equal,
        BinaryOp::Ne => order != Ordering::Equal,
        BinaryOp::Lt => order == Ordering::Less,
        BinaryOp::Le => order != Ordering::Greater,
        BinaryOp::Gt => order == Ordering::Greater,
        BinaryOp::Ge => order != Ordering::Less,
        _ => return None,
    })
}

/// Value of a BOZ literal's digits.
pub fn boz(radix: u32, digits: &str) -> Option<i128> {
    let v = u128::from_str_radix(digits, radix).ok()?;
    i128::try_from(v).ok()
}

/// A BOZ literal as a value of a type: its bit pattern.
pub fn boz_as(v: i128, ty: &Type) -> Option<Constant> {
    match ty {
        Type::Integer(k) => Some(wrapped(v, *k)),
        Type::Real(4) => Some(Constant::Real(widened(v as u32), 4)),
        Type::Real(8) => Some(Constant::Real(f64::from_bits(v as u64), 8)),
        _ => None,
    }
}

/// Value and kind of a real literal without kind suffix (`2.5`, `1d0`, `.5e-3`); `kind` is that of the suffix.
/// The value of a character constant, in which a backslash may begin an escape sequence.
pub fn text(written: &str, dialect: Dialect) -> Constant {
    Constant::Character(match dialect.escapes {
        true => unescaped(written),
        false => written.to_owned(),
    })
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match escape(rest) {
            Some((c, length)) => {
                out.push(c);
                rest = &rest[length..];
            }
            // Others stay as they are.
            None => out.push('\\'),
        }
    }
    out.push_str(rest);
    out
}

/// The character that an escape sequence stands for, and the bytes of what follows its backslash. Those of gfortran's -fbackslash, which
/// compiles the host code.
fn escape(rest: &str) -> Option<(char, usize)> {
    let code = |digits: usize| {
        let text = rest.get(1..1 + digits)?;
        let hexadecimal = text.bytes().all(|b| b.is_ascii_hexdigit());
        let value = u32::from_str_radix(text, 16).ok().filter(|_| hexadecimal)?;
        Some((char::from_u32(value)?, 1 + digits))
    };
    let c = match rest.chars().next()? {
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        '0' => '\0',
        '\\' => '\\',
        'x' => return code(2),
        'u' => return code(4),
        'U' => return code(8),
        _ => return None,
    };
    Some((c, 1))
}

/// The value of a real constant and its kind; one without a kind or exponent letter of its own has the `default`.
pub fn real_literal(text: &str, kind: Option<u8>, default: u8) -> Option<(f64, u8)> {
    let lower = text.to_ascii_lowercase();
    let kind = kind.unwrap_or(if lower.contains('d') {
        8
    } else if lower.contains('q') {
        16
    } else {
        default
    });
    let plain = lower.replace(['d', 'q'], "e");
    let value = match kind {
        // Parsed directly: rounding twice could differ in the last bit.
        4 => f64::from(plain.parse::<f32>().ok()?),
        _ => round(plain.parse::<f64>().ok()?, kind),
    };
    Some((value, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_their_range() {
        let max = Constant::Integer(2147483647, 4);
        assert_eq!(
            binary(BinaryOp::Add, &max, &Constant::Integer(1, 4)),
            None,
            "overflow is left to run time"
        );
        assert_eq!(
            binary(BinaryOp::Add, &max, &Constant::Integer(1, 8)),
            Some(Constant::Integer(2147483648, 8))
        );
        assert_eq!(wrapped(0xffff_ffff, 4), Constant::Integer(-1, 4));
    }

    #[test]
    fn reals_are_rounded_to_their_kind() {
        let tenth = Constant::Real(f64::from(0.1f32), 4);
        let sum = binary(BinaryOp::Add, &tenth, &tenth);
        assert_eq!(sum, Some(Constant::Real(f64::from(0.1f32 + 0.1f32), 4)));
        assert_eq!(real_literal("1d-1", None, 4), Some((0.1, 8)));
        assert_eq!(round(1.0 / 3.0, 2), 0.333251953125);
    }

    #[test]
    fn arrays_are_elementwise() {
        let a = Constant::Array(
            vec![Constant::Integer(1, 4), Constant::Integer(2, 4)],
            vec![2],
        );
        assert_eq!(
            binary(BinaryOp::Mul, &a, &Constant::Integer(3, 4)),
            Some(Constant::Array(
                vec![Constant::Integer(3, 4), Constant::Integer(6, 4)],
                vec![2]
            ))
        );
    }
}
