//! Reductions of constant arrays, and the places of their extrema.

use super::array::{array, integer, masked, size};
use super::{Arguments, numeric};
use crate::ast::BinaryOp;
use crate::intrinsics::{Choice, Location, Reduction};
use crate::sema::constant::fold;
use crate::sema::model::{Constant, Type};
use Constant as C;

/// MAXLOC and MINLOC without KIND and BACK.
pub(in crate::sema) fn location(i: Location, args: Arguments<'_>, ty: &Type) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let (items, shape) = array(arg(0)?)?;
    if args.iter().skip(3).any(Option::is_some) {
        return None;
    }
    let op = match i {
        Location::Maxloc => BinaryOp::Gt,
        Location::Minloc => BinaryOp::Lt,
        Location::Findloc => return None,
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

/// A reduction, along a dimension or of all elements.
pub(in crate::sema) fn reduction(i: Reduction, args: Arguments<'_>, ty: &Type) -> Option<Constant> {
    use Reduction::*;
    if matches!(i, Iall | Iany | Iparity | Norm2 | Parity) {
        return None;
    }
    let arg = |n: usize| args.get(n).copied().flatten();
    let (items, shape) = array(arg(0)?)?;
    let (dim, mask) = match (arg(1), arg(2)) {
        // A logical in the second place is the mask.
        (Some(m), None) if matches!(fold::type_of(m), Type::Logical(_)) => (None, Some(m)),
        (Some(d), m) => (Some(integer(d)?), m),
        (None, m) => (None, m),
    };
    if matches!(i, All | Any | Count) && mask.is_some() {
        return None;
    }
    let values = masked(items, mask)?;
    let Some(dim) = dim.filter(|_| shape.len() > 1) else {
        return total(i, &values, ty);
    };
    let d = usize::try_from(dim - 1).ok().filter(|d| *d < shape.len())?;
    let inner = size(&shape[..d])?;
    let extent = usize::try_from(shape[d]).ok()?;
    let mut out = Vec::new();
    for part in values.chunks((inner * extent).max(1)) {
        for from in 0..inner {
            let line: Vec<_> = part.iter().copied().skip(from).step_by(inner).collect();
            out.push(total(i, &line, ty)?);
        }
    }
    let mut extents = shape.to_vec();
    extents.remove(d);
    Some(C::Array(out, extents))
}

/// The reduction of what a mask leaves.
fn total(i: Reduction, values: &[Option<&Constant>], ty: &Type) -> Option<Constant> {
    use Reduction::*;
    let mut all = values.iter().flatten();
    if i == Count {
        let n = all.filter(|c| matches!(c, C::Logical(true, _)));
        return fold::convert(&C::Integer(n.count() as i128, 8), ty);
    }
    let mut total = (*all.next()?).clone();
    for next in all {
        total = match i {
            Sum => fold::binary(BinaryOp::Add, &total, next)?,
            Product => fold::binary(BinaryOp::Mul, &total, next)?,
            All => fold::binary(BinaryOp::And, &total, next)?,
            Any => fold::binary(BinaryOp::Or, &total, next)?,
            Maxval => numeric::choice(Choice::Max, &[Some(&total), Some(next)], ty)?,
            Minval => numeric::choice(Choice::Min, &[Some(&total), Some(next)], ty)?,
            Count | Iall | Iany | Iparity | Norm2 | Parity => return None,
        };
    }
    Some(total)
}
