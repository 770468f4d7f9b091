//! Expressions.

use super::ty::{reduction, ty};
use crate::ir::function::Home;
use crate::ir::{
    Axis, BinaryOp, Builtin, Callee, Expr, ExprKind, Ident, Namespaces, SectionSub, TemplateArg,
    Type, UnaryOp,
};

/// Items joined by commas.
pub(super) fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(", ")
}

pub(super) fn ident(i: &Ident) -> String {
    let Ident { space, name } = i;
    match space {
        Namespaces::Local => name.clone(),
        Namespaces::Unit(unit) => format!("{unit}::{name}"),
    }
}

/// An expression, with its type where its operands do not give that.
pub(super) fn expr(e: &Expr) -> String {
    let Expr { kind, ty: t, .. } = e;
    let text = text(kind, t);
    match is_typed(e) {
        true if is_operation(kind) => format!("({text}):{}", ty(t)),
        true => format!("{text}:{}", ty(t)),
        false => text,
    }
}

/// An expression in another one.
fn operand(e: &Expr) -> String {
    match is_operation(&e.kind) && !is_typed(e) {
        true => format!("({})", expr(e)),
        false => expr(e),
    }
}

/// Its type is printed after it.
fn is_typed(e: &Expr) -> bool {
    e.ty != Type::Void && implied(&e.kind).is_some_and(|t| t != e.ty)
}

fn is_operation(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Conditional { .. }
    )
}

fn text(kind: &ExprKind, t: &Type) -> String {
    match kind {
        ExprKind::Int(v) => v.to_string(),
        ExprKind::Bits(v) => format!("{v:#x}"),
        ExprKind::Real(v) => number(*v, t),
        ExprKind::Complex(re, im) => format!("<{}, {}>", number(*re, t), number(*im, t)),
        ExprKind::Bool(v) => v.to_string(),
        ExprKind::Str(s) => format!("{s:?}"),
        ExprKind::Name(name) => ident(name),
        ExprKind::Builtin(b, axis) => format!("{}.{}", builtin(*b), of_axis(*axis)),
        ExprKind::WarpSize => "warp size".to_owned(),
        ExprKind::MatrixOrder { row_major: true } => "by rows".to_owned(),
        ExprKind::MatrixOrder { row_major: false } => "by columns".to_owned(),
        ExprKind::Element { base, subs } => format!("{}[{}]", operand(base), joined(subs, expr)),
        ExprKind::Field { base, name } => format!("{}.{name}", operand(base)),
        ExprKind::Unary { op, operand: of } => format!("{}{}", unary(*op), operand(of)),
        ExprKind::Binary { op, lhs, rhs } => {
            format!("{} {} {}", operand(lhs), binary(*op), operand(rhs))
        }
        ExprKind::Convert(from) => format!("{}({})", ty(t), expr(from)),
        ExprKind::Call {
            callee,
            targs,
            args,
        } => {
            let targs = match &targs[..] {
                [] => String::new(),
                targs => format!("<{}>", joined(targs, targument)),
            };
            format!("{}{targs}({})", called(callee), joined(args, expr))
        }
        ExprKind::Method { base, name, args } => {
            let name = name.spelling();
            format!("{}->{name}({})", operand(base), joined(args, expr))
        }
        ExprKind::Section { base, subs } => {
            format!("section {}[{}]", operand(base), joined(subs, subscript))
        }
        ExprKind::Bound { callee, args } => {
            format!("bound {}(..., {})", ident(callee), joined(args, expr))
        }
        ExprKind::Increment(of) => format!("increment({})", expr(of)),
        ExprKind::AddressOf(of) => format!("address({})", expr(of)),
        ExprKind::Deref(of) => format!("target({})", expr(of)),
        ExprKind::Conditional {
            cond,
            then,
            otherwise,
        } => {
            let (cond, then) = (operand(cond), operand(then));
            format!("{cond} ? {then} : {}", operand(otherwise))
        }
        ExprKind::Construct(values) => format!("{} {{{}}}", ty(t), joined(values, expr)),
        ExprKind::Object(args) => format!("object {}({})", ty(t), joined(args, expr)),
        ExprKind::List(values) => format!("{{{}}}", joined(values, expr)),
        ExprKind::Null => "no target".to_owned(),
    }
}

/// The shortest number that means the value in its type.
fn number(v: f64, t: &Type) -> String {
    match t {
        #[allow(clippy::cast_possible_truncation)]
        Type::Real(4) | Type::Complex(4) => format!("{:?}", v as f32),
        _ => format!("{v:?}"),
    }
}

/// The type that a reader expects; None if it is declared elsewhere or printed already.
fn implied(kind: &ExprKind) -> Option<Type> {
    Some(match kind {
        ExprKind::Int(_) | ExprKind::WarpSize | ExprKind::Method { .. } => Type::Int(4),
        ExprKind::Bits(_) | ExprKind::Builtin(..) => Type::Uint,
        ExprKind::Real(_) => Type::Real(4),
        ExprKind::Complex(..) => Type::Complex(4),
        ExprKind::Bool(_) => Type::Bool,
        ExprKind::Str(s) => Type::Character(s.chars().count() as i64),
        ExprKind::Element { base, .. } => base.ty.element().clone(),
        ExprKind::Unary { operand, .. } => operand.ty.plain().clone(),
        ExprKind::Binary { op, lhs, .. } => match op {
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::And
            | BinaryOp::Or => Type::Bool,
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr => lhs.ty.plain().clone(),
        },
        ExprKind::Call { args, .. } => match args.first() {
            Some(first) => first.ty.plain().clone(),
            None => Type::Void,
        },
        // Always printed.
        ExprKind::Section { .. } => Type::Unknown,
        ExprKind::Conditional { then, .. } => then.ty.plain().clone(),
        ExprKind::Name(_)
        | ExprKind::MatrixOrder { .. }
        | ExprKind::Field { .. }
        | ExprKind::Convert(_)
        | ExprKind::Bound { .. }
        | ExprKind::Increment(_)
        | ExprKind::AddressOf(_)
        | ExprKind::Deref(_)
        | ExprKind::Construct(_)
        | ExprKind::Object(_)
        | ExprKind::List(_)
        | ExprKind::Null => return None,
    })
}

fn called(callee: &Callee) -> String {
    match callee {
        Callee::Function(f) => {
            let (home, name) = f.spelling();
            let home = match home {
                Home::Cuf => "cuf",
                Home::Cuda => "cuda",
                Home::Wmma => "wmma",
            };
            format!("{home}.{name}")
        }
        Callee::Intrinsic(i) => format!("intrinsic.{i}"),
        Callee::Math(name) => format!("math.{name}"),
        Callee::Procedure(name) => ident(name),
        Callee::Dummy(name) => format!("dummy {name}"),
        Callee::External(name) => format!("external {name}"),
        Callee::Identity(op) => format!("identity of {}", reduction(*op)),
    }
}

fn targument(a: &TemplateArg) -> String {
    match a {
        TemplateArg::Type(t) => ty(t),
        TemplateArg::Int(v) => v.to_string(),
        TemplateArg::Operation(op) => reduction(*op).to_owned(),
    }
}

fn subscript(s: &SectionSub) -> String {
    match s {
        SectionSub::Index(e) => expr(e),
        SectionSub::All => ":".to_owned(),
        SectionSub::Slice { lo, hi, step } => {
            let step = step
                .as_ref()
                .map_or(String::new(), |s| format!(":{}", expr(s)));
            format!("{}:{}{step}", expr(lo), expr(hi))
        }
    }
}

fn builtin(b: Builtin) -> &'static str {
    match b {
        Builtin::ThreadIdx => "threadIdx",
        Builtin::BlockIdx => "blockIdx",
        Builtin::BlockDim => "blockDim",
        Builtin::GridDim => "gridDim",
    }
}

fn of_axis(a: Axis) -> &'static str {
    match a {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "-",
        UnaryOp::Plus => "+",
        UnaryOp::Not => "!",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "/=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::BitAnd => "bitand",
        BinaryOp::BitOr => "bitor",
        BinaryOp::BitXor => "bitxor",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
    }
}
