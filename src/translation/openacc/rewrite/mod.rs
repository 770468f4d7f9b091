//! OpenACC as CUDA Fortran: the text of a program with its directives replaced by what they mean.
//!
//! Loop nests become CUF loops whose data the launcher looks up in the present table (clause `present`), data clauses become calls of
//! module `cuf_openacc`, and so on. What comes out is translated like any other CUDA Fortran, so that there is one way in which a loop
//! becomes a kernel. Places in the new text are those of the user's.

mod array_reduction;
mod array_statement;
mod compute;
mod data;
mod declared;
mod environment;
mod host_data;
mod kernels;
mod launch;
mod liveness;
mod nest;
mod private;
mod program;
mod references;
mod rewriter;
mod routine;

use std::collections::{BTreeMap, BTreeSet};

use data::conditional;
use program::Program;
pub use program::View;
use rewriter::Rewriter;

use super::clause::ClauseKind;
use super::directive::{Clause, Kind};
use super::regions::{Region, UnitRegions};
use crate::ast::{self, ProgramUnit, UnitKind};
use crate::sema::Finding;
use crate::sema::model::{FileId, Model};
use crate::source::Rewrite;

/// What became of a program.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// By file.
    pub rewrites: Vec<Vec<Rewrite>>,
    pub findings: Vec<Finding>,
    /// Modules and their variables that are declared on the device.
    pub present: Vec<(String, String)>,
}

/// Rewrites the files of a program.
pub fn rewrite(model: &Model, files: &[View<'_, '_>]) -> Rewritten {
    let program = Program::of(model, files);
    let mut rewrites = Vec::new();
    let mut findings = Vec::new();
    for (i, f) in files.iter().enumerate() {
        let mut all = Rewriter {
            model,
            file: FileId(i as u32),
            name: f.name,
            source: f.source,
            program: &program,
            out: Vec::new(),
            findings: Vec::new(),
            listed: Vec::new(),
            uses_runtime: false,
            is_shared_unit: false,
            in_kernels: false,
            construct_at: 0,
            executable_at: Vec::new(),
            clause_names: Vec::new(),
            names_read: Vec::new(),
            live: BTreeMap::new(),
            unit: None,
            shared: BTreeMap::new(),
            made: generated_names(&f.source.text),
            using: BTreeSet::new(),
            private_in: BTreeMap::new(),
            private_arrays: BTreeMap::new(),
            reduced_arrays: Vec::new(),
            computed: Vec::new(),
        };
        for u in f.units {
            all.executable_at.extend(u.regions.iter().map(|r| {
                let d = r.directive;
                match d.kind {
                    Kind::Declare | Kind::Routine => u32::MAX,
                    _ => d.span.start,
                }
            }));
        }
        all.executable_at.sort_unstable();
        for r in f.units.iter().flat_map(|u| &u.regions) {
            r.for_each(&mut |c| {
                let d = c.directive;
                if d.kind.is_compute() {
                    all.computed.push(c.span());
                }
                if d.kind == Kind::Declare {
                    return;
                }
                for c in &d.clauses {
                    let names = c.exprs().flat_map(ast::places::names_of);
                    let places: Vec<(u32, String)> =
                        names.map(|n| (n.span.start, n.text.to_string())).collect();
                    if !liveness::is_of_iterations(c.kind) {
                        all.names_read.extend(places.iter().cloned());
                    }
                    all.clause_names.extend(places);
                }
            });
        }
        for u in f.units {
            all.unit(u);
        }
        for u in &f.tree.units {
            all.uses_runtime = false;
            all.procedures(u);
        }
        all.out.sort_by_key(|r| (r.span.start, r.span.end));
        rewrites.push(all.out);
        findings.extend(all.findings);
    }
    Rewritten {
        rewrites,
        findings,
        present: program.module_data(model),
    }
}

impl<'a> Rewriter<'a> {
    fn unit(&mut self, u: &UnitRegions<'a>) {
        self.uses_runtime = false;
        self.listed.clear();
        self.unit = Some(u.unit);
        let symbol = self.scope(u.unit.end.start);
        let symbol = symbol.and_then(|s| self.model[s].symbol);
        let routine = symbol.and_then(|s| self.program.routine(self.model, s));
        self.is_shared_unit = routine.is_some_and(|r| r.is_shared);
        let first = u
            .unit
            .body
            .first()
            .map_or(u.unit.end.start, ast::Stmt::start);
        self.declared_regions(u);
        for r in &u.regions {
            match r.directive.kind {
                Kind::Declare | Kind::Routine => self.declarative(r.directive),
                _ if r.directive.span.start < first && is_module(u.unit) => {
                    self.remove(r.directive)
                }
                _ => self.region(r),
            }
        }
        if self.uses_runtime {
            self.add_use(u.unit);
        }
    }

    fn region(&mut self, r: &Region<'a>) {
        let d = r.directive;
        match d.kind {
            k if k.is_compute() => self.construct(r),
            Kind::Data => self.data_region(r),
            Kind::HostData => self.host_data(r),
            Kind::EnterData
            | Kind::ExitData
            | Kind::Update
            | Kind::Wait
            | Kind::Init
            | Kind::Shutdown
            | Kind::Set => {
                let lines = self.executable(d);
                self.replace_lines(d.span, &lines);
            }
            // In a procedure that the device executes.
            Kind::Loop | Kind::Atomic(_) | Kind::Cache => {
                let shared = self.is_shared_unit;
                self.inside(std::slice::from_ref(r), shared);
            }
            // Of device code, and those that have been dealt with.
            _ => {}
        }
    }

    /// `!$acc data`
    fn data_region(&mut self, r: &Region<'a>) {
        let d = r.directive;
        let before = self.listed.len();
        let queue = self.queue(d);
        let calls = self.clauses(d, queue.as_deref(), true);
        let waits = self.waits(d, queue.as_deref());
        let mut enter = waits;
        enter.extend(calls.enter);
        let mut exit = calls.exit;
        let condition = d.clause(ClauseKind::If).and_then(Clause::value);
        if let Some(c) = condition {
            let name = self.name("when");
            let c = self.text_of(c);
            let inner = std::mem::take(&mut enter);
            enter = vec![
                "block".to_owned(),
                format!("  logical :: {name}"),
                format!("  {name} = {c}"),
            ];
            enter.extend(conditional(&name, inner));
            exit = conditional(&name, exit);
            exit.push("end block".to_owned());
        }
        self.replace_lines(d.span, &enter);
        self.children(r);
        match r.end {
            Some(e) => self.replace_lines(e.span, &exit),
            None => {
                let indent = self.indent(d.span.start);
                self.insert_after(r.span().end, indent, &exit);
            }
        }
        self.listed.truncate(before);
    }

    pub(super) fn children(&mut self, r: &Region<'a>) {
        for c in &r.children {
            self.region(c);
        }
    }
}

fn is_module(u: &ProgramUnit) -> bool {
    matches!(u.kind, UnitKind::Module | UnitKind::Submodule { .. })
}

/// The words of a text that look like generated names, which are made beside them.
fn generated_names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words = words.map(str::to_ascii_lowercase);
    words.filter(|w| w.contains("_acc")).collect()
}
