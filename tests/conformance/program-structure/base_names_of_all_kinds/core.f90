module core_plain
contains
  integer function plus(i)
    integer, intent(in) :: i
    plus = i + 1
  end function
end module
