//! Integers where the standard has logical values, and the reverse, in host and device code alike: nvfortran takes them (decisions 1012
//! to 1014). Warnings name the places where other compilers give another value.

use super::class;
use crate::intrinsics::{Choice, Intrinsic};
use crate::sema::check::checker::*;

/// Notes the integers that stand for logical values in `t`; `truth`: it is a condition, or an operand beside a logical value.
fn integers_as_logicals(t: &TExpr, truth: bool, found: &mut Vec<Span>) {
    let integer = matches!(t.ty, Type::Integer(_));
    // Operands of logical operations stand for logical values unless all are integers and the bits are wanted.
    let operands = truth || !integer;
    match &t.kind {
        TExprKind::Paren(x) => integers_as_logicals(x, truth, found),
        TExprKind::Unary {
            op: UnaryOp::Not,
            operand,
        } => integers_as_logicals(operand, operands, found),
        TExprKind::Binary {
            op: BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv,
            lhs,
            rhs,
        } => {
            integers_as_logicals(lhs, operands, found);
            integers_as_logicals(rhs, operands, found);
        }
        _ if integer && truth => {
            if !t.is_flag() {
                found.push(t.span);
            }
            t.for_each_child(&mut |c| integers_as_logicals(c, false, found));
        }
        TExprKind::Intrinsic {
            intrinsic: Intrinsic::Choice(Choice::Merge),
            args,
        } => {
            for (i, a) in args.iter().enumerate() {
                let a = a.iter();
                a.for_each(|a| integers_as_logicals(a, i == 2, found));
            }
        }
        _ => t.for_each_child(&mut |c| integers_as_logicals(c, false, found)),
    }
}

impl Checker<'_> {
    /// Values of SELECT CASE have the selector's type (F2018 C1147), logical and integer ones too: nvfortran compares their bits.
    pub(super) fn case_values(&mut self, select: &Select, selector: &TExpr) {
        let Some(wanted) = class(&selector.ty) else {
            return;
        };
        let guards = select.cases.iter().filter_map(|c| match &c.guard {
            CaseGuard::Values(values) => Some(values),
            _ => None,
        });
        let ends = guards.flatten().flat_map(|v| match &v.kind {
            ExprKind::Slice { lo, hi, .. } => [lo.as_deref(), hi.as_deref()],
            _ => [Some(v), None],
        });
        let values: Vec<TExpr> = ends.flatten().map(|e| self.expr(e)).collect();
        let Some(other) = values
            .iter()
            .find(|v| class(&v.ty).is_some_and(|c| c != wanted))
        else {
            return;
        };
        let message = format!(
            "the case value has type `{}`, but the selector has type `{}`",
            self.model.type_name(&other.ty),
            self.model.type_name(&selector.ty)
        );
        let help = "declare the selector with the type of the case values";
        self.report_help("CUF0208", other.span, message, help);
    }

    /// The values of one statement.
    pub(in crate::translation::sema::check) fn integer_logic(&mut self, s: &Stmt) {
        let condition = match &s.kind {
            StmtKind::If { .. } | StmtKind::LogicalIf { .. } => true,
            StmtKind::Do(d) => matches!(d.control, DoControl::While(_)),
            _ => false,
        };
        let arguments = match &s.kind {
            StmtKind::Call(c) => c.args.as_slice(),
            _ => &[],
        };
        let mut found = Vec::new();
        for e in s
            .expressions()
            .into_iter()
            .chain(arguments.iter().map(|a| &a.value))
        {
            integers_as_logicals(&self.expr(e), condition, &mut found);
        }
        if let StmtKind::Assign { lhs, rhs } = &s.kind {
            self.converted_assignment(lhs, rhs, &mut found);
        }
        for at in found {
            let message = "integer used as a logical value is true if it is odd";
            let found = self.report("CUF0215", at, message);
            found.warning = true;
            let help = "write a comparison, such as `/= 0`: nvfortran tests the lowest bit, other compilers the whole integer";
            found.help = Some(help.to_owned());
        }
    }

    /// An assignment between an integer and a logical type.
    fn converted_assignment(&mut self, lhs: &ast::Expr, rhs: &ast::Expr, integers: &mut Vec<Span>) {
        let (l, r) = (self.expr(lhs), self.expr(rhs));
        let to_integer = matches!((&l.ty, &r.ty), (Type::Integer(_), Type::Logical(_)));
        let to_logical = matches!((&l.ty, &r.ty), (Type::Logical(_), Type::Integer(_)));
        let vote = matches!(r.unparenthesised().kind, TExprKind::Runtime { .. });
        if !(to_integer || to_logical)
            || vote
            || !l.is_designator()
            || self.model.defined_assignment(self.scope, &l, &r).is_some()
        {
            return;
        }
        if to_integer {
            let message = "logical value used as an integer is -1 if it is true";
            let found = self.report("CUF0468", r.span, message);
            found.warning = true;
            let help = "write `merge(1, 0, ...)` with the value that you want: nvfortran stores -1, other compilers 1";
            found.help = Some(help.to_owned());
        } else if !r.is_flag() {
            integers.push(r.span);
        }
    }

    /// A transfer between memories moves values, but does not convert them like that.
    pub(in crate::translation::sema::check) fn converted_transfer(&mut self, l: &TExpr, r: &TExpr) {
        let converts = matches!(
            (&l.ty, &r.ty),
            (Type::Integer(_), Type::Logical(_)) | (Type::Logical(_), Type::Integer(_))
        );
        let elsewhere = |e: &TExpr| {
            let space = self.model.space(e);
            space.is_some_and(|s| !matches!(s, Space::Host | Space::Thread))
        };
        if !converts || !elsewhere(l) && !elsewhere(r) {
            return;
        }
        let message = format!(
            "transfer does not convert {} to {}",
            self.model.type_name(&r.ty),
            self.model.type_name(&l.ty)
        );
        let help = "copy the value to a host variable of its own type, assign that to a host variable of the other type, and transfer the result";
        self.report_help("CUF0208", r.span, message, help);
    }
}
