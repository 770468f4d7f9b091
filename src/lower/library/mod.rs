//! Procedures of the device modules and libraries: barriers, votes, shuffles, atomics, bulk copies, cache hints, random numbers,
//! tensor cores, clusters.

pub(in crate::lower) mod bulk;
pub(in crate::lower) mod cray;
pub(in crate::lower) mod device_names;
pub(in crate::lower) mod hints;
pub(in crate::lower) mod ieee;
pub(in crate::lower) mod random;
pub(in crate::lower) mod runtime;
pub(in crate::lower) mod tensor;
