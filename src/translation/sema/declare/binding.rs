//! Type-bound procedures: what a binding of a type stands for.

use crate::sema::expression::generic::Actual;
use crate::sema::expression::typed::TExpr;
use crate::sema::model::*;

impl Model {
    /// The binding of a name in a type or the nearest ancestor that has it.
    pub fn binding(&self, ty: TypeId, name: &str) -> Option<&TypeBinding> {
        let mut at = Some(ty);
        // The bound guards against a type that extends itself.
        for _ in 0..64 {
            let t = at?;
            if let Some(b) = self[t].bindings.get(name) {
                return Some(b);
            }
            at = self[t].parent;
        }
        None
    }

    /// The bindings of a generic binding, those of the ancestors' generic of that name included.
    pub fn generic_targets(&self, ty: TypeId, name: &str) -> Vec<String> {
        let family = std::iter::successors(Some(ty), |t| self[*t].parent).take(64);
        let mut all = Vec::new();
        for t in family {
            if let Some(TypeBinding::Generic(names)) = self[t].bindings.get(name) {
                all.extend(
                    names
                        .iter()
                        .filter(|n| !all.contains(*n))
                        .cloned()
                        .collect::<Vec<_>>(),
                );
            }
        }
        all
    }

    /// Resolves `object%name(actuals)`: the procedure, whether it dispatches at run time, and the actuals with the passed
    /// object in its place.
    pub(in crate::translation::sema) fn bind(
        &self,
        object: &TExpr,
        name: &str,
        actuals: Vec<Actual>,
        device: bool,
    ) -> Option<(SymbolId, bool, Vec<Actual>)> {
        let (Type::Derived(ty) | Type::Class(ty)) = object.ty else {
            return None;
        };
        let dynamic = matches!(object.ty, Type::Class(_));
        match self.binding(ty, name)? {
            b @ TypeBinding::Specific { procedure, .. } => {
                let p = (*procedure)?;
                Some((p, dynamic, self.with_passed(b, p, object, actuals)))
            }
            TypeBinding::Generic(_) => {
                let names = self.generic_targets(ty, name);
                let candidates: Vec<(&TypeBinding, SymbolId)> = names
                    .iter()
                    .filter_map(|n| match self.binding(ty, n)? {
                        b @ TypeBinding::Specific {
                            procedure: Some(p), ..
                        } => Some((b, *p)),
                        _ => None,
                    })
                    .collect();
                let mut nearest: Option<(u32, SymbolId, Vec<Actual>)> = None;
                for (b, p) in candidates {
                    let full = self.with_passed(b, p, object, actuals.clone());
                    let distance = self.distance_of(p, &full, device);
                    let nearer = |d: u32| nearest.as_ref().is_none_or(|(n, ..)| d < *n);
                    if let Some(d) = distance.filter(|d| nearer(*d)) {
                        nearest = Some((d, p, full));
                    }
                }
                nearest.map(|(_, p, full)| (p, dynamic, full))
            }
        }
    }

    fn with_passed(
        &self,
        binding: &TypeBinding,
        procedure: SymbolId,
        object: &TExpr,
        actuals: Vec<Actual>,
    ) -> Vec<Actual> {
        let TypeBinding::Specific { nopass, pass, .. } = binding else {
            return actuals;
        };
        if *nopass {
            return actuals;
        }
        let at = match (pass, self.procedure(procedure)) {
            (Some(name), Some(p)) => p
                .dummies
                .iter()
                .position(|d| d.is_some_and(|d| self[d].name == *name))
                .unwrap_or(0),
            _ => 0,
        };
        let mut actuals = actuals;
        let positional = actuals.iter().take_while(|a| a.keyword.is_none()).count();
        let value = object.clone();
        if at <= positional {
            actuals.insert(
                at,
                Actual {
                    keyword: None,
                    value,
                },
            );
        } else {
            actuals.push(Actual {
                keyword: pass.clone(),
                value,
            });
        }
        actuals
    }

    /// The procedure of an operator bound to a type, with whether it dispatches at run time.
    pub(in crate::translation::sema) fn bound_generic(
        &self,
        ty: TypeId,
        key: &str,
        actuals: &[Actual],
        device: bool,
    ) -> Option<(SymbolId, bool)> {
        let TypeBinding::Generic(names) = self.binding(ty, key)? else {
            return None;
        };
        let specifics: Vec<SymbolId> = names
            .iter()
            .filter_map(|n| match self.binding(ty, n)? {
                TypeBinding::Specific { procedure, .. } => *procedure,
                TypeBinding::Generic(_) => None,
            })
            .collect();
        let dynamic = actuals.iter().any(|a| matches!(a.value.ty, Type::Class(_)));
        let found = self.resolve_generic(&specifics, actuals, device).ok()?;
        Some((found, dynamic))
    }
}
