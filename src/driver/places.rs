//! Compilers' messages about generated host code, with the places of the user's files.
//!
//! Host code is the user's text with edits: its lines are found again in the user's file by comparing the two, when there is a message. A line
//! that stayed has its own number there; for one that was changed the number is that of the statement around it, and the place in the
//! generated file is named besides.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Project;

/// A generated file and the user's that it was made of.
struct Pair<'a> {
    source: &'a Path,
    /// For each line of the generated file the user's, and whether it is the same.
    lines: Vec<(usize, bool)>,
}

/// The messages with the places of the user's files.
pub fn of_users(messages: &str, project: Project<'_>) -> String {
    let mut pairs: BTreeMap<PathBuf, Option<Pair<'_>>> = BTreeMap::new();
    for (generated, source) in &project.plan.sources {
        let written = project.source.join(generated);
        let absolute = std::path::absolute(&written).unwrap_or_else(|_| written.clone());
        if messages.contains(&*absolute.to_string_lossy()) {
            pairs.insert(absolute.clone(), pair(&absolute, source));
        }
    }
    let mut out = String::new();
    // Number and new number of the line whose text is shown below a place.
    let mut shown: Option<(usize, usize)> = None;
    for line in messages.lines() {
        let found = pairs.iter().find_map(|(path, pair)| {
            let rest = line.strip_prefix(&*path.to_string_lossy())?;
            let rest = rest.strip_prefix(':')?;
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number: usize = rest[..digits].parse().ok()?;
            Some((path, pair.as_ref()?, number, &rest[digits..]))
        });
        if let Some((path, pair, number, rest)) = found
            && let Some((users, same)) = pair.lines.get(number.wrapping_sub(1))
        {
            out += &format!("{}:{users}{rest}", pair.source.display());
            if !same {
                out += &format!(" (generated: {}:{number})", path.display());
            }
            shown = same.then_some((number, *users));
        } else if let Some(text) = shown.and_then(|(number, users)| {
            let (margin, text) = line.split_once(" |")?;
            let width = margin.len();
            let asked = margin.trim().parse() == Ok(number);
            asked.then(|| format!("{users:>width$} |{text}"))
        }) {
            out += &text;
        } else {
            out += line;
        }
        out.push('\n');
    }
    out
}

/// The two files compared; None: they have too little in common.
fn pair<'a>(generated: &Path, source: &'a Path) -> Option<Pair<'a>> {
    let read = |path: &Path| -> Option<Vec<String>> {
        let text = fs::read(path).ok()?;
        let text = String::from_utf8_lossy(&text)
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        Some(text.lines().map(|l| l.trim_end().to_owned()).collect())
    };
    let (users, written) = (read(source)?, read(generated)?);
    let mut lines = Vec::with_capacity(written.len());
    let mut same = 0;
    for op in capture_diff_slices(Algorithm::Patience, &users, &written) {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                same += len;
                lines.extend((0..len).map(|i| (old_index + i + 1, true)));
            }
            DiffOp::Insert {
                old_index, new_len, ..
            } => lines.extend((0..new_len).map(|_| (old_index.max(1), false))),
            DiffOp::Replace {
                old_index,
                old_len,
                new_len,
                ..
            } => lines.extend((0..new_len).map(|i| (old_index + i.min(old_len - 1) + 1, false))),
            DiffOp::Delete { .. } => {}
        }
    }
    // Fixed form has become free form.
    (same * 3 >= users.len().min(written.len())).then_some(Pair { source, lines })
}
