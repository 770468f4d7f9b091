//! Which types own device data, and how they hang together: facts of the whole program.

use std::sync::OnceLock;

use crate::host::context::memory::allocation_space;
use crate::host::context::names;
use crate::sema::model::*;

/// The types of a program and what they own.
pub(in crate::translation::host) struct Owners<'a> {
    model: &'a Model,
    ownership: &'a Ownership,
}

/// What the types of the whole program own, for the translation of all its files. Found when first asked for: most programs have no
/// such types.
#[derive(Default)]
pub struct Ownership(OnceLock<Known>);

/// What is known of all types of the program.
struct Known {
    /// A value of the type owns device data, or has to be finalised together with what does.
    owns: Vec<bool>,
    /// The type or one of its extensions owns device data.
    class_owns: Vec<bool>,
    /// The type, a parent or a part of it has a FINAL procedure.
    /// There are polymorphic arrays of the declared type.
    class_arrays: Vec<bool>,
    finalizable: Vec<bool>,
}

/// How the procedure for the dynamic type of a polymorphic object is found.
pub(in crate::translation::host) enum Dispatch {
    /// There is no other type.
    Static(TypeId),
    /// Type-bound procedures.
    Bound,
    /// SELECT TYPE over these: types of a main program have no type-bound procedures, those for CLASS(*) no common parent.
    Select(Vec<TypeId>),
}

/// How a component takes part in the ownership.
pub(in crate::translation::host) enum Part {
    /// Became a pointer to device (managed, pinned) memory.
    Pointer(&'static str),
    /// A structure (or array of structures) that owns device data; the flag: it is allocatable.
    Structure(TypeId, bool),
    /// A polymorphic allocatable whose value may.
    Class(TypeId),
}

impl Known {
    fn new(model: &Model) -> Self {
        let count = model.types.len();
        let at = |t: TypeId| t.0 as usize;
        let all = || (0..count as u32).map(TypeId);
        let mut o = Known {
            owns: vec![false; count],
            class_owns: vec![false; count],
            finalizable: vec![false; count],
            class_arrays: vec![false; count],
        };
        for t in polymorphic_arrays(model) {
            o.class_arrays[at(t)] = true;
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
                        Type::Class(c) => family(model, c).iter().any(|x| o.finalizable[at(*x)]),
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
                            Type::Class(c) => family(model, c),
                            _ => Vec::new(),
                        })
                        .collect();
                    // Procedures bound to all types of the family finalise by the dynamic type.
                    finalised.extend(family(model, oldest(model, t)));
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
}

/// The type and its extensions, the extensions last.
fn family(model: &Model, t: TypeId) -> Vec<TypeId> {
    let mut all = vec![t];
    all.extend(model.descendants(t));
    all
}

impl<'a> Owners<'a> {
    pub(in crate::translation::host) fn of(model: &'a Model, ownership: &'a Ownership) -> Self {
        Owners { model, ownership }
    }

    fn known(&self) -> &Known {
        self.ownership.0.get_or_init(|| Known::new(self.model))
    }

    /// The type and its extensions.
    pub(in crate::translation::host) fn family(&self, t: TypeId) -> Vec<TypeId> {
        family(self.model, t)
    }

    /// The program has polymorphic arrays of this declared type.
    pub(in crate::translation::host) fn has_class_arrays(&self, t: TypeId) -> bool {
        self.known().class_arrays[t.0 as usize]
    }

    /// The type or a part of it has allocatable components that became pointers.
    pub(in crate::translation::host) fn owns_device_data(&self, t: TypeId) -> bool {
        self.known().owns[t.0 as usize]
    }

    /// A value of the declared type may own device data.
    pub(in crate::translation::host) fn may_own(&self, ty: &Type) -> bool {
        match *ty {
            Type::Derived(t) => self.owns_device_data(t),
            Type::Class(t) => self.known().class_owns[t.0 as usize],
            Type::ClassStar => self.known().owns.contains(&true),
            _ => false,
        }
    }

    pub(in crate::translation::host) fn finalizable(&self, t: TypeId) -> bool {
        self.known().finalizable[t.0 as usize]
    }

    /// The oldest ancestor of a type.
    pub(in crate::translation::host) fn root_type(&self, t: TypeId) -> TypeId {
        oldest(self.model, t)
    }

    /// Values of the type are met as those of a parent's CLASS, so that procedures bound to the type are needed.
    pub(in crate::translation::host) fn has_bindings(&self, t: TypeId) -> bool {
        let root = self.root_type(t);
        let owns = self.known().class_owns[root.0 as usize];
        owns && !self.model.descendants(root).is_empty() && !self.is_internal(root)
    }

    /// Declared in a main program or a procedure, where no procedure can be bound to a type.
    pub(in crate::translation::host) fn is_internal(&self, t: TypeId) -> bool {
        !matches!(
            self.model[self.home(t)].kind,
            ScopeKind::Module | ScopeKind::Submodule
        )
    }

    /// The components of the type itself, without those of its parent, that own device data.
    pub(in crate::translation::host) fn parts(&self, t: TypeId) -> Vec<(&'a Field, Part)> {
        let own = self.model[t].components.iter();
        own.filter_map(|f| Some((f, self.part(f)?))).collect()
    }

    pub(in crate::translation::host) fn part(&self, f: &Field) -> Option<Part> {
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

    /// Scope of the unit that declares a type.
    pub(in crate::translation::host) fn home(&self, t: TypeId) -> ScopeId {
        self.model[t].scope
    }

    /// The name of a generated procedure of a type. It has that of the unit, for a scope may use modules whose types have one name.
    /// No verb is another one's beginning before an underscore.
    pub(in crate::translation::host) fn helper_name(&self, verb: &str, t: TypeId) -> String {
        let unit = self.model.unit_symbol(self.home(t));
        names::global(&format!("cuf_{verb}"), &unit, &self.model[t].name)
    }

    /// A variable of the host whose value may own device data.
    pub(in crate::translation::host) fn owner_variable(&self, v: &Variable) -> bool {
        !v.attrs.has(VarAttrs::POINTER)
            && matches!(v.space, Space::Host | Space::Thread)
            && self.may_own(&v.ty)
    }

    /// A value of the type may have another one of it inside.
    pub(in crate::translation::host) fn contains_itself(&self, t: TypeId) -> bool {
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

    pub(in crate::translation::host) fn owning_parent(&self, t: TypeId) -> Option<TypeId> {
        self.model[t].parent.filter(|p| self.owns_device_data(*p))
    }

    /// An object as one of its parent type.
    pub(in crate::translation::host) fn parent_object(
        &self,
        t: TypeId,
        parent: TypeId,
        object: &str,
    ) -> String {
        match self.model[parent].is_abstract {
            true => object.to_owned(),
            false => format!("{object}%{}", self.model[t].parent_name),
        }
    }

    pub(in crate::translation::host) fn finalizable_family(&self, t: TypeId) -> bool {
        self.family(self.root_type(t))
            .iter()
            .any(|x| self.finalizable(*x))
    }

    /// Ranks for which the type or a parent has a FINAL procedure of its own, not an elemental one.
    pub(in crate::translation::host) fn final_ranks(&self, t: TypeId) -> Vec<usize> {
        let mut ranks: Vec<usize> = Vec::new();
        let mut at = Some(t);
        while let Some(t) = at {
            let own = self.model[t].finals.iter();
            ranks.extend(own.filter_map(|f| self.final_rank(*f)));
            at = self.owning_parent(t);
        }
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// Rank that a FINAL procedure is for; None for all (elemental).
    pub(in crate::translation::host) fn final_rank(&self, procedure: SymbolId) -> Option<usize> {
        let p = self.model.procedure(procedure)?;
        let dummy = p.dummies.first().copied().flatten()?;
        (!p.elemental).then(|| self.model.dims(dummy).len())
    }
}

/// The oldest ancestor of a type.
fn oldest(model: &Model, mut t: TypeId) -> TypeId {
    for _ in 0..64 {
        match model[t].parent {
            Some(p) => t = p,
            None => break,
        }
    }
    t
}

/// The component was allocatable and is a pointer in the code written.
pub(in crate::translation::host) fn became_pointer(f: &Field) -> bool {
    f.attrs.has(VarAttrs::ALLOCATABLE) && allocation_space(f.space).is_some()
}

/// The declared types of all polymorphic arrays.
fn polymorphic_arrays(model: &Model) -> impl Iterator<Item = TypeId> {
    let variables = model.symbols.iter().filter_map(|s| match &s.kind {
        SymbolKind::Variable(v) => Some((&v.ty, &v.dims)),
        _ => None,
    });
    let components = model.types.iter().flat_map(|t| &t.components);
    let all = variables.chain(components.map(|f| (&f.ty, &f.dims)));
    all.filter_map(|(ty, dims)| match ty {
        Type::Class(t) if !dims.is_empty() => Some(*t),
        _ => None,
    })
}
