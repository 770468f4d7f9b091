//! The generated procedures of a type that owns device data. Fortran's rules for allocatable components (copies are deep, the
//! end of the owner's life frees them; F2018 7.5.6, 9.7.3.2, 10.2.1.3, decision 22) are kept by `cuf_release_<type>`,
//! `cuf_copy_<type>` and `cuf_move_<type>`; those of FINAL by `cuf_final_<type>` (7.5.6.2, decision 130).

use super::super::names::{
    ALLOCATED, ASSOCIATED, CUF, FROM, LBOUND, MOVE_ALLOC, NEW, PINNED, TO, UBOUND, X,
};
use super::{Part, bounds_of, guarded, indented};
use crate::ast::{ProgramUnit, Span, UnitKind};
use crate::host::Pass;
use crate::host::alloc::{BoundsText, allocation_space};
use crate::host::edit::wrap_line;
use crate::sema::model::*;

impl Pass<'_> {
    /// The generated procedures of the types that a unit declares, for its CONTAINS part, and their names.
    pub(in crate::host) fn owner_procedures(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) -> (String, Vec<String>) {
        let model = self.model;
        let mut text = String::new();
        let mut names = Vec::new();
        let types: Vec<TypeId> = (0..model.types.len() as u32)
            .map(TypeId)
            .filter(|t| {
                let takes_part = self.owns_device_data(*t) || self.has_bindings(*t);
                !model[*t].external && self.home(*t) == scope && takes_part
            })
            .collect();
        for t in types {
            self.unit.runtime = true;
            let indent = self.indent_at(unit.end.start) + "  ";
            let mut procedures: Vec<(String, Vec<String>)> = Vec::new();
            let mut add = |verb: &str, lines| procedures.push((verb.to_owned(), lines));
            if self.owns_device_data(t) {
                add("release", self.release_procedure(t));
                if self.contains_itself(t) && !model[t].is_abstract {
                    add("copy", self.copy_by_components(t));
                    add("move", self.move_by_components(t));
                } else {
                    add("copy", self.copy_procedure(t));
                    if !model[t].is_abstract {
                        add("move", self.move_procedure(t));
                    }
                }
                if self.assigned_by_user(t) && !model[t].is_abstract {
                    add("reset", self.reset_procedure(t));
                }
                procedures.extend(self.final_procedures(t));
            }
            procedures.extend(self.bound_procedures(t));
            for (verb, lines) in procedures {
                names.push(self.helper_name(&verb, t));
                text.push('\n');
                for l in lines {
                    text.push_str(&wrap_line(&format!("{indent}{l}")));
                    text.push('\n');
                }
            }
        }
        (text, names)
    }

    /// Reports a type that owns device data where procedures of the type cannot stand beside it.
    pub(super) fn check_home(&mut self, t: TypeId, at: Span) {
        if !self.owns_device_data(t) {
            return;
        }
        let home = self.home(t);
        let parent = self.model[home].parent.map(|p| self.model[p].kind);
        let inside = matches!(parent, Some(ScopeKind::Program | ScopeKind::Procedure));
        if inside
            || !matches!(
                self.model[home].kind,
                ScopeKind::Module
                    | ScopeKind::Submodule
                    | ScopeKind::Program
                    | ScopeKind::Procedure
            )
        {
            self.finding(
                "CUF0414",
                at,
                "a type with allocatable device components inside an internal procedure: move it to the module or program around it",
            );
        } else if self.is_internal(t) && self.has_bindings(t) {
            self.finding(
                "CUF0414",
                at,
                "an extension of a module's type, where the type or an extension has allocatable device components, outside of modules, where no procedure can be bound to it: move it to a module",
            );
        }
    }

    fn head(&self, t: TypeId, verb: &str, dummies: &str) -> String {
        // Only a type that contains itself needs more than the plain prefix.
        let recursive = self.contains_itself(t);
        let prefix = if recursive { "recursive " } else { "" };
        format!(
            "{prefix}impure elemental subroutine {}({dummies})",
            self.helper_name(verb, t)
        )
    }

    /// A value of the type may have another one of it inside.
    pub(super) fn contains_itself(&self, t: TypeId) -> bool {
        let mut seen = Vec::new();
        let mut todo = vec![t];
        while let Some(at) = todo.pop() {
            for (_, part) in self.parts(at) {
                let inside = match part {
                    Part::Pointer(_) => Vec::new(),
                    Part::Structure(c, _) => vec![c],
                    Part::Class(c) => self.family(c),
                };
                for mut c in inside {
                    // Procedures of parents are called, too.
                    loop {
                        if c == t {
                            return true;
                        }
                        if !seen.contains(&c) {
                            seen.push(c);
                            todo.push(c);
                        }
                        match self.owning_parent(c) {
                            Some(p) => c = p,
                            None => break,
                        }
                    }
                }
            }
        }
        false
    }

    /// A user's ASSIGNMENT(=) for two values of the type is known where the generated procedures stand: `a = b` would mean it.
    pub(in crate::host) fn assigned_by_user(&self, t: TypeId) -> bool {
        let bound = self.model[t]
            .bindings
            .iter()
            .any(|(n, _)| n.starts_with("assignment"));
        let generic = self.model.lookup(self.home(t), "assignment(=)");
        let specifics = match generic.map(|g| &self.model[g].kind) {
            Some(SymbolKind::Generic(g)) => &g.specifics[..],
            _ => &[],
        };
        let takes_two = |s: &SymbolId| {
            let dummies = self.dummies(*s);
            dummies.len() == 2
                && dummies.iter().all(|d| {
                    d.and_then(|d| self.model.variable(d)).is_some_and(
                        |v| matches!(v.ty, Type::Derived(x) | Type::Class(x) if x == t),
                    )
                })
        };
        bound || specifics.iter().any(takes_two)
    }

    /// Statements for intrinsic assignment, `to = from` with the pointers as they are.
    fn plain_assignment(&self, t: TypeId, to: &str, from: &str) -> Vec<String> {
        if !self.assigned_by_user(t) {
            return vec![format!("  {to} = {from}")];
        }
        let parent = match self.model[t].parent {
            Some(p) if self.model[p].is_abstract => self.component_assignments(p, to, from),
            Some(_) => {
                let name = &self.model[t].parent_name;
                vec![format!("  {to}%{name} = {from}%{name}")]
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
            format!("  {to}%{0} {arrow} {from}%{0}", f.spelling)
        });
        components.collect()
    }

    /// Gives the components their initial values, for a type whose assignment is the user's.
    fn reset_procedure(&self, t: TypeId) -> Vec<String> {
        let name = &self.model[t].name;
        vec![
            format!("!> Gives a {name} its initial value."),
            self.head(t, "reset", X),
            format!("  type({name}), intent(out) :: {CUF}x"),
            format!("end subroutine {}", self.helper_name("reset", t)),
        ]
    }

    fn release_procedure(&mut self, t: TypeId) -> Vec<String> {
        let name = self.model[t].name.clone();
        let mut lines = vec![
            format!("!> Frees the device data of a {name} and gives it its initial value."),
            self.head(t, "release", X),
            format!("  type({name}), intent(inout) :: {CUF}x"),
        ];
        let is_abstract = self.model[t].is_abstract;
        let own = self.assigned_by_user(t);
        if is_abstract {
            // For the extensions, which give their values to all components.
            lines[0] = format!("!> Frees the device data of a {name}.");
            lines[2] = format!("  class({name}), intent(inout) :: {CUF}x");
        } else if !own {
            lines.push(format!("  type({name}) :: {CUF}fresh"));
        }
        let declared = lines.len();
        lines.extend(self.parent_call("release", t, X));
        for (f, part) in self.parts(t) {
            let path = format!("{CUF}x%{}", f.spelling);
            match part {
                Part::Pointer(_) => lines.push(format!("  {}", self.release_text(&path, &f.ty))),
                Part::Structure(inner, allocatable) => {
                    let guard = guard(allocatable, &path);
                    let callee = self.helper("release", inner);
                    lines.push(format!("  {guard}call {callee}({path})"));
                }
                Part::Class(_) => {
                    let free = self.free(&path, &f.ty);
                    lines.extend(indented(&guarded(Some(ALLOCATED), &path, free)));
                }
            }
        }
        if !is_abstract {
            lines.push(if own {
                format!("  call {}({CUF}x)", self.helper_name("reset", t))
            } else {
                format!("  {CUF}x = {CUF}fresh")
            });
        }
        if lines.len() == declared {
            lines.extend(indented(&unused(X)));
        }
        lines.push(format!("end subroutine {}", self.helper_name("release", t)));
        lines
    }

    fn copy_procedure(&mut self, t: TypeId) -> Vec<String> {
        let name = self.model[t].name.clone();
        let is_abstract = self.model[t].is_abstract;
        let mut lines = if is_abstract {
            vec![
                format!(
                    "!> Of an extension of {name} that was assigned: the device data is copied."
                ),
                self.head(t, "copy", &format!("{CUF}to, {CUF}from")),
                format!("  class({name}), intent(inout) :: {CUF}to"),
                format!("  class({name}), intent(in) :: {CUF}from"),
            ]
        } else {
            vec![
                format!("!> Assignment of a {name}: the device data is copied."),
                self.head(t, "copy", &format!("{CUF}to, {CUF}from")),
                format!("  type({name}), intent(inout) :: {CUF}to"),
                format!("  type({name}), intent(in) :: {CUF}from"),
                format!("  type({name}) :: {CUF}new"),
            ]
        };
        let declared = lines.len();
        let new = if is_abstract { TO } else { NEW };
        if !is_abstract {
            lines.extend(self.plain_assignment(t, NEW, FROM));
        }
        if let Some(p) = self.owning_parent(t) {
            let callee = self.helper("copy", p);
            let parent = self.model[t].parent_name.clone();
            if self.model[p].is_abstract {
                lines.push(format!("  call {callee}({new}, {CUF}from)"));
            } else {
                let (a, b) = (format!("{new}%{parent}"), format!("{CUF}from%{parent}"));
                lines.extend(self.copied_part(&a, &b, p, false));
            }
        }
        for (f, part) in self.parts(t) {
            let (a, b) = (
                format!("{new}%{}", f.spelling),
                format!("{CUF}from%{}", f.spelling),
            );
            match part {
                Part::Pointer(space) => {
                    lines.extend(indented(&self.copied_pointer(&a, &b, f, space)));
                }
                Part::Structure(inner, allocatable) => {
                    lines.extend(self.copied_part(&a, &b, inner, allocatable));
                }
                Part::Class(_) => {
                    let mut copy = vec![
                        format!("if ({ALLOCATED}({a})) deallocate({a})"),
                        format!("allocate({a}{}, mold={b})", bounds_of(&b, f.dims.len())),
                    ];
                    copy.extend(self.copy_value((&a, &f.ty), (&b, &f.ty)));
                    lines.extend(indented(&guarded(Some(ALLOCATED), &b, copy)));
                }
            }
        }
        if is_abstract && lines.len() == declared {
            lines.extend(indented(&unused(TO)));
            lines.extend(indented(&unused(FROM)));
        }
        if !is_abstract {
            lines.push(format!(
                "  call {}({CUF}to)",
                self.helper_name("release", t)
            ));
            lines.extend(self.plain_assignment(t, TO, NEW));
        }
        lines.push(format!("end subroutine {}", self.helper_name("copy", t)));
        lines
    }

    /// Statements that give a component `a` memory of its own with what the component `b` of another value has.
    fn copied_pointer(&self, a: &str, b: &str, f: &Field, space: &str) -> Vec<String> {
        let each = |q: &str| {
            (1..=f.dims.len())
                .map(|d| format!("{q}({b}, {d})"))
                .collect()
        };
        let bounds = BoundsText {
            upper: each(UBOUND),
            lower: each(LBOUND),
            wide: false,
        };
        // A value of the type may have device data where the component is managed.
        let copy = if space == PINNED {
            format!("{a} = {b}")
        } else {
            format!("call {CUF}d2d({a}, {b})")
        };
        vec![
            format!("nullify({a})"),
            format!("if ({ASSOCIATED}({b})) then"),
            format!("  {}", self.allocate_text(a, &f.ty, &bounds, space, "")),
            format!("  {copy}"),
            "end if".to_owned(),
        ]
    }

    fn move_procedure(&mut self, t: TypeId) -> Vec<String> {
        let name = &self.model[t].name;
        let mut lines = vec![
            format!(
                "!> Assignment of a {name} that is not needed any more: its device data changes hands."
            ),
            self.head(t, "move", &format!("{CUF}to, {CUF}from")),
            format!("  type({name}), intent(inout) :: {CUF}to"),
            format!("  type({name}), intent(in) :: {CUF}from"),
            format!("  type({name}) :: {CUF}new"),
        ];
        lines.extend(self.plain_assignment(t, NEW, FROM));
        lines.push(format!(
            "  call {}({CUF}to)",
            self.helper_name("release", t)
        ));
        lines.extend(self.plain_assignment(t, TO, NEW));
        lines.push(format!("end subroutine {}", self.helper_name("move", t)));
        lines
    }

    /// A part `a` of the new value still shares its data with the part `b`: it starts anew and is copied.
    fn copied_part(&mut self, a: &str, b: &str, part: TypeId, allocatable: bool) -> Vec<String> {
        let mut lines = if self.assigned_by_user(part) {
            vec![format!("call {}({a})", self.helper("reset", part))]
        } else {
            vec![
                "block".to_owned(),
                format!("  type({}) :: {CUF}part", self.type_here(part)),
                format!("  {a} = {CUF}part"),
                "end block".to_owned(),
            ]
        };
        lines.push(format!("call {}({a}, {b})", self.helper("copy", part)));
        indented(&guarded(allocatable.then_some(ALLOCATED), b, lines))
    }

    /// The copy of a type that contains itself: gfortran 12 copies the descriptors of such allocatable components only (measured).
    fn copy_by_components(&mut self, t: TypeId) -> Vec<String> {
        let name = self.model[t].name.clone();
        let mut lines = vec![
            format!("!> Assignment of a {name}: the device data is copied."),
            self.head(t, "copy", &format!("{CUF}to, {CUF}from")),
            format!("  type({name}), intent(inout) :: {CUF}to"),
            format!("  type({name}), intent(in) :: {CUF}from"),
            format!("  type({name}) :: {CUF}new"),
        ];
        let mut body = self.parent_part("copy", t, NEW, FROM);
        for f in &self.model[t].components {
            let (a, b) = (
                format!("{CUF}new%{}", f.spelling),
                format!("{CUF}from%{}", f.spelling),
            );
            let part = self.part(f);
            let rank = f.dims.len();
            body.extend(match part {
                Some(Part::Pointer(space)) => self.copied_pointer(&a, &b, f, space),
                Some(Part::Structure(inner, allocatable)) => {
                    let callee = self.helper("copy", inner);
                    let mut copy = vec![format!("call {callee}({a}, {b})")];
                    if allocatable {
                        copy.insert(0, format!("allocate({a}{})", bounds_of(&b, rank)));
                    }
                    guarded(allocatable.then_some(ALLOCATED), &b, copy)
                }
                Some(Part::Class(_)) => {
                    let mut copy = vec![format!("allocate({a}{}, mold={b})", bounds_of(&b, rank))];
                    copy.extend(self.copy_value((&a, &f.ty), (&b, &f.ty)));
                    guarded(Some(ALLOCATED), &b, copy)
                }
                None if f.attrs.has(VarAttrs::POINTER) => vec![format!("{a} => {b}")],
                None if f.attrs.has(VarAttrs::ALLOCATABLE) => {
                    let copy = format!("allocate({a}{}, source={b})", bounds_of(&b, rank));
                    guarded(Some(ALLOCATED), &b, vec![copy])
                }
                None => vec![format!("{a} = {b}")],
            });
        }
        body.push(format!("call {}({CUF}to)", self.helper_name("release", t)));
        body.push(format!(
            "call {}({CUF}to, {CUF}new)",
            self.helper_name("move", t)
        ));
        lines.extend(indented(&body));
        lines.push(format!("end subroutine {}", self.helper_name("copy", t)));
        lines
    }

    fn move_by_components(&mut self, t: TypeId) -> Vec<String> {
        let name = self.model[t].name.clone();
        let mut lines = vec![
            format!(
                "!> Assignment of a {name} that is not needed any more: its data changes hands."
            ),
            self.head(t, "move", &format!("{CUF}to, {CUF}from")),
            format!("  type({name}), intent(inout) :: {CUF}to, {CUF}from"),
        ];
        let mut body = vec![format!("call {}({CUF}to)", self.helper_name("release", t))];
        body.extend(self.parent_part("move", t, TO, FROM));
        for f in &self.model[t].components {
            let (a, b) = (
                format!("{CUF}to%{}", f.spelling),
                format!("{CUF}from%{}", f.spelling),
            );
            let allocatable = f.attrs.has(VarAttrs::ALLOCATABLE);
            match self.part(f) {
                Some(Part::Pointer(_)) => {
                    body.push(format!("{a} => {b}"));
                    body.push(format!("nullify({b})"));
                }
                _ if allocatable => body.push(format!("call {MOVE_ALLOC}({b}, {a})")),
                Some(Part::Structure(inner, _)) => {
                    let callee = self.helper("move", inner);
                    body.push(format!("call {callee}({a}, {b})"));
                }
                _ if f.attrs.has(VarAttrs::POINTER) => body.push(format!("{a} => {b}")),
                _ => body.push(format!("{a} = {b}")),
            }
        }
        lines.extend(indented(&body));
        lines.push(format!("end subroutine {}", self.helper_name("move", t)));
        lines
    }

    /// The copy or hand-over of the parent component.
    fn parent_part(&mut self, verb: &str, t: TypeId, to: &str, from: &str) -> Vec<String> {
        let Some(p) = self.model[t].parent else {
            return Vec::new();
        };
        let parent = self.model[t].parent_name.clone();
        if self.model[p].is_abstract {
            let mut lines = self.component_assignments(p, to, from);
            if verb == "copy" && self.owns_device_data(p) {
                lines.push(format!("  call {}({to}, {from})", self.helper("copy", p)));
            }
            return lines.iter().map(|l| l.trim_start().to_owned()).collect();
        }
        vec![if self.owns_device_data(p) {
            format!(
                "call {}({to}%{parent}, {from}%{parent})",
                self.helper(verb, p)
            )
        } else {
            format!("{to}%{parent} = {from}%{parent}")
        }]
    }

    pub(super) fn owning_parent(&self, t: TypeId) -> Option<TypeId> {
        self.model[t].parent.filter(|p| self.owns_device_data(*p))
    }

    fn parent_call(&mut self, verb: &str, t: TypeId, object: &str) -> Option<String> {
        let p = self.owning_parent(t)?;
        let callee = self.helper(verb, p);
        Some(match self.model[p].is_abstract {
            true => format!("  call {callee}({object})"),
            false => format!("  call {callee}({object}%{})", self.model[t].parent_name),
        })
    }

    /// Appends generated procedures to a unit and makes them public.
    pub(in crate::host) fn append_procedures(
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
            let place = at + statement.len() as u32;
            self.edits.replace(
                Span {
                    start: place,
                    end: unit.end.start,
                },
                format!("\n{head}{text}{indent}"),
            );
        } else {
            self.edits.insert(at, head + text);
        }
        let module = matches!(unit.kind, UnitKind::Module | UnitKind::Submodule { .. });
        if module && self.model[scope].default_private {
            let public = format!("{indent}  public :: {}\n", names.join(", "));
            self.end_specification(unit, &public);
        }
    }

    /// Puts lines at the end of a unit's specification part, before a CONTAINS that comes with generated procedures.
    pub(in crate::host) fn end_specification(&mut self, unit: &ProgramUnit, lines: &str) {
        let place = unit.spec.last().map_or(unit.header.end, |d| d.span.end);
        self.end_line(place);
        let at = self.line_end(place);
        let alone = self.slice(Span {
            start: place,
            end: at,
        });
        if alone.trim_start().starts_with(';') {
            self.edits.insert(place, format!("\n{}", lines.trim_end()));
        } else {
            self.edits.insert_first(at, lines);
        }
    }
}

/// Statements that keep the compiler from warning of a dummy that a procedure has for the sake of its interface.
pub(super) fn unused(dummy: &str) -> [String; 2] {
    [
        format!("associate ({CUF}unused => {dummy})"),
        "end associate".to_owned(),
    ]
}

fn guard(allocatable: bool, path: &str) -> String {
    if allocatable {
        format!("if ({ALLOCATED}({path})) ")
    } else {
        String::new()
    }
}

/// The component was allocatable and is a pointer in the code written.
pub(in crate::host) fn became_pointer(f: &Field) -> bool {
    f.attrs.has(VarAttrs::ALLOCATABLE) && allocation_space(f.space).is_some()
}
