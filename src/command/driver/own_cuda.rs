//! CUDA C++ of the user's own on the cpu target: the translated sources and headers beside the user's.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::headers::{self, IncludeFolder};
use super::output::NewFile;
use super::paths::lexical;
use super::plan::Language;
use super::{Error, read_source};
use crate::cuda_cxx;

/// The folder of the runtime with headers under the names of CUDA's.
pub const HEADERS: &str = "cpu/cuda";

/// Where the text of a source or header for the cpu target lies, below the output folder.
pub fn place(path: &Path) -> PathBuf {
    Path::new(cuda_cxx::FOLDER).join(path)
}

/// Where a file of this text asks for CUDA's headers.
pub fn calls_runtime(text: &str) -> bool {
    text.contains("cuda_runtime")
}

/// One of the user's C, C++ and CUDA files.
pub struct Native<'a> {
    /// Below the output folder.
    pub path: &'a Path,
    /// What messages call it.
    pub name: &'a Path,
    pub bytes: &'a [u8],
}

/// The files for the cpu target of the user's: none without CUDA C++.
pub fn files(natives: &[Native<'_>]) -> Vec<NewFile> {
    let is_cuda = |path: &Path| Language::of_native(path) == Some(Language::Cuda);
    if !natives.iter().any(|n| is_cuda(n.path)) {
        return Vec::new();
    }
    let texts: Vec<(&Native<'_>, String)> = natives
        .iter()
        .filter(|n| is_cuda(n.path) || Language::of_native(n.path).is_none())
        .map(|n| (n, text_of(n.bytes)))
        .collect();
    let macros = (texts.iter())
        .flat_map(|(_, text)| cuda_cxx::kernel_macros(text))
        .collect();
    texts
        .iter()
        .map(|(native, text)| {
            let name = text_of(native.name.as_os_str().as_encoded_bytes());
            let text = match is_cuda(native.path) {
                true => cuda_cxx::source(text, &name, &macros),
                false => cuda_cxx::header(text, &name, &macros),
            };
            (place(native.path), bytes_of(&text))
        })
        .collect()
}

/// A source of CUDA C++ that is compiled by itself, with the headers that it includes.
pub struct Separate {
    /// The source below the folder.
    pub path: PathBuf,
    pub include: Vec<IncludeFolder>,
    /// The user's files.
    pub read: Vec<PathBuf>,
}

/// Writes what is compiled for the cpu target in the place of the source at `absolute`, which messages call `name`, below `folder`.
///
/// # Errors
/// [`Error::Usage`] if a file cannot be read or written.
pub fn write(
    absolute: &Path,
    name: &Path,
    include_folders: &[PathBuf],
    folder: &Path,
) -> Result<Separate, Error> {
    // Below the root, so that `../` of an include leads nowhere else.
    let below = |path: &Path| -> PathBuf {
        let parts = path.components();
        parts
            .filter(|c| matches!(c, Component::Normal(_)))
            .collect()
    };
    let path = below(&lexical(absolute));
    let mut natives = vec![(absolute.to_path_buf(), path.clone())];
    let include = headers::bring(&mut natives, include_folders)?;
    let mut contents = Vec::new();
    for (read, _) in &natives {
        contents.push(read_source::source(read)?);
    }
    let all: Vec<Native<'_>> = (natives.iter().zip(&contents))
        .map(|((read, path), bytes)| Native {
            path,
            name: if read == absolute { name } else { read },
            bytes,
        })
        .collect();
    for (path, contents) in files(&all) {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|e| Error::file("create", parent, &e))?;
        fs::write(&path, contents).map_err(|e| Error::file("write", &path, &e))?;
    }
    Ok(Separate {
        path,
        include,
        read: natives.into_iter().map(|(read, _)| read).collect(),
    })
}

/// The folders with translated headers, below the output folder, in the order in which they are looked up.
pub fn include_folders(include: &[IncludeFolder]) -> Vec<PathBuf> {
    let within = include.iter().filter_map(|folder| match folder {
        IncludeFolder::Within(folder) => Some(place(folder)),
        IncludeFolder::Outside(_) => None,
    });
    let own = PathBuf::from(cuda_cxx::FOLDER);
    std::iter::once(own).chain(within).collect()
}

/// A character per byte: files need not be UTF-8, and what is not translated stays as it is.
fn text_of(bytes: &[u8]) -> String {
    bytes.iter().map(|b| char::from(*b)).collect()
}

fn bytes_of(text: &str) -> Vec<u8> {
    // Every character is one of `text_of`.
    text.chars()
        .map(|c| u8::try_from(c).unwrap_or(b'?'))
        .collect()
}
