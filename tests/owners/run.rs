//! Builds programs twice, translated and by gfortran alone, runs both and compares.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cuf2cu::driver::{BuildOptions, Package, Project, Toolchain, build};

use crate::batches::{self, Failure, output};
use crate::program::Program;
use crate::suite;
use crate::tree::{self, Side};
use crate::types::{Space, colons};

const HEAP: &str = include_str!("heap.cpp");
const SUPPORT: &str = include_str!("support.f90");
/// What the support module asks the runtime for, in a program without one.
const NO_RUNTIME: &str = "function cuf_rt_live_allocations(where) bind(C) result(n)
  use, intrinsic :: iso_c_binding, only: c_int, c_long_long
  integer(c_int), value :: where
  integer(c_long_long) :: n
  n = 0
end function
";
/// Options of the reference.
const PLAIN_FLAGS: [&str; 5] = [
    "-O0",
    "-ffree-line-length-none",
    "-w",
    "-fmax-errors=0",
    "-ftrivial-auto-var-init=pattern",
];
/// Programs print small numbers: larger ones are memory that gfortran did not give its initial value (heap and stack are filled
/// with patterns).
const LARGEST: i64 = 100_000;
/// Options with which translated host code stops at an address that is not its own.
const ADDRESS_FLAGS: [&str; 2] = ["-g1", "-fsanitize=address"];
/// Options with which a reference that is not valid Fortran stops.
const CHECKED_FLAGS: [&str; 4] = [
    "-g",
    "-fcheck=all",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

/// What happened with a number of programs.
#[derive(Clone, Debug, Default)]
pub struct Results {
    pub run: usize,
    /// Lines of output compared.
    pub lines: usize,
    pub failures: Vec<Failure>,
    pub refused: Vec<Failure>,
    /// The reference could not be built or run: faults of the generator or of gfortran.
    pub invalid: Vec<Failure>,
    /// Programs without the attributes that gfortran 12 breaks off at (structure constructors in SOURCE=, mostly), or that break off
    /// as it compiled them.
    pub broken: usize,
    /// Programs whose reference keeps host memory itself.
    pub unclean: usize,
    /// Programs whose reference prints memory without a value: gfortran 12 forgets some initial values.
    pub unset: usize,
}

impl Results {
    pub fn add(&mut self, other: Results) {
        self.run += other.run;
        self.lines += other.lines;
        self.unclean += other.unclean;
        self.unset += other.unset;
        self.broken += other.broken;
        self.failures.extend(other.failures);
        self.refused.extend(other.refused);
        self.invalid.extend(other.invalid);
    }

    fn file(&mut self, failure: Failure) {
        match failure.step {
            "reference"
                if failure.detail.contains("internal compiler error")
                    || failure.detail.starts_with("Signal(") =>
            {
                self.broken += 1;
            }
            "refused" => self.refused.push(failure),
            "reference" => self.invalid.push(failure),
            _ => {
                self.run += 1;
                self.failures.push(failure);
            }
        }
    }
}

/// What one program printed, or how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Printed {
    lines: Vec<String>,
    /// Allocations left on the device after each pass: device, managed, pinned.
    live: Vec<String>,
    /// Blocks of host memory that every pass but the first left.
    heap: Option<i64>,
    /// Empty if it came to its end.
    end: String,
}

type Bad = BTreeMap<usize, (&'static str, String)>;

pub struct Runner {
    toolchain: Toolchain,
    options: BuildOptions,
    /// The library that counts blocks of the heap; the check of addresses has a heap of its own.
    heap: Option<PathBuf>,
}

impl Runner {
    /// `address`: translated host code is compiled with gfortran's check of addresses.
    pub fn new(address: bool) -> Result<Runner, String> {
        let (toolchain, mut options) = batches::compilers("1")?;
        // Some of the statements have been deleted from the standard.
        options.fflags.push("-w".to_owned());
        if address {
            options.fflags.extend(ADDRESS_FLAGS.map(str::to_owned));
            return Ok(Runner {
                toolchain,
                options,
                heap: None,
            });
        }
        let heap = suite::build_folder().join("owners/heap.so");
        compile_heap(&toolchain, &heap)?;
        Ok(Runner {
            toolchain,
            options,
            heap: Some(heap),
        })
    }

    /// Runs the programs. What the translator refuses is left out; where a build fails the batch is divided until the program
    /// is found.
    pub fn run(&self, programs: &[Program], folder: &Path) -> Results {
        let mut results = Results::default();
        let mut kept = programs.to_vec();
        while !kept.is_empty() {
            let bad = match self.attempt(&kept, folder) {
                Ok(sum) => {
                    results.add(sum);
                    break;
                }
                Err((step, bad, detail)) if kept.len() == 1 => {
                    let detail = bad.into_values().next().map_or(detail, |(_, d)| d);
                    BTreeMap::from([(0, (step, detail))])
                }
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
        let (device, ends) = source(programs, Side::Device);
        let (plain, plain_ends) = source(programs, Side::Plain);
        fs::write(folder.join("owners.cuf"), &device).map_err(|e| none("write", e.to_string()))?;
        let file = [("owners.cuf", device.as_str())].into_iter();
        let package = batches::translate(file).map_err(|messages| {
            let mut bad = Bad::new();
            for (_, line, message) in messages {
                bad.entry(program_at(&ends, line).unwrap_or(0))
                    .or_insert(("refused", message));
            }
            ("refused", bad, String::new())
        })?;
        let reference = self
            .reference(&plain, folder, &PLAIN_FLAGS)
            .map_err(|e| ("reference", rejected(&plain_ends, &e), e))?;
        let program = self
            .translated(&package, folder)
            .map_err(|e| none("build", e))?;
        let expected = execute(&reference, folder, programs, self.heap.as_deref());
        let got = execute(&program, folder, programs, self.heap.as_deref());
        let mut results = Results::default();
        for ((program, e), g) in programs.iter().zip(&expected).zip(&got) {
            match judge(e, g) {
                _ if unset(e) => results.unset += 1,
                None => {
                    results.run += 1;
                    results.lines += e.lines.len();
                    results.unclean += usize::from(e.heap > Some(0));
                }
                Some((step, detail)) => results.file(Failure {
                    seed: program.seed,
                    step,
                    detail,
                }),
            }
        }
        Ok(results)
    }

    fn reference(
        &self,
        source: &str,
        folder: &Path,
        flags: &[&'static str],
    ) -> Result<PathBuf, String> {
        fs::write(folder.join("plain.f90"), format!("{NO_RUNTIME}{source}"))
            .map_err(|e| e.to_string())?;
        let mut command = self.toolchain.fortran.command();
        command
            .current_dir(folder)
            .args(batches::plain_flags(&self.toolchain, flags));
        output(command.args(["plain.f90", "-o", "plain"]))?;
        Ok(folder.join("plain"))
    }

    fn translated(&self, package: &Package, folder: &Path) -> Result<PathBuf, String> {
        let out = folder.join("out");
        package.write(&out, true).map_err(|e| e.to_string())?;
        let project = Project {
            plan: &package.plan,
            source: &out,
            build: &folder.join("obj"),
        };
        let bar = indicatif::ProgressBar::hidden();
        let built = build::build(project, &self.toolchain, &self.options, &bar)
            .map_err(|e| e.to_string())?;
        built.first().cloned().ok_or("no program".to_owned())
    }

    /// Runs programs without GPU attributes with all checks of gfortran and of the sanitisers; those that fail.
    pub fn sound(&self, programs: &[Program], folder: &Path) -> Results {
        let mut results = Results {
            run: programs.len(),
            ..Results::default()
        };
        let mut fail = |seed, detail| {
            results.failures.push(Failure {
                seed,
                step: "sound",
                detail,
            });
        };
        let _ = fs::create_dir_all(folder);
        let (plain, _) = source(programs, Side::Plain);
        let flags: Vec<&'static str> = PLAIN_FLAGS.into_iter().chain(CHECKED_FLAGS).collect();
        match self.reference(&plain, folder, &flags) {
            Err(detail) => fail(programs.first().map_or(0, |p| p.seed), detail),
            Ok(binary) => {
                for (p, printed) in programs
                    .iter()
                    .zip(execute(&binary, folder, programs, None))
                {
                    if !printed.end.is_empty() {
                        let messages = printed
                            .lines
                            .iter()
                            .filter(|l| !l.starts_with(|c: char| c == '-' || c.is_ascii_digit()));
                        let text: Vec<&str> = messages.map(String::as_str).take(20).collect();
                        fail(p.seed, format!("{}\n{}", printed.end, text.join("\n")));
                    }
                }
            }
        }
        results
    }
}

/// Compiles the library that counts blocks of the heap, under another name first: several tests may run.
fn compile_heap(toolchain: &Toolchain, library: &Path) -> Result<(), String> {
    let folder = library.parent().unwrap_or(Path::new("."));
    let text = |e: std::io::Error| e.to_string();
    fs::create_dir_all(folder).map_err(text)?;
    let own = folder.join(format!("heap-{}.cpp", std::process::id()));
    fs::write(&own, HEAP).map_err(text)?;
    let made = own.with_extension("so");
    let mut command = toolchain.cxx.command();
    command.args(["-std=c++20", "-O1", "-shared", "-fPIC"]);
    output(command.arg(&own).arg("-o").arg(&made))?;
    fs::rename(&made, library).map_err(text)?;
    fs::remove_file(&own).map_err(text)
}

/// All programs and a main program; lines before the first program and after each.
pub fn source(programs: &[Program], side: Side) -> (String, Vec<u32>) {
    let mut out = support(side);
    let mut ends = vec![out.lines().count() as u32];
    for program in programs {
        out.push_str(&program.print(side));
        ends.push(out.lines().count() as u32);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "program owners\n  use owners_support");
    for p in programs {
        let _ = writeln!(out, "  use case_{0}, only: run_{0} => run", p.seed);
    }
    out.push_str(
        "  implicit none\n  integer :: first, i, pass\n  character(12) :: word\n  first = 1\n",
    );
    out.push_str("  call get_command_argument(1, word)\n  if (word /= '') read(word, *) first\n");
    let _ = writeln!(
        out,
        "  do i = first, {}\n    do pass = 1, 3\n      select case (i)",
        programs.len()
    );
    for (index, p) in programs.iter().enumerate() {
        let _ = writeln!(
            out,
            "      case ({})\n        call own_begin({seed}, pass)\n        call run_{seed}()",
            index + 1,
            seed = p.seed
        );
    }
    out.push_str("      end select\n      call own_end()\n    end do\n  end do\nend program\n");
    (out, ends)
}

/// The module of what all programs call, with procedures `put_<letter><rank>`, `fill_<letter><rank>` for allocatable data of each
/// kind of memory, and `look_<letter><rank>` for any.
fn support(side: Side) -> String {
    let mut procedures = String::new();
    for space in [Space::Host, Space::Device, Space::Managed, Space::Pinned] {
        let (mark, letter) = (space.mark(), space.letter());
        for rank in 0..3 {
            let (colons, bounds, show) = match rank {
                0 => (String::new(), "", ""),
                1 => (colons(1), "(low:high)", BOUNDS),
                _ => (colons(2), "(low:high, 2)", BOUNDS),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                procedures,
                "  subroutine put_{letter}{rank}(a)
    integer{mark}, allocatable, intent(in) :: a{colons}
    integer, allocatable :: w{colons}
    call flag(allocated(a))
    if (.not. allocated(a)) return
{show}    w = a
    call put(w)
  end subroutine

  subroutine fill_{letter}{rank}(a, low, high, value)
    integer{mark}, allocatable, intent(inout) :: a{colons}
    integer, intent(in) :: low, high, value
    if (allocated(a)) deallocate(a)
    allocate(a{bounds})
    a = value
  end subroutine
"
            );
            if space != Space::Pinned {
                let _ = writeln!(
                    procedures,
                    "  subroutine look_{letter}{rank}(a)
    integer{mark}, intent(in) :: a{colons}
    integer, allocatable :: w{colons}
{show}    w = a
    call put(w)
  end subroutine
"
                );
            }
        }
    }
    let text = SUPPORT.replace("{PROCEDURES}\n", &procedures);
    tree::marked(&text, side)
}

const BOUNDS: &str = "    call put(lbound(a))
    call put(shape(a))
";

/// The program that a line belongs to.
fn program_at(ends: &[u32], line: u32) -> Option<usize> {
    ends.iter().position(|end| line <= *end)?.checked_sub(1)
}

/// The programs that messages of gfortran about the plain source are about.
fn rejected(ends: &[u32], text: &str) -> Bad {
    let shift = NO_RUNTIME.lines().count() as u32;
    let bad = batches::rejected(text, |line| program_at(ends, line.saturating_sub(shift)));
    let step = |(program, detail)| (program, ("reference", detail));
    bad.into_iter().map(step).collect()
}

/// Runs a batch, again from the next program on where one ends it.
fn execute(
    binary: &Path,
    folder: &Path,
    programs: &[Program],
    heap: Option<&Path>,
) -> Vec<Printed> {
    let mut all: Vec<Printed> = vec![Printed::default(); programs.len()];
    let mut first = 0;
    while first < programs.len() {
        let mut command = Command::new(binary);
        // Freed memory does not keep its values, and device memory is closed to the host.
        command
            .arg((first + 1).to_string())
            .env("CUF2CU_GUARD", "1")
            .env("MALLOC_PERTURB_", "90")
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .envs(heap.map(|h| ("LD_PRELOAD", h)));
        let limit = Duration::from_secs(60);
        let end = match suite::run(&mut command, folder, limit) {
            Ok(run) => run.end,
            Err(e) => suite::End::Signal(e.to_string()),
        };
        let text = fs::read(folder.join("run.log")).unwrap_or_default();
        let at = read(&String::from_utf8_lossy(&text), programs, &mut all);
        if end == suite::End::Exit(0) {
            break;
        }
        let stopped = at.unwrap_or(first).max(first);
        if let Some(p) = all.get_mut(stopped) {
            p.end = format!("{end:?}");
        }
        first = stopped + 1;
    }
    all
}

/// Sorts what was printed to the programs; the last one that began.
fn read(text: &str, programs: &[Program], all: &mut [Printed]) -> Option<usize> {
    let mut at = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("CASE ") {
            let seed = rest.split(' ').next().and_then(|s| s.parse().ok());
            at = programs.iter().position(|p| Some(p.seed) == seed);
        }
        let Some(printed) = at.and_then(|i: usize| all.get_mut(i)) else {
            continue;
        };
        if let Some(rest) = line.strip_prefix("LIVE ") {
            printed.live.push(rest.trim().to_owned());
        } else if let Some(rest) = line.strip_prefix("HEAP") {
            // The first pass may fill what the libraries keep.
            let left = rest.trim().parse().ok();
            printed.heap = match printed.live.len() {
                0 | 1 => None,
                2 => left,
                _ => printed.heap.min(left),
            };
        } else {
            printed.lines.push(line.to_owned());
        }
    }
    at
}

/// It prints memory that was not given a value.
fn unset(printed: &Printed) -> bool {
    let numbers = printed
        .lines
        .iter()
        .filter(|l| !l.starts_with("CASE"))
        .flat_map(|l| l.split(' '));
    printed.end.is_empty()
        && numbers
            .filter_map(|w| w.parse::<i64>().ok())
            .any(|n| n.abs() > LARGEST)
}

fn judge(expected: &Printed, got: &Printed) -> Option<(&'static str, String)> {
    if !expected.end.is_empty() {
        let last: Vec<&str> = expected
            .lines
            .iter()
            .rev()
            .take(8)
            .map(String::as_str)
            .collect();
        return Some((
            "reference",
            format!("{}\n{}", expected.end, last.join("\n")),
        ));
    }
    if !got.end.is_empty() {
        let last: Vec<&str> = got
            .lines
            .iter()
            .rev()
            .take(12)
            .rev()
            .map(String::as_str)
            .collect();
        return Some(("run", format!("{}\n{}", got.end, last.join("\n"))));
    }
    if expected.lines != got.lines {
        let differs = |(e, g): &(&String, &String)| e != g;
        let pair = expected.lines.iter().zip(&got.lines).find(differs);
        let text = match pair {
            Some((e, g)) => format!("expected {e}\ngot      {g}"),
            None => format!("{} lines for {}", got.lines.len(), expected.lines.len()),
        };
        return Some(("output", text));
    }
    if got.live.iter().any(|l| l != "0 0 0") {
        return Some((
            "leak",
            format!(
                "device, managed, pinned left after each pass: {}",
                got.live.join("; ")
            ),
        ));
    }
    if expected.heap <= Some(0) && got.heap > Some(0) {
        let blocks = got.heap.unwrap_or(-1);
        return Some(("heap", format!("every pass leaves {blocks} blocks")));
    }
    None
}
