//! Sources without a main program: a library with its module files.

use std::fs;

use super::{Work, names, said};

const SCALE: &str = "module scale
  use cudafor
  use base
  implicit none
contains
  attributes(global) subroutine by(a, n)
    real :: a(*)
    integer, value :: n
    integer :: i
    i = threadidx%x
    if (i <= n) a(i) = a(i)*FACTOR
  end subroutine by
  subroutine scaled(h)
    real :: h(:)
    real, device :: d(size(h))
    d = h
    call by<<<1, 32>>>(d, size(h))
    h = d
  end subroutine scaled
end module scale
";

/// A library, with CUDA code, a C file and a header from elsewhere.
pub fn library() -> Work {
    Work::new(&[
        ("mylib/scale.CUF", SCALE),
        (
            "mylib/base.cuf",
            "module base\n  integer, parameter :: base_kind = 4\ncontains\n  integer function two()\n    two = 2\n  end function two\nend module base\n",
        ),
        (
            "mylib/words.c",
            "#include <far/words.h>\n#include \"near.h\"\nconst char *words(void) { return WORDS NEAR FAR; }\n",
        ),
        ("mylib/other.c", "int other(void) { return 1; }\n"),
        ("mylib/near.h", "#define NEAR \"|near\"\n"),
        ("elsewhere/far/words.h", "#include \"more.h\"\n"),
        ("elsewhere/far/more.h", "#define FAR \"|far\"\n"),
    ])
}

const WORDS: &str = "a b  c'd$e#f;g\\\\h(i)%j$$(k)<l>";

const USER: &str = "program user
  use scale
  use iso_c_binding
  implicit none
  interface
    type(c_ptr) function words() bind(c)
      import :: c_ptr
    end function
  end interface
  real :: h(3) = [1.0, 2.0, 3.0]
  character, pointer :: c(:)
  integer :: i
  call scaled(h)
  print '(3f6.1)', h
  call c_f_pointer(words(), c, [200])
  do i = 1, 200
    if (c(i) == c_null_char) exit
    write (*, '(a)', advance='no') c(i)
  end do
  print '(i2)', two()
end program user
";

/// Options reach the Makefile as they are, headers come along, `make lib` and `make install` give what others link, and a change makes
/// again what it must and only that.
#[test]
fn a_library_is_made_installed_and_kept_up_to_date() {
    let work = library();
    let define = format!("-DWORDS=\"{WORDS}\"");
    let translate = |work: &Work| {
        let fflags = [
            "--fflags",
            "-DOTHER=3 -DX=$y#z;w",
            "--check-bounds",
            "-Iempty dir$",
        ];
        let rest = ["-Ielsewhere", "mylib", "out", &define, "-DFACTOR=2.5"];
        work.ok(&[&fflags[..], &rest].concat());
    };
    fs::create_dir(work.at().join("empty dir$")).unwrap();
    translate(&work);
    // The folder stands alone.
    fs::rename(work.at().join("elsewhere"), work.at().join("gone")).unwrap();
    let made = work.make(&["lib"]);
    assert!(
        made.contains("libmylib.a") && made.contains("words.c.o"),
        "{made:?}"
    );
    work.make(&["install", "PREFIX=/usr", "DESTDIR=../root dir"]);
    for name in ["lib/libmylib.a", "include/scale.mod", "include/base.mod"] {
        assert!(work.has(&format!("root dir/usr/{name}")), "{name}");
    }
    assert!(
        work.make(&["install", "PREFIX=../root", "LIBDIR=../root/lib64"])
            .is_empty()
    );
    let libraries = work.done("make", &["-s", "-C", "out", "TARGET=cpu", "libs"]);
    let link: Vec<&str> = libraries.split_whitespace().skip(1).collect();
    work.put("user.f90", USER);
    let build = |name: &str| {
        let mut words = vec![
            "-Iroot/include",
            "user.f90",
            "root/lib64/libmylib.a",
            "-o",
            name,
        ];
        words.extend(&link);
        work.done("gfortran", &words);
        work.done(&format!("./{name}"), &[])
    };
    let expected = "   2.5   5.0   7.5\na b  c'd$e#f;g\\h(i)%j$$(k)<l>|near|far 2\n";
    assert_eq!(build("user"), expected);

    // Nothing to do is nothing done.
    assert_eq!(work.make(&[]), names(&[]));
    let again = |name: &str, from: &str, to: &str| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        let text = work.text(name);
        assert!(text.contains(from), "{name}: {text}");
        work.put(name, &text.replace(from, to));
        work.make(&[])
    };
    let lib = "libmylib.a";
    assert_eq!(
        again("out/near.h", "|near", "|here"),
        names(&["words.c.o", lib])
    );
    assert_eq!(
        again("out/include/elsewhere/far/more.h", "|far", "|away"),
        names(&["words.c.o", lib])
    );
    assert_eq!(again("out/other.c", "1", "2"), names(&["other.c.o", lib]));
    // A module that offers the same makes its users no others.
    assert_eq!(
        again("out/base.f90", "two = 2", "two = 1 + 1"),
        names(&["base.f90.o", lib])
    );
    let question = ["-q", "-C", "out", "TARGET=cpu", "OPT=-O0"];
    assert!(work.run("make", &question).status.success());
    let made = again("out/base.f90", "base_kind = 4", "base_kind = 8");
    assert_eq!(made, names(&["base.f90.o", "scale.F90.o", lib]));
    assert_eq!(work.make(&[]), names(&[]));
    // A header of the runtime makes all again that includes it.
    let made = again("out/cuf/cuf.cuh", "#pragma once", "#pragma once\n");
    assert!(
        made.contains("scale.cu.o") && !made.contains("words.c.o"),
        "{made:?}"
    );

    // A second translation, from sources of which one differs.
    fs::rename(work.at().join("gone"), work.at().join("elsewhere")).unwrap();
    let force = [
        "--force",
        "-Ielsewhere",
        "mylib",
        "out",
        &define,
        "-DFACTOR=2.5",
    ];
    work.ok(&force);
    // The options are others, which no file but the Makefile tells.
    let made = work.make(&[]);
    assert!(
        made.contains("scale.F90.o") && made.contains("words.c.o"),
        "{made:?}"
    );
    work.put("mylib/other.c", "int other(void) { return 3; }\n");
    work.ok(&force);
    assert_eq!(work.make(&[]), names(&["other.c.o", lib]));
    // By another name, and without CUDA code in several files.
    work.ok(&["--name", "else", "mylib/base.cuf", "named"]);
    assert!(work.text("named/Makefile").contains("libelse.a"));
    assert_eq!(
        work.cuf2cu(&["--name", "../x", "mylib", "named"])
            .status
            .code(),
        Some(2)
    );
}

/// `build` of sources without a main program makes the library that the Makefile makes, and says so; it is linked with what is said.
#[test]
fn sources_without_a_main_program_are_built_as_a_library() {
    let work = Work::new(&[
        ("mylib/scale.CUF", SCALE),
        (
            "mylib/base.cuf",
            "module base\n  integer, parameter :: base_kind = 4\ncontains\n  integer function two()\n    two = 2\n  end function two\nend module base\n",
        ),
        (
            "user.f90",
            "program user\n  use scale\n  use cudafor\n  implicit none\n  real :: h(3) = [1.0, 2.0, 3.0]\n  call scaled(h)\n  if (cudaDeviceSynchronize() /= 0) stop 1\n  print '(3f6.1,i2)', h, two()\nend program user\n",
        ),
    ]);
    let cpu = ["--target", "cpu", "-O0", "-DFACTOR=2.5"];
    let built = work.cuf2cu(&[&["build", "mylib"], &cpu[..]].concat());
    assert!(built.status.success(), "{}", said(&built));
    let text = said(&built);
    let (head, libraries) = text
        .trim_end()
        .split_once("; link programs that use it with ")
        .unwrap();
    assert!(
        head.contains("no main program: built the library libmylib.a; its modules are in ."),
        "{text}"
    );
    assert!(work.has("scale.mod") && work.has("base.mod") && work.has("cudafor.mod"));
    let mut link = vec!["user.f90", "libmylib.a", "-o", "user"];
    link.extend(libraries.split_whitespace());
    work.done("gfortran", &link);
    assert_eq!(work.done("./user", &[]), "   2.5   5.0   7.5 2\n");

    // In a folder with its module files, and the same bytes; in a named folder it stays.
    fs::create_dir(work.at().join("lib")).unwrap();
    work.ok(&[&["build", "mylib", "-o", "lib"], &cpu[..]].concat());
    let bytes = |name: &str| fs::read(work.at().join(name)).unwrap();
    assert!(bytes("lib/libmylib.a") == bytes("libmylib.a") && work.has("lib/scale.mod"));
    work.ok(&[&["build", "mylib", "--out", "out"], &cpu[..]].concat());
    assert!(work.has("out/build/cpu/libmylib.a") && work.has("out/build/cpu/mod/cudafor.mod"));

    let run = work.cuf2cu(&[&["run", "mylib"], &cpu[..]].concat());
    assert_eq!(run.status.code(), Some(2));
    assert!(
        said(&run).contains("no main program to run"),
        "{}",
        said(&run)
    );
}
