//! Tools and programs that are started: tools with bounded output, and ended where this process is.

use std::io::{self, Read};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::thread::{self, JoinHandle};

use super::{interrupt, parent_death};

/// What is read of a tool's messages, bytes; the rest is dropped.
const MOST: u64 = 1 << 20;

/// Runs a tool without input, and returns what it says.
///
/// # Errors
/// What the system says if it cannot be started.
pub fn output(command: &mut Command) -> io::Result<Output> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = interrupt::start(command)?;
    let out = child.stdout.take();
    let errors = child.stderr.take();
    let reader = thread::spawn(move || out.map_or_else(Vec::new, beginning));
    let stderr = errors.map_or_else(Vec::new, beginning);
    let stdout = reader.join().unwrap_or_default();
    let status = child.wait();
    interrupt::ended(&child);
    Ok(Output {
        status: status?,
        stdout,
        stderr,
    })
}

/// Runs a tool that has the terminal or file of this process for its messages.
///
/// # Errors
/// What the system says if it cannot be started.
pub fn status(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = interrupt::start(command)?;
    let status = child.wait();
    interrupt::ended(&child);
    status
}

/// Runs the user's program in place of this process: it gets the terminal, and the signals. `started` is called once it runs.
///
/// # Errors
/// What the system says if it cannot be started.
pub fn program(command: &mut Command, started: impl FnOnce()) -> io::Result<ExitStatus> {
    let mut child = start_program(command)?;
    started();
    let status = child.wait();
    interrupt::program_ended();
    status
}

/// Starts the user's program; [`program_ended`] is to be called when it has ended.
///
/// # Errors
/// What the system says if it cannot be started.
pub fn start_program(command: &mut Command) -> io::Result<Child> {
    let child = interrupt::start_program(command)?;
    parent_death::wait_for_program(&child);
    Ok(child)
}

/// The user's program has ended.
pub fn program_ended() {
    interrupt::program_ended();
}

/// A program that runs beside the user's, and is ended where this process is.
#[derive(Debug)]
pub struct Companion {
    child: Child,
    said: Option<JoinHandle<Vec<u8>>>,
}

impl Companion {
    /// # Errors
    /// What the system says if it cannot be started.
    pub fn beside(command: &mut Command) -> io::Result<Companion> {
        let mut child = interrupt::start(command)?;
        parent_death::wait_for_program(&child);
        let said = child.stderr.take().map(|e| thread::spawn(|| beginning(e)));
        Ok(Companion { child, said })
    }

    /// Its standard input, if that is a pipe.
    pub fn piped_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Ends it.
    pub fn put_to_end(&mut self) {
        // It may have ended by now.
        let _ = self.child.kill();
        let _ = self.child.wait();
        interrupt::ended(&self.child);
    }

    /// Waits for its end: its status and what it said on standard error.
    ///
    /// # Errors
    /// What the system says.
    pub fn until_its_end(mut self) -> io::Result<(ExitStatus, Vec<u8>)> {
        let status = self.child.wait();
        interrupt::ended(&self.child);
        let said = self.said.take().and_then(|s| s.join().ok());
        Ok((status?, said.unwrap_or_default()))
    }
}

/// The beginning of what comes, all of which is taken.
fn beginning(mut from: impl Read) -> Vec<u8> {
    let mut read = Vec::new();
    let whole = from.by_ref().take(MOST).read_to_end(&mut read);
    let dropped = whole.and_then(|_| io::copy(&mut from, &mut io::sink()));
    if dropped.is_ok_and(|n| n > 0) {
        read.extend_from_slice(b"\n... (more was said)\n");
    }
    read
}

/// The status of a process in the way of shells: its own, or 128 and the signal that ended it.
pub fn as_code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => u8::try_from(code & 0xff).unwrap_or(1),
        (None, Some(signal)) => u8::try_from(128 + (signal & 0x7f)).unwrap_or(1),
        (None, None) => 1,
    }
}

/// An exit status in words.
pub fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    if let Some(signal) = status.signal() {
        return match signal_hook::low_level::signal_name(signal) {
            Some(name) => format!("signal {signal}, {name}"),
            None => format!("signal {signal}"),
        };
    }
    status.code().map_or_else(
        || "no status".to_owned(),
        |code| format!("exit status {code}"),
    )
}
