//! Macros with numbers (`-DN=4`): device code has the numbers, so that compiling host code with other ones ends with an error.

use std::collections::{BTreeMap, BTreeSet};

use super::line::Options;
use super::macros::word_end;
use super::trace::{Item, ItemKind, Trace};

/// The lines that check the numbers given to the preprocessor from outside which the code of a file has; under the macro `guard`, without
/// which there is no device code.
pub(super) fn checks(trace: &Trace, options: &Options, guard: Option<&str>) -> Vec<String> {
    let mut given: BTreeMap<&str, i64> = BTreeMap::new();
    for (name, value) in &options.macros {
        match value.as_deref().and_then(|v| v.trim().parse().ok()) {
            Some(number) => given.insert(name, number),
            None => given.remove(name.as_str()),
        };
    }
    let of_code = |item: &&Item| item.kind == ItemKind::Code;
    let lines = trace.items.iter().filter(of_code).flat_map(Item::text);
    let code = lines.filter(|l| !l.trim_start().starts_with('!'));
    let used: BTreeSet<&str> = code
        .flat_map(words)
        .filter(|w| given.contains_key(w))
        .collect();
    let redefined = |name: &str| {
        let definitions = trace.items.iter();
        let mut definitions = definitions.filter(|i| i.kind == ItemKind::Definition);
        definitions.any(|i| i.text().flat_map(words).any(|w| w == name))
    };
    given.retain(|name, _| used.contains(name) && !redefined(name));
    let mut out = Vec::new();
    for (name, number) in given {
        let other = format!("!defined({name}) || {name} != {number}");
        out.push(match guard {
            Some(guard) => format!("#if defined({guard}) && ({other})"),
            None => format!("#if {other}"),
        });
        out.push(format!(
            "#error \"cuf2cu: translated with {name}={number}, translate again for another value\""
        ));
        out.push("#endif".to_owned());
    }
    out
}

/// The words of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let c = rest.chars().next()?;
            let (word, after) = match word_end(rest) {
                0 => (None, &rest[c.len_utf8()..]),
                end => (Some(&rest[..end]), &rest[end..]),
            };
            rest = after;
            if word.is_some() {
                return word;
            }
        }
    })
}
