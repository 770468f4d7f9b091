//! The report as text: a page for a terminal.

use std::fmt::{self, Write as _};

use super::data::{MigrationReport, Refusal, Subject};
use crate::driver::summary::{line, list, refused, ways};

/// Files, branches and features that are listed; the JSON has all.
const MOST: usize = 20;

/// Columns of a paragraph.
const WIDTH: usize = 110;

/// The report for people.
pub fn text(effort: &MigrationReport) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(effort, &mut out);
    out
}

fn write_text(e: &MigrationReport, out: &mut String) -> fmt::Result {
    let t = &e.total;
    writeln!(out, "Migration of {}", e.asked.join(" "))?;
    writeln!(out, "\nhand work            {}", e.minutes)?;
    for c in &e.work {
        let places = plural(c.places, "place");
        writeln!(out, "  {:<46} {places:>12}  {}", c.meaning, c.minutes)?;
    }
    writeln!(out, "not in it: building, tests of results, tuning\n")?;

    let s = &t.statements;
    let of_cuda = format!(
        "{} with CUDA Fortran, {} refused",
        t.cuda_files, t.refused_files
    );
    line(out, "files", t.files, &of_cuda)?;
    line(
        out,
        "lines",
        t.lines,
        &format!("{} in files with CUDA Fortran", t.cuda_lines),
    )?;
    let account = format!(
        "{} kept, {} translated, {} refused",
        s.kept, s.translated, s.refused
    );
    line(
        out,
        "statements",
        s.kept + s.translated + s.refused,
        &account,
    )?;
    line(out, "kernels", t.kernels.found, &refused(t.kernels))?;
    let device = t.device_procedures;
    line(out, "device procedures", device.found, &refused(device))?;
    line(out, "CUF loops", t.cuf_loops.found, &refused(t.cuf_loops))?;
    if t.acc_kernels.found > 0 {
        line(
            out,
            "OpenACC kernels",
            t.acc_kernels.found,
            &refused(t.acc_kernels),
        )?;
    }
    line(out, "kernel launches", t.launches, "")?;
    line(out, "transfers", t.transfers.total(), &ways(&t.transfers))?;

    if let Some(whole) = &e.whole {
        writeln!(out, "\nthe program as a whole: {whole}")?;
    }
    let nothing = if e.refused.is_empty() { " nothing" } else { "" };
    writeln!(out, "\nrefused:{nothing}")?;
    refusals(out, &e.refused)?;
    if !e.warnings.is_empty() {
        writeln!(out, "\nto look at:")?;
        refusals(out, &e.warnings)?;
    }
    writeln!(out, "\nbehavior changes after migration:")?;
    for c in &e.changes {
        let first = c.first.as_ref().map(|p| format!(", first at {p}"));
        writeln!(
            out,
            "  {} ({}{})",
            c.subject,
            c.count,
            first.unwrap_or_default()
        )?;
        prose(out, &c.text)?;
    }
    subjects(out, "library calls", &e.libraries)?;
    subjects(out, "runtime API", &e.runtime)?;
    let features = e.features.iter().map(|f| format!("{} {}", f.name, f.count));
    list(out, "\nfeatures: ", "none", features)?;
    let modules = e
        .modules
        .iter()
        .map(|m| format!("{} ({})", m.name, plural(m.files, "file")));
    list(out, "modules to supply: ", "none", modules)?;

    let branches = e.cuda_branches();
    if !branches.is_empty() {
        writeln!(
            out,
            "\nbranches not taken that look like CUDA Fortran, not translated:"
        )?;
        for b in branches.iter().take(MOST) {
            writeln!(out, "  {}: {}: lines {}", b.place, b.directive, b.lines())?;
        }
        more(out, branches.len())?;
    }
    let files = e.files_to_show();
    if !files.is_empty() {
        writeln!(
            out,
            "\n{:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}  file",
            "lines", "transl.", "kernels", "device", "loops", "launch", "transf.", "errors"
        )?;
        for f in files.iter().take(MOST) {
            let s = &f.sum;
            writeln!(
                out,
                "{:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}  {}",
                s.lines,
                s.statements.translated,
                s.kernels.found,
                s.device_procedures.found,
                s.cuf_loops.found + s.acc_kernels.found,
                s.launches,
                s.transfers.total(),
                s.errors,
                f.path
            )?;
        }
        more(out, files.len())?;
    }
    Ok(())
}

fn refusals(out: &mut String, all: &[Refusal]) -> fmt::Result {
    for r in all {
        let places = plural(r.places, "place");
        let files = plural(r.files, "file");
        writeln!(
            out,
            "  {} {}: {places} in {files}, {}",
            r.code, r.title, r.minutes
        )?;
        for e in &r.examples {
            writeln!(out, "    {}: {}", e.place, e.message)?;
            if !e.source_line.is_empty() {
                writeln!(out, "        {}", e.source_line)?;
            }
        }
        if let Some(help) = r.examples.iter().find_map(|e| e.help.as_ref()) {
            writeln!(out, "    help: {help}")?;
        }
    }
    Ok(())
}

fn subjects(out: &mut String, title: &str, all: &[Subject]) -> fmt::Result {
    writeln!(
        out,
        "\n{title}:{}",
        if all.is_empty() { " none" } else { "" }
    )?;
    for s in all {
        let names = s
            .procedures
            .iter()
            .map(|p| format!("{} {}", p.name, p.calls));
        list(out, &format!("  {} {}: ", s.name, s.calls), "", names)?;
    }
    Ok(())
}

/// A text in lines of limited width.
fn prose(out: &mut String, text: &str) -> fmt::Result {
    let mut line = String::from("   ");
    for word in text.split(' ') {
        if line.len() + word.len() > WIDTH {
            writeln!(out, "{line}")?;
            line = String::from("   ");
        }
        line.push(' ');
        line.push_str(word);
    }
    writeln!(out, "{line}")
}

fn more(out: &mut String, all: usize) -> fmt::Result {
    match all.saturating_sub(MOST) {
        0 => Ok(()),
        n => writeln!(out, "  and {n} more"),
    }
}

fn plural(n: usize, word: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {word}{s}")
}
