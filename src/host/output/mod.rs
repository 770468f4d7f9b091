//! The finished host code: whether device data was left in it, and whose its lines are.

pub(in crate::host) mod line_map;
pub(in crate::host) mod provenance;
pub mod verify;
