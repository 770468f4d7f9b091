module data
#ifdef USE_GPU
  use cudafor
#endif
  implicit none
  integer, parameter :: n = 64
  real, allocatable :: a(:), a_gpu(:), b_gpu(:)
  integer :: ierr
#ifdef USE_GPU
  attributes(device) :: a_gpu, b_gpu
#endif
contains
#ifdef USE_GPU
  attributes(global) subroutine shift(x, by)
    real :: x(n)
    real, value :: by
    integer :: i
    i = threadidx%x + (blockidx%x - 1)*blockdim%x
    if (i <= n) x(i) = bump(x(i)) + by
  end subroutine
#endif
#ifdef USE_GPU
  attributes(global) &
#endif
  subroutine halve(x)
#ifdef USE_GPU
    use cudafor
#endif
    real :: x(n)
    integer :: i
#ifdef USE_GPU
    i = threadidx%x + (blockidx%x - 1)*blockdim%x
    if (i > n) return
#else
    do i = 1, n
#endif
      x(i) = x(i)/2
#ifndef USE_GPU
    end do
#endif
  end subroutine
#ifdef USE_GPU
  attributes(device) &
#else
  pure &
#endif
  real function bump(x)
    real, intent(in) :: x
    bump = x + 0.5
  end function
  subroutine start()
    integer :: i
    allocate(a(n), b_gpu(n))
#ifdef USE_GPU
    allocate(a_gpu(n))
#endif
    do i = 1, n
      a(i) = i
    end do
#ifdef USE_GPU
    a_gpu = a
#else
    call move_alloc(a, a_gpu)
#endif
  end subroutine
  subroutine finish()
#ifdef USE_GPU
    a = a_gpu
#else
    call move_alloc(a_gpu, a)
#endif
  end subroutine
end module
