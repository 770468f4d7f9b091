//! The cache: compiled runtime files and the build folders of `build` and `run`, kept between commands and bounded.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{env, process};

use rustix::fs::{Access, access};
use rustix::process::geteuid;

use super::{Error, lock};

/// What was not used for so long is removed.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often that is looked for.
const TIDY: Duration = Duration::from_secs(24 * 3600);
/// Build folders that are kept, of more the ones used last.
const BUILDS: usize = 64;
/// And no more than this of them, bytes.
const BUILDS_SIZE: u64 = 2 << 30;

/// The folder of the build folders.
const BUILDS_FOLDER: &str = "builds";
/// Beginnings of the names of the others.
const KINDS: [&str; 2] = ["runtime-", "libraries-"];
/// A file whose time is that of the last use.
const USED: &str = "used";
/// A file whose time is when the cache was tidied.
const TIDIED: &str = "tidied";

/// `CUF2CU_CACHE`, else `cuf2cu` in the user's cache folder if that can be written, else a folder of the user's own in the temporary folder.
pub fn place() -> PathBuf {
    let set = |name: &str| {
        env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    if let Some(cache) = set("CUF2CU_CACHE") {
        return cache;
    }
    let of_user = [
        // Relative ones are to be ignored, says the XDG specification.
        set("XDG_CACHE_HOME").filter(|p| p.is_absolute()),
        set("HOME").map(|p| p.join(".cache")),
    ];
    let mut of_user = of_user.into_iter().flatten().map(|p| p.join("cuf2cu"));
    of_user.find(|p| writable(p)).unwrap_or_else(|| {
        let named = env::temp_dir().join(format!("cuf2cu-{}", geteuid().as_raw()));
        match named.symlink_metadata() {
            // Somebody has taken the name.
            Ok(info) if !private(&info) => {
                let mut other = named.into_os_string();
                other.push(format!("-{}", process::id()));
                other.into()
            }
            _ => named,
        }
    })
}

/// Whether a folder can be made or written; nothing is made.
fn writable(path: &Path) -> bool {
    let there = path.ancestors().find(|p| p.symlink_metadata().is_ok());
    there.is_some_and(|p| p.is_dir() && access(p, Access::WRITE_OK | Access::EXEC_OK).is_ok())
}

/// A folder of this user that no other one writes.
fn private(info: &fs::Metadata) -> bool {
    info.is_dir() && info.uid() == geteuid().as_raw() && info.mode() & 0o022 == 0
}

/// Makes a folder of the cache.
///
/// # Errors
/// [`Error::Usage`] if it cannot be made, or is another user's in the temporary folder: what is in it would be run.
pub fn make(cache: &Path, folder: &Path) -> Result<(), Error> {
    let make = |path: &Path| DirBuilder::new().recursive(true).mode(0o700).create(path);
    make(cache).map_err(|e| {
        Error::Usage(format!(
            "cannot create cache directory {}: {e}\nhelp: set CUF2CU_CACHE to another directory",
            cache.display()
        ))
    })?;
    let shared = cache.parent().is_some_and(|p| *p == env::temp_dir());
    if shared && !cache.symlink_metadata().is_ok_and(|i| private(&i)) {
        return Err(Error::Usage(format!(
            "cache directory {} is writable by other users\nhelp: set CUF2CU_CACHE to a private directory",
            cache.display()
        )));
    }
    fs::create_dir_all(folder).map_err(|e| Error::file("create", folder, &e))
}

/// A folder of the cache that is used: nobody removes it until this is dropped.
#[derive(Debug)]
pub struct InUse {
    _shared: Option<File>,
}

/// Marks a folder of the cache as used now.
pub fn used(folder: &Path) -> InUse {
    let shared = lock::shared(folder);
    touch(folder);
    InUse { _shared: shared }
}

/// A cache that cannot be written (part of an image) may be read all the same.
fn touch(folder: &Path) {
    let _ = File::create(folder.join(USED)).and_then(|f| f.set_modified(SystemTime::now()));
}

/// The build folder for a program that is called so by all that decides what is built; it is to be locked by [`lock::Folder`].
pub fn build_folder(cache: &Path, key: &str) -> PathBuf {
    let digest = blake3::hash(key.as_bytes()).to_hex();
    cache.join(BUILDS_FOLDER).join(&digest[..24])
}

/// Marks a build folder, which is locked, as used now, and removes what is old or too much elsewhere.
pub fn keep(cache: &Path, build: &Path) {
    touch(build);
    let tidied = fs::metadata(cache.join(TIDIED)).and_then(|i| i.modified());
    let recently = tidied.is_ok_and(|t| age(t) < TIDY);
    if recently && entries(&cache.join(BUILDS_FOLDER)).len() <= 2 * BUILDS {
        return;
    }
    let _ = File::create(cache.join(TIDIED)).and_then(|f| f.set_modified(SystemTime::now()));
    for folder in others(cache) {
        if age(last_use(&folder)) > UNUSED {
            lock::remove(&folder);
        }
    }
    let mut builds: Vec<(SystemTime, PathBuf)> = entries(&cache.join(BUILDS_FOLDER))
        .into_iter()
        .map(|b| (last_use(&b), b))
        .collect();
    builds.sort_by(|a, b| b.cmp(a));
    let mut total = 0;
    for (n, (time, folder)) in builds.iter().enumerate() {
        total += size(folder);
        if n >= BUILDS || total > BUILDS_SIZE || age(*time) > UNUSED {
            lock::remove(folder);
        }
    }
}

/// What [`clean`] has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cleaned {
    pub folders: usize,
    pub bytes: u64,
    /// Folders that another process uses.
    pub in_use: usize,
}

/// Removes all that nobody uses.
pub fn clean(cache: &Path) -> Cleaned {
    let mut done = Cleaned::default();
    for folder in others(cache)
        .into_iter()
        .chain(entries(&cache.join(BUILDS_FOLDER)))
    {
        let bytes = size(&folder);
        if lock::remove(&folder) {
            done.folders += 1;
            done.bytes += bytes;
        } else {
            done.in_use += 1;
        }
    }
    // Empty now, most often.
    let _ = fs::remove_dir(cache.join(BUILDS_FOLDER));
    let _ = fs::remove_file(cache.join(TIDIED));
    done
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|e| e.path()).collect()
}

/// The folders of runtimes and libraries. What else may lie in a folder that is named as cache is not touched.
fn others(cache: &Path) -> Vec<PathBuf> {
    let mut all = entries(cache);
    all.retain(|p| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        KINDS.iter().any(|k| name.starts_with(k))
    });
    all
}

fn last_use(folder: &Path) -> SystemTime {
    let time = |path: &Path| fs::metadata(path).and_then(|i| i.modified());
    time(&folder.join(USED))
        .or_else(|_| time(folder))
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

fn age(time: SystemTime) -> Duration {
    time.elapsed().unwrap_or_default()
}

fn size(path: &Path) -> u64 {
    let info = |p: &Path| -> io::Result<fs::Metadata> { fs::symlink_metadata(p) };
    match info(path) {
        Ok(i) if i.is_dir() => entries(path).iter().map(|p| size(p)).sum(),
        Ok(i) => i.len(),
        Err(_) => 0,
    }
}
