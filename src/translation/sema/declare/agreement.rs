//! Interface bodies of external procedures of the program that do not agree with the definition.

use std::collections::BTreeSet;

use super::builder::Builder;
use crate::ast;
use crate::sema::model::externals::{is_sequence, positions};
use crate::sema::model::*;

impl Builder<'_> {
    /// A dummy that has assumed shape in an interface body and a shape of its own in the definition: nvfortran passes an address and
    /// bounds apart from each other, so that such programs work with it. Here it is of assumed size in the body, too.
    pub(in crate::translation::sema) fn bodies_as_defined(&mut self) {
        let mut found = Vec::new();
        for scope in &self.m.scopes {
            let body = scope
                .symbol
                .filter(|_| scope.kind == ScopeKind::InterfaceBody);
            let Some((body, sequences)) = body.and_then(|s| Some((s, self.sequences(s)?))) else {
                continue;
            };
            let dummies = self.m.procedure(body).map_or(&[][..], |p| &p.dummies);
            let dummies = dummies.iter().enumerate();
            let differ: Vec<SymbolId> = dummies
                .filter(|(position, _)| sequences.contains(position))
                .filter_map(|(_, own)| *own)
                .filter(|own| self.is_descriptor(*own))
                .collect();
            if !differ.is_empty() {
                found.push((scope.file, body, differ));
            }
        }
        for (file, body, dummies) in found {
            let mut names = Vec::new();
            for dummy in dummies {
                names.push(format!("'{}'", self.m[dummy].spelling));
                self.by_address(dummy);
            }
            let message = format!(
                "interface body of `{}` declares assumed shape, but the definition does not: {}\nnote: the arguments are passed by address, as the definition expects",
                self.m[body].spelling,
                names.join(", ")
            );
            self.file = file;
            self.finding("CUF0216", message, self.m[body].span);
            if let Some(f) = self.findings.last_mut() {
                f.warning = true;
            }
        }
    }

    /// Dummies with assumed shape of kernels of another language: the kernel gets the address, as with nvfortran.
    pub(in crate::translation::sema) fn kernels_of_c(&mut self) {
        let kernel = |p: &Procedure| {
            matches!(
                p.target,
                ProcedureTarget::Global | ProcedureTarget::GridGlobal
            )
        };
        let of = |kind: ScopeKind| {
            let scopes = self.m.scopes.iter().filter(move |s| s.kind == kind);
            let procedures = scopes.filter_map(|s| self.m.procedure(s.symbol?));
            procedures.filter(|p| kernel(p) && p.bind_name.is_some())
        };
        let defined: BTreeSet<_> = of(ScopeKind::Procedure)
            .map(|p| p.bind_name.clone())
            .collect();
        let foreign = of(ScopeKind::InterfaceBody).filter(|p| !defined.contains(&p.bind_name));
        let dummies = foreign.flat_map(|p| p.dummies.iter().copied().flatten());
        let found: Vec<SymbolId> = dummies.filter(|d| self.is_descriptor(*d)).collect();
        found.into_iter().for_each(|d| self.by_address(d));
    }

    fn by_address(&mut self, dummy: SymbolId) {
        if let SymbolKind::Variable(v) = &mut self.symbol_mut(dummy).kind {
            v.attrs.set(VarAttrs::BY_ADDRESS);
            v.dims.fill_with(one);
            if let Some(last) = v.dims.last_mut() {
                *last = Dim::AssumedSize { lower: None };
            }
        }
    }

    /// The dummies that the definition of the external procedure which an interface body describes takes by address, without bounds: as the
    /// program has it, or as it is known of other files.
    fn sequences(&self, body: SymbolId) -> Option<BTreeSet<usize>> {
        let bound = |p: &Procedure| p.bind_name.is_some();
        let p = self.m.procedure(body)?;
        if p.kind != ProcedureKind::External || bound(p) {
            return None;
        }
        let name = self.m[body].name.as_str();
        let Some(defined) = self.m.externals.get(name) else {
            return Some(self.outside.procedures?.get(name)?.sequences.clone());
        };
        let d = self.m.procedure(*defined)?;
        (d.body.is_some() && !bound(d)).then(|| positions(&self.m, d, is_sequence))
    }

    fn is_descriptor(&self, dummy: SymbolId) -> bool {
        self.m.variable(dummy).is_some_and(|v| {
            let moves = [VarAttrs::ALLOCATABLE, VarAttrs::POINTER];
            let assumed = |d: &Dim| matches!(d, Dim::Colon { .. });
            !v.dims.is_empty()
                && v.dims.iter().all(assumed)
                && !moves.iter().any(|m| v.attrs.has(*m))
        })
    }
}

/// An extent that nothing reads: the dimensions of assumed-size data but the last.
fn one() -> Dim {
    Dim::Explicit {
        lower: None,
        upper: ast::Expr::one(),
    }
}
