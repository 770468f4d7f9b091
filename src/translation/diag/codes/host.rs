//! Rules of CUDA Fortran: device data in host code.

use super::{CascadeOf, Code, Group, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0349", "host access to an allocatable or pointer component in device memory")
        .work(Work::Design)
        .text(
            "Where such a component lies is written in the structure itself, which host code cannot read or change in device memory: it cannot allocate
the component, nor copy its data. Make the structure managed or host data; device code may allocate components of its own structures.",
        )
        .example(
            "
 program p
   type t
     real, allocatable :: a(:)
   end type
-  type(t), device :: x
+  type(t), managed :: x
   allocate(x%a(10))
 end program
",
        ),
    Code::new("CUF0350", "unknown specifier in `allocate` or `deallocate`")
        .work(Work::Line)
        .rule(Group::Transfers, "3.3", "Specifiers of ALLOCATE and DEALLOCATE")
        .text(
            "The statement has no such specifier. `stream=` is for the allocation of device data.",
        )
        .example(
            "
 program p
   real, device, allocatable :: d(:)
   allocate(d(10))
-  deallocate(d, stream=1)
+  deallocate(d)
 end program
",
        ),
    Code::new("CUF0351", "device variable in an input list")
        .work(Work::Lines)
        .rule(Group::Variables, "D30", "Device data not in an input list")
        .text(
            "Read into a host variable, then assign it.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
-  read *, d(1)
+  read *, h(1)
+  d(1) = h(1)
 end program
",
        ),
    Code::new("CUF0352", "device procedure called from host code")
        .work(Work::Procedure)
        .rule(Group::Subprograms, "2.5.3, 3.1.3", "Device subprograms are called from device code only")
        .text(
            "Only kernels are launched from the host; give the procedure `attributes(host, device)` to have it on both sides.",
        )
        .example(
            "
 module m
 contains
-  attributes(device) real function twice(x)
+  attributes(host, device) real function twice(x)
     real, value :: x
     twice = 2*x
   end function
   subroutine s(h)
     real :: h
     h = twice(h)
   end subroutine
 end module
",
        ),
    Code::new("CUF0353", "device-only name used in host code")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.1", "threadIdx and the like stand in device code only")
        .text(
            "Predefined variables and device functions exist in device code only.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
-  i = threadIdx%x
+  i = 1
 end program
",
        ),
    Code::new("CUF0354", "device-only procedure called from host code")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.4", "Barriers and the like are for device code")
        .text(
            "Call it in a kernel or a device procedure.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
-  call syncthreads()
+  i = cudaDeviceSynchronize()
 end program
",
        ),
    Code::new("CUF0355", "device array as argument of a host intrinsic")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.4.2, D37", "Intrinsics of the host take no device arrays")
        .echo(CascadeOf::OfDeclaration)
        .text(
            "Copy it to the host first, or use a CUF loop. Inquiries such as size are fine.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
-  h = sqrt(d)
+  h = d
+  h = sqrt(h)
 end program
",
        ),
    Code::new("CUF0356", "device operand in an assignment to device data")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.4.2", "No arithmetic into device data")
        .echo(CascadeOf::OfDeclaration)
        .text(
            "Arithmetic on device data is not done by the host: use a kernel or a CUF loop, or copy the operand first.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
-  d = d + 1
+  !$cuf kernel do <<<*, *>>>
+  do i = 1, 10
+    d(i) = d(i) + 1
+  end do
 end program
",
        ),
    Code::new("CUF0357", "two device operands in one host expression")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.4.2", "One device operand in a host expression")
        .echo(CascadeOf::OfDeclaration)
        .text(
            "At most one variable is copied by itself (several elements of one array are one variable). Copy the others to host variables first.",
        )
        .example(
            "
 program p
   real, device :: d(10), e(10)
-  real :: h(10)
+  real :: h(10), g(10)
-  h = d + e
+  g = e
+  h = d + g
 end program
",
        ),
    Code::new("CUF0358", "ranks differ")
        .work(Work::Line)
        .rule(Group::Transfers, "3.4.1", "Both sides have the same rank")
        .echo(CascadeOf::OfDeclaration)
        .text(
            "Both sides of a transfer have the same rank, unless the right side is a scalar.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   real :: g(10, 10)
-  d = g
+  d = g(:, 1)
 end program
",
        ),
    Code::new("CUF0359", "incompatible operands of a transfer")
        .work(Work::Line)
        .rule(Group::Transfers, "3.4.1", "Both sides have the same extents and convertible types")
        .text(
            "Arrays of different constant extents, or types that do not convert into each other.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   real :: g(20)
-  d = g
+  d = g(1:10)
 end program
",
        ),
    Code::new("CUF0360", "device data passed without explicit interface")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.1", "Device actuals need an explicit interface")
        .text(
            "The called procedure must be known to expect device data: put it in a module or write an interface block.",
        )
        .example(
            "
 program p
+  interface
+    subroutine s(a)
+      real, device :: a(10)
+    end subroutine
+  end interface
   real, device :: d(10)
   call s(d)
 end program
",
        ),
    Code::new("CUF0361", "host data passed to a kernel")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.8", "Host data cannot be passed to a kernel by reference")
        .text(
            "Copy it to device data first, or give the dummy the value attribute if it is a scalar.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     a(n) = n
   end subroutine
 end module
 program p
   use m
   real, device :: d(10)
   real :: h(10)
-  call k<<<1, 1>>>(h, 10)
+  d = h
+  call k<<<1, 1>>>(d, 10)
 end program
",
        ),
    Code::new("CUF0362", "constant data passed to a kernel")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.5", "Constant data cannot be passed to a kernel")
        .text(
            "Device code uses it through its module.",
        )
        .example(
            "
 module m
   real, constant :: c(10)
 contains
-  attributes(global) subroutine k(a, b)
+  attributes(global) subroutine k(a)
-    real :: a(*), b(*)
+    real :: a(*)
-    a(1) = b(1)
+    a(1) = c(1)
   end subroutine
 end module
 program p
   use m
   real, device :: d(10)
-  call k<<<1, 1>>>(d, c)
+  call k<<<1, 1>>>(d)
 end program
",
        ),
    Code::new("CUF0363", "argument has the wrong type")
        .work(Work::Line)
        .rule(Group::Launches, "3.5", "Type and kind of arguments")
        .text(
            "Actual and dummy must agree in type and kind.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     a(n) = n
   end subroutine
 end module
 program p
   use m
   real, device :: d(10)
-  call k<<<1, 1>>>(d, 10_8)
+  call k<<<1, 1>>>(d, 10)
 end program
",
        ),
    Code::new("CUF0364", "argument has the wrong rank")
        .work(Work::Line)
        .rule(Group::Launches, "3.5", "Rank of arguments")
        .text(
            "Actual and dummy must agree in rank.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a)
     real :: a(:)
     a(1) = 1
   end subroutine
 end module
 program p
   use m
-  real, device :: d(10, 10)
+  real, device :: d(10)
   call k<<<1, 1>>>(d)
 end program
",
        ),
    Code::new("CUF0365", "device data passed to a host dummy argument")
        .work(Work::Lines)
        .level(Level::Either)
        .rule(Group::Variables, "3.2.1", "Device actuals need device dummies")
        .text(
            "The procedure would read it on the host, as it does with managed data. Copy it first, or give the dummy the device attribute.",
        )
        .example(
            "
 module m
 contains
   subroutine s(a)
-    real :: a(10)
+    real, device :: a(10)
     a = 1
   end subroutine
 end module
 program p
   use m
   real, device :: d(10)
   call s(d)
 end program
",
        ),
    Code::new("CUF0366", "host data passed to a device dummy argument")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.1", "Host actuals do not go to device dummies")
        .text(
            "Copy it to device data first; a value that the host computed has no place in device memory either.",
        )
        .example(
            "
 module m
 contains
   subroutine s(a)
     real, device :: a(10)
     a = 1
   end subroutine
 end module
 program p
   use m
-  real :: x(10)
+  real, device :: x(10)
   call s(x)
 end program
",
        ),
    Code::new("CUF0367", "host data where device data is needed")
        .work(Work::Lines)
        .rule(Group::Runtime, "4", "Device data for the functions that work on it")
        .text(
            "The function allocates, frees, sets or copies device memory, or asks for a device variable.",
        )
        .example(
            "
 program p
   use cudafor
-  real :: x(10)
+  real, device :: x(10)
   integer :: i
   i = cudaMemset(x, 0.0, 10)
 end program
",
        ),
    Code::new("CUF0368", "variable is too small for a stream handle")
        .work(Work::Lines)
        .level(Level::Either)
        .rule(Group::Runtime, "4", "Streams are integers of cuda_stream_kind")
        .text(
            "A stream handle has 8 bytes. A variable of type `integer(4)` gets a number instead, and each call of CUDA Fortran that takes a stream knows the handle by that number (a warning):
the number is negative, and C functions of your own do not know it. Smaller integers are refused. Declare it `integer(kind=cuda_stream_kind)`.",
        )
        .example(
            "
 program p
   use cudafor
-  integer :: stream
+  integer(kind=cuda_stream_kind) :: stream
   integer :: i
   i = cudaStreamCreate(stream)
 end program
",
        ),
    Code::new("CUF0369", "no library procedure matches this reference")
        .work(Work::Lines)
        .level(Level::Either)
        .rule(Group::Runtime, "3.9.5", "Procedures of CUDA's libraries, and the number, type, kind and rank of their arguments")
        .text(
            "The procedures of CUDA's libraries take arguments of one type and kind, in the order of NVIDIA's interfaces (docs/libraries.md lists them).
CUDA 12 and 13 removed some procedures: the message says what takes their place. A library that keeps an address wants its elements side by side,
and what it reads by its pointer mode lies on the host, or all of it on the device. Complex device data without gaps is passed to arrays of reals of the same kind by its address, with a warning.",
        )
        .example(
            "
 program p
   use cublas
   type(cublasHandle) :: h
-  real(4), device :: x(10)
+  real(8), device :: x(10)
   real(8), device :: y(10)
   integer :: i
   i = cublasDaxpy_v2(h, 10, 1d0, x, 1, y, 1)
 end program
",
        ),
];
