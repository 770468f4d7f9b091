//! What is kept of a file beside its module files: enough to know it again when another file uses its modules.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::Error;
use super::super::jobs::Job;
use super::hashes::{self, Digests};
use crate::source::Options;
use crate::translate::{
    Compiled, Dialect, FileKind, MemoryMode, Outline, OutputFile, Sequences, SourceInput,
    Translation,
};

/// The extension of the files: `NAME.cuf2cu` beside `name.mod`.
const EXTENSION: &str = "cuf2cu";
/// Changes with the form of the files.
const FORMAT: u32 = 7;

/// One compiled file.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Record {
    format: u32,
    /// The version of cuf2cu that wrote it.
    version: String,
    /// Where the file was, from every folder.
    #[serde(with = "named")]
    pub path: PathBuf,
    #[serde(with = "named")]
    relative: PathBuf,
    text: Text,
    reading: Reading,
    /// Folded names; a submodule is `ancestor:name`.
    provides: Vec<String>,
    /// Modules used, folded.
    pub uses: Vec<String>,
    /// See [`Externals::adapted`](crate::translate::Externals).
    pub adapted: Sequences,
    language: Language,
    /// Of the generated files but the header.
    digest: String,
    /// The header for the device code of others.
    header: Option<Text>,
    /// The module files that came with it: host code has what they say.
    #[serde(default)]
    modules: Digests,
}

/// The file's bytes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum Text {
    Utf8(String),
    Bytes(Vec<u8>),
}

impl Text {
    fn of(bytes: Vec<u8>) -> Text {
        match String::from_utf8(bytes) {
            Ok(text) => Text::Utf8(text),
            Err(e) => Text::Bytes(e.into_bytes()),
        }
    }

    fn raw_bytes(&self) -> &[u8] {
        match self {
            Text::Utf8(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }
}

/// Paths as texts or bytes: names need not be UTF-8.
mod named {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Text;

    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        Text::of(path.as_os_str().as_encoded_bytes().to_vec()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        let text = Text::deserialize(from)?;
        Ok(OsString::from_vec(text.raw_bytes().to_vec()).into())
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct Folder(#[serde(with = "named")] PathBuf);

/// [`Options`] of the source pass.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Reading {
    macros: Vec<(String, Option<String>)>,
    include_folders: Vec<Folder>,
    preprocess: Option<bool>,
    fixed: Option<bool>,
    columns: Option<usize>,
    debug_lines: bool,
    openmp: bool,
    openacc: bool,
    cuda_by_extension: bool,
}

/// [`Dialect`].
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
struct Language {
    memory: u8,
    real: u8,
    escapes: bool,
}

impl Language {
    fn of(dialect: Dialect) -> Language {
        Language {
            memory: match dialect.memory {
                MemoryMode::Separate => 0,
                MemoryMode::Managed => 1,
                MemoryMode::Unified => 2,
            },
            real: dialect.real,
            escapes: dialect.escapes,
        }
    }
}

impl Record {
    /// The record of `input`, read as `options` say.
    pub fn new(
        input: &SourceInput,
        options: &Options,
        outline: &Outline,
        made: &Translation,
    ) -> Record {
        let files = &made.files;
        let absolute = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_path_buf());
        Record {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            path: absolute(&input.path),
            relative: input.relative.clone(),
            text: Text::of(input.bytes.clone()),
            reading: Reading {
                macros: options.macros.clone(),
                include_folders: options
                    .include_folders
                    .iter()
                    .map(|f| Folder(absolute(f)))
                    .collect(),
                preprocess: options.preprocess,
                fixed: options.fixed,
                columns: options.columns,
                debug_lines: options.debug_lines,
                openmp: options.openmp,
                openacc: options.openacc,
                cuda_by_extension: options.cuda_by_extension,
            },
            provides: outline.provides.clone(),
            uses: outline.uses.clone(),
            adapted: made.externals.adapted.clone(),
            language: Language::of(made.dialect),
            digest: digest(files),
            header: header(files).map(|h| Text::of(h.contents.clone())),
            modules: Digests::new(),
        }
    }

    /// The modules that it defines.
    pub fn provides(&self) -> &[String] {
        &self.provides
    }

    /// Whether it defines one of `modules`. A source that is compiled several times with other macros is as many files of a program as it
    /// has sets of modules.
    pub fn provides_any(&self, modules: &[String]) -> bool {
        self.provides.iter().any(|m| modules.contains(m))
    }

    /// The file as the translation takes it.
    pub fn compiled(&self) -> Compiled {
        let r = &self.reading;
        Compiled {
            file: SourceInput {
                path: self.path.clone(),
                relative: self.relative.clone(),
                bytes: self.text.raw_bytes().to_vec(),
            },
            options: Options {
                macros: r.macros.clone(),
                include_folders: r.include_folders.iter().map(|f| f.0.clone()).collect(),
                preprocess: r.preprocess,
                fixed: r.fixed,
                columns: r.columns,
                debug_lines: r.debug_lines,
                respace: false,
                openmp: r.openmp,
                openacc: r.openacc,
                cuda_by_extension: r.cuda_by_extension,
                plain_backslashes: !self.language.escapes,
            },
        }
    }

    /// Whether `files`, made of it together with a file that uses it, are those that were made of it alone. The header may have
    /// more in it: declarations that only others need.
    pub fn made(&self, files: &[OutputFile]) -> bool {
        let new = header(files).map_or(&[][..], |h| &h.contents);
        let mut new = code(new);
        let old = self.header.as_ref().map_or(&[][..], Text::raw_bytes);
        let mut old = code(old).filter(|l| !is_include(l));
        self.digest == digest(files) && old.all(|l| new.any(|n| n == l))
    }

    /// Writes the record beside the module files, once for each module.
    ///
    /// # Errors
    /// [`Error::Usage`] if a file cannot be written.
    pub fn write(mut self, folder: &Path) -> Result<(), Error> {
        let files = self.provides.iter().flat_map(|m| module_files(m));
        self.modules = files
            .filter_map(|name| {
                let digest = hashes::digest_of(&folder.join(&name))?;
                Some((name, digest))
            })
            .collect();
        let text = serde_json::to_vec(&self)
            .map_err(|e| Error::Toolchain(format!("{}: {e}", self.path.display())))?;
        for module in &self.provides {
            let path = folder.join(file_name(module));
            // A file without a change keeps its time.
            if fs::read(&path).is_ok_and(|old| old == text) {
                continue;
            }
            let scratch = Job::scratch(&path);
            fs::write(&scratch, &text)
                .and_then(|()| fs::rename(&scratch, &path))
                .map_err(|e| Error::file("write", &path, &e))?;
        }
        Ok(())
    }
}

/// `ancestor@name.cuf2cu` of a submodule, as gfortran has it for `.smod` files.
fn file_name(module: &str) -> String {
    format!("{}.{EXTENSION}", module.replace(':', "@"))
}

/// The module files that gfortran may have for a module.
fn module_files(module: &str) -> [String; 2] {
    let stem = module.replace(':', "@");
    [format!("{stem}.mod"), format!("{stem}.smod")]
}

/// The module files and records of `modules` that there are, each in the first folder that has it.
pub fn places<'a>(
    modules: impl IntoIterator<Item = &'a String>,
    folders: &[PathBuf],
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for module in modules {
        let stem = module.replace(':', "@");
        for extension in ["mod", "smod", EXTENSION] {
            let mut places = (folders.iter()).map(|f| f.join(format!("{stem}.{extension}")));
            let place = places.find(|p| p.is_file());
            found.extend(place.filter(|p| !found.contains(p)));
        }
    }
    found
}

/// The records of the files whose modules `uses` names, and of those that they need; those needed first.
///
/// # Errors
/// [`Error::Usage`] for a record that cannot be used: of another version, or of a file compiled for another language.
pub fn find(uses: &[String], folders: &[PathBuf], dialect: Dialect) -> Result<Vec<Record>, Error> {
    let mut search = Search {
        folders,
        dialect,
        seen: BTreeSet::new(),
        found: Vec::new(),
    };
    for module in uses {
        search.add(module, 0)?;
    }
    Ok(search.found)
}

struct Search<'a> {
    folders: &'a [PathBuf],
    dialect: Dialect,
    seen: BTreeSet<String>,
    found: Vec<Record>,
}

/// Files deeper than any program has them are a circle of records.
const DEEPEST: usize = 2000;

impl Search<'_> {
    fn add(&mut self, module: &str, depth: usize) -> Result<(), Error> {
        if depth > DEEPEST || !self.seen.insert(module.to_owned()) {
            return Ok(());
        }
        let name = file_name(module);
        let mut files = self.folders.iter().map(|f| f.join(&name));
        let Some((path, text)) = files.find_map(|p| Some((p.clone(), fs::read(p).ok()?))) else {
            return Ok(());
        };
        let record = self.read(&path, &text)?;
        self.came_together(module, &path, &record)?;
        for used in &record.uses {
            self.add(used, depth + 1)?;
        }
        let same = |r: &Record| r.path == record.path && r.provides_any(&record.provides);
        if !self.found.iter().any(same) {
            self.found.push(record);
        }
        Ok(())
    }

    /// Host code is compiled with module files, device code with what the record has: they must be of one compilation.
    fn came_together(&self, module: &str, path: &Path, record: &Record) -> Result<(), Error> {
        for name in module_files(module) {
            let mut places = self.folders.iter().map(|f| f.join(&name));
            let (Some(came), Some(place)) =
                (record.modules.get(&name), places.find(|p| p.is_file()))
            else {
                continue;
            };
            if hashes::digest_of(&place).is_some_and(|found| found != *came) {
                return Err(Error::Usage(format!(
                    "{} does not match the record of {}: it was rewritten by another compiler or source\nhelp: recompile {} with `cuf2cu fc`, or put its module directory first",
                    place.display(),
                    path.display(),
                    record.path.display()
                )));
            }
        }
        Ok(())
    }

    fn read(&self, path: &Path, text: &[u8]) -> Result<Record, Error> {
        let usage = |what: String| Error::Usage(format!("{}: {what}", path.display()));
        let record: Record = serde_json::from_slice(text).map_err(|e| {
            usage(format!(
                "not a record of cuf2cu ({e})\nhelp: recompile its source"
            ))
        })?;
        if record.format != FORMAT || record.version != env!("CARGO_PKG_VERSION") {
            return Err(usage(format!(
                "written by cuf2cu {}, but this is {}\nhelp: recompile {}",
                record.version,
                env!("CARGO_PKG_VERSION"),
                record.path.display()
            )));
        }
        if record.language != Language::of(self.dialect) {
            return Err(usage(format!(
                "{} was compiled with other options for the kind of reals, the memory mode, or backslashes\nhelp: use the same options for all files",
                record.path.display()
            )));
        }
        Ok(record)
    }
}

/// What else than the module files others take from the file, with what it has of this kind from others, `marks`: a digest; None: nothing.
pub fn face(outline: &Outline, files: &[OutputFile], marks: &[String]) -> Option<String> {
    let header = header(files);
    if header.is_none() && outline.face.is_none() && marks.is_empty() {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    let own = outline.face.iter();
    for digest in own.chain(marks) {
        hasher.update(digest.as_bytes()).update(b"\n");
    }
    for line in header.into_iter().flat_map(|h| code(&h.contents)) {
        let line = without_comment(line).trim_ascii();
        if !line.is_empty() {
            hasher.update(line).update(b"\n");
        }
    }
    Some(hasher.finalize().to_hex().to_string())
}

/// A line of C++ up to its comment; one with a text stays whole.
fn without_comment(line: &[u8]) -> &[u8] {
    let comment = line.windows(2).position(|w| w == b"//");
    let end = comment.filter(|_| !line.contains(&b'"'));
    &line[..end.unwrap_or(line.len())]
}

fn header(files: &[OutputFile]) -> Option<&OutputFile> {
    files.iter().find(|f| f.kind == FileKind::DeviceHeader)
}

/// The lines of a text but those that only tell compilers where others come from: with checks they name the source as each command does.
fn code(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let marker = |line: &&[u8]| {
        let number = line.strip_prefix(b"# ").and_then(<[u8]>::first);
        line.starts_with(b"#line ") || number.is_some_and(u8::is_ascii_digit)
    };
    text.split(|b| *b == b'\n').filter(move |l| !marker(l))
}

/// Whether a line of C++ includes a header. Device code includes the header of its own file as soon as that has one, which may be because
/// another file needs a type that its own code does not.
fn is_include(line: &[u8]) -> bool {
    line.starts_with(b"#include ")
}

/// The same for the same files, on every machine.
fn digest(files: &[OutputFile]) -> String {
    let mut hasher = blake3::Hasher::new();
    let but_header = files
        .iter()
        .filter(|f| !matches!(f.kind, FileKind::DeviceHeader | FileKind::SourceLines));
    for file in but_header {
        let path = file.path.to_string_lossy();
        let device = file.kind == FileKind::DeviceSource;
        let lines = code(&file.contents).filter(|l| !(device && is_include(l)));
        for part in std::iter::once(path.as_bytes()).chain(lines) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.update(&u64::MAX.to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}
