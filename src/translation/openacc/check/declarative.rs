//! `routine` and `declare`.

use super::super::clause::ClauseKind;
use super::super::directive::{Clause, Directive};
use super::checker::Checker;
use crate::ast::{Expr, UnitKind};
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::SymbolKind;

/// Code of `routine` directives.
const ROUTINE: &str = "CUF0526";
/// Code of `declare` directives.
const DECLARE: &str = "CUF0527";

impl Checker<'_> {
    pub(super) fn routine(&mut self, d: &Directive) {
        let is_procedure = matches!(
            self.unit.kind,
            UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure
        );
        if d.arguments.is_empty() && !is_procedure {
            let message = "directive `routine` without a name is outside of procedures\nhelp: name the procedure, \
                `!$acc routine(name)`, or move the directive among the declarations of the procedure";
            self.report(ROUTINE, d.span, message);
        }
        self.listed_procedures(d);
        let levels = [
            ClauseKind::Gang,
            ClauseKind::Worker,
            ClauseKind::Vector,
            ClauseKind::Seq,
        ];
        let mut given = d.clauses.iter().filter(|c| levels.contains(&c.kind));
        if let (Some(a), Some(b)) = (given.next(), given.next())
            && a.kind != b.kind
        {
            let message = format!(
                "directive `routine` has levels `{}` and `{}`\nnote: a procedure has one level (OpenACC 2.15.1)\nhelp: \
                 remove one of them",
                a.word.text, b.word.text
            );
            self.report(ROUTINE, b.span, message);
        }
        if self
            .unit
            .body
            .first()
            .is_some_and(|s| s.start() < d.span.start)
        {
            let message = "directive `routine` follows executable statements\nhelp: move it among the declarations";
            self.report(ROUTINE, d.span, message);
        }
    }

    pub(super) fn declare(&mut self, d: &Directive) {
        if self
            .unit
            .body
            .first()
            .is_some_and(|s| s.start() < d.span.start)
        {
            let message = "directive `declare` follows executable statements\nhelp: move it among the declarations";
            self.report(DECLARE, d.span, message);
            return;
        }
        for c in &d.clauses {
            for e in c.exprs() {
                self.declared_variable(c, e);
            }
        }
    }

    fn declared_variable(&mut self, c: &Clause, e: &Expr) {
        let text = self.slice(e.span);
        let Some(name) = e.base_name() else { return };
        let Some(symbol) = self.model.lookup(self.scope, &name.text) else {
            return;
        };
        if !matches!(self.model[symbol].kind, SymbolKind::Variable(_)) {
            return;
        }
        let is_section = |t: &TExpr| matches!(t.kind, TExprKind::Index { .. }) && t.rank > 0;
        if e.as_name().is_none() && !is_section(&self.designator(e)) {
            let message = format!(
                "`{text}` in directive `declare` is not a whole variable\nnote: `declare` lists variables and common \
                 blocks (OpenACC 2.13)\nhelp: list `{}`",
                name.text
            );
            self.report(DECLARE, e.span, message);
            return;
        }
        let own = self.model.unit_scope(self.scope);
        // Real programs say in procedures that data of modules is present.
        let is_accepted = c.kind == ClauseKind::Present;
        if !is_accepted && self.model.unit_scope(self.model[symbol].scope) != own {
            let message = format!(
                "`{text}` in directive `declare` is declared in another program unit\nnote: `declare` must be in the \
                 program unit that declares the variable (OpenACC 2.13)\nhelp: move the directive there"
            );
            self.report(DECLARE, e.span, message);
            return;
        }
        let is_module = matches!(
            self.unit.kind,
            UnitKind::Module | UnitKind::Submodule { .. }
        );
        let for_module = matches!(
            c.kind,
            ClauseKind::Create | ClauseKind::Copyin | ClauseKind::DeviceResident | ClauseKind::Link
        );
        if is_module && !for_module {
            let message = format!(
                "clause `{}` of `declare` is not valid for module variable `{text}`\nnote: in a module, `declare` \
                 accepts `create`, `copyin`, `device_resident`, and `link` (OpenACC 2.13)",
                c.word.text
            );
            self.report(DECLARE, e.span, message);
        }
    }
}
