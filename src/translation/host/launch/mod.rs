//! Kernels and CUF loops in host code: what is called instead, with which arguments, and the interfaces of it.

pub(in crate::translation::host) mod actuals;
pub(in crate::translation::host) mod cufloop;
pub mod direct;
pub(in crate::translation::host) mod kernel;
pub mod shims;
