//! What can go wrong outside the translation itself.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::diag::Severity;
use crate::diag::message::{Kind, Message};

/// A failure that ends a command.
#[derive(Debug)]
pub enum Error {
    /// The request cannot be carried out as given: a wrong path, an output folder that would overwrite its input.
    Usage(String),
    /// A compiler or library is missing, or a compiler rejected the generated code.
    Toolchain(String),
    /// A file cannot be read or written.
    File { path: PathBuf, text: String },
    /// cuf2cu itself is at fault.
    Internal(String),
    /// The translation reported errors (they have been shown).
    Diagnostics,
}

impl Error {
    /// A failed file operation on `path`.
    pub fn file(action: &str, path: &Path, error: &std::io::Error) -> Error {
        Error::File {
            path: path.to_path_buf(),
            text: format!("cannot {action} {}: {error}", path.display()),
        }
    }

    /// A file that the request names cannot be read: one that does not exist has been named wrongly.
    pub fn named(path: &Path, error: &std::io::Error) -> Error {
        match error.kind() {
            std::io::ErrorKind::NotFound => {
                Error::Usage(format!("cannot read {}: {error}", path.display()))
            }
            _ => Error::file("read", path, error),
        }
    }

    /// As a message; None for diagnostics, which have messages of their own.
    pub fn message(&self) -> Option<Message> {
        let (kind, path) = match self {
            Error::Diagnostics => return None,
            Error::Usage(_) => (Kind::Usage, None),
            Error::Toolchain(_) => (Kind::Tool, None),
            Error::File { path, .. } => (Kind::File, Some(&**path)),
            Error::Internal(_) => (Kind::Internal, None),
        };
        Some(Message::of(kind, Severity::Error, &self.to_string(), path))
    }

    /// The exit status of the command: 1 diagnostics, 2 usage, 3 toolchain, 4 files, 5 cuf2cu itself.
    pub fn exit_status(&self) -> u8 {
        match self {
            Error::Diagnostics => 1,
            Error::Usage(_) => 2,
            Error::Toolchain(_) => 3,
            Error::File { .. } => 4,
            Error::Internal(_) => 5,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text)
            | Error::Toolchain(text)
            | Error::File { text, .. }
            | Error::Internal(text) => f.write_str(text),
            Error::Diagnostics => f.write_str("the translation reported errors"),
        }
    }
}

impl std::error::Error for Error {}
