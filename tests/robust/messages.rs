//! Files that are none, and messages of compilers with the user's lines.

use super::*;

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
