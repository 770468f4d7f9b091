//! What is known of a kernel beside its text.

use super::Proc;

/// A kernel of which each thread runs from its first statement to its last without waiting for another.
#[derive(Clone, Debug)]
pub struct BarrierFreeKernel {
    /// `heat::step`, as C++ names it, is of this namespace.
    pub space: String,
    pub name: String,
    /// A template over the type of index arithmetic.
    pub indexed: bool,
    /// Of a CUF loop.
    pub is_loop: bool,
    /// Blocks and threads are known along x by `(blockIdx%x - 1)*blockDim%x + threadIdx%x` alone: blocks beside each other may be one.
    pub wide: bool,
    pub guarded: Option<Guarded>,
}

/// A kernel that begins by asking whether its thread has anything to do.
#[derive(Clone, Debug)]
pub struct Guarded {
    /// The question, a function of the kernel's parameters. The threads along x with the answer yes are neighbours.
    pub inside: Proc,
    /// What those do.
    pub body: Proc,
}
