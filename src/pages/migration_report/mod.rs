//! `cuf2cu report`: what a migration finds, as data. The text, the page and the JSON show it and count nothing.
//!
//! Numbers are those of the survey and of the diagnostics; what they mean for people is in `work` (estimates) and `changes` (behaviour).

mod changes;
pub mod command;
mod data;
mod page;
mod text;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use data::{MigrationReport, Minutes, schema};
pub use page::page;
pub use text::text;
pub use work::classes;

use crate::diag::codes::{self, Work};
use crate::diag::message::lossy;
use crate::diag::{Diagnostic, Severity};
use crate::driver::Error;
use crate::survey::{self, Survey};
use crate::translate::{FileAccount, Translation};
use data::*;

/// Examples of one code.
const EXAMPLES: usize = 3;

impl MigrationReport {
    /// The report of a translation that was asked for surveys; `whole`: what is wrong with the program as a whole.
    pub fn new(
        translation: &Translation,
        whole: Option<&Error>,
        asked: Vec<String>,
    ) -> MigrationReport {
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
        MigrationReport {
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
        acc_kernels: s.acc_kernels,
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
        first: Place::first(survey, name),
    };
    // Calls are told one by one.
    let called = |name: &str| {
        name == survey::RUNTIME
            || (survey.calls.keys()).any(|s| matches!(s, survey::Subject::Library(n) if *n == name))
    };
    let own = survey.features.iter().filter(|(name, _)| !called(name));
    own.map(feature).collect()
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
