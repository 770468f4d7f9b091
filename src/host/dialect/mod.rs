//! What nvfortran takes and standard Fortran, or gfortran, does not.

pub(in crate::host) mod any_type;
pub(in crate::host) mod half;
pub(in crate::host) mod lenient;
pub mod modules;
pub(in crate::host) mod reached;
pub(in crate::host) mod unusual;
