//! Mistakes of beginners and habits of C: each gives one error, at the line of the mistake, that says what to write. Safe fixes mend
//! it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cuf2cu::driver::fix;
use cuf2cu::{Action, Diagnostic, Severity, SourceInput, TranslateOptions, translate};

const PROGRAM: &str = include_str!("mistakes/program.cuf");

/// An entry of `tests/mistakes/*.txt`, see the README there.
struct Mistake {
    /// The program with the mistake.
    text: String,
    line: u32,
    headline: String,
    help: String,
    /// What is put into the program.
    shown: String,
}

/// The program with other lines in the place of the first ones that are like the given ones.
fn changed(program: &str, old: &[&str], new: &[&str]) -> String {
    let lines: Vec<&str> = program.lines().collect();
    let like = |a: &[&str]| a.iter().zip(old).all(|(a, b)| a.trim() == b.trim());
    let at = lines.windows(old.len()).position(like);
    let at = at.unwrap_or_else(|| panic!("not in the program: {old:?}"));
    let all = [&lines[..at], new, &lines[at + old.len()..]].concat();
    all.join("\n") + "\n"
}

fn mistake(entry: &str) -> Mistake {
    let mut lines = entry.lines();
    let (line, headline) = lines.next().and_then(|l| l.split_once(": ")).unwrap();
    let help = lines.next().and_then(|l| l.strip_prefix("help: ")).unwrap();
    let mut text = PROGRAM.to_owned();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let mut shown = Vec::new();
    for l in lines.chain(["- "]) {
        let (sign, rest) = (&l[..1], l.get(2..).unwrap_or_default());
        if sign == "+" {
            shown.push(rest);
            new.push(rest);
            continue;
        }
        if !new.is_empty() || rest.is_empty() {
            text = changed(&text, &old, &new);
            (old, new) = (Vec::new(), Vec::new());
        }
        old.push(rest);
    }
    Mistake {
        text,
        line: line.parse().unwrap(),
        headline: headline.to_owned(),
        help: help.to_owned(),
        shown: shown.join("\n"),
    }
}

fn mistakes() -> Vec<Mistake> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let texts = files.iter().map(|f| fs::read_to_string(f).unwrap());
    let texts: Vec<String> = texts.collect();
    let entries = texts.iter().flat_map(|t| t.split("\n\n").skip(1));
    entries.map(mistake).collect()
}

fn errors(path: &str, text: &str) -> Vec<Diagnostic> {
    let input = SourceInput {
        path: path.into(),
        relative: "p.cuf".into(),
        bytes: text.as_bytes().to_vec(),
    };
    let options = TranslateOptions {
        goal: Action::Check,
        ..TranslateOptions::default()
    };
    let mut found = translate(vec![input], &options).diagnostics;
    found.retain(|d| d.severity == Severity::Error);
    found
}

fn shown(found: &[Diagnostic]) -> String {
    let lines = found
        .iter()
        .map(|d| format!("{}: {}", d.line, d.whole_text()));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn each_mistake_is_one_error_that_says_what_to_write() {
    assert_eq!(shown(&errors("p.cuf", PROGRAM)), "");
    let all = mistakes();
    assert!(all.len() >= 190, "{}", all.len());
    let mut wrong = Vec::new();
    for m in &all {
        let found = errors("p.cuf", &m.text);
        let good = matches!(found.as_slice(), [d] if d.line == m.line
            && d.message.contains(&m.headline)
            && d.whole_text().contains(&m.help));
        if !good {
            wrong.push(format!(
                "== {}: {}, {}, {}\n{}",
                m.shown,
                m.line,
                m.headline,
                m.help,
                shown(&found)
            ));
        }
        for d in &found {
            let length = d.message.chars().count();
            if d.message.contains(['\n', ';']) || d.message.ends_with('.') || length > 120 {
                wrong.push(format!("== {}: headline {}", m.shown, d.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn safe_fixes_mend_the_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.cuf");
    let name = path.to_str().unwrap();
    let files = BTreeSet::from([path.clone()]);
    let mut fixed = 0;
    for m in mistakes() {
        fs::write(&path, &m.text).unwrap();
        let found = errors(name, &m.text);
        let safe = found.iter().any(|d| d.fixes.iter().any(|f| f.safe));
        let applied = fix::apply(&found, &files).unwrap();
        let after = fs::read_to_string(&path).unwrap();
        assert_eq!(safe, after != m.text, "{}", m.shown);
        if safe {
            fixed += applied.count();
            let left = errors(name, &after);
            assert!(
                left.iter().all(|d| d.line != m.line),
                "{}: {after}\n{}",
                m.shown,
                shown(&left)
            );
        }
    }
    assert!(fixed > 60, "{fixed}");
}

/// Pieces of a program with what takes their place.
type Edits = &'static [(&'static str, &'static str)];

/// The lines of a program with errors: a syntax error costs its statement or the body of its procedure, and nothing else.
#[test]
fn other_errors_are_found_beside_syntax_errors() {
    let cases: &[(Edits, &[u32])] = &[
        // In another procedure, and in the same one.
        (
            &[
                ("    !device", "    a(3) = = 1\n    x = unknown"),
                ("  !host", "  h(1) = unknown"),
            ],
            &[12, 13, 25],
        ),
        // What the statement declares is not missed in other statements.
        (
            &[
                ("    real :: x", "    real : x"),
                ("    !device", "    x = 1"),
            ],
            &[9],
        ),
        // A construct that is not closed costs the body of its procedure.
        (
            &[
                ("    !device", "    do i = 1, 3"),
                ("  !host", "  h(1) = unknown"),
            ],
            &[12, 24],
        ),
        // A kernel whose header is wrong is still launched.
        (
            &[
                (
                    "  attributes(global) subroutine k(a, n)",
                    "  __global__ subroutine k(a, n)",
                ),
                ("  !host", "  call k<<<1, 1>>>(d, 1)\n  h(1) = unknown"),
            ],
            &[5, 25],
        ),
        // Two syntax errors in one procedure.
        (
            &[(
                "    !device",
                "    if (i > 3)\n      x = 1 +\n    end if\n    i++\n    x = unknown",
            )],
            &[12, 13, 15, 16],
        ),
        // Nothing is said twice of a name.
        (
            &[("    !device", "    x = unknown\n    x = unknown + 1")],
            &[12],
        ),
        // The specification part of a module.
        (
            &[
                ("  implicit none", "  implict none"),
                ("  !host", "  h(1) = unknown"),
            ],
            &[3, 24],
        ),
    ];
    for (changes, lines) in cases {
        let text = changes.iter().fold(PROGRAM.to_owned(), |text, (old, new)| {
            changed(&text, &[old], &[new])
        });
        let found = errors("p.cuf", &text);
        let at: Vec<u32> = found.iter().map(|d| d.line).collect();
        assert_eq!(&at, lines, "{changes:?}\n{}", shown(&found));
    }
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    command.arg("check").args(arguments).current_dir(folder);
    command.output().unwrap()
}

#[test]
fn names_of_cudafor_have_their_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let text = "program p\n  implicit none\n  type(dim3) :: g\n  integer(cuda_stream_kind) :: s\n  integer :: i\n  real, device :: x\n  x = 1\n  i = cudaDeviceSynchronize()\nend program\n";
    fs::write(folder.path().join("p.cuf"), text).unwrap();
    let output = check(folder.path(), &["p.cuf"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("add `use cudafor`").count(), 3, "{said}");
}

#[test]
fn check_fix_changes_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.cuf");
    let text = PROGRAM
        .replacen(
            "    !device",
            "    i = threadIdx.x ! été\r\n    a(i) += 1",
            1,
        )
        .replacen("  !host", "  isat = cudaDeviceSynchronize()", 1);
    fs::write(&path, &text).unwrap();
    let before = check(folder.path(), &["p.cuf"]);
    let said = String::from_utf8_lossy(&before.stderr).into_owned();
    assert!(said.contains("2 messages have a safe fix"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let output = check(folder.path(), &["p.cuf", "--fix"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("p.cuf: 2 changes made"), "{said}");
    // What is only probable is left to the user.
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("did you mean `istat`?"), "{said}");
    let expected = text
        .replace("threadIdx.x", "threadIdx%x")
        .replace("a(i) += 1", "a(i) = a(i) + 1");
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn check_fix_respects_what_files_are() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = PROGRAM.replacen("    !device", "    i++", 1);
    fs::create_dir(at.join("real")).unwrap();
    fs::write(at.join("real/p.cuf"), &text).unwrap();
    fs::set_permissions(at.join("real/p.cuf"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/p.cuf", at.join("p.cuf")).unwrap();
    assert_eq!(check(at, &["p.cuf", "--fix"]).status.code(), Some(0));
    assert!(at.join("p.cuf").symlink_metadata().unwrap().is_symlink());
    let changed = fs::metadata(at.join("real/p.cuf")).unwrap();
    assert_eq!(changed.permissions().mode() & 0o777, 0o640);
    let read = fs::read_to_string(at.join("real/p.cuf")).unwrap();
    assert_eq!(read, text.replace("i++", "i = i + 1"));
    // A read-only file is left alone.
    fs::write(at.join("real/p.cuf"), &text).unwrap();
    fs::set_permissions(at.join("real/p.cuf"), fs::Permissions::from_mode(0o440)).unwrap();
    let output = check(at, &["p.cuf", "--fix"]);
    assert_eq!(output.status.code(), Some(4));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("cannot change p.cuf: it is read-only"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(at.join("real/p.cuf")).unwrap(), text);
}
