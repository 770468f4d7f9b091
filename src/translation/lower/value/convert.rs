//! Types of Fortran in C++, and explicit conversions between them.

use crate::intrinsics::{Choice, Intrinsic};
use crate::ir::*;
use crate::lower::context::LoweringContext;
use crate::sema::library::runtime_wmma::{Matrix, submatrix};
use crate::sema::model::{self, CharacterLength, TypeId};

impl LoweringContext<'_, '_> {
    /// Type of a value in an expression: LOGICAL is `bool`. None (with a finding at the caller's) where device code has no such type.
    pub fn value_type(&mut self, ty: &model::Type) -> Option<Type> {
        match ty {
            model::Type::Logical(_) => Some(Type::Bool),
            model::Type::Character(CharacterLength::Other) => Some(Type::Text),
            t => self.storage_type(t),
        }
    }

    /// Type in memory.
    pub fn storage_type(&mut self, ty: &model::Type) -> Option<Type> {
        Some(match ty {
            model::Type::Integer(k @ (1 | 2 | 4 | 8)) => Type::Int(*k),
            model::Type::Real(k @ (2 | 4 | 8)) => Type::Real(*k),
            model::Type::Complex(k @ (4 | 8)) => Type::Complex(*k),
            model::Type::Logical(k @ (1 | 2 | 4 | 8)) => Type::Logical(*k),
            model::Type::Character(CharacterLength::Constant(n)) => Type::Character(*n),
            model::Type::Derived(t) | model::Type::Class(t) => self.derived_type(*t),
            model::Type::Boz => Type::Int(4),
            model::Type::Opaque(n) => external_type(n)?,
            _ => return None,
        })
    }

    fn derived_type(&mut self, t: TypeId) -> Type {
        let d = &self.sh.model[t];
        if d.external
            && let Some(ty) = external_type(&d.name)
        {
            match &ty {
                Type::Class(Class::Group(_)) => self.need_header("device/cooperative.hpp"),
                Type::Class(Class::Fragment(_)) => self.need_header("device/wmma.hpp"),
                Type::Class(Class::Generator(_)) => self.need_header("device/curand.hpp"),
                _ => {}
            }
            return ty;
        }
        self.sh.use_type(t);
        // Wherever the type is named, its definition has to be seen.
        let home = self.sh.model[d.scope].file;
        self.sh.needs.borrow_mut().insert((self.file, home));
        Type::Derived(self.sh.type_ident(t))
    }
}

/// Types of the runtime's and compiler's modules that device code may use.
fn external_type(name: &str) -> Option<Type> {
    Some(match name {
        "dim3" => Type::Class(Class::Dim3),
        "c_ptr" | "c_devptr" => Type::Pointer {
            to: Box::new(Type::Void),
            restrict: false,
        },
        "curandstatexorwow" => Type::Class(Class::Generator(Generator::Xorwow)),
        "curandstatemrg32k3a" => Type::Class(Class::Generator(Generator::Mrg32k3a)),
        "curandstatephilox4_32_10" => Type::Class(Class::Generator(Generator::Philox)),
        "thread_group" => Type::Class(Class::Group(Group::Threads)),
        "coalesced_group" => Type::Class(Class::Group(Group::Coalesced)),
        "grid_group" => Type::Class(Class::Group(Group::Grid)),
        "cluster_group" => Type::Class(Class::Group(Group::Cluster)),
        n => return super::convert::fragment(n),
    })
}

/// Converts a value as Fortran's intrinsic assignment does.
pub fn convert(e: Expr, to: &Type) -> Expr {
    let to = to.plain();
    let from = e.ty.plain().clone();
    if from == *to {
        return e;
    }
    match (&e.kind, to) {
        (ExprKind::Int(v), Type::Int(k)) => return Expr::int_of(wrap(*v, *k), *k),
        (ExprKind::Int(v), Type::Real(k)) if v.unsigned_abs() < 1 << 53 => {
            #[allow(clippy::cast_precision_loss)]
            return real_literal(*v as f64, *k);
        }
        (ExprKind::Real(v), Type::Real(k)) => return real_literal(*v, *k),
        (ExprKind::Bool(_), Type::Logical(_)) => {
            return Expr {
                ty: to.clone(),
                ..e
            };
        }
        _ => {}
    }
    match (&from, to) {
        (Type::Uint, Type::Int(4)) => conversion(e, to),
        // Never so large that it would be negative.
        (Type::Uint, Type::Real(4 | 8)) if matches!(e.kind, ExprKind::Builtin(..)) => {
            conversion(e, to)
        }
        (Type::Uint, _) => convert(conversion(e, &Type::Int(4)), to),
        // The real part, which an integer truncates.
        (Type::Complex(k), Type::Int(_) | Type::Real(_)) => {
            let re = e.field("re", Type::Real(*k));
            convert(re, to)
        }
        _ => conversion(e, to),
    }
}

/// An explicit conversion node.
pub fn conversion(e: Expr, to: &Type) -> Expr {
    Expr::new(ExprKind::Convert(Box::new(e)), to.clone())
}

/// A real constant rounded to its kind.
pub fn real_literal(v: f64, kind: u8) -> Expr {
    #[allow(clippy::cast_possible_truncation)]
    let v = match kind {
        8 => v,
        _ if !v.is_finite() => v,
        _ => f64::from(v as f32),
    };
    Expr::new(ExprKind::Real(v), Type::Real(kind))
}

/// The value of an integer constant in `bytes` bytes. With other kinds, which are refused where they are used, it is as it was.
pub fn wrap(v: i128, bytes: u8) -> i128 {
    match bytes {
        1..16 => {
            let shift = 128 - u32::from(bytes) * 8;
            (v << shift) >> shift
        }
        _ => v,
    }
}

/// The operand as a C++ condition.
pub fn to_bool(e: Expr) -> Expr {
    use crate::ir::BinaryOp;
    // nvfortran's integer as a condition: its lowest bit (decision 1012).
    let (e, kind) = match *e.ty.plain() {
        Type::Int(k) => (e, k),
        Type::Uint => (conversion(e, &Type::Int(4)), 4),
        _ => return convert(e, &Type::Bool),
    };
    let bit = match is_flag(&e) {
        true => e,
        false => Expr::binary(BinaryOp::BitAnd, e, Expr::int_of(1, kind), Type::Int(kind)),
    };
    Expr::binary(BinaryOp::Ne, bit, Expr::int(0), Type::Bool)
}

/// An integer that is 0, 1 or -1 for certain.
fn is_flag(e: &Expr) -> bool {
    use crate::ir::BinaryOp;
    let is = |e: &Expr, n: i128| e.as_int().map(i128::abs) == Some(n);
    match &e.kind {
        ExprKind::Int(v) => v.abs() <= 1,
        ExprKind::Convert(x) => is_flag(x),
        ExprKind::Binary {
            op: BinaryOp::Rem,
            rhs,
            ..
        } => is(rhs, 2),
        ExprKind::Binary {
            op: BinaryOp::BitAnd,
            lhs,
            rhs,
        } => [lhs, rhs].iter().any(|x| x.as_int() == Some(1)) || is_flag(lhs) && is_flag(rhs),
        ExprKind::Binary {
            op: BinaryOp::BitOr | BinaryOp::BitXor,
            lhs,
            rhs,
        } => is_flag(lhs) && is_flag(rhs),
        ExprKind::Conditional {
            then, otherwise, ..
        } => is_flag(then) && is_flag(otherwise),
        _ => false,
    }
}

/// A plain int for a subscript or count: unsigned built-ins are non-negative, so they stay.
pub fn subscript(e: Expr) -> Expr {
    match e.ty.plain() {
        Type::Uint if !non_negative(&e) => conversion(e, &Type::Int(4)),
        Type::Int(1 | 2) => convert(e, &Type::Int(4)),
        _ => e,
    }
}

/// An unsigned expression that is the same number when read as unsigned: no subtraction below zero can occur in it.
pub fn non_negative(e: &Expr) -> bool {
    use crate::ir::BinaryOp;
    match &e.kind {
        ExprKind::Builtin(..) => true,
        ExprKind::Int(v) => *v >= 0,
        ExprKind::Binary {
            op: BinaryOp::Add | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::BitAnd,
            lhs,
            rhs,
        } => non_negative(lhs) && non_negative(rhs),
        _ => false,
    }
}

/// The C++ type of a type of the module wmma.
pub fn fragment(name: &str) -> Option<Type> {
    let s = submatrix(name)?;
    let row_major = s.row_major;
    Some(Type::Class(Class::Fragment(Fragment {
        role: match s.matrix {
            Matrix::A => FragmentRole::A { row_major },
            Matrix::B => FragmentRole::B { row_major },
            Matrix::Accumulator => FragmentRole::Accumulator,
        },
        m: s.m,
        n: s.n,
        k: s.k,
        kind: s.kind,
    })))
}

/// An empty range gives no elements, also where its limits are further apart.
pub fn not_negative(n: Expr) -> Expr {
    if never_negative(&n) {
        return n;
    }
    match n.as_int() {
        Some(v) => Expr::int_of(v.max(0), if v > i128::from(i32::MAX) { 8 } else { 4 }),
        None => {
            let ty = n.ty.clone();
            Expr::call(Choice::Max, vec![n, convert(Expr::int(0), &ty)], ty)
        }
    }
}

pub fn never_negative(n: &Expr) -> bool {
    match &n.kind {
        ExprKind::Convert(inner) => never_negative(inner),
        ExprKind::Int(_) => n.as_int().is_some_and(|v| v >= 0),
        ExprKind::Method { name, .. } => *name == Method::Size,
        ExprKind::Binary { op, lhs, rhs } => {
            let grows = matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::Div);
            grows && never_negative(lhs) && never_negative(rhs)
        }
        ExprKind::Call { callee, args, .. } => match callee {
            Callee::Function(f) => *f == Function::SizeOf,
            Callee::Intrinsic(Intrinsic::Choice(Choice::Max)) => {
                args.iter().any(|a| a.as_int() == Some(0))
            }
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_fold() {
        assert_eq!(convert(Expr::int(4), &Type::Real(4)), real_literal(4.0, 4));
        assert_eq!(convert(Expr::int(300), &Type::Int(1)).as_int(), Some(44));
        assert_eq!(wrap(255, 1), -1);
    }
}
