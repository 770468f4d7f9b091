//! Rules of CUDA Fortran: device code and launches.

use super::{Code, Group, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0330", "statement not allowed in device code")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.6", "No PAUSE, READ, FORMAT, NAMELIST, OPEN, CLOSE, BACKSPACE, REWIND, ENDFILE, INQUIRE")
        .text(
            "Input and output other than list-directed print, PAUSE, FORMAT and NAMELIST are for the host only.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    read *, a(1)
+    a(1) = n
   end subroutine
 end module
",
        ),
    Code::new("CUF0331", "formatted output in device code")
        .work(Work::Line)
        .rule(Group::DeviceCode, "3.6.6", "PRINT and WRITE are list-directed, to the default unit")
        .text(
            "Only `print *, ...` and `write(*, *) ...` are available.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    print '(f8.3)', a(1)
+    print *, a(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0332", "`entry` in device code")
        .work(Work::Procedure)
        .rule(Group::DeviceCode, "3.6.6", "No ENTRY")
        .text(
            "Write separate procedures.",
        )
        .example(
            "
 module m
 contains
   attributes(device) subroutine s(a)
     real :: a
     a = 1
-    entry t(a)
-    a = a + 1
+    call t(a)
   end subroutine
+  attributes(device) subroutine t(a)
+    real :: a
+    a = a + 1
+  end subroutine
 end module
",
        ),
    Code::new("CUF0333", "CUF loop in device code")
        .work(Work::Procedure)
        .rule(Group::DeviceCode, "2.11", "No CUF loop in device code")
        .text(
            "A CUF loop is host code that makes a kernel.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     integer :: i
-    !$cuf kernel do <<<*, *>>>
     do i = 1, n
       a(i) = i
     end do
   end subroutine
 end module
",
        ),
    Code::new("CUF0334", "assignment to constant data or to a texture")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.5, 3.2.7", "Device code does not change constant data; nobody changes data through a texture")
        .text(
            "Device code can read constant data but not modify it; the host assigns it. A texture is read-only everywhere: assign to the array it is associated
with. Neither can be passed to a dummy argument that is modified.",
        )
        .example(
            "
 module m
   real, constant :: c(10)
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
-    c(1) = a(1)
+    a(1) = c(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0335", "assignment to an `intent(in)` dummy argument or protected data")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "", "INTENT(IN) dummies are not changed")
        .text(
            "The dummy cannot be changed, nor can PROTECTED data outside of its module.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, b)
     real, intent(in) :: a(*)
     real :: b(*)
-    a(1) = b(1)
+    b(1) = a(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0336", "assignment to a predefined variable")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.1", "threadIdx and the like are read only")
        .text(
            "threadIdx, blockIdx, blockDim, gridDim and warpSize are read only.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     integer :: i
-    threadIdx%x = 1
-    i = threadIdx%x
+    i = threadIdx%x + 1
     a(i) = i
   end subroutine
 end module
",
        ),
    Code::new("CUF0337", "host procedure called from device code")
        .work(Work::Procedure)
        .rule(Group::Subprograms, "2.5.1, 3.1.1", "Host subprograms are called from host code only")
        .text(
            "Give it `attributes(device)` or `attributes(host, device)`.",
        )
        .example(
            "
 module m
 contains
-  real function twice(x)
+  attributes(host, device) real function twice(x)
     real, value :: x
     twice = 2*x
   end function
   attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = twice(a(2))
   end subroutine
 end module
",
        ),
    Code::new("CUF0338", "intrinsic subroutine is not available in device code")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.6", "Intrinsic subroutines of 3.6.3 only (and those of D8)")
        .text(
            "It needs the operating system or the host's run-time library.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    call random_number(a(1))
+    a(1) = n
   end subroutine
 end module
",
        ),
    Code::new("CUF0339", "host variable in device code")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "2.6", "Device code uses no host data")
        .text(
            "Pass it as an argument, or give it the device, constant or managed attribute in a module.",
        )
        .example(
            "
 module m
-  real :: factor
+  real, device :: factor
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = factor
   end subroutine
 end module
",
        ),
    Code::new("CUF0340", "atomic operation on a thread-private variable")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.5", "Atomic operations on device or shared data")
        .text(
            "Only data that several threads see can be updated atomically.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     integer :: old
-    integer :: sum
+    integer, shared :: sum
     old = atomicadd(sum, 1)
     a(1) = old
   end subroutine
 end module
",
        ),
    Code::new("CUF0341", "kernel without execution configuration")
        .work(Work::Line)
        .rule(Group::Subprograms, "2.5.2, 2.5.6", "A kernel is called with chevrons")
        .text(
            "Write `call name<<<grid, block>>>(...)`.",
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
-  call k(d, 10)
+  call k<<<1, 1>>>(d, 10)
 end program
",
        ),
    Code::new("CUF0342", "execution configuration on a procedure that is not a kernel")
        .work(Work::Line)
        .rule(Group::Launches, "3.5", "Only kernels are launched")
        .text(
            "Give the subroutine `attributes(global)`, or call it without `<<< >>>`.",
        )
        .example(
            "
 module m
 contains
   subroutine s(n)
     integer :: n
     print *, n
   end subroutine
 end module
 program p
   use m
-  call s<<<1, 1>>>(10)
+  call s(10)
 end program
",
        ),
    Code::new("CUF0343", "wrong number of kernel arguments")
        .work(Work::Line)
        .rule(Group::Launches, "3.5", "The number of arguments")
        .text(
            "The launch passes more or fewer arguments than the kernel declares.",
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
-  call k<<<1, 1>>>(d)
+  call k<<<1, 1>>>(d, 10)
 end program
",
        ),
    Code::new("CUF0344", "kernel has no explicit interface")
        .work(Work::Lines)
        .rule(Group::Launches, "3.5", "The kernel has an explicit interface")
        .text(
            "Use the module that holds it, or write an interface block.",
        )
        .example(
            "
 program p
   real, device :: d(10)
+  interface
+    attributes(global) subroutine k(a)
+      real :: a(*)
+    end subroutine
+  end interface
   call k<<<1, 1>>>(d)
 end program
 attributes(global) subroutine k(a)
   real :: a(*)
   a(1) = 1
 end subroutine
",
        ),
    Code::new("CUF0345", "invalid execution configuration")
        .work(Work::Line)
        .rule(Group::Launches, "2.11.2, 3.5", "Grid and block are there, nothing unknown is; for CUF loops, too")
        .text(
            "It has grid and block, then optionally bytes of shared memory and a stream.",
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
-  call k<<<1>>>(d, 10)
+  call k<<<1, 1>>>(d, 10)
 end program
",
        ),
    Code::new("CUF0346", "execution configuration value has the wrong type")
        .work(Work::Line)
        .rule(Group::Launches, "2.11.2, 3.5", "Integers (or dim3 for grid and block); only the grid may be `*`, but in CUF loops")
        .text(
            "Grid and block are integers or type(dim3).",
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
-  call k<<<1.5, 1>>>(d, 10)
+  call k<<<2, 1>>>(d, 10)
 end program
",
        ),
    Code::new("CUF0347", "`launch_bounds` exceeds the maximum block size")
        .work(Work::Lines)
        .rule(Group::Launches, "2.7, 3.1.2", "A block has at most 1024 threads, so launch_bounds allows no more")
        .text("The first argument of `launch_bounds` is the largest number of threads per block that the kernel will be launched with: 1 to 1024.")
        .example(
            "
 module m
 contains
-  attributes(global) launch_bounds(2048) subroutine k(a)
+  attributes(global) launch_bounds(1024) subroutine k(a)
     real :: a(*)
     a(1) = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0348", "`cluster_dims` exceeds the maximum cluster size")
        .work(Work::Lines)
        .rule(Group::Launches, "3.1.2", "A cluster has 1 to 16 blocks, so cluster_dims asks for no more")
        .text("The arguments of `cluster_dims` are the blocks of a cluster in x, y and z: each at least 1, and 16 together at most, which only some GPUs have; 8 is what every GPU with clusters has.")
        .example(
            "
 module m
 contains
-  attributes(global) cluster_dims(8, 4, 1) subroutine k(a)
+  attributes(global) cluster_dims(4, 2, 1) subroutine k(a)
     real :: a(*)
     a(1) = 1
   end subroutine
 end module
",
        ),
];
