//! Which files that sources include can come along with host code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::emit_files::with_suffix;
use super::parsed::Parsed;
use crate::source::{self, lexical};

/// The ends of outputs.
const ENDS: [&str; 9] = [
    ".F",
    ".f",
    ".F90",
    ".f90",
    "_shims.f90",
    ".cu",
    ".cuh",
    ".cu.lines",
    ".cuh.lines",
];

/// A file that host code includes.
#[derive(Clone, Debug)]
pub struct Included {
    /// As it was found.
    pub path: PathBuf,
    /// Below the output folder.
    pub place: PathBuf,
    /// With its edits; None: as it is.
    pub text: Option<String>,
}

/// The included files of a program.
#[derive(Default)]
pub(super) struct CopiedIncludes {
    /// See [`source::included_once`].
    pub once: BTreeSet<PathBuf>,
    /// Sources: their host code has its place.
    given: BTreeSet<PathBuf>,
    /// Places below the output folder that hold something else.
    taken: BTreeSet<PathBuf>,
}

impl CopiedIncludes {
    /// `outputs`: see [`names::output_paths`](super::names::output_paths).
    pub fn of(
        parsed: &[Parsed],
        outputs: &[String],
        options: &source::Options,
        files: source::Files<'_>,
    ) -> CopiedIncludes {
        let sources = || parsed.iter().map(|p| &p.source);
        let given = sources().map(|s| lexical(&s.path)).collect();
        let ends = |stem: &String| ENDS.map(|end| with_suffix(Path::new(stem), end));
        let mut taken: BTreeSet<PathBuf> = outputs.iter().flat_map(ends).collect();
        // Sources of several folders may include files that would have one place.
        let mut places: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for (source, output) in sources().zip(outputs) {
            for (_, path) in source.includes() {
                let Some(place) = place(&source.path, output, &path) else {
                    continue;
                };
                let path = lexical(&path);
                let first = places.entry(place.clone()).or_insert_with(|| path.clone());
                if *first != path {
                    taken.insert(place);
                }
            }
        }
        CopiedIncludes {
            once: source::included_once(sources(), options, files),
            given,
            taken,
        }
    }

    /// The output has a place for a file that a source with this output includes.
    pub fn has_place(&self, source: &Path, output: &str, path: &Path) -> bool {
        let place = place(source, output, path);
        !self.given.contains(&lexical(path)) && place.is_some_and(|p| !self.taken.contains(&p))
    }
}

/// Where a file that a source includes is below the output folder: it lies to the host code as to the source.
pub(super) fn place(source: &Path, output: &str, path: &Path) -> Option<PathBuf> {
    let folder = source.parent().unwrap_or(Path::new(""));
    let own = Path::new(output).parent().unwrap_or(Path::new(""));
    Some(own.join(path.strip_prefix(folder).ok()?))
}
