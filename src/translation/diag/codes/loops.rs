//! Rules of CUDA Fortran: CUF loops.

use super::{Code, Group, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0370", "invalid loop count in a CUF directive")
        .work(Work::Line)
        .rule(Group::CufLoops, "2.11.2", "n is a positive constant")
        .text(
            "`do(n)` needs a positive integer constant.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
-  !$cuf kernel do(0) <<<*, *>>>
+  !$cuf kernel do(1) <<<*, *>>>
   do i = 1, 10
     d(i) = i
   end do
 end program
",
        ),
    Code::new("CUF0371", "no loop after the directive")
        .work(Work::Line)
        .level(Level::Either)
        .rule(Group::CufLoops, "2.11.2", "A counted DO follows")
        .text(
            "A `!$cuf kernel do` directive stands directly before a counted do loop. Assignments between them are a warning: the host executes them before the loop.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   i = 1
   !$cuf kernel do <<<*, *>>>
-  do while (i <= 10)
+  do i = 1, 10
     d(i) = i
-    i = i + 1
   end do
 end program
",
        ),
    Code::new("CUF0372", "loops not tightly nested")
        .work(Work::Lines)
        .rule(Group::CufLoops, "2.11.2", "n tightly nested loops (D63)")
        .text(
            "`do(n)` maps n loops. Between their do statements only scalars may get a value that depends on the outer loops' indices and on data that the body does not
change (`im = i - 1`); nothing may stand between their ends.",
        )
        .example(
            "
 program p
   real, device :: d(10, 10)
   integer :: i, j
   !$cuf kernel do(2) <<<*, *>>>
   do j = 1, 10
-    d(1, j) = 0
     do i = 1, 10
       d(i, j) = i
     end do
   end do
 end program
",
        ),
    Code::new("CUF0373", "bounds of a mapped loop depend on an outer mapped loop")
        .work(Work::Procedure)
        .rule(Group::CufLoops, "2.11.2", "Invariant bounds")
        .text(
            "The mapped loops form a rectangle: bounds cannot depend on each other's indices.",
        )
        .example(
            "
 program p
   real, device :: d(10, 10)
   integer :: i, j
-  !$cuf kernel do(2) <<<*, *>>>
+  !$cuf kernel do <<<*, *>>>
   do j = 1, 10
     do i = 1, j
       d(i, j) = i
     end do
   end do
 end program
",
        ),
    Code::new("CUF0374", "array syntax in a CUF loop")
        .work(Work::Lines)
        .rule(Group::CufLoops, "2.11.2", "No array syntax")
        .text(
            "Write the loop out. An assignment is accepted if each iteration assigns elements of its own: of a section whose subscripts depend on every mapped index,
`d(:, i, j) = d(:, i - 1, j)`, or of an array of a BLOCK in the loop. Array operations on its right side give a warning (CUF0482).",
        )
        .example(
            "
 program p
   real, device :: d(10, 10)
   integer :: i, j
   !$cuf kernel do <<<*, *>>>
   do j = 1, 10
-    d = 2*d
+    do i = 1, 10
+      d(i, j) = 2*d(i, j)
+    end do
   end do
 end program
",
        ),
    Code::new("CUF0375", "`exit` out of a CUF loop")
        .openacc("2.5.1, 2.9")
        .work(Work::Procedure)
        .rule(Group::CufLoops, "2.11.2", "No EXIT out of mapped loops")
        .text(
            "All iterations run at once; none can end the others.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    if (i > 5) exit
+    if (i > 5) cycle
     d(i) = i
   end do
 end program
",
        ),
    Code::new("CUF0376", "`go to` out of a CUF loop")
        .openacc("2.5.1")
        .work(Work::Procedure)
        .rule(Group::CufLoops, "2.11.2", "No GOTO out of mapped loops")
        .text(
            "All iterations run at once; none can end the others.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    if (i > 5) goto 20
+    if (i > 5) cycle
     d(i) = i
   end do
   20 continue
 end program
",
        ),
    Code::new("CUF0377", "`return` or `stop` in a CUF loop")
        .openacc("2.5.1")
        .work(Work::Lines)
        .rule(Group::CufLoops, "2.11.2", "No RETURN or STOP (D34)")
        .text(
            "All iterations run at once; none can end the others.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    if (d(i) < 0) stop
+    if (d(i) < 0) d(i) = 0
   end do
 end program
",
        ),
    Code::new("CUF0378", "input, output, or allocation in a CUF loop")
        .work(Work::Lines)
        .rule(Group::CufLoops, "2.11.2", "No input, output, allocation")
        .text(
            "They run on the host only.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   real, device, allocatable :: e(:)
+  allocate(e(10))
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    allocate(e(10))
-    d(i) = i
+    e(i) = i
   end do
 end program
",
        ),
    Code::new("CUF0379", "host procedure called in a CUF loop")
        .work(Work::Procedure)
        .rule(Group::CufLoops, "2.11.2", "Calls of device subprograms only")
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
   subroutine s(d)
     real, device :: d(10)
     integer :: i
     !$cuf kernel do <<<*, *>>>
     do i = 1, 10
       d(i) = twice(d(i))
     end do
   end subroutine
 end module
",
        ),
    Code::new("CUF0380", "character variable in a CUF loop")
        .work(Work::Lines)
        .rule(Group::CufLoops, "2.11.2", "Data types of CUDA Fortran")
        .text(
            "Not available there.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
-  character(4) :: c
+  integer :: c
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    c = 'abcd'
+    c = 4
-    d(i) = iachar(c(1:1))
+    d(i) = c
   end do
 end program
",
        ),
    Code::new("CUF0381", "host array in a CUF loop")
        .work(Work::Lines)
        .rule(Group::CufLoops, "2.11.2", "Device or managed arrays")
        .text(
            "The loop runs on the device: use device or managed arrays.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: h(10)
   integer :: i, n
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
-    h(i) = i
+    d(i) = i
   end do
 end program
",
        ),
];
