//! Conditionals whose directives are not in the host code written, since a part of them is in what was translated: device code is that of the
//! branches that were taken. Where other macros would choose other ones, compiling the host code ends with an error.

use std::collections::{BTreeMap, BTreeSet};

use super::cpp::PREDEFINED;
use super::macros::word_end;
use super::trace::{self, Item, ItemKind, Trace};

/// A branch of a conditional.
#[derive(Default)]
struct Branch {
    /// Its directive.
    at: usize,
    /// It has code, which was read.
    read: bool,
    /// It has code, which was left out.
    skipped: bool,
}

/// For conditionals of these numbers, by the item that opens them, the lines that check the choice. What asks for the macro `guard` is compiled
/// without it, too.
pub(super) fn checks(
    trace: &Trace,
    gone: &BTreeSet<u32>,
    guard: Option<&str>,
) -> BTreeMap<usize, Vec<String>> {
    let mut out = BTreeMap::new();
    let defined: BTreeSet<&str> = trace.items.iter().filter_map(trace::defined).collect();
    // The same choice is checked once, as long as the macros stay what they are.
    let mut known: BTreeSet<Vec<String>> = BTreeSet::new();
    for (at, item) in trace.items.iter().enumerate() {
        match item.kind {
            ItemKind::Definition => known.clear(),
            ItemKind::Open(group) if gone.contains(&group) => {
                let branches = branches(trace, at, group);
                let conditions = || branches.iter().filter_map(|b| trace.items.get(b.at));
                let names: BTreeSet<&str> = conditions().flat_map(asked).collect();
                let is_fixed = |n: &&str| defined.contains(n) || PREDEFINED.contains(n);
                if names.iter().all(is_fixed) || guard.is_some_and(|g| names.contains(g)) {
                    continue;
                }
                let lines = lines(trace, &branches);
                let shape: Vec<String> = lines
                    .iter()
                    .map(|l| if l.starts_with("#error") { "#error" } else { l }.to_owned())
                    .collect();
                if lines.iter().any(|l| l.starts_with("#error")) && known.insert(shape) {
                    out.insert(at, lines);
                }
            }
            _ => {}
        }
    }
    out
}

/// Lines that device code depends on, from 0: the declaration of a constant or a type that it has as it is in the branches that were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depended {
    pub first: u32,
    pub last: u32,
}

/// For conditionals that are written, the checks of those that such lines are in, or that are in the lines: to stand at the beginning of the
/// file. Conditions about macros that the file defines are no choice of its user's.
pub(super) fn of_declarations(
    trace: &Trace,
    gone: &BTreeSet<u32>,
    depended: &[Depended],
    guard: Option<&str>,
) -> Vec<String> {
    let defined: BTreeSet<&str> = trace.items.iter().filter_map(trace::defined).collect();
    let mut out: Vec<String> = Vec::new();
    for (at, group) in groups_of_declarations(trace, depended) {
        let branches = branches(trace, at, group);
        let conditions = branches.iter().filter_map(|b| trace.items.get(b.at));
        let names: BTreeSet<&str> = conditions.flat_map(asked).collect();
        let of_file = |n: &&str| defined.contains(n) || PREDEFINED.contains(n);
        let is_guard = guard.is_some_and(|g| names.contains(g));
        if gone.contains(&group) || is_guard || names.iter().any(of_file) {
            continue;
        }
        let lines = lines(trace, &branches);
        if lines.iter().any(|l| l.starts_with("#error")) {
            out.extend(lines);
        }
    }
    out
}

/// The conditionals that such lines are in, or that are in the lines, by the items that open them.
pub(super) fn groups_of_declarations(trace: &Trace, depended: &[Depended]) -> BTreeMap<usize, u32> {
    let of_line = |line: u32| trace.lines.get(line as usize).copied();
    let ranges = depended.iter();
    let ranges = ranges.filter_map(|d| Some((of_line(d.first)?, of_line(d.last)?)));
    let ranges: Vec<(u32, u32)> = ranges.collect();
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut found: BTreeMap<usize, u32> = BTreeMap::new();
    for (at, item) in trace.items.iter().enumerate() {
        if let ItemKind::Open(group) = item.kind {
            open.push((at, group));
        }
        let i = at as u32;
        if ranges
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&i))
        {
            found.extend(open.iter().copied());
        }
        if let ItemKind::Close(_) = item.kind {
            open.pop();
        }
    }
    found
}

/// The branches of a conditional that an item opens.
fn branches(trace: &Trace, open: usize, group: u32) -> Vec<Branch> {
    let mut all = Vec::new();
    let mut now = Branch {
        at: open,
        ..Branch::default()
    };
    for (at, item) in trace.items.iter().enumerate().skip(open + 1) {
        match item.kind {
            ItemKind::Close(g) if g == group => break,
            ItemKind::Middle(g) if g == group => {
                let next = Branch {
                    at,
                    ..Branch::default()
                };
                all.push(std::mem::replace(&mut now, next));
            }
            ItemKind::Skipped(g) if g == group => now.skipped |= item.text().any(is_code),
            _ => now.read |= item.text().any(is_code),
        }
    }
    all.push(now);
    all
}

fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && (!line.starts_with('!') || line.starts_with("!$") || line.starts_with("!@"))
}

/// The names in the condition of a directive.
pub(super) fn asked(item: &Item) -> Vec<&str> {
    let mut names = Vec::new();
    for line in item.text() {
        let line = line.split("/*").next().unwrap_or_default();
        let mut rest = line.trim_start().trim_start_matches('#').trim_start();
        while let Some(c) = rest.chars().next() {
            let end = match c.is_ascii_digit() {
                true => rest
                    .find(|c: char| !c.is_ascii_alphanumeric())
                    .unwrap_or(rest.len()),
                false => word_end(rest),
            };
            if end > 0 && !c.is_ascii_digit() {
                names.push(&rest[..end]);
            }
            rest = &rest[end.max(c.len_utf8())..];
        }
    }
    names.retain(|n| {
        !["if", "ifdef", "ifndef", "elif", "else", "defined"]
            .contains(&n.to_ascii_lowercase().as_str())
    });
    names
}

/// The conditional with errors in the branches that were left out.
fn lines(trace: &Trace, branches: &[Branch]) -> Vec<String> {
    let mut out = Vec::new();
    let Some(open) = branches.first().and_then(|b| trace.items.get(b.at)) else {
        return out;
    };
    let file = open
        .file
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let error = format!(
        "#error \"cuf2cu: {}, line {}: translated for another branch, translate again with these macros\"",
        file.replace(['"', '\\', '\''], "_"),
        open.first
    );
    let mut is_last = false;
    for b in branches {
        let Some(item) = trace.items.get(b.at) else {
            continue;
        };
        for (n, line) in item.text().enumerate() {
            out.push(if n == 0 {
                directive(line)
            } else {
                line.to_owned()
            });
        }
        if b.skipped {
            out.push(error.clone());
        }
        is_last = asked(item).is_empty();
        if is_last && !b.skipped {
            // `#else` with nothing behind it.
            out.truncate(out.len() - item.text().count());
        }
    }
    if !is_last && branches.iter().any(|b| b.read) {
        out.extend(["#else".to_owned(), error]);
    }
    // What holds for the branch taken alone is said of the other one.
    if let [first, otherwise, _] = &out[..]
        && otherwise == "#else"
        && let Some(negated) = negated(first)
    {
        out.splice(0..2, [negated]);
    }
    out.push("#endif".to_owned());
    out
}

/// `#ifdef` and `#ifndef` of the other kind.
fn negated(line: &str) -> Option<String> {
    let of = |from: &str, to: &str| {
        let name = line.strip_prefix(from)?.trim();
        (word_end(name) == name.len()).then(|| format!("{to} {name}"))
    };
    of("#ifdef ", "#ifndef").or_else(|| of("#ifndef ", "#ifdef"))
}

/// A directive as gfortran's preprocessor knows it: in the first column, in lower case.
pub(super) fn directive(line: &str) -> String {
    let body = line.trim_start();
    let rest = body.strip_prefix('#').unwrap_or(body);
    let blanks = rest.len() - rest.trim_start().len();
    let word = &rest[blanks..];
    let word = &word[..word_end(word)];
    let after = &rest[blanks + word.len()..];
    format!("#{}{}{after}", &rest[..blanks], word.to_ascii_lowercase())
}
