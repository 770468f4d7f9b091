//! Files: which namespaces a file has, and which procedures, prototypes and loops of its units each holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use rayon::prelude::*;

use super::analysis::Analysis;
use super::below;
use super::effects::is_hidden;
use super::globals::{global, home, structure};
use super::launcher;
use super::naming::StatementNames;
use crate::ast::{self, ProgramUnit, Stmt, StmtKind as Ast, UnitKind};
use crate::ir::names;
use crate::ir::*;
use crate::lower::context::{Collected, Program, Shared};
use crate::lower::cufloop::cufdo;
use crate::lower::statement::comments;
use crate::lower::value::place::is_symbol;
use crate::lower::{FileName, Lowered, Printed, Purpose, procedure as proc};
use crate::map::Rule;
use crate::sema::model::*;
use crate::sema::{Finding, Input};

/// Members of one namespace with their place in the source.
#[derive(Default)]
pub(in crate::translation::lower) struct Members {
    pub(in crate::translation::lower) header: Vec<(u32, Item)>,
    pub(in crate::translation::lower) source: Vec<(u32, Item)>,
}

/// What one file gets, by namespace.
#[derive(Default)]
pub(in crate::translation::lower) struct FileOut {
    namespaces: BTreeMap<(u32, String), Members>,
    /// See [`below::prototypes`].
    pub(in crate::translation::lower) early: below::Early,
    /// Place of each namespace's unit.
    lowered: Lowered,
}

impl FileOut {
    /// Adds what the next unit of the file gave.
    fn add(&mut self, unit: FileOut) {
        for (key, members) in unit.namespaces {
            let all = self.namespaces.entry(key).or_default();
            all.header.extend(members.header);
            all.source.extend(members.source);
        }
        let (own, more) = (&mut self.lowered, unit.lowered);
        own.printed.add(more.printed);
        own.unit.launchers.extend(more.unit.launchers);
        own.launchers.launchers.extend(more.launchers.launchers);
        own.launchers.accessors.extend(more.launchers.accessors);
    }

    /// None if the unit gave nothing.
    fn unless_empty(self) -> Option<Box<FileOut>> {
        let l = &self.lowered;
        let some = !self.namespaces.is_empty()
            || l.printed != Printed::default()
            || !l.unit.launchers.is_empty()
            || !l.launchers.launchers.is_empty()
            || !l.launchers.accessors.is_empty();
        some.then(|| Box::new(self))
    }

    pub(in crate::translation::lower) fn members(&mut self, at: u32, name: &str) -> &mut Members {
        self.namespaces.entry((at, name.to_owned())).or_default()
    }
}

/// Lowers a whole program.
pub fn lower_program(
    model: &Model,
    inputs: &[Input<'_>],
    file_names: &[FileName<'_>],
    purpose: Purpose,
) -> (Vec<Lowered>, Vec<Finding>) {
    let line_ends: Vec<OnceLock<Vec<u32>>> = inputs.iter().map(|_| OnceLock::new()).collect();
    let program = Program {
        model,
        inputs,
        names: file_names,
        analysis: &Analysis::new(model, inputs, file_names),
        line_ends: &line_ends,
        purpose,
    };
    let mut tasks = Vec::new();
    for ((input, info), i) in inputs.iter().zip(&model.files).zip(0..) {
        for (unit, scope) in input.ast.units.iter().zip(&info.units) {
            add_tasks(model, FileId(i), unit, *scope, &mut tasks);
        }
    }
    // They know nothing of each other; what they collect is put together in their order.
    let units: Vec<(FileId, Option<Box<FileOut>>, Collected)> = tasks
        .into_par_iter()
        .map(|task| {
            let sh = Shared::new(program);
            let mut out = FileOut::default();
            task.run(&sh, &mut out);
            (task.file, out.unless_empty(), sh.into_collected())
        })
        .collect();
    let sh = Shared::new(program);
    let mut files: Vec<FileOut> = inputs.iter().map(|_| FileOut::default()).collect();
    for (file, unit, collected) in units {
        if let (Some(f), Some(unit)) = (files.get_mut(file.0 as usize), unit) {
            f.add(*unit);
        }
        sh.add(collected);
    }
    child_prototypes(&sh, &mut files);
    declarations(&sh, &mut files);
    let late = below::prototypes(&sh, &mut files);
    for (from, to) in sh.needs.take() {
        let name = file_names.get(to.0 as usize).filter(|_| from != to);
        if let (Some(f), Some(n)) = (files.get_mut(from.0 as usize), name) {
            let unit = &mut f.lowered.unit;
            let list = match late.contains(&(from, to)) {
                true => &mut unit.late_includes,
                false => &mut unit.includes,
            };
            list.push(n.path.to_owned());
        }
    }
    for ((file, _), procedure) in sh.externals.take() {
        if let Some(f) = files.get_mut(file.0 as usize) {
            f.lowered.unit.externals.push(procedure);
        }
    }
    for (file, header) in sh.headers.take() {
        if let Some(f) = files.get_mut(file.0 as usize) {
            f.lowered.unit.extra_headers.push(header);
        }
    }
    let finish = |(i, f): (usize, FileOut)| {
        let mut lowered = f.lowered;
        if let Some(n) = file_names.get(i) {
            lowered.unit.stem = n.path.to_owned();
            lowered.unit.source = n.source.to_owned();
        }
        let namespaces = f.namespaces.into_iter().map(|((at, name), m)| {
            let of_unit = Namespace {
                name,
                doc: comments::of_unit(&inputs[i], at),
                header: ordered(m.header, true),
                source: ordered(m.source, false),
            };
            (at, of_unit)
        });
        lowered.unit.namespaces = below::with_prototypes(namespaces.collect(), f.early);
        lowered
    };
    let mut out: Vec<Lowered> = files.into_par_iter().enumerate().map(finish).collect();
    let included: BTreeSet<String> = out
        .iter()
        .flat_map(|l| l.unit.includes.iter().chain(&l.unit.late_includes).cloned())
        .collect();
    for l in &mut out {
        l.unit.is_included = included.contains(&l.unit.stem);
        l.printed.add(Printed {
            source: l.unit.has_source(),
            header: !l.unit.is_empty() && l.unit.has_header(),
        });
        // Others include it, or it declares procedures of other languages, beside its own code.
        l.printed.header |= l.printed.source && l.unit.has_header();
    }
    (out, sh.findings.take())
}

fn first_procedure(items: &[Item]) -> usize {
    let first = items
        .iter()
        .position(|i| matches!(i.kind, ItemKind::Proc(_)));
    first.unwrap_or(items.len())
}

/// Members in source order; device procedures are declared before the first that may call them.
fn ordered(mut items: Vec<(u32, Item)>, header: bool) -> Vec<Item> {
    items.sort_by_key(|(at, _)| *at);
    let out: Vec<Item> = items.into_iter().map(|(_, i)| i).collect();
    if !header {
        return out;
    }
    // Kernels that device code launches are declared before all of it.
    let (kernels, mut out): (Vec<Item>, Vec<Item>) = out
        .into_iter()
        .partition(|i| matches!(i.kind, ItemKind::Prototype(_)));
    // Types declared inside of procedures come before these.
    let inner = out.split_off(first_procedure(&out));
    let (types, others): (Vec<Item>, Vec<Item>) = inner
        .into_iter()
        .partition(|i| matches!(i.kind, ItemKind::Struct(_)));
    out.extend(types);
    out.extend(others);
    let mut early = kernels;
    let mut called = BTreeSet::new();
    for item in &out {
        let ItemKind::Proc(p) = &item.kind else {
            continue;
        };
        calls(p, &mut called);
        if called.contains(&p.name) {
            early.push(Item {
                kind: ItemKind::Prototype(Proc {
                    name: p.name.clone(),
                    c_name: None,
                    kind: p.kind.clone(),
                    result: p.result.clone(),
                    params: p.params.clone(),
                    body: Vec::new(),
                    remarks: Vec::new(),
                    names: p.names.clone(),
                }),
                notes: Notes::default(),
                origin: item.origin,
            });
        }
    }
    let first = first_procedure(&out);
    out.splice(first..first, early);
    out
}

/// Adds the names of the device procedures that the body calls.
fn calls(procedure: &Proc, names: &mut BTreeSet<String>) {
    let mut look = |x: &Expr| {
        if let ExprKind::Call {
            callee: Callee::Procedure(callee),
            ..
        } = &x.kind
            && !names.contains(&callee.name)
        {
            names.insert(callee.name.clone());
        }
    };
    for s in &procedure.body {
        s.walk(&mut |s| s.own_exprs(&mut |e| e.walk(&mut look)));
    }
}

/// What is lowered at one go: a program unit, a module without its procedures, or one of these.
struct Task<'a> {
    file: FileId,
    unit: &'a ProgramUnit,
    scope: ScopeId,
    /// Start of the program unit.
    at: u32,
    /// The procedures that the unit contains are tasks of their own.
    alone: bool,
}

impl Task<'_> {
    fn run(&self, sh: &Shared<'_>, out: &mut FileOut) {
        if self.unit.span.start == self.at {
            module_data(sh, self.scope, out);
        }
        match self.alone {
            true => own_code(sh, self.file, self.unit, self.scope, self.at, out),
            false => procedures(sh, self.file, self.unit, self.scope, self.at, out),
        }
    }
}

fn add_tasks<'a>(
    model: &Model,
    file: FileId,
    unit: &'a ProgramUnit,
    scope: ScopeId,
    out: &mut Vec<Task<'a>>,
) {
    let at = unit.span.start;
    let alone = matches!(unit.kind, UnitKind::Module | UnitKind::Submodule { .. });
    let task = |unit, scope, alone| Task {
        file,
        unit,
        scope,
        at,
        alone,
    };
    out.push(task(unit, scope, alone));
    if alone {
        let children = children(model, unit, scope);
        out.extend(children.map(|(p, c)| task(p, c, false)));
    }
}

/// The procedures that a unit contains, with their scopes.
fn children<'a>(
    model: &Model,
    unit: &'a ProgramUnit,
    scope: ScopeId,
) -> impl Iterator<Item = (&'a ProgramUnit, ScopeId)> {
    unit.procedures.iter().filter_map(move |p| {
        let child = model
            .children_at(scope, p.span)
            .find(|c| model[*c].kind == ScopeKind::Procedure);
        Some((p, child?))
    })
}

/// Device and constant variables of a module: all of them, since the host binds them all.
fn module_data(sh: &Shared<'_>, scope: ScopeId, out: &mut FileOut) {
    let model = sh.model;
    if !matches!(model[scope].kind, ScopeKind::Module | ScopeKind::Submodule) {
        return;
    }
    let symbols: Vec<_> = model[scope].names.values().copied().collect();
    for s in symbols {
        let info = &model[s];
        let SymbolKind::Variable(v) = &info.kind else {
            continue;
        };
        if info.scope != scope {
            continue;
        }
        if info.private && is_hidden(model, s) && reached_from_outside(sh, s) {
            out.lowered.launchers.accessors.push(s);
        }
        if !is_symbol(v) {
            continue;
        }
        sh.used_symbols.borrow_mut().insert(s);
        let (launcher, signature) = launcher::address(sh, s);
        out.lowered.unit.launchers.push(launcher);
        out.lowered.launchers.launchers.push(signature);
    }
}

/// Other modules can call a device procedure that needs the variable as a hidden argument.
fn reached_from_outside(sh: &Shared<'_>, variable: SymbolId) -> bool {
    let model = sh.model;
    let home = model[variable].scope;
    let generic = |p: SymbolId| {
        model[home].names.values().any(|s| {
            let is_public = !model[*s].private;
            is_public
                && matches!(&model[*s].kind, SymbolKind::Generic(g) if g.specifics.contains(&p))
        })
    };
    let bound = |p: SymbolId| {
        let binds = |b: &TypeBinding| matches!(b, TypeBinding::Specific { procedure: Some(q), .. } if *q == p);
        model
            .types
            .iter()
            .any(|t| t.bindings.iter().any(|(_, b)| binds(b)))
    };
    sh.analysis.facts.iter().any(|(scope, facts)| {
        facts.hidden.contains(&variable)
            && model[*scope].parent == Some(home)
            && model[*scope].symbol.is_some_and(|p| {
                let device = model.procedure(p).is_some_and(|d| {
                    matches!(
                        d.target,
                        ProcedureTarget::Device | ProcedureTarget::HostDevice
                    )
                });
                device && (!model[p].private || generic(p) || bound(p))
            })
    })
}

/// A unit and the procedures that it contains.
fn procedures(
    sh: &Shared<'_>,
    file: FileId,
    unit: &ProgramUnit,
    scope: ScopeId,
    at: u32,
    out: &mut FileOut,
) {
    own_code(sh, file, unit, scope, at, out);
    for (p, c) in children(sh.model, unit, scope) {
        procedures(sh, file, p, c, at, out);
    }
}

/// The device code of a unit, without that of the procedures in it.
fn own_code(
    sh: &Shared<'_>,
    file: FileId,
    unit: &ProgramUnit,
    scope: ScopeId,
    at: u32,
    out: &mut FileOut,
) {
    let namespace = sh.namespace_of(scope);
    let Some(input) = sh.inputs.get(file.0 as usize) else {
        return;
    };
    let target = sh
        .analysis
        .procs
        .get(&scope)
        .map(|p| p.target)
        .unwrap_or_default();
    for (launcher, signature) in super::extern_kernels::kernels(sh, file, unit, scope) {
        out.lowered.unit.launchers.push(launcher);
        out.lowered.launchers.launchers.push(signature);
    }
    match target {
        ProcedureTarget::Host => {
            let names = &mut StatementNames::new(sh, scope);
            for o in crate::lower::array_operation::operations(sh, file, scope, &unit.body, names) {
                let items = o.items.into_iter().map(|i| (o.at, i));
                out.members(at, &namespace).source.extend(items);
                out.lowered.unit.launchers.push(o.launcher);
                out.lowered.launchers.launchers.push(o.signature);
            }
            let mut loops = Vec::new();
            find_loops(&unit.body, &mut loops);
            for k in loops {
                let inner = sh.model.scope_at(file, k.directive.start).unwrap_or(scope);
                let kind = if k.mapping.present { "acc" } else { "loop" };
                let name = names.next(kind);
                names.take_name(name.name.clone());
                let Some(l) = cufdo::lower_loop(sh, file, inner, k, name) else {
                    continue;
                };
                let item = Item {
                    kind: ItemKind::Proc(l.kernel),
                    notes: cufdo::loop_notes(sh, file, k, l.head),
                    origin: Origin::new(k.directive.start, k.directive.end, Rule::CufLoop),
                };
                out.members(at, &namespace)
                    .source
                    .push((k.directive.start, item));
                out.lowered.unit.launchers.push(l.launcher);
                out.lowered.launchers.launchers.push(l.signature);
            }
        }
        ProcedureTarget::Device | ProcedureTarget::HostDevice => {
            if let Some(p) = proc::lower_proc(sh, scope) {
                let item = Item {
                    kind: ItemKind::Proc(p),
                    notes: procedure_notes(sh, file, input, unit),
                    origin: Origin::new(unit.header.start, unit.header.end, Rule::DeviceProcedure),
                };
                out.members(at, &namespace)
                    .header
                    .push((unit.span.start, item));
            }
        }
        ProcedureTarget::Global | ProcedureTarget::GridGlobal => {
            if let Some(p) = proc::lower_proc(sh, scope)
                && let Some((launcher, signature)) =
                    launcher::kernel_launcher(sh, scope, &p, &namespace)
            {
                let item = Item {
                    kind: ItemKind::Proc(p),
                    notes: procedure_notes(sh, file, input, unit),
                    origin: Origin::new(unit.header.start, unit.header.end, Rule::Kernel),
                };
                out.members(at, &namespace)
                    .source
                    .push((unit.span.start, item));
                out.lowered.unit.launchers.push(launcher);
                out.lowered.launchers.launchers.push(signature);
            }
        }
    }
    if sh.purpose == Purpose::Check {
        // Nobody reads the code, and it takes most of the memory.
        out.lowered.printed.add(Printed {
            source: !out.lowered.unit.launchers.is_empty()
                || out.namespaces.values().any(|m| !m.source.is_empty()),
            header: out.namespaces.values().any(|m| !m.header.is_empty()),
        });
        out.namespaces = BTreeMap::new();
        out.lowered.unit.launchers = Vec::new();
        out.lowered.launchers.launchers.shrink_to_fit();
    }
}

/// The place of a procedure, and the comments above it.
fn procedure_notes(sh: &Shared<'_>, file: FileId, input: &Input<'_>, unit: &ProgramUnit) -> Notes {
    let mut notes = comments::of_procedure(input, unit.span.start);
    let place = sh.place(file, unit.span.start);
    notes.above.insert(0, Some(format!(" {place}")));
    notes
}

fn find_loops<'a>(body: &'a [Stmt], out: &mut Vec<&'a ast::CufKernel>) {
    for s in body {
        match &s.kind {
            Ast::CufKernel(k) => out.push(k),
            Ast::If {
                branches,
                else_block,
                ..
            } => {
                branches.iter().for_each(|b| find_loops(&b.body, out));
                if let Some(e) = else_block {
                    find_loops(&e.body, out);
                }
            }
            Ast::Do(d) => find_loops(&d.body, out),
            Ast::Select(sel) => sel.cases.iter().for_each(|c| find_loops(&c.body, out)),
            Ast::Associate { body, .. }
            | Ast::Block { body, .. }
            | Ast::OtherBlock { body, .. } => find_loops(body, out),
            _ => {}
        }
    }
}

/// Types, constants and variables that the device code uses, in the namespaces of the units that declare them.
fn declarations(sh: &Shared<'_>, files: &mut [FileOut]) {
    let mut done_types = BTreeSet::new();
    let mut done_symbols = BTreeSet::new();
    loop {
        let types: Vec<_> = sh
            .used_types
            .borrow()
            .difference(&done_types)
            .copied()
            .collect();
        let symbols: Vec<_> = sh
            .used_symbols
            .borrow()
            .difference(&done_symbols)
            .copied()
            .collect();
        if types.is_empty() && symbols.is_empty() {
            return;
        }
        for t in types {
            structure(sh, t, files, &mut done_types);
        }
        for s in symbols {
            done_symbols.insert(s);
            global(sh, s, files);
        }
    }
}

/// Declares the kernels that device code launches in the headers of their files.
fn child_prototypes(sh: &Shared<'_>, files: &mut [FileOut]) {
    for scope in sh.children.borrow().iter() {
        let (file, at, namespace) = home(sh, *scope);
        let Some(name) = sh.model[*scope].symbol.map(|s| &sh.model[s].spelling) else {
            continue;
        };
        let name = names::safe(name);
        let Some(out) = files.get_mut(file.0 as usize) else {
            continue;
        };
        let members = out.members(at, &namespace);
        let kernel = members
            .source
            .iter_mut()
            .find_map(|(at, i)| match &mut i.kind {
                ItemKind::Proc(p) if p.name == name => {
                    // Device code launches it by a declaration.
                    p.c_name = None;
                    Some((
                        *at,
                        i.origin,
                        Proc {
                            body: Vec::new(),
                            remarks: Vec::new(),
                            ..p.clone()
                        },
                    ))
                }
                _ => None,
            });
        if let Some((at, origin, kernel)) = kernel {
            members.header.push((
                at,
                Item {
                    kind: ItemKind::Prototype(kernel),
                    notes: Notes::default(),
                    origin,
                },
            ));
        }
    }
}
