! The intrinsic procedures under names of their own, for code written where the program has these names.
! Programs that have such a name for something else take the intrinsic under another one.
module cuf_intrinsics
  implicit none
  intrinsic :: allocated, any, associated, btest, iand, ieor, int, ior, is_contiguous, lbound, len, logical, max, merge, &
    move_alloc, not, null, present, real, shape, size, storage_size, ubound
end module cuf_intrinsics

#if !defined(__flang__) && defined(__GFORTRAN__) && __GNUC__ == 16
#error gfortran 16 gives C the value of an expression in the place of its address (TYPE(*) dummies): use gfortran 12 to 15
#endif

! Data of any type. To TYPE(*)
! the standard allows none of a type with procedures, own or inherited (F2018 15.5.2.4): gfortran allows inherited ones.
#ifdef __flang__
#define CUF_ANY integer
#else
#define CUF_ANY type(*)
#endif

! The runtime that translated host code uses: launch configurations, device pointers, transfers, allocation.
! Exports only names that start with cuf_. A device array is a pointer whose target is a device address; the
! procedures here take such arrays as descriptors and never read device memory on the host.
module cuf_runtime
  use, intrinsic :: iso_c_binding, only: cuf_ptr => c_ptr, cuf_loc => c_loc, cuf_associate => c_f_pointer, &
    cuf_null => c_null_ptr, c_associated, c_int, c_int32_t, c_int64_t, c_bool, c_char
  ! Kinds of C: gfortran -Wall asks for them in interfaces of C functions.
  use, intrinsic :: iso_c_binding, only: int8 => c_int8_t, int16 => c_int16_t, int32 => c_int32_t, int64 => c_int64_t, &
    real32 => c_float, real64 => c_double
  implicit none
  private :: c_associated, c_int, c_int32_t, c_int64_t, c_bool, c_char, int8, int16, int32, int64, real32, real64

  ! Where addresses go that shall be known outside.

  type, bind(C) :: cuf_dim3
    integer(c_int) :: x = 1, y = 1, z = 1
  end type cuf_dim3

  ! cuf::launch_config of the C++ side
  type, bind(C) :: cuf_launch
    integer(c_int32_t) :: grid(3), block(3)
    integer(c_int64_t) :: bytes, stream
    integer(c_int32_t) :: flags
  end type cuf_launch

  ! cuf::descriptor of the C++ side; strides count elements
  type, bind(C) :: cuf_array_t
    type(cuf_ptr) :: base
    integer(c_int64_t) :: lower(7), extent(7), stride(7)
    integer(c_int32_t) :: rank
  end type cuf_array_t

  ! cuf::loop_bounds of the C++ side: do i = low, high, step
  type, bind(C) :: cuf_range_t
    integer(c_int64_t) :: low, high, step
  end type cuf_range_t

  ! real(2), which gfortran lacks. Arithmetic is done in single precision and rounded; with a real operand the result has
  ! that operand's type.
  type, bind(C) :: cuf_half
    integer(int16) :: bits
  end type cuf_half

  ! the grid of a kernel launch <<<*, ...>>>
  logical(c_bool), parameter :: cuf_star = .true._c_bool

  ! where cuf_allocate and cuf_malloc take memory from
  integer, parameter :: cuf_device = 0, cuf_managed = 1, cuf_pinned = 2

  interface cuf_launch
    function cuf_rt_launch(grid, block, bytes, stream) result(at) bind(C)
      import :: cuf_launch
      type(*), dimension(..), intent(in) :: grid, block
      type(*), dimension(..), intent(in), optional :: bytes, stream
      type(cuf_launch) :: at
    end function cuf_rt_launch
  end interface cuf_launch

  interface
    function cuf_loop(grid, block, bytes, stream) result(at) bind(C, name='cuf_rt_loop')
      import :: cuf_launch, c_int
      integer(c_int), intent(in), optional :: grid(:), block(:)
      type(*), dimension(..), intent(in), optional :: bytes, stream
      type(cuf_launch) :: at
    end function cuf_loop

    ! Whether the pointers to a module's device data hold the addresses on the current device; `again` gives them to the pointers.
    function cuf_is_bound(bound_for, again) result(bound) bind(C, name='cuf_rt_is_bound')
      import :: c_int64_t, c_bool
      integer(c_int64_t), intent(inout) :: bound_for
      interface
        subroutine again() bind(C)
        end subroutine again
      end interface
      logical(c_bool) :: bound
    end function cuf_is_bound

    ! Integers of any kind; without a step it is 1.
    function cuf_range(low, high, step) result(range) bind(C, name='cuf_rt_range')
      import :: cuf_range_t
      type(*), dimension(..), intent(in) :: low, high
      type(*), dimension(..), intent(in), optional :: step
      type(cuf_range_t) :: range
    end function cuf_range

    function cuf_array(a, lower) result(descriptor) bind(C, name='cuf_rt_array')
      import :: cuf_array_t
      CUF_ANY, dimension(..), optional, target :: a
      !dir$ ignore_tkr (tk) a
      type(*), dimension(..), intent(in), optional :: lower
      type(cuf_array_t) :: descriptor
    end function cuf_array

    ! Gives `count` new elements the bytes of one.
    subroutine cuf_repeat(to, one, bytes, count) bind(C, name='cuf_rt_repeat')
      import :: cuf_ptr, c_int64_t
      type(cuf_ptr), value :: to, one
      integer(c_int64_t), value :: bytes, count
    end subroutine cuf_repeat

    ! Gives components that are not allocated the description that those of one have (nothing with gfortran).
    subroutine cuf_describe(to, one, bytes, count) bind(C, name='cuf_rt_describe')
      import :: cuf_ptr, c_int64_t
      type(cuf_ptr), value :: to, one
      integer(c_int64_t), value :: bytes, count
    end subroutine cuf_describe

    ! Allocated and of the same shape (the target of an assignment need not be reallocated).
    function cuf_conforms(to, from) result(same) bind(C, name='cuf_rt_conforms')
      import :: c_bool
      CUF_ANY, dimension(..) :: to, from
      !dir$ ignore_tkr (tk) to, (tk) from
      logical(c_bool) :: same
    end function cuf_conforms

    ! The same for a pointer that stands for an allocatable; memory of another shape is freed.
    function cuf_fits(to, from) result(same) bind(C, name='cuf_rt_fits')
      import :: c_bool
      CUF_ANY, dimension(..) :: to, from
      !dir$ ignore_tkr (tk) to, (tk) from
      logical(c_bool) :: same
    end function cuf_fits

    ! The same elements in other places: operands of operations on whole arrays.
    function cuf_transposed(a) result(descriptor) bind(C, name='cuf_rt_transposed')
      import :: cuf_array_t
      type(cuf_array_t), intent(in) :: a
      type(cuf_array_t) :: descriptor
    end function cuf_transposed

    function cuf_spread(a, dim, copies) result(descriptor) bind(C, name='cuf_rt_spread')
      import :: cuf_array_t
      type(cuf_array_t), intent(in) :: a
      type(*), dimension(..), intent(in) :: dim, copies
      type(cuf_array_t) :: descriptor
    end function cuf_spread

    function cuf_reshaped(a, shape, order) result(descriptor) bind(C, name='cuf_rt_reshaped')
      import :: cuf_array_t
      type(cuf_array_t), intent(in) :: a
      type(*), dimension(..), intent(in) :: shape
      type(*), dimension(..), intent(in), optional :: order
      type(cuf_array_t) :: descriptor
    end function cuf_reshaped

    function cuf_address(a) result(address) bind(C, name='cuf_rt_address')
      import :: cuf_ptr
      CUF_ANY, dimension(..), optional, target :: a
      !dir$ ignore_tkr (tk) a
      type(cuf_ptr) :: address
    end function cuf_address

    ! Assignment. `dst_at`, `src_at`: an address, where the section's descriptor may have another one.
    subroutine cuf_h2d(dst, src, dst_at, src_at) bind(C, name='cuf_rt_h2d')
      CUF_ANY, dimension(..) :: dst, src
      !dir$ ignore_tkr (tk) dst, (tk) src
      type(*), dimension(..), intent(in), optional :: dst_at, src_at
    end subroutine cuf_h2d

    subroutine cuf_d2h(dst, src, dst_at, src_at) bind(C, name='cuf_rt_d2h')
      CUF_ANY, dimension(..) :: dst, src
      !dir$ ignore_tkr (tk) dst, (tk) src
      type(*), dimension(..), intent(in), optional :: dst_at, src_at
    end subroutine cuf_d2h

    subroutine cuf_d2d(dst, src, dst_at, src_at) bind(C, name='cuf_rt_d2d')
      CUF_ANY, dimension(..) :: dst, src
      !dir$ ignore_tkr (tk) dst, (tk) src
      type(*), dimension(..), intent(in), optional :: dst_at, src_at
    end subroutine cuf_d2d

    ! The elements of a device array side by side: the array itself, or a copy in device memory of its own.
    function cuf_copy_in(a, at) result(address) bind(C, name='cuf_rt_copy_in')
      import :: cuf_ptr
      CUF_ANY, dimension(..) :: a
      !dir$ ignore_tkr (tk) a
      type(*), dimension(..), intent(in), optional :: at
      type(cuf_ptr) :: address
    end function cuf_copy_in

    ! The same for an argument of which a library keeps the address: there is no copy, the program stops instead.
    function cuf_in_place(a, argument, at) result(address) bind(C, name='cuf_rt_in_place')
      import :: cuf_ptr
      CUF_ANY, dimension(..) :: a, argument
      !dir$ ignore_tkr (tk) a, (tk) argument
      type(*), dimension(..), intent(in), optional :: at
      type(cuf_ptr) :: address
    end function cuf_in_place

    ! Stops where a section is not at the address that an argument of the CUDA API is to have.
    subroutine cuf_described(a, at) bind(C, name='cuf_rt_described')
      CUF_ANY, dimension(..) :: a
      !dir$ ignore_tkr (tk) a
      type(*), dimension(..), intent(in) :: at
    end subroutine cuf_described

    ! Ends the life of what cuf_copy_in gave: a copy is written back and freed.
    subroutine cuf_copy_out(packed) bind(C, name='cuf_rt_copy_out')
      CUF_ANY, dimension(..) :: packed
      !dir$ ignore_tkr (tk) packed
    end subroutine cuf_copy_out

    ! A unified pointer has a target of the host now: devices have to reach it.
    subroutine cuf_reach(p) bind(C, name='cuf_rt_reach')
      CUF_ANY, dimension(..), intent(in) :: p
      !dir$ ignore_tkr (tk) p
    end subroutine cuf_reach

    ! A character as an argument by value.
    pure function cuf_letter(text) result(letter) bind(C, name='cuf_rt_letter')
      import :: c_char
      type(*), dimension(..), intent(in) :: text
      character(kind=c_char) :: letter
    end function cuf_letter

    ! A loop that host code executes in the place of its kernel: between these, device memory is open to it.
    subroutine cuf_open_device() bind(C, name='cuf_rt_open_device')
    end subroutine cuf_open_device
    subroutine cuf_close_device() bind(C, name='cuf_rt_close_device')
    end subroutine cuf_close_device

    ! Waits for the work of a stream.
    subroutine cuf_await(stream) bind(C, name='cuf_rt_await')
      type(*), dimension(..), intent(in) :: stream
    end subroutine cuf_await

    ! The handle of a stream in a variable that is too small for one.
    function cuf_stream(stream) result(handle) bind(C, name='cuf_rt_stream')
      import :: c_int64_t
      type(*), dimension(..), intent(in) :: stream
      integer(c_int64_t) :: handle
    end function cuf_stream

    ! The same without writing back.
    subroutine cuf_copy_done(packed) bind(C, name='cuf_rt_copy_done')
      type(*), dimension(..) :: packed
    end subroutine cuf_copy_done

    function cuf_malloc(bytes, space, stat, errmsg, stream, pinned) result(address) bind(C, name='cuf_rt_malloc')
      import :: cuf_ptr
      type(*), dimension(..), intent(in) :: bytes
      type(*), dimension(..), intent(in), optional :: space, stream
      type(*), dimension(..), optional :: stat, errmsg, pinned
      type(cuf_ptr) :: address
    end function cuf_malloc

    ! What ALLOCATE with STAT= asks first, for types that cuf_allocate does not know.
    function cuf_may_allocate(allocated, stat, errmsg) result(may) bind(C, name='cuf_rt_may_allocate')
      import :: c_bool
      logical, value :: allocated
      type(*), dimension(..), optional :: stat, errmsg
      logical(c_bool) :: may
    end function cuf_may_allocate

    subroutine cuf_free(address) bind(C, name='cuf_rt_free')
      import :: cuf_ptr
      type(cuf_ptr), value :: address
    end subroutine cuf_free

    subroutine cuf_dealloc(address, stat, errmsg) bind(C, name='cuf_rt_dealloc')
      import :: cuf_ptr
      type(cuf_ptr), value :: address
      type(*), dimension(..), optional :: stat, errmsg
    end subroutine cuf_dealloc
  end interface

  interface cuf_allocate
{%- for k in kinds %}
    module procedure :: cuf_allocate_{@ k.tag @}
{%- endfor %}
{%- for r in ranks %}
    module procedure :: cuf_allocate_ch_{@ r.rank @}
{%- endfor %}
  end interface cuf_allocate

  interface cuf_deallocate
{%- for k in kinds %}
    module procedure :: cuf_deallocate_{@ k.tag @}
{%- endfor %}
{%- for r in ranks %}
    module procedure :: cuf_deallocate_ch_{@ r.rank @}
{%- endfor %}
  end interface cuf_deallocate

  interface cuf_release
{%- for k in kinds %}
    module procedure :: cuf_release_{@ k.tag @}
{%- endfor %}
{%- for r in ranks %}
    module procedure :: cuf_release_ch_{@ r.rank @}
{%- endfor %}
  end interface cuf_release

  ! `p = source` for a whole allocatable: of the host, or a pointer that stands for a device, managed or pinned one. It is
  ! (re)allocated where it has not the shape of the source (F2018 10.2.1.3), with the lower bounds given, or 1.
  interface cuf_assign
{%- for k in kinds %}
    module procedure :: cuf_assign_{@ k.tag @}, cuf_assign_host_{@ k.tag @}
{%- endfor %}
  end interface cuf_assign

  ! Pointers to character variables cannot be arguments of bind(C) procedures unless their length is deferred.
  interface
    subroutine cuf_rt_allocate_character(address, length, rank, extent, low, upper, lower, space, stat, errmsg, &
        stream, pinned) bind(C)
      import :: cuf_ptr, c_int, c_int64_t
      type(cuf_ptr), intent(inout) :: address
      integer(c_int), value :: length, rank
      integer(c_int64_t), intent(out) :: extent(7), low(7)
      type(*), dimension(..), intent(in), optional :: upper, lower, space, stream
      type(*), dimension(..), optional :: stat, errmsg, pinned
    end subroutine cuf_rt_allocate_character

    subroutine cuf_rt_deallocate_at(address, stat, errmsg) bind(C)
      import :: cuf_ptr
      type(cuf_ptr), intent(inout) :: address
      type(*), dimension(..), optional :: stat, errmsg
    end subroutine cuf_rt_deallocate_at
  end interface

  ! The bind(C) procedures behind these three. Programs call them through the module procedures: where a program passes
  ! a pointer to a bind(C) procedure, gfortran warns about bounds of pointers that are not associated.
  interface cuf_rt_allocate
{%- for k in kinds %}
    subroutine cuf_rt_allocate_{@ k.tag @}(p, upper, lower, space, stat, errmsg, stream, pinned) &
        bind(C, name='cuf_rt_allocate')
      import
      {@ k.decl @}, pointer, intent(inout) :: p(..)
      type(*), dimension(..), intent(in), optional :: upper, lower, space, stream
      type(*), dimension(..), optional :: stat, errmsg, pinned
    end subroutine
{%- endfor %}
  end interface cuf_rt_allocate
  private :: cuf_rt_allocate

  interface cuf_rt_deallocate
{%- for k in kinds %}
    subroutine cuf_rt_deallocate_{@ k.tag @}(p, stat, errmsg) bind(C, name='cuf_rt_deallocate')
      import
      {@ k.decl @}, pointer, intent(inout) :: p(..)
      type(*), dimension(..), optional :: stat, errmsg
    end subroutine
{%- endfor %}
  end interface cuf_rt_deallocate
  private :: cuf_rt_deallocate

  interface cuf_rt_release
{%- for k in kinds %}
    subroutine cuf_rt_release_{@ k.tag @}(p) bind(C, name='cuf_rt_release')
      import
      {@ k.decl @}, pointer, intent(inout) :: p(..)
    end subroutine
{%- endfor %}
  end interface cuf_rt_release
  private :: cuf_rt_release

  interface cuf_rt_assign
{%- for k in kinds %}
    subroutine cuf_rt_assign_{@ k.tag @}(p, source, lower, space) bind(C, name='cuf_rt_assign')
      import
      {@ k.decl @}, pointer, intent(inout) :: p(..)
      type(*), dimension(..), intent(in) :: source
      type(*), dimension(..), intent(in), optional :: lower, space
    end subroutine
    subroutine cuf_rt_assign_host_{@ k.tag @}(h, source, lower) bind(C, name='cuf_rt_assign_host')
      import
      {@ k.decl @}, allocatable, intent(inout) :: h(..)
      type(*), dimension(..), intent(in) :: source
      type(*), dimension(..), intent(in), optional :: lower
    end subroutine
{%- endfor %}
  end interface cuf_rt_assign
  private :: cuf_rt_assign

  interface
    pure function cuf_rt_to_half(x) result(bits) bind(C)
      import :: int16, real64
      real(real64), value :: x
      integer(int16) :: bits
    end function cuf_rt_to_half

    pure function cuf_rt_from_half(bits) result(x) bind(C)
      import :: int16, real32
      integer(int16), value :: bits
      real(real32) :: x
    end function cuf_rt_from_half
  end interface

  ! real(x, kind=2)
  interface cuf_half
{%- for k in numbers %}
    module procedure :: cuf_half_{@ k.tag @}
{%- endfor %}
  end interface cuf_half

{%- for o in operators %}

  interface operator({@ o.symbol @})
    module procedure :: cuf_{@ o.name @}_hh
{%- for k in numbers %}
    module procedure :: cuf_{@ o.name @}_h{@ k.tag @}, cuf_{@ o.name @}_{@ k.tag @}h
{%- endfor %}
{%- if o.symbol == "-" %}
    module procedure :: cuf_minus_h
{%- endif %}
  end interface
{%- endfor %}

  interface cuf_host
{%- for k in kinds %}
{%- for r in ranks %}
    module procedure :: cuf_host_{@ k.tag @}_{@ r.rank @}
{%- endfor %}
{%- endfor %}
{%- for r in ranks %}
    module procedure :: cuf_host_ch_{@ r.rank @}
{%- endfor %}
  end interface cuf_host

contains

  !> SIZE for the bounds of results. A submodule reads intrinsic functions there as what its module has by their names (gfortran).
  pure function cuf_extent(a, dim) result(extent)
    type(*), dimension(..), intent(in) :: a
    integer, intent(in) :: dim
    integer(int64) :: extent
    extent = size(a, dim, kind=int64)
  end function cuf_extent

  !> LEN, likewise.
  pure function cuf_length(a) result(length)
    character(len=*), dimension(..), intent(in) :: a
    integer(int64) :: length
    length = len(a, kind=int64)
  end function cuf_length

  ! The subscripts of an element, by its place in array element order (0: there is none).
  pure function cuf_subscripts(place, extents) result(subscripts)
    integer(int64), intent(in) :: place
    integer, intent(in) :: extents(:)
    integer(int64) :: subscripts(cuf_extent(extents, 1)), rest
    integer :: d
    subscripts = 0
    if (place == 0) return
    rest = place - 1
    do d = 1, size(extents)
      subscripts(d) = mod(rest, int(extents(d), int64)) + 1
      rest = rest/extents(d)
    end do
  end function cuf_subscripts

  ! An address as a number: standard Fortran compares no addresses.
  elemental function cuf_bits(address) result(number)
    type(cuf_ptr), intent(in) :: address
    integer(int64) :: number
    number = transfer(address, number)
  end function cuf_bits

  ! the value of a real(2)
  elemental function cuf_real(h) result(x)
    type(cuf_half), intent(in) :: h
    real(real32) :: x
    x = cuf_rt_from_half(h%bits)
  end function cuf_real

  ! Complex numbers as their parts: an array for procedures that take an address.
  function cuf_parts_4(z) result(parts)
    complex(real32), intent(in), target :: z(*)
    real(real32), pointer, contiguous :: parts(:)
    call cuf_associate(cuf_loc(z), parts, [2])
  end function cuf_parts_4

  function cuf_parts_8(z) result(parts)
    complex(real64), intent(in), target :: z(*)
    real(real64), pointer, contiguous :: parts(:)
    call cuf_associate(cuf_loc(z), parts, [2])
  end function cuf_parts_8

  elemental function cuf_minus_h(a) result(r)
    type(cuf_half), intent(in) :: a
    type(cuf_half) :: r
    r%bits = ieor(a%bits, ishft(1_int16, 15))
  end function cuf_minus_h
{%- for k in numbers %}

  elemental function cuf_half_{@ k.tag @}(x) result(h)
    {@ k.decl @}, intent(in) :: x
    type(cuf_half) :: h
    h%bits = cuf_rt_to_half(real(x, real64))
  end function

  elemental subroutine cuf_set_half_{@ k.tag @}(h, x)
    type(cuf_half), intent(out) :: h
    {@ k.decl @}, intent(in) :: x
    h%bits = cuf_rt_to_half(real(x, real64))
  end subroutine

  elemental subroutine cuf_get_half_{@ k.tag @}(x, h)
    {@ k.decl @}, intent(out) :: x
    type(cuf_half), intent(in) :: h
    x = {@ k.convert @}
  end subroutine
{%- endfor %}
{%- for o in operators %}

  elemental function cuf_{@ o.name @}_hh(a, b) result(r)
    type(cuf_half), intent(in) :: a, b
{%- if o.compares %}
    logical :: r
    r = cuf_real(a) {@ o.symbol @} cuf_real(b)
{%- else %}
    type(cuf_half) :: r
    r = cuf_half(cuf_real(a) {@ o.symbol @} cuf_real(b))
{%- endif %}
  end function
{%- for k in numbers %}

  elemental function cuf_{@ o.name @}_h{@ k.tag @}(a, b) result(r)
    type(cuf_half), intent(in) :: a
    {@ k.decl @}, intent(in) :: b
{%- if o.compares %}
    logical :: r
    r = cuf_real(a) {@ o.symbol @} {@ k.operand @}b{@ k.close @}
{%- else %}
    {@ k.result @} :: r
    r = {@ k.round @}cuf_real(a) {@ o.symbol @} {@ k.operand @}b{@ k.close @}{@ k.close @}
{%- endif %}
  end function

  elemental function cuf_{@ o.name @}_{@ k.tag @}h(a, b) result(r)
    {@ k.decl @}, intent(in) :: a
    type(cuf_half), intent(in) :: b
{%- if o.compares %}
    logical :: r
    r = {@ k.operand @}a{@ k.close @} {@ o.symbol @} cuf_real(b)
{%- else %}
    {@ k.result @} :: r
    r = {@ k.round @}{@ k.operand @}a{@ k.close @} {@ o.symbol @} cuf_real(b){@ k.close @}
{%- endif %}
  end function
{%- endfor %}
{%- endfor %}
{%- for k in kinds %}

  subroutine cuf_allocate_{@ k.tag @}(p, upper, lower, space, stat, errmsg, stream, pinned)
    {@ k.decl @}, pointer, intent(inout) :: p(..)
    type(*), dimension(..), intent(in), optional :: upper, lower, space, stream
    type(*), dimension(..), optional :: stat, errmsg, pinned
    call cuf_rt_allocate(p, upper, lower, space, stat, errmsg, stream, pinned)
  end subroutine

  subroutine cuf_deallocate_{@ k.tag @}(p, stat, errmsg)
    {@ k.decl @}, pointer, intent(inout) :: p(..)
    type(*), dimension(..), optional :: stat, errmsg
    call cuf_rt_deallocate(p, stat, errmsg)
  end subroutine

  subroutine cuf_release_{@ k.tag @}(p)
    {@ k.decl @}, pointer, intent(inout) :: p(..)
    call cuf_rt_release(p)
  end subroutine

  subroutine cuf_assign_{@ k.tag @}(p, source, lower, space)
    {@ k.decl @}, pointer, intent(inout) :: p(..)
    type(*), dimension(..), intent(in) :: source
    type(*), dimension(..), intent(in), optional :: lower, space
    call cuf_rt_assign(p, source, lower, space)
  end subroutine

  subroutine cuf_assign_host_{@ k.tag @}(h, source, lower)
    {@ k.decl @}, allocatable, intent(inout) :: h(..)
    type(*), dimension(..), intent(in) :: source
    type(*), dimension(..), intent(in), optional :: lower
    call cuf_rt_assign(h, source, lower)
  end subroutine
{%- for r in ranks %}

  function cuf_host_{@ k.tag @}_{@ r.rank @}(a, stream) result(copy)
    {@ k.decl @}, intent(in) :: a{@ r.shape @}
    type(*), dimension(..), intent(in), optional :: stream
    {@ k.decl @} :: copy{@ r.sizes @}
    if (present(stream)) call cuf_await(stream)
    call cuf_d2h(copy, a)
  end function
{%- endfor %}
{%- endfor %}
{%- for r in ranks %}

  function cuf_host_ch_{@ r.rank @}(a) result(copy)
    character(len=*), intent(in) :: a{@ r.shape @}
    character(len=cuf_length(a)) :: copy{@ r.sizes @}
    call cuf_d2h(copy, a)
  end function

  subroutine cuf_allocate_ch_{@ r.rank @}(p, upper, lower, space, stat, errmsg, stream, pinned)
    character(len=*), pointer, intent(inout) :: p{@ r.shape @}
    type(*), dimension(..), intent(in), optional :: upper, lower, space, stream
    type(*), dimension(..), optional :: stat, errmsg, pinned
    type(cuf_ptr) :: address
    integer(c_int64_t) :: extent(7), low(7)
    address = cuf_null
    if (associated(p)) address = cuf_address(p)
    call cuf_rt_allocate_character(address, len(p), {@ r.rank @}, extent, low, upper, lower, space, stat, errmsg, &
      stream, pinned)
    if (.not. c_associated(address)) return
{%- if r.rank == 0 %}
    call cuf_associate(address, p)
{%- else %}
    call cuf_associate(address, p, extent(:{@ r.rank @}))
    p({@ r.lows @}) => p
{%- endif %}
  end subroutine

  subroutine cuf_deallocate_ch_{@ r.rank @}(p, stat, errmsg)
    character(len=*), pointer, intent(inout) :: p{@ r.shape @}
    type(*), dimension(..), optional :: stat, errmsg
    type(cuf_ptr) :: address
    address = cuf_null
    if (associated(p)) address = cuf_address(p)
    call cuf_rt_deallocate_at(address, stat, errmsg)
    if (.not. c_associated(address)) nullify(p)
  end subroutine

  subroutine cuf_release_ch_{@ r.rank @}(p)
    character(len=*), pointer, intent(inout) :: p{@ r.shape @}
    type(cuf_ptr) :: address
    if (.not. associated(p)) return
    address = cuf_address(p)
    call cuf_free(address)
    nullify(p)
  end subroutine
{%- endfor %}

  ! Device code may change the variable from here on: its address is known outside.
  subroutine cuf_shared(a)
    CUF_ANY, dimension(..), optional, target :: a
    !dir$ ignore_tkr (tk) a
    type(cuf_ptr), save, volatile :: shared
    if (present(a)) shared = cuf_loc(a)
  end subroutine cuf_shared

  ! The same of an object of any type, with procedures, too.
  subroutine cuf_shared_object(a)
    class(*), dimension(..), optional, target :: a
    type(cuf_ptr), save, volatile :: shared
    if (present(a)) shared = cuf_null
  end subroutine cuf_shared_object
end module cuf_runtime

! Assignment between real(2) and other numbers. Apart, for gfortran takes it for assignment to CLASS(*), too: the type has BIND(C).
module cuf_half_assignment
  use cuf_runtime
  private
  public :: assignment(=)
  interface assignment(=)
{%- for k in numbers %}
    procedure :: cuf_set_half_{@ k.tag @}, cuf_get_half_{@ k.tag @}
{%- endfor %}
  end interface
end module cuf_half_assignment
