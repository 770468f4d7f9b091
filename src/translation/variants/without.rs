//! Builds without the macro under which all CUDA Fortran of a program stands.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::files::is_preprocessed;
use crate::source;
use crate::translate::{
    FileKind, OutputFile, SourceInput, TranslateOptions, Translation, source_options,
};

/// What stands in the place of a CUF loop.
const STOP: &str = "error stop 'CUF loop";

/// Without the macro host code is what the source is: the preprocessor makes the same lines of both, but for CUF loops, where the program stops.
pub(super) fn is_right(
    guard: &str,
    translation: &Translation,
    inputs: &[SourceInput],
    options: &TranslateOptions,
) -> bool {
    let mut options = options.clone();
    options.macros.push(format!("-U{guard}"));
    let reading = source_options(&options);
    let read = |input: &SourceInput, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let lines = source::lines_left(&input.path, &text, &reading, &options.includes.0)?;
        let lines = lines.iter().map(|l| compact(l)).filter(|l| !l.is_empty());
        Some(lines.collect::<Vec<String>>())
    };
    let same = |(input, host): (&SourceInput, &OutputFile)| {
        if host.contents == input.bytes || !is_preprocessed(&host.path) {
            return true;
        }
        let (Some(want), Some(got)) = (read(input, &input.bytes), read(input, &host.contents))
        else {
            return false;
        };
        let differences = capture_diff_slices(Algorithm::Myers, &want, &got);
        let is_equal = |d: &DiffOp| matches!(d, DiffOp::Equal { .. });
        let mut hunks = differences
            .split(is_equal)
            .filter_map(|h| Some(&got[h.first()?.new_range().start..h.last()?.new_range().end]));
        hunks.all(|new| !new.is_empty() && new.iter().all(|l| l.starts_with(&compact(STOP))))
    };
    let host = |input: &SourceInput| {
        let mut files = translation.files.iter();
        files.find(|f| matches!(f.kind, FileKind::HostFortran { .. }) && f.source == input.path)
    };
    let pairs = inputs.iter().filter_map(|i| Some((i, host(i)?)));
    pairs.into_iter().all(same)
}

/// The code of a line in lower case, without blanks and comments.
fn compact(line: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match quote {
            Some(q) if q == c => quote = None,
            Some(_) => {}
            None if c == '!' && !line[at..].starts_with("!$") => break,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c.is_whitespace() => continue,
            None => {}
        }
        out.extend(c.to_lowercase());
    }
    out
}
