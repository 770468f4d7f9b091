//! What attributes and array specifications say of a variable.

use crate::ast::{self, ArraySpec, Attr, AttrKind, CharLen, CudaAttr, DimSpec, TypeSpecKind};
use crate::sema::model::*;

/// The DIMENSION attribute among others.
pub(in crate::translation::sema) fn dimension(attrs: &[Attr]) -> Option<&ArraySpec> {
    attrs.iter().find_map(|a| match &a.kind {
        AttrKind::Dimension(spec) => Some(spec),
        _ => None,
    })
}

pub(in crate::translation::sema) fn dims(spec: &ArraySpec) -> Vec<Dim> {
    spec.dims
        .iter()
        .map(|d| match d {
            DimSpec::Explicit { lower, upper } => Dim::Explicit {
                lower: lower.clone(),
                upper: upper.clone(),
            },
            DimSpec::Colon { lower } => Dim::Colon {
                lower: lower.clone(),
            },
            DimSpec::AssumedSize { lower } => Dim::AssumedSize {
                lower: lower.clone(),
            },
            DimSpec::AssumedRank => Dim::AssumedRank,
        })
        .collect()
}

pub(in crate::translation::sema) fn space(attr: CudaAttr) -> Option<Space> {
    Some(match attr {
        CudaAttr::Device => Space::Device,
        CudaAttr::Constant => Space::Constant,
        CudaAttr::Shared => Space::Shared,
        CudaAttr::Managed => Space::Managed,
        CudaAttr::Pinned => Space::Pinned,
        CudaAttr::Texture => Space::Texture,
        CudaAttr::Unified => Space::Unified,
        CudaAttr::GridConstant => return None,
    })
}

/// Adds an attribute to a variable.
pub(in crate::translation::sema) fn apply(v: &mut Variable, kind: &AttrKind) {
    let flag = match kind {
        AttrKind::Allocatable => VarAttrs::ALLOCATABLE,
        AttrKind::Pointer => VarAttrs::POINTER,
        AttrKind::Target => VarAttrs::TARGET,
        AttrKind::Save => VarAttrs::SAVE,
        AttrKind::Optional => VarAttrs::OPTIONAL,
        AttrKind::Value => VarAttrs::VALUE,
        AttrKind::Volatile => VarAttrs::VOLATILE,
        AttrKind::Contiguous => VarAttrs::CONTIGUOUS,
        AttrKind::Protected => VarAttrs::PROTECTED,
        AttrKind::Asynchronous => VarAttrs::ASYNCHRONOUS,
        AttrKind::Bind(_) => VarAttrs::BIND_C,
        AttrKind::Cuda(CudaAttr::GridConstant) => VarAttrs::GRID_CONSTANT,
        AttrKind::Cuda(c) => {
            if let Some(s) = space(*c) {
                v.space = s;
            }
            return;
        }
        AttrKind::Intent(i) => {
            v.intent = Some(*i);
            return;
        }
        _ => return,
    };
    v.attrs.set(flag);
}

/// The length of a character entity is that of what it is allocated for or points to.
pub fn defers_length(e: &ast::Entity, spec: &ast::TypeSpec) -> bool {
    let len = match &spec.kind {
        TypeSpecKind::Intrinsic { len, .. } => e.len.as_deref().or(len.as_deref()),
        _ => None,
    };
    matches!(len, Some(CharLen::Deferred))
}
