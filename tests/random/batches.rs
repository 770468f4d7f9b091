//! What every random test needs: numbers from the environment, batches that run side by side, translation in memory, compilers.

#![allow(dead_code, reason = "each test uses a part of this")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use cuf2cu::diag::Severity;
use cuf2cu::driver::family::Family;
use cuf2cu::driver::inputs::Inputs;
use cuf2cu::driver::{self, BuildOptions, Package, Target, Toolchain, build};
use cuf2cu::translate::{SourceInput, TranslateOptions, Wrap};

use crate::suite;

/// Why a program failed.
#[derive(Clone, Debug)]
pub struct Failure {
    pub seed: u64,
    /// Where: `refused`, `reference`, `build`, `run`, and what the test compares.
    pub step: &'static str,
    pub detail: String,
}

/// An error of the translator: file, line, text.
pub type Message = (PathBuf, u32, String);

/// The programs overflow at will, so all their arithmetic wraps; `WRAP=hashes` leaves plain what users get plain.
pub fn options() -> TranslateOptions {
    let plain = std::env::var_os("WRAP").is_some_and(|w| w == "hashes");
    TranslateOptions {
        wrap: if plain { Wrap::Plausible } else { Wrap::All },
        ..TranslateOptions::default()
    }
}

/// Translates files in memory; the errors with their lines.
pub fn translate<'a>(
    files: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<Package, Vec<Message>> {
    translate_with(files, &options())
}

/// The same with other options.
pub fn translate_with<'a>(
    files: impl Iterator<Item = (&'a str, &'a str)>,
    options: &TranslateOptions,
) -> Result<Package, Vec<Message>> {
    let input = |(name, text): (&str, &str)| SourceInput {
        path: PathBuf::from(name),
        relative: PathBuf::from(name),
        bytes: text.as_bytes().to_vec(),
    };
    let mut inputs = Inputs {
        fortran: files.map(input).collect(),
        ..Inputs::default()
    };
    let failed = |e: driver::Error| vec![(PathBuf::new(), 0, e.to_string())];
    let fortran = std::mem::take(&mut inputs.fortran);
    let translation = driver::translate_guarded(fortran, options).map_err(failed)?;
    if translation.has_errors() {
        let errors = translation
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error);
        return Err(errors
            .map(|d| {
                (
                    d.file.clone(),
                    d.line,
                    format!("{}: {}", d.code, d.whole_text()),
                )
            })
            .collect());
    }
    driver::package(&translation, &inputs).map_err(failed)
}

/// The compilers of the cpu target, with the runtime compiled; host code is not optimised.
pub fn compilers(optimise: &str) -> Result<(Toolchain, BuildOptions), String> {
    let toolchain = Toolchain::find(Target::Cpu, false).map_err(|e| e.to_string())?;
    let mut options = BuildOptions {
        optimise: optimise.to_owned(),
        fflags: vec!["-O0".to_owned()],
        ..suite::cpu_options()
    };
    suite::link_quickly(&mut options);
    let all = BuildOptions {
        jobs: suite::cores(),
        ..options.clone()
    };
    build::build_runtime(&toolchain, &all, Default::default()).map_err(|e| e.to_string())?;
    Ok((toolchain, options))
}

/// The programs that messages of the Fortran compiler about `plain.f90` are about, each with its first error. `program_at` finds that of a line.
pub fn rejected(text: &str, program_at: impl Fn(u32) -> Option<usize>) -> BTreeMap<usize, String> {
    let mut bad = BTreeMap::new();
    let mut program = None;
    for line in text.lines() {
        let line = line.strip_prefix("./").unwrap_or(line);
        if let Some(rest) = line.strip_prefix("plain.f90:") {
            let number = rest.split(':').next().and_then(|n| n.parse().ok());
            program = number.and_then(&program_at);
            // flang has place and text in one line.
            if let (Some(program), Some((_, error))) = (program, rest.split_once(": error: ")) {
                bad.entry(program).or_insert_with(|| error.to_owned());
            }
        } else if let (Some(program), true) = (program, line.starts_with("Error:")) {
            bad.entry(program).or_insert_with(|| line.to_owned());
        }
    }
    bad
}

/// Options of gfortran as the compiler of the host code has them (`CUF2CU_FC`), which compiles the reference, too.
#[allow(dead_code, reason = "two of the random tests compile host code twice")]
pub fn plain_flags(toolchain: &Toolchain, flags: &[&'static str]) -> Vec<&'static str> {
    let gnu_alone = |f: &&str| toolchain.family == Family::Gnu || !GNU_ALONE.contains(f);
    let flags: Vec<&str> = flags.iter().copied().filter(gnu_alone).collect();
    toolchain.family.options(&flags)
}
#[allow(dead_code, reason = "two of the random tests compile host code twice")]
const GNU_ALONE: [&str; 2] = ["-fmax-errors=0", "-ftrivial-auto-var-init=pattern"];

/// Runs a command that must succeed; what it printed if it did not, its first error before the rest.
pub fn output(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().find(|l| l.contains("Error:"));
    Err(format!("{}\n{text}", first.unwrap_or_default()))
}

/// The number in an environment variable.
pub fn variable(name: &str, default: usize) -> Result<usize, String> {
    match std::env::var(name) {
        Ok(text) => text
            .replace('_', "")
            .parse()
            .map_err(|_| format!("{name}={text} is no number")),
        Err(_) => Ok(default),
    }
}

/// Runs `count` batches on `threads` threads and adds up their results.
pub fn parallel<R: Default + Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> R + Sync,
    add: impl Fn(&mut R, R) + Sync,
    progress: impl Fn(usize, &R) + Sync,
) -> R {
    let next = AtomicUsize::new(0);
    let sum = Mutex::new((0, R::default()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            // The parser recurses with the nesting of the source.
            let worker = std::thread::Builder::new().stack_size(64 << 20);
            let spawned = worker.spawn_scoped(scope, || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let results = work(index);
                    let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
                    sum.0 += 1;
                    add(&mut sum.1, results);
                    progress(sum.0, &sum.1);
                }
            });
            assert!(spawned.is_ok(), "cannot start a thread");
        }
    });
    sum.into_inner().unwrap_or_else(PoisonError::into_inner).1
}
