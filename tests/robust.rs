//! What surrounds a command in CI and in people's shells: folders that cannot be written, other users, signals, full disks, make's jobs, several
//! processes at a time. Real processes, from outside.

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
                  mktemp > /dev/null\nsleep 60 &\necho $! > ../child\necho $$ > ../pid\nwait\n";
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
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
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
        let pid = place.folder.path().join("cache");
        // The compiler runs in the folder of the modules.
        let started =
            || find(&pid, "pid").is_some_and(|p| !fs::read_to_string(p).unwrap().is_empty());
        wait_for("the compiler starts", started);
        let tool = fs::read_to_string(find(&pid, "pid").unwrap()).unwrap();
        let below = fs::read_to_string(find(&pid, "child").unwrap()).unwrap();
        assert!(runs(tool.trim()) && runs(below.trim()));
        assert_ne!(Place::names(&place.temporary()), [""; 0]);
        signal(&child, name);
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(number), "{name}: {status}");
        assert_eq!(Place::names(&place.temporary()), [""; 0], "{name}");
        assert_eq!(Place::names(&place.work()), ["a.cuf"], "{name}");
        wait_for("the compiler's child ends", || !runs(below.trim()));
        assert!(!runs(tool.trim()));
        let scratch = files(&pid)
            .into_iter()
            .find(|f| f.to_string_lossy().ends_with(".tmp"));
        assert_eq!(scratch, None);
    }
}

/// A file of that name below a folder.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    files(folder)
        .into_iter()
        .find(|f| f.file_name().is_some_and(|n| n == name))
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
    wait_for("the compiler starts", || find(&cache, "pid").is_some());
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
           FILE *f = fopen(\"ready\", \"w\"); fclose(f);\n\
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
    assert_eq!(ok(command).trim(), "72.0000000");
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
    assert!(said(&output).contains("can be written by others"));
    let mut command = place.command(&["build", "--target", "cpu", "a.cuf"]);
    let output = command
        .env("CUF2CU_CACHE", place.work().join("a.cuf/x"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(
        said(&output).contains("CUF2CU_CACHE names another"),
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

#[test]
fn builds_at_the_same_time_wait_for_each_other() {
    let place = Place::new();
    let mut children = Vec::new();
    for n in 0..4 {
        fs::create_dir(place.work().join(format!("s{n}"))).unwrap();
        place.write(
            &format!("s{n}/a.cuf"),
            &KERNEL.replace("* 2.0", &format!("* {n}.0")),
        );
        let (source, app) = (format!("s{n}/a.cuf"), format!("app{n}"));
        let words = [
            "build", "--target", "cpu", "-j1", &source, "--out", "o", "-o", &app,
        ];
        let mut command = place.cuf2cu(&words);
        children.push(command.stderr(Stdio::piped()).spawn().unwrap());
    }
    let outputs: Vec<Output> = children
        .into_iter()
        .map(|c| c.wait_with_output().unwrap())
        .collect();
    for (n, output) in outputs.iter().enumerate() {
        assert!(output.status.success(), "{}", said(output));
        let program = Command::new(place.work().join(format!("app{n}"))).output();
        let sum: f32 = said(&program.unwrap())
            .lines()
            .nth(1)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        assert_eq!(sum, 36.0 * n as f32, "app{n} is of its own source");
    }
    let waited = outputs
        .iter()
        .filter(|o| said(o).contains("waiting for another cuf2cu"));
    assert!(waited.count() >= 1);
    let names = Place::names(&place.work());
    assert!(
        !names
            .iter()
            .any(|n| n.starts_with('.') || n.contains("lock")),
        "{names:?}"
    );
    let names = Place::names(&place.work().join("o"));
    assert!(
        !names
            .iter()
            .any(|n| n.contains("lock") || n.contains("tmp")),
        "{names:?}"
    );
}

/// The commands of a build that are run, each by its last word.
fn commands(output: &str) -> Vec<String> {
    let lines = output.lines().filter(|l| l.contains(" -o "));
    lines
        .filter_map(|l| l.rsplit('/').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_second_build_compiles_only_what_is_new() {
    let place = Place::new();
    for folder in ["src", "inc", "lib"] {
        fs::create_dir(place.work().join(folder)).unwrap();
    }
    place.write("src/a.cuf", KERNEL);
    place.write(
        "src/b.f90",
        "subroutine b\n  include 'value.inc'\n  print *, v\nend subroutine\n",
    );
    place.write("inc/value.inc", "  integer, parameter :: v = 1\n");
    place.write(
        "src/c.c",
        "#include \"value.h\"\nint c_(void) { return VALUE; }\n",
    );
    place.write("inc/value.h", "#define VALUE 1\n");
    let run = |more: &[&str]| {
        let words = ["run", "--target", "cpu", "-v", "-Iinc", "src"];
        let mut command = place.cuf2cu(&words);
        let output = command.args(more).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "72.0000000");
        commands(&String::from_utf8_lossy(&output.stderr))
    };
    assert!(run(&[]).len() >= 5);
    assert_eq!(run(&[]), [""; 0], "nothing has changed");
    assert_eq!(
        run(&["-j1"]),
        [""; 0],
        "nor by an option that changes nothing"
    );
    place.write("inc/value.h", "#define VALUE 2\n");
    assert_eq!(run(&[]), ["c.c.o", "a"]);
    place.write("inc/value.inc", "  integer, parameter :: v = 2\n");
    assert_eq!(run(&[]), ["b.f90.o", "a"]);
    let text = fs::read(place.work().join("src/b.f90")).unwrap();
    fs::write(place.work().join("src/b.f90"), text).unwrap();
    assert_eq!(run(&[]), [""; 0], "a new time is no change");
    assert!(run(&["-O1"]).len() >= 4, "another option");
    assert_eq!(run(&[]), [""; 0], "both are kept");
}

#[test]
fn the_cache_is_bounded_and_can_be_emptied() {
    let place = Place::with("a.cuf", HELLO);
    let cache = place.folder.path().join("cache");
    let builds = cache.join("builds");
    let old = std::time::SystemTime::now() - Duration::from_secs(40 * 24 * 3600);
    for n in 0..200 {
        let folder = builds.join(format!("{n:03}"));
        fs::create_dir_all(&folder).unwrap();
        let used = File::create(folder.join("used")).unwrap();
        // The later the younger.
        let time = std::time::SystemTime::now() - Duration::from_secs(1000 - n);
        used.set_modified(if n == 199 { old } else { time })
            .unwrap();
    }
    for name in ["runtime-old", "mine"] {
        fs::create_dir(cache.join(name)).unwrap();
        let used = File::create(cache.join(name).join("used")).unwrap();
        used.set_modified(old).unwrap();
    }
    let with_cache = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.env("CUF2CU_CACHE", &cache);
        command
    };
    // A tool that is missing ends the build behind the place where it is looked for.
    fs::write(place.work().join("false"), "").unwrap();
    let mut build = with_cache(&["build", "--target", "cpu", "--fflags=-nonsense", "a.cuf"]);
    build.env("CUF2CU_CXX", "/bin/false").output().unwrap();
    let left = Place::names(&builds);
    assert_eq!(left.len(), 64, "{left:?}");
    assert!(!left.contains(&"199".to_owned()) && !left.contains(&"010".to_owned()));
    assert!(left.contains(&"198".to_owned()));
    let names = Place::names(&cache);
    assert!(!names.contains(&"runtime-old".to_owned()), "{names:?}");
    let text = ok(with_cache(&["clean"]));
    assert!(text.contains("folders removed"), "{text}");
    assert_eq!(Place::names(&cache), ["mine"], "what is not cuf2cu's stays");
}

#[test]
fn the_jobs_are_those_of_make() {
    let place = Place::new();
    fs::create_dir(place.work().join("src")).unwrap();
    place.write("src/a.f90", HELLO);
    for n in 0..6 {
        place.write(&format!("src/c{n}.c"), &format!("int c{n};\n"));
    }
    // Each call of the compiler says when it begins and ends.
    let path = place.folder.path().join("cc");
    let script = "#!/bin/sh\ncase \"$*\" in *\" -c \"*) ;; *) exec gcc \"$@\";; esac\n\
                  echo begin >> \"$LOG\"\nsleep 0.3\ngcc \"$@\"\necho end >> \"$LOG\"\n";
    let mut file = fs::OpenOptions::new();
    let mut file = file
        .write(true)
        .create_new(true)
        .mode(0o755)
        .open(&path)
        .unwrap();
    file.write_all(script.as_bytes()).unwrap();
    drop(file);
    let makefile =
        "all: a b\na b: ; $(PLUS)$(CUF2CU) build --target cpu -j6 src --out o$@ -o app$@\n";
    place.write("Makefile", &makefile.replace("$(PLUS)", "+"));
    place.write("Makefile.plain", &makefile.replace("$(PLUS)", ""));
    let most = |jobs: &str, file: &str, style: &[&str]| {
        let log = place.folder.path().join("log");
        let _ = fs::remove_file(&log);
        for name in ["oa", "ob"] {
            let _ = fs::remove_dir_all(place.work().join(name));
        }
        let mut make = Command::new("make");
        make.args([jobs, "-f", file])
            .args(style)
            .arg(format!("CUF2CU={}", env!("CARGO_BIN_EXE_cuf2cu")))
            .current_dir(place.work())
            .env("CUF2CU_CACHE", cache())
            .env("CUF2CU_CC", &path)
            .env("LOG", &log);
        for name in ["MAKEFLAGS", "MFLAGS", "CARGO_MAKEFLAGS"] {
            make.env_remove(name);
        }
        ok(make);
        let text = fs::read_to_string(&log).unwrap();
        let (mut now, mut most) = (0, 0);
        for line in text.lines() {
            now += if line == "begin" { 1 } else { -1 };
            most = now.max(most);
        }
        assert_eq!(text.lines().count(), 24);
        most
    };
    assert_eq!(most("-j3", "Makefile", &[]), 3);
    assert_eq!(most("-j1", "Makefile", &[]), 6, "no jobserver, own number");
}

#[test]
fn what_is_no_file_is_refused() {
    let place = Place::with("a.f90", HELLO);
    let special = place.work().join("special");
    fs::create_dir(&special).unwrap();
    let made = Command::new("mkfifo").arg(special.join("p.cuf")).status();
    assert!(made.unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(special.join("s.sock")).unwrap();
    for (source, what) in [
        ("special/p.cuf", "it is a pipe"),
        ("special", "it is a pipe"),
        ("/dev/zero", "it is a device"),
        ("/dev/null", "it is a device"),
        ("special/s.sock", "cannot read"),
        ("special/none.cuf", "No such file"),
    ] {
        // Of a socket the system says it, when it is opened.
        let status = if source.ends_with(".sock") { 4 } else { 2 };
        for command in [&["check", source][..], &[source, "out"], &["run", source]] {
            let output = place.cuf2cu(command).output().unwrap();
            assert_eq!(
                output.status.code(),
                Some(status),
                "{command:?} {}",
                said(&output)
            );
            assert!(
                said(&output).contains(what),
                "{command:?} {}",
                said(&output)
            );
        }
    }
    let output = place
        .cuf2cu(&["fc", "-c", "special/p.cuf"])
        .output()
        .unwrap();
    assert!(said(&output).contains("it is a pipe"), "{}", said(&output));
    let output = place.cuf2cu(&["fc", "@special/p.cuf"]).output().unwrap();
    assert!(said(&output).contains("it is a pipe"), "{}", said(&output));
    // In a folder a link to nothing is missed, too; an editor's lock is none of the sources.
    fs::remove_file(special.join("p.cuf")).unwrap();
    fs::copy(place.work().join("a.f90"), special.join("a.f90")).unwrap();
    let link = |name: &str| std::os::unix::fs::symlink("nowhere", special.join(name)).unwrap();
    link(".#a.f90");
    ok(place.cuf2cu(&["check", "special"]));
    link("lost.f90");
    let output = place.cuf2cu(&["check", "special"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(said(&output).contains("lost.f90"), "{}", said(&output));
}

#[test]
fn files_that_are_too_large_are_refused_soon() {
    let place = Place::new();
    let file = File::create(place.work().join("large.f90")).unwrap();
    file.set_len(40 << 30).unwrap();
    place.write("a.f90", "program p\n  include 'large.f90'\nend program\n");
    let begin = Instant::now();
    let output = place.cuf2cu(&["check", "large.f90"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(
        said(&output).contains("more than 64 MiB"),
        "{}",
        said(&output)
    );
    let output = place.cuf2cu(&["check", "a.f90"]).output().unwrap();
    assert_ne!(output.status.code(), Some(0), "{}", said(&output));
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn line_ends_of_all_kinds_are_read() {
    for end in ["\r", "\r\n", "\n"] {
        let place = Place::with("a.cuf", &KERNEL.replace('\n', end));
        assert_eq!(
            ok(place.cuf2cu(&["run", "--target", "cpu", "a.cuf"])).trim(),
            "72.0000000",
            "{end:?}"
        );
        let wrong = KERNEL.replace("call k<<<1,8>>>(d, 8)", "call k<<<1,8>>>(d, 8, 9)");
        place.write("a.cuf", &wrong.replace('\n', end));
        let output = place.cuf2cu(&["check", "a.cuf"]).output().unwrap();
        assert!(
            said(&output).contains("a.cuf:16:"),
            "{end:?} {}",
            said(&output)
        );
    }
}

#[test]
fn messages_are_capped() {
    let call = "  call k<<<1,8>>>(d, 8, 9)\n";
    let many = KERNEL.replace("  h = d\n", &call.repeat(150));
    let place = Place::with("a.cuf", &many);
    let count = |more: &[&str]| {
        let mut command = place.cuf2cu(&["check", "a.cuf"]);
        let output = command.args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stderr).unwrap();
        let shown = text.lines().filter(|l| l.starts_with("error[")).count();
        (
            shown,
            text.contains("more errors not shown"),
            text.contains("150 errors"),
        )
    };
    assert_eq!(count(&[]), (100, true, true));
    assert_eq!(count(&["--max-errors", "3"]), (3, true, true));
    assert_eq!(count(&["--max-errors", "0"]), (150, false, true));
}

#[test]
fn lines_of_preprocessed_files_are_shown_by_their_names() {
    let text = "# 0 \"/src/a.CUF\"\n# 1 \"/src/a.CUF\"\n".to_owned()
        + "# 1 \"/src/inc.h\" 1\n\n# 4000000000 \"/src/a.CUF\" 2\n\n# 7 \"/src/a.CUF\" 2\n"
        + "program p\n  use cudafor\n  real, device :: d(8)\n  integer :: i\n"
        + "  print *, d(1) + nothing(1)%x\n  i = = 3\nend program p\n";
    let place = Place::with("pp.cuf", &text);
    let output = place.cuf2cu(&["check", "pp.cuf"]).output().unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("/src/a.CUF:12:"), "{text}");
    assert!(text.contains("12 |   i = = 3"), "{text}");
}

#[test]
fn messages_of_compilers_name_the_users_lines() {
    // What gfortran alone finds: on lines that stay as they are, and on one that changes.
    let wrong = KERNEL
        .replace("  h = d\n", "  h = d\n  call sub(1.0, 2)\n  h(1) = sin(1.0, 2.0)\n")
        .replace("end program\n", "  call sub(1, h(1))\ncontains\n  subroutine sub(i)\n    integer :: i\n  end subroutine\nend program\n");
    let place = Place::with("a.cuf", &wrong);
    let at = |text: &str| wrong.lines().position(|l| l.contains(text)).unwrap() + 1;
    for words in [
        &["build", "--target", "cpu", "a.cuf"][..],
        &["fc", "--target=cpu", "-c", "a.cuf"],
    ] {
        let output = place.cuf2cu(words).output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        for what in ["sin(1.0, 2.0)", "call sub(1.0, 2)", "call sub(1, h(1))"] {
            let line = at(what);
            assert!(text.contains(&format!("a.cuf:{line}:")), "{line} {text}");
            assert!(text.contains(&format!("{line} |   ")), "{line} {text}");
        }
        let named = text
            .lines()
            .filter(|l| l.contains(".f90:") && !l.contains("(generated: "));
        assert_eq!(named.count(), 0, "{text}");
    }
    // Other lines, although the host code is the same, and the file is older than what was made of it.
    let longer = wrong.replace(
        "    i = threadIdx%x\n",
        "    ! one more\n    i = threadIdx%x\n",
    );
    place.write("a.cuf", &longer);
    let old = ["-d", "2001-01-01", "a.cuf"];
    let mut touch = Command::new("touch");
    ok({
        touch.args(old).current_dir(place.work());
        touch
    });
    let output = place
        .cuf2cu(&["build", "--target", "cpu", "a.cuf"])
        .output();
    let text = said(&output.unwrap());
    let line = at("sin(1.0, 2.0)") + 1;
    assert!(text.contains(&format!("a.cuf:{line}:")), "{line} {text}");
}

/// What is no file at the place of an output stays what it is (`-o /dev/null`), and a build folder among the sources holds none for the next run.
#[test]
fn outputs_go_where_devices_and_sources_are() {
    let place = Place::with("a.cuf", KERNEL);
    let pipe = place.work().join("pipe");
    let mut mkfifo = Command::new("mkfifo");
    mkfifo.arg(&pipe);
    ok(mkfifo);
    let reader = {
        let pipe = pipe.clone();
        thread::spawn(move || fs::read(pipe).unwrap())
    };
    ok(place.cuf2cu(&["fc", "--target=cpu", "-O0", "-c", "a.cuf", "-o", "pipe"]));
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(reader.join().unwrap().starts_with(b"\x7fELF"));
    fs::remove_file(&pipe).unwrap();
    let words = [
        "build",
        "--target=cpu",
        "-O0",
        ".",
        "-o",
        "p",
        "--build-dir",
        "b",
    ];
    ok(place.cuf2cu(&words));
    place.write("a.cuf", &KERNEL.replace("2.0", "3.0"));
    ok(place.cuf2cu(&words));
}

/// Of device code they name the statement besides, its text is another one; of what belongs to no statement the procedure.
#[test]
fn messages_about_device_code_name_the_line() {
    let place = Place::with("a.cuf", KERNEL);
    let at = |text: &str| KERNEL.lines().position(|l| l.contains(text)).unwrap() + 1;
    // A compiler that speaks as g++, nvcc and ptxas do, and makes nothing.
    let script = r#"#!/bin/sh
case " $* " in *" -c "*) ;; *) exec g++ "$@" ;; esac
for word; do
  case $word in */a.cu) source=$word ;; esac
  if [ "$before" = -o ]; then : > "$word"; fi
  before=$word
done
if [ -z "$source" ]; then exit 0; fi
n=$(grep -n __global__ "$source" | cut -d: -f1)
echo "$source:$n:5: error: one"
echo "$source($n): error: two"
m=$(grep -n 'threadIdx' "$source" | cut -d: -f1)
echo "$source:$m:9: error: four"
echo "$source($m): error: five"
e=$(grep -n '^}' "$source" | head -n 1 | cut -d: -f1)
echo "$source:$e:1: error: six"
echo "ptxas error   : Entry function '_ZN1m1kEPfi' three"
exit 1
"#;
    let compiler = place.folder.path().join("compiler");
    fs::write(&compiler, script).unwrap();
    mode(&compiler, 0o755);
    for words in [
        &["build", "--target", "cpu", "a.cuf"][..],
        &["fc", "--target=cpu", "-c", "a.cuf"],
    ] {
        let mut command = place.cuf2cu(words);
        command.env("CUF2CU_CXX", &compiler);
        command.env("CUF2CU_CACHE", place.folder.path().join("cache"));
        let output = command.output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        for (word, line) in [
            ("one", at("attributes(global)")),
            ("two", at("attributes(global)")),
            ("three", at("attributes(global)")),
            ("four", at("threadIdx")),
            ("five", at("threadIdx")),
            // The brace at the end.
            ("six", at("attributes(global)")),
        ] {
            let told = format!(" {word} (a.cuf:{line})");
            assert!(text.contains(&told), "{told} {text}");
        }
    }
}

#[test]
fn other_options_need_no_other_runtime() {
    let place = Place::with("a.cuf", KERNEL);
    let own = place.folder.path().join("cache");
    let fc = |more: &[&str]| {
        let mut command = place.command(&["fc", "--target=cpu", "-v"]);
        let output = command
            .args(more)
            .env("CUF2CU_CACHE", &own)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        commands(&String::from_utf8(output.stderr).unwrap())
    };
    // An object needs the runtime's modules alone.
    let made = fc(&["-c", "a.cuf"]);
    assert!(
        !made.iter().any(|m| m.starts_with("runtime.cpp")),
        "{made:?}"
    );
    assert!(!own.join("builds").exists());
    let made = fc(&["a.o", "-o", "app"]);
    assert!(
        made.iter().any(|m| m.starts_with("runtime.cpp")),
        "{made:?}"
    );
    for options in [&["-O0"][..], &["-O3", "-mp"], &["-g"], &["-fast"]] {
        let mut words = vec!["a.cuf", "-o", "app"];
        words.extend(options);
        let made = fc(&words);
        assert!(
            !made.iter().any(|m| m.starts_with("runtime.cpp")),
            "{options:?} {made:?}"
        );
        let ran = Command::new(place.work().join("app")).output().unwrap();
        assert!(said(&ran).contains("72.0000000"), "{}", said(&ran));
    }
}

#[test]
fn an_architecture_that_is_gone_is_named() {
    let place = Place::with("a.cuf", KERNEL);
    // A toolkit that says what it has; nothing is executed.
    let root = place.folder.path().join("cuda");
    for folder in ["bin", "lib64"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    fs::write(root.join("lib64/libcudart_static.a"), "").unwrap();
    let script = "#!/bin/sh\necho compute_75; echo compute_80\n";
    fs::write(root.join("bin/nvcc"), script).unwrap();
    mode(&root.join("bin/nvcc"), 0o755);
    let output = place
        .cuf2cu(&["fc", "--target=cuda", "-gpu=cc35", "-dryrun", "-c", "a.cuf"])
        .env("CUF2CU_CUDA_ROOT", &root)
        .output()
        .unwrap();
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let notes = text.lines().filter(|l| l.contains("has no sm_35 any more"));
    assert_eq!(notes.count(), 1, "{text}");
}
