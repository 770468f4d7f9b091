//! Messages as annotations of GitHub's workflows.

use std::fmt::Write as _;

use super::Severity;
use super::message::Message;

/// `::error file=a.cuf,line=3,title=CUF0301::text`, in one line.
pub fn annotation(m: &Message) -> String {
    let mut out = match m.severity {
        Severity::Error => "::error ".to_owned(),
        Severity::Warning => "::warning ".to_owned(),
    };
    // Writing to a string cannot fail.
    if let Some(file) = &m.file {
        let _ = write!(out, "file={},", property(file));
    }
    if let (Some(line), Some(end)) = (m.line, m.end_line) {
        let _ = write!(out, "line={line},endLine={end},");
        // Columns count within one line only, the last one included.
        if let (Some(column), Some(end_column), true) = (m.column, m.end_column, line == end) {
            let last = end_column.saturating_sub(1).max(column);
            let _ = write!(out, "col={column},endColumn={last},");
        }
    }
    let title = match (&m.code, &m.title) {
        (Some(code), Some(title)) => format!("{code}: {title}"),
        (Some(code), None) => code.clone(),
        _ => "cuf2cu".to_owned(),
    };
    let mut text = m.message.clone();
    for more in m.notes.iter().chain(&m.help).chain(&m.url) {
        let _ = write!(text, "\n{more}");
    }
    let _ = writeln!(out, "title={}::{}", property(&title), data(&text));
    out
}

/// What stands behind the second pair of colons.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
