//! The command line: exit statuses, messages, what is written, and that the output does not depend on threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn cuf2cu(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a correct program in src/a.cuf.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let program = "program p\n  print *, 'hello'\nend program p\n";
    fs::write(folder.path().join("src/a.cuf"), program).unwrap();
    folder
}

#[test]
fn wrong_requests_have_status_2_and_write_nothing() {
    let folder = workplace();
    let at = folder.path();
    fs::create_dir(at.join("empty")).unwrap();
    fs::create_dir(at.join("occupied")).unwrap();
    fs::write(at.join("occupied/mine.txt"), "mine").unwrap();
    fs::write(at.join("file"), "").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["src", "src"], "is the source folder"),
        (&["src", "src/out"], "inside the source folder"),
        (&["src", "."], "contains the source"),
        (&["nowhere", "out"], "cannot read nowhere"),
        (&["empty", "out"], "no Fortran source"),
        (&["src", "file"], "not a folder"),
        (&["src", "occupied"], "--force"),
        (&["src"], "2 values"),
        (&["explain", "CUF9999"], "no diagnostic"),
    ];
    for (arguments, text) in cases {
        let output = cuf2cu(arguments, at);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            message(&output).contains(text),
            "{arguments:?}: {}",
            message(&output)
        );
    }
    assert!(!at.join("out").exists());
    assert_eq!(fs::read_dir(at.join("occupied")).unwrap().count(), 1);
}

#[test]
fn bad_sources_have_status_1_and_write_nothing() {
    let folder = workplace();
    let at = folder.path();
    let kernel = "attributes(global) subroutine k(a)\n  integer :: a(*)\n  a(1) = 1\nend subroutine\n\
                  program p\n  integer, device :: a(3)\n  call k<<<1, 1>>>(a)\nend program\n";
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty.cuf", b"", "CUF0003"),
        ("binary.cuf", b"\x7fELF\0\0\0\0", "CUF0002"),
        ("text.cuf", b"Dear reader, this is a letter.\n", "CUF0101"),
        ("kernel.cuf", kernel.as_bytes(), "kernel.cuf:7:"),
    ];
    for (name, contents, text) in cases {
        fs::write(at.join(name), contents).unwrap();
        let output = cuf2cu(&[name, "out", "--error-format", "short"], at);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{name}: {}",
            message(&output)
        );
        assert!(
            message(&output).contains(text),
            "{name}: {}",
            message(&output)
        );
        assert!(!at.join("out").exists(), "{name}");
    }
}

#[test]
fn missing_tools_have_status_3() {
    let folder = workplace();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    command
        .args(["run", "src"])
        .current_dir(folder.path())
        .env("PATH", "/nonexistent");
    let output = command.env_remove("CUF2CU_FC").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        message(&output).contains("gfortran"),
        "{}",
        message(&output)
    );
}

/// All files below a folder, with their contents.
fn tree(folder: &Path, below: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder.join(below)).unwrap() {
        let entry = entry.unwrap();
        let path = below.join(entry.file_name());
        if entry.path().is_dir() {
            tree(folder, &path, files);
        } else {
            files.insert(path, fs::read(entry.path()).unwrap());
        }
    }
}

#[test]
fn output_does_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/08_particles");
    let sources = sources.display().to_string();
    let mut first = None;
    for (index, jobs) in ["1", "8", "1", "8"].into_iter().enumerate() {
        let out = format!("out{index}");
        let output = cuf2cu(&[&sources, &out, "-j", jobs], folder.path());
        assert!(output.status.success(), "{}", message(&output));
        let mut files = BTreeMap::new();
        tree(&folder.path().join(out), Path::new(""), &mut files);
        assert!(files.contains_key(Path::new("Makefile")));
        assert_eq!(*first.get_or_insert(files.clone()), files);
    }
}
