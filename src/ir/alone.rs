//! What is known of a kernel beside its text.

/// A kernel of which each thread runs from its first statement to its last without waiting for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alone {
    /// `heat::step`, as C++ names it.
    pub name: String,
    /// A template over the type of index arithmetic.
    pub indexed: bool,
    /// Of a CUF loop.
    pub is_loop: bool,
    /// Blocks and threads are known along x by `(blockIdx%x - 1)*blockDim%x + threadIdx%x` alone: blocks beside each other may be one.
    pub wide: bool,
}
