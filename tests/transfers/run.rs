//! Builds programs twice, translated and by gfortran alone, runs both and compares what they print.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cuf2cu::driver::family::Family;
use cuf2cu::driver::{BuildOptions, Project, Toolchain, build};

use crate::batches::{self, Failure, output};
use crate::program::{Program, Side, generate, marked};
use crate::suite;

const SUPPORT: &str = include_str!("support.f90");
const PLAIN_FLAGS: [&str; 4] = ["-O0", "-ffree-line-length-none", "-w", "-fmax-errors=0"];
/// The module that the plain program uses in the place of cudafor.
const NO_CUDA: &str = "module cudafor\nend module\n";

/// What happened with a number of programs.
#[derive(Clone, Debug, Default)]
pub struct Results {
    pub run: usize,
    /// Lines of output compared.
    pub lines: usize,
    pub failures: Vec<Failure>,
    pub refused: Vec<Failure>,
    /// gfortran breaks off at the plain program, or what it makes of it breaks off.
    pub broken: Vec<Failure>,
}

impl Results {
    pub fn add(&mut self, other: Results) {
        self.run += other.run;
        self.lines += other.lines;
        self.failures.extend(other.failures);
        self.refused.extend(other.refused);
        self.broken.extend(other.broken);
    }

    fn file(&mut self, failure: Failure) {
        match failure.step {
            "refused" => self.refused.push(failure),
            "reference" => self.broken.push(failure),
            _ => {
                self.run += 1;
                self.failures.push(failure);
            }
        }
    }
}

type Bad = BTreeMap<usize, (&'static str, String)>;

pub struct Runner {
    toolchain: Toolchain,
    options: BuildOptions,
}

impl Runner {
    pub fn new() -> Result<Runner, String> {
        let (toolchain, mut options) = batches::compilers("1")?;
        options.fflags.push("-w".to_owned());
        Ok(Runner { toolchain, options })
    }

    /// The program of a seed, of scenes that the compiler can compile: flang 22 has no parameterised types, and no kinds of 10 and 16 here.
    pub fn program(&self, seed: u64) -> Program {
        let mut program = generate(seed);
        if self.toolchain.family == Family::Flang {
            program.scenes.retain(|s| {
                let text = format!("{s:?}");
                !["mat(", "(10)", "(16)"].iter().any(|w| text.contains(w))
            });
        }
        program
    }

    /// Runs the programs. Where a step fails the batch is divided until the program is found.
    pub fn run(&self, programs: &[Program], folder: &Path) -> Results {
        let mut results = Results::default();
        let mut kept = programs.to_vec();
        while !kept.is_empty() {
            let bad = match self.attempt(&kept, folder) {
                Ok(sum) => {
                    results.add(sum);
                    break;
                }
                Err((step, _, detail)) if kept.len() == 1 => Bad::from([(0, (step, detail))]),
                Err((_, bad, _)) => bad,
            };
            if bad.is_empty() {
                let (a, b) = kept.split_at(kept.len() / 2);
                results.add(self.run(a, folder));
                results.add(self.run(b, folder));
                break;
            }
            for (index, (step, detail)) in bad.into_iter().rev() {
                let seed = kept.remove(index).seed;
                results.file(Failure { seed, step, detail });
            }
        }
        results
    }

    fn attempt(
        &self,
        programs: &[Program],
        folder: &Path,
    ) -> Result<Results, (&'static str, Bad, String)> {
        let _ = fs::remove_dir_all(folder);
        let none = |step, detail| (step, Bad::new(), detail);
        fs::create_dir_all(folder).map_err(|e| none("write", e.to_string()))?;
        let (mut device, ends) = source(programs, Side::Device);
        let (mut plain, plain_ends) = source(programs, Side::Plain);
        if self.toolchain.family == Family::Flang {
            device = without_parameters(&device);
            plain = without_parameters(&plain);
        }
        fs::write(folder.join("transfers.cuf"), &device)
            .map_err(|e| none("write", e.to_string()))?;
        let package = batches::translate([("transfers.cuf", device.as_str())].into_iter())
            .map_err(|messages| {
                let mut bad = Bad::new();
                let mut all = String::new();
                for (_, line, message) in messages {
                    // Writing to a string cannot fail.
                    let _ = writeln!(all, "{line}: {message}");
                    let program = program_at(&ends, line).unwrap_or(0);
                    bad.entry(program).or_insert(("refused", message));
                }
                ("refused", bad, all)
            })?;
        let reference = self.reference(&plain, folder).map_err(|e| {
            let shift = NO_CUDA.lines().count() as u32;
            let at = |line: u32| program_at(&plain_ends, line.saturating_sub(shift));
            let bad = batches::rejected(&e, at).into_iter();
            (
                "reference",
                bad.map(|(p, d)| (p, ("reference", d))).collect(),
                e,
            )
        })?;
        let out = folder.join("out");
        package
            .write(&out, true)
            .map_err(|e| none("write", e.to_string()))?;
        let project = Project {
            plan: &package.plan,
            source: &out,
            build: &folder.join("obj"),
        };
        let bar = indicatif::ProgressBar::hidden();
        let built = build::build(project, &self.toolchain, &self.options, &bar)
            .map_err(|e| none("build", e.to_string()))?;
        let program = built
            .first()
            .ok_or(none("build", "no program".to_owned()))?;
        let mut results = Results::default();
        for (index, p) in programs.iter().enumerate() {
            let seed = p.seed;
            let expected = execute(&reference, folder, index);
            let failure = |step, detail| Failure { seed, step, detail };
            let expected = match expected {
                Ok(text) => text,
                Err(detail) => {
                    results.broken.push(failure("reference", detail));
                    continue;
                }
            };
            match execute(program, folder, index) {
                Err(detail) => results.file(failure("run", detail)),
                Ok(got) if got != expected => {
                    let pairs = expected.lines().zip(got.lines());
                    let pair = pairs.enumerate().find(|(_, (e, g))| e != g);
                    results.file(failure(
                        "output",
                        match pair {
                            Some((n, (e, g))) => format!("line {n}\nexpected {e}\ngot      {g}"),
                            None => "more or fewer lines".to_owned(),
                        },
                    ));
                }
                Ok(_) => {
                    results.run += 1;
                    results.lines += expected.lines().count();
                }
            }
        }
        Ok(results)
    }

    fn reference(&self, source: &str, folder: &Path) -> Result<PathBuf, String> {
        fs::write(folder.join("plain.f90"), format!("{NO_CUDA}{source}"))
            .map_err(|e| e.to_string())?;
        let mut command = self.toolchain.fortran.command();
        command
            .current_dir(folder)
            .args(batches::plain_flags(&self.toolchain, &PLAIN_FLAGS));
        output(command.args(["plain.f90", "-o", "plain"]))?;
        Ok(folder.join("plain"))
    }
}

/// The type with parameters as comments, and real(16) as real(8): lines keep their numbers.
fn without_parameters(source: &str) -> String {
    let (mut out, mut inside) = (String::new(), false);
    for line in source.lines() {
        inside |= line.trim_start().starts_with("type mat(");
        let ends = inside && line.trim_start().starts_with("end type");
        out += if inside { "! " } else { "" };
        out += &line.replace("real(16)", "real(8)");
        out.push('\n');
        inside &= !ends;
    }
    out
}

/// What a program of a batch prints.
fn execute(binary: &Path, folder: &Path, index: usize) -> Result<String, String> {
    let mut command = Command::new(binary);
    // Device memory is closed to the host.
    command
        .arg((index + 1).to_string())
        .env("CUF2CU_GUARD", "1")
        .env("MALLOC_PERTURB_", "90");
    let run =
        suite::run(&mut command, folder, Duration::from_secs(60)).map_err(|e| e.to_string())?;
    match run.end {
        suite::End::Exit(0) => Ok(run.output),
        end => Err(format!("{end:?}\n{}", run.output)),
    }
}

/// All programs and a main program; lines before the first program and after each.
pub fn source(programs: &[Program], side: Side) -> (String, Vec<u32>) {
    let mut out = marked(SUPPORT, side);
    let mut ends = vec![out.lines().count() as u32];
    for program in programs {
        out.push_str(&program.print(side));
        ends.push(out.lines().count() as u32);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "program transfers");
    for p in programs {
        let _ = writeln!(out, "  use case_{0}, only: run_{0} => run", p.seed);
    }
    out.push_str("  implicit none\n  character(12) :: word\n  integer :: which\n");
    out.push_str("  call get_command_argument(1, word)\n  read(word, *) which\n");
    out.push_str("  select case (which)\n");
    for (index, p) in programs.iter().enumerate() {
        let _ = writeln!(out, "  case ({})\n    call run_{}()", index + 1, p.seed);
    }
    out.push_str("  end select\nend program\n");
    (out, ends)
}

/// The program that a line belongs to.
fn program_at(ends: &[u32], line: u32) -> Option<usize> {
    ends.iter().position(|end| line <= *end)?.checked_sub(1)
}
