//! The cuf2cu command.

use std::process::ExitCode;

fn main() -> ExitCode {
    cuf2cu::cli::main(std::env::args_os())
}
