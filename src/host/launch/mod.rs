//! Kernels and CUF loops in host code: what is called instead, with which arguments, and the interfaces of it.

pub(in crate::host) mod actuals;
pub(in crate::host) mod cufloop;
pub mod direct;
pub(in crate::host) mod kernel;
pub mod shims;
