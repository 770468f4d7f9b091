//! Changes an output folder: everything, or nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::NAME;
use super::{Action, Changes};
use crate::driver::Error;
use crate::driver::process::{Temporary, interrupt};

/// What has been done and how it is undone.
enum Done {
    /// A file was made here.
    Made(PathBuf),
    /// A folder was made here.
    Folder(PathBuf),
    /// A folder, which was empty, was removed.
    Emptied(PathBuf),
    /// The file is kept there, and belongs here.
    Saved { here: PathBuf, there: PathBuf },
}

impl Changes<'_> {
    /// Writes what differs, removes what is made no more, and nothing else: a file with the right contents is not touched, so that `make`
    /// compiles only what is new.
    ///
    /// The files are first written to a temporary folder. A new output folder appears whole, by one rename; in an existing one each file is
    /// replaced by a rename after all have been written, and what has been done is undone if something fails. The manifest names old and
    /// new contents meanwhile, so that no file is taken for an edited one if the process is ended.
    ///
    /// # Errors
    /// [`Error::File`] if a file cannot be written.
    pub fn apply(&self) -> Result<(), Error> {
        if self.changes_nothing() {
            return Ok(());
        }
        let done = self.change();
        if done.is_ok() && !self.steps.is_empty() {
            forget_later_builds(&self.whole);
        }
        // The manifest alone, which would have saved time, in a folder that cannot be written.
        if self.steps.is_empty() && self.before.has_files_of(&self.after) {
            return Ok(());
        }
        done
    }

    fn change(&self) -> Result<(), Error> {
        let manifest = self.after.as_written()?;
        let parent = self.whole.parent().unwrap_or(Path::new("/"));
        let place = if self.whole.is_dir() {
            // Beside it may be another file system, or a place that is not ours.
            &self.whole
        } else {
            fs::create_dir_all(parent).map_err(|e| Error::file("create", parent, &e))?;
            parent
        };
        let staging = Temporary::within(place, ".cuf2cu-")
            .map_err(|e| Error::file("create a folder in", place, &e))?;
        let new = staging.place().join("new");
        fs::create_dir(&new).map_err(|e| Error::file("create", &new, &e))?;
        let texts = self.steps.iter().filter(|s| s.action != Action::Remove);
        for step in texts {
            put(&new.join(&step.path), step.contents)?;
        }
        put(&new.join(NAME), manifest.as_bytes())?;
        if place == parent {
            // Not while the temporary folder is being removed: it would go on in the new place.
            let made = interrupt::later(|| fs::rename(&new, &self.whole));
            return made.map_err(|e| Error::file("create", &self.out, &e));
        }
        let between = staging.place().join("between");
        put(
            &between,
            self.before.united(&self.after).as_written()?.as_bytes(),
        )?;
        let mut transaction = Transaction {
            whole: &self.whole,
            old: staging.place().join("old"),
            done: Vec::new(),
        };
        // Renames alone: a signal that comes meanwhile ends the command when all of them, or none, are done.
        let written = interrupt::later(|| {
            let written = self.carry_out(&mut transaction, &new, &between);
            written.inspect_err(|_| transaction.undo())
        });
        written.map_err(|(path, error)| {
            let path = self.out.join(path);
            let text = format!(
                "cannot write {}: {error}; nothing was changed",
                path.display()
            );
            Error::File { path, text }
        })
    }

    /// The steps, the manifest before and after them.
    fn carry_out(
        &self,
        transaction: &mut Transaction<'_>,
        new: &Path,
        between: &Path,
    ) -> Result<(), (PathBuf, io::Error)> {
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |e| (path, e)
        };
        let manifest = Path::new(NAME);
        if !self.steps.is_empty() {
            (transaction.place(between, manifest)).map_err(at(manifest))?;
        }
        let removed = self.steps.iter().filter(|s| s.action == Action::Remove);
        for step in removed {
            transaction.remove(&step.path).map_err(at(&step.path))?;
        }
        let placed = self.steps.iter().filter(|s| s.action != Action::Remove);
        for step in placed {
            let text = new.join(&step.path);
            (transaction.place(&text, &step.path)).map_err(at(&step.path))?;
        }
        (transaction.place(&new.join(NAME), manifest)).map_err(at(manifest))
    }
}

/// What is newer in a build folder of the Makefile than what has just been written comes from another clock: make would take it for up to
/// date. The folder is removed, as by `make clean`.
fn forget_later_builds(whole: &Path) {
    let time = |path: &Path| {
        let info = fs::symlink_metadata(path).ok()?;
        Some((info.modified().ok()?, info.is_dir()))
    };
    let Some((now, _)) = time(&whole.join(NAME)) else {
        return;
    };
    let is_stamp = |p: PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("as-called-")
    };
    for target in entries(&whole.join("build")) {
        if !entries(&target).any(is_stamp) {
            continue;
        }
        let mut open = vec![target.clone()];
        while let Some(folder) = open.pop() {
            for path in entries(&folder) {
                match time(&path) {
                    Some((_, true)) => open.push(path),
                    Some((then, false)) if then > now => {
                        let _ = fs::remove_dir_all(&target);
                        open.clear();
                        break;
                    }
                    _ => {}
                }
            }
        }
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    all.map(|e| e.path())
}

/// Writes a file of the temporary folder. A signal that comes meanwhile is dealt with afterwards: the folder would be made again while it is removed.
fn put(path: &Path, contents: &[u8]) -> Result<(), Error> {
    interrupt::later(|| {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| Error::file("create", folder, &e))?;
        }
        fs::write(path, contents).map_err(|e| Error::file("write", path, &e))
    })
}

/// Changes to the files of a folder that can be undone.
struct Transaction<'a> {
    whole: &'a Path,
    /// Where the files that are replaced and removed are kept until all is done.
    old: PathBuf,
    done: Vec<Done>,
}

impl Transaction<'_> {
    /// Puts a file where it belongs; what is there is replaced at once.
    fn place(&mut self, text: &Path, path: &Path) -> io::Result<()> {
        let target = self.whole.join(path);
        let folders: Vec<&Path> = path.ancestors().skip(1).collect();
        for folder in folders.into_iter().rev() {
            let folder = self.whole.join(folder);
            if !folder.is_dir() {
                fs::create_dir(&folder)?;
                self.done.push(Done::Folder(folder));
            }
        }
        // Folders that were left empty by the removals.
        while target.is_dir() {
            let mut deepest = target.clone();
            while let Some(below) = fs::read_dir(&deepest)?.next() {
                deepest = below?.path();
            }
            fs::remove_dir(&deepest)?;
            self.done.push(Done::Emptied(deepest));
        }
        if target.symlink_metadata().is_ok() {
            let there = self.place_for_old(path)?;
            // Not every file system has links.
            if fs::hard_link(&target, &there).is_err() {
                fs::copy(&target, &there)?;
            }
            self.done.push(Done::Saved {
                here: target.clone(),
                there,
            });
        } else {
            self.done.push(Done::Made(target.clone()));
        }
        fs::rename(text, &target)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        let here = self.whole.join(path);
        let there = self.place_for_old(path)?;
        fs::rename(&here, &there)?;
        self.done.push(Done::Saved { here, there });
        // A folder goes with its last file.
        for folder in path.ancestors().skip(1) {
            let folder = self.whole.join(folder);
            if folder == self.whole || fs::remove_dir(&folder).is_err() {
                break;
            }
            self.done.push(Done::Emptied(folder));
        }
        Ok(())
    }

    /// Where an old file is kept; the manifest is replaced twice.
    fn place_for_old(&self, path: &Path) -> io::Result<PathBuf> {
        let folder = self.old.join(self.done.len().to_string());
        fs::create_dir_all(&folder)?;
        Ok(folder.join(path.file_name().unwrap_or_default()))
    }

    /// Undoes what was done, the last first. Nothing is known to fail that has just been possible; where it does, the rest is undone.
    fn undo(&mut self) {
        for done in self.done.drain(..).rev() {
            let _ = match done {
                Done::Made(path) => fs::remove_file(path),
                Done::Folder(path) => fs::remove_dir(path),
                Done::Emptied(path) => fs::create_dir(path),
                Done::Saved { here, there } => fs::rename(there, here),
            };
        }
    }
}
