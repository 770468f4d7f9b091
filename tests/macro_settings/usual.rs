//! The usual settings: two or three macros that choose precision, layout, or the size of blocks. What stands here with `MUST` builds
//! under both choices from one translation.

use std::path::Path;

use crate::project::{File, Project};
use crate::run::{Build, Case, Runner, Verdict};
use crate::suite;

/// The text between `==> name <==` lines is a file of its own.
struct Usual {
    name: &'static str,
    text: &'static str,
    /// Macros of the translation, then those of builds, with whether the build must succeed.
    settings: &'static [(&'static str, &'static [(&'static str, bool)])],
}

const MUST: bool = true;
const MAY: bool = false;

const PRECISION: &str = "==> kinds.F90 <==
module kinds
  implicit none
#ifdef SINGLE
  integer, parameter :: wp = kind(1.0)
#else
  integer, parameter :: wp = kind(1d0)
#endif
end module kinds
==> solver.CUF <==
module solver
  @cudafor
  use kinds
  implicit none
contains
  @global subroutine relax(a, n, w)
    integer, value :: n
    real(wp), value :: w
    real(wp) :: a(n)
    integer :: i
    @each
      a(i) = a(i)*w + 0.1_wp
#ifdef PERIODIC
      if (i == n) a(i) = 0.25_wp
#endif
    @end
  end subroutine relax
end module solver
==> main.CUF <==
program main
  @cudafor
  use solver
  implicit none
  integer, parameter :: n = 20
  real(wp)@,device :: d(n)
  real(wp) :: h(n)
  integer :: i
  h = [(real(i, wp)/3, i = 1, n)]
  d = h
  call relax @<<(n + 7)/8, 8>>@ (d, n, 0.7_wp)
  !$cuf kernel do <<<*, 16>>>
  do i = 1, n
    d(i) = d(i) + 0.2_wp
  end do
  h = d
#ifdef VERBOSE
  print '(a,i0)', 'kind ', wp
#endif
  print '(4es25.16)', real(h, 8)
end program main
";

const LAYOUT: &str = "==> particles.F90 <==
module particles
  implicit none
#ifdef SINGLE
  integer, parameter :: wp = 4
#else
  integer, parameter :: wp = 8
#endif
#if !defined(USE_SOA)
  type particle
    real(wp) :: x, v
  end type particle
#endif
end module particles
==> main.CUF <==
module moves
  @cudafor
  use particles
  implicit none
contains
#if defined(USE_SOA)
  @global subroutine move(x, v, n, dt)
    integer, value :: n
    real(wp), value :: dt
    real(wp) :: x(n), v(n)
    integer :: i
    @each
      x(i) = x(i) + dt*v(i)
    @end
  end subroutine move
#else
  @global subroutine move(p, n, dt)
    integer, value :: n
    real(wp), value :: dt
    type(particle) :: p(n)
    integer :: i
    @each
      p(i)%x = p(i)%x + dt*p(i)%v
    @end
  end subroutine move
#endif
end module moves
program main
  use moves
  implicit none
  integer, parameter :: n = 12
  integer :: i
#if defined(USE_SOA)
  real(wp)@,device :: x(n), v(n)
  real(wp) :: h(n)
  h = [(real(i, wp), i = 1, n)]
  x = h
  v = h
  call move @<<2, 8>>@ (x, v, n, 0.1_wp)
  h = x
  print '(4es25.16)', real(h, 8)
#else
  type(particle)@,device :: p(n)
  type(particle) :: h(n)
  do i = 1, n
    h(i)%x = i
    h(i)%v = i
  end do
  p = h
  call move @<<2, 8>>@ (p, n, 0.1_wp)
  h = p
  print '(4es25.16)', real(h%x, 8)
#endif
end program main
";

const BLOCK: &str = "==> settings.h <==
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef NX
#define NX 32
#endif
==> grid.F90 <==
#include \"settings.h\"
module grid
  implicit none
  integer, parameter :: nx = NX
end module grid
==> main.CUF <==
#include \"settings.h\"
module kernels
  @cudafor
  use grid
  implicit none
contains
  @global subroutine fill(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    @each
      a(i) = real(mod(i, nx))/BLOCK
    @end
  end subroutine fill
end module kernels
program main
  use kernels
  implicit none
  integer, parameter :: n = 40
  real@,device :: d(n)
  real :: h(n)
  call fill @<<(n + BLOCK - 1)/BLOCK, BLOCK>>@ (d, n)
  h = d
  print '(i0,1x,i0)', nx, BLOCK
  print '(8f10.6)', h
end program main
";

const FIXED: &str = "==> main.F <==
module work
  @cudafor
#ifdef DOUBLE
  integer, parameter :: rk = 8
#else
  integer, parameter :: rk = 4
#endif
contains
  @global subroutine scale(a, n)
  integer, value :: n
  real(rk) :: a(n)
  integer :: i
  @each
    a(i) = a(i)*0.1_rk
  @end
  end subroutine scale
end module work
program main
  use work
  implicit none
  integer, parameter :: n = 8
  real(rk)@,device :: d(n)
  real(rk) :: h(n)
  h = 3
  d = h
  call scale @<<1, n>>@ (d, n)
  h = d
  print '(2es25.16)', real(h, 8)
end program main
";

const TYPES: &str = "==> main.CUF <==
#ifdef DP
#define REAL_T real(8)
#else
#define REAL_T real(4)
#endif
module work
  @cudafor
  implicit none
contains
  @dev function root(x) result(y)
    REAL_T, value :: x
    REAL_T :: y
    y = sqrt(x)
  end function root
  @global subroutine roots(a, n)
    integer, value :: n
    REAL_T :: a(n)
    integer :: i
    @each
#ifdef FAST
      a(i) = a(i)*0.5
#else
      a(i) = root(a(i))
#endif
    @end
  end subroutine roots
end module work
program main
  use work
  implicit none
  integer, parameter :: n = 8
  REAL_T@,device :: d(n)
  REAL_T :: h(n)
  integer :: i
  h = [(i, i = 1, n)]
  d = h
  call roots @<<1, n>>@ (d, n)
  h = d
  print '(2es25.16)', real(h, 8)
end program main
";

const SCHEME: &str = "==> ops.F90 <==
module upwind
contains
  @dev function flux(x) result(y)
    real, value :: x
    real :: y
    y = x + 1
  end function flux
end module upwind
module centred
contains
  @dev function flux(x) result(y)
    real, value :: x
    real :: y
    y = x*10
  end function flux
end module centred
==> main.CUF <==
module work
  @cudafor
#if SCHEME == 2
  use centred
#else
  use upwind
#endif
  implicit none
contains
  @global subroutine fluxes(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    @each
      a(i) = flux(real(i))
    @end
  end subroutine fluxes
end module work
program main
  use work
  implicit none
  integer, parameter :: n = 6
  real@,device :: d(n)
  real :: h(n)
  call fluxes @<<1, n>>@ (d, n)
  h = d
  print '(6f8.3)', h
end program main
";

const OPTIONAL: &str = "==> main.F90 <==
module work
#ifdef USE_CUDA
  @cudafor
#endif
  implicit none
contains
#ifdef USE_CUDA
  @global subroutine twice(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    @each
      a(i) = 2*a(i)
    @end
  end subroutine twice
#else
  subroutine twice(a, n)
    integer, value :: n
    real :: a(n)
    a = 2*a + 1
  end subroutine twice
#endif
end module work
program main
  use work
  implicit none
  integer, parameter :: n = 6
#ifdef USE_CUDA
  real@,device :: d(n)
#else
  real :: d(n)
#endif
  real :: h(n)
  h = 1.5
  d = h
#ifdef USE_CUDA
  call twice @<<1, n>>@ (d, n)
#else
  call twice(d, n)
#endif
  h = d
  print '(6f8.3)', h
end program main
";

const ALL: [Usual; 7] = [
    Usual {
        name: "precision",
        text: PRECISION,
        settings: &[
            (
                "",
                &[
                    ("", MUST),
                    ("-DSINGLE", MUST),
                    ("-DPERIODIC -DVERBOSE", MUST),
                    ("-DSINGLE -DPERIODIC -DVERBOSE", MUST),
                ],
            ),
            ("-DSINGLE", &[("-DSINGLE", MUST), ("", MUST)]),
        ],
    },
    Usual {
        name: "layout",
        text: LAYOUT,
        settings: &[(
            "",
            &[
                ("-DUSE_SOA", MUST),
                ("-DSINGLE", MUST),
                ("-DSINGLE -DUSE_SOA", MUST),
            ],
        )],
    },
    Usual {
        name: "block",
        text: BLOCK,
        settings: &[
            (
                "",
                &[
                    ("", MUST),
                    ("-DBLOCK=64", MAY),
                    ("-DBLOCK=128", MAY),
                    ("-DNX=64", MAY),
                ],
            ),
            (
                "-DBLOCK=128 -DNX=16",
                &[("-DNX=16 -DBLOCK=128", MUST), ("-DBLOCK=128", MAY)],
            ),
        ],
    },
    Usual {
        name: "fixed",
        text: FIXED,
        settings: &[("", &[("", MUST), ("-DDOUBLE", MUST)])],
    },
    Usual {
        name: "types",
        text: TYPES,
        settings: &[("-DDP", &[("-DDP", MUST), ("", MUST), ("-DFAST", MUST)])],
    },
    Usual {
        name: "scheme",
        text: SCHEME,
        settings: &[("-DSCHEME=1", &[("-DSCHEME=1", MUST), ("-DSCHEME=2", MAY)])],
    },
    Usual {
        name: "optional",
        text: OPTIONAL,
        settings: &[("-DUSE_CUDA", &[("-DUSE_CUDA", MUST), ("", MUST)])],
    },
];

/// How many settings the list has.
pub fn settings() -> usize {
    let translations = ALL.iter().flat_map(|u| u.settings);
    translations.map(|(_, builds)| builds.len()).sum()
}

/// Runs the list; what failed.
pub fn run(runner: &Runner, folder: &Path, jobs: usize) -> Vec<String> {
    let mut all = Vec::new();
    for usual in &ALL {
        for (index, (translation, builds)) in usual.settings.iter().enumerate() {
            let place = folder.join(format!("{}{index}", usual.name));
            all.push((usual, *translation, *builds, place));
        }
    }
    let failures = suite::for_each(&all, jobs, |(usual, translation, builds, place)| {
        let case = Case {
            seed: 0,
            project: project(usual.text),
            translation: (*translation).to_owned(),
            builds: builds
                .iter()
                .map(|(text, _)| Build::Macros((*text).to_owned()))
                .collect(),
        };
        let findings = match runner.run(&case, place) {
            Ok(findings) => findings,
            Err(text) => return vec![format!("usual {}: {text}", usual.name)],
        };
        let failed = findings.iter().zip(*builds).filter(|(f, (_, must))| {
            f.verdict != Verdict::Right && (*must || f.verdict != Verdict::Stopped)
        });
        failed
            .map(|(f, _)| {
                let shown = f.build.shown();
                format!(
                    "usual {}: {}: translated with {translation:?}, then {shown}\n{}",
                    usual.name,
                    f.verdict.words(),
                    f.detail
                )
            })
            .collect()
    });
    failures.concat()
}

fn project(text: &str) -> Project {
    let mut files: Vec<File> = Vec::new();
    for line in text.lines() {
        let name = line
            .strip_prefix("==> ")
            .and_then(|l| l.strip_suffix(" <=="));
        match (name, files.last_mut()) {
            (Some(name), _) => files.push(File {
                name: name.to_owned(),
                fixed: name.ends_with(".F"),
                lines: Vec::new(),
            }),
            (None, Some(file)) => file.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    Project {
        files,
        hidden: Vec::new(),
    }
}
