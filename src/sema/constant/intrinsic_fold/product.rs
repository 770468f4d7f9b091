//! DOT_PRODUCT and MATMUL of constant arrays.

use super::Arguments;
use super::array::{array, size};
use crate::ast::BinaryOp;
use crate::intrinsics::Product;
use crate::sema::constant::fold;
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a product of arrays.
pub(in crate::sema) fn fold(i: Product, args: Arguments<'_>, ty: &Type) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let (a, b) = (arg(0)?, arg(1)?);
    match i {
        Product::DotProduct => product_sum(array(a)?.0.iter(), array(b)?.0.iter(), ty),
        Product::Matmul => matmul(a, b, ty),
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
