//! What is not translated: data and expressions.

use super::{CascadeOf, Code, Group, Invalidates, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0403", "array or argument type not supported in device code")
        .work(Work::Lines)
        .rule(Group::Variables, "", "Device data has no deferred length and is not class(*)")
        .spoils(Invalidates::Declaration)
        .echo(CascadeOf::OfDeclaration)
        .text(
            "The message names the type. Device data cannot have a deferred length or type `class(*)`.",
        )
        .example(
            "
 module m
-  character(:), device, allocatable :: c
+  character(8), device, allocatable :: c
 end module
",
        ),
    Code::new("CUF0405", "dummy argument not supported in device code")
        .work(Work::Lines)
        .spoils(Invalidates::Declaration)
        .text(
            "A dummy of a device procedure in another language is a number, a logical(c_bool), or an explicit-shape or assumed-size array.",
        )
        .example(
            "
 module m
   interface
     attributes(global) subroutine k(a) bind(c)
-      real, optional, allocatable, device :: a(:)
+      real :: a(*)
     end subroutine
   end interface
 end module
 program p
   use m
   real, device :: d(10)
   call k<<<1, 1>>>(d)
 end program
",
        ),
    Code::new("CUF0408", "dynamic dispatch in device code")
        .work(Work::Design)
        .text(
            "The dynamic type of device data is not known. Call the procedure of the type by its name.",
        )
        .example(
            "
 module m
   type shape
     real :: x
   contains
     procedure :: area => area_of_shape
   end type
   type, extends(shape) :: square
   contains
     procedure :: area => area_of_square
   end type
 contains
   attributes(device) real function area_of_shape(this)
     class(shape), intent(in) :: this
     area_of_shape = 0
   end function
   attributes(device) real function area_of_square(this)
     class(square), intent(in) :: this
     area_of_square = this%x**2
   end function
   attributes(device) real function both(t)
     class(shape), intent(in) :: t
-    both = t%area()
+    both = area_of_shape(t)
   end function
 end module
",
        ),
    Code::new("CUF0409", "value is not available in device code")
        .work(Work::Lines)
        .text(
            "cuf2cu needs this value at compile time and cannot evaluate it, or the name has no meaning here. Write the literal value, or compute it on the host
and pass it as an argument.",
        )
        .example(
            "
 module m
-  real, parameter :: x = sind(30.0)
+  real, parameter :: x = 0.5
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = x
   end subroutine
 end module
",
        ),
    Code::new("CUF0410", "data object is not supported in device code")
        .work(Work::Procedure)
        .spoils(Invalidates::Declaration)
        .echo(CascadeOf::OfProcedure)
        .text(
            "Module arrays of the kind named, and structures with allocatable or pointer components, are not translated there. COMMON blocks are
host data. In an EQUIVALENCE stand local variables of constant size, each at a multiple of its alignment.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     character(1) :: c(16)
     real(8) :: x, y
-    equivalence (c(1), x), (c(2), y)
+    equivalence (c(1), x), (c(9), y)
     x = n
     y = n
     a(1) = iachar(c(1))
   end subroutine
 end module
",
        ),
    Code::new("CUF0411", "host data in device code")
        .work(Work::Lines)
        .echo(CascadeOf::OfDeclaration)
        .text(
            "Give it the device or managed attribute, or pass it by value.",
        )
        .example(
            "
 module m
   type t
-    real, allocatable :: x(:)
+    real, device, allocatable :: x(:)
   end type
   type(t), managed :: s
 contains
   attributes(global) subroutine k(a)
     real :: a(*)
     a(1) = s%x(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0413", "operation is not supported for these operand types in device code")
        .work(Work::Lines)
        .rule(Group::Standard, "10.1.5", "Operands that have an order")
        .text(
            "This operation is not translated for these types in device code.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    if (cmplx(a(1), 1.) < cmplx(a(2), 1.)) a(1) = 2
+    if (abs(cmplx(a(1), 1.)) < abs(cmplx(a(2), 1.))) a(1) = 2
   end subroutine
 end module
",
        ),
    Code::new("CUF0414", "structure not supported in device code")
        .work(Work::Design)
        .text(
            "The component named has no value that device code can give it, or the type stands where its procedures cannot.",
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
-    b = point(1.)
+    b = point(1., 2.)
     a(1) = b%x
   end subroutine
 end module
",
        ),
    Code::new("CUF0415", "shape is not known at compile time")
        .work(Work::Lines)
        .text(
            "The shape of the expression cannot be determined at compile time. Write a loop.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     integer :: m(1)
     m = n
-    a(1) = sum(reshape([1., 2.], 2*m))
+    m = 2*m
+    a(1) = sum(reshape([1., 2.], m))
   end subroutine
 end module
",
        ),
    Code::new("CUF0416", "component of an array section passed as an argument")
        .work(Work::Lines)
        .text(
            "Components of complex, character or derived type may not be a whole number of elements apart, so no pointer can have them as its target:
assign them to an array.",
        )
        .example(
            "
 module m
 contains
   attributes(device) subroutine s(c)
     character(2) :: c(:)
     c(1) = 'ab'
   end subroutine
   attributes(global) subroutine k(a)
     character(4), device :: a(10)
+    character(2) :: b(10)
-    call s(a(:)(1:2))
+    b = a(:)(1:2)
+    call s(b)
   end subroutine
 end module
",
        ),
    Code::new("CUF0417", "dependence in `where` or `forall` that one temporary cannot resolve")
        .work(Work::Lines)
        .text(
            "The elements that one index changes are read by others in a way that one temporary does not cure. Write loops.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
     integer :: i, j(10)
     j = 1
-    forall (i = 1:10) j(j(i)) = i
+    forall (i = 1:10) j(i) = i
     a(1) = j(1)
   end subroutine
 end module
",
        ),
    Code::new("CUF0418", "copy of an unlimited polymorphic value that may own device data")
        .work(Work::Procedure)
        .rule(Group::Transfers, "3.2.1", "Unlimited polymorphic copies whose type has no name")
        .text(
            "`allocate(x, source=y)` and `x = y` of a CLASS(*) `y` copy the device data of each type that `y` may have, so these types need names where the statement
stands. Use the modules that declare them, or copy the components. A structure with a CLASS(*) component is not copied where the program has such types.",
        )
        .example(
            "
 module lists
 contains
   subroutine keep(to, from)
     class(*), allocatable, intent(inout) :: to
     class(*), intent(in) :: from
-    to = from
+    if (allocated(to)) deallocate(to)
   end subroutine
 end module
 module owner
   type t
     real, device, allocatable :: a(:)
   end type
 end module
 program p
   use lists
   use owner
   class(*), allocatable :: u
   type(t) :: x
   allocate(x%a(3))
   call keep(u, x)
 end program
",
        ),
    Code::new("CUF0419", "device data in an OpenMP clause")
        .work(Work::Lines)
        .text(
            "With `--openmp` each thread or task gets device memory of its own for device data that is private, firstprivate, lastprivate or a reduction
variable of `parallel`, `do`, `sections`, `single`, `scope` or `task`, and the memory is freed at the end. This clause, construct or variable needs a copy that cuf2cu
cannot make. Declare the variable in a BLOCK of the region, or in a procedure that the region calls. In a task or a `taskloop`, device data that no clause names may be
firstprivate: name it in `shared` if all use the same.",
        )
        .example(
            "
 program p
-  real, device :: d(10)
   integer :: i
-  !$omp taskloop private(d)
+  !$omp taskloop
   do i = 1, 4
-    d = i
+    block
+      real, device :: d(10)
+      d = i
+    end block
   end do
 end program
",
        ),
    Code::new("CUF0420", "intrinsic is not supported for these arguments")
        .work(Work::Lines)
        .rule(
            Group::DeviceCode,
            "3.6.6, 3.9.1",
            "Intrinsic functions of 3.6.3 only (and those of D8); reductions with a stream in host code, of device or managed arrays",
        )
        .echo(CascadeOf::OfPlace)
        .text(
            "The intrinsic is not translated in device code for these types or arguments. STREAM= of SUM, MAXVAL, MINVAL, MAXLOC and MINLOC belongs to host
code and to arrays in device or managed memory; it follows the array.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    a(1) = selected_real_kind(n)
+    a(1) = selected_real_kind(6)
   end subroutine
 end module
",
        ),
    Code::new("CUF0421", "character length is not constant")
        .work(Work::Lines)
        .spoils(Invalidates::Declaration)
        .text(
            "Values, and scalar dummies and locals without further attributes, may have any length. Arrays, allocatables, pointers and optional dummies need a
constant one.",
        )
        .example(
            "
 module m
 contains
   attributes(global) subroutine k(a, n)
     real :: a(*)
     integer, value :: n
-    character(n) :: c(10)
+    character(4) :: c(10)
     c = 'abcd'
     a(1) = iachar(c(1)(1:1))
   end subroutine
 end module
",
        ),
    Code::new("CUF0422", "procedure is not supported in device code")
        .work(Work::Procedure)
        .text(
            "The procedure named is not translated.",
        )
        .example(
            "
 module m
   abstract interface
     real function f(x)
       real, value :: x
     end function
   end interface
 contains
   attributes(device) real function twice(x)
     real, value :: x
     twice = 2*x
   end function
   attributes(global) subroutine k(a)
     real :: a(*)
-    procedure(f), pointer :: q
-    q => twice
-    a(1) = q(a(2))
+    a(1) = twice(a(2))
   end subroutine
 end module
",
        ),
    Code::new("CUF0423", "unsupported use of a type with device components")
        .work(Work::Procedure)
        .rule(Group::Transfers, "3.2.1, D130-136", "Structures that own device data: not VALUE, no vector subscripts, no branches out of BLOCK but GO TO, EXIT, RETURN, no function results where nothing frees them")
        .text(
            "Generated code allocates, copies, and frees device components as Fortran does for allocatable components. This use is not supported; the message says
what to write instead. docs/owners.md lists every case.",
        )
        .example(
            "
 module m
   type t
     real, device, allocatable :: a(:)
   end type
 contains
   subroutine s(x)
-    type(t), value :: x
+    type(t), intent(inout) :: x
     x%a = 0
   end subroutine
 end module
",
        ),
];
