#include "defs.h"
module work
  !@cuf use cudafor
  implicit none
  integer, parameter :: n = 50
  real DEV :: x_dev(n)
  real MANAGED_ATTR :: shared_x(n)
contains
#ifdef _CUDA
  attributes(global) subroutine k2d(a, nx, ny)
    integer, value :: nx, ny
    real :: a(nx, ny)
    integer :: i, j
    i = IDX(x); j = IDX(y)
    if (i <= nx .and. j <= ny) a(i, j) = a(i, j) + i*100 + j
  end subroutine
#endif
  subroutine fill2d(a, nx, ny)
    integer, intent(in) :: nx, ny
    real DEV :: a(nx, ny)
#ifdef _CUDA
    type(dim3) :: b, g
    b = dim3(16, 4, 1)
    g = dim3((nx + b%x - 1)/b%x, (ny + b%y - 1)/b%y, 1)
    call k2d<<<g, b>>>(a, nx, ny)
#else
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        a(i, j) = a(i, j) + i*100 + j
      end do
    end do
#endif
  end subroutine
  subroutine axpy(a, x, y)
    real, intent(in) :: a
    real, intent(in) :: x(:)
    real, intent(inout) :: y(:)
    !@cuf attributes(device) :: x, y
    integer :: i
    !$cuf kernel do <<<*, *>>>
    do i = 1, size(x)
      y(i) = a*x(i) + y(i)
    end do
  end subroutine
end module
