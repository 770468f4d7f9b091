//! The source map: every statement once, every token of device code with a place or a rule, the same output with and without it.

mod code;
#[path = "../suite/mod.rs"]
mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cuf2cu::map::{self, Disposition, Output, OutputKind, Place, RULES, Rule, Segment, SourceMap};
use cuf2cu::translate::{IncludeReader, SourceInput, TranslateOptions, Translation, translate};

/// The files that a map speaks of, as they are on disk.
struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    fn of(map: &SourceMap, path: impl Fn(&str) -> Option<Vec<u8>>) -> Files {
        let read = |s: &map::Source| Some((s.path.clone(), path(&s.path)?));
        Files(map.sources.iter().filter_map(read).collect())
    }

    fn text(&self, map: &SourceMap, p: Place) -> &[u8] {
        let path = &map.sources[p.file as usize].path;
        // What cuf2cu brings along is on no disk.
        let Some(bytes) = self.0.get(path) else {
            return &[];
        };
        bytes
            .get(p.start as usize..p.end as usize)
            .unwrap_or_else(|| panic!("{path}: {p:?} is not in it"))
    }
}

/// What does not hold of a translation's map, in words.
fn faults(t: &Translation, files: &Files, openmp: bool) -> Vec<String> {
    let map = t.map.as_ref().unwrap();
    let mut out = Vec::new();
    for n in 0..map.sources.len() {
        code_faults(map, n, files, openmp, &mut out);
    }
    for (s, account) in map.sources.iter().zip(&t.report.files) {
        statement_faults(map, s, account, files, &mut out);
    }
    for o in &map.outputs {
        let file = t.files.iter().find(|f| f.path == Path::new(&o.path));
        output_faults(map, o, &file.unwrap().contents, files, &mut out);
    }
    out
}

fn statement_faults(
    map: &SourceMap,
    s: &map::Source,
    account: &cuf2cu::FileAccount,
    files: &Files,
    out: &mut Vec<String>,
) {
    let count = |fate| s.statements.iter().filter(|x| x.fate == fate).count();
    let sums = [
        Disposition::Kept,
        Disposition::Translated,
        Disposition::Refused,
    ]
    .map(count);
    if sums != [account.kept, account.translated, account.refused] {
        out.push(format!("{}: the account is another", s.path));
    }
    let mut own: Vec<Place> = Vec::new();
    for x in &s.statements {
        files.text(map, x.place);
        own.extend((map.sources[x.place.file as usize].path == s.path).then_some(x.place));
    }
    // Macros expand to several statements.
    if !s.statements.iter().any(|x| x.expanded) {
        for pair in own.windows(2) {
            if pair[0].end > pair[1].start {
                out.push(format!("{}: {:?} overlap", s.path, pair));
            }
        }
    }
}

/// Whether a file is preprocessed whatever it is called.
fn has_directives(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().filter_map(|l| l.strip_prefix('#'));
    let words = ["if", "define", "include", "undef"];
    lines.any(|l| words.iter().any(|w| l.trim_start().starts_with(w)))
}

/// What of a file's code is not in exactly one statement of the map: the map's statements must be those that [`code`] reads from the bytes,
/// from their first to their last.
fn code_faults(map: &SourceMap, n: usize, files: &Files, openmp: bool, out: &mut Vec<String>) {
    let source = &map.sources[n];
    let Some(bytes) = files.0.get(&source.path) else {
        return;
    };
    let is_here = |s: &&map::Statement| s.place.file as usize == n && s.place.start < s.place.end;
    // An included file is read as those that include it.
    let mut readers = map
        .sources
        .iter()
        .filter(|s| s.statements.iter().any(|x| is_here(&x)));
    let reader = if source.included {
        readers.next()
    } else {
        Some(source)
    };
    let Some(reader) = reader else {
        return;
    };
    let extension = Path::new(&reader.path)
        .extension()
        .unwrap_or_default()
        .to_string_lossy();
    let form = code::Form {
        fixed: ["f", "for", "ftn"].contains(&extension.to_ascii_lowercase().as_str()),
        preprocessed: extension.starts_with(char::is_uppercase) || has_directives(bytes),
        openmp,
    };
    // Of UTF-16, whose ASCII characters are enough here, every other byte is 0.
    let wide = bytes.strip_prefix(b"\xff\xfe");
    let narrow: Option<Vec<u8>> = wide.map(|b| b.iter().copied().step_by(2).collect());
    let mut read = code::read(narrow.as_deref().unwrap_or(bytes), form);
    if wide.is_some() {
        for w in &mut read.statements {
            (w.start, w.end) = (2 + 2 * w.start, 2 + 2 * w.end);
        }
    }
    let all = map
        .sources
        .iter()
        .filter(|s| source.included || s.path == source.path);
    let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut expanded: BTreeSet<(usize, usize)> = BTreeSet::new();
    for x in all.flat_map(|s| &s.statements).filter(is_here) {
        let place = (x.place.start as usize, x.place.end as usize);
        *places.entry(place).or_default() += 1;
        expanded.extend(x.expanded.then_some(place));
    }
    let mut taken = vec![None; read.branches.len()];
    for ways in read.statements.chunk_by(|a, b| a.start == b.start) {
        // One that conditionals cut has one of several ends.
        let found = ways.iter().find(|w| places.contains_key(&(w.start, w.end)));
        let Some(w) = found.or(ways.last()) else {
            continue;
        };
        let times = places.remove(&(w.start, w.end)).unwrap_or(0);
        // A macro that expands to several statements.
        let inside = |p: &(usize, usize)| w.start <= p.0 && p.1 <= w.end;
        let parts = expanded
            .iter()
            .filter(|p| inside(p) && **p != (w.start, w.end))
            .count();
        let once = match times {
            0 => parts > 0,
            1 => parts == 0,
            _ => source.included || expanded.contains(&(w.start, w.end)),
        };
        let text = String::from_utf8_lossy(&bytes[w.start..w.end]);
        let line = 1 + bytes[..w.start].iter().filter(|b| **b == b'\n').count();
        let branch = taken.get_mut(w.branch).unwrap();
        // Of a branch that the preprocessor left out no statement is in the map.
        let first = *branch.get_or_insert(once || w.branch == 0);
        if first != once {
            out.push(format!(
                "{}:{line}: in {times} statements: {text}",
                source.path
            ));
        }
    }
    places.retain(|p, _| !expanded.contains(p));
    for (start, end) in places.into_keys() {
        let text = String::from_utf8_lossy(&bytes[start..end]);
        out.push(format!("{}: no statement: {text}", source.path));
    }
    for (n, b) in read
        .branches
        .iter()
        .enumerate()
        .filter(|(_, b)| b.otherwise)
    {
        let same = |m: &usize| read.branches[*m].chain == b.chain;
        let branches = (1..=n).filter(same).map(|m| taken[m]);
        let known: Option<Vec<bool>> = branches.collect();
        let around = b.parent == 0 || taken[b.parent] == Some(true);
        let one = |k: Vec<bool>| k.iter().filter(|t| **t).count() == 1;
        if around && !source.included && known.is_some_and(|k| !one(k)) {
            out.push(format!(
                "{}: not one branch of conditional {}",
                source.path, b.chain
            ));
        }
    }
}

fn output_faults(map: &SourceMap, o: &Output, bytes: &[u8], files: &Files, out: &mut Vec<String>) {
    let mut at = 0;
    let mut fault = |what: &str, s: &Segment| {
        let text = String::from_utf8_lossy(
            bytes
                .get(s.start as usize..s.end as usize)
                .unwrap_or_default(),
        );
        out.push(format!("{}: {what}: {text} {s:?}", o.path));
    };
    let blank = |from: usize, to: usize| bytes[from..to].iter().all(u8::is_ascii_whitespace);
    for s in &o.segments {
        if (s.start as usize) < at || s.end <= s.start || s.end as usize > bytes.len() {
            fault("segments out of order", s);
            return;
        }
        if !blank(at, s.start as usize) {
            fault("something before it has no segment", s);
        }
        at = s.end as usize;
        let text = String::from_utf8_lossy(&bytes[s.start as usize..at]);
        let device = matches!(o.kind, OutputKind::DeviceSource | OutputKind::DeviceHeader);
        match s.place {
            Some(p) => {
                files.text(map, p);
                let statement = s
                    .statement
                    .map(|n| &map.sources[o.source as usize].statements[n as usize]);
                if let Some(q) = statement.map(|x| x.place)
                    && !(q.file == p.file && q.start <= p.start && p.end <= q.end)
                    && !s.expanded
                    && s.rule != Rule::Copied
                {
                    fault("the place is not in the statement", s);
                }
            }
            None if device && !may_be_without(s.rule, &text) => fault("no place", s),
            None => {}
        }
    }
    if !blank(at, bytes.len()) {
        out.push(format!("{}: the end has no segment", o.path));
    }
}

/// Device code that no line of the program says.
fn may_be_without(rule: Rule, text: &str) -> bool {
    match rule {
        Rule::Comment => text.starts_with('/'),
        Rule::Frame => {
            let begins = [
                "//",
                "#",
                "namespace ",
                "}  // ",
                "extern \"C\" ",
                "using ",
                "CUF_",
            ];
            begins.iter().any(|b| text.starts_with(b))
        }
        Rule::Prototype => true,
        Rule::LineTable => text.starts_with('#'),
        _ => false,
    }
}

fn with_map(options: TranslateOptions) -> TranslateOptions {
    TranslateOptions {
        source_map: true,
        ..options
    }
}

#[test]
fn conformance_programs_and_samples() {
    let mut programs = suite::programs();
    programs.extend(suite::samples());
    // The reading of texts here does not know that a backslash may come before a quotation mark.
    programs.retain(|p| p.name != "program-structure/escapes_of_nvfortran");
    // The definitions of types with parameters are replaced before anything reads the program: no statement of the user's is left there.
    programs.retain(|p| p.name != "memory/parameterized_types");
    // What stands in a construct with an error is not translated.
    programs.retain(|p| !(p.flags.iter().any(|f| f == "--acc") && p.name.contains("neg_")));
    let numbered: Vec<_> = programs.iter().enumerate().collect();
    let found = suite::for_each(&numbered, suite::cores(), |(n, p)| {
        // Each translation takes its time: of every fourth also the one without a map.
        let found = std::panic::catch_unwind(|| of_program(p, n % 4 == 0));
        found.unwrap_or_else(|cause| {
            let text = cause.downcast_ref::<String>().cloned();
            vec![format!("{}: {}", p.name, text.unwrap_or_default())]
        })
    });
    let mut found: Vec<String> = found.into_iter().flatten().collect();
    found.retain(|fault| !is_replaced(fault));
    assert!(
        found.is_empty(),
        "{}:\n{}",
        found.len(),
        found[..found.len().min(60)].join("\n")
    );
}

/// Of OpenACC, array assignments in `kernels`, deallocations of declared data, and returns behind them are replaced as a whole
/// (docs/openacc.md, "Limits").
fn is_replaced(fault: &str) -> bool {
    let statement = fault.rsplit_once(" statements: ").map_or("", |(_, s)| s);
    let ends = |word: &str| statement.starts_with("if (") && statement.contains(word);
    let assigns = !statement.starts_with("if") && statement.contains(" = ");
    let of_openacc = ["openacc/", "checks/acc_"]
        .iter()
        .any(|p| fault.starts_with(p));
    of_openacc && (assigns || ends(") return") || ends(") deallocate"))
}

/// What is wrong with the map of a program, or would be another output with it, if `both` are to be compared.
fn of_program(p: &suite::Program, both: bool) -> Vec<String> {
    let Ok((_, mapped)) = p.translate_with(&with_map) else {
        return match p.translate() {
            Ok(_) => vec![format!("{}: not with a map", p.name)],
            Err(_) => Vec::new(),
        };
    };
    if both {
        let files = |t: &Translation| -> Vec<(PathBuf, Vec<u8>)> {
            let all = t.files.iter().map(|f| (f.path.clone(), f.contents.clone()));
            all.collect()
        };
        let Ok((_, plain)) = p.translate() else {
            return vec![format!("{}: only with a map", p.name)];
        };
        assert!(plain.map.is_none());
        if files(&plain) != files(&mapped) || plain.diagnostics != mapped.diagnostics {
            return vec![format!("{}: another output with a map", p.name)];
        }
    }
    let on_disk = Files::of(mapped.map.as_ref().unwrap(), |path| fs::read(path).ok());
    let openmp = p.needs("openmp");
    let found = faults(&mapped, &on_disk, openmp).into_iter();
    found.map(|f| format!("{}: {f}", p.name)).collect()
}

/// A program in one file, its include files, and options.
struct Case {
    path: &'static str,
    bytes: Vec<u8>,
    options: TranslateOptions,
}

/// An include file of the cases.
const INCLUDED: &str = "    integer :: shift ! \u{e9}\n    shift = 2*k\n";

/// Another one, which changes, and one that it includes.
const STEP: &str = "  subroutine step(x) ! \u{e9}
    real :: x(N)
#ifdef GPU
    real, device :: d(N)
    d = x + 1; x = d
#else
    x = x + 1
#endif
#include \"plain.inc\"
  end subroutine
";

fn read_include(path: &Path) -> Option<Vec<u8>> {
    let text = match path.file_name()?.to_str()? {
        "part.inc" => INCLUDED,
        "step.inc" => STEP,
        "plain.inc" => "    x = 2*x\n",
        _ => return None,
    };
    Some(text.as_bytes().to_vec())
}

impl Case {
    fn new(path: &'static str, bytes: impl Into<Vec<u8>>) -> Case {
        Case {
            path,
            bytes: bytes.into(),
            options: TranslateOptions {
                includes: IncludeReader(read_include),
                source_map: true,
                ..TranslateOptions::default()
            },
        }
    }

    /// The translation, its files, and its map's faults.
    fn translation(&self) -> (Translation, Files) {
        let source = SourceInput {
            path: self.path.into(),
            relative: self.path.into(),
            bytes: self.bytes.clone(),
        };
        let t = translate(vec![source], &self.options);
        assert!(!t.has_errors(), "{:?}", t.diagnostics);
        let files = Files::of(t.map.as_ref().unwrap(), |path| match path == self.path {
            true => Some(self.bytes.clone()),
            false => read_include(Path::new(path)),
        });
        let found = faults(&t, &files, false);
        assert!(found.is_empty(), "{}", found.join("\n"));
        (t, files)
    }

    /// Segments of the device code as text: the output's, its rule, the source's.
    fn device(&self) -> Vec<(String, Rule, String, bool)> {
        let (t, files) = self.translation();
        let map = t.map.as_ref().unwrap();
        let o = map
            .outputs
            .iter()
            .find(|o| o.kind == OutputKind::DeviceSource)
            .unwrap();
        let file = t
            .files
            .iter()
            .find(|f| f.path == Path::new(&o.path))
            .unwrap();
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        let of = |s: &Segment| {
            let own = text(&file.contents[s.start as usize..s.end as usize]);
            let source = s.place.map_or(String::new(), |p| text(files.text(map, p)));
            (own, s.rule, source, s.expanded)
        };
        o.segments.iter().map(of).collect()
    }
}

/// A kernel in which names, literals and operators have each one place.
const KERNEL: &str = "module m
contains
  attributes(global) subroutine work(alpha, beta, n) ! \u{e9}\u{fc}
    real :: alpha(*)
    real, value :: beta
    integer, value :: n
    integer :: index
    index = threadIdx%x + (blockIdx%x - 1)*blockDim%x
    if (index <= n) alpha(index) = beta*alpha(index) + 0.25 ! \u{e9}
  end subroutine
end module
";

/// What is checked of a form of [`KERNEL`]: names and literals are found in the source as they are in the output.
fn names_are_exact(case: &Case) {
    let whole: String = case.bytes.iter().map(|b| *b as char).collect();
    let mut names = 0;
    for (own, rule, source, expanded) in case.device() {
        if !matches!(rule, Rule::Name | Rule::Literal) || expanded {
            continue;
        }
        let parts = source.split(|c: char| c.is_whitespace() || c == '&' || c == '\0');
        let source: String = parts.collect();
        // Of UTF-16 the other bytes are 0.
        let own = own.trim_end_matches(['f', '_']).to_ascii_lowercase();
        assert!(
            source.to_ascii_lowercase() == own,
            "{own:?} is not {source:?}:\n{whole}"
        );
        names += 1;
    }
    assert!(names >= 6, "{names}:\n{whole}");
}

#[test]
fn forms_of_a_source() {
    let utf16 = |text: &str| -> Vec<u8> {
        let units = format!("\u{feff}{text}");
        units.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let latin1: Vec<u8> = KERNEL.chars().map(|c| c as u32 as u8).collect();
    let marked = format!("\u{feff}{KERNEL}");
    let windows = KERNEL.replace('\n', "\r\n");
    for bytes in [
        KERNEL.as_bytes().to_vec(),
        latin1,
        marked.into(),
        windows.into(),
        utf16(KERNEL),
    ] {
        names_are_exact(&Case::new("k.cuf", bytes));
    }
    // Every place between two tokens, and inside of names, where a statement can be continued; statements on one line.
    let line = "    if (index <= n) alpha(index) = beta*alpha(index) + 0.25";
    for at in 5..line.len() {
        let (head, tail) = line.split_at(at);
        let inside = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '.');
        let split = inside(head.chars().last()) && inside(tail.chars().next());
        for (end, begin) in [("&", "  &"), ("& ! \u{e9}", "\n    ! more \u{fc}\n      &")] {
            if split && end.len() > 1 {
                continue;
            }
            let cut = format!("{head}{end}\n{begin}{tail}");
            names_are_exact(&Case::new("k.cuf", KERNEL.replace(line, &cut)));
        }
    }
    let joined = KERNEL.replace("integer :: index\n    index", "integer :: index; index");
    names_are_exact(&Case::new("k.cuf", joined));
}

#[test]
fn fixed_form() {
    let fixed = "      module m
      contains
      attributes(global) subroutine work(alpha, beta, n)
      real :: alpha(*)
c     a comment
      real, value :: beta
      integer, value :: n
      integer :: index
      index = threadIdx%x + (blockIdx%x - 1)
     1  *blockDim%x
      if (index .le. n) then
   10   alpha(index) = beta*
     &alpha(index) + 0.25
      end if
      end subroutine
      end module
";
    names_are_exact(&Case::new("k.f", fixed));
}

#[test]
fn macros_and_includes() {
    let source = "#define TWICE(x) ((x) + (x))
#define FACTOR 2.5
module m
contains
  attributes(global) subroutine work(a, k)
    real :: a(*)
    integer, value :: k
    include 'part.inc'
    a(shift) = TWICE(a(k)) * FACTOR
    a(1) = FACTOR; a(k) = a(2)
  end subroutine
end module
";
    let device = Case::new("k.CUF", source).device();
    let find = |own: &str, rule: Rule| {
        let found: Vec<_> = device
            .iter()
            .filter(|s| s.0 == own && s.1 == rule)
            .collect();
        found
            .iter()
            .map(|s| (s.2.as_str(), s.3))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        find("2.5f", Rule::Literal),
        [("FACTOR", true), ("FACTOR", true)]
    );
    assert_eq!(find("2", Rule::Literal), [("2", false), ("2", false)]);
    assert_eq!(find("shift", Rule::Name)[0], ("shift", false));
    // The operands of the macro have the place of its use.
    let twice: Vec<_> = device.iter().filter(|s| s.2 == "TWICE(a(k))").collect();
    assert!(twice.len() > 5 && twice.iter().all(|s| s.3), "{device:?}");
    // The included statement is in its file, and the program's own list has it.
    let (t, _) = Case::new("k.CUF", source).translation();
    let map = t.map.unwrap();
    assert_eq!(map.sources.len(), 2);
    assert!(map.sources[1].included && map.sources[1].path.ends_with("part.inc"));
    let included = map.sources[0]
        .statements
        .iter()
        .filter(|s| s.place.file == 1);
    assert_eq!(
        included.map(|s| (s.line, s.fate)).collect::<Vec<_>>(),
        [(1, Disposition::Translated), (2, Disposition::Translated)]
    );
}

/// An included file with edits is an output of its own.
#[test]
fn included_files_are_outputs() {
    let source = "#define N 4\nmodule m\ncontains\n#include \"step.inc\"\nend module\n";
    for latin1 in [false, true] {
        let end = if latin1 { "! \u{e4}\n" } else { "" };
        let bytes = format!("{source}{end}");
        let bytes: Vec<u8> = bytes.chars().map(|c| c as u32 as u8).collect();
        let mut case = Case::new("src/k.CUF", bytes);
        case.options.macros = vec!["-DGPU".to_owned()];
        let (t, files) = case.translation();
        let map = t.map.as_ref().unwrap();
        let kinds: Vec<_> = map.outputs.iter().map(|o| (&*o.path, o.kind)).collect();
        let included = OutputKind::IncludedFortran;
        let expected = ("src/step.inc", included);
        assert!(kinds.contains(&expected), "{kinds:?}");
        assert!(!kinds.iter().any(|(p, _)| p.contains("plain")), "{kinds:?}");
        let o = map.outputs.iter().find(|o| o.kind == included).unwrap();
        let file = t.files.iter().find(|f| f.path == Path::new(&o.path));
        let contents = &file.unwrap().contents;
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        let of = |s: &Segment| {
            let own = text(&contents[s.start as usize..s.end as usize]);
            let place = s.place.map(|p| text(files.text(map, p)));
            (own, s.rule, place.unwrap_or_default())
        };
        let found: Vec<_> = o.segments.iter().map(of).collect();
        let has = |own: &str, rule: Rule, place: &str| {
            let is_it = |s: &&(String, Rule, String)| s.0 == own && s.1 == rule && s.2 == place;
            assert!(
                found.iter().any(|s| is_it(&s)),
                "{latin1} {own}: {found:#?}"
            );
        };
        has("call cuf_h2d(", Rule::Transfer, "d = x + 1");
        has("call cuf_d2h(", Rule::Transfer, "x = d");
        has("#ifdef GPU", Rule::Preprocessor, "#ifdef GPU");
        has(
            "#include \"plain.inc\"",
            Rule::Preprocessor,
            "#include \"plain.inc\"",
        );
        let plain = TranslateOptions {
            source_map: false,
            ..case.options.clone()
        };
        let input = SourceInput {
            path: case.path.into(),
            relative: case.path.into(),
            bytes: case.bytes.clone(),
        };
        let outputs = |t: Translation| {
            let files = t.files.into_iter();
            files.map(|f| (f.path, f.contents)).collect::<Vec<_>>()
        };
        assert_eq!(outputs(translate(vec![input], &plain)), outputs(t));
    }
}

/// Characters that the printer's marks are made of are nothing special in a source.
#[test]
fn characters_of_private_planes() {
    let odd = "\u{f0000}\u{100001}\u{108002}\u{10ffff}";
    let source = KERNEL
        .replace("0.25 !", &format!("0.25 ! {odd}"))
        .replace("\n    if", &format!("\n    ! {odd}\n    if"));
    let case = Case::new("k.cuf", source.as_str());
    names_are_exact(&case);
    let plain = TranslateOptions {
        source_map: false,
        ..case.options.clone()
    };
    let text = |options: &TranslateOptions| {
        let input = SourceInput {
            path: "k.cuf".into(),
            relative: "k.cuf".into(),
            bytes: source.clone().into(),
        };
        let files = translate(vec![input], options).files.into_iter();
        files.map(|f| f.contents).collect::<Vec<_>>()
    };
    assert_eq!(text(&plain), text(&case.options));
    assert!(
        text(&plain)
            .concat()
            .windows(4)
            .any(|w| w == "\u{f0000}".as_bytes())
    );
}

#[test]
fn json_and_schema() {
    let schema = map::schema();
    let path = suite::root().join("docs/source-map.schema.json");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &schema).unwrap();
    }
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        schema,
        "UPDATE_DOCS=1 cargo test --test source_map; a field that goes or changes needs another version"
    );
    let document = suite::root().join("docs/source-map.md");
    let text = fs::read_to_string(&document).unwrap();
    let begin = text.find("| rule | ").unwrap();
    let mut table = String::from("| rule | what it makes | guide |\n| --- | --- | --- |\n");
    for rule in RULES {
        let about = rule.about();
        let (name, title) = (about.name, about.title);
        table += &format!("| `{name}` | {title}: {} | {} |\n", about.text, about.guide);
    }
    let new = format!("{}{table}", &text[..begin]);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&document, &new).unwrap();
    } else {
        assert_eq!(text, new, "UPDATE_DOCS=1 cargo test --test source_map");
    }
    let names: BTreeSet<&str> = RULES.iter().map(|r| r.name()).collect();
    assert_eq!(names.len(), RULES.len());
    // The command writes what the library gives.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cuf"), KERNEL).unwrap();
    let run = |option: &[&str], out: &str| {
        let done = Command::new(env!("CARGO_BIN_EXE_cuf2cu"))
            .args(option)
            .args(["k.cuf", out])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(done.status.success());
        folder.path().join(out).join(map::FILE)
    };
    assert!(!run(&[], "without").exists());
    assert!(
        run(&["--source-map"], "without").exists(),
        "asked for later"
    );
    let written = fs::read_to_string(run(&["--source-map"], "with")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(json["version"], map::VERSION);
    let (t, _) = Case::new("k.cuf", KERNEL).translation();
    assert_eq!(written, t.map.unwrap().json());
}
