! Assignments between host and device: sections, conversions, broadcasts, overlap.
program transfer
  use cuf_runtime
  use cuf_half_assignment
  use, intrinsic :: iso_fortran_env
  implicit none
  type particle
    real(real64) :: x(3)
    integer :: id
    real :: w
  end type particle
  integer :: failures = 0
  call whole
  call sections
  call reversed
  call conversions
  call broadcasts
  call overlapping
  call characters
  call derived
  call scalars
  call empty
  call halves
  if (failures > 0) error stop 1
  print '(a)', 'PASS transfer'
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (ok) return
    print '(2a)', 'FAIL ', what
    failures = failures + 1
  end subroutine check

  subroutine whole
    real, pointer, contiguous :: a(:,:)
    complex(real64), pointer :: z(:)
    logical(int8), pointer :: l(:)
    real :: h(5,4), g(5,4)
    complex(real64) :: y(7), x(7)
    logical(int8) :: k(9), m(9)
    integer :: i
    nullify(a, z, l)
    call cuf_allocate(a, [4, 3], [0, 0])
    call cuf_allocate(z, [7_int64])
    call cuf_allocate(l, [9])
    call check(all(lbound(a) == [0, 0]) .and. all(shape(a) == [5, 4]), 'bounds')
    h = reshape([(real(i), i = 1, 20)], [5, 4])
    call cuf_h2d(a, h)
    g = -1
    call cuf_d2h(g, a)
    call check(all(g == h), 'whole array')
    y = [(cmplx(i, -i, real64), i = 1, 7)]
    call cuf_h2d(z, y)
    x = 0
    call cuf_d2h(x, z)
    call check(all(x == y), 'complex(8)')
    k = [(mod(i, 3) == 0, i = 1, 9)]
    call cuf_h2d(l, k)
    m = .false.
    call cuf_d2h(m, l)
    call check(count(m .neqv. k) == 0, 'logical(1)')
    call check(all(cuf_host(a) == h) .and. all(cuf_host(z) == y), 'cuf_host')
    call check(sum(cuf_host(a(1:3:2, 2))) == h(2,3) + h(4,3), 'cuf_host of a section')
    call cuf_deallocate(a)
    call cuf_deallocate(z)
    call cuf_release(l)
    call cuf_release(l)
    call check(.not. (associated(a) .or. associated(z) .or. associated(l)), 'freed')
  end subroutine whole

  subroutine sections
    integer, pointer :: a(:,:,:)
    integer :: h(6,5,4), g(6,5,4), want(6,5,4), i
    nullify(a)
    call cuf_allocate(a, [6, 5, 4])
    h = reshape([(i, i = 1, 120)], [6, 5, 4])
    call cuf_h2d(a, h)
    ! device section into host section
    g = 0; want = 0
    call cuf_d2h(g(1:6:2, 2:4, 2:3), a(2:6:2, 1:5:2, 1:4:3))
    want(1:6:2, 2:4, 2:3) = h(2:6:2, 1:5:2, 1:4:3)
    call check(all(g == want), 'device section to host section')
    ! host section into device section
    want = h
    want(:, 3, :) = -h(6:1:-1, 1, :)
    g = -h
    call cuf_h2d(a(:, 3, :), g(6:1:-1, 1, :))
    call check(all(cuf_host(a) == want), 'host section to device section')
    ! device to device, different strides
    want(1:5:4, 1:3, 4) = want(2:3, 5:1:-2, 1)
    call cuf_d2d(a(1:5:4, 1:3, 4), a(2:3, 5:1:-2, 1))
    call check(all(cuf_host(a) == want), 'device section to device section')
    ! one element
    call cuf_h2d(a(3, 2, 1), 777)
    want(3, 2, 1) = 777
    call cuf_d2h(i, a(3, 2, 1))
    call check(i == 777 .and. all(cuf_host(a) == want), 'element')
    call cuf_release(a)
  end subroutine sections

  subroutine reversed
    real(real64), pointer :: a(:), b(:)
    real(real64) :: h(1000), g(1000)
    integer :: i
    nullify(a, b)
    call cuf_allocate(a, [1000])
    call cuf_allocate(b, [1000])
    h = [(i*0.5d0, i = 1, 1000)]
    call cuf_h2d(a(1000:1:-1), h)
    call cuf_d2h(g, a)
    call check(all(g == h(1000:1:-1)), 'into a reversed device array')
    call cuf_d2h(g, a(1000:1:-1))
    call check(all(g == h), 'from a reversed device array')
    call cuf_d2d(b, a(1000:1:-1))
    call check(all(cuf_host(b) == h), 'device to device, reversed')
    call cuf_d2d(b(1000:1:-1), a(1000:1:-1))
    call check(all(cuf_host(b) == h(1000:1:-1)), 'both reversed')
    call cuf_release(a)
    call cuf_release(b)
  end subroutine reversed

  subroutine conversions
    real, pointer :: r(:)
    real(real64), pointer :: d(:)
    integer(int64), pointer :: i8(:)
    integer(int8), pointer :: i1(:)
    complex, pointer :: c(:)
    logical, pointer :: l(:)
    integer :: k(4)
    logical(int8) :: l1(4)
    real(real64) :: h(4)
    nullify(r, d, i8, i1, c, l)
    call cuf_allocate(r, [4]); call cuf_allocate(d, [4]); call cuf_allocate(i8, [4])
    call cuf_allocate(i1, [4]); call cuf_allocate(c, [4]); call cuf_allocate(l, [4])
    h = [1.25d0, -2.75d0, 1d10/3, 0.1d0]
    call cuf_h2d(r, h)
    call check(all(cuf_host(r) == real(h, real32)), 'real(8) to real(4)')
    call cuf_d2d(d, r)
    call check(all(cuf_host(d) == real(real(h, real32), real64)), 'real(4) to real(8) on the device')
    call cuf_h2d(i8, [2_int8, -3_int8, 127_int8, -127_int8])
    call check(all(cuf_host(i8) == [2_int64, -3_int64, 127_int64, -127_int64]), 'integer(1) to integer(8)')
    call cuf_h2d(i8, h)
    call check(all(cuf_host(i8) == int(h, int64)), 'real to integer')
    call cuf_h2d(i8, [2_int64**53 + 1, 2_int64**62 + 1, -7_int64, 16777217_int64])
    call cuf_d2d(r, i8)
    call check(all(cuf_host(r) == [2.0**53, 2.0**62, -7.0, 16777216.0]), 'integer(8) to real(4)')
    call cuf_h2d(c, [1, 2, -3, 4])
    call check(all(cuf_host(c) == [(1,0), (2,0), (-3,0), (4,0)]), 'integer to complex')
    call cuf_h2d(c, [(1.5,2.), (2.,3.), (-3.,1.), (4.75,0.)])
    call cuf_d2h(k, c)
    call check(all(k == [1, 2, -3, 4]), 'complex to integer')
    call cuf_h2d(l, [.true._int8, .false._int8, .true._int8, .true._int8])
    call cuf_d2h(l1, l)
    call check(all(logical(l1) .eqv. [.true., .false., .true., .true.]), 'logical kinds')
    k = [300, -1, 5, 6]
    call cuf_h2d(i1, mod(k, 128))
    call check(all(cuf_host(i1) == int(mod(k, 128), int8)), 'integer(4) to integer(1)')
    call cuf_h2d(d(1:4:2), k(2:1:-1))
    call check(all(cuf_host(d(1:3:2)) == [-1, 300]), 'sections converted')
    call cuf_release(r); call cuf_release(d); call cuf_release(i8)
    call cuf_release(i1); call cuf_release(c); call cuf_release(l)
  end subroutine conversions

  subroutine broadcasts
    real, pointer :: a(:,:)
    complex(real64), pointer :: z(:)
    integer(int16), pointer :: s(:)
    real :: h(1001, 3)
    nullify(a, z, s)
    call cuf_allocate(a, [1001, 3]); call cuf_allocate(z, [1300]); call cuf_allocate(s, [77])
    call cuf_h2d(a, 0)
    call check(all(cuf_host(a) == 0), 'zero')
    call cuf_h2d(a, -1.5d0)
    call check(all(cuf_host(a) == -1.5), 'fill')
    h = -1.5
    h(2:1001:3, 1:3:2) = 4
    call cuf_h2d(a(2:1001:3, 1:3:2), 4)
    call check(all(cuf_host(a) == h), 'fill of a section')
    h(:, 2) = 9
    call cuf_h2d(a(:, 2), 9.0)
    call check(all(cuf_host(a) == h), 'fill of a column')
    h(1001:1:-7, :) = 3
    call cuf_h2d(a(1001:1:-7, :), 3)
    call check(all(cuf_host(a) == h), 'fill of a reversed section')
    call cuf_h2d(z, (1d0, -2d0))
    call check(all(cuf_host(z) == (1d0, -2d0)), 'complex fill')
    call cuf_h2d(s, 257)
    call check(all(cuf_host(s) == 257), 'integer(2) fill')
    ! from a device scalar
    call cuf_d2d(a, s(3))
    call check(all(cuf_host(a) == 257), 'fill from a device element')
    h = 0
    call cuf_d2h(h(:, 1:3:2), s(1))
    call check(all(h(:, 1:3:2) == 257) .and. all(h(:, 2) == 0), 'host section from a device element')
    call cuf_release(a); call cuf_release(z); call cuf_release(s)
  end subroutine broadcasts

  subroutine overlapping
    integer, pointer :: a(:)
    integer :: h(500), i
    nullify(a)
    call cuf_allocate(a, [500])
    h = [(i, i = 1, 500)]
    call cuf_h2d(a, h)
    call cuf_d2d(a(2:500), a(1:499))
    h(2:500) = h(1:499)
    call check(all(cuf_host(a) == h), 'shift up')
    call cuf_d2d(a(1:400), a(101:500))
    h(1:400) = h(101:500)
    call check(all(cuf_host(a) == h), 'shift down')
    call cuf_d2d(a, a(500:1:-1))
    h = h(500:1:-1)
    call check(all(cuf_host(a) == h), 'reverse in place')
    call cuf_release(a)
  end subroutine overlapping

  subroutine characters
    character(len=4), pointer :: c(:)
    character(len=6) :: h(3)
    character(len=4) :: g(3)
    nullify(c)
    call cuf_allocate(c, [2], [0])
    call check(size(c) == 3 .and. lbound(c, 1) == 0, 'character bounds')
    h = ['abcdef', 'xy    ', '123456']
    call cuf_h2d(c, h)
    call cuf_d2h(g, c)
    call check(all(g == ['abcd', 'xy  ', '1234']), 'character truncated')
    call cuf_d2h(h, c)
    call check(all(h == ['abcd  ', 'xy    ', '1234  ']), 'character padded')
    call cuf_h2d(c, 'pq')
    call check(all(cuf_host(c) == 'pq  '), 'character fill')
    call cuf_deallocate(c)
    call check(.not. associated(c), 'character freed')
  end subroutine characters

  subroutine derived
    type(particle), pointer :: p(:)
    type(particle) :: h(10), g(10)
    type(cuf_ptr) :: memory
    integer :: i
    memory = cuf_malloc(10*storage_size(h)/8)
    call cuf_associate(memory, p, [10])
    do i = 1, 10
      h(i) = particle([i, 2*i, 3*i]*1d0, i, -0.5*i)
    end do
    call cuf_h2d(p, h)
    call cuf_d2h(g, p)
    call check(all(g%id == h%id) .and. all(g%w == h%w), 'derived type')
    call cuf_h2d(p(2:9)%id, h(1:8)%id)
    call cuf_h2d(p(:)%w, 7.0)   ! p%w would move the base address of p: a fault of gfortran 12
    call cuf_d2h(g, p)
    call check(all(g%id == [1, 1, 2, 3, 4, 5, 6, 7, 8, 10]) .and. all(g%w == 7), 'component')
    call check(all(g%x(2) == h%x(2)), 'other components')
    call cuf_d2h(g(1), p(4))
    call check(g(1)%id == 3, 'derived type element')
    call cuf_free(memory)
  end subroutine derived

  subroutine scalars
    real(real64), pointer :: d
    character(len=3), pointer :: c
    real(real64) :: h
    nullify(d, c)
    call cuf_allocate(d)
    call cuf_h2d(d, 3)
    call cuf_d2h(h, d)
    call check(h == 3 .and. cuf_host(d) == 3, 'scalar')
    call cuf_allocate(c)
    call cuf_h2d(c, 'abc')
    call check(cuf_host(c) == 'abc', 'character scalar')
    call cuf_deallocate(d)
    call cuf_deallocate(c)
  end subroutine scalars

  subroutine empty
    real, pointer :: a(:), b(:)
    real :: h(0)
    integer :: stat
    character(len=60) :: message
    logical :: pinned
    nullify(a, b)
    call cuf_allocate(a, [0], stat=stat)
    call check(stat == 0 .and. associated(a) .and. size(a) == 0, 'size zero')
    call cuf_h2d(a, h)
    call cuf_h2d(a, 1.0)
    call cuf_d2h(h, a)
    message = 'unchanged'
    call cuf_allocate(a, [5], stat=stat, errmsg=message)
    call check(stat /= 0 .and. index(message, 'already') > 0, 'allocated twice')
    call cuf_deallocate(a, stat)
    call cuf_deallocate(a, stat, message)
    call check(stat /= 0 .and. index(message, 'not allocated') > 0, 'deallocated twice')
    call cuf_allocate(a, [2_int64**60], stat=stat)
    call check(stat /= 0 .and. .not. associated(a), 'too large')
    call cuf_allocate(b, [10], space=cuf_pinned, stat=stat, pinned=pinned)
    b = 3
    call check(stat == 0 .and. sum(b) == 30, 'pinned memory')
    call cuf_deallocate(b)
    call cuf_allocate(b, [10], space=cuf_managed)
    b = 4
    call check(sum(b) == 40, 'managed memory')
    call cuf_release(b)
  end subroutine empty

  subroutine halves
    type(cuf_half), pointer :: d(:)
    type(cuf_half) :: h(8), one
    real :: x(8)
    real(real64) :: y
    integer :: k
    x = [1.0, -0.5, 2049.0, 65504.0, 65520.0, 2.0**(-24), 2.0**(-25), 1.0 + 2.0**(-11)]
    h = x
    call check(all(cuf_real(h(1:4)) == [1.0, -0.5, 2048.0, 65504.0]), 'rounding to half')
    call check(cuf_real(h(5)) > huge(1.0) .and. cuf_real(h(6)) == x(6) .and. cuf_real(h(7)) == 0 .and. h(8) == 1, &
      'limits of half')
    one = cuf_half(1)
    y = one + 0.25d0
    k = h(2)*4 - one
    call check(y == 1.25d0 .and. k == -3 .and. -one < h(2) .and. one/h(2) == cuf_half(-2.0), 'half arithmetic')
    nullify(d)
    call cuf_allocate(d, [8])
    call cuf_h2d(d, x)
    x = 0
    call cuf_d2h(x, d)
    call check(all(x(1:4) == cuf_real(h(1:4))) .and. all(cuf_host(d(1:4)) == h(1:4)), 'half in transfers')
    call cuf_h2d(d, 3)
    call check(all(cuf_host(d) == 3), 'half fill')
    call cuf_deallocate(d)
  end subroutine halves
end program transfer
