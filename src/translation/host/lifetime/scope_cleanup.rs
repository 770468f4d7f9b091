//! The life of variables whose values own device data, from the symbols of their scope: it does not matter in which statement,
//! or in which interface, they are declared.

use crate::ast::{Attr, AttrKind, Entity, Intent, ProgramUnit, Span, StmtKind, UnitKind};
use crate::host::context::HostRewriter;
use crate::host::context::memory::allocation_space;
use crate::host::context::names::{ALLOCATED, CUF, PRESENT};
use crate::host::declaration::Entry;
use crate::host::lifetime::calls::guarded;
use crate::map::Rule;
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// What the variables of a scope that own device data need at its beginning and on every exit. `saved`: they live as long as
    /// the program.
    pub(in crate::translation::host) fn owner_lives(
        &mut self,
        scope: ScopeId,
        saved: bool,
        entry: &mut Entry,
    ) {
        let model = self.model;
        let symbols: Vec<SymbolId> = model[scope].names.values().copied().collect();
        let mut done: Vec<SymbolId> = Vec::new();
        for s in symbols {
            let Some(v) = model.variable(s) else { continue };
            // Names of a module procedure's interface are those of the interface's scope.
            let own = model[s].scope == scope || v.dummy.is_some() || v.is_result;
            if !own || model[scope].used.values().any(|u| *u == s) || done.contains(&s) {
                continue;
            }
            done.push(s);
            if self.owners.owner_variable(v) {
                self.owner_life(s, v, saved, entry);
            }
        }
    }

    /// Which of the results of a function with ENTRY has a value at its end is not known.
    pub(in crate::translation::host) fn check_entries(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) {
        let entry = unit
            .body
            .iter()
            .find(|s| matches!(s.kind, StmtKind::Entry(_)));
        let Some(entry) = entry.filter(|_| unit.kind == UnitKind::Function) else {
            return;
        };
        let model = self.model;
        let mut own = model[scope]
            .names
            .values()
            .filter(|s| model[**s].scope == scope);
        let held = own.any(|s| {
            model.variable(*s).is_some_and(|v| {
                let device = allocation_space(v.space).is_some() && !v.attrs.has(VarAttrs::POINTER);
                v.dummy.is_none() && (device || self.owners.owner_variable(v))
            })
        });
        if held {
            self.finding(
                "CUF0395",
                entry.span,
                "ENTRY in a function that has device data, or structures that own some, of its own or as its result",
            );
        }
    }

    fn owner_life(&mut self, symbol: SymbolId, v: &Variable, saved: bool, entry: &mut Entry) {
        let name = self.model[symbol].spelling.to_string();
        let rank = v.dims.len() as i8;
        let allocatable = v.attrs.has(VarAttrs::ALLOCATABLE);
        let inquiry = allocatable.then_some(ALLOCATED);
        self.statement = self.model[symbol].span;
        if v.attrs.has(VarAttrs::VALUE) {
            self.finding(
                "CUF0423",
                self.model[symbol].span,
                format!("`{name}` owns device data and cannot have the `value` attribute\nhelp: remove `value` and copy the argument to a local variable"),
            );
            return;
        }
        if v.dummy.is_some() {
            if v.intent != Some(Intent::Out) {
                return;
            }
            let mut lines = self.finish(&name, &v.ty, rank, inquiry);
            if lines.is_empty() {
                return;
            }
            if allocatable {
                lines.push(format!("if ({ALLOCATED}({name})) deallocate({name})"));
            }
            if v.attrs.has(VarAttrs::OPTIONAL) {
                lines = guarded(Some(PRESENT), &name, lines);
            }
            entry.enter.extend(lines);
            return;
        }
        if v.is_result {
            if let (Type::Derived(t), true, false) = (&v.ty, rank > 0, allocatable) {
                let reset = self.reset_lines(&name, *t);
                entry.enter.extend(reset);
            }
            return;
        }
        let initialised = v.init.is_some();
        let static_ = [VarAttrs::SAVE, VarAttrs::IN_COMMON]
            .iter()
            .any(|a| v.attrs.has(*a));
        if !saved && !static_ && !initialised {
            let lines = self.finish(&name, &v.ty, rank, inquiry);
            entry.exit.extend(lines);
            entry.freed.push(symbol);
        }
    }

    /// gfortran 12 leaves the elements of an array result as they are (measured); scalars begin with their initial value.
    fn reset_lines(&mut self, name: &str, t: TypeId) -> Vec<String> {
        if self.assigned_by_user(t) {
            return vec![format!("call {}({name})", self.helper("reset", t))];
        }
        let of = self.type_here(t);
        vec![
            "block".to_owned(),
            format!("  type({of}) :: {CUF}fresh"),
            format!("  {name} = {CUF}fresh"),
            "end block".to_owned(),
        ]
    }

    /// With INTENT(OUT) the compiler would give a dummy its initial value before what it owns can be freed: the attribute becomes
    /// INTENT(INOUT).
    pub(in crate::translation::host) fn owner_intent(
        &mut self,
        entities: &[Entity],
        attrs: &[Attr],
        scope: ScopeId,
    ) {
        let out = attrs
            .iter()
            .find(|a| matches!(a.kind, AttrKind::Intent(Intent::Out)));
        if let Some(out) = out
            && entities.iter().any(|e| self.freed_on_entry(e, scope))
        {
            self.edits.replace(Rule::Owner, out.span, "intent(inout)");
        }
    }

    /// The same for an INTENT statement.
    pub(in crate::translation::host) fn intent_statement(
        &mut self,
        attrs: &[Attr],
        entities: &[Entity],
        span: Span,
        scope: ScopeId,
    ) {
        let (freed, others): (Vec<&Entity>, Vec<&Entity>) =
            entities.iter().partition(|e| self.freed_on_entry(e, scope));
        if others.is_empty() {
            self.owner_intent(entities, attrs, scope);
        } else if !freed.is_empty() {
            let names = |list: &[&Entity]| {
                crate::host::context::list(list.iter().map(|e| self.slice(e.span).to_owned()))
            };
            let indent = self.indent_at(span.start);
            let text = format!(
                "intent(out) :: {}\n{indent}intent(inout) :: {}",
                names(&others),
                names(&freed)
            );
            self.edits.replace(Rule::Owner, span, text);
        }
    }

    fn freed_on_entry(&self, e: &Entity, scope: ScopeId) -> bool {
        let symbol = self.model[scope].names.get(e.name.text.as_str());
        let variable = symbol.and_then(|s| self.model.variable(*s));
        variable.is_some_and(|v| {
            let pointer = v.attrs.has(VarAttrs::ALLOCATABLE) && allocation_space(v.space).is_some();
            v.dummy.is_some() && (pointer || self.owners.owner_variable(v))
        })
    }

    /// The device data of a separate module procedure whose declarations stand in the interface.
    pub(in crate::translation::host) fn interface_lives(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
        entry: &mut Entry,
    ) {
        if unit.kind != UnitKind::ModuleProcedure {
            return;
        }
        let model = self.model;
        for s in model[scope].names.values().copied() {
            if let Some(v) = model.variable(s)
                && model[s].scope != scope
                && (v.dummy.is_some() || v.is_result)
            {
                self.device_life(s, v, false, entry);
            }
        }
    }
}
