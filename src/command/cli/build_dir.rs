//! Where `build` and `run` write what they generate and compile: a folder that the user names, or one of the cache, which is kept so that
//! the next build compiles only what is new.

use std::path::{Path, PathBuf};

use super::arguments::PlaceArguments;
use crate::driver::process::Temporary;
use crate::driver::{BuildOptions, Error, Toolchain, cache, lock, paths};
use crate::translate::TranslateOptions;

/// The folders of a build, which are this process's while this lives.
#[derive(Debug)]
pub struct BuildDir {
    /// The generated files.
    pub out: PathBuf,
    /// The objects.
    pub build: PathBuf,
    /// The user has named neither folder.
    pub hidden: bool,
    locks: Vec<lock::Folder>,
    _temporary: Option<Temporary>,
}

impl BuildDir {
    /// The place for the program made of `sources` with these options.
    ///
    /// # Errors
    /// [`Error::Usage`] if a folder cannot be made or read.
    pub fn of(
        arguments: &PlaceArguments,
        sources: &[PathBuf],
        translate: &TranslateOptions,
        options: &BuildOptions,
        toolchain: &Toolchain,
    ) -> Result<BuildDir, Error> {
        let named = arguments.build_dir.clone();
        let mut place = match &arguments.out {
            Some(out) => {
                let build = named.unwrap_or_else(|| out.join("build").join(options.target.name()));
                BuildDir {
                    out: out.clone(),
                    build,
                    hidden: false,
                    locks: vec![lock::Folder::when_free(out)?],
                    _temporary: None,
                }
            }
            None => {
                let key = key(sources, translate, options, toolchain);
                let folder = cache::build_folder(&options.cache, &key);
                // The cache may be part of an image.
                let temporary = match cache::make(&options.cache, &folder) {
                    Ok(()) => None,
                    Err(_) => Some(Temporary::new()?),
                };
                let folder = temporary
                    .as_ref()
                    .map_or(folder, |t| t.place().to_path_buf());
                let lock = lock::Folder::when_free(&folder)?;
                if temporary.is_none() {
                    cache::keep(&options.cache, &folder);
                }
                BuildDir {
                    out: folder.join("out"),
                    hidden: named.is_none(),
                    build: named.unwrap_or_else(|| folder.join("build")),
                    locks: vec![lock],
                    _temporary: temporary,
                }
            }
        };
        if let Some(build) = &arguments.build_dir {
            let inside = paths::resolve(build).starts_with(paths::resolve(&place.out));
            if !inside {
                place.locks.push(lock::Folder::when_free(build)?);
            }
        }
        Ok(place)
    }

    /// The generated files are written.
    ///
    /// # Errors
    /// [`Error::Usage`] if a folder cannot be made.
    pub fn written(&mut self) -> Result<(), Error> {
        std::fs::create_dir_all(&self.build).map_err(|e| Error::file("create", &self.build, &e))?;
        self.locks.iter_mut().try_for_each(lock::Folder::was_made)
    }

    /// Others may build here.
    pub fn leave(&mut self) {
        self.locks.clear();
    }
}

/// All that decides what is built but the contents of files: those are compared file by file.
fn key(
    sources: &[PathBuf],
    translate: &TranslateOptions,
    options: &BuildOptions,
    toolchain: &Toolchain,
) -> String {
    let sources: Vec<PathBuf> = sources.iter().map(|s| paths::resolve(s)).collect();
    let t = translate;
    let source = (t.preprocess, t.fixed, t.columns, t.debug_lines);
    let loops = (t.keep_loops, t.line_directives, t.checked);
    let language = (&t.macros, t.openmp, loops, t.wrap, t.dialect);
    let options = BuildOptions {
        jobs: 0,
        verbose: false,
        ..options.clone()
    };
    // Options may name files relative to it.
    let here = std::path::absolute(Path::new(".")).unwrap_or_default();
    format!("{sources:?} {source:?} {language:?} {options:?} {toolchain:?} {here:?}")
}
