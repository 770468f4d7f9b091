//! How a project is built.

use std::path::{Path, PathBuf};

use super::family::Family;
use super::paths::absolute;
use super::process::job_slots;
use super::{Target, cache};

/// How to build; the same for every file.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    pub target: Target,
    /// nvcc's `-arch`; `None` is the GPU present, or [`DEFAULT_ARCH`] where there is none.
    pub arch: Option<String>,
    /// g++'s `-march` for device code of the cpu target; `None` is what every processor of the kind can do.
    pub march: Option<String>,
    /// The digit or letter of `-O`.
    pub optimise: String,
    pub openmp: bool,
    pub mpi: bool,
    /// Commands at a time.
    pub jobs: usize,
    /// Print every command.
    pub verbose: bool,
    /// Print the commands of a compilation or link, and execute none.
    pub dry_run: bool,
    /// `-D` and `-U` of the command line, for the preprocessors of all compilers.
    pub macros: Vec<String>,
    /// `-I`.
    pub include_folders: Vec<PathBuf>,
    pub fflags: Vec<String>,
    pub nvccflags: Vec<String>,
    /// `-l`.
    pub libraries: Vec<String>,
    /// `-L`.
    pub library_folders: Vec<PathBuf>,
    /// What is checked while the program runs.
    pub checks: Checks,
    /// Link CUDA's libraries statically where the toolkit has archives of them.
    pub static_libraries: bool,
    /// Link shared libraries, the CUDA runtime too, and look for them in `../lib` beside the program: small programs for a
    /// machine without compilers.
    pub carried_libraries: bool,
    /// The program has what watches its work (`host/watch.cpp`), also where all its files are written to a folder.
    pub watched: bool,
    /// Symbols that the linker defines for programs which are always watched (`cuf_profile_always`).
    pub always: Vec<&'static str>,
    /// Precompile the runtime header (cpu target): pays off when many files are built with the same flags.
    pub precompiled_header: bool,
    /// Objects, those of the runtime too, can become part of a shared library.
    pub position_independent: bool,
    /// Compilers warn of all in the program's own files that `-Wall` and, for C++, `-Wextra` are about.
    pub warnings: bool,
    /// Compiler messages of one line each, without the source.
    pub plain_messages: bool,
    /// Say when the runtime has to be compiled first, which takes longer than most programs do.
    pub announces: bool,
    /// Where runtime objects are kept between builds.
    pub cache: PathBuf,
}

/// What is checked while a program runs (`--check`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checks(u8);

impl Checks {
    /// The checks and what they are called, in the order of their bits, which `cpu/check/hooks.hpp` knows.
    pub const NAMES: [&str; 6] = ["bounds", "init", "race", "sync", "leak", "present"];
    pub const BOUNDS: Checks = Checks(1);
    const WATCHED: u8 = 2 | 4 | Self::PRESENT.0;
    /// Host and device copies of OpenACC data. It is not one of `all`: a program may use two values on purpose.
    pub const PRESENT: Checks = Checks(32);
    pub const RACE: Checks = Checks(4);

    /// The check of this name; `all` is all of them.
    pub fn named(name: &str) -> Option<Checks> {
        let all = Self::PRESENT.0 - 1;
        let one = Self::NAMES.iter().position(|n| *n == name);
        (one.map(|bit| 1 << bit))
            .or((name == "all").then_some(all))
            .map(Checks)
    }
    pub fn and(self, other: Checks) -> Checks {
        Checks(self.0 | other.0)
    }
    pub fn wanted(self) -> bool {
        self.0 != 0
    }
    pub fn has(self, check: Checks) -> bool {
        self.0 & check.0 != 0
    }

    /// Options for the runtime of the cpu target.
    pub fn runtime_flags(self) -> Vec<String> {
        match self.wanted() {
            true => vec!["-DCUF_CHECK".to_owned(), format!("-DCUF_CHECKS={}", self.0)],
            false => Vec::new(),
        }
    }

    /// Options for device code on the cpu target. That it calls the checks at each access is what -fsanitize=thread is for; the library that
    /// goes with that option is not linked. Lines are those that the access was written on, before code is moved: hence no more than -O1.
    pub fn device_flags(self) -> Vec<String> {
        let mut flags = self.runtime_flags();
        flags.extend(self.line_flags());
        if self.0 & Self::BOUNDS.0 != 0 {
            // Messages of two statements must not become one piece of code.
            let apart = [
                "-DCUF_CHECK_BOUNDS",
                "-fno-crossjumping",
                "-fno-tree-tail-merge",
            ];
            flags.extend(apart.map(str::to_owned));
        }
        if self.0 & Self::WATCHED != 0 {
            let watched = [
                "-O1",
                "-fno-tree-loop-im",
                "-fno-tree-sink",
                "-fsanitize=thread",
                "-Wno-tsan",
                // With the checks' calls g++ takes variables for read before they have a value.
                "-Wno-maybe-uninitialized",
                "--param=tsan-instrument-func-entry-exit=0",
                "--param=tsan-distinguish-volatile=1",
            ];
            flags.extend(watched.map(str::to_owned));
        }
        flags
    }

    /// Options for g++ and gcc: findings in the user's C and C++ have their lines, too.
    pub fn line_flags(self) -> Vec<String> {
        match self.wanted() {
            true => vec!["-g1".to_owned(), "-gdwarf-4".to_owned()],
            false => Vec::new(),
        }
    }

    /// Options for gfortran, which calls the checks, too, for what host code reads and writes: addr2line of binutils 2.40 takes the wrong file from a file's first lines in DWARF 5.
    pub fn fortran_flags(self, target: Target, family: Family) -> Vec<String> {
        let mut flags = Vec::new();
        if self.wanted() {
            flags.push("-gdwarf-4".to_owned());
        }
        // LLVM flang has no such calls: with it, what host code reads is not watched.
        if self.has(Checks::PRESENT) && target == Target::Cpu && family == Family::Gnu {
            flags.extend(Self::ACCESSES.map(str::to_owned));
        }
        flags
    }

    /// The compiler calls the checks at each access. The library that goes with the first option is not linked.
    const ACCESSES: [&'static str; 2] = ["-fsanitize=thread", "-Wno-tsan"];

    /// Options for nvcc: the lines of device code for the debugger and compute-sanitizer, and what device/checked.hpp checks.
    pub fn nvcc_flags(self) -> Vec<String> {
        let mut flags = Vec::new();
        if self.wanted() {
            flags.extend(["-lineinfo".to_owned(), "-DCUF_CHECK".to_owned()]);
        }
        if self.0 & Self::BOUNDS.0 != 0 {
            flags.push("-DCUF_CHECK_BOUNDS".to_owned());
        }
        flags
    }
}

/// The architecture where no GPU is present to ask.
pub const DEFAULT_ARCH: &str = "sm_90";

/// gfortran options that make it read what nvfortran reads: lines of any length, backslash escapes, format items
/// without width, -128_1, a procedure without interface called with data of several types; overflow wraps as on the device. GCC 12 drops the rounding of two neighbours from double to single
/// and back where it vectorizes straight-line code. Errors at run time tell the line: `-g1` has no more than lines, and changes no code; without
/// the others a procedure's last statement would be that of its caller, and equal calls of several statements would be one.
pub const FORTRAN_FLAGS: &[&str] = &[
    "-ffree-line-length-none",
    "-fbackslash",
    "-fdec-format-defaults",
    "-fcray-pointer",
    "-fallow-leading-underscore",
    "-fdollar-ok",
    "-fwrapv",
    "-fno-range-check",
    "-fallow-argument-mismatch",
    "-fno-tree-slp-vectorize",
    "-g1",
    "-fno-optimize-sibling-calls",
    "-fno-crossjumping",
    "-fno-tree-tail-merge",
];

/// g++'s name for the processor that it runs on.
pub const NATIVE: &str = "native";

/// g++ options of the cpu target. No contraction: the host reference code of a program has none either. Straight-line
/// code is not vectorized, see [`FORTRAN_FLAGS`]. Variables of an EQUIVALENCE have several types at one address.
/// A loop that waits for another thread may not be taken to end. Loops over threads (`cpu/plain.hpp`) become vectors where that pays.
pub const CPU_FLAGS: &[&str] = &[
    "-std=c++20",
    "-fwrapv",
    "-ffp-contract=off",
    "-fno-tree-slp-vectorize",
    "-fno-strict-aliasing",
    "-fno-finite-loops",
    "-ftree-loop-vectorize",
    "-fvect-cost-model=dynamic",
    "-DCUF_TARGET_CPU",
];

impl BuildOptions {
    /// The options for gfortran as they are from every folder. A check of bounds is one of host arrays, too.
    pub fn fflags_everywhere(&self) -> Vec<String> {
        let flag = |flag: &String| match flag.strip_prefix("-I").filter(|f| !f.is_empty()) {
            Some(folder) => format!("-I{}", absolute(Path::new(folder)).display()),
            None => flag.clone(),
        };
        let mut flags: Vec<String> = self.fflags.iter().map(flag).collect();
        let chosen = |f: &String| f.starts_with("-fcheck=") || f.starts_with("-fno-check");
        if self.checks.0 & Checks::BOUNDS.0 != 0 && !flags.iter().any(chosen) {
            flags.push("-fcheck=bounds".to_owned());
        }
        flags
    }

    /// Ordinary options for `target`, with all cores.
    pub fn new(target: Target) -> BuildOptions {
        BuildOptions {
            target,
            arch: None,
            march: None,
            optimise: "2".to_owned(),
            openmp: false,
            mpi: false,
            jobs: job_slots::by_default(),
            verbose: false,
            dry_run: false,
            macros: Vec::new(),
            include_folders: Vec::new(),
            fflags: Vec::new(),
            nvccflags: Vec::new(),
            libraries: Vec::new(),
            library_folders: Vec::new(),
            checks: Checks::default(),
            static_libraries: false,
            carried_libraries: false,
            watched: false,
            always: Vec::new(),
            precompiled_header: false,
            position_independent: false,
            warnings: false,
            plain_messages: false,
            announces: false,
            cache: cache::place(),
        }
    }
}
