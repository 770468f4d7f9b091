! The algorithms of main.cuf in plain Fortran, for gfortran -O3 -march=native -fopenmp.
module twins
  implicit none
contains
  subroutine triad(a, b, c, s, n)
    integer, intent(in) :: n
    real, intent(in) :: s, b(n), c(n)
    real, intent(inout) :: a(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      a(i) = b(i) + s * c(i)
    end do
  end subroutine

  subroutine five_points(a, b, n, m)
    integer, intent(in) :: n, m
    real, intent(in) :: a(n, m)
    real, intent(inout) :: b(n, m)
    integer :: i, j
    !$omp parallel do
    do j = 2, m - 1
      do i = 2, n - 1
        b(i, j) = 0.5 * a(i, j) + 0.125 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
  end subroutine

  subroutine seven_points(a, b)
    real, intent(in) :: a(:, :, :)
    real, intent(inout) :: b(:, :, :)
    integer :: i, j, k
    !$omp parallel do
    do k = 2, size(a, 3) - 1
      do j = 2, size(a, 2) - 1
        do i = 2, size(a, 1) - 1
          b(i, j, k) = 0.4 * a(i, j, k) + 0.1 * (a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j + 1, k) &
              + a(i, j, k - 1) + a(i, j, k + 1))
        end do
      end do
    end do
  end subroutine

  subroutine jacobi(a, b, n, change)
    integer, intent(in) :: n
    real, intent(inout) :: a(n, n), b(n, n), change
    integer :: i, j
    !$omp parallel do reduction(max: change)
    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
        change = max(change, abs(b(i, j) - a(i, j)))
      end do
    end do
    !$omp parallel do
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = b(i, j)
      end do
    end do
  end subroutine

  real(8) function dot(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    integer :: i
    dot = 0
    !$omp parallel do reduction(+: dot)
    do i = 1, n
      dot = dot + x(i) * y(i)
    end do
  end function

  ! The order of the kernel: each element is a sum over k in one variable, columns of c over the cores.
  subroutine product_by_element(a, b, c, n)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n), b(n, n)
    real, intent(inout) :: c(n, n)
    integer :: i, j, k
    real :: s
    !$omp parallel do private(s)
    do j = 1, n
      do i = 1, n
        s = 0
        do k = 1, n
          s = s + a(i, k) * b(k, j)
        end do
        c(i, j) = s
      end do
    end do
  end subroutine

  ! The order that vectors like: a column at a time.
  subroutine product_by_column(a, b, c, n)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n), b(n, n)
    real, intent(inout) :: c(n, n)
    integer :: j, k
    !$omp parallel do
    do j = 1, n
      c(:, j) = 0
      do k = 1, n
        c(:, j) = c(:, j) + a(:, k) * b(k, j)
      end do
    end do
  end subroutine
end module

program twin
  use twins
  use timing
  implicit none
  call run_vectors()
  call run_stencils()
  call run_jacobi()
  call run_product()
contains

  subroutine run_vectors()
    integer, parameter :: n = 4000000, m = 8000000
    real, allocatable :: a(:), b(:), c(:)
    real(8), allocatable :: x(:), y(:)
    real(8) :: s
    integer :: r
    allocate (a(n), b(n), c(n), x(m), y(m))
    b = 1
    c = 2
    do r = 1, repeats
      call start()
      call triad(a, b, c, 3.0, n)
      call stop_clock(r)
    end do
    call report('triad', a(n))
    x = 0.5d0
    y = 2
    do r = 1, repeats
      call start()
      s = dot(x, y, m)
      call stop_clock(r)
    end do
    call report('dot', real(s))
  end subroutine

  subroutine run_stencils()
    integer, parameter :: n = 2048, k = 256
    real, allocatable :: a(:, :), b(:, :), u(:, :, :), v(:, :, :)
    integer :: r
    allocate (a(n, n), b(n, n), u(k, k, k), v(k, k, k))
    call fill(a)
    b = 0
    do r = 1, repeats
      call start()
      call five_points(a, b, n, n)
      call stop_clock(r)
    end do
    call report('five points', b(n / 2, n / 2))
    call fill(u)
    v = 0
    do r = 1, repeats
      call start()
      call seven_points(u, v)
      call stop_clock(r)
    end do
    call report('seven points', v(k / 2, k / 2, k / 2))
  end subroutine

  subroutine run_jacobi()
    integer, parameter :: n = 1024
    real, allocatable :: a(:, :), b(:, :)
    real :: change
    integer :: r
    allocate (a(n, n), b(n, n))
    call fill(a)
    b = a
    do r = 1, repeats
      call start()
      change = 0
      call jacobi(a, b, n, change)
      call stop_clock(r)
    end do
    call report('jacobi', change)
  end subroutine

  subroutine run_product()
    integer, parameter :: n = 512
    real, allocatable :: a(:, :), c(:, :)
    integer :: r
    allocate (a(n, n), c(n, n))
    call fill(a)
    do r = 1, repeats
      call start()
      call product_by_element(a, a, c, n)
      call stop_clock(r)
    end do
    call report('tiled product', c(n / 2, n / 3))
    do r = 1, repeats
      call start()
      call product_by_column(a, a, c, n)
      call stop_clock(r)
    end do
    call report('product by column', c(n / 2, n / 3))
  end subroutine
end program
