//! The usual settings: two or three macros that choose precision, layout, or the size of blocks. What is `must` builds from one translation,
//! and prints what gfortran prints; what is `may` does that or stops with a message of cuf2cu.
//!
//! A project is a file of the folder `usual`: lines `translated: MACROS`, each with builds behind it (`must: MACROS`, `may: MACROS`, with
//! `flags`, `fc` or `cmake` before the colon for other ways than `make MACROS=`), then the files, each behind a line `==> NAME <==`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::project::{File, Project};
use crate::run::{Build, Case, Runner, Verdict};
use crate::suite;

struct Usual {
    name: String,
    project: Project,
    /// Macros of the translation, then builds, with whether they must succeed.
    settings: Vec<(String, Vec<(Build, bool)>)>,
}

/// All projects whose names contain `MACRO_SETTINGS_USUAL`.
fn all() -> Vec<Usual> {
    let folder = suite::root().join("tests/macro_settings/usual");
    let part = std::env::var("MACRO_SETTINGS_USUAL").unwrap_or_default();
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if name.contains(&part) {
            let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
            out.push(usual(name.into_owned(), &text));
        }
    }
    out
}

fn usual(name: String, text: &str) -> Usual {
    let mut settings: Vec<(String, Vec<(Build, bool)>)> = Vec::new();
    let mut files: Vec<File> = Vec::new();
    for line in text.lines() {
        let heading = line
            .strip_prefix("==> ")
            .and_then(|l| l.strip_suffix(" <=="));
        match (heading, files.last_mut()) {
            (Some(name), _) => files.push(File {
                name: name.to_owned(),
                fixed: name.ends_with(".F"),
                lines: Vec::new(),
            }),
            (None, Some(file)) => file.lines.push(line.to_owned()),
            (None, None) => setting(line, &mut settings)
                .unwrap_or_else(|| panic!("usual {name}: not a setting: {line}")),
        }
    }
    Usual {
        name,
        project: Project {
            files,
            hidden: Vec::new(),
        },
        settings,
    }
}

/// Reads a line about settings.
fn setting(line: &str, settings: &mut Vec<(String, Vec<(Build, bool)>)>) -> Option<()> {
    let (words, macros) = line.split_once(':')?;
    let macros = macros.trim();
    if words == "translated" {
        settings.push((macros.to_owned(), Vec::new()));
        return Some(());
    }
    let (word, how) = words.split_once(' ').unwrap_or((words, "make"));
    let build = match how {
        "make" => Build::Macros(macros.to_owned()),
        "flags" => Build::Flags(macros.to_owned()),
        "cmake" => Build::CMake(macros.parse().ok()?),
        "fc" => Build::Files(macros.split('|').map(|m| m.trim().to_owned()).collect()),
        _ => return None,
    };
    settings.last_mut()?.1.push((build, word == "must"));
    (word == "must" || word == "may").then_some(())
}

/// How many settings the list has.
pub fn settings() -> usize {
    let all = all();
    let translations = all.iter().flat_map(|u| &u.settings);
    translations.map(|(_, builds)| builds.len()).sum()
}

/// Runs the list; what failed.
pub fn run(runner: &Runner, folder: &Path, jobs: usize) -> Vec<String> {
    let projects = all();
    let mut all = Vec::new();
    for usual in &projects {
        for (index, (translation, builds)) in usual.settings.iter().enumerate() {
            let place = folder.join(format!("{}{index}", usual.name));
            all.push((usual, translation, builds, place));
        }
    }
    let failures = suite::for_each(&all, jobs, |(usual, translation, builds, place)| {
        let case = Case {
            seed: 0,
            project: usual.project.clone(),
            translation: (*translation).clone(),
            builds: builds.iter().map(|(build, _)| build.clone()).collect(),
        };
        let findings = match runner.run(&case, place) {
            Ok(findings) => findings,
            Err(text) => return vec![format!("usual {}: {text}", usual.name)],
        };
        let failed = findings.iter().zip(*builds).filter(|(f, (_, must))| {
            f.verdict != Verdict::Right && (*must || f.verdict != Verdict::Stopped)
        });
        failed
            .map(|(f, _)| {
                let shown = f.build.shown();
                format!(
                    "usual {}: {}: translated with {translation:?}, then {shown}\n{}",
                    usual.name,
                    f.verdict.words(),
                    f.detail
                )
            })
            .collect()
    });
    failures.concat()
}
