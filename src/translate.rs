//! The translation as one function: source files in, generated files and diagnostics out. No file is written here.

use std::path::PathBuf;

use crate::diag::{Diagnostic, Severity};

/// How to translate.
#[derive(Clone, Debug, Default)]
pub struct TranslateOptions {
    /// `-D` and `-U`, in the order given, as written (`-DN=3`).
    pub macros: Vec<String>,
    /// `-I`: where include files are looked up after the folder of the including file.
    pub include_folders: Vec<PathBuf>,
    /// Preprocess every file, not only those with a capital extension.
    pub preprocess: bool,
    /// OpenMP conditional compilation lines (`!$ `) count as code.
    pub openmp: bool,
}

/// One file to translate.
#[derive(Clone, Debug)]
pub struct SourceInput {
    /// As the user named it; for messages and for finding include files.
    pub path: PathBuf,
    /// Below the source folder; names the output files.
    pub relative: PathBuf,
    pub bytes: Vec<u8>,
}

/// What a generated file is, which decides how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The host code. Modules in lower case; a submodule uses its parent.
    HostFortran {
        provides: Vec<String>,
        uses: Vec<String>,
        main_program: Option<String>,
    },
    /// The Fortran interfaces of a file's launchers.
    Shims {
        provides: Vec<String>,
        uses: Vec<String>,
    },
    /// Kernels and launchers (`.cu`).
    DeviceSource,
    /// Declarations for other device sources (`.cuh`).
    DeviceHeader,
}

impl FileKind {
    /// The Fortran modules that the file defines.
    pub fn provides(&self) -> &[String] {
        match self {
            FileKind::HostFortran { provides, .. } | FileKind::Shims { provides, .. } => provides,
            FileKind::DeviceSource | FileKind::DeviceHeader => &[],
        }
    }

    /// The Fortran modules that must be compiled before the file.
    pub fn uses(&self) -> &[String] {
        match self {
            FileKind::HostFortran { uses, .. } | FileKind::Shims { uses, .. } => uses,
            FileKind::DeviceSource | FileKind::DeviceHeader => &[],
        }
    }
}

/// One generated file.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// Below the output folder.
    pub path: PathBuf,
    pub contents: String,
    pub kind: FileKind,
}

/// What became of the statements of one source file. The three add up to the statements of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileAccount {
    /// As the user named it.
    pub path: PathBuf,
    pub kept: usize,
    pub translated: usize,
    pub refused: usize,
}

/// The account of statements, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub files: Vec<FileAccount>,
}

impl Report {
    /// The sum over all files.
    pub fn total(&self) -> FileAccount {
        let mut total = FileAccount::default();
        for file in &self.files {
            total.kept += file.kept;
            total.translated += file.translated;
            total.refused += file.refused;
        }
        total
    }
}

/// The result of a translation.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// The files of every source that has no error.
    pub files: Vec<OutputFile>,
    pub report: Report,
    /// By file and place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Translation {
    /// Whether anything was refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }
}

/// Translates `inputs` as one program: modules are found across files.
pub fn translate(inputs: &[SourceInput], options: &TranslateOptions) -> Translation {
    let _ = options;
    let mut translation = Translation::default();
    for input in inputs {
        translation.diagnostics.push(Diagnostic {
            code: "CUF0001",
            severity: Severity::Error,
            message: "translation is not implemented yet".to_owned(),
            file: input.path.clone(),
            line: 0,
            column: 0,
            end_column: 0,
            help: None,
            source_line: String::new(),
        });
    }
    translation
}
