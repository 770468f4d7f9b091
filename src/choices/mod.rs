//! Both choices of a macro from one translation.
//!
//! What a conditional leaves out is translated by a second run, for which the macro is the other way. The files of both runs are merged, one
//! by one ([`files`]): where they differ, the text stands under a conditional about the macro ([`merge`]). A merged text is used only if
//! deciding the macro either way gives the text of that run back; where one cannot be had, the translation is that of the choice asked for.

mod files;
mod merge;
#[cfg(test)]
mod tests;
mod tree;

use crate::diag::Severity;
use crate::source::{Asked, Skipped};
use crate::translate::{
    BothChoices, Choices, Goal, SourceInput, TranslateOptions, Translation, source_options,
    translate,
};
use files::Reading;

/// Translates `inputs` as [`translate()`] does, and for the other choice of the macro by which CUDA Fortran was left out, if there is one
/// such macro. `finish` is what each translation goes through before the merge.
pub fn translate_both(
    inputs: Vec<SourceInput>,
    options: &TranslateOptions,
    finish: fn(&mut Translation),
) -> Translation {
    let again = is_possible(options).then(|| inputs.clone());
    let mut first = translate(inputs, options);
    finish(&mut first);
    let Some(again) = again.filter(|_| !first.has_errors() && !first.files.is_empty()) else {
        return first;
    };
    let choice = match macro_of(&first, options) {
        Ok(Some(choice)) => choice,
        Ok(None) => return first,
        Err(why) => {
            first.choice = Some(Choices::One(why));
            return first;
        }
    };
    let other = TranslateOptions {
        macros: flipped(&options.macros, &choice),
        step: None,
        ..options.clone()
    };
    let mut second = translate(again, &other);
    finish(&mut second);
    let files = match refusal(&second, &choice) {
        Some(why) => Err(why),
        None => merged_files(&first, &second, &choice, [options, &other]),
    };
    match files {
        Ok(files) => unite(&mut first, second, files, choice),
        Err(why) => first.choice = Some(Choices::One(why)),
    }
    first
}

/// The output is for readers, and one text: places in it are told by neither maps nor directives.
fn is_possible(options: &TranslateOptions) -> bool {
    let one_text = options.expand_macros || options.source_map || options.line_directives;
    options.goal == Goal::Translate && options.before.is_none() && !one_text && !options.checked
}

/// The macro that left out CUDA Fortran, or what device code is made of; None: none has.
///
/// # Errors
/// Why the other choice cannot be had.
fn macro_of(
    translation: &Translation,
    options: &TranslateOptions,
) -> Result<Option<BothChoices>, String> {
    let asked = translation.asked.iter();
    let chooses =
        asked.filter(|(name, a)| a.chooses && translation.cuda_macro.as_ref() != Some(*name));
    let (other, free): (Vec<_>, Vec<_>) = chooses.partition(|(_, a)| is_number(a));
    let names = |all: &[(&String, &Asked)]| {
        let names: Vec<&str> = all.iter().map(|(n, _)| n.as_str()).collect();
        names.join(", ")
    };
    let (name, asked) = match (&free[..], &other[..]) {
        ([], []) => return Ok(None),
        ([one], _) => *one,
        ([], other) => {
            return Err(format!(
                "{}: more than whether it is defined is asked, or code names it",
                names(other)
            ));
        }
        (several, _) => {
            return Err(format!(
                "{}: a run translates both choices of one macro",
                names(several)
            ));
        }
    };
    let by_value = asked.truth;
    let mut given = false;
    for m in &options.macros {
        let (word, value) = m.split_at_checked(2).unwrap_or((m, ""));
        let (defined, value) = value.split_once('=').unwrap_or((value, "1"));
        if defined == name {
            let number: Result<i64, _> = value.trim().parse();
            given = match (word, by_value, number) {
                ("-U", ..) => false,
                (_, false, _) => true,
                (_, true, Ok(n)) => n != 0,
                (_, true, Err(_)) => return Err(format!("{name} is given as {value}, no number")),
            };
        }
    }
    Ok(Some(BothChoices {
        name: name.clone(),
        by_value,
        given,
    }))
}

/// There are more choices of the macro than two.
fn is_number(asked: &Asked) -> bool {
    asked.other || asked.defined && asked.truth
}

/// The macros for the other choice.
fn flipped(macros: &[String], choice: &BothChoices) -> Vec<String> {
    let mut macros = macros.to_vec();
    macros.push(match choice.given {
        true => format!("-U{}", choice.name),
        false => format!("-D{}", choice.name),
    });
    macros
}

/// Why the translation for the other choice is of no use.
fn refusal(second: &Translation, choice: &BothChoices) -> Option<String> {
    let name = &choice.name;
    let how = match choice.given {
        true => format!("without {name}"),
        false => format!("with {name}"),
    };
    let errors = second.diagnostics.iter();
    let mut errors = errors.filter(|d| d.severity == Severity::Error);
    if let Some(first) = errors.next() {
        let (file, line) = (first.file.display(), first.line);
        let more = match errors.count() {
            0 => "an error".to_owned(),
            n => format!("{} errors, the first", n + 1),
        };
        return Some(format!(
            "{how} there is {more}: {file}:{line}: {}",
            first.message
        ));
    }
    if second.cuda_macro.as_ref() == Some(name) {
        return Some(format!(
            "all of its CUDA Fortran stands under {name}: with -D {name} the output has both branches"
        ));
    }
    let asked = second.asked.get(name);
    let differs = asked.is_some_and(|a| {
        is_number(a) || a.truth && !choice.by_value || a.defined && choice.by_value
    });
    differs.then(|| format!("{how}, {name} is more than defined or not"))
}

fn merged_files(
    first: &Translation,
    second: &Translation,
    choice: &BothChoices,
    options: [&TranslateOptions; 2],
) -> Result<Vec<crate::translate::OutputFile>, String> {
    let [mut sides, mut reading] = [[0, 1]; 2];
    if !choice.given {
        sides.reverse();
        reading.reverse();
    }
    let translations = [first, second];
    let read = options.map(source_options);
    let reading = Reading {
        options: reading.map(|side| &read[side]),
        files: &options[0].includes.0,
    };
    let sides = sides.map(|side| translations[side].files.clone());
    files::merge_all(sides, choice, &reading)
}

/// Makes the first translation that of both choices.
fn unite(
    first: &mut Translation,
    second: Translation,
    files: Vec<crate::translate::OutputFile>,
    choice: BothChoices,
) {
    first.files = files;
    first.structures |= second.structures;
    for (path, read) in second.includes {
        first.includes.entry(path).or_insert(read);
    }
    for d in second.diagnostics {
        if !first.diagnostics.contains(&d) {
            first.diagnostics.push(d);
        }
    }
    let order: Vec<_> = first.report.files.iter().map(|f| f.path.clone()).collect();
    let place = |d: &crate::diag::Diagnostic| order.iter().position(|p| *p == d.file);
    first
        .diagnostics
        .sort_by(|a, b| (place(a), a.line, a.column).cmp(&(place(b), b.line, b.column)));
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
    first.choice = Some(Choices::Both(choice));
}
