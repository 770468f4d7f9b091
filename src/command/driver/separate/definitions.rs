//! Definitions of external procedures that other sources hold. An interface body may give an array assumed shape where the definition has
//! a shape of its own (CUF0216): a file that is compiled by itself learns of that by looking at the sources beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::super::{inputs, read_source};
use super::{relative, same_file};
use crate::translate::{DefinedDummies, Sequences, SourceInput, TranslateOptions, sequences_of};

/// How the sources in the folder of `source`, read with its options, define the external procedures `names`. What two of them define in
/// different ways is left out: nobody knows which is meant.
pub fn beside(source: &Path, names: &BTreeSet<String>, options: &TranslateOptions) -> Sequences {
    if names.is_empty() {
        return Sequences::new();
    }
    let files = candidates(source, names);
    let mut found: BTreeMap<&String, BTreeSet<DefinedDummies>> = BTreeMap::new();
    for mut of_file in sequences_of(&files, options) {
        for name in names {
            if let Some(known) = of_file.remove(name) {
                found.entry(name).or_default().insert(known);
            }
        }
    }
    let one = |(name, all): (&String, BTreeSet<DefinedDummies>)| match all.len() {
        1 => Some((name.clone(), all.into_iter().next()?)),
        _ => None,
    };
    found.into_iter().filter_map(one).collect()
}

/// The sources that may define one of the procedures, or make its name by a macro.
fn candidates(source: &Path, names: &BTreeSet<String>) -> Vec<SourceInput> {
    let parent = source.parent().filter(|p| !p.as_os_str().is_empty());
    let entries = fs::read_dir(parent.unwrap_or(Path::new("."))).into_iter();
    let paths = entries.flatten().flatten().map(|e| e.path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|p| inputs::is_fortran(p) && !same_file(p, source))
        .collect();
    paths.sort();
    let pasted = |text: &str| text.contains("##") || text.contains("/**/");
    let input = |path: PathBuf| {
        let bytes = read_source::source(&path).ok()?;
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        (pasted(&text) || has_procedure(&text, names)).then(|| SourceInput {
            relative: relative(&path, &[]),
            path,
            bytes,
        })
    };
    paths.into_iter().filter_map(input).collect()
}

/// Whether the text, in lower case, has one of the names behind the word for a procedure.
fn has_procedure(text: &str, names: &BTreeSet<String>) -> bool {
    let follows = |at: usize| {
        let rest = text[at..].trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        names.contains(&rest[..end.unwrap_or(rest.len())])
    };
    ["subroutine", "function"].iter().any(|word| {
        let mut places = text.match_indices(word);
        places.any(|(at, word)| follows(at + word.len()))
    })
}
