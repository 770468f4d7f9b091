//! The finished host code: whether device data was left in it, and whose its lines are.

pub(in crate::translation::host) mod line_map;
pub(in crate::translation::host) mod provenance;
pub mod verify;
