program main
  use data
  implicit none
  integer :: i
  real :: s
  !@cuf integer :: istat
  call start()
  !$cuf kernel do <<<*,*>>>
  do i = 1, n
    b_gpu(i) = a_gpu(i)*2.0
  end do
  !@cuf istat = cudaDeviceSynchronize()
  !@cuf if (istat /= 0) print *, cudaGetErrorString(istat)
#ifdef USE_GPU
  call shift<<<2, 32>>>(b_gpu, 1.0)
#else
  do i = 1, n
    b_gpu(i) = bump(b_gpu(i)) + 1.0
  end do
#endif
#ifdef USE_GPU
  call halve<<<2, 32>>>(b_gpu)
#else
  call halve(b_gpu)
#endif
  i = 1
#ifdef USE_GPU
  i = 2
#endif
  call halve&
#ifdef USE_GPU
    &<<<i, 32>>>&
#endif
    &(b_gpu)
  s = 0
  !$cuf kernel do <<<*,*>>>
  do i = 1, n
    s = s + b_gpu(i)
  end do
  call finish()
  print '(2f10.1)', s, a(n)
end program
