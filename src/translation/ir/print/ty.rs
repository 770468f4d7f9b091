//! Types.

use super::expr::{expr, ident};
use crate::ir::{
    Class, ExprKind, FixedDim, Fragment, FragmentRole, Generator, Group, ReductionOp, Type,
};

/// A type; kinds are bytes, as in Fortran.
pub(super) fn ty(t: &Type) -> String {
    match t {
        Type::Unknown => "unknown".to_owned(),
        Type::Void => "void".to_owned(),
        Type::Auto => "auto".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int(k) => format!("int{k}"),
        Type::Uint => "uint".to_owned(),
        Type::Ulong => "ulong".to_owned(),
        Type::Real(k) => format!("real{k}"),
        Type::Complex(k) => format!("complex{k}"),
        Type::Logical(k) => format!("logical{k}"),
        Type::Character(n) => format!("character{n}"),
        Type::Text => "text".to_owned(),
        Type::Derived(name) => format!("struct {}", ident(name)),
        Type::Class(c) => class(c),
        Type::Const(t) => format!("const {}", ty(t)),
        Type::Pointer { to, restrict } => {
            let restrict = if *restrict { " restrict" } else { "" };
            format!("pointer{restrict}[{}]", ty(to))
        }
        Type::Ref(t) => format!("ref {}", ty(t)),
        Type::Array { elem, rank } => format!("array[{}, {rank}]", ty(elem)),
        Type::View { elem, rank } => format!("view[{}, {rank}]", ty(elem)),
        Type::Fixed { elem, dims } => {
            let dims: String = dims.iter().map(|d| format!(", {}", dimension(d))).collect();
            format!("fixed[{}{dims}]", ty(elem))
        }
        Type::Descriptor { elem, rank } => format!("descriptor[{}, {rank}]", ty(elem)),
        Type::LocalArray { elem, rank } => format!("local[{}, {rank}]", ty(elem)),
    }
}

/// Bounds as they are written; their values, too, where these are not numbers.
fn dimension(d: &FixedDim) -> String {
    let FixedDim {
        lower,
        upper,
        lo,
        hi,
    } = d;
    let number = |e: &crate::ir::Expr| matches!(e.kind, ExprKind::Int(_));
    let written = match lower {
        None => expr(upper),
        Some(lower) => format!("{}:{}", expr(lower), expr(upper)),
    };
    match number(upper) && lower.as_ref().is_none_or(number) {
        true => written,
        false => format!("{written} = {lo}:{hi}"),
    }
}

fn class(c: &Class) -> String {
    match c {
        Class::Dim3 => "dim3".to_owned(),
        Class::Group(g) => match g {
            Group::Threads => "group of threads",
            Group::Coalesced => "group of coalesced threads",
            Group::Grid => "group of the grid",
            Group::Cluster => "group of the cluster",
        }
        .to_owned(),
        Class::Generator(g) => match g {
            Generator::Xorwow => "generator xorwow",
            Generator::Mrg32k3a => "generator mrg32k3a",
            Generator::Philox => "generator philox",
        }
        .to_owned(),
        Class::Fragment(f) => fragment(*f),
        Class::Descriptor => "host descriptor".to_owned(),
        Class::Range => "bounds".to_owned(),
        Class::Assumed => "assumed".to_owned(),
        Class::Characters { changed: true } => "characters to change".to_owned(),
        Class::Characters { changed: false } => "characters".to_owned(),
        Class::LoopBounds => "loop bounds".to_owned(),
        Class::LoopTurns => "loop turns".to_owned(),
        Class::LoopSpace { rank, indexed } => format!("loop space[{rank}]{}", by_index(*indexed)),
        Class::ReductionDevice { elem, op } => {
            format!("reduction[{}, {}]", ty(elem), reduction(*op))
        }
        Class::OptionalValue(t) => format!("optional {}", ty(t)),
        Class::Layout { rank, strided } => format!("layout[{rank}]{}", with_strides(*strided)),
        Class::ExplicitShape { elem, rank, index } => {
            format!("array[{}, {rank}] indexed by {index:?}", ty(elem))
        }
        Class::MadeOfLayout { strided } => format!("made of layout{}", with_strides(*strided)),
        Class::Storage(bytes) => format!("storage[{bytes}]"),
        Class::PrintRecord => "print record".to_owned(),
        Class::ChildConfig => "child configuration".to_owned(),
    }
}

fn by_index(indexed: bool) -> &'static str {
    if indexed { " by index" } else { "" }
}

fn with_strides(strided: bool) -> &'static str {
    if strided { " with strides" } else { "" }
}

fn fragment(f: Fragment) -> String {
    let Fragment {
        role,
        m,
        n,
        k,
        kind,
    } = f;
    let order = |row_major| if row_major { "by rows" } else { "by columns" };
    let role = match role {
        FragmentRole::A { row_major } => format!("a {}", order(row_major)),
        FragmentRole::B { row_major } => format!("b {}", order(row_major)),
        FragmentRole::Accumulator => "accumulator".to_owned(),
    };
    format!("fragment {role}[real{kind}, {m}, {n}, {k}]")
}

pub(super) fn reduction(op: ReductionOp) -> &'static str {
    match op {
        ReductionOp::Add => "add",
        ReductionOp::Mul => "mul",
        ReductionOp::Max => "maximum",
        ReductionOp::Min => "minimum",
        ReductionOp::And => "logical and",
        ReductionOp::Or => "logical or",
        ReductionOp::Eqv => "logical eqv",
        ReductionOp::Neqv => "logical neqv",
        ReductionOp::BitAnd => "bit and",
        ReductionOp::BitOr => "bit or",
        ReductionOp::BitXor => "bit xor",
    }
}
