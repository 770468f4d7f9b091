//! Declaration of program units and procedures.

use super::builder::{Builder, Fixup, specific_key, variable};
use crate::ast::{self, Dummy, ProgramUnit, UnitKind, Word};
use crate::libraries::Choice;
use crate::sema::model::*;
use crate::suggest::nearest;

/// Where a unit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translation::sema) enum Place {
    Top,
    /// After CONTAINS.
    Contained,
    InterfaceBody,
}

impl<'a> Builder<'a> {
    pub fn declare_unit(
        &mut self,
        unit: &'a ProgramUnit,
        parent: Option<ScopeId>,
        place: Place,
    ) -> ScopeId {
        let kind = match (&unit.kind, place) {
            (_, Place::InterfaceBody) => ScopeKind::InterfaceBody,
            (UnitKind::Program, _) => ScopeKind::Program,
            (UnitKind::Module, _) => ScopeKind::Module,
            (UnitKind::Submodule { .. }, _) => ScopeKind::Submodule,
            (UnitKind::BlockData, _) => ScopeKind::BlockData,
            _ => ScopeKind::Procedure,
        };
        let scope = self.new_scope(kind, &unit.name.text, parent, unit.span);
        if std::mem::take(&mut self.orphan) {
            self.scope_mut(scope).open_ended = true;
        }
        match unit.kind {
            UnitKind::Module => {
                let symbol = self.new_symbol(
                    scope,
                    &unit.name.text,
                    unit.name.span,
                    SymbolKind::Module(scope),
                );
                self.scope_mut(scope).symbol = Some(symbol);
                self.m
                    .modules
                    .entry(unit.name.text.clone())
                    .or_insert(scope);
                self.specification(scope, &unit.spec);
            }
            UnitKind::Subroutine | UnitKind::Function => {
                self.procedure(scope, unit, parent, place);
            }
            UnitKind::ModuleProcedure => self.module_procedure(scope, unit, parent),
            _ => self.specification(scope, &unit.spec),
        }
        for p in &unit.procedures {
            self.declare_unit(p, Some(scope), Place::Contained);
        }
        self.resolve_fixups(scope);
        self.finish_variables(scope);
        self.ignore_tkr(scope, unit);
        if matches!(unit.kind, UnitKind::Module) {
            self.export(scope);
        }
        self.bodies.push((scope, unit));
        scope
    }

    fn target(&self, unit: &ProgramUnit) -> ProcedureTarget {
        let has = |w: &str| unit.prefix.attributes.iter().any(|a| a.text == w);
        // Meant, if not written: an unknown attribute is an error of its own.
        let means_kernel = |w: &str| w == "kernel" || nearest(w, ["global"]).is_some();
        if has("grid_global") {
            ProcedureTarget::GridGlobal
        } else if has("global") || (unit.prefix.attributes.iter()).any(|a| means_kernel(&a.text)) {
            ProcedureTarget::Global
        } else if has("device") && has("host") {
            ProcedureTarget::HostDevice
        } else if has("device") {
            ProcedureTarget::Device
        } else if unit.prefix.attributes.iter().any(|a| a.text != "host") {
            // No attribute that there is, which the checks say: all that either side allows passes.
            ProcedureTarget::HostDevice
        } else {
            ProcedureTarget::Host
        }
    }

    fn procedure(
        &mut self,
        scope: ScopeId,
        unit: &'a ProgramUnit,
        parent: Option<ScopeId>,
        place: Place,
    ) {
        let target = self.target(unit);
        self.scope_mut(scope).context = match target {
            ProcedureTarget::Host => CodeContext::Host,
            ProcedureTarget::HostDevice => CodeContext::HostDevice,
            _ => CodeContext::Device,
        };
        let is_function = matches!(unit.kind, UnitKind::Function);
        let word = |w: &str| unit.prefix.words.iter().any(|x| x.text == w);
        let kind = match (place, parent.map(|p| self.m[p].kind)) {
            (Place::Contained, Some(ScopeKind::Module | ScopeKind::Submodule)) => {
                ProcedureKind::Module
            }
            (Place::Contained, _) => ProcedureKind::Internal,
            (Place::InterfaceBody, Some(ScopeKind::Module)) if word("module") => {
                ProcedureKind::Module
            }
            _ => ProcedureKind::External,
        };
        let procedure = Procedure {
            body: Some(scope),
            kind,
            dummies: Vec::new(),
            result: None,
            is_function,
            target,
            launch_bounds: Vec::new(),
            cluster_dims: Vec::new(),
            elemental: word("elemental"),
            pure: word("pure") || (word("elemental") && !word("impure")),
            recursive: word("recursive"),
            bind_name: None,
            external_module: false,
        };
        let symbol = self.procedure_symbol(unit, parent, place, procedure);
        self.scope_mut(scope).symbol = Some(symbol);
        if let (Some(parent), Place::Contained) = (parent, place) {
            self.entries(parent, &unit.body);
        }

        let mut dummies = Vec::with_capacity(unit.dummies.len());
        for (i, d) in unit.dummies.iter().enumerate() {
            dummies.push(match d {
                Dummy::Name(n) => {
                    let mut v = variable(Type::Unknown);
                    v.dummy = Some(i);
                    Some(self.declare(scope, n, SymbolKind::Variable(v)))
                }
                Dummy::AlternateReturn(_) => None,
            });
        }
        let mut result = None;
        if is_function {
            let name = unit.result.as_ref().unwrap_or(&unit.name);
            let mut v = variable(Type::Unknown);
            v.is_result = true;
            result = Some(self.declare(scope, name, SymbolKind::Variable(v)));
        }
        if !is_function || unit.result.is_some() {
            self.scope_mut(scope)
                .names
                .entry(unit.name.text.clone())
                .or_insert(symbol);
        }
        if let SymbolKind::Procedure(p) = &mut self.symbol_mut(symbol).kind {
            p.dummies = dummies;
            p.result = result;
        }

        self.specification(scope, &unit.spec);

        if let (Some(r), Some(spec)) = (result, &unit.prefix.result_type) {
            let ty = self.type_of_spec(scope, spec);
            if let SymbolKind::Variable(v) = &mut self.symbol_mut(r).kind {
                v.ty = ty;
                v.declared = true;
                v.decl = spec.span;
            }
        }
        let ints = |b: &Self, list: &[ast::Expr]| {
            list.iter()
                .filter_map(|e| b.m.const_int(scope, e))
                .collect()
        };
        let launch_bounds = ints(self, &unit.prefix.launch_bounds);
        let cluster_dims = ints(self, &unit.prefix.cluster_dims);
        let bind_name = unit.bind.as_ref().map(|b| {
            let named = b.name.as_ref().map(|e| self.m.expr(scope, e).value);
            match named {
                Some(Some(Constant::Character(s))) => s.trim().to_owned(),
                _ => unit.name.text.to_string(),
            }
        });
        if let SymbolKind::Procedure(p) = &mut self.symbol_mut(symbol).kind {
            p.launch_bounds = launch_bounds;
            p.cluster_dims = cluster_dims;
            p.bind_name = bind_name;
        }
    }

    /// ENTRY names of a module procedure or internal procedure are procedures of the scope around it.
    fn entries(&mut self, parent: ScopeId, body: &[ast::Stmt]) {
        for s in body {
            if let ast::StmtKind::Entry(name) = &s.kind
                && self.local(parent, &name.text).is_none()
            {
                let symbol = self.declare(parent, name, SymbolKind::Unknown);
                self.make_procedure(symbol, ProcedureKind::Module, None);
            }
        }
    }

    /// The symbol of a procedure in the scope around it, or among the external procedures.
    fn procedure_symbol(
        &mut self,
        unit: &ProgramUnit,
        parent: Option<ScopeId>,
        place: Place,
        procedure: Procedure,
    ) -> SymbolId {
        let Some(parent) = parent else {
            let own = ScopeId(self.m.scopes.len() as u32 - 1);
            let symbol = self.new_symbol(
                own,
                &unit.name.text,
                unit.name.span,
                SymbolKind::Procedure(Box::new(procedure)),
            );
            self.m
                .externals
                .entry(unit.name.text.clone())
                .or_insert(symbol);
            return symbol;
        };
        let is_module_procedure = unit.prefix.words.iter().any(|w| w.text == "module");
        if place == Place::Contained && is_module_procedure {
            // The body of a separate module procedure: the interface's symbol, with the dummies of the body.
            if let Some(s) = self.interface_of(parent, &unit.name.text) {
                if let SymbolKind::Procedure(p) = &mut self.symbol_mut(s).kind {
                    let target = p.target;
                    **p = procedure;
                    p.kind = ProcedureKind::Module;
                    if p.target == ProcedureTarget::Host {
                        p.target = target;
                    }
                }
                return s;
            }
        }
        let existing = self.m[parent].names.get(unit.name.text.as_str()).copied();
        match existing.map(|s| (s, &self.m[s].kind)) {
            // An interface for a dummy procedure, or after `external`.
            Some((s, SymbolKind::Variable(v))) if place == Place::InterfaceBody => {
                let mut procedure = procedure;
                if v.dummy.is_some() {
                    procedure.kind = ProcedureKind::Dummy;
                }
                if v.attrs.has(VarAttrs::POINTER) {
                    procedure.kind = ProcedureKind::Pointer;
                }
                self.symbol_mut(s).kind = SymbolKind::Procedure(Box::new(procedure));
                s
            }
            // A generic and a specific procedure of one name: the name stays the generic's.
            Some((g, SymbolKind::Generic(_))) if self.m[g].scope == parent => {
                let s = self.new_symbol(
                    parent,
                    &unit.name.text,
                    unit.name.span,
                    SymbolKind::Procedure(Box::new(procedure)),
                );
                self.scope_mut(parent)
                    .names
                    .insert(specific_key(&unit.name.text).into(), s);
                s
            }
            Some((s, SymbolKind::Procedure(p)))
                if place == Place::Contained && p.body.is_some() && self.m[s].scope == parent =>
            {
                let first = self.m[s].span;
                self.duplicate(&unit.name, first);
                self.new_symbol(
                    parent,
                    &unit.name.text,
                    unit.name.span,
                    SymbolKind::Procedure(Box::new(procedure)),
                )
            }
            _ => self.declare(
                parent,
                &unit.name,
                SymbolKind::Procedure(Box::new(procedure)),
            ),
        }
    }

    /// The interface of a separate module procedure: declared in the ancestors of a submodule, or the module itself.
    fn interface_of(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let mut at = Some(scope);
        while let Some(s) = at {
            for key in [name.to_owned(), specific_key(name)] {
                if let Some(&id) = self.m[s].names.get(key.as_str())
                    && matches!(self.m[id].kind, SymbolKind::Procedure(_))
                {
                    return Some(id);
                }
            }
            at = self.m[s].parent;
        }
        None
    }

    /// `module procedure name` in a submodule: dummies and result are those of the interface.
    fn module_procedure(&mut self, scope: ScopeId, unit: &'a ProgramUnit, parent: Option<ScopeId>) {
        let Some(symbol) = parent.and_then(|p| self.interface_of(p, &unit.name.text)) else {
            if self.m[scope].open_ended {
                self.specification(scope, &unit.spec);
                return;
            }
            self.finding(
                "CUF0206",
                format!(
                    "module procedure `{}` has no interface in an ancestor module",
                    unit.name.text
                ),
                unit.name.span,
            );
            self.specification(scope, &unit.spec);
            return;
        };
        if let SymbolKind::Procedure(p) = &mut self.symbol_mut(symbol).kind {
            let interface = p.body.replace(scope);
            let mut shared: Vec<SymbolId> = p.dummies.iter().flatten().copied().collect();
            shared.extend(p.result);
            let context = interface.map(|i| self.m[i].context);
            let named: Vec<(Word, SymbolId)> = shared
                .into_iter()
                .map(|s| (self.m[s].name.clone(), s))
                .collect();
            let implicit = interface.map(|i| self.m[i].implicit.clone());
            let own = self.scope_mut(scope);
            own.names.extend(named);
            own.symbol = Some(symbol);
            if let Some(c) = context {
                own.context = c;
            }
            if let Some(i) = implicit {
                own.implicit = i;
            }
        }
        self.specification(scope, &unit.spec);
    }

    /// Directives `!dir$ ignore_tkr` and `!pgi$ ignore_tkr` of a procedure: `[(letters)] dummy, ...`, all dummies without a list. The
    /// letters may also be those of the word: `ignore_tr`.
    fn ignore_tkr(&mut self, scope: ScopeId, unit: &ProgramUnit) {
        if unit.dummies.is_empty() {
            return;
        }
        let Some(input) = self.inputs.get(self.file.0 as usize) else {
            return;
        };
        let comments = &input.ast.comments;
        let from = comments.partition_point(|c| c.span.start < unit.header.start);
        let until = unit
            .body
            .first()
            .map_or(unit.end.start, |s| s.span.start)
            .max(unit.header.end);
        let mut directives = Vec::new();
        let library = self.m.files[self.file.0 as usize].library;
        let mut options = Vec::new();
        for c in comments[from..].iter().take_while(|c| c.span.start < until) {
            let text = self.text(c.span).to_ascii_lowercase();
            options.extend(
                text.strip_prefix("!cuf$ option ")
                    .filter(|_| library)
                    .map(str::to_owned),
            );
            let words = text.strip_prefix("!dir$").or(text.strip_prefix("!pgi$"));
            if let Some(rest) = words.and_then(|w| w.trim_start().strip_prefix("ignore_")) {
                let list = rest.trim_start_matches(['t', 'k', 'r', 'd']);
                let letters = &rest[..rest.len() - list.len()];
                let other = list.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
                if letters.is_empty() || other {
                    continue;
                }
                let list = list.trim_start_matches([' ', ':']);
                directives.push(match list.starts_with('(') {
                    true => list.to_owned(),
                    false => format!("({letters}) {list}"),
                });
            }
        }
        for list in directives {
            self.apply_ignore_tkr(scope, unit, &list);
        }
        for list in options {
            self.apply_option(scope, &list);
        }
    }

    /// `(operation) transa, transb` in the module of a library: these integers may be letters.
    fn apply_option(&mut self, scope: ScopeId, list: &str) {
        let parts = list.strip_prefix('(').and_then(|l| l.split_once(')'));
        let Some((word, names)) = parts else { return };
        let option = Choice::ALL.into_iter().find(|c| c.word() == word);
        for name in names.split(',') {
            let Some(s) = self.local(scope, name.trim()) else {
                continue;
            };
            if let SymbolKind::Variable(v) = &mut self.symbol_mut(s).kind {
                v.option = option;
            }
        }
    }

    fn apply_ignore_tkr(&mut self, scope: ScopeId, unit: &ProgramUnit, list: &str) {
        let all: Vec<String> = unit
            .dummies
            .iter()
            .filter_map(|d| match d {
                Dummy::Name(n) => Some(n.text.to_string()),
                Dummy::AlternateReturn(_) => None,
            })
            .collect();
        // Letters hold for the names after them: `(r) a, b, (tk) c`.
        let mut letters = "tkr";
        let mut items: Vec<(String, &str)> = Vec::new();
        for part in list.split(',') {
            let mut part = part.trim();
            if let Some(rest) = part.strip_prefix('(')
                && let Some((l, name)) = rest.split_once(')')
            {
                letters = l;
                part = name.trim();
            }
            if !part.is_empty() {
                items.push((part.to_owned(), letters));
            }
        }
        if items.is_empty() {
            items = all.into_iter().map(|n| (n, letters)).collect();
        }
        for (name, letters) in items {
            let Some(s) = self.local(scope, &name) else {
                continue;
            };
            if let SymbolKind::Variable(v) = &mut self.symbol_mut(s).kind {
                for (letter, flag) in [
                    ('t', VarAttrs::IGNORE_TYPE),
                    ('k', VarAttrs::IGNORE_KIND),
                    ('r', VarAttrs::IGNORE_RANK),
                    ('d', VarAttrs::IGNORE_DEVICE),
                ] {
                    if letters.contains(letter) {
                        v.attrs.set(flag);
                    }
                }
            }
        }
    }

    fn resolve_fixups(&mut self, scope: ScopeId) {
        for fixup in self.fixups.remove(&scope).unwrap_or_default() {
            match fixup {
                Fixup::Specifics(generic, names) => {
                    let found: Vec<SymbolId> = names
                        .iter()
                        .flat_map(|n| self.specifics(scope, &n.text))
                        .collect();
                    if let SymbolKind::Generic(g) = &mut self.symbol_mut(generic).kind {
                        for s in found {
                            if !g.specifics.contains(&s) {
                                g.specifics.push(s);
                            }
                        }
                    }
                }
                Fixup::Interface(symbol, name) => {
                    let interface = self
                        .specific(scope, &name.text)
                        .and_then(|s| self.m.procedure(s).cloned());
                    if let (Some(i), SymbolKind::Procedure(p)) =
                        (interface, &mut self.symbol_mut(symbol).kind)
                    {
                        let kind = p.kind;
                        **p = i;
                        p.kind = kind;
                    }
                }
                Fixup::Bindings(ty, def) => self.bind_type(scope, ty, def),
            }
        }
    }
}
