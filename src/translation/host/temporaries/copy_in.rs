//! Actual arguments whose elements must lie side by side: the Fortran compiler would gather a strided section of device
//! data on the host, so the runtime gathers it into device memory instead and copies it back after the call.

use crate::ast::Intent;
use crate::host::context::memory::allocation_space;
use crate::host::context::names::{COPY_DONE, COPY_OUT, CUF, IS_CONTIGUOUS, PRESENT, SHAPE, SIZE};
use crate::host::context::rules::Values;
use crate::host::context::storage::BoundsText;
use crate::host::context::{Held, HostRewriter};
pub(in crate::translation::host) use crate::host::temporaries::described::has_vector_subscript;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// What becomes of an actual argument whose elements have to lie side by side, where they do not.
#[derive(Clone, Copy)]
enum Packed {
    /// A copy of it is passed.
    In,
    /// The copy is copied back.
    InOut,
    /// The program stops: the procedure keeps the address that it gets for this dummy.
    Never(SymbolId),
}

impl HostRewriter<'_> {
    /// The actual arguments of a CALL statement.
    pub(in crate::translation::host) fn call_actuals(
        &mut self,
        args: &[Option<TExpr>],
        dummies: &[Option<SymbolId>],
    ) {
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a else { continue };
            let dummy = dummies.get(i).copied().flatten();
            if self.held.is_some() && self.needs_host_scalar(a, dummy) {
                self.pass_scalar(a);
            } else if !self.pass_copy(a, dummy) {
                self.actual(a, dummy);
            }
        }
    }

    /// Passes a host copy of a device scalar, which is copied back.
    fn pass_scalar(&mut self, a: &TExpr) {
        let mut place = self.with_edits(a.span, |p| {
            p.as_data(a);
            p.repeated(|p| p.subscripts(a));
        });
        let name = self.held_name(self.last_name(a));
        let data = self.data_of(&a.ty);
        let mut set = Vec::new();
        let mut end = None;
        if !self.is_fixed_place(a) {
            // The procedure may change what the subscripts are made of, or point elsewhere.
            set.push(format!("associate ({name}_at => {place})"));
            end = Some("end associate".to_owned());
            place = format!("{name}_at");
        }
        set.push(format!("call {CUF}d2h({name}{data}, {place})"));
        let of = self.local_type(&a.ty);
        self.hold_variable(Held {
            declaration: format!("{of} :: {name}"),
            set,
            release: vec![format!("call {CUF}h2d({place}, {name}{data})")],
            end,
            at: None,
            name: name.clone(),
        });
        self.edits.replace(Rule::CopyIn, a.span, name);
    }

    /// The value of a structure in device memory: the statement holds a copy on the host. (The runtime's own copies are of intrinsic
    /// types.)
    pub(in crate::translation::host) fn structure_value(&mut self, e: &TExpr) -> bool {
        if !matches!(e.ty, Type::Derived(_)) || self.owners.may_own(&e.ty) {
            return false;
        }
        if !is_named(&e.ty) || self.held.is_none() && self.copies.is_none() {
            let shown = self.slice(e.span);
            self.finding(
                "CUF0382",
                e.span,
                format!("structure `{shown}` is in device memory and cannot be read in this context\nhelp: assign it to a host variable first"),
            );
            return true;
        }
        let place = self.with_edits(e.span, |p| {
            p.whole_base(e);
            p.repeated(|p| p.subscripts(e));
        });
        let stem = e.root().map_or("", |r| self.model[r].name.as_str());
        let name = self.held_name(stem);
        let (ty, data) = (self.local_type(&e.ty), self.data_of(&e.ty));
        let copy = |source: &str| format!("call {CUF}d2h({name}{data}, {source}{data})");
        let held = match e.rank.max(0) {
            0 => Held {
                declaration: format!("{ty} :: {name}"),
                set: vec![copy(&place)],
                release: Vec::new(),
                end: None,
                at: None,
                name: name.clone(),
            },
            rank => {
                let at = format!("{name}_at");
                let extents: Vec<_> = (1..=rank).map(|d| format!("{SIZE}({at}, {d})")).collect();
                let colons = vec![":"; rank as usize].join(",");
                Held {
                    declaration: format!("{ty}, allocatable :: {name}({colons})"),
                    set: vec![
                        format!("associate ({at} => {place})"),
                        format!("allocate({name}({}))", extents.join(", ")),
                        copy(&at),
                    ],
                    release: Vec::new(),
                    end: Some("end associate".to_owned()),
                    at: None,
                    name: name.clone(),
                }
            }
        };
        self.hold_host_copy(held);
        self.unit.runtime = true;
        self.edits.replace(Rule::CopyIn, e.span, name);
        true
    }

    /// Complex numbers for a library's array of reals. True if the argument has been dealt with.
    fn pass_parts(&mut self, a: &TExpr, dummy: Option<SymbolId>) -> bool {
        let Type::Complex(kind) = a.ty else {
            return false;
        };
        if !dummy.is_some_and(|d| self.model.takes_parts(d, a)) {
            return false;
        }
        self.unit.runtime = true;
        let head = format!("{CUF}parts_{kind}(");
        self.edits.insert(Rule::Argument, a.span.start, head);
        self.actual(a, dummy);
        self.edits.insert(Rule::Argument, a.span.end, ")");
        true
    }

    /// Passes a contiguous copy instead of device data that may have gaps, for a dummy that has none. The statement around
    /// the reference holds the copy.
    pub(in crate::translation::host) fn pass_copy(
        &mut self,
        a: &TExpr,
        dummy: Option<SymbolId>,
    ) -> bool {
        if self.pass_parts(a, dummy) || self.pass_managed_value(a, dummy) {
            return true;
        }
        if !self.needs_copy(a, dummy) {
            return false;
        }
        if self.held.is_none() && matches!(a.kind, TExprKind::Variable(_)) {
            return false; // a whole array is contiguous in all but rare calls: only a section surely has gaps
        }
        let read_only = dummy
            .and_then(|d| self.model.variable(d))
            .is_some_and(|v| v.intent == Some(Intent::In));
        let kept = dummy.filter(|d| self.model.keeps_address(*d));
        let packed = match kept {
            Some(d) => Packed::Never(d),
            None if read_only => Packed::In,
            None => Packed::InOut,
        };
        // Elements of a type that only the run knows cannot be copied.
        if let (Type::ClassStar, Some(d)) = (&a.ty, dummy)
            && !has_vector_subscript(a)
        {
            self.pass_in_place(a, d);
            return false;
        }
        let Some(name) = self.contiguous_copy(a, packed) else {
            return false;
        };
        self.edits.replace(Rule::CopyIn, a.span, name);
        true
    }

    /// Passes the data as it is, and stops the program before the statement if its elements are not contiguous.
    fn pass_in_place(&mut self, a: &TExpr, dummy: SymbolId) {
        if self.held.is_none() {
            return;
        }
        let text = self.with_edits(a.span, |p| {
            p.as_data(a);
            p.repeated(|p| p.subscripts(a));
        });
        let message = format!(
            "array for argument {} must be contiguous",
            self.model[dummy].spelling
        );
        let name = self.held_name(self.last_name(a));
        let mut set = vec![format!("{name} = {IS_CONTIGUOUS}({text})")];
        if let Some(guard) = self.guard(a) {
            set = vec![format!("{name} = .true."), format!("{guard}{}", set[0])];
        }
        set.push(format!("if (.not. {name}) error stop '{message}'"));
        self.hold_variable(Held {
            declaration: format!("logical :: {name}"),
            set,
            release: Vec::new(),
            end: None,
            at: None,
            name,
        });
    }

    /// Passes a copy in managed memory of a value, which has no memory that a device reaches. The statement around the reference holds it.
    fn pass_managed_value(&mut self, a: &TExpr, dummy: Option<SymbolId>) -> bool {
        let variable = dummy.and_then(|d| self.model.variable(d));
        let Some(v) = variable.filter(|v| self.model.takes_managed_copy(v, a)) else {
            return false;
        };
        let Some(space) = allocation_space(v.space) else {
            return false;
        };
        let scalar = a.rank <= 0;
        if self.held.is_none() || !is_named(&a.ty) {
            let shown = self.slice(a.span);
            let message = format!(
                "`{shown}` must be passed in managed memory, and no temporary can be created here\nhelp: assign it to a managed variable and pass that"
            );
            self.finding("CUF0382", a.span, message);
            return true;
        }
        let text = self.with_edits(a.span, |p| p.value(a));
        let name = self.held_name(dummy.map_or("", |d| self.model[d].name.as_str()));
        let (ty, value) = (self.local_type(&a.ty), format!("{name}_value"));
        let rank = a.rank.max(0) as usize;
        let bounds = BoundsText {
            upper: (1..=rank)
                .map(|d| format!("{SIZE}({value}, {d})"))
                .collect(),
            ..BoundsText::default()
        };
        let (colons, contiguous) = match scalar {
            true => (String::new(), ""),
            false => (format!("({})", vec![":"; rank].join(",")), ", contiguous"),
        };
        self.hold_variable(Held {
            declaration: format!("{ty}, pointer{contiguous} :: {name}{colons}"),
            set: vec![
                format!("nullify({name})"),
                format!("associate ({value} => {text})"),
                self.allocate_text(&name, &a.ty, &bounds, space, ""),
                format!("{name} = {value}"),
                "end associate".to_owned(),
            ],
            release: vec![self.release_text(&name, &a.ty)],
            end: None,
            at: None,
            name: name.clone(),
        });
        self.unit.runtime = true;
        self.edits.replace(Rule::CopyIn, a.span, name);
        true
    }

    /// The name of a contiguous copy in device memory, which the statement around the reference holds; None if none can be made, which
    /// is reported.
    fn contiguous_copy(&mut self, a: &TExpr, packed: Packed) -> Option<String> {
        if self.held.is_none() {
            let name = self.slice(a.span);
            self.finding(
                "CUF0382",
                a.span,
                format!("non-contiguous section `{name}` of device data cannot be passed here\nnote: the dummy argument requires contiguous data, and no temporary can be created\nhelp: assign it to a device array and pass that"),
            );
            return None;
        }
        if !self.can_copy(a) {
            return None;
        }
        let text = self.with_edits(a.span, |p| {
            p.as_data(a);
            p.repeated(|p| p.subscripts(a));
        });
        let at = self.address_argument(a, "at");
        let data = self.data_of(&a.ty);
        let guarded = self.guard(a);
        let guard = guarded.as_deref().unwrap_or_default();
        let address = match packed {
            Packed::Never(dummy) => {
                let what = &self.model[dummy].spelling;
                format!("{CUF}in_place({text}, '{what}'{at})")
            }
            Packed::In | Packed::InOut => format!("{CUF}copy_in({text}{at})"),
        };
        let associate =
            |name: &str| format!("{guard}call {CUF}associate({address}, {name}, {SHAPE}({text}))");
        let release = |name: &str| match packed {
            Packed::Never(_) => Vec::new(),
            Packed::In => vec![format!("{guard}call {COPY_DONE}({name}{data})")],
            Packed::InOut => vec![format!("{guard}call {COPY_OUT}({name}{data})")],
        };
        // A section that is passed twice to be changed is one object: of two copies the first to be copied back would be lost.
        let mut others = self.held.iter().flatten();
        let same =
            |h: &&Held| h.set.last() == Some(&associate(&h.name)) && h.release == release(&h.name);
        if matches!(packed, Packed::InOut)
            && !refers_to_functions(a)
            && let Some(other) = others.find(same)
        {
            return Some(other.name.clone());
        }
        let name = self.held_name(self.last_name(a));
        let colons = vec![":"; a.rank as usize].join(",");
        let mut set = Vec::new();
        if guarded.is_some() {
            set.push(format!("nullify({name})"));
        }
        set.push(associate(&name));
        let held = Held {
            declaration: format!(
                "{}, pointer, contiguous :: {name}({colons})",
                self.local_type(&a.ty)
            ),
            set,
            release: release(&name),
            end: None,
            at: None,
            name: name.clone(),
        };
        self.hold_variable(held);
        Some(name)
    }

    /// The value of a component of array elements: the runtime gathers it in device memory before it is copied to the host.
    pub(in crate::translation::host) fn gathered_value(&mut self, e: &TExpr) -> bool {
        if e.rank <= 0 || !of_elements(e) {
            return false;
        }
        if let Some(name) = self.contiguous_copy(e, Packed::In) {
            self.edits
                .replace(Rule::CopyIn, e.span, format!("{CUF}host({name})"));
            self.unit.runtime = true;
        }
        true
    }

    /// The name of a contiguous copy of a component of array elements in device memory, for procedures of the runtime that
    /// are Fortran: gfortran 12 would gather it on the host for them.
    pub(in crate::translation::host) fn gathered_source(&mut self, e: &TExpr) -> Option<String> {
        if e.rank <= 0 || !of_elements(e) || !self.is_device(e) {
            return None;
        }
        self.contiguous_copy(e, Packed::In)
    }

    /// A device scalar for a scalar dummy of the host without INTENT, which the procedure may change. INTENT(IN) needs no
    /// copy back; the checks refuse the others.
    fn needs_host_scalar(&self, a: &TExpr, dummy: Option<SymbolId>) -> bool {
        let Some(v) = dummy.and_then(|d| self.model.variable(d)) else {
            return false;
        };
        v.is_hosts()
            && v.intent.is_none()
            && v.dims.is_empty()
            && !v.attrs.has(VarAttrs::VALUE)
            && !v.attrs.has(VarAttrs::IGNORE_DEVICE)
            && a.rank == 0
            && a.is_designator()
            && self.is_device(a)
            && is_named(&a.ty)
    }

    /// The name that says what a designator is: of the last component, or the variable.
    fn last_name<'e>(&'e self, a: &'e TExpr) -> &'e str {
        match &a.kind {
            TExprKind::Index { base, .. } | TExprKind::Substring { base, .. } => {
                self.last_name(base)
            }
            TExprKind::Component { .. } => self.model.component(a).map_or("", |f| f.name.as_str()),
            _ => a.root().map_or("", |r| self.model[r].name.as_str()),
        }
    }

    /// `if (present(x)) ` for an optional dummy that is passed on.
    fn guard(&self, a: &TExpr) -> Option<String> {
        let TExprKind::Variable(s) = a.kind else {
            return None;
        };
        let v = self.model.variable(s)?;
        v.attrs
            .has(VarAttrs::OPTIONAL)
            .then(|| format!("if ({PRESENT}({})) ", self.slice(a.span)))
    }

    /// The designator denotes the same data whatever a procedure does: constant subscripts, no pointers.
    fn is_fixed_place(&self, a: &TExpr) -> bool {
        match &a.kind {
            TExprKind::Variable(s) => self
                .model
                .variable(*s)
                .is_some_and(|v| !v.attrs.has(VarAttrs::POINTER)),
            TExprKind::Index { base, subs } => {
                let constant =
                    |s: &Subscript| matches!(s, Subscript::Element(e) if e.value.is_some());
                subs.iter().all(constant) && self.is_fixed_place(base)
            }
            TExprKind::Component { base, .. } => {
                let field = self.model.component(a);
                field.is_some_and(|f| !f.attrs.has(VarAttrs::POINTER)) && self.is_fixed_place(base)
            }
            TExprKind::Substring { base, .. } | TExprKind::ComplexPart { base, .. } => {
                self.is_fixed_place(base)
            }
            _ => false,
        }
    }

    /// Device data that may have gaps, for a dummy that has none.
    pub(in crate::translation::host) fn needs_copy(
        &self,
        a: &TExpr,
        dummy: Option<SymbolId>,
    ) -> bool {
        let Some(v) = dummy.and_then(|d| self.model.variable(d)) else {
            return false;
        };
        let dense = v.attrs.has(VarAttrs::CONTIGUOUS)
            || matches!(
                v.dims.last(),
                Some(Dim::Explicit { .. } | Dim::AssumedSize { .. })
            );
        let device = |s: Space| !matches!(s, Space::Host | Space::Thread | Space::Pinned);
        // gfortran packs what has gaps for a polymorphic dummy.
        let polymorphic = matches!(v.ty, Type::Class(_) | Type::ClassStar) && is_named(&a.ty);
        (dense || polymorphic || of_elements(a))
            && device(v.space)
            && !v.attrs.is_dynamic()
            && a.rank > 0
            && a.is_designator()
            && (self.model.space(a).is_some_and(device) || self.model.reaches(a))
            && !self.model.surely_contiguous(a)
    }

    /// A copy can be made; reports why not.
    fn can_copy(&mut self, a: &TExpr) -> bool {
        if has_vector_subscript(a) || !is_named(&a.ty) {
            let name = self.slice(a.span);
            self.finding(
                "CUF0382",
                a.span,
                format!("device array section `{name}` would have to be gathered on the host\nhelp: assign it to a device array and pass that"),
            );
            return false;
        }
        true
    }
}

/// The designator may be another one each time: functions give its subscripts.
fn refers_to_functions(a: &TExpr) -> bool {
    let mut found = false;
    a.walk(&mut |e| {
        found |= matches!(
            e.kind,
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } | TExprKind::Unknown
        );
    });
    found
}

/// A component of the elements of an array: the Fortran compiler gathers such actuals also for assumed-shape dummies.
pub(in crate::translation::host) fn of_elements(a: &TExpr) -> bool {
    match &a.kind {
        TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => {
            base.rank > 0 || of_elements(base)
        }
        TExprKind::Index { base, .. } | TExprKind::Substring { base, .. } => of_elements(base),
        _ => false,
    }
}

/// A local variable of the type can be declared by its name.
pub(in crate::translation::host) fn is_named(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Integer(_)
            | Type::Real(4 | 8)
            | Type::Complex(_)
            | Type::Logical(_)
            | Type::Character(CharacterLength::Constant(_))
            | Type::Derived(_)
    )
}
