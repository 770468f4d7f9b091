//! Whether a run would write what the last one has written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::headers::IncludeFolder;
use super::inputs::{INCLUDES, Inputs};
use super::output::{NewFile, Origin, hash};
use super::{headers, read_source};
use crate::translate::{SourceInput, Translation};

/// What a run begins with: cuf2cu itself, the request, and the Fortran sources.
#[derive(Debug)]
pub struct Fingerprint(blake3::Hasher);

impl Fingerprint {
    /// `request` has all that the output depends on but the contents of files.
    pub fn new(request: &str, fortran: &[SourceInput]) -> Fingerprint {
        let mut basis = Fingerprint(blake3::Hasher::new());
        // Two builds of one version are not the same.
        let program = std::env::current_exe().and_then(|p| p.metadata());
        let size = program.map_or(0, |info| info.len());
        basis.add(env!("MADE_OF_SOURCES").as_bytes());
        basis.add(&size.to_le_bytes());
        basis.add(request.as_bytes());
        for source in fortran {
            basis.add_file(&source.path, &source.relative, &source.bytes);
        }
        basis
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn add_file(&mut self, path: &Path, relative: &Path, contents: &[u8]) {
        self.add(path.as_os_str().as_encoded_bytes());
        self.add(relative.as_os_str().as_encoded_bytes());
        self.add(contents);
    }

    /// With the user's C, C++ and CUDA files, of which `contents` gives what is in each.
    fn key<'a, Bytes: AsRef<[u8]>>(
        &self,
        natives: &'a [(PathBuf, PathBuf)],
        include: &[IncludeFolder],
        contents: impl Fn(&'a (PathBuf, PathBuf)) -> Option<Bytes>,
    ) -> Option<String> {
        let mut whole = Fingerprint(self.0.clone());
        whole.add(format!("{include:?}").as_bytes());
        for native in natives {
            let (path, relative) = native;
            whole.add_file(path, relative, contents(native)?.as_ref());
        }
        Some(whole.0.finalize().to_hex().to_string())
    }

    /// What the manifest is to say of a run: `files` are what it writes, the natives of `inputs` among them. None: it cannot be said.
    pub fn origin(
        &self,
        inputs: &Inputs,
        files: &[NewFile],
        translation: &Translation,
    ) -> Option<Origin> {
        let written: BTreeMap<&Path, &[u8]> =
            files.iter().map(|(p, c)| (p.as_path(), &c[..])).collect();
        let contents = |native: &(PathBuf, PathBuf)| written.get(native.1.as_path()).copied();
        let includes = translation.includes.iter();
        let origin = Origin {
            key: self.key(&inputs.natives, &inputs.include, contents)?,
            warnings: translation.diagnostics.len(),
            includes: includes
                .map(|(path, bytes)| (path.clone(), bytes.as_deref().map(hash)))
                .collect(),
        };
        origin.lines().map(|_| origin)
    }

    /// Whether `origin` says that a run with `inputs` would make the same files; headers are looked for in `folders`. It gives `inputs` the
    /// headers that come along.
    pub fn has_made(&self, origin: &Origin, inputs: &mut Inputs, folders: &[PathBuf]) -> bool {
        let mut natives = inputs.natives.clone();
        let Ok(include) = headers::bring(&mut natives, folders) else {
            return false;
        };
        let contents = |native: &(PathBuf, PathBuf)| read_source::source(&native.0).ok();
        let same = self.key(&natives, &include, contents).as_ref() == Some(&origin.key);
        if !same || !includes_hold(origin) {
            return false;
        }
        inputs.natives = natives;
        true
    }
}

/// Whether the include files are as they were, those too that were not there.
fn includes_hold(origin: &Origin) -> bool {
    let mut includes = origin.includes.iter();
    includes.all(|(path, before)| (INCLUDES.0)(path).map(|bytes| hash(&bytes)) == *before)
}
