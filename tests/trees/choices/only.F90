! Device code in one branch alone.
module only
  use kinds
  implicit none
contains
  subroutine shift(x, n)
    integer, intent(in) :: n
    real(wp), device :: x(n)
#ifndef SINGLE
    integer :: i
    !$cuf kernel do <<<*, *>>>
    do i = 1, n
      x(i) = x(i) + 1
    end do
#endif
  end subroutine
end module only
