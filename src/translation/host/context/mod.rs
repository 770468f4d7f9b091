//! What the rules of the host side share: the text, its edits, the sink of findings, and where the walk is.

pub(in crate::translation::host) mod edit;
pub mod flows;
pub(in crate::translation::host) mod generated;
pub(in crate::translation::host) mod memory;
pub mod names;
pub(in crate::translation::host) mod rules;
pub(in crate::translation::host) mod storage;
pub(in crate::translation::host) mod visible;

use std::collections::{BTreeMap, BTreeSet};

use crate::abi::{LauncherOf, LauncherSignature};
use crate::ast::{self, ProgramUnit, Span, Stmt};
use crate::host::context::edit::{EditList, join_lines, wrap_line};
use crate::host::context::flows::{Flows, Reached};
use crate::host::launch::direct::{Barred, Direct};
use crate::host::lifetime::types::Owners;
use crate::map::Rule;
use crate::sema::Finding;
use crate::sema::expression::typed::TExpr;
use crate::sema::model::*;

pub(in crate::translation::host) type Modules = BTreeSet<ScopeId>;

/// The procedures of a file that were declared pure.
#[derive(Debug, Default)]
pub struct Purity {
    /// Those that no longer are.
    pub lost: Vec<SymbolId>,
    /// The others, with the procedures that they refer to or contain.
    pub kept: Vec<(SymbolId, BTreeSet<SymbolId>)>,
}

/// The procedures that are generated for types, by name.
#[derive(Debug, Default)]
pub struct Helpers {
    /// Those written that go where nothing calls them, with those that they call.
    pub made: BTreeMap<String, BTreeSet<String>>,
    /// Those that other code calls.
    pub called: BTreeSet<String>,
}

impl Helpers {
    /// Of a whole program those that nothing calls.
    pub fn needless<'h>(files: impl Iterator<Item = &'h Helpers> + Clone) -> BTreeSet<String> {
        let made: BTreeMap<&String, &BTreeSet<String>> =
            files.clone().flat_map(|h| &h.made).collect();
        let mut called: BTreeSet<&String> = BTreeSet::new();
        let mut todo: Vec<&String> = files.flat_map(|h| &h.called).collect();
        while let Some(name) = todo.pop() {
            if called.insert(name) {
                todo.extend(made.get(name).into_iter().copied().flatten());
            }
        }
        let needless = made.keys().filter(|name| !called.contains(*name));
        needless.map(|name| (*name).clone()).collect()
    }
}

/// What is collected while one outermost program unit is walked.
#[derive(Default)]
pub(in crate::translation::host) struct UnitState {
    /// Names of `cuf_runtime` are used.
    pub(in crate::translation::host) runtime: bool,
    /// Names of the file's shim module are used.
    pub(in crate::translation::host) shims: bool,
    /// USE statements for single names.
    pub(in crate::translation::host) extra_uses: BTreeSet<String>,
    /// Modules whose bound device data the procedure being walked mentions.
    pub(in crate::translation::host) bound: Modules,
    /// User procedures that it refers to.
    pub(in crate::translation::host) refers: BTreeSet<SymbolId>,
    /// Statements at its beginning that let addresses escape.
    pub(in crate::translation::host) given_away: BTreeSet<String>,
}

/// A procedure or BLOCK that is being walked, with its clean-up, or a construct that EXIT and CYCLE can mean.
#[derive(Default)]
pub(in crate::translation::host) struct Exit {
    /// Statements that free its local device data.
    pub(in crate::translation::host) statements: Vec<String>,
    /// The variables that they name.
    pub(in crate::translation::host) freed: Vec<SymbolId>,
    /// The frame is a procedure (RETURN leaves it), not a BLOCK.
    pub(in crate::translation::host) procedure: bool,
    /// The frame is a loop.
    pub(in crate::translation::host) is_loop: bool,
    /// Name of the construct.
    pub(in crate::translation::host) name: Option<String>,
    /// Labels of the statements inside a BLOCK.
    pub(in crate::translation::host) labels: Vec<u32>,
    /// Variables that generated code holds in it.
    pub(in crate::translation::host) held: Vec<String>,
}

pub(in crate::translation::host) struct HostRewriter<'a> {
    pub(in crate::translation::host) model: &'a Model,
    pub(in crate::translation::host) file: FileId,
    pub(in crate::translation::host) text: &'a str,
    /// OpenMP directives count.
    pub(in crate::translation::host) openmp: bool,
    /// See [`crate::host::Setting::impure`].
    pub(in crate::translation::host) impure: &'a BTreeSet<SymbolId>,
    pub(in crate::translation::host) purity: Purity,
    /// See [`crate::host::Setting::needless`].
    pub(in crate::translation::host) needless: &'a BTreeSet<String>,
    pub(in crate::translation::host) helpers: Helpers,
    /// See [`crate::host::HostFile::divided`].
    pub(in crate::translation::host) divided: BTreeSet<TypeId>,
    /// See [`crate::host::Setting::divided`].
    pub(in crate::translation::host) asked_divided: Option<&'a BTreeSet<TypeId>>,
    /// See [`crate::host::HostFile::exposed`].
    pub(in crate::translation::host) exposed: BTreeSet<TypeId>,
    /// See [`crate::host::Setting::exposed`].
    pub(in crate::translation::host) asked_exposed: Option<&'a BTreeSet<TypeId>>,
    /// See [`crate::host::Setting::separate`].
    pub(in crate::translation::host) separate: bool,
    /// See [`crate::host::Setting::checked`].
    pub(in crate::translation::host) checked: bool,
    /// See [`crate::host::Setting::keep_loops`].
    pub(in crate::translation::host) keep_loops: bool,
    /// Name of the file's CUDA C++.
    pub(in crate::translation::host) device_file: String,
    /// Of this file.
    pub(in crate::translation::host) signatures: BTreeMap<LauncherOf, &'a LauncherSignature>,
    pub(in crate::translation::host) accessors: &'a [SymbolId],
    /// Types that own device data.
    pub(in crate::translation::host) owners: Owners<'a>,
    /// Name of the file's shim module.
    pub(in crate::translation::host) shims: String,
    pub(in crate::translation::host) edits: EditList,
    /// See [`crate::host::HostFile::kernels_by_name`].
    pub(in crate::translation::host) kernels_by_name: BTreeSet<String>,
    pub(in crate::translation::host) any_kernel: bool,
    /// See [`crate::host::Setting::direct_but`].
    pub(in crate::translation::host) direct_but: Option<&'a Barred>,
    /// See [`crate::host::Setting::conditional`].
    pub(in crate::translation::host) conditional: &'a (dyn Fn(u32) -> bool + Sync),
    pub(in crate::translation::host) interrupted: &'a (dyn Fn(u32, u32) -> bool + Sync),
    pub(in crate::translation::host) direct: Direct,
    pub(in crate::translation::host) findings: Vec<Finding>,
    /// Scope of the statement that is being walked.
    pub(in crate::translation::host) scope: ScopeId,
    /// The statement or declaration being walked.
    pub(in crate::translation::host) statement: Span,
    pub(in crate::translation::host) unit: UnitState,
    pub(in crate::translation::host) exits: Vec<Exit>,
    /// Results that variables hold while the statement being walked runs; None where a statement cannot have such.
    pub(in crate::translation::host) held: Option<Vec<Held>>,
    /// Host copies of arrays that the WHERE construct around holds for its assignments; None elsewhere.
    pub(in crate::translation::host) copies: Option<Vec<Held>>,
    /// The last label that a generated statement got; they count down.
    pub(in crate::translation::host) last_label: u32,
    /// The designator being walked stands in the text written more than once.
    pub(in crate::translation::host) repeats: bool,
    /// The construct around the statement whose assignments are of a kind of their own.
    pub(in crate::translation::host) within: Within,
    /// Names that generated text has to do without.
    pub(in crate::translation::host) taken: names::Taken<'a>,
    /// The stream whose work host copies of device data wait for: STREAM= of the reduction that they are arguments of.
    pub(in crate::translation::host) stream: Option<String>,
    /// Variables whose implicit types declarations say, for OpenMP.
    pub(in crate::translation::host) implicit: BTreeSet<SymbolId>,
    /// Where the data of the file's variables goes.
    pub(in crate::translation::host) flows: Flows,
    /// See [`crate::host::Setting::reached`].
    pub(in crate::translation::host) targets: &'a Reached,
    /// See [`externals::called_unseen`].
    pub(in crate::translation::host) called_unseen: BTreeSet<String>,
    /// Names of the unit being walked whose access is given, with PUBLIC (true) or PRIVATE.
    pub(in crate::translation::host) accessed: BTreeSet<(ast::Word, bool)>,
}

/// Constructs in which assignment does not reallocate and is no place for a call of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::translation::host) enum Within {
    #[default]
    Ordinary,
    Where,
    /// FORALL and DO CONCURRENT, which take pure procedures only.
    Pure,
}

impl<'a> HostRewriter<'a> {
    pub(in crate::translation::host) fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    pub(in crate::translation::host) fn finding(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) {
        let finding = Finding::new(code, self.file, span, message);
        self.findings.push(finding);
    }

    /// USE of the file's shim module.
    pub(in crate::translation::host) fn use_shims(&self) -> String {
        let symbols: BTreeSet<&str> = self
            .signatures
            .values()
            .map(|l| l.symbol.as_str())
            .collect();
        self.taken.use_shims(&self.shims, symbols.into_iter())
    }

    pub(in crate::translation::host) fn expr(&self, e: &ast::Expr) -> TExpr {
        self.model.expr(self.scope, e)
    }

    /// Blanks in front of the statement on its line.
    pub(in crate::translation::host) fn indent_at(&self, offset: u32) -> String {
        let start = self.line_start(offset);
        let line = self.text.get(start as usize..).unwrap_or_default();
        let blank = [' ', '\t'];
        let statement = line.trim_start_matches(blank);
        // A label stands before the statement, in the margin or not.
        let unlabelled = statement.trim_start_matches(|c: char| c.is_ascii_digit());
        if unlabelled.len() < statement.len() && unlabelled.starts_with(blank) {
            return " ".repeat(line.len() - unlabelled.trim_start_matches(blank).len());
        }
        line[..line.len() - statement.len()].to_owned()
    }

    /// Offset of the first byte of the line that `offset` stands on.
    pub(in crate::translation::host) fn line_start(&self, offset: u32) -> u32 {
        let before = self.text.get(..offset as usize).unwrap_or_default();
        before.rfind('\n').map_or(0, |i| i as u32 + 1)
    }

    /// Offset after the line end of the line that `offset` stands on.
    pub(in crate::translation::host) fn line_end(&self, offset: u32) -> u32 {
        let after = self.text.get(offset as usize..).unwrap_or_default();
        after
            .find('\n')
            .map_or(self.text.len() as u32, |i| offset + i as u32 + 1)
    }

    /// What stands behind a statement on its line goes to the next one.
    pub(in crate::translation::host) fn end_line(&mut self, end: u32) {
        let rest = self.slice(Span {
            start: end,
            end: self.line_end(end),
        });
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if let Some(next) = rest[blanks..].strip_prefix(';') {
            let next = next.trim_start_matches([' ', '\t']);
            let indent = self.indent_at(end);
            self.edits.replace(
                Rule::ControlFlow,
                Span {
                    start: end,
                    end: end + (rest.len() - next.len()) as u32,
                },
                format!("\n{indent}"),
            );
        }
    }

    /// Removes a statement; its line too if nothing else stands on it.
    pub(in crate::translation::host) fn delete_statement(&mut self, rule: Rule, span: Span) {
        let start = self.line_start(span.start);
        let end = self.line_end(span.end);
        let before = self
            .text
            .get(start as usize..span.start as usize)
            .unwrap_or_default();
        let after = self
            .text
            .get(span.end as usize..end as usize)
            .unwrap_or_default();
        if before.trim().is_empty() && after.trim().is_empty() {
            self.edits.delete(rule, Span { start, end });
        } else if before.trim().is_empty() && after.trim_start().starts_with(';') {
            let semi = after.find(';').unwrap_or(0) as u32 + 1;
            self.edits.delete(
                rule,
                Span {
                    start: span.start,
                    end: span.end + semi,
                },
            );
        } else {
            self.edits.delete(rule, span);
        }
    }

    /// Inserts USE statements (one a line, unindented) at the top of a unit's specification part.
    pub(in crate::translation::host) fn insert_uses(&mut self, unit: &ProgramUnit, uses: &str) {
        let first = unit
            .spec
            .first()
            .map(|d| d.span.start)
            .or(unit.body.first().map(|s| s.span.start));
        let indent = first.map_or_else(|| "  ".to_owned(), |f| self.indent_at(f));
        let text: String = uses.lines().map(|l| format!("{indent}{l}\n")).collect();
        if unit.header.start == unit.header.end {
            // A main program without PROGRAM statement.
            let at = self.line_start(first.unwrap_or(unit.span.start));
            self.edits.insert_foremost(Rule::Use, at, text);
        } else if self
            .slice(Span {
                start: unit.header.end,
                end: self.line_end(unit.header.end),
            })
            .trim_start()
            .starts_with(';')
        {
            self.edits
                .insert(Rule::Use, unit.header.end, format!("\n{}", text.trim_end()));
        } else {
            // The statements of the procedure may begin there.
            let at = self.line_end(unit.header.end);
            self.edits.insert_foremost(Rule::Use, at, text);
        }
    }

    pub(in crate::translation::host) fn procedure_target(&self, scope: ScopeId) -> ProcedureTarget {
        self.model[scope]
            .symbol
            .and_then(|s| self.model.procedure(s))
            .map_or(ProcedureTarget::Host, |p| p.target)
    }

    /// Scope of a contained procedure or interface body.
    pub(in crate::translation::host) fn child_scope(
        &self,
        parent: ScopeId,
        unit: &ProgramUnit,
    ) -> Option<ScopeId> {
        self.model.children_at(parent, unit.span).next()
    }

    /// Puts entry statements in front of the first executable statement, or before `end` if there is none.
    pub(in crate::translation::host) fn insert_entry(
        &mut self,
        rule: Rule,
        first: Option<u32>,
        end: u32,
        lines: &[String],
    ) {
        if lines.is_empty() {
            return;
        }
        self.unit.runtime = true;
        match first {
            Some(at) => {
                // What is said above the first statement, and directives, stay with it.
                let line = self.comments_above(self.line_start(at));
                match self.unit_lines(at, lines) {
                    Some(text) => self.edits.insert_for_unit(rule, line, text),
                    None => self.insert_lines(rule, at, line, lines, 0),
                }
            }
            None => self.insert_before_line(rule, end, lines, 2),
        }
    }

    /// Statements as lines of their own, indented as the one at `at`; None if more than blanks precede that on its line.
    fn unit_lines(&self, at: u32, lines: &[String]) -> Option<String> {
        let before = self.slice(Span {
            start: self.line_start(at),
            end: at,
        });
        let indent = self.indent_at(at);
        let line = |l: &String| wrap_line(&format!("{indent}{l}")) + "\n";
        before
            .trim()
            .is_empty()
            .then(|| lines.iter().map(line).collect())
    }

    /// Start of the first of the comment lines just above a line.
    pub(in crate::translation::host) fn comments_above(&self, mut line: u32) -> u32 {
        while line > 0 {
            let above = self.line_start(line - 1);
            let text = self.slice(Span {
                start: above,
                end: line,
            });
            if !text.trim_start().starts_with('!') {
                break;
            }
            line = above;
        }
        line
    }

    /// Puts statements on lines of their own before the line of `at`, indented by `deeper` more than it.
    pub(in crate::translation::host) fn insert_before_line(
        &mut self,
        rule: Rule,
        at: u32,
        lines: &[String],
        deeper: usize,
    ) {
        self.insert_lines(rule, at, self.line_start(at), lines, deeper);
    }

    /// Puts statements at the line that starts at `line`, or right before `at` if more than blanks precede it on its own.
    pub(in crate::translation::host) fn insert_lines(
        &mut self,
        rule: Rule,
        at: u32,
        line: u32,
        lines: &[String],
        deeper: usize,
    ) {
        if lines.is_empty() {
            return;
        }
        let before = self.slice(Span {
            start: self.line_start(at),
            end: at,
        });
        if before.trim().is_empty() {
            let indent = self.indent_at(at) + &" ".repeat(deeper);
            let text: String = lines
                .iter()
                .map(|l| wrap_line(&format!("{indent}{l}")) + "\n")
                .collect();
            // The call of a CUF loop whose directive begins the line comes after them.
            self.edits.insert_first(rule, line, text);
        } else if let Some(semicolon) = before.trim_end().strip_suffix(';') {
            // Before the semicolon, so that the text of the statement at `at` does not take it in; on lines of their own,
            // for what precedes may become a comment.
            let place = self.line_start(at) + semicolon.len() as u32;
            let indent = self.indent_at(at);
            let text: String = lines
                .iter()
                .map(|l| format!("\n{}", wrap_line(&format!("{indent}{l}"))))
                .collect();
            self.edits.insert(rule, place, text);
        } else {
            self.edits.insert(rule, at, lines.join("; ") + "; ");
        }
    }

    pub(in crate::translation::host) fn is_statement_function(&self, stmt: &ast::Stmt) -> bool {
        let ast::StmtKind::Assign { lhs, .. } = &stmt.kind else {
            return false;
        };
        lhs.base_name()
            .and_then(|n| self.model.lookup(self.scope, &n.text))
            .is_some_and(|s| matches!(self.model[s].kind, SymbolKind::StatementFunction(_)))
    }

    /// The labels in a construct, those of its first and its last statement included.
    pub(in crate::translation::host) fn labels_of(&self, s: &Stmt) -> Vec<u32> {
        let mut labels = Vec::new();
        labels_in(std::slice::from_ref(s), &mut labels);
        let last = self.slice(s.span).lines().last().unwrap_or_default();
        let digits = last
            .trim_start()
            .split(|c: char| !c.is_ascii_digit())
            .next();
        labels.extend(digits.and_then(|d| d.parse::<u32>().ok()));
        labels
    }

    /// Runs `f` with an edit list of its own and gives the edited text of `span`.
    pub(in crate::translation::host) fn with_edits(
        &mut self,
        span: Span,
        f: impl FnOnce(&mut Self),
    ) -> String {
        let saved = std::mem::take(&mut self.edits);
        f(self);
        let own = std::mem::replace(&mut self.edits, saved);
        join_lines(&own.apply(self.text, span))
    }
}

/// Names in a set, joined as Fortran writes a list.
pub(in crate::translation::host) fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(", ")
}

/// The labels of statements, those inside constructs included.
pub(in crate::translation::host) fn labels_in(stmts: &[Stmt], labels: &mut Vec<u32>) {
    for s in stmts {
        labels.extend(s.label.map(|l| l.value));
        for b in s.blocks() {
            labels_in(b, labels);
        }
    }
}

/// A variable that holds something while a statement runs.
pub(in crate::translation::host) struct Held {
    pub name: String,
    pub declaration: String,
    /// Statements that give it its value.
    pub set: Vec<String>,
    pub release: Vec<String>,
    /// Ends a construct that `set` began, after all releases.
    pub end: Option<String>,
    /// What it stands for, if that may be met again in the statement.
    pub at: Option<Span>,
}
