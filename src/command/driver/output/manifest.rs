//! The manifest: which files of a folder cuf2cu has written, and what was in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::origin::Origin;
use crate::driver::Error;

/// The name of the manifest, which also marks a folder as written by cuf2cu.
pub const NAME: &str = "cuf2cu-manifest.txt";

/// How the first line begins; the number is the form's.
const HEAD: &str = "# cuf2cu 1:";

/// Largest manifest that is read, bytes.
const MAX_SIZE: u64 = 64 << 20;

/// The hash of a file's contents, BLAKE3 in hexadecimal digits: `b3sum --check` reads the lines.
pub fn hash(contents: &[u8]) -> String {
    blake3::hash(contents).to_hex().to_string()
}

/// Hashes by path below the folder. A path has several while files are being replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    files: BTreeMap<PathBuf, Vec<String>>,
    /// What they were made of. None: this is not known, or not all of them are those of one run.
    pub origin: Option<Origin>,
}

impl Manifest {
    /// The manifest of `folder`; None: there is none.
    ///
    /// # Errors
    /// [`Error::Usage`] for a manifest that is none.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, Error> {
        let path = folder.join(NAME);
        let Ok(info) = fs::metadata(&path) else {
            return Ok(None);
        };
        let wrong = |why: &str| {
            Error::Usage(format!(
                "{} is not a cuf2cu manifest ({why})\nhelp: remove it and pass `--force`",
                path.display()
            ))
        };
        if !info.is_file() || info.len() > MAX_SIZE {
            return Err(wrong("no file, or too large"));
        }
        let bytes = fs::read(&path).map_err(|e| Error::file("read", &path, &e))?;
        let text = String::from_utf8(bytes).map_err(|_| wrong("no UTF-8"))?;
        let mut lines = text.lines();
        if !lines.next().is_some_and(|l| l.starts_with(HEAD)) {
            return Err(wrong("its first line"));
        }
        let mut manifest = Manifest::default();
        for line in lines {
            if Origin::take_line(&mut manifest.origin, line) {
                continue;
            }
            let (hash, name) = line.split_once("  ").ok_or_else(|| wrong("a line"))?;
            let path = PathBuf::from(name);
            // Paths that lead elsewhere are not of this folder.
            let below = path.components().all(|c| matches!(c, Component::Normal(_)));
            if below && !name.is_empty() {
                manifest.note_hash(&path, hash);
            }
        }
        Ok(Some(manifest))
    }

    /// Adds a file with its contents.
    pub fn note_file(&mut self, path: &Path, contents: &[u8]) {
        self.note_hash(path, &hash(contents));
    }

    /// Adds a hash to those of a path.
    pub fn note_hash(&mut self, path: &Path, hash: &str) {
        let hashes = self.files.entry(path.to_path_buf()).or_default();
        if !hashes.iter().any(|h| h == hash) {
            hashes.push(hash.to_owned());
        }
    }

    /// Whether cuf2cu has written the file with these contents.
    pub fn has_written(&self, path: &Path, contents: &[u8]) -> bool {
        let known = self.files.get(path);
        known.is_some_and(|hashes| hashes.contains(&hash(contents)))
    }

    /// Whether it names the path.
    pub fn names_path(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// Whether the files of `folder` are those of the run that it tells of.
    pub fn describes(&self, folder: &Path) -> bool {
        self.files.iter().all(|(path, hashes)| {
            let is_file = |p: &Path| fs::metadata(p).is_ok_and(|info| info.is_file());
            let path = folder.join(path);
            let there = is_file(&path).then(|| fs::read(&path).ok()).flatten();
            there.is_some_and(|bytes| matches!(&hashes[..], [one] if *one == hash(&bytes)))
        })
    }

    /// Whether both name the same files with the same contents.
    pub fn has_files_of(&self, other: &Manifest) -> bool {
        self.files == other.files
    }

    /// Paths with their hashes.
    pub fn hashes_by_path(&self) -> impl Iterator<Item = (&PathBuf, &Vec<String>)> {
        self.files.iter()
    }

    /// What both name: files may be the ones or the others.
    pub fn united(&self, other: &Manifest) -> Manifest {
        let mut both = self.clone();
        both.origin = None;
        for (path, hashes) in &other.files {
            for hash in hashes {
                both.note_hash(path, hash);
            }
        }
        both
    }

    /// As it is written.
    ///
    /// # Errors
    /// [`Error::Usage`] for a path that is no line of text.
    pub fn as_written(&self) -> Result<String, Error> {
        let mut text = format!("{HEAD} hashes (BLAKE3) of the files written here\n");
        text.extend(self.origin.as_ref().and_then(Origin::lines));
        for (path, hashes) in &self.files {
            let Some(name) = path.to_str().filter(|n| !n.contains(['\n', '\r'])) else {
                return Err(Error::Usage(format!(
                    "{}: a name in the output must be UTF-8 without line ends",
                    path.display()
                )));
            };
            for hash in hashes {
                text.push_str(&format!("{hash}  {name}\n"));
            }
        }
        Ok(text)
    }
}
