//! What all parts of the rewriting share: the text, its places, and the edits.

use std::collections::{BTreeMap, BTreeSet};

use super::environment::{Liveness, PrivateArray, ReducedArray};
use super::program::Program;
use crate::ast::{self, ProgramUnit, Span, UnitKind};
use crate::sema::Finding;
use crate::sema::expression::typed::TExpr;
use crate::sema::library::runtime_modules::OPENACC_RUNTIME;
use crate::sema::model::{FileId, Model, ScopeId, Space, SymbolId, Type, VarAttrs};
use crate::source::{Rewrite, SourceText};
use crate::translation::openacc::directive::Directive;
use crate::translation::openacc::lines::joined;

/// A designator in a data clause of a construct around a place.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub(super) root: SymbolId,
    /// Component names behind it.
    pub(super) path: Vec<String>,
    /// The clause makes it present: neither `deviceptr` nor a variable that is on the device anyway.
    pub(super) is_mapped: bool,
}

pub(super) struct Rewriter<'a> {
    pub(super) model: &'a Model,
    pub(super) file: FileId,
    pub(super) name: &'a str,
    pub(super) source: &'a SourceText,
    pub(super) program: &'a Program,
    pub(super) out: Vec<Rewrite>,
    pub(super) findings: Vec<Finding>,
    /// What data constructs around the place list.
    pub(super) listed: Vec<Listed>,
    /// The unit calls the runtime.
    pub(super) uses_runtime: bool,
    /// The unit is a procedure that the threads of a block execute together.
    pub(super) is_shared_unit: bool,
    /// The names in clauses of executable directives, with their places.
    pub(super) clause_names: Vec<(u32, String)>,
    /// The same without those of which each iteration has its own.
    pub(super) names_read: Vec<(u32, String)>,
    /// The scalars that are read behind loops, of units by their places.
    pub(super) live: BTreeMap<u32, Liveness>,
    /// Where executable directives stand, in order.
    pub(super) executable_at: Vec<u32>,
    /// Where the compute construct begins; 0 outside.
    pub(super) construct_at: u32,
    /// Inside a `kernels` construct.
    pub(super) in_kernels: bool,
    pub(super) unit: Option<&'a ProgramUnit>,
    /// The loops of `kernels` that are shared among threads, by their place.
    pub(super) shared: BTreeMap<u32, SharedLoop>,
    /// Names made so far, and those of the text that look like them.
    pub(super) made: BTreeSet<String>,
    /// The units that use the runtime's module by now, by their place.
    pub(super) using: BTreeSet<u32>,
    /// The variables that loops of the construct have for themselves, by the loops' places.
    pub(super) private_in: BTreeMap<u32, BTreeSet<SymbolId>>,
    /// How its private arrays are declared.
    pub(super) private_arrays: BTreeMap<SymbolId, PrivateArray>,
    pub(super) reduced_arrays: Vec<ReducedArray>,
    /// The compute constructs of the file.
    pub(super) computed: Vec<Span>,
}

/// A loop of `kernels` that is shared.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedLoop {
    /// Scalars that each iteration has for itself.
    pub private: Vec<SymbolId>,
    /// `reduce` clauses that its directive does not have.
    pub reductions: Vec<(SymbolId, &'static str)>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn add_use(&mut self, u: &ProgramUnit) {
        if !self.using.insert(u.span.start) {
            return;
        }
        let at = u.header.end;
        let text = format!("\n{}  use {OPENACC_RUNTIME}", self.indent(u.header.start));
        match u.kind {
            UnitKind::Program if u.header.start == u.header.end => {
                let start = u.spec.first().map(|d| d.span.start);
                let start = start.or(u.body.first().map(ast::Stmt::start));
                let start = start.unwrap_or(u.span.start);
                self.insert(
                    start,
                    format!("use {OPENACC_RUNTIME}\n{}", self.indent(start)),
                );
            }
            _ => self.insert(at, text),
        }
    }

    /// The line before which statements come first in the unit: before its first statement, and the directives in front of that.
    pub(super) fn first_line(&self, u: &ProgramUnit) -> Option<u32> {
        let is_declaration = |s: &&ast::Stmt| {
            matches!(
                s.kind,
                ast::StmtKind::Decl(_) | ast::StmtKind::Format | ast::StmtKind::Entry(_)
            )
        };
        let end = u.contains.unwrap_or(u.end).start;
        let first = u.body.iter().find(|s| !is_declaration(s));
        let first = first.map_or(end, ast::Stmt::start);
        let from = u.spec.last().map_or(u.header.end, |d| d.span.end);
        let directive = self
            .executable_at
            .iter()
            .find(|at| **at >= from && **at < first);
        Some(self.line_start(*directive.unwrap_or(&first)))
    }

    pub(super) fn slice(&self, span: Span) -> &'a str {
        let text = self.source.text.get(span.start as usize..span.end as usize);
        text.unwrap_or_default()
    }

    /// The text of an expression on one line.
    pub(super) fn text_of(&self, e: &ast::Expr) -> String {
        let text = self.slice(e.span);
        // A variable for which its common block is written.
        if let Some(n) = e.as_name().filter(|n| !n.text.eq_ignore_ascii_case(text)) {
            return n.text.to_string();
        }
        if !text.contains('\n') {
            return text.to_owned();
        }
        joined(text)
    }

    pub(super) fn line_start(&self, at: u32) -> u32 {
        let before = self.source.text.get(..at as usize).unwrap_or_default();
        before.rfind('\n').map_or(0, |i| i as u32 + 1)
    }

    pub(super) fn indent(&self, at: u32) -> &'a str {
        let start = self.line_start(at);
        let line = self.source.text.get(start as usize..).unwrap_or_default();
        let end = line
            .find(|c: char| c != ' ' && c != '\t')
            .unwrap_or_default();
        line.get(..end).unwrap_or_default()
    }

    pub(super) fn insert(&mut self, at: u32, text: String) {
        let span = Span { start: at, end: at };
        self.out.push(Rewrite::new(span, text));
    }

    /// Lines behind a statement.
    pub(super) fn insert_after(&mut self, end: u32, indent: &str, lines: &[String]) {
        if !lines.is_empty() {
            let text: String = lines.iter().map(|l| format!("\n{indent}{l}")).collect();
            self.insert(end, text);
        }
    }

    /// Whole lines in place of a directive, which fills its lines.
    pub(super) fn replace_lines(&mut self, span: Span, lines: &[String]) {
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

    pub(super) fn remove(&mut self, d: &Directive) {
        self.replace_lines(d.span, &[]);
    }

    pub(super) fn scope(&self, at: u32) -> Option<ScopeId> {
        self.model.scope_at(self.file, at)
    }

    pub(super) fn typed(&self, e: &ast::Expr) -> Option<TExpr> {
        Some(self.model.expr(self.scope(e.span.start)?, e))
    }

    /// The place for messages at run time, as a character constant: `'heat.cuf:12: u'`.
    pub(super) fn place(&self, at: u32, designator: &str) -> String {
        let line = self.source.position(at).line;
        let text = format!("{}:{line}: {designator}", self.name);
        format!("'{}'", text.replace('\'', "''"))
    }

    /// A name that the file does not have.
    pub(super) fn name(&mut self, stem: &str) -> String {
        let taken = |n: &str| self.made.contains(n);
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

    pub(super) fn report(&mut self, span: Span, code: &'static str, message: impl Into<String>) {
        let finding = Finding::new(code, self.file, span, message.into());
        self.findings.push(finding);
    }

    /// A type as declarations write it.
    pub(super) fn type_text(&self, ty: &Type) -> Option<String> {
        Some(match ty {
            Type::Integer(k) => format!("integer({k})"),
            Type::Real(k) => format!("real({k})"),
            Type::Complex(k) => format!("complex({k})"),
            Type::Logical(k) => format!("logical({k})"),
            Type::Derived(t) => format!("type({})", self.model[*t].name),
            Type::Character(crate::sema::model::CharacterLength::Constant(n)) => {
                format!("character({n})")
            }
            _ => return None,
        })
    }

    /// Memory that OpenACC's data clauses have nothing to do with.
    pub(super) fn is_on_device(&self, t: &TExpr) -> bool {
        let space = self.model.space(t);
        space.is_some_and(|s| !matches!(s, Space::Host | Space::Pinned | Space::Thread))
    }

    pub(super) fn is_optional(&self, s: SymbolId) -> bool {
        let v = self.model.variable(s);
        v.is_some_and(|v| v.attrs.has(VarAttrs::OPTIONAL))
    }
}
