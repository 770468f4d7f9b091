module plain
  implicit none
  type settings
    integer :: n = 12
    real :: start = 1.0
  end type
  type(settings) :: conf
  integer :: n = 3, steps(3) = 0
  real :: tol = 0.1
  character(10) :: name = 'none'
  namelist /run/ n, tol, name, steps
contains
  subroutine read_run(text)
    character(*), intent(in) :: text
    read(text, nml=run)
  end subroutine
end module
