//! Locks between processes. A lock is the system's on an open file or folder: it ends with its process, whatever ends it, and leaves no file.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::{Error, paths, terminal};

/// A folder that only this process writes.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// It is there, and it is the one that is locked.
    itself: bool,
    /// None: the file system has no locks for folders.
    held: Option<File>,
}

impl Folder {
    /// Waits until no other cuf2cu writes `path`. Where it is not there yet, the nearest folder above it that is there is locked.
    ///
    /// # Errors
    /// [`Error::Usage`] if the folder cannot be read.
    pub fn when_free(path: &Path) -> Result<Folder, Error> {
        let path = paths::resolve(path);
        loop {
            let Some(there) = nearest(&path).map(Path::to_path_buf) else {
                return Ok(Folder {
                    path,
                    itself: false,
                    held: None,
                });
            };
            let held = exclusive(&there, &path)?;
            // Whoever had it may have made the folder, or one above it, or put another one in its place.
            if nearest(&path) == Some(&there) && held.as_ref().is_none_or(|h| is_at(h, &there)) {
                let itself = there == path;
                return Ok(Folder { path, itself, held });
            }
        }
    }

    /// Called when the folder has been made: others may go on beside it.
    ///
    /// # Errors
    /// See [`Folder::when_free`].
    pub fn was_made(&mut self) -> Result<(), Error> {
        if !self.itself {
            self.held = exclusive(&self.path, &self.path)?;
            self.itself = true;
        }
        Ok(())
    }
}

/// The folder, or the first one above it that is there.
fn nearest(path: &Path) -> Option<&Path> {
    path.ancestors().find(|p| p.is_dir())
}

fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    let both = file.metadata().ok().zip(fs::metadata(path).ok());
    both.is_some_and(|(a, b)| same(a, b))
}

fn exclusive(folder: &Path, wanted: &Path) -> Result<Option<File>, Error> {
    // A folder that may be written, but not read.
    let Ok(file) = File::open(folder) else {
        return Ok(None);
    };
    // Whoever translates is done in a moment, and nobody need know.
    for pause in [0, 20, 80, 200] {
        thread::sleep(Duration::from_millis(pause));
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    terminal::note(format_args!(
        "waiting for another cuf2cu process to finish writing {}\n",
        wanted.display()
    ));
    file.lock().map_err(|e| Error::file("lock", folder, &e))?;
    Ok(Some(file))
}

/// A folder of the cache is used until the result is dropped: nobody removes it. Others may use it, too.
pub fn shared(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    file.lock_shared().ok().map(|()| file)
}

/// Removes a folder of the cache that nobody uses; false: somebody does.
pub fn remove(folder: &Path) -> bool {
    let Ok(file) = File::open(folder) else {
        return fs::remove_file(folder).is_ok();
    };
    file.try_lock().is_ok() && fs::remove_dir_all(folder).is_ok()
}
