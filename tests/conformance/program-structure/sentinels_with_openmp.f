! conformance: program-structure/sentinels_with_openmp
! features: fixed form: c@cuf with a continuation line, c$cuf, !$ lines of OpenMP
! spec: guide 2.13, OpenMP 5.2, 5.1.2
! needs: openmp
! expect: pass
      program sentinels_with_openmp
      implicit none
      integer, device :: d(4)
C@CUF integer, device :: e(4)
      integer h(4), i, k
      k = 1
!@cuf k = 2 +
!@cuf& 3
*@cuf e = 7
c$cuf kernel do <<<*, *>>>
      do 10 i = 1, 4
   10 d(i) = e(i)*i
!$    k = k + 100
c$    k = k +
c$   & 1000
      h = d
      if (k .ne. 1105 .or. any(h .ne. [7, 14, 21, 28])) then
        print *, 'FAIL sentinels_with_openmp:', k, h
        error stop 1
      end if
      print '(a)', 'PASS sentinels_with_openmp'
      end
