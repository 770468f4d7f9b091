//! What is known of conditions on a path through an iteration.

use std::rc::Rc;

use crate::ast::{BinaryOp as B, UnaryOp};
use crate::lower::cufloop::reduce::same_value;
use crate::lower::cufloop::scan::Scan;
use crate::sema::expression::typed::*;
use crate::sema::model::Constant;

/// How two values may be related: a set of less, equal and greater.
pub type Relation = u8;

pub const LESS: Relation = 1;
pub const EQUAL: Relation = 2;
pub const GREATER: Relation = 4;
const ANY: Relation = LESS | EQUAL | GREATER;

#[derive(Clone, Debug)]
enum Fact {
    /// A logical value.
    Truth(Rc<TExpr>, bool),
    /// Two numbers.
    Related(Rc<TExpr>, Rc<TExpr>, Relation),
}

/// Conditions whose value is known.
#[derive(Clone, Debug, Default)]
pub struct Facts(Vec<Fact>);

impl Facts {
    /// The value of a condition, if it is known.
    pub fn known(&self, condition: &TExpr) -> Option<bool> {
        let c = condition.unparenthesised();
        if let Some(Constant::Logical(b, _)) = c.value {
            return Some(b);
        }
        match &c.kind {
            TExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => self.known(operand).map(|b| !b),
            TExprKind::Binary { op, lhs, rhs } => {
                let both = || (self.known(lhs), self.known(rhs));
                match op {
                    B::And => match both() {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => self.truth(c),
                    },
                    B::Or => match both() {
                        (Some(true), _) | (_, Some(true)) => Some(true),
                        (Some(false), Some(false)) => Some(false),
                        _ => self.truth(c),
                    },
                    _ => {
                        let wanted = relation(*op)?;
                        let possible = self.related(lhs, rhs);
                        match (possible & wanted, possible & !wanted) {
                            (_, 0) => Some(true),
                            (0, _) => Some(false),
                            _ => None,
                        }
                    }
                }
            }
            _ => self.truth(c),
        }
    }

    /// The value that a condition as a whole is known to have.
    fn truth(&self, c: &TExpr) -> Option<bool> {
        self.0.iter().find_map(|f| match f {
            Fact::Truth(e, b) if same_value(e, c) => Some(*b),
            _ => None,
        })
    }

    /// How two values may be related.
    fn related(&self, a: &TExpr, b: &TExpr) -> Relation {
        if let (Some(x), Some(y)) = (a.as_integer(), b.as_integer()) {
            return of_numbers(x, y);
        }
        let mut possible = ANY;
        for f in &self.0 {
            let Fact::Related(x, y, r) = f else { continue };
            if same_value(a, x) && same_value(b, y) {
                possible &= r;
            } else if same_value(a, y) && same_value(b, x) {
                possible &= turned(*r);
            } else if *r == EQUAL
                && same_value(a, x)
                && let (Some(v), Some(w)) = (y.as_integer(), b.as_integer())
            {
                possible &= of_numbers(v, w);
            } else if *r == EQUAL
                && same_value(b, x)
                && let (Some(v), Some(w)) = (a.as_integer(), y.as_integer())
            {
                possible &= of_numbers(v, w);
            }
        }
        possible
    }

    /// Takes the condition to have the value.
    pub fn assume(&mut self, condition: &TExpr, value: bool) {
        let c = condition.unparenthesised();
        match &c.kind {
            TExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => self.assume(operand, !value),
            TExprKind::Binary { op, lhs, rhs } => match (op, value) {
                (B::And, true) | (B::Or, false) => {
                    self.assume(lhs, value);
                    self.assume(rhs, value);
                }
                (B::And | B::Or, _) => match (self.known(lhs), self.known(rhs)) {
                    // The other part decides.
                    (Some(k), None) if k != value => self.assume(rhs, value),
                    (None, Some(k)) if k != value => self.assume(lhs, value),
                    _ if is_pure(c) => self.0.push(Fact::Truth(Rc::new(c.clone()), value)),
                    _ => {}
                },
                _ => {
                    if let Some(r) = relation(*op) {
                        let r = if value { r } else { ANY & !r };
                        self.relate(lhs, rhs, r);
                    }
                }
            },
            _ if is_pure(c) => self.0.push(Fact::Truth(Rc::new(c.clone()), value)),
            _ => {}
        }
    }

    /// Takes two values to be related.
    pub fn relate(&mut self, a: &TExpr, b: &TExpr, r: Relation) {
        if is_pure(a) && is_pure(b) {
            let values = (Rc::new(a.clone()), Rc::new(b.clone()));
            self.0.push(Fact::Related(values.0, values.1, r));
        }
    }

    /// The variable gets the value.
    pub fn assign(&mut self, variable: &TExpr, value: &TExpr) {
        match value.value {
            Some(Constant::Logical(b, _)) => self.assume(variable, b),
            Some(Constant::Integer(..)) => self.relate(variable, value, EQUAL),
            _ => {}
        }
    }

    /// Forgets what a change of the place makes uncertain.
    pub fn changed(&mut self, at: Scan<'_>, place: &TExpr) {
        if self.0.is_empty() {
            return;
        }
        self.0.retain(|f| match f {
            Fact::Truth(e, _) => !at.mentions(place, e),
            Fact::Related(a, b, _) => !at.mentions(place, a) && !at.mentions(place, b),
        });
    }

    /// Forgets what is known of data that is not a plain scalar.
    pub fn memory_changed(&mut self, is_memory: &dyn Fn(&TExpr) -> bool) {
        self.0.retain(|f| match f {
            Fact::Truth(e, _) => !is_memory(e),
            Fact::Related(a, b, _) => !is_memory(a) && !is_memory(b),
        });
    }

    pub fn how_many(&self) -> usize {
        self.0.len()
    }

    pub fn forget_all(&mut self) {
        self.0.clear();
    }

    /// Keeps what is known on both paths.
    pub fn keep_common(&mut self, other: &Facts) {
        let old = std::mem::take(&mut self.0);
        for f in old {
            match &f {
                Fact::Truth(e, b) => {
                    let holds = other.0.iter().any(
                        |o| matches!(o, Fact::Truth(x, v) if v == b && (Rc::ptr_eq(x, e) || same_value(x, e))),
                    );
                    if holds {
                        self.0.push(f);
                    }
                }
                Fact::Related(a, b, r) => {
                    let r = r | other.related(a, b);
                    if r != ANY {
                        self.0.push(Fact::Related(a.clone(), b.clone(), r));
                    }
                }
            }
        }
    }
}

fn of_numbers(x: i128, y: i128) -> Relation {
    match x.cmp(&y) {
        std::cmp::Ordering::Less => LESS,
        std::cmp::Ordering::Equal => EQUAL,
        std::cmp::Ordering::Greater => GREATER,
    }
}

fn turned(r: Relation) -> Relation {
    (r & EQUAL) | if r & LESS > 0 { GREATER } else { 0 } | if r & GREATER > 0 { LESS } else { 0 }
}

/// The relations for which a comparison is true.
fn relation(op: B) -> Option<Relation> {
    Some(match op {
        B::Eq => EQUAL,
        B::Ne => LESS | GREATER,
        B::Lt => LESS,
        B::Le => LESS | EQUAL,
        B::Gt => GREATER,
        B::Ge => GREATER | EQUAL,
        _ => return None,
    })
}

/// The value is the same as long as the variables in it are.
fn is_pure(e: &TExpr) -> bool {
    !e.any(&mut |x| {
        matches!(
            x.kind,
            TExprKind::Call { .. }
                | TExprKind::BoundCall { .. }
                | TExprKind::Runtime { .. }
                | TExprKind::StatementFunctionCall { .. }
                | TExprKind::Unknown
        )
    })
}
