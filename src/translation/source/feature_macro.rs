//! Programs whose CUDA Fortran stands under a macro of the user's: what changed stands under it too, with the user's lines in the other
//! branch, so that the output compiles without the macro as the source did.

use std::collections::{BTreeMap, BTreeSet};

use super::preprocessing_record::{self, Item, ItemKind, Trace};
use super::text::SourceText;

/// What replaces a CUF loop in the branch without CUDA, unless loops are kept.
#[derive(Clone, Copy, Debug)]
pub struct Guard<'a> {
    /// The macro.
    pub name: &'a str,
    /// CUF loops stay in the branch without it.
    pub keep_loops: bool,
}

/// The conditionals around a place, outermost first: for each the macros that are surely defined there.
#[derive(Default)]
pub(super) struct ConditionalStack(Vec<Level>);

struct Level {
    /// Defined in the first branch.
    first: BTreeSet<String>,
    /// Defined in the branch that the place is in.
    defined: BTreeSet<String>,
    /// Not defined in the first branch, and so defined in the next one.
    before: Option<String>,
    /// The place is in the first branch.
    at_first: bool,
}

impl ConditionalStack {
    /// Passes a line.
    pub fn pass(&mut self, item: &Item) {
        match item.kind {
            ItemKind::Open(_) => {
                let (defined, before) = condition(item);
                self.0.push(Level {
                    first: defined.clone(),
                    defined,
                    before,
                    at_first: true,
                });
            }
            ItemKind::Middle(_) => {
                let Some(level) = self.0.last_mut() else {
                    return;
                };
                let (defined, _) = condition(item);
                level.at_first = false;
                level.defined = match level.before.take() {
                    Some(name) => BTreeSet::from([name]),
                    None => BTreeSet::new(),
                };
                level.defined.extend(defined);
            }
            ItemKind::Close(_) => {
                self.0.pop();
            }
            _ => {}
        }
    }

    pub fn defines(&self, name: &str) -> bool {
        self.0.iter().any(|l| l.defined.contains(name))
    }

    /// The place is in a branch that is compiled where the macro is not defined, and only there.
    pub fn excludes(&self, name: &str) -> bool {
        let level = self.0.last();
        level.is_some_and(|l| match l.at_first {
            true => l.before.as_deref() == Some(name),
            false => l.first.contains(name) && !l.defined.contains(name),
        })
    }

    fn macros_here(&self) -> BTreeSet<String> {
        self.0.iter().flat_map(|l| l.defined.clone()).collect()
    }
}

/// The macros that have to be defined for the condition of a directive to hold, and the one that is defined where it does not.
fn condition(item: &Item) -> (BTreeSet<String>, Option<String>) {
    let lines: Vec<&str> = item.text().collect();
    let text = lines.join(" ");
    let text = text.trim_start().trim_start_matches('#').trim_start();
    let (word, rest) = text.split_at(super::macros::word_end(text));
    let name = |t: &str| {
        let t = t.trim_start();
        let end = super::macros::word_end(t);
        (end > 0).then(|| t[..end].to_owned())
    };
    match word.to_ascii_lowercase().as_str() {
        "ifdef" => (name(rest).into_iter().collect(), None),
        "ifndef" => (BTreeSet::new(), name(rest)),
        "if" if rest.trim_start().starts_with('!') && !rest.contains(['&', '|']) => {
            let not = rest.trim_start().trim_start_matches('!').trim_start();
            let of = not.strip_prefix("defined");
            let of = of.map(|t| t.trim_start_matches(['(', ' ', '\t']));
            (BTreeSet::new(), of.and_then(name))
        }
        "if" | "elif" => {
            let of_term = |t: &str| {
                let t = t.trim().trim_matches(['(', ')', ' ', '\t']);
                let after = t.strip_prefix("defined")?;
                let after = after.trim_start_matches(['(', ' ', '\t']);
                let found = name(after)?;
                (after.len() == found.len()).then_some(found)
            };
            // An alternative asks for none of its parts.
            let terms = rest.split("&&").filter(|_| !rest.contains("||"));
            (terms.filter_map(of_term).collect(), None)
        }
        _ => (BTreeSet::new(), None),
    }
}

/// For each item whether its lines are compiled without the macro: those that were read, and those left out for its sake.
pub(super) fn without(trace: &Trace, name: &str) -> Vec<bool> {
    let mut around = ConditionalStack::default();
    let compiled = |item: &Item| {
        around.pass(item);
        match item.kind {
            ItemKind::Code => !around.defines(name),
            ItemKind::Skipped(_) => around.excludes(name),
            _ => false,
        }
    };
    trace.items.iter().map(compiled).collect()
}

/// The macro under which a program's CUDA Fortran stands in those files that ask for it at all, but for directives and conditional lines, which
/// are comments elsewhere; None if there is none. Of several it is the one around most.
pub fn cuda_macro<'t>(files: impl Iterator<Item = &'t SourceText>) -> Option<String> {
    // How many lines each is around, and which have such lines elsewhere.
    let mut around: BTreeMap<String, usize> = BTreeMap::new();
    let mut refuted: BTreeSet<String> = BTreeSet::new();
    for trace in files.filter_map(|f| f.trace.as_deref()) {
        let found = conditions(trace);
        refuted.extend(found.refuted);
        for here in &found.lines {
            let missing = found.asked.difference(here);
            refuted.extend(missing.cloned());
            for name in here {
                *around.entry(name.clone()).or_default() += 1;
            }
        }
    }
    around.retain(|name, _| !refuted.contains(name));
    let most = around.into_iter().rev().max_by_key(|(_, lines)| *lines);
    most.map(|(name, _)| name)
}

/// Whether what changes of a file stands under the macro: all but files of CUDA Fortran that do not ask for it, which are not compiled
/// without it.
pub(super) fn is_guarded(trace: &Trace, name: &str) -> bool {
    let found = conditions(trace);
    found.asked.contains(name) || found.lines.is_empty()
}

/// The conditions of a file's CUDA Fortran.
#[derive(Default)]
struct Conditions {
    /// The macros that are defined around each line of CUDA Fortran.
    lines: Vec<BTreeSet<String>>,
    /// All macros that conditionals ask for.
    asked: BTreeSet<String>,
    /// Those without which there is CUDA Fortran, too: they choose among two programs of it.
    refuted: BTreeSet<String>,
}

fn conditions(trace: &Trace) -> Conditions {
    let mut found = Conditions::default();
    let mut around = ConditionalStack::default();
    for item in &trace.items {
        if matches!(item.kind, ItemKind::Open(_) | ItemKind::Middle(_)) {
            let (defined, before) = condition(item);
            found.asked.extend(defined.into_iter().chain(before));
        }
        around.pass(item);
        if matches!(item.kind, ItemKind::Skipped(_))
            && item.text().any(preprocessing_record::is_of_language)
        {
            let without = found.asked.iter().filter(|name| around.excludes(name));
            found.refuted.extend(without.cloned());
        }
        if item.kind == ItemKind::Code && item.text().any(is_declaring) {
            found.lines.push(around.macros_here());
        }
    }
    found
}

/// The line is CUDA Fortran that no other compiler reads.
fn is_declaring(line: &str) -> bool {
    !line.trim_start().starts_with(['!', '#']) && preprocessing_record::is_cuda_fortran(line)
}

/// The branch without CUDA for lines of the user's that were changed; empty if nothing is compiled there.
pub(super) fn other_branch(guard: Guard<'_>, old: Vec<&str>, new: &[&str]) -> Vec<String> {
    let is_loop = |l: &&str| {
        let l = l.trim_start().to_ascii_lowercase();
        l.starts_with("!$cuf kernel")
    };
    let mut lines: Vec<String> = Vec::new();
    for line in old {
        if is_loop(&line) && !guard.keep_loops {
            let indent = &line[..line.len() - line.trim_start().len()];
            let of = new
                .iter()
                .find_map(|l| l.trim_start().strip_prefix("! CUF loop: "));
            let of = of.and_then(|l| l.split(',').nth(1)).unwrap_or("").trim();
            lines.push(format!(
                "{indent}error stop 'CUF loop {of}: built without {}, translated without --keep-loops'",
                guard.name
            ));
            break;
        }
        lines.push(line.to_owned());
    }
    let compiled = |l: &String| {
        let l = l.trim_start();
        !l.is_empty() && (!l.starts_with('!') || l.starts_with("!$"))
    };
    match lines.iter().any(compiled) {
        true => lines,
        false => Vec::new(),
    }
}
