//! Values of sections of constant arrays and of transformational functions of them (Fortran 2018 16.9).
//!
//! Every function gives None for what is left to run time.

use super::fold::{self, MAX_ELEMENTS};
use super::intrinsic_fold;
use super::model::{Constant, Type};
use crate::ast::BinaryOp;
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

/// A transformational function with an array argument, in dummy order.
pub fn transformational(name: &str, args: &[Option<&Constant>], ty: &Type) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    match name {
        "reshape" => reshape(arg(0)?, arg(1)?, arg(2), arg(3)),
        "transpose" => {
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
        "spread" => spread(arg(0)?, integer(arg(1)?)?, integer(arg(2)?)?),
        "cshift" => {
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
        "pack" => {
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
        "dot_product" => {
            let ((x, _), (y, _)) = (array(arg(0)?)?, array(arg(1)?)?);
            product_sum(x.iter(), y.iter(), ty)
        }
        "matmul" => matmul(arg(0)?, arg(1)?, ty),
        "maxloc" | "minloc" => location(name, args, ty),
        "sum" | "product" | "maxval" | "minval" | "all" | "any" | "count" => {
            reduction(name, args, ty)
        }
        _ => None,
    }
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

fn array(c: &Constant) -> Option<(&[Constant], &[i64])> {
    match c {
        C::Array(items, shape) => Some((items, shape)),
        _ => None,
    }
}

fn integer(c: &Constant) -> Option<i64> {
    match c {
        C::Integer(v, _) => i64::try_from(*v).ok(),
        _ => None,
    }
}

/// Number of elements, if they are not too many.
fn size(shape: &[i64]) -> Option<usize> {
    shape
        .iter()
        .try_fold(1i64, |n, e| n.checked_mul((*e).max(0)))
        .and_then(|n| usize::try_from(n).ok())
        .filter(|n| *n <= MAX_ELEMENTS)
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

/// The elements that a mask selects; None in place of the others.
fn masked<'a>(items: &'a [Constant], mask: Option<&Constant>) -> Option<Vec<Option<&'a Constant>>> {
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

fn product_sum<'a>(
    x: impl Iterator<Item = &'a Constant>,
    y: impl Iterator<Item = &'a Constant>,
    ty: &Type,
) -> Option<Constant> {
    let mut total: Option<Constant> = None;
    for (a, b) in x.zip(y) {
        if matches!(a, C::Complex(..) | C::Logical(..)) {
            return None;
        }
        let p = fold::binary(BinaryOp::Mul, a, b)?;
        total = Some(match total {
            None => p,
            Some(t) => fold::binary(BinaryOp::Add, &t, &p)?,
        });
    }
    fold::convert(&total?, ty)
}

fn matmul(a: &Constant, b: &Constant, ty: &Type) -> Option<Constant> {
    let ((x, sx), (y, sy)) = (array(a)?, array(b)?);
    let (n, inner) = match sx {
        [n, k] => (*n, *k),
        [k] => (1, *k),
        _ => return None,
    };
    let m = match sy {
        [k, m] if *k == inner => *m,
        [k] if *k == inner => 1,
        _ => return None,
    };
    let shape: Vec<i64> = [(sx.len() == 2).then_some(n), (sy.len() == 2).then_some(m)]
        .into_iter()
        .flatten()
        .collect();
    size(&shape)?;
    let (rows, inner) = (usize::try_from(n).ok()?, usize::try_from(inner).ok()?);
    let mut out = Vec::new();
    for column in y.chunks(inner.max(1)) {
        for i in 0..rows {
            out.push(product_sum(
                x.iter().skip(i).step_by(rows),
                column.iter(),
                ty,
            )?);
        }
    }
    Some(C::Array(out, shape))
}

/// MAXLOC and MINLOC without KIND and BACK.
fn location(name: &str, args: &[Option<&Constant>], ty: &Type) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let (items, shape) = array(arg(0)?)?;
    if args.iter().skip(3).any(Option::is_some) {
        return None;
    }
    let op = if name == "maxloc" {
        BinaryOp::Gt
    } else {
        BinaryOp::Lt
    };
    let mut best: Option<(usize, &Constant)> = None;
    for (i, c) in masked(items, arg(2))?.into_iter().enumerate() {
        let Some(c) = c else { continue };
        let better = match best {
            None => true,
            Some((_, b)) => fold::binary(op, c, b)? == C::Logical(true, 4),
        };
        if better {
            best = Some((i, c));
        }
    }
    let mut at = best?.0 as i64;
    let place: Vec<Constant> = shape
        .iter()
        .map(|n| {
            let i = at % n + 1;
            at /= n;
            C::Integer(i.into(), 4)
        })
        .collect();
    let all = match (arg(1), place.as_slice()) {
        (None, _) => {
            let n = place.len() as i64;
            C::Array(place, vec![n])
        }
        (Some(_), [one]) => one.clone(),
        _ => return None,
    };
    fold::convert(&all, ty)
}

fn reduction(name: &str, args: &[Option<&Constant>], ty: &Type) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let (items, shape) = array(arg(0)?)?;
    let (dim, mask) = match (arg(1), arg(2)) {
        // A logical in the second place is the mask.
        (Some(m), None) if matches!(fold::type_of(m), Type::Logical(_)) => (None, Some(m)),
        (Some(d), m) => (Some(integer(d)?), m),
        (None, m) => (None, m),
    };
    if matches!(name, "all" | "any" | "count") && mask.is_some() {
        return None;
    }
    let values = masked(items, mask)?;
    let Some(dim) = dim.filter(|_| shape.len() > 1) else {
        return total(name, &values, ty);
    };
    let d = usize::try_from(dim - 1).ok().filter(|d| *d < shape.len())?;
    let inner = size(&shape[..d])?;
    let extent = usize::try_from(shape[d]).ok()?;
    let mut out = Vec::new();
    for part in values.chunks((inner * extent).max(1)) {
        for i in 0..inner {
            let line: Vec<_> = part.iter().copied().skip(i).step_by(inner).collect();
            out.push(total(name, &line, ty)?);
        }
    }
    let mut extents = shape.to_vec();
    extents.remove(d);
    Some(C::Array(out, extents))
}

/// The reduction of what a mask leaves.
fn total(name: &str, values: &[Option<&Constant>], ty: &Type) -> Option<Constant> {
    let mut all = values.iter().flatten();
    if name == "count" {
        let n = all.filter(|i| matches!(i, C::Logical(true, _)));
        return fold::convert(&C::Integer(n.count() as i128, 8), ty);
    }
    let mut total = (*all.next()?).clone();
    for i in all {
        total = match name {
            "sum" => fold::binary(BinaryOp::Add, &total, i)?,
            "product" => fold::binary(BinaryOp::Mul, &total, i)?,
            "all" => fold::binary(BinaryOp::And, &total, i)?,
            "any" => fold::binary(BinaryOp::Or, &total, i)?,
            "maxval" => intrinsic_fold::elemental("max", &[Some(&total), Some(i)], ty)?,
            _ => intrinsic_fold::elemental("min", &[Some(&total), Some(i)], ty)?,
        };
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(v: &[i128], shape: &[i64]) -> Constant {
        C::Array(
            v.iter().map(|i| C::Integer(*i, 4)).collect(),
            shape.to_vec(),
        )
    }

    #[test]
    fn reshape_in_another_order() {
        let (source, shape) = (integers(&[1, 2, 3, 4], &[4]), integers(&[2, 3], &[2]));
        let (pad, order) = (integers(&[7, 8], &[2]), integers(&[2, 1], &[2]));
        assert_eq!(
            reshape(&source, &shape, Some(&pad), Some(&order)),
            Some(integers(&[1, 4, 2, 7, 3, 8], &[2, 3]))
        );
    }

    #[test]
    fn products_and_sums() {
        let a = integers(&[1, 2, 3, 4, 5, 6], &[2, 3]);
        let ty = Type::Integer(4);
        let t = transformational("transpose", &[Some(&a)], &ty);
        assert_eq!(t, Some(integers(&[1, 3, 5, 2, 4, 6], &[3, 2])));
        let p = transformational("matmul", &[Some(&a), t.as_ref()], &ty);
        assert_eq!(p, Some(integers(&[35, 44, 44, 56], &[2, 2])));
        let two = C::Integer(2, 4);
        let s = transformational("sum", &[Some(&a), Some(&two)], &ty);
        assert_eq!(s, Some(integers(&[9, 12], &[2])));
        let copies = transformational(
            "spread",
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
