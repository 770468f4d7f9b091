//! What must not break a page or its server: odd encodings, the same name twice, clients that are slow, files that go.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::chrome::{self, Chrome};
use crate::{Served, Work, data};

/// Letters that take several UTF-16 units, or more of them as small letters.
const WIDE: &str = "\u{130}\u{130}\u{1f600}\u{e9}";

fn kernel(module: &str, comment: &str) -> String {
    format!(
        "module {module}\ncontains\n  attributes(global) subroutine k(a, n)\n    integer, value :: n\n    real :: a(n)\n    integer :: i\n    i = threadIdx%x ! {comment} needle\n    if (i <= n) a(i) = 1\n  end subroutine\nend module\n"
    )
}

fn units16(text: &str) -> Vec<u8> {
    let units = format!("\u{feff}{text}");
    units.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The page of what is in a folder.
fn page(work: &Work, source: &str) -> String {
    let output = work.view(&[source, "-o", "page.html"]);
    assert!(output.status.success(), "{source}: {output:?}");
    fs::read_to_string(work.path("page.html")).unwrap()
}

#[test]
fn a_page_shows_the_text_in_whatever_encoding_it_is() {
    let work = Work::new();
    let text = kernel("m", WIDE);
    let marked = format!("\u{feff}{text}");
    let utf32 = marked.chars().map(u32::from);
    let forms: [(&str, Vec<u8>); 5] = [
        ("plain", text.clone().into()),
        ("marked", marked.clone().into()),
        ("windows", text.replace('\n', "\r\n").into()),
        ("utf16", units16(&text)),
        ("utf32", utf32.flat_map(u32::to_le_bytes).collect()),
    ];
    let mut first = None;
    for (name, bytes) in forms {
        fs::write(work.path("k.cuf"), bytes).unwrap();
        let page = page(&work, "k.cuf");
        let source = data(&page, "file-0");
        assert_eq!(source["text"], text.as_str(), "{name}");
        // Statements are where they are in the plain text.
        let first = first.get_or_insert_with(|| source["statements"].clone());
        assert_eq!(&source["statements"], first, "{name}");
    }
}

#[test]
fn a_source_and_what_was_made_of_it_have_links_of_their_own() {
    let work = Work::new();
    let folder = work.path("src");
    for (name, text) in [
        (
            "host.f90",
            "module host\n  integer :: q\nend module\n".to_owned(),
        ),
        ("x/k.cuf", kernel("mx", "")),
        ("y/k.cuf", kernel("my", "")),
    ] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let page = page(&work, "src");
    let index = data(&page, "index-data");
    let files = index["files"].as_array().unwrap();
    let mut names: Vec<&str> = files.iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"host.f90") && names.contains(&"generated/host.f90"));
    assert!(names.contains(&"x/k.cuf") && names.contains(&"y/k.cuf"));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "{names:?}");
}

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let patience = Instant::now();
    while !done() {
        assert!(patience.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_server_outlives_slow_clients_and_files_that_go() {
    let work = Work::new();
    // Larger than what the system keeps for who does not read.
    let filler = format!("! {}\n", "x".repeat(120)).repeat(60_000);
    let source = work.write("m.cuf", &format!("program p\nend program\n{filler}"));
    let served = Served::new(&work, "m.cuf");
    let head = format!("Host: 127.0.0.1:{}\r\n", served.port);
    let start = |request: String| {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    let mut held = Vec::new();
    for _ in 0..4 {
        // Who never reads, who never sends the body, who never ends the request.
        held.push(start(format!("GET / HTTP/1.1\r\n{head}\r\n")));
        held.push(start(format!(
            "POST / HTTP/1.1\r\n{head}Content-Length: 100000\r\n\r\n"
        )));
        held.push(start(format!("GET / HTTP/1.1\r\n{head}")));
    }
    let began = Instant::now();
    for _ in 0..5 {
        assert_eq!(served.version(), "1");
    }
    assert!(began.elapsed() < Duration::from_secs(20));
    // Without its file the page stays, and with it there is a new one.
    fs::remove_file(&source).unwrap();
    thread::sleep(Duration::from_millis(700));
    assert_eq!(served.version(), "1");
    assert!(served.get("/").1.contains("end program"));
    fs::write(&source, "program p\n  print *, 'back'\nend program\n").unwrap();
    wait_for("the file is back", || served.version() != "1");
    assert!(served.get("/").1.contains("'back'"));
}

/// Programs whose pages are opened in a browser: none makes it complain, and the text of each is there.
#[test]
fn no_page_is_broken_by_its_program() {
    let Some(program) = chrome::find() else {
        eprintln!("skipped: there is no Chromium here (scripts/install-toolchain --browser)");
        return;
    };
    let work = Work::new();
    let letters = kernel("m", &WIDE.repeat(60)).replace("needle", "x") + &kernel("n", "NEEDLE");
    let deep = (1..10).map(|n| format!("#define M{n}(x) (M{}(x) + M{0}(x))\n", n - 1));
    let deep = format!("#define M0(x) (x)\n{}", deep.collect::<String>());
    let deep = deep + &kernel("m", "").replace("a(i) = 1", "a(i) = M6(1.0)");
    let cases: [(&str, Vec<u8>); 10] = [
        ("letters.cuf", letters.into()),
        ("#frag?%41 & %zz.cuf", kernel("m", "").into()),
        ("returns.cuf", kernel("m", "").replace('\n', "\r").into()),
        (
            "latin.cuf",
            kernel("m", "\0")
                .into_bytes()
                .into_iter()
                .map(|b| if b == 0 { 0xe9 } else { b })
                .collect(),
        ),
        (
            "control.cuf",
            kernel("m", "\u{1b}[31m \u{7} \u{c} \u{85} \u{2028}").into(),
        ),
        ("empty.cuf", Vec::new()),
        ("zero.cuf", b"program p\0\nend program\n".to_vec()),
        (
            "wrong.cuf",
            b"module m\ncontains\n attributes(global) subroutine\n  x = = 1\nend\n".to_vec(),
        ),
        (
            "missing.cuf",
            b"program p\n use nowhere\n call k<<<1, 1>>>()\nend program\n".to_vec(),
        ),
        ("deep.CUF", deep.into()),
    ];
    let chrome = Chrome::start(&program);
    for (name, bytes) in cases {
        fs::write(work.path(name), &bytes).unwrap();
        let status = work.view(&[name, "-o", "page.html"]).status.code();
        assert!(matches!(status, Some(0 | 1)), "{name}: {status:?}");
        open(&chrome, &work.path("page.html"));
        assert_eq!(chrome.evaluate("FILES[0].name"), name);
        let lines = chrome.evaluate("document.querySelectorAll('#source .row').length");
        assert!(lines.as_u64() >= Some(1), "{name}: {lines}");
        // A link to a line is found again, whatever the name.
        chrome.evaluate("go(FILES[0], 1)");
        let back = "left.mark(-1); follow() || FILES[0].lines < 2";
        assert_eq!(chrome.evaluate(back), true, "{name}");
        let line = "left.current === Math.min(1, FILES[0].lines - 1)";
        assert_eq!(chrome.evaluate(line), true, "{name}");
        assert_eq!(chrome.complaints(), Vec::<String>::new(), "{name}");
        if name == "letters.cuf" {
            let found = chrome.evaluate("search('needle').map((f) => f[0].line(f[1]).trim())");
            assert!(
                found[0].as_str().unwrap().ends_with("NEEDLE needle"),
                "{found}"
            );
        }
    }
}

fn open(chrome: &Chrome, path: &Path) {
    chrome.open(&format!("file://{}", path.display()), (1440, 900), "light");
}
