//! Both choices of a macro in one output (docs/reading.md, "Branches of the preprocessor").

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cuf2cu::driver::toolchain;

use super::{Work, said};

/// A program of several files whose kinds, device data, kernels and loops a macro chooses.
pub fn program() -> Work {
    let work = Work::new(&[]);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees/choices");
    for name in ["kinds.F90", "data.F90", "wave.cuf", "only.F90", "main.F90"] {
        let text = fs::read_to_string(sources.join(name)).unwrap();
        work.put(&format!("src/{name}"), &text);
    }
    work
}

#[test]
fn one_folder_builds_both_choices() {
    let work = program();
    let written = work.cuf2cu(&["src", "out"]);
    let told = "SINGLE: both variants were translated; `make` builds without SINGLE; to build with it, run `make MACROS=-DSINGLE`\n";
    assert!(said(&written).contains(told), "{}", said(&written));
    let data = work.text("out/data.F90");
    assert!(!data.contains("#error"), "{data}");
    let branches = "#ifdef SINGLE\n  real(4), pointer, contiguous :: a(:) => null()\n  real(4), pointer :: scale => null()\n#else\n  \
        real(8), pointer, contiguous :: a(:) => null()\n";
    assert!(data.contains(branches), "{data}");
    // One kernel for both, but for the statement that differs.
    let device = work.text("out/data.cu");
    assert_eq!(
        device.matches("twice(real_t* x_, int n)").count(),
        1,
        "{device}"
    );
    let statement = "#if CUF_WITH_SINGLE\n    if (i <= n) x(i) = 2.0f * x(i) + s(1);\n#else\n    if (i <= n) x(i) = 2.0 * x(i) * scale + s(1);\n#endif\n";
    assert!(device.contains(statement), "{device}");
    // The line of the barrier, for messages at run time.
    let barrier = device.lines().position(|l| l.contains("__syncthreads();"));
    let table = format!(
        "CUF_SOURCE_LINES(\"data.F90\", {{{}, 27}});",
        barrier.unwrap() + 1
    );
    assert!(work.text("out/data.cu.lines").contains(&table), "{table}");
    let report = work.text("out/cuf2cu-report.txt");
    assert!(!report.contains("not translated"), "{report}");
    let run = || work.done("out/build/cpu/main", &[]);
    work.make(&[]);
    assert!(run().starts_with("double 64\n"));
    assert!(work.make(&[]).is_empty());
    // No object of the other choice is left.
    let made = work.make(&["MACROS=-D SINGLE"]);
    assert!(
        made.contains("data.cu.o") && made.contains("wave.f90.o"),
        "{made:?}"
    );
    assert!(run().starts_with("single 32\n"));
    for flags in [
        "FFLAGS=-DSINGLE",
        "CXXFLAGS=-O2 -D SINGLE",
        "OPT=-O2 -USINGLE",
    ] {
        let refused = work.run("make", &["-C", "out", "TARGET=cpu", flags]);
        assert!(
            said(&refused).contains("-DSINGLE: MACROS is for that"),
            "{}",
            said(&refused)
        );
    }
    // The way to make is the same; this is quick.
    let nvcc = toolchain::find_cuda().map(|cuda| cuda.nvcc);
    for flag in ["-DCUF_WITH_SINGLE=0", "-DCUF_WITH_SINGLE=1"] {
        let Some(nvcc) = nvcc.as_ref().and_then(|n| n.to_str()) else {
            continue;
        };
        let command = format!(
            "cd out && {nvcc} -std=c++20 -O0 -arch=sm_90 -x cu -rdc=true -I. -Icuf {flag} -c data.cu -o nvcc.o && rm nvcc.o"
        );
        work.done("sh", &["-c", &command]);
    }
    let again = work.cuf2cu(&["src", "out"]);
    assert!(said(&again).contains("up to date"), "{}", said(&again));
}

#[test]
fn the_choice_asked_for_is_the_default() {
    let work = program();
    work.ok(&["-D", "SINGLE", "src", "with"]);
    work.ok(&["src", "without"]);
    for file in [
        "data.F90",
        "data.cu",
        "data.cu.lines",
        "only.cu",
        "only_shims.F90",
        "main.F90",
    ] {
        let [with, without] = ["with", "without"].map(|out| work.text(&format!("{out}/{file}")));
        assert_eq!(with, without, "{file}");
    }
    assert!(
        work.text("with/Makefile")
            .contains("MACROS    := -DSINGLE\n")
    );
    assert!(
        work.text("with/CMakeLists.txt")
            .contains("\noption(CUF_WITH_SINGLE \"with the macro SINGLE\" ON)\n")
    );
    // Where directives tell places in the output, it is one text.
    work.ok(&["--line-directives", "src", "directives"]);
    let data = work.text("directives/data.F90");
    assert!(
        data.contains("#error \"cuf2cu: CUDA Fortran that was left out"),
        "{data}"
    );
}

/// Device data of two kinds, of a third under another macro, and an error in one branch.
fn module(condition: &str, other: &str) -> String {
    format!(
        "module m\n{condition}\n  real(4), device :: a(8)\n#else\n  {other}\n#endif\ncontains\n  attributes(global) subroutine k()\n    \
        a(threadIdx%x) = 1\n  end subroutine\nend module\n"
    )
}

#[test]
fn where_there_is_no_other_choice_the_line_says_so() {
    let real = "real(8), device :: a(8)";
    for (condition, other, why) in [
        (
            "#if KIND == 4",
            real,
            "KIND: only the selected variant was translated: more is asked than whether it is defined\n",
        ),
        (
            "#ifdef SINGLE",
            "real(SINGLE), device :: a(8)",
            "SINGLE: only the selected variant was translated: with -DKIND=(4) -DSINGLE=(4) -USINGLE the program has an error: src/m.F90:5: ",
        ),
        (
            "#ifndef DOUBLE",
            "real(8), device :: a(8), b(wrong)",
            "DOUBLE: only the selected variant was translated: with -DDOUBLE the program has 2 errors, the first: src/m.F90:5: ",
        ),
    ] {
        let work = Work::new(&[("src/m.F90", &module(condition, other))]);
        let single = condition.contains("DOUBLE");
        let macros: &[&str] = match single {
            true => &[],
            false => &["-D", "KIND=(4)", "-D", "SINGLE=(4)"],
        };
        let written = work.cuf2cu(&[macros, &["src", "out"]].concat());
        assert!(written.status.success(), "{}", said(&written));
        assert!(said(&written).contains(why), "{}", said(&written));
        assert!(work.text("out/cuf2cu-report.txt").contains(why));
        let host = work.text("out/m.F90");
        let error = "#error \"cuf2cu: CUDA Fortran that was left out and is not translated: translate again with these macros\"\n";
        assert!(
            host.contains(&format!("#else\n{error}  {other}\n#endif\n")),
            "{host}"
        );
        assert!(
            !work.text("out/m.cu").contains("#if"),
            "{}",
            work.text("out/m.cu")
        );
    }
}

#[test]
fn several_macros_have_both_choices() {
    let text = "module m\n#ifdef SINGLE\n  real(4), device :: a(8)\n#else\n  real(8), device :: a(8)\n#endif\n#if WIDE\n  integer, parameter :: n = 8\n#else\n  \
        integer, parameter :: n = 4\n#endif\ncontains\n  attributes(global) subroutine k()\n    if (threadIdx%x <= n) a(threadIdx%x) = 1\n  end subroutine\nend module\n";
    let work = Work::new(&[("src/m.F90", text)]);
    work.ok(&["src", "out"]);
    let device = work.text("out/m.cuh") + &work.text("out/m.cu");
    let wide = "#if CUF_WITH_WIDE\nconstexpr int n = 8;\n#else\nconstexpr int n = 4;\n#endif\n";
    assert!(device.contains(wide), "{device}");
    assert!(
        device.contains("__device__ cuf::fixed_array<real_t, 8> a;"),
        "{device}"
    );
    let makefile = work.text("out/Makefile");
    assert!(
        makefile.contains("# MACROS chooses, with or without -DSINGLE -DWIDE:"),
        "{makefile}"
    );
    let name = |macros: &str| {
        let text = work.done("make", &["-C", "out", "-n", "TARGET=cpu", macros]);
        let at = text.find("touch build/cpu/as-called-").unwrap() + "touch ".len();
        text[at..].split_whitespace().next().unwrap().to_owned()
    };
    // Objects of different choices have different marks.
    let names =
        ["", "-DSINGLE", "-DWIDE", "-DSINGLE -DWIDE=2"].map(|m| name(&format!("MACROS={m}")));
    let distinct: BTreeSet<&String> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

/// In no choice do two modules use each other, but in the output with both they would.
#[test]
fn modules_that_would_use_each_other_have_one_choice() {
    let text = |name: &str, word: &str, other: &str| {
        format!(
            "module {name}\n#{word} SINGLE\n  use {other}\n  real(4), device :: {name}_d(8)\n#else\n  real(8), device :: {name}_d(8)\n#endif\nend module\n"
        )
    };
    let work = Work::new(&[
        ("src/a.F90", &text("a", "ifdef", "b")),
        ("src/b.F90", &text("b", "ifndef", "a")),
    ]);
    let written = work.cuf2cu(&["src", "out"]);
    let why = "SINGLE: only the selected variant was translated: the variants would have a circular module dependency\n";
    assert!(said(&written).contains(why), "{}", said(&written));
    assert!(work.text("out/a.F90").contains("#error"));
}

/// What chooses without CUDA Fortran in its branches: definitions, USE, lines inside of a constant, included files, fixed form.
#[test]
fn what_device_code_is_made_of_has_both_choices() {
    let kernel = |n: &str| {
        format!(
            "contains\n  attributes(global) subroutine k(a)\n    integer :: a({n})\n    a(threadIdx%x) = {n}\n  end subroutine\nend module\n"
        )
    };
    let sizes = "module sizes\n  integer, parameter :: small = 4, large = 8\nend module\n";
    let defined = "#ifdef BIG\n#define N 8\n#else\n#define N 4\n#endif\nmodule m\n";
    let used = "module m\n#ifdef BIG\n  use sizes, only: n => large\n#else\n  use sizes, only: n => small\n#endif\n";
    let inside =
        "module m\n  integer, parameter :: n = &\n#ifdef BIG\n    8\n#else\n    4\n#endif\n";
    let included =
        "module m\n#ifdef BIG\n#include \"big.h\"\n#else\n  integer, parameter :: n = 4\n#endif\n";
    let fixed = "      module m\n      contains\n      attributes(global) subroutine k(a,\n#ifdef BIG\n     &     b,\n#endif\n     &     n)\n      \
        integer a(4), n\n#ifdef BIG\n      integer b(4)\n#endif\n      a(1) = n\n      end subroutine\n      end module\n";
    let big = "  integer, parameter :: n = 8\n";
    for (name, text) in [
        ("m.F90", defined.to_owned() + &kernel("N")),
        ("m.F90", used.to_owned() + &kernel("n")),
        ("m.F90", inside.to_owned() + &kernel("n")),
        ("m.F90", included.to_owned() + &kernel("n")),
        ("m.F", fixed.to_owned()),
    ] {
        let work = Work::new(&[
            ("src/sizes.f90", sizes),
            ("src/big.h", big),
            (&format!("src/{name}"), &text),
        ]);
        let written = work.cuf2cu(&["src", "out"]);
        let told = "BIG: both variants were translated;";
        assert!(said(&written).contains(told), "{text}{}", said(&written));
        let device: String = ["out/m.cu", "out/m.cuh"]
            .iter()
            .filter(|f| work.has(f))
            .map(|f| work.text(f))
            .collect();
        assert!(device.contains("#if CUF_WITH_BIG\n"), "{device}");
    }
}

/// Where there is one choice, host code is not compiled for another one, and objects of other macros are made again.
#[test]
fn one_choice_is_checked() {
    let text = "#ifndef N\n#define N 5\n#endif\n#if KIND == 8\n#define T real(8)\n#else\n#define T real(4)\n#endif\nmodule m\n  T, device :: a(N)\nend module\n";
    let work = Work::new(&[("src/m.F90", text)]);
    work.ok(&["src", "out"]);
    let error = |condition: &str, with: &str, line: u32| {
        format!(
            "{condition}\n#error \"cuf2cu: translated {with} (m.F90, line {line}, asks for it): translate again with these macros\"\n#endif\n"
        )
    };
    let host = work.text("out/m.F90");
    let kind = error("#ifdef KIND", "without KIND", 4);
    let limits = "with N=5 and without N";
    let n = error("#if defined(N) && N != 5", limits, 1);
    assert!(host.starts_with(&(kind + &n)), "{host}");
    let refused = |macros: &str| said(&work.run("make", &["-C", "out", "TARGET=cpu", macros]));
    let stop = "*** cuf2cu: translated with N=5 and without N, but built with N=8 (src/m.F90, line 1, asks for it): translate again with these macros (cuf2cu SRC... OUT -DN=8).  Stop.";
    let text = refused("MACROS=-DN='8'");
    assert!(text.contains(stop), "{text}");
    // What to run can be given to a shell as it is.
    let text = refused("MACROS='-DN=(8)' '-DM=\"a b\"'");
    assert!(
        text.contains("(cuf2cu SRC... OUT '-DM=\"a b\"' '-DN=(8)').  Stop."),
        "{text}"
    );
    let text = refused("MACROS=-DN=(8)");
    assert!(text.contains("between quotes"), "{text}");
}
