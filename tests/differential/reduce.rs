//! Makes a failing program smaller, one statement at a time.

use std::path::Path;

use crate::batch::Differential;
use crate::generator::program::Program;
use crate::random::{Failure, Runner};

/// Programs tried in one build while looking for a smaller one that still fails.
const TOGETHER: usize = 24;

/// The smallest program found that fails in the same step.
pub fn reduce(
    runner: &Runner<Differential>,
    program: &Program,
    failure: &Failure,
    folder: &Path,
) -> Program {
    let mut best = program.clone();
    // Every round removes something, so that this ends. The position tells the candidates apart in the results.
    'rounds: for _ in 0..200 {
        let mut candidates: Vec<Program> = best.smaller();
        // The smallest first: whole constructs go before single statements.
        candidates.sort_by_key(Program::size);
        for (index, candidate) in candidates.iter_mut().enumerate() {
            candidate.seed = index as u64;
            candidate.data = best.data;
        }
        for group in candidates.chunks(TOGETHER) {
            let results = runner.run(group, folder);
            let still = results
                .failures
                .iter()
                .filter(|f| f.step == failure.step)
                .map(|f| f.seed)
                .min();
            if let Some(index) = still
                && let Some(found) = candidates.get(index as usize)
            {
                best = Program {
                    seed: program.seed,
                    ..found.clone()
                };
                continue 'rounds;
            }
        }
        break;
    }
    best.tidied()
}
