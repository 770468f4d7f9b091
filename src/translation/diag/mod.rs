//! Diagnostics: what is wrong, where in the user's file, and what to do.

pub mod codes;
pub mod github;
pub mod levels;
pub mod message;
pub mod parts;
pub mod render;
pub mod sarif;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Warning,
    Error,
}

/// One message about a place in the user's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// `CUF0123`; see docs/diagnostics.
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    pub file: PathBuf,
    /// From 1; 0 if the whole file is meant.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// One past the last character on `line`.
    pub end_column: u32,
    /// The line of the last character, and the column behind it there.
    pub end: (u32, u32),
    /// The rule and its source, and other places that matter.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// Changes of the source that would do it.
    pub fixes: Vec<Fix>,
    /// The text of `line`, for the display.
    pub source_line: String,
    /// It is about a construct or procedure of OpenACC, whose rules are not those of CUDA Fortran's guide.
    pub openacc: bool,
}

impl Diagnostic {
    /// Headline, notes and help as one text.
    pub fn whole_text(&self) -> String {
        let mut text = self.message.clone();
        for note in &self.notes {
            text += &format!("\nnote: {note}");
        }
        if let Some(help) = &self.help {
            text += &format!("\nhelp: {help}");
        }
        text
    }
}

/// A change of a source: the characters of one line from `column` to before `end_column` are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fix {
    /// As the user named it; what is not Unicode in it is U+FFFD.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// One past the last character that is replaced.
    pub end_column: u32,
    /// The characters that are replaced.
    pub original: String,
    /// What to put in their place.
    pub replacement: String,
    /// The change can only be what was meant: `check --fix` makes it.
    pub safe: bool,
}
