//! The report as data, and as JSON.

use std::fmt;
use std::iter;

use schemars::JsonSchema;
use serde::Serialize;

use crate::diag::codes::Work;
use crate::diag::message::lossy;
use crate::survey::{Count, Survey, Transfers};

/// The version of the form: it grows when a field changes its meaning or goes, not when one comes.
pub const VERSION: u32 = 1;

/// The report: see docs/report.md.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MigrationReport {
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
    /// Kernels that OpenACC's compute constructs become.
    pub acc_kernels: Count,
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

impl Place {
    /// Where the first of a feature or remark stands.
    pub(super) fn first(survey: &Survey, name: &str) -> Option<Place> {
        let (file, line) = survey.first.get(name)?;
        Some(Place {
            file: lossy(file),
            line: *line,
        })
    }
}

impl Branch {
    /// Its lines, for people.
    pub(super) fn lines(&self) -> String {
        match self.last {
            last if last == self.first => last.to_string(),
            u32::MAX => format!("{} to the end", self.first),
            last => format!("{} to {last}", self.first),
        }
    }
}

/// The JSON schema of the report.
pub fn schema() -> String {
    let schema = schemars::schema_for!(MigrationReport);
    // Only strings and numbers: serialisation cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// One change of behaviour.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Change {
    /// What the program has.
    pub subject: String,
    /// How often.
    pub count: usize,
    /// Where first.
    pub first: Option<Place>,
    /// What changes, and what to do.
    pub text: String,
}

/// A range of minutes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Minutes {
    pub low: usize,
    pub high: usize,
}

/// The hand work of one class.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassWork {
    pub class: Work,
    /// What the class is, for people.
    pub meaning: String,
    /// What one place is estimated at.
    pub each: Minutes,
    pub places: usize,
    pub minutes: Minutes,
}

/// In minutes.
pub(super) const HOUR: usize = 60;
/// Of work.
pub(super) const DAY: usize = 8 * HOUR;

impl MigrationReport {
    /// As a JSON object.
    pub fn json(&self) -> String {
        // As above.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The files with CUDA Fortran or errors: those with most to translate first.
    pub(super) fn files_to_show(&self) -> Vec<&File> {
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
    pub(super) fn cuda_branches(&self) -> Vec<&Branch> {
        self.branches.iter().filter(|b| b.cuda_fortran).collect()
    }
}

impl iter::Sum for Minutes {
    fn sum<I: Iterator<Item = Minutes>>(all: I) -> Minutes {
        all.fold(Minutes::default(), |a, b| Minutes {
            low: a.low + b.low,
            high: a.high + b.high,
        })
    }
}

impl fmt::Display for Minutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Minutes { high: 0, .. } => f.write_str("none"),
            Minutes { low, high } => {
                let (from, to) = (time(*low), time(*high));
                let (number, unit) = from.split_once(' ').unwrap_or((&from, ""));
                match to.split_once(' ') {
                    Some((_, of_both)) if of_both == unit => write!(f, "{number} to {to}"),
                    _ => write!(f, "{from} to {to}"),
                }
            }
        }
    }
}

/// A time of work as people say it: not more exact than an estimate is.
fn time(minutes: usize) -> String {
    match minutes {
        0..=90 => format!("{minutes} min"),
        _ if minutes <= 2 * DAY => format!("{} h", minutes.div_ceil(HOUR)),
        _ => format!("{} days", minutes.div_ceil(DAY)),
    }
}
