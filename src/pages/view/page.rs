//! The page as a whole: the data, and the template around it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use askama::Template;
use base64::Engine as _;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::files::{Entry, File, files, is_shown, short_names};
use super::graph;
use super::hints::{Lesson, lesson};
use super::json::script;
use super::links::{segments, statements};
use super::ptxas::{self, Usage};
use super::rationale::note;
use crate::diag::{Diagnostic, codes};
use crate::map::{RULES, Rule, SourceMap};
use crate::program_info::Facts;
use crate::translate::{OutputFile, Setting, Translation};

const STYLE: &str = include_str!("../../../templates/view/page.css");
const SCRIPTS: [&str; 5] = [
    include_str!("../../../templates/view/data.js"),
    include_str!("../../../templates/view/pane.js"),
    include_str!("../../../templates/view/panels.js"),
    include_str!("../../../templates/view/review.js"),
    include_str!("../../../templates/view/page.js"),
];

/// What a page is made of.
pub struct Subject<'a> {
    pub title: &'a str,
    pub translation: &'a Translation,
    pub map: &'a SourceMap,
    /// The sources and the files that they include, by their names in the map.
    pub read: BTreeMap<String, &'a [u8]>,
    /// Explain each construct where it appears first.
    pub lesson: bool,
    /// The report of `nvcc -Xptxas -v`.
    pub ptxas: Option<&'a str>,
    /// A server has the page, which asks it for newer ones.
    pub live: Option<u64>,
    /// The options of the translation, as they were given.
    pub options: &'a str,
    /// When the youngest source was changed, in seconds since 1970 began.
    pub dated: Option<u64>,
    /// Where the sources are on the web: `URL/PATH#Lnn` shows a line.
    pub repository: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "view/page.html")]
struct Page<'a> {
    title: &'a str,
    style: &'a str,
    script: &'a str,
    policy: String,
    /// Names of script elements, and the data in them.
    data: Vec<(String, String)>,
    graph: bool,
}

/// What the script reads first.
#[derive(Serialize)]
struct Index<'a> {
    title: &'a str,
    version: &'static str,
    options: &'a str,
    dated: Option<u64>,
    /// Of the sources and what they include.
    digest: String,
    repository: Option<&'a str>,
    live: Option<u64>,
    lesson: bool,
    files: Vec<Entry<'a>>,
    /// How facts and diagnostics name the sources.
    paths: Vec<&'a str>,
    facts: &'a [Facts],
    diagnostics: Vec<Told<'a>>,
    codes: BTreeMap<&'static str, Explained>,
    /// The macros of the program, and what a build may do with them.
    settings: Vec<Macro>,
    rules: Vec<RuleEntry>,
    /// File, line, rule: where decisions were taken.
    notes: Vec<(u32, u32, u8)>,
    lessons: Vec<Lecture>,
    ptxas: Vec<Usage>,
}

#[derive(Serialize)]
struct Told<'a> {
    code: &'static str,
    severity: crate::diag::Severity,
    message: &'a str,
    help: Option<&'a str>,
    file: String,
    line: u32,
    column: u32,
    last: u32,
}

#[derive(Serialize)]
struct Macro {
    name: String,
    values: String,
    may: &'static str,
    proof: String,
    /// Where a conditional asks for it; no file: none does.
    file: String,
    line: u32,
}

#[derive(Serialize)]
struct Explained {
    title: &'static str,
    text: String,
}

#[derive(Serialize)]
struct RuleEntry {
    name: &'static str,
    title: &'static str,
    text: &'static str,
    guide: &'static str,
    why: &'static str,
    nvfortran: &'static str,
}

#[derive(Serialize)]
struct Lecture {
    file: u32,
    line: u32,
    title: &'static str,
    text: &'static str,
    guide: &'static str,
}

/// One HTML file, which needs nothing beside it.
pub fn page(subject: &Subject<'_>) -> String {
    let map = subject.map;
    let outputs: Vec<OutputFile> = (subject.translation.files.iter())
        .filter(|f| is_shown(&f.kind))
        .cloned()
        .collect();
    let files = files(map, &subject.read, &outputs);
    let mut data = vec![("index-data".to_owned(), script(&index(subject, &files)))];
    for (n, f) in files.iter().enumerate() {
        data.push((format!("file-{n}"), script(&content(n, f, map, &files))));
    }
    let paths: Vec<&str> = map.sources.iter().map(|s| &*s.path).collect();
    let names: BTreeMap<&str, String> = paths.iter().copied().zip(short_names(&paths)).collect();
    let name_of = |path: &str| names.get(path).cloned().unwrap_or_else(|| path.to_owned());
    // A picture of thousands of elements is made of it when somebody wants to see it.
    let graph = graph::picture(&subject.translation.facts, &name_of);
    data.extend(graph.iter().map(|g| ("graph-data".to_owned(), script(g))));
    let code = SCRIPTS.concat();
    let page = Page {
        title: subject.title,
        style: STYLE,
        policy: policy(&code, subject.live.is_some()),
        script: &code,
        data,
        graph: graph.is_some(),
    };
    page.render().unwrap_or_default()
}

/// Nothing runs on the page but its own script, and nothing is fetched.
fn policy(code: &str, live: bool) -> String {
    let hash = |text: &str| {
        let digest = Sha256::digest(text.as_bytes());
        base64::engine::general_purpose::STANDARD.encode(digest)
    };
    let connect = if live { "'self'" } else { "'none'" };
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; connect-src {connect}; base-uri 'none'; form-action 'none'",
        hash(code),
        hash(STYLE)
    )
}

#[derive(Serialize)]
struct Content<'a> {
    text: &'a str,
    colours: &'a str,
    #[serde(skip_serializing_if = "String::is_empty")]
    statements: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    segments: String,
}

fn content<'a>(n: usize, file: &'a File, map: &SourceMap, files: &[File]) -> Content<'a> {
    let output = n.checked_sub(map.sources.len());
    let output = output.and_then(|n| map.outputs.get(n));
    Content {
        text: &file.text.text,
        colours: &file.colours,
        statements: map
            .sources
            .get(n)
            .map_or_else(String::new, |s| statements(s, files)),
        segments: output.map_or_else(String::new, |o| segments(o, file, files)),
    }
}

fn index<'a>(subject: &'a Subject<'a>, files: &'a [File]) -> Index<'a> {
    let map = subject.map;
    let diagnostics = &subject.translation.diagnostics;
    let used: BTreeSet<&'static str> = diagnostics.iter().map(|d| d.code).collect();
    let explained = used.into_iter().filter_map(|code| {
        let title = codes::find(code)?.title;
        let text = codes::explain(code)?;
        Some((code, Explained { title, text }))
    });
    Index {
        title: subject.title,
        version: env!("CARGO_PKG_VERSION"),
        options: subject.options,
        dated: subject.dated,
        digest: digest(&subject.read),
        repository: subject.repository,
        live: subject.live,
        lesson: subject.lesson,
        files: files.iter().map(File::entry).collect(),
        paths: map.sources.iter().map(|s| &*s.path).collect(),
        facts: &subject.translation.facts,
        diagnostics: diagnostics.iter().map(told).collect(),
        codes: explained.collect(),
        settings: subject.translation.settings.all.iter().map(asked).collect(),
        rules: RULES.iter().map(|r| rule_entry(*r)).collect(),
        notes: notes(map),
        lessons: match subject.lesson {
            true => lectures(map),
            false => Vec::new(),
        },
        ptxas: subject.ptxas.map_or_else(Vec::new, ptxas::read),
    }
}

/// The first half of the SHA-256 of all sources with their names.
fn digest(read: &BTreeMap<String, &[u8]>) -> String {
    let mut all = Sha256::new();
    for (name, bytes) in read {
        all.update((name.len() as u64).to_le_bytes());
        all.update(name);
        all.update((bytes.len() as u64).to_le_bytes());
        all.update(bytes);
    }
    all.finalize()[..8]
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

fn told(d: &Diagnostic) -> Told<'_> {
    Told {
        code: d.code,
        severity: d.severity,
        message: &d.message,
        help: d.help.as_deref(),
        file: file_name(&d.file),
        line: d.line,
        column: d.column,
        last: d.end.0,
    }
}

fn asked(s: &Setting) -> Macro {
    let place = s.place.as_ref();
    Macro {
        name: s.name.clone(),
        values: s.values(),
        may: s.may(),
        proof: s.proof(),
        file: place.map_or_else(String::new, |(file, _)| file_name(file)),
        line: place.map_or(0, |(_, line)| *line),
    }
}

fn file_name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn rule_entry(rule: Rule) -> RuleEntry {
    let about = rule.about();
    let note = note(rule);
    RuleEntry {
        name: about.name,
        title: about.title,
        text: about.text,
        guide: about.guide,
        why: note.map_or("", |n| n.why),
        nvfortran: note.map_or("", |n| n.nvfortran),
    }
}

/// The rules with a note, by the lines of their statements; each once a line.
fn notes(map: &SourceMap) -> Vec<(u32, u32, u8)> {
    let mut out = BTreeSet::new();
    for s in map.sources.iter().flat_map(|s| &s.statements) {
        for rule in s.rules.iter().filter(|r| note(**r).is_some()) {
            out.insert((s.place.file, s.line, *rule as u8));
        }
    }
    out.into_iter().collect()
}

/// The lessons of the rules that made something, where each first did.
fn lectures(map: &SourceMap) -> Vec<Lecture> {
    let mut seen: BTreeSet<Rule> = BTreeSet::new();
    let mut out = Vec::new();
    for s in map.sources.iter().flat_map(|s| &s.statements) {
        for rule in &s.rules {
            if let Some(l) = lesson(*rule)
                && seen.insert(*rule)
            {
                out.push(lecture(l, s.place.file, s.line));
            }
        }
    }
    out
}

fn lecture(l: &Lesson, file: u32, line: u32) -> Lecture {
    Lecture {
        file,
        line,
        title: l.title,
        text: l.text,
        guide: l.guide,
    }
}
