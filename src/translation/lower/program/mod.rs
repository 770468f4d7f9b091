//! Programs: what is known of all procedures before one is lowered, files and their namespaces, module data and types, launchers, names of units.

pub(in crate::translation::lower) mod analysis;
pub(in crate::translation::lower) mod below;
pub(in crate::translation::lower) mod effects;
pub(in crate::translation::lower) mod extern_kernels;
pub(in crate::translation::lower) mod globals;
pub(in crate::translation::lower) mod launch_aliases;
pub(in crate::translation::lower) mod launcher;
pub(in crate::translation::lower) mod naming;
pub(in crate::translation::lower) mod sharing;
pub(in crate::translation::lower) mod synchronise;
pub(in crate::translation::lower) mod unit;
pub(in crate::translation::lower) mod unit_names;
