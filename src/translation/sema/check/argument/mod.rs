//! Checks of references: actual arguments of procedures, intrinsic procedures, the runtime API and the libraries.

pub(in crate::translation::sema::check) mod actual;
pub(in crate::translation::sema::check) mod api;
pub(in crate::translation::sema::check) mod generic;
pub(in crate::translation::sema::check) mod intrinsic;
pub(in crate::translation::sema::check) mod library;
pub(in crate::translation::sema::check) mod procedure;

pub(in crate::translation::sema::check) use actual::literal_of_type;
