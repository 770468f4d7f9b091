//! CUDA Fortran grammar for tree-sitter.
