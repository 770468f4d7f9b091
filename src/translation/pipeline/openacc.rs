//! OpenACC, which becomes CUDA Fortran before anything else reads the program.

use super::parameterized::{Reading, apply};
use super::parsed::Parsed;
use super::{Message, messages};
use crate::openacc::rewrite::View;
use crate::openacc::{self, Directive};
use crate::sema::model::FileId;
use crate::sema::{self, Finding, Input};
use crate::source::Rewrite;

/// Rewrites the files of a program with OpenACC directives; `index`: their places in the input. What is wrong with the directives is
/// returned, and then they stay.
pub(super) fn translate(
    files: &mut [Parsed],
    index: &[usize],
    reading: Reading<'_>,
) -> Vec<Message> {
    if !reading.dialect.openacc {
        return Vec::new();
    }
    let (findings, rewrites) = rewritten(files, reading);
    // Their places are those in the text as it is.
    let found = findings.iter().map(|f| messages::finding(f, files, index));
    let out: Vec<Message> = found.collect();
    if findings.iter().all(|f| f.warning) && !rewrites.is_empty() {
        apply(files, rewrites);
    }
    out
}

fn rewritten(files: &[Parsed], reading: Reading<'_>) -> (Vec<Finding>, Vec<Vec<Rewrite>>) {
    let mut findings = Vec::new();
    let mut directives: Vec<Vec<Directive>> = Vec::new();
    for (i, p) in files.iter().enumerate() {
        let (found, problems) = openacc::read(&p.source, FileId(i as u32));
        findings.extend(problems);
        directives.push(found);
    }
    if directives.iter().all(Vec::is_empty) {
        return (findings, Vec::new());
    }
    let inputs: Vec<Input<'_>> = files
        .iter()
        .zip(reading.paths)
        .map(|(p, path)| Input {
            path,
            text: &p.source.text,
            ast: &p.tree,
            library: false,
        })
        .collect();
    let (model, _) = sema::analyze(&inputs, reading.dialect);
    let mut units = Vec::new();
    for (i, p) in files.iter().enumerate() {
        let found = directives.get(i).map_or(&[][..], Vec::as_slice);
        let (regions, problems) = openacc::regions(FileId(i as u32), &p.tree, found);
        findings.extend(problems);
        units.push(regions);
    }
    let names: Vec<String> = files.iter().map(file_name).collect();
    let views: Vec<View<'_, '_>> = (files.iter().zip(&names).zip(&units))
        .map(|((p, name), units)| View {
            name,
            source: &p.source,
            tree: &p.tree,
            units,
        })
        .collect();
    let (rewrites, problems) = openacc::rewrite::rewrite(&model, &views);
    findings.extend(problems);
    (findings, rewrites)
}

fn file_name(p: &Parsed) -> String {
    let name = p.source.path.file_name();
    name.map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}
