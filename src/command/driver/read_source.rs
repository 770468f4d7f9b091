//! Reads files of the user: ordinary ones, of a size that can be worked with. A pipe would wait for its writer, a device may never end.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

use super::Error;

/// Largest file that is read, bytes.
const MOST: u64 = 64 << 20;

/// The contents of a source, header or record.
///
/// # Errors
/// [`Error::File`], and [`Error::Usage`] that says what the file is, if it is not read.
pub fn source(path: &Path) -> Result<Vec<u8>, Error> {
    let name = path.as_os_str().as_encoded_bytes();
    if name.iter().any(|b| matches!(b, b'\n' | b'\r')) {
        return Err(Error::Usage(format!(
            "{path:?} has a newline in its name, which Makefiles and line directives cannot represent\nhelp: rename it"
        )));
    }
    let opened = open(path).map_err(|e| Error::file("read", path, &e))?;
    contents(opened).map_err(|why| Error::Usage(format!("cannot read {}: {why}", path.display())))
}

/// The same of a file that the request names.
///
/// # Errors
/// Those of [`source`]; [`Error::Usage`] if there is none.
pub fn named(path: &Path) -> Result<Vec<u8>, Error> {
    path.metadata().map_err(|e| Error::named(path, &e))?;
    source(path)
}

/// Opened without waiting for another process.
fn open(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

fn contents(mut file: File) -> Result<Vec<u8>, String> {
    let info = file.metadata().map_err(|e| e.to_string())?;
    if let Some(what) = unusual(info.file_type()) {
        return Err(format!("it is {what}, not a file"));
    }
    let mut bytes = Vec::new();
    let read = (&mut file).take(MOST + 1).read_to_end(&mut bytes);
    read.map_err(|e| e.to_string())?;
    match bytes.len() as u64 > MOST {
        true => Err(format!("it has more than {} MiB", MOST >> 20)),
        false => Ok(bytes),
    }
}

/// What is no ordinary file is called so.
pub fn unusual(kind: std::fs::FileType) -> Option<&'static str> {
    match () {
        () if kind.is_file() => None,
        () if kind.is_dir() => Some("a folder"),
        () if kind.is_fifo() => Some("a pipe"),
        () if kind.is_socket() => Some("a socket"),
        () if kind.is_symlink() => Some("a broken link"),
        () => Some("a device"),
    }
}
