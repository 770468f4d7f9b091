module host_core
  implicit none
contains
  real function helper(x)
    real, intent(in) :: x(:)
    helper = sum(x)
  end function
end module
