//! Forms of programs that are refused or warned of: clauses of OpenMP, interfaces, types of arguments, scalars of CUF loops.

use super::{Code, Group, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0463", "device data in the expression of an OpenMP clause")
        .work(Work::Line)
        .text(
            "With `--openmp` the host evaluates the expressions of clauses. An element or a scalar in device memory is transferred (`num_threads(d(2))`). Whole
arrays, sections and values of types that the runtime does not transfer by themselves cannot appear there: assign the value to a host variable before the directive.",
        )
        .example(
            "
 program p
   integer, device :: d(2)
+  integer :: h(2)
   d = 2
-  !$omp parallel num_threads(maxval(d))
+  h = d
+  !$omp parallel num_threads(maxval(h))
   print *, 'here'
   !$omp end parallel
 end program
",
        ),
    Code::new("CUF0464", "interface body that contradicts the definition")
        .work(Work::Line)
        .rule(Group::Standard, "F2018 12.4.2.2", "Interface bodies of external kernels and device procedures agree with the definitions")
        .text(
            "A launch passes what the interface body says, and the kernel reads what its definition says. If they differ in the number, order, types or kinds of the
dummy arguments, or in `value`, the kernel computes with wrong values. `cuf2cu fc` compares the files of a program when it links them.",
        )
        .example(
            "
 attributes(global) subroutine scale(y, a, n)
   real :: y(*)
   real, value :: a
   integer, value :: n
   if (threadIdx%x <= n) y(threadIdx%x) = a * y(threadIdx%x)
 end subroutine
 program p
   interface
-    attributes(global) subroutine scale(y, n, a)
+    attributes(global) subroutine scale(y, a, n)
       real :: y(*)
       integer, value :: n
       real, value :: a
     end subroutine
   end interface
   real, device :: d(32)
   d = 1
-  call scale<<<1, 32>>>(d, 32, 2.0)
+  call scale<<<1, 32>>>(d, 2.0, 32)
 end program
",
        ),
    Code::new("CUF0465", "host code that Fortran compilers reject")
        .work(Work::Line)
        .text(
            "nvfortran accepts this, and the Fortran compiler of the generated code does not: statements of a specification part in another order than the standard's
(`use`, `import`, `implicit`, declarations), numbers of several types in an array constructor without a type, structures with initial values or allocatable
components in common blocks, faults of `format` statements, `size=` and `get=` of `random_seed` with integers of another kind than 4, and dummy arguments with
`ignore_tkr` in places where they have no type. Write it as standard Fortran has it.",
        )
        .example(
            "
 program p
-  implicit none
   use iso_fortran_env
+  implicit none
   integer(int64) :: n
   n = 1
 end program
",
        ),
    Code::new("CUF0466", "private type that the generated host code must name")
        .work(Work::Line)
        .text(
            "The host code of transfers and initial values declares variables of the type. A private type of a module is made public for that, unless another entity of
the program has its name, or files are compiled one by one (`cuf2cu fc`).",
        )
        .example(
            "
 module m
   private
   type t
     real :: x = 1
   end type
   type(t), device, allocatable, public :: d(:)
+  public :: t
 end module
 program p
   use m
-  real :: t
-  t = 1
   allocate(d(3))
-  print *, t
 end program
",
        ),
    Code::new("CUF0467", "launch that never runs")
        .work(Work::Look)
        .level(Level::Warning)
        .text(
            "A launch needs the kernel's explicit interface. Where a constant condition excludes the branch, the generated host code leaves the launch out.",
        )
        .example(
            "
 program p
   logical, parameter :: cooperative = .false.
   real, device :: v(8)
   v = 1
-  if (cooperative) call setup<<<1, 8>>>(v)
 end program
",
        ),
    Code::new("CUF0468", "logical value used as an integer")
        .work(Work::Look)
        .level(Level::Warning)
        .text(
            "nvfortran stores -1 in an integer for a true value and 0 for a false one (without -Munixlogical). So does the translated program. Other compilers store 1.",
        )
        .example(
            "
 subroutine s(n, l)
   integer :: n
   logical :: l
-  n = l
+  n = merge(1, 0, l)
 end subroutine
",
        ),
    Code::new("CUF0470", "`intent(in)` dummy argument that a call modifies")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::DeviceCode, "3.6.5", "An atomic or a procedure that is called may change a dummy with intent(in), with a warning")
        .text(
            "An atomic function changes its first argument, and a device procedure may change a dummy without INTENT. nvfortran does not check whether
the actual argument has INTENT(IN), so that programs rely on it, and the translated program changes the data. Where the host makes a copy for the
argument (a section with gaps for an array of explicit shape), the change is lost: give the dummy INTENT(INOUT).",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(n)
-    integer, intent(in) :: n(*)
+    integer, intent(inout) :: n(*)
     integer :: old
     old = atomicadd(n(1), 1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0471", "polymorphic device data used as a value")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.4", "Polymorphic device data is asked for its shape and passed on; its value has a type in SELECT TYPE alone")
        .text(
            "A dummy of a host procedure may be `class(*), device` or `class(t), device`. The host asks for its size, shape,
bounds and storage size, passes it to procedures with such dummies and to the runtime API, and uses it by its
type in SELECT TYPE. An assignment, an operation or output would need to know what a value is.",
        )
        .example(
            "
 module m
 contains
   subroutine clear(x)
     class(*), device :: x(:)
-    x = 0
+    select type (x)
+    type is (real)
+      x = 0
+    end select
   end subroutine
 end module
",
        ),
    Code::new("CUF0473", "library procedure as an argument or a target")
        .work(Work::Lines)
        .text(
            "Most names of the libraries' modules stand for several procedures, which differ by the types, ranks and memory of their arguments, and pass
arguments as NVIDIA's C functions take them. A procedure pointer, a dummy procedure and `procedure(NAME)` want one procedure with an interface of Fortran: write a
procedure that calls the library's, and give that.",
        )
        .example(
            "
 module m
   use cufft
   interface
     integer function transform(plan, a, b)
       integer :: plan
       complex, device :: a(*), b(*)
     end function
   end interface
+contains
+  integer function forward(plan, a, b)
+    integer :: plan
+    complex, device :: a(*), b(*)
+    forward = cufftExecC2C(plan, a, b, CUFFT_FORWARD)
+  end function
 end module
 program p
   use m
   procedure(transform), pointer :: f
-  f => cufftExecC2C
+  f => forward
 end program
",
        ),
    Code::new("CUF0480", "scalar that a CUF loop may read before it assigns it")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::CufLoops, "2.11.2", "Private scalars start with the host's value in each iteration (a warning where one may be read first)")
        .text(
            "A scalar that a CUF loop assigns is private to each iteration and starts with the host's value. On the path that the message names, an iteration reads it before it assigns it, and gets that value. A serial loop would have the value of an earlier iteration there. Only a warning: the path may be one that is never taken.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   integer :: i, mode
   real :: t
   mode = 1
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
     if (mode == 1) then
       t = i
-    else if (mode == 2) then
+    else
       t = 2*i
     end if
     d(i) = t
   end do
 end program
",
        ),
    Code::new("CUF0481", "private scalar of a CUF loop is read by the host")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::CufLoops, "2.11.2", "Private scalars are undefined after the loop (a warning where the host reads one)")
        .text(
            "A scalar that a CUF loop assigns is private to each iteration, and the host's variable does not change; the same
holds for the index of the loop. If the loop combines values (`all`, `any`, a sum, a largest value), state the
operation in a reduce clause. If one iteration gives the value, declare the scalar with the `device` attribute
and copy it to the host.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   integer :: i
   logical :: fine
   fine = .true.
-  !$cuf kernel do <<<*, *>>>
+  !$cuf kernel do <<<*, *>>> reduce(.and.:fine)
   do i = 1, 10
-    if (d(i) > 1) fine = .false.
+    fine = fine .and. d(i) <= 1
   end do
   print *, fine
 end program
",
        ),
    Code::new("CUF0482", "array assignment in a CUF loop")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::CufLoops, "2.11.2", "No array syntax in the loop (a warning where each iteration assigns elements of its own)")
        .text(
            "The guide does not allow array syntax in CUF loops. An assignment to a section that the indices of the mapped loops select becomes a sequential loop of the thread, which other compilers may not do.",
        )
        .example(
            "
 program p
   real, device :: u(5, 10), v(5, 10)
   integer :: i, k
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    u(:, i) = 2*v(:, i)
+    do k = 1, 5
+      u(k, i) = 2*v(k, i)
+    end do
   end do
 end program
",
        ),
    Code::new("CUF0483", "reduction variable with another use in the loop")
        .openacc("2.9.11")
        .work(Work::Lines)
        .text(
            "Until the loop ends, each thread has a part of the result only. What an iteration makes of it depends on the threads. To number the elements that an iteration keeps, use an atomic function on a device scalar.",
        )
        .example(
            "
 program p
   use cudafor
   integer, device :: b(10)
   integer, device :: count
   integer :: i, k
   count = 0
-  !$cuf kernel do <<<*, *>>> reduce(+:k)
+  !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    k = k + 1
+    k = atomicadd(count, 1) + 1
     b(k) = i
   end do
 end program
",
        ),
    Code::new("CUF0484", "copy between elements of different sizes")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::Transfers, "4.6", "Copies of the runtime API between complex numbers and their parts, or texts of different lengths (a warning: counts are of the source's elements)")
        .text(
            "`cudaMemcpy` and its relatives count elements, and copy memory as it is. Where the elements of the two sides differ in size the count is of elements of the source: twice as many reals are two to each complex number.",
        )
        .example(
            "
 program p
   use cudafor
   complex, device :: z(4)
-  real :: x(8)
+  complex :: x(4)
   integer :: istat
-  istat = cudaMemcpy(x, z, 8)
+  istat = cudaMemcpy(x, z, 4)
 end program
",
        ),
    Code::new("CUF0488", "two variables or kernels with the same binding label")
        .work(Work::Line)
        .text(
            "A binding label belongs to one variable or procedure of the program (F2018 19.2). Two module variables of which one at least is device data have the same label: the C compiler and the linker,
which see no label of device data, would not tell, and what one variable gets would not be in the other. Of two kernels with one label, CUDA C++ would launch either.",
        )
        .example(
            "
 module a
   use iso_c_binding
   real(c_float), device, bind(c, name='field') :: x(4)
 end module
 module b
-  use iso_c_binding
-  real(c_float), device, bind(c, name='field') :: y(4)
+  use a, only: y => x
 end module
 program p
   use b
   y = 1
 end program
",
        ),
    Code::new("CUF0491", "CUDA C++ that the cpu target cannot emulate")
        .work(Work::Procedure)
        .text(
            "A `.cu` file of the program, or a header that it includes, uses something that the cpu target does not have: inline assembly (PTX), textures and surfaces,
cooperative groups, clusters, or a library such as Thrust, CUB or cuBLAS. The C++ compiler reports it at its line, if the preprocessor keeps the line:
code for the device alone can be inside `#ifdef __CUDA_ARCH__`, which the cpu target does not define. The target cuda has no such limits.",
        ),
    Code::new("CUF0500", "kernel with a name of a library that every program is linked with")
        .work(Work::Line)
        .text(
            "A kernel with BIND(C) is a function of this name to the linker. With the name of a function of the C library (`write`, `select`) programs link without a message,
and the library or the kernel is called in place of the other; nvcc refuses the second declaration. The same applies to names of CUDA, OpenMP, the compilers and cuf2cu (which begin with
`cuda`, `omp_`, `GOMP_`, `_gfortran_`, `__`, or `cuf_`), and to the linker's name of an external procedure of the program (`foo_` of `foo`).",
        )
        .example(
            "
 module m
 contains
-  attributes(global) subroutine write(x) bind(c, name='write')
+  attributes(global) subroutine write(x) bind(c, name='write_kernel')
     real :: x(*)
     x(threadidx%x) = 1
   end subroutine
 end module
 program p
   use m
   real, device :: x(8)
   call write<<<1, 8>>>(x)
 end program
",
        ),
    Code::new("CUF0501", "arguments of `sign` or `merge` with different types or lengths")
        .work(Work::Line)
        .text(
            "The first two arguments of `sign` and `merge` have the same type (F2018 16.9). The result has the type of the first: a real number would be truncated to an integer, and lose its
sign if it is between -1 and 0. Texts of different lengths need blanks at the end of the shorter one.",
        )
        .example(
            "
 program p
   real, device :: x(4)
   integer :: i
   !$cuf kernel do
   do i = 1, 4
-    x(i) = sign(1, x(i))
+    x(i) = sign(1.0, x(i))
   end do
 end program
",
        ),
    Code::new("CUF0502", "type guard for `real(2)` in host code")
        .work(Work::Look)
        .level(Level::Warning)
        .text(
            "In host code `real(2)` is a derived type of the runtime with BIND(C), which a type guard cannot name (F2018
C1162). cuf2cu refuses to make such data polymorphic, so that the guard never matches, and its block is left
out.",
        )
        .example(
            "
 subroutine s(x)
   use cudafor
   class(*) :: x
   select type (x)
-  type is (real(2))
-    print *, 2
   type is (real(4))
     print *, 4
   end select
 end subroutine
",
        ),
];
