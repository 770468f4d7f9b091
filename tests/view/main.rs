//! `cuf2cu view`: what is in a page, what a server answers, and, in a browser if there is one, what a reader sees and does.

mod access;
mod attack;
mod browser;
mod chrome;
mod review;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// What comments of programs must not do to a page.
const HOSTILE: &str = "</script><script>pwned=1</script> <img src=x onerror=pwned=1> <!-- \u{2028} \u{2029} \" ' & \\";

/// A folder for a test.
struct Work {
    folder: tempfile::TempDir,
}

impl Work {
    fn new() -> Work {
        Work {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Runs `cuf2cu view` in the folder.
    fn view(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_cuf2cu"))
            .arg("view")
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    /// The page of a sample.
    fn sample(&self, name: &str, options: &[&str]) -> String {
        let source = sample(name);
        let source = source.to_str().unwrap();
        let output = self.view(&[&[source, "-o", "page.html"], options].concat());
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(self.path("page.html")).unwrap()
    }
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(name)
}

/// The data of a page by the names of its script elements.
fn data(page: &str, name: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{name}\">");
    let from = page.find(&start).unwrap_or_else(|| panic!("no {name}")) + start.len();
    let length = page[from..].find("</script>").unwrap();
    serde_json::from_str(&page[from..from + length]).unwrap()
}

/// A program whose file, comments and texts try to be markup.
fn hostile(work: &Work) -> &'static str {
    let name = "<img src=x onerror=pwned=1>\"'&.cuf";
    let text = format!(
        "! {HOSTILE}\nmodule m\ncontains\n  ! {HOSTILE}\n  attributes(global) subroutine k(a)\n    real :: a(*)\n    a(1) = 1 ! {HOSTILE}\n  end subroutine\nend module\n\
         program p\n  use m\n  real, device :: a(3)\n  call k<<<1, 1>>>(a)\n  print *, '</script><script>pwned=1</script>'\nend program\n"
    );
    work.write(name, &text);
    name
}

#[test]
fn a_page_has_what_the_program_holds() {
    let work = Work::new();
    let report = work.write(
        "ptxas.txt",
        "ptxas info    : Compiling entry function '_ZN4heat4stepIiEEvPKfPfii' for 'sm_90'\nptxas info    : Used 24 registers, used 1 barriers, 1296 bytes smem\n",
    );
    let page = work.sample(
        "10_heat.cuf",
        &["--lesson", "--ptxas", report.to_str().unwrap()],
    );
    let index = data(&page, "index-data");
    let facts = &index["facts"][0];
    let kernel = &facts["procedures"][0];
    assert_eq!(kernel["id"], "heat::step");
    assert_eq!(kernel["code"]["shared"][0]["bytes"], 18 * 18 * 4);
    assert_eq!(kernel["code"]["barriers"][0]["name"], "__syncthreads");
    let first = &kernel["arguments"][0];
    let told = [
        "name", "shape", "memory", "intent", "passed", "layout", "index",
    ]
    .map(|k| first[k].as_str().unwrap());
    assert_eq!(
        told,
        [
            "u", "(nx, ny)", "device", "in", "address", "dense", "32 or 64"
        ]
    );
    let launch = &facts["launches"][0];
    assert_eq!(
        (&launch["grid"], &launch["block"]),
        (&"grid".into(), &"block".into())
    );
    assert_eq!(launch["kernel"], "heat::step");
    assert_eq!(facts["loops"][0]["reductions"][0], "after (+)");
    let directions: Vec<&str> = (facts["transfers"].as_array().unwrap().iter())
        .map(|t| t["direction"].as_str().unwrap())
        .collect();
    assert_eq!(
        directions,
        [
            "host to device",
            "host to device",
            "host to device",
            "device to host"
        ]
    );
    assert_eq!(index["ptxas"][0]["registers"], 24);
    let lessons = index["lessons"].as_array().unwrap();
    assert!(
        lessons
            .iter()
            .any(|l| l["title"] == "Threads from 1 and from 0" && l["line"] == 14),
        "{lessons:?}"
    );
    // The picture of the calls.
    let graph = data(&page, "graph-data");
    let graph = graph.as_str().unwrap();
    assert!(graph.contains("<title>heat::step</title>"), "{graph}");
    assert!(graph.contains("href=\"#10_heat.cuf:8\""), "{graph}");
    // All of it is in the file.
    assert!(!page.contains("src=\"http") && !page.contains("<link"));
    let source = data(&page, "file-0");
    assert_eq!(
        source["text"],
        fs::read_to_string(sample("10_heat.cuf")).unwrap()
    );
}

/// Each step of the tutorial has a page of all its sources, which explains what it brings.
#[test]
fn pages_of_the_tutorial() {
    let work = Work::new();
    let mut steps: Vec<PathBuf> = fs::read_dir(sample("tutorial"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    steps.sort();
    assert_eq!(steps.len(), 10);
    thread::scope(|scope| {
        for step in &steps {
            scope.spawn(|| page_of_step(&work, step));
        }
    });
}

fn page_of_step(work: &Work, step: &Path) {
    let name = step.file_stem().unwrap().to_string_lossy().into_owned() + ".html";
    let output = work.view(&["--lesson", step.to_str().unwrap(), "-o", &name]);
    assert!(output.status.success(), "{name}: {output:?}");
    let page = fs::read_to_string(work.path(&name)).unwrap();
    let index = data(&page, "index-data");
    let of_kind = |kind: &str| {
        let files = index["files"].as_array().unwrap().iter();
        files.filter(|f| f["kind"] == kind).count()
    };
    let sources = match step.is_dir() {
        true => fs::read_dir(step).unwrap().count(),
        false => 1,
    };
    assert_eq!(of_kind("source"), sources, "{name}");
    assert!(
        of_kind("device") > 0 && of_kind("host") == sources,
        "{name}"
    );
    assert!(!index["lessons"].as_array().unwrap().is_empty(), "{name}");
    assert_eq!(index["diagnostics"], Value::Array(Vec::new()), "{name}");
}

#[test]
fn the_same_input_gives_the_same_page() {
    let work = Work::new();
    let one = work.sample("08_particles", &["--jobs", "1"]);
    assert_eq!(one, work.sample("08_particles", &["--jobs", "4"]));
}

#[test]
fn macros_includes_and_messages_are_told() {
    let work = Work::new();
    work.write("part.inc", "    i = i + 1\n");
    let text = "#define TWICE(x) ((x) + (x))\nmodule m\ncontains\n  attributes(global) subroutine k(a)\n    real :: a(*)\n    integer :: i\n    i = TWICE(2)\n#include \"part.inc\"\n    a(i) = 1\n  end subroutine\n  attributes(global) subroutine wrong()\n    read *, i\n  end subroutine\nend module\n";
    work.write("m.CUF", text);
    let output = work.view(&["m.CUF"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = fs::read_to_string(work.path("m.html")).unwrap();
    let index = data(&page, "index-data");
    let facts = &index["facts"][0];
    assert_eq!(facts["expansions"][0]["line"], 7);
    assert_eq!(facts["expansions"][0]["text"], "    i = ((2) + (2))");
    assert_eq!(
        (
            &facts["includes"][0]["line"],
            &facts["includes"][0]["included"]
        ),
        (&8.into(), &"part.inc".into())
    );
    assert_eq!(index["files"][1]["kind"], "include");
    let code = index["diagnostics"][0]["code"].as_str().unwrap();
    let explained = index["codes"][code]["text"].as_str().unwrap();
    assert!(explained.contains(code), "{explained}");
}

/// The table of macros that the report has, too.
#[test]
fn macros_have_a_table() {
    let work = Work::new();
    let text = "module m\n#ifdef SINGLE\n  integer, parameter :: wp = 4\n#else\n  integer, parameter :: wp = 8\n#endif\n#if N == 2\n  real(wp), device :: a(2)\n#endif\ncontains\n  attributes(global) subroutine k(a)\n    real(wp) :: a(*)\n    a(1) = 0.1_wp\n  \
                end subroutine\nend module\n";
    work.write("m.CUF", text);
    let output = work.view(&["m.CUF", "-DN=(2)"]);
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(work.path("m.html")).unwrap();
    let index = data(&page, "index-data");
    let [n, single] = [0, 1].map(|k| &index["settings"][k]);
    let row = |s: &Value, words: [&str; 3], line: u64| {
        let has = ["name", "values", "may"].map(|key| s[key].as_str());
        assert_eq!((has, s["line"].as_u64()), (words.map(Some), Some(line)));
    };
    row(n, ["N", "= (2)", "must stay"], 7);
    row(single, ["SINGLE", "not defined", "both choices"], 2);
    assert_eq!(n["proof"], "translated for this value alone");
}

#[test]
fn sources_cannot_become_markup() {
    let work = Work::new();
    let name = hostile(&work);
    let output = work.view(&[name, "-o", "page.html"]);
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(work.path("page.html")).unwrap();
    let elements = page.matches("<script").count();
    let files = data(&page, "index-data")["files"].as_array().unwrap().len();
    // The index, the files, the call graph, the script of the page.
    assert_eq!(elements, files + 3);
    assert_eq!(page.matches("</script").count(), elements);
    assert!(!page.contains("<img") && !page.contains(['\u{2028}', '\u{2029}']));
    assert!(page.contains("default-src &#39;none&#39;; script-src &#39;sha256-"));
    let text = data(&page, "file-0")["text"].as_str().unwrap().to_owned();
    assert!(text.contains(HOSTILE));
}

#[test]
fn files_of_others_are_not_written_over() {
    let work = Work::new();
    work.write("m.cuf", "program p\nend program\n");
    work.write("m.html", "<p>mine</p>");
    let output = work.view(&["m.cuf"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(
        fs::read_to_string(work.path("m.html")).unwrap(),
        "<p>mine</p>"
    );
    assert!(work.view(&["m.cuf", "-o", "other.html"]).status.success());
    assert!(work.view(&["m.cuf", "-o", "other.html"]).status.success());
}

/// The list in docs/reading.md is the table that `--lesson` tells.
#[test]
fn the_document_has_the_lessons() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reading.md");
    let old = fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- lessons -->\n", "<!-- end of the lessons -->");
    let from = old.find(begin).unwrap() + begin.len();
    let to = old.find(end).unwrap();
    let new = format!(
        "{}{}{}",
        &old[..from],
        cuf2cu::view::hints::document(),
        &old[to..]
    );
    if new != old && std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, new).unwrap();
        return;
    }
    assert!(
        old == new,
        "UPDATE_DOCS=1 cargo test --test view renews docs/reading.md"
    );
}

/// A server of a page, ended with the test.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn new(work: &Work, source: &str) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cuf2cu"))
            .args(["view", "--serve", "--port", "0", source])
            .current_dir(work.folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let port = line
            .trim()
            .trim_end_matches('/')
            .rsplit(':')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        Served { child, port }
    }

    /// The status, and the whole answer.
    fn ask(&self, method: &str, path: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask("GET", path, &format!("127.0.0.1:{}", self.port))
    }

    /// The body of the answer to `/version`.
    fn version(&self) -> String {
        let (status, answer) = self.get("/version");
        assert_eq!(status, 200);
        answer.rsplit("\r\n\r\n").next().unwrap().to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_has_the_page_and_nothing_else() {
    let work = Work::new();
    work.write("secret.txt", "secret");
    let source = work.write("m.cuf", "program p\n  print *, 'first'\nend program\n");
    let served = Served::new(&work, "m.cuf");
    let (status, page) = served.get("/");
    assert_eq!(status, 200);
    assert!(
        page.contains("'first'")
            && page.contains("X-Frame-Options: DENY")
            && page.contains("connect-src &#39;self&#39;")
    );
    for path in [
        "/secret.txt",
        "/../secret.txt",
        "/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/m.cuf",
        "/?x",
    ] {
        let (status, answer) = served.get(path);
        assert_eq!(status, 404, "{path}");
        assert!(
            !answer.contains("secret\n") && !answer.contains("root:"),
            "{answer}"
        );
    }
    assert_eq!(
        served
            .ask("POST", "/", &format!("localhost:{}", served.port))
            .0,
        405
    );
    assert_eq!(
        served
            .ask("GET", "/", &format!("localhost:{}", served.port))
            .0,
        200
    );
    let port = served.port;
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        "localhost:1".to_owned(),
        String::new(),
    ] {
        assert_eq!(served.ask("GET", "/", &host).0, 403, "{host}");
    }
    // It is made anew, and when there is nothing to be made the old one stays.
    assert_eq!(served.version(), "1");
    fs::write(
        &source,
        "program p\n  print *, 'second, longer'\nend program\n",
    )
    .unwrap();
    let patience = Instant::now();
    while served.version() == "1" {
        assert!(
            patience.elapsed() < Duration::from_secs(60),
            "the change was not seen"
        );
        thread::sleep(Duration::from_millis(50));
    }
    assert!(served.get("/").1.contains("second, longer"));
}

/// A compute construct of OpenACC is one of its own, with the place of its directive.
#[test]
fn compute_constructs_are_told() {
    let work = Work::new();
    work.write(
        "c.cuf",
        "program p\n  real :: a(9), s\n  integer :: i\n  a = 1\n  s = 0\n  !$acc parallel loop reduction(+:s)\n  do i = 1, 9\n    s = s + a(i)\n  end do\n  print *, s\nend program\n",
    );
    let output = work.view(&["c.cuf", "--acc"]);
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(work.path("c.html")).unwrap();
    let index = data(&page, "index-data");
    let found = &index["facts"][0]["loops"][0];
    assert_eq!(found["construct"], true);
    assert_eq!(found["place"]["line"], 6);
    assert_eq!(found["configuration"], "");
    assert_eq!(found["reductions"][0], "s (+)");
    assert_eq!(index["options"], "--acc");
}
