//! Values of intrinsic functions of constants. What has no arm here is left to run time.

pub mod array;
mod bits;
mod conversion;
mod kinds;
mod numeric;
mod product;
mod reduction;
mod shape;
mod shift;
mod text;
mod transfer;

pub use kinds::model_of;

use crate::intrinsics::Intrinsic;
use crate::sema::model::{Constant, Type};

/// Arguments in the order of the dummies.
pub type Arguments<'a> = &'a [Option<&'a Constant>];

/// The value of a function of constants, of the type `ty`; None for what is left to run time.
pub fn fold(i: Intrinsic, args: Arguments<'_>, ty: &Type) -> Option<Constant> {
    match i {
        Intrinsic::Numeric(i) => numeric::fold(i, args, ty),
        Intrinsic::Choice(i) => numeric::choice(i, args, ty),
        Intrinsic::Conversion(i) => conversion::fold(i, args, ty),
        Intrinsic::Bits(i) => bits::fold(i, args, ty),
        Intrinsic::Text(i) => text::fold(i, args, ty),
        Intrinsic::Reduction(i) => reduction::reduction(i, args, ty),
        Intrinsic::Location(i) => reduction::location(i, args, ty),
        Intrinsic::Product(i) => product::fold(i, args, ty),
        Intrinsic::Shift(i) => shift::fold(i, args, ty),
        Intrinsic::Shape(i) => shape::fold(i, args, ty),
        Intrinsic::Kinds(i) => kinds::selected(i, args),
        Intrinsic::Inquiry(_) | Intrinsic::Subroutine(_) | Intrinsic::System(_) => None,
    }
}
