//! The finished host code: whether device data was left in it, and whose its lines are.

pub(in crate::host) mod layout;
pub mod net;
pub(in crate::host) mod trail;
