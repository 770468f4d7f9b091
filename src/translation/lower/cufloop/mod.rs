//! CUF loops (guide 2.11): the kernel made of a loop nest, what it captures, its reductions, its private scalars and its races.

pub(in crate::translation::lower) mod afterwards;
pub(in crate::translation::lower) mod capture;
pub(in crate::translation::lower) mod cufdo;
pub(in crate::translation::lower) mod flow;
pub(in crate::translation::lower) mod liveness;
pub(in crate::translation::lower) mod mentions;
pub(in crate::translation::lower) mod operation;
pub(in crate::translation::lower) mod races;
pub(in crate::translation::lower) mod reduce;
pub(in crate::translation::lower) mod reduction_identity;
pub(in crate::translation::lower) mod scalars;
pub(in crate::translation::lower) mod scan;
