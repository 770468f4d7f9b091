//! `cuf2cu report`: what a migration finds, as data. The text, the page and the JSON show it and count nothing.
//!
//! Numbers are those of the survey and of the diagnostics; what they mean for people is in `work` (estimates) and `changes` (behaviour).

mod changes;
mod page;
mod text;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

pub use changes::Change;
pub use page::page;
pub use text::text;
pub use work::{ClassWork, Minutes, classes};

use super::Error;
use crate::diag::codes::{self, Work};
use crate::diag::message::lossy;
use crate::diag::{Diagnostic, Severity};
use crate::survey::{self, Count, Survey, Transfers};
use crate::translate::{FileAccount, Translation};

/// The version of the form: it grows when a field changes its meaning or goes, not when one comes.
pub const VERSION: u32 = 1;

/// Examples of one code.
const EXAMPLES: usize = 3;

/// The report: see docs/report.md.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Effort {
    /// The version of this form.
    pub version: u32,
    /// The version of cuf2cu.
    pub cuf2cu: String,
    /// What was asked for: sources, then options.
    pub asked: Vec<String>,
    pub total: Sum,
    pub files: Vec<File>,
    /// What keeps the program as a whole from being written, though its files may be right.
    pub whole: Option<String>,
    /// Errors, by code: the costliest first.
    pub refused: Vec<Refusal>,
    /// Warnings, by code: the most frequent first.
    pub warnings: Vec<Refusal>,
    /// Hand work by class, in the order of the classes.
    pub work: Vec<ClassWork>,
    /// The sum of `work`.
    pub minutes: Minutes,
    /// References of procedures of CUDA's libraries.
    pub libraries: Vec<Subject>,
    /// References of procedures of the runtime API.
    pub runtime: Vec<Subject>,
    /// What is used of the language.
    pub features: Vec<Feature>,
    /// What behaves otherwise afterwards.
    pub changes: Vec<Change>,
    /// Branches that the preprocessor left out with these options.
    pub branches: Vec<Branch>,
    /// Modules that neither the sources nor the Fortran compiler nor cuf2cu bring: they are compiled by gfortran.
    pub modules: Vec<Module>,
}

/// What a file, or all of them, hold.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Sum {
    pub files: usize,
    /// Of these: with CUDA Fortran.
    pub cuda_files: usize,
    /// Of these: with errors, and so without output.
    pub refused_files: usize,
    pub lines: usize,
    /// Lines of the files with CUDA Fortran.
    pub cuda_lines: usize,
    pub statements: Statements,
    pub kernels: Count,
    pub device_procedures: Count,
    pub cuf_loops: Count,
    /// Launches of kernels.
    pub launches: usize,
    pub transfers: Transfers,
    pub errors: usize,
    pub warnings: usize,
}

/// What becomes of the statements.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct Statements {
    pub kept: usize,
    pub translated: usize,
    pub refused: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct File {
    /// As the user named it; what is no Unicode in it is U+FFFD.
    pub path: String,
    #[serde(flatten)]
    pub sum: Sum,
}

/// What is found under one code.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Refusal {
    /// `CUF0301`
    pub code: String,
    pub title: String,
    /// What is meant, and what to do.
    pub text: String,
    pub work: Work,
    /// Messages.
    pub count: usize,
    /// Lines that they name.
    pub places: usize,
    pub files: usize,
    pub minutes: Minutes,
    pub examples: Vec<Example>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Example {
    pub place: Place,
    pub source_line: String,
    pub message: String,
    pub help: Option<String>,
}

/// A line of the sources.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Place {
    pub file: String,
    /// From 1; 0 if the whole file is meant.
    pub line: u32,
}

/// A library, or a part of the runtime API.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Subject {
    pub name: String,
    pub calls: usize,
    pub procedures: Vec<Procedure>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Procedure {
    pub name: String,
    pub calls: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Feature {
    pub name: String,
    pub count: usize,
    pub first: Option<Place>,
}

/// A branch of a preprocessor conditional.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Branch {
    pub place: Place,
    /// `#ifdef USE_GPU`
    pub directive: String,
    /// First and last line left out.
    pub first: u32,
    pub last: u32,
    /// Its lines look like CUDA Fortran, which is not translated.
    pub cuda_fortran: bool,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Module {
    pub name: String,
    /// That use it.
    pub files: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

impl Branch {
    /// Its lines, for people.
    fn lines(&self) -> String {
        match self.last {
            last if last == self.first => last.to_string(),
            u32::MAX => format!("{} to the end", self.first),
            last => format!("{} to {last}", self.first),
        }
    }
}

/// The JSON schema of the report.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Effort);
    // Only strings and numbers: serialisation cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

impl Effort {
    /// The report of a translation that was asked for surveys; `whole`: what is wrong with the program as a whole.
    pub fn new(translation: &Translation, whole: Option<&Error>, asked: Vec<String>) -> Effort {
        let found = &translation.diagnostics;
        let total = translation.report.total();
        let survey = &total.survey;
        let refused = refusals(found, Severity::Error);
        let warnings = refusals(found, Severity::Warning);
        let modules: Vec<Module> = (survey.foreign_modules.iter())
            .map(|m| Module {
                name: m.clone(),
                files: survey.modules.get(m).copied().unwrap_or_default(),
            })
            .collect();
        let work = work::by_class(&refused, &warnings, modules.len(), whole.is_some());
        let (libraries, runtime) = subjects(survey);
        let files: Vec<File> = (translation.report.files.iter())
            .map(|a| File {
                path: lossy(&a.path),
                sum: sum_of_file(a, found),
            })
            .collect();
        let mut sum = sum_of(&total);
        for f in &files {
            sum.files += 1;
            sum.cuda_files += f.sum.cuda_files;
            sum.refused_files += f.sum.refused_files;
            sum.cuda_lines += f.sum.cuda_lines;
            sum.errors += f.sum.errors;
            sum.warnings += f.sum.warnings;
        }
        Effort {
            version: VERSION,
            cuf2cu: env!("CARGO_PKG_VERSION").to_owned(),
            asked,
            total: sum,
            whole: whole.map(Error::to_string),
            minutes: work.iter().map(|c| c.minutes).sum(),
            work,
            refused,
            warnings,
            libraries,
            runtime,
            features: features(survey),
            changes: changes::changes(survey, translation),
            branches: branches(translation),
            modules,
            files,
        }
    }

    /// As a JSON object.
    pub fn json(&self) -> String {
        // As above.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The files with CUDA Fortran or errors: those with most to translate first.
    fn files_to_show(&self) -> Vec<&File> {
        let mut shown: Vec<&File> = (self.files.iter())
            .filter(|f| f.sum.cuda_files > 0 || f.sum.errors > 0)
            .collect();
        shown.sort_by_key(|f| {
            let s = &f.sum;
            std::cmp::Reverse((s.errors, s.statements.translated + s.statements.refused))
        });
        shown
    }

    /// The branches left out that hold CUDA Fortran.
    fn cuda_branches(&self) -> Vec<&Branch> {
        self.branches.iter().filter(|b| b.cuda_fortran).collect()
    }
}

fn sum_of(a: &FileAccount) -> Sum {
    let s = &a.survey;
    Sum {
        lines: s.lines,
        statements: Statements {
            kept: a.kept,
            translated: a.translated,
            refused: a.refused,
        },
        kernels: s.kernels,
        device_procedures: s.device_procedures,
        cuf_loops: s.cuf_loops,
        launches: s.launches,
        transfers: s.transfers,
        ..Sum::default()
    }
}

fn sum_of_file(a: &FileAccount, found: &[Diagnostic]) -> Sum {
    let number = |severity| {
        let own = |d: &&Diagnostic| d.severity == severity && d.file == a.path;
        found.iter().filter(own).count()
    };
    let errors = number(Severity::Error);
    let cuda = a.survey.has_cuda();
    Sum {
        files: 1,
        cuda_files: usize::from(cuda),
        refused_files: usize::from(errors > 0),
        cuda_lines: if cuda { a.survey.lines } else { 0 },
        errors,
        warnings: number(Severity::Warning),
        ..sum_of(a)
    }
}

/// The diagnostics of a severity by code: the costliest first.
fn refusals(found: &[Diagnostic], severity: Severity) -> Vec<Refusal> {
    let mut by_code: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for d in found.iter().filter(|d| d.severity == severity) {
        by_code.entry(d.code).or_default().push(d);
    }
    let refusal = |(code, all): (&str, Vec<&Diagnostic>)| {
        let about = codes::find(code);
        let places: BTreeSet<(&PathBuf, u32)> = all.iter().map(|d| (&d.file, d.line)).collect();
        let files: BTreeSet<&PathBuf> = all.iter().map(|d| &d.file).collect();
        let work = match severity {
            Severity::Warning => Work::Look,
            Severity::Error => about.map_or(Work::Lines, |c| c.work),
        };
        Refusal {
            code: code.to_owned(),
            title: about.map(|c| c.title).unwrap_or_default().to_owned(),
            text: about.map(|c| c.text).unwrap_or_default().to_owned(),
            work,
            count: all.len(),
            places: places.len(),
            files: files.len(),
            minutes: work::minutes(work, places.len()),
            examples: examples(&all),
        }
    };
    let mut out: Vec<Refusal> = by_code.into_iter().map(refusal).collect();
    // The sort is stable: codes with the same numbers stay in their order.
    out.sort_by_key(|r| std::cmp::Reverse((r.minutes.high, r.count)));
    out
}

/// Some of the messages of one code: of as many files as there are, first.
fn examples(all: &[&Diagnostic]) -> Vec<Example> {
    let mut seen = BTreeSet::new();
    let (first, further): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        all.iter().partition(|d| seen.insert(&d.file));
    let chosen = first.into_iter().chain(further).take(EXAMPLES);
    chosen
        .map(|d| Example {
            place: Place {
                file: lossy(&d.file),
                line: d.line,
            },
            source_line: d.source_line.trim().to_owned(),
            message: d.message.clone(),
            help: d.help.clone(),
        })
        .collect()
}

/// The libraries, and the parts of the runtime API, that are called.
fn subjects(survey: &Survey) -> (Vec<Subject>, Vec<Subject>) {
    let (mut libraries, mut runtime) = (Vec::new(), Vec::new());
    for (subject, calls) in &survey.calls {
        let (name, list) = match subject {
            survey::Subject::Library(name) => (*name, &mut libraries),
            survey::Subject::Runtime(name) => (*name, &mut runtime),
        };
        list.push(Subject {
            name: name.to_owned(),
            calls: calls.values().map(|c| c.number).sum(),
            procedures: (calls.values())
                .map(|c| Procedure {
                    name: c.name.clone(),
                    calls: c.number,
                })
                .collect(),
        });
    }
    (libraries, runtime)
}

fn features(survey: &Survey) -> Vec<Feature> {
    let feature = |(name, count): (&&'static str, &usize)| Feature {
        name: (*name).to_owned(),
        count: *count,
        first: place_of(survey, name),
    };
    // Calls are told one by one.
    let called = |name: &str| {
        name == survey::RUNTIME
            || (survey.calls.keys()).any(|s| matches!(s, survey::Subject::Library(n) if *n == name))
    };
    let own = survey.features.iter().filter(|(name, _)| !called(name));
    own.map(feature).collect()
}

/// Where the first of a feature or remark stands.
fn place_of(survey: &Survey, name: &str) -> Option<Place> {
    let (file, line) = survey.first.get(name)?;
    Some(Place {
        file: lossy(file),
        line: *line,
    })
}

fn branches(translation: &Translation) -> Vec<Branch> {
    let skipped = translation.report.skipped.iter();
    let told = skipped.filter(|s| s.first <= s.last);
    told.map(|s| Branch {
        place: Place {
            file: lossy(&s.file),
            line: s.line,
        },
        directive: s.directive.clone(),
        first: s.first,
        last: s.last,
        cuda_fortran: s.cuda_fortran,
    })
    .collect()
}
