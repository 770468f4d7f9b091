//! OpenACC: its directives as they are written, the parts of the program that they govern, and its rules.
//!
//! [`read`] finds the directives of a file, with clauses and expressions; [`regions()`] pairs constructs with their ends and with the
//! statements they govern; [`check`] holds the rules.

pub mod check;
pub mod clause;
mod common;
pub mod directive;
mod expressions;
pub mod independence;
mod lines;
mod read;
mod regions;
pub mod rewrite;
#[cfg(test)]
mod tests;

pub use check::{FileRegions, check};
pub use clause::ClauseKind;
pub use common::expand;
pub use directive::{AtomicKind, Clause, Directive, Ended, Item, Kind, Value};
pub use independence::{Independent, Reason, independent};
pub use read::read;
pub use regions::{Body, Region, UnitRegions, counts, loops_around, regions, without_constructs};
