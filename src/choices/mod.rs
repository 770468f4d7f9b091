//! Both choices of a macro from one translation.
//!
//! What a conditional leaves out is translated by a second run, for which the macro is the other way. The files of both runs are merged, one
//! by one ([`files`]): where they differ, the text stands under a conditional about the macro ([`merge`]). A merged text is used only if
//! deciding the macro either way gives the text of that run back; where one cannot be had, the translation is that of the choice asked for.

mod files;
mod kind;
mod mapped;
mod merge;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Severity};
use crate::source::Skipped;
use crate::translate::{
    BothChoices, Choices, FileKind, Goal, OutputFile, SourceInput, TranslateOptions, Translation,
    source_options, translate,
};
use files::Reading;

/// Macros of which a program has both choices: each doubles the translations.
const MAX: usize = 3;

/// Translates `inputs` as [`translate()`] does, and for the other choices of the macros by which CUDA Fortran was left out.
pub fn translate_both(inputs: Vec<SourceInput>, options: &TranslateOptions) -> Translation {
    if !is_possible(options) {
        return translate(inputs, options);
    }
    if options.goal == Goal::Check {
        return checked(inputs, options);
    }
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
    let mut choices = Choices::default();
    let mut asked = BTreeSet::new();
    while let Some(name) = next(&all, &asked) {
        asked.insert(name.clone());
        let other = choice_of(&name, &all, options).and_then(|choice| {
            if choices.both.len() == MAX {
                return Err(format!("both choices of {MAX} other macros are there"));
            }
            let other = built(&inputs, &flipped(&again, &choice), &choices.both)?;
            let files = merged_files(&all, &other, &choice, options)?;
            Ok((other, files, choice))
        });
        match other {
            Ok((other, files, choice)) => {
                if let Some(map) = &mut all.map {
                    *map = mapped::merged_map(map, &all.files, &files, &choice);
                }
                unite(&mut all, other, files);
                choices.both.push(choice);
            }
            Err(why) => choices.one.push((name, why)),
        }
    }
    all.choices = choices;
    all
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
        goal: Goal::Translate,
        leave_memory: false,
        step: None,
        ..options.clone()
    };
    let whole = translate_both(inputs, &options);
    found.choices = whole.choices;
    found.diagnostics = whole.diagnostics;
    found.files = whole.files;
    found.includes = whole.includes;
    found.structures = whole.structures;
    found.report.skipped = whole.report.skipped;
    found
}

/// The translation with both choices of these macros.
fn built(
    inputs: &[SourceInput],
    options: &TranslateOptions,
    both: &[BothChoices],
) -> Result<Translation, String> {
    let Some((choice, rest)) = both.split_last() else {
        let translation = translate(inputs.to_vec(), options);
        return match error_of(&translation, options) {
            Some(error) => Err(error),
            None => Ok(translation),
        };
    };
    let mut all = built(inputs, options, rest)?;
    let other = built(inputs, &flipped(options, choice), rest)?;
    let files = merged_files(&all, &other, choice, options)?;
    unite(&mut all, other, files);
    Ok(all)
}

/// The output is for readers, and one text: directives do not tell places in it.
fn is_possible(options: &TranslateOptions) -> bool {
    let one_text = options.expand_macros || options.line_directives;
    options.before.is_none() && !one_text && !options.checked
}

/// A macro that left out CUDA Fortran, or what device code is made of, and is not among those `known`.
fn next(translation: &Translation, known: &BTreeSet<String>) -> Option<String> {
    let asked = translation.asked.iter();
    // The output has both builds of the program's CUDA Fortran.
    let is_new =
        |name: &String| !known.contains(name) && translation.cuda_macro.as_ref() != Some(name);
    let asked = asked.filter(|(name, a)| a.chooses > 0 && is_new(name));
    // That of most conditionals first.
    let next = asked.rev().max_by_key(|(_, a)| a.chooses)?;
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
) -> Result<BothChoices, String> {
    let asked = translation.asked.get(name).copied().unwrap_or_default();
    if asked.other || asked.defined && asked.truth {
        return Err("more is asked than whether it is defined, or code names it".to_owned());
    }
    let by_value = asked.truth;
    let mut given = false;
    for m in &options.macros {
        let (word, definition) = m.split_at_checked(2).unwrap_or((m, ""));
        let (defined, value) = definition.split_once('=').unwrap_or((definition, "1"));
        if defined == name {
            let number: Result<i64, _> = value.trim().parse();
            given = match (word, by_value, number) {
                ("-U", ..) => false,
                (_, false, _) => true,
                (_, true, Ok(n)) => n != 0,
                (_, true, Err(_)) => return Err(format!("it is given as {value}, no number")),
            };
        }
    }
    Ok(BothChoices {
        name: name.to_owned(),
        by_value,
        given,
    })
}

/// The same for the other choice of a macro.
fn flipped(options: &TranslateOptions, choice: &BothChoices) -> TranslateOptions {
    let mut options = options.clone();
    options.macros.push(match choice.given {
        true => format!("-U{}", choice.name),
        false => format!("-D{}", choice.name),
    });
    options
}

/// Why a translation is of no use.
fn error_of(translation: &Translation, options: &TranslateOptions) -> Option<String> {
    let errors = translation.diagnostics.iter();
    let mut errors = errors.filter(|d| d.severity == Severity::Error);
    let first = errors.next()?;
    let (file, line) = (first.file.display(), first.line);
    let many = match errors.count() {
        0 => "an error".to_owned(),
        n => format!("{} errors, the first", n + 1),
    };
    let with = options.macros.join(" ");
    Some(format!(
        "with {with} the program has {many}: {file}:{line}: {}",
        first.message
    ))
}

fn merged_files(
    first: &Translation,
    second: &Translation,
    choice: &BothChoices,
    options: &TranslateOptions,
) -> Result<Vec<OutputFile>, String> {
    let name = &choice.name;
    if second.cuda_macro.as_ref() == Some(name) {
        return Err(format!(
            "all CUDA Fortran stands under it: with -D {name} the output has both branches"
        ));
    }
    let asked = second.asked.get(name).copied().unwrap_or_default();
    let differs = match choice.by_value {
        true => asked.defined,
        false => asked.truth,
    };
    if asked.other || differs {
        return Err("the other branch asks more than whether it is defined".to_owned());
    }
    if is_name_of_device_code(name, &[first, second]) {
        return Err("device code has the name for something else".to_owned());
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

/// What headers of the runtime call template parameters and the like, besides single letters.
const OF_RUNTIME: [&str; 10] = ["F_", "I_", "LA", "LB", "O0", "TA", "TC", "TD", "T_", "REAL"];

/// The compilers of device code, which get the macro, would put its value in the place of a name.
fn is_name_of_device_code(name: &str, translations: &[&Translation]) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_device =
        |f: &&OutputFile| matches!(f.kind, FileKind::DeviceSource | FileKind::DeviceHeader);
    let has_it = |f: &OutputFile| {
        let text = String::from_utf8_lossy(&f.contents);
        let lines = text.lines().filter(|l| !l.starts_with('#'));
        let code = lines.map(|l| l.split("//").next().unwrap_or_default());
        code.flat_map(|l| l.split(|c| !part(c))).any(|w| w == name)
    };
    let files = translations.iter().flat_map(|t| &t.files);
    name.len() == 1 || OF_RUNTIME.contains(&name) || files.filter(is_device).any(has_it)
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
        *all = all.or(asked);
    }
}
