//! What is not translated: calls, statements, CUF loops.

use super::{CascadeOf, Code, Group, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0430", "device procedure has no body")
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
        .echo(CascadeOf::OfProcedure)
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
    Code::new("CUF0433", "thread-private or shared data passed to a child kernel")
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
    Code::new("CUF0434", "unsupported value for a Cray pointer in device code")
        .work(Work::Procedure)
        .echo(CascadeOf::OfProcedure)
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
    Code::new("CUF0435", "invalid use of a WMMA submatrix")
        .work(Work::Procedure)
        .text(
            "`wmmaLoadMatrix`, `wmmaMatMul` and `wmmaStoreMatrix` take submatrices of one shape, data of the submatrix's kind, and a constant storage order. The elements
`s%x` are spread over the warp: they take part in operations on all of them or one by one, and cannot be passed on or sectioned as an array.",
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
    Code::new("CUF0436", "non-contiguous section passed to a procedure that synchronizes")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.4", "No copies of sections for procedures in which threads meet (D121)")
        .text(
            "The dummy argument needs contiguous elements, so the section would be copied in and out. If the procedure can synchronize, that copy would hide writes
by other threads and then overwrite them. Declare the dummy as assumed-shape (`a(:)`).",
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
    Code::new("CUF0441", "structure cannot be printed in device code")
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
    Code::new("CUF0444", "loop variable is neither integer nor real")
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
    Code::new("CUF0445", "`cycle` has no enclosing loop it can cycle")
        .work(Work::Lines)
        .text(
            "`cycle` must be inside a loop. Of the mapped loops of a CUF directive, it can cycle only the innermost.",
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
    Code::new("CUF0446", "`select type` and `select rank` in device code")
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
        .openacc("2.5.13, 2.9.11")
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
    Code::new("CUF0452", "component modified by every iteration")
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
        .openacc("2.5.13, 2.9.10, 2.9.11")
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
    Code::new("CUF0454", "object cannot be captured by the CUF loop")
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
    Code::new("CUF0456", "`optional` and `value` on one kernel dummy argument")
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
    Code::new("CUF0457", "data race between iterations of a CUF loop")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::CufLoops, "2.11.2", "Iterations run at the same time: accumulators in device memory that they share (a warning)")
        .text(
            "Every iteration reads and writes the same element concurrently, so updates are lost. Use `atomicadd`, a scalar reduction, or map the loop whose index
selects the element. cuf2cu checks only simple subscripts.",
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
    Code::new("CUF0459", "host object whose memory gfortran describes incorrectly")
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
];
