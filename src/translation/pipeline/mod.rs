//! The passes in order: source, syntax, semantics, lowering, host edits, printing. Pure: no file is read or written here.

mod copied_includes;
mod directives;
mod emit_files;
mod host_files;
mod interface_hash;
mod library_modules;
mod messages;
mod module_scan;
mod names;
mod openacc;
mod parameterized;
mod parsed;
mod remarks;
mod source_map;
mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub(crate) use emit_files::{host_name, with_suffix};

use copied_includes::CopiedIncludes;
pub use copied_includes::Included;
use names::Used;
use parsed::{Parsed, parse};
use rayon::prelude::*;

use crate::abi::FileLaunchers;
use crate::ast::{Lost, Span};
use crate::cascade::without_echoes;
use crate::host::HostFile;
use crate::ir::validate::{Checked, Violation};
use crate::ir::{BarrierFreeKernel, Unit};
use crate::lower::FileName;
use crate::map::{Disposition, FileMap};
pub use crate::passes::overflow::Wrap;
use crate::passes::{
    self, barrier_free, dead_code, grid_stride, index_base, index_width, narrow, overflow,
    placement, sync_points,
};
use crate::program_info::{self, Facts};
pub use crate::sema::Environment;
pub use crate::sema::model::dialect::{Dialect, MemoryMode};
use crate::sema::model::externals::externals;
pub use crate::sema::model::externals::{DefinedDummies, Externals, Sequences, agree as agree_on};
use crate::sema::model::{FileId, Model};
use crate::sema::{Finding, Input};
use crate::source::{self, MacroUse, Position, Skipped, SourceError};
use crate::statement_stats::{Places, StatementCounts, fates};
use crate::survey::{Survey, survey};
use crate::{host, ir, lower, sema, syntax};
use emit_files::Mapped;
pub use module_scan::{Outline, outline_of, sequences_of};
pub use remarks::Remark;
use source_map::Builder;
use verify::Guard;

/// The folder of the output that holds the modules of libraries.
const LIBRARIES: &str = "cuf";

/// One file of the program.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As the user named it.
    pub path: PathBuf,
    /// Below the source folder; gives the output's place.
    pub relative: PathBuf,
    pub bytes: Vec<u8>,
}

/// A file that has been compiled by itself, and whose modules are used.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub file: SourceFile,
    /// As it was read then.
    pub options: source::Options,
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
    /// The source was preprocessed.
    pub was_preprocessed: bool,
    /// The host text has lines for the preprocessor.
    pub preprocessed: bool,
    /// It is in fixed form.
    pub fixed: bool,
    /// Files that it includes and that come along.
    pub included: Vec<Included>,
    pub shims: Option<String>,
    pub device_source: Option<String>,
    pub device_header: Option<String>,
    /// What the device source and the header include, for messages.
    pub source_lines: Option<String>,
    pub header_lines: Option<String>,
    /// Modules defined, folded.
    pub provides: Vec<String>,
    /// Modules used, folded; ancestors of submodules included.
    pub uses: Vec<String>,
    pub shims_module: Option<String>,
    /// Folded name of the main program, if the file has one (empty without PROGRAM statement).
    pub main_program: Option<String>,
    /// The device IR as text, if [`PipelineOptions::show_ir`] asks for it.
    pub ir: Option<String>,
    /// Lines of branches left out that the host text has, by file.
    pub kept: BTreeSet<(PathBuf, u32)>,
    /// The macros that its conditionals ask for.
    pub asked: BTreeMap<String, MacroUse>,
    pub account: StatementCounts,
    /// For [`Action::Check`] and [`PipelineOptions::separate`].
    pub survey: Survey,
    /// For [`PipelineOptions::separate`].
    pub made: Vec<Remark>,
    /// For [`PipelineOptions::separate`].
    pub externals: Externals,
    /// For [`PipelineOptions::facts`].
    pub facts: Facts,
    /// If [`PipelineOptions::source_map`] asks for it.
    pub map: Option<FileMap>,
}

/// A message with its place in the user's file.
#[derive(Clone, Debug)]
pub struct Message {
    pub code: &'static str,
    pub warning: bool,
    /// Headline, and what else its text says (`diag::parts`).
    pub text: String,
    /// Index of the file in the input.
    pub file: usize,
    /// None: the file as a whole.
    pub at: Option<Position>,
    /// Column after the last byte on the same line, in bytes.
    pub end_column: u32,
    /// Where it ends, if that is a later line of the same file; the column is in characters, behind the last.
    pub end: Option<(u32, u32)>,
    /// Empty if it is too long to be shown.
    pub source_line: String,
    /// Other places that matter.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// A change of the source that does it.
    pub change: Option<Change>,
    /// It is about a construct or procedure of OpenACC.
    pub openacc: bool,
}

/// A proposed change of the user's file.
#[derive(Clone, Debug)]
pub struct Change {
    pub at: Position,
    /// Columns in characters, the second one past the last.
    pub columns: (u32, u32),
    pub original: String,
    pub text: String,
    pub is_safe: bool,
}

/// Everything that came out.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Parallel to the input, then the files compiled before, then the modules of libraries that the program uses. A file with an
    /// error has no texts, others have empty ones for [`Action::Check`].
    pub files: Vec<FileResult>,
    /// Paths of the files behind the input, as messages name them.
    pub others: Vec<PathBuf>,
    /// By file, then place.
    pub messages: Vec<Message>,
    /// Branches that the preprocessor left out of any file, by file and line.
    pub skipped: Vec<Skipped>,
    /// The macro under which the program's CUDA Fortran stands.
    pub cuda_macro: Option<String>,
}

/// Only analyse, or also generate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    Check,
    #[default]
    Translate,
}

/// How to run the passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PipelineOptions {
    pub goal: Action,
    pub dialect: Dialect,
    /// The process ends soon: the trees are left to the system, which frees them in no time.
    pub leave_memory: bool,
    /// CUF loops stay in host code, under a macro.
    pub keep_loops: bool,
    /// Outputs for readers, and all device code, tell compilers and debuggers the user's lines. (Of host code that nobody reads the driver
    /// compiles a copy that does.)
    pub line_directives: bool,
    /// Device code is for checks at run time, with the user's lines.
    pub checked: bool,
    /// Other files of the program, which are compiled by themselves, may use what these define.
    pub separate: bool,
    /// Host code is written as the preprocessor left it, without its lines.
    pub expand_macros: bool,
    /// Which integer arithmetic of device code wraps.
    pub wrap: Wrap,
    /// Give the device IR as text, too: as the last pass leaves it, whether it keeps its rules or not.
    pub show_ir: bool,
    /// Tell what the program holds, see [`facts`](crate::program_info).
    pub facts: bool,
    /// Called when a file of the input has been read, and when its host code is done: for whoever shows how far it is.
    pub step: Option<fn()>,
    /// Modules of libraries have what any line of the program names, be it left out.
    pub wider_libraries: bool,
    /// Tell where each token of the outputs comes from.
    pub source_map: bool,
}

impl PipelineOptions {
    /// The preprocessor's lines are wanted in host code. A file compiled by itself leaves no text for readers.
    fn for_readers(&self) -> bool {
        !self.expand_macros && !self.separate
    }

    fn step(&self) {
        if let Some(step) = self.step {
            step();
        }
    }
}

/// Runs all passes over a program, of which `before` has been compiled.
pub fn run(
    files: Vec<SourceFile>,
    before: Vec<Compiled>,
    options: &source::Options,
    include: source::Files<'_>,
    outside: Environment<'_>,
    manner: PipelineOptions,
) -> Outcome {
    stages(files, before, options, include, outside, manner)
}

/// The files that could be read, and what their outputs are called. All parts are parallel.
struct Program {
    parsed: Vec<Parsed>,
    /// How many of `parsed` the program gave: the others are modules of libraries.
    own: usize,
    /// Index of the file in the input.
    index: Vec<usize>,
    /// As the user named the files.
    paths: Vec<String>,
    /// See [`names::unique_stems`].
    stems: Vec<String>,
    /// File names with extension.
    source_names: Vec<String>,
    /// See [`names::output_paths`].
    output_paths: Vec<String>,
    line_numbers: Vec<Vec<u32>>,
    /// Of each file, or one for all.
    around: Vec<ReservedNames>,
    /// See [`source::cuda_macro`].
    cuda_macro: Option<String>,
    /// Modules and their variables that OpenACC declares on the device.
    present: Vec<(String, String)>,
    along: CopiedIncludes,
}

/// The part of a program whose names a file's generated text keeps clear of: all of it, or in separate compilation the file and those
/// whose modules it uses, which are all that are known when it is compiled.
struct ReservedNames {
    /// See [`host::names::doubtful`].
    doubtful: BTreeSet<String>,
    files: Option<BTreeSet<FileId>>,
}

impl ReservedNames {
    /// One for the whole program.
    fn whole(files: &[Parsed]) -> Vec<ReservedNames> {
        vec![ReservedNames {
            doubtful: host::names::doubtful(files.iter().map(|p| &*p.source.text)),
            files: None,
        }]
    }

    /// One for each file.
    fn each(files: &[Parsed]) -> Vec<ReservedNames> {
        let used = Used::of(files.iter().map(|p| &p.tree));
        let around = |k: usize| {
            let seen = used.with_all(k);
            ReservedNames {
                doubtful: host::names::doubtful(seen.iter().map(|k| &*files[*k].source.text)),
                files: Some(seen.into_iter().map(|k| FileId(k as u32)).collect()),
            }
        };
        (0..files.len()).map(around).collect()
    }
}

/// The device side of the program, by file.
struct Device {
    units: Vec<Result<Checked<Unit>, Vec<Violation>>>,
    launchers: Vec<FileLaunchers>,
    printed: Vec<lower::Printed>,
    /// Kernels whose threads do not wait for each other.
    alone: Vec<Vec<BarrierFreeKernel>>,
    /// See [`PipelineOptions::show_ir`]; else empty.
    ir: Vec<String>,
}

fn stages(
    mut files: Vec<SourceFile>,
    before: Vec<Compiled>,
    options: &source::Options,
    include: source::Files<'_>,
    outside: Environment<'_>,
    manner: PipelineOptions,
) -> Outcome {
    let goal = manner.goal;
    let mut out = Outcome {
        files: vec![FileResult::default(); files.len()],
        ..Outcome::default()
    };
    let given = files.len();
    let program = read(&mut files, before, options, include, manner, &mut out);
    out.files.resize_with(files.len(), FileResult::default);
    out.others = files[given..].iter().map(|f| f.path.clone()).collect();
    let inputs = program.inputs();
    let (mut model, mut checks) = sema::analyze_beside(&inputs, manner.dialect, outside);
    model.mark_present(&program.present);
    let (found, (device, mut later)) = rayon::join(
        || sema::check(&model, &inputs),
        || device_side(&program, &model, &inputs, manner),
    );
    checks.extend(found);
    let barred = host::direct::Barred::of(&model);
    let setting = host::Setting {
        impure: &BTreeSet::new(),
        reached: &host::Reached::default(),
        needless: &BTreeSet::new(),
        ownership: &host::Ownership::default(),
        divided: None,
        exposed: None,
        separate: manner.separate,
        openmp: options.openmp,
        keep_loops: manner.keep_loops,
        checked: manner.checked,
        layouts: goal == Action::Translate && manner.for_readers(),
        trails: goal == Action::Translate && manner.source_map,
        // Other files may have it among the procedures of a generic.
        direct_but: Some(&barred).filter(|_| !manner.separate),
        conditional: &|_| false,
        interrupted: &|_, _| false,
        around: program.around(0),
        renamed: &program.with_namesakes(&model),
    };
    let hosts = host_files::translate(&program, &model, &device.launchers, setting, manner);
    later.extend(hosts.iter().flat_map(|h| h.findings.iter().cloned()));
    later.extend(sema::beyond_limits(&model));
    let findings = report(&program, &model, &inputs, checks, later, &mut out);
    let failed = program.failed(&device, goal, &mut out);
    let asked = program.kernels_asked_for(&hosts);
    let asked = asked.filter(|_| !manner.separate);
    let finish = |(k, mut host): (usize, HostFile)| {
        let refused = program.refused(k, &findings);
        let statements = fates(program.parsed[k].reading(), &host.edited, &refused);
        let mut result = program.result(k, &statements);
        result.ir = device.ir.get(k).cloned();
        if manner.separate {
            let (file, p) = (FileId(k as u32), &program.parsed[k]);
            result.externals = externals(&model, file);
            result.made = remarks::made(&model, file, &p.tree, &p.source, &device.launchers[k]);
        }
        if goal == Action::Check || manner.separate {
            let file = FileId(k as u32);
            let place = |offset| {
                let p = program.parsed[k].source.position(offset);
                (p.file, p.line)
            };
            result.survey = survey(&model, file, &inputs[k], &result.uses, &refused, &place);
            result.survey.lines = program.parsed[k].lines;
        }
        if manner.facts {
            let (file, launchers) = (FileId(k as u32), &device.launchers[k]);
            let unit = device.units[k].as_deref().ok();
            let source = &program.parsed[k].source;
            result.facts = program_info::file(&model, file, &inputs[k], source, launchers, unit);
        }
        let failed = failed.contains(&program.index[k]);
        if goal == Action::Check && !failed {
            program.outline(k, &device, &mut result);
        }
        if goal == Action::Translate && !failed {
            let mut mapped = Mapped::new(&statements, &host, &model);
            let reading = (options, include);
            program.finish_host(k, &mut host, reading, manner, &mut mapped, &mut result);
            let manner = (manner, mapped);
            program.print(k, host, &device, asked.as_ref(), manner, &mut result);
        }
        if manner.source_map && result.map.is_none() {
            let source = &program.parsed[k].source;
            result.map = Some(Builder::new(source, &statements).finish());
        }
        (program.index[k], result)
    };
    let results: Vec<(usize, FileResult)> = hosts.into_par_iter().enumerate().map(finish).collect();
    for (i, result) in results {
        out.files[i] = result;
    }
    for s in &mut out.skipped {
        let first = (s.file.clone(), s.first);
        s.kept = out.files.iter().any(|f| f.kept.contains(&first));
    }
    out.cuda_macro.clone_from(&program.cuda_macro);
    if manner.leave_memory {
        std::mem::forget((program, model, device));
    } else {
        // Trees of many small parts: freeing them takes its time.
        program.parsed.into_par_iter().for_each(drop);
    }
    out
}

/// Source and syntax: the files of the input, and behind them those `before`, as trees. What cannot be read is a message.
fn read(
    files: &mut Vec<SourceFile>,
    before: Vec<Compiled>,
    options: &source::Options,
    include: source::Files<'_>,
    manner: PipelineOptions,
    out: &mut Outcome,
) -> Program {
    let mut all_options = vec![options.clone(); files.len()];
    for c in before {
        files.push(c.file);
        all_options.push(c.options);
    }
    let parsed: Vec<Result<Parsed, SourceError>> = files
        .par_iter_mut()
        .zip(&all_options)
        .map(|(f, options)| {
            let parsed = parse(&f.path, std::mem::take(&mut f.bytes), options, include);
            manner.step();
            parsed
        })
        .collect();
    let mut good = Vec::new();
    let mut index = Vec::new();
    for (i, p) in parsed.into_iter().enumerate() {
        match p {
            Ok(p) => {
                let syntax = |e: &syntax::SyntaxError| messages::syntax(&p.source, i, e);
                out.messages.extend(p.errors.iter().map(syntax));
                let problems = p.source.problems.iter();
                out.messages
                    .extend(problems.map(|x| messages::problem(x, i)));
                out.skipped.extend(p.source.skipped.iter().cloned());
                good.push(p);
                index.push(i);
            }
            Err(e) => {
                let mut m = messages::unreadable(i, &e);
                // Nothing is missing where others hold something.
                m.warning = matches!(e, SourceError::Empty) && files.len() > 1;
                out.messages.push(m);
            }
        }
    }
    let paths: Vec<String> = good
        .iter()
        .map(|p| p.source.path.display().to_string())
        .collect();
    let reading = parameterized::Reading {
        paths: &paths,
        dialect: manner.dialect,
        separate: manner.separate,
    };
    parameterized::specialise(&mut good, reading);
    let known = match manner.dialect.openacc {
        true => library_modules::library_modules(&good, &mut Vec::new(), manner),
        false => Vec::new(),
    };
    let openacc = openacc::translate(&mut good, &index, &known, reading);
    out.messages.extend(openacc.messages);
    // In output that nobody reads, and of the preprocessor's result, there are no two branches.
    let branches = manner.goal == Action::Translate && manner.for_readers();
    let cuda_macro = match branches {
        true => source::cuda_macro(good.iter().map(|p| &p.source)),
        false => None,
    };
    let own = good.len();
    for (i, p) in library_modules::library_modules(&good, files, manner) {
        good.push(p);
        index.push(i);
    }
    // A file that several include is reported once.
    out.skipped.sort();
    out.skipped.dedup();
    let of_input =
        |f: &dyn Fn(&SourceFile) -> String| index.iter().map(|i| f(&files[*i])).collect();
    let file_name = |f: &SourceFile| f.path.file_name().map(|n| n.to_string_lossy().into_owned());
    let output_paths = names::output_paths(index.iter().map(|i| files[*i].relative.as_path()));
    Program {
        along: match branches {
            true => CopiedIncludes::of(&good, &output_paths, options, include),
            false => CopiedIncludes::default(),
        },
        paths: good
            .iter()
            .map(|p| p.source.path.display().to_string())
            .collect(),
        stems: match manner.separate {
            // Nobody knows what the others of the program are called.
            true => index
                .iter()
                .map(|i| names::stem(&files[*i].relative))
                .collect(),
            false => names::unique_stems(index.iter().map(|i| files[*i].relative.as_path())),
        },
        source_names: of_input(&|f| file_name(f).unwrap_or_default()),
        output_paths,
        cuda_macro,
        around: match manner.separate {
            true => ReservedNames::each(&good),
            false => ReservedNames::whole(&good),
        },
        line_numbers: good.iter().map(|p| p.source.line_numbers()).collect(),
        parsed: good,
        own,
        present: openacc.present,
        index,
    }
}

/// Lowering, and the passes over the device IR: see [`passes`](crate::passes).
fn device_side(
    program: &Program,
    model: &Model,
    inputs: &[Input<'_>],
    manner: PipelineOptions,
) -> (Device, Vec<Finding>) {
    let goal = manner.goal;
    let purpose = match goal {
        Action::Check => lower::Purpose::Check,
        Action::Translate => lower::Purpose::Translate,
    };
    let (lowered, findings) = lower::lower(model, inputs, &program.file_names(), purpose);
    let printed = lowered.iter().map(|l| l.printed).collect();
    let (mut units, launchers): (Vec<Unit>, Vec<FileLaunchers>) =
        lowered.into_iter().map(|l| (l.unit, l.launchers)).unzip();
    let mut guard = Guard::new(&launchers, units.len());
    let mut alone_kernels = vec![Vec::new(); units.len()];
    if goal == Action::Translate {
        guard.after("lowering", &units);
        if !(manner.line_directives || manner.checked) {
            passes::each_procedure(&mut units, sync_points::keep_places);
            guard.after("waits", &units);
        }
        passes::each_procedure(&mut units, dead_code::tidy);
        guard.after("tidy", &units);
        passes::each_procedure(&mut units, placement::place);
        guard.after("placement", &units);
        passes::each_procedure(&mut units, index_base::remark);
        grid_stride::plain(&mut units);
        guard.after("strides", &units);
        narrow::narrow(&mut units);
        guard.after("narrow", &units);
        units.par_iter_mut().for_each(index_width::split);
        guard.after("indexed", &units);
        let callers = match manner.separate {
            true => overflow::Callers::Elsewhere,
            false => overflow::Callers::Here,
        };
        overflow::wrap(&mut units, callers, manner.wrap);
        alone_kernels = barrier_free::kernels(&units);
        guard.beside(&alone_kernels);
    }
    let ir = match manner.show_ir {
        true => units.iter().map(ir::print::print).collect(),
        false => Vec::new(),
    };
    let device = Device {
        units: guard.checked(units),
        launchers,
        printed,
        alone: alone_kernels,
        ir,
    };
    (device, findings)
}

/// Adds the messages of all findings, without those that follow from others; returns these findings by file and place.
fn report(
    program: &Program,
    model: &Model,
    inputs: &[Input<'_>],
    checks: Vec<Finding>,
    later: Vec<Finding>,
    out: &mut Outcome,
) -> Vec<Finding> {
    let files = program.parsed.iter();
    let syntax: Vec<Vec<Lost>> = files
        .map(|p| p.errors.iter().map(|e| e.lost.clone()).collect())
        .collect();
    let mut findings = without_echoes(model, inputs, &syntax, checks, later);
    if !model.dialect.openacc {
        findings = openacc::left_out(&program.parsed, findings);
    }
    findings.sort_by(|a, b| messages::place_of(a).cmp(&messages::place_of(b)));
    findings.dedup_by(|a, b| a.file == b.file && a.span == b.span && a.message == b.message);
    let messages = findings
        .iter()
        .map(|f| messages::finding(f, &program.parsed, &program.index));
    let mut messages: Vec<Message> = messages.collect();
    if model.dialect.openacc {
        openacc::mark(&program.parsed, &findings, &mut messages);
    }
    out.messages.extend(messages);
    out.messages.sort_by(|a, b| {
        let place = |m: &Message| (m.file, m.at.as_ref().map_or((0, 0), |p| (p.line, p.column)));
        place(a).cmp(&place(b))
    });
    findings
}

impl Program {
    /// The files of the input with an error. One whose device code breaks the rules of the IR, though all passes took it, is an
    /// error of cuf2cu; in others that follows from what was left out.
    fn failed(&self, device: &Device, goal: Action, out: &mut Outcome) -> BTreeSet<usize> {
        let errors = out.messages.iter().filter(|m| !m.warning);
        let mut failed: BTreeSet<usize> = errors.map(|m| m.file).collect();
        let units = self.parsed.iter().zip(&self.index).zip(&device.units);
        for ((p, i), unit) in units {
            if let Err(found) = unit
                && goal == Action::Translate
                && failed.insert(*i)
            {
                let of_file = found.iter().map(|v| messages::violation(v, &p.source, *i));
                out.messages.extend(of_file);
            }
        }
        failed
    }

    fn inputs(&self) -> Vec<Input<'_>> {
        let files = self.parsed.iter().zip(&self.paths).enumerate();
        files
            .map(|(k, (p, path))| Input {
                path,
                text: &p.source.text,
                ast: &p.tree,
                library: k >= self.own,
            })
            .collect()
    }

    /// What changed of a file with the preprocessor's lines stands under this.
    fn guard(&self, manner: PipelineOptions) -> Option<source::Guard<'_>> {
        self.cuda_macro.as_deref().map(|name| source::Guard {
            name,
            keep_loops: manner.keep_loops,
        })
    }

    fn around(&self, k: usize) -> host::names::ReservedNames<'_> {
        static NOTHING: ReservedNames = ReservedNames {
            doubtful: BTreeSet::new(),
            files: None,
        };
        // There is none for a program without files, of which every one was refused.
        let around = self.around.get(k).or(self.around.first());
        let around = around.unwrap_or(&NOTHING);
        host::names::ReservedNames {
            doubtful: &around.doubtful,
            files: around.files.as_ref(),
        }
    }

    /// The modules whose name is something else, too, where they are compiled.
    fn with_namesakes<'m>(&self, model: &'m Model) -> BTreeSet<&'m str> {
        let modules = model.modules.iter();
        let taken = modules.filter(|(name, scope)| {
            let k = model[**scope].file.0 as usize;
            host::modules::has_namesake(model, name, **scope, self.around(k))
        });
        taken.map(|(name, _)| &**name).collect()
    }

    fn file_names(&self) -> Vec<FileName<'_>> {
        let name = |k: usize| FileName {
            stem: &self.stems[k],
            source: &self.source_names[k],
            path: &self.output_paths[k],
            lines: &self.line_numbers[k],
        };
        (0..self.parsed.len()).map(name).collect()
    }

    /// What is refused in a file, by the findings of all.
    fn refused(&self, k: usize, findings: &[Finding]) -> Places {
        let file = FileId(k as u32);
        let first = findings.partition_point(|f| f.file < file);
        let refused: Vec<Span> = findings[first..]
            .iter()
            .take_while(|f| f.file == file)
            .filter(|f| !f.warning)
            .map(|f| f.span)
            .chain(self.parsed[k].errors.iter().map(|e| e.span))
            .collect();
        Places::new(&refused)
    }

    /// What is known of a file whether it has outputs or not.
    fn result(&self, k: usize, statements: &[(Span, Disposition)]) -> FileResult {
        let p = &self.parsed[k];
        let (provides, uses, main_program) = names::module_graph(&p.tree);
        FileResult {
            stem: PathBuf::from(&self.output_paths[k]),
            account: StatementCounts::of(statements),
            provides,
            uses,
            main_program,
            ..FileResult::default()
        }
    }

    /// The kernels that the program gives the runtime by name; None where one has its name from a text, and for a library, of which
    /// nobody knows the program.
    fn kernels_asked_for(&self, hosts: &[HostFile]) -> Option<BTreeSet<String>> {
        let mut files = self.parsed.iter();
        let told = hosts.iter().all(|h| !h.any_kernel);
        let whole = told && files.any(|p| names::module_graph(&p.tree).2.is_some());
        let all = hosts.iter().flat_map(|h| &h.kernels_by_name);
        whole.then(|| all.cloned().collect())
    }
}
