//! The macros of a build: the script by which the Makefile and the CMakeLists.txt compare them with those of the translation.

use askama::Template;

use super::Error;
use super::plan::Plan;
use crate::translate::{Numbers, Settings};

/// The script, below the output folder.
pub const SCRIPT: &str = "cuf/macros.awk";

struct Choice<'a> {
    name: &'a str,
    kind: &'static str,
    value: String,
    in_device_code: bool,
}

#[derive(Template)]
#[template(path = "macros.awk", escape = "none")]
struct Script<'a> {
    title: &'a str,
    choices: Vec<Choice<'a>>,
    numbers: &'a [Numbers],
    asked: Vec<(&'a str, String)>,
    others: Vec<String>,
    guard: &'a str,
}

/// The text of the script; None: no file is read by a preprocessor. `natives`: the user's own C, C++ and CUDA.
///
/// # Errors
/// [`Error::Usage`] if it cannot be written.
pub fn script(plan: &Plan, title: &str, natives: &[&[u8]]) -> Result<Option<String>, Error> {
    let Settings {
        matter,
        all,
        words,
        guard,
    } = &plan.settings;
    if !matter {
        return Ok(None);
    }
    let choices = plan.choices.iter().chain(&plan.neutral).map(|c| Choice {
        name: &c.name,
        kind: match (c.exact, c.by_value) {
            (true, _) => "exact",
            (false, true) => "value",
            (false, false) => "defined",
        },
        value: quoted(&c.value),
        in_device_code: plan.choices.contains(c),
    });
    let places = all.iter().filter_map(|s| {
        let (file, line) = s.place.as_ref()?;
        let place = format!("{}, line {line},", file.display());
        Some((&*s.name, quoted(&place)))
    });
    let mut asked: Vec<(&str, String)> = places.collect();
    for name in words.iter().filter(|w| w.starts_with('_')) {
        if !asked.iter().any(|(n, _)| n == name) {
            asked.push((name, "the program".to_owned()));
        }
    }
    // What Fortran does not name is for others: the user's C.
    let mut others: Vec<String> = natives.iter().flat_map(|text| asked_by_c(text)).collect();
    // Host code that executes CUF loops, with --keep-loops: generated code alone asks for it.
    others.push("CUF_HOST_LOOPS".to_owned());
    others.retain(|name| is_name(name) && !words.contains(name));
    others.sort();
    others.dedup();
    asked.retain(|(name, _)| is_name(name));
    let script = Script {
        title,
        choices: choices.collect(),
        numbers: &plan.numbers,
        asked,
        others,
        guard: guard.as_deref().unwrap_or_default(),
    };
    let text = script.render();
    text.map(|t| Some(t + "\n"))
        .map_err(|e| Error::Usage(format!("cannot write {SCRIPT}: {e}")))
}

/// The names in the conditionals of a text of C.
fn asked_by_c(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let lines = text
        .lines()
        .filter_map(|l| l.trim_start().strip_prefix('#'));
    let conditions = lines.filter(|l| ["if", "elif"].iter().any(|w| l.trim_start().starts_with(w)));
    let words = conditions.flat_map(|l| l.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// A text between quotes of awk.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
