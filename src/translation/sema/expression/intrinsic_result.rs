//! Type, rank and value of intrinsic function references.

use std::borrow::Cow;

use super::typed::*;
use super::typer::{Typer, common_type, constant, join_rank, node, rank_of, unknown};
use crate::ast::Span;
use crate::intrinsics::{
    Choice, Class, Conversion, Dummy, Inquiry, Intrinsic, Kinds, ResultRank, ResultType, Text,
};
use crate::sema::constant::fold;
use crate::sema::constant::intrinsic_fold;
use crate::sema::model::*;

impl Typer<'_> {
    /// A reference of an intrinsic function, its arguments in dummy order.
    pub(in crate::translation::sema) fn intrinsic_call(
        &mut self,
        intrinsic: Intrinsic,
        args: Vec<Option<TExpr>>,
        span: Span,
    ) -> TExpr {
        let named = intrinsic.argument(Dummy::Kind, &args).is_some();
        if named && kind_argument(intrinsic, &args).is_none() {
            // Nothing says what type the result has.
            return unknown(span);
        }
        let ty = result_type(intrinsic, &args, self.m.dialect.real);
        let rank = result_rank(intrinsic, &args);
        let value = self.fold_intrinsic(intrinsic, &args, &ty);
        if let Some(v) = value {
            // Host code has to see that it mentions data of the device, which it must associate first.
            let host_only = |a: &TExpr| {
                matches!(
                    self.m.space(a),
                    None | Some(Space::Host | Space::Thread | Space::Pinned)
                )
            };
            let mut of_host = args
                .iter()
                .flatten()
                .map(|a| !a.any(&mut |x| !host_only(x)));
            let inquiry = intrinsic.entry().class == Class::Inquiry && of_host.all(|h| h);
            if inquiry || rank == 0 && args.iter().all(Option::is_none) {
                let mut t = constant(v, span);
                t.ty = ty;
                return t;
            }
            let kind = TExprKind::Intrinsic { intrinsic, args };
            let mut t = node(kind, ty, rank, span);
            t.value = Some(v);
            return t;
        }
        let kind = TExprKind::Intrinsic { intrinsic, args };
        node(kind, ty, rank, span)
    }

    fn fold_intrinsic(
        &self,
        intrinsic: Intrinsic,
        args: &[Option<TExpr>],
        ty: &Type,
    ) -> Option<Constant> {
        if let Some(v) = self.inquire(intrinsic, args) {
            return fold::convert(&v, ty);
        }
        if intrinsic.entry().class == Class::Inquiry {
            return None;
        }
        // A BOZ constant is the bits of the result, or of a part of it (F2018 16.9.55, 16.9.100, 16.9.160).
        let bits = match (intrinsic, ty) {
            (Intrinsic::Conversion(Conversion::Real | Conversion::Int), t) => Some((1, t.clone())),
            (Intrinsic::Conversion(Conversion::Cmplx), Type::Complex(k)) => {
                Some((2, Type::Real(*k)))
            }
            _ => None,
        };
        let mut values = Vec::with_capacity(args.len());
        for (i, a) in args.iter().enumerate() {
            values.push(match (a, &bits) {
                (None, _) => None,
                (Some(a), Some((n, part))) if i < *n && a.ty == Type::Boz => {
                    let Constant::Integer(v, _) = *self.constant_of(a)? else {
                        return None;
                    };
                    Some(Cow::Owned(fold::boz_as(v, part)?))
                }
                (Some(a), _) => Some(self.constant_of(a)?),
            });
        }
        let values: Vec<Option<&Constant>> = values.iter().map(Option::as_deref).collect();
        intrinsic_fold::fold(intrinsic, &values, ty)
    }

    /// Inquiries that need types and bounds, not values.
    fn inquire(&self, intrinsic: Intrinsic, args: &[Option<TExpr>]) -> Option<Constant> {
        let first = args.first().and_then(Option::as_ref);
        match intrinsic {
            Intrinsic::Kinds(i) => of_kind(i, first),
            Intrinsic::Inquiry(i) => self.of_object(i, first?, args),
            _ => None,
        }
    }

    /// Bytes and alignment of a scalar, as C has them for a type without data elsewhere.
    fn storage(&self, ty: &Type, depth: usize) -> Option<(i64, i64)> {
        let plain = |n: i64| Some((n, n));
        match ty {
            Type::Integer(k) | Type::Real(k) | Type::Logical(k) => plain((*k).into()),
            Type::Complex(k) => Some((2 * i64::from(*k), (*k).into())),
            Type::Character(CharacterLength::Constant(n)) => Some((*n, 1)),
            Type::Derived(t) if depth < 16 && self.m[*t].parent.is_none() => {
                let (mut size, mut aligned) = (0i64, 1i64);
                for field in self.m.components_of(*t) {
                    if field.is_procedure || field.attrs.is_dynamic() {
                        return None;
                    }
                    let (bytes, align) = self.storage(&field.ty, depth + 1)?;
                    let bounds = self.m.bounds(self.m[*t].scope, &field.dims);
                    let mut count = 1i64;
                    for b in bounds {
                        let extent = (b.upper?.checked_sub(b.lower?)?.checked_add(1)?).max(0);
                        count = count.checked_mul(extent)?;
                    }
                    let from = size.checked_add(align - 1)? / align * align;
                    size = from.checked_add(bytes.checked_mul(count)?)?;
                    aligned = aligned.max(align);
                }
                Some((size.checked_add(aligned - 1)? / aligned * aligned, aligned))
            }
            _ => None,
        }
    }

    fn of_object(&self, i: Inquiry, x: &TExpr, args: &[Option<TExpr>]) -> Option<Constant> {
        use Inquiry::*;
        match i {
            Rank if x.rank >= 0 => integer(x.rank.into()),
            StorageSize => match x.ty {
                Type::Class(_) => None,
                _ => integer(self.storage(&x.ty, 0)?.0.checked_mul(8)?),
            },
            Sizeof => {
                let count = match x.rank {
                    0 => 1,
                    _ => (self.constant_bounds(x)?.iter())
                        .map(|b| (b.1 - b.0 + 1).max(0))
                        .try_fold(1i64, i64::checked_mul)?,
                };
                integer(self.storage(&x.ty, 0)?.0.checked_mul(count)?)
            }
            Len => match (&x.ty, &x.value) {
                (Type::Character(CharacterLength::Constant(n)), _) => integer(*n),
                (_, Some(Constant::Character(s))) => integer(s.chars().count() as i64),
                _ => None,
            },
            Size | Shape | Lbound | Ubound => {
                let bounds = self.constant_bounds(x)?;
                let dim = match args.get(1).and_then(|a| a.as_ref()) {
                    Some(d) if i != Shape => Some(usize::try_from(d.as_integer()?).ok()?),
                    _ => None,
                };
                let one = |b: (i64, i64)| match i {
                    Lbound if b.1 < b.0 => 1,
                    Lbound => b.0,
                    Ubound if b.1 < b.0 => 0,
                    Ubound => b.1,
                    _ => (b.1 - b.0 + 1).max(0),
                };
                match dim {
                    Some(d) => integer(one(*bounds.get(d.checked_sub(1)?)?)),
                    None if i == Size => integer(bounds.iter().map(|b| one(*b)).product()),
                    None => Some(Constant::Array(
                        bounds
                            .iter()
                            .map(|b| Constant::Integer(one(*b).into(), 4))
                            .collect(),
                        vec![bounds.len() as i64],
                    )),
                }
            }
            Rank | Allocated | Associated | ExtendsTypeOf | IsContiguous | Loc | Present
            | SameTypeAs => None,
        }
    }
}

fn integer(v: i64) -> Option<Constant> {
    Some(Constant::Integer(v.into(), 8))
}

/// What the type of the argument alone says; `int_ptr_kind` has no argument.
fn of_kind(i: Kinds, x: Option<&TExpr>) -> Option<Constant> {
    match i {
        Kinds::IntPtrKind => integer(8),
        Kinds::Kind => match x?.ty {
            Type::Integer(k) | Type::Real(k) | Type::Complex(k) | Type::Logical(k) => {
                integer(k.into())
            }
            Type::Character(_) => integer(1),
            _ => None,
        },
        Kinds::BitSize => match x?.ty {
            Type::Integer(k) => integer(i64::from(k) * 8),
            _ => None,
        },
        _ => intrinsic_fold::model_of(i, &x?.ty),
    }
}

fn kind_argument(i: Intrinsic, args: &[Option<TExpr>]) -> Option<u8> {
    i.argument(Dummy::Kind, args)?
        .as_integer()
        .and_then(|k| u8::try_from(k).ok())
}

fn result_type(i: Intrinsic, args: &[Option<TExpr>], default_real: u8) -> Type {
    let arg = |n: usize| {
        args.get(n)
            .and_then(|a| a.as_ref())
            .map_or(Type::Unknown, |a| a.ty.clone())
    };
    match i.entry().ty {
        ResultType::Same(n) => match (arg(n.into()), kind_argument(i, args)) {
            (Type::Real(_), Some(k)) => Type::Real(k),
            (Type::Integer(_), Some(k)) => Type::Integer(k),
            (Type::Character(_), _) if n == 0 && i == Intrinsic::Choice(Choice::Merge) => arg(0),
            (Type::Boz, _) => Type::Integer(4),
            (t, _) => t,
        },
        ResultType::Common | ResultType::CommonOfTwo => {
            let count = match i.entry().ty {
                ResultType::CommonOfTwo => 2,
                _ => args.len(),
            };
            let mut types = args.iter().take(count).flatten().map(|a| a.ty.clone());
            let first = types.next().unwrap_or(Type::Unknown);
            match types.fold(first, |a, b| joined(&a, &b)) {
                Type::Boz => Type::Integer(4),
                t => t,
            }
        }
        ResultType::RealPart => match arg(0) {
            Type::Complex(k) => Type::Real(k),
            t => t,
        },
        ResultType::Integer => Type::Integer(kind_argument(i, args).unwrap_or(4)),
        ResultType::Logical => Type::Logical(kind_argument(i, args).unwrap_or(4)),
        ResultType::Character => Type::Character(match i {
            Intrinsic::Text(Text::Char | Text::Achar) => CharacterLength::Constant(1),
            Intrinsic::Text(Text::Repeat) => match (
                arg(0),
                args.get(1)
                    .and_then(|n| i64::try_from(n.as_ref()?.as_integer()?).ok()),
            ) {
                (Type::Character(CharacterLength::Constant(n)), Some(copies))
                    if copies > 0 && n > 0 =>
                {
                    n.checked_mul(copies)
                        .map_or(CharacterLength::Other, CharacterLength::Constant)
                }
                _ => CharacterLength::Other,
            },
            _ => CharacterLength::Other,
        }),
        ResultType::Real => Type::Real(kind_argument(i, args).unwrap_or(match arg(0) {
            Type::Complex(k) => k,
            _ => default_real,
        })),
        ResultType::Complex => Type::Complex(kind_argument(i, args).unwrap_or(default_real)),
        ResultType::Real4 => Type::Real(4),
        ResultType::Real8 => Type::Real(8),
        ResultType::Integer8 => Type::Integer(8),
        ResultType::Product => common_type(&arg(0), &arg(1)),
        ResultType::None => Type::Unknown,
    }
}

/// The type of MAX and its like: a text is as long as the longest.
fn joined(a: &Type, b: &Type) -> Type {
    use CharacterLength::Constant as Known;
    match (a, b) {
        (Type::Character(Known(m)), Type::Character(Known(n))) => Type::Character(Known(*m.max(n))),
        _ => common_type(a, b),
    }
}

fn result_rank(i: Intrinsic, args: &[Option<TExpr>]) -> i8 {
    let arg = |n: usize| args.get(n).and_then(|a| a.as_ref());
    let rank = |n: usize| arg(n).map_or(0, |a| a.rank);
    let along_dim = i.argument(Dummy::Dim, args).is_some();
    match i.entry().rank {
        ResultRank::Elemental => args.iter().flatten().fold(0, |r, a| join_rank(r, a.rank)),
        ResultRank::Scalar => 0,
        ResultRank::One => 1,
        ResultRank::Same(n) => rank(n.into()),
        ResultRank::Reduce if along_dim => (rank(0) - 1).max(0),
        ResultRank::Reduce => 0,
        ResultRank::Location if along_dim => (rank(0) - 1).max(0),
        ResultRank::Location => 1,
        ResultRank::Bound if along_dim => 0,
        ResultRank::Bound => 1,
        ResultRank::Matmul => (rank(0) + rank(1) - 2).max(0),
        ResultRank::Plus1 => rank(0) + 1,
        ResultRank::Reshape => match arg(1).map(|a| (&a.value, &a.kind)) {
            Some((Some(Constant::Array(v, _)), _)) => v.len() as i8,
            Some((_, TExprKind::ArrayConstructor { items })) => items.len() as i8,
            Some((
                _,
                TExprKind::Intrinsic {
                    intrinsic: Intrinsic::Inquiry(Inquiry::Shape),
                    args,
                },
            )) => args.first().and_then(|a| a.as_ref()).map_or(-1, |a| a.rank),
            _ => -1,
        },
        ResultRank::Transfer => {
            if rank(1) > 0 || arg(2).is_some() {
                1
            } else {
                0
            }
        }
    }
}

/// Rank of a function's result variable and its type.
impl Model {
    pub(in crate::translation::sema) fn result_type(&self, f: SymbolId) -> (Type, i8) {
        let Some(p) = self.procedure(f) else {
            return (Type::Unknown, 0);
        };
        match p.result {
            Some(r) => (self.type_of(r), rank_of(self.dims(r))),
            None => (Type::Unknown, 0),
        }
    }
}

impl Model {
    /// Bits of an object of a type without data elsewhere, as STORAGE_SIZE gives them.
    pub fn storage_size(&self, t: TypeId) -> Option<i64> {
        let typer = Typer::new(self, self[t].scope);
        typer.storage(&Type::Derived(t), 0)?.0.checked_mul(8)
    }
}
