//! Builds: several at a time, again after a change, the cache, make's jobs.

use super::*;

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
    assert_eq!(run(&[]), [""; 0], "up to date");
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
    let notes = text
        .lines()
        .filter(|l| l.contains("no longer supports sm_35"));
    assert_eq!(notes.count(), 1, "{text}");
}

/// A gfortran whose first compilation never ends: the number of its process is in the file `first`.
fn stuck_at_first(place: &Place) -> PathBuf {
    let path = place.folder.path().join("gfortran");
    let script = "#!/bin/sh\ncase \"$*\" in *-dump*|*--version*) exec gfortran \"$@\";; esac\n\
                  if [ ! -e \"$FIRST\" ]; then echo $$ > \"$FIRST\"; exec sleep 600; fi\nexec gfortran \"$@\"\n";
    fs::write(&path, script).unwrap();
    mode(&path, 0o755);
    path
}

#[test]
fn compilations_at_the_same_time_share_an_empty_cache() {
    let place = Place::new();
    let mut all = String::from("all:");
    for n in 0..8 {
        place.write(
            &format!("m{n}.cuf"),
            &format!("module m{n}\n  use cudafor\n  integer, device :: x{n}\nend module\n"),
        );
        all += &format!(" m{n}.o");
    }
    place.write("Makefile", &format!("{all}\n%.o: %.cuf; $(FC) -O0 -c $<\n"));
    let cache = place.folder.path().join("cache");
    let fc = format!("FC={} fc --target=cpu", env!("CARGO_BIN_EXE_cuf2cu"));
    let mut make = Command::new("make");
    make.args(["-j8", &fc]).current_dir(place.work());
    make.env("CUF2CU_CACHE", &cache)
        .env("TMPDIR", place.temporary());
    for name in ["MAKEFLAGS", "MFLAGS", "CARGO_MAKEFLAGS"] {
        make.env_remove(name);
    }
    ok(make);
    for n in 0..8 {
        assert!(place.work().join(format!("m{n}.o")).exists());
    }
    let left = |folder: PathBuf| {
        let names = Place::names(&folder).into_iter();
        names.filter(|n| n.contains("tmp")).collect::<Vec<_>>()
    };
    assert_eq!(left(place.work()), [""; 0]);
    assert_eq!(Place::names(&place.temporary()), [""; 0]);

    // One that is killed while it makes what all need holds up nobody.
    let compiler = stuck_at_first(&place);
    let first = place.folder.path().join("first");
    let cache = place.folder.path().join("another");
    let start = |source: &str| {
        let mut command = place.command(&["fc", "--target=cpu", "-O0", "-c", source]);
        command.env("CUF2CU_CACHE", &cache).env("FIRST", &first);
        command.env("CUF2CU_FC", &compiler).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    fs::remove_file(place.work().join("m1.o")).unwrap();
    let mut killed = start("m0.cuf");
    let pid = || fs::read_to_string(&first).unwrap_or_default();
    wait_for("the compiler starts", || pid().ends_with('\n'));
    let waiting = start("m1.cuf");
    thread::sleep(Duration::from_millis(300));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let output = waiting.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(place.work().join("m1.o").exists());
    wait_for("the compiler ends with it", || !runs(pid().trim()));
}
