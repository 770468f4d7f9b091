//! What nvfortran takes and standard Fortran, or gfortran, does not.

pub(in crate::translation::host) mod any_type;
pub(in crate::translation::host) mod half;
pub mod modules;
pub(in crate::translation::host) mod nvfortran_extensions;
pub(in crate::translation::host) mod reached;
pub(in crate::translation::host) mod unusual;
