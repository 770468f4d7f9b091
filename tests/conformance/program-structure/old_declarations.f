! conformance: program-structure/old_declarations
! features: fixed form, implicit, common, equivalence, namelist, data, assigned goto, alternate return, Cray pointer, block data
! spec: F2018 annex B; gfortran manual
! needs: none
! expect: pass
! flang: rejects (assign)
      program s5
      implicit real*8 (a-h,o-s,u-z), integer*8 (i-k), logical (l)
      implicit character*3 (t)
      parameter (n = 5, pi=3.14159)
      dimension a(n), b(n,n)
      common /blk/ c, d(3), kk
      equivalence (a(1), e), (b(1,1), f)
      namelist /nml/ c, kk
      data a, e2 /5*1.0d0, 2.0/, (d(i), i=1,3) /3*4./
      save /blk/
      external sub, func
      intrinsic sin
      real*4 r4, r4c
      integer*1 i1
      complex*16 z
      logical*1 l1
      character*(*) cp
      parameter (cp='hello')
      character c1*2, c2(2)*5
      double precision dp
      double complex dz
      byte by
      integer lab, m
      attributes(device) x_d, y_d
      dimension x_d(n)
      integer*4 y_d
      allocatable w_d(:)
      attributes(device) w_d
      pointer (ip, ipt(3))
      target g(3)
      integer*4 g, ipt
      sf(x, y) = x*y + pi
      assign 100 to lab
      c = 1; kk = 2
      l1 = .true.
      by = 127
      x_d = a
      y_d = 5
      allocate(w_d(3))
      w_d = 2.5d0
      a = x_d
      if (a(5) .ne. 1) stop 1
      m = y_d
      if (m .ne. 5) stop 2
      if (abs(sf(2d0,3d0) - 9.14159) .gt. 1d-5) stop 3
      if (kind(i1) .ne. 1 .or. kind(by).ne.1)
     +  stop 4
      if (kind(z) .ne. 8 .or. kind(i) .ne. 8 .or. len(t) .ne. 3) stop 5
      g = 3
      ip = loc(g)
      if (ipt(2) .ne. 3) stop 6
      goto lab, (100, 200)
200   stop 7
100   continue
      if (d(2) .ne. 4 .or. e .ne. 1) stop 8
      call sub(func, *300)
      stop 9
300   if (m - 5) 310, 320, 330
310   stop 10
330   stop 11
320   goto (340, 350) m - 3
340   stop 12
350   write (*, 900) 'PASS old_declarations'
900   format (1x, a)
      end
      subroutine sub(f, *)
      real*8 f, x
      external f
      entry sub2(f, *)
      x = f(1d0)
      return 1
      end
      real*8 function func(x)
      real*8 x
      func = x + 1
      end
      block data
      common /blk/ c, d(3), kk
      real*8 c, d
      integer*8 kk
      data c /1d0/
      end
