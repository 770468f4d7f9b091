//! Programs: what is known of all procedures before one is lowered, files and their namespaces, module data and types, launchers, names of units.

pub(in crate::lower) mod analysis;
pub(in crate::lower) mod below;
pub(in crate::lower) mod effects;
pub(in crate::lower) mod extern_kernels;
pub(in crate::lower) mod globals;
pub(in crate::lower) mod launch_aliases;
pub(in crate::lower) mod launcher;
pub(in crate::lower) mod naming;
pub(in crate::lower) mod sharing;
pub(in crate::lower) mod synchronise;
pub(in crate::lower) mod unit;
pub(in crate::lower) mod unit_names;
