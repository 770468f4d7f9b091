! What every batch of programs shares: first values of the state, the comparison, and the table of results.
module diff_state
  use iso_fortran_env, only: int64
  implicit none
  integer, parameter :: ne = 20, ni = 6, nl = 12
  integer(1) :: i1(ne, ni)
  integer(2) :: i2(ne, ni)
  integer(4) :: i4(ne, ni)
  integer(8) :: i8(ne, ni)
  logical(1) :: l1(ne, ni)
  logical(2) :: l2(ne, ni)
  logical(4) :: l4(ne, ni)
  logical(8) :: l8(ne, ni)
  real(4) :: r4(ne, ni)
  real(8) :: r8(ne, ni)
  complex(4) :: c4(ne, ni)
  complex(8) :: c8(ne, ni)
  character(6) :: ch(ne, ni)
  character(1) :: k1(ne, ni)
  real(4) :: m4(nl, ni)
  real(8) :: m8(nl, ni)
  complex(4) :: z4(nl, ni)
  complex(8) :: z8(nl, ni)
  integer(int64) :: random = 1
  ! Of the program being compared.
  integer :: number = 0, shown = 0
  integer(int64) :: seed = 0
  logical :: contraction = .false., differs(18) = .false.
  integer :: tolerance(nl, 4) = 4
  ! Options of the command line: a GPU computed, and may contract.
  logical :: gpu = .false., contracts = .false.
  integer, parameter :: kinds = 18
  character(2), parameter :: name(kinds) = ['i1', 'i2', 'i4', 'i8', 'l1', 'l2', 'l4', 'l8', 'r4', 'r8', 'c4', 'c8', 'ch', 'k1', &
    'm4', 'm8', 'z4', 'z8']
  integer(int64) :: compared(kinds) = 0, programs(kinds) = 0, mismatches(kinds) = 0, excused(kinds) = 0
  real(8) :: worst(kinds) = 0

contains

  integer(int64) function next()
    random = random*6364136223846793005_int64 + 1442695040888963407_int64
    next = ieor(random, shiftr(random, 29))*5088765423426171327_int64
    next = ieor(next, shiftr(next, 32))
  end function

  integer function below(n)
    integer, intent(in) :: n
    below = int(modulo(shiftr(next(), 3), int(n, int64)))
  end function

  ! Mostly ordinary numbers, now and then the ends of the range.
  integer(8) function any_integer(bits)
    integer, intent(in) :: bits
    select case (below(8))
    case (0); any_integer = shiftl(1_int64, bits - 1) - 1
    case (1); any_integer = -shiftl(1_int64, bits - 1)
    case (2); any_integer = 0
    case (3); any_integer = -1
    case (4, 5); any_integer = below(40) - 15
    case default; any_integer = shifta(next(), 64 - bits)
    end select
  end function

  ! Magnitude below 1024.
  real(8) function any_real()
    select case (below(10))
    case (0); any_real = 0
    case (1); any_real = -0.0d0
    case (2, 3); any_real = below(41) - 20
    case (4); any_real = (below(201) - 100)*0.5d0
    case (5); any_real = 1.0d-6*(below(2001) - 1000)
    case (6); any_real = 1
    case default; any_real = real(shifta(next(), 11), 8)*2.0d0**(-42 - below(8))
    end select
  end function

  character function any_character()
    character(*), parameter :: letters = 'abcxyzZA 0 19  ~!+_'
    integer :: at
    at = 1 + below(len(letters))
    any_character = letters(at:at)
  end function

  subroutine report(kind, at, instance, expected, got, distance)
    integer, intent(in) :: kind, at, instance
    character(*), intent(in) :: expected, got
    real(8), intent(in) :: distance
    differs(kind) = .true.
    shown = shown + 1
    if (shown > 3 .or. (contraction .and. contracts)) return
    print '(a, i0, a, i0, 5a, i0, a, i0, 5a, es9.2, a)', 'MISMATCH ', seed, ' program ', number, ' ', name(kind), '(', '', '', at, ') of ', &
      instance, ': expected ', trim(expected), ', got ', trim(got), ' (', distance, ' ulp)'
  end subroutine

  subroutine check_integer(kind, at, instance, expected, got)
    integer, intent(in) :: kind, at, instance
    integer(8), intent(in) :: expected, got
    character(24) :: a, b
    compared(kind) = compared(kind) + 1
    if (expected == got) return
    write (a, '(i0)') expected
    write (b, '(i0)') got
    call report(kind, at, instance, a, b, 0.0d0)
  end subroutine

  ! limit: ulps, or if negative the exponent of an absolute tolerance in units of epsilon. scale: the magnitude that an ulp is of.
  subroutine check_real(kind, at, instance, expected, got, single, limit, scale)
    integer, intent(in) :: kind, at, instance, limit
    real(8), intent(in) :: expected, got, scale
    logical, intent(in) :: single
    real(8) :: distance, unit
    character(40) :: a, b
    compared(kind) = compared(kind) + 1
    if (expected == got) return
    if (expected /= expected .and. got /= got) return
    if (single) then
      unit = spacing(real(scale, 4))
    else
      unit = spacing(scale)
    end if
    distance = abs(expected - got)/unit
    if (limit < 0) then
      distance = abs(expected - got)/merge(real(epsilon(1.0), 8), epsilon(1.0d0), single)
      if (distance <= 2.0d0**(-limit)) return
      distance = huge(1.0d0)
    end if
    if (distance <= limit) then
      if (distance > worst(kind)) worst(kind) = distance
      return
    end if
    write (a, '(es24.16e3)') expected
    write (b, '(es24.16e3)') got
    call report(kind, at, instance, a, b, distance)
  end subroutine

end module

! Reads the options.
subroutine diff_start()
  use diff_state
  integer :: i
  character(32) :: word
  do i = 1, command_argument_count()
    call get_command_argument(i, word)
    if (word == 'gpu') gpu = .true.
    if (word == 'contract') contracts = .true.
  end do
end subroutine

! The first values for the program of the batch.
subroutine diff_begin(which)
  use diff_state
  implicit none
  integer, intent(in) :: which
  integer :: t, j
  number = which
  shown = 0
  differs = .false.
  tolerance = 4
  call plain_facts(which, seed, random, contraction, tolerance)
  do t = 1, ni
    do j = 1, ne
      i1(j, t) = int(any_integer(8), 1)
      i2(j, t) = int(any_integer(16), 2)
      i4(j, t) = int(any_integer(32), 4)
      i8(j, t) = any_integer(64)
      l1(j, t) = below(2) == 0
      l2(j, t) = below(2) == 0
      l4(j, t) = below(2) == 0
      l8(j, t) = below(2) == 0
      r4(j, t) = real(any_real(), 4)
      r8(j, t) = any_real()
      c4(j, t) = cmplx(any_real(), any_real(), 4)
      c8(j, t) = cmplx(any_real(), any_real(), 8)
      ch(j, t) = any_character()//any_character()//any_character()//any_character()//any_character()//any_character()
      k1(j, t) = any_character()
    end do
  end do
  m4 = 0
  m8 = 0
  z4 = 0
  z8 = 0
end subroutine

! Copies the state out, before the program ran here.
subroutine diff_get(d_i1, d_i2, d_i4, d_i8, d_l1, d_l2, d_l4, d_l8, d_r4, d_r8, d_c4, d_c8, d_ch, d_k1, d_m4, d_m8, d_z4, d_z8)
  use diff_state
  implicit none
  integer(1) :: d_i1(ne, ni)
  integer(2) :: d_i2(ne, ni)
  integer(4) :: d_i4(ne, ni)
  integer(8) :: d_i8(ne, ni)
  logical(1) :: d_l1(ne, ni)
  logical(2) :: d_l2(ne, ni)
  logical(4) :: d_l4(ne, ni)
  logical(8) :: d_l8(ne, ni)
  real(4) :: d_r4(ne, ni)
  real(8) :: d_r8(ne, ni)
  complex(4) :: d_c4(ne, ni)
  complex(8) :: d_c8(ne, ni)
  character(6) :: d_ch(ne, ni)
  character(1) :: d_k1(ne, ni)
  real(4) :: d_m4(nl, ni)
  real(8) :: d_m8(nl, ni)
  complex(4) :: d_z4(nl, ni)
  complex(8) :: d_z8(nl, ni)
  d_i1 = i1; d_i2 = i2; d_i4 = i4; d_i8 = i8
  d_l1 = l1; d_l2 = l2; d_l4 = l4; d_l8 = l8
  d_r4 = r4; d_r8 = r8; d_c4 = c4; d_c8 = c8
  d_ch = ch; d_k1 = k1
  d_m4 = m4; d_m8 = m8; d_z4 = z4; d_z8 = z8
end subroutine

! Runs the program of the batch here, and compares.
subroutine diff_check(d_i1, d_i2, d_i4, d_i8, d_l1, d_l2, d_l4, d_l8, d_r4, d_r8, d_c4, d_c8, d_ch, d_k1, d_m4, d_m8, d_z4, d_z8)
  use diff_state
  implicit none
  integer(1) :: d_i1(ne, ni)
  integer(2) :: d_i2(ne, ni)
  integer(4) :: d_i4(ne, ni)
  integer(8) :: d_i8(ne, ni)
  logical(1) :: d_l1(ne, ni)
  logical(2) :: d_l2(ne, ni)
  logical(4) :: d_l4(ne, ni)
  logical(8) :: d_l8(ne, ni)
  real(4) :: d_r4(ne, ni)
  real(8) :: d_r8(ne, ni)
  complex(4) :: d_c4(ne, ni)
  complex(8) :: d_c8(ne, ni)
  character(6) :: d_ch(ne, ni)
  character(1) :: d_k1(ne, ni)
  real(4) :: d_m4(nl, ni)
  real(8) :: d_m8(nl, ni)
  complex(4) :: d_z4(nl, ni)
  complex(8) :: d_z8(nl, ni)
  integer :: t, j
  logical :: used(kinds)
  call plain_run(number)
  call plain_uses(number, used)
  do t = 1, ni
    do j = 1, ne
      if (used(1)) call check_integer(1, j, t, int(i1(j, t), 8), int(d_i1(j, t), 8))
      if (used(2)) call check_integer(2, j, t, int(i2(j, t), 8), int(d_i2(j, t), 8))
      if (used(3)) call check_integer(3, j, t, int(i4(j, t), 8), int(d_i4(j, t), 8))
      if (used(4)) call check_integer(4, j, t, i8(j, t), d_i8(j, t))
      if (used(5)) call check_integer(5, j, t, int(transfer(l1(j, t), 0_1), 8), int(transfer(d_l1(j, t), 0_1), 8))
      if (used(6)) call check_integer(6, j, t, int(transfer(l2(j, t), 0_2), 8), int(transfer(d_l2(j, t), 0_2), 8))
      if (used(7)) call check_integer(7, j, t, int(transfer(l4(j, t), 0_4), 8), int(transfer(d_l4(j, t), 0_4), 8))
      if (used(8)) call check_integer(8, j, t, transfer(l8(j, t), 0_8), transfer(d_l8(j, t), 0_8))
      if (used(9)) call check_real(9, j, t, real(r4(j, t), 8), real(d_r4(j, t), 8), .true., 2, real(r4(j, t), 8))
      if (used(10)) call check_real(10, j, t, r8(j, t), d_r8(j, t), .false., 2, r8(j, t))
      if (used(11)) then
        call check_real(11, j, t, real(real(c4(j, t)), 8), real(real(d_c4(j, t)), 8), .true., 2, real(real(c4(j, t)), 8))
        call check_real(11, j, t, real(aimag(c4(j, t)), 8), real(aimag(d_c4(j, t)), 8), .true., 2, real(aimag(c4(j, t)), 8))
      end if
      if (used(12)) then
        call check_real(12, j, t, real(c8(j, t)), real(d_c8(j, t)), .false., 2, real(c8(j, t)))
        call check_real(12, j, t, aimag(c8(j, t)), aimag(d_c8(j, t)), .false., 2, aimag(c8(j, t)))
      end if
      if (used(13)) then
        compared(13) = compared(13) + 1
        if (ch(j, t) /= d_ch(j, t)) call report(13, j, t, '"'//ch(j, t)//'"', '"'//d_ch(j, t)//'"', 0.0d0)
      end if
      if (used(14)) then
        compared(14) = compared(14) + 1
        if (k1(j, t) /= d_k1(j, t)) call report(14, j, t, '"'//k1(j, t)//'"', '"'//d_k1(j, t)//'"', 0.0d0)
      end if
    end do
    do j = 1, nl
      if (used(15)) call check_real(15, j, t, real(m4(j, t), 8), real(d_m4(j, t), 8), .true., limit(1, j), real(m4(j, t), 8))
      if (used(16)) call check_real(16, j, t, m8(j, t), d_m8(j, t), .false., limit(2, j), m8(j, t))
      ! The parts of a complex result share the error of its magnitude.
      if (used(17)) then
        call check_real(17, j, t, real(real(z4(j, t)), 8), real(real(d_z4(j, t)), 8), .true., limit(3, j), real(abs(z4(j, t)), 8))
        call check_real(17, j, t, real(aimag(z4(j, t)), 8), real(aimag(d_z4(j, t)), 8), .true., limit(3, j), real(abs(z4(j, t)), 8))
      end if
      if (used(18)) then
        call check_real(18, j, t, real(z8(j, t)), real(d_z8(j, t)), .false., limit(4, j), abs(z8(j, t)))
        call check_real(18, j, t, aimag(z8(j, t)), aimag(d_z8(j, t)), .false., limit(4, j), abs(z8(j, t)))
      end if
    end do
  end do
  where (used) programs = programs + 1
  if (contraction .and. contracts) then
    where (differs) excused = excused + 1
  else
    where (differs) mismatches = mismatches + 1
  end if
contains
  integer function limit(log, at)
    integer, intent(in) :: log, at
    limit = tolerance(at, log)
    ! The compiler evaluates functions of constants exactly, the library those with zeros (Bessel) less so: an absolute tolerance holds here too.
    if (limit > 0 .and. .not. gpu) limit = 4
  end function
end subroutine

! Prints the table.
subroutine diff_end()
  use diff_state
  implicit none
  integer :: k
  do k = 1, kinds
    print '(2a, 4(1x, i0), 1x, f0.2)', 'TABLE ', name(k), programs(k), compared(k), mismatches(k), excused(k), worst(k)
  end do
  print '(a)', 'DONE'
end subroutine
