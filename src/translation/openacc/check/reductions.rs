//! Reductions: operators, types, and variables that have another role on the same directive.

use super::super::clause::ClauseKind;
use super::super::directive::{Clause, Directive};
use super::checker::{Checker, listed};
use crate::ast::{Expr, Name};
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::{SymbolId, Type};
use crate::suggest;

/// Code of reductions of the wrong type or with the wrong operator.
const REDUCTION: &str = "CUF0517";
/// Code of variables with two roles.
const TWO_ROLES: &str = "CUF0524";

const OPERATORS: [&str; 11] = [
    "+", "*", "max", "min", "iand", "ior", "ieor", ".and.", ".or.", ".eqv.", ".neqv.",
];

/// Whether an operator accepts a type.
fn fits(op: &str, ty: &Type) -> bool {
    match op {
        "+" | "*" | "-" => matches!(ty, Type::Integer(_) | Type::Real(_) | Type::Complex(_)),
        "max" | "min" => matches!(ty, Type::Integer(_) | Type::Real(_)),
        "iand" | "ior" | "ieor" => matches!(ty, Type::Integer(_)),
        _ => matches!(ty, Type::Logical(_)),
    }
}

impl Checker<'_> {
    pub(super) fn reductions(&mut self, d: &Directive) {
        for c in d.clauses.iter().filter(|c| c.kind == ClauseKind::Reduction) {
            let Some(op) = &c.modifier else { continue };
            if self.operator(op) {
                for e in c.exprs() {
                    self.reduced(op, e);
                }
            }
        }
        self.roles(d);
    }

    fn operator(&mut self, op: &Name) -> bool {
        let text = op.text.as_str();
        if text == "-" {
            let message = "reduction with `-` is computed as a sum\nnote: OpenACC has no operator `-` for \
                reductions (OpenACC 2.5.13)\nhelp: write `+`";
            self.report(REDUCTION, op.span, message).warning = true;
            return true;
        }
        if OPERATORS.contains(&text) {
            return true;
        }
        let help = match suggest::question(text, OPERATORS) {
            near if near.is_empty() => format!("\nnote: the operators are {}", listed(&OPERATORS)),
            near => near,
        };
        let message = format!("`{text}` is not an operator of `reduction`{help}");
        self.report(REDUCTION, op.span, message);
        false
    }

    fn reduced(&mut self, op: &Name, e: &Expr) {
        let t = self.designator(e);
        let text = self.slice(e.span);
        if t.any(&mut |x: &TExpr| matches!(x.kind, TExprKind::Component { .. })) {
            let message = format!(
                "`{text}` in clause `reduction` is a component\nnote: a reduction variable must be a variable or an \
                 array element, not a component\nhelp: reduce a local variable and assign it to the component \
                 afterwards"
            );
            self.report(REDUCTION, e.span, message);
            return;
        }
        if t.root().is_none() || matches!(t.ty, Type::Unknown) || fits(&op.text, &t.ty) {
            return;
        }
        let ty = self.model.type_name(&t.ty);
        let accepts = match op.text.as_str() {
            "+" | "*" | "-" => "integer, real, and complex",
            "max" | "min" => "integer and real",
            "iand" | "ior" | "ieor" => "integer",
            _ => "logical",
        };
        let message = format!(
            "variable `{text}` of type `{ty}` is not valid in `reduction({}: ...)`\nnote: operator `{0}` accepts \
             variables of type {accepts} (OpenACC 2.5.13)",
            op.text
        );
        self.report(REDUCTION, e.span, message);
    }

    /// A variable is private, firstprivate, or a reduction variable, not two of them.
    fn roles(&mut self, d: &Directive) {
        let role = |k: ClauseKind| {
            matches!(
                k,
                ClauseKind::Private | ClauseKind::Firstprivate | ClauseKind::Reduction
            )
        };
        let mut seen: Vec<(SymbolId, &Clause)> = Vec::new();
        for c in d.clauses.iter().filter(|c| role(c.kind)) {
            for e in c.exprs() {
                let Some(symbol) = self.root_symbol(e) else {
                    continue;
                };
                let text = self.slice(e.span);
                match seen.iter().find(|(s, _)| *s == symbol) {
                    Some((_, other)) if other.kind != c.kind => {
                        let message = format!(
                            "`{text}` is in clauses `{}` and `{}` of one directive\nhelp: remove it from one of them",
                            other.word.text, c.word.text
                        );
                        self.report(TWO_ROLES, e.span, message);
                    }
                    Some((_, other))
                        if c.kind == ClauseKind::Reduction
                            && other.modifier.as_ref().map(|m| &m.text)
                                != c.modifier.as_ref().map(|m| &m.text) =>
                    {
                        let message = format!(
                            "`{text}` has two reduction operators\nhelp: remove it from one of the clauses"
                        );
                        self.report(TWO_ROLES, e.span, message);
                    }
                    Some(_) => {}
                    None => seen.push((symbol, c)),
                }
            }
        }
        self.enclosing_operators(d);
    }

    /// Clauses of nested loops for one variable name one operator.
    fn enclosing_operators(&mut self, d: &Directive) {
        for c in d.clauses.iter().filter(|c| c.kind == ClauseKind::Reduction) {
            let Some(op) = &c.modifier else { continue };
            for e in c.exprs() {
                let Some(symbol) = self.root_symbol(e) else {
                    continue;
                };
                let around = self.chain.iter().rev().flat_map(|r| &r.directive.clauses);
                let around = around.filter(|c| c.kind == ClauseKind::Reduction);
                let mut same =
                    around.filter(|o| o.exprs().any(|x| self.root_symbol(x) == Some(symbol)));
                let Some(other) = same.next().and_then(|o| o.modifier.clone()) else {
                    continue;
                };
                if other.text != op.text {
                    let message = format!(
                        "`{}` has operator `{}` here, but `{}` on an enclosing directive\nnote: the clauses of nested \
                         loops must name one operator (OpenACC 2.9.11)",
                        self.slice(e.span),
                        op.text,
                        other.text
                    );
                    self.report(TWO_ROLES, e.span, message);
                }
            }
        }
    }
}
