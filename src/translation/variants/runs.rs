//! The translations for other macros: each is made once, and so many at most.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::{flipped, merged_files, side_by_side, unite, united};
use crate::diag::Severity;
use crate::source;
use crate::translate::{
    Numbers, SourceInput, TranslateOptions, Translation, VariantMacro, translate,
};

/// So many bytes of sources are translated at most, within these limits of translations.
const MAX_BYTES: usize = 2 << 20;
const LEAST: usize = 24;
const MOST: usize = 128;

/// No more translations are made.
pub(super) const NO_MORE: &str = "other macros have taken all translations";

/// The macros of a translation, each with what the options say of it, in their order.
type Key = BTreeMap<String, Vec<Option<String>>>;

/// What a merged output is for.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    pub both: &'a [VariantMacro],
    pub numbers: &'a [Numbers],
}

/// The translations for other macros that have been made, and how many more may be.
pub(super) struct Runs<'a> {
    inputs: &'a [SourceInput],
    known: Mutex<BTreeMap<Key, Arc<Translation>>>,
    /// Those that have been taken from what is left.
    counted: BTreeSet<Key>,
    left: usize,
}

impl<'a> Runs<'a> {
    /// `size`: bytes of the sources and of what they include.
    pub fn new(inputs: &'a [SourceInput], size: usize) -> Runs<'a> {
        Runs {
            inputs,
            known: Mutex::default(),
            counted: BTreeSet::new(),
            left: (MAX_BYTES / size.max(1)).clamp(LEAST, MOST),
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Key, Arc<Translation>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many more translations may be made.
    pub fn left(&self) -> usize {
        self.left
    }

    /// The translations that outputs for these choices need and that have not been counted.
    fn missing(&self, all: &[TranslateOptions], held: Held<'_>) -> BTreeSet<Key> {
        let every = all.iter().flat_map(|options| every(options, held));
        let keys = every.map(|options| key(&options));
        keys.filter(|k| !self.counted.contains(k)).collect()
    }

    /// The translations that are left are enough for outputs with each of these options.
    pub fn has_enough(&self, all: &[TranslateOptions], held: Held<'_>) -> bool {
        self.missing(all, held).len() <= self.left
    }

    /// Takes what an output for these choices needs from the translations that are left; false: too few are.
    #[must_use]
    pub fn reserve(&mut self, options: &TranslateOptions, held: Held<'_>) -> bool {
        let mut new = self.missing(std::slice::from_ref(options), held);
        let is_enough = new.len() <= self.left;
        if is_enough {
            self.left -= new.len();
            self.counted.append(&mut new);
        }
        is_enough
    }

    /// The translation with these options.
    fn made(&self, options: &TranslateOptions) -> Arc<Translation> {
        let key = key(options);
        let known = self.known().get(&key).cloned();
        known.unwrap_or_else(|| {
            let new = Arc::new(translate(self.inputs.to_vec(), options));
            self.known().insert(key, Arc::clone(&new));
            new
        })
    }

    /// Makes translations at the same time that will be asked for one by one, if there are threads for it.
    pub fn prepare(&self, all: &[TranslateOptions]) {
        // With one thread only what is asked for is made.
        if rayon::current_num_threads() > 1 {
            all.par_iter().for_each(|options| drop(self.made(options)));
        }
    }

    /// The translation with these options alone.
    ///
    /// # Errors
    /// Why it is of no use.
    pub fn one(&mut self, options: &TranslateOptions) -> Result<Arc<Translation>, String> {
        let held = Held {
            both: &[],
            numbers: &[],
        };
        if !self.reserve(options, held) {
            return Err(NO_MORE.to_owned());
        }
        let translation = self.made(options);
        error_of(&translation, options).map_or(Ok(translation), Err)
    }

    /// The translation that holds these choices; it has been reserved.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn built(&self, options: &TranslateOptions, held: Held<'_>) -> Result<Translation, String> {
        let Held { both, numbers } = held;
        if let Some((last, rest)) = numbers.split_last() {
            let held = Held {
                both,
                numbers: rest,
            };
            let base = self.built(options, held)?;
            let others = (last.tried().into_iter())
                .map(|value| {
                    Ok((
                        value,
                        self.built(&united::with(options, last, value), held)?,
                    ))
                })
                .collect::<Result<Vec<_>, String>>()?;
            return united::united(base, others, last, options);
        }
        let Some((choice, rest)) = both.split_last() else {
            let translation = self.made(options);
            return match error_of(&translation, options) {
                Some(error) => Err(error),
                None => Ok((*translation).clone()),
            };
        };
        let held = Held {
            both: rest,
            numbers,
        };
        let (all, other) =
            side_by_side(options, &flipped(options, choice), |o| self.built(o, held));
        let (mut all, other) = (all?, other?);
        let files = merged_files(&all, &other, choice, options)?;
        unite(&mut all, other, files);
        Ok(all)
    }
}

fn key(options: &TranslateOptions) -> Key {
    let mut key = Key::new();
    for (name, value) in source::macros_of(&options.macros) {
        key.entry(name).or_default().push(value);
    }
    key
}

/// The options of all translations that are part of one that holds these choices.
fn every(options: &TranslateOptions, held: Held<'_>) -> Vec<TranslateOptions> {
    let mut all = vec![options.clone()];
    for choice in held.both {
        let other: Vec<_> = all.iter().map(|o| flipped(o, choice)).collect();
        all.extend(other);
    }
    for numbers in held.numbers {
        let others = numbers.tried().into_iter().flat_map(|value| {
            let with = |o| united::with(o, numbers, value);
            all.iter().map(with).collect::<Vec<_>>()
        });
        let others: Vec<_> = others.collect();
        all.extend(others);
    }
    all
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
