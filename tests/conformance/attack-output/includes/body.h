module MODNAME
  use cudafor
  implicit none
  integer, private, parameter :: rk = KIND_
  real(rk), device :: buf(20)
contains
  attributes(global) subroutine add(a, v)
    real(rk) :: a(*)
    real(rk), value :: v
    a(threadIdx%x) = a(threadIdx%x) + v
  end subroutine
  function total(a) result(t)
    real(rk), device :: a(:)
    real(rk) :: t
    integer :: i
    t = 0
    !$cuf kernel do <<<*, *>>>
    do i = 1, size(a)
      t = t + a(i)
    end do
  end function
end module
