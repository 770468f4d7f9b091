//! Printing of the outputs.

pub mod cpp;
