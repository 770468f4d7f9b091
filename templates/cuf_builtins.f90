! Device functions of CUDA (modules cudadevice and libm, guide 3.8) for host code: the name without its underscores, behind cuf_.
! Results are those of the device; the fast approximations are the accurate functions.
module cuf_builtins
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use, intrinsic :: iso_c_binding, only: c_int, c_long, c_long_long, c_float, c_double
  use, intrinsic :: ieee_arithmetic, only: ieee_round_type, ieee_nearest, ieee_to_zero, ieee_up, ieee_down, &
    ieee_get_rounding_mode, ieee_set_rounding_mode
  implicit none

  real(real64), parameter :: cuf_pi = 3.14159265358979323846_real64
  real(real64), parameter :: cuf_two31 = 2147483648.0_real64
  real(real64), parameter :: cuf_two63 = 9223372036854775808.0_real64
  integer(int64), parameter :: cuf_low_half = 4294967295_int64
{%- for f in libm %}

  interface cuf_{@ f.name @}
{%- for t in f.precisions() %}
    function cuf_{@ f.name @}_{@ t.kind @}({@ f.dummies @}) result(r) bind(C, name='{@ f.symbol @}{@ t.suffix @}')
      import :: c_double, c_float, c_int, c_long, c_long_long
{%- for d in f.declarations(t.decl) %}
      {@ d @}
{%- endfor %}
    end function cuf_{@ f.name @}_{@ t.kind @}
{%- endfor %}
  end interface cuf_{@ f.name @}
{%- endfor %}

contains

  ! ---- bits and integers; unsigned ones have the same bits

  elemental function cuf_brevll(x) result(r)
    integer(int64), intent(in) :: x
    integer(int64) :: r
    integer :: i
    r = 0
    do i = 0, 63
      if (btest(x, i)) r = ibset(r, 63 - i)
    end do
  end function cuf_brevll

  elemental function cuf_brev(x) result(r)
    integer(int32), intent(in) :: x
    integer(int32) :: r
    r = cuf_low_bits(shiftr(cuf_brevll(int(x, int64)), 32))
  end function cuf_brev

  ! The lower half of a word.
  elemental function cuf_low_bits(x) result(r)
    integer(int64), intent(in) :: x
    integer(int32) :: r
    r = transfer(x, 0_int32)
  end function cuf_low_bits

  ! The value of 32 bits without a sign.
  elemental function cuf_unsigned(x) result(r)
    integer(int32), intent(in) :: x
    integer(int64) :: r
    r = iand(int(x, int64), cuf_low_half)
  end function cuf_unsigned

  elemental function cuf_clz(x) result(r)
    integer(int32), intent(in) :: x
    integer(int32) :: r
    r = leadz(x)
  end function cuf_clz

  elemental function cuf_clzll(x) result(r)
    integer(int64), intent(in) :: x
    integer(int32) :: r
    r = leadz(x)
  end function cuf_clzll

  elemental function cuf_popc(x) result(r)
    integer(int32), intent(in) :: x
    integer(int32) :: r
    r = popcnt(x)
  end function cuf_popc

  elemental function cuf_popcll(x) result(r)
    integer(int64), intent(in) :: x
    integer(int32) :: r
    r = popcnt(x)
  end function cuf_popcll

  elemental function cuf_ffs(x) result(r)
    integer(int32), intent(in) :: x
    integer(int32) :: r
    r = 0
    if (x /= 0) r = trailz(x) + 1
  end function cuf_ffs

  elemental function cuf_ffsll(x) result(r)
    integer(int64), intent(in) :: x
    integer(int32) :: r
    r = 0
    if (x /= 0) r = trailz(x) + 1
  end function cuf_ffsll

  elemental function cuf_mul24(x, y) result(r)
    integer(int32), intent(in) :: x, y
    integer(int32) :: r
    r = cuf_low_bits(int(shifta(shiftl(x, 8), 8), int64)*shifta(shiftl(y, 8), 8))
  end function cuf_mul24

  elemental function cuf_umul24(x, y) result(r)
    integer(int32), intent(in) :: x, y
    integer(int32) :: r
    r = cuf_low_bits(int(iand(x, 16777215), int64)*iand(y, 16777215))
  end function cuf_umul24

  elemental function cuf_mulhi(x, y) result(r)
    integer(int32), intent(in) :: x, y
    integer(int32) :: r
    r = cuf_low_bits(shifta(int(x, int64)*y, 32))
  end function cuf_mulhi

  elemental function cuf_umulhi(x, y) result(r)
    integer(int32), intent(in) :: x, y
    integer(int32) :: r
    integer(int64) :: low
    low = iand(x, 65535)*cuf_unsigned(y)
    r = cuf_low_bits(shiftr(shiftr(low, 16) + shiftr(cuf_unsigned(x), 16)*cuf_unsigned(y), 16))
  end function cuf_umulhi

  elemental function cuf_sad(x, y, z) result(r)
    integer(int32), intent(in) :: x, y, z
    integer(int32) :: r
    r = cuf_low_bits(cuf_unsigned(z) + abs(int(x, int64) - y))
  end function cuf_sad

  elemental function cuf_usad(x, y, z) result(r)
    integer(int32), intent(in) :: x, y, z
    integer(int32) :: r
    r = cuf_low_bits(cuf_unsigned(z) + abs(cuf_unsigned(x) - cuf_unsigned(y)))
  end function cuf_usad

  ! ---- bits of reals

  elemental function cuf_float_as_int(x) result(r)
    real(real32), intent(in) :: x
    integer(int32) :: r
    r = transfer(x, r)
  end function cuf_float_as_int

  elemental function cuf_int_as_float(x) result(r)
    integer(int32), intent(in) :: x
    real(real32) :: r
    r = transfer(x, r)
  end function cuf_int_as_float

  elemental function cuf_double_as_longlong(x) result(r)
    real(real64), intent(in) :: x
    integer(int64) :: r
    r = transfer(x, r)
  end function cuf_double_as_longlong

  elemental function cuf_longlong_as_double(x) result(r)
    integer(int64), intent(in) :: x
    real(real64) :: r
    r = transfer(x, r)
  end function cuf_longlong_as_double

  elemental function cuf_double2hiint(x) result(r)
    real(real64), intent(in) :: x
    integer(int32) :: r
    r = cuf_low_bits(shiftr(transfer(x, 0_int64), 32))
  end function cuf_double2hiint

  elemental function cuf_double2loint(x) result(r)
    real(real64), intent(in) :: x
    integer(int32) :: r
    r = cuf_low_bits(transfer(x, 0_int64))
  end function cuf_double2loint

  elemental function cuf_hiloint2double(hi, lo) result(r)
    integer(int32), intent(in) :: hi, lo
    real(real64) :: r
    r = transfer(ior(shiftl(int(hi, int64), 32), cuf_unsigned(lo)), r)
  end function cuf_hiloint2double

  ! ---- reals

  elemental function cuf_saturatef(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = 0
    if (x > 0) r = min(x, 1.0_real32)
  end function cuf_saturatef

  elemental function cuf_fdividef(x, y) result(r)
    real(real32), intent(in) :: x, y
    real(real32) :: r
    r = x/y
  end function cuf_fdividef

  elemental function cuf_fdivide(x, y) result(r)
    real(real64), intent(in) :: x, y
    real(real64) :: r
    r = x/y
  end function cuf_fdivide

  elemental function cuf_sinf(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = sin(x)
  end function cuf_sinf

  elemental function cuf_cosf(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = cos(x)
  end function cuf_cosf

  elemental function cuf_tanf(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = tan(x)
  end function cuf_tanf

  elemental function cuf_expf(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = exp(x)
  end function cuf_expf

  elemental function cuf_exp10f(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = real(10.0_real64**real(x, real64), real32)
  end function cuf_exp10f

  elemental function cuf_logf(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = log(x)
  end function cuf_logf

  elemental function cuf_log2f(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = real(log(real(x, real64))/log(2.0_real64), real32)
  end function cuf_log2f

  elemental function cuf_log10f(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    r = log10(x)
  end function cuf_log10f

  elemental function cuf_powf(x, y) result(r)
    real(real32), intent(in) :: x, y
    real(real32) :: r
    r = x**y
  end function cuf_powf

  ! sin(pi*x) and cos(pi*x): x is reduced exactly to at most 1/4, and the result is exact at multiples of 1/2.
  elemental subroutine cuf_sincospi(x, s, c)
    real(real64), intent(in) :: x
    real(real64), intent(out) :: s, c
    real(real64) :: y, sr, cr
    integer :: quarter
    if (.not. abs(x) <= huge(x)) then
      s = x - x
      c = s
      return
    end if
    y = mod(x, 2.0_real64)
    quarter = nint(2*y)
    sr = sin(cuf_pi*(y - 0.5_real64*quarter))
    cr = cos(cuf_pi*(y - 0.5_real64*quarter))
    select case (modulo(quarter, 4))
    case (0)
      s = sr
      c = cr
    case (1)
      s = cr
      c = -sr
    case (2)
      s = -sr
      c = -cr
    case default
      s = -cr
      c = sr
    end select
    ! Zeros: the sine keeps the sign of x, the cosine has none.
    if (s == 0) s = sign(0.0_real64, x)
    if (c == 0) c = 0
  end subroutine cuf_sincospi

  elemental subroutine cuf_sincospif(x, s, c)
    real(real32), intent(in) :: x
    real(real32), intent(out) :: s, c
    real(real64) :: sr, cr
    call cuf_sincospi(real(x, real64), sr, cr)
    s = real(sr, real32)
    c = real(cr, real32)
  end subroutine cuf_sincospif

  elemental subroutine cuf_sincos(x, s, c)
    real(real64), intent(in) :: x
    real(real64), intent(out) :: s, c
    s = sin(x)
    c = cos(x)
  end subroutine cuf_sincos

  elemental subroutine cuf_sincosf(x, s, c)
    real(real32), intent(in) :: x
    real(real32), intent(out) :: s, c
    s = sin(x)
    c = cos(x)
  end subroutine cuf_sincosf

  elemental function cuf_sinpi(x) result(r)
    real(real64), intent(in) :: x
    real(real64) :: r
    real(real64) :: other
    call cuf_sincospi(x, r, other)
  end function cuf_sinpi

  elemental function cuf_sinpif(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    real(real32) :: other
    call cuf_sincospif(x, r, other)
  end function cuf_sinpif

  elemental function cuf_cospi(x) result(r)
    real(real64), intent(in) :: x
    real(real64) :: r
    real(real64) :: other
    call cuf_sincospi(x, other, r)
  end function cuf_cospi

  elemental function cuf_cospif(x) result(r)
    real(real32), intent(in) :: x
    real(real32) :: r
    real(real32) :: other
    call cuf_sincospif(x, other, r)
  end function cuf_cospif

  ! ---- clocks: nanoseconds instead of cycles

  function cuf_clock64() result(r)
    integer(int64) :: r
    call system_clock(r)
  end function cuf_clock64

  ! Where the code runs.
  pure function cuf_on_device() result(r)
    logical :: r
    r = .false.
  end function cuf_on_device

  function cuf_clock() result(r)
    integer(int32) :: r
    r = cuf_low_bits(cuf_clock64())
  end function cuf_clock

  ! ---- arithmetic in a rounding direction; what is volatile the compiler neither computes before nor moves
{%- for (bytes, kind) in [(8, "real64"), (4, "real32")] %}

  function cuf_rounded_{@ bytes @}(operation, mode, x, y, z) result(r)
    character, intent(in) :: operation
    type(ieee_round_type), intent(in) :: mode
    real({@ kind @}), intent(in) :: x, y, z
    real({@ kind @}) :: r
    real({@ kind @}), volatile :: a, b, c, value
    type(ieee_round_type) :: before
    call ieee_get_rounding_mode(before)
    call ieee_set_rounding_mode(mode)
    a = x
    b = y
    c = z
    select case (operation)
    case ('+')
      value = a + b
    case ('-')
      value = a - b
    case ('*')
      value = a*b
    case ('/')
      value = a/b
    case ('s')
      value = sqrt(a)
    case default
      value = cuf_fma_{@ bytes @}(a, b, c)
    end select
    call ieee_set_rounding_mode(before)
    r = value
  end function cuf_rounded_{@ bytes @}
{%- endfor %}

  function cuf_narrowed(mode, x) result(r)
    type(ieee_round_type), intent(in) :: mode
    real(real64), intent(in) :: x
    real(real32) :: r
    real(real64), volatile :: a
    real(real32), volatile :: value
    type(ieee_round_type) :: before
    call ieee_get_rounding_mode(before)
    call ieee_set_rounding_mode(mode)
    a = x
    value = real(a, real32)
    call ieee_set_rounding_mode(before)
    r = value
  end function cuf_narrowed
{%- for (bytes, kind) in [(8, "real64"), (4, "real32")] %}

  function cuf_from_integer_{@ bytes @}(mode, x) result(r)
    type(ieee_round_type), intent(in) :: mode
    integer(int64), intent(in) :: x
    real({@ kind @}) :: r
    integer(int64), volatile :: a
    real({@ kind @}), volatile :: value
    type(ieee_round_type) :: before
    call ieee_get_rounding_mode(before)
    call ieee_set_rounding_mode(mode)
    a = x
    value = real(a, {@ kind @})
    call ieee_set_rounding_mode(before)
    r = value
  end function cuf_from_integer_{@ bytes @}
{%- endfor %}

  ! The half of a number without a sign, rounded so that its conversion and the conversion of the number agree.
  elemental function cuf_halved(x) result(r)
    integer(int64), intent(in) :: x
    integer(int64) :: r
    r = ior(shiftr(x, 1), iand(x, 1_int64))
  end function cuf_halved

  ! ---- whole numbers in a rounding direction, and integers of them as far as these go

  elemental function cuf_whole(suffix, x) result(r)
    character(2), intent(in) :: suffix
    real(real64), intent(in) :: x
    real(real64) :: r, rest
    r = aint(x)
    rest = x - r
    select case (suffix)
    case ('rn')
      if (abs(rest) > 0.5_real64 .or. abs(rest) == 0.5_real64 .and. mod(r, 2.0_real64) /= 0) r = r + sign(1.0_real64, x)
    case ('ru')
      if (rest > 0) r = r + 1
    case ('rd')
      if (rest < 0) r = r - 1
    end select
  end function cuf_whole

  elemental function cuf_to_int(x) result(r)
    real(real64), intent(in) :: x
    integer(int32) :: r
    if (x >= cuf_two31) then
      r = huge(r)
    else if (x <= -cuf_two31) then
      r = -huge(r) - 1
    else
      r = 0
      if (x == x) r = int(x, int32)
    end if
  end function cuf_to_int

  elemental function cuf_to_uint(x) result(r)
    real(real64), intent(in) :: x
    integer(int32) :: r
    r = 0
    if (x >= 2*cuf_two31) then
      r = not(0_int32)
    else if (x > 0) then
      r = cuf_low_bits(int(x, int64))
    end if
  end function cuf_to_uint

  elemental function cuf_to_ll(x) result(r)
    real(real64), intent(in) :: x
    integer(int64) :: r
    if (x >= cuf_two63) then
      r = huge(r)
    else if (x > -cuf_two63) then
      r = int(x, int64)
    else
      r = -huge(r) - 1
    end if
  end function cuf_to_ll

  elemental function cuf_to_ull(x) result(r)
    real(real64), intent(in) :: x
    integer(int64) :: r
    r = 0
    if (x >= 2*cuf_two63) then
      r = not(0_int64)
    else if (x >= cuf_two63) then
      r = ibset(int(x - cuf_two63, int64), 63)
    else if (x > 0) then
      r = int(x, int64)
    else if (x /= x) then
      r = ibset(r, 63)
    end if
  end function cuf_to_ull
{%- for m in directions %}
{%- for (letter, bytes, kind) in [("f", 4, "real32"), ("d", 8, "real64")] %}
{%- for (name, operation) in [("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/")] %}

  function cuf_{@ letter @}{@ name @}_{@ m.suffix @}(x, y) result(r)
    real({@ kind @}), intent(in) :: x, y
    real({@ kind @}) :: r
    r = cuf_rounded_{@ bytes @}('{@ operation @}', {@ m.mode @}, x, y, 0.0_{@ kind @})
  end function cuf_{@ letter @}{@ name @}_{@ m.suffix @}
{%- endfor %}

  function cuf_{@ letter @}rcp_{@ m.suffix @}(x) result(r)
    real({@ kind @}), intent(in) :: x
    real({@ kind @}) :: r
    r = cuf_rounded_{@ bytes @}('/', {@ m.mode @}, 1.0_{@ kind @}, x, 0.0_{@ kind @})
  end function cuf_{@ letter @}rcp_{@ m.suffix @}

  function cuf_{@ letter @}sqrt_{@ m.suffix @}(x) result(r)
    real({@ kind @}), intent(in) :: x
    real({@ kind @}) :: r
    r = cuf_rounded_{@ bytes @}('s', {@ m.mode @}, x, x, 0.0_{@ kind @})
  end function cuf_{@ letter @}sqrt_{@ m.suffix @}
{%- endfor %}
{%- for (name, bytes, kind) in [("fmaf", 4, "real32"), ("fma", 8, "real64")] %}

  function cuf_{@ name @}_{@ m.suffix @}(x, y, z) result(r)
    real({@ kind @}), intent(in) :: x, y, z
    real({@ kind @}) :: r
    r = cuf_rounded_{@ bytes @}('f', {@ m.mode @}, x, y, z)
  end function cuf_{@ name @}_{@ m.suffix @}
{%- endfor %}

  function cuf_double2float_{@ m.suffix @}(x) result(r)
    real(real64), intent(in) :: x
    real(real32) :: r
    r = cuf_narrowed({@ m.mode @}, x)
  end function cuf_double2float_{@ m.suffix @}
{%- for (from, kind) in [("float", "real32"), ("double", "real64")] %}
{%- for (to, integers) in [("int", "int32"), ("uint", "int32"), ("ll", "int64"), ("ull", "int64")] %}

  function cuf_{@ from @}2{@ to @}_{@ m.suffix @}(x) result(r)
    real({@ kind @}), intent(in) :: x
    integer({@ integers @}) :: r
    r = cuf_to_{@ to @}(cuf_whole('{@ m.suffix @}', real(x, real64)))
  end function cuf_{@ from @}2{@ to @}_{@ m.suffix @}
{%- endfor %}
{%- endfor %}

  function cuf_int2float_{@ m.suffix @}(x) result(r)
    integer(int32), intent(in) :: x
    real(real32) :: r
    r = cuf_from_integer_4({@ m.mode @}, int(x, int64))
  end function cuf_int2float_{@ m.suffix @}

  function cuf_uint2float_{@ m.suffix @}(x) result(r)
    integer(int32), intent(in) :: x
    real(real32) :: r
    r = cuf_from_integer_4({@ m.mode @}, cuf_unsigned(x))
  end function cuf_uint2float_{@ m.suffix @}
{%- for (to, bytes, kind) in [("float", 4, "real32"), ("double", 8, "real64")] %}

  function cuf_ll2{@ to @}_{@ m.suffix @}(x) result(r)
    integer(int64), intent(in) :: x
    real({@ kind @}) :: r
    r = cuf_from_integer_{@ bytes @}({@ m.mode @}, x)
  end function cuf_ll2{@ to @}_{@ m.suffix @}

  function cuf_ull2{@ to @}_{@ m.suffix @}(x) result(r)
    integer(int64), intent(in) :: x
    real({@ kind @}) :: r
    if (x >= 0) then
      r = cuf_from_integer_{@ bytes @}({@ m.mode @}, x)
    else
      r = 2*cuf_from_integer_{@ bytes @}({@ m.mode @}, cuf_halved(x))
    end if
  end function cuf_ull2{@ to @}_{@ m.suffix @}
{%- endfor %}
{%- endfor %}

  elemental function cuf_int2double_rn(x) result(r)
    integer(int32), intent(in) :: x
    real(real64) :: r
    r = x
  end function cuf_int2double_rn

  elemental function cuf_uint2double_rn(x) result(r)
    integer(int32), intent(in) :: x
    real(real64) :: r
    r = real(cuf_unsigned(x), real64)
  end function cuf_uint2double_rn

end module cuf_builtins
