//! Objects of `cuf2cu fc` in the hands of other linkers: g++ and gfortran with what `--print-link-flags` says, and CMake by itself.

use std::fs;
use std::path::Path;
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

fn has_cmake() -> bool {
    Command::new("cmake").arg("--version").output().is_ok()
}

/// CMake in the project, with variables of the environment.
fn cmake(w: &Work, target: &str, arguments: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("cmake");
    command.args(arguments.split(' ')).current_dir(w.at("."));
    command.env("CUF2CU", env!("CARGO_BIN_EXE_cuf2cu"));
    command.env("CUF2CU_TARGET", target).env("FFLAGS", "-O0");
    command.env("CUF2CU_CACHE", suite::build_folder().join("cache"));
    command.env("CUF2CU_CUDA_ROOT", root.join("build/cuda"));
    command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", said(&output));
    said(&output)
}

/// CMake asks the compiler what its programs are linked with (`-v`), and tells g++.
#[test]
fn cmake_links_a_main_program_in_cpp() {
    if !has_cmake() {
        return;
    }
    let w = project();
    let told = cmake(&w, "cpu", "-S . -B b -DCMAKE_TOOLCHAIN_FILE=tools.cmake");
    assert!(told.contains("Fortran is NVHPC"), "{told}");
    cmake(&w, "cpu", "--build b");
    let link = fs::read_to_string(w.at("b/CMakeFiles/demo.dir/link.txt")).unwrap();
    assert!(!link.contains("cuf2cu fc"), "{link}");
    let ran = w.run(w.at("b/demo").to_str().unwrap(), "");
    assert_eq!(said(&ran), "2 4\n");
}

/// The toolchain file lets `cuf2cu fc` link it, which a GPU's device code needs, and tells CMake of .cuf files. Without nvcc the cuda target is not tested.
#[test]
fn the_toolchain_file_leaves_linking_to_cuf2cu() {
    if !has_cmake() {
        return;
    }
    let w = project();
    let lists = LISTS.lines().filter(|l| !l.starts_with("set_source_files"));
    fs::write(w.at("CMakeLists.txt"), lists.collect::<Vec<_>>().join("\n")).unwrap();
    let printed = w.run(env!("CARGO_BIN_EXE_cuf2cu"), "cmake-toolchain");
    fs::write(w.at("cuf2cu.cmake"), &printed.stdout).unwrap();
    let nvcc = Path::new(env!("CARGO_MANIFEST_DIR")).join("build/cuda/bin/nvcc");
    let own = env!("CARGO_BIN_EXE_cuf2cu");
    for target in ["cpu", "cuda"] {
        if target == "cuda" && !nvcc.exists() {
            continue;
        }
        let configure =
            format!("-S . -B {target} -DCMAKE_TOOLCHAIN_FILE=cuf2cu.cmake -DCUF2CU={own}");
        cmake(&w, target, &configure);
        cmake(&w, target, &format!("--build {target}"));
        let link = w.at(&format!("{target}/CMakeFiles/demo.dir/link.txt"));
        let link = fs::read_to_string(link).unwrap();
        assert!(link.contains("cuf2cu fc"), "{link}");
    }
    let ran = w.run(w.at("cpu/demo").to_str().unwrap(), "");
    assert_eq!(said(&ran), "2 4\n");
}
