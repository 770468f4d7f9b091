//! Macros that are whole numbers, as sizes of blocks and kinds: which values the files hold besides that of the translation.

use super::defaults::default_of;
use super::runs::{Held, NO_MORE, Runs};
use super::united::{united, with};
use super::{flipped, mapped, nesting, same_texts, settings, subsets, texts_of};
use crate::source::{MacroUse, is_predefined};
use crate::translate::{
    Choices, FileKind, Numbers, SourceInput, TranslateOptions, Translation, VariantMacro,
};

/// So many numbers are tried besides that of the translation.
const MAX: usize = 6;

/// A plain whole number that does not begin with 0.
fn is_number(value: &str) -> bool {
    let is_short = (1..=6).contains(&value.len());
    is_short
        && value.bytes().all(|b| b.is_ascii_digit())
        && (value == "0" || !value.starts_with('0'))
}

/// The numbers that are usual besides this one, the nearest first: those that conditions compare the macro with, else powers of two.
fn usual(value: &str, asked: &MacroUse) -> Vec<String> {
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
    both: &[VariantMacro],
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
            let choice = VariantMacro {
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
    let neutral: Vec<&VariantMacro> = choices.neutral.iter().filter(|c| c.name != name).collect();
    let mut flips: Vec<TranslateOptions> = neutral.iter().map(|c| flipped(options, c)).collect();
    let flip = |o: TranslateOptions, c: &&VariantMacro| flipped(&o, c);
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

#[cfg(test)]
mod tests {
    use super::usual;
    use crate::source::MacroUse;

    #[test]
    fn numbers_that_are_usual() {
        let asked = MacroUse::default();
        assert_eq!(usual("128", &asked), ["64", "256", "32", "512", "1024"]);
        assert_eq!(usual("8", &asked), ["4", "16", "32"]);
        assert_eq!(usual("100", &asked), [""; 0]);
        let asked = MacroUse {
            compared: ["1", "2"].map(str::to_owned).into(),
            ..asked
        };
        assert_eq!(usual("1", &asked), ["2"]);
    }
}
