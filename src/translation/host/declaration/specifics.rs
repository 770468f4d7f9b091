//! What generic names have left in standard Fortran, which does not tell the memory of arguments apart.

use crate::host::context::HostRewriter;
use crate::sema::model::*;

/// The name of a generic or of a binding is that of a defined operation or assignment.
pub(in crate::translation::host) fn is_operation(name: &str) -> bool {
    name.starts_with("operator(") || name.starts_with("assignment(")
}

impl HostRewriter<'_> {
    /// The specifics that a generic cannot keep: those that are ambiguous there, or in a scope where USE makes it one with others. Where files are
    /// compiled one by one such scopes are not known, so that none with memory attributes stays but kernels, which host procedures are told from.
    pub(in crate::translation::host) fn ambiguous_specifics(
        &self,
        generic: SymbolId,
    ) -> Vec<SymbolId> {
        let SymbolKind::Generic(own) = &self.model[generic].kind else {
            return Vec::new();
        };
        let mut gone = Vec::new();
        for g in self.model.kin(generic) {
            gone.extend(self.ambiguous_alone(g));
        }
        if self.separate {
            let leaves = |s: &&SymbolId| {
                self.model[**s].name != self.model[generic].name
                    && self.has_memory_dummies(**s)
                    && !self.is_kernel(**s)
            };
            gone.extend(own.specifics.iter().filter(leaves));
        }
        gone.retain(|s| own.specifics.contains(s));
        gone.sort_unstable();
        gone.dedup();
        gone
    }

    /// The specifics of a generic that another one before them makes ambiguous to standard Fortran. Host versions stay.
    fn ambiguous_alone(&self, generic: SymbolId) -> Vec<SymbolId> {
        let SymbolKind::Generic(g) = &self.model[generic].kind else {
            return Vec::new();
        };
        if crate::intrinsics::find(&self.model[generic].name).is_some() {
            // Beside the intrinsic of that name, which takes the host data.
            let gone = |s: &&SymbolId| self.has_memory_dummies(**s);
            return g.specifics.iter().filter(gone).copied().collect();
        }
        // Of an operand the Fortran compiler may make a copy, and of the right side of an assignment it does (F2018 15.4.3.4.3): the
        // procedures of device data are called by name. Nor can an intrinsic operation be replaced.
        let operation = is_operation(&self.model[generic].name);
        let mut specifics = g.specifics.iter();
        let namesake = specifics.find(|s| self.model[**s].name == self.model[generic].name);
        self.ambiguous(g.specifics.clone(), namesake.copied(), |_| operation)
    }

    /// Of procedures under one name those that another one makes ambiguous to standard Fortran, or that `leaves` names: of the
    /// ones with memory attributes, for the host's stay. The one that has the generic's own name cannot leave it.
    pub(in crate::translation::host) fn ambiguous(
        &self,
        mut order: Vec<SymbolId>,
        namesake: Option<SymbolId>,
        leaves: impl Fn(SymbolId) -> bool,
    ) -> Vec<SymbolId> {
        order.sort_by_key(|s| (Some(*s) != namesake, self.has_memory_dummies(*s)));
        let mut gone = Vec::new();
        for (i, s) in order.iter().enumerate() {
            let other = |o: &SymbolId| !gone.contains(o) && self.indistinguishable(*o, *s);
            // Of several without arguments, which nvfortran takes as long as nobody refers to them, one stays.
            let bare = || self.dummies(*s).is_empty();
            let beside_namesake =
                || namesake.is_some_and(|n| self.has_memory_dummies(n) && other(&n));
            let may_leave = self.has_memory_dummies(*s) || bare() || beside_namesake();
            if (order[..i].iter().any(other) || leaves(*s)) && may_leave {
                gone.push(*s);
            }
        }
        gone
    }

    /// A generic of which nothing is left.
    pub(in crate::translation::host) fn dissolved(&self, symbol: SymbolId) -> bool {
        let SymbolKind::Generic(g) = &self.model[symbol].kind else {
            return false;
        };
        let gone = self.ambiguous_specifics(symbol);
        !g.specifics.is_empty() && g.specifics.iter().all(|s| gone.contains(s))
    }

    pub(in crate::translation::host) fn has_memory_dummies(&self, procedure: SymbolId) -> bool {
        self.model
            .procedure(procedure)
            .iter()
            .flat_map(|p| p.dummies.iter().flatten())
            .filter_map(|d| self.model.variable(*d))
            .any(|v| !matches!(v.space, Space::Host | Space::Thread))
    }

    /// The same number of dummies with the same types, kinds and ranks, as far as a directive does not take any.
    pub(in crate::translation::host) fn indistinguishable(&self, a: SymbolId, b: SymbolId) -> bool {
        let (x, y) = (self.dummies(a), self.dummies(b));
        self.is_kernel(a) == self.is_kernel(b)
            && x.len() == y.len()
            && x.iter().zip(&y).all(|(p, q)| {
                let v = |s: &Option<SymbolId>| s.and_then(|s| self.model.variable(s));
                match (v(p), v(q)) {
                    (Some(v), Some(w)) if takes_any(v) || takes_any(w) => true,
                    (Some(v), Some(w)) => v.ty == w.ty && v.dims.len() == w.dims.len(),
                    (None, None) => true,
                    _ => false,
                }
            })
    }

    fn is_kernel(&self, procedure: SymbolId) -> bool {
        self.model.procedure(procedure).is_some_and(|p| {
            matches!(
                p.target,
                ProcedureTarget::Global | ProcedureTarget::GridGlobal
            )
        })
    }

    pub(in crate::translation::host) fn dummies(
        &self,
        procedure: SymbolId,
    ) -> Vec<Option<SymbolId>> {
        // Without an explicit interface device data goes where the definition expects it.
        let seen = self
            .model
            .definition(procedure)
            .filter(|d| self.has_memory_dummies(*d));
        self.model
            .procedure(seen.unwrap_or(procedure))
            .map(|p| p.dummies.clone())
            .unwrap_or_default()
    }
}

/// A dummy whose actual argument may have any type and shape, as gfortran offers it too.
pub(in crate::translation::host) fn takes_any(v: &Variable) -> bool {
    let explicit = |d: &Dim| matches!(d, Dim::Explicit { .. } | Dim::AssumedSize { .. });
    let dense = v.dims.iter().all(explicit);
    let other = [
        VarAttrs::VALUE,
        VarAttrs::ALLOCATABLE,
        VarAttrs::POINTER,
        VarAttrs::OPTIONAL,
    ];
    v.dummy.is_some()
        && v.attrs.has(VarAttrs::IGNORE_TYPE)
        && dense
        && !other.iter().any(|a| v.attrs.has(*a))
}

/// A dummy array that is declared with assumed size in host code, whatever its shape.
pub(in crate::translation::host) fn passes_address(v: &Variable) -> bool {
    let any = takes_any(v) && matches!(v.dims.last(), Some(Dim::Explicit { .. }));
    v.attrs.has(VarAttrs::BY_ADDRESS) || any
}
