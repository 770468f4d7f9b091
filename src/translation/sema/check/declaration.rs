//! Rules of declarations (guide 2.6, 3.2).

use std::collections::{BTreeMap, BTreeSet};

use super::checker::*;
use crate::sema::declare::attributes::defers_length;
use crate::sema::model::suggestions::untranslatable;

impl Checker<'_> {
    /// The specification part of a unit, or of a BLOCK (no `module`).
    pub(super) fn declarations(&mut self, spec: &[Decl], module: bool) {
        self.one_memory(spec);
        if self.context == CodeContext::Host {
            self.refused_declarations(spec);
        }
        let given = Given::of(spec);
        for d in spec {
            match &d.kind {
                DeclKind::Type(t) => {
                    for e in &t.entities {
                        self.declared(e, &t.attrs);
                        self.dynamic_type(e, &t.spec);
                        self.host_length(e, &t.spec);
                        if !given.memory.contains(e.name.text.as_str()) {
                            self.entity(e, &t.attrs, &given, module);
                        }
                    }
                }
                DeclKind::Attributes { attrs, entities } => {
                    if is_save(attrs) {
                        self.save_statement(entities, d.span, module);
                    }
                    for e in entities {
                        if attrs.iter().any(|a| matches!(a.kind, AttrKind::Cuda(_))) {
                            self.entity(e, attrs, &given, module);
                        }
                    }
                }
                DeclKind::Procedure {
                    interface: Some(name),
                    ..
                } if self.has_libraries => self.declared_interface(name),
                DeclKind::DerivedType(t) => self.components(t),
                DeclKind::Interface(i) => {
                    self.interface_bodies(&i.bodies);
                    for name in &i.procedures {
                        self.runtime_specific(name);
                    }
                }
                DeclKind::Common(blocks) => {
                    for e in blocks.iter().flat_map(|(_, m)| m) {
                        self.in_common(&e.name);
                    }
                }
                DeclKind::Equivalence(sets) => {
                    for e in sets.iter().flatten() {
                        if let Some(n) = e.base_name() {
                            self.not_device(n, "CUF0314", "equivalence");
                        }
                    }
                }
                DeclKind::Data(sets) => self.data(sets, d.span, module),
                DeclKind::Format if self.in_device_code() => {
                    self.report("CUF0330", d.span, "`format` is not allowed in device code");
                }
                DeclKind::Namelist(_) if self.in_device_code() => {
                    self.report(
                        "CUF0330",
                        d.span,
                        "`namelist` is not allowed in device code",
                    );
                }
                DeclKind::Namelist(groups) => {
                    for n in groups.iter().flat_map(|(_, m)| m) {
                        self.not_device(n, "CUF0315", "namelist");
                    }
                }
                _ => {}
            }
        }
    }

    /// A variable has one memory attribute, wherever it is given.
    fn one_memory(&mut self, spec: &[Decl]) {
        let mut given: Vec<(&str, CudaAttr)> = Vec::new();
        for d in spec {
            let (attrs, entities) = match &d.kind {
                DeclKind::Type(t) => (&t.attrs, &t.entities),
                DeclKind::Attributes { attrs, entities } => (attrs, entities),
                _ => continue,
            };
            let Some(memory) = memory_attributes(attrs).next() else {
                continue;
            };
            for e in entities {
                let name = e.name.text.as_str();
                match given.iter().find(|(n, _)| *n == name) {
                    Some((_, other)) if *other != memory => {
                        self.two_memories(&e.name, *other, memory);
                    }
                    Some(_) => {}
                    None => given.push((name, memory)),
                }
            }
        }
    }

    fn two_memories(&mut self, name: &Name, first: CudaAttr, second: CudaAttr) {
        let shown = self.slice(name.span).to_owned();
        self.report(
            "CUF0310",
            name.span,
            format!(
                "`{shown}` has two memory attributes, `{}` and `{}`",
                attr_name(first),
                attr_name(second)
            ),
        );
    }

    fn not_device(&mut self, name: &Name, code: &'static str, what: &str) {
        let symbol = self.model.lookup(self.scope, &name.text);
        let Some(v) = symbol.and_then(|s| self.model.variable(s)) else {
            return;
        };
        if !matches!(v.space, Space::Host | Space::Thread | Space::Pinned) {
            let shown = self.slice(name.span).to_owned();
            self.report(
                code,
                name.span,
                format!(
                    "`{shown}` has the `{}` attribute and cannot appear in {what}",
                    space_name(v.space)
                ),
            );
        }
    }

    /// Data of the host in COMMON is refused in device code where it is used: the block may come with an INCLUDE file.
    fn in_common(&mut self, name: &Name) {
        let space = self.variable_named(&name.text).map(|v| v.space);
        let own = matches!(space, None | Some(Space::Host | Space::Thread));
        if self.context == CodeContext::Host || !own {
            self.not_device(name, "CUF0313", "common");
        }
    }

    /// A DATA statement. In device code the values are constants, if nothing changes them, which lowering knows.
    fn data(&mut self, sets: &[ast::DataSet], span: Span, module: bool) {
        if self.context != CodeContext::Host {
            return sets.iter().for_each(|s| self.standard_data(s, span));
        }
        for o in sets.iter().flat_map(|s| &s.objects) {
            let Some(n) = o.base_name() else { continue };
            let shown = self.slice(n.span).to_owned();
            if !module
                && let Some(v) = self.variable_named(&n.text)
                && Model::is_device_space(v.space)
            {
                self.report("CUF0324", n.span, format!("local device variable `{shown}` cannot be initialized\nnote: initialization implies `save`"));
            } else if let Some(v) = self.variable_named(&n.text) {
                self.data_of(n, v.space);
            }
        }
    }

    /// Memory of the device gets its first values from expressions.
    fn data_of(&mut self, n: &Name, space: Space) {
        if !matches!(space, Space::Host | Space::Thread | Space::Pinned) {
            let (what, shown) = (space_name(space), self.slice(n.span).to_owned());
            self.report("CUF0324", n.span, format!("{what} variable `{shown}` cannot be initialized by a `data` statement\nhelp: give the value in its declaration: `{shown} = ...`"));
        }
    }

    /// What a type declaration says apart from the memory.
    fn declared(&mut self, e: &Entity, attrs: &[Attr]) {
        self.two_attributes(e, attrs);
        let Some(v) = self.variable_named(&e.name.text).cloned() else {
            return;
        };
        if self.context != CodeContext::Host {
            let name = self.slice(e.name.span).to_owned();
            self.device_local(&name, e, attrs, &v);
        }
        self.host_bounds(&v);
        self.own_bounds(e, &v);
    }

    /// Bounds of variables that the Fortran compiler does not see as they are: data of device code, and device data of the host.
    fn own_bounds(&mut self, e: &Entity, v: &Variable) {
        let seen = match self.context {
            CodeContext::Host => {
                !matches!(v.space, Space::Device | Space::Managed | Space::Unified)
            }
            CodeContext::HostDevice => true,
            CodeContext::Device => false,
        };
        let dynamic = v.attrs.is_dynamic();
        if seen || v.dummy.is_some() || dynamic {
            return;
        }
        let name = self.slice(e.name.span).to_owned();
        if v.dims.iter().any(|d| matches!(d, Dim::Colon { .. })) {
            let message =
                format!("array `{name}` has no bounds and is neither allocatable nor a pointer");
            self.report("CUF0214", e.name.span, message);
        } else if self.model[self.scope].kind == ScopeKind::Program
            && v.dims.iter().any(|d| match d {
                Dim::Explicit { lower, upper } => lower
                    .as_deref()
                    .into_iter()
                    .chain([upper])
                    .any(|e| self.model.const_int(self.scope, e).is_none()),
                _ => false,
            })
        {
            let message =
                format!("the bounds of array `{name}` of a main program must be constant");
            self.report("CUF0214", e.name.span, message);
        }
    }

    /// Device data has a fixed type and, if it is a text, a length that its declaration gives.
    fn dynamic_type(&mut self, e: &Entity, spec: &TypeSpec) {
        let Some(why) = dynamic_type(e, spec) else {
            return;
        };
        if let Some(v) = self.variable_named(&e.name.text)
            && matches!(
                v.space,
                Space::Device | Space::Managed | Space::Unified | Space::Constant
            )
            && !(self.context == CodeContext::Host && names_any_data(v))
        {
            let what = space_name(v.space);
            let name = self.slice(e.name.span).to_owned();
            let message = format!("{what} variable `{name}` cannot have {why}");
            self.report("CUF0403", e.name.span, message);
        }
    }

    fn two_attributes(&mut self, e: &Entity, attrs: &[Attr]) {
        let memory: Vec<CudaAttr> = memory_attributes(attrs).collect();
        if let [first, second, ..] = memory[..]
            && first != second
        {
            self.two_memories(&e.name, first, second);
        }
    }

    /// The rules of the memory that a statement gives a variable.
    fn entity(&mut self, e: &Entity, attrs: &[Attr], given: &Given<'_>, module: bool) {
        let name = self.slice(e.name.span).to_owned();
        let Some(v) = self.variable_named(&e.name.text).cloned() else {
            return;
        };
        let at = e.name.span;
        let after = self.slice(e.span).get(name.len()..).unwrap_or_default();
        if self.context != CodeContext::Host && after.trim_start().starts_with('[') {
            let message = untranslatable(self.slice(e.span));
            self.report("CUF0409", at, message);
            return;
        }
        // A conflict is reported where the second of the two attributes stands.
        let conflict = given
            .dynamic
            .get(e.name.text.as_str())
            .copied()
            .filter(|s| s.start > at.start)
            .unwrap_or(at);
        if v.dummy.is_some() {
            if v.space == Space::Shared && self.context != CodeContext::Device {
                self.shared_in_host(&name, at);
            }
            self.kernel_dummy(&name, e, &v);
            return;
        }
        if let (CodeContext::Host, Some(Init::Data(..))) = (self.context, e.init.as_deref()) {
            self.data_of(&e.name, v.space);
        }
        match v.space {
            Space::Shared => {
                if self.context != CodeContext::Device {
                    self.shared_in_host(&name, at);
                }
                if v.attrs.is_dynamic() || v.attrs.has(VarAttrs::TARGET) {
                    self.report(
                        "CUF0312",
                        conflict,
                        format!(
                            "shared variable `{name}` cannot be allocatable, a pointer, or a target\nhelp: write `real, shared :: {name}(*)`, and pass its size in bytes in the launch"
                        ),
                    );
                }
                self.shared_bounds(&name, at, &v);
            }
            Space::Constant => self.constant(&name, at, conflict, &v, module),
            Space::Managed | Space::Unified | Space::Pinned | Space::Texture
                if v.dummy.is_none() && self.in_device_procedure() =>
            {
                let what = space_name(v.space);
                self.report_help(
                    "CUF0396",
                    at,
                    format!("{what} variable `{name}` is declared in a device procedure"),
                    "declare it in host code and pass it as an argument",
                );
            }
            Space::Pinned if !v.attrs.is_dynamic() => {
                self.report(
                    "CUF0318",
                    at,
                    format!("pinned variable `{name}` must be allocatable"),
                );
            }
            Space::Texture if !v.attrs.has(VarAttrs::POINTER) && v.dummy.is_none() => {
                self.report(
                    "CUF0327",
                    at,
                    format!("texture variable `{name}` must be a pointer"),
                );
            }
            Space::Unified if module => {
                self.report(
                    "CUF0319",
                    at,
                    format!("unified variable `{name}` cannot be declared in a module"),
                );
            }
            Space::Device | Space::Managed | Space::Unified
                if !module && self.lives_with_procedure(&v) =>
            {
                if is_save(attrs) {
                    self.saved(&e.name, at, &v);
                } else if v.init.is_some() {
                    let what = space_name(v.space);
                    self.report("CUF0324", at, format!("local {what} variable `{name}` cannot be initialized\nnote: initialization implies `save`"));
                }
            }
            _ => {}
        }
    }

    /// Data of a host subprogram that is allocated where it is entered, and freed where it is left.
    fn lives_with_procedure(&self, v: &Variable) -> bool {
        self.context == CodeContext::Host
            && self.model[self.model.unit_scope(self.scope)].kind == ScopeKind::Procedure
            && matches!(v.space, Space::Device | Space::Managed | Space::Unified)
            && v.dummy.is_none()
            && !v.attrs.is_dynamic()
    }

    fn saved(&mut self, name: &Name, at: Span, v: &Variable) {
        let what = space_name(v.space);
        let shown = self.slice(name.span).to_owned();
        self.report("CUF0320", at, format!("local {what} variable `{shown}` cannot have the `save` attribute\nnote: only allocatable variables can"));
    }

    /// SAVE as a statement, for the names or for all of the scope.
    fn save_statement(&mut self, entities: &[Entity], span: Span, module: bool) {
        if self.context != CodeContext::Host {
            let message = match entities.first() {
                Some(e) => format!(
                    "local variable `{}` of a device procedure cannot have the `save` attribute\nhelp: remove it, or declare the variable with the `device` attribute in the module",
                    self.slice(e.name.span)
                ),
                None => "`save` is not allowed in a device procedure".to_owned(),
            };
            self.report("CUF0322", span, message);
            return;
        }
        if module {
            return;
        }
        for e in entities {
            if let Some(v) = self.variable_named(&e.name.text).cloned()
                && self.lives_with_procedure(&v)
            {
                self.saved(&e.name, e.name.span, &v);
            }
        }
        if entities.is_empty() {
            let all = &self.model[self.scope].names;
            let first = all.iter().map(|(_, s)| *s).find(|s| {
                self.model[*s].scope == self.scope
                    && self
                        .model
                        .variable(*s)
                        .is_some_and(|v| v.declared && self.lives_with_procedure(v))
            });
            if let Some((s, v)) = first.and_then(|s| Some((s, self.model.variable(s)?.clone()))) {
                let name = Name {
                    text: self.model[s].name.clone(),
                    span: self.model[s].span,
                };
                self.saved(&name, span, &v);
            }
        }
    }

    fn shared_in_host(&mut self, name: &str, at: Span) {
        self.report(
            "CUF0311",
            at,
            format!("shared variable `{name}` is declared outside a device procedure\nhelp: declare it in the kernel that uses it"),
        );
    }

    /// Function references in bounds that the host evaluates.
    fn host_bounds(&mut self, v: &Variable) {
        if self.context != CodeContext::Host {
            return;
        }
        for d in &v.dims {
            let bounds = match d {
                Dim::Explicit { lower, upper } => [lower.as_deref(), Some(upper)],
                Dim::Colon { lower } | Dim::AssumedSize { lower } => [lower.as_deref(), None],
                Dim::AssumedRank => continue,
            };
            for e in bounds.into_iter().flatten() {
                let t = self.expr(e);
                self.host_expr(&t);
                self.read_before_statements(v, &t);
            }
        }
    }

    /// The length of host characters.
    fn host_length(&mut self, e: &Entity, spec: &TypeSpec) {
        let of_type = match &spec.kind {
            TypeSpecKind::Intrinsic { len, .. } => len.as_deref(),
            _ => None,
        };
        if self.context == CodeContext::Host
            && let Some(CharLen::Expr(length)) = e.len.as_deref().or(of_type)
            && let Some(v) = self.variable_named(&e.name.text).cloned()
        {
            let t = self.expr(length);
            self.read_before_statements(&v, &t);
        }
    }

    /// Bounds and lengths of host data are evaluated before the first statement, which could copy a value from the device.
    fn read_before_statements(&mut self, v: &Variable, e: &TExpr) {
        if matches!(v.space, Space::Device | Space::Managed | Space::Unified) {
            return;
        }
        if let Some((at, name)) = self.device_value(e, &|x| x.rank == 0) {
            self.report_help(
                "CUF0391",
                at,
                format!("bound or length of host variable depends on `{name}`, which is in device memory"),
                "copy it to a host variable first, and declare the data in a `block` or allocate it",
            );
        }
    }

    /// The first device data in an expression of the host whose value is wanted, not its shape or place, and which `holds`.
    pub(super) fn device_value(
        &self,
        e: &TExpr,
        holds: &dyn Fn(&TExpr) -> bool,
    ) -> Option<(Span, String)> {
        let device = |x: &TExpr| self.model.space(x).is_some_and(Model::is_device_space);
        if e.is_designator() && device(e) && holds(e) {
            return Some((e.span, self.root_name(e)));
        }
        let on_host = |d: Option<SymbolId>| {
            let v = d.and_then(|d| self.model.variable(d));
            v.is_none_or(|v| !Model::is_device_space(v.space))
        };
        match &e.kind {
            TExprKind::Intrinsic { intrinsic, args } => args
                .iter()
                .enumerate()
                .filter(|(k, _)| !intrinsic.asks_about(*k))
                .filter_map(|(_, a)| a.as_ref())
                .find_map(|a| self.device_value(a, holds)),
            TExprKind::Call {
                procedure, args, ..
            }
            | TExprKind::BoundCall {
                procedure, args, ..
            } => {
                let dummies = self.model.procedure(*procedure).map(|p| &p.dummies[..]);
                let dummies = dummies.unwrap_or_default();
                args.iter()
                    .enumerate()
                    .filter(|(k, _)| on_host(dummies.get(*k).copied().flatten()))
                    .filter_map(|(_, a)| a.as_ref())
                    .find_map(|a| self.device_value(a, holds))
            }
            _ => {
                let mut found = None;
                e.for_each_child(&mut |c| {
                    if found.is_none() {
                        found = self.device_value(c, holds);
                    }
                });
                found
            }
        }
    }

    /// Automatic shared arrays take their bounds from constants, blockDim and arguments (guide 3.2.6; module variables in
    /// public code): a local variable has no value yet.
    fn shared_bounds(&mut self, name: &str, at: Span, v: &Variable) {
        let mut unknown = None;
        for d in &v.dims {
            let Dim::Explicit { lower, upper } = d else {
                continue;
            };
            for e in lower.as_deref().into_iter().chain([upper]) {
                let t = self.expr(e);
                t.walk(&mut |x| {
                    let (s, element) = match x.kind {
                        TExprKind::Variable(s) => (s, false),
                        TExprKind::Index { .. } => match x.root() {
                            Some(s) => (s, x.rank == 0),
                            None => return,
                        },
                        _ => return,
                    };
                    let Some(w) = self.model.variable(s) else {
                        return;
                    };
                    // An element is in memory that the launch does not read.
                    if element || w.dummy.is_none() && w.space == Space::Thread {
                        unknown = Some(self.model[s].spelling.clone());
                    }
                });
            }
        }
        if let Some(n) = unknown {
            let message = format!(
                "bounds of shared array `{name}` depend on `{n}`\nnote: the bounds may use only constants, `blockDim`, and integer dummy arguments"
            );
            self.report("CUF0388", at, message);
        }
    }

    /// The scope belongs to a procedure that only runs on the device.
    fn in_device_procedure(&self) -> bool {
        self.procedure_of(self.scope).is_some_and(|p| {
            matches!(
                p.target,
                ProcedureTarget::Global | ProcedureTarget::GridGlobal | ProcedureTarget::Device
            )
        })
    }

    /// Dummies of kernels are device data (guide 3.2.8).
    fn kernel_dummy(&mut self, name: &str, e: &Entity, v: &Variable) {
        let kernel = self.procedure_of(self.scope).is_some_and(|p| {
            matches!(
                p.target,
                ProcedureTarget::Global | ProcedureTarget::GridGlobal
            )
        });
        let why = match v.space {
            _ if !kernel => return,
            Space::Pinned | Space::Constant | Space::Shared => {
                format!(
                    "cannot have the `{}` attribute\nhelp: remove the attribute: kernel arguments are device data",
                    space_name(v.space)
                )
            }
            _ if v.attrs.has(VarAttrs::VALUE) && !v.dims.is_empty() => {
                "is an array and cannot be passed by value".to_owned()
            }
            _ => return,
        };
        self.report(
            "CUF0387",
            e.name.span,
            format!("dummy argument `{name}` of a kernel {why}"),
        );
    }

    fn constant(&mut self, name: &str, at: Span, conflict: Span, v: &Variable, module: bool) {
        if !module {
            self.report_help(
                "CUF0316",
                at,
                format!("constant variable `{name}` is not declared in a module"),
                "move the declaration to the specification part of a module",
            );
            return;
        }
        if v.attrs.is_dynamic() || v.attrs.has(VarAttrs::TARGET) {
            self.report(
                "CUF0317",
                conflict,
                format!("constant variable `{name}` cannot be allocatable, a pointer, or a target"),
            );
            return;
        }
        let scope = self.scope;
        let variable_extent = v.dims.iter().any(|d| match d {
            Dim::Explicit { lower, upper } => {
                self.model.const_int(scope, upper).is_none()
                    || lower
                        .as_ref()
                        .is_some_and(|l| self.model.const_int(scope, l).is_none())
            }
            _ => true,
        });
        if variable_extent {
            self.report(
                "CUF0325",
                at,
                format!("bounds of constant array `{name}` must be constant"),
            );
        }
    }

    /// Locals of a device subprogram have no memory between calls (guide 3.2, 3.6).
    fn device_local(&mut self, name: &str, e: &Entity, attrs: &[Attr], v: &Variable) {
        if v.dummy.is_some() {
            return;
        }
        let bounds = v.dims.iter().flat_map(|d| match d {
            Dim::Explicit { lower, upper } => [lower.as_deref(), Some(upper)],
            _ => [None, None],
        });
        for e in bounds.flatten() {
            let t = self.expr(e);
            self.coordinates(&t, "a bound");
        }
        // Other locals with an initial value are constants if nothing changes them, which lowering knows.
        let given = matches!(e.init.as_deref(), Some(Init::Value(_) | Init::Data(..)));
        if given && v.space == Space::Shared {
            self.report("CUF0321", e.name.span, format!("shared variable `{name}` cannot be initialized\nnote: initialization implies `save`\nhelp: assign the value in a statement, by one thread, before `call syncthreads()`"));
        } else if is_save(attrs) {
            self.report(
                "CUF0322",
                e.name.span,
                format!(
                    "local variable `{name}` of a device procedure cannot have the `save` attribute\nhelp: remove it, or declare the variable with the `device` attribute in the module"
                ),
            );
        }
    }

    fn components(&mut self, t: &DerivedTypeDef) {
        for c in &t.components {
            let Component::Data(d) = c else { continue };
            let dynamic = d
                .attrs
                .iter()
                .any(|a| matches!(a.kind, AttrKind::Allocatable | AttrKind::Pointer));
            let device =
                |a: &Attr| matches!(a.kind, AttrKind::Cuda(CudaAttr::Device | CudaAttr::Managed));
            for e in &d.entities {
                self.two_attributes(e, &d.attrs);
                if d.attrs.iter().any(device)
                    && let Some(why) = dynamic_type(e, &d.spec)
                {
                    let name = self.slice(e.name.span).to_owned();
                    let message = format!("component `{name}` in device memory cannot have {why}");
                    self.report("CUF0403", e.name.span, message);
                }
            }
            for a in &d.attrs {
                let AttrKind::Cuda(c) = a.kind else { continue };
                let why = match c {
                    CudaAttr::Constant | CudaAttr::Shared => "components cannot have it",
                    // Lies where the structure does (decision 1011).
                    CudaAttr::Managed | CudaAttr::Unified if !dynamic => continue,
                    _ if !dynamic => "it must be allocatable or a pointer",
                    _ => continue,
                };
                for e in &d.entities {
                    let name = self.slice(e.name.span).to_owned();
                    self.report(
                        "CUF0326",
                        e.name.span,
                        format!(
                            "component `{name}` with the `{}` attribute is not allowed: {why}",
                            attr_name(c)
                        ),
                    );
                }
            }
        }
    }
}

/// What statements other than type declarations give the variables of a specification part.
struct Given<'a> {
    /// Variables that have their memory from an ATTRIBUTES statement.
    memory: BTreeSet<&'a str>,
    /// Where a statement gives ALLOCATABLE, POINTER or TARGET.
    dynamic: BTreeMap<&'a str, Span>,
}

impl<'a> Given<'a> {
    fn of(spec: &'a [Decl]) -> Self {
        let mut given = Given {
            memory: BTreeSet::new(),
            dynamic: BTreeMap::new(),
        };
        for d in spec {
            let DeclKind::Attributes { attrs, entities } = &d.kind else {
                continue;
            };
            for a in attrs {
                let names = entities.iter().map(|e| (e.name.text.as_str(), e.name.span));
                match a.kind {
                    AttrKind::Cuda(_) => given.memory.extend(names.map(|(n, _)| n)),
                    AttrKind::Allocatable | AttrKind::Pointer | AttrKind::Target => {
                        given.dynamic.extend(names);
                    }
                    _ => {}
                }
            }
        }
        given
    }
}

/// A dummy of a host procedure with the type class(*), which has no memory of its own.
fn names_any_data(v: &Variable) -> bool {
    v.ty == Type::ClassStar && v.dummy.is_some() && !v.attrs.is_dynamic()
}

/// What about a declared type device memory has no room for.
fn dynamic_type(e: &Entity, spec: &TypeSpec) -> Option<&'static str> {
    match &spec.kind {
        TypeSpecKind::Class { name: None, .. } => Some("type `class(*)`"),
        _ => defers_length(e, spec).then_some("a deferred length"),
    }
}

fn is_save(attrs: &[Attr]) -> bool {
    attrs.iter().any(|a| matches!(a.kind, AttrKind::Save))
}

/// The attributes that say where data lives. A texture is device data read in another way.
fn memory_attributes(attrs: &[Attr]) -> impl Iterator<Item = CudaAttr> {
    attrs.iter().filter_map(|a| match a.kind {
        AttrKind::Cuda(c) if !matches!(c, CudaAttr::Texture | CudaAttr::GridConstant) => Some(c),
        _ => None,
    })
}

pub(super) fn attr_name(a: CudaAttr) -> &'static str {
    match a {
        CudaAttr::Device => "device",
        CudaAttr::Constant => "constant",
        CudaAttr::Shared => "shared",
        CudaAttr::Managed => "managed",
        CudaAttr::Pinned => "pinned",
        CudaAttr::Texture => "texture",
        CudaAttr::Unified => "unified",
        CudaAttr::GridConstant => "grid_constant",
    }
}
