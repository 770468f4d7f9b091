//! Separate compilation, for builds that call a compiler for each file: a source becomes an object and module files, with a record
//! of the source beside them from which the files that use its modules know it again.
//!
//! What a whole program gets by being translated at once is kept by comparing: the records of the files that one needs are translated
//! with it, and what comes out for them must be what was compiled. Where it is not, the compilation stops.

mod definitions;
pub mod depends;
mod hashes;
mod module_info;
mod modules;
mod note;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::build::separate as build;
use super::inputs::Inputs;
use super::plan::{Language, Plan};
use super::process::Temporary;
use super::toolchain::{Target, Toolchain};
use super::{
    BuildOptions, DeviceLines, Error, Package, Project, cache, dependencies, jobs, libraries,
    own_cuda, quote, translate_guarded,
};
use crate::libraries as tables;
use crate::source::{CUDA_MACRO, has_cuda_extension, predefinitions};
use crate::translate::{
    DefinedDummies, Dialect, FileKind, Outline, Sequences, SourceInput, TranslateOptions,
    Translation, outline_of, source_options,
};
use module_info::Record;
use modules::{Made, Taken};
use note::Note;

/// One source to compile.
#[derive(Debug)]
pub struct Source<'a> {
    pub path: &'a Path,
    pub object: &'a Path,
    /// Where module files go, and records; they are looked up there first.
    pub modules: &'a Path,
    /// What it depends on is written there.
    pub rules: Option<depends::Rules>,
}

/// A source with the records of the files whose modules it uses, translated.
#[derive(Debug)]
pub struct Translated {
    input: SourceInput,
    options: TranslateOptions,
    outline: Outline,
    /// Modules and records of other files that were read.
    modules: Vec<PathBuf>,
    /// What of them has a record, as it was read.
    taken: Taken,
    /// May have errors; then there is nothing to build.
    pub translation: Translation,
}

/// Translates a Fortran source.
///
/// # Errors
/// [`Error::Usage`] if it or a record cannot be read, and if what was compiled of another file is not what this one takes it for.
pub fn translated(source: &Source<'_>, translate: &TranslateOptions) -> Result<Translated, Error> {
    let mut bytes = super::read_source::named(source.path)?;
    if bytes.trim_ascii().is_empty() {
        // An object of nothing, as other compilers make it: a comment is no program unit either.
        bytes = b"!\n".to_vec();
    }
    let mut input = SourceInput {
        path: source.path.to_path_buf(),
        relative: relative(source.path, &[]),
        bytes,
    };
    let folders: Vec<PathBuf> = std::iter::once(source.modules.to_path_buf())
        .chain(translate.include_folders.iter().cloned())
        .collect();
    let outline = outline_of(&input, translate);
    input.relative = relative(source.path, &outline.provides);
    // A module of its own may have come from another file, whose record is still there.
    let own = |module: &&String| outline.provides.contains(module);
    let used: Vec<String> = outline.uses.iter().filter(|m| !own(m)).cloned().collect();
    let mut records = module_info::find(&used, &folders, translate.dialect)?;
    records.retain(|r| !(r.provides_any(&outline.provides) && same_file(&r.path, source.path)));
    let mut elsewhere: Sequences = definitions::beside(source.path, &outline.described, translate);
    for (name, known) in records.iter().flat_map(|r| &r.adapted) {
        elsewhere
            .entry(name.clone())
            .or_default()
            .extend(known.clone());
    }
    let mut outside = super::inputs::compiled_modules(&folders, &[]);
    outside.extend(translate.outside.iter().flatten().cloned());
    let mut options = TranslateOptions {
        before: Some(records.iter().map(Record::compiled).collect()),
        outside: Some(outside),
        elsewhere,
        ..translate.clone()
    };
    let mut translation = translate_guarded(vec![input.clone()], &options)?;
    // Device data goes to procedures without an interface: a source beside this one may tell how.
    if translation.diagnostics.iter().any(|d| d.code == "CUF0360") {
        let unseen = &translation.externals.unseen;
        let told = definitions::beside(source.path, unseen, translate);
        if !told.is_empty() {
            for (name, known) in told {
                options.elsewhere.entry(name).or_default().extend(known);
            }
            translation = translate_guarded(vec![input.clone()], &options)?;
        }
    }
    let changed = (records.iter().zip(&translation.before)).find(|(r, files)| !r.made(files));
    if let Some((record, _)) = changed.filter(|_| !translation.has_errors()) {
        return Err(disagreement(source.path, record, &folders, &options));
    }
    let needed: Vec<&String> = records.iter().flat_map(Record::provides).collect();
    let modules = module_info::places(outline.uses.iter().chain(needed.iter().copied()), &folders);
    let used = outline.uses.iter().filter(|u| needed.contains(u));
    let used: Vec<&String> = used.collect();
    let taken = modules::taken(&modules, &used, &outline.provides);
    Ok(Translated {
        input,
        options,
        outline,
        modules,
        taken,
        translation,
    })
}

/// Why what was compiled of another file is not what `source` takes it for: it is out of date, or it depends on `source`.
fn disagreement(
    source: &Path,
    record: &Record,
    folders: &[PathBuf],
    options: &TranslateOptions,
) -> Error {
    let needed = module_info::find(&record.uses, folders, options.dialect).unwrap_or_default();
    // As it would be compiled now.
    let described: BTreeSet<String> = record.adapted.keys().cloned().collect();
    let mut elsewhere = definitions::beside(&record.path, &described, options);
    elsewhere.extend(needed.iter().flat_map(|r| r.adapted.clone()));
    let known = needed.iter().chain([record]);
    let options = TranslateOptions {
        before: Some(known.map(Record::compiled).collect()),
        elsewhere,
        ..options.clone()
    };
    let alone = translate_guarded(Vec::new(), &options);
    let (source, other) = (source.display(), record.path.display());
    let same = |t: Translation| t.before.last().is_some_and(|files| record.made(files));
    Error::Usage(match alone.is_ok_and(same) {
        true => format!(
            "{source}: the code generated for {other} depends on this file, so the two cannot be compiled separately\nhelp: translate them together with `cuf2cu build` (see docs/flags.md)"
        ),
        false => {
            format!("{source}: the object compiled from {other} is out of date\nhelp: recompile it")
        }
    })
}

impl Translated {
    /// Writes the records of its modules.
    ///
    /// # Errors
    /// [`Error::Usage`] if a file cannot be written.
    pub fn record(&self, folder: &Path) -> Result<(), Error> {
        let options = source_options(&self.options);
        Record::new(&self.input, &options, &self.outline, &self.translation).write(folder)
    }

    /// What the rules for make name, with the modules that lie in `folder` now.
    fn dependencies(&self, folder: &Path) -> depends::Files {
        let includes = self.translation.includes.iter();
        let includes = includes.filter(|(_, found)| found.is_some());
        let includes = includes.map(|(path, _)| path.clone());
        let made = module_info::places(&self.outline.provides, &[folder.to_path_buf()]);
        let read = self.modules.iter().cloned().chain(includes);
        depends::Files {
            read: read.filter(|path| !made.contains(path)).collect(),
            made,
        }
    }
}

/// The procedures that take device data by address.
fn with_device(all: &Sequences, which: impl Fn(&str) -> bool) -> Sequences {
    let has = |(name, d): &(&String, &DefinedDummies)| !d.device.is_empty() && which(name);
    let chosen = all.iter().filter(has);
    chosen.map(|(n, d)| (n.clone(), d.clone())).collect()
}

/// Compiles a Fortran source; one with errors is left as it is.
///
/// # Errors
/// See [`translated`], and [`Error::Toolchain`] if a compiler fails.
pub fn compile(
    source: &Source<'_>,
    translated: &Translated,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<(), Error> {
    let translation = &translated.translation;
    if translation.has_errors() {
        return Err(Error::Diagnostics);
    }
    let temporary = Temporary::new()?;
    let place = temporary.place();
    let mut package = super::package(translation, &Inputs::default())?;
    let lines = DeviceLines::new(
        translate_guarded,
        vec![translated.input.clone()],
        &translated.options,
    );
    package.plan.device_lines = Some(Arc::new(lines));
    leave_out_cuda(
        &mut package.plan.predefinitions,
        source.path,
        &translated.options,
    );
    let headers = translation.before.iter().flatten();
    let included = |f: &&crate::translate::OutputFile| {
        matches!(f.kind, FileKind::DeviceHeader | FileKind::SourceLines)
    };
    for file in headers.filter(included) {
        package
            .files
            .push((file.path.clone(), file.contents.clone()));
    }
    let folder = place.join("out");
    super::output::write(&folder, &package.files, true)?;
    let used = libraries_of(translation);
    let mut options = options.clone();
    let own = (source.path.parent()).filter(|p| !p.as_os_str().is_empty());
    options.include_folders.extend(own.map(Path::to_path_buf));
    options
        .include_folders
        .insert(0, source.modules.to_path_buf());
    if !used.is_empty() {
        options
            .include_folders
            .push(library_modules(&used, translation.dialect, toolchain, &options)?.modules);
    }
    let project = Project {
        plan: &package.plan,
        source: &folder,
        build: &place.join("build"),
    };
    let object = place.join("object.o");
    build::object(project, toolchain, &options, &object)?;
    if options.dry_run {
        return Ok(());
    }
    let shims = (translation.files.iter())
        .filter(|f| matches!(f.kind, FileKind::Shims { .. }))
        .flat_map(|f| f.kind.provides());
    let face = module_info::face(
        &translated.outline,
        &translation.files,
        &translated.taken.marks,
    );
    let made = Made::read(
        &place.join("build/mod"),
        &shims.collect::<Vec<_>>(),
        face.as_deref(),
    )?;
    let called = package.plan.emulated.iter().map(|l| l.module.clone());
    let all: BTreeSet<String> = used.into_iter().chain(called).collect();
    let note = Note {
        target: options.target.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        memory: translation.dialect.memory.name().to_owned(),
        libraries: all.into_iter().collect(),
        source: source.path.display().to_string(),
        defined: translation.externals.defined.clone(),
        described: translation.externals.described.clone(),
        adapted: translation.externals.adapted.keys().cloned().collect(),
        device_dummies: with_device(&translation.externals.sequences, |name| {
            translation.externals.defined.contains_key(name)
        }),
        device_actuals: with_device(&translation.externals.adapted, |_| true),
        made: made.digests(),
        taken: translated.taken.digests.clone(),
        runtime: note::runtime(),
        member: false,
    };
    annotate(&object, &note, place, toolchain)?;
    made.hand_over(source.modules)?;
    translated.record(source.modules)?;
    if let Some(rules) = &source.rules {
        rules.write(source.path, &translated.dependencies(source.modules))?;
    }
    install(&object, source.object)
}

/// Compiles a C, C++ or CUDA C++ source.
///
/// # Errors
/// See [`Error`].
pub fn compile_native(
    source: &Source<'_>,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<(), Error> {
    let temporary = Temporary::new()?;
    let absolute = std::path::absolute(source.path).unwrap_or_else(|_| source.path.to_path_buf());
    let folder = absolute.parent().unwrap_or(Path::new("/"));
    let name = absolute.file_name().map(PathBuf::from).unwrap_or_default();
    let emulated =
        Language::of_native(source.path) == Some(Language::Cuda) && options.target == Target::Cpu;
    let translated = match emulated {
        true => {
            let place = temporary.place().join("source");
            let folders = &options.include_folders;
            Some((
                own_cuda::write(&absolute, source.path, folders, &place)?,
                place,
            ))
        }
        false => None,
    };
    let name = translated
        .as_ref()
        .map_or(name, |(own, _)| own.path.clone());
    let mut plan = Plan::new(&[], &[name], &[], Dialect::default())?;
    let mut options = options.clone();
    if let Some((own, _)) = &translated {
        plan.include.clone_from(&own.include);
        options.include_folders.insert(0, folder.to_path_buf());
    }
    let options = &options;
    let project = Project {
        plan: &plan,
        source: translated.as_ref().map_or(folder, |(_, place)| place),
        build: &temporary.place().join("build"),
    };
    let object = temporary.place().join("object.o");
    let built = build::object(project, toolchain, options, &object)?;
    if options.dry_run {
        return Ok(());
    }
    if let Some(rules) = &source.rules {
        let read = (built.iter()).flat_map(|list| dependencies::listed(list, &options.cache));
        let own = translated.iter().flat_map(|(own, _)| own.read.clone());
        let other = |path: &PathBuf| *path != absolute && !path.starts_with(temporary.place());
        let read: BTreeSet<PathBuf> = read.chain(own).filter(other).collect();
        let files = depends::Files {
            read,
            made: Vec::new(),
        };
        rules.write(source.path, &files)?;
    }
    install(&object, source.object)
}

/// What to link.
#[derive(Debug, Default)]
pub struct Link {
    /// Objects, archives, libraries and options of the linker, in the user's order.
    pub inputs: Vec<OsString>,
    /// The objects and archives among them.
    pub files: Vec<PathBuf>,
    pub output: PathBuf,
}

/// Links a program or a shared library, with what the notes of the objects ask for.
///
/// # Errors
/// See [`Error`]; [`Error::Usage`] for objects of another target.
pub fn link(
    link: Link,
    dialect: Dialect,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<(), Error> {
    let output = link.output.clone();
    let (plan, parts) = parts(link, dialect, toolchain, options)?;
    let temporary = Temporary::new()?;
    let product = temporary.place().join("linked");
    build::link(&plan, toolchain, options, parts, &product)?;
    if options.dry_run {
        return Ok(());
    }
    install(&product, &output)
}

/// What a compiler of C++ or Fortran is told to link these objects with, for a shell. Their device code is linked into the object `output`.
///
/// # Errors
/// See [`Error`]; [`Error::Usage`] for device code without an output.
pub fn link_flags(
    link: Link,
    dialect: Dialect,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<String, Error> {
    let output = link.output.clone();
    let (plan, parts) = parts(link, dialect, toolchain, options)?;
    let has_device = !parts.device.is_empty();
    if has_device && output.as_os_str().is_empty() {
        return Err(Error::Usage(
            "--print-link-flags links the device code of the objects: -o names the object that it makes"
                .to_owned(),
        ));
    }
    let temporary = Temporary::new()?;
    let product = temporary.place().join("linked");
    let words = build::link_words(&plan, toolchain, options, parts, &product)?;
    let device = build::linked_device(&product);
    if has_device && !options.dry_run {
        install(&device, &output)?;
    }
    let place = |word: &OsString| match *word == *device.as_os_str() {
        true => output.display().to_string(),
        false => word.to_string_lossy().into_owned(),
    };
    let quoted: Vec<String> = words.iter().map(|w| quote::shell(&place(w))).collect();
    Ok(quoted.join(" "))
}

/// The runtime that a link needs, and what else it is made of.
fn parts(
    link: Link,
    dialect: Dialect,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<(Plan, build::Linked), Error> {
    let mut used = BTreeSet::new();
    let mut notes = Vec::new();
    let runtime = note::runtime();
    let made = |f: &&PathBuf| !options.dry_run || f.exists();
    // An archive that is named as a library is one of the files.
    let mut files = link.files;
    for file in named_libraries(&link.inputs) {
        if !is_shared(&file) && !files.contains(&file) && note::is_made_here(&file)? {
            files.push(file);
        }
    }
    for file in files.iter().filter(made) {
        for note in note::of_file(file)? {
            if note.target != options.target.name() {
                return Err(Error::Usage(format!(
                    "{} was compiled for target {}, but this link is for {}\nhelp: set CUF2CU_TARGET consistently",
                    file.display(),
                    note.target,
                    options.target.name()
                )));
            }
            if note.memory != dialect.memory.name() {
                return Err(Error::Usage(format!(
                    "{} was compiled for the memory mode {}\nhelp: pass `-gpu=mem:{0}` to the link",
                    file.display(),
                    note.memory
                )));
            }
            if note.runtime != runtime {
                return Err(Error::Usage(format!(
                    "{}: {} was compiled by cuf2cu {}, whose runtime differs from this version's ({})\nhelp: recompile it",
                    file.display(),
                    note.source,
                    note.version,
                    env!("CARGO_PKG_VERSION")
                )));
            }
            used.extend(note.libraries.iter().cloned());
            notes.push(note);
        }
    }
    if note::undefined(&notes).is_some() || note::has_unmade(&notes) {
        for file in named_libraries(&link.inputs) {
            if !files.contains(&file) {
                notes.extend(note::of_file(&file)?);
            }
        }
    }
    note::agree(&notes)?;
    let used: Vec<String> = used.into_iter().collect();
    let plan = Plan::for_link(dialect, &used);
    let mut inputs = link.inputs;
    if used.iter().any(|u| tables::find(u).is_some()) {
        let built = library_modules(&used, dialect, toolchain, options)?;
        inputs.push(built.archive.into());
    }
    let device = match options.target {
        Target::Cuda => files.into_iter().filter(|f| !is_shared(f)).collect(),
        Target::Cpu => Vec::new(),
    };
    Ok((plan, build::Linked { inputs, device }))
}

/// The options with which gfortran's preprocessor has the macros of nvfortran, as far as these sources name them.
///
/// # Errors
/// [`Error::Usage`] if one cannot be read.
pub fn predefined(sources: &[&Path], translate: &TranslateOptions) -> Result<Vec<String>, Error> {
    let mut texts = Vec::new();
    for source in sources {
        texts.push(super::read_source::source(source)?);
    }
    let mut found = predefinitions(texts.iter().map(|t| &**t));
    if let Some(first) = sources.first() {
        leave_out_cuda(&mut found, first, translate);
    }
    Ok(found)
}

/// A file that is not CUDA Fortran is compiled without the macro of it.
fn leave_out_cuda(predefinitions: &mut Vec<String>, path: &Path, translate: &TranslateOptions) {
    if translate.cuda_by_extension && !has_cuda_extension(path) {
        predefinitions.retain(|p| *p != format!("-D{CUDA_MACRO}=1"));
    }
}

/// The files of the libraries (`-l`) that are found in the folders named by `-L`.
fn named_libraries(inputs: &[OsString]) -> Vec<PathBuf> {
    let words = || inputs.iter().filter_map(|w| w.to_str());
    let folders: Vec<&Path> = (words().filter_map(|w| w.strip_prefix("-L")))
        .map(Path::new)
        .collect();
    let file = |name: &str| {
        let of = |f: &&Path| {
            [
                f.join(format!("lib{name}.so")),
                f.join(format!("lib{name}.a")),
            ]
        };
        folders.iter().flat_map(of).find(|p| p.is_file())
    };
    let names = words().filter_map(|w| w.strip_prefix("-l"));
    names.filter_map(file).collect()
}

fn is_shared(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".so") || name.contains(".so.")
}

fn same_file(a: &Path, b: &Path) -> bool {
    let real = |p: &Path| fs::canonicalize(p).unwrap_or_else(|_| p.to_path_buf());
    real(a) == real(b)
}

/// The modules of CUDA's libraries that the file uses.
fn libraries_of(translation: &Translation) -> Vec<String> {
    let uses = translation.files.iter().flat_map(|f| f.kind.uses());
    let before = translation.before.iter().flatten();
    let uses = uses.chain(before.flat_map(|f| f.kind.uses()));
    let all: BTreeSet<&String> = uses.filter(|u| tables::find(u).is_some()).collect();
    all.into_iter().cloned().collect()
}

/// Puts the note into the object.
fn annotate(object: &Path, note: &Note, place: &Path, toolchain: &Toolchain) -> Result<(), Error> {
    let text = place.join("note");
    fs::write(&text, note.text()).map_err(|e| Error::file("write", &text, &e))?;
    let mut section = OsString::from(format!("{}=", note::SECTION));
    section.push(&text);
    let mut command = jobs::Invocation::new(&toolchain.objcopy);
    command.arg("--add-section").arg(section);
    command.arg(format!(
        "--set-section-flags={}=noload,readonly",
        note::SECTION
    ));
    command.arg(object);
    jobs::run(&command)
}

/// Where the modules of libraries are compiled.
struct Built {
    modules: PathBuf,
    archive: PathBuf,
}

/// Compiles the modules of libraries, whole, into the cache.
fn library_modules(
    names: &[String],
    dialect: Dialect,
    toolchain: &Toolchain,
    options: &BuildOptions,
) -> Result<Built, Error> {
    let used: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let order: Vec<&str> = tables::needed(&used)
        .iter()
        .map(|l| l.module.as_str())
        .collect();
    let mut hasher = DefaultHasher::new();
    (
        &order,
        env!("CARGO_PKG_VERSION"),
        &options.optimise,
        dialect.real,
    )
        .hash(&mut hasher);
    (
        options.target.name(),
        options.position_independent,
        options.openmp,
    )
        .hash(&mut hasher);
    (&toolchain.fortran, toolchain.fortran.version_line()).hash(&mut hasher);
    for (_, text) in tables::sources(&used, None) {
        text.hash(&mut hasher);
    }
    let folder = options
        .cache
        .join(format!("libraries-{:016x}", hasher.finish()));
    let built = Built {
        modules: folder.join("build/mod"),
        archive: folder.join("libcuf_libraries.a"),
    };
    cache::make(&options.cache, &folder)?;
    cache::used(&folder);
    // Compilations at the same time wait for the first one.
    let _alone = super::output::lock(&folder.join("lock"))?;
    if built.archive.exists() {
        return Ok(built);
    }
    let order: Vec<String> = order.into_iter().map(str::to_owned).collect();
    let Package { plan, files, .. } = libraries::modules(&order)?;
    let source = folder.join("source");
    super::output::write(&source, &files, true)?;
    let project = Project {
        plan: &plan,
        source: &source,
        build: &folder.join("build"),
    };
    let plain = BuildOptions {
        macros: Vec::new(),
        include_folders: Vec::new(),
        fflags: Vec::new(),
        nvccflags: Vec::new(),
        dry_run: false,
        ..options.clone()
    };
    let objects = build::modules(project, toolchain, &plain)?;
    let scratch = jobs::Job::scratch(&built.archive);
    let mut command = jobs::Invocation::new(&toolchain.archiver());
    command.arg("rcs").arg(&scratch).args(&objects);
    jobs::run(&command)?;
    fs::rename(&scratch, &built.archive).map_err(|e| Error::file("write", &built.archive, &e))?;
    Ok(built)
}

/// The place of a file's outputs: its name in a folder that stands for its own and for its modules, so that neither files of one name meet
/// nor those that a source becomes by the macros it is compiled with.
fn relative(path: &Path, modules: &[String]) -> PathBuf {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = real.parent().unwrap_or(Path::new("/"));
    let mut hasher = blake3::Hasher::new();
    hasher.update(folder.as_os_str().as_encoded_bytes());
    for module in modules {
        hasher.update(b"\0").update(module.as_bytes());
    }
    let digest = hasher.finalize().to_hex();
    Path::new(&format!("from_{}", &digest[..8])).join(path.file_name().unwrap_or_default())
}

/// Copies a file to its place by way of a temporary name; a device or pipe there (`-o /dev/null`) stays what it is.
pub fn install(file: &Path, place: &Path) -> Result<(), Error> {
    if fs::metadata(place).is_ok_and(|info| !info.is_file() && !info.is_dir()) {
        let copied = fs::read(file).and_then(|bytes| fs::write(place, bytes));
        return copied.map_err(|e| Error::file("write", place, &e));
    }
    let scratch = jobs::Job::scratch(place);
    fs::copy(file, &scratch)
        .and_then(|_| fs::rename(&scratch, place))
        .map_err(|e| {
            let _ = fs::remove_file(&scratch);
            Error::file("write", place, &e)
        })
}
