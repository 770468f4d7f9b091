//! Separate compilation: a file at a time as with a compiler, objects, archives and shared libraries (`cuf2cu fc`).

mod builds;
mod depends;
mod dialect;
mod linkers;
mod mixed;
mod projects;
mod stale;
#[path = "../suite/mod.rs"]
mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cuf2cu::driver::Target;
use cuf2cu::driver::inputs;
use cuf2cu::driver::separate::{Source, translated};
use cuf2cu::translate::{FileKind, Outline, TranslateOptions, outline_of};
use suite::Expect;

/// Programs of several files that must be translated together, with the reason. The list may only become shorter.
const TOGETHER: &[(&str, &str)] = &[
    (
        "host-modules/private_type_device_array",
        "a private type that the host code has to name (CUF0466)",
    ),
    (
        "program-structure/submodule_in_another_order",
        "bodies of device functions in a submodule that is compiled later",
    ),
    (
        "device-sync/barriers_out_of_sight",
        "device procedures behind interface bodies",
    ),
    (
        "device-sync/sync_across_files",
        "a procedure that calls its dummy procedure, which waits",
    ),
    (
        "kernels/child_two_files",
        "a kernel over arrays that device code of another file launches",
    ),
    (
        "kernels/hidden_arguments",
        "device procedures behind interface bodies",
    ),
    (
        "kernels/submodule_files",
        "a device function whose body is in a submodule",
    ),
    (
        "program-structure/chosen_over_files",
        "device procedures behind interface bodies",
    ),
    (
        "program-structure/layers_of_submodules",
        "submodules of one name in two modules",
    ),
    (
        "program-structure/plugins",
        "extended types with device components",
    ),
    (
        "program-structure/same_names_everywhere",
        "device procedures behind interface bodies",
    ),
    (
        "program-structure/solver_family",
        "extended types with device components",
    ),
    (
        "program-structure/vanishing_names",
        "device procedures behind interface bodies",
    ),
];

/// Every file of the conformance programs of several files is translated with what is known of the files compiled before it, and takes
/// them for what they are.
#[test]
fn files_agree_on_what_was_compiled() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    let folders = suite::programs().into_iter();
    for program in folders.filter(|p| p.source.is_dir() && p.expect == Expect::Pass) {
        let reason = TOGETHER.iter().find(|(name, _)| *name == program.name);
        seen += 1;
        match (one_by_one(&program), reason) {
            (Ok(()), None) | (Err(_), Some(_)) => {}
            (Ok(()), Some(_)) => wrong.push(format!("{}: is no exception any more", program.name)),
            (Err(e), None) => wrong.push(format!("{}: {e}", program.name)),
        }
    }
    assert!(seen > 60, "{seen} programs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn one_by_one(program: &suite::Program) -> Result<(), String> {
    let modules = tempfile::tempdir().unwrap();
    let flags = cuf2cu::cli::options_of(&program.flags, Target::Cpu);
    let (options, _) = flags.map_err(|e| e.to_string())?;
    let files = inputs::collect(std::slice::from_ref(&program.source), None)
        .unwrap()
        .fortran;
    let own = |f: &cuf2cu::SourceInput| TranslateOptions {
        include_folders: [f.path.parent(), Some(&*program.source)]
            .into_iter()
            .flatten()
            .map(Path::to_path_buf)
            .chain(options.include_folders.iter().cloned())
            .collect(),
        includes: inputs::INCLUDES,
        ..options.clone()
    };
    let graph: Vec<_> = files.iter().map(|f| outline_of(f, &own(f))).collect();
    let providers: BTreeMap<&str, usize> = (graph.iter().enumerate())
        .flat_map(|(k, o)| o.provides.iter().map(move |m| (&**m, k)))
        .collect();
    let mut order = Vec::new();
    for k in 0..files.len() {
        place(k, &graph, &providers, &mut order);
    }
    for k in order {
        let source = Source {
            path: &files[k].path,
            object: Path::new("unused.o"),
            modules: modules.path(),
            rules: None,
        };
        let done = translated(&source, &own(&files[k])).map_err(|e| e.to_string())?;
        if done.translation.has_errors() {
            let first = done
                .translation
                .diagnostics
                .iter()
                .map(|d| d.message.clone());
            return Err(first.take(2).collect::<Vec<_>>().join("; "));
        }
        done.record(modules.path()).map_err(|e| e.to_string())?;
    }
    Ok(())
}

const PRECISIONS: &str = "#ifdef R8
#define REAL_ real(8)
#define MOD_ kern_r8
#else
#define REAL_ real(4)
#define MOD_ kern_r4
#endif
module MOD_
  REAL_, device :: total
contains
  attributes(global) subroutine fill(a, v)
    REAL_, value :: v
    REAL_ :: a(*)
    a(threadIdx%x) = v + total
  end subroutine
end module
";

const BOTH: &str = "program main
  use kern_r4, only: fill4 => fill, total4 => total
  use kern_r8, only: fill8 => fill, total8 => total
  real(4), device :: a(3)
  real(8), device :: b(3)
  total4 = 1
  total8 = 1
  call fill4<<<1, 3>>>(a, 1.)
  call fill8<<<1, 3>>>(b, 1d0)
end program
";

/// A source compiled twice with other macros is two files of a program, each with modules and outputs of its own.
#[test]
fn a_source_is_several_files_by_its_macros() {
    let w = Work::new(&[("kern.F90", PRECISIONS), ("main.cuf", BOTH)]);
    let modules = w.at(".");
    let translate = |file: &str, macros: &[&str]| {
        let path = w.at(file);
        let source = Source {
            path: &path,
            object: Path::new("unused.o"),
            modules: &modules,
            rules: None,
        };
        let options = TranslateOptions {
            macros: macros.iter().map(|m| (*m).to_owned()).collect(),
            ..TranslateOptions::default()
        };
        let done = translated(&source, &options).unwrap();
        assert!(
            !done.translation.has_errors(),
            "{:?}",
            done.translation.diagnostics
        );
        done.record(&modules).unwrap();
        done.translation
    };
    translate("kern.F90", &[]);
    translate("kern.F90", &["-DR8"]);
    // One that is compiled again takes itself for no other file.
    translate("kern.F90", &["-DR8", "-DMORE"]);
    let whole = translate("main.cuf", &[]);
    let headers: BTreeSet<_> = (whole.before.iter().flatten())
        .filter(|f| f.kind == FileKind::DeviceHeader)
        .map(|f| &f.path)
        .collect();
    assert_eq!(headers.len(), 2, "{headers:?}");
}

fn place(k: usize, graph: &[Outline], providers: &BTreeMap<&str, usize>, order: &mut Vec<usize>) {
    if order.contains(&k) {
        return;
    }
    for m in &graph[k].uses {
        if let Some(&p) = providers.get(&**m).filter(|p| **p != k) {
            place(p, graph, providers, order);
        }
    }
    order.push(k);
}

const KERNELS: &str = "module kern
  use cudafor
  integer, parameter :: n = 100
  real, device :: total
contains
  attributes(device) real function twice(x)
    real, value :: x
    twice = 2*x
  end function
  attributes(global) subroutine scale(a, m)
    real :: a(*)
    integer, value :: m
    integer :: i
    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
    if (i <= m) a(i) = twice(a(i))
  end subroutine
end module
";

const DRIVER: &str = "module drive
  use kern
  use iso_c_binding
  interface
    subroutine change(x) bind(C)
      import c_float
      real(c_float), intent(inout) :: x
    end subroutine
  end interface
contains
  attributes(global) subroutine more(a, m)
    real :: a(*)
    integer, value :: m
    integer :: i
    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
    if (i <= m) a(i) = twice(a(i)) + total
  end subroutine
  subroutine go(h)
    real :: h(n)
    real, device :: d(n)
    total = 1.0
    d = h
    call scale<<<(n + 31)/32, 32>>>(d, n)
    call more<<<(n + 31)/32, 32>>>(d, n)
    h = d
    call change(h(1))
  end subroutine
end module
";

const MAIN: &str = "program main
  use drive, only: go
  use kern, only: n
  implicit none
  real :: h(n)
  integer :: i
  h = [(real(i), i = 1, n)]
  call go(h)
  if (any(h(2:) /= [(4.0*i + 1, i = 2, n)])) error stop 1
  if (h(1) /= SHIFT + 5) error stop 2
  print '(a)', 'PASS'
end program
";

const CHANGE: &str = "void change(float *x) { *x += SHIFT; }\n";

struct Work(tempfile::TempDir);

impl Work {
    fn new(files: &[(&str, &str)]) -> Work {
        let work = Work(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = work.at(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        work
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, program: &str, arguments: &str) -> Output {
        Command::new(program)
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .env("CUF2CU_TARGET", "cpu")
            .env("CUF2CU_CACHE", suite::build_folder().join("cache"))
            .env("CUF2CU_CUDA_ROOT", self.at("cuda"))
            .output()
            .unwrap()
    }

    fn fc(&self, arguments: &str) -> Output {
        self.run(env!("CARGO_BIN_EXE_cuf2cu"), &format!("fc {arguments}"))
    }

    fn ok(&self, arguments: &str) -> String {
        let output = self.fc(arguments);
        assert!(output.status.success(), "{arguments}: {}", said(&output));
        said(&output)
    }
}

fn said(output: &Output) -> String {
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

fn project() -> Work {
    Work::new(&[
        ("src/kern.cuf", KERNELS),
        ("src/drive.cuf", DRIVER),
        ("src/main.F90", MAIN),
        ("src/change.c", CHANGE),
        ("flags.txt", "-O0 -cuda '-gpu=cc80,rdc' -fast -DSHIFT=3"),
    ])
}

#[test]
fn objects_archives_and_shared_libraries() {
    let w = project();
    fs::create_dir(w.at("mods")).unwrap();
    for file in ["kern.cuf", "drive.cuf", "change.c"] {
        let text = w.ok(&format!(
            "@flags.txt -module mods -c src/{file} -o {file}.o"
        ));
        assert!(text.is_empty(), "{text}");
    }
    let text = w.ok("@flags.txt -Jmods -whatever -c src/main.F90");
    assert!(text.contains("unknown option -whatever"), "{text}");
    // Nothing but what was asked for.
    let mut there: Vec<_> = fs::read_dir(w.0.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    let expected = [
        "change.c.o",
        "drive.cuf.o",
        "flags.txt",
        "kern.cuf.o",
        "main.o",
        "mods",
        "src",
    ];
    assert_eq!(there, expected);
    let kept = fs::metadata(w.at("mods/kern.mod"))
        .unwrap()
        .modified()
        .unwrap();
    w.ok("@flags.txt -module mods -c src/kern.cuf -o kern.cuf.o");
    let again = fs::metadata(w.at("mods/kern.mod"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(kept, again, "a module file without a change keeps its time");
    let ar = w.run("ar", "rcs libparts.a kern.cuf.o drive.cuf.o change.c.o");
    assert!(ar.status.success());
    w.ok("-O0 -cuda main.o -L. -lparts -o archived");
    w.ok("-O0 -shared kern.cuf.o drive.cuf.o change.c.o -o libshared.so");
    w.ok("-O0 -cuda main.o libshared.so -Wl,-rpath,$ORIGIN -o shared");
    w.ok("@flags.txt -module mods src/kern.cuf src/drive.cuf src/main.F90 src/change.c -o at_once");
    for program in ["archived", "shared", "at_once"] {
        let path = w.at(program);
        let output = w.run(path.to_str().unwrap(), "");
        assert!(output.status.success(), "{program}: {}", said(&output));
        assert_eq!(said(&output), "PASS\n", "{program}");
    }
    let other = w.fc("-O0 --target=cuda main.o -o other");
    let text = said(&other);
    assert!(!other.status.success());
    // Without nvcc, that is missed first.
    assert!(
        text.contains("for the target cpu") || text.contains("nvcc"),
        "{text}"
    );
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let w = project();
    w.ok("@flags.txt -c src/kern.cuf");
    let r8 = w.fc("@flags.txt -r8 -c src/drive.cuf");
    assert_eq!(r8.status.code(), Some(2));
    assert!(
        said(&r8).contains("was compiled with other options"),
        "{}",
        said(&r8)
    );
    // The source has changed, and its object has not.
    let record = fs::read_to_string(w.at("kern.cuf2cu")).unwrap();
    fs::write(
        w.at("kern.cuf2cu"),
        record.replace("twice = 2*x", "twice = 3*x"),
    )
    .unwrap();
    let stale = w.fc("@flags.txt -c src/drive.cuf");
    assert_eq!(stale.status.code(), Some(2));
    assert!(said(&stale).contains("is out of date"), "{}", said(&stale));
    // A kernel of a file is launched by device code of another. What is made of a file depends on one that launches its kernel with one array twice.
    let child = "module child\ncontains\n  attributes(global) subroutine fill(a, n)\n    integer, value :: n\n    integer :: a(n)\n    a(threadIdx%x) = 1\n  end subroutine\n  attributes(global) subroutine mix(a, b)\n    integer :: a(*), b(*)\n    integer :: j\n    do j = 1, 4\n      b(threadIdx%x) = a(threadIdx%x) + j\n      a(threadIdx%x) = 2*b(threadIdx%x)\n    end do\n  end subroutine\nend module\n";
    let parent = "module parent\n  use child\ncontains\n  attributes(global) subroutine start(a, n)\n    integer, value :: n\n    integer :: a(n)\n    call fill<<<1, 1>>>(a, n)\n  end subroutine\nend module\n";
    let twice = "program twice\n  use child\n  integer, device :: d(8)\n  d = 1\n  call mix<<<1, 8>>>(d, d)\nend program\n";
    fs::write(w.at("child.cuf"), child).unwrap();
    w.ok("-O0 -c child.cuf");
    fs::write(w.at("parent.cuf"), parent).unwrap();
    w.ok("-O0 -c parent.cuf");
    fs::write(w.at("twice.cuf"), twice).unwrap();
    let both = w.fc("-O0 -c twice.cuf");
    assert_eq!(both.status.code(), Some(2));
    assert!(
        said(&both).contains("child.cuf depends on this file")
            && said(&both).contains("translate them together with `cuf2cu build`"),
        "{}",
        said(&both)
    );
    fs::write(w.at("kern.cuf2cu"), "no record").unwrap();
    let broken = w.fc("@flags.txt -c src/drive.cuf");
    assert!(
        said(&broken).contains("not a record of cuf2cu"),
        "{}",
        said(&broken)
    );
    // An interface body that is not the definition's, which no source beside it has.
    let sum = "subroutine sum_up(a, n, s)\n  integer, intent(in) :: n\n  real, intent(in) :: a(n)\n  real, intent(out) :: s\n  s = sum(a)\nend subroutine\n";
    let caller = "program p\n  interface\n    subroutine sum_up(a, n, s)\n      integer, intent(in) :: n\n      real, intent(in) :: a(:)\n      real, intent(out) :: s\n    end subroutine\n  end interface\n  real :: s\n  call sum_up([1., 2.], 2, s)\n  print *, s\nend program\n";
    fs::write(w.at("sum.f90"), sum).unwrap();
    fs::create_dir(w.at("far")).unwrap();
    fs::write(w.at("far/caller.f90"), caller).unwrap();
    w.ok("-O0 -c sum.f90 far/caller.f90");
    let link = w.fc("-O0 sum.o caller.o -o p");
    assert_eq!(link.status.code(), Some(2));
    assert!(
        said(&link).contains("sum_up in far/caller.f90 and its definition in sum.f90 disagree"),
        "{}",
        said(&link)
    );
    // The same of a kernel, whose types nobody else compares.
    let kernel = "attributes(global) subroutine ext(y, z, k)\n  real :: y(*)\n  integer, value :: k\n  real, value :: z\n  y(1) = k + z\nend subroutine\n";
    let launch = "program p\n  interface\n    attributes(global) subroutine ext(y, k, z)\n      real :: y(*)\n      integer, value :: k\n      real, value :: z\n    end subroutine\n  end interface\n  real, device :: x(2)\n  call ext<<<1, 1>>>(x, 3, 0.5)\nend program\n";
    fs::write(w.at("ext.cuf"), kernel).unwrap();
    fs::write(w.at("far/launch.cuf"), launch).unwrap();
    w.ok("-O0 -c ext.cuf far/launch.cuf");
    let link = w.fc("-O0 ext.o launch.o -o p");
    assert_eq!(link.status.code(), Some(2));
    assert!(
        said(&link).contains(
            "the interface body of ext in far/launch.cuf contradicts the definition in ext.cuf"
        ),
        "{}",
        said(&link)
    );
    for (words, text) in [
        ("-c", "there is no source"),
        ("", "no files to compile or link"),
        ("-S src/kern.cuf", "-S"),
        ("-i8 -c src/kern.cuf", "-i8: default integers"),
        ("-o", "-o requires the output file"),
        ("@missing", "cannot read missing"),
        ("-c nowhere.cuf", "cannot read nowhere.cuf"),
    ] {
        let output = w.fc(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(said(&output).contains(text), "{words}: {}", said(&output));
    }
}

const SOLVERS: &str = "module solvers
  interface step
    subroutine step_gpu(a, f)
      real, device :: a(:)
      real :: f
    end subroutine
  end interface
end module
";

const STEP: &str = "#define NAMED(x) x##_gpu
subroutine NAMED(step)(a, f)
  use sizes
  use solvers
  implicit none
  real, device :: a(n)
  real :: f
  integer :: i
  !$cuf kernel do <<<*, *>>>
  do i = 1, n
    a(i) = f*a(i) + i
  end do
end subroutine
";

const STEPS: &str = "program steps
  use sizes
  use solvers
  implicit none
  real, device :: d(n)
  real :: h(n)
  integer :: i
  d = 1
  call step(d, 2.0)
  h = d
  if (any(h /= [(2.0 + i, i = 1, n)])) error stop 1
  print '(a)', 'PASS'
end program
";

/// An interface body may have assumed shape where the definition takes an address: a source beside it tells, before that is compiled.
#[test]
fn definitions_beside_a_file_decide_how_arrays_are_passed() {
    let w = Work::new(&[
        (
            "sizes.f90",
            "module sizes\n  integer, parameter :: n = 8\nend module\n",
        ),
        ("solvers.f90", SOLVERS),
        ("steps.cuf", STEPS),
        ("step.F90", STEP),
        // Of the same name, and no external procedure.
        (
            "other.f90",
            "module other\ncontains\n  subroutine step_gpu(a)\n    real :: a\n  end subroutine\nend module\n",
        ),
    ]);
    let told = w.ok("-O0 -cuda -c sizes.f90 solvers.f90");
    assert!(
        told.contains("CUF0216") && told.contains("passed by address"),
        "{told}"
    );
    w.ok("-O0 -cuda -c steps.cuf step.F90");
    w.ok("-O0 -cuda sizes.o solvers.o steps.o step.o -o whole");
    let archived = w.run("ar", "rcs libstep.a step.o");
    assert!(archived.status.success());
    w.ok("-O0 -cuda sizes.o solvers.o steps.o -L. -lstep -o archived");
    for program in ["whole", "archived"] {
        let ran = w.run(w.at(program).to_str().unwrap(), "");
        assert_eq!(said(&ran), "PASS\n", "{program}");
    }
    // Nobody knows how another definition would take them.
    let without = w.fc("-O0 -cuda sizes.o solvers.o steps.o -o without");
    assert_eq!(without.status.code(), Some(2));
    let text = said(&without);
    assert!(
        text.contains("step_gpu in solvers.f90 was compiled against")
            && text.contains("no object here"),
        "{text}"
    );
    // The definition has become another one.
    fs::write(w.at("step.F90"), STEP.replace("a(n)", "a(:)")).unwrap();
    let stale = w.fc("-O0 -cuda -c step.F90");
    assert_eq!(stale.status.code(), Some(2), "{}", said(&stale));
    assert!(said(&stale).contains("is out of date"), "{}", said(&stale));
    w.ok("-O0 -cuda -c solvers.f90 step.F90");
    // What two sources define in two ways tells nothing.
    fs::write(
        w.at("old.f90"),
        STEP.replace("NAMED(step)", "step_gpu").replace("#", "!"),
    )
    .unwrap();
    let told = w.ok("-O0 -cuda -c solvers.f90");
    assert!(!told.contains("CUF0216"), "{told}");
}

/// Flags as docs/flags.md has them reach the compilers; nothing is executed.
#[test]
fn flags_reach_the_compilers() {
    let long = format!("      call s('{}')\n      end\n", "x".repeat(60));
    let w = Work::new(&[
        ("a.cuf", KERNELS),
        ("long.f", &long),
        ("cuda/lib64/libcudart_static.a", ""),
        ("cuda/bin/nvcc", "#!/bin/sh\necho compute_80\n"),
    ]);
    assert!(w.run("chmod", "+x cuda/bin/nvcc").status.success());
    let cases: [(&str, &[&str]); 6] = [
        (
            "-O4 -g -mp -r8 -Mbackslash -Wall -fPIC -Mfree -Mpreprocess -DX=1 -UY -Iinc -module mods -c a.cuf",
            &[
                " -O3 ",
                " -g ",
                " -fopenmp ",
                " -fdefault-real-8 ",
                " -fno-backslash ",
                " -Wall ",
                " -fPIC ",
                " -DX=1 ",
                " -UY ",
                "/inc ",
                "/mods ",
            ],
        ),
        (
            "-fast -gpu=mem:managed -C -Ktrap=fp -c a.cuf",
            &[
                " -O2 ",
                "--redefine-sym=malloc=",
                " -fcheck=",
                " -ffpe-trap=",
            ],
        ),
        ("-O0 -Mfixed -Mextend -c long.f", &[" -O0 "]),
        (
            "-J mods -cpp -Minfo=accel -acc -c a.cuf -o b.o",
            &["/mods "],
        ),
        (
            "--target=cuda -cuda -Mcuda=cc80 -gpu=rdc,lineinfo,maxregcount:64,fastmath -c a.cuf",
            &[
                " -arch=sm_80 ",
                " -rdc=true ",
                " -lineinfo ",
                " -maxrregcount=64 ",
                " --use_fast_math ",
            ],
        ),
        (
            "--target=cuda -cudalib=cufft -shared a.o -L/x -lfoo -o b.so",
            &["-dlink a.o ", " -shared a.o -L/x -lfoo ", " -lcufft "],
        ),
    ];
    for (words, expected) in cases {
        let text = w.ok(&format!("-dryrun {words}"));
        for part in expected {
            assert!(text.contains(part), "{words}: {part}: {text}");
        }
    }
    let short = w.fc("-dryrun -c long.f");
    assert_eq!(short.status.code(), Some(1), "{}", said(&short));
}

#[test]
fn what_the_compilation_tells() {
    let w = project();
    let info = w.ok("@flags.txt -Minfo=accel -c src/kern.cuf");
    let expected = [
        "twice:\n",
        ", device procedure: __device__ function\n",
        "scale:\n",
        ", kernel: __global__ scale, started by cuf_kern_scale\n",
    ];
    for line in expected {
        assert!(info.contains(line), "{info}");
    }
    let sums = "subroutine sums(a, s)\n  real, device :: a(:,:)\n  real :: s\n  integer :: i, j\n  s = 0\n  !$cuf kernel do(2) <<<*,*>>>\n  do j = 1, size(a, 2)\n    do i = 1, size(a, 1)\n      s = s + a(i,j)\n    end do\n  end do\nend subroutine\n";
    fs::write(w.at("sums.cuf"), sums).unwrap();
    // Nothing is executed or written.
    let dry = w.ok("-O0 -dryrun -Minfo -c sums.cuf");
    assert!(
        dry.contains("sums:\n      6, CUF loop: kernel sums_loop_1 over 2 loops, reduction of s\n"),
        "{dry}"
    );
    assert!(
        dry.contains("gfortran") && dry.contains(" -r -nostdlib "),
        "{dry}"
    );
    assert!(!w.at("sums.o").exists());
    w.ok("-O0 -dryrun sums.o other.o -o p");
    // The extension is unknown to gfortran; macros are nvfortran's.
    fs::write(
        w.at("m.CUF"),
        "#ifdef __GFORTRAN__\ngnu\n#endif\n#ifdef _CUDA\nvalue = N\n#endif\n",
    )
    .unwrap();
    let text = w.ok("-E -DN=4 m.CUF");
    assert!(
        text.contains("value = 4") && !text.contains("gnu"),
        "{text}"
    );
    fs::write(w.at("empty.cuf"), "").unwrap();
    assert_eq!(w.ok("-O0 -c empty.cuf"), "");
    // OpenACC directives count with -acc only.
    w.ok("-O0 -acc=gpu -c sums.cuf");
    fs::write(w.at("acc.f90"), "subroutine s(a)\n  real :: a(9)\n  integer :: i\n  !$acc parallel loop\n  do i = 1, 9\n    a(i) = i\n  end do\nend subroutine\n").unwrap();
    w.ok("-O0 -c acc.f90");
    w.ok("-O0 -acc -c acc.f90");
    let wrong = "subroutine s(a)\n  real :: a(9)\n  !$acc paralel loop\n  a = 1\nend subroutine\n";
    fs::write(w.at("wrong.f90"), wrong).unwrap();
    w.ok("-O0 -c wrong.f90");
    let acc = w.fc("-O0 -acc -c wrong.f90");
    assert!(!acc.status.success());
    assert!(said(&acc).contains("CUF0511"), "{}", said(&acc));
    let note = w.ok("-O0 -stdpar=gpu -c acc.f90");
    assert!(
        note.contains("note: -stdpar=gpu: DO CONCURRENT runs on the host"),
        "{note}"
    );
    let help = w.ok("--help");
    assert!(
        help.contains("\nRefused:\n") && help.contains("-Mbackslash"),
        "{help}"
    );
    let version = w.ok("-V");
    assert!(version.starts_with("cuf2cu fc"), "{version}");
    // Makefiles look for the one number with a point.
    let has_point = |w: &&str| w.contains('.') && w.starts_with(|c: char| c.is_ascii_digit());
    assert_eq!(
        version.split_whitespace().filter(has_point).count(),
        1,
        "{version}"
    );
}

#[test]
fn types_with_procedures_are_divided_alike_in_all_files() {
    let w = project();
    let files = [
        // Plain Fortran, which does not know who uses its type.
        (
            "cells.f90",
            "module cells\n  implicit none\n  type :: cell\n    real :: v = 1\n  contains\n    procedure :: twice\n  end type\ncontains\n  real function twice(c)\n    class(cell), intent(in) :: c\n    twice = 2*c%v\n  end function\nend module\n",
        ),
        (
            "use.cuf",
            "program p\n  use cudafor\n  use cells\n  implicit none\n  type(cell), device :: d(3)\n  type(cell) :: h(3)\n  h%v = [1., 2., 3.]\n  d = h\n  h%v = 0\n  h = d\n  print '(f3.1)', h(3)%twice()\nend program\n",
        ),
    ];
    for (name, text) in files {
        fs::write(w.at(name), text).unwrap();
        w.ok(&format!("-O0 -c {name}"));
    }
    w.ok("-O0 cells.o use.o -o p");
    let output = w.run(w.at("p").to_str().unwrap(), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "6.0\n");
}
