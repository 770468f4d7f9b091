! The clock of both sides.
module timing
  implicit none
  integer, parameter :: repeats = 15
  integer :: r_status
  real(8) :: begun, least
  interface fill
    module procedure fill_2, fill_3
  end interface
contains
  ! Seconds: of the clock, or with BENCH_CLOCK=cpu those that the cores have worked, which on a machine with other work say more.
  real(8) function seconds()
    character(8) :: clock
    integer(8) :: now, rate
    call get_environment_variable('BENCH_CLOCK', clock)
    if (clock == 'cpu') then
      call cpu_time(seconds)
    else
      call system_clock(now, rate)
      seconds = real(now, 8) / real(rate, 8)
    end if
  end function

  subroutine start()
    begun = seconds()
  end subroutine

  subroutine stop_clock(run)
    integer, intent(in) :: run
    real(8) :: t
    t = 1d3 * (seconds() - begun)
    if (run == 1 .or. t < least) least = t
  end subroutine

  subroutine report(name, check)
    character(*), intent(in) :: name
    real, intent(in) :: check
    print '(a, t20, f10.4, 2x, es14.7)', name, least, check
  end subroutine

  subroutine report_rate(name, count)
    character(*), intent(in) :: name
    real, intent(in) :: count
    print '(a, t20, f10.1, a)', name, 1d-3 * count / least, ' million a second'
  end subroutine

  subroutine fill_2(a)
    real, intent(out) :: a(:, :)
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = mod(i * 7 + j * 13, 101) * 0.01
      end do
    end do
  end subroutine

  subroutine fill_3(a)
    real, intent(out) :: a(:, :, :)
    integer :: k
    do k = 1, size(a, 3)
      call fill_2(a(:, :, k))
    end do
  end subroutine
end module
