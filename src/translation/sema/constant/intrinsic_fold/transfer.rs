//! TRANSFER of constants: their bytes, as the host and the device store them.

use super::Arguments;
use super::array::{integer, size};
use crate::sema::constant::fold;
use crate::sema::model::{CharacterLength, Constant, Type};
use Constant as C;

/// The value of TRANSFER.
pub(super) fn fold(args: Arguments<'_>, ty: &Type) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let mut bytes = Vec::new();
    store(arg(0)?, &mut bytes)?;
    let mold = arg(1)?;
    // The mold says how long a text is.
    let of_mold = match mold {
        C::Array(items, _) => items.first()?,
        one => one,
    };
    let ty = match ty {
        Type::Character(_) => &fold::type_of(of_mold),
        t => t,
    };
    let width = width(ty).filter(|w| *w > 0)?;
    if arg(2).is_none() && !matches!(mold, C::Array(..)) {
        return load(bytes.get(..width)?, ty);
    }
    let count = match arg(2) {
        Some(n) => size(&[integer(n)?])?,
        None => bytes.len().div_ceil(width),
    };
    // What the source does not give has no value.
    let items: Option<Vec<Constant>> = (0..count)
        .map(|i| load(bytes.get(i * width..(i + 1) * width)?, ty))
        .collect();
    Some(C::Array(items?, vec![count as i64]))
}

/// Bytes of a scalar.
fn width(ty: &Type) -> Option<usize> {
    match ty {
        Type::Integer(k @ (1 | 2 | 4 | 8)) | Type::Logical(k) => Some(usize::from(*k)),
        Type::Real(k @ (4 | 8)) => Some(usize::from(*k)),
        Type::Complex(k @ (4 | 8)) => Some(2 * usize::from(*k)),
        Type::Character(CharacterLength::Constant(n)) => usize::try_from(*n).ok(),
        _ => None,
    }
}

fn store(c: &Constant, out: &mut Vec<u8>) -> Option<()> {
    let mut put = |bits: u64, bytes: u8| {
        out.extend(bits.to_le_bytes().iter().take(usize::from(bytes)));
    };
    match c {
        C::Integer(v, k @ (1 | 2 | 4 | 8)) => put(*v as u64, *k),
        C::Logical(v, k) => put(u64::from(*v), *k),
        C::Real(v, k) => put(bits(*v, *k)?, *k),
        C::Complex(re, im, k) => {
            put(bits(*re, *k)?, *k);
            put(bits(*im, *k)?, *k);
        }
        C::Character(s) if s.is_ascii() => out.extend(s.as_bytes()),
        C::Array(items, _) => {
            for i in items {
                store(i, out)?;
            }
        }
        // Structures have gaps.
        _ => return None,
    }
    Some(())
}

fn bits(v: f64, kind: u8) -> Option<u64> {
    match kind {
        4 if v.is_nan() => Some(fold::narrowed(v)?.into()),
        #[allow(clippy::cast_possible_truncation)]
        4 => Some((v as f32).to_bits().into()),
        8 => Some(v.to_bits()),
        _ => None,
    }
}

fn load(bytes: &[u8], ty: &Type) -> Option<Constant> {
    let word = |b: &[u8]| b.iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
    match ty {
        Type::Integer(k) => Some(fold::wrapped(word(bytes).into(), *k)),
        Type::Real(_) => fold::boz_as(word(bytes).into(), ty),
        Type::Logical(k) => match word(bytes) {
            bit @ (0 | 1) => Some(C::Logical(bit == 1, *k)),
            _ => None,
        },
        Type::Complex(k) => {
            let (re, im) = bytes.split_at(bytes.len() / 2);
            let part = |b: &[u8]| match fold::boz_as(word(b).into(), &Type::Real(*k)) {
                Some(C::Real(v, _)) => Some(v),
                _ => None,
            };
            Some(C::Complex(part(re)?, part(im)?, *k))
        }
        Type::Character(_) if bytes.is_ascii() => {
            Some(C::Character(String::from_utf8(bytes.to_vec()).ok()?))
        }
        _ => None,
    }
}
