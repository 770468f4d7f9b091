//! What a program tells when the runtime ends it, and that it keeps what it has written.

use std::fs;

use super::{Work, said};

/// Writes to a unit with and without an advance, to standard output, and has a fault of that name.
const OUTPUT: &str = "\
module m
contains
  attributes(global) subroutine beyond(a)
    real :: a(*)
    a(threadIdx%x + 100000000) = 1
  end subroutine
  attributes(global) subroutine fill(a)
    real :: a(*)
    a(threadIdx%x) = 1
  end subroutine
end module
program p
  use m
  use cudafor
  implicit none
  real, device, pointer :: x(:)
  real, device :: a(32)
  integer :: threads, istat
  character(10) :: fault
  call get_command_argument(1, fault)
  threads = 4096
  print '(a)', 'printed'
  open(20, file='lines.txt')
  write(20, '(a)') 'a line'
  write(20, '(a)', advance='no') 'a part'
  select case (fault)
  case ('leak')
    allocate(x(10))
    x = 1
    nullify(x)
  case ('launch')
    call fill<<<1, threads>>>(a)
  case ('kernel')
    call beyond<<<1, 32>>>(a)
    istat = cudaDeviceSynchronize()
  case ('host')
    call touch(a)
  end select
contains
  subroutine touch(d)
    real, device :: d(*)
    interface
      subroutine spoil(d) bind(c)
        real, device :: d(*)
      end subroutine
    end interface
    call spoil(d)
  end subroutine
end program
";

#[test]
fn findings_leave_the_output_whole() {
    let work = Work::new(&[
        ("p.cuf", OUTPUT),
        ("spoil.c", "void spoil(float *d) { *d = 1; }\n"),
    ]);
    let build = |options: &[&str], name: &str| {
        let rest = ["p.cuf", "spoil.c", "--target", "cpu", "-o", name];
        work.ok(&[&["build"], options, &rest].concat());
    };
    build(&["--check=leak"], "checked");
    build(&[], "plain");
    for (program, fault, told) in [
        ("checked", "leak", "leak: 40 bytes"),
        ("checked", "launch", "launch: kernel m::fill did not run"),
        ("checked", "kernel", "bounds: access of"),
        ("checked", "host", "host: host code touches"),
        ("plain", "kernel", "illegal memory access"),
    ] {
        let _ = fs::remove_file(work.at().join("lines.txt"));
        let path = work.at().join(program);
        let ended = work.run(&path.display().to_string(), &[fault]);
        let text = said(&ended);
        assert_eq!(ended.status.code(), Some(1), "{program} {fault}: {text}");
        assert!(text.contains(told), "{program} {fault}: {text}");
        assert_eq!(ended.stdout, b"printed\n", "{program} {fault}");
        let file = work.text("lines.txt");
        assert!(
            file.starts_with("a line\na part"),
            "{program} {fault}: {file}"
        );
    }
}

/// Threads wait at two statements.
const BARRIERS: &str = "\
module m
contains
  attributes(global) subroutine k(a)
    real :: a(*)
    if (threadIdx%x < 16) then
      call syncthreads()
    else
      a(threadIdx%x) = ballot(1)
    end if
  end subroutine
end module
program p
  use m
  real, device :: a(32)
  call k<<<1, 32>>>(a)
end program
";

#[test]
fn lines_of_edited_files_are_not_those_of_the_source() {
    let work = Work::new(&[("p.cuf", BARRIERS)]);
    work.ok(&["p.cuf", "out"]);
    let told = |program: &str| {
        let path = work.at().join(program);
        said(&work.run(&path.display().to_string(), &[]))
    };
    work.make(&[]);
    let text = told("out/build/cpu/p");
    assert!(
        text.contains("syncthreads, line 6 of p.cuf (first"),
        "{text}"
    );
    // Where the generated file is not found.
    fs::copy(work.at().join("out/build/cpu/p"), work.at().join("moved")).unwrap();
    let text = told("moved");
    assert!(
        text.contains(" (line 6 of p.cuf if p.cu was not edited)"),
        "{text}"
    );
    // Two lines more, before all kernels.
    let device = work
        .text("out/p.cu")
        .replace("namespace m {", "// mine\n// mine\nnamespace m {");
    work.put("out/p.cu", &device);
    work.make(&[]);
    let line = device
        .lines()
        .position(|l| l.contains("__syncthreads();"))
        .unwrap()
        + 1;
    let text = told("out/build/cpu/p");
    let edited = format!(
        "syncthreads, line {line} of p.cu (p.cu was edited, so the line of p.cuf is not known)"
    );
    assert!(text.contains(&edited), "{text}");
    assert!(!text.contains("line 6 of p.cuf"), "{text}");
}
