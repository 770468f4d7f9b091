//! Tests of the generator of the random test of OpenACC.

#![allow(dead_code, reason = "the test of OpenACC uses the rest")]

#[path = "openacc/generator/mod.rs"]
mod generator;
#[path = "random/numbers.rs"]
mod numbers;

use generator::ir::Case;
use generator::{generate, print, results, smaller};

fn text(case: &Case) -> String {
    print(case, "case").join("\n")
}

#[test]
fn a_seed_means_one_program() {
    for seed in 0..50 {
        assert_eq!(text(&generate(seed)), text(&generate(seed)));
    }
    assert_ne!(text(&generate(1)), text(&generate(2)));
}

#[test]
fn every_form_occurs() {
    let text: String = (0..300).map(|seed| text(&generate(seed))).collect();
    let words = [
        "!$acc parallel loop",
        "!$acc parallel ",
        "!$acc kernels loop",
        "!$acc kernels",
        "!$acc serial loop",
        "!$acc serial",
        "!$acc data ",
        "!$acc enter data",
        "!$acc exit data",
        "!$acc update device(",
        "!$acc update self(",
        "!$acc update host(",
        "!$acc wait(",
        "!$acc atomic update",
        "!$acc declare create(",
        "!$acc routine seq",
        " collapse(2)",
        " collapse(3)",
        " tile(",
        " gang",
        " worker",
        " vector",
        " seq",
        " independent",
        " private(",
        " reduction(+: ",
        " reduction(max: ",
        " reduction(.or.: ",
        " async(2)",
        " wait(",
        " if(",
        " self(",
        " default(present)",
        " present(",
        " copyin(",
        " copyout(",
        " create(",
        " delete(",
        "vector_length(",
        "num_gangs(",
        "st%a",
        ", pointer ::",
    ];
    for word in words {
        assert!(text.contains(word), "`{word}` never occurs");
    }
}

#[test]
fn smaller_programs_are_smaller() {
    for seed in 0..20 {
        let case = generate(seed);
        let less = smaller(&case);
        assert!(!less.is_empty(), "seed {seed}");
        assert!(results(&case) > 0, "seed {seed}");
        assert!(less.iter().all(|l| text(l) != text(&case)), "seed {seed}");
    }
}
