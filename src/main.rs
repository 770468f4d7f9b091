//! The cuf2cu command.

use std::process::ExitCode;

/// Trees are many small pieces; this allocator makes and frees them in less time than the system's, those of tree-sitter too
/// (feature `override`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cuf2cu::cli::main(std::env::args_os(), &cuf2cu::PAGE_COMMANDS)
}
