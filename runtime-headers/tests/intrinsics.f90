! Reference results of gfortran for intrinsics.cpp: reads operands from the file `values`, writes `results`.
module cases
  implicit none
contains
#define IK 1
#define INTEGER_CASES integer1
#include "intrinsics_integer.inc"
#define IK 2
#define INTEGER_CASES integer2
#include "intrinsics_integer.inc"
#define IK 4
#define INTEGER_CASES integer4
#include "intrinsics_integer.inc"
#define IK 8
#define INTEGER_CASES integer8
#include "intrinsics_integer.inc"
#define RK 4
#define REAL_CASES real4
#include "intrinsics_real.inc"
#define RK 8
#define REAL_CASES real8
#include "intrinsics_real.inc"
end module

program intrinsics
  use cases
  implicit none
  integer(8) :: i, j, p
  real(8) :: x, y
  integer :: u, v, stat
  open (newunit=u, file='values', access='stream', form='unformatted')
  open (newunit=v, file='results', access='stream', form='unformatted')
  do
    read (u, iostat=stat) i, j, p, x, y
    if (stat /= 0) exit
    call integer1(v, i, j, p)
    call integer2(v, i, j, p)
    call integer4(v, i, j, p)
    call integer8(v, i, j, p)
    call real4(v, x, y, p)
    call real8(v, x, y, p)
  end do
end program
