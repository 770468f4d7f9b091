//! Trees of sources: which files count, libraries, several programs, options in the Makefile, what is built again.

mod choices;
mod included;
mod library;
mod settings;
mod shown;
mod told;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use library::library;

/// A folder with files.
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

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.at());
        // The builds of the test runner are no business of those here.
        command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
        command.output().unwrap()
    }

    fn cuf2cu(&self, arguments: &[&str]) -> Output {
        self.run(env!("CARGO_BIN_EXE_cuf2cu"), arguments)
    }

    /// Standard output of a program that succeeds.
    fn done(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.run(program, arguments);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{program} {arguments:?}\n{text}{said}"
        );
        text
    }

    fn ok(&self, arguments: &[&str]) -> String {
        self.done(env!("CARGO_BIN_EXE_cuf2cu"), arguments)
    }

    /// What make compiles, links and packs: the files made.
    fn make(&self, arguments: &[&str]) -> BTreeSet<String> {
        let usual = ["-C", "out", "-j2", "TARGET=cpu", "OPT=-O0"];
        let text = self.done("make", &[&usual[..], arguments].concat());
        let mut words = text.split_whitespace().peekable();
        let mut made = BTreeSet::new();
        while let Some(word) = words.next() {
            if matches!(word, "-o" | "rcs")
                && let Some(file) = words.peek()
            {
                made.insert(file.trim_start_matches("build/cpu/").to_owned());
            }
        }
        made
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn program(name: &str) -> String {
    format!("program {name}\n  print '(a)', '{name}'\nend program {name}\n")
}

fn module(name: &str) -> String {
    format!("module {name}\nend module {name}\n")
}

#[test]
fn what_is_a_source() {
    let work = Work::new(&[
        ("src/a.cuf", &program("a")),
        ("src/old/b.cuf", &module("b")),
        ("src/old_c.cuf", &module("c")),
        ("src/deep/gen/d.cuf", &module("d")),
        ("src/.hidden/e.cuf", &module("e")),
        ("src/cm/CMakeCache.txt", ""),
        ("src/cm/CMakeFiles/f.f90", &module("f")),
        ("src/g.c", "int g;\n"),
    ]);
    let written = |options: &[&str], out: &str| {
        work.ok(&[options, &["src", out]].concat());
        let found = |n: &&str| work.has(&format!("{out}/{n}"));
        let all = [
            "a.f90",
            "old/b.f90",
            "old_c.f90",
            "deep/gen/d.f90",
            ".hidden/e.f90",
            "cm/CMakeFiles/f.f90",
            "g.c",
        ];
        let names: Vec<&str> = all.into_iter().filter(found).collect();
        names.join(" ")
    };
    assert_eq!(
        written(&[], "o1"),
        "a.f90 old/b.f90 old_c.f90 deep/gen/d.f90 g.c"
    );
    assert_eq!(
        written(&["--exclude", "old*"], "o2"),
        "a.f90 deep/gen/d.f90 g.c"
    );
    let two = ["--exclude=src/old/", "--exclude", "**/gen/*.cuf"];
    assert_eq!(written(&two, "o3"), "a.f90 old_c.f90 g.c");
    assert_eq!(
        written(&["--exclude", "*.c"], "o4"),
        "a.f90 old/b.f90 old_c.f90 deep/gen/d.f90"
    );
    let wrong = work.cuf2cu(&["--exclude", "[z-a]", "src", "o5"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said(&wrong).contains("--exclude [z-a]"), "{}", said(&wrong));
    // Files that are named count, too.
    work.ok(&["src/a.cuf", "src/old_c.cuf", "--exclude", "old*", "o6"]);
    assert!(work.has("o6/a.f90") && !work.has("o6/old_c.f90"));

    work.put("src/.gitignore", "/old/\n*_c.cuf\n");
    work.put("src/deep/.gitignore", "gen\n");
    assert_eq!(written(&[], "o7"), "a.f90 g.c");
    assert_eq!(
        written(&["--no-ignore"], "o8"),
        "a.f90 old/b.f90 old_c.f90 deep/gen/d.f90 g.c"
    );
    // Above the sources it counts within a repository only.
    work.put("src/.gitignore", "");
    work.put(".gitignore", "deep\n");
    assert_eq!(written(&[], "o9"), "a.f90 old/b.f90 old_c.f90 g.c");
    fs::remove_file(work.at().join("src/deep/.gitignore")).unwrap();
    assert!(written(&[], "oa").contains("d.f90"));
    fs::create_dir(work.at().join(".git")).unwrap();
    assert!(!written(&[], "ob").contains("d.f90"));
    // Everything left out says so.
    work.put("src/.gitignore", "*.cuf\n");
    let nothing = work.cuf2cu(&["check", "src"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(said(&nothing).contains("--no-ignore"), "{}", said(&nothing));
}

#[test]
fn outputs_of_an_earlier_run_are_no_sources() {
    let work = Work::new(&[
        ("all/src/a.cuf", &program("a")),
        ("all/src/b.c", "int b;\n"),
    ]);
    work.ok(&["all/src", "all/gen/out"]);
    // Edited or not; what the user has put there is a source.
    work.put("all/gen/out/a.f90", &program("edited"));
    work.put("all/gen/out/mine.cuf", &module("mine"));
    work.ok(&["all", "out"]);
    let text = work.text("out/cuf2cu-manifest.txt");
    let files: Vec<&str> = text
        .lines()
        .filter_map(|l| Some(l.split_once("  ")?.1))
        .collect();
    let own: Vec<&&str> = files.iter().filter(|f| !f.starts_with("cuf/")).collect();
    for name in ["src/a.f90", "src/b.c", "gen/out/mine.f90"] {
        assert!(files.contains(&name), "{name}: {own:?}");
    }
    assert!(
        !work.has("out/gen/out/a.f90") && !work.has("out/gen/out/b.c"),
        "{own:?}"
    );
}

#[test]
fn what_was_read_is_a_rule_for_make() {
    let work = Work::new(&[
        (
            "s r$c/a.CUF",
            "program a\n#include \"one#.h\"\n  include 'two.inc'\nend program a\n",
        ),
        ("s r$c/one#.h", "#include \"three.h\"\n"),
        ("inc/three.h", "! three\n"),
        ("inc/two.inc", "print '(a)', 'two'\n"),
        ("inc/c.h", "int c;\n"),
        ("inc/unused.h", "int c;\n"),
        ("s r$c/c.c", "#include <c.h>\n"),
    ]);
    work.ok(&["s r$c", "out", "-Iinc", "--depfile", "deps.d"]);
    let rule = work.text("deps.d");
    let paths = [
        "s\\ r$$c/a.CUF",
        "s\\ r$$c/c.c",
        "s\\ r$$c/one\\#.h",
        "inc/three.h",
        "inc/two.inc",
        "inc/c.h",
    ];
    let (head, _) = rule.split_once("\n\n").unwrap();
    assert!(head.starts_with("out/cuf2cu-manifest.txt: \\\n"), "{rule}");
    for path in paths {
        assert!(head.contains(&format!("  {path}")), "{path}: {rule}");
        assert!(rule.contains(&format!("\n{path}:\n")), "{path}: {rule}");
    }
    assert!(!rule.contains("unused"), "{rule}");
    // The rule again, and its target is newer than what was touched, although nothing has changed.
    fs::remove_file(work.at().join("deps.d")).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    work.put("inc/three.h", &work.text("inc/three.h"));
    work.ok(&["s r$c", "out", "-Iinc", "--depfile", "deps.d"]);
    assert_eq!(work.text("deps.d"), rule);
    let time = |name: &str| fs::metadata(work.at().join(name)).unwrap().modified();
    assert!(time("out/cuf2cu-manifest.txt").unwrap() > time("inc/three.h").unwrap());

    // As somebody else's Makefile takes it; a file that is gone stops nothing.
    let own = "stamp:\n\t@echo translated; touch stamp\n-include deps.d\n";
    work.put("Makefile", own);
    work.ok(&[
        "s r$c",
        "out",
        "-Iinc",
        "--depfile",
        "deps.d",
        "--depfile-target",
        "stamp",
    ]);
    assert_eq!(work.done("make", &["-s"]), "translated\n");
    assert!(!work.done("make", &["-s"]).contains("translated"));
    for changed in ["inc/three.h", "s r$c/one#.h", "s r$c/a.CUF", "inc/c.h"] {
        std::thread::sleep(std::time::Duration::from_millis(20));
        work.put(changed, &(work.text(changed) + "\n"));
        assert_eq!(work.done("make", &["-s"]), "translated\n", "{changed}");
    }
    fs::remove_file(work.at().join("inc/two.inc")).unwrap();
    assert_eq!(work.done("make", &["-s"]), "translated\n");
    assert_eq!(
        work.cuf2cu(&["s r$c", "out", "--depfile-target", "x"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn a_rule_for_make_takes_every_name_and_no_place_of_another_file() {
    let names = ["a:b", "c%d", "e f", "g#h", "i$j"];
    let files = names.map(|n| format!("src/{n}/x.cuf"));
    let texts = ["a", "c", "e", "g", "i"].map(program);
    let files: Vec<(&str, &str)> = (files.iter().zip(&texts))
        .map(|(f, t)| (f.as_str(), t.as_str()))
        .collect();
    let work = Work::new(&files);
    work.put("Makefile", "o:\n\t@touch o; echo made\n-include deps.d\n");
    let words = ["src", "out", "--depfile=deps.d", "--depfile-target=o"];
    work.ok(&words);
    assert_eq!(work.done("make", &["-s"]), "made\n");
    for (file, text) in &files {
        std::thread::sleep(std::time::Duration::from_millis(20));
        work.put(file, text);
        assert_eq!(work.done("make", &["-s"]), "made\n", "{file}");
    }
    // Neither a source nor the output is overwritten.
    let taken = ["src/a:b/x.cuf", "out/Makefile", "out/cuf2cu-manifest.txt"];
    for place in taken {
        let before = work.text(place);
        let refused = work.cuf2cu(&["src", "out", "--depfile", place]);
        assert_eq!(refused.status.code(), Some(2), "{place}");
        assert_eq!(work.text(place), before);
    }
}

#[test]
fn line_ends_in_names_are_refused() {
    let work = Work::new(&[("src/a\nb.cuf", &program("a"))]);
    for words in [
        &["src", "out"][..],
        &["check", "src/a\nb.cuf"],
        &["fc", "-c", "src/a\nb.cuf"],
    ] {
        let refused = work.cuf2cu(words);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains("newline in its name"), "{said}");
    }
}

#[test]
fn one_of_several_programs_is_run() {
    let work = Work::new(&[("src/a.cuf", &program("a")), ("src/b.cuf", &program("b"))]);
    let run = |more: &[&str]| work.cuf2cu(&[&["run", "--target=cpu", "src"], more].concat());
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said(&refused).contains("several programs (a, b)"),
        "{}",
        said(&refused)
    );
    let refused = run(&["--bin", "c"]);
    assert!(
        said(&refused).contains("no program named c; available: a, b"),
        "{}",
        said(&refused)
    );
    assert_eq!(String::from_utf8_lossy(&run(&["--bin", "b"]).stdout), "b\n");
    // A word for gfortran that looks like an option is one.
    let flags = run(&["--bin=a", "--fflags", "-fbounds-check"]);
    assert_eq!(
        String::from_utf8_lossy(&flags.stdout),
        "a\n",
        "{}",
        said(&flags)
    );
}

#[test]
fn all_programs_share_one_compiled_runtime() {
    let structures = "program s\n  structure /pair/\n    integer a\n  end structure\n  record /pair/ p\n  p.a = 1\n  print *, p.a\nend program s\n";
    let work = Work::new(&[("plain.cuf", &program("plain")), ("s.cuf", structures)]);
    let runtime_compiled = |options: &[&str]| {
        let words = [&["build", "--target=cpu", "--verbose"], options].concat();
        let output = work.cuf2cu(&words);
        assert!(output.status.success(), "{}", said(&output));
        let all = [output.stdout, output.stderr].concat();
        let all = String::from_utf8_lossy(&all).into_owned();
        let compiled = || all.lines().filter(|l| l.contains(" -c "));
        assert!(compiled().any(|l| !l.contains("/obj/cuf/")) || options == ["plain.cuf"]);
        compiled().filter(|l| l.contains("/obj/cuf/")).count()
    };
    runtime_compiled(&["plain.cuf"]);
    // STRUCTURE needs an option of gfortran, for the files of the program.
    assert_eq!(runtime_compiled(&["s.cuf"]), 0);
    // The precompiled header is one of several, by these options; the runtime does without.
    assert_eq!(runtime_compiled(&["--openmp", "-O0", "plain.cuf"]), 0);
    assert_eq!(runtime_compiled(&["plain.cuf"]), 0);
}

/// Options of gfortran, nvcc and the target stand in the Makefile, quoted.
#[test]
fn options_reach_the_makefile() {
    let work = library();
    let options = [
        "--arch=sm_80",
        "--fmad=off",
        "--openmp",
        "--nvccflags=-Xptxas -v -DA='b",
        "--fflags=-g -fno-x#$y",
        "-Lfar lib",
        "-lmine",
        "-DWORDS=1",
        "-DFACTOR=1",
    ];
    work.ok(&[&options[..], &["-Ielsewhere", "mylib", "out"]].concat());
    let made = work.done(
        "make",
        &[
            "-C",
            "out",
            "-n",
            "TARGET=cuda",
            "NVCC=nvcc",
            "CUDA_ROOT=/cuda",
            "all",
            "libs",
        ],
    );
    let line = |part: &str| {
        made.lines()
            .find(|l| l.contains(part))
            .unwrap_or_else(|| panic!("{part}: {made}"))
    };
    let device = line("-c scale.cu");
    for part in [
        "-arch=sm_80",
        "--fmad=false",
        "-Xcompiler -fopenmp",
        "-Xptxas -v '-DA='\\''b'",
        "-Iinclude/elsewhere",
        "-MMD",
    ] {
        assert!(device.contains(part), "{part}: {device}");
    }
    assert!(!device.contains("-DFACTOR"), "{device}");
    for part in ["-fopenmp", "-g '-fno-x#$y'", "-DFACTOR=1"] {
        assert!(line("-c scale.F90").contains(part), "{part}: {made}");
    }
    assert!(line("libmylib.a '-L").contains("lib' -lmine"), "{made}");
    // CMake is told the same.
    let lists = work.text("out/CMakeLists.txt");
    for part in [
        "set(CUF_ARCH \"sm_80\" ",
        " -Xcompiler=-fopenmp \"-Xptxas\" \"-v\" \"-DA='b\" \"--fmad=false\"",
        " \"-DWORDS=1\" \"-DFACTOR=1\" \"-g\" \"-fno-x#\\$y\"",
        "include/elsewhere",
        "/far lib\"",
        "\"mine\"",
    ] {
        assert!(lists.contains(part), "{part}: {lists}");
    }
    let cpu = work.done("make", &["-C", "out", "-n", "TARGET=cpu", "all"]);
    assert!(
        !cpu.contains("CUF_CHECK_BOUNDS") && !cpu.contains("sm_80"),
        "{cpu}"
    );
}

/// Checks of bounds are options of device code; what Fortran includes makes again what includes it and no more.
#[test]
fn included_files_and_checks_reach_the_makefile() {
    let work = Work::new(&[
        (
            "src/a.cuf",
            "module a\ncontains\n  attributes(global) subroutine k(x)\n    real :: x(*)\n    x(1) = 2\n  end subroutine\n  integer function seven()\n    include 'inc/one.inc'\n    seven = n\n  end function\nend module\n",
        ),
        ("src/inc/one.inc", "integer, parameter :: n = 7\n"),
        (
            "src/b.cuf",
            "program b\n  use a\n  include 'two.inc'\n  print text, seven()\nend program\n",
        ),
        ("src/two.inc", "include 'three.inc'\n"),
        (
            "src/three.inc",
            "character(*), parameter :: text = '(i0)'\n",
        ),
    ]);
    work.ok(&["src", "out"]);
    assert!(work.make(&[]).contains("a.f90.o"));
    assert_eq!(work.done("out/build/cpu/b", &[]), "7\n");
    assert_eq!(work.make(&[]), names(&[]));
    let again = |name: &str, text: &str| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(work.has(name), "{name}");
        work.put(name, text);
        (work.make(&[]), work.done("out/build/cpu/b", &[]))
    };
    let made = again("out/inc/one.inc", "integer, parameter :: n = 8\n");
    assert_eq!(made, (names(&["a.f90.o", "b"]), "8\n".to_owned()));
    let made = again(
        "out/three.inc",
        "character(*), parameter :: text = '(i3)'\n",
    );
    assert_eq!(made, (names(&["b.f90.o", "b"]), "  8\n".to_owned()));
    work.ok(&["--check-bounds", "src", "checked"]);
    let commands = work.done("make", &["-C", "checked", "-n", "TARGET=cpu", "all"]);
    let device = commands.lines().find(|l| l.contains("-c a.cu")).unwrap();
    assert!(device.contains("-DCUF_CHECK_BOUNDS"), "{device}");
    let lists = work.text("checked/CMakeLists.txt");
    assert!(lists.contains("-DCUF_CHECK_BOUNDS"), "{lists}");
}

const CHOSEN: &str = "module sizes
  implicit none
#if SHORT > 1
  integer, parameter :: n = 4, rk = 4
  real(rk), parameter :: factor = 0.5
#else
  integer, parameter :: n = 8, rk = 8
  real(rk), parameter :: factor = 0.1_rk
#endif
  integer, parameter :: table(2, 2) = reshape([1, -2, 3, n], [2, 2])
  type pair
    integer :: a
    real(rk) :: b
  end type
end module
";

/// A file without device code stays as it is: for another choice of its constants than device code has, the launchers' module does not compile.
#[test]
fn macros_at_make_are_those_of_device_code() {
    let kern = "module kern\n  use sizes\ncontains\n  attributes(global) subroutine fill(a, p)\n    real(rk) :: a(n)\n    type(pair) :: p\n    a(threadIdx%x) = factor*table(2, 1)\n    p%a = 1\n  end subroutine\nend module\n";
    let work = Work::new(&[("src/sizes.F90", CHOSEN), ("src/kern.cuf", kern)]);
    work.ok(&["src", "out"]);
    assert_eq!(work.text("out/sizes.F90"), CHOSEN);
    let shims = "build/cpu/kern_shims.F90.o";
    let make = |words: &[&str]| work.run("make", &[&["-C", "out", "TARGET=cpu"], words].concat());
    let sizes = "build/cpu/sizes.F90.o";
    let right = make(&[shims, sizes]);
    assert!(right.status.success(), "{}", said(&right));
    assert!(make(&["-q", shims]).status.success());
    let other = make(&["MACROS=-DSHORT=2", shims]);
    assert!(!other.status.success());
    let text = said(&other);
    assert!(
        text.contains(
            "cuf2cu: translated without SHORT, but built with SHORT=2 (src/sizes.F90, line "
        ),
        "{text}"
    );
    // Objects of another clock are no longer there after a translation that changes something.
    let object = work.at().join("out").join(sizes);
    let hour = std::time::SystemTime::now() + std::time::Duration::from_secs(3600);
    fs::File::options()
        .append(true)
        .open(&object)
        .unwrap()
        .set_modified(hour)
        .unwrap();
    work.put("src/kern.cuf", &kern.replace("p%a = 1", "p%a = 2"));
    work.ok(&["src", "out"]);
    assert!(!object.exists());
    // What was made with those macros is not used with others.
    assert!(!make(&["-q", sizes]).status.success());
    let right = make(&[shims]);
    assert!(right.status.success(), "{}", said(&right));
}

/// A folder with a refused source builds nothing: not with what is left of it in the build folder, and not as it was.
#[test]
fn nothing_is_built_without_a_refused_source() {
    let sizes = "module sizes\n  integer, parameter :: n = 64\nend module\n";
    let work = Work::new(&[
        ("src/sizes.cuf", sizes),
        (
            "src/main.f90",
            "program main\n  use sizes\n  print *, n\nend program\n",
        ),
    ]);
    assert!(work.cuf2cu(&["src", "out"]).status.success());
    let refused = sizes.replace("64", "96").replace(
        "end module",
        "contains\n  attributes(global) subroutine k()\n    open(3)\n  end subroutine\nend module",
    );
    work.put("src/sizes.cuf", &refused);
    let stops = || {
        assert_eq!(work.cuf2cu(&["src", "out"]).status.code(), Some(1));
        let make = work.run("make", &["-C", "out", "TARGET=cpu"]);
        let text = said(&make);
        assert!(!make.status.success(), "{text}");
        assert!(
            text.contains("src/sizes.cuf could not be translated"),
            "{text}"
        );
        assert!(
            work.text("out/CMakeLists.txt")
                .contains("message(FATAL_ERROR \"src/sizes.cuf could not be translated")
        );
        work.done("make", &["-C", "out", "clean"]);
    };
    stops();
    fs::remove_file(work.at().join("src/main.f90")).unwrap();
    stops();
    work.put("src/sizes.cuf", sizes);
    assert!(work.cuf2cu(&["src", "out"]).status.success());
    assert!(
        !work
            .text("out/Makefile")
            .contains("could not be translated")
    );
    assert!(
        !work
            .text("out/CMakeLists.txt")
            .contains("FATAL_ERROR \"cuf2cu has")
    );
}

/// All programs of a tree are built and installed; the main function may be C's.
#[test]
fn programs_are_built_and_installed() {
    let work = Work::new(&[
        ("src/a.cuf", &program("a")),
        ("src/sub/b.cuf", &program("b")),
        (
            "src/m.cuf",
            "module m\ncontains\n  subroutine say() bind(c)\n    print '(a)', 'said'\n  end subroutine\nend module m\n",
        ),
    ]);
    work.ok(&["src", "out"]);
    work.make(&["install", "PREFIX=../root"]);
    for name in ["a", "b"] {
        assert_eq!(
            work.done(&format!("root/bin/{name}"), &[]),
            format!("{name}\n")
        );
    }
    assert!(work.make(&["lib"]).contains("libsrc.a"));
    for name in ["a.cuf", "sub/b.cuf"] {
        fs::remove_file(work.at().join("src").join(name)).unwrap();
    }
    work.put(
        "src/c.c",
        "void say(void);\nint main(void) { say(); return 0; }\n",
    );
    work.ok(&["src", "out"]);
    work.make(&[]);
    assert_eq!(work.done("out/build/cpu/app", &[]), "said\n");
}

/// Every single letter is a macro of somebody: what is generated has none of them for a name.
#[test]
fn single_letters_are_macros() {
    let work = Work::new(&[
        ("src/letters.CUF", include_str!("../letters/letters.CUF")),
        ("src/main.CUF", include_str!("../letters/main.CUF")),
    ]);
    let letters = ('A'..='Z').chain('a'..='z').filter(|c| *c != 'N');
    // What no compiler takes in any place.
    let others: Vec<String> = letters.map(|c| format!("-D{c}=??")).collect();
    // x is a component that the program names; C and c stand in BIND(C) of host code, which is written without the macros' names then.
    let apart = |option: &&String| ["-Dx=??", "-DC=??"].contains(&option.as_str());
    let with = |words: &[&'static str], whole: bool| -> Vec<String> {
        let others = others.iter().filter(|o| whole || !apart(o));
        let words = words.iter().map(|w| (*w).to_owned());
        words
            .chain(["-DN=4".to_owned()])
            .chain(others.cloned())
            .collect()
    };
    let ok = |words: Vec<String>| work.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let printed = "    5.50    5.50    5.50    5.50   22.00\n    1.00    2.00   22.00    3.00\n    7.00    7.00    7.00\n   4   4\n";
    ok(with(&["src", "out"], false));
    work.make(&[]);
    assert_eq!(work.done("out/build/cpu/main", &[]), printed);
    // By itself each gives the same files: it is not in the way of the compilers.
    let files = [
        "letters.F90",
        "letters.cu",
        "letters.cuh",
        "letters_shims.f90",
        "main.F90",
        "main.cu",
        "main_shims.f90",
    ];
    for letter in "ACDIJKMaijkmnst".chars() {
        let other = format!("-D{letter}=??");
        work.ok(&["-DN=4", &other, "src", "alone"]);
        for file in files {
            // Host code that is preprocessed has another spelling of BIND(C).
            let same = work
                .text(&format!("alone/{file}"))
                .replace("bind(c", "bind(C")
                == work.text(&format!("out/{file}"));
            assert!(same, "{other} {file}");
        }
    }
    // All 52, where the file that names the component x has no macro of the name.
    work.put(
        "src/letters.CUF",
        &format!("#undef x\n{}", include_str!("../letters/letters.CUF")),
    );
    assert_eq!(
        ok(with(&["run", "--target=cpu", "-O0", "src"], true)),
        printed
    );
}
