//! Tests of the generator of the random test of threads.

#![allow(dead_code, reason = "the test of threads uses the rest")]

#[path = "threads/generator/mod.rs"]
mod generator;

use generator::ir::{Case, Node};
use generator::{device, generate, host, placed, smaller, without_barrier};

fn text(case: &Case) -> String {
    let (other, main) = device::print(case);
    [other, main, host::print(case)].concat().join("\n")
}

#[test]
fn a_seed_means_one_program() {
    for seed in 0..50 {
        assert_eq!(text(&generate(seed)), text(&generate(seed)));
    }
    assert_ne!(text(&generate(1)), text(&generate(2)));
}

#[test]
fn barriers_are_put_once() {
    for seed in 0..200 {
        let case = generate(seed);
        assert_eq!(text(&case), text(&placed(&case)), "seed {seed}");
    }
}

#[test]
fn every_kind_of_phase_occurs() {
    let text: String = (0..700).map(|seed| text(&generate(seed))).collect();
    let words = [
        "attributes(grid_global)",
        "attributes(device) subroutine",
        "attributes(device) function",
        "call syncthreads()",
        "call syncthreads(gg)",
        "call syncwarp(msk)",
        "syncthreads_count(",
        "syncthreads_and(",
        "syncthreads_or(",
        "__shfl(",
        "__shfl_sync(",
        "__shfl_xor(",
        "__shfl_xor_sync(",
        "__shfl_up(",
        "__shfl_down(",
        "popcnt(ballot_sync(",
        "popcnt(match_any_sync(",
        "anythread(",
        "allthreads(",
        "any_sync(",
        "all_sync(",
        "atomicadd(",
        "atomicsub(",
        "atomicmax(",
        "atomicmin(",
        "atomicand(",
        "atomicor(",
        "atomicxor(",
        "atomiccas(",
        "atomicexch(",
        "call threadfence()",
        "call threadfence_block()",
        "call threadfence_system()",
        "associate (",
        ", optional ::",
        ", value ::",
        ", intent(in) ::",
        ", volatile ::",
        ", device, allocatable ::",
        ", shared :: s11(n)",
        ", shared :: s11(*)",
        "(1:127:2)",
        "((b - 1)*nt + 1:b*nt)",
        "!$cuf kernel do",
        "present(",
        "dim3(",
        ") exit",
        "(-2:",
        "(tx, ty)",
    ];
    for word in words {
        assert!(text.contains(word), "`{word}` never occurs");
    }
}

#[test]
fn barriers_stand_in_procedures() {
    let barrier = |n: &Node| matches!(n, Node::Sync { placed: true, .. });
    let mut inside = 0;
    for case in (0..300).map(generate) {
        inside += case
            .procedures
            .iter()
            .filter(|p| p.body.iter().any(barrier))
            .count();
    }
    assert!(inside > 50, "{inside}");
}

#[test]
fn smaller_programs_are_smaller() {
    for seed in 0..10 {
        let case = generate(seed);
        let less = smaller(&case);
        assert!(!less.is_empty(), "seed {seed}");
        assert!(less.iter().all(|l| text(l) != text(&case)), "seed {seed}");
    }
    assert!(
        (0..20)
            .filter_map(|seed| without_barrier(&generate(seed)))
            .count()
            > 10
    );
}
