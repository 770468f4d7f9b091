//! Host data that device code reaches: gfortran keeps no value of it over a call. A variable without TARGET does not escape by being
//! passed to a dummy without TARGET (F2018 15.5.2.13), so that the read after a synchronization would move before it. What device code
//! reaches, and the dummies on its way there and from there, have the attribute; where a dummy cannot have it, since interfaces would
//! have to agree, a call of the runtime gives the address away.

use std::collections::BTreeSet;

use crate::ast::{Decl, DeclKind, ProgramUnit, Span, UnitKind};
use crate::host::context::memory::allocation_space;
use crate::host::context::names::CUF;
use crate::host::context::{Held, HostRewriter, Within, list};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Who gets the actual arguments of a call.
enum Takers<'m> {
    /// A procedure of the program.
    Known(&'m [Option<SymbolId>]),
    /// A procedure that may give them to device code.
    Unknown,
    /// A procedure that does not.
    Harmless,
}

impl<'a> HostRewriter<'a> {
    /// Host data that the memory mode gives to device code, which changes it while the Fortran compiler looks elsewhere.
    pub(in crate::translation::host) fn reached(&mut self, data: &TExpr) {
        if self.model.reaches(data) {
            self.flows.given.extend(self.variable_of(data));
        }
    }

    /// Host data that a copy reads or writes after the call has returned.
    pub(in crate::translation::host) fn copied_later(&mut self, data: &TExpr) {
        self.flows.given.extend(self.variable_of(data));
    }

    /// The variable whose data a designator is part of: no associate name.
    fn variable_of(&self, data: &TExpr) -> Option<SymbolId> {
        let root = data.root()?;
        match &self.model[root].kind {
            SymbolKind::Variable(_) => Some(root),
            SymbolKind::Associate { expr, outer, .. } => {
                self.variable_of(&self.model.designator(*outer, expr))
            }
            _ => None,
        }
    }

    /// A procedure that is referred to by another name than its own: one of an interface that has to agree with its own.
    pub(in crate::translation::host) fn refers_by_interface(&mut self, e: &TExpr) {
        if let TExprKind::ProcedureName(p) = e.kind {
            self.flows.tied.insert(p);
        }
    }

    /// What the flows of data need to know of a procedure that has been walked.
    pub(in crate::translation::host) fn note_procedure(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) {
        let separate = unit.kind == UnitKind::ModuleProcedure
            || unit.prefix.words.iter().any(|w| w.text == "module");
        if separate {
            self.flows.tied.extend(self.model[scope].symbol);
        }
        // A transfer waits, too.
        if self.unit.runtime {
            self.flows.calling.insert(scope);
        }
    }

    /// The procedure being walked calls another one, which may wait for the device.
    pub(in crate::translation::host) fn note_call(&mut self) {
        let mut scope = Some(self.scope);
        while let Some(s) = scope {
            if self.model[s].kind == ScopeKind::Procedure {
                self.flows.calling.insert(s);
            }
            scope = self.model[s].parent;
        }
    }

    /// The host data among the actual arguments of a procedure; None: of an unknown one.
    pub(in crate::translation::host) fn follow(
        &mut self,
        procedure: Option<SymbolId>,
        args: &[Option<TExpr>],
    ) {
        self.note_call();
        let model = self.model;
        let takers = procedure.map_or(Takers::Unknown, |p| self.takers(p));
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a else { continue };
            let Some(root) = self.variable_of(a) else {
                continue;
            };
            match takers {
                Takers::Harmless => {}
                Takers::Unknown => {
                    if model.reaches(a) {
                        self.flows.given.insert(root);
                        self.give_away(a);
                    }
                }
                Takers::Known(dummies) => {
                    let Some(d) = dummies.get(i).copied().flatten() else {
                        continue;
                    };
                    let Some(v) = model.variable(d).filter(|v| v.is_hosts()) else {
                        continue;
                    };
                    if v.attrs.has(VarAttrs::VALUE) {
                        continue;
                    }
                    if matches!(model.space(a), Some(Space::Managed | Space::Unified)) {
                        self.flows.shared.insert(d);
                    } else if !model.space(a).is_some_and(Model::is_device_space) {
                        self.flows.passed.insert((root, d));
                        if self.targets.given.contains(&d) && !self.is_target(d) {
                            self.give_away(a);
                        }
                    }
                }
            }
        }
    }

    fn takers(&self, procedure: SymbolId) -> Takers<'a> {
        let model = self.model;
        let Some(p) = model.procedure(procedure) else {
            return Takers::Unknown;
        };
        if p.pure || p.external_module || p.target != ProcedureTarget::Host {
            return Takers::Harmless;
        }
        let defined = |s: &SymbolId| {
            let p = model.procedure(*s)?;
            let body = p.body?;
            (model[body].kind != ScopeKind::InterfaceBody).then_some(p.dummies.as_slice())
        };
        let name = model[procedure].name.as_str();
        match p.kind {
            ProcedureKind::Module | ProcedureKind::Internal => Takers::Known(&p.dummies),
            ProcedureKind::Intrinsic => Takers::Harmless,
            ProcedureKind::Dummy | ProcedureKind::Pointer => Takers::Unknown,
            ProcedureKind::External => match model.externals.get(name).and_then(defined) {
                Some(dummies) => Takers::Known(dummies),
                None if p.body.is_some_and(|b| self.model.is_foreign(b)) => Takers::Harmless,
                None => Takers::Unknown,
            },
        }
    }

    /// A dummy of a procedure whose interface others see, or have to agree with.
    fn is_fixed_interface(&self, dummy: SymbolId) -> bool {
        let scope = &self.model[self.model[dummy].scope];
        let Some((symbol, p)) = (scope.symbol).and_then(|s| Some((s, self.model.procedure(s)?)))
        else {
            return true;
        };
        let free = match p.kind {
            // Files that are compiled later may pass it, or bind it to a type.
            ProcedureKind::Module => !self.separate,
            ProcedureKind::Internal => true,
            _ => false,
        };
        scope.kind == ScopeKind::InterfaceBody || !free || self.targets.tied.contains(&symbol)
    }

    /// A variable that is reached gets the TARGET attribute.
    fn can_be_target(&self, variable: SymbolId) -> bool {
        let Some(v) = self.model.variable(variable) else {
            return false;
        };
        let other = [
            VarAttrs::TARGET,
            VarAttrs::POINTER,
            VarAttrs::VALUE,
            VarAttrs::IN_COMMON,
            VarAttrs::IN_EQUIVALENCE,
            VarAttrs::CRAY_POINTEE,
        ];
        v.decl.end > v.decl.start
            && allocation_space(v.space).is_none()
            && !other.iter().any(|a| v.attrs.has(*a))
            && (v.dummy.is_none() || !self.is_fixed_interface(variable))
    }

    /// The dummy is a target in the host code, or will be.
    fn is_target(&self, dummy: SymbolId) -> bool {
        let declared = self.model.variable(dummy).is_some_and(|v| {
            [VarAttrs::TARGET, VarAttrs::POINTER]
                .iter()
                .any(|a| v.attrs.has(*a))
        });
        declared || self.can_be_target(dummy)
    }

    /// The TARGET attribute of the variables of a scope that device code reaches, or C_LOC gets.
    pub(in crate::translation::host) fn declare_targets(&mut self, spec: &[Decl], scope: ScopeId) {
        if self.targets.reaches_nothing() || self.model[scope].file != self.file {
            return;
        }
        let declarations = spec.iter().filter_map(|d| match &d.kind {
            DeclKind::Type(t) => Some((d.span, t)),
            _ => None,
        });
        for (span, t) in declarations {
            let symbols = t.entities.iter();
            let symbols = symbols.filter_map(|e| {
                let s = self.model[scope].names.get(e.name.text.as_str())?;
                Some((*s, self.model.variable(*s)?))
            });
            let symbols: Vec<_> = symbols.collect();
            let wanted = |s: SymbolId| {
                self.targets.located.contains(&s)
                    || self.targets.reaches_variable(s) && self.can_be_target(s)
            };
            let targets = symbols.iter().filter(|(s, _)| wanted(*s));
            let names: Vec<String> = targets
                .map(|(s, _)| self.model[*s].spelling.to_string())
                .collect();
            if names.is_empty() {
                continue;
            }
            let rewritten = |v: &Variable| {
                allocation_space(v.space).is_some() || v.attrs.has(VarAttrs::BY_ADDRESS)
            };
            // gfortran 12 takes no TARGET statement for CLASS.
            let class =
                (symbols.iter()).any(|(_, v)| matches!(v.ty, Type::Class(_) | Type::ClassStar));
            let whole = names.len() == t.entities.len() || class;
            if whole && !symbols.iter().any(|(_, v)| rewritten(v)) {
                let end = t.attrs.last().map_or(t.spec.span.end, |a| a.span.end);
                let first = t.entities.first().map_or(end, |e| e.name.span.start);
                let between = self.slice(Span {
                    start: end,
                    end: first,
                });
                let colons = if between.contains("::") { "" } else { " ::" };
                let text = format!(", target{colons}");
                self.edits.insert(Rule::Dialect, end, text);
            } else {
                let text = format!("; target :: {}", list(names));
                self.edits.insert(Rule::Dialect, span.end, text);
            }
        }
    }

    /// A reached dummy that cannot be a target.
    fn gives_at_entry(&self, dummy: SymbolId) -> bool {
        let Some(v) = self.model.variable(dummy) else {
            return false;
        };
        // The host reads what kernels write.
        let shared = matches!(v.space, Space::Managed | Space::Unified | Space::Pinned)
            && !v.attrs.is_dynamic()
            && self.is_called_unseen(dummy);
        v.dummy.is_some()
            && !v.attrs.has(VarAttrs::VALUE)
            && (shared || self.targets.given.contains(&dummy))
            && !self.is_target(dummy)
    }

    /// A dummy of an external procedure that is called without an explicit interface in its own file, where gfortran takes no TARGET for it
    /// (decision 203).
    pub(in crate::translation::host) fn is_called_unseen(&self, dummy: SymbolId) -> bool {
        let procedure = self.model[self.model[dummy].scope].symbol;
        procedure.is_some_and(|s| {
            let external = |p: &Procedure| p.kind == ProcedureKind::External;
            self.called_unseen.contains(self.model[s].name.as_str())
                && self.model.procedure(s).is_some_and(external)
        })
    }

    fn is_dynamic_variable(&self, variable: SymbolId) -> bool {
        let v = self.model.variable(variable);
        v.is_some_and(|v| v.attrs.is_dynamic())
    }

    /// Statements at the beginning of a procedure: for reached dummies that cannot be targets, and for what `within` its body has no place.
    pub(in crate::translation::host) fn given_away_at_entry(
        &mut self,
        scope: ScopeId,
        within: BTreeSet<String>,
    ) -> Vec<String> {
        let symbol = self.model[scope].symbol;
        let procedure = symbol.and_then(|s| self.model.procedure(s));
        let mut texts = within;
        if let Some(p) = procedure.filter(|p| !p.pure) {
            for d in p.dummies.iter().flatten() {
                if let Some(v) = self.model.variable(*d)
                    && self.gives_at_entry(*d)
                {
                    texts.insert(self.giving_away(&self.model[*d].spelling, &v.ty));
                }
            }
        }
        self.unit.runtime |= !texts.is_empty();
        texts.into_iter().collect()
    }

    /// Before the statement: the address of the variable is known elsewhere.
    fn give_away(&mut self, a: &TExpr) {
        let given = |s| self.gives_at_entry(s) && !self.is_dynamic_variable(s);
        if self.within != Within::Ordinary || self.variable_of(a).is_some_and(given) {
            return;
        }
        let mut whole = a;
        while let Some(base) = whole.base() {
            whole = base;
        }
        let text = self.giving_away(self.slice(whole.span), &whole.ty);
        self.unit.runtime = true;
        match &mut self.held {
            Some(all) if all.iter().any(|h| h.set.contains(&text)) => {}
            Some(all) => all.push(Held {
                declaration: String::new(),
                set: vec![text],
                release: Vec::new(),
                end: None,
                at: None,
                name: String::new(),
            }),
            None => {
                self.unit.given_away.insert(text);
            }
        }
    }

    /// A call that lets the address of a variable escape.
    fn giving_away(&self, name: &str, ty: &Type) -> String {
        // An any-type dummy takes no object of a type with procedures (F2018 15.5.2.4).
        let object = match ty {
            Type::Class(_) | Type::ClassStar => true,
            Type::Derived(t) => {
                std::iter::successors(Some(*t), |t| self.model[*t].parent).any(|t| {
                    let of = &self.model[t];
                    !of.bindings.is_empty() || !of.finals.is_empty()
                })
            }
            _ => false,
        };
        let which = if object { "shared_object" } else { "shared" };
        format!("call {CUF}{which}({name})")
    }
}
