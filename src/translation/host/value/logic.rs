//! Integers as logical values and logical values as integers, in the form that gfortran takes (decisions 1012 to 1014).

use crate::ast::{BinaryOp, Span, UnaryOp};
use crate::host::context::HostRewriter;
use crate::host::context::names::{BTEST, IAND, IEOR, IOR, MERGE, NOT};
use crate::host::context::rules::Values;
use crate::intrinsics::Bits;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// A condition or an operand of one: of an integer the lowest bit.
    pub(in crate::translation::host) fn truth(&mut self, e: &TExpr) {
        if !matches!(e.ty, Type::Integer(_)) {
            return self.value(e);
        }
        // Arithmetic binds tighter than a relation, a defined operation may not.
        let (open, close) = match &e.kind {
            TExprKind::Paren(x) => return self.truth(x),
            // The lowest bits of the operands have the operation's value.
            TExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => return self.truth(operand),
            TExprKind::Binary { lhs, rhs, .. } if e.bits().is_some() => {
                self.truth(lhs);
                return self.truth(rhs);
            }
            _ if !e.is_flag() => {
                self.unit.runtime |= self.taken.hides_intrinsics();
                (format!("{BTEST}("), ", 0)")
            }
            _ => (String::new(), " /= 0"),
        };
        self.edits.insert(Rule::Dialect, e.span.start, open);
        self.value(e);
        self.edits.insert(Rule::Dialect, e.span.end, close);
    }

    /// `a == .true.`: logical values are compared by `.eqv.` (F2018 10.1.5.5.1), which binds less tightly. True if this is one.
    pub(super) fn equivalence(&mut self, op: BinaryOp, lhs: &TExpr, rhs: &TExpr) -> bool {
        let logical = |e: &TExpr| matches!(e.ty, Type::Logical(_));
        let operator = match op {
            BinaryOp::Eq => " .eqv. ",
            BinaryOp::Ne => " .neqv. ",
            _ => return false,
        };
        if !logical(lhs) || !logical(rhs) {
            return false;
        }
        let span = Span {
            start: lhs.span.end,
            end: rhs.span.start,
        };
        self.edits.insert(Rule::Dialect, lhs.span.start, "(");
        self.value(lhs);
        self.edits.replace(Rule::Dialect, span, operator);
        self.value(rhs);
        self.edits.insert(Rule::Dialect, rhs.span.end, ")");
        true
    }

    /// A logical operation of integers alone.
    pub(super) fn bits(&mut self, e: &TExpr) {
        let Some((function, inverted)) = e.bits() else {
            return;
        };
        let name = match function {
            Bits::Iand => IAND,
            Bits::Ior => IOR,
            Bits::Not => NOT,
            _ => IEOR,
        };
        let (first, last, from) = match &e.kind {
            TExprKind::Binary { lhs, rhs, .. } => {
                let operator = Span {
                    start: lhs.span.end,
                    end: rhs.span.start,
                };
                self.edits.replace(Rule::Dialect, operator, ", ");
                (Some(lhs), rhs, e.span.start)
            }
            TExprKind::Unary { operand, .. } => {
                let operator = Span {
                    start: e.span.start,
                    end: operand.span.start,
                };
                self.edits.delete(Rule::Dialect, operator);
                (None, operand, operand.span.start)
            }
            _ => return,
        };
        self.unit.runtime |= self.taken.hides_intrinsics();
        let open = match inverted {
            true => format!("{NOT}({name}("),
            false => format!("{name}("),
        };
        self.edits.insert(Rule::Dialect, from, open);
        for operand in first.into_iter().chain([last]) {
            self.of_type(operand, &e.ty);
        }
        let close = if inverted { "))" } else { ")" };
        self.edits.insert(Rule::Dialect, e.span.end, close);
    }

    /// An operand of the type of the operation.
    fn of_type(&mut self, operand: &TExpr, ty: &Type) {
        match ty {
            Type::Integer(k) if operand.ty != *ty => {
                let int = crate::host::context::names::INT;
                let start = operand.span.start;
                self.edits.insert(Rule::Dialect, start, format!("{int}("));
                self.value(operand);
                self.edits
                    .insert(Rule::Dialect, operand.span.end, format!(", {k})"));
            }
            _ => self.value(operand),
        }
    }

    /// A value that is assigned to data of a type.
    pub(in crate::translation::host) fn assigned_value(&mut self, e: &TExpr, ty: &Type) {
        match (&e.ty, ty) {
            (Type::Logical(_), Type::Integer(_)) => {
                self.unit.runtime |= self.taken.hides_intrinsics();
                self.edits
                    .insert(Rule::Dialect, e.span.start, format!("{MERGE}(-1, 0, "));
                self.value(e);
                self.edits.insert(Rule::Dialect, e.span.end, ")");
            }
            (Type::Integer(_), Type::Logical(_)) => self.truth(e),
            _ => self.value_as(e, ty),
        }
    }
}
