//! LLVM flang as the compiler of host code: `make FC=flang-22`, CMake, `cuf2cu fc`. Without flang-22 nothing is tested here.

use std::fs;
use std::path::Path;
use std::process::Command;

const FLANG: &str = "flang-22";

/// Raw addresses, texts, logical and real data, structures with pointers that device code reads, and memory that both reach.
const PROGRAM: &str = "module m
  use cudafor
  implicit none
  type :: part
    real(8), allocatable, managed :: x(:)
    logical :: on = .true.
    integer :: n = 0
  end type part
contains
  attributes(global) subroutine double_it(p, l)
    type(part) :: p(:)
    logical :: l(:)
    integer :: i
    i = threadIdx%x
    if (l(i) .and. p(1)%on) p(1)%x(i + 1) = 2*p(1)%x(i + 1) + size(p(1)%x) + lbound(p(1)%x, 1)
  end subroutine double_it
end module m
program p
  use m
  use iso_c_binding
  implicit none
  type(part), managed, allocatable :: parts(:)
  logical :: l(4) = [.true., .false., .true., .true.]
  logical, device :: d(4)
  character(3), device :: t(2)
  character(3) :: s(2)
  real, device, target :: a(3)
  real, target :: h(3)
  integer :: istat
  allocate(parts(1))
  allocate(parts(1)%x(2:5))
  parts(1)%x = [1d0, 2d0, 3d0, 4d0]
  d = l
  call double_it<<<1, 4>>>(parts, d)
  istat = cudaDeviceSynchronize()
  t = ['abc', 'xyz']
  s = t(2:1:-1)
  a = 5
  a(2) = 7
  istat = cudaMemcpy(c_loc(h), c_devloc(a), 12_8, cudaMemcpyDeviceToHost)
  print '(4f6.1, 2(1x, a), 3f5.1)', parts(1)%x, s, h
end program p
";
const SHOWN: &str = "   8.0   2.0  12.0  14.0 xyz abc  5.0  7.0  5.0\n";

fn missing() -> bool {
    let missing = which::which(FLANG).is_err();
    if missing {
        eprintln!("{FLANG} is not installed: not tested");
    }
    missing
}

fn done(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    let output = command
        .env("CUF2CU_FC", FLANG)
        .output()
        .unwrap_or_else(|e| panic!("{program}: {e}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{program} {arguments:?}\n{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

const CUF2CU: &str = env!("CARGO_BIN_EXE_cuf2cu");

#[test]
fn make_builds_with_both_compilers_in_one_folder() {
    if missing() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("p.cuf"), PROGRAM).unwrap();
    assert!(done(at, CUF2CU, &["doctor"]).contains("\ng++ "));
    assert!(done(at, CUF2CU, &["doctor"]).starts_with("flang "));
    done(at, CUF2CU, &["p.cuf", "out"]);
    for (compiler, program) in [
        (FLANG, "build/cpu-flang/p"),
        ("gfortran", "build/cpu/p"),
        (FLANG, "build/cpu-flang/p"),
    ] {
        let fc = format!("FC={compiler}");
        done(&at.join("out"), "make", &["TARGET=cpu", "OPT=-O0", &fc]);
        let run = at.join("out").join(program);
        assert_eq!(done(at, run.to_str().unwrap(), &[]), SHOWN, "{compiler}");
    }
}

#[test]
fn a_file_at_a_time() {
    if missing() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (module, program) = PROGRAM.split_once("program p\n").unwrap();
    fs::write(at.join("m.cuf"), module).unwrap();
    fs::write(at.join("p.cuf"), format!("program p\n{program}")).unwrap();
    for arguments in [
        &["-c", "m.cuf"][..],
        &["-c", "p.cuf"],
        &["m.o", "p.o", "-o", "p"],
    ] {
        let head = ["fc", "--target=cpu", "-cuda", "-O0"];
        done(at, CUF2CU, &[&head[..], arguments].concat());
    }
    assert_eq!(done(at, at.join("p").to_str().unwrap(), &[]), SHOWN);
}

/// Programs ended with a signal: flang does not allocate through the functions that managed memory replaces.
#[test]
fn managed_memory_of_all_data_is_refused() {
    if missing() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("p.cuf"), PROGRAM).unwrap();
    done(at, CUF2CU, &["--mem=managed", "p.cuf", "out"]);
    let run = ["run", "--target=cpu", "--mem=managed", "p.cuf"];
    for (program, arguments) in [
        ("make", &["-C", "out", "TARGET=cpu", "FC=flang-22"][..]),
        (CUF2CU, &run),
    ] {
        let mut command = Command::new(program);
        let output = command.args(arguments).env("CUF2CU_FC", FLANG);
        let output = output.current_dir(at).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{program}");
        let refused = "--mem=managed is not supported with LLVM flang; use gfortran";
        assert!(said.contains(refused), "{program}: {said}");
    }
}
