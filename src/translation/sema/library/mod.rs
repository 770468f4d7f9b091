//! The modules that come with the compiler, the runtime and the libraries: names, constants, types, procedures and their arguments.

pub(in crate::translation::sema) mod device_arguments;
pub mod runtime_api;
pub mod runtime_constants;
pub(in crate::translation::sema) mod runtime_cudafor;
pub mod runtime_modules;
pub mod runtime_wmma;
pub mod sort;

/// Device functions that host code has, too.
pub use crate::libraries::builtins;
