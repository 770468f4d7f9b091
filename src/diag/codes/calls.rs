//! What is not translated: calls, statements, CUF loops.

use super::{Code, Echo, Group, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0430", "procedure without body")
        .work(Work::Supply)
        .text(
            "Device code needs the text of a procedure that it calls: give the file that holds it.",
        )
        .example(
            "
 module m
-  interface
-    attributes(device) real function f(x)
-      real, value :: x
-    end function
-  end interface
 contains
+  attributes(device) real function f(x)
+    real, value :: x
+    f = 2*x
+  end function
   attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = f(a(2))
   end subroutine
 end module
",
        ),
    Code::new("CUF0431", "not a device procedure")
        .work(Work::Lines)
        .echo(Echo::OfProcedure)
        .text(
            "Give it `attributes(device)`.",
        )
        .example(
            "
 module m
 contains
-  real function twice(x)
+  attributes(device) real function twice(x)
     real :: x
     twice = 2*x
   end function
   attributes(device) real function apply(f, x)
     interface
       attributes(device) real function f(x)
         real :: x
       end function
     end interface
     real :: x
     apply = f(x)
   end function
   attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = apply(twice, a(2))
   end subroutine
 end module
",
        ),
    Code::new("CUF0432", "launch from device code")
        .work(Work::Design)
        .text(
            "Device code launches kernels with `attributes(global)` whose text is in the program, with a stated grid and block, and without clusters.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine child(a)
     real :: a(*)
     a(1) = 1
   end subroutine
   attributes(global) subroutine parent(a)
     real, device :: a(10)
-    call child<<<*, 32>>>(a)
+    call child<<<1, 32>>>(a)
   end subroutine
 end module
",
        ),
    Code::new("CUF0433", "data of a thread passed to a kernel")
        .work(Work::Procedure)
        .text(
            "A kernel launched by device code runs later and elsewhere: it cannot reach local variables, value dummies and shared data of the thread that
launched it. Pass scalars by value, and arrays in device memory.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine child(a)
     real :: a(*)
     a(1) = 1
   end subroutine
   attributes(global) subroutine parent(a)
     real, device :: a(10)
-    real :: own(10)
-    call child<<<1, 32>>>(own)
+    call child<<<1, 32>>>(a)
   end subroutine
 end module
",
        ),
    Code::new("CUF0434", "value of a Cray pointer")
        .work(Work::Procedure)
        .echo(Echo::OfProcedure)
        .text(
            "Cray pointers of device code point to data: assign `cluster_map_shared_rank(x, rank)`, `loc(x)` or `transfer(address, pointer)` of a `type(c_devptr)`.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     real, shared :: s(10), x(10)
     pointer (q, x)
-    q = 16
+    q = loc(s)
     x(1) = 1
     a(1) = s(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0435", "submatrices of wmma")
        .work(Work::Procedure)
        .text(
            "`wmmaLoadMatrix`, `wmmaMatMul` and `wmmaStoreMatrix` take submatrices of one shape, data of the submatrix's kind, and a constant storage order. The elements
`s%x` are spread over the warp: they take part in operations on all of them or one by one, and are no array to pass on or take sections of.",
        )
        .example(
            "
 #include \"cuf_macros.CUF\"
 module m
   use wmma
 contains
   attributes(global) subroutine k(a)
     real(4) :: a(16, *)
     WMMASubMatrix(WMMAMatrixC, 16, 16, 16, Real, WMMAKind4) :: s
     s = 0.0
-    a(1:8, 1) = s%x(1:8)
+    call wmmaStoreMatrix(a(1, 1), s, 16)
   end subroutine
 end module
",
        ),
    Code::new("CUF0436", "section with gaps for a procedure that synchronises")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.4", "No copies of sections for procedures in which threads meet (D121)")
        .text(
            "An explicit-shape or assumed-size dummy wants its elements side by side, for which the section would be copied to the call and back. Where the procedure
can reach a barrier, a fence, an atomic or a warp operation, the copy would not show what other threads write, and copying it back would undo that.
Declare the dummy with assumed shape (`a(:)`), which takes the section as it is. Where only the run shows that there are gaps, the program stops.",
        )
        .example(
            "
 module m
 contains
   attributes(device) subroutine turn(a, n)
     integer, value :: n
-    integer :: a(n), x
+    integer :: a(:), x
     x = a(mod(threadIdx%x, n) + 1)
     call syncthreads()
     a(threadIdx%x) = x
   end subroutine
   attributes(global) subroutine k(a)
     integer :: a(32)
     call turn(a(1:32:2), 16)
   end subroutine
 end module
",
        ),
    Code::new("CUF0441", "output of a structure")
        .work(Work::Lines)
        .text(
            "Output in device code takes structures that are variables and have no pointers, element by element. Name the components.",
        )
        .example(
            "
 module m
   type t
     integer, pointer :: p
     real :: x
   end type
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
     type(t) :: s
     s%x = a(1)
-    print *, s
+    print *, s%x
   end subroutine
 end module
",
        ),
    Code::new("CUF0442", "statement not supported in device code")
        .work(Work::Lines)
        .text(
            "The statement is not translated there.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    critical
+    a(1) = n
-      a(1) = n
-    end critical
   end subroutine
 end module
",
        ),
    Code::new("CUF0444", "loop variable that is no integer")
        .work(Work::Line)
        .rule(Group::CufLoops, "2.11.2", "Integer loop variables")
        .text(
            "Integers of all kinds and reals of kind 4 and 8 count loops.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   real :: x
   !$cuf kernel do <<<*, *>>>
-  do x = 1.0, 10.0
-    i = int(x)
+  do i = 1, 10
     d(i) = i
   end do
 end program
",
        ),
    Code::new("CUF0445", "cycle without a loop to cycle")
        .work(Work::Lines)
        .text(
            "Or of a mapped loop of a CUF kernel that is not the innermost.",
        )
        .example(
            "
 program p
   real, device :: d(10, 10)
   integer :: i, j
   !$cuf kernel do(2) <<<*, *>>>
   outer: do j = 1, 10
     do i = 1, 10
-      if (i > j) cycle outer
+      if (i > j) cycle
       d(i, j) = i
     end do
   end do outer
 end program
",
        ),
    Code::new("CUF0446", "select type and select rank in device code")
        .work(Work::Procedure)
        .text(
            "The dynamic type or rank of device data is not known there. Write a procedure for each type or rank.",
        )
        .example(
            "
 module m
   type t
     real :: x
   end type
   type, extends(t) :: u
     real :: y
   end type
 contains
-  attributes(device) real function f(a)
+  attributes(device) real function f_u(a)
-    class(t) :: a
+    type(u) :: a
-    f = a%x
-    select type (a)
-    type is (u)
-      f = a%y
-    end select
+    f_u = a%y
   end function
 end module
",
        ),
    Code::new("CUF0451", "reduction not supported")
        .work(Work::Procedure)
        .rule(Group::CufLoops, "2.11.2", "Reductions of the operations named")
        .text(
            "The operation is not one of the reductions, or not for this type; or the loop updates the variable with another operation than its clause names.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   real :: total
   total = 1
-  !$cuf kernel do <<<*, *>>> reduce(+: total)
+  !$cuf kernel do <<<*, *>>> reduce(*: total)
   do i = 1, 10
     total = total*d(i)
   end do
 end program
",
        ),
    Code::new("CUF0452", "component changed by every iteration")
        .work(Work::Lines)
        .text(
            "Use an array, or a scalar with a reduction.",
        )
        .example(
            "
 program p
   type t
     real :: x, y
   end type
   type(t) :: s
+  real :: y
   real, device :: d(10)
   integer :: i
   s = t(0, 0)
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    s%y = d(i)
+    y = d(i)
     s%x = s%x + d(i)
-    d(i) = s%y**2
+    d(i) = y**2
   end do
 end program
",
        ),
    Code::new("CUF0453", "scalar carried from one iteration to another")
        .work(Work::Lines)
        .text(
            "A scalar that a CUF loop assigns is private to each iteration, unless it is the variable of a reduction (guide 2.11.2). Here an iteration uses the value that an earlier one has assigned, which no order of the iterations gives. State the reduction in a reduce clause, use an array with an element for each iteration, or an atomic function.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   integer :: last
   last = 0
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    d(i) = last
+    d(i) = i - 1
-    last = i
   end do
 end program
",
        ),
    Code::new("CUF0454", "object cannot be passed to the loop's kernel")
        .work(Work::Lines)
        .text(
            "Assign it to a variable before the loop.",
        )
        .example(
            "
 module m
   type t
     real, device, allocatable :: x(:)
   end type
 contains
   subroutine s(d, o)
     real, device :: d(10)
     type(t), optional :: o
+    logical :: there
     integer :: i
+    there = present(o)
     !$cuf kernel do <<<*, *>>>
     do i = 1, 10
-      if (present(o)) d(i) = o%x(i)
+      if (there) d(i) = i
     end do
   end subroutine
 end module
",
        ),
    Code::new("CUF0455", "host array in a CUF loop")
        .work(Work::Lines)
        .text(
            "The loop runs on the device: use device or managed arrays.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   type t
     real :: x(10)
   end type
   type(t) :: s
   s%x = 1
+  h = s%x
+  d = h
-  !$cuf kernel do <<<*, *>>>
-  do i = 1, 10
-    d(i) = s%x(i)
-  end do
 end program
",
        ),
    Code::new("CUF0456", "optional value of a kernel")
        .work(Work::Lines)
        .text(
            "What is absent has no value that a launch could pass: drop `value`, or pass a flag beside it.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     integer :: a(*)
-    integer, value, optional :: n
+    integer, optional :: n
-    a(1) = 0
+    a(1) = 1
     if (present(n)) a(1) = n
   end subroutine
 end module
",
        ),
    Code::new("CUF0457", "data that all iterations of a CUF loop change")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::CufLoops, "2.11.2", "Iterations run at the same time: accumulators in device memory that they share (a warning)")
        .text(
            "In `me(k) = me(k) + a(i, k)` with a loop over `i` that is mapped, every iteration reads and writes the same element, and they run at the same time: most of
the changes are lost. Use `atomicadd(me(k), a(i, k))`, accumulate in a scalar of the host (a reduction), or map the loop over `k` and run the one over `i`
inside it. Only a warning: subscripts that depend on the index in any way, and statements that an index has to be asked for, are not looked into.",
        )
        .example(
            "
 program p
   real, device :: a(10, 10), total(10)
   integer :: i, j
   !$cuf kernel do <<<*, *>>>
-  do i = 1, 10
+  do j = 1, 10
-    do j = 1, 10
+    do i = 1, 10
       total(j) = total(j) + a(i, j)
     end do
   end do
 end program
",
        ),
    Code::new("CUF0458", "OpenMP directive before a CUF loop or a transfer")
        .work(Work::Line)
        .text(
            "With `--openmp` a directive such as `!$omp parallel do` governs the DO loop behind it (several with COLLAPSE), `!$omp atomic` an assignment and WORKSHARE
assignments of arrays. A CUF loop is the launch of a kernel, and an assignment from or to device memory is a transfer: there is nothing for the
threads of the host to share out. Take the directive away, or let each thread launch kernels of its own in a region of `!$omp parallel`.",
        )
        .example(
            "
 program p
   real, device :: d(100)
   integer :: i
-  !$omp parallel do
   !$cuf kernel do <<<*, *>>>
   do i = 1, 100
     d(i) = i
   end do
 end program
",
        ),
    Code::new("CUF0459", "host object whose memory gfortran describes wrongly")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.4", "Host objects that gfortran describes wrongly to C, where no copy of them can be held")
        .text(
            "The CUDA runtime gets host data by a C descriptor, which gfortran makes. Its descriptors are wrong for parts of polymorphic arrays, for components of types
with parameters, for substrings of the elements of array components, and for numbers of kinds that the device does not have. A transfer of such an object goes
through a copy of a declared type. There is no copy where a procedure of the CUDA API gets the address, where the object is on the device, or where the type has
allocatable components, a FINAL procedure, or parameters: assign the object to a variable of a plain type, and transfer that; of text on the device, transfer the
whole elements and take the substrings on the host.",
        )
        .example(
            "
 module m
   type t
     real :: x
   end type
 contains
   subroutine s(c, d)
     use cudafor
     class(t) :: c(3)
     real, device :: d(3)
+    real :: h(3)
     integer :: istat
-    istat = cudaMemcpy(d, c%x, 3)
+    h = c%x
+    istat = cudaMemcpy(d, h, 3)
   end subroutine
 end module
",
        ),
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
    Code::new("CUF0465", "host code that Fortran compilers refuse")
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
    Code::new("CUF0466", "private type that the host code has to name")
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
    Code::new("CUF0468", "logical value as an integer")
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
    Code::new("CUF0470", "intent(in) dummy that is changed by a call")
        .work(Work::Line)
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
    Code::new("CUF0471", "value of device data with the type class(*)")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.4", "Device data with the type class(*) is asked for its shape and passed on; its value has a type in SELECT TYPE alone")
        .text(
            "A dummy of a host procedure may be `class(*), device`. The host asks for its size, shape, bounds and storage size, passes it to procedures
with such dummies and to the runtime API, and uses it by its type in SELECT TYPE. An assignment, an operation or output would need to know what a value is.",
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
    Code::new("CUF0473", "procedure of a library as an argument or a target")
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
    Code::new("CUF0481", "private scalar of a CUF loop that the host reads")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::CufLoops, "2.11.2", "Private scalars are undefined after the loop (a warning where the host reads one)")
        .text(
            "A scalar that a CUF loop assigns is private to each iteration, and the host's variable does not change. If the loop combines values (`all`, `any`, a sum, a largest value), state the operation in a reduce clause. If one iteration gives the value, declare the scalar with the `device` attribute and copy it to the host.",
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
    Code::new("CUF0483", "variable of a reduction that the loop uses otherwise")
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
   real :: x(8)
   integer :: istat
-  istat = cudaMemcpy(x, z, 8)
+  istat = cudaMemcpy(x, z, 4)
 end program
",
        ),
    Code::new("CUF0901", "error of cuf2cu")
        .work(Work::Fault)
        .echo(Echo::OfFile)
        .text(
            "The host code written is read once more before it is put into a file. There device data would be touched by the host, which no rule of the language
asks for: no file is written. Please report the statement; written in another way (with a variable between) it may pass.",
        ),
    Code::new("CUF0902", "error of cuf2cu in device code")
        .work(Work::Fault)
        .text(
            "The device code that was made of a file is looked at before it is written: all types are known, all names are declared once and before they are used, and the
launchers are those that the host calls. Here a rule does not hold, which no program can be the reason of: no file is written. Please report the program.",
        ),
];
