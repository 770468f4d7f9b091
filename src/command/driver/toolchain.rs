//! Finds the compilers and the CUDA toolkit.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use super::Error;
use super::family::Family;
use super::process::children;

/// What the generated code is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// g++ and the emulation of the CUDA execution model.
    Cpu,
    /// nvcc, for an NVIDIA GPU.
    Cuda,
}

impl Target {
    /// The name used on the command line, in make variables and in folder names.
    pub fn name(self) -> &'static str {
        match self {
            Target::Cpu => "cpu",
            Target::Cuda => "cuda",
        }
    }
}

impl Cuda {
    /// The architecture that takes the place of one that the toolkit no longer has: its oldest. None for one that it has.
    pub fn replaced(&self, arch: &str) -> Option<String> {
        let wanted: u32 = arch.strip_prefix("sm_")?.parse().ok()?;
        let list = output_of(&self.nvcc, &["--list-gpu-arch"])?;
        let numbers = list.lines().filter_map(|l| l.strip_prefix("compute_"));
        let oldest = numbers.filter_map(|n| n.trim().parse::<u32>().ok()).min()?;
        (wanted < oldest).then(|| format!("sm_{oldest}"))
    }

    /// The shared library of the CUDA runtime, `libcudart.so.13` say.
    pub fn shared_runtime(&self) -> Option<PathBuf> {
        let entries = fs::read_dir(&self.library_folder).ok()?;
        let named = |p: &PathBuf| {
            p.file_name()
                .is_some_and(|n| n.to_string_lossy().starts_with("libcudart.so."))
        };
        entries.flatten().map(|e| e.path()).filter(named).min()
    }
}

/// The first gfortran release whose bind(C) descriptors keep a caller's pointer bounds.
const MINIMUM_GFORTRAN: u32 = 12;
/// The version that gives C the value of a scalar expression in the place of its address (16.2.0: TYPE(*), dimension(..) dummies with BIND(C)).
const WRONG_GFORTRAN: u32 = 16;
/// The first flang whose descriptors and type codes the runtime knows.
const MINIMUM_FLANG: u32 = 22;

/// A CUDA toolkit: the nvcc driver and the folder of the libraries.
#[derive(Clone, Debug)]
pub struct Cuda {
    pub nvcc: PathBuf,
    /// Holds `libcudart_static.a`.
    pub library_folder: PathBuf,
}

/// A compiler: a program, and the words that come before all others, `g++` for `ccache g++`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tool {
    pub program: PathBuf,
    pub words: Vec<String>,
}

/// Programs that call the compiler which the next word names.
const LAUNCHERS: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", "buildcache"];

impl Tool {
    /// A program alone.
    pub fn new(program: PathBuf) -> Tool {
        Tool {
            program,
            words: Vec::new(),
        }
    }

    /// The program named by an environment variable, or `name`, in the search path. The variable may hold words, quoted as for a shell,
    /// or the path of a program with blanks in it.
    fn find(variable: &str, name: &str) -> Option<Tool> {
        let value = env::var_os(variable).filter(|v| !v.is_empty());
        let Some(value) = value else {
            return which::which(name).ok().map(Tool::new);
        };
        if let Ok(program) = which::which(&value) {
            return Some(Tool::new(program));
        }
        let mut words = shlex::split(value.to_str()?)?.into_iter();
        Some(Tool {
            program: which::which(words.next()?).ok()?,
            words: words.collect(),
        })
    }

    /// To be executed.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.words);
        command
    }

    /// The compiler itself, without one that only calls it, and its own words: for tools that want a path.
    pub fn compiler(&self) -> (PathBuf, &[String]) {
        let stem = self.program.file_stem().unwrap_or_default();
        match self.words.split_first() {
            Some((compiler, words)) if LAUNCHERS.iter().any(|l| stem == *l) => {
                (PathBuf::from(compiler), words)
            }
            _ => (self.program.clone(), &self.words),
        }
    }

    /// What it prints for these arguments, if it succeeds.
    pub fn output_of(&self, arguments: &[&str]) -> Option<String> {
        let words = self.words.iter().map(String::as_str);
        let all: Vec<&str> = words.chain(arguments.iter().copied()).collect();
        output_of(&self.program, &all)
    }

    /// The line with its version.
    pub fn version_line(&self) -> String {
        version_in(self.output_of(&["--version"]))
    }
}

impl std::fmt::Display for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.words.iter().try_for_each(|w| write!(f, " {w}"))
    }
}

/// The compilers of one build.
#[derive(Clone, Debug)]
pub struct Toolchain {
    pub fortran: Tool,
    pub family: Family,
    pub cxx: Tool,
    pub cc: Tool,
    /// Part of the assembler and linker's package.
    pub objcopy: PathBuf,
    /// Present for [`Target::Cuda`].
    pub cuda: Option<Cuda>,
}

impl Toolchain {
    /// Finds what `target` needs; with `mpi` the Fortran and C compilers are the MPI wrappers.
    ///
    /// # Errors
    /// [`Error::Toolchain`] names the missing tool and says how to get it.
    pub fn find(target: Target, mpi: bool) -> Result<Toolchain, Error> {
        let (fortran, family) = fortran_compiler(mpi)?;
        let cxx = cxx_compiler()?;
        let cc = c_compiler(mpi)?;
        let cuda = match target {
            Target::Cpu => None,
            Target::Cuda => Some(find_cuda().ok_or_else(|| {
                missing("nvcc", "install the CUDA toolkit, set CUDA_HOME or CUF2CU_CUDA_ROOT, or choose --target cpu")
            })?),
        };
        let objcopy = Tool::find("CUF2CU_OBJCOPY", "objcopy").map(|t| t.program);
        let objcopy = objcopy.unwrap_or_else(|| PathBuf::from("objcopy"));
        Ok(Toolchain {
            fortran,
            family,
            cxx,
            cc,
            objcopy,
            cuda,
        })
    }
}

impl Toolchain {
    /// The archiver beside objcopy.
    pub fn archiver(&self) -> PathBuf {
        let beside = self.objcopy.with_file_name("ar");
        let there = self.objcopy.components().count() > 1 && beside.is_file();
        if there { beside } else { PathBuf::from("ar") }
    }
}

fn missing(what: &str, remedy: &str) -> Error {
    Error::Toolchain(format!("{what} not found\nhelp: {remedy}"))
}

/// The Fortran compiler, or the wrapper of MPI, and which one it is.
///
/// # Errors
/// [`Error::Toolchain`] says how to get it.
pub fn fortran_compiler(mpi: bool) -> Result<(Tool, Family), Error> {
    let found = match mpi {
        true => Tool::find("CUF2CU_MPIFC", "mpifort")
            .ok_or_else(|| missing("mpifort", "apt install libopenmpi-dev"))?,
        false => Tool::find("CUF2CU_FC", "gfortran")
            .ok_or_else(|| missing("gfortran", "apt install gfortran"))?,
    };
    let family = family_of(&found)?;
    Ok((found, family))
}

/// The kind of a compiler, which must not be older than what the runtime knows.
///
/// # Errors
/// [`Error::Toolchain`] says what it is.
fn family_of(found: &Tool) -> Result<Family, Error> {
    let first = |text: &str| text.split('.').next().and_then(|n| n.trim().parse().ok());
    let text = found.output_of(&["-dumpfullversion", "-dumpversion"]);
    let gnu: Option<u32> = text.as_deref().and_then(first);
    let (family, version, minimum, why) = match (gnu, text) {
        (Some(version), Some(text)) if text.contains('.') || version < MINIMUM_GFORTRAN => (
            Family::Gnu,
            version,
            MINIMUM_GFORTRAN,
            "earlier versions pass wrong pointer bounds to C",
        ),
        _ => {
            let line = found.version_line();
            let after = line.split_once("flang version ");
            let version = after.and_then(|(_, text)| first(text));
            let Some(version) = version else {
                return Err(Error::Toolchain(format!(
                    "{found} is neither gfortran nor LLVM flang"
                )));
            };
            let why = "earlier versions describe arguments differently";
            (Family::Flang, version, MINIMUM_FLANG, why)
        }
    };
    if family == Family::Gnu && version == WRONG_GFORTRAN {
        return Err(Error::Toolchain(format!(
            "{found} is version {version}, which passes the value of an expression to C instead of its address\nhelp: use gfortran 12 to 15 (CUF2CU_FC=gfortran-15)"
        )));
    }
    match version < minimum {
        true => Err(Error::Toolchain(format!(
            "{found} is version {version}, but {minimum} or later is required ({why})"
        ))),
        false => Ok(family),
    }
}

/// The C++ compiler.
///
/// # Errors
/// [`Error::Toolchain`] says how to get it.
pub fn cxx_compiler() -> Result<Tool, Error> {
    Tool::find("CUF2CU_CXX", "g++").ok_or_else(|| missing("g++", "apt install g++"))
}

/// The C compiler, or the wrapper of MPI.
///
/// # Errors
/// [`Error::Toolchain`] says how to get it.
pub fn c_compiler(mpi: bool) -> Result<Tool, Error> {
    let found = match mpi {
        true => Tool::find("CUF2CU_MPICC", "mpicc"),
        false => Tool::find("CUF2CU_CC", "gcc"),
    };
    found.ok_or_else(|| missing("a C compiler", "apt install gcc"))
}

/// The CUDA toolkit: `CUF2CU_CUDA_ROOT`, `CUDA_HOME`, `CUDA_PATH`, nvcc in the search path, `/usr/local/cuda`.
pub fn find_cuda() -> Option<Cuda> {
    let from_variables = ["CUF2CU_CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"]
        .into_iter()
        .filter_map(env::var_os)
        .filter(|v| !v.is_empty());
    let nvcc = from_variables
        .map(|root| PathBuf::from(root).join("bin/nvcc"))
        .find(|p| p.is_file())
        .or_else(|| which::which("nvcc").ok())
        .or_else(|| Some(PathBuf::from("/usr/local/cuda/bin/nvcc")).filter(|p| p.is_file()))?;
    // nvcc may be a link into the toolkit; its libraries lie beside the folder it really is in.
    let real = fs::canonicalize(&nvcc).unwrap_or_else(|_| nvcc.clone());
    let root = real.parent()?.parent()?.to_path_buf();
    let folders = [
        "lib64",
        "lib",
        "targets/x86_64-linux/lib",
        "targets/sbsa-linux/lib",
    ];
    let library_folder = folders
        .iter()
        .map(|f| root.join(f))
        .find(|f| f.join("libcudart_static.a").is_file())?;
    Some(Cuda {
        nvcc,
        library_folder,
    })
}

/// Whether this machine has an NVIDIA GPU that programs can use.
pub fn gpu_present() -> bool {
    !gpus().is_empty()
}

/// A GPU, as nvidia-smi tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu {
    pub name: String,
    /// Such as sm_90, if it is known.
    pub arch: Option<String>,
}

/// The GPUs of this machine.
pub fn gpus() -> Vec<Gpu> {
    let query = ["--query-gpu=name,compute_cap", "--format=csv,noheader"];
    let text = which::which("nvidia-smi")
        .ok()
        .and_then(|smi| output_of(&smi, &query));
    let text = text.unwrap_or_default();
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(gpu)
        .collect()
}

/// `NVIDIA H100, 9.0`.
fn gpu(line: &str) -> Gpu {
    let (name, capability) = line.rsplit_once(',').unwrap_or((line, ""));
    let number = capability.trim().replacen('.', "", 1);
    let known = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    Gpu {
        name: name.trim().to_owned(),
        arch: known.then(|| format!("sm_{number}")),
    }
}

/// The first line that a tool prints for `arguments`, if it runs and succeeds.
pub fn output_of(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = children::output(Command::new(program).args(arguments)).ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The version line of a tool.
pub fn version_line(program: &Path) -> String {
    version_in(output_of(program, &["--version"]))
}

fn version_in(text: Option<String>) -> String {
    let text = text.unwrap_or_default();
    let line = text
        .lines()
        .find(|l| l.contains("release"))
        .or_else(|| text.lines().next());
    line.unwrap_or("does not run").trim().to_owned()
}
