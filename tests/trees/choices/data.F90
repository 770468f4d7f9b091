!> What the kernels work on.
module data
  use kinds
  implicit none
  integer, parameter :: n = 64
#ifdef SINGLE
  real(4), device :: a(n)
  real(4), constant :: scale
#else
  real(8), device :: a(n)
  real(8), constant :: scale
  real(8), device, allocatable :: extra(:)
#endif
  real(wp), parameter :: tenth = 0.1_wp
  type cell
    real(wp) :: x, y
    integer :: id
  end type
contains
  attributes(global) subroutine twice(x, n)
    integer, value :: n
    real(wp) :: x(n)
    real(wp), shared :: s(64)
    integer :: i
    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
    s(threadIdx%x) = tenth + 0.1_wp
    call syncthreads()
#ifdef SINGLE
    if (i <= n) x(i) = 2.0*x(i) + s(1)
#else
    if (i <= n) x(i) = 2d0*x(i)*scale + s(1)
#endif
  end subroutine
  attributes(global) subroutine fill(c, n)
    integer, value :: n
    type(cell) :: c(n)
    integer :: i
    i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
    if (i <= n) then
      c(i)%x = third(real(i, wp))
      c(i)%y = sqrt(real(i, wp))
      c(i)%id = i
    end if
  end subroutine
  attributes(device) real(wp) function third(x)
    real(wp), value :: x
    third = x/3
  end function
end module data
