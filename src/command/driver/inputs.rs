//! Collects the files of a translation: Fortran to translate, C, C++ and CUDA to carry along.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::discover::Selection;
use super::headers::IncludeFolder;
use super::paths::{lexical, resolve};
use super::{Error, read_source};
pub use crate::source::has_cuda_extension;
use crate::translate::{IncludeReader, SourceInput};

/// The files found for `SRC...`.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Fortran sources, by path.
    pub fortran: Vec<SourceInput>,
    /// C, C++ and CUDA sources and headers: path read, path below the output folder.
    pub natives: Vec<(PathBuf, PathBuf)>,
    /// Where a build of the output looks for headers: the folders of `-I`.
    pub include: Vec<IncludeFolder>,
}

/// Include files from the disk.
pub const INCLUDES: IncludeReader = IncludeReader(read_include);

fn read_include(path: &Path) -> Option<Vec<u8>> {
    read_source::source(path).ok()
}

const FORTRAN: &[&str] = &["cuf", "f90", "f95", "f03", "f08", "f18", "for", "ftn", "f"];
const NATIVE: &[&str] = &[
    "c", "cc", "cpp", "cxx", "c++", "C", "cu", "h", "hh", "hpp", "hxx", "cuh", "inl",
];

/// Whether the file is Fortran by its extension.
pub fn is_fortran(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    FORTRAN.contains(&extension.to_ascii_lowercase().as_str())
}

/// Whether a file with this extension is in free form.
pub fn is_free_form(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    !["f", "for", "ftn"].contains(&extension.to_ascii_lowercase().as_str())
}

/// Collects `sources`: files as given, folders with everything below them.
///
/// A file found in a folder that another one includes is part of that one, and no source of its own. What `selection` leaves out, and
/// [`Selection::source_files`] in any case, is no source. The order is that of the paths, so the result does not depend on the file system.
///
/// # Errors
/// [`Error::Usage`] for a path that does not exist or cannot be read, and if there is nothing to translate.
pub fn collect(sources: &[PathBuf], selection: Option<&Selection>) -> Result<Inputs, Error> {
    let mut inputs = Inputs::default();
    let mut named = BTreeSet::new();
    let default = Selection::default();
    let selection = selection.unwrap_or(&default);
    let excluded = selection.excluded()?;
    for source in sources {
        let meta = fs::metadata(source).map_err(|e| Error::named(source, &e))?;
        if meta.is_dir() {
            for relative in selection.source_files(source)? {
                add(&source.join(&relative), relative, false, &mut inputs)?;
            }
        } else if !excluded.leaves_out(source, false) {
            let relative = PathBuf::from(source.file_name().unwrap_or(source.as_os_str()));
            if !named.insert(source.clone()) {
                return Err(Error::Usage(format!("{} is named twice", source.display())));
            }
            add(source, relative, true, &mut inputs)?;
        }
    }
    let included: BTreeSet<PathBuf> = inputs.fortran.iter().flat_map(includes).collect();
    inputs
        .fortran
        .retain(|f| named.contains(&f.path) || !included.contains(&lexical(&f.path)));
    if inputs.fortran.is_empty() {
        let shown: Vec<String> = sources.iter().map(|s| s.display().to_string()).collect();
        return Err(Error::Usage(format!(
            "no Fortran sources (.cuf, .f90, .f, ...) found in {}{}",
            shown.join(", "),
            if found_otherwise(sources, selection) {
                ": every file is cuf2cu output, excluded, or ignored by .gitignore (use `--no-ignore` to include ignored files)"
            } else {
                ""
            }
        )));
    }
    inputs
        .fortran
        .sort_by(|a, b| (&a.relative, &a.path).cmp(&(&b.relative, &b.path)));
    inputs.natives.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(inputs)
}

/// Whether there would be a Fortran source if nothing were left out.
fn found_otherwise(sources: &[PathBuf], selection: &Selection) -> bool {
    let all = Selection {
        exclude: Vec::new(),
        no_ignore: true,
    };
    let folders = sources.iter().filter(|s| s.is_dir());
    let mut found = folders.flat_map(|s| all.source_files(s).unwrap_or_default());
    !selection.exclude.is_empty() || found.any(|f| is_fortran(&f))
}

/// The modules that the Fortran compiler finds compiled: of the `.mod` files in these folders, and those named; in lower case.
pub fn compiled_modules(folders: &[PathBuf], named: &[String]) -> BTreeSet<String> {
    let mut modules: BTreeSet<String> = named
        .iter()
        .map(|n| n.trim().to_ascii_lowercase())
        .collect();
    for folder in folders {
        let Ok(entries) = fs::read_dir(folder) else {
            continue;
        };
        let files = entries.flatten().map(|e| PathBuf::from(e.file_name()));
        let compiled = files.filter(|f| f.extension().is_some_and(|e| e == "mod"));
        modules.extend(
            compiled.filter_map(|f| Some(f.file_stem()?.to_string_lossy().to_ascii_lowercase())),
        );
    }
    modules
}

/// The files that `source` includes from its own folder or relative to it, whether a condition selects them or not.
fn includes(source: &SourceInput) -> Vec<PathBuf> {
    let folder = source.path.parent().unwrap_or(Path::new(""));
    let text = String::from_utf8_lossy(&source.bytes);
    let names = text.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix('#').map_or(line, str::trim_start);
        let (word, rest) = line.split_at_checked("include".len())?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (name, _) = rest[1..].split_once(quote)?;
        word.eq_ignore_ascii_case("include").then_some(name)
    });
    let own = lexical(&source.path);
    names
        .map(|name| lexical(&folder.join(name)))
        .filter(|path| *path != own)
        .collect()
}

/// Adds one file by its extension; `named` on the command line, an unknown extension counts as Fortran.
fn add(path: &Path, relative: PathBuf, named: bool, inputs: &mut Inputs) -> Result<(), Error> {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if NATIVE.contains(&extension.as_str()) {
        inputs.natives.push((path.to_path_buf(), relative));
    } else if is_fortran(path) || named {
        let bytes = read_source::source(path)?;
        inputs.fortran.push(SourceInput {
            path: path.to_path_buf(),
            relative,
            bytes,
        });
    }
    Ok(())
}

/// Refuses an output folder that is, or lies in, or contains one of the sources.
///
/// # Errors
/// [`Error::Usage`] that names both.
pub fn check_output(sources: &[PathBuf], out: &Path) -> Result<(), Error> {
    let out_real = resolve(out);
    for source in sources {
        let real = resolve(source);
        let problem = if real.is_dir() && out_real.starts_with(&real) {
            if out_real == real {
                "is the source folder"
            } else {
                "lies inside the source folder"
            }
        } else if real.starts_with(&out_real) {
            "contains the source"
        } else {
            continue;
        };
        return Err(Error::Usage(format!(
            "output directory {} {problem} {}\nhelp: choose another output directory",
            out.display(),
            source.display()
        )));
    }
    if out_real.exists() && !out_real.is_dir() {
        return Err(Error::Usage(format!(
            "{} exists and is not a folder",
            out.display()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_inside_the_source_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("src");
        fs::create_dir(&source).unwrap();
        let sources = [source.clone()];
        let inside = ["out/deeper", "", "x/../../src/out"];
        for out in inside {
            assert!(check_output(&sources, &source.join(out)).is_err(), "{out}");
        }
        assert!(check_output(&sources, folder.path()).is_err());
        assert!(check_output(&sources, &folder.path().join("out")).is_ok());
    }
}
