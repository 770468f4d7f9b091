//! What nvfortran takes and standard Fortran, or gfortran, does not.

pub(in crate::host) mod any_type;
pub(in crate::host) mod half;
pub mod modules;
pub(in crate::host) mod nvfortran_extensions;
pub(in crate::host) mod reached;
pub(in crate::host) mod unusual;
