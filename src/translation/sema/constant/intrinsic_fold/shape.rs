//! The elements of constant arrays in other shapes and places.

use super::array::{array, integer, masked, size};
use super::{Arguments, transfer};
use crate::intrinsics::Shape;
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a function that moves elements into another shape.
pub(in crate::translation::sema) fn fold(
    i: Shape,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
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
            if arg(3).is_some() {
                return None;
            }
            let mut out: Vec<_> = masked(items, arg(1))?
                .into_iter()
                .flatten()
                .cloned()
                .collect();
            if let Some(vector) = arg(2) {
                let (vector, _) = array(vector)?;
                let have = out.len();
                out.extend(vector.iter().skip(have).cloned());
            }
            let n = out.len() as i64;
            Some(C::Array(out, vec![n]))
        }
        Shape::Unpack => unpack(arg(0)?, arg(1)?, arg(2)?),
        Shape::Transfer => transfer::fold(args, ty),
    }
}

fn unpack(vector: &Constant, mask: &Constant, field: &Constant) -> Option<Constant> {
    let ((vector, _), (mask, shape)) = (array(vector)?, array(mask)?);
    let mut vector = vector.iter();
    let out: Option<Vec<Constant>> = (mask.iter().enumerate())
        .map(|(i, m)| match (m, field) {
            (C::Logical(true, _), _) => vector.next().cloned(),
            (C::Logical(false, _), C::Array(items, extents)) if extents == shape => {
                items.get(i).cloned()
            }
            (C::Logical(false, _), C::Array(..)) => None,
            (C::Logical(false, _), one) => Some(one.clone()),
            _ => None,
        })
        .collect();
    Some(C::Array(out?, shape.to_vec()))
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
