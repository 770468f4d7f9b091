//! The sources of a batch: modules with the kernels of many programs in two files, the sequential versions, a main program.

use std::fmt::Write as _;

use crate::generator::ir::Case;
use crate::generator::{device, host};
use crate::random::{Source, Sources, Test};

/// The test of threads.
pub struct Threads;

impl Test for Threads {
    type Program = Case;
    const NAME: &'static str = "threads";
    const VARIABLES: &'static str = "THREADS";
    const SELECTS: bool = true;
    const INEXACT: &'static [&'static str] = &[];
    const SUPPORT: &'static str = include_str!("support.f90");

    fn seed(case: &Case) -> u64 {
        case.number
    }

    fn sources(cases: &[Case]) -> Sources {
        let mut data = source("data.cuf");
        let mut batch = source("batch.cuf");
        let mut plain = source("plain.f90");
        for case in cases {
            let (other, main) = device::print(case);
            append(&mut data, &other);
            append(&mut batch, &main);
            append(&mut plain, &host::print(case));
        }
        main_program(cases, &mut batch.text);
        Sources {
            device: vec![data, batch],
            plain,
        }
    }

    fn named(line: &str, cases: &[Case]) -> Option<usize> {
        let number = ["case", "data"].iter().find_map(|stem| {
            let rest = &line[line.find(stem)? + stem.len()..];
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..end].parse::<u64>().ok()
        })?;
        cases.iter().position(|c| c.number == number)
    }
}

fn source(name: &'static str) -> Source {
    Source {
        name,
        text: String::new(),
        ends: vec![0],
    }
}

fn append(source: &mut Source, lines: &[String]) {
    for line in lines {
        source.text.push_str(line);
        source.text.push('\n');
    }
    let before = source.ends.last().copied().unwrap_or(0);
    source.ends.push(before + lines.len() as u32);
}

fn main_program(cases: &[Case], out: &mut String) {
    let size = cases.iter().map(host::results).max().unwrap_or(1);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "program batch");
    for case in cases {
        let n = case.number;
        let _ = writeln!(out, "  use case{n}, only: drive{n} => drive");
    }
    let _ = writeln!(
        out,
        "  implicit none\n  integer(8) :: actual({size}), expected({size})\n  logical :: wanted\n  external wanted"
    );
    for case in cases {
        let _ = writeln!(
            out,
            "  if (wanted({0})) then\n    call drive{0}(actual)\n    call plain{0}(expected)\n    call threads_compare({0}, {1}, {2}, actual, expected)\n  end if",
            case.number,
            host::results(case),
            case.threads() * case.blocks
        );
    }
    let _ = writeln!(out, "  call threads_end()\nend program");
}
