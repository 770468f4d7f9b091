//! Messages for programs that read them: one form of all that cuf2cu says, whether of a source, of the request or of a tool.
//!
//! docs/messages.md describes it, docs/messages.schema.json is made from these types (tests/messages.rs).

use std::path::Path;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::Serialize;

use super::parts::Parts;
use super::{Diagnostic, Fix, Severity, codes};

/// The version of the form: it grows when a field changes its meaning or goes, not when one comes.
pub const VERSION: u32 = 1;

/// NVIDIA's guide, for codes that have a section there.
const GUIDE: &str = "https://docs.nvidia.com/hpc-sdk/compilers/cuda-fortran-prog-guide";

/// Where the documents of cuf2cu can be read, if the user has said so.
static DOCUMENTS: OnceLock<String> = OnceLock::new();

/// Says where the documents of cuf2cu can be read, for all messages to come.
pub fn documents_are_at(address: String) {
    // The first one counts.
    let _ = DOCUMENTS.set(address);
}

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A source, by a code.
    Diagnostic,
    /// The request: options, arguments, folders.
    Usage,
    /// A file that cannot be read or written, or that was not because somebody has edited it.
    File,
    /// A compiler or another tool.
    Tool,
    /// cuf2cu itself.
    Internal,
}

/// One message of cuf2cu: one line of JSON on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Message {
    /// The version of this form.
    pub version: u32,
    pub kind: Kind,
    pub severity: Severity,
    /// `CUF0301`; null unless the kind is "diagnostic".
    pub code: Option<String>,
    /// What the code stands for.
    pub title: Option<String>,
    pub message: String,
    /// As the user named it; what is no Unicode in it is U+FFFD.
    pub file: Option<String>,
    /// From 1; null if the whole file is meant.
    pub line: Option<u32>,
    /// From 1, in characters.
    pub column: Option<u32>,
    /// The line of the last character.
    pub end_line: Option<u32>,
    /// One past the last character on `end_line`.
    pub end_column: Option<u32>,
    /// The text of `line`; null if it is too long.
    pub source_line: Option<String>,
    /// The rule and its source, and other places that matter.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// Changes of the source that would do it.
    pub fixes: Vec<Fix>,
    /// Sections of NVIDIA's CUDA Fortran guide that hold the rule.
    pub guide: Vec<String>,
    /// Where more can be read.
    pub url: Option<String>,
}

impl Message {
    /// A message that is not about a place in a source.
    pub fn of(kind: Kind, severity: Severity, text: &str, file: Option<&Path>) -> Message {
        let parts = Parts::of(text);
        Message {
            version: VERSION,
            kind,
            severity,
            code: None,
            title: None,
            help: parts.help_text(),
            message: parts.headline,
            notes: parts.notes,
            fixes: Vec::new(),
            file: file.map(lossy),
            line: None,
            column: None,
            end_line: None,
            end_column: None,
            source_line: None,
            guide: Vec::new(),
            url: None,
        }
    }

    /// As a line of JSON.
    pub fn json(&self) -> String {
        // Only strings and numbers: serialisation cannot fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl From<&Diagnostic> for Message {
    fn from(d: &Diagnostic) -> Message {
        let placed = d.line > 0;
        let line = d.source_line.trim_end();
        Message {
            code: Some(d.code.to_owned()),
            title: codes::find(d.code).map(|c| c.title.to_owned()),
            line: placed.then_some(d.line),
            column: placed.then_some(d.column),
            end_line: placed.then_some(d.end.0),
            end_column: placed.then_some(d.end.1),
            source_line: (placed && !line.is_empty()).then(|| line.to_owned()),
            notes: d.notes.clone(),
            help: d.help.clone(),
            fixes: d.fixes.clone(),
            guide: if d.openacc { Vec::new() } else { guide(d.code) },
            url: url(d.code),
            ..Message::of(Kind::Diagnostic, d.severity, &d.message, Some(&d.file))
        }
    }
}

/// A path as text.
pub fn lossy(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn guide(code: &str) -> Vec<String> {
    let sections = codes::guide_sections(code).unwrap_or_default();
    let sections = sections.split(", ").filter(|s| !s.is_empty());
    sections.map(str::to_owned).collect()
}

/// Where a code is explained: in the documents, if it is known where they are, else in NVIDIA's guide, if that has the rule.
pub fn url(code: &str) -> Option<String> {
    let homepage = Some(env!("CARGO_PKG_HOMEPAGE")).filter(|h| !h.is_empty());
    let base = DOCUMENTS.get().map(String::as_str).or(homepage);
    match (base, codes::find(code)) {
        (Some(base), Some(c)) => {
            let base = base.trim_end_matches('/');
            Some(format!("{base}/diagnostics.html#{}", anchor(c)))
        }
        _ => (!guide(code).is_empty()).then(|| GUIDE.to_owned()),
    }
}

/// The anchor of the heading `CODE: TITLE` in HTML made from docs/diagnostics.md.
fn anchor(c: &codes::Code) -> String {
    let heading = format!("{} {}", c.code, c.title).to_lowercase();
    let keeps = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading
        .chars()
        .filter(keeps)
        .collect::<String>()
        .replace(' ', "-")
}

/// The JSON schema of a message.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Message);
    // As above.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}
