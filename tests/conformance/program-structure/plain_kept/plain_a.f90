! a plain module with tabs, trailing blanks, CR LF and no end of line
module plain_a
	implicit none   
  integer :: shared = 1, device = 2, global = 3, constant=4, managed = 5
  real :: attributes(3) = [1., 2., 3.]
contains
  integer function threadidx(i)
    integer, intent(in) :: i
    threadidx = i*2 + device
  end function
end module