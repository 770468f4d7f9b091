//! What the directives of a program say of procedures and module data, wherever they stand: `routine` and `declare` (OpenACC 2.13, 2.15).

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{self, ProgramUnit, Stmt, StmtKind, UnitKind};
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::TExprKind;
use crate::sema::model::{FileId, Model, ProcedureTarget, ScopeId, ScopeKind, SymbolId, VarAttrs};
use crate::source::SourceText;
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::{Clause, Directive, Kind};
use crate::translation::openacc::regions::{Region, UnitRegions};

/// A file of the program.
#[derive(Clone, Copy)]
pub struct View<'v, 'a> {
    /// What messages at run time call it.
    pub name: &'v str,
    pub source: &'a SourceText,
    pub tree: &'a ast::File,
    pub units: &'v [UnitRegions<'a>],
}

/// How a procedure is executed on the device.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Routine {
    /// There is no host version.
    pub nohost: bool,
    /// All threads of a block call it together.
    pub is_shared: bool,
    /// `bind(name)`: what is called on the device instead.
    pub bound: Option<SymbolId>,
}

/// Static data with a copy on the device for the whole run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub copied: bool,
    pub is_dynamic: bool,
    /// `link`: `enter data` puts it there.
    pub is_link: bool,
}

/// What the directives of a program say of its parts.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub routines: BTreeMap<SymbolId, Routine>,
    pub declared: BTreeMap<SymbolId, Declared>,
    /// Variables in data clauses.
    pub listed: BTreeSet<SymbolId>,
}

impl Program {
    pub fn of(model: &Model, files: &[View<'_, '_>]) -> Program {
        let mut program = Program::default();
        let mut finder = Finder {
            model,
            bodies: BTreeMap::new(),
            todo: Vec::new(),
            seen: BTreeSet::new(),
        };
        for (i, f) in files.iter().enumerate() {
            let file = FileId(i as u32);
            f.tree.units.iter().for_each(|u| finder.bodies_of(file, u));
        }
        for (i, f) in files.iter().enumerate() {
            let file = FileId(i as u32);
            for u in f.units {
                for r in &u.regions {
                    program.directive(model, file, u.unit, r, &mut finder);
                }
            }
        }
        finder.device_procedures();
        while let Some(s) = finder.todo.pop() {
            let Some(&(file, unit)) = finder.bodies.get(&s) else {
                continue;
            };
            let Some(p) = model.procedure(s) else {
                continue;
            };
            if p.target == ProcedureTarget::Host {
                program.routines.entry(s).or_default();
            }
            finder.calls(file, &unit.body);
        }
        // A procedure that calls shared ones is executed by a block, too.
        loop {
            let mut more = Vec::new();
            for (s, r) in program.routines.iter().filter(|(_, r)| !r.is_shared) {
                let Some((file, unit)) = finder.bodies.get(s) else {
                    continue;
                };
                let called = called(model, *file, &unit.body);
                let shared = |c: &SymbolId| program.routine(model, *c).is_some_and(|r| r.is_shared);
                if called.iter().any(shared) {
                    more.push((*s, *r));
                }
            }
            if more.is_empty() {
                break;
            }
            for (s, r) in more {
                let r = Routine {
                    is_shared: true,
                    ..r
                };
                program.routines.insert(s, r);
            }
        }
        program
    }

    /// What the directives say of a procedure, or of the one that an interface body describes.
    pub fn routine(&self, model: &Model, s: SymbolId) -> Option<Routine> {
        self.routines.get(&defined(model, s)).copied()
    }

    /// Modules and their variables that are declared on the device.
    pub fn module_data(&self, model: &Model) -> Vec<(String, String)> {
        let of = |s: &SymbolId| {
            let scope = &model[model[*s].scope];
            (scope.name.to_string(), model[*s].name.to_string())
        };
        self.declared.keys().map(of).collect()
    }

    fn directive(
        &mut self,
        model: &Model,
        file: FileId,
        unit: &ProgramUnit,
        r: &Region<'_>,
        finder: &mut Finder<'_>,
    ) {
        let d = r.directive;
        for e in d
            .clauses
            .iter()
            .filter(|c| c.kind.is_data())
            .flat_map(Clause::exprs)
        {
            let scope = model.scope_at(file, d.span.start);
            let name = e.as_name().zip(scope);
            self.listed
                .extend(name.and_then(|(n, s)| model.lookup(s, &n.text)));
        }
        match d.kind {
            Kind::Routine => {
                let found = routine_of(model, file, unit, d);
                if let Some(s) = found.map(|s| defined(model, s)) {
                    let level = [ClauseKind::Gang, ClauseKind::Worker, ClauseKind::Vector];
                    let bound = bound(model, file, d).map(|b| defined(model, b));
                    let known = self.routines.get(&s).copied().unwrap_or_default();
                    let routine = Routine {
                        nohost: known.nohost || d.has(ClauseKind::Nohost),
                        is_shared: known.is_shared || level.iter().any(|k| d.has(*k)),
                        bound: known.bound.or(bound),
                    };
                    self.routines.insert(s, routine);
                    match bound {
                        Some(b) => finder.add(b),
                        None => finder.add(s),
                    }
                }
            }
            Kind::Declare => self.declare(model, file, d),
            k if k.is_compute() => finder.calls(file, r.body.statements()),
            _ => {
                for c in &r.children {
                    self.directive(model, file, unit, c, finder);
                }
            }
        }
    }

    fn declare(&mut self, model: &Model, file: FileId, d: &Directive) {
        let Some(scope) = model.scope_at(file, d.span.start) else {
            return;
        };
        for c in &d.clauses {
            let copied = match c.kind {
                ClauseKind::Copyin | ClauseKind::Copy => true,
                ClauseKind::Create
                | ClauseKind::Copyout
                | ClauseKind::DeviceResident
                | ClauseKind::Link => false,
                _ => continue,
            };
            for n in c.exprs().filter_map(|e| e.as_name()) {
                let Some(s) = model.lookup(scope, &n.text) else {
                    continue;
                };
                let Some(v) = model.variable(s) else { continue };
                if !is_static(model, s) {
                    continue;
                }
                let is_dynamic =
                    v.attrs.has(VarAttrs::ALLOCATABLE) || v.attrs.has(VarAttrs::POINTER);
                let declared = Declared {
                    copied,
                    is_dynamic,
                    is_link: c.kind == ClauseKind::Link,
                };
                self.declared.insert(s, declared);
            }
        }
    }
}

/// Data of a module or of the main program, which exists for the whole run.
pub(super) fn is_static(model: &Model, s: SymbolId) -> bool {
    let scope = &model[model[s].scope];
    let stays = [VarAttrs::SAVE, VarAttrs::IN_COMMON];
    let saved = model
        .variable(s)
        .is_some_and(|v| stays.iter().any(|a| v.attrs.has(*a)));
    saved
        || matches!(
            scope.kind,
            ScopeKind::Module | ScopeKind::Submodule | ScopeKind::Program
        )
}

/// The procedure that a `routine` directive is about.
fn routine_of(model: &Model, file: FileId, unit: &ProgramUnit, d: &Directive) -> Option<SymbolId> {
    let scope = model.scope_at(file, d.span.start)?;
    match d.arguments.first().and_then(|a| a.word()) {
        Some(name) => model.lookup(scope, name),
        None => {
            let inner = model.scope_at(file, unit.end.start)?;
            model[inner].symbol
        }
    }
}

/// The procedure that clause `bind` names.
pub(super) fn bound(model: &Model, file: FileId, d: &Directive) -> Option<SymbolId> {
    let e = d.clause(ClauseKind::Bind)?.value()?;
    if let ast::ExprKind::Character { value, .. } = &e.kind {
        return model.externals.get(value.trim()).copied();
    }
    let scope = model.scope_at(file, d.span.start)?;
    let name = &e.as_name()?.text;
    let found = model.lookup(scope, name);
    let found = found.filter(|s| model.procedure(*s).is_some());
    found.or_else(|| model.externals.get(name.as_str()).copied())
}

/// The procedure of the program that a name or an interface body stands for, else the symbol itself.
pub(super) fn defined(model: &Model, s: SymbolId) -> SymbolId {
    let stands_for = match model.procedure(s).and_then(|p| p.body) {
        Some(body) if model[body].kind != ScopeKind::InterfaceBody => None,
        _ => model.externals.get(model[s].name.as_str()).copied(),
    };
    stands_for.unwrap_or(s)
}

/// The procedures that statements refer to.
pub(super) fn called(model: &Model, file: FileId, statements: &[Stmt]) -> Vec<SymbolId> {
    let mut out = Vec::new();
    for s in statements {
        calls_of(model, file, s, &mut out);
    }
    out
}

fn calls_of(model: &Model, file: FileId, s: &Stmt, out: &mut Vec<SymbolId>) {
    let Some(scope) = model.scope_at(file, s.span.start) else {
        return;
    };
    let mut add = |e: &ast::Expr| {
        model.expr(scope, e).walk(&mut |t| match &t.kind {
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                out.push(*procedure);
            }
            _ => {}
        });
    };
    s.expressions().into_iter().for_each(&mut add);
    if let StmtKind::Call(call) = &s.kind {
        call.args.iter().for_each(|a| add(&a.value));
        match model.call(scope, call) {
            ResolvedCall::User { procedure, .. } => out.push(procedure),
            ResolvedCall::Bound {
                procedure: Some(p), ..
            } => out.push(p),
            _ => {}
        }
    }
    if let StmtKind::CufKernel(k) = &s.kind
        && let Some(body) = &k.body
    {
        calls_of(model, file, body, out);
    }
    for b in s.blocks() {
        b.iter().for_each(|s| calls_of(model, file, s, out));
    }
}

struct Finder<'a> {
    model: &'a Model,
    /// The procedures of the program with a body.
    bodies: BTreeMap<SymbolId, (FileId, &'a ProgramUnit)>,
    todo: Vec<SymbolId>,
    seen: BTreeSet<SymbolId>,
}

impl<'a> Finder<'a> {
    fn bodies_of(&mut self, file: FileId, u: &'a ProgramUnit) {
        if matches!(
            u.kind,
            UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure
        ) && let Some(s) = self.scope_of(file, u).and_then(|s| self.model[s].symbol)
        {
            self.bodies.insert(s, (file, u));
        }
        u.procedures.iter().for_each(|p| self.bodies_of(file, p));
    }

    fn scope_of(&self, file: FileId, u: &ProgramUnit) -> Option<ScopeId> {
        self.model.scope_at(file, u.end.start)
    }

    fn add(&mut self, s: SymbolId) {
        if self.seen.insert(s) {
            self.todo.push(s);
        }
    }

    fn calls(&mut self, file: FileId, statements: &[Stmt]) {
        for s in called(self.model, file, statements) {
            self.add(defined(self.model, s));
        }
    }

    /// What device procedures and kernels call is called on the device.
    fn device_procedures(&mut self) {
        let all: Vec<_> = self.bodies.iter().map(|(s, b)| (*s, *b)).collect();
        for (s, (file, unit)) in all {
            let target = self.model.procedure(s).map(|p| p.target);
            if target.is_some_and(|t| t != ProcedureTarget::Host) {
                self.calls(file, &unit.body);
            }
        }
    }
}
