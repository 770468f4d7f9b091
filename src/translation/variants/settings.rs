//! The table of macros: what the files were translated for, and what they may be compiled for.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::{guards, texts_of, united, without};
use crate::source;
use crate::translate::{
    Choices, FileKind, Freedom, OutputFile, Setting, SourceInput, TranslateOptions, Translation,
    VariantMacro,
};

/// The macro of OpenMP.
const OPENMP: &str = "_OPENMP";

/// The value of a macro that the options give; None: it is not defined.
pub(super) fn value_of(name: &str, options: &TranslateOptions) -> Option<String> {
    let all = source::macros_of(&options.macros);
    let last = all.into_iter().rfind(|(n, _)| n == name);
    last.and_then(|(_, value)| value)
}

/// Writes the table of a translation whose choices are known.
pub(super) fn finish(
    translation: &mut Translation,
    inputs: &[SourceInput],
    options: &TranslateOptions,
) {
    let texts = texts_of(inputs, translation);
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let words = texts.iter().flat_map(|t| t.split(|b| !is_part(b)));
    let mut words: BTreeSet<String> = (words
        .filter(|w| w.first().is_some_and(|b| !b.is_ascii_digit())))
    .map(|w| String::from_utf8_lossy(w).into_owned())
    .collect();
    // The compiler reads these lines by an option that defines the macro.
    if !options.openmp && has_conditional_lines(inputs) {
        words.insert(OPENMP.to_owned());
    }
    let given = source::macros_of(&options.macros);
    let mut names: BTreeSet<&str> = given.iter().map(|(n, _)| &**n).collect();
    names.extend(translation.asked.keys().map(|n| &**n));
    let Choices {
        both,
        neutral,
        numbers,
        one,
    } = &translation.choices;
    let all = names.into_iter().map(|name| {
        let choice = both.iter().chain(neutral).find(|c| c.name == name);
        let exact = choice.filter(|c| c.exact).map(|c| c.value.clone());
        Setting {
            name: name.to_owned(),
            value: match given.iter().any(|(n, _)| n == name) {
                true => value_of(name, options),
                false => source::predefined_value(name),
            },
            place: (translation.asked.get(name).and_then(|a| a.place.clone()))
                .or_else(|| named(name, inputs, translation)),
            freedom: freedom(name, &translation.choices),
            exactly: exact,
            numbers: (numbers.iter().filter(|n| n.name == name))
                .flat_map(|n| n.all())
                .map(str::to_owned)
                .collect(),
            why: one.iter().find(|(n, _)| n == name).map(|(_, w)| w.clone()),
        }
    });
    let all = all.collect();
    let is_preprocessed = |f: &crate::translate::OutputFile| {
        let extension = f.path.extension().unwrap_or_default();
        f.kind == FileKind::Included || extension == "F90" || extension == "F"
    };
    let both = &translation.choices.both;
    let numbers = translation.choices.numbers.iter();
    let numbers: Vec<VariantMacro> = numbers.map(|n| n.choice(&n.value)).collect();
    for choice in both.iter().chain(&numbers) {
        let appended = require(&mut translation.files, choice);
        if let Some(map) = &mut translation.map {
            appended
                .iter()
                .for_each(|(path, at, text)| map.append(path, *at, text));
        }
    }
    let all: Vec<Setting> = all;
    let guard = translation.cuda_macro.clone();
    // In a build with each of the numbers, too.
    let numbers = translation.choices.numbers.iter();
    let others = numbers.flat_map(|n| n.others.iter().map(|v| united::with(options, n, v)));
    let every: Vec<TranslateOptions> = others.chain([options.clone()]).collect();
    let is_right = |g: &String| {
        let mut every = every.iter();
        every.all(|options| without::is_right(g, translation, inputs, options))
    };
    let guard = guard.filter(is_right);
    guards::add(translation, &all, inputs);
    let settings = &mut translation.settings;
    settings.all = all;
    settings.words = Arc::new(words);
    settings.matter |= translation.files.iter().any(is_preprocessed);
    settings.guard = guard;
}

/// A line of code that only OpenMP reads: `!$ n = 2`.
fn is_conditional(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let signs = ["!$", "c$", "C$", "*$"].iter();
    let rest = signs.filter_map(|s| line.strip_prefix(s.as_bytes())).next();
    rest.and_then(<[u8]>::first)
        .is_some_and(|b| b" \t&0123456789".contains(b))
}

fn has_conditional_lines(inputs: &[SourceInput]) -> bool {
    let lines = |i: &'_ SourceInput| i.bytes.split(|b| *b == b'\n').any(is_conditional);
    inputs.iter().any(lines)
}

/// The first line that has the name.
fn named(name: &str, inputs: &[SourceInput], translation: &Translation) -> Option<(PathBuf, u32)> {
    let included = translation.includes.iter();
    let included = included.filter_map(|(path, bytes)| Some((path, bytes.as_ref()?)));
    let mut files = inputs.iter().map(|i| (&i.path, &i.bytes)).chain(included);
    files.find_map(|(path, bytes)| {
        let mut lines = bytes.split(|b| *b == b'\n');
        let at = lines.position(|l| guards::has_word(l, name))?;
        Some((path.clone(), u32::try_from(at).ok()? + 1))
    })
}

fn freedom(name: &str, choices: &Choices) -> Freedom {
    let is_in = |all: &[VariantMacro]| all.iter().any(|c| c.name == name);
    match (is_in(&choices.both), is_in(&choices.neutral)) {
        (true, _) => Freedom::Both,
        (_, true) => Freedom::Neutral,
        _ if choices.numbers.iter().any(|n| n.name == name) => Freedom::Numbers,
        _ => Freedom::Fixed,
    }
}

/// Device code that asks for a choice is not compiled without one. It says so behind all else: places in the text stay.
/// Returns where: the file, the place in it, and the text.
fn require(files: &mut [OutputFile], choice: &VariantMacro) -> Vec<(PathBuf, usize, String)> {
    let mut out = Vec::new();
    let private = choice.in_device_code().name;
    for f in files {
        if !matches!(f.kind, FileKind::DeviceSource | FileKind::DeviceHeader) {
            continue;
        }
        let text = String::from_utf8_lossy(&f.contents);
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let asks = |l: &str| {
            (choice.is_number || l.starts_with("#if"))
                && l.split(|c| !is_part(c)).any(|w| w == private)
        };
        if text.lines().any(asks) {
            let name = &choice.name;
            let how = match choice.is_number {
                true => format!(
                    "-D{private}=N, where N is the value of {name} in Fortran, {} by default",
                    choice.value
                ),
                false => format!(
                    "-D{private}=1 if Fortran is compiled with -D{name}, and with =0 if not"
                ),
            };
            let check =
                format!("\n#ifndef {private}\n#error \"cuf2cu: compile with {how}\"\n#endif\n");
            out.push((f.path.clone(), f.contents.len(), check.clone()));
            f.contents.extend(check.into_bytes());
        }
    }
    out
}
