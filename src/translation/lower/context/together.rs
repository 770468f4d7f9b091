//! What is known of statements that the threads of a block execute together, while they are lowered.

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::Span;
use crate::sema::model::SymbolId;

/// What is known of the statements that a block executes together.
pub struct Together {
    pub plan: Plan,
    /// The threads of the block have numbers along x alone.
    pub line: bool,
    /// Threads of the block, where the directive says how many and every kernel can have as many (`detail::default_threads` in
    /// runtime-headers/device/loops.hpp): a constant step lets compilers unroll the loops that they share.
    pub threads: Option<i64>,
    /// Arrays of the block that its threads write to together.
    pub shared: BTreeSet<SymbolId>,
}

/// Who executes a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// Each thread.
    #[default]
    All,
    /// The first thread: it stores to memory that all reach.
    First,
    /// Each thread computes the value, and all store it: a dummy argument that may stand for a variable of the thread.
    Store,
}

/// What a statement takes.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The threads meet before it.
    pub barrier: bool,
    pub way: Way,
    /// Variables of each thread that get a value of the first one.
    pub broadcast: Vec<SymbolId>,
}

#[derive(Default)]
pub struct Plan {
    /// By the place of the statement.
    pub steps: BTreeMap<(u32, u32), Step>,
    /// The threads meet at the end.
    pub last_barrier: bool,
    pub refused: Vec<(Span, &'static str, String)>,
    /// Variables that have no value before a shared loop.
    pub stale: BTreeMap<(u32, u32), BTreeSet<SymbolId>>,
}
