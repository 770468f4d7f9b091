//! Kinds and the numbers that they can hold.

use super::Arguments;
use crate::intrinsics::Kinds;
use crate::sema::constant::fold;
use crate::sema::model::{Constant, Type};
use Constant as C;

/// HUGE, TINY, ... of a type (Fortran 2018 13.4 and 16.9): values in the type, or integers.
pub fn model_of(i: Kinds, ty: &Type) -> Option<Constant> {
    use Kinds::*;
    let int = |v: i128| Some(C::Integer(v, 4));
    match ty {
        Type::Integer(k @ (1 | 2 | 4 | 8)) => {
            let bits = u32::from(*k) * 8;
            let huge = (1i128 << (bits - 1)) - 1;
            match i {
                Huge => Some(C::Integer(huge, *k)),
                Digits => int((bits - 1).into()),
                Radix => int(2),
                Range => int((huge as f64).log10().floor() as i128),
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
            match i {
                // 2**max itself is out of range for kind 8.
                Huge => fold::real((1.0 - unit(-digits)) * unit(max - 1) * 2.0, *k),
                Tiny => fold::real(unit(min - 1), *k),
                Epsilon => fold::real(unit(1 - digits), *k),
                Digits => int(digits.into()),
                Maxexponent => int(max.into()),
                Minexponent => int(min.into()),
                Precision => int(precision),
                Range => int(range),
                Radix => int(2),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The kind that fits a wish, or a negative number.
pub(in crate::translation::sema) fn selected(i: Kinds, args: Arguments<'_>) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let int = |n: usize| match arg(n) {
        Some(C::Integer(v, _)) => Some(*v),
        _ => None,
    };
    let kind = |k: i128| Some(C::Integer(k, 4));
    match i {
        Kinds::SelectedIntKind => kind(match int(0)? {
            ..=2 => 1,
            3..=4 => 2,
            5..=9 => 4,
            10..=18 => 8,
            // A kind of the host's compiler, which no device has.
            19..=38 => 16,
            _ => -1,
        }),
        Kinds::SelectedRealKind => {
            if arg(2).is_some_and(|radix| *radix != C::Integer(2, 4)) {
                return None;
            }
            let (p, r) = (int(0).unwrap_or(0), int(1).unwrap_or(0));
            kind(match (p, r) {
                (..=6, ..=37) => 4,
                (..=15, ..=307) => 8,
                _ => return None,
            })
        }
        Kinds::SelectedLogicalKind => kind(match int(0)? {
            ..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            33..=64 => 8,
            _ => -1,
        }),
        Kinds::SelectedCharKind => kind(match arg(0)? {
            C::Character(s) => match s.trim().to_ascii_lowercase().as_str() {
                "default" | "ascii" => 1,
                "iso_10646" => 4,
                _ => -1,
            },
            _ => return None,
        }),
        // Of a type, not of a value.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_numbers() {
        assert_eq!(
            model_of(Kinds::Huge, &Type::Integer(4)),
            Some(C::Integer(2147483647, 4))
        );
        assert_eq!(
            model_of(Kinds::Huge, &Type::Real(8)),
            Some(C::Real(f64::MAX, 8))
        );
        assert_eq!(
            model_of(Kinds::Tiny, &Type::Real(4)),
            Some(C::Real(f64::from(f32::MIN_POSITIVE), 4))
        );
        assert_eq!(
            model_of(Kinds::Epsilon, &Type::Real(8)),
            Some(C::Real(f64::EPSILON, 8))
        );
    }
}
