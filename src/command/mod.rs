//! The command line and the driver: files, processes, compilers, and what the user sees in a terminal.

pub mod cli;
pub mod driver;
