//! cuf2cu: CUDA Fortran to CUDA C++ and standard Fortran.

pub mod ast;
pub mod sema;
pub mod source;
