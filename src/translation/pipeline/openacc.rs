//! OpenACC, which becomes CUDA Fortran before anything else reads the program.

use std::collections::BTreeMap;

use super::parameterized::{Reading, apply};
use super::parsed::Parsed;
use super::{Message, messages};
use crate::ast::{LoopOrigin, Name, ProgramUnit, Span, Stmt, StmtKind};
use crate::openacc::rewrite::{Rewritten, View};
use crate::openacc::{self, Directive, FileRegions};
use crate::sema::model::FileId;
use crate::sema::{self, Finding, Input};

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

/// What is wrong in the constructs of a program that is translated without `--acc`: device data in statements that, their directives being comments, the host executes. One
/// message for each file says so.
pub(super) fn left_out(files: &[Parsed], findings: Vec<Finding>) -> Vec<Finding> {
    let mut out = Vec::new();
    let mut regions: Vec<Option<Vec<Span>>> = vec![None; files.len()];
    let mut reported = BTreeMap::new();
    for f in findings {
        let k = f.file.0 as usize;
        let of_device = !f.warning && f.code.starts_with("CUF03");
        let Some(p) = files.get(k).filter(|_| of_device) else {
            out.push(f);
            continue;
        };
        let all = regions[k].get_or_insert_with(|| constructs(p, f.file));
        let inside = |r: &&Span| r.start <= f.span.start && f.span.end <= r.end;
        match all.iter().find(inside) {
            Some(r) => {
                let first: &mut (Span, usize) = reported.entry(f.file).or_insert((*r, 0));
                first.0 = if r.start < first.0.start { *r } else { first.0 };
                first.1 += 1;
            }
            None => out.push(f),
        }
    }
    for (file, (region, count)) in reported {
        let what = match count {
            1 => "a statement".to_owned(),
            n => format!("{n} places"),
        };
        let line = files
            .get(file.0 as usize)
            .map_or("", |p| &p.source.text[region.start as usize..]);
        let length = line.lines().next().unwrap_or_default().trim_end().len() as u32;
        let span = Span {
            start: region.start,
            end: region.start + length,
        };
        let message = format!(
            "OpenACC construct uses device data, but `--acc` is missing\nnote: without `--acc`, the directive is a comment, and the host executes the statements\nnote: {what} of such constructs would be wrong on the host\nhelp: pass `--acc`"
        );
        out.push(Finding::new("CUF0535", file, span, message));
    }
    out
}

/// The constructs of a file whose statements are device code or handle device data.
fn constructs(p: &Parsed, file: FileId) -> Vec<Span> {
    fn add(r: &openacc::Region<'_>, out: &mut Vec<Span>) {
        match r.directive.kind {
            k if k.is_compute() || k == openacc::Kind::HostData => out.push(r.span()),
            _ => r.children.iter().for_each(|c| add(c, out)),
        }
    }
    let (directives, _) = openacc::read(&p.source, file);
    let (units, _) = openacc::regions(file, &p.tree, &directives);
    let mut out = Vec::new();
    units
        .iter()
        .flat_map(|u| &u.regions)
        .for_each(|r| add(r, &mut out));
    out
}

/// Marks the messages that are about constructs and procedures of OpenACC.
pub(super) fn mark(files: &[Parsed], findings: &[Finding], messages: &mut [Message]) {
    let mut known: Vec<Option<Vec<Span>>> = vec![None; files.len()];
    for (f, m) in findings.iter().zip(messages) {
        let k = f.file.0 as usize;
        let Some(p) = files.get(k) else { continue };
        let all = known[k].get_or_insert_with(|| {
            let mut all = Vec::new();
            p.tree.units.iter().for_each(|u| translated(p, u, &mut all));
            all
        });
        m.openacc = all
            .iter()
            .any(|s| s.start <= f.span.start && f.span.end <= s.end);
    }
}

/// The places of what was OpenACC: compute constructs, and procedures whose attributes the user did not write.
fn translated(p: &Parsed, u: &ProgramUnit, out: &mut Vec<Span>) {
    let own = |n: &Name| {
        let at = p.source.position(n.span.start).column.saturating_sub(1) as usize;
        let line = p.source.line_text(n.span.start);
        let text = line.get(at..at + n.text.len());
        text.is_some_and(|t| t.eq_ignore_ascii_case(&n.text))
    };
    if u.prefix.attributes.first().is_some_and(|a| !own(a)) {
        out.push(u.span);
    }
    fn statement(s: &Stmt, out: &mut Vec<Span>) {
        match &s.kind {
            StmtKind::CufKernel(k) if k.mapping.origin() == LoopOrigin::Construct => {
                out.push(s.span);
            }
            _ => {
                let blocks = s.blocks();
                blocks
                    .iter()
                    .for_each(|b| b.iter().for_each(|s| statement(s, out)));
            }
        }
    }
    u.body.iter().for_each(|s| statement(s, out));
    u.procedures.iter().for_each(|u| translated(p, u, out));
}
