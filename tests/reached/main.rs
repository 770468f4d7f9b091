//! Memory mode `unified`: what a kernel changes is seen after the synchronization, however the variable got to the kernel and wherever it
//! is read. Random programs are translated, compiled by gfortran with -O2 and -O3, and linked with an asynchronous device (stub.rs).
//!
//! Variables: `REACHED_PROGRAMS` how many programs (40), `REACHED_SEED` the seed of the first (each next program has the next seed),
//! `REACHED_BATCH` programs per source file. `--show` prints the programs and stops.
//!
//! One program again: `REACHED_SEED=n REACHED_PROGRAMS=1 cargo test --test reached`.

mod program;
#[path = "../random/numbers.rs"]
mod random;
mod stub;
#[path = "../suite/mod.rs"]
mod suite;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use program::Program;

/// Shared by all programs of a batch.
const WAITS: &str = "module waits
  implicit none
  integer :: turns = 2, failures = 0, sink = 0
contains
  subroutine failed(program, got)
    integer, intent(in) :: program, got
    failures = failures + 1
    print '(a, i0, a, i0)', 'program ', program, ' sums up ', got
  end subroutine failed
end module waits
";

fn main() -> ExitCode {
    match reached() {
        Ok(text) => {
            println!("test result: ok. {text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            eprintln!("reached: {text}");
            ExitCode::FAILURE
        }
    }
}

fn reached() -> Result<String, String> {
    let count = variable("REACHED_PROGRAMS", 40)?;
    let first = variable("REACHED_SEED", 1)?;
    let size = variable("REACHED_BATCH", 40)?.max(1);
    let seeds: Vec<u64> = (first..first + count).map(|s| s as u64).collect();
    let show = std::env::args().any(|a| a == "--show");
    let mut bad = String::new();
    for (k, batch) in seeds.chunks(size).enumerate() {
        let programs: Vec<Program> = batch.iter().map(|s| program::generate(*s)).collect();
        if show {
            let (cuf, plain) = sources(&programs);
            println!("{cuf}{plain}");
            continue;
        }
        let folder = suite::build_folder().join(format!("reached/{first}/batch{k}"));
        match run(&programs, &folder) {
            Ok(()) => {
                let _ = fs::remove_dir_all(&folder);
            }
            Err(text) => {
                let _ = writeln!(bad, "{text}\n(in {})", folder.display());
            }
        }
    }
    match bad.is_empty() {
        true => Ok(format!("{count} passed; 0 failed")),
        false => Err(bad),
    }
}

/// A number from the environment.
fn variable(name: &str, default: usize) -> Result<usize, String> {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .map_err(|_| format!("{name} is not a number: {text}")),
        Err(_) => Ok(default),
    }
}

/// The source with kernels and the one of plain Fortran.
fn sources(programs: &[Program]) -> (String, String) {
    let (mut cuf, mut plain) = (WAITS.to_owned(), String::new());
    for p in programs {
        cuf.push_str(&p.module);
    }
    for p in programs {
        cuf.push_str(&p.external);
        plain.push_str(&p.plain);
    }
    cuf.push_str(
        "program all\n  use waits\n  implicit none\n  turns = 2 + command_argument_count()\n",
    );
    for p in programs {
        let _ = writeln!(cuf, "  call go{}", p.seed);
    }
    cuf.push_str("  if (failures == 0) print '(a)', 'PASS'\nend program all\n");
    for p in programs {
        let s = p.seed;
        let _ = writeln!(
            cuf,
            "subroutine go{s}\n  use m{s}, only: run\n  use waits\n  implicit none\n  call run(turns)\nend subroutine go{s}"
        );
    }
    (cuf, plain)
}

/// Translates, compiles and runs a batch.
fn run(programs: &[Program], folder: &Path) -> Result<(), String> {
    let io = |e: std::io::Error| e.to_string();
    let _ = fs::remove_dir_all(folder);
    let source = folder.join("src");
    fs::create_dir_all(&source).map_err(io)?;
    let (cuf, plain) = sources(programs);
    fs::write(source.join("batch.cuf"), cuf).map_err(io)?;
    fs::write(source.join("plain.f90"), plain).map_err(io)?;
    let mut translate = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    translate.args(["--mem=unified", "src", "out"]);
    done(&mut translate, folder)?;
    let out = folder.join("out");
    let shims = fs::read_to_string(out.join("batch_shims.f90")).map_err(io)?;
    fs::write(out.join("device.c"), stub::text(&shims)).map_err(io)?;
    done(
        Command::new("gcc").args(["-O1", "-w", "-c", "device.c"]),
        &out,
    )?;
    for level in ["-O2", "-O3"] {
        let mut compile = Command::new("gfortran");
        compile.args([
            level,
            "-w",
            "-ffree-line-length-none",
            "-fallow-argument-mismatch",
        ]);
        compile.args(["cuf/host/cuf_runtime.F90", "cuf/host/cudafor.f90"]);
        compile.args([
            "batch_shims.f90",
            "batch.f90",
            "plain.f90",
            "device.o",
            "-o",
            "all",
        ]);
        // Of the runtime's procedures in C the programs call those of the device alone.
        compile.args(["-no-pie", "-Wl,--unresolved-symbols=ignore-all"]);
        done(&mut compile, &out)?;
        let printed = done(&mut Command::new(out.join("all")), &out)?;
        if !printed.lines().any(|l| l == "PASS") {
            return Err(format!("{level}: {printed}"));
        }
    }
    Ok(())
}

/// Runs a command to its end; what it printed.
fn done(command: &mut Command, folder: &Path) -> Result<String, String> {
    let ran = command.current_dir(folder).output();
    let ran = ran.map_err(|e| format!("{command:?}: {e}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if !ran.status.success() {
        let printed = text(&ran.stdout) + &text(&ran.stderr);
        return Err(format!("{command:?} ended with {}\n{printed}", ran.status));
    }
    Ok(text(&ran.stdout))
}
