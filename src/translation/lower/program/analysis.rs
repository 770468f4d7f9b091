//! What must be known of all device procedures before one is lowered: which dummies they change, which module variables
//! they need as hidden arguments, which scalars are passed by reference.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use super::effects::{Facts, Inherited, body_facts};
use super::launch_aliases::Launches;
use super::unit_names::{UnitName, procedures, units};
use crate::ast::*;
use crate::ir::function::Sync;
use crate::lower::FileName;
use crate::sema::Input;
use crate::sema::model::*;

/// A procedure with a body in the program.
#[derive(Clone, Copy)]
pub struct ProcSource<'a> {
    pub file: FileId,
    pub unit: &'a ProgramUnit,
    pub scope: ScopeId,
    pub symbol: Option<SymbolId>,
    pub target: ProcedureTarget,
}

/// All procedures of the program with bodies, and the facts of those that run on the device.
pub struct Analysis<'a> {
    pub procs: BTreeMap<ScopeId, ProcSource<'a>>,
    pub facts: BTreeMap<ScopeId, Facts>,
    /// What launches give the kernels.
    pub(in crate::translation::lower) launches: Launches,
    /// What generated code calls the program units.
    pub units: BTreeMap<ScopeId, UnitName>,
    /// What the names of code generated for statements of a host procedure begin with.
    pub stems: BTreeMap<ScopeId, String>,
    /// Procedures that dummy procedures may stand for.
    passed: BTreeSet<SymbolId>,
    /// Procedures by folded name.
    by_name: HashMap<&'a str, Vec<ScopeId>>,
}

impl<'a> Analysis<'a> {
    pub fn new(model: &Model, inputs: &[Input<'a>], files: &[FileName<'_>]) -> Analysis<'a> {
        let mut procs = BTreeMap::new();
        for (i, input) in inputs.iter().enumerate() {
            let Some(info) = model.files.get(i) else {
                continue;
            };
            for (unit, scope) in input.ast.units.iter().zip(&info.units) {
                collect(model, FileId(i as u32), unit, *scope, &mut procs);
            }
        }
        let device: Vec<&ProcSource<'_>> = procs
            .values()
            .filter(|p| p.target != ProcedureTarget::Host)
            .collect();
        let facts = device
            .into_par_iter()
            .map(|p| {
                let spec = Some(&p.unit.spec[..]);
                let mut facts = body_facts(model, p.scope, &p.unit.body, spec);
                facts.device_only |= model.has_parts_of_device(p.scope);
                (p.scope, facts)
            })
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<BTreeMap<_, Facts>>();
        let passed = facts.values().flat_map(|f| &f.passed).copied().collect();
        let mut by_name: HashMap<&str, Vec<ScopeId>> = HashMap::new();
        for p in procs.values() {
            by_name.entry(&p.unit.name.text).or_default().push(p.scope);
        }
        let mut analysis = Analysis {
            procs,
            facts,
            launches: Launches::new(model, inputs),
            units: units(model, files),
            stems: procedures(model),
            passed,
            by_name,
        };
        analysis.close(model);
        analysis
    }

    /// Facts of a piece of host code that becomes device code.
    pub fn of_loop(&self, model: &Model, scope: ScopeId, body: &'a [Stmt]) -> Facts {
        let mut f = body_facts(model, scope, body, None);
        self.inherited(model, &f).add_to(&mut f);
        f
    }

    /// Some procedure that can be reached from these calls itself, directly or through others.
    pub fn recurses(&self, from: impl IntoIterator<Item = ScopeId>) -> bool {
        let reached = |from: &mut Vec<ScopeId>| {
            let mut seen = BTreeSet::new();
            while let Some(s) = from.pop() {
                for callee in self.facts.get(&s).into_iter().flat_map(|f| &f.calls) {
                    if seen.insert(*callee) {
                        from.push(*callee);
                    }
                }
            }
            seen
        };
        let mut start: Vec<_> = from.into_iter().collect();
        let mut all: BTreeSet<_> = start.iter().copied().collect();
        all.extend(reached(&mut start));
        all.iter().any(|s| reached(&mut vec![*s]).contains(s))
    }

    /// The body of a procedure, or one that it calls, is not known or has such facts.
    pub fn reaches(
        &self,
        model: &Model,
        procedure: SymbolId,
        wanted: impl Fn(&Facts) -> bool,
    ) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![self.body_of(model, procedure)];
        while let Some(body) = waiting.pop() {
            let Some(facts) = body.and_then(|b| self.facts.get(&b)) else {
                return true;
            };
            if body.is_some_and(|b| !seen.insert(b)) {
                continue;
            }
            if wanted(facts) {
                return true;
            }
            waiting.extend(self.bodies(model, facts));
        }
        false
    }

    /// Passes changes and hidden arguments up the call graph until nothing more happens.
    fn close(&mut self, model: &Model) {
        let mut callers: BTreeMap<ScopeId, BTreeSet<ScopeId>> = BTreeMap::new();
        for (s, f) in &self.facts {
            for callee in f.calls.iter().chain(f.edges.iter().map(|(_, c, _)| c)) {
                callers.entry(*callee).or_default().insert(*s);
            }
            let bodies = self.bodies(model, f).into_iter();
            for callee in bodies.chain(self.handed(model, f)).flatten() {
                callers.entry(callee).or_default().insert(*s);
            }
        }
        let mut waiting: BTreeSet<ScopeId> = self.facts.keys().copied().collect();
        while let Some(s) = waiting.pop_last() {
            let Some(f) = self.facts.get(&s) else {
                continue;
            };
            let more = self.inherited(model, f);
            if more.is_nothing() {
                continue;
            }
            if let Some(f) = self.facts.get_mut(&s) {
                more.add_to(f);
            }
            waiting.extend(callers.get(&s).into_iter().flatten());
        }
    }

    /// What the callees do to the variables of a body, beyond what is already known.
    fn inherited(&self, model: &Model, f: &Facts) -> Inherited {
        let mut more = Inherited::default();
        for (root, callee, position) in &f.edges {
            if !f.modified.contains(root) && self.dummy_modified(model, *callee, *position) {
                more.modified.push(*root);
            }
            if !f.associated.contains(root) && self.dummy_associated(model, *callee, *position) {
                more.associated.push(*root);
            }
        }
        let bodies = self.bodies(model, f);
        for c in bodies.iter().flatten() {
            if let Some(g) = self.facts.get(c) {
                // A callee's changes of module variables.
                let changes = g.modified.difference(&f.modified);
                more.modified
                    .extend(changes.filter(|s| model[**s].scope != *c));
                more.module.extend(g.module.difference(&f.module));
            }
        }
        // A procedure that is an argument has its hidden arguments with it: who calls the dummy does not need them.
        let direct = self.called(model, f).chain(self.handed(model, f));
        for g in direct.flatten().filter_map(|c| self.facts.get(&c)) {
            more.hidden.extend(g.hidden.difference(&f.hidden));
        }
        let in_callees = |holds: fn(&Facts) -> bool| {
            let mut all = bodies.iter().flatten().filter_map(|b| self.facts.get(b));
            all.any(holds)
        };
        more.of_block = !f.of_block && in_callees(|f| f.of_block);
        more.device_only = !f.device_only && in_callees(|f| f.device_only);
        more.volatile = !f.volatile && in_callees(|f| f.volatile);
        more.pointers = !f.pointers && in_callees(|f| f.pointers);
        let sync = bodies.iter().map(|body| self.sync_of(*body)).max();
        more.sync = sync.filter(|sync| *sync > f.sync);
        more
    }

    fn sync_of(&self, body: Option<ScopeId>) -> Sync {
        let facts = body.and_then(|b| self.facts.get(&b));
        facts.map_or(Sync::Memory, |f| f.sync)
    }

    /// The procedure of a scope, or a dummy procedure with this interface, lets threads learn of each other.
    pub fn synchronises(&self, model: &Model, procedure: ScopeId) -> bool {
        if self.procs.contains_key(&procedure) {
            return self.sync_of(Some(procedure)) != Sync::Never;
        }
        let mut passed = self.passed.iter();
        passed.any(|p| self.sync_of(self.body_of(model, *p)) != Sync::Never)
    }

    /// The bodies of the procedures called, dummy procedures too; None where one is not in the program.
    fn bodies(&self, model: &Model, f: &Facts) -> Vec<Option<ScopeId>> {
        let passed = self.passed.iter().filter(|_| f.calls_dummy);
        let passed = passed.map(|p| self.body_of(model, *p));
        self.called(model, f).chain(passed).collect()
    }

    /// The same of procedures that are called by their names.
    fn called(&self, model: &Model, f: &Facts) -> impl Iterator<Item = Option<ScopeId>> {
        let called = f.calls.iter().map(|c| match self.procs.contains_key(c) {
            true => Some(*c),
            // An interface body.
            false => model[*c].symbol.and_then(|p| self.body_of(model, p)),
        });
        let named = f.externals.iter().map(|p| self.body_of(model, *p));
        called.chain(named)
    }

    /// The same of those that are actual arguments.
    pub fn handed(&self, model: &Model, f: &Facts) -> impl Iterator<Item = Option<ScopeId>> {
        f.passed.iter().map(|p| self.body_of(model, *p))
    }

    /// The callee may change what the dummy is associated with.
    pub fn dummy_associated(&self, model: &Model, callee: ScopeId, position: usize) -> bool {
        let dummy = model[callee]
            .symbol
            .and_then(|s| model.procedure(s))
            .and_then(|p| p.dummies.get(position).copied().flatten());
        let Some(d) = dummy else { return false };
        let movable = model.variable(d).is_some_and(|v| v.attrs.is_dynamic());
        movable
            && match self.facts.get(&callee) {
                Some(f) => f.associated.contains(&d),
                // The body of a procedure dummy is not known.
                None => model
                    .variable(d)
                    .is_none_or(|v| v.intent != Some(Intent::In)),
            }
    }

    /// The callee may change its dummy.
    pub fn dummy_modified(&self, model: &Model, callee: ScopeId, position: usize) -> bool {
        let Some(p) = model[callee].symbol.and_then(|s| model.procedure(s)) else {
            return true;
        };
        let Some(Some(d)) = p.dummies.get(position) else {
            return true;
        };
        let Some(v) = model.variable(*d) else {
            return true;
        };
        if v.attrs.has(VarAttrs::VALUE) {
            return false;
        }
        match self.facts.get(&callee) {
            Some(f) => f.modified.contains(d),
            None => v.intent != Some(Intent::In),
        }
    }

    /// The body a procedure symbol stands for.
    pub fn body_of(&self, model: &Model, procedure: SymbolId) -> Option<ScopeId> {
        let procedure = model.definition(procedure).unwrap_or(procedure);
        let p = model.procedure(procedure)?;
        let body = p.body?;
        if self.procs.contains_key(&body) {
            return Some(body);
        }
        // An interface body stands for the external (or separate module) procedure of its name.
        let same_name = self.by_name.get(model[procedure].name.as_str())?;
        let target = |s: &&ScopeId| self.procs.get(s).is_some_and(|q| q.target == p.target);
        same_name.iter().find(target).copied()
    }
}

fn collect<'a>(
    model: &Model,
    file: FileId,
    unit: &'a ProgramUnit,
    scope: ScopeId,
    out: &mut BTreeMap<ScopeId, ProcSource<'a>>,
) {
    if matches!(
        unit.kind,
        UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure
    ) {
        let symbol = model[scope].symbol;
        let target = symbol
            .and_then(|s| model.procedure(s))
            .map(|p| p.target)
            .unwrap_or_default();
        out.insert(
            scope,
            ProcSource {
                file,
                unit,
                scope,
                symbol,
                target,
            },
        );
    }
    for p in &unit.procedures {
        let child = model
            .children_at(scope, p.span)
            .find(|c| model[*c].kind == ScopeKind::Procedure);
        if let Some(c) = child {
            collect(model, file, p, c, out);
        }
    }
}
