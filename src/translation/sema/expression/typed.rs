//! Typed expressions: an [`ast::Expr`] after name lookup, generic resolution and typing.
//!
//! `Model::expr(scope, &ast::Expr)` makes them on demand; they borrow nothing, and keep the span of the text.
//! Array-valued expressions stay whole here; the lowering turns them into loops.

use crate::ast::{BinaryOp, Span, UnaryOp};
use crate::intrinsics::Intrinsic;
use crate::sema::model::{Constant, ProcedureTarget, SymbolId, Type, TypeId};

/// An expression with its type, rank and value where constant.
#[derive(Clone, Debug)]
pub struct TExpr {
    pub kind: TExprKind,
    pub ty: Type,
    /// 0 for a scalar; -1 if it cannot be known (assumed rank).
    pub rank: i8,
    /// Folded value, where there is one.
    pub value: Option<Constant>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TExprKind {
    /// The value is in `TExpr::value` (literal, named constant folded or inquiry folded).
    /// `symbol` is the named constant, if it was written by name.
    Constant {
        symbol: Option<SymbolId>,
    },
    /// A variable, named array constant or function result as a whole.
    Variable(SymbolId),
    /// Element, section or vector-subscripted section of an array.
    Index {
        base: Box<TExpr>,
        subs: Vec<Subscript>,
    },
    Substring {
        base: Box<TExpr>,
        lo: Option<Box<TExpr>>,
        hi: Option<Box<TExpr>>,
    },
    /// Component by position among all components of the (extended) type; parents' components first.
    /// The parent component of an extended type has `index` `PARENT_COMPONENT` and `name` the parent type's.
    Component {
        base: Box<TExpr>,
        of: TypeId,
        index: usize,
        name: String,
    },
    /// `%re`, `%im` of a complex value.
    ComplexPart {
        base: Box<TExpr>,
        imaginary: bool,
    },
    Unary {
        op: UnaryOp,
        operand: Box<TExpr>,
    },
    /// Operands keep their own types; the conversion to the common type is implied by the language.
    Binary {
        op: BinaryOp,
        lhs: Box<TExpr>,
        rhs: Box<TExpr>,
    },
    Paren(Box<TExpr>),
    /// Reference of a user's function; actuals in dummy order, None where absent.
    Call {
        procedure: SymbolId,
        target: ProcedureTarget,
        args: Vec<Option<TExpr>>,
        generic: Option<SymbolId>,
    },
    /// Type-bound call with its passed object already in `args`; `dynamic` if it dispatches at run time.
    BoundCall {
        /// The type that the object has in the source and the place of the binding's name; None for operations.
        binding: Option<(TypeId, Span)>,
        procedure: SymbolId,
        args: Vec<Option<TExpr>>,
        dynamic: bool,
    },
    StatementFunctionCall {
        function: SymbolId,
        args: Vec<TExpr>,
    },
    /// Intrinsic function (`sin` for `dsin`, too), args in the order of its dummies.
    Intrinsic {
        intrinsic: Intrinsic,
        args: Vec<Option<TExpr>>,
    },
    /// Function of module cudafor / cudadevice / another runtime module, by folded name.
    Runtime {
        module: String,
        name: String,
        args: Vec<(Option<String>, TExpr)>,
    },
    /// Structure constructor: components in order of the type, None = default.
    Structure {
        of: TypeId,
        args: Vec<Option<TExpr>>,
    },
    ArrayConstructor {
        items: Vec<TExpr>,
    },
    /// `var` is a symbol made for this implied do.
    ImpliedDo {
        items: Vec<TExpr>,
        var: SymbolId,
        from: Box<TExpr>,
        to: Box<TExpr>,
        step: Option<Box<TExpr>>,
    },
    /// A procedure name as an actual argument.
    ProcedureName(SymbolId),
    /// `threadIdx%x` and the like (device code): the variable and its component 0, 1, 2.
    Builtin {
        var: BuiltinVar,
        component: Option<u8>,
    },
    /// `*` as an actual or launch dimension; `null()`.
    Star,
    Null,
    /// Could not be typed (unknown module's entity or already diagnosed).
    Unknown,
}

/// See [`TExprKind::Component`].
pub const PARENT_COMPONENT: usize = usize::MAX;

/// Predefined variables of device code (guide 2.6.3 / table).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltinVar {
    ThreadIdx,
    BlockIdx,
    BlockDim,
    GridDim,
    WarpSize,
}

impl BuiltinVar {
    /// By its folded name (guide 2.8).
    pub fn named(name: &str) -> Option<BuiltinVar> {
        Some(match name {
            "threadidx" => BuiltinVar::ThreadIdx,
            "blockidx" => BuiltinVar::BlockIdx,
            "blockdim" => BuiltinVar::BlockDim,
            "griddim" => BuiltinVar::GridDim,
            "warpsize" => BuiltinVar::WarpSize,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug)]
pub enum Subscript {
    Element(TExpr),
    Range {
        lo: Option<TExpr>,
        hi: Option<TExpr>,
        step: Option<TExpr>,
    },
    /// A rank-1 integer array as subscript.
    Vector(TExpr),
}

impl TExpr {
    /// Calls `f` on the expression and everything inside it, outermost first.
    pub fn walk<'e>(&'e self, f: &mut dyn FnMut(&'e TExpr)) {
        f(self);
        self.for_each_child(&mut |c| c.walk(f));
    }

    /// Some part of the expression, or itself, satisfies `f`.
    pub fn any(&self, f: &mut dyn FnMut(&TExpr) -> bool) -> bool {
        if f(self) {
            return true;
        }
        let mut found = false;
        self.for_each_child(&mut |c| found = found || c.any(f));
        found
    }

    /// Calls `f` on the direct subexpressions.
    pub fn for_each_child<'e>(&'e self, f: &mut dyn FnMut(&'e TExpr)) {
        match &self.kind {
            TExprKind::Index { base, subs } => {
                f(base);
                for s in subs {
                    match s {
                        Subscript::Element(x) | Subscript::Vector(x) => f(x),
                        Subscript::Range { lo, hi, step } => {
                            [lo, hi, step].into_iter().flatten().for_each(&mut *f)
                        }
                    }
                }
            }
            TExprKind::Substring { base, lo, hi } => {
                f(base);
                for x in [lo, hi].into_iter().flatten() {
                    f(x);
                }
            }
            TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => f(base),
            TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => f(operand),
            TExprKind::Binary { lhs, rhs, .. } => {
                f(lhs);
                f(rhs);
            }
            TExprKind::Call { args, .. }
            | TExprKind::BoundCall { args, .. }
            | TExprKind::Intrinsic { args, .. }
            | TExprKind::Structure { args, .. } => args.iter().flatten().for_each(f),
            TExprKind::StatementFunctionCall { args, .. } => args.iter().for_each(f),
            TExprKind::Runtime { args, .. } => args.iter().for_each(|(_, a)| f(a)),
            TExprKind::ArrayConstructor { items } => items.iter().for_each(f),
            TExprKind::ImpliedDo {
                items,
                from,
                to,
                step,
                ..
            } => {
                items.iter().for_each(&mut *f);
                f(from);
                f(to);
                if let Some(s) = step {
                    f(s);
                }
            }
            _ => {}
        }
    }

    /// The variable a designator is a part of (`a` of `a(i)%b`), None for values.
    pub fn root(&self) -> Option<SymbolId> {
        match &self.kind {
            TExprKind::Variable(s) => Some(*s),
            _ => self.base().and_then(TExpr::root),
        }
    }

    /// What this is a part of: `a(i)` of `a(i)%b`, `a` of `a(i)`.
    pub fn base(&self) -> Option<&TExpr> {
        match &self.kind {
            TExprKind::Index { base, .. }
            | TExprKind::Substring { base, .. }
            | TExprKind::Component { base, .. }
            | TExprKind::ComplexPart { base, .. } => Some(base),
            _ => None,
        }
    }

    /// It denotes storage (may stand left of `=` or be passed by reference).
    pub fn is_designator(&self) -> bool {
        self.root().is_some()
    }

    /// The expression inside of all parentheses around it.
    pub fn unparenthesised(&self) -> &TExpr {
        match &self.kind {
            TExprKind::Paren(inner) => inner.unparenthesised(),
            _ => self,
        }
    }

    /// The value of a condition, if its constants decide it.
    pub fn as_condition(&self) -> Option<bool> {
        if let Some(Constant::Logical(b, _)) = self.value {
            return Some(b);
        }
        match &self.kind {
            TExprKind::Paren(x) => x.as_condition(),
            TExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => operand.as_condition().map(|b| !b),
            TExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                lhs,
                rhs,
            } => {
                let decisive = Some(*op == BinaryOp::Or);
                match (lhs.as_condition(), rhs.as_condition()) {
                    (a, b) if a == decisive || b == decisive => decisive,
                    (Some(_), Some(b)) => Some(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub fn as_integer(&self) -> Option<i128> {
        match self.value {
            Some(Constant::Integer(v, _)) => Some(v),
            _ => None,
        }
    }
}

/// What an array constructor without a type of its own has whose elements are numbers of several types or kinds: the type of the first
/// if all others convert to it by the rules of arithmetic, so that it is the type by either reading, else an element that does not.
/// None if the types are the same.
pub fn mixed_numbers(items: &[TExpr]) -> Option<Result<&Type, &TExpr>> {
    let number = |t: &Type| match t {
        Type::Integer(k) => Some((0, *k)),
        Type::Real(k) if *k != 2 => Some((1, *k)),
        Type::Complex(k) => Some((2, *k)),
        _ => None,
    };
    let first = &items.first()?.ty;
    let (class, kind) = number(first)?;
    let mut others = items.iter().filter(|i| i.ty != *first);
    let mixed = others.clone().any(|i| number(&i.ty).is_some());
    let unfit = others.find(|i| {
        number(&i.ty).is_some_and(|(c, k)| c > class || k > kind && (c == class || c > 0))
    });
    mixed.then(|| unfit.map_or(Ok(first), Err))
}
