//! cuf2cu: CUDA Fortran to CUDA C++ and standard Fortran.
//!
//! # Use
//!
//! [`translate()`] is all there is to call: sources in, generated files, diagnostics and the account of statements out. It touches no
//! file: what sources include is asked for by [`TranslateOptions::includes`].
//!
//! ```
//! use cuf2cu::{SourceInput, TranslateOptions, translate};
//!
//! let text = "module m\ncontains\n  attributes(global) subroutine k(a)\n    real :: a(*)\n    a(threadIdx%x) = 1\n  end subroutine\nend module\n";
//! let source = SourceInput {
//!     path: "m.cuf".into(),
//!     relative: "m.cuf".into(),
//!     bytes: text.as_bytes().to_vec(),
//! };
//! let translation = translate(vec![source], &TranslateOptions::default());
//! assert!(!translation.has_errors());
//! let names: Vec<_> = translation.files.iter().map(|f| f.path.display().to_string()).collect();
//! assert_eq!(names, ["m_shims.f90", "m.f90", "m.cu", "m.cu.lines"]);
//! ```
//!
//! What cannot be translated faithfully is a [`Diagnostic`], and its file has no output. [`Action::Check`] asks for the diagnostics alone:
//!
//! ```
//! use cuf2cu::{Action, Severity, SourceInput, TranslateOptions, diag, translate};
//!
//! let text = "module m\ncontains\n  attributes(global) subroutine k()\n    read *, i\n  end subroutine\nend module\n";
//! let source = SourceInput {
//!     path: "m.cuf".into(),
//!     relative: "m.cuf".into(),
//!     bytes: text.as_bytes().to_vec(),
//! };
//! let options = TranslateOptions { goal: Action::Check, ..TranslateOptions::default() };
//! let translation = translate(vec![source], &options);
//! let found = &translation.diagnostics[0];
//! assert_eq!((found.severity, found.code, found.line), (Severity::Error, "CUF0330", 4));
//! let about = diag::codes::find(found.code).unwrap();
//! assert_eq!(about.title, "statement not allowed in device code");
//! ```
//!
//! The output needs the runtime beside it: [`driver`] puts the files into a folder with the runtime and a Makefile and builds them; [`cli`]
//! is the command.
//!
//! What is promised to callers are the items at this crate's root, with what they are made of, and [`diag`]. The other modules are public for tests
//! and for those who read them, and change from version to version.
//!
//! # A tour, in the order of a translation
//!
//! 1. [`pipeline`] names the passes in their order. Read it first.
//! 2. [`source`] makes free-form text of bytes: encodings, the preprocessor, fixed form, and the way back to places in the user's file.
//! 3. [`syntax`] parses that text (tree-sitter, `grammar-ext/`) into the typed tree [`ast`], which knows no meaning of names.
//! 4. [`sema`] gives names a meaning, for all files at once: scopes, types, memory spaces, constants ([`sema::model::Model`]), and
//!    checks the rules of the language ([`sema::check()`]). The table of the intrinsic procedures is [`intrinsics`].
//! 5. [`lower`] makes device code, launchers and the kernels of CUF loops: [`ir`] for the C++ side, [`abi`] for what crosses the border.
//! 6. [`emit`] prints the `ir` as CUDA C++.
//! 7. [`host`] edits the user's text where it deals with the device, and prints the Fortran side of the launchers.
//! 8. [`libraries`] are modules of CUDA Fortran made from tables, which join a program that uses them.
//! 9. [`cascade`] lets one mistake give one message; [`statement_stats`] and [`survey`] count what became of the statements and what a program uses; [`map`] is the way back from each token of the output.
//! 10. [`openacc`] reads the directives of OpenACC and holds their rules.
//!
//! docs/architecture.md says which part may know which; `tests/architecture.rs` holds them to it. CONTRIBUTING.md shows by examples how
//! to add something.

mod command;
mod pages;
mod translation;

pub use command::{cli, driver};
pub use pages::{COMMANDS as PAGE_COMMANDS, compare, migration_report, serve, view};
pub use translation::{
    abi, ast, cascade, cuda_cxx, diag, emit, host, intrinsics, ir, libraries, lower, map, openacc,
    passes, pipeline, program_info, sema, source, statement_stats, suggest, survey, syntax,
    translate, variants,
};

pub use diag::{Diagnostic, Severity};
pub use map::SourceMap;
pub use translate::{
    Action, Dialect, FileAccount, FileKind, IncludeReader, MemoryMode, OutputFile, Report,
    SourceInput, TranslateOptions, Translation, Wrap,
};

/// Translates `inputs` on all cores; the result does not depend on their number. Call it in a rayon pool of your own for other threads.
pub fn translate(inputs: Vec<SourceInput>, options: &TranslateOptions) -> Translation {
    driver::pool::with_threads(0, || translate::translate(inputs, options))
}
