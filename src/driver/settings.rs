//! The macros of a build: the script by which the Makefile and the CMakeLists.txt compare them with those of the translation.

use askama::Template;

use super::Error;
use super::plan::Plan;
use crate::translate::Settings;

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
    asked: Vec<(&'a str, String)>,
    guard: &'a str,
}

/// The text of the script; None: no file is read by a preprocessor.
///
/// # Errors
/// [`Error::Usage`] if it cannot be written.
pub fn script(plan: &Plan, title: &str) -> Result<Option<String>, Error> {
    let Settings {
        matter,
        all,
        of_compilers,
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
    for name in of_compilers {
        if !asked.iter().any(|(n, _)| n == name) {
            asked.push((name, "the program".to_owned()));
        }
    }
    asked.retain(|(name, _)| is_name(name));
    let script = Script {
        title,
        choices: choices.collect(),
        asked,
        guard: guard.as_deref().unwrap_or_default(),
    };
    let text = script.render();
    text.map(|t| Some(t + "\n"))
        .map_err(|e| Error::Usage(format!("cannot write {SCRIPT}: {e}")))
}

fn is_name(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
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
