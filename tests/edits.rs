//! The output folder belongs to the user, too: edits stay, what is made no more goes, everything is written or nothing.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::Duration;

const MANIFEST: &str = "cuf2cu-manifest.txt";

/// A folder with sources in src/.
struct Work(tempfile::TempDir);

impl Work {
    fn new(files: &[(&str, &str)]) -> Work {
        let work = Work(tempfile::tempdir().unwrap());
        for (name, text) in files {
            work.put(name, text);
        }
        work
    }

    fn at(&self) -> &Path {
        self.0.path()
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.at().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn has(&self, name: &str) -> bool {
        self.at().join(name).exists()
    }

    fn run(&self, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_cuf2cu"))
            .args(arguments.split_whitespace())
            .current_dir(self.at())
            .output()
            .unwrap()
    }

    /// Standard output of a run that succeeds; messages, too.
    fn ok(&self, arguments: &str) -> (String, String) {
        let output = self.run(arguments);
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    }

    /// Every file and folder of the output, with contents and time.
    fn state(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut open = vec![self.at().join("out")];
        while let Some(path) = open.pop() {
            let info = fs::symlink_metadata(&path).unwrap();
            let shown = path.strip_prefix(self.at()).unwrap().display();
            if info.is_dir() {
                all.push(format!("{shown}/"));
                open.extend(fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
            } else {
                // Nobody writes into a FIFO.
                let text = match info.is_file() {
                    true => fs::read(&path).unwrap(),
                    false => Vec::new(),
                };
                let time = (info.mtime(), info.mtime_nsec());
                all.push(format!("{shown} {time:?} {}", text.escape_ascii()));
            }
        }
        all.sort();
        all
    }
}

/// A program that prints `word`.
fn program(word: &str) -> String {
    format!("program p\n  print '(a)', '{word}'\nend program p\n")
}

const SUBROUTINE: &str = "subroutine helper\nend subroutine helper\n";

fn two_files() -> Work {
    let work = Work::new(&[("src/a.cuf", &program("one")), ("src/b.cuf", SUBROUTINE)]);
    work.ok("src out");
    work
}

/// The time of files is coarse on some systems.
fn wait() {
    thread::sleep(Duration::from_millis(20));
}

#[test]
fn an_edited_file_is_not_overwritten() {
    let work = two_files();
    let edited = work.text("out/a.f90").replace("one", "mine");
    work.put("out/a.f90", &edited);
    work.put("src/a.cuf", &program("two"));
    for _ in 0..2 {
        let (_, said) = work.ok("src out");
        assert!(
            said.contains(
                "warning: out/a.f90 has local edits and was not overwritten; the new version is in out/a.f90.new"
            ),
            "{said}"
        );
        assert_eq!(work.text("out/a.f90"), edited);
        assert!(work.text("out/a.f90.new").contains("'two'"));
    }
    // The new text follows the source, and goes when the user takes it.
    work.put("src/a.cuf", &program("three"));
    work.ok("src out");
    assert!(work.text("out/a.f90.new").contains("'three'"));
    fs::copy(work.at().join("out/a.f90.new"), work.at().join("out/a.f90")).unwrap();
    let (_, said) = work.ok("src out");
    assert!(!said.contains("warning"), "{said}");
    assert!(!work.has("out/a.f90.new"));

    // A new text with edits is in nobody's way but its own.
    work.put("out/a.f90", &edited);
    work.ok("src out");
    work.put("out/a.f90.new", "notes of mine");
    work.put("src/a.cuf", &program("four"));
    let refused = work.run("src out");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(work.text("out/a.f90.new"), "notes of mine");

    fs::remove_file(work.at().join("out/a.f90.new")).unwrap();
    work.ok("src out");
    let (_, said) = work.ok("src out --force");
    assert!(!said.contains("warning"), "{said}");
    assert!(work.text("out/a.f90").contains("'four'"));
    assert!(!work.has("out/a.f90.new"));
}

#[test]
fn files_that_are_made_no_more_are_removed_if_untouched() {
    let work = two_files();
    work.put("src/deep/er/c.cuf", "module c\nend module c\n");
    work.put("src/d.cuf", "module d\nend module d\n");
    work.ok("src out");
    work.put("out/deep/notes.txt", "mine");
    work.put("out/d.f90", "! mine\n");
    for name in ["src/b.cuf", "src/deep/er/c.cuf", "src/d.cuf"] {
        fs::remove_file(work.at().join(name)).unwrap();
    }
    let (_, said) = work.ok("src out");
    assert!(!work.has("out/b.f90") && !work.has("out/deep/er"));
    assert_eq!(work.text("out/deep/notes.txt"), "mine");
    assert_eq!(work.text("out/d.f90"), "! mine\n");
    assert!(
        said.contains("out/d.f90 is no longer generated; it has local edits and was kept"),
        "{said}"
    );
    assert!(work.has("out/a.f90") && !work.text(&format!("out/{MANIFEST}")).contains("b.f90"));
    // Which is so as long as it is there.
    assert!(work.ok("src out").1.contains("out/d.f90"));
    fs::remove_file(work.at().join("out/d.f90")).unwrap();
    assert!(!work.ok("src out").1.contains("out/d.f90"));
}

#[test]
fn the_manifest_has_hashes_of_all_files() {
    let work = two_files();
    let text = work.text(&format!("out/{MANIFEST}"));
    let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    for line in &lines {
        let (hash, path) = line.split_once("  ").unwrap();
        let bytes = fs::read(work.at().join("out").join(path)).unwrap();
        assert_eq!(blake3::hash(&bytes).to_hex().as_str(), hash, "{path}");
    }
    let files = work.state().iter().filter(|l| l.contains(" (")).count();
    assert_eq!(files, lines.len() + 1, "{text}");

    // One that is no manifest is not gone by.
    work.put(&format!("out/{MANIFEST}"), "my notes\n");
    let before = work.state();
    let refused = work.run("src out");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("not a cuf2cu manifest"));
    assert_eq!(work.state(), before);
    work.ok("src out --force");
}

#[test]
fn what_would_change_is_shown_and_nothing_is_written() {
    let work = two_files();
    let (listed, _) = work.ok("src other --dry-run");
    assert!(listed.contains("create  other/a.f90\n"), "{listed}");
    assert!(!work.has("other"));

    let (listed, _) = work.ok("src out --dry-run");
    assert!(
        listed.ends_with(" files unchanged\n") && listed.lines().count() == 1,
        "{listed}"
    );
    assert_eq!(work.ok("src out --diff").0, "");

    work.put("src/a.cuf", &program("two"));
    work.put("src/new.cuf", "module new\nend module new\n");
    work.put("src/c.cuf", SUBROUTINE);
    fs::remove_file(work.at().join("src/b.cuf")).unwrap();
    let edited = work.text("out/Makefile") + "# mine\n";
    work.put("out/Makefile", &edited);
    let before = work.state();
    let (listed, _) = work.ok("src out --dry-run");
    for line in [
        "keep    out/Makefile (edited)\n",
        "create  out/Makefile.new\n",
        "replace out/a.f90\n",
        "create  out/new.f90\n",
        "remove  out/b.f90\n",
    ] {
        assert!(listed.contains(line), "{line}: {listed}");
    }
    let (diff, said) = work.ok("src out --diff");
    assert!(said.contains("out/Makefile has local edits"), "{said}");
    for part in [
        "--- out/a.f90\n+++ out/a.f90\n@@ -1,3 +1,3 @@\n",
        "-  print '(a)', 'one'\n+  print '(a)', 'two'\n",
        "--- /dev/null\n+++ out/new.f90\n",
        "--- out/b.f90\n+++ /dev/null\n",
        "--- out/Makefile\n+++ out/Makefile.new\n",
        "-# mine\n",
    ] {
        assert!(diff.contains(part), "{part}: {diff}");
    }
    assert_eq!(work.state(), before);

    // Which is what a translation then does, and what `patch` makes of it.
    work.put("out/Makefile", edited.trim_end_matches("# mine\n"));
    work.put("diff", &work.ok("src out --diff").0);
    let copied = Command::new("cp")
        .args(["-a", "out", "copy"])
        .current_dir(work.at())
        .status();
    assert!(copied.unwrap().success());
    work.ok("src out");
    if let Ok(patch) = Command::new("sh")
        .args([
            "-c",
            "sed -i 's: out/: copy/:' diff && patch -s -p0 -E <diff",
        ])
        .current_dir(work.at())
        .output()
        && patch.status.code() != Some(127)
    {
        assert!(
            patch.status.success(),
            "{}",
            String::from_utf8_lossy(&patch.stderr)
        );
        for name in ["a.f90", "new.f90", "Makefile"] {
            assert_eq!(
                work.text(&format!("copy/{name}")),
                work.text(&format!("out/{name}")),
                "{name}"
            );
        }
        assert!(!work.has("copy/b.f90"));
    }
}

#[test]
fn a_run_without_changes_touches_nothing() {
    let work = two_files();
    let before = work.state();
    let folder = fs::metadata(work.at().join("out")).unwrap().mtime_nsec();
    wait();
    work.ok("src out");
    assert_eq!(work.state(), before);
    assert_eq!(
        fs::metadata(work.at().join("out")).unwrap().mtime_nsec(),
        folder
    );
    // One change is one file, the report, and the manifest.
    work.put("src/a.cuf", &program("two"));
    work.ok("src out");
    let after = work.state();
    let changed = after.iter().filter(|l| !before.contains(l));
    let names: Vec<&str> = changed.map(|l| l.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["out/a.f90", &format!("out/{MANIFEST}")]);
}

/// The output is the same wherever it is made, but for the folders of libraries, which are named from the root.
#[test]
fn the_output_does_not_tell_where_it_was_made() {
    let (here, there) = (two_files(), two_files());
    let texts = |work: &Work| {
        let names = [
            "a.f90",
            "Makefile",
            "CMakeLists.txt",
            "cuf2cu-report.txt",
            MANIFEST,
        ];
        names.map(|n| work.text(&format!("out/{n}")))
    };
    assert_eq!(texts(&here), texts(&there));
    for work in [&here, &there] {
        work.ok("-L libs -l x src out");
    }
    assert_ne!(texts(&here), texts(&there));
    // One that was moved is written again where what is in it changes by that.
    let moved = here.at().join("moved");
    fs::create_dir(&moved).unwrap();
    for name in ["src", "out"] {
        fs::rename(here.at().join(name), moved.join(name)).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    command.args(["-L", "libs", "-l", "x", "src", "out"]);
    let output = command.current_dir(&moved).output().unwrap();
    assert!(output.status.success());
    assert!(here.text("moved/out/Makefile").contains("/moved/libs"));
}

/// A run that would make what is there ends before it translates; each thing that it depends on counts.
#[test]
fn a_run_without_changes_ends_soon() {
    let work = Work::new(&[
        (
            "src/a.F90",
            &program("one").replacen('\n', "\n#include \"n.h\"\n", 1),
        ),
        ("src/c.c", "#include \"c.h\"\n"),
        ("src/deep/b.cuf", SUBROUTINE),
        ("late/n.h", "! n\n"),
        ("late/c.h", "int c;\n"),
    ]);
    fs::create_dir(work.at().join("early")).unwrap();
    let usual = "src out -Iearly -Ilate";
    let is_idle = |words: &str| {
        let said = work.ok(words).1;
        let idle = said.contains("up to date: ");
        assert_ne!(idle, said.contains("statements"), "{said}");
        idle
    };
    assert!(!is_idle(usual) && is_idle(usual));
    let before = work.state();
    wait();
    work.put("src/a.F90", &work.text("src/a.F90"));
    assert!(is_idle(usual), "touched and the same");
    assert!(is_idle("src ./out -Iearly -Ilate --force"));
    assert_eq!(work.state(), before);

    let changes: [(&str, &dyn Fn()); 12] = [
        ("a source", &|| {
            work.put("src/a.F90", &(work.text("src/a.F90") + "! x\n"))
        }),
        ("a file of C", &|| {
            work.put("src/c.c", "#include \"c.h\"\nint d;\n")
        }),
        ("an include file", &|| work.put("late/n.h", "! other\n")),
        ("a header", &|| work.put("late/c.h", "int c, d;\n")),
        ("an include file before it", &|| {
            work.put("early/n.h", "! n\n")
        }),
        ("a header before it", &|| work.put("early/c.h", "int c;\n")),
        ("a module that is compiled", &|| work.put("late/m.mod", "")),
        ("a new source", &|| {
            work.put("src/new.cuf", "module new\nend module new\n")
        }),
        ("a source that goes", &|| {
            fs::remove_file(work.at().join("src/new.cuf")).unwrap()
        }),
        ("a source left out", &|| {
            work.put("src/.gitignore", "deep\n")
        }),
        ("an output that is gone", &|| {
            fs::remove_file(work.at().join("out/a.F90")).unwrap()
        }),
        ("a manifest of earlier times", &|| {
            let name = format!("out/{MANIFEST}");
            let text = work.text(&name);
            let lines = text.lines().filter(|l| !l.starts_with("# made of"));
            work.put(&name, &(lines.collect::<Vec<_>>().join("\n") + "\n"));
        }),
    ];
    for (what, change) in changes {
        change();
        assert!(!is_idle(usual), "{what}");
    }
    assert!(is_idle(usual));
    for option in ["-DX", "-O3", "--profile", "--exclude=c.c", "--name=y"] {
        let words = format!("{usual} {option}");
        assert!(!is_idle(&words), "{option}");
    }
    // An edited file is told of each time, and so is what programs read.
    assert!(!is_idle(usual));
    work.put("out/a.F90", "mine\n");
    for _ in 0..2 {
        assert!(work.ok(usual).1.contains("out/a.F90 has local edits"));
    }
    assert!(!is_idle(&format!("{usual} --force")));
    work.put("src/w.cuf", "");
    let said = [work.ok(usual).1, work.ok(usual).1];
    assert!(said[0].contains("warning"), "{said:?}");
    assert!(
        said[1].contains("; 1 warning unchanged (run `cuf2cu check` to see it)"),
        "{said:?}"
    );
    let json = work.ok(&format!("{usual} --error-format json")).1;
    assert!(json.contains("w.cuf"), "{json}");

    // Nothing at all may be done in a folder that cannot be written.
    let open = |mode: u32| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(work.at().join("out"), mode).unwrap();
    };
    give_away(&work);
    open(0o555);
    let said = run_as_user(&work, &usual.split(' ').collect::<Vec<_>>());
    open(0o755);
    assert!(said.status.success(), "{said:?}");
}

/// What stands in the place of files and folders: nothing is written, whatever else could be.
#[test]
fn clashes_of_files_and_folders_write_nothing() {
    let work = two_files();
    work.put("src/deep/c.cuf", "module c\nend module c\n");
    work.put("src/a.cuf", &program("two"));
    let refused = |part: &str| {
        let before = work.state();
        for options in ["", " --force"] {
            let output = work.run(&format!("src out{options}"));
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains(part), "{part}: {said}");
            assert_eq!(work.state(), before);
        }
    };
    let out = work.at().join("out");
    // A file in the place of a folder.
    work.put("out/deep", "mine");
    refused("out/deep blocks an output directory");
    fs::remove_file(out.join("deep")).unwrap();
    symlink("nowhere", out.join("deep")).unwrap();
    refused("out/deep blocks an output directory");
    fs::remove_file(out.join("deep")).unwrap();
    // A folder in the place of a file, and other things.
    fs::remove_file(out.join("a.f90")).unwrap();
    work.put("out/a.f90/mine.txt", "mine");
    refused("out/a.f90 blocks an output file");
    fs::remove_dir_all(out.join("a.f90")).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(out.join("a.f90"))
            .status()
            .unwrap()
            .success()
    );
    refused("out/a.f90 blocks an output file");
    fs::remove_file(out.join("a.f90")).unwrap();
    work.ok("src out");
    assert!(work.has("out/deep/c.f90"));

    // Two sources whose outputs cannot both be.
    work.put("src/x.cuf", SUBROUTINE);
    work.put("src/x.f90/y.cuf", "module y\nend module y\n");
    refused("x.f90 would be both an output file and the directory of x.f90/y.f90");
}

/// What cuf2cu wrote itself is in nobody's way: files become folders and the other way round.
#[test]
fn files_become_folders_and_folders_files() {
    let work = Work::new(&[("src/a.cuf", &program("one")), ("src/x.cuf", SUBROUTINE)]);
    work.ok("src out");
    fs::remove_file(work.at().join("src/x.cuf")).unwrap();
    work.put("src/x.f90/y/z.cuf", SUBROUTINE);
    work.ok("src out");
    assert!(work.has("out/x.f90/y/z.f90"));
    fs::remove_dir_all(work.at().join("src/x.f90")).unwrap();
    work.put("src/x.cuf", SUBROUTINE);
    work.ok("src out");
    assert!(work.at().join("out/x.f90").is_file());
}

/// Runs cuf2cu as somebody whom permissions concern: root is not among them.
fn run_as_user(work: &Work, arguments: &[&str]) -> Output {
    let program = work.at().join("cuf2cu");
    if !program.exists() {
        fs::copy(env!("CARGO_BIN_EXE_cuf2cu"), &program).unwrap();
    }
    let mut command = Command::new(program);
    command.args(arguments).current_dir(work.at());
    if fs::metadata(work.at()).unwrap().uid() == 0 {
        command.uid(65534).gid(65534);
    }
    // While another test starts a program, that one holds the copy open for writing, too.
    loop {
        match command.output() {
            Err(e) if e.kind() == ErrorKind::ExecutableFileBusy => thread::yield_now(),
            ended => return ended.unwrap(),
        }
    }
}

/// The owner that `run_as_user` has, for everything below the folder.
fn give_away(work: &Work) {
    fs::set_permissions(work.at(), fs::Permissions::from_mode(0o755)).unwrap();
    if fs::metadata(work.at()).unwrap().uid() == 0 {
        let mut chown = Command::new("chown");
        chown
            .args(["-R", "65534:65534", "out"])
            .current_dir(work.at());
        assert!(chown.status().unwrap().success());
    }
}

#[test]
fn places_that_cannot_be_written_change_nothing() {
    let work = two_files();
    for name in ["src/sub/c.cuf", "src/z.cuf"] {
        work.put(name, &SUBROUTINE.replace("helper", &name[4..5]));
    }
    work.ok("src out");
    give_away(&work);
    // All but one folder can be written: the file in it is neither the first nor the last.
    work.put("src/a.cuf", &program("two"));
    work.put("src/sub/c.cuf", "module other\nend module other\n");
    work.put("src/z.cuf", "module another\nend module another\n");
    fs::remove_file(work.at().join("src/b.cuf")).unwrap();
    work.put("src/added/d.cuf", "module d\nend module d\n");
    let set = |name: &str, mode| {
        fs::set_permissions(work.at().join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    let before = work.state();
    for folder in ["out/sub", "out"] {
        set(folder, 0o555);
        let output = run_as_user(&work, &["src", "out"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("out"), "{said}");
        set(folder, 0o755);
        assert_eq!(work.state(), before);
    }
    // A folder in which nothing changes need not be writable.
    let output = run_as_user(&work, &["src", "out"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        work.text("out/a.f90").contains("two")
            && !work.has("out/b.f90")
            && work.has("out/added/d.f90")
    );
    set("out", 0o555);
    assert!(run_as_user(&work, &["src", "out"]).status.success());
    set("out", 0o755);
    // Neither is a new folder made in part.
    let output = run_as_user(&work, &["src", "other/deep"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(!work.has("other"));
}

const HEADERS: usize = 1500;
const ONE: &str = "/* one */\n";
const TWO: &str = "/* two */\n";

fn header(folder: &str, n: usize) -> String {
    format!("{folder}/h{n}.h")
}

/// A program, and so many headers that it takes time to copy them.
fn slow_to_write() -> Work {
    let work = Work::new(&[("src/a.cuf", &program("one"))]);
    for n in 0..HEADERS {
        work.put(&header("src", n), ONE);
    }
    work
}

/// Starts a translation and sends a signal as soon as it writes into `place`.
fn interrupted(work: &Work, place: &Path, signal: &str) -> ExitStatus {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cuf2cu"))
        .args(["src", "out"])
        .current_dir(work.at())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() && staging(place).is_empty() {
        thread::sleep(Duration::from_millis(1));
    }
    let mut kill = Command::new("kill");
    kill.args([format!("-{signal}"), child.id().to_string()]);
    let _ = kill.stderr(Stdio::null()).status();
    child.wait().unwrap()
}

/// The temporary folders of cuf2cu there.
fn staging(place: &Path) -> Vec<String> {
    let names = fs::read_dir(place).unwrap().flatten();
    let names = names.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|n| n.starts_with(".cuf2cu")).collect()
}

#[test]
fn an_interrupted_translation_leaves_nothing_half_done() {
    let mut ended = 0;
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let work = slow_to_write();
        let written = |text: &str| {
            let texts = (0..HEADERS).map(|n| fs::read_to_string(work.at().join(header("out", n))));
            texts
                .filter(|t| t.as_ref().is_ok_and(|t| t == text))
                .count()
        };
        let mut check = |place: &Path, text: &str| {
            let status = interrupted(&work, place, name);
            // It may have been done already.
            assert!(
                status.success() || status.signal() == Some(number),
                "{name}: {status}"
            );
            ended += usize::from(!status.success());
            assert_eq!(staging(work.at()), [""; 0], "{name}");
            let whole = work.has(&format!("out/{MANIFEST}"));
            assert_eq!(work.has("out"), whole, "{name}");
            let count = written(text);
            assert!(count == 0 || count == HEADERS, "{name}: {count}");
        };
        check(work.at(), ONE);
        // In a folder that is there.
        work.ok("src out");
        for n in 0..HEADERS {
            work.put(&header("src", n), TWO);
        }
        let out = work.at().join("out");
        check(&out, TWO);
        assert_eq!(staging(&out), [""; 0], "{name}");
        assert_eq!(written(ONE) + written(TWO), HEADERS, "{name}");
    }
    assert!(ended > 0, "no signal came in time");
}

#[test]
fn translations_into_one_folder_wait_for_each_other() {
    let work = slow_to_write();
    for n in 0..4 {
        work.put(&format!("s{n}/b{n}.cuf"), SUBROUTINE);
    }
    let start = |n: u32| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
        command.args([&format!("s{n}"), "src", "out"]);
        command.current_dir(work.at()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let children: Vec<Child> = (0..4).map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
    }
    // The last one's files, and no other's.
    let programs = (0..4).filter(|n| work.has(&format!("out/b{n}.f90")));
    assert_eq!(programs.count(), 1);
    assert_eq!(staging(&work.at().join("out")), [""; 0]);
}

#[test]
fn warnings_about_edited_files_have_the_form_of_messages() {
    let work = two_files();
    work.put("out/a.f90", "! mine\n");
    work.put("src/a.cuf", &program("two"));
    let (_, said) = work.ok("src out --error-format json");
    let message: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(message["kind"], "file");
    assert_eq!(message["severity"], "warning");
    assert_eq!(message["file"], "out/a.f90");
    let (_, said) = work.ok("src out --error-format github -q");
    assert!(said.starts_with("::warning file=out/a.f90"), "{said}");
    let (_, said) = work.ok("src out --error-format sarif");
    let document: serde_json::Value = serde_json::from_str(&said).unwrap();
    let notes = &document["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes[0]["level"], "warning", "{said}");
}

#[test]
fn a_diff_that_does_not_arrive_is_a_failure() {
    let work = two_files();
    work.put("src/a.cuf", &program("two"));
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    command
        .args(["--diff", "src", "out"])
        .current_dir(work.at());
    assert_eq!(command.stdout(full).status().unwrap().code(), Some(4));
}
