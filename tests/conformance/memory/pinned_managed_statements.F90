! conformance: memory/pinned_managed_statements
! features: ATTRIBUTES statements after the declaration and under #if, all memories in one statement, managed structures, pinned in conditionals, generic by memory, INTENT, whole I/O of managed data
! spec: guide 3.2, 3.3
! needs: none
! flags: -D PINNED_BUFFERS
! expect: pass
#ifndef MEM_OF_A
#define MEM_OF_A managed
#endif
module pms
  implicit none
  real a(10), b, c(3)
  attributes(MEM_OF_A) :: a
  attributes(device) :: b
#ifdef PINNED_BUFFERS
  real, allocatable, dimension(:) :: buffer, other
  attributes(pinned) :: buffer, other
#else
  real, allocatable, dimension(:) :: buffer, other
#endif
  attributes(constant) c
  type box
    integer :: n = 3
    real :: v(4)
  end type
  interface where_
    procedure where_host, where_device, where_managed
  end interface
contains
  attributes(global) subroutine k(x, y, n)
    integer n
    value n
    real x(n), y
    attributes(device) x
    i_: block
      integer :: i
      i = threadidx%x
      if (i > n) exit i_
      x(i) = x(i)*c(1) + b + y
    end block i_
  end subroutine
  character(7) function where_host(x)
    real, intent(in) :: x(:)
    where_host = 'host'
  end function
  character(7) function where_device(x)
    real, device, intent(in) :: x(:)
    where_device = 'device'
  end function
  character(7) function where_managed(x)
    real, managed, intent(in) :: x(:)
    where_managed = 'managed'
  end function
end module
program pinned_managed_statements
  use cudafor
  use pms
  implicit none
  type(box), managed :: m
  type(box), managed, allocatable :: list(:)
  real, device :: d(10), y
  character(60) :: line
  logical :: ok
  integer :: i, st
  namelist /in/ st
  allocate(buffer(10), other(10), stat=st)
  allocate(list(2))
  buffer = [(i*1.0, i = 1, 10)]
  other(:) = buffer(10:1:-1)
  a = buffer; b = 0.5; c = [2.0, 0.0, 0.0]; d = other; y = 0.25
  call k<<<1, 32>>>(a, y, 10)
  call k<<<1, 32>>>(d, y, 10)
  st = cudaDeviceSynchronize()
  other = d
  ok = st == 0 .and. all(a == [(i*2.0 + 0.75, i = 1, 10)]) .and. all(other == [(i*2.0 + 0.75, i = 10, 1, -1)])
  m%v = a(1:4)
  list = m
  list(2)%n = list(1)%n*2
  list(1)%v(2:3) = -list(1)%v(3:2:-1)
  call k<<<1, 4>>>(list(2)%v, y, 4)
  st = cudaDeviceSynchronize()
  write (line, '(2i3, 3f7.2)') list%n, list(1)%v(2), list(2)%v(1), sum(m%v)
  ok = ok .and. line == '  3  6  -6.75   6.25  23.00'
  ok = ok .and. where_(buffer) == 'host' .and. where_(d) == 'device' .and. where_(a) == 'managed' .and. &
    where_(list(1)%v) == 'managed'
  a(2:4) = d(1:3)
  a(7:) = a(7:)*2 + a(1:4)
  ok = ok .and. all(a(7:8) == [2*14.75 + 2.75, 2*16.75 + 20.75])
  read (line, *) a(1), a(3), buffer(1)
  ok = ok .and. a(1) == 3 .and. a(3) == 6 .and. buffer(1) == -6.75
  if (.not. ok) then
    print *, 'FAIL pinned_managed_statements:', a, other, line, where_(buffer), where_(d), where_(a); error stop 1
  end if
  deallocate(buffer, other, list)
  print '(a)', 'PASS pinned_managed_statements'
end program
