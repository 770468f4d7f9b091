//! Other people's build tools, with `cuf2cu fc` for their compiler.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{CHANGE, DRIVER, KERNELS, MAIN, Work, project, said, suite};

/// A project of two files for other people's build tools.
fn small_project() -> Work {
    let w = Work::new(&[
        ("kern.cuf", KERNELS),
        ("drive.cuf", DRIVER),
        ("main.F90", MAIN),
        ("change.c", CHANGE),
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.18)\nproject(demo LANGUAGES C Fortran)\nset_source_files_properties(kern.cuf drive.cuf PROPERTIES LANGUAGE Fortran)\nadd_library(kern STATIC kern.cuf)\nadd_executable(demo main.F90 drive.cuf change.c)\ntarget_link_libraries(demo kern)\nadd_compile_definitions(SHIFT=3)\n",
        ),
        (
            "meson.build",
            "project('demo', 'c', 'fortran')\nadd_project_arguments('-DSHIFT=3', language: ['c', 'fortran'])\nk = static_library('kern', 'kern.F90')\nexecutable('demo', 'main.F90', 'drive.F90', 'change.c', link_with: k, link_language: 'fortran')\n",
        ),
        (
            "fpm.toml",
            "name = \"demo\"\n[build]\nexternal-modules = [\"cudafor\"]\n[preprocess.cpp]\nmacros = [\"SHIFT=3\"]\n",
        ),
        ("src/kern.f90", KERNELS),
        ("src/drive.f90", DRIVER),
        ("src/change.c", &CHANGE.replace("SHIFT", "3")),
        ("app/main.F90", MAIN),
    ]);
    // Meson knows no .cuf.
    fs::write(w.at("kern.F90"), KERNELS).unwrap();
    fs::write(w.at("drive.F90"), DRIVER).unwrap();
    fs::create_dir(w.at("bin")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_cuf2cu"), w.at("bin/nvfortran")).unwrap();
    w
}

/// Runs `line` in a shell with the compiler under both names, and then the program; without its first word the tool is missing.
fn build_with(w: &Work, line: &str, program: &str) {
    let tool = line
        .split_whitespace()
        .find(|word| !word.contains('=') && *word != "fc\"")
        .unwrap();
    let there = Command::new("sh")
        .arg("-c")
        .arg(format!("command -v {tool} >/dev/null"))
        .status();
    if !there.unwrap().success() {
        eprintln!("{tool} is not there");
        return;
    }
    let own = Path::new(env!("CARGO_BIN_EXE_cuf2cu")).parent().unwrap();
    let path = format!(
        "{}:{}:{}",
        own.display(),
        w.at("bin").display(),
        std::env::var("PATH").unwrap()
    );
    let output = Command::new("sh")
        .arg("-ec")
        .arg(line)
        .current_dir(w.0.path())
        .env("PATH", path)
        .env("FFLAGS", "-O0")
        .env("CUF2CU_TARGET", "cpu")
        .env("CUF2CU_CACHE", suite::build_folder().join("cache"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {}", said(&output));
    if !program.is_empty() {
        let path = w.at(program);
        let ran = w.run(path.to_str().unwrap(), "");
        assert_eq!(said(&ran), "PASS\n", "{line}");
    }
}

#[test]
fn build_tools_take_it_for_their_compiler() {
    let w = small_project();
    build_with(
        &w,
        "FC=\"cuf2cu fc\" cmake -S . -B cm && cmake --build cm",
        "cm/demo",
    );
    build_with(
        &w,
        "FC=\"cuf2cu fc\" meson setup me && ninja -C me",
        "me/demo",
    );
    build_with(
        &w,
        "FPM_FFLAGS=-O0 fpm build --compiler nvfortran && fpm run --compiler nvfortran | grep PASS",
        "",
    );
    build_with(
        &w,
        "OMPI_FC=\"cuf2cu fc\" MPICH_FC=\"cuf2cu fc\" mpifort -O0 -DSHIFT=3 kern.cuf drive.cuf main.F90 change.c -o mpi",
        "mpi",
    );
    build_with(
        &w,
        "nvfortran -O0 -cuda -DSHIFT=3 kern.cuf drive.cuf main.F90 change.c -o named",
        "named",
    );
}

/// As fpm builds by default: with checks files name the lines of their sources, each as its command does.
#[test]
fn files_with_checks_go_together() {
    let w = project();
    let debug = "-cpp -Minform=inform -Mbackslash -Mbounds -Mchkptr -Mchkstk -traceback";
    for file in ["kern", "drive"] {
        let told = w.ok(&format!("{debug} -O0 -c ././src/{file}.cuf -o {file}.o"));
        assert!(told.is_empty(), "{told}");
    }
}

const HOSTS: &str = "module hosts
  interface norm
    module procedure norm_host
  end interface
contains
  integer function norm_host(x)
    real, intent(in) :: x(:)
    norm_host = 10 + size(x)
  end function
end module
";

const DEVICES: &str = "module devices
  private
  public :: norm, start
  interface norm
    procedure norm_device, norm_managed
  end interface
  interface start
    procedure one, two
  end interface
contains
  integer function norm_device(x)
    real, device, intent(in) :: x(:)
    norm_device = 20 + size(x)
  end function
  integer function norm_managed(x)
    real, managed, intent(in) :: x(:)
    norm_managed = 30 + size(x)
  end function
  attributes(global) subroutine one(a)
    real :: a(*)
    a(1) = 1
  end subroutine
  subroutine two(a, x)
    real, device :: a(:)
    real :: x
    a = x
  end subroutine
end module
";

const TOGETHER: &str = "module together
  use hosts
  use devices
end module
program p
  use together, only: norm, begin => start
  real :: h(2)
  real, device :: d(3)
  real, managed :: m(4)
  call begin(d, 2.0)
  call begin<<<1, 1>>>(d)
  h = d(1:2)
  print '(3i3, 2f4.1)', norm(h), norm(d), norm(m), h
end program
";

/// Procedures for host and device data that become one generic only in a third file: no module knows of it when it is compiled.
#[test]
fn generics_that_another_file_puts_together() {
    let w = Work::new(&[
        ("hosts.f90", HOSTS),
        ("devices.cuf", DEVICES),
        ("p.cuf", TOGETHER),
    ]);
    for file in ["hosts.f90", "devices.cuf", "p.cuf"] {
        w.ok(&format!("-O0 -cuda -c {file}"));
    }
    w.ok("-O0 -cuda hosts.o devices.o p.o -o p");
    let ran = w.run(w.at("p").to_str().unwrap(), "");
    assert_eq!(said(&ran), " 12 23 34 1.0 2.0\n");
}
