//! OpenACC: directives, clauses, and what compute constructs may contain.

use super::{Code, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0510", "OpenACC directive cannot be read")
        .work(Work::Line)
        .level(Level::Either)
        .text(
            "Something in the lines of the directive is not a clause, a list, or an expression. In free form, a line that ends with `&` is continued by a line that begins with `!$acc`.
In fixed form, the sentinel is in columns 1 to 5.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
-  !$acc parallel loop copyout(a
+  !$acc parallel loop copyout(a)
   do i = 1, 10
     a(i) = i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0511", "unknown OpenACC directive or clause")
        .work(Work::Line)
        .text(
            "The word is not a directive or a clause of OpenACC 3.3.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
-  !$acc paralel loop copyout(a)
+  !$acc parallel loop copyout(a)
   do i = 1, 10
     a(i) = i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0512", "OpenACC directive in the wrong place")
        .work(Work::Lines)
        .level(Level::Either)
        .text(
            "Constructs are closed in the block of statements in which they begin, loop directives are directly before their loop, and compute constructs contain only `loop`, `atomic`, and `cache`.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
   !$acc data copyout(a)
   !$acc parallel loop
   do i = 1, 10
     a(i) = i
   end do
+  !$acc end data
   print *, a
 end program
",
        ),
    Code::new("CUF0513", "clause that the OpenACC directive does not accept")
        .work(Work::Line)
        .text(
            "The message lists the clauses that the directive accepts.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
-  !$acc parallel loop copyout(a) use_device(a)
+  !$acc parallel loop copyout(a)
   do i = 1, 10
     a(i) = i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0514", "OpenACC clause that is repeated, missing, or has wrong arguments")
        .work(Work::Line)
        .level(Level::Either)
        .text(
            "Most clauses may be given once. Lists of variables are not empty; numbers are positive integers, and conditions are of type logical.",
        )
        .example(
            "
 program p
   integer :: i = 1
   real :: a(10)
-  !$acc parallel loop copyout(a) if(i)
+  !$acc parallel loop copyout(a) if(i > 0)
   do i = 1, 10
     a(i) = i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0515", "loops do not fit `collapse` or `tile`")
        .work(Work::Line)
        .text(
            "`collapse(n)` and `tile` apply to as many loops, which follow each other directly, have a loop variable, and have bounds that do not depend on each other.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
-  !$acc parallel loop collapse(2) copyout(a)
+  !$acc parallel loop copyout(a)
   do i = 1, 10
     a(i) = i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0516", "contradicting levels of parallelism")
        .work(Work::Line)
        .text(
            "A loop is `seq`, `auto`, or `independent`. Gang loops contain worker loops, which contain vector loops; a procedure has the levels that its `routine` directive names.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
-  !$acc parallel loop gang seq copyout(a)
+  !$acc parallel loop gang copyout(a)
   do i = 1, 10
     a(i) = i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0517", "invalid reduction")
        .work(Work::Line)
        .level(Level::Either)
        .text(
            "The operator and the type of the variable do not fit, or the variable is a component.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10), s
   a = 1
   s = 0
-  !$acc parallel loop reduction(iand:s) copyin(a)
+  !$acc parallel loop reduction(+:s) copyin(a)
   do i = 1, 10
     s = s + a(i)
   end do
   print *, s
 end program
",
        ),
    Code::new("CUF0518", "variable without a clause under `default(none)`")
        .work(Work::Line)
        .text(
            "With `default(none)`, each variable of a compute construct is in a clause of the construct or of a `data` construct around it.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10), s
   s = 2
-  !$acc parallel loop default(none) copyout(a)
+  !$acc parallel loop default(none) copyout(a) firstprivate(s)
   do i = 1, 10
     a(i) = s*i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0519", "branch out of an OpenACC construct")
        .work(Work::Lines)
        .text(
            "`return`, `exit`, `cycle`, and `goto` do not leave a construct or enter it.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
   !$acc parallel loop copyout(a)
   do i = 1, 10
     a(i) = i
-    if (i > 5) exit
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0520", "statement that an OpenACC compute construct cannot contain")
        .work(Work::Lines)
        .text(
            "Compute constructs are device code: they do not read or write files, do not allocate, and call only procedures whose source is in the program, or that a `routine` directive names.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
   !$acc parallel loop copyout(a)
   do i = 1, 10
-    read *, a(i)
+    a(i) = i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0521", "OpenACC clause lists something that it does not accept")
        .work(Work::Line)
        .level(Level::Either)
        .text(
            "Clauses list variables. `private`, `firstprivate`, and `deviceptr` list whole variables, `attach` and `detach` pointers and allocatable variables.",
        )
        .example(
            "
 program p
   integer :: i
   real, parameter :: half = 0.5
   real :: a(10)
-  !$acc parallel loop copyout(a) copy(half)
+  !$acc parallel loop copyout(a)
   do i = 1, 10
     a(i) = half*i
   end do
   print *, a
 end program
",
        ),
    Code::new("CUF0522", "section in an OpenACC data clause is not contiguous")
        .work(Work::Line)
        .text(
            "Data clauses move one contiguous piece of memory. `update` accepts any section.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
-  !$acc data copy(a(1:10:2))
+  !$acc data copy(a)
   !$acc parallel loop
   do i = 1, 10
     a(i) = i
   end do
   !$acc end data
   print *, a
 end program
",
        ),
    Code::new("CUF0523", "statement is not an atomic operation")
        .work(Work::Line)
        .text(
            "`atomic` applies to assignments of certain forms to a scalar of intrinsic type.",
        )
        .example(
            "
 program p
   integer :: i, s
   s = 0
   !$acc parallel loop copy(s)
   do i = 1, 10
     !$acc atomic update
-    s = i
+    s = s + i
   end do
   print *, s
 end program
",
        ),
    Code::new("CUF0524", "variable with two roles in an OpenACC construct")
        .work(Work::Line)
        .text(
            "A variable is private, firstprivate, or a reduction variable with one operator.",
        )
        .example(
            "
 program p
   integer :: i, s
   s = 0
-  !$acc parallel loop private(s) reduction(+:s)
+  !$acc parallel loop reduction(+:s)
   do i = 1, 10
     s = s + i
   end do
   print *, s
 end program
",
        ),
    Code::new("CUF0525", "negative queue in `async` or `wait`")
        .work(Work::Line)
        .text(
            "Queues have numbers from 0. `acc_async_noval` (-1) is the default queue; `acc_async_sync` (-2) means that the host waits.",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(10)
-  !$acc parallel loop async(-5) copyout(a)
+  !$acc parallel loop async(5) copyout(a)
   do i = 1, 10
     a(i) = i
   end do
   !$acc wait
   print *, a
 end program
",
        ),
    Code::new("CUF0526", "invalid `routine` directive")
        .work(Work::Line)
        .text(
            "The directive is among the declarations of a procedure or names one, and has one of the levels `gang`, `worker`, `vector`, and `seq`.",
        )
        .example(
            "
 module m
 contains
   subroutine s(x)
-    !$acc routine vector seq
+    !$acc routine seq
     real :: x
     x = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0527", "invalid `declare` directive")
        .work(Work::Line)
        .text(
            "The directive is in the program unit that declares the variable. In a module, it accepts `create`, `copyin`, `device_resident`, and `link`.",
        )
        .example(
            "
 module m
   real :: x(10)
-  !$acc declare copy(x)
+  !$acc declare create(x)
 end module
",
        ),
    Code::new("CUF0528", "`update` of CUDA device data")
        .work(Work::Line)
        .text(
            "Data with the `device` attribute have no copy in host memory: an assignment transfers them.",
        )
        .example(
            "
 program p
   real, device :: d(10)
   real :: a(10)
   d = 1
-  !$acc update self(d)
   a = d
   print *, a
 end program
",
        ),
    Code::new("CUF0529", "CUDA Fortran inside an OpenACC compute construct")
        .work(Work::Lines)
        .text(
            "Kernel launches, CUF directives, and the predefined variables of kernels belong to code that the program divides among threads itself.",
        )
        .example(
            "
 program p
   integer :: i
   real, device :: d(10)
   real :: a(10)
-  !$acc parallel copyout(a)
   !$cuf kernel do <<<*, *>>>
   do i = 1, 10
     d(i) = i
   end do
-  !$acc end parallel
   a = d
   print *, a
 end program
",
        ),
    Code::new("CUF0530", "loop in `kernels` that runs sequentially")
        .level(Level::Warning)
        .text(
            "In `kernels` a loop is shared among threads if its iterations are independent of each other. Where this cannot be proved, one thread runs them in order.",
        )
        .example(
            "
 program p
   integer :: i, k(100)
   real :: a(100)
   k = [(i, i = 1, 100)]
   !$acc kernels
-  do i = 1, 100
+  !$acc loop independent
+  do i = 1, 100
     a(k(i)) = i
   end do
   !$acc end kernels
   print *, a(1)
 end program
",
        ),
    Code::new("CUF0531", "OpenACC that is not supported")
        .work(Work::Lines)
        .text("A clause or construct of OpenACC that is valid, but not translated.")
        .example(
            "
 program p
   integer :: i, n
   real :: a(100)
   n = 100
-  !$acc parallel loop if(n > 10)
+  !$acc parallel loop
   do 10 i = 1, n
     a(i) = i
   10 continue
   print *, a(100)
 end program
",
        ),
    Code::new("CUF0535", "OpenACC construct uses device data, but `--acc` is missing")
        .work(Work::Line)
        .text(
            "Without `--acc`, OpenACC directives are comments, and the host executes the statements of compute constructs and of `host_data`. It cannot do arithmetic on device data. Pass `--acc` (`cuf2cu fc`: `-acc`).",
        )
        .example(
            "
 program p
   integer :: i
   real :: a(100)
   real, device :: d(100)
   a = 1
   d = 0
   !$ACC PARALLEL LOOP
   do i = 1, 100
-    d(i) = 2*d(i) + a(i)
+    d(i) = a(i)
   end do
   a = d
   print *, a(1)
 end program
",
        ),
    Code::new("CUF0538", "private part of an array")
        .work(Work::Lines)
        .text("An array in `private` or `firstprivate` is private as a whole. A section must have the bounds of the array.")
        .example(
            "
 program p
   integer :: i, k
   real :: a(100), w(10)
-  !$acc parallel loop private(w(1:5))
+  !$acc parallel loop private(w)
   do i = 1, 100
     do k = 1, 5
       w(k) = i*k
     end do
     a(i) = w(1) + w(5)
   end do
   print *, a(1)
 end program
",
        ),
];
