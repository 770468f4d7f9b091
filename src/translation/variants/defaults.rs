//! Macros with a default, `#define BLOCK 128` under `#ifndef BLOCK`: the user may give the value that the program gives.

use std::collections::BTreeSet;

use super::{Runs, flipped, held, same_texts, settings, unite};
use crate::source::is_predefined;
use crate::translate::{SourceInput, TranslateOptions, Translation, VariantMacro};

/// The macros that may be defined with the value of their default, or not: no file differs.
pub(super) fn free(
    all: &mut Translation,
    (inputs, options): (&[SourceInput], &TranslateOptions),
    both: &[VariantMacro],
    runs: &mut Runs<'_>,
) -> Vec<VariantMacro> {
    let names: Vec<String> = (all.asked.iter())
        .filter(|(name, a)| a.given && a.defined && !is_predefined(name))
        .map(|(name, _)| name.clone())
        .collect();
    let mut out = Vec::new();
    for name in names {
        let texts = super::texts_of(inputs, all);
        let Some(default) = default_of(&name, &texts) else {
            continue;
        };
        let value = settings::value_of(&name, options);
        let is_default = value.as_ref().is_none_or(|v| *v == default);
        if !is_default {
            continue;
        }
        let choice = VariantMacro {
            name,
            value: default,
            exact: true,
            by_value: false,
            given: value.is_some(),
            is_number: false,
        };
        let with = flipped(options, &choice);
        if !runs.reserve(&with, held(both)) {
            continue;
        }
        let Ok(other) = runs.built(&with, held(both)) else {
            continue;
        };
        if let Some(files) = same_texts(&all.files, &other.files) {
            unite(all, other, files);
            out.push(choice);
        }
    }
    out
}

/// The one value that a text gives the macro, if it is a word or a number; 1, as `-DN` gives it, where it is only defined.
pub(super) fn default_of(name: &str, texts: &[&[u8]]) -> Option<String> {
    let mut values = BTreeSet::new();
    for line in texts.iter().flat_map(|t| t.split(|b| *b == b'\n')) {
        let line = String::from_utf8_lossy(line);
        let Some(rest) = line.trim_start().strip_prefix('#') else {
            continue;
        };
        let mut words = rest.split_whitespace();
        let directive = words.next();
        if !matches!(directive, Some("define" | "undef")) {
            continue;
        }
        match words.next() {
            Some(w) if w == name && directive == Some("define") => {
                let value: Vec<&str> = words.collect();
                let value = match value[..] {
                    [] => "1",
                    [value] => value,
                    _ => return None,
                };
                values.insert(value.to_owned());
            }
            // With arguments, or taken away.
            Some(w) if w.split('(').next() == Some(name) => return None,
            _ => {}
        }
    }
    let value = values.pop_first().filter(|_| values.is_empty())?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.+-()*".contains(c);
    value.chars().all(is_plain).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::default_of;

    #[test]
    fn one_value_is_a_default() {
        let of = |text: &str| default_of("N", &[text.as_bytes()]);
        assert_eq!(
            of("#ifndef N\n# define N 8\n#endif\n"),
            Some("8".to_owned())
        );
        assert_eq!(of("#define N\n"), Some("1".to_owned()));
        for text in [
            "#define N 8\n#define N 9\n",
            "#define N 8\n#undef N\n",
            "#define N(x) 8\n",
            "#define N (8 + 1)\n",
            "#define M 8\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
