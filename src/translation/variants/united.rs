//! One output for several numbers of a macro. Where texts differ in the number alone they have the macro in its place; other differences
//! stand under conditionals about its value.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::files::{self, Reading, is_preprocessed, language, reads_the_same};
use super::tree::Language;
use super::{same_texts, unite};
use crate::translate::{Numbers, OutputFile, TranslateOptions, Translation, source_options};

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
    use super::with_name;

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
}
