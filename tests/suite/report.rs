//! The results of a suite: its tables, and the list of expected failures.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{Outcome, Program};

/// The results of one suite against the list of expected failures.
pub struct Summary {
    pub text: String,
    pub passed: usize,
    pub failed: usize,
}

/// Programs known to fail, with the reason: `name: reason` a line, `#` starts a comment.
pub fn expected_failures(file: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text
        .lines()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
    lines
        .map(|l| {
            l.split_once(':')
                .map_or((l.trim(), ""), |(n, r)| (n.trim(), r.trim()))
        })
        .map(|(n, r)| (n.to_owned(), r.to_owned()))
        .collect()
}

/// Tables of the results. A listed program that passes is a failure of the list, an unlisted one that fails is a failure.
pub fn summarise(
    programs: &[Program],
    results: &[(Outcome, Duration)],
    expected: &BTreeMap<String, String>,
    details: bool,
) -> Summary {
    let mut areas: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let (mut text, mut passed, mut failed) = (String::new(), 0, 0);
    for (program, (outcome, time)) in programs.iter().zip(results) {
        let area = areas
            .entry(program.name.split('/').next().unwrap_or_default())
            .or_default();
        let name = &program.name;
        let seconds = time.as_secs_f64();
        // Writing to a string cannot fail.
        let _ = match (outcome, expected.get(name)) {
            (Outcome::Passed, None) => {
                area[0] += 1;
                passed += 1;
                if details {
                    writeln!(text, "pass     {name} ({seconds:.1} s)")
                } else {
                    Ok(())
                }
            }
            (Outcome::Passed, Some(_)) => {
                area[2] += 1;
                failed += 1;
                writeln!(
                    text,
                    "FIXED    {name}: passes, remove it from the expected failures"
                )
            }
            (Outcome::Skipped(reason), _) => {
                area[3] += 1;
                if details {
                    writeln!(text, "skipped  {name}: {reason}")
                } else {
                    Ok(())
                }
            }
            (Outcome::Failed { step, detail }, Some(reason)) => {
                area[1] += 1;
                if details {
                    writeln!(
                        text,
                        "expected {name}: {reason}\n{}",
                        indented(step, detail, 60)
                    )
                } else {
                    Ok(())
                }
            }
            (Outcome::Failed { step, detail }, None) => {
                area[2] += 1;
                failed += 1;
                writeln!(
                    text,
                    "FAILED   {name} ({step})\n{}",
                    indented(step, detail, if details { 400 } else { 12 })
                )
            }
        };
    }
    let _ = writeln!(
        text,
        "\n{:<20} {:>7} {:>9} {:>7} {:>8}",
        "area", "passed", "expected", "failed", "skipped"
    );
    let mut total = [0; 4];
    for (area, counts) in &areas {
        let _ = writeln!(
            text,
            "{area:<20} {:>7} {:>9} {:>7} {:>8}",
            counts[0], counts[1], counts[2], counts[3]
        );
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let _ = writeln!(
        text,
        "{:<20} {:>7} {:>9} {:>7} {:>8}",
        "total", total[0], total[1], total[2], total[3]
    );
    let _ = writeln!(
        text,
        "(expected: fails as listed in the expected-failures file, with the reason there)"
    );
    for reason in skip_reasons(results) {
        let _ = writeln!(text, "skipped: {reason}");
    }
    Summary {
        text,
        passed,
        failed,
    }
}

fn skip_reasons(results: &[(Outcome, Duration)]) -> Vec<String> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (outcome, _) in results {
        if let Outcome::Skipped(reason) = outcome {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    reasons
        .into_iter()
        .map(|(reason, count)| format!("{count} x {reason}"))
        .collect()
}

fn indented(step: &str, detail: &str, lines: usize) -> String {
    let mut shown: Vec<String> = detail
        .lines()
        .take(lines)
        .map(|l| format!("  {step}: {l}"))
        .collect();
    let more = detail.lines().count().saturating_sub(lines);
    if more > 0 {
        shown.push(format!("  ({more} more lines)"));
    }
    shown.join("\n")
}

/// Replaces the list of expected failures by what failed now; known reasons stay, new ones are the first line of the failure.
pub fn write_expected(
    file: &Path,
    programs: &[Program],
    results: &[(Outcome, Duration)],
    old: &BTreeMap<String, String>,
) -> std::io::Result<()> {
    let mut all = old.clone();
    for (program, (outcome, _)) in programs.iter().zip(results) {
        match outcome {
            Outcome::Failed { step, detail } => {
                let telling = |l: &&str| l.to_lowercase().contains("error") || l.contains("FAIL");
                let first = detail
                    .lines()
                    .find(telling)
                    .or(detail.lines().next())
                    .unwrap_or_default();
                // Messages start with the path of the file, which says nothing here.
                let from = ["error[", "Error: ", "error: "]
                    .iter()
                    .find_map(|start| first.find(start));
                let first = &first[from.unwrap_or(0)..];
                let reason = format!("{step}: {}", first.chars().take(140).collect::<String>());
                // A reason that a person wrote stays.
                let steps = ["translate: ", "build: ", "run: ", "diagnostic: "];
                let written = all
                    .get(&program.name)
                    .is_some_and(|old| !steps.iter().any(|s| old.starts_with(s)));
                if !written {
                    all.insert(program.name.clone(), reason);
                }
            }
            _ => {
                all.remove(&program.name);
            }
        }
    }
    let mut text = String::from(
        "# Conformance programs that do not pass yet, by name, with the reason. One that passes must leave this list.\n",
    );
    for (name, reason) in all {
        let _ = writeln!(text, "{name}: {reason}");
    }
    fs::write(file, text)
}
