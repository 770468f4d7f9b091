//! Copies of structures that own device data made by ALLOCATE with SOURCE= and by assignment to a polymorphic allocatable:
//! the standard copies their allocatable components (F2018 9.7.1.2, 10.2.1.3), standard Fortran here only the pointers.

use crate::ast::{Allocate, Arg, Span};
use crate::host::context::names::SIZE;
use crate::host::context::names::{ALLOCATED, FROM};
use crate::host::context::rules::Values;
use crate::host::context::{Held, HostRewriter};
use crate::host::lifetime::calls::{bounds_of, indented, select_type};
use crate::host::lifetime::types::Dispatch;
use crate::host::temporaries::copy_in::has_vector_subscript;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// The statements of an allocation with a copy.
pub(super) struct Copy {
    /// ALLOCATE before the others; None if they hold it.
    pub allocation: Option<String>,
    pub lines: Vec<String>,
}

impl HostRewriter<'_> {
    /// Reports a copy of a structure with a CLASS(*) component, whose value may be of any owner type: standard Fortran would copy
    /// pointers there.
    pub(in crate::translation::host) fn unlimited_component(
        &mut self,
        ty: &Type,
        at: Span,
    ) -> bool {
        let (Type::Derived(t) | Type::Class(t)) = *ty else {
            return false;
        };
        if !self.owners.may_own(&Type::ClassStar) {
            return false;
        }
        let mut types = match ty {
            Type::Class(_) => self.owners.family(t),
            _ => vec![t],
        };
        let mut k = 0;
        while let Some(t) = types.get(k).copied() {
            k += 1;
            for f in self.model.components_of(t) {
                if f.attrs.has(VarAttrs::POINTER) {
                    continue;
                }
                let more = match f.ty {
                    Type::ClassStar => {
                        self.finding(
                            "CUF0418",
                            at,
                            format!("unlimited polymorphic component `{}` may own device data, which this copy would share\nhelp: declare it with a type, or copy the components", f.spelling),
                        );
                        return true;
                    }
                    Type::Derived(c) => vec![c],
                    Type::Class(c) => self.owners.family(c),
                    _ => Vec::new(),
                };
                for c in more {
                    if !types.contains(&c) {
                        types.push(c);
                    }
                }
            }
        }
        false
    }

    /// `allocate(x, source=s)` where a value of `s` may own device data: allocation with its type and shape, then the copy.
    /// False if it owns none.
    pub(in crate::translation::host) fn allocate_owner(
        &mut self,
        a: &Allocate,
        objects: &[TExpr],
        source: &Arg,
        span: Span,
    ) -> bool {
        let s = self.expr(&source.value);
        if s.is_designator() && self.unlimited_component(&s.ty, source.value.span) {
            return true;
        }
        if !self.owners.may_own(&s.ty) || self.is_device(&s) {
            return false;
        }
        let s = s.unparenthesised();
        let from = self.lent_text(s);
        let mut stat = None;
        let mut options = String::new();
        for o in &a.options {
            let word = o.keyword.as_ref().map_or("", |k| k.text.as_str());
            match word {
                "stat" => stat = Some(self.slice(o.value.span).to_owned()),
                "source" => continue,
                _ => {}
            }
            options.push_str(&format!(", {}", self.slice(o.span)));
        }
        let mut lines = Vec::new();
        for (o, t) in a.objects.iter().zip(objects) {
            let name = self.repeated_text(t);
            // gfortran 12 takes the shape of SOURCE=, but not that of MOLD=.
            let shaped = match o.bounds {
                Some(_) => self.with_edits(o.span, |p| p.repeated(|p| p.allocate_object(o))),
                None => format!("{name}{}", source_bounds(&from, s)),
            };
            let copy = self.allocated_copy(
                (&name, &shaped, &t.ty),
                (&from, &s.ty),
                &options,
                source.value.span,
            );
            match (&stat, copy.allocation) {
                (Some(stat), Some(allocation)) => {
                    lines.push(allocation);
                    lines.push(format!("if ({stat} == 0) then"));
                    lines.extend(indented(&copy.lines));
                    lines.push("end if".to_owned());
                }
                (_, allocation) => {
                    lines.extend(allocation);
                    lines.extend(copy.lines);
                }
            }
        }
        self.edits.replace(
            Rule::Owner,
            span,
            lines.join(&format!("\n{}", self.indent_at(span.start))),
        );
        true
    }

    /// The allocation of an object (its name, the name with bounds, its type) and the copy of a source to it.
    pub(super) fn allocated_copy(
        &mut self,
        (name, shaped, ty): (&str, &str, &Type),
        (from, source): (&str, &Type),
        options: &str,
        at: Span,
    ) -> Copy {
        let mold = |from: &str| format!("allocate({shaped}, mold={from}{options})");
        let types = match self.dispatch(source) {
            Some(Dispatch::Select(types)) => types,
            _ => {
                return Copy {
                    allocation: Some(mold(from)),
                    lines: self.copy_value((name, ty), (from, source)),
                };
            }
        };
        if *source == Type::ClassStar {
            let owns = |t: &TypeId| self.owners.owns_device_data(*t) && !self.model[*t].is_abstract;
            let all = (0..self.model.types.len() as u32)
                .map(TypeId)
                .filter(owns)
                .count();
            if types.len() < all {
                self.unreachable_owner(at);
            }
        }
        let mut cases = Vec::new();
        for t in types {
            let mut lines = vec![mold(FROM)];
            lines.extend(self.copy_value((name, ty), (FROM, &Type::Derived(t))));
            cases.push((self.type_here(t), lines));
        }
        let mut lines = select_type(FROM, from, &cases);
        let end = lines.len().saturating_sub(1);
        let default = [
            "class default".to_owned(),
            format!("  allocate({shaped}, source={from}{options})"),
        ];
        lines.splice(end..end, default);
        Copy {
            allocation: None,
            lines,
        }
    }

    /// `(x)` of a structure that owns device data: a value of its own, which a procedure cannot change through `x` (gfortran 12 copies
    /// descriptors only). The statement holds a copy.
    pub(in crate::translation::host) fn hold_copy(&mut self, e: &TExpr, x: &TExpr) {
        if self.held.is_none() {
            self.finding(
                "CUF0423",
                e.span,
                "parenthesized structure owns device data, and no temporary can be created here\nhelp: assign it to a variable first",
            );
            return;
        }
        let from = self.lent_text(x);
        let stem = x.root().map_or("", |r| self.model[r].name.as_str());
        let name = self.held_name(stem);
        let colons = match x.rank.max(0) {
            0 => String::new(),
            n => format!("({})", vec![":"; n as usize].join(",")),
        };
        let shaped = format!("{name}{}", source_bounds(&from, x));
        let copy = self.allocated_copy((&name, &shaped, &e.ty), (&from, &x.ty), "", e.span);
        let mut set: Vec<String> = copy.allocation.into_iter().collect();
        set.extend(copy.lines);
        let declaration = format!(
            "{}, allocatable :: {name}{colons}",
            self.owner_type_text(&e.ty)
        );
        let release = self.finish(&name, &e.ty, e.rank, Some(ALLOCATED));
        self.hold_variable(Held {
            declaration,
            set,
            release,
            end: None,
            at: None,
            name: name.clone(),
        });
        self.edits.replace(Rule::Owner, e.span, name);
    }

    /// The text of a value whose data stays where it is; a function result is held until the statement ends.
    pub(super) fn lent_text(&mut self, source: &TExpr) -> String {
        self.with_edits(source.span, |p| {
            if source.is_designator() {
                p.repeated(|p| p.subscripts(source));
            } else if !p.hold_pointer(source) {
                p.value(source);
            }
        })
    }
}

/// The bounds that an array allocated like the source has, in parentheses.
pub(super) fn source_bounds(from: &str, source: &TExpr) -> String {
    let rank = source.rank.max(0) as usize;
    // gfortran 12 makes a copy of elements by a vector subscript to ask for bounds, and does not free its components.
    if source.is_designator() && !has_vector_subscript(source) {
        return bounds_of(from, rank);
    }
    let sizes: Vec<String> = (1..=rank).map(|d| format!("{SIZE}({from}, {d})")).collect();
    match sizes.is_empty() {
        true => String::new(),
        false => format!("({})", sizes.join(", ")),
    }
}
