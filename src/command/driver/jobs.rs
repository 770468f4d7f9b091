//! Runs compiler commands in dependency order, several at a time, and skips what is up to date.

use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::{fs, io, process, thread};

use super::process::children::{self, describe};
use super::process::job_slots::{self, Slots};
use super::process::temporary::{Scratch, Temporary};
use super::quote::shell as quote;
use super::toolchain::Tool;
use super::{Error, dependencies, modules, terminal, unlinked};

/// A program with its arguments; never passed through a shell.
#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct Invocation {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// The folder it runs in; None: this process's.
    pub folder: Option<PathBuf>,
}

impl Invocation {
    /// An invocation without arguments.
    pub fn new(program: &Path) -> Invocation {
        Invocation {
            program: program.to_path_buf(),
            arguments: Vec::new(),
            folder: None,
        }
    }

    /// An invocation of a compiler.
    pub fn of(tool: &Tool) -> Invocation {
        let mut invocation = Invocation::new(&tool.program);
        invocation.args(&tool.words);
        invocation
    }

    /// Adds one argument.
    pub fn arg(&mut self, argument: impl AsRef<OsStr>) -> &mut Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args(&mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> &mut Self {
        self.arguments
            .extend(arguments.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    /// The command line for people to read and paste.
    pub fn shown(&self) -> String {
        let words = std::iter::once(self.program.as_os_str())
            .chain(self.arguments.iter().map(OsString::as_os_str));
        let quoted = words.map(|word| quote(&word.to_string_lossy()));
        let line = quoted.collect::<Vec<_>>().join(" ");
        match &self.folder {
            Some(folder) => format!("cd {} && {line}", quote(&folder.to_string_lossy())),
            None => line,
        }
    }
}

/// One command that makes one file.
#[derive(Clone, Debug)]
pub struct Job {
    /// The file made. The command must write it as [`Job::scratch`], which is renamed when it succeeds.
    pub product: PathBuf,
    pub command: Invocation,
    /// Files whose contents decide, with the command, whether the product is still good.
    pub inputs: Vec<PathBuf>,
    /// What else decides, as a number.
    pub also: u64,
    /// The file in which the command lists further inputs as a rule of make, and the folder of those that do not change.
    pub lists: Option<(PathBuf, PathBuf)>,
    /// Indices of earlier jobs that must be done before; their fingerprints enter this one's.
    pub after: Vec<usize>,
}

impl Job {
    /// The temporary name for a product: no other process uses it, and an interrupted command leaves no half product.
    pub fn scratch(product: &Path) -> PathBuf {
        let mut name = product.as_os_str().to_owned();
        name.push(
            format!(".{}-{:?}.tmp", process::id(), thread::current().id()).replace(['(', ')'], ""),
        );
        name.into()
    }
}

/// What happened to the jobs.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Commands run (the others were up to date).
    pub run: usize,
    /// Messages of compilers that succeeded, in the order of the jobs.
    pub warnings: String,
}

struct State {
    /// Per job: jobs it still waits for.
    waiting: Vec<usize>,
    ready: Vec<usize>,
    fingerprints: Vec<u64>,
    messages: Vec<String>,
    failed: Option<(usize, String)>,
    left: usize,
    run: usize,
    slots: Slots,
}

/// Runs `jobs`, at most `parallel` at a time, and of make's jobs no more than it gives. `report` is called with each finished job.
///
/// # Errors
/// [`Error::Toolchain`] with the command and what it printed, for the first job that fails.
pub fn run_all(
    jobs: &[Job],
    parallel: usize,
    verbose: bool,
    report: &(dyn Fn(&Job) + Sync),
) -> Result<Outcome, Error> {
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); jobs.len()];
    for (index, job) in jobs.iter().enumerate() {
        for &earlier in &job.after {
            followers[earlier].push(index);
        }
    }
    let waiting: Vec<usize> = jobs.iter().map(|j| j.after.len()).collect();
    let mut ready: Vec<usize> = (0..jobs.len()).filter(|&i| waiting[i] == 0).collect();
    ready.reverse();
    // The tools' own temporary files go with this.
    let temporary = Temporary::new()?;
    let shared = Arc::new((
        Mutex::new(State {
            waiting,
            ready,
            fingerprints: vec![0; jobs.len()],
            messages: vec![String::new(); jobs.len()],
            failed: None,
            left: jobs.len(),
            run: 0,
            slots: Slots::at_start(),
        }),
        Condvar::new(),
    ));
    let arrived = Arc::clone(&shared);
    let helper = job_slots::helper(move |token| {
        let (state, changed) = &*arrived;
        let mut now = state.lock().unwrap_or_else(PoisonError::into_inner);
        now.slots.arrived(token);
        changed.notify_all();
    });
    let (state, changed) = &*shared;
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        for _ in 0..parallel.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let mut now = lock();
                    let (index, slot) = loop {
                        if now.left == 0 || now.failed.is_some() {
                            return;
                        }
                        let slot = match now.ready.is_empty() {
                            true => None,
                            false => now.slots.claim(helper.as_ref()),
                        };
                        match slot.and_then(|slot| Some((now.ready.pop()?, slot))) {
                            Some(found) => break found,
                            None => now = changed.wait(now).unwrap_or_else(PoisonError::into_inner),
                        }
                    };
                    let job = &jobs[index];
                    let before: Vec<u64> = job.after.iter().map(|&i| now.fingerprints[i]).collect();
                    drop(now);
                    let result = run_one(job, &before, verbose, temporary.place());
                    let mut now = lock();
                    match result {
                        Ok(done) => {
                            now.left -= 1;
                            now.run += usize::from(done.ran);
                            now.fingerprints[index] = done.fingerprint;
                            now.messages[index] = done.messages;
                            for &next in followers[index].iter().rev() {
                                now.waiting[next] -= 1;
                                if now.waiting[next] == 0 {
                                    now.ready.push(next);
                                }
                            }
                            report(job);
                        }
                        // The lowest index wins, so that the message does not depend on timing more than it must.
                        Err(text)
                            if now.failed.as_ref().is_none_or(|(first, _)| index < *first) =>
                        {
                            now.failed = Some((index, text))
                        }
                        Err(_) => {}
                    }
                    let wanted = !now.ready.is_empty() && now.failed.is_none();
                    now.slots.hand_back(slot, wanted);
                    changed.notify_all();
                }
            });
        }
    });
    drop(helper);
    let mut state = lock();
    match state.failed.take() {
        Some((_, text)) => Err(Error::Toolchain(text)),
        None => Ok(Outcome {
            run: state.run,
            warnings: state.messages.concat(),
        }),
    }
}

struct Done {
    fingerprint: u64,
    ran: bool,
    messages: String,
}

fn run_one(job: &Job, before: &[u64], verbose: bool, temporary: &Path) -> Result<Done, String> {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    job.command.hash(&mut hasher);
    before.hash(&mut hasher);
    job.also.hash(&mut hasher);
    for input in &job.inputs {
        let contents =
            fs::read(input).map_err(|e| format!("cannot read {}: {e}", input.display()))?;
        contents.hash(&mut hasher);
    }
    let fingerprint = hasher.finish();
    let mut stamp = job.product.as_os_str().to_owned();
    stamp.push(".stamp");
    let stamp = PathBuf::from(stamp);
    let listed = || {
        let files = (job.lists.as_ref()).map(|(rules, known)| dependencies::listed(rules, known));
        dependencies::contents(&files.unwrap_or_default())
    };
    let current = |listed: u64| format!("{fingerprint:016x} {listed:016x}\n");
    let before = listed();
    if job.product.exists() && fs::read_to_string(&stamp).is_ok_and(|text| text == current(before))
    {
        return Ok(Done {
            fingerprint: fingerprint ^ before,
            ran: false,
            messages: String::new(),
        });
    }
    if let Some(folder) = job.product.parent() {
        fs::create_dir_all(folder)
            .map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
    }
    let scratch = Scratch::new(Job::scratch(&job.product));
    let mut invocation = job.command.clone();
    for argument in &mut invocation.arguments {
        if *argument == job.product.as_os_str() {
            *argument = scratch.place().as_os_str().to_owned();
        }
    }
    if verbose {
        terminal::tell(format_args!("{}\n", job.command.shown()));
    }
    let (mut command, modules) = command(&invocation, temporary)?;
    let output = children::output(&mut command)
        .map_err(|e| format!("cannot run {}: {e}", job.command.program.display()))?;
    let mut messages = String::from_utf8_lossy(&output.stdout).into_owned();
    messages.push_str(&String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        return Err(format!(
            "a compiler failed ({})\n{}{}\n{}",
            describe(output.status),
            unlinked::remedies(&messages),
            if verbose {
                messages
            } else {
                shortened(messages)
            },
            if verbose {
                job.command.shown()
            } else {
                format!(
                    "help: `--verbose` shows the command of {}",
                    job.product.display()
                )
            }
        ));
    }
    published(modules)?;
    let listed = listed();
    finish(scratch.place(), &job.product, &stamp, &current(listed))
        .map_err(|e| format!("cannot write {}: {e}", job.product.display()))?;
    Ok(Done {
        fingerprint: fingerprint ^ listed,
        ran: true,
        messages,
    })
}

/// The command to be started, and where it writes module files, if it does. Its own temporary files go to `temporary`.
fn command(
    invocation: &Invocation,
    temporary: &Path,
) -> Result<(Command, Option<modules::Folder>), String> {
    let given = &invocation.arguments;
    let modules = modules::Folder::of(given, temporary)
        .map_err(|e| format!("cannot create a folder in {}: {e}", temporary.display()))?;
    let mut command = Command::new(&invocation.program);
    command.env("TMPDIR", temporary);
    match (&modules, &invocation.folder) {
        (Some(modules), _) => {
            command.args(modules.arguments(given));
            command.current_dir(modules.working_folder());
        }
        (None, Some(folder)) => {
            command.args(given).current_dir(folder);
        }
        (None, None) => {
            command.args(given);
        }
    }
    Ok((command, modules))
}

fn published(modules: Option<modules::Folder>) -> Result<(), String> {
    let done = modules.map_or(Ok(()), |m| m.publish(Job::scratch));
    done.map_err(|e| format!("cannot write the module files: {e}"))
}

/// Lines of a compiler's messages that are shown.
const MOST_LINES: usize = 300;

/// The first lines of a long text: what a compiler says at last follows from the beginning.
fn shortened(text: String) -> String {
    let lines = text.lines().count();
    if lines <= MOST_LINES {
        return text;
    }
    let shown: Vec<&str> = text.lines().take(MOST_LINES).collect();
    format!(
        "{}\n... ({} more lines: --verbose shows all)",
        shown.join("\n"),
        lines - MOST_LINES
    )
}

fn finish(scratch: &Path, product: &Path, stamp: &Path, text: &str) -> io::Result<()> {
    fs::rename(scratch, product)?;
    fs::write(stamp, text)
}

/// Runs one command whose product nobody else waits for.
///
/// # Errors
/// [`Error::Toolchain`] with the command and what it printed.
pub fn run(invocation: &Invocation) -> Result<(), Error> {
    // What an interrupted compiler leaves goes with the folder.
    let temporary = Temporary::new()?;
    let (mut command, modules) =
        command(invocation, temporary.place()).map_err(Error::Toolchain)?;
    let output = children::output(&mut command).map_err(|e| {
        Error::Toolchain(format!("cannot run {}: {e}", invocation.program.display()))
    })?;
    if output.status.success() {
        return published(modules).map_err(Error::Toolchain);
    }
    Err(Error::Toolchain(format!(
        "a tool failed ({})\n{}\n{}",
        describe(output.status),
        String::from_utf8_lossy(&output.stderr),
        invocation.shown()
    )))
}
