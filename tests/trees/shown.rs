//! What commands show of a translation is what `cuf2cu SRC OUT` writes.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Work, choices, said};

/// The files that a page shows as generated, by name.
fn on_page(page: &str) -> BTreeMap<String, String> {
    let data = |name: &str| -> Value {
        let start = format!("<script type=\"application/json\" id=\"{name}\">");
        let from = page.find(&start).unwrap() + start.len();
        let length = page[from..].find("</script>").unwrap();
        serde_json::from_str(&page[from..from + length]).unwrap()
    };
    let index = data("index-data");
    let files = index["files"].as_array().unwrap().iter().enumerate();
    let generated = files.filter(|(_, f)| f["of"].is_u64());
    generated
        .map(|(k, f)| {
            let name = f["name"].as_str().unwrap().trim_start_matches("generated/");
            let text = data(&format!("file-{k}"))["text"]
                .as_str()
                .unwrap()
                .to_owned();
            (name.to_owned(), text)
        })
        .collect()
}

/// The bytes of an output that the map says nothing of, as lines without blanks.
fn unmapped(text: &str, output: &Value) -> Vec<String> {
    let mut bytes = text.as_bytes().to_vec();
    for segment in output["segments"].as_array().unwrap() {
        let at = |k: usize| segment[k].as_u64().unwrap() as usize;
        for byte in &mut bytes[at(0)..at(1)] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines = text
        .lines()
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|l| !l.is_empty()).collect()
}

/// Compares all that is shown of `src` with what is written.
fn compare(work: &Work, options: &[&str]) {
    let with =
        |first: &[&'static str]| -> Vec<&str> { first.iter().chain(options).copied().collect() };
    let written = said(&work.cuf2cu(&with(&["src", "out"])));
    work.ok(&with(&["view", "src", "-o", "page.html"]));
    let shown = on_page(&work.text("page.html"));
    for (name, text) in &shown {
        assert_eq!(
            *text,
            work.text(&format!("out/{name}")),
            "{name} {options:?}"
        );
    }
    // All is there but what is not shown: modules of libraries, tables of lines, the build.
    let is_source = |n: &str| {
        let extension = n.rsplit('.').next().unwrap_or_default();
        ["cu", "cuh", "f90", "F90", "F"].contains(&extension)
    };
    let names: Vec<String> = std::fs::read_dir(work.at().join("out"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|n| is_source(n))
        .collect();
    for name in &names {
        assert!(
            shown.contains_key(name),
            "{name} is not on the page: {shown:?}"
        );
    }
    // The source map belongs to the same files.
    work.ok(&with(&["--source-map", "src", "mapped"]));
    let map: Value = serde_json::from_str(&work.text("mapped/cuf2cu-map.json")).unwrap();
    let mut left = Vec::new();
    for output in map["outputs"].as_array().unwrap() {
        let name = output["path"].as_str().unwrap();
        let text = work.text(&format!("mapped/{name}"));
        assert_eq!(
            text,
            work.text(&format!("out/{name}")),
            "{name} {options:?}"
        );
        left.extend(unmapped(&text, output));
    }
    // What the map does not explain is the other choice, and there is none without conditionals.
    let conditionals = left.iter().filter(|l| l.starts_with("#if")).count();
    let choices = written.matches("both variants were translated").count();
    assert_eq!(conditionals > 0, choices > 0, "{left:?}");
    // What is told of the choices is the same in all commands.
    let line = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|l| l.contains(" translated;") || l.contains(": only the selected variant"));
        lines.map(str::to_owned).collect()
    };
    let checked = said(&work.cuf2cu(&with(&["check", "src"])));
    assert_eq!(line(&checked), line(&written));
    let of_folder = work.text("out/cuf2cu-report.txt");
    let report = said(&work.cuf2cu(&with(&["report", "src", "--format", "text"])));
    let lost = "branches not taken that look like CUDA Fortran, not translated";
    assert_eq!(
        report.contains(lost),
        of_folder.contains("not translated"),
        "{report}{of_folder}"
    );
}

#[test]
fn commands_show_what_is_written() {
    let work = choices::program();
    for options in [&[][..], &["-DSINGLE"], &["-USINGLE"]] {
        compare(&work, options);
    }
    let text = "module m\n#ifdef SINGLE\n  real(4), device :: a(8)\n#else\n  real(8), device :: a(8)\n#endif\n#if WIDE\n  integer, parameter :: n = 8\n#else\n  \
        integer, parameter :: n = 4\n#endif\ncontains\n  attributes(global) subroutine k()\n    if (threadIdx%x <= n) a(threadIdx%x) = 1\n  end subroutine\nend module\n";
    let kept = "module m\n  real, device :: a(8)\n#ifdef LOST\n  what is this, device\n#endif\nend module\n";
    for text in [text, kept] {
        let work = Work::new(&[("src/m.F90", text)]);
        for options in [&[][..], &["-DSINGLE", "-DWIDE=1"]] {
            compare(&work, options);
        }
    }
}
