//! Programs that run side by side while what they get back from their devices is compared.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal as _, PipeReader, Read, Write};
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

use rustix::io::{FdFlags, fcntl_setfd};

use super::{ComparedRun, Outcome, Record, compare};
use crate::driver::Error;
use crate::driver::process::children::{self, Companion};
use crate::driver::process::interrupt;
use crate::driver::process::parent_death;

/// A program and the environment that it gets.
#[derive(Clone, Debug)]
pub struct Program {
    /// Such as `cpu, seed 2`.
    pub name: String,
    pub path: PathBuf,
    pub environment: Vec<(&'static str, String)>,
}

/// What came of it.
#[derive(Debug)]
pub struct RunResult {
    pub outcome: Outcome,
    /// Of the first program, whose output is seen.
    pub status: ExitStatus,
}

/// Runs the programs with the same arguments and the same input. The first one has the terminal; what the others say is shown where they
/// end in another way.
///
/// # Errors
/// [`Error::File`] if one cannot be started or its record cannot be read.
pub fn side_by_side(
    programs: &[Program],
    arguments: &[OsString],
    ulps: Option<u64>,
    started: impl FnOnce(),
) -> Result<RunResult, Error> {
    interrupt::prepare();
    let mut parties = Vec::new();
    let mut companions = Vec::new();
    let mut inputs = Vec::new();
    let mut visible = None;
    for (i, program) in programs.iter().enumerate() {
        let failed = |e: io::Error| Error::file("run", &program.path, &e);
        let (reader, writer) = io::pipe().map_err(failed)?;
        // The program inherits this end; in this process it is closed before the next one is started.
        fcntl_setfd(&writer, FdFlags::empty()).map_err(|e| failed(e.into()))?;
        let mut command = parent_death::command(&program.path);
        command
            .args(arguments)
            .env("CUF_RECORD", format!("fd:{}", writer.as_raw_fd()));
        for (name, value) in &program.environment {
            command.env(name, value);
        }
        let spread = programs.len() > 1 && !input(&mut command).map_err(failed)?;
        if i == 0 {
            let mut child = children::start_program(&mut command).map_err(failed)?;
            inputs.extend(child.stdin.take().filter(|_| spread));
            visible = Some(child);
        } else {
            command.stdout(Stdio::null()).stderr(Stdio::piped());
            let mut other = Companion::beside(&mut command).map_err(failed)?;
            inputs.extend(other.piped_input().filter(|_| spread));
            companions.push(Some(other));
        }
        drop(writer);
        parties.push(ComparedRun {
            name: program.name.clone(),
            record: Record::new(reader),
        });
    }
    started();
    if !inputs.is_empty() {
        // It ends with this process at the latest.
        thread::spawn(move || spread_input(inputs));
    }
    let compared = compare(&mut parties, ulps, |i| {
        if let Some(mut other) = companions[i].take() {
            other.put_to_end();
        }
    });
    let drained = drain(parties);
    let ended = visible.map(|mut child| child.wait());
    children::program_ended();
    let status = match ended {
        Some(status) => status.map_err(|e| failed_of(programs, &e))?,
        None => return Err(Error::Usage("no program to run".to_owned())),
    };
    let mut outcome = compared.map_err(|e| failed_of(programs, &e))?;
    for (program, other) in programs[1..].iter().zip(companions) {
        let Some(other) = other else { continue };
        let (theirs, said) = other
            .until_its_end()
            .map_err(|e| Error::file("run", &program.path, &e))?;
        if theirs != status {
            outcome.differences.push(format!(
                "{} ends with {}, {} with {}{}{}",
                programs[0].name,
                children::describe(status),
                program.name,
                children::describe(theirs),
                if said.is_empty() { "" } else { ", and says:\n" },
                String::from_utf8_lossy(&said).trim_end()
            ));
        }
    }
    for thread in drained {
        let _ = thread.join();
    }
    Ok(RunResult { outcome, status })
}

fn failed_of(programs: &[Program], error: &io::Error) -> Error {
    let path = programs.first().map_or(Path::new("program"), |p| &p.path);
    Error::file("compare the records of", path, error)
}

/// The standard input of one program: a file is opened anew for each, of nothing there is nothing. False: what comes has to be spread.
fn input(command: &mut Command) -> io::Result<bool> {
    let stdin = io::stdin();
    let file = File::open("/proc/self/fd/0").and_then(|f| Ok((f.metadata()?.is_file(), f)));
    match file {
        Ok((true, file)) if !stdin.is_terminal() => command.stdin(file),
        Ok(_) => {
            command.stdin(Stdio::piped());
            return Ok(false);
        }
        Err(_) => command.stdin(Stdio::null()),
    };
    Ok(true)
}

/// All get what comes, until none of them listens.
fn spread_input(mut inputs: Vec<ChildStdin>) {
    let mut buffer = [0; 4096];
    let mut stdin = io::stdin().lock();
    while !inputs.is_empty() {
        match stdin.read(&mut buffer) {
            Ok(n) if n > 0 => inputs.retain_mut(|to| to.write_all(&buffer[..n]).is_ok()),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}

/// The programs go on after a difference: their records are read to the end.
fn drain(parties: Vec<ComparedRun<PipeReader>>) -> Vec<JoinHandle<()>> {
    let rest = |party: ComparedRun<PipeReader>| {
        thread::spawn(move || {
            let _ = io::copy(&mut party.record.into_inner(), &mut io::sink());
        })
    };
    parties.into_iter().map(rest).collect()
}
