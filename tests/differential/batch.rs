//! The sources of a batch: many programs in one device module, the same bodies as plain procedures, a main program.

use std::fmt::Write as _;

use crate::generator::expr::Ty;
use crate::generator::program::{Program, Side, Style};
use crate::generator::{ELEMENTS, LOG, LOGS, STATE};
use crate::random::{Source, Sources, Test};

/// Sets of first values that every program runs with, as `support.f90` has them.
pub const INSTANCES: usize = 6;

fn arrays() -> Vec<(&'static str, Ty, i64)> {
    let state = STATE.iter().map(|(n, t)| (*n, *t, ELEMENTS));
    state
        .chain(LOGS.iter().map(|(n, t)| (*n, *t, LOG as i64)))
        .collect()
}

/// The differential test.
pub struct Differential;

impl Test for Differential {
    type Program = Program;
    const NAME: &'static str = "differential";
    const VARIABLES: &'static str = "DIFF";
    const SELECTS: bool = false;
    const INEXACT: &'static [&'static str] = &["TABLE m", "TABLE z"];
    const SUPPORT: &'static str = include_str!("support.f90");

    fn seed(program: &Program) -> u64 {
        program.seed
    }

    fn sources(programs: &[Program]) -> Sources {
        let (device, ends) = device(programs);
        let (plain, plain_ends) = plain(programs);
        let source = |name, text, ends| Source { name, text, ends };
        Sources {
            device: vec![source("batch.cuf", device, ends)],
            plain: source("plain.f90", plain, plain_ends),
        }
    }

    fn named(line: &str, programs: &[Program]) -> Option<usize> {
        let digits = |stem: &str| {
            let stem = format!("diff_device::{stem}");
            let rest = &line[line.find(&stem)? + stem.len()..];
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..end].parse::<usize>().ok()?.checked_sub(1)
        };
        digits("body")
            .or_else(|| digits("h"))
            .filter(|p| *p < programs.len())
    }
}

/// Appends a line. Writing to a string cannot fail.
macro_rules! line {
    ($out:expr) => { $out.push('\n') };
    ($out:expr, $($text:tt)*) => { { let _ = writeln!($out, $($text)*); } };
}

fn device(programs: &[Program]) -> (String, Vec<u32>) {
    let mut out = String::new();
    let names: Vec<&str> = arrays().iter().map(|(n, _, _)| *n).collect();
    line!(out, "module diff_device\n  use cudafor\n  implicit none");
    for (name, ty, extent) in arrays() {
        line!(
            out,
            "  {}, device :: {name}({extent}, {INSTANCES})",
            ty.declared()
        );
    }
    line!(out, "\ncontains\n");
    let mut ends = vec![out.lines().count() as u32];
    for (index, program) in programs.iter().enumerate() {
        for text in program.print(Side::Device, index + 1, INSTANCES) {
            line!(out, "{text}");
        }
        line!(out);
        ends.push(out.lines().count() as u32);
    }
    line!(
        out,
        "  attributes(global) subroutine run(which)\n    integer, value :: which\n    integer :: t\n    t = threadIdx%x"
    );
    line!(out, "    select case (which)");
    for (index, program) in programs
        .iter()
        .enumerate()
        .filter(|(_, p)| p.style == Style::Device)
    {
        line!(
            out,
            "    case ({})\n      call body{}({})",
            index + 1,
            index + 1,
            actuals(program, "t")
        );
    }
    line!(out, "    end select\n  end subroutine\n");
    line!(
        out,
        "  subroutine launch(which)\n    integer, intent(in) :: which\n    integer :: t, status\n    select case (which)"
    );
    for (index, program) in programs.iter().enumerate() {
        let n = index + 1;
        match program.style {
            Style::Device => {}
            Style::Kernel => {
                line!(
                    out,
                    "    case ({n})\n      do t = 1, {INSTANCES}\n        call body{n}<<<1, 1>>>({})\n      end do",
                    sections(program)
                );
            }
            Style::Loop => line!(out, "    case ({n})\n      call body{n}()"),
        }
    }
    line!(
        out,
        "    case default\n      call run<<<1, {INSTANCES}>>>(which)\n    end select"
    );
    line!(out, "    status = cudaDeviceSynchronize()");
    line!(
        out,
        "    if (status /= 0) print *, 'MISMATCH 0 launch failed with status', status"
    );
    line!(out, "  end subroutine\n\nend module\n");

    line!(
        out,
        "program batch\n  use diff_device\n  implicit none\n  integer :: which"
    );
    for (name, ty, extent) in arrays() {
        line!(
            out,
            "  {} :: h_{name}({extent}, {INSTANCES})",
            ty.declared()
        );
    }
    let host: Vec<String> = names.iter().map(|n| format!("h_{n}")).collect();
    let host = host.join(", ");
    line!(
        out,
        "  call diff_start()\n  do which = 1, {}\n    call diff_begin(which)\n    call diff_get({host})",
        programs.len()
    );
    for name in &names {
        line!(out, "    {name} = h_{name}");
    }
    line!(out, "    call launch(which)");
    for name in &names {
        line!(out, "    h_{name} = {name}");
    }
    line!(
        out,
        "    call diff_check({host})\n  end do\n  call diff_end()\nend program"
    );
    (out, ends)
}

/// Actual arguments of a call for one instance.
fn actuals(program: &Program, instance: &str) -> String {
    let each = program.dummies().into_iter().map(|d| {
        if d.shape {
            format!("{}(:, {instance})", d.name)
        } else {
            format!("{}(1, {instance})", d.name)
        }
    });
    each.collect::<Vec<_>>().join(", ")
}

fn sections(program: &Program) -> String {
    let each = program
        .dummies()
        .into_iter()
        .map(|d| format!("{}(:, t)", d.name));
    each.collect::<Vec<_>>().join(", ")
}

fn plain(programs: &[Program]) -> (String, Vec<u32>) {
    let mut out = String::new();
    line!(out, "module diff_plain\n  implicit none\ncontains\n");
    let mut ends = vec![out.lines().count() as u32];
    for (index, program) in programs.iter().enumerate() {
        for text in program.print(Side::Plain, index + 1, INSTANCES) {
            line!(out, "{text}");
        }
        line!(out);
        ends.push(out.lines().count() as u32);
    }
    line!(
        out,
        "end module\n\nsubroutine plain_run(which)\n  use diff_plain\n  use diff_state\n  implicit none"
    );
    line!(
        out,
        "  integer, intent(in) :: which\n  integer :: t\n  select case (which)"
    );
    for (index, program) in programs.iter().enumerate() {
        let n = index + 1;
        line!(out, "  case ({n})");
        if program.style == Style::Loop {
            let names: Vec<&str> = program.dummies().iter().map(|d| d.name).collect();
            line!(out, "    call body{n}({})", names.join(", "));
        } else {
            line!(
                out,
                "    do t = 1, {INSTANCES}\n      call body{n}({})\n    end do",
                actuals(program, "t")
            );
        }
    }
    line!(out, "  end select\nend subroutine\n");
    line!(
        out,
        "subroutine plain_uses(which, used)\n  implicit none\n  integer, intent(in) :: which\n  logical, intent(out) :: used({})",
        arrays().len()
    );
    line!(out, "  used = .false.\n  select case (which)");
    for (index, program) in programs.iter().enumerate() {
        let used = program.dummies();
        let places: Vec<String> = arrays()
            .iter()
            .enumerate()
            .filter(|(_, (name, _, _))| used.iter().any(|d| d.name == *name))
            .map(|(place, _)| (place + 1).to_string())
            .collect();
        if !places.is_empty() {
            line!(
                out,
                "  case ({})\n    used([{}]) = .true.",
                index + 1,
                places.join(", ")
            );
        }
    }
    line!(out, "  end select\nend subroutine\n");
    line!(
        out,
        "subroutine plain_facts(which, seed, data, contraction, tolerance)\n  implicit none\n  integer, intent(in) :: which"
    );
    line!(
        out,
        "  integer(8), intent(out) :: seed, data\n  logical, intent(out) :: contraction\n  integer, intent(inout) :: tolerance({LOG}, {})",
        LOGS.len()
    );
    line!(out, "  contraction = .false.\n  select case (which)");
    for (index, program) in programs.iter().enumerate() {
        line!(
            out,
            "  case ({})\n    seed = {}_8\n    data = {}_8",
            index + 1,
            program.seed,
            program.data
        );
        if program.contraction {
            line!(out, "    contraction = .true.");
        }
        for t in &program.tolerances {
            line!(out, "    tolerance({}, {}) = {}", t.at, t.log + 1, t.ulps);
        }
    }
    line!(out, "  end select\nend subroutine");
    (out, ends)
}
