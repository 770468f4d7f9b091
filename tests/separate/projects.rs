//! Projects as people have them, built unchanged with `cuf2cu fc` for their compiler: CMake with OpenMP and MPI, makefiles with pattern rules and
//! module folders, makefiles that call others and make archives, and the wrapper of MPI. For the cuda target where nvcc is there.

use std::path::Path;
use std::process::Command;

use super::{Work, said, suite};

const GRID: &str = "module grid
  use cudafor
  implicit none
  type :: field
    integer :: n
    real, device, allocatable :: u(:)
  end type
contains
  attributes(global) subroutine shift(u, n, by)
    integer, value :: n
    real, value :: by
    real :: u(n)
    integer :: i
    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
    if (i <= n) u(i) = u(i) + by
  end subroutine
  subroutine create(f, n)
    type(field) :: f
    integer :: n
    f%n = n
    allocate (f%u(n))
    f%u = 0
  end subroutine
end module
";

const SOLVER: &str = "module solver
  use grid
  implicit none
contains
  subroutine step(f, times)
    type(field) :: f
    integer :: times, k
    do k = 1, times
      call shift<<<(f%n + 63)/64, 64>>>(f%u, f%n, 1.0)
    end do
  end subroutine
end module
";

const MAIN: &str = "program main
  use solver
#ifdef _OPENMP
  use omp_lib
#endif
#ifdef WITH_MPI
  use mpi
#endif
  implicit none
  type(field) :: f
  real, allocatable :: h(:)
  integer :: i, threads, ranks, rank
#ifdef WITH_MPI
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
#else
  ranks = 1
  rank = 0
#endif
  threads = 1
#ifdef _OPENMP
  threads = omp_get_max_threads()
#endif
  call create(f, 100)
  call step(f, 3)
  allocate (h(100))
  h = f%u
  !$omp parallel do
  do i = 1, 100
    h(i) = h(i) + i
  end do
  if (any(h /= [(3.0 + i, i = 1, 100)]) .or. threads < 1 .or. rank >= ranks) error stop 1
  print '(a)', 'PASS'
#ifdef WITH_MPI
  call MPI_Finalize(ierr)
#endif
end program
";

const LISTS: &str = "cmake_minimum_required(VERSION 3.20)
project(demo LANGUAGES C CXX Fortran)
find_package(OpenMP REQUIRED COMPONENTS Fortran)
find_package(MPI COMPONENTS Fortran)
set(CMAKE_Fortran_MODULE_DIRECTORY ${CMAKE_BINARY_DIR}/modules)
set_source_files_properties(grid.cuf solver.cuf PROPERTIES LANGUAGE Fortran)
add_library(grid STATIC grid.cuf)
add_library(solver STATIC solver.cuf)
target_link_libraries(solver PUBLIC grid)
add_executable(demo main.F90)
target_compile_options(demo PRIVATE -cuda)
target_link_libraries(demo PRIVATE solver OpenMP::OpenMP_Fortran)
if(MPI_Fortran_FOUND)
  target_link_libraries(demo PRIVATE MPI::MPI_Fortran)
  target_compile_definitions(demo PRIVATE WITH_MPI)
  message(STATUS \"with MPI\")
endif()
";

const PATTERNS: &str = "FC ?= nvfortran
FFLAGS = -cuda -O0 -module $(MODDIR) -I$(MODDIR)
OBJDIR = obj
MODDIR = mod
OBJS = $(addprefix $(OBJDIR)/, grid.o solver.o main.o)

demo: $(OBJS)
\t$(FC) -cuda -o $@ $^ -lcudart -lstdc++

$(OBJDIR)/%.o: src/%.cuf | dirs
\t$(FC) $(FFLAGS) -c $< -o $@

$(OBJDIR)/%.o: src/%.F90 | dirs
\t$(FC) $(FFLAGS) -c $< -o $@

dirs:
\tmkdir -p $(OBJDIR) $(MODDIR)

$(OBJDIR)/solver.o: $(OBJDIR)/grid.o
$(OBJDIR)/main.o: $(OBJDIR)/solver.o

clean:
\trm -rf $(OBJDIR) $(MODDIR) demo
.PHONY: dirs clean
";

const TOP: &str = "export FC ?= nvfortran
export FFLAGS = -cuda -O0
all: app
app: main.o libs
\t$(FC) $(FFLAGS) -o $@ main.o -Lsolver -lsolver -Lgrid -lgrid
main.o: main.F90 libs
\t$(FC) $(FFLAGS) -Isolver -Igrid -c main.F90
libs:
\t$(MAKE) -C grid
\t$(MAKE) -C solver
.PHONY: all libs
";

const BELOW: &str = "NAME = $(notdir $(CURDIR))
lib$(NAME).a: $(NAME).o
\tar rcs $@ $^
%.o: %.cuf
\t$(FC) $(FFLAGS) -I../grid -c $<
";

fn sources(folder: &str) -> Vec<(String, &'static str)> {
    [
        ("grid.cuf", GRID),
        ("solver.cuf", SOLVER),
        ("main.F90", MAIN),
    ]
    .map(|(name, text)| (format!("{folder}{name}"), text))
    .to_vec()
}

fn project(files: Vec<(String, &str)>) -> Work {
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), *t)).collect();
    Work::new(&files)
}

fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

/// The targets that can be built here.
fn targets() -> Vec<&'static str> {
    let nvcc = Path::new(env!("CARGO_MANIFEST_DIR")).join("build/cuda/bin/nvcc");
    match nvcc.exists() {
        true => vec!["cpu", "cuda"],
        false => vec!["cpu"],
    }
}

/// Runs a line of a shell in the project for a target.
fn shell(w: &Work, target: &str, line: &str) -> String {
    let own = Path::new(env!("CARGO_BIN_EXE_cuf2cu")).parent().unwrap();
    let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("sh")
        .args(["-ec", line])
        .current_dir(w.at("."))
        .env("PATH", path)
        .env("FC", "cuf2cu fc")
        .env("CUF2CU_TARGET", target)
        .env("CUF2CU_CACHE", suite::build_folder().join("cache"))
        .env("CUF2CU_CUDA_ROOT", root.join("build/cuda"))
        // Open MPI does not start for root without these.
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{target}: {line}: {}",
        said(&output)
    );
    said(&output)
}

fn runs(w: &Work, program: &str) {
    let ran = shell(w, "cpu", program);
    assert!(ran.contains("PASS"), "{program}: {ran}");
}

#[test]
fn cmake_finds_openmp_and_mpi() {
    if !has("cmake") {
        return;
    }
    let mut files = sources("");
    files.push(("CMakeLists.txt".to_owned(), LISTS));
    let w = project(files);
    for target in targets() {
        let told = shell(&w, target, &format!("FFLAGS=-O0 cmake -S . -B {target}"));
        assert!(told.contains("Found OpenMP_Fortran"), "{told}");
        assert_eq!(told.contains("with MPI"), has("mpifort"), "{told}");
        shell(&w, target, &format!("cmake --build {target}"));
    }
    runs(&w, "cpu/demo");
}

/// With the toolchain file the cpu target has the targets of a toolkit, installed or not.
#[test]
fn cmake_finds_a_toolkit_for_the_cpu_target() {
    if !has("cmake") {
        return;
    }
    let main = "program main
  use cudafor
  use cublas
  use cufft
  real(8), device :: x(4)
  real(8) :: total
  integer :: plan, status
  x = 2
  total = cublasDasum(4, x, 1)
  status = cufftPlan1d(plan, 8, CUFFT_C2C, 1)
  if (status == 0 .and. total == 8) print '(a)', 'PASS'
end program
";
    let lists = "cmake_minimum_required(VERSION 3.20)
project(demo LANGUAGES Fortran)
find_package(CUDAToolkit 12.0 REQUIRED)
add_executable(demo main.cuf)
target_link_libraries(demo PRIVATE CUDA::cudart CUDA::cublas CUDA::cufft)
";
    let w = Work::new(&[("main.cuf", main), ("CMakeLists.txt", lists)]);
    let configure = "cuf2cu cmake-toolchain > cuf2cu.cmake
FFLAGS=-O0 cmake -S . -B cpu -DCMAKE_TOOLCHAIN_FILE=$PWD/cuf2cu.cmake -DCUF2CU=$(command -v cuf2cu)";
    let told = shell(&w, "cpu", configure);
    assert!(told.contains("Found CUDAToolkit: cpu"), "{told}");
    shell(&w, "cpu", "cmake --build cpu");
    runs(&w, "cpu/demo");
}

#[test]
fn a_makefile_with_pattern_rules_and_folders() {
    let mut files = sources("src/");
    files.push(("Makefile".to_owned(), PATTERNS));
    let w = project(files);
    for target in targets() {
        shell(&w, target, "make clean && make");
        if target == "cpu" {
            runs(&w, "./demo");
        }
    }
}

#[test]
fn makefiles_that_call_others_and_make_archives() {
    let files = vec![
        ("grid/grid.cuf".to_owned(), GRID),
        ("grid/Makefile".to_owned(), BELOW),
        ("solver/solver.cuf".to_owned(), SOLVER),
        ("solver/Makefile".to_owned(), BELOW),
        ("main.F90".to_owned(), MAIN),
        ("Makefile".to_owned(), TOP),
    ];
    let w = project(files);
    for target in targets() {
        shell(&w, target, "find . -name '*.[oa]' -delete; rm -f app; make");
        if target == "cpu" {
            runs(&w, "./app");
        }
    }
}

#[test]
fn the_wrapper_of_mpi() {
    if !has("mpif90") {
        return;
    }
    let w = project(sources(""));
    let build = "export OMPI_FC=\"$FC\" MPICH_FC=\"$FC\"
for f in grid.cuf solver.cuf main.F90; do mpif90 -cuda -O0 -DWITH_MPI -c $f; done
mpif90 -cuda -o app main.o solver.o grid.o";
    for target in targets() {
        shell(&w, target, build);
        if target == "cpu" {
            runs(&w, "mpirun -n 2 ./app || ./app");
        }
    }
}

/// A program for each module of a library, with a call, linked by the option that people give.
#[test]
fn link_lines_of_all_libraries() {
    let programs = [
        ("cublas", "type(cublasHandle) :: h", "cublasCreate(h)"),
        ("cublas_v2", "type(cublasHandle) :: h", "cublasCreate(h)"),
        ("cublasxt", "type(cublasXtHandle) :: h", "cublasXtCreate(h)"),
        ("cufft", "integer :: h", "cufftPlan1d(h, 8, CUFFT_C2C, 1)"),
        ("cufftxt", "integer :: h", "cufftCreate(h)"),
        (
            "curand",
            "type(curandGenerator) :: h",
            "curandCreateGenerator(h, CURAND_RNG_PSEUDO_DEFAULT)",
        ),
        (
            "cusolverdn",
            "type(cusolverDnHandle) :: h",
            "cusolverDnCreate(h)",
        ),
        ("cusparse", "type(cusparseHandle) :: h", "cusparseCreate(h)"),
    ];
    let w = Work::new(&[]);
    let option = "-cudalib=cublas,cufft,cufftw,curand,cusolver,cusparse,nccl,nvtx,cutensor,nvshmem";
    for (module, declaration, call) in programs {
        let text = format!(
            "program p\n  use {module}\n  {declaration}\n  integer :: s\n  s = {call}\n  if (s == 0) print '(a)', 'PASS'\nend program\n"
        );
        std::fs::write(w.at("p.cuf"), text).unwrap();
        w.ok("-O0 -cuda -c p.cuf");
        w.ok(&format!(
            "-O0 -cuda p.o -o p {option} -lcudart -lcuda -lnvToolsExt -lcudafor -L/nowhere/lib64"
        ));
        let ran = w.run(w.at("p").to_str().unwrap(), "");
        assert_eq!(said(&ran), "PASS\n", "{module}");
    }
}

/// What a linker has not found names the option that brings it.
#[test]
fn missing_libraries_are_named() {
    let w = Work::new(&[(
        "p.cuf",
        "program p\n  interface\n    integer function f(n) bind(C, name='cublasNoSuchFunction')\n      integer, value :: n\n    end function\n  end interface\n  print *, f(1)\nend program\n",
    )]);
    let failed = w.fc("-O0 p.cuf -o p");
    assert!(!failed.status.success());
    let text = said(&failed);
    assert!(
        text.contains("`cublasNoSuchFunction` is a function of cuBLAS"),
        "{text}"
    );
    assert!(text.contains("-cudalib=cublas"), "{text}");
}
