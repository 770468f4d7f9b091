//! CUDA Fortran grammar for tree-sitter: `tree-sitter-fortran` with an overlay, generated when this crate is built.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_cuda_fortran() -> *const ();
}

/// The language, for `tree_sitter::Parser::set_language`.
// SAFETY: the symbol is defined by the generated parser with exactly this signature.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_cuda_fortran) };

/// Queries that give the nodes of a text colours.
pub const HIGHLIGHTS: &str = include_str!("../queries/highlights.scm");

#[cfg(test)]
mod tests {
    #[test]
    fn language_loads() {
        let mut parser = tree_sitter::Parser::new();
        assert!(parser.set_language(&super::LANGUAGE.into()).is_ok());
    }
}
