//! Values: expressions, designators, arrays, constructors, text, conversions, constants.

pub(in crate::translation::lower) mod algebra;
pub(in crate::translation::lower) mod array;
pub(in crate::translation::lower) mod constant;
pub(in crate::translation::lower) mod constructor;
pub(in crate::translation::lower) mod convert;
pub(in crate::translation::lower) mod elements;
pub(in crate::translation::lower) mod expr;
pub(in crate::translation::lower) mod place;
pub(in crate::translation::lower) mod scalar;
pub(in crate::translation::lower) mod structure;
pub(in crate::translation::lower) mod text;
