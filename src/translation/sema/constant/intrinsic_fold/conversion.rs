//! Conversions, parts of numbers, rounding.

use super::Arguments;
use crate::intrinsics::Conversion;
use crate::sema::constant::fold;
use crate::sema::constant::fold::map;
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a conversion to the type.
pub(in crate::translation::sema) fn fold(
    i: Conversion,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    let first = args.first().copied().flatten()?;
    match i {
        Conversion::Cmplx => complex(first, args.get(1).copied().flatten(), ty),
        _ => map(first, &|c| of_one(i, c, ty)),
    }
}

fn complex(re: &Constant, im: Option<&Constant>, ty: &Type) -> Option<Constant> {
    let (Some(im), Type::Complex(k)) = (im, ty) else {
        return fold::convert(re, ty);
    };
    let part = |c: &Constant| match fold::convert(c, &Type::Real(*k))? {
        C::Real(v, _) => Some(v),
        _ => None,
    };
    fold::map2(re, im, &|re, im| Some(C::Complex(part(re)?, part(im)?, *k)))
}

fn of_one(i: Conversion, c: &Constant, ty: &Type) -> Option<Constant> {
    use Conversion::*;
    match (i, c) {
        (Realpart, C::Complex(re, _, k)) => Some(C::Real(*re, *k)),
        (Int | Real | Logical, _) => fold::convert(c, ty),
        (Aimag, C::Complex(_, i, k)) => Some(C::Real(*i, *k)),
        (Nint | Floor | Ceiling, C::Real(v, _)) => {
            let r = match i {
                Nint => v.round(),
                Floor => v.floor(),
                _ => v.ceil(),
            };
            fold::convert(&C::Real(r, 8), ty)
        }
        (Aint, C::Real(v, _)) => fold::convert(&C::Real(v.trunc(), 8), ty),
        (Anint, C::Real(v, _)) => fold::convert(&C::Real(v.round(), 8), ty),
        _ => None,
    }
}
