! conformance: program-structure/sentinel_forms
! features: !@cuf lines with blanks before, in capitals, with continuation, with macros, IF and labels; they alone make a file CUDA Fortran
! spec: guide 2.13
! needs: none
! flags: -D N=8
! expect: pass
program sentinel_forms
!@cuf use cudafor
  implicit none
  integer :: a(N), h(N), i, k
    !@cuf attributes(managed) :: a
!@CUF integer, device :: b(N), &
!@CUF&  c(N)
!@cuf integer, device :: e(N), &
!@cuf   f(N)
  k = 0
!@cuf k = 1; k = k + &
!@cuf& 10
!@cuf if (k == 11) then
!@cuf   b = 3
!@cuf else
!@cuf  k = -1
!@cuf end if
!@cuf c = b; e = c; f = 0
!$cuf kernel do <<<*, *>>>
  do i = 1, N
    a(i) = i
!@cuf a(i) = a(i) + c(i)
!@cuf f(i) = e(i)
  end do
!@cuf i = cudaDeviceSynchronize()
  h = a
!@cuf h = h + f
  if (k /= 11 .or. any(h /= [(i + 6, i = 1, N)])) then
    print *, 'FAIL sentinel_forms:', k, h; error stop 1
  end if
  print '(a)', 'PASS sentinel_forms'
end program
