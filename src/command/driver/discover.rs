//! Which files of a folder are sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Error;
use super::output::Manifest;

/// What is left out of the folders given.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Patterns as in a `.gitignore`, below the folder or as the user named the path.
    pub exclude: Vec<String>,
    /// Files that a `.gitignore` names count, too.
    pub no_ignore: bool,
}

/// The name of the file that a build folder of CMake has.
const CMAKE_CACHE: &str = "CMakeCache.txt";

impl Selection {
    /// A test for paths of `--exclude`.
    ///
    /// # Errors
    /// [`Error::Usage`] for a pattern that is none.
    pub fn excluded(&self) -> Result<Excluded, Error> {
        let mut patterns = GitignoreBuilder::new("");
        for pattern in &self.exclude {
            (patterns.add_line(None, pattern.trim_start_matches("./")))
                .map_err(|e| Error::Usage(format!("--exclude {pattern}: {e}")))?;
        }
        let patterns = patterns.build();
        Ok(Excluded(patterns.map_err(|e| {
            Error::Usage(format!("--exclude {}: {e}", self.exclude.join(" ")))
        })?))
    }

    /// The files below `root`, relative to it, by name: no hidden ones, no output of an earlier run, no build folder of CMake, none that
    /// `.gitignore` files name (those above the folder count within a repository only). Links to folders are not followed.
    ///
    /// # Errors
    /// [`Error::File`] for a folder that cannot be read.
    pub fn source_files(&self, root: &Path) -> Result<Vec<PathBuf>, Error> {
        let excluded = self.excluded()?;
        let mut written = BTreeSet::new();
        let repository = fs::canonicalize(root)
            .is_ok_and(|real| real.ancestors().any(|f| f.join(".git").exists()));
        let mut walk = WalkBuilder::new(root);
        walk.standard_filters(false)
            .hidden(true)
            .git_ignore(!self.no_ignore)
            .parents(!self.no_ignore && repository)
            .require_git(false)
            .sort_by_file_name(Ord::cmp);
        let mut files = Vec::new();
        let mut left_out: Option<PathBuf> = None;
        for entry in walk.build() {
            let entry = entry.map_err(|e| Error::File {
                path: root.to_path_buf(),
                text: format!("cannot read {}: {e}", root.display()),
            })?;
            let path = entry.path();
            if left_out.as_ref().is_some_and(|f| path.starts_with(f)) {
                continue;
            }
            let below = path.strip_prefix(root).unwrap_or(path);
            let folder = entry.file_type().is_some_and(|t| t.is_dir());
            let excluded = entry.depth() > 0
                && (excluded.leaves_out(below, folder) || excluded.leaves_out(path, folder));
            if folder {
                if let Ok(Some(manifest)) = Manifest::read(path) {
                    written.extend(manifest.hashes_by_path().map(|(p, _)| path.join(p)));
                }
                let build = entry.depth() > 0 && path.join(CMAKE_CACHE).is_file();
                left_out = (excluded || build).then(|| path.to_path_buf());
            } else if !excluded && !written.contains(path) && !path.is_dir() {
                files.push(below.to_path_buf());
            }
        }
        Ok(files)
    }
}

/// The patterns of `--exclude`.
#[derive(Debug)]
pub struct Excluded(Gitignore);

impl Excluded {
    /// Whether a pattern matches the path, or a folder that it is in.
    pub fn leaves_out(&self, path: &Path, folder: bool) -> bool {
        // Paths that lead upwards, or from the root, are matched by their names below.
        let below: PathBuf = (path.components())
            .filter(|c| matches!(c, std::path::Component::Normal(_)))
            .collect();
        (self.0.matched_path_or_any_parents(&below, folder)).is_ignore()
    }
}
