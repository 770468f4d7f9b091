//! What typing an expression takes along, and the nodes that it makes.

use super::typed::*;
use crate::ast::Span;
use crate::sema::constant::fold;
use crate::sema::model::*;

/// Deepest nesting of an expression that is typed; what is deeper is `Unknown`, and reported (CUF0207).
pub(in crate::translation::sema) const MAX_DEPTH: u32 = 150;
/// Longest chain of operators of one level.
pub(in crate::translation::sema) const MAX_CHAIN: usize = 2000;

/// Items of implied DOs that are evaluated for the value of one expression, all nested loops together.
const MAX_UNROLLED: usize = 4096;

/// Types expressions in one scope.
pub(in crate::translation::sema) struct Typer<'m> {
    pub m: &'m Model,
    pub scope: ScopeId,
    pub depth: u32,
    /// Values of the implied-do variables while their items are folded.
    pub(in crate::translation::sema) env: Vec<(SymbolId, i128)>,
    /// How many more items of implied DOs may be evaluated; an expression that needs more has no value.
    pub(in crate::translation::sema) unrollable: usize,
    /// What is typed is the value of a named constant: arrays are folded too.
    pub(in crate::translation::sema) of_constant: bool,
}

impl<'m> Typer<'m> {
    pub fn new(m: &'m Model, scope: ScopeId) -> Self {
        Typer {
            m,
            scope,
            depth: 0,
            env: Vec::new(),
            unrollable: MAX_UNROLLED,
            of_constant: false,
        }
    }

    /// For the value of a named constant, which may be large.
    pub fn of_constant(m: &'m Model, scope: ScopeId) -> Self {
        Typer {
            unrollable: 2 * fold::MAX_ELEMENTS,
            of_constant: true,
            ..Typer::new(m, scope)
        }
    }

    /// The scope is in device code.
    pub fn in_device_code(&self) -> bool {
        self.m[self.scope].context != CodeContext::Host
    }

    /// What is beyond a limit has no type, but never silently so.
    pub(in crate::translation::sema) fn too_deep(&self, span: Span) -> TExpr {
        self.m.report_limit(self.m[self.scope].file, span);
        unknown(span)
    }
}

/// A node without value.
pub(in crate::translation::sema) fn node(kind: TExprKind, ty: Type, rank: i8, span: Span) -> TExpr {
    TExpr {
        kind,
        ty,
        rank,
        value: None,
        span,
    }
}

pub(in crate::translation::sema) fn unknown(span: Span) -> TExpr {
    node(TExprKind::Unknown, Type::Unknown, 0, span)
}

/// A folded constant as an expression.
pub(in crate::translation::sema) fn constant(value: Constant, span: Span) -> TExpr {
    let rank = match &value {
        Constant::Array(_, shape) => shape.len() as i8,
        _ => 0,
    };
    TExpr {
        kind: TExprKind::Constant { symbol: None },
        ty: fold::type_of(&value),
        rank,
        value: Some(value),
        span,
    }
}

pub(in crate::translation::sema) fn rank_of(dims: &[Dim]) -> i8 {
    match dims {
        [Dim::AssumedRank] => -1,
        _ => dims.len() as i8,
    }
}

/// The larger rank of two operands; -1 (not known) only if nothing better is known.
pub(in crate::translation::sema) fn join_rank(a: i8, b: i8) -> i8 {
    a.max(b)
}

/// Type of an arithmetic operation on two types; Unknown where the language has none.
pub fn common_type(a: &Type, b: &Type) -> Type {
    use Type as T;
    match (a, b) {
        (T::Boz, t) | (t, T::Boz) => t.clone(),
        (T::Integer(x), T::Integer(y)) => T::Integer(*x.max(y)),
        (T::Integer(_), T::Real(k)) | (T::Real(k), T::Integer(_)) => T::Real(*k),
        (T::Real(x), T::Real(y)) => T::Real(*x.max(y)),
        (T::Complex(k), T::Integer(_)) | (T::Integer(_), T::Complex(k)) => T::Complex(*k),
        (T::Complex(x), T::Real(y) | T::Complex(y)) | (T::Real(y), T::Complex(x)) => {
            T::Complex(*x.max(y))
        }
        (T::Logical(x), T::Logical(y)) => T::Logical(*x.max(y)),
        (T::Character(_), T::Character(_)) if a == b => a.clone(),
        (T::Character(_), T::Character(_)) => T::Character(CharacterLength::Other),
        // nvfortran and gfortran let logicals stand for integers in places; the numeric type wins.
        (T::Logical(_), t @ (T::Integer(_) | T::Real(_)))
        | (t @ (T::Integer(_) | T::Real(_)), T::Logical(_)) => t.clone(),
        _ if a == b => a.clone(),
        _ => T::Unknown,
    }
}

/// The longest of the items of an array constructor, if they are texts of different known lengths.
pub(crate) fn ragged_length(items: &[TExpr]) -> Option<i64> {
    let lengths: Option<Vec<i64>> = items
        .iter()
        .map(|i| match i.ty {
            Type::Character(CharacterLength::Constant(n)) => Some(n),
            _ => None,
        })
        .collect();
    let lengths = lengths?;
    let longest = lengths.iter().copied().max()?;
    lengths.iter().any(|n| *n != longest).then_some(longest)
}
