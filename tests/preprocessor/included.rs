//! What host code includes comes along: as it is, or with its edits.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuf2cu::translate::{
    FileKind, IncludeReader, SourceInput, TranslateOptions, Translation, translate,
};

use super::{compare, suite};

/// Reads the include files of a test.
type Reader = fn(&Path) -> Option<Vec<u8>>;

fn translated(sources: &[(&str, &[u8])], options: &TranslateOptions) -> Translation {
    let input = |(path, bytes): &(&str, &[u8])| SourceInput {
        path: Path::new("src").join(path),
        relative: path.into(),
        bytes: bytes.to_vec(),
    };
    let translation = translate(sources.iter().map(input).collect(), options);
    assert!(!translation.has_errors(), "{:?}", translation.diagnostics);
    translation
}

/// The host files of sources and what they include, as gfortran reads them; with those that it includes.
fn host(sources: &[(&str, &[u8])], macros: &[&str], reader: Reader) -> BTreeMap<String, Vec<u8>> {
    let options = TranslateOptions {
        macros: macros.iter().map(|m| (*m).to_owned()).collect(),
        includes: IncludeReader(reader),
        ..TranslateOptions::default()
    };
    let kept = translated(sources, &options);
    let expanded = TranslateOptions {
        expand_macros: true,
        ..options.clone()
    };
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let place = suite::build_folder().join(format!("preprocessor/included_{count}"));
    let _ = std::fs::remove_dir_all(&place);
    compare(
        &kept,
        &translated(sources, &expanded),
        &place,
        &options.macros,
    );
    let is_host = |f: &FileKind| matches!(f, FileKind::HostFortran { .. } | FileKind::Included);
    let files = kept.files.into_iter().filter(|f| is_host(&f.kind));
    let files = files.map(|f| (f.path.to_string_lossy().into_owned(), f.contents));
    files.collect()
}

fn texts(files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, String> {
    let text = |(path, bytes)| (path, String::from_utf8(bytes).expect("UTF-8"));
    files.into_iter().map(text).collect()
}

fn names(files: &BTreeMap<String, String>) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

#[test]
fn files_are_included_as_they_are_or_with_their_edits() {
    let text = b"#include \"inc/all.h\"\nsubroutine s(y)\n  include 'plain.inc'\n  include 'device.inc'\n  include 'elsewhere/nested.inc'\n  y = 1\n  d = y\n  include '../up.inc'\nend subroutine\n";
    let files = host(&[("a.CUF", text)], &[], |path| {
        let text = match path.to_str()? {
            "src/inc/all.h" => "#ifndef N\n#include \"sizes.h\"\n#endif\n",
            "src/inc/sizes.h" => "#define N 3\n",
            "src/plain.inc" => "  ! sizes\n  integer, parameter :: n1 = 4\n  real :: y(n1)\n",
            "src/device.inc" => "  ! data\n  real, device :: d(4)\n",
            // gfortran would look for the second file beside a.F90.
            "src/elsewhere/nested.inc" => "  include 'inner.inc'\n",
            "src/elsewhere/inner.inc" => "  integer :: inner\n",
            // The output has no place for it.
            "src/../up.inc" => "  y(1) = 2\n",
            _ => return None,
        };
        Some(text.as_bytes().to_vec())
    });
    let files = texts(files);
    assert_eq!(
        names(&files),
        [
            "a.F90",
            "device.inc",
            "inc/all.h",
            "inc/sizes.h",
            "plain.inc"
        ]
    );
    assert_eq!(
        files["a.F90"],
        "#include \"inc/all.h\"\nsubroutine s(y)\n  use cuf_runtime\n  include 'plain.inc'\n  include 'device.inc'\n  integer :: inner\n  nullify(d)\n  call cuf_allocate(d, [4])\n  y = 1\n  call cuf_h2d(d, y)\n  y(1) = 2\n  call cuf_release(d)\nend subroutine\n"
    );
    assert_eq!(
        files["device.inc"],
        "  ! data\n  real, pointer, contiguous :: d(:)\n"
    );
}

const MAIN: &str = "module m
#include \"sizes.h\"
contains
#ifdef GPU
#include \"kernels.inc\"
#endif
#include \"steps.inc\"
#include \"more.inc\"
end module m
";

/// Under the macro of the program's CUDA Fortran: files that follow each other, one in another, and one that is included elsewhere, too.
fn guarded(path: &Path) -> Option<Vec<u8>> {
    let text = match path.to_str()? {
        "src/sizes.h" => "  integer, parameter :: n = 4\n",
        "src/kernels.inc" => {
            "  ! The kernels.\n  attributes(device) real function twice(x)\n    real, value :: x\n    twice = 2*x\n  end function twice\n#include \"add.inc\"\n"
        }
        "src/add.inc" => {
            "  attributes(global) subroutine add(a)\n    real :: a(n)\n    a(threadIdx%x) = twice(a(threadIdx%x))\n  end subroutine add\n"
        }
        "src/steps.inc" => {
            "  subroutine step(x, k)\n    integer :: k, l\n    real :: x(n)\n#ifdef GPU\n    real, device :: d(n)\n#endif\n#include \"loop.inc\"\n    x = x + 1\n    l = k\n    if (l) x = 2\n"
        }
        "src/loop.inc" => {
            "#ifdef GPU\n    d = x\n    call add<<<1, n>>>(d)\n    x = d ! back\n#else\n    x = 2*x\n#endif\n"
        }
        // It begins with a change, as the file before ends.
        "src/more.inc" => "    if (k) x = 3\n  end subroutine step\n",
        _ => return None,
    };
    Some(text.as_bytes().to_vec())
}

#[test]
fn edits_of_included_files_stand_under_the_macro() {
    let files = texts(host(&[("m.F90", MAIN.as_bytes())], &["-DGPU"], guarded));
    assert_eq!(
        names(&files),
        [
            "add.inc",
            "kernels.inc",
            "loop.inc",
            "m.F90",
            "more.inc",
            "sizes.h",
            "steps.inc"
        ]
    );
    let uses = "#ifdef GPU\n  use cuf_runtime\n  use cuf_m_shims\n#endif\n";
    assert_eq!(
        files["m.F90"],
        MAIN.replace("module m\n#", &format!("module m\n{uses}#"))
    );
    assert_eq!(
        files["kernels.inc"],
        "  ! The kernels.\n  ! attributes(device) twice: device procedure in m.cuh\n#include \"add.inc\"\n"
    );
    assert_eq!(
        files["add.inc"],
        "  subroutine add(cuf_at, a)\n    type(cuf_launch), intent(in) :: cuf_at\n    real, target :: a(n)\n    call cuf_m_add(cuf_at, cuf_loc(a))\n  end subroutine add\n"
    );
    assert_eq!(
        files["loop.inc"],
        "#ifdef GPU\n    call cuf_h2d(d, x)\n    call add(cuf_launch(1, n), d)\n    call cuf_d2h(x, d) ! back\n#else\n    x = 2*x\n#endif\n"
    );
    assert_eq!(
        files["steps.inc"],
        "  subroutine step(x, k)\n    integer :: k, l\n    real :: x(n)\n#ifdef GPU\n    real, pointer, contiguous :: d(:)\n    nullify(d)\n    call cuf_allocate(d, [n])\n#endif\n#include \"loop.inc\"\n    x = x + 1\n    l = k\n#ifdef GPU\n    if (btest(l, 0)) x = 2\n#else\n    if (l) x = 2\n#endif\n"
    );
    assert_eq!(
        files["more.inc"],
        "#ifdef GPU\n    if (btest(k, 0)) x = 3\n    call cuf_release(d)\n#else\n    if (k) x = 3\n#endif\n  end subroutine step\n"
    );
}

/// What is included twice, be it by another source or in a branch that was left out, is written out where it changes.
#[test]
fn files_that_are_included_twice_are_written_out() {
    let once: &[u8] =
        b"subroutine s(x)\n  real :: x(4)\n#include \"d.inc\"\n  d = x\nend subroutine\n";
    let other: &[u8] =
        b"subroutine t(x)\n  real :: x(4)\n#include \"./d.inc\"\n  d = x + 1\nend subroutine\n";
    let skipped: &[u8] = b"subroutine s(x)\n  real :: x(4)\n#ifdef N\n#include \"d.inc\"\n#else\n#include \"d.inc\"\n#endif\n  d = x\nend subroutine\n";
    let by_macro: &[u8] = b"#define FILE \"d.inc\"\nsubroutine s(x)\n  real :: x(4)\n#include FILE\n  d = x\nend subroutine\n";
    let reader: Reader = |path| {
        let known = ["src/d.inc", "src/./d.inc"].contains(&path.to_str()?);
        known.then(|| b"  real, device :: d(4)\n".to_vec())
    };
    let read = |sources: &[(&str, &[u8])]| texts(host(sources, &[], reader));
    assert_eq!(names(&read(&[("a.CUF", once)])), ["a.F90", "d.inc"]);
    let cases: [&[(&str, &[u8])]; 3] = [
        &[("a.CUF", once), ("b.CUF", other)],
        &[("a.CUF", skipped)],
        &[("a.CUF", by_macro)],
    ];
    for sources in cases {
        let files = read(sources);
        assert!(!files.contains_key("d.inc"), "{files:?}");
        for text in files.values() {
            assert!(
                text.contains("  real, pointer, contiguous :: d(:)\n"),
                "{text}"
            );
        }
    }
}

/// gfortran does not preprocess what INCLUDE lines include: no macro can be asked for there, and the line stands in the other branch.
#[test]
fn include_lines_have_no_conditionals() {
    let text: &[u8] = b"subroutine s(x, k)\n  real :: x(4)\n#ifdef GPU\n  real, device :: d(4)\n  d = x\n#endif\n  include 'code.inc'\nend subroutine\n";
    let files = texts(host(&[("a.F90", text)], &["-DGPU"], |path| {
        (path == Path::new("src/code.inc")).then(|| b"  if (k) x = 1\n".to_vec())
    }));
    assert_eq!(names(&files), ["a.F90"]);
    let written =
        "  if (btest(k, 0)) x = 1\n  call cuf_release(d)\n#else\n  include 'code.inc'\n#endif\n";
    assert!(files["a.F90"].contains(written), "{}", files["a.F90"]);
}

/// A file that would be in the place of another output stays out of the folder, and so do two of one place.
#[test]
fn outputs_have_their_places() {
    let main: &[u8] =
        b"subroutine s(x)\n  real :: x(4)\n#include \"b.F90\"\n  d = x\n  x = n\nend subroutine\n";
    let other: &[u8] = b"subroutine b\n  real, device :: d(N)\n  d = 1\nend subroutine\n";
    let files = texts(host(
        &[("a.CUF", main), ("b.CUF", other)],
        &["-DN=3"],
        |path| {
            let text: &[u8] = b"  real, device :: d(4)\n  integer, parameter :: n = 2\n";
            (path == Path::new("src/b.F90")).then(|| text.to_vec())
        },
    ));
    assert_eq!(names(&files), ["a.F90", "b.F90"]);
    assert!(files["b.F90"].contains("subroutine b"), "{files:?}");
    assert!(files["a.F90"].contains("parameter :: n = 2"), "{files:?}");
}

#[test]
fn included_files_keep_their_encoding() {
    let text: &[u8] =
        b"subroutine s(x)\n  real :: x(4)\n#include \"d.inc\"\n  d = x ! \xe4\nend subroutine\n";
    let files = host(&[("a.CUF", text)], &[], |path| {
        let text: &[u8] = b"  ! \xfc\n  real, device :: d(4) ! \xe9\n";
        (path == Path::new("src/d.inc")).then(|| text.to_vec())
    });
    let included: &[u8] = b"  ! \xfc\n  real, pointer, contiguous :: d(:) ! \xe9\n";
    assert_eq!(files["d.inc"], included);
}

/// A file that is included in what becomes device code has no part in host code, and does not keep others from coming along.
#[test]
fn included_device_code_leaves_nothing() {
    let text: &[u8] = b"module m\ncontains\n  attributes(global) subroutine k(d)\n    real :: d(*)\n#include \"body.inc\"\n  end subroutine\n  subroutine s(x)\n    real :: x(4)\n#include \"data.inc\"\n    d = x\n    call k<<<1, 4>>>(d)\n  end subroutine\nend module\n";
    let files = texts(host(&[("m.CUF", text)], &[], |path| {
        let text: &[u8] = match path.to_str()? {
            "src/body.inc" => b"    d(threadIdx%x) = 1\n",
            "src/data.inc" => b"    real, device :: d(4)\n",
            _ => return None,
        };
        Some(text.to_vec())
    }));
    assert_eq!(names(&files), ["data.inc", "m.F90"]);
    assert_eq!(
        files["m.F90"],
        "module m\n  use cuf_runtime\n  use cuf_m_shims, only: k => cuf_m_k\ncontains\n  ! attributes(global) k: kernel in m.cu\n  subroutine s(x)\n    real :: x(4)\n#include \"data.inc\"\n    nullify(d)\n    call cuf_allocate(d, [4])\n    call cuf_h2d(d, x)\n    call k(cuf_launch(1, 4), d)\n    call cuf_release(d)\n  end subroutine\nend module\n"
    );
}
