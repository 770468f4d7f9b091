//! Printing of the outputs.

pub mod cpp;
pub mod runtime;
