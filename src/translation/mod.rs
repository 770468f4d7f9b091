//! The translation: source texts in, output texts and diagnostics out. It touches no files, processes, or environment.

pub mod abi;
pub mod ast;
pub mod cascade;
pub mod cuda_cxx;
pub mod diag;
pub mod emit;
pub mod host;
pub mod intrinsics;
pub mod ir;
pub mod libraries;
pub mod lower;
pub mod map;
pub mod openacc;
pub mod passes;
pub mod pipeline;
pub mod program_info;
pub mod sema;
pub mod source;
pub mod statement_stats;
pub mod suggest;
pub mod survey;
pub mod syntax;
pub mod translate;
pub mod variants;
