//! A process beside this one that ends its tools and removes its temporary files where it cannot do so itself, killed by SIGKILL: it is told
//! of them through a pipe, and does it when the pipe ends.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::time::Duration;
use std::{fs, thread};

use rustix::process::{Pid, Signal, kill_process_group};

/// The command line of this command in which it is such a process.
const WORD: &str = "--when-the-pipe-ends";

/// What one is to know of.
#[derive(Clone, Copy, Debug)]
pub enum Resource<'a> {
    /// A process group.
    Group(i32),
    /// A temporary file or folder.
    Path(&'a Path),
}

/// The process, as the other one has it.
#[derive(Debug)]
pub struct Keeper {
    child: Child,
    pipe: Option<ChildStdin>,
}

impl Keeper {
    /// Starts it.
    ///
    /// # Errors
    /// What the system says.
    pub fn start() -> io::Result<Keeper> {
        // This very program, also where its file has been replaced.
        let linux = Path::new("/proc/self/exe");
        let own = match linux.exists() {
            true => linux.to_path_buf(),
            false => std::env::current_exe()?,
        };
        // In a group of its own the terminal's signals do not reach it.
        let mut child = Command::new(own)
            .arg(WORD)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let pipe = child.stdin.take();
        Ok(Keeper { child, pipe })
    }

    /// It is there (`there`), or no longer.
    pub fn tell(&mut self, thing: Resource<'_>, there: bool) {
        let number;
        let (kind, bytes) = match thing {
            Resource::Group(group) => {
                number = group.to_string();
                (b'g', number.as_bytes())
            }
            Resource::Path(path) => (b'p', path.as_os_str().as_bytes()),
        };
        let mut record = vec![if there { b'+' } else { b'-' }, kind];
        record.extend_from_slice(bytes);
        record.push(0);
        // One that is gone is not missed.
        let told = self.pipe.as_mut().map_or(Ok(()), |p| p.write_all(&record));
        if told.is_err() {
            self.pipe = None;
        }
    }

    /// There is nothing left to do for it.
    pub fn dismiss(mut self) {
        self.pipe = None;
        let _ = self.child.wait();
    }
}

/// Is such a process, if the command line says so; else None.
pub fn take_place(words: &[OsString]) -> Option<ExitCode> {
    let [_, word] = words else {
        return None;
    };
    if word != WORD {
        return None;
    }
    let mut groups = BTreeSet::new();
    let mut paths = BTreeSet::new();
    let records = BufReader::new(io::stdin().lock()).split(0);
    for record in records.map_while(Result::ok) {
        let [sign, kind, bytes @ ..] = &record[..] else {
            continue;
        };
        match kind {
            b'g' => {
                let number = str::from_utf8(bytes).ok().and_then(|t| t.parse().ok());
                if let Some(group) = number {
                    change(&mut groups, group, *sign == b'+');
                }
            }
            _ => change(
                &mut paths,
                PathBuf::from(OsStr::from_bytes(bytes)),
                *sign == b'+',
            ),
        }
    }
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    remove(&paths);
    Some(ExitCode::SUCCESS)
}

fn change<T: Ord>(set: &mut BTreeSet<T>, value: T, there: bool) {
    if there {
        set.insert(value);
    } else {
        set.retain(|v| *v != value);
    }
}

/// Removes temporary files and folders, into which somebody who has just been ended may still be writing.
pub fn remove(paths: &BTreeSet<PathBuf>) {
    for path in paths {
        for _ in 0..10 {
            let _ = fs::remove_dir_all(path).or_else(|_| fs::remove_file(path));
            if fs::symlink_metadata(path).is_err() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}
