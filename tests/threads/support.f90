! What every batch of programs shares: the comparison and the count of results.
module threads_state
  implicit none
  integer :: passed = 0, failed = 0
end module

! Whether the program of the seed is to run: all, or those that the command line names.
logical function wanted(seed)
  implicit none
  integer, intent(in) :: seed
  character(24) :: word
  integer :: i, n, status
  wanted = command_argument_count() == 0
  do i = 1, command_argument_count()
    call get_command_argument(i, word)
    read (word, *, iostat=status) n
    if (status == 0 .and. n == seed) wanted = .true.
  end do
end function

subroutine threads_compare(seed, n, total, actual, expected)
  use threads_state
  implicit none
  integer, intent(in) :: seed, n, total
  integer(8), intent(in) :: actual(n), expected(n)
  integer :: i, differ
  differ = count(actual /= expected)
  if (differ == 0) then
    passed = passed + 1
    return
  end if
  failed = failed + 1
  i = findloc(actual /= expected, .true., 1)
  print '(a, i0, 8(a, i0))', 'MISMATCH ', seed, ' in ', differ, ' of ', n, ' values, first column ', (i - 1)/total + 1, ' thread ', &
    mod(i - 1, total) + 1, ': expected ', expected(i), ', got ', actual(i)
  flush (6)
end subroutine

! A launch failed: nothing that comes after it can be trusted.
subroutine threads_stop(seed, status)
  use threads_state
  implicit none
  integer, intent(in) :: seed, status
  print '(a, i0, a, i0)', 'MISMATCH ', seed, ' launch failed with status ', status
  print '(a, i0, a, i0)', 'STOPPED ', passed, ' ', failed + 1
  stop 1
end subroutine

subroutine threads_end()
  use threads_state
  implicit none
  print '(a, i0, a, i0)', 'DONE ', passed, ' ', failed
end subroutine
