//! Expressions.

use super::{Name, Span, TypeSpec};

/// An expression and the bytes it covers.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Digits without kind suffix, and the suffix: `12_i8`.
    Integer {
        digits: String,
        kind: Option<Box<KindSuffix>>,
    },
    /// Mantissa and exponent as written (`1.5e3`, `2d0`), and the suffix.
    Real {
        text: String,
        kind: Option<Box<KindSuffix>>,
    },
    /// `(1.0, -2.0)` with constant parts (signed literals or named constants).
    Complex {
        re: Box<Expr>,
        im: Box<Expr>,
    },
    Logical {
        value: bool,
        kind: Option<Box<KindSuffix>>,
    },
    /// Content with doubled quotes reduced; line continuations removed.
    Character {
        value: String,
        kind: Option<Box<KindSuffix>>,
    },
    /// `z'ff'`, `b'01'`, `o'7'` (also `x'..'`): radix 16, 2 or 8, and the digits.
    Boz {
        radix: u32,
        digits: String,
    },
    Name(Name),
    /// `base(args)`: array element or section, function reference, structure constructor or substring.
    Ref {
        base: Box<Expr>,
        args: Vec<Arg>,
    },
    /// `base%name`
    Component {
        base: Box<Expr>,
        name: Name,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// User-defined operators, name without dots, folded.
    DefinedUnary {
        op: Box<Name>,
        operand: Box<Expr>,
    },
    DefinedBinary {
        op: Box<Name>,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `( e )`
    Paren(Box<Expr>),
    /// `[type :: items]` or `(/ /)`
    ArrayConstructor {
        type_spec: Option<Box<TypeSpec>>,
        items: Vec<Expr>,
    },
    /// `(items, var = from, to[, step])`
    ImpliedDo(Box<ImpliedDo>),
    /// `lo:hi:step` as a subscript or substring range.
    Slice {
        lo: Option<Box<Expr>>,
        hi: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
    },
    /// A bare `*`: assumed size, launch dimension, alternate return label target `*100` has its own label.
    Star {
        label: Option<u32>,
    },
    /// What the tree could not express (already diagnosed or passed through).
    Other,
}

/// Kind suffix of a literal: `_8` or `_wp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindSuffix {
    Number(u32),
    Name(Name),
}

/// `(items, var = from, to[, step])`
#[derive(Clone, Debug)]
pub struct ImpliedDo {
    pub items: Vec<Expr>,
    pub var: Name,
    pub from: Expr,
    pub to: Expr,
    pub step: Option<Expr>,
}

/// An actual argument or subscript, with its keyword.
#[derive(Clone, Debug)]
pub struct Arg {
    pub keyword: Option<Box<Name>>,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Concat,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Eqv,
    Neqv,
}

impl Expr {
    /// The constant 1, written nowhere.
    pub fn one() -> Expr {
        Expr {
            kind: ExprKind::Integer {
                digits: "1".to_owned(),
                kind: None,
            },
            span: Span::default(),
        }
    }

    /// The name, if the expression is nothing else.
    pub fn as_name(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Name(n) => Some(n),
            _ => None,
        }
    }

    /// The leftmost name of a designator: `a` of `a(i)%b(3:4)`.
    pub fn base_name(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Name(n) => Some(n),
            ExprKind::Ref { base, .. } | ExprKind::Component { base, .. } => base.base_name(),
            _ => None,
        }
    }

    /// Calls `f` on the direct subexpressions.
    pub fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Complex { re: a, im: b }
            | ExprKind::Binary { lhs: a, rhs: b, .. }
            | ExprKind::DefinedBinary { lhs: a, rhs: b, .. } => {
                f(a);
                f(b);
            }
            ExprKind::Ref { base, args } => {
                f(base);
                args.iter().for_each(|a| f(&a.value));
            }
            ExprKind::Component { base: e, .. }
            | ExprKind::Unary { operand: e, .. }
            | ExprKind::DefinedUnary { operand: e, .. }
            | ExprKind::Paren(e) => f(e),
            ExprKind::ArrayConstructor { items, .. } => items.iter().for_each(f),
            ExprKind::ImpliedDo(d) => {
                d.items.iter().for_each(&mut *f);
                f(&d.from);
                f(&d.to);
                if let Some(s) = &d.step {
                    f(s);
                }
            }
            ExprKind::Slice { lo, hi, step } => {
                for e in [lo, hi, step].into_iter().flatten() {
                    f(e);
                }
            }
            _ => {}
        }
    }
}
