module owners_support
  use, intrinsic :: iso_c_binding, only: c_int, c_long_long, c_size_t
  {U}
  implicit none

  private :: heap_t, live, heap, put0, put1, put2, held, count, finals, before, flush_held, c_int, c_long_long, c_size_t

  type, bind(C) :: heap_t
    integer(c_size_t) :: arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost
  end type

  interface
    function live(where) bind(C, name='cuf_rt_live_allocations') result(n)
      import :: c_int, c_long_long
      integer(c_int), value :: where
      integer(c_long_long) :: n
    end function
    function heap() bind(C, name='mallinfo2') result(h)
      import :: heap_t
      type(heap_t) :: h
    end function
  end interface

  interface put
    module procedure put0, put1, put2
  end interface

  integer :: held(16), count = 0, finals(2) = 0
  integer(c_size_t) :: before = 0
contains
  subroutine put0(i)
    integer, intent(in) :: i
    count = count + 1
    held(count) = i
    if (count == size(held)) call flush_held()
  end subroutine

  subroutine put1(a)
    integer, intent(in) :: a(:)
    integer :: i
    do i = 1, size(a)
      call put0(a(i))
    end do
  end subroutine

  subroutine put2(a)
    integer, intent(in) :: a(:, :)
    integer :: i
    do i = 1, size(a, 2)
      call put1(a(:, i))
    end do
  end subroutine

  subroutine finalised(which, n)
    integer, intent(in) :: which, n
    finals(1) = finals(1) + 1
    finals(2) = finals(2) + 1000*which + n
  end subroutine

  subroutine put_final()
    call put(finals)
    finals = 0
  end subroutine

  subroutine flag(yes)
    logical, intent(in) :: yes
    call put0(merge(-1, -2, yes))
  end subroutine

{PROCEDURES}
  subroutine flush_held()
    write(*, '(*(i0, 1x))') held(1:count)
    count = 0
  end subroutine

  subroutine own_begin(seed, pass)
    integer, intent(in) :: seed, pass
    type(heap_t) :: h
    write(*, '(a, i0, 1x, i0)') 'CASE ', seed, pass
    flush(6)
    h = heap()
    before = h%uordblks + h%hblkhd
  end subroutine

  subroutine own_end()
    type(heap_t) :: h
    integer :: i
    if (count > 0) call flush_held()
    write(*, '(a)') 'END'
    flush(6)
    h = heap()
    write(*, '(a, 3(1x, i0))') 'LIVE', [(live(i), i = 0, 2)]
    write(*, '(a, 1x, i0)') 'HEAP', h%uordblks + h%hblkhd - before
  end subroutine
end module
