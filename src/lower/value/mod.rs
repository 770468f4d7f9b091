//! Values: expressions, designators, arrays, constructors, text, conversions, constants.

pub(in crate::lower) mod algebra;
pub(in crate::lower) mod array;
pub(in crate::lower) mod constant;
pub(in crate::lower) mod constructor;
pub(in crate::lower) mod convert;
pub(in crate::lower) mod dependence;
pub(in crate::lower) mod elements;
pub(in crate::lower) mod expr;
pub(in crate::lower) mod place;
pub(in crate::lower) mod scalar;
pub(in crate::lower) mod structure;
pub(in crate::lower) mod text;
