//! INCLUDE lines (F2018 6.4): the file's text takes their place.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::line::{Finder, Line, Options, Problem, UserFile};

/// How deep include files may include each other.
const MAX_DEPTH: usize = 64;
/// Files included, with repetition.
const MAX_INCLUDES: usize = 20_000;
/// Lines in all files together.
const MAX_LINES: usize = 4_000_000;

/// Puts the included files in the place of INCLUDE lines; gives besides for each line the one of `lines` that it comes from. `latin1`:
/// how the including file was decoded.
pub(super) fn expand(
    lines: Vec<Line>,
    options: &Options,
    files: Finder<'_>,
    latin1: bool,
    problems: &mut Vec<Problem>,
) -> (Vec<Line>, Vec<u32>) {
    if !lines.iter().any(|l| file_name(&l.text, options).is_some()) {
        let parents = (0..lines.len() as u32).collect();
        return (lines, parents);
    }
    let mut expansion = Expansion {
        options,
        files,
        latin1,
        problems,
        includes: 0,
        out: Vec::with_capacity(lines.len()),
    };
    let mut parents = Vec::with_capacity(lines.len());
    for (i, line) in lines.into_iter().enumerate() {
        expansion.level(vec![line], 0);
        parents.resize(expansion.out.len(), i as u32);
    }
    (expansion.out, parents)
}

struct Expansion<'a> {
    options: &'a Options,
    files: Finder<'a>,
    latin1: bool,
    problems: &'a mut Vec<Problem>,
    includes: usize,
    out: Vec<Line>,
}

impl Expansion<'_> {
    fn level(&mut self, lines: Vec<Line>, depth: usize) {
        for line in lines {
            let Some(name) = file_name(&line.text, self.options) else {
                self.out.push(line);
                continue;
            };
            self.includes += 1;
            if depth >= MAX_DEPTH || self.includes > MAX_INCLUDES || self.out.len() > MAX_LINES {
                let message = format!("`{name}` is included too deeply");
                self.problems.push(Problem::new(&line, "CUF0006", message));
                return;
            }
            // Headers of the compiler or of libraries (mpif.h, ...) are the Fortran compiler's to find.
            if name.eq_ignore_ascii_case("mpif.h") {
                self.out.push(line);
                continue;
            }
            match find(name, &line.origin.file.path, self.options, self.files) {
                Some((path, bytes)) => {
                    self.level(UserFile::new(path, &bytes, self.latin1).lines(), depth + 1);
                }
                None if is_foreign_header(name) => self.out.push(line),
                None => {
                    let message = format!("include file `{name}` not found");
                    self.problems.push(Problem::new(&line, "CUF0005", message));
                    self.out.push(line);
                }
            }
        }
    }
}

/// Headers that the Fortran compiler finds in folders of its own, or in those of libraries given to it.
const FOREIGN_HEADERS: [&str; 14] = [
    "mpif.h",
    "omp_lib.h",
    "openacc_lib.h",
    "fftw3.f",
    "fftw3.f03",
    "fftw3l.f03",
    "fftw3q.f03",
    "fftw3-mpi.f03",
    "fftw3l-mpi.f03",
    "netcdf.inc",
    "pnetcdf.inc",
    "papi.inc",
    "f90papi.h",
    "fpapi.h",
];

/// The header need not be among the files given.
pub(super) fn is_foreign_header(name: &str) -> bool {
    FOREIGN_HEADERS.contains(&name.to_ascii_lowercase().as_str())
}

/// The file, looked up beside the including file first, then in the `-I` folders.
pub(super) fn find(
    name: &str,
    including: &Path,
    options: &Options,
    files: Finder<'_>,
) -> Option<(std::path::PathBuf, Vec<u8>)> {
    let beside = including
        .parent()
        .map(|p| p.join(name))
        .unwrap_or_else(|| name.into());
    std::iter::once(beside)
        .chain(options.include_folders.iter().map(|d| d.join(name)))
        .find_map(|p| files(&p).map(|b| (p, b)))
}

/// The name in `#include "name"` or an INCLUDE line.
pub(super) fn named<'t>(line: &'t str, options: &Options) -> Option<&'t str> {
    let body = line.trim_start();
    let Some(word) = body.strip_prefix('#') else {
        return file_name(body, options);
    };
    let rest = word.trim_start().strip_prefix("include")?;
    let name = rest.trim_start().strip_prefix('"')?;
    name.split('"').next()
}

/// The files that lines of a file name, `#include "name"` and INCLUDE, and that are there, by the lines' numbers.
pub(super) fn named_files(
    file: &UserFile,
    options: &Options,
    files: Finder<'_>,
) -> BTreeMap<u32, PathBuf> {
    let lines = file.text.lines().zip(1..);
    let of_line = lines.filter_map(|(text, line)| {
        let (path, _) = find(named(text, options)?, &file.path, options, files)?;
        Some((line, path))
    });
    of_line.collect()
}

/// The path without `.` and `name/..`.
pub fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The name in `include 'name'`, if the line is one.
pub(super) fn file_name<'t>(text: &'t str, options: &Options) -> Option<&'t str> {
    let t = text.trim();
    // A conditional line.
    let t = match t.get(..2) {
        Some("!$" | "c$" | "C$" | "*$") if options.openmp => t[2..].trim_start(),
        _ => t,
    };
    let rest = t
        .get(..7)
        .filter(|w| w.eq_ignore_ascii_case("include"))
        .map(|_| t[7..].trim_start())?;
    let quote = rest.chars().next().filter(|c| *c == '\'' || *c == '"')?;
    let body = &rest[1..];
    let close = body.find(quote)?;
    let after = body[close + 1..].trim_start();
    (after.is_empty() || after.starts_with('!')).then(|| &body[..close])
}

#[cfg(test)]
mod tests {
    use super::{Options, file_name};

    #[test]
    fn include_lines_are_recognised() {
        let mut options = Options::default();
        let name = |text| file_name(text, &options);
        assert_eq!(name("  INCLUDE 'a.inc' ! sizes"), Some("a.inc"));
        assert_eq!(name("include \"b\""), Some("b"));
        assert_eq!(name("include = 'x'"), None);
        assert_eq!(name("included 'x'"), None);
        assert_eq!(name("!$ include 'x'"), None);
        options.openmp = true;
        assert_eq!(file_name("!$ include 'x'", &options), Some("x"));
    }
}
