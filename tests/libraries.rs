//! The libraries of CUDA: their whole modules compile, the emulations of the cpu target have the procedures of the tables with the same
//! arguments, and docs/libraries.md is what the tables say (UPDATE_DOCS=1 writes it anew).

mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cuf2cu::driver::libraries::of_toolkit;
use cuf2cu::driver::toolchain::find_cuda;
use cuf2cu::libraries::{self, Kind, Library, Memory, Procedure, Shape};
use cuf2cu::translate::{SourceInput, TranslateOptions, translate};
use rayon::prelude::*;

fn folder(name: &str) -> PathBuf {
    let folder = suite::build_folder().join("libraries").join(name);
    fs::create_dir_all(&folder).expect("the build folder can be written");
    folder
}

fn run(command: &mut Command) {
    let output = command.output().expect("the compiler starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && text.is_empty(),
        "{command:?}\n{text}"
    );
}

/// All modules whole, as CUDA Fortran is translated, in an order that compiles.
#[test]
fn whole_modules_compile() {
    let used: BTreeSet<&str> = libraries::all().map(|l| l.module.as_str()).collect();
    let inputs: Vec<SourceInput> = libraries::sources(&used, None)
        .into_iter()
        .map(|(module, text)| SourceInput {
            path: format!("{module}.cuf").into(),
            relative: format!("{module}.cuf").into(),
            bytes: text.into_bytes(),
        })
        .collect();
    let order: Vec<String> = inputs
        .iter()
        .map(|i| i.path.with_extension("f90").display().to_string())
        .collect();
    let translation = translate(inputs, &TranslateOptions::default());
    assert!(
        translation.diagnostics.is_empty(),
        "{:#?}",
        translation.diagnostics
    );
    let place = folder("modules");
    let mut files: Vec<PathBuf> = Vec::new();
    let modules =
        cuf2cu::driver::runtime::modules::fortran_modules().expect("the templates render");
    for (name, text) in modules {
        let path = place.join(name.replace('/', "_"));
        fs::write(&path, text).expect("it can be written");
        files.push(path);
    }
    for file in &translation.files {
        fs::write(place.join(&file.path), &file.contents).expect("it can be written");
    }
    files.extend(order.iter().map(|name| place.join(name)));
    for file in files {
        let mut command = Command::new("gfortran");
        command.args([
            "-fsyntax-only",
            "-ffree-line-length-none",
            "-fbackslash",
            "-fopenmp",
            "-J",
        ]);
        run(command
            .arg(&place)
            .arg("-I")
            .arg(&place)
            .arg(&file)
            .current_dir(&place));
    }
}

/// The way an argument is passed in C: a letter that stands for register and size.
fn passed(kind: &Kind) -> char {
    match kind {
        Kind::Int | Kind::Choice(_) => 'i',
        Kind::Index => 'l',
        Kind::Stream => 's',
        Kind::Value(code) => match code.as_str() {
            "r4" => 'f',
            "r8" => 'd',
            "i8" => 'l',
            "i4" | "l4" => 'i',
            "char" | "i1" => 'b',
            _ => 'v',
        },
        Kind::Structure(name) => {
            let types = libraries::all().flat_map(|l| &l.types);
            let mut components = types.filter(|t| t.name.eq_ignore_ascii_case(name));
            match components.next() {
                // An enumeration, of which the module makes a type.
                Some(t) if t.components == "member:i4" => 'i',
                Some(t) if !t.components.is_empty() => 'v',
                _ => 'p',
            }
        }
        _ => 'p',
    }
}

/// The procedures that are C functions, each symbol once.
fn functions(library: &Library) -> Vec<&Procedure> {
    let mut seen = BTreeSet::new();
    let offered = library
        .procedures
        .iter()
        .filter(|p| p.is_offered() && !p.fortran);
    offered.filter(|p| seen.insert(p.symbol.as_str())).collect()
}

/// C++ that compares the declarations of functions with the table.
fn comparison(functions: &[&Procedure]) -> String {
    let mut text = String::from(CATEGORIES);
    for p in functions {
        let result = p.result.as_ref().map_or('n', passed);
        let arguments: String = p.arguments.iter().map(|a| passed(&a.kind)).collect();
        let _ = writeln!(
            text,
            "static_assert(fits(&{0}, \"{result}{arguments}\"), \"{0}\");",
            p.symbol
        );
    }
    text
}

/// The headers of cuBLAS have these twice for C++.
const OVERLOADED: [&str; 3] = [
    "cublasGemmEx",
    "cublasGemmBatchedEx",
    "cublasGemmStridedBatchedEx",
];

const CATEGORIES: &str = r#"
#include <string_view>
#include <type_traits>
template <class T>
constexpr bool is_passed(char as)
{
    if constexpr (std::is_void_v<T>) return as == 'n';
    else if constexpr (std::is_pointer_v<T>) return as == 'p' || as == 's';
    else if constexpr (std::is_same_v<T, float>) return as == 'f';
    else if constexpr (std::is_same_v<T, double>) return as == 'd';
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) return as == (sizeof(T) == 1 ? 'b' : sizeof(T) == 4 ? 'i' : 'l') || (sizeof(T) == 8 && as == 's');
    else return as == 'v';
}
template <class R, class... A>
constexpr bool fits(R (*)(A...), std::string_view as)
{
    if (as.size() != sizeof...(A) + 1 || !is_passed<R>(as[0])) return false;
    std::size_t i = 0;
    return (is_passed<A>(as[++i]) && ...);
}
"#;

/// The files of a library's emulation.
fn emulation(library: &Library) -> Vec<PathBuf> {
    let runtime = suite::root().join("runtime-headers");
    let mut files = Vec::new();
    for place in ["cpu/libraries", "host/libraries"] {
        let entries = fs::read_dir(runtime.join(place))
            .into_iter()
            .flatten()
            .flatten();
        let own = |p: &PathBuf| {
            let name = p.file_name().unwrap_or_default().to_string_lossy();
            let start = name.split(['_', '.']).next();
            name.ends_with(".cpp") && start.is_some_and(|s| library.module.starts_with(s))
        };
        files.extend(entries.map(|e| e.path()).filter(own));
    }
    files.sort();
    files
}

/// The words of a file of an emulation after its macros are expanded, without those of the headers that it includes.
fn words_of(file: &Path) -> BTreeSet<String> {
    let mut command = Command::new("g++");
    command.args(["-std=c++20", "-E", "-DCUF_TARGET_CPU", "-I"]);
    command.arg(suite::root().join("runtime-headers")).arg(file);
    let output = command.output().expect("g++ starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let own = format!("\"{}\"", file.display());
    let mut words = BTreeSet::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("# ") {
            inside = line.contains(&own);
        } else if inside {
            words.extend(libraries::words(line).map(str::to_owned));
        }
    }
    words
}

#[test]
fn emulations_have_the_procedures_of_the_tables() {
    let mut missing = String::new();
    let mut units: Vec<(PathBuf, String)> = Vec::new();
    for library in libraries::all() {
        let mut left = functions(library);
        for file in emulation(library) {
            let words = words_of(&file);
            let (here, elsewhere): (Vec<_>, Vec<_>) =
                (left.into_iter()).partition(|p| words.contains(&p.symbol));
            left = elsewhere;
            if here.is_empty() {
                continue;
            }
            let text = format!("#include \"{}\"\n{}", file.display(), comparison(&here));
            units.push((file, text));
        }
        for p in left {
            let _ = writeln!(missing, "{} is in no emulation", p.symbol);
        }
    }
    let compare = |(file, text): &(PathBuf, String)| {
        let path = folder("emulations").join(file.file_name().unwrap_or_default());
        fs::write(&path, text).expect("it can be written");
        let mut command = Command::new("g++");
        command.args([
            "-std=c++20",
            "-Wall",
            "-Wextra",
            "-fsyntax-only",
            "-DCUF_TARGET_CPU",
            "-I",
        ]);
        command
            .arg(suite::root().join("runtime-headers"))
            .arg(&path);
        let output = command.output().expect("g++ starts");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let wrong: String = units.par_iter().map(compare).collect();
    assert!(wrong.is_empty() && missing.is_empty(), "{missing}{wrong}");
}

/// Functions of a library that is a header.
#[test]
fn functions_of_headers_are_in_the_runtime() {
    for library in libraries::all().filter(|l| !l.functions.is_empty()) {
        let words: BTreeSet<String> = emulation(library)
            .iter()
            .flat_map(|f| words_of(f))
            .collect();
        let missing = library.functions.iter().find(|f| !words.contains(*f));
        assert_eq!(missing, None, "of {}", library.module);
    }
}

/// Folders with headers of CUDA: those that `LIBRARY_HEADERS` names (scripts/check-libraries), and the toolkit's.
fn header_folders() -> Vec<PathBuf> {
    let named = std::env::var("LIBRARY_HEADERS").unwrap_or_default();
    let named = named.split(':').filter(|f| !f.is_empty());
    let mut folders: Vec<PathBuf> = named.map(PathBuf::from).collect();
    let toolkit = find_cuda().map(|c| c.library_folder);
    let built = Some(suite::root().join("build/cuda/lib"));
    let roots = [toolkit, built].into_iter().flatten();
    folders.extend(roots.filter_map(|l| Some(l.parent()?.join("include"))));
    folders
}

/// Every library whose header is installed. cuRAND's comes with the compiler (scripts/install-toolchain), those of all with `--cuda-libraries`;
/// if `LIBRARY_HEADERS` is set, none may be missing.
#[test]
fn headers_have_the_procedures_of_the_tables() {
    let folders = header_folders();
    let all = std::env::var_os("LIBRARY_HEADERS").is_some();
    let mut wrong = String::new();
    let mut compared = Vec::new();
    for library in libraries::all().filter(|l| !l.header.is_empty()) {
        if !all && !folders.iter().any(|f| f.join(&library.header).is_file()) {
            continue;
        }
        compared.push(library.module.as_str());
        let mut functions = functions(library);
        functions.retain(|p| !OVERLOADED.contains(&p.symbol.as_str()));
        let text = format!("#include <{}>\n{}", library.header, comparison(&functions));
        let path = folder("headers").join(format!("{}.cpp", library.module));
        fs::write(&path, text).expect("it can be written");
        let mut command = Command::new("g++");
        command.args([
            "-std=c++20",
            "-Wno-deprecated-declarations",
            "-fsyntax-only",
        ]);
        for folder in &folders {
            command.arg("-I").arg(folder);
        }
        let output = command.arg(&path).output().expect("g++ starts");
        wrong.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        compared.contains(&"curand"),
        "curand.h was not found: make test installs it"
    );
}

#[test]
fn the_document_is_what_the_tables_say() {
    let path = suite::root().join("docs/libraries.md");
    let old = fs::read_to_string(&path).unwrap_or_default();
    let (head, _) = old.split_once(MARK).unwrap_or((&old, ""));
    let new = format!("{head}{MARK}\n{}", tables());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, new).expect("it can be written");
        return;
    }
    assert!(
        old == new,
        "docs/libraries.md is old: UPDATE_DOCS=1 cargo test --test libraries"
    );
}

const MARK: &str = "<!-- from the tables -->";

/// The words of each conformance program that uses a library.
fn words_of_programs() -> BTreeMap<String, BTreeSet<String>> {
    let mut programs = BTreeMap::new();
    for p in suite::programs() {
        let mut words = BTreeSet::new();
        let mut add = |path: &Path| {
            let text = fs::read(path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text).into_owned();
            words.extend(libraries::words(&text).map(str::to_ascii_lowercase));
        };
        if p.source.is_dir() {
            for entry in fs::read_dir(&p.source).into_iter().flatten().flatten() {
                add(&entry.path());
            }
        } else {
            add(&p.source);
        }
        programs.insert(p.name.clone(), words);
    }
    programs
}

/// One table a library, one row an entry.
fn tables() -> String {
    let programs = words_of_programs();
    let mut text = String::new();
    for library in libraries::all() {
        if library.procedures.is_empty() {
            continue;
        }
        let linked = of_toolkit(&[library]).join(", ");
        let linked = if linked.is_empty() {
            "nothing"
        } else {
            &linked
        };
        let archives = match library.archives.join(", ") {
            names if names.is_empty() => names,
            names => format!(" (`--static-libs`: {names})"),
        };
        let needed = library.cpu.join(", ");
        let needed = if needed.is_empty() {
            "nothing"
        } else {
            &needed
        };
        let _ = writeln!(
            text,
            "\n## {} (`use {}`)\n\nOn a GPU it links {linked}{archives}, on the cpu target it needs {needed}.\n\n| procedures | arguments | state | programs |\n| --- | --- | --- | --- |",
            library.title, library.module
        );
        let mut at = 0;
        while at < library.procedures.len() {
            let first = &library.procedures[at];
            let same = library.procedures[at..]
                .iter()
                .take_while(|p| p.entry == first.entry);
            let of_entry: Vec<&Procedure> = same.collect();
            at += of_entry.len();
            let _ = writeln!(text, "{}", row(&of_entry, &programs));
        }
    }
    text
}

fn row(entry: &[&Procedure], programs: &BTreeMap<String, BTreeSet<String>>) -> String {
    let first = entry[0];
    let mut names: Vec<String> = entry.iter().map(|p| format!("`{}`", p.name)).collect();
    names.dedup();
    let mut called: BTreeSet<String> = entry.iter().map(|p| p.name.to_ascii_lowercase()).collect();
    if first.legacy.is_some() && first.is_offered() {
        let plain: Vec<String> = (entry.iter())
            .map(|p| format!("`{}`", libraries::plain_name(&p.name)))
            .collect();
        names.push(format!("also without handle: {}", plain.join(", ")));
        for p in entry {
            called.insert(libraries::plain_name(&p.name));
            called.insert(libraries::legacy_name(&p.name).to_ascii_lowercase());
        }
    }
    let arguments = first.written.join(", ");
    let state = match (&first.refused, first.until, first.since) {
        (Some(why), ..) => format!("refused: {why}"),
        (_, Some(last), _) => match &first.instead {
            Some(i) => format!("until CUDA {last}, then `{i}`"),
            None => format!("until CUDA {last}"),
        },
        (_, _, Some(first)) => format!("both, from CUDA {first}"),
        _ => "both".to_owned(),
    };
    let testing: Vec<&str> = (programs.iter())
        .filter(|(_, words)| called.iter().any(|c| words.contains(c)))
        .map(|(name, _)| name.as_str())
        .take(3)
        .collect();
    format!(
        "| {} | {arguments} | {state} | {} |",
        names.join(", "),
        testing.join(", ")
    )
}

/// What a dummy takes is said in one word, so that tables cannot say it in two.
#[test]
fn arguments_by_reference_have_a_memory() {
    for library in libraries::all() {
        for p in &library.procedures {
            for a in &p.arguments {
                let by_value = matches!(
                    a.kind,
                    Kind::Int
                        | Kind::Index
                        | Kind::Stream
                        | Kind::Pointer
                        | Kind::Choice(_)
                        | Kind::Value(_)
                        | Kind::Structure(_)
                );
                let plain = a.shape == Shape::Scalar && a.memory == Memory::Host;
                assert!(!by_value || plain, "{}: {}", p.name, a.name);
            }
        }
    }
}
