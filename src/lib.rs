//! cuf2cu: CUDA Fortran to CUDA C++ and standard Fortran.

pub mod abi;
pub mod account;
pub mod ast;
pub mod cli;
pub mod diag;
pub mod driver;
pub mod emit;
pub mod host;
pub mod ir;
pub mod lower;
pub mod once;
pub mod pipeline;
pub mod sema;
pub mod source;
pub mod survey;
pub mod syntax;
pub mod translate;
