//! What a program holds, for those who read it: its units, kernels with their arguments and launches, CUF loops, transfers, calls, and
//! what the preprocessor made of its lines. Plain data, from the model, the launcher ABI and the device IR; nothing is read from text.

mod argument;
mod code;
mod collect;
mod expansion;
mod kernel;

use serde::Serialize;

pub use collect::file;

/// A place in a user's file: lines from 1, columns from 1 in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// As the user named it.
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The line of its last byte.
    pub last: u32,
}

/// What one file holds, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Facts {
    pub units: Vec<Unit>,
    pub procedures: Vec<Procedure>,
    pub loops: Vec<Loop>,
    pub transfers: Vec<Transfer>,
    pub launches: Vec<Launch>,
    pub calls: Vec<Call>,
    pub expansions: Vec<Expansion>,
    pub includes: Vec<Include>,
}

/// A module, submodule, program or external procedure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unit {
    pub name: String,
    /// `module`, `program`, ...
    pub kind: &'static str,
    pub place: Place,
    /// Modules that it uses.
    pub uses: Vec<String>,
}

/// Where a procedure runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runs {
    Kernel,
    /// A kernel for a grid whose blocks wait for each other.
    GridKernel,
    Device,
    HostDevice,
    Host,
}

/// A procedure, or the main program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Procedure {
    /// The names of what it is in, and its own: `heat::step`.
    pub id: String,
    pub name: String,
    pub runs: Runs,
    pub place: Place,
    pub arguments: Vec<Argument>,
    /// What the kernel takes besides its arguments: module data, by name.
    pub hidden: Vec<String>,
    pub launch_bounds: Vec<i64>,
    pub cluster: Vec<i64>,
    pub code: Option<Code>,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    pub name: String,
    /// As Fortran writes it.
    pub ty: String,
    pub shape: String,
    pub memory: &'static str,
    /// Empty: not stated.
    pub intent: &'static str,
    /// How it crosses from host to device.
    pub passed: &'static str,
    /// `dense`, `strided`; empty for scalars.
    pub layout: &'static str,
    /// Bits of the arithmetic of its subscripts; empty for scalars.
    pub index: &'static str,
    pub place: Place,
}

/// What the device code of a kernel or CUF loop holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Code {
    /// What C++ calls it, with its namespace.
    pub cpp: String,
    /// The launcher that the host calls.
    pub launcher: String,
    /// It comes in two versions, by the type of index arithmetic.
    pub two_versions: bool,
    pub shared: Vec<Shared>,
    pub barriers: Vec<Counted>,
    pub atomics: Vec<Counted>,
    /// Other operations in which threads wait for each other: of warps, groups, cooperative grids.
    pub waits: Vec<Counted>,
}

/// Shared memory of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shared {
    pub name: String,
    /// Bytes, if they are known before the launch.
    pub bytes: Option<i64>,
}

/// A function of the device, and how often it is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    pub name: String,
    pub times: usize,
}

/// A `!$cuf kernel do` loop, or a compute construct of OpenACC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loop {
    pub id: String,
    /// It was written as a compute construct of OpenACC.
    pub construct: bool,
    /// The procedure that it is in.
    pub within: String,
    pub place: Place,
    /// Loops that are mapped.
    pub depth: usize,
    pub configuration: String,
    pub captured: Vec<String>,
    /// Variables that are reduced, with the operation where the IR has it.
    pub reductions: Vec<String>,
    pub code: Option<Code>,
}

/// An assignment or call that moves data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Transfer {
    pub direction: &'static str,
    pub text: String,
    pub within: String,
    pub place: Place,
}

/// A launch with chevrons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Launch {
    pub from: String,
    pub kernel: String,
    pub grid: String,
    pub block: String,
    /// Empty where there are none.
    pub bytes: String,
    pub stream: String,
    pub arguments: String,
    pub place: Place,
}

/// A call of a procedure of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    pub from: String,
    pub to: String,
    pub place: Place,
}

/// A line that the preprocessor changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Expansion {
    pub file: String,
    pub line: u32,
    /// What was read in its place.
    pub text: String,
}

/// A line that includes a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Include {
    pub file: String,
    pub line: u32,
    pub included: String,
}
