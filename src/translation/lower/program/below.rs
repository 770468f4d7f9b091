//! Procedures of submodules that are called from outside of them. Fortran lets a submodule stand after whatever calls its procedures, and use what
//! calls them; C++ wants a declaration before each call. Where the definition comes later, the caller's header declares the procedure before the
//! caller's namespace, and includes the other header, if it is another, at its end.

use std::collections::{BTreeMap, BTreeSet};

use super::globals::home;
use super::unit::FileOut;
use crate::ir::names;
use crate::ir::{self, *};
use crate::lower::context::Shared;
use crate::map::Rule;
use crate::sema::model::*;

/// The procedures to be declared before the namespaces of a file, by the place of the unit and by namespace.
pub(in crate::translation::lower) type Early = BTreeMap<u32, BTreeMap<String, Vec<Item>>>;

/// Declares procedures of submodules before the units that call them, where that is needed; the pairs of files of which the first includes the
/// second at its end.
pub(super) fn prototypes(sh: &Shared<'_>, files: &mut [FileOut]) -> BTreeSet<(FileId, FileId)> {
    let needs = sh.needs.borrow();
    let mut late = BTreeSet::new();
    let mut done = BTreeSet::new();
    let calls = sh.below.borrow();
    let placed = calls.iter().map(|call| (home(sh, call.caller).1, call));
    // By file, and there in the order of their places.
    let placed: BTreeSet<_> = placed.map(|(at, c)| (c.file, at, c.callee, c)).collect();
    for (_, from, _, call) in placed {
        let (file, at, namespace) = home(sh, call.callee);
        let elsewhere = file != call.file;
        let later = match elsewhere {
            false => at > from,
            true => is_within(sh, call.callee, call.file) || reaches(&needs, file, call.file),
        };
        if !later {
            continue;
        }
        if elsewhere {
            late.insert((call.file, file));
        }
        let Some(name) = sh.model[call.callee].symbol.map(|s| &sh.model[s].spelling) else {
            continue;
        };
        let name = names::safe(name);
        let of = files.get_mut(file.0 as usize);
        let prototype = of.and_then(|f| {
            let members = f.members(at, &namespace);
            members.header.iter().find_map(|(_, i)| match &i.kind {
                ItemKind::Proc(p) if p.name == name => Some(Proc {
                    body: Vec::new(),
                    names: Vec::new(),
                    ..p.clone()
                }),
                _ => None,
            })
        });
        let (Some(prototype), Some(f)) = (prototype, files.get_mut(call.file.0 as usize)) else {
            continue;
        };
        // Once is enough.
        if done.insert((call.file, call.callee)) {
            let units = f.early.entry(from).or_default();
            units.entry(namespace).or_default().push(Item {
                kind: ItemKind::Prototype(prototype),
                notes: Notes::default(),
                // It stands elsewhere.
                origin: Origin::by(Rule::Prototype),
            });
        }
    }
    late
}

/// The scope is in a unit below one that the file has.
fn is_within(sh: &Shared<'_>, scope: ScopeId, file: FileId) -> bool {
    let mut around = std::iter::successors(Some(scope), |s| sh.model[*s].parent);
    around.any(|s| sh.model[s].file == file)
}

/// A header includes another, directly or by way of others.
fn reaches(needs: &BTreeSet<(FileId, FileId)>, from: FileId, to: FileId) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut todo = vec![from];
    while let Some(f) = todo.pop() {
        let next = needs.range((f, FileId(0))..=(f, FileId(u32::MAX)));
        for (_, n) in next {
            if *n == to {
                return true;
            }
            if seen.insert(*n) {
                todo.push(*n);
            }
        }
    }
    false
}

/// The namespaces of a file in their order, those of procedures that are declared `early` before the units that call them: behind the
/// types of such a unit, which the declarations may have.
pub(super) fn with_prototypes(
    namespaces: Vec<(u32, Namespace)>,
    mut early: Early,
) -> Vec<Namespace> {
    let mut all = Vec::new();
    for (at, mut n) in namespaces {
        let Some(first) = early.remove(&at) else {
            all.push(n);
            continue;
        };
        let own = |i: &Item| match &i.kind {
            ItemKind::Prototype(p) => {
                let types = p.params.iter().map(|x| &x.ty).chain([&p.result]);
                types.into_iter().any(|t| has_structure_of(t, &n.name))
            }
            _ => false,
        };
        let split = first.values().flatten().any(own);
        if split {
            let begins = |i: &Item| matches!(i.kind, ItemKind::Proc(_) | ItemKind::Prototype(_));
            let at = n.header.iter().position(begins);
            let rest = n.header.split_off(at.unwrap_or(n.header.len()));
            let doc = match n.source.is_empty() {
                true => std::mem::take(&mut n.doc),
                false => Notes::default(),
            };
            all.push(Namespace {
                name: n.name.clone(),
                doc,
                header: std::mem::replace(&mut n.header, rest),
                source: Vec::new(),
            });
        }
        let declared = first.into_iter().map(|(name, header)| Namespace {
            name,
            doc: Notes::default(),
            header,
            source: Vec::new(),
        });
        all.extend(declared);
        all.push(n);
    }
    all
}

/// The type is or leads to a structure of the namespace.
fn has_structure_of(ty: &ir::Type, namespace: &str) -> bool {
    match ty {
        ir::Type::Derived(i) => matches!(&i.space, Namespaces::Unit(u) if *u == namespace),
        ir::Type::Const(t) | ir::Type::Ref(t) | ir::Type::Pointer { to: t, .. } => {
            has_structure_of(t, namespace)
        }
        ir::Type::Array { elem, .. }
        | ir::Type::View { elem, .. }
        | ir::Type::Fixed { elem, .. } => has_structure_of(elem, namespace),
        _ => false,
    }
}
