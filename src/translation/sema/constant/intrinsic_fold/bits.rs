//! Functions of bits.

use super::Arguments;
use crate::intrinsics::Bits;
use crate::sema::constant::fold;
use crate::sema::constant::fold::{map, map2, map3};
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a function of bits.
pub(in crate::translation::sema) fn fold(
    i: Bits,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let first = arg(0)?;
    let result = match (i, arg(1)) {
        (Bits::Maskl | Bits::Maskr, _) => return map(first, &|c| ones(i, c, ty)),
        (_, None) => map(first, &|c| of_one(i, c))?,
        (Bits::Ibits | Bits::Ishftc | Bits::Dshiftl | Bits::Dshiftr | Bits::MergeBits, Some(b)) => {
            // The third argument of ISHFTC may be left out: all bits.
            let full = match fold::type_of(first) {
                Type::Integer(k) => C::Integer(i128::from(k) * 8, 4),
                _ => return None,
            };
            let third = arg(2).unwrap_or(&full);
            map3([first, b, third], &|x, y, z| of_three(i, x, y, z, ty))?
        }
        (_, Some(b)) => {
            let mut result = map2(first, b, &|a, b| of_two(i, a, b))?;
            // IAND and its like take any number of arguments in nvfortran.
            for more in args.iter().skip(2).copied().flatten() {
                result = map2(&result, more, &|a, b| of_two(i, a, b))?;
            }
            result
        }
    };
    fold::convert(&result, ty)
}

/// MASKL and MASKR.
fn ones(i: Bits, c: &Constant, ty: &Type) -> Option<Constant> {
    let (C::Integer(n, _), Type::Integer(k)) = (c, ty) else {
        return None;
    };
    let bits = i128::from(*k) * 8;
    if !(0..=bits).contains(n) || bits > 64 {
        return None;
    }
    let all = (1i128 << bits) - 1;
    Some(match i {
        Bits::Maskl => fold::wrapped(all & !(all >> n), *k),
        _ => fold::wrapped(all >> (bits - n), *k),
    })
}

/// A function of three scalars.
fn of_three(i: Bits, a: &Constant, b: &Constant, c: &Constant, ty: &Type) -> Option<Constant> {
    let (C::Integer(x, k), C::Integer(y, _), C::Integer(z, _)) = (a, b, c) else {
        return None;
    };
    let kind = match (i, ty) {
        // A BOZ constant has the kind of the other.
        (Bits::Dshiftl | Bits::Dshiftr | Bits::MergeBits, Type::Integer(kind)) => *kind,
        _ => *k,
    };
    let bits = i128::from(kind) * 8;
    if bits > 64 {
        return None;
    }
    let (x, y) = (*x as u128 & mask(kind), *y as u128);
    let low = |n: i128| (1u128 << n) - 1;
    let result = match i {
        Bits::Ibits if *z >= 0 && y as i128 >= 0 && y as i128 + z <= bits => (x >> y) & low(*z),
        Bits::Ishftc if (1..=bits).contains(z) && (y as i128).abs() <= *z => {
            let part = x & low(*z);
            let left = (y as i128).rem_euclid(*z);
            let turned = (part << left | part >> (z - left)) & low(*z);
            x & !low(*z) | turned
        }
        Bits::Dshiftl if (0..=bits).contains(z) => x << z | (y & mask(kind)) >> (bits - z),
        Bits::Dshiftr if (0..=bits).contains(z) => x << (bits - z) | (y & mask(kind)) >> z,
        Bits::MergeBits => x & *z as u128 | y & !(*z as u128),
        _ => return None,
    };
    Some(fold::wrapped((result & mask(kind)) as i128, kind))
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
        (Poppar, C::Integer(v, k)) => {
            let bits = (*v as u128) & mask(*k);
            Some(C::Integer((bits.count_ones() & 1).into(), 4))
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
    let ordered = |o: bool| Some(C::Logical(o, 4));
    let other = (*y as u128) & mask(*l);
    match i {
        Bge => ordered(unsigned >= other),
        Bgt => ordered(unsigned > other),
        Ble => ordered(unsigned <= other),
        Blt => ordered(unsigned < other),
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
        Shifta if (0..=bits).contains(y) => Some(C::Integer(x >> y, *k)),
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
