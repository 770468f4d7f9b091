//! What an object says of itself, in a section that linkers carry along: what the link of a program has to bring.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, str};

use object::Object as _;
use object::read::archive::ArchiveFile;
use object::{File, ObjectSection as _};
use serde::{Deserialize, Serialize};

use super::super::Error;

/// The name of the section.
pub const SECTION: &str = ".cuf2cu";

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
        }
        Err(_) => of_object(&bytes, &mut notes),
    }
    Ok(notes)
}

/// A procedure that is described as a source beside it defines it, and that none of the objects defines; with the note that says so.
pub fn undefined(notes: &[Note]) -> Option<(&str, &Note)> {
    let defines = |name: &String| notes.iter().any(|n| n.defined.contains_key(name));
    notes.iter().find_map(|note| {
        let missing = note.adapted.iter().find(|name| !defines(name))?;
        Some((missing.as_str(), note))
    })
}

/// An interface body that describes a procedure in another way than it is defined, or perhaps does.
///
/// # Errors
/// [`Error::Usage`] names the first.
pub fn agree(notes: &[Note]) -> Result<(), Error> {
    if let Some((name, note)) = undefined(notes) {
        return Err(Error::Usage(format!(
            "the interface body of {name} in {} was compiled for the definition that a source beside it has, and no object here holds that: \
             link it, or compile where no other source defines {name}",
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
                && *form != described
            {
                return Err(Error::Usage(format!(
                    "the interface body of {name} in {} says of its arguments other than the definition in {source} how they are passed (by \
                     address, descriptor or value: {described}, {form}): what one passes the other could not read",
                    note.source
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
