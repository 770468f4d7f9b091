//! The statements of `atomic`.

use super::super::directive::AtomicKind;
use super::super::regions::Region;
use super::checker::Checker;
use crate::ast::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};
use crate::intrinsics::{Bits, Choice, Intrinsic};
use crate::sema::expression::typed::TExprKind;
use crate::sema::model::Type;

/// Code of statements that are not atomic operations.
const ATOMIC: &str = "CUF0523";

impl Checker<'_> {
    pub(super) fn atomic(&mut self, r: &Region<'_>, kind: AtomicKind) {
        let statements = r.body.statements();
        let valid = match (kind, statements) {
            (AtomicKind::Read, [s]) => self.is_read(s),
            (AtomicKind::Write, [s]) => self.is_write(s).is_some(),
            (AtomicKind::Update, [s]) => self.is_update(s).is_some(),
            (AtomicKind::Capture, [a, b]) => self.is_capture(a, b),
            _ => false,
        };
        if valid {
            if kind == AtomicKind::Capture && r.end.is_none() {
                let message = "`atomic capture` is not closed\nhelp: add `!$acc end atomic` after the two statements";
                self.report(ATOMIC, r.directive.span, message);
            }
            return;
        }
        let (name, form) = match kind {
            AtomicKind::Read => ("atomic read", "`v = x`"),
            AtomicKind::Write => ("atomic write", "`x = e`, where `e` does not use `x`"),
            AtomicKind::Update => (
                "atomic update",
                "`x = x + e`, `x = e + x`, or `x = max(x, e)`, with an arithmetic or logical operator or one of `max`, \
                 `min`, `iand`, `ior`, `ieor`, where `e` does not use `x`",
            ),
            AtomicKind::Capture => (
                "atomic capture",
                "two statements: an update or assignment of `x` and `v = x`",
            ),
        };
        let (span, what) = match statements.first() {
            Some(s) => (s.span, "statement after"),
            None => (r.directive.span, "no statement follows"),
        };
        let headline = match statements.is_empty() {
            true => format!("{what} `{name}`"),
            false => format!("{what} `{name}` is not an atomic operation"),
        };
        let message = format!(
            "{headline}\nnote: the form is {form}; `x` is a scalar of intrinsic type (OpenACC 2.12)"
        );
        self.report(ATOMIC, span, message);
    }

    /// The scalar place that an assignment changes, and its value.
    fn assignment<'s>(&self, s: &'s Stmt) -> Option<(String, &'s Expr)> {
        let StmtKind::Assign { lhs, rhs } = &s.kind else {
            return None;
        };
        self.is_scalar(lhs).then(|| (self.folded(lhs.span), rhs))
    }

    fn is_scalar(&self, e: &Expr) -> bool {
        let t = self.designator(e);
        let intrinsic = matches!(
            t.ty,
            Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_) | Type::Unknown
        );
        t.root().is_some() && t.rank <= 0 && intrinsic
    }

    fn is_read(&self, s: &Stmt) -> bool {
        self.assignment(s)
            .is_some_and(|(v, x)| self.is_scalar(x) && !self.uses(x, &v))
    }

    fn is_write(&self, s: &Stmt) -> Option<String> {
        let (x, e) = self.assignment(s)?;
        (!self.uses(e, &x)).then_some(x)
    }

    fn is_update(&self, s: &Stmt) -> Option<String> {
        let (x, e) = self.assignment(s)?;
        self.updates(e, &x).then_some(x)
    }

    fn is_capture(&self, a: &Stmt, b: &Stmt) -> bool {
        let read_of = |s: &Stmt| {
            let (v, x) = self.assignment(s)?;
            let x = self.is_scalar(x).then(|| self.folded(x.span))?;
            (x != v).then_some(x)
        };
        let update_then_read = self.is_update(a).is_some_and(|x| read_of(b) == Some(x));
        let read_then_change = read_of(a)
            .is_some_and(|x| self.is_update(b).as_ref() == Some(&x) || self.is_write(b) == Some(x));
        update_then_read || read_then_change
    }

    fn uses(&self, e: &Expr, x: &str) -> bool {
        self.occurrences(e, x) > 0
    }

    fn occurrences(&self, e: &Expr, x: &str) -> usize {
        if self.folded(e.span) == x {
            return 1;
        }
        let mut n = 0;
        e.for_each_child(&mut |c| n += self.occurrences(c, x));
        n
    }

    /// `e` is `x op ..`, `.. op x` or `f(x, ..)`, and has `x` once.
    fn updates(&self, e: &Expr, x: &str) -> bool {
        if self.occurrences(e, x) != 1 {
            return false;
        }
        match &e.kind {
            ExprKind::Binary { op, .. } => self.in_chain(e, *op, x),
            ExprKind::Ref { args, .. } => {
                let function = match self.typed(e).kind {
                    TExprKind::Intrinsic { intrinsic, .. } => Some(intrinsic),
                    _ => None,
                };
                let known = matches!(
                    function,
                    Some(
                        Intrinsic::Choice(Choice::Max | Choice::Min)
                            | Intrinsic::Bits(Bits::Iand | Bits::Ior | Bits::Ieor)
                    )
                );
                known && args.len() >= 2 && args.iter().any(|a| self.folded(a.value.span) == x)
            }
            _ => false,
        }
    }

    /// `x` is an operand of a chain of one operator and its inverse.
    fn in_chain(&self, e: &Expr, op: BinaryOp, x: &str) -> bool {
        use BinaryOp::*;
        let family = |o: BinaryOp| match o {
            Add | Sub => Some(0),
            Mul | Div => Some(1),
            And => Some(2),
            Or => Some(3),
            Eqv | Neqv => Some(4),
            _ => None,
        };
        if self.folded(e.span) == x {
            return true;
        }
        match &e.kind {
            ExprKind::Binary { op: own, lhs, rhs } => {
                let same = family(*own).is_some() && family(*own) == family(op);
                same && (self.in_chain(lhs, op, x) || self.folded(rhs.span) == x)
            }
            _ => false,
        }
    }
}
