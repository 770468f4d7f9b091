//! The summary of `cuf2cu check`: what the sources hold, what they use, and what would not translate.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::Path;

use serde::Serialize;

use super::Error;
use crate::diag::message::{self, Message};
use crate::diag::{Diagnostic, Severity};
use crate::source::Skipped;
use crate::survey::{Count, Survey, Transfers};
use crate::translate::{FileAccount, Translation};

/// Places listed for one code; the messages name all.
const PLACES: usize = 20;

/// Columns of a list of places or names.
const WIDTH: usize = 110;

/// The summary for people; `whole`: what is wrong with the program as a whole. With errors there are statistics only if asked for.
pub fn text(translation: &Translation, whole: Option<&Error>, statistics: bool) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = match statistics || !(translation.has_errors() || whole.is_some()) {
        true => write_text(translation, whole, &mut out),
        false => refusals(&mut out, &translation.diagnostics, whole),
    };
    out
}

fn write_text(translation: &Translation, whole: Option<&Error>, out: &mut String) -> fmt::Result {
    let report = &translation.report;
    let total = report.total();
    let s = &total.survey;
    let t = &s.transfers;
    line(out, "files", report.files.len(), "")?;
    line(out, "lines", s.lines, "")?;
    let statements = total.kept + total.translated + total.refused;
    let account = format!(
        "{} kept, {} translated, {} refused",
        total.kept, total.translated, total.refused
    );
    line(out, "statements", statements, &account)?;
    line(out, "kernels", s.kernels.found, &refused(s.kernels))?;
    let device = s.device_procedures;
    line(out, "device procedures", device.found, &refused(device))?;
    line(out, "CUF loops", s.cuf_loops.found, &refused(s.cuf_loops))?;
    if s.acc_kernels.found > 0 {
        line(
            out,
            "OpenACC kernels",
            s.acc_kernels.found,
            &refused(s.acc_kernels),
        )?;
    }
    line(out, "kernel launches", s.launches, "")?;
    line(out, "transfers", t.total(), &ways(t))?;

    let features = s.features.iter().map(|(name, n)| format!("{name} {n}"));
    list(out, "\nfeatures: ", "none", features)?;
    let modules = s.modules.iter().map(|(name, n)| match n {
        1 => name.clone(),
        n => format!("{name} ({n} files)"),
    });
    list(out, "external modules: ", "none", modules)?;
    branches(out, &report.skipped)?;
    refusals(out, &translation.diagnostics, whole)
}

/// A number with its name, and what more is to be said.
pub fn line(out: &mut String, name: &str, n: usize, more: &str) -> fmt::Result {
    let gap = if more.is_empty() { "" } else { "  " };
    writeln!(out, "{name:<20}{n:>8}{gap}{more}")
}

pub fn ways(t: &Transfers) -> String {
    format!(
        "{} to the device, {} to the host, {} on the device, {} by call",
        t.to_device, t.to_host, t.on_device, t.by_call
    )
}

pub fn refused(count: Count) -> String {
    match count.refused {
        0 => String::new(),
        n => format!("{n} with errors"),
    }
}

/// A title and items, in lines of limited width.
pub fn list(
    out: &mut String,
    title: &str,
    none: &str,
    items: impl Iterator<Item = String>,
) -> fmt::Result {
    let mut line = title.to_owned();
    let mut any = false;
    for item in items {
        let separator = if any { ", " } else { "" };
        if any && line.len() + item.len() > WIDTH {
            writeln!(out, "{line},")?;
            line = format!("    {item}");
        } else {
            line.push_str(separator);
            line.push_str(&item);
        }
        any = true;
    }
    if !any {
        line.push_str(none);
    }
    writeln!(out, "{line}")
}

/// The lines that the preprocessor left out, by file.
fn branches(out: &mut String, skipped: &[Skipped]) -> fmt::Result {
    let told: Vec<&Skipped> = skipped.iter().filter(|s| s.first <= s.last).collect();
    if told.is_empty() {
        return Ok(());
    }
    writeln!(out, "\npreprocessor branches not taken, by lines:")?;
    for file in told.chunk_by(|a, b| a.file == b.file) {
        let title = format!("  {}: ", file[0].file.display());
        list(out, &title, "", file.iter().map(|s| lines(s)))?;
    }
    Ok(())
}

fn lines(s: &Skipped) -> String {
    match s.last {
        last if last == s.first => last.to_string(),
        u32::MAX => format!("{}-", s.first),
        last => format!("{}-{last}", s.first),
    }
}

/// One line for each branch left out that has lines: its place, its directive, its lines.
pub fn branch_lines(skipped: &[Skipped]) -> Vec<String> {
    let told = skipped.iter().filter(|s| s.first <= s.last);
    told.map(|s| {
        let file = s.file.display();
        let fate = match (s.kept, s.cuda_fortran) {
            (true, true) => ", kept; CUDA Fortran, not translated",
            (true, false) => ", kept",
            (false, true) => ", in no output; CUDA Fortran",
            (false, false) => ", in no output",
        };
        format!("{file}:{}: {}: {}{fate}", s.line, s.directive, lines(s))
    })
    .collect()
}

/// What would not translate: by code, with the places.
fn refusals(out: &mut String, diagnostics: &[Diagnostic], whole: Option<&Error>) -> fmt::Result {
    let mut codes: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    let mut warnings = 0;
    for d in diagnostics {
        match d.severity {
            Severity::Error => codes.entry(d.code).or_default().push(d),
            Severity::Warning => warnings += 1,
        }
    }
    if codes.is_empty() && whole.is_none() {
        writeln!(out, "\neverything would translate")?;
    } else {
        writeln!(
            out,
            "\ncannot be translated (run `cuf2cu explain CODE` for details):"
        )?;
    }
    for (code, all) in codes {
        let mut last: Option<&Path> = None;
        let places = all.iter().take(PLACES).map(|d| match d.line {
            0 => d.file.display().to_string(),
            line if last.replace(&d.file) == Some(&d.file) => format!("{line}"),
            line => format!("{}:{line}", d.file.display()),
        });
        let more = all.len().saturating_sub(PLACES);
        let more = (more > 0).then(|| format!("and {more} more"));
        let title = format!("  {code} x{}: ", all.len());
        list(out, &title, "", places.chain(more))?;
    }
    if let Some(error) = whole {
        writeln!(out, "  the program as a whole: {error}")?;
    }
    if warnings > 0 {
        let plural = if warnings == 1 { "" } else { "s" };
        writeln!(out, "{warnings} warning{plural}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Object<'a> {
    version: &'static str,
    total: FileObject<'a>,
    files: Vec<FileObject<'a>>,
    branches_not_taken: &'a [Skipped],
    diagnostics: Vec<Message>,
}

#[derive(Serialize)]
struct FileObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<usize>,
    kept: usize,
    translated: usize,
    refused: usize,
    #[serde(flatten)]
    survey: &'a Survey,
}

/// The summary as one JSON object: totals, files, branches left out, messages.
pub fn json(translation: &Translation, whole: Option<&Error>) -> String {
    let report = &translation.report;
    fn object(a: &FileAccount) -> FileObject<'_> {
        FileObject {
            path: Some(message::lossy(&a.path)),
            files: None,
            kept: a.kept,
            translated: a.translated,
            refused: a.refused,
            survey: &a.survey,
        }
    }
    let total = report.total();
    let object = Object {
        version: env!("CARGO_PKG_VERSION"),
        total: FileObject {
            path: None,
            files: Some(report.files.len()),
            ..object(&total)
        },
        files: report.files.iter().map(object).collect(),
        branches_not_taken: &report.skipped,
        diagnostics: (translation.diagnostics.iter().map(Message::from))
            .chain(whole.and_then(Error::message))
            .collect(),
    };
    // Only strings and numbers: serialisation cannot fail.
    serde_json::to_string_pretty(&object).unwrap_or_default()
}
