//! Profiles of programs, and runs that are compared.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// In-place smoothing, whose result depends on the order of the threads, and work that does not; the argument `calm` leaves out the former.
const ORDER: &str = "module order_m
contains
  attributes(global) subroutine smooth(u, n)
    integer, value :: n
    real :: u(0:n+1)
    integer :: i
    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
    if (i <= n) u(i) = 0.5*(u(i-1) + u(i+1))
  end subroutine
  attributes(global) subroutine reversed(u, n)
    integer, value :: n
    real :: u(n)
    real, shared :: t(32)
    integer :: i
    i = threadIdx%x
    t(i) = u(i)
    call syncthreads()
    u(i) = t(33 - i)
  end subroutine
end module
program order
  use order_m
  implicit none
  integer, parameter :: n = 100
  real, device :: u(0:n+1)
  real :: h(0:n+1), s
  integer :: i
  character(8) :: word
  read *, word
  h = [(real(i*i), i = 0, n+1)]
  u = h
  call reversed<<<1, 32>>>(u, 32)
  s = 0
  !$cuf kernel do <<<*, *>>>
  do i = 1, n
    s = s + u(i)
  end do
  h(0:1) = u(0:1)
  if (word /= 'calm') call smooth<<<4, 32>>>(u, n)
  h = u
  print *, word, s
  if (word == 'stop') stop 3
end program
";

/// Ways by which data comes back: the argument names one. What comes back depends on the order of the threads.
const WAYS: &str = "module ways_m
  implicit none
  real, managed :: table(0:9, 10)
  integer, managed :: last
contains
  attributes(global) subroutine chain(u, n)
    integer, value :: n
    real :: u(n)
    integer :: i
    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
    if (i > 1 .and. i <= n) u(i) = u(i - 1) + 1
    if (i == 2) last = 7
    if (i <= n) table(mod(i - 1, 10), (i - 1)/10 + 1) = u(i)
  end subroutine
end module
program ways
  use cudafor
  use iso_c_binding
  use ways_m
  implicit none
  integer, parameter :: n = 100
  real, device, target :: u(n)
  real, target :: h(n)
  type(cudaMemcpy3DParms) :: box
  type(cudaArrayPtr) :: array
  type(cudaChannelFormatDesc) :: format
  integer :: i
  character(8) :: word
  read *, word
  h = 0
  u = h
  last = 1
  call chain<<<4, 32>>>(u, n)
  select case (word)
  case ('box')
    box%srcPtr%ptr = c_devloc(u)
    box%srcPtr%pitch = 40
    box%srcPtr%xsize = 40
    box%srcPtr%ysize = 5
    box%dstPtr = box%srcPtr
    box%dstPtr%ptr = c_loc(h)
    box%extent = cudaExtent(40, 5, 2)
    box%kind = cudaMemcpyDeviceToHost
    i = cudaMemcpy3D(box)
  case ('array')
    format = cudaChannelFormatDesc(32, 0, 0, 0, cudaChannelFormatKindFloat)
    i = cudaMallocArray(array, format, 10, 10)
    i = cudaMemcpyToArray(array, 0, 0, u, n, cudaMemcpyDeviceToDevice)
    i = cudaMemcpyFromArray(h, array, 0, 0, n, cudaMemcpyDeviceToHost)
    i = cudaFreeArray(array)
  case ('module')
    i = cudaDeviceSynchronize()
  end select
end program
";

fn cuf2cu(arguments: &[&str], folder: &Path, input: &str) -> Output {
    let file = folder.join("input.txt");
    fs::write(&file, input).unwrap();
    Command::new(env!("CARGO_BIN_EXE_cuf2cu"))
        .args(arguments)
        .current_dir(folder)
        .stdin(fs::File::open(&file).unwrap())
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The program is built once: all that follows runs it.
#[test]
fn programs_are_watched() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("order.cuf"), ORDER).unwrap();
    seeds_part(at);
    let built = cuf2cu(
        &["build", "--target", "cpu", "order.cuf", "-o", "order"],
        at,
        "",
    );
    assert!(built.status.success(), "{}", said(&built));
    records_are_compared(at);
    profiles_are_written(at);
}

/// Copies of boxes, CUDA arrays and managed variables of modules.
#[test]
fn other_ways_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("ways.cuf"), WAYS).unwrap();
    let words = ["build", "--target", "cpu", "ways.cuf", "-o", "ways"];
    let built = cuf2cu(&words, at, "");
    assert!(built.status.success(), "{}", said(&built));
    for (word, parts) in [
        (
            "box",
            [
                ": element (",
                "of 400 elements differ",
                "ways.cuf:44: i = cudaMemcpy3D(box)",
            ],
        ),
        (
            "array",
            [
                ": h(",
                ", real(4)",
                "ways.cuf:49: i = cudaMemcpyFromArray(h",
            ],
        ),
        (
            "module",
            [
                ") of the managed variable ways_m::table, counted from 1, real(4)",
                "of 100 elements differ",
                "ways.cuf:52: i = cudaDeviceSynchronize()",
            ],
        ),
    ] {
        fs::write(at.join("input.txt"), format!("{word}\n")).unwrap();
        for seed in ["0", "8"] {
            let mut command = Command::new(at.join("ways"));
            command
                .env("CUF_RECORD", format!("{seed}.rec"))
                .env("CUF_SHUFFLE", seed)
                .stdin(fs::File::open(at.join("input.txt")).unwrap());
            let ran = command.current_dir(at).output().unwrap();
            assert!(ran.status.success(), "{word}: {}", said(&ran));
        }
        let output = cuf2cu(&["compare", "0.rec", "8.rec"], at, "");
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{word}: {text}");
        for part in parts {
            assert!(text.contains(part), "{word}: {part}: {text}");
        }
    }
}

fn seeds_part(at: &Path) {
    let run = |more: &[&str], input: &str| {
        let words = ["run", "--compare", "--target", "cpu", "order.cuf"];
        cuf2cu(&[&words[..], more].concat(), at, input)
    };
    let differs = run(&["--seeds", "2"], "wild\n");
    let text = said(&differs);
    assert_eq!(differs.status.code(), Some(1), "{text}");
    // The program's output is there once.
    let output = String::from_utf8_lossy(&differs.stdout);
    assert_eq!(output.matches("wild").count(), 1, "{output}");
    for part in [
        "cpu and cpu, seed 1 differ: h(",
        "order.cuf:40: h = u",
        "after the launch of order_m::smooth, order.cuf:39: if (word /= 'calm') call smooth<<<4, 32>>>(u, n)",
        "of 102 elements differ",
        "transfers that agreed before: 2",
        "cpu and cpu, seed 2 differ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Programs without such a fault agree, and their statuses are kept.
    let same = run(&["--seeds", "1"], "calm\n");
    assert!(same.status.success(), "{}", said(&same));
    assert!(
        said(&same).contains("3 transfers of 105 elements agree"),
        "{}",
        said(&same)
    );
    let stopped = run(&["--seeds", "1"], "stop\n");
    assert_eq!(stopped.status.code(), Some(3), "{}", said(&stopped));
    // Everything is within so many units in the last place.
    let wide = run(&["--seeds", "1", "--ulps", "4000000000"], "wild\n");
    assert!(wide.status.success(), "{}", said(&wide));
}

fn records_are_compared(at: &Path) {
    let record = |name: &str, seed: &str, input: &str| {
        let mut command = Command::new(at.join("order"));
        let file = at.join("input.txt");
        fs::write(&file, input).unwrap();
        command.env("CUF_RECORD", name).env("CUF_SHUFFLE", seed);
        command.stdin(fs::File::open(&file).unwrap());
        let ran = command.current_dir(at).output().unwrap();
        assert!(ran.status.success(), "{}", said(&ran));
        fs::read(at.join(name)).unwrap()
    };
    let first = record("a.rec", "7", "wild\n");
    // A seed stands for one order, another for another one.
    assert_eq!(first, record("b.rec", "7", "wild\n"));
    assert_ne!(first, record("c.rec", "8", "wild\n"));
    record("d.rec", "7", "calm\n");
    let compared = |a: &str, b: &str| {
        let output = cuf2cu(&["compare", a, b], at, "wild\n");
        (output.status.code(), said(&output))
    };
    let (status, text) = compared("a.rec", "b.rec");
    assert_eq!(status, Some(0), "{text}");
    let (status, text) = compared("a.rec", "c.rec");
    assert!(
        status == Some(1) && text.contains("a.rec and c.rec differ: h("),
        "{text}"
    );
    let (status, text) = compared("a.rec", "d.rec");
    assert_eq!(status, Some(1), "{text}");
    for part in [
        "execution diverges between a.rec and d.rec",
        "a.rec launches order_m::smooth, order.cuf:39",
        "d.rec has an assignment of real(4) (102), order.cuf:40: h = u",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // One that was cut off, and what is none.
    fs::write(at.join("cut.rec"), &first[..first.len() - 300]).unwrap();
    let (status, text) = compared("a.rec", "cut.rec");
    assert_eq!(status, Some(4), "{text}");
    fs::write(at.join("none.rec"), "cuf2cu record 1 cpu\nnonsense\n").unwrap();
    let (status, text) = compared("none.rec", "a.rec");
    assert_eq!(status, Some(4), "{text}");
    let (status, text) = compared("a.rec", "order");
    assert_eq!(status, Some(2), "{text}");
    // Programs as they are.
    let (status, text) = compared("order", "./order");
    assert!(text.contains("agree") || status == Some(1), "{text}");
}

fn profiles_are_written(at: &Path) {
    let run = |variable: &str, value: &str| {
        fs::write(at.join("input.txt"), "calm\n").unwrap();
        let mut command = Command::new(at.join("order"));
        command.stdin(fs::File::open(at.join("input.txt")).unwrap());
        let ran = command.env(variable, value).current_dir(at).output();
        said(&ran.unwrap())
    };
    let text = run("CUF_PROFILE", "1");
    for part in [
        "cuf2cu profile of order: cpu target",
        "kernel order_m::reversed, order.cuf:32",
        "CUF loop order_loop_1, order.cuf:34",
        "to the device, order.cuf:31",
        "to the host, order.cuf:40",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(run("NVCOMPILER_ACC_TIME", "1").contains("cuf2cu profile of"));
    assert_eq!(run("CUF_PROFILE", "0"), "");
    assert_eq!(run("CUF_PROFILE", "json:profile.json"), "");
    let json = fs::read_to_string(at.join("profile.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let work = json["work"].as_array().unwrap();
    let row = |name: &str| work.iter().find(|w| w["name"] == name).unwrap();
    let kernel = row("order_m::reversed");
    // 32 threads wait for each other.
    assert!(
        kernel["calls"] == 1 && kernel["switches"].as_u64().unwrap() >= 31,
        "{json}"
    );
    let copy = work.iter().find(|w| w["what"] == "to the device").unwrap();
    assert!(
        copy["bytes"] == 408 && copy["total"].as_f64().unwrap() > 0.0,
        "{json}"
    );
}
