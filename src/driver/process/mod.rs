//! Processes: this one, the tools that it starts, and what must not be left behind where it is interrupted.

pub mod below;
pub mod children;
pub mod interrupt;
pub mod slots;
pub mod temporary;

pub use temporary::Temporary;
