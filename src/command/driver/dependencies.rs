//! What an object depends on besides its source: files that are included, modules that others have compiled.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// The files that a compiler has listed (`-MMD`) as a rule of make, without those below `known`, which do not change.
pub fn listed(rules: &Path, known: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(rules).unwrap_or_default();
    // Of the rule `target: file file`, whose lines end with backslashes.
    let text = text.replace("\\\n", " ");
    let files = text.split_once(": ").map_or("", |(_, files)| files);
    let mut found = Vec::new();
    let mut word = String::new();
    let mut escaped = false;
    for c in files.chars().chain([' ']) {
        match c {
            '\\' if !escaped => escaped = true,
            c if c.is_whitespace() && !escaped => {
                if !word.is_empty() {
                    found.push(PathBuf::from(std::mem::take(&mut word)));
                }
            }
            c => {
                if escaped && !c.is_whitespace() && c != '#' {
                    word.push('\\');
                }
                word.push(c);
                escaped = false;
            }
        }
    }
    found.retain(|f| !f.starts_with(known));
    found
}

/// What these files hold now.
pub fn contents(files: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in files {
        (file, fs::read(file).ok()).hash(&mut hasher);
    }
    hasher.finish()
}

/// The files that a Fortran source includes, and those that they include, as far as they are beside the including file or in one of `folders`.
pub fn included(source: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![source.to_path_buf()];
    while let Some(file) = open.pop() {
        let text = fs::read(&file).unwrap_or_default();
        let beside = file.parent().map(Path::to_path_buf);
        for name in names(&String::from_utf8_lossy(&text)) {
            let places = beside.iter().chain(folders);
            let mut there = places.map(|f| f.join(name)).filter(|p| p.is_file());
            open.extend(there.next().filter(|p| found.insert(p.clone())));
        }
    }
    found.into_iter().collect()
}

/// The names in `include 'name'`, `#include "name"` and `#include <name>`.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix('#').map_or(line, str::trim_start);
        let (word, rest) = line.split_at_checked("include".len())?;
        let rest = rest.trim_start();
        let open = rest.chars().next()?;
        let close = match open {
            '<' => '>',
            '"' | '\'' => open,
            _ => return None,
        };
        let name = rest[1..].split(close).next()?;
        word.eq_ignore_ascii_case("include").then_some(name)
    })
}

/// The modules that others have compiled into these folders, by their times.
pub fn modules(folders: &[PathBuf]) -> u64 {
    let mut found = BTreeSet::new();
    for folder in folders {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let time = entry.metadata().and_then(|i| i.modified());
            if path.extension().is_some_and(|e| e == "mod" || e == "smod") {
                found.insert((path, time.ok()));
            }
        }
    }
    let mut hasher = DefaultHasher::new();
    found.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_compilers() {
        let folder = tempfile::tempdir().unwrap();
        let rules = folder.path().join("a.d");
        fs::write(&rules, "a.o: b\\ c.cpp \\\n /run/x.hpp d$.h \\\n e\\#.h\n").unwrap();
        let files = listed(&rules, Path::new("/run"));
        let files: Vec<&str> = files.iter().filter_map(|f| f.to_str()).collect();
        assert_eq!(files, ["b c.cpp", "d$.h", "e#.h"]);
    }

    #[test]
    fn included_files_are_found() {
        let text = "  include 'a.inc'\n#include \"b.h\"\n# include <c.h>\n include = 3\n";
        assert_eq!(names(text).collect::<Vec<_>>(), ["a.inc", "b.h", "c.h"]);
    }
}
