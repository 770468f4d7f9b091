//! Names, declarations and types.

use super::{CascadeOf, Code, Group, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0201", "name has no type")
        .work(Work::Line)
        .echo(CascadeOf::OfPlace)
        .text(
            "The name has no type although `implicit none` is in force, or it is not accessible here. Declare it, or `use` the module that does.",
        )
        .example(
            "
 module m
   implicit none
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
+    integer :: i
     i = threadIdx%x
     a(i) = i
   end subroutine
 end module
",
        ),
    Code::new("CUF0202", "name declared twice in one scope")
        .work(Work::Line)
        .text(
            "One scope declares the same name twice.",
        )
        .example(
            "
 program p
   integer :: i
-  real :: i
+  real :: x
 end program
",
        ),
    Code::new("CUF0203", "unknown derived type")
        .work(Work::Line)
        .text(
            "The type is neither declared here nor accessible by use or host association.",
        )
        .example(
            "
 program p
+  type point
+    real :: x, y
+  end type
   type(point) :: a
 end program
",
        ),
    Code::new("CUF0204", "unknown module")
        .work(Work::Supply)
        .level(Level::Either)
        .text(
            "No file given defines the module, and it is not one of the runtime. Give all files of the program, or the folder. It is a warning where only host code
uses it: gfortran may find it compiled elsewhere. What such a module declares is taken for host data, which is wrong if it holds device data.",
        )
        .example(
            "
 module m
-  use absent
+  use cudafor
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
-    a(1) = factor
+    a(1) = warpsize
   end subroutine
 end module
",
        ),
    Code::new("CUF0205", "circular `use` of modules")
        .work(Work::Procedure)
        .text(
            "Modules may not use themselves, directly or through others.",
        )
        .example(
            "
 module a
   use b
 end module
 module b
-  use a
 end module
",
        ),
    Code::new("CUF0206", "`module procedure` has no interface in an ancestor module")
        .work(Work::Lines)
        .text(
            "A `module procedure` in a submodule needs its interface in an ancestor.",
        )
        .example(
            "
 module m
+  interface
+    module subroutine s()
+    end subroutine
+  end interface
 end module
 submodule (m) n
 contains
   module procedure s
   end procedure
 end submodule
",
        ),
    Code::new("CUF0207", "expression or construct is nested too deeply")
        .work(Work::Lines)
        .text(
            "An expression of more than 150 levels or 2000 operators in a row, or constructs of more than 200 levels, are not analysed. Split them.",
        )
        .example(
            "
 #define f(x) abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(x))))))))))
 #define g(x) f(f(f(f(x))))
 program p
   real :: x
-  x = g(g(g(g(-1.))))
+  x = g(-1.)
+  x = g(g(g(x)))
   print *, x
 end program
",
        ),
    Code::new("CUF0208", "incompatible type")
        .work(Work::Line)
        .rule(Group::Standard, "9.5.3, 10.1.5, 10.2.1.2, 11.1.8", "Types of an assignment and of operands; conditions are logical scalars, subscripts integers")
        .text(
            "The types of an assignment, operation, condition, subscript or intrinsic's argument have no meaning together. Of host code the Fortran compiler
reports the like.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    a(1) = 'one'
+    a(1) = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0209", "incompatible rank")
        .work(Work::Line)
        .rule(Group::Standard, "9.5.3, 10.2.1.2", "Ranks; as many subscripts as dimensions")
        .text(
            "Arrays of one operation or assignment have one rank; an array has as many subscripts as dimensions.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    a(1) = a(1:2)
+    a(1:2) = a(3:4)
   end subroutine
 end module
",
        ),
    Code::new("CUF0210", "arguments do not match the procedure")
        .work(Work::Line)
        .rule(Group::Standard, "15.5", "Arguments")
        .text(
            "The actual arguments agree with the dummies in number, keywords, type, kind and rank; a subroutine is called, a function referenced.",
        )
        .example(
            "
 module m
 contains
   attributes(device) subroutine s(x, y)
     real :: x, y
     x = y
   end subroutine
   attributes(global) subroutine k(a)
     real :: a(*)
-    call s(a(1))
+    call s(a(1), a(2))
   end subroutine
 end module
",
        ),
    Code::new("CUF0211", "branch to an undefined label")
        .work(Work::Line)
        .rule(Group::Standard, "11.2.2", "Labels of GO TO")
        .text(
            "GO TO leads to a statement of the same procedure.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    if (n > 1) goto 20
+    if (n > 1) goto 10
     a(1) = 1
     10 continue
   end subroutine
 end module
",
        ),
    Code::new("CUF0212", "`do` variable modified inside its loop")
        .work(Work::Lines)
        .rule(Group::Standard, "11.1.7.4", "DO variables are not changed")
        .text(
            "Use another variable, or EXIT and CYCLE.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     integer :: i
     do i = 1, n
-      i = i + 1
+      a(i) = i + 1
     end do
   end subroutine
 end module
",
        ),
    Code::new("CUF0213", "unknown component")
        .work(Work::Line)
        .rule(Group::Standard, "9.4.2", "Components")
        .text(
            "The type has neither a component nor a procedure of that name.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     type point
       real :: x, y
     end type
     type(point) :: b
-    b%z = 1
+    b%x = 1
     a(1) = b%x
   end subroutine
 end module
",
        ),
    Code::new("CUF0214", "invalid array bounds")
        .work(Work::Line)
        .rule(Group::Standard, "8.5.8", "Arrays have bounds, or are allocatable or pointers; those of a main program constant ones (device data, too)")
        .text(
            "An array without bounds is allocatable or a pointer; arrays of a main program have constant bounds.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    real :: b(:)
+    real :: b(10)
     b = 1
     a(1) = b(n)
   end subroutine
 end module
",
        ),
    Code::new("CUF0215", "integer used as a logical condition")
        .work(Work::Look)
        .level(Level::Warning)
        .text(
            "nvfortran takes an integer as a logical value, and tests its lowest bit: odd integers are true, even ones false (without -Munixlogical). So does the translated program, on the host and on the device. Other compilers take every integer but 0 for true. Write a comparison.",
        )
        .example(
            "
 subroutine s(n, k)
   integer :: n, k
-  if (n) k = 1
+  if (n /= 0) k = 1
 end subroutine
",
        ),
    Code::new("CUF0216", "interface body and definition disagree about an array dummy argument")
        .work(Work::Look)
        .level(Level::Warning)
        .text(
            "A dummy has assumed shape in an interface body, and explicit or assumed size in the definition of the procedure. The standard wants both alike. nvfortran passes the address and, apart from it, the bounds, so that such programs work with it; here the address is passed, too. Sections with gaps are copied.",
        )
        .example(
            "
 subroutine s(a, n)
   integer :: n
   real :: a(n)
   a = 1
 end subroutine
 subroutine t(x)
   interface
     subroutine s(a, n)
       integer :: n
-      real :: a(:)
+      real :: a(n)
     end subroutine
   end interface
   real :: x(8)
   call s(x, 8)
 end subroutine
",
        ),
];
