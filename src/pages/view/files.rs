//! The files of a page, sources and outputs: their names, texts and colours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use super::cpp;
use super::text::Text;
use super::vlq::Packed;
use crate::map::{OutputKind, SourceMap};
use crate::syntax::{self, Colour};
use crate::translate::{FileKind, OutputFile};

/// One file.
pub struct File {
    pub name: String,
    /// `source`, `include`, `host`, `device`, `header`, `shims`.
    pub kind: &'static str,
    /// Of an output: the number of its source.
    pub of: Option<usize>,
    pub text: Text,
    pub colours: String,
}

/// What the script knows of a file before it opens it.
#[derive(Serialize)]
pub struct Entry<'a> {
    name: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
    lines: usize,
}

impl File {
    pub fn entry(&self) -> Entry<'_> {
        Entry {
            name: &self.name,
            kind: self.kind,
            of: self.of,
            lines: self.text.text.lines().count(),
        }
    }
}

/// The sources as the map numbers them, then the outputs in its order.
pub fn files(map: &SourceMap, read: &BTreeMap<String, &[u8]>, outputs: &[OutputFile]) -> Vec<File> {
    let paths: Vec<&str> = map.sources.iter().map(|s| &*s.path).collect();
    let names = short_names(&paths);
    let taken: BTreeSet<String> = names.iter().cloned().collect();
    let sources = map.sources.iter().zip(names).map(|(s, name)| Raw {
        name,
        kind: if s.included { "include" } else { "source" },
        of: None,
        bytes: read.get(&*s.path).copied().unwrap_or_default(),
        fixed: is_fixed(Path::new(&s.path)),
    });
    let by_path: BTreeMap<String, &OutputFile> = (outputs.iter())
        .map(|f| (f.path.to_string_lossy().replace('\\', "/"), f))
        .collect();
    let outputs = map.outputs.iter().map(|o| Raw {
        // A source that is Fortran without CUDA keeps its name; a link has to say which of the two it means.
        name: match taken.contains(&o.path) {
            true => format!("generated/{}", o.path),
            false => o.path.clone(),
        },
        kind: match o.kind {
            OutputKind::DeviceSource => "device",
            OutputKind::DeviceHeader => "header",
            OutputKind::HostFortran | OutputKind::IncludedFortran => "host",
            OutputKind::Shims => "shims",
        },
        of: Some(o.source as usize),
        bytes: by_path.get(&o.path).map_or(&[][..], |f| &f.contents),
        fixed: false,
    });
    let raw: Vec<Raw<'_>> = sources.chain(outputs).collect();
    raw.into_par_iter().map(Raw::coloured).collect()
}

/// Whether a file is something that a reader wants to see.
pub fn is_shown(kind: &FileKind) -> bool {
    !matches!(kind, FileKind::SourceLines)
}

struct Raw<'a> {
    name: String,
    kind: &'static str,
    of: Option<usize>,
    bytes: &'a [u8],
    fixed: bool,
}

impl Raw<'_> {
    fn coloured(self) -> File {
        let text = Text::of(self.bytes);
        let found = match self.kind {
            "device" | "header" => cpp::colours(&text.text),
            _ => syntax::colours(&text.text, self.fixed),
        };
        File {
            colours: packed(&text.text, &found),
            name: self.name,
            kind: self.kind,
            of: self.of,
            text,
        }
    }
}

/// Triples of what lies between, length and colour, in UTF-16 units.
fn packed(text: &str, found: &[(usize, usize, Colour)]) -> String {
    let mut out = Packed::default();
    let mut last = 0;
    let units = |a: usize, b: usize| {
        let part = text.get(a..b).unwrap_or_default();
        match part.is_ascii() {
            true => part.len() as u32,
            false => part.encode_utf16().count() as u32,
        }
    };
    for (start, end, colour) in found {
        out.add(units(last, *start));
        out.add(units(*start, *end));
        out.add(*colour as u32);
        last = *end;
    }
    out.into_text()
}

fn is_fixed(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    ["f", "for", "ftn"].contains(&extension.to_ascii_lowercase().as_str())
}

/// Paths without the folders that all of them share.
pub fn short_names(paths: &[&str]) -> Vec<String> {
    let folder = |p: &&str| {
        Path::new(p)
            .parent()
            .map(Path::to_path_buf)
            .unwrap_or_default()
    };
    let mut shared: Option<PathBuf> = None;
    for p in paths {
        let own = folder(p);
        shared = Some(match shared {
            None => own,
            Some(so_far) => {
                let both = so_far.components().zip(own.components());
                both.take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
            }
        });
    }
    let shared = shared.unwrap_or_default();
    let short = |p: &&str| {
        let rest = Path::new(p).strip_prefix(&shared);
        rest.map_or_else(
            |_| (*p).to_owned(),
            |r| r.to_string_lossy().replace('\\', "/"),
        )
    };
    paths.iter().map(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_shared_folders() {
        assert_eq!(short_names(&["a/b/c.cuf"]), ["c.cuf"]);
        assert_eq!(
            short_names(&["/x/a/c.cuf", "/x/b/d.cuf"]),
            ["a/c.cuf", "b/d.cuf"]
        );
        assert_eq!(short_names(&["c.cuf", "b/d.cuf"]), ["c.cuf", "b/d.cuf"]);
    }
}
