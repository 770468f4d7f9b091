//! What a reviewer does with a page in a browser: links that land, folds, wrapped lines, marks, a telephone, paper.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::Work;
use crate::chrome::{self, Chrome};

const DESKTOP: (u32, u32) = (1440, 900);
const TELEPHONE: (u32, u32) = (390, 844);

/// A program of 800 lines of which few change: a kernel, a launch, and host code around them.
fn long_program() -> String {
    let mut text = String::from(
        "module long\n  use cudafor\ncontains\n  attributes(global) subroutine scale_all_elements_of_the_vector(a, n)\n    \
         real :: a(n)\n    integer, value :: n\n    integer :: i\n    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x\n    \
         if (i <= n) a(i) = 2*a(i)\n  end subroutine\nend module\nprogram p\n  use long\n  implicit none\n  \
         real, device :: d(100)\n  real :: h(100)\n  integer :: k\n  k = 0\n",
    );
    for n in 0..400 {
        text += &format!("  k = k + {n}\n");
    }
    text += "  d = 1\n  call scale_all_elements_of_the_vector<<<1, 128>>>(d, 100)\n  h = d\n";
    for n in 0..380 {
        text += &format!("  k = k - {n}\n");
    }
    text + "  print *, h(1), k\nend program\n"
}

#[test]
fn a_reviewer_works() {
    let Some(program) = chrome::find() else {
        eprintln!("skipped: there is no Chromium here (scripts/install-toolchain --browser)");
        return;
    };
    let work = Work::new();
    work.write("long.cuf", &long_program());
    let options = ["long.cuf", "-o", "page.html", "-DX", "--mpi"];
    let options = [
        &options[..],
        &["--repo-url", "https://example.org/r/blob/main/"],
    ]
    .concat();
    assert!(work.view(&options).status.success());
    let page = format!("file://{}", work.path("page.html").display());
    let chrome = Chrome::start(&program);
    landing(&chrome, &page);
    folding(&chrome, &page);
    marks(&chrome, &page);
    telephone(&chrome, &page);
    paper(&chrome, &page, &work);
    graph(&chrome, &page);
    assert_eq!(chrome.complaints(), Vec::<String>::new());
}

/// Whether the marked lines of a pane are in sight, and which.
fn marked(chrome: &Chrome, pane: &str) -> String {
    let script = format!(
        "(() => {{
            const view = document.querySelector('#{pane} .scroll').getBoundingClientRect();
            const rows = [...document.querySelectorAll('#{pane} .row.current')];
            const seen = rows.every((r) => r.getBoundingClientRect().top >= view.top && r.getBoundingClientRect().bottom <= view.bottom);
            return (seen ? 'seen ' : 'out of sight ') + rows.map((r) => Number(r.dataset.line) + 1).sort((a, b) => a - b).join(' ');
        }})()"
    );
    chrome.evaluate(&script).as_str().unwrap().to_owned()
}

fn landing(chrome: &Chrome, page: &str) {
    for size in [DESKTOP, TELEPHONE] {
        chrome.open(&format!("{page}#long.cuf:420"), size, "light");
        assert_eq!(marked(chrome, "source"), "seen 420");
        assert!(marked(chrome, "output").starts_with("seen "), "{size:?}");
        chrome.open(&format!("{page}#long.cuf:600-603"), size, "light");
        assert_eq!(marked(chrome, "source"), "seen 600 601 602 603");
        // In an output.
        chrome.open(&format!("{page}#long.cu:12"), size, "light");
        assert_eq!(marked(chrome, "output"), "seen 12");
    }
    chrome.open(&format!("{page}#long.cuf:9"), DESKTOP, "light");
    let link = chrome.evaluate("document.querySelector('#source .pane-tools a').href");
    assert_eq!(link, "https://example.org/r/blob/main/long.cuf#L9");
    // What the page was made of.
    chrome.keys(&["Escape"]);
    let made = chrome.evaluate("HINT");
    let made = made.as_str().unwrap();
    for word in ["cuf2cu ", " -DX --mpi ", " UTC", "hash "] {
        assert!(made.contains(word), "{word} in {made}");
    }
}

fn folding(chrome: &Chrome, page: &str) {
    chrome.open(page, DESKTOP, "light");
    let height = "document.querySelector('#source .space').offsetHeight";
    let whole = chrome.evaluate(height).as_u64().unwrap();
    chrome.keys(&["c"]);
    let folded = chrome.evaluate(height).as_u64().unwrap();
    assert!(folded * 10 < whole, "{folded} of {whole}");
    let text =
        "[...document.querySelectorAll('#source .row')].map((r) => r.textContent).join('\\n')";
    let text = chrome.evaluate(text);
    let text = text.as_str().unwrap();
    assert!(
        text.contains("unchanged lines") && text.contains("<<<1, 128>>>"),
        "{text}"
    );
    // A link opens what it leads to.
    chrome.evaluate("go(FILES[0], 299)");
    chrome.settle();
    assert_eq!(marked(chrome, "source"), "seen 300");
    chrome.evaluate("document.querySelector('#source .row.fold button').click()");
    chrome.settle();
    chrome.keys(&["c"]);
    assert_eq!(chrome.evaluate(height).as_u64().unwrap(), whole);
    // Long lines.
    chrome.evaluate("go(fileNamed('long.cu'), 11); right.view.focus()");
    let wide = "(() => { const s = document.querySelector('#output .scroll'); return s.scrollWidth > s.clientWidth; })()";
    assert_eq!(chrome.evaluate(wide), true);
    chrome.keys(&["w"]);
    assert_eq!(chrome.evaluate(wide), false);
    // Lines do not lie on each other.
    let apart = "(() => {
        const rows = [...document.querySelectorAll('#output .row')].map((r) => r.getBoundingClientRect()).sort((a, b) => a.top - b.top);
        return rows.slice(1).every((r, n) => Math.abs(r.top - rows[n].bottom) < 1);
    })()";
    assert_eq!(chrome.evaluate(apart), true);
}

fn marks(chrome: &Chrome, page: &str) {
    chrome.open(&format!("{page}#long.cuf:9"), DESKTOP, "dark");
    // The whole name is there.
    let name = "document.querySelector('#index input.reviewed + .entry a')";
    assert_eq!(
        chrome.evaluate(&format!("{name}.textContent")),
        "scale_all_elements_of_the_vector"
    );
    let cut = format!("{name}.scrollWidth > {name}.clientWidth + 1");
    assert_eq!(chrome.evaluate(&cut), false);
    let boxed = "document.querySelector('#index input.reviewed').checked";
    assert_eq!(chrome.evaluate(boxed), false);
    chrome.keys(&["m"]);
    assert_eq!(chrome.evaluate(boxed), true);
    chrome.open(page, DESKTOP, "dark");
    assert_eq!(chrome.evaluate(boxed), true);
    let saved = chrome.evaluate("reviewText()");
    let saved = saved.as_str().unwrap();
    assert!(
        saved.contains("[x] 20") && saved.contains("long::scale_all"),
        "{saved}"
    );
    chrome.evaluate("localStorage.clear()");
    // Select all and copy: of the file, not of the lines in sight.
    chrome.evaluate("leader = left; left.view.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true })); 0");
    assert_eq!(chrome.evaluate("wholeFile === FILES[0]"), true);
}

fn telephone(chrome: &Chrome, page: &str) {
    chrome.open(page, TELEPHONE, "light");
    let fits = "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight";
    assert_eq!(chrome.evaluate(fits), true);
    for button in [
        "index-button",
        "help-button",
        "changes-button",
        "graph-button",
    ] {
        let inside = format!(
            "(() => {{ const b = document.getElementById('{button}').getBoundingClientRect(); return b.width >= 24 && b.left >= 0 && b.right <= innerWidth; }})()"
        );
        assert_eq!(chrome.evaluate(&inside), true, "{button}");
    }
    let contents = "document.getElementById('index').checkVisibility()";
    assert_eq!(chrome.evaluate(contents), false);
    chrome.evaluate("document.getElementById('index-button').click()");
    assert_eq!(chrome.evaluate(contents), true);
    chrome.evaluate("document.querySelector('#index input.reviewed + .entry a').click()");
    chrome.until("location.hash === '#long.cuf:4'");
    assert_eq!(chrome.evaluate(contents), false);
}

fn paper(chrome: &Chrome, page: &str, work: &Work) {
    chrome.open(&format!("{page}#long.cuf:9"), DESKTOP, "light");
    let options = json!({ "preferCSSPageSize": true, "transferMode": "ReturnAsBase64" });
    let answer = chrome.call("Page.printToPDF", options);
    let bytes = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        answer["data"].as_str().unwrap(),
    )
    .unwrap();
    let file = work.path("page.pdf");
    fs::write(&file, bytes).unwrap();
    let Ok(output) = Command::new("pdftotext")
        .args(["-layout"])
        .arg(&file)
        .arg("-")
        .output()
    else {
        eprintln!(
            "pdftotext is not there (scripts/install-toolchain --browser): the text on paper is not checked"
        );
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let pages = text.matches('\u{c}').count();
    assert_eq!(pages, 1, "the kernel of the line that is shown: {text}");
    // Side by side: one line has both.
    let both = |l: &&str| l.contains("threadIdx%x") && l.contains("blockIdx");
    assert!(text.lines().any(|l| l.contains("blockIdx%x")), "{text}");
    assert!(text.contains("__global__ void scale_all"), "{text}");
    assert!(
        text.lines().filter(both).count() > 0 || text.contains("threadIdx.x"),
        "{text}"
    );
}

fn graph(chrome: &Chrome, page: &str) {
    chrome.open(page, DESKTOP, "light");
    chrome.keys(&["g"]);
    chrome.until("document.querySelectorAll('#graph .node').length > 1");
    let fits = "(() => { const s = document.querySelector('#graph .scroll'); return s.scrollWidth <= s.clientWidth && s.scrollHeight <= s.clientHeight; })()";
    assert_eq!(chrome.evaluate(fits), true);
    let shown = "document.querySelectorAll('#graph .node:not(.off)').length";
    let all = chrome.evaluate(shown).as_u64().unwrap();
    chrome.evaluate("document.querySelector('#graph input[value=kernel]').click()");
    assert_eq!(chrome.evaluate(shown).as_u64().unwrap(), all - 1);
    chrome.keys(&["Escape"]);
}
