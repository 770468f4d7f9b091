//! Pages in a browser: pointer, keys, links, widths, light and dark, accessibility.
//!
//! `scripts/install-toolchain --browser` installs what is needed. Pictures of the pages lie in the folder `target/tmp` afterwards.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::access;
use crate::chrome::{self, Chrome};
use crate::{Work, hostile};

const DESKTOP: (u32, u32) = (1440, 900);
const LAPTOP: (u32, u32) = (1024, 700);

fn url(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The middle of a text in a line of a pane.
fn place(chrome: &Chrome, pane: &str, line: usize, text: &str) -> (f64, f64) {
    let script = format!(
        "(() => {{
            const code = document.querySelector('#{pane} .row[data-line=\"{}\"] .code');
            const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
            for (let n = walker.nextNode(); n; n = walker.nextNode()) {{
                const i = n.data.indexOf({text:?});
                if (i < 0) continue;
                const r = document.createRange();
                r.setStart(n, i);
                r.setEnd(n, i + {});
                const b = r.getBoundingClientRect();
                return [b.left + b.width / 2, b.top + b.height / 2];
            }}
            return code.textContent;
        }})()",
        line - 1,
        text.len()
    );
    let found = chrome.evaluate(&script);
    match (found[0].as_f64(), found[1].as_f64()) {
        (Some(x), Some(y)) => (x, y),
        _ => panic!("{text} is not in line {line} of {pane}: {found}"),
    }
}

/// Waits until what is lit in a pane holds a text.
fn until_lit(chrome: &Chrome, pane: &str, text: &str) {
    chrome.until(&format!(
        "[...document.querySelectorAll('#{pane} .token')].map((e) => e.textContent).join('').includes({text:?})"
    ));
}

fn shoot(chrome: &Chrome, name: &str) {
    let picture = chrome.screenshot();
    assert!(picture.len() > 10_000, "{name} is empty");
    fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), picture).unwrap();
}

/// What axe finds that keeps people out.
fn barriers(chrome: &Chrome, axe: &str) -> Vec<String> {
    chrome.evaluate(&format!("{axe}; 0"));
    let found =
        chrome.evaluate("axe.run({ resultTypes: ['violations'] }).then((r) => r.violations)");
    let serious = |v: &&Value| v["impact"] == "serious" || v["impact"] == "critical";
    let all = found.as_array().unwrap().iter().filter(serious);
    all.map(|v| format!("{}: {} {}", v["id"], v["help"], v["nodes"][0]["html"]))
        .collect()
}

#[test]
fn a_reader_finds_the_way() {
    let Some(program) = chrome::find() else {
        eprintln!("skipped: there is no Chromium here (scripts/install-toolchain --browser)");
        return;
    };
    let work = Work::new();
    work.sample("10_heat.cuf", &["--lesson"]);
    let page = url(&work.path("page.html"));
    let chrome = Chrome::start(&program);
    pointer(&chrome, &page);
    keys(&chrome, &page);
    looks(&chrome, &page, &work);
    // Names and comments that would be markup.
    let name = hostile(&work);
    assert!(work.view(&[name, "-o", "hostile.html"]).status.success());
    chrome.open(&url(&work.path("hostile.html")), DESKTOP, "light");
    chrome.keys(&["g"]);
    chrome.until("document.querySelectorAll('#graph .node').length > 1");
    assert_eq!(chrome.evaluate("typeof pwned"), "undefined");
    assert_eq!(chrome.evaluate("document.images.length"), 0);
    let title = chrome.evaluate("document.getElementById('title').textContent");
    assert_eq!(title, name);
    assert_eq!(chrome.complaints(), Vec::<String>::new());
}

fn pointer(chrome: &Chrome, page: &str) {
    chrome.open(&format!("{page}#10_heat.cuf:31"), DESKTOP, "light");
    let current = "document.querySelector('#source .row.current .number').textContent";
    assert_eq!(chrome.evaluate(current), "31");
    // Only what is in sight is there.
    let rows = chrome
        .evaluate("document.querySelectorAll('#source .row').length")
        .as_u64()
        .unwrap();
    assert!(rows > 10 && rows < 100, "{rows} rows");
    chrome.evaluate("go(FILES[0], 15)");
    chrome.settle();
    chrome.hover(place(chrome, "source", 16, "blockDim"));
    until_lit(chrome, "output", "blockDim.x");
    chrome.click(place(chrome, "source", 16, "blockIdx"));
    assert_eq!(chrome.evaluate("location.hash"), "#10_heat.cuf:16");
    let card = chrome.evaluate("document.getElementById('card').textContent");
    let card = card.as_str().unwrap();
    for told in [
        "heat::step",
        "t 1296 bytes",
        "__syncthreads",
        "(nx, ny)",
        "32 or 64 bits",
    ] {
        assert!(card.contains(told), "{told} in {card}");
    }
    // The other way: a launch in the host code, which is another tab.
    chrome.evaluate("go(FILES[0], 59)");
    chrome.settle();
    assert_eq!(chrome.evaluate("right.file.kind"), "host");
    let line = chrome.evaluate("right.current + 1").as_u64().unwrap() as usize;
    chrome.hover(place(chrome, "output", line, "cuf_launch"));
    until_lit(chrome, "source", "<<<");
    // A kernel of the index.
    let link = "[...document.querySelectorAll('#index a')].find((a) => a.textContent === 'step').getBoundingClientRect()";
    let at = |edge: &str| chrome.evaluate(&format!("{link}.{edge}")).as_f64().unwrap();
    chrome.click((at("left") + 5.0, at("top") + 5.0));
    chrome.until("location.hash === '#10_heat.cuf:8'");
    chrome.settle();
    assert_eq!(chrome.evaluate("right.file.kind"), "device");
    assert_eq!(chrome.complaints(), Vec::<String>::new());
}

fn keys(chrome: &Chrome, page: &str) {
    chrome.open(page, LAPTOP, "dark");
    chrome.keys(&["/", "t", "i", "l", "e", "+", "1"]);
    chrome.until("document.querySelector('.result')?.textContent.includes('lines with')");
    let found = chrome
        .evaluate("document.querySelectorAll('.found-list a').length")
        .as_u64()
        .unwrap();
    assert_eq!(found, 3);
    assert_eq!(
        chrome.evaluate("document.querySelectorAll('#source .found').length > 0"),
        true
    );
    chrome.keys(&["Escape"]);
    assert_eq!(
        chrome.evaluate("document.querySelectorAll('.found-list').length"),
        0
    );
    chrome.keys(&["n", "j"]);
    let moved = chrome
        .evaluate("Number(location.hash.split(':')[1])")
        .as_u64()
        .unwrap();
    assert_eq!(
        moved, 6,
        "the line behind the first note, which is that of the constant variable"
    );
    chrome.keys(&["k"]);
    assert_eq!(chrome.evaluate("location.hash"), "#10_heat.cuf:5");
    chrome.keys(&["g"]);
    assert_eq!(
        chrome.evaluate("document.getElementById('graph').open"),
        true
    );
    assert_eq!(
        chrome.evaluate("document.querySelectorAll('#graph .node').length"),
        3
    );
    chrome.keys(&["Escape"]);
    chrome.until("!document.getElementById('graph').open");
    let dark = chrome.evaluate("getComputedStyle(document.body).backgroundColor");
    chrome.keys(&["d"]);
    assert_ne!(
        chrome.evaluate("getComputedStyle(document.body).backgroundColor"),
        dark
    );
    chrome.evaluate("localStorage.clear()");
    assert_eq!(chrome.complaints(), Vec::<String>::new());
}

fn looks(chrome: &Chrome, heat: &str, work: &Work) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    let view = |source: PathBuf, name: &str| {
        let output = work.view(&[source.to_str().unwrap(), "-o", name]);
        assert!(output.status.success(), "{output:?}");
        url(&work.path(name))
    };
    let loops = view(
        sources.join("tests/conformance/cuf-kernels/four_loops.cuf"),
        "loops.html",
    );
    let project = view(sources.join("samples/08_particles"), "project.html");
    let axe = sources.join("build/browser/node_modules/axe-core/axe.min.js");
    let axe = fs::read_to_string(axe).ok();
    if axe.is_none() {
        eprintln!(
            "axe-core is not there (scripts/install-toolchain --browser): accessibility is checked by tests/view/access.rs alone"
        );
    }
    let mut closed = Vec::new();
    for (name, page) in [
        ("sample", format!("{heat}#10_heat.cuf:16").as_str()),
        ("loops", &loops),
        ("project", &project),
    ] {
        for (size, width) in [(DESKTOP, "desktop"), (LAPTOP, "laptop")] {
            for theme in ["light", "dark"] {
                chrome.open(page, size, theme);
                let fits = "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight";
                assert_eq!(chrome.evaluate(fits), true, "{name} at {size:?}");
                shoot(chrome, &format!("view-{name}-{width}-{theme}.png"));
                // axe takes its time.
                let axe = axe
                    .as_deref()
                    .filter(|_| (theme == "light") == (size == DESKTOP));
                let doors = closed_doors(chrome, axe);
                closed.extend(
                    doors
                        .iter()
                        .map(|d| format!("{name}, {width}, {theme}, {d}")),
                );
            }
        }
    }
    assert!(closed.is_empty(), "{}", closed.join("\n"));
    assert_eq!(chrome.complaints(), Vec::<String>::new());
}

/// What keeps people out of a page as it opens, with all its notes, with what a search finds, with each of its dialogs.
fn closed_doors(chrome: &Chrome, axe: Option<&str>) -> Vec<String> {
    let mut out = Vec::new();
    let mut check = |state: &str| {
        let mut found = access::faults(chrome);
        let axe = axe.filter(|_| ["as it opens", "graph"].contains(&state));
        found.extend(axe.map_or_else(Vec::new, |axe| barriers(chrome, axe)));
        out.extend(found.iter().map(|f| format!("{state}: {f}")));
    };
    check("as it opens");
    let walked = access::walk(chrome);
    chrome.keys(&["u"]);
    check("all notes");
    chrome.keys(&["/", "r", "e", "a", "l"]);
    chrome.until("document.querySelector('.result') !== null");
    check("search");
    chrome.keys(&["Escape", "g"]);
    check("graph");
    chrome.keys(&["Escape", "?"]);
    check("keys");
    chrome.keys(&["Escape"]);
    out.extend(walked);
    out
}
