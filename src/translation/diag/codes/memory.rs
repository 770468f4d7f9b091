//! Rules of CUDA Fortran: where data lies.

use super::{CascadeOf, Code, Group, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0382", "device array section would have to be gathered on the host")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.4", "No copy of sections with gaps or vector subscripts for arguments where no statement can hold it (D95)")
        .text(
            "The dummy argument needs contiguous elements. A statement copies a strided section in device memory; the header of a loop, ELSE IF or SELECT
cannot, and a section with a vector subscript cannot be an argument of this kind: assign it to a device array and pass that. In other expressions and
on the left side of assignments the statement indexes a copy of the array on the host.",
        )
        .example(
            "
 program p
   real, device :: d(10)
+  real, device :: part(4)
   integer :: order(4)
   order = [1, 3, 5, 7]
-  call s(d(order))
+  part = d(order)
+  call s(part)
 contains
   subroutine s(a)
     real, device :: a(4)
     a = 0
   end subroutine
 end program
",
        ),
    Code::new("CUF0383", "allocation or pointer association that only host code can perform")
        .work(Work::Lines)
        .echo(CascadeOf::OfDeclaration)
        .text(
            "Device code can allocate, free, and associate only its own allocatables and pointers, including pointer components of its own structures. Allocate
module data, kernel arguments, and allocatable components in host code and pass the array.",
        )
        .example(
            "
 module m
   real, device, allocatable :: d(:)
 contains
-  attributes(global) subroutine k()
+  subroutine s()
     allocate(d(10))
   end subroutine
 end module
",
        ),
    Code::new("CUF0384", "invalid procedure argument in device code")
        .work(Work::Procedure)
        .text(
            "The actual must be the name of a device procedure; a kernel cannot have a procedure dummy.",
        )
        .example(
            "
 module m
 contains
   attributes(device) real function twice(x)
     real :: x
     twice = 2*x
   end function
-  attributes(global) subroutine k(f, x)
+  attributes(global) subroutine k(x)
-    interface
-      attributes(device) real function f(x)
-        real :: x
-      end function
-    end interface
     real :: x
-    x = f(x)
+    x = twice(x)
   end subroutine
 end module
",
        ),
    Code::new("CUF0385", "no specific procedure matches these memory attributes")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.3, D23", "Generic resolution: there is a procedure for these memories")
        .text(
            "A generic has a procedure for these types and ranks, but not for data in these memories (guide table 2): device dummies take no host data, host
dummies no device data.",
        )
        .example(
            "
 module m
   interface clear
     module procedure clear_device
   end interface
 contains
   subroutine clear_device(a)
     real, device :: a(:)
     a = 0
   end subroutine
 end module
 program p
   use m
-  real :: x(10)
+  real, device :: x(10)
   call clear(x)
 end program
",
        ),
    Code::new("CUF0386", "ambiguous generic reference")
        .work(Work::Line)
        .rule(Group::Variables, "3.2.3, D23", "Generic resolution: no two procedures are equally near")
        .text(
            "Two procedures of the generic are equally near to the arguments by the sum of the distances of guide table 2. Call one by its own name.",
        )
        .example(
            "
 module m
   interface copy
     module procedure copy_to, copy_from
   end interface
 contains
   subroutine copy_to(a, b)
     real, device :: a(:)
     real, managed :: b(:)
     a = b
   end subroutine
   subroutine copy_from(a, b)
     real, managed :: a(:)
     real, device :: b(:)
     a = b
   end subroutine
 end module
 program p
   use m
   real, managed :: x(10), y(10)
   y = 1
-  call copy(x, y)
+  call copy_to(x, y)
 end program
",
        ),
    Code::new("CUF0387", "invalid dummy argument of a kernel")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.8", "Dummies of kernels are device data or scalars by value")
        .text(
            "Dummies of kernels are device data or scalars by value: not pinned, constant or shared, and no arrays by value.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, b)
     real :: a(*)
-    real, value :: b(10)
+    real :: b(10)
     a(1) = b(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0388", "bounds of a shared array are not known at launch")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.6", "Bounds of automatic shared arrays")
        .text(
            "They are evaluated at the launch, before any statement of the kernel: constants, blockDim and arguments, not local variables or elements of arrays.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    integer :: half
-    real, shared :: s(half)
+    real, shared :: s(n)
     s(1) = 1
     a(1) = s(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0389", "`allocate` object is neither allocatable nor a pointer")
        .work(Work::Line)
        .rule(Group::Transfers, "3.3", "Objects of ALLOCATE are allocatable")
        .text(
            "The object of `allocate` is neither allocatable nor a pointer, or what `pinned=` names is not a logical variable.",
        )
        .example(
            "
 program p
-  real, device :: d(10)
+  real, device, allocatable :: d(:)
   allocate(d(10))
 end program
",
        ),
    Code::new("CUF0390", "pointer and target are in different memory spaces")
        .work(Work::Lines)
        .rule(Group::Variables, "2.12.4", "Pointers point to data of their own memory")
        .text(
            "A host pointer cannot point to device data, nor a device pointer to host data. Give the pointer the attribute of its target.",
        )
        .example(
            "
 program p
-  real, target :: x(10)
+  real, device, target :: x(10)
   real, device, pointer :: q(:)
   q => x
 end program
",
        ),
    Code::new("CUF0391", "bound is read from device memory")
        .work(Work::Lines)
        .rule(Group::CufLoops, "2.11.2", "No bounds from device arrays")
        .text(
            "The bounds of mapped loops are needed on the host before the launch; those of arrays and lengths of characters of the host before the
first statement. Copy the value to a host variable.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   integer, device :: bounds(2)
+  n = bounds(2)
   !$cuf kernel do <<<*, *>>>
-  do i = 1, bounds(2)
+  do i = 1, n
     d(i) = i
   end do
 end program
",
        ),
    Code::new("CUF0392", "host statement stores into device memory")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.3, 3.4", "The host stores no status, count or text into device data")
        .text(
            "The host cannot address device data: DO variables of loops with a label, `stat=`, `iostat=`, `newunit=` and the like, and internal files are host variables.",
        )
        .example(
            "
 program p
-  integer, device :: status
+  integer :: status
   real, allocatable :: h(:)
   allocate(h(10), stat=status)
 end program
",
        ),
    Code::new("CUF0393", "expression passed to a dummy argument that is modified")
        .work(Work::Line)
        .level(Level::Either)
        .text(
            "The dummy has intent(out) or intent(inout), or its procedure assigns to it (a warning): pass a variable.",
        )
        .example(
            "
 module m
 contains
   attributes(device) subroutine s(x)
     real, intent(out) :: x
     x = 1
   end subroutine
   attributes(global) subroutine k(a)
     real :: a(*)
-    call s(a(1) + 2)
+    call s(a(1))
   end subroutine
 end module
",
        ),
    Code::new("CUF0394", "device data in `where`, `forall`, or `do concurrent`")
        .work(Work::Lines)
        .rule(Group::Transfers, "3.4", "No device data in FORALL, DO CONCURRENT (D95)")
        .text(
            "Host code moves device data by calls of the runtime, which have no place in these constructs. Use a CUF loop, assign the whole array, or
copy the data to a host array before. A WHERE may read device data.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
-  do concurrent (i = 1:10)
+  !$cuf kernel do <<<*, *>>>
+  do i = 1, 10
     d(i) = i
   end do
 end program
",
        ),
    Code::new("CUF0395", "`entry` in a procedure with local device data")
        .work(Work::Procedure)
        .text(
            "The data is allocated where the procedure is entered, and whoever goes on from the statements above the ENTRY has it already. Move the ENTRY
before the first executable statement, or write separate procedures.",
        )
        .example(
            "
 module m
 contains
   subroutine s(k)
     integer :: k
     integer, device :: d
     d = k
     k = d
-    return
-    entry t(k)
-    d = 2*k
-    k = d
   end subroutine
+  subroutine t(k)
+    integer :: k
+    integer, device :: d
+    d = 2*k
+    k = d
+  end subroutine
 end module
",
        ),
    Code::new("CUF0396", "host-only memory attribute in device code")
        .work(Work::Line)
        .rule(Group::Variables, "3.2, 3.2.2, 3.2.3", "Device subprograms declare no managed, unified, pinned or texture data")
        .text(
            "Managed, unified and pinned data and textures are declared in host code and modules. Device code declares device (thread) and shared data, and
managed and unified dummies.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    real, managed :: x
+    real :: x
     x = n
     a(1) = x
   end subroutine
 end module
",
        ),
    Code::new("CUF0397", "pointer target lacks the `target` attribute")
        .work(Work::Line)
        .rule(Group::Variables, "2.12.3, 3.2.7", "Their targets have the target attribute")
        .text(
            "What a pointer shall point to has the target or the pointer attribute.",
        )
        .example(
            "
 program p
-  real, device :: a(10)
+  real, device, target :: a(10)
   real, device, pointer :: q(:)
   q => a
 end program
",
        ),
    Code::new("CUF0398", "`constant` attribute differs between actual and dummy argument")
        .work(Work::Lines)
        .level(Level::Either)
        .rule(Group::Variables, "3.2.5", "Constant data goes to constant dummies, which take no other")
        .text(
            "Constant data is passed to dummies with the constant attribute, and these take no other data. A device dummy with INTENT(IN) takes it with a warning.",
        )
        .example(
            "
 module m
   real, constant :: c(10)
 contains
   subroutine s(x)
-    real, device :: x(10)
+    real, constant :: x(10)
     real :: h(10)
     h = x
     print *, h
   end subroutine
 end module
 program p
   use m
   c = 1
   call s(c)
 end program
",
        ),
    Code::new("CUF0399", "launch can never succeed")
        .work(Work::Look)
        .level(Level::Warning)
        .rule(Group::Launches, "2.7, 3.5", "Grid and block are at least 1 in each dimension, and a block has at most 1024 threads (a warning)")
        .text(
            "No device accepts these constants: the kernel does not run, and `cudaGetLastError` returns `cudaErrorInvalidConfiguration`. This is a warning because
a program may provoke the error deliberately.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a)
     real :: a(64, 64)
     a(threadidx%x, threadidx%y) = 1
   end subroutine
 end module
 program p
   use m
   use cudafor
   real, device :: d(64, 64)
-  call k<<<1, dim3(64, 64, 1)>>>(d)
+  call k<<<1, dim3(32, 32, 1)>>>(d)
 end program
",
        ),
];
