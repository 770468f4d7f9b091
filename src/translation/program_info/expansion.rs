//! What the preprocessor made of lines.

use super::{Expansion, Include};
use crate::source::SourceText;

/// The lines that it changed, and those that include files.
pub fn of(source: &SourceText) -> (Vec<Expansion>, Vec<Include>) {
    if !source.is_preprocessed() {
        return (Vec::new(), includes(source));
    }
    let mut out: Vec<Expansion> = Vec::new();
    let mut offset = 0;
    for line in source.text.split_inclusive('\n') {
        let at = offset;
        offset += line.len() as u32;
        let written = source.line_text(at);
        if written.trim_start().starts_with('#') || squeezed(line) == squeezed(written) {
            continue;
        }
        if !source.has_macros(at) {
            continue;
        }
        let position = source.position(at);
        out.push(Expansion {
            file: position.file.display().to_string(),
            line: position.line,
            text: line.trim_end().to_owned(),
        });
    }
    (out, includes(source))
}

fn includes(source: &SourceText) -> Vec<Include> {
    let found = source.includes().into_iter();
    found
        .map(|(at, included)| Include {
            file: at.file.display().to_string(),
            line: at.line,
            included: included.display().to_string(),
        })
        .collect()
}

/// The text without blanks.
fn squeezed(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}
