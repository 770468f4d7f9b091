//! Values of sections of constant arrays and of transformational functions of them (Fortran 2018 16.9).
//!
//! Every function gives None for what is left to run time.

use crate::sema::constant::fold::MAX_ELEMENTS;
use crate::sema::model::Constant;
use Constant as C;

/// The elements of a constant array at the given positions (from 0) in every dimension; `extents` are those of the result.
pub fn section(
    items: &[Constant],
    shape: &[i64],
    positions: &[Vec<i64>],
    extents: Vec<i64>,
) -> Option<Constant> {
    let count = size(&extents)?;
    let mut out = Vec::with_capacity(count);
    let mut index = vec![0usize; positions.len()];
    for _ in 0..count {
        let (mut at, mut stride) = (0i64, 1i64);
        for ((i, list), extent) in index.iter().zip(positions).zip(shape) {
            let position = *list.get(*i)?;
            if !(0..*extent).contains(&position) {
                return None;
            }
            at += position * stride;
            stride *= extent;
        }
        out.push(items.get(usize::try_from(at).ok()?)?.clone());
        for (i, list) in index.iter_mut().zip(positions) {
            *i += 1;
            if *i < list.len() {
                break;
            }
            *i = 0;
        }
    }
    Some(C::Array(out, extents))
}

/// MERGE of scalars and arrays.
pub fn merge(one: &Constant, other: &Constant, mask: &Constant) -> Option<Constant> {
    let (mask, shape) = match mask {
        C::Logical(take, _) => return Some(if *take { one } else { other }.clone()),
        C::Array(mask, shape) => (mask, shape),
        _ => return None,
    };
    let element = |c: &Constant, i: usize| match c {
        C::Array(items, s) if s == shape => items.get(i).cloned(),
        C::Array(..) => None,
        _ => Some(c.clone()),
    };
    let items: Option<Vec<_>> = mask
        .iter()
        .enumerate()
        .map(|(i, m)| match m {
            C::Logical(take, _) => element(if *take { one } else { other }, i),
            _ => None,
        })
        .collect();
    Some(C::Array(items?, shape.clone()))
}

pub(in crate::translation::sema) fn array(c: &Constant) -> Option<(&[Constant], &[i64])> {
    match c {
        C::Array(items, shape) => Some((items, shape)),
        _ => None,
    }
}

pub(in crate::translation::sema) fn integer(c: &Constant) -> Option<i64> {
    match c {
        C::Integer(v, _) => i64::try_from(*v).ok(),
        _ => None,
    }
}

/// Number of elements, if they are not too many.
pub(in crate::translation::sema) fn size(shape: &[i64]) -> Option<usize> {
    shape
        .iter()
        .try_fold(1i64, |n, e| n.checked_mul((*e).max(0)))
        .and_then(|n| usize::try_from(n).ok())
        .filter(|n| *n <= MAX_ELEMENTS)
}

/// The places of the elements (from 0) of every line along a dimension, lines in the order of the elements.
pub(in crate::translation::sema) fn lines(shape: &[i64], d: usize) -> Option<Vec<Vec<usize>>> {
    let all = size(shape)?;
    let extent = usize::try_from(*shape.get(d)?).ok()?;
    let inner = size(&shape[..d])?;
    let outer = size(&shape[d + 1..])?;
    if inner * outer > MAX_ELEMENTS || inner * extent * outer != all {
        return None;
    }
    let line = |o: usize, i: usize| {
        let first = o * inner * extent + i;
        (0..extent).map(move |n| first + n * inner).collect()
    };
    let places = (0..outer).flat_map(|o| (0..inner).map(move |i| (o, i)));
    Some(places.map(|(o, i)| line(o, i)).collect())
}

/// The elements that a mask selects; None in place of the others.
pub(in crate::translation::sema) fn masked<'a>(
    items: &'a [Constant],
    mask: Option<&Constant>,
) -> Option<Vec<Option<&'a Constant>>> {
    let chosen = |c: &Constant| match c {
        C::Logical(b, _) => Some(*b),
        _ => None,
    };
    match mask {
        None => Some(items.iter().map(Some).collect()),
        Some(C::Array(mask, _)) if mask.len() == items.len() => items
            .iter()
            .zip(mask)
            .map(|(i, m)| chosen(m).map(|m| m.then_some(i)))
            .collect(),
        Some(C::Array(..)) => None,
        Some(one) => {
            let all = chosen(one)?;
            Some(items.iter().map(|i| all.then_some(i)).collect())
        }
    }
}

#[cfg(test)]
pub(in crate::translation::sema) mod tests {
    use super::*;
    use crate::intrinsics::{Product, Reduction, Shape};
    use crate::sema::constant::intrinsic_fold::fold;
    use crate::sema::model::Type;

    pub fn integers(v: &[i128], shape: &[i64]) -> Constant {
        C::Array(
            v.iter().map(|i| C::Integer(*i, 4)).collect(),
            shape.to_vec(),
        )
    }

    #[test]
    fn products_and_sums() {
        let a = integers(&[1, 2, 3, 4, 5, 6], &[2, 3]);
        let ty = Type::Integer(4);
        let t = fold(Shape::Transpose.into(), &[Some(&a)], &ty);
        assert_eq!(t, Some(integers(&[1, 3, 5, 2, 4, 6], &[3, 2])));
        let p = fold(Product::Matmul.into(), &[Some(&a), t.as_ref()], &ty);
        assert_eq!(p, Some(integers(&[35, 44, 44, 56], &[2, 2])));
        let two = C::Integer(2, 4);
        let s = fold(Reduction::Sum.into(), &[Some(&a), Some(&two)], &ty);
        assert_eq!(s, Some(integers(&[9, 12], &[2])));
        let copies = fold(
            Shape::Spread.into(),
            &[s.as_ref(), Some(&C::Integer(1, 4)), Some(&two)],
            &ty,
        );
        assert_eq!(copies, Some(integers(&[9, 9, 12, 12], &[2, 2])));
    }

    #[test]
    fn sections() {
        let a = integers(&[1, 2, 3, 4, 5, 6], &[2, 3]);
        let (items, shape) = array(&a).unwrap_or((&[], &[]));
        assert_eq!(
            section(items, shape, &[vec![1], vec![2, 0]], vec![2]),
            Some(integers(&[6, 2], &[2]))
        );
    }
}
