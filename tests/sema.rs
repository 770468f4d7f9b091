//! The semantic analysis over the conformance programs: none that must pass has a finding, and every one that must be
//! refused has a finding at its line with its words (where the syntax pass has not refused it already).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cuf2cu::driver::Target;
use cuf2cu::sema::{self, Finding, Input};
use cuf2cu::translate::Dialect;
use cuf2cu::{ast, libraries, source, syntax};

/// A conformance program: its sources in order.
struct Program {
    name: String,
    expect: String,
    dialect: Dialect,
    files: Vec<PathBuf>,
}

fn header(text: &str, key: &str) -> Option<String> {
    text.lines().take(12).find_map(|l| {
        let rest = l.trim_start().strip_prefix(['!', 'c', 'C'])?.trim_start();
        Some(rest.strip_prefix(key)?.strip_prefix(':')?.trim().to_owned())
    })
}

fn programs() -> Vec<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut out = Vec::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|e| e.path().is_dir())
        .flat_map(|d| std::fs::read_dir(d.path()).into_iter().flatten().flatten())
        .map(|e| e.path())
        .collect();
    entries.sort();
    for path in entries {
        let free = |p: &Path| {
            p.extension()
                .is_some_and(|e| matches!(e.to_str(), Some("cuf" | "f90" | "F90")))
        };
        let (main, files) = if path.is_dir() {
            let main = path.join("main.cuf");
            let text = std::fs::read_to_string(&main).unwrap_or_default();
            let files = header(&text, "files").unwrap_or_default();
            let files: Vec<PathBuf> = files.split_whitespace().map(|f| path.join(f)).collect();
            (main, files)
        } else {
            (path.clone(), vec![path.clone()])
        };
        let includes = |f: &PathBuf| {
            let text = std::fs::read(f).unwrap_or_default();
            String::from_utf8_lossy(&text)
                .lines()
                .any(|l| l.trim_start().starts_with("include ") || l.starts_with('#'))
        };
        // Include files and macros are the source pass's.
        if files.iter().any(includes) || files.is_empty() || !files.iter().all(|f| free(f)) {
            continue;
        }
        let text = std::fs::read(&main).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        out.push(Program {
            name: path.display().to_string(),
            expect: header(&text, "expect").unwrap_or_default(),
            dialect: dialect(&header(&text, "flags").unwrap_or_default()),
            files,
        });
    }
    out
}

/// The language that the flags of a header say.
fn dialect(flags: &str) -> Dialect {
    let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    let options = cuf2cu::cli::options_of(&flags, Target::Cpu);
    options
        .unwrap_or_else(|e| panic!("{flags:?}: {e}"))
        .0
        .dialect
}

struct Analysed {
    syntax_errors: usize,
    /// Line and message.
    findings: Vec<(usize, String)>,
}

/// The modules of CUDA's libraries that the sources name.
fn library_modules(sources: &[source::SourceText]) -> Vec<source::SourceText> {
    let words: BTreeSet<String> = sources
        .iter()
        .flat_map(|s| libraries::words(&s.text))
        .map(str::to_ascii_lowercase)
        .collect();
    let used = libraries::all().map(|l| l.module.as_str());
    let used: BTreeSet<&str> = used.filter(|m| words.contains(*m)).collect();
    let modules = libraries::sources(&used, Some(&words));
    let read = |(module, text): (&str, String)| {
        let path = format!("cuf/{module}.cuf");
        source::from_bytes(Path::new(&path), text.as_bytes()).ok()
    };
    modules.into_iter().filter_map(read).collect()
}

fn analyse(p: &Program) -> Analysed {
    let mut sources: Vec<source::SourceText> = p
        .files
        .iter()
        .filter_map(|f| source::from_bytes(f, &std::fs::read(f).ok()?).ok())
        .collect();
    let own = sources.len();
    let libraries = library_modules(&sources);
    sources.extend(libraries);
    let mut syntax_errors = 0;
    let trees: Vec<ast::File> = sources
        .iter()
        .map(|s| {
            let (file, errors) = syntax::parse(&s.text);
            syntax_errors += errors.len();
            file
        })
        .collect();
    let paths: Vec<String> = sources
        .iter()
        .map(|s| s.path.display().to_string())
        .collect();
    let inputs: Vec<Input> = sources
        .iter()
        .zip(&trees)
        .zip(&paths)
        .enumerate()
        .map(|(i, ((s, ast), path))| Input {
            path,
            text: &s.text,
            ast,
            library: i >= own,
        })
        .collect();
    let (model, mut findings) = sema::analyze(&inputs, p.dialect);
    findings.extend(sema::check(&model, &inputs));
    let place = |f: &Finding| {
        let text = &sources[f.file.0 as usize].text;
        let line = text[..f.span.start as usize].matches('\n').count() + 1;
        (line, format!("{} {}", f.code, f.message))
    };
    Analysed {
        syntax_errors,
        findings: findings.iter().map(place).collect(),
    }
}

#[test]
fn programs_that_pass_have_no_finding() {
    let mut wrong = Vec::new();
    for p in programs().iter().filter(|p| p.expect == "pass") {
        // Macros of the command line are not given here.
        if p.name.ends_with("sentinel_forms.F90") {
            continue;
        }
        // OpenACC becomes CUDA Fortran before a program is analysed; this test does not do that.
        if p.dialect.openacc {
            continue;
        }
        let a = analyse(p);
        if a.syntax_errors == 0 {
            // Warnings, and right: device data of an external procedure without an interface, a directive apart from its loop,
            // constant memory for an argument in device memory, an interface body with another shape, launches that are to fail,
            // assignments to sections in CUF loops, copies between elements of different sizes. Types with parameters become types of
            // their own (CUF0465 if they cannot) before a program is analysed; this test does not do that.
            let right = [
                "CUF0215",
                "CUF0216",
                "CUF0360",
                "CUF0371",
                "CUF0398",
                "CUF0399",
                "CUF0467",
                "CUF0465",
                "CUF0468",
                "CUF0470",
                "CUF0482",
                "CUF0484",
                "CUF0502",
                "CUF0368 ",
                "CUF0369 complex data",
            ];
            let unseen = |m: &String| !right.iter().any(|code| m.starts_with(code));
            for (line, message) in a.findings.into_iter().filter(|(_, m)| unseen(m)) {
                wrong.push(format!("{}:{line}: {message}", p.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}: \n{}", wrong.len(), wrong.join("\n"));
}

/// Refused by the lowering, which this test does not run.
const LATER: &[&str] = &[
    "bound_operation_memories",
    "bad_data_init",
    "device_data_statement",
    "host_device_initialised",
    "initialised_local_changed",
    "neg_changed_by_function",
    "neg_format_statement",
    "neg_ignore_tkr_entry",
    "neg_prefix_in_expression",
    "neg_component_array",
    "neg_unified_component",
    "neg_statement_function",
    "neg_strided_with_barrier",
    "stream_of_host_reduction",
    "stream_in_device_code",
    "pipeline_copy_types",
    "bulk_copy_arguments",
    "class_star_component",
    "class_star_copied",
    "owner_bound_assignment",
    "owner_branch",
    "owner_hidden",
    "owner_result_nowhere",
    "owner_by_value",
    "owner_elements",
    "owner_entry_result",
    "owner_in_where",
    "owner_recursive_result",
    "bad_procedure_pointer",
    "openmp_private",
    "bad_equivalence",
    "kernel_as_module_procedure",
    "device_complex_order",
    "device_kind_of_variable",
    "bound_generic_memories",
    "entry_with_device_data",
    "device_in_forall",
    "device_vector_subscript",
    "child_local_data",
    "module_not_given",
    "neg_structure_on_device",
    "device_rule_",
    "neg_strided_with_barrier",
    "stream_of_host_reduction",
    "stream_in_device_code",
    "constant_through_dummy",
    "device_real_16",
    "kind_argument_",
    "kind_of_",
    "kind_undeclared_",
    "cuf_extremum_otherwise",
    "cuf_value_jumped_over",
    "openmp_before_cuf_loop",
    "neg_carried_through_",
    "neg_changed_by_subroutine",
    "neg_compaction",
    "neg_first_iteration_assigns",
    "neg_flag_ends_work",
    "neg_place_of_largest",
    "neg_pointer_to_private",
    "neg_previous_value",
    "neg_reduction_used",
    "neg_segmented_sum",
    "neg_values_exchanged",
    "neg_undescribed_object",
    "openmp_clause_array",
    "openmp_taskloop_copies",
    "neg_defined_assignment_in_where",
    "neg_integer_sum_of_reals",
    "neg_device_text_of_components",
    "openmp_module_data_in_loop",
    "neg_acc_is_off",
    "neg_integer_kinds",
];

#[test]
fn refused_programs_have_their_finding() {
    let mut wrong = Vec::new();
    for p in programs() {
        if p.dialect.openacc || LATER.iter().any(|l| p.name.contains(l)) {
            continue;
        }
        let Some(expected) = p.expect.strip_prefix("diagnostic") else {
            continue;
        };
        let (line, words) = expected
            .trim()
            .split_once(' ')
            .unwrap_or((expected.trim(), ""));
        let line: usize = line.parse().unwrap_or(0);
        let a = analyse(&p);
        if a.syntax_errors > 0 {
            continue;
        }
        let hit = a.findings.iter().any(|(l, m)| {
            let m = m.to_lowercase();
            *l == line
                && words
                    .split(',')
                    .all(|w| m.contains(&w.trim().to_lowercase()))
        });
        if !hit {
            wrong.push(format!(
                "{}: wants {line} {words}, has {:?}",
                p.name, a.findings
            ));
        }
    }
    assert!(wrong.is_empty(), "{}: \n{}", wrong.len(), wrong.join("\n"));
}

/// Findings of sources given as path and text: code and the text it points to.
fn findings(files: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let sources: Vec<source::SourceText> = files
        .iter()
        .filter_map(|(p, t)| source::from_bytes(Path::new(p), t.as_bytes()).ok())
        .collect();
    let trees: Vec<ast::File> = sources.iter().map(|s| syntax::parse(&s.text).0).collect();
    let inputs: Vec<Input> = files
        .iter()
        .zip(&sources)
        .zip(&trees)
        .map(|(((path, _), s), ast)| Input {
            path,
            text: &s.text,
            ast,
            library: false,
        })
        .collect();
    let (_, found) = sema::analyze(&inputs, Default::default());
    found
        .iter()
        .map(|f| {
            let text = &sources[f.file.0 as usize].text;
            let shown = &text[f.span.start as usize..f.span.end as usize];
            (f.code, shown.to_owned())
        })
        .collect()
}

fn one(code: &'static str, text: &str) -> Vec<(&'static str, String)> {
    vec![(code, text.to_owned())]
}

#[test]
fn names_and_declarations() {
    let undeclared = "subroutine s\n implicit none\n integer :: i\n i = j + sin(1.0)\nend\n";
    assert_eq!(findings(&[("a", undeclared)]), one("CUF0201", "j"));
    let twice = "subroutine s\n integer :: i\n real :: i\nend\n";
    assert_eq!(findings(&[("a", twice)]), one("CUF0202", "i"));
    let no_type = "subroutine s\n type(nothing) :: x\nend\n";
    assert_eq!(findings(&[("a", no_type)]), one("CUF0203", "nothing"));
    let misspelt = "subroutine s\n use cudafr\nend\n";
    assert_eq!(findings(&[("a", misspelt)]), one("CUF0204", "cudafr"));
    let not_there = "module m\n integer, private :: p\nend\nsubroutine s\n use m, only: p\nend\n";
    assert_eq!(findings(&[("a", not_there)]), one("CUF0206", "p"));
}

#[test]
fn names_of_unknown_modules_are_not_reported() {
    let text = "module wrap\n use mpi\nend\nsubroutine s\n use wrap\n implicit none\n integer :: i\n \
                i = MPI_COMM_WORLD\n call MPI_Init(i)\nend\n";
    assert_eq!(findings(&[("a", text)]), []);
    let include =
        "subroutine s\n implicit none\n include 'mpif.h'\n integer :: i\n i = MPI_SUM\nend\n";
    assert_eq!(findings(&[("a", include)]), []);
}

#[test]
fn modules_in_any_order_and_cycles() {
    let user = (
        "b.cuf",
        "subroutine s\n use m, only: k => n\n implicit none\n integer :: a(k)\nend\n",
    );
    let module = ("z.cuf", "module m\n integer, parameter :: n = 3\nend\n");
    assert_eq!(findings(&[user, module]), []);
    let a = ("a.cuf", "module a\n use b\nend\n");
    let b = ("b.cuf", "module b\n use a\nend\n");
    let codes: Vec<&str> = findings(&[a, b]).iter().map(|f| f.0).collect();
    assert_eq!(codes, ["CUF0205", "CUF0205"]);
}

#[test]
fn modules_of_one_name_in_several_programs() {
    let first = (
        "x/one.cuf",
        "module m\n integer :: n\nend\nprogram p\n use m\n implicit none\n n = 1\nend\n",
    );
    let second = (
        "y/two.cuf",
        "module m\n integer :: k\nend\nprogram p\n use m\n implicit none\n k = 1\nend\n",
    );
    assert_eq!(findings(&[first, second]), []);
}
