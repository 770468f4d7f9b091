//! Temporary files and folders, which are removed when they are dropped or this process is interrupted.
//!
//! A folder in the system's place has a file that its process has locked: what is left of a process that was killed together with its
//! keeper is removed by a later one, which gets the lock. Processes are not known by number there, for containers may share the place.

use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{env, fs, io};

use super::interrupt;
use crate::driver::Error;

/// How the names of folders in the system's place begin.
const PREFIX: &str = "cuf2cu-";
/// The file that is locked.
const OWNED: &str = ".owned";

/// A temporary folder.
#[derive(Debug)]
pub struct Temporary {
    /// None: it was kept.
    folder: Option<tempfile::TempDir>,
    path: PathBuf,
    /// [`OWNED`]
    _lock: Option<File>,
}

impl Temporary {
    /// A folder in the system's place for such.
    ///
    /// # Errors
    /// [`Error::Usage`] if it cannot be made.
    pub fn new() -> Result<Temporary, Error> {
        static TIDY: Once = Once::new();
        let place = env::temp_dir();
        TIDY.call_once(|| tidy(&place));
        let made = Temporary::within(&place, PREFIX);
        let mut folder =
            made.map_err(|e| Error::file("create a temporary folder in", &place, &e))?;
        folder._lock = owned(&folder.path).ok();
        Ok(folder)
    }

    /// A folder in `place`, to be renamed.
    ///
    /// # Errors
    /// What the system says.
    pub fn within(place: &Path, prefix: &str) -> io::Result<Temporary> {
        // Tools run in other folders.
        let place = std::path::absolute(place)?;
        let make = || tempfile::Builder::new().prefix(prefix).tempdir_in(&place);
        let folder = interrupt::register(make, |f| f.path().to_path_buf())?;
        Ok(Temporary {
            path: folder.path().to_path_buf(),
            folder: Some(folder),
            _lock: None,
        })
    }

    /// Where it is.
    pub fn place(&self) -> &Path {
        &self.path
    }

    /// It is no longer temporary: whoever renames it has it.
    pub fn persist(mut self) -> PathBuf {
        if let Some(folder) = self.folder.take() {
            let _ = folder.keep();
        }
        self.path.clone()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Removed before it is forgotten.
        drop(self.folder.take());
        interrupt::forget(&self.path);
    }
}

/// The locked file of a folder. It has its name when it is locked, so that nobody takes the folder for one that was left.
fn owned(folder: &Path) -> io::Result<File> {
    let scratch = folder.join(".owner");
    let file = File::create_new(&scratch)?;
    file.try_lock()?;
    fs::rename(&scratch, folder.join(OWNED))?;
    Ok(file)
}

/// Removes the folders of this user whose processes have ended.
fn tidy(place: &Path) {
    let user = rustix::process::geteuid().as_raw();
    let ours = |name: &str| {
        let rest = name.strip_prefix(PREFIX);
        rest.is_some_and(|r| r.len() == 6 && r.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    for entry in entries.filter(|e| e.file_name().to_str().is_some_and(ours)) {
        let folder = entry.path();
        let own = fs::symlink_metadata(&folder).is_ok_and(|m| m.is_dir() && m.uid() == user);
        if !own {
            continue;
        }
        let Ok(file) = File::open(folder.join(OWNED)) else {
            continue;
        };
        if file.try_lock().is_ok() {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

/// A file that a tool writes under a temporary name. What is there when this is dropped was not renamed and is removed.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// The file `path` will be.
    pub fn new(path: PathBuf) -> Scratch {
        let _ = interrupt::register(|| Ok(()), |()| path.clone());
        Scratch(path)
    }

    /// Its name.
    pub fn place(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        interrupt::forget(&self.0);
    }
}
