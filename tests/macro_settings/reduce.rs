//! Makes the project of a failing setting smaller: lines are taken out as long as the setting fails in the same way.

use std::path::Path;

use crate::project::{Project, Side};
use crate::run::{Case, Finding, Runner};

/// The smaller project, with its settings, as text.
pub fn reduce(runner: &Runner, case: &Case, failure: &Finding, folder: &Path) -> String {
    let mut case = Case {
        builds: vec![failure.build.clone()],
        ..case.clone()
    };
    let fails = |project: &Project, case: &Case| {
        let one = Case {
            project: project.clone(),
            ..case.clone()
        };
        let found = runner.run(&one, folder).unwrap_or_default();
        found.iter().any(|f| f.verdict == failure.verdict)
    };
    let mut size = case
        .project
        .files
        .iter()
        .map(|f| f.lines.len())
        .max()
        .unwrap_or(0)
        .div_ceil(3);
    while size > 0 {
        let mut changed = false;
        for file in 0..case.project.files.len() {
            let mut at = 0;
            while at < case.project.files[file].lines.len() {
                let mut smaller = case.project.clone();
                let lines = &mut smaller.files[file].lines;
                let end = lines.len().min(at + size);
                let part: Vec<String> = lines.drain(at..end).filter(|l| gives_value(l)).collect();
                if part.len() == end - at {
                    at += size;
                    continue;
                }
                let kept = part.len();
                lines.splice(at..at, part);
                if fails(&smaller, &case) {
                    case.project = smaller;
                    changed = true;
                    at += kept;
                } else {
                    at += size;
                }
            }
        }
        if !changed || size > 1 {
            size /= 2;
        }
    }
    let mut text = format!(
        "seed {} made smaller, {}: translated with {:?}, then {}\n",
        case.seed,
        failure.verdict.words(),
        case.translation,
        failure.build.shown()
    );
    let _ = case.project.write(&folder.join("small"), Side::Cuda);
    for file in &case.project.files {
        let shown = std::fs::read_to_string(folder.join("small").join(file.named(Side::Cuda)));
        text += &format!("==> {} <==\n{}", file.name, shown.unwrap_or_default());
    }
    let found = runner.run(&case, folder).unwrap_or_default();
    for f in found {
        text += &f.detail.chars().take(1500).collect::<String>();
    }
    text
}

/// The line gives a variable its first value: without it the program would print whatever is in memory.
fn gives_value(line: &str) -> bool {
    let starts = ["h = ", "d = ", "m = ", "k = ", "x = a(i)", "j = 0"];
    starts.iter().any(|s| line.trim_start().starts_with(s))
}
