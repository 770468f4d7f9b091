//! Everything around the translation: files in, files out, compilers. The only part that touches files and processes.

pub mod build;
pub mod cache;
pub mod cmake;
pub mod dependencies;
pub mod depfile;
mod device_lines;
mod device_locations;
pub mod discover;
mod error;
pub mod family;
pub mod fix;
pub mod headers;
pub mod inputs;
pub mod jobs;
pub mod libraries;
mod line_similarity;
mod locations;
pub mod lock;
pub mod makefile;
mod modules;
pub mod options;
pub mod output;
mod own_cuda;
pub mod paths;
pub mod plan;
pub mod pool;
pub mod process;
mod processor;
mod quote;
pub mod read_source;
pub mod report;
pub mod runtime;
pub mod separate;
pub mod settings;
pub mod summary;
pub mod terminal;
pub mod toolchain;
mod unlinked;
pub mod up_to_date;

use std::path::{Path, PathBuf};

pub use build::{BuildOptions, Project};
pub use device_lines::DeviceLines;
pub use error::Error;
pub use plan::Plan;
pub use toolchain::{Target, Toolchain};

use crate::diag::Severity;
use crate::map;
use crate::translate::{Choices, FileKind, SourceInput, TranslateOptions, Translation, translate};
use crate::variants;
use inputs::Inputs;
use output::NewFile;
use runtime::{FILES, RuntimeFile, Uses};

/// Translates `inputs`; a fault of the translator itself becomes an error that names the files, never an abort of the caller.
///
/// # Errors
/// [`Error::Internal`] if the translator panicked.
pub fn translate_guarded(
    inputs: Vec<SourceInput>,
    options: &TranslateOptions,
) -> Result<Translation, Error> {
    guarded(|| {
        let mut translation = translate(inputs, options);
        libraries::reduce(&mut translation);
        device_lines::seal(&mut translation.files);
        translation
    })
}

/// As [`translate_guarded`], with both choices of a macro where that is possible, see [`choices`].
///
/// # Errors
/// As [`translate_guarded`].
pub fn translate_both(
    inputs: Vec<SourceInput>,
    options: &TranslateOptions,
) -> Result<Translation, Error> {
    let again = inputs.clone();
    let translation = guarded(|| {
        let mut translation = variants::translate_both(inputs, options);
        libraries::reduce(&mut translation);
        device_lines::seal(&mut translation.files);
        translation
    })?;
    let both = &translation.choices.both;
    // What no choice uses both ways, both together may.
    let plan = || Plan::new(&translation.files, &[], &FILES, translation.dialect);
    if both.is_empty() && translation.choices.numbers.is_empty() || plan().is_ok() {
        return Ok(translation);
    }
    let why = "the variants would have a circular module dependency";
    let numbers = translation.choices.numbers.iter().map(|n| &n.name);
    let names = both.iter().map(|c| &c.name).chain(numbers);
    let one = names.map(|name| (name.clone(), why.to_owned()));
    let choices = Choices {
        one: one.collect(),
        ..Choices::default()
    };
    guarded(|| {
        let mut translation = variants::translate_one(again, options, choices);
        libraries::reduce(&mut translation);
        translation
    })
}

fn guarded(
    translation: impl FnOnce() -> Translation + Send + std::panic::UnwindSafe,
) -> Result<Translation, Error> {
    let translated = std::panic::catch_unwind(|| pool::with_threads(0, translation));
    translated.map_err(|cause| {
        let text = cause
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| cause.downcast_ref::<&str>().copied());
        Error::Internal(format!(
            "internal error: {}; no files were written\nnote: this is a bug in cuf2cu; please report it",
            text.unwrap_or("no details")
        ))
    })
}

/// The output folder in memory: generated files, the user's own C, C++ and CUDA files, and the plan to build them.
#[derive(Debug)]
pub struct Package {
    pub plan: Plan,
    pub files: Vec<NewFile>,
    /// The user's CUDA C++ for the cpu target.
    own_cuda: Vec<NewFile>,
    /// What it was made of, if the output folder is to tell.
    pub origin: Option<output::Origin>,
}

/// Puts together what belongs in the output folder, without runtime files, Makefile and report.
///
/// # Errors
/// [`Error::Usage`] if a file cannot be read or the modules cannot be ordered.
pub fn package(translation: &Translation, inputs: &Inputs) -> Result<Package, Error> {
    let natives: Vec<PathBuf> = inputs
        .natives
        .iter()
        .map(|(_, relative)| relative.clone())
        .collect();
    let mut plan = Plan::new(&translation.files, &natives, &FILES, translation.dialect)?;
    plan.structures = translation.structures;
    plan.choices.clone_from(&translation.choices.both);
    plan.neutral.clone_from(&translation.choices.neutral);
    plan.numbers.clone_from(&translation.choices.numbers);
    plan.settings.clone_from(&translation.settings);
    plan.include.clone_from(&inputs.include);
    let mut files: Vec<NewFile> = translation
        .files
        .iter()
        .map(|f| (f.path.clone(), f.contents.clone()))
        .collect();
    let mut own = Vec::new();
    for (path, relative) in &inputs.natives {
        let bytes = read_source::source(path)?;
        own.push((relative.clone(), bytes.clone()));
        plan.native_main |= headers::defines_main(&bytes);
        // Fortran may include it, too: a file with edits has Fortran's statements, and is nothing for C.
        let of_fortran = translation.files.iter();
        let mut of_fortran = of_fortran.filter(|f| f.kind == FileKind::Included);
        let there = |(p, contents): &NewFile| p == relative && *contents == bytes;
        if !files.iter().any(there) && !of_fortran.any(|f| f.path == *relative) {
            files.push((relative.clone(), bytes));
        }
    }
    let natives: Vec<own_cuda::Native<'_>> = (own.iter())
        .map(|(path, bytes)| own_cuda::Native {
            path,
            name: path,
            bytes,
        })
        .collect();
    Ok(Package {
        plan,
        files,
        own_cuda: own_cuda::files(&natives),
        origin: None,
    })
}

/// The sources with errors.
fn refused(translation: &Translation) -> Vec<PathBuf> {
    let errors = translation.diagnostics.iter();
    let errors = errors.filter(|d| d.severity == Severity::Error);
    let mut files: Vec<PathBuf> = errors.map(|d| d.file.clone()).collect();
    files.sort();
    files.dedup();
    files
}

/// Looks for what is wrong with the program as a whole, although its files are right: what would keep its output from being written.
///
/// # Errors
/// [`Error::Usage`], as [`package`], [`Package::complete`] and [`Package::write`] have it.
pub fn check_package(translation: &Translation, inputs: &Inputs) -> Result<(), Error> {
    if translation.files.is_empty() {
        return Ok(());
    }
    let mut package = package(translation, inputs)?;
    let targets = [Target::Cuda, Target::Cpu];
    let options = BuildOptions::new(Target::Cuda);
    let own = package.files.len();
    package.complete_with(&FILES, translation, "", &options, &targets)?;
    if output::distinct(&package.files).is_ok() {
        return Ok(());
    }
    // Which files of the runtime the program needs, for which all of it is read, matters only here.
    package.files.truncate(own);
    let runtime = package.runtime(translation, &targets, &options);
    package.complete_with(&runtime, translation, "", &options, &targets)?;
    output::distinct(&package.files)
}

impl Package {
    /// Adds what makes the folder stand alone for `targets`: the runtime files that the program needs, the Makefile and the report.
    ///
    /// # Errors
    /// [`Error::Usage`] if a path cannot be written in a Makefile.
    pub fn complete(
        &mut self,
        translation: &Translation,
        title: &str,
        options: &BuildOptions,
        targets: &[Target],
    ) -> Result<(), Error> {
        let runtime = self.runtime(translation, targets, options);
        self.complete_with(&runtime, translation, title, options, targets)
    }

    /// The runtime files that the program needs.
    fn runtime(
        &self,
        translation: &Translation,
        targets: &[Target],
        options: &BuildOptions,
    ) -> Vec<RuntimeFile> {
        let natives = &self.files[translation.files.len()..];
        let mut uses = Uses::of(&translation.files, natives, translation.dialect.memory);
        uses.watched = options.watched;
        uses.checked = options.checks.wanted();
        runtime::select(&uses, targets)
    }

    fn complete_with(
        &mut self,
        runtime: &[RuntimeFile],
        translation: &Translation,
        title: &str,
        options: &BuildOptions,
        targets: &[Target],
    ) -> Result<(), Error> {
        let natives = &self.files[translation.files.len()..];
        let paths: Vec<PathBuf> = natives.iter().map(|(path, _)| path.clone()).collect();
        // The build of this machine has the whole runtime in its cache.
        let mut plan = Plan::new(&translation.files, &paths, runtime, translation.dialect)?;
        plan.structures = self.plan.structures;
        plan.choices.clone_from(&self.plan.choices);
        plan.neutral.clone_from(&self.plan.neutral);
        plan.numbers.clone_from(&self.plan.numbers);
        plan.settings.clone_from(&self.plan.settings);
        plan.include.clone_from(&self.plan.include);
        plan.native_main = self.plan.native_main;
        plan.library.clone_from(&self.plan.library);
        plan.refused = refused(translation);
        let texts: Vec<&[u8]> = natives.iter().map(|(_, text)| &**text).collect();
        plan.cuda_headers =
            (texts.iter()).any(|text| own_cuda::calls_runtime(&String::from_utf8_lossy(text)));
        let script = settings::script(&plan, title, &texts)?;
        let makefile = makefile::makefile(&plan, title, options, targets)?;
        self.files.push(("Makefile".into(), makefile.into_bytes()));
        let lists = cmake::lists(&plan, title, options, targets)?;
        self.files
            .push(("CMakeLists.txt".into(), lists.into_bytes()));
        if let Some(script) = script {
            self.files
                .push((settings::SCRIPT.into(), script.into_bytes()));
        }
        self.files.extend(output::runtime_files(runtime));
        if targets.contains(&Target::Cpu) {
            self.emulate();
        }
        self.files.push((
            output::REPORT.into(),
            report::report(translation).into_bytes(),
        ));
        if let Some(map) = &translation.map {
            self.files.push((map::FILE.into(), map.json().into_bytes()));
        }
        Ok(())
    }

    /// Adds what a build for the cpu target compiles in the place of the user's CUDA C++.
    pub fn emulate(&mut self) {
        self.files.append(&mut self.own_cuda.clone());
    }

    /// What writing the files to `out` would change.
    ///
    /// # Errors
    /// See [`output::changes`].
    pub fn changes(&self, out: &Path, force: bool) -> Result<output::Changes<'_>, Error> {
        let mut changes = output::changes(out, &self.files, force)?;
        changes.note_origin(self.origin.clone());
        Ok(changes)
    }

    /// Writes the files to `out`.
    ///
    /// # Errors
    /// See [`output::write`].
    pub fn write(&self, out: &Path, force: bool) -> Result<(), Error> {
        self.changes(out, force)?.apply()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::IncludeReader;

    #[test]
    fn a_fault_of_the_translator_is_an_error_with_a_status_of_its_own() {
        let input = SourceInput {
            path: "a.CUF".into(),
            relative: "a.CUF".into(),
            bytes: b"#include \"b.h\"\nend\n".to_vec(),
        };
        let options = TranslateOptions {
            includes: IncludeReader(|_| panic!("on purpose")),
            ..TranslateOptions::default()
        };
        let error = translate_guarded(vec![input], &options).unwrap_err();
        assert_eq!(error.exit_status(), 5);
        assert!(error.to_string().contains("on purpose"), "{error}");
    }
}
