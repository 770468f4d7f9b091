//! The rules of OpenACC.

mod atomic;
mod body;
mod branches;
mod clauses;
mod data;
mod declarative;
mod loops;
mod nesting;
mod reductions;

use std::collections::{BTreeMap, BTreeSet};

use super::clause::ClauseKind;
use super::directive::{Directive, Kind};
use super::regions::{Region, UnitRegions};
use crate::ast::{Expr, ExprKind, ProgramUnit, Span};
use crate::sema::Finding;
use crate::sema::expression::typed::TExpr;
use crate::sema::model::{FileId, Model, ScopeId, Space, SymbolId, SymbolKind};

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

/// What directives say of names of the whole program.
#[derive(Default)]
struct Known {
    /// Variables in `declare` directives.
    declared: BTreeSet<SymbolId>,
    /// Procedures with a `routine` directive, and the widest loop that their callers leave to them.
    routines: BTreeMap<SymbolId, Option<ClauseKind>>,
}

impl Known {
    fn collect(&mut self, model: &Model, f: &FileRegions<'_>) {
        for r in f.regions.iter().flat_map(|u| &u.regions) {
            let d = r.directive;
            let Some(scope) = model.scope_at(f.file, d.span.start) else {
                continue;
            };
            match d.kind {
                Kind::Declare => {
                    let names = d.clauses.iter().flat_map(|c| c.exprs());
                    let names = names.filter_map(Expr::base_name);
                    let symbols = names.filter_map(|n| model.lookup(scope, &n.text));
                    self.declared.extend(symbols);
                }
                Kind::Routine => {
                    let symbols: Vec<SymbolId> = match d.arguments.is_empty() {
                        true => model[scope].symbol.into_iter().collect(),
                        false => {
                            let names = d.arguments.iter().filter_map(|i| i.word());
                            names.filter_map(|n| model.lookup(scope, n)).collect()
                        }
                    };
                    let levels = [ClauseKind::Gang, ClauseKind::Worker, ClauseKind::Vector];
                    let level = levels.into_iter().find(|l| d.has(*l));
                    self.routines
                        .extend(symbols.into_iter().map(|s| (s, level)));
                }
                _ => {}
            }
        }
    }
}

struct Checker<'a> {
    model: &'a Model,
    file: FileId,
    text: &'a str,
    known: &'a Known,
    unit: &'a ProgramUnit,
    /// Of the directive or statement that is being checked.
    scope: ScopeId,
    /// The regions around, outermost first.
    chain: Vec<&'a Region<'a>>,
    findings: Vec<Finding>,
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

    fn report(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Finding {
        let finding = Finding::new(code, self.file, span, message);
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// The text of an expression without blanks, folded: the same for the same designator.
    fn folded(&self, span: Span) -> String {
        let kept = self.slice(span).chars();
        let kept = kept.filter(|c| !c.is_whitespace() && *c != '&');
        kept.collect::<String>().to_ascii_lowercase()
    }

    fn typed(&self, e: &Expr) -> TExpr {
        self.model.expr(self.scope, e)
    }

    fn designator(&self, e: &Expr) -> TExpr {
        self.model.designator(self.scope, e)
    }

    /// The variable that a designator is a part of; an associate name is the variable of its selector.
    fn root_symbol(&self, e: &Expr) -> Option<SymbolId> {
        let name = e.base_name()?;
        let symbol = self.model.lookup(self.scope, &name.text)?;
        self.model.stands_for(symbol).last()
    }

    /// The compute construct around.
    fn construct(&self) -> Option<&'a Region<'a>> {
        let mut all = self.chain.iter().rev();
        all.find(|r| r.directive.kind.is_compute()).copied()
    }

    /// Data that device code reaches by their declaration.
    fn is_on_device(&self, symbol: SymbolId) -> bool {
        let space = match &self.model[symbol].kind {
            SymbolKind::Variable(v) => Some(v.space),
            SymbolKind::Associate { space, .. } => *space,
            _ => None,
        };
        matches!(
            space,
            Some(
                Space::Device | Space::Managed | Space::Unified | Space::Constant | Space::Texture
            )
        )
    }
}

/// A constant, perhaps with a sign, as it is written.
fn is_name(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Name(_))
}

/// `a`, `b`, and `c`.
fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    match &quoted[..] {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [all @ .., last] => format!("{}, and {last}", all.join(", ")),
    }
}

/// The directive as a note names it.
fn name_of(d: &Directive) -> &'static str {
    d.kind.name()
}
