//! What commands do with the folder that they write.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::diag::message::Message;
use crate::driver::paths::resolve;
use crate::driver::{Error, Package, lock, terminal};

/// How a folder is written.
#[derive(Debug, Args)]
pub struct OutputArguments {
    /// Write into a folder that holds other files, and over files that have been edited
    #[arg(long)]
    pub force: bool,
    /// Say which files would change, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Show what would change as a unified diff, and write nothing
    #[arg(long)]
    pub diff: bool,
}

impl OutputArguments {
    /// Whether the folder is written.
    pub fn writes(&self) -> bool {
        !self.dry_run && !self.diff
    }

    /// Writes the package to `out`, or shows what would be written.
    ///
    /// # Errors
    /// See [`crate::driver::output::changes`].
    pub fn write(&self, package: &Package, out: &Path) -> Result<(), Error> {
        // Others may write there at this moment.
        let _lock = match self.writes() {
            true => Some(lock::Folder::when_free(out)?),
            false => None,
        };
        let changes = package.changes(out, self.force)?;
        tell_edited(changes.warnings());
        if self.writes() {
            return changes.apply();
        }
        if self.dry_run {
            terminal::print(format_args!("{}", changes.listed_changes()));
        }
        if self.diff {
            terminal::print_bytes(&changes.unified_text());
        }
        Ok(())
    }
}

/// Writes the package to `out`.
///
/// # Errors
/// See [`crate::driver::output::changes`].
pub fn write(package: &Package, out: &Path, force: bool) -> Result<(), Error> {
    let changes = package.changes(out, force)?;
    tell_edited(changes.warnings());
    changes.apply()
}

fn tell_edited(warnings: Vec<Message>) {
    for warning in warnings {
        let plain = format!("cuf2cu: warning: {}", warning.message);
        terminal::say(warning, &plain);
    }
}

/// What the library of sources without a main program is called: as asked for, or after the only folder or file of sources, or the output
/// folder.
///
/// # Errors
/// [`Error::Usage`] for a name that no file of a Makefile can have.
pub fn library_name(asked: Option<&str>, sources: &[PathBuf], out: &Path) -> Result<String, Error> {
    let usual = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if let Some(name) = asked {
        if name.is_empty() || name.starts_with(['-', '.']) || !name.chars().all(usual) {
            return Err(Error::Usage(format!(
                "--name {name}: a library is named by letters, digits, - _ . +"
            )));
        }
        return Ok(name.to_owned());
    }
    let path = match sources {
        [source] => source.as_path(),
        _ => out,
    };
    let whole = resolve(path);
    let name = match whole.is_dir() {
        true => whole.file_name(),
        false => whole.file_stem(),
    };
    let name = name.unwrap_or_default().to_string_lossy();
    let name: String = name
        .chars()
        .map(|c| if usual(c) { c } else { '_' })
        .collect();
    let name = name.trim_start_matches(['-', '.']);
    Ok(if name.is_empty() { "cuf" } else { name }.to_owned())
}
