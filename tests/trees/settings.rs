//! Macros of a build: one for which the program was not translated stops it (docs/macros.md).

use super::{Work, said};

/// What make says of a build with these macros; nothing is compiled.
fn stop(work: &Work, flags: &str) -> Option<String> {
    let built = work.run("make", &["-C", "out", "-n", "TARGET=cpu", flags]);
    (!built.status.success()).then(|| said(&built))
}

fn stops(work: &Work, flags: &str, message: &str) {
    let said = stop(work, flags).unwrap_or_else(|| panic!("{flags} does not stop the build"));
    assert!(said.contains(message), "{flags}: {said}");
    assert!(said.contains("translate again with these macros"), "{said}");
}

fn builds(work: &Work, flags: &str) {
    assert_eq!(stop(work, flags), None, "{flags}");
}

/// A module with a kernel that sets `a` to this expression, and a program that prints what it gets.
fn program(head: &str, expression: &str) -> String {
    format!(
        "{head}module m\n  use cudafor\n  use grid\ncontains\n  attributes(global) subroutine k(a)\n    real(wp) :: a(2)\n    a(threadIdx%x) = {expression}\n  \
         end subroutine\nend module\nprogram p\n  use m\n  real(wp), device :: a(2)\n  real(wp) :: h(2)\n  call k<<<1, 2>>>(a)\n  h = a\n  \
         print '(i3, 2f8.3)', nx, h\nend program\n"
    )
}

const GRID: &str = "module grid\n  integer, parameter :: wp = kind(1d0)\n#ifdef BIG\n  integer, parameter :: nx = 64\n#else\n  \
    integer, parameter :: nx = 16\n#endif\nend module\n";

fn work_of(files: &[(&str, &str)], macros: &[&str]) -> Work {
    let work = Work::new(files);
    work.ok(&[macros, &["src", "out"]].concat());
    work
}

/// (a), (b), (i): constants that device code has only folded, and names that headers of C++ use for something else.
#[test]
fn folded_constants_and_names_of_headers_have_both_choices() {
    let text = program(GRID, "half(real(nx, wp)) + bit");
    let device = "  attributes(device) real(wp) function half(x)\n    real(wp), value :: x\n#ifdef size\n    half = x/4\n#else\n    half = x/2\n#endif\n  \
        end function\nend module\nprogram";
    let bit = "  use grid\n#ifdef LITTLE_ENDIAN\n  integer, parameter :: bit = 1\n#else\n  integer, parameter :: bit = 0\n#endif\ncontains\n";
    let text =
        text.replacen("end module\nprogram", device, 1)
            .replacen("  use grid\ncontains\n", bit, 1);
    let work = work_of(&[("src/p.CUF", &text)], &[]);
    let run = |macros: &str| {
        work.make(&[macros]);
        work.done("out/build/cpu/p", &[])
    };
    assert_eq!(run("MACROS="), " 16   8.000   8.000\n");
    assert_eq!(run("MACROS=-D'BIG'"), " 64  32.000  32.000\n");
    let all = "MACROS=-Wp,-DBIG -D size -DLITTLE_ENDIAN";
    assert_eq!(run(all), " 64  17.000  17.000\n");
    let device = work.text("out/p.cu");
    assert!(!device.contains("LITTLE_ENDIAN\n") || device.contains("CUF_WITH_LITTLE_ENDIAN"));
    assert!(!device.contains("ifdef size"), "{device}");
}

/// (a): what is not a choice between two is as it was translated, also where device code has only the value.
#[test]
fn a_number_is_what_it_was() {
    let grid = GRID.replace("#ifdef BIG", "#if BIG == 1");
    let work = work_of(&[("src/p.CUF", &program(&grid, "nx"))], &["-DBIG=1"]);
    builds(&work, "MACROS=-D BIG='1'");
    stops(
        &work,
        "MACROS=-DBIG=7",
        "translated for BIG=0, 1, 2, but built with BIG=7 (src/p.CUF, line 3, asks for it)",
    );
    stops(
        &work,
        "MACROS=",
        "translated with BIG=1, but built without BIG",
    );
    stops(
        &work,
        "MACROS=-DBIG -DOTHER",
        "translated without OTHER, but built with OTHER",
    );
    stops(&work, "FFLAGS=-DOTHER", "translated without OTHER");
    builds(&work, "FFLAGS=-O3 -fopenmp");
}

/// (c): host code without the directives of its source.
#[test]
fn fixed_form_is_compared_too() {
    let text = "#if NDIM == 3\n#define NC 30\n#else\n#define NC 20\n#endif\n      module m\n      contains\n      attributes(global) subroutine k(a)\n      \
        integer :: a(4)\n      a(threadIdx%x) = NC\n      end subroutine\n      end module\n";
    let work = work_of(&[("src/m.F", text)], &["-DNDIM=3"]);
    builds(&work, "MACROS=-DNDIM=2");
    stops(
        &work,
        "MACROS=-DNDIM=7",
        "translated for NDIM=2, 3, 4, but built with NDIM=7 (src/m.F, line 1,",
    );
    // Builds without the Makefile meet it in the interfaces of the launchers.
    let shims = work.text("out/m_shims.F90");
    let check = "#if !defined(NDIM) || (NDIM != 2 && NDIM != 3 && NDIM != 4)\n#error \"cuf2cu: translated for NDIM=2, 3, 4 (m.F, line 1, asks for it): translate again with these macros\"\n#endif\n";
    assert!(shims.starts_with(check), "{shims}");
}

/// (d), (e): defaults in all forms, and macros made of macros.
#[test]
fn defaults_and_macros_of_macros_are_compared() {
    let forms = [
        "#if !defined(N)\n#define N 5\n#endif\n",
        "#ifdef N\n#else\n#define N 5\n#endif\n",
        "#ifndef M\n#ifndef N\n#define N 5\n#endif\n#endif\n",
        "#ifndef N\n#define N 5\n#endif\n#define TWICE (N*2)\n",
    ];
    let mut taken = 0;
    for form in forms {
        let head =
            format!("{form}module grid\n  integer, parameter :: wp = 4, nx = 2\nend module\n");
        let work = work_of(&[("src/p.CUF", &program(&head, "N"))], &[]);
        builds(&work, "MACROS=");
        // The default's own value is compared where a conditional alone asks for the macro; else it is another setting.
        if let Some(said) = stop(&work, "MACROS=-DN=5") {
            let other = "translated without N, but built with N=5";
            assert!(said.contains(other), "{said}");
            stops(&work, "MACROS=-DN=2", "translated without N, but built");
            continue;
        }
        taken += 1;
        stops(
            &work,
            "MACROS=-DN=2",
            "translated with N=5 and without N, but built with N=2",
        );
        let host = work.text("out/p.F90");
        assert!(
            host.contains(
                "#if defined(N) && N != 5\n#error \"cuf2cu: translated with N=5 and without N ("
            ),
            "{host}"
        );
    }
    assert!(taken > 0);
}

/// (f), (g): macros as the compilers read them, with any value.
#[test]
fn spellings_and_values_are_those_of_the_compiler() {
    let head = "module grid\n  integer, parameter :: wp = 8, nx = 2\nend module\n";
    let text = program(head, "DT*OFFSET");
    let macros = ["-DDT=0.25d0", "-DOFFSET=(-8)"];
    let work = work_of(&[("src/p.CUF", &text)], &macros);
    builds(&work, "LDLIBS=");
    builds(&work, "MACROS=-D 'DT=0.25d0' -Wp,'-DOFFSET=(-8)'");
    for (flags, said) in [
        (
            "MACROS=-DDT=0.5d0 '-DOFFSET=(-8)'",
            "with DT=0.25d0, but built with DT=0.5d0",
        ),
        (
            "MACROS=-DDT=0.25d0 '-DOFFSET=(-9)'",
            "with OFFSET=(-8), but built with OFFSET=(-9)",
        ),
        (
            "MACROS=-DDT=0.25d0 '-DOFFSET=(-8)' -UDT",
            "with DT=0.25d0, but built without DT",
        ),
        ("FFLAGS=-D'DT=2'", "with DT=0.25d0, but built with DT=2"),
    ] {
        stops(&work, flags, said);
    }
}

/// (h): which module with device functions is used.
#[test]
fn a_number_that_chooses_a_module_is_what_it_was() {
    let ops = |name: &str, value: &str| {
        format!(
            "module {name}\ncontains\n  attributes(device) real function op(x)\n    real, value :: x\n    op = x{value}\n  end function\nend module\n"
        )
    };
    let used = "module grid\n#if SCHEME == 2\n  use ops_b\n#else\n  use ops_a\n#endif\n  integer, parameter :: wp = 4, nx = 2\nend module\n";
    let text = program(used, "op(1.0)");
    let work = work_of(
        &[
            ("src/a.cuf", &(ops("ops_a", "+1") + &ops("ops_b", "*10"))),
            ("src/p.CUF", &text),
        ],
        &[],
    );
    stops(
        &work,
        "MACROS=-DSCHEME=2",
        "translated without SCHEME, but built with SCHEME=2",
    );
}

/// A macro by which no file differs is free, and its name in a text costs nothing.
#[test]
fn what_stays_in_host_code_is_free() {
    let text = program(GRID, "nx").replace(
        "  h = a\n",
        "  h = a\n#ifdef LOUD\n  print *, 'LOUD', __LINE__\n#endif\n#ifdef CHECK\n  print *, a(1)\n#endif\n#if LEVEL\n  print *, 'level'\n#endif\n",
    );
    let work = work_of(&[("src/p.CUF", &text)], &[]);
    for flags in ["-DLOUD", "-DBIG -DLOUD -DLEVEL=3", "-DCHECK -DBIG"] {
        builds(&work, &format!("MACROS={flags}"));
    }
    let script = work.text("out/cuf/macros.awk");
    for free in ["LOUD", "LEVEL"] {
        assert!(
            script.contains(&format!("neutral[\"{free}\"] = 1\n")),
            "{script}"
        );
    }
    // A value that the text would show is one of two.
    stops(
        &work,
        "MACROS=-DLOUD=2",
        "translated with LOUD and without LOUD, but built with LOUD=2",
    );
    // Of device data in host code there are two texts.
    assert!(
        work.text("out/p.F90")
            .contains("#ifdef CHECK\n  print *, cuf_host(a(1))\n")
    );
    assert!(!script.contains("neutral[\"CHECK\"]"), "{script}");
}

/// Two macros, kinds and layout: device code names the type that one chooses where the other leaves out the header that defines it.
#[test]
fn kinds_and_layouts_have_all_four_choices() {
    let particles = "module particles\n#ifdef SINGLE\n  integer, parameter :: wp = 4\n#else\n  integer, parameter :: wp = 8\n#endif\n#if !defined(USE_SOA)\n  \
        type particle\n    real(wp) :: x, v\n  end type\n#endif\nend module\n";
    let moves = "module moves\n  use particles\ncontains\n#if defined(USE_SOA)\n  attributes(global) subroutine move(x, v)\n    real(wp) :: x(8), v(8)\n    \
        x(threadIdx%x) = x(threadIdx%x) + v(threadIdx%x)\n  end subroutine\n#else\n  attributes(global) subroutine move(p)\n    \
        type(particle) :: p(8)\n    p(threadIdx%x)%x = p(threadIdx%x)%x + p(threadIdx%x)%v\n  end subroutine\n#endif\nend module\n";
    let work = work_of(
        &[("src/particles.F90", particles), ("src/moves.CUF", moves)],
        &[],
    );
    for macros in ["", "-DSINGLE", "-DUSE_SOA", "-DSINGLE -DUSE_SOA"] {
        let macros = format!("MACROS={macros}");
        work.done(
            "make",
            &[
                "-C",
                "out",
                "TARGET=cpu",
                "OPT=-O0",
                &macros,
                "build/cpu/moves.cu.o",
            ],
        );
    }
}

/// Constants that three macros choose may mean something together that each of them does not mean beside one other.
#[test]
fn macros_without_influence_have_none_together() {
    let constant = |name: &str| {
        let text = |value: u8| format!("  integer, parameter :: n{name} = {value}\n");
        format!("#ifdef {name}\n{}#else\n{}#endif\n", text(1), text(0))
    };
    let all: String = ["A", "B", "C"].map(constant).concat();
    let head = format!(
        "module grid\n{all}  integer, parameter :: wp = 4, nx = nb*nc*(1 - na)\nend module\n"
    );
    let work = work_of(&[("src/p.CUF", &program(&head, "nx"))], &[]);
    builds(&work, "MACROS=-DA -DB");
    stops(
        &work,
        "MACROS=-DB -DC",
        "translated without C, but built with C",
    );
}

/// What gfortran defines and nvfortran does not is not defined, in any file.
#[test]
fn macros_of_the_compiler_are_those_of_nvfortran() {
    let head = "module grid\n  integer, parameter :: wp = 4\n#ifdef __SIZEOF_POINTER__\n  integer, parameter :: nx = __SIZEOF_POINTER__\n#else\n  \
        integer, parameter :: nx = 1\n#endif\nend module\n";
    let work = work_of(&[("src/p.CUF", &program(head, "nx"))], &[]);
    work.make(&[]);
    assert_eq!(work.done("out/build/cpu/p", &[]), "  1   1.000   1.000\n");
}

/// The report has the values of macros that nvfortran defines; a number is shown with its value; a file has the name of the source.
#[test]
fn values_and_names_are_those_of_the_source() {
    let head = "#if GHOST > 2\n#define NX 7\n#else\n#define NX 5\n#endif\nmodule grid\n  integer, parameter :: wp = 4\n#ifdef unix\n  integer, parameter :: nx = NX\n#else\n  \
        integer, parameter :: nx = 1\n#endif\nend module\n";
    let text = program(head, "nx").replace("  print", "  print '(a)', __FILE__\n  print");
    let work = work_of(&[("src/p.CUF", &text)], &["-DGHOST=2"]);
    builds(&work, "MACROS=-DGHOST=1");
    builds(&work, "MACROS=-DGHOST=3");
    let said = "translated for GHOST=1, 2, 3, but built with GHOST=4 (src/p.CUF, line 1,";
    stops(&work, "MACROS=-DGHOST=4", said);
    let report = work.text("out/cuf2cu-report.txt");
    let line = "\nunix                 = 1              must stay     src/p.CUF, line 8\n";
    assert!(report.contains(line), "{report}");
    let host = work.text("out/p.F90");
    assert!(host.contains("  print '(a)', \"src/p.CUF\"\n"), "{host}");
    let work = work_of(
        &[(
            "src/p.CUF",
            &program("", "GHOST")
                .replace("  use grid\n", "  integer, parameter :: wp = 4, nx = 2\n"),
        )],
        &["-DGHOST=2"],
    );
    stops(
        &work,
        "MACROS=-DGHOST=1",
        "translated with GHOST=2, but built with GHOST=1",
    );
}

/// With many choices each of several numbers has some of its values.
#[test]
fn numbers_share_the_translations() {
    let flags = ["A", "B", "C"]
        .map(|f| format!("#ifdef {f}\n  a(1) = a(1) + 1\n#endif\n"))
        .concat();
    let head = "#ifndef BLOCK\n#define BLOCK 128\n#endif\n#ifndef LAYOUT\n#define LAYOUT 1\n#endif\n#if LAYOUT == 1\n#define NX 7\n#else\n#define NX 5\n#endif\n\
        module grid\n  integer, parameter :: wp = 4, nx = NX\nend module\n";
    let text = program(head, "nx + BLOCK").replace("  end sub", &format!("{flags}  end sub"));
    let work = work_of(&[("src/p.CUF", &text)], &[]);
    for macros in [
        "-DA -DB -DC -DBLOCK=256 -DLAYOUT=2",
        "-DBLOCK=64 -DLAYOUT=2",
        "-DC",
    ] {
        builds(&work, &format!("MACROS={macros}"));
    }
}

/// Why there is one number, if conditions compare it with others.
#[test]
fn a_number_that_must_stay_has_a_reason() {
    let head = "#if PREC == 100\n#else\n  nothing of Fortran\n#endif\nmodule grid\n  integer, parameter :: wp = 4, nx = 2*PREC\nend module\n";
    let work = Work::new(&[("src/p.CUF", &program(head, "nx"))]);
    let said = said(&work.cuf2cu(&["src", "out", "-DPREC=100"]));
    let why = "PREC: only the selected variant was translated: with -DPREC=100 -DPREC=101 the program has ";
    assert!(said.contains(why), "{said}");
}

/// A choice that a build does not have stops CMake, if it is not what was translated.
#[test]
fn options_without_effect_stop_cmake() {
    let text = program(&GRID.replace("16", "NX"), "nx");
    let work = work_of(&[("src/p.CUF", &text)], &["-DNX=100", "-DKEPT=7"]);
    let configure = |option: &str| {
        let fixed = [
            "-S",
            "out",
            "-B",
            "b",
            "-DCUF_TARGET=cpu",
            "-DCMAKE_CXX_COMPILER_WORKS=1",
        ];
        let more = [
            "-DCMAKE_Fortran_COMPILER_WORKS=1",
            "-DCMAKE_C_COMPILER_WORKS=1",
            option,
        ];
        let configured = work.run("cmake", &[&fixed[..], &more].concat());
        let text = said(&configured).replace("\n  ", " ").replace('\n', " ");
        (configured.status.success(), text)
    };
    assert!(configure("-DCUF_WITH_BIG=ON").0);
    let (done, said) = configure("-DCUF_WITH_NX=200");
    let words = "CUF_WITH_NX=200 has no effect: a build cannot choose NX";
    assert!(!done && said.contains(words), "{said}");
    assert!(configure("-DCUF_WITH_NX=100").0);
    let (done, said) = configure("-DCUF_WITH_KEPT=OFF");
    assert!(
        !done && said.contains("CUF_WITH_KEPT=OFF has no effect"),
        "{said}"
    );
    let (done, said) = configure("-UCUF_WITH_KEPT");
    assert!(done, "{said}");
}

/// Options that no shell reads stop the build with a message; other options make all objects again.
#[test]
fn options_of_make_are_read_and_never_left_over() {
    let loud = "  h = a\n#ifdef LOUD\n  print '(a)', 'loud'\n#endif\n";
    let text = program(GRID, "nx").replace("  h = a\n", loud);
    let work = work_of(&[("src/p.CUF", &text)], &[]);
    let said = stop(&work, "MACROS=-DN=(3+1)").unwrap_or_default();
    assert!(
        said.contains("cuf2cu: the shell cannot read the options of this build (-DN=(3+1) )"),
        "{said}"
    );
    let run = |flags: &str| {
        work.make(&[flags]);
        work.done("out/build/cpu/p", &[])
    };
    assert_eq!(run("FFLAGS="), " 16  16.000  16.000\n");
    assert_eq!(run("FFLAGS=-DLOUD"), "loud\n 16  16.000  16.000\n");
    assert_eq!(run("FFLAGS="), " 16  16.000  16.000\n");
}

/// Lines that only OpenMP reads are translated with --openmp.
#[test]
fn lines_for_openmp_are_those_of_the_translation() {
    let device = program(GRID, "nx").replace("  end sub", "!$  a(1) = 7\n  end sub");
    let work = work_of(&[("src/p.CUF", &device)], &[]);
    builds(&work, "FFLAGS=-O3");
    let said = stop(&work, "FFLAGS=-fopenmp").unwrap_or_default();
    assert!(
        said.contains("translated without _OPENMP") && said.contains("with cuf2cu --openmp"),
        "{said}"
    );
}

/// The macro of `--keep-loops` is the output's own.
#[test]
fn loops_that_are_kept_are_chosen_by_a_build() {
    let text = "program p\n  use cudafor\n  integer, managed :: a(2)\n  integer :: i\n#ifdef LOUD\n  print *, 1\n#endif\n  !$cuf kernel do\n  do i = 1, 2\n    \
        a(i) = i\n  end do\nend program\n";
    let work = work_of(&[("src/p.CUF", text)], &["--keep-loops"]);
    builds(&work, "FFLAGS=-DCUF_HOST_LOOPS");
    builds(&work, "MACROS=-DCUF_HOST_LOOPS -DLOUD");
}

/// The value of a default may be given.
#[test]
fn a_default_may_be_given() {
    let head = "#ifndef BLOCK\n#define BLOCK 2\n#endif\nmodule grid\n  integer, parameter :: wp = 4, nx = BLOCK\nend module\n";
    let work = work_of(&[("src/p.CUF", &program(head, "nx"))], &[]);
    builds(&work, "MACROS=");
    builds(&work, "MACROS=-DBLOCK=2");
    let limits = "translated with BLOCK=2 and without BLOCK, but built with BLOCK=4";
    stops(&work, "MACROS=-DBLOCK=4", limits);
    let host = work.text("out/p.F90");
    let check = "#if defined(BLOCK) && BLOCK != 2\n#error \"cuf2cu: translated with BLOCK=2 and without BLOCK (p.CUF, line 1, asks for it): ";
    assert!(host.starts_with(check), "{host}");
    let report = work.text("out/cuf2cu-report.txt");
    assert!(
        report.contains(
            "\nBLOCK                not defined, or = 2 free choice   src/p.CUF, line 1\n"
        ),
        "{report}"
    );
}

/// Sizes of blocks, kinds and layouts that are numbers: several are in the files, with each other.
#[test]
fn usual_numbers_build() {
    let header = "#ifndef BLOCK\n#define BLOCK 128\n#endif\n#ifndef RK\n#define RK 8\n#endif\n#if LAYOUT == 2\n#define NX 7\n#else\n#define NX 5\n#endif\n";
    let head = "#include \"sizes.h\"\nmodule grid\n  integer, parameter :: wp = RK, nx = NX, nb = 2*BLOCK\nend module\n";
    let files = [
        ("src/sizes.h", header),
        ("src/p.CUF", &program(head, "nb + BLOCK + NX*0.1_wp")),
    ];
    let work = work_of(&files, &["-DLAYOUT=1"]);
    let run = |macros: &str| {
        work.make(&[macros]);
        work.done("out/build/cpu/p", &[])
    };
    assert_eq!(run("MACROS=-DLAYOUT=1"), "  5 384.500 384.500\n");
    assert_eq!(
        run("MACROS=-DLAYOUT=2 -DBLOCK=64 -DRK=4"),
        "  7 192.700 192.700\n"
    );
    let device = work.text("out/p.cu") + &work.text("out/p.cuh");
    assert!(device.contains("CUF_WITH_BLOCK"), "{device}");
    let said = "translated for BLOCK=16, 32, 64, 128, 256, 512, 1024, but built with BLOCK=96 (src/sizes.h, line 1, asks for it)";
    stops(&work, "MACROS=-DLAYOUT=1 -DBLOCK=96", said);
    let remedy = "(cuf2cu SRC... OUT -DBLOCK=96 -DLAYOUT=1)";
    stops(&work, "MACROS=-DLAYOUT=1 -DBLOCK=96", remedy);
    stops(
        &work,
        "MACROS=",
        "translated with LAYOUT=1, but built without LAYOUT",
    );
    // Device code holds what the header said.
    let edited = work.text("out/sizes.h").replace("128", "256");
    work.put("out/sizes.h", &edited);
    let said = stop(&work, "OPT=-O0").unwrap();
    assert!(said.contains("sizes.h has been edited"), "{said}");
    builds(&work, "EDITED=yes");
}

/// The ways in which people choose precision, layout and sizes.
#[test]
fn usual_settings_build() {
    let kinds = [
        "#ifdef SINGLE\n  integer, parameter :: wp = 4\n#else\n  integer, parameter :: wp = 8\n#endif\n",
        "#if defined(SINGLE)\n  integer, parameter :: wp = kind(1.e0)\n#elif defined(DOUBLE)\n  integer, parameter :: wp = kind(1.d0)\n#else\n  integer, parameter :: wp = kind(1.d0)\n#endif\n",
        "#include \"prec.h\"\n  integer, parameter :: wp = REAL_KIND\n",
        "#ifdef SINGLE\n#define WP 4\n#else\n#define WP 8\n#endif\n  integer, parameter :: wp = WP\n",
    ];
    let header = "#ifdef SINGLE\n#define REAL_KIND 4\n#else\n#define REAL_KIND 8\n#endif\n";
    let more = "#ifndef NX\n#define NX 20\n#endif\n  integer, parameter :: nx = NX\n#ifdef SMALL_BLOCKS\n  integer, parameter :: block = 64\n#else\n  integer, parameter :: block = 128\n#endif\nend module\n";
    let mut text = program("", "wp + block");
    text = text.replace("  print", "#ifdef DEBUG\n  print *, block\n#endif\n  print");
    text = text.replace(
        "program p\n",
        "program p\n#ifdef USE_MPI\n  use mpi\n#endif\n",
    );
    for kind in kinds {
        let grid = format!("module grid\n{kind}{more}");
        let files = [
            ("src/grid.F90", &*grid),
            ("src/prec.h", header),
            ("src/p.CUF", &text),
        ];
        let work = work_of(&files, &[]);
        for macros in [
            "",
            "-DSINGLE",
            "-DSMALL_BLOCKS",
            "-DSINGLE -DSMALL_BLOCKS -DDEBUG",
            "-DUSE_MPI -DSINGLE",
            "-DNX=20",
        ] {
            builds(&work, &format!("MACROS={macros}"));
        }
        stops(&work, "MACROS=-DNX=40", "but built with NX=40");
    }
    // One of two is defined if the user defines neither.
    let grid = "#if !defined(SINGLE) && !defined(DOUBLE)\n#define DOUBLE\n#endif\nmodule grid\n#ifdef DOUBLE\n  integer, parameter :: wp = 8\n#else\n  integer, parameter :: wp = 4\n#endif\n  integer, parameter :: nx = 2\nend module\n";
    let work = work_of(
        &[("src/grid.F90", grid), ("src/p.CUF", &program("", "nx"))],
        &[],
    );
    builds(&work, "MACROS=");
    builds(&work, "MACROS=-DSINGLE");
    // Both together would be another program.
    stops(&work, "MACROS=-DSINGLE -DDOUBLE", "but built with DOUBLE");
    // A value that is given, and a number that is true.
    let grid = "module grid\n#if SINGLE\n  integer, parameter :: wp = 4\n#else\n  integer, parameter :: wp = 8\n#endif\n  integer, parameter :: nx = NX\nend module\n";
    let files = [("src/grid.F90", grid), ("src/p.CUF", &program("", "nx"))];
    let work = work_of(&files, &["-DSINGLE=0", "-DNX=16"]);
    builds(&work, "MACROS=-DSINGLE=1 -DNX=16");
    builds(&work, "MACROS=-DNX=16");
    builds(&work, "MACROS=-DSINGLE=1 -DNX=8");
    stops(&work, "MACROS=-DSINGLE=1 -DNX=9", "built with NX=9");
}

/// One output folder, translated and built again after macros and headers change.
#[test]
fn nothing_is_stale_when_macros_change() {
    let grid =
        "#include \"n.h\"\nmodule grid\n  integer, parameter :: wp = 8, nx = N + M\nend module\n";
    let work = Work::new(&[
        ("src/grid.F90", grid),
        ("src/n.h", "#define M 10\n"),
        ("src/p.CUF", &program("", "nx")),
    ]);
    let run = |translation: &str| {
        work.ok(&["src", "out", translation]);
        work.make(&[]);
        work.done("out/build/cpu/p", &[])
    };
    assert_eq!(run("-DN=1"), " 11  11.000  11.000\n");
    assert_eq!(run("-DN=2"), " 12  12.000  12.000\n");
    stops(
        &work,
        "MACROS=-DN=1",
        "translated with N=2, but built with N",
    );
    work.put("src/n.h", "#define M 20\n");
    assert_eq!(run("-DN=2"), " 22  22.000  22.000\n");
    assert_eq!(run("-DN=1"), " 21  21.000  21.000\n");
    // The macros of one compiler are those of all.
    let built = [
        "run",
        "--target",
        "cpu",
        "src",
        "--fflags=-DN=3",
        "--out",
        "other",
    ];
    assert_eq!(
        work.done(env!("CARGO_BIN_EXE_cuf2cu"), &built),
        " 23  23.000  23.000\n"
    );
    let stop = work.run(
        "make",
        &["-C", "other", "-n", "TARGET=cpu", "FFLAGS=-fopenmp -DN=4"],
    );
    assert!(
        said(&stop).contains("translated with N=3, but built with N=4"),
        "{}",
        said(&stop)
    );
}

/// A folder that `build` and `run` write has both choices, as the one that `cuf2cu SRC OUT` writes.
#[test]
fn a_folder_of_a_build_has_both_choices() {
    let text = program(GRID, "nx*0.5_wp");
    let work = Work::new(&[("src/p.CUF", &text)]);
    let built = ["run", "--target", "cpu", "src", "--out", "other"];
    let cuf2cu = env!("CARGO_BIN_EXE_cuf2cu");
    assert_eq!(work.done(cuf2cu, &built), " 16   8.000   8.000\n");
    work.ok(&["src", "out"]);
    for name in ["p.CUF.F90", "p.F90", "p.cu", "cuf/macros.awk"] {
        let there = [
            work.has(&format!("out/{name}")),
            work.has(&format!("other/{name}")),
        ];
        assert_eq!(there[0], there[1], "{name}");
        if there[0] {
            assert_eq!(
                work.text(&format!("out/{name}")),
                work.text(&format!("other/{name}"))
            );
        }
    }
    assert_eq!(
        work.done(cuf2cu, &[&built[..], &["-DBIG"]].concat()),
        " 64  32.000  32.000\n"
    );
}
