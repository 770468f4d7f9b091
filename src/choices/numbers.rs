//! Macros that are whole numbers, as sizes of blocks and kinds: the files hold some values besides that of the translation. Where texts differ
//! in the number alone they have the macro in its place; other differences stand under conditionals about its value.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::defaults::default_of;
use super::files::{self, Reading, is_preprocessed, language, reads_the_same};
use super::runs::{Held, NO_MORE, Runs};
use super::tree::Language;
use super::{flipped, mapped, nesting, same_texts, settings, subsets, texts_of, unite};
use crate::source::{Asked, is_predefined};
use crate::translate::{
    BothChoices, Choices, FileKind, Numbers, OutputFile, SourceInput, TranslateOptions,
    Translation, source_options,
};

/// So many numbers are tried besides that of the translation.
const MAX: usize = 6;

impl Numbers {
    /// The numbers that a translation is made for; first the default, as if it were given.
    pub(super) fn tried(&self) -> Vec<&str> {
        let own = (!self.given).then_some(&*self.value);
        own.into_iter()
            .chain(self.others.iter().map(|o| &**o))
            .collect()
    }
}

/// The options with this number.
pub(super) fn with(options: &TranslateOptions, numbers: &Numbers, value: &str) -> TranslateOptions {
    let mut options = options.clone();
    options.macros.push(format!("-D{}={value}", numbers.name));
    options
}

/// A plain whole number that does not begin with 0.
fn is_number(value: &str) -> bool {
    let is_short = (1..=6).contains(&value.len());
    is_short
        && value.bytes().all(|b| b.is_ascii_digit())
        && (value == "0" || !value.starts_with('0'))
}

/// The numbers that are usual besides this one, the nearest first: those that conditions compare the macro with, else powers of two.
fn usual(value: &str, asked: &Asked) -> Vec<String> {
    if !asked.compared.is_empty() {
        let others = asked
            .compared
            .iter()
            .filter(|c| *c != value && is_number(c));
        return others.take(MAX).cloned().collect();
    }
    let now: u32 = value.parse().unwrap_or_default();
    if !now.is_power_of_two() || !(4..=1024).contains(&now) {
        return Vec::new();
    }
    let range = match now {
        4..32 => 2..=5,
        _ => 5..=10,
    };
    let distance = |power: &u32| power.abs_diff(now.trailing_zeros());
    let mut powers: Vec<u32> = range.filter(|p| distance(p) > 0).collect();
    powers.sort_by_key(distance);
    powers.iter().map(|p| (1u32 << p).to_string()).collect()
}

/// The macros of which some values can be had.
fn candidates(
    all: &Translation,
    both: &[BothChoices],
    options: &TranslateOptions,
    texts: &[&[u8]],
) -> Vec<Numbers> {
    let given = crate::source::macros_of(&options.macros);
    let mut names: Vec<&str> = given.iter().map(|(n, _)| &**n).collect();
    names.extend(all.asked.keys().map(|n| &**n));
    names.sort_unstable();
    names.dedup();
    let one = |name: &str| {
        let asked = all.asked.get(name).cloned().unwrap_or_default();
        let is_both = both.iter().any(|c| c.name == name);
        if is_both || is_predefined(name) || all.cuda_macro.as_deref() == Some(name) {
            return None;
        }
        let given = settings::value_of(name, options);
        let value = match &given {
            Some(value) => value.clone(),
            None if asked.given && asked.defined => default_of(name, texts)?,
            None => return None,
        };
        let others = usual(&value, &asked);
        (is_number(&value) && !others.is_empty()).then(|| Numbers {
            name: name.to_owned(),
            value,
            given: given.is_some(),
            others,
            in_device_code: false,
        })
    };
    names.into_iter().filter_map(one).collect()
}

/// Adds the numbers that a build may choose to the translation and to the choices.
pub(super) fn add(
    all: &mut Translation,
    choices: &mut Choices,
    runs: &mut Runs<'_>,
    (inputs, options): (&[SourceInput], &TranslateOptions),
) {
    let (candidates, constants) = {
        let texts = texts_of(inputs, all);
        let candidates = candidates(all, &choices.both, options, &texts);
        let names = choices.neutral.iter().map(|c| c.name.clone());
        let constants = names.filter(|n| nesting::chooses_constants(n, &texts));
        (candidates, constants.collect::<Vec<String>>())
    };
    for candidate in candidates {
        let mut found = Numbers {
            others: Vec::new(),
            ..candidate.clone()
        };
        let mut others: Vec<(&str, Translation)> = Vec::new();
        let mut united_all = None;
        for value in candidate.tried() {
            let with = with(options, &candidate, value);
            let more = match translated(&with, (choices, &candidate.name), &constants, runs) {
                Ok(more) => more,
                Err(why) if why == NO_MORE || value == candidate.value => break,
                Err(_) => continue,
            };
            others.push((value, more));
            match united(all.clone(), others.clone(), &candidate, options) {
                Ok(with) => {
                    united_all = Some(with);
                    if value != candidate.value {
                        found.others.push(value.to_owned());
                    }
                }
                Err(_) if value == candidate.value => break,
                Err(_) => drop(others.pop()),
            }
        }
        let Some(with) = united_all.filter(|_| !found.others.is_empty()) else {
            continue;
        };
        let files = &with.files;
        let private = found.choice(&found.value).in_device_code().name;
        found.in_device_code = files.iter().any(|f| {
            let is_device = matches!(f.kind, FileKind::DeviceSource | FileKind::DeviceHeader);
            is_device && super::guards::has_word(&f.contents, &private)
        });
        if let Some(map) = &mut all.map {
            let choice = BothChoices {
                given: true,
                ..found.choice(&found.value)
            };
            *map = mapped::merged_map(map, &all.files, files, &choice);
        }
        let map = all.map.take();
        *all = Translation { map, ..with };
        choices.neutral.retain(|c| c.name != found.name);
        choices.one.retain(|(name, _)| *name != found.name);
        choices.numbers.push(found);
    }
}

/// The translation with a number and what the others are held for; macros without influence have none in it either.
fn translated(
    options: &TranslateOptions,
    (choices, name): (&Choices, &str),
    constants: &[String],
    runs: &mut Runs<'_>,
) -> Result<Translation, String> {
    let held = Held {
        both: &choices.both,
        numbers: &choices.numbers,
    };
    let mut built = |options: &TranslateOptions| match runs.one(options) {
        Err(why) => Err(why),
        Ok(_) if !runs.reserve(options, held) => Err(NO_MORE.to_owned()),
        Ok(_) => runs.built(options, held),
    };
    let all = built(options)?;
    let neutral: Vec<&BothChoices> = choices.neutral.iter().filter(|c| c.name != name).collect();
    let mut flips: Vec<TranslateOptions> = neutral.iter().map(|c| flipped(options, c)).collect();
    let flip = |o: TranslateOptions, c: &&BothChoices| flipped(&o, c);
    if neutral.len() > 1 {
        flips.push(neutral.iter().fold(options.clone(), flip));
    }
    // Those that choose constants may mean something together.
    let mut together = neutral.clone();
    together.retain(|c| constants.contains(&c.name));
    let parts = subsets(&together, choices.both.len()).ok_or(NO_MORE)?;
    flips.extend(parts.iter().map(|p| p.iter().fold(options.clone(), flip)));
    for flip in flips {
        let other = built(&flip)?;
        if same_texts(&all.files, &other.files).is_none() {
            return Err("what it chooses depends on other macros".to_owned());
        }
    }
    Ok(all)
}

/// The translation that holds all these numbers.
///
/// # Errors
/// Why it cannot be had.
pub(super) fn united(
    mut base: Translation,
    others: Vec<(&str, Translation)>,
    numbers: &Numbers,
    options: &TranslateOptions,
) -> Result<Translation, String> {
    let mut all: Vec<(&str, Vec<OutputFile>)> =
        vec![(&numbers.value, std::mem::take(&mut base.files))];
    for (value, mut other) in others {
        let files = std::mem::take(&mut other.files);
        // What is said is about the number asked for.
        other.diagnostics.clear();
        unite(&mut base, other, Vec::new());
        if value != numbers.value {
            all.push((value, files));
        } else if same_texts(&all[0].1, &files).is_none() {
            return Err("its default is another text than the same number".to_owned());
        }
    }
    let is_own = |value: &str| value == numbers.value;
    let read = all.iter().map(|(value, _)| match is_own(value) {
        true => source_options(options),
        false => source_options(&with(options, numbers, value)),
    });
    let read: Vec<_> = read.collect();
    name_number(&mut all, numbers, &read, options);
    let mut all = all.into_iter().zip(&read);
    let mut files = all.next().map(|((_, files), _)| files).unwrap_or_default();
    for ((value, other), of_other) in all {
        let reading = Reading {
            options: [of_other, &read[0]],
            files: &options.includes.0,
        };
        files = files::merge_all([other, files], &numbers.choice(value), &reading)?;
    }
    base.files = files;
    Ok(base)
}

/// Where the texts of a file differ in the number alone, each becomes the one text with the macro in its place.
fn name_number(
    all: &mut [(&str, Vec<OutputFile>)],
    numbers: &Numbers,
    read: &[crate::source::Options],
    options: &TranslateOptions,
) {
    let Some((_, base)) = all.first() else { return };
    let mut named: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    for file in base {
        let find = |(_, files): &'_ (&str, Vec<OutputFile>)| {
            let mut files = files.iter();
            files
                .find(|f| f.path == file.path && f.kind == file.kind)
                .cloned()
        };
        let Some(files) = all.iter().map(find).collect::<Option<Vec<OutputFile>>>() else {
            continue;
        };
        let texts = files.iter().map(|f| std::str::from_utf8(&f.contents).ok());
        let Some(texts) = texts.collect::<Option<Vec<&str>>>() else {
            continue;
        };
        let is_cpp = language(file) == Language::Cpp;
        if texts.iter().all(|t| *t == texts[0]) || !is_cpp && !is_preprocessed(&file.path) {
            continue;
        }
        let name = match is_cpp {
            true => numbers.choice(&numbers.value).in_device_code().name,
            false => numbers.name.clone(),
        };
        let pairs: Vec<(&str, &str)> = all.iter().map(|(v, _)| *v).zip(texts).collect();
        let Some(text) = with_name(&pairs, &name) else {
            continue;
        };
        // flang cuts lines of fixed form before it replaces macros.
        let mut lines = text.lines().zip(pairs[0].1.lines());
        if language(file) == Language::FixedFortran && lines.any(|(l, o)| l != o && l.len() > 72) {
            continue;
        }
        let is_read = |at: usize| {
            let reading = Reading {
                options: [&read[at], &read[0]],
                files: &options.includes.0,
            };
            let texts = [pairs[at].1, pairs[0].1];
            reads_the_same([&files[at], file], texts, &text, &reading)
        };
        if is_cpp || (0..pairs.len()).all(is_read) {
            named.insert(file.path.clone(), text.into_bytes());
        }
    }
    for file in all.iter_mut().flat_map(|(_, files)| files) {
        if let Some(text) = named.get(&file.path) {
            file.contents.clone_from(text);
        }
    }
}

/// The words of a text, numbers with what belongs to them, and the signs between them.
fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_part(first) {
            true => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

/// The one text for numbers and their texts, with the name wherever these differ; None: they differ in something else, or between quotes.
fn with_name(texts: &[(&str, &str)], name: &str) -> Option<String> {
    let all: Vec<(&str, Vec<&str>)> = texts.iter().map(|(v, t)| (*v, words(t))).collect();
    let (_, first) = all.first()?;
    if all.iter().any(|(_, words)| words.len() != first.len()) {
        return None;
    }
    let mut out = String::new();
    let mut quote = None;
    for (at, word) in first.iter().enumerate() {
        if all.iter().all(|(_, words)| words[at] == *word) {
            match (quote, *word) {
                (_, "\n") => quote = None,
                (Some(q), w) if w == q => quote = None,
                (None, "\"" | "'") => quote = Some(*word),
                _ => {}
            }
            out.push_str(word);
        } else if quote.is_none() && all.iter().all(|(value, words)| words[at] == *value) {
            out.push_str(name);
        } else {
            return None;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{usual, with_name};
    use crate::source::Asked;

    #[test]
    fn one_text_for_several_numbers() {
        let of = |a: &str, b: &str| with_name(&[("128", a), ("64", b)], "N");
        assert_eq!(
            of("f(128, 128)", "f(64, 128)").as_deref(),
            Some("f(N, 128)")
        );
        for (a, b) in [
            ("x = 128.0", "x = 64.0"),
            ("x = 130", "x = 66"),
            ("x = 128_4", "x = 64_4"),
            ("puts(\"128\")", "puts(\"64\")"),
            ("x = 128; y", "x = 64"),
        ] {
            assert_eq!(of(a, b), None, "{a}");
        }
    }

    #[test]
    fn numbers_that_are_usual() {
        let asked = Asked::default();
        assert_eq!(usual("128", &asked), ["64", "256", "32", "512", "1024"]);
        assert_eq!(usual("8", &asked), ["4", "16", "32"]);
        assert_eq!(usual("100", &asked), [""; 0]);
        let asked = Asked {
            compared: ["1", "2"].map(str::to_owned).into(),
            ..asked
        };
        assert_eq!(usual("1", &asked), ["2"]);
    }
}
