//! Kernels that ask first whether their thread has anything to do, and end if not: the question and what follows it as functions of their own.
//! The cpu target asks where a row of threads begins and ends, and runs those between without asking each.

use std::collections::BTreeMap;

use crate::ir::function::Facts;
use crate::ir::*;

/// The two functions, with the kernel's parameters. None: it does not ask so, or the threads along x that have something to do need not be neighbours.
pub fn split(space: &Namespace, kernel: &Proc) -> Option<Guarded> {
    let mut reader = Reader::new(space, kernel);
    let end = kernel.body.iter().rposition(|s| !is_nothing(s))?;
    let mut rest = Vec::new();
    for (n, s) in kernel.body.iter().take(end + 1).enumerate() {
        if let StmtKind::If {
            branches,
            otherwise: None,
        } = &s.kind
            && let [(condition, body)] = &branches[..]
        {
            let pure = is_pure(condition);
            if pure && is_return(body) {
                if !reader.ask(condition, true) {
                    rest.push(s.clone());
                }
            } else if pure && n == end && reader.ask(condition, false) {
                rest.extend(body.iter().cloned());
            } else {
                rest.extend(kernel.body.iter().skip(n).cloned());
                break;
            }
        } else if reader.before(s) {
            rest.push(s.clone());
        } else {
            rest.extend(kernel.body.iter().skip(n).cloned());
            break;
        }
    }
    reader.finish(kernel, rest)
}

/// How a number goes with that of the thread along x, of threads side by side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    /// The same for all.
    Same,
    /// By one more for each, from and up to these.
    Rising(i128, i128),
    Unknown,
}

/// Numbers of threads along x, and of the first ones of blocks: what `cpu/plain.hpp` grants.
const THREADS: i128 = 1 << 16;
const FIRST: i128 = 1 << 30;

struct Reader<'a> {
    space: &'a Namespace,
    /// What is known of numbers and truth values by their names; parameters at first.
    names: BTreeMap<&'a str, Along>,
    /// Arrays whose bounds may be asked for.
    arrays: Vec<&'a str>,
    /// Statements that the conditions need.
    needed: Vec<Stmt>,
    conditions: Vec<Expr>,
}

impl<'a> Reader<'a> {
    fn new(space: &'a Namespace, kernel: &'a Proc) -> Reader<'a> {
        let scalars = kernel.params.iter().filter(|p| is_number(&p.ty));
        Reader {
            space,
            names: scalars.map(|p| (p.name.as_str(), Along::Same)).collect(),
            arrays: Vec::new(),
            needed: Vec::new(),
            conditions: Vec::new(),
        }
    }

    fn finish(self, kernel: &Proc, rest: Vec<Stmt>) -> Option<Guarded> {
        let all = (self.conditions.into_iter())
            .reduce(|a, b| Expr::binary(BinaryOp::And, a, b, Type::Bool))?;
        let mut asks = self.needed;
        asks.push(StmtKind::Return(Some(all)).into());
        let function = |result: Type, body: Vec<Stmt>| Proc {
            c_name: None,
            result,
            body: body.into_iter().map(without_notes).collect(),
            remarks: Vec::new(),
            ..kernel.clone()
        };
        Some(Guarded {
            inside: function(Type::Bool, asks),
            body: function(Type::Void, rest),
        })
    }

    /// A statement before the question: false if more than a value is made there.
    fn before(&mut self, s: &'a Stmt) -> bool {
        let mut pure = true;
        s.own_exprs(&mut |e| pure &= is_pure(e));
        if !pure {
            return false;
        }
        match &s.kind {
            StmtKind::Empty => true,
            StmtKind::Declare(d) => self.declare(s, d),
            StmtKind::Assign { lhs, rhs } => match lhs.local() {
                // What has been asked was asked of the value before.
                Some(name) if self.names.contains_key(name) && self.conditions.is_empty() => {
                    let along = self.along(rhs);
                    self.names.insert(name, along);
                    self.needed.push(s.clone());
                    along != Along::Unknown
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn declare(&mut self, s: &'a Stmt, d: &'a Declare) -> bool {
        if matches!(d.qualifier, Qualifier::Shared | Qualifier::SharedTile) {
            return false;
        }
        let array = super::barrier_free::is_bounds(&d.ty);
        let number = is_number(&d.ty);
        let other = matches!(
            d.ty.plain(),
            Type::Real(_) | Type::Fixed { .. } | Type::Logical(_)
        );
        for n in &d.names {
            match &n.init {
                Init::Value(e) if number => {
                    let along = self.along(e);
                    self.names.insert(&n.name, along);
                    if along == Along::Unknown {
                        return d.names.len() == 1;
                    }
                }
                Init::None if number => {
                    self.names.insert(&n.name, Along::Unknown);
                }
                Init::Args(_) if array => self.arrays.push(&n.name),
                Init::None | Init::Value(_) if other => {}
                _ => return false,
            }
        }
        if number || array {
            self.needed.push(s.clone());
        }
        true
    }

    /// Takes a condition (or its opposite) with its parts that hold for neighbours; false if some do not.
    fn ask(&mut self, condition: &Expr, opposite: bool) -> bool {
        let mut parts = Vec::new();
        conjunction(condition, opposite, &mut parts);
        let count = parts.len();
        parts.retain(|p| self.is_interval(p));
        let all = parts.len() == count;
        self.conditions.extend(parts);
        all
    }

    /// The threads along x for which it holds are neighbours.
    fn is_interval(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Binary {
                op: BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq,
                lhs,
                rhs,
            } if is_number(&lhs.ty) && is_number(&rhs.ty) => {
                // A negative number is none beside one without sign.
                let signed = |from: i128, other: &Expr| {
                    from >= 0 || matches!(other.ty.plain(), Type::Int(_))
                };
                match (self.along(lhs), self.along(rhs)) {
                    (Along::Same, Along::Same) => true,
                    (Along::Rising(from, _), Along::Same) => signed(from, rhs),
                    (Along::Same, Along::Rising(from, _)) => signed(from, lhs),
                    _ => false,
                }
            }
            _ => self.along(e) == Along::Same,
        }
    }

    fn along(&self, e: &Expr) -> Along {
        let both =
            |a: &Expr, b: &Expr| self.along(a) == Along::Same && self.along(b) == Along::Same;
        let same = |yes: bool| if yes { Along::Same } else { Along::Unknown };
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::WarpSize => Along::Same,
            ExprKind::Builtin(Builtin::ThreadIdx, Axis::X) => Along::Rising(0, THREADS),
            ExprKind::Builtin(..) => Along::Same,
            ExprKind::Name(name) if is_number(&e.ty) => {
                let known = match &name.space {
                    Namespaces::Local => self.names.get(name.name.as_str()).copied(),
                    Namespaces::Unit(u) if *u == self.space.name => None,
                    Namespaces::Unit(_) => return Along::Unknown,
                };
                known.unwrap_or_else(|| same(self.is_constant(&name.name)))
            }
            ExprKind::Convert(inner) if is_number(&inner.ty) && is_number(&e.ty) => {
                self.along(inner).within(&e.ty)
            }
            ExprKind::Unary { operand, .. } => same(is_number(&e.ty) && both(operand, operand)),
            ExprKind::Binary { op, lhs, rhs } => match op {
                BinaryOp::Add | BinaryOp::Sub if !both(lhs, rhs) => {
                    let sum = match (self.along(lhs), self.along(rhs)) {
                        (Along::Rising(from, to), _) => addend(rhs).map(|(lo, hi)| match op {
                            BinaryOp::Add => (from + lo, to + hi),
                            _ => (from - hi, to - lo),
                        }),
                        (_, Along::Rising(from, to)) if *op == BinaryOp::Add => {
                            addend(lhs).map(|(lo, hi)| (from + lo, to + hi))
                        }
                        _ => None,
                    };
                    sum.map_or(Along::Unknown, |(from, to)| {
                        Along::Rising(from, to).within(&e.ty)
                    })
                }
                BinaryOp::Div | BinaryOp::Rem => {
                    same(rhs.as_int().is_some_and(|v| v > 0) && both(lhs, rhs))
                }
                BinaryOp::Shl | BinaryOp::Shr => Along::Unknown,
                _ => same(is_number(&lhs.ty) && is_number(&rhs.ty) && both(lhs, rhs)),
            },
            ExprKind::Method { base, name, args } => {
                let asks = matches!(name, Method::Size | Method::Lbound | Method::Ubound);
                let of = base.local().is_some_and(|b| self.arrays.contains(&b));
                same(asks && of && args.iter().all(|a| both(a, a)))
            }
            _ => Along::Unknown,
        }
    }

    /// A named constant of the unit.
    fn is_constant(&self, name: &str) -> bool {
        let items = self.space.header.iter().chain(&self.space.source);
        items.into_iter().any(|i| {
            matches!(&i.kind, ItemKind::Constant { name: n, ty, .. } if n == name && is_number(ty))
        })
    }
}

impl Along {
    /// As a number of the type: what rises must fit into it.
    fn within(self, ty: &Type) -> Along {
        let Along::Rising(from, to) = self else {
            return self;
        };
        let (least, most) = match ty.plain() {
            Type::Int(bytes @ (4 | 8)) => {
                let most = (1_i128 << (8 * bytes - 1)) - 1;
                (-most, most)
            }
            Type::Uint => (0, i128::from(u32::MAX)),
            Type::Ulong => (0, i128::from(u64::MAX)),
            _ => return Along::Unknown,
        };
        match least <= from && to <= most {
            true => self,
            false => Along::Unknown,
        }
    }
}

/// What may be added to a number that rises, from and up to: a constant, the first thread of the block.
fn addend(e: &Expr) -> Option<(i128, i128)> {
    match &e.kind {
        ExprKind::Int(v) => Some((*v, *v)),
        ExprKind::Convert(inner) => {
            let (from, to) = addend(inner)?;
            match Along::Rising(from, to).within(&e.ty) {
                Along::Unknown => None,
                _ => Some((from, to)),
            }
        }
        _ => super::barrier_free::is_first_of_block(e).then_some((0, FIRST)),
    }
}

/// An integer or truth value of its own, not one of memory.
fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Const(inner) => is_number(inner),
        Type::Int(_) | Type::Uint | Type::Ulong | Type::Bool => true,
        _ => false,
    }
}

/// The parts that must all hold, of a condition or of its opposite.
fn conjunction(e: &Expr, opposite: bool, parts: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::Unary {
            op: UnaryOp::Not,
            operand,
        } => conjunction(operand, !opposite, parts),
        ExprKind::Binary { op, lhs, rhs }
            if *op
                == if opposite {
                    BinaryOp::Or
                } else {
                    BinaryOp::And
                } =>
        {
            conjunction(lhs, opposite, parts);
            conjunction(rhs, opposite, parts);
        }
        ExprKind::Binary { op, lhs, rhs }
            if opposite && is_number(&lhs.ty) && is_number(&rhs.ty) =>
        {
            use BinaryOp::*;
            let other = match op {
                Lt => Ge,
                Le => Gt,
                Gt => Le,
                Ge => Lt,
                Eq => Ne,
                Ne => Eq,
                _ => return parts.push(e.clone().not()),
            };
            parts.push(Expr::binary(
                other,
                (**lhs).clone(),
                (**rhs).clone(),
                Type::Bool,
            ));
        }
        _ if opposite => parts.push(e.clone().not()),
        _ => parts.push(e.clone()),
    }
}

/// Nothing but a value is made.
fn is_pure(e: &Expr) -> bool {
    let mut pure = true;
    e.walk(&mut |x| {
        pure &= match &x.kind {
            ExprKind::Call { callee, .. } => callee.facts().is_some_and(|f| {
                f == Facts {
                    range: f.range,
                    moves: f.moves,
                    ..Facts::VALUE
                }
            }),
            ExprKind::Method { name, .. } => {
                matches!(name, Method::Size | Method::Lbound | Method::Ubound)
            }
            ExprKind::Increment(_) | ExprKind::Bound { .. } => false,
            _ => true,
        }
    });
    pure
}

fn is_nothing(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Empty | StmtKind::Return(None))
}

fn is_return(body: &[Stmt]) -> bool {
    let mut all = body.iter().filter(|s| !matches!(s.kind, StmtKind::Empty));
    matches!(all.next(), Some(s) if matches!(s.kind, StmtKind::Return(None)))
        && all.next().is_none()
}

fn without_notes(mut s: Stmt) -> Stmt {
    s.notes = Notes::default();
    s.at = None;
    for b in s.blocks_mut() {
        *b = std::mem::take(b).into_iter().map(without_notes).collect();
    }
    s
}
