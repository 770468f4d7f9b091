! conformance: device-code/r8_old_code
! features: default-real, fixed-form
! spec: guide 2
! needs: none
! flags: -r8
! expect: pass
      module old
      real, device :: work(100)
      real, managed :: tm(10)
      parameter (eps=1.e-12, half=.5)
      contains
      attributes(global) subroutine relax(u, v, n, c)
      implicit real (a-h,o-z)
      dimension u(n), v(n)
      value n, c
      real sh(128)
      shared sh
      double precision dd
      complex z
      sq(x) = x*x + 0.1
      i = threadidx%x
      sh(i) = 0.
      if (i .le. n) sh(i) = u(i)
      call syncthreads()
      if (i .gt. 1 .and. i .lt. n) then
        v(i) = half*(sh(i-1) + sh(i+1)) + c*sq(sh(i)) + 1.e-1
     &       + 3.3333
     &333e0
        dd = 1.1d0
        z = cmplx(dd, 2.2)
        if (v(i) - dd) 10, 20, 20
 10     v(i) = v(i) + aimag(z)
        goto 30
 20     v(i) = v(i) - real(z)
 30     continue
      end if
      if (i .eq. 1) v(1) = float(n)/3. + ifix(2.7)
      if (i .eq. n) v(n) = amax1(0.7, float(i)*0.01) + 1.e-9
      end subroutine
      end module

      program main
      use cudafor
      use old
      implicit double precision (a-h,o-z)
      parameter (n = 20)
      real, device :: u(n), v(n)
      real hu(n), hv(n), ev(n)
      common /blk/ a1, b1(3)
      real c1
      data b1 /0.1, 0.2, 0.3/
      character*40 line
      a1 = 0.1
      c1 = 0.1
      do 5 i = 1, n
    5 hu(i) = 0.1*i
      hv = 0
      u = hu
      v = 0.
      call relax<<<1, 32>>>(u, v, n, c1)
      hv = v
      ev(1) = 20d0/3 + 2
      ev(n) = 0.7d0 + 1d-9
      do 6 i = 2, n-1
        x = 0.1d0*i
        e = .5d0*(0.1d0*(i-1) + 0.1d0*(i+1)) + .1d0*(x*x+.1d0) + .1d0
     &    + 3.3333333d0
        if (e .lt. 1.1d0) then
          e = e + 2.2d0
        else
          e = e - 1.1d0
        end if
        ev(i) = e
    6 continue
      do 7 i = 1, n
        if (abs(hv(i)-ev(i)) .gt. 1d-13) then
          print *, 'FAIL r8_old_code:', i, hv(i), ev(i)
          stop 1
        end if
    7 continue
      write(line, '(f20.16)') u(1)
      if (line(1:20) .ne. '  0.1000000000000000') stop 2
      tm = 0.1
      s = 0.
!$cuf kernel do
      do i = 1, 10
        s = s + tm(i)*1.e0 + 0.2
      end do
      if (abs(s - 3d0) .gt. 1d-14) then
        print *, 'FAIL r8_old_code: s', s
        stop 1
      end if
      work = u(1)
      x = work(50)
      if (x .ne. .1d0) stop 3
      print *, 'PASS r8_old_code'
      end
