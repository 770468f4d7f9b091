//! The module files of a compilation: those that it makes, and those of other files that it has read. An object says of both what they
//! were, so that a link finds the object that was compiled against a module as it is no more.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::Error;
use super::super::jobs::Job;
use super::hashes::{Digests, digest};

/// The module files that a compilation has made, by name.
#[derive(Debug)]
pub struct Made(BTreeMap<String, Vec<u8>>);

impl Made {
    /// Those in a folder but those of generated modules. `face` is what they do not tell of the modules.
    ///
    /// # Errors
    /// [`Error::File`] if one cannot be read.
    pub fn read(folder: &Path, generated: &[&String], face: Option<&str>) -> Result<Made, Error> {
        let entries = fs::read_dir(folder).map_err(|e| Error::file("read", folder, &e))?;
        let mut made = BTreeMap::new();
        for path in entries.flatten().map(|e| e.path()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if !is_module(&path) || generated.iter().any(|g| g.eq_ignore_ascii_case(&stem)) {
                continue;
            }
            let bytes = fs::read(&path).map_err(|e| Error::file("read", &path, &e))?;
            made.insert(name(&path), marked(bytes, face));
        }
        Ok(Made(made))
    }

    pub fn digests(&self) -> Digests {
        let digests = self.0.iter();
        digests.map(|(k, v)| (k.clone(), digest(v))).collect()
    }

    /// Writes them; one without a change keeps its time.
    ///
    /// # Errors
    /// [`Error::File`] if one cannot be written.
    pub fn hand_over(&self, folder: &Path) -> Result<(), Error> {
        for (name, bytes) in &self.0 {
            let place = folder.join(name);
            if fs::read(&place).is_ok_and(|old| old == *bytes) {
                continue;
            }
            let scratch = Job::scratch(&place);
            fs::write(&scratch, bytes)
                .and_then(|()| fs::rename(&scratch, &place))
                .map_err(|e| {
                    let _ = fs::remove_file(&scratch);
                    Error::file("write", &place, &e)
                })?;
        }
        Ok(())
    }
}

/// The module files that a compilation has read.
#[derive(Debug, Default)]
pub struct Taken {
    pub digests: Digests,
    /// Their marks: what a module has of others may be in what it is to device code.
    pub marks: Vec<String>,
}

/// Those among `read` of the modules `used` that a file which provides `provides` takes: the files of ancestors only for submodules, for
/// they have what is private, too.
pub fn taken(read: &[PathBuf], used: &[&String], provides: &[String]) -> Taken {
    let mut taken = Taken::default();
    for path in read.iter().filter(|p| is_module(p)) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let module = stem.replace('@', ":");
        let is_ancestor = || provides.iter().any(|p| p.starts_with(&format!("{stem}:")));
        let private = path.extension().is_some_and(|e| e == "smod");
        let counts = !private || module.contains(':') || is_ancestor();
        if counts
            && used.iter().any(|u| **u == module)
            && let Ok(bytes) = fs::read(path)
        {
            taken.digests.insert(name(path), digest(&bytes));
            taken.marks.extend(mark_of(&bytes));
        }
    }
    taken
}

fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "mod" || e == "smod")
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

const PLAIN: [u8; 4] = [0x1f, 0x8b, 8, 0];
const MARKED: [u8; 4] = [0x1f, 0x8b, 8, 0x10];
/// The length of the header of gzip without a comment.
const HEADER: usize = 10;
const MARK: &str = "cuf2cu ";

/// The module file with a comment in its header of gzip, which gfortran does not see: builds that compile again what uses a module whose
/// file has changed (CMake, meson) learn so that a device procedure has, which the users of the module have in their own device code.
fn marked(mut bytes: Vec<u8>, face: Option<&str>) -> Vec<u8> {
    if let Some(face) = face.filter(|_| bytes.starts_with(&PLAIN) && bytes.len() > HEADER) {
        bytes[..MARKED.len()].copy_from_slice(&MARKED);
        bytes.splice(HEADER..HEADER, format!("{MARK}{face}\0").into_bytes());
    }
    bytes
}

fn mark_of(bytes: &[u8]) -> Option<String> {
    let comment = bytes.get(HEADER..).filter(|_| bytes.starts_with(&MARKED))?;
    let comment = comment.split(|b| *b == 0).next()?;
    let mark = comment.strip_prefix(MARK.as_bytes())?;
    String::from_utf8(mark.to_vec()).ok()
}
