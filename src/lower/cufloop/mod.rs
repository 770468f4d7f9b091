//! CUF loops (guide 2.11): the kernel made of a loop nest, what it captures, its reductions, its private scalars and its races.

pub(in crate::lower) mod afterwards;
pub(in crate::lower) mod capture;
pub(in crate::lower) mod cufdo;
pub(in crate::lower) mod flow;
pub(in crate::lower) mod liveness;
pub(in crate::lower) mod mentions;
pub(in crate::lower) mod operation;
pub(in crate::lower) mod races;
pub(in crate::lower) mod reduce;
pub(in crate::lower) mod reduction_identity;
pub(in crate::lower) mod scalars;
pub(in crate::lower) mod scan;
