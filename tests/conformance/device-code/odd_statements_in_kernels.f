! conformance: device-code/odd_statements_in_kernels
! features: fixed form kernels: statement functions, Hollerith-free old declarations, labelled loops, computed and assigned jumps, PARAMETER, IMPLICIT, shared DO ends, blanks
! spec: F77; guide 3.6
! needs: none
! expect: pass
      module osk
      contains
      attributes(global) subroutine kk(r, n)
      implicit integer (a-h, o-z)
      integer*4, value :: n
      integer*8 r8
      real*8 d, dsq
      logical*1 odd
      dimension r(20), m(3,3)
      integer r
      parameter (one = 1, two = one + one)
      parameter (pi = 3)
      isq(j) = j*j + two
      dsq(d) = d*d
      mx(i, j) = max(isq(i), j)
      if (threadidx%x .ne. 1) return
      r(1) = isq(3) + mx(2, 100)
      r(2) = dsq(2.5d0)*4
      r(3) = pi
      do 10 i = 1, 3
      do 10 j = 1, 3
   10 m(i,j) = isq(i)*j
      r(4) = m(3,3) + m(1,2)
      k = 0
      i = 0
   20 i = i + 1
      go to (30, 40, 50, 40), i
      go to 60
   30 k = k + 1
      go to 20
   40 k = k + 10
      goto 20
   50 k = k + 100
      if (i - 3) 60, 20, 60
   60 r(5) = k*10 + i
      do 70, i = 10, 1, -3
        if (i .eq. 4) goto 80
   70 continue
   80 r(6) = i
      odd = mod(n, 2) .eq. 1
      if (odd) then
        r(7) = 1
      else if (.not. odd .and. n .gt. 3) then
        r(7) = 2
      endif
      r8 = 2
      do 90 i = 1, 5
        r8 = r8*r8
   90 if (i .ge. 5) r8 = r8 - 1
      r(8) = r8/2
      x = 7.9
      y = -7.9
      r(9) = x*10 + y
      z = 5/2*2.5
      r(10) = z
      do 120 i = 1, 2
        do 110 j = 1, 4
          if (j .eq. 2) go to 110
          if (i*j .eq. 6) go to 130
          r(11) = i*10 + j
  110   continue
  120 continue
  130 r(12) = i*10 + j
      w h i l e = 3
      do i = 1, 3
      do100i = 1.5
      end do
      r(13) = while + do100i
      if(n.eq.4)r(14)=7;r(15)=8
      r(16) = ichar('a') + ichar("'")
      r(17) = 1.e1 + 1d0 + .5e1
      if (1.eq.1.and.2.lt.3) r(18) = 1
      r(19) = ishft(1, 4)
     1 + 2
     2+ 3
     3 * 4
      e n d d o = 1
      r(20) = enddo
      return
      end
      end module
      program odd_statements_in_kernels
      use osk
      integer, device :: rd(20)
      integer r(20), e(20)
      rd = 0
      call kk<<<1, 1>>>(rd, 4)
      r = rd
      e = (/11 + 100, 25, 3, 33 + 6, 1215, 4, 2, 2147483647, 63, 5, 21,
     & 23, 4, 7, 8, 136, 16, 1, 30, 1/)
      do 10 i = 1, 20
      if (r(i) .ne. e(i)) then
        print *, 'FAIL odd_statements_in_kernels:', i, r(i), e(i)
        error stop 1
      end if
   10 continue
      print '(a)', 'PASS odd_statements_in_kernels'
      end
