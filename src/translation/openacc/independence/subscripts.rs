//! Comparison of subscripts in different iterations.

use super::Proof;
use crate::ast::{BinaryOp, UnaryOp};
use crate::sema::expression::dependence::{calls, same};
use crate::sema::expression::typed::{PARENT_COMPONENT, Subscript, TExpr, TExprKind};
use crate::sema::model::SymbolId;

/// `factor * index + sum of terms + constant`
#[derive(Clone, Default)]
struct Linear<'e> {
    factor: i128,
    constant: i128,
    /// Values that are the same in all iterations.
    terms: Vec<(i128, &'e TExpr)>,
}

/// A part of a designator.
enum Part<'e> {
    Component(usize),
    Subscripts(&'e [Subscript]),
}

impl Proof<'_> {
    /// The designators, of one variable, denote no common element in two different iterations.
    pub(super) fn apart(&self, a: &TExpr, b: &TExpr) -> bool {
        if self.leads_elsewhere(a) || self.leads_elsewhere(b) {
            return false;
        }
        let (a, b) = (parts(a), parts(b));
        for (x, y) in a.iter().zip(&b) {
            match (x, y) {
                (Part::Component(i), Part::Component(j)) => {
                    if [i, j].contains(&&PARENT_COMPONENT) {
                        return false;
                    }
                    if i != j {
                        return true;
                    }
                }
                (Part::Subscripts(s), Part::Subscripts(t)) => {
                    let mut pairs = s.iter().zip(t.iter());
                    if s.len() == t.len() && pairs.any(|(s, t)| self.separates(s, t)) {
                        return true;
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// Subscripts of one dimension that are never equal in two different iterations.
    fn separates(&self, s: &Subscript, t: &Subscript) -> bool {
        let (Subscript::Element(s), Subscript::Element(t)) = (s, t) else {
            return false;
        };
        let (Some(s), Some(t)) = (self.linear(s), self.linear(t)) else {
            return false;
        };
        if s.factor != t.factor || !same_terms(&s, &t) {
            return false;
        }
        let Some(distance) = s.constant.checked_sub(t.constant) else {
            return false;
        };
        match s.factor {
            0 => distance != 0,
            k => distance == 0 || distance.checked_rem(k).is_some_and(|r| r != 0),
        }
    }

    fn linear<'e>(&self, e: &'e TExpr) -> Option<Linear<'e>> {
        if let Some(constant) = e.as_integer() {
            return Some(Linear {
                constant,
                ..Linear::default()
            });
        }
        match &e.kind {
            TExprKind::Paren(x) => self.linear(x),
            TExprKind::Variable(s) if *s == self.index => Some(Linear {
                factor: 1,
                ..Linear::default()
            }),
            TExprKind::Unary {
                op: UnaryOp::Minus,
                operand,
            } => self.linear(operand)?.times(-1),
            TExprKind::Unary {
                op: UnaryOp::Plus,
                operand,
            } => self.linear(operand),
            TExprKind::Binary {
                op: op @ (BinaryOp::Add | BinaryOp::Sub),
                lhs,
                rhs,
            } => {
                let right = self.linear(rhs)?;
                let right = match op {
                    BinaryOp::Sub => right.times(-1)?,
                    _ => right,
                };
                self.linear(lhs)?.plus(right)
            }
            TExprKind::Binary {
                op: BinaryOp::Mul,
                lhs,
                rhs,
            } if lhs.as_integer().is_some() => self.linear(rhs)?.times(lhs.as_integer()?),
            TExprKind::Binary {
                op: BinaryOp::Mul,
                lhs,
                rhs,
            } if rhs.as_integer().is_some() => self.linear(lhs)?.times(rhs.as_integer()?),
            _ if self.is_invariant(e) => Some(Linear {
                terms: vec![(1, e)],
                ..Linear::default()
            }),
            _ => None,
        }
    }

    /// The expression has the same value in all iterations.
    fn is_invariant(&self, e: &TExpr) -> bool {
        let varies =
            |s: SymbolId| s == self.index || self.accesses.varying.contains(&s) || self.is_own(s);
        !calls(e)
            && !e.any(&mut |x| match &x.kind {
                TExprKind::Variable(s) => varies(*s) || !self.is_plain(*s),
                TExprKind::StatementFunctionCall { .. }
                | TExprKind::ImpliedDo { .. }
                | TExprKind::Unknown => true,
                TExprKind::Component { .. } => self.leads_elsewhere(x),
                _ => false,
            })
    }

    /// A variable that nothing but its own name changes in the loop.
    fn is_plain(&self, s: SymbolId) -> bool {
        use crate::sema::model::VarAttrs;
        let a = self.attributes(s);
        let shared = [
            VarAttrs::POINTER,
            VarAttrs::TARGET,
            VarAttrs::VOLATILE,
            VarAttrs::IN_EQUIVALENCE,
            VarAttrs::CRAY_POINTEE,
        ];
        self.model[s].kind.is_data()
            && self.model.stands_for(s).count() == 1
            && !shared.iter().any(|x| a.has(*x))
    }
}

impl<'e> Linear<'e> {
    fn times(mut self, k: i128) -> Option<Linear<'e>> {
        self.factor = self.factor.checked_mul(k)?;
        self.constant = self.constant.checked_mul(k)?;
        for t in &mut self.terms {
            t.0 = t.0.checked_mul(k)?;
        }
        Some(self)
    }

    fn plus(mut self, other: Linear<'e>) -> Option<Linear<'e>> {
        self.factor = self.factor.checked_add(other.factor)?;
        self.constant = self.constant.checked_add(other.constant)?;
        for (k, e) in other.terms {
            match self.terms.iter_mut().find(|(_, own)| same(own, e)) {
                Some(own) => own.0 = own.0.checked_add(k)?,
                None => self.terms.push((k, e)),
            }
        }
        self.terms.retain(|(k, _)| *k != 0);
        Some(self)
    }
}

fn same_terms(a: &Linear<'_>, b: &Linear<'_>) -> bool {
    let holds = |(k, e): &(i128, &TExpr)| b.terms.iter().any(|(n, x)| n == k && same(x, e));
    a.terms.len() == b.terms.len() && a.terms.iter().all(holds)
}

/// The components and subscripts of a designator, from its variable on.
fn parts(e: &TExpr) -> Vec<Part<'_>> {
    let mut out = Vec::new();
    let mut at = Some(e);
    while let Some(x) = at {
        match &x.kind {
            TExprKind::Component { index, .. } => out.push(Part::Component(*index)),
            TExprKind::Index { subs, .. } => out.push(Part::Subscripts(subs)),
            _ => {}
        }
        at = x.base();
    }
    out.reverse();
    out
}
