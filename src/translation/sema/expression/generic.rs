//! Actual arguments against dummies: keyword arguments, types, ranks, and the choice among the specific procedures of a
//! generic, with the attribute distance of guide table 2.

use super::typed::{TExpr, TExprKind};
use crate::sema::model::*;

/// A typed actual argument.
#[derive(Clone, Debug)]
pub struct Actual {
    pub keyword: Option<String>,
    pub value: TExpr,
}

/// By position.
impl From<TExpr> for Actual {
    fn from(value: TExpr) -> Self {
        Actual {
            keyword: None,
            value,
        }
    }
}

/// Why a generic reference has no specific procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    NoMatch,
    /// Two specific procedures are equally near.
    Ambiguous(SymbolId, SymbolId),
}

impl Model {
    /// For every dummy the position of its actual. None if the arguments do not fit the dummies in number and keywords.
    pub(in crate::translation::sema) fn positions(
        &self,
        procedure: &Procedure,
        actuals: &[Actual],
    ) -> Option<Vec<Option<usize>>> {
        let mut at = vec![None; procedure.dummies.len()];
        for (i, a) in actuals.iter().enumerate() {
            let d = match &a.keyword {
                None => i,
                Some(k) => procedure
                    .dummies
                    .iter()
                    .position(|d| d.is_some_and(|d| self[d].name == *k))?,
            };
            let slot = at.get_mut(d)?;
            if slot.replace(i).is_some() {
                return None;
            }
        }
        Some(at)
    }

    /// The same for a CALL statement: a launch means a kernel, and a call without one another procedure, as long as one takes the arguments.
    pub(in crate::translation::sema) fn resolve_call(
        &self,
        specifics: &[SymbolId],
        actuals: &[Actual],
        device: bool,
        launched: bool,
    ) -> Result<SymbolId, Unresolved> {
        let kernel = |s: &SymbolId| {
            let target = self.procedure(*s).map(|p| p.target);
            matches!(
                target,
                Some(ProcedureTarget::Global | ProcedureTarget::GridGlobal)
            )
        };
        let meant = specifics.iter().copied().filter(|s| kernel(s) == launched);
        match self.resolve_generic(&meant.collect::<Vec<_>>(), actuals, device) {
            Err(Unresolved::NoMatch) => self.resolve_generic(specifics, actuals, device),
            found => found,
        }
    }

    /// The specific procedure of a generic for these actuals. `device` is the code the reference stands in.
    pub(in crate::translation::sema) fn resolve_generic(
        &self,
        specifics: &[SymbolId],
        actuals: &[Actual],
        device: bool,
    ) -> Result<SymbolId, Unresolved> {
        // Procedures of the caller's side first; a CUF loop stands in host code and calls device procedures.
        let callable = |s: &SymbolId| match self.procedure(*s).map(|p| p.target) {
            Some(ProcedureTarget::Device) => device,
            Some(ProcedureTarget::HostDevice) | None => true,
            Some(_) => !device,
        };
        let (near, far): (Vec<SymbolId>, Vec<SymbolId>) =
            specifics.iter().copied().partition(|s| callable(s));
        for list in [near, far] {
            for elemental in [false, true] {
                match self.nearest(&list, actuals, device, elemental) {
                    Err(Unresolved::NoMatch) => {}
                    found => return found,
                }
            }
        }
        Err(Unresolved::NoMatch)
    }

    /// The subroutine of a defined assignment `l = r` (F2018 10.2.1.4); None where the assignment is intrinsic.
    pub fn defined_assignment(&self, scope: ScopeId, l: &TExpr, r: &TExpr) -> Option<SymbolId> {
        const KEY: &str = "assignment(=)";
        let derived = |t: &Type| match t {
            Type::Derived(t) | Type::Class(t) => Some(*t),
            _ => None,
        };
        let types = [derived(&l.ty), derived(&r.ty)];
        if types == [None, None] && intrinsic_assignment(&l.ty, &r.ty) {
            return None;
        }
        let device = self[scope].context != CodeContext::Host;
        let actuals: Vec<Actual> = [l, r]
            .into_iter()
            .map(|value| Actual {
                keyword: None,
                value: value.clone(),
            })
            .collect();
        if let Some(s) = self.lookup(scope, KEY)
            && let SymbolKind::Generic(g) = &self[s].kind
            && let Ok(p) = self.resolve_generic(&g.specifics, &actuals, device)
        {
            return Some(p);
        }
        types
            .into_iter()
            .flatten()
            .find_map(|t| self.bound_generic(t, KEY, &actuals, device))
            .map(|(p, _)| p)
    }

    /// How far the actual arguments are from the dummies in type, rank and memory, a wrong rank farthest; 0: they fit; None: their number
    /// or names do not.
    pub(in crate::translation::sema) fn misfits(
        &self,
        procedure: SymbolId,
        actuals: &[Actual],
    ) -> Option<usize> {
        let at = self.positions(self.procedure(procedure)?, actuals)?;
        let dummies = &self.procedure(procedure)?.dummies;
        let optional = |d: &Option<SymbolId>| {
            let v = d.and_then(|d| self.variable(d));
            v.is_none_or(|v| v.attrs.has(VarAttrs::OPTIONAL))
        };
        if at
            .iter()
            .zip(dummies)
            .any(|(i, d)| i.is_none() && !optional(d))
        {
            return None;
        }
        let distance = |(i, d): (Option<usize>, &Option<SymbolId>)| {
            let (Some(i), Some(v)) = (i, d.and_then(|d| self.variable(d))) else {
                return 0;
            };
            let a = &actuals[i].value;
            if a.ty == Type::Unknown {
                return 0;
            }
            let rank = if self.fits_rank(v, a) { 0 } else { 3 };
            let reached = self.space_distance(v, a, false).is_some();
            let parts = || d.is_some_and(|d| self.takes_parts(d, a));
            rank.max(match self.accepts(v, a) {
                true if reached => 0,
                false if reached && parts() => 1,
                _ => 2,
            })
        };
        Some(at.into_iter().zip(dummies).map(distance).sum())
    }

    /// The dummies with their actual arguments.
    pub(in crate::translation::sema) fn fitted(
        &self,
        procedure: SymbolId,
        actuals: Vec<Actual>,
    ) -> Vec<(SymbolId, TExpr)> {
        let Some(p) = self.procedure(procedure) else {
            return Vec::new();
        };
        let Some(at) = self.positions(p, &actuals) else {
            return Vec::new();
        };
        let values = reorder(actuals, &at);
        let pairs = p.dummies.iter().copied().zip(values);
        pairs.filter_map(|(d, a)| Some((d?, a?))).collect()
    }

    /// A scalar for a scalar, and an array or an element of one for an array without shape (F2018 15.5.2.4).
    pub(in crate::translation::sema) fn fits_rank(&self, dummy: &Variable, actual: &TExpr) -> bool {
        if dummy.attrs.has(VarAttrs::IGNORE_RANK) && dummy.dims.is_empty() || actual.rank < 0 {
            return true;
        }
        if matches!(dummy.dims.first(), Some(Dim::AssumedRank)) {
            return true;
        }
        match dummy.dims.is_empty() {
            true => actual.rank == 0,
            false => {
                let ignored = dummy.attrs.has(VarAttrs::IGNORE_TYPE);
                ignored
                    || actual.rank > 0
                    || matches!(
                        actual.kind,
                        TExprKind::Index { .. } | TExprKind::Null | TExprKind::Unknown
                    )
            }
        }
    }

    /// The same for the operands of a defined operation or the sides of a defined assignment.
    pub fn operand_mismatch(
        &self,
        scope: ScopeId,
        generic: SymbolId,
        operands: impl IntoIterator<Item = TExpr>,
    ) -> Option<Unresolved> {
        let actuals: Vec<Actual> = operands.into_iter().map(Actual::from).collect();
        self.unresolved_by_memory(scope, generic, &actuals, false)
    }

    pub(in crate::translation::sema) fn unresolved_by_memory(
        &self,
        scope: ScopeId,
        generic: SymbolId,
        actuals: &[Actual],
        launched: bool,
    ) -> Option<Unresolved> {
        let SymbolKind::Generic(g) = &self[generic].kind else {
            return None;
        };
        let device = self[scope].context != CodeContext::Host;
        if actuals.iter().any(|a| a.value.ty == Type::Unknown) {
            return None;
        }
        let memory = |s: SymbolId| -> Vec<Option<Space>> {
            let dummies = self.procedure(s).map_or(&[][..], |p| p.dummies.as_slice());
            let space = |d: &Option<SymbolId>| d.and_then(|d| self.variable(d)).map(|v| v.space);
            dummies.iter().map(space).collect()
        };
        match self.resolve_call(&g.specifics, actuals, device, launched) {
            Ok(_) => None,
            Err(Unresolved::Ambiguous(a, b)) => {
                (memory(a) != memory(b)).then_some(Unresolved::Ambiguous(a, b))
            }
            // Without regard to memory, as in device code.
            Err(Unresolved::NoMatch) if !device => [false, true]
                .iter()
                .any(|e| self.nearest(&g.specifics, actuals, true, *e) != Err(Unresolved::NoMatch))
                .then_some(Unresolved::NoMatch),
            Err(Unresolved::NoMatch) => None,
        }
    }

    fn nearest(
        &self,
        list: &[SymbolId],
        actuals: &[Actual],
        device: bool,
        elemental: bool,
    ) -> Result<SymbolId, Unresolved> {
        let mut best: Option<(u32, SymbolId)> = None;
        let mut tie = None;
        for &s in list {
            let Some(p) = self.procedure(s) else {
                continue;
            };
            if elemental && !p.elemental {
                continue;
            }
            let Some(d) = self.distance(p, actuals, device, elemental) else {
                continue;
            };
            match best {
                Some((b, _)) if b < d => {}
                Some((b, _)) if b == d => tie = Some(s),
                _ => {
                    best = Some((d, s));
                    tie = None;
                }
            }
        }
        match (best, tie) {
            (Some((_, s)), None) => Ok(s),
            // Arguments of unknown type match everything: the reference is not known to be ambiguous.
            (Some((_, s)), Some(t)) if !actuals.iter().any(|a| a.value.ty == Type::Unknown) => {
                Err(Unresolved::Ambiguous(s, t))
            }
            (Some((_, s)), Some(_)) => Ok(s),
            (None, _) => Err(Unresolved::NoMatch),
        }
    }

    /// How far the arguments are from a procedure's dummies, elements of arrays for the elemental ones last; None if it does not
    /// accept them.
    pub(in crate::translation::sema) fn distance_of(
        &self,
        s: SymbolId,
        actuals: &[Actual],
        device: bool,
    ) -> Option<u32> {
        const ELEMENTAL: u32 = 1 << 16;
        let p = self.procedure(s)?;
        let near = self.distance(p, actuals, device, false);
        near.or_else(|| {
            let elements = p
                .elemental
                .then(|| self.distance(p, actuals, device, true))?;
            Some(elements? + ELEMENTAL)
        })
    }

    /// Sum of the distances of all arguments (decisions 23); None if the procedure does not accept them.
    fn distance(
        &self,
        p: &Procedure,
        actuals: &[Actual],
        device: bool,
        elemental: bool,
    ) -> Option<u32> {
        const IGNORED: u32 = 1 << 8;
        let at = self.positions(p, actuals)?;
        let mut sum = 0;
        for (dummy, at) in p.dummies.iter().zip(&at) {
            let (Some(dummy), Some(at)) = (dummy, at) else {
                let optional = dummy.is_none_or(|d| {
                    self.variable(d)
                        .is_none_or(|v| v.attrs.has(VarAttrs::OPTIONAL))
                });
                if at.is_none() && !optional {
                    return None;
                }
                continue;
            };
            let actual = &actuals[*at].value;
            match &self[*dummy].kind {
                SymbolKind::Variable(v) => {
                    if !(self.accepts(v, actual) || self.takes_parts(*dummy, actual))
                        || !accepts_rank(v, actual, elemental)
                        || !self.accepts_descriptor(v, actual)
                    {
                        return None;
                    }
                    sum += self.space_distance(v, actual, device)?;
                    // A type that agrees is nearer than one that is ignored.
                    if !self.accepts_type(&v.ty, actual) {
                        sum += IGNORED;
                    }
                }
                SymbolKind::Procedure(_) => {
                    if !matches!(
                        actual.kind,
                        TExprKind::ProcedureName(_) | TExprKind::Unknown | TExprKind::Null
                    ) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        Some(sum)
    }

    /// An allocatable dummy takes an allocatable, a pointer a pointer (F2018 15.4.3.4.5): by that generics are told apart.
    /// A pointer with INTENT(IN) takes targets, too.
    fn accepts_descriptor(&self, dummy: &Variable, actual: &TExpr) -> bool {
        let attrs = match &actual.kind {
            TExprKind::Variable(_) | TExprKind::Component { .. } => match self.declared(actual) {
                Some(d) => d.attrs,
                None => return true,
            },
            TExprKind::Unknown | TExprKind::Null => return true,
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } => {
                return !dummy.attrs.has(VarAttrs::ALLOCATABLE);
            }
            _ => VarAttrs::default(),
        };
        if dummy.attrs.has(VarAttrs::ALLOCATABLE) {
            return attrs.has(VarAttrs::ALLOCATABLE);
        }
        !dummy.attrs.has(VarAttrs::POINTER)
            || attrs.has(VarAttrs::POINTER)
            || dummy.intent == Some(crate::ast::Intent::In) && attrs.has(VarAttrs::TARGET)
    }

    /// Type and kind agree as far as the dummy wants.
    pub fn accepts(&self, dummy: &Variable, actual: &TExpr) -> bool {
        if dummy.attrs.has(VarAttrs::IGNORE_TYPE) {
            return true;
        }
        if dummy.option.is_some() && matches!(actual.ty, Type::Character(_)) {
            return true;
        }
        let same_base = std::mem::discriminant(&dummy.ty) == std::mem::discriminant(&actual.ty);
        (dummy.attrs.has(VarAttrs::IGNORE_KIND) && same_base)
            || self.accepts_type(&dummy.ty, actual)
    }

    /// Complex numbers on the device for a library's array of reals of their kind: nvfortran passes the address, and the library sees real and
    /// imaginary parts in turn.
    pub fn takes_parts(&self, dummy: SymbolId, actual: &TExpr) -> bool {
        let Some(v) = self.variable(dummy) else {
            return false;
        };
        let parts = matches!((&v.ty, &actual.ty), (Type::Real(d), Type::Complex(a)) if d == a);
        let scope = self[dummy].scope;
        parts
            && !v.attrs.has(VarAttrs::IGNORE_TYPE)
            && !v.dims.is_empty()
            && Self::is_device_space(v.space)
            && actual.is_designator()
            && matches!(
                self.space(actual),
                Some(Space::Device | Space::Managed | Space::Unified)
            )
            && self[scope].kind != ScopeKind::External
            && self.is_foreign(scope)
    }

    /// Type and kind agree, or the actual's type extends the dummy's class.
    pub fn accepts_type(&self, dummy: &Type, actual: &TExpr) -> bool {
        match (dummy, &actual.ty) {
            (_, Type::Unknown) | (Type::Unknown | Type::ClassStar | Type::AssumedType, _) => true,
            (Type::Character(_), Type::Character(_)) => true,
            (Type::Integer(_) | Type::Real(_), Type::Boz) => true,
            (Type::Derived(d), Type::Derived(a) | Type::Class(a)) => self.same_type(*d, *a),
            (Type::Class(d), Type::Derived(a) | Type::Class(a)) => self.extends(*a, *d),
            (d, a) => d == a,
        }
    }

    /// Two types are the same: one definition, or sequence, bind(C) or runtime types of one name.
    pub fn same_type(&self, a: TypeId, b: TypeId) -> bool {
        a == b || {
            let (x, y) = (&self[a], &self[b]);
            x.name == y.name && (x.external || y.external || x.sequence || x.bind_c)
        }
    }

    /// `ty` is `ancestor` or extends it.
    pub fn extends(&self, ty: TypeId, ancestor: TypeId) -> bool {
        let mut at = Some(ty);
        // The bound guards against a type that extends itself.
        for _ in 0..64 {
            match at {
                Some(t) if self.same_type(t, ancestor) => return true,
                Some(t) => at = self[t].parent,
                None => return false,
            }
        }
        false
    }

    /// The actual cannot be associated with the dummy of a generic's procedure because of their memory (guide 3.2.3, table 2).
    pub(in crate::translation::sema) fn lies_elsewhere(
        &self,
        dummy: &Variable,
        actual: &TExpr,
    ) -> bool {
        self.space_distance(dummy, actual, false).is_none()
    }

    /// Guide 3.2.3, table 2: None where the actual cannot be associated with the dummy.
    fn space_distance(&self, dummy: &Variable, actual: &TExpr, device: bool) -> Option<u32> {
        if device || dummy.attrs.has(VarAttrs::VALUE) {
            return Some(0);
        }
        if dummy.attrs.has(VarAttrs::IGNORE_DEVICE) && !dummy.attrs.is_dynamic() {
            return Some(3);
        }
        let infinite = None;
        // In the host code such a dummy is a pointer, which no allocatable of the host is.
        let moving = dummy.attrs.is_dynamic();
        let own = match moving {
            true => self.space_of_value(actual).unwrap_or(Space::Host),
            false => self.effective_space(actual),
        };
        let actual = match own {
            // The device reaches it as it does other data of the host, but a dummy of the host is nearer.
            Space::Pinned if Model::is_device_space(dummy.space) && self.reaches(actual) => {
                Space::Unified
            }
            own => own,
        };
        match (dummy.space, actual) {
            // A procedure for host and device takes data of the host here.
            (Space::Thread, a) if Model::is_device_space(a) => Some(3),
            (Space::Thread | Space::Shared, _) => Some(0),
            (Space::Constant, Space::Constant) | (Space::Texture, Space::Texture) => Some(0),
            (Space::Constant | Space::Texture, _) => infinite,
            (Space::Host | Space::Pinned, a) => match a {
                Space::Host | Space::Pinned | Space::Thread => Some(0),
                // The address of anything, as buffers of message passing are.
                _ if dummy.ty == Type::AssumedType => Some(3),
                Space::Managed | Space::Unified => Some(3),
                _ => infinite,
            },
            (Space::Device, a) => match a {
                Space::Host | Space::Pinned => infinite,
                Space::Managed | Space::Unified => Some(2),
                _ => Some(0),
            },
            (Space::Managed, a) => match a {
                Space::Managed => Some(0),
                Space::Unified => Some(1),
                _ => infinite,
            },
            (Space::Unified, a) => match a {
                Space::Managed => Some(1),
                Space::Unified => Some(0),
                _ => infinite,
            },
        }
    }
}

/// Actuals by dummy, from the positions of `Model::positions`.
pub(in crate::translation::sema) fn reorder(
    actuals: Vec<Actual>,
    at: &[Option<usize>],
) -> Vec<Option<TExpr>> {
    let mut values: Vec<Option<TExpr>> = actuals.into_iter().map(|a| Some(a.value)).collect();
    at.iter()
        .map(|i| i.and_then(|i| values.get_mut(i)?.take()))
        .collect()
}

/// Ranks agree as generic resolution wants it: equal, or the dummy takes any.
fn accepts_rank(dummy: &Variable, actual: &TExpr, elemental: bool) -> bool {
    if dummy.attrs.has(VarAttrs::IGNORE_RANK) || actual.rank < 0 || actual.ty == Type::Unknown {
        return true;
    }
    let any = match dummy.dims.first() {
        Some(Dim::AssumedRank) => true,
        Some(Dim::AssumedSize { .. }) => dummy.ty == Type::AssumedType,
        _ => false,
    };
    any || usize::try_from(actual.rank) == Ok(dummy.dims.len())
        || (elemental && dummy.dims.is_empty())
        // A NULL() pointer takes the rank of its dummy.
        || matches!(actual.kind, TExprKind::Null)
}

/// Assignment between these types has a meaning of its own (F2018 table 10.8), which no subroutine can replace.
pub(in crate::translation::sema) fn intrinsic_assignment(l: &Type, r: &Type) -> bool {
    let numeric = |t: &Type| {
        matches!(
            t,
            Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Boz
        )
    };
    match (l, r) {
        (Type::Logical(_), Type::Logical(_)) | (Type::Character(_), Type::Character(_)) => true,
        _ => numeric(l) && numeric(r),
    }
}
