//! Paths, with and without a look at the disk.

use std::fs;
use std::path::{Component, Path, PathBuf};

pub use crate::source::lexical;

/// The path as it is from every folder.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The absolute path without links, `.` and `..`, also for a path whose last parts do not exist yet.
pub fn resolve(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut missing = Vec::new();
    let mut existing = absolute.as_path();
    loop {
        if let Ok(real) = fs::canonicalize(existing) {
            let mut whole = real;
            for part in missing.iter().rev() {
                match part {
                    Component::ParentDir => {
                        whole.pop();
                    }
                    other => whole.push(other),
                }
            }
            return whole;
        }
        let (Some(parent), Some(last)) = (existing.parent(), existing.components().next_back())
        else {
            return absolute;
        };
        missing.push(last);
        existing = parent;
    }
}
