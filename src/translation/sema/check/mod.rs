//! The restrictions of CUDA Fortran (guide 2 and 3; docs/decisions.md), checked over a whole program.
//!
//! One file per group of rules; every rule has its own code `CUF03xx`. A rule reports what is certainly wrong: what cannot be
//! decided (an entity of a module that is not in the program) passes.

mod agreement;
mod argument;
mod checker;
mod cufloop;
mod declaration;
mod definable;
mod device;
mod dummy_modified;
mod host;
mod host_device;
mod host_value;
mod labels;
mod standard;
mod transfer;

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::model::sides::Side;
use checker::*;

/// Checks all files.
pub fn check(model: &Model, inputs: &[Input<'_>]) -> Vec<Finding> {
    let units: Vec<(usize, &ProgramUnit, ScopeId)> = inputs
        .iter()
        .zip(&model.files)
        .enumerate()
        .flat_map(|(i, (input, info))| {
            let units = input.ast.units.iter().zip(&info.units);
            units.map(move |(unit, scope)| (i, unit, *scope))
        })
        .collect();
    let has_libraries = model.files.iter().any(|f| f.library);
    let checker_of = |i: usize| Checker {
        model,
        inputs,
        file: FileId(i as u32),
        text: inputs[i].text,
        scope: ScopeId(0),
        context: CodeContext::Host,
        findings: Vec::new(),
        loop_start: 0,
        origin: LoopOrigin::default(),
        private: BTreeSet::new(),
        never_runs: false,
        labels: Vec::new(),
        counting: Vec::new(),
        has_libraries,
    };
    let labelled: Vec<labels::Labelled> = units
        .iter()
        .flat_map(|(i, unit, scope)| checker_of(*i).labelled(unit, *scope))
        .collect();
    let findings: Vec<Vec<Finding>> = units
        .into_par_iter()
        .map(|(i, unit, scope)| {
            let checker = || checker_of(i);
            let mut c = checker();
            c.unit_alone(unit, scope);
            // Procedures know nothing of each other.
            let inner: Vec<Vec<Finding>> = unit
                .procedures
                .par_iter()
                .filter_map(|p| {
                    let mut inner = checker();
                    inner.unit(p, c.child_scope(scope, p)?);
                    Some(inner.findings)
                })
                .collect();
            c.findings.extend(inner.into_iter().flatten());
            c.findings
        })
        .collect();
    let labels = labels::duplicates(&labelled);
    let twice = labels::duplicate_kernels(model);
    let kernels = labels::kernels_of_libraries(model);
    let all = findings.into_iter().flatten();
    all.chain(labels).chain(twice).chain(kernels).collect()
}

impl<'a> Checker<'a> {
    fn unit(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        let saved = (self.scope, self.context);
        self.unit_alone(unit, scope);
        for p in &unit.procedures {
            if let Some(c) = self.child_scope(scope, p) {
                self.unit(p, c);
            }
        }
        (self.scope, self.context) = saved;
    }

    /// A unit without the procedures in it.
    fn unit_alone(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        self.enter(scope);
        let place = self.model[scope].parent.map(|p| self.model[p].kind);
        self.procedure_rules(unit, place);
        let module = matches!(unit.kind, UnitKind::Module | UnitKind::Submodule { .. });
        self.declarations(&unit.spec, module);
        self.second_type(unit, scope);
        self.cray_pointers(&unit.spec, &unit.body);
        if self.in_device_code() {
            self.labels = cufloop::labels_in(&unit.body);
        }
        if !self.model.dialect.openacc {
            self.openacc_directives(&unit.body);
        }
        self.block(&unit.body);
    }

    /// The bodies of an interface block: procedures that stand somewhere else.
    fn interface_bodies(&mut self, bodies: &[ProgramUnit]) {
        let saved = (self.scope, self.context);
        for b in bodies {
            if let Some(scope) = self.child_scope(saved.0, b) {
                self.enter(scope);
                self.procedure_rules(b, None);
                self.agrees_with_definition(b, scope);
                self.declarations(&b.spec, false);
                self.second_type(b, scope);
            }
        }
        (self.scope, self.context) = saved;
    }

    /// Goes on in the scope of a unit.
    fn enter(&mut self, scope: ScopeId) {
        self.scope = scope;
        let target = self
            .procedure_of(scope)
            .map_or(ProcedureTarget::Host, |p| p.target);
        self.context = match target {
            ProcedureTarget::Host => CodeContext::Host,
            ProcedureTarget::HostDevice => CodeContext::HostDevice,
            _ => CodeContext::Device,
        };
    }

    fn block(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            self.stmt(s);
        }
    }

    /// Checks a statement and those inside it.
    fn stmt(&mut self, s: &Stmt) {
        let reaches = |side| !self.model.is_unreached(self.scope, s.span, side);
        match (self.context, reaches(Side::Host), reaches(Side::Device)) {
            (CodeContext::Host, ..) => self.host_stmt(s),
            // Not in a construct that runs nowhere, either.
            (_, false, false) | (CodeContext::Device, _, false) => return,
            (CodeContext::Device, ..) | (CodeContext::HostDevice, false, true) => {
                self.device_stmt(s)
            }
            (CodeContext::HostDevice, true, false) => self.host_stmt(s),
            // The rest of it is seen when the device version is lowered.
            (CodeContext::HostDevice, true, true) => {
                self.device_targets(s);
                self.both_sides(s);
            }
        }
        self.integer_logic(s);
        match &s.kind {
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                let mut decided = false;
                for b in branches {
                    let value = self.constant_condition(&b.cond);
                    let dead = decided || value == Some(false);
                    self.branch(dead, |k| k.block(&b.body));
                    decided |= value == Some(true);
                }
                if let Some(e) = else_block {
                    self.branch(decided, |k| k.block(&e.body));
                }
            }
            StmtKind::LogicalIf { stmt, cond } => {
                let dead = self.constant_condition(cond) == Some(false);
                self.branch(dead, |k| k.stmt(stmt));
            }
            StmtKind::Do(d) => {
                let counted = self.in_device_code() && self.counts(d);
                let dead = matches!(&d.control, DoControl::While(c) if self.constant_condition(c) == Some(false));
                self.branch(dead, |k| k.block(&d.body));
                if counted {
                    self.counting.pop();
                }
            }
            StmtKind::Select(sel) => {
                for (c, dead) in sel.cases.iter().zip(self.excluded_cases(sel)) {
                    self.branch(dead, |k| k.in_scope_at(c.header.end, |k| k.block(&c.body)));
                }
            }
            StmtKind::Where { branches, .. } => branches.iter().for_each(|b| self.block(&b.body)),
            StmtKind::Forall { body, .. } | StmtKind::OtherBlock { body, .. } => self.block(body),
            StmtKind::Associate { body, header, .. } => {
                self.in_scope_at(header.end, |k| k.block(body));
            }
            StmtKind::Block {
                spec, body, header, ..
            } => self.in_scope_at(header.end, |k| {
                k.declarations(spec, false);
                k.cray_pointers(spec, body);
                k.block(body);
            }),
            StmtKind::CufKernel(k) => self.cuf_kernel(k),
            _ => {}
        }
    }

    /// A branch of a conditional, which never runs if `dead`.
    fn branch(&mut self, dead: bool, check: impl FnOnce(&mut Self)) {
        let saved = self.never_runs;
        self.never_runs |= dead;
        check(self);
        self.never_runs = saved;
    }

    fn constant_condition(&self, condition: &ast::Expr) -> Option<bool> {
        self.expr(condition).as_condition()
    }

    /// For each case whether the constant selector of SELECT CASE is none of its values.
    fn excluded_cases(&self, select: &Select) -> Vec<bool> {
        let number = |e: &ast::Expr| match self.expr(e).value {
            Some(Constant::Integer(n, _)) => Some(n),
            Some(Constant::Logical(b, _)) => Some(b.into()),
            _ => None,
        };
        let selector = match select.kind {
            SelectKind::Case => number(&select.selector),
            _ => None,
        };
        let has = |c: &Case| match (&c.guard, selector) {
            (CaseGuard::Values(values), Some(selector)) => {
                let mut matches = values.iter().map(|v| Some(number(v)? == selector));
                matches.try_fold(false, |any, m| Some(any | m?))
            }
            _ => None,
        };
        let found: Vec<Option<bool>> = select.cases.iter().map(has).collect();
        let chosen = found.contains(&Some(true));
        let default = |c: &Case| matches!(c.guard, CaseGuard::Default);
        let cases = select.cases.iter().zip(found);
        cases
            .map(|(c, found)| found == Some(false) || chosen && default(c))
            .collect()
    }

    /// Notes the variable of a DO loop.
    fn counts(&mut self, d: &Do) -> bool {
        let DoControl::Counted { var, .. } = &d.control else {
            return false;
        };
        let symbol = self.model.lookup(self.scope, &var.text);
        self.counting.extend(symbol);
        symbol.is_some()
    }
}
