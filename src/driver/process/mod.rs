//! Processes: this one, the tools that it starts, and what must not be left behind where it is interrupted.

pub mod below;
pub mod children;
pub mod interrupt;
mod keeper;
pub mod slots;
pub mod temporary;

pub use keeper::take_place;
pub use temporary::Temporary;
