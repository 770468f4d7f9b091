//! Which files are CUDA Fortran: with `-cuda` all, without it those with the extension `.cuf` or `.CUF`.

use super::{Work, said};

/// What nvfortran reads in another way with `-cuda`, in free form: `which` prints 1 for each.
const FREE: &str = "\
module which_m
  implicit none
contains
  subroutine which(who)
    character(*), intent(in) :: who
    integer :: macro, code
    macro = 0
    code = 0
    !@cuf code = 1
#ifdef _CUDA
    macro = 1
#endif
    print '(a,2i2)', who, macro, code
  end subroutine
end module
";

/// In fixed form.
const FIXED: &str = "\
      subroutine fixed()
      integer macro, code
      macro = 0
      code = 0
!@cuf code = 1
#ifdef _CUDA
      macro = 1
#endif
      print '(a,2i2)', 'fixed', macro, code
      end
";

/// A loop of the host if its directive is a comment, over data of the host.
const LOOP: &str = "\
program p
  use which_m
  implicit none
  real :: a(4)
  integer :: i
  !$cuf kernel do <<<*, *>>>
  do i = 1, 4
    a(i) = i
  end do
  print '(a,f5.1)', 'loop', sum(a)
  call which('free')
  call fixed()
end program
";

fn built(w: &Work, options: &str) -> String {
    for name in ["which.F90", "fixed.F", "loop.f90"] {
        w.ok(&format!("{options} -c {name}"));
    }
    w.ok(&format!("{options} which.o fixed.o loop.o -o app"));
    said(&w.run(&w.at("app").display().to_string(), ""))
}

#[test]
fn cuda_fortran_is_what_the_option_or_the_extension_says() {
    let w = Work::new(&[("which.F90", FREE), ("fixed.F", FIXED), ("loop.f90", LOOP)]);
    let host = "loop 10.0\nfree 0 0\nfixed 0 0\n";
    for options in ["", "-gpu=cc80,rdc -O2", "-cudalib=cublas -g", "-mp", "-acc"] {
        assert_eq!(built(&w, options), host, "{options}");
    }
    // `-D` is the user's, and changes no sentinel.
    assert_eq!(built(&w, "-D_CUDA"), "loop 10.0\nfree 1 0\nfixed 1 0\n");
    let text = LOOP.replace("  !$cuf kernel do <<<*, *>>>\n", "");
    std::fs::write(w.at("loop.f90"), text).unwrap();
    let cuda = "loop 10.0\nfree 1 1\nfixed 1 1\n";
    for options in ["-cuda", "-Mcuda", "-Mcuda=cc80", "-cuda=charstring"] {
        assert_eq!(built(&w, options), cuda, "{options}");
    }
    let preprocessed = |options: &str| w.ok(&format!("{options} -E which.F90"));
    assert!(preprocessed("-cuda").contains("macro = 1"));
    assert!(!preprocessed("").contains("macro = 1"));
}

/// A record says how its file was read, whatever the file that uses it is read as.
#[test]
fn files_of_both_kinds_in_one_program() {
    let kernels = "\
module kernels
  use which_m
  use sizes
contains
  attributes(global) subroutine fill(a)
    real :: a(*)
    a(threadIdx%x) = n
  end subroutine
end module
program p
  use kernels
  real, device :: d(4)
  real :: h(4)
  call fill<<<1, 4>>>(d)
  h = d
  call which('host')
  print '(4f4.1)', h
end program
";
    let sizes = "module sizes\n#ifdef _CUDA\n  integer, parameter :: n = 7\n#else\n  integer, parameter :: n = 3\n#endif\nend module\n";
    let w = Work::new(&[
        ("which.F90", FREE),
        ("sizes.F90", sizes),
        ("kernels.cuf", kernels),
        (
            "copy/late.F90",
            &kernels.replace("program p", "program late"),
        ),
    ]);
    w.ok("-c which.F90");
    w.ok("-c sizes.F90");
    w.ok("-c kernels.cuf");
    w.ok("which.o sizes.o kernels.o -o app");
    let run = || said(&w.run(&w.at("app").display().to_string(), ""));
    assert_eq!(run(), "host 0 0\n 3.0 3.0 3.0 3.0\n");
    // The same with the option, and one file without it.
    w.ok("-cuda -c sizes.F90");
    w.ok("-c kernels.cuf");
    w.ok("which.o sizes.o kernels.o -o app");
    assert_eq!(run(), "host 0 0\n 7.0 7.0 7.0 7.0\n");
    // Kernels in a file that is not CUDA Fortran: it is told.
    let told = w.ok("-c copy/late.F90");
    assert!(told.contains("but `-cuda` is missing"), "{told}");
    assert!(!w.ok("-cuda -c copy/late.F90").contains("-cuda"));
}

/// What build systems find out about a compiler: options given twice, modules of libraries, that of OpenMP.
#[test]
fn links_as_build_systems_ask_for_them() {
    let blas = "\
program p
  use cublas_v2
  implicit none
  type(cublasHandle) :: h
  real, device :: a(2,2), b(2,2), c(2,2)
  real :: r(2,2)
  integer :: s
  a = 1.; b = 2.; c = 0.
  s = cublasCreate(h)
  s = cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, 1., a, 2, b, 2, 0., c, 2)
  r = c
  if (all(r == 4.)) print '(a)', 'PASS'
end program
";
    // As CMake's FindOpenMP has it.
    let openmp = "\
      program test
      use omp_lib
      implicit none
      integer, parameter :: ompv = openmp_version
      integer(omp_lock_kind) :: lock
      integer(omp_allocator_handle_kind) :: place
      place = omp_default_mem_alloc
      call omp_init_lock(lock)
      if (ompv == 201511 .and. place == omp_default_mem_alloc) print '(a)', 'PASS'
      end program
";
    let w = Work::new(&[("blas.cuf", blas), ("openmp.F90", openmp)]);
    w.ok("blas.cuf -cudalib=cublas -o blas");
    w.ok("-mp -mp -v -v -Mfree -Mfree -fPIC -fPIC -mp -O2 -O2 openmp.F90 -o openmp");
    for program in ["blas", "openmp"] {
        let said = said(&w.run(&w.at(program).display().to_string(), ""));
        assert_eq!(said, "PASS\n", "{program}");
    }
}
