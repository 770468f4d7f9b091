//! DOT_PRODUCT and MATMUL of constant arrays.

use super::Arguments;
use super::array::{array, size};
use crate::ast::BinaryOp;
use crate::intrinsics::Product;
use crate::sema::constant::fold;
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a product of arrays.
pub(in crate::translation::sema) fn fold(
    i: Product,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    let arg = |n: usize| args.get(n).copied().flatten();
    let (a, b) = (arg(0)?, arg(1)?);
    match i {
        Product::DotProduct if arg(2).is_none() => {
            let ((x, _), (y, _)) = (array(a)?, array(b)?);
            // The first vector's conjugate.
            let turned = |c: &Constant| match c {
                C::Complex(re, im, k) => C::Complex(*re, -im, *k),
                other => other.clone(),
            };
            let x: Vec<Constant> = x.iter().map(turned).collect();
            (x.len() == y.len()).then(|| product_sum(x.iter(), y.iter(), ty))?
        }
        Product::DotProduct => None,
        Product::Matmul => matmul(a, b, ty),
    }
}

fn product_sum<'a>(
    x: impl Iterator<Item = &'a Constant>,
    y: impl Iterator<Item = &'a Constant>,
    ty: &Type,
) -> Option<Constant> {
    let (mut total, times, plus) = match ty {
        Type::Integer(k) => (C::Integer(0, *k), BinaryOp::Mul, BinaryOp::Add),
        Type::Real(k) => (C::Real(0.0, *k), BinaryOp::Mul, BinaryOp::Add),
        Type::Complex(k) => (C::Complex(0.0, 0.0, *k), BinaryOp::Mul, BinaryOp::Add),
        Type::Logical(k) => (C::Logical(false, *k), BinaryOp::And, BinaryOp::Or),
        _ => return None,
    };
    for (a, b) in x.zip(y) {
        total = fold::binary(plus, &total, &fold::binary(times, a, b)?)?;
    }
    fold::convert(&total, ty)
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
