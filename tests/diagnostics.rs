//! The registry of diagnostics (`src/translation/diag/codes/`): every code that the sources name is in it, every example does what it says,
//! every code has a program that gives it, and the documents made from it are as they stand. After a change of the registry or of
//! the conformance programs: `UPDATE_DOCS=1 cargo test --test diagnostics`.

mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cuf2cu::diag::Severity;
use cuf2cu::diag::codes::{self, Code, Group, Level};
use cuf2cu::translate::{Dialect, SourceInput, TranslateOptions, Translation, translate};
use suite::Expect;

/// Codes that no few lines can give, and where the test is that gives them.
const WITHOUT_EXAMPLE: [(&str, &str); 4] = [
    // A byte that no document holds.
    ("CUF0002", "tests/bad_input.rs"),
    // Of CUDA C++, which is not translated with Fortran.
    ("CUF0491", "tests/own_cuda.rs"),
    // What it reports must not happen: the test breaks the text written.
    ("CUF0901", "src/translation/host/output/verify.rs"),
    ("CUF0902", "src/translation/pipeline/verify.rs"),
];

/// The file may include itself.
fn translated(text: &str) -> Translation {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("example.CUF");
    if text.contains("#include") {
        fs::write(&path, text).unwrap();
    }
    let input = SourceInput {
        path,
        relative: PathBuf::from("example.CUF"),
        bytes: text.as_bytes().to_vec(),
    };
    let options = TranslateOptions {
        openmp: true,
        dialect: Dialect {
            openacc: ["!$acc", "!$cuf loop", "!$cuf atomic", "> gang"]
                .iter()
                .any(|d| text.contains(d)),
            ..Dialect::default()
        },
        includes: cuf2cu::driver::inputs::INCLUDES,
        ..TranslateOptions::default()
    };
    translate(vec![input], &options)
}

fn read(path: impl AsRef<Path>) -> String {
    let path = suite::root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn shown(t: &Translation) -> String {
    let lines = t
        .diagnostics
        .iter()
        .map(|d| format!("  {} line {}: {}", d.code, d.line, d.message));
    lines.collect::<Vec<_>>().join("\n")
}

/// The codes that stand in string literals of the sources outside of the registry.
fn codes_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("diag/codes") {
                codes_in(&path, found);
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            // Unit tests show made-up diagnostics.
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            let literals = text
                .split("\"CUF")
                .skip(1)
                .filter_map(|rest| rest.split_once('"'));
            let numbers = literals
                .map(|(number, _)| number)
                .filter(|n| n.len() == 4 && n.bytes().all(|b| b.is_ascii_digit()));
            found.extend(numbers.map(|number| format!("CUF{number}")));
        }
    }
}

#[test]
fn the_registry_has_the_codes_of_the_sources() {
    let mut used = BTreeSet::new();
    codes_in(&suite::root().join("src"), &mut used);
    let known: BTreeSet<String> = codes::all().map(|c| c.code.to_owned()).collect();
    assert_eq!(used, known, "left: in src/, right: in the registry");
}

#[test]
fn wrong_examples_give_their_code_alone_and_right_ones_pass() {
    let mut faults = Vec::new();
    for c in codes::all() {
        let (Some(wrong), Some(right)) = (c.wrong(), c.right()) else {
            continue;
        };
        let w = translated(&wrong);
        let fits = |severity| match c.level {
            Level::Error => severity == Severity::Error,
            Level::Warning => severity == Severity::Warning,
            Level::Either => true,
        };
        let as_said = |d: &cuf2cu::diag::Diagnostic| d.code == c.code && fits(d.severity);
        if w.diagnostics.is_empty() || !w.diagnostics.iter().all(as_said) {
            faults.push(format!("{}, the wrong one gives\n{}", c.code, shown(&w)));
        }
        if w.has_errors() && !w.files.is_empty() {
            faults.push(format!("{}, the wrong one has an output", c.code));
        }
        let r = translated(&right);
        if !r.diagnostics.is_empty() || r.files.is_empty() {
            faults.push(format!("{}, the right one gives\n{}", c.code, shown(&r)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The conformance programs that must be refused, by the codes of their errors, as `area/name`.
fn programs_by_code() -> BTreeMap<&'static str, Vec<String>> {
    let mut found: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let refused = suite::programs();
    let refused = refused
        .iter()
        .filter(|p| matches!(p.expect, Expect::Diagnostic { .. }));
    for p in refused {
        let (_, t) = p
            .translate()
            .unwrap_or_else(|o| panic!("{}: {o:?}", p.name));
        for d in &t.diagnostics {
            let c = codes::find(d.code);
            let level = c.unwrap_or_else(|| panic!("{} is unknown", d.code)).level;
            let allowed = match d.severity {
                Severity::Error => level != Level::Warning,
                Severity::Warning => level != Level::Error,
            };
            assert!(allowed, "{}: {} as {:?}", p.name, d.code, d.severity);
            let programs = found.entry(d.code).or_default();
            if d.severity == Severity::Error && !programs.contains(&p.name) {
                programs.push(p.name.clone());
            }
        }
    }
    found
}

#[test]
fn every_code_has_a_program() {
    let without: Vec<&str> = codes::all()
        .filter(|c| c.example.is_none())
        .map(|c| c.code)
        .collect();
    let listed: Vec<&str> = WITHOUT_EXAMPLE.iter().map(|(code, _)| *code).collect();
    assert_eq!(without, listed, "codes without an example");
    for (code, test) in WITHOUT_EXAMPLE {
        assert!(read(test).contains(code), "{test} does not test {code}");
    }
    let programs = programs_by_code();
    // An example shows the code; that the rule holds is what conformance programs are for.
    let untested: Vec<&str> = codes::all()
        .filter(|c| c.rule.is_some() && c.level != Level::Warning)
        .map(|c| c.code)
        .filter(|c| !programs.contains_key(c))
        .collect();
    assert!(
        untested.is_empty(),
        "rules without a program in tests/conformance: {untested:?}"
    );
}

#[test]
fn files_that_include_themselves_or_grow_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("self.CUF");
    fs::write(&path, "#include \"self.CUF\"\n").unwrap();
    let input = SourceInput {
        relative: PathBuf::from("self.CUF"),
        bytes: fs::read(&path).unwrap(),
        path,
    };
    let options = TranslateOptions {
        includes: cuf2cu::driver::inputs::INCLUDES,
        ..TranslateOptions::default()
    };
    let found = translate(vec![input], &options);
    assert!(found.diagnostics.iter().any(|d| d.code == "CUF0006"));

    // Every macro is ten times the one before.
    let mut text = String::from("#define a0 xxxxxxxxxx\n");
    for n in 1..12 {
        let _ = writeln!(text, "#define a{n} {}", format!("a{} ", n - 1).repeat(10));
    }
    text.push_str("program p\na11\nend program\n");
    let found = translated(&text);
    assert!(
        found.diagnostics.iter().any(|d| d.code == "CUF0007"),
        "{}",
        shown(&found)
    );
}

/// Compares a document with the one that the registry makes, or writes it.
fn document(path: &str, made: &str) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(suite::root().join(path), made).unwrap();
    }
    assert!(
        read(path) == made,
        "{path} is not as the registry has it: UPDATE_DOCS=1 cargo test --test diagnostics"
    );
}

#[test]
fn diagnostics_md_is_made_from_the_registry() {
    let mut out = String::from(
        "# Diagnostics\n\nMade from the registry of codes, `src/translation/diag/codes/`, as is the text of `cuf2cu explain CODE`. \
00xx: reading the file; 01xx: syntax; 02xx: names,\ndeclarations and types; 03xx: rules of CUDA Fortran; 04xx: legal, or \
possibly legal, but not translated. In the examples, lines with `-` are wrong\nand lines with `+` right.\n",
    );
    for c in codes::all() {
        let _ = write!(out, "\n## {}: {}\n{}\n", c.code, c.title, c.text);
        match c.level {
            Level::Error => {}
            Level::Warning => out.push_str("\nA warning.\n"),
            Level::Either => out.push_str("\nAn error, or a warning where it does no harm.\n"),
        }
        if let Some(sections) = c.guide_sections() {
            let _ = write!(out, "\nCUDA Fortran guide: {sections}\n");
        }
        if let Some(example) = c.example {
            let _ = write!(out, "\n```diff{}```\n", example);
        }
    }
    document("docs/diagnostics.md", &out);
}

fn heading(group: Group) -> &'static str {
    match group {
        Group::Subprograms => "Subprograms (2.5, 3.1)",
        Group::Variables => "Variables (2.6, 3.2)",
        Group::Transfers => "Transfers and host expressions (2.7, 3.4)",
        Group::Launches => "Launches (2.7, 3.5)",
        Group::DeviceCode => "Device code (3.6)",
        Group::Standard => "Standard Fortran in device code and CUF loops (F2018)",
        Group::CufLoops => "CUF loops (2.11.2)",
        Group::Runtime => "Runtime procedures (4)",
    }
}

#[test]
fn restrictions_md_is_made_from_the_registry() {
    let programs = programs_by_code();
    let mut rules: Vec<(&Code, codes::Rule)> = codes::all()
        .filter_map(|c| c.rule.map(|r| (c, r)))
        .collect();
    rules.sort_by_key(|(c, r)| (r.group, c.code));
    let mut out = String::from(
        "# Restrictions of CUDA Fortran and their diagnostics\n\nEvery restriction of the guide's chapters 2 and 3, with the code \
that reports it and the programs of `tests/conformance` (without area: `diagnostics`)\nthat must be refused with it. `D23` stands \
for entry 23 of [decisions.md](decisions.md): a rule that the guide leaves open. Recursion in device code\n(3.6.6) is accepted \
(D9). No Fortran compiler sees device code, so the rules of the standard are checked there, too (D105).\nMade from the registry of \
codes, `src/translation/diag/codes/`, and the programs.\n",
    );
    let mut group = None;
    for (c, r) in rules {
        if group != Some(r.group) {
            group = Some(r.group);
            let source = match r.group {
                Group::Standard => "Clause",
                _ => "Guide",
            };
            let _ = write!(
                out,
                "\n## {}\n\n| {source} | Restriction | Code | Programs |\n|---|---|---|---|\n",
                heading(r.group)
            );
        }
        let list: Vec<&str> = programs
            .get(c.code)
            .into_iter()
            .flatten()
            .map(|p| p.strip_prefix("diagnostics/").unwrap_or(p))
            .collect();
        let list = match list.is_empty() {
            true => "a warning: see the example of the code".to_owned(),
            false => list.join(", "),
        };
        let _ = writeln!(out, "| {} | {} | {} | {list} |", r.source, r.text, c.code);
    }
    document("docs/restrictions.md", &out);
}
