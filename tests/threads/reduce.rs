//! Makes a failing program smaller, one phase at a time.

use std::path::Path;

use crate::batch::Threads;
use crate::generator::ir::Case;
use crate::generator::smaller;
use crate::random::{Failure, Runner};

/// Programs tried in one build while looking for a smaller one that still fails.
const TOGETHER: usize = 16;

/// The smallest program found that fails in the same step.
pub fn reduce(runner: &Runner<Threads>, case: &Case, failure: &Failure, folder: &Path) -> Case {
    let mut best = case.clone();
    // Every round removes something, so that this ends. The seed tells the candidates apart in the results.
    'rounds: for _ in 0..60 {
        let mut candidates = smaller(&best);
        for (index, candidate) in candidates.iter_mut().enumerate() {
            candidate.number = index as u64;
        }
        for group in candidates.chunks(TOGETHER) {
            let results = runner.run(group, folder);
            let failures = results.failures.iter();
            let same = failures.filter(|f| f.step == failure.step);
            if let Some(found) = same.map(|f| f.seed).min()
                && let Some(found) = candidates.get(found as usize)
            {
                best = found.clone();
                continue 'rounds;
            }
        }
        break;
    }
    best.number = case.number;
    best
}
