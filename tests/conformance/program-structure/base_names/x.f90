subroutine plain(i)
 integer :: i
 i = 5
end subroutine
