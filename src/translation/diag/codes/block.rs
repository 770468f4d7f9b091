//! Statements that the threads of a block execute together, and atomic assignments: what OpenACC is translated into.

use super::{Code, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0540", "type without atomic operations or reductions")
        .work(Work::Lines)
        .text(
            "The device changes 4 or 8 bytes in one step: integers, reals, and logical values of kind 4 and 8, and complex numbers of kind 4. An atomic update must have the type of its
variable, as the operation would otherwise lose digits in another way than the assignment. In a loop whose iterations the threads of a block share, a reduction variable is a scalar
variable, not a component.",
        )
        .example(
            "
 program p
   integer :: i
-  integer(2), device :: c
+  integer, device :: c
   c = 0
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
     !$cuf atomic update
-    c = c + 1_2
+    c = c + 1
   end do
 end program
",
        ),
    Code::new("CUF0541", "assignment that cannot be atomic")
        .work(Work::Lines)
        .text(
            "An atomic update is `x = x op e`, `x = e op x`, or `x = f(x, e)` with an operator or function that the message names, where `e` does not contain `x`. A capture is two assignments:
the update of `x`, and `v = x` before or after it; or `v = x` followed by `x = e`. All threads must reach `x`: an array element, module data, or a scalar in device memory.",
        )
        .example(
            "
 program p
   integer :: i
-  real :: s
+  real, device :: s
   s = 0
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
     !$cuf atomic update
     s = max(s, real(i))
   end do
 end program
",
        ),
    Code::new("CUF0542", "loop whose iterations the threads of a block cannot share")
        .work(Work::Lines)
        .text(
            "The threads of a block share the iterations of a `loop vector` where they execute the statements around it together: in a loop whose iterations blocks execute (`gang`), and in
procedures with such loops (`routine vector`). Such a loop contains no other one, and does not call such a procedure.",
        )
        .example(
            "
 program p
   integer :: i, j
   real, device :: a(10, 10)
-  !$cuf kernel do <<<*, *>>>
+  !$cuf kernel do <<<*, 128>>> gang
   do j = 1, 10
     !$cuf loop vector
     do i = 1, 10
       a(i, j) = i*j
     end do
   end do
 end program
",
        ),
    Code::new("CUF0543", "statement that the threads of a block cannot execute together")
        .work(Work::Lines)
        .text(
            "Outside of the loops that they share, the threads of a block compute the same values and take the same way. A value that differs between threads, such as that of a variable
assigned in a shared loop, must not be used there. Jumps do not leave a shared loop.",
        )
        .example(
            "
 program p
   integer :: i, j, k
   real, device :: a(10, 10), b(10)
   !$cuf kernel do <<<*, 128>>> gang
   do j = 1, 10
+    k = 0
-    !$cuf loop vector
+    !$cuf loop vector reduce(max: k)
     do i = 1, 10
       a(i, j) = i*j
-      k = i
+      k = max(k, i)
     end do
     b(j) = k
   end do
 end program
",
        ),
    Code::new("CUF0544", "array that the threads of a block cannot share")
        .work(Work::Lines)
        .text(
            "A private array of a loop whose iterations blocks execute, and a local array of a procedure that the threads of a block write to in a shared loop, are in shared memory. That needs
constant bounds, and has little room. A private array of a shared loop needs constant bounds, too.",
        )
        .example(
            "
 program p
   integer :: i, j
-  real :: w(10000)
+  real :: w(100)
   real, device :: a(100, 10)
   !$cuf kernel do <<<*, 128>>> gang private(w)
   do j = 1, 10
     !$cuf loop vector
     do i = 1, 100
       w(i) = i*j
     end do
     !$cuf loop vector
     do i = 1, 100
       a(i, j) = w(101 - i)
     end do
   end do
 end program
",
        ),
];
