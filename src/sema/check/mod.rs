//! The restrictions of CUDA Fortran (guide 2 and 3; docs/decisions.md), checked over a whole program.
//!
//! One file per group of rules; every rule has its own code `CUF03xx`. A rule reports what is certainly wrong: what cannot be
//! decided (an entity of a module that is not in the program) passes.

mod actual;
mod api;
mod cufloop;
mod declaration;
mod device;
mod generic;
mod host;
mod library;
mod procedure;
mod standard;
mod stored;
mod transfer;
mod written;

use rayon::prelude::*;

use super::model::*;
use super::typed::*;
use super::{Finding, Input};
use crate::ast::{self, *};

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
    let findings: Vec<Vec<Finding>> = units
        .into_par_iter()
        .map(|(i, unit, scope)| {
            let checker = || Checker {
                model,
                inputs,
                file: FileId(i as u32),
                text: inputs[i].text,
                scope: ScopeId(0),
                context: CodeContext::Host,
                findings: Vec::new(),
                loop_start: 0,
                labels: Vec::new(),
                counting: Vec::new(),
                has_libraries: model.files.iter().any(|f| f.library),
            };
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
    findings.into_iter().flatten().collect()
}

struct Checker<'a> {
    model: &'a Model,
    inputs: &'a [Input<'a>],
    file: FileId,
    text: &'a str,
    scope: ScopeId,
    /// Where the code being checked runs.
    context: CodeContext,
    findings: Vec<Finding>,
    /// Of the CUF loop being checked.
    loop_start: u32,
    /// Labels of the device subprogram or CUF loop being checked.
    labels: Vec<u32>,
    /// Variables of the DO loops around the statement, in device code and CUF loops.
    counting: Vec<SymbolId>,
    /// The program uses modules of CUDA's libraries.
    has_libraries: bool,
}

impl<'a> Checker<'a> {
    fn report(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Finding {
        self.findings.push(Finding {
            code,
            message: message.into(),
            file: self.file,
            span,
            notes: Vec::new(),
            facts: Default::default(),
            help: None,
            warning: false,
        });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    fn report_help(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: &str,
    ) {
        self.report(code, span, message).help = Some(help.to_owned());
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    fn expr(&self, e: &ast::Expr) -> TExpr {
        self.model.expr(self.scope, e)
    }

    fn in_device_code(&self) -> bool {
        self.context == CodeContext::Device
    }

    fn procedure_of(&self, scope: ScopeId) -> Option<&'a Procedure> {
        self.model[scope]
            .symbol
            .and_then(|s| self.model.procedure(s))
    }

    fn child_scope(&self, parent: ScopeId, unit: &ProgramUnit) -> Option<ScopeId> {
        self.model.children_at(parent, unit.span).next()
    }

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
        if self.in_device_code() {
            self.labels = cufloop::labels_in(&unit.body);
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
                self.declarations(&b.spec, false);
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
        match self.context {
            CodeContext::Device => self.device_stmt(s),
            CodeContext::Host => self.host_stmt(s),
            // The rest of it is seen when the device version is lowered.
            CodeContext::HostDevice => self.device_targets(s),
        }
        self.integer_logic(s);
        match &s.kind {
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                for b in branches {
                    self.block(&b.body);
                }
                if let Some(e) = else_block {
                    self.block(&e.body);
                }
            }
            StmtKind::LogicalIf { stmt, .. } => self.stmt(stmt),
            StmtKind::Do(d) => {
                let counted = self.in_device_code() && self.counts(d);
                self.block(&d.body);
                if counted {
                    self.counting.pop();
                }
            }
            StmtKind::Select(sel) => {
                for c in &sel.cases {
                    self.in_scope_at(c.header.end, |k| k.block(&c.body));
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
                k.block(body);
            }),
            StmtKind::CufKernel(k) => self.cuf_kernel(k),
            _ => {}
        }
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

    fn in_scope_at(&mut self, offset: u32, f: impl FnOnce(&mut Self)) {
        let inner = self.model.scope_at(self.file, offset).unwrap_or(self.scope);
        let saved = std::mem::replace(&mut self.scope, inner);
        f(self);
        self.scope = saved;
    }

    /// A designator as it is written, without subscripts: `x`, `p%x`.
    fn root_name(&self, e: &TExpr) -> String {
        let mut depth = 0;
        let mut written = String::new();
        for c in self.slice(e.span).chars() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '&' => {}
                _ if depth == 0 && !c.is_whitespace() => written.push(c),
                _ => {}
            }
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '%');
        let root = e.root().map(|s| self.model[s].spelling.to_string());
        match root {
            Some(root) if written.is_empty() || !written.chars().all(is_name) => root,
            _ => written,
        }
    }

    fn is_device(&self, e: &TExpr) -> bool {
        self.model.space(e).is_some_and(Model::is_device_space)
    }
}
