//! Where lines of generated device code came from: asked of the source map only when a compiler complains.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Error;
use crate::map::{Output, OutputKind, Place, SourceMap};
use crate::translate::{FileKind, OutputFile, SourceInput, TranslateOptions, Translation};

/// What translates; see [`super::translate_guarded`].
pub type Translate = fn(Vec<SourceInput>, &TranslateOptions) -> Result<Translation, Error>;

/// What the device code was made of, to be translated again with a map.
#[derive(Debug)]
pub struct DeviceLines {
    translate: Translate,
    inputs: Vec<SourceInput>,
    options: TranslateOptions,
    made: OnceLock<Made>,
}

/// The files by their path below the output folder.
#[derive(Debug, Default)]
struct Made {
    map: SourceMap,
    files: BTreeMap<PathBuf, (Vec<u8>, usize)>,
}

/// Adds to each table of lines the hash of the device code that it is about: who edits that makes the table wrong.
pub fn seal(files: &mut [OutputFile]) {
    let hash = |bytes: &[u8]| {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
    };
    let device = files.iter().filter(|f| f.kind == FileKind::DeviceSource);
    let hashes: BTreeMap<PathBuf, u64> = device
        .map(|f| (f.path.clone(), hash(&f.contents)))
        .collect();
    for file in files.iter_mut().filter(|f| f.kind == FileKind::SourceLines) {
        let has_table = String::from_utf8_lossy(&file.contents).contains("CUF_SOURCE_LINES(");
        if let Some(hash) = hashes
            .get(&file.path.with_extension(""))
            .filter(|_| has_table)
        {
            let line = format!("CUF_SOURCE_HASH({hash:#x});\n");
            file.contents.extend(line.into_bytes());
        }
    }
}

impl DeviceLines {
    /// Of a translation from these sources.
    pub fn new(
        translate: Translate,
        inputs: Vec<SourceInput>,
        options: &TranslateOptions,
    ) -> DeviceLines {
        let options = TranslateOptions {
            source_map: true,
            step: None,
            ..options.clone()
        };
        DeviceLines {
            translate,
            inputs,
            options,
            made: OnceLock::new(),
        }
    }

    /// `heat.cuf:12` for a line of a generated file that holds `text`, all from 1. Of the line's tokens the one at `column` decides, or the first
    /// of a statement. None: the line is of a rule alone, or the file is not what was generated.
    pub fn place(
        &self,
        generated: &Path,
        text: &[u8],
        line: usize,
        column: Option<usize>,
    ) -> Option<String> {
        let made = self.made.get_or_init(|| self.make());
        let (contents, index) = made.files.get(generated)?;
        if contents != text {
            return None;
        }
        let mut lines = text.split_inclusive(|b| *b == b'\n');
        let start: usize = lines
            .by_ref()
            .take(line.checked_sub(1)?)
            .map(<[u8]>::len)
            .sum();
        let end = start + lines.next()?.len();
        let output = made.map.outputs.get(*index)?;
        let (file, number) = made.of_bytes(output, (start, end), column)?;
        Some(format!(
            "{}:{number}",
            made.map.sources.get(file as usize)?.path
        ))
    }

    fn make(&self) -> Made {
        let Ok(translation) = (self.translate)(self.inputs.clone(), &self.options) else {
            return Made::default();
        };
        let Some(map) = translation.map else {
            return Made::default();
        };
        let device =
            |o: &Output| matches!(o.kind, OutputKind::DeviceSource | OutputKind::DeviceHeader);
        let outputs = map.outputs.iter().enumerate().filter(|(_, o)| device(o));
        let files = outputs.filter_map(|(index, output)| {
            let path = PathBuf::from(&output.path);
            let file = translation.files.iter().find(|f| f.path == path)?;
            Some((path, (file.contents.clone(), index)))
        });
        let files = files.collect();
        Made { map, files }
    }
}

impl Made {
    /// File and line of what these bytes came from.
    fn of_bytes(
        &self,
        output: &Output,
        (start, end): (usize, usize),
        column: Option<usize>,
    ) -> Option<(u32, u32)> {
        let within = |s: &&crate::map::Segment| (s.start as usize) < end && start < s.end as usize;
        let segments: Vec<_> = output.segments.iter().filter(within).collect();
        let at = column.and_then(|c| start.checked_add(c.checked_sub(1)?));
        let pointed = at.and_then(|at| {
            let mut there = segments
                .iter()
                .filter(|s| s.start as usize <= at && at < s.end as usize);
            self.line_of(there.next()?.place?)
        });
        let statements = &self.map.sources.get(output.source as usize)?.statements;
        pointed
            .or_else(|| {
                let numbers = segments.iter().filter_map(|s| s.statement);
                let mut found = numbers.filter_map(|n| statements.get(n as usize));
                found.next().map(|s| (s.place.file, s.line))
            })
            .or_else(|| segments.iter().find_map(|s| self.line_of(s.place?)))
    }

    fn line_of(&self, place: Place) -> Option<(u32, u32)> {
        let path = &self.map.sources.get(place.file as usize)?.path;
        let text = fs::read(path).ok()?;
        let before = text.get(..place.start as usize)?;
        let ends = before.iter().enumerate();
        let ends =
            ends.filter(|(k, b)| **b == b'\n' || (**b == b'\r' && text.get(k + 1) != Some(&b'\n')));
        Some((place.file, u32::try_from(ends.count()).ok()? + 1))
    }
}
