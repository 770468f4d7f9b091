//! OpenACC, which becomes CUDA Fortran before anything else reads the program.

use super::parameterized::{Reading, apply};
use super::parsed::Parsed;
use super::{Message, messages};
use crate::openacc::rewrite::{Rewritten, View};
use crate::openacc::{self, Directive, FileRegions};
use crate::sema::model::FileId;
use crate::sema::{self, Input};

/// Rewrites the files of a program with OpenACC directives; `index`: their places in the input; `libraries`: the modules that it uses. What is wrong with the directives is
/// returned, and then they stay.
pub(super) fn translate(
    files: &mut [Parsed],
    index: &[usize],
    libraries: &[(usize, Parsed)],
    reading: Reading<'_>,
) -> Translated {
    if !reading.dialect.openacc {
        return Translated::default();
    }
    let found = rewritten(files, libraries, reading);
    // Their places are those in the text as it is.
    let messages = found.findings.iter();
    let messages = messages
        .map(|f| messages::finding(f, files, index))
        .collect();
    if !found.rewrites.is_empty() {
        apply(files, found.rewrites);
    }
    Translated {
        messages,
        present: found.present,
    }
}

/// What is known of the program's OpenACC besides the new text.
#[derive(Debug, Default)]
pub(super) struct Translated {
    pub messages: Vec<Message>,
    /// Modules and their variables that are declared on the device.
    pub present: Vec<(String, String)>,
}

fn rewritten(files: &[Parsed], libraries: &[(usize, Parsed)], reading: Reading<'_>) -> Rewritten {
    let mut findings = Vec::new();
    let mut directives: Vec<Vec<Directive>> = Vec::new();
    for (i, p) in files.iter().enumerate() {
        let (found, problems) = openacc::read(&p.source, FileId(i as u32));
        findings.extend(problems);
        directives.push(found);
    }
    if directives.iter().all(Vec::is_empty) {
        return Rewritten {
            findings,
            ..Rewritten::default()
        };
    }
    let input = |(p, path, library)| {
        let p: &Parsed = p;
        Input {
            path,
            text: &p.source.text,
            ast: &p.tree,
            library,
        }
    };
    let own = files.iter().zip(reading.paths);
    let own = own.map(|(p, path)| (p, path.as_str(), false));
    let modules = libraries.iter().map(|(_, p)| (p, "", true));
    let inputs: Vec<Input<'_>> = own.chain(modules).map(input).collect();
    let (model, _) = sema::analyze(&inputs, reading.dialect);
    for (i, found) in directives.iter_mut().enumerate() {
        findings.extend(openacc::expand(&model, FileId(i as u32), found));
    }
    let mut units = Vec::new();
    for (i, p) in files.iter().enumerate() {
        let found = directives.get(i).map_or(&[][..], Vec::as_slice);
        let (regions, problems) = openacc::regions(FileId(i as u32), &p.tree, found);
        findings.extend(problems);
        units.push(regions);
    }
    let checked: Vec<FileRegions<'_>> = files
        .iter()
        .zip(&units)
        .enumerate()
        .map(|(i, (p, regions))| FileRegions {
            file: FileId(i as u32),
            text: &p.source.text,
            regions,
        })
        .collect();
    findings.extend(openacc::check(&model, &checked));
    // Where something is wrong, other checks say nothing of compute constructs.
    let without = || {
        let files = files.iter().zip(&units);
        let blanked = files.map(|(p, units)| openacc::without_constructs(&p.source.text, units));
        blanked.collect()
    };
    if findings.iter().any(|f| !f.warning) {
        return Rewritten {
            findings,
            rewrites: without(),
            ..Rewritten::default()
        };
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
    let mut out = openacc::rewrite::rewrite(&model, &views);
    if out.findings.iter().any(|f| !f.warning) {
        out.rewrites = without();
    }
    out.findings.splice(0..0, findings);
    out
}

fn file_name(p: &Parsed) -> String {
    let name = p.source.path.file_name();
    name.map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}
