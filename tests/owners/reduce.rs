//! Makes a failing program smaller, one statement or construct at a time.

use std::path::Path;

use crate::program::Program;
use crate::run::{Failure, Runner};
use crate::tree;

/// The smallest program found that fails in the same step and is sound without GPU attributes.
pub fn reduce(runner: &Runner, program: &Program, failure: &Failure, folder: &Path) -> Program {
    let fails = |p: &Program| {
        if failure.step == "sound" {
            let found = runner.sound(std::slice::from_ref(p), &folder.join("sound"));
            return found
                .failures
                .iter()
                .any(|f| kind(&f.detail) == kind(&failure.detail));
        }
        let results = runner.run(std::slice::from_ref(p), &folder.join("try"));
        let same = |f: &Failure| {
            f.step == failure.step
                && (f.step == "output" || kind(&f.detail) == kind(&failure.detail))
        };
        let all = results
            .failures
            .iter()
            .chain(&results.invalid)
            .chain(&results.refused);
        // What was taken away may have made it valid.
        let check = || {
            runner
                .sound(std::slice::from_ref(p), &folder.join("sound"))
                .failures
                .is_empty()
        };
        all.filter(|f| same(f)).count() > 0
            && (matches!(failure.step, "reference" | "refused") || check())
    };
    let mut best = program.clone();
    if !fails(&best) {
        return best;
    }
    loop {
        let before = tree::size(&best.nodes);
        let mut places = tree::places(&best.nodes);
        // Whole procedures and constructs go first; from the end, so that the places before stay what they are.
        places.sort_by_key(|p| p.len());
        let mut index = places.len();
        let mut level = places.iter().map(Vec::len).min().unwrap_or(0);
        let deepest = places.iter().map(Vec::len).max().unwrap_or(0);
        while level <= deepest {
            places = tree::places(&best.nodes)
                .into_iter()
                .filter(|p| p.len() == level)
                .collect();
            index = index.min(places.len());
            for place in places.iter().rev() {
                for keep_body in [false, true] {
                    let Some(nodes) = tree::without(&best.nodes, place, keep_body) else {
                        continue;
                    };
                    let candidate = Program {
                        seed: best.seed,
                        nodes,
                    };
                    if fails(&candidate) {
                        best = candidate;
                        break;
                    }
                }
            }
            level += 1;
        }
        if tree::size(&best.nodes) == before {
            return best;
        }
    }
}

/// What kind of failure a message is about, without places.
pub fn kind(detail: &str) -> String {
    let marks = [
        "AddressSanitizer: ",
        "LeakSanitizer: ",
        "Error: ",
        "runtime error: ",
        "internal compiler error",
        "cuf2cu runtime: ",
        "error: ",
    ];
    let line = |l: &str| {
        marks
            .iter()
            .find_map(|m| l.find(m).map(|at| l[at..].to_owned()))
    };
    let text = detail
        .lines()
        .find_map(line)
        .or(detail.lines().next().map(str::to_owned))
        .unwrap_or_default();
    let words = text
        .split_whitespace()
        .take_while(|w| !w.contains("0x"))
        .take(9);
    words
        .map(|w| w.trim_matches(|c: char| c.is_ascii_digit()))
        .collect::<Vec<_>>()
        .join(" ")
}
