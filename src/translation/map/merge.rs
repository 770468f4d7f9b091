//! The map of a program, put together from those of its files.

use std::collections::BTreeMap;

use super::{Output, OutputKind, Place, Segment, Source, SourceMap, Statement};

/// The map of one source and its outputs. Files are numbered by [`FileMap::files`].
#[derive(Clone, Debug, Default)]
pub struct FileMap {
    pub files: Vec<String>,
    pub statements: Vec<Statement>,
    pub outputs: Vec<FileOutput>,
}

/// An output of a source.
#[derive(Clone, Debug)]
pub struct FileOutput {
    pub kind: OutputKind,
    /// Below the output folder, with `/`; None: the source has one of the kind.
    pub path: Option<String>,
    pub segments: Vec<Segment>,
}

impl FileMap {
    /// Adds the one output of a kind.
    pub fn add(&mut self, kind: OutputKind, segments: Vec<Segment>) {
        self.outputs.push(FileOutput {
            kind,
            path: None,
            segments,
        });
    }

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

    /// Adds the map of a source, whose outputs have these paths; without any it has none.
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
        for output in &map.outputs {
            let own = output.path.as_ref().filter(|_| !paths.is_empty());
            let Some(path) = own.or_else(|| paths.get(&output.kind)) else {
                continue;
            };
            let segments = output.segments.iter().map(|s| Segment {
                place: s.place.map(place),
                ..*s
            });
            self.outputs.push(Output {
                path: path.clone(),
                kind: output.kind,
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
