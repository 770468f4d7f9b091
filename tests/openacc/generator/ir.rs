//! A random OpenACC program: its data, and the steps that work on them.

use std::collections::BTreeSet;

/// Type and kind of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    I4,
    I8,
    R4,
    R8,
    L4,
}

impl Ty {
    pub fn declared(self) -> &'static str {
        match self {
            Ty::I4 => "integer",
            Ty::I8 => "integer(8)",
            Ty::R4 => "real",
            Ty::R8 => "real(8)",
            Ty::L4 => "logical",
        }
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Ty::I4 | Ty::I8)
    }

    pub fn is_real(self) -> bool {
        matches!(self, Ty::R4 | Ty::R8)
    }
}

/// Where an array is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Local,
    Allocatable,
    Pointer,
    AssumedShape,
    ExplicitShape,
    Module,
    ModuleAllocatable,
    /// A module array with `declare create`.
    Declared,
    Component,
    AllocatableComponent,
}

/// An array; its values stay small, so that sums of them are exact.
#[derive(Clone, Debug)]
pub struct Array {
    /// How statements and clauses name it.
    pub name: String,
    pub ty: Ty,
    pub low: Vec<i64>,
    pub extent: Vec<i64>,
    pub place: Place,
}

impl Array {
    pub fn rank(&self) -> usize {
        self.extent.len()
    }

    pub fn size(&self) -> i64 {
        self.extent.iter().product()
    }

    pub fn high(&self, dim: usize) -> i64 {
        self.low[dim] + self.extent[dim] - 1
    }
}

/// A scalar of the host, which constructs read or reduce into.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub name: String,
    pub ty: Ty,
    pub is_module: bool,
}

/// What is accessed: positions of arrays and scalars.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    pub reads: BTreeSet<usize>,
    pub writes: BTreeSet<usize>,
    /// Written as a whole, and not read.
    pub covers: BTreeSet<usize>,
    pub scalar_reads: BTreeSet<usize>,
    pub scalar_writes: BTreeSet<usize>,
}

impl Effects {
    pub fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.covers.extend(&other.covers);
        self.scalar_reads.extend(&other.scalar_reads);
        self.scalar_writes.extend(&other.scalar_writes);
    }

    pub fn arrays(&self) -> BTreeSet<usize> {
        self.reads.union(&self.writes).copied().collect()
    }
}

/// A part of a loop body.
#[derive(Clone, Debug)]
pub enum Item {
    /// Lines that stay together.
    Lines(Vec<String>),
    Loop(Box<Loop>),
}

/// A DO loop, with the clauses of its directive.
#[derive(Clone, Debug)]
pub struct Loop {
    pub head: String,
    pub clauses: Option<Vec<String>>,
    pub body: Vec<Item>,
}

/// A loop nest or another statement of a construct.
#[derive(Clone, Debug)]
pub struct Nest {
    pub items: Vec<Item>,
    pub effects: Effects,
}

/// The directive of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    ParallelLoop,
    Parallel,
    KernelsLoop,
    Kernels,
    SerialLoop,
    Serial,
}

impl How {
    pub fn words(self) -> &'static str {
        match self {
            How::ParallelLoop => "parallel loop",
            How::Parallel => "parallel",
            How::KernelsLoop => "kernels loop",
            How::Kernels => "kernels",
            How::SerialLoop => "serial loop",
            How::Serial => "serial",
        }
    }

    pub fn is_combined(self) -> bool {
        matches!(self, How::ParallelLoop | How::KernelsLoop | How::SerialLoop)
    }
}

/// A compute construct.
#[derive(Clone, Debug)]
pub struct Construct {
    pub how: How,
    pub nests: Vec<Nest>,
    /// Queue; 0 is that of `async` without an argument.
    pub queue: Option<i64>,
    /// Value of the condition in `if` or `self`.
    pub on_device: Option<bool>,
    /// Chooses the clauses.
    pub choice: u64,
}

/// What the program does, in order.
#[derive(Clone, Debug)]
pub enum Step {
    Construct(Construct),
    /// Statements of the host.
    Host(Nest),
    /// A data region, or `enter data` and `exit data`, around steps.
    Region {
        arrays: Vec<usize>,
        is_structured: bool,
        choice: u64,
        body: Vec<Step>,
    },
}

/// A program.
#[derive(Clone, Debug)]
pub struct Case {
    /// What names are made of; the seed, unless the program is made smaller.
    pub number: u64,
    pub seed: u64,
    pub arrays: Vec<Array>,
    pub scalars: Vec<Scalar>,
    pub steps: Vec<Step>,
}
