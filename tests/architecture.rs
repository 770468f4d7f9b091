//! The claims of docs/architecture.md, read from the sources (which rustfmt has formatted): who knows whom, who touches files and
//! processes, how large things are. What does not hold yet stands in tests/architecture-exceptions.txt, a list that may only
//! become shorter: a new exception fails, and so does one that is gone. `UPDATE_ARCHITECTURE=1` takes out those that are gone.
//!
//! `cargo test --test architecture numbers -- --nocapture` prints the sizes and the largest cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cuf2cu::intrinsics;

#[path = "architecture_rules/rust_text.rs"]
mod rust_text;

use rust_text::{Function, blanked, functions, imported, words};

const MAX_FILE: usize = 800;
const MAX_FUNCTION: usize = 120;
const MAX_PARAMETERS: usize = 7;
/// Folders whose folders hold a dozen files at most.
const ROOMS: &[&str] = &["lower", "host", "sema"];
const MAX_ROOM: usize = 12;
/// Files of one folder that may form a cycle of imports.
const MAX_CYCLE: usize = 3;

/// The parts of `src/` and which others each may import (docs/architecture.md).
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("map", &[]),
    ("source", &[]),
    ("suggest", &[]),
    ("ast", &["source"]),
    ("syntax", &["ast", "source", "suggest"]),
    ("intrinsics", &[]),
    ("sema", &["ast", "intrinsics", "libraries", "suggest"]),
    ("ir", &["intrinsics", "map"]),
    ("abi", &["ast", "sema"]),
    ("lower", &["ast", "intrinsics", "sema", "ir", "abi", "map"]),
    ("passes", &["ir", "intrinsics", "map"]),
    ("emit", &["ir", "intrinsics", "map"]),
    (
        "host",
        &["ast", "intrinsics", "sema", "abi", "map", "source"],
    ),
    ("diag", &[]),
    ("cuda_cxx", &[]),
    ("statement_stats", &["ast", "map"]),
    ("survey", &["ast", "sema", "statement_stats"]),
    ("program_info", &["abi", "ast", "ir", "sema", "source"]),
    ("libraries", &[]),
    ("cascade", &["ast", "sema", "diag"]),
    (
        "openacc",
        &["ast", "intrinsics", "sema", "source", "suggest", "syntax"],
    ),
    (
        "pipeline",
        &[
            "abi",
            "statement_stats",
            "ast",
            "emit",
            "program_info",
            "host",
            "ir",
            "libraries",
            "lower",
            "map",
            "cascade",
            "openacc",
            "passes",
            "sema",
            "source",
            "survey",
            "syntax",
        ],
    ),
    (
        "translate",
        &[
            "diag",
            "program_info",
            "map",
            "pipeline",
            "source",
            "survey",
        ],
    ),
    ("variants", &["diag", "map", "source", "translate"]),
    (
        "driver",
        &[
            "variants",
            "cuda_cxx",
            "diag",
            "libraries",
            "map",
            "source",
            "suggest",
            "survey",
            "translate",
        ],
    ),
    (
        "cli",
        &["diag", "driver", "libraries", "map", "suggest", "translate"],
    ),
    ("compare", &["cli", "diag", "driver"]),
    (
        "migration_report",
        &["cli", "diag", "driver", "survey", "translate"],
    ),
    ("serve", &["driver"]),
    (
        "view",
        &[
            "cli",
            "diag",
            "driver",
            "map",
            "program_info",
            "serve",
            "source",
            "syntax",
            "translate",
        ],
    ),
    ("main", &["cli"]),
    ("lib", &[]),
];

/// The folders of `src/`, from below: a layer imports only from itself and those before it (docs/architecture.md), and the first
/// one touches no files, processes or environment, and makes no threads: its parallel parts run in the caller's pool.
const LAYERS: [&str; 3] = ["translation", "command", "pages"];

/// The folders whose inner cycles are reported.
const LARGE: [&str; 3] = ["lower", "host", "sema"];

/// Where the names of intrinsic procedures are at home, and lists of the words of C++ and its libraries.
const INTRINSIC_TABLES: [&str; 6] = [
    "intrinsics/mod.rs",
    "intrinsics/of_c.rs",
    "intrinsics/specific.rs",
    "intrinsics/table.rs",
    "ir/function.rs",
    "ir/names/mod.rs",
];

/// Words that are names of intrinsic procedures and something else, which is meant in these files.
const OTHER_MEANINGS: &[(&str, &str)] = &[
    (
        "source/",
        "and complex exit flush logical not precision real",
    ), // keywords, operators
    (
        "syntax/",
        "complex exit flush kind len logical null precision present rank real repeat size",
    ), // keywords, the grammar
    (
        "syntax/habits/",
        "and char complex float free int logical long malloc not or real",
    ), // types, operators, and functions of C and Fortran
    ("sema/check/", "size stat"),              // specifiers
    ("libraries/", "any char index int real"), // kinds of arguments, generated text
    ("libraries/builtins.rs", "dsqrt floor"),  // of table 14 and libm
    ("lower/statement/pointer.rs", "stat"),
    ("host/statement/alloc.rs", "stat"),
    ("host/lifetime/sourced.rs", "stat"),
    ("host/openmp/", "exit flush iand ieor ior max min scan"), // words and operators of OpenMP
    // Words of clauses, operators of reductions and atomic operations.
    (
        "openacc/",
        "dim exit iand ieor ior link logical max min present",
    ),
    // What generated Fortran may call.
    ("openacc/rewrite/", "allocated associated lbound ubound"),
    (
        "host/context/names.rs",
        "allocated any associated btest iand ieor int ior is_contiguous lbound len logical max merge move_alloc not null present real shape size storage_size ubound",
    ),
    // iso_fortran_env, libm, kinds of CUDA's types.
    (
        "sema/library/runtime_modules.rs",
        "compiler_options compiler_version dsqrt float floor int int8",
    ),
    ("sema/library/runtime_api.rs", "count free size time"), // dummies of the runtime API
    ("emit/cpp/ty.rs", "float int range"),
    ("variants/kind.rs", "float int real"), // types of C++, their names
    ("variants/nesting.rs", "complex logical real"), // words that begin declarations
    ("lower/cufloop/afterwards.rs", "max min"), // operators of the reduce clause
    ("driver/runtime/", "complex logical sizeof"), // words of the runtime's sources
    ("map/", "transfer"),                   // a rule
    ("program_info/kernel.rs", "iand ieor ior max min"), // operators of reductions, for readers
    ("view/cpp.rs", "char float int long max short sizeof"), // words of C++
    ("driver/", "mod"),                     // a folder
    ("cli/", "all free present"),           // options
    ("driver/options.rs", "all present"),   // options
];

struct Source {
    /// The place in [`LAYERS`]; none for `main` and `lib`, which name them all.
    layer: Option<usize>,
    /// Below the folder of the layer, with `/`.
    path: String,
    /// The folder or file directly below that.
    part: String,
    /// Without the unit tests.
    text: String,
    /// The text with comments and the contents of literals blanked.
    code: String,
    lines: usize,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn sources() -> Vec<Source> {
    let src = root().join("src");
    let mut paths = Vec::new();
    collect(&src, &mut paths);
    let sources = paths.iter().map(|p| {
        let below = p.strip_prefix(&src).unwrap();
        let path = below.to_string_lossy().replace('\\', "/");
        let layer = path
            .split_once('/')
            .and_then(|(l, _)| LAYERS.iter().position(|x| *x == l));
        assert!(layer.is_some() || !path.contains('/'), "no layer: {path}");
        let path = match path.split_once('/') {
            Some((_, inside)) => inside.to_owned(),
            None => path,
        };
        let part = path.split('/').next().unwrap_or_default();
        let whole = fs::read_to_string(p).unwrap();
        let tests = whole.find("#[cfg(test)]\nmod tests {");
        let text = whole[..tests.unwrap_or(whole.len())].to_owned();
        Source {
            layer,
            part: part.trim_end_matches(".rs").to_owned(),
            lines: whole.lines().count(),
            code: blanked(&text),
            text,
            path,
        }
    });
    // `mod.rs` of a layer only declares its parts.
    let sources = sources.filter(|s| !s.path.ends_with("tests.rs") && s.path != "mod.rs");
    let sources: Vec<Source> = sources.collect();
    assert!(sources.len() > 100);
    sources
}

/// The largest sets of names that reach each other.
fn largest_cycle(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let reach = |from: &str| {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut todo = vec![from];
        while let Some(x) = todo.pop() {
            for y in graph.get(x).into_iter().flatten() {
                if seen.insert(y) {
                    todo.push(y);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|k| (k.as_str(), reach(k))).collect();
    let mut largest = Vec::new();
    for (k, seen) in &reached {
        let back = |o: &&&str| reached.get(**o).is_some_and(|s| s.contains(k));
        let cycle: Vec<String> = seen.iter().filter(back).map(|o| (*o).to_owned()).collect();
        if cycle.len() > largest.len() {
            largest = cycle;
        }
    }
    largest
}

/// Which files of a folder use which: by paths (`super::x`), and by methods that one file alone of the folder defines.
fn files_of(folder: &str, all: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let inside: Vec<&Source> = all.iter().filter(|s| s.part == folder).collect();
    let mut homes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for s in &inside {
        for line in s.code.lines().filter(|l| l.starts_with("    ")) {
            let mut w = words(line).map(|(_, w)| w);
            if w.by_ref().any(|w| w == "fn")
                && let Some(name) = w.next()
            {
                homes.entry(name.to_owned()).or_default().insert(&s.path);
            }
        }
    }
    // The folders inside, whose files are named by longer paths.
    let rooms: BTreeSet<&str> = inside
        .iter()
        .filter_map(|s| s.path.rsplit_once('/').map(|(room, _)| room))
        .filter(|room| *room != folder)
        .collect();
    let is_room = |path: &str| {
        path.strip_suffix("/mod.rs")
            .is_some_and(|r| rooms.contains(r))
    };
    let mut graph = BTreeMap::new();
    for s in &inside {
        let mut to: BTreeSet<String> = BTreeSet::new();
        // The module that a file is, which `super` is the parent of.
        let module = s.path.trim_end_matches(".rs").trim_end_matches("/mod");
        let parent = module.rsplit_once('/').map_or("", |(p, _)| p);
        let above = parent.rsplit_once('/').map_or("", |(p, _)| p);
        let mut places = vec![
            ("super::".to_owned(), parent),
            ("super::super::".to_owned(), above),
            (format!("crate::{folder}::"), folder),
        ];
        for room in &rooms {
            places.push((format!("crate::{}::", room.replace('/', "::")), room));
        }
        for (prefix, base) in places {
            for name in imported(&s.code, &prefix) {
                let wanted = [format!("{base}/{name}.rs"), format!("{base}/{name}/mod.rs")];
                let found = inside.iter().find(|o| wanted.contains(&o.path));
                // What stands behind a room's name is a file of it, else its own text.
                let found = match found {
                    Some(o) if prefix.starts_with("crate::") && is_room(&o.path) => None,
                    None if prefix.starts_with("crate::") => {
                        let own = format!("{base}/mod.rs");
                        inside.iter().find(|o| o.path == own && is_room(&own))
                    }
                    found => found,
                };
                to.extend(found.map(|o| o.path.clone()));
            }
        }
        for (at, w) in words(&s.code) {
            let method = s.code[..at].ends_with('.') && s.code[at + w.len()..].starts_with('(');
            if method
                && let Some(home) = homes.get(w)
                && home.len() == 1
            {
                to.extend(home.iter().map(|h| (*h).to_owned()));
            }
        }
        to.remove(&s.path);
        graph.insert(s.path.clone(), to);
    }
    graph
}

/// Names of variables and fields that are hash maps or sets.
fn hashed(code: &str) -> BTreeSet<String> {
    let kinds = ["HashMap", "HashSet", "FxHashMap", "FxHashSet"];
    let mut out = BTreeSet::new();
    for (at, _) in words(code).filter(|(_, w)| kinds.contains(w)) {
        let line = code[..at].rsplit('\n').next().unwrap_or_default();
        // `name: &HashMap`, `let mut name = HashMap::new()`, `RefCell<HashMap`
        let Some(cut) = line.rfind(": ").or_else(|| line.rfind(" = ")) else {
            continue;
        };
        let between = &line[cut..];
        if between.contains("->") || between.contains("Vec<") || between.contains('(') {
            continue;
        }
        let name = words(&line[..cut]).last().map(|(_, w)| w.to_owned());
        out.extend(name.filter(|n| n != "self"));
    }
    out
}

/// Whether the name at a place is iterated over: `for x in &name {`, `name.values()`, ...
fn is_iterated(code: &str, at: usize, name: &str) -> bool {
    let rest = &code[at + name.len()..];
    let rest = rest.trim_start();
    let rest = ["borrow()", "borrow_mut()", "read()", "lock()"]
        .iter()
        .find_map(|b| rest.strip_prefix(&format!(".{b}")))
        .unwrap_or(rest)
        .trim_start();
    let methods = [
        ".iter()",
        ".iter_mut()",
        ".keys()",
        ".values()",
        ".values_mut()",
        ".into_iter()",
        ".into_values()",
        ".into_keys()",
        ".drain(",
    ];
    let line = code[..at].rsplit('\n').next().unwrap_or_default();
    let in_for = line.trim_start().starts_with("for ")
        && line.contains(" in ")
        && !line.contains('(')
        && rest.starts_with('{');
    in_for || methods.iter().any(|m| rest.starts_with(m))
}

fn means_something_else(path: &str, word: &str) -> bool {
    let here = OTHER_MEANINGS.iter().filter(|(p, _)| path.starts_with(p));
    here.flat_map(|(_, words)| words.split(' '))
        .any(|w| w == word)
}

/// String literals of a text that are the name of an intrinsic procedure.
fn intrinsic_names(s: &Source) -> usize {
    let mut count = 0;
    for line in s.text.lines() {
        let comment = line.trim_start().starts_with("//");
        let literals = line.split('"').skip(1).step_by(2);
        let known = literals.filter(|l| {
            !comment
                && l.len() > 2
                && !means_something_else(&s.path, l)
                && l.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
                && intrinsics::find(l).is_some()
        });
        count += known.count();
    }
    count
}

/// What does not hold, as `rule: what`.
fn violations(all: &[Source]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let parts: BTreeSet<&str> = all.iter().map(|s| s.part.as_str()).collect();
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for s in all {
        let may = MAY_KNOW.iter().find(|(p, _)| *p == s.part);
        let Some((_, may)) = may else {
            out.insert(format!("place: src/{} has no row in MAY_KNOW", s.part));
            continue;
        };
        let known = imported(&s.code, "crate::");
        for to in known
            .iter()
            .filter(|k| parts.contains(k.as_str()) && **k != s.part)
        {
            graph.entry(s.part.clone()).or_default().insert(to.clone());
            let above = |to: &String| {
                let there = all.iter().find(|o| o.part == *to).and_then(|o| o.layer);
                there > s.layer && s.layer.is_some()
            };
            if above(to) {
                out.insert(format!("layer: {} imports {to}, of a layer above", s.path));
            }
            if !may.contains(&to.as_str()) {
                out.insert(format!("import: {} imports {to}", s.path));
            }
        }
        let outside = [
            "std::fs",
            "std::process",
            "std::env",
            "fs::read",
            "fs::write",
            "File::open",
            "Command::new",
            "std::thread",
            "ThreadPoolBuilder",
        ];
        if s.layer == Some(0) && outside.iter().any(|w| s.code.contains(w)) {
            out.insert(format!(
                "outside: {} touches files, processes, threads or the environment",
                s.path
            ));
        }
        if s.lines > MAX_FILE {
            out.insert(format!("file: {} has more than {MAX_FILE} lines", s.path));
        }
        for f in functions(&s.code) {
            if f.lines > MAX_FUNCTION {
                out.insert(format!(
                    "function: {} {} has more than {MAX_FUNCTION} lines",
                    s.path, f.name
                ));
            }
            if f.parameters > MAX_PARAMETERS {
                out.insert(format!(
                    "parameters: {} {} has more than {MAX_PARAMETERS}",
                    s.path, f.name
                ));
            }
        }
        let names = intrinsic_names(s);
        if names > 0 && !INTRINSIC_TABLES.contains(&s.path.as_str()) {
            out.insert(format!(
                "intrinsic: {} names intrinsic procedures as strings",
                s.path
            ));
        }
        let maps = hashed(&s.code);
        for (at, w) in words(&s.code) {
            if maps.contains(w) && is_iterated(&s.code, at, w) {
                out.insert(format!("hash: {} iterates over the hash map {w}", s.path));
            }
        }
    }
    let mut rooms: BTreeMap<&str, usize> = BTreeMap::new();
    for s in all.iter().filter(|s| ROOMS.contains(&s.part.as_str())) {
        if let Some((room, file)) = s.path.rsplit_once('/')
            && file != "mod.rs"
        {
            *rooms.entry(room).or_default() += 1;
        }
    }
    for (room, files) in rooms {
        if files > MAX_ROOM {
            out.insert(format!("room: {room} has more than {MAX_ROOM} files"));
        }
    }
    let cycle = largest_cycle(&graph);
    if !cycle.is_empty() {
        out.insert(format!("cycle: {} import each other", cycle.join(", ")));
    }
    for part in parts {
        let cycle = largest_cycle(&files_of(part, all));
        if cycle.len() > MAX_CYCLE {
            out.insert(format!(
                "cycle: more than {MAX_CYCLE} files of {part} use each other: {}",
                cycle.join(", ")
            ));
        }
    }
    out
}

#[test]
fn the_sources_are_as_the_document_says() {
    let path = root().join("tests/architecture-exceptions.txt");
    let text = fs::read_to_string(&path).unwrap();
    let comment = |l: &&str| l.starts_with('#') || l.is_empty();
    let listed: BTreeSet<String> = text
        .lines()
        .filter(|l| !comment(l))
        .map(str::to_owned)
        .collect();
    let found = violations(&sources());
    let new: Vec<&String> = found.difference(&listed).collect();
    let gone: Vec<&String> = listed.difference(&found).collect();
    if std::env::var_os("UPDATE_ARCHITECTURE").is_some() {
        let mut kept: Vec<&str> = text.lines().filter(comment).collect();
        kept.extend(listed.intersection(&found).map(String::as_str));
        fs::write(&path, kept.join("\n") + "\n").unwrap();
    } else {
        assert!(
            gone.is_empty(),
            "no longer so, UPDATE_ARCHITECTURE=1 takes them out:\n{gone:#?}"
        );
    }
    assert!(new.is_empty(), "against docs/architecture.md:\n{new:#?}");
}

#[test]
fn numbers() {
    let all = sources();
    let mut lines: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for s in &all {
        let e = lines.entry(&s.part).or_default();
        *e = (e.0 + 1, e.1 + s.lines);
    }
    println!("{:<12} {:>6} {:>7}", "part", "files", "lines");
    for (part, (files, n)) in &lines {
        println!("{part:<12} {files:>6} {n:>7}");
    }
    for part in LARGE {
        let graph = files_of(part, &all);
        let cycle = largest_cycle(&graph);
        println!(
            "largest cycle of {part}: {} of {} files: {}",
            cycle.len(),
            graph.len(),
            cycle.join(", ")
        );
    }
    let functions: Vec<Function> = all.iter().flat_map(|s| functions(&s.code)).collect();
    let count = |f: &dyn Fn(&Function) -> bool| functions.iter().filter(|x| f(x)).count();
    println!(
        "functions: {}, over {MAX_FUNCTION} lines: {}, over {MAX_PARAMETERS} parameters: {}",
        functions.len(),
        count(&|f| f.lines > MAX_FUNCTION),
        count(&|f| f.parameters > MAX_PARAMETERS)
    );
    println!(
        "files over {MAX_FILE} lines: {}",
        all.iter().filter(|s| s.lines > MAX_FILE).count()
    );
    let names: usize = all
        .iter()
        .filter(|s| !INTRINSIC_TABLES.contains(&s.path.as_str()))
        .map(intrinsic_names)
        .sum();
    println!("names of intrinsic procedures as strings outside of their table: {names}");
    assert!(functions.len() > 1000 && functions.iter().any(|f| f.parameters > 5));
}

/// The files that CONTRIBUTING.md shows are there.
#[test]
fn the_examples_of_contributing_exist() {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |w: &&str| w.contains('/') && !w.contains([' ', '*', ':']);
    let missing: Vec<&str> = quoted
        .filter(is_path)
        .filter(|w| !["build/", "cuf2cu x.cuf out/"].contains(w) && !root().join(w).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The readers of this test read what they should.
#[test]
fn the_readers_find_what_they_look_for() {
    let code = blanked(
        "use crate::{ast::Span, sema::{model, typed}, ir};\nlet a = \"crate::host\"; // crate::emit\nlet c = '\"'; crate::abi::x();\n",
    );
    let names: Vec<String> = imported(&code, "crate::").into_iter().collect();
    assert_eq!(names, ["abi", "ast", "ir", "sema"]);
    let text = "impl A {\n    pub(super) fn f<T: Fn(u8) -> u8>(&mut self, a: &[u8], b: Vec<(u8, u8)>) -> u8 {\n        1\n    }\n}\n";
    let f = functions(text);
    assert_eq!(
        (f[0].name.as_str(), f[0].lines, f[0].parameters),
        ("f", 3, 3)
    );
    let code = "let mut seen: FxHashMap<u8, u8> = FxHashMap::default();\nfor x in &seen {\n}\n";
    let map = hashed(code);
    assert!(map.contains("seen"));
    assert!(words(code).any(|(at, w)| w == "seen" && is_iterated(code, at, w)));
    let edge = |a: &str, b: &str| (a.to_owned(), BTreeSet::from([b.to_owned()]));
    let graph = BTreeMap::from([
        edge("a", "b"),
        edge("b", "c"),
        edge("c", "a"),
        edge("d", "a"),
    ]);
    assert_eq!(largest_cycle(&graph), ["a", "b", "c"]);
}
