//! Makes a failing program smaller, by statements, constructs and runs of them.

use std::path::Path;

use crate::batches::Failure;
use crate::program::Program;
use crate::run::{Results, Runner};
use crate::tree::{self, Node};

/// Programs tried in one build while looking for a smaller one that still fails.
const TOGETHER: usize = 24;

/// The smallest program found that fails in the same way and is sound without GPU attributes.
pub fn reduce(runner: &Runner, program: &Program, failure: &Failure, folder: &Path) -> Program {
    let same = |f: &Failure| {
        f.step == failure.step && (f.step == "output" || kind(&f.detail) == kind(&failure.detail))
    };
    let sound = |p: &Program| {
        let found = runner.sound(std::slice::from_ref(p), &folder.join("sound"));
        matches!(failure.step, "reference" | "refused" | "sound") || found.failures.is_empty()
    };
    let run = |group: &[Program]| -> Results {
        if failure.step == "sound" {
            let mut sum = Results::default();
            for p in group {
                sum.add(runner.sound(std::slice::from_ref(p), &folder.join("try")));
            }
            return sum;
        }
        runner.run(group, &folder.join("try"))
    };
    let mut best = program.clone();
    // Every round takes something away, so that this ends.
    'rounds: for _ in 0..400 {
        let mut candidates: Vec<Vec<Node>> = smaller(&best.nodes);
        candidates.sort_by_key(|n| tree::size(n));
        for group in candidates.chunks(TOGETHER) {
            let named: Vec<Program> = (0..).zip(group).map(|(i, nodes)| named(nodes, i)).collect();
            let results = run(&named);
            let all = results
                .failures
                .iter()
                .chain(&results.invalid)
                .chain(&results.refused);
            let mut fail: Vec<u64> = all.filter(|f| same(f)).map(|f| f.seed).collect();
            fail.sort_unstable();
            for index in fail {
                // What was taken away may have made it valid.
                if let Some(found) = group.get(index as usize)
                    && sound(&named[index as usize])
                {
                    best.nodes = named_nodes(found, program.seed);
                    continue 'rounds;
                }
            }
        }
        break;
    }
    best
}

fn named(nodes: &[Node], seed: u64) -> Program {
    Program {
        seed,
        nodes: named_nodes(nodes, seed),
    }
}

fn named_nodes(nodes: &[Node], seed: u64) -> Vec<Node> {
    let mut nodes = nodes.to_vec();
    if let Some(Node::Block { head, .. }) = nodes.first_mut() {
        *head = format!("module case_{seed}");
    }
    nodes
}

/// The program without one of its parts.
fn smaller(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut all = Vec::new();
    for place in tree::places(nodes) {
        all.extend(tree::without(nodes, &place, false));
        all.extend(tree::without(nodes, &place, true));
        all.extend(tree::halves(nodes, &place));
    }
    all
}

/// What kind of failure a message is about, without places.
pub fn kind(detail: &str) -> String {
    let marks = [
        "AddressSanitizer: ",
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
    let found = detail
        .lines()
        .find_map(line)
        .or(detail.lines().next().map(str::to_owned));
    let text = found.unwrap_or_default();
    let words = text
        .split_whitespace()
        .take_while(|w| !w.contains("0x"))
        .take(7);
    let letters = words.map(|w| w.trim_matches(|c: char| c.is_ascii_digit()));
    letters
        .filter(|w| !w.contains('('))
        .collect::<Vec<_>>()
        .join(" ")
}
