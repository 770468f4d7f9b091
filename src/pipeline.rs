//! The passes in order: source, syntax, semantics, lowering, host edits, printing. Pure: no file is read or written here.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::account::{Account, Places, account};
use crate::ast::{self, DeclKind, ProgramUnit, Span, UnitKind};
use crate::lower::FileName;
use crate::once::without_echoes;
use crate::sema::model::FileId;
use crate::sema::{Finding, Input};
use crate::source::{self, Position, Skipped, SourceError, SourceText};
use crate::survey::{Survey, survey};
use crate::{emit, host, lower, sema, syntax};

/// Stack of the threads that walk trees, bytes: sized for the deepest nesting that the syntax pass lets through.
const STACK: usize = 256 << 20;

/// Longest line that is shown with a message, bytes.
const MAX_SHOWN_LINE: usize = 4_000;

/// One file of the program.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As the user named it.
    pub path: PathBuf,
    /// Below the source folder; gives the output's place.
    pub relative: PathBuf,
    pub bytes: Vec<u8>,
}

/// What the passes made of one file.
#[derive(Clone, Debug, Default)]
pub struct FileResult {
    /// Output path without extension, below the output folder.
    pub stem: PathBuf,
    /// The source file's encoding, see [`source::SourceText::latin1`].
    pub latin1: bool,
    /// See [`source::SourceText::structures`].
    pub structures: bool,
    pub host: Option<String>,
    pub shims: Option<String>,
    pub device_source: Option<String>,
    pub device_header: Option<String>,
    /// Modules defined, folded.
    pub provides: Vec<String>,
    /// Modules used, folded; ancestors of submodules included.
    pub uses: Vec<String>,
    pub shims_module: Option<String>,
    /// Folded name of the main program, if the file has one (empty without PROGRAM statement).
    pub main_program: Option<String>,
    pub account: Account,
    /// For [`Goal::Check`].
    pub survey: Survey,
}

/// A message with its place in the user's file.
#[derive(Clone, Debug)]
pub struct Message {
    pub code: &'static str,
    pub warning: bool,
    pub text: String,
    /// Index of the file in the input.
    pub file: usize,
    /// None: the file as a whole.
    pub at: Option<Position>,
    /// Column after the last byte on the same line, in bytes.
    pub end_column: u32,
    /// Empty if it is too long to be shown.
    pub source_line: String,
    pub help: Option<String>,
}

/// Everything that came out.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Parallel to the input. A file with an error has no texts.
    pub files: Vec<FileResult>,
    /// By file, then place.
    pub messages: Vec<Message>,
    /// Branches that the preprocessor left out of any file, by file and line.
    pub skipped: Vec<Skipped>,
}

/// Only analyse, or also generate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    Check,
    #[default]
    Translate,
}

/// How to run the passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    pub goal: Goal,
    /// 0: all cores. The result does not depend on the number.
    pub threads: usize,
    /// The process ends soon: the trees are left to the system, which frees them in no time.
    pub leave_memory: bool,
}

/// Runs all passes over a program.
pub fn run(
    files: Vec<SourceFile>,
    options: &source::Options,
    include: source::Files<'_>,
    manner: Manner,
) -> Outcome {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(manner.threads)
        .stack_size(STACK)
        .build();
    match pool {
        Ok(pool) => pool.install(|| passes(files, options, include, manner)),
        // No threads to be had: the caller's own will do for all but absurd nesting.
        Err(_) => passes(files, options, include, manner),
    }
}

struct Parsed {
    source: SourceText,
    tree: ast::File,
    errors: Vec<syntax::SyntaxError>,
    /// Of the user's file.
    lines: usize,
}

fn passes(
    mut files: Vec<SourceFile>,
    options: &source::Options,
    include: source::Files<'_>,
    manner: Manner,
) -> Outcome {
    let goal = manner.goal;
    let mut out = Outcome {
        files: vec![FileResult::default(); files.len()],
        ..Outcome::default()
    };
    let parsed: Vec<Result<Parsed, SourceError>> = files
        .par_iter_mut()
        .map(|f| parse(&f.path, std::mem::take(&mut f.bytes), options, include))
        .collect();

    // The semantic passes see the files that could be read; `index` leads back to the input.
    let mut good = Vec::new();
    let mut index = Vec::new();
    for (i, p) in parsed.into_iter().enumerate() {
        match p {
            Ok(p) => {
                for e in &p.errors {
                    out.messages.push(message_at(
                        &p.source,
                        i,
                        "CUF0101",
                        e.span,
                        e.message.clone(),
                    ));
                }
                for x in &p.source.problems {
                    out.messages.push(problem_message(x, i));
                }
                out.skipped.extend(p.source.skipped.iter().cloned());
                good.push(p);
                index.push(i);
            }
            Err(e) => {
                let mut m = unreadable(i, &e);
                // Nothing is missing where others hold something.
                m.warning = matches!(e, SourceError::Empty) && files.len() > 1;
                out.messages.push(m);
            }
        }
    }
    // A file that several include is reported once.
    out.skipped.sort();
    out.skipped.dedup();
    let paths: Vec<String> = good
        .iter()
        .map(|p| p.source.path.display().to_string())
        .collect();
    let inputs: Vec<Input<'_>> = good
        .iter()
        .zip(&paths)
        .map(|(p, path)| Input {
            path,
            text: &p.source.text,
            ast: &p.tree,
        })
        .collect();
    let (model, mut checks) = sema::analyze(&inputs);

    let stems = unique_stems(index.iter().map(|i| files[*i].relative.as_path()));
    let source_names: Vec<String> = index
        .iter()
        .map(|i| {
            files[*i]
                .path
                .file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default()
        })
        .collect();
    let line_numbers: Vec<Vec<u32>> = good.iter().map(|p| p.source.line_numbers()).collect();
    let output_paths: Vec<String> = index
        .iter()
        .map(|i| output_path(&files[*i].relative))
        .collect();
    let names: Vec<FileName<'_>> = stems
        .iter()
        .zip(&source_names)
        .zip(&line_numbers)
        .zip(&output_paths)
        .map(|(((stem, source), lines), path)| FileName {
            stem,
            source,
            path,
            lines,
        })
        .collect();
    let purpose = match goal {
        Goal::Check => lower::Purpose::Check,
        Goal::Translate => lower::Purpose::Translate,
    };
    let (found, (lowered, mut later)) = rayon::join(
        || sema::check(&model, &inputs),
        || lower::lower(&model, &inputs, &names, purpose),
    );
    checks.extend(found);

    let guarded = host::net::is_needed(&model);
    let doubtful = host::names::doubtful(good.iter().map(|p| &*p.source.text));
    let setting = host::Setting {
        openmp: options.openmp,
        doubtful: &doubtful,
    };
    let hosts: Vec<host::HostFile> = (0..good.len())
        .into_par_iter()
        .map(|k| {
            let p = &good[k];
            let mut h = host::translate(
                &model,
                FileId(k as u32),
                &p.tree,
                p.source.host(),
                &stems[k],
                &lowered[k].launchers,
                setting,
            );
            if guarded && h.findings.is_empty() {
                let (text, origins) = &h.unwrapped;
                let (written, _) = syntax::parse(text);
                let found = host::net::check(&model, FileId(k as u32), &written, origins);
                h.findings.extend(found);
            }
            h.unwrapped = Default::default();
            if goal == Goal::Check {
                h.text = String::new();
            }
            h
        })
        .collect();

    for h in &hosts {
        later.extend(h.findings.iter().cloned());
    }
    later.extend(sema::beyond_limits(&model));
    let syntax: Vec<Vec<Span>> = good
        .iter()
        .map(|p| p.errors.iter().map(|e| e.span).collect())
        .collect();
    let mut findings = without_echoes(&model, &inputs, &syntax, checks, later);
    findings.sort_by(|a, b| place_of(a).cmp(&place_of(b)));
    findings.dedup_by(|a, b| a.file == b.file && a.span == b.span && a.message == b.message);
    for f in &findings {
        out.messages.push(finding_message(f, &good, &index));
    }
    out.messages.sort_by(|a, b| {
        let place = |m: &Message| (m.file, m.at.as_ref().map_or((0, 0), |p| (p.line, p.column)));
        place(a).cmp(&place(b))
    });

    let errors = out.messages.iter().filter(|m| !m.warning);
    let failed_files: BTreeSet<usize> = errors.map(|m| m.file).collect();
    let finish = |(k, h): (usize, host::HostFile)| {
        let i = index[k];
        let failed = failed_files.contains(&i);
        let mut result = FileResult {
            stem: PathBuf::from(&output_paths[k]),
            ..FileResult::default()
        };
        let file = FileId(k as u32);
        let first = findings.partition_point(|f| f.file < file);
        let refused: Vec<Span> = findings[first..]
            .iter()
            .take_while(|f| f.file == file)
            .filter(|f| !f.warning)
            .map(|f| f.span)
            .chain(good[k].errors.iter().map(|e| e.span))
            .collect();
        let refused = Places::new(&refused);
        result.account = account(&good[k].tree, &h.edited, &refused);
        if !good[k].errors.is_empty() {
            // Those that the parser could not read are not in the tree.
            let a = &mut result.account;
            let all = good[k].source.statements();
            a.refused += all.saturating_sub(a.kept + a.translated + a.refused);
        }
        (result.provides, result.uses, result.main_program) = module_graph(&good[k].tree);
        if goal == Goal::Check {
            result.survey = survey(&model, file, &inputs[k], &result.uses, &refused);
            result.survey.lines = good[k].lines;
        }
        if failed || goal == Goal::Check {
            return (i, result);
        }
        let unit = &lowered[k].unit;
        let shims_module = host::shims::module_name(&stems[k], &doubtful);
        result.shims = host::shims::text(&shims_module, &source_names[k], &lowered[k].launchers);
        result.shims_module = result.shims.as_ref().map(|_| shims_module);
        result.latin1 = good[k].source.latin1;
        result.structures = good[k].source.structures;
        result.host = Some(h.text);
        if !unit.is_empty() {
            let located = |t: emit::cpp::Text| located(t, &source_names[k], &good[k].source);
            result.device_source = unit.has_source().then(|| located(emit::cpp::source(unit)));
            result.device_header = unit.has_header().then(|| located(emit::cpp::header(unit)));
        }
        (i, result)
    };
    let results: Vec<(usize, FileResult)> = hosts.into_par_iter().enumerate().map(finish).collect();
    for (i, result) in results {
        out.files[i] = result;
    }
    if manner.leave_memory {
        std::mem::forget((good, model, lowered));
    } else {
        // Trees of many small parts: freeing them takes its time.
        good.into_par_iter().for_each(drop);
    }
    out
}

/// What findings are sorted by; two that agree in it are the same.
fn place_of(f: &Finding) -> (FileId, u32, &'static str, u32, &str) {
    (f.file, f.span.start, f.code, f.span.end, &f.message)
}

/// The text with the places of its waiting statements in the user's file; those of included files are left out.
fn located(t: emit::cpp::Text, name: &str, source: &SourceText) -> String {
    let lines: Vec<(usize, u32)> = t
        .lines
        .iter()
        .map(|(line, offset)| (*line, source.position(*offset)))
        .filter(|(_, at)| at.file.file_name().is_some_and(|f| f == name))
        .map(|(line, at)| (line, at.line))
        .collect();
    t.text + &emit::cpp::source_lines(name, &lines)
}

fn parse(
    path: &Path,
    bytes: Vec<u8>,
    options: &source::Options,
    include: source::Files<'_>,
) -> Result<Parsed, SourceError> {
    let mut source = source::load(path, &bytes, options, include)?;
    let (mut tree, mut errors) = syntax::parse(&source.text);
    if !errors.is_empty() {
        // Perhaps blanks stand inside words of fixed form, or none between words.
        let options = source::Options {
            respace: true,
            ..options.clone()
        };
        let respaced = source::load(path, &bytes, &options, include)?;
        if respaced.text != source.text {
            let (other, remaining) = syntax::parse(&respaced.text);
            if remaining.len() < errors.len() {
                (source, tree, errors) = (respaced, other, remaining);
            }
        }
    }
    tree.mark_structures(&source.structure_types);
    Ok(Parsed {
        source,
        tree,
        errors,
        lines: bytes.split_inclusive(|b| *b == b'\n').count(),
    })
}

fn unreadable(file: usize, e: &SourceError) -> Message {
    let (code, text) = match e {
        SourceError::Empty => (
            "CUF0003",
            "the file is empty: there is nothing to translate".to_owned(),
        ),
        SourceError::TooLarge => (
            "CUF0007",
            "the file expands to more than 1 GiB of text".to_owned(),
        ),
        SourceError::Binary(at) => (
            "CUF0002",
            format!("this is no text file: there is a zero byte at offset {at}"),
        ),
    };
    Message {
        code,
        warning: false,
        text,
        file,
        at: None,
        end_column: 0,
        source_line: String::new(),
        help: None,
    }
}

fn problem_message(x: &source::Problem, file: usize) -> Message {
    Message {
        code: x.code,
        warning: false,
        text: x.message.clone(),
        file,
        at: Some(Position {
            file: x.file.clone(),
            line: x.line,
            column: 1,
        }),
        end_column: 1,
        source_line: x.source_line.clone(),
        help: None,
    }
}

fn message_at(
    source: &SourceText,
    file: usize,
    code: &'static str,
    span: ast::Span,
    text: String,
) -> Message {
    let at = source.position(span.start);
    let line = source.line_text(span.start);
    // Nobody reads a line this long, and each message would have a copy.
    let shown = if line.len() <= MAX_SHOWN_LINE {
        line
    } else {
        ""
    };
    let width = span.end.saturating_sub(span.start).max(1);
    let end_column = (at.column + width)
        .min(line.len() as u32 + 1)
        .max(at.column);
    Message {
        code,
        warning: false,
        text,
        file,
        at: Some(at),
        end_column,
        source_line: shown.to_owned(),
        help: None,
    }
}

fn finding_message(f: &Finding, good: &[Parsed], index: &[usize]) -> Message {
    let k = f.file.0 as usize;
    let mut m = match good.get(k) {
        Some(p) => message_at(&p.source, index[k], f.code, f.span, f.message.clone()),
        None => Message {
            code: f.code,
            warning: false,
            text: f.message.clone(),
            file: 0,
            at: None,
            end_column: 0,
            source_line: String::new(),
            help: None,
        },
    };
    m.warning = f.warning;
    m.help = f.help.clone();
    m
}

/// Path of the output files of a source, without extension. What Makefiles and shells read otherwise becomes `_`.
fn output_path(relative: &Path) -> String {
    let portable = |name: &str| -> String {
        let keeps = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '@' | ',');
        let name: String = name
            .chars()
            .map(|c| if keeps(c) { c } else { '_' })
            .collect();
        match name.strip_prefix('-') {
            Some(rest) => format!("_{rest}"),
            None => name,
        }
    };
    let stem = relative.with_extension("");
    let parts: Vec<String> = stem
        .components()
        .map(|c| portable(&c.as_os_str().to_string_lossy()))
        .collect();
    parts.join("/")
}

/// Names for generated modules, unique in the program: the file's base name, numbered where two agree.
fn unique_stems<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    // Where to go on counting for each name.
    let mut counts: HashMap<String, usize> = HashMap::new();
    paths
        .map(|p| {
            let base = p
                .file_stem()
                .map(|s| s.to_string_lossy().into_owned())
                .unwrap_or_default();
            let mut name = base.clone();
            let n = counts.entry(host::shims::folded(&base)).or_insert(1);
            while !seen.insert(host::shims::folded(&name)) {
                *n += 1;
                name = format!("{base}_{n}");
            }
            name
        })
        .collect()
}

/// Modules provided and used by a file, and its main program.
fn module_graph(tree: &ast::File) -> (Vec<String>, Vec<String>, Option<String>) {
    let mut provides = Vec::new();
    let mut uses = BTreeSet::new();
    let mut main = None;
    for u in &tree.units {
        match &u.kind {
            UnitKind::Module => provides.push(u.name.text.to_string()),
            UnitKind::Program => main = Some(u.name.text.to_string()),
            UnitKind::Submodule { ancestor, .. } => {
                uses.insert(ancestor.text.to_string());
            }
            _ => {}
        }
        collect_uses(u, &mut uses);
    }
    (provides, uses.into_iter().collect(), main)
}

fn collect_uses(u: &ProgramUnit, uses: &mut BTreeSet<String>) {
    for d in &u.spec {
        match &d.kind {
            DeclKind::Use(x) if !x.intrinsic => {
                uses.insert(x.module.text.to_string());
            }
            DeclKind::Interface(i) => i.bodies.iter().for_each(|b| collect_uses(b, uses)),
            _ => {}
        }
    }
    u.procedures.iter().for_each(|p| collect_uses(p, uses));
}
