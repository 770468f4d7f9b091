//! What the conditionals of a program ask of macros.

use std::collections::BTreeMap;

use super::condition::{Condition, Directive, MacroUse, bounds};
use super::cpp::is_predefined;
use super::directives::{asked, given};
use super::preprocessing_record::{self, Item, ItemKind};
use super::text::SourceText;

impl SourceText {
    /// The macros that the conditionals of the file and of those that it includes ask for, in branches left out, too.
    pub fn asked(&self) -> &BTreeMap<String, MacroUse> {
        &self.conditions
    }
}

/// How these items use macros.
pub(super) fn uses(items: &[Item]) -> BTreeMap<String, MacroUse> {
    let mut out: BTreeMap<String, MacroUse> = BTreeMap::new();
    for item in items {
        let text = joined(item);
        let Some(condition) = condition(&text) else {
            continue;
        };
        for (name, bound) in bounds(&text) {
            let asked = out.entry(name.to_owned()).or_default();
            asked.bounds.insert(bound.to_owned());
        }
        for part in condition.parts() {
            let mut note = |name: &str, set: fn(&mut MacroUse)| {
                let asked = out.entry(name.to_owned()).or_default();
                set(asked);
                asked.chooses += 1;
                let place = || (item.file.path.clone(), item.first);
                asked.place.get_or_insert_with(place);
            };
            match part {
                Condition::Defined(name) => note(name, |a| a.defined = true),
                Condition::True(name) => note(name, |a| a.truth = true),
                Condition::Equals(name, value) => {
                    note(name, |a| a.other = true);
                    if let Some(asked) = out.get_mut(name) {
                        asked.compared.insert(value.clone());
                    }
                }
                Condition::Other(names) => {
                    names.iter().for_each(|n| note(n, |a| a.other = true));
                }
                _ => {}
            }
        }
    }
    for (name, asked) in &mut out {
        asked.other |= is_predefined(name);
    }
    // One that the program itself gives is no choice of its user's.
    for (name, _) in items.iter().filter_map(given) {
        if let Some(asked) = out.get_mut(name) {
            asked.given = true;
        }
    }
    for name in around_cuda(items) {
        if let Some(asked) = out.get_mut(name) {
            asked.cuda += 1;
        }
    }
    out
}

/// The macros of the conditionals that leave out CUDA Fortran.
fn around_cuda(items: &[Item]) -> Vec<&str> {
    let is_cuda = |item: &&Item| {
        matches!(item.kind, ItemKind::Skipped(_))
            && item.text().any(preprocessing_record::is_cuda_fortran)
    };
    let groups: std::collections::BTreeSet<u32> = (items.iter().filter(is_cuda))
        .filter_map(Item::group)
        .collect();
    let of_group = |item: &&Item| {
        matches!(item.kind, ItemKind::Open(_) | ItemKind::Middle(_))
            && item.group().is_some_and(|g| groups.contains(&g))
    };
    items.iter().filter(of_group).flat_map(asked).collect()
}

/// The text of an item, its continuation lines joined.
fn joined(item: &Item) -> String {
    let lines: Vec<&str> = item.text().map(|l| l.trim_end_matches('\\')).collect();
    lines.join(" ")
}

/// The condition of a directive with one, be it in a branch that was left out.
fn condition(text: &str) -> Option<Condition> {
    match Directive::of(text)? {
        Directive::Open(c) | Directive::Middle(c) => Some(c),
        Directive::Close => None,
    }
}
