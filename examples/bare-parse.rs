//! Parses files with tree-sitter and does nothing with the trees: what `cuf2cu check` is measured against.
//!
//! The paths are read from standard input, one a line. Prints the bytes parsed.

use std::error::Error;
use std::io::Read as _;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = String::new();
    std::io::stdin().read_to_string(&mut paths)?;
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_cuda_fortran::LANGUAGE.into())?;
    let mut bytes = 0;
    for path in paths.lines() {
        let text = std::fs::read(path)?;
        bytes += text.len();
        // No tree comes only of a time limit or a cancellation.
        parser.parse(&text, None).ok_or("no tree")?;
    }
    println!("{bytes}");
    Ok(())
}
