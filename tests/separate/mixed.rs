//! Builds in which something else has been at work: gfortran, other sources of a module, old archives; and names that begin as ours do.

use std::fs;

use super::{Work, said};

const SIZES: &str = "module sizes\n  integer, parameter :: n = 4\nend module\n";

const KERN: &str = "module kern
  use sizes
  real, device :: total
contains
  attributes(global) subroutine fill(a)
    real :: a(n)
    a(threadIdx%x) = n + total
  end subroutine
end module
";

/// The names are the runtime's, and a launcher's.
const MAIN: &str = "module cuf_shims
  use kern, launch => fill
contains
  subroutine cuf_h2d(x)
    real, intent(out) :: x
    x = 3
  end subroutine
  subroutine cuf_kern_fill(a)
    real, device :: a(:)
    call launch<<<1, n>>>(a)
  end subroutine
end module
program main
  use cuf_shims
  real, device :: d(n)
  real :: h(n), cuf_loc
  call cuf_h2d(cuf_loc)
  total = cuf_loc
  call cuf_kern_fill(d)
  h = d
  print '(i0)', nint(sum(h))
end program
";

#[test]
fn what_others_have_made_is_not_taken_for_ours() {
    let w = Work::new(&[
        ("sizes.f90", SIZES),
        ("kern.cuf", KERN),
        ("main.cuf", MAIN),
        ("empty.f90", ""),
    ]);
    for file in ["sizes.f90", "kern.cuf", "main.cuf", "empty.f90"] {
        w.ok(&format!("-O0 -c {file}"));
    }
    w.ok("-O0 sizes.o kern.o main.o empty.o -o app");
    assert_eq!(said(&w.run("./app", "")), "28\n");
    assert!(w.run("ar", "rcs libold.a kern.o sizes.o").status.success());
    // Host code would have gfortran's constant, device code that of the record.
    fs::write(w.at("sizes.f90"), SIZES.replace('4', "5")).unwrap();
    assert!(w.run("gfortran", "-c sizes.f90").status.success());
    let refused = w.fc("-O0 -c kern.cuf");
    let text = said(&refused);
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(
        text.contains("sizes.mod does not match the record of ./sizes.cuf2cu"),
        "{text}"
    );
    w.ok("-O0 -c sizes.f90");
    // The module has moved to another source.
    fs::rename(w.at("kern.cuf"), w.at("moved.cuf")).unwrap();
    w.ok("-O0 -c moved.cuf -o kern.o");
    // An archive with the old objects is no excuse for one that was compiled with them.
    let stale = w.fc("-O0 main.o kern.o sizes.o libold.a -o app");
    let text = said(&stale);
    assert_eq!(stale.status.code(), Some(2), "{text}");
    assert!(text.contains("main.cuf was compiled against"), "{text}");
    w.ok("-O0 -c main.cuf");
    w.ok("-O0 main.o kern.o sizes.o libold.a -o app");
    assert_eq!(said(&w.run("./app", "")), "40\n");
}

const OLD: &str = "subroutine twice(d, n)
  integer :: n
  real, device :: d(n)
  integer :: i
  !$cuf kernel do <<<*, *>>>
  do i = 1, n
    d(i) = 2*d(i)
  end do
end subroutine
";

const CALLER: &str = "module caller
  type state
    real, device, allocatable :: w(:)
  end type
contains
  subroutine four_times(d)
    real, device :: d(8)
    type(state) :: s
    allocate(s%w(8))
    s%w = d
    call twice(s%w, 8)
    d = s%w
    call twice(d(1), 8)
  end subroutine
end module
";

const FIRST: &str = "program first
  use caller
  real, device :: d(8)
  real :: h(8)
  d = 3
  call four_times(d)
  call twice(d, 4)
  h = d
  if (any(h(:4) /= 24) .or. any(h(5:) /= 12)) error stop 1
  print '(a)', 'PASS'
end program
";

/// Device data goes to a procedure without an interface as a source beside the caller defines it, compiled before or after.
#[test]
fn procedures_without_interface_are_looked_up_beside() {
    let w = Work::new(&[
        ("old.cuf", OLD),
        ("caller.cuf", CALLER),
        ("first.cuf", FIRST),
    ]);
    let told = w.ok("-O0 -c caller.cuf");
    assert!(
        told.contains("warning[CUF0360]") && told.contains("a source of this folder"),
        "{told}"
    );
    w.ok("-O0 -c first.cuf");
    w.ok("-O0 -c old.cuf");
    w.ok("-O0 first.o caller.o old.o -o app");
    assert_eq!(said(&w.run("./app", "")), "PASS\n");
    // Another definition is as good only if it takes the same.
    let without = w.fc("-O0 first.o caller.o -o without");
    assert_eq!(without.status.code(), Some(2));
    assert!(said(&without).contains("twice in"), "{}", said(&without));
    fs::write(w.at("old.cuf"), OLD.replace("d(n)", "d(:)")).unwrap();
    w.ok("-O0 -c old.cuf");
    let refused = w.fc("-O0 first.o caller.o old.o -o other");
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("disagree"), "{}", said(&refused));
    fs::write(w.at("old.cuf"), OLD.replace("real", "real(8)")).unwrap();
    w.ok("-O0 -c old.cuf");
    let refused = w.fc("-O0 first.o caller.o old.o -o other");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said(&refused).contains("has other dummy arguments"),
        "{}",
        said(&refused)
    );
    fs::write(w.at("old.cuf"), OLD.replace("d(n)", "d(:)")).unwrap();
    // Without a definition that takes an address, and for another type, nothing is passed.
    let refused = w.fc("-O0 -c caller.cuf");
    assert!(
        said(&refused).contains("no explicit interface"),
        "{}",
        said(&refused)
    );
    fs::write(w.at("old.cuf"), OLD.replace("real", "real(8)")).unwrap();
    let refused = w.fc("-O0 -c caller.cuf");
    assert!(
        said(&refused).contains("takes real(8)"),
        "{}",
        said(&refused)
    );
    // Nobody else compares the other arguments.
    fs::write(w.at("old.cuf"), OLD).unwrap();
    for (arguments, words) in [
        ("(s%w, 8_8)", "is integer(8), but its definition"),
        ("(s%w)", "takes 2 arguments, but this call passes 1"),
    ] {
        let text = CALLER.replace("(s%w, 8)", arguments);
        fs::write(w.at("caller.cuf"), text).unwrap();
        let refused = w.fc("-O0 -c caller.cuf");
        assert_eq!(refused.status.code(), Some(1));
        assert!(said(&refused).contains(words), "{}", said(&refused));
    }
    fs::write(w.at("caller.cuf"), CALLER).unwrap();
    // The procedure could write into constant data.
    let text = FIRST.replace(
        "program first",
        "module fixed\n  real, constant :: d(8)\nend module\nprogram first\n  use fixed",
    );
    let text = text
        .replace("  real, device :: d(8)\n", "")
        .replace("  call four_times(d)\n", "");
    fs::write(w.at("first.cuf"), text).unwrap();
    let refused = w.fc("-O0 -c first.cuf");
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said(&refused).contains("error[CUF0398]"),
        "{}",
        said(&refused)
    );
    // An absent argument would have to be known.
    let text = FIRST.replace("  use caller\n", "");
    let text = text.replace("  call four_times(d)\n", "");
    fs::write(w.at("first.cuf"), text).unwrap();
    w.ok("-O0 -c first.cuf");
    let text = OLD.replace("(d, n)", "(d, n, m)");
    let text = text.replace("integer :: i\n", "integer :: i\n  integer, optional :: m\n");
    fs::write(w.at("old.cuf"), text).unwrap();
    let refused = w.fc("-O0 -c first.cuf");
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said(&refused).contains("no explicit interface"),
        "{}",
        said(&refused)
    );
}

/// What a module's file becomes does not depend on a procedure whose name the module's continues.
#[test]
fn names_that_continue_others_do_not_change_a_file() {
    let step = "module step_kernel\ncontains\n  subroutine run(a, n)\n    integer :: n, i\n    real :: a(n)\n    real, device :: d(n)\n    d = a\n    !$cuf kernel do <<<*, *>>>\n    do i = 1, n\n      d(i) = d(i) + i\n    end do\n    a = d\n  end subroutine\nend module\n";
    let outer = "subroutine step(a, n)\n  use step_kernel\n  integer :: n\n  real :: a(n)\n  call run(a, n)\nend subroutine\nprogram p\n  real :: a(4)\n  a = 1\n  call step(a, 4)\n  print '(i0)', nint(sum(a))\nend program\n";
    let w = Work::new(&[("kernel.cuf", step), ("step.cuf", outer)]);
    w.ok("-O0 -c kernel.cuf");
    w.ok("-O0 -c step.cuf");
    w.ok("-O0 kernel.o step.o -o app");
    assert_eq!(said(&w.run("./app", "")), "14\n");
}
