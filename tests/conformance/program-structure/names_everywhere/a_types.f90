module shims
  ! names that generated code would like for itself
  use cudafor, only: dim3, cudaDeviceSynchronize, stream => cuda_stream_kind
  implicit none
  integer, parameter :: real = 4, cuf = 8, std = 3
  type :: array
    integer :: size = 0
    real(real), allocatable, device :: data(:)
  end type
  type, extends(array) :: float
    logical :: class = .true.
  end type
  interface launch
    module procedure launch_one, launch_two
  end interface
  real(real), device :: threadIdx_(cuf), int(std)
  integer, constant :: blockDim_, double
contains
  attributes(global) subroutine kernel(float, n, template)
    real(real) :: float(n)
    integer, value :: n, template
    integer :: this, new, i, register, char
    associate (operator => float(1:n))
      new = (blockIdx%x - 1)*blockDim%x + threadIdx%x
      this = new
      register = double
      char = blockDim_
      if (this <= n) operator(this) = operator(this)*template + register - char + int(mod(this, std) + 1)
    end associate
  end subroutine
  attributes(device) function static(x) result(return)
    real(real), intent(in) :: x
    real(real) :: return
    return = x + 1
  end function
  subroutine launch_one(self, template)
    type(array), intent(inout) :: self
    integer, intent(in) :: template
    call kernel<<<(self%size + 31)/32, 32>>>(self%data, self%size, template)
  end subroutine
  subroutine launch_two(self, template, namespace)
    type(array), intent(inout) :: self
    integer, intent(in) :: template
    real(real), intent(in) :: namespace
    integer :: i, space, at, launch_two_loop_1
    space = 5; at = 6; launch_two_loop_1 = 7
    !$cuf kernel do <<<*, *>>>
    do i = 1, self%size
      self%data(i) = static(self%data(i))*template + namespace + space*0 + at*0 + launch_two_loop_1*0
    end do
  end subroutine
end module
