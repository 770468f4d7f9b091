//! `--line-directives`: lines in the outputs that tell compilers and debuggers which of the user's lines follow.

use std::path::{Path, PathBuf};

use crate::emit::cpp::Mark;
use crate::source::{Position, SourceText};

/// What a line of an output comes from.
enum Origin {
    /// A line of a user's file.
    User(PathBuf, u32),
    /// None: it is the output's own.
    Own,
    /// It has the number that counting from the line before gives.
    Next,
}

/// How an output says it.
struct Form<'a> {
    /// What stands before the number.
    word: &'a str,
    /// The output's own name.
    own: &'a Path,
}

/// The device code `text` with `#line` before statements that are marked. Where the functions end, the file's own lines count again.
pub(super) fn device(text: &str, own: &Path, marks: &[Mark], source: &SourceText) -> String {
    let user = |at: u32| {
        let p = source.position(at);
        Origin::User(p.file, p.line)
    };
    let mut origins: Vec<Origin> = Vec::new();
    let mut marks = marks.iter().peekable();
    // The mark that holds for the line, and how many lines it has yet.
    let (mut current, mut left) = (None, 0);
    for (i, line) in text.lines().enumerate() {
        // Of several on one line the innermost statement is the last.
        while let Some(m) = marks.next_if(|m| m.line <= i + 1) {
            (current, left) = (m.at, m.lines);
        }
        let code = is_code(line, "//");
        origins.push(match current {
            // A statement that is broken has one number.
            Some(at) if left > 0 => user(at),
            None if code => Origin::Own,
            _ => Origin::Next,
        });
        left = left.saturating_sub(1);
    }
    let form = Form { word: "#line", own };
    written(text, origins, &form)
}

/// The host code `text` with markers, as the C preprocessor writes them and gfortran reads them in every file. `places` are those of the user's
/// lines. `all_users`: what was added has the number of the user's line before it, not one of its own.
pub(super) fn host(
    text: &str,
    own: &Path,
    places: Vec<Option<Position>>,
    all_users: bool,
) -> String {
    let mut origins = Vec::with_capacity(places.len());
    // Inside of a statement, or of a directive of the preprocessor, stands no marker; all branches of a conditional begin as the first does.
    let (mut goes_on, mut directive) = (false, false);
    let mut conditionals = Vec::new();
    let mut last = None;
    for (line, place) in text.lines().zip(places) {
        let code = is_code(line, "!") || line.trim_start().starts_with("!$");
        directive |= line.starts_with('#');
        last = place.clone().or(last);
        let place = place.or_else(|| last.clone().filter(|_| all_users && code));
        origins.push(match place {
            _ if goes_on || directive || line.trim().is_empty() => Origin::Next,
            Some(p) => Origin::User(p.file, p.line),
            None if code => Origin::Own,
            None => Origin::Next,
        });
        if directive {
            match conditional(line) {
                Some(Conditional::Open) => conditionals.push(goes_on),
                Some(Conditional::Middle) => goes_on = conditionals.last() == Some(&true),
                Some(Conditional::Close) => drop(conditionals.pop()),
                None => {}
            }
            directive = line.ends_with('\\');
        } else if code {
            goes_on = is_continued(line);
        }
    }
    written(text, origins, &Form { word: "#", own })
}

/// There is more than a comment on the line.
fn is_code(line: &str, comment: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with(comment)
}

/// An ampersand ends the line of Fortran, perhaps before a comment. One in a text before an exclamation mark costs a marker, no more.
fn is_continued(line: &str) -> bool {
    line.match_indices('&').any(|(i, _)| {
        let rest = line[i + 1..].trim_start();
        rest.is_empty() || rest.starts_with('!')
    })
}

fn written(text: &str, origins: Vec<Origin>, form: &Form<'_>) -> String {
    let own = form.own;
    let mut out = String::with_capacity(text.len() * 2);
    // The number of the next line of the output, and what a compiler takes it for; None: not known.
    let mut number = 1;
    let mut counted = Some((own.to_path_buf(), 1));
    let all = text.split_inclusive('\n');
    let origins = origins
        .into_iter()
        .chain(std::iter::repeat_with(|| Origin::Next));
    for (line, origin) in all.zip(origins) {
        let wanted = match origin {
            Origin::User(file, line) => Some((file, line)),
            Origin::Own => Some((own.to_path_buf(), number)),
            Origin::Next => None,
        };
        if let Some((file, mut at)) = wanted
            && counted.as_ref() != Some(&(file.clone(), at))
        {
            number += 1;
            if file == own {
                at = number;
            }
            out += &format!("{} {at} \"{}\"\n", form.word, quoted(&file));
            counted = Some((file, at));
        }
        out += line;
        number += 1;
        counted = counted.map(|(file, at)| (file, at + 1));
        if conditional(line).is_some() {
            // Behind a branch that the preprocessor leaves out it has not read what stands there.
            counted = None;
        }
    }
    out
}

/// What a line does in a conditional of the preprocessor.
enum Conditional {
    Open,
    Middle,
    Close,
}

fn conditional(line: &str) -> Option<Conditional> {
    let word = line.strip_prefix('#')?.trim_start();
    match word {
        w if w.starts_with("if") => Some(Conditional::Open),
        w if w.starts_with("el") => Some(Conditional::Middle),
        w if w.starts_with("endif") => Some(Conditional::Close),
        _ => None,
    }
}

/// A file name inside of quotation marks.
fn quoted(file: &Path) -> String {
    let mut out = String::new();
    for c in file.to_string_lossy().chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
