//! What cargo would publish holds all that compiling it needs. (`scripts/package crates` compiles it.)

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a package, with `/`.
fn packaged(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "package",
            "--list",
            "--offline",
            "--allow-dirty",
            "-p",
            package,
        ])
        .current_dir(root())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let list = String::from_utf8(output.stdout).unwrap();
    list.lines().map(|l| l.replace('\\', "/")).collect()
}

/// The files below a folder of the repository, as paths in it.
fn files(folder: &str, out: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().display());
        match entry.path().is_dir() {
            true => files(&path, out),
            false => out.push(path),
        }
    }
}

/// The files that a source takes in by `include_str!`, as paths in the repository.
fn included(source: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(source)).unwrap();
    let named = text.split("include_str!(\"").skip(1);
    let named = named.filter_map(|rest| rest.split_once('"').map(|(path, _)| path.to_owned()));
    let folder = Path::new(source).parent().unwrap();
    let resolved = named.map(|path| {
        let mut parts: Vec<&str> = folder.iter().map(|p| p.to_str().unwrap()).collect();
        for part in path.split('/') {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    });
    resolved.collect()
}

#[test]
fn the_package_holds_what_the_command_is_made_of() {
    let there = packaged("cuf2cu");
    let mut wanted = vec!["build.rs".to_owned(), "askama.toml".to_owned()];
    files("src", &mut wanted);
    files("templates", &mut wanted);
    files("runtime-headers", &mut wanted);
    wanted.retain(|p| {
        !p.starts_with("runtime-headers/tests/") && !p.starts_with("runtime-headers/bench/")
    });
    let sources: Vec<String> = wanted
        .iter()
        .filter(|p| p.ends_with(".rs"))
        .cloned()
        .collect();
    let taken_in: Vec<String> = sources.iter().flat_map(|s| included(s)).collect();
    assert!(
        taken_in.iter().any(|p| p == "docs/flags.md"),
        "{taken_in:?}"
    );
    wanted.extend(taken_in);
    let missing: Vec<&String> = wanted.iter().filter(|p| !there.contains(*p)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let odd = |p: &&String| {
        ["tests/", "benches/", "samples/", "scripts/"]
            .iter()
            .any(|f| p.starts_with(f))
    };
    let odd: Vec<&String> = there.iter().filter(odd).collect();
    assert!(odd.is_empty(), "{odd:?}");
}

#[test]
fn the_package_of_the_grammar_holds_what_generates_the_parser() {
    let there = packaged("tree-sitter-cuda-fortran");
    for wanted in [
        "build.rs",
        "overlay.rs",
        "overlay_fortran.rs",
        "src/lib.rs",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ] {
        assert!(there.contains(wanted), "{wanted}: {there:?}");
    }
}

/// cargo takes a path alone for a dependency that others could not have.
#[test]
fn the_grammar_is_asked_for_by_its_version() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let value = |key: &str| {
        let line = manifest.lines().find(|l| l.starts_with(key)).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    assert_eq!(
        value("tree-sitter-cuda-fortran = { version ="),
        value("version =")
    );
}
