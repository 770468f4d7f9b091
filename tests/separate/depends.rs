//! `-MMD` and its like: what an object depends on, for the makefiles of others.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::{Work, said, suite};

const MAKEFILE: &str = "OBJECTS = main.o drive.o kern.o near.o
app: $(OBJECTS)
\t$(FC) -O0 $^ -o $@
%.o: src/%.cuf
\t$(FC) -O0 -MMD -MP -module mods -c $< -o $@
%.o: src/%.c
\t$(FC) -O0 -MMD -c $< -o $@
main.o: drive.o
drive.o: kern.o
-include $(OBJECTS:.o=.d)
";

fn project() -> Work {
    let w = Work::new(&[
        ("Makefile", MAKEFILE),
        (
            "src/kern.cuf",
            "module kern\n  include 'sizes.inc'\n  integer, private, parameter :: m = 1\n  real, device :: d(n)\ncontains\n  subroutine set(x)\n    real :: x\n    d = x\n  end subroutine\nend module\n",
        ),
        ("src/sizes.inc", "  integer, parameter :: n = 10\n"),
        (
            "src/drive.cuf",
            "module drive\n  use kern\n  interface\n    real(c_float) function near() bind(C)\n      use iso_c_binding\n    end function\n  end interface\ncontains\n  real function total()\n    real :: h(n)\n    call set(near())\n    h = d\n    total = sum(h)\n  end function\nend module\n",
        ),
        (
            "src/main.cuf",
            "program main\n  use drive, only: total\n  print '(f0.1)', total()\nend program\n",
        ),
        (
            "src/near.c",
            "#include \"near.h\"\nfloat near(void) { return NEAR; }\n",
        ),
        ("src/near.h", "#define NEAR 2\n"),
    ]);
    fs::create_dir(w.at("mods")).unwrap();
    w
}

/// What make makes, in order of names, and what the program prints then.
fn made(w: &Work) -> (Vec<String>, String) {
    sleep(Duration::from_millis(20));
    let fc = format!("FC={} fc", env!("CARGO_BIN_EXE_cuf2cu"));
    let mut make = std::process::Command::new("make");
    make.arg(fc)
        .current_dir(w.at("."))
        .env("CUF2CU_TARGET", "cpu");
    make.env("CUF2CU_CACHE", suite::build_folder().join("cache"));
    make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    let output = make.output().unwrap();
    let text = said(&output);
    assert!(
        output.status.success() && !text.contains("warning"),
        "{text}"
    );
    let lines = text.lines().filter(|l| l.contains(" fc "));
    let mut names: Vec<String> = lines
        .filter_map(|l| l.split_whitespace().last())
        .map(str::to_owned)
        .collect();
    names.sort();
    (names, said(&w.run(w.at("app").to_str().unwrap(), "")))
}

/// A header, an include file or a module that changes makes again what depends on it, and only that.
#[test]
fn a_makefile_makes_again_what_depends_on_a_change() {
    let w = project();
    let (names, shown) = made(&w);
    assert_eq!(names, ["app", "drive.o", "kern.o", "main.o", "near.o"]);
    assert_eq!(shown, "20.0\n");
    let rules = fs::read_to_string(w.at("drive.d")).unwrap();
    assert_eq!(
        rules,
        "drive.o: src/drive.cuf \\\n  src/sizes.inc \\\n  mods/kern.cuf2cu \\\n  mods/kern.mod\n\
         mods/drive.mod mods/drive.cuf2cu: drive.o ;\nsrc/sizes.inc:\nmods/kern.cuf2cu:\nmods/kern.mod:\n"
    );
    let cases: [(&str, &str, &[&str], &str); 5] = [
        ("src/drive.cuf", "", &[], "20.0\n"),
        (
            "src/near.h",
            "#define NEAR 3\n",
            &["app", "near.o"],
            "30.0\n",
        ),
        (
            "src/sizes.inc",
            "  integer, parameter :: n = 20\n",
            &["app", "drive.o", "kern.o", "main.o"],
            "60.0\n",
        ),
        (
            "src/main.cuf",
            "program main\n  use drive, only: total\n  print '(f0.2)', total()\nend program\n",
            &["app", "main.o"],
            "60.00\n",
        ),
        (
            "src/near.h",
            "#define NEAR 3\n",
            &["app", "near.o"],
            "60.00\n",
        ),
    ];
    for (file, text, names, shown) in cases {
        if !text.is_empty() {
            sleep(Duration::from_millis(20));
            fs::write(w.at(file), text).unwrap();
        }
        let found = made(&w);
        assert_eq!(
            (&found.0[..], &*found.1),
            (
                &*names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>(),
                shown
            ),
            "{file}"
        );
        assert_eq!(made(&w).0, [""; 0], "{file}: once is enough");
    }
}

#[test]
fn rules_are_written_where_and_for_what_is_asked() {
    let w = project();
    w.ok("-O0 -module mods -c src/kern.cuf -MMD -MF deps.d -MT two -MQ three$ -o k.o");
    let rules = fs::read_to_string(w.at("deps.d")).unwrap();
    assert_eq!(
        rules,
        "two three$$: src/kern.cuf \\\n  src/sizes.inc\nmods/kern.mod mods/kern.cuf2cu: two three$$ ;\n"
    );
    // Without -o beside nothing but here; for a program at once by its name.
    w.ok("-O0 -module mods -MD -c src/kern.cuf");
    let rules = fs::read_to_string(w.at("kern.d")).unwrap();
    assert!(rules.starts_with("kern.o: src/kern.cuf"), "{rules}");
    w.ok("-O0 -module mods -MMD src/kern.cuf src/drive.cuf src/main.cuf src/near.c -o app");
    let rules = fs::read_to_string(w.at("app-near.d")).unwrap();
    assert_eq!(rules, "app: src/near.c \\\n  src/near.h\n");
    assert!(w.at("app-main.d").exists());
    let several = w.fc("-MMD -MF one.d -c src/kern.cuf src/drive.cuf");
    assert_eq!(several.status.code(), Some(2));
    assert!(said(&several).contains("-MF takes one source"));
    // Nothing is written without it, nor for what does not compile.
    assert!(!w.at("k.d").exists() && !w.at("one.d").exists());
}
