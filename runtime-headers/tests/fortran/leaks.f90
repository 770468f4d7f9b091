! What CUF2CU_LEAKS=1 reports: two of four allocations are left.
program leaks
  use cuf_runtime
  use, intrinsic :: iso_c_binding, only: c_int, c_long_long
  implicit none
  interface
    function live(where) bind(C, name='cuf_rt_live_allocations') result(n)
      import :: c_int, c_long_long
      integer(c_int), value :: where
      integer(c_long_long) :: n
    end function live
  end interface
  real, pointer :: a(:) => null(), b(:) => null(), c(:) => null(), d(:) => null()
  call cuf_allocate(a, [3])
  call cuf_allocate(b, [4], space=cuf_managed)
  call cuf_allocate(c, [5], space=cuf_pinned)
  call cuf_allocate(d, [6])
  if (live(0) /= 2 .or. live(1) /= 1 .or. live(2) /= 1) print '(a)', 'FAIL leaks: before'
  call cuf_deallocate(a)
  call cuf_deallocate(b)
  if (live(0) /= 1 .or. live(1) /= 0 .or. live(2) /= 1) print '(a)', 'FAIL leaks: after'
  print '(a)', 'PASS leaks'
end program leaks
