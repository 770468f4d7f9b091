//! Mistakes of beginners and habits of C: each gives one error, at the line of the mistake, that says what to write. Safe fixes mend
//! it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cuf2cu::driver::fix;
use cuf2cu::{Action, Diagnostic, Severity, SourceInput, TranslateOptions, translate};

const PROGRAM: &str = "\
module m
  use cudafor
  implicit none
contains
  attributes(global) subroutine k(a, n)
    real :: a(*)
    integer, value :: n
    integer :: i
    real :: x
    integer :: istat
    i = threadIdx%x
    !device
    if (i <= n) a(i) = 1
  end subroutine
end module
program p
  use cudafor
  use m
  implicit none
  real, device :: d(10)
  real :: h(10)
  integer :: istat, j
  h = 0
  !host
  d = h
end program
";

/// What is replaced in the program, by what; the line of the error; words of its headline and of its help.
type Mistake = (&'static str, &'static str, u32, &'static str, &'static str);

const MISTAKES: &[Mistake] = &[
    (
        "    !device",
        "    i = threadIdx.x",
        12,
        "component",
        "write `threadIdx%x`",
    ),
    (
        "    !device",
        "    i = (blockIdx%x - 1)*blockDim.x + 1",
        12,
        "component",
        "write `blockDim%x`",
    ),
    (
        "    !device",
        "    a(i) += 1",
        12,
        "`+=`",
        "write `a(i) = a(i) + 1`",
    ),
    (
        "    !device",
        "    x -= 1.0",
        12,
        "`-=`",
        "write `x = x - 1.0`",
    ),
    ("    !device", "    i++", 12, "`++`", "write `i = i + 1`"),
    (
        "    !device",
        "    a[i] = 1",
        12,
        "brackets",
        "write `a(i)`",
    ),
    (
        "    !device",
        "    x = a[i]",
        12,
        "brackets",
        "write `a(i)`",
    ),
    (
        "attributes(global) subroutine k",
        "__global__ subroutine k",
        5,
        "`__global__`",
        "write `attributes(global)`",
    ),
    (
        "attributes(global) subroutine k",
        "__global__ void k",
        5,
        "`__global__`",
        "attributes(global) subroutine",
    ),
    (
        "attributes(global)",
        "attribute(global)",
        5,
        "`attribute`",
        "write `attributes`",
    ),
    (
        "attributes(global)",
        "attributes(globl)",
        5,
        "`globl`",
        "write `attributes(global)`",
    ),
    (
        "  !host",
        "  call k<<1, 10>>(d, 10)",
        24,
        "three angle brackets",
        "write `<<<1, 10>>>`",
    ),
    (
        "  !host",
        "  call k<<<1, 10>>(d, 10)",
        24,
        "three angle brackets",
        "write `>>>`",
    ),
    (
        "  !host",
        "  call k<<<1 10>>>(d, 10)",
        24,
        "`,` is missing",
        "write `<<<1, 10>>>`",
    ),
    (
        "  !host",
        "  call k<<<1>>>(d, 10)",
        24,
        "block",
        "write `<<<grid, block>>>`",
    ),
    (
        "  !host",
        "  call k(d, 10)",
        24,
        "execution configuration",
        "call k<<<grid, block>>>(...)",
    ),
    (
        "  !host",
        "  k<<<1, 10>>>(d, 10)",
        24,
        "`call` is missing",
        "write `call k`",
    ),
    (
        "  !host",
        "  call k<<<1, 10>>>(h, 10)",
        24,
        "host array `h`",
        "copy it to a device array",
    ),
    (
        "  !host",
        "  call k<<<1, 10>>>(d, 10.0)",
        24,
        "integer(4)",
        "write `10`",
    ),
    (
        "  !host",
        "  call k<<<1, 10>>>(d)",
        24,
        "takes 2 arguments",
        "`a, n`",
    ),
    (
        "  !host",
        "  call k<<<1, 10>>>(d, 10, 3)",
        24,
        "takes 2 arguments",
        "`a, n`",
    ),
    (
        "  !host",
        "  call kern<<<1, 10>>>(d, 10)",
        24,
        "`kern`",
        "interface",
    ),
    (
        "    !device",
        "    syncthreads()",
        12,
        "`call` is missing",
        "write `call syncthreads`",
    ),
    (
        "    !device",
        "    syncthreads",
        12,
        "`call` is missing",
        "write `call syncthreads()`",
    ),
    (
        "    !device",
        "    __syncthreads()",
        12,
        "`call` is missing",
        "write `call syncthreads`",
    ),
    (
        "    !device",
        "    call synctreads()",
        12,
        "synctreads",
        "did you mean `syncthreads`",
    ),
    (
        "  !host",
        "  call cudaMemcpy(d, h, 10)",
        24,
        "error code",
        "istat = cudaMemcpy(...)",
    ),
    (
        "  !host",
        "  cudaMemcpy(d, h, 10)",
        24,
        "must be assigned",
        "istat = cudaMemcpy(...)",
    ),
    (
        "    integer :: i\n",
        "    integer :: i = threadIdx%x\n",
        8,
        "`i`",
        "assign the value in a statement",
    ),
    (
        "    !device",
        "    if (i > 3)\n      x = 2\n    end if",
        12,
        "`then` is missing",
        "write `then`",
    ),
    (
        "    !device",
        "    if (i > 3) then\n      x = 1\n    else if (i > 4)\n      x = 2\n    end if",
        14,
        "`then` is missing",
        "write `then`",
    ),
    (
        "    !device",
        "    if (i > 3) then\n      x = 2",
        12,
        "no `end if`",
        "before `end subroutine`",
    ),
    (
        "    !device",
        "    do i = 1, 3\n      x = 2",
        12,
        "no `end do`",
        "before `end subroutine`",
    ),
    (
        "end module\n",
        "",
        1,
        "no `end module`",
        "before `program p`",
    ),
    (
        "  end subroutine\n",
        "",
        5,
        "no `end subroutine`",
        "before `end module`",
    ),
    (
        "    !device",
        "    x = (1 + 2",
        12,
        "`(` is not closed",
        "write the `)`",
    ),
    (
        "    !device",
        "    x = 1 + 2)",
        12,
        "no matching `(`",
        "remove it",
    ),
    (
        "    !device",
        "    if (i = 3) x = 1",
        12,
        "condition",
        "write `==`",
    ),
    (
        "    !device",
        "    if (i != 3) x = 1",
        12,
        "`!=`",
        "write `/=`",
    ),
    (
        "    !device",
        "    if (i > 3 && i < 5) x = 1",
        12,
        "`&&`",
        "write `.and.`",
    ),
    (
        "    !device",
        "    if (i > 3 || i < 5) x = 1",
        12,
        "`||`",
        "write `.or.`",
    ),
    (
        "    !device",
        "    if (!(i > 3)) x = 1",
        12,
        "`!`",
        "write `.not.`",
    ),
    (
        "    !device",
        "    if (i > 3) { x = 1 }",
        12,
        "`{`",
        "`end if`",
    ),
    (
        "    !device",
        "    i = i % 2",
        12,
        "`%`",
        "write `mod(a, b)`",
    ),
    (
        "    real :: x\n",
        "    float :: x\n",
        9,
        "`float`",
        "write `real`",
    ),
    (
        "    integer :: i\n",
        "    int i\n",
        8,
        "`int`",
        "write `integer`",
    ),
    (
        "    real :: x\n",
        "    double x\n",
        9,
        "`double`",
        "write `real(8)`",
    ),
    (
        "    real :: x\n",
        "    __shared__ real x(10)\n",
        9,
        "`__shared__`",
        "real, shared ::",
    ),
    (
        "    real :: x\n",
        "    real, shred :: x(10)\n",
        9,
        "`shred`",
        "did you mean `shared`",
    ),
    (
        "real, device :: d",
        "real, devise :: d",
        20,
        "`devise`",
        "did you mean `device`",
    ),
    (
        "real, device :: d",
        "__device__ real d",
        20,
        "`__device__`",
        "real, device ::",
    ),
    ("    !device", "    x = 1.0f", 12, "`1.0f`", "write `1.0`"),
    (
        "    !device",
        "    x = fabsf(x)",
        12,
        "`fabsf`",
        "write `abs`",
    ),
    (
        "    !device",
        "    x = sqrtf(x)",
        12,
        "`sqrtf`",
        "write `sqrt`",
    ),
    (
        "    !device",
        "    x = pow(x, 2.0)",
        12,
        "`pow`",
        "write `x**y`",
    ),
    (
        "    !device",
        "    printf(\"a\")",
        12,
        "`printf`",
        "write `print *, ...`",
    ),
    ("    !device", "    // comment", 12, "`//`", "write `!`"),
    (
        "    !device",
        "    while (i < 3)\n    end do",
        12,
        "`while`",
        "write `do while (...)`",
    ),
    (
        "    !device",
        "    for (i = 0; i < 3; i++) x = 1",
        12,
        "`for`",
        "write `do i = 1, n`",
    ),
    ("    !device", "    a(3) = = 1", 12, "`= =`", "write `=`"),
    (
        "    !device",
        "    i = threadIdx%w",
        12,
        "no component `w`",
        "`x`, `y`, and `z`",
    ),
    (
        "    !device",
        "    i = threadIdx",
        12,
        "type(dim3)",
        "threadIdx%x",
    ),
    (
        "    !device",
        "    i = threadId%x",
        12,
        "`threadId`",
        "did you mean `threadIdx`",
    ),
    (
        "    !device",
        "    istat = atomicad(a(1), 1.0)",
        12,
        "`atomicad`",
        "did you mean `atomicadd`",
    ),
    (
        "    !device",
        "    istta = 1",
        12,
        "`istta`",
        "did you mean `istat`",
    ),
    (
        "  !host",
        "  istat = cudaMaloc(d, 10)",
        24,
        "`cudaMaloc`",
        "did you mean `cudaMalloc`",
    ),
    (
        "  !host",
        "  istat = cudaMemcpy(d, h, 10, cudaMemcpyHostToDevic)",
        24,
        "`cudaMemcpyHostToDevic`",
        "did you mean `cudaMemcpyHostToDevice`",
    ),
    (
        "  !host",
        "  isat = cudaDeviceSynchronize()",
        24,
        "`isat`",
        "did you mean `istat`",
    ),
    (
        "  use m\n",
        "  use m\n  use cudafr\n",
        19,
        "`cudafr`",
        "did you mean `cudafor`",
    ),
    (
        "real, device :: d(10)",
        "real, device :: d(10)\n  type(dim) :: g",
        21,
        "`dim`",
        "did you mean `dim3`",
    ),
    (
        "    !device",
        "    print '(i3)', i",
        12,
        "list-directed",
        "write `print *, ...`",
    ),
    (
        "  !host",
        "!$cuf kernel do(1) <<*,*>>\n  do j = 1, 10\n    d(j) = 1\n  end do",
        24,
        "three angle brackets",
        "write `<<<*,*>>>`",
    ),
    (
        "  !host",
        "!$cuf kernels do <<<*,*>>>\n  do j = 1, 10\n    d(j) = 1\n  end do",
        24,
        "not a CUF directive",
        "write `!$cuf kernel do`",
    ),
];

fn errors(path: &str, text: &str) -> Vec<Diagnostic> {
    let input = SourceInput {
        path: path.into(),
        relative: "p.cuf".into(),
        bytes: text.as_bytes().to_vec(),
    };
    let options = TranslateOptions {
        goal: Action::Check,
        ..TranslateOptions::default()
    };
    let mut found = translate(vec![input], &options).diagnostics;
    found.retain(|d| d.severity == Severity::Error);
    found
}

fn shown(found: &[Diagnostic]) -> String {
    let lines = found
        .iter()
        .map(|d| format!("{}: {}", d.line, d.whole_text()));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn each_mistake_is_one_error_that_says_what_to_write() {
    assert_eq!(shown(&errors("p.cuf", PROGRAM)), "");
    let mut wrong = Vec::new();
    for (from, to, line, headline, help) in MISTAKES {
        assert!(PROGRAM.contains(from), "{from}");
        let found = errors("p.cuf", &PROGRAM.replacen(from, to, 1));
        let good = found.first().is_some_and(|d| {
            d.line == *line && d.message.contains(headline) && d.whole_text().contains(help)
        });
        let others = found.iter().filter(|d| d.line != *line).count();
        if !good || others > 0 && !to.contains("globl") {
            wrong.push(format!(
                "== {to}: {line}, {headline}, {help}\n{}",
                shown(&found)
            ));
        }
        for d in &found {
            let length = d.message.chars().count();
            if d.message.contains(['\n', ';']) || d.message.ends_with('.') || length > 120 {
                wrong.push(format!("== {to}: headline {}", d.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn safe_fixes_mend_the_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.cuf");
    let name = path.to_str().unwrap();
    let files = BTreeSet::from([path.clone()]);
    let mut fixed = 0;
    for (from, to, line, ..) in MISTAKES {
        let text = PROGRAM.replacen(from, to, 1);
        fs::write(&path, &text).unwrap();
        let found = errors(name, &text);
        let safe = found.iter().any(|d| d.fixes.iter().any(|f| f.safe));
        let applied = fix::apply(&found, &files).unwrap();
        let after = fs::read_to_string(&path).unwrap();
        assert_eq!(safe, after != text, "{to}");
        if safe {
            fixed += applied.count();
            let left = errors(name, &after);
            assert!(
                left.iter().all(|d| d.line != *line),
                "{to}: {after}\n{}",
                shown(&left)
            );
        }
    }
    assert!(fixed > 20, "{fixed}");
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    command.arg("check").args(arguments).current_dir(folder);
    command.output().unwrap()
}

#[test]
fn check_fix_changes_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.cuf");
    let text = PROGRAM
        .replacen(
            "    !device",
            "    i = threadIdx.x ! été\r\n    a(i) += 1",
            1,
        )
        .replacen("  !host", "  isat = cudaDeviceSynchronize()", 1);
    fs::write(&path, &text).unwrap();
    let before = check(folder.path(), &["p.cuf"]);
    let said = String::from_utf8_lossy(&before.stderr).into_owned();
    assert!(said.contains("2 messages have a safe fix"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let output = check(folder.path(), &["p.cuf", "--fix"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("p.cuf: 2 changes made"), "{said}");
    // What is only probable is left to the user.
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("did you mean `istat`?"), "{said}");
    let expected = text
        .replace("threadIdx.x", "threadIdx%x")
        .replace("a(i) += 1", "a(i) = a(i) + 1");
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn check_fix_respects_what_files_are() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = PROGRAM.replacen("    !device", "    i++", 1);
    fs::create_dir(at.join("real")).unwrap();
    fs::write(at.join("real/p.cuf"), &text).unwrap();
    fs::set_permissions(at.join("real/p.cuf"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/p.cuf", at.join("p.cuf")).unwrap();
    assert_eq!(check(at, &["p.cuf", "--fix"]).status.code(), Some(0));
    assert!(at.join("p.cuf").symlink_metadata().unwrap().is_symlink());
    let changed = fs::metadata(at.join("real/p.cuf")).unwrap();
    assert_eq!(changed.permissions().mode() & 0o777, 0o640);
    let read = fs::read_to_string(at.join("real/p.cuf")).unwrap();
    assert_eq!(read, text.replace("i++", "i = i + 1"));
    // A read-only file is left alone.
    fs::write(at.join("real/p.cuf"), &text).unwrap();
    fs::set_permissions(at.join("real/p.cuf"), fs::Permissions::from_mode(0o440)).unwrap();
    let output = check(at, &["p.cuf", "--fix"]);
    assert_eq!(output.status.code(), Some(4));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("cannot change p.cuf: it is read-only"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(at.join("real/p.cuf")).unwrap(), text);
}
