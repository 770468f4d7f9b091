! What all programs have: the types, and procedures that set and print their objects.
module transfers_support
  use cudafor
  implicit none

  type pt
    integer :: id = 1
    real :: x = 2
    real(8) :: a(3) = 3
    character(3) :: c = 'abc'
    complex :: z = (4.0, 5.0)
    logical :: l = .true.
    real(16) :: q = 6
  end type

  type, extends(pt) :: pt2
    real(8) :: w(2) = 7
    integer(8) :: k = 8
    character(7) :: name = 'extends'
  end type

  type holder
    class(pt), allocatable :: ca(:)
    class(pt), pointer :: cp(:)
    type(pt) :: in(4)
  end type

  type mat(k, n)
    integer, kind :: k = 4
    integer, len :: n = 4
    integer :: j
    real(k) :: s
    real(k) :: v(n)
    integer(2) :: g(n)
    real(k) :: q(n, n)
    integer :: f(4)
  end type

contains

  subroutine fill(o)
    class(pt), intent(inout) :: o(:)
    integer :: i
    do i = 1, size(o)
      o(i)%id = i
      o(i)%x = i + 0.5
      o(i)%a = [10*i, 20*i, 30*i]
      o(i)%c = achar(64 + i)//achar(74 + i)//achar(84 + i)
      o(i)%z = cmplx(i, -i)
      o(i)%l = mod(i, 2) == 0
      o(i)%q = i*100
    end do
    select type (o)
    type is (pt2)
      do i = 1, size(o)
        o(i)%w = [i + 40, i + 50]
        o(i)%k = i + 60
      end do
    end select
  end subroutine

  subroutine look(o)
    class(pt), intent(in) :: o(:)
    integer :: i
    do i = 1, size(o)
      print '(a,i8,4f10.3,a6,2f10.3,l3,f10.3)', 'o', o(i)%id, o(i)%x, o(i)%a(1), o(i)%a(2), o(i)%a(3), o(i)%c, &
        o(i)%z, o(i)%l, real(o(i)%q)
    end do
    select type (o)
    type is (pt2)
      do i = 1, size(o)
        print '(a,2f10.3,i8,1x,a)', 'w', o(i)%w(1), o(i)%w(2), o(i)%k, o(i)%name
      end do
    end select
  end subroutine

  subroutine look_any(o)
    class(*), intent(in) :: o(:)
    select type (o)
    class is (pt)
      call look(o)
    end select
  end subroutine
end module
