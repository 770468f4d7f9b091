//! cuf2cu: CUDA Fortran to CUDA C++ and standard Fortran.

pub mod abi;
pub mod ast;
pub mod host;
pub mod sema;
pub mod source;
