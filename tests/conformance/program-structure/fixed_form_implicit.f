! conformance: program-structure/fixed_form_implicit
! features: fixed-form, implicit-typing, continuation, labelled-loops
! spec: guide 2.1, F2018 6.3.3
! needs: none
! expect: pass
c     fixed form with kernels, labelled loops, continuation marks
      module fixmod
      implicit real*8 (a-h,o-z)
      parameter (nb=64, tol=1.d-12)
      real*8, device :: work(1000)
      integer*4, constant :: nmax
      contains
      attributes(global) subroutine daxpyk(n, a, x, y)
      integer, value :: n
      real*8, value :: a
      real*8 x(n), y(n)
      i = (blockidx%x-1)*blockdim%x
     &    + threadidx%x
      if (i.gt.n) goto 100
      if (i.gt.nmax) return
      y(i) = a*x(i)
     1     + y(i)
      work(i) = y(i)
     $     *2.d0
100   continue
      end subroutine
      attributes(global) subroutine powk(n, x, ipow)
      integer, value :: n, ipow
      dimension x(*)
      i = (blockidx%x-1)*blockdim%x + threadidx%x
      if (i.le.n) then
         t = 1.d0
         do 20 k = 1, ipow
            t = t*x(i)
  20     continue
         x(i) = t
      endif
      end
      end module

      program fixed1
      use fixmod
      implicit real*8 (a-h,o-z)
      parameter (n=500)
      dimension x(n), y(n), w(n)
      real*8, device :: xd(n), yd(n)
      character*20 msg
      data msg /'don''t ! stop'/
      do 10 i = 1, n
         x(i) = i
   10 y(i) = 1.d0
      xd = x
      yd = y
      nmax = 400
      call daxpyk<<<(n+nb-1)/nb,
     &             nb>>>(n, 2.d0, xd,
     &             yd)
      y = yd
      w = work(1:n)
      do 30 i = 1, n
         e = 1.d0
         if (i .le. 400) e = e + 2.d0*i
         if (dabs(y(i)-e) .gt. tol) goto 900
         if (i .le. 400 .and. w(i) .ne. 2.d0*e) goto 900
   30 continue
      call powk<<<8,nb>>>(n, xd, 3)
c$cuf kernel do(1) <<<*,*>>>
      do 40 i = 1, n
         yd(i) = xd(i) - yd(i)
   40 continue
      y = yd
      do i=1,n
      if (y(i).ne.dble(i)**3-merge(1.d0+2*i,1.d0,i.le.400)) goto 900
      end do
      if (msg(1:7) .ne. 'don''t !') goto 900
      print '(a)', 'PASS fixed_form_implicit'
      stop
  900 print *, 'FAIL fixed_form_implicit: fixed1', i, y(i)
      stop 1
      end
