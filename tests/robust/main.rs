//! What surrounds a command in CI and in people's shells: folders that cannot be written, other users, signals, full disks, make's jobs, several
//! processes at a time. Real processes, from outside.

mod builds;
mod messages;

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// A folder for a test with a source in it, a temporary folder and a cache of its own.
struct Place {
    folder: tempfile::TempDir,
}

const HELLO: &str = "program p\n  print *, 'hello'\nend program p\n";

const KERNEL: &str = "\
module m
contains
  attributes(global) subroutine k(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    i = threadIdx%x
    if (i <= n) a(i) = i * 2.0
  end subroutine
end module
program p
  use m
  use cudafor
  real, device :: d(8)
  real :: h(8)
  call k<<<1,8>>>(d, 8)
  h = d
  print *, sum(h)
end program
";

/// The cache of the tests that compile, in which the runtime is built once.
fn cache() -> &'static Path {
    static CACHE: OnceLock<PathBuf> = OnceLock::new();
    CACHE.get_or_init(|| {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("robust-cache");
        fs::create_dir_all(&cache).unwrap();
        let place = Place::new();
        place.write("a.cuf", HELLO);
        let built = place
            .command(&["build", "--target", "cpu", "a.cuf"])
            .env("CUF2CU_CACHE", &cache)
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", said(&built));
        cache
    })
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        for name in ["tmp", "work"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Place { folder }
    }

    fn with(name: &str, text: &str) -> Place {
        let place = Place::new();
        place.write(name, text);
        place
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.work().join(name), text).unwrap();
    }

    /// Where commands run.
    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Their temporary folder.
    fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// The names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// cuf2cu without the caller's settings.
    fn command(&self, arguments: &[&str]) -> Command {
        // Signals may be ignored by what runs the tests (nohup).
        let mut command = Command::new("env");
        command
            .arg("--default-signal=HUP,INT,TERM")
            .arg(env!("CARGO_BIN_EXE_cuf2cu"))
            .args(arguments)
            .current_dir(self.work())
            .env("TMPDIR", self.temporary())
            .stdin(Stdio::null());
        for name in ["MAKEFLAGS", "MFLAGS", "CARGO_MAKEFLAGS", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        command
    }

    /// cuf2cu with the cache of the tests.
    fn cuf2cu(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command.env("CUF2CU_CACHE", cache());
        command
    }
}

fn said(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Runs a command that must succeed; what it prints.
fn ok(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Waits at most half a minute.
fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A user without rights, where the tests run as root, whom no permissions bind.
fn as_nobody(command: &mut Command) {
    if rustix::process::geteuid().is_root() {
        command.uid(64_321).gid(64_321);
    }
}

/// A tool that writes the number of its process and of its child into files, makes a temporary file as compilers do, and waits.
fn slow_compiler(place: &Place) -> PathBuf {
    let path = place.folder.path().join("gfortran");
    let script = "#!/bin/sh\ncase \"$*\" in *-dump*|*--version*) exec gfortran \"$@\";; esac\n\
                  mktemp > /dev/null\nsleep 60 &\nhere=$(dirname \"$0\")\necho $! > $here/child\necho $$ > $here/pid\nwait\n";
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o755)
        .open(&path)
        .unwrap();
    file.write_all(script.as_bytes()).unwrap();
    path
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

fn runs(pid: &str) -> bool {
    // A process that has ended and that nobody has asked for is none.
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.contains("State:") && !status.contains("State:\tZ")
}

#[test]
fn an_interrupted_build_leaves_nothing_and_ends_by_the_signal() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("KILL", 9)] {
        let place = Place::with("a.cuf", KERNEL);
        let compiler = slow_compiler(&place);
        let mut child = place
            .cuf2cu(&["fc", "--target=cpu", "-c", "a.cuf"])
            // The runtime is another compiler's.
            .env("CUF2CU_CACHE", place.folder.path().join("cache"))
            .env("CUF2CU_FC", &compiler)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = |name| fs::read_to_string(place.folder.path().join(name)).unwrap_or_default();
        wait_for("the compiler starts", || !said("pid").is_empty());
        let (tool, below) = (said("pid"), said("child"));
        assert!(runs(tool.trim()) && runs(below.trim()));
        assert_ne!(Place::names(&place.temporary()), [""; 0]);
        signal(&child, name);
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(number), "{name}: {status}");
        if number == 9 {
            // By another process, soon.
            let gone = || Place::names(&place.temporary()).is_empty() && !runs(tool.trim());
            wait_for("the keeper has done its work", gone);
        }
        assert_eq!(Place::names(&place.temporary()), [""; 0], "{name}");
        assert_eq!(Place::names(&place.work()), ["a.cuf"], "{name}");
        wait_for("the compiler's child ends", || !runs(below.trim()));
        assert!(!runs(tool.trim()));
        let scratch = files(&place.folder.path().join("cache"))
            .into_iter()
            .find(|f| f.to_string_lossy().ends_with(".tmp"));
        assert_eq!(scratch, None);
    }
}

/// What is left where nobody could clean up goes with the next command; what belongs to somebody stays.
#[test]
fn folders_of_processes_that_are_gone_are_removed() {
    let place = Place::with("a.cuf", KERNEL);
    let folder = |name: &str| {
        let folder = place.temporary().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("object.o"), "").unwrap();
        folder
    };
    fs::write(folder("cuf2cu-gone12").join(".owned"), "").unwrap();
    let lock = fs::File::create(folder("cuf2cu-lives1").join(".owned")).unwrap();
    lock.lock().unwrap();
    folder("cuf2cu-nobody");
    fs::write(folder("mine").join(".owned"), "").unwrap();
    ok(place.cuf2cu(&["fc", "-O0", "--target=cpu", "-c", "a.cuf"]));
    assert_eq!(
        Place::names(&place.temporary()),
        ["cuf2cu-lives1", "cuf2cu-nobody", "mine"]
    );
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => found.extend(files(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

#[test]
fn signals_that_are_ignored_stay_ignored() {
    let place = Place::with("a.cuf", KERNEL);
    let compiler = slow_compiler(&place);
    let cache = place.folder.path().join("cache");
    let mut script = Command::new("sh");
    script
        .args(["-c", "trap '' HUP; exec \"$0\" fc --target=cpu -c a.cuf"])
        .arg(env!("CARGO_BIN_EXE_cuf2cu"))
        .current_dir(place.work())
        .env("TMPDIR", place.temporary())
        .env("CUF2CU_CACHE", &cache)
        .env("CUF2CU_FC", &compiler)
        .stderr(Stdio::null());
    let mut child = script.spawn().unwrap();
    let pid = place.folder.path().join("pid");
    wait_for("the compiler starts", || pid.exists());
    signal(&child, "HUP");
    thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "nohup has no effect");
    signal(&child, "TERM");
    child.wait().unwrap();
}

/// A program in C that ends as its argument says.
fn program_that_ends(place: &Place) {
    place.write(
        "a.c",
        "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
         static void got(int s) { _exit(40 + s); }\n\
         int main(int n, char **a) {\n\
           if (n > 2) { signal(SIGTERM, got); signal(SIGINT, got); }\n\
           int s = atoi(a[1]);\n\
           if (s > 0) raise(s);\n\
           if (s < 0) return -s;\n\
           FILE *f = fopen(\"number\", \"w\"); fprintf(f, \"%d\", getpid()); fclose(f);\n\
           rename(\"number\", \"ready\");\n\
           sleep(60); return 0;\n}\n",
    );
    place.write("b.f90", "subroutine nothing\nend subroutine\n");
}

#[test]
fn run_has_the_status_of_the_program() {
    let place = Place::new();
    program_that_ends(&place);
    let run = |argument: &str| {
        let mut command = place.cuf2cu(&["run", "--target", "cpu", "a.c", "b.f90", "--"]);
        command.arg(argument).output().unwrap()
    };
    assert_eq!(run("-7").status.code(), Some(7));
    for (signal, name) in [(6, "SIGABRT"), (11, "SIGSEGV"), (15, "SIGTERM")] {
        let output = run(&signal.to_string());
        assert_eq!(
            output.status.code(),
            Some(128 + signal),
            "{}",
            said(&output)
        );
        assert!(said(&output).contains(name), "{}", said(&output));
    }
    // A signal to cuf2cu is the program's, which may do something of its own.
    for (own, expected) in [(None, 128 + 15), (Some("own"), 40 + 15)] {
        let mut command = place.cuf2cu(&["run", "--target", "cpu", "a.c", "b.f90", "--", "0"]);
        let mut child = command.args(own).stderr(Stdio::null()).spawn().unwrap();
        wait_for("the program starts", || place.work().join("ready").exists());
        signal(&child, "TERM");
        assert_eq!(child.wait().unwrap().code(), Some(expected), "{own:?}");
        fs::remove_file(place.work().join("ready")).unwrap();
    }
    assert_eq!(Place::names(&place.temporary()), [""; 0]);
    // SIGKILL, which tells nobody, ends the program, too.
    let mut command = place.cuf2cu(&["run", "--target", "cpu", "a.c", "b.f90", "--", "0", "own"]);
    let mut child = command.spawn().unwrap();
    wait_for("the program starts", || place.work().join("ready").exists());
    let program = fs::read_to_string(place.work().join("ready")).unwrap();
    assert!(runs(&program));
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for("the program ends", || !runs(&program));
}

#[test]
fn nothing_lies_about_after_a_command() {
    let place = Place::with("a.cuf", KERNEL);
    let before = ["a.cuf"];
    assert_eq!(
        ok(place.cuf2cu(&["run", "--target", "cpu", "a.cuf"])).trim(),
        "72.0000000"
    );
    assert_eq!(Place::names(&place.work()), before);
    ok(place.cuf2cu(&["check", "a.cuf"]));
    assert_eq!(Place::names(&place.work()), before);
    ok(place.cuf2cu(&["build", "--target", "cpu", "a.cuf", "-o", "app"]));
    assert_eq!(Place::names(&place.work()), ["a.cuf", "app"]);
    ok(place.cuf2cu(&["fc", "--target=cpu", "-c", "a.cuf"]));
    let with_object = ["a.cuf", "a.o", "app", "m.cuf2cu", "m.mod"];
    assert_eq!(Place::names(&place.work()), with_object);
    assert_eq!(Place::names(&place.temporary()), [""; 0]);
}

#[test]
fn read_only_folders_do() {
    let place = Place::with("a.cuf", KERNEL);
    let home = place.folder.path().join("home");
    fs::create_dir(&home).unwrap();
    mode(&place.work().join("a.cuf"), 0o444);
    mode(&place.work(), 0o555);
    mode(&home, 0o555);
    mode(place.folder.path(), 0o755);
    mode(&place.temporary(), 0o777);
    mode(cache(), 0o755);
    let nobody = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.env("HOME", &home).env_remove("CUF2CU_CACHE");
        as_nobody(&mut command);
        command
    };
    let at_home = |command: &mut Command| {
        command.env_remove("HOME");
    };
    assert!(ok(nobody(&["check", "a.cuf"])).contains("everything would translate"));
    let out = place.temporary().join("out");
    let out = out.to_str().unwrap();
    ok(nobody(&["a.cuf", out]));
    assert!(Path::new(out).join("a.cu").exists());
    // What is not mine may be written if it lets me.
    let mounted = place.temporary().join("mounted");
    fs::create_dir(&mounted).unwrap();
    mode(&mounted, 0o777);
    ok(nobody(&["a.cuf", mounted.to_str().unwrap()]));
    assert!(mounted.join("a.cu").exists());
    let mut without = nobody(&["doctor"]);
    at_home(&mut without);
    let text = ok(without);
    let cache = place.temporary().join("cuf2cu-");
    assert!(text.contains(cache.to_str().unwrap()), "{text}");
    let text = ok(nobody(&["doctor"]));
    assert!(text.contains(cache.to_str().unwrap()), "{text}");
    let mut with_xdg = nobody(&["doctor"]);
    with_xdg.env("XDG_CACHE_HOME", &mounted);
    assert!(ok(with_xdg).contains(mounted.join("cuf2cu").to_str().unwrap()));
    mode(&place.work(), 0o755);
}

#[test]
fn another_user_without_home_runs_a_program() {
    let place = Place::with("a.cuf", KERNEL);
    mode(place.folder.path(), 0o755);
    mode(&place.work(), 0o555);
    mode(&place.temporary(), 0o777);
    let mut command = place.command(&["run", "--target", "cpu", "a.cuf"]);
    command.env_remove("HOME").env_remove("CUF2CU_CACHE");
    as_nobody(&mut command);
    let output = command.output().unwrap();
    let said = said(&output);
    let (words, note) = said.split_once("cuf2cu:").unwrap();
    let words: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(words, ["exit", "status:", "0", "72.0000000"]);
    // One line about what is compiled into the empty cache.
    assert_eq!(
        note.trim(),
        "note: compiling the runtime, once for these compilers and options"
    );
    let left = Place::names(&place.temporary());
    assert!(
        left.len() == 1 && left[0].starts_with("cuf2cu-"),
        "the cache: {left:?}"
    );
    let cache = place.temporary().join(&left[0]);
    let access = fs::metadata(&cache).unwrap().permissions().mode();
    assert_eq!(access & 0o777, 0o700, "nobody else can put programs there");
    mode(&place.work(), 0o755);
}

#[test]
fn a_cache_that_others_can_write_is_not_used() {
    let place = Place::with("a.cuf", KERNEL);
    let uid = rustix::process::geteuid().as_raw();
    let taken = place.temporary().join(format!("cuf2cu-{uid}"));
    fs::create_dir(&taken).unwrap();
    mode(&taken, 0o777);
    let mut command = place.command(&["doctor"]);
    command.env_remove("HOME").env_remove("CUF2CU_CACHE");
    let text = ok(command);
    assert!(text.contains(&format!("{}-", taken.display())), "{text}");
    let mut command = place.command(&["build", "--target", "cpu", "a.cuf"]);
    let output = command.env("CUF2CU_CACHE", &taken).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("writable by other users"));
    let mut command = place.command(&["build", "--target", "cpu", "a.cuf"]);
    let output = command
        .env("CUF2CU_CACHE", place.work().join("a.cuf/x"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(
        said(&output).contains("set CUF2CU_CACHE"),
        "{}",
        said(&output)
    );
}

#[test]
fn full_devices_and_closed_pipes_are_no_panic() {
    let place = Place::with("a.cuf", KERNEL);
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for arguments in [
        &["check", "a.cuf"][..],
        &["check", "--format", "json", "a.cuf"],
        &["explain", "CUF0301"],
        &["--emit", "ir", "a.cuf"],
        &["--help"],
        &["--version"],
        &["fc", "--help"],
        &["doctor"],
    ] {
        let output = place.cuf2cu(arguments).stdout(full()).output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(4), "{arguments:?} {text}");
        assert!(text.contains("cannot write to standard output"), "{text}");
        // A reader that has gone away has what it wanted.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = place.cuf2cu(arguments).stdout(writer).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?} {}",
            said(&output)
        );
        assert_eq!(said(&output).lines().count(), 1, "{}", said(&output));
    }
    place.write("bad.cuf", "program p\n call q<<<1,1>>>(\nend\n");
    for arguments in [&["check", "bad.cuf"][..], &["run", "bad.cuf"]] {
        let output = place.cuf2cu(arguments).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = place.cuf2cu(arguments).stderr(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    }
    // A program that is written to a full disk.
    let output = place.cuf2cu(&["build", "--target", "cpu", "a.cuf", "-o", "/dev/full/x"]);
    let mut output = output;
    assert_eq!(output.output().unwrap().status.code(), Some(4));
}
