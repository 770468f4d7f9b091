//! What is said to the user: a reader that has gone away (`cuf2cu check src | head`) is no reason to stop with a panic, and a full disk
//! behind standard output is one to fail.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

use super::Error;

/// The first failure to write to standard output, but that of a reader that has gone away.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes to standard output.
pub fn print(text: Arguments<'_>) {
    note(io::stdout().write_fmt(text));
}

/// Writes bytes to standard output.
pub fn print_bytes(text: &[u8]) {
    note(io::stdout().write_all(text));
}

/// Takes note of how writing to standard output went.
pub fn note(written: io::Result<()>) {
    if let Err(error) = written.and_then(|()| io::stdout().flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get_or_insert(error);
    }
}

/// Writes to standard error.
pub fn tell(text: Arguments<'_>) {
    // Nobody is left to be told.
    let _ = io::stderr().write_fmt(text);
}

/// Whether all that was written to standard output has arrived, as far as it was wanted.
///
/// # Errors
/// [`Error::Usage`] if not.
pub fn finish() -> Result<(), Error> {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    match failed.take() {
        Some(error) => Err(Error::Usage(format!(
            "cannot write to standard output: {error}"
        ))),
        None => Ok(()),
    }
}
