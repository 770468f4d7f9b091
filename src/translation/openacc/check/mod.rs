//! The rules of OpenACC.

mod atomic;
mod body;
mod branches;
mod checker;
mod clauses;
mod data;
mod declarative;
mod loops;
mod nesting;
mod reductions;

use super::directive::Kind;
use super::regions::{Region, UnitRegions};
use crate::sema::Finding;
use crate::sema::model::{FileId, Model};
use checker::{Checker, Known};

/// A file with its directives.
#[derive(Clone, Copy, Debug)]
pub struct FileRegions<'a> {
    pub file: FileId,
    /// The text that was parsed.
    pub text: &'a str,
    pub regions: &'a [UnitRegions<'a>],
}

/// Checks the directives of all files.
pub fn check(model: &Model, files: &[FileRegions<'_>]) -> Vec<Finding> {
    let mut known = Known::default();
    for f in files {
        known.collect(model, f);
    }
    let mut findings = Vec::new();
    for f in files {
        let mut own = Vec::new();
        for u in f.regions {
            let Some(scope) = model.scope_at(f.file, u.unit.span.start) else {
                continue;
            };
            let mut checker = Checker {
                model,
                file: f.file,
                text: f.text,
                known: &known,
                unit: u.unit,
                scope,
                chain: Vec::new(),
                findings: Vec::new(),
            };
            checker.unit(u);
            own.append(&mut checker.findings);
        }
        own.sort_by_key(|f| (f.span.start, f.span.end));
        own.dedup();
        findings.append(&mut own);
    }
    findings
}

impl<'a> Checker<'a> {
    fn unit(&mut self, u: &'a UnitRegions<'a>) {
        for r in &u.regions {
            self.region(r);
        }
        self.branches(u);
    }

    fn region(&mut self, r: &'a Region<'a>) {
        let d = r.directive;
        let scope = self.model.scope_at(self.file, d.span.start);
        let Some(scope) = scope else { return };
        self.scope = scope;
        self.clauses(d);
        if let Some(end) = r.end {
            self.clauses(end);
        }
        self.data_clauses(d);
        self.reductions(d);
        self.nesting(d);
        if d.kind.is_loop() {
            self.associated_loops(r);
        }
        match d.kind {
            Kind::Atomic(kind) => self.atomic(r, kind),
            Kind::Routine => self.routine(d),
            Kind::Declare => self.declare(d),
            _ => {}
        }
        self.chain.push(r);
        if d.kind.is_compute()
            && self
                .chain
                .iter()
                .filter(|c| c.directive.kind.is_compute())
                .count()
                == 1
        {
            self.compute_body(r);
        }
        for c in &r.children {
            self.region(c);
        }
        self.chain.pop();
    }
}
