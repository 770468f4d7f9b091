//! Host files keep the preprocessor's lines: gfortran's preprocessor makes of them what cuf2cu read.

#[path = "preprocessor/forms.rs"]
mod forms;
#[path = "preprocessor/included.rs"]
mod included;
mod suite;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuf2cu::source::predefinitions;
use cuf2cu::translate::{
    FileKind, IncludeReader, SourceInput, TranslateOptions, Translation, translate,
};
use cuf2cu::variants::translate_both;

/// Lines of code without comments, blanks, empty lines, and the case of words.
fn code(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut out = String::new();
        let mut quote = None;
        for (i, c) in line.char_indices() {
            match quote {
                Some(q) if q == c => quote = None,
                Some(_) => {}
                None if c == '!' && !["!$", "!@"].iter().any(|s| line[i..].starts_with(s)) => break,
                None if c == '\'' || c == '"' => quote = Some(c),
                None if c == ' ' || c == '\t' => continue,
                None => {}
            }
            // Macros are kept away by the case of words.
            out.push(quote.map_or_else(|| c.to_ascii_lowercase(), |_| c));
        }
        out.trim_end().to_owned()
    };
    text.lines().map(line).filter(|l| !l.is_empty()).collect()
}

/// Host files: path, text.
fn host_files(t: &Translation) -> BTreeMap<PathBuf, Vec<u8>> {
    let host = t.files.iter();
    let host = host.filter(|f| matches!(f.kind, FileKind::HostFortran { .. }));
    host.map(|f| (f.path.clone(), f.contents.clone())).collect()
}

/// What gfortran's preprocessor makes of a text in this folder, with the files of INCLUDE lines.
fn preprocessed(text: &[u8], place: &Path, options: &[String]) -> Result<String, String> {
    fs::create_dir_all(place).expect("the build folder can be written");
    let path = place.join("host.F90");
    fs::write(&path, text).expect("the build folder can be written");
    let mut command = Command::new("gfortran");
    command
        .args(["-cpp", "-E", "-P"])
        .args(predefinitions([text].into_iter()));
    let output = command.args(options).arg(&path).output();
    let output = output.expect("gfortran starts");
    match output.status.success() {
        true => Ok(with_includes(
            &String::from_utf8_lossy(&output.stdout),
            place,
        )),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// A text with the files of its INCLUDE lines that are in the folder.
fn with_includes(text: &str, folder: &Path) -> String {
    let included = |line: &str| {
        let name = line.trim_start().strip_prefix("include '")?;
        let name = name.split('\'').next()?;
        let text = fs::read_to_string(folder.join(name)).ok()?;
        Some(with_includes(&text, folder))
    };
    let lines = text
        .lines()
        .map(|l| included(l).unwrap_or_else(|| l.to_owned()));
    lines.map(|l| l + "\n").collect()
}

/// How many files were compared.
fn compare(kept: &Translation, expanded: &Translation, place: &Path, macros: &[String]) -> usize {
    let expanded = host_files(expanded);
    let mut compared = 0;
    let included = kept.files.iter();
    for file in included.filter(|f| f.kind == FileKind::Included) {
        let path = place.join(&file.path);
        fs::create_dir_all(path.parent().expect("it has a folder"))
            .and_then(|()| fs::write(&path, &file.contents))
            .expect("the build folder can be written");
    }
    for (path, text) in host_files(kept) {
        if path.extension().is_none_or(|e| e != "F90") {
            continue;
        }
        let want = expanded
            .get(&path)
            .or(expanded.get(&path.with_extension("f90")));
        let want = String::from_utf8_lossy(want.expect("both have the file")).into_owned();
        let folder = place.join(path.parent().unwrap_or(Path::new("")));
        let got = preprocessed(&text, &folder, macros)
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(code(&got), code(&want), "{}", path.display());
        compared += 1;
    }
    compared
}

/// There is a line for the preprocessor in the program.
fn has_directives(path: &Path) -> bool {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("the folder can be read");
        return entries.flatten().any(|e| has_directives(&e.path()));
    }
    let text = fs::read(path).unwrap_or_default();
    text.split(|b| *b == b'\n')
        .any(|l| l.trim_ascii_start().starts_with(b"#"))
}

#[test]
fn conformance_programs_read_the_same() {
    let mut compared = 0;
    let all = suite::programs().into_iter().chain(suite::samples());
    for p in all.filter(|p| has_directives(&p.source)) {
        let (Ok((_, kept)), Ok((_, expanded))) = (p.translate_as(false), p.translate_as(true))
        else {
            continue;
        };
        // `-D NAME` is two words.
        let flags = p.flags.join(" ").replace("-D ", "-D");
        let words = flags.split(' ').filter(|f| f.starts_with("-D"));
        let macros: Vec<String> = words.map(str::to_owned).collect();
        compared += compare(&kept, &expanded, &p.folder("preprocessor"), &macros);
    }
    assert!(
        compared >= 5,
        "only {compared} files have lines for the preprocessor"
    );
}

fn translation(text: &str, macros: &[&str], expand_macros: bool) -> Translation {
    let input = SourceInput {
        path: "a.CUF".into(),
        relative: "a.CUF".into(),
        bytes: text.as_bytes().to_vec(),
    };
    let options = TranslateOptions {
        macros: macros.iter().map(|m| (*m).to_owned()).collect(),
        expand_macros,
        ..TranslateOptions::default()
    };
    translate(vec![input], &options)
}

/// The host code of an output folder: with both choices of macros, and what stops other ones.
fn output(text: &str, macros: &[&str]) -> String {
    let input = SourceInput {
        path: "a.CUF".into(),
        relative: "a.CUF".into(),
        bytes: text.as_bytes().to_vec(),
    };
    let options = TranslateOptions {
        macros: macros.iter().map(|m| (*m).to_owned()).collect(),
        ..TranslateOptions::default()
    };
    let all = translate_both(vec![input], &options);
    assert!(!all.has_errors(), "{:?}", all.diagnostics);
    let host = host_files(&all).into_values().next().expect("a host file");
    String::from_utf8(host).expect("UTF-8")
}

fn host(text: &str, macros: &[&str]) -> String {
    let kept = translation(text, macros, false);
    assert!(!kept.has_errors(), "{:?}", kept.diagnostics);
    let expanded = translation(text, macros, true);
    let macros: Vec<String> = macros.iter().map(|m| (*m).to_owned()).collect();
    // Tests run at the same time.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let place = suite::build_folder().join(format!("preprocessor/text_{count}"));
    compare(&kept, &expanded, &place, &macros);
    let host = host_files(&kept).into_values().next().expect("a host file");
    String::from_utf8(host).expect("UTF-8")
}

#[test]
fn lines_that_no_rule_touches_stay() {
    let text = "#define N 3\n#define SQ(x) ((x)*(x))\nsubroutine s(y)\n  real :: y(N)\n#ifdef LOUD\n  print *, N\n#else\n  \
        y = SQ(y) + N ! N\n#endif\nend subroutine\n";
    assert_eq!(host(text, &[]), text);
}

/// Device code has the number of a macro: other host code is not compiled beside it.
#[test]
fn numbers_of_macros_are_checked() {
    let text = "subroutine s(y)\n  real :: y(N)\n  real, device :: d(N)\n  y = M\n  d = y*X + OFF\n#if L == 3\n  y = 0\n#endif\nend subroutine\n";
    let got = output(text, &["-DN=5", "-DM=-1", "-DX=1.5", "-DOFF=(-2)", "-DL=3"]);
    let checks = got.lines().filter(|l| l.starts_with("#if"));
    let checks: Vec<&str> = checks.collect();
    assert_eq!(
        checks,
        [
            "#if !defined(L) || (L != 2 && L != 3 && L != 4)",
            "#if !defined(M) || M != (-1)",
            "#if !defined(N) || N != 5",
            "#if !defined(OFF) || OFF != (-2)",
            "#ifndef X",
            "#if L == 3"
        ],
        "{got}"
    );
    let said = "#ifndef X\n#error \"cuf2cu: translated with X=1.5 (a.CUF, line 5, asks for it): translate again with these macros\"\n#endif\n";
    assert!(got.contains(said), "{got}");
    // A build without CUDA Fortran is of any number.
    let guarded = "subroutine s(y)\n  real :: y(N)\n#ifdef GPU\n  real, device :: d(N)\n  d = y\n#endif\n  y = N\nend subroutine\n";
    let got = output(guarded, &["-DN=5", "-DGPU"]);
    assert!(
        got.contains("#if defined(GPU) && (!defined(N) || N != 5)\n#error"),
        "{got}"
    );
}

#[test]
fn a_statement_that_changes_is_expanded() {
    let text = "#define N 3\nsubroutine s(y)\n  real :: y(N)\n  real, device :: d(N)\n  y = N\n#ifndef HOST\n  d = y + N\n#endif\n  \
        y = y*N\nend subroutine\n";
    let got = host(text, &[]);
    assert!(
        got.contains("  y = y*N\n") && got.contains("  real :: y(N)\n"),
        "{got}"
    );
    assert!(
        got.contains("#ifndef HOST\n") && got.contains("#endif\n"),
        "{got}"
    );
    assert!(!got.contains("d = y + N"), "{got}");
}

#[test]
fn conditionals_around_what_has_gone_go_with_it() {
    let text = "module m\ncontains\n#ifdef SINGLE\nattributes(global) subroutine k(a)\n  real(4) :: a(*)\n#define ONE 1.0\n#else\n\
        attributes(global) subroutine k(a)\n  real(8) :: a(*)\n#define ONE 1d0\n#endif\n  a(1) = ONE\nend subroutine\n\
        subroutine h(x)\n  real(8) :: x\n  x = ONE\nend subroutine\nend module\n";
    let got = host(text, &[]);
    assert!(
        !got.contains("#else") && got.contains("#define ONE 1d0\n"),
        "{got}"
    );
    assert!(got.contains("  x = ONE\n"), "{got}");
}

#[test]
fn what_a_unit_needs_stands_outside_of_conditionals() {
    let text = "subroutine s(y)\n  real :: y(3)\n#ifdef X\n  integer :: i\n#endif\n  real, device :: d(3)\n#ifndef X\n  y = 1\n#endif\n  \
        d = y\nend subroutine\n";
    let got = host(text, &[]);
    let at = |what: &str| got.find(what).unwrap_or_else(|| panic!("{what}: {got}"));
    assert!(at("call cuf_alloc") < at("#ifndef X"), "{got}");
}

/// A USE statement is known by the module's whole name.
#[test]
fn a_module_that_begins_like_cuda_is_the_users() {
    let told = |module: &str| {
        let text = format!(
            "subroutine s(y)\n#ifdef GPU\n  use {module}\n#endif\n  real :: y(3)\n  y = 1\nend subroutine\n"
        );
        let kept = translation(&text, &[], false);
        kept.report.skipped.iter().any(|s| s.cuda_fortran)
    };
    for module in [
        "cudafor",
        ", intrinsic :: cudafor",
        "cublas_v2, only: cublasCreate",
    ] {
        assert!(told(module), "{module}");
    }
    // NVTX is called by other programs, too.
    for module in ["CUDAKernelStream", "cufft_plans, only: plan", "nvtx"] {
        assert!(!told(module), "{module}");
    }
}

#[test]
fn a_branch_left_out_with_cuda_fortran_is_marked() {
    let text = "subroutine s(y)\n  real :: y(3)\n#ifdef GPU\n  real, device :: d(3)\n#endif\n#ifdef OTHER\n  y = 1\n#endif\nend subroutine\n";
    let got = host(text, &[]);
    assert!(
        got.contains("#ifdef GPU\n#error \"cuf2cu: CUDA Fortran"),
        "{got}"
    );
    assert!(got.contains("#ifdef OTHER\n  y = 1\n"), "{got}");
    let kept = translation(text, &[], false);
    let told: Vec<(bool, bool)> = (kept.report.skipped.iter())
        .map(|s| (s.kept, s.cuda_fortran))
        .collect();
    assert_eq!(told, [(true, true), (true, false)]);
}

/// One run translates one choice; the other side stays, with one line above it, and the report names it (docs/reading.md).
#[test]
fn a_program_of_two_kinds_is_translated_for_each() {
    let text = "module m\n#ifdef SINGLE\n  real(4), device, allocatable :: a(:)\n#else\n  real(8), device, allocatable :: a(:)\n#endif\ncontains\n  \
        attributes(global) subroutine k(n)\n    integer, value :: n\n    if (threadIdx%x <= n) a(threadIdx%x) = 1\n  end subroutine\nend module\n";
    let error = "#error \"cuf2cu: CUDA Fortran that was left out and is not translated: translate again with these macros\"\n";
    let line = |kind: u8, taken: bool| match taken {
        true => format!("  real({kind}), pointer, contiguous :: a(:) => null()\n"),
        false => format!("{error}  real({kind}), device, allocatable :: a(:)\n"),
    };
    for single in [true, false] {
        let macros: &[&str] = if single { &["-DSINGLE"] } else { &[] };
        let both = format!(
            "#ifdef SINGLE\n{}#else\n{}#endif\n",
            line(4, single),
            line(8, !single)
        );
        let got = host(text, macros);
        assert!(got.contains(&both), "{got}");
        let kept = translation(text, macros, false);
        let device: String = (kept.files.iter())
            .filter(|f| matches!(f.kind, FileKind::DeviceSource))
            .map(|f| String::from_utf8_lossy(&f.contents).into_owned())
            .collect();
        let elem = if single { "float*" } else { "double*" };
        assert!(device.contains(elem), "{device}");
        let told: Vec<(u32, bool)> = (kept.report.skipped.iter())
            .map(|s| (s.first, s.cuda_fortran))
            .collect();
        assert_eq!(told, [(if single { 5 } else { 3 }, true)]);
    }
}

#[test]
fn declarations_on_several_lines_are_known_by_their_attributes() {
    let text = "module m\n  type t\n    integer :: n\n#ifdef A\n    real, &\n      device, allocatable :: a(:)\n#endif\n#ifdef B\n    \
        real, device, &\n      allocatable :: b(:)\n#endif\n#ifdef C\n    call f(x, device, &\n      y)\n#endif\n  end type\nend module\n";
    let kept = translation(text, &[], false);
    let told: Vec<bool> = (kept.report.skipped.iter())
        .map(|s| s.cuda_fortran)
        .collect();
    assert_eq!(told, [true, true, false]);
}

/// The output of one file, which may include `inc.h`.
fn files_of(name: &str, bytes: &[u8]) -> Vec<(PathBuf, Vec<u8>)> {
    let input = SourceInput {
        path: Path::new("src").join(name),
        relative: name.into(),
        bytes: bytes.to_vec(),
    };
    let options = TranslateOptions {
        includes: IncludeReader(|path| {
            (path == Path::new("src/inc.h")).then(|| b"integer :: k /* of C */\n".to_vec())
        }),
        ..TranslateOptions::default()
    };
    let t = translate(vec![input], &options);
    assert!(!t.has_errors(), "{name}: {:?}", t.diagnostics);
    t.files.into_iter().map(|f| (f.path, f.contents)).collect()
}

#[test]
fn files_without_cuda_fortran_are_the_users_byte_for_byte() {
    let alone: [(&str, &[u8], &str); 9] = [
        ("a.F90", b"#define N 3\n#pragma once\nsubroutine a(x)\n  real :: x(N) /* C\n  over lines */\n  character(9) :: s\n  s = 'a /* b */ c'\n  \
            x = 1.0/**/_8 + N\n\tprint *, __LINE__, __FILE__\nend subroutine\n#define EMPTY\n", "a.F90"),
        ("a.f90", b"subroutine a(x)\r\n  real :: x(3)\n\tx = 1\r\n\x0c\r\nend subroutine", "a.f90"),
        ("a.f90", b"subroutine a ! caf\xe9 \xff\n  print *, 'caf\xe9'\nend subroutine\n\n\n", "a.f90"),
        ("a.f90", b"\xef\xbb\xbfsubroutine a\nend subroutine\n", "a.f90"),
        ("a.f", b"C comment\n      SUBROUTINE A(X)\n      REAL X(3)\n\tX(1) = 1\n      X(2) = 1 +\n     &  2\n*  star\n      END", "a.f"),
        ("a.F", b"#ifdef B\n      SUBROUTINE B(X)\n#else\n      SUBROUTINE A(X)\n#endif\n      REAL X(3)\nc x\n      X(1) = 1\n      END\n", "a.F"),
        ("a.F90", b"#define CAT(a,b) a/**/b\nsubroutine CAT(a,8)\nend subroutine\n", "a.F90"),
        ("a.F90", b"#ifdef NO\nmodule a\nend module\n#endif\n", "a.F90"),
        ("a.cuf", b"module a\n integer :: i ; integer j\nend module\n   ", "a.f90"),
    ];
    for (name, bytes, want) in alone {
        let got = files_of(name, bytes);
        assert_eq!(got, [(PathBuf::from(want), bytes.to_vec())], "{name}");
    }
    let bytes = b"subroutine a\n#include \"inc.h\"\nend subroutine\n";
    let included = (
        PathBuf::from("inc.h"),
        b"integer :: k /* of C */\n".to_vec(),
    );
    assert_eq!(
        files_of("a.F90", bytes),
        [(PathBuf::from("a.F90"), bytes.to_vec()), included]
    );
}

/// What gfortran's preprocessor reads otherwise, or does not read at all, is written out.
#[test]
fn what_gfortran_does_not_read_is_written_out() {
    for (name, bytes) in [
        (
            "a.F90",
            &b"#define CAT(a,b) a##b\nsubroutine CAT(a,8)\nend subroutine\n"[..],
        ),
        ("a.f90", b"module a\r  integer :: i\rend module\r"),
        ("a.cuf", b"subroutine a\n!@cuf integer i\nend subroutine\n"),
    ] {
        let got = files_of(name, bytes);
        assert!(got.iter().all(|(_, text)| text != bytes), "{name}");
    }
}

/// Device code is that of one choice of macros: the host code compiles for no other one.
#[test]
fn the_choice_of_device_code_is_checked() {
    let text = "module m\ncontains\n  attributes(global) subroutine k(a)\n    real :: a(*)\n#ifdef FAST\n    a(1) = 1\n#else\n    a(1) = 2\n#endif\n\
        #ifdef WORDS\n    ! a remark\n#endif\n  end subroutine\n  subroutine h(y)\n    real, device :: y(3)\n    integer :: i\n    \
        call k<<<1, 1>>>(y)\n#ifdef LOUD\n    print *, 'h'\n#endif\n    !$cuf kernel do\n    do i = 1, 3\n#if defined(A) && defined(B)\n      \
        y(i) = 2\n#elif defined(C1)\n      y(i) = 3\n#else\n      y(i) = 4\n#endif\n    end do\n#ifdef D\n    \
        i = cudaDeviceSynchronize()\n#endif\n  end subroutine\nend module\n";
    let got = output(text, &[]);
    let place = suite::build_folder().join("preprocessor/choice");
    let compiles = |macros: &[&str]| {
        let macros: Vec<String> = macros.iter().map(|m| (*m).to_owned()).collect();
        preprocessed(got.as_bytes(), &place, &macros)
    };
    // Those of most conditions have both choices, and those by which nothing differs are free.
    for good in [
        &[][..],
        &["-DFAST"],
        &["-DLOUD"],
        &["-DWORDS"],
        &["-DA"],
        &["-DD"],
    ] {
        assert!(compiles(good).is_ok(), "{good:?}: {got}");
    }
    for bad in [&["-DB"][..], &["-DA", "-DB"]] {
        let said = compiles(bad).expect_err("another choice");
        assert!(
            said.contains("translated without B (a.CUF, line 23, asks for it)"),
            "{said}"
        );
    }
    assert!(!got.contains("#else\n#endif"), "{got}");
}

/// Words of generated lines are no macros of the user's.
/// Constants and types that stay host code are device code's, too: directly, through kinds and bounds, and through other constants.
#[test]
fn the_choice_of_declarations_is_checked() {
    let text = "module m\n  implicit none\n#ifdef BIG\n  integer, parameter :: half = 64\n#else\n  integer, parameter :: half = 32\n#endif\n  \
        integer, parameter :: n = 2*half\n#ifdef SINGLE\n  integer, parameter :: rk = 4\n#else\n  integer, parameter :: rk = 8\n#endif\n\
        #ifdef QUIET\n  logical, parameter :: talk = .false.\n#else\n  logical, parameter :: talk = .true.\n#endif\n  \
        type cell\n    integer :: k\n#ifdef TAIL\n    real :: tail\n#endif\n  end type\n\
        #define OWN 1\n#if OWN\n  integer, parameter :: q = 1\n#else\n  integer, parameter :: q = 2\n#endif\ncontains\n  \
        attributes(global) subroutine s(a, c)\n    real(rk) :: a(n)\n    type(cell) :: c\n    a(threadIdx%x) = c%k + n + q\n  \
        end subroutine\nend module\n";
    let text = text
        .replace("#ifdef BIG", "#if BIG == 1")
        .replace("#ifdef SINGLE", "#if RK == 4");
    let text = text.replace("#ifdef TAIL", "#if TAIL > 0");
    let got = output(&text, &[]);
    let checked = got.split("module m").next().unwrap_or_default();
    let asked: Vec<&str> = (checked.lines().filter(|l| l.starts_with("#if"))).collect();
    assert_eq!(asked, ["#ifdef BIG", "#ifdef RK", "#ifdef TAIL"], "{got}");
    assert_eq!(checked.matches("#error").count(), 3, "{got}");
    // Without device code nothing depends on them.
    let plain = "module m\n#ifdef BIG\n  integer, parameter :: n = 64\n#else\n  integer, parameter :: n = 32\n#endif\n  \
        real, pinned, allocatable :: a(:)\n  real :: b(n)\nend module\n";
    assert!(!output(plain, &[]).contains("#error"));
}

#[test]
fn generated_lines_are_spelled_around_macros() {
    let text = "#define C 3\n#define VALUE 4\nmodule m\n  real, device :: w(3)\ncontains\n  attributes(global) subroutine k(a, n)\n    integer, value :: n\n    \
        real :: a(n)\n    a(1) = C\n  end subroutine\n#ifndef OTHER\n  subroutine h(y)\n    real :: y(C)\n    \
        real, device :: d(3)\n    y = C + VALUE\n    call k<<<1, 1>>>(d, 3)\n  end subroutine\n#endif\nend module\n";
    let got = host(text, &[]);
    for kept in [
        "#define C 3\n",
        "#ifndef OTHER\n",
        "    y = C + VALUE\n",
        "bind(c, ",
    ] {
        assert!(got.contains(kept), "{kept}: {got}");
    }
    assert!(!got.contains("bind(C"), "{got}");
}

/// What gfortran's preprocessor would read otherwise.
#[test]
fn doubtful_lines_are_expanded() {
    let text = "#define CAT(a,b) a##b\n#define e5 9\n#define N 3\nsubroutine s(y)\n  real :: y(N)\n  y = CAT(1,2) + 1e4 + N\n  \
        print *, __LINE__\nend subroutine\n";
    let got = host(text, &[]);
    assert!(
        got.contains("  y = 12 + 1e4 + 3\n") && got.contains("print *, __LINE__\n"),
        "{got}"
    );
    assert!(got.contains("real :: y(N)\n"), "{got}");
    for (text, want) in [
        (
            "#define e5 9\nsubroutine s(y)\n  real :: y\n  y = 1e5\nend subroutine\n",
            "y = 1E5\n",
        ),
        (
            "#define F(x) x\nsubroutine s(y)\n  real :: y\n  y = 1 ! F(\nend subroutine\n",
            "y = 1 ! f(\n",
        ),
    ] {
        let got = host(text, &[]);
        assert!(got.contains("#define") && got.contains(want), "{got}");
    }
    // Nothing helps against these.
    for text in [
        "#define e5 9\n#define E5 9\nsubroutine s(y)\n  real :: y\n  y = 1e5\nend subroutine\n",
        "#define y0 y1\nsubroutine s(y)\n  real :: y\n  ! /* begins\n  y = 1\nend subroutine\n",
    ] {
        assert!(!host(text, &[]).contains("#define"), "{text}");
    }
}

/// A program of two files whose CUDA Fortran stands under `USE_GPU`, with an option of `cuf2cu`.
fn two_builds(keep_loops: bool) -> (PathBuf, Translation) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preprocessor");
    let input = |name: &str| SourceInput {
        path: name.into(),
        relative: name.into(),
        bytes: fs::read(sources.join(name)).expect("the source is there"),
    };
    let options = TranslateOptions {
        macros: vec!["-DUSE_GPU".to_owned()],
        keep_loops,
        ..TranslateOptions::default()
    };
    let translation = translate(vec![input("data.F90"), input("main.F90")], &options);
    assert!(!translation.has_errors(), "{:?}", translation.diagnostics);
    (sources, translation)
}

/// Compiles the two files without the macro and runs them.
fn plain_run(folder: &Path, place: &Path) -> std::process::Output {
    fs::create_dir_all(place).expect("the build folder can be written");
    let program = place.join("program");
    let compiled = Command::new("gfortran")
        .args(["-cpp", "-J"])
        .arg(place)
        .args(["data.F90", "main.F90"].map(|f| folder.join(f)))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("gfortran starts");
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    Command::new(program).output().expect("it starts")
}

#[test]
fn what_changed_stands_under_the_macro_of_the_program() {
    let place = suite::build_folder().join("preprocessor/two_builds");
    for keep_loops in [false, true] {
        let (sources, translation) = two_builds(keep_loops);
        let folder = place.join(format!("keep_{keep_loops}"));
        fs::create_dir_all(&folder).expect("the build folder can be written");
        for (path, text) in host_files(&translation) {
            fs::write(folder.join(path), text).expect("the build folder can be written");
        }
        let main = fs::read_to_string(folder.join("main.F90")).expect("it was written");
        let loops = "  do i = 1, n\n    b_gpu(i) = a_gpu(i)*2.0\n  end do\n";
        assert_eq!(main.contains(loops), keep_loops, "{main}");
        // The conditional line of CUDA Fortran is none without it.
        assert!(
            main.contains("#ifdef USE_GPU\n  integer :: istat\n#endif\n"),
            "{main}"
        );
        // A launch that a directive stands in is whole in each branch, and goes on a branch before it.
        let launch = "  i = 1\n#ifdef USE_GPU\n  i = 2\n  call halve(cuf_launch(i, 32), b_gpu)\n#else\n  call halve&\n    &(b_gpu)\n#endif\n";
        assert!(main.contains(launch), "{main}");
        let data = fs::read_to_string(folder.join("data.F90")).expect("it was written");
        assert!(
            data.contains("\n  pure &\n  real function bump(x)\n"),
            "{data}"
        );
        // Attributes that went into the declarations leave nothing around nothing.
        assert!(!data.contains("#ifdef USE_GPU\n#endif"), "{data}");
        let ours = plain_run(&folder, &folder.join("plain"));
        if keep_loops {
            let users = plain_run(&sources, &place.join("source"));
            assert!(users.status.success());
            assert_eq!(ours.stdout, users.stdout);
        } else {
            // A loop that is not there does not run as if there were none.
            let said = String::from_utf8_lossy(&ours.stderr);
            assert!(!ours.status.success(), "{said}");
            let stopped = "ERROR STOP CUF loop main_loop_1: built without USE_GPU, translated without --keep-loops";
            assert!(said.contains(stopped), "{said}");
        }
    }
}

/// The same choices in every run.
struct Choices(u64);

impl Choices {
    fn of<'t>(&mut self, from: &[&'t str]) -> &'t str {
        let step = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = step.wrapping_add(1_442_695_040_888_963_407);
        from[(self.0 >> 33) as usize % from.len()]
    }

    /// A condition that both can evaluate.
    fn condition(&mut self, depth: usize) -> String {
        let form = match depth {
            0 => "L",
            _ => self.of(&[
                "L",
                "!U",
                "- U",
                "~U",
                "+U",
                "(C O C)",
                "C O C",
                "(C, C)",
                "U / 3",
                "C % 2u",
                "C << 2",
                "U >> 1",
                "1 << -U % 9",
                "(Z && U/Z)",
                "(A || U%Z)",
                "(C ? C : C)",
                "(A ? C : U/Z)",
                "(NOPE ? 1/0 : C)",
                "(defined(NOPE) && 64/NOPE > C)",
                "IS(A) O U",
                "F(N)",
                "G(N, N)",
                "OF(N)",
                "OID (N)",
                "defined A O C",
                "U /* && 1/0 */ O U",
            ]),
        };
        self.filled(form, depth)
    }

    /// A form whose letters that stand alone are filled in.
    fn filled(&mut self, form: &str, depth: usize) -> String {
        let chars: Vec<char> = form.chars().collect();
        let word = |k: Option<&char>| k.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
        let mut out = String::new();
        for (i, c) in chars.iter().enumerate() {
            let inside = i > 0 && word(chars.get(i - 1)) || word(chars.get(i + 1));
            match c {
                _ if inside => out.push(*c),
                'C' => out += &self.condition(depth - 1),
                'U' => out += &format!("({})", self.condition(depth - 1)),
                // In arguments stands no `defined` that gfortran understands.
                'N' => {
                    out += self.of(&[
                        "2",
                        "A",
                        "B - 7",
                        "NOPE",
                        "HAS",
                        "DEF A",
                        "IS(Z)",
                        "F(G(A, (A, B)))",
                        "(OR_SO || Z)",
                        "OID(HAS)",
                    ])
                }
                'O' => {
                    out += self.of(&[
                        "+", "-", "*", "|", "&", "^", "||", "&&", "==", "!=", "<", "<=", ">", ">=",
                    ])
                }
                'L' => {
                    out += self.of(&[
                        "0",
                        "1",
                        "3",
                        "017",
                        "0x1F",
                        "0b11",
                        "2u",
                        "7ul",
                        "18446744073709551615",
                        "A",
                        "B",
                        "Z",
                        "NOPE",
                        "true",
                        "false",
                        "HAS",
                        "HASNT",
                        "OR_SO",
                        "IS(A)",
                        "IS(NOPE)",
                        "DEF A",
                        "DEF(NOPE)",
                        "defined A",
                        "defined(NOPE)",
                        "defined Z /* c */",
                        "!defined NOPE",
                        "F(3)",
                        "OF(2)",
                        "OID (1)",
                        "P(A,A)",
                        "P(1,0)",
                        "ID(ID)(A)",
                        "F(F(F(2)))",
                        "(1 EMPTY)",
                        "defined/**/EMPTY",
                        "HAS_OF(Z)",
                        "defined HAS_OF",
                    ])
                }
                _ => out.push(*c),
            }
        }
        out
    }

    fn expression(&mut self) -> String {
        let mut term = || {
            self.of(&[
                "A",
                "P(A,A)",
                "P(x,A)",
                "P( x,A)",
                "G(A , 2)",
                "P(A,2)",
                "P(ID(4),_8)",
                "P3(1,2)",
                "NAME(A)",
                "A/**/A",
                "A/* x */A",
                "A/**/_8",
                "x/**/_x",
                "OF(A)",
                "OF (A)",
                "OID(A)",
                "ID(OF)(A)",
                "ID(ID)(A)",
                "F(OF(A))",
                "P(P(1,2),3)",
                "P(A+1,2)",
                "P(A+A,A+A)",
                "OB",
                "F(A/**/A)",
                "OF(P(A,A))",
                "P(OF,OF)",
                "NAME(ID)(A)",
                "P(ID(OF),(A))",
                "h(A, \"A/**/A\")",
                "P(,A)",
                "P(A,)",
                "OF",
                "ID(OF)",
                "G(P(A,A), NAME(A))",
                "G((1, A), OID(OF(OF(2))))",
            ])
        };
        // At the end of a line a macro would look for its arguments on the next one.
        format!("{} + {} + 1", term(), term())
    }
}
