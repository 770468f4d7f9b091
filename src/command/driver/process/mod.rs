//! Processes: this one, the tools that it starts, and what must not be left behind where it is interrupted.

pub mod children;
pub mod interrupt;
pub mod job_slots;
pub mod parent_death;
mod reaper;
pub mod temporary;

pub use reaper::take_place;
pub use temporary::Temporary;
