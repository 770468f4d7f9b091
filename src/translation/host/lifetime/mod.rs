//! Types that own device data: their allocatable components became pointers, so the host code written does itself what Fortran
//! does for allocatables and for FINAL (docs/owners.md is the table of it).
//!
//! `types` says which types take part, `procedures` writes the procedures of a type (`cuf_release_`, `cuf_copy_`,
//! `cuf_move_<type>`, ...) and `bindings` those that find the dynamic type; `life` gives the events of a scope, `assign` and
//! `sourced` the copies. Whoever ends the life of a value asks `finish` of `calls`.

mod assign;
mod bindings;
mod calls;
mod constructor;
mod procedures;
mod scope_cleanup;
mod sourced;
mod split_type;
mod templates;
pub(super) mod types;
