//! The translation as one function: source files in, generated files and diagnostics out. No file is touched here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::diag::levels::{Choice, Levels};
use crate::diag::message::lossy;
use crate::diag::parts::Parts;
use crate::diag::{Diagnostic, Fix, Severity};
use crate::map::{OutputKind, SourceMap};
pub use crate::pipeline::Compiled;
use crate::pipeline::PipelineOptions;
pub use crate::pipeline::SourceFile as SourceInput;
pub use crate::pipeline::{
    Action, DefinedDummies, Dialect, Environment, Externals, MemoryMode, Outline, Remark,
    Sequences, Wrap, agree_on,
};
use crate::program_info::Facts;
use crate::source::{MacroUse, Skipped};
use crate::survey::Survey;
use crate::{pipeline, source};

/// How to translate.
#[derive(Clone, Debug, Default)]
pub struct TranslateOptions {
    /// `-D` and `-U`, in the order given, as written (`-DN=3`).
    pub macros: Vec<String>,
    /// `-I`: where include files are looked up after the folder of the including file.
    pub include_folders: Vec<PathBuf>,
    /// Reads include files, which are looked up beside the including file and in `include_folders`.
    pub includes: IncludeReader,
    /// Preprocess every file, not only those with a capital extension.
    pub preprocess: bool,
    /// Every file is in fixed form, or none; None: by the extension.
    pub fixed: Option<bool>,
    /// The last column of fixed-form lines, 0: there is none; None: 72.
    pub columns: Option<usize>,
    /// Fixed-form lines that begin with `d` are code.
    pub debug_lines: bool,
    /// OpenMP conditional compilation lines (`!$ `) count as code.
    pub openmp: bool,
    /// Only files with the extension `.cuf` or `.CUF` are CUDA Fortran, as for nvfortran without `-cuda`: in others `_CUDA` is not defined, and
    /// lines with the sentinels `!@cuf` and `!$cuf` are comments.
    pub cuda_by_extension: bool,
    pub goal: Action,
    pub dialect: Dialect,
    /// Modules (folded names) that the Fortran compiler will find compiled. None: this is not known, and a missing one is a warning.
    pub outside: Option<BTreeSet<String>>,
    /// Files compiled by themselves define these external procedures; what interface bodies say of their arrays is read accordingly.
    pub elsewhere: Sequences,
    /// See [`PipelineOptions::leave_memory`].
    pub leave_memory: bool,
    /// See [`PipelineOptions::show_ir`].
    pub show_ir: bool,
    /// See [`PipelineOptions::facts`].
    pub facts: bool,
    /// See [`PipelineOptions::keep_loops`].
    pub keep_loops: bool,
    /// See [`PipelineOptions::line_directives`].
    pub line_directives: bool,
    /// See [`PipelineOptions::checked`].
    pub checked: bool,
    /// Files of the program that have been compiled by themselves; as others will be (see [`PipelineOptions::separate`]). None: the inputs are the
    /// whole program.
    pub before: Option<Vec<Compiled>>,
    /// See [`PipelineOptions::expand_macros`].
    pub expand_macros: bool,
    /// See [`PipelineOptions::wrap`].
    pub wrap: Wrap,
    /// See [`PipelineOptions::step`].
    pub step: Option<fn()>,
    /// What becomes of warnings. A file with one that is an error has no output.
    pub levels: Levels,
    /// See [`PipelineOptions::wider_libraries`].
    pub wider_libraries: bool,
    /// Make [`Translation::map`]. The files are the same without it.
    pub source_map: bool,
}

/// Gives the contents of an include file; None: there is no such file. Nothing is found by default, [`crate::driver::inputs::INCLUDES`]
/// reads the disk.
#[derive(Clone, Copy, Debug)]
pub struct IncludeReader(pub fn(&Path) -> Option<Vec<u8>>);

impl Default for IncludeReader {
    fn default() -> Self {
        Self(|_| None)
    }
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
    /// Where lines of a device source or header come from (`.cu.lines`), which that includes.
    SourceLines,
    /// Included by host code: the user's, perhaps with edits.
    Included,
}

impl FileKind {
    /// The Fortran modules that the file defines.
    pub fn provides(&self) -> &[String] {
        match self {
            FileKind::HostFortran { provides, .. } | FileKind::Shims { provides, .. } => provides,
            FileKind::DeviceSource
            | FileKind::DeviceHeader
            | FileKind::SourceLines
            | FileKind::Included => &[],
        }
    }

    /// The Fortran modules that must be compiled before the file.
    pub fn uses(&self) -> &[String] {
        match self {
            FileKind::HostFortran { uses, .. } | FileKind::Shims { uses, .. } => uses,
            FileKind::DeviceSource
            | FileKind::DeviceHeader
            | FileKind::SourceLines
            | FileKind::Included => &[],
        }
    }
}

/// One generated file.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// Below the output folder.
    pub path: PathBuf,
    /// In the encoding of the source file.
    pub contents: Vec<u8>,
    pub kind: FileKind,
    /// The file that it was made of, as the user named it.
    pub source: PathBuf,
}

/// What became of the statements of one source file. The three add up to the statements of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileAccount {
    /// As the user named it.
    pub path: PathBuf,
    pub kept: usize,
    pub translated: usize,
    pub refused: usize,
    /// What the file uses; empty but for [`Action::Check`] and separate compilation.
    pub survey: Survey,
    /// What became of its kernels and CUF loops; empty but for separate compilation.
    pub made: Vec<Remark>,
}

/// The account of statements, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub files: Vec<FileAccount>,
    /// Branches that the preprocessor left out, by file and line.
    pub skipped: Vec<Skipped>,
}

impl Report {
    /// The sum over all files.
    pub fn total(&self) -> FileAccount {
        let mut total = FileAccount::default();
        for file in &self.files {
            total.kept += file.kept;
            total.translated += file.translated;
            total.refused += file.refused;
            total.survey.add(&file.survey);
        }
        total
    }
}

/// A macro of which the files hold both choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantMacro {
    pub name: String,
    /// The value that it has if it is chosen.
    pub value: String,
    /// Code names it, or it is asked for in two ways: the value is the only one besides being without it.
    pub exact: bool,
    /// Conditionals ask for its value (`#if M`), not whether it is defined.
    pub by_value: bool,
    /// It was chosen when the translation was asked for.
    pub given: bool,
    /// The choice is between this whole number and others.
    pub is_number: bool,
}

impl VariantMacro {
    /// The macro as compilers of device code have it, whose headers may use the name of the user's for something else: 1 or 0.
    pub fn in_device_code(&self) -> VariantMacro {
        VariantMacro {
            name: format!("CUF_WITH_{}", self.name),
            by_value: true,
            ..self.clone()
        }
    }
}

/// A macro of which the files hold several whole numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    pub name: String,
    /// The number at the translation: the default, or that of the options.
    pub value: String,
    /// The options give it; else a build may leave it out.
    pub given: bool,
    /// The others, as they are tried.
    pub others: Vec<String>,
    /// Device code asks for it.
    pub in_device_code: bool,
}

impl Numbers {
    /// All numbers, the smallest first.
    pub fn all(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.others.iter().map(|o| &**o).collect();
        all.push(&self.value);
        all.sort_by_key(|n| (n.len(), n.to_string()));
        all
    }

    /// The choice between a number and the others.
    pub fn choice(&self, value: &str) -> VariantMacro {
        VariantMacro {
            name: self.name.clone(),
            value: value.to_owned(),
            exact: true,
            is_number: true,
            ..VariantMacro::default()
        }
    }
}

/// What became of the choices that leave out CUDA Fortran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The macros of which the files hold both.
    pub both: Vec<VariantMacro>,
    /// Those by which no file differs: they choose among text of the user's that stays under its conditionals.
    pub neutral: Vec<VariantMacro>,
    /// Those of which they hold several numbers.
    pub numbers: Vec<Numbers>,
    /// Those of which they hold the one that was asked for, and why.
    pub one: Vec<(String, String)>,
}

/// How a macro may be set when the files are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// As at the translation.
    Fixed,
    /// Both choices are in the files.
    Both,
    /// No file depends on it but by conditionals of the user's.
    Neutral,
    /// Several whole numbers are in the files.
    Numbers,
}

/// A macro by which the files depend on how they are compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    /// What it was at the translation; None: it was not defined.
    pub value: Option<String>,
    /// Where a conditional asks for it: file and line.
    pub place: Option<(PathBuf, u32)>,
    pub freedom: Freedom,
    /// The only value that a choice has besides being without the macro.
    pub exactly: Option<String>,
    /// The whole numbers that it may be, with [`Freedom::Numbers`].
    pub numbers: Vec<String>,
    /// Why it must stay, where that is known.
    pub why: Option<String>,
}

impl Setting {
    /// The values for which the files are right, that of the translation first.
    pub fn values(&self) -> String {
        let shown = |value: &str| format!("= {}", value.replace(char::is_control, "?"));
        if self.freedom == Freedom::Numbers {
            let all = format!("= {}", self.numbers.join(", "));
            return match self.value {
                None => format!("not defined, or {all}"),
                Some(_) => all,
            };
        }
        match (&self.value, &self.exactly) {
            (None, None) => "not defined".to_owned(),
            (Some(value), None) => shown(value),
            (None, Some(other)) => format!("not defined, or {}", shown(other)),
            (Some(value), Some(_)) => format!("{}, or not defined", shown(value)),
        }
    }

    /// What a build may do.
    pub fn may(&self) -> &'static str {
        match self.freedom {
            Freedom::Fixed => "must stay",
            Freedom::Both => "both choices",
            Freedom::Neutral => "free choice",
            Freedom::Numbers => "these numbers",
        }
    }

    /// How that is known.
    pub fn proof(&self) -> String {
        match (self.freedom, &self.why) {
            (Freedom::Fixed, None) => "translated for this value alone".to_owned(),
            (Freedom::Fixed, Some(why)) => format!("translated for this value alone: {why}"),
            (Freedom::Both, _) => "translated for each choice: the files, preprocessed for a choice, are those of that translation".to_owned(),
            (Freedom::Neutral, _) => "translated for each choice: no file differs".to_owned(),
            (Freedom::Numbers, _) => "translated for each number: the files, preprocessed for a number, are those of that translation".to_owned(),
        }
    }
}

/// Under which macros the files may be compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// There are files that a preprocessor reads.
    pub matter: bool,
    pub all: Vec<Setting>,
    /// All words of the texts that were read.
    pub words: Arc<BTreeSet<String>>,
    /// See [`Translation::cuda_macro`].
    pub guard: Option<String>,
}

/// The result of a translation.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// The files of every source that has no error; without contents for [`Action::Check`].
    pub files: Vec<OutputFile>,
    /// What would be written today for each of [`TranslateOptions::before`].
    pub before: Vec<Vec<OutputFile>>,
    pub report: Report,
    /// The external procedures of the inputs, with [`TranslateOptions::before`].
    pub externals: Externals,
    /// Host code has STRUCTUREs, for which gfortran needs an option.
    pub structures: bool,
    /// The language of the sources, as the options gave it.
    pub dialect: Dialect,
    /// By file and place.
    pub diagnostics: Vec<Diagnostic>,
    /// The include files that were looked for, with what was read; None: there was none.
    pub includes: BTreeMap<PathBuf, Option<Vec<u8>>>,
    /// What every source holds, if [`TranslateOptions::facts`] asks for it.
    pub facts: Vec<Facts>,
    /// The device IR of every file, if [`TranslateOptions::show_ir`] asks for it.
    pub ir: Vec<String>,
    /// The macros that conditionals of the inputs ask for.
    pub asked: BTreeMap<String, MacroUse>,
    /// The macro under which the program's CUDA Fortran stands.
    pub cuda_macro: Option<String>,
    /// See [`choices`](crate::variants).
    pub choices: Choices,
    pub settings: Settings,
    /// Where each token of `files` came from, if [`TranslateOptions::source_map`] asks for it.
    pub map: Option<SourceMap>,
}

impl Translation {
    /// Whether anything was refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }
}

/// Translates `inputs` as one program: modules are found across files. With [`Action::Check`] no text is made.
pub fn translate(inputs: Vec<SourceInput>, options: &TranslateOptions) -> Translation {
    let mut paths: Vec<PathBuf> = inputs.iter().map(|i| i.path.clone()).collect();
    let given = inputs.len();
    let before = options.before.clone().unwrap_or_default();
    let own = given..given + before.len();
    let looked_for = Mutex::new(BTreeMap::new());
    let includes = |path: &Path| {
        let bytes = (options.includes.0)(path);
        if let Ok(mut looked_for) = looked_for.lock() {
            (looked_for.entry(path.to_path_buf())).or_insert_with(|| bytes.clone());
        }
        bytes
    };
    let outcome = pipeline::run(
        inputs,
        before,
        &source_options(options),
        &includes,
        Environment {
            modules: options.outside.as_ref(),
            procedures: Some(&options.elsewhere),
        },
        manner(options),
    );
    let mut translation = Translation {
        dialect: options.dialect,
        includes: looked_for.into_inner().unwrap_or_default(),
        ..Translation::default()
    };
    translation.report.skipped = outcome.skipped;
    translation.cuda_macro = outcome.cuda_macro;
    paths.extend(outcome.others);
    // The warnings for the others have been given.
    let told = outcome.messages.iter();
    let mut denied = BTreeSet::new();
    for m in told.filter(|m| m.file < given || !m.warning) {
        let choice = match m.warning {
            true => options.levels.of(m.code),
            false => Choice::Deny,
        };
        let mut diagnostic = diagnostic(m, &paths);
        match choice {
            Choice::Allow => continue,
            Choice::Warn => {}
            Choice::Deny => {
                diagnostic.severity = Severity::Error;
                denied.insert(m.file);
            }
        }
        translation.diagnostics.push(diagnostic);
    }
    let names = paths
        .iter()
        .take(given)
        .map(|p| p.to_string_lossy().into_owned());
    let mut map = options.source_map.then(|| SourceMap::of(names));
    for (i, f) in outcome.files.iter().enumerate() {
        if own.contains(&i) {
            translation.before.push(output_files(f, &paths[i]));
            continue;
        }
        // The modules of libraries are not the user's; those of separate compilation are compiled once for all.
        if i >= given {
            if options.before.is_none() && !translation.files.is_empty() {
                translation.files.extend(output_files(f, &paths[i]));
            }
            continue;
        }
        let mut files = match denied.contains(&i) {
            true => Vec::new(),
            false => output_files(f, &paths[i]),
        };
        if let (Some(map), Some(of_file)) = (&mut map, &f.map) {
            map.add(i as u32, of_file, &mapped_paths(&files));
        }
        if !files.is_empty() {
            for file in included_files(f, &options.includes.0) {
                let known = translation.files.iter().chain(&files);
                if !known.into_iter().any(|f| f.path == file.path) {
                    files.push(file);
                }
            }
        }
        translation.files.extend(files);
        let externals = &mut translation.externals;
        externals.defined.extend(f.externals.defined.clone());
        externals.described.extend(f.externals.described.clone());
        externals.sequences.extend(f.externals.sequences.clone());
        externals.adapted.extend(f.externals.adapted.clone());
        externals.unseen.extend(f.externals.unseen.clone());
        translation.report.files.push(FileAccount {
            path: paths[i].clone(),
            kept: f.account.kept,
            translated: f.account.translated,
            refused: f.account.refused,
            survey: f.survey.clone(),
            made: f.made.clone(),
        });
        translation.structures |= f.structures;
        translation.settings.matter |= f.was_preprocessed;
        for (name, asked) in &f.asked {
            let all = translation.asked.entry(name.clone()).or_default();
            *all = std::mem::take(all).or(asked);
        }
        translation.ir.extend(f.ir.clone());
        if options.facts {
            translation.facts.push(f.facts.clone());
        }
    }
    translation.map = map;
    translation
}

fn manner(options: &TranslateOptions) -> PipelineOptions {
    PipelineOptions {
        goal: options.goal,
        dialect: options.dialect,
        leave_memory: options.leave_memory,
        show_ir: options.show_ir,
        facts: options.facts,
        keep_loops: options.keep_loops,
        line_directives: options.line_directives,
        checked: options.checked,
        separate: options.before.is_some(),
        expand_macros: options.expand_macros,
        wrap: options.wrap,
        step: options.step,
        source_map: options.source_map,
        wider_libraries: options.wider_libraries,
    }
}

/// The outputs that maps are about, by what they are.
fn mapped_paths(files: &[OutputFile]) -> BTreeMap<OutputKind, String> {
    let kind = |f: &OutputFile| match f.kind {
        FileKind::HostFortran { .. } => Some(OutputKind::HostFortran),
        FileKind::Shims { .. } => Some(OutputKind::Shims),
        FileKind::DeviceSource => Some(OutputKind::DeviceSource),
        FileKind::DeviceHeader => Some(OutputKind::DeviceHeader),
        FileKind::SourceLines | FileKind::Included => None,
    };
    let path = |f: &OutputFile| f.path.to_string_lossy().replace('\\', "/");
    let files = files.iter().filter_map(|f| Some((kind(f)?, path(f))));
    files.collect()
}

/// What a file defines and needs, as far as it can be read.
pub fn outline_of(input: &SourceInput, options: &TranslateOptions) -> Outline {
    pipeline::outline_of(input, &source_options(options), &options.includes.0)
}

/// How the external procedures that these files define take arrays, by file.
pub fn sequences_of(inputs: &[SourceInput], options: &TranslateOptions) -> Vec<Sequences> {
    let reading = source_options(options);
    pipeline::sequences_of(inputs, &reading, &options.includes.0, options.dialect)
}

/// How the source pass reads files.
pub fn source_options(options: &TranslateOptions) -> source::Options {
    let macros = source::macros_of(&options.macros);
    source::Options {
        macros,
        include_folders: options.include_folders.clone(),
        preprocess: options.preprocess.then_some(true),
        fixed: options.fixed,
        columns: options.columns,
        debug_lines: options.debug_lines,
        respace: false,
        openmp: options.openmp,
        openacc: options.dialect.openacc,
        cuda_by_extension: options.cuda_by_extension,
        plain_backslashes: !options.dialect.escapes,
    }
}

fn diagnostic(m: &pipeline::Message, paths: &[PathBuf]) -> Diagnostic {
    let column = |bytes: u32| {
        if m.source_line.is_empty() {
            return bytes;
        }
        let line = m
            .source_line
            .get(..bytes.saturating_sub(1) as usize)
            .unwrap_or(&m.source_line);
        line.chars().count() as u32 + 1
    };
    let (file, line, start) = match &m.at {
        Some(p) => (p.file.clone(), p.line, column(p.column)),
        None => (paths.get(m.file).cloned().unwrap_or_default(), 0, 0),
    };
    let end_column = column(m.end_column).max(start);
    let parts = Parts::of(&m.text);
    let help: Vec<&str> = (parts.help.iter().map(String::as_str))
        .chain(m.help.as_deref())
        .collect();
    let fix = |c: &pipeline::Change| Fix {
        file: lossy(&c.at.file),
        line: c.at.line,
        column: c.columns.0,
        end_column: c.columns.1,
        original: c.original.clone(),
        replacement: c.text.clone(),
        safe: c.is_safe,
    };
    Diagnostic {
        code: m.code,
        severity: if m.warning {
            Severity::Warning
        } else {
            Severity::Error
        },
        message: parts.headline,
        file,
        line,
        column: start,
        end_column,
        end: m.end.unwrap_or((line, end_column)),
        help: (!help.is_empty()).then(|| help.join("\n")),
        notes: parts.notes.into_iter().chain(m.notes.clone()).collect(),
        fixes: m.change.iter().map(fix).collect(),
        source_line: m.source_line.clone(),
        openacc: m.openacc,
    }
}

/// What a host file includes and comes along: at the same places beside it.
fn included_files(
    f: &pipeline::FileResult,
    find: &dyn Fn(&Path) -> Option<Vec<u8>>,
) -> Vec<OutputFile> {
    let file = |i: &pipeline::Included| {
        Some(OutputFile {
            source: i.path.clone(),
            path: i.place.clone(),
            contents: match &i.text {
                Some(text) => bytes_of(f, text),
                None => find(&i.path)?,
            },
            kind: FileKind::Included,
        })
    };
    f.included.iter().filter_map(file).collect()
}

/// A text of a file's outputs, in its encoding.
fn bytes_of(f: &pipeline::FileResult, text: &str) -> Vec<u8> {
    match f.latin1 {
        true => source::encode(text),
        false => text.as_bytes().to_vec(),
    }
}

fn output_files(f: &pipeline::FileResult, source: &Path) -> Vec<OutputFile> {
    let mut out = Vec::new();
    let name = |suffix: &str| pipeline::with_suffix(&f.stem, suffix);
    let bytes = |text: &str| bytes_of(f, text);
    let included = f.included.iter().filter_map(|i| i.text.as_deref());
    let host: Vec<&str> = f.host.as_deref().into_iter().chain(included).collect();
    let uses_module = |module: &str| {
        let line = format!("use {module}");
        host.iter().any(|text| text.contains(&line))
    };
    if let (Some(text), Some(module)) = (&f.shims, &f.shims_module) {
        out.push(OutputFile {
            source: source.to_path_buf(),
            path: name("_shims.f90"),
            contents: bytes(text),
            kind: FileKind::Shims {
                provides: vec![module.clone()],
                uses: vec!["cuf_runtime".to_owned()],
            },
        });
    }
    if let Some(text) = &f.host {
        let mut uses = f.uses.clone();
        uses.extend(f.shims_module.clone().filter(|m| uses_module(m)));
        for module in ["cuf_runtime", "cuf_builtins"] {
            if uses_module(module) && !uses.iter().any(|u| u == module) {
                uses.push(module.to_owned());
            }
        }
        out.push(OutputFile {
            source: source.to_path_buf(),
            path: pipeline::host_name(&f.stem, f.preprocessed, f.fixed),
            contents: bytes(text),
            kind: FileKind::HostFortran {
                provides: f.provides.clone(),
                uses,
                main_program: f.main_program.clone(),
            },
        });
    }
    if let Some(text) = &f.device_source {
        out.push(OutputFile {
            source: source.to_path_buf(),
            path: name(".cu"),
            contents: bytes(text),
            kind: FileKind::DeviceSource,
        });
    }
    if let Some(text) = &f.device_header {
        out.push(OutputFile {
            source: source.to_path_buf(),
            path: name(".cuh"),
            contents: bytes(text),
            kind: FileKind::DeviceHeader,
        });
    }
    let lines = [
        (&f.source_lines, ".cu.lines"),
        (&f.header_lines, ".cuh.lines"),
    ];
    for (text, suffix) in lines {
        if let Some(text) = text {
            out.push(OutputFile {
                source: source.to_path_buf(),
                path: name(suffix),
                contents: bytes(text),
                kind: FileKind::SourceLines,
            });
        }
    }
    out
}
