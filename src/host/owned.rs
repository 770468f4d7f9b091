//! Structures that own device data: allocatable components that became pointers. Fortran's rules for allocatable components
//! (copies are deep, the end of the owner's life frees them; F2018 7.5.6, 9.7.3.2, 10.2.1.3, decision 22) are kept by three
//! procedures generated beside the type: `cuf_release_<type>`, `cuf_copy_<type>` and `cuf_move_<type>`.

use std::collections::{HashMap, HashSet};

use super::Pass;
use super::alloc::{BoundsText, allocation_space};
use super::assign::strip_parens;
use crate::ast::{Expr, ProgramUnit, Span, UnitKind};
use crate::sema::model::*;
use crate::sema::typed::*;

/// How a component takes part in the ownership.
enum Part {
    /// Became a pointer to device (managed, pinned) memory.
    Pointer(&'static str),
    /// A structure (or array of structures) that owns device data; the flag: it is allocatable.
    Structure(TypeId, bool),
}

/// All types that own device data: by a component of their own, of a parent, or of the type of a component.
fn owners(model: &Model) -> HashSet<TypeId> {
    let mut containers: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
    let mut found = Vec::new();
    for (t, d) in (0..).map(TypeId).zip(&model.types) {
        let parts = d.components.iter().filter_map(|f| match f.ty {
            Type::Derived(inner) if !f.attrs.has(VarAttrs::POINTER) => Some(inner),
            _ => None,
        });
        for part in parts.chain(d.parent) {
            containers.entry(part).or_default().push(t);
        }
        if d.components.iter().any(became_pointer) {
            found.push(t);
        }
    }
    let mut all: HashSet<TypeId> = found.iter().copied().collect();
    while let Some(t) = found.pop() {
        for c in containers.get(&t).into_iter().flatten() {
            if all.insert(*c) {
                found.push(*c);
            }
        }
    }
    all
}

impl<'a> Pass<'a> {
    /// The type or a part of it has allocatable components that became pointers.
    pub(super) fn owns_device_data(&self, t: TypeId) -> bool {
        self.owners.get_or_init(|| owners(self.model)).contains(&t)
    }

    /// The components of the type itself, without those of its parent, that own device data.
    fn parts(&self, t: TypeId) -> Vec<(&'a Field, Part)> {
        let model = self.model;
        model[t]
            .components
            .iter()
            .filter_map(|f| {
                if became_pointer(f) {
                    return Some((f, Part::Pointer(allocation_space(f.space).unwrap_or(""))));
                }
                match f.ty {
                    Type::Derived(inner)
                        if !f.attrs.has(VarAttrs::POINTER) && self.owns_device_data(inner) =>
                    {
                        Some((
                            f,
                            Part::Structure(inner, f.attrs.has(VarAttrs::ALLOCATABLE)),
                        ))
                    }
                    _ => None,
                }
            })
            .collect()
    }

    /// The name of a generated procedure of a type, made accessible in the unit being walked.
    pub(super) fn helper(&mut self, verb: &str, t: TypeId) -> String {
        let home = self.home(t);
        let name = helper_name(verb, &self.model[t].name);
        if !self.encloses(home, self.scope) && !self.opens(home, self.scope) {
            let module = &self.model[home].name;
            self.unit
                .extra_uses
                .insert(format!("use {module}, only: {name}"));
        }
        name
    }

    /// Scope of the unit that declares a type.
    fn home(&self, t: TypeId) -> ScopeId {
        let scope = self.model[t].scope;
        self.model[scope].parent.unwrap_or(scope)
    }

    /// A variable of the host whose value is a structure that owns device data. Types with a finalizer free it there.
    pub(super) fn owner_type(&self, v: &Variable) -> Option<TypeId> {
        match v.ty {
            Type::Derived(t)
                if !v.attrs.has(VarAttrs::POINTER)
                    && matches!(v.space, Space::Host | Space::Thread)
                    && !self.model[t].finalizer
                    && self.owns_device_data(t) =>
            {
                Some(t)
            }
            _ => None,
        }
    }

    /// Statement that frees what a local structure owns when its scope ends.
    pub(super) fn release_owner(&mut self, name: &str, v: &Variable) -> Option<String> {
        let t = self.owner_type(v)?;
        let call = format!("call {}({name})", self.helper("release", t));
        Some(if v.attrs.has(VarAttrs::ALLOCATABLE) {
            format!("if (allocated({name})) {call}")
        } else {
            call
        })
    }

    /// A variable or component with the POINTER attribute.
    pub(super) fn is_pointer(&self, object: &TExpr) -> bool {
        match &object.kind {
            TExprKind::Variable(s) => self
                .model
                .variable(*s)
                .is_some_and(|v| v.attrs.has(VarAttrs::POINTER)),
            TExprKind::Component { of, index, .. } => self
                .model
                .components_of(*of)
                .get(*index)
                .is_some_and(|f| f.attrs.has(VarAttrs::POINTER)),
            _ => false,
        }
    }

    /// The same before a DEALLOCATE statement.
    pub(super) fn release_deallocated(&mut self, object: &TExpr, text: &str) -> Option<String> {
        let Type::Derived(t) = object.ty else {
            return None;
        };
        if self.is_device(object) || !self.owns_device_data(t) {
            return None;
        }
        let inquiry = if self.is_pointer(object) {
            "associated"
        } else {
            "allocated"
        };
        let name = self.helper("release", t);
        Some(format!("if ({inquiry}({text})) call {name}({text})"))
    }

    /// `a = b` of a type that owns device data. A function result hands its data over.
    pub(super) fn owner_assignment(
        &mut self,
        t: TypeId,
        l: &TExpr,
        r: &TExpr,
        (lhs, rhs): (&Expr, &Expr),
        statement: Span,
    ) {
        self.unit.runtime = true;
        let to = self.designator_text(lhs);
        let source = strip_parens(r);
        let gives = matches!(
            source.kind,
            TExprKind::Call { .. } | TExprKind::BoundCall { .. }
        );
        let from = if source.is_designator() {
            self.designator_text(rhs)
        } else if gives {
            self.with_edits(source.span, |p| p.call_reference(source))
        } else {
            self.value_text(rhs)
        };
        let indent = self.indent_at(statement.start);
        let reallocates = l.rank > 0 && r.rank > 0 && self.may_reallocate(l);
        let overlaps = l.rank > 0 && source.root().is_some() && source.root() == l.root();
        let lines = if !reallocates && !overlaps {
            let verb = self.helper(if gives { "move" } else { "copy" }, t);
            vec![format!("call {verb}({to}, {from})")]
        } else {
            // The right side in a variable of its own first.
            let rank = r.rank.max(1) as usize;
            let name = self.local_type_name(t);
            let colons = vec![":"; rank].join(",");
            let mut lines = vec![
                "block".to_owned(),
                format!("  type({name}), allocatable :: cuf_value({colons})"),
            ];
            if gives {
                lines.push(format!("  cuf_value = {from}"));
            } else {
                let extents: Vec<_> = (1..=rank).map(|d| format!("size({from}, {d})")).collect();
                lines.push(format!("  allocate(cuf_value({}))", extents.join(", ")));
                let copy = self.helper("copy", t);
                lines.push(format!("  call {copy}(cuf_value, {from})"));
            }
            if reallocates {
                let extents: Vec<_> = (1..=rank)
                    .map(|d| format!("size(cuf_value, {d})"))
                    .collect();
                let release = self.helper("release", t);
                lines.push(format!("  if (allocated({to})) then"));
                lines.push(format!(
                    "    if (any(shape({to}) /= shape(cuf_value))) then"
                ));
                lines.push(format!("      call {release}({to})"));
                lines.push(format!("      deallocate({to})"));
                lines.push("    end if".to_owned());
                lines.push("  end if".to_owned());
                lines.push(format!(
                    "  if (.not. allocated({to})) allocate({to}({}))",
                    extents.join(", ")
                ));
            }
            let give = self.helper("move", t);
            lines.push(format!("  call {give}({to}, cuf_value)"));
            if self.finalized(t) {
                lines.push(format!("  call {}(cuf_value)", self.helper("detach", t)));
            }
            lines.push("end block".to_owned());
            lines
        };
        let lines: Vec<_> = lines.iter().map(|l| super::edit::wrap_line(l)).collect();
        self.edits
            .replace(statement, lines.join(&format!("\n{indent}")));
    }

    fn local_type_name(&self, t: TypeId) -> String {
        self.visible_type(t)
            .unwrap_or_else(|| self.model[t].name.clone())
    }

    /// The name by which the statement being walked sees a type.
    pub(super) fn visible_type(&self, t: TypeId) -> Option<String> {
        let is_it = |s: SymbolId| match &self.model[s].kind {
            SymbolKind::DerivedType(x) => *x == t,
            SymbolKind::Generic(g) => g.of_type == Some(t),
            _ => false,
        };
        let declared = &self.model[t].name;
        if self.model.lookup(self.scope, declared).is_some_and(is_it) {
            return Some(declared.clone());
        }
        let mut at = Some(self.scope);
        while let Some(s) = at {
            if let Some((n, _)) = self.model[s].names.iter().find(|(_, v)| is_it(**v)) {
                return Some(n.to_string());
            }
            at = self.model[s].parent;
        }
        None
    }

    /// The generated procedures of the types that a unit declares, for its CONTAINS part, and their names.
    pub(super) fn owner_procedures(
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
                let d = &model[*t];
                !d.external && self.home(*t) == scope && self.owns_device_data(*t)
            })
            .collect();
        let internal = model[scope]
            .parent
            .is_some_and(|p| matches!(model[p].kind, ScopeKind::Program | ScopeKind::Procedure));
        for t in types {
            if internal {
                self.finding(
                    "CUF0414",
                    model[model[t].scope].span,
                    "a type with allocatable device components inside an internal procedure: move it to the module or program around it",
                );
                continue;
            }
            self.unit.runtime = true;
            let indent = self.indent_at(unit.end.start) + "  ";
            let mut procedures = vec![
                ("release", self.release_procedure(t)),
                ("copy", self.copy_procedure(t)),
            ];
            if !self.model[t].is_abstract {
                procedures.push(("move", self.move_procedure(t)));
            }
            if self.assigned_by_user(t) && !self.model[t].is_abstract {
                procedures.push(("reset", self.reset_procedure(t)));
            }
            if self.finalized(t) {
                procedures.push(("detach", self.detach_procedure(t)));
            }
            for (verb, lines) in procedures {
                names.push(helper_name(verb, &model[t].name));
                text.push('\n');
                for l in lines {
                    text.push_str(&super::edit::wrap_line(&format!("{indent}{l}")));
                    text.push('\n');
                }
            }
        }
        (text, names)
    }

    fn head(&self, t: TypeId, verb: &str, dummies: &str) -> String {
        // Only a type that contains itself needs more than the plain prefix.
        let recursive = self.model[t]
            .components
            .iter()
            .any(|f| f.ty == Type::Derived(t));
        let prefix = if recursive { "recursive " } else { "" };
        format!(
            "{prefix}impure elemental subroutine {}({dummies})",
            helper_name(verb, &self.model[t].name)
        )
    }

    /// A user's ASSIGNMENT(=) for two values of the type is known where the generated procedures stand: `a = b` would mean it.
    fn assigned_by_user(&self, t: TypeId) -> bool {
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
            Some(p) => {
                let name = &self.model[p].name;
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
            self.head(t, "reset", "x"),
            format!("  type({name}), intent(out) :: x"),
            format!("end subroutine {}", helper_name("reset", name)),
        ]
    }

    fn release_procedure(&mut self, t: TypeId) -> Vec<String> {
        let name = self.model[t].name.clone();
        let mut lines = vec![
            format!("!> Frees the device data of a {name} and gives it its initial value."),
            self.head(t, "release", "x"),
            format!("  type({name}), intent(inout) :: x"),
        ];
        let is_abstract = self.model[t].is_abstract;
        let own = self.assigned_by_user(t);
        if is_abstract {
            // For the extensions, which give their values to all components.
            lines[0] = format!("!> Frees the device data of a {name}.");
            lines[2] = format!("  class({name}), intent(inout) :: x");
        } else if !own {
            lines.push(format!("  type({name}) :: fresh"));
        }
        lines.extend(self.parent_call("release", t, "x"));
        for (f, part) in self.parts(t) {
            let path = format!("x%{}", f.spelling);
            match part {
                Part::Pointer(_) => lines.push(format!("  {}", self.release_text(&path, &f.ty))),
                Part::Structure(inner, allocatable) => {
                    let guard = guard(allocatable, &path);
                    let callee = self.helper("release", inner);
                    lines.push(format!("  {guard}call {callee}({path})"));
                }
            }
        }
        if !is_abstract {
            lines.push(if own {
                format!("  call {}(x)", helper_name("reset", &name))
            } else {
                "  x = fresh".to_owned()
            });
        }
        lines.push(format!("end subroutine {}", helper_name("release", &name)));
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
                self.head(t, "copy", "to, from"),
                format!("  class({name}), intent(inout) :: to"),
                format!("  class({name}), intent(in) :: from"),
            ]
        } else {
            vec![
                format!("!> Assignment of a {name}: the device data is copied."),
                self.head(t, "copy", "to, from"),
                format!("  type({name}), intent(inout) :: to"),
                format!("  type({name}), intent(in) :: from"),
                format!("  type({name}) :: new"),
            ]
        };
        let new = if is_abstract { "to" } else { "new" };
        if !is_abstract {
            lines.extend(self.plain_assignment(t, "new", "from"));
        }
        if let Some(p) = self.owning_parent(t) {
            let callee = self.helper("copy", p);
            let parent = self.model[p].name.clone();
            if self.model[p].is_abstract {
                lines.push(format!("  call {callee}({new}, from)"));
            } else {
                lines.extend(copied_part(
                    &format!("{new}%{parent}"),
                    &format!("from%{parent}"),
                    &parent,
                    &callee,
                    false,
                ));
            }
        }
        for (f, part) in self.parts(t) {
            let (a, b) = (
                format!("{new}%{}", f.spelling),
                format!("from%{}", f.spelling),
            );
            match part {
                Part::Pointer(space) => {
                    let rank = f.dims.len();
                    let each = |q: &str| (1..=rank).map(|d| format!("{q}({b}, {d})")).collect();
                    let bounds = BoundsText {
                        upper: each("ubound"),
                        lower: each("lbound"),
                        wide: false,
                    };
                    lines.push(format!("  nullify({a})"));
                    lines.push(format!("  if (associated({b})) then"));
                    lines.push(format!(
                        "    {}",
                        self.allocate_text(&a, &f.ty, &bounds, space, "")
                    ));
                    // A value of the type may have device data where the component is managed.
                    lines.push(if space == "cuf_pinned" {
                        format!("    {a} = {b}")
                    } else {
                        format!("    call cuf_d2d({a}, {b})")
                    });
                    lines.push("  end if".to_owned());
                }
                Part::Structure(inner, allocatable) => {
                    let callee = self.helper("copy", inner);
                    let of = self.local_type_name(inner);
                    lines.extend(copied_part(&a, &b, &of, &callee, allocatable));
                }
            }
        }
        if !is_abstract {
            lines.push(format!("  call {}(to)", helper_name("release", &name)));
            lines.extend(self.plain_assignment(t, "to", "new"));
            lines.extend(self.detached(t, "new"));
        }
        lines.push(format!("end subroutine {}", helper_name("copy", &name)));
        lines
    }

    fn move_procedure(&mut self, t: TypeId) -> Vec<String> {
        let name = &self.model[t].name;
        let mut lines = vec![
            format!(
                "!> Assignment of a {name} that is not needed any more: its device data changes hands."
            ),
            self.head(t, "move", "to, from"),
            format!("  type({name}), intent(inout) :: to"),
            format!("  type({name}), intent(in) :: from"),
            format!("  type({name}) :: new"),
        ];
        lines.extend(self.plain_assignment(t, "new", "from"));
        lines.push(format!("  call {}(to)", helper_name("release", name)));
        lines.extend(self.plain_assignment(t, "to", "new"));
        lines.extend(self.detached(t, "new"));
        lines.push(format!("end subroutine {}", helper_name("move", name)));
        lines
    }

    /// The type or a part of it has a FINAL procedure, which gfortran calls for local variables, too.
    fn finalized(&self, t: TypeId) -> bool {
        let inner = |part: &Part| match part {
            Part::Structure(inner, _) => *inner != t && self.finalized(*inner),
            Part::Pointer(_) => false,
        };
        self.model[t].finalizer
            || self.owning_parent(t).is_some_and(|p| self.finalized(p))
            || self.parts(t).iter().any(|(_, part)| inner(part))
    }

    /// Statement after which the end of `object` does not free the data that another value has now.
    fn detached(&self, t: TypeId, object: &str) -> Option<String> {
        let callee = helper_name("detach", &self.model[t].name);
        self.finalized(t)
            .then(|| format!("  call {callee}({object})"))
    }

    fn detach_procedure(&mut self, t: TypeId) -> Vec<String> {
        let name = self.model[t].name.clone();
        let mut lines = vec![
            format!("!> Leaves the device data of a {name} to the value that it was assigned to."),
            self.head(t, "detach", "x"),
            match self.model[t].is_abstract {
                true => format!("  class({name}), intent(inout) :: x"),
                false => format!("  type({name}), intent(inout) :: x"),
            },
        ];
        if self.owning_parent(t).is_some_and(|p| self.finalized(p)) {
            lines.extend(self.parent_call("detach", t, "x"));
        }
        for (f, part) in self.parts(t) {
            let path = format!("x%{}", f.spelling);
            match part {
                Part::Pointer(_) => lines.push(format!("  nullify({path})")),
                Part::Structure(inner, allocatable) if self.finalized(inner) => {
                    let guard = guard(allocatable, &path);
                    let callee = self.helper("detach", inner);
                    lines.push(format!("  {guard}call {callee}({path})"));
                }
                Part::Structure(..) => {}
            }
        }
        lines.push(format!("end subroutine {}", helper_name("detach", &name)));
        lines
    }

    fn owning_parent(&self, t: TypeId) -> Option<TypeId> {
        self.model[t].parent.filter(|p| self.owns_device_data(*p))
    }

    fn parent_call(&mut self, verb: &str, t: TypeId, object: &str) -> Option<String> {
        let p = self.owning_parent(t)?;
        let callee = self.helper(verb, p);
        Some(match self.model[p].is_abstract {
            true => format!("  call {callee}({object})"),
            false => format!("  call {callee}({object}%{})", self.model[p].name),
        })
    }

    /// Appends generated procedures to a unit and makes them public.
    pub(super) fn append_procedures(
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
            let place = unit.spec.last().map_or(unit.header.end, |d| d.span.end);
            self.end_line(place);
            let at = self.line_end(place);
            let alone = self.slice(Span {
                start: place,
                end: at,
            });
            if alone.trim_start().starts_with(';') {
                self.edits.insert(place, format!("\n{}", public.trim_end()));
            } else {
                self.edits.insert(at, public);
            }
        }
    }
}

/// Name of a generated procedure of a type, short enough for Fortran.
fn helper_name(verb: &str, ty: &str) -> String {
    let name = format!("cuf_{verb}_{ty}");
    name.chars().take(63).collect()
}

fn guard(allocatable: bool, path: &str) -> String {
    if allocatable {
        format!("if (allocated({path})) ")
    } else {
        String::new()
    }
}

/// A part `a` of the new value still shares its data with the part `b`: it starts anew and is copied.
fn copied_part(a: &str, b: &str, of: &str, callee: &str, allocatable: bool) -> Vec<String> {
    let block = [
        "block".to_owned(),
        format!("  type({of}) :: part"),
        format!("  {a} = part"),
        format!("  call {callee}({a}, {b})"),
        "end block".to_owned(),
    ];
    let deeper = if allocatable { "    " } else { "  " };
    let mut lines: Vec<_> = block.iter().map(|l| format!("{deeper}{l}")).collect();
    if allocatable {
        lines.insert(0, format!("  if (allocated({b})) then"));
        lines.push("  end if".to_owned());
    }
    lines
}

/// The component was allocatable and is a pointer in the code written.
pub(super) fn became_pointer(f: &Field) -> bool {
    f.attrs.has(VarAttrs::ALLOCATABLE) && allocation_space(f.space).is_some()
}
