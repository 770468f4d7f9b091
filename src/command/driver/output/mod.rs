//! Writes the output folder: everything, or nothing, and never over what somebody else has written.
//!
//! [`changes`] compares what is to be there with what is, and says what would happen; [`Changes::apply`] lets it happen.

mod apply;
mod diff;
mod manifest;
mod origin;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::Error;
use super::runtime::{self, FILES, RuntimeFile};
use crate::diag::Severity;
use crate::diag::message::{Kind, Message};
pub use manifest::{Manifest, NAME as MANIFEST, hash};
pub use origin::Origin;

/// The name of the report.
pub const REPORT: &str = "cuf2cu-report.txt";

/// A file to write: path below the output folder, contents.
pub type NewFile = (PathBuf, Vec<u8>);

/// The file is this process's until the result is dropped; others wait.
///
/// # Errors
/// [`Error::Toolchain`] if it cannot be made or locked.
pub fn lock(path: &Path) -> Result<fs::File, Error> {
    let locked = fs::File::create(path).and_then(|file| {
        file.lock()?;
        Ok(file)
    });
    locked.map_err(|e| Error::Toolchain(format!("{}: {e}", path.display())))
}

/// The whole runtime, to be written beside the output of many programs.
pub fn whole_runtime() -> Vec<NewFile> {
    runtime_files(&FILES)
}

/// These runtime files, to be written beside the output.
pub fn runtime_files(files: &[RuntimeFile]) -> Vec<NewFile> {
    files
        .iter()
        .map(|f| {
            (
                Path::new(runtime::FOLDER).join(&f.name),
                f.text.as_bytes().to_vec(),
            )
        })
        .collect()
}

/// Writes `files` to the folder `out`; see [`changes`] and [`Changes::apply`].
///
/// # Errors
/// [`Error::Usage`] if it cannot be done as a whole.
pub fn write(out: &Path, files: &[NewFile], force: bool) -> Result<(), Error> {
    changes(out, files, force)?.apply()
}

/// What happens to one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// It is new.
    Create,
    /// It is what cuf2cu wrote, or may be overwritten.
    Replace,
    /// It was made and is no more.
    Remove,
}

/// One file that changes.
#[derive(Debug)]
struct Step<'a> {
    path: PathBuf,
    action: Action,
    contents: &'a [u8],
}

/// A file that somebody has changed since cuf2cu wrote it: it stays.
#[derive(Debug)]
struct Edited {
    path: PathBuf,
    /// The file that has the new text; None: the file is made no more.
    beside: Option<PathBuf>,
}

/// The difference between an output folder and what is to be in it.
#[derive(Debug)]
pub struct Changes<'a> {
    /// As the user named it.
    out: PathBuf,
    /// The same without links.
    whole: PathBuf,
    /// By path.
    steps: Vec<Step<'a>>,
    edited: Vec<Edited>,
    unchanged: usize,
    before: Manifest,
    after: Manifest,
}

/// Compares the folder `out` with `files`, which are to be all that cuf2cu has written there.
///
/// A file that has been edited (its contents are not those in the manifest) stays, and the new text goes into a file `.new` beside it,
/// unless `force`. A file that the manifest names and that is made no more is removed unless it has been edited.
///
/// # Errors
/// [`Error::Usage`] if two files have the same path, if one would be the folder of another, if `out` holds files of somebody else (unless
/// `force`), or if something else is in the place of a file or folder.
pub fn changes<'a>(out: &Path, files: &'a [NewFile], force: bool) -> Result<Changes<'a>, Error> {
    let new = by_path(files)?;
    let whole = super::paths::resolve(out);
    let before = match Manifest::read(&whole) {
        Ok(found) => found,
        Err(_) if force => None,
        Err(e) => return Err(e),
    };
    let occupied = fs::read_dir(&whole).is_ok_and(|mut entries| entries.next().is_some());
    if occupied && !force && before.is_none() {
        return Err(Error::Usage(format!(
            "{} contains files that cuf2cu did not write\nhelp: choose an empty directory or pass `--force`",
            out.display()
        )));
    }
    let mut found = Changes {
        out: out.to_path_buf(),
        whole,
        steps: Vec::new(),
        edited: Vec::new(),
        unchanged: 0,
        before: before.unwrap_or_default(),
        after: Manifest::default(),
    };
    for (path, contents) in &new {
        found.add_file(path, contents, force)?;
    }
    found.add_stale(&new);
    found.steps.sort_by(|a, b| a.path.cmp(&b.path));
    found.check_places()?;
    Ok(found)
}

/// Looks for two files of one name, and for a file that would be the folder of another.
///
/// # Errors
/// [`Error::Usage`] that names it.
pub fn distinct(files: &[NewFile]) -> Result<(), Error> {
    by_path(files).map(|_| ())
}

/// The files by path.
fn by_path(files: &[NewFile]) -> Result<BTreeMap<&Path, &[u8]>, Error> {
    let mut new: BTreeMap<&Path, &[u8]> = BTreeMap::new();
    for (path, contents) in files {
        if path == Path::new(MANIFEST) || new.insert(path, contents).is_some() {
            return Err(Error::Usage(format!(
                "two output files would both be named {}\nhelp: rename one of the sources",
                path.display()
            )));
        }
    }
    for path in new.keys() {
        let folders = path.ancestors().skip(1);
        if let Some(folder) = folders.filter(|f| new.contains_key(f)).last() {
            return Err(Error::Usage(format!(
                "{} would be both an output file and the directory of {}\nhelp: rename one of the sources",
                folder.display(),
                path.display()
            )));
        }
    }
    Ok(new)
}

/// What is at a path.
enum There {
    Nothing,
    File(Vec<u8>),
    Folder,
    Other,
}

fn look(path: &Path) -> Result<There, Error> {
    // What a link leads to counts: the link itself is replaced.
    let Ok(info) = fs::metadata(path) else {
        return Ok(match path.symlink_metadata() {
            Ok(_) => There::Other,
            Err(_) => There::Nothing,
        });
    };
    if info.is_dir() {
        return Ok(There::Folder);
    }
    if !info.is_file() {
        return Ok(There::Other);
    }
    let bytes = fs::read(path).map_err(|e| Error::file("read", path, &e))?;
    Ok(There::File(bytes))
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

impl<'a> Changes<'a> {
    fn add_file(&mut self, path: &Path, contents: &'a [u8], force: bool) -> Result<(), Error> {
        self.after.note_file(path, contents);
        let mut step = Step {
            path: path.to_path_buf(),
            action: Action::Create,
            contents,
        };
        match look(&self.whole.join(path))? {
            There::File(old) if old == contents => {
                self.unchanged += 1;
                return Ok(());
            }
            There::File(old) if force || self.before.has_written(path, &old) => {
                step.action = Action::Replace;
            }
            There::File(_) => return self.add_beside(path, contents),
            // A clash, unless what is there goes away: check_places.
            There::Nothing | There::Folder | There::Other => {}
        }
        self.steps.push(step);
        Ok(())
    }

    /// The text for a file that has been edited.
    fn add_beside(&mut self, path: &Path, contents: &'a [u8]) -> Result<(), Error> {
        let other = beside(path);
        self.after.note_file(&other, contents);
        let action = match look(&self.whole.join(&other))? {
            There::File(old) if old == contents => None,
            There::File(old) if self.before.has_written(&other, &old) => Some(Action::Replace),
            There::File(_) => {
                return Err(Error::Usage(format!(
                    "both {} and {} have been edited\nhelp: resolve one of them, or pass `--force`",
                    self.out.join(path).display(),
                    self.out.join(&other).display()
                )));
            }
            _ => Some(Action::Create),
        };
        match action {
            Some(action) => self.steps.push(Step {
                path: other.clone(),
                action,
                contents,
            }),
            None => self.unchanged += 1,
        }
        self.edited.push(Edited {
            path: path.to_path_buf(),
            beside: Some(other),
        });
        Ok(())
    }

    /// Files of an earlier run that are made no more.
    fn add_stale(&mut self, new: &BTreeMap<&Path, &[u8]>) {
        for (path, hashes) in self.before.hashes_by_path() {
            if new.contains_key(path.as_path()) || self.after.names_path(path) {
                continue;
            }
            let there = self.whole.join(path);
            // Links are somebody else's, and what lies behind them.
            let plain = there.symlink_metadata().is_ok_and(|m| m.is_file())
                && there.parent().is_some_and(|f| {
                    fs::canonicalize(f).is_ok_and(|real| real.starts_with(&self.whole))
                });
            if !plain {
                continue;
            }
            match fs::read(&there) {
                Ok(old) if hashes.contains(&manifest::hash(&old)) => self.steps.push(Step {
                    path: path.clone(),
                    action: Action::Remove,
                    contents: &[],
                }),
                _ => {
                    // It stays known, so that nobody takes it for a source.
                    for hash in hashes {
                        self.after.note_hash(path, hash);
                    }
                    self.edited.push(Edited {
                        path: path.clone(),
                        beside: None,
                    });
                }
            }
        }
    }

    /// Finds what stands in the place of a file or of its folder, unless it goes away.
    fn check_places(&self) -> Result<(), Error> {
        let removed: BTreeSet<&Path> = (self.steps.iter())
            .filter(|s| s.action == Action::Remove)
            .map(|s| s.path.as_path())
            .collect();
        for step in self.steps.iter().filter(|s| s.action == Action::Create) {
            if self.whole.join(&step.path).symlink_metadata().is_ok()
                && !self.vanishes(&step.path, &removed)
            {
                return Err(Error::Usage(format!(
                    "{} blocks an output file and was not written by cuf2cu; no files were written",
                    self.out.join(&step.path).display()
                )));
            }
            let folders = step.path.ancestors().skip(1);
            for folder in folders.filter(|f| !f.as_os_str().is_empty()) {
                let there = self.whole.join(folder);
                let clash = match fs::metadata(&there) {
                    Ok(info) => !info.is_dir() && !removed.contains(folder),
                    Err(_) => there.symlink_metadata().is_ok(),
                };
                if clash {
                    return Err(Error::Usage(format!(
                        "{} blocks an output directory and was not written by cuf2cu; no files were written",
                        self.out.join(folder).display()
                    )));
                }
            }
        }
        Ok(())
    }

    /// Whether the folder is empty once these files are removed.
    fn vanishes(&self, path: &Path, removed: &BTreeSet<&Path>) -> bool {
        let mut open = vec![path.to_path_buf()];
        while let Some(folder) = open.pop() {
            let Ok(entries) = fs::read_dir(self.whole.join(&folder)) else {
                return false;
            };
            for entry in entries.flatten() {
                let below = folder.join(entry.file_name());
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(below),
                    _ if removed.contains(below.as_path()) => {}
                    _ => return false,
                }
            }
        }
        true
    }

    /// The manifest will say what the files were made of, so that a run that would make the same can end soon. It does not where files have
    /// been edited: each run warns of them.
    pub fn note_origin(&mut self, origin: Option<Origin>) {
        self.after.origin = origin.filter(|_| self.edited.is_empty());
    }

    /// Whether the folder is as it is to be.
    pub fn changes_nothing(&self) -> bool {
        self.steps.is_empty() && self.before == self.after && self.whole.is_dir()
    }

    /// What the user should know about files that have been edited.
    pub fn warnings(&self) -> Vec<Message> {
        let warning = |edited: &Edited| {
            let path = self.out.join(&edited.path);
            let text = match &edited.beside {
                Some(new) => format!(
                    "{} has local edits and was not overwritten; the new version is in {} (`--force` overwrites)",
                    path.display(),
                    self.out.join(new).display()
                ),
                None => format!(
                    "{} is no longer generated; it has local edits and was kept",
                    path.display()
                ),
            };
            Message::of(Kind::File, Severity::Warning, &text, Some(&path))
        };
        self.edited.iter().map(warning).collect()
    }

    /// What would happen, a line for each file that changes.
    pub fn listed_changes(&self) -> String {
        let mut text = String::new();
        let mut lines: Vec<(&Path, &str, String)> = (self.steps.iter())
            .map(|s| match s.action {
                Action::Create => (&*s.path, "create", String::new()),
                Action::Replace => (&*s.path, "replace", String::new()),
                Action::Remove => (&*s.path, "remove", String::new()),
            })
            .collect();
        lines.extend(self.edited.iter().map(|e| {
            let why = match &e.beside {
                Some(_) => " (edited)",
                None => " (edited; no longer generated)",
            };
            (&*e.path, "keep", why.to_owned())
        }));
        lines.sort();
        for (path, what, why) in lines {
            text.push_str(&format!(
                "{what:<8}{}{why}\n",
                self.out.join(path).display()
            ));
        }
        text.push_str(&format!("{} files unchanged\n", self.unchanged));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let files = vec![
            (PathBuf::from(REPORT), b"x".to_vec()),
            (PathBuf::from("a/b.f90"), b"y".to_vec()),
        ];
        write(&out, &files, false).unwrap();
        write(&out, &files, false).unwrap();
        fs::remove_file(out.join(MANIFEST)).unwrap();
        assert!(write(&out, &files, false).is_err());
        write(&out, &files, true).unwrap();
        let time = |name: &str| fs::metadata(out.join(name)).unwrap().modified().unwrap();
        let before = (time("a/b.f90"), time(MANIFEST));
        std::thread::sleep(std::time::Duration::from_millis(20));
        write(&out, &files, false).unwrap();
        assert_eq!(
            (time("a/b.f90"), time(MANIFEST)),
            before,
            "an unchanged file is not touched"
        );
        assert_eq!(fs::read(out.join("a/b.f90")).unwrap(), b"y");
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary folder is left"
        );
    }

    /// What a manifest names outside its folder is none of its business.
    #[test]
    fn a_manifest_reaches_no_further_than_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::create_dir_all(folder.path().join("far")).unwrap();
        fs::create_dir(&out).unwrap();
        let mut text = String::from("# cuf2cu 1: hashes (BLAKE3) of the files written here\n");
        for path in ["../far/a", "link/a"] {
            text.push_str(&format!("{}  {path}\n", manifest::hash(b"mine")));
        }
        fs::write(folder.path().join("far/a"), "mine").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path().join("far"), out.join("link")).unwrap();
        fs::write(out.join(MANIFEST), text).unwrap();
        write(&out, &[("b".into(), b"new".to_vec())], false).unwrap();
        assert!(folder.path().join("far/a").exists());
        assert!(out.join("b").exists());
    }
}
