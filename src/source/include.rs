//! INCLUDE lines (F2018 6.4): the file's text takes their place.

use std::path::Path;
use std::sync::Arc;

use super::{Files, Line, Options, Problem, decode, split};

/// How deep include files may include each other.
const MAX_DEPTH: usize = 64;

pub(super) fn expand(
    lines: Vec<Line>,
    options: &Options,
    files: Files<'_>,
    problems: &mut Vec<Problem>,
) -> Vec<Line> {
    if !lines.iter().any(|l| file_name(&l.text).is_some()) {
        return lines;
    }
    let mut out = Vec::with_capacity(lines.len());
    level(lines, options, files, problems, 0, &mut out);
    out
}

fn level(
    lines: Vec<Line>,
    options: &Options,
    files: Files<'_>,
    problems: &mut Vec<Problem>,
    depth: usize,
    out: &mut Vec<Line>,
) {
    for line in lines {
        let Some(name) = file_name(&line.text) else {
            out.push(line);
            continue;
        };
        if depth >= MAX_DEPTH || out.len() > 4_000_000 {
            problems.push(problem(
                &line,
                "CUF0006",
                format!("'{name}' is included too deeply"),
            ));
            return;
        }
        match find(name, &line.origin.file, options, files) {
            Some((path, bytes)) => {
                let inner = split(&decode(&bytes), &Arc::from(path.as_path()));
                level(inner, options, files, problems, depth + 1, out);
            }
            // Headers of the compiler or of libraries (mpif.h, ...) are the Fortran compiler's to find.
            None if name.ends_with(".h") || name.ends_with(".fh") => out.push(line),
            None => {
                problems.push(problem(
                    &line,
                    "CUF0005",
                    format!("include file '{name}' was not found"),
                ));
                out.push(line);
            }
        }
    }
}

fn problem(line: &Line, code: &'static str, message: String) -> Problem {
    Problem {
        file: line.origin.file.to_path_buf(),
        line: line.origin.line,
        code,
        message,
    }
}

/// The file, looked up beside the including file first, then in the `-I` folders.
pub(super) fn find(
    name: &str,
    including: &Path,
    options: &Options,
    files: Files<'_>,
) -> Option<(std::path::PathBuf, Vec<u8>)> {
    let beside = including
        .parent()
        .map(|p| p.join(name))
        .unwrap_or_else(|| name.into());
    std::iter::once(beside)
        .chain(options.include_folders.iter().map(|d| d.join(name)))
        .find_map(|p| files(&p).map(|b| (p, b)))
}

/// The name in `include 'name'`, if the line is one.
fn file_name(text: &str) -> Option<&str> {
    let t = text.trim();
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
    use super::file_name;

    #[test]
    fn include_lines_are_recognised() {
        assert_eq!(file_name("  INCLUDE 'a.inc' ! sizes"), Some("a.inc"));
        assert_eq!(file_name("include \"b\""), Some("b"));
        assert_eq!(file_name("include = 'x'"), None);
        assert_eq!(file_name("included 'x'"), None);
    }
}
