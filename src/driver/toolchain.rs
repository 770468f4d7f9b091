//! Finds the compilers and the CUDA toolkit.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use super::Error;
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

/// A CUDA toolkit: the nvcc driver and the folder of the libraries.
#[derive(Clone, Debug)]
pub struct Cuda {
    pub nvcc: PathBuf,
    /// Holds `libcudart_static.a`.
    pub library_folder: PathBuf,
}

/// The compilers of one build.
#[derive(Clone, Debug)]
pub struct Toolchain {
    pub fortran: PathBuf,
    pub cxx: PathBuf,
    pub cc: PathBuf,
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
        let fortran = if mpi {
            mpi_wrapper()?
        } else {
            find_gfortran()?
        };
        let cxx = tool("CUF2CU_CXX", "g++").ok_or_else(|| missing("g++", "apt install g++"))?;
        let cc = if mpi {
            tool("CUF2CU_MPICC", "mpicc")
        } else {
            tool("CUF2CU_CC", "gcc")
        };
        let cc = cc.ok_or_else(|| missing("a C compiler", "apt install gcc"))?;
        let cuda = match target {
            Target::Cpu => None,
            Target::Cuda => Some(find_cuda().ok_or_else(|| {
                missing("nvcc", "install the CUDA toolkit, set CUDA_HOME or CUF2CU_CUDA_ROOT, or choose --target cpu")
            })?),
        };
        let objcopy = tool("CUF2CU_OBJCOPY", "objcopy").unwrap_or_else(|| PathBuf::from("objcopy"));
        Ok(Toolchain {
            fortran,
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
    Error::Toolchain(format!("{what} was not found: {remedy}"))
}

/// The program named by an environment variable, or `name` in the search path.
fn tool(variable: &str, name: &str) -> Option<PathBuf> {
    match env::var_os(variable) {
        Some(value) if !value.is_empty() => which::which(value).ok(),
        _ => which::which(name).ok(),
    }
}

fn find_gfortran() -> Result<PathBuf, Error> {
    let path =
        tool("CUF2CU_FC", "gfortran").ok_or_else(|| missing("gfortran", "apt install gfortran"))?;
    check_gfortran(&path)?;
    Ok(path)
}

fn mpi_wrapper() -> Result<PathBuf, Error> {
    let path = tool("CUF2CU_MPIFC", "mpifort")
        .ok_or_else(|| missing("mpifort", "apt install libopenmpi-dev"))?;
    check_gfortran(&path)?;
    Ok(path)
}

/// Refuses a gfortran that resets the bounds of pointers passed to bind(C) procedures (before version 12).
fn check_gfortran(path: &Path) -> Result<(), Error> {
    let text = output_of(path, &["-dumpfullversion", "-dumpversion"]).unwrap_or_default();
    match text
        .split('.')
        .next()
        .and_then(|major| major.trim().parse::<u32>().ok())
    {
        Some(major) if major < MINIMUM_GFORTRAN => Err(Error::Toolchain(format!(
            "{} is version {}: {MINIMUM_GFORTRAN} or later is needed, for earlier ones change the bounds of pointers passed to C",
            path.display(),
            text.trim()
        ))),
        Some(_) => Ok(()),
        None => Err(Error::Toolchain(format!(
            "{} does not answer like gfortran",
            path.display()
        ))),
    }
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
    gpu_name().is_some()
}

/// The name of the first GPU, as nvidia-smi gives it.
pub fn gpu_name() -> Option<String> {
    let smi = which::which("nvidia-smi").ok()?;
    let text = output_of(
        &smi,
        &["--query-gpu=name,compute_cap", "--format=csv,noheader"],
    )?;
    text.lines()
        .next()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
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
    let text = output_of(program, &["--version"]).unwrap_or_default();
    let line = text
        .lines()
        .find(|l| l.contains("release"))
        .or_else(|| text.lines().next());
    line.unwrap_or("does not run").trim().to_owned()
}
