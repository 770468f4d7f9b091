//! What compilers warn of in generated code that its source does not deserve: nothing, but for a list that only gets shorter.
//!
//! A dummy that the source declares and does not use is the source's, too.
//!
//! Of host code a line that is the user's, as it was, is the user's to answer for. In lines that cuf2cu wrote only that is the user's what
//! is declared and not used, which is so in the source, or after a loop moved to the device: declarations stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Whether the compilers are to warn of a program: every eighth in `make test`, all in `make test-all` and with `WARNINGS=1`.
pub fn wanted(program: &str) -> bool {
    let of_all = ["WARNINGS", "CONFORMANCE_OPTIMISE", "NVCC_ALONE"];
    let number: usize = program.bytes().map(usize::from).sum();
    number.is_multiple_of(8) || of_all.into_iter().any(|v| std::env::var_os(v).is_some())
}

/// A part of the programs: `WARNINGS=3/16` leaves every sixteenth, from the third on, so that the whole is run in pieces.
pub fn part<T>(programs: Vec<T>) -> Vec<T> {
    let text = std::env::var("WARNINGS").unwrap_or_default();
    let Some((which, of)) = text.split_once('/') else {
        return programs;
    };
    let number = |t: &str| t.parse::<usize>().ok().filter(|n| *n > 0);
    let (Some(which), Some(of)) = (number(which), number(of)) else {
        panic!("WARNINGS={text}: 1, or a part such as 3/16");
    };
    let each = programs.into_iter().skip(which - 1).step_by(of);
    each.collect()
}

/// nvcc compiles files of many programs together: it warns in `make test-all`, where it compiles each alone, and with `WARNINGS=1`.
pub fn wanted_of_nvcc() -> bool {
    ["WARNINGS", "NVCC_ALONE"]
        .into_iter()
        .any(|v| std::env::var_os(v).is_some())
}

/// Warnings by program.
pub type Warnings = BTreeMap<String, BTreeSet<String>>;

/// The messages in a compiler's output that are about generated code. `output` has the user's places.
pub fn ours(output: &str) -> BTreeSet<String> {
    let is_ours = |line: &&str| match line.contains("Warning: ") {
        true => {
            let generated = line.contains("(generated: ") || line.contains("_shims.f90:");
            let of_source = [OF_INTRINSICS, OF_DIVISIONS, OF_OLD_LOOPS];
            generated && !is_unused(line) && !of_source.into_iter().any(|w| line.contains(w))
        }
        false => {
            !line.contains("#pragma once in main file")
                && !is_unused_dummy(line)
                && ["warning: ", "warning #", "warning : "]
                    .iter()
                    .any(|w| line.contains(w))
        }
    };
    output.lines().filter(is_ours).map(str::to_owned).collect()
}

/// gfortran 12 says it of every intrinsic that a module gives under another name, which programs need that have its name for something else.
const OF_INTRINSICS: &str = "Type specified for intrinsic function ";

/// A quotient of constants is the user's, wherever it is written: `(n + 63)/64` of a launch. What cuf2cu divides by itself leaves no rest.
const OF_DIVISIONS: &str = "Integer division truncated to constant";

/// Loops that end at a label are the user's.
const OF_OLD_LOOPS: &str = "Fortran 2018 deleted feature: DO termination statement";

/// A name of the user's is declared and not used.
fn is_unused(line: &str) -> bool {
    let named = |what: &str| line.split_once(what).map(|(_, name)| name);
    let name = named("Unused variable ").or_else(|| named("Unused dummy argument "));
    name.is_some_and(|n| !n.trim_start_matches(['\'', '‘']).starts_with("cuf_"))
}

/// A dummy of the user's that nothing but its declaration mentions, in the procedure at the message's place.
fn is_unused_dummy(line: &str) -> bool {
    let named = line.split_once("unused parameter ‘");
    let name = named.and_then(|(_, rest)| rest.split_once('’'));
    let place = line.rsplit_once(" (").and_then(|(_, p)| {
        let (file, number) = p.trim_end().strip_suffix(')')?.rsplit_once(':')?;
        Some((
            fs::read_to_string(file).ok()?,
            number.parse::<usize>().ok()?,
        ))
    });
    let (Some((name, _)), Some((source, number))) = (name, place) else {
        return false;
    };
    let lines = source.lines().skip(number.saturating_sub(1));
    let lines = lines.map(|l| l.split('!').next().unwrap_or_default().to_ascii_lowercase());
    // `x_` is the pointer behind `x`.
    let name = name.to_ascii_lowercase();
    let names = [name.as_str(), name.trim_end_matches('_')];
    let mut in_header = true;
    let (mut declared, mut mentioned) = (false, false);
    for l in lines {
        let l = l.trim();
        let compact: String = l.split_whitespace().collect();
        let ends = ["endsubroutine", "endfunction"];
        if ends.iter().any(|e| compact.starts_with(e)) || compact == "end" {
            break;
        }
        let mut words = l.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let found = words.any(|w| names.contains(&w));
        if in_header || l.contains("::") {
            declared |= found;
        } else {
            mentioned |= found;
        }
        in_header &= l.ends_with('&');
    }
    declared && !mentioned
}

/// The program of a message about a file below `folder`.
pub fn program_of(line: &str, folder: &Path) -> Option<String> {
    let (_, rest) = line.split_once(&*folder.to_string_lossy())?;
    let mut parts = rest.trim_start_matches('/').split('/');
    Some(format!("{}/{}", parts.next()?, parts.next()?))
}

/// Compares the warnings that compiling `programs` gave with those that the list has for a compiler; returns what is wrong.
pub fn faults(
    list: &Path,
    compiler: &str,
    programs: &BTreeSet<String>,
    told: &Warnings,
) -> Vec<String> {
    let text = fs::read_to_string(list).unwrap_or_else(|e| panic!("{}: {e}", list.display()));
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    for line in text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let entry = line
            .split_once(": ")
            .and_then(|(head, words)| Some((head.split_once(' ')?, words)));
        let Some(((of, program), words)) = entry else {
            panic!("{}: {line}", list.display());
        };
        if of == compiler {
            known.insert((program, words));
        }
    }
    let mut out = Vec::new();
    for (program, lines) in told {
        let is_known = |l: &&String| {
            !known
                .iter()
                .any(|(p, words)| p == program && l.contains(words))
        };
        let new = lines.iter().filter(is_known);
        out.extend(new.map(|l| format!("WARNING  {program}: {l}")));
    }
    let given = |program: &str, words: &str| {
        told.get(program)
            .is_some_and(|all| all.iter().any(|l| l.contains(words)))
    };
    let gone = known
        .iter()
        .filter(|(p, words)| programs.contains(*p) && !given(p, words));
    out.extend(gone.map(|(p, words)| {
        format!(
            "FIXED    {p}: {compiler} does not warn of {words:?} any more, remove it from {}",
            list.display()
        )
    }));
    out
}
