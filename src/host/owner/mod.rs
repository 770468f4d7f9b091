//! Types that own device data: their allocatable components became pointers, so the host code written does itself what Fortran
//! does for allocatables and for FINAL (docs/owners.md is the table of it).
//!
//! [`Owners`] says which types take part, `procedures` writes the procedures of a type (`cuf_release_`, `cuf_copy_`,
//! `cuf_move_<type>`, ...) and `bindings` those that find the dynamic type; `life` gives the events of a scope, `assign` and
//! `sourced` the copies. Whoever ends the life of a value asks [`Pass::finish`].

mod assign;
mod bindings;
mod constructor;
mod life;
mod procedures;
mod sourced;
mod templates;

use std::collections::BTreeSet;

pub(super) use procedures::became_pointer;

use super::alloc::allocation_space;
use super::names;
use super::names::{CUF, FROM, LBOUND, OBJECT, TO, UBOUND};
use super::pass::Pass;
use crate::ast::Span;
use crate::sema::model::*;
use crate::sema::typed::*;

/// What is known of all types of the program.
pub(super) struct Owners {
    /// A value of the type owns device data, or has to be finalised together with what does.
    owns: Vec<bool>,
    /// A type and its extensions, without the type itself: direct children.
    children: Vec<Vec<TypeId>>,
    /// The type or one of its extensions owns device data.
    class_owns: Vec<bool>,
    /// The type, a parent or a part of it has a FINAL procedure.
    finalizable: Vec<bool>,
}

/// How the procedure for the dynamic type of a polymorphic object is found.
pub(super) enum Dispatch {
    /// There is no other type.
    Static(TypeId),
    /// Type-bound procedures.
    Bound,
    /// SELECT TYPE over these: types of a main program have no type-bound procedures, those for CLASS(*) no common parent.
    Select(Vec<TypeId>),
}

/// How a component takes part in the ownership.
enum Part {
    /// Became a pointer to device (managed, pinned) memory.
    Pointer(&'static str),
    /// A structure (or array of structures) that owns device data; the flag: it is allocatable.
    Structure(TypeId, bool),
    /// A polymorphic allocatable whose value may.
    Class(TypeId),
}

impl Owners {
    pub(super) fn new(model: &Model) -> Self {
        let count = model.types.len();
        let at = |t: TypeId| t.0 as usize;
        let all = || (0..count as u32).map(TypeId);
        let mut o = Owners {
            owns: vec![false; count],
            children: vec![Vec::new(); count],
            class_owns: vec![false; count],
            finalizable: vec![false; count],
        };
        for t in all() {
            if let Some(p) = model[t].parent {
                o.children[at(p)].push(t);
            }
        }
        loop {
            let mut changed = false;
            for t in all().filter(|t| !model[*t].external) {
                let parts = || {
                    model[t]
                        .components
                        .iter()
                        .filter(|f| !f.attrs.has(VarAttrs::POINTER))
                };
                let parent = model[t].parent;
                if !o.finalizable[at(t)] {
                    let part = |f: &Field| match f.ty {
                        Type::Derived(c) => o.finalizable[at(c)],
                        Type::Class(c) => o.family(c).iter().any(|x| o.finalizable[at(*x)]),
                        _ => false,
                    };
                    let inherited = parent.is_some_and(|p| o.finalizable[at(p)]);
                    if !model[t].finals.is_empty() || inherited || parts().any(part) {
                        o.finalizable[at(t)] = true;
                        changed = true;
                    }
                }
                if !o.owns[at(t)] {
                    let part = |f: &Field| match f.ty {
                        Type::Derived(c) => o.owns[at(c)],
                        Type::Class(c) => o.class_owns[at(c)],
                        _ => became_pointer(f),
                    };
                    if parts().any(|f| became_pointer(f) || part(f))
                        || parent.is_some_and(|p| o.owns[at(p)])
                    {
                        o.own(model, t);
                        changed = true;
                    }
                }
                if o.owns[at(t)] {
                    // What the compiler would finalise in the course of generated copies is finalised by generated code, too.
                    let mut finalised: Vec<TypeId> = parts()
                        .flat_map(|f| match f.ty {
                            Type::Derived(c) => vec![c],
                            Type::Class(c) => o.family(c),
                            _ => Vec::new(),
                        })
                        .collect();
                    finalised.extend(parent);
                    finalised.extend(&o.children[at(t)]);
                    for c in finalised {
                        if o.finalizable[at(c)] && !o.owns[at(c)] && !model[c].external {
                            o.own(model, c);
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return o;
            }
        }
    }

    /// Notes that a type owns device data, and with it the classes of its ancestors.
    fn own(&mut self, model: &Model, t: TypeId) {
        self.owns[t.0 as usize] = true;
        let mut class = Some(t);
        while let Some(t) = class.filter(|t| !self.class_owns[t.0 as usize]) {
            self.class_owns[t.0 as usize] = true;
            class = model[t].parent;
        }
    }

    /// The type and its extensions, the extensions last.
    fn family(&self, t: TypeId) -> Vec<TypeId> {
        let mut all = vec![t];
        let mut seen = BTreeSet::from([t]);
        let mut k = 0;
        while let Some(t) = all.get(k) {
            let children = self.children[t.0 as usize].iter();
            all.extend(children.filter(|c| seen.insert(**c)));
            k += 1;
        }
        all
    }
}

impl<'a> Pass<'a> {
    fn owners(&self) -> &Owners {
        self.owners.get_or_init(|| Owners::new(self.model))
    }

    /// The type or a part of it has allocatable components that became pointers.
    pub(super) fn owns_device_data(&self, t: TypeId) -> bool {
        self.owners().owns[t.0 as usize]
    }

    /// A value of the declared type may own device data.
    pub(super) fn may_own(&self, ty: &Type) -> bool {
        match *ty {
            Type::Derived(t) => self.owns_device_data(t),
            Type::Class(t) => self.owners().class_owns[t.0 as usize],
            Type::ClassStar => self.owners().owns.contains(&true),
            _ => false,
        }
    }

    fn finalizable(&self, t: TypeId) -> bool {
        self.owners().finalizable[t.0 as usize]
    }

    /// The type and its extensions.
    fn family(&self, t: TypeId) -> Vec<TypeId> {
        self.owners().family(t)
    }

    /// The oldest ancestor of a type.
    fn root_type(&self, mut t: TypeId) -> TypeId {
        for _ in 0..64 {
            match self.model[t].parent {
                Some(p) => t = p,
                None => break,
            }
        }
        t
    }

    /// Values of the type are met as those of a parent's CLASS, so that procedures bound to the type are needed.
    fn has_bindings(&self, t: TypeId) -> bool {
        let root = self.root_type(t);
        let owners = self.owners();
        let extended = !owners.children[root.0 as usize].is_empty();
        extended && owners.class_owns[root.0 as usize] && !self.is_internal(root)
    }

    /// Declared in a main program or a procedure, where no procedure can be bound to a type.
    fn is_internal(&self, t: TypeId) -> bool {
        !matches!(
            self.model[self.home(t)].kind,
            ScopeKind::Module | ScopeKind::Submodule
        )
    }

    fn dispatch(&self, ty: &Type) -> Option<Dispatch> {
        match *ty {
            Type::Derived(t) => Some(Dispatch::Static(t)),
            Type::Class(t) if self.has_bindings(t) => Some(Dispatch::Bound),
            Type::Class(t) => Some(match &self.family(t)[..] {
                [one] => Dispatch::Static(*one),
                all => Dispatch::Select(
                    all.iter()
                        .copied()
                        .filter(|t| self.owns_device_data(*t))
                        .collect(),
                ),
            }),
            Type::ClassStar => {
                let all = (0..self.model.types.len() as u32).map(TypeId);
                let known = |t: &TypeId| {
                    self.owns_device_data(*t) && !self.model[*t].is_abstract && self.nameable(*t)
                };
                Some(Dispatch::Select(all.filter(known).collect()))
            }
            _ => None,
        }
    }

    /// The components of the type itself, without those of its parent, that own device data.
    fn parts(&self, t: TypeId) -> Vec<(&'a Field, Part)> {
        let own = self.model[t].components.iter();
        own.filter_map(|f| Some((f, self.part(f)?))).collect()
    }

    fn part(&self, f: &Field) -> Option<Part> {
        if became_pointer(f) {
            return Some(Part::Pointer(allocation_space(f.space).unwrap_or("")));
        }
        match f.ty {
            _ if f.attrs.has(VarAttrs::POINTER) => None,
            Type::Derived(c) if self.owns_device_data(c) => {
                Some(Part::Structure(c, f.attrs.has(VarAttrs::ALLOCATABLE)))
            }
            Type::Class(c) if self.may_own(&f.ty) => Some(Part::Class(c)),
            _ => None,
        }
    }

    /// The name of a generated procedure of a type, made accessible in the unit being walked.
    pub(super) fn helper(&mut self, verb: &str, t: TypeId) -> String {
        let home = self.home(t);
        let name = self.helper_name(verb, t);
        if !self.encloses(home, self.scope) && !self.opens(home, self.scope) {
            let module = &self.model[home].name;
            self.unit
                .extra_uses
                .insert(format!("use {module}, only: {name}"));
        }
        name
    }

    /// The name of a generated procedure of a type. It has that of the unit, for a scope may use modules whose types have one name.
    /// No verb is another one's beginning before an underscore.
    fn helper_name(&self, verb: &str, t: TypeId) -> String {
        let unit = self.model.unit_symbol(self.home(t));
        names::global(&format!("cuf_{verb}"), &unit, &self.model[t].name)
    }

    /// Scope of the unit that declares a type.
    fn home(&self, t: TypeId) -> ScopeId {
        self.model[t].scope
    }

    /// A variable of the host whose value may own device data.
    pub(super) fn owner_variable(&self, v: &Variable) -> bool {
        !v.attrs.has(VarAttrs::POINTER)
            && matches!(v.space, Space::Host | Space::Thread)
            && self.may_own(&v.ty)
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

    /// Statements that end the life of the value of an object: it is finalised (F2018 7.5.6.2), what it owns is freed, and
    /// it has the initial value of its type. Empty for types that own nothing. `inquiry`: it may have no value.
    pub(super) fn finish(
        &mut self,
        object: &str,
        ty: &Type,
        rank: i8,
        inquiry: Option<&str>,
    ) -> Vec<String> {
        if !self.may_own(ty) {
            return Vec::new();
        }
        let mut lines = Vec::new();
        match self.dispatch(ty) {
            Some(Dispatch::Static(t)) => lines.extend(self.finish_static(object, t, rank)),
            Some(Dispatch::Bound) => lines.extend(self.finish_bound(object, ty, rank)),
            Some(Dispatch::Select(types)) => {
                let mut cases = Vec::new();
                for t in types {
                    let calls = self.finish_static(OBJECT, t, rank);
                    let name = self.type_here(t);
                    cases.push((name, calls));
                }
                lines = select_type(OBJECT, object, &cases);
            }
            None => {}
        }
        guarded(inquiry, object, lines)
    }

    fn finish_static(&mut self, object: &str, t: TypeId, rank: i8) -> Vec<String> {
        let mut lines = Vec::new();
        if self.finalizable(t) {
            let name = self.final_procedure(t, rank);
            lines.push(format!("call {name}({object})"));
        }
        lines.push(format!("call {}({object})", self.helper("release", t)));
        lines
    }

    /// Statements that copy what `from` owns to `to`, which has its dynamic type and nothing of its own to lose.
    fn copy_value(
        &mut self,
        (to, to_type): (&str, &Type),
        (from, from_type): (&str, &Type),
    ) -> Vec<String> {
        if let Type::Derived(t) = *to_type {
            return vec![format!("call {}({to}, {from})", self.helper("copy", t))];
        }
        let known = match *from_type {
            Type::Derived(t) => Some(t),
            _ => None,
        };
        match (self.dispatch(to_type), known) {
            (Some(Dispatch::Static(t)), _) => {
                vec![format!("call {}({to}, {from})", self.helper("copy", t))]
            }
            (Some(Dispatch::Bound), _) => vec![format!("call {to}%{CUF}copy({from})")],
            (Some(Dispatch::Select(types)), known) => {
                let types: Vec<TypeId> = types
                    .into_iter()
                    .filter(|t| known.is_none_or(|k| k == *t))
                    .collect();
                let mut cases = Vec::new();
                for t in types {
                    let copy = self.helper("copy", t);
                    let name = self.type_here(t);
                    let calls = if known.is_some() {
                        vec![format!("call {copy}({CUF}to, {from})")]
                    } else {
                        select_type(
                            FROM,
                            from,
                            &[(
                                name.clone(),
                                vec![format!("call {copy}({CUF}to, {CUF}from)")],
                            )],
                        )
                    };
                    cases.push((name, calls));
                }
                select_type(TO, to, &cases)
            }
            (None, _) => Vec::new(),
        }
    }

    /// The name by which the statement being walked sees a type; a USE statement brings it if it must.
    fn type_here(&mut self, t: TypeId) -> String {
        if let Some(name) = self.visible_type(t) {
            return name;
        }
        let home = self.home(t);
        let name = &self.model[t].name;
        if !self.model[home].exports.contains_key(name.as_str()) {
            self.unreachable_owner(self.statement);
        }
        // With its module: another one may have a type of that name.
        let local = names::global("cuf_type", &self.model.unit_symbol(home), name);
        let module = &self.model[home].name;
        self.unit
            .extra_uses
            .insert(format!("use {module}, only: {local} => {name}"));
        local
    }

    /// The type has a name wherever its module is used, and using the module here makes no circle.
    fn nameable(&self, t: TypeId) -> bool {
        if self.visible_type(t).is_some() {
            return true;
        }
        let home = self.home(t);
        let exported = self.model[home]
            .exports
            .contains_key(self.model[t].name.as_str());
        self.model[home].kind == ScopeKind::Module && exported && self.uses_module(home)
    }

    /// The unit being walked uses the module, at any depth.
    fn uses_module(&self, module: ScopeId) -> bool {
        let mut outermost = self.scope;
        while let Some(p) = self.model[outermost].parent {
            outermost = p;
        }
        let mut seen = BTreeSet::new();
        let mut todo = vec![outermost, self.scope];
        while let Some(s) = todo.pop() {
            if !seen.insert(s) {
                continue;
            }
            if s == module {
                return true;
            }
            todo.extend(self.model[s].parent);
            for u in &self.model[s].uses {
                todo.extend(self.model.module_of(self.file, u));
            }
        }
        false
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

    /// A class or type in a declaration.
    pub(super) fn owner_type_text(&mut self, ty: &Type) -> String {
        match *ty {
            Type::Derived(t) => format!("type({})", self.type_here(t)),
            Type::Class(t) => format!("class({})", self.type_here(t)),
            _ => self.model.type_name(ty),
        }
    }

    /// An assignment or ALLOCATE whose value may be of a type that cannot be named or reached.
    fn unreachable_owner(&mut self, at: Span) {
        self.finding(
            "CUF0418",
            at,
            "the value may be of a type with allocatable device components that has no name here: use its module, or copy the components",
        );
    }
}

/// SELECT TYPE with a case for each type; nothing without cases.
fn select_type(name: &str, selector: &str, cases: &[(String, Vec<String>)]) -> Vec<String> {
    if cases.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("select type ({name} => {selector})")];
    for (of, calls) in cases {
        lines.push(format!("type is ({of})"));
        lines.extend(indented(calls));
    }
    lines.push("end select".to_owned());
    lines
}

/// Statements under the condition that an object has a value.
fn guarded(inquiry: Option<&str>, object: &str, lines: Vec<String>) -> Vec<String> {
    let Some(inquiry) = inquiry else {
        return lines;
    };
    match &lines[..] {
        [] => lines,
        [one] => vec![format!("if ({inquiry}({object})) {one}")],
        all => {
            let mut out = vec![format!("if ({inquiry}({object})) then")];
            out.extend(indented(all));
            out.push("end if".to_owned());
            out
        }
    }
}

/// The bounds of an array, in parentheses; nothing for a scalar.
fn bounds_of(name: &str, rank: usize) -> String {
    let bounds: Vec<String> = (1..=rank)
        .map(|d| format!("{LBOUND}({name}, {d}):{UBOUND}({name}, {d})"))
        .collect();
    match bounds.is_empty() {
        true => String::new(),
        false => format!("({})", bounds.join(", ")),
    }
}

fn indented(lines: &[String]) -> Vec<String> {
    lines.iter().map(|l| format!("  {l}")).collect()
}
