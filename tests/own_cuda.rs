//! CUDA C++ of the user's own on the cpu target: by `cuf2cu run`, with the Makefile and the CMakeLists.txt of an output, by `cuf2cu fc`,
//! and what is refused. The language itself is in `src/translation/cuda_cxx/tests.rs` and `tests/conformance/cuda-cxx/`.

mod suite;

use std::fs;
use std::path::Path;
use std::process::Command;

const HEADER: &str = "#pragma once
template <class T>
__global__ void add(T* x, int n, T by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}
";

const SOURCE: &str = "#include \"kernels/add.cuh\"
#include <scale.cuh>
extern \"C\" void work(float* x, int n)
{
    add<<<(n + 63) / 64, 64>>>(x, n, 1.0f);
    scale<<<(n + 63) / 64, 64>>>(x, n);
}
";

const SCALE: &str = "#pragma once
static __constant__ float factor = 2;
static __global__ void scale(float* x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}
";

const HOST: &str = "#include <cuda_runtime.h>
extern \"C\" int synchronized() { return cudaDeviceSynchronize() == cudaSuccess; }
";

const MAIN: &str = "program main
  use cudafor
  use iso_c_binding
  interface
    subroutine work(x, n) bind(c)
      import
      real(c_float), device :: x(*)
      integer(c_int), value :: n
    end subroutine
    integer(c_int) function synchronized() bind(c)
      import
    end function
  end interface
  real, device :: x(100)
  real :: h(100)
  h = [(real(i), i = 1, 100)]
  x = h
  call work(x, 100)
  if (synchronized() /= 1) error stop
  h = x
  do i = 1, 100
    if (h(i) /= 2*(i + 1)) error stop
  end do
  print '(a)', 'right'
end program
";

/// The project in a folder of its own; the header of `-I` is outside of its sources.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("src/kernels/add.cuh", HEADER),
        ("src/work.cu", SOURCE),
        ("src/host.cpp", HOST),
        ("src/main.cuf", MAIN),
        ("include/scale.cuh", SCALE),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn cuf2cu(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    said(
        command
            .args(arguments)
            .current_dir(folder)
            .env("CUF2CU_TARGET", "cpu"),
    )
}

fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[test]
fn run_and_make_and_cmake() {
    let work = project();
    let at = work.path();
    let (done, text) = cuf2cu(at, &["run", "--target", "cpu", "src", "-I", "include"]);
    assert!(done && text.contains("right"), "{text}");
    let (done, text) = cuf2cu(at, &["src", "out", "-I", "include"]);
    assert!(done, "{text}");
    let out = at.join("out");
    assert!(out.join("cuf_cpu/work.cu").exists());
    // The user's file stays for nvcc.
    assert_eq!(fs::read_to_string(out.join("work.cu")).unwrap(), SOURCE);
    let (done, text) = said(
        Command::new("make")
            .args(["-j2", "TARGET=cpu"])
            .current_dir(&out),
    );
    assert!(done, "{text}");
    let (done, text) = said(&mut Command::new(out.join("build/cpu/main")));
    assert!(done && text == "right\n", "{text}");
    let configure = ["-S", ".", "-B", "built", "-DCUF_TARGET=cpu"];
    let (done, text) = said(Command::new("cmake").args(configure).current_dir(&out));
    assert!(done, "{text}");
    let (done, text) = said(
        Command::new("cmake")
            .args(["--build", "built", "-j2"])
            .current_dir(&out),
    );
    assert!(done, "{text}");
    let (done, text) = said(&mut Command::new(out.join("built/main")));
    assert!(done && text == "right\n", "{text}");
    // For nvcc alone there is nothing to translate.
    let (done, text) = cuf2cu(
        at,
        &["src", "for_cuda", "--target", "cuda", "-I", "include"],
    );
    assert!(done && !at.join("for_cuda/cuf_cpu").exists(), "{text}");
}

/// CUDA C++ launches a kernel of CUDA Fortran by its binding label, on the cpu target and by nvcc's compiler of declarations.
#[test]
fn kernels_of_fortran_have_c_names() {
    let work = tempfile::tempdir().unwrap();
    let at = work.path();
    fs::create_dir(at.join("src")).unwrap();
    let fortran = "module kernels
contains
  attributes(global) subroutine scale(a, n) bind(c, name='scale_kernel')
    integer, value :: n
    real :: a(n)
    integer :: i
    i = (blockidx%x - 1)*blockdim%x + threadidx%x
    if (i <= n) a(i) = 2*a(i)
  end subroutine
end module
program main
  use kernels
  use cudafor
  use iso_c_binding
  interface
    subroutine twice(x, n) bind(c)
      import
      real(c_float), device :: x(*)
      integer(c_int), value :: n
    end subroutine
  end interface
  real, device :: x(100)
  real :: h(100)
  x = 1
  call twice(x, 100)
  call scale<<<2, 50>>>(x, 100)
  h = x
  if (any(h /= 4)) error stop
  print '(a)', 'right'
end program
";
    let own = "extern \"C\" __global__ void scale_kernel(float* a, int n);
extern \"C\" void twice(float* x, int n)
{
    scale_kernel<<<(n + 63) / 64, 64>>>(x, n);
}
";
    fs::write(at.join("src/main.cuf"), fortran).unwrap();
    fs::write(at.join("src/twice.cu"), own).unwrap();
    let (done, text) = cuf2cu(at, &["run", "--target", "cpu", "src"]);
    assert!(done && text.contains("right"), "{text}");
    let (done, text) = cuf2cu(at, &["src", "out"]);
    assert!(done, "{text}");
    let device = fs::read_to_string(at.join("out/main.cu")).unwrap();
    let head = "extern \"C\" __global__ void scale_kernel(float* __restrict__ a_, int n)";
    assert!(device.contains(head), "{device}");
    assert!(
        device.contains("constexpr auto& scale = scale_kernel;"),
        "{device}"
    );
}

#[test]
fn a_file_at_a_time() {
    let work = project();
    let at = work.path();
    let compile = [
        "fc",
        "-Iinclude",
        "-c",
        "src/work.cu",
        "-MD",
        "-MF",
        "work.d",
        "-o",
        "work.o",
    ];
    let (done, text) = cuf2cu(at, &compile);
    assert!(done, "{text}");
    let rules = fs::read_to_string(at.join("work.d")).unwrap();
    for name in ["work.o:", "src/work.cu", "add.cuh", "scale.cuh"] {
        assert!(rules.contains(name), "{rules}");
    }
    for arguments in [
        ["-c", "src/host.cpp", "-o", "host.o"],
        ["-c", "src/main.cuf", "-o", "main.o"],
    ] {
        let (done, text) = cuf2cu(at, &[&["fc"][..], &arguments].concat());
        assert!(done, "{text}");
    }
    let (done, text) = cuf2cu(at, &["fc", "main.o", "work.o", "host.o", "-o", "main"]);
    assert!(done, "{text}");
    let (done, text) = said(&mut Command::new(at.join("main")));
    assert!(done && text == "right\n", "{text}");
}

#[test]
fn what_cannot_be_emulated_is_named_with_its_line() {
    let work = project();
    let at = work.path();
    let source = "#ifdef __CUDA_ARCH__
#include <thrust/sort.h>
#endif
__device__ int lane() { int r; asm(\"mov.u32 %0, %laneid;\" : \"=r\"(r)); return r; }
#include <cooperative_groups.h>
void f(cudaTextureObject_t);
";
    fs::write(at.join("src/work.cu"), source).unwrap();
    for arguments in [
        &["fc", "-c", "src/work.cu"][..],
        &["run", "--target", "cpu", "src", "-I", "include"],
    ] {
        let (done, text) = cuf2cu(at, arguments);
        assert!(!done, "{text}");
        let place = |line: u32, what: &str| {
            let named = |l: &str| l.contains(&format!("work.cu:{line}:")) && l.contains(what);
            assert!(text.lines().any(named), "{line} {what}\n{text}");
        };
        place(4, "CUF0491");
        place(4, "inline assembly (PTX)");
        place(5, "cooperative groups");
        place(6, "textures");
        assert!(!text.contains("Thrust"), "{text}");
    }
}
