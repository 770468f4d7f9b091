//! Copies of structures that own device data made by ALLOCATE with SOURCE= and by assignment to a polymorphic allocatable:
//! the standard copies their allocatable components (F2018 9.7.1.2, 10.2.1.3), standard Fortran here only the pointers.

use super::Pass;
use crate::ast::{Allocate, Arg, Expr, Span};
use crate::sema::model::*;
use crate::sema::typed::*;

impl Pass<'_> {
    /// `allocate(x, source=s)` where a value of `s` owns device data: allocation with its type and shape, then the copy.
    /// False if it owns none.
    pub(super) fn allocate_owner(
        &mut self,
        a: &Allocate,
        objects: &[TExpr],
        source: &Arg,
        span: Span,
    ) -> bool {
        let s = self.expr(&source.value);
        // A polymorphic function result hands its data over.
        let given = matches!(s.ty, Type::Class(_)) && !s.is_designator();
        if given || self.copied_types(&s.ty).is_empty() || self.is_device(&s) {
            return false;
        }
        let from = self.value_text(&source.value);
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
            let name = self.designator_text(&o.object);
            // gfortran 12 takes the shape of SOURCE=, but not that of MOLD=.
            let shaped = match o.bounds {
                Some(_) => self.with_edits(o.span, |p| p.allocate_object(o)),
                None => format!("{name}{}", source_bounds(&from, &s)),
            };
            let Some(copy) = self.copy_into((&name, &shaped, &t.ty), (&from, &s), &options) else {
                self.unnamed_extension(source.value.span);
                return true;
            };
            match &stat {
                Some(stat) if copy.always => {
                    lines.push(copy.allocation);
                    lines.push(format!("if ({stat} == 0) then"));
                    lines.extend(copy.lines.into_iter().map(|l| format!("  {l}")));
                    lines.push("end if".to_owned());
                }
                _ => {
                    lines.push(copy.allocation);
                    lines.extend(copy.lines);
                }
            }
        }
        lines.retain(|l| !l.is_empty());
        self.edits.replace(
            span,
            lines.join(&format!("\n{}", self.indent_at(span.start))),
        );
        true
    }

    /// `c = s` of a polymorphic allocatable, which takes the type of `s`. False if no value of `s` owns device data, or it
    /// is a function result, which hands its data over.
    pub(super) fn polymorphic_assignment(
        &mut self,
        l: &TExpr,
        r: &TExpr,
        (lhs, rhs): (&Expr, &Expr),
        statement: Span,
    ) -> bool {
        let Type::Class(declared) = l.ty else {
            return false;
        };
        let source = super::assign::strip_parens(r);
        if !source.is_designator() || self.copied_types(&r.ty).is_empty() {
            return false;
        }
        let to = self.designator_text(lhs);
        let from = self.designator_text(rhs);
        let colons = match r.rank.max(0) {
            0 => String::new(),
            n => format!("({})", vec![":"; n as usize].join(",")),
        };
        let shaped = format!("cuf_value{}", source_bounds(&from, source));
        let value = ("cuf_value", shaped.as_str(), &l.ty);
        let copy = self.copy_into(value, (&from, source), "");
        let (Some(copy), Some(name)) = (copy, self.visible_type(declared)) else {
            self.unnamed_extension(r.span);
            return true;
        };
        let mut lines = vec![
            "block".to_owned(),
            format!("  class({name}), allocatable :: cuf_value{colons}"),
        ];
        lines.push(format!("  {}", copy.allocation));
        lines.extend(copy.lines.into_iter().map(|l| format!("  {l}")));
        lines.push(format!("  call move_alloc(cuf_value, {to})"));
        lines.push("end block".to_owned());
        lines.retain(|l| !l.trim().is_empty());
        let separator = format!("\n{}", self.indent_at(statement.start));
        self.edits.replace(statement, lines.join(&separator));
        true
    }

    /// A copy of a structure with a polymorphic allocatable component whose value may own device data: standard Fortran would
    /// copy pointers there. True if that was reported.
    pub(super) fn polymorphic_component(&mut self, ty: &Type, at: Span) -> bool {
        let Type::Derived(t) = *ty else {
            return false;
        };
        let Some(name) = self.polymorphic_owner(t, &mut Vec::new()) else {
            return false;
        };
        self.finding(
            "CUF0418",
            at,
            format!("the polymorphic component '{name}' may own device data, which this assignment would share: define the assignment, or copy the components"),
        );
        true
    }

    fn polymorphic_owner(&self, t: TypeId, seen: &mut Vec<TypeId>) -> Option<String> {
        if seen.contains(&t) {
            return None;
        }
        seen.push(t);
        let d = &self.model[t];
        if let Some(p) = d.parent
            && let Some(name) = self.polymorphic_owner(p, seen)
        {
            return Some(name);
        }
        d.components.iter().find_map(|f| match f.ty {
            _ if f.attrs.has(VarAttrs::POINTER) => None,
            Type::Class(c) => {
                (!self.extensions_with_device_data(c).is_empty()).then(|| f.spelling.clone())
            }
            Type::Derived(c) => self.polymorphic_owner(c, seen),
            _ => None,
        })
    }

    /// The types that a value of the declared type may have and that own device data.
    fn copied_types(&self, ty: &Type) -> Vec<TypeId> {
        match *ty {
            Type::Derived(t) if self.owns_device_data(t) => vec![t],
            Type::Class(t) => self.extensions_with_device_data(t),
            _ => Vec::new(),
        }
    }

    /// The type and its extensions that own device data, the extensions first.
    fn extensions_with_device_data(&self, t: TypeId) -> Vec<TypeId> {
        let model = self.model;
        let extends = |mut x: TypeId| {
            loop {
                if x == t {
                    return true;
                }
                match model[x].parent {
                    Some(p) => x = p,
                    None => return false,
                }
            }
        };
        (0..model.types.len() as u32)
            .map(TypeId)
            .filter(|x| self.owns_device_data(*x) && extends(*x))
            .collect()
    }

    /// The allocation of an object (its name, the name with bounds, its type) and the copy of a source to it. None if a type
    /// of the source has no name in this scope.
    fn copy_into(
        &mut self,
        (name, shaped, ty): (&str, &str, &Type),
        (from, source): (&str, &TExpr),
        options: &str,
    ) -> Option<Copy> {
        let mold = |shape: &str, from: &str| format!("allocate({shape}, mold={from}{options})");
        match (source.ty.clone(), ty) {
            (Type::Derived(s), Type::Class(_)) => {
                let (of, copy) = (self.visible_type(s)?, self.helper("copy", s));
                Some(Copy {
                    allocation: mold(shaped, from),
                    lines: typed_copy(name, from, &of, &copy).into(),
                    always: true,
                })
            }
            (Type::Derived(s), _) => Some(Copy {
                allocation: mold(shaped, from),
                lines: vec![format!("call {}({name}, {from})", self.helper("copy", s))],
                always: true,
            }),
            (Type::Class(_), Type::Derived(t)) => Some(Copy {
                allocation: mold(shaped, from),
                lines: vec![format!("call {}({name}, {from})", self.helper("copy", *t))],
                always: true,
            }),
            (Type::Class(s), _) => {
                let mut lines = vec![format!("select type (cuf_from => {from})")];
                for t in self.extensions_with_device_data(s) {
                    let (of, copy) = (self.visible_type(t)?, self.helper("copy", t));
                    lines.push(format!("type is ({of})"));
                    lines.push(format!("  {}", mold(shaped, "cuf_from")));
                    let copied = typed_copy(name, "cuf_from", &of, &copy);
                    lines.extend(copied.into_iter().map(|l| format!("  {l}")));
                }
                lines.push("class default".to_owned());
                lines.push(format!("  allocate({shaped}, source={from}{options})"));
                lines.push("end select".to_owned());
                Some(Copy {
                    allocation: String::new(),
                    lines,
                    always: false,
                })
            }
            _ => None,
        }
    }

    fn unnamed_extension(&mut self, at: Span) {
        self.finding(
            "CUF0418",
            at,
            "the value may be of a type with allocatable device components that has no name here: use its module, or copy the components",
        );
    }
}

/// The statements of a copy.
struct Copy {
    /// ALLOCATE before the others; empty if they hold it.
    allocation: String,
    lines: Vec<String>,
    /// The lines are for the case that the allocation succeeded.
    always: bool,
}

/// The bounds that an array allocated like the source has, in parentheses.
fn source_bounds(from: &str, source: &TExpr) -> String {
    let bounds: Vec<String> = (1..=source.rank)
        .map(|d| match source.is_designator() {
            true => format!("lbound({from}, {d}):ubound({from}, {d})"),
            false => format!("size({from}, {d})"),
        })
        .collect();
    match bounds.is_empty() {
        true => String::new(),
        false => format!("({})", bounds.join(", ")),
    }
}

/// Copies to a polymorphic object that has the dynamic type `of`.
fn typed_copy(to: &str, from: &str, of: &str, copy: &str) -> [String; 4] {
    [
        format!("select type (cuf_to => {to})"),
        format!("type is ({of})"),
        format!("  call {copy}(cuf_to, {from})"),
        "end select".to_owned(),
    ]
}
