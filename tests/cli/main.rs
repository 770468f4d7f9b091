//! The command line: exit statuses, messages, what is written, and that the output does not depend on threads.

mod written;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn cuf2cu(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a correct program in src/a.cuf.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let program = "program p\n  print *, 'hello'\nend program p\n";
    fs::write(folder.path().join("src/a.cuf"), program).unwrap();
    folder
}

#[test]
fn wrong_requests_have_status_2_and_write_nothing() {
    let folder = workplace();
    let at = folder.path();
    fs::create_dir(at.join("empty")).unwrap();
    fs::create_dir(at.join("occupied")).unwrap();
    fs::write(at.join("occupied/mine.txt"), "mine").unwrap();
    fs::write(at.join("file"), "").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["src", "src"], "is the source folder"),
        (&["src", "src/out"], "inside the source folder"),
        (&["src", "."], "contains the source"),
        (&["nowhere", "out"], "cannot read nowhere"),
        (&["empty", "out"], "no Fortran source"),
        (&["src", "file"], "not a folder"),
        (&["src", "occupied"], "--force"),
        (&["src"], "missing output directory"),
        (&["explain", "CUF9999"], "no diagnostic"),
        (&["-i8", "src", "out"], "-i8: default integers"),
        (&["run", "-gpu=zeroinit", "src"], "suboption zeroinit"),
        (
            &["build", "--target", "cpu", "--mem=managed", "-flto", "src"],
            "-flto: with `--mem=managed`",
        ),
        (
            &["build", "--target", "cpu", "-fdefault-real-8", "src"],
            "changes the kind",
        ),
    ];
    for (arguments, text) in cases {
        let output = cuf2cu(arguments, at);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            message(&output).contains(text),
            "{arguments:?}: {}",
            message(&output)
        );
    }
    assert!(!at.join("out").exists());
    assert_eq!(fs::read_dir(at.join("occupied")).unwrap().count(), 1);
}

#[test]
fn the_ir_is_printed_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.cuf"), ONE_KERNEL).unwrap();
    let output = cuf2cu(&["--emit", "ir", "one.cuf"], folder.path());
    assert!(output.status.success(), "{}", message(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("unit one of one.cuf\n"), "{text}");
    assert!(text.contains("\n        a[i] = a[i] + 1.0\n"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let help = cuf2cu(&["--help"], folder.path()).stdout;
    assert!(!String::from_utf8_lossy(&help).contains("--emit"));
}

#[test]
fn bad_sources_have_status_1_and_write_nothing() {
    let folder = workplace();
    let at = folder.path();
    let kernel = "attributes(global) subroutine k(a)\n  integer :: a(*)\n  a(1) = 1\nend subroutine\n\
                  program p\n  integer, device :: a(3)\n  call k<<<1, 1>>>(a)\nend program\n";
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty.cuf", b"", "CUF0003"),
        ("binary.cuf", b"\x7fELF\0\0\0\0", "CUF0002"),
        ("text.cuf", b"Dear reader, this is a letter.\n", "CUF0101"),
        ("kernel.cuf", kernel.as_bytes(), "kernel.cuf:7:"),
    ];
    for (name, contents, text) in cases {
        fs::write(at.join(name), contents).unwrap();
        let output = cuf2cu(&[name, "out", "--error-format", "short"], at);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{name}: {}",
            message(&output)
        );
        assert!(
            message(&output).contains(text),
            "{name}: {}",
            message(&output)
        );
        assert!(!at.join("out").exists(), "{name}");
    }
}

#[test]
fn missing_tools_have_status_3() {
    let folder = workplace();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    command
        .args(["run", "src"])
        .current_dir(folder.path())
        .env("PATH", "/nonexistent");
    let output = command.env_remove("CUF2CU_FC").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        message(&output).contains("gfortran"),
        "{}",
        message(&output)
    );
}

/// All files below a folder, with their contents.
fn tree(folder: &Path, below: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder.join(below)).unwrap() {
        let entry = entry.unwrap();
        let path = below.join(entry.file_name());
        if entry.path().is_dir() {
            tree(folder, &path, files);
        } else {
            files.insert(path, fs::read(entry.path()).unwrap());
        }
    }
}

#[test]
fn output_does_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/08_particles");
    let sources = sources.display().to_string();
    let mut first = None;
    for (index, jobs) in ["1", "8", "1", "8"].into_iter().enumerate() {
        let out = format!("out{index}");
        let output = cuf2cu(&[&sources, &out, "-j", jobs], folder.path());
        assert!(output.status.success(), "{}", message(&output));
        let mut files = BTreeMap::new();
        tree(&folder.path().join(out), Path::new(""), &mut files);
        assert!(files.contains_key(Path::new("Makefile")));
        assert_eq!(*first.get_or_insert(files.clone()), files);
    }
}

/// A small tree with one of most things that `check` counts.
fn surveyed_tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("src");
    fs::create_dir(&at).unwrap();
    let module = "module m
  use cudafor
  implicit none
  real, device :: w(8)
  real, constant :: c
contains
  attributes(global) subroutine k(a)
    real :: a(*)
    real, shared :: s(8)
    integer :: i
    i = threadidx%x
    s(i) = w(i) * c
    call syncthreads()
    a(i) = s(i) + twice(a(i))
  end subroutine
  attributes(device) real function twice(x)
    real, value :: x
    twice = 2 * x
  end function
end module
";
    let main = "program p
  use m
  use cublas
  implicit none
  real, managed :: n(8)
  real, device :: a(8), b(8)
  real :: h(8)
  integer :: i, istat
#ifdef VERBOSE
  print *, 'start'
#else
  h = 0
#endif
  a = h
  b = a
  call k<<<1, 8>>>(a)
  istat = cudaMemcpy(h, a, 8)
  istat = cudaDeviceSynchronize()
  !$cuf kernel do <<<*, *>>>
  do i = 1, 8
    n(i) = a(i)
  end do
  !$cuf kernel do <<<*, *>>>
  do i = 1, 8
    n(i) = h(i)
  end do
  h = b
end program
";
    fs::write(at.join("m.cuf"), module).unwrap();
    fs::write(at.join("p.CUF"), main).unwrap();
    folder
}

#[test]
fn check_sums_up() {
    let folder = surveyed_tree();
    let output = cuf2cu(
        &["check", "src", "-v", "--error-format", "short"],
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(1));
    let error = message(&output);
    assert!(error.starts_with("src/p.CUF:25:"), "{error}");
    let expected = "\
files                      2
lines                     48
statements                44  14 kept, 29 translated, 1 refused
kernels                    1
device procedures          1
CUF loops                  2  1 with errors
kernel launches            1
transfers                  4  1 to the device, 1 to the host, 1 on the device, 1 by call

features: barriers 1, calls of the CUDA runtime 1, constant memory 1, device data 3, managed data 1,
    shared memory 1
external modules: cublas, cudafor

preprocessor branches not taken, by lines:
  src/p.CUF: 10

cannot be translated (run `cuf2cu explain CODE` for details):
  CUF0381 x1: src/p.CUF:25
";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    // Nothing is written.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn check_as_json() {
    let folder = surveyed_tree();
    let output = cuf2cu(&["check", "src", "--format", "json"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(message(&output), "");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["total"]["files"], 2);
    assert_eq!(object["total"]["cuf_loops"]["refused"], 1);
    assert_eq!(object["files"][0]["path"], "src/m.cuf");
    assert_eq!(object["files"][0]["kernels"]["found"], 1);
    assert_eq!(object["files"][1]["transfers"]["by_call"], 1);
    assert_eq!(
        object["branches_not_taken"][0]["directive"],
        "#ifdef VERBOSE"
    );
    assert_eq!(object["branches_not_taken"][0]["first"], 10);
    assert_eq!(object["diagnostics"][0]["line"], 25);

    fs::remove_file(folder.path().join("src/p.CUF")).unwrap();
    let output = cuf2cu(&["check", "src", "--format", "json"], folder.path());
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_report_names_branches_not_taken() {
    let folder = workplace();
    let program =
        "program p\n#ifdef VERBOSE\n  print *, 'hello'\n  print *, 'you'\n#endif\nend program p\n";
    fs::write(folder.path().join("src/a.CUF"), program).unwrap();
    let output = cuf2cu(&["src/a.CUF", "out"], folder.path());
    assert!(output.status.success(), "{}", message(&output));
    let mut files = BTreeMap::new();
    tree(&folder.path().join("out"), Path::new(""), &mut files);
    let named = |text: &Vec<u8>| {
        let text = String::from_utf8_lossy(text);
        text.contains("VERBOSE              not defined      free choice   src/a.CUF, line 2\n")
    };
    assert!(files.values().any(named));
}

#[test]
fn names_of_files_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let program = "program main\n  print *, 'hello'\nend program main\n";
    for name in [
        "src/x/main.cuf",
        "src/y z/main.cuf",
        "src/x.cuf",
        "src/o'(dd).cuf",
    ] {
        let path = at.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, program).unwrap();
    }
    let written = || {
        let output = cuf2cu(&["src", "out"], at);
        assert!(output.status.success(), "{}", message(&output));
        let mut files = BTreeMap::new();
        tree(&at.join("out"), Path::new(""), &mut files);
        files
    };
    let first = written();
    for name in ["x/main.f90", "y_z/main.f90", "x.f90", "o__dd_.f90"] {
        assert!(first.contains_key(Path::new(name)), "{name}");
    }
    let makefile = String::from_utf8_lossy(&first[Path::new("Makefile")]).into_owned();
    assert!(
        makefile.contains("PROGRAMS := $(B)/o__dd_ $(B)/x_main $(B)/x.x $(B)/y_z_main\n"),
        "{makefile}"
    );
    let time = || {
        fs::metadata(at.join("out/x.f90"))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = time();
    assert!(written() == first);
    assert_eq!(time(), before, "an unchanged file is not touched");
}

#[test]
fn module_files_of_another_compiler_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let module = "module m\n  integer, parameter :: n = 3\nend module m\n";
    fs::write(at.join("m.cuf"), module).unwrap();
    let program = "program p\n  use m\n  print '(i0)', n\nend program p\n";
    fs::write(at.join("p.cuf"), program).unwrap();
    fs::write(at.join("m.mod"), "V35 not gfortran's\n").unwrap();
    let output = cuf2cu(
        &[
            "run", "--target", "cpu", "--fflags", "-Iother", "m.cuf", "p.cuf",
        ],
        at,
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "3\n",
        "{}",
        message(&output)
    );
}

/// A program with one kernel, as a newcomer writes it.
const ONE_KERNEL: &str = "module m
contains
  attributes(global) subroutine add(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
    if (i <= n) a(i) = a(i) + 1.0
  end subroutine
end module
program p
  use cudafor
  use m
  real, device :: d(100)
  real :: h(100)
  h = 1.0
  d = h
  call add<<<1, 128>>>(d, 100)
  h = d
  print *, sum(h)
end program
";

/// Lines and names of the runtime files beside the output.
fn runtime_beside(source: &Path, target: &str) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let source = source.to_str().unwrap();
    let output = cuf2cu(&["--target", target, source, "out"], folder.path());
    assert!(output.status.success(), "{}", message(&output));
    let mut files = BTreeMap::new();
    tree(&folder.path().join("out/cuf"), Path::new(""), &mut files);
    let lines = |text: &Vec<u8>| text.iter().filter(|c| **c == b'\n').count();
    let names = files.keys().map(|n| n.to_str().unwrap().to_owned());
    (files.values().map(lines).sum(), names.collect())
}

#[test]
fn a_program_gets_the_runtime_that_it_uses() {
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("one.cuf");
    fs::write(&small, ONE_KERNEL).unwrap();
    let [cuda, cpu, both] = ["cuda", "cpu", "auto"].map(|target| runtime_beside(&small, target));
    println!(
        "one kernel: cuda {}, cpu {}, both {}",
        cuda.0, cpu.0, both.0
    );
    // The whole runtime had 17,900 lines when this was asked for.
    assert!(cuda.0 <= 17_900 / 4, "{}", cuda.0);
    // With the emulation: kernels as loops, rings, fibers, and grids that wait for ever.
    assert!(cpu.0 <= 9_480 && both.0 <= 9_700, "{} {}", cpu.0, both.0);
    assert!(!cuda.1.iter().any(|f| f.starts_with("cpu/")));
    // What checks at run time need comes where they are asked for.
    assert!(!cpu.1.iter().any(|f| f.starts_with("cpu/check/")));
    let small = small.to_str().unwrap();
    let checked = ["--target", "cpu", "--check=all", small, "checked"];
    let output = cuf2cu(&checked, folder.path());
    assert!(output.status.success(), "{}", message(&output));
    assert!(
        folder
            .path()
            .join("checked/cuf/cpu/check/race.hpp")
            .exists()
    );
    let made = Command::new("make")
        .args(["-n", "-C", "checked", "CHECK=race"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(said.contains("cuf2cu --check=race"), "{said}");
    assert!(!cpu.1.contains(&"device/target.hpp".to_owned()));
    for unused in [
        "wmma",
        "curand",
        "cooperative",
        "half",
        "graph",
        "complex",
        "print",
    ] {
        assert!(!both.1.iter().any(|f| f.contains(unused)), "{unused}");
    }
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let heat = samples.join("10_heat.cuf");
    let [cuda, cpu] = ["cuda", "cpu"].map(|target| runtime_beside(&heat, target));
    println!("10_heat: cuda {}, cpu {}", cuda.0, cpu.0);
    assert!(cuda.0 <= 6_030 && cpu.0 <= 10_550, "{} {}", cuda.0, cpu.0);
}

#[test]
fn a_makefile_has_the_dialect_of_the_program() {
    let folder = workplace();
    let at = folder.path();
    let flags = ["-gpu=mem:managed", "-r8", "-Mbackslash"];
    let output = cuf2cu(&[&flags[..], &["src", "out"]].concat(), at);
    assert!(output.status.success(), "{}", message(&output));
    let makefile = fs::read_to_string(at.join("out/Makefile")).unwrap();
    let own = "-fdefault-real-8 -fdefault-double-8 -fno-backslash $(MACROS)";
    assert!(makefile.contains(own), "{makefile}");
    // The runtime is not written in the program's dialect, and allocates nothing for it.
    assert_eq!(makefile.matches("$(OBJCOPY) $(MANAGED) $@").count(), 1);
    assert!(at.join("out/cuf/host/managed.cpp").exists());
    cuf2cu(&["src", "usual"], at);
    let makefile = fs::read_to_string(at.join("usual/Makefile")).unwrap();
    assert!(!makefile.contains("OBJCOPY") && !makefile.contains("-fdefault"));
    assert!(!at.join("usual/cuf/host/managed.cpp").exists());
}

/// With `--static-libs` the Makefile links the archives that a toolkit has, and the library where the main one is not there.
#[test]
fn libraries_are_linked_statically() {
    let folder = workplace();
    let at = folder.path();
    fs::create_dir(at.join("plain")).unwrap();
    fs::create_dir_all(at.join("toolkit/lib64")).unwrap();
    let source = "program a\n use cublas\n use cufft\n real(8), device :: x(4)\n integer :: plan, st\n call dscal(4, 2d0, x, 1)\n \
                  st = cufftDestroy(plan)\nend program\n";
    fs::write(at.join("plain/a.cuf"), source).unwrap();
    for name in [
        "cublas_static.a",
        "cublasLt_static.a",
        "culibos.a",
        "cublas.so",
        "cufft.so.12",
        "curand.so",
        "curand_static.a",
    ] {
        fs::write(at.join("toolkit/lib64").join(format!("lib{name}")), "").unwrap();
    }
    let linked = |options: &[&str], out: &str| {
        let output = cuf2cu(
            &[options, &["-lcurand", "-lmine", "plain", out]].concat(),
            at,
        );
        assert!(output.status.success(), "{}", message(&output));
        let mut make = Command::new("make");
        make.args([
            "-s",
            "-n",
            "TARGET=cuda",
            "NVCC=nvcc",
            "CUDA_ROOT=../toolkit",
        ]);
        let output = make.current_dir(at.join(out)).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|l| l.contains("-lcudart_static"));
        line.map(str::to_owned).unwrap_or(text)
    };
    let shared = linked(&[], "shared");
    assert!(
        shared.contains("lib64/libcublas.so") && !shared.contains(".a "),
        "{shared}"
    );
    let archives = linked(&["--static-libs"], "static");
    for part in [
        "libcublas_static.a ../toolkit/lib64/libcublasLt_static.a ../toolkit/lib64/libculibos.a",
        "libcufft.so.12",
        "libcurand_static.a",
        "-lmine",
    ] {
        assert!(archives.contains(part), "{part}: {archives}");
    }
    for part in ["libcublas.so", "libcurand.so", "-lcurand "] {
        assert!(!archives.contains(part), "{part}: {archives}");
    }
}

#[test]
fn a_folder_for_one_target_says_so() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.cuf"), ONE_KERNEL).unwrap();
    let output = cuf2cu(&["--target", "cuda", "one.cuf", "out"], folder.path());
    assert!(output.status.success(), "{}", message(&output));
    let made = Command::new("make")
        .args(["-C", "out", "TARGET=cpu"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(!made.status.success());
    assert!(
        message(&made).contains("written for --target cuda alone"),
        "{}",
        message(&made)
    );
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut run = Command::new(env!("CARGO_BIN_EXE_cuf2cu"))
        .arg("check")
        .arg(root.join("tests/conformance/kernels"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("cuf2cu starts");
    drop(run.stdout.take());
    drop(run.stderr.take());
    let status = run.wait().expect("cuf2cu ends");
    assert_ne!(status.code(), Some(101));
}

/// The whole modules of libraries serve plain Fortran: docs/libraries.md, docs/examples/libraries_from_gfortran.f90.
#[test]
fn modules_for_plain_fortran() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let unknown = cuf2cu(&["modules", "cubla", "-o", "out"], at);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        message(&unknown).contains("no module named cubla"),
        "{}",
        message(&unknown)
    );
    let written = cuf2cu(&["modules", "cublas", "cufft", "-o", "out"], at);
    assert!(written.status.success(), "{}", message(&written));
    let make = |target: &[&str]| {
        let mut command = Command::new("make");
        command
            .args(["-s", "-j2", "-C", "out", "TARGET=cpu", "OPT=-O0"])
            .args(target);
        let output = command.current_dir(at).output().unwrap();
        assert!(output.status.success(), "{}", message(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    make(&[]);
    let libraries = make(&["libs"]);
    let sample =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/libraries_from_gfortran.f90");
    let mut compile = Command::new("gfortran");
    compile
        .args(["-Wall", "-Werror", "-Iout/build/cpu/mod"])
        .arg(sample);
    compile
        .args(libraries.split_ascii_whitespace())
        .args(["-o", "app"]);
    let compiled = compile.current_dir(at).output().unwrap();
    assert!(compiled.status.success(), "{}", message(&compiled));
    let run = Command::new(at.join("app")).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&run.stdout),
        "PASS libraries_from_gfortran\n"
    );
}
