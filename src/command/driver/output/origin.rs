//! What the files of an output folder were made of, as their manifest says it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How the lines of a manifest begin that say it.
const MADE_OF: &str = "# made of ";
const READ: &str = "# read ";
const LOOKED_FOR: &str = "# looked for ";

/// What a run has read, as it stands in the manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The hash of everything but include files.
    pub key: String,
    /// The warnings that the run gave.
    pub warnings: usize,
    /// Include files that were looked for, with the hash of what was there; None: nothing.
    pub includes: BTreeMap<PathBuf, Option<String>>,
}

impl Origin {
    /// Takes a line of the manifest; false: it says something else.
    pub(super) fn take_line(origin: &mut Option<Origin>, line: &str) -> bool {
        if let Some(rest) = line.strip_prefix(MADE_OF) {
            let (key, warnings) = rest.split_once(", warnings: ").unwrap_or((rest, ""));
            *origin = warnings.parse().ok().map(|warnings| Origin {
                key: key.to_owned(),
                warnings,
                includes: BTreeMap::new(),
            });
            return true;
        }
        let (name, hash) = if let Some(name) = line.strip_prefix(LOOKED_FOR) {
            (name, None)
        } else if let Some((hash, name)) = line.strip_prefix(READ).and_then(|l| l.split_once("  "))
        {
            (name, Some(hash.to_owned()))
        } else {
            return false;
        };
        if let Some(origin) = origin {
            origin.includes.insert(name.into(), hash);
        }
        true
    }

    /// As lines of the manifest; None: a name is no text of one line.
    pub fn lines(&self) -> Option<String> {
        let mut text = format!("{MADE_OF}{}, warnings: {}\n", self.key, self.warnings);
        for (path, hash) in &self.includes {
            let name = path.to_str().filter(|n| !n.contains(['\n', '\r']))?;
            text.push_str(&match hash {
                Some(hash) => format!("{READ}{hash}  {name}\n"),
                None => format!("{LOOKED_FOR}{name}\n"),
            });
        }
        Some(text)
    }

    /// The include files that were read.
    pub fn includes_read(&self) -> impl Iterator<Item = &Path> {
        let read = self.includes.iter().filter(|(_, hash)| hash.is_some());
        read.map(|(path, _)| path.as_path())
    }
}
