//! Module data: association of the host's pointers with the symbols of the device code.

use askama::Template;

use crate::abi::LauncherOf;
use crate::ast::*;
use crate::host::context::generated;
use crate::host::context::names;
use crate::host::context::{HostRewriter, Modules};
use crate::map::Rule;
use crate::sema::model::*;

/// The procedure that binds a module's device data. Texts are Fortran.
#[derive(Template)]
#[template(path = "host/bind.f90", escape = "fortran")]
struct Bind {
    name: String,
    /// Every thread has its own association.
    openmp: bool,
    data: Vec<Data>,
}

/// A variable and the launcher that gives its address.
struct Data {
    name: String,
    address: String,
    /// Empty for a scalar.
    extents: String,
    /// Lower bounds, each with a colon; empty where all are 1.
    lower: String,
    /// The type, if the host's compiler has to set up its allocatable components: device code cannot do that for LLVM flang.
    described: String,
    /// How many elements.
    count: i64,
}

impl HostRewriter<'_> {
    /// Called for every variable that host code mentions.
    pub(in crate::translation::host) fn note_variable(&mut self, symbol: SymbolId) {
        if self
            .model
            .variable(symbol)
            .is_some_and(|v| v.ty == Type::Real(2))
        {
            self.uses_halves();
        }
        if self.is_bound(symbol) {
            self.unit.bound.insert(self.model[symbol].scope);
        }
    }

    /// A module variable that is a symbol of the device code: device, constant or managed, neither allocatable nor pointer.
    pub(in crate::translation::host) fn is_bound(&self, symbol: SymbolId) -> bool {
        let s = &self.model[symbol];
        matches!(
            self.model[s.scope].kind,
            ScopeKind::Module | ScopeKind::Submodule
        ) && self.model.variable(symbol).is_some_and(|v| {
            matches!(
                v.space,
                Space::Device | Space::Constant | Space::Managed | Space::Unified
            ) && !v.attrs.is_dynamic()
        })
    }

    /// Calls of the bind procedures for all bound variables that were mentioned since the last call.
    pub(in crate::translation::host) fn bind_calls(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) -> Vec<String> {
        let modules: Modules = std::mem::take(&mut self.unit.bound);
        if matches!(unit.kind, UnitKind::Module | UnitKind::Submodule { .. }) {
            return Vec::new();
        }
        let mut calls = Vec::new();
        for m in modules {
            let name = self.model[m].name.clone();
            if !self.opens(m, scope) && !self.encloses(m, scope) {
                self.insert_uses(unit, &format!("use {name}, only: {}", bind_name(&name)));
            }
            calls.push(format!("call {}()", bind_name(&name)));
        }
        calls
    }

    /// Text and name of `cuf_bind_<module>`, for a module that has bound variables.
    pub(in crate::translation::host) fn bind_procedure(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) -> Option<(String, String)> {
        let bound: Vec<SymbolId> = self.model[scope]
            .names
            .iter()
            .filter(|(n, s)| {
                !self.model[scope].used.contains_key(*n)
                    && self.model[**s].scope == scope
                    && self.is_bound(**s)
            })
            .map(|(_, s)| *s)
            .collect();
        if bound.is_empty() {
            return None;
        }
        self.unit.runtime = true;
        self.unit.shims = true;
        self.openmp_threadprivate(unit, &bound);
        let name = bind_name(&self.model[scope].name);
        let template = Bind {
            name: name.clone(),
            openmp: self.openmp,
            data: bound.into_iter().filter_map(|s| self.bound(s)).collect(),
        };
        let indent = self.indent_at(unit.end.start);
        let mut text = String::new();
        if unit.contains.is_some() {
            text.push('\n');
        }
        for line in generated::lines(&template) {
            text.push_str(&format!("{indent}  {line}\n"));
        }
        Some((text, name))
    }

    /// How a variable is bound; None where it was not translated, which the lowering has said.
    fn bound(&mut self, s: SymbolId) -> Option<Data> {
        let function = self.signatures.get(&LauncherOf::Address(s))?;
        let address = names::marked(&function.symbol);
        let symbol = &self.model[s];
        let folded = match self.model.dims(s) {
            [] => Vec::new(),
            _ => self.model.dims_of(s),
        };
        if folded
            .iter()
            .any(|b| b.lower.is_none() || b.upper.is_none())
        {
            let name = &symbol.spelling;
            self.finding(
                "CUF0410",
                symbol.span,
                format!("bounds of module variable `{name}` must be constant"),
            );
        }
        let bounds = folded
            .iter()
            .map(|b| (b.lower.unwrap_or(1), b.upper.unwrap_or(0)));
        let extent = |(lo, hi): (i64, i64)| hi.saturating_sub(lo).saturating_add(1).max(0);
        let moved = bounds.clone().any(|(lo, _)| lo != 1);
        let lower = bounds
            .clone()
            .filter(|_| moved)
            .map(|(lo, _)| format!("{lo}:"));
        let name = symbol.spelling.to_string();
        let count = bounds.clone().map(extent).product();
        let described = match self.model.variable(s).map(|v| (v.space, v.ty.clone())) {
            Some((Space::Managed | Space::Unified, Type::Derived(t)))
                if self.model.has_host_allocatable(t) =>
            {
                self.type_here(t)
            }
            _ => String::new(),
        };
        Some(Data {
            name,
            described,
            count,
            address,
            lower: crate::host::context::list(lower),
            extents: crate::host::context::list(bounds.map(|b| extent(b).to_string())),
        })
    }

    /// The pointers that stand for a module's data belong to the threads.
    pub(in crate::translation::host) fn openmp_threadprivate(
        &mut self,
        unit: &ProgramUnit,
        bound: &[SymbolId],
    ) {
        if !self.openmp {
            return;
        }
        let end = unit.contains.map_or(unit.end.start, |c| c.start);
        let lines: Vec<String> = bound
            .iter()
            .map(|s| format!("!$omp threadprivate({})", self.model[*s].spelling))
            .collect();
        self.insert_before_line(Rule::Attributes, end, &lines, 2);
    }
}

/// Name of the procedure that binds a module's device data.
pub(in crate::translation::host) fn bind_name(module: &str) -> String {
    names::marked(&crate::abi::bind_name(module))
}
