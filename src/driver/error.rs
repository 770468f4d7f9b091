//! What can go wrong outside the translation itself.

use std::fmt;
use std::path::Path;

/// A failure that ends a command.
#[derive(Debug)]
pub enum Error {
    /// The request cannot be carried out as given: a wrong path, an output folder that would overwrite its input.
    Usage(String),
    /// A compiler or library is missing, or a compiler rejected the generated code.
    Toolchain(String),
    /// The translation reported errors (they have been shown).
    Diagnostics,
}

impl Error {
    /// A failed file operation on `path`.
    pub fn file(action: &str, path: &Path, error: &std::io::Error) -> Error {
        Error::Usage(format!("cannot {action} {}: {error}", path.display()))
    }

    /// The exit status of the command: 1 diagnostics, 2 usage, 3 toolchain.
    pub fn exit_status(&self) -> u8 {
        match self {
            Error::Diagnostics => 1,
            Error::Usage(_) => 2,
            Error::Toolchain(_) => 3,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text) | Error::Toolchain(text) => f.write_str(text),
            Error::Diagnostics => f.write_str("the translation reported errors"),
        }
    }
}

impl std::error::Error for Error {}
