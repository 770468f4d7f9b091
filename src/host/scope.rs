//! Module data: association of the host's pointers with the symbols of the device code.

use super::names;
use super::names::CUF;
use super::{Modules, Pass};
use crate::abi::LauncherOf;
use crate::ast::*;
use crate::sema::model::*;

impl Pass<'_> {
    /// Called for every variable that host code mentions.
    pub(super) fn note_variable(&mut self, symbol: SymbolId) {
        if self.is_bound(symbol) {
            self.unit.bound.insert(self.model[symbol].scope);
        }
    }

    /// A module variable that is a symbol of the device code: device, constant or managed, neither allocatable nor pointer.
    pub(super) fn is_bound(&self, symbol: SymbolId) -> bool {
        let s = &self.model[symbol];
        matches!(
            self.model[s.scope].kind,
            ScopeKind::Module | ScopeKind::Submodule
        ) && self.model.variable(symbol).is_some_and(|v| {
            matches!(
                v.space,
                Space::Device | Space::Constant | Space::Managed | Space::Unified
            ) && !v.attrs.has(VarAttrs::ALLOCATABLE)
                && !v.attrs.has(VarAttrs::POINTER)
        })
    }

    /// Calls of the bind procedures for all bound variables that were mentioned since the last call.
    pub(super) fn bind_calls(&mut self, unit: &ProgramUnit, scope: ScopeId) -> Vec<String> {
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

    /// A USE without ONLY in a scope or around it makes all names of the module known.
    pub(super) fn opens(&self, module: ScopeId, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            if self.model[s].opened.iter().any(|o| o.module == module) {
                return true;
            }
            at = self.model[s].parent;
        }
        false
    }

    pub(super) fn encloses(&self, outer: ScopeId, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            if s == outer {
                return true;
            }
            at = self.model[s].parent;
        }
        false
    }

    /// Text and name of `cuf_bind_<module>`, for a module that has bound variables.
    pub(super) fn bind_procedure(
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
        let module = self.model[scope].name.clone();
        let name = bind_name(&module);
        let indent = self.indent_at(unit.end.start);
        let mut text = String::new();
        if unit.contains.is_some() {
            text.push('\n');
        }
        text.push_str(&format!("{indent}  !> Associates the pointers of this module's device data with the symbols of the device code.\n"));
        // The runtime calls it again when the current device changes.
        text.push_str(&format!(
            "{indent}  recursive subroutine {name}() bind(C, name='')\n"
        ));
        let note = match self.openmp {
            true => format!("{indent}    !$omp threadprivate({CUF}bound_for)\n"),
            false => String::new(),
        };
        self.openmp_threadprivate(unit, &bound);
        text.push_str(&format!(
            "{indent}    integer(8), save :: {CUF}bound_for = -1\n{note}{indent}    if ({CUF}is_bound({CUF}bound_for, {name})) return\n"
        ));
        for s in bound {
            let symbol = &self.model[s];
            let spelling = &symbol.spelling;
            let Some(function) = self.signatures.get(&LauncherOf::Address(s)) else {
                continue; // not translated: the lowering has said why
            };
            let address = format!("{}()", names::marked(&function.symbol));
            let dims = self.model.dims(s);
            let mut line = format!("call {CUF}associate({address}, {spelling}");
            if !dims.is_empty() {
                let folded = self.model.dims_of(s);
                let mut extents = Vec::new();
                let mut lower = Vec::new();
                for b in &folded {
                    let (lo, hi) = (b.lower.unwrap_or(1), b.upper.unwrap_or(0));
                    let extent = hi.saturating_sub(lo).saturating_add(1).max(0);
                    extents.push(extent.to_string());
                    lower.push(lo);
                }
                if folded
                    .iter()
                    .any(|b| b.lower.is_none() || b.upper.is_none())
                {
                    self.finding(
                        "CUF0410",
                        symbol.span,
                        format!("the bounds of module variable '{spelling}' are not constant"),
                    );
                }
                line.push_str(&format!(", [{}])", extents.join(", ")));
                if lower.iter().any(|l| *l != 1) {
                    let low: Vec<String> = lower.iter().map(|l| format!("{l}:")).collect();
                    line.push_str(&format!(
                        "\n{indent}    {spelling}({}) => {spelling}",
                        low.join(", ")
                    ));
                }
            } else {
                line.push(')');
            }
            text.push_str(&format!("{indent}    {line}\n"));
        }
        text.push_str(&format!("{indent}  end subroutine {name}\n"));
        Some((text, name))
    }
}

/// Name of the procedure that binds a module's device data.
pub(super) fn bind_name(module: &str) -> String {
    names::marked(&crate::abi::fitted(&format!("cuf_bind_{module}"), false))
}
