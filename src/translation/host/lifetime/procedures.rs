//! The generated procedures of a type that owns device data. Fortran's rules for allocatable components (copies are deep, the
//! end of the owner's life frees them; F2018 7.5.6, 9.7.3.2, 10.2.1.3, decision 22) are kept by `cuf_release_<type>`,
//! `cuf_copy_<type>` and `cuf_move_<type>`; those of FINAL by `cuf_final_<type>` (7.5.6.2, decision 130).

use super::templates::{
    Copied, Copy, CopyExtension, Freed, Move, MoveComponents, Moved, Release, Reset, Start, Value,
};
use crate::ast::{ProgramUnit, Span, UnitKind};
use crate::host::context::HostRewriter;
use crate::host::context::edit::wrap_line;
use crate::host::context::generated;
use crate::host::context::names::{ALLOCATED, D2D, FROM, LBOUND, NEW, PINNED, TO, UBOUND, X};
use crate::host::context::storage::BoundsText;
use crate::host::lifetime::calls::{bounds_of, guarded};
use crate::host::lifetime::types::{Part, became_pointer};
use crate::map::Rule;
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// The generated procedures of the types that a unit declares, for its CONTAINS part, and their names.
    pub(in crate::translation::host) fn owner_procedures(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) -> (String, Vec<String>) {
        let model = self.model;
        let mut text = String::new();
        let mut names = Vec::new();
        let types: Vec<TypeId> = (model.types_of(self.file).iter().copied())
            .filter(|t| {
                let takes_part = self.owners.owns_device_data(*t) || self.owners.has_bindings(*t);
                !model[*t].external && self.owners.home(*t) == scope && takes_part
            })
            .collect();
        for t in types {
            self.unit.runtime = true;
            let indent = self.indent_at(unit.end.start) + "  ";
            let mut procedures: Vec<(String, Vec<String>)> = Vec::new();
            if self.owners.owns_device_data(t) {
                let itself = self.owners.contains_itself(t);
                let concrete = !self.model[t].is_abstract;
                self.if_called("release", t, &mut procedures, Self::release_procedure);
                let copy = match itself && concrete {
                    true => Self::copy_by_components,
                    false => Self::copy_procedure,
                };
                self.if_called("copy", t, &mut procedures, copy);
                if concrete {
                    let give = match itself {
                        true => Self::move_by_components,
                        false => Self::move_procedure,
                    };
                    self.if_called("move", t, &mut procedures, give);
                }
                if self.assigned_by_user(t) && concrete {
                    self.if_called("reset", t, &mut procedures, |p, t| p.reset_procedure(t));
                }
                procedures.extend(self.final_procedures(t));
            }
            procedures.extend(self.bound_procedures(t));
            for (verb, lines) in procedures {
                names.push(self.owners.helper_name(&verb, t));
                text.push('\n');
                for l in lines {
                    text.push_str(&wrap_line(&format!("{indent}{l}")));
                    text.push('\n');
                }
            }
        }
        (text, names)
    }

    /// Adds a procedure of a type, unless nothing calls it.
    fn if_called(
        &mut self,
        verb: &str,
        t: TypeId,
        procedures: &mut Vec<(String, Vec<String>)>,
        make: impl Fn(&mut Self, TypeId) -> Vec<String>,
    ) {
        let name = self.owners.helper_name(verb, t);
        if self.needless.contains(&name) {
            return;
        }
        let others = std::mem::take(&mut self.helpers.called);
        procedures.push((verb.to_owned(), make(self, t)));
        let called = std::mem::replace(&mut self.helpers.called, others);
        self.helpers.made.insert(name, called);
    }

    /// Statements for intrinsic assignment, `to = from` with the pointers as they are.
    fn plain_assignment(&self, t: TypeId, to: &str, from: &str) -> Vec<String> {
        if !self.assigned_by_user(t) {
            return vec![format!("{to} = {from}")];
        }
        let parent = match self.model[t].parent {
            Some(p) if self.model[p].is_abstract => self.component_assignments(p, to, from),
            Some(_) => {
                let name = &self.model[t].parent_name;
                vec![format!("{to}%{name} = {from}%{name}")]
            }
            None => Vec::new(),
        };
        let own = self.own_assignments(t, to, from);
        parent.into_iter().chain(own).collect()
    }

    /// Assignments of all components of an abstract type.
    fn component_assignments(&self, t: TypeId, to: &str, from: &str) -> Vec<String> {
        let parent = self.model[t].parent;
        let mut lines = parent.map_or_else(Vec::new, |p| self.component_assignments(p, to, from));
        lines.extend(self.own_assignments(t, to, from));
        lines
    }

    fn own_assignments(&self, t: TypeId, to: &str, from: &str) -> Vec<String> {
        let components = self.model[t].components.iter().map(|f| {
            let arrow = if became_pointer(f) || f.attrs.has(VarAttrs::POINTER) {
                "=>"
            } else {
                "="
            };
            format!("{to}%{0} {arrow} {from}%{0}", f.spelling)
        });
        components.collect()
    }

    /// Gives the components their initial values, for a type whose assignment is the user's.
    fn reset_procedure(&self, t: TypeId) -> Vec<String> {
        generated::lines(&Reset {
            of: self.of(t, "reset"),
        })
    }

    fn release_procedure(&mut self, t: TypeId) -> Vec<String> {
        let mut parts = Vec::new();
        if let Some(p) = self.owners.owning_parent(t) {
            parts.push(Freed::By {
                procedure: self.helper("release", p),
                object: self.owners.parent_object(t, p, X),
                allocatable: false,
            });
        }
        for (f, part) in self.owners.parts(t) {
            let object = format!("{X}%{}", f.spelling);
            parts.push(match part {
                Part::Pointer(_) => Freed::Statements(vec![self.release_text(&object, &f.ty)]),
                Part::Structure(inner, allocatable) => Freed::By {
                    procedure: self.helper("release", inner),
                    object,
                    allocatable,
                },
                Part::Class(_) => {
                    let free = self.free(&object, &f.ty);
                    Freed::Statements(guarded(Some(ALLOCATED), &object, free))
                }
            });
        }
        let value = if self.model[t].is_abstract {
            Value::OfExtension
        } else if self.assigned_by_user(t) {
            Value::Reset(self.helper("reset", t))
        } else {
            Value::Fresh
        };
        let of = self.of(t, "release");
        generated::lines(&Release { of, parts, value })
    }

    fn copy_procedure(&mut self, t: TypeId) -> Vec<String> {
        let is_abstract = self.model[t].is_abstract;
        let new = if is_abstract { TO } else { NEW };
        let mut parts = Vec::new();
        if !is_abstract {
            parts.push(Copied::Statements(self.plain_assignment(t, NEW, FROM)));
        }
        if let Some(p) = self.owners.owning_parent(t) {
            let (to, from) = (
                self.owners.parent_object(t, p, new),
                self.owners.parent_object(t, p, FROM),
            );
            if self.model[p].is_abstract {
                let copy = self.helper("copy", p);
                let bounds = None;
                parts.push(Copied::Structure {
                    to,
                    from: FROM.to_owned(),
                    bounds,
                    copy,
                });
            } else {
                parts.push(self.copied_part(to, from, p, false));
            }
        }
        for (f, part) in self.owners.parts(t) {
            let (to, from) = of_both(new, f);
            parts.push(match part {
                Part::Pointer(space) => self.copied_pointer(to, from, f, space),
                Part::Structure(inner, allocatable) => {
                    self.copied_part(to, from, inner, allocatable)
                }
                Part::Class(_) => {
                    let bounds = bounds_of(&from, f.dims.len());
                    let mut copy = vec![
                        format!("if ({ALLOCATED}({to})) deallocate({to})"),
                        format!("allocate({to}{bounds}, mold={from})"),
                    ];
                    copy.extend(self.copy_value((&to, &f.ty), (&from, &f.ty)));
                    Copied::Statements(guarded(Some(ALLOCATED), &from, copy))
                }
            });
        }
        let of = self.of(t, "copy");
        if is_abstract {
            return generated::lines(&CopyExtension { of, parts });
        }
        let release = self.helper("release", t);
        let result = self.plain_assignment(t, TO, NEW);
        generated::lines(&Copy {
            of,
            parts,
            release,
            result,
        })
    }

    /// A component that became a pointer gets memory of its own with what that of another value has.
    fn copied_pointer(&mut self, to: String, from: String, f: &Field, space: &str) -> Copied {
        let each = |q: &str| {
            (1..=f.dims.len())
                .map(|d| format!("{q}({from}, {d})"))
                .collect()
        };
        let bounds = BoundsText {
            upper: each(UBOUND),
            lower: each(LBOUND),
            wide: false,
        };
        Copied::Pointer {
            allocate: self.allocate_text(&to, &f.ty, &bounds, space, ""),
            // A value of the type may have device data where the component is managed.
            copy: match space == PINNED {
                true => format!("{to} = {from}"),
                false => self.copy_text(D2D, &to, &f.ty, (&from, None)),
            },
            to,
            from,
        }
    }

    fn move_procedure(&mut self, t: TypeId) -> Vec<String> {
        generated::lines(&Move {
            of: self.of(t, "move"),
            value: self.plain_assignment(t, NEW, FROM),
            release: self.helper("release", t),
            result: self.plain_assignment(t, TO, NEW),
        })
    }

    /// A part of the new value that still shares its data with the part `from`.
    fn copied_part(&mut self, to: String, from: String, part: TypeId, allocatable: bool) -> Copied {
        let start = if self.assigned_by_user(part) {
            Start::Reset(self.helper("reset", part))
        } else {
            Start::Fresh(self.type_here(part))
        };
        Copied::Anew {
            to,
            from,
            start,
            copy: self.helper("copy", part),
            allocatable,
        }
    }

    /// The copy of a type that contains itself: gfortran 12 copies the descriptors of such allocatable components only (measured).
    fn copy_by_components(&mut self, t: TypeId) -> Vec<String> {
        let mut parts = vec![Copied::Statements(self.parent_part("copy", t, NEW, FROM))];
        for f in &self.model[t].components {
            let (to, from) = of_both(NEW, f);
            let bounds = bounds_of(&from, f.dims.len());
            parts.push(match self.owners.part(f) {
                Some(Part::Pointer(space)) => self.copied_pointer(to, from, f, space),
                Some(Part::Structure(inner, allocatable)) => Copied::Structure {
                    to,
                    from,
                    bounds: allocatable.then_some(bounds),
                    copy: self.helper("copy", inner),
                },
                Some(Part::Class(_)) => {
                    let mut copy = vec![format!("allocate({to}{bounds}, mold={from})")];
                    copy.extend(self.copy_value((&to, &f.ty), (&from, &f.ty)));
                    Copied::Statements(guarded(Some(ALLOCATED), &from, copy))
                }
                None if f.attrs.has(VarAttrs::POINTER) => Copied::Target { to, from },
                None if f.attrs.has(VarAttrs::ALLOCATABLE) => {
                    Copied::Allocatable { to, from, bounds }
                }
                None => Copied::Value { to, from },
            });
        }
        let give = self.helper("move", t);
        generated::lines(&Copy {
            of: self.of(t, "copy"),
            parts,
            release: self.helper("release", t),
            result: vec![format!("call {give}({TO}, {NEW})")],
        })
    }

    fn move_by_components(&mut self, t: TypeId) -> Vec<String> {
        let mut parts = vec![Moved::Statements(self.parent_part("move", t, TO, FROM))];
        for f in &self.model[t].components {
            let (to, from) = of_both(TO, f);
            parts.push(match self.owners.part(f) {
                Some(Part::Pointer(_)) => Moved::Pointer { to, from },
                _ if f.attrs.has(VarAttrs::ALLOCATABLE) => Moved::Allocatable { to, from },
                Some(Part::Structure(inner, _)) => Moved::Structure {
                    to,
                    from,
                    procedure: self.helper("move", inner),
                },
                _ if f.attrs.has(VarAttrs::POINTER) => Moved::Target { to, from },
                _ => Moved::Value { to, from },
            });
        }
        generated::lines(&MoveComponents {
            of: self.of(t, "move"),
            release: self.helper("release", t),
            parts,
        })
    }

    /// The copy or hand-over of the parent component.
    fn parent_part(&mut self, verb: &str, t: TypeId, to: &str, from: &str) -> Vec<String> {
        let Some(p) = self.model[t].parent else {
            return Vec::new();
        };
        let parent = self.model[t].parent_name.clone();
        if self.model[p].is_abstract {
            let mut lines = self.component_assignments(p, to, from);
            if verb == "copy" && self.owners.owns_device_data(p) {
                lines.push(format!("call {}({to}, {from})", self.helper("copy", p)));
            }
            return lines;
        }
        vec![if self.owners.owns_device_data(p) {
            format!(
                "call {}({to}%{parent}, {from}%{parent})",
                self.helper(verb, p)
            )
        } else {
            format!("{to}%{parent} = {from}%{parent}")
        }]
    }

    /// Appends generated procedures to a unit and makes them public.
    pub(in crate::translation::host) fn append_procedures(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
        text: &str,
        names: &[String],
    ) {
        if text.is_empty() {
            return;
        }
        let indent = self.indent_at(unit.end.start);
        let at = self.line_start(unit.end.start);
        let head = if unit.contains.is_none() {
            format!("{indent}contains\n")
        } else {
            String::new()
        };
        let before = self.slice(Span {
            start: at,
            end: unit.end.start,
        });
        if let Some(statement) = before.trim_end().strip_suffix(';') {
            // The END statement goes to a line of its own.
            self.end_line(at + statement.len() as u32);
            let text = format!("{head}{text}");
            self.edits.insert(
                Rule::Owner,
                unit.end.start,
                format!("{}{indent}", text.trim_start()),
            );
        } else {
            self.edits.insert(Rule::Owner, at, head + text);
        }
        let module = matches!(unit.kind, UnitKind::Module | UnitKind::Submodule { .. });
        if module && self.model[scope].default_private {
            let public = format!("{indent}  public :: {}\n", names.join(", "));
            self.end_specification(unit, &public);
        }
    }

    /// Puts lines at the end of a unit's specification part, before a CONTAINS that comes with generated procedures.
    pub(in crate::translation::host) fn end_specification(
        &mut self,
        unit: &ProgramUnit,
        lines: &str,
    ) {
        let place = unit.spec.last().map_or(unit.header.end, |d| d.span.end);
        self.end_line(place);
        let at = self.line_end(place);
        let alone = self.slice(Span {
            start: place,
            end: at,
        });
        if alone.trim_start().starts_with(';') {
            self.edits
                .insert(Rule::Owner, place, format!("\n{}", lines.trim_end()));
        } else {
            self.edits.insert_first(Rule::Owner, at, lines);
        }
    }
}

/// A component of the value that is made and of the one that it is made from.
fn of_both(to: &str, f: &Field) -> (String, String) {
    (
        format!("{to}%{}", f.spelling),
        format!("{FROM}%{}", f.spelling),
    )
}
