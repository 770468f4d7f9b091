//! Procedures that the device executes, and data that is declared on it.

use super::program::Declared;
use super::rewriter::Rewriter;
use crate::ast::places::Mentions;
use crate::ast::{ProgramUnit, Stmt, StmtKind, UnitKind};
use crate::sema::model::{ProcedureTarget, SymbolId};
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

    /// Declared data that the unit mentions is on the device from its start; allocations are followed.
    fn keep_declared(&mut self, u: &ProgramUnit) {
        if self.program.declared.is_empty() {
            return;
        }
        let Some(scope) = self.scope(u.end.start) else {
            return;
        };
        let mentions = Mentions::of_statements(&u.body);
        let mut found: Vec<(SymbolId, Declared)> = Vec::new();
        for n in &mentions.names {
            let s = self.model.lookup(scope, &n.text);
            if let Some((s, d)) = s.and_then(|s| Some((s, *self.program.declared.get(&s)?)))
                && !found.iter().any(|f| f.0 == s)
            {
                found.push((s, d));
            }
        }
        let mut lines = Vec::new();
        for (s, d) in found.iter().filter(|(_, d)| !d.is_dynamic) {
            let name = self.model[*s].spelling.to_string();
            let stem = if d.copied {
                "declare_copyin"
            } else {
                "declare_create"
            };
            let place = self.place(u.header.start, &name);
            lines.push(format!("call cuf_acc_{stem}({name}, {place})"));
        }
        if let Some(first) = u.body.iter().find(|s| !is_declaration(s))
            && !lines.is_empty()
        {
            let start = self.line_start(first.start());
            let indent = self.indent(first.start());
            let text: String = lines.iter().map(|l| format!("{indent}{l}\n")).collect();
            self.insert(start, text);
            self.uses_runtime = true;
        }
        if found.iter().any(|(_, d)| d.is_dynamic) {
            u.body.iter().for_each(|s| self.follow_allocations(s));
        }
        if self.uses_runtime {
            self.add_use(u);
        }
    }

    fn follow_allocations(&mut self, s: &Stmt) {
        let indent = self.indent(s.start());
        match &s.kind {
            StmtKind::Allocate(a) => {
                let objects = a.objects.iter();
                let names = objects.filter_map(|o| o.object.as_name());
                let lines: Vec<String> = names
                    .filter(|n| self.is_declared(n))
                    .map(|n| {
                        let place = self.place(n.span.start, &n.text);
                        format!("call cuf_acc_enter_create({}, {place})", n.text)
                    })
                    .collect();
                self.uses_runtime |= !lines.is_empty();
                self.insert_after(s.span.end, indent, &lines);
            }
            StmtKind::Deallocate { objects, .. } => {
                let names = objects.iter().filter_map(|o| o.as_name());
                let lines: Vec<String> = names
                    .filter(|n| self.is_declared(n))
                    .map(|n| {
                        let place = self.place(n.span.start, &n.text);
                        format!(
                            "call cuf_acc_exit_delete({}, {place}, finalize=.true.)\n{indent}",
                            n.text
                        )
                    })
                    .collect();
                self.uses_runtime |= !lines.is_empty();
                if !lines.is_empty() {
                    self.insert(s.span.start, lines.concat());
                }
            }
            _ => {}
        }
        for b in s.blocks() {
            b.iter().for_each(|s| self.follow_allocations(s));
        }
    }

    fn is_declared(&self, n: &crate::ast::Name) -> bool {
        let s = self
            .scope(n.span.start)
            .and_then(|s| self.model.lookup(s, &n.text));
        s.is_some_and(|s| self.program.declared.contains_key(&s))
    }

    /// `declare` in a procedure: a data region around its body.
    pub(super) fn declared_region(&mut self, u: &UnitRegions<'a>, r: &Region<'a>) {
        let d = r.directive;
        let calls = self.clauses(d, None, true);
        self.remove(d);
        let body = &u.unit.body;
        let Some(first) = body.iter().find(|s| !is_declaration(s)) else {
            return;
        };
        let indent = self.indent(first.start());
        let text: String = calls
            .enter
            .iter()
            .map(|l| format!("{indent}{l}\n"))
            .collect();
        if !text.is_empty() {
            self.insert(self.line_start(first.start()), text);
        }
        body.iter().for_each(|s| self.leave(s, &calls.exit));
        let returns = matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return(_)));
        if !returns && let Some(last) = body.last() {
            self.insert_after(last.span.end, indent, &calls.exit);
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
            _ => self.remove(d),
        }
    }
}

/// Statements of the specification part that stand in the execution part, and statement functions.
fn is_declaration(s: &Stmt) -> bool {
    matches!(
        s.kind,
        StmtKind::Decl(_) | StmtKind::Format | StmtKind::Entry(_)
    )
}
