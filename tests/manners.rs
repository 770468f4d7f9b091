//! How the command behaves: mistyped words, explanations, completions, manual pages, the environment, tools, the order of options.

mod suite;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use cuf2cu::diag::codes;

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    for variable in ["CUF2CU_FC", "CUF2CU_CXX", "CUF2CU_CC", "CUF2CU_MPIFC"] {
        command.env_remove(variable);
    }
    command.current_dir(folder);
    command
}

fn cuf2cu(arguments: &[&str], folder: &Path) -> Output {
    command(folder).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const RIGHT: &str = "program p\n  print *, 'hello'\nend program\n";

/// A folder with a program in a.cuf.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.cuf"), RIGHT).unwrap();
    folder
}

#[test]
fn mistyped_commands_are_suggested() {
    let folder = workplace();
    let at = folder.path();
    let cases: [(&[&str], &str); 8] = [
        (&["chek", "a.cuf"], "`cuf2cu check`"),
        (&["biuld", "a.cuf", "--out", "x"], "`cuf2cu build`"),
        (&["Run", "a.cuf"], "`cuf2cu run`"),
        (&["exlpain", "301"], "`cuf2cu explain`"),
        (&["docter"], "`cuf2cu doctor`"),
        (&["cmake-modul"], "`cuf2cu cmake-module`"),
        (&["-q", "chek", "a.cuf"], "`cuf2cu check`"),
        (&["-I", ".", "check", "a.cuf"], "cuf2cu check ..."),
    ];
    for (arguments, text) in cases {
        let output = cuf2cu(arguments, at);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = said(&output);
        assert!(said.contains(text), "{arguments:?}: {said}");
        assert!(said.contains("no such"), "{arguments:?}: {said}");
    }
    let output = cuf2cu(&["modules", "cubals", "-o", "m"], at);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("did you mean `cublas`?"));
    // What is there is a source, and what looks like no command is a path.
    fs::create_dir(at.join("chek")).unwrap();
    fs::write(at.join("chek/a.cuf"), RIGHT).unwrap();
    assert!(cuf2cu(&["chek", "out"], at).status.success());
    let output = cuf2cu(&["solver", "out"], at);
    assert!(
        said(&output).contains("cannot read solver"),
        "{}",
        said(&output)
    );
}

#[test]
fn explanations_of_several_codes() {
    let folder = workplace();
    let at = folder.path();
    let whole = cuf2cu(&["explain", "CUF0301", "CUF0337"], at);
    assert!(whole.status.success());
    let text = shown(&whole);
    for part in ["CUF0301: ", "\nCUF0337: ", "Example (`-` wrong, `+` right)"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for names in [["301", "337"], ["cuf301", "0337"], ["CUF301", "cuf0337"]] {
        assert_eq!(
            shown(&cuf2cu(&[&["explain"][..], &names].concat(), at)),
            text
        );
    }
    // What there is comes, whatever else is asked for.
    let mixed = cuf2cu(&["explain", "9999", "301", "x7"], at);
    assert_eq!(mixed.status.code(), Some(2));
    assert!(shown(&mixed).starts_with("CUF0301: "));
    for name in ["no diagnostic 9999", "no diagnostic x7", "--list"] {
        assert!(said(&mixed).contains(name), "{}", said(&mixed));
    }
    let list = shown(&cuf2cu(&["explain", "--list"], at));
    let titles: Vec<(&str, &str)> = codes::all().map(|c| (c.code, c.title)).collect();
    assert_eq!(list.lines().count(), titles.len());
    for (line, (code, title)) in list.lines().zip(titles) {
        assert!(line.starts_with(code) && line.ends_with(title), "{line}");
    }
    assert_eq!(cuf2cu(&["explain"], at).status.code(), Some(2));
    // Every code has a wrong and a right example, but for files of any size and errors of cuf2cu itself.
    let all: Vec<&str> = list.lines().filter_map(|l| l.split(' ').next()).collect();
    let text = shown(&cuf2cu(&[&["explain"][..], &all].concat(), at));
    let of_codes: Vec<&str> = text.split("\nCUF").collect();
    assert_eq!(of_codes.len(), all.len());
    let without = of_codes
        .iter()
        .filter(|one| !one.contains("Example (`-` wrong, `+` right)"));
    let without: Vec<&str> = without
        .filter_map(|one| one.trim_start_matches("CUF").split(':').next())
        .collect();
    assert_eq!(without, ["0002", "0491", "0901", "0902"]);
}

/// The commands, as `--help` lists them.
fn commands(folder: &Path) -> Vec<String> {
    let help = shown(&cuf2cu(&["--help"], folder));
    let list = help.split("\nCommands:\n").nth(1).unwrap();
    let list = list.split("\n\n").next().unwrap();
    let names = list
        .lines()
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let names = names.filter_map(|l| l.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn completions_for_shells() {
    let folder = workplace();
    let at = folder.path();
    let commands = commands(at);
    assert!(commands.len() > 8, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = cuf2cu(&["completions", shell], at);
        assert!(output.status.success());
        let script = shown(&output);
        for word in commands.iter().map(String::as_str).chain(["error-format"]) {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    // The shell itself takes it.
    fs::write(
        at.join("script"),
        shown(&cuf2cu(&["completions", "bash"], at)),
    )
    .unwrap();
    let asked = "COMP_WORDS=(cuf2cu che) COMP_CWORD=1; . ./script; _cuf2cu cuf2cu che cuf2cu; echo ${COMPREPLY[@]}";
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", asked]).current_dir(at);
    let output = bash.output().unwrap();
    assert_eq!(shown(&output).trim(), "check", "{}", said(&output));
    assert_eq!(
        cuf2cu(&["completions", "command.com"], at).status.code(),
        Some(2)
    );
}

#[test]
fn manual_pages() {
    let folder = workplace();
    let at = folder.path();
    let output = cuf2cu(&["man", "new/man1"], at);
    assert!(output.status.success(), "{}", said(&output));
    let page = |name: &str| fs::read_to_string(at.join("new/man1").join(name)).unwrap();
    let first = page("cuf2cu.1");
    for part in [".TH cuf2cu 1", "CUF2CU_FC", "Exit status: 0 success"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    for command in commands(at).iter().filter(|c| *c != "help") {
        let page = page(&format!("cuf2cu-{command}.1"));
        let written = command.replace('-', "\\-");
        assert!(page.contains(&format!("cuf2cu\\-{written}")), "{page}");
    }
    assert!(page("cuf2cu-check.1").contains("fixed form"));
    assert_eq!(cuf2cu(&["man", "a.cuf/man1"], at).status.code(), Some(4));
}

/// Names in the sources between these words and a quote.
fn names_after(text: &str, before: &str) -> Vec<String> {
    let found = text.split(before).skip(1);
    let names = found.filter_map(|rest| rest.split_once('"').map(|(name, _)| name.to_owned()));
    let plain = |name: &String| {
        !name.is_empty()
            && name
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    };
    names.filter(plain).collect()
}

fn read_names(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_names(&path, found);
            continue;
        }
        if path.ends_with("tests.rs") {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let calls = ["var(\"", "var_os(\"", "getenv(\"", "set(\"", "wished(\""];
        for call in calls {
            found.extend(names_after(text, call));
        }
        // Names that go through a function or a list.
        found.extend(
            names_after(text, "\"CUF2CU_")
                .iter()
                .map(|n| format!("CUF2CU_{n}")),
        );
        found.extend(
            names_after(text, "\"CUDA_HOME")
                .iter()
                .map(|_| "CUDA_HOME".to_owned()),
        );
    }
}

#[test]
fn help_has_the_variables_of_the_environment() {
    let mut read = BTreeSet::new();
    read_names(&suite::root().join("src"), &mut read);
    read_names(&suite::root().join("runtime-headers"), &mut read);
    for known in [
        "CUF2CU_CXX",
        "CUF_CPU_THREADS",
        "CUF2CU_LEAKS",
        "MAKEFLAGS",
        "HOME",
    ] {
        assert!(read.contains(known), "{known} in {read:?}");
    }
    let help = shown(&cuf2cu(&["--help"], Path::new(".")));
    for name in read {
        assert!(help.contains(&format!("\n  {name} ")), "{name} in --help");
    }
}

/// A program that says what it is.
fn fake(folder: &Path, name: &str, script: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn doctor_goes_on_and_knows_words() {
    let folder = workplace();
    let at = folder.path();
    let tools = at.join("tools");
    fs::create_dir(&tools).unwrap();
    fake(&tools, "g++", "echo g++ one");
    fake(&tools, "gcc", "echo gcc two");
    fake(&tools, "ccache", "echo ccache with \"$@\"");
    fake(
        &tools,
        "nvidia-smi",
        "echo 'NVIDIA H100 80GB HBM3, 9.0'; echo 'NVIDIA A100, 8.0'",
    );
    let doctor = |variables: &[(&str, &str)]| {
        let mut command = command(at);
        command.arg("doctor").env("PATH", &tools);
        command.envs(variables.iter().copied()).output().unwrap()
    };
    let output = doctor(&[]);
    assert_eq!(output.status.code(), Some(3));
    let text = shown(&output);
    let line = |text: &str, name: &str| {
        let start = format!("{name} ");
        let lines = text.lines().filter(|l| l.starts_with(&start));
        lines.collect::<Vec<_>>().join("; ")
    };
    assert!(
        line(&text, "gfortran").contains("apt install gfortran"),
        "{text}"
    );
    assert!(line(&text, "g++").contains("(g++ one)"), "{text}");
    assert!(line(&text, "C").contains("(gcc two)"), "{text}");
    assert!(line(&text, "MPI").contains("mpifort"), "{text}");
    let gpus = line(&text, "GPU");
    assert!(gpus.contains("NVIDIA H100 80GB HBM3, sm_90"), "{text}");
    assert!(gpus.contains("NVIDIA A100, sm_80"), "{text}");
    // Several words, and a path with a blank in it.
    fs::create_dir(at.join("my tools")).unwrap();
    fake(&at.join("my tools"), "cc", "echo mine");
    let own = at.join("my tools/cc").display().to_string();
    let output = doctor(&[("CUF2CU_CXX", "ccache g++ '-DA=b c'"), ("CUF2CU_CC", &own)]);
    let text = shown(&output);
    assert!(
        line(&text, "g++").ends_with("(ccache with g++ -DA=b c --version)"),
        "{text}"
    );
    assert!(line(&text, "C").ends_with("(mine)"), "{text}");
}

#[test]
fn compilers_may_be_words() {
    let folder = workplace();
    let at = folder.path();
    fake(at, "launch", "exec \"$@\"");
    let kernel =
        "attributes(global) subroutine k(a)\n  integer :: a(*)\n  a(1) = 1\nend subroutine\n";
    fs::write(at.join("k.cuf"), kernel).unwrap();
    fs::write(at.join("c.c"), "int x;\n").unwrap();
    let launch = at.join("launch").display().to_string();
    let mut command = command(at);
    for (name, tool) in [
        ("CUF2CU_FC", "gfortran"),
        ("CUF2CU_CXX", "g++"),
        ("CUF2CU_CC", "gcc"),
    ] {
        command.env(name, format!("{launch} {tool}"));
    }
    let arguments = ["fc", "--target=cpu", "-dryrun", "-c"];
    let output = command
        .args(arguments)
        .args(["k.cuf", "c.c"])
        .output()
        .unwrap();
    let text = said(&output) + &shown(&output);
    assert!(output.status.success(), "{text}");
    for tool in ["gfortran", "g++", "gcc"] {
        assert!(
            text.contains(&format!("{launch} {tool} ")),
            "{tool}: {text}"
        );
    }
}

#[test]
fn options_stand_before_or_behind_sources() {
    let folder = workplace();
    let at = folder.path();
    let cases: [(&[&str], i32); 13] = [
        (&["--force", "a.cuf", "out1"], 0),
        (&["a.cuf", "--force", "out2"], 0),
        (&["a.cuf", "out3", "--force", "-I", "."], 0),
        (&["-q", "-I.", "a.cuf", "-DN=4", "out4", "-j1"], 0),
        (&["-q", "--target", "cpu", "a.cuf", "out5"], 0),
        (&["check", "-I", ".", "a.cuf"], 0),
        (&["check", "a.cuf", "-I", ".", "--deny", "warnings"], 0),
        (&["--error-format", "short", "check", "a.cuf"], 0),
        (&["-q", "--color=never", "check", "a.cuf"], 0),
        (&["explain", "301", "--error-format", "json", "302"], 0),
        // There are no compilers.
        (&["build", "--target", "cpu", "a.cuf", "-o", "x"], 3),
        (&["build", "a.cuf", "-o", "x", "--target", "cpu"], 3),
        (&["run", "a.cuf", "-O3", "--target=cpu", "--", "-O9"], 3),
    ];
    for (arguments, status) in cases {
        let mut command = command(at);
        let output = command
            .args(arguments)
            .env("PATH", "/nonexistent")
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {}",
            said(&output)
        );
    }
    for out in ["out1", "out2", "out3", "out4"] {
        assert!(at.join(out).join("a.f90").is_file(), "{out}");
    }
}
