! conformance: program-structure/kept_conditions
! features: host text whose #if stays: unused branches with CUDA Fortran, chains of #elif, nested #if in IF constructs, interface blocks, SELECT CASE, declarations
! spec: guide 2.13; cpp -traditional-cpp
! needs: none
! flags: -D LEVEL=2 -D GPU
! expect: pass
#ifdef GPU
# define DEV , device
# if LEVEL > 1
#  define STEP 3
# elif LEVEL == 1
#  define STEP 2
# else
#  error level
# endif
#else
# define DEV
# define STEP 1
#endif
module kc
#if 0
  this isn't Fortran: call k<<<1,
#elif !defined(GPU)
  integer :: buffer(30)
#else
  integer, device :: buffer(30)
#endif
  interface show
#ifdef NEVER
    module procedure show_never
#endif
    module procedure show_host
#if defined(GPU) && \
    LEVEL >= 2
    module procedure show_dev
#endif
  end interface
contains
#ifdef NEVER
  attributes(global) subroutine show_never(a)
    integer, device :: a(*)
#endif
#ifndef NEVER
  integer function show_host(a)
    integer :: a(:)
    show_host = sum(a)
#endif
#ifdef NEVER
  end subroutine
#else
  end function
#endif
#ifdef GPU
  integer function show_dev(a)
    integer, device :: a(:)
    integer :: h(size(a))
    h = a
    show_dev = -sum(h)
  end function
#endif
end module
program kept_conditions
  use kc
  implicit none
  integer DEV :: a(30)
  integer :: h(30), i, k
  k = LEVEL
  select case (k)
#if LEVEL == 2
  case (2)
    buffer = 7
#  ifdef GPU
    !$cuf kernel do <<<*, *>>>
    do i = 1, 30, STEP
#  else
    do i = 1, 30
#  endif
      buffer(i) = i
#else
  case default
    do i = 1, 30
      buffer(i) = -i
#endif
    end do
#ifdef GPU
  case (3)
    a = 1; buffer = a
#endif
  end select
  if (k == 2 &
#ifdef GPU
     .and. k < 3 &
#endif
    ) then
    a = buffer
#ifdef GPU
  else if (k == 9) then
    a(1:2) = 3
#else
  else
    a(1:3) = 4
#endif
  end if
  h = a
  do i = 1, 30
    if (h(i) /= merge(i, 7, mod(i - 1, STEP) == 0)) error stop 'FAIL kept_conditions: a'
  end do
#ifdef GPU
  if (show(a) /= -sum(h)) error stop 'FAIL kept_conditions: dev'
#else
  if (show(a) /= sum(h)) error stop 'FAIL kept_conditions: cpu'
#endif
  if (show(h) /= sum(h)) error stop 'FAIL kept_conditions: host'
  print '(a)', 'PASS kept_conditions'
end program
