//! Both choices of a macro from one translation.
//!
//! What a conditional leaves out is translated by a second run, for which the macro is the other way. The files of both runs are merged, one
//! by one ([`files`]): where they differ, the text stands under a conditional about the macro ([`merge`]). A merged text is used only if
//! deciding the macro either way gives the text of that run back; where one cannot be had, the translation is that of the choice asked for.

mod defaults;
mod files;
mod guards;
mod kind;
mod mapped;
mod merge;
mod nesting;
mod numbers;
mod runs;
mod settings;
#[cfg(test)]
mod tests;
mod tree;
mod united;
mod without;

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::source::Skipped;
use crate::translate::{
    Action, Choices, FileKind, OutputFile, SourceInput, TranslateOptions, Translation,
    VariantMacro, source_options, translate,
};
use files::Reading;
pub use guards::LINES_END;
use runs::{Held, NO_MORE, Runs};

/// Macros of which a program has both choices: each doubles the translations.
const MAX: usize = 3;

/// So many translations more are made at most for one macro without influence that chooses constants.
const MAX_BESIDE: usize = 32;

/// Translates `inputs` as [`translate()`] does, and for the other choices of the macros that conditionals ask for.
pub fn translate_both(inputs: Vec<SourceInput>, options: &TranslateOptions) -> Translation {
    if !is_possible(options) {
        return translate_one(inputs, options, Choices::default());
    }
    match options.goal {
        Action::Check => checked(inputs, options),
        _ => with_choices(inputs, options, true),
    }
}

/// The translation with all choices that a build may have, those of numbers if they are wanted.
fn with_choices(
    inputs: Vec<SourceInput>,
    options: &TranslateOptions,
    wants_numbers: bool,
) -> Translation {
    let options = &TranslateOptions {
        wider_libraries: true,
        ..options.clone()
    };
    let mut all = translate(inputs.clone(), options);
    if all.has_errors() || all.files.is_empty() {
        return all;
    }
    let again = TranslateOptions {
        step: None,
        source_map: false,
        facts: false,
        ..options.clone()
    };
    let size: usize = texts_of(&inputs, &all).iter().map(|t| t.len()).sum();
    let runs = &mut Runs::new(&inputs, size);
    let mut choices = Choices::default();
    let mut asked = BTreeSet::new();
    while let Some(name) = next(&all, &asked) {
        asked.insert(name.clone());
        let known = {
            let texts = texts_of(&inputs, &all);
            choice_of(&name, &all, options, &texts)
        };
        let added = known.and_then(|choice| {
            let alone = runs.one(&flipped(&again, &choice))?;
            if alone.asked.get(&name).is_some_and(|a| a.other || a.given) {
                return Err("the other branch asks more than whether it is defined".to_owned());
            }
            add(&mut all, &mut choices, choice, (runs, &again))
        });
        if let Err(why) = added {
            choices.one.push((name, why));
        }
    }
    look_again(&mut all, &mut choices, (runs, &again));
    let free = defaults::free(&mut all, (&inputs, &again), &choices.both, runs);
    choices.neutral.extend(free);
    let texts = texts_of(&inputs, &all);
    confirm(&mut choices, &all, (runs, &again), &texts);
    drop(texts);
    if wants_numbers {
        numbers::add(&mut all, &mut choices, runs, (&inputs, &again));
    }
    let texts = texts_of(&inputs, &all);
    for choice in choices.both.iter_mut().chain(&mut choices.neutral) {
        let asked = all.asked.get(&choice.name).cloned().unwrap_or_default();
        let in_two_ways = asked.defined && asked.truth || asked.other || asked.given;
        choice.exact |= in_two_ways || is_named(&choice.name, &texts);
    }
    all.choices = choices;
    settings::finish(&mut all, &inputs, options);
    all
}

/// Adds the choice to those that the translation holds, or that it does not depend on; whether it does not.
///
/// # Errors
/// Why there are not two.
fn add(
    all: &mut Translation,
    choices: &mut Choices,
    choice: VariantMacro,
    (runs, options): (&mut Runs<'_>, &TranslateOptions),
) -> Result<bool, String> {
    let held = held(&choices.both);
    let with = flipped(options, &choice);
    if !runs.reserve(&with, held) {
        return Err(NO_MORE.to_owned());
    }
    let other = runs.built(&with, held)?;
    if let Some(files) = same_texts(&all.files, &other.files) {
        unite(all, other, files);
        choices.neutral.push(choice);
        return Ok(true);
    }
    if choices.both.len() == MAX {
        return Err(format!("both choices of {MAX} other macros are there"));
    }
    let files = merged_files(all, &other, &choice, options)?;
    if let Some(map) = &mut all.map {
        *map = mapped::merged_map(map, &all.files, &files, &choice);
    }
    unite(all, other, files);
    choices.both.push(choice);
    Ok(false)
}

/// A macro that had no influence before others had both choices may have some now, as in `#elif`: it has both then.
fn look_again(
    all: &mut Translation,
    choices: &mut Choices,
    (runs, options): (&mut Runs<'_>, &TranslateOptions),
) {
    let mut is_new = !choices.both.is_empty();
    while std::mem::take(&mut is_new) {
        for choice in std::mem::take(&mut choices.neutral) {
            let name = choice.name.clone();
            match add(all, choices, choice, (runs, options)) {
                Ok(true) => {}
                Ok(false) => is_new = true,
                Err(why) => choices.one.push((name, why)),
            }
        }
    }
}

/// The translation of the choice asked for alone.
pub fn translate_one(
    inputs: Vec<SourceInput>,
    options: &TranslateOptions,
    choices: Choices,
) -> Translation {
    let mut all = translate(inputs.clone(), options);
    all.choices = choices;
    settings::finish(&mut all, &inputs, options);
    all
}

/// The files of both if their texts are the same, in device code but for comments.
fn same_texts(a: &[OutputFile], b: &[OutputFile]) -> Option<Vec<OutputFile>> {
    let same = |(a, b): (&OutputFile, &OutputFile)| {
        let kind = files::united(&a.kind, &b.kind)?;
        let is_device = matches!(kind, FileKind::DeviceSource | FileKind::DeviceHeader);
        let same_text =
            a.contents == b.contents || is_device && code_of(&a.contents).eq(code_of(&b.contents));
        let same = a.path == b.path && a.source == b.source;
        (same && same_text).then(|| OutputFile { kind, ..a.clone() })
    };
    let all = (a.len() == b.len()).then(|| a.iter().zip(b))?;
    all.map(same).collect()
}

/// The lines of a text of C++ that are not comments.
fn code_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_start);
    lines.filter(|l| !l.is_empty() && !l.starts_with(b"//"))
}

/// Macros without influence on what is written, in every choice of those with both, have none beside each other: else they are taken out.
fn confirm(
    choices: &mut Choices,
    all: &Translation,
    (runs, options): (&mut Runs<'_>, &TranslateOptions),
    texts: &[&[u8]],
) {
    let mut all_made = true;
    let mut has_none = |options: &TranslateOptions, both: &[VariantMacro]| {
        let is_reserved = runs.reserve(options, held(both));
        all_made &= is_reserved;
        is_reserved
            && (runs.built(options, held(both)))
                .is_ok_and(|other| same_texts(&all.files, &other.files).is_some())
    };
    let mut together = options.clone();
    let mut kept: Vec<VariantMacro> = Vec::new();
    let mut out = Vec::new();
    for choice in std::mem::take(&mut choices.neutral) {
        let with = flipped(&together, &choice);
        let both = &choices.both;
        let is_beside = |o: &&VariantMacro| nesting::mean_together(&choice.name, &o.name, texts);
        let beside: Vec<&VariantMacro> = kept.iter().filter(is_beside).collect();
        // One after the other is added to those before.
        let is_confirmed = (kept.is_empty() || has_none(&with, both))
            && subsets(&beside, both.len()).is_some_and(|all| {
                let flip = |o: TranslateOptions, c: &&VariantMacro| flipped(&o, c);
                let options = |s: &Vec<&VariantMacro>| s.iter().fold(options.clone(), flip);
                all.iter()
                    .all(|s| has_none(&flipped(&options(s), &choice), both))
            });
        match is_confirmed {
            true => {
                together = with;
                kept.push(choice);
            }
            false => out.push(choice.name),
        }
    }
    choices.neutral = kept;
    let why = match all_made {
        true => "what it chooses depends on other macros",
        false => NO_MORE,
    };
    (choices.one).extend(out.into_iter().map(|name| (name, why.to_owned())));
}

/// Some or all of these, in every way; None: that would be too many translations. `both`: so many macros have both choices.
fn subsets<'c>(all: &[&'c VariantMacro], both: usize) -> Option<Vec<Vec<&'c VariantMacro>>> {
    let parts = 1usize.checked_shl(u32::try_from(all.len()).ok()?)?;
    let members = |part: usize| {
        let is_in = |at: &usize| part >> at & 1 == 1;
        (0..all.len()).filter(is_in).map(|at| all[at]).collect()
    };
    let is_little = parts.checked_shl(u32::try_from(both).ok()?)? <= MAX_BESIDE;
    (parts <= 2 || is_little).then(|| (1..parts).map(members).collect())
}

/// The texts that the translation has read.
fn texts_of<'t>(inputs: &'t [SourceInput], translation: &'t Translation) -> Vec<&'t [u8]> {
    let includes = translation.includes.values().flatten();
    let inputs = inputs.iter().map(|i| &*i.bytes);
    inputs.chain(includes.map(|b| &**b)).collect()
}

/// What a check finds, by both choices of the macros that a translation has both of.
fn checked(inputs: Vec<SourceInput>, options: &TranslateOptions) -> Translation {
    let mut found = translate(inputs.clone(), options);
    let has_macros = |text: &[u8]| text.split(|b| *b == b'\n').any(|l| l.starts_with(b"#"));
    let included = || found.includes.values().flatten();
    let texts = inputs.iter().map(|i| &i.bytes);
    if found.has_errors() || !texts.chain(included()).any(|t| has_macros(t)) {
        return found;
    }
    let options = TranslateOptions {
        goal: Action::Translate,
        leave_memory: false,
        step: None,
        ..options.clone()
    };
    // Numbers add nothing to what is found.
    let whole = with_choices(inputs, &options, false);
    found.choices = whole.choices;
    found.settings = whole.settings;
    found.diagnostics = whole.diagnostics;
    found.files = whole.files;
    found.includes = whole.includes;
    found.structures = whole.structures;
    found.report.skipped = whole.report.skipped;
    found
}

/// What an output is for that has both choices of these macros.
fn held(both: &[VariantMacro]) -> Held<'_> {
    Held { both, numbers: &[] }
}

/// What `work` makes with either options, at the same time if there are threads for it.
fn side_by_side<T: Send>(
    first: &TranslateOptions,
    second: &TranslateOptions,
    work: impl Fn(&TranslateOptions) -> T + Sync,
) -> (T, T) {
    rayon::join(|| work(first), || work(second))
}

/// The output is for readers, and one text: directives do not tell places in it.
fn is_possible(options: &TranslateOptions) -> bool {
    let one_text = options.expand_macros || options.line_directives;
    options.before.is_none() && !one_text && !options.checked
}

/// A macro that conditionals ask for, and is not among those `known`. Those that leave out CUDA Fortran come first, then that of most conditions.
fn next(translation: &Translation, known: &BTreeSet<String>) -> Option<String> {
    let asked = translation.asked.iter();
    // The output has both builds of the program's CUDA Fortran.
    let is_new =
        |name: &String| !known.contains(name) && translation.cuda_macro.as_ref() != Some(name);
    let asked = asked.filter(|(name, a)| !a.given && is_new(name));
    let asked = asked.filter(|(_, a)| a.cuda > 0 || !a.other);
    let next = asked.rev().max_by_key(|(_, a)| (a.cuda, a.chooses))?;
    Some(next.0.clone())
}

/// The choice of a macro.
///
/// # Errors
/// Why there are not two.
fn choice_of(
    name: &str,
    translation: &Translation,
    options: &TranslateOptions,
    texts: &[&[u8]],
) -> Result<VariantMacro, String> {
    let asked = translation.asked.get(name).cloned().unwrap_or_default();
    if asked.other {
        return Err("more is asked than whether it is defined".to_owned());
    }
    let exact = asked.defined && asked.truth || is_named(name, texts);
    let value = settings::value_of(name, options);
    let number: Option<i64> = value.as_deref().and_then(|v| v.trim().parse().ok());
    let given = match (&value, number) {
        (None, _) => false,
        (Some(v), None) if asked.truth => return Err(format!("it is given as {v}, no number")),
        (Some(_), Some(_)) if asked.truth && exact => {
            return Err("it is a number that is more than true or false".to_owned());
        }
        (Some(_), Some(n)) if asked.truth => n != 0,
        _ => true,
    };
    Ok(VariantMacro {
        name: name.to_owned(),
        value: value.filter(|_| given).unwrap_or_else(|| "1".to_owned()),
        exact,
        by_value: asked.truth && !asked.defined,
        given,
        is_number: false,
    })
}

/// A line of the texts that is not a condition has the name.
fn is_named(name: &str, texts: &[&[u8]]) -> bool {
    let conditions: [&[u8]; 7] = [
        b"if", b"ifdef", b"ifndef", b"elif", b"else", b"endif", b"undef",
    ];
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let has = |line: &[u8]| {
        let mut words = line.split(|b| !is_part(b)).filter(|w| !w.is_empty());
        let start = line.trim_ascii_start();
        let is_directive = start.starts_with(b"#");
        let is_comment = start.starts_with(b"!") && !matches!(start.get(1), Some(b'$' | b'@'));
        let is_condition = is_directive
            && (words.clone().next())
                .is_some_and(|w| conditions.contains(&&*w.to_ascii_lowercase()));
        !is_condition && !is_comment && words.any(|w| w == name.as_bytes())
    };
    texts
        .iter()
        .any(|text| text.split(|b| *b == b'\n').any(has))
}

/// The same for the other choice of a macro.
fn flipped(options: &TranslateOptions, choice: &VariantMacro) -> TranslateOptions {
    let mut options = options.clone();
    options.macros.push(match choice.given {
        true => format!("-U{}", choice.name),
        false if choice.value == "1" => format!("-D{}", choice.name),
        false => format!("-D{}={}", choice.name, choice.value),
    });
    options
}

fn merged_files(
    first: &Translation,
    second: &Translation,
    choice: &VariantMacro,
    options: &TranslateOptions,
) -> Result<Vec<OutputFile>, String> {
    let name = &choice.name;
    if second.cuda_macro.as_ref() == Some(name) {
        return Err(format!(
            "all CUDA Fortran stands under it: with -D {name} the output has both branches"
        ));
    }
    let [mut sides, mut reading] = [[0, 1]; 2];
    if !choice.given {
        sides.reverse();
        reading.reverse();
    }
    let translations = [first, second];
    let read = [options, &flipped(options, choice)].map(source_options);
    let reading = Reading {
        options: reading.map(|side| &read[side]),
        files: &options.includes.0,
    };
    let sides = sides.map(|side| translations[side].files.clone());
    files::merge_all(sides, choice, &reading)
}

/// Makes the first translation that of both, with these files.
fn unite(first: &mut Translation, second: Translation, files: Vec<OutputFile>) {
    first.files = files;
    first.structures |= second.structures;
    for (path, read) in second.includes {
        first.includes.entry(path).or_insert(read);
    }
    for d in second.diagnostics {
        if !first.diagnostics.contains(&d) {
            // Behind those of its file that come before it.
            let before =
                |o: &Diagnostic| o.file == d.file && (o.line, o.column) <= (d.line, d.column);
            let at = first.diagnostics.iter().rposition(before).map(|i| i + 1);
            let at = at.or_else(|| first.diagnostics.iter().position(|o| o.file == d.file));
            let at = at.unwrap_or(first.diagnostics.len());
            first.diagnostics.insert(at, d);
        }
    }
    // Left out by either choice.
    let inside =
        |a: &Skipped, b: &Skipped| a.file == b.file && b.first <= a.first && a.last <= b.last;
    let of_first = std::mem::take(&mut first.report.skipped);
    let of_second = second.report.skipped;
    let in_both = |all: &[Skipped], other: &[Skipped]| -> Vec<Skipped> {
        let all = all.iter();
        let both = all.filter(|a| other.iter().any(|b| inside(a, b)));
        both.cloned().collect()
    };
    let mut skipped = in_both(&of_first, &of_second);
    skipped.extend(in_both(&of_second, &of_first));
    skipped.sort();
    skipped.dedup_by(|a, b| (&a.file, a.line, a.first) == (&b.file, b.line, b.first));
    first.report.skipped = skipped;
    for (name, asked) in second.asked {
        let all = first.asked.entry(name).or_default();
        *all = std::mem::take(all).or(&asked);
    }
}
