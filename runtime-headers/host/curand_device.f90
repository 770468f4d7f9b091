! The types of the module curand_device, as host code sees them: so many bytes, aligned as in CUDA.
! SPDX-License-Identifier: MIT OR Apache-2.0
module curand_device
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  private
  public :: curandStateXORWOW, curandStateMRG32k3a, curandStatePhilox4_32_10

  type :: curandStateXORWOW
    private
    sequence
    integer(int64) :: words(6)
  end type curandStateXORWOW

  type :: curandStateMRG32k3a
    private
    sequence
    integer(int64) :: words(6)
  end type curandStateMRG32k3a

  type :: curandStatePhilox4_32_10
    private
    sequence
    integer(selected_int_kind(38)) :: words(4)
  end type curandStatePhilox4_32_10
end module curand_device
