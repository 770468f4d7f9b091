//! Programs of the user that end where this process does, however it ends: of SIGKILL no process can tell its children, so the system is
//! asked to (on Linux).

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::time::Duration;
use std::{fs, thread};

use crate::driver::{Error, terminal};

/// The command line of this command in which it becomes another program: this word, the number of the process that asks, the program and its arguments.
const WORD: &str = "--in-place-of-child";

/// The command for a program that ends with this process. It is to be started by the main thread, whose end the system tells.
#[cfg(target_os = "linux")]
pub fn command(program: &Path) -> Command {
    // This very program, also where its file has been replaced.
    let own = Path::new("/proc/self/exe");
    if !own.exists() {
        return Command::new(program);
    }
    let mut command = Command::new(own);
    command.arg(WORD).arg(std::process::id().to_string());
    command.arg(program);
    command
}

#[cfg(not(target_os = "linux"))]
pub fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Waits until a process that [`command`] has made is its program (or has ended): its file must stay until then.
pub fn wait_for_program(process: &Child) {
    let program = || fs::read_link(format!("/proc/{}/exe", process.id())).ok();
    let own = fs::read_link("/proc/self/exe").ok();
    while own.is_some() && program() == own {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Becomes the program of a command line that [`command`] has made; for others None. It returns where the program cannot be started.
pub fn take_place(words: &[OsString]) -> Option<ExitCode> {
    let [_, word, parent, program, arguments @ ..] = words else {
        return None;
    };
    if word != WORD {
        return None;
    }
    Some(replaced(parent, program, arguments))
}

#[cfg(target_os = "linux")]
fn replaced(parent: &OsStr, program: &OsStr, arguments: &[OsString]) -> ExitCode {
    use std::os::unix::process::CommandExt as _;

    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    // A system that does not know it leaves the program running, as before.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    // What was asked for ended before the system was told.
    let asked = |p: rustix::process::Pid| parent.to_str() == Some(&*p.as_raw_pid().to_string());
    if !getppid().is_some_and(asked) {
        return ExitCode::from(128 + 9);
    }
    let why = Command::new(program).args(arguments).exec();
    let error = Error::file("run", Path::new(program), &why);
    terminal::fail("cuf2cu", &error);
    ExitCode::from(error.exit_status())
}

#[cfg(not(target_os = "linux"))]
fn replaced(_: &OsStr, _: &OsStr, _: &[OsString]) -> ExitCode {
    ExitCode::FAILURE
}
