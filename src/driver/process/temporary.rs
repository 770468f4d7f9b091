//! Temporary files and folders, which are removed when they are dropped or this process is interrupted.

use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::interrupt;
use crate::driver::Error;

/// A temporary folder.
#[derive(Debug)]
pub struct Temporary {
    /// None: it was kept.
    folder: Option<tempfile::TempDir>,
    path: PathBuf,
}

impl Temporary {
    /// A folder in the system's place for such.
    ///
    /// # Errors
    /// [`Error::Usage`] if it cannot be made.
    pub fn new() -> Result<Temporary, Error> {
        let place = env::temp_dir();
        Temporary::within(&place, "cuf2cu-")
            .map_err(|e| Error::file("create a temporary folder in", &place, &e))
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
