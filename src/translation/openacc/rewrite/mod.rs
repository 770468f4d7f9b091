//! OpenACC as CUDA Fortran: the text of a program with its directives replaced by what they mean.
//!
//! Loop nests become CUF loops whose data the launcher looks up in the present table (clause `present`), data clauses become calls of
//! module `cuf_openacc`, and so on. What comes out is translated like any other CUDA Fortran, so that there is one way in which a loop
//! becomes a kernel. Places in the new text are those of the user's.

mod compute;
mod data;
mod host_data;
mod kernels;
mod nest;
mod program;
mod references;
mod routine;

use std::collections::{BTreeMap, BTreeSet};

use super::directive::{Directive, Kind};
use kernels::SharedLoop;
use program::Program;

use super::regions::{Region, UnitRegions};
use crate::ast::{self, ProgramUnit, Span, UnitKind};
use crate::sema::Finding;
use crate::sema::expression::typed::TExpr;
use crate::sema::model::{FileId, Model, ScopeId, Space, SymbolId, VarAttrs};
use crate::source::{Rewrite, SourceText};

/// The module of the runtime whose procedures stand for data directives.
const MODULE: &str = "cuf_openacc";

/// A file of the program.
#[derive(Clone, Copy)]
pub struct View<'v, 'a> {
    /// What messages at run time call it.
    pub name: &'v str,
    pub source: &'a SourceText,
    pub tree: &'a ast::File,
    pub units: &'v [UnitRegions<'a>],
}

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
            unit: None,
            shared: BTreeMap::new(),
            made: BTreeSet::new(),
            using: BTreeSet::new(),
        };
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

/// A designator in a data clause of a construct around a place.
#[derive(Clone, Debug)]
struct Listed {
    root: SymbolId,
    /// Component names behind it.
    path: Vec<String>,
    /// The clause makes it present: neither `deviceptr` nor a variable that is on the device anyway.
    is_mapped: bool,
}

struct Rewriter<'a> {
    model: &'a Model,
    file: FileId,
    name: &'a str,
    source: &'a SourceText,
    program: &'a Program,
    out: Vec<Rewrite>,
    findings: Vec<Finding>,
    /// What data constructs around the place list.
    listed: Vec<Listed>,
    /// The unit calls the runtime.
    uses_runtime: bool,
    /// The unit is a procedure that the threads of a block execute together.
    is_shared_unit: bool,
    unit: Option<&'a ProgramUnit>,
    /// The loops of `kernels` that are shared among threads, by their place.
    shared: BTreeMap<u32, SharedLoop>,
    /// Names made so far.
    made: BTreeSet<String>,
    /// The units that use the runtime's module by now, by their place.
    using: BTreeSet<u32>,
}

impl<'a> Rewriter<'a> {
    fn unit(&mut self, u: &UnitRegions<'a>) {
        self.uses_runtime = false;
        self.listed.clear();
        self.unit = Some(u.unit);
        let symbol = self.scope(u.unit.end.start);
        let symbol = symbol.and_then(|s| self.model[s].symbol);
        let routine = symbol.and_then(|s| self.program.routines.get(&s));
        self.is_shared_unit = routine.is_some_and(|r| r.is_shared);
        let first = u
            .unit
            .body
            .first()
            .map_or(u.unit.end.start, ast::Stmt::start);
        for r in &u.regions {
            match r.directive.kind {
                Kind::Declare | Kind::Routine => self.declarative(u, r),
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
            Kind::EnterData | Kind::ExitData | Kind::Update | Kind::Wait => {
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

    fn children(&mut self, r: &Region<'a>) {
        for c in &r.children {
            self.region(c);
        }
    }

    fn add_use(&mut self, u: &ProgramUnit) {
        if !self.using.insert(u.span.start) {
            return;
        }
        let at = u.header.end;
        let text = format!("\n{}  use {MODULE}", self.indent(u.header.start));
        match u.kind {
            UnitKind::Program if u.header.start == u.header.end => {
                let start = u.spec.first().map(|d| d.span.start);
                let start = start.or(u.body.first().map(ast::Stmt::start));
                let start = start.unwrap_or(u.span.start);
                self.insert(start, format!("use {MODULE}\n{}", self.indent(start)));
            }
            _ => self.insert(at, text),
        }
    }

    fn slice(&self, span: Span) -> &'a str {
        let text = self.source.text.get(span.start as usize..span.end as usize);
        text.unwrap_or_default()
    }

    /// The text of an expression on one line.
    fn text_of(&self, e: &ast::Expr) -> String {
        let text = self.slice(e.span);
        if !text.contains('\n') {
            return text.to_owned();
        }
        let lines = text.lines().map(|l| {
            let l = l.split('!').next().unwrap_or_default().trim();
            l.trim_start_matches('&').trim_end_matches('&').trim()
        });
        lines.collect::<Vec<_>>().join(" ")
    }

    fn line_start(&self, at: u32) -> u32 {
        let before = self.source.text.get(..at as usize).unwrap_or_default();
        before.rfind('\n').map_or(0, |i| i as u32 + 1)
    }

    fn indent(&self, at: u32) -> &'a str {
        let start = self.line_start(at);
        let line = self.source.text.get(start as usize..).unwrap_or_default();
        let end = line
            .find(|c: char| c != ' ' && c != '\t')
            .unwrap_or_default();
        line.get(..end).unwrap_or_default()
    }

    fn insert(&mut self, at: u32, text: String) {
        let span = Span { start: at, end: at };
        self.out.push(Rewrite::new(span, text));
    }

    /// Lines behind a statement.
    fn insert_after(&mut self, end: u32, indent: &str, lines: &[String]) {
        if !lines.is_empty() {
            let text: String = lines.iter().map(|l| format!("\n{indent}{l}")).collect();
            self.insert(end, text);
        }
    }

    /// Whole lines in place of a directive, which fills its lines.
    fn replace_lines(&mut self, span: Span, lines: &[String]) {
        let indent = self.indent(span.start);
        let start = self.line_start(span.start);
        let rest = self
            .source
            .text
            .get(span.end as usize..)
            .unwrap_or_default();
        let end = rest
            .find('\n')
            .map_or(span.end + rest.len() as u32, |i| span.end + i as u32 + 1);
        let text: String = lines.iter().map(|l| format!("{indent}{l}\n")).collect();
        self.out.push(Rewrite::new(Span { start, end }, text));
    }

    fn remove(&mut self, d: &Directive) {
        self.replace_lines(d.span, &[]);
    }

    fn scope(&self, at: u32) -> Option<ScopeId> {
        self.model.scope_at(self.file, at)
    }

    fn typed(&self, e: &ast::Expr) -> Option<TExpr> {
        Some(self.model.expr(self.scope(e.span.start)?, e))
    }

    /// The place for messages at run time, as a character constant: `'heat.cuf:12: u'`.
    fn place(&self, at: u32, designator: &str) -> String {
        let line = self.source.position(at).line;
        let text = format!("{}:{line}: {designator}", self.name);
        format!("'{}'", text.replace('\'', "''"))
    }

    /// A name that the file does not have.
    fn name(&mut self, stem: &str) -> String {
        let text = self.source.text.to_ascii_lowercase();
        let taken = |n: &str| self.made.contains(n) || text.contains(n);
        let stem = format!("{stem}_acc");
        let mut found = stem.clone();
        let mut k = 1;
        while taken(&found) {
            k += 1;
            found = format!("{stem}{k}");
        }
        self.made.insert(found.clone());
        found
    }

    fn report(&mut self, span: Span, code: &'static str, message: impl Into<String>) {
        let finding = Finding::new(code, self.file, span, message.into());
        self.findings.push(finding);
    }

    /// Memory that OpenACC's data clauses have nothing to do with.
    fn is_on_device(&self, t: &TExpr) -> bool {
        let space = self.model.space(t);
        space.is_some_and(|s| !matches!(s, Space::Host | Space::Pinned | Space::Thread))
    }

    fn is_optional(&self, s: SymbolId) -> bool {
        let v = self.model.variable(s);
        v.is_some_and(|v| v.attrs.has(VarAttrs::OPTIONAL))
    }
}

fn is_module(u: &ProgramUnit) -> bool {
    matches!(u.kind, UnitKind::Module | UnitKind::Submodule { .. })
}
