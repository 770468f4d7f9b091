//! What is said to the user: a reader that has gone away (`cuf2cu check src | head`) is no reason to stop with a panic.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Writes to standard output.
pub fn print(text: Arguments<'_>) {
    // Nobody is left to be told.
    let _ = io::stdout().write_fmt(text);
}

/// Writes to standard error.
pub fn tell(text: Arguments<'_>) {
    let _ = io::stderr().write_fmt(text);
}
