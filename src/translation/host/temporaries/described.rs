//! Host objects that gfortran 12 describes wrongly to C. The runtime's procedures take data as C descriptors, which the Fortran compiler
//! makes of actual arguments; which objects it makes right ones of was measured (docs/guarantees.md, "Descriptors"). For the others the
//! statement holds a copy of a declared type, which Fortran's own assignment fills or reads, or tells the runtime the address.

use crate::ast::Span;
use crate::host::context::edit::join_lines;
use crate::host::context::names::{CUF, INT, LBOUND, LEN, MERGE, MOVE_ALLOC, REAL, SIZE, UBOUND};
use crate::host::context::rules::Values;
use crate::host::context::{Held, HostRewriter};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// What is wrong with the descriptor that gfortran makes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translation::host) enum Fault {
    /// Strides, element length or type: a copy of a declared type is passed.
    Layout,
    /// A part of a CLASS(*) array of characters, which gfortran addresses wrongly itself: a copy of the array is indexed.
    Text,
    /// The address alone: that of the first element is passed, too.
    Base,
}

/// What a held copy is declared as.
pub(in crate::translation::host) struct Sample<'a> {
    pub ty: &'a Type,
    /// An object of the type as text, for its length.
    pub text: &'a str,
    /// The copy gets the length of what it is a copy of.
    pub any_length: bool,
}

impl HostRewriter<'_> {
    /// What is wrong with the descriptor of an actual argument, by the declared types of what it is made of.
    pub(in crate::translation::host) fn descriptor_fault(&self, e: &TExpr) -> Option<Fault> {
        let e = e.unparenthesised();
        if self.is_device(e) {
            return self.is_section_of_pointer(e).then_some(Fault::Base);
        }
        if is_wide(&e.ty) || matches!(e.ty, Type::Class(_) | Type::ClassStar) {
            return Some(Fault::Layout);
        }
        if !e.is_designator() {
            let operand = |x: &TExpr| {
                x.is_designator()
                    && !self.is_device(x)
                    && matches!(self.designator_fault(x), Some(Fault::Layout | Fault::Text))
            };
            return e.any(&mut { operand }).then_some(Fault::Layout);
        }
        self.designator_fault(e)
    }

    fn designator_fault(&self, e: &TExpr) -> Option<Fault> {
        if let Some((_, whole)) = self.unlimited_text(e) {
            return Some(if whole { Fault::Layout } else { Fault::Text });
        }
        if is_part_of_component(e)
            || is_text_in_elements(e)
            || self.is_of_class_array(e)
            || self.is_parameterized(e)
            || self.is_of_spoiled_array(e)
        {
            return Some(Fault::Layout);
        }
        if !self.is_section_of_pointer(e) {
            return None;
        }
        // Of an associate name even elements may have other addresses.
        Some(match self.associated_root(e) {
            Some(_) => Fault::Layout,
            None => Fault::Base,
        })
    }

    /// A CLASS(*) array in a guard for characters, with its variable, and whether the designator is all of it.
    fn unlimited_text<'e>(&self, e: &'e TExpr) -> Option<(&'e TExpr, bool)> {
        let mut at = e;
        while let Some(base) = at.base() {
            at = base;
        }
        let (ty, selector) = self.associated(at)?;
        let text = at.rank > 0 && matches!(ty, Type::Character(_));
        (text && selector.ty == Type::ClassStar).then_some((at, std::ptr::eq(at, e)))
    }

    /// The type of an associate name, and what it is a name of.
    fn associated(&self, e: &TExpr) -> Option<(Type, TExpr)> {
        let TExprKind::Variable(s) = e.kind else {
            return None;
        };
        match &self.model[s].kind {
            SymbolKind::Associate { expr, outer, .. } => {
                Some((e.ty.clone(), self.model.expr(*outer, expr)))
            }
            _ => None,
        }
    }

    /// The elements are, or are parts of, those of a polymorphic array.
    fn is_of_class_array(&self, e: &TExpr) -> bool {
        let mut at = e;
        while at.rank != 0 {
            if matches!(at.ty, Type::Class(_) | Type::ClassStar) {
                return true;
            }
            match (at.base(), self.associated(at)) {
                (Some(base), _) => at = base,
                (None, Some((_, selector))) => {
                    return self.is_of_class_array(selector.unparenthesised());
                }
                _ => return false,
            }
        }
        false
    }

    /// The elements are, or are parts of, those of an allocatable array that an array of its class may be assigned to: gfortran 12 then
    /// leaves the distance of other elements in its descriptor.
    fn is_of_spoiled_array(&self, e: &TExpr) -> bool {
        let mut at = e;
        while at.rank > 0 {
            if let (Type::Derived(t), Some(d)) = (&at.ty, self.model.declared(at))
                && d.attrs.has(VarAttrs::ALLOCATABLE)
                && d.space == Space::Host
                && self.owners.has_class_arrays(*t)
            {
                return true;
            }
            match at.base() {
                Some(base) => at = base,
                None => return false,
            }
        }
        false
    }

    /// A component of a type with parameters, or a part of one.
    fn is_parameterized(&self, e: &TExpr) -> bool {
        let mut at = Some(e);
        while let Some(part) = at {
            if let TExprKind::Component { of, .. } = part.kind
                && self.model.has_parameters(of)
            {
                return true;
            }
            at = part.base();
        }
        let selector = self.associated_root(e);
        selector.is_some_and(|s| self.is_parameterized(s.unparenthesised()))
    }

    fn associated_root(&self, e: &TExpr) -> Option<TExpr> {
        let mut at = e;
        while let Some(base) = at.base() {
            at = base;
        }
        self.associated(at).map(|(_, selector)| selector)
    }

    /// A section of a pointer, of an associate name, or of characters of deferred length: the distance of its elements need not be a
    /// multiple of their length, and gfortran 12 reckons with the length where the section begins elsewhere.
    fn is_section_of_pointer(&self, e: &TExpr) -> bool {
        let mut at = e;
        while at.rank > 0 {
            if let TExprKind::Index { base, subs } = &at.kind {
                let whole = |s: &Subscript| {
                    matches!(
                        s,
                        Subscript::Range {
                            lo: None,
                            hi: None,
                            step: None
                        }
                    )
                };
                if !subs.iter().all(whole) && self.may_have_distance(base) {
                    return true;
                }
            }
            match at.base() {
                Some(base) => at = base,
                None => {
                    let selector = self.associated(at).map(|(_, s)| s);
                    return selector
                        .is_some_and(|s| self.is_section_of_pointer(s.unparenthesised()));
                }
            }
        }
        false
    }

    /// A pointer or associate name, or a section of one, whose elements need not be a multiple of their length apart: gfortran 12 passes a
    /// copy of its own to a procedure that is Fortran.
    pub(in crate::translation::host) fn may_lie_apart(&self, e: &TExpr) -> bool {
        let section = self.descriptor_fault(e) == Some(Fault::Base);
        section || e.rank > 0 && e.is_designator() && self.may_have_distance(e)
    }

    /// The elements may be components of what lies side by side.
    fn may_have_distance(&self, array: &TExpr) -> bool {
        match self.model.declared(array) {
            // Of characters that were allocated with another length before, gfortran 12 takes the old one.
            Some(d) if d.attrs.has(VarAttrs::DEFERRED_LENGTH) => true,
            Some(d) => d.attrs.has(VarAttrs::POINTER) && !d.attrs.has(VarAttrs::CONTIGUOUS),
            None => self.associated(array).is_some(),
        }
    }

    /// The value of a host object under a name, in a copy that is declared like `sample`. None if there can be none, which is reported.
    pub(in crate::translation::host) fn hold_declared(
        &mut self,
        r: &TExpr,
        sample: &Sample<'_>,
    ) -> Option<String> {
        let r = r.unparenthesised();
        let declaration = self.described_copy_type(r, sample)?;
        let name = self.held_name("value");
        let set = match r.rank > 0 && r.is_designator() {
            // gfortran 12 spoils the descriptor of a whole allocatable that it allocates for a polymorphic array.
            true => {
                let text = self.with_edits(r.span, |p| p.repeated(|p| p.value(r)));
                let colons = vec![":"; r.rank as usize].join(",");
                let bounds = self.bounds_of(r, &text);
                vec![
                    format!("allocate({name}({bounds}))"),
                    format!("{name}({colons}) = {text}"),
                ]
            }
            false => {
                let text = self.with_edits(r.span, |p| p.value(r));
                let function = r.rank > 0 && matches!(r.kind, TExprKind::Intrinsic { .. });
                vec![match function {
                    true => format!("{name} = ({text})"),
                    false => format!("{name} = {text}"),
                }]
            }
        };
        self.hold_declared_as(&declaration, name, r.rank, set)
    }

    /// The bounds that an allocatable gets to which the object is assigned.
    fn bounds_of(&mut self, object: &TExpr, text: &str) -> String {
        if let TExprKind::ComplexPart { base, .. } | TExprKind::Substring { base, .. } =
            &object.kind
            && base.rank == object.rank
        {
            // gfortran 12 takes `size(a%z%im, 1)` in ALLOCATE for a reference to what is allocated, and breaks off at `size(a(:)(2:), 1)`.
            let whole = self.with_edits(base.span, |p| p.repeated(|p| p.subscripts(base)));
            return self.bounds_of(base, &whole);
        }
        let whole = match &object.kind {
            TExprKind::Variable(_) => true,
            TExprKind::Component { base, .. } => base.rank == 0,
            _ => false,
        };
        let bounds: Vec<String> = (1..=object.rank)
            .map(|d| match whole {
                true => format!("{LBOUND}({text}, {d}):{UBOUND}({text}, {d})"),
                false => format!("{SIZE}({text}, {d})"),
            })
            .collect();
        bounds.join(", ")
    }

    fn hold_declared_as(
        &mut self,
        ty: &str,
        name: String,
        rank: i8,
        set: Vec<String>,
    ) -> Option<String> {
        let shape = match rank.max(0) as usize {
            0 => format!(" :: {name}"),
            n => format!(", allocatable :: {name}({})", vec![":"; n].join(",")),
        };
        self.unit.runtime = true;
        self.hold_variable(Held {
            declaration: format!("{ty}{shape}"),
            set,
            release: Vec::new(),
            end: None,
            at: None,
            name: name.clone(),
        });
        Some(name)
    }

    /// The type of a copy; None if an object cannot be copied by assignment, which is reported.
    fn described_copy_type(&mut self, object: &TExpr, sample: &Sample<'_>) -> Option<String> {
        let text = sample.text;
        let declared = match sample.ty {
            Type::Real(2) => Some(self.half_type()),
            ty if is_wide(ty) => None,
            Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_) => {
                Some(self.local_type(sample.ty))
            }
            Type::Character(_) if sample.any_length => {
                let of = self.repeated_text(object);
                Some(format!("character(len={LEN}({of}))"))
            }
            Type::Character(CharacterLength::Constant(_)) => Some(self.local_type(sample.ty)),
            Type::Character(CharacterLength::Other) => {
                Some(format!("character(len={LEN}({text}))"))
            }
            Type::Derived(t) if self.is_copied_whole(*t) => Some(self.local_type(sample.ty)),
            _ => None,
        };
        if self.held.is_none() || declared.is_none() || object.rank < 0 {
            self.undescribed(object.span);
            return None;
        }
        declared
    }

    /// Intrinsic assignment copies an object of the type and nothing else, and the end of a copy's life does nothing.
    fn is_copied_whole(&self, t: TypeId) -> bool {
        let allocates = |f: &Field| f.attrs.has(VarAttrs::ALLOCATABLE);
        !self.owners.finalizable(t)
            && !self.model.has_parameters(t)
            && !self
                .model
                .has_component(t, allocates, |f| !f.attrs.has(VarAttrs::POINTER))
    }

    /// Passes a polymorphic object to a VALUE dummy of a declared type by a copy of that type: gfortran 12 passes something else. False if
    /// it is not such an argument.
    pub(in crate::translation::host) fn polymorphic_value(
        &mut self,
        a: &TExpr,
        dummy: Option<SymbolId>,
    ) -> bool {
        let Some(v) = dummy.and_then(|d| self.model.variable(d)) else {
            return false;
        };
        let polymorphic = matches!(a.ty, Type::Class(_)) && matches!(v.ty, Type::Derived(_));
        if !v.attrs.has(VarAttrs::VALUE) || !polymorphic || self.held.is_none() {
            return false;
        }
        let sample = Sample {
            ty: &v.ty,
            text: "",
            any_length: false,
        };
        if let Some(name) = self.hold_declared(a, &sample) {
            self.edits.replace(Rule::HostTemporary, a.span, name);
        }
        true
    }

    /// `lhs = rhs` from device data to a host object that gfortran describes wrongly. False if it is not such a statement.
    pub(in crate::translation::host) fn assign_undescribed(
        &mut self,
        l: &TExpr,
        r: &TExpr,
    ) -> bool {
        let source = r.unparenthesised();
        if has_vector_subscript(l) || has_vector_subscript(source) {
            return false;
        }
        if !matches!(self.descriptor_fault(l), Some(Fault::Layout)) {
            return false;
        }
        if !source.is_designator() {
            // The runtime gives the value, which Fortran assigns.
            self.subscripts(l);
            self.value(r);
            return true;
        }
        let from = self.with_edits(source.span, |p| {
            p.whole_base(source);
            p.repeated(|p| p.subscripts(source));
        });
        let sample = Sample {
            ty: &source.ty,
            text: &from,
            any_length: false,
        };
        let Some(declaration) = self.described_copy_type(source, &sample) else {
            return true;
        };
        let name = self.held_name("value");
        let data = self.data_of(&source.ty);
        let at = self.address_argument(source, "src_at");
        let rank = source.rank.max(0);
        let mut set = Vec::new();
        if rank > 0 {
            let bounds = self.bounds_of(source, &from);
            set.push(format!("allocate({name}({bounds}))"));
            if self.whole_allocatable(l).is_none() && l.rank > 0 {
                let to = self.repeated_text(l);
                let differ: Vec<String> = (1..=rank)
                    .map(|d| format!("{SIZE}({to}, {d}) /= {SIZE}({name}, {d})"))
                    .collect();
                set.push(format!(
                    "if ({}) error stop 'assignment from a device variable: shapes differ'",
                    differ.join(" .or. ")
                ));
            }
        }
        set.push(format!("call {CUF}d2h({name}{data}, {from}{data}{at})"));
        self.hold_declared_as(&declaration, name.clone(), source.rank, set);
        self.repeated(|p| p.subscripts(l));
        self.edits.replace(Rule::HostTemporary, r.span, name);
        true
    }

    /// `u = number` to a CLASS(*) allocatable, for which gfortran 12 would call the runtime's assignment to halves, whose type has BIND(C):
    /// the object is allocated with the value. False if it is not such a statement.
    pub(in crate::translation::host) fn number_to_unlimited(
        &mut self,
        l: &TExpr,
        r: &TExpr,
    ) -> bool {
        let number = matches!(r.ty, Type::Integer(4 | 8) | Type::Real(4 | 8));
        if l.ty != Type::ClassStar || !number || self.whole_allocatable(l).is_none() {
            return false;
        }
        if self.held.is_none() || r.rank != 0 && r.rank != l.rank {
            return false;
        }
        let to = self.with_edits(l.span, |p| p.repeated(|p| p.subscripts(l)));
        let value = self.with_edits(r.span, |p| p.value(r));
        let name = self.held_name("value");
        let shape = match l.rank.max(0) as usize {
            0 => String::new(),
            n => format!("({})", vec![":"; n].join(",")),
        };
        // A scalar leaves an array the shape that it has.
        let bounds = match l.rank > 0 && r.rank == 0 {
            true => format!("({})", self.bounds_of(l, &to)),
            false => String::new(),
        };
        self.hold_variable(Held {
            declaration: format!("class(*), allocatable :: {name}{shape}"),
            set: vec![format!("allocate({name}{bounds}, source={value})")],
            release: Vec::new(),
            end: None,
            at: None,
            name: name.clone(),
        });
        let statement = Span {
            start: l.span.start,
            end: r.span.end,
        };
        let call = format!("call {MOVE_ALLOC}({name}, {to})");
        self.edits.replace(Rule::HostTemporary, statement, call);
        true
    }

    /// `a = pack(b, m)`: gfortran 12 allocates an array of structures for the result of an intrinsic function without setting the distance of the
    /// elements in its descriptor, by which transfers go. It does for an expression in parentheses.
    pub(in crate::translation::host) fn full_descriptor(&mut self, l: &TExpr, r: &TExpr) {
        let structures = l.rank > 0 && matches!(l.ty, Type::Derived(_) | Type::Class(_));
        let function = matches!(r.kind, TExprKind::Intrinsic { .. });
        if structures && function && r.rank > 0 && self.whole_allocatable(l) == Some(Space::Host) {
            self.edits
                .insert_first(Rule::HostTemporary, r.span.start, "(");
            self.edits.insert(Rule::HostTemporary, r.span.end, ")");
        }
    }

    /// Puts a copy of a CLASS(*) array of characters in the place of its name; `written`: and copies it back.
    pub(in crate::translation::host) fn index_text(&mut self, e: &TExpr, written: bool) {
        let Some((array, _)) = self.unlimited_text(e) else {
            return;
        };
        if self.held.is_none() {
            return self.undescribed(e.span);
        }
        let whole = self.slice(array.span).to_owned();
        let name = self.held_name(&whole);
        let bounds: Vec<String> = (1..=array.rank)
            .map(|d| format!("{LBOUND}({whole}, {d}):{UBOUND}({whole}, {d})"))
            .collect();
        let colons = vec![":"; array.rank as usize].join(",");
        self.hold_variable(Held {
            declaration: format!("character(len={LEN}({whole})), allocatable :: {name}({colons})"),
            set: vec![
                format!("allocate({name}({}))", bounds.join(", ")),
                format!("{name} = {whole}"),
            ],
            release: match written {
                true => vec![format!("{whole} = {name}")],
                false => Vec::new(),
            },
            end: None,
            at: None,
            name: name.clone(),
        });
        self.edits.replace(Rule::HostTemporary, array.span, name);
    }

    /// `, keyword=[address]` for a section whose descriptor has another address, or nothing.
    pub(in crate::translation::host) fn address_argument(
        &mut self,
        e: &TExpr,
        keyword: &str,
    ) -> String {
        let e = e.unparenthesised();
        if self.descriptor_fault(e) != Some(Fault::Base) || has_vector_subscript(e) {
            return String::new();
        }
        if self.held.is_none() {
            self.undescribed(e.span);
            return String::new();
        }
        let section = self.with_edits(e.span, |p| {
            p.whole_base(e);
            p.repeated(|p| p.subscripts(e));
        });
        let first = self.first_element(e);
        let first = self.element_of(e, first);
        let data = self.data_of(&e.ty);
        let stem = e.root().map_or("", |r| self.model[r].name.as_str());
        let name = self.held_name(&format!("{stem}_at"));
        self.unit.runtime = true;
        self.hold_variable(Held {
            declaration: format!("type({CUF}ptr) :: {name}"),
            set: vec![
                format!("{name} = {CUF}null"),
                format!("if ({SIZE}({section}) > 0) {name} = {CUF}address({first}{data})"),
            ],
            release: Vec::new(),
            end: None,
            at: None,
            name: name.clone(),
        });
        format!(", {keyword}=[{name}]")
    }

    /// Memory that a procedure of the CUDA API gets. It copies no elements of their own, so that the kind does not matter.
    pub(in crate::translation::host) fn api_memory(&mut self, a: &TExpr) {
        if a.rank == 0 || !a.is_designator() {
            return;
        }
        match self.descriptor_fault(a) {
            Some(Fault::Layout) if is_wide(&a.ty) => {}
            Some(Fault::Layout | Fault::Text) => self.undescribed(a.span),
            Some(Fault::Base) if self.held.is_some() => {
                let at = self.address_argument(a, "at");
                let section = self.repeated_text(a);
                let last = self.held.as_mut().and_then(|h| h.last_mut());
                if let Some(held) = last.filter(|_| !at.is_empty()) {
                    held.set.push(format!("call {CUF}described({section}{at})"));
                }
            }
            _ => {}
        }
    }

    /// Holds the value of SOURCE= for device data where the runtime cannot take it as it is; it stands for what is at that place.
    pub(in crate::translation::host) fn hold_source(
        &mut self,
        source: &TExpr,
        object: &TExpr,
        text: &str,
    ) {
        if self.is_device(source) || self.descriptor_fault(source).is_none() {
            return;
        }
        let sample = Sample {
            ty: &object.ty,
            text,
            any_length: true,
        };
        self.hold_declared(source, &sample);
        if let Some(held) = self.held.as_mut().and_then(|h| h.last_mut()) {
            held.at = Some(source.span);
        }
    }

    /// A value of a kind that the device does not have, as one of the kind of what it initialises.
    pub(in crate::translation::host) fn converted_initial(
        &mut self,
        value: &TExpr,
        text: String,
        to: &Type,
    ) -> String {
        match to {
            _ if !is_wide(&value.ty) => text,
            Type::Real(kind @ (4 | 8)) => format!("{REAL}({text}, {kind})"),
            Type::Integer(kind) => format!("{INT}({text}, {kind})"),
            _ => {
                self.undescribed(value.span);
                text
            }
        }
    }

    /// The first element of a section as text.
    fn first_element(&mut self, e: &TExpr) -> String {
        let Some(base) = e.base() else {
            return self.with_edits(e.span, |p| p.repeated(|p| p.subscripts(e)));
        };
        let array = self.first_element(base);
        let rest = Span {
            start: base.span.end,
            end: e.span.end,
        };
        match &e.kind {
            TExprKind::Index { subs, .. } => {
                let first: Vec<String> = subs
                    .iter()
                    .enumerate()
                    .map(|(i, s)| self.first_subscript(&array, i + 1, s))
                    .collect();
                format!("{array}({})", first.join(", "))
            }
            TExprKind::Substring { lo, hi, .. } => {
                let mut text = |x: &Option<Box<TExpr>>| {
                    let part = |x: &TExpr| self.with_edits(x.span, |p| p.subscript(x, true));
                    x.as_deref().map_or(String::new(), part)
                };
                let (lo, hi) = (text(lo), text(hi));
                format!("{array}({lo}:{hi})")
            }
            _ => self.element_of(base, array) + &join_lines(self.slice(rest)),
        }
    }

    /// The first element of an array that has no subscripts.
    fn element_of(&self, e: &TExpr, text: String) -> String {
        let part = match &e.kind {
            TExprKind::Variable(_) => true,
            TExprKind::Component { base, .. } => base.rank == 0,
            _ => false,
        };
        if !part || e.rank <= 0 {
            return text;
        }
        let first: Vec<String> = (1..=e.rank)
            .map(|d| format!("{LBOUND}({text}, {d})"))
            .collect();
        format!("{text}({})", first.join(", "))
    }

    fn first_subscript(&mut self, array: &str, d: usize, s: &Subscript) -> String {
        let mut text = |x: &TExpr| self.with_edits(x.span, |p| p.subscript(x, true));
        match s {
            Subscript::Element(x) | Subscript::Vector(x) => text(x),
            Subscript::Range { lo: Some(lo), .. } => text(lo),
            Subscript::Range { step: None, .. } => format!("{LBOUND}({array}, {d})"),
            Subscript::Range {
                step: Some(step), ..
            } => {
                let step = text(step);
                format!("{MERGE}({LBOUND}({array}, {d}), {UBOUND}({array}, {d}), {step} > 0)")
            }
        }
    }
}

/// A type that the host has and the device does not: the runtime converts nothing of it.
fn is_wide(ty: &Type) -> bool {
    match ty {
        Type::Real(k) | Type::Complex(k) => *k > 8,
        Type::Integer(k) | Type::Logical(k) => *k > 8,
        _ => false,
    }
}

/// Substrings of the elements of an array: gfortran 12 takes the element's length for theirs where the elements are parts of components,
/// and breaks off at some sections.
fn is_text_in_elements(e: &TExpr) -> bool {
    e.rank > 0 && matches!(e.kind, TExprKind::Substring { .. })
}

/// `%re` or `%im` of a component of the elements of an array, at which gfortran 12 breaks off in places.
fn is_part_of_component(e: &TExpr) -> bool {
    let TExprKind::ComplexPart { base, .. } = &e.kind else {
        return false;
    };
    e.rank > 0 && matches!(base.kind, TExprKind::Component { .. })
}

/// The elements are not evenly apart.
pub(in crate::translation::host) fn has_vector_subscript(a: &TExpr) -> bool {
    match &a.kind {
        TExprKind::Index { base, subs } => {
            subs.iter().any(|s| matches!(s, Subscript::Vector(_))) || has_vector_subscript(base)
        }
        TExprKind::Component { base, .. }
        | TExprKind::Substring { base, .. }
        | TExprKind::ComplexPart { base, .. } => has_vector_subscript(base),
        _ => false,
    }
}
