//! What an object says of itself, in a section that linkers carry along: what the link of a program has to bring.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, str};

use object::Object as _;
use object::read::archive::ArchiveFile;
use object::{File, ObjectSection as _};
use serde::{Deserialize, Serialize};

use super::super::Error;
use super::super::runtime::FILES;
use super::hashes::Digests;
use crate::translate::{Sequences, agree_on};

/// The name of the section.
pub const SECTION: &str = ".cuf2cu";

/// The section of nvcc's relocatable device code.
const DEVICE_SECTION: &str = "__nv_relfatbin";

/// A line of the section.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The name of the target.
    pub target: String,
    /// The version of cuf2cu.
    pub version: String,
    /// The memory mode, as its option has it.
    pub memory: String,
    /// Modules of CUDA's libraries that it uses, or whose C functions it calls.
    pub libraries: Vec<String>,
    /// The source.
    pub source: String,
    /// See [`Externals`](crate::translate::Externals).
    pub defined: BTreeMap<String, String>,
    pub described: BTreeMap<String, String>,
    /// Those described as a source beside it defines them: another definition may take its arguments otherwise.
    pub adapted: Vec<String>,
    /// Its definitions that take device data by address, with the types of their dummies.
    #[serde(default)]
    pub device_dummies: Sequences,
    /// The same as a source beside it had it, of procedures that are called without an interface.
    #[serde(default)]
    pub device_actuals: Sequences,
    /// The module files that came with it, and those of other files that it was compiled with.
    #[serde(default)]
    pub made: Digests,
    #[serde(default)]
    pub taken: Digests,
    /// See [`runtime`].
    #[serde(default)]
    pub runtime: String,
    /// It is in an archive: perhaps the link does without.
    #[serde(skip)]
    pub member: bool,
}

impl Note {
    /// The contents of the section.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// The notes of an object, a shared library or the members of an archive; none of what is nothing of these.
///
/// # Errors
/// [`Error::Usage`] if the file cannot be read.
pub fn of_file(path: &Path) -> Result<Vec<Note>, Error> {
    let bytes = fs::read(path).map_err(|e| Error::file("read", path, &e))?;
    let mut notes = Vec::new();
    match ArchiveFile::parse(&*bytes) {
        Ok(archive) => {
            for member in archive.members().flatten() {
                if let Ok(data) = member.data(&*bytes) {
                    of_object(data, &mut notes);
                }
            }
            notes.iter_mut().for_each(|n| n.member = true);
        }
        Err(_) => of_object(&bytes, &mut notes),
    }
    Ok(notes)
}

/// Whether the archive has objects with notes, or with relocatable device code of nvcc.
///
/// # Errors
/// [`Error::Usage`] if the file cannot be read.
pub fn is_made_here(path: &Path) -> Result<bool, Error> {
    let bytes = fs::read(path).map_err(|e| Error::file("read", path, &e))?;
    let Ok(archive) = ArchiveFile::parse(&*bytes) else {
        return Ok(false);
    };
    let mut members = archive.members().flatten();
    Ok(members.any(|member| {
        let file = member.data(&*bytes).ok().and_then(|d| File::parse(d).ok());
        let has = |name| {
            file.as_ref()
                .is_some_and(|f| f.section_by_name(name).is_some())
        };
        has(SECTION) || has(DEVICE_SECTION)
    }))
}

/// A procedure that is described as a source beside it defines it, and that none of the objects defines; with the note that says so.
pub fn undefined(notes: &[Note]) -> Option<(&str, &Note)> {
    let defines = |name: &String| notes.iter().any(|n| n.defined.contains_key(name));
    notes.iter().find_map(|note| {
        let missing = note.adapted.iter().find(|name| !defines(name))?;
        Some((missing.as_str(), note))
    })
}

/// A digest of the runtime that generated code is made for.
pub fn runtime() -> String {
    let mut hasher = blake3::Hasher::new();
    for file in FILES.iter() {
        hasher.update(file.name.as_bytes()).update(b"\0");
        hasher.update(file.text.as_bytes()).update(b"\0");
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Whether a module file is used that came with none of the objects.
pub fn has_unmade(notes: &[Note]) -> bool {
    let made: BTreeSet<&String> = notes.iter().flat_map(|n| n.made.keys()).collect();
    let mut taken = notes.iter().flat_map(|n| n.taken.keys());
    taken.any(|file| !made.contains(file))
}

/// Which of the objects are surely linked: those that are no members of archives, and the first members with modules that these use.
fn linked(notes: &[Note]) -> Vec<bool> {
    let mut linked: Vec<bool> = notes.iter().map(|n| !n.member).collect();
    loop {
        let those = || {
            notes
                .iter()
                .zip(&linked)
                .filter(|(_, l)| **l)
                .map(|(n, _)| n)
        };
        let made: BTreeSet<&String> = those().flat_map(|n| n.made.keys()).collect();
        let taken = those().flat_map(|n| n.taken.keys());
        let wanted: BTreeSet<&String> = taken.filter(|file| !made.contains(file)).collect();
        let has = |n: &Note| n.made.keys().any(|file| wanted.contains(file));
        match (0..notes.len()).find(|k| !linked[*k] && has(&notes[*k])) {
            Some(next) => linked[next] = true,
            None => return linked,
        }
    }
}

/// An object that was compiled with a module as it is no more. Members of archives that are perhaps not linked may be of any of several objects
/// for the module.
///
/// # Errors
/// [`Error::Usage`] names the first.
fn up_to_date(notes: &[Note]) -> Result<(), Error> {
    struct Known<'a> {
        digest: &'a String,
        source: &'a str,
        linked: bool,
    }
    let linked = linked(notes);
    let mut known: BTreeMap<&String, Vec<Known<'_>>> = BTreeMap::new();
    for (note, linked) in notes.iter().zip(&linked) {
        for (file, digest) in &note.made {
            known.entry(file).or_default().push(Known {
                digest,
                source: &note.source,
                linked: *linked,
            });
        }
    }
    for (note, linked) in notes.iter().zip(&linked) {
        for (file, digest) in &note.taken {
            let known = known.entry(file).or_default();
            let sure = *linked && known.iter().any(|k| k.linked);
            let mut counting = known.iter().filter(|k| k.linked || !sure).peekable();
            let Some(first) = counting.peek() else {
                // Modules without code need not be linked: those who use it must have taken the same.
                known.push(Known {
                    digest,
                    source: &note.source,
                    linked: *linked,
                });
                continue;
            };
            let source = first.source;
            if !counting.any(|k| k.digest == digest) {
                return Err(Error::Usage(format!(
                    "{} was compiled against a different version of {file} than {source} provides\nhelp: recompile it",
                    note.source
                )));
            }
        }
    }
    Ok(())
}

/// An object that is older than a module that it uses, or an interface body that describes a procedure in another way than it is defined, or perhaps does.
///
/// # Errors
/// [`Error::Usage`] names the first.
pub fn agree(notes: &[Note]) -> Result<(), Error> {
    up_to_date(notes)?;
    if let Some((name, note)) = undefined(notes) {
        return Err(Error::Usage(format!(
            "{name} in {} was compiled against a definition in another source, and no object here contains it\nhelp: link that object, or compile where no other source defines {name}",
            note.source
        )));
    }
    let mut defined = BTreeMap::new();
    for note in notes {
        let forms = note.defined.iter();
        defined.extend(forms.map(|(name, form)| (name, (form, &note.source))));
    }
    for note in notes {
        for (name, described) in &note.described {
            if let Some((form, source)) = defined.get(name)
                && !agree_on(described, form)
            {
                let message = match form.contains('(') || described.contains('(') {
                    true => format!(
                        "the interface body of {name} in {} contradicts the definition in {source}: {described} in the interface body, {form} in the definition \
                         (a: address, d: descriptor, v: value)",
                        note.source
                    ),
                    false => format!(
                        "{name} in {} and its definition in {source} disagree about how arguments are passed ({described}, {form})",
                        note.source
                    ),
                };
                return Err(Error::Usage(message));
            }
        }
    }
    let definitions = notes.iter().flat_map(|n| &n.device_dummies);
    let dummies: BTreeMap<_, _> = definitions.collect();
    for note in notes {
        for (name, expected) in &note.device_actuals {
            let known = dummies.get(name);
            if known.is_none_or(|d| (&d.device, &d.host) != (&expected.device, &expected.host)) {
                return Err(Error::Usage(format!(
                    "the definition of {name} has other dummy arguments than {} was compiled with\nhelp: recompile {}",
                    note.source, note.source
                )));
            }
        }
    }
    Ok(())
}

fn of_object(bytes: &[u8], notes: &mut Vec<Note>) {
    let Ok(file) = File::parse(bytes) else {
        return;
    };
    let section = file.section_by_name(SECTION);
    let Some(data) = section.and_then(|s| s.data().ok()) else {
        return;
    };
    let text = str::from_utf8(data).unwrap_or_default();
    let lines = text.lines().map(|l| l.trim_matches('\0'));
    notes.extend(lines.filter_map(|l| serde_json::from_str(l).ok()));
}
