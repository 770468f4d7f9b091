//! The texts of a file's outputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::source_map::{Builder, HostText, WithLines};
use super::{Device, FileResult, Included, PipelineOptions, Program, copied_includes, directives};
use crate::ast::Span;
use crate::host::HostFile;
use crate::ir::validate::Checked;
use crate::ir::{BarrierFreeKernel, Unit};
use crate::map::{Disposition, OutputKind};
use crate::sema::model::Model;
use crate::source::{self, CopiedInclude, Restored, SourceText, Unchanged};
use crate::{emit, host};

/// The host code's file, below the output folder.
pub(crate) fn host_name(stem: &Path, preprocessed: bool, fixed: bool) -> PathBuf {
    let suffix = match (fixed, preprocessed) {
        (true, true) => ".F",
        (true, false) => ".f",
        (false, true) => ".F90",
        (false, false) => ".f90",
    };
    with_suffix(stem, suffix)
}

/// An output's path: its stem may have dots in it.
pub(crate) fn with_suffix(stem: &Path, suffix: &str) -> PathBuf {
    let mut name = stem.to_owned().into_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

/// What the source map needs besides the outputs.
pub(super) struct Mapped<'a> {
    pub statements: &'a [(Span, Disposition)],
    /// The host code before the preprocessor's lines came to it.
    pub edited: String,
    /// See [`HostText::restored`].
    pub restored: Option<WithLines>,
    /// See [`HostText::included`].
    pub included: Vec<(PathBuf, WithLines)>,
    /// It is the user's file as it is.
    pub unchanged: bool,
    pub model: &'a Model,
}

impl<'a> Mapped<'a> {
    pub fn new(
        statements: &'a [(Span, Disposition)],
        host: &HostFile,
        model: &'a Model,
    ) -> Mapped<'a> {
        let edited = host.trail.as_ref().map(|_| host.text.clone());
        Mapped {
            statements,
            edited: edited.unwrap_or_default(),
            restored: None,
            included: Vec::new(),
            unchanged: false,
            model,
        }
    }
}

impl Program {
    /// A file's outputs without their texts.
    pub(super) fn outline(&self, k: usize, device: &Device, result: &mut FileResult) {
        let printed = device.printed[k];
        let (stem, doubtful) = (&self.stems[k], self.around(k).doubtful);
        result.host = Some(String::new());
        if !device.launchers[k].launchers.is_empty() {
            result.shims = Some(String::new());
            result.shims_module = Some(host::shims::module_name(stem, doubtful));
        }
        result.device_source = printed.source.then(String::new);
        result.device_header = printed.header.then(String::new);
    }

    /// The output has a place for a file that this one includes.
    fn has_place(&self, k: usize, path: &Path) -> bool {
        let source = &self.parsed[k].source.path;
        self.along.has_place(source, &self.output_paths[k], path)
    }

    /// A file that comes along.
    fn included(&self, k: usize, path: PathBuf, text: Option<String>) -> Option<Included> {
        let source = &self.parsed[k].source.path;
        let place = copied_includes::place(source, &self.output_paths[k], &path)?;
        Some(Included { path, place, text })
    }

    /// The host code is the user's file as it is.
    pub(super) fn keep(&self, k: usize, own: Unchanged, host: &mut HostFile, to: &mut FileResult) {
        host.text = own.text;
        host.preprocessed = own.preprocessed;
        to.fixed = own.fixed;
        let included = own.includes.into_iter();
        to.included = included.filter_map(|p| self.included(k, p, None)).collect();
        let skipped = self.parsed[k].source.skipped.iter();
        to.kept = skipped.map(|s| (s.file.clone(), s.first)).collect();
    }

    /// The host code as it is written: the user's file where nothing changed, with the preprocessor's lines, with those for compilers.
    /// `reading`: how files are read.
    pub(super) fn finish_host(
        &self,
        k: usize,
        host: &mut HostFile,
        reading: (&source::Options, source::Files<'_>),
        manner: PipelineOptions,
        mapped: &mut Mapped<'_>,
        result: &mut FileResult,
    ) {
        result.asked.clone_from(self.parsed[k].source.asked());
        result.was_preprocessed = self.parsed[k].source.preprocessed;
        let (options, include) = reading;
        let source = &self.parsed[k].source;
        let own = manner.for_readers() && !manner.line_directives;
        let own = own
            .then(|| source.unchanged(&host.text, options, include))
            .flatten();
        if let Some(own) = own.filter(|own| own.includes.iter().all(|p| self.has_place(k, p))) {
            self.keep(k, own, host, result);
            mapped.unchanged = true;
        } else if let Some(layout) = host.layout.take() {
            let guard = self.guard(manner);
            let restored = source.restored(&host.text, &layout, reading, guard);
            host.preprocessed |= restored.is_some();
            let plain = || Restored::plain(&host.text, source.positions(&layout));
            let mut written = restored.unwrap_or_else(plain);
            // Compilers are told the lines of what stands in the text.
            if manner.for_readers() && !manner.line_directives && !manner.checked {
                let along = source::CopiedIncludes {
                    has_place: &|path| self.has_place(k, path),
                    once: &self.along.once,
                };
                let preprocessed = host.preprocessed;
                let folded = source.folded(&written, &layout, preprocessed, reading, along);
                if let Some(folded) = folded {
                    written = folded.text;
                    for CopiedInclude { path, edited } in folded.included {
                        let lines = edited.as_ref().filter(|_| manner.source_map);
                        let lines = lines.map(WithLines::new);
                        let text = edited.map(|e| e.text);
                        let Some(included) = self.included(k, path, text) else {
                            continue;
                        };
                        let place = included.place.clone();
                        mapped.included.extend(lines.map(|lines| (place, lines)));
                        result.included.push(included);
                    }
                }
            }
            if manner.source_map && (host.preprocessed || !result.included.is_empty()) {
                mapped.restored = Some(WithLines::new(&written));
            }
            host.text = written.text;
            result.kept = written.kept;
            let positions = written.positions;
            if manner.line_directives || manner.checked {
                let own = host_name(&result.stem, host.preprocessed, false);
                host.text = directives::host(&host.text, &own, positions, manner.checked);
            }
        }
    }

    /// The texts of a file's outputs.
    pub(super) fn print(
        &self,
        k: usize,
        host: HostFile,
        device: &Device,
        asked: Option<&BTreeSet<String>>,
        (manner, mapped): (PipelineOptions, Mapped<'_>),
        result: &mut FileResult,
    ) {
        let launchers = &device.launchers[k];
        let (stem, name, source) = (
            &self.stems[k],
            &self.source_names[k],
            &self.parsed[k].source,
        );
        let shims_module = host::shims::module_name(stem, self.around(k).doubtful);
        let output = result.stem.clone();
        result.shims = host::shims::text(&shims_module, name, launchers, &host.direct);
        result.shims_module = result.shims.as_ref().map(|_| shims_module);
        result.latin1 = source.latin1;
        result.structures = source.structures;
        let mut map = match &host.trail {
            Some(trail) => Some(self.host_map(k, &host.text, trail, &mapped)),
            None => None,
        };
        if let (Some(map), Some(text)) = (&mut map, &result.shims) {
            map.shims(text, &launchers.launchers, mapped.model);
        }
        result.host = Some(host.text);
        result.preprocessed = host.preprocessed;
        if let Ok(unit) = &device.units[k]
            && !unit.is_empty()
        {
            let located = |t: emit::cpp::Text, kind: &str| {
                let file = with_suffix(&output, &format!(".{kind}"));
                let own = file.file_name().unwrap_or_default().to_string_lossy();
                // Checks look at each access of each thread.
                let alone: &[_] = match kind {
                    "cu" if !manner.checked => &device.alone[k],
                    _ => &[],
                };
                match manner.line_directives || manner.checked {
                    true => {
                        let text = directives::device(&t.text, &file, &t.marks, source);
                        beside(unit, text, (&own, name), &[], alone)
                    }
                    false => {
                        let lines = lines(&t, name, source);
                        beside(unit, t.text, (&own, name), &lines, alone)
                    }
                }
            };
            if unit.has_source() {
                let (text, lines) =
                    located(emit::cpp::source(unit, asked, (manner.checked, None)), "cu");
                result.device_source = Some(text);
                result.source_lines = lines;
                if let (Some(map), Some(text)) = (&mut map, &result.device_source) {
                    let tags = emit::cpp::Tags::default();
                    let tagged = emit::cpp::source(unit, asked, (manner.checked, Some(&tags)));
                    map.device(OutputKind::DeviceSource, text, &tagged.text, &tags);
                }
            }
            if unit.has_header() {
                let (text, lines) = located(emit::cpp::header(unit, (manner.checked, None)), "cuh");
                result.device_header = Some(text);
                result.header_lines = lines;
                if let (Some(map), Some(text)) = (&mut map, &result.device_header) {
                    let tags = emit::cpp::Tags::default();
                    let tagged = emit::cpp::header(unit, (manner.checked, Some(&tags)));
                    map.device(OutputKind::DeviceHeader, text, &tagged.text, &tags);
                }
            }
        }
        result.map = map.map(Builder::finish);
    }

    /// The map of a file, with its host code.
    fn host_map<'m>(
        &'m self,
        k: usize,
        text: &str,
        trail: &[host::EditSegment],
        mapped: &Mapped<'m>,
    ) -> Builder<'m> {
        let mut map = Builder::new(&self.parsed[k].source, mapped.statements);
        if mapped.unchanged {
            map.unchanged(text);
            return map;
        }
        let host = HostText {
            edited: &mapped.edited,
            trail,
            restored: mapped.restored.as_ref(),
            included: &mapped.included,
        };
        map.host(text, &host);
        map
    }
}

/// Where the waiting statements of a C++ text stand: its lines and those of the user's file; those of included files are left out.
fn lines(t: &emit::cpp::Text, name: &str, source: &SourceText) -> Vec<(usize, u32)> {
    t.marks
        .iter()
        .filter_map(|m| Some((m.line, source.position(m.at?))))
        .filter(|(_, at)| at.file.file_name().is_some_and(|f| f == name))
        .map(|(line, at)| (line, at.line))
        .collect()
}

/// The text of the file `cpp`, and the file beside it with these lines and kernels.
fn beside(
    unit: &Checked<Unit>,
    text: String,
    (cpp, name): (&str, &str),
    lines: &[(usize, u32)],
    alone: &[BarrierFreeKernel],
) -> (String, Option<String>) {
    match emit::cpp::beside(unit, cpp, name, lines, alone) {
        Some((table, include)) => (text + &include, Some(table)),
        None => (text, None),
    }
}
