//! Procedures that the device executes, and data that is declared on it.

use super::rewriter::Rewriter;
use crate::ast::{DeclKind, Dummy, ProgramUnit, Stmt, StmtKind, UnitKind};
use crate::sema::model::{ProcedureTarget, SymbolId};
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::{Directive, Kind};
use crate::translation::openacc::regions::UnitRegions;

impl<'a> Rewriter<'a> {
    /// Attributes of procedures, and what keeps declared data on the device, in a program unit and those inside it.
    pub(super) fn procedures(&mut self, u: &'a ProgramUnit) {
        let on_device = self.attributes(u);
        if !on_device && is_procedure(u) || u.kind == UnitKind::Program {
            self.keep_declared(u);
        }
        for d in &u.spec {
            if let DeclKind::Interface(i) = &d.kind {
                i.bodies.iter().for_each(|b| {
                    self.attributes(b);
                });
            }
        }
        u.procedures.iter().for_each(|p| self.procedures(p));
    }

    /// Gives a procedure or an interface body its attributes; whether it is for the device.
    fn attributes(&mut self, u: &ProgramUnit) -> bool {
        let scope = self.scope(u.end.start);
        let Some(symbol) = scope.and_then(|s| self.model[s].symbol) else {
            return false;
        };
        let target = self.model.procedure(symbol).map(|p| p.target);
        if target != Some(ProcedureTarget::Host) {
            return target.is_some();
        }
        let routine = self.program.routine(self.model, symbol);
        let Some(r) = routine.filter(|_| is_procedure(u)) else {
            return false;
        };
        let word = if r.nohost { "device" } else { "host, device" };
        self.insert(u.header.start, format!("attributes({word}) "));
        if let Some(b) = r.bound.filter(|b| *b != symbol)
            && super::program::defined(self.model, symbol) == symbol
        {
            self.call_bound(u, b);
        }
        true
    }

    /// `bind(name)`: on the device, the procedure calls the other one.
    fn call_bound(&mut self, u: &ProgramUnit, bound: SymbolId) {
        let scope = self.scope(u.end.start);
        let name = &self.model[bound].name;
        let found = scope.and_then(|s| self.model.lookup(s, name));
        let is_bound = |s| super::program::defined(self.model, s) == bound;
        let is_reached = match found {
            Some(s) => is_bound(s),
            None => u.kind == UnitKind::Subroutine,
        };
        let spelling = &self.model[bound].spelling;
        let Some(start) = self.first_line(u).filter(|_| is_reached) else {
            let message = format!(
                "procedure `{spelling}` of clause `bind` is not accessible in `{}`\nnote: on the device, `{0}` calls it\nhelp: move both procedures to one module",
                u.name.text
            );
            self.report(u.name.span, "CUF0531", message);
            return;
        };
        let dummies = u.dummies.iter().filter_map(|d| match d {
            Dummy::Name(n) => Some(self.slice(n.span)),
            Dummy::AlternateReturn(_) => None,
        });
        let dummies: Vec<&str> = dummies.collect();
        let call = format!("{spelling}({})", dummies.join(", "));
        let call = match u.kind {
            UnitKind::Function => {
                let result = u.result.as_ref().unwrap_or(&u.name);
                format!("{} = {call}", self.slice(result.span))
            }
            _ => format!("call {call}"),
        };
        let side = self.name("on_device");
        let from = self.indent(u.header.start);
        let uses = format!("\n{from}  use cudadevice, only: {side} => on_device");
        self.insert(u.header.end, uses);
        let indent = self.indent(start).to_owned();
        let lines = format!("{indent}if ({side}()) then\n{indent}  {call}\n{indent}else\n");
        self.insert(start, lines);
        let end = self.line_start(u.contains.unwrap_or(u.end).start);
        self.insert(end, format!("{indent}end if\n"));
    }

    /// `declare` in a procedure: a data region around its body.
    pub(super) fn declared_regions(&mut self, u: &UnitRegions<'a>) {
        let mut enter = Vec::new();
        let mut exit = Vec::new();
        for r in &u.regions {
            let d = r.directive;
            if d.kind == Kind::Declare && !self.is_of_static_data(d) {
                let calls = self.clauses(d, None, true);
                enter.extend(calls.enter);
                exit.splice(0..0, calls.exit);
            }
        }
        let Some(start) = self.first_line(u.unit) else {
            return;
        };
        let indent = self.indent(start).to_owned();
        let lines =
            |of: &[String]| -> String { of.iter().map(|l| format!("{indent}{l}\n")).collect() };
        if !enter.is_empty() {
            self.insert(start, lines(&enter));
        }
        let body = &u.unit.body;
        body.iter().for_each(|s| self.leave(s, &exit));
        let returns = matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return(_)));
        if !returns && !exit.is_empty() {
            // Behind the directives after the last statement.
            let end = u.unit.contains.unwrap_or(u.unit.end).start;
            self.insert(self.line_start(end), lines(&exit));
        }
    }

    /// All variables of a `declare` directive are those of modules and saved ones.
    fn is_of_static_data(&self, d: &Directive) -> bool {
        let roots = d.clauses.iter().flat_map(|c| c.exprs());
        let mut roots = roots.filter_map(|e| self.typed(e)?.root());
        roots.all(|s| self.program.declared.contains_key(&s))
    }

    /// Lines before each RETURN.
    fn leave(&mut self, s: &Stmt, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
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
    pub(super) fn declarative(&mut self, d: &Directive) {
        if let Some(c) = d.clause(ClauseKind::Bind)
            && super::program::bound(self.model, self.file, d).is_none()
        {
            let message = "procedure of clause `bind` is not in the program\nhelp: add its source to the program";
            self.report(c.span, "CUF0531", message);
        }
        self.remove(d);
    }
}

fn is_procedure(u: &ProgramUnit) -> bool {
    matches!(
        u.kind,
        UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure
    )
}
