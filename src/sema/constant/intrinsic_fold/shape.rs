//! The elements of constant arrays in other shapes and places.

use super::Arguments;
use super::array::{array, integer, masked, size};
use crate::intrinsics::{Shape, Shift};
use crate::sema::constant::fold;
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a function that moves elements into another shape.
pub(in crate::sema) fn fold(i: Shape, args: Arguments<'_>, ty: &Type) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    match i {
        Shape::Reshape => reshape(arg(0)?, arg(1)?, arg(2), arg(3)),
        Shape::Transpose => {
            let (items, &[n, m]) = array(arg(0)?)? else {
                return None;
            };
            let at = |i: i64, j: i64| items.get((i + j * n) as usize).cloned();
            let out: Option<Vec<_>> = (0..n)
                .flat_map(|i| (0..m).map(move |j| (i, j)))
                .map(|(i, j)| at(i, j))
                .collect();
            Some(C::Array(out?, vec![m, n]))
        }
        Shape::Spread => spread(arg(0)?, integer(arg(1)?)?, integer(arg(2)?)?),
        Shape::Pack => {
            let (items, _) = array(arg(0)?)?;
            if arg(2).is_some() {
                return None;
            }
            let out: Vec<_> = masked(items, arg(1))?
                .into_iter()
                .flatten()
                .cloned()
                .collect();
            let n = out.len() as i64;
            Some(C::Array(out, vec![n]))
        }
        Shape::Transfer if arg(2).is_none() => transfer(arg(0)?, arg(1)?, ty),
        Shape::Transfer | Shape::Unpack => None,
    }
}

/// TRANSFER of a number to a number of the same size.
fn transfer(source: &Constant, mold: &Constant, ty: &Type) -> Option<Constant> {
    let (bits, kind) = match source {
        C::Integer(v, k @ (4 | 8)) => (*v, *k),
        C::Real(v, 4) if v.is_nan() => (fold::narrowed(*v)?.into(), 4),
        #[allow(clippy::cast_possible_truncation)]
        C::Real(v, 4) => ((*v as f32).to_bits().into(), 4),
        C::Real(v, 8) => (v.to_bits().into(), 8),
        _ => return None,
    };
    let fits = matches!(ty, Type::Integer(k) | Type::Real(k) if *k == kind);
    (fits && !matches!(mold, C::Array(..))).then(|| fold::boz_as(bits, ty))?
}

/// CSHIFT of a vector.
pub(in crate::sema) fn shift(i: Shift, args: Arguments<'_>) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    match i {
        Shift::Cshift => {
            let (items, &[n]) = array(arg(0)?)? else {
                return None;
            };
            let shift = integer(arg(1)?)?;
            if arg(2).is_some() {
                return None;
            }
            let mut out = items.to_vec();
            out.rotate_left(usize::try_from(shift.checked_rem_euclid(n)?).ok()?);
            Some(C::Array(out, vec![n]))
        }
        Shift::Eoshift => None,
    }
}

fn reshape(
    source: &Constant,
    shape: &Constant,
    pad: Option<&Constant>,
    order: Option<&Constant>,
) -> Option<Constant> {
    let (items, _) = array(source)?;
    let shape: Option<Vec<i64>> = array(shape)?.0.iter().map(integer).collect();
    let shape = shape.filter(|s| s.iter().all(|n| *n >= 0))?;
    let n = size(&shape)?;
    let mut values = items.to_vec();
    if values.len() < n {
        let (pad, _) = array(pad?)?;
        if pad.is_empty() {
            return None;
        }
        let missing = n - values.len();
        values.extend(pad.iter().cycle().take(missing).cloned());
    }
    values.truncate(n);
    let Some(order) = order else {
        return Some(C::Array(values, shape));
    };
    let order: Option<Vec<usize>> = array(order)?
        .0
        .iter()
        .map(|c| usize::try_from(integer(c)? - 1).ok())
        .collect();
    let order = order?;
    if order.len() != shape.len() || !(0..shape.len()).all(|d| order.contains(&d)) {
        return None;
    }
    // The values come in the order in which the subscripts vary.
    let mut index = vec![0i64; shape.len()];
    let mut out = values.clone();
    for v in values {
        let (mut at, mut stride) = (0i64, 1i64);
        for (i, extent) in index.iter().zip(&shape) {
            at += i * stride;
            stride *= extent;
        }
        *out.get_mut(usize::try_from(at).ok()?)? = v;
        for d in &order {
            index[*d] += 1;
            if index[*d] < shape[*d] {
                break;
            }
            index[*d] = 0;
        }
    }
    Some(C::Array(out, shape))
}

fn spread(source: &Constant, dim: i64, copies: i64) -> Option<Constant> {
    let one = [source.clone()];
    let (items, shape) = array(source).unwrap_or((&one, &[]));
    let d = usize::try_from(dim - 1)
        .ok()
        .filter(|d| *d <= shape.len())?;
    let mut extents = shape.to_vec();
    extents.insert(d, copies.max(0));
    size(&extents)?;
    let inner = size(&shape[..d])?.max(1);
    let mut out = Vec::new();
    for part in items.chunks(inner) {
        for _ in 0..copies {
            out.extend_from_slice(part);
        }
    }
    Some(C::Array(out, extents))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sema::constant::intrinsic_fold::array::tests::integers;

    #[test]
    fn reshape_in_another_order() {
        let (source, shape) = (integers(&[1, 2, 3, 4], &[4]), integers(&[2, 3], &[2]));
        let (pad, order) = (integers(&[7, 8], &[2]), integers(&[2, 1], &[2]));
        assert_eq!(
            reshape(&source, &shape, Some(&pad), Some(&order)),
            Some(integers(&[1, 4, 2, 7, 3, 8], &[2, 3]))
        );
    }
}
