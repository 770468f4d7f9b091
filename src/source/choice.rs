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

/// Lines that device code depends on, from 0: the declaration of a constant or a type that it has as it is in the branches that were taken, or
/// USE of a module that brings such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depended {
    pub first: u32,
    pub last: u32,
    /// Host code of another choice would be wrong.
    pub checked: bool,
}

/// What a module brings to those that use it.
#[derive(Clone, Debug, Default)]
pub struct Brought {
    /// Constants and types that device code is made of, and device data.
    pub names: BTreeSet<String>,
    /// Device code, or a module that has some.
    pub device: bool,
}

/// What device code is made of.
#[derive(Clone, Copy, Debug)]
pub struct Depends<'a> {
    lines: &'a [Depended],
    modules: &'a BTreeMap<String, Brought>,
}

impl<'a> Depends<'a> {
    /// `lines`: of one file; `modules`: of the program, by name.
    pub fn of(lines: &'a [Depended], modules: &'a BTreeMap<String, Brought>) -> Depends<'a> {
        Depends { lines, modules }
    }

    /// A line that was not read is a USE statement that brings some of it.
    fn is_brought(&self, line: &str, checked: bool) -> bool {
        let line = line.to_ascii_lowercase();
        let code = line.split('!').next().unwrap_or_default();
        let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut words = words.filter(|w| !w.is_empty());
        if words.next() != Some("use") {
            return false;
        }
        let Some(from) = words.next().and_then(|m| self.modules.get(m)) else {
            return false;
        };
        let mut rest = words.peekable();
        let of_names = match rest.peek() {
            Some(&"only") => rest.any(|w| from.names.contains(w)),
            _ => !from.names.is_empty(),
        };
        of_names || !checked && from.device
    }
}

/// For conditionals that are written, the checks of those that choose what device code is made of: to stand at the beginning of the
/// file. Conditions about macros that the file defines are no choice of its user's, but for a default (`#ifndef N`, `#define N 8`).
pub(super) fn of_declarations(
    trace: &Trace,
    copies: &[Option<u32>],
    gone: &BTreeSet<u32>,
    (depends, defaults): (Depends<'_>, bool),
    guard: Option<&str>,
) -> Vec<String> {
    let defined: BTreeSet<&str> = trace.items.iter().filter_map(trace::defined).collect();
    let mut out: Vec<String> = Vec::new();
    for (at, group) in groups_of(trace, Some(copies), depends, gone, true) {
        let branches = branches(trace, at, group);
        let conditions = branches.iter().filter_map(|b| trace.items.get(b.at));
        let names: BTreeSet<&str> = conditions.flat_map(asked).collect();
        let of_file = |n: &&str| defined.contains(n) || PREDEFINED.contains(n);
        let is_guard = guard.is_some_and(|g| names.contains(g));
        if gone.contains(&group) || is_guard {
            continue;
        }
        if names.iter().any(of_file) {
            let default = default_of(trace, at).filter(|_| defaults);
            let check = default.map(|(name, body)| check_of_default(name, body));
            out.extend(
                check
                    .into_iter()
                    .flatten()
                    .filter(|l| !out.contains(l))
                    .collect::<Vec<_>>(),
            );
            continue;
        }
        let lines = lines(trace, &branches);
        if lines.iter().any(|l| l.starts_with("#error")) {
            out.extend(lines);
        }
    }
    out
}

/// The macro and its value if a conditional gives a macro the value that it has unless the user gives another one.
fn default_of(trace: &Trace, open: usize) -> Option<(&str, &str)> {
    let line = trace.items.get(open)?.text().next()?;
    let negated = negated(&directive(line))?;
    let name = negated.strip_prefix("#ifdef ")?;
    let items = trace.items.iter().enumerate();
    let mut all = items.filter_map(|(i, item)| Some((i, given(item)?)));
    let (at, (found, body)) = all.find(|(_, (n, _))| *n == name)?;
    (at > open && !body.is_empty()).then_some((found, body))
}

fn check_of_default(name: &str, body: &str) -> [String; 3] {
    let is_number = body.len() < 10 && body.bytes().all(|b| b.is_ascii_digit());
    [
        match is_number {
            true => format!("#if defined({name}) && {name} != {body}"),
            false => format!("#ifdef {name}"),
        },
        format!(
            "#error \"cuf2cu: translated with {name} as this file defines it, translate again with the macro\""
        ),
        "#endif".to_owned(),
    ]
}

/// The conditionals, by the items that open them, that choose what device code is made of: lines it depends on, modules that bring such, and macros
/// that stand in what was translated or in the conditions `chosen`.
pub(super) fn groups_of(
    trace: &Trace,
    copies: Option<&[Option<u32>]>,
    depends: Depends<'_>,
    chosen: &BTreeSet<u32>,
    checked: bool,
) -> BTreeMap<usize, u32> {
    let of_line = |line: u32| trace.lines.get(line as usize).copied();
    let ranges = depends.lines.iter().filter(|d| d.checked || !checked);
    let ranges = ranges.filter_map(|d| Some((of_line(d.first)?, of_line(d.last)?)));
    let ranges: Vec<(u32, u32)> = ranges.collect();
    let depended = |i: usize| {
        let i = i as u32;
        ranges
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&i))
    };
    let mut used = translated_words(trace, copies);
    let lines = trace.items.iter().enumerate();
    used.extend(
        lines
            .filter(|(i, _)| depended(*i))
            .flat_map(|(_, item)| words_of(item)),
    );
    let mut found: BTreeMap<usize, u32> = BTreeMap::new();
    loop {
        let before = (found.len(), used.len());
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (at, item) in trace.items.iter().enumerate() {
            let of_chosen = |g: u32| chosen.contains(&g) || found.values().any(|f| *f == g);
            match item.kind {
                ItemKind::Open(group) => {
                    open.push((at, group));
                    used.extend(asked(item).into_iter().filter(|_| of_chosen(group)));
                }
                ItemKind::Middle(group) => {
                    used.extend(asked(item).into_iter().filter(|_| of_chosen(group)));
                }
                _ => {}
            }
            let given = given(item).filter(|(name, _)| used.contains(name));
            used.extend(given.into_iter().flat_map(|(_, body)| words(body)));
            let is_skipped = matches!(item.kind, ItemKind::Skipped(_));
            let brought = is_skipped && item.text().any(|l| depends.is_brought(l, checked));
            if given.is_some() || brought || depended(at) {
                found.extend(open.iter().copied());
            }
            if let ItemKind::Close(_) = item.kind {
                open.pop();
            }
        }
        if before == (found.len(), used.len()) {
            return found;
        }
    }
}

/// The words of lines that are not written as the user has them.
fn translated_words<'t>(trace: &'t Trace, copies: Option<&[Option<u32>]>) -> BTreeSet<&'t str> {
    let copied: BTreeSet<u32> = copies.into_iter().flatten().copied().flatten().collect();
    let lines = trace.lines.iter().enumerate();
    let changed = lines.filter(|(k, _)| !copied.contains(&(*k as u32)));
    let items: BTreeSet<u32> = changed.map(|(_, item)| *item).collect();
    let items = items
        .into_iter()
        .filter_map(|i| trace.items.get(i as usize));
    items
        .filter(|item| item.kind == ItemKind::Code)
        .flat_map(words_of)
        .collect()
}

/// The words of lines, without those of comments.
pub(super) fn words_of(item: &Item) -> impl Iterator<Item = &str> {
    let is_sentinel =
        |l: &str| l.trim_start().starts_with("!$") || l.trim_start().starts_with("!@");
    let code = move |line: &'_ str| match line.find(['!', '\'', '"']) {
        Some(at) if line[at..].starts_with('!') && !is_sentinel(line) => at,
        _ => line.len(),
    };
    item.text()
        .map(move |l| &l[..code(l)])
        .flat_map(|l| l.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .filter(|w| word_end(w) > 0)
}

/// The macro that a line gives or takes a value, be it in a branch that was left out, and the value.
pub(super) fn given(item: &Item) -> Option<(&str, &str)> {
    if !matches!(item.kind, ItemKind::Definition | ItemKind::Skipped(_)) {
        return None;
    }
    let line = item.text().next()?;
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let (word, rest) = rest.split_at(word_end(rest));
    if !["define", "undef"].contains(&word.to_ascii_lowercase().as_str()) {
        return None;
    }
    let rest = rest.trim_start();
    let (name, body) = rest.split_at(word_end(rest));
    (!name.is_empty()).then(|| (name, body.trim()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|w| word_end(w) > 0)
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
