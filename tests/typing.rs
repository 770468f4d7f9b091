//! Types, ranks and values of expressions: each assignment of a source below says after `!:` what its right side must be.

#[path = "typing/constants.rs"]
mod constants;

use cuf2cu::ast::{self, Stmt, StmtKind};
use cuf2cu::sema::model::{Constant, FileId, Model};
use cuf2cu::sema::{self, Finding, Input};
use cuf2cu::{source, syntax};

/// A source without syntax errors, with its tree, its model and what sema says of it.
fn analysed(text: &str) -> (source::SourceText, ast::File, Model, Vec<Finding>) {
    let s = source::from_bytes(std::path::Path::new("a.cuf"), text.as_bytes()).expect("source");
    let (tree, errors) = syntax::parse(&s.text);
    assert!(errors.is_empty(), "{errors:?}");
    let inputs = [Input {
        path: "a.cuf",
        text: &s.text,
        ast: &tree,
        library: false,
    }];
    let (model, findings) = sema::analyze(&inputs, Default::default());
    (s, tree, model, findings)
}

/// `type rank [= value]` of the right side of every marked assignment, against what the comment says.
fn check(text: &str) {
    let (s, tree, model, findings) = analysed(text);
    assert!(findings.is_empty(), "{findings:#?}");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for unit in &tree.units {
        visit(unit, &mut |stmt| {
            let StmtKind::Assign { rhs, .. } = &stmt.kind else {
                return;
            };
            let line = s.text[stmt.span.start as usize..]
                .lines()
                .next()
                .unwrap_or("");
            let Some((_, wanted)) = line.split_once("!:") else {
                return;
            };
            seen += 1;
            let scope = model.scope_at(FileId(0), stmt.span.start).expect("scope");
            let t = model.expr(scope, rhs);
            let mut shown = format!("{} {}", model.type_name(&t.ty), t.rank);
            if wanted.contains(" = ") {
                shown += &format!(" = {}", value(t.value.as_ref()));
            }
            if shown != wanted.trim() {
                wrong.push(format!("{line}\n    is {shown}"));
            }
        });
    }
    assert_eq!(seen, text.matches("!:").count(), "marked statements");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn value(c: Option<&Constant>) -> String {
    match c {
        None => "none".to_owned(),
        Some(Constant::Integer(v, _)) => v.to_string(),
        Some(Constant::Real(v, 4)) => format!("{}", *v as f32),
        Some(Constant::Real(v, _)) => v.to_string(),
        Some(Constant::Complex(a, b, _)) => format!("({a},{b})"),
        Some(Constant::Logical(v, _)) => v.to_string(),
        Some(Constant::Character(s)) => format!("'{s}'"),
        Some(Constant::Array(items, shape)) => {
            let items: Vec<String> = items.iter().map(|i| value(Some(i))).collect();
            format!("{shape:?} {}", items.join(" "))
        }
        Some(Constant::Structure(_, items)) => {
            let items: Vec<String> = items.iter().map(|i| value(Some(i))).collect();
            format!("({})", items.join(" "))
        }
    }
}

fn visit(unit: &ast::ProgramUnit, f: &mut dyn FnMut(&Stmt)) {
    fn block(b: &[Stmt], f: &mut dyn FnMut(&Stmt)) {
        for s in b {
            f(s);
            match &s.kind {
                StmtKind::Block { body, .. } | StmtKind::Associate { body, .. } => block(body, f),
                StmtKind::Do(d) => block(&d.body, f),
                StmtKind::If { branches, .. } => branches.iter().for_each(|b| block(&b.body, f)),
                StmtKind::Select(sel) => sel.cases.iter().for_each(|c| block(&c.body, f)),
                _ => {}
            }
        }
    }
    block(&unit.body, f);
    unit.procedures.iter().for_each(|p| visit(p, f));
}

#[test]
fn literals_and_operators() {
    check(
        "program p
  use iso_fortran_env, only: int64, dp => real64
  implicit none
  integer, parameter :: wp = kind(1d0), sp = selected_real_kind(6), ik = selected_int_kind(15)
  real(wp) :: x
  real :: r
  integer :: i
  integer(ik) :: big
  complex(wp) :: z
  complex :: c
  logical :: l
  x = 1.5_wp                    !: real(8) 0 = 1.5
  x = 1.5_sp + 1d0              !: real(8) 0 = 2.5
  x = 0.1                       !: real(4) 0 = 0.1
  i = 7/2                       !: integer(4) 0 = 3
  i = -7/2                      !: integer(4) 0 = -3
  i = 2**10                     !: integer(4) 0 = 1024
  i = i + big                   !: integer(8) 0
  i = 2147483647 + 1            !: integer(4) 0 = none
  big = 2147483647_int64 + 1    !: integer(8) 0 = 2147483648
  x = i*r                       !: real(4) 0
  x = i*x                       !: real(8) 0
  x = x**2                      !: real(8) 0
  x = r**big                    !: real(4) 0
  z = c*x                       !: complex(8) 0
  z = (1.0, 2.0)                !: complex(4) 0 = (1,2)
  z = (1.0_wp, 2)               !: complex(8) 0 = (1,2)
  l = x < r                     !: logical(4) 0
  l = .not. (1 == 1)            !: logical(4) 0 = false
  i = int(z'ff')                !: integer(4) 0 = 255
  x = 1.0_dp/3                  !: real(8) 0 = 0.3333333333333333
  l = 'ab' // 'c' == 'abc '     !: logical(4) 0 = true
  x = z%re                      !: real(8) 0
end program
",
    );
}

#[test]
fn intrinsics() {
    check(
        "program p
  implicit none
  real(8) :: x, a(3, 4), v(4)
  real :: r
  integer :: i, m(3, 4)
  complex(8) :: z
  logical :: l
  character(len=5) :: s
  integer, parameter :: table(3) = [10, 20, 30], square(2, 2) = reshape([1, 2, 3, 4], [2, 2])
  integer, parameter :: odd(4) = [(2*i - 1, i = 1, 4)]
  x = dsin(x)                   !: real(8) 0
  x = dble(i)                   !: real(8) 0
  x = float(i)                  !: real(4) 0
  r = amax1(1.0, 2.0)           !: real(4) 0 = 2
  r = amax0(1, 2)               !: real(4) 0 = 2
  i = max1(1.5, 2.5)            !: integer(4) 0 = 2
  x = abs(z)                    !: real(8) 0
  x = real(z)                   !: real(8) 0
  x = real(x)                   !: real(4) 0
  x = real(i, 8)                !: real(8) 0
  i = nint(x)                   !: integer(4) 0
  i = int(x, 8)                 !: integer(8) 0
  i = size(a)                   !: integer(4) 0 = 12
  i = size(a, dim=2)            !: integer(4) 0 = 4
  i = ubound(a, 1)              !: integer(4) 0 = 3
  x = sum(a)                    !: real(8) 0
  v = sum(a, 1)                 !: real(8) 1
  v = sum(a, dim=1, mask=a > 0) !: real(8) 1
  x = maxval(a, a > 0)          !: real(8) 0
  i = count(a > 0)              !: integer(4) 0
  v = matmul(v(1:3), a)         !: real(8) 1
  a = a(:, [1, 2, 3, 4])        !: real(8) 2
  v = a(1, :)                   !: real(8) 1
  a = transpose(a)              !: real(8) 2
  i = mod(-7, 3)                !: integer(4) 0 = -1
  i = modulo(-7, 3)             !: integer(4) 0 = 2
  i = ishft(1, 4)               !: integer(4) 0 = 16
  i = huge(1)                   !: integer(4) 0 = 2147483647
  x = epsilon(1d0)              !: real(8) 0 = 0.0000000000000002220446049250313
  i = table(2)                  !: integer(4) 0 = 20
  i = square(2, 1)              !: integer(4) 0 = 2
  i = odd(4)                    !: integer(4) 0 = 7
  i = sum(table)                !: integer(4) 0 = 60
  m = reshape([1, 2, 3], [3, 4], pad=[0])   !: integer(4) 2
  l = any(a > 0)                !: logical(4) 0
  x = merge(1d0, 2d0, l)        !: real(8) 0
  i = len(s)                    !: integer(4) 0 = 5
  i = index('hello', 'l')       !: integer(4) 0 = 3
  s = trim(s) // 'x'            !: character(len=*) 0
  i = ichar('A')                !: integer(4) 0 = 65
  x = sqrt(2d0)                 !: real(8) 0 = 1.4142135623730951
  i = kind(x)                   !: integer(4) 0 = 8
  x = transfer(i, x)            !: real(8) 0
  v = spread(x, 1, 4)           !: real(8) 1
  i = floor(-2.5)               !: integer(4) 0 = -3
  i = popcnt(255)               !: integer(4) 0 = 8
  i = shape(a)                  !: integer(4) 1 = [2] 3 4
end program
",
    );
}

#[test]
fn procedures_and_generics() {
    check(
        "module shapes
  implicit none
  type :: base
    real(8) :: area = 0
    integer :: tags(3)
  contains
    procedure :: scaled
    procedure :: plus
    generic :: operator(+) => plus
  end type
  type, extends(base) :: round
    real :: radius
  end type
  type :: point
    real :: x, y
  end type
  interface point
    module procedure from_integer
  end interface
  interface norm
    module procedure norm_real, norm_double, norm_array, norm_device
  end interface
  interface operator(.cross.)
    procedure cross
  end interface
contains
  function scaled(self, by) result(r)
    class(base), intent(in) :: self
    real, intent(in) :: by
    real(8) :: r
    r = self%area*by                  !: real(8) 0
  end function
  function plus(a, b) result(r)
    class(base), intent(in) :: a, b
    type(base) :: r
    r = a
  end function
  function from_integer(i) result(p)
    integer, intent(in) :: i
    type(point) :: p
    p = point(real(i), y=0.0)         !: type(point) 0
  end function
  real function norm_real(x)
    real, intent(in) :: x
    norm_real = x
  end function
  double precision function norm_double(x)
    real(8), intent(in) :: x
    norm_double = x
  end function
  function norm_array(x) result(r)
    real(8), intent(in) :: x(:)
    integer(8) :: r
    r = 0
  end function
  function norm_device(x) result(r)
    real(8), device, intent(in) :: x(:)
    integer(2) :: r
    r = 0
  end function
  function cross(a, b) result(c)
    type(point), intent(in) :: a, b
    complex :: c(2)
    c = 0
  end function
  recursive integer function fact(n)
    integer, value :: n
    fact = n*fact(n - 1)              !: integer(4) 0
  end function
  elemental real function half(x)
    real, intent(in) :: x
    half = x/2
  end function
end module

program p
  use shapes, only: base, round, point, norm, half, n2 => norm, operator(.cross.), fact
  implicit real(8) (a-h, o-z)
  type(round) :: s
  type(point) :: q, w(5)
  real(8) :: d(4)
  real(8), device :: dd(4)
  real(8), managed :: dm(4)
  real :: r(3)
  real, external :: outside
  double precision :: square
  square(t) = t*t
  y = s%area                          !: real(8) 0
  y = s%base%area                     !: real(8) 0
  r = s%tags                          !: integer(4) 1
  y = s%scaled(2.0)                   !: real(8) 0
  s%base = s%base + s%base            !: type(base) 0
  q = point(3)                        !: type(point) 0
  q = point(1.0, 2.0)                 !: type(point) 0 = (1 2)
  r = w%x                             !: real(4) 1
  y = w(2)%y                          !: real(4) 0
  y = norm(1.0)                       !: real(4) 0
  y = n2(1d0)                         !: real(8) 0
  y = norm(d)                         !: integer(8) 0
  y = norm(dd)                        !: integer(2) 0
  y = norm(dm)                        !: integer(2) 0
  r = half(r)                         !: real(4) 1
  y = abs(q .cross. q)                !: real(4) 1
  y = outside(1)                      !: real(4) 0
  y = square(2.0)                     !: real(8) 0
  y = undeclared(3)                   !: real(8) 0
  k = fact(3)                         !: integer(4) 0
  associate (tags => s%tags, t2 => y*2)
    k = tags(2)                       !: integer(4) 0
    y = t2                            !: real(8) 0
  end associate
  block
    integer(8) :: k
    y = k                             !: integer(8) 0
  end block
end program
",
    );
}

#[test]
fn device_code() {
    check(
        "module m
  use cudafor
contains
  attributes(global) subroutine k(a, n)
    integer, value :: n
    real :: a(n)
    real, shared :: t(32, *)
    integer(8) :: w
    i = threadIdx%x + (blockIdx%x - 1)*blockDim%x   !: integer(4) 0
    i = atomicadd(a(i), 1.0)                        !: real(4) 0
    w = __brevll(w)                                 !: integer(8) 0
    x = __shfl_xor(x, 1)                            !: real(4) 0
    x = t(1, 2)                                     !: real(4) 0
    i = warpsize                                    !: integer(4) 0 = 32
    i = syncthreads_count(i)                        !: integer(4) 0
    x = __fdividef(x, x)                            !: real(4) 0
  end subroutine
end module
program p
  use m
  type(dim3) :: g
  type(cudaDeviceProp) :: prop
  integer(kind=cuda_stream_kind) :: s
  i = g%x                                           !: integer(4) 0
  k8 = s                                            !: integer(8) 0
  g = dim3(1, 2, 3)                                 !: type(dim3) 0 = (1 2 3)
  i = cudaDeviceSynchronize()                       !: integer(4) 0
  i = prop%maxGridSize(2)                           !: integer(4) 0
  i = prop%totalGlobalMem                           !: integer(8) 0
  i = cudaSuccess                                   !: integer(4) 0 = 0
end program
",
    );
}

#[test]
fn submodules_and_host_association() {
    check(
        "module parent
  implicit none
  integer, parameter :: wp = 8
  real(wp), private :: hidden(3)
  interface
    module function area(x) result(r)
      real(wp), intent(in) :: x
      real(wp) :: r
    end function
    module subroutine set(n)
      integer, intent(in) :: n
    end subroutine
  end interface
end module
submodule (parent) child
contains
  module procedure area
    r = x*hidden(1)                  !: real(8) 0
  end procedure
  module subroutine set(n)
    integer, intent(in) :: n
    real(wp) :: y
    y = area(hidden(n))              !: real(8) 0
    y = inner(n)                     !: integer(8) 0
  contains
    integer(8) function inner(k)
      integer, intent(in) :: k
      inner = k + n                  !: integer(4) 0
    end function
  end subroutine
end submodule
",
    );
}
