//! The files of two translations, one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::kind::{Kinds, with_definition};
use super::merge::{Merged, merge};
use super::tree::Language;
use crate::source::{self, Files, Options};
use crate::translate::{FileKind, OutputFile, VariantMacro};

/// How the inputs are read with the macro and without it.
pub(super) struct Reading<'a> {
    pub options: [&'a Options; 2],
    pub files: Files<'a>,
}

/// Where the lines of both texts have gone.
type Places = [Vec<Option<usize>>; 2];

/// The merge of a program's files.
struct Merging<'a> {
    choice: &'a VariantMacro,
    kinds: Option<Kinds>,
    reading: &'a Reading<'a>,
    places: BTreeMap<PathBuf, Places>,
    /// The files in which the name of the kinds' type can be used.
    naming: BTreeSet<PathBuf>,
    /// The names of files that INCLUDE lines name: gfortran does not preprocess them.
    by_line: BTreeSet<String>,
}

/// The files that hold both choices: those with the macro and those without it.
///
/// # Errors
/// Why they cannot be had.
pub(super) fn merge_all(
    [with, without]: [Vec<OutputFile>; 2],
    choice: &VariantMacro,
    reading: &Reading<'_>,
) -> Result<Vec<OutputFile>, String> {
    let mut merging = Merging {
        choice,
        kinds: kinds_of(&with, &without),
        reading,
        places: BTreeMap::new(),
        naming: BTreeSet::new(),
        by_line: with
            .iter()
            .chain(&without)
            .flat_map(included_by_line)
            .collect(),
    };
    let mut others: BTreeMap<String, OutputFile> = BTreeMap::new();
    let order: Vec<String> = without.iter().map(key).collect();
    others.extend(without.into_iter().map(|f| (key(&f), f)));
    let mut pairs: Vec<[Option<OutputFile>; 2]> = Vec::new();
    for f in with {
        let other = others.remove(&key(&f));
        pairs.push([Some(f), other]);
    }
    let rest = order.iter().filter_map(|k| others.remove(k));
    pairs.extend(rest.map(|f| [None, Some(f)]));
    // Headers first: who includes them has what they define.
    let is_header = |p: &[Option<OutputFile>; 2]| {
        let kind = p.iter().flatten().map(|f| &f.kind).next();
        kind == Some(&FileKind::DeviceHeader)
    };
    let mut pairs: Vec<_> = pairs.into_iter().enumerate().collect();
    pairs.sort_by_key(|(i, p)| (!is_header(p), *i));
    let mut out = Vec::new();
    for (i, pair) in pairs {
        let file = match pair {
            [Some(a), Some(b)] => merging.both(a, b)?,
            [Some(f), None] | [None, Some(f)] if is_included(&f) => f,
            [Some(f), None] => merging.alone(f, 0)?,
            [None, Some(f)] => merging.alone(f, 1)?,
            [None, None] => continue,
        };
        out.push((i, file));
    }
    out.sort_by_key(|(i, _)| *i);
    let out: Vec<OutputFile> = out.into_iter().map(|(_, f)| f).collect();
    let paths: BTreeSet<&PathBuf> = out.iter().map(|f| &f.path).collect();
    match paths.len() == out.len() {
        true => Ok(out),
        false => Err("two files would have the same name".to_owned()),
    }
}

/// Others name the file that only one choice has, by a line that this choice has: headers, modules of libraries.
fn is_included(f: &OutputFile) -> bool {
    matches!(f.kind, FileKind::DeviceHeader | FileKind::Included) || f.path.starts_with(LIBRARIES)
}

/// The folder of the modules of libraries.
const LIBRARIES: &str = "cuf";

/// What a file is in both translations.
fn key(f: &OutputFile) -> String {
    let kind = match f.kind {
        FileKind::HostFortran { .. } => "host",
        FileKind::Shims { .. } => "shims",
        _ => return f.path.display().to_string(),
    };
    format!("{kind} {}", f.path.with_extension("").display())
}

pub(super) fn language(f: &OutputFile) -> Language {
    let extension = f.path.extension().unwrap_or_default();
    match f.kind {
        FileKind::HostFortran { .. } | FileKind::Shims { .. } | FileKind::Included => {
            match extension == "f" || extension == "F" {
                true => Language::FixedFortran,
                false => Language::Fortran,
            }
        }
        _ => Language::Cpp,
    }
}

/// The names of the files in the INCLUDE lines of Fortran.
fn included_by_line(f: &OutputFile) -> Vec<String> {
    if language(f) == Language::Cpp {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&f.contents);
    let name = |l: &str| {
        let (word, rest) = l.trim_start().split_at_checked("include".len())?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| "'\"".contains(*c))?;
        let path = rest[1..].split(quote).next()?;
        let is_it = word.eq_ignore_ascii_case("include");
        let name = Path::new(path).file_name().filter(|_| is_it)?;
        Some(name.to_string_lossy().into_owned())
    };
    text.lines().filter_map(name).collect()
}

/// Preprocessed by gfortran.
pub(super) fn is_preprocessed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "F90" || e == "F")
}

/// The name of a Fortran file that is preprocessed.
fn with_capital(path: &Path) -> PathBuf {
    match path.extension().and_then(|e| e.to_str()) {
        Some("f90") => path.with_extension("F90"),
        Some("f") => path.with_extension("F"),
        _ => path.to_owned(),
    }
}

impl Merging<'_> {
    /// A file that both choices have.
    fn both(&mut self, a: OutputFile, b: OutputFile) -> Result<OutputFile, String> {
        let cannot = |why: &str| Err(format!("{}: {why}", a.path.display()));
        let Some(kind) = united(&a.kind, &b.kind) else {
            return cannot("its main program has two names");
        };
        let (text_a, text_b) = (self.decoded(&a, 0)?, self.decoded(&b, 1)?);
        let utf8 = |f: &OutputFile| std::str::from_utf8(&f.contents).is_ok();
        let is_utf8 = utf8(&a) && utf8(&b);
        let encoded = |text: String| match is_utf8 {
            true => text.into_bytes(),
            false => source::encode(&text),
        };
        if text_a == text_b && a.path == b.path {
            let contents = encoded(text_a);
            return Ok(OutputFile {
                kind,
                contents,
                ..a
            });
        }
        if a.path.starts_with(LIBRARIES) {
            return cannot("the library's modules differ");
        }
        let is_included = a.kind == FileKind::Included;
        let name = a.path.file_name().unwrap_or_default().to_string_lossy();
        if is_included && self.by_line.contains(&*name) {
            return cannot("it is included by an INCLUDE line and differs between the variants");
        }
        let texts = [text_a.as_str(), &text_b];
        let Some(mut merged) = merge(texts, language(&a), self.choice, self.kinds.as_ref()) else {
            return cannot("the variants cannot be merged without changing one of them");
        };
        let differs = merged.conditional
            || is_included
            || is_preprocessed(&a.path)
            || is_preprocessed(&b.path);
        let path = match differs && language(&a) != Language::Cpp {
            true if !reads_the_same([&a, &b], texts, &merged.text, self.reading) => {
                return cannot("gfortran's preprocessor would produce different text");
            }
            true if !is_included => with_capital(&a.path),
            _ => a.path.clone(),
        };
        if merged.named && !self.can_name(&a, &merged.text) {
            if a.kind == FileKind::SourceLines {
                return cannot("it names a type that does not exist");
            }
            self.define(&mut merged);
        }
        if merged.named {
            self.naming.insert(a.path.clone());
        }
        self.places.insert(a.path.clone(), merged.places);
        let contents = encoded(merged.text);
        Ok(OutputFile {
            path,
            contents,
            kind,
            source: a.source,
        })
    }

    /// The text includes a file with the kinds' type, or is included by one.
    fn can_name(&self, f: &OutputFile, text: &str) -> bool {
        // In every choice: not under a condition.
        let mut depth = 0;
        let mut includes = |l: &str| {
            depth += i32::from(l.starts_with("#if")) - i32::from(l.starts_with("#endif"));
            let name = l.strip_prefix("#include \"")?.strip_suffix('"')?;
            Some(depth == 0 && self.naming.contains(Path::new(name)))
        };
        let path = f.path.to_string_lossy();
        let by = path.strip_suffix(".lines").map(Path::new);
        by.is_some_and(|cpp| self.naming.contains(cpp))
            || text.lines().filter_map(&mut includes).any(|i| i)
    }

    /// Defines the type.
    fn define(&self, merged: &mut Merged) {
        let Some(kinds) = &self.kinds else {
            return;
        };
        let definition = kinds.definition(self.choice);
        let (text, at) = with_definition(&merged.text, &definition);
        let added = text.lines().count() - merged.text.lines().count();
        let lines = merged.places.iter_mut().flatten().flatten();
        lines.filter(|l| **l >= at).for_each(|l| *l += added);
        merged.text = text;
    }

    /// A file that one choice has, that of the first or the second side.
    fn alone(&mut self, f: OutputFile, side: usize) -> Result<OutputFile, String> {
        let text = self.decoded(&f, side)?;
        let stub = match &f.kind {
            // Only the file under the condition includes it.
            FileKind::SourceLines => {
                let contents = text.into_bytes();
                return Ok(OutputFile { contents, ..f });
            }
            // Without a module its file would be waited for.
            FileKind::Shims { .. } => without_interfaces(&text),
            FileKind::HostFortran { .. } => {
                return Err(format!("{}: only one choice has it", f.path.display()));
            }
            _ => String::new(),
        };
        let texts = match side {
            0 => [text.as_str(), &stub],
            _ => [&stub, text.as_str()],
        };
        let Some(merged) = merge(texts, language(&f), self.choice, None) else {
            let path = f.path.display();
            return Err(format!("{path}: it cannot stand under a condition"));
        };
        self.places.insert(f.path.clone(), merged.places);
        Ok(OutputFile {
            path: with_capital(&f.path),
            contents: merged.text.into_bytes(),
            ..f
        })
    }

    /// The text of a file of the first (0) or the second side. Tables of lines tell the places in the merged file.
    fn decoded(&self, f: &OutputFile, side: usize) -> Result<String, String> {
        let text = match std::str::from_utf8(&f.contents) {
            Ok(text) => text.to_owned(),
            Err(_) => f.contents.iter().map(|b| char::from(*b)).collect(),
        };
        let path = f.path.to_string_lossy();
        let of = path.strip_suffix(".lines").map(Path::new);
        match of.and_then(|cpp| self.places.get(cpp)) {
            Some(of) if f.kind == FileKind::SourceLines => renumbered(&text, &of[side])
                .ok_or_else(|| format!("{}: a line of its table has gone", f.path.display())),
            _ => Ok(text),
        }
    }
}

/// The kinds of reals by which device code differs.
fn kinds_of(with: &[OutputFile], without: &[OutputFile]) -> Option<Kinds> {
    let is_device =
        |f: &&OutputFile| matches!(f.kind, FileKind::DeviceSource | FileKind::DeviceHeader);
    let others: BTreeMap<String, &OutputFile> = without.iter().map(|f| (key(f), f)).collect();
    let pairs = with.iter().filter(is_device).filter_map(|a| {
        let b = others.get(&key(a))?;
        Some([
            std::str::from_utf8(&a.contents).ok()?,
            std::str::from_utf8(&b.contents).ok()?,
        ])
    });
    Kinds::of(pairs)
}

/// The kind of a file that is these two.
pub(super) fn united(a: &FileKind, b: &FileKind) -> Option<FileKind> {
    let all = |a: &[String], b: &[String]| {
        let more = b.iter().filter(|m| !a.contains(m));
        a.iter().chain(more).cloned().collect::<Vec<_>>()
    };
    let (provides, uses) = (all(a.provides(), b.provides()), all(a.uses(), b.uses()));
    Some(match (a, b) {
        (
            FileKind::HostFortran { main_program, .. },
            FileKind::HostFortran {
                main_program: other,
                ..
            },
        ) => FileKind::HostFortran {
            provides,
            uses,
            main_program: Some(main_program).filter(|m| *m == other)?.clone(),
        },
        (FileKind::Shims { .. }, _) => FileKind::Shims { provides, uses },
        _ => a.clone(),
    })
}

/// A module with nothing but interfaces, without these.
fn without_interfaces(text: &str) -> String {
    let inside = |l: &str| l.starts_with("  ") && l != "  implicit none";
    let lines = text.lines().filter(|l| !inside(l));
    lines.map(|l| format!("{l}\n")).collect()
}

/// A table of lines (`CUF_SOURCE_LINES("a.cuf", {12, 3}, {14, 5});`) with the places that the first ones have now.
pub(super) fn renumbered(text: &str, places: &[Option<usize>]) -> Option<String> {
    const TABLE: &str = "CUF_SOURCE_LINES(";
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(TABLE) {
        let end = at + rest[at..].find(");")?;
        out.push_str(&rest[..at]);
        let mut table = &rest[at..end];
        while let Some(open) = table.find('{') {
            let (before, number) = table.split_at(open + 1);
            let digits = number.find(|c: char| !c.is_ascii_digit())?;
            let line: usize = number[..digits].parse().ok()?;
            let now = (*places.get(line.checked_sub(1)?)?)?;
            out.push_str(before);
            out.push_str(&(now + 1).to_string());
            table = &number[digits..];
        }
        out.push_str(table);
        rest = &rest[end..];
    }
    Some(out + rest)
}

/// Gfortran's preprocessor makes of the merged text what it makes of both.
pub(super) fn reads_the_same(
    files: [&OutputFile; 2],
    texts: [&str; 2],
    merged: &str,
    reading: &Reading<'_>,
) -> bool {
    let code = |lines: Vec<String>| -> Vec<String> {
        let lines = lines.into_iter().map(|l| l.trim_end().to_owned());
        lines.filter(|l| !l.is_empty()).collect()
    };
    [0, 1].into_iter().all(|side| {
        let (file, options) = (files[side], reading.options[side]);
        let read = |text| source::preprocessed(&file.source, text, options, reading.files);
        let want = match is_preprocessed(&file.path) || file.kind == FileKind::Included {
            true => read(texts[side]),
            false => Some(texts[side].lines().map(str::to_owned).collect()),
        };
        match (want, read(merged)) {
            (Some(want), Some(got)) => code(want) == code(got),
            _ => false,
        }
    })
}
