//! The documents: links lead somewhere, the book has every page, the language reference names what is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cuf2cu::diag::codes;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The documents for people: those at the top, of docs/, samples/ and tests/conformance/.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [
        "",
        "docs",
        "docs/decisions",
        "docs/tutorial",
        "samples",
        "tests/conformance",
    ] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 15);
    found
}

/// Indented lines are code, but for the items of lists within lists.
fn is_code(line: &str) -> bool {
    line.starts_with("    ") && !line.trim_start().starts_with("- ")
}

/// The lines of a document outside of code, with code among words blanked.
fn prose(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !is_code(line) {
            let parts = line.split('`').enumerate();
            lines.push(
                parts
                    .map(|(i, p)| if i % 2 == 0 { p } else { "" })
                    .collect(),
            );
        } else {
            lines.push(String::new());
        }
    }
    lines
}

/// Where the links of a document lead, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    for (n, line) in prose(text).iter().enumerate() {
        for part in line.split("](").skip(1) {
            if let Some((to, _)) = part.split_once(')') {
                out.push((n + 1, to.to_owned()));
            }
        }
    }
    out
}

/// The names that a document's headings can be linked by, as mdBook and GitHub make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let heading = line.trim_start_matches('#');
        if !fenced && heading.len() < line.len() && heading.starts_with(' ') {
            let kept = heading.trim().chars().filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                c => c.is_alphanumeric().then(|| c.to_ascii_lowercase()),
            });
            found.insert(kept.collect());
        }
    }
    found
}

/// Why a link of a document leads nowhere.
fn dead(document: &Path, text: &str, to: &str) -> Option<String> {
    if ["https://", "http://", "mailto:"]
        .iter()
        .any(|p| to.starts_with(p))
    {
        return None;
    }
    let (path, anchor) = to.split_once('#').unwrap_or((to, ""));
    let target = match path {
        "" => document.to_owned(),
        _ => document.parent()?.join(path),
    };
    if !target.exists() && !is_page_of_a_step(&target) {
        return Some(format!("{to}: no such file"));
    }
    let there = match path {
        "" => text.to_owned(),
        _ if anchor.is_empty() => return None,
        _ => fs::read_to_string(&target).unwrap_or_default(),
    };
    (!anchors(&there).contains(anchor)).then(|| format!("{to}: no such heading"))
}

/// A page that scripts/book makes of a program of the tutorial.
fn is_page_of_a_step(target: &Path) -> bool {
    let folder = root().join("docs/tutorial/pages");
    let name = target.file_stem().unwrap_or_default().to_string_lossy();
    let steps = root().join("samples/tutorial");
    target == folder.join(format!("{name}.html"))
        && (steps.join(&*name).is_dir() || steps.join(format!("{name}.cuf")).is_file())
}

#[test]
fn links_lead_somewhere() {
    let mut faults = Vec::new();
    let mut count = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        for (line, to) in links(&text) {
            count += 1;
            let why = dead(&path, &text, &to);
            faults.extend(why.map(|w| format!("{}:{line}: {w}", path.display())));
        }
    }
    assert!(count > 30, "{count}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The README is for newcomers: short, readable in a terminal, and its counts are those of the repository.
#[test]
fn the_readme_is_short_and_true() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() <= 130, "{} lines", lines.len());
    let long = lines.iter().filter(|l| l.chars().count() > 120);
    assert_eq!(long.collect::<Vec<_>>(), Vec::<&&str>::new());
    let number_before = |words: &str| -> usize {
        let joined = lines.join(" ");
        let (before, _) = joined.split_once(words).expect(words);
        let number = before.rsplit(' ').next().unwrap_or_default();
        number.replace(',', "").parse().expect(words)
    };
    let passed = fs::read_to_string(root().join("tests/gpu-passed.txt")).unwrap();
    let passed = passed.lines().filter(|l| !l.starts_with('#')).count();
    assert_eq!(number_before(" are recorded as passed on a GPU"), passed);
    let programs = conformance_programs(&root().join("tests/conformance"));
    let claimed = number_before(" programs that check themselves");
    assert!(programs.abs_diff(claimed) * 20 < claimed, "{programs}");
}

/// How many programs of a folder have the header of a conformance program.
fn conformance_programs(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let count = |path: PathBuf| {
        if path.is_dir() {
            return conformance_programs(&path);
        }
        let text = fs::read(&path).unwrap();
        usize::from(text.windows(14).any(|w| w == b"! conformance:"))
    };
    entries.map(count).sum()
}

#[test]
fn dead_links_are_found() {
    let here = root().join("docs/start.md");
    let text =
        "# One thing\n[a](reading.md) [b](nowhere.md) `[c](code.md)` [d](#one-thing) [e](#two)\n";
    let found: Vec<String> = links(text).into_iter().map(|(_, to)| to).collect();
    assert_eq!(found, ["reading.md", "nowhere.md", "#one-thing", "#two"]);
    let dead: Vec<bool> = found
        .iter()
        .map(|to| dead(&here, text, to).is_some())
        .collect();
    assert_eq!(dead, [false, true, false, true]);
}

/// What a page includes is there, and every program of the tutorial is shown whole by its page, and by no other.
#[test]
fn the_tutorial_shows_its_programs() {
    let folder = root().join("docs/tutorial");
    let mut shown = BTreeSet::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let page = format!(
            "](pages/{}.html)",
            path.file_stem().unwrap().to_string_lossy()
        );
        let is_step = text.contains("{{#include ");
        assert_eq!(text.contains(&page), is_step, "{}", path.display());
        for part in text.split("{{#include ").skip(1) {
            let to = part.split("}}").next().unwrap();
            let path = fs::canonicalize(folder.join(to)).unwrap_or_else(|e| panic!("{to}: {e}"));
            assert!(shown.insert(path), "{to} twice");
        }
    }
    let mut programs = BTreeSet::new();
    for place in ["samples/tutorial", "samples/tutorial/07_files"] {
        for entry in fs::read_dir(root().join(place)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                programs.insert(fs::canonicalize(path).unwrap());
            }
        }
    }
    assert_eq!(shown, programs);
}

/// mdBook leaves out what the summary does not name.
#[test]
fn the_book_has_every_page() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<String> = links(&summary).into_iter().map(|(_, to)| to).collect();
    let pages_in = |folder: &str| -> Vec<String> {
        let entries = fs::read_dir(docs.join(folder)).unwrap();
        let names = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
        let pages = names.filter(|n| n.ends_with(".md") && n != "SUMMARY.md");
        pages.map(|n| format!("{folder}{n}")).collect()
    };
    let pages: BTreeSet<String> = [pages_in(""), pages_in("decisions/"), pages_in("tutorial/")]
        .concat()
        .into_iter()
        .collect();
    assert_eq!(listed, pages);
}

/// Each decision has a number of its own, a title, and a source; the index is what `scripts/decisions` makes.
#[test]
fn decisions_are_indexed() {
    let mut command = std::process::Command::new(root().join("scripts/decisions"));
    let done = command.arg("--check").output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
}

/// Programs (`area/name`) and codes of the language reference and the device library exist.
#[test]
fn the_language_reference_names_what_is_there() {
    let conformance = root().join("tests/conformance");
    let mut areas = BTreeSet::new();
    let mut programs = BTreeSet::new();
    for area in fs::read_dir(&conformance).unwrap() {
        let area = area.unwrap();
        let name = area.file_name().into_string().unwrap();
        if area.path().is_dir() {
            for program in fs::read_dir(area.path()).unwrap() {
                let path = program.unwrap().path();
                let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
                programs.insert(format!("{name}/{stem}"));
            }
            areas.insert(name);
        }
    }
    let known: BTreeSet<&str> = codes::all().map(|c| c.code).collect();
    let word = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/'));
    let mut named = 0;
    let mut missing = Vec::new();
    for page in ["language.md", "device-library.md"] {
        let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
        for w in text.split(word) {
            let is_program = w.split_once('/').is_some_and(|(a, _)| areas.contains(a));
            let is_code = w.starts_with("CUF0");
            named += usize::from(is_program || is_code);
            if (is_program
                && w.split_once('/').is_some_and(|(_, n)| !n.is_empty())
                && !programs.contains(w))
                || (is_code && !known.contains(w))
            {
                missing.push(format!("{page}: {w}"));
            }
        }
    }
    assert!(named > 100, "{named}");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
