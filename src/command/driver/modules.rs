//! Module files that gfortran writes: whole or not at all, whoever else is at work. Two gfortrans that write one module file at the same time fail, and
//! one whose cuf2cu was killed goes on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};

/// Where one compilation writes its module files until they are published.
#[derive(Debug)]
pub struct Folder {
    own: PathBuf,
    /// Where they belong: the argument of `-J`.
    place: PathBuf,
}

impl Folder {
    /// A folder for a command that writes module files, within the temporary one.
    ///
    /// # Errors
    /// What the system says.
    pub fn of(arguments: &[OsString], temporary: &Path) -> io::Result<Option<Folder>> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let mut words = arguments.iter();
        if !words.any(|w| w == "-J") {
            return Ok(None);
        }
        let Some(place) = words.next().map(PathBuf::from) else {
            return Ok(None);
        };
        let own = temporary.join(format!("modules-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir(&own)?;
        Ok(Some(Folder { own, place }))
    }

    /// Where the command runs: gfortran prefers the module files of that folder, and a file may use a module that it has defined before.
    pub fn working_folder(&self) -> &Path {
        &self.own
    }

    /// The arguments as the command gets them.
    pub fn arguments(&self, given: &[OsString]) -> Vec<OsString> {
        let mut all = Vec::with_capacity(given.len() + 2);
        for argument in given {
            if argument == self.place.as_os_str() && all.last().is_some_and(|last| last == "-J") {
                all.push(self.own.clone().into_os_string());
                all.push("-I".into());
            }
            all.push(argument.clone());
        }
        all
    }

    /// Gives the module files their place, by way of the name that `scratch` gives to a file. One without a change keeps its time.
    ///
    /// # Errors
    /// What the system says.
    pub fn publish(self, scratch: impl Fn(&Path) -> PathBuf) -> io::Result<()> {
        for entry in fs::read_dir(&self.own)? {
            let file = entry?.path();
            let place = self.place.join(file.file_name().unwrap_or_default());
            let new = fs::read(&file)?;
            if fs::read(&place).is_ok_and(|old| old == new) {
                continue;
            }
            let scratch = scratch(&place);
            fs::write(&scratch, new)?;
            fs::rename(&scratch, &place)?;
        }
        fs::remove_dir_all(&self.own)
    }
}
