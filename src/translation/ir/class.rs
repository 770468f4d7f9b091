//! Classes of the runtime and of CUDA, as types with parts.

use super::{ReductionOp, Type};

/// A class of the runtime or of CUDA.
#[derive(Clone, Debug, PartialEq)]
pub enum Class {
    /// CUDA's `dim3`: its members are unsigned.
    Dim3,
    /// Groups of threads (guide 3.6.7).
    Group(Group),
    /// State of a random number generator.
    Generator(Generator),
    /// A submatrix of tensor cores.
    Fragment(Fragment),
    /// An array of the host as it crosses the launcher.
    Descriptor,
    /// Bounds of a dimension, `lower:upper`.
    Range,
    /// The last dimension of an assumed-size array.
    Assumed,
    /// A substring as a dummy that is changed, or not.
    Characters { changed: bool },
    /// Lower bound, upper bound and step of a loop.
    LoopBounds,
    /// Counts the turns of a loop with volatile accesses.
    LoopTurns,
    /// Iteration space of a CUF loop; `indexed`: its counts have the kernel's type of index arithmetic.
    LoopSpace { rank: usize, indexed: bool },
    /// The device side of a reduction of values of a type.
    ReductionDevice { elem: Box<Type>, op: ReductionOp },
    /// A thread's copy of an optional value, or none.
    OptionalValue(Box<Type>),
    /// Bounds and, if `strided`, strides of an array, in the kernel's type of index arithmetic.
    Layout { rank: usize, strided: bool },
    /// An array of explicit shape with a type of index arithmetic of its own.
    ExplicitShape {
        elem: Box<Type>,
        rank: usize,
        index: IndexType,
    },
    /// An array made of a pointer and a layout, which give its template arguments.
    MadeOfLayout { strided: bool },
    /// Bytes that the variables of an EQUIVALENCE share.
    Storage(i64),
    /// A line of output.
    PrintRecord,
    /// Launch configuration of a kernel that device code launches.
    ChildConfig,
}

/// What the places of elements are computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexType {
    /// 32 bits, where the bounds are constants that allow it, or the memory is small.
    Int,
    /// What the launch chooses.
    OfKernel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Threads,
    Coalesced,
    Grid,
    Cluster,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    Xorwow,
    Mrg32k3a,
    Philox,
}

/// A submatrix with the shape of the operation, m by n by k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    pub role: FragmentRole,
    pub m: u8,
    pub n: u8,
    pub k: u8,
    /// Kind of its real elements.
    pub kind: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentRole {
    A { row_major: bool },
    B { row_major: bool },
    Accumulator,
}

impl Class {
    /// What is made of arguments of the class are bounds, sizes and addresses.
    pub fn is_of_runtime(&self) -> bool {
        !matches!(self, Class::Dim3 | Class::Generator(_) | Class::Fragment(_))
    }
}
