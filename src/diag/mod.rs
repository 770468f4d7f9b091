//! Diagnostics: what is wrong, where in the user's file, and what to do.

pub mod codes;
pub mod github;
pub mod levels;
pub mod message;
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
    pub help: Option<String>,
    /// The text of `line`, for the display.
    pub source_line: String,
}
