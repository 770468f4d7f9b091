//! What a program's header says that must happen; programs with several planted faults, one for each argument.

use std::path::Path;

use super::{End, Expect, Outcome, RunResult};

/// A fault of a program that has several: it is asked for by an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub name: String,
    /// Of its message, in lower case; `None` if no check finds it.
    pub words: Option<Vec<String>>,
}

/// `expect` of a header, but for `stops`.
pub fn expectation(field: &str, main: &Path) -> Expect {
    if field == "pass" {
        return Expect::Pass;
    }
    let list = |words: &str| words.split(',').map(|w| w.trim().to_lowercase()).collect();
    if let Some(words) = field.strip_prefix("stop ") {
        return Expect::Stop { words: list(words) };
    }
    let rest = field
        .strip_prefix("diagnostic")
        .unwrap_or_else(|| panic!("{}: expect: {field}", main.display()));
    let (line, words) = rest
        .trim()
        .split_once(' ')
        .unwrap_or_else(|| panic!("{}: expect: {field}", main.display()));
    let line = line
        .parse()
        .unwrap_or_else(|_| panic!("{}: expect: {field}", main.display()));
    Expect::Diagnostic {
        line,
        words: list(words),
    }
}

/// Lines `! fault NAME: word, word` and `! missed NAME: reason`. The word `@tag` is the line that ends with the comment `!@tag`.
pub fn faults(text: &str, main: &Path) -> Vec<Fault> {
    let file = main.file_name().unwrap_or_default().to_string_lossy();
    let place = |word: &str| {
        let Some(tag) = word.strip_prefix('@') else {
            return word.to_lowercase();
        };
        let end = format!("!@{tag}");
        let line = text.lines().position(|l| l.ends_with(&end));
        let line = line.unwrap_or_else(|| panic!("{}: no line {end}", main.display()));
        format!("line {} of {file}", line + 1)
    };
    let fault = |line: &str| {
        let (kind, rest) = line.strip_prefix("! ")?.split_once(' ')?;
        let (name, words) = rest.split_once(':')?;
        let words = words.split(',').map(|w| place(w.trim())).collect();
        Some(Fault {
            name: name.to_owned(),
            words: match kind {
                "fault" => Some(words),
                "missed" => None,
                _ => return None,
            },
        })
    };
    text.lines().filter_map(fault).collect()
}

/// Judges the output of runs with the faults of the program.
pub fn judge(faults: &[Fault], runs: &[RunResult]) -> Outcome {
    let wrong = |(fault, run): (&Fault, &RunResult)| {
        let output = run.output.to_lowercase();
        let right = match &fault.words {
            Some(words) => run.end == End::Exit(1) && words.iter().all(|w| output.contains(w)),
            None => !output.contains("cuf2cu: "),
        };
        (!right).then(|| format!("{}: {:?} {}\n", fault.name, run.end, run.output.trim()))
    };
    let wrong: String = faults.iter().zip(runs).filter_map(wrong).collect();
    match wrong.is_empty() {
        true => Outcome::Passed,
        false => Outcome::failed("run", wrong),
    }
}
