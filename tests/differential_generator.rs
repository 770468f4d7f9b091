//! Tests of the generator of the differential test.

#![allow(dead_code, reason = "the differential test uses the rest")]

#[path = "differential/generator/mod.rs"]
mod generator;

use generator::expr::{Expr, Ty, call, level};
use generator::generate;
use generator::program::{Side, Stmt, Style};

const INSTANCES: usize = 6;

#[test]
fn a_seed_means_one_program() {
    for seed in 0..50 {
        let text = |side| generate(seed).print(side, 1, INSTANCES);
        assert_eq!(text(Side::Device), text(Side::Device));
    }
    assert_ne!(
        generate(1).print(Side::Plain, 1, INSTANCES),
        generate(2).print(Side::Plain, 1, INSTANCES)
    );
}

#[test]
fn sides_differ_in_attributes_only() {
    for seed in 0..200 {
        let program = generate(seed);
        if program.style == Style::Loop {
            continue;
        }
        let device = program.print(Side::Device, 7, INSTANCES);
        let plain = program.print(Side::Plain, 7, INSTANCES);
        let stripped: Vec<String> = device
            .iter()
            .map(|l| {
                l.replace("attributes(device) ", "")
                    .replace("attributes(global) ", "")
            })
            .collect();
        assert_eq!(stripped, plain, "seed {seed}");
    }
}

#[test]
fn parentheses_follow_the_operators() {
    let i4 = Ty::Integer(4);
    let (a, b) = (Expr::primary("a", i4), Expr::primary("b", i4));
    let sum = a.binary("+", &b, level::SUM, i4);
    assert_eq!(
        sum.binary("*", &sum, level::PRODUCT, i4).text,
        "(a + b) * (a + b)"
    );
    assert_eq!(a.binary("-", &sum, level::SUM, i4).text, "a - (a + b)");
    assert_eq!(sum.binary("-", &a, level::SUM, i4).text, "a + b - a");
    assert_eq!(a.negated().negated().text, "-(-a)");
    assert_eq!(call("mod", &[&a, &sum], i4).text, "mod(a, a + b)");
}

#[test]
fn every_style_and_construct_occurs() {
    let programs: Vec<_> = (0..2000).map(generate).collect();
    for style in [Style::Device, Style::Kernel, Style::Loop] {
        assert!(
            programs.iter().filter(|p| p.style == style).count() > 100,
            "{style:?}"
        );
    }
    let text: Vec<String> = programs
        .iter()
        .flat_map(|p| p.print(Side::Device, 1, INSTANCES))
        .collect();
    let words = [
        "select case",
        "where (",
        "elsewhere",
        "forall (",
        "do concurrent",
        "do while",
        "goto",
        "associate (",
        ", pointer :: q",
        ", target :: v",
        "block",
        "cycle",
        "exit",
        "call mvbits",
        "reshape(",
        "spread(",
        "transpose(",
        "cshift(",
        "eoshift(",
        "matmul(",
        "dot_product(",
        "maxloc(",
        "minloc(",
        "merge(",
        "sum(",
        "product(",
        "any(",
        "all(",
        "count(",
        "adjustl(",
        "index(",
        "transfer(",
        "present(",
        "elemental function",
        "parameter ::",
        "type(pair)",
        "nearest(",
        "bessel_jn(",
        "log_gamma(",
        "norm2(",
        "ishftc(",
        "ibits(",
        "dshiftr(",
        "popcnt(",
        "leadz(",
        "nint(",
        "modulo(",
        ".neqv.",
        "**",
    ];
    for word in words {
        assert!(
            text.iter().any(|l| l.contains(word)),
            "`{word}` never occurs"
        );
    }
}

#[test]
fn smaller_programs_are_smaller() {
    let program = generate(12);
    for smaller in program.smaller() {
        assert!(smaller.size() < program.size());
    }
    let mut empty = program.clone();
    empty.body.clear();
    empty.prologue.clear();
    empty.dump.clear();
    assert!(empty.smaller().is_empty());
    empty.body.push(Stmt::line("i4(1) = 2"));
    assert_eq!(empty.smaller().len(), 1);
}
