//! The texts of a file's outputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Device, FileResult, Manner, Program, directives};
use crate::host::HostFile;
use crate::source::SourceText;
use crate::{emit, host};

/// The host code's file, below the output folder.
pub(crate) fn host_name(stem: &Path, preprocessed: bool) -> PathBuf {
    with_suffix(stem, if preprocessed { ".F90" } else { ".f90" })
}

/// An output's path: its stem may have dots in it.
pub(crate) fn with_suffix(stem: &Path, suffix: &str) -> PathBuf {
    let mut name = stem.to_owned().into_os_string();
    name.push(suffix);
    PathBuf::from(name)
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

    /// The texts of a file's outputs.
    pub(super) fn print(
        &self,
        k: usize,
        host: HostFile,
        device: &Device,
        asked: Option<&BTreeSet<String>>,
        manner: Manner,
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
        result.host = Some(host.text);
        result.preprocessed = host.preprocessed;
        if let Ok(unit) = &device.units[k]
            && !unit.is_empty()
        {
            let located = |t: emit::cpp::Text, kind: &str| match manner.line_directives {
                true => {
                    let own = with_suffix(&output, &format!(".{kind}"));
                    (directives::device(&t.text, &own, &t.marks, source), None)
                }
                false => located(t, &format!("{stem}.{kind}"), name, source),
            };
            if unit.has_source() {
                let (text, lines) = located(emit::cpp::source(unit, asked, None), "cu");
                result.device_source = Some(text);
                result.source_lines = lines;
            }
            if unit.has_header() {
                let (text, lines) = located(emit::cpp::header(unit, None), "cuh");
                result.device_header = Some(text);
                result.header_lines = lines;
            }
        }
    }
}

/// The text of the file `cpp`, and the file beside it with the places of its waiting statements in the user's file; those of included
/// files are left out.
fn located(
    t: emit::cpp::Text,
    cpp: &str,
    name: &str,
    source: &SourceText,
) -> (String, Option<String>) {
    let lines: Vec<(usize, u32)> = t
        .marks
        .iter()
        .filter_map(|m| Some((m.line, source.position(m.at?))))
        .filter(|(_, at)| at.file.file_name().is_some_and(|f| f == name))
        .map(|(line, at)| (line, at.line))
        .collect();
    match emit::cpp::source_lines(cpp, name, &lines) {
        Some((table, include)) => (t.text + &include, Some(table)),
        None => (t.text, None),
    }
}
