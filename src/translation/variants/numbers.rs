//! Macros that are whole numbers, as sizes of blocks and kinds: which values the files hold besides that of the translation.

use std::collections::BTreeSet;

use super::defaults::default_of;
use super::runs::{Held, NO_MORE, Runs};
use super::united::{united, with};
use super::{flipped, mapped, nesting, same_texts, settings, subsets, texts_of};
use crate::source::{MacroUse, is_predefined};
use crate::translate::{
    Choices, FileKind, Numbers, OutputFile, SourceInput, TranslateOptions, Translation,
    VariantMacro,
};

/// So many numbers are tried besides that of the translation.
const MAX: usize = 6;

/// Numbers with errors are looked for by at most this part of the translations that are left.
const PART_FOR_ERRORS: usize = 4;

/// A plain whole number that does not begin with 0.
fn is_number(value: &str) -> bool {
    let is_short = (1..=6).contains(&value.len());
    is_short
        && value.bytes().all(|b| b.is_ascii_digit())
        && (value == "0" || !value.starts_with('0'))
}

/// The usual numbers besides this one, the nearest first: those that conditions compare the macro with, then others, which choose the text
/// after `#else`: powers of two if all numbers are such, else the bounds of `#if M > 2` and the next smaller and larger number.
fn usual(value: &str, asked: &MacroUse) -> Vec<String> {
    let plain = |all: &BTreeSet<String>| -> Vec<String> {
        all.iter().filter(|c| is_number(c)).cloned().collect()
    };
    let compared = plain(&asked.compared);
    let mut out = compared.clone();
    if asked.truth {
        out.extend(["0", "1"].map(str::to_owned));
    }
    let of = |all: &[String]| -> Vec<u32> { all.iter().filter_map(|c| c.parse().ok()).collect() };
    let Ok(now) = value.parse::<u32>() else {
        return Vec::new();
    };
    let is_size = |n: u32| n.is_power_of_two() && (4..=1024).contains(&n);
    if is_size(now) && of(&compared).into_iter().all(is_size) {
        let range = match now {
            4..16 => 2..=5,
            16..32 => 2..=6,
            _ => 3..=10,
        };
        let distance = |power: &u32| power.abs_diff(now.trailing_zeros());
        let mut powers: Vec<u32> = range.collect();
        powers.sort_by_key(distance);
        out.extend(powers.iter().map(|p| (1u32 << p).to_string()));
    } else {
        let bounds = plain(&asked.bounds);
        let known = [of(&compared), of(&bounds)].concat();
        out.extend(bounds);
        if let (Some(least), Some(most)) = (known.iter().min(), known.iter().max()) {
            out.push((now.max(*most) + 1).to_string());
            out.extend(now.min(*least).checked_sub(1).map(|n| n.to_string()));
        }
    }
    let mut seen = BTreeSet::from([value.to_owned()]);
    out.retain(|n| seen.insert(n.clone()));
    out.truncate(MAX);
    out
}

/// A macro of which some values can be had.
struct Candidate {
    numbers: Numbers,
    /// Conditions compare it with numbers, or ask whether it is true.
    is_compared: bool,
    /// So many other numbers are wanted before more of other macros: those of conditions and one for the text after `#else`, or two sizes.
    first: usize,
    /// Why one of them is not right.
    why_not: Option<String>,
}

/// The macros of which some values can be had, those that conditions compare with numbers first.
fn candidates(
    all: &Translation,
    both: &[VariantMacro],
    options: &TranslateOptions,
    texts: &[&[u8]],
) -> Vec<Candidate> {
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
        let is_compared = !(asked.compared.is_empty() && asked.bounds.is_empty()) || asked.truth;
        let compared = others.iter().filter(|o| asked.compared.contains(*o));
        let first = match is_compared {
            true => compared.count() + 1,
            false => 2,
        };
        let numbers = Numbers {
            name: name.to_owned(),
            value,
            given: given.is_some(),
            others,
            in_device_code: false,
        };
        (is_number(&numbers.value) && !numbers.others.is_empty()).then_some(Candidate {
            numbers,
            is_compared,
            first,
            why_not: None,
        })
    };
    let mut all: Vec<Candidate> = names.into_iter().filter_map(one).collect();
    all.sort_by_key(|c| !c.is_compared);
    all
}

/// Takes out numbers with which the program has an error, if there are translations for that: several macros share these.
fn take_out_errors(candidates: &mut [Candidate], options: &TranslateOptions, runs: &mut Runs<'_>) {
    let all: usize = candidates.iter().map(|c| c.numbers.others.len()).sum();
    if candidates.len() < 2 || all > runs.left() / PART_FOR_ERRORS {
        return;
    }
    for Candidate {
        numbers, why_not, ..
    } in candidates
    {
        let mut others = std::mem::take(&mut numbers.others);
        others.retain(|value| match runs.one(&with(options, numbers, value)) {
            Ok(_) => true,
            Err(why) => {
                why_not.get_or_insert(why);
                false
            }
        });
        numbers.others = others;
    }
}

/// How many other numbers each macro may have, so that all together have some: one more for each in turn, as long as the translations that
/// are left are enough. `all`: the options of outputs that are made for each number.
fn shares(
    candidates: &[Candidate],
    all: &[TranslateOptions],
    both: &[VariantMacro],
    runs: &Runs<'_>,
) -> Vec<usize> {
    let mut shares = vec![0; candidates.len()];
    let fits = |shares: &[usize]| {
        let numbers = candidates.iter().zip(shares).filter(|(_, n)| **n > 0);
        let numbers: Vec<Numbers> = numbers
            .map(|(c, n)| Numbers {
                others: c.numbers.others[..*n].to_vec(),
                ..c.numbers.clone()
            })
            .collect();
        let numbers = &numbers;
        runs.has_enough(all, Held { both, numbers })
    };
    for is_first in [true, false] {
        let mut has_more = true;
        while std::mem::take(&mut has_more) {
            for (at, c) in candidates.iter().enumerate() {
                let most = c.numbers.others.len();
                let most = if is_first { c.first.min(most) } else { most };
                if shares[at] < most {
                    shares[at] += 1;
                    match fits(&shares) {
                        true => has_more = true,
                        false => shares[at] -= 1,
                    }
                }
            }
        }
    }
    shares
}

/// Adds the numbers that a build may choose to the translation and to the choices.
pub(super) fn add(
    all: &mut Translation,
    choices: &mut Choices,
    runs: &mut Runs<'_>,
    (inputs, options): (&[SourceInput], &TranslateOptions),
) {
    let (mut candidates, beside) = {
        let texts = texts_of(inputs, all);
        let candidates = candidates(all, &choices.both, options, &texts);
        let neutral = &choices.neutral;
        let is_beside = |c: &VariantMacro| {
            let mut others = neutral.iter().filter(|o| o.name != c.name);
            others.any(|o| nesting::mean_together(&c.name, &o.name, &texts))
        };
        let names = neutral.iter().filter(|c| is_beside(c));
        (
            candidates,
            names.map(|c| c.name.clone()).collect::<Vec<String>>(),
        )
    };
    take_out_errors(&mut candidates, options, runs);
    // A candidate with a default may be among the macros without influence, and will not be.
    let is_candidate = |c: &&VariantMacro| candidates.iter().any(|o| o.numbers.name == c.name);
    let neutral: Vec<&VariantMacro> = choices
        .neutral
        .iter()
        .filter(|c| !is_candidate(c))
        .collect();
    let outputs = [std::slice::from_ref(options), &flips(options, &neutral)].concat();
    let shares = shares(&candidates, &outputs, &choices.both, runs);
    for (candidate, share) in candidates.into_iter().zip(shares) {
        let (is_compared, mut why_not) = (candidate.is_compared, candidate.why_not);
        let candidate = candidate.numbers;
        let mut found = Numbers {
            others: Vec::new(),
            ..candidate.clone()
        };
        let mut others: Vec<(&str, Translation)> = Vec::new();
        if choices.both.is_empty() && choices.numbers.is_empty() {
            let values = candidate.tried();
            let all: Vec<_> = values
                .iter()
                .map(|v| with(options, &candidate, v))
                .collect();
            let most = usize::from(!candidate.given) + share;
            runs.prepare(&all[..most.min(all.len()).min(runs.left())]);
        }
        let own = usize::from(!candidate.given);
        for value in candidate.tried() {
            if others.len() == own + share {
                break;
            }
            let with = with(options, &candidate, value);
            match translated(&with, (choices, &candidate.name), &beside, runs) {
                Ok(more) => others.push((value, more)),
                Err(why) => {
                    let is_end = why == NO_MORE || value == candidate.value;
                    why_not.get_or_insert(why);
                    if is_end {
                        break;
                    }
                }
            }
        }
        let with = match united_as_far(all, others, &mut found, options) {
            Ok(with) => with,
            Err(why) => {
                let is_known = choices.one.iter().any(|(name, _)| *name == found.name);
                if is_compared && !is_known {
                    choices.one.push((found.name, why_not.unwrap_or(why)));
                }
                continue;
            }
        };
        let files = &with.files;
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
    // Files with more numbers name macros that those with fewer do not.
    for numbers in &mut choices.numbers {
        numbers.in_device_code = is_in_device_code(numbers, &all.files);
    }
}

/// The translation that holds the numbers of `others`, or those of them for which there is one text; they become those of `numbers`.
///
/// # Errors
/// Why the translations cannot be united.
fn united_as_far(
    all: &Translation,
    others: Vec<(&str, Translation)>,
    numbers: &mut Numbers,
    options: &TranslateOptions,
) -> Result<Translation, String> {
    let is_own = |numbers: &Numbers, value: &str| value == numbers.value;
    let mut kept = others.clone();
    let mut result = united(all.clone(), others.clone(), numbers, options);
    if result.is_err() {
        kept.clear();
        for other in others {
            let value = other.0;
            kept.push(other);
            match united(all.clone(), kept.clone(), numbers, options) {
                Err(why) if is_own(numbers, value) => return Err(why),
                Err(_) => drop(kept.pop()),
                with => result = with,
            }
        }
    }
    let values = kept.iter().map(|(value, _)| *value);
    numbers.others = values
        .filter(|v| !is_own(numbers, v))
        .map(str::to_owned)
        .collect();
    match numbers.others.is_empty() {
        true => result.and(Err(NO_MORE.to_owned())),
        false => result,
    }
}

/// Device code asks for the number.
fn is_in_device_code(numbers: &Numbers, files: &[OutputFile]) -> bool {
    let private = numbers.choice(&numbers.value).in_device_code().name;
    files.iter().any(|f| {
        let is_device = matches!(f.kind, FileKind::DeviceSource | FileKind::DeviceHeader);
        is_device && super::guards::has_word(&f.contents, &private)
    })
}

/// The options with each of the macros without influence the other way, and with all of them.
fn flips(options: &TranslateOptions, neutral: &[&VariantMacro]) -> Vec<TranslateOptions> {
    let flip = |o: TranslateOptions, c: &&VariantMacro| flipped(&o, c);
    let mut flips: Vec<_> = neutral.iter().map(|c| flipped(options, c)).collect();
    if neutral.len() > 1 {
        flips.push(neutral.iter().fold(options.clone(), flip));
    }
    flips
}

/// The translation with a number and what the others are held for; macros without influence have none in it either.
fn translated(
    options: &TranslateOptions,
    (choices, name): (&Choices, &str),
    beside: &[String],
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
    let mut flips = flips(options, &neutral);
    let flip = |o: TranslateOptions, c: &&VariantMacro| flipped(&o, c);
    // These may mean something together.
    let mut together = neutral.clone();
    together.retain(|c| beside.contains(&c.name));
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
        assert_eq!(
            usual("128", &asked),
            ["64", "256", "32", "512", "16", "1024"]
        );
        assert_eq!(usual("32", &asked), ["16", "64", "8", "128", "256", "512"]);
        assert_eq!(usual("16", &asked), ["8", "32", "4", "64"]);
        assert_eq!(usual("8", &asked), ["4", "16", "32"]);
        assert_eq!(usual("100", &asked), [""; 0]);
        let asked = MacroUse {
            compared: ["1", "2"].map(str::to_owned).into(),
            ..asked
        };
        assert_eq!(usual("1", &asked), ["2", "3", "0"]);
        let asked = MacroUse {
            compared: ["8"].map(str::to_owned).into(),
            ..MacroUse::default()
        };
        assert_eq!(usual("8", &asked), ["4", "16", "32"]);
        assert_eq!(usual("0", &asked), ["8", "9"]);
        let asked = MacroUse {
            bounds: ["2"].map(str::to_owned).into(),
            ..MacroUse::default()
        };
        assert_eq!(usual("2", &asked), ["3", "1"]);
        assert_eq!(usual("8", &asked), ["4", "16", "32"]);
    }
}
