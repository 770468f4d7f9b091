//! Files that host code includes, with their edits: built in the output folder, made again, protected.

use super::{Work, names, said};

const MAIN: &str = "module work
#include \"inc/sizes.h\"
  real :: total = 0
contains
#ifdef GPU
#include \"inc/kernels.inc\"
#endif
#include \"inc/steps.inc\"
end module work

program main
  use work
#ifdef GPU
  use other
#endif
  real :: x(n)
  x = 1
  call step(x)
  print '(5f5.1)', x, total
#ifdef GPU
  print '(f5.1)', doubled(3.0)
#endif
end program main
";

const SIZES: &str = "  ! How much there is.\n  integer, parameter :: n = 4\n";

const KERNELS: &str = "  ! Kernels, which only the GPU has.
  attributes(global) subroutine add(a, b)
    real :: a(n)
    real, value :: b
    a(threadIdx%x) = a(threadIdx%x) + b
  end subroutine add
";

const STEPS: &str = "  ! A step, on either side.
  subroutine step(x)
    real, intent(inout) :: x(n)
#ifdef GPU
    real, device :: d(n)
#endif
    integer :: i
    ! the loop
#include \"loop.inc\"
    total = total + sum(x)
  end subroutine step
";

const LOOP: &str = "#ifdef GPU
    d = x
    call add<<<1, n>>>(d, 1.0)
    !$cuf kernel do <<<*, *>>>
    do i = 1, n
      d(i) = d(i) * 2
    end do
    x = d
#else
    x = (x + 1) * 2
#endif
";

const OTHER: &str = "module other
contains
  real function doubled(x)
    real, intent(in) :: x
    include 'device.inc'
    include 'local.inc'
    d = 2 * x
    h = d
    doubled = h(1)
  end function doubled
end module other
";

fn work() -> Work {
    Work::new(&[
        ("src/main.F90", MAIN),
        ("src/inc/sizes.h", SIZES),
        ("src/inc/kernels.inc", KERNELS),
        ("src/inc/steps.inc", STEPS),
        ("src/inc/loop.inc", LOOP),
        ("src/other.cuf", OTHER),
        (
            "src/device.inc",
            "    ! on the device\n    real, device :: d(1)\n",
        ),
        ("src/local.inc", "    real :: h(1)"),
    ])
}

const RESULT: &str = "  4.0  4.0  4.0  4.0 16.0\n";

#[test]
fn the_output_folder_builds_with_them() {
    let work = work();
    work.ok(&["src", "out", "-D", "GPU"]);
    let uses = "module work\n#ifdef GPU\n  use cuf_runtime\n  use cuf_main_shims\n#endif\n";
    assert_eq!(
        work.text("out/main.F90"),
        MAIN.replacen("module work\n", uses, 1)
    );
    assert_eq!(work.text("out/inc/sizes.h"), SIZES);
    assert_eq!(work.text("out/local.inc"), "    real :: h(1)");
    let body = "  subroutine add(cuf_at, a, b)
    type(cuf_launch), intent(in) :: cuf_at
    real, target :: a(n)
    real, value :: b
    call cuf_work_add(cuf_at, cuf_loc(a), b)
  end subroutine add
";
    let comment = "  ! Kernels, which only the GPU has.\n";
    assert_eq!(work.text("out/inc/kernels.inc"), format!("{comment}{body}"));
    let step = STEPS
        .replace("real, device :: d(n)", "real, pointer, contiguous :: d(:)")
        .replace(
            "    ! the loop\n",
            "#ifdef GPU\n    nullify(d)\n    call cuf_allocate(d, [n])\n#endif\n    ! the loop\n",
        )
        .replace(
            "  end subroutine",
            "#ifdef GPU\n    call cuf_release(d)\n#endif\n  end subroutine",
        );
    assert_eq!(work.text("out/inc/steps.inc"), step);
    let (_, other) = LOOP.split_once("    x = d\n").unwrap();
    let device = "#ifdef GPU
    call cuf_h2d(d, x)
    call add(cuf_launch(1, n), d, 1.0)
    ! CUF loop: main.cu, step_loop_1
    call cuf_work_step_loop_1(cuf_loop(), cuf_range(1, n), cuf_array(d))
    call cuf_d2h(x, d)
";
    assert_eq!(work.text("out/inc/loop.inc"), format!("{device}{other}"));
    assert_eq!(
        work.text("out/device.inc"),
        "    ! on the device\n    real, pointer, contiguous :: d(:)\n"
    );
    assert!(work.make(&[]).contains("main.F90.o"));
    let result = format!("{RESULT}  6.0\n");
    assert_eq!(work.done("out/build/cpu/main", &[]), result);
    // Nothing of CUDA's without the macro.
    work.done("gfortran", &["-cpp", "out/main.F90", "-o", "plain"]);
    assert_eq!(work.done("./plain", &[]), RESULT);
    // An object depends on what its source includes.
    std::thread::sleep(std::time::Duration::from_millis(20));
    work.put(
        "out/device.inc",
        &(work.text("out/device.inc") + "! more\n"),
    );
    let made = work.make(&[]);
    assert!(made.contains("other.f90.o") && !made.contains("main.cu.o"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    work.put(
        "out/inc/loop.inc",
        &work.text("out/inc/loop.inc").replace("1.0)", "2.0)"),
    );
    assert_eq!(work.make(&[]), names(&["main.F90.o", "main"]));
    assert_eq!(
        work.done("out/build/cpu/main", &[]),
        "  6.0  6.0  6.0  6.0 24.0\n  6.0\n"
    );
    assert!(work.ok(&["run", "src", "-D", "GPU"]).contains(&result));
}

#[test]
fn edits_of_theirs_are_kept_and_old_ones_go() {
    let work = work();
    let translate = || work.cuf2cu(&["src", "out", "-D", "GPU"]);
    assert!(translate().status.success());
    let manifest = work.text("out/cuf2cu-manifest.txt");
    assert!(manifest.contains("  inc/loop.inc\n"), "{manifest}");
    let time = |name: &str| work.at().join(name).metadata().unwrap().modified().unwrap();
    let names = ["out/inc/loop.inc", "out/device.inc", "out/main.F90"];
    let before = names.map(time);
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(translate().status.success());
    assert_eq!(names.map(time), before);
    // What somebody wrote stays.
    let mine = work.text("out/inc/loop.inc") + "! mine\n";
    work.put("out/inc/loop.inc", &mine);
    let output = translate();
    assert!(output.status.success());
    assert!(said(&output).contains("inc/loop.inc"), "{}", said(&output));
    assert_eq!(work.text("out/inc/loop.inc"), mine);
    assert_eq!(work.text("out/inc/loop.inc.new") + "! mine\n", mine);
    work.ok(&["--force", "src", "out", "-D", "GPU"]);
    assert!(!work.text("out/inc/loop.inc").contains("mine"));
    // Included no more, it goes; included by two, it is written out.
    work.put(
        "src/other.cuf",
        &OTHER.replace("    include 'device.inc'\n", "    real, device :: d(1)\n"),
    );
    let third = "subroutine third(x)
#ifdef GPU
  use work, only: add
#endif
  integer, parameter :: n = 4
  real :: x(n)
#ifdef GPU
  real, device :: d(n)
#endif
#include \"inc/loop.inc\"
end subroutine
";
    work.put("src/third.F90", third);
    let output = translate();
    assert!(output.status.success(), "{}", said(&output));
    assert!(!work.has("out/device.inc") && !work.has("out/inc/loop.inc"));
    for file in ["out/inc/steps.inc", "out/third.F90"] {
        let text = work.text(file);
        assert!(text.contains("    call cuf_d2h(x, d)\n#else\n"), "{text}");
    }
    assert!(work.make(&[]).contains("third.F90.o"));
}

/// Macros that nvfortran predefines, and the parts of the runtime, are asked for in what is included, too.
#[test]
fn what_they_ask_for_is_there() {
    let work = Work::new(&[
        (
            "src/p.CUF",
            "program p\n#include \"q.h\"\n  real, device :: d(2)\n  d = 1\n  print '(i0)', q\n  call sync()\nend program\n#include \"sync.inc\"\n",
        ),
        (
            "src/q.h",
            "#ifdef _CUDA\n  integer, parameter :: q = 1\n#else\n  integer, parameter :: q = 2\n#endif\n",
        ),
        (
            "src/sync.inc",
            "subroutine sync\n  use cudafor\n  if (cudaDeviceSynchronize() /= 0) stop 1\n  print '(a)', trim(cudaGetErrorString(cudaPeekAtLastError()))\nend subroutine\n",
        ),
    ]);
    work.ok(&["src", "out"]);
    assert!(work.has("out/q.h") && work.has("out/sync.inc"));
    work.make(&[]);
    assert_eq!(work.done("out/build/cpu/p", &[]), "1\nno error\n");
}

/// A header of Fortran that changes, with both choices of a macro that its text does not ask for.
#[test]
fn an_included_file_has_both_choices() {
    let config = "#ifdef SINGLE\n#define RK 4\n#else\n#define RK 8\n#endif\n";
    let step = "  subroutine step(h)\n    real(RK) :: h(4)\n    real(RK), device :: d(4)\n    d = h\n  end subroutine\n";
    let text = |include: &str| {
        format!("#include \"config.h\"\nmodule m\ncontains\n{include} \"step.h\"\nend module\n")
    };
    let work = Work::new(&[
        ("src/config.h", config),
        ("src/step.h", step),
        ("src/m.F90", &text("#include")),
    ]);
    work.ok(&["src", "out"]);
    let both = "#ifdef SINGLE\n    real(4), pointer, contiguous :: d(:)\n#else\n    real(8), pointer, contiguous :: d(:)\n#endif\n";
    assert!(
        work.text("out/step.h").contains(both),
        "{}",
        work.text("out/step.h")
    );
    assert!(work.text("out/m.F90").contains("#include \"step.h\"\n"));
    assert_eq!(work.text("out/config.h"), config);
}
