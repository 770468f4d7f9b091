//! Objects of `cuf2cu fc` in the hands of other linkers: g++ and gfortran with what `--print-link-flags` says, and CMake by itself.

use std::fs;
use std::process::Command;

use super::{Work, said, suite};

const STEP: &str = "module step
  use iso_c_binding
  use cudafor
contains
  attributes(global) subroutine twice(a, n)
    integer, value :: n
    real :: a(n)
    if (threadIdx%x <= n) a(threadIdx%x) = 2*a(threadIdx%x)
  end subroutine
  subroutine stepped(x, n) bind(C)
    integer(c_int), value :: n
    real(c_float) :: x(n)
    real, device :: d(n)
    d = x
    call twice<<<1, 32>>>(d, n)
    x = d
  end subroutine
end module
";

const MAIN: &str = "#include <iostream>
extern \"C\" void stepped(float *x, int n);
int main()
{
    float x[2] = {1, 2};
    stepped(x, 2);
    std::cout << x[0] << ' ' << x[1] << std::endl;
}
";

const FORTRAN: &str = "program p
  use step
  real(c_float) :: x(2) = [1, 2]
  call stepped(x, 2)
  print '(f0.1, f4.1)', x
end program
";

const LISTS: &str = "cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX Fortran)
message(STATUS \"Fortran is ${CMAKE_Fortran_COMPILER_ID}\")
set_source_files_properties(step.cuf PROPERTIES LANGUAGE Fortran)
add_library(step STATIC step.cuf)
add_executable(demo main.cpp)
target_link_libraries(demo step)
";

fn project() -> Work {
    Work::new(&[
        ("step.cuf", STEP),
        ("main.cpp", MAIN),
        ("main.f90", FORTRAN),
        ("CMakeLists.txt", LISTS),
        (
            "tools.cmake",
            "set(CMAKE_Fortran_COMPILER $ENV{CUF2CU} fc)\n",
        ),
    ])
}

#[test]
fn other_compilers_link_with_the_flags_that_are_printed() {
    let w = project();
    w.ok("-O0 -c step.cuf main.f90");
    let cpp = w.run("g++", "-c main.cpp -o cpp.o");
    assert!(cpp.status.success(), "{}", said(&cpp));
    let archived = w.run("ar", "rcs libstep.a step.o");
    assert!(archived.status.success());
    let flags = w.ok("--print-link-flags step.o main.o");
    assert_eq!(flags.lines().count(), 1, "{flags}");
    for (compiler, objects, shown) in [
        ("g++", "cpp.o step.o", "2 4\n"),
        ("g++", "cpp.o -L. -lstep", "2 4\n"),
        ("gfortran", "main.o step.o", "2.0 4.0\n"),
    ] {
        let line = format!("{compiler} {objects} {} -o app", flags.trim());
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(w.at("."));
        let linked = shell.output().unwrap();
        assert!(linked.status.success(), "{line}: {}", said(&linked));
        let ran = w.run(w.at("app").to_str().unwrap(), "");
        assert_eq!(said(&ran), shown, "{line}");
    }
    let source = w.fc("--print-link-flags step.cuf");
    assert_eq!(source.status.code(), Some(2));
    assert!(
        said(&source).contains("step.cuf is a source"),
        "{}",
        said(&source)
    );
}

/// CMake asks the compiler what its programs are linked with (`-v`), and tells g++.
#[test]
fn cmake_links_a_main_program_in_cpp() {
    if Command::new("cmake").arg("--version").output().is_err() {
        return;
    }
    let w = project();
    let cmake = |arguments: &str| {
        let mut command = Command::new("cmake");
        command.args(arguments.split(' ')).current_dir(w.at("."));
        command.env("CUF2CU", env!("CARGO_BIN_EXE_cuf2cu"));
        command.env("CUF2CU_TARGET", "cpu").env("FFLAGS", "-O0");
        command.env("CUF2CU_CACHE", suite::build_folder().join("cache"));
        command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", said(&output));
        said(&output)
    };
    let told = cmake("-S . -B b -DCMAKE_TOOLCHAIN_FILE=tools.cmake");
    assert!(told.contains("Fortran is NVHPC"), "{told}");
    cmake("--build b");
    let link = fs::read_to_string(w.at("b/CMakeFiles/demo.dir/link.txt")).unwrap();
    assert!(!link.contains("cuf2cu fc"), "{link}");
    let ran = w.run(w.at("b/demo").to_str().unwrap(), "");
    assert_eq!(said(&ran), "2 4\n");
}
