//! Lines at the beginning of host code that stop a compilation with other macros than those of the translation. The Makefile compares all macros before
//! anything is compiled; these lines are for builds without it.

use std::path::Path;

use super::files::is_preprocessed;
use crate::source::is_predefined;
use crate::translate::{FileKind, Freedom, OutputFile, Setting, SourceInput, Translation};

/// The last of them: the next line is the first.
pub const LINES_END: &str = "#line 1";

/// Puts them before the host code that a preprocessor reads. Where a file that asks for a macro has none, the launchers' interfaces have them.
pub(super) fn add(translation: &mut Translation, all: &[Setting], inputs: &[SourceInput]) {
    let is_fixed = |s: &&Setting| {
        let is_guard = translation.cuda_macro.as_ref() == Some(&s.name);
        let is_limited = s.exactly.as_deref().is_some_and(|v| number(v).is_some());
        (matches!(s.freedom, Freedom::Fixed | Freedom::Numbers) || is_limited)
            && !is_predefined(&s.name)
            && !is_guard
    };
    let is_kept = |s: &&Setting| {
        let asked = translation.asked.get(&s.name);
        asked.is_none_or(|a| !a.given || has_default(s, inputs))
    };
    let fixed: Vec<&Setting> = all.iter().filter(is_fixed).filter(is_kept).collect();
    if fixed.is_empty() {
        return;
    }
    let included: Vec<&[u8]> = translation
        .includes
        .values()
        .flatten()
        .map(|b| &**b)
        .collect();
    let names = |input: &SourceInput, s: &Setting| {
        let includes = has_word(&input.bytes, "include") || has_word(&input.bytes, "INCLUDE");
        let by_include = || included.iter().any(|text| has_word(text, &s.name));
        has_word(&input.bytes, &s.name) || includes && by_include()
    };
    let guard = translation.cuda_macro.clone();
    let mut open: Vec<&Setting> = Vec::new();
    let mut shifts = Vec::new();
    for input in inputs {
        let asked: Vec<&Setting> = fixed.iter().copied().filter(|s| names(input, s)).collect();
        let host = translation
            .files
            .iter_mut()
            .find(|f| is_host(f, &input.path));
        let Some(host) = host else { continue };
        match is_preprocessed(&host.path) && host.contents != input.bytes {
            true => {
                let lines = asked.iter().flat_map(|s| lines(s, guard.as_deref()));
                shifts.push((host.path.clone(), prepend(host, lines.collect())));
            }
            false => open.extend(asked),
        }
    }
    open.sort_by(|a, b| a.name.cmp(&b.name));
    open.dedup_by(|a, b| a.name == b.name);
    let all: Vec<String> = open
        .iter()
        .flat_map(|s| lines(s, guard.as_deref()))
        .collect();
    let shims = |f: &&mut OutputFile| matches!(f.kind, FileKind::Shims { .. });
    for f in translation
        .files
        .iter_mut()
        .filter(shims)
        .filter(|_| !all.is_empty())
    {
        let before = f.path.clone();
        f.path = f.path.with_extension("F90");
        shifts.push((before.clone(), prepend(f, all.clone())));
        if let Some(map) = &mut translation.map {
            map.rename(&before, &f.path);
            if let Some(last) = shifts.last_mut() {
                last.0.clone_from(&f.path);
            }
        }
    }
    if let Some(map) = &mut translation.map {
        shifts
            .iter()
            .for_each(|(path, lines)| map.prepend(path, lines));
    }
}

fn is_host(f: &OutputFile, source: &Path) -> bool {
    matches!(f.kind, FileKind::HostFortran { .. }) && f.source == source
}

/// The program gives the macro a value of its own where it has asked for it: that is a default, which the user may replace.
fn has_default(s: &Setting, inputs: &[SourceInput]) -> bool {
    let gives = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        let mut words = rest.unwrap_or_default().split_whitespace();
        words.next() == Some("define") && words.next() == Some(&*s.name) && words.next().is_some()
    };
    let in_file = |i: &SourceInput| {
        let mut lines = i.bytes.split(|b| *b == b'\n');
        let line = lines.position(gives);
        let asked = s.place.as_ref().filter(|(file, _)| *file == i.path);
        line.is_some_and(|at| asked.is_none_or(|(_, asked)| at + 1 > *asked as usize))
    };
    inputs.iter().any(in_file)
}

/// A line of the text has the word outside of what is surely a comment.
pub(super) fn has_word(text: &[u8], word: &str) -> bool {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let code = |line: &'_ [u8]| match line.iter().position(|b| *b == b'!') {
        Some(at)
            if line.first() != Some(&b'#') && !line[..at].iter().any(|b| b"'\"".contains(b)) =>
        {
            let is_sentinel = line.get(at + 1).is_some_and(|b| b"$@".contains(b));
            if is_sentinel { line.len() } else { at }
        }
        _ => line.len(),
    };
    let mut lines = text.split(|b| *b == b'\n');
    lines.any(|l| {
        l[..code(l)]
            .split(|b| !is_part(b))
            .any(|w| w == word.as_bytes())
    })
}

/// The lines for one macro; `guard`: without this one there is no device code.
fn lines(s: &Setting, guard: Option<&str>) -> [String; 3] {
    let name = &s.name;
    let value = s.value.as_deref().map(str::trim);
    if let Some((exactly, n)) = s.exactly.as_deref().and_then(|v| Some((v, number(v)?))) {
        let condition = match guard {
            Some(g) => format!("#if defined({g}) && defined({name}) && {name} != {n}"),
            None => format!("#if defined({name}) && {name} != {n}"),
        };
        let with = match exactly {
            "1" => name.clone(),
            _ => format!("{name}={exactly}"),
        };
        return stop(s, condition, &format!("with {with} and without {name}"));
    }
    if s.freedom == Freedom::Numbers {
        let other = s.numbers.iter().map(|n| format!(" && {name} != {n}"));
        let other: String = other.collect();
        // Without a default in the program it is given.
        let condition = match (value, guard) {
            (None, None) => format!("#if defined({name}){other}"),
            (None, Some(g)) => format!("#if defined({g}) && defined({name}){other}"),
            (Some(_), None) => format!("#if !defined({name}) || ({})", &other[4..]),
            (Some(_), Some(g)) => {
                format!(
                    "#if defined({g}) && (!defined({name}) || ({}))",
                    &other[4..]
                )
            }
        };
        return stop(
            s,
            condition,
            &format!("for {name}={}", s.numbers.join(", ")),
        );
    }
    let number = value.and_then(number);
    let condition = match (value, &number) {
        (None, _) => format!("defined({name})"),
        (Some(_), Some(n)) => format!("!defined({name}) || {name} != {n}"),
        (Some(_), None) => format!("!defined({name})"),
    };
    let condition = match (guard, value, &number) {
        (Some(g), ..) => format!("#if defined({g}) && ({condition})"),
        (None, None, _) => format!("#ifdef {name}"),
        (None, Some(_), None) => format!("#ifndef {name}"),
        (None, Some(_), Some(_)) => format!("#if {condition}"),
    };
    let translated = match value {
        None => format!("without {name}"),
        Some("1") => format!("with {name}"),
        Some(value) => format!("with {name}={value}"),
    };
    stop(s, condition, &translated)
}

/// The lines that stop under a condition.
fn stop(s: &Setting, condition: String, translated: &str) -> [String; 3] {
    let place = match &s.place {
        Some((file, line)) => {
            let file = file.file_name().unwrap_or_default().to_string_lossy();
            format!(" ({file}, line {line}, asks for it)")
        }
        None => String::new(),
    };
    let said = format!("{translated}{place}").replace(['"', '\\', '\'', '\n'], "_");
    [
        condition,
        format!("#error \"cuf2cu: translated {said}: translate again with these macros\""),
        "#endif".to_owned(),
    ]
}

/// A number that conditions of the preprocessor know.
fn number(value: &str) -> Option<String> {
    let inner = value.strip_prefix('(').and_then(|v| v.strip_suffix(')'));
    let n: i64 = inner.unwrap_or(value).trim().parse().ok()?;
    Some(match n < 0 {
        true => format!("({n})"),
        false => n.to_string(),
    })
}

/// Puts the lines before a text, behind the mark of its encoding; returns them as they are written. The lines of the text keep their numbers
/// (`__LINE__`, messages of compilers).
fn prepend(f: &mut OutputFile, mut lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    lines.push(LINES_END.to_owned());
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let at = if f.contents.starts_with(MARK) {
        MARK.len()
    } else {
        0
    };
    let end = match f.contents.windows(2).any(|w| w == b"\r\n") {
        true => "\r\n",
        false => "\n",
    };
    let lines: Vec<String> = lines.into_iter().map(|l| l + end).collect();
    f.contents.splice(at..at, lines.concat().into_bytes());
    lines
}
