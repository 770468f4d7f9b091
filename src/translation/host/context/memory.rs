//! What the runtime's procedures are told of data: the memory that it lies in, and whether they know its type.

use crate::host::context::names::{MANAGED, PINNED};
use crate::sema::model::*;

/// Where the runtime is to put an allocation: the `space=` argument of `cuf_allocate`, None for the host's ALLOCATE.
pub(in crate::translation::host) fn allocation_space(space: Space) -> Option<&'static str> {
    match space {
        Space::Device | Space::Constant | Space::Shared | Space::Texture => Some(""),
        Space::Managed | Space::Unified => Some(MANAGED),
        Space::Pinned => Some(PINNED),
        Space::Host | Space::Thread => None,
    }
}

/// Types for which the runtime's generic procedures have specifics.
pub(in crate::translation::host) fn is_generic_type(ty: &Type) -> bool {
    match ty {
        Type::Integer(_) | Type::Logical(_) => true,
        Type::Real(k) | Type::Complex(k) => *k == 4 || *k == 8,
        Type::Character(CharacterLength::Constant(1)) => true,
        _ => false,
    }
}
