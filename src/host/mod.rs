//! The host side: standard Fortran made of the user's text and an edit list.
//!
//! Device data becomes a Fortran pointer whose target address is a device address (docs/architecture.md); everything that
//! host code may not do with such data is turned into calls of the runtime (docs/runtime.md). Text that no rule touches
//! stays as it was, byte for byte.

mod accessor;
mod alloc;
mod array_operation;
mod assign;
mod branch;
mod copy_in;
mod cufloop;
mod decl;
mod edit;
mod generated;
mod generic;
mod half;
mod held;
mod indexed;
mod kernel;
mod leaving;
mod lenient;
mod modules;
pub mod names;
pub mod net;
mod once;
mod openmp;
mod owner;
mod scope;
pub mod shims;
mod stmt;
mod value;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::abi::{FileLaunchers, LauncherOf, LauncherSignature};
use crate::ast::{self, ProgramUnit, Span, UnitKind};
use crate::sema::Finding;
use crate::sema::model::*;
use crate::sema::typed::TExpr;
use edit::EditList;

/// The host Fortran of one file.
#[derive(Debug)]
pub struct HostFile {
    /// The edited text.
    pub text: String,
    /// What could not be translated.
    pub findings: Vec<Finding>,
    /// The text has lines for the preprocessor.
    pub preprocessed: bool,
    /// The kernels that are given to the runtime, by the names they are registered under.
    pub kernels_by_name: BTreeSet<String>,
    /// A kernel is given to the runtime by a text: it may be any.
    pub any_kernel: bool,
    /// The places of the text that were changed, for the account of statements.
    pub edited: Vec<Span>,
    pub purity: Purity,
    /// The text before long lines were broken, and where its pieces come from: for the [`net`].
    pub unwrapped: (String, net::Origins),
}

/// The procedures of a file that were declared pure.
#[derive(Debug, Default)]
pub struct Purity {
    /// Those that no longer are.
    pub lost: Vec<SymbolId>,
    /// The others, with the procedures that they refer to or contain.
    pub kept: Vec<(SymbolId, BTreeSet<SymbolId>)>,
}

/// What holds for all files of a program.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Procedures declared pure that refer to such as no longer are: see [`Purity`].
    pub impure: &'a BTreeSet<SymbolId>,
    /// OpenMP directives count.
    pub openmp: bool,
    /// CUF loops stay beside their launches, as code under a macro.
    pub keep_loops: bool,
    /// See [`names::doubtful`].
    pub doubtful: &'a BTreeSet<String>,
}

/// Translates the host side of a file. `text` is the host text the spans point into; `stem` the base name of the output.
pub fn translate<'a>(
    model: &'a Model,
    file: FileId,
    tree: &ast::File,
    text: &str,
    stem: &str,
    launchers: &FileLaunchers,
    setting: Setting<'a>,
) -> HostFile {
    let mut pass = Pass {
        model,
        file,
        text,
        openmp: setting.openmp,
        impure: setting.impure,
        purity: Purity::default(),
        // In a preprocessed file these would begin a comment of C.
        keep_loops: setting.keep_loops && !text.contains("/*"),
        device_file: format!("{stem}.cu"),
        signatures: launchers.launchers.iter().map(|l| (l.of, l)).collect(),
        accessors: &launchers.accessors,
        owners: OnceCell::new(),
        shims: shims::module_name(stem, setting.doubtful),
        edits: EditList::default(),
        kernels_by_name: BTreeSet::new(),
        any_kernel: false,
        findings: Vec::new(),
        scope: ScopeId(0),
        statement: Span { start: 0, end: 0 },
        unit: UnitState::default(),
        exits: Vec::new(),
        held: None,
        copies: None,
        last_label: 100_000,
        repeats: false,
        within: Within::Ordinary,
        taken: names::Taken::of(model, setting.doubtful),
        stream: None,
        located: BTreeSet::new(),
    };
    let units = model
        .files
        .get(file.0 as usize)
        .map_or(&[][..], |f| &f.units);
    for (unit, scope) in tree.units.iter().zip(units) {
        pass.outer_unit(unit, *scope);
    }
    pass.edits.resolve(|t| pass.taken.resolve(t));
    let unwrapped = pass.edits.apply_mapped(text);
    let preprocessed = pass.edits.has_kept();
    let whole = match preprocessed {
        true => pass.edits.apply_kept(text),
        false => unwrapped.0.clone(),
    };
    let written = lenient::pointer_kinds(edit::wrap_long_lines(&whole, text));
    HostFile {
        text: modules::renamed(written, &modules::with_namesakes(model)),
        findings: pass.findings,
        edited: pass.edits.places(),
        purity: pass.purity,
        preprocessed,
        kernels_by_name: pass.kernels_by_name,
        any_kernel: pass.any_kernel,
        unwrapped,
    }
}

/// What is collected while one outermost program unit is walked.
#[derive(Default)]
struct UnitState {
    /// Names of `cuf_runtime` are used.
    runtime: bool,
    /// Names of the file's shim module are used.
    shims: bool,
    /// USE statements for single names.
    extra_uses: BTreeSet<String>,
    /// Modules whose bound device data the procedure being walked mentions.
    bound: Modules,
    /// User procedures that it refers to.
    refers: BTreeSet<SymbolId>,
}

/// A procedure or BLOCK that is being walked, with its clean-up, or a construct that EXIT and CYCLE can mean.
#[derive(Default)]
struct Exit {
    /// Statements that free its local device data.
    statements: Vec<String>,
    /// The variables that they name.
    freed: Vec<SymbolId>,
    /// The frame is a procedure (RETURN leaves it), not a BLOCK.
    procedure: bool,
    /// The frame is a loop.
    is_loop: bool,
    /// Name of the construct.
    name: Option<String>,
    /// Labels of the statements inside a BLOCK.
    labels: Vec<u32>,
    /// Variables that generated code holds in it.
    held: Vec<String>,
}

struct Pass<'a> {
    model: &'a Model,
    file: FileId,
    text: &'a str,
    /// OpenMP directives count.
    openmp: bool,
    /// See [`Setting::impure`].
    impure: &'a BTreeSet<SymbolId>,
    purity: Purity,
    /// See [`Setting::keep_loops`].
    keep_loops: bool,
    /// Name of the file's CUDA C++.
    device_file: String,
    /// Of this file.
    signatures: BTreeMap<LauncherOf, &'a LauncherSignature>,
    accessors: &'a [SymbolId],
    /// Types that own device data.
    owners: OnceCell<owner::Owners>,
    /// Name of the file's shim module.
    shims: String,
    edits: EditList,
    /// See [`HostFile::kernels_by_name`].
    kernels_by_name: BTreeSet<String>,
    any_kernel: bool,
    findings: Vec<Finding>,
    /// Scope of the statement that is being walked.
    scope: ScopeId,
    /// The statement or declaration being walked.
    statement: Span,
    unit: UnitState,
    exits: Vec<Exit>,
    /// Results that variables hold while the statement being walked runs; None where a statement cannot have such.
    held: Option<Vec<held::Held>>,
    /// Host copies of arrays that the WHERE construct around holds for its assignments; None elsewhere.
    copies: Option<Vec<held::Held>>,
    /// The last label that a generated statement got; they count down.
    last_label: u32,
    /// The designator being walked stands in the text written more than once.
    repeats: bool,
    /// The construct around the statement whose assignments are of a kind of their own.
    within: Within,
    /// Names that generated text has to do without.
    taken: names::Taken<'a>,
    /// The stream whose work host copies of device data wait for: STREAM= of the reduction that they are arguments of.
    stream: Option<String>,
    /// Variables of the host that are C_LOC's argument without being targets.
    located: BTreeSet<SymbolId>,
}

/// Constructs in which assignment does not reallocate and is no place for a call of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Within {
    #[default]
    Ordinary,
    Where,
    /// FORALL and DO CONCURRENT, which take pure procedures only.
    Pure,
}

impl<'a> Pass<'a> {
    fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    fn finding(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
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
    }

    /// USE of the file's shim module.
    fn use_shims(&self) -> String {
        let symbols: BTreeSet<&str> = self
            .signatures
            .values()
            .map(|l| l.symbol.as_str())
            .collect();
        self.taken.use_shims(&self.shims, symbols.into_iter())
    }

    fn expr(&self, e: &ast::Expr) -> TExpr {
        self.model.expr(self.scope, e)
    }

    /// Blanks in front of the statement on its line.
    fn indent_at(&self, offset: u32) -> String {
        let start = self.line_start(offset);
        let line = self.text.get(start as usize..).unwrap_or_default();
        line.chars()
            .take_while(|c| *c == ' ' || *c == '\t')
            .collect()
    }

    /// Offset of the first byte of the line that `offset` stands on.
    fn line_start(&self, offset: u32) -> u32 {
        let before = self.text.get(..offset as usize).unwrap_or_default();
        before.rfind('\n').map_or(0, |i| i as u32 + 1)
    }

    /// Offset after the line end of the line that `offset` stands on.
    fn line_end(&self, offset: u32) -> u32 {
        let after = self.text.get(offset as usize..).unwrap_or_default();
        after
            .find('\n')
            .map_or(self.text.len() as u32, |i| offset + i as u32 + 1)
    }

    /// What stands behind a statement on its line goes to the next one.
    fn end_line(&mut self, end: u32) {
        let rest = self.slice(Span {
            start: end,
            end: self.line_end(end),
        });
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if let Some(next) = rest[blanks..].strip_prefix(';') {
            let next = next.trim_start_matches([' ', '\t']);
            let indent = self.indent_at(end);
            self.edits.replace(
                Span {
                    start: end,
                    end: end + (rest.len() - next.len()) as u32,
                },
                format!("\n{indent}"),
            );
        }
    }

    /// Removes a statement; its line too if nothing else stands on it.
    fn delete_statement(&mut self, span: Span) {
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
            self.edits.delete(Span { start, end });
        } else if before.trim().is_empty() && after.trim_start().starts_with(';') {
            let semi = after.find(';').unwrap_or(0) as u32 + 1;
            self.edits.delete(Span {
                start: span.start,
                end: span.end + semi,
            });
        } else {
            self.edits.delete(span);
        }
    }

    /// A program unit of the file: walks it, then adds the USE statements that the walk asked for.
    fn outer_unit(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        self.unit = UnitState::default();
        // Without an interface of a host procedure the ancestor has nothing that a submodule could refer to.
        let device_only = matches!(unit.kind, UnitKind::Submodule { .. })
            && !unit.procedures.is_empty()
            && unit.procedures.iter().all(|p| {
                self.child_scope(scope, p)
                    .is_some_and(|c| self.procedure_target(c) == ProcedureTarget::Device)
            });
        if device_only {
            let name = self.slice(unit.name.span);
            self.end_line(unit.span.end);
            self.edits.replace(
                unit.span,
                format!("! submodule {name}: device code, see the CUDA C++ header of this file"),
            );
            return;
        }
        self.any_unit(unit, scope);
        let mut uses = String::new();
        if self.unit.runtime {
            uses.push_str(&self.taken.use_runtime());
            uses.push('\n');
        }
        if self.unit.shims {
            uses.push_str(&self.use_shims());
            uses.push('\n');
        }
        // Names of one module stand in one statement.
        let mut module = String::new();
        for mut u in std::mem::take(&mut self.unit.extra_uses) {
            if let Some(kept) = self.hidden_by(&u, scope) {
                u.push_str(&format!(", {kept}"));
            }
            match u.split_once(", only: ") {
                Some((m, name)) if m == module => {
                    uses.pop();
                    uses.push_str(&format!(", {name}\n"));
                }
                Some((m, _)) => {
                    m.clone_into(&mut module);
                    uses.push_str(&u);
                    uses.push('\n');
                }
                None => {
                    uses.push_str(&u);
                    uses.push('\n');
                }
            }
        }
        if !uses.is_empty() {
            self.insert_uses(unit, &uses);
        }
    }

    /// The name in a module that a USE statement with ONLY and a rename would take from a unit that uses all of the module: a
    /// name that any rename has is known by itself only where an ONLY has it, too (F2018 14.2.2).
    fn hidden_by<'u>(&self, statement: &'u str, unit: ScopeId) -> Option<&'u str> {
        let (module, item) = statement.strip_prefix("use ")?.split_once(", only: ")?;
        let (_, name) = item.split_once(" => ")?;
        let whole = |o: &&Opened| self.model[o.module].name == module;
        let opened = self.model[unit].opened.iter().find(whole)?;
        (!opened.hidden.iter().any(|h| h == name)).then_some(name)
    }

    /// Inserts USE statements (one a line, unindented) at the top of a unit's specification part.
    fn insert_uses(&mut self, unit: &ProgramUnit, uses: &str) {
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
            self.edits.insert_foremost(at, text);
        } else if self
            .slice(Span {
                start: unit.header.end,
                end: self.line_end(unit.header.end),
            })
            .trim_start()
            .starts_with(';')
        {
            self.edits
                .insert(unit.header.end, format!("\n{}", text.trim_end()));
        } else {
            // The statements of the procedure may begin there.
            let at = self.line_end(unit.header.end);
            self.edits.insert_foremost(at, text);
        }
    }

    /// Any unit or procedure, by where its code runs.
    fn any_unit(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        let saved = std::mem::replace(&mut self.scope, scope);
        match self.procedure_target(scope) {
            ProcedureTarget::Global | ProcedureTarget::GridGlobal => self.kernel(unit, scope),
            ProcedureTarget::Device => self.device_procedure(unit),
            ProcedureTarget::Host | ProcedureTarget::HostDevice => self.host_unit(unit, scope),
        }
        self.scope = saved;
    }

    fn procedure_target(&self, scope: ScopeId) -> ProcedureTarget {
        self.model[scope]
            .symbol
            .and_then(|s| self.model.procedure(s))
            .map_or(ProcedureTarget::Host, |p| p.target)
    }

    /// Scope of a contained procedure or interface body.
    fn child_scope(&self, parent: ScopeId, unit: &ProgramUnit) -> Option<ScopeId> {
        self.model.children_at(parent, unit.span).next()
    }

    /// A program, module, submodule or host procedure.
    fn host_unit(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        for span in &unit.prefix.cuda_spans {
            // attributes(host), attributes(host, device)
            let blanks = self.text.get(span.end as usize..).unwrap_or_default();
            let skip = blanks.len() - blanks.trim_start_matches([' ', '\t']).len();
            self.edits.delete(Span {
                start: span.start,
                end: span.end + skip as u32,
            });
        }
        self.ignored_types(unit, scope);
        self.openmp_clauses(unit);
        self.check_entries(unit, scope);
        let outside = std::mem::take(&mut self.unit.runtime);
        let outer = std::mem::take(&mut self.unit.refers);
        let entry = self.specification(unit, scope);
        let enter = entry.statements();
        let is_procedure = matches!(
            unit.kind,
            UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure
        );
        self.exits.push(Exit {
            statements: entry.exit,
            freed: entry.freed,
            procedure: is_procedure,
            ..Exit::default()
        });
        let mut first = None;
        for stmt in &unit.body {
            let entry = matches!(stmt.kind, ast::StmtKind::Entry(_));
            if first.is_none() && !entry && !self.is_statement_function(stmt) {
                first = Some(stmt);
            }
        }
        let owns = !enter.is_empty();
        self.block(&unit.body);
        let mut lines = self.bind_calls(unit, scope);
        self.openmp_binds(unit, &lines);
        if let Some(first) = first {
            self.later_entries(unit, first.span.start, &lines, owns);
        }
        lines.extend(enter);
        let end_of_body = unit.contains.map_or(unit.end.start, |c| c.start);
        self.insert_entry(first.map(ast::Stmt::start), end_of_body, &lines);
        if let Some(exit) = self.exits.pop()
            && !matches!(
                unit.body.last().map(|s| &s.kind),
                Some(ast::StmtKind::Return(_))
            )
        {
            self.insert_before_line(end_of_body, &exit.statements, 2);
        }
        if is_procedure {
            self.purity(unit, scope);
        }
        self.unit.runtime |= outside;
        self.unit.refers = outer;
        for p in &unit.procedures {
            if let Some(c) = self.child_scope(scope, p) {
                self.any_unit(p, c);
            }
        }
        let (mut text, mut names) = self.owner_procedures(unit, scope);
        let (functions, more) = self.accessors(unit, scope);
        text.push_str(&functions);
        names.extend(more);
        if matches!(unit.kind, UnitKind::Module | UnitKind::Submodule { .. })
            && let Some((bind, name)) = self.bind_procedure(unit, scope)
        {
            text.push_str(&bind);
            names.push(name);
        }
        self.append_procedures(unit, scope, &text, &names);
        self.handles(unit, scope);
    }

    /// The runtime's procedures, which move data, are not pure, nor is what refers to such a procedure or contains one.
    fn purity(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        let pure = |s: &SymbolId| self.model.procedure(*s).is_some_and(|p| p.pure);
        let Some(procedure) = self.model[scope].symbol.filter(pure) else {
            return;
        };
        if self.unit.runtime || self.impure.contains(&procedure) {
            self.no_longer_pure(unit);
            self.purity.lost.push(procedure);
        } else {
            let mut refers = std::mem::take(&mut self.unit.refers);
            let contained = unit.procedures.iter();
            refers.extend(contained.filter_map(|p| {
                let c = self.child_scope(scope, p)?;
                self.model[c].symbol
            }));
            self.purity.kept.push((procedure, refers));
        }
    }

    fn no_longer_pure(&mut self, unit: &ProgramUnit) {
        let word = |text: &str| unit.prefix.words.iter().find(|w| w.text == text);
        match (word("pure"), word("impure"), word("elemental")) {
            (Some(pure), ..) => self.edits.replace(pure.span, "impure"),
            (None, None, Some(elemental)) => self.edits.insert(elemental.span.start, "impure "),
            _ => {}
        }
    }

    /// What a procedure does on entry it does at ENTRY statements among its executable ones, too, where that can be repeated.
    fn later_entries(&mut self, unit: &ProgramUnit, first: u32, repeatable: &[String], owns: bool) {
        for stmt in &unit.body {
            if !matches!(stmt.kind, ast::StmtKind::Entry(_)) || stmt.span.start < first {
                continue;
            }
            if owns {
                self.finding(
                    "CUF0395",
                    stmt.span,
                    "ENTRY among the executable statements of a procedure with device data of its own".to_owned(),
                );
            }
            let indent = self.indent_at(stmt.span.start);
            let text: String = repeatable
                .iter()
                .map(|l| format!("\n{indent}{l}"))
                .collect();
            self.edits.insert(stmt.span.end, text);
        }
    }

    /// Puts entry statements in front of the first executable statement, or before `end` if there is none.
    fn insert_entry(&mut self, first: Option<u32>, end: u32, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        self.unit.runtime = true;
        match first {
            Some(at) => {
                // What is said above the first statement, and directives, stay with it.
                let line = self.comments_above(self.line_start(at));
                self.insert_lines(at, line, lines, 0);
            }
            None => self.insert_before_line(end, lines, 2),
        }
    }

    /// Start of the first of the comment lines just above a line.
    fn comments_above(&self, mut line: u32) -> u32 {
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
    fn insert_before_line(&mut self, at: u32, lines: &[String], deeper: usize) {
        self.insert_lines(at, self.line_start(at), lines, deeper);
    }

    /// Puts statements at the line that starts at `line`, or right before `at` if more than blanks precede it on its own.
    fn insert_lines(&mut self, at: u32, line: u32, lines: &[String], deeper: usize) {
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
                .map(|l| edit::wrap_line(&format!("{indent}{l}")) + "\n")
                .collect();
            // The call of a CUF loop whose directive begins the line comes after them.
            self.edits.insert_first(line, text);
        } else if let Some(semicolon) = before.trim_end().strip_suffix(';') {
            // Before the semicolon, so that the text of the statement at `at` does not take it in; on lines of their own,
            // for what precedes may become a comment.
            let place = self.line_start(at) + semicolon.len() as u32;
            let indent = self.indent_at(at);
            let text: String = lines
                .iter()
                .map(|l| format!("\n{}", edit::wrap_line(&format!("{indent}{l}"))))
                .collect();
            self.edits.insert(place, text);
        } else {
            self.edits.insert(at, lines.join("; ") + "; ");
        }
    }

    /// A device procedure leaves the host code: it lives in the module's CUDA C++ header. A comment says where.
    fn device_procedure(&mut self, unit: &ProgramUnit) {
        let name = self.slice(unit.name.span);
        self.end_line(unit.span.end);
        self.edits.replace(
            unit.span,
            format!(
                "! attributes(device) {name}: device code, see the CUDA C++ header of this file"
            ),
        );
    }

    fn is_statement_function(&self, stmt: &ast::Stmt) -> bool {
        let ast::StmtKind::Assign { lhs, .. } = &stmt.kind else {
            return false;
        };
        lhs.base_name()
            .and_then(|n| self.model.lookup(self.scope, &n.text))
            .is_some_and(|s| matches!(self.model[s].kind, SymbolKind::StatementFunction(_)))
    }
}

/// Names in a set, joined as Fortran writes a list.
fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(", ")
}

type Modules = BTreeSet<ScopeId>;
