//! `check --fix`: makes the changes that diagnostics propose and that are marked safe.
//!
//! A file is changed as a whole or not at all: the new text is written next to it and takes its place if nobody has changed the file
//! meanwhile. What does not read as it did when it was checked is left alone, and so are read-only files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::Error;
use super::process::interrupt;
use crate::diag::message::lossy;
use crate::diag::{Diagnostic, Fix};

/// What has been changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Changes made, by file.
    pub files: BTreeMap<PathBuf, usize>,
}

impl Applied {
    /// How many changes were made.
    pub fn count(&self) -> usize {
        self.files.values().sum()
    }

    /// Adds those of another round.
    pub fn add(&mut self, more: Applied) {
        for (file, count) in more.files {
            *self.files.entry(file).or_default() += count;
        }
    }
}

/// Makes the safe changes of the diagnostics in these files.
///
/// # Errors
/// [`Error::File`] if a file cannot be written. Files before it in order may have been changed.
pub fn apply(diagnostics: &[Diagnostic], files: &BTreeSet<PathBuf>) -> Result<Applied, Error> {
    let mut by_file: BTreeMap<&Path, Vec<&Fix>> = BTreeMap::new();
    for d in diagnostics.iter().filter(|d| files.contains(&d.file)) {
        let own = |f: &&Fix| f.safe && f.file == lossy(&d.file);
        let fixes = by_file.entry(&d.file).or_default();
        fixes.extend(d.fixes.iter().filter(own));
    }
    let mut applied = Applied::default();
    for (path, fixes) in by_file {
        let count = change(path, &fixes)?;
        if count > 0 {
            applied.files.insert(path.to_path_buf(), count);
        }
    }
    Ok(applied)
}

/// Makes the changes in one file; how many.
fn change(path: &Path, fixes: &[&Fix]) -> Result<usize, Error> {
    if fixes.is_empty() {
        return Ok(0);
    }
    // A link stays one.
    let target = fs::canonicalize(path).map_err(|e| Error::file("read", path, &e))?;
    let about = fs::metadata(&target).map_err(|e| Error::file("read", path, &e))?;
    if about.permissions().readonly() {
        return Err(refused(path, "it is read-only"));
    }
    let old = fs::read(&target).map_err(|e| Error::file("read", path, &e))?;
    let (new, count) = changed(&old, fixes);
    if count == 0 {
        return Ok(0);
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let beside = target.with_file_name(format!(".{name}.{}.fix", std::process::id()));
    let written = interrupt::later(|| {
        let result = replace(&target, &beside, &old, &new, &about.permissions());
        if result.is_err() {
            // It may not have come into being.
            let _ = fs::remove_file(&beside);
        }
        result
    });
    written.map_err(|e| Error::file("change", path, &e))?;
    Ok(count)
}

fn refused(path: &Path, why: &str) -> Error {
    Error::File {
        path: path.to_path_buf(),
        text: format!("cannot change {}: {why}", path.display()),
    }
}

/// Puts the new text in the place of the old one, which must still be there.
fn replace(
    target: &Path,
    beside: &Path,
    old: &[u8],
    new: &[u8],
    permissions: &fs::Permissions,
) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(beside)?;
    file.write_all(new)?;
    file.set_permissions(permissions.clone())?;
    file.sync_all()?;
    drop(file);
    if fs::read(beside)? != new {
        return Err(std::io::Error::other("the new text could not be read back"));
    }
    if fs::read(target)? != old {
        return Err(std::io::Error::other("it has been changed meanwhile"));
    }
    fs::rename(beside, target)
}

/// The text with the changes that fit, and their number. Of changes that overlap, the first in the text is made.
fn changed(text: &[u8], fixes: &[&Fix]) -> (Vec<u8>, usize) {
    let is_utf8 = std::str::from_utf8(text).is_ok();
    let mut starts = vec![0];
    starts.extend(
        text.iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .map(|(i, _)| i + 1),
    );
    let mut edits: Vec<(usize, usize, &str)> = Vec::new();
    for f in fixes {
        let Some(start) = starts.get((f.line as usize).wrapping_sub(1)) else {
            continue;
        };
        let line = text[*start..]
            .split(|b| *b == b'\n')
            .next()
            .unwrap_or_default();
        let offset = |column: u32| {
            let characters = column.saturating_sub(1) as usize;
            match std::str::from_utf8(line) {
                Ok(line) if is_utf8 => line
                    .char_indices()
                    .map(|(i, _)| i)
                    .chain([line.len()])
                    .nth(characters),
                _ => (characters <= line.len()).then_some(characters),
            }
        };
        let (Some(from), Some(to)) = (offset(f.column), offset(f.end_column)) else {
            continue;
        };
        // Other bytes than ASCII may mean something else in the encoding of the file.
        let fits = line.get(from..to) == Some(f.original.as_bytes())
            && f.original.is_ascii()
            && f.replacement.is_ascii();
        if fits {
            edits.push((start + from, start + to, &f.replacement));
        }
    }
    edits.sort_unstable();
    edits.dedup();
    let (mut out, mut at, mut count) = (Vec::new(), 0, 0);
    for (from, to, with) in edits {
        if from < at {
            continue;
        }
        out.extend_from_slice(&text[at..from]);
        out.extend_from_slice(with.as_bytes());
        at = to;
        count += 1;
    }
    out.extend_from_slice(&text[at..]);
    (out, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(line: u32, columns: (u32, u32), original: &str, replacement: &str) -> Fix {
        Fix {
            file: "a.cuf".to_owned(),
            line,
            column: columns.0,
            end_column: columns.1,
            original: original.to_owned(),
            replacement: replacement.to_owned(),
            safe: true,
        }
    }

    #[test]
    fn changes_that_fit_are_made() {
        let good = fix(2, (5, 10), "fabsf", "abs");
        let other = fix(2, (5, 10), "sqrtf", "sqrt");
        let beyond = fix(9, (1, 2), "x", "y");
        let overlapping = fix(2, (7, 10), "bsf", "bs");
        let all = [&good, &good, &other, &beyond, &overlapping];
        let text = "! é\r\ny = fabsf(x)\r\n".as_bytes();
        let (new, count) = changed(text, &all);
        assert_eq!(
            (String::from_utf8(new).unwrap().as_str(), count),
            ("! é\r\ny = abs(x)\r\n", 1)
        );
        // Latin-1: characters are bytes.
        let (new, count) = changed(b"\xe9 fabsf(x)", &[&fix(1, (3, 8), "fabsf", "abs")]);
        assert_eq!((new, count), (b"\xe9 abs(x)".to_vec(), 1));
        assert_eq!(changed(b"y = 1", &[&good]), (b"y = 1".to_vec(), 0));
    }
}
