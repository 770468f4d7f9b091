//! Functions of bits.

use super::Arguments;
use crate::intrinsics::Bits;
use crate::sema::constant::fold;
use crate::sema::constant::fold::{map, map2};
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a function of bits.
pub(in crate::sema) fn fold(i: Bits, args: Arguments<'_>, ty: &Type) -> Option<Constant> {
    let first = args.first().copied().flatten()?;
    let result = match (i, args.get(1).copied().flatten()) {
        (_, None) => return map(first, &|c| of_one(i, c)),
        (Bits::Ibits, Some(pos)) => {
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
        (_, Some(b)) => map2(first, b, &|a, b| of_two(i, a, b))?,
    };
    fold::convert(&result, ty)
}

fn of_one(i: Bits, c: &Constant) -> Option<Constant> {
    use Bits::*;
    match (i, c) {
        (Not, C::Integer(v, k)) => Some(C::Integer(!v, *k)),
        (Popcnt, C::Integer(v, k)) => {
            let bits = (*v as u128) & mask(*k);
            Some(C::Integer(bits.count_ones().into(), 4))
        }
        (Leadz, C::Integer(v, k)) => {
            let bits = (*v as u128) & mask(*k);
            let unused = 128 - u32::from(*k) * 8;
            Some(C::Integer((bits.leading_zeros() - unused).into(), 4))
        }
        (Trailz, C::Integer(v, k)) => {
            let bits = (*v as u128) & mask(*k);
            Some(C::Integer(
                bits.trailing_zeros().min(u32::from(*k) * 8).into(),
                4,
            ))
        }
        _ => None,
    }
}

fn of_two(i: Bits, a: &Constant, b: &Constant) -> Option<Constant> {
    use Bits::*;
    let (C::Integer(x, k), C::Integer(y, l)) = (a, b) else {
        return None;
    };
    let bits = i128::from(*k) * 8;
    let unsigned = (*x as u128) & mask(*k);
    let kind = *k.max(l);
    match i {
        Iand | And => Some(C::Integer(x & y, kind)),
        Ior | Or => Some(C::Integer(x | y, kind)),
        Ieor | Xor => Some(C::Integer(x ^ y, kind)),
        Ibset if (0..bits).contains(y) => Some(fold::wrapped(x | (1 << y), *k)),
        Ibclr if (0..bits).contains(y) => Some(fold::wrapped(x & !(1 << y), *k)),
        Btest if (0..bits).contains(y) => Some(C::Logical((x >> y) & 1 == 1, 4)),
        Ishft | Shiftl | Shiftr | Lshift | Rshift => {
            let left = match i {
                Shiftr | Rshift => -*y,
                _ => *y,
            };
            let shifted = match left {
                n if n.abs() >= bits => 0,
                n if n >= 0 => unsigned << n,
                n => unsigned >> -n,
            };
            Some(fold::wrapped(shifted as i128, *k))
        }
        Shifta if (0..bits).contains(y) => Some(C::Integer(x >> y, *k)),
        _ => None,
    }
}

fn mask(kind: u8) -> u128 {
    match u32::from(kind) * 8 {
        128.. => u128::MAX,
        bits => (1 << bits) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_out() {
        let i = |v| C::Integer(v, 4);
        let (a, s) = (i(-1), i(-28));
        let shifted = fold(Bits::Ishft, &[Some(&a), Some(&s)], &Type::Integer(4));
        assert_eq!(shifted, Some(i(15)));
    }
}
