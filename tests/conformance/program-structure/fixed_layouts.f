! conformance: program-structure/fixed_layouts
! features: fixed-form, tabs, sequence-numbers, split-tokens, many-continuations
! spec: guide 2.14; Fortran 2018 6.3.3
! needs: none
! expect: pass
      module m                                                          00000010
      contains                                                          00000020
      attributes(glo                                                    00000030
     &bal) subroutine k(a, n                                            00000040
     &, f)                                                              00000050
      integer, val                                                      00000060
     1ue :: n                                                           00000070
      real a(n), f                                                      00000080
      value f                                                           00000090
      real, sha                                                         00000100
     1red :: s(3                                                        00000110
     22)                                                                00000120
      i = thread                                                        00000130
     &Idx%x                                                             00000140
      s(i) = f * i
      call sync
     &threads()
      if (i .le. n) a(i) = s(n + 1 - i)
	if (i .eq. 1) a(1) = 1 00 . 5 e0
      end
      end module
      program p
      use m
      real, device :: d(5)
      real h(5)
      call k<
     &<<1, 32
     1>
     &>>(d, 5,
     & 2.0)
      h = d
      if (any(h .ne. (/100.5, 8., 6., 4., 2./))) stop 'FAIL fixed_layou
     &ts'
      x = 0.
!$cuf kernel do
!$cuf1<<<*
!$cuf2,*>>>
      do 20, i=1,5
   20 x = x + d(i)
      if (x .ne. 120.5) stop 'FAIL fixed_layouts: loop'
      print '(a)', 'PASS fixed_layouts'
      end
