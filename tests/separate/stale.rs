//! Objects that are older than what they are made of.

use std::fs;
use std::process::Command;

use super::{Work, said};

const SHAPES: &str = "module shapes
  implicit none
contains
  attributes(device) real function scaled(x)
    real, value :: x
    scaled = 2*x ! twice
  end function
  attributes(global) subroutine scale_all(a, n)
    real :: a(*)
    integer, value :: n
    if (threadIdx%x <= n) a(threadIdx%x) = scaled(a(threadIdx%x))
  end subroutine
end module
";

const SHAPED: &str = "module shaped
  use shapes
  implicit none
contains
  subroutine run(s)
    real, intent(out) :: s
    real, device :: d(8)
    real :: h(8)
    d = 1
    call scale_all<<<1, 8>>>(d, 8)
    h = d
    s = sum(h)
  end subroutine
end module
";

const SHAPER: &str =
    "program shaper\n  use shaped\n  real :: s\n  call run(s)\n  print '(f0.1)', s\nend program\n";

/// An object that was compiled with a module as it is no more is not linked, and a module file changes if what others have of the module in
/// their device code does: CMake and meson compile those again, and only those.
#[test]
fn no_object_is_older_than_what_it_is_made_of() {
    let w = Work::new(&[
        ("shapes.cuf", SHAPES),
        ("shaped.cuf", SHAPED),
        ("shaper.cuf", SHAPER),
    ]);
    let modules = || ["shapes.mod", "shaped.mod"].map(|m| fs::read(w.at(m)).unwrap());
    w.ok("-O0 -c shapes.cuf shaped.cuf shaper.cuf");
    w.ok("-O0 shapes.o shaped.o shaper.o -o p");
    assert_eq!(said(&w.run(w.at("p").to_str().unwrap(), "")), "16.0\n");
    let before = modules();
    // A comment and the body of a kernel are no business of others.
    let same = SHAPES
        .replace(" ! twice", " ! as often")
        .replace("<= n)", "<= min(n, 8))");
    fs::write(w.at("shapes.cuf"), same).unwrap();
    w.ok("-O0 -c shapes.cuf");
    assert!(modules() == before);
    w.ok("-O0 shapes.o shaped.o shaper.o -o p");
    // The interface of the kernel, of the same size; the device procedure.
    for changed in [
        SHAPES.replace("integer, value :: n", "real, value :: n"),
        SHAPES.replace("2*x", "3*x"),
    ] {
        fs::write(w.at("shapes.cuf"), changed).unwrap();
        w.ok("-O0 -c shapes.cuf");
        assert!(modules()[0] != before[0]);
        let link = w.fc("-O0 shapes.o shaped.o shaper.o -o p");
        assert_eq!(link.status.code(), Some(2));
        let text = said(&link);
        assert!(
            text.contains("shaped.cuf was compiled against a different version of shapes.mod")
                && text.contains("than shapes.cuf provides"),
            "{text}"
        );
        assert!(
            Command::new("ar")
                .args(["rcs", "libshapes.a", "shapes.o"])
                .current_dir(w.0.path())
                .status()
                .unwrap()
                .success()
        );
        let link = w.fc("-O0 shaped.o shaper.o -L. -lshapes -o p");
        assert_eq!(link.status.code(), Some(2));
    }
    w.ok("-O0 -c shaped.cuf");
    // What one module has of another may reach those that use it.
    assert!(modules()[1] != before[1]);
    w.ok("-O0 -c shaper.cuf");
    w.ok("-O0 shapes.o shaped.o shaper.o -o p");
    assert_eq!(said(&w.run(w.at("p").to_str().unwrap(), "")), "24.0\n");
}
