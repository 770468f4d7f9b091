//! The map of a program, put together from those of its files.

use std::collections::BTreeMap;

use super::{Output, OutputKind, Place, Segment, Source, SourceMap, Statement};

/// The map of one source and its outputs. Files are numbered by [`FileMap::files`].
#[derive(Clone, Debug, Default)]
pub struct FileMap {
    pub files: Vec<String>,
    pub statements: Vec<Statement>,
    pub outputs: Vec<(OutputKind, Vec<Segment>)>,
}

impl FileMap {
    /// The number of a file.
    pub fn file(&mut self, path: &str) -> u32 {
        let found = self.files.iter().position(|f| f == path);
        found.unwrap_or_else(|| {
            self.files.push(path.to_owned());
            self.files.len() - 1
        }) as u32
    }
}

impl SourceMap {
    /// A map of sources, of which nothing is known yet.
    pub fn of(sources: impl Iterator<Item = String>) -> SourceMap {
        let sources = sources.map(|path| Source {
            path,
            ..Source::default()
        });
        SourceMap {
            sources: sources.collect(),
            outputs: Vec::new(),
        }
    }

    /// Adds the map of a source, whose outputs have these paths.
    pub fn add(&mut self, source: u32, map: &FileMap, paths: &BTreeMap<OutputKind, String>) {
        let numbers: Vec<u32> = map.files.iter().map(|f| self.number(f)).collect();
        let place = |p: Place| Place {
            file: numbers.get(p.file as usize).copied().unwrap_or(p.file),
            ..p
        };
        let statements = map.statements.iter().map(|s| Statement {
            place: place(s.place),
            ..s.clone()
        });
        let statements: Vec<Statement> = statements.collect();
        if let Some(s) = self.sources.get_mut(source as usize) {
            s.statements = statements;
        }
        for (kind, segments) in &map.outputs {
            let Some(path) = paths.get(kind) else {
                continue;
            };
            let segments = segments.iter().map(|s| Segment {
                place: s.place.map(place),
                ..*s
            });
            self.outputs.push(Output {
                path: path.clone(),
                kind: *kind,
                source,
                segments: segments.collect(),
            });
        }
    }

    /// The number of a file, which is included if it is none of the sources.
    fn number(&mut self, path: &str) -> u32 {
        let found = self.sources.iter().position(|s| s.path == path);
        found.unwrap_or_else(|| {
            self.sources.push(Source {
                path: path.to_owned(),
                included: true,
                statements: Vec::new(),
            });
            self.sources.len() - 1
        }) as u32
    }
}
