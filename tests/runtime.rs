//! The Fortran side of the runtime on the cpu target: programs that use `cuf_runtime` and `cudafor` directly.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cuf2cu::driver::runtime::modules::fortran_modules;

/// The runtime, compiled once for all programs.
struct Built {
    dir: tempfile::TempDir,
    objects: Vec<PathBuf>,
}

fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-headers")
}

fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn gfortran(dir: &Path) -> Command {
    let mut command = Command::new("gfortran");
    command.current_dir(dir).args([
        "-g",
        "-Wall",
        "-Wno-unused",
        "-Wno-unused-dummy-argument",
        "-Wno-c-binding-type",
    ]);
    command
}

fn build() -> Built {
    let dir = tempfile::tempdir().expect("temporary directory");
    let mut objects = Vec::new();
    for source in ["host/runtime.cpp", "cpu/runtime.cpp"] {
        let object = dir
            .path()
            .join(source.replace(['/', '.'], "_"))
            .with_extension("o");
        run(Command::new("g++")
            .args([
                "-std=c++20",
                "-g",
                "-Wall",
                "-Wextra",
                "-DCUF_TARGET_CPU",
                "-c",
            ])
            .arg("-I")
            .arg(headers())
            .arg(headers().join(source))
            .arg("-o")
            .arg(&object));
        objects.push(object);
    }
    for (name, text) in fortran_modules().expect("templates render") {
        let name = name.rsplit('/').next().unwrap_or(name);
        fs::write(dir.path().join(name), text).expect("written");
        run(gfortran(dir.path()).arg("-c").arg(name));
        objects.push(dir.path().join(name).with_extension("o"));
    }
    Built { dir, objects }
}

fn program(built: &Built, name: &str) -> Output {
    run(gfortran(built.dir.path())
        .args(["-fcheck=all", "-fopenmp"])
        .arg(
            headers()
                .join("tests/fortran")
                .join(name)
                .with_extension("f90"),
        )
        .args(&built.objects)
        .args(["-lstdc++", "-lpthread", "-o", name]));
    Command::new(built.dir.path().join(name))
        .output()
        .expect("runs")
}

#[test]
fn fortran_programs() {
    let built = build();
    for name in ["transfer", "api", "threads"] {
        let output = program(&built, name);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{name}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(text.trim(), format!("PASS {name}"));
    }
    for (name, message, line) in [
        (
            "bad_shapes",
            "cuf2cu runtime: assignment to a device variable: shapes differ, (3,5) = (3,4)",
            9,
        ),
        (
            "bad_allocate",
            "cuf2cu runtime: allocate: the variable is allocated already",
            7,
        ),
    ] {
        let output = program(&built, name);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let error = String::from_utf8_lossy(&output.stderr);
        let (said, place) = error.split_once("\n  at ").expect("the error has a place");
        assert_eq!(said, message);
        assert!(
            place.trim_end().ends_with(&format!("/{name}.f90:{line}")),
            "{place}"
        );
        assert!(output.stdout.is_empty(), "{name}");
    }
    let output = program(&built, "leaks");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "PASS leaks\n");
    assert!(output.stderr.is_empty());
    let output = Command::new(built.dir.path().join("leaks"))
        .env("CUF2CU_LEAKS", "1")
        .output()
        .expect("runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "cuf2cu: allocation 3 was never freed: pinned memory, 20 bytes\n\
         cuf2cu: allocation 4 was never freed: device memory, 24 bytes\n\
         cuf2cu: 2 of 4 allocations never freed, 44 bytes\n"
    );
}

/// The folders that are written hold all that their programs need: with what they gather of the runtime they compile without a warning, link
/// and run.
#[test]
fn written_folders_build() {
    let work = tempfile::tempdir().expect("temporary directory");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (source, name, option) in [
        ("samples/05_jacobi.cuf", "05_jacobi", None),
        ("samples/07_streams.cuf", "07_streams", None),
        ("samples/09_histogram.cuf", "09_histogram", None),
        // The symbols of its own CUDA C++ are assigned by name.
        (
            "tests/conformance/cuda-cxx/constants_streams_events",
            "main",
            None,
        ),
        (
            "tests/conformance/openacc/async_queues.cuf",
            "async_queues",
            Some("--acc"),
        ),
        (
            "tests/conformance/openacc/reduction_arith.cuf",
            "reduction_arith",
            Some("--acc"),
        ),
    ] {
        let out = work.path().join(name);
        let written = Command::new(env!("CARGO_BIN_EXE_cuf2cu"))
            .arg(root.join(source))
            .arg(&out)
            .args(option)
            .output()
            .expect("runs");
        assert!(written.status.success(), "{name}");
        run(Command::new("make")
            .args(["-s", "-j2", "TARGET=cpu", "OPT=-O0", "CXXFLAGS=-Wall"])
            .arg("-C")
            .arg(&out));
        run(&mut Command::new(out.join("build/cpu").join(name)));
    }
}

/// What docs/checks.md says of the planted faults in tests/conformance/checks is what their headers say.
#[test]
fn planted_faults_are_counted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut told, mut missed) = (0, 0);
    for entry in fs::read_dir(root.join("tests/conformance/checks")).unwrap() {
        let path = entry.unwrap().path();
        let source = if path.is_dir() {
            path.join("main.cuf")
        } else {
            path
        };
        let text = fs::read_to_string(source).unwrap();
        let lines = |word: &str| text.lines().filter(|l| l.starts_with(word)).count();
        told += lines("! fault ") + lines("! expect: stop ");
        missed += lines("! missed ");
    }
    let document = fs::read_to_string(root.join("docs/checks.md")).unwrap();
    let words: Vec<&str> = document.split_whitespace().collect();
    let document = words.join(" ");
    let (all, sentence) = (told + missed, "are reported with their line");
    assert!(
        document.contains(&format!("has {all} planted faults"))
            && document.contains(&format!("; {told} {sentence}")),
        "{told} of {all}"
    );
    // Fifty-seven of sixty were asked for.
    assert!(told * 60 >= all * 57);
}
