//! Modules of libraries, which join the files of a program that uses them.

use std::collections::BTreeSet;
use std::path::Path;

use super::parsed::{Parsed, parse};
use super::{LIBRARIES, PipelineOptions, SourceFile, names};
use crate::{libraries, source};

/// The modules of libraries that the program uses and does not define, which join the files.
pub(super) fn library_modules(
    parsed: &[Parsed],
    files: &mut Vec<SourceFile>,
    manner: PipelineOptions,
) -> Vec<(usize, Parsed)> {
    let graph: Vec<_> = parsed
        .iter()
        .map(|p| names::module_graph(&p.tree))
        .collect();
    let defined: BTreeSet<&str> = (graph.iter())
        .flat_map(|(provides, ..)| provides.iter().map(String::as_str))
        .collect();
    let used: BTreeSet<&str> = (graph.iter())
        .flat_map(|(_, uses, _)| uses.iter().map(String::as_str))
        .filter(|m| !defined.contains(m))
        .collect();
    if libraries::needed(&used).is_empty() {
        return Vec::new();
    }
    let mut words = BTreeSet::new();
    for p in parsed {
        words.extend(libraries::words(&p.source.text).map(str::to_ascii_lowercase));
        for line in p.source.own_lines().filter(|_| manner.wider_libraries) {
            words.extend(libraries::words(line).map(str::to_ascii_lowercase));
        }
    }
    let mut out = Vec::new();
    for (module, text) in libraries::sources(&used, Some(&words)) {
        let path = Path::new(LIBRARIES).join(format!("{module}.cuf"));
        let bytes = text.into_bytes();
        if let Ok(p) = parse(&path, bytes, &source::Options::default(), &|_| None) {
            out.push((files.len(), p));
            files.push(SourceFile {
                relative: path.clone(),
                path,
                bytes: Vec::new(),
            });
        }
    }
    out
}
