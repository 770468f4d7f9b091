//! The sources of a batch: a module for each program, with OpenACC and, in another file, without; a main program that compares.

use std::fmt::Write as _;

use cuf2cu::translate::TranslateOptions;

use crate::generator::ir::Case;
use crate::generator::{print, results};
use crate::random::{Source, Sources, Test};

/// The test of OpenACC.
pub struct OpenAcc;

impl Test for OpenAcc {
    type Program = Case;
    const NAME: &'static str = "openacc";
    const VARIABLES: &'static str = "OPENACC";
    const SELECTS: bool = true;
    const INEXACT: &'static [&'static str] = &[];
    const SUPPORT: &'static str = include_str!("../threads/support.f90");
    const GPU_SCRIPTS: &'static str = "threads";

    fn options(mut options: TranslateOptions) -> TranslateOptions {
        options.dialect.openacc = true;
        options
    }

    fn seed(case: &Case) -> u64 {
        case.number
    }

    fn sources(cases: &[Case]) -> Sources {
        let mut batch = source("batch.cuf");
        let mut plain = source("plain.f90");
        for case in cases {
            let n = case.number;
            append(&mut batch, &print(case, &format!("case{n}")));
            let mut lines = print(case, &format!("pcase{n}"));
            lines.push(format!(
                "subroutine plain{n}(expected)\n  use pcase{n}\n  integer(8) :: expected(*)\n  call drive(expected)\nend subroutine"
            ));
            append(&mut plain, &lines);
        }
        main_program(cases, &mut batch.text);
        Sources {
            device: vec![batch],
            plain,
        }
    }

    fn named(line: &str, cases: &[Case]) -> Option<usize> {
        let rest = &line[line.find("case")? + "case".len()..];
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let number = rest[..end.unwrap_or(rest.len())].parse::<u64>().ok()?;
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
    let before = source.text.len();
    for line in lines {
        source.text.push_str(line);
        source.text.push('\n');
    }
    let count = source.text[before..].lines().count() as u32;
    let last = source.ends.last().copied().unwrap_or(0);
    source.ends.push(last + count);
}

fn main_program(cases: &[Case], out: &mut String) {
    let size = cases.iter().map(results).max().unwrap_or(1);
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
            "  if (wanted({0})) then\n    call drive{0}(actual)\n    call plain{0}(expected)\n    call threads_compare({0}, {1}, {1}, actual, expected)\n  end if",
            case.number,
            results(case)
        );
    }
    let _ = writeln!(out, "  call threads_end()\nend program");
}
