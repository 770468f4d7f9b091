//! Type specifiers: what `type is (real)`, `allocate(real :: x)` and declarations name.

use crate::ast::{self, CharLen, ExprKind, IntrinsicBase, TypeSpec, TypeSpecKind};
use crate::sema::model::*;

impl Model {
    /// Type of a type specifier (as in `type is (real)`, `allocate(real :: x)`, array constructors).
    /// A derived type that is not found is `Opaque`.
    pub fn type_of_spec(&self, scope: ScopeId, spec: &TypeSpec) -> Type {
        match &spec.kind {
            TypeSpecKind::Intrinsic {
                base,
                kind,
                star,
                len,
            } => {
                let given = kind
                    .as_ref()
                    .map(|k| self.const_int(scope, k).and_then(|k| u8::try_from(k).ok()));
                // A kind that cannot be folded leaves the type unknown.
                let kind = match given {
                    Some(None) => return Type::Unknown,
                    // Wider characters have no type here.
                    Some(Some(k)) if *base == IntrinsicBase::Character && k != 1 => {
                        return Type::Unknown;
                    }
                    Some(k) => k,
                    None => None,
                };
                match base {
                    IntrinsicBase::Integer => Type::Integer(kind.unwrap_or(4)),
                    IntrinsicBase::Real => Type::Real(kind.unwrap_or(self.dialect.real)),
                    IntrinsicBase::DoublePrecision => Type::Real(8),
                    IntrinsicBase::Complex => Type::Complex(match kind {
                        Some(k) if *star => k / 2,
                        k => k.unwrap_or(self.dialect.real),
                    }),
                    IntrinsicBase::DoubleComplex => Type::Complex(8),
                    IntrinsicBase::Logical => Type::Logical(kind.unwrap_or(4)),
                    IntrinsicBase::Byte => Type::Integer(1),
                    IntrinsicBase::Character => {
                        Type::Character(self.character_length(scope, len.as_deref()))
                    }
                }
            }
            TypeSpecKind::Derived { name, params } => {
                let found = match params.as_slice() {
                    // The macro of cuf_macros.CUF; its fifth argument, the type, is Real.
                    [matrix, m, n, k, _, layout] if name.text == "wmmasubmatrix" => self
                        .submatrix_name(scope, [matrix, m, n, k, layout])
                        .and_then(|name| self.external_types.get(name.as_str()).copied()),
                    _ => self.lookup_type(scope, &name.text),
                };
                match found {
                    Some(t) => Type::Derived(t),
                    None => Type::Opaque(name.text.to_string()),
                }
            }
            TypeSpecKind::Class {
                name: Some(name), ..
            } => match self.lookup_type(scope, &name.text) {
                Some(t) => Type::Class(t),
                None => Type::Opaque(name.text.to_string()),
            },
            TypeSpecKind::Class { name: None, .. } => Type::ClassStar,
            TypeSpecKind::AssumedType => Type::AssumedType,
            TypeSpecKind::Other => Type::Unknown,
        }
    }

    fn submatrix_name(&self, scope: ScopeId, params: [&ast::Arg; 5]) -> Option<String> {
        let mut values = [0; 5];
        for (v, p) in values.iter_mut().zip(params) {
            *v = self.const_int(scope, &p.value)?;
        }
        crate::sema::library::runtime_wmma::type_name(values)
    }

    pub(in crate::translation::sema) fn character_length(
        &self,
        scope: ScopeId,
        len: Option<&CharLen>,
    ) -> CharacterLength {
        match len {
            None => CharacterLength::Constant(1),
            Some(CharLen::Expr(e)) => match &e.kind {
                ExprKind::Star { .. } => CharacterLength::Other,
                _ => match self.const_int(scope, e) {
                    Some(n) => CharacterLength::Constant(n.max(0)),
                    None => CharacterLength::Other,
                },
            },
            Some(CharLen::Assumed | CharLen::Deferred) => CharacterLength::Other,
        }
    }
}
