//! Snapshots of what is written for small inputs, one per topic: the input and the outputs stand together. Most are of the CUDA C++;
//! those whose host side has something to show have that and the shims, too. Where types and what the passes made of them are the
//! point, which C++ does not show, it is the device IR.

use std::path::PathBuf;

use cuf2cu::translate::{Dialect, FileKind, SourceInput, TranslateOptions, Translation, translate};

/// What a snapshot shows of a file that is written.
type Shown = fn(&FileKind) -> bool;

fn device(kind: &FileKind) -> bool {
    matches!(kind, FileKind::DeviceHeader | FileKind::DeviceSource)
}

fn all(_: &FileKind) -> bool {
    true
}

/// Where a kind of file stands in a snapshot.
fn order(kind: &FileKind) -> usize {
    match kind {
        FileKind::HostFortran { .. } => 0,
        FileKind::Shims { .. } => 1,
        FileKind::DeviceHeader => 2,
        FileKind::DeviceSource => 3,
        FileKind::SourceLines | FileKind::Included => 4,
    }
}

fn translation(source: &str) -> Translation {
    translation_as(source, false)
}

fn translation_as(source: &str, line_directives: bool) -> Translation {
    let input = SourceInput {
        path: PathBuf::from("case.cuf"),
        relative: PathBuf::from("case.cuf"),
        bytes: source.as_bytes().to_vec(),
    };
    let options = TranslateOptions {
        show_ir: true,
        line_directives,
        dialect: Dialect {
            openacc: source.contains("!$cuf loop"),
            ..Dialect::default()
        },
        ..TranslateOptions::default()
    };
    translate(vec![input], &options)
}

/// The device IR of a source, after the source itself.
fn lowered(source: &str) -> String {
    format!(
        "{}\n----\n{}",
        source.trim(),
        translation(source).ir.concat()
    )
}

/// The files written for a source, after the source itself.
fn translated(source: &str, shown: Shown) -> String {
    outputs(source, translation(source), shown)
}

fn outputs(source: &str, mut outcome: Translation, shown: Shown) -> String {
    let mut text = source.trim().to_owned();
    for d in &outcome.diagnostics {
        text.push_str(&format!("\n---- {}: {}", d.code, d.whole_text()));
    }
    outcome.files.sort_by_key(|f| order(&f.kind));
    for f in outcome.files.iter().filter(|f| shown(&f.kind)) {
        text.push_str(&format!(
            "\n---- {}\n{}",
            f.path.display(),
            String::from_utf8_lossy(&f.contents)
        ));
    }
    text
}

macro_rules! cases {
    (ir: $($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                let source = include_str!(concat!("translate/", stringify!($name), ".cuf"));
                insta::assert_snapshot!(lowered(source));
            }
        )*
    };
    ($shown:ident: $($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                let source = include_str!(concat!("translate/", stringify!($name), ".cuf"));
                insta::assert_snapshot!(translated(source, $shown));
            }
        )*
    };
}

cases!(all: kernel, module_data, cuf_loops, host_statements, owners, owner_classes);
cases!(
    device: comments,
    shared_memory,
    synchronisation,
    volatile_data,
    device_procedures,
    reductions,
    array_statements,
    idioms,
    control_flow,
    derived_types,
    races,
    refusals,
    shared_loops,
);
cases!(ir: arithmetic, dummies);

/// Positions that go to a function beside a value that is multiplied again and again are no hash: its real result connects them with nothing.
#[test]
fn a_real_result_connects_no_arguments() {
    let source = include_str!("translate/positions.cuf");
    let text = translated(source, device);
    let (_, text) = text.split_once("---- ").unwrap_or_default();
    assert!(
        !text.contains("uint64_t(") && !text.contains("unsigned("),
        "{text}"
    );
    assert!(text.contains("int64_t x = i - (y - 1) * nx;"), "{text}");
}

/// What has another value than a sequential loop gives is told: private scalars that a procedure or the caller reads, and data of the
/// device that iterations use as a temporary.
#[test]
fn values_that_a_loop_does_not_give() {
    let told = |source: &str, of: &[&str]| {
        let outcome = translation(source);
        let messages: Vec<_> = outcome.diagnostics.iter().map(|d| d.whole_text()).collect();
        assert_eq!(messages.len(), of.len(), "{messages:?}");
        for (message, words) in messages.iter().zip(of) {
            assert!(message.contains(words), "{message}");
        }
    };
    let procedures = include_str!("translate/read_by_procedures.cuf");
    told(
        procedures,
        &[
            "`called` is private to each iteration, but the host reads it in line 15",
            "`last` is private to each iteration, but the caller gets it",
            "`kept` is private to each iteration, but `show` reads it in line 19",
        ],
    );
    let indices = include_str!("translate/read_indices.cuf");
    told(
        indices,
        &["`i` is an index of a CUF loop, but the host reads it in line 9"],
    );
    let temporaries = include_str!("translate/shared_temporary.cuf");
    told(
        temporaries,
        &[
            "same data of `t`\nnote: an iteration may read what another one assigned",
            "same data of `w`\nnote: an iteration may read what another one assigned",
        ],
    );
}

/// The modules of libraries lie in the folder `cuf`: a source whose name begins so is not one of them.
#[test]
fn names_of_sources_that_begin_with_cuf() {
    let source = "program p\n  use cudafor\n  call show(1)\nend program\n\
        subroutine show(n)\n  integer n\n  print *, n\nend subroutine\n";
    for path in ["cufinfo.cuf", "cuf/info.cuf", "info.cuf"] {
        let input = SourceInput {
            path: PathBuf::from(path),
            relative: PathBuf::from(path),
            bytes: source.as_bytes().to_vec(),
        };
        let outcome = translate(vec![input], &TranslateOptions::default());
        assert!(
            outcome.diagnostics.is_empty(),
            "{path}: {:?}",
            outcome.diagnostics
        );
    }
}

/// The time for the analysis of a loop grows with its body, not with the paths through it.
#[test]
fn large_loop_bodies() {
    let mut source =
        String::from("program p\n  integer :: i, j\n  real, device :: x(100), r(100)\n");
    for v in 0..200 {
        source += &format!("  real :: v{v}\n");
    }
    source += "  !$cuf kernel do <<<*, *>>>\n  do i = 1, 100\n    do j = 1, 3\n";
    for n in 0..300 {
        let (from, to) = (n * 61 % 200, n * 37 % 200);
        source += &format!("      if (x(j) > {n} .and. v{from} > 0) v{to} = 1.0\n");
    }
    source += "    end do\n    r(i) = v0\n  end do\nend program\n";
    let start = std::time::Instant::now();
    translation(&source);
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 20.0, "{seconds:.1} s");
}

/// `--line-directives`: the user's lines, those of the output where it has its own, none inside of a statement.
#[test]
fn line_directives() {
    let source = include_str!("translate/line_directives.cuf");
    let with = translation_as(source, true);
    // The C++ has the places itself.
    let mut beside = (with.files.iter()).filter(|f| f.kind == FileKind::SourceLines);
    assert!(beside.all(|f| !String::from_utf8_lossy(&f.contents).contains("CUF_SOURCE_LINES")));
    insta::assert_snapshot!(outputs(source, with, |k| !matches!(
        k,
        FileKind::Shims { .. }
    )));
}

/// The sources of a folder.
fn sources(folder: &str) -> Result<Vec<(String, String)>, String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cuf"));
    paths.sort();
    let text = |p: &PathBuf| {
        let text = std::fs::read_to_string(p).map_err(|e| format!("{}: {e}", p.display()));
        text.map(|t| (p.display().to_string(), t))
    };
    paths.iter().map(text).collect()
}

/// What is written for a source, without the line numbers in places (`case.cuf:31`), line by line.
fn without_places(source: &str, remark: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for file in translation(source).files {
        lines.push(file.path.display().to_string());
        // The remark may stand with what was below it.
        let text = String::from_utf8_lossy(&file.contents);
        let text = text.lines().filter(|l| !l.contains(remark));
        let text = text.filter(|l| !l.starts_with("CUF_SOURCE_LINES("));
        for line in text {
            let mut parts = line.split("case.cuf:");
            let mut out = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                out.push_str("case.cuf:");
                out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
            }
            lines.push(out);
        }
    }
    lines
}

/// Names of generated code hang on no line number: a comment line at the top changes the places of the source in comments and
/// messages, and nothing else.
#[test]
fn a_comment_line_changes_places_alone() -> Result<(), String> {
    let remark = "a remark that was not there before";
    let mut all = sources("tests/translate")?;
    all.extend(sources("samples")?);
    all.extend(sources("tests/conformance/cuf-kernels")?);
    all.extend(sources("tests/conformance/program-structure")?);
    for (path, text) in all {
        let before = without_places(&text, remark);
        let after = without_places(&format!("! {remark}\n{text}"), remark);
        let differs = before.iter().zip(&after).find(|(a, b)| a != b);
        if let Some((a, b)) = differs {
            return Err(format!("{path}: `{a}` has become `{b}`"));
        }
        assert_eq!(before.len(), after.len(), "{path}");
    }
    Ok(())
}

/// Kernels are registered by name where host code asks for them, by a text for any of them, and for a program that is not there.
#[test]
fn kernels_are_registered_where_something_asks() {
    let module = "module m\ncontains\n  attributes(global) subroutine k(a)\n    real :: a(*)\n    a(1) = 1\n  end subroutine\n\
        \x20 attributes(global) subroutine q(a)\n    real :: a(*)\n    a(1) = 2\n  end subroutine\nend module\n";
    let program = |line: &str| {
        format!(
            "{module}program p\n  use cudafor\n  use m\n  type(cudafuncattributes) :: f\n  integer :: i\n  {line}\nend program\n"
        )
    };
    let registered = |source: &str| {
        let found = translated(source, device);
        let lines = found
            .lines()
            .filter(|l| l.starts_with("CUF_REGISTER_KERNEL("));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(registered(&program("i = 1")).len(), 0);
    let one = registered(&program("i = cudaFuncGetAttributes(f, q)"));
    assert_eq!(one, ["CUF_REGISTER_KERNEL(\"m_q\", m::q);"]);
    assert_eq!(
        registered(&program("i = cudaFuncGetAttributes(f, 'q')")).len(),
        2
    );
    assert_eq!(registered(module).len(), 2);
}

#[test]
fn named_constants_of_generators_wrap_and_extents_do_not() {
    let text = translated(
        "module m
  integer, parameter :: golden = -1640531527, rows = 100000
contains
  attributes(global) subroutine k(s, a)
    integer :: s(*), a(rows, *), x, i
    x = s(1)
    do i = 1, 32
      x = x + golden
    end do
    s(1) = x/3
    i = s(2)
    if (i + rows > s(3)) s(2) = 0
  end subroutine
end module
",
        device,
    );
    assert!(
        text.contains("x = unsigned(x) + unsigned(golden);"),
        "{text}"
    );
    assert!(text.contains("if (i + rows > s(3))"), "{text}");
}

/// Of the procedures of a type with device data those are written that something calls.
#[test]
fn procedures_of_types_that_nothing_calls_are_not_written() {
    let host = |statement: &str| {
        let source = format!(
            "module m\n  type box\n    real, allocatable, device :: a(:)\n  end type\ncontains\n  subroutine s(n)\n    integer :: n\n    \
             type(box) :: x, y\n    allocate(x%a(n))\n    {statement}\n  end subroutine\nend module\n"
        );
        let files = translation(&source).files;
        let host = files.iter().find(|f| f.path.ends_with("case.f90"));
        String::from_utf8_lossy(&host.expect("a host file").contents).into_owned()
    };
    let made = |text: &str, verb: &str| text.contains(&format!("subroutine cuf_{verb}_m_box("));
    let (plain, copied) = (host("x%a = 1"), host("y = x"));
    assert!(made(&plain, "release") && made(&copied, "release"));
    assert!(made(&copied, "copy"), "{copied}");
    assert!(!made(&plain, "copy") && !made(&plain, "move"), "{plain}");
    assert!(!made(&copied, "move"), "{copied}");
}
