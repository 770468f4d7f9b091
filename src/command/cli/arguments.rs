//! The arguments of the commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::message_options::{LevelArguments, VoiceArguments};
use super::output::OutputArguments;
use super::{compat_flags, environment};
use crate::driver::build::{BuildOptions, Checks};
use crate::driver::discover::Selection;
use crate::driver::process::job_slots;
use crate::driver::{Error, Target, cache, inputs, libraries, terminal, toolchain};
use crate::translate::{Dialect, MemoryMode, TranslateOptions, Wrap};

/// The exit statuses, as `--help` has them; docs/messages.md says more.
const STATUSES: &str = "Exit status: 0 success; 1 the program has errors; 2 invalid command line; 3 a required tool is missing or failed; 4 I/O error; 5 internal error. `run` returns the program's own exit status once it has started.";

/// Translates CUDA Fortran into CUDA C++ and standard Fortran, and builds it.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true
)]
#[command(override_usage = "cuf2cu [OPTIONS] SRC... OUT\n       cuf2cu <COMMAND>")]
#[command(after_help = STATUSES)]
#[command(after_long_help = format!("{STATUSES}\n{}", environment::table()))]
pub struct Arguments {
    #[command(flatten)]
    pub voice: VoiceArguments,
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub translate: TranslateArguments,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Translate, build and run a program
    Run(RunArguments),
    /// Translate and build a program
    Build(BuildArguments),
    /// Compile and link as nvfortran does, a file at a time: FC="cuf2cu fc"
    #[command(disable_help_flag = true)]
    Fc(CompileArguments),
    /// Report what would not translate, and write nothing
    Check(CheckArguments),
    /// Report what a migration takes: what is there, what is refused, hand work, what behaves otherwise
    Report(ReportArguments),
    /// Show the sources and what becomes of them side by side, as a page for the browser
    View(ViewArguments),
    /// Write Fortran modules of CUDA's libraries for plain gfortran code, with a Makefile that builds them
    Modules(ModulesArguments),
    /// Remove compiled files from the cache: the runtime's, and the build folders of `run` and `build`
    Clean,
    /// Print the module for projects that CMake builds: cuf2cu_add_library()
    CmakeModule,
    /// Print the toolchain file for projects that CMake builds as with nvfortran: -DCMAKE_TOOLCHAIN_FILE=cuf2cu.cmake
    CmakeToolchain,
    /// Show the tools found and what is missing
    Doctor,
    /// Compare what two programs, or two records of runs (CUF_RECORD=FILE), got back from their devices
    Compare(CompareArguments),
    /// Explain diagnostics
    Explain(ExplainArguments),
    /// Print a script that completes commands and options: cuf2cu completions bash > ~/.local/share/bash-completion/completions/cuf2cu
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages
    Man {
        /// The folder, such as ~/.local/share/man/man1
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// Such as CUF0301, or 301
    #[arg(value_name = "CODE", required_unless_present_any = ["list", "schema"])]
    pub codes: Vec<String>,
    /// List all codes with their titles
    #[arg(long)]
    pub list: bool,
    /// Print the JSON schema of the messages of --error-format json
    #[arg(long, exclusive = true)]
    pub schema: bool,
}

#[derive(Debug, Args)]
pub struct TranslateArguments {
    /// Source files or folders, then the output folder
    #[arg(value_name = "SRC", num_args = 1..)]
    pub paths: Vec<PathBuf>,
    /// Print what a stage makes of the sources (all paths are) instead of writing a folder: for work on cuf2cu itself
    #[arg(long, value_name = "STAGE", hide = true)]
    pub emit: Option<Stage>,
    #[command(flatten)]
    pub write: OutputArguments,
    /// Write a rule for make of all sources and include files that were read
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,
    /// What depends on them in the rule [default: the manifest of the output folder]
    #[arg(long, value_name = "NAME", requires = "depfile")]
    pub depfile_target: Option<String>,
    /// Write cuf2cu-map.json, too: where each token of the output comes from, and the rule that made it
    #[arg(long)]
    pub source_map: bool,
    /// What the library of sources without a main program is called: libNAME.a [default: after the source folder or file]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    #[command(flatten)]
    pub profile: ProfileArguments,
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub build: CompilerArguments,
}

/// What `--emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The device IR after all passes.
    Ir,
}

#[derive(Debug, Args)]
pub struct RunArguments {
    /// Source files or folders
    #[arg(value_name = "SRC", required = true)]
    pub sources: Vec<PathBuf>,
    /// The program to run, if there are several
    #[arg(long, value_name = "NAME")]
    pub bin: Option<String>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<std::ffi::OsString>,
    #[command(flatten)]
    pub several: SeveralArguments,
    #[command(flatten)]
    pub profile: ProfileArguments,
    #[command(flatten)]
    pub place: PlaceArguments,
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub build: CompilerArguments,
}

/// How a program is run more than once, and the results are compared.
#[derive(Debug, Args)]
pub struct SeveralArguments {
    /// Run the program on cpu and cuda, without a GPU on cpu with threads in several orders, and compare what comes back to the host
    #[arg(long, conflicts_with = "mpi")]
    pub compare: bool,
    #[command(flatten)]
    pub tolerance: ToleranceArguments,
    /// Runs with threads in an order of their own that are compared [default: 3, with a GPU none]
    #[arg(long, value_name = "N", requires = "compare")]
    pub seeds: Option<u16>,
    /// Blocks, warps and threads begin in an order that this number decides (cpu target); 0: one after the other
    #[arg(long, value_name = "SEED", conflicts_with = "compare")]
    pub shuffle: Option<u32>,
}

#[derive(Debug, Args)]
pub struct ToleranceArguments {
    /// Reals may differ by this many units in the last place [default: bit by bit]
    #[arg(long, value_name = "N")]
    pub ulps: Option<u64>,
}

#[derive(Debug, Args)]
pub struct CompareArguments {
    /// Programs that cuf2cu has built, or records
    #[arg(value_name = "PROGRAM|RECORD", required = true, num_args = 2..)]
    pub what: Vec<PathBuf>,
    /// Arguments of the programs
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<std::ffi::OsString>,
    #[command(flatten)]
    pub tolerance: ToleranceArguments,
}

/// What a program tells of its work.
#[derive(Debug, Args)]
pub struct ProfileArguments {
    /// At the end of the program: kernels, CUF loops and transfers with their times; as text or json, on standard error or to a file
    #[arg(long, value_name = "FORM[:FILE]", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub profile: Option<String>,
    /// Nsight shows kernels, CUF loops and transfers by their Fortran names (NVTX ranges)
    #[arg(long)]
    pub nvtx: bool,
}

#[derive(Debug, Args)]
pub struct BuildArguments {
    /// Source files or folders
    #[arg(value_name = "SRC", required = true)]
    pub sources: Vec<PathBuf>,
    /// The program to write
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub profile: ProfileArguments,
    #[command(flatten)]
    pub place: PlaceArguments,
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub build: CompilerArguments,
}

#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Source files or folders
    #[arg(value_name = "SRC", required = true)]
    pub sources: Vec<PathBuf>,
    /// The form of the summary; json holds the messages too
    #[arg(long, value_name = "FORM", default_value = "human")]
    pub format: SummaryFormat,
    /// Change the sources where a message has a fix that is marked safe, then check again
    #[arg(long)]
    pub fix: bool,
    /// Show the statistics where there are errors, too
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub source: SourceArguments,
}

#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Source files or folders
    #[arg(value_name = "SRC", required_unless_present = "schema")]
    pub sources: Vec<PathBuf>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The form [default: by the ending of FILE, else text]
    #[arg(long, value_name = "FORM")]
    pub format: Option<ReportFormat>,
    /// Print the JSON schema of the report
    #[arg(long, conflicts_with_all = ["sources", "output", "format"])]
    pub schema: bool,
    #[command(flatten)]
    pub source: SourceArguments,
}

#[derive(Debug, Args)]
pub struct ViewArguments {
    /// Source files or folders
    #[arg(value_name = "SRC", required = true)]
    pub sources: Vec<PathBuf>,
    /// The page to write [default: the name of the source with .html]
    #[arg(short, long, value_name = "FILE", conflicts_with = "serve")]
    pub output: Option<PathBuf>,
    /// Serve the page to this machine's browsers, and make it anew when a source is saved
    #[arg(long)]
    pub serve: bool,
    /// The port of --serve, 0: any that is free
    #[arg(long, value_name = "N", default_value_t = 8000, requires = "serve")]
    pub port: u16,
    /// Explain each construct where it appears first
    #[arg(long)]
    pub lesson: bool,
    /// What `nvcc -Xptxas -v` wrote: registers and occupancy of the kernels
    #[arg(long, value_name = "FILE")]
    pub ptxas: Option<PathBuf>,
    /// Where the sources are on the web: lines have links to URL/PATH#Lnn
    #[arg(long, value_name = "URL", value_parser = web_address)]
    pub repo_url: Option<String>,
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub build: CompilerArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    Html,
    Json,
    Text,
}

#[derive(Debug, Args)]
pub struct CompileArguments {
    /// Options of nvfortran and gfortran, sources, objects, libraries
    #[arg(
        value_name = "WORD",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub words: Vec<std::ffi::OsString>,
}

#[derive(Debug, Args)]
pub struct ModulesArguments {
    /// Modules, such as cublas and cufft
    #[arg(value_name = "NAME", required = true)]
    pub names: Vec<String>,
    /// The folder to write
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    #[command(flatten)]
    pub write: OutputArguments,
}

/// Where `run` and `build` put what they generate.
#[derive(Debug, Args)]
pub struct PlaceArguments {
    /// Keep the generated code in this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Keep the objects in this folder [default: OUT/build, without --out in the cache]
    #[arg(long, value_name = "DIR")]
    pub build_dir: Option<PathBuf>,
    /// Write into a folder that holds other files, and over files that have been edited
    #[arg(long)]
    pub force: bool,
}

/// Errors, and warnings, that are shown of a translation if nothing else is said.
pub const MOST_ERRORS: usize = 100;

/// How sources are read and messages are shown.
#[derive(Clone, Debug, Args)]
pub struct SourceArguments {
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a macro, wherever it is defined on the command line
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Look for include files in this folder
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Leave out files and folders of this pattern, as in a .gitignore
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Take files that a .gitignore names, too
    #[arg(long)]
    pub no_ignore: bool,
    /// Modules that your own build provides, comma-separated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub extern_modules: Vec<String>,
    /// Preprocess all files, not only .CUF, .F90, ...
    #[arg(long)]
    pub cpp: bool,
    /// All files are in fixed form, not only .f, .for, .ftn, ...
    #[arg(long, conflicts_with = "free")]
    pub fixed: bool,
    /// All files are in free form
    #[arg(long)]
    pub free: bool,
    /// Fixed-form lines reach to column 132 instead of 72
    #[arg(long)]
    pub extend: bool,
    /// Fixed-form lines reach to this column [default: 72]; 0: as long as they are
    #[arg(long, value_name = "N", conflicts_with = "extend")]
    pub columns: Option<u16>,
    /// Fixed-form lines that begin with d are code
    #[arg(long)]
    pub dlines: bool,
    /// Where host data without a memory attribute lives: apart from the device, allocated data in managed memory, or all of it where the
    /// device reaches it
    #[arg(long, value_name = "MODE", default_value = "separate")]
    pub mem: MemoryArgument,
    /// The kind of reals without a kind, 4 or 8 (nvfortran's -r8); double precision has 8
    #[arg(long, value_name = "KIND", default_value_t = 4, value_parser = clap::value_parser!(u8).range(4..=8))]
    pub default_real: u8,
    /// A backslash in a text is a character like others (nvfortran's -Mbackslash)
    #[arg(long)]
    pub no_escapes: bool,
    /// CUF loops stay in host code, which executes them if it is compiled with -DCUF_HOST_LOOPS (cpu target)
    #[arg(long)]
    pub keep_loops: bool,
    /// Compilers, debuggers and sanitizers name lines of the sources, not of the generated code (#line)
    #[arg(long)]
    pub line_directives: bool,
    /// Which integer arithmetic of device code wraps around: hashes, generators and what goes from or to them, or all that may overflow
    #[arg(long, value_name = "WHICH", default_value = "hashes")]
    pub wrap: WrapArgument,
    /// OpenMP directives count
    #[arg(long, alias = "mp")]
    pub openmp: bool,
    /// OpenACC directives count
    #[arg(long)]
    pub acc: bool,
    /// Files or commands at a time [default: all cores, and what make's jobserver gives]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Show at most this many errors and as many warnings, 0: all
    #[arg(long, value_name = "N", default_value_t = MOST_ERRORS)]
    pub max_errors: usize,
    #[command(flatten)]
    pub levels: LevelArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SummaryFormat {
    Human,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MemoryArgument {
    Separate,
    Managed,
    Unified,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WrapArgument {
    Hashes,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetArgument {
    Cpu,
    Cuda,
    Auto,
}

/// How the generated code is compiled.
#[derive(Debug, Args)]
pub struct CompilerArguments {
    /// What to build for; auto is cuda where there is a GPU and nvcc. A folder that is written gets the runtime for it, with auto for
    /// both, cuda and cpu
    #[arg(long, value_name = "TARGET", default_value = "auto")]
    pub target: TargetArgument,
    /// The GPU architecture, such as sm_90 [default: that of the GPU here]
    #[arg(long, value_name = "ARCH")]
    pub arch: Option<String>,
    /// The processor that device code is compiled for on the cpu target, as g++'s -march [default: native to run, any to build]
    #[arg(long, value_name = "PROCESSOR")]
    pub march: Option<String>,
    /// Optimisation level
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = ["0", "1", "2", "3", "s", "fast"])]
    pub optimise: String,
    /// Compile and link with the MPI wrappers (mpifort, mpicc)
    #[arg(long)]
    pub mpi: bool,
    /// Check while the program runs, comma-separated: subscripts (bounds), memory that nothing wrote (init), accesses that nothing orders
    /// (race), barriers (sync), memory never freed (leak), older values of OpenACC data (present; not part of all);
    /// docs/checks.md
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = ["bounds", "init", "race", "sync", "leak", "present", "all"])]
    pub check: Vec<String>,
    /// The same as --check=bounds
    #[arg(long)]
    pub check_bounds: bool,
    /// Options for gfortran, separated by spaces
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub fflags: Vec<String>,
    /// Options for nvcc, separated by spaces
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub nvccflags: Vec<String>,
    /// Fuse a multiplication and an addition on the GPU, as nvcc does by default; the cpu target never does
    #[arg(long, value_name = "WHEN", default_value = "on", value_parser = ["on", "off"])]
    pub fmad: String,
    /// Link a library
    #[arg(short = 'l', value_name = "LIB")]
    pub library: Vec<String>,
    /// Look for libraries in this folder
    #[arg(short = 'L', value_name = "DIR")]
    pub library_folder: Vec<PathBuf>,
    /// Link CUDA's libraries statically, as far as the toolkit has archives of them
    #[arg(long)]
    pub static_libs: bool,
    /// Show every command
    #[arg(short, long)]
    pub verbose: bool,
}

impl CompilerArguments {
    /// The libraries that are named, without those that every program has.
    fn libraries(&self) -> Vec<String> {
        let named = self.library.iter();
        let named = named.filter(|l| !libraries::is_own(l));
        named.cloned().collect()
    }
}

impl SourceArguments {
    /// `-D` and `-U` as a compiler takes them; an undefinition counts after all definitions.
    fn macros(&self) -> Vec<String> {
        let defined = self.define.iter().map(|d| format!("-D{d}"));
        defined
            .chain(self.undefine.iter().map(|u| format!("-U{u}")))
            .collect()
    }

    /// What is left out of the folders given.
    pub fn selection(&self) -> Selection {
        Selection {
            exclude: self.exclude.clone(),
            no_ignore: self.no_ignore,
        }
    }

    /// The language of the sources.
    pub fn dialect(&self) -> Dialect {
        Dialect {
            memory: match self.mem {
                MemoryArgument::Separate => MemoryMode::Separate,
                MemoryArgument::Managed => MemoryMode::Managed,
                MemoryArgument::Unified => MemoryMode::Unified,
            },
            real: if self.default_real > 4 { 8 } else { 4 },
            escapes: !self.no_escapes,
            openacc: self.acc,
        }
    }

    /// The options of the translation, for a program with these checks.
    pub fn translate_options(&self, checks: Checks) -> TranslateOptions {
        TranslateOptions {
            macros: self.macros(),
            include_folders: self.include.clone(),
            includes: inputs::INCLUDES,
            preprocess: self.cpp,
            fixed: (self.fixed || self.free).then_some(self.fixed),
            columns: self.extend.then_some(132).or(self.columns.map(usize::from)),
            debug_lines: self.dlines,
            openmp: self.openmp,
            keep_loops: self.keep_loops,
            line_directives: self.line_directives,
            checked: checks.wanted(),
            wrap: match self.wrap {
                WrapArgument::Hashes => Wrap::Plausible,
                WrapArgument::All => Wrap::All,
            },
            dialect: self.dialect(),
            outside: Some(inputs::compiled_modules(
                &self.include,
                &self.extern_modules,
            )),
            levels: self.levels.0.clone(),
            ..TranslateOptions::default()
        }
    }

    /// Files or commands at a time.
    pub fn parallel(&self) -> usize {
        self.jobs.map_or_else(job_slots::by_default, usize::from)
    }
}

impl ProfileArguments {
    /// What a program is told in its environment. What the user's environment says counts more.
    ///
    /// # Errors
    /// [`Error::Usage`] for another form.
    pub fn environment(&self) -> Result<Vec<(&'static str, String)>, Error> {
        let mut variables = Vec::new();
        if let Some(form) = &self.profile {
            if !matches!(form.split(':').next(), Some("text" | "json")) {
                return Err(Error::Usage(format!(
                    "--profile={form}: the form is text or json, with :FILE behind it to write a file"
                )));
            }
            variables.push(("CUF_PROFILE", form.clone()));
        }
        if self.nvtx {
            variables.push(("CUF_NVTX", "1".to_owned()));
        }
        variables.retain(|(name, _)| std::env::var_os(name).is_none());
        Ok(variables)
    }

    /// Something is asked for.
    pub fn any(&self) -> bool {
        self.profile.is_some() || self.nvtx
    }
}

impl CompilerArguments {
    /// The target; `auto` looks for a GPU and nvcc.
    pub fn target(&self) -> Target {
        match self.target {
            TargetArgument::Cpu => Target::Cpu,
            TargetArgument::Cuda => Target::Cuda,
            TargetArgument::Auto
                if toolchain::gpu_present() && toolchain::find_cuda().is_some() =>
            {
                Target::Cuda
            }
            TargetArgument::Auto => Target::Cpu,
        }
    }

    /// What is checked while the program runs.
    pub fn checks(&self) -> Checks {
        let named = self.check.iter().filter_map(|name| Checks::named(name));
        let alias = self.check_bounds.then_some(Checks::BOUNDS);
        named.chain(alias).fold(Checks::default(), Checks::and)
    }

    /// The targets that a folder which is written can be built for.
    pub fn targets(&self) -> &'static [Target] {
        match self.target {
            TargetArgument::Auto => &[Target::Cuda, Target::Cpu],
            TargetArgument::Cuda => &[Target::Cuda],
            TargetArgument::Cpu => &[Target::Cpu],
        }
    }

    /// The options of the build.
    ///
    /// # Errors
    /// [`Error::Usage`] for an option of gfortran that the translation does not take part in.
    pub fn build_options(
        &self,
        source: &SourceArguments,
        target: Target,
    ) -> Result<BuildOptions, Error> {
        let words = |flags: &[String]| {
            flags
                .iter()
                .flat_map(|f| f.split_whitespace())
                .map(str::to_owned)
                .collect()
        };
        let mut nvccflags: Vec<String> = words(&self.nvccflags);
        if self.fmad == "off" {
            nvccflags.push("--fmad=false".to_owned());
        }
        nvccflags.extend(self.checks().nvcc_flags());
        let fflags: Vec<String> = words(&self.fflags);
        if let Some(flag) = fflags.iter().find(|f| compat_flags::changes_kinds(f)) {
            return Err(Error::Usage(format!(
                "{flag} changes the kind of declared variables, which device code would not match; use -r8 instead"
            )));
        }
        if let Some(flag) = fflags.iter().find(|f| f.starts_with("-flto"))
            && source.mem == MemoryArgument::Managed
        {
            return Err(Error::Usage(format!(
                "{flag}: with `--mem=managed`, objects must contain machine code, in which calls of malloc are redirected"
            )));
        }
        if self.checks().has(Checks::RACE) && source.mem == MemoryArgument::Unified {
            terminal::note(format_args!(
                "cuf2cu: note: `--check=race` checks device, managed, and shared memory, but not the host data that kernels access with `--mem=unified`\n"
            ));
        }
        Ok(BuildOptions {
            arch: self.arch.clone(),
            march: self.march.clone(),
            optimise: self.optimise.clone(),
            openmp: source.openmp,
            mpi: self.mpi,
            jobs: source.parallel(),
            verbose: self.verbose,
            macros: source.macros(),
            include_folders: source.include.clone(),
            fflags,
            nvccflags,
            libraries: self.libraries(),
            library_folders: self.library_folder.clone(),
            checks: self.checks(),
            static_libraries: self.static_libs,
            announces: true,
            cache: cache::place(),
            ..BuildOptions::new(target)
        })
    }
}

/// An address that a page may link to.
fn web_address(text: &str) -> Result<String, String> {
    match text.starts_with("https://") || text.starts_with("http://") {
        true => Ok(text.trim_end_matches('/').to_owned()),
        false => Err("expected an address that begins with https:// or http://".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }

    #[test]
    fn program_arguments_follow_two_hyphens() {
        let parsed =
            Arguments::try_parse_from(["cuf2cu", "run", "a.cuf", "-O", "3", "--", "-x", "1"])
                .unwrap();
        let Some(Command::Run(run)) = parsed.command else {
            panic!("run expected")
        };
        assert_eq!(run.arguments, ["-x", "1"]);
    }
}
