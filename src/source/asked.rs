//! What the conditionals of a program ask of macros, and which of these choose what is CUDA Fortran.

use std::collections::{BTreeMap, BTreeSet};

use super::choice::{self, Depends, asked, given, words_of};
use super::condition::{Asked, Condition, Directive};
use super::cpp::is_predefined;
use super::include::{find, named};
use super::line::{Files, Options};
use super::restore::{Layout, cuda_branches, gone_groups};
use super::text::SourceText;
use super::trace::{Item, ItemKind, Trace};

impl SourceText {
    /// The macros that the file asks for. `host`: its edited text; `layout`: of that; `depends`: see [`SourceText::restored`]; `guard`: the macro of the
    /// program's CUDA Fortran; `options` and `files`: how it was read.
    pub fn asked(
        &self,
        (host, layout): (&str, Option<&Layout>),
        depends: Depends<'_>,
        guard: Option<&str>,
        (options, files): (&Options, Files<'_>),
    ) -> BTreeMap<String, Asked> {
        let Some(trace) = self.trace.as_deref() else {
            let mut out = self.conditions.clone();
            if self.unchanged(host, options, files).is_some() {
                out.values_mut().for_each(|a| a.chooses = 0);
            }
            return out;
        };
        let mut out = uses(&trace.items);
        let includes = |item: &Item| {
            let line = item.text().next().and_then(|l| named(l, options));
            line.is_some_and(|name| find(name, &item.file.path, options, &|p| files(p)).is_some())
        };
        for name in chosen_by(trace, layout, depends, guard, &includes) {
            if let Some(asked) = out.get_mut(name) {
                asked.chooses += 1;
            }
        }
        out
    }
}

/// How these items use macros.
fn uses(items: &[Item]) -> BTreeMap<String, Asked> {
    let mut out: BTreeMap<String, Asked> = BTreeMap::new();
    let mut code = BTreeSet::new();
    for item in items {
        if matches!(
            item.kind,
            ItemKind::Code | ItemKind::Definition | ItemKind::Skipped(_)
        ) && directive(item).is_none()
        {
            code.extend(words_of(item));
        }
        for part in conditions(item).iter().flat_map(Condition::parts) {
            let mut note = |name: &str, set: fn(&mut Asked)| {
                set(out.entry(name.to_owned()).or_default());
            };
            match part {
                Condition::Defined(name) => note(name, |a| a.defined = true),
                Condition::True(name) => note(name, |a| a.truth = true),
                Condition::Other(names) => {
                    names.iter().for_each(|n| note(n, |a| a.other = true));
                }
                _ => {}
            }
        }
    }
    for (name, asked) in &mut out {
        asked.other |= code.contains(name.as_str()) || is_predefined(name);
    }
    out
}

/// The same of a file that is written without its directives: each of its conditionals chooses what is there.
pub(super) fn of_lost(items: &[Item]) -> BTreeMap<String, Asked> {
    let mut out = uses(items);
    let given: BTreeSet<&str> = items.iter().filter_map(|i| Some(given(i)?.0)).collect();
    for item in items {
        if matches!(item.kind, ItemKind::Open(_) | ItemKind::Middle(_)) {
            for name in asked(item)
                .into_iter()
                .filter(|n| !given.contains(n) && !is_predefined(n))
            {
                if let Some(asked) = out.get_mut(name) {
                    asked.chooses += 1;
                }
            }
        }
    }
    out
}

/// The condition of an item that is a directive with one, be it in a branch that was left out.
fn conditions(item: &Item) -> Option<Condition> {
    match directive(item)? {
        Directive::Open(c) | Directive::Middle(c) => Some(c),
        Directive::Close => None,
    }
}

fn directive(item: &Item) -> Option<Directive> {
    let joined: Vec<&str> = item.text().map(|l| l.trim_end_matches('\\')).collect();
    Directive::of(&joined.join(" "))
}

/// The macros of the conditionals that choose CUDA Fortran, or what device code is made of, as often as they do.
fn chosen_by<'t>(
    trace: &'t Trace,
    layout: Option<&Layout>,
    depends: Depends<'_>,
    guard: Option<&str>,
    includes: &dyn Fn(&Item) -> bool,
) -> Vec<&'t str> {
    // One that the file itself gives is no choice of the user's.
    let defined: BTreeSet<&str> = (trace.items.iter())
        .filter_map(|item| Some(given(item)?.0))
        .collect();
    let gone = layout.map(|l| gone_groups(trace, l)).unwrap_or_default();
    let checked = choice::checks(trace, &gone, guard);
    let mut groups: BTreeSet<u32> = (checked.keys())
        .filter_map(|open| trace.items.get(*open)?.group())
        .collect();
    let marked = cuda_branches(trace);
    groups.extend(marked.keys().filter_map(|i| trace.items.get(*i)?.group()));
    // Files in branches left out are not known.
    let unread = trace.items.iter().filter(|item| match item.kind {
        ItemKind::Skipped(_) => includes(item),
        _ => false,
    });
    groups.extend(unread.filter_map(Item::group));
    // Of many alternatives (`#elif`) that only USE or a definition leads to there are no two choices.
    let sure = groups.clone();
    groups.extend(
        choice::groups_of(trace, layout.map(|l| &*l.copies), depends, &groups, false).into_values(),
    );
    let of_group = |item: &&Item| {
        matches!(item.kind, ItemKind::Open(_) | ItemKind::Middle(_))
            && item.group().is_some_and(|g| groups.contains(&g))
    };
    let mut by_group: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for item in trace.items.iter().filter(of_group) {
        let names = by_group
            .entry(item.group().unwrap_or_default())
            .or_default();
        names.extend(asked(item));
    }
    by_group.retain(|group, names| sure.contains(group) || names.len() <= 2);
    // What stands under the macro of the program's CUDA Fortran has both its branches.
    by_group.retain(|_, names| !guard.is_some_and(|g| names.contains(g)));
    let all = by_group.into_values().flatten();
    all.filter(|n| !defined.contains(n) && !is_predefined(n))
        .collect()
}
