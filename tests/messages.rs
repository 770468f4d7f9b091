//! Messages for machines and for people: their forms, statuses, colours, what is made of warnings, and that `check` says what translation says.

mod suite;

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use serde_json::Value;
use suite::Expect;

/// The command, as in a shell without settings of its own.
fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    for variable in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "CUF2CU_DOCS_URL",
        "CI",
    ] {
        command.env_remove(variable);
    }
    command.env("TERM", "xterm").current_dir(folder);
    command
}

fn cuf2cu(arguments: &[&str], folder: &Path) -> Output {
    command(folder).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

fn shown(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The messages of JSON, each of which is a line; nothing else is said.
fn objects(output: &Output) -> Vec<Value> {
    let lines = said(output);
    let parsed = lines.lines().map(|l| {
        let object: Value = serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"));
        assert_eq!(object["version"], 1, "{l}");
        object
    });
    parsed.collect()
}

/// An error that is two lines long, one of one word, a warning.
const WRONG: &str = "module m
contains
  attributes(global) subroutine k(a)
    integer :: a(*)
    write (7, *) a(1), &
      'é', a(2)
    a(1) = hostdata(3)
  end subroutine
  integer function hostdata(i)
    integer :: i
    hostdata = i
  end function
end module
";

/// It has one warning: all iterations change the same element.
const WARNED: &str = "program p
  real, device :: a(10, 10), total(10)
  integer :: i, j
  !$cuf kernel do <<<*, *>>>
  do i = 1, 10
    do j = 1, 10
      total(j) = total(j) + a(i, j)
    end do
  end do
end program
";

const RIGHT: &str = "program p
  print *, 'hello'
end program
";

/// A folder with the three programs.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("wrong.cuf"), WRONG).unwrap();
    fs::write(at.join("right.cuf"), RIGHT).unwrap();
    fs::write(at.join("file"), "").unwrap();
    folder
}

#[test]
fn the_schema_is_documented_and_has_a_version() {
    let folder = workplace();
    let output = cuf2cu(&["explain", "--schema"], folder.path());
    let schema = shown(&output);
    let path = suite::root().join("docs/messages.schema.json");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &schema).unwrap();
    }
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        schema,
        "UPDATE_DOCS=1 cargo test --test messages; a field that goes or changes needs another version"
    );
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let document = fs::read_to_string(suite::root().join("docs/messages.md")).unwrap();
    let fields = schema["properties"].as_object().unwrap();
    for field in fields.keys() {
        assert!(document.contains(&format!("| `{field}` |")), "{field}");
    }
    // What is said has these fields and no others.
    let output = cuf2cu(
        &["check", "wrong.cuf", "--error-format", "json"],
        folder.path(),
    );
    for object in objects(&output) {
        assert!(object.as_object().unwrap().keys().eq(fields.keys()));
    }
}

#[test]
fn messages_as_json() {
    let folder = workplace();
    let arguments = ["wrong.cuf", "out", "--error-format", "json"];
    let output = cuf2cu(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(1));
    let found = objects(&output);
    let [write, call] = &found[..] else {
        panic!("{found:#?}");
    };
    let place = |m: &Value| ["line", "column", "end_line", "end_column"].map(|f| m[f].clone());
    assert_eq!(place(write), [5, 5, 6, 16]);
    assert_eq!(place(call), [7, 12, 7, 23]);
    assert_eq!(call["kind"], "diagnostic");
    assert_eq!(call["severity"], "error");
    assert_eq!(call["code"], "CUF0337");
    assert_eq!(call["title"], "host procedure called from device code");
    assert_eq!(call["file"], "wrong.cuf");
    assert_eq!(call["source_line"], "    a(1) = hostdata(3)");
    let help = call["help"].as_str().unwrap();
    assert!(help.contains("attributes(device)"), "{help}");
    assert_eq!(call["guide"], serde_json::json!(["2.5.1", "3.1.1"]));
    let url = call["url"].as_str().unwrap();
    assert!(url.starts_with("https://docs.nvidia.com/"), "{url}");

    let mut command = command(folder.path());
    command.env("CUF2CU_DOCS_URL", "https://example.org/cuf2cu/");
    let output = command.args(arguments).output().unwrap();
    assert_eq!(
        objects(&output)[1]["url"],
        "https://example.org/cuf2cu/diagnostics.html#cuf0337-host-procedure-called-from-device-code"
    );
    // The summary has them in the same form.
    let output = cuf2cu(&["check", "--format", "json", "wrong.cuf"], folder.path());
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["diagnostics"], serde_json::json!(found));
}

/// A request that fails, with its status and the kind of its message.
const FAILURES: [(&[&str], i32, &str); 7] = [
    (&["check", "nowhere"], 2, "usage"),
    (&["check", "right.cuf", "--zork"], 2, "usage"),
    (&["-i8", "right.cuf", "out"], 2, "usage"),
    (&["explain", "9999"], 2, "usage"),
    (&["run", "right.cuf"], 3, "tool"),
    (&["check", "file/right.cuf"], 4, "file"),
    (&["right.cuf", "file/out"], 4, "file"),
];

#[test]
fn other_errors_have_the_form_and_statuses_of_their_own() {
    let folder = workplace();
    let run = |arguments: &[&str], form: &str| {
        let mut command = command(folder.path());
        // Before the command and behind it.
        match form {
            "json" => command.args(["--error-format", form]).args(arguments),
            _ => command
                .args(arguments)
                .arg(format!("--error-format={form}")),
        };
        command.env("PATH", "/nonexistent").output().unwrap()
    };
    let help = shown(&cuf2cu(&["--help"], folder.path()));
    let document = fs::read_to_string(suite::root().join("docs/messages.md")).unwrap();
    for (arguments, status, kind) in FAILURES {
        let output = run(arguments, "json");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        let found = objects(&output);
        let [message] = &found[..] else {
            panic!("{arguments:?}: {found:?}");
        };
        assert_eq!(message["kind"], kind, "{arguments:?}: {message}");
        assert_eq!(message["severity"], "error");
        assert_eq!(message["file"].is_string(), kind == "file", "{message}");

        let output = run(arguments, "github");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        let text = said(&output);
        assert!(text.starts_with("::error "), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");

        let output = run(arguments, "sarif");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        let log: Value = serde_json::from_str(&said(&output)).unwrap();
        let call = &log["runs"][0]["invocations"][0];
        assert_eq!(call["executionSuccessful"], false);
        assert_eq!(call["exitCode"], status);
        let text = call["toolExecutionNotifications"][0]["message"]["text"].as_str();
        assert!(text.unwrap().starts_with(kind), "{text:?}");

        assert!(help.contains(&format!("; {status} ")), "{status} in --help");
        assert!(document.contains(&format!("\n| {status} | ")), "{status}");
    }
    for status in [0, 1, 5] {
        assert!(document.contains(&format!("\n| {status} | ")), "{status}");
    }
}

#[test]
fn names_that_are_no_unicode() {
    let folder = workplace();
    let name = OsStr::from_bytes(b"caf\xe9.cuf");
    fs::write(folder.path().join(name), WRONG).unwrap();
    let run = |form: &str| {
        let mut command = command(folder.path());
        command
            .arg("check")
            .arg(name)
            .args(["--error-format", form]);
        command.output().unwrap()
    };
    let found = objects(&run("json"));
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["file"], "caf\u{fffd}.cuf");
    // A URI has the bytes.
    let log: Value = serde_json::from_str(&said(&run("sarif"))).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "caf%E9.cuf");
    let mut command = command(folder.path());
    command.arg("check").arg(name).args(["--format", "json"]);
    let summary: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    assert_eq!(summary["files"][0]["path"], "caf\u{fffd}.cuf");
}

#[test]
fn messages_as_sarif() {
    let folder = workplace();
    let path = folder.path().join("wrong.cuf").display().to_string();
    let output = cuf2cu(
        &["check", &path, "right.cuf", "--error-format", "sarif"],
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_str(&said(&output)).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "cuf2cu");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        let rule = &run["tool"]["driver"]["rules"][index];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(result["level"], "error");
        assert!(rule["helpUri"].is_string());
    }
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(
        place["artifactLocation"]["uri"],
        format!("file://{path}").as_str()
    );
    assert_eq!(
        place["region"],
        serde_json::json!({"startLine": 5, "startColumn": 5, "endLine": 6, "endColumn": 16})
    );
    // Nothing found is a document, too.
    let output = cuf2cu(
        &["check", "right.cuf", "--error-format", "sarif"],
        folder.path(),
    );
    let log: Value = serde_json::from_str(&said(&output)).unwrap();
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn messages_as_annotations() {
    let folder = workplace();
    fs::create_dir(folder.path().join("a,b")).unwrap();
    fs::write(folder.path().join("a,b/x%.cuf"), WRONG).unwrap();
    let output = cuf2cu(
        &["check", "a,b/x%.cuf", "--error-format", "github"],
        folder.path(),
    );
    let text = said(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    // Columns only within a line.
    let first = "::error file=a%2Cb/x%25.cuf,line=5,endLine=6,title=CUF0331%3A ";
    assert!(lines[0].starts_with(first), "{text}");
    let second = "::error file=a%2Cb/x%25.cuf,line=7,endLine=7,col=12,endColumn=22,title=CUF0337%3A host procedure called from device code::host procedure";
    assert!(lines[1].starts_with(second), "{text}");
    assert!(
        lines[1].contains("%0Adeclare it `attributes(device)`"),
        "{text}"
    );
}

#[test]
fn colours_are_where_they_are_wanted() {
    let folder = workplace();
    let coloured = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = command(folder.path());
        command.args(arguments).envs(variables.iter().copied());
        said(&command.output().unwrap()).contains('\x1b')
    };
    let check = ["check", "wrong.cuf"];
    let always = ["check", "wrong.cuf", "--color", "always"];
    let never = ["--color=never", "check", "wrong.cuf"];
    assert!(!coloured(&[], &check), "no terminal");
    assert!(coloured(&[], &always));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &check));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &never));
    assert!(!coloured(&[("CLICOLOR_FORCE", "")], &check));
    assert!(coloured(&[("NO_COLOR", "1")], &always));
    // Messages for machines have none.
    assert!(!coloured(
        &[],
        &[
            "check",
            "wrong.cuf",
            "--color=always",
            "--error-format=json"
        ]
    ));
    // On a terminal the environment decides.
    let on_terminal = |variables: &[(&str, &str)], arguments: &[&str]| {
        let (_, text) = terminal(folder.path(), variables, arguments);
        assert!(text.contains("CUF0337"), "{text}");
        text.contains("\x1b[1m")
    };
    assert!(on_terminal(&[], &check));
    assert!(!on_terminal(&[("NO_COLOR", "1")], &check));
    assert!(!on_terminal(&[("TERM", "dumb")], &check));
    assert!(!on_terminal(&[("CLICOLOR", "0")], &check));
    assert!(!on_terminal(&[], &never));
}

/// Runs the command with a terminal as its standard error; what it showed there.
fn terminal(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> (Output, String) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(OsStr::from_bytes(name.as_bytes()))
        .unwrap();
    let size = rustix::termios::Winsize {
        ws_row: 24,
        ws_col: 80,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    rustix::termios::tcsetwinsize(&theirs, size).unwrap();
    let mut command = command(folder);
    command.args(arguments).envs(variables.iter().copied());
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(theirs)
        .spawn()
        .unwrap();
    // The command holds the other end as long as it has not been dropped.
    drop(command);
    let mut text = Vec::new();
    // Ends with an error when nobody holds the other end.
    let _ = fs::File::from(ours).read_to_end(&mut text);
    let output = child.wait_with_output().unwrap();
    (output, String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn progress_is_shown_on_a_terminal_only() {
    let folder = workplace();
    let arguments = ["check", "right.cuf", "wrong.cuf"];
    let (_, text) = terminal(folder.path(), &[], &arguments);
    assert!(text.contains("translating ["), "{text:?}");
    assert!(text.contains("/4"), "{text:?}");
    let (_, text) = terminal(folder.path(), &[("TERM", "dumb")], &arguments);
    assert!(!text.contains("translating"), "{text:?}");
    for more in ["--quiet", "--error-format=json"] {
        let (_, text) = terminal(folder.path(), &[], &[&arguments[..], &[more]].concat());
        assert!(!text.contains("translating"), "{more}: {text:?}");
    }
    let text = said(&cuf2cu(&arguments, folder.path()));
    assert!(!text.contains("translating"), "{text:?}");
}

#[test]
fn quiet_says_messages_only() {
    let folder = workplace();
    let at = folder.path();
    let output = cuf2cu(&["right.cuf", "loud"], at);
    assert!(said(&output).contains("written to loud"));
    let output = cuf2cu(&["-q", "right.cuf", "quiet"], at);
    assert!(output.status.success());
    assert_eq!((said(&output), shown(&output)), Default::default());
    assert!(at.join("quiet/right.f90").is_file());
    let output = cuf2cu(
        &["check", "wrong.cuf", "--quiet", "--error-format=short"],
        at,
    );
    assert_eq!(said(&output).lines().count(), 2);
    assert_eq!(shown(&output), "");
}

#[test]
fn warnings_are_what_the_user_makes_of_them() {
    let folder = workplace();
    let at = folder.path();
    fs::write(at.join("warned.cuf"), WARNED).unwrap();
    let outcome = |levels: &[&str]| {
        let _ = fs::remove_dir_all(at.join("out"));
        let arguments = ["warned.cuf", "right.cuf", "out", "--error-format=json"];
        let output = cuf2cu(&[&arguments[..], levels].concat(), at);
        let severity = objects(&output).first().map(|m| m["severity"].clone());
        let severity = severity.as_ref().and_then(Value::as_str).unwrap_or("none");
        // Nothing is written for a file with an error, and the others' folder is.
        let written = at.join("out/warned.f90").is_file();
        assert!(at.join("out/right.f90").is_file());
        let check = cuf2cu(&[&["check", "warned.cuf"], levels].concat(), at);
        assert_eq!(check.status.code(), output.status.code(), "{levels:?}");
        (severity.to_owned(), output.status.code().unwrap(), written)
    };
    let found = objects(&cuf2cu(&["check", "warned.cuf", "--error-format=json"], at));
    assert_eq!(found.len(), 1, "{found:?}");
    let code = found[0]["code"].as_str().unwrap();
    let cases: [(&[&str], Outcome); 8] = [
        (&[], ("warning", 0, true)),
        (&["--deny", "warnings"], ("error", 1, false)),
        (&["--deny", code], ("error", 1, false)),
        (&["--allow", code], ("none", 0, true)),
        (
            &["--deny", "warnings", "--warn", code],
            ("warning", 0, true),
        ),
        (&["--allow", code, "--deny", "warnings"], ("none", 0, true)),
        (&["--allow", code, "--deny", code], ("error", 1, false)),
        (&["--deny", code, "--allow", code], ("none", 0, true)),
    ];
    for (levels, (severity, status, written)) in cases {
        assert_eq!(
            outcome(levels),
            (severity.to_owned(), status, written),
            "{levels:?}"
        );
    }
    // What cannot be translated cannot be allowed.
    for (level, text) in [
        ("--allow=337", "CUF0337 is an error"),
        ("--deny=9999", "no diagnostic 9999"),
    ] {
        let output = cuf2cu(&["check", level, "warned.cuf"], at);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains(text), "{}", said(&output));
    }
}

/// Severity, status, and whether something was written.
type Outcome = (&'static str, i32, bool);

/// Name and contents of a file.
type Named = (&'static str, &'static str);

/// Sources that are right each by itself and wrong together, and what is said of them.
const CLASHES: [(&[Named], &str); 5] = [
    (
        &[
            ("a.cuf", "module m\nend module\n"),
            ("b/a.cuf", "module m\nend module\n"),
        ],
        "module m is defined in",
    ),
    (
        &[
            (
                "a.cuf",
                "module a1\nend module\nmodule a2\n  use b\nend module\n",
            ),
            ("b.cuf", "module b\n  use a1\nend module\n"),
        ],
        "use each other's modules",
    ),
    (
        &[("a.cuf", KERNEL), ("a.cu", "int main() { return 0; }\n")],
        "two output files would both be named a.cu",
    ),
    (
        &[("a.cuf", KERNEL), ("a.cuh", "#pragma once\n")],
        "two output files would both be named a.cuh",
    ),
    (
        &[("a.cuf", RIGHT), ("my file.c", "int x;\n")],
        "my file.c cannot be written in a Makefile",
    ),
];

/// Device code, in a source and in a header.
const KERNEL: &str = "module m
contains
  attributes(device) integer function two()
    two = 2
  end function
  attributes(global) subroutine k(a)
    integer :: a(*)
    a(1) = two()
  end subroutine
end module
";

#[test]
fn check_finds_what_is_wrong_with_the_whole() {
    for (files, text) in CLASHES {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        for (name, contents) in files {
            let path = at.join("src").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        let translated = cuf2cu(&["src", "out", "-q"], at);
        let checked = cuf2cu(&["check", "src"], at);
        assert!(said(&checked).contains(text), "{}", said(&checked));
        assert_eq!(said(&checked), said(&translated));
        assert_eq!(checked.status.code(), Some(2));
        assert_eq!(translated.status.code(), Some(2));
        let summary = shown(&checked);
        assert!(summary.contains("the program as a whole: "), "{summary}");
        assert!(!summary.contains("everything would"), "{summary}");
        let object = cuf2cu(&["check", "src", "--format", "json"], at).stdout;
        let object: Value = serde_json::from_slice(&object).unwrap();
        let message = object["diagnostics"][0]["message"].as_str().unwrap();
        assert!(message.contains(text), "{message}");
    }
}

#[test]
fn check_and_translation_agree() {
    let programs: Vec<_> = suite::programs()
        .into_iter()
        .filter(|p| matches!(p.expect, Expect::Diagnostic { .. }))
        .chain(suite::samples())
        .collect();
    assert!(programs.len() > 200);
    let folder = tempfile::tempdir().unwrap();
    let faults = Mutex::new(Vec::new());
    let queue = Mutex::new(programs.iter());
    let next = || queue.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(p) = next() {
                    let mut given: Vec<&str> = p.flags.iter().map(String::as_str).collect();
                    given.extend(p.needs("openmp").then_some("--openmp"));
                    given.push("--error-format=json");
                    let source = p.source.display().to_string();
                    let out = p.name.replace('/', "_");
                    let run = |words: &[&str]| {
                        let output = cuf2cu(&[words, &given].concat(), folder.path());
                        (output.status.code(), said(&output))
                    };
                    let checked = run(&["check", &source, "-j1"]);
                    let translated = run(&["-j1", &source, &out]);
                    let expected = match p.expect {
                        Expect::Diagnostic { .. } => Some(1),
                        _ => Some(0),
                    };
                    if checked != translated || checked.0 != expected {
                        let mut faults = faults.lock().unwrap();
                        faults.push(format!("{}: {checked:?}, {translated:?}", p.name));
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A program with an error in each of its branches, by the number of its arguments.
const FAILING: &str = "program p
  use cudafor
  implicit none
  real, device, allocatable :: d(:)
  real :: h(4)
  integer :: n

  h = 1
  n = command_argument_count()
  select case (n)
  case (0)
    allocate (d(1000000000000_8))
  case (1)
    d = h
    h(1:2) = &
      d
  case (3)
    d = h
    !$cuf kernel do <<<1, 32, 1000000>>>
    do n = 1, 4
      d(n) = n
    end do
  case (4)
    allocate (d(1000000000000_8))
  case default
    call last(h)
  end select
contains
  subroutine last(h)
    real, intent(out) :: h(:)
    real, device, allocatable :: e(:)

    h(1:2) = e
  end subroutine last
end program p
";

#[test]
fn errors_of_a_program_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    fs::create_dir(base.join("src")).unwrap();
    fs::write(base.join("src/p.cuf"), FAILING).unwrap();
    let cases: [(&[&str], &str, u32); 4] = [
        (&[], "allocate: 4000000000000 bytes: out of memory", 12),
        // The same statement elsewhere has a line of its own.
        (
            &["--", "1", "2", "3", "4"],
            "allocate: 4000000000000 bytes: out of memory",
            24,
        ),
        (
            &["--", "1"],
            "assignment from a device variable: shapes differ, (2) = (4)",
            15,
        ),
        (
            &["--", "1", "2"],
            "assignment from a device variable: the right-hand side is not allocated",
            33,
        ),
    ];
    for (arguments, message, line) in cases {
        let all = [&["run", "--target", "cpu", "src"], arguments].concat();
        let output = cuf2cu(&all, base);
        let error = said(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        let place = base.join("src/p.cuf");
        assert!(error.contains(message), "{error}");
        assert!(
            error.contains(&format!("\n  at {}:{line}\n", place.display())),
            "{error}"
        );
    }
    let all = ["run", "--target", "cpu", "src", "--", "1", "2", "3"];
    let launch = said(&cuf2cu(&all, base));
    let message = "CUF loop p.cuf:19: p_loop_1: it could not be launched";
    assert!(launch.contains(message), "{launch}");
    // The drop-in compiler's programs, too; those of a Makefile name the host code that is kept.
    let built = cuf2cu(&["fc", "-O2", "-cuda", "src/p.cuf", "-o", "p"], base);
    assert!(built.status.success(), "{}", said(&built));
    let output = Command::new(base.join("p"))
        .args(["1", "2"])
        .output()
        .unwrap();
    let place = format!("\n  at {}:33\n", base.join("src/p.cuf").display());
    assert!(said(&output).contains(&place), "{}", said(&output));
}
