//! Signals that end the command: its children are ended, what it has in temporary places is removed, and it dies of the signal itself, so
//! that a shell sees 128 + n and a loop of a script ends.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use super::reaper::{self, Keeper, Resource};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::raw::WithRawSiginfo;

/// How long children may take to end before they are killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// What an interruption has to deal with.
#[derive(Default)]
struct Watched {
    interrupted: bool,
    /// The process groups of the tools that run.
    groups: BTreeSet<i32>,
    /// The user's program: it gets the signals, and this process ends when it does.
    program: Option<i32>,
    /// Temporary files and folders.
    paths: BTreeSet<PathBuf>,
    /// How many threads do what is not to be left half done.
    busy: usize,
    /// There is to be a keeper as soon as a tool runs.
    kept: bool,
    /// What deals with SIGKILL.
    keeper: Option<Keeper>,
}

impl Watched {
    /// The keeper, which is told of what there is.
    fn keep(&mut self) {
        if !std::mem::take(&mut self.kept) {
            return;
        }
        // Without one SIGKILL leaves something behind, as with others.
        self.keeper = Keeper::start().ok();
        if let Some(keeper) = &mut self.keeper {
            for path in &self.paths {
                keeper.tell(Resource::Path(path), true);
            }
        }
    }

    fn tell(&mut self, thing: Resource<'_>, there: bool) {
        if let Some(keeper) = &mut self.keeper {
            keeper.tell(thing, there);
        }
    }
}

static WATCHED: Mutex<Watched> = Mutex::new(Watched {
    interrupted: false,
    groups: BTreeSet::new(),
    program: None,
    paths: BTreeSet::new(),
    busy: 0,
    kept: false,
    keeper: None,
});
static CHANGED: Condvar = Condvar::new();

/// The state. A thread that comes here after an interruption stays: it shall say and make nothing any more.
fn watched() -> MutexGuard<'static, Watched> {
    let now = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if now.interrupted {
        drop(now);
        loop {
            thread::park();
        }
    }
    now
}

/// Waits for SIGINT, SIGTERM and SIGHUP from now on, but for those that are ignored (nohup, a shell's background).
pub fn watch() {
    watched().kept = true;
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP];
    let wanted = wanted.into_iter().filter(|s| ignored & (1 << (s - 1)) == 0);
    // Without the thread signals do what they do by default.
    let Ok(mut signals) = SignalsInfo::<WithRawSiginfo>::new(wanted) else {
        return;
    };
    thread::spawn(move || {
        for info in &mut signals {
            // Positive codes are the kernel's: the terminal's signals go to all processes in its foreground.
            received(info.si_signo, info.si_code > 0);
        }
    });
}

/// The mask of the signals that this process was started to ignore.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok())
        .unwrap_or(0)
}

fn received(signal: i32, from_terminal: bool) {
    let mut now = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let as_signal = Signal::from_named_raw(signal).unwrap_or(Signal::TERM);
    if let Some(program) = now.program {
        if !from_terminal && let Some(pid) = Pid::from_raw(program) {
            // It may have ended by now.
            let _ = kill_process(pid, as_signal);
        }
        return;
    }
    now.interrupted = true;
    let until = Instant::now() + PATIENCE;
    while now.busy > 0 {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        let waited = CHANGED.wait_timeout(now, left);
        now = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    for (with, patience) in [(Signal::TERM, PATIENCE), (Signal::KILL, PATIENCE)] {
        for group in now.groups.iter().filter_map(|g| Pid::from_raw(*g)) {
            let _ = kill_process_group(group, with);
        }
        let until = Instant::now() + patience;
        while !now.groups.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = CHANGED.wait_timeout(now, left);
            now = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
    reaper::remove(&now.paths);
    // The first process of a container does not die of signals.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal);
}

/// Starts a tool, in a process group of its own.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
    let mut now = watched();
    now.keep();
    let child = command.spawn()?;
    now.groups.insert(raw(&child));
    now.tell(Resource::Group(raw(&child)), true);
    Ok(child)
}

/// A tool has ended.
pub(super) fn ended(child: &Child) {
    let mut now = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    now.groups.remove(&raw(child));
    now.tell(Resource::Group(raw(child)), false);
    CHANGED.notify_all();
    drop(now);
    drop(watched());
}

/// Starts the keeper before tools that run later than what it must not inherit: the ends of pipes for the user's programs.
pub fn prepare() {
    watched().keep();
}

/// Starts the user's program, in the foreground with this process.
pub(super) fn start_program(command: &mut Command) -> io::Result<Child> {
    let mut now = watched();
    let child = command.spawn()?;
    now.program = Some(raw(&child));
    Ok(child)
}

/// The user's program has ended.
pub(super) fn program_ended() {
    watched().program = None;
}

fn raw(child: &Child) -> i32 {
    i32::try_from(child.id()).unwrap_or(0)
}

/// Does what is not to be left half done and takes no time: a signal that comes meanwhile is dealt with afterwards.
pub fn later<T>(work: impl FnOnce() -> T) -> T {
    struct Busy;
    impl Drop for Busy {
        fn drop(&mut self) {
            let mut now = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
            now.busy -= 1;
            CHANGED.notify_all();
            drop(now);
            // After a signal nothing more is begun.
            drop(watched());
        }
    }
    watched().busy += 1;
    let _busy = Busy;
    work()
}

/// Makes a temporary file or folder by `make`, to be removed where this process is interrupted.
pub(super) fn register<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl Fn(&T) -> PathBuf,
) -> io::Result<T> {
    let mut now = watched();
    let made = make()?;
    let path = path(&made);
    now.tell(Resource::Path(&path), true);
    now.paths.insert(path);
    Ok(made)
}

/// It is no longer there, or no longer temporary.
pub(super) fn forget(path: &Path) {
    let mut now = watched();
    now.paths.remove(path);
    now.tell(Resource::Path(path), false);
}

/// This process is at its end.
pub fn leave() {
    let keeper = watched().keeper.take();
    if let Some(keeper) = keeper {
        keeper.dismiss();
    }
}
