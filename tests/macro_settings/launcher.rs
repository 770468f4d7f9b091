//! Stands before a compiler, as ccache does: what was compiled once from the same text with the same options is taken from the cache,
//! and the header of the runtime is precompiled. The runtime is the whole one, not the part that the project has a copy of: that is compiled once.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::suite;

/// The first argument of this program when it stands before a compiler.
pub const ARGUMENT: &str = "--compile";

/// Runs the compiler, the first of the words, or takes its object from the cache.
pub fn compile(words: &[String]) -> io::Result<ExitCode> {
    let Some(call) = Call::read(words) else {
        return run(words);
    };
    let fortran = call.source.to_lowercase().ends_with(".f90");
    if fortran && !call.is_runtime() {
        return run(words);
    }
    let place = cache().join(format!("{:016x}", call.key(fortran)?));
    if !place.is_dir() {
        let new = cache().join(format!("new-{}", std::process::id()));
        fs::create_dir_all(&new)?;
        let status = call.compile_in(&new)?;
        if status != ExitCode::SUCCESS {
            let _ = fs::remove_dir_all(&new);
            return Ok(status);
        }
        // Another process may have been faster.
        if fs::rename(&new, &place).is_err() {
            let _ = fs::remove_dir_all(&new);
        }
    }
    for entry in fs::read_dir(&place)?.flatten() {
        let name = entry.file_name();
        let target = match (name.to_str(), &call.modules) {
            (Some("object.o"), _) => PathBuf::from(&call.object),
            (_, Some(folder)) => Path::new(folder).join(&name),
            _ => continue,
        };
        fs::copy(entry.path(), target)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The runtime of all programs.
fn whole() -> PathBuf {
    suite::root().join("runtime-headers")
}

fn cache() -> PathBuf {
    suite::build_folder().join("macro_settings/cache")
}

fn run(words: &[String]) -> io::Result<ExitCode> {
    let Some((program, arguments)) = words.split_first() else {
        return Ok(ExitCode::FAILURE);
    };
    let status = Command::new(program).args(arguments).status()?;
    Ok(ExitCode::from(u8::from(!status.success())))
}

/// A call that compiles one file.
struct Call {
    source: String,
    object: String,
    /// Where gfortran writes modules.
    modules: Option<String>,
    /// All words but the places of what is written.
    words: Vec<String>,
    /// The output folder.
    root: PathBuf,
}

impl Call {
    fn read(words: &[String]) -> Option<Call> {
        let mut call = Call {
            source: String::new(),
            object: String::new(),
            modules: None,
            words: Vec::new(),
            root: PathBuf::from("."),
        };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.as_str() {
                "-o" => call.object = rest.next()?.clone(),
                "-MF" | "-MT" => _ = rest.next()?,
                "-MMD" | "-MP" | "-MD" => {}
                "-c" => call.source = rest.next()?.clone(),
                w if w.starts_with("-J") => call.modules = w.get(2..).map(str::to_owned),
                _ => call.words.push(word.clone()),
            }
        }
        let path = Path::new(&call.source);
        if path.is_absolute() {
            let root = path.ancestors().find(|a| a.join("cuf/cuf.cuh").is_file())?;
            call.root = root.to_owned();
        }
        (!call.source.is_empty() && !call.object.is_empty()).then_some(call)
    }

    /// The file is part of the runtime.
    fn is_runtime(&self) -> bool {
        let path = Path::new(&self.source);
        path.strip_prefix(&self.root)
            .unwrap_or(path)
            .starts_with("cuf")
    }

    fn key(&self, fortran: bool) -> io::Result<u64> {
        let mut hasher = DefaultHasher::new();
        // CMake names files from the root; the folder of the project is another one each time.
        let project = self.root.parent().unwrap_or(Path::new(""));
        let project = project.display().to_string();
        for word in [&self.source].into_iter().chain(&self.words) {
            match project.len() > 1 {
                true => word.replace(&project, "@").hash(&mut hasher),
                false => word.hash(&mut hasher),
            }
        }
        // The runtime is the same for all projects that use the same of it.
        let here = match (self.whole(), self.is_runtime()) {
            (Some(_), _) => whole(),
            (None, true) => self.root.join("cuf"),
            (None, false) => self.root.clone(),
        };
        hash_folder(&here, &mut hasher, &|name| {
            name.to_lowercase().ends_with(".f90") == fortran
        })?;
        Ok(hasher.finish())
    }

    /// The file of the whole runtime that stands for a project's part of it: a project's own copy has what it needs, each another part.
    fn whole(&self) -> Option<PathBuf> {
        let source = Path::new(&self.source);
        let source = source.strip_prefix(&self.root).unwrap_or(source);
        let file = whole().join(source.strip_prefix("cuf").ok()?);
        (file.extension()? == "cpp" && file.is_file()).then_some(file)
    }

    /// Writes `object.o` and modules to a folder.
    fn compile_in(&self, place: &Path) -> io::Result<ExitCode> {
        let mut words = self.words.clone();
        if let Some(modules) = &self.modules {
            words.push(format!("-J{}", place.display()));
            words.push(format!("-I{modules}"));
        } else if let Some(header) = self.precompiled()? {
            words.insert(1, format!("-I{}", header.display()));
        }
        let source = self.whole().map(|file| file.display().to_string());
        if source.is_some() {
            words.insert(1, format!("-I{}", whole().display()));
        }
        let object = place.join("object.o").display().to_string();
        words.extend([
            "-c".to_owned(),
            source.unwrap_or_else(|| self.source.clone()),
            "-o".to_owned(),
            object,
        ]);
        run(&words)
    }

    /// The folder with the precompiled header for the options of this call; g++ itself rejects one that macros do not fit.
    fn precompiled(&self) -> io::Result<Option<PathBuf>> {
        let runtime = whole();
        let header = runtime.join("cuf.cuh");
        let own = self.words.iter().any(|w| w == "-DCUF_TARGET_CPU");
        if self.is_runtime() || !own || !header.is_file() {
            return Ok(None);
        }
        let given =
            |w: &&String| w.starts_with("-O") || w.starts_with("-f") || w.starts_with("-std");
        let options: Vec<&String> = self.words.iter().filter(given).collect();
        let mut hasher = DefaultHasher::new();
        options.hash(&mut hasher);
        // Device code does not include what only the host's runtime is compiled from.
        for folder in ["device", "cpu"] {
            hash_folder(&runtime.join(folder), &mut hasher, &|name| {
                !name.ends_with(".cpp")
            })?;
        }
        fs::read(&header)?.hash(&mut hasher);
        let place = cache().join(format!("header-{:016x}", hasher.finish()));
        if !place.is_dir() {
            let new = cache().join(format!("new-header-{}", std::process::id()));
            copy_folder(&runtime, &new)?;
            let made = Command::new(&self.words[0])
                .args(options)
                .args(["-DCUF_TARGET_CPU", "-w", "-x", "c++-header"])
                .arg(header)
                .arg("-o")
                .arg(new.join("cuf.cuh.gch"))
                .status()?;
            if !made.success() || fs::rename(&new, &place).is_err() {
                let _ = fs::remove_dir_all(&new);
            }
        }
        Ok(place.is_dir().then_some(place))
    }
}

/// The header is beside the precompiled one, for g++ when that does not fit.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Names and contents of the files below a folder whose names are wanted.
fn hash_folder(
    folder: &Path,
    hasher: &mut DefaultHasher,
    wanted: &dyn Fn(&str) -> bool,
) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "build" {
            hash_folder(&path, hasher, wanted)?;
        } else if path.is_file() && wanted(&name) {
            name.hash(hasher);
            fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}
