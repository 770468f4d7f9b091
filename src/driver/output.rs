//! Writes the output folder: everything, or nothing.

use std::fs;
use std::path::{Path, PathBuf};

use super::Error;
use super::runtime::{self, FILES, RuntimeFile};

/// The name of the report, which also marks a folder as written by cuf2cu.
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

/// Looks for two files of one name.
///
/// # Errors
/// [`Error::Usage`] that names it.
pub fn distinct(files: &[NewFile]) -> Result<(), Error> {
    let mut paths: Vec<&PathBuf> = files.iter().map(|(path, _)| path).collect();
    paths.sort();
    match paths.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::Usage(format!(
            "two files of the output would be named {}: rename one of the sources",
            pair[0].display()
        ))),
        None => Ok(()),
    }
}

/// Writes `files` to the folder `out`.
///
/// The files are first written to a temporary folder beside `out`. A new `out` appears whole, by one rename; in an existing one each
/// file is replaced by a rename, after all have been written. A file that has its contents already is not touched, so that `make`
/// compiles only what is new.
///
/// # Errors
/// [`Error::Usage`] if two files have the same path, if `out` holds files of somebody else (unless `force`), or if writing fails.
pub fn write(out: &Path, files: &[NewFile], force: bool) -> Result<(), Error> {
    distinct(files)?;
    let occupied = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
    if occupied && !force && !out.join(REPORT).exists() {
        return Err(Error::Usage(format!(
            "{} holds files that cuf2cu has not written: choose an empty folder, or add --force",
            out.display()
        )));
    }
    let whole = super::inputs::resolve(out);
    let parent = whole.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent).map_err(|e| Error::file("create", parent, &e))?;
    let staging = tempfile::Builder::new()
        .prefix(".cuf2cu-")
        .tempdir_in(parent)
        .map_err(|e| Error::file("create a folder in", parent, &e))?;
    let kept = |path: &Path, contents: &[u8]| {
        whole.exists() && fs::read(whole.join(path)).is_ok_and(|old| old == contents)
    };
    let files: Vec<&NewFile> = files.iter().filter(|(p, c)| !kept(p, c)).collect();
    for (path, contents) in &files {
        let target = staging.path().join(path);
        let folder = target.parent().unwrap_or(staging.path());
        fs::create_dir_all(folder).map_err(|e| Error::file("create", folder, &e))?;
        fs::write(&target, contents).map_err(|e| Error::file("write", &target, &e))?;
    }
    if !whole.exists() {
        let folder = staging.keep();
        set_ordinary_permissions(&folder);
        return fs::rename(&folder, &whole).map_err(|e| {
            let _ = fs::remove_dir_all(&folder);
            Error::file("create", out, &e)
        });
    }
    for (path, _) in files {
        let target = whole.join(path);
        let folder = target.parent().unwrap_or(&whole);
        fs::create_dir_all(folder).map_err(|e| Error::file("create", folder, &e))?;
        fs::rename(staging.path().join(path), &target)
            .map_err(|e| Error::file("write", &target, &e))?;
    }
    Ok(())
}

/// Temporary folders are private; the output is an ordinary folder.
fn set_ordinary_permissions(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A failure leaves a folder that only its owner can read, which is no reason to fail.
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
    }
    #[cfg(not(unix))]
    let _ = folder;
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
        fs::remove_file(out.join(REPORT)).unwrap();
        assert!(write(&out, &files, false).is_err());
        write(&out, &files, true).unwrap();
        let time = |name: &str| fs::metadata(out.join(name)).unwrap().modified().unwrap();
        let before = time("a/b.f90");
        std::thread::sleep(std::time::Duration::from_millis(20));
        write(&out, &files, false).unwrap();
        assert_eq!(time("a/b.f90"), before, "an unchanged file is not touched");
        assert_eq!(fs::read(out.join("a/b.f90")).unwrap(), b"y");
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary folder is left"
        );
    }
}
