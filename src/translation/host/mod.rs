//! The host side: standard Fortran made of the user's text and an edit list.
//!
//! Device data becomes a Fortran pointer whose target address is a device address (docs/architecture.md); everything that
//! host code may not do with such data is turned into calls of the runtime (docs/runtime.md). Text that no rule touches
//! stays as it was, byte for byte.

mod context;
mod declaration;
mod dialect;
mod launch;
mod lifetime;
mod openmp;
mod output;
mod statement;
mod temporaries;
mod value;

pub use context::flows::{Flows, Reached};
pub use context::{Helpers, Purity, names};
pub use dialect::modules;
pub use launch::{direct, shims};
pub use lifetime::types::Ownership;
pub use output::provenance::EditSegment;
pub use output::verify;

use std::collections::BTreeSet;

use crate::abi::FileLaunchers;
use crate::ast::{self, ProgramUnit, Span, UnitKind};
use crate::map::Rule;
use crate::sema::Finding;
use crate::sema::model::*;
use crate::source::Layout;
use context::edit::{self, EditList};
use context::{Exit, HostRewriter, UnitState, Within};
use dialect::nvfortran_extensions;
use lifetime::types::Owners;
use output::{line_map, provenance};

/// The host Fortran of one file.
#[derive(Debug)]
pub struct HostFile {
    /// The edited text.
    pub text: String,
    /// What could not be translated.
    pub findings: Vec<Finding>,
    /// Where its lines come from, if [`Setting::layouts`] asks for it and it is known.
    pub layout: Option<Layout>,
    /// Where its bytes come from, if [`Setting::trails`] asks for it.
    pub trail: Option<Vec<EditSegment>>,
    /// The text has lines for the preprocessor.
    pub preprocessed: bool,
    /// The kernels that are given to the runtime, by the names they are registered under.
    pub kernels_by_name: BTreeSet<String>,
    /// A kernel is given to the runtime by a text: it may be any.
    pub any_kernel: bool,
    /// The launchers that are called as kernels.
    pub direct: direct::Direct,
    /// The places of the text that were changed, for the account of statements.
    pub edited: Vec<Span>,
    pub purity: Purity,
    pub helpers: Helpers,
    pub flows: Flows,
    /// The types whose objects the runtime gets and that have to be divided for it.
    pub divided: BTreeSet<TypeId>,
    /// Private types that the file has to name.
    pub exposed: BTreeSet<TypeId>,
    /// The text before long lines were broken, and where its pieces come from: for the [`verify`].
    pub unwrapped: (String, verify::Origins),
}

/// What holds for all files of a program.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Procedures declared pure that refer to such as no longer are: see [`Purity`].
    pub impure: &'a BTreeSet<SymbolId>,
    /// Variables that device code reaches, as the flows of all files tell.
    pub reached: &'a Reached,
    /// Generated procedures that nothing calls: see [`Helpers`].
    pub needless: &'a BTreeSet<String>,
    pub ownership: &'a Ownership,
    /// Types whose objects the runtime gets: see [`HostFile::divided`]. None: where files are compiled one by one, all types are that can be.
    pub divided: Option<&'a BTreeSet<TypeId>>,
    /// Private types that other units have to name: they are public in the host code. None: where files are compiled one by one, nothing
    /// is known of other units.
    pub exposed: Option<&'a BTreeSet<TypeId>>,
    /// Files of which nobody knows here may use the modules, and put their generic names together with others.
    pub separate: bool,
    /// OpenMP directives count.
    pub openmp: bool,
    /// CUF loops stay beside their launches, as code under a macro.
    pub keep_loops: bool,
    /// The program is for checks at run time.
    pub checked: bool,
    /// Tell where the lines of the text come from.
    pub layouts: bool,
    /// Tell where its bytes come from.
    pub trails: bool,
    /// Which kernels may be called by the interface of their launcher, see [`direct`]; None: no kernel is.
    pub direct_but: Option<&'a direct::Barred>,
    /// What stands at a place of the text is in a conditional of the preprocessor.
    pub conditional: &'a (dyn Fn(u32) -> bool + Sync),
    /// Lines of the preprocessor stand between two offsets.
    pub interrupted: &'a (dyn Fn(u32, u32) -> bool + Sync),
    pub around: names::ReservedNames<'a>,
    /// See [`modules::has_namesake`].
    pub renamed: &'a BTreeSet<&'a str>,
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
    let mut pass = HostRewriter {
        model,
        file,
        text,
        openmp: setting.openmp,
        checked: setting.checked,
        impure: setting.impure,
        purity: Purity::default(),
        needless: setting.needless,
        helpers: Helpers::default(),
        divided: BTreeSet::new(),
        asked_divided: setting.divided,
        exposed: BTreeSet::new(),
        asked_exposed: setting.exposed,
        separate: setting.separate,
        // In a preprocessed file these would begin a comment of C.
        keep_loops: setting.keep_loops && !text.contains("/*"),
        device_file: format!("{stem}.cu"),
        signatures: launchers.launchers.iter().map(|l| (l.of, l)).collect(),
        accessors: &launchers.accessors,
        owners: Owners::of(model, setting.ownership),
        shims: shims::module_name(stem, setting.around.doubtful),
        edits: EditList::default(),
        kernels_by_name: BTreeSet::new(),
        any_kernel: false,
        direct_but: setting.direct_but,
        conditional: setting.conditional,
        interrupted: setting.interrupted,
        direct: direct::Direct::new(),
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
        taken: names::Taken::of(model, setting.around),
        stream: None,
        implicit: BTreeSet::new(),
        flows: Flows::default(),
        targets: setting.reached,
        called_unseen: externals::called_unseen(model, file),
        accessed: BTreeSet::new(),
    };
    let units = model
        .files
        .get(file.0 as usize)
        .map_or(&[][..], |f| &f.units);
    for (unit, scope) in tree.units.iter().zip(units) {
        pass.outer_unit(unit, *scope);
    }
    pass.edits.resolve(|t| pass.taken.resolve(t));
    if let Some(span) = pass.edits.conflict() {
        pass.finding(
            "CUF0901",
            span,
            "internal error: generated host code for this statement would lose an update\nnote: this is a bug in cuf2cu; please report it",
        );
    }
    let unwrapped = pass.edits.apply_mapped(text, false);
    let preprocessed = pass.edits.has_kept();
    let kept = preprocessed.then(|| pass.edits.apply_mapped(text, true));
    let (whole, origins) = kept.as_ref().unwrap_or(&unwrapped);
    let written = nvfortran_extensions::pointer_kinds(edit::wrap_long_lines(whole, text));
    let written = modules::renamed(written, setting.renamed);
    let layout = match setting.layouts {
        true => line_map::layout(text, whole, &origins.pieces, &written),
        false => None,
    };
    let trail = setting
        .trails
        .then(|| provenance::trail(whole, &origins.pieces, &written));
    HostFile {
        text: written,
        layout,
        trail,
        findings: pass.findings,
        edited: pass.edits.places(),
        purity: pass.purity,
        helpers: pass.helpers,
        flows: pass.flows,
        divided: pass.divided,
        exposed: pass.exposed,
        preprocessed,
        kernels_by_name: pass.kernels_by_name,
        any_kernel: pass.any_kernel,
        direct: pass.direct,
        unwrapped,
    }
}

/// Lines that are comments without OpenMP, and code with it. THREADPRIVATE does not count: it matters to parallel regions, which have lines of their own.
fn has_openmp(text: &str) -> bool {
    text.lines().any(|l| {
        let line = l.trim_start().as_bytes();
        let begins = |word: &str| {
            line.get(..word.len())
                .is_some_and(|b| b.eq_ignore_ascii_case(word.as_bytes()))
        };
        begins("!$omp") && !begins("!$omp threadprivate") || begins("!$ ")
    })
}

impl<'a> HostRewriter<'a> {
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
                Rule::DeviceCodeGone,
                unit.span,
                format!(
                    "! submodule {name}: device procedures in {}h",
                    self.device_file
                ),
            );
            return;
        }
        self.any_unit(unit, scope);
        if matches!(unit.kind, UnitKind::Submodule { .. }) {
            self.coming_along_to_submodule(scope);
        }
        let mut uses = String::new();
        if self.unit.runtime {
            for line in self.taken.use_runtime_for(self.edits.texts(unit.span)) {
                uses.push_str(&line);
                uses.push('\n');
            }
        }
        // Kernels that are called by their launchers' names get their own.
        let mut shims = self.unit.shims.then(|| self.use_shims());
        // Names of one module stand in one statement.
        let (mut module, mut others) = (String::new(), String::new());
        for mut u in std::mem::take(&mut self.unit.extra_uses) {
            if let (Some(shims), Some((m, name))) = (&mut shims, u.split_once(", only: "))
                && m.strip_prefix("use ") == Some(&self.shims)
            {
                shims.push_str(&format!(", {name}"));
                continue;
            }
            if let Some(kept) = self.hidden_by(&u, scope) {
                u.push_str(&format!(", {kept}"));
            }
            match u.split_once(", only: ") {
                Some((m, name)) if m == module => {
                    others.pop();
                    others.push_str(&format!(", {name}\n"));
                }
                Some((m, _)) => {
                    m.clone_into(&mut module);
                    others.push_str(&u);
                    others.push('\n');
                }
                None => {
                    others.push_str(&u);
                    others.push('\n');
                }
            }
        }
        self.keep_names_in(unit, shims.is_some());
        if let Some(line) = shims {
            uses.push_str(&line);
            uses.push('\n');
        }
        if self.unit.runtime && !self.openmp && has_openmp(self.slice(unit.span)) {
            // Code for a compiler that counts directives: there is no such module.
            uses.push_str("!$ use cuf_translated_without_openmp\n");
        }
        uses.push_str(&others);
        if !uses.is_empty() {
            self.insert_uses(unit, &uses);
        }
    }

    /// Where files are compiled one by one, those who use a module are not known: what generated code has brought into it (of the runtime, and
    /// with `shims` launchers) is not handed on, for they may have names of their own like that.
    fn keep_names_in(&mut self, unit: &ProgramUnit, shims: bool) {
        if !self.separate || unit.kind != UnitKind::Module || !self.unit.runtime {
            return;
        }
        let direct = |s: &&str| !self.direct.contains_key(*s);
        let launchers = self.signatures.values().map(|l| l.symbol.as_str());
        let launchers: BTreeSet<&str> = launchers.filter(|_| shims).filter(direct).collect();
        let texts = self.edits.texts(unit.span);
        let names = self.taken.brought(texts, launchers.into_iter());
        self.end_specification(unit, &format!("  private :: {}\n", names.join(", ")));
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

    /// A program, module, submodule or host procedure.
    fn host_unit(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        for span in &unit.prefix.cuda_spans {
            // attributes(host), attributes(host, device)
            let whole = self.attributes(*span);
            self.edits.delete(Rule::Attributes, whole);
        }
        self.ignored_types(unit, scope);
        self.second_type(unit, scope);
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
        let mut lines = self.openmp(unit);
        if let Some(first) = first {
            self.later_entries(unit, first.span.start, &lines, owns);
        }
        lines.extend(enter);
        let given_away = std::mem::take(&mut self.unit.given_away);
        lines.extend(self.given_away_at_entry(scope, given_away));
        let (typed, untyped) = self.typed_dummies(unit, scope);
        lines.extend(typed);
        let end_of_body = unit.contains.map_or(unit.end.start, |c| c.start);
        self.insert_entry(
            Rule::ScopeExit,
            first.map(ast::Stmt::start),
            end_of_body,
            &lines,
        );
        if let Some(exit) = self.exits.pop()
            && !matches!(
                unit.body.last().map(|s| &s.kind),
                Some(ast::StmtKind::Return(_))
            )
        {
            self.insert_before_line(Rule::ScopeExit, end_of_body, &exit.statements, 2);
        }
        self.insert_before_line(Rule::ScopeExit, end_of_body, &untyped, 2);
        if is_procedure {
            self.purity(unit, scope);
            self.note_procedure(unit, scope);
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

    /// A prefix of a procedure with the blanks behind it, or its line if it goes on to the next one and has nothing else.
    fn attributes(&self, span: Span) -> Span {
        let after = self.text.get(span.end as usize..).unwrap_or_default();
        let skip = after.len() - after.trim_start_matches([' ', '\t']).len();
        let start = self.line_start(span.start);
        let before = self.slice(Span {
            start,
            end: span.start,
        });
        let (rest, next) = after.split_once('\n').unwrap_or_default();
        if before.trim().is_empty() && rest.trim() == "&" && !next.trim_start().starts_with('&') {
            let end = self.line_end(span.end);
            return Span { start, end };
        }
        Span {
            start: span.start,
            end: span.end + skip as u32,
        }
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
            (Some(pure), ..) => self.edits.replace(Rule::Purity, pure.span, "impure"),
            (None, None, Some(elemental)) => {
                self.edits
                    .insert(Rule::Purity, elemental.span.start, "impure ")
            }
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
            self.edits.insert(Rule::Allocation, stmt.span.end, text);
        }
    }

    /// A device procedure leaves the host code: it lives in the module's CUDA C++ header. A comment says where.
    fn device_procedure(&mut self, unit: &ProgramUnit) {
        let name = self.slice(unit.name.span);
        self.end_line(unit.span.end);
        self.edits.replace(
            Rule::DeviceCodeGone,
            unit.span,
            format!(
                "! attributes(device) {name}: device procedure in {}h",
                self.device_file
            ),
        );
    }
}
