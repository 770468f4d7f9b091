//! Declarations of host code that device code is made of, too: constants, types, and the constants in kinds, lengths and bounds. Where macros choose
//! among them, host code must not be compiled for another choice.

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{AttrKind, Decl, DeclKind, File, Name, ProgramUnit, UnitKind, Use, places};
use crate::ir::{Item, ItemKind, Unit};
use crate::source::{Brought, Depended};

/// The constants of a program that device code depends on, by name: those that it names, those in declarations, and those that others are made of.
#[derive(Default)]
pub(super) struct Constants {
    names: BTreeSet<String>,
    /// What the program's modules bring of them, and of types and device data.
    pub modules: BTreeMap<String, Brought>,
}

impl Constants {
    /// `units`: the device code; without any, nothing depends on anything.
    pub fn of<'a>(
        trees: impl Iterator<Item = &'a File> + Clone,
        units: impl Iterator<Item = &'a Unit> + Clone,
    ) -> Constants {
        let mut constants = Constants::default();
        let mut any = false;
        for item in units.clone().flat_map(|u| &u.namespaces).flat_map(items) {
            any = true;
            if let ItemKind::Constant { name, .. } = &item.kind {
                constants.names.insert(name.to_ascii_lowercase());
            }
        }
        if !any {
            return constants;
        }
        let mut made_of: BTreeMap<&str, Vec<&Name>> = BTreeMap::new();
        for tree in trees.clone() {
            for d in declarations(tree) {
                let defined = constants_of(d);
                let found = d.expressions().into_iter().flat_map(places::names_of);
                match defined.is_empty() {
                    true => constants.names.extend(found.map(|n| n.text.to_string())),
                    false => {
                        let found: Vec<&Name> = found.collect();
                        for name in defined {
                            let all = made_of.entry(name.text.as_str()).or_default();
                            all.extend(&found);
                        }
                    }
                }
                if let DeclKind::Use(u) = &d.kind {
                    for item in &u.items {
                        let original = item.original.iter();
                        made_of
                            .entry(item.local.text.as_str())
                            .or_default()
                            .extend(original);
                    }
                }
            }
        }
        let mut open: Vec<String> = constants.names.iter().cloned().collect();
        while let Some(name) = open.pop() {
            for n in made_of.remove(name.as_str()).into_iter().flatten() {
                if constants.names.insert(n.text.to_string()) {
                    open.push(n.text.to_string());
                }
            }
        }
        constants.modules = constants.brought(trees, units);
        constants
    }

    fn brought<'a>(
        &self,
        trees: impl Iterator<Item = &'a File>,
        units: impl Iterator<Item = &'a Unit>,
    ) -> BTreeMap<String, Brought> {
        let mut structs = BTreeSet::new();
        let mut device = BTreeSet::new();
        for n in units.flat_map(|u| &u.namespaces) {
            device.insert(n.name.to_ascii_lowercase());
            for item in items(n) {
                if let ItemKind::Struct(s) = &item.kind {
                    structs.insert(s.name.to_ascii_lowercase());
                }
            }
        }
        let mut out: BTreeMap<String, Brought> = BTreeMap::new();
        let mut used: Vec<(&str, &Use)> = Vec::new();
        let units = trees.flat_map(|t| &t.units);
        for u in units.filter(|u| matches!(u.kind, UnitKind::Module)) {
            let name = u.name.text.as_str();
            let brought = out.entry(name.to_owned()).or_default();
            brought.device = device.contains(name);
            for d in &u.spec {
                let own = match &d.kind {
                    DeclKind::Use(of) => {
                        used.push((name, of));
                        Vec::new()
                    }
                    DeclKind::DerivedType(t) if structs.contains(t.name.text.as_str()) => {
                        vec![&t.name]
                    }
                    DeclKind::Type(t) if t.attrs.iter().any(|a| is_of_device(&a.kind)) => {
                        t.entities.iter().map(|e| &e.name).collect()
                    }
                    _ => constants_of(d)
                        .into_iter()
                        .filter(|n| self.names.contains(n.text.as_str()))
                        .collect(),
                };
                brought.names.extend(own.iter().map(|n| n.text.to_string()));
            }
        }
        // What modules have from others they bring, too.
        loop {
            let mut grown = false;
            for (name, of) in &used {
                let Some(from) = out.get(of.module.text.as_str()).cloned() else {
                    continue;
                };
                let Some(to) = out.get_mut(*name) else {
                    continue;
                };
                for found in names_through(of, &from) {
                    grown |= to.names.insert(found);
                }
                grown |= from.device && !of.only && !std::mem::replace(&mut to.device, true);
            }
            if !grown {
                return out;
            }
        }
    }

    /// Device code depends on a constant of this name.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The lines of a file that declare them, and types of which its device code `unit` has copies.
    pub fn lines(&self, tree: &File, unit: Option<&Unit>, text: &str) -> Vec<Depended> {
        let line = |at: u32| line_of(text, at);
        let mut out = Vec::new();
        for d in declarations(tree) {
            let mut constants = constants_of(d).into_iter();
            if constants.any(|n| self.names.contains(n.text.as_str())) {
                // Branches may be anywhere in it.
                out.push((d.span.start, d.span.end, true));
            }
            if let DeclKind::Use(of) = &d.kind
                && let Some(from) = self.modules.get(of.module.text.as_str())
            {
                let checked = !names_through(of, from).is_empty();
                if checked || from.device {
                    let end = of.list_end.max(of.module.span.end);
                    out.push((of.module.span.start, end, checked));
                }
            }
        }
        let types = copied_types(unit);
        for d in declarations(tree) {
            if let DeclKind::DerivedType(t) = &d.kind
                && types.contains(&t.name.span.start)
            {
                out.push((t.header.start, t.end.start, true));
            }
        }
        let lines = out.into_iter();
        lines
            .map(|(first, last, checked)| Depended {
                first: line(first),
                last: line(last),
                checked,
            })
            .collect()
    }
}

/// What of a module a USE statement makes known, under the names that it has there.
fn names_through(of: &Use, from: &Brought) -> BTreeSet<String> {
    let mut names = match of.only {
        true => BTreeSet::new(),
        false => from.names.clone(),
    };
    for item in &of.items {
        let original = item.original.as_ref().unwrap_or(&item.local);
        if from.names.contains(original.text.as_str()) {
            names.insert(item.local.text.to_string());
        }
    }
    names
}

fn is_of_device(kind: &AttrKind) -> bool {
    matches!(kind, AttrKind::Cuda(_))
}

/// The line of a text, from 0, that an offset is on.
pub(super) fn line_of(text: &str, at: u32) -> u32 {
    let before = text.as_bytes().iter().take(at as usize);
    before.filter(|b| **b == b'\n').count() as u32
}

/// Where the types stand of which the device code of their file has copies.
pub(super) fn copied_types(unit: Option<&Unit>) -> BTreeSet<u32> {
    let items = unit.into_iter().flat_map(|u| &u.namespaces).flat_map(items);
    let types = items.filter(|i| matches!(i.kind, ItemKind::Struct(_)) && i.origin.end > 0);
    types.map(|i| i.origin.start).collect()
}

fn items(n: &crate::ir::Namespace) -> impl Iterator<Item = &Item> {
    n.header.iter().chain(&n.source)
}

/// The declarations of all units of a file.
fn declarations(tree: &File) -> Vec<&Decl> {
    fn of<'a>(u: &'a ProgramUnit, out: &mut Vec<&'a Decl>) {
        out.extend(&u.spec);
        u.procedures.iter().for_each(|p| of(p, out));
    }
    let mut out = Vec::new();
    tree.units.iter().for_each(|u| of(u, &mut out));
    out
}

/// The constants that a declaration defines.
fn constants_of(d: &Decl) -> Vec<&Name> {
    match &d.kind {
        DeclKind::Type(t) => {
            let is_constant = t
                .attrs
                .iter()
                .any(|a| matches!(a.kind, AttrKind::Parameter));
            let entities = t.entities.iter().filter(|_| is_constant);
            entities.map(|e| &e.name).collect()
        }
        DeclKind::Parameter(values) => values.iter().map(|(name, _)| name).collect(),
        DeclKind::Enum(values) => values.iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}
