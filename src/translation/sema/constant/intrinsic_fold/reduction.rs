//! Reductions of constant arrays, and places of values in them.

use super::array::{array, integer, lines, masked, size};
use super::{Arguments, numeric};
use crate::ast::BinaryOp;
use crate::intrinsics::{Choice, Location, Reduction};
use crate::sema::constant::fold;
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of FINDLOC, MAXLOC or MINLOC.
pub(in crate::translation::sema) fn location(
    i: Location,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let (items, shape) = array(arg(0)?)?;
    // FINDLOC has the value in the second place.
    let (value, at) = match i {
        Location::Findloc => (Some(arg(1)?), 2),
        Location::Maxloc | Location::Minloc => (None, 1),
    };
    let (mut dim, mut mask) = (arg(at), arg(at + 1));
    if let Some(m) = dim.take_if(|d| matches!(fold::type_of(d), Type::Logical(_))) {
        mask = Some(m);
    }
    let back = match arg(at + 3) {
        None => false,
        Some(C::Logical(back, _)) => *back,
        Some(_) => return None,
    };
    let candidates = masked(items, mask)?;
    let better = |c: &Constant, best: Option<&Constant>| -> Option<bool> {
        let holds =
            |op, a: &Constant, b: &Constant| Some(fold::binary(op, a, b)? == C::Logical(true, 4));
        match (i, value, best) {
            (Location::Findloc, Some(v), best) => {
                let same = match (c, v) {
                    (C::Logical(..), C::Logical(..)) => holds(BinaryOp::Eqv, c, v)?,
                    _ => holds(BinaryOp::Eq, c, v)?,
                };
                Some(same && (best.is_none() || back))
            }
            (_, _, None) => Some(true),
            (Location::Maxloc, _, Some(b)) if back => holds(BinaryOp::Ge, c, b),
            (Location::Maxloc, _, Some(b)) => holds(BinaryOp::Gt, c, b),
            (_, _, Some(b)) if back => holds(BinaryOp::Le, c, b),
            (_, _, Some(b)) => holds(BinaryOp::Lt, c, b),
        }
    };
    // The place among these, from 0.
    let find = |places: &mut dyn Iterator<Item = usize>| -> Option<Option<usize>> {
        let mut best: Option<(usize, &Constant)> = None;
        for (n, place) in places.enumerate() {
            let Some(c) = candidates.get(place)? else {
                continue;
            };
            if better(c, best.map(|b| b.1))? {
                best = Some((n, c));
            }
        }
        Some(best.map(|b| b.0))
    };
    let place = |n: Option<i64>| C::Integer(n.map_or(0, |n| i128::from(n) + 1), 8);
    let result = match dim {
        Some(d) => {
            let d = usize::try_from(integer(d)? - 1)
                .ok()
                .filter(|d| *d < shape.len())?;
            let found: Option<Vec<Constant>> = (lines(shape, d)?.iter())
                .map(|line| Some(place(find(&mut line.iter().copied())?.map(|n| n as i64))))
                .collect();
            along(found?, shape, d)?
        }
        None => {
            let found = find(&mut (0..items.len()))?;
            let mut rest = found.map(|n| n as i64);
            let each = shape.iter().map(|extent| {
                let here = rest.map(|r| r % extent);
                rest = rest.map(|r| r / extent);
                place(here)
            });
            C::Array(each.collect(), vec![shape.len() as i64])
        }
    };
    fold::convert(&result, ty)
}

/// One value for each line along a dimension.
fn along(mut values: Vec<Constant>, shape: &[i64], d: usize) -> Option<Constant> {
    if shape.len() == 1 {
        return values.pop();
    }
    let mut extents = shape.to_vec();
    extents.remove(d);
    Some(C::Array(values, extents))
}

/// A reduction, along a dimension or of all elements.
pub(in crate::translation::sema) fn reduction(
    i: Reduction,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    use Reduction::*;
    let arg = |n: usize| args.get(n).copied().flatten();
    let (items, shape) = array(arg(0)?)?;
    let (dim, mask) = match (arg(1), arg(2)) {
        // A logical in the second place is the mask.
        (Some(m), None) if matches!(fold::type_of(m), Type::Logical(_)) => (None, Some(m)),
        // The kind of COUNT.
        (d, _) if matches!(i, All | Any | Count | Parity | Norm2) => (d, None),
        (d, m) => (d, m),
    };
    if matches!(i, All | Any | Count | Parity | Norm2) && mask.is_some() {
        return None;
    }
    let values = masked(items, mask)?;
    let Some(dim) = dim else {
        return total(i, &mut values.iter().copied().flatten(), ty);
    };
    let d = usize::try_from(integer(dim)? - 1)
        .ok()
        .filter(|d| *d < shape.len())?;
    let out: Option<Vec<Constant>> = (lines(shape, d)?.iter())
        .map(|line| {
            let mut here = line
                .iter()
                .filter_map(|n| values.get(*n).copied().flatten());
            total(i, &mut here, ty)
        })
        .collect();
    size(shape)?;
    along(out?, shape, d)
}

/// The reduction of what a mask leaves.
fn total(i: Reduction, values: &mut dyn Iterator<Item = &Constant>, ty: &Type) -> Option<Constant> {
    use Reduction::*;
    let start = |n: i128| match ty {
        Type::Integer(k) => Some(C::Integer(n, *k)),
        Type::Real(k) => Some(C::Real(n as f64, *k)),
        Type::Complex(k) => Some(C::Complex(n as f64, 0.0, *k)),
        _ => None,
    };
    let logical = |v: bool| match ty {
        Type::Logical(k) => Some(C::Logical(v, *k)),
        _ => None,
    };
    let mut total = match i {
        Count => {
            let n = values.filter(|c| matches!(c, C::Logical(true, _))).count();
            return fold::convert(&C::Integer(n as i128, 8), ty);
        }
        Norm2 => return norm(values, ty),
        Maxval | Minval => match values.next() {
            Some(first) => first.clone(),
            // The number of the largest magnitude; texts and reals, of which compilers differ, have no value here.
            None => match ty {
                Type::Integer(k @ (1 | 2 | 4 | 8)) => {
                    let most = (1i128 << (u32::from(*k) * 8 - 1)) - 1;
                    C::Integer(if i == Maxval { -most - 1 } else { most }, *k)
                }
                _ => return None,
            },
        },
        Sum | Iany | Iparity => start(0)?,
        Product => start(1)?,
        Iall => start(-1)?,
        All => logical(true)?,
        Any | Parity => logical(false)?,
    };
    let bits = |a: &Constant, b: &Constant, f: fn(i128, i128) -> i128| match (a, b) {
        (C::Integer(x, k), C::Integer(y, _)) => Some(C::Integer(f(*x, *y), *k)),
        _ => None,
    };
    for next in values {
        total = match i {
            Sum => fold::binary(BinaryOp::Add, &total, next)?,
            Product => fold::binary(BinaryOp::Mul, &total, next)?,
            All => fold::binary(BinaryOp::And, &total, next)?,
            Any => fold::binary(BinaryOp::Or, &total, next)?,
            Parity => fold::binary(BinaryOp::Neqv, &total, next)?,
            Maxval => numeric::choice(Choice::Max, &[Some(&total), Some(next)], ty)?,
            Minval => numeric::choice(Choice::Min, &[Some(&total), Some(next)], ty)?,
            Iall => bits(&total, next, |x, y| x & y)?,
            Iany => bits(&total, next, |x, y| x | y)?,
            Iparity => bits(&total, next, |x, y| x ^ y)?,
            Count | Norm2 => return None,
        };
    }
    Some(total)
}

/// The square root of the sum of squares, each step rounded as gfortran does it; not where it scales.
fn norm(values: &mut dyn Iterator<Item = &Constant>, ty: &Type) -> Option<Constant> {
    let Type::Real(kind) = ty else {
        return None;
    };
    let far = if *kind == 4 { 40.0 } else { 400.0 };
    let mut sum = 0.0;
    for v in values {
        let C::Real(v, _) = v else { return None };
        if *v != 0.0 && v.abs().log2().abs() > far {
            return None;
        }
        sum = fold::round(sum + fold::round(v * v, *kind), *kind);
    }
    fold::real(f64::sqrt(sum), *kind)
}
