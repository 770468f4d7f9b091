//! CSHIFT and EOSHIFT of constant arrays.

use super::Arguments;
use super::array::{array, integer, lines};
use crate::intrinsics::Shift;
use crate::sema::constant::fold;
use crate::sema::model::{CharacterLength, Constant, Type};
use Constant as C;

/// The value of a shift along a dimension; each line of it may have a shift and a boundary of its own.
pub(in crate::translation::sema) fn fold(
    i: Shift,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let (items, shape) = array(arg(0)?)?;
    let (boundary, dim) = match i {
        Shift::Cshift => (None, arg(2)),
        Shift::Eoshift => (arg(2), arg(3)),
    };
    let dim = dim.map_or(Some(1), integer)?;
    let d = usize::try_from(dim - 1).ok().filter(|d| *d < shape.len())?;
    let mut rest = shape.to_vec();
    rest.remove(d);
    let own = |c: &Constant, line: usize| match c {
        C::Array(each, extents) => (*extents == rest).then(|| each.get(line).cloned())?,
        all => Some(all.clone()),
    };
    let blank = blank(ty);
    let mut out = items.to_vec();
    for (line, places) in lines(shape, d)?.iter().enumerate() {
        let shift = integer(&own(arg(1)?, line)?)?;
        let n = places.len() as i64;
        let filler = match boundary {
            Some(b) => Some(fold::convert(&own(b, line)?, ty)?),
            None => blank.clone(),
        };
        for (at, place) in places.iter().enumerate() {
            let from = (at as i64).checked_add(shift)?;
            let value = match i {
                Shift::Cshift => items.get(places[from.rem_euclid(n) as usize])?,
                Shift::Eoshift if (0..n).contains(&from) => items.get(places[from as usize])?,
                Shift::Eoshift => filler.as_ref()?,
            };
            *out.get_mut(*place)? = value.clone();
        }
    }
    Some(C::Array(out, shape.to_vec()))
}

/// What EOSHIFT fills with where nothing else is said.
fn blank(ty: &Type) -> Option<Constant> {
    Some(match ty {
        Type::Integer(k) => C::Integer(0, *k),
        Type::Real(k) => C::Real(0.0, *k),
        Type::Complex(k) => C::Complex(0.0, 0.0, *k),
        Type::Logical(k) => C::Logical(false, *k),
        Type::Character(CharacterLength::Constant(n)) => {
            C::Character(" ".repeat(usize::try_from(*n).ok()?.min(fold::MAX_ELEMENTS)))
        }
        _ => return None,
    })
}
