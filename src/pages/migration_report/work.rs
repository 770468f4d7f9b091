//! What hand work costs: a range for each class of work, and how repetitions count. docs/report.md says where the ranges come from.

use super::data::{ClassWork, DAY, HOUR, Minutes, Refusal};
use crate::diag::codes::Work;

/// All classes, with what one place of each costs.
const CLASSES: [(Work, &str, Minutes); 7] = [
    (Work::Look, "a warning to look at", range(1, 10)),
    (
        Work::Supply,
        "a file, module or option to supply",
        range(10, 4 * HOUR),
    ),
    (Work::Line, "one line to change", range(2, 15)),
    (Work::Lines, "a few lines to rewrite", range(10, HOUR)),
    (
        Work::Procedure,
        "a procedure, kernel or loop to rewrite",
        range(30, DAY),
    ),
    (
        Work::Design,
        "data structures or algorithms to redesign",
        range(DAY, 10 * DAY),
    ),
    (
        Work::Fault,
        "a fault of cuf2cu to report and avoid",
        range(30, 4 * HOUR),
    ),
];

/// What one place of each class costs, for the documents.
pub fn classes() -> impl Iterator<Item = (&'static str, Minutes)> {
    CLASSES
        .into_iter()
        .map(|(_, meaning, each)| (meaning, each))
}

const fn range(low: usize, high: usize) -> Minutes {
    Minutes { low, high }
}

/// A repetition is the same change again, at best.
const REPETITION: usize = 4;

/// The estimate for a code with that many places. At best all are like the first, at worst each is another case; warnings are read in a row.
pub fn minutes(work: Work, places: usize) -> Minutes {
    let each = each(work);
    let again = places.saturating_sub(1);
    let alike = |one: usize| one * places.min(1) + (one * again).div_ceil(REPETITION);
    Minutes {
        low: alike(each.low),
        high: match work {
            Work::Look => alike(each.high),
            _ => each.high * places,
        },
    }
}

fn each(work: Work) -> Minutes {
    let row = CLASSES.iter().find(|c| c.0 == work);
    row.map(|c| c.2).unwrap_or_default()
}

/// The classes with work in them. `modules` are to be compiled by gfortran; those that are refused for being missing count once.
pub fn by_class(
    refused: &[Refusal],
    warnings: &[Refusal],
    modules: usize,
    whole: bool,
) -> Vec<ClassWork> {
    let class = |(class, meaning, each): (Work, &str, Minutes)| {
        let own = refused.iter().chain(warnings).filter(|r| r.work == class);
        let mut places = 0;
        let mut sum = Minutes::default();
        let mut add = |n: usize| {
            places += n;
            sum = [sum, minutes(class, n)].into_iter().sum();
        };
        let mut missing = 0;
        for r in own {
            add(r.places);
            if r.code == "CUF0204" {
                missing = r.places;
            }
        }
        if class == Work::Supply {
            add(modules.saturating_sub(missing));
            add(usize::from(whole));
        }
        ClassWork {
            class,
            meaning: meaning.to_owned(),
            each,
            places,
            minutes: sum,
        }
    };
    let all = CLASSES.into_iter().map(class);
    all.filter(|c| c.places > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_grow_with_places() {
        assert_eq!(minutes(Work::Lines, 0), range(0, 0));
        assert_eq!(minutes(Work::Lines, 1), range(10, 60));
        // At best the other four take a quarter of the first.
        assert_eq!(minutes(Work::Lines, 5), range(20, 300));
        assert_eq!(minutes(Work::Look, 5), range(2, 20));
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        assert_eq!(range(0, 0).to_string(), "none");
        assert_eq!(range(2, 15).to_string(), "2 to 15 min");
        assert_eq!(range(10, 121).to_string(), "10 min to 3 h");
        assert_eq!(range(961, 10 * DAY).to_string(), "3 to 10 days");
    }
}
