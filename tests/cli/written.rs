//! Forms of the text written, by options: arithmetic, loops kept, lines; and what compilers say of it.

use super::*;

const KEPT: &str = "\
module m
contains
  attributes(device) integer function twice(n)
    integer, value :: n
    twice = 2*n
  end function twice
end module m
program p
  use m
  integer, device :: a(4)
  integer :: i, last, h(4)
  a = 1
  last = -1
  !$cuf kernel do <<<*, *>>>  ! squares
  do i = 1, 4  ! four
    last = i*i
    a(i) = a(i) + last
  end do  ! behind
  !$cuf kernel do <<<*, *>>>
  do i = 1, 4
    a(i) = twice(a(i))
  end do; h = a
  print '(5i4)', h, last
end program p
";

/// Extents and counts are plain arithmetic, hashes and what flows into them wrap; with --wrap=all both do.
#[test]
fn arithmetic_wraps_where_programs_rely_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let source = "module m
contains
attributes(global) subroutine k(r, h, nx, ny, salt)
  integer, value :: nx, ny, salt
  integer :: r(*), h(*)
  integer :: seed, mixed, next
  if (threadIdx%x > nx*ny) return
  r(1) = merge(1, 2, -r(2) == r(3))
  r(4) = (nx + ny - 1)/ny
  seed = salt + 3
  next = seed*17 + 1
  seed = next
  if (next > seed/2) h(5) = next/3
  mixed = ieor(h(6) + h(7), 255)
  h(8) = mixed
  h(9) = mod(h(10)*31 + h(11), 64)
  if (h(12) + 5 < h(12)) h(13) = 1
  h(14) = (h(15) + 71491773)/2
end subroutine k
end module m
";
    fs::write(folder.join("m.cuf"), source).unwrap();
    let device = |options: &[&str], out: &str| {
        let all = [options, &["m.cuf", out]].concat();
        assert!(cuf2cu(&all, folder).status.success());
        fs::read_to_string(folder.join(out).join("m.cu")).unwrap()
    };
    let plain = device(&[], "plain");
    for line in [
        "int(threadIdx.x + 1) > nx * ny",
        "-r(2) == r(3)",
        "r(4) = (nx + ny - 1) / ny;",
        "(unsigned(h(6)) + h(7)) ^ 255",
        "int(unsigned(h(10)) * 31 + h(11)) % 64",
        "int(unsigned(h(12)) + 5) < h(12)",
        "int(unsigned(h(15)) + 71491773) / 2",
        "unsigned(seed) * 17 + 1",
        "unsigned(salt) + 3",
    ] {
        assert!(plain.contains(line), "{line}:\n{plain}");
    }
    let strict = device(&["--wrap=all"], "strict");
    assert!(strict.contains("int(unsigned(nx) * ny)"), "{strict}");
    assert!(strict.contains("int(-unsigned(r(2))) == r(3)"), "{strict}");
}

/// A CUF loop leaves its launch; with --keep-loops itself too, which host code executes if the macro is defined.
#[test]
fn loops_can_stay_in_host_code() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.cuf"), KEPT).unwrap();
    let run = |arguments: &[&str]| {
        let all = [&["run", "--target", "cpu", "p.cuf"][..], arguments].concat();
        let output = cuf2cu(&all, folder);
        assert!(output.status.success(), "{}", message(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let kernels = run(&[]);
    assert_eq!(kernels.trim_end(), "   4  10  20  34  -1");
    assert_eq!(run(&["--keep-loops"]), kernels);
    // The host's own variable has what the last iteration gave it.
    let macros = ["--keep-loops", "--fflags=-DCUF_HOST_LOOPS"];
    assert_eq!(run(&macros).trim_end(), "   4  10  20  34  16");

    assert!(cuf2cu(&["p.cuf", "out"], folder).status.success());
    let host = fs::read_to_string(folder.join("out/p.f90")).unwrap();
    assert!(
        !host.contains("squares") && !host.contains("end do"),
        "{host}"
    );
    assert!(
        host.contains("  ! CUF loop: p.cu, p_loop_1\n  call cuf_p_loop_1("),
        "{host}"
    );
    let device = fs::read_to_string(folder.join("out/p.cu")).unwrap();
    assert!(device.contains("\n// squares\n// four\n"), "{device}");
    assert!(
        cuf2cu(&["--keep-loops", "p.cuf", "kept"], folder)
            .status
            .success()
    );
    let host = fs::read_to_string(folder.join("kept/p.F90")).unwrap();
    assert_eq!(host.matches("#ifdef CUF_HOST_LOOPS").count(), 1, "{host}");
}

const LINES: &str = "\
#define N 8
module m
contains
  attributes(global) subroutine k(x)
    real :: x(N)
    if (threadIdx%x > 4) then
      call syncthreads()
    end if
    x(threadIdx%x) = 1
    call syncthreads()
  end subroutine
end module
#ifdef NEVER
subroutine never
end subroutine
#endif
subroutine outside(a, b)
  integer, intent(in) :: a, b
  if (a == b) stop 3
end subroutine
program p
  use cudafor
  use m
  implicit none
  interface
    subroutine outside(a, b)
      integer, intent(in) :: a, b
    end subroutine
  end interface
  real, device :: d(N)
  integer :: status
#ifdef WRONG
  call outside(1, N, 3)
#endif
#ifdef NEVER
  call nobody
#else
  call outside(1, &
#ifdef NEVER
    1)
#else
    N)
#endif
#endif
  call k<<<1, N>>>(d)
  status = cudaDeviceSynchronize()
  print *, status
end program
";

/// With --line-directives compilers, and the program, name the user's file and line, also behind branches that are left out.
#[test]
fn the_output_names_lines_of_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("src")).unwrap();
    fs::write(at.join("src/p.CUF"), LINES).unwrap();
    let one = "subroutine quoted\nend subroutine\n";
    fs::write(at.join("src/q \".cuf"), one).unwrap();
    let options = ["--line-directives", "--target", "cpu", "src", "out"];
    let written = cuf2cu(&options, at);
    assert!(written.status.success(), "{}", message(&written));
    let make_in = |folder: &str, options: &str| {
        let mut command = Command::new("make");
        command.args(["-s", "-C", folder, "TARGET=cpu", options]);
        let output = command.current_dir(at).output().unwrap();
        (output.status.success(), message(&output))
    };
    let make = |options: &str| make_in("out", options);
    let (made, said) = make("FFLAGS=-DWRONG");
    assert!(
        !made && said.contains("translate again with these macros"),
        "{said}"
    );
    let options = [
        "--line-directives",
        "--target",
        "cpu",
        "-DWRONG",
        "src",
        "wrong",
    ];
    let written = cuf2cu(&options, at);
    assert!(written.status.success(), "{}", message(&written));
    let (made, said) = make_in("wrong", "FFLAGS=");
    assert!(!made && said.contains("src/p.CUF:33:"), "{said}");
    let (made, said) = make("FFLAGS=");
    assert!(made, "{said}");
    let run = Command::new(at.join("out/build/cpu/p")).output().unwrap();
    let said = message(&run);
    assert!(said.contains("line 7 of p.CUF"), "{said}");
    assert!(said.contains("line 10 of p.CUF"), "{said}");
    let device = at.join("out/p.cu");
    let text = fs::read_to_string(&device).unwrap();
    fs::write(&device, text.replacen("__syncthreads();", "nothing();", 1)).unwrap();
    let (made, said) = make("FFLAGS=");
    assert!(!made && said.contains("src/p.CUF:7:"), "{said}");
    let quoted = fs::read_to_string(at.join("out/q__.f90")).unwrap();
    assert!(quoted.contains("# 1 \"src/q \\\".cuf\"\n"), "{quoted}");
}

/// Warnings of gfortran -Wall and g++ -Wall -Wextra about what is written for three samples, runtime included, and how many there are:
/// those that the source deserves. The list only becomes shorter.
const WARNINGS: [(&str, usize); 1] = [("-Winteger-division", 2)];

#[test]
fn compilers_warn_of_nothing_new() {
    let folder = tempfile::tempdir().unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let names = ["04_matrix_product", "05_jacobi", "06_block_sums"];
    let sources = names.map(|n| samples.join(format!("{n}.cuf")).display().to_string());
    let mut arguments: Vec<&str> = sources.iter().map(String::as_str).collect();
    arguments.push("out");
    let written = cuf2cu(&arguments, folder.path());
    assert!(written.status.success(), "{}", message(&written));
    let made = Command::new("make")
        .args([
            "-s",
            "-j2",
            "-C",
            "out",
            "TARGET=cpu",
            "OPT=-O0",
            "FFLAGS=-Wall",
        ])
        .arg("CXXFLAGS=-Wall -Wextra")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = message(&made);
    assert!(made.status.success(), "{text}");
    let mut found = std::collections::BTreeMap::new();
    for line in text
        .lines()
        .filter(|l| l.to_lowercase().contains("warning:"))
    {
        let kind = line
            .rsplit('[')
            .next()
            .unwrap_or_default()
            .trim_end_matches(']');
        *found.entry(kind).or_insert(0) += 1;
    }
    let expected = WARNINGS.into_iter().collect();
    assert_eq!(found, expected, "{text}");
}
