//! Rules of CUDA Fortran: subprograms and variables.

use super::{CascadeOf, Code, Group, Invalidates, Level, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0301", "kernel is a function")
        .work(Work::Lines)
        .rule(Group::Subprograms, "2.5.2, 3.1.2", "A kernel is a subroutine")
        .text(
            "A kernel is a subroutine: return values through its arguments.",
        )
        .example(
            "
 module m
 contains
-  attributes(global) integer function k(a)
+  attributes(global) subroutine k(a)
     real :: a(*)
-    k = 1
+    a(1) = 1
-  end function
+  end subroutine
 end module
",
        ),
    Code::new("CUF0302", "kernel or device procedure is an internal procedure")
        .work(Work::Procedure)
        .rule(Group::Subprograms, "2.5.6, 3.1.4", "Device subprograms are not contained in others")
        .text(
            "Kernels and device procedures cannot be contained in a program or procedure. Move them to a module.",
        )
        .example(
            "
-program p
+module m
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = 1
   end subroutine
-end program
+end module
",
        ),
    Code::new("CUF0303", "prefix not allowed for a kernel")
        .work(Work::Line)
        .level(Level::Either)
        .rule(Group::Subprograms, "3.1.2, 3.1.4", "A kernel is not recursive or elemental (pure and impure: a warning)")
        .text(
            "A kernel cannot be `recursive`, `elemental` or `pure` where CUDA Fortran forbids it.",
        )
        .example(
            "
 module m
 contains
-  attributes(global) recursive subroutine k(a)
+  attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0304", "conflicting attributes on a kernel")
        .work(Work::Line)
        .rule(Group::Subprograms, "2.5.6", "A kernel has neither the device nor the host attribute")
        .text(
            "A kernel is a subroutine with `attributes(global)` alone, or `grid_global`.",
        )
        .example(
            "
 module m
 contains
-  attributes(global, device) subroutine k(a)
+  attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0305", "unknown attribute of a procedure")
        .work(Work::Line)
        .rule(Group::Subprograms, "3.1", "The attributes are host, device, global, grid_global")
        .text(
            "The attributes are host, device, global and grid_global.",
        )
        .example(
            "
 module m
 contains
-  attributes(kernel) subroutine k(a)
+  attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0306", "procedure inside a device procedure")
        .work(Work::Procedure)
        .rule(Group::Subprograms, "2.5.6, 3.1.4", "Device subprograms contain no others")
        .spoils(Invalidates::Procedure)
        .text(
            "Device subprograms cannot contain others. Move the inner one to the module.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
     call s(a)
-  contains
-    subroutine s(b)
-      real :: b(*)
-      b(1) = 1
-    end subroutine
   end subroutine
+  attributes(device) subroutine s(b)
+    real :: b(*)
+    b(1) = 1
+  end subroutine
 end module
",
        ),
    Code::new("CUF0307", "alternate return in device code")
        .work(Work::Lines)
        .rule(Group::DeviceCode, "3.6.6", "No alternate returns")
        .spoils(Invalidates::Procedure)
        .echo(CascadeOf::OfProcedure)
        .text(
            "Return a status value instead.",
        )
        .example(
            "
 module m
 contains
-  attributes(device) subroutine s(a, *)
+  attributes(device) subroutine s(a, status)
     real :: a
+    integer :: status
-    if (a < 0) return 1
+    status = merge(1, 0, a < 0)
   end subroutine
 end module
",
        ),
    Code::new("CUF0308", "invalid arguments of `launch_bounds` or `cluster_dims`")
        .work(Work::Line)
        .rule(Group::Subprograms, "3.1.2", "launch_bounds and cluster_dims take constants, and stand on kernels")
        .text(
            "The arguments of `launch_bounds` (one to three) and `cluster_dims` (three) are integer constants, known at compile time. Each stands once.",
        )
        .example(
            "
 module m
   integer :: threads = 256
 contains
-  attributes(global) launch_bounds(threads) subroutine k(a)
+  attributes(global) launch_bounds(256) subroutine k(a)
     real :: a(*)
     a(1) = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0309", "character function on the device")
        .work(Work::Lines)
        .rule(Group::Subprograms, "3.1.3", "Device functions have no character results")
        .text(
            "A device function cannot have a character result. Use a subroutine with a character argument.",
        )
        .example(
            "
 module m
 contains
-  attributes(device) function grade(x)
+  attributes(device) subroutine grade(x, letters)
     real, value :: x
-    character(4) :: grade
+    character(4) :: letters
-    grade = 'good'
+    letters = 'good'
-  end function
+  end subroutine
 end module
",
        ),
    Code::new("CUF0310", "conflicting memory attributes")
        .work(Work::Line)
        .rule(Group::Variables, "2.6, 3.2", "One memory attribute a variable")
        .text(
            "A variable lies in one memory: device, constant, shared, managed, pinned, unified or texture.",
        )
        .example(
            "
 program p
-  real, device, managed :: x
+  real, device :: x
 end program
",
        ),
    Code::new("CUF0311", "`shared` variable outside device code")
        .work(Work::Line)
        .rule(Group::Variables, "2.6, 3.2.6", "Shared data belongs to device subprograms")
        .text(
            "`shared` is for variables of kernels and device procedures.",
        )
        .example(
            "
 program p
-  real, shared :: s(10)
+  real, device :: s(10)
 end program
",
        ),
    Code::new("CUF0312", "`shared` variable with a conflicting attribute")
        .work(Work::Line)
        .rule(Group::Variables, "3.2.6", "Shared data cannot be a pointer, a target, or allocatable")
        .text(
            "Shared variables cannot be allocatable or pointers. An assumed-size shared array takes its size from the launch.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    real, shared, target :: s(32)
+    real, shared :: s(32)
     s(1) = 1
     a(1) = s(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0313", "device data in a common block")
        .work(Work::Procedure)
        .rule(Group::Variables, "3.2.1, 3.2.2, 3.2.5, 3.2.6", "Not in COMMON")
        .spoils(Invalidates::Procedure)
        .text(
            "Storage association is not available for data with these attributes, and device procedures cannot use variables of common blocks, which are the
host's.",
        )
        .example(
            "
 module m
-  real, device :: x(10)
+  real :: x(10)
   common /data/ x
 end module
",
        ),
    Code::new("CUF0314", "device data in an equivalence")
        .work(Work::Procedure)
        .rule(Group::Variables, "3.2.1, 3.2.2, 3.2.5, 3.2.6", "Not in EQUIVALENCE")
        .spoils(Invalidates::Procedure)
        .text(
            "Storage association is not available for data with these attributes.",
        )
        .example(
            "
 program p
-  real, device :: x(10)
+  real :: x(10)
   real :: y(10)
   equivalence (x, y)
 end program
",
        ),
    Code::new("CUF0315", "device data in a namelist")
        .work(Work::Lines)
        .rule(Group::Variables, "D30", "Device data not in NAMELIST")
        .text(
            "Copy it to host data and name that.",
        )
        .example(
            "
 program p
-  real, device :: x
+  real :: x
   namelist /input/ x
 end program
",
        ),
    Code::new("CUF0316", "`constant` variable outside a module")
        .work(Work::Lines)
        .rule(Group::Variables, "2.6, 3.2.5", "Constant data is declared in modules")
        .echo(CascadeOf::OfPlace)
        .text(
            "`constant` variables belong to the specification part of a module.",
        )
        .example(
            "
 module m
+  real, constant :: c(10)
 contains
   subroutine s()
-    real, constant :: c(10)
     c = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0317", "`constant` variable is allocatable, a pointer, or a target")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.5", "Constant data cannot be a pointer, a target, or allocatable")
        .text(
            "Nor can it be a pointer or a target: its place in constant memory is fixed.",
        )
        .example(
            "
 module m
-  real, constant, target :: c(10)
+  real, constant :: c(10)
 end module
",
        ),
    Code::new("CUF0318", "`pinned` variable is not allocatable")
        .work(Work::Line)
        .rule(Group::Variables, "2.6, 3.2.4", "Pinned data is allocatable")
        .text(
            "Pinned memory is obtained when the array is allocated.",
        )
        .example(
            "
 program p
-  real, pinned :: x(10)
+  real, pinned, allocatable :: x(:)
 end program
",
        ),
    Code::new("CUF0319", "unified data in a module")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.3", "Unified data is not declared in modules")
        .text(
            "Declare it in a program or procedure.",
        )
        .example(
            "
 module m
-  real, unified :: x(10)
+  real, managed :: x(10)
 end module
",
        ),
    Code::new("CUF0320", "local device variable with the `save` attribute")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.1, 3.2.2, 3.3.1", "No SAVE for local device and managed data that is not allocatable")
        .text(
            "Local device variables live as long as the procedure's execution; only allocatable ones can be saved. Move the variable to a module.",
        )
        .example(
            "
 module m
+  real, device :: x(10)
 contains
   subroutine s()
-    real, device, save :: x(10)
     x = 1
   end subroutine
 end module
",
        ),
    Code::new("CUF0321", "initialized local variable in a device procedure")
        .work(Work::Line)
        .rule(Group::Variables, "2.5.6, 2.6, 3.2.6", "No initial values, by DATA or in the declaration, of locals that a device subprogram changes, nor of shared data")
        .spoils(Invalidates::Procedure)
        .echo(CascadeOf::OfProcedure)
        .text(
            "An initial value implies `save`, and a thread cannot save a variable between calls. Assign the value in a statement instead.
If nothing modifies the variable, cuf2cu treats it as a named constant, as nvfortran does.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    real :: x = 0
+    real :: x
+    x = 0
     x = x + a(1)
     a(1) = x
   end subroutine
 end module
",
        ),
    Code::new("CUF0322", "`save` in a device procedure")
        .work(Work::Line)
        .rule(Group::Subprograms, "2.5.6", "No SAVE in device subprograms")
        .spoils(Invalidates::Procedure)
        .echo(CascadeOf::OfProcedure)
        .text(
            "Every thread has its own locals, for one execution only.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    real, save :: x
+    real :: x
     x = n
     a(1) = x
   end subroutine
 end module
",
        ),
    Code::new("CUF0323", "Cray pointer in device code")
        .work(Work::Procedure)
        .rule(Group::DeviceCode, "3.6.6", "No Cray pointers")
        .spoils(Invalidates::Procedure)
        .text(
            "Use a Fortran pointer or an argument, or give it its value by `loc`, `cluster_map_shared_rank` or `transfer` of a `type(c_devptr)`.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    real :: x(10)
-    pointer (p, x)
+    real, device, pointer :: x(:)
+    allocate(x(10))
     x(1) = 1
+    deallocate(x)
   end subroutine
 end module
",
        ),
    Code::new("CUF0324", "initialized local device variable")
        .work(Work::Line)
        .rule(Group::Variables, "3.2.1", "No initial value for local device data")
        .text(
            "An initial value implies save. Assign the value as a statement, or move the variable to a module. In modules the value stands in the
declaration, not in a DATA statement.",
        )
        .example(
            "
 module m
+  real, device :: x = 1
 contains
   subroutine s(h)
     real :: h
-    real, device :: x = 1
     h = x
   end subroutine
 end module
",
        ),
    Code::new("CUF0325", "`constant` array has non-constant bounds")
        .work(Work::Line)
        .rule(Group::Variables, "3.2.5", "Constant arrays have fixed size")
        .text(
            "They must be constants, for constant memory is laid out at compile time.",
        )
        .example(
            "
 module m
   integer, parameter :: n = 10
-  real, constant :: c(:)
+  real, constant :: c(n)
 end module
",
        ),
    Code::new("CUF0326", "invalid memory attribute on a derived-type component")
        .work(Work::Lines)
        .rule(Group::Variables, "3.2.1, 3.2.2, 3.2.5, 3.2.6", "Components with a memory attribute are allocatable or pointers; never constant or shared")
        .text(
            "Such a component must be allocatable or a pointer, and is never constant or shared data.",
        )
        .example(
            "
 module m
   type t
-    real, device :: a(10)
+    real, device, allocatable :: a(:)
   end type
 end module
",
        ),
    Code::new("CUF0327", "texture variable is not a pointer")
        .work(Work::Line)
        .rule(Group::Variables, "3.2.7", "Textures are pointers")
        .text(
            "A texture is bound to device data by pointer assignment.",
        )
        .example(
            "
 module m
-  real, texture :: t(10)
+  real, texture, pointer :: t(:)
 end module
",
        ),
];
