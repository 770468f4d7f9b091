program main
  use cudafor
  use data
  use wave
  use only
  implicit none
  integer :: i
#ifdef SINGLE
  real(4) :: h(n)
#else
  real(8) :: h(n)
#endif
  type(cell), device :: c(n)
  type(cell) :: hc(n)
  real(wp), device, allocatable :: b(:)
  scale = 3
  h = [(i, i = 1, n)]
  a = h
  call twice<<<2, n/2>>>(a, n)
  allocate (b(n))
  !$cuf kernel do <<<*, *>>>
  do i = 1, n
    b(i) = a(i)/4
  end do
  call shift(b, n)
  h = b
  call fill<<<1, n>>>(c, n)
  hc = c
#ifdef SINGLE
  print '(a,i3)', 'single', storage_size(h)
  if (any(abs(h - [(i/2.0 + 0.05, i = 1, n)]) > 1e-5)) error stop 'wrong result'
  if (abs(energy(b, n) - sum(h*h)) > 1e-1) error stop 'wrong energy'
#else
  print '(a,i3)', 'double', storage_size(h)
  if (any(abs(h - [(i*1.5d0 + 1.05d0, i = 1, n)]) > 1d-13)) error stop 'wrong result'
  if (abs(energy(b, n) - sum(h*h)) > 1d-8) error stop 'wrong energy'
  allocate (extra(n))
  extra = a
  if (maxval(extra) < 384) error stop 'wrong maximum'
#endif
  if (any(abs(hc%x - [(i/3._wp, i = 1, n)]) > 1e-5) .or. hc(4)%y /= 2 .or. hc(n)%id /= n) error stop 'wrong cells'
  print '(2f10.5)', h(1), h(n)
end program main
