//! Procedures that the device executes, and data that is declared on it.

use super::rewriter::Rewriter;
use crate::ast::{ProgramUnit, Stmt, StmtKind, UnitKind};
use crate::sema::model::{ProcedureTarget, SymbolId};
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::Kind;
use crate::translation::openacc::regions::{Region, UnitRegions};

impl<'a> Rewriter<'a> {
    /// Attributes of procedures, and what keeps declared data on the device, in a program unit and those inside it.
    pub(super) fn procedures(&mut self, u: &'a ProgramUnit) {
        let scope = self.scope(u.end.start);
        let symbol = scope.and_then(|s| self.model[s].symbol);
        let is_procedure = matches!(
            u.kind,
            UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure
        );
        let routine = symbol
            .filter(|_| is_procedure)
            .and_then(|s| self.program.routines.get(&s).copied());
        let target = symbol
            .and_then(|s| self.model.procedure(s))
            .map(|p| p.target);
        let mut on_device = target.is_some_and(|t| t != ProcedureTarget::Host);
        if let Some(r) = routine
            && target == Some(ProcedureTarget::Host)
        {
            on_device = true;
            let word = if r.nohost { "device" } else { "host, device" };
            self.insert(u.header.start, format!("attributes({word}) "));
        }
        if !on_device && is_procedure || u.kind == UnitKind::Program {
            self.keep_declared(u);
        }
        u.procedures.iter().for_each(|p| self.procedures(p));
    }

    /// `declare` in a procedure: a data region around its body.
    pub(super) fn declared_region(&mut self, u: &UnitRegions<'a>, r: &Region<'a>) {
        let d = r.directive;
        let calls = self.clauses(d, None, true);
        self.remove(d);
        let Some(start) = self.first_line(u.unit) else {
            return;
        };
        let indent = self.indent(start).to_owned();
        let lines =
            |of: &[String]| -> String { of.iter().map(|l| format!("{indent}{l}\n")).collect() };
        if !calls.enter.is_empty() {
            self.insert(start, lines(&calls.enter));
        }
        let body = &u.unit.body;
        body.iter().for_each(|s| self.leave(s, &calls.exit));
        let returns = matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return(_)));
        if !returns && !calls.exit.is_empty() {
            // Behind the directives after the last statement.
            let end = u.unit.contains.unwrap_or(u.unit.end).start;
            self.insert(self.line_start(end), lines(&calls.exit));
        }
    }

    /// Lines before each RETURN.
    fn leave(&mut self, s: &Stmt, lines: &[String]) {
        let indent = self.indent(s.start());
        match &s.kind {
            StmtKind::Return(_) => {
                let text: String = lines.iter().map(|l| format!("{l}\n{indent}")).collect();
                self.insert(s.span.start, text);
            }
            StmtKind::LogicalIf { stmt, .. } if matches!(stmt.kind, StmtKind::Return(_)) => {
                let text: String = lines.iter().map(|l| format!("\n{indent}  {l}")).collect();
                self.insert(stmt.span.start, format!("then{text}\n{indent}  "));
                self.insert(stmt.span.end, format!("\n{indent}end if"));
            }
            _ => {
                for b in s.blocks() {
                    b.iter().for_each(|s| self.leave(s, lines));
                }
            }
        }
    }

    /// Directives of the specification part.
    pub(super) fn declarative(&mut self, u: &UnitRegions<'a>, r: &Region<'a>) {
        let static_data = |s: SymbolId| self.program.declared.contains_key(&s);
        let d = r.directive;
        match d.kind {
            Kind::Declare => {
                let roots = d.clauses.iter().flat_map(|c| c.exprs());
                let roots = roots.filter_map(|e| self.typed(e)?.root());
                match roots.collect::<Vec<_>>().into_iter().all(static_data) {
                    true => self.remove(d),
                    false => self.declared_region(u, r),
                }
            }
            _ => {
                if let Some(c) = d.clause(ClauseKind::Bind) {
                    self.report(c.span, "CUF0531", "clause `bind` is not supported\nhelp: call the other procedure in the construct");
                }
                self.remove(d);
            }
        }
    }
}
