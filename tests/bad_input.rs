//! Bad input on the command line: the exit status, the message, and nothing half-written. And the same bytes for every number
//! of threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cuf2cu::translate::{TranslateOptions, translate};
use tempfile::TempDir;

const GOOD: &str = "\
module kernels
contains
  attributes(global) subroutine fill(x, n)
    real :: x(*)
    integer, value :: n
    integer :: i
    i = (blockidx%x - 1)*blockdim%x + threadidx%x
    if (i <= n) x(i) = i
  end subroutine
end module
program p
  use kernels
  real, device :: x(100)
  call fill<<<1, 128>>>(x, 100)
end program
";

/// A folder for one test, where the commands run.
struct Place(TempDir);

/// What a command did: exit status, standard error.
struct Said(Option<i32>, String);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Place {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
        self
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Said {
        said(self.command(arguments))
    }

    /// The command fails with the status and says so in these words, without a panic; the folder is as it was.
    fn refuses(&self, arguments: &[&str], status: i32, words: &str) {
        let before = files(self.0.path());
        let Said(code, text) = self.run(arguments);
        assert_eq!(code, Some(status), "{arguments:?}: {text}");
        assert!(
            text.contains(words),
            "{arguments:?}: no '{words}' in: {text}"
        );
        assert!(!text.contains("panicked"), "{arguments:?}: {text}");
        assert_eq!(
            before,
            files(self.0.path()),
            "{arguments:?} has written something"
        );
    }
}

fn said(mut command: Command) -> Said {
    let output = command.output().unwrap();
    Said(
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

/// All files below a folder with their contents; folders with None.
fn files(root: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let below = path.strip_prefix(root).unwrap().to_path_buf();
            if path.is_dir() {
                found.insert(below, None);
                folders.push(path);
            } else {
                found.insert(below, fs::read(&path).ok());
            }
        }
    }
    found
}

#[test]
fn good_input_is_written() {
    let place = Place::new().with("a.cuf", GOOD);
    let Said(code, text) = place.run(&["a.cuf", "out"]);
    assert_eq!(code, Some(0), "{text}");
    let written = files(&place.path("out"));
    for name in ["Makefile", "a.cu", "a.f90", "cuf2cu-report.txt"] {
        assert!(written.contains_key(Path::new(name)), "no {name}");
    }
    assert_eq!(place.run(&["check", "a.cuf"]).0, Some(0));
}

#[test]
fn no_text() {
    let place = Place::new()
        .with("empty.cuf", "")
        .with("blank.cuf", "\n  \n")
        .with("binary.cuf", b"\x7fELF\0\0\x01");
    place.refuses(
        &["empty.cuf", "out"],
        1,
        "error[CUF0003]: source file is empty",
    );
    place.refuses(&["blank.cuf", "out"], 1, "error[CUF0003]");
    place.refuses(&["binary.cuf", "out"], 1, "error[CUF0002]: not a text file");
    place.refuses(&["check", "empty.cuf"], 1, "error[CUF0003]");
    place.refuses(
        &["run", "--target", "cpu", "binary.cuf"],
        1,
        "error[CUF0002]",
    );
}

/// A structure that is a part of itself ends no walk over types in a loop.
#[test]
fn a_type_inside_itself() {
    let text = "module m
  type :: t
    integer, device, allocatable :: d(:)
    type(t) :: a
  end type
contains
  subroutine s(x)
    type(t) :: x
    x = t(d=[1], a=x)
  end subroutine
end module
";
    let place = Place::new().with("inside.cuf", text);
    let Said(code, _) = place.run(&["inside.cuf", "out"]);
    assert!(matches!(code, Some(0 | 1)));
}

/// Bounds, constants and lengths that are made of themselves have no value, and no end.
#[test]
fn declarations_in_a_circle() {
    let text = "subroutine s(n)
  integer, intent(in) :: n
  real, device :: a(size(b)), b(size(a)), c(ubound(c, 1)), e(lbound(e, 1):size(g)), g(size(e))
  integer, parameter :: k = size(h), p = q, q = p
  real, device :: h(k)
  character(len(t)) :: t
  real(kind(r)) :: r
  a = 1
end subroutine
";
    let place = Place::new().with("circle.cuf", text);
    let Said(code, said) = place.run(&["circle.cuf", "out"]);
    assert!(matches!(code, Some(0 | 1)), "{said}");
}

#[test]
fn wrong_programs() {
    let unsupported = GOOD.replace("if (i <= n)", "open(unit=10, file='x')\n    if (i <= n)");
    let outside = "attributes(global) subroutine k(x)\n  real :: x(*)\n  x(1) = 1\nend subroutine\n\
                   program p\n  real, device :: a(1)\n  call k<<<1, 1>>>(a)\nend program\n";
    let place = Place::new()
        .with("unsupported.cuf", unsupported)
        .with("outside.cuf", outside)
        .with(
            "include.cuf",
            "program p\n  include 'missing.inc'\nend program\n",
        )
        .with(
            "include.CUF",
            "#include \"missing.h\"\nprogram p\nend program\n",
        )
        .with("syntax.cuf", "program p\n  x = = 1\nend program\n");
    let short = "--error-format=short";
    place.refuses(
        &[short, "unsupported.cuf", "out"],
        1,
        "unsupported.cuf:8:5: error[CUF0330]",
    );
    place.refuses(&[short, "outside.cuf", "out"], 1, "outside.cuf:");
    place.refuses(
        &[short, "include.cuf", "out"],
        1,
        "include.cuf:2:1: error[CUF0005]: include file `missing.inc`",
    );
    place.refuses(
        &[short, "include.CUF", "out"],
        1,
        "include.CUF:1:1: error[CUF0005]: include file `missing.h`",
    );
    place.refuses(&[short, "syntax.cuf", "out"], 1, "syntax.cuf:2:");
}

#[test]
fn wrong_paths() {
    let place = Place::new()
        .with("src/a.cuf", GOOD)
        .with("file", "text")
        .with("other/note.txt", "not ours")
        .with("none/readme.md", "no source here");
    place.refuses(&["missing.cuf", "out"], 2, "cannot read missing.cuf");
    place.refuses(&["none", "out"], 2, "no Fortran sources");
    place.refuses(&["src", "src/out"], 2, "lies inside the source folder");
    place.refuses(&["src", "src"], 2, "is the source folder");
    place.refuses(&["src/a.cuf", "src"], 2, "contains the source");
    place.refuses(&["src", "file"], 2, "exists and is not a folder");
    place.refuses(&["src", "file/out"], 4, "file");
    place.refuses(
        &["src", "other"],
        2,
        "contains files that cuf2cu did not write",
    );
    place.refuses(
        &["src/a.cuf", "src/a.cuf", "out"],
        2,
        "src/a.cuf is named twice",
    );
}

#[test]
fn wrong_usage() {
    let place = Place::new().with("a.cuf", GOOD);
    place.refuses(&["--nonsense", "a.cuf", "out"], 2, "--nonsense");
    place.refuses(&["a.cuf"], 2, "SRC... OUT");
    place.refuses(&[], 2, "Usage");
    place.refuses(&["-j0", "a.cuf", "out"], 2, "0");
    place.refuses(&["--error-format=loud", "a.cuf", "out"], 2, "loud");
    place.refuses(&["explain", "CUF9999"], 2, "CUF9999");
}

#[test]
fn missing_tools() {
    let place = Place::new().with("a.cuf", GOOD);
    for (target, tool) in [("cpu", "gfortran"), ("cuda", "not found")] {
        let mut command = place.command(&["build", "--target", target, "a.cuf"]);
        command
            .env_clear()
            .env("PATH", place.0.path())
            .env("HOME", place.0.path());
        let Said(code, text) = said(command);
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains(tool), "{text}");
    }
    assert_eq!(files(place.0.path()).len(), 1, "something was written");
}

/// The superuser reads everything: there the test has nothing to show.
#[cfg(unix)]
#[test]
fn unreadable_folder() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new()
        .with("src/a.cuf", GOOD)
        .with("src/closed/b.cuf", GOOD);
    let closed = place.path("src/closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&closed).is_err() {
        let Said(code, text) = place.run(&["src", "out"]);
        assert_eq!(code, Some(4), "{text}");
        assert!(text.contains("cannot read"), "{text}");
        assert!(!place.path("out").exists());
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The samples as one tree, through the command line.
#[test]
fn same_bytes_for_every_number_of_jobs() {
    let place = Place::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let samples = samples.to_str().unwrap();
    let mut results = Vec::new();
    for (jobs, out) in [("-j1", "a"), ("-j8", "b"), ("-j1", "c"), ("-j8", "d")] {
        let Said(code, text) = place.run(&[jobs, samples, out]);
        assert_eq!(code, Some(0), "{text}");
        results.push(files(&place.path(out)));
    }
    assert!(results[0].len() > 40, "{} files", results[0].len());
    for other in &results[1..] {
        let names = |r: &BTreeMap<PathBuf, _>| r.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&results[0]), names(other));
        for (name, contents) in &results[0] {
            assert!(
                other.get(name) == Some(contents),
                "{} differs",
                name.display()
            );
        }
    }
}

/// All conformance programs at once, those that are refused included: texts, messages and account.
#[test]
fn same_translation_for_every_number_of_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let inputs = cuf2cu::driver::inputs::collect(&[folder], None).unwrap();
    let translated = |threads| {
        let options = TranslateOptions {
            includes: cuf2cu::driver::inputs::INCLUDES,
            ..TranslateOptions::default()
        };
        let sources = inputs.fortran.clone();
        let t = cuf2cu::driver::pool::with_threads(threads, || translate(sources, &options));
        let files = t.files.into_iter().map(|f| (f.path, f.contents));
        (
            files.collect::<Vec<_>>(),
            format!("{:?}", t.diagnostics),
            t.report,
        )
    };
    // One thread for all beside eight: no core is idle.
    let (one, eight) = std::thread::scope(|scope| {
        let eight = scope.spawn(|| translated(8));
        (translated(1), eight.join().unwrap())
    });
    assert!(one.0.len() > 300, "{} files", one.0.len());
    for (a, b) in one.0.iter().zip(&eight.0) {
        assert!(a == b, "{} differs", a.0.display());
    }
    assert!(one == eight);
}

/// What is nested deeper than the analysis goes is an error, never passed over in silence.
#[test]
fn limits_are_reported() {
    let around = |open: &str, inner: &str, close: &str, n: usize| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let kernel = |body: &str| {
        format!(
            "module m\ncontains\nattributes(global) subroutine k(x, n)\nreal :: x(*)\ninteger, value :: n\n{body}end subroutine\nend module\n"
        )
    };
    let cases = [
        (format!("  x(1) = {}\n", around("(", "n", ")", 160)), true),
        (
            around("if (n > 1) then\n", "x(1) = n\n", "end if\n", 210),
            true,
        ),
        (format!("  x(1) = {}\n", around("(", "n", ")", 100)), false),
        (
            around("if (n > 1) then\n", "x(1) = n\n", "end if\n", 100),
            false,
        ),
    ];
    for (body, refused) in cases {
        let place = Place::new().with("deep.cuf", kernel(&body));
        let said = said(place.command(&["check", "deep.cuf", "--error-format", "short"]));
        assert_eq!(said.0, Some(i32::from(refused)), "{}", said.1);
        assert_eq!(said.1.contains("CUF0207"), refused, "{}", said.1);
    }
}

/// PACK without what it needs has no shape: a message, not an endless search for one.
#[test]
fn pack_without_a_shape() {
    for (value, code) in [
        ("sum(pack(a))", "CUF0210"),
        ("size(pack(c, a > 1.))", "CUF0415"),
    ] {
        let text = format!(
            "module m\ncontains\nattributes(global) subroutine k(a, c)\nreal :: a(8)\ncharacter(*) :: c(8)\na(1) = {value}\nend subroutine\nend module\n"
        );
        let place = Place::new().with("pack.cuf", text);
        let said = said(place.command(&["check", "pack.cuf", "--error-format", "short"]));
        assert_eq!(said.0, Some(1), "{}", said.1);
        assert!(said.1.contains(code), "{}", said.1);
    }
}
