//! The procedures of the runtime API (guide chapter 4): the table that checks and host code go by is what module cudafor declares,
//! wrong arguments give their messages, and docs/runtime-api.md names for each procedure programs that call it. With UPDATE_DOCS=1 the
//! last columns of that document are written anew.

mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cuf2cu::driver::runtime::modules::fortran_modules;
use cuf2cu::sema::library::runtime_api::{PROCEDURES, ParamKind};
use cuf2cu::sema::library::runtime_constants::CONSTANTS;
use cuf2cu::translate::{SourceInput, TranslateOptions, translate};
use suite::{Expect, Program};

/// Procedures of cudafor beside the table: their results are not error codes.
const WITH_OTHER_RESULTS: [&str; 4] = [
    "cudadatatype",
    "cudaforgetdefaultstream",
    "cudageterrorname",
    "cudageterrorstring",
];

/// A dummy argument as module cudafor declares it.
#[derive(Debug, PartialEq, Eq)]
struct Declared {
    /// The type in lower case: `type(*)`, `integer(c_int)`, ...
    ty: String,
    optional: bool,
}

/// The functions of module cudafor by name, in lower case, with their dummies in order.
fn declared() -> BTreeMap<String, Vec<(String, Declared)>> {
    let [_, (_, text), _] = fortran_modules().expect("the templates render");
    let text = text.to_ascii_lowercase().replace("&\n", " ");
    let mut functions = BTreeMap::new();
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some((_, rest)) = line
            .split_once("function ")
            .filter(|(before, _)| !before.contains("end"))
        else {
            continue;
        };
        let Some((name, rest)) = rest.split_once('(') else {
            continue;
        };
        let dummies: Vec<String> = rest
            .split(')')
            .next()
            .unwrap_or_default()
            .split(',')
            .map(|d| d.trim().to_owned())
            .filter(|d| !d.is_empty())
            .collect();
        let mut types: BTreeMap<String, Declared> = BTreeMap::new();
        for declaration in lines
            .by_ref()
            .take_while(|l| !l.starts_with("end function"))
        {
            let Some((what, names)) = declaration.split_once("::") else {
                continue;
            };
            let ty = what.split(',').next().unwrap_or_default().trim().to_owned();
            for name in names.split(',') {
                let name = name.split('(').next().unwrap_or_default().trim();
                let optional = what.contains("optional");
                let ty = ty.clone();
                types.insert(name.to_owned(), Declared { ty, optional });
            }
        }
        let in_order = dummies
            .into_iter()
            .filter_map(|d| types.remove(&d).map(|t| (d, t)));
        functions.insert(name.trim().to_owned(), in_order.collect());
    }
    functions
}

/// The public names of module cudafor that belong to chapter 4.
fn public_names(functions: &BTreeMap<String, Vec<(String, Declared)>>) -> BTreeSet<String> {
    let specific = |n: &str| {
        let generic = n.split('_').next().unwrap_or_default();
        generic.to_owned()
    };
    let names = functions.keys().filter(|n| n.starts_with("cuda"));
    names.map(|n| specific(n)).collect()
}

/// The type that a dummy of the table has in Fortran.
fn fortran_type(takes: ParamKind) -> String {
    match takes {
        t if t.any_type() => "type(*)".to_owned(),
        ParamKind::Default | ParamKind::SetsDefault | ParamKind::Defaults => "integer".to_owned(),
        ParamKind::SetsStream => "type(*)".to_owned(),
        ParamKind::SetsTime => "real(c_float)".to_owned(),
        ParamKind::Double => "real(real64)".to_owned(),
        ParamKind::AllocatesPitched => "type(cudapitchedptr)".to_owned(),
        ParamKind::Structure(name) | ParamKind::SetsStructure(name) => format!("type({name})"),
        _ => "type(c_devptr)".to_owned(),
    }
}

#[test]
fn the_table_is_what_cudafor_declares() {
    let functions = declared();
    let in_table: BTreeSet<String> = (PROCEDURES.iter().map(|p| p.name.to_owned()))
        .chain(WITH_OTHER_RESULTS.map(str::to_owned))
        .collect();
    assert_eq!(in_table, public_names(&functions));
    for p in PROCEDURES {
        // Of a generic the procedure for addresses, or for the derived type.
        let forms = ["", "_raw", "_pitched"].map(|s| format!("{}{s}", p.name));
        let found = forms.iter().find_map(|f| functions.get(f));
        let found = found.unwrap_or_else(|| panic!("{} is not in cudafor", p.name));
        let names: Vec<&str> = found.iter().map(|(n, _)| n.as_str()).collect();
        let expected: Vec<&str> = p.dummies.iter().map(|d| d.name).collect();
        assert_eq!(names, expected, "dummies of {}", p.name);
        for (d, (_, is)) in p.dummies.iter().zip(found) {
            let wanted = fortran_type(d.takes);
            let ty = match wanted.as_str() {
                "integer" => is.ty.split('(').next().unwrap_or_default(),
                _ => is.ty.as_str(),
            };
            assert_eq!(
                (ty, is.optional),
                (wanted.as_str(), d.optional),
                "{} of {}",
                d.name,
                p.name
            );
        }
    }
}

/// The integer constants of module cudafor with their values.
fn declared_constants() -> BTreeMap<String, i64> {
    let [_, (_, text), _] = fortran_modules().expect("the templates render");
    let text = text.to_ascii_lowercase().replace("&\n", " ");
    let kinds = BTreeMap::from([("c_int64_t", 8), ("c_int", 4)]);
    text.lines()
        .map(str::trim)
        .filter(|l| l.starts_with("integer"))
        .filter_map(|l| l.split_once("parameter ::"))
        .flat_map(|(_, list)| list.split(','))
        .filter_map(|item| item.split_once('='))
        .map(|(name, value)| {
            let value = value.trim();
            let number = kinds.get(value).copied().or_else(|| value.parse().ok());
            (name.trim().to_owned(), number.expect("a number"))
        })
        .collect()
}

#[test]
fn the_constants_are_what_cudafor_declares() {
    let table: BTreeMap<String, i64> = CONSTANTS
        .iter()
        .filter_map(|(name, value)| Some(((*name).to_owned(), (*value)?)))
        .collect();
    assert_eq!(table, declared_constants());
}

/// What stands around the statements of `WRONG`.
const DECLARATIONS: &str = "
module m
  use cudafor
  use iso_c_binding
  implicit none
  real, device, allocatable :: a_d(:), plane_d(:,:)
  real, device :: fixed_d(10)
  real, allocatable, target :: x(:)
  integer, device :: number_d
  integer(8), device :: wide_d
  integer :: istat, n, some(3)
  integer(8) :: long
  logical :: truth
  real :: r
  type(cudaEvent) :: event, events(3)
  type(cudaGraph) :: graph
  type(cudaGraphExec) :: exec
  type(cudaDeviceProp) :: prop
  type(cudaFuncAttributes) :: attr
  type(cudaArrayPtr) :: array
  integer(kind=cuda_stream_kind) :: stream
  type(c_ptr) :: address
  interface either
    module procedure kernel, other
  end interface
contains
  attributes(global) subroutine kernel(a)
    real :: a(*)
    a(1) = 1
  end subroutine
  attributes(global) subroutine other(a)
    integer :: a(*)
    a(1) = 1
  end subroutine
  attributes(device) subroutine inner(a)
    real :: a(*)
    a(1) = 1
  end subroutine
  subroutine host(a)
    real :: a(*)
    a(1) = 1
  end subroutine
  subroutine test
    STATEMENT
  end subroutine
end module
";

/// Statements with a mistake, and the message.
const WRONG: &[(&str, &str)] = &[
    (
        "istat = cudaStreamSynchronize(event)",
        "CUF0210 argument `stream` of `cudaStreamSynchronize` must be an integer, but type(cudaevent) is passed",
    ),
    (
        "istat = cudaEventRecord(stream, 0)",
        "CUF0210 argument `event` of `cudaEventRecord` must be type(cudaevent), but integer(8) is passed",
    ),
    (
        "istat = cudaGraphLaunch(graph, stream)",
        "CUF0210 argument `graphexec` of `cudaGraphLaunch` must be type(cudagraphexec), but type(cudagraph) is passed",
    ),
    (
        "istat = cudaFuncGetAttributes(attr, host)",
        "CUF0210 argument `func` of `cudaFuncGetAttributes` must be a kernel, but `host` is a host procedure",
    ),
    (
        "istat = cudaFuncSetCacheConfig(inner, 1)",
        "CUF0210 argument `func` of `cudaFuncSetCacheConfig` must be a kernel, but `inner` is a device procedure",
    ),
    (
        "istat = cudaFuncSetCacheConfig(either, 1)",
        "CUF0210 argument `func` of `cudaFuncSetCacheConfig` must be a kernel, but `either` is the name of several procedures",
    ),
    (
        "istat = cudaFuncSetCacheConfig(n, 1)",
        "CUF0210 argument `func` of `cudaFuncSetCacheConfig` must be a kernel, but integer(4) is passed",
    ),
    (
        "istat = cudaMalloc(x, 10)",
        "CUF0367 host variable `x` is passed as argument `devptr` of `cudaMalloc`, which must be device data",
    ),
    (
        "istat = cudaMalloc(fixed_d, 10)",
        "CUF0210 argument `devptr` of `cudaMalloc` must be allocatable or a pointer, but `fixed_d` is neither",
    ),
    (
        "istat = cudaMalloc(plane_d, 10)",
        "CUF0210 argument `devptr` of `cudaMalloc` has rank 1, but the actual argument has rank 2",
    ),
    (
        "istat = cudaMallocPitch(a_d, long, 10, 10)",
        "CUF0210 argument `devptr` of `cudaMallocPitch` has rank 2, but the actual argument has rank 1",
    ),
    (
        "istat = cudaMalloc3D(address, cudaExtent(1, 1, 1))",
        "CUF0210 argument `pitchptr` of `cudaMalloc3D` must be type(cudapitchedptr), but type(c_ptr) is passed",
    ),
    (
        "istat = cudaFree(x)",
        "CUF0367 host variable `x` is passed as argument `devptr` of `cudaFree`, which must be device data",
    ),
    (
        "istat = cudaMemset(x, 0.0, 10)",
        "CUF0367 host variable `x` is passed as argument `devptr` of `cudaMemset`, which must be device data",
    ),
    (
        "istat = cudaMemset(1.0, 0.0, 1)",
        "CUF0367 host expression is passed as argument `devptr` of `cudaMemset`, which must be device data",
    ),
    (
        "istat = cudaMemcpyPeer(a_d, 1, x, 0, 10)",
        "CUF0367 host variable `x` is passed as argument `src` of `cudaMemcpyPeer`, which must be device data",
    ),
    (
        "istat = cudaGetSymbolSize(n, x)",
        "CUF0367 host variable `x` is passed as argument `symbol` of `cudaGetSymbolSize`, which must be device data",
    ),
    (
        "istat = cudaGetDevice(number_d)",
        "CUF0365 device variable `number_d` is passed as argument `devnum` of `cudaGetDevice`, which must be host data",
    ),
    (
        "istat = cudaHostRegister(x, 40, 0)",
        "CUF0210 argument `hostptr` of `cudaHostRegister` must be type(c_ptr), but real(4) is passed",
    ),
    (
        "istat = cudaHostRegister(c_devloc(a_d), 40, 0)",
        "CUF0365 device variable `a_d` is passed as argument `hostptr` of `cudaHostRegister`, which must be host data",
    ),
    (
        "istat = cudaHostAlloc(x, 40, 0)",
        "CUF0210 argument `hostptr` of `cudaHostAlloc` must be type(c_ptr), but real(4) is passed",
    ),
    (
        "istat = cudaSetDevice(long)",
        "CUF0210 argument `devnum` of `cudaSetDevice` must be integer(4), but integer(8) is passed",
    ),
    (
        "istat = cudaGetDevice(long)",
        "CUF0210 argument `devnum` of `cudaGetDevice` must be integer(4), but integer(8) is passed",
    ),
    (
        "istat = cudaGetDevice(1)",
        "CUF0210 argument `devnum` of `cudaGetDevice` is modified, so the actual argument must be a variable",
    ),
    (
        "istat = cudaMemcpy(a_d, x, 2.5)",
        "CUF0210 argument `count` of `cudaMemcpy` must be an integer, but real(4) is passed",
    ),
    (
        "istat = cudaMemcpy(a_d, x, some)",
        "CUF0210 argument `count` of `cudaMemcpy` must be a scalar, but an array is passed",
    ),
    (
        "istat = cudaGetDevice(some)",
        "CUF0210 argument `devnum` of `cudaGetDevice` must be a scalar, but an array is passed",
    ),
    (
        "istat = cudaEventCreate(events)",
        "CUF0210 argument `event` of `cudaEventCreate` must be a scalar, but an array is passed",
    ),
    (
        "istat = cudaMemcpy(a_d, [1d0, 2d0], 2)",
        "CUF0210 arguments of `cudaMemcpy` must have the same type: `dst` is real(4), but `src` is real(8)",
    ),
    (
        "istat = cudaMemcpyPeer(a_d, 1, wide_d, 0, 1)",
        "CUF0210 arguments of `cudaMemcpyPeer` must have the same type: `dst` is real(4), but `src` is integer(8)",
    ),
    (
        "istat = cudaMemcpyToSymbol(fixed_d, long, 1, 0)",
        "CUF0210 arguments of `cudaMemcpyToSymbol` must have the same type: `symbol` is real(4), but `src` is integer(8)",
    ),
    (
        "istat = cudaMemcpy(a_d, event, 1)",
        "CUF0210 argument `src` of `cudaMemcpy` must be data or an address, but type(cudaevent) is passed",
    ),
    (
        "istat = cudaMemcpy(a_d, host, 1)",
        "CUF0210 argument `src` of `cudaMemcpy` is not a procedure, but procedure `host` is passed",
    ),
    (
        "istat = cudaMemcpyToArray(a_d, 0, 0, x, 10)",
        "CUF0210 argument `dsta` of `cudaMemcpyToArray` must be type(cudaarrayptr), but real(4) is passed",
    ),
    (
        "istat = cudaEventElapsedTime(n, event, event)",
        "CUF0210 argument `time` of `cudaEventElapsedTime` must be real(4), but integer(4) is passed",
    ),
    (
        "istat = cudaStreamCreate(n)",
        "CUF0368 `n` is too small for a stream handle",
    ),
    (
        "istat = cudaStreamCreate(r)",
        "CUF0210 argument `stream` of `cudaStreamCreate` must be integer(kind=cuda_stream_kind), but real(4) is passed",
    ),
    (
        "istat = cudaGetDeviceProperties(attr, 0)",
        "CUF0210 argument `prop` of `cudaGetDeviceProperties` must be type(cudadeviceprop), but type(cudafuncattributes) is passed",
    ),
    (
        "istat = cudaforSetDefaultStream(a_d)",
        "CUF0210 argument `devptr` of `cudaforSetDefaultStream` also requires a stream argument",
    ),
    (
        "istat = cudaforSetDefaultStream(x, stream)",
        "CUF0367 host variable `x` is passed as argument `devptr` of `cudaforSetDefaultStream`, which must be device data",
    ),
    (
        "istat = cudaSetValidDevices(n, 1)",
        "CUF0210 argument `devices` of `cudaSetValidDevices` must be an array of integer(4), but integer(4) is passed",
    ),
    (
        "istat = cudaMemcpy(a_d, x)",
        "CUF0210 argument `count` of `cudaMemcpy` is missing",
    ),
    (
        "istat = cudaSetDevice",
        "CUF0210 argument `devnum` of `cudaSetDevice` is missing",
    ),
    (
        "istat = cudaSetDevice(0, 1)",
        "CUF0210 too many arguments to `cudaSetDevice`",
    ),
    (
        "istat = cudaSetDevice(number=0)",
        "CUF0210 `cudaSetDevice` has no argument `number`",
    ),
    (
        "istat = cudaMemcpy(a_d, x, 10, count=10)",
        "CUF0210 argument `count` of `cudaMemcpy` is specified twice",
    ),
    (
        "call cudaDeviceSynchronize()",
        "CUF0210 `cudaDeviceSynchronize` is a function that returns an error code",
    ),
    (
        "if (istat == cudaErrorOfNoKind) istat = 0",
        "CUF0201 `cudaErrorOfNoKind` is not in module cudafor",
    ),
    (
        "istat = cudaStreamGetFlags(stream, n)",
        "CUF0201 `cudaStreamGetFlags` is not in module cudafor",
    ),
];

/// Statements without one, which are near those with one.
const RIGHT: &[&str] = &[
    "istat = cudaStreamSynchronize(0)",
    "istat = cudaSetDevice(number_d)",
    "istat = cudaMalloc(a_d, long)",
    "istat = cudaMemcpy(a_d, x + 1, 10)",
    "istat = cudaMemcpy(a_d, c_loc(x), 40)",
    "istat = cudaMemcpyToSymbol(address, some, 3, 0)",
    // Numbers of one size are copied as they are.
    "istat = cudaMemcpyToSymbol(fixed_d, some, 3, 0)",
    "istat = cudaMemcpyPeer(a_d, 1, number_d, 0, 1)",
    "istat = cudaEventCreate(events(2))",
    "istat = cudaMemcpy(a_d, x, 10, cudaMemcpyHostToDevice)",
    "istat = cudaMemcpyAsync(a_d, x, 10, stream)",
    "istat = cudaMemcpyAsync(a_d, x, 10, stream=stream)",
    "istat = cudaHostRegister(c_loc(x), 40, 0)",
    "istat = cudaFuncGetAttributes(attr, 'kernel')",
    "istat = cudaFuncGetAttributes(func=kernel, attr=attr)",
    "istat = cudaforSetDefaultStream(stream)",
    "istat = cudaDeviceSynchronize",
    "istat = cudaDeviceCanAccessPeer(n, 0, 1)",
    "istat = cudaMemset(fixed_d, 0, 10)",
];

/// The error messages of a translation of `DECLARATIONS` with a statement.
fn messages(statement: &str) -> Vec<String> {
    let text = DECLARATIONS.replace("STATEMENT", statement);
    let input = SourceInput {
        path: PathBuf::from("example.cuf"),
        relative: PathBuf::from("example.cuf"),
        bytes: text.into_bytes(),
    };
    let translation = translate(vec![input], &TranslateOptions::default());
    let shown = translation.diagnostics.iter();
    shown.map(|d| format!("{} {}", d.code, d.message)).collect()
}

#[test]
fn wrong_arguments_have_their_messages() {
    for (statement, message) in WRONG {
        assert_eq!(messages(statement), [*message], "{statement}");
    }
}

#[test]
fn right_arguments_are_accepted() {
    for statement in RIGHT {
        assert_eq!(messages(statement), Vec::<String>::new(), "{statement}");
    }
}

const DOCUMENT: &str = "docs/runtime-api.md";

/// The programs that run on the cpu target and pass, and those that passed on a GPU.
struct Passing {
    cpu: BTreeSet<String>,
    gpu: BTreeSet<String>,
}

fn passing(programs: &[Program]) -> Passing {
    let failing =
        suite::report::expected_failures(&suite::root().join("tests/expected-failures.txt"));
    let on_cpu = |p: &&Program| {
        let device = ["gpu", "cc70", "cc90", "multi-gpu"];
        p.expect == Expect::Pass
            && !device.iter().any(|w| p.needs(w))
            && !failing.contains_key(&p.name)
    };
    let notes = fs::read_to_string(suite::root().join("tests/gpu-passed.txt")).unwrap_or_default();
    let named = notes.lines().filter(|l| !l.starts_with('#'));
    Passing {
        cpu: programs
            .iter()
            .filter(on_cpu)
            .map(|p| p.name.clone())
            .collect(),
        gpu: named.map(|l| l.trim().to_owned()).collect(),
    }
}

/// The text of a program without its comments, in lower case.
fn statements(source: &Path) -> String {
    let files = match source.is_dir() {
        true => fs::read_dir(source)
            .expect("the program's folder")
            .flatten()
            .map(|e| e.path())
            .collect(),
        false => vec![source.to_path_buf()],
    };
    let text: String = files
        .iter()
        .filter_map(|f| fs::read_to_string(f).ok())
        .collect();
    let lines = text.lines().filter(|l| !l.trim_start().starts_with('!'));
    lines.collect::<Vec<_>>().join("\n").to_ascii_lowercase()
}

fn mentions(text: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name)
    })
}

/// The document with its last columns as the programs are, and what is wrong in the others.
fn judged(document: &str, programs: &[Program]) -> (String, Vec<String>) {
    let passing = passing(programs);
    let mut wrong = Vec::new();
    let mut out = String::new();
    let yes = |set: &BTreeSet<String>, name: &str| if set.contains(name) { "yes" } else { "-" };
    for line in document.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [procedure, form, program, _, _] = cells[..] else {
            out += &format!("{line}\n");
            continue;
        };
        if !procedure.starts_with("cuda") {
            out += &format!("{line}\n");
            continue;
        }
        let name = match program.contains('/') {
            true => program.to_owned(),
            false => format!("runtime-api/{program}"),
        };
        match programs.iter().find(|p| p.name == name) {
            None => wrong.push(format!("{procedure}: no program named {name}")),
            Some(p) if !mentions(&statements(&p.source), &procedure.to_ascii_lowercase()) => {
                wrong.push(format!("{procedure}: {name} does not call it"));
            }
            Some(_) => {}
        }
        let (cpu, gpu) = (yes(&passing.cpu, &name), yes(&passing.gpu, &name));
        out += &format!("| {procedure} | {form} | {program} | {cpu} | {gpu} |\n");
    }
    (out, wrong)
}

#[test]
fn every_procedure_has_programs() {
    let path = suite::root().join(DOCUMENT);
    let document = fs::read_to_string(&path).expect(DOCUMENT);
    let (written, wrong) = judged(&document, &suite::programs());
    assert!(wrong.is_empty(), "{wrong:#?}");
    let documented: BTreeSet<String> = document
        .lines()
        .filter_map(|l| l.strip_prefix("| cuda"))
        .filter_map(|l| l.split(' ').next())
        .map(|n| format!("cuda{n}").to_ascii_lowercase())
        .collect();
    assert_eq!(documented, public_names(&declared()));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, written).expect(DOCUMENT);
    } else {
        assert!(
            written == document,
            "UPDATE_DOCS=1 cargo test --test runtime_api"
        );
    }
}
