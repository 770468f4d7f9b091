//! Procedures of the device modules and libraries: barriers, votes, shuffles, atomics, bulk copies, cache hints, random numbers,
//! tensor cores, clusters.

pub(in crate::translation::lower) mod bulk;
pub(in crate::translation::lower) mod cray;
pub(in crate::translation::lower) mod device_names;
pub(in crate::translation::lower) mod hints;
pub(in crate::translation::lower) mod ieee;
pub(in crate::translation::lower) mod random;
pub(in crate::translation::lower) mod runtime;
pub(in crate::translation::lower) mod tensor;
