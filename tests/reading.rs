//! The excerpts in docs/reading.md, docs/by-hand.md and README.md are what the translator reads and writes today.
//!
//! A fenced block after `<!-- excerpt: FILE | FIRST | LAST -->` holds the lines of FILE from the first that begins with
//! FIRST to the next of the same indentation that begins with LAST. `SOURCE -> OUTPUT` in the place of FILE means the
//! output of that name of translating SOURCE, a file or a folder. `UPDATE_DOCS=1 cargo test --test reading` writes the
//! blocks anew.

use std::fs;
use std::path::{Path, PathBuf};

use cuf2cu::translate::{SourceInput, TranslateOptions, translate};

const MARK: &str = "<!-- excerpt: ";

#[test]
fn reading() {
    check("docs/reading.md");
}

#[test]
fn by_hand() {
    check("docs/by-hand.md");
}

#[test]
fn readme() {
    check("README.md");
}

fn check(document: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join(document);
    let old = fs::read_to_string(&path).unwrap();
    let new = renewed(root, &old);
    assert!(old.contains(MARK), "{document} has no excerpt");
    if new == old {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, new).unwrap();
        return;
    }
    let differs = |(a, b): &(&str, &str)| a != b;
    let (is, should) = old
        .lines()
        .zip(new.lines())
        .find(differs)
        .unwrap_or_default();
    panic!(
        "{document} is out of date (UPDATE_DOCS=1 cargo test --test reading renews it):\n  {is}\n  {should}"
    );
}

/// The document with all excerpts taken again.
fn renewed(root: &Path, document: &str) -> String {
    let mut out = String::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(what) = line.strip_prefix(MARK).and_then(|m| m.strip_suffix(" -->")) else {
            continue;
        };
        let fence = lines.next().unwrap_or_default();
        assert!(fence.starts_with("```"), "no fenced block after {line}");
        out.push_str(fence);
        out.push('\n');
        out.push_str(&excerpt(root, what));
        out.push_str("```\n");
        lines.by_ref().find(|l| *l == "```");
    }
    out
}

fn excerpt(root: &Path, what: &str) -> String {
    let parts: Vec<&str> = what.split(" | ").collect();
    let [file, first, last] = parts[..] else {
        panic!("three parts are wanted: {what}");
    };
    let text = match file.split_once(" -> ") {
        Some((source, output)) => output_of(root, source, output),
        None => fs::read_to_string(root.join(file)).unwrap(),
    };
    let indent = |l: &str| l.len() - l.trim_start().len();
    let mut taken = text
        .lines()
        .skip_while(|l| !l.trim_start().starts_with(first));
    let head = taken
        .next()
        .unwrap_or_else(|| panic!("{file} has no line {first}"));
    let mut out = format!("{}\n", head.trim_start());
    for l in taken {
        out.push_str(l.get(indent(head).min(indent(l))..).unwrap_or_default());
        out.push('\n');
        if indent(l) == indent(head) && l.trim_start().starts_with(last) {
            return out;
        }
    }
    panic!("{file} has no line {last} after {first}");
}

fn output_of(root: &Path, source: &str, output: &str) -> String {
    let path = root.join(source);
    let mut files: Vec<PathBuf> = if path.is_dir() {
        fs::read_dir(&path)
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect()
    } else {
        vec![path]
    };
    files.sort();
    let inputs: Vec<SourceInput> = files
        .into_iter()
        .map(|f| SourceInput {
            relative: PathBuf::from(f.file_name().unwrap()),
            bytes: fs::read(&f).unwrap(),
            path: f,
        })
        .collect();
    let options = TranslateOptions {
        includes: cuf2cu::driver::inputs::INCLUDES,
        ..TranslateOptions::default()
    };
    let outcome = translate(inputs, &options);
    let file = outcome
        .files
        .iter()
        .find(|f| f.path == Path::new(output))
        .unwrap_or_else(|| panic!("{source} gives no {output}"));
    String::from_utf8_lossy(&file.contents).into_owned()
}
